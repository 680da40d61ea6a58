/*
 * sm_test.h - one SM at its own ports: what tests of it share.
 *
 * A fake dispatcher sends the blocks of grids as the port takes them and counts those
 * that come back. A fake memory takes what the L1 sends, does to real bytes what it
 * says, and answers `test.latency` cycles later. Kernels are a few lines of PTX
 * (body_test.h); settings are keys of the SM as a device has them, and the two of the
 * test itself. Printed text, the first fault and the final bytes are kept.
 */
#ifndef SM_SM_TEST_H
#define SM_SM_TEST_H

#include "sm/body_test.h"
#include "sm/format.h"
#include "sm/sm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ST_OUT_WORDS = 16384, ST_LAUNCHES = 4, ST_AREA = 64, ST_BACK = 64 };

/* ---- configuration ---- */

struct st_own { /* what is not the SM's */
    char compute_capability[CFG_TEXT_SIZE];
    uint32_t
        latency; /* cycles from a line's arrival in memory to its answer's in the L1 */
};

struct st_config {
    struct st_own own;
    struct sm_parts sm;
};

static const struct cfg_field st_own_fields[] = {
    CFG_TEXT(struct st_own, compute_capability, "2.0", "rules", ""),
    CFG_U32(struct st_own, latency, 1, 60, 100000, CFG_CYCLES, 0, "of memory", ""),
};
static const struct cfg_table st_own_keys = CFG_TABLE(st_own_fields);

#define ST_GROUP(key, keys, member)                                                    \
    {                                                                                  \
        .prefix = (key), .table = &(keys),                                             \
        .offset = offsetof(struct st_config, member)                                   \
    }

static const struct cfg_group st_groups[] = {
    ST_GROUP("test", st_own_keys, own),
    ST_GROUP("sm", sm_keys, sm.sm),
    ST_GROUP("sm.pipe", pipe_keys, sm.pipes),
    ST_GROUP("sm.onchip", onchip_keys, sm.onchip),
    ST_GROUP("sm.lsu", lsu_keys, sm.lsu),
    ST_GROUP("sm.smem", smem_keys, sm.smem),
    ST_GROUP("sm.cbank", cbank_keys, sm.cbank),
    ST_GROUP("sm.l1", l1_keys, sm.l1),
    ST_GROUP("sm.bulk", bulk_keys, sm.bulk),
};

static const struct cfg_schema st_schema = {st_groups, ARRAY_LEN(st_groups), NULL, 0};

/* A Fermi of one scheduler with short latencies; what is not named has its default. */
static const char st_small[] =
    "sm.schedulers=1 sm.issue_interval=2 sm.fp64_blocks=true sm.max_warps=32 "
    "sm.max_blocks=2 sm.branch_latency=4 sm.barrier_latency=4 sm.block_start=4 "
    "sm.pipe.fp32.latency=4 sm.pipe.iadd.latency=4 sm.pipe.icmp.latency=4 "
    "sm.pipe.imul.latency=4 sm.pipe.shift.latency=4 sm.pipe.logic.latency=4 "
    "sm.pipe.cvt.latency=4 sm.pipe.cvt8.latency=4 sm.pipe.mem.throughput=16 "
    "sm.lsu.lanes=16 sm.lsu.interval=2 sm.lsu.queue=4 sm.lsu.entries=64 "
    "sm.smem.latency=12 sm.smem.interval=2 sm.smem.atom_retry=60 sm.smem.queue=4 "
    "sm.cbank.latency=12 sm.cbank.interval=2 sm.cbank.size=8192 sm.cbank.line=64 "
    "sm.cbank.ways=4 sm.cbank.l15_size=0 sm.cbank.miss_latency=40 sm.cbank.queue=4 "
    "sm.l1.ways=4 sm.l1.latency=16 sm.l1.interval=2 sm.l1.mshrs=4 sm.l1.merges=8 "
    "sm.l1.queue=64 sm.l1.answers=64 sm.l1.global=true";

/* ---- the bench ---- */

enum st_status { ST_DONE, ST_FAULT, ST_DEADLOCK };

struct st_launch { /* where the dispatcher is in a grid */
    uint32_t next, n_blocks;
};

struct st {
    struct st_config cfg;
    struct rules_cc rules;
    struct sim *sim;
    struct sim_clock clock;
    struct sim_module root;
    struct memory memory;
    struct sm_shared shared;
    struct sm *sm;
    struct ptx_module *m;
    /* the dispatcher */
    struct sim_out to_sm;
    struct sim_in from_sm;
    struct sim_pool blocks;
    struct sim_event go;
    struct sim_process dispatch;
    struct st_launch launch[ST_LAUNCHES];
    uint32_t n_launches; /* resident */
    uint32_t n_out;      /* blocks that have not come back */
    uint32_t n_back;
    struct sm_block back[ST_BACK]; /* the first that have, in their order */
    uint64_t params[2];
    /* memory: lines in the order of their arrival, with the cycle of the answer */
    struct sim_in down;
    struct sim_out up;
    struct sim_event due;
    struct sim_process serve;
    struct sim_txn *first, **last;
    /* what was heard */
    struct sim_listener on_fault, on_print;
    struct sm_fault fault; /* the first */
    bool faulty;
    char output[8192]; /* printed, in the order of its instants */
    char waiting[2048];
    /* buffers */
    uint64_t out, in;
    uint32_t words[ST_OUT_WORDS]; /* out, after st_fetch() */
};

static inline void st_ok(bool ok, const struct smw_err *e)
{
    if (!ok) {
        print_error("%u:%u: %s (%s)\n", e->line, e->column, e->message, e->hint);
        fail();
    }
}

/* settings: "key=value key=value ..." */
static inline void st_set(struct st_config *c, const char *settings)
{
    char text[2048];
    struct smw_err e;

    err_clear(&e);
    assert_true(strlen(settings) < sizeof(text));
    strcpy(text, settings);
    for (char *p = text, *next; *p != '\0'; p = next) {
        char *eq = strchr(p, '='), *end = p + strcspn(p, " ");

        assert_non_null(eq);
        next = *end == '\0' ? end : end + 1;
        *end = '\0';
        *eq = '\0';
        st_ok(cfg_set(&st_schema, c, p, eq + 1, &e), &e);
    }
}

/* ---- dispatcher ---- */

static inline void st_send_block(struct st *t, uint32_t i)
{
    const struct sm_launch *l = &t->shared.launch[i];
    struct sm_block *b = sim_pool_take(&t->blocks);
    uint32_t at = t->launch[i].next++;

    b->launch = (uint8_t)i;
    b->sm = 0;
    b->index = at;
    b->ctaid[0] = at % l->grid[0];
    b->ctaid[1] = at / l->grid[0] % l->grid[1];
    b->ctaid[2] = at / l->grid[0] / l->grid[1];
    t->n_out++;
    sim_send(&t->to_sm, b);
}

/* Blocks of the oldest launch first, as the port takes them. */
static inline void st_dispatch(void *self)
{
    struct st *t = self;
    struct sm_block *b;

    while ((b = sim_take(&t->from_sm)) != NULL) {
        assert_true(b->done_at >= b->started_at);
        t->n_out--;
        if (t->n_back < ST_BACK) {
            t->back[t->n_back] = *b;
        }
        t->n_back++;
        sim_pool_give(b);
    }
    for (uint32_t i = 0; i < t->n_launches; i++) {
        while (t->launch[i].next < t->launch[i].n_blocks) {
            if (!sim_out_ready(&t->to_sm)) {
                sim_out_wait(&t->to_sm);
                return;
            }
            st_send_block(t, i);
        }
    }
}

/* ---- memory ---- */

static inline void st_answer(struct st *t, sim_cycle_t now)
{
    while (t->first != NULL) {
        struct sim_txn *first = t->first;

        if (first->ready > now) {
            sim_notify_at(&t->due, first->ready);
            return;
        }
        if (!sim_out_ready(&t->up)) {
            sim_out_wait(&t->up);
            return;
        }
        t->first = first->next;
        t->last = t->first == NULL ? &t->first : t->last;
        sim_send(&t->up, first);
    }
}

/* A line is served when it arrives. As from an L2, a store is answered if it asks for
 * it. */
static inline void st_serve(void *self)
{
    struct st *t = self;
    sim_cycle_t now = sim_here(&t->root);
    struct mem_line *l;

    while ((l = sim_take(&t->down)) != NULL) {
        memory_serve(&t->memory, l);
        if (l->op == MEM_STORE && !l->ack && !l->from_l1) {
            sim_pool_give(l);
            continue;
        }
        l->txn.ready = now + t->cfg.own.latency - 1; /* and one cycle on the link */
        l->txn.next = NULL;
        *t->last = &l->txn;
        t->last = &l->txn.next;
    }
    st_answer(t, now);
}

/* ---- hooks ---- */

static inline void st_hear_fault(void *ctx, sim_time_t now,
                                 const struct sim_module *from, const void *record)
{
    struct st *t = ctx;

    (void)now;
    (void)from;
    if (!t->faulty) {
        t->fault = *(const struct sm_fault *)record;
        t->faulty = true;
        sim_stop(t->sim);
    }
}

static inline void st_hear_print(void *ctx, sim_time_t now,
                                 const struct sim_module *from, const void *record)
{
    struct st *t = ctx;
    const struct sm_printf *p = record;
    size_t n = strlen(t->output);
    char format[256] = "";

    (void)now;
    (void)from;
    for (size_t i = 0; i + 1 < sizeof(format); i++) {
        memory_read(&t->memory, p->format + i, &format[i], 1);
        if (format[i] == '\0') {
            break;
        }
    }
    (void)format_text(format, p->args, p->n, NULL, t->output + n,
                      sizeof(t->output) - n);
}

/* ---- elaboration ---- */

static inline void st_new_neighbours(struct st *t)
{
    sim_out_init(&t->to_sm, &t->root, "to_sm", &sm_block_proto);
    sim_in_init(&t->from_sm, &t->root, "from_sm", &sm_block_proto, 64);
    sim_in_init(&t->down, &t->root, "down", &mem_line_proto, 8);
    sim_out_init(&t->up, &t->root, "up", &mem_line_proto);
    sim_pool_init(&t->blocks, t->sim, "sm_block", sizeof(struct sm_block));
    sim_event_init(&t->go, t->sim, &t->clock, "go");
    sim_event_init(&t->due, t->sim, &t->clock, "due");
    sim_process_init(&t->dispatch, t->sim, "dispatch", st_dispatch, t);
    sim_process_init(&t->serve, t->sim, "serve", st_serve, t);
    sim_wake_on(&t->dispatch, &t->go);
    sim_wake_on(&t->dispatch, &t->from_sm.arrived);
    sim_wake_on(&t->dispatch, &t->to_sm.space);
    sim_wake_on(&t->serve, &t->due);
    sim_wake_on(&t->serve, &t->down.arrived);
    sim_wake_on(&t->serve, &t->up.space);
    sim_bind(&t->to_sm, sm_blocks(t->sm), 1);
    sim_bind(sm_done(t->sm), &t->from_sm, 1);
    sim_bind(sm_down(t->sm), &t->down, 1);
    sim_bind(&t->up, sm_up(t->sm), 1);
    t->last = &t->first;
}

static inline void st_new_sm(struct st *t)
{
    const struct rules_cc *r =
        rules_named(t->cfg.own.compute_capability, (char[RULES_NAMES_SIZE]){""});
    char path[256] = "";

    assert_non_null(r);
    t->rules = *r;
    assert_int_equal(t->rules.param_shared_base, 0); /* 1.x is not needed here */
    smem_adapt_rules(&t->cfg.sm.smem, &t->rules);
    t->rules.l1_global = t->cfg.sm.l1.global ? RULES_L1_DEFAULT : RULES_L1_NEVER;
    t->sim = sim_new();
    sim_clock_init(&t->clock, t->sim, "sm", 1000000000000, 1400000000);
    sim_module_init(&t->root, t->sim, NULL, &t->clock, "bench");
    t->shared.rules = &t->rules;
    t->shared.has_bulk = t->rules.cc >= 90;
    t->shared.memory = &t->memory;
    t->shared.n_sms = t->shared.n_gpcs = 1;
    t->shared.max_launches = ST_LAUNCHES;
    t->shared.checks = true;
    sim_hook_init(&t->shared.fault, t->sim, "fault");
    sim_hook_init(&t->shared.printed, t->sim, "printf");
    sim_hook_init(&t->shared.planned, t->sim, "planned");
    sim_hook_init(&t->shared.staged, t->sim, "staged");
    t->on_fault = (struct sim_listener){.heard = st_hear_fault, .ctx = t};
    t->on_print = (struct sim_listener){.heard = st_hear_print, .ctx = t};
    sim_listen(&t->shared.fault, &t->on_fault);
    sim_listen(&t->shared.printed, &t->on_print);
    t->sm =
        sm_new(&t->root, &t->clock, 0, &t->cfg.sm, &t->shared, 48 * 1024, 48 * 1024);
    st_new_neighbours(t);
    if (!sim_check_bound(&t->root, path, sizeof(path))) {
        fail_msg("%s is not bound", path);
    }
    sm_split(t->sm, 48, 16);
}

static inline void st_load(struct st *t, const char *ptx)
{
    struct smw_err e;

    err_clear(&e);
    t->m = ptx_parse(ptx, strlen(ptx), "test.ptx", &e);
    st_ok(t->m != NULL, &e);
    for (uint32_t i = 0; i < t->m->n_symbols; i++) {
        struct ptx_symbol *s = &t->m->symbols[i];

        if (s->space == ISA_SP_GLOBAL) {
            st_ok(memory_alloc(&t->memory, s->size, &s->addr, &e), &e);
        }
    }
    st_ok(ptx_lower(t->m, NULL, &e), &e);
    for (uint32_t i = 0; i < t->m->n_symbols; i++) {
        const struct ptx_symbol *s = &t->m->symbols[i];

        if (s->space == ISA_SP_GLOBAL && s->init != NULL) {
            memory_write(&t->memory, s->addr, s->init, s->size);
        }
    }
}

/* An SM with out (zeros) and in (0, 1, 2 ...) of ST_OUT_WORDS words each. */
static inline struct st *st_open(const char *settings, const char *ptx)
{
    struct st *t = aligned_alloc(_Alignof(struct st), sizeof(*t));
    struct smw_err e;

    err_clear(&e);
    assert_non_null(t);
    memset(t, 0, sizeof(*t));
    cfg_defaults(&st_schema, &t->cfg);
    st_set(&t->cfg, st_small);
    st_set(&t->cfg, settings);
    st_ok(memory_init(&t->memory, 16 << 20, &e), &e);
    st_new_sm(t);
    st_load(t, ptx);
    st_ok(memory_alloc(&t->memory, sizeof(t->words), &t->out, &e), &e);
    st_ok(memory_alloc(&t->memory, sizeof(t->words), &t->in, &e), &e);
    for (uint32_t i = 0; i < ST_OUT_WORDS; i++) {
        memory_write(&t->memory, t->in + 4 * (uint64_t)i, &i, 4);
    }
    return t;
}

static inline void st_close(struct st *t)
{
    sm_free(t->sm);
    ptx_free(t->m);
    memory_free(&t->memory);
    sim_free(t->sim);
    free(t);
}

/* ---- launches ---- */

struct st_shape {
    uint32_t grid[3], block[3];
    uint32_t dynamic; /* bytes of shared memory */
};

static inline bool st_is_idle(const struct st *t)
{
    uint32_t left = t->n_out;

    for (uint32_t i = 0; i < t->n_launches; i++) {
        left += t->launch[i].n_blocks - t->launch[i].next;
    }
    return left == 0;
}

/* Local memory of one launch is of the next, larger one only when the SM is idle. */
static inline void st_make_idle(struct st *t, uint64_t local)
{
    struct smw_err e;
    uint64_t threads = (uint64_t)t->cfg.sm.sm.max_warps * ISA_LANES;

    err_clear(&e);
    sm_split(t->sm, 48, 16);
    t->n_launches = 0;
    t->shared.local_stride = local;
    if (local != 0) {
        st_ok(memory_reserve_local(&t->memory, local * threads, &e), &e);
    }
}

/* The kernel's blocks are sent from the next cycle on, behind those of earlier ones. */
static inline void st_start(struct st *t, const char *kernel, struct st_shape shape)
{
    const struct ptx_kernel *k;
    struct sm_launch *l;
    struct smw_err e;

    err_clear(&e);
    k = ptx_find_kernel(t->m, kernel, &e);
    st_ok(k != NULL, &e);
    st_ok(ptx_can_run(t->m, k, &e), &e);
    assert_int_equal(k->param_bytes, sizeof(t->params));
    if (st_is_idle(t)) {
        st_make_idle(t, (k->local_bytes + 3u) & ~3u);
    }
    assert_true(t->n_launches < ST_LAUNCHES);
    assert_true(k->local_bytes <= t->shared.local_stride);
    t->params[0] = t->out;
    t->params[1] = t->in;
    l = &t->shared.launch[t->n_launches];
    *l = (struct sm_launch){.module = t->m,
                            .kernel = k,
                            .dynamic_bytes = shape.dynamic,
                            .shared_bytes = k->shared_bytes + shape.dynamic,
                            .bank_mode = t->cfg.sm.smem.bank_mode,
                            .params = (const uint8_t *)t->params,
                            .param_bytes = k->param_bytes,
                            .local_bytes = (k->local_bytes + 3u) & ~3u,
                            .area_slots = ST_AREA};
    memcpy(l->grid, shape.grid, sizeof(l->grid));
    memcpy(l->block, shape.block, sizeof(l->block));
    l->threads = l->block[0] * l->block[1] * l->block[2];
    l->warps = (l->threads + ISA_LANES - 1) / ISA_LANES;
    l->shared_alloc = (l->shared_bytes + t->rules.shared_unit - 1) /
                      t->rules.shared_unit * t->rules.shared_unit;
    l->frame_slots = (k->frame_slots > k->n_slots ? k->frame_slots : k->n_slots);
    l->frame_slots += ST_AREA; /* of outgoing parameters: room for those of any test */
    l->frame_preds = k->frame_preds > k->n_preds ? k->frame_preds : k->n_preds;
    t->launch[t->n_launches] =
        (struct st_launch){.n_blocks = shape.grid[0] * shape.grid[1] * shape.grid[2]};
    sm_begin(t->sm, t->n_launches);
    sm_forget(t->sm);
    t->n_launches++;
    sim_notify_cycles(&t->go, 1);
}

static inline struct st_shape st_line(uint32_t grid, uint32_t block)
{
    return (struct st_shape){.grid = {grid, 1, 1}, .block = {block, 1, 1}};
}

static inline void st_add_waiting(void *ctx, const char *text)
{
    struct st *t = ctx;
    size_t n = strlen(t->waiting);

    (void)snprintf(t->waiting + n, sizeof(t->waiting) - n, "%s\n", text);
}

/* Until nothing is left to happen, or the first fault. Blocks that have not come back
 * by then wait for each other: t->waiting says how. */
static inline enum st_status st_finish(struct st *t)
{
    const sim_cycle_t most = 10000000;
    enum sim_status status =
        sim_run(t->sim, sim_edge(&t->clock, sim_cycle(&t->clock) + most), 0);

    if (status == SIM_STOPPED) {
        assert_true(t->faulty);
        return ST_FAULT;
    }
    assert_int_equal(status, SIM_IDLE);
    if (!st_is_idle(t)) {
        t->waiting[0] = '\0';
        sm_report_waiting(t->sm, st_add_waiting, t);
        return ST_DEADLOCK;
    }
    return ST_DONE;
}

static inline void st_fetch(struct st *t)
{
    memory_read(&t->memory, t->out, t->words, sizeof(t->words));
}

static inline struct smw_counters st_counters(const struct st *t, uint32_t launch)
{
    return *sm_counters(t->sm, launch);
}

/* To a good end: nothing is left under way, and the out buffer is in t->words. */
static inline void st_run_shape(struct st *t, const char *kernel, struct st_shape shape)
{
    enum st_status status;

    st_start(t, kernel, shape);
    status = st_finish(t);
    if (status != ST_DONE) {
        print_error("%s%s\n", t->faulty ? t->fault.text : "", t->waiting);
        fail();
    }
    assert_int_equal(sim_live_transactions(t->sim), 0);
    st_fetch(t);
}

static inline void st_run(struct st *t, const char *kernel, uint32_t grid,
                          uint32_t block)
{
    st_run_shape(t, kernel, st_line(grid, block));
}

/* One kernel "k" on a fresh SM; words[0 .. n-1] of the out buffer, and its counters. */
static inline struct smw_counters st_once(const char *settings, const char *ptx,
                                          uint32_t block, uint32_t *words, uint32_t n)
{
    struct st *t = st_open(settings, ptx);
    struct smw_counters c;

    st_run(t, "k", 1, block);
    memcpy(words, t->words, n * sizeof(words[0]));
    c = st_counters(t, 0);
    st_close(t);
    return c;
}

#endif /* SM_SM_TEST_H */
