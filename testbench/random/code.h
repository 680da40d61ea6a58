/*
 * code.h - a PTX program as the interpreter sees it: what its own reader makes of the
 * text.
 *
 * The interpreter is an oracle. It shares nothing with the model but the language: it
 * reads the subset of PTX that gen.c writes, one statement to a line, and knows no warp
 * but where an instruction asks for one.
 */
#ifndef RANDOM_CODE_H
#define RANDOM_CODE_H

#include <stdbool.h>
#include <stdint.h>

enum ty {
    TY_NONE,
    TY_B8,
    TY_B16,
    TY_B32,
    TY_B64,
    TY_U8,
    TY_U16,
    TY_U32,
    TY_U64,
    TY_S8,
    TY_S16,
    TY_S32,
    TY_S64,
    TY_F32,
    TY_F64,
    TY_PRED,
    TY_B1,
    TY_S4,
    TY_U4,
    TY_U16X2,
    TY_S16X2,
    TY_F16, /* narrow ones from here on */
    TY_F16X2,
    TY_BF16,
    TY_BF16X2,
    TY_TF32,
    TY_E4M3X2,
    TY_E5M2X2,
    TY_E4M3,
    TY_E5M2,
    N_TYS
};

static inline uint32_t ty_bits(enum ty t)
{
    static const uint8_t bits[] = {0,  8,  16, 32, 64, 8,  16, 32, 64, 8,
                                   16, 32, 64, 32, 64, 1,  1,  4,  4,  32,
                                   32, 16, 32, 16, 32, 32, 16, 16, 8,  8};

    return bits[t];
}

static inline bool ty_signed(enum ty t)
{
    return t >= TY_S8 && t <= TY_S64;
}

static inline bool ty_float(enum ty t)
{
    return t == TY_F32 || t == TY_F64;
}

static inline bool ty_half(enum ty t)
{
    return t >= TY_F16;
}

enum op { /* in alphabetical order, as the table of names is */
          OP_ABS,
          OP_ACTIVEMASK,
          OP_ADD,
          OP_ADDC,
          OP_AND,
          OP_ATOM,
          OP_BAR,
          OP_BARRIER,
          OP_BFE,
          OP_BFI,
          OP_BFIND,
          OP_BMSK,
          OP_BRA,
          OP_BREV,
          OP_BRX,
          OP_CALL,
          OP_CLZ,
          OP_CNOT,
          OP_COPYSIGN,
          OP_CP,
          OP_CREATEPOLICY,
          OP_CVT,
          OP_CVTA,
          OP_DIV,
          OP_DP2A,
          OP_DP4A,
          OP_ELECT,
          OP_EXIT,
          OP_FENCE,
          OP_FMA,
          OP_FNS,
          OP_GETCTARANK,
          OP_ISSPACEP,
          OP_LD,
          OP_LDMATRIX,
          OP_LDU,
          OP_LOP3,
          OP_MAD,
          OP_MAD24,
          OP_MADC,
          OP_MAPA,
          OP_MATCH,
          OP_MAX,
          OP_MBARRIER,
          OP_MEMBAR,
          OP_MIN,
          OP_MMA,
          OP_MOV,
          OP_MOVMATRIX,
          OP_MUL,
          OP_MUL24,
          OP_NANOSLEEP,
          OP_NEG,
          OP_NOT,
          OP_OR,
          OP_PMEVENT,
          OP_POPC,
          OP_PREFETCH,
          OP_PREFETCHU,
          OP_PRMT,
          OP_RCP,
          OP_RED,
          OP_REDUX,
          OP_REM,
          OP_RET,
          OP_SAD,
          OP_SELP,
          OP_SET,
          OP_SETP,
          OP_SHF,
          OP_SHFL,
          OP_SHL,
          OP_SHR,
          OP_SLCT,
          OP_SQRT,
          OP_ST,
          OP_STMATRIX,
          OP_SUB,
          OP_SUBC,
          OP_SULD,
          OP_SUQ,
          OP_SURED,
          OP_SUST,
          OP_SZEXT,
          OP_TESTP,
          OP_TEX,
          OP_TLD4,
          OP_TXQ,
          OP_VABSDIFF,
          OP_VABSDIFF2,
          OP_VABSDIFF4,
          OP_VADD,
          OP_VADD2,
          OP_VADD4,
          OP_VAVRG2,
          OP_VAVRG4,
          OP_VMAD,
          OP_VMAX,
          OP_VMAX2,
          OP_VMAX4,
          OP_VMIN,
          OP_VMIN2,
          OP_VMIN4,
          OP_VOTE,
          OP_VSET,
          OP_VSET2,
          OP_VSET4,
          OP_VSHL,
          OP_VSHR,
          OP_VSUB,
          OP_VSUB2,
          OP_VSUB4,
          OP_XOR,
          N_OPS
};

enum mod { /* modifiers, in alphabetical order, as the table of names is */
           MOD_1D,
           MOD_2D,
           MOD_3D,
           MOD_4D,
           MOD_5D,
           MOD_NAN_WINS,
           MOD_A,
           MOD_A1D,
           MOD_A2D,
           MOD_ABS,
           MOD_ACQ_REL,
           MOD_ACQUIRE,
           MOD_ACUBE,
           MOD_ADD,
           MOD_ADDR_MODE_0,
           MOD_ALIGNED,
           MOD_ALL,
           MOD_AND,
           MOD_ANY,
           MOD_ARRAY_SIZE,
           MOD_ARRIVE,
           MOD_ARRIVE_DROP,
           MOD_ASYNC,
           MOD_B,
           MOD_B4E,
           MOD_BALLOT,
           MOD_BFLY,
           MOD_BULK,
           MOD_BULK_GROUP,
           MOD_CA,
           MOD_CAS,
           MOD_CC,
           MOD_CG,
           MOD_CHANNEL_DATA_TYPE,
           MOD_CHANNEL_ORDER,
           MOD_CLAMP,
           MOD_CLUSTER,
           MOD_COL,
           MOD_COMMIT_GROUP,
           MOD_COMPLETE_TX,
           MOD_CONST,
           MOD_CS,
           MOD_CTA,
           MOD_CUBE,
           MOD_CV,
           MOD_CVT,
           MOD_DEC,
           MOD_DEPTH,
           MOD_DOWN,
           MOD_ECL,
           MOD_ECR,
           MOD_EQ,
           MOD_EQU,
           MOD_EXCH,
           MOD_EXPECT_TX,
           MOD_F4E,
           MOD_FILTER_MODE,
           MOD_FINITE,
           MOD_FRACTIONAL,
           MOD_FTZ,
           MOD_G,
           MOD_GE,
           MOD_GEU,
           MOD_GL,
           MOD_GLOBAL,
           MOD_GPU,
           MOD_GT,
           MOD_GTU,
           MOD_HEIGHT,
           MOD_HI,
           MOD_HS,
           MOD_IDX,
           MOD_INC,
           MOD_INFINITE,
           MOD_INIT,
           MOD_INVAL,
           MOD_L,
           MOD_LE,
           MOD_LEU,
           MOD_LO,
           MOD_LOCAL,
           MOD_LS,
           MOD_LT,
           MOD_LTU,
           MOD_LU,
           MOD_M16N8K128,
           MOD_M16N8K16,
           MOD_M16N8K256,
           MOD_M16N8K32,
           MOD_M16N8K4,
           MOD_M16N8K64,
           MOD_M16N8K8,
           MOD_M8N8,
           MOD_M8N8K128,
           MOD_M8N8K16,
           MOD_M8N8K32,
           MOD_M8N8K4,
           MOD_MASK,
           MOD_MAX,
           MOD_MBARRIER,
           MOD_MBARRIER_INIT,
           MOD_MIN,
           MOD_MMIO,
           MOD_MULTICAST,
           MOD_NAN,
           MOD_NC,
           MOD_NE,
           MOD_NEU,
           MOD_NO_COMPLETE,
           MOD_NOFTZ,
           MOD_NOINC,
           MOD_NORMAL,
           MOD_NORMALIZED_COORDS,
           MOD_NOTANUMBER,
           MOD_NUM,
           MOD_NUMBER,
           MOD_OOB,
           MOD_OR,
           MOD_PARAM,
           MOD_PARITY,
           MOD_PENDING_COUNT,
           MOD_PO,
           MOD_POPC,
           MOD_PREFETCH,
           MOD_PROXY,
           MOD_R,
           MOD_RANGE,
           MOD_RC16,
           MOD_RC8,
           MOD_READ,
           MOD_RED,
           MOD_REDUCE,
           MOD_RELAXED,
           MOD_RELEASE,
           MOD_RELU,
           MOD_RM,
           MOD_RMI,
           MOD_RN,
           MOD_RNA,
           MOD_RNI,
           MOD_ROW,
           MOD_RP,
           MOD_RPI,
           MOD_RZ,
           MOD_RZI,
           MOD_SAT,
           MOD_SATFINITE,
           MOD_SC,
           MOD_SHARED,
           MOD_SHIFTAMT,
           MOD_SHR15,
           MOD_SHR7,
           MOD_SUBNORMAL,
           MOD_SYNC,
           MOD_SYS,
           MOD_TENSOR,
           MOD_TENSORMAP,
           MOD_TEST_WAIT,
           MOD_TO,
           MOD_TRANS,
           MOD_TRAP,
           MOD_TRY_WAIT,
           MOD_UNI,
           MOD_UP,
           MOD_V2,
           MOD_V4,
           MOD_VOLATILE,
           MOD_WAIT,
           MOD_WAIT_ALL,
           MOD_WAIT_GROUP,
           MOD_WARP,
           MOD_WB,
           MOD_WEAK,
           MOD_WIDE,
           MOD_WIDTH,
           MOD_WRAP,
           MOD_WT,
           MOD_X1,
           MOD_X2,
           MOD_X4,
           MOD_XOR,
           MOD_XORSIGN,
           MOD_ZERO,
           N_MODS,
           MOD_NONE = 255
};

enum space {
    SPACE_GENERIC,
    SPACE_GLOBAL,
    SPACE_SHARED,
    SPACE_LOCAL,
    SPACE_CONST,
    SPACE_PARAM, /* of the running function or of a call it prepares */
};

enum sreg {
    SREG_CLUSTER_CTAID, /* + 0, 1, 2: x, y, z */
    SREG_CLUSTER_CTARANK = SREG_CLUSTER_CTAID + 3,
    SREG_CLUSTER_NCTAID,
    SREG_CLUSTER_NCTARANK = SREG_CLUSTER_NCTAID + 3,
    SREG_CLUSTERID,
    SREG_CTAID = SREG_CLUSTERID + 3,
    SREG_IS_EXPLICIT_CLUSTER = SREG_CTAID + 3,
    SREG_LANEID,
    SREG_LANEMASK_EQ,
    SREG_LANEMASK_GE,
    SREG_LANEMASK_GT,
    SREG_LANEMASK_LE,
    SREG_LANEMASK_LT,
    SREG_NCLUSTERID,
    SREG_NCTAID = SREG_NCLUSTERID + 3,
    SREG_NTID = SREG_NCTAID + 3,
    SREG_TID = SREG_NTID + 3,
    N_SREGS = SREG_TID + 3
};

enum opnd_kind {
    OPND_NONE,
    OPND_REG,  /* index; negated: of a predicate */
    OPND_IMM,  /* value */
    OPND_SREG, /* index */
    OPND_ADDR, /* register index, if any, + value */
    OPND_LABEL /* index of an instruction (or of a target list) */
};

enum {
    NO_REG = 0xffff,
    MAX_OPNDS = 24,
    MAX_SOURCES = 8,     /* of an instruction that a thread computes alone */
    MAX_OPND_GROUPS = 6, /* of operands: a vector is one */
    MAX_INSNS = 4096,
    MAX_REGS = 192, /* of a function */
    MAX_FUNCS = 8,
    MAX_ARGS = 8,
    MAX_TARGETS = 16,
    PARAM_BYTES = 1024 /* of a function's frame: its own and those of its calls */
};

struct opnd {
    uint8_t kind;  /* enum opnd_kind */
    bool negated;  /* or of a video instruction */
    uint8_t space; /* of ADDR: of the symbol it names, else GENERIC */
    uint16_t reg;
    char part[6]; /* of a register: .b0, .h1, .b7610 without the point, or "" */
    uint64_t value;
};

struct insn {
    uint8_t op; /* enum op */
    uint8_t ty, ty2, ty3, ty4;
    uint8_t round; /* MOD_RN ...; MOD_NONE: nearest */
    uint8_t cmp;   /* MOD_EQ ...; MOD_NONE */
    uint8_t logic; /* MOD_AND, MOD_OR, MOD_XOR; MOD_NONE */
    uint8_t space; /* enum space */
    bool ftz, sat;
    bool a_col, b_col; /* of mma: layouts */
    bool cluster;      /* .shared::cluster */
    bool hinted; /* .L2::cache_hint: a policy behind the operands, left out here */
    bool guard_negated;
    uint16_t guard;                           /* register; NO_REG: none */
    uint8_t n;                                /* operands */
    uint8_t n_vec;                            /* elements of a ld or st, 1, 2 or 4 */
    uint8_t n_groups, group[MAX_OPND_GROUPS]; /* operands in each, one or a vector's */
    uint8_t n_to;     /* operands that the first stands for: elements of a vector */
    uint16_t pair;    /* second destination, d|p; NO_REG: none */
    uint64_t mods[4]; /* bit enum mod */
    uint32_t line;
    const char *name; /* with all its words, in the text; NULL: a return not written */
    uint32_t name_len;
    uint32_t runs; /* how often a thread came to it */
    struct opnd o[MAX_OPNDS];
};

static inline bool has(const struct insn *in, enum mod m)
{
    return (in->mods[m / 64] >> (m % 64) & 1) != 0;
}

struct arg { /* of a call: where it lies in the caller's frame */
    bool in_reg;
    uint16_t where; /* register or byte of the param space */
    uint16_t bytes;
};

struct call {
    bool by_value; /* of the function whose number, from 1, is in reg */
    uint16_t reg;
    uint8_t func;
    uint8_t n_args, n_results;
    struct arg arg[MAX_ARGS], result[MAX_ARGS];
};

struct func {
    char name[24];
    uint32_t entry;
    uint32_t n_regs;
    uint8_t reg_ty[MAX_REGS]; /* enum ty: their widths */
    uint32_t param_bytes;     /* of a kernel */
    uint8_t n_args, n_results;
    struct arg arg[MAX_ARGS], result[MAX_ARGS]; /* in its own frame */
};

enum { MAX_CALLS = 128, MAX_SWITCHES = 64, IMAGE_BYTES = 4096 };

struct code {
    struct insn insn[MAX_INSNS];
    uint32_t n_insns;
    struct func func[MAX_FUNCS];
    uint32_t n_funcs, kernel;
    struct call call[MAX_CALLS];
    uint32_t n_calls;
    uint32_t target[MAX_SWITCHES][MAX_TARGETS];
    uint8_t n_targets[MAX_SWITCHES];
    uint32_t n_switches;
    /* variables: the images of const and global, the sizes of the others */
    uint8_t constants[IMAGE_BYTES], globals[IMAGE_BYTES];
    uint32_t const_bytes, global_bytes, shared_bytes, local_bytes;
    bool dynamic_shared; /* an extern array follows at shared_bytes */
    uint32_t address_bits;
    uint32_t cluster[3]; /* .reqnctapercluster; 0: not said */
    char error[160];
};

/* Where the interpreter's generic addresses lie; any program's answers are the same for
 * every such choice. */
#define GENERIC_GLOBALS UINT64_C(0x30000000)
#define GENERIC_SHARED  UINT64_C(0xc0000000)
#define GENERIC_LOCAL   UINT64_C(0xd0000000)
#define GENERIC_CONST   UINT64_C(0xe0000000)
#define GENERIC_PARAM   UINT64_C(0xf0000000)
#define GENERIC_WINDOW  UINT64_C(0x01000000)
/* Of shared memory, the block's own: that of the block of rank r is r + 1 such steps
 * further. */
#define CLUSTER_STEP UINT64_C(0x00100000)

/* False: error says why the text is outside the subset or wrong. */
bool code_read(struct code *c, const char *text);

#endif /* RANDOM_CODE_H */
