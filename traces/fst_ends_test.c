/* How an FST ends: early, on a full disk, with its process killed. */
#define _POSIX_C_SOURCE 200809L /* rlimit */

#include "fst_testlib.h"

#include "part.h"
#include "wave_priv.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static void closed_early(void **state)
{
    struct tiny_paths p;
    struct wave_config c = fst_config(&p, "early");
    struct smw_err e = {0};
    struct wave *w;
    struct tiny t;
    char *text;
    FILE *f;

    (void)state;
    c.scope = "*.degree";
    tiny_init(&t, 0);
    tiny_script(&t);
    w = tiny_open(&t, &c);
    assert_int_equal(sim_run(t.sim, 4000, 0), SIM_REACHED);
    wave_abort(w);
    assert_true(wave_close(w, "complete", &e)); /* it was closed */
    text = read_fst(c.path);
    assert_non_null(strstr(text, "\ncomment status aborted\n"));
    assert_non_null(strstr(text, "\n#3928 1 0\nfrom 0 to 4000\n"));
    free(text);
    f = fopen(c.path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    assert_int_equal(wave_bytes(w), ftell(f));
    (void)fclose(f);
    f = fopen("early.fst.hier", "rb"); /* the writer's own */
    assert_null(f);
    tiny_remove(&c);
    tiny_free(&t);
}

static void refused(const char *path, const char *message)
{
    struct tiny_paths p;
    struct wave_config c = fst_config(&p, "refused");
    struct smw_err e = {0};
    struct tiny t;

    c.path = path;
    c.gtkw_path = NULL;
    c.events_path = NULL;
    tiny_init(&t, 0);
    assert_null(wave_open(t.sim, &t.gpu, NULL, &c, &e));
    assert_int_equal(e.kind, SMW_ERR_IO);
    assert_string_equal(e.message, message);
    tiny_free(&t);
}

static void cannot_create(void **state)
{
    (void)state;
    refused("nowhere/x.fst", "nowhere/x.fst: No such file or directory");
    refused(".", ".: Is a directory");
}

/* A small disk, from here on. */
static struct rlimit shrink(rlim_t bytes)
{
    struct rlimit old, small;

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = bytes;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    return old;
}

/* Too small for the writer's temporary files: refused, not killed. */
static void no_room(void **state)
{
    struct rlimit old = shrink(1000);

    (void)state;
    refused("room.fst", "room.fst: File too large");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    (void)remove("room.fst");
}

static void disk_fills(void **state)
{
    enum { LIMIT = 150000 };
    static struct tiny_step steps[60000];
    struct tiny_paths p;
    struct wave_config c = fst_config(&p, "fills");
    struct rlimit old;
    struct smw_err e = {0};
    struct wave *w;
    struct tiny t;
    char *text;
    bool ok;

    (void)state;
    c.gtkw_path = NULL;
    c.events_path = NULL;
    for (uint32_t i = 0; i < ARRAY_LEN(steps); i++) {
        steps[i] = (struct tiny_step){1 + i, TINY_LANES, i * 2654435769u};
    }
    tiny_init(&t, 0);
    tiny_play(&t, &t.sm, steps, ARRAY_LEN(steps));
    old = shrink(LIMIT);
    w = tiny_open(&t, &c);
    assert_int_equal(sim_run(t.sim, SIM_TIME_MAX, 0), SIM_IDLE);
    ok = wave_close(w, "complete", &e);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_false(ok);
    assert_int_equal(e.kind, SMW_ERR_IO);
    assert_string_equal(e.message, "fills.fst: it is not whole: the disk may be full; "
                                   "what there is opens with its .hier file beside it");
    text = read_fst(c.path);
    assert_non_null(strstr(text, "\n#714285 "));
    free(text);
    (void)remove("fills.fst.hier");
    tiny_remove(&c);
    tiny_free(&t);
}

static bool is_there(const char *path)
{
    FILE *f = fopen(path, "rb");

    if (f != NULL) {
        (void)fclose(f);
    }
    return f != NULL;
}

/* While it is written readers have something they can open, or nothing; of what an
 * earlier run left, nothing. */
static void named_when_it_opens(void **state)
{
    static struct tiny_step steps[3000];
    struct tiny_paths p;
    struct wave_config c = fst_config(&p, "named");
    struct wave *w;
    struct tiny t;
    char *text;

    (void)state;
    c.gtkw_path = NULL;
    c.events_path = NULL;
    c.scope = "*.lane_mask";
    for (uint32_t i = 0; i < ARRAY_LEN(steps); i++) {
        steps[i] = (struct tiny_step){1 + i, TINY_LANES, i + 1};
    }
    tiny_run(&c, 0);
    tiny_init(&t, 0);
    tiny_play(&t, &t.sm, steps, ARRAY_LEN(steps));
    w = tiny_open(&t, &c);
    assert_false(is_there("named.fst"));
    assert_true(is_there("named.fst" PART_ENDING));
    assert_int_equal(sim_run(t.sim, 100000, 0), SIM_REACHED); /* 140 cycles */
    assert_false(is_there("named.fst"));
    assert_int_equal(sim_run(t.sim, 1000000, 0), SIM_REACHED);
    assert_false(is_there("named.fst" PART_ENDING));
    text = read_fst("named.fst"); /* clk twice, cycle, lane_mask: 4 per cycle */
    assert_non_null(strstr(text, "comment tiny: one kernel\n"));
    assert_non_null(strstr(text, "\n#178571 3 11111010\n")); /* in cycle 250 */
    free(text);
    tiny_finish(&t, w);
    tiny_free(&t);
    assert_false(is_there("named.fst.hier"));
    text = read_fst("named.fst");
    assert_non_null(strstr(text, "comment status complete\n"));
    free(text);
    tiny_remove(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_room),
        cmocka_unit_test(closed_early),
        cmocka_unit_test(disk_fills),
        cmocka_unit_test(cannot_create),
        cmocka_unit_test(named_when_it_opens),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
