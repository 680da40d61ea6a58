/* The public API: freeing, pages of the host's, addresses, peers. */
#include "gpu/device_test.h"

enum { KIB64 = 65536 };

/* in points to what is to be read; out is written. */
static const char text[] = PTX_HEAD
    ".global .align 4 .u32 g[4] = {10, 20, 30, 40};\n"
    ".const .align 4 .u32 c[3] = {5, 6, 7};\n.const .align 8 .u64 cc = "
    "9;\n" BODY("copy", "mul.wide.u32 %rd3, %r0, 4; add.u64 %rd3, %rd3, %rd2;\n"
                        "ld.global.u32 %r4, [%rd3]; st.global.u32 [%rd1], %r4;")
        BODY("add_in", "mul.wide.u32 %rd3, %r0, 4; add.u64 %rd3, %rd3, %rd2;\n"
                       "atom.global.add.u32 %r4, [%rd3], 5; st.global.u32 [%rd1], %r4;")
            BODY("consts", "ld.const.u32 %r4, [c + 8]; st.global.u32 [%rd1], "
                           "%r4;") ".visible .entry aligned(.param .u8 a, "
                                   ".param .f64 b)\n"
                                   ".maxntid 96, 2, 1 { .shared .f64 s[20]; "
                                   ".local .u32 l[6]; ret; }\n";

static bool run(struct dt *t, const char *kernel, uint64_t out, uint64_t in,
                uint32_t threads, struct smw_err *e)
{
    const uint64_t params[2] = {out, in};
    struct smw_launch l = dt_shape(1, threads);

    l.params = params;
    l.param_bytes = sizeof(params);
    return smw_launch(t->d, smw_kernel(t->m, kernel, e), &l, e) &&
           smw_synchronize(t->d, e);
}

static struct dt *open_at(uint64_t base, enum smw_check check)
{
    const struct smw_options opt = {.address_base = base, .check = check};

    return dt_open_with("tiny", "dram.size=16MiB", &opt, text);
}

/* ---- free ---- */

static void test_freeing(void **state)
{
    struct dt *t = open_at(0, SMW_CHECK_FAST);
    uint64_t a, b, left, total, before, g;
    uint32_t v = 77;
    struct smw_err e = {0};

    (void)state;
    smw_memory_info(t->d, &before, &total);
    assert_int_equal(total, 16 << 20);
    dt_ok(smw_alloc(t->d, 1000, &a, &e), &e);
    smw_memory_info(t->d, &left, NULL);
    assert_int_equal(left, before - 1024);
    dt_ok(smw_write(t->d, a, &v, 4, &e), &e);
    assert_false(smw_free(t->d, a + 256, &e));
    assert_int_equal(e.code, SMW_CODE_INVALID_ADDRESS);
    assert_non_null(strstr(e.message, "not the begin of a buffer"));
    err_clear(&e);
    assert_false(smw_free(t->d, 12345, &e));
    assert_non_null(strstr(e.message, "no buffer begins at"));
    err_clear(&e);
    dt_ok(smw_symbol_address(t->m, "g", &g, NULL, &e), &e);
    assert_false(smw_free(t->d, g, &e));
    assert_non_null(strstr(e.message, "the variable g of a module"));
    err_clear(&e);
    dt_ok(smw_free(t->d, a, &e), &e);
    smw_memory_info(t->d, &left, &total);
    assert_int_equal(left, before);
    assert_false(smw_free(t->d, a, &e));
    assert_int_equal(e.code, SMW_CODE_INVALID_ADDRESS);
    assert_non_null(strstr(e.message, "was freed before"));
    err_clear(&e);
    assert_false(smw_read(t->d, a + 8, &v, 4, &e));
    assert_int_equal(e.code, SMW_CODE_INVALID_ADDRESS);
    assert_non_null(strstr(e.message, "the address was freed"));
    err_clear(&e);
    dt_ok(smw_alloc(t->d, 4, &b, &e), &e);
    assert_int_equal(b, a);
    dt_ok(smw_read(t->d, b, &v, 4, &e), &e);
    assert_int_equal(v, 0);
    assert_false(smw_alloc(t->d, 17 << 20, &a, &e));
    assert_int_equal(e.code, SMW_CODE_OUT_OF_MEMORY);
    dt_close(t);
}

/* What is queued runs to its end before the memory goes. */
static void test_free_settles(void **state)
{
    struct dt *t = open_at(0, SMW_CHECK_FAST);
    uint64_t a, params[2];
    uint32_t v = 41;
    struct smw_launch l = dt_shape(1, 1);
    struct smw_err e = {0};

    (void)state;
    dt_ok(smw_alloc(t->d, 4, &a, &e), &e);
    dt_ok(smw_write(t->d, a, &v, 4, &e), &e);
    params[0] = t->out;
    params[1] = a;
    l.params = params;
    l.param_bytes = sizeof(params);
    dt_ok(smw_launch(t->d, smw_kernel(t->m, "copy", &e), &l, &e), &e);
    dt_ok(smw_free(t->d, a, &e), &e);
    dt_fetch(t);
    assert_int_equal(t->words[0], 41);
    dt_close(t);
}

/* A kernel that goes on using it is at fault, although the last kernel of the SM was
 * right to; the fault says so. */
static void test_use_after_free(void **state)
{
    static const enum smw_check checks[] = {SMW_CHECK_NONE, SMW_CHECK_FULL};

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct dt *t = open_at(0, checks[i]);
        const struct smw_fault *f;
        uint64_t a, b;
        uint32_t v[32] = {0};
        struct smw_err e = {0};

        dt_ok(smw_alloc(t->d, sizeof(v), &a, &e), &e);
        smw_name(t->d, a, "old");
        dt_ok(smw_write(t->d, a, v, sizeof(v), &e), &e);
        dt_ok(run(t, "copy", t->out, a, 32, &e), &e);
        dt_ok(smw_free(t->d, a, &e), &e);
        dt_ok(smw_alloc(t->d, 8, &b, &e), &e); /* what follows it is still free */
        dt_ok(smw_write(t->d, b, v, 8, &e), &e);
        assert_int_equal(b == a, checks[i] == SMW_CHECK_NONE);
        assert_false(run(t, "copy", t->out, a, 32, &e));
        assert_int_equal(e.code, SMW_CODE_ILLEGAL_ADDRESS);
        assert_non_null(strstr(e.message, "the address was freed"));
        f = smw_fault(t->d);
        assert_string_equal(f->rule, "use-after-free");
        assert_string_equal(f->array, "old");
        assert_int_equal(f->code, SMW_CODE_ILLEGAL_ADDRESS);
        assert_int_equal(f->offset, checks[i] == SMW_CHECK_NONE ? 8 : 0);
        assert_int_equal(f->addr, a + (uint64_t)f->offset);
        err_clear(&e);
        assert_false(smw_alloc(t->d, 0, &b, &e));
        err_clear(&e);
        dt_ok(smw_free(t->d, b, &e), &e); /* still allowed */
        assert_false(run(t, "copy", t->out, t->in, 32, &e));
        assert_int_equal(e.code, SMW_CODE_ILLEGAL_ADDRESS); /* of every later call */
        dt_close(t);
    }
}

/* Memory that is used again counts as never written. */
static void test_findings_after_free(void **state)
{
    struct dt *t = open_at(0, SMW_CHECK_FULL);
    uint64_t a, all;
    void *zeros;
    struct smw_err e = {0};

    (void)state;
    smw_memory_info(t->d, &all, NULL);
    zeros = calloc(1, all);
    assert_non_null(zeros);
    for (uint32_t i = 0; i < 400; i++) { /* more than there are addresses */
        dt_ok(smw_alloc(t->d, all, &a, &e), &e);
        dt_ok(smw_write(t->d, a, zeros, i < 3 ? all : 256, &e), &e);
        dt_ok(smw_free(t->d, a, &e), &e);
    }
    dt_ok(smw_alloc(t->d, 128, &a, &e), &e);
    dt_ok(run(t, "copy", t->out, a, 32, &e), &e);
    assert_int_equal(smw_findings(t->d), 1);
    free(zeros);
    dt_close(t);
}

/* ---- addresses ---- */

static void test_find(void **state)
{
    struct dt *t = open_at(0, SMW_CHECK_FAST);
    struct smw_allocation a;
    uint64_t g;
    struct smw_err e = {0};

    (void)state;
    smw_name(t->d, t->in, "in");
    assert_true(smw_find(t->d, t->in + 100, &a));
    assert_int_equal(a.addr, t->in);
    assert_int_equal(a.bytes, sizeof(t->words));
    assert_string_equal(a.name, "in");
    assert_null(a.host);
    assert_true(smw_find(t->d, t->out, NULL));
    assert_false(smw_find(t->d, 0, &a));
    assert_false(smw_find(t->d, UINT64_MAX, &a));
    dt_ok(smw_symbol_address(t->m, "g", &g, NULL, &e), &e);
    assert_true(smw_find(t->d, g, &a));
    assert_string_equal(a.name, "g");
    dt_close(t);
}

/* Where addresses begin changes neither answers nor cycles nor counters. */
static void test_address_base(void **state)
{
    static const uint64_t bases[] = {0, 1ull << 40, 1ull << 45, 0x7e0000000000,
                                     0x10000000};
    struct smw_counters first;

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(bases); i++) {
        struct dt *t = open_at(bases[i], SMW_CHECK_FAST);
        struct smw_counters c;
        struct smw_err e = {0};

        assert_true(bases[i] == 0 || t->out - bases[i] < 16 << 20);
        dt_ok(run(t, "copy", t->out, t->in, 64, &e), &e);
        dt_ok(run(t, "add_in", t->out, t->in, 64, &e), &e);
        dt_fetch(t);
        assert_int_equal(t->words[63], 63);
        c = dt_result(t, 1).counters;
        if (i == 0) {
            first = c;
        }
        assert_memory_equal(&c, &first, sizeof(c));
        dt_close(t);
    }
}

static void test_bad_base(void **state)
{
    static const uint64_t bad[] = {1,
                                   65536,
                                   0x10000000 + 4096,
                                   1ull << 47,
                                   (1ull << 47) - SMW_ADDRESS_SPAN + KIB64,
                                   UINT64_MAX};
    struct smw_config *c = smw_config_new();
    struct smw_err e = {0};

    (void)state;
    dt_ok(smw_config_preset(c, "tiny", &e), &e);
    for (uint32_t i = 0; i < ARRAY_LEN(bad); i++) {
        const struct smw_options opt = {.address_base = bad[i]};

        assert_null(smw_open(c, &opt, &e));
        assert_int_equal(e.code, SMW_CODE_INVALID_VALUE);
        assert_non_null(strstr(e.message, "address_base"));
        err_clear(&e);
    }
    smw_config_free(c);
}

/* A module of 32-bit addresses cannot have its variables there. */
static void test_short_addresses(void **state)
{
    static const char ptx[] = ".version 3.0\n.target sm_20\n.address_size 32\n"
                              ".visible .entry k() { ret; }\n";
    struct dt *t = open_at(1ull << 40, SMW_CHECK_FAST), *low = open_at(0, 0);
    struct smw_err e = {0};

    (void)state;
    assert_null(smw_load(t->d, ptx, strlen(ptx), "a.ptx", &e));
    assert_non_null(strstr(e.message, "32-bit addresses"));
    err_clear(&e);
    assert_non_null(smw_load(low->d, ptx, strlen(ptx), "a.ptx", &e));
    dt_close(t);
    dt_close(low);
}

/* ---- pages of the host ---- */

struct placed {
    uint64_t addr, bytes;
    uint8_t *host; /* NULL: there is no memory */
};

static void *place(void *ctx, uint64_t addr, uint64_t bytes)
{
    struct placed *p = ctx;

    p->addr = addr;
    p->bytes = bytes;
    return p->host;
}

static void test_alloc_host(void **state)
{
    static const enum smw_check checks[] = {SMW_CHECK_NONE, SMW_CHECK_GLOBAL};

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct dt *t = open_at(0, checks[i]);
        struct placed p = {.host = calloc(2, KIB64)};
        struct smw_allocation a;
        uint32_t *word = (uint32_t *)(void *)p.host, v = 0;
        uint64_t at, left, before;
        struct smw_err e = {0};

        assert_non_null(p.host);
        smw_memory_info(t->d, &before, NULL);
        dt_ok(smw_alloc_host(t->d, KIB64 + 4, place, &p, &at, &e), &e);
        smw_memory_info(t->d, &left, NULL);
        assert_int_equal(left, before);
        assert_int_equal(p.addr, at);
        assert_int_equal(at % KIB64, 0);
        assert_int_equal(p.bytes, 2 * KIB64);
        assert_true(smw_find(t->d, at + KIB64 + 3, &a));
        assert_ptr_equal(a.host, p.host);
        assert_int_equal(a.bytes, KIB64 + 4);
        assert_false(smw_find(t->d, at + KIB64 + 4, &a));
        word[KIB64 / 4 - 3] = 1000; /* both sides of a page's end */
        word[KIB64 / 4] = 2000;
        dt_ok(run(t, "add_in", t->out, at + KIB64 - 12, 4, &e), &e);
        assert_int_equal(word[KIB64 / 4 - 3], 1005);
        assert_int_equal(word[KIB64 / 4], 2005);
        word[KIB64 / 4] = 3000; /* as the next kernel sees it */
        dt_ok(run(t, "copy", t->out, at + KIB64, 1, &e), &e);
        dt_fetch(t);
        assert_int_equal(t->words[0], 3000);
        dt_ok(run(t, "copy", at, t->in, 32, &e), &e);
        assert_int_equal(word[31], 36 * (31 < 4) + 31);
        dt_ok(smw_read(t->d, at + 124, &v, 4, &e), &e);
        assert_int_equal(v, 31);
        v = 8;
        dt_ok(smw_write(t->d, at, &v, 4, &e), &e);
        assert_int_equal(word[0], 8);
        dt_ok(smw_copy(t->d, t->out, at, 8, &e), &e);
        assert_int_equal(smw_findings(t->d), 0);
        dt_ok(smw_free(t->d, at, &e), &e);
        assert_false(smw_find(t->d, at, NULL));
        assert_int_equal(word[0], 8); /* still the host's */
        assert_false(run(t, "copy", t->out, at, 1, &e));
        assert_string_equal(smw_fault(t->d)->rule, "use-after-free");
        dt_close(t);
        free(p.host);
    }
}

static void test_alloc_host_refused(void **state)
{
    struct dt *t = open_at(0, SMW_CHECK_FAST);
    struct placed p = {0};
    uint64_t at = 5;
    struct smw_err e = {0};

    (void)state;
    assert_false(smw_alloc_host(t->d, 100, place, &p, &at, &e));
    assert_int_equal(e.code, SMW_CODE_OUT_OF_MEMORY);
    assert_false(smw_find(t->d, p.addr, NULL));
    err_clear(&e);
    assert_false(smw_alloc_host(t->d, 0, place, &p, &at, &e));
    assert_int_equal(e.code, SMW_CODE_INVALID_VALUE);
    err_clear(&e);
    assert_false(smw_alloc_host(t->d, UINT64_MAX, place, &p, &at, &e));
    assert_int_equal(e.code, SMW_CODE_OUT_OF_MEMORY);
    err_clear(&e);
    assert_false(smw_alloc_host(t->d, 1, NULL, NULL, &at, &e));
    assert_non_null(strstr(e.message, "place(): NULL"));
    assert_int_equal(at, 5);
    dt_close(t);
}

/* ---- peers ---- */

static void test_peer(void **state)
{
    struct dt *t = open_at(1ull << 41, SMW_CHECK_GLOBAL);
    struct dt *o = open_at(1ull << 42, SMW_CHECK_FAST);
    struct placed p = {.host = calloc(1, KIB64)};
    uint64_t host;
    uint32_t v = 123;
    struct smw_err e = {0};

    (void)state;
    assert_non_null(p.host);
    dt_ok(smw_alloc_host(o->d, 64, place, &p, &host, &e), &e);
    dt_ok(smw_peer(t->d, o->d, true, &e), &e);
    dt_ok(smw_peer(t->d, o->d, true, &e), &e);
    dt_ok(run(t, "copy", t->out, o->in, 64, &e), &e);
    dt_ok(run(t, "copy", o->out, t->in, 32, &e), &e);
    dt_ok(run(t, "add_in", t->out, host, 1, &e), &e);
    dt_fetch(o);
    assert_int_equal(o->words[31], 31);
    dt_fetch(t);
    assert_int_equal(t->words[63], 63);
    assert_int_equal(t->words[0], 0);
    assert_int_equal(p.host[0], 5);
    dt_ok(smw_write(t->d, o->in, &v, 4, &e), &e);
    dt_ok(smw_copy(t->d, t->out, o->in, 4, &e), &e);
    dt_fetch(t);
    assert_int_equal(t->words[0], 123);
    assert_int_equal(smw_findings(t->d), 0);
    dt_ok(smw_peer_host(t->d, o->d, true, &e), &e);
    dt_ok(run(t, "add_in", t->out, host, 1, &e), &e);
    assert_int_equal(p.host[0], 10);
    assert_false(smw_read(t->d, o->in, &v, 4, &e));
    err_clear(&e);
    dt_ok(smw_peer(t->d, o->d, false, &e), &e);
    dt_ok(smw_peer(t->d, o->d, false, &e), &e);
    assert_false(run(t, "copy", t->out, host, 1, &e));
    assert_int_equal(e.code, SMW_CODE_ILLEGAL_ADDRESS);
    dt_close(o);
    dt_close(t);
    free(p.host);
}

/* The peer frees what kernels of the other one, still queued, use. */
static void test_peer_frees(void **state)
{
    struct dt *t = open_at(1ull << 41, SMW_CHECK_FAST);
    struct dt *o = open_at(1ull << 42, SMW_CHECK_FAST);
    const uint64_t params[2] = {t->out, o->in};
    struct smw_launch l = dt_shape(1, 32);
    struct smw_err e = {0};

    (void)state;
    l.params = params;
    l.param_bytes = sizeof(params);
    dt_ok(smw_peer(t->d, o->d, true, &e), &e);
    dt_ok(smw_launch(t->d, smw_kernel(t->m, "copy", &e), &l, &e), &e);
    dt_ok(smw_free(o->d, o->in, &e), &e);
    dt_fetch(t);
    assert_int_equal(t->words[31], 31);
    assert_false(run(t, "copy", t->out, o->in, 32, &e));
    assert_string_equal(smw_fault(t->d)->rule, "use-after-free");
    dt_close(o); /* first */
    dt_close(t);
}

/* So does the peer that is closed; a request to stop does not keep it from that. */
static void test_peer_closes(void **state)
{
    struct dt *t = open_at(1ull << 41, SMW_CHECK_FAST);
    struct dt *o = open_at(1ull << 42, SMW_CHECK_FAST);
    const uint64_t params[2] = {t->out, o->in};
    struct smw_launch l = dt_shape(1, 32);
    struct smw_err e = {0};

    (void)state;
    l.params = params;
    l.param_bytes = sizeof(params);
    dt_ok(smw_peer(t->d, o->d, true, &e), &e);
    dt_ok(smw_launch(t->d, smw_kernel(t->m, "copy", &e), &l, &e), &e);
    assert_int_equal(smw_step(t->d, 10), SMW_RUNNING);
    smw_stop(t->d);
    dt_close(o);
    dt_fetch(t);
    assert_int_equal(t->words[31], 31);
    dt_close(t);
}

static void test_peer_refused(void **state)
{
    struct dt *t = open_at(0, SMW_CHECK_FAST), *o = open_at(0, SMW_CHECK_FAST);
    struct smw_err e = {0};

    (void)state;
    assert_false(smw_peer(t->d, o->d, true, &e));
    assert_non_null(strstr(e.message, "the same addresses"));
    assert_non_null(strstr(e.hint, "address_base"));
    err_clear(&e);
    assert_false(smw_peer(t->d, t->d, true, &e));
    assert_int_equal(e.code, SMW_CODE_INVALID_VALUE);
    err_clear(&e);
    assert_false(smw_peer(t->d, NULL, true, &e));
    err_clear(&e);
    assert_false(smw_peer(NULL, t->d, true, &e));
    assert_int_equal(e.code, SMW_CODE_INVALID_VALUE);
    dt_close(t);
    dt_close(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_freeing),
        cmocka_unit_test(test_free_settles),
        cmocka_unit_test(test_use_after_free),
        cmocka_unit_test(test_findings_after_free),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_address_base),
        cmocka_unit_test(test_bad_base),
        cmocka_unit_test(test_short_addresses),
        cmocka_unit_test(test_alloc_host),
        cmocka_unit_test(test_alloc_host_refused),
        cmocka_unit_test(test_peer),
        cmocka_unit_test(test_peer_frees),
        cmocka_unit_test(test_peer_closes),
        cmocka_unit_test(test_peer_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
