/* Launch rules of capability 2.0: occupancy by hand, what is refused and how it is
 * said. */
#include "gpu/launch_limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct rules_cc *cc20(void)
{
    const struct rules_cc *r = rules_find(20);

    assert_non_null(r);
    return r;
}

/* ---- occupancy ---- */

struct occupancy_row {
    uint32_t threads, regs, shared, kb;
    uint32_t blocks;
    const char *limiter;
};

/* 8 blocks, 48 warps, 32768 registers; a warp takes 32 * regs rounded up to 64, or to
 * 128 for 21, 22, 29, 30, 37, 38, 45 and 46 registers; the SM's warps are rounded down
 * to an even number; shared memory in units of 128. */
static const struct occupancy_row rows[] = {
    {32, 16, 0, 48, 8, "blocks"},
    {64, 16, 0, 48, 8, "blocks"},
    {192, 16, 0, 48, 8, "blocks"}, /* 48 warps exactly */
    {193, 16, 0, 48, 6, "warps"},  /* 7 warps each */
    {256, 20, 0, 48, 6, "warps"},
    {512, 16, 0, 48, 3, "warps"},
    {512, 32, 0, 48, 2, "registers"}, /* 32 warps */
    {512, 33, 0, 48, 1, "registers"}, /* 1088 each: 30 warps */
    {1024, 32, 0, 48, 1, "warps"},
    {1024, 33, 0, 48, 0, "registers"},
    {256, 63, 0, 48, 2, "registers"}, /* 2048 each: 16 warps */
    {32, 63, 0, 48, 8, "blocks"},
    {160, 40, 0, 48, 4, "registers"}, /* 25.6 warps, rounded down to 24, not 25 */
    {480, 20, 0, 48, 3, "warps"},     /* 640 each: 50 warps */
    {480, 21, 0, 48, 2, "registers"}, /* 768 each: 42 warps; 46 with a unit of 64 */
    {480, 22, 0, 48, 2, "registers"},
    {416, 36, 0, 48, 2, "registers"}, /* 1152: 28 */
    {416, 37, 0, 48, 1, "registers"}, /* 1280: 25, 24; 26 with a unit of 64 */
    {416, 38, 0, 48, 1, "registers"},
    {416, 39, 0, 48, 1, "registers"},
    {352, 45, 0, 48, 1, "registers"}, /* 1536: 21, 20; 1472 would give 22 */
    {352, 44, 0, 48, 2, "registers"}, /* 1408: 23, 22 */
    {128, 20, 8192, 48, 6, "shared memory"},
    {128, 20, 8193, 48, 5, "shared memory"},
    {128, 20, 8320, 48, 5, "shared memory"},
    {128, 20, 6144, 48, 8, "blocks"},
    {128, 20, 49152, 48, 1, "shared memory"},
    {128, 20, 49153, 48, 0, "shared memory"},
    {128, 20, 8192, 16, 2, "shared memory"},
    {128, 20, 16385, 16, 0, "shared memory"},
    {128, 20, 1, 48, 8, "blocks"},
};

static void test_occupancy(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        const struct occupancy_row *w = &rows[i];
        struct launch_need need = {.threads = w->threads,
                                   .warps = (w->threads + 31) / 32,
                                   .regs = w->regs,
                                   .shared_bytes = w->shared};
        struct launch_fit f = launch_occupancy(cc20(), 8, 48, w->kb, &need);

        if (f.blocks != w->blocks || strcmp(f.limiter, w->limiter) != 0) {
            print_error("%u threads, %u registers, %u bytes: %u (%s), not %u (%s)\n",
                        w->threads, w->regs, w->shared, f.blocks, f.limiter, w->blocks,
                        w->limiter);
            fail();
        }
        assert_int_equal(f.shared_alloc, (w->shared + 127) / 128 * 128);
    }
}

/* The configuration may have fewer blocks and warps than the capability. */
/* A block of more threads than any device has is an answer, no overflow. */
static void test_huge_block(void **state)
{
    (void)state;
    for (uint32_t i = 0; rules_entry(i) != NULL; i++) {
        for (uint32_t threads = 1u << 20; threads <= 1u << 30; threads <<= 1) {
            for (uint32_t regs = 1; regs <= 64; regs <<= 1) {
                struct launch_need need = {.threads = threads,
                                           .warps = threads / ISA_LANES,
                                           .regs = regs};
                struct launch_fit f =
                    launch_occupancy(rules_entry(i), 8, 48, 16, &need);

                assert_int_equal(f.blocks, 0);
                assert_int_equal(f.by_regs, 0);
            }
        }
    }
}

static void test_smaller_sm(void **state)
{
    struct launch_need need = {.threads = 64, .warps = 2, .regs = 16};

    (void)state;
    assert_int_equal(launch_occupancy(cc20(), 3, 48, 48, &need).blocks, 3);
    assert_int_equal(launch_occupancy(cc20(), 8, 5, 48, &need).blocks, 2);
    assert_string_equal(launch_occupancy(cc20(), 8, 5, 48, &need).limiter, "warps");
    assert_int_equal(launch_occupancy(cc20(), 8, 1, 48, &need).blocks, 0);
}

/* ---- refusals ---- */

static struct smw_launch good_launch(void)
{
    return (struct smw_launch){.grid = {10, 1, 1}, .block = {128, 1, 1}};
}

static struct ptx_kernel good_kernel(void)
{
    return (struct ptx_kernel){.name = "k",
                               .regs = 20,
                               .shared_bytes = 1000,
                               .dynamic_base = 1008};
}

static void accept(const struct ptx_kernel *k, const struct smw_launch *l,
                   struct launch_need *need)
{
    struct smw_err e;

    err_clear(&e);
    if (!launch_check(cc20(), k, l, need, &e)) {
        print_error("%s\n", e.message);
        fail();
    }
}

static void refuse(const struct ptx_kernel *k, const struct smw_launch *l,
                   const char *message, const char *hint)
{
    struct launch_need need = {.threads = 12345};
    struct smw_err e;

    err_clear(&e);
    assert_false(launch_check(cc20(), k, l, &need, &e));
    assert_int_equal(e.kind, SMW_ERR_INPUT);
    if (strstr(e.message, message) == NULL || strstr(e.hint, hint) == NULL) {
        print_error("\"%s\" (%s), not \"%s\" (%s)\n", e.message, e.hint, message, hint);
        fail();
    }
    assert_int_equal(need.threads, 12345);
}

#define CONFIG    "cudaErrorInvalidConfiguration (9)"
#define RESOURCES "cudaErrorLaunchOutOfResources (7)"

static void test_needs(void **state)
{
    struct ptx_kernel k = good_kernel();
    struct smw_launch l = good_launch();
    struct launch_need need;

    (void)state;
    accept(&k, &l, &need);
    assert_int_equal(need.threads, 128);
    assert_int_equal(need.warps, 4);
    assert_int_equal(need.regs, 20);
    assert_int_equal(need.shared_bytes, 1000);
    l.shared = 100; /* dynamic memory starts where its alignment lets it */
    l.block[0] = 33;
    l.block[1] = 3;
    l.regs = 40;
    accept(&k, &l, &need);
    assert_int_equal(need.threads, 99);
    assert_int_equal(need.warps, 4);
    assert_int_equal(need.regs, 40);
    assert_int_equal(need.shared_bytes, 1108);
    l.regs = 0;
    k.regs = 200; /* an estimate: the assembler would spill */
    accept(&k, &l, &need);
    assert_int_equal(need.regs, 63);
    k.regs = 0;
    accept(&k, &l, &need);
    assert_int_equal(need.regs, 1);
}

static void test_shapes(void **state)
{
    static const uint32_t grid_max[] = {65535, 65535, 65535};
    static const uint32_t block_max[] = {1024, 1024, 64};
    static const char *const axis[] = {"x", "y", "z"};
    struct ptx_kernel k = good_kernel();
    struct launch_need need;

    (void)state;
    for (uint32_t d = 0; d < 3; d++) {
        struct smw_launch l = good_launch();
        char text[96];

        l.grid[d] = grid_max[d];
        accept(&k, &l, &need);
        l.grid[d]++;
        (void)snprintf(text, sizeof(text),
                       "grid: 65536 in %s; compute capability 2.0 allows "
                       "1 to 65535",
                       axis[d]);
        refuse(&k, &l, text, CONFIG);
        l.grid[d] = 0;
        (void)snprintf(text, sizeof(text), "grid: 0 in %s", axis[d]);
        refuse(&k, &l, text, CONFIG);
        l = good_launch();
        l.block[0] = 1;
        l.block[d] = block_max[d];
        accept(&k, &l, &need);
        l.block[d]++;
        (void)snprintf(text, sizeof(text),
                       "block: %u in %s; compute capability 2.0 allows 1 "
                       "to %u",
                       block_max[d] + 1, axis[d], block_max[d]);
        refuse(&k, &l, text, CONFIG);
        l.block[d] = 0;
        (void)snprintf(text, sizeof(text), "block: 0 in %s", axis[d]);
        refuse(&k, &l, text, CONFIG);
    }
}

static void test_threads(void **state)
{
    struct ptx_kernel k = good_kernel();
    struct smw_launch l = good_launch();
    struct launch_need need;

    (void)state;
    l.block[0] = 256;
    l.block[1] = 4;
    accept(&k, &l, &need);
    assert_int_equal(need.warps, 32);
    l.block[1] = 5;
    refuse(&k, &l, "block: 1280 threads; compute capability 2.0 allows 1024", CONFIG);
    l.block[0] = 1024;
    l.block[1] = 1024;
    l.block[2] = 64;
    refuse(&k, &l, "block: 67108864 threads", CONFIG);
}

static void test_directives(void **state)
{
    struct ptx_kernel k = good_kernel();
    struct smw_launch l = good_launch();
    struct launch_need need;

    (void)state;
    k.maxntid[0] = 64;
    k.maxntid[1] = 2;
    accept(&k, &l, &need);
    l.block[0] = 129;
    refuse(&k, &l,
           "block: 129 threads; the kernel was compiled for at most 128 (.maxntid)",
           CONFIG);
    k = good_kernel();
    l.block[0] = 16;
    l.block[1] = 8;
    k.reqntid[0] = 16;
    k.reqntid[1] = 8;
    accept(&k, &l, &need);
    l.block[0] = 8;
    l.block[1] = 16;
    refuse(&k, &l, "block: the kernel was compiled for 16 x 8 x 1 threads (.reqntid)",
           CONFIG);
    l.block[0] = 16;
    l.block[1] = 8;
    l.block[2] = 2;
    refuse(&k, &l, "(.reqntid)", CONFIG);
}

static void test_shared(void **state)
{
    struct ptx_kernel k = good_kernel();
    struct smw_launch l = good_launch();
    struct launch_need need;

    (void)state;
    l.shared = 49152 - 1008;
    accept(&k, &l, &need);
    assert_int_equal(need.shared_bytes, 49152);
    l.shared++;
    refuse(&k, &l,
           "shared: 1000 static and 48145 dynamic bytes; compute capability 2.0 "
           "allows 49152 per block",
           CONFIG);
    l.shared = UINT64_MAX - 10;
    refuse(&k, &l, "shared: 1000 static", CONFIG);
    l.shared = 0;
    k.shared_bytes = 49153;
    k.dynamic_base = 49153;
    refuse(&k, &l, "shared: 49153 static and 0 dynamic", CONFIG);
}

static void test_resources(void **state)
{
    struct ptx_kernel k = good_kernel();
    struct smw_launch l = good_launch();
    struct launch_need need;

    (void)state;
    l.regs = 63;
    accept(&k, &l, &need);
    l.regs = 64;
    refuse(&k, &l, "regs: 64 per thread; compute capability 2.0 has 63", RESOURCES);
    l.regs = 0;
    k.param_bytes = 4096;
    accept(&k, &l, &need);
    k.param_bytes = 4097;
    refuse(&k, &l, "args: 4097 bytes of parameters; compute capability 2.0 allows 4096",
           RESOURCES);
    k.param_bytes = 0;
    k.local_bytes = 524288;
    accept(&k, &l, &need);
    k.local_bytes = 524289;
    refuse(&k, &l,
           "the kernel needs 524289 bytes of local memory per thread; compute "
           "capability 2.0 allows 524288",
           "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_occupancy),  cmocka_unit_test(test_huge_block),
        cmocka_unit_test(test_smaller_sm), cmocka_unit_test(test_needs),
        cmocka_unit_test(test_shapes),     cmocka_unit_test(test_threads),
        cmocka_unit_test(test_directives), cmocka_unit_test(test_shared),
        cmocka_unit_test(test_resources),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
