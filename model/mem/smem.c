#include "mem/smem_priv.h"

#include "mem/rules_ideal.h"
#include "mem/smem_words.h"
#include <string.h>

static const char *const broadcast_names[] = {"first_lane", "most_lanes",
                                              "adversarial"};
static const char *const rule128_names[] = {"capability", "quarters", "quarters_extra",
                                            "halves"};
static const char *const winner_names[] = {"highest", "lowest", "random"};

static const struct cfg_field smem_fields[] = {
    CFG_U32(struct smem_config, banks, 16, 32, BANKS_MAX, CFG_PLAIN, CFG_POW2,
            "banks of shared memory", "BANK-13"),
    CFG_U32(struct smem_config, bank_mode, 4, 4, 16, CFG_BYTES, CFG_POW2,
            "bytes of a bank word", "BANK-6"),
    CFG_U32(struct smem_config, latency, 6, 52, 1000, CFG_CYCLES, 0,
            "issue of a conflict-free load to its result", "BANK-10"),
    CFG_U32(struct smem_config, interval, 1, 2, 64, CFG_CYCLES, 0,
            "cycles a wavefront occupies its banks", "BANK-1"),
    CFG_U32(struct smem_config, queue, 1, 4, 64, CFG_PLAIN, 0,
            "requests the crossbar can hold", "QUEUE-1"),
    CFG_U32(struct smem_config, feed_interval, 0, 0, 64, CFG_CYCLES, 0,
            "a scheduler's link per wavefront; 0: no limit", "BANK-11"),
    CFG_U32(struct smem_config, conflict_latency, 0, 0, 1000, CFG_CYCLES, 0,
            "latency a conflict adds at least, once", "BANK-10"),
    CFG_U32(struct smem_config, way_latency, 0, 0, 1000, CFG_CYCLES, 0,
            "latency each further word of the worst bank adds at least", "BANK-10"),
    CFG_U32(struct smem_config, atom_latency, 0, 0, 1000, CFG_CYCLES, 0,
            "issue of an atomic to its result, no conflict; 0: as a load", "BANK-10"),
    CFG_U32(struct smem_config, atom_retry, 0, 60, 10000, CFG_CYCLES, 0,
            "locked atomics: cycles before the next round", "BANK-5"),
    CFG_CHOICE(struct smem_config, broadcast, broadcast_names, RULES_FIRST_LANE,
               "1.x: the word a pass broadcasts", "BANK-7"),
    CFG_CHOICE(struct smem_config, rule128, rule128_names, SMEM_AS_CAPABILITY,
               "lanes of a 128-bit access judged together", "BANK-2"),
    CFG_CHOICE(struct smem_config, store_winner, winner_names, SMEM_HIGHEST,
               "lane whose value stays when several store to one place", "BANK-9"),
    CFG_U32(struct smem_config, seed, 0, 1, UINT32_MAX, CFG_PLAIN, 0,
            "of the random winner", "BANK-9"),
};
const struct cfg_table smem_keys = CFG_TABLE(smem_fields);

/* ---- crossbar ---- */

static void count(struct smem *s, const struct mem_req *r)
{
    struct smw_counters *c = &s->env.stats[r->launch];
    uint32_t conflicts = s->plan.n - s->plan.ideal;

    if (UNLIKELY(mem_is_bulk(r))) {
        c->bulk_wavefronts += s->plan.n;
        return;
    }
    switch ((enum mem_op)r->op) {
    case MEM_LOAD:
        c->sh_ld_wavefronts += s->plan.n;
        c->sh_ld_ideal += s->plan.ideal;
        c->sh_ld_conflicts += conflicts;
        break;
    case MEM_STORE:
        if (UNLIKELY(mem_is_copy(r))) { /* SPEC ASYNC-2 */
            c->cp_wavefronts += r->copy->past_l1 ? 0 : s->plan.n;
            c->cp_conflicts += r->copy->past_l1 ? 0 : conflicts;
            break;
        }
        c->sh_st_wavefronts += s->plan.n;
        c->sh_st_ideal += s->plan.ideal;
        c->sh_st_conflicts += conflicts;
        break;
    case MEM_DRAIN: break; /* does not come here */
    case MEM_ATOM:
    case MEM_RED:
        c->sh_at_wavefronts += s->plan.n;
        c->sh_at_ideal += s->plan.ideal;
        c->sh_at_conflicts += conflicts;
        break;
    }
}

static void tell(struct smem *s, const struct mem_req *r)
{
    struct mem_planned p;

    mem_planned_of(&p, r, s->env.sm, sim_here(&s->xbar));
    p.wavefronts = s->plan.n;
    p.ideal = s->plan.ideal;
    p.degree = s->plan.degree;
    sim_raise(s->env.planned, &s->xbar, &p, sizeof(p));
}

static void plan(struct smem *s, const struct mem_req *r)
{
    struct rules_access a = smem_access_of(r);
    uint64_t ideal[ISA_LANES];

    if (UNLIKELY(r->uop != NULL && (r->uop->ideal & IDEAL_CONFLICTS) != 0)) {
        ideal_shared(s->env.rules, &a, ideal);
        a.addr = ideal;
    }
    if (UNLIKELY(mem_is_copy(r))) {
        const struct mem_copy *c = r->copy;

        rules_copy(&(struct rules_copy){4u * r->vec, c->mask, c->some, c->from, c->to,
                                        s->env.rules->banks},
                   &s->plan);
    } else {
        rules_shared(s->env.rules, &a, &s->plan);
    }
    if (UNLIKELY((smem_observers(s) & BANKS) != 0)) {
        s->crowded = rules_crowded(s->env.rules, &a, (uint32_t)r->base, &s->plan);
    }
}

/* SPEC BANK-9: in which order lanes and passes of a store write. */
static void choose_winner(struct smem *s)
{
    uint64_t draw;

    switch ((enum smem_winner)s->cfg.store_winner) {
    case SMEM_HIGHEST: break;
    case SMEM_LOWEST:
        s->order = ISA_LANES - 1;
        s->backwards = true;
        break;
    case SMEM_RANDOM:
        draw = (s->cfg.seed + 1ull) * 0x9e3779b97f4a7c15 + s->env.sm;
        draw = (draw ^ ++s->n_stores) * 0xbf58476d1ce4e5b9;
        draw = (draw ^ draw >> 29) * 0x94d049bb133111eb;
        s->order = (uint8_t)(draw >> 40 & (ISA_LANES - 1));
        s->backwards = (draw >> 50 & 1u) != 0;
        break;
    }
}

uint32_t *smem_words(struct smem *s)
{
    return s->word;
}

uint8_t smem_store_order(struct smem *s)
{
    s->order = 0;
    choose_winner(s);
    return s->order;
}

/* The passes of r go to the banks from here on, the given one first. */
static void begin(struct smem *s, struct mem_req *r, uint32_t pass, sim_cycle_t now)
{
    plan(s, r);
    if (UNLIKELY(s->observers != 0)) {
        s->begun_warp = r->warp;
        if (now > s->slot_at) {
            s->sent_lanes = 0; /* since the last wave was over */
        }
    }
    s->split = r;
    s->pass = pass;
    s->order = 0;
    s->backwards = false;
    if (r->op == MEM_STORE) {
        choose_winner(s);
    }
}

/* SPEC BANK-10: the answer leaves with the last pass, or when a conflict's latency
 * is over if that is later; never before an older one. The last pass of r is served
 * in cycle served, which may be ahead of now; only a sender that polls may be so, too.
 */
static void answer(struct smem *s, struct mem_req *r, uint32_t late, sim_cycle_t served)
{
    sim_cycle_t first = r->at[MEM_AT_BANKS] + 1; /* its first pass was served */
    uint32_t latency = r->op >= MEM_ATOM && s->cfg.atom_latency != 0
                           ? s->cfg.atom_latency
                           : s->cfg.latency;
    sim_cycle_t at = first + late > served ? first + late : served;

    at += latency > s->env.hops ? latency - s->env.hops : 0;
    s->rsp_at = at > s->rsp_at ? at : s->rsp_at;
    r->at[MEM_AT_SERVED] = served;
    if (r->polled) {
        sim_answer(&s->rsp, r, s->rsp_at + s->rsp.latency);
    } else {
        sim_send_later(&s->rsp, r, (uint32_t)(s->rsp_at - sim_here(&s->xbar)));
    }
}

static void apply(uint32_t *base, struct mem_req *r, const struct mem_wave *w)
{
    if (r->op < MEM_ATOM) {
        smem_move(base, r, w);
    } else if (w->kind == RULES_PASS_MOVE) {
        smem_atom(base, r, w);
    }
}

/* A number of the words that the request's lanes name. */
static uint64_t digest(const uint32_t *base, const struct mem_req *r)
{
    const uint32_t last = (uint32_t)r->size * r->vec - 1;
    uint64_t h = 0;

    for (uint32_t m = r->mask; m != 0; m &= m - 1) {
        const uint64_t at = r->addr[attr_lowest_bit(m)];

        for (uint64_t i = at / 4; i <= (at + last) / 4; i++) {
            h = (h ^ base[i]) * 0x9e3779b97f4a7c15ull;
            h ^= h >> 32;
        }
    }
    return h;
}

static ATTR_NOINLINE void apply_watched(struct smem *s, uint32_t *base,
                                        struct mem_req *r, const struct mem_wave *w)
{
    const uint64_t before = digest(base, r);

    apply(base, r, w);
    s->changed |= digest(base, r) != before;
}

/* What the pass does to the words of its lanes. */
static void serve(struct smem *s, struct mem_req *r, const struct mem_wave *w)
{
    uint32_t *base = s->word + r->base / 4;

    if (UNLIKELY(s->watched) && r->op != MEM_LOAD) {
        apply_watched(s, base, r, w);
    } else {
        apply(base, r, w);
    }
}

void smem_watch(struct smem *s, bool on)
{
    s->watched = on;
    s->changed = false;
}

bool smem_changed(const struct smem *s)
{
    return s->changed;
}

/* Go on with the oldest request that stepped aside, if its time has come. */
static bool xbar_resume(struct smem *s, sim_cycle_t now)
{
    struct mem_req *r = s->aside;

    if (r == NULL || now < r->retry_at) {
        return false;
    }
    s->aside = (struct mem_req *)(void *)r->txn.next;
    begin(s, r, r->pass, now);
    return true;
}

static uint32_t feeder_of(const struct smem *s, const struct mem_req *r)
{
    return r->warp % s->env.feeders;
}

/* SPEC BANK-11: must the request at the head wait for its scheduler's link? Not while
 * another scheduler's waits behind it: then the two share the banks, and each has every
 * second cycle of theirs. Bulk copies come by no such link. */
static bool is_held(const struct smem *s, const struct mem_req *r, sim_cycle_t now)
{
    if (s->cfg.feed_interval == 0 || mem_is_bulk(r) ||
        now >= s->feed_at[feeder_of(s, r)]) {
        return false;
    }
    for (const struct sim_txn *t = r->txn.next; t != NULL && t->ready <= now;
         t = t->next) {
        if (feeder_of(s, (const struct mem_req *)(const void *)t) != feeder_of(s, r)) {
            return false;
        }
    }
    return true;
}

/* Plan the passes of r, and what its scheduler's link does meanwhile. */
static void accept(struct smem *s, struct mem_req *r, sim_cycle_t now)
{
    begin(s, r, 0, now);
    if (s->cfg.feed_interval != 0 && !mem_is_bulk(r)) {
        s->feed_at[feeder_of(s, r)] =
            now + (sim_cycle_t)s->plan.n * s->cfg.feed_interval;
    }
    count(s, r);
    r->at[MEM_AT_BANKS] = now;
    if (SIM_WATCHED(s->xbar) && s->plan.n > s->plan.ideal) {
        sim_probe_fire(&s->conflict);
    }
    if (s->env.planned != NULL && sim_heard(s->env.planned)) {
        tell(s, r);
    }
}

/* Take the next request. */
static bool xbar_accept(struct smem *s, sim_cycle_t now)
{
    struct mem_req *r = (struct mem_req *)(void *)s->req.head;

    if (!mem_has_arrived(&s->req, now)) {
        return false; /* req.arrived wakes us */
    }
    if (is_held(s, r, now)) {
        /* what arrives behind it wakes nobody: look again in every cycle */
        sim_notify_cycles(&s->slot, 1);
        return false;
    }
    (void)sim_take_head(&s->req, now);
    r->polled = false;
    accept(s, r, now);
    return true;
}

/* Between two rounds of a locked atomic others may go. */
static void step_aside(struct smem *s)
{
    struct mem_req *r = s->split;

    r->pass = s->pass;
    r->retry_at = s->slot_at + s->cfg.atom_retry;
    r->txn.next = NULL;
    if (s->aside == NULL) {
        s->aside = r;
    } else {
        s->aside_last->txn.next = &r->txn;
    }
    s->aside_last = r;
    s->split = NULL;
}

/* The next pass of split. */
static void next_wave(struct smem *s, struct mem_wave *w)
{
    uint32_t p = s->backwards ? s->plan.n - 1 - s->pass : s->pass;

    memcpy(w->lanes, s->plan.lanes[p], sizeof(w->lanes));
    w->kind = s->plan.kind[p];
    w->order = s->order;
    s->pass++;
}

/* Cycles that the conflict of split adds to its latency at least. */
static uint32_t lateness(const struct smem *s)
{
    return s->plan.depth > 1
               ? s->cfg.conflict_latency + (s->plan.depth - 1) * s->cfg.way_latency
               : 0;
}

/* Do all passes of split follow each other? Locked atomics step aside in between. */
static bool is_train(const struct smem *s)
{
    for (uint32_t p = s->pass + 1; s->split->op >= MEM_ATOM && p < s->plan.n; p++) {
        if (s->plan.kind[p] == RULES_PASS_RETRY) {
            return false;
        }
    }
    return true;
}

/* May the passes of split be one event? Nobody looks at them, nothing comes between
 * them, and the banks have served what was before. */
static bool goes_at_once(struct smem *s)
{
    return smem_observers(s) == 0 && s->served.held == 0 && sim_out_ready(&s->rsp) &&
           is_train(s);
}

/* Does it make no difference that the lanes of split go in ascending order, whatever
 * their passes? Loads; and stores, as lanes of one word go so anyhow: in one pass, or,
 * of another part of the warp, in a later one. */
static bool is_one_move(const struct smem *s)
{
    const struct mem_req *r = s->split;

    return r->op == MEM_LOAD || (r->op == MEM_STORE && s->order == 0 && !s->backwards &&
                                 !mem_is_copy(r) && !mem_is_bulk(r));
}

/* All passes of split, of which the first would go to the banks in cycle at. */
static void xbar_send_all(struct smem *s, sim_cycle_t at)
{
    struct mem_req *r = s->split;
    struct mem_wave w;
    sim_cycle_t last = at + (sim_cycle_t)(s->plan.n - s->pass - 1) * s->cfg.interval;

    if (is_one_move(s)) {
        w.lanes[0] = w.lanes[1] = w.lanes[2] = w.lanes[3] = r->mask;
        w.order = 0;
        serve(s, r, &w);
    } else {
        while (s->pass < s->plan.n) {
            next_wave(s, &w);
            serve(s, r, &w);
        }
    }
    s->split = NULL;
    s->slot_at = last + s->cfg.interval;
    answer(s, r, lateness(s), last + 1);
}

static void xbar_send(struct smem *s, sim_cycle_t now)
{
    struct mem_wave *w = sim_pool_take(&s->waves);

    next_wave(s, w);
    w->req = s->split;
    w->last = s->pass == s->plan.n;
    w->late = lateness(s);
    if (UNLIKELY(smem_observers(s) != 0)) {
        smem_show_wave(s, w);
    }
    s->slot_at = now + s->cfg.interval;
    if (w->last) {
        s->split = NULL; /* the wave's from here */
    } else if (s->plan.kind[s->pass] == RULES_PASS_RETRY) {
        step_aside(s);
    }
    sim_send(&s->wave, w);
}

static void xbar_go(struct smem *s)
{
    sim_cycle_t now = sim_here(&s->xbar);

    if (now < s->slot_at) {
        if (!sim_pending(&s->slot)) {
            sim_notify_at(&s->slot, s->slot_at);
        }
        return;
    }
    if (s->split == NULL && !xbar_resume(s, now) && !xbar_accept(s, now)) {
        s->sent_lanes = 0;
        if (s->aside != NULL) {
            sim_notify_at(&s->slot, s->aside->retry_at);
        }
        return;
    }
    if (!sim_out_ready(&s->wave)) {
        sim_out_wait(&s->wave);
        return;
    }
    if (goes_at_once(s)) {
        xbar_send_all(s, now);
    } else {
        xbar_send(s, now);
    }
    /* a head that arrives later wakes us itself */
    if (s->split != NULL || mem_has_arrived(&s->req, now) || s->aside != NULL) {
        sim_notify_at(&s->slot, s->slot_at);
    }
}

/* SPEC BANK-5: locked atomics step aside. */
static bool is_locked(const struct smem *s, const struct mem_req *r)
{
    return r->op >= MEM_ATOM && s->env.rules->atomics != RULES_ATOMICS_NATIVE;
}

bool smem_is_idle(const struct smem *s)
{
    return s->split == NULL && s->aside == NULL && s->served.held == 0 &&
           s->req.held == 0;
}

/* See sim_in_serves(): nobody looks, crossbar and banks have only what was handed over
 * before, whose last pass is known, and the link of r's scheduler is free by then. What
 * begins after the run is not counted in it. */
static sim_cycle_t opens_at(void *self, const void *txn, sim_cycle_t ready)
{
    struct smem *s = self;
    const struct mem_req *r = txn;
    sim_cycle_t start = ready > s->slot_at ? ready : s->slot_at;

    return smem_is_idle(s) && smem_observers(s) == 0 && !is_locked(s, r) &&
                   (s->env.planned == NULL || !sim_heard(s->env.planned)) &&
                   (s->cfg.feed_interval == 0 ||
                    start >= s->feed_at[feeder_of(s, r)]) &&
                   sim_comes_to(s->xbar.clock, start) && sim_out_ready(&s->rsp)
               ? start
               : SIM_CYCLE_NONE;
}

static void serve_at(void *self, void *txn, sim_cycle_t start)
{
    accept(self, txn, start);
    xbar_send_all(self, start);
}

/* Woken by req.arrived, slot and wave.space. */
static void xbar_step(void *self)
{
    struct smem *s = self;

    xbar_go(s);
    if (SIM_WATCHED(s->xbar)) {
        smem_show_xbar(s);
    }
}

/* ---- banks ---- */

/* Woken by served.arrived, rsp.space and, when watched, idle. */
static void bank_step(void *self)
{
    struct smem *s = self;
    sim_cycle_t now = sim_here(&s->array);

    if (UNLIKELY((smem_observers(s) & BANKS) != 0) &&
        !mem_has_arrived(&s->served, now)) {
        smem_show_banks(s);
        return;
    }
    while (mem_has_arrived(&s->served, now)) {
        struct mem_wave *w = (struct mem_wave *)(void *)s->served.head;
        struct mem_req *r = w->req;

        if (w->last && !sim_out_ready(&s->rsp)) {
            sim_out_wait(&s->rsp);
            return;
        }
        (void)sim_take_head(&s->served, now);
        serve(s, r, w);
        if (UNLIKELY(s->observers != 0)) {
            smem_show_served(s, r, w);
        }
        if (w->last) {
            answer(s, r, w->late, now);
        }
        sim_pool_give(w);
    }
}

/* ---- construction ---- */

void smem_adapt_rules(const struct smem_config *cfg, struct rules_cc *rules)
{
    rules->banks = cfg->banks;
    rules->broadcast = (enum rules_broadcast)cfg->broadcast;
    if (cfg->rule128 != SMEM_AS_CAPABILITY) {
        rules->group_lanes_128 = cfg->rule128 == SMEM_HALVES ? 16 : 8;
        rules->extra_way_128 = cfg->rule128 == SMEM_QUARTERS_EXTRA;
    }
}

struct smem *smem_new(struct sim_module *parent, const struct smem_config *cfg,
                      const struct smem_env *env)
{
    struct sim *sim = parent->sim;
    struct smem *s = sim_alloc(sim, sizeof(*s));

    s->cfg = *cfg;
    s->env = *env;
    s->cfg.feed_interval = env->feeders == 0 ? 0 : cfg->feed_interval;
    SIM_REQUIRE(sim, env->feeders <= SMEM_MAX_FEEDERS, "smem_new");
    s->n_words = env->bytes / 4;
    s->word = sim_alloc(sim, env->bytes + 1);
    sim_module_init(&s->scope, sim, parent, NULL, "smem");
    smem_show_init(s);

    sim_pool_init(&s->waves, sim, "mem_wave", sizeof(struct mem_wave));
    sim_in_init(&s->req, &s->xbar, "req", &mem_req_proto, cfg->queue);
    sim_in_serves(&s->req, opens_at, serve_at, s);
    sim_out_init(&s->wave, &s->xbar, "wave", &mem_wave_proto);
    sim_event_init(&s->slot, sim, s->xbar.clock, "slot");
    sim_process_init(&s->step, sim, "xbar", xbar_step, s);
    sim_wake_on(&s->step, &s->req.arrived);
    sim_wake_on(&s->step, &s->slot);
    sim_wake_on(&s->step, &s->wave.space);

    sim_in_init(&s->served, &s->array, "served", &mem_wave_proto, 2);
    sim_out_init(&s->rsp, &s->array, "rsp", &mem_req_proto);
    sim_event_init(&s->idle, sim, s->array.clock, "idle");
    sim_process_init(&s->serve, sim, "banks", bank_step, s);
    sim_wake_on(&s->serve, &s->served.arrived);
    sim_wake_on(&s->serve, &s->rsp.space);
    sim_wake_on(&s->serve, &s->idle);
    sim_bind(&s->wave, &s->served, 1);
    return s;
}

struct sim_in *smem_req(struct smem *s)
{
    return &s->req;
}

struct sim_out *smem_rsp(struct smem *s)
{
    return &s->rsp;
}

void smem_clear(struct smem *s, uint32_t offset, uint32_t bytes)
{
    SIM_REQUIRE(s->scope.sim, offset / 4 + bytes / 4 <= s->n_words, "smem_clear");
    memset(s->word + offset / 4, 0, bytes);
}

void smem_write(struct smem *s, uint32_t offset, const void *src, uint32_t bytes)
{
    SIM_REQUIRE(s->scope.sim, (uint64_t)offset + bytes <= 4ull * s->n_words,
                "smem_write");
    memcpy(s->word + offset / 4, src, bytes);
}
