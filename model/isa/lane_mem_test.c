/* Addresses, data of memory accesses, parameters, atomics, moves, special registers. */
#include "isa/lane_test.h"

#define SLOTS 32u

static uint32_t r[SLOTS * ISA_LANES], before[SLOTS * ISA_LANES], p[5];
static uint32_t k[4 * ISA_LANES];
static struct isa_env env;
static const struct isa_lanes lanes = {.r = r, .p = p, .k = k, .env = &env};

static void scramble(uint64_t *seed)
{
    for (uint32_t i = 0; i < SLOTS * ISA_LANES; i++) {
        r[i] = (uint32_t)lt_random(seed);
    }
    memcpy(before, r, sizeof(before));
}

static bool on(uint32_t mask, uint32_t l)
{
    return (mask >> l & 1) != 0;
}

static void addresses(void **state)
{
    struct isa_uop u = {.addr = 4, .imm = -8, .addr64 = true};
    uint64_t addr[ISA_LANES], seed = 1;

    (void)state;
    scramble(&seed);
    memset(addr, 0x77, sizeof(addr));
    isa_addresses(&u, &lanes, 0x0000ff01, addr);
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        const uint64_t base = r[128 + 2 * l] + ((uint64_t)r[129 + 2 * l] << 32);

        assert_true(addr[l] == (on(0xff01, l) ? base - 8 : 0x7777777777777777ull));
    }
    u.addr64 = false; /* 32-bit addresses wrap */
    r[128] = 3;
    isa_addresses(&u, &lanes, UINT32_MAX, addr);
    assert_true(addr[0] == 0xfffffffbu);
    assert_true(addr[9] == (uint32_t)(r[137] - 8));
    u.addr = -2; /* a constant */
    k[ISA_LANES + 3] = 0x1000;
    u.imm = 0x20;
    isa_addresses(&u, &lanes, 8, addr);
    assert_true(addr[3] == 0x1020);
    u.addr = ISA_NO_REF;
    isa_addresses(&u, &lanes, UINT32_MAX, addr);
    assert_true(addr[31] == 0x20);
}

/* Store and load every size, vector and width of register. */
static void data(void **state)
{
    static const enum isa_type types[4][2] = {{ISA_T_U8, ISA_T_S8},
                                              {ISA_T_U16, ISA_T_S16},
                                              {ISA_T_U32, ISA_T_S32},
                                              {ISA_T_U64, ISA_T_S64}};
    uint64_t seed = 2;

    (void)state;
    for (uint32_t i = 0; i < 4 * 2 * 3 * 4 * 8; i++) {
        const uint32_t lg = i % 4, s = i / 4 % 2, vec = 1u << (i / 8 % 3);
        const uint32_t reg = (uint32_t[]){0, 16, 32, 64}[i / 24 % 4];
        const uint32_t size = 1u << lg, step = size == 8 || reg == 64 ? 2 : 1;
        const uint32_t mask = i % 3 ? (uint32_t)lt_random(&seed) : UINT32_MAX;
        struct isa_uop u = {.kind = ISA_K_STORE,
                            .size = (uint8_t)size,
                            .dst_bits = (uint8_t)reg,
                            .form = {.type = types[lg][s], .vec = (uint8_t)vec}};
        uint32_t d[8][ISA_LANES];

        if (reg != 0 && reg < 8 * size) {
            continue;
        }
        scramble(&seed);
        for (uint32_t e = 0; e < vec; e++) {
            u.src[e] = (isa_ref)(2 * e);
            u.dst[e] = e == 1 && i % 5 == 0 ? ISA_NO_REF : (isa_ref)(16 + 2 * e);
        }
        isa_store_data(&u, &lanes, mask, d);
        u.kind = ISA_K_LOAD;
        isa_load_data(&u, &lanes, mask, (const uint32_t(*)[ISA_LANES])d);
        for (uint32_t n = 0; n < vec * ISA_LANES; n++) {
            const uint32_t e = n / ISA_LANES, l = n % ISA_LANES;
            const uint64_t v = lt_get(before + 64 * e, l, step == 2);
            const uint64_t keep = UINT64_MAX >> (64 - 8 * size);
            const uint32_t bits = reg ? reg : size < 2 ? 16 : 8 * size;
            uint64_t want = v & keep;

            if (on(mask, l)) {
                assert_int_equal(d[size == 8 ? 2 * e : e][l], (uint32_t)want);
                if (size == 8) {
                    assert_int_equal(d[2 * e + 1][l], (uint32_t)(want >> 32));
                }
            }
            if (s == 1 && (v >> (8 * size - 1) & 1) != 0) {
                want |= ~keep;
            }
            want &= UINT64_MAX >> (64 - bits);
            if (!on(mask, l) || u.dst[e] == ISA_NO_REF) {
                want = lt_get(before + 64 * (8 + e), l, step == 2);
            }
            assert_true(lt_get(r + 64 * (8 + e), l, step == 2) == want);
        }
    }
}

/* cas has two operands, its result is one value; a thrown-away result is no place. */
static void data_of_atomics(void **state)
{
    struct isa_uop u = {.kind = ISA_K_ATOM,
                        .size = 8,
                        .dst_bits = 64,
                        .form = {.type = ISA_T_B64, .sub = ISA_S_CAS},
                        .src = {2, 4},
                        .dst = {ISA_NO_REF}};
    uint32_t d[4][ISA_LANES];
    uint64_t seed = 3;

    (void)state;
    scramble(&seed);
    isa_store_data(&u, &lanes, UINT32_MAX, d);
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        assert_int_equal(d[0][l], r[64 + 2 * l]);
        assert_int_equal(d[1][l], r[65 + 2 * l]);
        assert_int_equal(d[2][l], r[128 + 2 * l]);
        assert_int_equal(d[3][l], r[129 + 2 * l]);
    }
    isa_load_data(&u, &lanes, UINT32_MAX, (const uint32_t(*)[ISA_LANES])d);
    assert_memory_equal(r, before, sizeof(r));
    u.dst[0] = 6;
    isa_load_data(&u, &lanes, 2, (const uint32_t(*)[ISA_LANES])d);
    assert_int_equal(r[192 + 2], r[64 + 2]);
    assert_int_equal(r[192 + 3], r[64 + 3]);
    assert_int_equal(r[192], before[192]);
    u.form = (struct isa_form){.type = ISA_T_U32, .sub = ISA_S_ADD};
    u.size = 4;
    u.dst_bits = 32;
    isa_store_data(&u, &lanes, UINT32_MAX, d);
    assert_memory_equal(d[0], r + 64, sizeof(d[0]));
    assert_int_equal(d[1][0], before[65]); /* no second operand */
}

/* Bytes of the parameter area as the contract lays them out. */
static uint8_t area_byte(uint32_t base, uint32_t b, uint32_t l)
{
    return (uint8_t)(r[(base + b / 4) * ISA_LANES + l] >> 8 * (b % 4));
}

static void parameters_of_calls(void **state)
{
    uint64_t seed = 4;

    (void)state;
    for (uint32_t i = 0; i < 400; i++) {
        const uint32_t bits = 8u << i % 4, size = bits / 8, vec = 1u << i / 4 % 3;
        const uint32_t mask = i % 5 ? (uint32_t)lt_random(&seed) : UINT32_MAX;
        const bool s = i / 12 % 2 != 0;
        struct isa_uop u = {.frame = 8,
                            .imm = (int64_t)(size * (i / 24 % 3)),
                            .form = {.vec = (uint8_t)vec,
                                     .type =
                                         (uint8_t)((s ? ISA_T_S8 : ISA_T_U8) + i % 4)}};

        for (uint32_t e = 0; e < vec; e++) {
            u.src[e] = (isa_ref)(2 * e);
            u.dst[e] = e == 3 ? ISA_NO_REF : (isa_ref)(22 + 2 * e);
        }
        scramble(&seed);
        isa_exec_param(true, bits)(&u, &lanes, mask);
        for (uint32_t n = 0; n < 48 * ISA_LANES; n++) {
            const uint32_t b = n / ISA_LANES, l = n % ISA_LANES;
            const uint32_t e = (b - (uint32_t)u.imm) / size;
            const uint8_t old = (uint8_t)(before[(8 + b / 4) * 32 + l] >> 8 * (b % 4));
            const uint64_t v = lt_get(before + 64 * (e % 4), l, size == 8);
            const bool in = b >= (uint32_t)u.imm && e < vec && on(mask, l);

            assert_int_equal(area_byte(8, b, l),
                             in ? (uint8_t)(v >> 8 * ((b - (uint32_t)u.imm) % size))
                                : old);
        }
        isa_exec_param(false, bits)(&u, &lanes, mask);
        for (uint32_t n = 0; n < vec * ISA_LANES; n++) {
            const uint32_t e = n / ISA_LANES, l = n % ISA_LANES;
            const uint64_t keep = UINT64_MAX >> (64 - bits);
            uint64_t want = lt_get(before + 64 * e, l, size == 8) & keep;

            if (e == 3) {
                continue;
            }
            if (s && (want >> (bits - 1)) != 0) {
                want |= ~keep;
            }
            want &= bits == 64 ? UINT64_MAX : bits == 32 ? UINT32_MAX : 0xffff;
            if (!on(mask, l)) {
                want = lt_get(before + 64 * (11 + e), l, size == 8);
            }
            assert_true(lt_get(r + 64 * (11 + e), l, size == 8) == want);
        }
    }
    assert_null(isa_exec_param(true, 24));
}

static void parameters_of_kernels(void **state)
{
    static uint8_t block[40];
    struct isa_uop u = {.addr = ISA_NO_REF,
                        .imm = 8,
                        .size = 8,
                        .dst_bits = 64,
                        .dst = {4, 6},
                        .form = {.type = ISA_T_U64, .vec = 2}};
    isa_exec_fn *const exec = isa_exec_kernel_param();
    uint64_t seed = 5;

    (void)state;
    for (uint32_t i = 0; i < sizeof(block); i++) {
        block[i] = (uint8_t)(0x81 + i);
    }
    env.param = block;
    env.param_bytes = sizeof(block);
    scramble(&seed);
    exec(&u, &lanes, 0xfffffffe);
    assert_int_equal(r[128], before[128]);
    for (uint32_t l = 1; l < ISA_LANES; l++) {
        assert_true(lt_get(r + 128, l, true) == 0x908f8e8d8c8b8a89ull);
        assert_true(lt_get(r + 192, l, true) == 0x9897969594939291ull);
    }
    /* An address per lane, one of them outside; signed bytes. */
    u = (struct isa_uop){.addr = 0,
                         .imm = 1,
                         .size = 1,
                         .dst_bits = 32,
                         .dst = {4},
                         .form = {.type = ISA_T_S8, .vec = 1}};
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        r[l] = l == 7 ? 39 : l;
    }
    exec(&u, &lanes, UINT32_MAX);
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        assert_int_equal(r[128 + l], l == 7 ? 0 : 0xffffff82u + l);
    }
    u.size = 4; /* two bytes in, two out */
    u.imm = 38;
    u.addr = ISA_NO_REF;
    exec(&u, &lanes, UINT32_MAX);
    assert_int_equal(r[128], 0xa8a7);
}

static void atomics(void **state)
{
    static const struct {
        enum isa_sub sub;
        enum isa_type t;
        uint64_t old, b, c, want;
    } rows[] = {
        {ISA_S_ADD, ISA_T_U32, 0xffffffff, 2, 0, 1},
        {ISA_S_ADD, ISA_T_S32, 5, 0xfffffffa, 0, 0xffffffff},
        {ISA_S_ADD, ISA_T_U64, 0xffffffffffffffff, 2, 0, 1},
        {ISA_S_ADD, ISA_T_F32, 0x3f000000, 0x3f000000, 0, 0x3f800000},
        {ISA_S_ADD, ISA_T_F32, 0x00000001, 0x00000001, 0, 0x00000002},
        {ISA_S_ADD, ISA_T_F64, 0x3fe0000000000000, 0x3fe0000000000000, 0,
         0x3ff0000000000000},
        {ISA_S_INC, ISA_T_U32, 4, 5, 0, 5},
        {ISA_S_INC, ISA_T_U32, 5, 5, 0, 0},
        {ISA_S_INC, ISA_T_U32, 9, 5, 0, 0},
        {ISA_S_DEC, ISA_T_U32, 4, 5, 0, 3},
        {ISA_S_DEC, ISA_T_U32, 0, 5, 0, 5},
        {ISA_S_DEC, ISA_T_U32, 6, 5, 0, 5},
        {ISA_S_MIN, ISA_T_U32, 0xffffffff, 1, 0, 1},
        {ISA_S_MIN, ISA_T_S32, 0xffffffff, 1, 0, 0xffffffff},
        {ISA_S_MAX, ISA_T_U32, 0xffffffff, 1, 0, 0xffffffff},
        {ISA_S_MAX, ISA_T_S32, 0xffffffff, 1, 0, 1},
        {ISA_S_MIN, ISA_T_S64, 0xffffffffffffffff, 1, 0, 0xffffffffffffffff},
        {ISA_S_MIN, ISA_T_U64, 0xffffffffffffffff, 1, 0, 1},
        {ISA_S_MAX, ISA_T_S64, 0xffffffffffffffff, 1, 0, 1},
        {ISA_S_MAX, ISA_T_U64, 0xffffffffffffffff, 1, 0, 0xffffffffffffffff},
        {ISA_S_AND, ISA_T_B32, 0xc, 0xa, 0, 8},
        {ISA_S_OR, ISA_T_B64, 0xc00000000, 0xa, 0, 0xc0000000a},
        {ISA_S_XOR, ISA_T_B32, 0xc, 0xa, 0, 6},
        {ISA_S_EXCH, ISA_T_B64, 1, 0x200000002, 0, 0x200000002},
        {ISA_S_CAS, ISA_T_B32, 7, 7, 9, 9},
        {ISA_S_CAS, ISA_T_B32, 7, 8, 9, 7},
        {ISA_S_CAS, ISA_T_B64, 0x700000007, 0x800000007, 9, 0x700000007},
        {ISA_S_CAS, ISA_T_B16, 0xabcd0007, 7, 0x12345, 0x2345},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_true(isa_atom(rows[i].sub, rows[i].t, rows[i].old, rows[i].b,
                             rows[i].c) == rows[i].want);
    }
}

/* ---- moves ---- */

static void o_mov(struct lt_lane *x)
{
    x->d = x->v[0];
}

static void o_cvta(struct lt_lane *x)
{
    static const uint64_t base[] = {[ISA_SP_SHARED] = 0x01000000,
                                    [ISA_SP_LOCAL] = 0x02000000,
                                    [ISA_SP_CONST] = 0x03000000,
                                    [ISA_SP_PARAM] = 0x04000000};
    const bool to = (x->form->flags & ISA_F_TO) != 0;
    const uint64_t by = base[x->form->space];

    x->d = to ? x->v[0] - by : x->v[0] + by;
    x->d &= x->form->type == ISA_T_U32 ? UINT32_MAX : UINT64_MAX;
}

static void moves(void **state)
{
    static const struct {
        enum isa_type t;
        const char *r;
    } kinds[] = {{ISA_T_B16, "h"}, {ISA_T_U16, "h"}, {ISA_T_S16, "h"}, {ISA_T_B32, "r"},
                 {ISA_T_U32, "r"}, {ISA_T_S32, "r"}, {ISA_T_F32, "r"}, {ISA_T_B64, "R"},
                 {ISA_T_U64, "R"}, {ISA_T_S64, "R"}, {ISA_T_F64, "R"}};

    (void)state;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        struct lt_case c = {.form = {.op = ISA_OP_MOV, .type = kinds[i].t},
                            .dst = kinds[i].r[0],
                            .src = kinds[i].r,
                            .oracle = o_mov};

        lt_check(&c);
        c.form.vec = 1;
        lt_check(&c);
    }
    for (uint8_t s = ISA_SP_GLOBAL; s <= ISA_SP_PARAM; s++) {
        for (uint32_t i = 0; i < 4; i++) {
            const struct lt_case c = {.form = {.op = ISA_OP_CVTA,
                                               .type = i % 2 ? ISA_T_U32 : ISA_T_U64,
                                               .space = s,
                                               .flags = i / 2 ? ISA_F_TO : 0},
                                      .dst = i % 2 ? 'r' : 'R',
                                      .src = i % 2 ? "r" : "R",
                                      .oracle = o_cvta};

            lt_check(&c);
        }
    }
}

/* A register taken apart over itself and put together again, elements thrown away. */
static void vectors(void **state)
{
    static const struct {
        enum isa_type t;
        uint32_t n, bits;
    } kinds[] = {{ISA_T_B16, 2, 8},
                 {ISA_T_B32, 2, 16},
                 {ISA_T_B32, 4, 8},
                 {ISA_T_B64, 2, 32},
                 {ISA_T_B64, 4, 16}};
    uint64_t seed = 6;

    (void)state;
    for (uint32_t i = 0; i < 200; i++) {
        const uint32_t n = kinds[i % 5].n, bits = kinds[i % 5].bits;
        const uint32_t mask = i % 3 ? (uint32_t)lt_random(&seed) : UINT32_MAX;
        const bool over = i % 2 != 0, wide = n * bits == 64;
        const isa_ref first = over ? 4 : 8;
        struct isa_uop u = {.form = {.op = ISA_OP_MOV,
                                     .type = kinds[i % 5].t,
                                     .vec = (uint8_t)n},
                            .src = {4},
                            .n_src = 1};
        struct isa_selected sel;

        assert_true(isa_select(&u.form, &sel));
        scramble(&seed);
        for (uint32_t e = 0; e < n; e++) {
            u.dst[e] =
                e == 1 && i % 7 == 0 ? ISA_NO_REF : (isa_ref)(first + (isa_ref)e);
        }
        sel.exec = i / 5 % 2 ? sel.exec : lt_plain(sel.exec);
        sel.exec(&u, &lanes, mask);
        for (uint32_t e = 0; e < n * ISA_LANES; e++) {
            const uint32_t l = e % ISA_LANES, at = (uint32_t)first * ISA_LANES + e;
            const uint64_t v = lt_get(before + 128, l, wide) >> (e / ISA_LANES * bits);
            const bool kept = u.dst[e / ISA_LANES] == ISA_NO_REF || !on(mask, l);

            assert_int_equal(r[at], kept ? before[at] : v & ((1ull << bits) - 1));
        }
        memcpy(before, r, sizeof(before));
        for (uint32_t e = 0; e < n; e++) {
            u.src[e] = (isa_ref)(first + (isa_ref)e);
        }
        u.n_src = (uint8_t)n;
        u.dst[0] = 4;
        sel.exec(&u, &lanes, mask);
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            uint64_t want = 0;

            for (uint32_t e = n; e > 0; e--) {
                want =
                    want << bits | (before[((uint32_t)first + e - 1) * ISA_LANES + l] &
                                    ((1ull << bits) - 1));
            }
            assert_true(lt_get(r + 128, l, wide) ==
                        (on(mask, l) ? want : lt_get(before + 128, l, wide)));
        }
    }
}

static void spaces(void **state)
{
    static const uint64_t at[] = {0,          0x00ffffff,    0x01000000, 0x01ffffff,
                                  0x02000000, 0x02ffffff,    0x03000000, 0x03ffffff,
                                  0x04000000, 0x04ffffff,    0x05000000, 0x0fffffff,
                                  0x10000000, 0x7f0000000000};
    static const uint32_t want[] = {[ISA_SP_GLOBAL] = 3u << 12,
                                    [ISA_SP_SHARED] = 3u << 2,
                                    [ISA_SP_LOCAL] = 3u << 4,
                                    [ISA_SP_CONST] = 3u << 6,
                                    [ISA_SP_PARAM] = 3u << 8};

    (void)state;
    for (uint8_t s = ISA_SP_GLOBAL; s <= ISA_SP_PARAM; s++) {
        for (uint32_t i = 0; i < 4; i++) { /* three ways to say 64 bits, one 32 */
            struct isa_uop u = {.form = {.op = ISA_OP_ISSPACEP,
                                         .type = i == 0 ? ISA_T_U64 : ISA_T_NONE,
                                         .type2 = i == 1 ? ISA_T_U64 : ISA_T_NONE,
                                         .space = s},
                                .addr64 = i == 2,
                                .dst = {2},
                                .src = {0}};
            const uint32_t mask = i == 3 ? 0x1fff : 0x3fff;
            struct isa_selected sel;

            assert_true(isa_select(&u.form, &sel));
            for (uint32_t l = 0; l < 14; l++) {
                lt_set(r, l, i != 3, at[l]);
            }
            p[2] = 0xffffffff;
            sel.exec(&u, &lanes, mask);
            assert_int_equal(p[2], ~mask | (want[s] & mask));
        }
    }
}

static void special_registers(void **state)
{
    static const uint64_t uniform[ISA_N_SREGS] = {
        [ISA_SR_NTID_X] = 128,
        [ISA_SR_NTID_Y] = 2,
        [ISA_SR_NTID_Z] = 3,
        [ISA_SR_CTAID_X] = 70000,
        [ISA_SR_CTAID_Y] = 5,
        [ISA_SR_CTAID_Z] = 6,
        [ISA_SR_NCTAID_X] = 80000,
        [ISA_SR_NCTAID_Y] = 8,
        [ISA_SR_NCTAID_Z] = 9,
        [ISA_SR_WARPID] = 10,
        [ISA_SR_NWARPID] = 48,
        [ISA_SR_SMID] = 12,
        [ISA_SR_NSMID] = 15,
        [ISA_SR_GRIDID] = 14,
        [ISA_SR_CLOCK] = 0x89abcdef,
        [ISA_SR_CLOCK_HI] = 0x1234567,
        [ISA_SR_CLOCK64] = 0x123456789abcdef,
        [ISA_SR_GLOBALTIMER] = 0xfedcba9876543210,
        [ISA_SR_GLOBALTIMER_LO] = 0x76543210,
        [ISA_SR_GLOBALTIMER_HI] = 0xfedcba98,
        [ISA_SR_DYNAMIC_SMEM] = 1024,
        [ISA_SR_TOTAL_SMEM] = 2048,
        [ISA_SR_ENVREG1] = 0x98765432,
        [ISA_SR_ENVREG2] = 0x10fedcba,
        [ISA_SR_RESERVED_BEGIN] = 2064,
        [ISA_SR_RESERVED_END] = 3000,
        [ISA_SR_RESERVED_CAP] = 936,
        [ISA_SR_RESERVED_0] = 2064,
        [ISA_SR_RESERVED_1] = 2064,
        [ISA_SR_CLUSTERID_X] = 21,
        [ISA_SR_CLUSTERID_Y] = 22,
        [ISA_SR_CLUSTERID_Z] = 23,
        [ISA_SR_NCLUSTERID_X] = 31,
        [ISA_SR_NCLUSTERID_Y] = 32,
        [ISA_SR_NCLUSTERID_Z] = 33,
        [ISA_SR_CLUSTER_CTAID_X] = 1,
        [ISA_SR_CLUSTER_CTAID_Y] = 3,
        [ISA_SR_CLUSTER_CTAID_Z] = 5,
        [ISA_SR_CLUSTER_NCTAID_X] = 2,
        [ISA_SR_CLUSTER_NCTAID_Y] = 4,
        [ISA_SR_CLUSTER_NCTAID_Z] = 6,
        [ISA_SR_CLUSTER_RANK] = 13,
        [ISA_SR_CLUSTER_SIZE] = 48,
    };
    static const uint8_t types[] = {ISA_T_U16, ISA_T_U32, ISA_T_U64};
    uint64_t seed = 7;

    (void)state;
    env = (struct isa_env){.ntid = {128, 2, 3},
                           .ctaid = {70000, 5, 6},
                           .nctaid = {80000, 8, 9},
                           .warpid = 10,
                           .nwarpid = 48,
                           .smid = 12,
                           .nsmid = 15,
                           .gridid = 14,
                           .dynamic_smem = 1024,
                           .total_smem = 2048,
                           .reserved_begin = 2064,
                           .reserved_end = 3000,
                           .cluster = {.id = {21, 22, 23},
                                       .n_ids = {31, 32, 33},
                                       .at = {1, 3, 5},
                                       .n_at = {2, 4, 6},
                                       .rank = 13,
                                       .size = 48},
                           .grid_sync = 0x9876543210fedcba,
                           .clock = 0x123456789abcdef,
                           .globaltimer = 0xfedcba9876543210};
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        env.tid[0][l] = 100 + l;
        env.tid[1][l] = 200 + l;
        env.tid[2][l] = 300 + l;
    }
    for (uint32_t i = 0; i < ISA_N_SREGS * 3; i++) {
        const enum isa_sreg s = (enum isa_sreg)(i / 3);
        const struct isa_uop u = {.form = {.op = ISA_OP_MOV, .type = types[i % 3]},
                                  .dst = {4},
                                  .imm = s};

        if (s == ISA_SR_EXPLICIT_CLUSTER) { /* a predicate */
            p[4] = 0x0ff00000;
            env.cluster.is_explicit = i % 3 == 0;
            isa_exec_sreg(s)(&u, &lanes, 0xf0f0ffff);
            assert_int_equal(p[4], i % 3 == 0 ? 0xfff0ffff : 0x0f000000);
            continue;
        }
        scramble(&seed);
        isa_exec_sreg(s)(&u, &lanes, 0xf0f0ffff);
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            const uint32_t below = (uint32_t)((1ull << l) - 1);
            uint64_t want = uniform[s];

            want = s == ISA_SR_TID_X   ? 100 + l
                   : s == ISA_SR_TID_Y ? 200 + l
                   : s == ISA_SR_TID_Z ? 300 + l
                                       : want;
            want = s == ISA_SR_LANEID        ? l
                   : s == ISA_SR_LANEMASK_EQ ? below + 1
                   : s == ISA_SR_LANEMASK_LT ? below
                   : s == ISA_SR_LANEMASK_LE ? 2 * (uint64_t)below + 1
                   : s == ISA_SR_LANEMASK_GE ? UINT32_MAX - below
                   : s == ISA_SR_LANEMASK_GT ? UINT32_MAX - (2 * (uint64_t)below + 1)
                                             : want;
            want &= i % 3 == 0 ? 0xffffu : i % 3 == 1 ? UINT32_MAX : UINT64_MAX;
            if (!on(0xf0f0ffff, l)) {
                want = lt_get(before + 128, l, i % 3 == 2);
            }
            assert_true(lt_get(r + 128, l, i % 3 == 2) == want);
        }
    }
}

/* SPEC CLUSTER-2: places in the shared memory of other blocks; lane l asks for rank
 * l % 16, whose number an address tells. */
static void ranks(void **state)
{
    (void)state;
    env = (struct isa_env){.cluster = {.rank = 3, .size = 16}};
    for (uint32_t i = 0; i < 4; i++) { /* of shared memory or generic, 32 or 64 bits */
        const bool wide = i % 2 == 1, generic = i >= 2;
        const uint64_t base = generic ? ISA_SHARED_WINDOW : 0;
        const struct isa_form form = {.op = ISA_OP_MAPA,
                                      .type = wide ? ISA_T_U64 : ISA_T_U32,
                                      .space =
                                          generic ? ISA_SP_GENERIC : ISA_SP_SHARED};
        struct isa_uop u = {.form = form, .dst = {8}, .src = {0, 4}};
        struct isa_selected sel;

        assert_true(isa_select(&u.form, &sel));
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            lt_set(r, l, wide, base + 1000 + l);
            lt_set(r + 128, l, false, l % 16);
        }
        sel.exec(&u, &lanes, UINT32_MAX);
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            assert_true(lt_get(r + 256, l, wide) ==
                        base + 1000 + l + ((l % 16 + 1) << ISA_RANK_SHIFT));
        }
        u.form.op = ISA_OP_GETCTARANK;
        u.src[0] = 8;
        u.dst[0] = 4;
        assert_true(isa_select(&u.form, &sel));
        lt_set(r + 256, 7, wide, base + 1000); /* the own one, without a rank */
        sel.exec(&u, &lanes, UINT32_MAX);
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            assert_int_equal(lt_get(r + 128, l, false), l == 7 ? 3 : l % 16);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks),
        cmocka_unit_test(addresses),
        cmocka_unit_test(data),
        cmocka_unit_test(data_of_atomics),
        cmocka_unit_test(parameters_of_calls),
        cmocka_unit_test(parameters_of_kernels),
        cmocka_unit_test(atomics),
        cmocka_unit_test(moves),
        cmocka_unit_test(vectors),
        cmocka_unit_test(spaces),
        cmocka_unit_test(special_registers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
