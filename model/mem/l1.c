#include "mem/l1.h"

#include "mem/l1_array.h"
#include "mem/l1_mshr.h"
#include <string.h>

enum { TEXTURE_WAYS = 4 }; /* of the textures' own lines */

static const struct cfg_field l1_fields[] = {
    CFG_U32(struct l1_config, line, MEM_LINE, MEM_LINE, MEM_LINE, CFG_BYTES, CFG_POW2,
            "bytes of a line", "L1-3"),
    CFG_U32(struct l1_config, ways, 1, 4, 64, CFG_PLAIN, 0, "lines of a set", "L1-3"),
    CFG_U32(struct l1_config, latency, 8, 70, 1000, CFG_CYCLES, 0,
            "issue of a load that hits to its result", "L1-7"),
    CFG_U32(struct l1_config, interval, 1, 2, 64, CFG_CYCLES, 0,
            "cycles between two lines handled", "L1-7"),
    CFG_U32(struct l1_config, tags, 1, 1, 32, CFG_PLAIN, 0,
            "lines of one load looked up at once", "L1-7"),
    CFG_U32(struct l1_config, down_interval, 0, 0, 64, CFG_CYCLES, 0,
            "cycles that a sector of a store takes the way down; 0: none", "L1-7"),
    CFG_BOOL(struct l1_config, apart, 0,
             "what moves no data passes beside an answer from below", "L1-7"),
    CFG_U32(struct l1_config, mshrs, 1, 32, 256, CFG_PLAIN, 0, "fills under way",
            "L1-4"),
    CFG_U32(struct l1_config, merges, 1, 8, 64, CFG_PLAIN, 0,
            "loads that may wait for one fill", "L1-4"),
    CFG_U32(struct l1_config, queue, 1, 64, 1024, CFG_PLAIN, 0,
            "lines under way from the LSU", "QUEUE-1"),
    CFG_U32(struct l1_config, answers, 1, 64, 1024, CFG_PLAIN, 0,
            "lines under way from the interconnect", "QUEUE-1"),
    CFG_BOOL(struct l1_config, global, 1, "global loads are cached (as -dlcm=ca)",
             "L1-6"),
};
const struct cfg_table l1_keys = CFG_TABLE(l1_fields);

static const struct sim_probe_desc probe_mshrs = {
    .name = "mshrs",
    .kind = SIM_PROBE_LEVEL,
    .width = 9,
    .doc = "fills under way",
    .unit = "fills",
    .views = "coalescer,memory",
};
static const struct sim_probe_desc probe_free = {
    .name = "mshr_free",
    .kind = SIM_PROBE_LEVEL,
    .width = 9,
    .doc = "MSHR entries that are free",
    .unit = "entries",
    .views = "memory",
};
static const struct sim_probe_desc probe_hit = {
    .name = "hit",
    .kind = SIM_PROBE_EVENT,
    .doc = "a load found its bytes",
    .views = "coalescer,memory",
};
static const struct sim_probe_desc probe_miss = {
    .name = "miss",
    .kind = SIM_PROBE_EVENT,
    .doc = "a load sent a fill request",
    .role = SIM_ROLE_BAD,
    .views = "coalescer,memory",
};
static const struct sim_probe_desc probe_join = {
    .name = "join",
    .kind = SIM_PROBE_EVENT,
    .doc = "a load waits for fills already under way",
    .views = "coalescer,memory",
};
static const struct sim_probe_desc probe_addr = {
    .name = "line_addr",
    .kind = SIM_PROBE_BITS,
    .width = 64,
    .doc = "line being handled",
    .views = "coalescer,memory",
};
static const struct sim_probe_desc probe_stall = {
    .name = "stall",
    .kind = SIM_PROBE_BITS,
    .width = 1,
    .doc = "the head of the queue waits",
    .role = SIM_ROLE_BAD,
    .views = "coalescer,memory",
};

struct l1 { /* what every line needs comes first */
    struct sim_module scope;
    sim_cycle_t slot_at;   /* no line is handled before */
    bool no_data;          /* what this step did moves none: tags only */
    bool data_busy;        /* an answer moves data in this step */
    bool went_down;        /* this step sent a request down */
    sim_cycle_t down_at;   /* the way down takes no request before */
    sim_cycle_t stall_at;  /* the head of req waits since, 0: it does not */
    struct mem_line *fill; /* arrived, its waiters are being answered */
    const struct rules_cc *rules;
    struct smw_counters *stats;
    uint32_t sm;
    uint64_t handled; /* address of the line looked at last, for observers */
    struct l1_mshrs mshrs;
    struct l1_array array;
    struct l1_array texels; /* the textures' own; empty if they share the others' */
    struct l1_config cfg;   /* immutable */
    struct sim_in req, up;
    struct sim_out rsp, down;
    struct sim_event slot;
    struct sim_pool fills;
    struct sim_process step;
    struct sim_probe p_mshrs, p_free, p_hit, p_miss, p_join, p_addr, p_stall;
};

static void show(void *ctx)
{
    struct l1 *c = ctx;

    sim_probe_set(&c->p_mshrs, c->mshrs.n_busy);
    sim_probe_set(&c->p_free, c->mshrs.n - c->mshrs.n_busy);
    sim_probe_set(&c->p_addr, c->handled);
    sim_probe_set(&c->p_stall, c->stall_at != 0);
}

/* t is there now, for observers. */
static inline void see(const struct l1 *c, struct mem_line *t, enum mem_seen where)
{
    if (SIM_WATCHED(c->scope)) {
        t->seen[where] = sim_now(c->scope.sim);
    }
}

/* ---- textures: SPEC TEX-5 ---- */

static bool is_apart(const struct l1 *c, const struct mem_line *t)
{
    return UNLIKELY(mem_is_texture(t)) && c->rules->tex_kb != 0;
}

static struct l1_array *array_of(struct l1 *c, const struct mem_line *t)
{
    return is_apart(c, t) ? &c->texels : &c->array;
}

/* By what fills are found: those of textures by an address that is no line's. */
static uint64_t fill_key(const struct l1 *c, const struct mem_line *t)
{
    return t->addr | (is_apart(c, t) ? 1 : 0);
}

/* ---- room ---- */

/* Bytes of the line went down: fills asked for before are too old to join or keep. */
static void age_fills(struct l1 *c, uint64_t addr)
{
    struct l1_mshr *m = l1_mshr_first(&c->mshrs, addr);

    for (; m != NULL; m = l1_mshr_next(&c->mshrs, m)) {
        m->stale = true;
    }
}

/* A line of the cache's own; the caller sets sectors, bytes and data. */
static struct mem_line *own_line(struct l1 *c, uint64_t addr, enum mem_op op,
                                 uint8_t launch)
{
    struct mem_line *t = sim_pool_take(&c->fills);

    t->addr = addr;
    t->op = (uint8_t)op;
    t->sectors = 0;
    t->launch = launch;
    t->sm = (uint8_t)c->sm;
    t->entry = 0;
    t->bypass_l1 = false;
    t->read_only = false;
    t->from_l1 = true;
    t->ack = false;
    t->fills = 0;
    t->piece = 0;
    t->lanes = 0;
    t->bytes[0] = 0;
    t->bytes[1] = 0;
    return t;
}

/* A warp stores 8 bytes of each lane a half after the other, 16 a quarter: so many of
 * these have bytes of t. */
static uint32_t store_passes(const struct mem_line *t)
{
    const int bytes =
        __builtin_popcountll(t->bytes[0]) + __builtin_popcountll(t->bytes[1]);
    const int width = t->lanes == 0 ? 0 : bytes / __builtin_popcount(t->lanes);
    const uint32_t lanes = width >= 16 ? 8 : width >= 8 ? 16 : 32;
    uint32_t n = 0;

    for (uint32_t at = 0; at < ISA_LANES; at += lanes) {
        n += (t->lanes >> at & (UINT32_MAX >> (32 - lanes))) != 0;
    }
    return n;
}

/* Sectors that t, no load, takes the way down for: a line of which sectors are stored
 * in part needs another for the mask of its bytes, an atomic of several lanes one to
 * say what each of them wants. */
static uint32_t sectors_down(const struct mem_line *t)
{
    uint32_t n = mem_sector_count(t->sectors), passes;

    if (t->op >= MEM_ATOM) {
        return n + ((t->lanes & (t->lanes - 1)) != 0);
    }
    n += mem_full_sectors(t->bytes) != t->sectors;
    passes = store_passes(t);
    return n > passes ? n : passes;
}

/* The caller has a credit. Data takes the way down for some time. */
static void send_down(struct l1 *c, struct mem_line *t)
{
    if (t->op != MEM_LOAD && c->cfg.down_interval != 0) {
        c->down_at =
            sim_here(&c->scope) + (sim_cycle_t)c->cfg.down_interval * sectors_down(t);
    }
    c->went_down = true;
    sim_send(&c->down, t);
}

/* Make room in the set of addr. False: a dirty line waits for a credit. */
static bool make_room(struct l1 *c, struct l1_array *a, uint64_t addr, uint8_t launch,
                      uint32_t *at)
{
    uint32_t i = l1_array_victim(a, addr);
    const struct l1_line *l = l1_array_line(a, i);

    if (l1_line_dirty(l)) {
        struct mem_line *t;

        if (!sim_out_ready(&c->down)) {
            sim_out_wait(&c->down);
            return false;
        }
        t = own_line(c, a->addr[i], MEM_STORE, launch);
        for (uint32_t s = 0; s < MEM_SECTORS; s++) {
            t->sectors |=
                (uint8_t)(((uint32_t)(l->dirty[s / 2] >> (s % 2 * 32)) != 0) << s);
        }
        memcpy(t->bytes, l->dirty, sizeof(t->bytes));
        memcpy(t->data, l1_array_data(a, i), MEM_LINE);
        send_down(c, t);
        age_fills(c, a->addr[i]);
    }
    if (a->addr[i] != L1_EMPTY) {
        c->stats[launch].l1_evictions++;
    }
    l1_array_drop(a, i);
    *at = i;
    return true;
}

/* ---- fills under way ---- */

/* May a load that misses these sectors wait for m, which is of its line? */
static bool may_join(const struct l1_mshr *m, uint8_t missing)
{
    return !m->stale && (m->sectors & missing) != 0;
}

/* Sectors of the line that are on their way and may be joined. *full: a fill of some of
 * these has no room for another load. */
static uint8_t pending_sectors(struct l1 *c, uint64_t addr, uint8_t missing, bool *full)
{
    const struct l1_mshr *m = l1_mshr_first(&c->mshrs, addr);
    uint8_t pending = 0;

    for (; m != NULL; m = l1_mshr_next(&c->mshrs, m)) {
        if (may_join(m, missing)) {
            pending |= m->sectors;
            *full |= m->n_waiting == c->cfg.merges;
        }
    }
    return pending;
}

static void wait_for(struct l1_mshr *m, struct mem_line *t)
{
    m->waiting[m->n_waiting++] = t;
    t->fills++;
}

/* Wait for all fills that bring a sector of missing. */
static void join_fills(struct l1 *c, struct mem_line *t, uint8_t missing)
{
    struct l1_mshr *m = l1_mshr_first(&c->mshrs, fill_key(c, t));

    for (; m != NULL; m = l1_mshr_next(&c->mshrs, m)) {
        if (may_join(m, missing)) {
            wait_for(m, t);
        }
    }
}

/* Ask for sectors, for which t waits; there are an MSHR and a credit. */
static void send_fill(struct l1 *c, struct mem_line *t, uint8_t sectors)
{
    struct mem_line *f = own_line(c, t->addr, MEM_LOAD, t->launch);

    f->sectors = sectors;
    f->piece = t->piece == MEM_TEXELS ? MEM_TEXELS : 0;
    f->entry = l1_mshr_take(&c->mshrs, fill_key(c, t), sectors);
    if (SIM_WATCHED(c->scope)) {
        memset(f->seen, 0, sizeof(f->seen));
    }
    wait_for(l1_mshr(&c->mshrs, f->entry), t);
    send_down(c, f);
}

/* ---- requests ---- */

static bool can_answer(struct l1 *c)
{
    if (sim_out_ready(&c->rsp)) {
        return true;
    }
    sim_out_wait(&c->rsp);
    return false;
}

static bool can_send(struct l1 *c)
{
    if (sim_here(&c->scope) < c->down_at) {
        sim_notify_at(&c->slot, c->down_at);
        return false;
    }
    if (sim_out_ready(&c->down)) {
        return true;
    }
    sim_out_wait(&c->down);
    return false;
}

static bool pass_through(struct l1 *c, struct mem_line *t)
{
    if (!can_send(c)) {
        return false;
    }
    (void)sim_take(&c->req);
    c->no_data = t->op == MEM_LOAD;
    see(c, t, MEM_SEEN_L1);
    send_down(c, t);
    return true;
}

static void count_load(struct l1 *c, const struct mem_line *t, uint32_t missing)
{
    struct smw_counters *s = &c->stats[t->launch];
    uint32_t n = mem_sector_count(t->sectors);
    uint32_t out = mem_sector_count(missing);

    if (UNLIKELY(mem_is_texture(t))) {
        s->tex_hit_sectors += n - out;
        s->tex_miss_sectors += out;
        return;
    }
    s->l1_lookups++;
    s->l1_ld_hit_sectors += n - out;
    s->l1_ld_miss_sectors += out;
}

static bool load(struct l1 *c, struct mem_line *t)
{
    struct l1_array *a = array_of(c, t);
    uint32_t i = l1_array_find(a, t->addr);
    uint8_t missing = l1_array_missing(a, i, t), pending, need;
    bool full = false;

    if (missing == 0) {
        if (c->data_busy || !can_answer(c)) {
            return false;
        }
        (void)sim_take(&c->req);
        count_load(c, t, 0);
        l1_array_read(a, i, t);
        if (SIM_WATCHED(c->scope)) {
            sim_probe_fire(&c->p_hit);
        }
        sim_send(&c->rsp, t);
        return true;
    }
    pending = pending_sectors(c, fill_key(c, t), missing, &full);
    need = missing & (uint8_t)~pending;
    if (full || (need != 0 && l1_mshrs_full(&c->mshrs))) {
        return false; /* up.arrived wakes us */
    }
    if (need != 0 && !can_send(c)) {
        return false;
    }
    (void)sim_take(&c->req);
    count_load(c, t, need);
    l1_array_read(a, i, t);
    t->fills = 0;
    c->no_data = true;
    if (pending != 0) {
        join_fills(c, t, missing);
    }
    if (need != 0) {
        send_fill(c, t, c->rules->l1_fills_lines && !mem_is_texture(t) ? 0xf : need);
    }
    if (SIM_WATCHED(c->scope)) {
        see(c, t, MEM_SEEN_L1);
        sim_probe_fire(need != 0 ? &c->p_miss : &c->p_join);
    }
    return true;
}

/* A store or an atomic is passing: what the cache knows of its line ages (SPEC
 * L1-5). */
static void age_line(struct l1 *c, const struct mem_line *t, bool update)
{
    uint32_t i = l1_array_find(&c->array, t->addr);

    age_fills(c, t->addr);
    if (i == L1_NO_LINE &&
        !(update && c->rules->store_allocates && rules_in_l1(c->rules, false) &&
          make_room(c, &c->array, t->addr, t->launch, &i))) {
        return;
    }
    if (update) {
        l1_array_write(&c->array, i, t, false);
    } else {
        l1_array_drop(&c->array, i);
    }
}

/* Written back, and acknowledged here, or through, and acknowledged by who is below. */
static bool store_local(struct l1 *c, struct mem_line *t)
{
    const bool through = c->rules->local_through;
    uint32_t i = l1_array_find(&c->array, t->addr);

    if (c->data_busy) {
        return false;
    }
    if (!(through ? can_send(c) : can_answer(c)) ||
        (i == L1_NO_LINE && !make_room(c, &c->array, t->addr, t->launch, &i))) {
        return false;
    }
    (void)sim_take(&c->req);
    c->stats[t->launch].l1_lookups++;
    l1_array_write(&c->array, i, t, !through);
    if (through) { /* the line may be gone before an older fill is back */
        age_fills(c, t->addr);
        see(c, t, MEM_SEEN_L1);
        send_down(c, t);
    } else {
        sim_send(&c->rsp, t);
    }
    return true;
}

/* Handle the head of the queue; false if it has to wait. */
static bool handle(struct l1 *c, struct mem_line *t)
{
    bool local = (t->addr & MEM_LOCAL_BIT) != 0;

    c->handled = t->addr;
    if (UNLIKELY(mem_is_texture(t)) && array_of(c, t)->n_sets != 0) {
        return load(c, t);
    }
    if (c->array.n_sets == 0) {
        return pass_through(c, t);
    }
    if (t->op == MEM_LOAD &&
        (local || (rules_in_l1(c->rules, t->read_only) && !t->bypass_l1))) {
        return load(c, t);
    }
    if (t->op == MEM_STORE && local) {
        return store_local(c, t);
    }
    if (!pass_through(c, t)) {
        return false;
    }
    c->stats[t->launch].l1_lookups += t->op == MEM_STORE;
    if (t->op != MEM_LOAD ||
        t->bypass_l1) { /* else: cached nowhere, looked at no line */
        age_line(c, t, t->op == MEM_STORE && !c->rules->store_drops_line);
    }
    return true;
}

/* ---- answers from below ---- */

/* Keep the fill's bytes where nothing newer is. Not if that takes a write-back and
 * there is no credit: what comes up must not wait for the way down. */
static void keep(struct l1 *c, const struct mem_line *f)
{
    struct l1_array *a = array_of(c, f);
    uint32_t i = l1_array_find(a, f->addr);

    if (i != L1_NO_LINE || make_room(c, a, f->addr, f->launch, &i)) {
        l1_array_fill(a, i, f);
    }
}

/* Take what arrived from below: a fill of ours, or an answer for the LSU. */
static bool accept_up(struct l1 *c, sim_cycle_t now)
{
    struct mem_line *t = mem_first(&c->up);

    if (t->from_l1 && t->op == MEM_STORE) { /* a write-back was accepted */
        sim_pool_give(sim_take_head(&c->up, now));
        c->no_data = true;
        return true;
    }
    if (!t->from_l1) {
        c->no_data = t->op == MEM_STORE;
        if (!can_answer(c)) {
            return false;
        }
        see(c, t, MEM_SEEN_UP);
        sim_send(&c->rsp, sim_take_head(&c->up, now));
        return true;
    }
    if (!l1_mshr(&c->mshrs, t->entry)->stale && array_of(c, t)->n_sets != 0) {
        keep(c, t);
    }
    see(c, t, MEM_SEEN_UP);
    c->fill = sim_take_head(&c->up, now);
    return true;
}

/* Serve the next load that waits for the fill; it is answered with its last one. */
static bool answer_one(struct l1 *c)
{
    struct l1_mshr *m = l1_mshr(&c->mshrs, c->fill->entry);
    struct mem_line *t = m->waiting[m->n_served];
    uint64_t have[2];

    if (t->fills == 1 && !can_answer(c)) {
        return false;
    }
    m->n_served++;
    mem_sector_bytes(m->sectors, have);
    have[0] &= t->bytes[0];
    have[1] &= t->bytes[1];
    mem_copy_bytes(t->data, c->fill->data, have);
    t->bytes[0] &= ~have[0];
    t->bytes[1] &= ~have[1];
    if (SIM_WATCHED(c->scope)) {
        memcpy(&t->seen[MEM_SEEN_L2], &c->fill->seen[MEM_SEEN_L2],
               (MEM_N_SEEN - MEM_SEEN_L2) * sizeof(t->seen[0]));
    }
    if (--t->fills == 0) {
        sim_send(&c->rsp, t);
    }
    if (m->n_served == m->n_waiting) {
        l1_mshr_give(&c->mshrs, c->fill->entry);
        sim_pool_give(c->fill);
        c->fill = NULL;
    }
    return true;
}

static void note_stall(struct l1 *c, uint8_t launch, bool stalled)
{
    if (stalled && c->stall_at == 0) {
        c->stall_at = sim_here(&c->scope);
    }
    if (!stalled && c->stall_at != 0) {
        c->stats[launch].l1_stalls +=
            c->array.n_sets != 0 ? sim_here(&c->scope) - c->stall_at : 0;
        c->stall_at = 0;
    }
}

/* Handle the head of the queue, if that can be done beside what is done already. */
static bool request(struct l1 *c, struct mem_line *t)
{
    uint8_t launch = t->launch;
    bool done;

    c->no_data = false;
    done = handle(c, t);
    c->no_data = (c->no_data || !done) && !c->data_busy;
    if (done || !c->data_busy) { /* else it waits for its turn only */
        note_stall(c, launch, !done);
    }
    return done;
}

/* The same for the head of the queue and, of one load, for those behind it that have
 * arrived and want nothing from below. */
static bool requests(struct l1 *c, struct mem_line *t)
{
    const uint16_t entry = t->entry;
    const uint8_t piece = t->piece, op = t->op;
    bool done = request(c, t), no_data = c->no_data;

    for (uint32_t n = 1; n < c->cfg.tags && done && op == MEM_LOAD; n++) {
        t = sim_peek(&c->req);
        if (c->went_down || t == NULL || t->entry != entry || t->piece != piece ||
            !request(c, t)) {
            break;
        }
        no_data &= c->no_data;
    }
    c->no_data = no_data;
    return done;
}

/* One line, or several of a load, per interval, or per cycle if no data moves: answers
 * first, since they free what requests wait for. Woken by req.arrived, up.arrived,
 * slot, rsp.space and down.space. */
static void l1_step(void *self)
{
    struct l1 *c = self;
    sim_cycle_t now = sim_here(&c->scope);
    bool done = false;
    struct mem_line *t;

    if (now < c->slot_at) {
        if (!sim_pending(&c->slot)) {
            sim_notify_at(&c->slot, c->slot_at);
        }
        return;
    }
    c->no_data = false;
    if (c->fill == NULL && mem_has_arrived(&c->up, now)) {
        done = accept_up(c, now);
    }
    if (c->fill != NULL) {
        done = answer_one(c);
    }
    c->data_busy = done && !c->no_data;
    t = done && !c->cfg.apart ? NULL : sim_peek(&c->req);
    c->went_down = false;
    if (t != NULL) {
        done |= requests(c, t);
    }
    if (done) {
        c->slot_at = now + (c->no_data ? 1 : c->cfg.interval);
        if (c->fill != NULL || mem_has_arrived(&c->up, now) ||
            mem_has_arrived(&c->req, now)) {
            sim_notify_at(&c->slot, c->slot_at);
        }
    }
    if (SIM_WATCHED(c->scope)) {
        show(c);
    }
}

/* ---- construction ---- */

struct l1 *l1_new(struct sim_module *parent, const struct l1_config *cfg,
                  const struct rules_cc *rules, uint32_t max_bytes, uint32_t sm,
                  struct smw_counters *stats)
{
    struct sim *sim = parent->sim;
    struct l1 *c = sim_alloc(sim, sizeof(*c));

    c->cfg = *cfg;
    c->rules = rules;
    c->sm = sm;
    c->stats = stats;
    l1_array_init(&c->array, sim, max_bytes, cfg->ways);
    l1_array_init(&c->texels, sim, rules->tex_kb * 1024, TEXTURE_WAYS);
    l1_array_resize(&c->texels, rules->tex_kb * 1024);
    l1_mshrs_init(&c->mshrs, sim, cfg->mshrs, cfg->merges);
    sim_module_init(&c->scope, sim, parent, NULL, "l1");
    sim_pool_init(&c->fills, sim, "l1_fill", sizeof(struct mem_line));
    sim_in_init(&c->req, &c->scope, "req", &mem_line_proto, cfg->queue);
    sim_in_init(&c->up, &c->scope, "up", &mem_line_proto, cfg->answers);
    sim_out_init(&c->rsp, &c->scope, "rsp", &mem_line_proto);
    sim_out_init(&c->down, &c->scope, "down", &mem_line_proto);
    sim_event_init(&c->slot, sim, c->scope.clock, "slot");
    sim_process_init(&c->step, sim, "l1", l1_step, c);
    sim_wake_on(&c->step, &c->req.arrived);
    sim_wake_on(&c->step, &c->up.arrived);
    sim_wake_on(&c->step, &c->slot);
    sim_wake_on(&c->step, &c->rsp.space);
    sim_wake_on(&c->step, &c->down.space);
    sim_module_shows(&c->scope, show, c);
    sim_probe_init(&c->p_mshrs, &c->scope, &probe_mshrs, NULL, 0);
    sim_probe_init(&c->p_free, &c->scope, &probe_free, NULL, cfg->mshrs);
    sim_probe_init(&c->p_hit, &c->scope, &probe_hit, NULL, 0);
    sim_probe_init(&c->p_miss, &c->scope, &probe_miss, NULL, 0);
    sim_probe_init(&c->p_join, &c->scope, &probe_join, NULL, 0);
    sim_probe_init(&c->p_addr, &c->scope, &probe_addr, NULL, 0);
    sim_probe_init(&c->p_stall, &c->scope, &probe_stall, NULL, 0);
    return c;
}

sim_cycle_t l1_quiet_until(const struct l1 *c, sim_cycle_t now, uint32_t lead)
{
    sim_cycle_t until = now + lead - 1;

    if (c->fill != NULL || sim_pending(&c->slot)) {
        return now;
    }
    if (c->req.head != NULL && c->req.head->ready < until) {
        until = c->req.head->ready;
    }
    if (c->up.head != NULL && c->up.head->ready < until) {
        until = c->up.head->ready;
    }
    return until;
}

struct sim_in *l1_req(struct l1 *c)
{
    return &c->req;
}

struct sim_out *l1_rsp(struct l1 *c)
{
    return &c->rsp;
}

struct sim_out *l1_down(struct l1 *c)
{
    return &c->down;
}

struct sim_in *l1_up(struct l1 *c)
{
    return &c->up;
}

void l1_invalidate(struct l1 *c)
{
    l1_array_forget(&c->array);
    l1_array_forget(&c->texels);
    for (uint32_t i = 0; c->mshrs.n_busy != 0 && i < c->mshrs.n_made; i++) {
        l1_mshr(&c->mshrs, i)->stale = true;
    }
}

void l1_resize(struct l1 *c, uint32_t bytes)
{
    SIM_REQUIRE(c->scope.sim,
                bytes / MEM_LINE <= c->array.max_lines && c->mshrs.n_busy == 0,
                "l1_resize");
    l1_array_resize(&c->array, bytes);
    l1_array_forget(&c->texels); /* they forget with the others */
}
