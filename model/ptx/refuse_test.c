/* What is wrong inside one function refuses the kernels that reach it, and no other. */
#include "ptx/front_test.h"

static struct ptx_module *lowered(const char *text)
{
    struct smw_err e;
    struct ptx_module *m;

    err_clear(&e);
    m = ptx_parse(text, strlen(text), "t.ptx", &e);
    if (m == NULL || !place_and_lower(m, &e)) {
        print_error("%u:%u: %s\n", e.line, e.column, e.message);
        fail();
    }
    return m;
}

/* "line:column message" of the first reason that kernel cannot run, "" if it can. */
static const char *why(const struct ptx_module *m, const char *kernel, char *text,
                       size_t size)
{
    const struct ptx_kernel *k;
    struct smw_err e;

    err_clear(&e);
    k = ptx_find_kernel(m, kernel, &e);
    assert_non_null(k);
    text[0] = '\0';
    if (!ptx_can_run(m, k, &e)) {
        assert_int_equal(e.kind, SMW_ERR_INPUT);
        assert_string_equal(e.file, "t.ptx");
        assert_true(e.line == 0 || e.source[0] != '\0');
        snprintf(text, size, "%u:%u %s", e.line, e.column, e.message);
    }
    return text;
}

#define WHY(m, kernel) why(m, kernel, (char[640]){0}, 640)

static void test_one_kernel_of_two(void **state)
{
    struct ptx_module *const m = lowered(HEAD ".entry bad () {\n"
                                              "  .reg .b32 %r<3>;\n"
                                              "  add.s32 %r1, %r1, 1;\n"
                                              "  tcgen05.s32 {%r0, %r1}, %r2;\n"
                                              "L: ad.s32 %r1, %r1, 1;\n"
                                              "  @%p bra L;\n"
                                              "  ret;\n}\n"
                                              ".entry good () {\n"
                                              "  .reg .b32 %r<3>;\n"
                                              "  add.s32 %r1, %r1, 1;\n"
                                              "  ret;\n}\n");
    const struct ptx_kernel *const bad = &m->kernels[0], *const good = &m->kernels[1];
    struct smw_err e;

    (void)state;
    assert_string_equal(WHY(m, "good"), "");
    assert_memory_equal(WHY(m, "bad"), "7:3 tcgen05 is not supported", 28);
    assert_int_equal(m->n_uops, 3);
    assert_int_equal(bad->entry, 0);
    assert_int_equal(good->entry, 1);
    assert_int_equal(m->uops[0].kind, m->uops[2].kind); /* ret */
    assert_int_equal(ptx_refusals(m), 3);               /* all of them, in order */
    err_clear(&e);
    ptx_refusal(m, 1, &e);
    assert_int_equal(e.line, 8);
    assert_string_equal(e.message, "unknown instruction 'ad'");
    assert_string_equal(e.hint, "did you mean 'add'?");
    assert_string_equal(e.source, "L: ad.s32 %r1, %r1, 1;");
    err_clear(&e);
    ptx_refusal(m, 2, &e);
    assert_int_equal(e.line, 9);
    assert_string_equal(e.message, "unknown predicate '%p'");
    ptx_free(m);
}

static void test_through_calls(void **state)
{
    struct ptx_module *const m =
        lowered(HEAD ".func leaf () {\n  nothing.u32;\n  ret;\n}\n"
                     ".func middle () {\n  call leaf;\n  ret;\n}\n"
                     ".func fine () {\n  ret;\n}\n"
                     ".extern .func elsewhere ();\n"
                     ".entry direct () {\n  call leaf;\n  ret;\n}\n"
                     ".entry far () {\n  call fine;\n  call middle;\n  ret;\n}\n"
                     ".entry good () {\n  call fine;\n  ret;\n}\n"
                     ".entry away () {\n  call elsewhere;\n  call fine;\n"
                     "  call elsewhere;\n  ret;\n}\n");

    (void)state;
    assert_string_equal(WHY(m, "good"), "");
    assert_string_equal(WHY(m, "direct"), "5:3 unknown instruction 'nothing'");
    assert_string_equal(WHY(m, "far"), "5:3 unknown instruction 'nothing'");
    assert_string_equal(WHY(m, "away"),
                        "30:3 'elsewhere' is called but not defined in this module");
    assert_int_equal(ptx_refusals(m), 3);
    ptx_free(m);
}

/* Directives in the head and in the body, labels, what only lowering finds. */
static void test_places(void **state)
{
    struct ptx_module *const m = lowered(
        HEAD
        ".entry head (.param .u32 x) .blocksareclusters {\n"
        "  .reg .b32 %r;\n  ld.param.u32 %r, [x];\n  { ret; }\n}\n"
        ".entry parameter (.param .u33 x, .param .u32 y) { ret; }\n"
        ".entry directive () {\n  { .surfref s; sust.b.s; }\n  mov.b32 %q, s;\n}\n"
        ".entry label () {\n  bra.uni away;\n}\n"
        ".entry twice () {\nL: bar.sync 0;\nL: ret;\n}\n"
        ".entry vector () {\n  .reg .b32 %r<2>;\n  .reg .b64 %d;\n"
        "  .reg .pred %p;\n  mov.b32 %r0, {%r1, %p;\n  ret;\n}\n"
        ".entry large () {\n  .shared .b8 a[16000000];\n  .shared .b8 b[16000000];\n"
        "  .reg .u64 %d<2>;\n  mov.u64 %d0, a;\n  mov.u64 %d1, b;\n  ret;\n}\n"
        ".entry good (.param .u32 x) {\n  .reg .b32 %r;\n"
        "  ld.param.u32 %r, [x];\n  ret;\n}\n");

    (void)state;
    assert_string_equal(WHY(m, "good"), "");
    assert_string_equal(WHY(m, "head"), "4:29 unknown directive '.blocksareclusters'");
    assert_string_equal(WHY(m, "parameter"), "9:26 unknown type '.u33'");
    assert_string_equal(WHY(m, "directive"), "11:5 .surfref stands after .global");
    assert_string_equal(WHY(m, "label"), "15:11 unknown label 'away'");
    assert_string_equal(WHY(m, "twice"), "19:1 label 'L' is declared twice");
    assert_memory_equal(WHY(m, "vector"), "25:", 3);
    assert_memory_equal(WHY(m, "large"), "30:0 shared variables too large", 31);
    assert_int_equal(ptx_refusals(m), 7); /* one each: what follows is not told */
    ptx_free(m);
}

/* Every instruction wrong: so many are told, the rest of the body is skipped. */
static void test_many(void **state)
{
    char text[4096] = HEAD ".entry bad () {\n";
    struct ptx_module *m;

    (void)state;
    for (uint32_t i = 0; i < 5 * PTX_MAX_REFUSALS; i++) {
        strcat(text, i % 7 == 3 ? "{ nothing; }\n" : "nothing.u32 {a};\n");
    }
    strcat(text, "ret;\n}\n.entry good () { ret; }\n");
    m = lowered(text);
    assert_string_equal(WHY(m, "good"), "");
    assert_string_equal(WHY(m, "bad"), "5:1 unknown instruction 'nothing'");
    assert_int_equal(ptx_refusals(m), PTX_MAX_REFUSALS);
    ptx_free(m);
}

/* Where the body has no end there is no next kernel: the module is refused. */
static void test_no_end(void **state)
{
    static const char *const texts[] = {
        HEAD ".entry bad () {\n  nothing.u32 %r;\n",
        HEAD ".entry bad () {\n  .surfref s;\n  ret;\n",
        HEAD ".entry bad () {\n  nothing.u32 \"\n;}\n.entry good () { ret; }\n",
        HEAD ".entry bad (.param .u33 x)\n",
        HEAD ".entry bad (.param .u33 x) { ret;\n"};

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct smw_err e;

        err_clear(&e);
        assert_null(ptx_parse(texts[i], strlen(texts[i]), "t.ptx", &e));
        assert_int_equal(e.kind, SMW_ERR_INPUT);
        assert_true(e.line >= 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_kernel_of_two),
        cmocka_unit_test(test_through_calls),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_no_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
