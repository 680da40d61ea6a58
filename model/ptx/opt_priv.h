/*
 * opt_priv.h - what an assembler does to instructions besides ordering them: SPEC
 * PTX-3.
 *
 * Each pass changes the copy of a function that runs (assemble.c). What replaces
 * several instructions takes the place and the name of the last of them, whose result
 * it makes; the others are gone. No pass but
 * ptx_opt_contract() changes what a thread computes.
 */
#ifndef PTX_OPT_PRIV_H
#define PTX_OPT_PRIV_H

#include "ptx/flow_priv.h"

/*
 * A function and what is known of its registers. A register is a value when one
 * instruction writes it, in every thread that reads it, before any reading: then it
 * means the same wherever it is read. n_use counts each mention.
 */
struct ptx_opt {
    struct arena *a;
    const struct ptx_private *pr;
    uint32_t cc;                     /* 10 * major + minor of the device */
    const struct ptx_kernel *kernel; /* f, its shared memory laid out; NULL: none */
    uint32_t max_words; /* live at one place, for which there are registers */
    bool fmad;          /* floating-point products may be rounded with what is added */
    struct ptx_ir *f;
    struct ptx_flow flow;
    struct ptx_live live;
    uint32_t *n_def, *n_use; /* of each register */
    uint32_t *def;           /* an instruction that writes it, PTX_NONE: none does */
    bool *gone;              /* of each instruction: ptx_opt_sweep() removes it */
    uint32_t *to;            /* of each: goes before that one; PTX_NONE: it stays */
    struct ptx_access x;     /* room for one instruction's accesses */
};

/* Of the copy f, on a device of capability cc; arena memory. */
struct ptx_opt *ptx_opt_new(struct arena *a, const struct ptx_private *pr, uint32_t cc,
                            struct ptx_ir *f);
/* A pass has added registers and instructions: room for what is known of them. */
void ptx_opt_room(struct ptx_opt *o);
/* All that passes know, anew. */
void ptx_opt_look(struct ptx_opt *o);
/* Whether it only computes, in few machine instructions and without a carry: not mov,
 * which may read a clock, and not what divides or calls. */
bool ptx_opt_is_simple(const struct ptx_insn *in);
bool ptx_opt_is_value(const struct ptx_opt *o, uint32_t reg);
/* The instruction whose result is a value that v alone reads; PTX_NONE: none. */
uint32_t ptx_opt_made_for(const struct ptx_opt *o, const struct ptx_opnd *v);
/* Instruction `at` is gone: what alone read its result does its work. */
void ptx_opt_take_in(struct ptx_opt *o, uint32_t at);
/* Whether an instruction from `from` on, and before `to`, writes a register. */
bool ptx_opt_is_written(struct ptx_opt *o, uint32_t reg, uint32_t from, uint32_t to);
/* Whether an operand has at instruction `to` the value it has at `from`, before it. */
bool ptx_opt_holds(struct ptx_opt *o, const struct ptx_opnd *v, uint32_t from,
                   uint32_t to);
/* Whether an operand is known to be the same in all lanes of a warp. */
bool ptx_opt_is_uniform(struct ptx_opt *o, const struct ptx_opnd *v);
/* Room for n operands in a row; pointers into f->opnd are stale then. */
uint32_t ptx_opt_operands(struct ptx_opt *o, uint32_t n);
/* A new register, without a name. */
uint32_t ptx_opt_register(struct ptx_opt *o, enum isa_type type);
/* The instruction behind the label of a `bra`. */
static inline uint32_t ptx_opt_target(const struct ptx_ir *f,
                                      const struct ptx_insn *bra)
{
    return f->label[f->opnd[bra->opnd].id].at;
}
/* The row of op with these operands; operands of a new form are found by it. */
uint16_t ptx_opt_row(enum isa_op op, const char *operands);
/* Take the instructions out that are gone, and move those that go elsewhere: before the
 * label there. What is known must be looked at again. */
void ptx_opt_sweep(struct ptx_opt *o);

/* Constants and addresses of variables are made before loops, not in them. */
void ptx_opt_hoist(struct ptx_opt *o);
/* The reciprocal of a divisor is made once, before loops that divide by it. */
void ptx_opt_divisors(struct ptx_opt *o);
/* Copies and small constants go into the instructions that read them. */
void ptx_opt_copies(struct ptx_opt *o);
/* Products of what was extended to 64 bits are of 32 with a wide result. */
void ptx_opt_products(struct ptx_opt *o);
/* A multiplication or a shift and an addition become one. */
void ptx_opt_multiply_add(struct ptx_opt *o);
/* A floating-point product and what adds it become one, if o->fmad (SPEC PTX-5). */
void ptx_opt_contract(struct ptx_opt *o);
/* Two shifts that fill a word become one of both registers. */
void ptx_opt_funnel(struct ptx_opt *o);
/* Logic operations of three operands become one. */
void ptx_opt_logic(struct ptx_opt *o);
/* Short loops that count do several passes at a time. */
void ptx_opt_unroll(struct ptx_opt *o);
/* A sum that differs from one made before by a constant is that one and the constant.
 */
void ptx_opt_offsets(struct ptx_opt *o);
/* Constants added to an address go into the access. */
void ptx_opt_addresses(struct ptx_opt *o);
/* Comparisons take in the predicate that they are combined with. */
void ptx_opt_compare(struct ptx_opt *o);
/* Atomics whose lanes are joined, and those whose result nobody reads. */
void ptx_opt_atomics(struct ptx_opt *o);
/* Loads behind a branch around some code go before it, and some of what computes. */
void ptx_opt_rise(struct ptx_opt *o);
/* Loads of neighbouring words of shared memory become one. */
void ptx_opt_wide(struct ptx_opt *o);
/* Two additions, or one and a minimum or maximum, become one instruction. */
void ptx_opt_sums(struct ptx_opt *o);
/* What nobody reads is not computed. */
void ptx_opt_dead(struct ptx_opt *o);
/* A branch to the next instruction is none, and one around a branch is that branch with
 * the opposite guard. */
void ptx_opt_jumps(struct ptx_opt *o);
/* Short branches forward become guards of what they skip; branches to a ret, guarded
 * exits. */
void ptx_opt_branches(struct ptx_opt *o);

/* Adds 1 to n of each instruction before which machine code of lanes that part or meet
 * has one more, to `before` if that stands before the label there. tests: of each
 * instruction, those before it that test whether all lanes come. */
void ptx_opt_meets(struct ptx_opt *o, uint8_t *n, uint8_t *before, uint8_t *tests);
/* What machine code does that no PTX instruction says. */
void ptx_opt_overhead(struct ptx_opt *o);

/* All of them, for the device. */
void ptx_opt_all(struct arena *a, const struct ptx_private *pr,
                 const struct ptx_target *target, const struct ptx_kernel *kernel,
                 struct ptx_ir *f);

#endif /* PTX_OPT_PRIV_H */
