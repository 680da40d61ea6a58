/* Every function of the public API with NULL for each argument: none ends the process,
 * those that can fail say why, the others give nothing. */
#include "gpu/small_test.h"

static void line(void *ctx, const char *text)
{
    (void)text;
    ++*(uint32_t *)ctx;
}

static void report(void *ctx, const struct smw_err *e)
{
    assert_int_equal(e->kind, SMW_ERR_INPUT);
    ++*(uint32_t *)ctx;
}

static void *no_place(void *ctx, uint64_t addr, uint64_t bytes)
{
    (void)ctx;
    (void)addr;
    (void)bytes;
    return NULL;
}

/* The call fails, with a message, and fails too if nobody wants to hear it. The error's
 * name in the call is err. */
#define REFUSED(call)                                                                  \
    do {                                                                               \
        struct smw_err error = {0}, *err = &error;                                     \
        assert_false(call);                                                            \
        assert_int_equal(error.kind, SMW_ERR_INPUT);                                   \
        assert_int_equal(error.code, SMW_CODE_INVALID_VALUE);                          \
        assert_non_null(strstr(error.message, ": NULL"));                              \
        err = NULL;                                                                    \
        assert_false(call);                                                            \
    } while (0)

static void test_configuration(void **state)
{
    struct smw_config *c = smw_config_new();
    struct smw_device_facts f;
    char text[8];

    (void)state;
    assert_null(smw_config_copy(NULL));
    smw_config_free(NULL);
    assert_null(smw_preset_name(UINT32_MAX));
    assert_null(smw_preset_doc(UINT32_MAX));
    REFUSED(smw_config_preset(NULL, "tiny", err));
    REFUSED(smw_config_preset(c, NULL, err));
    REFUSED(smw_config_set(NULL, "gpu.sms", "1", err));
    REFUSED(smw_config_set(c, NULL, "1", err));
    REFUSED(smw_config_set(c, "gpu.sms", NULL, err));
    REFUSED(smw_config_check(NULL, err));
    REFUSED(smw_config_facts(NULL, &f, err));
    REFUSED(smw_config_facts(c, NULL, err));
    REFUSED(smw_open(NULL, NULL, err) != NULL);
    assert_false(smw_config_show(NULL, "gpu.sms", text, sizeof(text)));
    assert_false(smw_config_show(c, NULL, text, sizeof(text)));
    assert_false(smw_config_show(c, "gpu.sms", NULL, sizeof(text)));
    assert_false(smw_config_show(c, "gpu.sms", text, 0));
    assert_false(smw_config_set(c, "nonsense", "1", NULL));
    assert_false(smw_config_preset(c, "nonsense", NULL));
    smw_config_rename(NULL, "x");
    smw_config_rename(c, NULL);
    assert_string_equal(smw_config_name(c), "");
    assert_string_equal(smw_config_name(NULL), "");
    assert_int_equal(smw_config_digest(NULL), 0);
    smw_config_each(NULL, NULL);
    smw_config_free(c);
}

static void test_memory(void **state)
{
    struct dt *t = dt_open("", small);
    uint64_t v = 0;

    (void)state;
    REFUSED(smw_alloc(NULL, 4, &v, err));
    REFUSED(smw_alloc(t->d, 4, NULL, err));
    REFUSED(smw_free(NULL, t->out, err));
    REFUSED(smw_alloc_host(NULL, 4, no_place, NULL, &v, err));
    REFUSED(smw_alloc_host(t->d, 4, NULL, NULL, &v, err));
    REFUSED(smw_alloc_host(t->d, 4, no_place, NULL, NULL, err));
    REFUSED(smw_write(NULL, t->out, &v, 4, err));
    REFUSED(smw_write(t->d, t->out, NULL, 4, err));
    REFUSED(smw_read(NULL, t->out, &v, 4, err));
    REFUSED(smw_read(t->d, t->out, NULL, 4, err));
    REFUSED(smw_copy(NULL, t->out, t->in, 4, err));
    REFUSED(smw_peer(NULL, t->d, true, err));
    REFUSED(smw_peer(t->d, NULL, true, err));
    REFUSED(smw_peer_host(NULL, NULL, false, err));
    assert_false(smw_alloc(t->d, 0, &v, NULL));
    assert_false(smw_alloc(t->d, UINT64_MAX, &v, NULL));
    assert_false(smw_free(t->d, 1, NULL));
    assert_false(smw_read(t->d, 1, &v, 1, NULL));
    assert_true(smw_read(t->d, 1, NULL, 0, NULL));
    smw_name(NULL, t->out, "x");
    smw_name(t->d, t->out, NULL);
    smw_name(t->d, 1, "x");
    assert_false(smw_find(NULL, t->out, NULL));
    smw_memory_info(NULL, &v, &v);
    assert_int_equal(v, 0);
    smw_memory_info(t->d, NULL, NULL);
    smw_device_facts(NULL, NULL);
    smw_device_facts(t->d, NULL);
    smw_close(NULL);
    dt_close(t);
}

static void test_code(void **state)
{
    struct dt *t = dt_open("", small);
    const struct smw_kernel *k = smw_kernel(t->m, "add", NULL);
    struct smw_kernel_facts f = {.regs = 1};
    const struct smw_text nothing = {.size = 1};
    struct smw_param p;
    uint64_t v = 0;
    uint32_t n = 0;

    (void)state;
    REFUSED(smw_load(NULL, "x", 1, "a", err) != NULL);
    REFUSED(smw_load(t->d, NULL, 1, "a", err) != NULL);
    REFUSED(smw_load_linked(NULL, &nothing, 1, err) != NULL);
    REFUSED(smw_load_linked(t->d, NULL, 1, err) != NULL);
    REFUSED(smw_load_linked(t->d, &nothing, 1, err) != NULL);
    assert_null(smw_load_linked(t->d, NULL, 0, NULL));
    REFUSED(smw_device_heap(NULL, SMW_MIN_HEAP, err));
    assert_false(smw_device_heap(t->d, 0, NULL));
    REFUSED(smw_ptx_kernels(small, strlen(small), "a", NULL, NULL, err));
    assert_false(smw_ptx_kernels(NULL, 5, NULL, line, &n, NULL));
    assert_int_equal(n, 0);
    assert_null(smw_load(t->d, NULL, 0, NULL, NULL));
    assert_null(smw_load(t->d, "?", 1, NULL, NULL));
    REFUSED(smw_symbol_size(NULL, "g", &v, err));
    REFUSED(smw_symbol_size(t->m, NULL, &v, err));
    REFUSED(smw_symbol_size(t->m, "g", NULL, err));
    REFUSED(smw_symbol_address(NULL, "g", &v, &v, err));
    REFUSED(smw_symbol_address(t->m, NULL, &v, &v, err));
    assert_true(smw_symbol_address(t->m, "g", NULL, NULL, NULL));
    assert_false(smw_symbol_address(t->m, "nonsense", NULL, NULL, NULL));
    REFUSED(smw_write_symbol(NULL, "g", 0, &v, 4, err));
    REFUSED(smw_write_symbol(t->m, NULL, 0, &v, 4, err));
    REFUSED(smw_write_symbol(t->m, "g", 0, NULL, 4, err));
    REFUSED(smw_read_symbol(NULL, "g", 0, &v, 4, err));
    REFUSED(smw_read_symbol(t->m, NULL, 0, &v, 4, err));
    REFUSED(smw_read_symbol(t->m, "g", 0, NULL, 4, err));
    REFUSED(smw_kernel(NULL, "add", err) != NULL);
    REFUSED(smw_kernel(t->m, NULL, err) != NULL);
    assert_null(smw_kernel(t->m, "nonsense", NULL));
    REFUSED(smw_can_run(NULL, err));
    assert_null(smw_symbol_type(NULL, "g"));
    assert_null(smw_symbol_type(t->m, NULL));
    assert_int_equal(smw_symbols(NULL) + smw_kernels(NULL), 0);
    assert_false(smw_symbol_at(NULL, 0, NULL));
    assert_null(smw_kernel_at(NULL, 0));
    assert_null(smw_kernel_name(NULL));
    assert_int_equal(smw_kernel_params(NULL) + smw_kernel_address_bytes(NULL), 0);
    assert_false(smw_kernel_param(NULL, 0, &p));
    assert_false(smw_kernel_param(k, 0, NULL));
    smw_kernel_facts(NULL, &f);
    assert_int_equal(f.regs, 0);
    smw_kernel_facts(k, NULL);
    smw_unload(NULL);
    smw_ptx_list(NULL, NULL);
    assert_false(smw_ptx_check(NULL, 5, NULL, report, &n));
    assert_int_equal(n, 1);
    assert_false(smw_ptx_check(small, strlen(small), "a", NULL, NULL));
    REFUSED(smw_show_order(NULL, NULL, line, &n, err));
    REFUSED(smw_show_order(t->m, NULL, NULL, &n, err));
    assert_false(smw_show_order(t->m, "nonsense", line, &n, NULL));
    smw_disasm(NULL, line, &n);
    smw_disasm(t->m, NULL, NULL);
    assert_int_equal(n, 1);
    dt_close(t);
}

static void test_launches(void **state)
{
    struct dt *t = dt_open("", small), *o = dt_open("", small);
    const struct smw_kernel *k = smw_kernel(t->m, "add", NULL);
    struct smw_launch l = dt_shape(1, 1);
    uint32_t blocks = 0;
    struct smw_err e = {0};

    (void)state;
    l.param_bytes = 16;
    REFUSED(smw_launch(NULL, k, &l, err));
    REFUSED(smw_launch(t->d, NULL, &l, err));
    REFUSED(smw_launch(t->d, k, NULL, err));
    REFUSED(smw_launch(t->d, k, &l, err)); /* no parameters */
    REFUSED(smw_occupancy(NULL, &l, &blocks, err));
    REFUSED(smw_occupancy(k, NULL, &blocks, err));
    REFUSED(smw_occupancy(k, &l, NULL, err));
    REFUSED(smw_active_clusters(NULL, &l, &blocks, err));
    REFUSED(smw_active_clusters(k, NULL, &blocks, err));
    REFUSED(smw_active_clusters(k, &l, NULL, err));
    REFUSED(smw_device_cache_config(NULL, SMW_CACHE_L1, err));
    REFUSED(smw_device_bank_mode(NULL, 4, err));
    REFUSED(smw_synchronize(NULL, err));
    assert_false(smw_device_cache_config(t->d, (enum smw_cache_config)77, &e));
    assert_non_null(strstr(e.message, "no preference 77"));
    err_clear(&e);
    assert_false(smw_device_cache_config(t->d, (enum smw_cache_config) - 1, NULL));
    l.params = t->words;
    assert_false(smw_launch(o->d, k, &l, &e));
    assert_non_null(strstr(e.message, "loaded on another device"));
    l.param_bytes = 17;
    assert_false(smw_launch(t->d, k, &l, NULL));
    assert_int_equal(smw_results(t->d), 0);
    assert_int_equal(smw_step(NULL, 1), SMW_DONE);
    smw_stop(NULL);
    dt_close(t);
    dt_close(o);
}

static void test_results(void **state)
{
    struct dt *t = dt_open("", small);
    struct smw_result r;
    struct smw_progress p;
    struct smw_inst inst;
    struct smw_finding f;
    char text[8];

    (void)state;
    dt_run(t, "add", 1, 1);
    assert_null(smw_fault(NULL));
    smw_forget_results(NULL);
    smw_host_call(NULL, SMW_HOST_LAUNCH);
    assert_int_equal(smw_results(NULL), 0);
    assert_false(smw_result(NULL, 0, &r));
    assert_false(smw_result(t->d, 0, NULL));
    assert_false(smw_result(t->d, 1, &r));
    smw_progress(NULL, &p);
    assert_int_equal(p.cycles, 0);
    smw_progress(t->d, NULL);
    assert_int_equal(smw_sm_hz(NULL) + smw_dram_peak(NULL), 0);
    assert_int_equal(smw_live_transactions(NULL), 0);
    assert_false(smw_module_inst(NULL, 0, &inst));
    assert_false(smw_module_inst(t->m, 0, NULL));
    assert_false(smw_inst(NULL, 0, 0, &inst));
    assert_false(smw_inst(t->d, 0, 0, NULL));
    assert_int_equal(smw_findings(NULL), 0);
    assert_int_equal(smw_findings_lost(NULL), 0);
    assert_int_equal(smw_findings_doubtful(NULL), 0);
    assert_false(smw_finding(NULL, 0, &f));
    assert_false(smw_finding(t->d, 0, NULL));
    smw_where(NULL, text, sizeof(text));
    smw_where(t->d, NULL, 5);
    smw_where(t->d, text, 0);
    dt_close(t);
}

static void test_streams(void **state)
{
    struct dt *t = dt_open("", small);
    struct smw_transfer x = {.direction = SMW_UP,
                             .dst = t->out,
                             .width = 4,
                             .height = 1};
    struct smw_transferred r;
    uint64_t ps;

    (void)state;
    REFUSED(smw_queue_copy(NULL, &x, err));
    REFUSED(smw_queue_copy(t->d, NULL, err));
    REFUSED(smw_queue_fill(NULL, 0, t->out, 0, 4, 4, 1, 0, err));
    REFUSED(smw_queue_call(NULL, 0, free, NULL, err));
    REFUSED(smw_queue_call(t->d, 0, NULL, NULL, err));
    REFUSED(smw_queue_mark(NULL, 0, err) != 0);
    REFUSED(smw_queue_wait(NULL, 0, 1, err));
    REFUSED(smw_synchronize_stream(NULL, 0, err));
    REFUSED(smw_synchronize_mark(NULL, 1, err));
    assert_false(smw_queue_copy(t->d, &x, NULL)); /* from NULL */
    assert_false(smw_queue_wait(t->d, 0, 1, NULL));
    assert_false(smw_synchronize_mark(t->d, 0, NULL));
    assert_false(smw_mark_reached(NULL, 1, &ps));
    assert_false(smw_mark_reached(t->d, 0, NULL));
    assert_false(smw_stream_idle(NULL, 0));
    assert_int_equal(smw_now_ps(NULL) + smw_transfers(NULL), 0);
    assert_false(smw_transferred(NULL, 0, &r));
    assert_false(smw_transferred(t->d, 0, &r));
    assert_false(smw_transferred(t->d, 0, NULL));
    dt_close(t);
}

static void test_textures(void **state)
{
    struct dt *t = dt_open("", small);
    const struct smw_texture texture = {.shape = SMW_1D, .layout = SMW_ARRAY};
    const struct smw_tensor tensor = {.rank = 1};
    struct smw_inlined inlined = {0};
    _Alignas(64) uint8_t map[128] = {0};
    uint64_t addr, pitch;
    char text[8] = "x";

    (void)state;
    REFUSED(smw_texture_new(NULL, &texture, &addr, err));
    REFUSED(smw_texture_new(t->d, NULL, &addr, err));
    REFUSED(smw_texture_new(t->d, &texture, NULL, err));
    REFUSED(smw_texture_free(NULL, 1, err));
    assert_false(smw_texture_new(t->d, &texture, &addr, NULL));
    assert_false(smw_texture_free(t->d, 0, NULL));
    assert_false(smw_texture_free(t->d, UINT64_MAX, NULL));
    REFUSED(smw_array(NULL, &texture, &addr, &pitch, err));
    REFUSED(smw_array(t->d, NULL, &addr, &pitch, err));
    REFUSED(smw_array(t->d, &texture, NULL, &pitch, err));
    REFUSED(smw_array(t->d, &texture, &addr, NULL, err));
    assert_false(smw_array(t->d, &texture, &addr, &pitch, NULL));
    REFUSED(smw_tensor_map(NULL, map, err));
    REFUSED(smw_tensor_map(&tensor, NULL, err));
    REFUSED(smw_tensor_move(NULL, 16, err));
    assert_false(smw_tensor_map(&tensor, map, NULL));
    assert_false(smw_tensor_move(map, 16, NULL));
    smw_inlined_text(&inlined, NULL, 8);
    smw_inlined_text(&inlined, text, 0);
    assert_string_equal(text, "x");
    smw_inlined_text(NULL, text, sizeof(text));
    assert_string_equal(text, "");
    assert_int_equal(smw_l2_peak(NULL), 0);
    assert_non_null(smw_version());
    dt_close(t);
}

static void test_open(void **state)
{
    const struct smw_options opt = {.check = (enum smw_check)99};
    struct smw_config *c = smw_config_new();
    struct smw_err e = {0};

    (void)state;
    assert_null(smw_open(c, &opt, &e));
    assert_non_null(strstr(e.message, "no check 99"));
    assert_null(smw_open(c, &opt, NULL));
    smw_config_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_configuration), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_code),          cmocka_unit_test(test_launches),
        cmocka_unit_test(test_results),       cmocka_unit_test(test_streams),
        cmocka_unit_test(test_textures),      cmocka_unit_test(test_open),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
