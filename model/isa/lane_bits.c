/* Shifts, bit fields, counting bits, byte permutation. */
#include "isa/lane.h"

/* ---- shifts: a count of the width or more clamps ---- */

#define SHL(x, n, bits) ((n) < (bits) ? (x) << ((n) & ((bits)-1)) : 0)
#define SHR(x, n, bits) ((n) < (bits) ? (x) >> ((n) & ((bits)-1)) : 0)
#define SAR(x, n, bits) ((x) >> ((n) < (bits) ? (n) : (bits)-1))

/* Most counts are constants: one count for all lanes is what SSE2 can shift by. Names
 * the constant slot y, as the general path names the lane's. */
#define SHIFT(name, TD, TA, expr)                                                      \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        LANE_PTRS2;                                                                    \
        if (u->src[1] < 0) {                                                           \
            const uint32_t y = b[0];                                                   \
            LANE_SAME(TD, LANE_X(TA), expr);                                           \
        } else {                                                                       \
            LANE_MIXED(TD, LANE_X(TA); LANE_Y(u32), expr);                             \
        }                                                                              \
    }                                                                                  \
    static isa_exec_fn name

SHIFT(shl16, u16, u16, SHL(x, y, 16));
SHIFT(shl32, u32, u32, SHL(x, y, 32));
SHIFT(shl64, u64, u64, SHL(x, y, 64));
SHIFT(shr_u16, u16, u16, SHR(x, y, 16));
SHIFT(shr_s16, u16, s16, SAR(x, y, 16));
SHIFT(shr_u32, u32, u32, SHR(x, y, 32));
SHIFT(shr_s32, u32, s32, SAR(x, y, 32));
SHIFT(shr_u64, u64, u64, SHR(x, y, 64));
SHIFT(shr_s64, u64, s64, SAR(x, y, 64));

/* The pair y:x shifted; n is at most 32. */
static inline uint32_t funnel_l(uint32_t x, uint32_t y, uint32_t n)
{
    return (uint32_t)((((uint64_t)y << 32 | x) << n) >> 32);
}

static inline uint32_t funnel_r(uint32_t x, uint32_t y, uint32_t n)
{
    return (uint32_t)(((uint64_t)y << 32 | x) >> n);
}

#define WRAP(n)  ((n)&31)
#define CLAMP(n) ((n) < 32 ? (n) : 32)
LANE_OP3(shf_l_wrap, u32, u32, u32, u32, funnel_l(x, y, WRAP(z)));
LANE_OP3(shf_l_clamp, u32, u32, u32, u32, funnel_l(x, y, CLAMP(z)));
LANE_OP3(shf_r_wrap, u32, u32, u32, u32, funnel_r(x, y, WRAP(z)));
LANE_OP3(shf_r_clamp, u32, u32, u32, u32, funnel_r(x, y, CLAMP(z)));

/* ---- counting ---- */

static inline uint32_t popc32(uint32_t x)
{
    x = x - (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    x += x >> 8;
    return (x + (x >> 16)) & 0x3fu;
}

static inline uint32_t popc64(uint64_t x)
{
    return popc32((uint32_t)x) + popc32((uint32_t)(x >> 32));
}

/* By the exponent of a float, as SIMD has no such instruction. Of two set bits in a row
 * the lower one is cleared, so that nothing rounds up to the next power of two. */
static inline uint32_t clz32(uint32_t x)
{
    const uint32_t left = 158u - (bits_of_f32((float)(int32_t)(x & ~(x >> 1))) >> 23);
    const uint32_t n =
        (int32_t)left > 32 ? 32 : left; /* 0 has the exponent of 2^-127 */

    return n & ~(0u - (x >> 31)); /* a set top bit made it negative */
}

static inline uint32_t clz64(uint64_t x)
{
    const uint32_t high = clz32((uint32_t)(x >> 32)), low = clz32((uint32_t)x);

    return high + (low & (0u - (high >> 5)));
}

static inline uint32_t brev32(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    return x >> 16 | x << 16;
}

static inline uint64_t brev64(uint64_t x)
{
    return (uint64_t)brev32((uint32_t)x) << 32 | brev32((uint32_t)(x >> 32));
}

/* The place of the top bit that is not a copy of the sign; all ones if there is none.
 */
#define TOP32(v) (31 - clz32(v))
#define TOP64(v) (63 - clz64(v))
/* The same as the shift that brings it to the top. */
#define AMT32(v) (clz32(v) | (0u - (uint32_t)((v) == 0)))
#define AMT64(v) (clz64(v) | (0u - (clz64(v) >> 6)))
#define POS(x)   ((x) < 0 ? ~(x) : (x))

LANE_OP1(popc_32, u32, u32, popc32(x));
LANE_OP1W(popc_64, u32, u64, popc64(x));
LANE_OP1(clz_32, u32, u32, clz32(x));
LANE_OP1W(clz_64, u32, u64, clz64(x));
LANE_OP1(brev_32, u32, u32, brev32(x));
LANE_OP1(brev_64, u64, u64, brev64(x));
LANE_OP1(bfind_u32, u32, u32, TOP32(x));
LANE_OP1(bfind_s32, u32, s32, TOP32((uint32_t)POS(x)));
LANE_OP1W(bfind_u64, u32, u64, TOP64(x));
LANE_OP1W(bfind_s64, u32, s64, TOP64((uint64_t)POS(x)));
LANE_OP1(bfamt_u32, u32, u32, AMT32(x));
LANE_OP1(bfamt_s32, u32, s32, AMT32((uint32_t)POS(x)));
LANE_OP1W(bfamt_u64, u32, u64, AMT64(x));
LANE_OP1W(bfamt_s64, u32, s64, AMT64((uint64_t)POS(x)));

/* The n-th set bit of x from base upwards, for n < 0 downwards; n = 0: base itself. */
static uint32_t find_nth_set(uint32_t x, uint32_t base, int32_t n)
{
    const uint32_t step = n < 0 ? UINT32_MAX : 1;
    uint32_t left = n < 0 ? 0u - (uint32_t)n : (uint32_t)n;

    if (n == 0) {
        return base < 32 && (x >> base & 1) != 0 ? base : UINT32_MAX;
    }
    for (uint32_t at = base; at < 32; at += step) { /* below 0 wraps past 32 */
        if ((x >> at & 1) != 0 && --left == 0) {
            return at;
        }
    }
    return UINT32_MAX;
}
LANE_OP3S(fns, u32, u32, u32, s32, find_nth_set(x, y, z));

/*
 * ---- fields ----
 * Position and length are 0 to 255 by definition. Beyond that the machine takes the low
 * bytes for 32-bit fields and clamps for 64-bit ones (seen on an H100).
 */
#define LOW_BYTE(n) ((n)&0xff)
#define CLAMP255(n) ((n) < 255 ? (n) : 255)

/* The low n bits set, n up to 255. */
static inline uint32_t ones32(uint32_t n)
{
    return n < 32 ? (1u << n) - 1 : UINT32_MAX;
}

static inline uint64_t ones64(uint32_t n)
{
    return n < 64 ? (1ull << n) - 1 : UINT64_MAX;
}

static inline uint32_t bfe32(uint32_t x, uint32_t pos, uint32_t len, bool s)
{
    const uint32_t top = pos + len - 1 < 31 ? pos + len - 1 : 31;
    const bool ext = s && len != 0 && (x >> top & 1) != 0;
    const uint32_t v = pos < 32 ? x >> pos : 0;
    /* Above the register's own top a field holds copies of the sign. */
    const uint32_t have = pos < 32 ? 32 - pos : 0;
    const uint32_t keep = ones32(len < have ? len : have);

    return (v & keep) | (ext ? ~keep : 0);
}

static inline uint64_t bfe64(uint64_t x, uint32_t pos, uint32_t len, bool s)
{
    const uint32_t top = pos + len - 1 < 63 ? pos + len - 1 : 63;
    const bool ext = s && len != 0 && (x >> top & 1) != 0;
    const uint64_t v = pos < 64 ? x >> pos : 0;
    const uint32_t have = pos < 64 ? 64 - pos : 0;
    const uint64_t keep = ones64(len < have ? len : have);

    return (v & keep) | (ext ? ~keep : 0);
}

static inline uint32_t bfi32(uint32_t a, uint32_t b, uint32_t pos, uint32_t len)
{
    const uint32_t m = pos < 32 ? ones32(len) << pos : 0;

    return (b & ~m) | (pos < 32 ? a << pos & m : 0);
}

static inline uint64_t bfi64(uint64_t a, uint64_t b, uint32_t pos, uint32_t len)
{
    const uint64_t m = pos < 64 ? ones64(len) << pos : 0;

    return (b & ~m) | (pos < 64 ? a << pos & m : 0);
}

/* Constant fields are the rule: one for all lanes, as for shifts. */
#define BFE(name, s)                                                                   \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        LANE_PTRS3;                                                                    \
        if (u->src[1] < 0 && u->src[2] < 0) {                                          \
            const uint32_t y = LOW_BYTE(b[0]), z = LOW_BYTE(c[0]);                     \
            LANE_SAME(u32, LANE_X(u32), bfe32(x, y, z, s));                            \
        } else {                                                                       \
            LANE_MIXED(u32, LANE_X(u32); LANE_Y(u32);                                  \
                       LANE_Z(u32), bfe32(x, LOW_BYTE(y), LOW_BYTE(z), s));            \
        }                                                                              \
    }                                                                                  \
    static isa_exec_fn name
BFE(bfe_u32, false);
BFE(bfe_s32, true);
LANE_OP3W(bfe_u64, u64, u64, u32, u32, bfe64(x, CLAMP255(y), CLAMP255(z), false));
LANE_OP3W(bfe_s64, u64, u64, u32, u32, bfe64(x, CLAMP255(y), CLAMP255(z), true));

LANE_FN(bfi_32)
{
    LANE_PTRS3;
    const uint32_t *e = lane_src(w, u->src[3]);
    LANE_SAME(u32, LANE_X(u32); LANE_Y(u32);
              LANE_Z(u32), bfi32(x, y, LOW_BYTE(z), LOW_BYTE(e[l])));
}

LANE_FN(bfi_64)
{
    LANE_PTRS3;
    const uint32_t *e = lane_src(w, u->src[3]);
    LANE_MIXED(u64, LANE_X(u64); LANE_Y(u64);
               LANE_Z(u32), bfi64(x, y, CLAMP255(z), CLAMP255(e[l])));
}

/* y ones from bit x up. .wrap takes both modulo 32, and a mask that would pass bit 31
 * goes up to it. */
static inline uint32_t bmsk(uint32_t x, uint32_t y)
{
    return ones32(y) << x;
}
LANE_OP2(bmsk_wrap, u32, u32, u32, bmsk(x & 31, y & 31));
LANE_OP2(bmsk_clamp, u32, u32, u32, x < 32 ? bmsk(x & 31, y) : 0);

/* The low n bits of x, extended; n = 0 gives 0. */
static inline uint32_t szext(uint32_t x, uint32_t n, bool s)
{
    const uint32_t keep = ones32(n);
    const bool ext = s && n != 0 && (x >> ((n - 1) & 31) & 1) != 0;

    return (x & keep) | (ext ? ~keep : 0);
}
#define CUT(n) ((n) < 32 ? (n) : 32)
LANE_OP2(szext_wrap_u, u32, u32, u32, szext(x, y & 31, false));
LANE_OP2(szext_wrap_s, u32, u32, u32, szext(x, y & 31, true));
LANE_OP2(szext_clamp_u, u32, u32, u32, szext(x, CUT(y), false));
LANE_OP2(szext_clamp_s, u32, u32, u32, szext(x, CUT(y), true));

/* ---- prmt: four bytes chosen among the eight of y:x ---- */

/* Nibble i of sel chooses byte i; its top bit asks for copies of that byte's sign. */
static inline uint32_t permute(uint32_t x, uint32_t y, uint32_t sel)
{
    uint32_t r = 0;

    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t s = sel >> 4 * i;
        const uint32_t byte = lane_choose(s & 4, y, x) >> 8 * (s & 3) & 0xff;

        r |= lane_choose(s & 8, (0u - (byte >> 7)) & 0xff, byte) << 8 * i;
    }
    return r;
}

/* Selectors of the named modes, by the low two bits of the operand. */
static inline uint32_t one_of(uint32_t z, uint32_t s0, uint32_t s1, uint32_t s2,
                              uint32_t s3)
{
    return lane_choose(z & 2, lane_choose(z & 1, s3, s2), lane_choose(z & 1, s1, s0));
}

#define F4E(z)  one_of(z, 0x3210, 0x4321, 0x5432, 0x6543)
#define B4E(z)  one_of(z, 0x5670, 0x6701, 0x7012, 0x0123)
#define RC8(z)  one_of(z, 0x0000, 0x1111, 0x2222, 0x3333)
#define ECL(z)  one_of(z, 0x3210, 0x3211, 0x3222, 0x3333)
#define ECR(z)  one_of(z, 0x0000, 0x1110, 0x2210, 0x3210)
#define RC16(z) one_of(z, 0x1010, 0x3232, 0x1010, 0x3232)

LANE_OP3(prmt, u32, u32, u32, u32, permute(x, y, z));
LANE_OP3(prmt_f4e, u32, u32, u32, u32, permute(x, y, F4E(z)));
LANE_OP3(prmt_b4e, u32, u32, u32, u32, permute(x, y, B4E(z)));
LANE_OP3(prmt_rc8, u32, u32, u32, u32, permute(x, y, RC8(z)));
LANE_OP3(prmt_ecl, u32, u32, u32, u32, permute(x, y, ECL(z)));
LANE_OP3(prmt_ecr, u32, u32, u32, u32, permute(x, y, ECR(z)));
LANE_OP3(prmt_rc16, u32, u32, u32, u32, permute(x, y, RC16(z)));
#define SUB(s) .sub = ISA_S_##s
#define AMOUNT .flags = ISA_F_SHIFTAMT
#define CL     .flags = ISA_F_CLAMP

/*
 * Weights. A 64-bit shift is a funnel shift and a plain one; a 64-bit count is a count
 * of each half and their combination; a 64-bit field operation about twice a 32-bit
 * one. fns is a loop on the real machine; 20 is an assumption.
 */
static const struct lane_row rows[] = {
    ROW(SHL, T(B16), SHIFT, 1, shl16),
    ROW(SHL, T(B32), SHIFT, 1, shl32),
    ROW(SHL, T(B64), SHIFT, 2, shl64),
    ROW(SHR, T(B16) | T(U16), SHIFT, 1, shr_u16),
    ROW(SHR, T(S16), SHIFT, 1, shr_s16),
    ROW(SHR, T(B32) | T(U32), SHIFT, 1, shr_u32),
    ROW(SHR, T(S32), SHIFT, 1, shr_s32),
    ROW(SHR, T(B64) | T(U64), SHIFT, 2, shr_u64),
    ROW(SHR, T(S64), SHIFT, 2, shr_s64),
    ROWX(SHF, T(B32), SHIFT, 1, shf_l_wrap, SUB(L)),
    ROWX(SHF, T(B32), SHIFT, 1, shf_l_clamp, SUB(L), CL),
    ROWX(SHF, T(B32), SHIFT, 1, shf_r_wrap, SUB(R)),
    ROWX(SHF, T(B32), SHIFT, 1, shf_r_clamp, SUB(R), CL),
    ROW(POPC, T(B32), IMUL, 1, popc_32),
    ROW(POPC, T(B64), IMUL, 3, popc_64),
    ROW(CLZ, T(B32), IMUL, 1, clz_32),
    ROW(CLZ, T(B64), IMUL, 3, clz_64),
    ROW(BREV, T(B32), IMUL, 1, brev_32),
    ROW(BREV, T(B64), IMUL, 2, brev_64),
    ROW(BFIND, T(U32), IMUL, 1, bfind_u32),
    ROW(BFIND, T(S32), IMUL, 1, bfind_s32),
    ROW(BFIND, T(U64), IMUL, 3, bfind_u64),
    ROW(BFIND, T(S64), IMUL, 3, bfind_s64),
    ROWX(BFIND, T(U32), IMUL, 1, bfamt_u32, AMOUNT),
    ROWX(BFIND, T(S32), IMUL, 1, bfamt_s32, AMOUNT),
    ROWX(BFIND, T(U64), IMUL, 3, bfamt_u64, AMOUNT),
    ROWX(BFIND, T(S64), IMUL, 3, bfamt_s64, AMOUNT),
    ROW(FNS, T(B32), IMUL, 20, fns),
    ROW(BFE, T(U32), SHIFT, 1, bfe_u32),
    ROW(BFE, T(S32), SHIFT, 1, bfe_s32),
    ROW(BFE, T(U64), SHIFT, 4, bfe_u64),
    ROW(BFE, T(S64), SHIFT, 4, bfe_s64),
    ROW(BFI, T(B32), SHIFT, 1, bfi_32),
    ROW(BFI, T(B64), SHIFT, 4, bfi_64),
    ROW(BMSK, T(B32), SHIFT, 1, bmsk_wrap),
    ROWX(BMSK, T(B32), SHIFT, 1, bmsk_clamp, CL),
    ROW(SZEXT, T(U32), SHIFT, 1, szext_wrap_u),
    ROW(SZEXT, T(S32), SHIFT, 1, szext_wrap_s),
    ROWX(SZEXT, T(U32), SHIFT, 1, szext_clamp_u, CL),
    ROWX(SZEXT, T(S32), SHIFT, 1, szext_clamp_s, CL),
    ROW(PRMT, T(B32), SHIFT, 1, prmt),
    ROWX(PRMT, T(B32), SHIFT, 1, prmt_f4e, SUB(F4E)),
    ROWX(PRMT, T(B32), SHIFT, 1, prmt_b4e, SUB(B4E)),
    ROWX(PRMT, T(B32), SHIFT, 1, prmt_rc8, SUB(RC8)),
    ROWX(PRMT, T(B32), SHIFT, 1, prmt_ecl, SUB(ECL)),
    ROWX(PRMT, T(B32), SHIFT, 1, prmt_ecr, SUB(ECR)),
    ROWX(PRMT, T(B32), SHIFT, 1, prmt_rc16, SUB(RC16)),
};

LANE_TABLE(lane_bits_table, rows);
