/*
 * The order of instructions: list scheduling, piece by piece of each basic block.
 *
 * A piece is played through as one warp alone would run it. Instructions issue one by
 * one at the warp's pace: of those whose operands are there the one with the longest
 * way of latencies to the end of the piece; if none is ready, the one that is ready
 * first. Equals keep the order of the text. When a choice would have more registers
 * live than the limit, the one that frees most is taken, or if none does the first in
 * the text.
 */
#include "ptx/schedule_priv.h"

#include <string.h>

/* The first capability whose instructions have operands in the constant bank. */
enum { CONSTANTS_CC = 20 };

/* The first whose lanes have turns (SPEC SIMT-3). */
enum { TURNS_CC = 70 };

struct order {
    struct ptx_piece piece;
    struct ptx_ir *f;
    const struct ptx_live *live; /* of f as it is written */
    uint32_t limit;              /* words live at once */
    bool *is_out;                /* registers live behind the piece */
    /* of each node */
    uint32_t *way;      /* cycles to the end of the piece */
    uint32_t *ready_at; /* cycle */
    uint32_t *left;     /* nodes that must come before */
    uint32_t *readers;  /* of each value, still to come */
    uint32_t cap_readers;
    uint32_t *list, n_list; /* nodes with nothing left before them */
    uint32_t *taken;        /* nodes in their order */
    struct ptx_insn *insn;  /* as they were */
    struct {                /* runs of the block being done */
        uint32_t first, n;
    } * part;
    uint32_t n_part, cap_part;
};

/* ---- registers ---- */

static uint32_t words_of(const struct order *o, uint32_t value)
{
    const uint32_t reg = o->piece.values[value].reg;

    return reg == o->f->n_vreg ? 0 : ptx_reg_words(o->f, reg);
}

static bool dies_with(const struct order *o, uint32_t value)
{
    return o->readers[value] == 1 && !o->piece.values[value].is_out;
}

/* Words that node i makes live, and those that die with it. */
static void effect(const struct order *o, uint32_t i, uint32_t *made, uint32_t *freed)
{
    const struct ptx_node *const node = &o->piece.node[i];

    *made = *freed = 0;
    for (uint32_t k = 0; k < node->n_def; k++) {
        *made += words_of(o, o->piece.list[node->def + k]);
    }
    for (uint32_t k = 0; k < node->n_use; k++) {
        const uint32_t v = o->piece.list[node->use + k];

        *freed += dies_with(o, v) ? words_of(o, v) : 0;
    }
}

/* Words live while node i runs, of words before it: ptx_live_build() counts so. */
static uint32_t during(const struct order *o, uint32_t i, uint32_t words)
{
    uint32_t made, freed;

    effect(o, i, &made, &freed);
    return words + made - (o->piece.node[i].n_def > 1 ? 0 : freed);
}

/* ... and behind it. */
static uint32_t behind(struct order *o, uint32_t i, uint32_t words)
{
    const struct ptx_node *const node = &o->piece.node[i];
    uint32_t made, freed;

    effect(o, i, &made, &freed);
    for (uint32_t k = 0; k < node->n_use; k++) {
        o->readers[o->piece.list[node->use + k]]--;
    }
    for (uint32_t k = 0; k < node->n_def; k++) {
        const uint32_t v = o->piece.list[node->def + k];
        const bool is_dead = o->readers[v] == 0 && !o->piece.values[v].is_out;

        freed += is_dead ? words_of(o, v) : 0;
    }
    return words + made - freed;
}

/* ---- one piece ---- */

static void measure_ways(struct order *o)
{
    for (uint32_t i = o->piece.n; i > 0; i--) {
        const struct ptx_node *const node = &o->piece.node[i - 1];

        o->way[i - 1] = node->latency;
        for (uint32_t e = node->edge; e != PTX_NONE; e = o->piece.edges[e].next) {
            const struct ptx_edge *const edge = &o->piece.edges[e];
            const uint32_t way = edge->latency + o->way[edge->to];

            o->way[i - 1] = way > o->way[i - 1] ? way : o->way[i - 1];
        }
    }
}

/* Is node a the better choice of the two at cycle now? */
static bool is_better(const struct order *o, uint32_t a, uint32_t b, uint32_t now)
{
    const uint32_t at = o->ready_at[a] > now ? o->ready_at[a] : now;
    const uint32_t bt = o->ready_at[b] > now ? o->ready_at[b] : now;

    if (at != bt) {
        return at < bt;
    }
    return o->way[a] != o->way[b] ? o->way[a] > o->way[b] : a < b;
}

/* Of those that free words the one that frees most, else the first in the text: what
 * is written before it is what the text has live there. */
static bool needs_fewer(const struct order *o, uint32_t a, uint32_t b)
{
    uint32_t made[2], freed[2];

    effect(o, a, &made[0], &freed[0]);
    effect(o, b, &made[1], &freed[1]);
    if (made[0] > freed[0] && made[1] > freed[1]) {
        return a < b;
    }
    if (made[0] + freed[1] != made[1] + freed[0]) {
        return made[0] + freed[1] < made[1] + freed[0];
    }
    return a < b;
}

/* The place in the list of the node to take next. */
static uint32_t choose(const struct order *o, uint32_t now, uint32_t words,
                       uint32_t limit)
{
    uint32_t best = 0;

    for (uint32_t k = 1; k < o->n_list; k++) {
        best = is_better(o, o->list[k], o->list[best], now) ? k : best;
    }
    if (during(o, o->list[best], words) <= limit) {
        return best;
    }
    for (uint32_t k = 0; k < o->n_list; k++) {
        best = needs_fewer(o, o->list[k], o->list[best]) ? k : best;
    }
    return best;
}

static void release(struct order *o, uint32_t i, uint32_t now)
{
    for (uint32_t e = o->piece.node[i].edge; e != PTX_NONE;
         e = o->piece.edges[e].next) {
        const struct ptx_edge *const edge = &o->piece.edges[e];
        const uint32_t at = now + edge->latency;

        o->ready_at[edge->to] = at > o->ready_at[edge->to] ? at : o->ready_at[edge->to];
        if (--o->left[edge->to] == 0) {
            o->list[o->n_list++] = edge->to;
        }
    }
}

/* Orders the piece; the most words live at a place of it. */
static uint32_t play(struct order *o, uint32_t limit)
{
    struct ptx_piece *const p = &o->piece;
    uint32_t now = 0, words = o->live->words[2 * p->first], most = words;

    o->n_list = 0;
    for (uint32_t v = 0; v < p->n_values; v++) {
        o->readers[v] = p->values[v].readers;
    }
    for (uint32_t i = 0; i < p->n; i++) {
        o->ready_at[i] = 0;
        o->left[i] = p->node[i].n_before;
        if (o->left[i] == 0) {
            o->list[o->n_list++] = i;
        }
    }
    for (uint32_t n = 0; n < p->n; n++) {
        const uint32_t at = choose(o, now, words, limit), i = o->list[at];
        const uint32_t peak = during(o, i, words);

        o->list[at] = o->list[--o->n_list];
        o->taken[n] = i;
        now = o->ready_at[i] > now ? o->ready_at[i] : now;
        most = peak > most ? peak : most;
        words = behind(o, i, words);
        release(o, i, now);
        now += p->target->issue;
    }
    return most;
}

static void apply(struct order *o)
{
    struct ptx_insn *const insn = &o->f->insn[o->piece.first];

    memcpy(o->insn, insn, o->piece.n * sizeof(insn[0]));
    for (uint32_t n = 0; n < o->piece.n; n++) {
        insn[n] = o->insn[o->taken[n]];
    }
}

/* A piece for which no order within the limit is found stays as it is. */
static void order_piece(struct order *o, uint32_t first, uint32_t n)
{
    enum { TRIES = 4 };

    ptx_piece_build(&o->piece, first, n, o->is_out);
    if (o->piece.n_values > o->cap_readers) {
        o->cap_readers = 2 * o->piece.n_values;
        o->readers = arena_alloc(o->piece.a, o->cap_readers * sizeof(o->readers[0]));
    }
    measure_ways(o);
    for (uint32_t t = 0; t < TRIES; t++) {
        /* A smaller limit is reached with some choices left. */
        if (play(o, o->limit - o->limit * t / 8) <= o->limit) {
            apply(o);
            return;
        }
    }
}

/* ---- blocks ---- */

/* Which registers are live in front of instructions first .. first + n - 1, of those
 * live behind them. */
static void step_back(struct order *o, uint32_t first, uint32_t n)
{
    struct ptx_access *const x = &o->piece.x;

    for (uint32_t i = first + n; i > first; i--) {
        const struct ptx_insn *const in = &o->f->insn[i - 1];

        ptx_accesses(o->f, in, x);
        for (uint32_t k = 0; k < x->n_def; k++) {
            o->is_out[x->def[k]] = in->guard != PTX_NONE && !in->is_fresh;
        }
        for (uint32_t k = 0; k < x->n_use; k++) {
            o->is_out[x->use[k]] = true;
        }
    }
}

static void cut(struct order *o, const struct ptx_block *b)
{
    uint32_t first = b->first;

    o->n_part = 0;
    for (uint32_t i = b->first; i < b->end; i++) {
        if (i + 1 == b->end || i + 1 - first == PTX_MAX_PIECE ||
            ptx_is_wall(o->f, o->piece.target, &o->f->insn[i])) {
            o->part = ptx_grow(o->piece.a, o->part, o->n_part, &o->cap_part,
                               sizeof(o->part[0]));
            o->part[o->n_part].first = first;
            o->part[o->n_part++].n = i + 1 - first;
            first = i + 1;
        }
    }
}

/* From its end, as that is how it is known what is live. */
static void order_block(struct order *o, const struct ptx_flow *flow, uint32_t block)
{
    const struct ptx_block *const b = &flow->block[block];

    for (uint32_t i = o->live->dying_at[block]; i < o->live->dying_at[block + 1]; i++) {
        o->is_out[o->live->dying[i]] = false;
    }
    cut(o, b);
    for (uint32_t i = o->n_part; i > 0; i--) {
        order_piece(o, o->part[i - 1].first, o->part[i - 1].n);
        step_back(o, o->part[i - 1].first, o->part[i - 1].n);
    }
    for (uint32_t i = b->first; i < b->end; i++) { /* all true again */
        ptx_accesses(o->f, &o->f->insn[i], &o->piece.x);
        for (uint32_t k = 0; k < o->piece.x.n_def; k++) {
            o->is_out[o->piece.x.def[k]] = true;
        }
    }
    for (uint32_t i = o->live->dying_at[block]; i < o->live->dying_at[block + 1]; i++) {
        o->is_out[o->live->dying[i]] = true;
    }
}

/* Words of what is the same for all threads of a launch: kernel parameters and sizes.
 * Machine code reads them where it needs them, from the constant bank. */
static uint32_t constant_words(const struct ptx_ir *f)
{
    uint32_t words = 0;

    for (uint32_t i = 0; i < f->n_insn; i++) {
        const struct ptx_insn *const in = &f->insn[i];
        const struct ptx_opnd *const o = &f->opnd[in->opnd];
        const bool is_param =
            in->form.op == ISA_OP_LD && in->form.space == ISA_SP_PARAM && f->is_kernel;
        const bool is_size =
            in->form.op == ISA_OP_MOV && o[1].kind == OK_SREG &&
            ((o[1].id >= ISA_SR_NTID_X && o[1].id <= ISA_SR_NTID_Z) ||
             (o[1].id >= ISA_SR_NCTAID_X && o[1].id <= ISA_SR_NCTAID_Z));

        if ((is_param || is_size) && o[0].kind == OK_REG) {
            words += ptx_reg_words(f, o[0].id);
        }
    }
    return words;
}

void ptx_schedule(struct arena *a, const struct ptx_private *pr, struct ptx_ir *f,
                  const struct ptx_flow *flow, const struct ptx_live *live,
                  uint32_t max_words, const struct ptx_target *target)
{
    struct order *const o = arena_alloc(a, sizeof(*o));
    uint32_t max = 0;

    for (uint32_t b = 0; b < flow->n_blocks; b++) {
        const uint32_t n = flow->block[b].end - flow->block[b].first;

        max = n > max ? n : max;
    }
    max = max > PTX_MAX_PIECE ? PTX_MAX_PIECE : max;
    ptx_piece_init(&o->piece, a, pr, f, target, max);
    o->piece.turns = target->cc >= TURNS_CC && ptx_flow_has_turns(a, f, flow);
    o->way = arena_alloc(a, max * sizeof(o->way[0]));
    o->ready_at = arena_alloc(a, max * sizeof(o->ready_at[0]));
    o->left = arena_alloc(a, max * sizeof(o->left[0]));
    o->list = arena_alloc(a, max * sizeof(o->list[0]));
    o->taken = arena_alloc(a, max * sizeof(o->taken[0]));
    o->insn = arena_alloc(a, max * sizeof(o->insn[0]));
    o->f = f;
    o->live = live;
    o->limit = max_words > live->max_words ? max_words : live->max_words;
    o->limit += target->cc >= CONSTANTS_CC ? constant_words(f) : 0;
    o->is_out = arena_alloc(a, f->n_vreg + 1);
    memset(o->is_out, true, f->n_vreg + 1);
    for (uint32_t b = 0; b < flow->n_blocks; b++) {
        order_block(o, flow, b);
    }
}
