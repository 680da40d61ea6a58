/* The writer: a thread or none, files have the same bytes; and what becomes of a wave
 * whose thread is refused or stopped, has no memory, or has no readers. */
#define _POSIX_C_SOURCE 200809L /* pipe(), strdup() */

#include "wave_testlib.h"

#include "base/nomem.h"
#include "dump.h"
#include "wave_priv.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CYCLES = 20000,
    STEPS_PER_CYCLE = 8,
    KINDS = 6, /* of what a step sets */
};

/* ---- what the writer calls ---- */

static uint32_t n_threads; /* started */
static uint32_t n_joined;
static bool refuses;       /* the next one */
static bool has_no_memory; /* in another thread than this one */
static pthread_t simulates;

int __real_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *),
                          void *arg);
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *),
                          void *arg);
int __real_pthread_join(pthread_t t, void **value);
int __wrap_pthread_join(pthread_t t, void **value);
void __real_wave_replay(struct wave *w, const struct wave_record *record, uint32_t from,
                        uint32_t n);
void __wrap_wave_replay(struct wave *w, const struct wave_record *record, uint32_t from,
                        uint32_t n);

int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *),
                          void *arg)
{
    if (refuses) {
        return EAGAIN;
    }
    n_threads++;
    return __real_pthread_create(t, a, fn, arg);
}

int __wrap_pthread_join(pthread_t t, void **value)
{
    n_joined++;
    return __real_pthread_join(t, value);
}

void __wrap_wave_replay(struct wave *w, const struct wave_record *record, uint32_t from,
                        uint32_t n)
{
    if (has_no_memory && !pthread_equal(pthread_self(), simulates)) {
        nomem();
    }
    __real_wave_replay(w, record, from, n);
}

/* ---- a long run ---- */

/* Steps of every kind of probe in every cycle, the same in every run. */
static struct tiny_step *long_script(uint32_t *n)
{
    struct tiny_step *s = test_calloc(CYCLES * STEPS_PER_CYCLE, sizeof(*s));
    uint32_t seed = 1;

    *n = 0;
    for (uint32_t cycle = 1; cycle <= CYCLES; cycle++) {
        for (uint32_t k = 0; k < STEPS_PER_CYCLE; k++) {
            uint32_t r = seed = seed * 1664525u + 1013904223u;
            struct tiny_step *at = &s[(*n)++];

            at->cycle = cycle;
            switch ((r >> 28) % KINDS) {
            case 0:
                at->probe = TINY_INST;
                at->value = (r >> 8) % 4;
                break;
            case 1: at->probe = TINY_ISSUE; break;
            case 2:
                at->probe = TINY_STATE + (r >> 8) % TINY_WARPS;
                at->value = (r >> 10) % 8;
                break;
            case 3: at->probe = TINY_ISSUES + (r >> 8) % TINY_WARPS; break;
            case 4:
                at->probe = TINY_COUNT;
                at->value = (uint64_t)cycle * 3;
                break;
            default:
                at->probe = TINY_LANES;
                at->value = r;
                break;
            }
        }
    }
    return s;
}

struct long_run {
    struct tiny t;
    struct tiny_step *script;
    struct wave *w;
};

static void long_start(struct long_run *r, const struct wave_config *c)
{
    uint32_t n;

    r->script = long_script(&n);
    tiny_init(&r->t, 0);
    tiny_more(&r->t);
    tiny_play(&r->t, &r->t.sm, r->script, n);
    r->w = tiny_open(&r->t, c);
}

static void long_free(struct long_run *r)
{
    tiny_free(&r->t);
    test_free(r->script);
}

static void run(const struct wave_config *c)
{
    struct long_run r;

    long_start(&r, c);
    tiny_finish(&r.t, r.w);
    long_free(&r);
}

struct files {
    char *dump, *save, *log;
};

static struct files files_of(const struct wave_config *c)
{
    struct files f = {tiny_slurp(c->path), tiny_slurp(c->gtkw_path),
                      tiny_slurp(c->events_path)};

    tiny_remove(c);
    return f;
}

static void free_files(struct files f)
{
    free(f.dump);
    free(f.save);
    free(f.log);
}

/* A run with a writer, as run_later() does it, has the files of one without; the dump's
 * text, to be freed. */
static char *same_files(struct wave_config c,
                        void (*run_later)(const struct wave_config *c))
{
    struct files at_once, later;
    char *dump;

    c.second_thread = false;
    run(&c);
    at_once = files_of(&c);
    c.second_thread = true;
    run_later(&c);
    later = files_of(&c);
    assert_string_equal(later.dump, at_once.dump);
    assert_string_equal(later.save, at_once.save);
    assert_string_equal(later.log, at_once.log);
    dump = strdup(later.dump);
    free_files(at_once);
    free_files(later);
    return dump;
}

static char *same_both_ways(struct wave_config c)
{
    return same_files(c, run);
}

static void whole_run(void **state)
{
    struct tiny_paths paths;
    char *text;

    (void)state;
    n_threads = 0;
    text = same_both_ways(tiny_config(&paths, "whole"));
    assert_int_equal(n_threads, 1);
    assert_true(strlen(text) > 1000000);
    free(text);
}

/* The log of an event outside the scope, or alone in it, has the values beside it. */
static void selections(void **state)
{
    static const char *const scopes[] = {"gpu.sm0.sched0.issue", "gpu.dispatcher",
                                         "*.warp01.state"};
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "selections");

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(scopes); i++) {
        c.scope = scopes[i];
        free(same_both_ways(c));
    }
    c.scope = NULL;
    c.depth = 1;
    free(same_both_ways(c));
}

static void windows(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "windows");

    (void)state;
    tiny_window(&c, 700, 9000);
    free(same_both_ways(c));
    c.cycles = true;
    free(same_both_ways(c));
    tiny_window(&c, 0, 0);
    c.point[WAVE_START] = (struct wave_point){.at = WAVE_AT_EVENT, .event = "issue"};
    c.point[WAVE_STOP] = wave_cycle(CYCLES / 2);
    free(same_both_ways(c));
}

static void rings(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "rings");

    (void)state;
    c.ring = 100;
    c.after = CYCLES / 2; /* behind the ring, the writer has the rest */
    c.point[WAVE_ON] = wave_cycle(1000);
    free(same_both_ways(c));
    c.point[WAVE_ON] = (struct wave_point){.at = WAVE_AT_END};
    free(same_both_ways(c));
}

static void fst(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "whole");
    FILE *converted[2];

    (void)state;
    if (!dump_has_fst()) {
        skip();
    }
    c.path = "writer.fst";
    c.format = WAVE_FST;
    for (int i = 0; i < 2; i++) {
        c.second_thread = i == 1;
        run(&c);
        converted[i] = tmpfile();
        assert_non_null(converted[i]);
        assert_true(dump_fst_to_vcd(c.path, converted[i]));
        rewind(converted[i]);
        tiny_remove(&c);
    }
    for (int a = 0; a != EOF;) {
        a = getc(converted[0]);
        assert_int_equal(a, getc(converted[1]));
    }
    assert_true(ftell(converted[0]) > 1000000);
    assert_int_equal(fclose(converted[0]), 0);
    assert_int_equal(fclose(converted[1]), 0);
}

/* ---- what goes wrong ---- */

static void no_thread(void **state)
{
    struct tiny_paths paths;
    char *text;

    (void)state;
    n_threads = 0;
    refuses = true;
    text = same_both_ways(tiny_config(&paths, "refused"));
    refuses = false;
    assert_int_equal(n_threads, 0);
    free(text);
}

struct simulation {
    struct tiny *t;
    bool ended;
};

static void simulate(void *arg)
{
    struct simulation *s = arg;

    s->ended = sim_run(s->t->sim, SIM_TIME_MAX, 0) == SIM_IDLE;
}

static void no_memory(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "memory");
    struct smw_err e = {0};
    struct long_run r;
    struct simulation s = {.t = &r.t};

    (void)state;
    c.second_thread = true;
    long_start(&r, &c);
    simulates = pthread_self();
    has_no_memory = true;
    assert_false(nomem_try(simulate, &s));
    assert_false(s.ended);
    has_no_memory = false;
    assert_false(wave_close(r.w, NULL, &e));
    assert_int_equal(e.kind, SMW_ERR_NOMEM);
    assert_non_null(strstr(e.message, c.path));
    long_free(&r);
    tiny_remove(&c);
}

/* The readers of a stream go: that is known some time after. */
static void no_readers(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "readers");
    struct smw_err e = {0};
    struct long_run r;
    int ends[2];

    (void)state;
    (void)signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(ends), 0);
    c.stream = ends[1];
    c.second_thread = true;
    long_start(&r, &c);
    assert_int_equal(sim_run(r.t.sim, sim_edge(&r.t.sm, 10), 0), SIM_REACHED);
    assert_true(wave_flush(r.w));
    assert_int_equal(close(ends[0]), 0);
    assert_int_equal(sim_run(r.t.sim, SIM_TIME_MAX, 0), SIM_IDLE);
    (void)wave_flush(r.w);
    (void)wave_bytes(r.w); /* all is shown by now */
    assert_false(wave_flush(r.w));
    assert_false(wave_close(r.w, NULL, &e));
    assert_int_equal(e.kind, SMW_ERR_IO);
    assert_int_equal(close(ends[1]), 0);
    long_free(&r);
    tiny_remove(&c);
}

static void run_stopped(const struct wave_config *c)
{
    struct long_run r;

    long_start(&r, c);
    wave_stop_thread(r.w); /* there is none yet */
    assert_int_equal(sim_run(r.t.sim, sim_edge(&r.t.sm, CYCLES / 2), 0), SIM_REACHED);
    n_joined = 0;
    wave_stop_thread(r.w);
    assert_int_equal(n_joined, 1);
    wave_stop_thread(r.w);
    tiny_finish(&r.t, r.w);
    assert_int_equal(n_joined, 1);
    long_free(&r);
}

/* Without its thread a run goes on, and nothing is lost. */
static void stopped(void **state)
{
    struct tiny_paths paths;

    (void)state;
    n_threads = 0;
    free(same_files(tiny_config(&paths, "stopped"), run_stopped));
    assert_int_equal(n_threads, 1);
}

/* A run that a broken contract ends has all up to then. */
static void aborted(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "aborted");
    struct long_run r;
    struct files f;

    (void)state;
    c.second_thread = true;
    long_start(&r, &c);
    assert_int_equal(sim_run(r.t.sim, sim_edge(&r.t.sm, CYCLES - 1), 0), SIM_REACHED);
    wave_abort(r.w);
    long_free(&r);
    f = files_of(&c);
    assert_non_null(strstr(f.dump, "\nb100111000011110 \"\n")); /* cycle 19,998 */
    assert_non_null(strstr(f.dump, "$comment status aborted $end\n"));
    free_files(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_run), cmocka_unit_test(selections),
        cmocka_unit_test(windows),   cmocka_unit_test(rings),
        cmocka_unit_test(fst),       cmocka_unit_test(no_thread),
        cmocka_unit_test(no_memory), cmocka_unit_test(no_readers),
        cmocka_unit_test(stopped),   cmocka_unit_test(aborted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
