/*
 * What products of matrices take: turns of the tensor pipe, cycles to their results.
 *
 * A turn is half of HMMA.1688. The key sm.pipe.tensor.latency is what all of them wait
 * for; the list says what each waits for besides. Measured on an H100 (mma_times.csv in
 * testbench/golden/data/h100): HMMA.1688 takes a scheduler's pipe for 4.2 cycles, its
 * result 17.4; HMMA.16816 6.2 and 24.8, IMMA.8816 4.1 and 14, DMMA.884 16 and 26.
 * Before 9.0 the turns are those of the chips' published peaks, and latencies assumed.
 * What a capability does by other instructions (m8n8k4 of f16 from 8.0 on, 4 bits and
 * xor of bits from 9.0 on) is counted roughly.
 */
#include "isa/machine_tile.h"
#include "base/attr.h"
#include "isa/machine_seq.h"

#define T(t) (1u << ISA_T_##t)
#define S(s) (1u << ISA_SHAPE_##s)

struct row {
    uint8_t min_cc;
    uint8_t boolop; /* enum isa_bool; NONE: any */
    uint32_t types; /* a set of T(), of A */
    uint32_t shapes;
    struct isa_seq seq;
};

#define ROW(cc, t, s, seq)                                                             \
    {                                                                                  \
        cc, ISA_B_NONE, t, s, seq                                                      \
    }
#define ROWB(cc, op, t, s, seq)                                                        \
    {                                                                                  \
        cc, ISA_B_##op, t, s, seq                                                      \
    }
#define HALVES (T(F16) | T(BF16))
#define BYTES  (T(S8) | T(U8))
#define FP8    (T(E4M3) | T(E5M2))
#define FOURS  (T(S4) | T(U4))

/* The first that fits holds. */
static const struct row rows[] = {
    /* 9.0 */
    ROW(90, HALVES, S(M16N8K16), SEQ(1, 12, P(TENSOR, 3, 1))),
    ROW(90, T(TF32), S(M16N8K8), SEQ(1, 12, P(TENSOR, 3, 1))),
    ROW(90, BYTES | FP8, S(M16N8K32), SEQ(1, 12, P(TENSOR, 3, 1))),
    ROW(90, BYTES, S(M8N8K16), SEQ(1, 1, P(TENSOR, 2, 1))),
    ROWB(90, AND, T(B1), S(M16N8K256), SEQ(1, 12, P(TENSOR, 3, 1))),
    ROWB(90, AND, T(B1), S(M8N8K128), SEQ(1, 1, P(TENSOR, 2, 1))),
    ROWB(90, XOR, T(B1), S(M16N8K256), SEQ(42, 99, P(TENSOR, 6, 1))),
    ROWB(90, XOR, T(B1), S(M16N8K128), SEQ(36, 87, P(TENSOR, 4, 1))),
    ROWB(90, XOR, T(B1), S(M8N8K128), SEQ(27, 77, P(TENSOR, 4, 1))),
    ROW(90, FOURS, S(M8N8K32), SEQ(70, 130, P(TENSOR, 4, 0))),
    ROW(90, FOURS, S(M16N8K32), SEQ(110, 170, P(TENSOR, 4, 0))),
    ROW(90, FOURS, S(M16N8K64), SEQ(160, 250, P(TENSOR, 6, 0))),
    ROW(90, T(F64), S(M16N8K16), SEQ(1, 97, P(TENSOR, 32, 1))),
    ROW(90, T(F64), S(M16N8K8), SEQ(1, 39, P(TENSOR, 16, 1))),
    ROW(90, T(F64), S(M16N8K4), SEQ(1, 21, P(TENSOR, 8, 1))),
    /* 8.0 */
    ROW(80, T(F64), S(M8N8K4), SEQ(1, 13, P(TENSOR, 8, 1))),
    ROW(80, HALVES, S(M8N8K4), SEQ(105, 205, P(FP32, 40, 5), P(SHUFFLE, 16, 0))),
    ROW(80, HALVES, S(M16N8K16), SEQ(1, 12, P(TENSOR, 4, 1))),
    ROW(80, T(TF32), S(M16N8K8), SEQ(1, 12, P(TENSOR, 4, 1))),
    ROW(80, BYTES | FP8, S(M16N8K32), SEQ(1, 12, P(TENSOR, 4, 1))),
    ROW(80, BYTES, S(M8N8K16), SEQ(1, 1, P(TENSOR, 1, 1))),
    ROW(80, FOURS, S(M16N8K64), SEQ(1, 12, P(TENSOR, 4, 1))),
    ROW(80, FOURS, S(M8N8K32), SEQ(1, 1, P(TENSOR, 1, 1))),
    ROW(80, T(B1), S(M16N8K256), SEQ(1, 12, P(TENSOR, 4, 1))),
    ROW(80, T(B1), S(M8N8K128), SEQ(1, 1, P(TENSOR, 1, 1))),
    /* 7.0: HMMA.884 and HMMA.1688, whose turns are longer; wmma of later types */
    ROW(70, HALVES, S(M16N8K16), SEQ(2, 12, P(TENSOR, 4, 1))),
    ROW(70, BYTES, S(M8N8K16), SEQ(1, 1, P(TENSOR, 1, 1))),
    ROW(70, FOURS, S(M8N8K32), SEQ(1, 1, P(TENSOR, 1, 1))),
    ROW(70, T(B1), S(M8N8K128), SEQ(1, 1, P(TENSOR, 1, 1))),
    /* all others: m16n8k8 of f16 and what is as long */
    ROW(70, UINT32_MAX, UINT32_MAX, SEQ(1, 4, P(TENSOR, 2, 1))),
};

/* mma.sp; measured on an H100 (mma_sparse_times.csv): of half the longest sum 6.2
 * cycles of the pipe and 17.7 to its result, of the longest 8.4 and 25. 8-bit
 * floating-point numbers and 4 bits are sequences there; of the longest of s4, 307 and
 * 351 cycles, the list says less. Before 9.0 as dense products half as long. */
static const struct row sparse_rows[] = {
    ROW(90, FP8, S(M16N8K64), SEQ(160, 74, P(TENSOR, 8, 1))),
    ROW(90, T(S4), S(M16N8K64), SEQ(190, 217, P(TENSOR, 6, 1))),
    ROW(90, T(S4), S(M16N8K128), SEQ(255, 255, P(TENSOR, 6, 1))),
    ROW(90, T(U4), S(M16N8K64), SEQ(66, 95, P(TENSOR, 6, 1))),
    ROW(90, T(U4), S(M16N8K128), SEQ(95, 130, P(TENSOR, 6, 1))),
    ROW(80, HALVES, S(M16N8K32), SEQ(1, 12, P(TENSOR, 4, 1))),
    ROW(80, T(TF32), S(M16N8K16), SEQ(1, 12, P(TENSOR, 4, 1))),
    ROW(80, BYTES | FP8, S(M16N8K64), SEQ(1, 12, P(TENSOR, 4, 1))),
    ROW(80, FOURS, S(M16N8K128), SEQ(1, 12, P(TENSOR, 4, 1))),
    ROW(90, UINT32_MAX, UINT32_MAX, SEQ(1, 4, P(TENSOR, 3, 1))),
    ROW(80, UINT32_MAX, UINT32_MAX, SEQ(1, 4, P(TENSOR, 2, 1))),
};

const struct isa_seq *isa_machine_tile(const struct isa_form *f, uint32_t cc)
{
    const bool sparse = f->sub == ISA_S_SPARSE;
    const struct row *const list = sparse ? sparse_rows : rows;
    const uint32_t n = sparse ? ARRAY_LEN(sparse_rows) : ARRAY_LEN(rows);

    for (uint32_t i = 0; i < n; i++) {
        const struct row *const r = &list[i];

        if (cc >= r->min_cc && (r->types >> f->type2 & 1u) != 0 &&
            (r->shapes >> f->shape & 1u) != 0 &&
            (r->boolop == ISA_B_NONE || r->boolop == f->boolop)) {
            return &r->seq;
        }
    }
    return NULL;
}
