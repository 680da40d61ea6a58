/* The key repeat, and what stands in its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "run/launch_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                           \
    "module: m.ptx\nbuffers:\n  d: {type: s32, count: 64}\n  e: {type: f16, count: "   \
    "4}\n"                                                                             \
    "launches:\n"

static bool parse(struct launch_file *l, const char *launches, struct smw_err *e)
{
    char text[2048];

    snprintf(text, sizeof(text), HEAD "%s", launches);
    return launch_parse(l, "t.yml", text, strlen(text), e);
}

/* "kernel grid(args)" of all, with blanks between. */
static void runs(const char *launches, const char *expected)
{
    struct launch_file l;
    struct smw_err e = {0};
    char text[2048] = "";
    size_t n = 0;

    if (!parse(&l, launches, &e)) {
        fail_msg("%u:%u: %s", e.line, e.column, e.message);
    }
    for (uint32_t i = 0; i < l.n_runs; i++) {
        const struct launch_run *const r = &l.runs[i];

        n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s %u(", i == 0 ? "" : " ",
                              r->kernel->text, r->launch.grid[0]);
        for (const struct yaml_node *a = r->args->first; a != NULL; a = a->next) {
            n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s",
                                  a == r->args->first ? "" : ",",
                                  a->kind == YAML_MAP ? a->first->text : a->text);
        }
        n += (size_t)snprintf(text + n, sizeof(text) - n, ")");
    }
    assert_string_equal(text, expected);
    launch_free(&l);
}

static void refused(const char *launches, uint32_t line, const char *message)
{
    struct launch_file l;
    struct smw_err e = {0};

    assert_false(parse(&l, launches, &e));
    assert_string_equal(e.message, message);
    assert_int_equal(e.line, line);
}

#define RUN(k, args) "{kernel: " k ", grid: [1], block: [1], args: " args "}\n"

static void test_rounds(void **state)
{
    (void)state;
    runs("- repeat: {times: 3, var: i}\n  launches:\n  - " RUN(
             "k", "[d, i * 4 + 1]") "  - " RUN("i",
                                               "[{f32: i / 2}, 7]") "- " RUN("last",
                                                                             "[d]"),
         "k 1(d,1) i 1(0,7) k 1(d,5) i 1(0.5,7) k 1(d,9) i 1(1,7) last 1(d)");
    runs("- " RUN("first", "[d]") "- repeat: {times: 2}\n  launches:\n  - " RUN("k",
                                                                                "[]"),
         "first 1(d) k 1() k 1()");
    runs("- repeat: {times: 2, var: a}\n  launches:\n"
         "  - repeat: {times: 2, var: b}\n    launches:\n"
         "    - {kernel: k, grid: [2 ** a], block: [1], args: [b, a * 10 + b, e]}\n"
         "  - " RUN("m", "[a]"),
         "k 1(0,0,e) k 1(1,1,e) m 1(0) k 2(0,10,e) k 2(1,11,e) m 1(1)");
    runs("- " RUN("k", "[zero, {raw: 00ff}, {bf16: 1.5}]"), "k 1(zero,00ff,1.5)");
}

static void test_refusals(void **state)
{
    (void)state;
    refused("- repeat: {times: 2, var: d}\n  launches: []\n", 6,
            "var: 'd' is the name of a buffer");
    refused("- repeat: {times: 2, var: a}\n  launches:\n"
            "  - repeat: {times: 2, var: a}\n    launches: []\n",
            8, "var: 'a' is the name of a variable around it");
    refused("- repeat: {times: 0}\n  launches: []\n", 6,
            "times: 0 is out of range, it may be 1 to 100000");
    refused("- repeat: {times: 2, var: i}\n  launches:\n  - " RUN("k", "[i + x]"), 8,
            "'i + x' has no value in round 0: it may use only the variables of repeat");
    refused("- repeat: {times: 2, war: i}\n  launches: []\n", 6,
            "unknown key 'war' in repeat");
    refused("- repeat: {times: 2}\n", 6, "repeated launches has no 'launches'");
    refused("- repeat: {times: 2}\n  launches: []\n", 6, "launches is empty");
    refused("- repeat: {times: 1000, var: a}\n  launches:\n"
            "  - repeat: {times: 1000, var: b}\n    launches:\n"
            "    - repeat: {times: 1}\n      launches: []\n",
            8, "repeats have more than 100000 rounds");
    refused("- repeat: {times: 400, var: a}\n  launches:\n"
            "  - repeat: {times: 100, var: b}\n    launches:\n    - " RUN(
                "k", "[]") "    - " RUN("k", "[]") "    - " RUN("k", "[]"),
            11, "repeats make more than 100000 launches");
    refused("- " RUN("k", "[{raw: 0ff}]"), 6,
            "raw: '0ff' is not bytes of two hexadecimal digits");
    refused("- " RUN("k", "[[zero]]"), 6, "there is no buffer 'zero'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
