#include "report/advice.h"

#include "ask/bankmap.h"
#include "gpu/observe.h"
#include "run/findings.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct advice_rule advice_rules[ADVICE_RULES] = {
    [ADVICE_CONFLICTS] =
        {"bank-conflicts", "bank conflicts",
         "wavefronts of a line's shared accesses beyond the ideal",
         "Pad or swizzle the array so that lanes of an access want different banks, or "
         "the same word.",
         "ideal.conflicts"},
    [ADVICE_SECTORS] = {"uncoalesced", "uncoalesced access",
                        "sectors of a line's global accesses beyond the least, a tenth "
                        "of it or more",
                        "Let neighbours in a warp read and write neighbours in memory: "
                        "another layout, another split of the work, or a detour "
                        "through shared memory.",
                        "ideal.sectors"},
    [ADVICE_LATENCY] =
        {"latency", "latency of global memory",
         "a fifth or more of the warp-cycles are waits for global or local memory",
         "Ask earlier and for more at once: several loads before the first use, wider "
         "loads, more warps, or data kept in shared memory.",
         "ideal.latency"},
    [ADVICE_BARRIER] = {"barrier-wait", "waiting at a barrier",
                        "a tenth or more of the warp-cycles are waits at one barrier",
                        "Give the warps of a block equal work between barriers, use "
                        "smaller blocks, or synchronise warps only.",
                        NULL},
    [ADVICE_DIVERGENCE] =
        {"divergence", "divergent branches",
         "less than 9 of 10 lanes are active, and branches part lanes",
         "Let lanes of a warp take the same way: conditions that change from warp to "
         "warp instead of from lane to lane.",
         NULL},
    [ADVICE_OCCUPANCY] =
        {"low-occupancy", "low occupancy",
         "less than half of the warps that an SM has room for can be resident, and "
         "blocks of the launch wait for a place",
         "Need less of what limits the blocks of an SM: fewer registers or bytes of "
         "shared memory, or larger blocks.",
         NULL},
    [ADVICE_TAIL] = {"tail", "tail of blocks",
                     "the last blocks leave more than a quarter of the places on the "
                     "SMs empty, in a launch of at most four rounds",
                     "Choose a grid that is a multiple of the blocks that are resident "
                     "at once, or smaller blocks.",
                     NULL},
};

/* ---- items ---- */

static struct advice_item *add_item(struct advice *a, enum advice_id rule,
                                    uint32_t launch, uint64_t weight)
{
    struct advice_item *i;

    a->at = tb_realloc(a->at, (a->n + 1) * sizeof(a->at[0]));
    i = &a->at[a->n++];
    memset(i, 0, sizeof(*i));
    i->rule = rule;
    i->launch = launch;
    i->weight = weight;
    return i;
}

static void set_texts(struct advice_item *i, char *what, const char *why,
                      const char *fix)
{
    i->what = what;
    i->why = tb_strdup(why == NULL ? "" : why);
    i->fix =
        tb_strdup(fix == NULL || fix[0] == '\0' ? advice_rules[i->rule].advice : fix);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

/* Where the micro-op is, for people and for the configuration. */
static void set_place(struct advice_item *i, const struct smw_inst *inst)
{
    if (inst->file != NULL && inst->line != 0 && strlen(base_name(inst->file)) < 48) {
        snprintf(i->place, sizeof(i->place), "%.47s:%u", base_name(inst->file),
                 inst->line);
        snprintf(i->spared, sizeof(i->spared), "%s", i->place);
        i->inlined = inst->inlined;
    } else {
        snprintf(i->place, sizeof(i->place), "PTX line %u", inst->ptx_line);
        snprintf(i->spared, sizeof(i->spared), "%u", inst->ptx_line);
    }
    if (advice_rules[i->rule].key == NULL || strchr(i->spared, ',') != NULL) {
        i->spared[0] = '\0';
    }
}

/* ---- lines of the source ---- */

struct line { /* the accesses of a line in one space, unrolled copies together */
    struct smw_inst inst;
    uint64_t cost, least, executions;
    const struct explain_row *worst; /* the instruction that costs most */
};

static uint64_t cost_of(const struct explain_row *r)
{
    return r->space == EXPLAIN_SHARED ? r->wavefronts : r->sectors;
}

static uint64_t least_of(const struct explain_row *r)
{
    return r->space == EXPLAIN_SHARED ? r->ideal : r->ideal_sectors;
}

static uint64_t excess_of(const struct explain_row *r)
{
    return cost_of(r) > least_of(r) ? cost_of(r) - least_of(r) : 0;
}

static bool same_line(const struct smw_inst *a, const struct smw_inst *b)
{
    if (a->file == NULL || b->file == NULL || a->line == 0) {
        return a->ptx_line == b->ptx_line && a->line == b->line;
    }
    return a->line == b->line && strcmp(a->file, b->file) == 0;
}

static struct line *line_of(struct line **lines, uint32_t *n,
                            const struct smw_inst *inst)
{
    for (uint32_t i = 0; i < *n; i++) {
        if (same_line(&(*lines)[i].inst, inst)) {
            if (!findings_called_alike(&(*lines)[i].inst.inlined, &inst->inlined)) {
                (*lines)[i].inst.inlined.n = 0; /* of several callers */
            }
            return &(*lines)[i];
        }
    }
    *lines = tb_realloc(*lines, (*n + 1) * sizeof(**lines));
    memset(&(*lines)[*n], 0, sizeof(**lines));
    (*lines)[*n].inst = *inst;
    return &(*lines)[(*n)++];
}

static struct line *lines_of(const struct explain *x, uint32_t launch, uint32_t space,
                             uint32_t *n)
{
    const struct explain_launch *l = explain_of(x, launch);
    const struct explain_row *r;
    struct line *lines = NULL;
    uint32_t at = 0;

    *n = 0;
    while ((r = explain_next(l, space, &at)) != NULL) {
        struct smw_inst inst = {.offset = 0};
        struct line *k;

        (void)smw_inst(x->device, launch, r->pc, &inst);
        k = line_of(&lines, n, &inst);
        k->cost += cost_of(r);
        k->least += least_of(r);
        k->executions += r->executions;
        if (k->worst == NULL || excess_of(r) > excess_of(k->worst)) {
            k->worst = r;
        }
    }
    return lines;
}

/* ---- an access in bankmap's words ---- */

static void ask_of(const struct explain *x, const struct mem_planned *p,
                   struct bankmap_request *q)
{
    uint64_t step = 0;
    bool even = p->mask == UINT32_MAX;

    memset(q, 0, sizeof(*q));
    q->setup =
        (struct bankmap_setup){.rules = *smw_rules(x->device),
                               .space = p->space == ISA_SP_GLOBAL ? BANKMAP_GLOBAL
                                                                  : BANKMAP_SHARED,
                               .op = p->op,
                               .bank_mode = p->bank_mode,
                               .in_l1 = p->in_l1};
    q->access.bytes = p->bytes;
    q->access.mask = p->mask;
    for (uint32_t i = 0; i < ISA_LANES; i++) {
        q->access.addr[i] = p->addr[i];
        if (i == 1) {
            step = p->addr[1] - p->addr[0];
        }
        even = even && (i == 0 || p->addr[i] - p->addr[i - 1] == step);
    }
    even = even && step % p->bytes == 0 && step < UINT32_MAX;
    q->source = even ? BANKMAP_STRIDE : BANKMAP_ADDR;
    q->stride = even ? step / p->bytes : 0;
    q->formula = "the addresses given";
}

static void words_of(const struct explain *x, const struct explain_row *r,
                     struct bankmap_words *w)
{
    struct bankmap_request q;

    memset(w, 0, sizeof(*w));
    if (r->sample == NULL) {
        return;
    }
    ask_of(x, &r->sample->p, &q);
    if (q.setup.space == BANKMAP_SHARED) {
        struct bankmap_plan *plan = tb_alloc(sizeof(*plan));

        bankmap_plan(&q.setup, &q.access, plan);
        bankmap_words_shared(&q, plan, w);
        free(plan);
    } else {
        struct rules_lines *lines = tb_alloc(sizeof(*lines));

        bankmap_global(&q.setup, &q.access, lines);
        bankmap_words_global(&q, lines, w);
        free(lines);
    }
}

/* ---- rules that look at lines ---- */

static char *what_of(const struct explain_row *r, const struct line *k,
                     const struct bankmap_words *w)
{
    if (r->space == EXPLAIN_SHARED) {
        return tb_printf("%" PRIu64 " of %" PRIu64 " wavefronts are conflicts, "
                         "at worst %u-way",
                         k->cost - k->least, k->cost, r->worst);
    }
    return tb_printf("%" PRIu64 " sectors where %" PRIu64 " would do%s%s", k->cost,
                     k->least, w->headline.n == 0 ? "" : "; ",
                     w->headline.n == 0 ? "" : w->headline.s);
}

/* SPEC ASYNC-2: what an asynchronous copy writes comes from lines of the L1. */
static bool is_copy(const struct explain *x, uint32_t launch,
                    const struct explain_row *r)
{
    struct smw_inst inst = {.offset = 0};

    return r->space == EXPLAIN_SHARED && smw_inst(x->device, launch, r->pc, &inst) &&
           strstr(inst.text, "cp.async") != NULL;
}

static const char copy_why[] =
    "Words come from the L1, which looks up lines in four banks of tags at a time and "
    "gives one word of each bank of data (SPEC ASYNC-2): here the lanes' lines, or "
    "their places in them, meet.";
static const char copy_fix[] =
    "Let neighbours in a warp copy neighbours in global memory, whole lines of 128 "
    "bytes where the tile is wide enough.";

/* Lines often share an array, and a remedy: what all of them cost. */
static void add_together(struct advice *a, uint32_t launch, enum advice_id rule,
                         uint32_t n, uint64_t excess)
{
    struct advice_item *i = add_item(a, rule, launch, excess);

    snprintf(i->place, sizeof(i->place), "%u lines together", n);
    snprintf(i->spared, sizeof(i->spared), "all");
    set_texts(i,
              tb_printf("%" PRIu64 " %s beyond the least, in the lines below", excess,
                        rule == ADVICE_CONFLICTS ? "wavefronts" : "sectors"),
              NULL, NULL);
}

static void look_at_lines(struct advice *a, const struct explain *x, uint32_t launch,
                          enum advice_id rule, uint32_t space)
{
    uint32_t n, found = 0;
    uint64_t excess = 0;
    struct line *lines = lines_of(x, launch, space, &n);

    for (uint32_t i = 0; i < n; i++) {
        const struct line *k = &lines[i];
        struct bankmap_words w;
        struct advice_item *item;

        if (k->cost <= k->least ||
            (space == EXPLAIN_GLOBAL && (k->cost - k->least) * 10 < k->least)) {
            continue;
        }
        words_of(x, k->worst, &w);
        item = add_item(a, rule, launch, k->cost - k->least);
        set_place(item, &k->inst);
        if (is_copy(x, launch, k->worst)) {
            set_texts(item, what_of(k->worst, k, &w), copy_why, copy_fix);
        } else {
            set_texts(item, what_of(k->worst, k, &w), w.why.s, w.fix.s);
        }
        if (k->worst->op >= MEM_ATOM && space == EXPLAIN_GLOBAL) {
            item->spared[0] = '\0'; /* no rule is asked about atomics: IDEAL-2 */
        }
        bankmap_words_free(&w);
        found++;
        excess += k->cost - k->least;
    }
    if (found > 1) {
        add_together(a, launch, rule, found, excess);
    }
    free(lines);
}

/* ---- rules that look at waits ---- */

static uint64_t warp_cycles(const struct smw_result *k)
{
    return k->counters.warp_cycles;
}

/* The place that waited longest for the reason, how long, and how long all did. */
static uint32_t longest(const struct explain *x, uint32_t launch, enum stall why,
                        uint64_t *most, uint64_t *of_all)
{
    uint32_t n, best = 0;
    const struct stalls *s = smw_stalls(x->device, launch, &n);

    *most = 0;
    *of_all = 0;
    for (uint32_t pc = 0; s != NULL && pc < n; pc++) {
        const uint64_t waited = s[pc].n[why];

        *of_all += waited;
        best = waited > *most ? pc : best;
        *most = waited > *most ? waited : *most;
    }
    return best;
}

/* An item at a micro-op, that says which share of the launch's warp-cycles the waits
 * are. */
static struct advice_item *add_wait(struct advice *a, const struct explain *x,
                                    enum advice_id rule, uint32_t launch, uint32_t pc,
                                    double share)
{
    struct advice_item *i = add_item(a, rule, launch, 0);
    struct smw_inst inst = {.offset = 0};

    (void)smw_inst(x->device, launch, pc, &inst);
    set_place(i, &inst);
    set_texts(i,
              tb_printf("%.0f %% of the warp-cycles are waits %s", 100 * share,
                        rule == ADVICE_BARRIER
                            ? "at this barrier"
                            : "for global or local memory, most of them here"),
              NULL, NULL);
    return i;
}

static void look_at_latency(struct advice *a, const struct explain *x, uint32_t launch,
                            const struct smw_result *k)
{
    uint64_t most, all;
    const uint32_t pc = longest(x, launch, STALL_LONG, &most, &all);

    if (all != 0 && all * 5 >= warp_cycles(k) && k->counters.gl_ld_insts != 0) {
        struct advice_item *i = add_wait(a, x, ADVICE_LATENCY, launch, pc,
                                         (double)all / (double)warp_cycles(k));

        snprintf(i->spared, sizeof(i->spared), "all");
    }
}

static void look_at_barriers(struct advice *a, const struct explain *x, uint32_t launch,
                             const struct smw_result *k)
{
    uint64_t most, all;
    const uint32_t pc = longest(x, launch, STALL_BARRIER, &most, &all);

    if (most != 0 && most * 10 >= warp_cycles(k)) {
        (void)add_wait(a, x, ADVICE_BARRIER, launch, pc,
                       (double)most / (double)warp_cycles(k));
    }
}

/* ---- rules that look at the launch ---- */

static void look_at_lanes(struct advice *a, uint32_t launch, const struct smw_result *k)
{
    const struct smw_counters *c = &k->counters;
    double active = c->warp_insts == 0
                        ? 1
                        : (double)c->thread_insts / ((double)c->warp_insts * ISA_LANES);

    if (c->divergent != 0 && active < 0.9) {
        set_texts(add_item(a, ADVICE_DIVERGENCE, launch, 0),
                  tb_printf("%.0f %% of the lanes are active; %" PRIu64 " of %" PRIu64
                            " branches part their warp",
                            100 * active, c->divergent, c->branches),
                  NULL, NULL);
    }
}

static uint64_t blocks_of(const struct smw_result *k)
{
    return (uint64_t)k->grid[0] * k->grid[1] * k->grid[2];
}

/* Blocks that are resident at once on all SMs. */
static uint64_t blocks_at_once(const struct explain *x, const struct smw_result *k)
{
    const uint64_t threads = (uint64_t)k->block[0] * k->block[1] * k->block[2];
    const uint64_t warps = (threads + ISA_LANES - 1) / ISA_LANES;
    struct smw_device_facts f;

    smw_device_facts(x->device, &f);
    return warps == 0 ? 0 : f.sms * (k->warps_per_sm / warps);
}

/* What lets more blocks in, by what keeps them out. */
static const char *more_blocks(const char *limiter)
{
    static const struct {
        const char *limiter, *fix;
    } all[] = {
        {"blocks", "Larger blocks: an SM takes no more of them, however small."},
        {"warps", "Smaller blocks, of which more than one fits on an SM."},
        {"registers", "Fewer registers: smaller kernels, __launch_bounds__, or the "
                      "compiler's limit on registers."},
        {"shared memory", "Fewer bytes of shared memory for each block, or larger "
                          "blocks that share them."},
    };

    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        if (strcmp(limiter, all[i].limiter) == 0) {
            return all[i].fix;
        }
    }
    return NULL;
}

/* Nothing is gained by room for blocks that the launch does not have. */
static void look_at_occupancy(struct advice *a, const struct explain *x,
                              uint32_t launch, const struct smw_result *k)
{
    if (k->max_warps != 0 && k->warps_per_sm * 2 < k->max_warps &&
        blocks_of(k) > blocks_at_once(x, k)) {
        set_texts(
            add_item(a, ADVICE_OCCUPANCY, launch, 0),
            tb_printf("%u of the %u warps of an SM can be resident, limited by %s",
                      k->warps_per_sm, k->max_warps, k->limiter),
            NULL, more_blocks(k->limiter));
    }
}

static void look_at_tail(struct advice *a, const struct explain *x, uint32_t launch,
                         const struct smw_result *k)
{
    const uint64_t blocks = blocks_of(k), at_once = blocks_at_once(x, k);
    uint64_t rounds, last;

    if (at_once == 0) {
        return;
    }
    rounds = (blocks + at_once - 1) / at_once;
    last = blocks - (rounds - 1) * at_once;
    if (rounds < 2 || rounds > 4 || last * 4 >= at_once * 3) {
        return;
    }
    set_texts(add_item(a, ADVICE_TAIL, launch, 0),
              tb_printf("%" PRIu64 " blocks in %" PRIu64 " rounds of %" PRIu64
                        "; the last has %" PRIu64,
                        blocks, rounds, at_once, last),
              NULL, NULL);
}

/* ---- all ---- */

static int by_weight(const void *p, const void *q)
{
    const struct advice_item *a = p, *b = q;

    if (a->launch != b->launch) {
        return a->launch < b->launch ? -1 : 1;
    }
    if (a->weight != b->weight) {
        return a->weight > b->weight ? -1 : 1;
    }
    return a->rule != b->rule ? (a->rule < b->rule ? -1 : 1)
                              : strcmp(a->place, b->place);
}

void advice_make(struct advice *a, const struct explain *x)
{
    memset(a, 0, sizeof(*a));
    for (uint32_t i = 0; i < smw_results(x->device); i++) {
        const uint32_t before = a->n;
        struct smw_result k;

        if (!smw_result(x->device, i, &k) || !k.finished || k.functional) {
            continue;
        }
        look_at_lines(a, x, i, ADVICE_CONFLICTS, EXPLAIN_SHARED);
        look_at_lines(a, x, i, ADVICE_SECTORS, EXPLAIN_GLOBAL);
        look_at_latency(a, x, i, &k);
        look_at_barriers(a, x, i, &k);
        look_at_lanes(a, i, &k);
        look_at_occupancy(a, x, i, &k);
        look_at_tail(a, x, i, &k);
        for (uint32_t n = before; n < a->n; n++) {
            a->at[n].cycles = k.counters.cycles;
        }
    }
    if (a->n > 0) {
        qsort(a->at, a->n, sizeof(a->at[0]), by_weight);
    }
}

void advice_free(struct advice *a)
{
    for (uint32_t i = 0; i < a->n; i++) {
        free(a->at[i].what);
        free(a->at[i].why);
        free(a->at[i].fix);
    }
    free(a->at);
    memset(a, 0, sizeof(*a));
}

/* ---- gains ---- */

/* A run with key=value tells for every launch at once: for all items that ask so. */
static bool gain(struct advice *a, const struct advice_item *i, uint32_t n,
                 advice_again *again, void *ctx)
{
    const char *key = advice_rules[i->rule].key;
    uint64_t *cycles = tb_alloc((n + 1) * sizeof(cycles[0]));
    char *set = tb_printf("%s=%s", key, i->spared);
    bool ok = again(ctx, set, cycles, n);

    for (uint32_t k = 0; ok && k < a->n; k++) {
        struct advice_item *other = &a->at[k];

        if (other->rule == i->rule && strcmp(other->spared, i->spared) == 0) {
            other->without = cycles[other->launch];
        }
    }
    free(set);
    free(cycles);
    return ok;
}

void advice_gains(struct advice *a, uint32_t n_launches, uint32_t max,
                  advice_again *again, void *ctx)
{
    bool *asked = tb_alloc((a->n + 1) * sizeof(asked[0]));

    for (uint32_t runs = 0; runs < max; runs++) {
        uint32_t best = a->n;

        for (uint32_t k = 0; k < a->n; k++) {
            const struct advice_item *i = &a->at[k];

            if (!asked[k] && i->without == 0 && i->spared[0] != '\0' &&
                (best == a->n || i->weight > a->at[best].weight)) {
                best = k;
            }
        }
        if (best == a->n) {
            break;
        }
        asked[best] = true;
        (void)gain(a, &a->at[best], n_launches, again, ctx);
    }
    free(asked);
}
