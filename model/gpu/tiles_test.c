/*
 * Whole kernels of matrix instructions: every form of wmma loads, multiplies and stores
 * matrices of small numbers (SPEC MMA-4); stmatrix puts back what ldmatrix took (SPEC
 * BANK-12), and what both cost is counted. With time and without.
 */
#include "gpu/device_test.h"

#include "isa/half.h"
#include "isa/tile.h"

struct form {
    const char *shape, *d, *ab, *c;
    uint32_t m, n, k;
    uint32_t ra, rb, rc; /* registers of a lane */
};

static const struct form forms[] = {
    {"m16n16k16", "f32", "f16", "f32", 16, 16, 16, 8, 8, 8},
    {"m32n8k16", "f32", "f16", "f32", 32, 8, 16, 8, 8, 8},
    {"m8n32k16", "f32", "f16", "f32", 8, 32, 16, 8, 8, 8},
    {"m16n16k16", "f16", "f16", "f16", 16, 16, 16, 8, 8, 4},
    {"m32n8k16", "f16", "f16", "f16", 32, 8, 16, 8, 8, 4},
    {"m8n32k16", "f16", "f16", "f16", 8, 32, 16, 8, 8, 4},
    {"m16n16k16", "f32", "bf16", "f32", 16, 16, 16, 4, 4, 8},
    {"m32n8k16", "f32", "bf16", "f32", 32, 8, 16, 8, 2, 8},
    {"m8n32k16", "f32", "bf16", "f32", 8, 32, 16, 2, 8, 8},
    {"m16n16k16", "s32", "s8", "s32", 16, 16, 16, 2, 2, 8},
    {"m32n8k16", "s32", "u8", "s32", 32, 8, 16, 4, 1, 8},
    {"m8n32k16", "s32", "s8", "s32", 8, 32, 16, 1, 4, 8},
    {"m16n16k8", "f32", "tf32", "f32", 16, 16, 8, 4, 4, 8},
    {"m8n8k4", "f64", "f64", "f64", 8, 8, 4, 1, 1, 2},
};

enum { AT_B = 4096, AT_C = 8192, PAD = 8 };

/* {%x0, %x1, ...} */
static void list(char *at, size_t size, char name, uint32_t n)
{
    size_t used = (size_t)snprintf(at, size, "{");

    for (uint32_t i = 0; i < n; i++) {
        used += (size_t)snprintf(at + used, size - used, "%s%%%c%u", i == 0 ? "" : ", ",
                                 name, i);
    }
    snprintf(at + used, size - used, "}");
}

static const char *reg_type(const char *type)
{
    return strcmp(type, "f32") == 0 || strcmp(type, "f64") == 0 ? type : "b32";
}

/* Bytes of an element of a matrix in memory. */
static uint32_t bytes_of(const char *t)
{
    return strcmp(t, "f64") == 0                             ? 8
           : strcmp(t, "f16") == 0 || strcmp(t, "bf16") == 0 ? 2
           : t[1] == '8'                                     ? 1
                                                             : 4;
}

static uint64_t encode(const char *t, int v)
{
    const double wide = v;
    const float f = (float)v;
    uint64_t bits = 0;
    uint32_t word;

    memcpy(&word, &f, sizeof(word));
    if (strcmp(t, "f64") == 0) {
        memcpy(&bits, &wide, sizeof(bits));
        return bits;
    }
    return strcmp(t, "f16") == 0        ? fp32_to_fp16_near(word)
           : strcmp(t, "bf16") == 0     ? word >> 16
           : t[0] == 's' || t[0] == 'u' ? (uint64_t)(uint32_t)v
                                        : word;
}

struct matrix {
    const char *type;
    bool by_rows;
    uint32_t rows, cols;
    int v[32][32];
};

static uint32_t stride(const struct matrix *m)
{
    return (m->by_rows ? m->cols : m->rows) + PAD;
}

static uint32_t offset(const struct matrix *m, uint32_t row, uint32_t col)
{
    return (m->by_rows ? row * stride(m) + col : col * stride(m) + row) *
           bytes_of(m->type);
}

static void put(struct matrix *m, uint8_t *at, uint32_t seed)
{
    for (uint32_t row = 0; row < m->rows; row++) {
        for (uint32_t col = 0; col < m->cols; col++) {
            const int v = (int)((row * 7 + col * (5 + seed) + seed) % 9) -
                          (m->type[0] == 'u' ? 0 : 4);
            const uint64_t bits = encode(m->type, v);

            m->v[row][col] = v;
            memcpy(at + offset(m, row, col), &bits, bytes_of(m->type));
        }
    }
}

static void make_ptx(const struct form *f, const struct matrix *a,
                     const struct matrix *b, const struct matrix *c, const char *space,
                     char *ptx, size_t size)
{
    static const char *const layout[2] = {"col", "row"};
    const bool is_half = strcmp(f->ab, "f16") == 0;
    char ra[128], rb[128], rc[128], types[64];

    list(ra, sizeof(ra), 'a', f->ra);
    list(rb, sizeof(rb), 'b', f->rb);
    list(rc, sizeof(rc), 'c', f->rc);
    snprintf(types, sizeof(types), is_half ? "%s.%s" : "%s.%s.%s.%s", f->d,
             is_half ? f->c : f->ab, f->ab, f->c);
    snprintf(ptx, size,
             ".version 8.0\n.target sm_80\n.address_size 64\n"
             ".visible .entry k(.param .u64 o, .param .u64 i)\n{\n"
             ".reg .%s %%a<8>; .reg .%s %%b<8>; .reg .%s %%c<8>;\n"
             ".reg .u64 %%rd<4>; .reg .u32 %%r<4>;\n"
             "ld.param.u64 %%rd0, [o]; ld.param.u64 %%rd1, [i];\n"
             "mov.u32 %%r0, %u; mov.u32 %%r1, %u; mov.u32 %%r2, %u;\n"
             "wmma.load.a.sync.aligned.%s.%s%s.%s %s, [%%rd1], %%r0;\n"
             "wmma.load.b.sync.aligned.%s.%s%s.%s %s, [%%rd1+%d], %%r1;\n"
             "wmma.load.c.sync.aligned.%s.%s%s.%s %s, [%%rd1+%d], %%r2;\n"
             "wmma.mma.sync.aligned.%s.%s.%s.%s %s, %s, %s, %s;\n"
             "wmma.store.d.sync.aligned.%s.%s%s.%s [%%rd0], %s, %%r2;\nret;\n}\n",
             reg_type(strcmp(f->ab, "f64") == 0 ? "f64" : "b32"),
             reg_type(strcmp(f->ab, "f64") == 0 ? "f64" : "b32"), reg_type(f->c),
             stride(a), stride(b), stride(c), layout[a->by_rows], f->shape, space,
             f->ab, ra, layout[b->by_rows], f->shape, space, f->ab, rb, AT_B,
             layout[c->by_rows], f->shape, space, f->c, rc, AT_C, layout[a->by_rows],
             layout[b->by_rows], f->shape, types, rc, ra, rb, rc, layout[c->by_rows],
             f->shape, space, f->d, rc);
}

static void launch(struct dt *t, bool functional)
{
    struct smw_launch l = dt_shape(1, 32);
    struct smw_err e;

    err_clear(&e);
    l.functional = functional;
    dt_ok(dt_queue(t, "k", l, &e), &e);
    if (smw_step(t->d, 0) != SMW_DONE) {
        print_error("%s\n%s\n", smw_fault(t->d)->message, smw_fault(t->d)->detail);
        fail();
    }
    dt_fetch(t);
}

static void check_wmma(const struct form *f, uint32_t layouts, bool functional)
{
    struct matrix a = {f->ab, (layouts & 1) != 0, f->m, f->k, {{0}}};
    struct matrix b = {f->ab, (layouts & 2) != 0, f->k, f->n, {{0}}};
    struct matrix c = {f->c, (layouts & 4) != 0, f->m, f->n, {{0}}};
    static uint8_t in[16384];
    char ptx[4096];
    struct smw_err e;

    memset(in, 0, sizeof(in));
    put(&a, in, 1);
    put(&b, in + AT_B, 2);
    put(&c, in + AT_C, 3);
    make_ptx(f, &a, &b, &c, (layouts & 1) != 0 ? ".global" : "", ptx, sizeof(ptx));
    struct dt *const t = dt_open_with("h100", "gpu.sms=1 gpu.what_if=true", NULL, ptx);

    err_clear(&e);
    dt_ok(smw_write(t->d, t->in, in, sizeof(in), &e), &e);
    launch(t, functional);
    for (uint32_t row = 0; row < f->m; row++) {
        for (uint32_t col = 0; col < f->n; col++) {
            uint64_t want, got = 0;
            int sum = c.v[row][col];

            for (uint32_t k = 0; k < f->k; k++) {
                sum += a.v[row][k] * b.v[k][col];
            }
            want = encode(f->d, sum);
            memcpy(&got, (const uint8_t *)t->words + offset(&c, row, col),
                   bytes_of(f->d));
            if (got != want) {
                fail_msg("%s of %s, layouts %u: row %u, column %u: %llx, not %llx",
                         f->shape, f->ab, layouts, row, col, (unsigned long long)got,
                         (unsigned long long)want);
            }
        }
    }
    dt_close(t);
}

static void test_wmma(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
        for (uint32_t layouts = 0; layouts < 8; layouts++) {
            check_wmma(&forms[i], layouts, layouts % 3 == 1);
        }
    }
}

/* Four matrices out of shared memory, rows of 32 bytes, and back turned about, by a
 * generic address: rows of one matrix meet in pairs of banks. */
static const char rows[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 o, .param .u64 i)\n{\n"
    ".reg .u64 %rd<8>; .reg .u32 %r<16>; .shared .align 16 .b8 s[1024];\n"
    ".shared .align 16 .b8 d[1024];\n"
    "ld.param.u64 %rd0, [o]; ld.param.u64 %rd1, [i]; mov.u32 %r0, %tid.x;\n"
    "mul.wide.u32 %rd2, %r0, 16; add.u64 %rd3, %rd1, %rd2; add.u64 %rd4, %rd0, %rd2;\n"
    "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd3];\n"
    "mov.u32 %r5, s; shl.b32 %r6, %r0, 5; add.u32 %r5, %r5, %r6;\n"
    "st.shared.v4.u32 [%r5], {%r1, %r2, %r3, %r4}; bar.warp.sync -1;\n"
    "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r7, %r8, %r9, %r10}, [%r5];\n"
    "mov.u32 %r11, d; add.u32 %r11, %r11, %r6; cvt.u64.u32 %rd5, %r11;\n"
    "cvta.shared.u64 %rd5, %rd5;\n"
    "stmatrix.sync.aligned.m8n8.x4.b16 [%rd5], {%r7, %r8, %r9, %r10};\n"
    "bar.warp.sync -1; ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%r11];\n"
    "st.global.v4.u32 [%rd4], {%r1, %r2, %r3, %r4}; ret;\n}\n";

static void test_rows(void **state)
{
    (void)state;
    for (uint32_t functional = 0; functional < 2; functional++) {
        struct dt *const t =
            dt_open_with("h100", "gpu.sms=1 gpu.what_if=true", NULL, rows);
        const uint16_t *const got = (const uint16_t *)(const void *)t->words;
        uint16_t in[32][8];
        struct smw_err e;

        err_clear(&e);
        for (uint32_t r = 0; r < 32; r++) {
            for (uint32_t c = 0; c < 8; c++) {
                in[r][c] = (uint16_t)(r * 8 + c + 1);
            }
        }
        dt_ok(smw_write(t->d, t->in, in, sizeof(in), &e), &e);
        launch(t, functional != 0);
        for (uint32_t r = 0; r < 32; r++) {
            for (uint32_t c = 0; c < 8; c++) {
                assert_int_equal(got[r * 8 + c], in[r / 8 * 8 + c][r % 8]);
            }
        }
        if (functional == 0) {
            /* 8 rows 32 bytes apart: two of a matrix share each bank */
            assert_int_equal(dt_result(t, 0).counters.sh_ld_wavefronts, 8 + 8);
            assert_int_equal(dt_result(t, 0).counters.sh_ld_insts, 2);
            assert_int_equal(dt_result(t, 0).counters.sh_st_insts, 2);
        }
        dt_close(t);
    }
}

/* A row that is not aligned, and one outside of the array. */
static void test_faults(void **state)
{
    static const struct {
        const char *at, *says;
    } bad[] = {{"[%r5+8]", "aligned"}, {"[%r5+65536]", "out of bounds"}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        char ptx[1024];
        struct smw_launch l = dt_shape(1, 32);
        struct smw_err e;

        snprintf(ptx, sizeof(ptx),
                 ".version 8.0\n.target sm_90\n.address_size 64\n"
                 ".visible .entry k()\n{\n.reg .u32 %%r<16>;\n"
                 ".shared .align 16 .b8 s[1024];\n"
                 "mov.u32 %%r0, %%tid.x; mov.u32 %%r5, s; shl.b32 %%r6, %%r0, 4;\n"
                 "add.u32 %%r5, %%r5, %%r6;\n"
                 "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%%r7}, %s;\n"
                 "st.shared.u32 [s], %%r7; ret;\n}\n",
                 bad[i].at);
        struct dt *const t =
            dt_open_with("h100", "gpu.sms=1 gpu.what_if=true", NULL, ptx);

        err_clear(&e);
        dt_ok(dt_queue(t, "k", l, &e), &e);
        assert_int_equal(smw_step(t->d, 0), SMW_FAULT);
        if (strstr(smw_fault(t->d)->message, bad[i].says) == NULL) {
            fail_msg("%s", smw_fault(t->d)->message);
        }
        dt_close(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wmma),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_faults),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
