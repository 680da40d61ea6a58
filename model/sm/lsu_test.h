/*
 * lsu_test.h - a load/store unit between an SM and a memory that are both made up.
 *
 * Requests are queued before the run and issued as credits allow; the memory answers
 * after a delay, in order or newest first, and keeps real bytes. What the unit sends is
 * logged with its cycle.
 */
#ifndef SM_LSU_TEST_H
#define SM_LSU_TEST_H

#include "sm/lsu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_REQS = 64, MAX_SEEN = 4096, MEMORY_LINES = 2048 };

#define GLOBAL_AT 0x10000000ull

struct seen { /* something the unit sent */
    sim_cycle_t at;
    struct mem_line line; /* a copy, data and all */
    const struct mem_req *req;
};

struct bench {
    struct sim *sim;
    struct sim_clock clock;
    struct sim_module root;
    struct lsu *l;
    struct smw_counters stats[2];
    struct sim_out req, line;
    struct sim_in smem, cbank, l1, rsp;
    struct sim_event due;
    struct sim_process step;
    struct sim_pool reqs;
    struct mem_req *queue[MAX_REQS]; /* still to be issued */
    uint32_t n_queue, next, n_back;
    sim_cycle_t sent_at[MAX_REQS], back_at[MAX_REQS];
    uint32_t back[MAX_REQS]; /* ids, as they came back */
    sim_cycle_t delay;       /* of the memory */
    bool newest_first;       /* the memory answers in the wrong order */
    sim_cycle_t closed;      /* no line is taken before this cycle */
    struct mem_line *waiting[MAX_SEEN];
    sim_cycle_t answer_at[MAX_SEEN];
    uint32_t n_waiting;
    struct seen lines[MAX_SEEN], passed[MAX_REQS];
    uint32_t n_lines, n_passed;
    uint8_t memory[MEMORY_LINES][MEM_LINE];
    void (*check)(struct bench *b, struct mem_req *r); /* of what comes back */
    struct mem_req want[MAX_REQS];
};

static inline struct bench *new_bench(void)
{
    return aligned_alloc(_Alignof(struct bench), sizeof(struct bench));
}

static inline uint8_t *line_of(struct bench *b, uint64_t addr)
{
    uint64_t at =
        (addr & ~MEM_LOCAL_BIT) - ((addr & MEM_LOCAL_BIT) != 0 ? 0 : GLOBAL_AT);

    if ((addr & MEM_LOCAL_BIT) != 0) {
        at += MEMORY_LINES / 2 * MEM_LINE;
    }
    assert_true(at / MEM_LINE < MEMORY_LINES);
    return b->memory[at / MEM_LINE];
}

static inline void serve(struct bench *b, struct mem_line *t)
{
    uint8_t *m = line_of(b, t->addr);

    switch ((enum mem_op)t->op) {
    case MEM_LOAD: memcpy(t->data, m, MEM_LINE); break;
    case MEM_STORE: mem_copy_bytes(m, t->data, t->bytes); break;
    case MEM_DRAIN: fail_msg("a drain left the LSU"); break;
    case MEM_ATOM:
    case MEM_RED:
        for (uint32_t lanes = t->atom->mask; lanes != 0; lanes &= lanes - 1) {
            uint32_t i = (uint32_t)__builtin_ctz(lanes);
            uint64_t old = 0, now;

            memcpy(&old, m + t->atom->offset[i], t->atom->size);
            now = isa_atom(t->atom->sub, t->atom->type, old, t->atom->b[i],
                           t->atom->c[i]);
            memcpy(m + t->atom->offset[i], &now, t->atom->size);
            t->atom->old[i] = old;
        }
        break;
    }
}

static inline void take_lines(struct bench *b, sim_cycle_t now)
{
    struct mem_line *t;

    while (now >= b->closed && (t = sim_take(&b->l1)) != NULL) {
        assert_true(b->n_lines < MAX_SEEN);
        b->lines[b->n_lines++] = (struct seen){now, *t, NULL};
        serve(b, t);
        b->waiting[b->n_waiting] = t;
        b->answer_at[b->n_waiting++] = now + b->delay;
    }
}

static inline void answer_lines(struct bench *b, sim_cycle_t now)
{
    while (b->n_waiting != 0) {
        uint32_t i = b->newest_first ? b->n_waiting - 1 : 0;

        if (b->answer_at[i] > now) {
            sim_notify_at(&b->due, b->answer_at[i]);
            return;
        }
        if (!sim_out_ready(&b->line)) {
            sim_out_wait(&b->line);
            return;
        }
        sim_send(&b->line, b->waiting[i]);
        b->n_waiting--;
        memmove(&b->waiting[i], &b->waiting[i + 1],
                (b->n_waiting - i) * sizeof(b->waiting[0]));
        memmove(&b->answer_at[i], &b->answer_at[i + 1],
                (b->n_waiting - i) * sizeof(b->answer_at[0]));
    }
}

static inline void come_back(struct bench *b, struct mem_req *r, sim_cycle_t now)
{
    b->back[b->n_back] = r->id;
    b->back_at[r->id] = now;
    b->n_back++;
    if (b->check != NULL) {
        b->check(b, r);
    }
    sim_pool_give(r);
}

static inline void bench_step(void *self)
{
    struct bench *b = self;
    sim_cycle_t now = sim_here(&b->root);
    struct mem_req *r;

    while ((r = sim_take(&b->smem)) != NULL || (r = sim_take(&b->cbank)) != NULL) {
        b->passed[b->n_passed++] = (struct seen){.at = now, .req = r};
        come_back(b, r, now);
    }
    while ((r = sim_take(&b->rsp)) != NULL) {
        come_back(b, r, now);
    }
    take_lines(b, now);
    answer_lines(b, now);
    if (now < b->closed) {
        sim_notify_at(&b->due, b->closed);
    }
    while (b->next < b->n_queue) {
        if (!sim_out_ready(&b->req)) {
            sim_out_wait(&b->req);
            break;
        }
        b->sent_at[b->next] = now;
        sim_send(&b->req, b->queue[b->next++]);
    }
}

static const bool in_step = false;

static inline void set_up_as(struct bench *b, const struct lsu_config *cfg,
                             uint32_t l1_queue, uint32_t cc, uint32_t tags)
{
    memset(b, 0, sizeof(*b));
    b->sim = sim_new();
    b->delay = 30;
    sim_clock_init(&b->clock, b->sim, "sm", 714, 1);
    sim_module_init(&b->root, b->sim, NULL, &b->clock, "bench");
    b->l = lsu_new(&b->root, cfg,
                   &(struct lsu_env){.rules = rules_find(cc),
                                     .sm = 3,
                                     .stats = b->stats,
                                     .in_step = &in_step,
                                     .tags = tags});
    sim_out_init(&b->req, &b->root, "req", &mem_req_proto);
    sim_out_init(&b->line, &b->root, "line", &mem_line_proto);
    sim_in_init(&b->smem, &b->root, "smem", &mem_req_proto, 4);
    sim_in_init(&b->cbank, &b->root, "cbank", &mem_req_proto, 4);
    sim_in_init(&b->l1, &b->root, "l1", &mem_line_proto, l1_queue);
    sim_in_init(&b->rsp, &b->root, "rsp", &mem_req_proto, 4);
    sim_event_init(&b->due, b->sim, &b->clock, "due");
    sim_process_init(&b->step, b->sim, "bench", bench_step, b);
    sim_wake_on(&b->step, &b->due);
    sim_wake_on(&b->step, &b->smem.arrived);
    sim_wake_on(&b->step, &b->cbank.arrived);
    sim_wake_on(&b->step, &b->l1.arrived);
    sim_wake_on(&b->step, &b->rsp.arrived);
    sim_wake_on(&b->step, &b->req.space);
    sim_wake_on(&b->step, &b->line.space);
    sim_bind(&b->req, lsu_req(b->l), 1);
    sim_bind(lsu_smem(b->l), &b->smem, 1);
    sim_bind(lsu_cbank(b->l), &b->cbank, 1);
    sim_bind(lsu_l1(b->l), &b->l1, 1);
    sim_bind(&b->line, lsu_line(b->l), 1);
    sim_bind(lsu_rsp(b->l), &b->rsp, 1);
    sim_pool_init(&b->reqs, b->sim, "mem_req", sizeof(struct mem_req));
}

static inline void set_up(struct bench *b, const struct lsu_config *cfg,
                          uint32_t l1_queue)
{
    set_up_as(b, cfg, l1_queue, 20, 1);
}

/* All requests are queued at once and issued from cycle 1 on as credits allow. */
static inline void run(struct bench *b)
{
    sim_notify_cycles(&b->due, 1);
    assert_int_equal(sim_run(b->sim, SIM_TIME_MAX, 0), SIM_IDLE);
    assert_int_equal(b->n_back, b->n_queue);
    assert_int_equal(sim_live_transactions(b->sim), 0);
}

static inline void tear_down(struct bench *b)
{
    sim_free(b->sim);
}

static const struct lsu_config usual = {.lanes = 16,
                                        .interval = 2,
                                        .queue = 4,
                                        .entries = 8};

static inline struct mem_req *add(struct bench *b, enum isa_space space, enum mem_op op,
                                  uint32_t size, uint32_t vec)
{
    struct mem_req *r = sim_pool_take(&b->reqs);
    struct sim_txn txn = r->txn;

    memset(r, 0, sizeof(*r));
    r->txn = txn;
    r->mask = UINT32_MAX;
    r->op = (uint8_t)op;
    r->space = (uint8_t)space;
    r->size = (uint8_t)size;
    r->vec = (uint8_t)vec;
    r->words = (uint8_t)(vec * (size <= 4 ? 1 : size / 4));
    r->base = MEM_LOCAL_BIT;
    r->id = b->n_queue;
    for (uint32_t i = 0; i < ISA_LANES; i++) {
        r->addr[i] = GLOBAL_AT + (uint64_t)i * size * vec;
    }
    b->queue[b->n_queue++] = r;
    return r;
}

static inline void stride(struct mem_req *r, uint64_t from, uint64_t bytes)
{
    for (uint32_t i = 0; i < ISA_LANES; i++) {
        r->addr[i] = from + i * bytes;
    }
}

static inline uint32_t random32(uint64_t *s)
{
    *s = *s * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(*s >> 33);
}

#endif /* SM_LSU_TEST_H */
