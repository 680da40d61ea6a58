/*
 * The writer: a thread that puts into dump and log what the wave hears, while the
 * simulation goes on.
 *
 * The simulation's thread keeps the changes of each instant as records (replay.c), in
 * chunks, with texts as they read then, for what they are made of may be another one
 * soon. The writer shows the chunks in order. There are CHUNKS of them: where all are
 * full, the simulation waits. The thread starts with the first chunk that is handed
 * over; where the system refuses it one, the simulation shows the chunk itself.
 *
 * Memory that runs out in the thread ends what the simulation does: when that hands
 * over the next chunk, or settles.
 */
#define _POSIX_C_SOURCE 200809L /* pthread_sigmask() */

#include "wave_priv.h"

#include "base/nomem.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum {
    CHUNKS = 8,
    RECORDS = 8192, /* in a chunk, or as many as an instant needs */
    TEXT_RECORDS = WAVE_TEXT_MAX / sizeof(struct wave_record)
};

struct chunk {
    struct wave_record *record; /* owned */
    uint32_t n, room;
    bool flush; /* behind it */
};

enum thread_state { THREAD_NONE, THREAD_RUNS, THREAD_REFUSED, THREAD_ENDED };

struct wave_writer {
    struct wave *wave;
    enum thread_state state;
    pthread_t thread;
    struct chunk chunk[CHUNKS]; /* a ring: behind those that are handed, which are the
                                   thread's, the one that is being filled */
    struct chunk *filling;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t handed, shown;
    uint32_t n_handed;
    bool end;       /* nothing will be handed any more */
    bool no_memory; /* in the thread */
    bool unread;    /* the dump's readers have gone */
    int refused;    /* dump_fst_error() of the thread, at its end */
};

static struct chunk *next(struct wave_writer *r, struct chunk *c)
{
    return c + 1 < r->chunk + CHUNKS ? c + 1 : r->chunk;
}

/* ---- the thread ---- */

struct job {
    struct wave *wave;
    const struct chunk *chunk;
    bool unread;
};

static void show(void *arg)
{
    struct job *j = arg;

    wave_replay(j->wave, j->chunk->record, 0, j->chunk->n);
    if (j->chunk->flush) {
        wave_log_flush(j->wave);
        j->unread = dump_flush(j->wave->dump) == EPIPE;
    }
}

static void clear(struct chunk *c)
{
    c->n = 0;
    c->flush = false;
}

/* There is a chunk, or will be; false: that was the last. */
static bool wait_for_chunk(struct wave_writer *r)
{
    while (r->n_handed == 0 && !r->end) {
        pthread_cond_wait(&r->handed, &r->lock);
    }
    return r->n_handed > 0;
}

/* Once memory has run out, what is handed is lost. */
static void *write_chunks(void *arg)
{
    struct wave_writer *r = arg;
    struct chunk *c = r->chunk;

    pthread_mutex_lock(&r->lock);
    while (wait_for_chunk(r)) {
        struct job j = {.wave = r->wave, .chunk = c};
        bool lost = r->no_memory;

        pthread_mutex_unlock(&r->lock);
        lost = lost || !nomem_try(show, &j);
        clear(c);
        c = next(r, c);
        pthread_mutex_lock(&r->lock);
        r->no_memory = lost;
        r->unread = r->unread || j.unread;
        r->n_handed--;
        pthread_cond_signal(&r->shown);
    }
    r->refused = dump_fst_error();
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

/* Signals are for who simulates. */
static void start(struct wave_writer *r)
{
    sigset_t all, old;

    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &old);
    r->state = pthread_create(&r->thread, NULL, write_chunks, r) == 0 ? THREAD_RUNS
                                                                      : THREAD_REFUSED;
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* ---- the simulation ---- */

/* Records go past the caches, where that can be: another processor reads them, and
 * lines that the two take from each other cost both more than memory does (measured:
 * twice the time of the run). put_all(): those so far are where others read them. */
#if defined(__SSE2__)
static inline void put(struct wave_record *to, const struct wave_record *r)
{
    _mm_stream_si128((__m128i *)to, _mm_loadu_si128((const __m128i *)r));
}

static inline void put_all(void)
{
    _mm_sfence();
}
#else
static inline void put(struct wave_record *to, const struct wave_record *r)
{
    *to = *r;
}

static inline void put_all(void)
{
}
#endif

/* Wait until at most n chunks are handed. False: memory has run out. */
static bool wait_for(struct wave_writer *r, uint32_t n)
{
    bool lost;

    pthread_mutex_lock(&r->lock);
    while (r->n_handed > n) {
        pthread_cond_wait(&r->shown, &r->lock);
    }
    lost = r->no_memory;
    pthread_mutex_unlock(&r->lock);
    return !lost;
}

/* The chunk that is being filled goes to the thread, if there is one. False: memory has
 * run out. */
static bool hand_over(struct wave_writer *r)
{
    if (r->state != THREAD_RUNS) {
        struct job j = {.wave = r->wave, .chunk = r->filling};

        show(&j);
        r->unread = r->unread || j.unread;
        clear(r->filling);
        return true;
    }
    put_all();
    r->filling = next(r, r->filling);
    pthread_mutex_lock(&r->lock);
    r->n_handed++;
    pthread_cond_signal(&r->handed);
    pthread_mutex_unlock(&r->lock);
    return wait_for(r, CHUNKS - 1);
}

/* The same, to a thread that starts with the first. */
static void hand_to_thread(struct wave_writer *r)
{
    if (r->state == THREAD_NONE) {
        start(r);
    }
    if (!hand_over(r)) {
        nomem();
    }
}

static void begin(struct wave *w)
{
    struct wave_writer *r = sim_alloc(w->sim, sizeof(*r));

    r->wave = w;
    r->filling = r->chunk;
    (void)pthread_mutex_init(&r->lock, NULL);
    (void)pthread_cond_init(&r->handed, NULL);
    (void)pthread_cond_init(&r->shown, NULL);
    for (uint32_t i = 0; i < w->n_vars; i++) {
        struct wave_var *v = &w->var[i];
        const struct sim_probe *p = v->probe;

        if (p->desc->kind == SIM_PROBE_TEXT) {
            v->text = sim_alloc(w->sim, WAVE_TEXT_MAX);
            p->desc->text(p->ctx, v->replayed, v->text, WAVE_TEXT_MAX);
        }
    }
    w->replaying = true;
    w->writer = r;
}

/* A chunk with room for n more changes. */
static struct chunk *with_room(struct wave_writer *r, size_t n)
{
    const size_t need = 1 + n * (1 + TEXT_RECORDS);
    struct chunk *c = r->filling;

    if (c->n != 0 && c->room - c->n < need) {
        hand_to_thread(r);
        c = r->filling;
    }
    if (c->room < need) {
        const size_t room = need > RECORDS ? need : RECORDS;

        c->record = nomem_realloc(c->record, room * sizeof(c->record[0]));
        c->room = (uint32_t)room;
    }
    return c;
}

/* How p reads now; returns how many records that takes. */
static uint32_t text_of(const struct sim_probe *p,
                        struct wave_record text[TEXT_RECORDS])
{
    char *s = (char *)text;

    s[0] = '\0';
    p->desc->text(p->ctx, p->value, s, WAVE_TEXT_MAX);
    return (uint32_t)(strlen(s) / sizeof(text[0]) + 1);
}

void wave_writer_keep(struct wave *w, sim_time_t now, struct sim_probe *const *p,
                      size_t n)
{
    struct wave_record r = {.value = now, .var = WAVE_TIME}, *at;
    struct wave_record text[TEXT_RECORDS];
    struct chunk *c;

    if (w->writer == NULL) {
        begin(w);
    }
    c = with_room(w->writer, n);
    at = &c->record[c->n];
    put(at++, &r);
    for (size_t i = 0; i < n; i++) {
        r.value = p[i]->value;
        r.var = w->var_of[p[i]->id];
        if (r.var == UINT32_MAX) { /* another wave's */
            continue;
        }
        if (p[i]->desc->kind == SIM_PROBE_TEXT) {
            r.text = text_of(p[i], text);
            put(at++, &r);
            for (uint32_t k = 0; k < r.text; k++) {
                put(at++, &text[k]);
            }
            r.text = 0;
        } else {
            put(at++, &r);
        }
    }
    c->n = (uint32_t)(at - c->record); /* now they are kept, if all went well */
}

/* All is shown: true; or memory has run out. A thread is not started for that. */
static bool settle(struct wave_writer *r)
{
    return (r->filling->n == 0 || hand_over(r)) && wait_for(r, 0);
}

void wave_writer_settle(struct wave *w)
{
    if (w->writer != NULL && !settle(w->writer)) {
        nomem();
    }
}

bool wave_writer_flush(struct wave *w)
{
    struct wave_writer *r = w->writer;
    bool unread;

    r->filling->flush = true;
    hand_to_thread(r);
    pthread_mutex_lock(&r->lock);
    unread = r->unread;
    pthread_mutex_unlock(&r->lock);
    return !unread;
}

/* The thread shows what it was handed, and ends. */
static void stop(struct wave_writer *r)
{
    if (r->state != THREAD_RUNS) {
        return;
    }
    pthread_mutex_lock(&r->lock);
    r->end = true;
    pthread_cond_signal(&r->handed);
    pthread_mutex_unlock(&r->lock);
    (void)pthread_join(r->thread, NULL);
    dump_fst_refuse(r->refused);
    r->state = THREAD_ENDED;
}

void wave_writer_stop(struct wave *w)
{
    if (w->writer != NULL) {
        stop(w->writer);
    }
}

int wave_writer_end(struct wave *w)
{
    struct wave_writer *r = w->writer;
    bool whole;

    if (r == NULL) {
        return 0;
    }
    whole = settle(r);
    stop(r);
    for (uint32_t i = 0; i < CHUNKS; i++) {
        free(r->chunk[i].record);
    }
    (void)pthread_mutex_destroy(&r->lock);
    (void)pthread_cond_destroy(&r->handed);
    (void)pthread_cond_destroy(&r->shown);
    w->writer = NULL;
    return whole ? 0 : ENOMEM;
}
