#include "sm/show.h"

#include <stdio.h>
#include <string.h>

static const char *const state_names[WARP_N_STATES] = {"idle",    "ready",   "operand",
                                                       "memory",  "barrier", "fence",
                                                       "control", "fault",   "issue"};

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

/* "reverse.cu:17"; the line of the PTX where no other is known. */
static void line_text(void *ctx, uint64_t value, char *buf, size_t size)
{
    const struct sm *s = ctx;
    const struct ptx_module *m;
    const struct isa_uop *u;
    const char *file = "ptx", *slash;

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
    (void)snprintf(buf, size, "%s:%u", file, u->src_line != 0 ? u->src_line : u->line);
}

static const struct sim_probe_desc d_state = {
    "state", SIM_PROBE_STATE,     4, state_names, WARP_N_STATES,
    NULL,    "what the warp does"};
static const struct sim_probe_desc d_issues = {
    "issues", SIM_PROBE_EVENT, 1, NULL, 0, NULL, "an instruction of it was issued"};
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
static const struct sim_probe_desc d_line = {
    "line", SIM_PROBE_TEXT, 1, NULL, 0, line_text, "source line of that instruction"};
static const struct sim_probe_desc d_issue = {
    "issue", SIM_PROBE_EVENT, 1, NULL, 0, NULL, "an instruction was issued"};
static const struct sim_probe_desc d_second = {
    "second", SIM_PROBE_TEXT, 1, NULL, 0, inst_text, "instruction issued with it"};
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

static const struct sim_probe_desc d_warps = {
    "active_warps", SIM_PROBE_LEVEL, 7, NULL, 0, NULL, "warps that have not exited"};
static const struct sim_probe_desc d_insts = {"insts_per_64",
                                              SIM_PROBE_RATE,
                                              10,
                                              NULL,
                                              0,
                                              NULL,
                                              "instructions issued in 64 cycles"};

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

    sim_probe_set(&w->p_state, warp_state(w));
    if ((w->hold & HOLD_FREE) != 0) {
        sim_probe_set(&w->p_active, 0);
        sim_probe_set(&w->p_inst, UINT64_MAX);
        return;
    }
    sim_probe_set(&w->p_pc, w->pc);
    sim_probe_set(&w->p_active, w->active);
    sim_probe_set(&w->p_inst, (uint64_t)w->launch << 32 | w->pc);
}

static uint32_t live_warps(const struct sm *s)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->n_slots; i++) {
        n += s->block[i].txn != NULL ? s->block[i].n_live : 0;
    }
    return n;
}

void show_occupancy(struct sm *s)
{
    sim_probe_set(&s->p_resident, s->n_resident);
    if (s->p_warps.watched) {
        sim_probe_set(&s->p_warps, live_warps(s));
    }
}

void show_issue(struct sm *s, struct scheduler *d, uint32_t i)
{
    struct warp *w = &s->warps.warp[i];
    uint64_t inst = (uint64_t)w->launch << 32 | w->pc;

    sim_probe_set(&d->p_warp, i);
    sim_probe_set(&d->p_inst, inst);
    sim_probe_set(&d->p_line, inst);
    sim_probe_fire(&d->p_issue);
    sim_probe_fire(&w->p_issues);
    show_count(s, i);
}

void show_count(struct sm *s, uint32_t i)
{
    s->n_shown += !s->warps.warp[i].head->part; /* SPEC STAT-1 */
    sim_probe_set(&s->p_insts, s->n_shown);
}

/* ---- what nobody watched ---- */

/* What scheduler j issued last. */
static void put_down(struct sm *s, uint32_t j)
{
    struct slot *o = &s->slot[j];
    struct scheduler *d = &s->sched[j];
    const struct warp *w = &s->warps.warp[o->s.last];
    uint64_t inst;

    if (o->issued == NULL) {
        return;
    }
    inst = (uint64_t)w->launch << 32 |
           (uint32_t)(o->issued - s->shared->launch[w->launch].module->uops);
    sim_probe_refresh(&d->p_warp, o->s.last);
    sim_probe_refresh(&d->p_inst, inst);
    sim_probe_refresh(&d->p_line, inst);
    o->issued = NULL;
}

void show_forget(struct sm *s, uint32_t i)
{
    uint32_t j = i % s->n_scheds;

    if (SIM_PROBES && s->slot[j].s.last == i) {
        if (!SIM_WATCHED(s->sched[j].scope)) {
            put_down(s, j);
        }
        s->slot[j].issued = NULL;
    }
}

static void refresh_scheduler(void *ctx)
{
    const struct scheduler *d = ctx;

    d->sm->looked = false;
    if (d->scope.watched) {
        put_down(d->sm, (uint32_t)(d - d->sm->sched));
    }
}

static void refresh_warp(void *ctx)
{
    struct warp *w = ctx;
    struct warps *ws = &w->sm->warps;
    bool runs = (w->hold & HOLD_FREE) == 0;

    w->sm->looked = false;
    if (w->scope.watched) {
        ws->now = sim_cycle(w->sm->clock);
        warp_settle(ws, w, (uint32_t)(w - ws->warp));
        sim_probe_refresh(&w->p_state, warp_state(w));
        sim_probe_refresh(&w->p_pc, w->pc);
        sim_probe_refresh(&w->p_active, runs ? w->active : 0);
        sim_probe_refresh(&w->p_inst,
                          runs ? (uint64_t)w->launch << 32 | w->pc : UINT64_MAX);
    }
}

static void refresh_sm(void *ctx)
{
    struct sm *s = ctx;

    s->looked = false;
    if (s->scope.watched) {
        sim_probe_refresh(&s->p_warps, live_warps(s));
    }
}

static void refresh_barriers(void *ctx)
{
    struct sm *s = ctx;

    if (s->barriers.watched) {
        sim_probe_refresh(&s->p_arrived, barrier_n_waiting(s));
    }
}

/* ---- who shows what ---- */

void show_sm(struct sm *s)
{
    sim_probe_init(&s->p_resident, &s->scope, &d_resident, NULL, 0);
    sim_probe_init(&s->p_warps, &s->scope, &d_warps, NULL, 0);
    sim_probe_init(&s->p_insts, &s->scope, &d_insts, NULL, 0);
    sim_module_refreshes(&s->scope, refresh_sm, s);
}

void show_onchip(struct sm *s)
{
    sim_module_init(&s->onchip, s->scope.sim, &s->scope, NULL, "onchip");
    sim_probe_init(&s->p_shared_kb, &s->onchip, &d_shared_kb, NULL, 0);
    sim_probe_init(&s->p_l1_kb, &s->onchip, &d_l1_kb, NULL, 0);
    sim_module_refreshes(&s->onchip, NULL, NULL);
    sim_module_init(&s->barriers, s->scope.sim, &s->scope, NULL, "barrier");
    sim_probe_init(&s->p_arrived, &s->barriers, &d_arrived, NULL, 0);
    sim_probe_init(&s->p_release, &s->barriers, &d_release, NULL, 0);
    sim_module_refreshes(&s->barriers, refresh_barriers, s);
}

void show_scheduler(struct sm *s, struct scheduler *d)
{
    d->sm = s;
    sim_module_refreshes(&d->scope, refresh_scheduler, d);
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
    sim_module_refreshes(&w->scope, refresh_warp, w);
    sim_probe_init(&w->p_issues, &w->scope, &d_issues, &w->p_state, WARP_ISSUE);
    sim_probe_init(&w->p_state, &w->scope, &d_state, NULL, WARP_IDLE);
    sim_probe_init(&w->p_pc, &w->scope, &d_pc, NULL, 0);
    sim_probe_init(&w->p_active, &w->scope, &d_active, NULL, 0);
    sim_probe_init(&w->p_inst, &w->scope, &d_inst, s, UINT64_MAX);
}
