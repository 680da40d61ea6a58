/*
 * lane.h - how the lane functions are written; private to lane*.c.
 *
 * One exec function per form, generated from an expression over one lane's operands
 * x, y, z. A full mask runs a plain loop over 32 lanes, which the compiler turns into
 * SIMD; a partial one computes every lane and keeps the old value outside the mask, so
 * expressions must be total: no division by zero, no shift by the width or more, no
 * signed overflow, no float-to-integer cast out of range.
 *
 * Operands and results may share slots. LANE_OPn is for operands all as wide as the
 * result: the slots of the result are those of an operand or disjoint from them.
 * LANE_OPnW is for mixed widths, where a pair may cover half of another operand: it
 * computes everything before it writes anything.
 *
 * A type code names how a slot is seen: u16 s16 u32 s32 u64 s64 f32 f64. Results are
 * stored zero-extended; NaNs of f32 as 0x7fffffff, which is what the hardware gives.
 */
#ifndef ISA_LANE_H
#define ISA_LANE_H

#include "base/bits.h"
#include "isa/fp.h"
#include "isa/uop.h"
#include <string.h>

#define LANE_ALL   0xffffffffu
#define LANE_NAN32 0x7fffffffu

/* The iterations that follow are independent: lane l reads and writes lane l. clang
 * would unroll so short a loop before it looks at vectors; interleaving does it
 * after. */
#if defined(__clang__)
#define LANE_IVDEP                                                                     \
    _Pragma("clang diagnostic ignored \"-Wpass-failed\"") _Pragma(                     \
        "clang loop vectorize(assume_safety) interleave_count(4) unroll(disable)")
#else
#define LANE_IVDEP _Pragma("GCC ivdep")
#endif
#define LANE_LOOP       LANE_IVDEP for (uint32_t l = 0; l < ISA_LANES; l++)
#define LANE_WORDS_LOOP LANE_IVDEP for (uint32_t l = 0; l < 2 * ISA_LANES; l++)

/*
 * Every function exists twice, from one body: for any x86-64 (or other) machine, and
 * for one with AVX2 and FMA, which selection prefers where the CPU has them. The
 * results are the same bit for bit: the compiler contracts nothing, and where
 * multiply-add is meant the plain function computes it otherwise.
 */
#if defined(__x86_64__)
#define LANE_HAS_WIDE 1
#define LANE_TARGET   __attribute__((target("avx2,fma")))
#else
#define LANE_HAS_WIDE 0
#define LANE_TARGET
#endif
#define LANE_INLINE static inline __attribute__((always_inline))

#define LANE_ARGS   const struct isa_uop *u, const struct isa_lanes *w, uint32_t mask

/* name and name_wide from the body that follows; one only of them. */
#define LANE_FN(name)                                                                  \
    LANE_INLINE void name##_body(LANE_ARGS);                                           \
    static void name(LANE_ARGS)                                                        \
    {                                                                                  \
        name##_body(u, w, mask);                                                       \
    }                                                                                  \
    LANE_TARGET static void name##_wide(LANE_ARGS)                                     \
    {                                                                                  \
        name##_body(u, w, mask);                                                       \
    }                                                                                  \
    LANE_INLINE void name##_body(LANE_ARGS)
#define LANE_PLAIN_FN(name) static void name(LANE_ARGS)
#define LANE_WIDE_FN(name)  LANE_TARGET static void name##_wide(LANE_ARGS)

/* Whether this machine runs the wide ones. */
static inline bool lane_is_wide(void)
{
#if LANE_HAS_WIDE
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

/* lane_bit[l] = 1 << l: a table, as SSE2 has no shift by a vector of counts.
 * lane_bit_of_word[i] = 1 << i / 2: of the words of a 64-bit register, where masking by
 * words of 32 bits is what SSE2 can do. */
#define LANE_BIT4(n) 1u << (n), 2u << (n), 4u << (n), 8u << (n)
static const uint32_t lane_bit[ISA_LANES] = {LANE_BIT4(0),  LANE_BIT4(4),
                                             LANE_BIT4(8),  LANE_BIT4(12),
                                             LANE_BIT4(16), LANE_BIT4(20),
                                             LANE_BIT4(24), LANE_BIT4(28)};

#define LANE_PAIR2(n) 1u << (n), 1u << (n), 2u << (n), 2u << (n)
#define LANE_PAIR8(n)                                                                  \
    LANE_PAIR2(n), LANE_PAIR2((n) + 2), LANE_PAIR2((n) + 4), LANE_PAIR2((n) + 6)
static const uint32_t lane_bit_of_word[2 * ISA_LANES] = {LANE_PAIR8(0), LANE_PAIR8(8),
                                                         LANE_PAIR8(16),
                                                         LANE_PAIR8(24)};

/* ---- the table of forms ---- */

/* One bit per enum isa_type, isa_round, isa_bool. */
#define T(t) (1u << ISA_T_##t)
#define R(r) (1u << ISA_R_##r)
#define B(b) (1u << ISA_B_##b)

/* A row answers the forms whose every field it lists. Sets left 0 mean "not said". */
struct lane_row {
    uint32_t types, types2; /* sets of T() */
    uint16_t rounds;        /* set of R() */
    uint32_t flags;         /* exactly these ... */
    uint32_t any;           /* ... after clearing these */
    uint8_t op, sub, cmp;
    uint8_t bools; /* set of B() */
    uint8_t vec;   /* of mov */
    uint8_t class, weight;
    isa_exec_fn *exec, *exec_wide;
};

#define ROW(o, t, cl, wt, fn)                                                          \
    {                                                                                  \
        .op = ISA_OP_##o, .types = (t), .class = ISA_CL_##cl, .weight = (wt),          \
        .exec = fn, .exec_wide = fn##_wide                                             \
    }
#define ROWX(o, t, cl, wt, fn, ...)                                                    \
    {                                                                                  \
        .op = ISA_OP_##o, .types = (t), .class = ISA_CL_##cl, .weight = (wt),          \
        .exec = fn, .exec_wide = fn##_wide, __VA_ARGS__                                \
    }

struct lane_table {
    const struct lane_row *row;
    uint32_t n;
};

#define LANE_TABLE(name, rows)                                                         \
    const struct lane_table name = {rows, sizeof(rows) / sizeof((rows)[0])}

extern const struct lane_table lane_int_table, lane_mul_table, lane_bits_table,
    lane_logic_table, lane_carry_table, lane_cmp_table, lane_mov_table, lane_f32_table,
    lane_f64_table, lane_cvt_table, lane_warp_table, lane_half_table,
    lane_half_approx_table, lane_half_cmp_table, lane_half_cvt_table, lane_tile_table,
    lane_rows_table, lane_mbarrier_table, lane_wgmma_table, lane_sparse_table;

/* All of them. */
extern const struct lane_table *const lane_tables[];
extern const uint32_t lane_n_tables;

/* ---- operands ---- */

static inline const uint32_t *lane_src(const struct isa_lanes *w, isa_ref ref)
{
    return ref >= 0 ? w->r + (size_t)ref * ISA_LANES
                    : w->k + (size_t)(-1 - ref) * ISA_LANES;
}

static inline uint32_t *lane_dst(const struct isa_lanes *w, isa_ref ref)
{
    return w->r + (size_t)ref * ISA_LANES;
}

/* Predicate source i, inverted if the micro-op says so. */
static inline uint32_t lane_pred(const struct isa_uop *u, const struct isa_lanes *w,
                                 uint32_t i)
{
    const isa_ref ref = u->src[i];
    const uint32_t p = ref >= 0 ? w->p[ref] : ref == ISA_P_TRUE ? LANE_ALL : 0;

    return p ^ (0u - ((uint32_t)u->neg_src >> i & 1u));
}

/* Predicate result; a sink is no place. */
static inline void lane_set_pred(const struct isa_lanes *w, isa_ref ref, uint32_t mask,
                                 uint32_t v)
{
    if (ref >= 0) {
        w->p[ref] = (w->p[ref] & ~mask) | (v & mask);
    }
}

static inline uint64_t lane_ld64(const uint32_t *p, uint32_t l)
{
    uint64_t v;

    memcpy(&v, p + 2 * l, sizeof(v));
    return v;
}

static inline void lane_st64(uint32_t *p, uint32_t l, uint64_t v)
{
    memcpy(p + 2 * l, &v, sizeof(v));
}

/*
 * c ? a : b without a choice, of which compilers make a branch, move the computation of
 * a into it, and then cannot vectorise: floating point might trap.
 */
static inline uint32_t lane_choose(uint32_t c, uint32_t a, uint32_t b)
{
    const uint32_t m = 0u - (uint32_t)(c != 0);

    return (a & m) | (b & ~m);
}

/* All lanes of a finished result. */
static inline void lane_commit32(uint32_t *d, const uint32_t v[ISA_LANES],
                                 uint32_t mask)
{
    if (mask == LANE_ALL) {
        memcpy(d, v, ISA_LANES * sizeof(v[0]));
        return;
    }
    LANE_LOOP
    {
        d[l] = lane_choose(mask & lane_bit[l], v[l], d[l]);
    }
}

static inline void lane_commit64(uint32_t *d, const uint32_t v[2 * ISA_LANES],
                                 uint32_t mask)
{
    if (mask == LANE_ALL) {
        memcpy(d, v, 2 * ISA_LANES * sizeof(v[0]));
        return;
    }
    LANE_WORDS_LOOP
    {
        d[l] = lane_choose(mask & lane_bit_of_word[l], v[l], d[l]);
    }
}

/* All ones where lane l is in the mask: widened by its sign, which SSE2 can. */
static inline uint64_t lane_mask64(uint32_t mask, uint32_t l)
{
    return (uint64_t)(int64_t) - (int32_t)((mask & lane_bit[l]) != 0);
}

/* One value in all lanes. */
LANE_INLINE bool lane_all_equal(const uint32_t b[ISA_LANES])
{
    uint32_t differ = 0;

    LANE_LOOP
    {
        differ |= b[l] ^ b[0];
    }
    return differ == 0;
}

/* x + y as signed numbers, clamped. */
static inline uint32_t lane_add_sat(uint32_t x, uint32_t y)
{
    const uint32_t r = x + y;

    return ((x ^ r) & (y ^ r)) >> 31 ? 0x7fffffffu + (x >> 31) : r;
}

/* ---- floating point as bits ---- */

/* A result of f32 arithmetic: every NaN is the canonical one. No choice, as above. */
static inline uint32_t lane_bits32(float f)
{
    const uint32_t nan = 0u - (uint32_t)(f != f);

    return (bits_of_f32(f) | nan) & (LANE_NAN32 | ~nan);
}

/* A subnormal becomes the zero of its sign. */
static inline uint32_t lane_ftz(uint32_t v)
{
    const uint32_t tiny = 0u - (uint32_t)((v & 0x7f800000u) == 0);

    return v & ~(tiny >> 1);
}

static inline float lane_ftzf(uint32_t v)
{
    return bits_f32(lane_ftz(v));
}

/* [0, 1]; NaN and -0 become +0. */
static inline uint32_t lane_sat32(float f)
{
    const int32_t v = (int32_t)bits_of_f32(f); /* numbers order as their bits */
    const int32_t low = v > 0x3f800000 ? 0x3f800000 : v;
    const uint32_t no = (0u - (uint32_t)(v > 0x7f800000)) | (0u - (uint32_t)(v < 0));

    return (uint32_t)low & ~no;
}

/* ---- type codes ---- */

#define LANE_C_u16          uint32_t
#define LANE_C_s16          int32_t
#define LANE_C_u32          uint32_t
#define LANE_C_s32          int32_t
#define LANE_C_u64          uint64_t
#define LANE_C_s64          int64_t
#define LANE_C_f32          float
#define LANE_C_f64          double

#define LANE_GET_u16(p, l)  ((p)[l])
#define LANE_GET_s16(p, l)  ((int32_t)(int16_t)(p)[l])
#define LANE_GET_u32(p, l)  ((p)[l])
#define LANE_GET_s32(p, l)  ((int32_t)(p)[l])
#define LANE_GET_u64(p, l)  lane_ld64(p, l)
#define LANE_GET_s64(p, l)  ((int64_t)lane_ld64(p, l))
#define LANE_GET_f32(p, l)  bits_f32((p)[l])
#define LANE_GET_f64(p, l)  bits_f64(lane_ld64(p, l))

#define LANE_GET_f32z(p, l) lane_ftzf((p)[l])
#define LANE_C_f32z         float

/* Of results: words per lane, the bits, the store, the finish. f64 results come as
 * bits: their NaN depends on the operands. */
#define LANE_N_u16               1u
#define LANE_N_u32               1u
#define LANE_N_f32               1u
#define LANE_N_u64               2u

#define LANE_PUT_u16(d, l, v)    ((d)[l] = (uint32_t)(uint16_t)(v))
#define LANE_PUT_u32(d, l, v)    ((d)[l] = (uint32_t)(v))
#define LANE_PUT_f32(d, l, v)    ((d)[l] = lane_bits32(v))
#define LANE_PUT_u64(d, l, v)    lane_st64(d, l, (uint64_t)(v))

#define LANE_COMMIT_u16(d, v, m) lane_commit32(d, v, m)
#define LANE_COMMIT_u32(d, v, m) lane_commit32(d, v, m)
#define LANE_COMMIT_f32(d, v, m) lane_commit32(d, v, m)
#define LANE_COMMIT_u64(d, v, m) lane_commit64(d, v, m)

/* ---- generators ---- */

#define LANE_X(TA) const LANE_C_##TA x = LANE_GET_##TA(a, l)
#define LANE_Y(TB) const LANE_C_##TB y = LANE_GET_##TB(b, l)
#define LANE_Z(TC) const LANE_C_##TC z = LANE_GET_##TC(c, l)

#define LANE_PTRS1                                                                     \
    const uint32_t *a = lane_src(w, u->src[0]);                                        \
    uint32_t *d = lane_dst(w, u->dst[0])
#define LANE_PTRS2                                                                     \
    LANE_PTRS1;                                                                        \
    const uint32_t *b = lane_src(w, u->src[1])
#define LANE_PTRS3                                                                     \
    LANE_PTRS2;                                                                        \
    const uint32_t *c = lane_src(w, u->src[2])

/* Bodies of the generators; load declares x, y, z. Everything into v, then into d: */
#define LANE_MIXED(TD, load, expr)                                                     \
    uint32_t v[LANE_N_##TD * ISA_LANES];                                               \
    LANE_LOOP                                                                          \
    {                                                                                  \
        load;                                                                          \
        LANE_PUT_##TD(v, l, expr);                                                     \
    }                                                                                  \
    LANE_COMMIT_##TD(d, v, mask)

/* straight into d; */
#define LANE_SAME(TD, load, expr)                                                      \
    if (mask == LANE_ALL) {                                                            \
        LANE_LOOP                                                                      \
        {                                                                              \
            load;                                                                      \
            LANE_PUT_##TD(d, l, expr);                                                 \
        }                                                                              \
        return;                                                                        \
    }                                                                                  \
    LANE_BLEND_##TD(load, expr)
#define LANE_BLEND_32(TD, load, expr)                                                  \
    LANE_LOOP                                                                          \
    {                                                                                  \
        load;                                                                          \
        uint32_t v;                                                                    \
        LANE_PUT_##TD(&v, 0, expr);                                                    \
        d[l] = lane_choose(mask & lane_bit[l], v, d[l]);                               \
    }
#define LANE_BLEND_u16(load, expr) LANE_BLEND_32(u16, load, expr)
#define LANE_BLEND_u32(load, expr) LANE_BLEND_32(u32, load, expr)
#define LANE_BLEND_f32(load, expr) LANE_BLEND_32(f32, load, expr)
#define LANE_BLEND_u64(load, expr) LANE_MIXED(u64, load, expr)

/* slow expressions: the lanes of the mask only. */
#define LANE_SLOW(TD, load, expr)                                                      \
    uint32_t v[LANE_N_##TD * ISA_LANES] = {0};                                         \
    for (uint32_t l = 0; l < ISA_LANES; l++) {                                         \
        if (mask & lane_bit[l]) {                                                      \
            load;                                                                      \
            LANE_PUT_##TD(v, l, expr);                                                 \
        }                                                                              \
    }                                                                                  \
    LANE_COMMIT_##TD(d, v, mask)

#define LANE_OP1(name, TD, TA, expr)                                                   \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        LANE_PTRS1;                                                                    \
        LANE_SAME(TD, LANE_X(TA), expr);                                               \
    }                                                                                  \
    static isa_exec_fn name
#define LANE_OP2(name, TD, TA, TB, expr)                                               \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        LANE_PTRS2;                                                                    \
        LANE_SAME(TD, LANE_X(TA); LANE_Y(TB), expr);                                   \
    }                                                                                  \
    static isa_exec_fn name
#define LANE_OP3(name, TD, TA, TB, TC, expr)                                           \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        LANE_PTRS3;                                                                    \
        LANE_SAME(TD, LANE_X(TA); LANE_Y(TB); LANE_Z(TC), expr);                       \
    }                                                                                  \
    static isa_exec_fn name
#define LANE_OP1W(name, TD, TA, expr)                                                  \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        LANE_PTRS1;                                                                    \
        LANE_MIXED(TD, LANE_X(TA), expr);                                              \
    }                                                                                  \
    static isa_exec_fn name
#define LANE_OP2W(name, TD, TA, TB, expr)                                              \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        LANE_PTRS2;                                                                    \
        LANE_MIXED(TD, LANE_X(TA); LANE_Y(TB), expr);                                  \
    }                                                                                  \
    static isa_exec_fn name
#define LANE_OP3W(name, TD, TA, TB, TC, expr)                                          \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        LANE_PTRS3;                                                                    \
        LANE_MIXED(TD, LANE_X(TA); LANE_Y(TB); LANE_Z(TC), expr);                      \
    }                                                                                  \
    static isa_exec_fn name
#define LANE_OP1S(name, TD, TA, expr)                                                  \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        LANE_PTRS1;                                                                    \
        LANE_SLOW(TD, LANE_X(TA), expr);                                               \
    }                                                                                  \
    static isa_exec_fn name
#define LANE_OP2S(name, TD, TA, TB, expr)                                              \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        LANE_PTRS2;                                                                    \
        LANE_SLOW(TD, LANE_X(TA); LANE_Y(TB), expr);                                   \
    }                                                                                  \
    static isa_exec_fn name
#define LANE_OP3S(name, TD, TA, TB, TC, expr)                                          \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        LANE_PTRS3;                                                                    \
        LANE_SLOW(TD, LANE_X(TA); LANE_Y(TB); LANE_Z(TC), expr);                       \
    }                                                                                  \
    static isa_exec_fn name

#endif /* ISA_LANE_H */
