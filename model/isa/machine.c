/*
 * What machine instructions a PTX instruction is made of.
 *
 * Counted in the machine code that nvcc 13.0 writes for sm_75, 80 and 90 (where the
 * three differ by a move or two, that of sm_90), as nvdisasm shows it, of chains of one
 * instruction each: the programs are testbench/fidelity/latencies.cu. What is branched
 * around for ordinary numbers is not in the lists. Capabilities below 7.0 have other
 * instructions, for which no such assembler is at hand: there isa_select() says what an
 * instruction takes.
 */
#include "base/attr.h"
#include "isa/machine_seq.h"
#include "isa/machine_tile.h"
#include "isa/uop.h"

/* One bit per enum isa_type, enum isa_sub, enum isa_round. */
#define T(t)  (1u << ISA_T_##t)
#define S(s)  (1ull << ISA_S_##s)
#define RN    (1u << ISA_R_RN)
#define ROUND (RN | 1u << ISA_R_RZ | 1u << ISA_R_RM | 1u << ISA_R_RP)
#define I16   (T(U16) | T(S16))
#define I64   (T(U64) | T(S64))
#define FP8   (T(E4M3X2) | T(E5M2X2))

enum ftz { ANY, FTZ, NO_FTZ };

struct row {
    uint64_t subs;   /* a set of S(); 0: any */
    uint32_t types;  /* a set of T() */
    uint32_t types2; /* the same; 0: any */
    uint16_t rounds; /* a set; 0: any */
    uint8_t op, ftz; /* enum isa_op, enum ftz */
    uint8_t min_cc;
    struct isa_seq seq;
};

#define CALL(n, cycles, ...)                                                           \
    {                                                                                  \
        .insts = (n), .wait = (cycles), .holds = true, .part = { __VA_ARGS__ }         \
    }
/* The same, and what it takes more if numbers are odd. */
#define CALL_ODD(n, cycles, which, more, time, ...)                                    \
    {                                                                                  \
        .insts = (n), .wait = (cycles), .holds = true, .odd = ISA_ODD_##which,         \
        .odd_insts = (more), .odd_wait = (time), .part = {                             \
            __VA_ARGS__                                                                \
        }                                                                              \
    }
#define ROW(o, t, s)                                                                   \
    {                                                                                  \
        .op = ISA_OP_##o, .types = (t), .min_cc = 70, .seq = s                         \
    }
#define ROWX(o, t, s, ...)                                                             \
    {                                                                                  \
        .op = ISA_OP_##o, .types = (t), .min_cc = 70, .seq = s, __VA_ARGS__            \
    }
#define ROW80(o, t, s, ...)                                                            \
    {                                                                                  \
        .op = ISA_OP_##o, .types = (t), .min_cc = 80, .seq = s, __VA_ARGS__            \
    }
#define ROW90(o, t, s, ...)                                                            \
    {                                                                                  \
        .op = ISA_OP_##o, .types = (t), .min_cc = 90, .seq = s, __VA_ARGS__            \
    }
#define APPROX .subs = S(APPROX)

/* The first that fits holds. Latencies are those of an H100, what is in a chain by its
 * pipes; approximate functions without .ftz scale operands that are too small. */
static const struct row rows[] = {
    /* integer division: the reciprocal as a float, and two corrections; the same by
     * parts (SPEC PTX-3) */
    ROWX(DIV, T(U32),
         SEQ(9, 12, P(CVT, 2, 2), P(SFU, 1, 1), P(IMUL, 3, 3), P(IADD, 2, 2),
             P(ICMP, 1, 0)),
         .subs = S(RECIPROCAL)),
    ROWX(DIV, T(S32),
         SEQ(11, 12, P(CVT, 2, 2), P(SFU, 1, 1), P(IMUL, 3, 3), P(IADD, 4, 3),
             P(ICMP, 1, 0)),
         .subs = S(RECIPROCAL)),
    ROWX(DIV, T(U32), SEQ(8, 4, P(IMUL, 3, 3), P(IADD, 3, 2), P(ICMP, 2, 2)),
         .subs = S(KNOWN)),
    ROWX(REM, T(U32), SEQ(8, 4, P(IMUL, 3, 3), P(IADD, 3, 2), P(ICMP, 2, 2)),
         .subs = S(KNOWN)),
    ROWX(DIV, T(S32), SEQ(12, 4, P(IMUL, 3, 3), P(IADD, 5, 4), P(ICMP, 4, 3)),
         .subs = S(KNOWN)),
    ROWX(REM, T(S32), SEQ(10, 4, P(IMUL, 3, 3), P(IADD, 4, 3), P(ICMP, 4, 3)),
         .subs = S(KNOWN)),
    ROW(DIV, T(U32),
        SEQ(17, 27, P(CVT, 2, 2), P(SFU, 1, 1), P(IMUL, 5, 5), P(IADD, 5, 4),
            P(ICMP, 3, 2))),
    ROW(REM, T(U32),
        SEQ(17, 26, P(CVT, 2, 2), P(SFU, 1, 1), P(IMUL, 6, 5), P(IADD, 4, 3),
            P(ICMP, 3, 2))),
    ROW(DIV, T(S32),
        SEQ(24, 22, P(CVT, 2, 2), P(SFU, 1, 1), P(IMUL, 7, 6), P(IADD, 6, 5),
            P(ICMP, 5, 3))),
    ROW(REM, T(S32),
        SEQ(20, 22, P(CVT, 2, 2), P(SFU, 1, 1), P(IMUL, 6, 6), P(IADD, 5, 4),
            P(ICMP, 5, 3))),
    ROW(DIV, I16,
        CALL(22, 65, P(CVT, 3, 2), P(SFU, 1, 1), P(FP32, 3, 3), P(ICMP, 5, 2),
             P(IADD, 3, 2))),
    ROW(REM, I16,
        CALL(25, 69, P(CVT, 3, 2), P(SFU, 1, 1), P(FP32, 3, 3), P(ICMP, 5, 2),
             P(IMUL, 4, 3))),
    ROW(DIV, T(U64),
        CALL(71, 106, P(CVT64, 2, 2), P(SFU, 1, 1), P(IMUL, 41, 17), P(IADD, 21, 10),
             P(ICMP, 14, 5))),
    ROW(REM, T(U64),
        CALL(67, 98, P(CVT64, 2, 2), P(SFU, 1, 1), P(IMUL, 41, 17), P(IADD, 19, 10),
             P(ICMP, 12, 5))),
    ROW(DIV, T(S64),
        CALL(86, 107, P(CVT64, 2, 2), P(SFU, 1, 1), P(IMUL, 41, 17), P(IADD, 27, 14),
             P(ICMP, 20, 6))),
    ROW(REM, T(S64),
        CALL(80, 110, P(CVT64, 2, 2), P(SFU, 1, 1), P(IMUL, 41, 17), P(IADD, 25, 13),
             P(ICMP, 18, 6))),
    /* bits */
    ROW(POPC, T(B32), SEQ(1, 0, P(SFU, 1, 1))),
    ROW(POPC, T(B64), SEQ(3, 2, P(SFU, 2, 1), P(IADD, 1, 1))),
    ROW(CLZ, T(B32), SEQ(2, 1, P(SFU, 1, 1), P(IADD, 1, 1))),
    ROW(BFIND, T(U32) | T(S32), SEQ(1, 0, P(SFU, 1, 1))),
    ROW(BREV, T(B32), SEQ(1, 0, P(SFU, 1, 1))),
    ROW(BREV, T(B64), SEQ(2, 0, P(SFU, 2, 1))),
    ROW(FNS, T(B32), CALL(51, 152, P(SFU, 4, 4))),
    ROW(BFE, T(U32) | T(S32), SEQ(2, 0, P(SHIFT, 2, 2))),
    ROW(BFI, T(B32), SEQ(2, 2, P(SHIFT, 1, 1), P(LOGIC, 1, 1))),
    ROW(CNOT, T(B16) | T(B32), SEQ(3, 5, P(ICMP, 2, 2), P(IMUL, 1, 0))),
    /* comparisons that make numbers */
    ROW(SET, T(U32) | T(S32) | T(F32), SEQ(2, 0, P(ICMP, 2, 2))),
    ROW(SLCT, T(B32) | T(U32) | T(S32) | T(F32) | T(B16) | I16,
        SEQ(2, 0, P(ICMP, 2, 2))),
    ROW(TESTP, T(F32), SEQ(2, 0, P(LOGIC, 1, 1), P(ICMP, 1, 1))),
    /* products of which the upper half is wanted pass the pipe twice */
    ROWX(MUL, T(U32) | T(S32), SEQ(1, 0, P(IMUL, 2, 2)), .subs = S(HI) | S(WIDE)),
    ROWX(MAD, T(U32) | T(S32), SEQ(1, 0, P(IMUL, 2, 2)), .subs = S(HI) | S(WIDE)),
    /* 64 bits by halves */
    ROW(MIN, I64, SEQ(4, 0, P(ICMP, 4, 3))),
    ROW(MAX, I64, SEQ(4, 0, P(ICMP, 4, 3))),
    ROW(SAD, I64, SEQ(10, 2, P(IADD, 6, 3), P(ICMP, 4, 2))),
    ROW(ABS, T(S64), SEQ(5, 0, P(IADD, 2, 1), P(ICMP, 3, 2))),
    ROWX(MUL, I64, SEQ(4, 3, P(IMUL, 4, 3), P(IADD, 1, 0)), .subs = S(LO)),
    ROWX(MUL, I64, SEQ(7, 5, P(IMUL, 8, 4), P(IADD, 3, 2)), .subs = S(HI)),
    ROWX(MAD, I64, SEQ(4, 1, P(IMUL, 4, 3), P(IADD, 1, 0)), .subs = S(LO)),
    /* conversions */
    ROW90(CVT, T(F32), SEQ(1, 0, P(LOGIC, 1, 1)), .types2 = T(U32) | T(S32)),
    ROWX(CVT, T(F32), SEQ(1, 0, P(FP32, 1, 1)), .types2 = T(F32),
         .rounds = 1u << ISA_R_NONE),
    /* of halves: two values are packed by the unit of comparisons, a half becomes f32
     * by an addition, and tf32 is rounded by integer arithmetic */
    ROWX(CVT, T(F32), SEQ(1, 0, P(HALF, 1, 1)), .types2 = T(F16)),
    ROW80(CVT, T(F32), SEQ(1, 0, P(LOGIC, 1, 1)), .types2 = T(BF16)),
    ROW80(CVT, T(F16), SEQ(1, 0, P(ICMP, 1, 1)), .types2 = T(F32), .rounds = RN),
    ROW80(CVT, T(F16X2) | T(BF16X2), SEQ(1, 0, P(ICMP, 1, 1)), .types2 = T(F32)),
    ROW80(CVT, T(F16X2), SEQ(1, 0, P(ICMP, 1, 1)), .types2 = FP8),
    ROW80(CVT, FP8, SEQ(1, 0, P(ICMP, 1, 1))),
    ROW80(CVT, T(TF32), SEQ(3, 10, P(ICMP, 1, 1), P(IADD, 1, 1), P(LOGIC, 1, 1)),
          .rounds = 1u << ISA_R_RNA),
    ROW80(CVT, T(TF32), SEQ(1, 0, P(ICMP, 1, 1))),
    /* f32 */
    ROWX(DIV, T(F32), CALL_ODD(11, 20, DIV_F32, 33, 220, P(SFU, 2, 1), P(FP32, 5, 5)),
         .rounds = ROUND),
    ROWX(DIV, T(F32), SEQ(5, 7, P(SFU, 1, 1), P(FP32, 2, 2), P(ICMP, 2, 2)), APPROX,
         .ftz = NO_FTZ),
    ROWX(DIV, T(F32), SEQ(2, 1, P(SFU, 1, 1), P(FP32, 1, 1)), APPROX, .ftz = FTZ),
    ROWX(DIV, T(F32), SEQ(8, 7, P(SFU, 1, 1), P(FP32, 4, 3), P(ICMP, 3, 2)),
         .subs = S(FULL)),
    ROWX(RCP, T(F32),
         CALL(10, 35, P(SFU, 1, 1), P(FP32, 3, 3), P(IADD, 2, 2), P(ICMP, 1, 1)),
         .rounds = ROUND),
    ROWX(RCP, T(F32), SEQ(7, 6, P(SFU, 1, 1), P(FP32, 2, 2), P(ICMP, 4, 2)), APPROX,
         .ftz = NO_FTZ),
    ROWX(SQRT, T(F32),
         CALL_ODD(10, 26, SQRT_F32, 9, 109, P(SFU, 1, 1), P(FP32, 4, 3), P(IADD, 1, 0),
                  P(ICMP, 1, 0)),
         .rounds = ROUND),
    ROWX(SQRT, T(F32), SEQ(4, 9, P(SFU, 1, 1), P(FP32, 2, 2), P(ICMP, 1, 1)), APPROX,
         .ftz = NO_FTZ),
    ROWX(SQRT, T(F32), SEQ(1, 0, P(SFU, 1, 1)), APPROX, .ftz = FTZ),
    ROWX(RSQRT, T(F32), SEQ(4, 9, P(SFU, 1, 1), P(FP32, 2, 2), P(ICMP, 1, 1)),
         .ftz = NO_FTZ),
    ROW(SIN, T(F32), SEQ(2, 1, P(SFU, 1, 1), P(FP32, 1, 1))),
    ROW(COS, T(F32), SEQ(2, 1, P(SFU, 1, 1), P(FP32, 1, 1))),
    ROWX(EX2, T(F32), SEQ(4, 9, P(SFU, 1, 1), P(FP32, 2, 2), P(ICMP, 1, 1)),
         .ftz = NO_FTZ),
    ROWX(LG2, T(F32), SEQ(4, 9, P(SFU, 1, 1), P(FP32, 2, 2), P(ICMP, 1, 1)),
         .ftz = NO_FTZ),
    /* f64 */
    ROW(DIV, T(F64),
        CALL(17, 35, P(FP64, 8, 8), P(SFU, 1, 1), P(FP32, 2, 1), P(ICMP, 1, 1))),
    ROWX(RCP, T(F64),
         CALL(13, 15, P(FP64, 5, 5), P(SFU, 1, 1), P(IADD, 2, 0), P(ICMP, 1, 0)),
         .rounds = ROUND),
    ROW(SQRT, T(F64),
        CALL(18, 18, P(FP64, 8, 7), P(SFU, 1, 1), P(IADD, 2, 0), P(ICMP, 1, 0))),
    ROWX(RSQRT, T(F64), CALL(13, 9, P(FP64, 5, 5), P(SFU, 1, 1), P(ICMP, 1, 0)),
         .ftz = NO_FTZ),
    ROW(MIN, T(F64), SEQ(6, 5, P(FP64, 1, 1), P(ICMP, 4, 3))),
    ROW(MAX, T(F64), SEQ(6, 5, P(FP64, 1, 1), P(ICMP, 4, 3))),
    /* lanes that meet */
    ROWX(MATCH, T(B32), SEQ(1, 44, P(VOTE, 13, 1)), .subs = S(ANY)),
    ROWX(MATCH, T(B64), SEQ(1, 52, P(VOTE, 26, 1)), .subs = S(ANY)),
    ROWX(MATCH, T(B32), SEQ(1, 22, P(VOTE, 4, 1)), .subs = S(ALL)),
    ROW(REDUX, T(U32) | T(S32) | T(B32), SEQ(2, 38, P(VOTE, 4, 1))),
};

static bool fits(const struct row *r, const struct isa_form *f, uint32_t cc)
{
    const bool ftz = (f->flags & ISA_F_FTZ) != 0;

    return r->op == f->op && cc >= r->min_cc && (r->types >> f->type & 1u) != 0 &&
           (r->types2 == 0 || (r->types2 >> f->type2 & 1u) != 0) &&
           (r->subs == 0 || (r->subs >> f->sub & 1u) != 0) &&
           (r->rounds == 0 || (r->rounds >> f->round & 1u) != 0) &&
           (r->ftz == ANY || (r->ftz == FTZ) == ftz);
}

const struct isa_seq *isa_machine(const struct isa_form *f, uint32_t cc)
{
    if (f->op == ISA_OP_MMA) {
        return isa_machine_tile(f, cc);
    }
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        if (fits(&rows[i], f, cc)) {
            return &rows[i].seq;
        }
    }
    return NULL;
}

uint32_t isa_seq_latency(const struct isa_seq *seq,
                         const uint32_t latency[ISA_N_CLASSES])
{
    uint32_t sum = seq->wait;

    for (uint32_t k = 0; k < ARRAY_LEN(seq->part) && seq->part[k].n != 0; k++) {
        sum += seq->part[k].chain * latency[seq->part[k].class];
    }
    return sum;
}
