#include "mem/net.h"

static const struct cfg_field net_fields[] = {
    CFG_U32(struct net_config, latency, 1, 80, 10000, CFG_CYCLES, 0,
            "a request to another SM of its GPC, and its answer, on the way",
            "CLUSTER-3"),
    CFG_U32(struct net_config, interval, 1, 2, 1000, CFG_CYCLES, 0,
            "between two packets of 32 bytes that an SM sends or takes", "CLUSTER-3"),
    CFG_U32(struct net_config, barrier, 2, 40, 10000, CFG_CYCLES, 0,
            "last arrival of a cluster's blocks to the release", "CLUSTER-4"),
    CFG_U32(struct net_config, release, 0, 640, 100000, CFG_CYCLES, 0,
            "barrier.cluster.arrive, unless it is relaxed", "CLUSTER-4"),
};
const struct cfg_table net_keys = CFG_TABLE(net_fields);

static const struct sim_probe_desc probe_requests = {
    .name = "requests_per_64",
    .kind = SIM_PROBE_RATE,
    .width = 16,
    .doc = "requests to shared memory of other SMs, in 64 cycles",
    .unit = "requests",
    .views = "memory",
};
static const struct sim_probe_desc probe_waiting = {
    .name = "barriers",
    .kind = SIM_PROBE_LEVEL,
    .width = 16,
    .doc = "clusters some blocks of which wait at the barrier",
    .unit = "clusters",
    .views = "scheduler",
};

struct meeting { /* of the blocks of a cluster */
    struct meeting *next;
    uint64_t cluster;
    uint32_t launch;
    uint32_t size, gone; /* blocks; those that have exited */
    uint32_t here;       /* in come */
    struct mem_reqs come;
};

struct lane { /* requests, or answers: one way */
    struct sim_in *in;
    struct sim_out *out;
    sim_cycle_t *sends_at, *takes_at; /* of each SM: the next packet */
    uint64_t held[4];                 /* SMs with something in `in` */
    uint32_t turn;
};

struct net {
    struct sim_module scope;
    struct net_config cfg;
    uint32_t n_sms;
    struct lane there, back;
    struct sim_in *arrive;
    struct sim_out *release;
    uint64_t arrived[4];
    struct meeting *meeting, *free;
    uint32_t n_waiting;
    uint64_t n_requests;
    struct sim_event slot;
    struct sim_process step;
    struct sim_probe p_requests, p_waiting;
};

/* ---- packets ---- */

uint32_t net_packets(const struct mem_req *r)
{
    const uint64_t bytes = (uint64_t)r->size * r->vec;
    uint64_t sector[ISA_LANES * 2];
    uint32_t turn[ISA_LANES * 2]; /* of lanes of an atomic that mean one word */
    uint32_t n = 0;

    for (uint32_t m = r->mask; m != 0; m &= m - 1) {
        const uint32_t lane = attr_lowest_bit(m);
        const uint64_t at = r->addr[lane] / MEM_SECTOR;
        uint32_t same = 0, i = 0;

        for (uint32_t k = r->op >= MEM_ATOM ? r->mask & ((1u << lane) - 1) : 0; k != 0;
             k &= k - 1) {
            same += r->addr[attr_lowest_bit(k)] / bytes == r->addr[lane] / bytes;
        }
        while (i < n && (sector[i] != at || turn[i] != same)) {
            i++;
        }
        if (i == n) {
            sector[n] = at;
            turn[n++] = same;
        }
    }
    return n;
}

/* ---- on the way ---- */

/* The request at the head of SM i's queue goes, if nothing is in its way; else when to
 * look again, SIM_CYCLE_NONE: when a credit comes. */
static sim_cycle_t pass(struct net *n, struct lane *w, uint32_t i, bool answers,
                        sim_cycle_t now)
{
    struct mem_req *r = sim_peek(&w->in[i]);
    const uint32_t to = answers ? r->away.from : r->away.to;
    struct sim_out *out = &w->out[to];
    sim_cycle_t free =
        w->sends_at[i] > w->takes_at[to] ? w->sends_at[i] : w->takes_at[to];
    bool heavy = answers == (r->op == MEM_LOAD);
    uint32_t cycles;

    if (free > now) {
        return free;
    }
    if (!sim_out_ready(out)) {
        sim_out_wait(out);
        return SIM_CYCLE_NONE;
    }
    (void)sim_take_head(&w->in[i], now);
    cycles = n->cfg.interval * (heavy || r->op == MEM_ATOM ? net_packets(r) : 1);
    w->sends_at[i] = w->takes_at[to] = now + cycles;
    if (!answers) {
        n->n_requests++;
        sim_probe_set(&n->p_requests, n->n_requests);
    }
    sim_send(out, r);
    return w->in[i].head != NULL ? w->sends_at[i] : SIM_CYCLE_NONE;
}

static sim_cycle_t pass_all(struct net *n, struct lane *w, bool answers,
                            sim_cycle_t now)
{
    sim_cycle_t next = SIM_CYCLE_NONE;
    const uint32_t first = w->turn;

    if ((w->held[0] | w->held[1] | w->held[2] | w->held[3]) == 0) {
        return next;
    }
    for (uint32_t k = 0, i = first; k < n->n_sms;
         k++, i = i + 1 == n->n_sms ? 0 : i + 1) {
        sim_cycle_t at;

        if ((w->held[i / 64] >> i % 64 & 1u) == 0) {
            continue;
        }
        if (mem_has_arrived(&w->in[i], now)) {
            at = pass(n, w, i, answers, now);
            next = at < next ? at : next;
        }
        if (w->in[i].held == 0) {
            w->held[i / 64] &= ~(1ull << i % 64);
        }
    }
    w->turn = first + 1 == n->n_sms ? 0 : first + 1;
    return next;
}

/* ---- barriers ---- */

static struct meeting *meeting_of(struct net *n, const struct mem_req *r)
{
    struct meeting *m = n->meeting;

    while (m != NULL && (m->cluster != r->block || m->launch != r->launch)) {
        m = m->next;
    }
    if (m != NULL) {
        return m;
    }
    m = n->free;
    if (m != NULL) {
        n->free = m->next;
    } else {
        m = sim_alloc(n->scope.sim, sizeof(*m));
    }
    *m = (struct meeting){.next = n->meeting,
                          .cluster = r->block,
                          .launch = r->launch,
                          .size = r->mask};
    n->meeting = m;
    return m;
}

static void forget(struct net *n, struct meeting *m)
{
    struct meeting **at = &n->meeting;

    while (*at != m) {
        at = &(*at)->next;
    }
    *at = m->next;
    m->next = n->free;
    n->free = m;
}

/* SPEC CLUSTER-4 */
static void take_arrival(struct net *n, struct mem_req *r)
{
    struct meeting *m = meeting_of(n, r);

    if (r->vec != 0) {
        m->gone++;
        sim_pool_give(r);
    } else {
        m->here++;
        mem_reqs_append(&m->come, r);
    }
    if (m->here + m->gone != m->size) {
        return;
    }
    while (m->come.first != NULL) {
        struct mem_req *one = mem_reqs_take(&m->come);

        sim_send(&n->release[one->away.from], one);
    }
    m->here = 0;
    if (m->gone == m->size || m->gone == 0) {
        forget(n, m);
    }
}

static void take_arrivals(struct net *n, sim_cycle_t now)
{
    for (uint32_t k = 0; k < 4; k++) {
        for (uint64_t left = n->arrived[k]; left != 0; left &= left - 1) {
            const uint32_t i = 64 * k + attr_lowest_bit(left);

            while (mem_has_arrived(&n->arrive[i], now)) {
                take_arrival(n, sim_take_head(&n->arrive[i], now));
            }
            if (n->arrive[i].held == 0) {
                n->arrived[k] &= ~(1ull << i % 64);
            }
        }
    }
}

static void show(void *ctx)
{
    struct net *n = ctx;
    uint32_t waiting = 0;

    for (const struct meeting *m = n->meeting; m != NULL; m = m->next) {
        waiting += m->here != 0;
    }
    sim_probe_set(&n->p_waiting, waiting);
}

/* Woken by whatever arrives, slot, and credits. */
static void net_step(void *self)
{
    struct net *n = self;
    const sim_cycle_t now = sim_here(&n->scope);
    sim_cycle_t next, back;

    next = pass_all(n, &n->there, false, now);
    back = pass_all(n, &n->back, true, now);
    next = back < next ? back : next;
    take_arrivals(n, now);
    if (next != SIM_CYCLE_NONE) {
        sim_notify_at(&n->slot, next > now ? next : now + 1);
    }
    if (SIM_WATCHED(n->scope)) {
        show(n);
    }
}

/* ---- construction ---- */

static void new_lane(struct net *n, struct lane *w, const char *in, const char *out,
                     uint32_t queue)
{
    struct sim *sim = n->scope.sim;

    w->in = sim_alloc(sim, n->n_sms * sizeof(w->in[0]));
    w->out = sim_alloc(sim, n->n_sms * sizeof(w->out[0]));
    w->sends_at = sim_alloc(sim, n->n_sms * sizeof(w->sends_at[0]));
    w->takes_at = sim_alloc(sim, n->n_sms * sizeof(w->takes_at[0]));
    for (uint32_t i = 0; i < n->n_sms; i++) {
        sim_in_init(&w->in[i], &n->scope, in, &mem_req_proto, queue);
        sim_in_mark(&w->in[i], w->held, i);
        sim_out_init(&w->out[i], &n->scope, out, &mem_req_proto);
        sim_wake_on(&n->step, &w->in[i].arrived);
        sim_wake_on(&n->step, &w->out[i].space);
    }
}

struct net *net_new(struct sim_module *parent, const struct net_config *cfg,
                    uint32_t n_sms, uint32_t blocks)
{
    struct sim *sim = parent->sim;
    struct net *n = sim_alloc(sim, sizeof(*n));

    SIM_REQUIRE(sim, n_sms <= 256, "net_new");
    n->cfg = *cfg;
    n->n_sms = n_sms;
    sim_module_init(&n->scope, sim, parent, NULL, "net");
    sim_event_init(&n->slot, sim, n->scope.clock, "slot");
    sim_process_init(&n->step, sim, "net", net_step, n);
    sim_wake_on(&n->step, &n->slot);
    new_lane(n, &n->there, "req", "serve", 8);
    new_lane(n, &n->back, "back", "answer", 8);
    n->arrive = sim_alloc(sim, n_sms * sizeof(n->arrive[0]));
    n->release = sim_alloc(sim, n_sms * sizeof(n->release[0]));
    for (uint32_t i = 0; i < n_sms; i++) {
        sim_in_init(&n->arrive[i], &n->scope, "arrive", &mem_req_proto, 2 * blocks);
        sim_in_mark(&n->arrive[i], n->arrived, i);
        sim_out_init(&n->release[i], &n->scope, "release", &mem_req_proto);
        sim_wake_on(&n->step, &n->arrive[i].arrived);
    }
    sim_module_shows(&n->scope, show, n);
    sim_probe_init(&n->p_requests, &n->scope, &probe_requests, NULL, 0);
    sim_probe_init(&n->p_waiting, &n->scope, &probe_waiting, NULL, 0);
    return n;
}

struct sim_in *net_req(struct net *n, uint32_t sm)
{
    return &n->there.in[sm];
}

struct sim_out *net_serve(struct net *n, uint32_t sm)
{
    return &n->there.out[sm];
}

struct sim_in *net_back(struct net *n, uint32_t sm)
{
    return &n->back.in[sm];
}

struct sim_out *net_answer(struct net *n, uint32_t sm)
{
    return &n->back.out[sm];
}

bool net_is_meeting(const struct net *n)
{
    return (n->arrived[0] | n->arrived[1] | n->arrived[2] | n->arrived[3]) != 0;
}

struct sim_in *net_arrive(struct net *n, uint32_t sm)
{
    return &n->arrive[sm];
}

struct sim_out *net_release(struct net *n, uint32_t sm)
{
    return &n->release[sm];
}
