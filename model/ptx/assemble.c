/*
 * What runs in place of the text of a function: SPEC PTX-1.
 *
 * Passes change a copy, one after the other; the text stays as it is, for what is said
 * about it. A pass that leaves instructions out or adds some moves the labels behind
 * them. Instructions keep line, text and source line of what they were made from.
 */
#include "ptx/lower_priv.h"
#include "ptx/opt_priv.h"

#include <string.h>

/* A copy whose instructions and operands can be changed; all else is shared. */
static struct ptx_ir *copy_ir(struct arena *a, const struct ptx_ir *f)
{
    struct ptx_ir *const c = arena_alloc(a, sizeof(*c));

    *c = *f;
    c->cap_insn = f->n_insn;
    c->insn = arena_alloc(a, (f->n_insn + 1) * sizeof(c->insn[0]));
    memcpy(c->insn, f->insn, f->n_insn * sizeof(c->insn[0]));
    c->cap_opnd = f->n_opnd;
    c->opnd = arena_alloc(a, (f->n_opnd + 1) * sizeof(c->opnd[0]));
    if (f->n_opnd > 0) {
        memcpy(c->opnd, f->opnd, f->n_opnd * sizeof(c->opnd[0]));
    }
    c->cap_label = f->n_label;
    c->label = arena_alloc(a, (f->n_label + 1) * sizeof(c->label[0]));
    if (f->n_label > 0) {
        memcpy(c->label, f->label, f->n_label * sizeof(c->label[0]));
    }
    c->cap_vreg = f->n_vreg;
    c->vreg = arena_alloc(a, (f->n_vreg + 1) * sizeof(c->vreg[0]));
    if (f->n_vreg > 0) {
        memcpy(c->vreg, f->vreg, f->n_vreg * sizeof(c->vreg[0]));
    }
    return c;
}

uint32_t ptx_free_words(const struct ptx_target *target)
{
    return target->regs > PTX_REGS_EXTRA ? target->regs - PTX_REGS_EXTRA : 0;
}

struct ptx_ir *ptx_assemble(struct arena *a, const struct ptx_private *pr,
                            const struct ptx_target *target,
                            const struct ptx_kernel *kernel, const struct ptx_ir *f,
                            struct ptx_flow *flow, struct ptx_live *live)
{
    struct ptx_ir *const run = copy_ir(a, f);

    if (target->cc != 0) {
        ptx_opt_all(a, pr, target, kernel, run);
        ptx_flow_build(a, run, flow);
        ptx_live_build(a, run, flow, live);
    }
    ptx_schedule(a, pr, run, flow, live, ptx_free_words(target), target);
    ptx_live_build(a, run, flow, live);
    return run;
}
