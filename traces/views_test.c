/* Views beside the overview, markers where they crowd, choices of the log. */
#include "wave_testlib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Conflicts below a degree are not logged; waits for memory are when asked for, and a
 * fault always. The markers know all. */
static void log_choices(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "choices");
    struct smw_err e = {0};
    struct wave *w;
    struct tiny t;
    char *text;

    (void)state;
    c.log_degree = 5; /* the conflict has 4 */
    c.log_wait = 3;   /* warp 1 waits in the cycles 3, 4 and 5 */
    tiny_init(&t, 0);
    tiny_script(&t);
    w = tiny_open(&t, &c);
    assert_int_equal(sim_run(t.sim, SIM_TIME_MAX, 0), SIM_IDLE);
    wave_fault(w, SMW_ERR_KERNEL, "it broke");
    assert_true(wave_close(w, "fault", &e));
    text = tiny_slurp(c.events_path);
    assert_null(strstr(text, "conflict"));
    assert_non_null(strstr(text, "4285 cycle 6 gpu.sm0.warp01.memory_wait cycles=3 "
                                 "since=2142\n"));
    assert_non_null(strstr(text, "\n7142 cycle 10 gpu.fault it broke\n"));
    free(text);
    text = tiny_slurp(c.gtkw_path);
    assert_non_null(strstr(text, "first conflict, worst conflict\n"));
    assert_non_null(strstr(text, "first fault, kernel end, end "));
    free(text);
    tiny_remove(&c);
    tiny_free(&t);
}

/* A wait one cycle shorter is left out. */
static void log_short_waits(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "short");
    struct tiny t;
    char *text;

    (void)state;
    c.log_wait = 4;
    tiny_init(&t, 0);
    tiny_script(&t);
    tiny_finish(&t, tiny_open(&t, &c));
    tiny_free(&t);
    text = tiny_slurp(c.events_path);
    assert_null(strstr(text, "memory_wait"));
    assert_non_null(strstr(text, ".conflict degree=4"));
    free(text);
    tiny_remove(&c);
}

/* A run of the usual script and of 30 barriers from the cycle on: its save file. The
 * kernel starts at 1428 ps, and the first conflict is at 3571 ps. */
static char *crowd(uint32_t cycle)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "crowd");
    static struct tiny_step steps[30];
    struct tiny t;
    char *text;

    for (uint32_t i = 0; i < 30; i++) {
        steps[i] = (struct tiny_step){cycle + i, TINY_RELEASE, 0};
    }
    tiny_init(&t, 0);
    tiny_script(&t);
    tiny_play(&t, &t.sm, steps, 30);
    tiny_finish(&t, tiny_open(&t, &c));
    text = tiny_slurp(c.gtkw_path);
    tiny_remove(&c);
    tiny_free(&t);
    return text;
}

static int count(const char *text, const char *word)
{
    int n = 0;

    for (; (text = strstr(text, word)) != NULL; text++) {
        n++;
    }
    return n;
}

/* A caption that has no room is shortened; those of barriers, of which one has none for
 * more, are "b" and a number, and where there is none for that there is no marker. None
 * is another's. */
static void crowded_markers(void **state)
{
    char *text = crowd(60);

    (void)state;
    assert_non_null(strstr(text, "[markername] Astart\n[markername] B1st\n"));
    assert_null(strstr(text, "start, "));
    assert_null(strstr(text, "barrier 1\n"));
    assert_non_null(strstr(text, "[markername] Db2\n[markername] E  b3\n"));
    assert_non_null(strstr(text, "b4\n[markername] G  b6\n")); /* none of the 5th */
    assert_int_equal(count(text, "[markername] "), 17);
    assert_int_equal(count(strstr(text, "\n*"), " -1"), 26 - 17);
    assert_null(strstr(text, "] B.\n"));
    assert_non_null(strstr(text, "end, barrier 31"));
    free(text);
}

/* Where even the short captions would lie over one another, one stands aside. */
static void crowded_short_markers(void **state)
{
    char *text = crowd(160);

    (void)state;
    assert_non_null(strstr(text, "] A  start\n[markername] B                   1st\n"));
    free(text);
}

/* The band of the conflicts is folded where the crossbar did nothing. */
static void idle_band(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "idle");
    struct tiny t;

    (void)state;
    for (int busy = 0; busy < 2; busy++) {
        char *text;

        tiny_init(&t, 0);
        if (busy != 0) {
            tiny_script(&t);
        }
        tiny_finish(&t, tiny_open(&t, &c));
        text = tiny_slurp(c.gtkw_path);
        assert_int_equal(strstr(text, "@800200\n-conflicts\n") != NULL, busy);
        assert_int_equal(strstr(text, "@c00200\n-conflicts\n") == NULL, busy);
        free(text);
        tiny_remove(&c);
        tiny_free(&t);
    }
}

/* Where shared memory was not used the view of the banks says so, and around what was
 * asked for is folded what did nothing. */
static void idle_around(void **state)
{
    static const struct view views[] = {{VIEW_BANKS, 0}, {VIEW_WARP, 2}};
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "idle");
    struct tiny t;

    (void)state;
    c.views = views;
    c.n_views = 2;
    for (int busy = 0; busy < 2; busy++) {
        char *text;

        tiny_init(&t, 0);
        if (busy != 0) {
            tiny_script(&t);
        }
        tiny_finish(&t, tiny_open(&t, &c));
        text = tiny_slurp("idle.banks.gtkw");
        assert_int_equal(strstr(text, "\n-shared memory: never used\n") == NULL, busy);
        assert_non_null(strstr(text, "@800022\n[color] 3\n#{banks busy[3:0]} "));
        free(text);
        text = tiny_slurp("idle.warp2.gtkw");
        assert_non_null(strstr(text, "@800200\n-sm0\n"));
        assert_int_equal(strstr(text, "@800200\n-sched0\n") != NULL, busy);
        assert_int_equal(strstr(text, "@c00200\n-sched0\n") == NULL, busy);
        assert_non_null(strstr(text, "@802028\n^1 state_warp.txt\n+{warp02} "));
        free(text);
        tiny_remove(&c);
        assert_int_equal(remove("idle.banks.gtkw"), 0);
        assert_int_equal(remove("idle.banks.sucl"), 0);
        assert_int_equal(remove("idle.warp2.gtkw"), 0);
        assert_int_equal(remove("idle.warp2.sucl"), 0);
        tiny_free(&t);
    }
}

/* The view of the memory begins with the way of a request, where it is traced. */
static void way_of_a_request(void **state)
{
    static const struct view views[] = {{VIEW_MEMORY, 0}};
    static const char *const scopes[] = {NULL, "gpu.sm0.*"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(scopes); i++) {
        struct tiny_paths paths;
        struct wave_config c = tiny_config(&paths, "way");
        const char *way, *part;
        struct tiny t;
        char *text;

        c.views = views;
        c.n_views = 1;
        c.scope = scopes[i];
        tiny_init(&t, 0);
        tiny_script(&t);
        tiny_finish(&t, tiny_open(&t, &c));
        text = tiny_slurp("way.memory.gtkw");
        way = strstr(text, "-way of a request\n");
        part = strstr(text, "\n-part0\n");
        assert_int_equal(way != NULL, scopes[i] == NULL);
        assert_true(way == NULL || (part != NULL && way < part));
        assert_true(way == NULL ||
                    strstr(way, "+{part0 l2 hit} gpu.part0.l2.hit\n") < part);
        free(text);
        tiny_remove(&c);
        assert_int_equal(remove("way.memory.gtkw"), 0);
        assert_int_equal(remove("way.memory.sucl"), 0);
        tiny_free(&t);
    }
}

/* Views beside the overview, of what is traced. */
static void views_beside(void **state)
{
    static const struct view views[] = {{VIEW_BANKS, 0}, {VIEW_WARP, 2}};
    static const struct view missing[] = {{VIEW_BANK, 4}};
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "views");
    struct smw_err e = {0};
    struct wave *w;
    struct tiny t;
    char *text;

    (void)state;
    c.views = views;
    c.n_views = 2;
    tiny_init(&t, 0);
    tiny_script(&t);
    w = tiny_open(&t, &c);
    assert_true(wave_check_views(w, &e));
    wave_totals(w, "nine cycles\none conflict");
    tiny_finish(&t, w);
    text = tiny_slurp("views.banks.gtkw");
    assert_non_null(strstr(text, "[dumpfile] \"views.vcd\"\n"
                                 "[savefile] \"views.banks.gtkw\"\n"));
    assert_non_null(strstr(text, "\n@200\n-nine cycles\n-one conflict\n@1401200\n-"));
    assert_non_null(strstr(text, "+{sched0 inst} gpu.sm0.sched0.inst\n"));
    assert_non_null(strstr(text, "\n@800022\n[color] 3\n#{banks busy[3:0]} "));
    assert_null(strstr(text, "warp"));
    free(text);
    text = tiny_slurp("views.warp2.gtkw");
    assert_non_null(strstr(text, "\n@802028\n^1 state_warp.txt\n+{warp02} "));
    assert_null(strstr(text, "warp01"));
    free(text);
    text = tiny_slurp("views.banks.sucl"); /* the same for Surfer */
    assert_non_null(strstr(text, "variable_add gpu.sm0.sched0.inst\n"));
    assert_non_null(strstr(text, "item_rename sched0 inst\n"));
    assert_null(strstr(text, "warp"));
    free(text);
    text = tiny_slurp("views.warp2.sucl");
    assert_non_null(strstr(text, "item_set_format smwave state_warp\n"));
    assert_null(strstr(text, "warp01"));
    free(text);
    text = tiny_slurp(".surfer/mappings/state_warp.map");
    assert_non_null(strstr(text, "Name = smwave state_warp\nBits = "));
    assert_non_null(strstr(text, "[#404040] idle\n"));
    assert_non_null(strstr(text, "[undef] not traced\n"));
    free(text);
    tiny_remove(&c);
    assert_int_equal(remove("views.banks.sucl"), 0);
    assert_int_equal(remove("views.warp2.sucl"), 0);
    assert_int_equal(remove("views.banks.gtkw"), 0);
    assert_int_equal(remove("views.warp2.gtkw"), 0);
    tiny_free(&t);

    c.views = missing;
    c.n_views = 1;
    tiny_init(&t, 0);
    tiny_script(&t);
    w = tiny_open(&t, &c);
    assert_false(wave_check_views(w, &e));
    assert_int_equal(e.kind, SMW_ERR_USAGE);
    assert_non_null(strstr(e.message, "0 to 3"));
    tiny_finish(&t, w);
    tiny_remove(&c);
    (void)remove("views.bank4.gtkw");
    (void)remove("views.bank4.sucl");
    tiny_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_choices),      cmocka_unit_test(log_short_waits),
        cmocka_unit_test(crowded_markers),  cmocka_unit_test(crowded_short_markers),
        cmocka_unit_test(way_of_a_request), cmocka_unit_test(idle_band),
        cmocka_unit_test(idle_around),      cmocka_unit_test(views_beside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
