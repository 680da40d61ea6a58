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
    X(BRKPT, "brkpt") X(NANOSLEEP, "nanosleep") X(PMEVENT, "pmevent")              \
    X(CP, "cp") X(MBARRIER, "mbarrier")

enum isa_op {
#define X(e, s) ISA_OP_##e,
    ISA_OPS(X)
#undef X
    ISA_N_OPS
};

enum isa_type {
    ISA_T_NONE, ISA_T_B8, ISA_T_B16, ISA_T_B32, ISA_T_B64, ISA_T_B128, ISA_T_U8,
    ISA_T_U16, ISA_T_U32, ISA_T_U64, ISA_T_S8, ISA_T_S16, ISA_T_S32, ISA_T_S64,
    ISA_T_F16, ISA_T_F16X2, /* refused by name */
    ISA_T_F32, ISA_T_F64,
    ISA_T_PRED, ISA_N_TYPES
};

/* Bits of a type; PRED counts 1. */
uint32_t isa_type_bits(enum isa_type t);
bool isa_type_is_signed(enum isa_type t);
bool isa_type_is_float(enum isa_type t);
const char *isa_type_name(enum isa_type t); /* "s32" */
const char *isa_op_name(enum isa_op op);

/* RN..RP round to a floating value; RNI..RPI to an integral value (cvt). */
enum isa_round {
    ISA_R_NONE, ISA_R_RN, ISA_R_RZ, ISA_R_RM, ISA_R_RP, ISA_R_RNI, ISA_R_RZI, ISA_R_RMI,
    ISA_R_RPI
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
    ISA_S_XOR, ISA_S_EXCH, ISA_S_CAS, /* atom red redux */
    ISA_S_SYNC, ISA_S_ARRIVE, ISA_S_RED_POPC, ISA_S_RED_AND, ISA_S_RED_OR,
    ISA_S_WARP, /* bar */
    ISA_S_NEG_AB, ISA_S_NEG_C, ISA_S_NEG_ABC, /* fma of an assembler: signs turned */
    ISA_S_COMMIT, ISA_S_WAIT, ISA_S_WAIT_ALL, /* cp.async, besides ARRIVE and NONE */
    ISA_S_INIT, ISA_S_INVAL, ISA_S_DROP, ISA_S_EXPECT_TX, ISA_S_COMPLETE_TX, ISA_S_TEST,
    ISA_S_TRY, ISA_S_PENDING, /* mbarrier, besides ARRIVE ... */
    ISA_S_COUNT /* ... and what counts one arrival more (cp.async.mbarrier.arrive) */
};

enum isa_space {
    ISA_SP_GENERIC, ISA_SP_GLOBAL, ISA_SP_SHARED, ISA_SP_LOCAL, ISA_SP_CONST,
    ISA_SP_PARAM, /* of the kernel */
    ISA_SP_REG
};

enum isa_cache { /* CG and CV read the point of coherence; NC is the read-only path */
    ISA_CACHE_NONE, ISA_CACHE_CA, ISA_CACHE_CG, ISA_CACHE_CS, ISA_CACHE_LU,
    ISA_CACHE_CV, ISA_CACHE_WB, ISA_CACHE_WT, ISA_CACHE_NC
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
    uint8_t op;     /* enum isa_op */
    uint8_t type;   /* enum isa_type: of the operation; of the result for cvt, set */
    uint8_t type2;  /* source type of cvt, set, slct, testp ...; else NONE */
    uint8_t round;  /* enum isa_round */
    uint8_t cmp;    /* enum isa_cmp */
    uint8_t boolop; /* enum isa_bool */
    uint8_t sub;    /* enum isa_sub */
    uint8_t space;  /* enum isa_space */
    uint8_t cache;  /* enum isa_cache */
    uint8_t vec;    /* 1, 2, 4; elements of ld, st, and of mov's vector side */
    uint16_t flags; /* enum isa_flag */
};

#endif /* ISA_ISA_H */
