#include "track/track_priv.h"

#include "base/nomem.h"
#include "gpu/observe.h"
#include "mem/mem.h"
#include <stdlib.h>
#include <string.h>

/* ---- lists ---- */

/* Room for one more; the new item is all zero. */
#define ADD(list)                                                                      \
    ((list)->at = more((list)->at, &(list)->n, &(list)->max, sizeof((list)->at[0])),   \
     &(list)->at[(list)->n - 1])

static void *more(void *at, uint32_t *n, uint32_t *max, size_t size)
{
    if (*n == *max) {
        at = nomem_grow(at, max, size);
    }
    memset((char *)at + *n * size, 0, size);
    (*n)++;
    return at;
}

/* Is what happens in this cycle recorded, by instruction? No more, once that was too
 * much. */
static bool records(struct track *r, uint64_t cycle)
{
    uint64_t most = 8 * r->plan.max;

    if ((!r->plan.pipeline && !r->plan.timeline && !r->plan.why) ||
        cycle < r->plan.from || cycle >= r->cut) {
        return false;
    }
    if (r->inst.n >= r->plan.max || r->wait.n >= most || r->sample.n >= most) {
        r->cut = cycle;
        return false;
    }
    return true;
}

/* ---- warps ---- */

/* It was in its state from w->since on, at an instruction that is recorded. */
static void note_wait(struct track *r, const struct track_warp *w, uint64_t now)
{
    struct track_inst *i = &r->inst.at[w->inst];

    if (w->state != WARP_READY && w->state != WARP_ISSUE) {
        i->free = now;
        i->state = w->state;
    }
    if (r->plan.pipeline || r->plan.timeline) {
        *ADD(&r->wait) = (struct track_wait){w->since, now, w->inst, w->state};
    }
}

void track_settle(struct track *r, struct track_warp *w, uint64_t now)
{
    if (w->block == TRACK_NONE || w->since >= now) {
        return;
    }
    if (w->state != r->idle) {
        r->block.at[w->block].state[w->state] += now - w->since;
        if (w->inst != TRACK_NONE) {
            note_wait(r, w, now);
        }
    }
    w->since = now;
}

/* The warp comes to its next instruction. */
static void begin_inst(struct track *r, uint32_t sm, uint32_t warp, uint64_t now)
{
    struct track_warp *w = &r->sm[sm].warp[warp];
    struct track_inst *x;

    w->inst = TRACK_NONE;
    if (!records(r, now)) {
        return;
    }
    x = ADD(&r->inst); /* where there is no memory for it, the warp is at none */
    w->inst = r->inst.n - 1;
    x->begin = now;
    x->issue = x->done = TRACK_NEVER;
    x->prev = w->prev;
    x->from = TRACK_NONE;
    x->block = w->block;
    x->sm = sm;
    x->warp = (uint8_t)warp;
}

static void open_access(struct track_warp *w, uint32_t inst)
{
    if (w->n_open == w->max_open) {
        w->max_open = w->max_open == 0 ? 8 : 2 * w->max_open;
        w->open = tb_realloc(w->open, w->max_open * sizeof(w->open[0]));
    }
    w->open[w->n_open++] = inst;
}

/* The oldest access of the warp under way at pc, its place in open; n_open: none. */
static uint32_t find_open(const struct track *r, const struct track_warp *w,
                          uint32_t pc, bool unplanned)
{
    uint32_t i = 0;

    while (i < w->n_open) {
        const struct track_inst *x = &r->inst.at[w->open[i]];

        if (x->pc == pc && (!unplanned || !x->planned)) {
            break;
        }
        i++;
    }
    return i;
}

/* Of the writers of bits of mask that of the last result, if later than that of
 * `from`. */
static uint32_t last_writer(const struct track *r, const uint32_t *writer,
                            uint64_t mask, uint32_t from)
{
    for (; mask != 0; mask &= mask - 1) {
        uint32_t i = writer[__builtin_ctzll(mask)];

        if (i != TRACK_NONE && r->inst.at[i].done != TRACK_NEVER &&
            (from == TRACK_NONE || r->inst.at[i].done > r->inst.at[from].done)) {
            from = i;
        }
    }
    return from;
}

static void set_writer(uint32_t *writer, uint64_t mask, uint32_t inst)
{
    for (; mask != 0; mask &= mask - 1) {
        writer[__builtin_ctzll(mask)] = inst;
    }
}

/* Which result the instruction that issues had to wait for; it has one of its own. */
static void note_operands(struct track *r, struct track_warp *w,
                          const struct isa_uop *u)
{
    struct track_inst *x = &r->inst.at[w->inst];

    if (x->uop != NULL) {
        return; /* again, for other lanes */
    }
    x->uop = u;
    x->from = last_writer(r, w->writer, u->needs, x->from);
    x->from = last_writer(r, w->writer_p, u->needs_p, x->from);
}

static void hear_issue(struct track *r, uint32_t sm, const struct sm_executed *s)
{
    struct track_warp *w = &r->sm[sm].warp[s->warp];
    struct track_block *b;
    struct track_inst *x;

    if (w->block == TRACK_NONE) {
        return;
    }
    b = &r->block.at[w->block];
    b->insts += s->insts;
    b->issues += w->since <= s->cycle;
    track_settle(r, w, s->cycle);
    w->since = s->cycle + 1;
    if (w->inst == TRACK_NONE) {
        begin_inst(r, sm, s->warp, s->cycle + 1);
        return;
    }
    note_operands(r, w, s->uop);
    set_writer(w->writer, s->uop->sets, w->inst);
    set_writer(w->writer_p, s->uop->sets_p, w->inst);
    w->prev = w->inst;
    x = &r->inst.at[w->inst];
    x->pc = s->pc;
    x->lanes = s->lanes;
    x->issue = s->cycle; /* the last time, of several */
    x->begin = x->begin > x->issue ? x->issue : x->begin;
    x->waiting += s->accesses;
    x->done = x->waiting == 0 ? s->result : TRACK_NEVER;
    if (s->accesses > 0 && x->waiting == s->accesses) {
        open_access(w, w->inst);
    }
    if (!s->again) {
        begin_inst(r, sm, s->warp, s->cycle + 1);
    }
}

static void hear_answer(struct track *r, uint32_t sm, const struct sm_executed *s)
{
    struct track_warp *w = &r->sm[sm].warp[s->warp];
    uint32_t i = find_open(r, w, s->pc, false);
    struct track_inst *x;

    if (i == w->n_open) {
        return;
    }
    x = &r->inst.at[w->open[i]];
    x->waiting--;
    memcpy(x->at, s->at, sizeof(x->at));
    if (!x->planned || !track_is_shared(x->space)) {
        x->at[MEM_AT_BANKS] = 0; /* of a request before it */
    }
    for (uint32_t k = 0; k < MEM_N_SEEN; k++) {
        x->seen[k] = s->seen[k] == 0 ? 0 : sim_cycle_of(r->clock, s->seen[k]);
    }
    if (x->waiting == 0) {
        x->done = s->cycle;
        memmove(w->open + i, w->open + i + 1, (w->n_open - i - 1) * sizeof(w->open[0]));
        w->n_open--;
    }
}

/* The number of the SM that it comes from; n_sms: from none. */
static uint32_t sm_of(const struct track *r, const struct sim_module *from)
{
    uint32_t i = 0;

    while (i < r->n_sms && r->sm[i].module != from) {
        i++;
    }
    return i;
}

static void hear_executed(void *ctx, sim_time_t now, const struct sim_module *from,
                          const void *record)
{
    struct track *r = ctx;
    const struct sm_executed *s = record;
    uint32_t sm = sm_of(r, from);

    (void)now;
    if (sm == r->n_sms) {
        return;
    }
    if (s->answer) {
        hear_answer(r, sm, s);
    } else {
        hear_issue(r, sm, s);
    }
}

/* ---- blocks ---- */

static void begin_block(struct track *r, uint32_t sm, const struct sm_stage *s,
                        uint64_t now)
{
    struct track_block *b = ADD(&r->block);

    b->launch = smw_resident(r->device, s->launch);
    b->sm = sm;
    b->index = s->block;
    b->begin = now;
    b->end = TRACK_NEVER;
    b->slots = s->warps;
    if (r->block.n > 1) {
        b->first_warp = b[-1].first_warp + track_warps(&b[-1]);
    }
    for (uint64_t m = s->warps; m != 0; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(m);
        struct track_warp *w = &r->sm[sm].warp[i];

        w->block = r->block.n - 1;
        w->since = now + 1; /* SPEC STALL-1 */
        w->n_open = 0;      /* stores of the block before that nobody waits for */
        w->prev = TRACK_NONE;
        memset(w->writer, 0xff, sizeof(w->writer));
        memset(w->writer_p, 0xff, sizeof(w->writer_p));
        begin_inst(r, sm, i, now + 1);
    }
}

static void end_block(struct track *r, uint32_t sm, const struct sm_stage *s,
                      uint64_t now)
{
    for (uint64_t m = s->warps; m != 0; m &= m - 1) {
        const struct track_warp *w = &r->sm[sm].warp[__builtin_ctzll(m)];

        if (w->block != TRACK_NONE) {
            r->block.at[w->block].end = now;
        }
    }
}

static void hear_stage(void *ctx, sim_time_t now, const struct sim_module *from,
                       const void *record)
{
    struct track *r = ctx;
    const struct sm_stage *s = record;
    uint32_t sm = sm_of(r, from);
    uint64_t cycle = sim_cycle_of(r->clock, now);

    if (sm == r->n_sms) {
        return; /* of a launch */
    }
    if (s->kind == SM_BLOCK_BEGINS) {
        begin_block(r, sm, s, cycle);
    } else if (s->kind == SM_BLOCK_ENDS) {
        end_block(r, sm, s, cycle);
    }
}

/* ---- accesses ---- */

static void add_access(struct track *r, const struct mem_planned *p, uint32_t block)
{
    bool shared = track_is_shared(p->space);
    uint32_t *last = &r->sm[p->sm].last[!shared];
    uint64_t cycles = shared ? (uint64_t)p->wavefronts * r->wave_cycles : p->requests;
    struct track_access *x;

    if (*last != TRACK_NONE && r->access.at[*last].to > p->cycle) {
        r->access.at[*last].to = p->cycle;
    }
    *last = r->access.n;
    x = ADD(&r->access);
    *x = (struct track_access){.from = p->cycle,
                               .to = p->cycle + (cycles == 0 ? 1 : cycles),
                               .pc = p->pc,
                               .block = block,
                               .sm = p->sm,
                               .wavefronts = p->wavefronts,
                               .ideal = p->ideal,
                               .sectors = p->sectors,
                               .requests = p->requests,
                               .op = p->op,
                               .space = p->space,
                               .warp = p->warp};
}

/* Is p an access of block b? */
static bool is_of(const struct track *r, uint32_t b, const struct mem_planned *p)
{
    return b != TRACK_NONE && r->block.at[b].index == p->block &&
           r->block.at[b].launch == smw_resident(r->device, p->launch);
}

/* The block whose access it is; NONE: no such. SMs of a cluster also serve each
 * other's. */
static uint32_t block_of(const struct track *r, const struct mem_planned *p)
{
    uint32_t b = r->sm[p->sm].warp[p->warp].block;

    if (is_of(r, b, p)) {
        return b;
    }
    b = r->block.n;
    while (b > 0 && !is_of(r, b - 1, p)) {
        b--;
    }
    return b == 0 ? TRACK_NONE : b - 1;
}

/* What the rules made of it belongs to the instruction, too. */
static void plan_inst(struct track *r, const struct mem_planned *p, uint32_t block)
{
    struct track_warp *w = &r->sm[r->block.at[block].sm].warp[p->warp];
    uint32_t i = find_open(r, w, p->pc, true);

    if (i < w->n_open) {
        struct track_inst *x = &r->inst.at[w->open[i]];

        x->planned = true;
        x->wavefronts = p->wavefronts;
        x->ideal = p->ideal;
        x->sectors = p->sectors;
        x->space = p->space;
    }
}

static void hear_planned(void *ctx, sim_time_t now, const struct sim_module *from,
                         const void *record)
{
    struct track *r = ctx;
    const struct mem_planned *p = record;
    uint32_t block = p->sm < r->n_sms ? block_of(r, p) : TRACK_NONE;
    struct track_block *b;

    (void)now;
    (void)from;
    if (block == TRACK_NONE) {
        return;
    }
    b = &r->block.at[block];
    if (track_is_shared(p->space)) {
        b->wavefronts += p->wavefronts;
        b->ideal += p->ideal;
    } else if (p->space == ISA_SP_GLOBAL) {
        b->requests += p->requests;
        b->sectors += p->sectors;
    }
    if (records(r, p->cycle)) {
        plan_inst(r, p, block);
        if (r->plan.timeline) {
            add_access(r, p, block);
        }
    }
}

/* ---- probes ---- */

static void sample(struct track *r, const struct sim_probe *p, uint64_t cycle,
                   uint64_t value)
{
    struct track_sample *x;

    if (records(r, cycle)) {
        x = ADD(&r->sample);
        *x = (struct track_sample){cycle, value, p};
    }
}

/* A count grows: by how much in each window of so many cycles. */
static void sample_rate(struct track *r, const struct sim_probe *p, uint64_t cycle)
{
    struct track_probe *is = &r->probe[p->id];
    uint64_t window = cycle / SIM_RATE_CYCLES;

    if (window != is->window) {
        if (is->value != 0) {
            sample(r, p, is->window * SIM_RATE_CYCLES, is->value);
        }
        if (window > is->window + 1) {
            sample(r, p, (is->window + 1) * SIM_RATE_CYCLES, 0);
        }
        is->window = window;
        is->value = 0;
    }
    is->value += p->value - p->shown;
}

static void changed(void *ctx, sim_time_t now, struct sim_probe *const *probe, size_t n)
{
    struct track *r = ctx;
    uint64_t cycle = sim_cycle_of(r->clock, now);

    for (size_t i = 0; i < n; i++) {
        const struct sim_probe *p = probe[i];
        const struct track_probe *is = p->id < r->n_probes ? &r->probe[p->id] : NULL;
        struct track_warp *w;

        if (is == NULL || is->kind == TRACK_OTHER) {
            continue; /* another observer's */
        }
        if (is->kind == TRACK_WARP_PC) {
            r->sm[is->sm - 1].warp[is->warp].pc = (uint32_t)p->value;
        } else if (is->kind == TRACK_WARP_STATE) {
            w = &r->sm[is->sm - 1].warp[is->warp];
            track_settle(r, w, cycle);
            w->state = (uint8_t)p->value;
        } else if (p->desc->kind == SIM_PROBE_RATE) {
            sample_rate(r, p, cycle);
        } else {
            sample(r, p, cycle, p->value);
        }
    }
}

void track_listen(struct track *r)
{
    r->watcher = (struct sim_watcher){.changed = changed, .ctx = r};
    sim_watch(smw_sim(r->device), &r->watcher);
    r->staged = (struct sim_listener){.heard = hear_stage, .ctx = r};
    sim_listen(smw_staged(r->device), &r->staged);
    r->planned = (struct sim_listener){.heard = hear_planned, .ctx = r};
    sim_listen(smw_planned(r->device), &r->planned);
    r->executed = (struct sim_listener){.heard = hear_executed, .ctx = r};
    sim_listen(smw_executed(r->device), &r->executed);
}
