/*
 * engine_bench.c - what an event of the engine costs. Not a test.
 *
 *   engine_bench [REPEATS [FILTER [K]]]
 *
 * prints CSV: row, K, best and median over REPEATS (default 7) of nanoseconds of
 * processor time per event. FILTER: only rows whose name contains it; K: that size
 * only. What counts as one event:
 *
 *   hold_ps_N, hold_cy_N  K processes, each notifies itself uniformly 1..N picoseconds
 *                         or cycles ahead: one wake
 *   clocked               K processes, each notifies itself for the next cycle: one
 * wake shared                K processes on one event, notified every cycle: one wake
 *   mixed                 K processes on three clocks whose edges seldom coincide, next
 *                         cycle: one wake
 *   delta                 K processes in pairs that notify each other's delta: one wake
 *   wave                  a value runs along K signals, a process each: one update
 *   port_1, port_8        K pairs, a message per cycle over a link of latency 1 and 8:
 *                         one message (take from pool, send, take, give, credit)
 *   port_burst            the same, 8 messages every 8th cycle
 *   port_cross            the same as port_1, 1400 to 924 MHz
 *   probe_off, probe_on   port_1 with a probe set at every take, unwatched and watched
 */
#define _POSIX_C_SOURCE 200809L

#include "comp/comp.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_REPEATS = 99 };

static uint64_t host_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* One benchmark: builds K of something; count goes up by one per event. */
struct bench {
    struct sim *s;
    struct sim_clock clock, second, third;
    uint64_t count, wanted;
    uint64_t param;
};

/* Benchmarks that spin in deltas go on in the next cycle once they have enough. */
static bool is_enough(const struct bench *b)
{
    return b->count >= b->wanted;
}

/* ---- hold, clocked ---- */

struct holder {
    struct bench *bench;
    struct sim_event event;
    struct sim_process process;
    uint64_t rand;
};

static uint64_t draw(struct holder *h)
{
    h->rand = h->rand * 6364136223846793005u + 1442695040888963407u;
    return 1 + ((h->rand >> 33) & (h->bench->param - 1));
}

static void hold_ps(void *self)
{
    struct holder *h = self;

    h->bench->count++;
    sim_notify_ps(&h->event, draw(h));
}

static void hold_cy(void *self)
{
    struct holder *h = self;

    h->bench->count++;
    sim_notify_cycles(&h->event, draw(h));
}

static void clocked(void *self)
{
    struct holder *h = self;

    h->bench->count++;
    sim_notify_cycles(&h->event, 1);
}

static void counted(void *self)
{
    struct holder *h = self;

    h->bench->count++;
}

static void paired(void *self)
{
    struct holder *h = self;
    struct holder *other = &h[h->rand != 0 ? -1 : 1];

    h->bench->count++;
    if (is_enough(h->bench)) {
        sim_notify_cycles(&other->event, 1);
    } else {
        sim_notify_delta(&other->event);
    }
}

static struct holder *holders(struct bench *b, uint32_t k, void (*run)(void *self))
{
    struct holder *h = sim_alloc(b->s, k * sizeof(*h));

    for (uint32_t i = 0; i < k; i++) {
        h[i].bench = b;
        h[i].rand = i * 0x9e3779b97f4a7c15u;
        sim_event_init(&h[i].event, b->s, &b->clock, "e");
        sim_process_init(&h[i].process, b->s, "p", run, &h[i]);
        sim_wake_on(&h[i].process, &h[i].event);
    }
    return h;
}

static void build_hold_ps(struct bench *b, uint32_t k)
{
    struct holder *h = holders(b, k, hold_ps);

    for (uint32_t i = 0; i < k; i++) {
        sim_notify_ps(&h[i].event, draw(&h[i]));
    }
}

static void build_hold_cy(struct bench *b, uint32_t k)
{
    struct holder *h = holders(b, k, hold_cy);

    for (uint32_t i = 0; i < k; i++) {
        sim_notify_cycles(&h[i].event, draw(&h[i]));
    }
}

static void build_clocked(struct bench *b, uint32_t k)
{
    struct holder *h = holders(b, k, clocked);

    for (uint32_t i = 0; i < k; i++) {
        sim_notify_cycles(&h[i].event, 1);
    }
}

static void build_mixed(struct bench *b, uint32_t k)
{
    struct holder *h = sim_alloc(b->s, k * sizeof(*h));
    struct sim_clock *clocks[3] = {&b->clock, &b->second, &b->third};

    for (uint32_t i = 0; i < k; i++) {
        h[i].bench = b;
        sim_event_init(&h[i].event, b->s, clocks[i % 3], "e");
        sim_process_init(&h[i].process, b->s, "p", clocked, &h[i]);
        sim_wake_on(&h[i].process, &h[i].event);
        sim_notify_cycles(&h[i].event, 1);
    }
}

static void tick(void *self)
{
    struct holder *h = self;

    sim_notify_cycles(&h->event, 1);
}

static void build_shared(struct bench *b, uint32_t k)
{
    struct holder *h = holders(b, k, counted);
    struct holder *t = holders(b, 1, tick);

    for (uint32_t i = 0; i < k; i++) {
        sim_wake_on(&h[i].process, &t->event);
    }
    sim_notify_cycles(&t->event, 1);
}

static void build_delta(struct bench *b, uint32_t k)
{
    struct holder *h = holders(b, k + (k & 1), paired);

    for (uint32_t i = 0; i < k + (k & 1); i++) {
        h[i].rand = i & 1;
    }
    for (uint32_t i = 0; i < (k + 1) / 2; i++) {
        sim_notify_delta(&h[2 * i].event);
    }
    sim_delta_limit(b->s, UINT32_MAX);
}

/* ---- signals ---- */

struct link {
    struct bench *bench;
    struct sim_signal signal;
    struct sim_process process;
    struct link *next; /* NULL: the last one, which starts the next wave */
    struct link *first;
    struct sim_event again; /* wakes restart */
    struct sim_process restart;
};

static void restart(void *self)
{
    struct link *l = self;

    sim_write(&l->first->signal, sim_read(&l->first->signal) + 1);
}

static void pass(void *self)
{
    struct link *l = self;
    uint64_t v = sim_read(&l->signal);

    l->bench->count++;
    if (l->next != NULL) {
        sim_write(&l->next->signal, v);
    } else if (is_enough(l->bench)) {
        sim_notify_cycles(&l->again, 1);
    } else {
        sim_write(&l->first->signal, v + 1);
    }
}

static void build_wave(struct bench *b, uint32_t k)
{
    struct link *l = sim_alloc(b->s, k * sizeof(*l));

    for (uint32_t i = 0; i < k; i++) {
        l[i].bench = b;
        sim_signal_init(&l[i].signal, b->s, "s", 64);
        sim_process_init(&l[i].process, b->s, "p", pass, &l[i]);
        sim_wake_on(&l[i].process, sim_changed(&l[i].signal));
        l[i].next = i + 1 < k ? &l[i + 1] : NULL;
        l[i].first = l;
    }
    sim_event_init(&l[k - 1].again, b->s, &b->clock, "again");
    sim_process_init(&l[k - 1].restart, b->s, "restart", restart, &l[k - 1]);
    sim_wake_on(&l[k - 1].restart, &l[k - 1].again);
    sim_write(&l[0].signal, 1);
    sim_delta_limit(b->s, UINT32_MAX);
}

/* ---- ports ---- */

struct message {
    struct sim_txn txn;
    uint64_t payload[4];
};

static const struct sim_proto message_proto = {"message", sizeof(struct message)};

struct pair {
    struct bench *bench;
    struct sim_module from, to;
    struct sim_pool pool;
    struct sim_out out;
    struct sim_in in;
    struct sim_event go;
    struct sim_process send, take;
    struct sim_probe seen;
    uint32_t burst;
};

static void pair_send(void *self)
{
    struct pair *p = self;

    for (uint32_t i = 0; i < p->burst; i++) {
        struct message *m = NULL;

        if (!sim_out_ready(&p->out)) {
            sim_out_wait(&p->out);
            return;
        }
        m = sim_pool_take(&p->pool);
        m->payload[0] = i;
        sim_send(&p->out, m);
    }
    sim_notify_cycles(&p->go, p->burst);
}

static void pair_take(void *self)
{
    struct pair *p = self;
    struct message *m = NULL;

    while ((m = sim_take(&p->in)) != NULL) {
        p->bench->count++;
        sim_pool_give(m);
    }
}

static void pair_take_probe(void *self)
{
    struct pair *p = self;

    pair_take(p);
    sim_probe_set(&p->seen, p->bench->count);
}

static const struct sim_probe_desc seen_desc = {.name = "seen",
                                                .kind = SIM_PROBE_UINT,
                                                .width = 64,
                                                .doc = "messages taken"};

struct port_shape {
    uint32_t latency, burst, capacity;
    bool cross, watched;
    void (*take)(void *self);
};

static void changed(void *ctx, sim_time_t now, struct sim_probe *const *p, size_t n)
{
    uint64_t *sum = ctx;

    *sum += now + p[n - 1]->value;
}

static struct pair *build_pair(struct bench *b, struct pair *p,
                               const struct port_shape *shape)
{
    p->bench = b;
    p->burst = shape->burst;
    sim_module_init(&p->from, b->s, NULL, &b->clock, "from");
    sim_module_init(&p->to, b->s, NULL, shape->cross ? &b->second : &b->clock, "to");
    sim_pool_init(&p->pool, b->s, "message", sizeof(struct message));
    sim_out_init(&p->out, &p->from, "out", &message_proto);
    sim_in_init(&p->in, &p->to, "in", &message_proto, shape->capacity);
    sim_bind(&p->out, &p->in, shape->latency);
    sim_event_init(&p->go, b->s, &b->clock, "go");
    sim_process_init(&p->send, b->s, "send", pair_send, p);
    sim_process_init(&p->take, b->s, "take", shape->take, p);
    sim_wake_on(&p->send, &p->go);
    sim_wake_on(&p->send, &p->out.space);
    sim_wake_on(&p->take, &p->in.arrived);
    sim_probe_init(&p->seen, &p->to, &seen_desc, NULL, 0);
    p->seen.watched = shape->watched;
    sim_notify_cycles(&p->go, 1);
    return p;
}

static void build_pairs(struct bench *b, uint32_t k, const struct port_shape *shape)
{
    struct pair *p = sim_alloc(b->s, k * sizeof(*p));
    struct sim_watcher *w = sim_alloc(b->s, sizeof(*w));

    for (uint32_t i = 0; i < k; i++) {
        build_pair(b, &p[i], shape);
    }
    w->changed = changed;
    w->ctx = sim_alloc(b->s, sizeof(uint64_t));
    sim_watch(b->s, w);
}

static void build_port_1(struct bench *b, uint32_t k)
{
    build_pairs(b, k, &(struct port_shape){1, 1, 4, false, false, pair_take});
}

static void build_port_8(struct bench *b, uint32_t k)
{
    build_pairs(b, k, &(struct port_shape){8, 1, 16, false, false, pair_take});
}

static void build_port_burst(struct bench *b, uint32_t k)
{
    build_pairs(b, k, &(struct port_shape){1, 8, 16, false, false, pair_take});
}

static void build_port_cross(struct bench *b, uint32_t k)
{
    build_pairs(b, k, &(struct port_shape){1, 1, 4, true, false, pair_take});
}

static void build_probe_off(struct bench *b, uint32_t k)
{
    build_pairs(b, k, &(struct port_shape){1, 1, 4, false, false, pair_take_probe});
}

static void build_probe_on(struct bench *b, uint32_t k)
{
    build_pairs(b, k, &(struct port_shape){1, 1, 4, false, true, pair_take_probe});
}

/* ---- the rows ---- */

struct row {
    const char *name;
    void (*build)(struct bench *b, uint32_t k);
    uint64_t param;
    uint32_t largest; /* K beyond this is left out */
};

static const struct row rows[] = {
    {"hold_ps_64", build_hold_ps, 64, 65536},
    {"hold_ps_65536", build_hold_ps, 65536, 65536},
    {"hold_cy_64", build_hold_cy, 64, 65536},
    {"hold_cy_65536", build_hold_cy, 65536, 65536},
    {"clocked", build_clocked, 0, 65536},
    {"shared", build_shared, 0, 65536},
    {"mixed", build_mixed, 0, 65536},
    {"delta", build_delta, 0, 65536},
    {"wave", build_wave, 0, 65536},
    {"port_1", build_port_1, 0, 4096},
    {"port_8", build_port_8, 0, 4096},
    {"port_burst", build_port_burst, 0, 4096},
    {"port_cross", build_port_cross, 0, 4096},
    {"probe_off", build_probe_off, 0, 4096},
    {"probe_on", build_probe_on, 0, 4096},
};

static double measure(const struct row *row, uint32_t k)
{
    struct bench b = {.param = row->param};
    uint64_t begin, end;
    uint64_t warm = k < 4096 ? 4096 : 4 * k;

    b.s = sim_new();
    sim_clock_init(&b.clock, b.s, "clock", 5000, 7);
    sim_clock_init(&b.second, b.s, "second", 250000, 231);
    sim_clock_init(&b.third, b.s, "third", 10000, 7);
    b.wanted = warm;
    row->build(&b, k);
    while (b.count < warm) {
        sim_run(b.s, SIM_TIME_MAX, k < 64 ? 64 : 1);
    }
    warm = b.count;
    b.wanted = warm + (k < 25000 ? 200000 : 8 * (uint64_t)k);
    begin = host_ns();
    while (b.count < b.wanted) {
        sim_run(b.s, SIM_TIME_MAX, 1024);
    }
    end = host_ns();
    sim_free(b.s);
    return (double)(end - begin) / (double)(b.count - warm);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    static const uint32_t sizes[] = {1, 16, 256, 4096, 65536};
    int repeats = argc > 1 ? atoi(argv[1]) : 7;
    const char *filter = argc > 2 ? argv[2] : "";
    uint32_t only = argc > 3 ? (uint32_t)atoi(argv[3]) : 0;

    if (repeats < 1 || repeats > MAX_REPEATS) {
        fprintf(stderr, "engine_bench: 1 to %d repeats\n", MAX_REPEATS);
        return 2;
    }
    puts("row,K,best_ns,median_ns");
    for (size_t r = 0; r < ARRAY_LEN(rows); r++) {
        if (strstr(rows[r].name, filter) == NULL) {
            continue;
        }
        for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
            double ns[MAX_REPEATS];

            if (sizes[i] > rows[r].largest || (only != 0 && sizes[i] != only)) {
                continue;
            }
            for (int n = 0; n < repeats; n++) {
                ns[n] = measure(&rows[r], sizes[i]);
            }
            qsort(ns, (size_t)repeats, sizeof(ns[0]), by_size);
            printf("%s,%" PRIu32 ",%.1f,%.1f\n", rows[r].name, sizes[i], ns[0],
                   ns[repeats / 2]);
            fflush(stdout);
        }
    }
    return 0;
}
