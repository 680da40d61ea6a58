/*
 * The host's memory runs out at every place where it is asked for some, one after the
 * other: each call says so or does without, nothing ends the process, and closing frees
 * all (the address sanitizer's build looks). malloc() and its like are those below.
 */
#include "gpu/small_test.h"

static uint64_t asked, refuse_at; /* 0: never */

static bool refuse(void)
{
    return ++asked == refuse_at;
}

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__real_aligned_alloc(size_t align, size_t n);
char *__real_strdup(const char *s);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void *__wrap_aligned_alloc(size_t align, size_t n);
char *__wrap_strdup(const char *s);

void *__wrap_malloc(size_t n)
{
    return refuse() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return refuse() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
    return refuse() ? NULL : __real_realloc(p, n);
}

void *__wrap_aligned_alloc(size_t align, size_t n)
{
    return refuse() ? NULL : __real_aligned_alloc(align, n);
}

char *__wrap_strdup(const char *s)
{
    return refuse() ? NULL : __real_strdup(s);
}

/* Lanes part, meet, print and wait for copies: what is allocated late. */
static const char late[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".shared .align 16 .b32 s[64];\n.global .align 4 .b8 text[4] = {37, 100, 10, 0};\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
    ".visible .entry late(.param .u64 out, .param .u64 in)\n{\n"
    ".reg .pred %p<4>; .reg .b32 %r<12>; .reg .b64 %rd<8>; .local .align 8 .b8 l[8];\n"
    "ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in]; mov.u32 %r1, %tid.x;\n"
    "shl.b32 %r2, %r1, 2; cvt.u64.u32 %rd3, %r2; add.u64 %rd1, %rd1, %rd3;\n"
    "add.u64 %rd2, %rd2, %rd3; mov.u32 %r3, s; add.u32 %r3, %r3, %r2;\n"
    "cp.async.ca.shared.global [%r3], [%rd2], 4; cp.async.commit_group;\n"
    "cp.async.wait_group 0; bar.sync 0; ld.shared.u32 %r4, [%r3];\n"
    "setp.lt.u32 %p1, %r1, 7; @%p1 bra A; add.u32 %r4, %r4, 3; bra B;\n"
    "A: st.local.u32 [l], %r1; ld.local.u32 %r5, [l]; add.u32 %r4, %r4, %r5;\n"
    "B: bar.warp.sync -1; st.global.u32 [%rd1], %r4;\n"
    "setp.ne.u32 %p2, %r1, 5; @%p2 bra C; st.local.u32 [l], %r1;\n"
    "mov.u64 %rd4, text; cvta.global.u64 %rd4, %rd4; mov.u64 %rd5, l;\n"
    "cvta.local.u64 %rd5, %rd5;\n"
    "{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd4;\n"
    "st.param.b64 [a], %rd5; call.uni (r), vprintf, (f, a); }\n"
    "C: ret;\n}\n";

struct session {
    struct smw_config *config;
    struct smw_options opt;
    bool functional;
    struct smw_err e;
    uint32_t found;
};

static bool launch(struct smw_device *d, const struct smw_kernel *k, uint64_t out,
                   uint64_t in, struct session *s)
{
    const uint64_t params[2] = {out, in};
    struct smw_launch l = dt_shape(3, 64);

    l.params = params;
    l.param_bytes = sizeof(params);
    l.functional = s->functional;
    return smw_launch(d, k, &l, &s->e) && smw_synchronize(d, &s->e);
}

static bool use(struct smw_device *d, struct session *s)
{
    enum { WORDS = 192 };
    static uint32_t words[WORDS];
    struct smw_module *m = smw_load(d, late, sizeof(late) - 1, "late.ptx", &s->e);
    const struct smw_kernel *k = m == NULL ? NULL : smw_kernel(m, "late", &s->e);
    uint64_t out, in;

    for (uint32_t i = 0; i < WORDS; i++) {
        words[i] = i;
    }
    if (k == NULL || !smw_alloc(d, sizeof(words), &out, &s->e) ||
        !smw_alloc(d, sizeof(words), &in, &s->e) ||
        !smw_write(d, in, words, sizeof(words), &s->e) || !launch(d, k, out, in, s) ||
        !launch(d, k, out, in, s)) {
        return false;
    }
    s->found = smw_findings(d);
    if (!smw_read(d, out, words, sizeof(words), &s->e)) {
        return false;
    }
    assert_int_equal(words[1], 2);
    assert_int_equal(words[63], 66);
    return smw_copy(d, in, out, sizeof(words), &s->e) && smw_free(d, in, &s->e);
}

/* Until nothing is refused any more. */
static uint64_t refuse_each(struct session *s)
{
    uint64_t failed = 0;
    bool ok = false;

    for (uint64_t n = 1; !ok; n++) {
        struct smw_device *d;
        bool all;

        err_clear(&s->e);
        asked = 0;
        refuse_at = n;
        d = smw_open(s->config, &s->opt, &s->e);
        all = d != NULL && use(d, s);
        ok = asked < n;
        if (!all) {
            assert_false(ok);
            assert_int_equal(s->e.kind, SMW_ERR_NOMEM);
            assert_int_equal(s->e.code, SMW_CODE_OUT_OF_MEMORY);
            failed++;
        }
        refuse_at = 0;
        smw_close(d);
        assert_true(n < 100000);
    }
    return failed;
}

static void begin(struct session *s)
{
    memset(s, 0, sizeof(*s));
    s->config = smw_config_new();
    dt_ok(smw_config_preset(s->config, "a100", &s->e), &s->e);
    dt_ok(smw_config_set(s->config, "gpu.sms", "2", &s->e), &s->e);
    dt_ok(smw_config_set(s->config, "dram.size", "64MiB", &s->e), &s->e);
}

static void test_run(void **state)
{
    struct session s;

    (void)state;
    begin(&s);
    s.opt.check = SMW_CHECK_GLOBAL;
    assert_true(refuse_each(&s) > 20);
    smw_config_free(s.config);
}

static void test_functional(void **state)
{
    struct session s;

    (void)state;
    begin(&s);
    s.functional = true;
    assert_true(refuse_each(&s) > 20);
    smw_config_free(s.config);
}

/* The team's members run in the caller's thread here, one after the other. */
static void run_team(void *ctx, void (*job)(void *arg, uint32_t i), void *arg)
{
    (void)ctx;
    for (uint32_t i = 0; i < 2; i++) {
        job(arg, i);
    }
}

static void test_team(void **state)
{
    static const struct smw_team team = {.n = 2, .run = run_team};
    struct session s;

    (void)state;
    begin(&s);
    s.opt.team = &team;
    assert_true(refuse_each(&s) > 20);
    smw_config_free(s.config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_functional),
        cmocka_unit_test(test_team),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
