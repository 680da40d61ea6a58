/*
 * What machine code does that no PTX instruction says: moves of constants that wait for
 * nobody and that nobody waits for.
 *
 * Seen in the machine code that nvcc 13.0 writes for sm_75, 80, 86, 89, 90 and 100:
 * each kernel begins with a move of the stack pointer, since 8.0 the one that reaches
 * global memory loads a descriptor of it, and since 9.0, where a block's shared memory
 * lies somewhere in that of a cluster, the address of a shared variable takes three
 * instructions where none was made on every way there, else two; before the block if
 * that is a loop.
 */
#include "ptx/opt_priv.h"

#include <string.h>

struct overhead {
    uint32_t min_cc;
    uint8_t kernel;  /* instructions at the start of each kernel */
    uint8_t global;  /* ... of one that reaches global memory */
    uint8_t address; /* beside the mov that makes the address of a shared variable: the
                        first on a way, one less for others */
    uint8_t
        direct; /* in a block that names a variable in an access, and none is made */
    bool meets; /* instructions where lanes part and meet */
};

static const struct overhead table[] = {
    {90, 1, 1, 2, 3, true},  {80, 1, 1, 0, 0, true}, {70, 1, 0, 0, 0, true},
    {20, 1, 0, 0, 0, false}, {0, 0, 0, 0, 0, false},
};

static const struct overhead *overhead_of(uint32_t cc)
{
    const struct overhead *t = table;

    while (cc < t->min_cc) {
        t++;
    }
    return t;
}

static bool is_shared(const struct ptx_opt *o, const struct ptx_opnd *v)
{
    return v->kind == OK_SYM && o->pr->sym[v->id].space == ISA_SP_SHARED;
}

static bool makes_address(const struct ptx_opt *o, const struct ptx_insn *in)
{
    return in->form.op == ISA_OP_MOV && in->n_opnds == 2 &&
           is_shared(o, &o->f->opnd[in->opnd + 1]);
}

/* An access to memory of a space, whose address is a variable's if `direct`. */
static bool accesses(const struct ptx_opt *o, const struct ptx_insn *in, bool shared)
{
    const enum isa_op op = (enum isa_op)in->form.op;
    bool names = false;

    if (op != ISA_OP_LD && op != ISA_OP_ST && op != ISA_OP_ATOM && op != ISA_OP_RED) {
        return false;
    }
    for (uint32_t i = 0; i < in->n_opnds; i++) {
        const struct ptx_opnd *const v = &o->f->opnd[in->opnd + i];

        names |= v->kind == OK_ADDR && (v->sub == OK_SYM || v->base != 0);
    }
    return shared ? in->form.space == ISA_SP_SHARED && names
                  : in->form.space == ISA_SP_GLOBAL || in->form.space == ISA_SP_GENERIC;
}

/* An access without a guard that names a shared variable. */
static bool names_variable(const struct ptx_opt *o, const struct ptx_insn *in)
{
    return in->guard == PTX_NONE && accesses(o, in, true);
}

/* A block that is a loop. */
static bool repeats(const struct ptx_opt *o, const struct ptx_block *block)
{
    const struct ptx_insn *const in = &o->f->insn[block->end - 1];

    return in->form.op == ISA_OP_BRA && ptx_opt_target(o->f, in) == block->first;
}

/* Instructions to add before each, after the label there and before it: those that make
 * addresses, and those where lanes part and meet. */
struct extra {
    uint8_t *address, *address_before, *meet, *meet_before;
    uint8_t *test; /* and whether all lanes come */
};

/* Whether the block makes the address of a shared variable, whoever it is for. */
static bool makes_one(const struct ptx_opt *o, const struct ptx_block *block)
{
    bool makes = false;

    for (uint32_t i = block->first; i < block->end; i++) {
        const struct ptx_insn *const in = &o->f->insn[i];

        makes |= makes_address(o, in) || names_variable(o, in);
    }
    return makes;
}

/* Of each block: has every way to it made one? */
static bool *made_before(struct ptx_opt *o)
{
    const uint32_t n = o->flow.n_blocks;
    bool *const before = arena_alloc(o->a, n + 1), *const makes =
                                                       arena_alloc(o->a, n + 1);
    bool more = true;

    for (uint32_t b = 0; b < n; b++) {
        before[b] = b != 0;
        makes[b] = makes_one(o, &o->flow.block[b]);
    }
    while (more) {
        more = false;
        for (uint32_t b = 0; b < n; b++) {
            const struct ptx_block *const block = &o->flow.block[b];

            for (uint32_t k = 0; k < block->n_succ && !before[b] && !makes[b]; k++) {
                const uint32_t to = o->flow.succ[block->succ + k];

                more |= before[to];
                before[to] = false;
            }
        }
    }
    return before;
}

/* The instructions that start the kernel. */
static uint32_t count(struct ptx_opt *o, const struct overhead *t, struct extra *x)
{
    const struct ptx_ir *const f = o->f;
    const bool *const before = made_before(o);
    bool global = false;

    for (uint32_t b = 0; b < o->flow.n_blocks; b++) {
        const struct ptx_block *const block = &o->flow.block[b];
        uint32_t direct = PTX_NONE;
        bool made = before[b];

        for (uint32_t i = block->first; i < block->end; i++) {
            if (makes_address(o, &f->insn[i])) {
                x->address[i] = made && t->address > 0 ? t->address - 1 : t->address;
                made = true;
            }
            global |= accesses(o, &f->insn[i], false);
            if (direct == PTX_NONE && names_variable(o, &f->insn[i])) {
                direct = i;
            }
        }
        if (direct != PTX_NONE && !made && repeats(o, block)) {
            x->address_before[block->first] = t->direct;
        } else if (direct != PTX_NONE && !made) {
            x->address[direct] = t->direct;
        }
    }
    if (t->meets) {
        ptx_opt_meets(o, x->meet, x->meet_before, x->test);
    }
    return f->is_kernel ? (uint32_t)t->kernel + (global ? t->global : 0) : 0;
}

/* A move to a register of its own, at the place of the instruction it belongs to. */
static struct ptx_insn filler(struct ptx_opt *o, const struct ptx_insn *of,
                              const char *text)
{
    const uint32_t first = ptx_opt_operands(o, 2);
    struct ptx_insn in = *of;

    in.text = text;
    in.text_len = (uint32_t)strlen(text);
    memset(&in.form, 0, sizeof(in.form));
    in.form.op = ISA_OP_MOV;
    in.form.type = ISA_T_B32;
    in.form.vec = 1;
    in.row = ptx_opt_row(ISA_OP_MOV, "xX");
    in.guard = PTX_NONE;
    in.guard_neg = 0;
    in.acts_as = 0;
    in.is_fresh = false;
    in.counts = false;
    in.before = 0;
    in.stops = false;
    in.joined = 0;
    in.n_opnds = 2;
    in.opnd = first;
    o->f->opnd[first] =
        (struct ptx_opnd){.kind = OK_REG, .id = ptx_opt_register(o, ISA_T_B32)};
    o->f->opnd[first + 1] = (struct ptx_opnd){.kind = OK_IMM, .sub = IMM_INT};
    return in;
}

static void add_fillers(struct ptx_opt *o, uint32_t n, const struct ptx_insn *of,
                        const char *text)
{
    for (uint32_t k = 0; k < n; k++) {
        const struct ptx_insn in = filler(o, of, text);

        *PTX_PUSH(o->a, o->f->insn, o->f->n_insn, o->f->cap_insn) = in;
    }
}

void ptx_opt_overhead(struct ptx_opt *o)
{
    static const char address[] = "(address in shared memory)",
                      meet[] = "(lanes part or meet)", elected[] = "(one lane for all)",
                      test[] = "(do all lanes come?)";
    struct ptx_ir *const f = o->f;
    struct ptx_insn *const old = f->insn;
    const uint32_t n_old = f->n_insn;
    uint32_t *const now = arena_alloc(o->a, (n_old + 1) * sizeof(now[0]));
    struct extra x = {arena_alloc(o->a, n_old + 1), arena_alloc(o->a, n_old + 1),
                      arena_alloc(o->a, n_old + 1), arena_alloc(o->a, n_old + 1),
                      arena_alloc(o->a, n_old + 1)};
    const uint32_t start = count(o, overhead_of(o->cc), &x);

    f->n_insn = 0;
    f->insn = NULL;
    f->cap_insn = 0;
    add_fillers(o, start, &old[0], "(start of the kernel)");
    for (uint32_t i = 0; i < n_old; i++) {
        add_fillers(o, x.address_before[i], &old[i], address);
        add_fillers(o, x.meet_before[i], &old[i], meet);
        now[i] = f->n_insn;
        add_fillers(o, x.address[i], &old[i], address);
        add_fillers(o, x.meet[i], &old[i], meet);
        add_fillers(o, old[i].before, &old[i], elected);
        if (x.test[i] != 0) {
            add_fillers(o, x.test[i], &old[i], test);
            f->insn[f->n_insn - 1].stops = true;
        }
        *PTX_PUSH(o->a, f->insn, f->n_insn, f->cap_insn) = old[i];
    }
    now[n_old] = f->n_insn;
    for (uint32_t i = 0; i < f->n_label; i++) {
        f->label[i].at = now[f->label[i].at];
    }
}
