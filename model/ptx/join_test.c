/* What names of several texts mean (SPEC PTX-6). */
#include "ptx/front_test.h"

#define ENTRY ".visible .entry "

static struct ptx_module *join(const char *a, const char *b, const char *c,
                               struct smw_err *e)
{
    const char *const given[] = {a, b, c};
    char text[3][1024];
    struct ptx_text t[3];
    uint32_t n = 0;
    struct ptx_module *m;

    for (; n < 3 && given[n] != NULL; n++) {
        static const char *const names[] = {"a.ptx", "b.ptx", "c.ptx"};

        snprintf(text[n], sizeof(text[n]), "%s%s", HEAD, given[n]);
        t[n] = (struct ptx_text){text[n], strlen(text[n]), names[n]};
    }
    err_clear(e);
    m = ptx_parse_linked(t, n, PTX_HEAP, e);
    if (m != NULL && !place_and_lower(m, e)) {
        ptx_free(m);
        return NULL;
    }
    return m;
}

static struct ptx_module *joined(const char *a, const char *b, const char *c)
{
    struct smw_err e;
    struct ptx_module *const m = join(a, b, c, &e);

    if (m == NULL || ptx_refusals(m) > 0) {
        if (m != NULL) {
            ptx_refusal(m, 0, &e);
        }
        print_error("%s:%u:%u: %s\n", e.file, e.line, e.column, e.message);
        fail();
    }
    return m;
}

static void refused(const char *a, const char *b, const char *file, uint32_t line,
                    const char *message)
{
    struct smw_err e;
    struct ptx_module *const m = join(a, b, NULL, &e);

    assert_null(m);
    assert_string_equal(e.message, message);
    assert_string_equal(e.file, file);
    assert_int_equal(e.line, line);
}

/* The value that the module's only variable of that name begins with. */
static uint32_t value_of(const struct ptx_module *m, const char *name)
{
    const struct ptx_symbol *s = NULL;
    uint32_t v;

    for (uint32_t i = 0; i < m->n_symbols; i++) {
        if (strcmp(m->symbols[i].name, name) == 0) {
            assert_null(s);
            s = &m->symbols[i];
        }
    }
    assert_non_null(s);
    assert_non_null(s->init);
    memcpy(&v, s->init, sizeof(v));
    return v;
}

/* ---- variables ---- */

static void externs_find_definitions(void **state)
{
    struct ptx_module *const m =
        joined(".extern .global .u32 v;\n.extern .const .b8 c[];\n" ENTRY
               "k() { .reg .b32 %r<2>; ld.global.u32 %r0, [v];"
               " ld.const.u32 %r1, [c]; st.global.u32 [v+0], %r1; }",
               ".visible .global .u32 v = 7;\n.visible .const .u32 c = 9;\n", NULL);

    (void)state;
    assert_int_equal(m->n_symbols, 2);
    assert_int_equal(value_of(m, "v"), 7);
    assert_int_equal(value_of(m, "c"), 9);
    assert_int_equal(m->const_bytes, 4);
    for (uint32_t i = 0; i < m->n_uops; i++) { /* nothing is left at address 0 */
        char text[128];

        ptx_disasm(m, i, text, sizeof(text));
        assert_null(strstr(text, "[0]"));
    }
    ptx_free(m);
}

static void own_names_may_coincide(void **state)
{
    struct ptx_module *const m = joined(".global .u32 v = 1;\n.func f() { ret; }\n",
                                        ".global .u32 v = 2;\n.func f() { ret; }\n"
                                        ".visible .global .u64 p = v;\n",
                                        ".visible .global .u32 w = 3;\n");

    (void)state;
    assert_int_equal(m->n_symbols, 4);
    assert_int_equal(m->n_relocs, 1);
    assert_string_equal(m->symbols[m->relocs[0].symbol].name, "p");
    assert_int_equal(m->symbols[m->relocs[0].target].init[0], 2);
    ptx_free(m);
}

static void strong_before_weak_before_common(void **state)
{
    static const struct {
        const char *a, *b, *c;
        uint32_t value;
    } table[] = {
        {".weak .global .u32 v = 1;", ".weak .global .u32 v = 2;", NULL, 1},
        {".weak .global .u32 v = 1;", ".visible .global .u32 v = 2;", NULL, 2},
        {".common .global .u32 v = 1;", ".weak .global .u32 v = 2;",
         ".extern .global .u32 v;", 2},
        {".extern .global .u32 v;", ".common .global .u32 v;",
         ".common .global .u32 v = 5;", 5},
    };

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(table); i++) {
        struct ptx_module *const m = joined(table[i].a, table[i].b, table[i].c);

        assert_int_equal(m->n_symbols, 1);
        assert_int_equal(value_of(m, "v"), table[i].value);
        ptx_free(m);
    }
}

static void largest_common(void **state)
{
    struct ptx_module *const m =
        joined(".common .global .b8 v[4];", ".common .global .b8 v[64];",
               ".common .global .b8 v[8];");

    (void)state;
    assert_int_equal(m->n_symbols, 1);
    assert_int_equal(m->symbols[0].size, 64);
    ptx_free(m);
}

/* The initial values of a definition that gives way do not count. */
static void relocs_follow(void **state)
{
    struct ptx_module *const m =
        joined(".weak .global .u32 a = 1;\n.weak .global .u64 p = a;",
               ".visible .global .u64 p = 5;\n.extern .global .u32 a;\n"
               ".visible .global .u64 q = a;\n",
               NULL);

    (void)state;
    assert_int_equal(m->n_symbols, 3);
    assert_int_equal(m->n_relocs, 1);
    assert_string_equal(m->symbols[m->relocs[0].symbol].name, "q");
    assert_string_equal(m->symbols[m->relocs[0].target].name, "a");
    assert_int_equal(value_of(m, "p"), 5);
    ptx_free(m);
}

static void shared_memory(void **state)
{
    struct ptx_module *const m =
        joined(".extern .shared .align 16 .b8 dynamic[];\n"
               ".extern .shared .align 4 .b8 buf[64];\n" ENTRY
               "k() { .reg .b32 %r; .shared .b32 own; mov.u32 %r, dynamic;"
               " st.shared.u32 [buf], %r; st.shared.u32 [own], %r; }",
               ".extern .shared .align 32 .b8 dynamic[];\n"
               ".visible .shared .align 4 .b8 buf[64];\n" ENTRY
               "l() { .reg .b32 %r; mov.u32 %r, dynamic; st.shared.u32 [buf], %r; }",
               NULL);

    (void)state;
    assert_int_equal(m->n_kernels, 2);
    assert_int_equal(m->kernels[0].shared_bytes, 68);
    assert_int_equal(m->kernels[1].shared_bytes, 64);
    assert_int_equal(m->kernels[1].dynamic_base, 64);
    ptx_free(m);
}

/* ---- functions ---- */

static const char *call_of(const struct ptx_module *m)
{
    for (uint32_t i = 0; i < m->n_uops; i++) {
        if (m->uops[i].kind == ISA_K_CALL) {
            for (uint32_t f = 0; f < m->n_funcs; f++) {
                if (m->funcs[f].entry == m->uops[i].target) {
                    return m->funcs[f].name;
                }
            }
        }
    }
    return "";
}

#define CALLER                                                                         \
    ".extern .func (.param .b32 r) f(.param .b32 x);\n" ENTRY                          \
    "k() { .reg .b32 %r; .param .b32 a; .param .b32 b;\n"                              \
    "mov.u32 %r, 1; st.param.b32 [a], %r; call (b), f, (a); ld.param.b32 %r, [b]; }"
#define CALLED(how, word)                                                              \
    how " .func (.param .b32 r) f(.param .b32 x) { .reg .b32 %r;\n"                    \
        "ld.param.b32 %r, [x]; " word " st.param.b32 [r], %r; ret; }\n"

static void functions(void **state)
{
    struct ptx_module *m = joined(CALLER, CALLED(".visible", ""), NULL);

    (void)state;
    assert_int_equal(m->n_kernels, 1);
    assert_string_equal(call_of(m), "f");
    ptx_free(m);
    m = joined(CALLED(".weak", "add.u32 %r, %r, 1;"), CALLER, CALLED(".visible", ""));
    assert_string_equal(call_of(m), "f");
    for (uint32_t i = 0; i < m->n_uops; i++) { /* that of c.ptx, which adds nothing */
        assert_int_not_equal(m->uops[i].form.op, ISA_OP_ADD);
    }
    ptx_free(m);
    /* An alias of what another text defines. */
    m = joined(".extern .func (.param .b32 r) f(.param .b32 x);\n"
               ".func (.param .b32 r) g(.param .b32 x);\n.alias g, f;\n" ENTRY
               "k() { .reg .b32 %r; .param .b32 a; .param .b32 b;\n"
               "mov.u32 %r, 1; st.param.b32 [a], %r; call (b), g, (a); }",
               CALLED(".visible", ""), NULL);
    assert_string_equal(call_of(m), "f");
    ptx_free(m);
}

static void kernels(void **state)
{
    struct ptx_module *const m =
        joined(".weak .entry k() { ret; }\n", ".weak .entry k() { ret; }\n",
               ENTRY "l(.param .u32 x) { ret; }\n");

    (void)state;
    assert_int_equal(m->n_kernels, 2);
    assert_string_equal(m->kernels[1].name, "l");
    ptx_free(m);
}

/* ---- places ---- */

static void lines_and_files(void **state)
{
    struct ptx_module *const m =
        joined(".file 1 \"a.cu\"\n" ENTRY "k() {\n.loc 1 5 0\nexit; }",
               "// b\n" ENTRY "l() {\n.loc 1 6 0\nexit; }\n.file 1 \"b.cu\"\n", NULL);
    uint32_t own;

    (void)state;
    assert_string_equal(ptx_text_at(m, m->uops[m->kernels[0].entry].line, &own),
                        "a.ptx");
    assert_int_equal(own, 7);
    assert_string_equal(ptx_text_at(m, m->uops[m->kernels[1].entry].line, &own),
                        "b.ptx");
    assert_int_equal(own, 7);
    assert_string_equal(m->files[m->uops[m->kernels[0].entry].src_file], "a.cu");
    assert_string_equal(m->files[m->uops[m->kernels[1].entry].src_file], "b.cu");
    ptx_free(m);
}

static void mistakes(void **state)
{
    (void)state;
    refused(".visible .global .u32 v;", "\n.visible .global .u32 v;", "b.ptx", 5,
            "'v' is defined twice, first in line 4 of a.ptx");
    refused("\n" CALLED(".visible", ""), CALLED(".visible", ""), "b.ptx", 4,
            "'f' is defined twice, first in line 5 of a.ptx");
    refused(ENTRY "k() { ret; }", ENTRY "k() { ret; }", "b.ptx", 4,
            "'k' is defined twice, first in line 4 of a.ptx");
    refused(".extern .global .u32 v;", ".visible .const .u32 v = 1;", "b.ptx", 4,
            "'v' is in another space than in line 4 of a.ptx");
    refused(".extern .global .u64 v;", ".visible .global .u32 v;", "b.ptx", 4,
            "'v' has another size than in line 4 of a.ptx");
    refused(CALLER, ".visible .func f() { ret; }", "b.ptx", 4,
            "'f' has other parameters than in line 4 of a.ptx");
    refused(CALLER, ".visible .global .u32 f;", "b.ptx", 4,
            "'f' is something else than in line 4 of a.ptx");
    refused("", "\n.extern .global .u32 v;", "b.ptx", 5,
            "'v' is extern and defined in none of the texts linked");
    refused(".global .u32 v;", "\n.extern .global .u32 v;", "b.ptx", 5,
            "'v' is extern and defined in none of the texts linked");
    refused("", "\n\n.nonsense", "b.ptx", 6, "unknown directive '.nonsense'");
}

static void address_sizes(void **state)
{
    const struct ptx_text t[] = {{HEAD, sizeof(HEAD) - 1, "a.ptx"},
                                 {".version 3.2\n.target sm_20\n", 27, "b.ptx"}};
    struct smw_err e;

    (void)state;
    err_clear(&e);
    assert_null(ptx_parse_linked(t, 2, PTX_HEAP, &e));
    assert_string_equal(e.message, "addresses of 32 bits, but of 64 in a.ptx");
    assert_string_equal(e.file, "b.ptx");
}

/* A function that nobody defines is in the way of its callers only. */
static void missing_function(void **state)
{
    struct smw_err e;
    struct ptx_module *const m = join(ENTRY "l() { ret; }", CALLER, NULL, &e);
    const struct ptx_kernel *k;

    (void)state;
    assert_non_null(m);
    k = ptx_find_kernel(m, "l", &e);
    assert_true(ptx_can_run(m, k, &e));
    k = ptx_find_kernel(m, "k", &e);
    assert_false(ptx_can_run(m, k, &e));
    assert_string_equal(e.message,
                        "'f' is called but not defined in any of the texts linked");
    assert_string_equal(e.file, "b.ptx");
    assert_int_equal(e.line, 6);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(externs_find_definitions),
        cmocka_unit_test(own_names_may_coincide),
        cmocka_unit_test(strong_before_weak_before_common),
        cmocka_unit_test(largest_common),
        cmocka_unit_test(relocs_follow),
        cmocka_unit_test(shared_memory),
        cmocka_unit_test(functions),
        cmocka_unit_test(kernels),
        cmocka_unit_test(lines_and_files),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(address_sizes),
        cmocka_unit_test(missing_function),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
