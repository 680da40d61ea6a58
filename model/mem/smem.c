#include "mem/smem.h"

#include "mem/smem_words.h"
#include <string.h>

static const char *const broadcast_names[] = {"first_lane", "most_lanes",
                                              "adversarial"};
static const char *const rule128_names[] = {"capability", "quarters", "quarters_extra",
                                            "halves"};
static const char *const winner_names[] = {"highest", "lowest", "random"};

const struct cfg_field smem_fields[SMEM_N_FIELDS] = {
    CFG_U32(struct smem_config, banks, 16, 32, 32, CFG_PLAIN, CFG_POW2,
            "banks of shared memory"),
    CFG_U32(struct smem_config, bank_mode, 4, 4, 8, CFG_BYTES, CFG_POW2,
            "bytes of a bank word"),
    CFG_U32(struct smem_config, latency, 6, 52, 1000, CFG_CYCLES, 0,
            "issue of a conflict-free load to its result"),
    CFG_U32(struct smem_config, interval, 1, 2, 64, CFG_CYCLES, 0,
            "cycles a wavefront occupies its banks"),
    CFG_U32(struct smem_config, queue, 1, 4, 64, CFG_PLAIN, 0,
            "requests the crossbar can hold"),
    CFG_U32(struct smem_config, feed_interval, 0, 0, 64, CFG_CYCLES, 0,
            "a scheduler's link per wavefront; 0: no limit"),
    CFG_U32(struct smem_config, conflict_latency, 0, 0, 1000, CFG_CYCLES, 0,
            "latency a conflict adds at least, once"),
    CFG_U32(struct smem_config, way_latency, 0, 0, 1000, CFG_CYCLES, 0,
            "latency each further word of the worst bank adds at least"),
    CFG_U32(struct smem_config, atom_latency, 0, 0, 1000, CFG_CYCLES, 0,
            "issue of an atomic to its result, no conflict; 0: as a load"),
    CFG_U32(struct smem_config, atom_retry, 0, 60, 10000, CFG_CYCLES, 0,
            "locked atomics: cycles before the next round"),
    CFG_CHOICE(struct smem_config, broadcast, broadcast_names, RULES_FIRST_LANE,
               "1.x: the word a pass broadcasts"),
    CFG_CHOICE(struct smem_config, rule128, rule128_names, SMEM_AS_CAPABILITY,
               "lanes of a 128-bit access judged together"),
    CFG_CHOICE(struct smem_config, store_winner, winner_names, SMEM_HIGHEST,
               "lane whose value stays when several store to one place"),
    CFG_U32(struct smem_config, seed, 0, 1, UINT32_MAX, CFG_PLAIN, 0,
            "of the random winner"),
};

/* What a bank does. In the second half it is in conflict: the request needs more than one
 * of its words. In the order of enum mem_op. */
static const char *const op_names[] = {"load",           "store",
                                       "atom",           "red",
                                       "idle",           "load_conflict",
                                       "store_conflict", "atom_conflict"};

enum { OP_IDLE = 4, OP_CONFLICT = 5 /* load */, SMEM_MAX_FEEDERS = 4 };

static const struct sim_probe_desc xbar_left = {
    "wavefronts", SIM_PROBE_LEVEL, 8, NULL, 0, NULL, "wavefronts still to send"};
static const struct sim_probe_desc xbar_degree = {
    "degree", SIM_PROBE_UINT, 7, NULL, 0, NULL, "distinct words in the worst bank"};
static const struct sim_probe_desc xbar_lanes = {
    "lane_mask", SIM_PROBE_BITS, 32, NULL, 0, NULL, "lanes this wavefront serves"};
static const struct sim_probe_desc xbar_warp = {
    "warp", SIM_PROBE_UINT, 6, NULL, 0, NULL, "warp of the request"};
static const struct sim_probe_desc xbar_conflict = {
    "conflict",
    SIM_PROBE_EVENT,
    1,
    NULL,
    0,
    NULL,
    "a request needs more than its ideal"};
static const struct sim_probe_desc xbar_conflicts = {
    "conflicts_per_64",
    SIM_PROBE_RATE,
    7,
    NULL,
    0,
    NULL,
    "wavefronts beyond the ideal, in 64 cycles"};
static const struct sim_probe_desc bank_busy = {
    "busy", SIM_PROBE_BITS, 1, NULL, 0, NULL, "the bank serves a word"};
static const struct sim_probe_desc bank_op = {"op",          SIM_PROBE_STATE,     3,
                                              op_names,      ARRAY_LEN(op_names), NULL,
                                              "what it does"};
static const struct sim_probe_desc bank_row = {"row", SIM_PROBE_UINT,   12, NULL, 0,
                                               NULL,  "row of the word"};
static const struct sim_probe_desc bank_warp = {"warp", SIM_PROBE_UINT,  6, NULL, 0,
                                                NULL,   "warp it serves"};

static const struct sim_probe_desc xbar_wavefront = {
    "wavefront", SIM_PROBE_EVENT, 1, NULL, 0, NULL, "a pass goes to the banks"};

struct bank { /* one row of the bank array: a scope of probes */
    struct sim_module scope;
    struct sim_probe busy, op, row, warp;
};

struct smem { /* what every request needs comes first, in order of its way */
    struct sim_module scope, xbar, array;

    /* crossbar */
    sim_cycle_t slot_at;
    struct mem_req *split; /* being sent pass by pass; owned by the last pass */
    struct mem_req *aside,
        *aside_last; /* locked atomics between rounds, oldest first */
    uint32_t pass;
    uint32_t n_stores;      /* planned so far, for the random winner */
    uint8_t order;          /* of the lanes that store, see mem_wave */
    bool backwards;         /* passes of the store are sent last to first */
    struct smem_config cfg; /* immutable */
    struct smem_env env;
    struct sim_in req;
    struct sim_out wave;
    struct sim_event slot; /* the next wavefront may go */
    struct sim_pool waves;

    /* banks */
    struct sim_in served;
    struct sim_out rsp;
    sim_cycle_t rsp_at; /* no answer leaves the link before the last one */
    uint32_t *word;     /* the array, row after row: bank = index % banks */
    uint32_t n_words;
    bool looked, watched; /* whether some bank probe is watched, asked once */
    struct bank *bank;
    struct sim_event idle; /* the banks fall idle, for probes */

    struct sim_process step, serve;
    struct rules_waves plan;
    sim_cycle_t feed_at[SMEM_MAX_FEEDERS]; /* the link is free */
    uint32_t crowded; /* banks in which the split request is in conflict, if watched */
    uint64_t n_conflicts; /* sent while watched */
    struct sim_probe left, degree, lanes, warp, wavefront, conflict, conflicts;
};

/* ---- crossbar ---- */

static void count(struct smem *s, const struct mem_req *r)
{
    struct stat_counters *c = &s->env.stats[r->launch];
    uint32_t conflicts = s->plan.n - s->plan.ideal;

    switch ((enum mem_op)r->op) {
    case MEM_LOAD:
        c->sh_ld_wavefronts += s->plan.n;
        c->sh_ld_ideal += s->plan.ideal;
        c->sh_ld_conflicts += conflicts;
        break;
    case MEM_STORE:
        c->sh_st_wavefronts += s->plan.n;
        c->sh_st_ideal += s->plan.ideal;
        c->sh_st_conflicts += conflicts;
        break;
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

static bool is_watched(struct smem *s)
{
    for (uint32_t b = 0; b < s->cfg.banks && !s->looked; b++) {
        s->watched |= s->bank[b].scope.watched;
    }
    s->looked = true;
    return SIM_WATCHED(*s);
}

static void plan(struct smem *s, const struct mem_req *r)
{
    struct rules_access a = {.op = r->op,
                             .bytes = (uint8_t)(r->size * r->vec),
                             .bank_mode = r->bank_mode,
                             .mask = r->mask,
                             .addr = r->addr};

    rules_shared(s->env.rules, &a, &s->plan);
    if (UNLIKELY(is_watched(s))) {
        s->crowded = rules_crowded(s->env.rules, &a, r->base, &s->plan);
    }
}

/* SPEC BANK-9: in which order lanes and passes of a store write. */
static void choose_winner(struct smem *s)
{
    uint64_t draw;

    switch ((enum smem_winner)s->cfg.store_winner) {
    case SMEM_HIGHEST: break;
    case SMEM_LOWEST:
        s->order = PTX_LANES - 1;
        s->backwards = true;
        break;
    case SMEM_RANDOM:
        draw = (s->cfg.seed + 1ull) * 0x9e3779b97f4a7c15 + s->env.sm;
        draw = (draw ^ ++s->n_stores) * 0xbf58476d1ce4e5b9;
        draw = (draw ^ draw >> 29) * 0x94d049bb133111eb;
        s->order = (uint8_t)(draw >> 40 & (PTX_LANES - 1));
        s->backwards = (draw >> 50 & 1u) != 0;
        break;
    }
}

/* The passes of r go to the banks from here on, the given one first. */
static void begin(struct smem *s, struct mem_req *r, uint32_t pass)
{
    plan(s, r);
    s->split = r;
    s->pass = pass;
    s->order = 0;
    s->backwards = false;
    if (r->op == MEM_STORE) {
        choose_winner(s);
    }
    if (SIM_WATCHED(s->xbar)) {
        sim_probe_set(&s->degree, s->plan.degree);
        sim_probe_set(&s->warp, r->warp);
    }
}

/* Go on with the oldest request that stepped aside, if its time has come. */
static bool xbar_resume(struct smem *s)
{
    struct mem_req *r = s->aside;

    if (r == NULL || sim_here(&s->xbar) < r->retry_at) {
        return false;
    }
    s->aside = (struct mem_req *)(void *)r->txn.next;
    begin(s, r, r->pass);
    return true;
}

static uint32_t feeder_of(const struct smem *s, const struct mem_req *r)
{
    return r->warp % s->env.feeders;
}

/* SPEC BANK-11: must the request at the head wait for its scheduler's link? Not while
 * another scheduler's waits behind it: then the two share the banks, and each has every
 * second cycle of theirs. */
static bool is_held(const struct smem *s, const struct mem_req *r)
{
    sim_cycle_t now = sim_here(&s->xbar);

    if (s->cfg.feed_interval == 0 || now >= s->feed_at[feeder_of(s, r)]) {
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

/* Take the next request and plan its passes. */
static bool xbar_accept(struct smem *s)
{
    struct mem_req *r = sim_peek(&s->req);

    if (r == NULL) {
        return false; /* req.arrived wakes us */
    }
    if (is_held(s, r)) {
        /* what arrives behind it wakes nobody: look again in every cycle */
        sim_notify_cycles(&s->slot, 1);
        return false;
    }
    (void)sim_take(&s->req);
    begin(s, r, 0);
    if (s->cfg.feed_interval != 0) {
        s->feed_at[feeder_of(s, r)] =
            sim_here(&s->xbar) + (sim_cycle_t)s->plan.n * s->cfg.feed_interval;
    }
    count(s, r);
    r->at[MEM_AT_BANKS] = sim_here(&s->xbar);
    if (SIM_WATCHED(s->xbar) && s->plan.n > s->plan.ideal) {
        sim_probe_fire(&s->conflict);
    }
    if (s->env.planned != NULL && sim_heard(s->env.planned)) {
        tell(s, r);
    }
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

static void xbar_send(struct smem *s)
{
    struct mem_wave *w = sim_pool_take(&s->waves);
    uint32_t p = s->backwards ? s->plan.n - 1 - s->pass : s->pass;

    w->req = s->split;
    memcpy(w->lanes, s->plan.lanes[p], sizeof(w->lanes));
    w->kind = s->plan.kind[p];
    w->order = s->order;
    s->pass++;
    w->last = s->pass == s->plan.n;
    w->late = s->plan.depth > 1
                  ? s->cfg.conflict_latency + (s->plan.depth - 1) * s->cfg.way_latency
                  : 0;
    if (SIM_WATCHED(*s)) {
        w->crowded = s->crowded;
    }
    if (SIM_WATCHED(s->xbar)) {
        sim_probe_set(&s->left, s->plan.n - s->pass);
        s->n_conflicts += s->pass > s->plan.ideal;
        sim_probe_set(&s->conflicts, s->n_conflicts);
        sim_probe_set(&s->lanes, w->lanes[0] | w->lanes[1] | w->lanes[2] | w->lanes[3]);
        sim_probe_fire(&s->wavefront);
    }
    s->slot_at = sim_here(&s->xbar) + s->cfg.interval;
    if (w->last) {
        s->split = NULL; /* the wave's from here */
    } else if (s->plan.kind[s->pass] == RULES_PASS_RETRY) {
        step_aside(s);
    }
    sim_send(&s->wave, w);
}

/* Woken by req.arrived, slot and wave.space. */
static void xbar_step(void *self)
{
    struct smem *s = self;
    sim_cycle_t now = sim_here(&s->xbar);

    if (now < s->slot_at) {
        if (!sim_pending(&s->slot)) {
            sim_notify_at(&s->slot, s->slot_at);
        }
        return;
    }
    if (s->split == NULL && !xbar_resume(s) && !xbar_accept(s)) {
        if (SIM_WATCHED(s->xbar)) {
            sim_probe_set(&s->lanes, 0);
        }
        if (s->aside != NULL) {
            sim_notify_at(&s->slot, s->aside->retry_at);
        }
        return;
    }
    if (!sim_out_ready(&s->wave)) {
        sim_out_wait(&s->wave);
        return;
    }
    xbar_send(s);
    /* a head that arrives later wakes us itself */
    if (s->split != NULL || mem_has_arrived(&s->req, now) || s->aside != NULL ||
        SIM_WATCHED(s->xbar)) {
        sim_notify_at(&s->slot, s->slot_at);
    }
}

/* ---- banks ---- */

/* The state of a bank that serves a word of r. */
static uint32_t op_of(const struct mem_req *r, bool conflict)
{
    if (!conflict) {
        return r->op;
    }
    return OP_CONFLICT + (r->op == MEM_RED ? (uint32_t)MEM_ATOM : r->op);
}

/* Which bank serves which row in this pass, for whoever watches. */
static void show_banks(struct smem *s, const struct mem_req *r,
                       const struct mem_wave *w)
{
    uint32_t busy = 0;
    uint32_t row[32] = {0};

    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t m = w->lanes[i]; m != 0; m &= m - 1) {
            uint32_t word = (uint32_t)(r->base + r->addr[__builtin_ctz(m)]) / 4 + i;
            uint32_t bank = rules_bank(s->env.rules, r->bank_mode, word);

            busy |= 1u << bank;
            row[bank] = rules_row(s->env.rules, r->bank_mode, word);
        }
    }
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        bool on = (busy >> b & 1u) != 0;

        sim_probe_set(&s->bank[b].busy, on);
        sim_probe_set(&s->bank[b].op,
                      on ? op_of(r, (w->crowded >> b & 1u) != 0) : OP_IDLE);
        if (on) {
            sim_probe_set(&s->bank[b].row, row[b]);
            sim_probe_set(&s->bank[b].warp, r->warp);
        }
    }
    sim_cancel(&s->idle);
    sim_notify_cycles(&s->idle, s->cfg.interval);
}

static void show_idle(struct smem *s)
{
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        sim_probe_set(&s->bank[b].busy, 0);
        sim_probe_set(&s->bank[b].op, OP_IDLE);
    }
}

/* SPEC BANK-10: the answer leaves with the last pass, or when a conflict's latency is
 * over if that is later; never before an older one. */
static void answer(struct smem *s, const struct mem_wave *w)
{
    struct mem_req *r = w->req;
    sim_cycle_t now = sim_here(&s->array);
    sim_cycle_t first = r->at[MEM_AT_BANKS] + 1; /* its first pass was served */
    uint32_t latency = r->op >= MEM_ATOM && s->cfg.atom_latency != 0
                           ? s->cfg.atom_latency
                           : s->cfg.latency;
    sim_cycle_t at = first + w->late > now ? first + w->late : now;

    at += latency > s->env.hops ? latency - s->env.hops : 0;
    s->rsp_at = at > s->rsp_at ? at : s->rsp_at;
    r->at[MEM_AT_SERVED] = now;
    sim_send_later(&s->rsp, r, (uint32_t)(s->rsp_at - now));
}

/* Woken by served.arrived, rsp.space and, when watched, idle. */
static void bank_step(void *self)
{
    struct smem *s = self;
    struct mem_wave *w;

    if (is_watched(s) && sim_peek(&s->served) == NULL) {
        show_idle(s);
        return;
    }
    while ((w = sim_peek(&s->served)) != NULL) {
        struct mem_req *r = w->req;

        if (w->last && !sim_out_ready(&s->rsp)) {
            sim_out_wait(&s->rsp);
            return;
        }
        (void)sim_take(&s->served);
        if (r->op < MEM_ATOM) {
            smem_move(s->word + r->base / 4, r, w);
        } else if (w->kind == RULES_PASS_MOVE) {
            smem_atom(s->word + r->base / 4, r, w);
        }
        if (SIM_WATCHED(*s)) {
            show_banks(s, r, w);
        }
        if (w->last) {
            answer(s, w);
        }
        sim_pool_give(w);
    }
}

/* ---- construction ---- */

static void new_banks(struct smem *s)
{
    struct sim *sim = s->scope.sim;

    s->bank = sim_alloc(sim, s->cfg.banks * sizeof(s->bank[0]));
    for (uint32_t i = 0; i < s->cfg.banks; i++) {
        struct bank *b = &s->bank[i];
        char name[16] = {
            'b', 'a', 'n', 'k', (char)('0' + i / 10), (char)('0' + i % 10)};

        sim_module_init(&b->scope, sim, &s->scope, NULL, name);
        sim_probe_init(&b->busy, &b->scope, &bank_busy, NULL, 0);
        sim_probe_init(&b->op, &b->scope, &bank_op, NULL, OP_IDLE);
        sim_probe_init(&b->row, &b->scope, &bank_row, NULL, 0);
        sim_probe_init(&b->warp, &b->scope, &bank_warp, NULL, 0);
    }
}

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
    sim_module_init(&s->xbar, sim, &s->scope, NULL, "xbar");
    sim_probe_init(&s->left, &s->xbar, &xbar_left, NULL, 0);
    sim_probe_init(&s->degree, &s->xbar, &xbar_degree, NULL, 0);
    sim_probe_init(&s->lanes, &s->xbar, &xbar_lanes, NULL, 0);
    sim_probe_init(&s->warp, &s->xbar, &xbar_warp, NULL, 0);
    sim_probe_init(&s->wavefront, &s->xbar, &xbar_wavefront, NULL, 0);
    sim_probe_init(&s->conflict, &s->xbar, &xbar_conflict, NULL, 0);
    sim_probe_init(&s->conflicts, &s->xbar, &xbar_conflicts, NULL, 0);
    sim_module_init(&s->array, sim, &s->scope, NULL, "array");
    new_banks(s);

    sim_pool_init(&s->waves, sim, "mem_wave", sizeof(struct mem_wave));
    sim_in_init(&s->req, &s->xbar, "req", &mem_req_proto, cfg->queue);
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
