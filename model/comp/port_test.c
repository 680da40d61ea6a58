/*
 * Ports: exactly when a transaction can be taken and a credit used, inside one clock
 * and between clocks; what is refused; and that the order of processes does not matter.
 */
#include "comp/comp.h"
#include "engine/panic_test.h"

struct packet {
    struct sim_txn txn;
    uint64_t value;
};

static const struct sim_proto packets = {"packet", sizeof(struct packet)};
static const struct sim_proto others = {"other", sizeof(struct packet)};

enum { LOG = 400 };

/* A sender and a receiver. At times written in a plan each does one thing; what they
 * see at every wake is left to the test's functions. */
struct rig {
    struct sim *s;
    struct sim_clock sender_clock, receiver_clock;
    struct sim_module from, to;
    struct sim_pool pool;
    struct sim_out out;
    struct sim_in in;
    struct sim_event probe_sender, probe_receiver;
    struct sim_process sender, receiver, on_space, on_arrived;
    void (*send)(struct rig *r);
    void (*receive)(struct rig *r);
    sim_time_t spaces[LOG], arrivals[LOG], takes[LOG], sends[LOG];
    uint64_t values[LOG];
    uint32_t n_spaces, n_arrivals, n_takes, n_sends;
};

static void run_sender(void *self)
{
    struct rig *r = self;

    r->send(r);
}

static void run_receiver(void *self)
{
    struct rig *r = self;

    r->receive(r);
}

static void note_space(void *self)
{
    struct rig *r = self;

    assert_true(r->n_spaces < LOG);
    r->spaces[r->n_spaces++] = sim_now(r->s);
}

static void note_arrived(void *self)
{
    struct rig *r = self;

    assert_true(r->n_arrivals < LOG);
    r->arrivals[r->n_arrivals++] = sim_now(r->s);
}

static void idle(struct rig *r)
{
    (void)r;
}

static const uint64_t mhz_num[] = {10000, 5000, 250000}; /* 700, 1400, 924 MHz */
static const uint64_t mhz_den[] = {7, 7, 231};

static void rig_init(struct rig *r, int sender, int receiver, uint32_t capacity,
                     uint32_t latency)
{
    memset(r, 0, sizeof(*r));
    r->s = sim_new();
    sim_clock_init(&r->sender_clock, r->s, "a", mhz_num[sender], mhz_den[sender]);
    sim_clock_init(&r->receiver_clock, r->s, "b", mhz_num[receiver], mhz_den[receiver]);
    sim_module_init(&r->from, r->s, NULL, &r->sender_clock, "from");
    sim_module_init(&r->to, r->s, NULL,
                    sender == receiver ? &r->sender_clock : &r->receiver_clock, "to");
    sim_pool_init(&r->pool, r->s, "packets", sizeof(struct packet));
    sim_out_init(&r->out, &r->from, "out", &packets);
    sim_in_init(&r->in, &r->to, "in", &packets, capacity);
    sim_bind(&r->out, &r->in, latency);
    sim_event_init(&r->probe_sender, r->s, r->from.clock, "probe_sender");
    sim_event_init(&r->probe_receiver, r->s, r->to.clock, "probe_receiver");
    sim_process_init(&r->on_space, r->s, "on_space", note_space, r);
    sim_process_init(&r->on_arrived, r->s, "on_arrived", note_arrived, r);
    sim_process_init(&r->sender, r->s, "sender", run_sender, r);
    sim_process_init(&r->receiver, r->s, "receiver", run_receiver, r);
    sim_wake_on(&r->on_space, &r->out.space);
    sim_wake_on(&r->on_arrived, &r->in.arrived);
    sim_wake_on(&r->sender, &r->probe_sender);
    sim_wake_on(&r->receiver, &r->probe_receiver);
    sim_wake_on(&r->receiver, &r->in.arrived);
    r->send = idle;
    r->receive = idle;
}

static struct packet *send_one(struct rig *r, uint32_t extra)
{
    struct packet *p = sim_pool_take(&r->pool);

    assert_true(r->n_sends < LOG);
    p->value = r->n_sends;
    r->sends[r->n_sends++] = sim_now(r->s);
    sim_send_later(&r->out, p, extra);
    return p;
}

static bool take_one(struct rig *r)
{
    struct packet *p = sim_peek(&r->in);

    if (p == NULL) {
        assert_null(sim_take(&r->in));
        return false;
    }
    assert_ptr_equal(sim_take(&r->in), p);
    assert_true(r->n_takes < LOG);
    r->values[r->n_takes] = p->value;
    r->takes[r->n_takes++] = sim_now(r->s);
    sim_pool_give(p);
    return true;
}

static void take_all(struct rig *r)
{
    while (take_one(r)) {
    }
}

/* First edge of c strictly later than t. */
static sim_cycle_t edge_after(const struct sim_clock *c, sim_time_t t)
{
    sim_cycle_t k = 0;

    while (sim_edge(c, k) <= t) {
        k++;
    }
    return k;
}

/* Send once from outside any process, at time t. */
static void go_to(struct rig *r, sim_time_t t)
{
    enum sim_status status = sim_run(r->s, t, 0);

    if (status == SIM_IDLE && sim_now(r->s) < t) { /* let time pass nevertheless */
        sim_notify_ps(&r->probe_sender, t - sim_now(r->s));
        sim_run(r->s, t, 0);
    }
    assert_true(sim_now(r->s) == t);
}

/* Not at t - 1, at t: for all pairs of clocks, phases, latencies and extras. */
static void arrival_is_exact(void **state)
{
    (void)state;
    for (int pair = 0; pair < 9; pair++) {
        for (uint32_t latency = 1; latency < 5; latency++) {
            for (sim_cycle_t at = 0; at < 12; at++) {
                uint32_t extra = (uint32_t)at % 3;
                struct rig r;
                struct sim_clock *to;
                sim_time_t due;

                rig_init(&r, pair / 3, pair % 3, 2, latency);
                to = r.to.clock;
                go_to(&r, sim_edge(r.from.clock, at));
                due = sim_edge(to, edge_after(to, sim_now(r.s)) + latency - 1 + extra);
                send_one(&r, extra);
                assert_null(sim_peek(&r.in)); /* not at the instant of the send */
                assert_true(sim_pending(&r.in.arrived));
                go_to(&r, due - 1);
                assert_false(take_one(&r));
                assert_int_equal(r.n_arrivals, 0);
                go_to(&r, due);
                assert_int_equal(r.n_arrivals, 1);
                assert_int_equal(r.arrivals[0], due);
                assert_true(take_one(&r));
                assert_false(sim_pending(&r.in.arrived));
                assert_int_equal(sim_live_transactions(r.s), 0);
                sim_free(r.s);
            }
        }
    }
}

/* Said in advance, it arrives as if sent in that cycle: not at t - 1, at t. */
static void sent_in_advance(void **state)
{
    (void)state;
    for (int pair = 0; pair < 9; pair++) {
        for (sim_cycle_t now = 0; now < 7; now++) {
            for (sim_cycle_t at = now; at < now + 12; at++) {
                struct rig r;
                struct sim_clock *to;
                sim_time_t due;

                rig_init(&r, pair / 3, pair % 3, 1, 2);
                to = r.to.clock;
                due = sim_edge(to, edge_after(to, sim_edge(r.from.clock, at)) + 1);
                go_to(&r, sim_edge(r.from.clock, now));
                sim_send_at(&r.out, sim_pool_take(&r.pool), at);
                assert_false(sim_out_ready(&r.out));
                go_to(&r, due - 1);
                assert_false(take_one(&r));
                go_to(&r, due);
                assert_int_equal(r.n_arrivals, 1);
                assert_true(take_one(&r));
                sim_free(r.s);
            }
        }
    }
}

/* A receiver that takes one every ten cycles, and knows it. */
struct server {
    sim_cycle_t free_at, taken;
    bool looks;
};

static sim_cycle_t opens_at(void *self, const void *txn, sim_cycle_t ready)
{
    const struct server *v = self;

    (void)txn;
    return v->looks ? SIM_CYCLE_NONE : ready > v->free_at ? ready : v->free_at;
}

static void serve_at(void *self, void *txn, sim_cycle_t taken)
{
    struct server *v = self;

    v->taken = taken;
    v->free_at = taken + 10;
    sim_pool_give(txn);
}

/* What is handed over is taken in its turn, and each credit is back in the cycle behind
 * that: asked ahead of the engine as well as by it. */
static void handed_over(void **state)
{
    struct server v = {.free_at = 7};
    struct rig r;

    (void)state;
    rig_init(&r, 0, 0, 3, 2);
    assert_int_equal(sim_open(&r.out, NULL, 1), SIM_CYCLE_NONE);
    sim_in_serves(&r.in, opens_at, serve_at, &v);
    for (sim_cycle_t k = 0; k < 3; k++) {
        struct packet *p = sim_pool_take(&r.pool);

        assert_int_equal(sim_open(&r.out, p, 2 + k), 7 + 10 * k);
        sim_hand(&r.out, p);
        assert_int_equal(v.taken, 7 + 10 * k);
    }
    assert_int_equal(sim_live_transactions(r.s), 0);
    assert_int_equal(sim_open(&r.out, NULL, 5), SIM_CYCLE_NONE); /* no credit */
    assert_false(sim_out_ready_at(&r.out, 7));
    assert_int_equal(sim_out_credit_at(&r.out, 7), 8);
    sim_out_wait(&r.out);
    go_to(&r, sim_edge(&r.sender_clock, 8));
    assert_int_equal(r.n_spaces, 1);
    assert_int_equal(sim_out_credits(&r.out), 1);
    v.looks = true;
    assert_int_equal(sim_open(&r.out, NULL, 8), SIM_CYCLE_NONE);
    v.looks = false;
    send_one(&r, 0);
    assert_int_equal(sim_out_credit_at(&r.out, 9), 18);
    assert_int_equal(sim_open(&r.out, NULL, 18), SIM_CYCLE_NONE); /* it is not taken */
    go_to(&r, sim_edge(&r.sender_clock, 10));
    assert_true(take_one(&r));
    assert_int_equal(sim_open(&r.out, NULL, 28), 37);
    assert_int_equal(sim_out_credits(&r.out), 3);
    sim_free(r.s);
}

/* A credit: not at the take's instant, at the sender's next edge; space exactly then.
 */
static void credit_is_exact(void **state)
{
    (void)state;
    for (int pair = 0; pair < 9; pair++) {
        for (sim_cycle_t at = 1; at < 12; at++) {
            for (int late = 0; late < 3; late++) { /* when the sender says it waits */
                struct rig r;
                struct sim_clock *from;
                sim_time_t due;

                rig_init(&r, pair / 3, pair % 3, 1, 1);
                from = r.from.clock;
                assert_true(sim_out_ready(&r.out));
                assert_int_equal(sim_out_credits(&r.out), 1);
                send_one(&r, 0);
                assert_false(sim_out_ready(&r.out));
                go_to(&r, sim_edge(r.to.clock, at));
                if (late == 0) {
                    sim_out_wait(&r.out);
                    sim_out_wait(&r.out);
                }
                assert_true(take_one(&r));
                due = sim_edge(from, edge_after(from, sim_now(r.s)));
                if (late == 1) {
                    sim_out_wait(&r.out); /* at the same instant: no difference */
                }
                assert_false(sim_out_ready(&r.out));
                assert_int_equal(sim_out_credits(&r.out), 0);
                go_to(&r, due - 1);
                assert_false(sim_out_ready(&r.out));
                assert_int_equal(r.n_spaces, 0);
                go_to(&r, due);
                assert_true(sim_out_ready(&r.out));
                assert_int_equal(sim_out_credits(&r.out), 1);
                assert_int_equal(r.n_spaces, late < 2);
                if (late < 2) {
                    assert_int_equal(r.spaces[0], due);
                }
                sim_free(r.s);
            }
        }
    }
}

/* Takes at several edges before the sender looks: every credit at its own time. */
static void credits_return_one_by_one(void **state)
{
    struct rig r;

    (void)state;
    rig_init(&r, 0, 1, 4, 1); /* 700 MHz to 1400 MHz */
    for (int i = 0; i < 4; i++) {
        send_one(&r, 0);
    }
    go_to(&r, sim_edge(&r.receiver_clock, 1));
    assert_true(take_one(&r)); /* usable at sender's edge 1 */
    assert_true(take_one(&r));
    go_to(&r, sim_edge(&r.receiver_clock, 2));
    assert_int_equal(sim_cycle(&r.sender_clock), 1);
    assert_true(take_one(&r)); /* usable at sender's edge 2; the first two are usable */
    assert_int_equal(sim_out_credits(&r.out), 2);
    go_to(&r, sim_edge(&r.receiver_clock, 3));
    assert_true(take_one(&r)); /* the same */
    assert_int_equal(sim_out_credits(&r.out), 2);
    go_to(&r, sim_edge(&r.receiver_clock, 4));
    assert_int_equal(sim_out_credits(&r.out), 4);
    sim_free(r.s);
}

/* With a credit at hand, waiting is for the next one. */
static void wait_for_one_more(void **state)
{
    struct rig r;

    (void)state;
    rig_init(&r, 0, 0, 2, 1);
    send_one(&r, 0);
    sim_out_wait(&r.out);
    go_to(&r, sim_edge(&r.sender_clock, 5));
    assert_int_equal(r.n_spaces, 0);
    assert_true(sim_out_ready(&r.out));
    take_one(&r);
    go_to(&r, sim_edge(&r.sender_clock, 6));
    assert_int_equal(r.n_spaces, 1);
    assert_int_equal(sim_out_credits(&r.out), 2);
    sim_free(r.s);
}

/* Five sent at once with growing delays: arrived is re-armed from each new head. */
static void arrived_follows_the_head(void **state)
{
    static const uint32_t extra[] = {0, 0, 2, 2, 300};
    static const sim_cycle_t at[] = {1, 3, 301};
    struct rig r;

    (void)state;
    rig_init(&r, 0, 0, 5, 1);
    r.receive = take_all;
    for (size_t i = 0; i < ARRAY_LEN(extra); i++) {
        send_one(&r, extra[i]);
    }
    assert_int_equal(sim_run(r.s, SIM_TIME_MAX, 0), SIM_IDLE);
    assert_int_equal(r.n_takes, 5);
    assert_int_equal(r.n_arrivals, 3);
    for (size_t i = 0; i < ARRAY_LEN(at); i++) {
        assert_int_equal(r.arrivals[i], sim_edge(&r.sender_clock, at[i]));
    }
    for (uint64_t i = 0; i < 5; i++) {
        assert_int_equal(r.values[i], i);
    }
    sim_free(r.s);
}

/* An arrived head left in the queue: not repeated; once taken, the next one is armed.
 */
static void arrived_head_left_behind(void **state)
{
    struct rig r;

    (void)state;
    rig_init(&r, 0, 0, 4, 1);
    send_one(&r, 0);
    go_to(&r, sim_edge(&r.sender_clock, 1));
    assert_int_equal(r.n_arrivals, 1);
    send_one(&r, 10); /* due at 12, behind the head */
    assert_false(sim_pending(&r.in.arrived));
    go_to(&r, sim_edge(&r.sender_clock, 5));
    assert_true(take_one(&r));
    assert_true(sim_pending(&r.in.arrived));
    go_to(&r, sim_edge(&r.sender_clock, 12) - 1);
    assert_false(take_one(&r));
    go_to(&r, sim_edge(&r.sender_clock, 12));
    assert_int_equal(r.n_arrivals, 2);
    send_one(&r, 0); /* while the head is there */
    go_to(&r, sim_edge(&r.sender_clock, 13));
    assert_int_equal(r.n_arrivals, 2);
    assert_true(take_one(&r)); /* the next head has arrived already */
    assert_false(sim_pending(&r.in.arrived));
    assert_true(take_one(&r));
    sim_free(r.s);
}

/* What takes three places of four leaves room for one more, and gives all back when it
 * is taken. */
static void wide(void **state)
{
    struct rig r;
    struct packet *p;

    (void)state;
    rig_init(&r, 0, 0, 4, 1);
    go_to(&r, sim_edge(r.from.clock, 1));
    p = sim_pool_take(&r.pool);
    p->value = 0;
    sim_send_wide(&r.out, p, 0, 3);
    assert_int_equal(sim_out_credits(&r.out), 1);
    (void)send_one(&r, 0);
    assert_false(sim_out_ready(&r.out));
    go_to(&r, sim_edge(r.from.clock, 2));
    assert_ptr_equal(sim_take(&r.in), p);
    sim_in_free(&r.in, 2);
    sim_pool_give(p);
    assert_int_equal(sim_out_credits(&r.out), 0); /* at the next edge */
    go_to(&r, sim_edge(r.from.clock, 3));
    assert_int_equal(sim_out_credits(&r.out), 3);
    assert_true(take_one(&r));
    assert_int_equal(sim_live_transactions(r.s), 0);
    sim_free(r.s);
}

static void level(void **state)
{
    struct rig r;

    (void)state;
    rig_init(&r, 0, 0, 4, 2);
    assert_int_equal(sim_in_level(&r.in), 0);
    send_one(&r, 0);
    send_one(&r, 0);
    assert_int_equal(sim_in_level(&r.in), 0); /* sent at this very instant */
    go_to(&r, sim_edge(&r.sender_clock, 1));
    assert_int_equal(sim_in_level(&r.in), 2); /* under way */
    send_one(&r, 0);
    assert_int_equal(sim_in_level(&r.in), 2);
    go_to(&r, sim_edge(&r.sender_clock, 2));
    send_one(&r, 0);
    assert_true(take_one(&r));
    assert_int_equal(sim_in_level(&r.in), 2);
    assert_true(take_one(&r));
    assert_int_equal(sim_in_level(&r.in), 1);
    go_to(&r, sim_edge(&r.sender_clock, 3));
    assert_int_equal(sim_in_level(&r.in), 2);
    sim_free(r.s);
}

static void refused(void **state)
{
    struct rig r;
    struct sim_module m;
    struct sim_in in;
    struct sim_out out;
    struct sim *other = sim_new();
    struct sim_module foreign;
    struct packet p;

    (void)state;
    rig_init(&r, 0, 0, 1, 3);
    sim_in_init(&in, &r.to, "free_in", &packets, 1);
    sim_out_init(&out, &r.from, "free_out", &packets);
    expect_panic(r.s, "in from.out: a port bound twice", sim_bind(&r.out, &in, 1));
    expect_panic(r.s, "in to.in: a port bound twice", sim_bind(&out, &r.in, 1));
    expect_panic(r.s, "in from.free_out: one simulation", sim_bind(&out, &in, 0));
    expect_panic(r.s, "in from.free_out: send without", sim_send(&out, &p));
    sim_in_init(&in, &r.to, "other", &others, 1);
    expect_panic(r.s, "protocols", sim_bind(&out, &in, 1));
    sim_module_init(&foreign, other, NULL, &r.sender_clock, "foreign");
    sim_in_init(&in, &foreign, "in", &packets, 1);
    expect_panic(r.s, "one simulation", sim_bind(&out, &in, 1));
    sim_module_init(&m, r.s, NULL, NULL, "m");
    expect_panic(r.s, "clockless", sim_in_init(&in, &m, "clockless", &packets, 1));
    expect_panic(r.s, "clockless", sim_out_init(&out, &m, "clockless", &packets));
    expect_panic(r.s, "none", sim_in_init(&in, &r.to, "none", &packets, 0));
    send_one(&r, 0);
    expect_panic(r.s, "from.out: send without a credit", send_one(&r, 0));
    sim_free(r.s);
    sim_free(other);
}

static void arrivals_must_not_overtake(void **state)
{
    struct rig r;

    (void)state;
    rig_init(&r, 0, 0, 3, 1);
    send_one(&r, 5);
    send_one(&r, 5); /* the same cycle is fine */
    expect_panic(r.s, "from.out: arrival before an earlier one", send_one(&r, 4));
    sim_free(r.s);
}

/* A queue of one, a hurried sender: a message every second edge of one clock. */
static void send_when_ready(struct rig *r)
{
    if (r->n_sends == 20) {
        return;
    }
    if (!sim_out_ready(&r->out)) {
        sim_out_wait(&r->out);
        return;
    }
    send_one(r, 0);
    sim_notify_cycles(&r->probe_sender, 1);
}

static void credit_loop(void **state)
{
    struct rig r;

    (void)state;
    rig_init(&r, 0, 0, 1, 1);
    r.send = send_when_ready;
    r.receive = take_all;
    sim_wake_on(&r.sender, &r.out.space);
    sim_notify_cycles(&r.probe_sender, 1);
    assert_int_equal(sim_run(r.s, SIM_TIME_MAX, 0), SIM_IDLE);
    assert_int_equal(r.n_takes, 20);
    for (sim_cycle_t i = 0; i < 20; i++) {
        assert_int_equal(r.sends[i], sim_edge(&r.sender_clock, 1 + 2 * i));
        assert_int_equal(r.takes[i], sim_edge(&r.sender_clock, 2 + 2 * i));
    }
    assert_int_equal(sim_live_transactions(r.s), 0);
    sim_free(r.s);
}

static void send_two(struct rig *r)
{
    send_one(r, 0);
    send_one(r, 0);
}

/* A port is in the set from the first transaction on, and no sooner than it holds
 * one. */
static void marks_its_set(void **state)
{
    uint64_t set[2] = {0, 0};
    struct packet *p;
    struct rig r;

    (void)state;
    rig_init(&r, 0, 0, 4, 5);
    sim_in_mark(&r.in, set, 70);
    r.send = send_two;
    sim_notify_cycles(&r.probe_sender, 2);
    assert_int_equal(sim_run(r.s, sim_edge(&r.sender_clock, 2) - 1, 0), SIM_REACHED);
    assert_int_equal(set[1], 0);
    assert_int_equal(sim_run(r.s, sim_edge(&r.sender_clock, 2), 0), SIM_REACHED);
    assert_int_equal(set[1], 1 << 6); /* sent; it can be taken in five cycles */
    assert_int_equal(r.in.held, 2);
    set[1] = 0;
    assert_int_equal(sim_run(r.s, SIM_TIME_MAX, 0), SIM_IDLE);
    while ((p = sim_take(&r.in)) != NULL) {
        sim_pool_give(p);
    }
    assert_int_equal(set[0] | set[1], 0); /* only what was empty is marked */
    sim_notify_cycles(&r.probe_sender, 1);
    assert_int_equal(sim_run(r.s, SIM_TIME_MAX, 0), SIM_IDLE);
    assert_int_equal(set[1], 1 << 6);
    sim_free(r.s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrival_is_exact),
        cmocka_unit_test(sent_in_advance),
        cmocka_unit_test(handed_over),
        cmocka_unit_test(credit_is_exact),
        cmocka_unit_test(credits_return_one_by_one),
        cmocka_unit_test(wait_for_one_more),
        cmocka_unit_test(arrived_follows_the_head),
        cmocka_unit_test(arrived_head_left_behind),
        cmocka_unit_test(wide),
        cmocka_unit_test(level),
        cmocka_unit_test(refused),
        cmocka_unit_test(arrivals_must_not_overtake),
        cmocka_unit_test(credit_loop),
        cmocka_unit_test(marks_its_set),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
