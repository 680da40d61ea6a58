/*
 * engine_bench.c - what an event of this engine costs: one row of engine_rows.h, which
 * says how it is called. Not a test; engine_bench.sh runs it beside SystemC.
 */
#define _POSIX_C_SOURCE 200809L

#include "engine_rows.h"

#include "comp/comp.h"

/* One benchmark: builds K of something; count goes up by one per event. */
struct bench {
    struct sim *s;
    struct sim_clock clock, second, third;
    uint64_t count;
    uint64_t param;
};

/* ---- hold, clocked ---- */

struct holder {
    _Alignas(64) struct sim_event event; /* a cache line each: event, the rest */
    struct sim_process process;
    struct bench *bench;
    uint64_t rand;
};

static void hold_ps(void *self)
{
    struct holder *h = self;

    h->bench->count++;
    sim_notify_ps(&h->event, bench_draw(&h->rand, h->bench->param));
}

static void hold_cy(void *self)
{
    struct holder *h = self;

    h->bench->count++;
    sim_notify_cycles(&h->event, bench_draw(&h->rand, h->bench->param));
}

static void own(void *self)
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

static void tick(void *self)
{
    struct holder *h = self;

    sim_notify_cycles(&h->event, 1);
}

/* rand: bit 0 the place in the pair, above it the steps made. */
static void paired(void *self)
{
    struct holder *h = self;
    struct holder *other = &h[(h->rand & 1) != 0 ? -1 : 1];

    h->bench->count++;
    h->rand += 2;
    if ((h->rand >> 1) % (BENCH_DELTAS / 2) == 0 && (h->rand & 1) != 0) {
        sim_notify_cycles(&other->event, 1);
    } else {
        sim_notify_delta(&other->event);
    }
}

static void holder_init(struct bench *b, struct holder *h, uint32_t i,
                        struct sim_clock *c, void (*run)(void *self))
{
    h->bench = b;
    h->rand = bench_seed(i);
    sim_event_init(&h->event, b->s, c, "e");
    sim_process_init(&h->process, b->s, "p", run, h);
    sim_wake_on(&h->process, &h->event);
}

static struct holder *holders(struct bench *b, uint32_t k, void (*run)(void *self))
{
    struct holder *h = sim_alloc(b->s, k * sizeof(*h));

    for (uint32_t i = 0; i < k; i++) {
        holder_init(b, &h[i], i, &b->clock, run);
    }
    return h;
}

static void build_hold_ps(struct bench *b, uint32_t k)
{
    struct holder *h = holders(b, k, hold_ps);

    for (uint32_t i = 0; i < k; i++) {
        sim_notify_ps(&h[i].event, bench_draw(&h[i].rand, b->param));
    }
}

static void build_hold_cy(struct bench *b, uint32_t k)
{
    struct holder *h = holders(b, k, hold_cy);

    for (uint32_t i = 0; i < k; i++) {
        sim_notify_cycles(&h[i].event, bench_draw(&h[i].rand, b->param));
    }
}

static void build_own(struct bench *b, uint32_t k)
{
    struct holder *h = holders(b, k, own);

    for (uint32_t i = 0; i < k; i++) {
        sim_notify_cycles(&h[i].event, 1);
    }
}

static void build_mixed(struct bench *b, uint32_t k)
{
    struct holder *h = sim_alloc(b->s, k * sizeof(*h));
    struct sim_clock *clocks[3] = {&b->clock, &b->second, &b->third};

    for (uint32_t i = 0; i < k; i++) {
        holder_init(b, &h[i], i, clocks[i % 3], own);
        sim_notify_cycles(&h[i].event, 1);
    }
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
        if ((i & 1) == 0) {
            sim_notify_cycles(&h[i].event, 1);
        }
    }
}

/* ---- signals ---- */

struct link {
    struct bench *bench;
    struct sim_signal signal;
    struct sim_event again; /* the next cycle goes on from here */
    struct sim_process process;
    struct link *next;
    bool paused;
};

/* Hand the value on; every BENCH_DELTAS steps wait for the next cycle. */
static void pass(void *self)
{
    struct link *l = self;
    uint64_t v = sim_read(&l->signal) + 1;

    if (!l->paused) {
        l->bench->count++;
        if (v % BENCH_DELTAS == 0) {
            l->paused = true;
            sim_notify_cycles(&l->again, 1);
            return;
        }
    }
    l->paused = false;
    sim_write(&l->next->signal, v);
}

static struct link *links(struct bench *b, uint32_t k)
{
    struct link *l = sim_alloc(b->s, k * sizeof(*l));

    for (uint32_t i = 0; i < k; i++) {
        l[i].bench = b;
        sim_signal_init(&l[i].signal, b->s, "s", 64);
        sim_event_init(&l[i].again, b->s, &b->clock, "again");
        sim_process_init(&l[i].process, b->s, "p", pass, &l[i]);
        sim_wake_on(&l[i].process, sim_changed(&l[i].signal));
        sim_wake_on(&l[i].process, &l[i].again);
        l[i].next = &l[(i + 1) % k];
    }
    return l;
}

static void build_ripple(struct bench *b, uint32_t k)
{
    sim_write(&links(b, k)->signal, 1);
}

static void build_wave(struct bench *b, uint32_t k)
{
    struct link *l = links(b, k);

    for (uint32_t i = 0; i < k; i++) {
        sim_write(&l[i].signal, 1);
    }
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
    uint64_t taken;
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
        p->taken++;
        sim_pool_give(m);
    }
}

static void pair_take_probe(void *self)
{
    struct pair *p = self;

    pair_take(p);
    sim_probe_set(&p->seen, p->taken);
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

    *sum += now;
    for (size_t i = 0; i < n; i++) {
        *sum += p[i]->value;
    }
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

static void build_port_credit(struct bench *b, uint32_t k)
{
    build_pairs(b, k, &(struct port_shape){1, 1, 1, false, false, pair_take});
}

static void build_port_cross(struct bench *b, uint32_t k)
{
    build_pairs(b, k, &(struct port_shape){1, 1, 4, true, false, pair_take});
}

static void build_port_line(struct bench *b, uint32_t k)
{
    build_pairs(b, 1, &(struct port_shape){k, 1, k + 4, false, false, pair_take});
}

static void build_probe_off(struct bench *b, uint32_t k)
{
    build_pairs(b, k, &(struct port_shape){1, 1, 4, false, false, pair_take_probe});
}

static void build_probe_on(struct bench *b, uint32_t k)
{
    build_pairs(b, k, &(struct port_shape){1, 1, 4, false, true, pair_take_probe});
}

/* ---- transactions without credits ---- */

struct queue;

/* A transaction that lies in a pool or is under way to the end of the queue: a cache
 * line for its event, one for the rest, and what it carries. */
struct flight {
    _Alignas(64) struct sim_event due;
    struct sim_process end;
    struct queue *queue;
    struct flight *next; /* free */
    uint64_t payload[4];
};

struct queue {
    struct bench *bench;
    struct flight *free;
    uint64_t rand;
    bool in_cycles;
};

static void queue_put(struct queue *q)
{
    struct flight *f = q->free;
    uint64_t delay = bench_draw(&q->rand, q->bench->param);

    q->free = f->next;
    if (q->in_cycles) {
        sim_notify_cycles(&f->due, delay);
    } else {
        sim_notify_ps(&f->due, delay);
    }
}

static void queue_end(void *self)
{
    struct flight *f = self;
    struct queue *q = f->queue;

    q->bench->count++;
    f->next = q->free;
    q->free = f;
    queue_put(q);
}

static void build_queue(struct bench *b, uint32_t k, bool in_cycles)
{
    struct queue *q = sim_alloc(b->s, sizeof(*q));
    struct flight *f = sim_alloc(b->s, k * sizeof(*f));

    q->bench = b;
    q->in_cycles = in_cycles;
    for (uint32_t i = 0; i < k; i++) {
        f[i].queue = q;
        sim_event_init(&f[i].due, b->s, &b->clock, "due");
        sim_process_init(&f[i].end, b->s, "end", queue_end, &f[i]);
        sim_wake_on(&f[i].end, &f[i].due);
        f[i].next = q->free;
        q->free = &f[i];
    }
    for (uint32_t i = 0; i < k; i++) {
        queue_put(q);
    }
}

static void build_txn_ps(struct bench *b, uint32_t k)
{
    build_queue(b, k, false);
}

static void build_txn_cy(struct bench *b, uint32_t k)
{
    build_queue(b, k, true);
}

/* ---- one row ---- */

static void (*const builders[BENCH_ROWS])(struct bench *b, uint32_t k) = {
    build_hold_ps,   build_hold_ps,    build_hold_cy,     build_hold_cy,
    build_own,       build_shared,     build_shared,      build_mixed,
    build_delta,     build_ripple,     build_wave,        build_port_1,
    build_port_8,    build_port_burst, build_port_credit, build_port_cross,
    build_port_line, build_probe_off,  build_probe_on,    build_txn_ps,
    build_txn_ps,    build_txn_cy,     build_txn_cy,
};

int main(int argc, char **argv)
{
    uint32_t k = 0;
    double events = 0;
    const struct bench_row *row = bench_args(argc, argv, &k, &events);
    struct bench b = {.param = row->param};
    sim_time_t middle = bench_ps(row, k, bench_warm_events(k));
    sim_time_t end = middle + bench_ps(row, k, events);
    uint64_t begin, warm;

    b.s = sim_new();
    sim_clock_init(&b.clock, b.s, "clock", BENCH_PS_1, 1);
    sim_clock_init(&b.second, b.s, "second", BENCH_PS_2, 1);
    sim_clock_init(&b.third, b.s, "third", BENCH_PS_3, 1);
    builders[row - bench_rows](&b, k);
    sim_run(b.s, middle - 1, 0);
    warm = b.count;
    begin = bench_host_ns();
    sim_run(b.s, end - 1, 0);
    bench_report(row, k, b.count - warm, bench_host_ns() - begin);
    sim_free(b.s);
    return 0;
}
