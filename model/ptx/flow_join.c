/*
 * Where lanes that part meet again although some of them leave for good.
 *
 * A branch's lanes all pass its post-dominator. Inside a loop that some leave by a
 * break, or a kernel that some leave by a return, that is no place inside: the next
 * iteration, and all that follows, would run once for each way through. Real code meets
 * before (SPEC SIMT-1): at the post-dominator that the branch has when the edges that
 * leave are not there, and the lanes that take one of those are taken off the list of
 * who is waited for.
 *
 * A level is the body of a loop, or the function. A branch meets by the graph of the
 * innermost level that none of its own edges leaves: its home.
 */
#include "ptx/flow_priv.h"

#include "base/attr.h"
#include <string.h>

struct level {
    uint32_t header; /* block; PTX_NONE: the function */
    uint32_t *body;  /* its blocks */
    uint32_t n;
};

struct joins {
    struct arena *a;
    const struct ptx_ir *f;
    struct ptx_flow *flow;
    uint32_t *idom;
    uint32_t *home;  /* level of each block that ends with a branch, PTX_NONE: none */
    uint32_t *size;  /* blocks of that level */
    uint32_t *mark;  /* of each block, for who visits */
    uint32_t *index; /* of each block in the graph of a level */
    uint32_t *stack;
    uint32_t *seen; /* of each block: the round in which it was visited last */
    uint32_t *within;
    uint32_t round;
};

static uint32_t succ_of(const struct joins *j, uint32_t b, uint32_t k)
{
    return j->flow->succ[j->flow->block[b].succ + k];
}

/* Dominators are the post-dominators of the graph turned round. */
static void dominators(struct joins *j)
{
    const struct ptx_flow *const flow = j->flow;
    const uint32_t n = flow->n_blocks;
    uint32_t *const off = arena_alloc(j->a, (n + 1) * sizeof(off[0]));
    uint32_t *const succ = arena_alloc(j->a, (flow->n_succ + 2) * sizeof(succ[0]));
    uint32_t at = 0;

    for (uint32_t b = 0; b < n; b++) {
        memcpy(succ + at, flow->pred + flow->block[b].pred,
               flow->block[b].n_pred * sizeof(succ[0]));
        at += flow->block[b].n_pred;
        if (b == 0) {
            succ[at++] = n;
        }
        off[b + 1] = at;
    }
    j->idom = arena_alloc(j->a, (n + 1) * sizeof(j->idom[0]));
    ptx_post_dominators(j->a, n, off, succ, j->idom);
}

static bool dominates(const struct joins *j, uint32_t by, uint32_t b)
{
    while (b != by && b < j->flow->n_blocks) {
        b = j->idom[b];
    }
    return b == by;
}

/* Adds what leads to block b without passing the header to the level's body. */
static void add_body(struct joins *j, struct level *l, uint32_t b, uint32_t id)
{
    uint32_t depth = 0;

    if (j->mark[b] != id) {
        j->mark[b] = id;
        j->stack[depth++] = b;
    }
    while (depth != 0) {
        const struct ptx_block *const k = &j->flow->block[j->stack[--depth]];

        l->body[l->n++] = j->stack[depth];
        for (uint32_t i = 0; i < k->n_pred; i++) {
            const uint32_t from = j->flow->pred[k->pred + i];

            if (j->mark[from] != id) {
                j->mark[from] = id;
                j->stack[depth++] = from;
            }
        }
    }
}

/* The natural loop of a header: marks its blocks with id. False: it heads none. */
static bool find_loop(struct joins *j, uint32_t header, struct level *l, uint32_t id)
{
    const struct ptx_block *const h = &j->flow->block[header];

    *l = (struct level){.header = header, .body = l->body};
    for (uint32_t k = 0; k < h->n_pred; k++) {
        const uint32_t from = j->flow->pred[h->pred + k];

        if (dominates(j, header, from)) {
            if (l->n == 0) {
                l->body[l->n++] = header;
                j->mark[header] = id;
            }
            add_body(j, l, from, id);
        }
    }
    return l->n != 0;
}

/* bra with a guard: the only end of a block of which one edge may leave a level. */
static bool is_branch(const struct joins *j, uint32_t b)
{
    const struct ptx_block *const k = &j->flow->block[b];

    return k->n_succ == 2 && j->f->insn[k->end - 1].form.op == ISA_OP_BRA;
}

static bool is_return(const struct joins *j, uint32_t insn)
{
    const enum isa_op op = (enum isa_op)j->f->insn[insn].form.op;

    return op == ISA_OP_RET || op == ISA_OP_EXIT;
}

/* A block behind which nothing but the end comes, and to which one edge leads; or the
 * end itself. */
static bool ends_there(const struct joins *j, uint32_t b)
{
    const struct ptx_block *const k = &j->flow->block[b];

    if (is_return(j, k->first)) {
        return true;
    }
    if (k->n_pred != 1 || k->n_succ != 1) {
        return false;
    }
    const uint32_t to = succ_of(j, b, 0);

    return to >= j->flow->n_blocks || is_return(j, j->flow->block[to].first);
}

/* Whether an edge of block b leaves the level whose blocks are marked with id. */
static bool leaves(const struct joins *j, const struct level *l, uint32_t b, uint32_t k,
                   uint32_t id)
{
    const uint32_t to = succ_of(j, b, k);

    if (l->header != PTX_NONE) {
        return to >= j->flow->n_blocks || j->mark[to] != id;
    }
    return j->flow->block[b].n_succ > 1 && to < j->flow->n_blocks && ends_there(j, to);
}

/* Post-dominators in the level without the edges that leave it: of each of its blocks,
 * PTX_NONE: none. A way back to the header is the end of an iteration. */
static void find_meets(struct joins *j, const struct level *l, uint32_t id)
{
    uint32_t *const off = arena_alloc(j->a, (l->n + 1) * sizeof(off[0]));
    uint32_t *const meets = arena_alloc(j->a, (l->n + 1) * sizeof(meets[0]));
    uint32_t n = 0, at = 0;

    for (uint32_t i = 0; i < l->n; i++) {
        j->index[l->body[i]] = i;
        n += j->flow->block[l->body[i]].n_succ;
    }
    uint32_t *const succ = arena_alloc(j->a, (n + l->n + 1) * sizeof(succ[0]));

    for (uint32_t i = 0; i < l->n; i++) {
        for (uint32_t k = 0; k < j->flow->block[l->body[i]].n_succ; k++) {
            const uint32_t to = succ_of(j, l->body[i], k);

            if (!leaves(j, l, l->body[i], k, id)) {
                succ[at++] =
                    to >= j->flow->n_blocks || to == l->header ? l->n : j->index[to];
            }
        }
        if (at == off[i]) {
            succ[at++] = l->n;
        }
        off[i + 1] = at;
    }
    ptx_post_dominators(j->a, l->n, off, succ, meets);
    for (uint32_t i = 0; i < l->n; i++) {
        struct ptx_block *const k = &j->flow->block[l->body[i]];

        if (j->home[l->body[i]] == id && meets[i] < l->n) {
            k->join = l->body[meets[i]];
        }
    }
}

/*
 * Visits what lies between branch b and the place where it shall meet. Whether all is
 * well there: lanes that leave the level do so by a branch, and pass where b's lanes
 * are waited for at last; all other branches meet within. mark: notes the edges by
 * which lanes leave.
 */
static bool visit(struct joins *j, const struct level *l, uint32_t b, uint32_t id,
                  bool mark)
{
    const uint32_t meet = j->flow->block[b].join, last = j->flow->block[b].ipdom;
    const uint32_t round = ++j->round;
    uint32_t depth = 0, n = 0;

    j->seen[meet] = round;
    j->seen[b] = round;
    j->stack[depth++] = b;
    while (depth != 0) {
        const uint32_t at = j->stack[--depth];
        struct ptx_block *const k = &j->flow->block[at];
        uint32_t out = 0;

        for (uint32_t i = 0; i < k->n_succ; i++) {
            const uint32_t to = succ_of(j, at, i);

            if (leaves(j, l, at, i, id)) {
                out |= 1u << (i & 7u);
            } else if (to < j->flow->n_blocks && j->seen[to] != round) {
                j->seen[to] = round;
                j->stack[depth++] = to;
            }
        }
        if (out != 0 && (!is_branch(j, at) || out == 3 || k->ipdom != last)) {
            return false;
        }
        k->leaves |= mark ? (uint8_t)out : 0;
        if (out == 0 && k->n_succ > 1) {
            j->within[n++] = k->join;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        if (j->within[i] >= j->flow->n_blocks || j->seen[j->within[i]] != round) {
            return false;
        }
    }
    return true;
}

static void mark_level(struct joins *j, const struct level *l, uint32_t id)
{
    for (uint32_t i = 0; i < l->n; i++) {
        j->mark[l->body[i]] = id;
    }
}

/* Branches of which no edge leaves level id are at home there, but for those that have
 * a smaller one. */
static void find_homes(struct joins *j, const struct level *l, uint32_t id)
{
    for (uint32_t i = 0; i < l->n; i++) {
        const uint32_t b = l->body[i];

        if (is_branch(j, b) && !leaves(j, l, b, 0, id) && !leaves(j, l, b, 1, id) &&
            l->n < j->size[b]) {
            j->size[b] = l->n;
            j->home[b] = id;
        }
    }
}

/* Branches of the level for which meeting there does not hold meet where they did.
 * Whether there was one. */
static bool check_level(struct joins *j, const struct level *l, uint32_t id, bool mark)
{
    bool changed = false;

    for (uint32_t i = 0; i < l->n; i++) {
        struct ptx_block *const k = &j->flow->block[l->body[i]];

        if (j->home[l->body[i]] == id && k->join != k->ipdom &&
            !visit(j, l, l->body[i], id, mark)) {
            k->join = k->ipdom;
            changed = true;
        }
    }
    return changed;
}

/* The function and its loops. */
static uint32_t find_levels(struct joins *j, struct level *levels)
{
    const uint32_t n = j->flow->n_blocks;
    struct level l = {.body = arena_alloc(j->a, (n + 1) * sizeof(l.body[0]))};
    uint32_t n_levels = 1;

    levels[0] = (struct level){.header = PTX_NONE, .n = n};
    levels[0].body = arena_alloc(j->a, (n + 1) * sizeof(l.body[0]));
    for (uint32_t b = 0; b < n; b++) {
        levels[0].body[b] = b;
    }
    for (uint32_t h = 0; h < n; h++) {
        if (find_loop(j, h, &l, n_levels)) {
            levels[n_levels] = l;
            levels[n_levels].body = arena_alloc(j->a, l.n * sizeof(l.body[0]));
            memcpy(levels[n_levels++].body, l.body, l.n * sizeof(l.body[0]));
        }
    }
    return n_levels;
}

static void begin(struct joins *j)
{
    const uint32_t n = j->flow->n_blocks;
    uint32_t **const arrays[] = {&j->home,  &j->size, &j->mark,  &j->index,
                                 &j->stack, &j->seen, &j->within};

    for (uint32_t i = 0; i < ARRAY_LEN(arrays); i++) {
        *arrays[i] = arena_alloc(j->a, (n + 1) * sizeof(uint32_t));
    }
    for (uint32_t b = 0; b < n; b++) {
        j->home[b] = PTX_NONE;
        j->size[b] = UINT32_MAX;
        j->flow->block[b].join = j->flow->block[b].ipdom;
        j->flow->block[b].leaves = 0;
    }
    dominators(j);
}

void ptx_flow_join(struct arena *a, const struct ptx_ir *f, struct ptx_flow *flow)
{
    struct joins j = {.a = a, .f = f, .flow = flow};
    struct level *const levels =
        arena_alloc(a, (flow->n_blocks + 1) * sizeof(levels[0]));
    uint32_t n_levels;
    bool changed = true;

    begin(&j);
    n_levels = find_levels(&j, levels);
    for (uint32_t id = 0; id < n_levels; id++) {
        mark_level(&j, &levels[id], id);
        find_homes(&j, &levels[id], id);
    }
    for (uint32_t id = 0; id < n_levels; id++) {
        mark_level(&j, &levels[id], id);
        find_meets(&j, &levels[id], id);
    }
    while (changed) {
        changed = false;
        for (uint32_t id = 0; id < n_levels; id++) {
            mark_level(&j, &levels[id], id);
            changed |= check_level(&j, &levels[id], id, false);
        }
    }
    for (uint32_t id = 0; id < n_levels; id++) {
        mark_level(&j, &levels[id], id);
        check_level(&j, &levels[id], id, true);
    }
}
