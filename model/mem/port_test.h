/*
 * port_test.h - for tests: one module between scripted neighbours.
 *
 *   struct bench     a simulation with one clock of 1 ns and a root module
 *   struct sender    sends what is added, in order, at the cycle asked for or as soon
 *                    after it as there is a credit, one per cycle
 *   struct receiver  takes what arrives and remembers when; may hold back, may be slow,
 *                    may hand on to a function
 *
 * So a test says what goes in and when, runs, and compares what came out and when.
 * Senders and receivers belong to the simulation; what a receiver has taken is the
 * test's.
 */
#ifndef MEM_PORT_TEST_H
#define MEM_PORT_TEST_H

#include "mem/mem.h"
#include "mem/rand_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { PORT_MAX = 8192 };

struct bench {
    struct sim *sim;
    struct sim_clock clock;
    struct sim_module root;
    struct sim_pool reqs, lines, atoms, bursts;
};

static inline void bench_init(struct bench *b)
{
    b->sim = sim_new();
    sim_clock_init(&b->clock, b->sim, "clock", 1000, 1);
    sim_module_init(&b->root, b->sim, NULL, &b->clock, "top");
    sim_pool_init(&b->reqs, b->sim, "reqs", sizeof(struct mem_req));
    sim_pool_init(&b->lines, b->sim, "lines", sizeof(struct mem_line));
    sim_pool_init(&b->atoms, b->sim, "atoms", sizeof(struct mem_atom));
    sim_pool_init(&b->bursts, b->sim, "bursts", sizeof(struct mem_burst));
}

static inline sim_cycle_t bench_now(struct bench *b)
{
    return sim_cycle(&b->clock);
}

/* Up to this cycle and with it; false if nothing is left to happen. */
static inline bool bench_run(struct bench *b, sim_cycle_t cycle)
{
    return sim_run(b->sim, sim_edge(&b->clock, cycle), 0) == SIM_REACHED;
}

/* Until nothing is left to happen. */
static inline void bench_finish(struct bench *b)
{
    assert_int_equal(sim_run(b->sim, SIM_TIME_MAX, 0), SIM_IDLE);
}

/* Everything was given back. */
static inline void bench_free(struct bench *b)
{
    assert_int_equal(sim_live_transactions(b->sim), 0);
    sim_free(b->sim);
}

/* ---- sender ---- */

struct sender {
    struct sim_module scope;
    struct sim_out out;
    struct sim_event go;
    struct sim_process step;
    uint32_t n, next;
    struct {
        void *txn;
        sim_cycle_t at, sent; /* asked for; 0: not yet */
    } v[PORT_MAX];
};

static inline void sender_step(void *self)
{
    struct sender *s = self;
    sim_cycle_t now = sim_here(&s->scope);

    if (s->next == s->n) {
        return;
    }
    if (s->v[s->next].at > now) {
        sim_notify_at(&s->go, s->v[s->next].at);
        return;
    }
    if (s->next > 0 && s->v[s->next - 1].sent == now) {
        sim_notify_cycles(&s->go, 1);
        return;
    }
    if (!sim_out_ready(&s->out)) {
        sim_out_wait(&s->out);
        return;
    }
    s->v[s->next].sent = now;
    sim_send(&s->out, s->v[s->next++].txn);
    if (s->next < s->n) {
        sim_notify_cycles(&s->go, 1);
    }
}

/* clock NULL: the bench's. */
static inline struct sender *sender_new(struct bench *b, struct sim_clock *clock,
                                        const char *name, const struct sim_proto *proto,
                                        struct sim_in *to, uint32_t latency)
{
    struct sender *s = sim_alloc(b->sim, sizeof(*s));

    sim_module_init(&s->scope, b->sim, &b->root, clock, name);
    sim_out_init(&s->out, &s->scope, "out", proto);
    sim_event_init(&s->go, b->sim, s->scope.clock, "go");
    sim_process_init(&s->step, b->sim, name, sender_step, s);
    sim_wake_on(&s->step, &s->go);
    sim_wake_on(&s->step, &s->out.space);
    sim_bind(&s->out, to, latency);
    return s;
}

static inline void sender_add(struct sender *s, sim_cycle_t at, void *txn)
{
    assert_in_range(s->n, 0, PORT_MAX - 1);
    s->v[s->n].txn = txn;
    s->v[s->n++].at = at;
    if (s->next == s->n - 1) {
        sim_cycle_t now = sim_here(&s->scope);

        sim_notify_at(&s->go, at > now ? at : now + 1);
    }
}

/* ---- receiver ---- */

struct receiver {
    struct sim_module scope;
    struct sim_in in;
    struct sim_event go;
    struct sim_process step;
    sim_cycle_t hold; /* takes nothing before */
    uint32_t gap;     /* takes one per so many cycles; 0: what is there */
    void (*got)(void *ctx, void *txn, sim_cycle_t now); /* it is his then; or NULL */
    void *ctx;
    uint32_t n;
    struct {
        void *txn;
        sim_cycle_t at;
    } v[PORT_MAX];
};

static inline void receiver_step(void *self)
{
    struct receiver *r = self;
    sim_cycle_t now = sim_here(&r->scope);

    while (sim_peek(&r->in) != NULL) {
        void *t;

        if (now < r->hold) {
            sim_notify_at(&r->go, r->hold);
            return;
        }
        t = sim_take(&r->in);
        r->hold = now + r->gap;
        if (r->n < PORT_MAX) {
            r->v[r->n].txn = t;
            r->v[r->n].at = now;
        }
        r->n++;
        if (r->got != NULL) {
            r->got(r->ctx, t, now);
        }
    }
}

static inline struct receiver *receiver_new(struct bench *b, struct sim_clock *clock,
                                            const char *name,
                                            const struct sim_proto *proto,
                                            struct sim_out *from, uint32_t latency,
                                            uint32_t capacity)
{
    struct receiver *r = sim_alloc(b->sim, sizeof(*r));

    sim_module_init(&r->scope, b->sim, &b->root, clock, name);
    sim_in_init(&r->in, &r->scope, "in", proto, capacity);
    sim_event_init(&r->go, b->sim, r->scope.clock, "go");
    sim_process_init(&r->step, b->sim, name, receiver_step, r);
    sim_wake_on(&r->step, &r->go);
    sim_wake_on(&r->step, &r->in.arrived);
    sim_bind(from, &r->in, latency);
    return r;
}

/* Give back what was taken and forget it. Not for one with got. */
static inline void receiver_drain(struct receiver *r)
{
    for (uint32_t i = 0; i < r->n; i++) {
        sim_pool_give(r->v[i].txn);
    }
    r->n = 0;
}

/* ---- transactions ---- */

static inline struct mem_line *line_new(struct bench *b, enum mem_op op, uint64_t addr,
                                        uint32_t first, uint32_t n)
{
    struct mem_line *t = sim_pool_take(&b->lines);

    *t = (struct mem_line){.txn = t->txn,
                           .addr = addr,
                           .op = (uint8_t)op,
                           .ack = op == MEM_STORE};
    for (uint32_t i = first; i < first + n; i++) {
        mem_byte_set(t->bytes, i, 1);
        t->sectors |= (uint8_t)(1u << i / MEM_SECTOR);
    }
    return t;
}

/* A store of the byte value v, or a load, of bytes first to first + n - 1. */
static inline struct mem_line *line_fill(struct mem_line *t, uint8_t v)
{
    for (uint32_t i = 0; i < MEM_LINE; i++) {
        t->data[i] = mem_byte_is_set(t->bytes, i) ? v : 0xee; /* 0xee: nobody's */
    }
    return t;
}

/* ---- probes ---- */

static inline struct sim_module *module_at(struct sim_module *m, const char *path)
{
    struct sim_module *c;
    size_t n = strcspn(path, ".");

    if (*path == '\0') {
        return m;
    }
    for (c = m->first; c != NULL; c = c->next) {
        if (strlen(c->name) == n && strncmp(c->name, path, n) == 0) {
            return module_at(c, path[n] == '.' ? path + n + 1 : path + n);
        }
    }
    fail_msg("no module %s", path);
    return NULL;
}

/* The probe, watched from now on. */
static inline struct sim_probe *probe_at(struct bench *b, const char *path,
                                         const char *name)
{
    struct sim_probe *p = module_at(&b->root, path)->probes;

    while (p != NULL && strcmp(p->desc->name, name) != 0) {
        p = p->next;
    }
    assert_non_null(p);
    sim_probe_watch(p);
    return p;
}

#endif /* MEM_PORT_TEST_H */
