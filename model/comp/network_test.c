/*
 * A random network of modules in three clock domains: what every module sees must not
 * depend on the order in which processes run at one instant.
 */
#include "comp/comp.h"
#include "engine/panic_test.h"

enum {
    NODES = 12,
    FAN = 3,       /* ports in and out of each node */
    BACKLOG = 4,   /* packets a node can hold */
    PACKETS = 400, /* sent in all */
    TEXT = 1 << 20
};

struct packet {
    struct sim_txn txn;
    uint64_t id, hops;
};

static const struct sim_proto packets = {"packet", sizeof(struct packet)};

struct node {
    struct sim_module base;
    struct sim_in in[FAN];
    struct sim_out out[FAN];
    struct sim_event go;
    struct sim_process step;
    struct sim_pool pool;
    struct sim_probe level[FAN];
    struct packet *held[BACKLOG];
    uint32_t n_held, id;
    uint64_t made, to_make;
    sim_cycle_t next_at; /* when the next packet is made */
    struct net *net;
};

struct net {
    struct sim *s;
    struct sim_clock clock[3];
    struct node node[NODES];
    struct sim_hook taken;
    struct sim_listener listener;
    struct sim_watcher watcher;
    char *text;
    size_t used;
    uint64_t arrived;
};

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15u;
    return x ^ x >> 29;
}

static void say(struct net *n, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    n->used += (size_t)vsnprintf(n->text + n->used, TEXT - n->used, fmt, ap);
    va_end(ap);
    assert_true(n->used < TEXT);
}

struct record {
    uint64_t id, hops, where;
};

static void tell(struct node *d, const char *what, const struct packet *p, uint32_t i)
{
    struct record r = {p->id, p->hops, i * 2 + (what[0] == 't')};

    if (sim_heard(&d->net->taken)) {
        sim_raise(&d->net->taken, &d->base, &r, sizeof(r));
    }
}

/* Send what is held, in order; what cannot go waits for its port only. */
static void send_held(struct node *d)
{
    uint32_t kept = 0;
    uint32_t blocked = 0; /* bit per port: order within a port */

    for (uint32_t i = 0; i < d->n_held; i++) {
        struct packet *p = d->held[i];
        uint32_t o = (uint32_t)(mix(p->id * 64 + p->hops) % FAN);

        if (!(blocked >> o & 1) && sim_out_ready(&d->out[o])) {
            tell(d, "sent", p, o);
            sim_send(&d->out[o], p);
            continue;
        }
        if (!(blocked >> o & 1)) {
            sim_out_wait(&d->out[o]);
        }
        blocked |= 1u << o;
        d->held[kept++] = p;
    }
    d->n_held = kept;
}

static void take_arrived(struct node *d)
{
    for (uint32_t i = 0; i < FAN; i++) {
        struct packet *p = NULL;

        while (d->n_held < BACKLOG && (p = sim_take(&d->in[i])) != NULL) {
            tell(d, "taken", p, i);
            if (p->hops-- == 0) {
                d->net->arrived++;
                sim_pool_give(p);
            } else {
                d->held[d->n_held++] = p;
            }
        }
        sim_probe_set(&d->level[i], sim_in_level(&d->in[i]));
    }
}

static void make(struct node *d)
{
    if (d->made == d->to_make || sim_here(&d->base) < d->next_at) {
        return;
    }
    if (d->n_held < BACKLOG - 1) { /* always leave room for what travels */
        struct packet *p = sim_pool_take(&d->pool);

        p->id = d->id * 1000 + d->made++;
        p->hops = mix(p->id) % 7;
        d->held[d->n_held++] = p;
    }
    d->next_at = sim_here(&d->base) + 1 + mix(d->id + d->made) % 9;
}

static void step(void *self)
{
    struct node *d = self;
    bool more = false;

    make(d);
    take_arrived(d);
    send_held(d);
    take_arrived(d); /* there may be room again */
    for (uint32_t i = 0; i < FAN; i++) {
        more = more || sim_peek(&d->in[i]) != NULL;
    }
    if (more || d->n_held > 0) {
        sim_notify_cycles(&d->go, 1); /* something arrived is left, or can be sent */
    } else if (d->made < d->to_make) {
        sim_cycle_t now = sim_here(&d->base);

        sim_notify_at(&d->go, d->next_at > now ? d->next_at : now + 1);
    }
}

static void heard(void *ctx, sim_time_t now, const struct sim_module *from,
                  const void *record)
{
    const struct record *r = record;

    say(ctx, "%llu %s %llu %llu %llu\n", (unsigned long long)now, from->name,
        (unsigned long long)r->id, (unsigned long long)r->hops,
        (unsigned long long)r->where);
}

static void changed(void *ctx, sim_time_t now, struct sim_probe *const *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        say(ctx, "%llu probe %u %llu\n", (unsigned long long)now, (unsigned)p[i]->id,
            (unsigned long long)p[i]->value);
    }
}

static const struct sim_probe_desc level_desc = {.name = "level",
                                                 .kind = SIM_PROBE_LEVEL,
                                                 .width = 8};

static void node_init(struct net *n, uint32_t i)
{
    struct node *d = &n->node[i];
    char name[16];

    d->net = n;
    d->id = i;
    d->to_make = PACKETS / NODES;
    snprintf(name, sizeof(name), "node%02u", (unsigned)i);
    sim_module_init(&d->base, n->s, NULL, &n->clock[mix(i) % 3], name);
    sim_pool_init(&d->pool, n->s, name, sizeof(struct packet));
    sim_event_init(&d->go, n->s, d->base.clock, "go");
    sim_process_init(&d->step, n->s, name, step, d);
    sim_wake_on(&d->step, &d->go);
    for (uint32_t f = 0; f < FAN; f++) {
        snprintf(name, sizeof(name), "in%u", (unsigned)f);
        sim_in_init(&d->in[f], &d->base, name, &packets, 1 + mix(i * 8 + f) % 5);
        snprintf(name, sizeof(name), "out%u", (unsigned)f);
        sim_out_init(&d->out[f], &d->base, name, &packets);
        sim_probe_init(&d->level[f], &d->base, &level_desc, NULL, 0);
        d->level[f].watched = true;
        sim_wake_on(&d->step, &d->in[f].arrived);
        sim_wake_on(&d->step, &d->out[f].space);
    }
    sim_notify_cycles(&d->go, 1 + i % 3);
}

/* Run the network with the shuffle seed; the text of all that was seen. */
static char *run(uint64_t seed, bool *finished)
{
    struct net *n = aligned_alloc(_Alignof(struct net), sizeof(*n));
    char path[64];
    char *text = malloc(TEXT);

    memset(n, 0, sizeof(*n));
    n->text = text;
    n->s = sim_new();
    sim_clock_init(&n->clock[0], n->s, "1400", 5000, 7);
    sim_clock_init(&n->clock[1], n->s, "700", 10000, 7);
    sim_clock_init(&n->clock[2], n->s, "924", 250000, 231);
    sim_hook_init(&n->taken, n->s, "taken");
    n->listener = (struct sim_listener){heard, n, NULL};
    sim_listen(&n->taken, &n->listener);
    n->watcher = (struct sim_watcher){changed, n, NULL};
    sim_watch(n->s, &n->watcher);
    for (uint32_t i = 0; i < NODES; i++) {
        node_init(n, i);
    }
    for (uint32_t i = 0; i < NODES * FAN; i++) { /* 5 is prime to 36: every in once */
        uint32_t j = (i * 5 + 7) % (NODES * FAN);

        sim_bind(&n->node[i / FAN].out[i % FAN], &n->node[j / FAN].in[j % FAN],
                 1 + (uint32_t)mix(i + 99) % 4);
    }
    assert_true(sim_check_bound(&n->node[0].base, path, sizeof(path)));
    sim_shuffle(n->s, seed);
    *finished = sim_run(n->s, 2000000, 0) == SIM_IDLE &&
                n->arrived == PACKETS / NODES * NODES &&
                sim_live_transactions(n->s) == 0;
    say(n, "%llu arrived, %llu live\n", (unsigned long long)n->arrived,
        (unsigned long long)sim_live_transactions(n->s));
    sim_free(n->s);
    free(n);
    return text;
}

static void order_does_not_matter(void **state)
{
    bool finished;
    char *plain = run(0, &finished);

    (void)state;
    assert_true(finished);
    assert_true(strlen(plain) > 20000);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        char *shuffled = run(seed, &finished);

        assert_true(finished);
        assert_int_equal(strlen(shuffled), strlen(plain));
        assert_memory_equal(shuffled, plain, strlen(plain));
        free(shuffled);
    }
    free(plain);
}

/* ---- fan-in: an array of ports scanned in declaration order ---- */

enum { SENDERS = 5 };

struct fan {
    struct sim *s;
    struct sim_clock clock;
    struct sim_module from[SENDERS], to;
    struct sim_out out[SENDERS];
    struct sim_in in[SENDERS];
    struct sim_pool pool[SENDERS];
    struct sim_event go[SENDERS];
    struct sim_event again; /* something that arrived was left */
    struct sim_process send[SENDERS], take;
    uint64_t sent[SENDERS];
    uint64_t order[100];
    uint32_t n_order;
};

struct fan_sender {
    struct fan *f;
    uint32_t id;
};

static void fan_send(void *self)
{
    struct fan_sender *d = self;
    struct fan *f = d->f;
    struct packet *p = NULL;

    if (f->sent[d->id] == 10) {
        return;
    }
    if (!sim_out_ready(&f->out[d->id])) {
        sim_out_wait(&f->out[d->id]);
        return;
    }
    p = sim_pool_take(&f->pool[d->id]);
    p->id = d->id * 100 + f->sent[d->id]++;
    sim_send(&f->out[d->id], p);
    sim_notify_cycles(&f->go[d->id], 1);
}

/* One packet per cycle, the first port that has one. */
static void fan_take(void *self)
{
    struct fan *f = self;
    struct packet *p = NULL;
    bool more = false;

    for (uint32_t i = 0; i < SENDERS && p == NULL; i++) {
        p = sim_take(&f->in[i]);
    }
    if (p != NULL) {
        f->order[f->n_order++] = p->id;
        sim_pool_give(p);
    }
    for (uint32_t i = 0; i < SENDERS; i++) {
        more = more || sim_peek(&f->in[i]) != NULL;
    }
    if (more) {
        sim_notify_cycles(&f->again, 1);
    }
}

static void fan_run(struct fan *f, uint64_t seed)
{
    memset(f, 0, sizeof(*f));
    f->s = sim_new();
    sim_clock_init(&f->clock, f->s, "clock", 5000, 7);
    sim_module_init(&f->to, f->s, NULL, &f->clock, "to");
    sim_process_init(&f->take, f->s, "take", fan_take, f);
    sim_event_init(&f->again, f->s, &f->clock, "again");
    sim_wake_on(&f->take, &f->again);
    for (uint32_t i = 0; i < SENDERS; i++) {
        struct fan_sender *d = sim_alloc(f->s, sizeof(*d));

        d->f = f;
        d->id = i;
        sim_module_init(&f->from[i], f->s, NULL, &f->clock, "from");
        sim_pool_init(&f->pool[i], f->s, "packets", sizeof(struct packet));
        sim_out_init(&f->out[i], &f->from[i], "out", &packets);
        sim_in_init(&f->in[i], &f->to, "in", &packets, 2);
        sim_bind(&f->out[i], &f->in[i], 1);
        sim_event_init(&f->go[i], f->s, &f->clock, "go");
        sim_process_init(&f->send[i], f->s, "send", fan_send, d);
        sim_wake_on(&f->send[i], &f->go[i]);
        sim_wake_on(&f->send[i], &f->out[i].space);
        sim_wake_on(&f->take, &f->in[i].arrived);
        sim_notify_cycles(&f->go[i], 1);
    }
    sim_shuffle(f->s, seed);
    assert_int_equal(sim_run(f->s, SIM_TIME_MAX, 0), SIM_IDLE);
    assert_int_equal(f->n_order, 10 * SENDERS);
    assert_int_equal(sim_live_transactions(f->s), 0);
    sim_free(f->s);
}

static void fan_in(void **state)
{
    struct fan plain, shuffled;

    (void)state;
    fan_run(&plain, 0);
    for (uint64_t i = 0; i < 10; i++) {
        assert_int_equal(plain.order[i], i); /* the first port has priority */
    }
    for (uint64_t seed = 1; seed <= 20; seed++) {
        fan_run(&shuffled, seed);
        assert_memory_equal(plain.order, shuffled.order, sizeof(plain.order));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(fan_in),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
