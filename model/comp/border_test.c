/*
 * Borders: clients that are domains and run ahead of a server that is the whole must see,
 * and make it see, exactly what they do in one simulation: when each packet is taken, when
 * each credit comes back, what is raised.
 */
#include "comp/comp.h"
#include "engine/panic_test.h"

enum {
    CLIENTS = 3,
    PACKETS = 300, /* each client asks for */
    LATENCY = 9,   /* of an answer, in cycles of a client */
    QUEUE = 5,     /* packets the server holds of a client */
    SENDS = 2,     /* a client's in one cycle, at most */
    LINES = CLIENTS * PACKETS * 8
};

struct packet {
    struct sim_txn txn;
    uint32_t from, number;
};

static const struct sim_proto packets = {"packet", sizeof(struct packet)};

struct client {
    struct sim_clock own; /* in its domain */
    struct sim_module base;
    struct sim_pool pool;
    struct sim_out ask;
    struct sim_in answer;
    struct sim_event go;
    struct sim_process step;
    uint32_t number, sent, back;
    uint64_t random;
    struct net *net;
    sim_time_t done; /* has run so far */
};

struct line { /* of what happened */
    sim_time_t at;
    uint32_t who, what, number;
};

struct net {
    struct sim *s;
    struct sim_clock fast, slow;
    struct sim_module root, server;
    struct sim_in ask[CLIENTS];
    struct sim_out answer[CLIENTS];
    struct sim_event slot;
    struct sim_process serve;
    uint32_t turn;
    uint64_t asked; /* set of clients that something came from */
    struct client client[CLIENTS];
    struct sim_hook heard;
    struct sim_listener listener;
    struct line line[CLIENTS + 1][LINES / 2], said[LINES];
    uint32_t n[CLIENTS + 1], n_said;
    uint32_t waits; /* for want of credits, of clients */
};

static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    return z ^ (z >> 27);
}

static void note(struct net *n, uint32_t who, sim_time_t at, uint32_t what,
                 uint32_t number)
{
    n->line[who][n->n[who]++] = (struct line){at, who, what, number};
}

static void client_step(void *self)
{
    struct client *c = self;
    struct sim *s = c->base.sim;
    struct packet *p;

    while ((p = sim_take(&c->answer)) != NULL) {
        note(c->net, c->number, sim_now(s), 0, p->number);
        if (p->number % 50 == 7 && sim_heard(&c->net->heard)) {
            sim_raise(&c->net->heard, &c->base, &p->number, sizeof(p->number));
        }
        c->back++;
        sim_pool_give(p);
    }
    for (uint64_t k = draw(&c->random) % (SENDS + 1); k > 0 && c->sent < PACKETS; k--) {
        if (!sim_out_ready(&c->ask)) {
            c->net->waits++;
            sim_out_wait(&c->ask);
            note(c->net, c->number, sim_now(s), 1, c->sent);
            return;
        }
        p = sim_pool_take(&c->pool);
        p->from = c->number;
        p->number = c->sent++;
        sim_send(&c->ask, p);
    }
    if (c->sent < PACKETS && !sim_pending(&c->go)) {
        sim_notify_cycles(&c->go, 1 + draw(&c->random) % 7);
    }
}

/* One packet per cycle, of the clients in turn, as long as answers can be sent. */
static void serve(void *self)
{
    struct net *n = self;
    bool more = false;

    for (uint32_t k = 0; k < CLIENTS; k++) {
        uint32_t i = (n->turn + k) % CLIENTS;
        struct packet *p = sim_peek(&n->ask[i]);

        assert_true(p == NULL || (n->asked >> i & 1) != 0);
        if (p == NULL) {
            continue;
        }
        if (!sim_out_ready(&n->answer[i])) {
            sim_out_wait(&n->answer[i]);
            continue;
        }
        p = sim_take(&n->ask[i]);
        note(n, CLIENTS, sim_now(n->s), i, p->number);
        sim_send(&n->answer[i], p);
        n->turn = i + 1;
        more = true;
        break;
    }
    if (more && !sim_pending(&n->slot)) {
        sim_notify_cycles(&n->slot, 1);
    }
}

static void hear(void *ctx, sim_time_t now, const struct sim_module *from,
                 const void *record)
{
    struct net *n = ctx;
    const struct client *c =
        (const struct client *)(const void *)((const char *)from -
                                              offsetof(struct client, base));

    n->said[n->n_said++] = (struct line){now, c->number, 0, *(const uint32_t *)record};
}

static void join(const struct net *n, struct sim_out *o, struct sim_in *i,
                 uint32_t latency, uint32_t enough)
{
    if (n->client[0].base.sim == n->s) {
        sim_bind(o, i, latency);
    } else {
        sim_bind_domains(o, i, latency, enough);
    }
}

static struct net *build(bool domains, uint64_t seed)
{
    struct net *n = calloc(1, sizeof(*n));

    assert_non_null(n);
    n->s = sim_new();
    sim_clock_init(&n->fast, n->s, "fast", 5000, 7);
    sim_clock_init(&n->slow, n->s, "slow", 10000, 7 + seed % 5);
    sim_module_init(&n->root, n->s, NULL, &n->fast, "root");
    sim_module_init(&n->server, n->s, &n->root, &n->slow, "server");
    sim_hook_init(&n->heard, n->s, "heard");
    n->listener = (struct sim_listener){.heard = hear, .ctx = n};
    sim_listen(&n->heard, &n->listener);
    sim_event_init(&n->slot, n->s, &n->slow, "slot");
    sim_process_init(&n->serve, n->s, "serve", serve, n);
    sim_wake_on(&n->serve, &n->slot);
    for (uint32_t i = 0; i < CLIENTS; i++) {
        struct client *c = &n->client[i];
        struct sim *s = domains ? sim_new_domain(n->s) : n->s;

        sim_clock_init(&c->own, s, "own", 5000, 7);
        c->number = i;
        c->random = seed * CLIENTS + i;
        c->net = n;
        sim_module_init(&c->base, s, &n->root, &c->own, "client");
        sim_pool_init(&c->pool, s, "packet", sizeof(struct packet));
        sim_out_init(&c->ask, &c->base, "ask", &packets);
        sim_in_init(&c->answer, &c->base, "answer", &packets, 2);
        sim_event_init(&c->go, s, &c->own, "go");
        sim_process_init(&c->step, s, "client", client_step, c);
        sim_wake_on(&c->step, &c->go);
        sim_wake_on(&c->step, &c->ask.space);
        sim_wake_on(&c->step, &c->answer.arrived);
        sim_in_init(&n->ask[i], &n->server, "ask", &packets, QUEUE);
        sim_in_mark(&n->ask[i], &n->asked, i);
        sim_out_init(&n->answer[i], &n->server, "answer", &packets);
        sim_wake_on(&n->serve, &n->ask[i].arrived);
        sim_wake_on(&n->serve, &n->answer[i].space);
        join(n, &c->ask, &n->ask[i], 2, SENDS);
        join(n, &n->answer[i], &c->answer, LATENCY, 0);
        sim_notify_cycles(&c->go, 1 + i);
    }
    return n;
}

/* Let client i run, ahead if it has credits; true if it ended early. */
static void run_client(struct net *n, uint32_t i, sim_time_t now)
{
    struct client *c = &n->client[i];
    sim_time_t until = now;

    if (sim_out_credits(&c->ask) >= SENDS) {
        until = sim_edge(&n->fast, sim_cycle_of(&n->fast, now) + LATENCY - 1);
    }
    if (until <= c->done) {
        return;
    }
    sim_border_enter(c->base.sim);
    c->done = until;
    if (sim_run_domain(c->base.sim, until) == SIM_STOPPED) {
        c->done = sim_now(c->base.sim);
    }
}

static uint32_t run_ahead(struct net *n, bool backwards)
{
    uint32_t turns = 0;

    for (;; turns++) {
        sim_time_t now = sim_next(n->s), all = SIM_TIME_MAX;

        for (uint32_t i = 0; i < CLIENTS; i++) {
            struct sim *s = n->client[i].base.sim;
            sim_time_t at = sim_next(s), border = sim_border_next(s);

            at = border < at ? border : at;
            now = at < now ? at : now;
        }
        if (now == SIM_TIME_MAX) {
            return turns;
        }
        for (uint32_t i = 0; i < CLIENTS; i++) {
            run_client(n, backwards ? CLIENTS - 1 - i : i, now);
        }
        for (uint32_t i = 0; i < CLIENTS; i++) {
            sim_border_leave(n->client[i].base.sim);
            all = n->client[i].done < all ? n->client[i].done : all;
        }
        (void)sim_run_domain(n->s, all);
    }
}

static int by_time(const void *a, const void *b)
{
    const struct line *x = a, *y = b;

    return x->at != y->at     ? (x->at < y->at ? -1 : 1)
           : x->who != y->who ? (x->who < y->who ? -1 : 1)
                              : (int)x->number - (int)y->number;
}

static void test_as_in_one_simulation(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct net *one = build(false, seed), *many = build(true, seed);
        uint32_t turns;

        assert_int_equal(sim_run(one->s, SIM_TIME_MAX, 0), SIM_IDLE);
        turns = run_ahead(many, seed % 2 != 0);
        for (uint32_t i = 0; i <= CLIENTS; i++) {
            assert_true(one->n[i] > PACKETS);
            assert_int_equal(one->n[i], many->n[i]);
            assert_memory_equal(one->line[i], many->line[i],
                                one->n[i] * sizeof(one->line[i][0]));
        }
        assert_true(one->waits > 0);
        assert_int_equal(one->waits, many->waits);
        assert_int_equal(one->n_said, CLIENTS * PACKETS / 50);
        assert_int_equal(many->n_said, one->n_said);
        qsort(many->said, many->n_said, sizeof(many->said[0]), by_time);
        qsort(one->said, one->n_said, sizeof(one->said[0]), by_time);
        assert_memory_equal(one->said, many->said, one->n_said * sizeof(one->said[0]));
        assert_int_equal(sim_live_transactions(many->s), 0);
        assert_true(turns < sim_counters(one->s)->instants); /* it did run ahead */
        sim_free(one->s);
        sim_free(many->s);
        free(one);
        free(many);
    }
}

static void test_refused(void **state)
{
    struct net *n = build(true, 1);
    struct sim *domain = n->client[0].base.sim;
    struct sim_watcher w = {0};
    struct sim_out o, far;
    struct sim_in i, near;

    (void)state;
    assert_true(sim_has_domains(n->s) && sim_has_domains(domain));
    expect_panic(n->s, "domain", (void)sim_run(n->s, 1000, 0));
    expect_panic(n->s, "domain", (void)sim_new_domain(domain));
    expect_panic(n->s, "same instant", sim_watch(n->s, &w));
    sim_out_init(&o, &n->client[0].base, "o", &packets);
    sim_in_init(&i, &n->client[1].base, "i", &packets, 1);
    sim_out_init(&far, &n->client[0].base, "far", &packets);
    sim_in_init(&near, &n->server, "near", &packets, 1);
    expect_panic(n->s, "between the whole and a domain",
                 sim_bind_domains(&o, &i, 1, 0));
    expect_panic(n->s, "different domains", sim_bind(&far, &near, 1));
    sim_free(n->s);
    free(n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_in_one_simulation),
                                       cmocka_unit_test(test_refused)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
