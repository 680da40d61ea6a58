/* Forms of PTX that compilers seldom write, by what they make of memory. */
#include "gpu/device_test.h"

#define HEAD "\n.target sm_75\n.address_size 64\n"
#define REGS                                                                           \
    ".reg .b32 %r<20>; .reg .b64 %d<9>; .reg .pred %p<9>; ld.param.u64 %d0, [out];\n"  \
    "mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d0, %d1;\n"
#define KERNEL ".visible .entry k(.param .u64 out, .param .u64 in) {\n" REGS

/* A device that runs "k" of the text in one block; its words are in t->words. */
static struct dt *run_text(const char *preset, const char *text, uint32_t threads)
{
    struct dt *const t = dt_open_with(preset, "gpu.sms=1", NULL, text);

    dt_run(t, "k", 1, threads);
    return t;
}

static void check_words(const char *preset, const char *text, const uint32_t *want,
                        uint32_t n)
{
    struct dt *const t = run_text(preset, text, n);

    for (uint32_t i = 0; i < n; i++) {
        if (t->words[i] != want[i]) {
            print_error("%s: word %u is %x, not %x\n", preset, i, t->words[i], want[i]);
            fail();
        }
    }
    dt_close(t);
}

/* ---- addresses of parameters ---- */

/* Word i of the second parameter, the base before or behind it. */
static void test_parameter_addresses(void **state)
{
    static const char text[] =
        ".version 7.0" HEAD ".visible .entry k(.param .u64 out,\n"
        ".param .align 8 .b8 p[416]) {\n" REGS
        "mov.b64 %d2, p; add.u64 %d3, %d2, %d1; sub.u64 %d3, %d3, %d0;\n"
        "add.u64 %d4, %d3, 208; ld.param.u32 %r1, [%d4+-208];\n"
        "mul.lo.u64 %d5, %d2, 3; sub.u64 %d5, %d5, %d2; sub.u64 %d5, %d5, %d2;\n"
        "ld.param.v2.u32 {%r2, %r3}, [%d5 + 8]; ld.param.u32 %r4, [%d3 + 128];\n"
        "ld.param.u32 %r5, [%d3 + 100000]; cvta.param.u64 %d6, %d3;\n"
        "ld.u32 %r6, [%d6 + 4];\n"
        "st.global.u32 [%d1], %r1; st.global.u32 [%d1 + 128], %r2;\n"
        "st.global.u32 [%d1 + 256], %r3; st.global.u32 [%d1 + 384], %r4;\n"
        "st.global.u32 [%d1 + 512], %r5; st.global.u32 [%d1 + 640], %r6; ret; }\n";
    struct {
        uint64_t out;
        uint32_t p[104];
    } params;
    struct dt *const t = dt_open_with("v100", "gpu.sms=1", NULL, text);
    struct smw_launch l = dt_shape(1, 32);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    params.out = t->out;
    for (uint32_t i = 0; i < ARRAY_LEN(params.p); i++) {
        params.p[i] = 1000 + i;
    }
    l.params = &params;
    l.param_bytes = sizeof(params);
    dt_ok(smw_launch(t->d, smw_kernel(t->m, "k", &e), &l, &e), &e);
    dt_fetch(t);
    for (uint32_t i = 0; i < 32; i++) {
        const uint32_t want[] = {1000 + i, 1002, 1003, 1032 + i, 0, 1001 + i};

        for (uint32_t k = 0; k < ARRAY_LEN(want); k++) {
            assert_int_equal(t->words[32 * k + i], want[k]);
        }
    }
    dt_close(t);
}

/* ---- vectors ---- */

static void test_vectors(void **state)
{
    static const char text[] =
        ".version 7.0" HEAD KERNEL
        ".reg .v4 .u32 %v; .reg .v4 .u32 %w; .reg .v2 .f64 %g; .reg .v4 .f32 %f;\n"
        "mov.v4.u32 %v, {1, 2, 3, 4}; mov.v4.u32 %w, %v; mov.u32 %w.y, 9;\n"
        "mov.v4.u32 {%v.x, %v.y, %v.z, %v.w}, {%v.w, %v.x, %w.y, %v.y};\n"
        "st.global.v4.u32 [%d0], %v; st.global.v4.u32 [%d0 + 16], %w;\n"
        "mov.v4.u32 {%r1, %r2, %r3, _}, %ntid; st.global.v2.u32 [%d0 + 32], {%r1, "
        "%r2};\n"
        "mov.v2.f64 %g, {0d3FF0000000000000, 0d4000000000000000};\n"
        "add.f64 %g.x, %g.x, %g.y; st.global.v2.f64 [%d0 + 48], %g;\n"
        "mov.f32 %f.x, 0f3F800000; add.f32 %f.y, %f.x, %f.x; mov.b32 %r4, %f.y;\n"
        "mov.b32 %f.r, %r4; mov.b32 %r5, %f.x; st.global.v2.u32 [%d0 + 40], {%r4, "
        "%r5};\n"
        "ret; }\n";
    static const uint32_t want[] = {4,  1,          9,          2,
                                    1,  9,          3,          4,
                                    16, 1,          0x40000000, 0x40000000,
                                    0,  0x40080000, 0,          0x40000000};

    (void)state;
    check_words("v100", text, want, ARRAY_LEN(want));
    check_words("tiny", text, want, ARRAY_LEN(want));
}

/* ---- predicates of functions ---- */

static void test_predicates(void **state)
{
    static const char text[] =
        ".version 7.0" HEAD ".func (.reg .pred r, .reg .b32 n) both(.reg .pred a, .reg "
        ".b32 x, .reg .pred b) {\n"
        ".reg .pred q; setp.gt.u32 q, x, 3; and.pred r, a, b; or.pred r, r, q;\n"
        "selp.u32 n, 5, 6, a; ret; }\n" KERNEL
        "and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 1; and.b32 %r1, %r0, 2;\n"
        "setp.eq.u32 %p2, %r1, 2;\n"
        "call (%p3, %r2), both, (%p1, %r0, %p2); selp.u32 %r3, 1, 0, %p3;\n"
        "call (%p4, _), both, (1, 0, %p2); selp.u32 %r4, 16, 0, %p4;\n"
        "@%p1 call (%p3, %r2), both, (0, %r0, 0); selp.u32 %r5, 256, 0, %p3;\n"
        "shl.b32 %r2, %r2, 12; or.b32 %r2, %r2, %r3; or.b32 %r2, %r2, %r4;\n"
        "or.b32 %r2, %r2, %r5; st.global.u32 [%d1], %r2; ret; }\n";
    uint32_t want[32];

    (void)state;
    for (uint32_t i = 0; i < 32; i++) {
        const bool a = i & 1, b = i >> 1 & 1, first = (a && b) || i > 3;

        want[i] = (uint32_t)(first | b << 4 | (a ? i > 3 : first) << 8 | 6 << 12);
    }
    check_words("v100", text, want, 32);
    check_words("tiny", text, want, 32);
}

/* ---- what older or newer assemblers make of it ---- */

/* Prototypes of functions end without a semicolon. */
static void test_prototypes(void **state)
{
    static const char text[] =
        ".version 2.3" HEAD ".extern .func (.param .u32 r) one (.param .u32 a)\n"
        ".func (.param .u32 r) two (.param .u32 a)\n\n"
        ".visible .func (.param .u32 r) three (.param .u32 a);\n"
        ".func (.param .u32 r) two (.param .u32 a) {\n"
        ".reg .b32 %x; ld.param.u32 %x, [a]; add.u32 %x, %x, 2;\n"
        "st.param.u32 [r], %x; ret; }\n" KERNEL
        "{ .param .b32 a; .param .b32 r; st.param.b32 [a], %r0; call (r), two, (a);\n"
        "ld.param.b32 %r1, [r]; } st.global.u32 [%d1], %r1; ret; }\n";
    static const uint32_t want[] = {2, 3, 4, 5};

    (void)state;
    check_words("tiny", text, want, ARRAY_LEN(want));
}

/* Read-only loads, barriers and votes of newer devices on old ones. */
static void test_old_devices(void **state)
{
    static const char text[] =
        ".version 7.0" HEAD KERNEL "ld.param.u64 %d2, [in]; sub.u64 %d3, %d1, %d0;\n"
        "add.u64 %d2, %d2, %d3; ld.global.nc.u32 %r1, [%d2]; barrier.sync 0;\n"
        "bar.warp.sync -1; setp.lt.u32 %p1, %r0, 3; vote.sync.ballot.b32 %r2, %p1, "
        "-1;\n"
        "vote.sync.any.pred %p2, %p1, -1; @%p2 add.u32 %r2, %r2, %r1;\n"
        "barrier.sync.aligned 1, 32;\nst.global.u32 [%d1], %r2; ret; }\n";
    uint32_t want[32];

    (void)state;
    for (uint32_t i = 0; i < 32; i++) {
        want[i] = 7 + i;
    }
    check_words("tiny", text, want, 32);
    check_words("gtx680", text, want, 32);
    check_words("v100", text, want, 32);
}

/* Addresses of functions and kernels in data: different numbers, none of them 0. */
static void test_addresses(void **state)
{
    static const char text[] =
        ".version 7.0" HEAD ".func f() { ret; }\n.entry other() { ret; }\n"
        ".global .align 8 .u64 tab[3] = {f, other, 0};\n" KERNEL
        "ld.global.v2.u64 {%d2, %d3}, [tab]; ld.global.u64 %d4, [tab + 16];\n"
        "setp.ne.u64 %p1, %d2, %d3; setp.ne.and.u64 %p1, %d2, 0, %p1;\n"
        "setp.ne.and.u64 %p1, %d3, 0, %p1; setp.eq.and.u64 %p1, %d4, 0, %p1;\n"
        "selp.u32 %r1, 1, 0, %p1; st.global.u32 [%d1], %r1; ret; }\n";
    static const uint32_t want[] = {1};

    (void)state;
    check_words("v100", text, want, 1);
}

/* Policies and hints are taken; nothing here depends on them. */
static void test_policies(void **state)
{
    static const char text[] =
        ".version 8.0" HEAD KERNEL
        "createpolicy.fractional.L2::evict_last.b64 %d2, 1.0;\n"
        "createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %d3;\n"
        "createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %d4, [%d0], 64, "
        "128;\n"
        "createpolicy.cvt.L2.b64 %d5, 0x12f0000000000000;\n"
        "st.global.L2::cache_hint.u32 [%d1], %r0, %d2;\n"
        "red.global.add.L2::cache_hint.u32 [%d1], 5, %d3;\n"
        "atom.global.add.L2::cache_hint.u32 %r1, [%d1], 1, %d4;\n"
        "discard.global.L2 [%d0], 128; applypriority.global.L2::evict_normal [%d0], "
        "128;\n"
        "griddepcontrol.wait; griddepcontrol.launch_dependents;\n"
        "shr.u64 %d5, %d5, 52; cvt.u32.u64 %r2, %d5;\n"
        "ld.global.L2::cache_hint.u32 %r3, [%d1], %d2; add.u32 %r3, %r3, %r2;\n"
        "st.global.u32 [%d1], %r3; ret; }\n";
    static const uint32_t want[] = {0x12f + 6, 0x12f + 7, 0x12f + 8};

    (void)state;
    check_words("h100", text, want, ARRAY_LEN(want));
}

/* What is said of kernels, without a device. */
static void collect(void *ctx, const char *text)
{
    char *const all = ctx;

    assert_true(strlen(all) + strlen(text) + 2 < 2048);
    strcat(all, text);
    strcat(all, "\n");
}

static void test_kernels(void **state)
{
    static const char text[] =
        ".version 7.0" HEAD
        ".extern .shared .u32 s[];\n.func f() { bar.sync 0; ret; }\n"
        ".visible .entry _Z3sumPfi(.param .u64 .ptr .global a, .param .align 4 .b8 "
        "b[12])\n"
        "{ .reg .f64 %d; .reg .b32 %r; .shared .u32 own[5]; .local .u32 l;\n"
        "call f; add.f64 %d, %d, %d; mov.u32 %r, s; mov.u32 %r, own;\n"
        "match.any.sync.b32 %r, %r, -1; ret; }\n"
        ".entry bad() { frob; }\n";
    static const char want[] =
        "sum  _Z3sumPfi\n"
        "    parameter      0  .u64 a, a pointer\n"
        "    parameter      8  .b8 b[12]\n"
        "    registers   12, estimated\n"
        "    shared      20 bytes, and those of the launch\n"
        "    local       16 bytes of a thread\n"
        "    uses        f64, exchanges in warps, barriers, calls\n"
        "    needs       7.0: match, line 9\n"
        "bad  bad\n"
        "    refused     line 10: unknown instruction 'frob'\n";
    char all[2048] = "";
    struct smw_err e;

    (void)state;
    err_clear(&e);
    assert_true(smw_ptx_kernels(text, sizeof(text) - 1, "t.ptx", collect, all, &e));
    assert_string_equal(all, want);
    assert_false(smw_ptx_kernels("nothing", 7, "t.ptx", collect, all, &e));
    assert_int_equal(e.kind, SMW_ERR_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameter_addresses),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_predicates),
        cmocka_unit_test(test_prototypes),
        cmocka_unit_test(test_old_devices),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_policies),
        cmocka_unit_test(test_kernels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
