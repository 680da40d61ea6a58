/*
 * Which instructions poll: a loop ends by what they read, and others may change that
 * (SPEC SIMT-3). From 7.0 on compilers put an instruction beside them that lets other
 * lanes of the warp run (YIELD); in loops that only count, or that end by what the
 * thread itself computes, they put none.
 *
 * Of each loop the registers are collected on which the branches that leave it depend:
 * what they are made of, and the conditions under which those are written.
 */
#include "ptx/flow_priv.h"

#include <string.h>

struct polls {
    const struct ptx_ir *f;
    const struct ptx_flow *flow;
    bool *polls;
    bool *back;   /* of each edge, as flow->succ: it leads to a block on the way here */
    bool *body;   /* of each block: it is part of the loop */
    bool *reg;    /* of each register: the loop's end depends on it */
    bool *done;   /* of each instruction: its operands are among them */
    bool *branch; /* of each block: the condition at its end is among them */
    bool *asked;  /* of each block: and those on which it depends */
    uint32_t *todo;
    struct ptx_access *x;
    bool more;
};

static bool reads_others(const struct ptx_insn *in)
{
    switch ((enum isa_op)in->form.op) {
    case ISA_OP_LD: return ptx_is_volatile(in);
    case ISA_OP_ATOM: return true;
    case ISA_OP_MBARRIER:
        return in->form.sub == ISA_S_TEST || in->form.sub == ISA_S_TRY;
    default: return false;
    }
}

/* Does an instruction of the loop; body NULL: of the function? */
static bool any_reads_others(const struct ptx_ir *f, const struct ptx_flow *flow,
                             const bool *body)
{
    for (uint32_t i = 0; i < f->n_insn; i++) {
        if (reads_others(&f->insn[i]) && (body == NULL || body[flow->block_of[i]])) {
            return true;
        }
    }
    return false;
}

/* The edges that lead back, seen from the first block: the order of the text says
 * nothing, since compilers put the test of a loop behind what it tests. */
static void find_back(struct polls *p, struct arena *a)
{
    const struct ptx_flow *flow = p->flow;
    bool *const seen = arena_alloc(a, flow->n_blocks + 1);
    bool *const on_way = arena_alloc(a, flow->n_blocks + 1);
    uint32_t *const next = arena_alloc(a, (flow->n_blocks + 1) * sizeof(next[0]));
    uint32_t n = 0;

    p->back = arena_alloc(a, flow->n_succ + 1);
    if (flow->n_blocks != 0) {
        p->todo[n++] = 0;
        seen[0] = on_way[0] = true;
    }
    while (n != 0) {
        const uint32_t b = p->todo[n - 1];
        const struct ptx_block *k = &flow->block[b];

        if (next[b] == k->n_succ) {
            on_way[b] = false;
            n--;
            continue;
        }
        const uint32_t edge = k->succ + next[b]++, to = flow->succ[edge];

        if (to >= flow->n_blocks) {
            continue;
        }
        p->back[edge] = on_way[to];
        if (!seen[to]) {
            seen[to] = on_way[to] = true;
            p->todo[n++] = to;
        }
    }
}

static bool leads_back(const struct polls *p, uint32_t from, uint32_t to)
{
    const struct ptx_block *k = &p->flow->block[from];

    for (uint32_t i = 0; i < k->n_succ; i++) {
        if (p->flow->succ[k->succ + i] == to && p->back[k->succ + i]) {
            return true;
        }
    }
    return false;
}

/* The blocks from which the header is reached by a way back; false: there is none. */
static bool find_body(struct polls *p, uint32_t header)
{
    const struct ptx_flow *flow = p->flow;
    const struct ptx_block *h = &flow->block[header];
    uint32_t n = 0;

    memset(p->body, 0, flow->n_blocks * sizeof(p->body[0]));
    p->body[header] = true;
    for (uint32_t k = 0; k < h->n_pred; k++) {
        const uint32_t from = flow->pred[h->pred + k];

        if (leads_back(p, from, header)) {
            p->todo[n++] = from;
        }
    }
    if (n == 0) {
        return false;
    }
    while (n != 0) {
        const uint32_t b = p->todo[--n];
        const struct ptx_block *k = &flow->block[b];

        if (p->body[b]) {
            continue;
        }
        p->body[b] = true;
        for (uint32_t i = 0; i < k->n_pred; i++) {
            if (!p->body[flow->pred[k->pred + i]]) {
                p->todo[n++] = flow->pred[k->pred + i];
            }
        }
    }
    return true;
}

static void depend_on(struct polls *p, uint32_t i)
{
    if (p->done[i]) {
        return;
    }
    p->done[i] = true;
    p->more = true;
    p->polls[i] |= reads_others(&p->f->insn[i]);
    ptx_accesses(p->f, &p->f->insn[i], p->x);
    for (uint32_t k = 0; k < p->x->n_use; k++) {
        p->reg[p->x->use[k]] = true;
    }
}

/* Does it depend on the branch at the end of block c whether block b is executed? */
static bool decides(const struct ptx_flow *flow, uint32_t c, uint32_t b)
{
    const struct ptx_block *k = &flow->block[c];

    for (uint32_t i = 0; k->n_succ > 1 && i < k->n_succ; i++) {
        for (uint32_t at = flow->succ[k->succ + i];
             at < flow->n_blocks && at != k->ipdom; at = flow->block[at].ipdom) {
            if (at == b) {
                return true;
            }
        }
    }
    return false;
}

static void depend_on_block(struct polls *p, uint32_t b)
{
    if (p->asked[b]) {
        return;
    }
    p->asked[b] = true;
    for (uint32_t c = 0; c < p->flow->n_blocks; c++) {
        if (p->body[c] && !p->branch[c] && decides(p->flow, c, b)) {
            p->branch[c] = true;
            depend_on(p, p->flow->block[c].end - 1);
        }
    }
}

/* What ends the loop at block b. */
static void find_ends(struct polls *p, uint32_t b)
{
    const struct ptx_block *k = &p->flow->block[b];

    for (uint32_t i = k->first; i < k->end; i++) {
        const enum isa_op op = (enum isa_op)p->f->insn[i].form.op;

        if (op == ISA_OP_EXIT || op == ISA_OP_RET) {
            depend_on(p, i);
        }
    }
    for (uint32_t i = 0; k->n_succ > 1 && i < k->n_succ; i++) {
        const uint32_t to = p->flow->succ[k->succ + i];

        if (to >= p->flow->n_blocks || !p->body[to]) {
            depend_on(p, k->end - 1);
        }
    }
}

static bool writes_them(struct polls *p, uint32_t i)
{
    bool any = false;

    ptx_accesses(p->f, &p->f->insn[i], p->x);
    for (uint32_t k = 0; k < p->x->n_def; k++) {
        any |= p->reg[p->x->def[k]];
    }
    return any;
}

static void find_slice(struct polls *p)
{
    for (uint32_t b = 0; b < p->flow->n_blocks; b++) {
        if (p->body[b]) {
            find_ends(p, b);
        }
    }
    while (p->more) {
        p->more = false;
        for (uint32_t i = 0; i < p->f->n_insn; i++) {
            const uint32_t b = p->flow->block_of[i];

            if (p->body[b] && !p->done[i] && writes_them(p, i)) {
                depend_on(p, i);
                depend_on_block(p, b);
            }
        }
    }
}

bool *ptx_flow_polls(struct arena *a, const struct ptx_ir *f,
                     const struct ptx_flow *flow)
{
    struct polls p = {.f = f, .flow = flow};

    if (!any_reads_others(f, flow, NULL)) {
        return NULL;
    }
    p.polls = arena_alloc(a, f->n_insn + 1);
    p.body = arena_alloc(a, flow->n_blocks + 1);
    p.reg = arena_alloc(a, f->n_vreg + 1);
    p.done = arena_alloc(a, f->n_insn + 1);
    p.branch = arena_alloc(a, flow->n_blocks + 1);
    p.asked = arena_alloc(a, flow->n_blocks + 1);
    p.todo = arena_alloc(a, (flow->n_succ + flow->n_blocks + 1) * sizeof(p.todo[0]));
    p.x = arena_alloc(a, sizeof(*p.x));
    find_back(&p, a);
    for (uint32_t h = 0; h < flow->n_blocks; h++) {
        if (find_body(&p, h) && any_reads_others(f, flow, p.body)) {
            memset(p.reg, 0, f->n_vreg + 1);
            memset(p.done, 0, f->n_insn + 1);
            memset(p.branch, 0, flow->n_blocks + 1);
            memset(p.asked, 0, flow->n_blocks + 1);
            find_slice(&p);
        }
    }
    return p.polls;
}

bool ptx_flow_has_turns(struct arena *a, const struct ptx_ir *f,
                        const struct ptx_flow *flow)
{
    const bool *const polls = ptx_flow_polls(a, f, flow);

    for (uint32_t i = 0; i < f->n_insn; i++) {
        if ((polls != NULL && polls[i]) || f->insn[i].form.op == ISA_OP_NANOSLEEP) {
            return true;
        }
    }
    return false;
}
