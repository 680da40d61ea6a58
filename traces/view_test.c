/*
 * A real GTKWave on what the trace client wrote: every row is there, states are words,
 * the clocks count, the window is where it should be. A missing gtkwave or xvfb-run is
 * a failure. TOOLS is the folder of check_gtkwave.sh.
 */
#include "wave_testlib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check(const char *gtkw, const char *values)
{
    char command[1024];

    snprintf(command, sizeof(command), "sh '%s/check_gtkwave.sh' %s %s", TOOLS, gtkw,
             values);
    return system(command);
}

static void write_run(struct tiny_paths *p, const char *name, uint64_t start,
                      uint64_t stop)
{
    struct wave_config c = tiny_config(p, name);
    struct tiny t;

    tiny_window(&c, start, stop);
    tiny_init(&t, 0);
    tiny_script(&t);
    tiny_finish(&t, tiny_open(&t, &c));
    tiny_free(&t);
}

static void clean(const char *name)
{
    struct tiny_paths p;
    struct wave_config c = tiny_config(&p, name);

    tiny_remove(&c);
}

static void values_are_shown(void **state)
{
    struct tiny_paths p;

    (void)state;
    write_run(&p, "view", 0, 0);
    assert_int_equal(check(p.gtkw, "3570 sm0/warps/warp01 global "
                                   "6427 sm0/warps/warp01 ready "
                                   "6428 sm0/warps/warp01 idle "
                                   "2142 sm0/sched0/inst 'ld.shared.u32 %r1, [%r2+4]' "
                                   "2142 sm0/sched0/warp 1 "
                                   "3571 'sm0/smem/banks busy[3:0]' 9 "
                                   "4285 'sm0/smem/banks busy[3:0]' 1 "
                                   "3571 sm0/smem/xbar/lane_mask FFFFFFFF "
                                   "3571 sm0/smem/xbar/degree 4 "
                                   "3570 cycle 4 3571 cycle 5 3571 clk 1 3570 clk 0 "
                                   "4328 part0/dram/queue 0 4329 part0/dram/queue 3 "
                                   "4329 part0/dram/cycle 4 4285 part0/cycle 3"),
                     0);
    /* the same check does see a value that is wrong */
    assert_int_not_equal(check(p.gtkw, "3570 sm0/warps/warp01 idle 2>/dev/null"), 0);
    clean("view");
}

static void window_is_shown(void **state)
{
    struct tiny_paths p;

    (void)state;
    write_run(&p, "window", 5, 8);
    assert_int_equal(check(p.gtkw, "3571 cycle 5 5713 cycle 7 "
                                   "5713 sm0/warps/warp01 barrier "
                                   "5720 sm0/warps/warp01 'not traced'"),
                     0);
    clean("window");
}

/* A name that does not resolve is dropped by GTKWave without a word; the check sees it.
 */
static void wrong_names_are_seen(void **state)
{
    struct tiny_paths p;
    char *text, *at;
    FILE *f;

    (void)state;
    write_run(&p, "wrong", 0, 0);
    text = tiny_slurp(p.gtkw);
    at = strstr(text, "gpu.sm0.sched0.warp[5:0]");
    assert_non_null(at);
    memmove(at + 19, at + 24, strlen(at + 24) + 1); /* without its range */
    f = fopen(p.gtkw, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    free(text);
    assert_int_not_equal(check(p.gtkw, "2>/dev/null"), 0);
    clean("wrong");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_shown),
        cmocka_unit_test(window_is_shown),
        cmocka_unit_test(wrong_names_are_seen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
