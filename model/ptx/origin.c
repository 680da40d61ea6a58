/*
 * Origins: which shared array a register's value is the address of.
 *
 * One answer for each register, whatever the place: sums, differences and copies of an
 * address stay in its array; what else is done with one, or with addresses of two
 * arrays, makes a value that may point anywhere, and is not checked. So are addresses
 * that come from memory or from a caller.
 */
#include "ptx/lower_priv.h"

/* Else 1 + symbol. */
enum { NOWHERE = 0 }; /* no address of a shared array */
static const uint32_t anywhere = UINT32_MAX;

enum { MAX_ROUNDS = 64 }; /* over a function; a giant is not checked */

static uint32_t join(uint32_t a, uint32_t b)
{
    if (a == NOWHERE || a == b) {
        return b;
    }
    return b == NOWHERE ? a : anywhere;
}

static uint32_t of_symbol(const struct ptx_private *pr, uint32_t sym)
{
    return pr->sym[sym].space == ISA_SP_SHARED ? sym + 1 : NOWHERE;
}

static uint32_t of_operand(const struct ptx_private *pr, const struct ptx_ir *f,
                           const struct ptx_opnd *o, const uint32_t *origin)
{
    uint32_t all = NOWHERE;

    if (o->kind == OK_REG) {
        return origin[o->id];
    }
    if (o->kind == OK_SYM) {
        return of_symbol(pr, o->id);
    }
    if (o->kind == OK_VEC || o->kind == OK_PAIR) {
        for (uint32_t i = 0; i < o->n; i++) {
            all = join(all, of_operand(pr, f, &f->opnd[o->id + i], origin));
        }
        return all == NOWHERE ? NOWHERE : anywhere;
    }
    return NOWHERE;
}

/* Sources whose origin the result keeps, bit i: source i; the others must not be
 * addresses.
 */
static uint32_t kept(enum isa_op op)
{
    if (op == ISA_OP_ADD) {
        return 3;
    }
    if (op == ISA_OP_MOV || op == ISA_OP_CVTA || op == ISA_OP_CVT || op == ISA_OP_SUB) {
        return 1;
    }
    if (op == ISA_OP_SELP) {
        return 3;
    }
    return op == ISA_OP_MAD ? 4 : 0;
}

static bool is_access(enum isa_op op)
{
    return op == ISA_OP_LD || op == ISA_OP_LDU || op == ISA_OP_ATOM ||
           op == ISA_OP_MBARRIER || op == ISA_OP_CALL || ptx_is_texture(op);
}

static uint32_t of_result(const struct ptx_private *pr, const struct ptx_ir *f,
                          const struct ptx_insn *in, const uint32_t *origin)
{
    const uint32_t keep = kept((enum isa_op)in->form.op);
    uint32_t all = NOWHERE;

    if (is_access((enum isa_op)in->form.op)) {
        return NOWHERE;
    }
    for (uint32_t i = 1; i < in->n_opnds; i++) {
        const uint32_t one = of_operand(pr, f, &f->opnd[in->opnd + i], origin);

        if (one != NOWHERE) {
            all = (keep >> (i - 1) & 1u) != 0 ? join(all, one) : anywhere;
        }
    }
    return all;
}

/* One round over the function; true: something became known. */
static bool spread(const struct ptx_private *pr, const struct ptx_ir *f,
                   struct ptx_access *x, uint32_t *origin)
{
    bool more = false;

    for (uint32_t i = 0; i < f->n_insn; i++) {
        const uint32_t one = of_result(pr, f, &f->insn[i], origin);

        if (one == NOWHERE) {
            continue;
        }
        ptx_accesses(f, &f->insn[i], x);
        for (uint32_t k = 0; k < x->n_def; k++) {
            uint32_t *const at = &origin[x->def[k]];
            const uint32_t now = join(*at, x->n_def == 1 ? one : anywhere);

            if (f->vreg[x->def[k]].type == ISA_T_PRED) {
                continue;
            }

            more |= now != *at;
            *at = now;
        }
    }
    return more;
}

void ptx_origins_build(struct arena *a, const struct ptx_private *pr,
                       const struct ptx_ir *f, uint32_t **origins)
{
    struct ptx_access *const x = arena_alloc(a, sizeof(*x));
    uint32_t *const origin = arena_alloc(a, (f->n_vreg + 1) * sizeof(origin[0]));
    uint32_t rounds = 0;

    *origins = NULL;
    if (f->n_shared == 0) {
        return;
    }
    for (uint32_t r = 0; r < f->n_vreg; r++) {
        origin[r] = NOWHERE;
    }
    while (spread(pr, f, x, origin)) {
        if (++rounds == MAX_ROUNDS) {
            return;
        }
    }
    *origins = origin;
}

uint32_t ptx_origin(const struct ptx_lower *w, const struct ptx_opnd *o)
{
    uint32_t at = NOWHERE;

    if (o->sub == OK_SYM) {
        at = of_symbol(w->pr, o->id);
    } else if (o->base != 0) {
        at = of_symbol(w->pr, o->base - 1);
    } else if (o->sub == OK_REG && w->fi->origin != NULL) {
        at = w->fi->origin[o->id];
    }
    for (uint32_t i = 0; at != NOWHERE && at != anywhere && w->kernel != NULL &&
                         i < w->kernel->n_shared;
         i++) {
        if (w->kernel->shared[i].name == w->m->symbols[at - 1].name) {
            return i + 1;
        }
    }
    return 0;
}
