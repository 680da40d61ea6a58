/*
 * wgmma against an H100: hashes of what testbench/fidelity/wgmma.cu got there, of every
 * form, and of the places that it read by drawn descriptors. The first 256 products of
 * each form; with the argument "all", all of them.
 */
#include "isa/h100_rows_test.h"
#include "isa/wgmma.h"
#include "isa/wgmma_draw_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool wants_all;

enum { SHARED = 16384, D_SLOT = 0, A_SLOT = 16, B_SLOT = 20 };

struct run {
    struct isa_form form;
    struct isa_uop u;
    struct isa_wgmma g;
    isa_ref list[ISA_WGMMA_REGS];
    isa_exec_fn *exec;
    int kind, kind_c, in_e; /* what is drawn */
    bool in_regs;
    uint32_t r[32 * ISA_LANES];
    uint32_t shared[SHARED / 4];
    struct isa_env env;
};

static enum isa_type type_of(const char *name, size_t n)
{
    for (uint32_t t = 0; t < ISA_N_TYPES; t++) {
        if (strlen(isa_type_name((enum isa_type)t)) == n &&
            strncmp(isa_type_name((enum isa_type)t), name, n) == 0) {
            return (enum isa_type)t;
        }
    }
    fail_msg("no type %s", name);
    return ISA_T_NONE;
}

static int kind_of(enum isa_type t)
{
    switch (t) {
    case ISA_T_F16: return DRAW_F16;
    case ISA_T_BF16: return DRAW_BF16;
    case ISA_T_TF32: return DRAW_TF32;
    case ISA_T_F32: return DRAW_F32;
    case ISA_T_S32: return DRAW_SUM;
    case ISA_T_E4M3:
    case ISA_T_E5M2: return DRAW_BYTES;
    default: return DRAW_BITS;
    }
}

/* n8_f32_f16, n8_f32_e4m3_e5m2_rs, n8_s32_u8_u8_sat, n8_f32_f16_minus_a ... */
static void begin(struct run *x, const char *name)
{
    enum isa_type type[3] = {ISA_T_NONE, ISA_T_NONE, ISA_T_NONE};
    uint32_t n = 0;
    struct isa_selected s;

    memset(x, 0, sizeof(*x));
    x->form = (struct isa_form){.op = ISA_OP_WGMMA, .sub = ISA_S_MMA, .vec = 1};
    x->form.cols = (uint8_t)(strtoul(name + 1, NULL, 10) / 8);
    x->u.dst2 = ISA_P_TRUE;
    for (const char *p = strchr(name, '_'); p != NULL; p = strchr(p, '_')) {
        const size_t len = strcspn(++p, "_");

        if (strncmp(p, "rs", len) == 0) {
            x->u.imm |= ISA_WGMMA_A_REGS;
        } else if (strncmp(p, "sat", len) == 0) {
            x->form.flags |= ISA_F_SATFINITE;
        } else if (strncmp(p, "zero", len) == 0) {
            x->u.dst2 = ISA_P_FALSE;
        } else if (strncmp(p, "minus", len) == 0) {
            x->u.imm |= strchr(p + 6, 'a') != NULL ? ISA_WGMMA_MINUS_A : 0;
            x->u.imm |= strchr(p + 6, 'b') != NULL ? ISA_WGMMA_MINUS_B : 0;
            x->u.imm |= strcmp(p, "minus_ab") == 0 ? ISA_WGMMA_A_REGS : 0;
            break;
        } else {
            type[n++] = type_of(p, len);
        }
    }
    x->form.type = (uint8_t)type[0];
    x->form.type2 = (uint8_t)type[1];
    x->form.type3 = (uint8_t)(type[2] != ISA_T_NONE ? type[2] : type[1]);
    x->form.boolop = type[1] == ISA_T_B1 ? ISA_B_AND : ISA_B_NONE;
    x->kind = kind_of(type[1]);
    x->kind_c = kind_of(type[0]);
    x->in_e = type[0] == ISA_T_S32                             ? 0
              : type[1] == ISA_T_BF16 || type[1] == ISA_T_TF32 ? 8
                                                               : 5;
    x->in_regs = (x->u.imm & ISA_WGMMA_A_REGS) != 0;
    assert_true(isa_select(&x->form, &s));
    x->exec = s.exec;
    x->u.form = x->form;
    x->u.tile = x->list;
    isa_wgmma_of(&x->form, &x->g);
    for (uint32_t i = 0; i < x->g.d_regs; i++) {
        x->list[i] = (isa_ref)(D_SLOT + i);
    }
    for (uint32_t i = 0; i < (x->in_regs ? 4u : 1u); i++) {
        x->list[x->g.d_regs + i] = (isa_ref)(A_SLOT + i);
    }
    x->list[x->g.d_regs + (x->in_regs ? 4u : 1u)] = B_SLOT;
    x->env.cc = 90;
    x->env.ntid[0] = 128;
    x->env.ntid[1] = x->env.ntid[2] = 1;
    x->env.shared = (const uint8_t *)x->shared;
}

/* As in the program: rows of 32 bytes, or parts of longer ones. */
static uint32_t word_at(uint32_t r, uint32_t w, uint32_t s)
{
    static const uint32_t pitches[4] = {16, 128, 64, 32};
    const uint32_t pitch = pitches[s];
    uint32_t at =
        s == 0 ? r / 8 * 256 + w / 4 * 128 + r % 8 * 16 : r * pitch + w / 4 * 16;

    at ^= (at >> 7 & (s == 0 ? 0 : pitch / 16 - 1)) << 4;
    return at / 4 + w % 4;
}

static void put_pair(struct run *x, uint32_t slot, uint64_t v)
{
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        memcpy(&x->r[slot * ISA_LANES + 2 * lane], &v, 8);
    }
}

static void warp(struct run *x, uint32_t k)
{
    const struct isa_lanes w = {x->r, NULL, NULL, &x->env};

    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        x->env.tid[0][lane] = k * 32 + lane;
    }
    x->exec(&x->u, &w, UINT32_MAX);
}

/* Product number p into the hash. */
static uint64_t product(struct run *x, uint32_t p, uint64_t h)
{
    enum { B_AT = 8192 };
    static const uint32_t steps[4] = {256, 1024, 512, 256};
    const int mode = (int)(p % DRAW_MODES);
    const uint32_t s = p / DRAW_MODES % 4;

    for (uint32_t i = 0; i < 64 * 8; i++) {
        x->shared[word_at(i / 8, i % 8, s)] =
            draw_word(DRAW_A, x->kind, mode, x->in_e, (uint64_t)p * 512 + i);
    }
    for (uint32_t i = 0; i < 8 * 8; i++) {
        x->shared[B_AT / 4 + word_at(i / 8, i % 8, s)] =
            draw_word(DRAW_B, x->kind, mode, x->in_e, (uint64_t)p * 64 + i);
    }
    put_pair(x, B_SLOT, wgmma_descriptor(B_AT, 128, steps[s], 0, s));
    for (uint32_t k = 0; k < 4; k++) {
        if (!x->in_regs) {
            put_pair(x, A_SLOT, wgmma_descriptor(0, 128, steps[s], 0, s));
        }
        for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
            for (uint32_t i = 0; i < 4 && x->in_regs; i++) {
                x->r[(A_SLOT + i) * ISA_LANES + lane] =
                    x->shared[word_at(k * 16 + lane / 4 + i % 2 * 8,
                                      i / 2 * 4 + lane % 4, s)];
            }
            for (uint32_t i = 0; i < x->g.d_regs; i++) {
                x->r[i * ISA_LANES + lane] =
                    draw_word(DRAW_C, x->kind_c, mode, x->in_e,
                              ((uint64_t)p * 128 + k * 32 + lane) * x->g.d_regs + i);
            }
        }
        warp(x, k);
        for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
            for (uint32_t i = 0; i < x->g.d_regs; i++) {
                h = h100_hash(h, x->r[i * ISA_LANES + lane]);
            }
        }
    }
    return h;
}

static void test_products(void **state)
{
    FILE *const f = fopen(SMW_DATA "/h100/wgmma.csv", "r");
    static struct run x;
    uint32_t forms = 0, wrong = 0;
    char line[H100_LINE];

    (void)state;
    assert_non_null(f);
    while (h100_line(f, line)) {
        const struct h100_products p = h100_products_of(line);
        uint64_t h = H100_HASH;

        assert_int_not_equal(p.n, 0);
        forms += p.first == 0;
        if (!wants_all && p.first != 0) {
            continue;
        }
        begin(&x, p.form);
        for (uint32_t i = p.first; i < p.first + p.n; i++) {
            h = product(&x, i, h);
        }
        if (h != p.hash) {
            print_error("%s: %u products from %u on are not those of the H100\n",
                        p.form, p.n, p.first);
            wrong++;
        }
    }
    (void)fclose(f);
    assert_int_equal(wrong, 0);
    assert_int_equal(forms, 46);
}

/* The addresses of all elements, row by row, of the descriptor that is drawn. */
static void test_places(void **state)
{
    FILE *const f = fopen(SMW_DATA "/h100/wgmma_places.csv", "r");
    uint32_t n = 0;
    char line[H100_LINE];

    (void)state;
    assert_non_null(f);
    while (h100_line(f, line)) {
        uint64_t h = H100_HASH, d;
        struct wgmma_place p;
        unsigned long long want;
        uint32_t i;

        assert_int_equal(sscanf(line, "%u,%llx", &i, &want), 2);
        p = wgmma_draw_place(i);
        d = wgmma_descriptor(p.at, p.lead, p.stride, p.base, p.swizzle);
        for (uint32_t e = 0; e < (p.of_a ? 64u : 32u) * 16; e++) {
            const uint32_t row = e / 16, k = e % 16;
            const uint32_t at = p.turned
                                    ? isa_wgmma_at(d, true, 16, row, k) + row % 8 * 2
                                    : isa_wgmma_at(d, false, 16, row, k) + k % 8 * 2;

            h = h100_hash(h, at);
        }
        if (h != want) {
            fail_msg("descriptor %u: not where the H100 reads", i);
        }
        n++;
    }
    (void)fclose(f);
    assert_int_equal(n, 512);
}

struct banks {
    uint32_t piece[8], n, wavefronts;
};

/* Eight pieces of 16 bytes are a wavefront, or as many as meet in a quarter of the
 * banks. */
static void add_piece(void *arg, uint32_t addr)
{
    struct banks *const b = arg;
    uint32_t most = 0;

    b->piece[b->n++] = addr / 16;
    if (b->n < 8) {
        return;
    }
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t same = 1;

        for (uint32_t j = 0; j < i; j++) {
            same += b->piece[j] % 8 == b->piece[i] % 8 && b->piece[j] != b->piece[i];
        }
        most = same > most ? same : most;
    }
    b->wavefronts += most;
    b->n = 0;
}

/* Wavefronts of drawn descriptors: by the banks that the pieces are in, and as the
 * model counts them. */
static void test_patterns(void **state)
{
    FILE *const f = fopen(SMW_DATA "/h100/wgmma_patterns.csv", "r");
    uint32_t n = 0;
    char line[H100_LINE];

    (void)state;
    assert_non_null(f);
    while (h100_line(f, line)) {
        static struct run x;
        const struct isa_lanes w = {x.r, NULL, NULL, &x.env};
        uint32_t i, want, conflicts, few, many;
        struct wgmma_place p;
        struct banks b = {0};

        assert_int_equal(sscanf(line, "%u,%u,%u,%u,%u", &i, &want, &conflicts, &few,
                                &many),
                         5);
        p = wgmma_draw_place(i);
        begin(&x, p.of_a != 0 ? "n64_f32_f16" : "n64_f32_f16_rs");
        for (uint32_t k = 0; k < x.g.d_regs; k++) {
            x.list[k] = 24; /* nothing is computed */
        }
        x.u.imm |= p.turned == 0 ? 0
                   : p.of_a != 0 ? ISA_WGMMA_TURN_A
                                 : ISA_WGMMA_TURN_B;
        put_pair(&x, p.of_a != 0 ? A_SLOT : B_SLOT,
                 wgmma_descriptor(p.at, p.lead, p.stride, p.base, p.swizzle));
        if (p.of_a != 0) {
            put_pair(&x, B_SLOT, wgmma_descriptor(150 * 1024, 16, 1024, 0, 1));
        }
        for (uint32_t k = 0; k < 4; k++) { /* B once, and the rows of A of each warp */
            const uint32_t before = b.wavefronts;

            x.env.tid[0][0] = 32 * k;
            isa_wgmma_pieces(&x.u, &w, add_piece, &b);
            b.wavefronts = k == 0 ? b.wavefronts : b.wavefronts - x.g.n / 4;
            assert_true(b.wavefronts >= before);
        }
        assert_int_equal(conflicts, 0);
        assert_int_equal(b.wavefronts * 16, want);
        assert_int_equal(isa_wgmma_wavefronts(&x.u) * 16, want);
        assert_in_range(many - few, 128 * 32 - 64, 128 * 32 + 64);
        n++;
    }
    (void)fclose(f);
    assert_int_equal(n, 256);
}

/* Cycles of a product, and until 1 and 8 of them are there, of all rows of
 * wgmma_times.csv. Begin and end of the measured loop take 49 cycles more. */
static void test_times(void **state)
{
    FILE *const f = fopen(SMW_DATA "/h100/wgmma_times.csv", "r");
    uint32_t n = 0;
    char line[H100_LINE];

    (void)state;
    assert_non_null(f);
    while (h100_line(f, line)) {
        static struct run x;
        char name[64];
        int c[8];

        assert_int_equal(sscanf(line, "%63[^,],%d,%d,%d,%d,%d,%d,%d,%d", name, &c[0],
                                &c[1], &c[2], &c[3], &c[4], &c[5], &c[6], &c[7]),
                         9);
        begin(&x, name);
        for (uint32_t regs = 0; regs < 2; regs++) {
            const int *const t = c + 4 * regs;
            struct isa_wgmma_time got;

            x.u.imm = regs != 0 ? ISA_WGMMA_A_REGS : 0;
            isa_wgmma_time_of(&x.u, &got);
            assert_in_range(got.cycles * 48 + 20, t[3] - t[2], t[3] - t[2] + 40);
            assert_in_range(got.cycles * 8 + got.latency + got.behind + 34, t[1] - 10,
                            t[1] + 10);
            if (x.g.n <= 128) {
                assert_in_range(got.cycles + got.latency + 34, t[0] - 9, t[0] + 9);
            }
            n++;
        }
    }
    (void)fclose(f);
    assert_int_equal(n, 80);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_times),
    };

    wants_all = argc > 1 && strcmp(argv[1], "all") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
