/* The public API: what modules, kernels and devices say of themselves, unloading. */
#include "gpu/device_test.h"

static const char text[] = PTX_HEAD
    ".global .align 4 .u32 g[4] = {10, 20, 30, 40};\n.shared .u32 hidden[4];\n"
    ".const .align 4 .u32 c[3] = {5, 6, 7};\n.const .align 8 .u64 cc = "
    "9;\n" BODY("consts", "ld.const.u32 %r4, [c + 8]; st.global.u32 [%rd1], %r4;")
        BODY("by_address", "ld.global.u32 %r4, [%rd2]; st.global.u32 [%rd1], "
                           "%r4;") ".visible .entry shape(.param .u8 a, "
                                   ".param .f64 b)\n"
                                   ".maxntid 96, 2, 1\n{ .shared .f64 s[20]; "
                                   ".local .align 4 .b8 l[32];\n"
                                   ".reg .u32 %r<4>; .reg .f64 %fd<2>; "
                                   "mov.f64 %fd0, 0d0000000000000000;\n"
                                   "mov.u32 %r1, l; st.local.u32 [%r1 + 20], "
                                   "%r1; st.shared.f64 [s], %fd0;\n"
                                   "ret; }\n";

static struct dt *open_checked(enum smw_check check)
{
    const struct smw_options opt = {.check = check};

    return dt_open_with("tiny", "", &opt, text);
}

static bool run(struct dt *t, const struct smw_kernel *k, uint64_t in,
                struct smw_err *e)
{
    const uint64_t params[2] = {t->out, in};
    struct smw_launch l = dt_shape(1, 1);

    l.params = params;
    l.param_bytes = sizeof(params);
    return smw_launch(t->d, k, &l, e) && smw_synchronize(t->d, e);
}

/* ---- variables ---- */

static void test_addresses(void **state)
{
    struct dt *t = open_checked(SMW_CHECK_FULL);
    uint64_t g, c, cc, bytes = 0, host = 0;
    uint32_t v = 25;
    struct smw_err e = {0};

    (void)state;
    dt_ok(smw_symbol_address(t->m, "g", &g, &bytes, &e), &e);
    assert_int_equal(bytes, 16);
    dt_ok(smw_read(t->d, g + 8, &v, 4, &e), &e);
    assert_int_equal(v, 30);
    dt_ok(smw_symbol_address(t->m, "c", &c, &bytes, &e), &e);
    assert_int_equal(bytes, 12);
    dt_ok(smw_symbol_address(t->m, "cc", &cc, NULL, &e), &e);
    assert_int_equal(cc - c, 16);
    dt_ok(smw_read(t->d, c, &v, 4, &e), &e);
    assert_int_equal(v, 5);
    dt_ok(run(t, smw_kernel(t->m, "by_address", &e), c + 4, &e), &e);
    dt_fetch(t);
    assert_int_equal(t->words[0], 6);
    assert_int_equal(smw_findings(t->d), 0);
    v = 33; /* by its address, seen by the constant cache and by name */
    dt_ok(smw_write(t->d, c + 8, &v, 4, &e), &e);
    dt_ok(run(t, smw_kernel(t->m, "consts", &e), 0, &e), &e);
    dt_fetch(t);
    assert_int_equal(t->words[0], 33);
    v = 0;
    dt_ok(smw_read_symbol(t->m, "c", 8, &v, 4, &e), &e);
    assert_int_equal(v, 33);
    v = 34;
    dt_ok(smw_write_symbol(t->m, "c", 8, &v, 4, &e), &e);
    dt_ok(smw_read(t->d, c + 8, &v, 4, &e), &e);
    assert_int_equal(v, 34);
    assert_false(smw_free(t->d, c, &e));
    assert_int_equal(e.code, SMW_CODE_INVALID_ADDRESS);
    err_clear(&e);
    assert_false(smw_symbol_address(t->m, "gg", &host, NULL, &e));
    assert_int_equal(e.code, SMW_CODE_NOT_FOUND);
    err_clear(&e);
    assert_false(smw_symbol_address(t->m, "hidden", &host, NULL, &e));
    assert_int_equal(host, 0);
    dt_close(t);
}

static void test_lists(void **state)
{
    static const char *const kernels[] = {"consts", "by_address", "shape"};
    static const char *const symbols[] = {"g", "c", "cc"};
    struct dt *t = open_checked(SMW_CHECK_NONE);
    const char *name = NULL;

    (void)state;
    assert_int_equal(smw_kernels(t->m), 3);
    assert_int_equal(smw_symbols(t->m), 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_string_equal(smw_kernel_name(smw_kernel_at(t->m, i)), kernels[i]);
        assert_true(smw_symbol_at(t->m, i, &name));
        assert_string_equal(name, symbols[i]);
    }
    assert_null(smw_kernel_at(t->m, 3));
    assert_false(smw_symbol_at(t->m, 3, &name));
    dt_close(t);
}

/* ---- kernels ---- */

static void test_kernel_facts(void **state)
{
    struct dt *t = open_checked(SMW_CHECK_NONE);
    struct smw_device_facts d;
    struct smw_kernel_facts f;
    struct smw_err e = {0};

    (void)state;
    smw_device_facts(t->d, &d);
    smw_kernel_facts(smw_kernel(t->m, "shape", &e), &f);
    assert_int_equal(f.max_threads, 192);
    assert_int_equal(f.static_shared, 160);
    assert_int_equal(f.local_per_thread, 32);
    assert_int_equal(f.const_bytes, 24);
    assert_int_equal(f.param_bytes, 16);
    assert_int_equal(f.max_dynamic_shared, d.shared_per_block - 160);
    assert_int_equal(f.ptx_version, 70);
    assert_int_equal(f.target, 75);
    smw_kernel_facts(smw_kernel(t->m, "consts", &e), &f);
    assert_int_equal(f.max_threads, d.max_threads_per_block);
    dt_run(t, "consts", 1, 32);
    assert_int_equal(f.regs, dt_result(t, 0).regs);
    dt_close(t);
}

/* What the facts say can be launched is launched, and no more. */
static void test_facts_are_limits(void **state)
{
    struct dt *t = open_checked(SMW_CHECK_NONE);
    const struct smw_kernel *k;
    struct smw_kernel_facts f;
    struct smw_launch l = dt_shape(1, 1);
    const uint64_t params[2] = {0};
    uint32_t blocks = 0;
    struct smw_err e = {0};

    (void)state;
    k = smw_kernel(t->m, "shape", &e);
    smw_kernel_facts(k, &f);
    l.params = params;
    l.param_bytes = sizeof(params);
    l.block[0] = f.max_threads / 2;
    l.block[1] = 2;
    l.shared = f.max_dynamic_shared;
    dt_ok(smw_occupancy(k, &l, &blocks, &e), &e);
    assert_int_equal(blocks, 1);
    dt_ok(smw_launch(t->d, k, &l, &e), &e);
    dt_ok(smw_synchronize(t->d, &e), &e);
    assert_int_equal(dt_result(t, 0).warps_per_sm, f.max_threads / 32);
    l.shared++;
    assert_false(smw_launch(t->d, k, &l, &e));
    assert_int_equal(e.code, SMW_CODE_INVALID_CONFIGURATION);
    err_clear(&e);
    assert_false(smw_occupancy(k, &l, &blocks, &e));
    assert_int_equal(blocks, 1);
    dt_close(t);
}

/* More registers than a block of the largest size can have. */
static void test_threads_by_registers(void **state)
{
    char ptx[8192];
    size_t n = (size_t)snprintf(ptx, sizeof(ptx),
                                "%s.visible .entry k(.param .u64 p) {\n"
                                ".reg .u32 %%r<90>; .reg .u64 %%rd<2>;\n"
                                "ld.param.u64 %%rd1, [p];\n",
                                PTX_HEAD);
    struct dt *t = open_checked(SMW_CHECK_NONE);
    struct smw_device *d = dt_open_device("v100", "gpu.sms=1", NULL);
    const struct smw_kernel *k;
    struct smw_kernel_facts f;
    struct smw_launch l = dt_shape(1, 1);
    uint64_t param = 0;
    uint32_t blocks = 0;
    struct smw_module *m;
    struct smw_err e = {0};

    (void)state;
    for (uint32_t pass = 0; pass < 2; pass++) { /* all read, then all written */
        for (uint32_t i = 0; i < 85; i++) {
            n += (size_t)snprintf(ptx + n, sizeof(ptx) - n,
                                  pass == 0
                                      ? "ld.volatile.global.u32 %%r%u, [%%rd1 + %u];\n"
                                      : "st.volatile.global.u32 [%%rd1 + %u], %%r%u;\n",
                                  pass == 0 ? i : 4 * i, pass == 0 ? 4 * i : i);
        }
    }
    n += (size_t)snprintf(ptx + n, sizeof(ptx) - n, "ret; }\n");
    m = smw_load(d, ptx, n, "many.ptx", &e);
    dt_ok(m != NULL, &e);
    k = smw_kernel(m, "k", &e);
    smw_kernel_facts(k, &f);
    assert_in_range(f.regs, 85, 104);
    assert_in_range(f.max_threads, 512, 992);
    l.param_bytes = sizeof(param);
    l.params = &param;
    l.block[0] = f.max_threads;
    dt_ok(smw_occupancy(k, &l, &blocks, &e), &e);
    assert_int_equal(blocks, 1);
    l.block[0] = f.max_threads + 32;
    assert_false(smw_occupancy(k, &l, &blocks, &e));
    assert_int_equal(e.code, SMW_CODE_OUT_OF_RESOURCES);
    smw_close(d);
    dt_close(t);
}

/* ---- unloading ---- */

static void test_unload(void **state)
{
    struct dt *t = open_checked(SMW_CHECK_FAST);
    uint64_t before, now, c, g;
    struct smw_err e = {0};
    struct smw_inst inst;
    const struct smw_kernel *k;

    (void)state;
    smw_memory_info(t->d, &before, NULL);
    for (uint32_t i = 0; i < 100; i++) { /* never launched: all of it goes */
        struct smw_module *m = smw_load(t->d, text, strlen(text), "again.ptx", &e);

        dt_ok(m != NULL, &e);
        dt_ok(smw_symbol_address(m, "c", &c, NULL, &e), &e);
        smw_unload(m);
        assert_false(smw_find(t->d, c, NULL));
    }
    smw_memory_info(t->d, &now, NULL);
    assert_int_equal(now, before);
    k = smw_kernel(t->m, "consts", &e);
    dt_start(t, "consts", 1, 1);
    dt_ok(smw_symbol_address(t->m, "g", &g, NULL, &e), &e);
    smw_unload(t->m); /* what is queued runs before */
    smw_unload(t->m);
    dt_fetch(t);
    assert_int_equal(t->words[0], 7);
    assert_false(smw_find(t->d, g, NULL));
    assert_string_equal(dt_result(t, 0).kernel, "consts"); /* results stay */
    assert_true(smw_inst(t->d, 0, 0, &inst));
    assert_false(run(t, k, 0, &e));
    assert_int_equal(e.code, SMW_CODE_NOT_FOUND);
    assert_non_null(strstr(e.message, "its module was unloaded"));
    dt_close(t);
}

/* ---- devices ---- */

/* Figures of the data sheets, one of each kind. */
static void test_device_facts(void **state)
{
    static const struct {
        const char *preset, *name;
        uint32_t cc, sms, threads_per_sm, blocks, shared_block, shared_optin, bus;
        uint32_t grid_x, regs_sm;
        uint64_t memory;
    } want[] = {
        {"gtx480", "GeForce GTX 480", 20, 15, 1536, 8, 49152, 49152, 384, 65535, 32768,
         1536ull << 20},
        {"v100", "Tesla V100 PCIe", 70, 80, 2048, 32, 49152, 98304, 4096, 2147483647,
         65536, 16ull << 30},
        {"h100", "H100 SXM5", 90, 132, 2048, 32, 49152, 232448, 5120, 2147483647, 65536,
         80ull << 30},
    };

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(want); i++) {
        struct smw_config *c = smw_config_new();
        struct smw_device_facts f, g;
        struct smw_device *d;
        struct smw_err e = {0};

        dt_ok(smw_config_preset(c, want[i].preset, &e), &e);
        dt_ok(smw_config_facts(c, &f, &e), &e);
        assert_string_equal(f.name, want[i].name);
        assert_int_equal(f.cc_major * 10 + f.cc_minor, want[i].cc);
        assert_int_equal(f.sms, want[i].sms);
        assert_int_equal(f.warp_size, 32);
        assert_int_equal(f.max_threads_per_block, 1024);
        assert_int_equal(f.max_threads_per_sm, want[i].threads_per_sm);
        assert_int_equal(f.max_blocks_per_sm, want[i].blocks);
        assert_int_equal(f.shared_per_block, want[i].shared_block);
        assert_int_equal(f.shared_per_block_optin, want[i].shared_optin);
        assert_int_equal(f.bus_bits, want[i].bus);
        assert_int_equal(f.max_grid[0], want[i].grid_x);
        assert_int_equal(f.max_block[2], 64);
        assert_int_equal(f.regs_per_sm, want[i].regs_sm);
        assert_int_equal(f.memory_bytes, want[i].memory);
        assert_int_equal(f.const_bytes, 65536);
        smw_config_rename(c, "mine");
        dt_ok(smw_config_set(c, "gpu.sms", "3", &e), &e);
        d = smw_open(c, NULL, &e);
        dt_ok(d != NULL, &e);
        smw_device_facts(d, &g);
        assert_string_equal(g.name, "mine");
        assert_int_equal(g.sms, 3);
        assert_int_equal(g.bus_bits, f.bus_bits);
        assert_int_equal(g.memory_bytes_per_s, smw_dram_peak(d));
        smw_close(d);
        dt_ok(smw_config_set(c, "gpu.compute_capability", "1.4", &e), &e);
        assert_false(smw_config_facts(c, &f, &e));
        assert_int_equal(f.sms, want[i].sms);
        smw_config_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_kernel_facts),
        cmocka_unit_test(test_facts_are_limits),
        cmocka_unit_test(test_threads_by_registers),
        cmocka_unit_test(test_unload),
        cmocka_unit_test(test_device_facts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
