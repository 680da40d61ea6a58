/* Launch rules where capabilities differ from 2.0 (gpu_launch_test.c): both sides of
 * each limit, the message and the error (SPEC LAUNCH-1, LAUNCH-2). */
#include "gpu/launch_limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define CONFIG    "the CUDA runtime reports cudaErrorInvalidConfiguration (9)"
#define RESOURCES "the CUDA runtime reports cudaErrorLaunchOutOfResources (7)"
#define VALUE13   "the CUDA runtime reports cudaErrorInvalidValue (1)"
#define RES13     "the CUDA runtime reports cudaErrorLaunchOutOfResources (701)"

static struct smw_launch threads_of(uint32_t n)
{
    return (struct smw_launch){.grid = {10, 1, 1}, .block = {n, 1, 1}};
}

static struct launch_need accept(uint32_t cc, const struct ptx_kernel *k,
                                 const struct smw_launch *l)
{
    struct launch_need need;
    struct smw_err e;

    err_clear(&e);
    if (!launch_check(rules_find(cc), k, l, &need, &e)) {
        print_error("%s\n", e.message);
        fail();
    }
    return need;
}

static void refuse(uint32_t cc, const struct ptx_kernel *k, const struct smw_launch *l,
                   const char *message, const char *hint)
{
    struct launch_need need;
    struct smw_err e;

    err_clear(&e);
    assert_false(launch_check(rules_find(cc), k, l, &need, &e));
    if (strcmp(e.message, message) != 0 || strcmp(e.hint, hint) != 0) {
        print_error("\"%s\" (%s), not \"%s\" (%s)\n", e.message, e.hint, message, hint);
        fail();
    }
}

/* 1.x: grids of two dimensions, 512 threads, 124 registers. */
static void test_1x_shapes(void **state)
{
    struct ptx_kernel k = {.name = "k"};

    (void)state;
    for (uint32_t cc = 10; cc <= 13; cc++) {
        struct smw_launch l = threads_of(512);
        char text[128];

        l.grid[1] = 65535;
        accept(cc, &k, &l);
        l.grid[2] = 2;
        snprintf(text, sizeof(text),
                 "grid: 2 in z; compute capability 1.%u has grids of two dimensions",
                 cc % 10);
        refuse(cc, &k, &l, text, CONFIG);
        l = threads_of(513);
        snprintf(text, sizeof(text),
                 "block: 513 in x; compute capability 1.%u allows 1 to 512", cc % 10);
        refuse(cc, &k, &l, text, CONFIG);
        l = threads_of(32);
        l.block[1] = 17;
        snprintf(text, sizeof(text),
                 "block: 544 threads; compute capability 1.%u allows 512", cc % 10);
        refuse(cc, &k, &l, text, CONFIG);
        l.block[1] = 1;
        l.regs = 124;
        accept(cc, &k, &l);
        l.regs = 125;
        snprintf(text, sizeof(text),
                 "regs: 125 per thread; compute capability 1.%u has 124", cc % 10);
        refuse(cc, &k, &l, text, RESOURCES);
    }
}

/* 1.x: 16 bytes of launch data and the arguments lie in the block's shared memory, at
 * the alignment that its arrays need. */
static void test_1x_shared(void **state)
{
    struct ptx_shared_var array = {.name = "a", .size = 1000, .align = 4};
    struct ptx_kernel k = {.name = "k",
                           .param_bytes = 8,
                           .shared = &array,
                           .n_shared = 1,
                           .shared_bytes = 1000,
                           .dynamic_base = 1000};
    struct smw_launch l = threads_of(128);

    (void)state;
    assert_int_equal(accept(13, &k, &l).shared_bytes, 1024);
    l.shared = 16384 - 1024;
    assert_int_equal(accept(13, &k, &l).shared_bytes, 16384);
    l.shared++;
    refuse(13, &k, &l,
           "shared: 1000 static and 15361 dynamic bytes and 24 of launch data and "
           "arguments; compute capability 1.3 allows 16384 per block",
           CONFIG);
    array.align = 16; /* 24 bytes rounded up to 32 */
    l.shared = 16384 - 1032;
    assert_int_equal(accept(13, &k, &l).shared_bytes, 16384);
    assert_int_equal(launch_shared_base(rules_find(13), &k), 32);
    assert_int_equal(launch_shared_base(rules_find(20), &k), 0);
    l.shared++;
    refuse(13, &k, &l,
           "shared: 1000 static and 15353 dynamic bytes and 32 of launch data and "
           "arguments; compute capability 1.3 allows 16384 per block",
           CONFIG);
}

/* Arguments: a 64-bit pointer counts 8 bytes of them everywhere. */
static void test_memory(void **state)
{
    struct ptx_kernel k = {.name = "k", .param_bytes = 256};
    struct smw_launch l = threads_of(128);

    (void)state;
    accept(10, &k, &l);
    k.param_bytes = 264;
    refuse(10, &k, &l,
           "args: 264 bytes of parameters; compute capability 1.0 allows 256",
           RESOURCES);
    k.param_bytes = 4096;
    accept(20, &k, &l);
    accept(62, &k, &l);
    k.param_bytes = 4104;
    refuse(62, &k, &l,
           "args: 4104 bytes of parameters; compute capability 6.2 allows 4096", RES13);
    k.param_bytes = 32764;
    accept(70, &k, &l);
    k.param_bytes = 0;
    k.local_bytes = 16384;
    accept(13, &k, &l);
    k.local_bytes = 16388;
    refuse(13, &k, &l,
           "the kernel needs 16388 bytes of local memory per thread; compute "
           "capability 1.3 allows 16384",
           RESOURCES);
    k.local_bytes = 524288;
    accept(20, &k, &l);
    accept(90, &k, &l);
    k.local_bytes = 524292;
    refuse(90, &k, &l,
           "the kernel needs 524292 bytes of local memory per thread; compute "
           "capability 9.0 allows 524288",
           VALUE13);
}

/* Registers that one block may have: fewer than the SM's on 3.7, 5.3 and 6.2. */
static void test_registers_of_a_block(void **state)
{
    struct ptx_kernel k = {.name = "k"};
    struct smw_launch l = threads_of(512);
    struct launch_need need;

    (void)state;
    l.regs = 16;
    accept(10, &k, &l); /* 8192 exactly */
    l.regs = 17;
    refuse(10, &k, &l,
           "block: 512 threads of 17 registers take 8704; compute capability 1.0 "
           "allows 8192 per block",
           RESOURCES);
    l.regs = 32;
    accept(12, &k, &l);
    l.block[0] = 1024;
    accept(20, &k, &l);
    l.regs = 33;
    refuse(20, &k, &l,
           "block: 1024 threads of 33 registers take 34816; compute capability 2.0 "
           "allows 32768 per block",
           RESOURCES);
    l.regs = 64;
    accept(37, &k, &l);
    l.regs = 65;
    refuse(37, &k, &l,
           "block: 1024 threads of 65 registers take 73728; compute capability 3.7 "
           "allows 65536 per block",
           RESOURCES);
    l.regs = 32;
    accept(53, &k, &l);
    l.regs = 33;
    refuse(53, &k, &l,
           "block: 1024 threads of 33 registers take 40960; compute capability 5.3 "
           "allows 32768 per block",
           RES13);
    need = (struct launch_need){.threads = 1024, .warps = 32, .regs = 65};
    assert_int_equal(launch_occupancy(rules_find(37), 16, 64, 112, &need).blocks, 0);
    assert_string_equal(launch_occupancy(rules_find(37), 16, 64, 112, &need).limiter,
                        "registers");
}

/* What the assembler does with an estimate: it spills down to the limit, and so that a
 * block of the size that the kernel declares fits. */
static void test_estimate(void **state)
{
    struct ptx_kernel k = {.name = "k", .regs = 200};
    struct smw_launch l = threads_of(128);

    (void)state;
    assert_int_equal(accept(35, &k, &l).regs, 200);
    assert_int_equal(accept(30, &k, &l).regs, 63);
    assert_int_equal(accept(12, &k, &l).regs, 124);
    k.maxntid[0] = 512;
    k.maxntid[1] = 2;
    assert_int_equal(accept(35, &k, &l).regs, 64);
    assert_int_equal(accept(20, &k, &l).regs, 32);
    k.maxntid[0] = 2048; /* more than there may be: says nothing */
    assert_int_equal(accept(35, &k, &l).regs, 200);
    k.maxntid[0] = 0;
    l.block[0] = 1024;
    refuse(35, &k, &l,
           "block: 1024 threads of 200 registers take 204800; compute capability 3.5 "
           "allows 65536 per block",
           RESOURCES);
    k.regs = 71; /* perhaps it is 7 too high, and no more */
    assert_int_equal(accept(35, &k, &l).regs, 64);
    k.regs = 72;
    refuse(35, &k, &l,
           "block: 1024 threads of 72 registers take 73728; compute capability 3.5 "
           "allows 65536 per block",
           RESOURCES);
    l.regs = 65; /* no estimate */
    refuse(35, &k, &l,
           "block: 1024 threads of 65 registers take 73728; compute capability 3.5 "
           "allows 65536 per block",
           RESOURCES);
    l.regs = 0;
    k.reqntid[0] = 1024;
    assert_int_equal(accept(35, &k, &l).regs, 64);
}

static void test_opt_in(void **state)
{
    struct ptx_kernel k = {.name = "k"};
    struct smw_launch l = threads_of(128);

    (void)state;
    l.shared = 49152;
    accept(90, &k, &l);
    l.shared++;
    refuse(90, &k, &l,
           "shared: 0 static and 49153 dynamic bytes; compute capability 9.0 allows "
           "49152 per block, or 232448 with opt_in_shared: true",
           VALUE13);
    refuse(62, &k, &l,
           "shared: 0 static and 49153 dynamic bytes; compute capability 6.2 allows "
           "49152 per block",
           VALUE13);
    l.opt_in_shared = true;
    accept(90, &k, &l);
    l.shared = 232448;
    accept(90, &k, &l);
    l.shared++;
    refuse(90, &k, &l,
           "shared: 0 static and 232449 dynamic bytes; compute capability 9.0 allows "
           "232448 per block",
           VALUE13);
    l.shared = 98304;
    accept(70, &k, &l);
    l.shared = 65537;
    refuse(75, &k, &l,
           "shared: 0 static and 65537 dynamic bytes; compute capability 7.5 allows "
           "65536 per block",
           VALUE13);
    l.shared = 0;
    k.shared_bytes = 49156;
    refuse(80, &k, &l,
           "shared: 49156 static bytes; 49152 at most, an extern array may have more",
           VALUE13);
}

/* Grids of three dimensions from 2.0 on, long ones from 3.0 on; errors from 5.0 on. */
static void test_later_shapes(void **state)
{
    struct ptx_kernel k = {.name = "k"};
    struct smw_launch l = threads_of(32);

    (void)state;
    l.grid[0] = 65536;
    refuse(21, &k, &l, "grid: 65536 in x; compute capability 2.1 allows 1 to 65535",
           CONFIG);
    l.grid[0] = 2147483647;
    l.grid[2] = 65535;
    accept(30, &k, &l);
    l.grid[0]++;
    refuse(30, &k, &l,
           "grid: 2147483648 in x; compute capability 3.0 allows 1 to 2147483647",
           CONFIG);
    l = threads_of(1025);
    refuse(37, &k, &l, "block: 1025 in x; compute capability 3.7 allows 1 to 1024",
           CONFIG);
    refuse(50, &k, &l, "block: 1025 in x; compute capability 5.0 allows 1 to 1024",
           VALUE13);
    l = threads_of(0);
    refuse(90, &k, &l, "block: 0 in x; compute capability 9.0 allows 1 to 1024",
           VALUE13);
}

static void test_error_names(void **state)
{
    static const struct {
        enum launch_error what;
        const char *below, *from;
        uint32_t n_below, n_from;
    } names[] = {
        {LAUNCH_INVALID_VALUE, "cudaErrorInvalidValue", "cudaErrorInvalidValue", 11, 1},
        {LAUNCH_INVALID_CONFIGURATION, "cudaErrorInvalidConfiguration",
         "cudaErrorInvalidValue", 9, 1},
        {LAUNCH_OUT_OF_RESOURCES, "cudaErrorLaunchOutOfResources",
         "cudaErrorLaunchOutOfResources", 7, 701},
        {LAUNCH_NO_IMAGE, "cudaErrorInvalidDeviceFunction",
         "cudaErrorNoKernelImageForDevice", 8, 209},
    };

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(names); i++) {
        uint32_t n;

        assert_string_equal(launch_error_name(rules_find(37), names[i].what, &n),
                            names[i].below);
        assert_int_equal(n, names[i].n_below);
        assert_string_equal(launch_error_name(rules_find(50), names[i].what, &n),
                            names[i].from);
        assert_int_equal(n, names[i].n_from);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_1x_shapes),
        cmocka_unit_test(test_1x_shared),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_registers_of_a_block),
        cmocka_unit_test(test_estimate),
        cmocka_unit_test(test_opt_in),
        cmocka_unit_test(test_later_shapes),
        cmocka_unit_test(test_error_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
