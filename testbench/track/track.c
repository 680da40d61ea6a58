#include "track/track_priv.h"

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
        *max = *max == 0 ? 256 : 2 * *max;
        at = tb_realloc(at, *max * size);
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

    if ((!r->plan.pipeline && !r->plan.timeline) || cycle < r->plan.from ||
        cycle >= r->cut) {
        return false;
    }
    if (r->inst.n >= r->plan.max || r->wait.n >= most || r->sample.n >= most) {
        r->cut = cycle;
        return false;
    }
    return true;
}

/* ---- warps ---- */

void track_settle(struct track *r, struct track_warp *w, uint64_t now)
{
    if (w->block == TRACK_NONE || w->since >= now) {
        return;
    }
    if (w->state != r->idle) {
        r->block.at[w->block].state[w->state] += now - w->since;
        if (w->inst != TRACK_NONE) {
            struct track_wait *x = ADD(&r->wait);

            *x = (struct track_wait){w->since, now, w->inst, w->state};
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
    w->inst = r->inst.n;
    x = ADD(&r->inst);
    x->begin = now;
    x->issue = x->done = TRACK_NEVER;
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

/* ---- opening ---- */

/* "sm7" and the like: name is a word and a number. */
static bool is_numbered(const char *name, const char *word)
{
    size_t n = strlen(word);

    return strncmp(name, word, n) == 0 && name[n] != '\0' &&
           strspn(name + n, "0123456789") == strlen(name + n);
}

static void take(struct track *r, struct sim_probe *p, enum track_kind kind, bool in_sm)
{
    struct track_probe *is = &r->probe[p->id];

    is->kind = (uint8_t)kind;
    is->sm = in_sm ? r->n_sms : 0;
    sim_probe_keep(p);
}

static void take_warp(struct track *r, struct sim_module *m)
{
    uint8_t warp = (uint8_t)strtoul(m->name + strlen("warp"), NULL, 10);

    for (struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        const struct sim_probe_desc *d = p->desc;

        r->probe[p->id].warp = warp;
        if (d->kind == SIM_PROBE_STATE && strcmp(d->name, "state") == 0) {
            r->state_desc = d;
            for (r->idle = 0; r->idle + 1u < d->n_names; r->idle++) {
                if (strcmp(d->names[r->idle], "idle") == 0) {
                    break;
                }
            }
            r->sm[r->n_sms - 1].warp[warp].state = r->idle;
            take(r, p, TRACK_WARP_STATE, true);
        } else if (strcmp(d->name, "pc") == 0) {
            take(r, p, TRACK_WARP_PC, true);
        }
    }
}

/* For the timeline: every curve, and the events that it shows. */
static void take_others(struct track *r, struct sim_module *m, bool in_sm)
{
    for (struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        const struct sim_probe_desc *d = p->desc;

        if (d->kind == SIM_PROBE_LEVEL || d->kind == SIM_PROBE_RATE) {
            take(r, p, TRACK_COUNTER, in_sm);
        } else if (d->kind == SIM_PROBE_EVENT && strcmp(d->name, "release") == 0) {
            take(r, p, TRACK_EVENT, in_sm);
        }
    }
}

static void take_probes(struct track *r, struct sim_module *m, bool in_sm)
{
    if (in_sm && is_numbered(m->name, "warp")) {
        take_warp(r, m);
    } else if (r->plan.timeline) {
        take_others(r, m, in_sm);
    }
    for (struct sim_module *c = m->first; c != NULL; c = c->next) {
        take_probes(r, c, in_sm);
    }
}

static void take_sm(struct track *r, struct sim_module *m)
{
    r->sm = tb_realloc(r->sm, (r->n_sms + 1) * sizeof(r->sm[0]));
    r->sm[r->n_sms] = (struct track_sm){.module = m, .last = {TRACK_NONE, TRACK_NONE}};
    for (uint32_t i = 0; i < SM_MAX_WARPS; i++) {
        r->sm[r->n_sms].warp[i].block = TRACK_NONE;
        r->sm[r->n_sms].warp[i].inst = TRACK_NONE;
    }
    r->n_sms++;
    r->clock = m->clock;
    take_probes(r, m, true);
}

static void listen(struct track *r)
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

struct track *track_open(struct smw_device *d, const struct smw_config *c,
                         const struct track_plan *p, struct smw_err *e)
{
    struct track *r = tb_alloc(sizeof(*r));
    char text[64] = "";

    r->device = d;
    r->plan = *p;
    r->cut = TRACK_NEVER;
    smw_config_show(c, "sm.smem.interval", text, sizeof(text));
    r->wave_cycles = (uint32_t)strtoul(text, NULL, 10);
    r->n_probes = sim_number(smw_sim(d));
    r->probe = tb_alloc((r->n_probes + 1) * sizeof(r->probe[0]));
    for (struct sim_module *m = smw_root(d)->first; m != NULL; m = m->next) {
        if (is_numbered(m->name, "sm")) {
            take_sm(r, m);
        } else {
            take_probes(r, m, false);
        }
    }
    if (r->n_sms == 0 || r->state_desc == NULL || r->wave_cycles == 0 ||
        r->state_desc->n_names > TRACK_STATES) {
        track_close(r);
        err_set(e, SMW_ERR_INTERNAL, "--pipeline: the warps were not found");
        return NULL;
    }
    listen(r);
    return r;
}

void track_close(struct track *r)
{
    if (r == NULL) {
        return;
    }
    for (uint32_t i = 0; i < r->n_sms; i++) {
        for (uint32_t k = 0; k < SM_MAX_WARPS; k++) {
            free(r->sm[i].warp[k].open);
        }
    }
    free(r->sm);
    free(r->probe);
    free(r->inst.at);
    free(r->wait.at);
    free(r->access.at);
    free(r->sample.at);
    free(r->block.at);
    free(r);
}
