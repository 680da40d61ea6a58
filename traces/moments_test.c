/* States shown as another word for a cycle; the table of instructions; letters. */
#include "wave_testlib.h"

#include "wave_priv.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *play(const struct tiny_step *step, uint32_t n, const char *scope,
                  uint64_t start)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "moments");
    struct tiny t;
    char *text;

    c.scope = scope;
    c.point[WAVE_START] = wave_cycle(start);
    c.gtkw_path = NULL;
    c.events_path = NULL;
    tiny_init(&t, 0);
    tiny_play(&t, &t.sm, step, n);
    tiny_finish(&t, tiny_open(&t, &c));
    tiny_free(&t);
    text = tiny_slurp(c.path);
    tiny_remove(&c);
    return text;
}

/* What the dump says of the variable $ (warp00.state; # is pc), "TIME VALUE" each. */
static void expect_states(char *dump, const char *want)
{
    char got[512] = "";
    const char *time = "";

    for (char *line = strtok(strstr(dump, "$enddefinitions"), "\n"); line != NULL;
         line = strtok(NULL, "\n")) {
        size_t n = strlen(line);

        if (line[0] == '#') {
            time = line;
        } else if (line[0] == 'b' && n > 2 && strcmp(line + n - 2, " #") == 0) {
            size_t used = strlen(got);

            snprintf(got + used, sizeof(got) - used, "%s %.*s\n", time, (int)n - 3,
                     line + 1);
        }
    }
    assert_string_equal(got, want);
    free(dump);
}

/* Edges of 1400 MHz: 1428, 2142, 2857, 3571, 4285, 5000, 5714, 6428, 7142. */
static void for_a_cycle(void **state)
{
    static const struct tiny_step steps[] = {
        {2, TINY_ISSUES, 0}, {2, TINY_STATE, 2},  /* ends with no one else about */
        {5, TINY_ISSUES, 0},                      /* goes on */
        {6, TINY_STATE, 3},  {6, TINY_ISSUES, 0}, /* hidden by the next one */
        {7, TINY_STATE, 4},                       /* takes its place at once: no 3 */
        {8, TINY_ISSUES, 0},                      /* back to what was */
        {12, TINY_PC, 8}};

    (void)state;
    expect_states(play(steps, ARRAY_LEN(steps), "*.warp00.state", 0),
                  "#0 0\n"
                  "#1428 1\n#2142 10\n"
                  "#3571 1\n#5000 100\n"
                  "#5714 1\n#6428 100\n");
}

/* The run ends, or a window begins, within one. */
static void at_the_ends(void **state)
{
    static const struct tiny_step steps[] = {{2, TINY_ISSUES, 0},
                                             {3, TINY_STATE, 5},
                                             {4, TINY_ISSUES, 0},
                                             {4, TINY_STATE, 6}};

    (void)state;
    expect_states(play(steps, ARRAY_LEN(steps), "*.warp00.state", 0),
                  "#0 0\n#1428 1\n#2142 101\n#2857 1\n");
    expect_states(play(steps, ARRAY_LEN(steps), "*.warp00.state", 3),
                  "#2142 0\n#2142 101\n#2857 1\n");
}

/* A moment whose state is not traced is nobody's. */
static void of_no_one(void **state)
{
    static const struct tiny_step steps[] = {{2, TINY_ISSUES, 0}, {3, TINY_PC, 5}};

    (void)state;
    expect_states(play(steps, ARRAY_LEN(steps), "*.warp00.pc", 0), "#0 0\n#2142 101\n");
}

/* ---- files ---- */

static void tables(void **state)
{
    static const char *const code[] = {"ld.shared.u32 %r1, [%r2]  a.cu:3", NULL,
                                       "ret  a.cu:4"};
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "tables");
    struct tiny t;
    char *text;

    (void)state;
    c.code = code;
    c.n_code = ARRAY_LEN(code);
    tiny_init(&t, 0);
    tiny_script(&t);
    tiny_finish(&t, tiny_open(&t, &c));
    tiny_free(&t);
    text = tiny_slurp("tables.pcs.txt");
    assert_string_equal(text, "# pc: the instruction there, and its source line\n"
                              "00000000 ld.shared.u32 %r1, [%r2]  a.cu:3\n"
                              "00000002 ret  a.cu:4\n"
                              "xxxxxxxx not traced\n");
    free(text);
    text = tiny_slurp(c.gtkw_path);
    assert_non_null(
        strstr(text, "@2022\n[color] 5\n^1 tables.pcs.txt\n+{pc} gpu.sm0.warp01.pc"));
    free(text);
    text = tiny_slurp("stage_warp.txt");
    assert_non_null(strstr(text, "\n010 ?goldenrod4?X\n"));
    free(text);
    assert_null(fopen("stage_bank.txt", "rb")); /* whose words have no letters */
    tiny_remove(&c);
    remove("tables.pcs.txt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(for_a_cycle),
        cmocka_unit_test(at_the_ends),
        cmocka_unit_test(of_no_one),
        cmocka_unit_test(tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
