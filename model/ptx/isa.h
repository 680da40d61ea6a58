/*
 * isa.h - the PTX vocabulary: operations, types, modifiers, and the instruction form
 * from which an executable micro-op is selected.
 *
 * Source of names and meanings: PTX ISA 9.0 (the version nvcc 13 writes).
 */
#ifndef PTX_ISA_H
#define PTX_ISA_H

#include <stdbool.h>
#include <stdint.h>

/* Tables in lines of what belongs together. */
/* clang-format off */

/* Every operation word the front end knows: X(enumerator, spelling). */
#define PTX_OPS(X)                                                                     \
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
    X(BRKPT, "brkpt") X(NANOSLEEP, "nanosleep") X(PMEVENT, "pmevent")

enum ptx_op {
#define X(e, s) PTX_OP_##e,
    PTX_OPS(X)
#undef X
    PTX_N_OPS
};

enum ptx_type {
    PTX_T_NONE, PTX_T_B8, PTX_T_B16, PTX_T_B32, PTX_T_B64, PTX_T_B128, PTX_T_U8,
    PTX_T_U16, PTX_T_U32, PTX_T_U64, PTX_T_S8, PTX_T_S16, PTX_T_S32, PTX_T_S64,
    PTX_T_F16, PTX_T_F16X2, /* refused by name */
    PTX_T_F32, PTX_T_F64,
    PTX_T_PRED, PTX_N_TYPES
};

/* Bits of a type; PRED counts 1. */
uint32_t ptx_type_bits(enum ptx_type t);
bool ptx_type_is_signed(enum ptx_type t);
bool ptx_type_is_float(enum ptx_type t);
const char *ptx_type_name(enum ptx_type t); /* "s32" */
const char *ptx_op_name(enum ptx_op op);

/* RN..RP round to a floating value; RNI..RPI to an integral value (cvt). */
enum ptx_round {
    PTX_R_NONE, PTX_R_RN, PTX_R_RZ, PTX_R_RM, PTX_R_RP, PTX_R_RNI, PTX_R_RZI, PTX_R_RMI,
    PTX_R_RPI
};

enum ptx_cmp { /* u: true when an operand is NaN; LO..HS are unsigned */
    PTX_C_NONE, PTX_C_EQ, PTX_C_NE, PTX_C_LT, PTX_C_LE, PTX_C_GT, PTX_C_GE, PTX_C_LO,
    PTX_C_LS, PTX_C_HI, PTX_C_HS, PTX_C_EQU, PTX_C_NEU, PTX_C_LTU, PTX_C_LEU, PTX_C_GTU,
    PTX_C_GEU, PTX_C_NUM, PTX_C_NAN
};

enum ptx_bool { PTX_B_NONE, PTX_B_AND, PTX_B_OR, PTX_B_XOR };

/* One sub-operation word, whichever the operation takes. */
enum ptx_sub {
    PTX_S_NONE, PTX_S_LO, PTX_S_HI, PTX_S_WIDE, /* mul mad madc */
    PTX_S_APPROX, PTX_S_FULL, /* div rcp sqrt ... */
    PTX_S_L, PTX_S_R, /* shf direction */
    PTX_S_F4E, PTX_S_B4E, PTX_S_RC8, PTX_S_ECL, PTX_S_ECR, PTX_S_RC16, /* prmt */
    PTX_S_UP, PTX_S_DOWN, PTX_S_BFLY, PTX_S_IDX, /* shfl */
    PTX_S_ALL, PTX_S_ANY, PTX_S_UNI, PTX_S_BALLOT, /* vote, match */
    PTX_S_FINITE, PTX_S_INFINITE, PTX_S_NUMBER, PTX_S_NOTANUMBER, PTX_S_NORMAL,
    PTX_S_SUBNORMAL, /* testp */
    PTX_S_ADD, PTX_S_INC, PTX_S_DEC, PTX_S_MIN, PTX_S_MAX, PTX_S_AND, PTX_S_OR,
    PTX_S_XOR, PTX_S_EXCH, PTX_S_CAS, /* atom red redux */
    PTX_S_SYNC, PTX_S_ARRIVE, PTX_S_RED_POPC, PTX_S_RED_AND, PTX_S_RED_OR,
    PTX_S_WARP /* bar */
};

enum ptx_space {
    PTX_SP_GENERIC, PTX_SP_GLOBAL, PTX_SP_SHARED, PTX_SP_LOCAL, PTX_SP_CONST,
    PTX_SP_PARAM, /* of the kernel */
    PTX_SP_REG
};

enum ptx_cache { /* CG and CV read the point of coherence; NC is the read-only path */
    PTX_CACHE_NONE, PTX_CACHE_CA, PTX_CACHE_CG, PTX_CACHE_CS, PTX_CACHE_LU,
    PTX_CACHE_CV, PTX_CACHE_WB, PTX_CACHE_WT, PTX_CACHE_NC
};

/* Reach of membar and fence (micro-op imm). */
enum ptx_level { PTX_LEVEL_CTA, PTX_LEVEL_GPU, PTX_LEVEL_SYS };

enum ptx_flag {
    PTX_F_FTZ = 1u << 0,
    PTX_F_SAT = 1u << 1,
    PTX_F_CC_OUT = 1u << 2,   /* .cc: writes the carry */
    PTX_F_CC_IN = 1u << 3,    /* addc subc madc: reads it */
    PTX_F_CLAMP = 1u << 4,    /* shf .clamp (else .wrap); bmsk, szext .clamp */
    PTX_F_SHIFTAMT = 1u << 5, /* bfind */
    PTX_F_SYNC = 1u << 6,     /* shfl vote match ... .sync: membermask operand */
    PTX_F_UNI = 1u << 7,      /* bra.uni, call.uni, ret.uni */
    PTX_F_TO = 1u << 8,       /* cvta.to */
    PTX_F_VOLATILE = 1u << 9, /* ld st .volatile, .relaxed, .acquire, .release, .mmio */
    PTX_F_ATYPE_S = 1u << 10, /* dp4a dp2a: a is signed */
    PTX_F_BTYPE_S = 1u << 11, /* dp4a dp2a: b is signed */
    PTX_F_ALIGNED = 1u << 12, /* bar.sync, barrier.aligned */
    PTX_F_DST2 = 1u << 13,    /* setp p|q, shfl d|p, match d|p */
    PTX_F_ABS = 1u << 14      /* redux.abs, min.xorsign.abs */
};

/* clang-format on */

/* What the modifiers of one instruction say; the key from which its lane function is
 * selected. */
struct ptx_form {
    uint8_t op;     /* enum ptx_op */
    uint8_t type;   /* enum ptx_type: of the operation; of the result for cvt, set */
    uint8_t type2;  /* source type of cvt, set, slct, testp ...; else NONE */
    uint8_t round;  /* enum ptx_round */
    uint8_t cmp;    /* enum ptx_cmp */
    uint8_t boolop; /* enum ptx_bool */
    uint8_t sub;    /* enum ptx_sub */
    uint8_t space;  /* enum ptx_space */
    uint8_t cache;  /* enum ptx_cache */
    uint8_t vec;    /* 1, 2, 4; elements of ld, st, and of mov's vector side */
    uint16_t flags; /* enum ptx_flag */
};

#endif /* PTX_ISA_H */
