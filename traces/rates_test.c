/* Counts shown as what they grow by in a window, and the kernels' marks. */
#include "wave_testlib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The change of the count's variable at the time, if there is one: its bits, ""
 * else. */
static const char *shown_at(const char *vcd, const char *time, char bits[16])
{
    const char *at = strstr(vcd, " insts_per_64 ");
    const char *begin = at;
    char id[8];

    assert_non_null(at);
    while (begin[-1] != ' ') { /* "$var wire 10 % insts_per_64 [9:0] $end" */
        begin--;
    }
    snprintf(id, sizeof(id), " %.*s\n", (int)(at - begin), begin);
    bits[0] = '\0';
    at = strstr(tiny_body(vcd), time);
    if (at == NULL) {
        return bits;
    }
    for (at = strchr(at, '\n') + 1; *at != '\0' && *at != '#';
         at = strchr(at, '\n') + 1) {
        size_t n = strcspn(at, " \n");

        if (*at == 'b' && strncmp(at + n, id, strlen(id)) == 0) {
            snprintf(bits, 16, "%.*s", (int)(n - 1), at + 1);
        }
    }
    return bits;
}

static char *run(struct wave_config *c, const struct tiny_step *step, uint32_t n)
{
    struct tiny t;

    tiny_init(&t, 0);
    tiny_more(&t);
    tiny_script(&t);
    tiny_play(&t, &t.sm, step, n);
    tiny_finish(&t, tiny_open(&t, c));
    tiny_free(&t);
    return tiny_slurp(c->path);
}

/* Edges of 1400 MHz: cycle 64 is at 45714 ps, 128 at 91428, 192 at 137142, 200 at
 * 142857, 2000 at 1428571. */
static void windows(void **state)
{
    static const struct tiny_step steps[] = {
        {3, TINY_COUNT, 1},    {5, TINY_COUNT, 4},    {63, TINY_COUNT, 5},
        {64, TINY_COUNT, 7},   {200, TINY_COUNT, 10}, {2000, TINY_COUNT, 30},
        {2001, TINY_COUNT, 31}};
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "windows");
    char bits[16], *vcd = run(&c, steps, ARRAY_LEN(steps));

    (void)state;
    assert_string_equal(shown_at(vcd, "#0\n", bits), "0");
    assert_string_equal(shown_at(vcd, "#2142\n", bits), "");
    assert_string_equal(shown_at(vcd, "#45714\n", bits), "101"); /* 64 is the next's */
    assert_string_equal(shown_at(vcd, "#91428\n", bits), "10");
    assert_string_equal(shown_at(vcd, "#137142\n", bits), "0");
    assert_string_equal(shown_at(vcd, "#142857\n", bits), "");
    assert_string_equal(shown_at(vcd, "#182857\n", bits), "11");
    assert_string_equal(shown_at(vcd, "#228571\n", bits), "0");
    assert_string_equal(shown_at(vcd, "#1429285\n", bits), "10101"); /* so far */
    free(vcd);
    vcd = tiny_slurp(c.gtkw_path);
    /* Drawn over its window: of 64 cycles, as the start of the kernel tells them. */
    assert_non_null(strstr(vcd, "[fpshift_count] 6\n>-45696\n"
                                "+{IPC of 64 cycles} gpu.sm0.insts_per_64[9:0]\n>0\n"
                                "@20000\n"));
    free(vcd);
    tiny_remove(&c);
}

/* What was counted before the trace began is not in its first window. */
static void late_start(void **state)
{
    static const struct tiny_step steps[] = {{3, TINY_COUNT, 100},
                                             {10, TINY_COUNT, 101},
                                             {64, TINY_COUNT, 102}};
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "late");
    char bits[16], *vcd;

    (void)state;
    tiny_window(&c, 8, 0);
    vcd = run(&c, steps, ARRAY_LEN(steps));
    assert_string_equal(shown_at(vcd, "#5714\n", bits), "0");
    assert_string_equal(shown_at(vcd, "#45714\n", bits), "1");
    free(vcd);
    tiny_remove(&c);
}

/* Each kernel's start has a mark with its name, whatever is traced. */
static void kernels(void **state)
{
    static const struct tiny_step steps[] = {{2, TINY_KERNEL, 1},
                                             {500, TINY_KERNEL_START, 0},
                                             {500, TINY_KERNEL, 2},
                                             {900, TINY_KERNEL_END, 0}};
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "kernels");
    char *text;

    (void)state;
    c.scope = "gpu.sm0.*";
    free(run(&c, steps, ARRAY_LEN(steps)));
    text = tiny_slurp(c.gtkw_path);
    assert_non_null(strstr(text, " 3571 1428 3571 357142 642857 -1 "));
    assert_non_null(strstr(
        text,
        "] A           start first\n[markername] B                         1st\n"));
    assert_non_null(strstr(text, "] Cstart second\n"));
    free(text);
    text = tiny_slurp(c.events_path);
    assert_non_null(strstr(text, "kernel_start blocks_left=1 kernel=\"first\"\n"));
    free(text);
    tiny_remove(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows),
        cmocka_unit_test(late_start),
        cmocka_unit_test(kernels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
