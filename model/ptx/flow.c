/* Basic blocks and immediate post-dominators. */
#include "ptx/flow_priv.h"

#include <string.h>

/* ---- post-dominators ---- */

struct reverse {
    uint32_t n;
    uint32_t *off, *pred; /* predecessors of each node, n + 1 nodes with the exit */
    uint32_t *order;      /* post-order number of each node, n + 1: not reached */
    uint32_t *by_order;   /* node of each number */
    uint32_t n_order;
    uint32_t *stack, *at; /* of the walk */
};

/* Nodes from which root is reached, numbered when left. */
static void walk(struct reverse *r, uint32_t root)
{
    uint32_t depth = 0;

    r->stack[depth++] = root;
    r->order[root] = r->n; /* seen */
    r->at[root] = r->off[root];
    while (depth > 0) {
        const uint32_t node = r->stack[depth - 1];

        if (r->at[node] == r->off[node + 1]) {
            r->by_order[r->n_order] = node;
            r->order[node] = r->n_order++;
            depth--;
            continue;
        }
        const uint32_t next = r->pred[r->at[node]++];
        if (r->order[next] == r->n + 1) {
            r->order[next] = r->n;
            r->at[next] = r->off[next];
            r->stack[depth++] = next;
        }
    }
}

static void reverse_edges(struct arena *a, struct reverse *r, uint32_t n,
                          const uint32_t *off, const uint32_t *succ,
                          const bool *to_exit)
{
    uint32_t *fill;

    r->off = arena_alloc(a, (n + 3) * sizeof(r->off[0]));
    r->pred = arena_alloc(a, (off[n] + n + 1) * sizeof(r->pred[0]));
    fill = arena_alloc(a, (n + 2) * sizeof(fill[0]));
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = off[i]; k < off[i + 1]; k++) {
            r->off[succ[k] + 1]++;
        }
        r->off[n + 1] += to_exit[i];
    }
    for (uint32_t i = 0; i <= n; i++) {
        r->off[i + 1] += r->off[i];
        fill[i] = r->off[i];
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = off[i]; k < off[i + 1]; k++) {
            r->pred[fill[succ[k]]++] = i;
        }
        if (to_exit[i]) {
            r->pred[fill[n]++] = i;
        }
    }
}

static void number(struct reverse *r)
{
    r->n_order = 0;
    for (uint32_t i = 0; i <= r->n; i++) {
        r->order[i] = r->n + 1;
    }
    walk(r, r->n);
}

/* Which nodes need an edge to the exit so that all reach it. */
static void connect(struct reverse *r, bool *to_exit)
{
    number(r);
    for (uint32_t i = r->n; i > 0; i--) {
        if (r->order[i - 1] == r->n + 1) {
            to_exit[i - 1] = true;
            walk(r, i - 1);
        }
    }
}

static uint32_t meet(const struct reverse *r, const uint32_t *idom, uint32_t x,
                     uint32_t y)
{
    while (x != y) {
        while (r->order[x] < r->order[y]) {
            x = idom[x];
        }
        while (r->order[y] < r->order[x]) {
            y = idom[y];
        }
    }
    return x;
}

/* One pass over the nodes in reverse post-order; whether anything changed. */
static bool improve(const struct reverse *r, const uint32_t *off, const uint32_t *succ,
                    const bool *to_exit, uint32_t *idom)
{
    bool changed = false;

    for (uint32_t o = r->n_order - 1; o > 0; o--) {
        const uint32_t i = r->by_order[o - 1];
        uint32_t best = to_exit[i] ? r->n : PTX_NONE;

        for (uint32_t k = off[i]; k < off[i + 1]; k++) {
            if (idom[succ[k]] != PTX_NONE) {
                best = best == PTX_NONE ? succ[k] : meet(r, idom, best, succ[k]);
            }
        }
        changed |= idom[i] != best;
        idom[i] = best;
    }
    return changed;
}

void ptx_post_dominators(struct arena *a, uint32_t n, const uint32_t *off,
                         const uint32_t *succ, uint32_t *ipdom)
{
    struct reverse r = {.n = n};
    bool *const to_exit = arena_alloc(a, (n + 1) * sizeof(to_exit[0]));
    uint32_t *const idom = arena_alloc(a, (n + 1) * sizeof(idom[0]));

    r.order = arena_alloc(a, (n + 1) * sizeof(r.order[0]));
    r.by_order = arena_alloc(a, (n + 1) * sizeof(r.by_order[0]));
    r.stack = arena_alloc(a, (n + 1) * sizeof(r.stack[0]));
    r.at = arena_alloc(a, (n + 1) * sizeof(r.at[0]));
    reverse_edges(a, &r, n, off, succ, to_exit);
    connect(&r, to_exit);
    reverse_edges(a, &r, n, off, succ, to_exit);
    number(&r);
    for (uint32_t i = 0; i < n; i++) {
        idom[i] = PTX_NONE;
    }
    idom[n] = n;
    while (improve(&r, off, succ, to_exit, idom)) {
    }
    memcpy(ipdom, idom, n * sizeof(ipdom[0]));
}

/* ---- blocks ---- */

static bool ends_block(const struct ptx_insn *in)
{
    const enum isa_op op = (enum isa_op)in->form.op;

    return op == ISA_OP_BRA || op == ISA_OP_BRX ||
           ((op == ISA_OP_RET || op == ISA_OP_EXIT) && in->guard == PTX_NONE);
}

/* To how many labels an instruction may branch. */
static uint32_t n_targets(const struct ptx_ir *f, const struct ptx_insn *in)
{
    switch ((enum isa_op)in->form.op) {
    case ISA_OP_BRA: return 1;
    case ISA_OP_BRX: return f->targets[f->opnd[in->opnd + 1].id].n;
    default: return 0;
    }
}

/* The instruction behind the k-th of them. */
static uint32_t target(const struct ptx_ir *f, const struct ptx_insn *in, uint32_t k)
{
    const struct ptx_opnd *const o = &f->opnd[in->opnd];
    const uint32_t label = in->form.op == ISA_OP_BRA
                               ? o->id
                               : f->target_list[f->targets[o[1].id].first + k];

    return f->label[label].at;
}

/* Where branches lead. A label that none names does not end a block: branches around
 * what has become guarded are gone (SPEC PTX-3). */
static void mark_targets(const struct ptx_ir *f, bool *leads)
{
    for (uint32_t i = 0; i < f->n_insn; i++) {
        const struct ptx_insn *const in = &f->insn[i];

        for (uint32_t k = 0; k < n_targets(f, in); k++) {
            leads[target(f, in, k)] = true;
        }
    }
}

static void find_blocks(struct arena *a, const struct ptx_ir *f, struct ptx_flow *flow)
{
    const uint32_t n = f->n_insn;
    bool *const leads = arena_alloc(a, (n + 1) * sizeof(leads[0]));
    uint32_t count = 0;

    mark_targets(f, leads);
    for (uint32_t i = 0; i < n; i++) {
        leads[i + 1] |= ends_block(&f->insn[i]);
    }
    leads[0] = true;
    for (uint32_t i = 0; i < n; i++) {
        count += leads[i];
    }
    flow->block = arena_alloc(a, (count + 1) * sizeof(flow->block[0]));
    flow->block_of = arena_alloc(a, (n + 1) * sizeof(flow->block_of[0]));
    for (uint32_t i = 0; i < n; i++) {
        if (leads[i]) {
            flow->block[flow->n_blocks++].first = i;
        }
        flow->block[flow->n_blocks - 1].end = i + 1;
        flow->block_of[i] = flow->n_blocks - 1;
    }
    flow->block_of[n] = flow->n_blocks;
}

static void add_succ(struct arena *a, struct ptx_flow *flow, struct ptx_block *b,
                     uint32_t to)
{
    *PTX_PUSH(a, flow->succ, flow->n_succ, flow->cap_succ) = to;
    b->n_succ++;
}

static void successors(struct arena *a, const struct ptx_ir *f, struct ptx_flow *flow,
                       struct ptx_block *b)
{
    const struct ptx_insn *const last = &f->insn[b->end - 1];
    const uint32_t n = n_targets(f, last);
    bool goes_on = true;

    b->succ = flow->n_succ;
    if (ends_block(last)) {
        goes_on = last->guard != PTX_NONE;
        for (uint32_t k = 0; k < n; k++) {
            add_succ(a, flow, b, flow->block_of[target(f, last, k)]);
        }
        if (n == 0) { /* ret and exit */
            add_succ(a, flow, b, flow->n_blocks);
        }
    }
    if (goes_on) {
        add_succ(a, flow, b, flow->block_of[b->end]);
    }
}

static void predecessors(struct arena *a, struct ptx_flow *flow)
{
    flow->pred = arena_alloc(a, (flow->n_succ + 1) * sizeof(flow->pred[0]));
    for (uint32_t i = 0; i < flow->n_succ; i++) {
        if (flow->succ[i] < flow->n_blocks) {
            flow->block[flow->succ[i]].n_pred++;
        }
    }
    for (uint32_t i = 0, at = 0; i < flow->n_blocks; i++) {
        flow->block[i].pred = at;
        at += flow->block[i].n_pred;
        flow->block[i].n_pred = 0;
    }
    for (uint32_t i = 0; i < flow->n_blocks; i++) {
        for (uint32_t k = 0; k < flow->block[i].n_succ; k++) {
            const uint32_t s = flow->succ[flow->block[i].succ + k];

            if (s < flow->n_blocks) {
                flow->pred[flow->block[s].pred + flow->block[s].n_pred++] = i;
            }
        }
    }
}

/* ---- where lanes meet ---- */

/* Which blocks lead to the end of the function, or to an exit: ways out of one kind. */
static bool *find_leading(struct arena *a, const struct ptx_ir *f,
                          const struct ptx_flow *flow, bool exits)
{
    bool *const leads = arena_alloc(a, flow->n_blocks + 1);
    bool more = true;

    while (more) {
        more = false;
        for (uint32_t i = flow->n_blocks; i > 0; i--) {
            const struct ptx_block *const b = &flow->block[i - 1];
            const struct ptx_insn *const last = &f->insn[b->end - 1];
            const bool ends_so =
                (last->form.op == ISA_OP_EXIT && last->guard == PTX_NONE) == exits;
            bool now = leads[i - 1];

            for (uint32_t k = 0; k < b->n_succ; k++) {
                const uint32_t s = flow->succ[b->succ + k];

                now |= s == flow->n_blocks ? ends_so : leads[s];
            }
            more |= now != leads[i - 1];
            leads[i - 1] = now;
        }
    }
    return leads;
}

/* SPEC SIMT-1: ways that only lead to an exit do not count where others do not. */
static void post_dominators(struct arena *a, const struct ptx_ir *f,
                            struct ptx_flow *flow)
{
    const uint32_t n = flow->n_blocks;
    const bool *const ends = find_leading(a, f, flow, false);
    const bool *const exits = find_leading(a, f, flow, true);
    uint32_t *const off = arena_alloc(a, (n + 1) * sizeof(off[0]));
    uint32_t *const succ = arena_alloc(a, (flow->n_succ + 1) * sizeof(succ[0]));
    uint32_t *const ipdom = arena_alloc(a, (n + 1) * sizeof(ipdom[0]));

    for (uint32_t i = 0; i < n; i++) {
        const struct ptx_block *const b = &flow->block[i];

        off[i + 1] = off[i];
        for (uint32_t k = 0; k < b->n_succ; k++) {
            const uint32_t s = flow->succ[b->succ + k];

            if (s == n || !ends[i] || ends[s] || !exits[s]) {
                succ[off[i + 1]++] = s;
            }
        }
    }
    ptx_post_dominators(a, n, off, succ, ipdom);
    for (uint32_t i = 0; i < n; i++) {
        flow->block[i].ipdom = ipdom[i];
    }
}

void ptx_flow_build(struct arena *a, const struct ptx_ir *f, struct ptx_flow *flow)
{
    memset(flow, 0, sizeof(*flow));
    find_blocks(a, f, flow);
    for (uint32_t i = 0; i < flow->n_blocks; i++) {
        successors(a, f, flow, &flow->block[i]);
    }
    predecessors(a, flow);
    post_dominators(a, f, flow);
}
