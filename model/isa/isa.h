/*
 * isa.h - the PTX vocabulary: operations, types, modifiers, and the instruction form
 * from which an executable micro-op is selected.
 *
 * Source of names and meanings: PTX ISA 9.0 (the version nvcc 13 writes).
 */
#ifndef ISA_ISA_H
#define ISA_ISA_H

#include <stdbool.h>
#include <stdint.h>

/* Tables in lines of what belongs together. */
/* clang-format off */

/* Every operation word the front end knows: X(enumerator, spelling). */
#define ISA_OPS(X)                                                                     \
    X(ADD, "add") X(SUB, "sub") X(MUL, "mul") X(MAD, "mad") X(MUL24, "mul24")          \
    X(MAD24, "mad24") X(SAD, "sad") X(DIV, "div") X(REM, "rem") X(ABS, "abs")          \
    X(NEG, "neg") X(MIN, "min") X(MAX, "max") X(POPC, "popc") X(CLZ, "clz")            \
    X(BFIND, "bfind") X(FNS, "fns") X(BREV, "brev") X(BFE, "bfe") X(BFI, "bfi")        \
    X(BMSK, "bmsk") X(SZEXT, "szext") X(DP4A, "dp4a") X(DP2A, "dp2a")                  \
    X(ADDC, "addc") X(SUBC, "subc") X(MADC, "madc") X(FMA, "fma") X(RCP, "rcp")        \
    X(SQRT, "sqrt") X(RSQRT, "rsqrt") X(SIN, "sin") X(COS, "cos") X(EX2, "ex2")        \
    X(LG2, "lg2") X(TANH, "tanh") X(TESTP, "testp") X(COPYSIGN, "copysign")            \
    X(SET, "set") X(SETP, "setp") X(SELP, "selp") X(SLCT, "slct") X(AND, "and")        \
    X(OR, "or") X(XOR, "xor") X(NOT, "not") X(CNOT, "cnot") X(LOP3, "lop3")            \
    X(SHF, "shf") X(SHL, "shl") X(SHR, "shr") X(PRMT, "prmt") X(MOV, "mov")            \
    X(CVT, "cvt") X(CVTA, "cvta") X(ISSPACEP, "isspacep") X(LD, "ld") X(LDU, "ldu")    \
    X(ST, "st") X(ATOM, "atom") X(RED, "red") X(PREFETCH, "prefetch")                  \
    X(PREFETCHU, "prefetchu") X(SHFL, "shfl") X(VOTE, "vote") X(MATCH, "match")        \
    X(REDUX, "redux") X(ACTIVEMASK, "activemask") X(ELECT, "elect") X(BAR, "bar")      \
    X(BARRIER, "barrier") X(MEMBAR, "membar") X(FENCE, "fence") X(BRA, "bra")          \
    X(BRX, "brx") X(CALL, "call") X(RET, "ret") X(EXIT, "exit") X(TRAP, "trap")        \
    X(BRKPT, "brkpt") X(NANOSLEEP, "nanosleep") X(PMEVENT, "pmevent")                  \
    X(DISCARD, "discard") X(APPLYPRIORITY, "applypriority")                            \
    X(CREATEPOLICY, "createpolicy") X(GRIDDEPCONTROL, "griddepcontrol")                \
    X(VADD, "vadd") X(VSUB, "vsub") X(VABSDIFF, "vabsdiff") X(VMIN, "vmin")            \
    X(VMAX, "vmax") X(VSHL, "vshl") X(VSHR, "vshr") X(VMAD, "vmad") X(VSET, "vset")    \
    X(VADD2, "vadd2") X(VSUB2, "vsub2") X(VAVRG2, "vavrg2")                            \
    X(VABSDIFF2, "vabsdiff2") X(VMIN2, "vmin2") X(VMAX2, "vmax2") X(VSET2, "vset2")    \
    X(VADD4, "vadd4") X(VSUB4, "vsub4") X(VAVRG4, "vavrg4")                            \
    X(VABSDIFF4, "vabsdiff4") X(VMIN4, "vmin4") X(VMAX4, "vmax4") X(VSET4, "vset4")    \
    X(MMA, "mma") X(LDMATRIX, "ldmatrix") X(STMATRIX, "stmatrix")                      \
    X(MOVMATRIX, "movmatrix") X(WMMA, "wmma")                                          \
    X(TEX, "tex") X(TLD4, "tld4") X(TXQ, "txq") X(SULD, "suld") X(SUST, "sust")        \
    X(SURED, "sured") X(SUQ, "suq")                                                    \
    X(CP, "cp") X(MBARRIER, "mbarrier") X(WGMMA, "wgmma") X(MAPA, "mapa")              \
    X(GETCTARANK, "getctarank")

enum isa_op {
#define X(e, s) ISA_OP_##e,
    ISA_OPS(X)
#undef X
    ISA_N_OPS
};

enum isa_type {
    ISA_T_NONE, ISA_T_B8, ISA_T_B16, ISA_T_B32, ISA_T_B64, ISA_T_B128, ISA_T_U8,
    ISA_T_U16, ISA_T_U32, ISA_T_U64, ISA_T_S8, ISA_T_S16, ISA_T_S32, ISA_T_S64,
    ISA_T_F16, ISA_T_F16X2, ISA_T_BF16, ISA_T_BF16X2,
    ISA_T_TF32, /* f32 with 10 bits of fraction, in 32 bits */
    ISA_T_E4M3, ISA_T_E5M2, ISA_T_E4M3X2, ISA_T_E5M2X2,
    ISA_T_F32, ISA_T_F64,
    ISA_T_U4, ISA_T_S4, ISA_T_B1, /* of matrices only */
    ISA_T_PRED, ISA_N_TYPES
};

/* Bits of a type; PRED counts 1. */
uint32_t isa_type_bits(enum isa_type t);
bool isa_type_is_signed(enum isa_type t);
bool isa_type_is_float(enum isa_type t);
/* Floating point of fewer than 32 bits, or tf32; one value or two. */
bool isa_type_is_narrow(enum isa_type t);
const char *isa_type_name(enum isa_type t); /* "s32" */
const char *isa_op_name(enum isa_op op);

/* RN..RP round to a floating value; RNI..RPI to an integral value (cvt). RNA: to
 * nearest, a tie away from zero. */
enum isa_round {
    ISA_R_NONE, ISA_R_RN, ISA_R_RZ, ISA_R_RM, ISA_R_RP, ISA_R_RNI, ISA_R_RZI, ISA_R_RMI,
    ISA_R_RPI, ISA_R_RNA
};

enum isa_cmp { /* u: true when an operand is NaN; LO..HS are unsigned */
    ISA_C_NONE, ISA_C_EQ, ISA_C_NE, ISA_C_LT, ISA_C_LE, ISA_C_GT, ISA_C_GE, ISA_C_LO,
    ISA_C_LS, ISA_C_HI, ISA_C_HS, ISA_C_EQU, ISA_C_NEU, ISA_C_LTU, ISA_C_LEU, ISA_C_GTU,
    ISA_C_GEU, ISA_C_NUM, ISA_C_NAN
};

enum isa_bool { ISA_B_NONE, ISA_B_AND, ISA_B_OR, ISA_B_XOR };

/* One sub-operation word, whichever the operation takes. */
enum isa_sub {
    ISA_S_NONE, ISA_S_LO, ISA_S_HI, ISA_S_WIDE, /* mul mad madc */
    ISA_S_APPROX, ISA_S_FULL, /* div rcp sqrt ... */
    ISA_S_L, ISA_S_R, /* shf direction */
    ISA_S_F4E, ISA_S_B4E, ISA_S_RC8, ISA_S_ECL, ISA_S_ECR, ISA_S_RC16, /* prmt */
    ISA_S_UP, ISA_S_DOWN, ISA_S_BFLY, ISA_S_IDX, /* shfl */
    ISA_S_ALL, ISA_S_ANY, ISA_S_UNI, ISA_S_BALLOT, /* vote, match */
    ISA_S_FINITE, ISA_S_INFINITE, ISA_S_NUMBER, ISA_S_NOTANUMBER, ISA_S_NORMAL,
    ISA_S_SUBNORMAL, /* testp */
    ISA_S_ADD, ISA_S_INC, ISA_S_DEC, ISA_S_MIN, ISA_S_MAX, ISA_S_AND, ISA_S_OR,
    ISA_S_XOR, ISA_S_EXCH, ISA_S_CAS, /* atom red redux; AND of an assembler's setp: the
                                         bits of both are compared with 0 */
    ISA_S_SYNC, ISA_S_ARRIVE, ISA_S_RED_POPC, ISA_S_RED_AND, ISA_S_RED_OR,
    ISA_S_WARP, /* bar */
    ISA_S_TRANS, /* ldmatrix stmatrix movmatrix */
    ISA_S_LOAD, ISA_S_STORE, ISA_S_MMA, /* wmma */
    ISA_S_NEG_AB, ISA_S_NEG_C, ISA_S_NEG_ABC, /* fma of an assembler: signs turned */
    /* of an assembler: mad adds its operands, or takes the last one or two from the
     * first; min and max are of the first two's sum and the third; shr and shf shift or
     * turn the first to the right by the second and add the third */
    ISA_S_SUM, ISA_S_SUM_LESS_C, ISA_S_SUM_LESS_BC,
    /* of an assembler: div and rem by a divisor whose reciprocal is there, and div that
     * makes no more than that reciprocal */
    ISA_S_KNOWN, ISA_S_RECIPROCAL,
    ISA_S_COMMIT, ISA_S_WAIT, ISA_S_WAIT_ALL, /* cp.async, besides ARRIVE and NONE */
    ISA_S_INIT, ISA_S_INVAL, ISA_S_DROP, ISA_S_EXPECT_TX, ISA_S_COMPLETE_TX, ISA_S_TEST,
    ISA_S_TRY, ISA_S_PENDING, /* mbarrier, besides ARRIVE ... */
    ISA_S_SPARSE, /* mma.sp: half of the elements of A are there */
    ISA_S_COUNT /* ... and what counts one arrival more (cp.async.mbarrier.arrive) */
};

/* Rows, columns and the length of the sums of a matrix product. */
enum isa_shape {
    ISA_SHAPE_NONE, ISA_SHAPE_M8N8K4, ISA_SHAPE_M8N8K16, ISA_SHAPE_M8N8K32,
    ISA_SHAPE_M8N8K128, ISA_SHAPE_M16N8K4, ISA_SHAPE_M16N8K8, ISA_SHAPE_M16N8K16,
    ISA_SHAPE_M16N8K32, ISA_SHAPE_M16N8K64, ISA_SHAPE_M16N8K128, ISA_SHAPE_M16N8K256,
    ISA_SHAPE_M16N16K16, ISA_SHAPE_M8N32K16, ISA_SHAPE_M32N8K16, ISA_SHAPE_M16N16K8,
    ISA_N_SHAPES
};

/* The matrices of D = A * B + C. */
enum isa_frag { ISA_FRAG_D, ISA_FRAG_A, ISA_FRAG_B, ISA_FRAG_C, ISA_N_FRAGS };

/* How A and B lie in the lanes: by rows or by columns. */
enum isa_layout { ISA_LAYOUT_NONE, ISA_LAYOUT_ROW, ISA_LAYOUT_COL };

enum isa_space {
    ISA_SP_GENERIC, ISA_SP_GLOBAL, ISA_SP_SHARED, ISA_SP_LOCAL, ISA_SP_CONST,
    ISA_SP_PARAM, /* of the kernel */
    ISA_SP_REG,
    ISA_SP_TEXTURE, /* texels: of texture instructions only */
    ISA_SP_CLUSTER /* shared memory of another block: of requests only */
};

enum isa_cache { /* CG and CV read the point of coherence; NC is the read-only path */
    ISA_CACHE_NONE, ISA_CACHE_CA, ISA_CACHE_CG, ISA_CACHE_CS, ISA_CACHE_LU,
    ISA_CACHE_CV, ISA_CACHE_WB, ISA_CACHE_WT, ISA_CACHE_NC
};

/* What a texture or surface is, as the instruction says it. */
enum isa_geom {
    ISA_G_NONE, ISA_G_1D, ISA_G_2D, ISA_G_3D, ISA_G_A1D, ISA_G_A2D, ISA_G_CUBE,
    ISA_G_ACUBE
};

/* Which component tld4 gathers, what txq and suq ask, what becomes of a surface access
 * outside: the instruction's one word of these. */
enum isa_pick {
    ISA_PICK_NONE, ISA_PICK_R, ISA_PICK_G, ISA_PICK_B, ISA_PICK_A, /* tld4 */
    ISA_PICK_WIDTH, ISA_PICK_HEIGHT, ISA_PICK_DEPTH, ISA_PICK_CHANNEL_TYPE,
    ISA_PICK_CHANNEL_ORDER, ISA_PICK_NORMALISED, ISA_PICK_FILTER,
    ISA_PICK_ADDRESS_0, ISA_PICK_ADDRESS_1, ISA_PICK_ADDRESS_2,
    ISA_PICK_ARRAY_SIZE, ISA_PICK_LEVELS, ISA_PICK_SAMPLES, ISA_PICK_LAYOUT, /* txq */
    ISA_PICK_TRAP, ISA_PICK_CLAMP, ISA_PICK_ZERO /* suld sust sured */
};

/* Reach of membar and fence (micro-op imm). */
enum isa_level { ISA_LEVEL_CTA, ISA_LEVEL_GPU, ISA_LEVEL_SYS };

enum isa_flag {
    ISA_F_FTZ = 1u << 0,
    ISA_F_SAT = 1u << 1,
    ISA_F_CC_OUT = 1u << 2,   /* .cc: writes the carry */
    ISA_F_CC_IN = 1u << 3,    /* addc subc madc: reads it */
    ISA_F_CLAMP = 1u << 4,    /* shf .clamp (else .wrap); bmsk, szext .clamp */
    ISA_F_SHIFTAMT = 1u << 5, /* bfind */
    ISA_F_SYNC = 1u << 6,     /* shfl vote match ... .sync: membermask operand */
    ISA_F_UNI = 1u << 7,      /* bra.uni, call.uni, ret.uni */
    ISA_F_TO = 1u << 8,       /* cvta.to */
    ISA_F_VOLATILE = 1u << 9, /* ld st .volatile, .relaxed, .acquire, .release, .mmio */
    ISA_F_ATYPE_S = 1u << 10, /* dp4a dp2a: a is signed */
    ISA_F_BTYPE_S = 1u << 11, /* dp4a dp2a: b is signed */
    ISA_F_ALIGNED = 1u << 12, /* bar.sync, barrier.aligned */
    ISA_F_DST2 = 1u << 13,    /* setp p|q, shfl d|p, match d|p */
    ISA_F_ABS = 1u << 14,     /* redux.abs, min.xorsign.abs */
    ISA_F_RELU = 1u << 15,    /* negative results become 0 */
    ISA_F_NAN = 1u << 16,     /* min max .NaN: a NaN wins */
    ISA_F_XORSIGN = 1u << 17, /* min max .xorsign */
    ISA_F_OOB = 1u << 18,     /* fma .oob */
    ISA_F_SATFINITE = 1u << 19, /* cvt .satfinite: to the largest finite value */
    ISA_F_CTA = 1u << 20,       /* ld st atom red of scope .cta */
    /* of cp.async and mbarrier, which have none of those */
    ISA_F_TX = ISA_F_CLAMP,             /* arrive.expect_tx */
    ISA_F_NO_COMPLETE = ISA_F_SHIFTAMT, /* arrive.noComplete */
    ISA_F_PARITY = ISA_F_TO,            /* test_wait.parity */
    ISA_F_NOINC = ISA_F_ATYPE_S         /* cp.async.mbarrier.arrive.noinc */
};

/* clang-format on */

/* What the modifiers of one instruction say; the key from which its lane function is
 * selected. */
struct isa_form {
    uint8_t op;    /* enum isa_op */
    uint8_t type;  /* enum isa_type: of the operation; of the result for cvt, set */
    uint8_t type2; /* source type of cvt, set, slct, testp ...; else NONE; mma: of A */
    uint8_t type3, type4; /* mma: of B, of C */
    uint8_t shape;        /* enum isa_shape: mma */
    uint8_t layout[2];    /* enum isa_layout: mma: of A, of B; wmma.load, .store: [0] */
    uint8_t frag;         /* enum isa_frag: wmma.load */
    uint8_t round;        /* enum isa_round */
    uint8_t cmp;          /* enum isa_cmp */
    uint8_t boolop;       /* enum isa_bool */
    uint8_t sub;          /* enum isa_sub */
    uint8_t space;        /* enum isa_space */
    uint8_t cache;        /* enum isa_cache */
    uint8_t vec;          /* 1, 2, 4; elements of ld, st, and of mov's vector side */
    uint8_t geom;         /* enum isa_geom: tex tld4 suld sust sured */
    uint8_t pick;         /* enum isa_pick */
    uint8_t cols;         /* wgmma: columns of D in eights, 1 to 32 */
    uint32_t flags;       /* enum isa_flag */
};

#endif /* ISA_ISA_H */
