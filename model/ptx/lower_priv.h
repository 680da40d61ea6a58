/*
 * lower_priv.h - micro-ops from the parsed module; private to the front end.
 *
 * Functions that reach shared variables are lowered once per kernel, as the kernels
 * place them differently; all others once.
 */
#ifndef PTX_LOWER_PRIV_H
#define PTX_LOWER_PRIV_H

#include "ptx/flow_priv.h"

enum {
    PTX_TEMPS = 8,      /* temporary slots of a function that needs them */
    PTX_WMMA_TEMPS = 96 /* of one that moves matrices by wmma */
};

/* How a function uses memory of its own and its frame; call graph properties. */
struct ptx_graph {
    uint32_t *scc;     /* of each function; callees have smaller numbers */
    bool *recursive;   /* the function can call itself */
    bool *needs_local; /* it or a callee has local variables */
    bool *dynamic;     /* its local variables move: it gets their base as an argument */
    bool *shared;      /* it or a callee uses shared variables */
    uint32_t *local_at; /* offset of the local variables, if not dynamic */
    uint32_t n_scc;
    uint32_t *order; /* functions, callees first */
    bool *reached;   /* from a kernel */
};
void ptx_graph_build(struct arena *a, const struct ptx_private *pr,
                     struct ptx_graph *g);

struct ptx_fn_info { /* of each function, made on first use */
    bool done;
    uint32_t max_words; /* most 32-bit words live at one place of the text */
    struct ptx_flow flow;
    struct ptx_live live;
    struct ptx_slots slots;
    uint32_t area;    /* words of the incoming area, hidden argument included */
    uint32_t *origin; /* of each register, see origin.c; NULL: not known */
    bool *polls;      /* of each instruction, see flow_poll.c; NULL: none does */
    bool
        *is_read; /* of each register: by what is no product of wmma; NULL: not asked */
};

struct ptx_lower {
    struct ptx_module *m;
    struct ptx_private *pr;
    struct arena *a;
    struct smw_err *e;
    const struct ptx_target *target; /* NULL: what runs is the text */
    struct ptx_graph graph;
    struct ptx_fn_info *info;
    struct ptx_frame frame; /* of all functions but kernels; no slots: not yet known */
    uint32_t cap_uops, cap_k, cap_targets, cap_funcs, cap_where, n_where, n_targets;
    struct ptx_names_map *k32, *k64;
    isa_ref ones;              /* constant of 64 one bits, ISA_NO_REF: not yet made */
    struct ptx_instance *inst; /* functions to lower and lowered */
    uint32_t n_inst, cap_inst;
    struct ptx_names_map *inst_map;
    struct ptx_fix *fix; /* calls and branches to patch */
    uint32_t n_fix, cap_fix;
    /* the function being lowered */
    const struct ptx_ir *f;
    struct ptx_fn_info *fi;
    const struct ptx_kernel *kernel; /* whose shared layout holds, NULL: none needed */
    uint32_t fn, kernel_index;
    uint32_t insn; /* being lowered */
    uint32_t next_temp;
    uint32_t *pc_of;     /* first micro-op of each instruction */
    struct ptx_arg *arg; /* of each instruction that moves an argument or a result */
};

/* Is it machine code that runs, of this capability or a later one? */
static inline bool ptx_lowers_for(const struct ptx_lower *w, uint32_t cc)
{
    return w->target != NULL && w->target->cc >= cc;
}

struct ptx_instance {
    uint32_t fn, kernel; /* kernel: PTX_NONE if any */
    uint32_t func;       /* index into m->funcs, PTX_NONE for kernels */
    uint32_t entry;
};

struct ptx_arg {
    uint32_t call, formal; /* instruction; index of the callee's pvar */
};

struct ptx_fix {
    uint32_t uop, inst;
};

/* ---- lower.c ---- */
bool ptx_refuse_insn(struct ptx_lower *w, const char *fmt, ...) ATTR_PRINTF(2, 3);
struct ptx_fn_info *ptx_info(struct ptx_lower *w, uint32_t fn);
/* The instance of fn that the function being lowered calls. */
uint32_t ptx_instance_of(struct ptx_lower *w, uint32_t fn);

/* ---- assemble.c ---- */
/* What an assembler makes of f for the target; *flow and *live, of f when it is called,
 * are those of the result then. */
struct ptx_ir *ptx_assemble(struct arena *a, const struct ptx_private *pr,
                            const struct ptx_target *target,
                            const struct ptx_kernel *kernel, const struct ptx_ir *f,
                            struct ptx_flow *flow, struct ptx_live *live);

/* ---- late.c ---- */
/* Sets `late` of n micro-ops that stand one behind the other. */
void ptx_find_late(struct isa_uop *u, uint32_t n);

/* ---- lower_emit.c ---- */
void ptx_uop_init(const struct ptx_lower *w, struct isa_uop *u);
/* The place in the text that u has. */
void ptx_set_place(const struct ptx_lower *w, struct isa_uop *u,
                   const struct ptx_insn *in);
bool ptx_uop_add(struct ptx_lower *w, const struct isa_uop *u);
/* References and what the scoreboard must know of them. */
enum ptx_width { PTX_W32, PTX_W64, PTX_WPRED };
void ptx_reads(struct isa_uop *u, isa_ref ref, enum ptx_width width);
void ptx_writes(struct isa_uop *u, isa_ref ref, enum ptx_width width);
bool ptx_constant(struct ptx_lower *w, uint64_t value, bool is64, isa_ref *ref);
/* u moves a special register: what the module and the machine must know of that. */
void ptx_set_sreg(struct ptx_lower *w, struct isa_uop *u, enum isa_sreg sreg);
/* Of an instruction with a member mask, its last operand *o: lanes may be missing in
 * it, and that is looked at when it runs. */
void ptx_has_members(struct isa_uop *u, const struct ptx_opnd *o);
isa_ref ptx_temp(struct ptx_lower *w, enum ptx_width width);
bool ptx_set_form(struct ptx_lower *w, struct isa_uop *u, const struct isa_form *form);
enum ptx_width ptx_width_of(const struct ptx_lower *w, uint32_t reg);
isa_ref ptx_reg_ref(const struct ptx_lower *w, uint32_t reg);
/* The value of a source operand of a type; may emit micro-ops that make it. */
bool ptx_source(struct ptx_lower *w, const struct ptx_opnd *o, enum isa_type type,
                isa_ref *ref, enum ptx_width *width);
bool ptx_pred_source(struct ptx_lower *w, struct isa_uop *u, uint32_t i,
                     const struct ptx_opnd *o);
/* dst = base of the function's moving local variables + offset. */
bool ptx_add_base(struct ptx_lower *w, isa_ref dst, uint64_t offset);
/* Address of a symbol as the program sees it. */
uint64_t ptx_symbol_address(const struct ptx_lower *w, uint32_t sym, bool generic);

/* ---- lower_tile.c ---- */
bool ptx_lower_mma(struct ptx_lower *w, const struct ptx_insn *in);
bool ptx_lower_rows(struct ptx_lower *w, const struct ptx_insn *in);
bool ptx_lower_wmma(struct ptx_lower *w, const struct ptx_insn *in);
bool ptx_lower_wgmma(struct ptx_lower *w,
                     const struct ptx_insn *in); /* lower_wgmma.c */

/* ---- origin.c ---- */
/* Of the registers of a function; NULL: it uses no shared array, or is too large. */
void ptx_origins_build(struct arena *a, const struct ptx_private *pr,
                       const struct ptx_ir *f, uint32_t **origins);
/* 1 + index of the kernel's shared array that an address operand is in; 0: unknown. */
uint32_t ptx_origin(const struct ptx_lower *w, const struct ptx_opnd *o);

/* ---- lower_alu.c, sums.c ---- */
void ptx_write_operand(struct ptx_lower *w, struct isa_uop *u, isa_ref *place,
                       const struct ptx_opnd *o);
bool ptx_lower_alu(struct ptx_lower *w, const struct ptx_insn *in);
bool ptx_lower_video(struct ptx_lower *w, const struct ptx_insn *in); /* video.c */
void ptx_sum_up(struct ptx_lower *w);
/* Finds the frame of the functions that kernels reach, and fits theirs to it. */
void ptx_fit_frames(struct ptx_lower *w);

/* ---- lower_mem.c ---- */
/* The registers or constants of a ld or st. */
bool ptx_lower_values(struct ptx_lower *w, struct isa_uop *u, const struct ptx_opnd *o,
                      bool is_load);
/* The 32-bit word at ref into a local variable. */
bool ptx_lower_to_local(struct ptx_lower *w, uint32_t local, uint32_t offset,
                        isa_ref ref);
/* Is the instruction being lowered one on shared memory of the cluster? */
bool ptx_of_cluster(const struct ptx_lower *w);
/* The address of a memory micro-op, in the space of its form. That of the cluster is a
 * generic one: the form is changed. */
void ptx_lower_address(struct ptx_lower *w, struct isa_uop *u,
                       const struct ptx_opnd *o);
bool ptx_lower_memory(struct ptx_lower *w, const struct ptx_insn *in);
/* ---- lower_tex.c ---- */
bool ptx_lower_texture(struct ptx_lower *w, const struct ptx_insn *in);
/* ---- lower_async.c ---- */
bool ptx_lower_cp(struct ptx_lower *w, const struct ptx_insn *in);
bool ptx_lower_mbarrier(struct ptx_lower *w, const struct ptx_insn *in);
bool ptx_lower_bulk(struct ptx_lower *w, const struct ptx_insn *in); /* lower_bulk.c */
/* ---- lower_call.c ---- */
bool ptx_lower_call(struct ptx_lower *w, const struct ptx_insn *in);
bool ptx_lower_area(struct ptx_lower *w, const struct ptx_insn *in, uint32_t pvar,
                    uint32_t offset);
bool ptx_lower_entry(struct ptx_lower *w);
bool ptx_lower_ret(struct ptx_lower *w, const struct ptx_insn *in);
bool ptx_bind_arguments(struct ptx_lower *w);

#endif /* PTX_LOWER_PRIV_H */
