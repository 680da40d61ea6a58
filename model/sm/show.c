#include "sm/show.h"

#include <string.h>

static const char *const state_names[WARP_N_STATES] = {
    "idle",     "ready",   "operand", "shared",  "shared_conflict", "global", "local",
    "constant", "barrier", "fence",   "control", "fault",           "async",  "issue"};

/* Append n characters of s to the text in buf of size bytes, as far as they fit. */
static void append(char *buf, size_t size, size_t *used, const char *s, size_t n)
{
    const size_t room = size - 1 - *used;

    n = n < room ? n : room;
    memcpy(buf + *used, s, n);
    *used += n;
    buf[*used] = '\0';
}

static void inst_text(void *ctx, uint64_t value, char *buf, size_t size)
{
    const struct sm *s = ctx;
    const char *text = "";
    size_t used = 0;

    if (value != UINT64_MAX) {
        text = ptx_disasm_kept(s->shared->launch[value >> 32].module, (uint32_t)value);
    }
    append(buf, size, &used, text, strlen(text));
}

/* "reverse.cu:17"; the line of the PTX where no other is known. By hand: a waveform
 * asks with each instruction. */
static void line_text(void *ctx, uint64_t value, char *buf, size_t size)
{
    const struct sm *s = ctx;
    const struct ptx_module *m;
    const struct isa_uop *u;
    const char *file = "ptx", *slash;
    char line[11]; /* a colon and the digits */
    size_t used = 0, k = sizeof(line);
    uint32_t n;

    buf[0] = '\0';
    if (value == UINT64_MAX) {
        return;
    }
    m = s->shared->launch[value >> 32].module;
    u = &m->uops[(uint32_t)value];
    if (u->src_line != 0 && u->src_file < m->n_files) {
        file = m->files[u->src_file];
        slash = strrchr(file, '/');
        file = slash != NULL ? slash + 1 : file;
    }
    for (n = u->src_line != 0 ? u->src_line : u->line; n >= 10; n /= 10) {
        line[--k] = (char)('0' + n % 10);
    }
    line[--k] = (char)('0' + n);
    line[--k] = ':';
    append(buf, size, &used, file, strlen(file));
    append(buf, size, &used, line + k, sizeof(line) - k);
}

static const struct sim_probe_desc d_state = {
    .name = "state",
    .kind = SIM_PROBE_STATE,
    .width = 4,
    .names = state_names,
    .n_names = WARP_N_STATES,
    .doc = "what the warp does",
    .views = "scheduler,pipeline,warp",
};
static const struct sim_probe_desc d_issues = {
    .name = "issues",
    .kind = SIM_PROBE_EVENT,
    .doc = "an instruction of it was issued",
};
static const struct sim_probe_desc d_pc = {
    .name = "pc",
    .kind = SIM_PROBE_BITS,
    .width = 32,
    .doc = "next instruction",
    .role = SIM_ROLE_PC,
    .views = "scheduler,pipeline,warp",
};
static const struct sim_probe_desc d_active = {
    .name = "active_mask",
    .kind = SIM_PROBE_BITS,
    .width = 32,
    .doc = "lanes that run",
    .views = "scheduler,warp",
};
static const struct sim_probe_desc d_inst = {
    .name = "inst",
    .kind = SIM_PROBE_TEXT,
    .text = inst_text,
    .doc = "next instruction",
    .views = "scheduler,warp",
};
static const struct sim_probe_desc d_warp = {
    .name = "warp",
    .kind = SIM_PROBE_UINT,
    .width = 6,
    .doc = "warp that issued last",
    .views = "scheduler,warp",
};
static const struct sim_probe_desc d_issued = {
    .name = "inst",
    .kind = SIM_PROBE_TEXT,
    .text = inst_text,
    .doc = "instruction issued last",
    .views = "banks,scheduler,pipeline,coalescer,warp,bank",
};
static const struct sim_probe_desc d_line = {
    .name = "line",
    .kind = SIM_PROBE_TEXT,
    .text = line_text,
    .doc = "source line of that instruction",
    .views = "scheduler,pipeline",
};
static const struct sim_probe_desc d_issue = {
    .name = "issue",
    .kind = SIM_PROBE_EVENT,
    .doc = "an instruction was issued",
    .views = "scheduler",
};
static const struct sim_probe_desc d_second = {
    .name = "second",
    .kind = SIM_PROBE_TEXT,
    .text = inst_text,
    .doc = "instruction issued with it",
    .views = "banks,scheduler,coalescer,bank",
};
static const struct sim_probe_desc d_arrived = {
    .name = "arrived",
    .kind = SIM_PROBE_LEVEL,
    .width = 7,
    .doc = "warps held at barriers",
    .unit = "warps",
    .views = "scheduler,warp",
};
static const struct sim_probe_desc d_release = {
    .name = "release",
    .kind = SIM_PROBE_EVENT,
    .doc = "a barrier was completed",
    .views = "banks,scheduler,pipeline,warp",
};
static const struct sim_probe_desc d_shared_kb = {
    .name = "shared_kb",
    .kind = SIM_PROBE_UINT,
    .width = 9,
    .doc = "share of shared memory",
    .unit = "KiB",
    .views = "memory",
};
static const struct sim_probe_desc d_l1_kb = {
    .name = "l1_kb",
    .kind = SIM_PROBE_UINT,
    .width = 9,
    .doc = "share of the L1",
    .sizes = "l1",
    .unit = "KiB",
    .views = "memory",
};
static const struct sim_probe_desc d_resident = {
    .name = "blocks",
    .kind = SIM_PROBE_LEVEL,
    .width = 6,
    .doc = "blocks resident",
    .unit = "blocks",
    .views = "scheduler",
};

static const struct sim_probe_desc d_warps = {
    .name = "active_warps",
    .kind = SIM_PROBE_LEVEL,
    .width = 7,
    .doc = "warps that have not exited",
    .unit = "warps",
    .views = "scheduler",
};
static const struct sim_probe_desc d_insts = {
    .name = "insts_per_64",
    .kind = SIM_PROBE_RATE,
    .width = 10,
    .doc = "instructions issued in 64 cycles",
    .role = SIM_ROLE_PER_CYCLE,
    .label = "IPC of 64",
    .unit = "instructions",
    .views = "scheduler",
};

static const struct sim_probe_desc d_copies = {
    .name = "copies",
    .kind = SIM_PROBE_LEVEL,
    .width = 12,
    .doc = "asynchronous copies under way, instructions of warps",
    .unit = "copies",
    .views = "memory,warp",
};
static const struct sim_probe_desc d_groups = {
    .name = "groups",
    .kind = SIM_PROBE_LEVEL,
    .width = 8,
    .doc = "groups of copies under way, of the thread that has most",
    .unit = "groups",
    .views = "memory,warp",
};
static const struct sim_probe_desc d_phase = {
    .name = "phase",
    .kind = SIM_PROBE_EVENT,
    .doc = "a phase of an mbarrier has ended",
    .views = "memory,warp",
};

const char *warp_state_name(enum warp_state state)
{
    return state_names[state];
}

enum warp_state warp_state(const struct warp *w)
{
    if ((w->hold & HOLD_FAULT) != 0) {
        return WARP_FAULT;
    }
    if ((w->hold & HOLD_FREE) != 0) {
        return WARP_IDLE;
    }
    if ((w->hold & (HOLD_BARRIER | HOLD_CLUSTER)) != 0) {
        return WARP_BARRIER;
    }
    if ((w->hold & (HOLD_OWN | HOLD_FENCE_TIME)) != 0) {
        return WARP_FENCE;
    }
    if ((w->hold & (HOLD_ASYNC | HOLD_PRODUCT | HOLD_BULK)) != 0) {
        return WARP_ASYNC;
    }
    if ((w->hold & (HOLD_CONTROL | HOLD_FETCH)) != 0) {
        return WARP_CONTROL;
    }
    switch (warp_memory_stall(w)) {
    case STALL_LONG:
        return (w->pend_local & w->need) == (w->pend_mem & w->need) ? WARP_LOCAL
                                                                    : WARP_GLOBAL;
    case STALL_SHORT: return WARP_SHARED;
    case STALL_IMC_MISS: return WARP_CONSTANT;
    default: break;
    }
    if ((w->pend & w->need) != 0 || (w->pend_p & w->need_p) != 0) {
        return WARP_OPERAND;
    }
    return WARP_READY;
}

/* What the waveform shows: more than reports of who waits for whom ask. */
static enum warp_state shown_state(const struct sm *s, const struct warp *w)
{
    enum warp_state state = warp_state(w);

    if (state == WARP_SHARED && w->near != NULL &&
        smem_conflicts(s->shared->rules, w->near)) {
        return WARP_SHARED_CONFLICT;
    }
    return state;
}

bool show_is_watched(const struct sm *s)
{
    bool watched = s->p_insts.watched;

    for (uint32_t j = 0; j < s->n_scheds; j++) {
        watched |= s->sched[j].scope.watched;
    }
    for (uint32_t i = 0; i < s->warps.n; i++) {
        watched |= s->warps.warp[i].scope.watched;
    }
    return watched;
}

void warp_show(struct sm *s, uint32_t i)
{
    struct warp *w = &s->warps.warp[i];
    bool runs = (w->hold & HOLD_FREE) == 0;

    sim_probe_set(&w->p_state, shown_state(s, w));
    sim_probe_set(&w->p_pc, w->pc);
    sim_probe_set(&w->p_active, runs ? w->active : 0);
    sim_probe_set(&w->p_inst, runs ? (uint64_t)w->launch << 32 | w->pc : UINT64_MAX);
}

/* The same between steps. */
static void settle_and_show(void *ctx)
{
    struct warp *w = ctx;
    struct warps *ws = &w->sm->warps;
    uint32_t i = (uint32_t)(w - ws->warp);

    ws->now = sim_cycle(w->sm->clock);
    warp_settle(ws, w, i);
    warp_show(w->sm, i);
}

static uint32_t live_warps(const struct sm *s)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->n_slots; i++) {
        n += s->block[i].txn != NULL ? s->block[i].n_live : 0;
    }
    return n;
}

static void show_blocks(void *ctx)
{
    struct sm *s = ctx;

    sim_probe_set(&s->p_resident, s->n_resident);
    if (SIM_WATCHED(s->p_warps)) {
        sim_probe_set(&s->p_warps, live_warps(s));
    }
    sim_probe_set(&s->p_insts, s->n_shown);
}

void show_occupancy(struct sm *s)
{
    if (SIM_WATCHED(s->scope)) {
        show_blocks(s);
    }
}

/* What it issued last. Once the warp is another's, no more than the probes is left of
 * it. What was issued with it is set wherever it changes. */
static void show_last(void *ctx)
{
    struct scheduler *d = ctx;
    struct sm *s = d->sm;
    const struct slot *o = &s->slot[d - s->sched];
    const struct warp *w = &s->warps.warp[o->s.last];
    uint64_t inst;

    if (o->issued == NULL) {
        return;
    }
    inst = (uint64_t)w->launch << 32 |
           (uint32_t)(o->issued - s->shared->launch[w->launch].module->uops);
    sim_probe_set(&d->p_warp, o->s.last);
    sim_probe_set(&d->p_inst, inst);
    sim_probe_set(&d->p_line, inst);
}

void show_issue(struct sm *s, struct scheduler *d, uint32_t i)
{
    show_last(d);
    sim_probe_fire(&d->p_issue);
    sim_probe_fire(&s->warps.warp[i].p_issues);
    show_count(s, i);
}

uint32_t show_insts(const struct isa_uop *u)
{
    return !u->part + (u->kind == ISA_K_SEQ ? u->seq->insts - 1u : 0);
}

void show_count(struct sm *s, uint32_t i)
{
    s->n_shown += show_insts(s->warps.warp[i].head);
    sim_probe_set(&s->p_insts, s->n_shown);
}

void show_answer(struct sm *s, const struct mem_req *r)
{
    struct sm_executed x = {.block = r->block,
                            .cycle = s->warps.now,
                            .pc = r->pc,
                            .launch = r->launch,
                            .warp = r->warp,
                            .answer = true};

    memcpy(x.at, r->at, sizeof(x.at));
    memcpy(x.seen, r->seen, sizeof(x.seen));
    if (sim_heard(&s->shared->executed) && r->op != MEM_DRAIN) {
        sim_raise(&s->shared->executed, &s->scope, &x, sizeof(x));
    }
}

void show_forget(struct sm *s, uint32_t i)
{
    uint32_t j = i % s->n_scheds;

    if (SIM_PROBES && s->slot[j].s.last == i) {
        show_last(&s->sched[j]);
        s->slot[j].issued = NULL;
    }
}

static void show_sizes(void *ctx)
{
    struct sm *s = ctx;

    sim_probe_set(&s->p_shared_kb, s->split_shared_kb);
    sim_probe_set(&s->p_l1_kb, s->split_l1_kb);
}

void show_split(struct sm *s)
{
    show_sizes(s);
}

static void show_waiting(void *ctx)
{
    struct sm *s = ctx;

    sim_probe_set(&s->p_arrived, barrier_n_waiting(s));
}

void show_barriers(struct sm *s)
{
    if (s->untimed == NULL && SIM_WATCHED(s->barriers)) {
        show_waiting(s);
    }
}

static void show_copies(void *ctx)
{
    struct sm *s = ctx;
    uint32_t most = 0;

    for (uint32_t i = 0; i < s->warps.n && s->n_copies != 0; i++) {
        const struct async *a = s->warps.warp[i].async;
        uint32_t n = a == NULL ? 0 : async_groups(a);

        most = n > most ? n : most;
    }
    sim_probe_set(&s->p_copies, s->n_copies);
    sim_probe_set(&s->p_groups, most);
}

void show_async(struct sm *s)
{
    if (s->untimed == NULL && SIM_WATCHED(s->copying)) {
        show_copies(s);
    }
}

void show_phase(struct sm *s)
{
    if (s->shared->rules->cc >= 80) {
        sim_probe_fire(&s->p_phase);
    }
}

/* ---- who shows what ---- */

void show_sm(struct sm *s)
{
    sim_probe_init(&s->p_resident, &s->scope, &d_resident, NULL, 0);
    sim_probe_init(&s->p_warps, &s->scope, &d_warps, NULL, 0);
    sim_probe_init(&s->p_insts, &s->scope, &d_insts, NULL, 0);
    sim_module_shows(&s->scope, show_blocks, s);
    sim_module_looks(&s->scope, &s->looked);
}

void show_onchip(struct sm *s)
{
    sim_module_init(&s->onchip, s->scope.sim, &s->scope, NULL, "onchip");
    sim_probe_init(&s->p_shared_kb, &s->onchip, &d_shared_kb, NULL, 0);
    sim_probe_init(&s->p_l1_kb, &s->onchip, &d_l1_kb, NULL, 0);
    sim_module_shows(&s->onchip, show_sizes, s);
    sim_module_init(&s->barriers, s->scope.sim, &s->scope, NULL, "barrier");
    sim_probe_init(&s->p_arrived, &s->barriers, &d_arrived, NULL, 0);
    sim_probe_init(&s->p_release, &s->barriers, &d_release, NULL, 0);
    sim_module_shows(&s->barriers, show_waiting, s);
    if (s->shared->rules->cc >= 80) {
        sim_module_init(&s->copying, s->scope.sim, &s->scope, NULL, "async");
        sim_probe_init(&s->p_copies, &s->copying, &d_copies, NULL, 0);
        sim_probe_init(&s->p_groups, &s->copying, &d_groups, NULL, 0);
        sim_probe_init(&s->p_phase, &s->copying, &d_phase, NULL, 0);
        sim_module_shows(&s->copying, show_copies, s);
    }
}

void show_scheduler(struct sm *s, struct scheduler *d)
{
    d->sm = s;
    sim_module_shows(&d->scope, show_last, d);
    sim_module_looks(&d->scope, &s->looked);
    sim_probe_init(&d->p_warp, &d->scope, &d_warp, NULL, 0);
    sim_probe_init(&d->p_inst, &d->scope, &d_issued, s, UINT64_MAX);
    sim_probe_init(&d->p_line, &d->scope, &d_line, s, UINT64_MAX);
    sim_probe_init(&d->p_issue, &d->scope, &d_issue, NULL, 0);
    if (s->cfg.sm.issue_width > 1) {
        sim_probe_init(&d->p_second, &d->scope, &d_second, s, UINT64_MAX);
    }
}

void show_warp(struct sm *s, struct warp *w)
{
    w->sm = s;
    sim_module_shows(&w->scope, settle_and_show, w);
    sim_module_looks(&w->scope, &s->looked);
    sim_probe_init(&w->p_issues, &w->scope, &d_issues, &w->p_state, WARP_ISSUE);
    sim_probe_init(&w->p_state, &w->scope, &d_state, NULL, WARP_IDLE);
    sim_probe_init(&w->p_pc, &w->scope, &d_pc, NULL, 0);
    sim_probe_init(&w->p_active, &w->scope, &d_active, NULL, 0);
    sim_probe_init(&w->p_inst, &w->scope, &d_inst, s, UINT64_MAX);
}
