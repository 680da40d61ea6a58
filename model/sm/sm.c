#include "sm/core.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct sim_proto sm_block_proto = {"sm_block", sizeof(struct sm_block)};

/* ---- configuration ---- */

const struct cfg_field sm_fields[SM_N_FIELDS] = {
    CFG_U32(struct sm_config, schedulers, 1, 2, 4, CFG_PLAIN, 0, "warp schedulers"),
    {.name = "scheduler.policy",
     .type = CFG_TYPE_CHOICE,
     .offset = offsetof(struct sm_config, policy),
     .def = 0,
     .choices = policy_names,
     .n_choices = ARRAY_LEN(policy_names),
     .doc = "which ready warp issues"},
    {.name = "scheduler.active",
     .type = CFG_TYPE_U32,
     .offset = offsetof(struct sm_config, two_level_size),
     .min = 1,
     .def = 8,
     .max = 64,
     .doc = "two_level: warps of the inner level"},
    CFG_U32(struct sm_config, issue_interval, 1, 2, 64, CFG_CYCLES, 0,
            "cycles between two instructions of a scheduler"),
    CFG_U32(struct sm_config, max_warps, 1, 48, SM_MAX_WARPS, CFG_PLAIN, 0,
            "resident warps; at most what the capability has"),
    CFG_U32(struct sm_config, max_blocks, 1, 8, 32, CFG_PLAIN, 0,
            "resident blocks; at most what the capability has"),
    CFG_U32(struct sm_config, branch_latency, 1, 18, 256, CFG_CYCLES, 0,
            "control instruction to the warp's next issue"),
    CFG_U32(struct sm_config, barrier_latency, 1, 18, 256, CFG_CYCLES, 0,
            "last arrival to release"),
    CFG_U32(struct sm_config, block_start, 1, 20, 1000, CFG_CYCLES, 0,
            "arrival of a block to its first issue"),
    CFG_U32(struct sm_config, call_depth, 1, 64, 4096, CFG_PLAIN, 0,
            "nested calls of a thread before a fault"),
};

#define PIPE(class, key, t, lat)                                                       \
    {.name = key ".throughput",                                                        \
     .type = CFG_TYPE_U32,                                                             \
     .offset = offsetof(struct sm_pipes, throughput[class]),                           \
     .min = 1,                                                                         \
     .def = (t),                                                                       \
     .max = 1024,                                                                      \
     .doc = "results per SM cycle"},                                                   \
    {                                                                                  \
        .name = key ".latency", .type = CFG_TYPE_U32, .unit = CFG_CYCLES,              \
        .offset = offsetof(struct sm_pipes, latency[class]), .min = 1, .def = (lat),   \
        .max = 500, .doc = "issue to a usable result"                                  \
    }

const struct cfg_field pipe_fields[PIPE_N_FIELDS] = {
    PIPE(PTX_CL_FP32, "fp32", 32, 18),   PIPE(PTX_CL_FP64, "fp64", 4, 22),
    PIPE(PTX_CL_SFU, "sfu", 4, 26),      PIPE(PTX_CL_IADD, "iadd", 32, 18),
    PIPE(PTX_CL_ICMP, "icmp", 32, 18),   PIPE(PTX_CL_IMUL, "imul", 16, 18),
    PIPE(PTX_CL_SHIFT, "shift", 16, 18), PIPE(PTX_CL_LOGIC, "logic", 32, 18),
    PIPE(PTX_CL_CVT8, "cvt8", 16, 18),   PIPE(PTX_CL_CVT64, "cvt64", 4, 22),
    PIPE(PTX_CL_CVT, "cvt", 16, 18),     PIPE(PTX_CL_SHUFFLE, "shuffle", 32, 24),
    PIPE(PTX_CL_VOTE, "vote", 32, 18),   PIPE(PTX_CL_MEM, "mem", 16, 18),
    PIPE(PTX_CL_CTRL, "ctrl", 32, 18),   PIPE(PTX_CL_BAR, "bar", 16, 18),
};

const struct cfg_field onchip_fields[ONCHIP_N_FIELDS] = {
    CFG_U32(struct onchip_config, size, 16384, 65536, 262144, CFG_BYTES, 0,
            "the array that shared memory and L1 divide"),
    CFG_TEXT(struct onchip_config, partition, "48/16",
             "start-up split, shared/L1 in KB; launches may prefer another"),
};

/* ---- probes ---- */

static const char *const state_names[WARP_N_STATES] = {"idle",    "ready",   "operand",
                                                       "memory",  "barrier", "fence",
                                                       "control", "fault"};

static void inst_text(void *ctx, uint64_t value, char *buf, size_t size)
{
    const struct sm *s = ctx;
    uint32_t launch = (uint32_t)(value >> 32);

    if (value == UINT64_MAX) {
        buf[0] = '\0';
        return;
    }
    ptx_disasm(s->shared->launch[launch].module, (uint32_t)value, buf, size);
}

static const struct sim_probe_desc d_state = {
    "state", SIM_PROBE_STATE,     3, state_names, WARP_N_STATES,
    NULL,    "what the warp does"};
static const struct sim_probe_desc d_pc = {"pc", SIM_PROBE_BITS,    32, NULL, 0,
                                           NULL, "next instruction"};
static const struct sim_probe_desc d_active = {
    "active_mask", SIM_PROBE_BITS, 32, NULL, 0, NULL, "lanes that run"};
static const struct sim_probe_desc d_inst = {"inst",    SIM_PROBE_TEXT,    1, NULL, 0,
                                             inst_text, "next instruction"};
static const struct sim_probe_desc d_warp = {"warp", SIM_PROBE_UINT,         6, NULL, 0,
                                             NULL,   "warp that issued last"};
static const struct sim_probe_desc d_issued = {
    "inst", SIM_PROBE_TEXT, 1, NULL, 0, inst_text, "instruction issued last"};
static const struct sim_probe_desc d_issue = {
    "issue", SIM_PROBE_EVENT, 1, NULL, 0, NULL, "an instruction was issued"};
static const struct sim_probe_desc d_arrived = {
    "arrived", SIM_PROBE_LEVEL, 7, NULL, 0, NULL, "warps held at barriers"};
static const struct sim_probe_desc d_release = {
    "release", SIM_PROBE_EVENT, 1, NULL, 0, NULL, "a barrier was completed"};
static const struct sim_probe_desc d_shared_kb = {
    "shared_kb", SIM_PROBE_UINT, 9, NULL, 0, NULL, "share of shared memory"};
static const struct sim_probe_desc d_l1_kb = {"l1_kb", SIM_PROBE_UINT,   9, NULL, 0,
                                              NULL,    "share of the L1"};
static const struct sim_probe_desc d_resident = {"blocks", SIM_PROBE_LEVEL,  6, NULL, 0,
                                                 NULL,     "blocks resident"};

static enum warp_state state_of(const struct warp *w)
{
    if ((w->hold & HOLD_FAULT) != 0) {
        return WARP_FAULT;
    }
    if ((w->hold & HOLD_FREE) != 0) {
        return WARP_IDLE;
    }
    if ((w->hold & HOLD_BARRIER) != 0) {
        return WARP_BARRIER;
    }
    if ((w->hold & HOLD_FENCE) != 0) {
        return WARP_FENCE;
    }
    if ((w->hold & HOLD_CONTROL) != 0) {
        return WARP_CONTROL;
    }
    if ((w->pend_mem & w->need) != 0 || (w->pend_mem_p & w->need_p) != 0) {
        return WARP_MEMORY;
    }
    if ((w->pend & w->need) != 0 || (w->pend_p & w->need_p) != 0) {
        return WARP_OPERAND;
    }
    return WARP_READY;
}

void warp_show(struct sm *s, uint32_t i)
{
    struct warp *w = &s->warp[i];

    sim_probe_set(&w->p_state, state_of(w));
    if ((w->hold & HOLD_FREE) != 0) {
        sim_probe_set(&w->p_active, 0);
        sim_probe_set(&w->p_inst, UINT64_MAX);
        return;
    }
    sim_probe_set(&w->p_pc, w->pc);
    sim_probe_set(&w->p_active, w->active);
    sim_probe_set(&w->p_inst, (uint64_t)w->launch << 32 | w->pc);
}

/* ---- the ring of results under way ---- */

void ring_add(struct sm *s, uint32_t delay, uint32_t warp, uint64_t regs,
              uint32_t preds, uint32_t hold)
{
    uint32_t at = (uint32_t)(sim_here(&s->scope) + delay) & (RING - 1);
    uint16_t i = s->free_node;
    struct node *n = &s->node[i];

    SIM_REQUIRE(s->scope.sim, i != NO_NODE && delay > 0 && delay < RING, "ring_add");
    s->free_node = n->next;
    n->regs = regs;
    n->preds = preds;
    n->hold = hold;
    n->warp = (uint8_t)warp;
    n->next = (s->ring_used[at / 64] >> (at % 64) & 1u) != 0 ? s->ring[at] : NO_NODE;
    s->ring[at] = i;
    s->ring_used[at / 64] |= 1ull << (at % 64);
}

static void ring_drain(struct sm *s, sim_cycle_t now)
{
    uint32_t at = (uint32_t)now & (RING - 1);
    uint16_t i = s->ring[at];

    if ((s->ring_used[at / 64] >> (at % 64) & 1u) == 0) {
        return;
    }
    s->ring_used[at / 64] &= ~(1ull << (at % 64));
    while (i != NO_NODE) {
        struct node *n = &s->node[i];
        struct warp *w = &s->warp[n->warp];
        uint16_t next = n->next;

        w->pend &= ~n->regs;
        w->pend_p &= ~n->preds;
        w->hold &= ~n->hold;
        warp_changed(s, n->warp);
        n->next = s->free_node;
        s->free_node = i;
        i = next;
    }
}

void ring_forget(struct sm *s, uint32_t warp)
{
    for (uint32_t word = 0; word < RING_WORDS; word++) {
        for (uint64_t m = s->ring_used[word]; m != 0; m &= m - 1) {
            uint16_t i = s->ring[word * 64 + (uint32_t)__builtin_ctzll(m)];

            for (; i != NO_NODE; i = s->node[i].next) {
                struct node *n = &s->node[i];

                if (n->warp == warp) {
                    n->regs = 0;
                    n->preds = n->hold = 0;
                }
            }
        }
    }
}

/* The next cycle at which something is released, 0 if nothing is under way. */
static sim_cycle_t ring_next(const struct sm *s, sim_cycle_t now)
{
    uint32_t from = (uint32_t)(now + 1) & (RING - 1);
    uint32_t word = from / 64;
    uint64_t bits = s->ring_used[word] & UINT64_MAX << (from % 64);

    for (uint32_t k = 0; k <= RING_WORDS; k++) {
        if (bits != 0) {
            uint32_t at = word * 64 + (uint32_t)__builtin_ctzll(bits);

            return now + 1 + ((at - from) & (RING - 1));
        }
        word = (word + 1) % RING_WORDS;
        bits = s->ring_used[word];
    }
    return 0;
}

/* ---- warps ---- */

/* realloc() that keeps n bytes and zeroes the rest. */
static void *grow(void *p, size_t n, size_t want)
{
    char *grown = realloc(p, want);

    if (grown == NULL) {
        abort(); /* as the arena does when the host is out of memory */
    }
    memset(grown + n, 0, want - n);
    return grown;
}

void warp_reserve(struct sm *s, uint32_t i, uint32_t slots, uint32_t preds)
{
    struct warp *w = &s->warp[i];
    size_t row = PTX_LANES * sizeof(w->reg[0]);

    if (slots > w->n_slots) {
        w->reg = grow(w->reg, w->n_slots * row, slots * row);
        w->n_slots = slots;
    }
    if (preds > w->n_preds) {
        w->pred =
            grow(w->pred, w->n_preds * sizeof(w->pred[0]), preds * sizeof(w->pred[0]));
        w->n_preds = preds;
    }
}

void warp_fetch(struct sm *s, uint32_t i)
{
    struct warp *w = &s->warp[i];
    const struct simt_entry *top;

    if (w->simt.n == 0) {
        w->hold |= HOLD_FREE;
        w->active = 0;
        s->of_class[w->class] &= ~(1ull << i);
        return;
    }
    top = simt_top(&w->simt);
    w->active = top->mask;
    w->lanes.r = w->reg + (size_t)top->slot * PTX_LANES;
    w->lanes.p = w->pred + top->pred;
    warp_head(s, i, top->pc, &s->shared->launch[w->launch].module->uops[top->pc]);
}

void sm_raise_fault(struct sm *s, uint32_t warp, uint32_t lane, const char *fmt, ...)
{
    struct warp *w = &s->warp[warp];
    const struct sm_launch *l = &s->shared->launch[w->launch];
    struct sm_fault f;
    va_list ap;

    memset(&f, 0, sizeof(f));
    f.module = l->module;
    f.kernel = l->kernel;
    f.pc = w->pc;
    f.lane = lane;
    f.warp = warp;
    f.launch = w->launch;
    f.cycle = sim_here(&s->scope);
    memcpy(f.ctaid, w->env.ctaid, sizeof(f.ctaid));
    for (uint32_t d = 0; d < 3; d++) {
        f.tid[d] = w->env.tid[d][lane];
    }
    va_start(ap, fmt);
    (void)vsnprintf(f.text, sizeof(f.text), fmt, ap);
    va_end(ap);
    w->hold |= HOLD_FAULT;
    if (sim_heard(&s->shared->fault)) {
        sim_raise(&s->shared->fault, &s->scope, &f, sizeof(f));
    }
}

/* ---- the step ---- */

/* Warps whose pipe cannot take an instruction now; *free_at: the earliest cycle at which
 * one of those pipes can. */
static uint64_t pipes_blocked(struct sm *s, sim_cycle_t now, sim_cycle_t *free_at)
{
    uint64_t limit = (now + s->cfg.sm.issue_interval) * 16;
    uint64_t blocked = 0;

    for (uint32_t m = s->busy; m != 0; m &= m - 1) {
        uint32_t c = (uint32_t)__builtin_ctz(m);

        if (s->pipe_free_x16[c] < limit) {
            s->busy &= ~(1u << c);
        } else if ((s->of_class[c] & s->ready) != 0) {
            sim_cycle_t at = s->pipe_free_x16[c] / 16 + 1 - s->cfg.sm.issue_interval;

            blocked |= s->of_class[c];
            *free_at = *free_at == 0 || at < *free_at ? at : *free_at;
        }
    }
    if ((s->of_class[PTX_CL_MEM] & s->ready & ~blocked) != 0 &&
        !sim_out_ready(&s->to_lsu)) {
        blocked |= s->of_class[PTX_CL_MEM];
        sim_out_wait(&s->to_lsu);
    }
    return blocked;
}

/* Warps that will not be ready soon, for the two-level policy. */
static uint64_t waiting_warps(const struct sm *s)
{
    uint64_t waiting = 0;

    for (uint32_t i = 0; i < s->n_warps; i++) {
        const struct warp *w = &s->warp[i];
        bool far = (w->hold & (HOLD_FREE | HOLD_BARRIER | HOLD_FENCE)) != 0 ||
                   (w->pend_mem & w->need) != 0;

        waiting |= (uint64_t)far << i;
    }
    return waiting;
}

static void issue_from(struct sm *s, struct scheduler *d, uint64_t ready)
{
    uint64_t waiting = 0;
    uint32_t i;

    if (UNLIKELY(s->cfg.sm.policy == 3)) {
        waiting = waiting_warps(s);
    }
    i = s->pick(&d->s, ready, waiting);
    d->s.last = i;
    sim_probe_set(&d->p_warp, i);
    sim_probe_set(&d->p_inst, (uint64_t)s->warp[i].launch << 32 | s->warp[i].pc);
    sim_probe_fire(&d->p_issue);
    d->next_at = sim_here(&s->scope) + s->cfg.sm.issue_interval;
    issue(s, i);
}

static void take_answers(struct sm *s)
{
    struct mem_req *r;

    while ((r = sim_take(&s->from_smem)) != NULL) {
        access_done(s, r);
    }
    while ((r = sim_take(&s->from_lsu)) != NULL) {
        access_done(s, r);
    }
    while ((r = sim_take(&s->from_cbank)) != NULL) {
        access_done(s, r);
    }
}

static void take_blocks(struct sm *s)
{
    struct sm_block *b = sim_peek(&s->blocks);

    if (b == NULL || s->full) {
        return;
    }
    s->full = !block_start(s, b);
    if (!s->full) {
        (void)sim_take(&s->blocks);
    }
}

/* Let every scheduler that may issue do so; returns when the next one may. */
static sim_cycle_t issue_all(struct sm *s, sim_cycle_t now)
{
    uint32_t first = s->turn; /* who did not get a shared pipe comes first next time */
    sim_cycle_t next = 0;

    for (uint32_t k = 0; k < s->n_scheds && s->ready != 0; k++) {
        uint32_t j = first + k < s->n_scheds ? first + k : first + k - s->n_scheds;
        struct scheduler *d = &s->sched[j];
        sim_cycle_t free_at = 0;
        sim_cycle_t at = d->next_at;
        uint64_t ready;

        if ((s->ready & d->s.own) == 0) {
            continue;
        }
        if (d->next_at <= now) {
            ready = s->ready & d->s.own & ~pipes_blocked(s, now, &free_at);
            if (ready != 0) {
                issue_from(s, d, ready);
                s->turn = j + 1 == s->n_scheds ? 0 : j + 1;
                at = d->next_at;
            } else if (free_at > now) {
                at = free_at;
            } else {
                continue; /* only a credit is missing: to_lsu.space wakes us */
            }
        }
        if ((s->ready & d->s.own) != 0) {
            next = next == 0 || at < next ? at : next;
        }
    }
    return next;
}

/* Woken by answers, blocks, wake and to_lsu.space. */
static void sm_step(void *self)
{
    struct sm *s = self;
    sim_cycle_t now = sim_here(&s->scope);
    sim_cycle_t next, drain;

    ring_drain(s, now);
    take_answers(s);
    take_blocks(s);
    next = issue_all(s, now);
    drain = ring_next(s, now);
    if (drain != 0 && (next == 0 || drain < next)) {
        next = drain;
    }
    if (!s->full && s->blocks.head != NULL && s->blocks.head->ready <= now &&
        (next == 0 || now + 1 < next)) {
        next = now + 1; /* one block per cycle */
    }
    if (next != 0) {
        sim_notify_at(&s->wake, next);
    }
}

/* ---- construction ---- */

static void name_numbered(char *buf, const char *stem, uint32_t i, uint32_t digits)
{
    size_t n = strlen(stem);

    memcpy(buf, stem, n);
    for (uint32_t d = digits; d > 0; d--, i /= 10) {
        buf[n + d - 1] = (char)('0' + i % 10);
    }
    buf[n + digits] = '\0';
}

static void new_schedulers(struct sm *s)
{
    s->sched = sim_alloc(s->scope.sim, s->n_scheds * sizeof(s->sched[0]));
    for (uint32_t j = 0; j < s->n_scheds; j++) {
        struct scheduler *d = &s->sched[j];
        char name[16];

        name_numbered(name, "sched", j, 1);
        sim_module_init(&d->scope, s->scope.sim, &s->scope, NULL, name);
        sim_probe_init(&d->p_warp, &d->scope, &d_warp, NULL, 0);
        sim_probe_init(&d->p_inst, &d->scope, &d_issued, s, UINT64_MAX);
        sim_probe_init(&d->p_issue, &d->scope, &d_issue, NULL, 0);
        d->s.n_active = s->cfg.sm.two_level_size;
        d->s.age = s->age;
        for (uint32_t i = j; i < s->n_warps; i += s->n_scheds) {
            d->s.own |= 1ull << i;
        }
        d->s.last = j;
    }
}

static void new_warps(struct sm *s)
{
    s->warp = sim_alloc(s->scope.sim, s->n_warps * sizeof(s->warp[0]));
    for (uint32_t i = 0; i < s->n_warps; i++) {
        struct warp *w = &s->warp[i];
        char name[16];

        w->hold = HOLD_FREE;
        name_numbered(name, "warp", i, 2);
        sim_module_init(&w->scope, s->scope.sim, &s->scope, NULL, name);
        sim_probe_init(&w->p_state, &w->scope, &d_state, NULL, WARP_IDLE);
        sim_probe_init(&w->p_pc, &w->scope, &d_pc, NULL, 0);
        sim_probe_init(&w->p_active, &w->scope, &d_active, NULL, 0);
        sim_probe_init(&w->p_inst, &w->scope, &d_inst, s, UINT64_MAX);
    }
    s->free_warps = s->n_warps == 64 ? UINT64_MAX : (1ull << s->n_warps) - 1;
}

static void new_ring(struct sm *s)
{
    /* at most one result per issue slot and latency, and one hold per warp */
    uint32_t n = RING * s->n_scheds + 2 * s->n_warps;

    n = n < NO_NODE ? n : NO_NODE - 1;
    s->node = sim_alloc(s->scope.sim, n * sizeof(s->node[0]));
    for (uint32_t i = 0; i < n; i++) {
        s->node[i].next = (uint16_t)(i + 1 < n ? i + 1 : NO_NODE);
    }
}

/* Ports between the parts. The hops of an answered request: SM to LSU, LSU to unit, unit
 * to SM (and crossbar to banks for shared memory). */
enum { HOPS_SMEM = 4, HOPS_CBANK = 3, HOPS_L1 = 3 };

static void new_parts(struct sm *s, uint32_t smem_bytes, uint32_t l1_bytes)
{
    const struct sm_parts *c = &s->cfg;
    uint32_t tags = c->l1.latency > HOPS_L1 ? c->l1.latency - HOPS_L1 : 1;

    struct lsu_env lsu = {s->shared->rules, s->index, s->stats, &s->shared->planned};
    struct smem_env smem = {s->shared->rules, smem_bytes, HOPS_SMEM,
                            s->index,         s->stats,   &s->shared->planned};

    s->lsu = lsu_new(&s->scope, &c->lsu, &lsu);
    s->smem = smem_new(&s->scope, &c->smem, &smem);
    s->cbank = cbank_new(&s->scope, &c->cbank, HOPS_CBANK, s->stats);
    s->l1 = l1_new(&s->scope, &c->l1, s->shared->rules, l1_bytes, s->index, s->stats);
    sim_bind(&s->to_lsu, lsu_req(s->lsu), 1);
    sim_bind(lsu_smem(s->lsu), smem_req(s->smem), 1);
    sim_bind(lsu_cbank(s->lsu), cbank_req(s->cbank), 1);
    sim_bind(lsu_l1(s->lsu), l1_req(s->l1), tags);
    sim_bind(l1_rsp(s->l1), lsu_line(s->lsu), 1);
    sim_bind(smem_rsp(s->smem), &s->from_smem, 1);
    sim_bind(cbank_rsp(s->cbank), &s->from_cbank, 1);
    sim_bind(lsu_rsp(s->lsu), &s->from_lsu, 1);
    sim_module_init(&s->onchip, s->scope.sim, &s->scope, NULL, "onchip");
    sim_probe_init(&s->p_shared_kb, &s->onchip, &d_shared_kb, NULL, 0);
    sim_probe_init(&s->p_l1_kb, &s->onchip, &d_l1_kb, NULL, 0);
    sim_module_init(&s->barriers, s->scope.sim, &s->scope, NULL, "barrier");
    sim_probe_init(&s->p_arrived, &s->barriers, &d_arrived, NULL, 0);
    sim_probe_init(&s->p_release, &s->barriers, &d_release, NULL, 0);
}

static void new_ports(struct sm *s)
{
    struct sim *sim = s->scope.sim;
    const struct smem_config *m = &s->cfg.smem;
    uint32_t longest = m->latency + m->conflict_latency + 31 * m->way_latency;
    uint32_t under_way =
        (longest > m->atom_latency ? longest : m->atom_latency) / m->interval + 8;

    sim_in_init(&s->blocks, &s->scope, "blocks", &sm_block_proto, 2);
    sim_in_init(&s->from_smem, &s->scope, "from_smem", &mem_req_proto, under_way);
    sim_in_init(&s->from_cbank, &s->scope, "from_cbank", &mem_req_proto,
                s->cfg.cbank.latency / s->cfg.cbank.interval + 8);
    sim_in_init(&s->from_lsu, &s->scope, "from_lsu", &mem_req_proto, 4);
    sim_out_init(&s->done, &s->scope, "done", &sm_block_proto);
    sim_out_init(&s->to_lsu, &s->scope, "to_lsu", &mem_req_proto);
    sim_event_init(&s->wake, sim, s->scope.clock, "wake");
    sim_process_init(&s->step, sim, s->scope.name, sm_step, s);
    sim_wake_on(&s->step, &s->blocks.arrived);
    sim_wake_on(&s->step, &s->from_smem.arrived);
    sim_wake_on(&s->step, &s->from_cbank.arrived);
    sim_wake_on(&s->step, &s->from_lsu.arrived);
    sim_wake_on(&s->step, &s->wake);
    sim_wake_on(&s->step, &s->to_lsu.space);
}

struct sm *sm_new(struct sim_module *parent, struct sim_clock *clock, uint32_t index,
                  const struct sm_parts *cfg, struct sm_shared *shared,
                  uint32_t array_shared_bytes, uint32_t array_l1_bytes)
{
    struct sim *sim = parent->sim;
    struct sm *s = sim_alloc(sim, sizeof(*s));
    char name[16];

    s->cfg = *cfg;
    s->shared = shared;
    s->index = index;
    s->pick = policy_table[cfg->sm.policy].pick;
    s->n_warps = cfg->sm.max_warps;
    s->n_scheds = cfg->sm.schedulers;
    s->n_slots = cfg->sm.max_blocks;
    s->stats = sim_alloc(sim, shared->max_launches * sizeof(s->stats[0]));
    s->block = sim_alloc(sim, s->n_slots * sizeof(s->block[0]));
    s->age = sim_alloc(sim, s->n_warps * sizeof(s->age[0]));
    s->n_units = array_shared_bytes / shared->rules->shared_unit;
    s->shared_map = sim_alloc(sim, s->n_units);
    name_numbered(name, "sm", index, index > 99 ? 3 : index > 9 ? 2 : 1);
    sim_module_init(&s->scope, sim, parent, clock, name);
    sim_probe_init(&s->p_resident, &s->scope, &d_resident, NULL, 0);
    for (uint32_t c = 0; c < PTX_N_CLASSES; c++) {
        s->cost_x16[c] =
            (PTX_LANES * 16 + cfg->pipes.throughput[c] - 1) / cfg->pipes.throughput[c];
    }
    new_schedulers(s);
    new_warps(s);
    new_ring(s);
    sim_pool_init(&s->reqs, sim, "mem_req", sizeof(struct mem_req));
    new_ports(s);
    new_parts(s, array_shared_bytes, array_l1_bytes);
    return s;
}

void sm_free(struct sm *s)
{
    for (uint32_t i = 0; i < s->n_warps; i++) {
        free(s->warp[i].reg);
        free(s->warp[i].pred);
        free(s->warp[i].call);
        simt_free(&s->warp[i].simt);
    }
}

struct sim_in *sm_blocks(struct sm *s)
{
    return &s->blocks;
}

struct sim_out *sm_done(struct sm *s)
{
    return &s->done;
}

struct sim_out *sm_down(struct sm *s)
{
    return l1_down(s->l1);
}

struct sim_in *sm_up(struct sm *s)
{
    return l1_up(s->l1);
}

struct sim_module *sm_scope(struct sm *s)
{
    return &s->scope;
}

void sm_begin(struct sm *s, uint32_t launch)
{
    const struct ptx_module *m = s->shared->launch[launch].module;

    memset(&s->stats[launch], 0, sizeof(s->stats[launch]));
    cbank_image(s->cbank, launch, m->const_image, m->const_bytes);
    l1_invalidate(s->l1);
}

void sm_split(struct sm *s, uint32_t shared_kb, uint32_t l1_kb)
{
    SIM_REQUIRE(s->scope.sim, s->n_resident == 0, "sm_split");
    s->split_shared_kb = shared_kb;
    s->split_l1_kb = l1_kb;
    l1_resize(s->l1, l1_kb * 1024);
    sim_probe_set(&s->p_shared_kb, shared_kb);
    sim_probe_set(&s->p_l1_kb, l1_kb);
}

const struct stat_counters *sm_counters(const struct sm *s, uint32_t launch)
{
    return &s->stats[launch];
}

void sm_report_waiting(const struct sm *s, void (*line)(void *ctx, const char *text),
                       void *ctx)
{
    for (uint32_t i = 0; i < s->n_warps; i++) {
        const struct warp *w = &s->warp[i];
        const struct ptx_module *m = s->shared->launch[w->launch].module;
        /* a warp at a barrier has issued it and stands behind it */
        const uint32_t pc = w->pc - ((w->hold & HOLD_BARRIER) != 0);
        char source[32] = "";
        char inst[96];
        char text[320];

        if ((w->hold & HOLD_FREE) != 0) {
            continue;
        }
        ptx_disasm(m, pc, inst, sizeof(inst));
        if (m->uops[pc].src_line != 0) {
            (void)snprintf(source, sizeof(source), ", source line %u",
                           m->uops[pc].src_line);
        }
        (void)snprintf(
            text, sizeof(text),
            "%s warp %u, block (%u,%u,%u), threads %u to %u, lanes %08x: %s at "
            "\"%s\" (PTX line %u%s)",
            s->scope.name, i, w->env.ctaid[0], w->env.ctaid[1], w->env.ctaid[2],
            w->thread0, w->thread0 + PTX_LANES - 1, w->active, state_names[state_of(w)],
            inst, m->uops[pc].line, source);
        line(ctx, text);
    }
}
