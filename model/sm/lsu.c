#include "sm/lsu.h"

#include "sm/lsu_priv.h"
#include <string.h>

static const struct cfg_field lsu_fields[] = {
    CFG_U32(struct lsu_config, lanes, 1, 16, 32, CFG_PLAIN, CFG_POW2,
            "addresses generated per SM cycle", "LSU-1"),
    CFG_U32(struct lsu_config, interval, 1, 2, 64, CFG_CYCLES, 0,
            "cycles between two lines of a request", "LSU-1"),
    CFG_U32(struct lsu_config, queue, 1, 4, 64, CFG_PLAIN, 0,
            "requests held before the unit", "QUEUE-1"),
    CFG_U32(struct lsu_config, entries, 1, 64, 1024, CFG_PLAIN, 0,
            "global and local requests under way", "LSU-1"),
};
const struct cfg_table lsu_keys = CFG_TABLE(lsu_fields);

static const struct sim_probe_desc probe_level = {
    .name = "queue",
    .kind = SIM_PROBE_LEVEL,
    .width = 7,
    .doc = "requests held before the unit",
    .unit = "requests",
    .views = "scheduler,coalescer,memory,warp",
};
static const struct sim_probe_desc probe_entries = {
    .name = "entries",
    .kind = SIM_PROBE_LEVEL,
    .width = 11,
    .doc = "global and local requests under way",
    .unit = "requests",
    .views = "coalescer,memory",
};
static const struct sim_probe_desc probe_warp = {
    .name = "warp",
    .kind = SIM_PROBE_UINT,
    .width = 6,
    .doc = "warp of the request started last",
    .views = "coalescer,warp",
};
static const struct sim_probe_desc probe_lines = {
    .name = "lines",
    .kind = SIM_PROBE_UINT,
    .width = 8,
    .doc = "lines of the request started last",
    .unit = "lines",
    .views = "coalescer",
};
static const struct sim_probe_desc probe_lanes = {
    .name = "lane_mask",
    .kind = SIM_PROBE_BITS,
    .width = 32,
    .doc = "its lanes",
    .role = SIM_ROLE_LANES,
    .label = "lanes",
    .views = "coalescer",
};

/* ---- between lanes and lines ---- */

static struct mem_atom *make_atom(struct lsu *l, const struct mem_req *r,
                                  const struct mem_line *t)
{
    struct mem_atom *a = sim_pool_take(&l->atoms);

    a->mask = t->lanes;
    a->sub = r->uop->form.sub;
    a->type = r->uop->form.type;
    a->size = r->size;
    a->joined = r->uop->counts;
    for (uint32_t m = t->lanes; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);

        a->offset[lane] = (uint8_t)(r->addr[lane] - t->addr);
        a->b[lane] = mem_atom_operand(r, 0, lane);
        a->c[lane] = mem_atom_operand(r, 1, lane);
    }
    return a;
}

static void take_atom(struct mem_req *r, struct mem_line *t)
{
    for (uint32_t m = t->lanes; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);

        r->d[0][lane] = (uint32_t)t->atom->old[lane];
        r->d[1][lane] = (uint32_t)(t->atom->old[lane] >> 32);
    }
    sim_pool_give(t->atom);
}

static void send_line(struct lsu *l)
{
    struct mem_req *r = l->sending;
    const struct rules_lines *plan = &l->plan[l->piece];
    const struct rules_line *p = &plan->line[l->next_line];
    struct mem_line *t = sim_pool_take(&l->lines);

    t->addr = p->addr;
    t->op = r->op;
    t->sectors = (uint8_t)p->sectors;
    t->launch = r->launch;
    t->sm = (uint8_t)l->env.sm;
    t->entry = l->sending_entry;
    t->bypass_l1 = r->bypass_l1;
    t->read_only = r->read_only;
    t->from_l1 = false;
    t->straight = plan->straight && l->n_pieces == r->words;
    t->ack = r->op == MEM_STORE;
    t->piece = r->space == ISA_SP_TEXTURE ? MEM_TEXELS
               : lsu_is_early(l, r)       ? MEM_EARLY
                                          : l->piece;
    t->lanes = p->lanes;
    t->bytes[0] = p->bytes[0];
    t->bytes[1] = p->bytes[1];
    if (r->op == MEM_STORE && !mem_is_early(t)) {
        lsu_fill_line(r, t);
    } else if (r->op >= MEM_ATOM) {
        t->atom = make_atom(l, r, t);
    }
    if (SIM_WATCHED(l->scope)) {
        memset(t->seen, 0, sizeof(t->seen));
        t->seen[MEM_SEEN_SENT] = sim_now(l->scope.sim);
    }
    r->pending++;
    if (++l->next_line == plan->n) {
        l->next_line = 0;
        l->piece++;
    }
    sim_send(&l->l1, t);
}

/* ---- answers ---- */

/* r is complete and goes back. */
static void give_back(struct lsu *l, struct mem_req *r)
{
    mem_reqs_append(&l->done, r);
}

/* r goes back at that time, after those before it. */
static void hold_until(struct lsu *l, struct mem_req *r, sim_cycle_t at)
{
    r->retry_at = at;
    if (l->texels.first == NULL) {
        sim_notify_at(&l->filtered, r->retry_at);
    } else if (r->retry_at < l->texels.last->retry_at) {
        r->retry_at = l->texels.last->retry_at; /* in order */
    }
    mem_reqs_append(&l->texels, r);
}

/* r goes back when its texels are a result. */
static void filter(struct lsu *l, struct mem_req *r, sim_cycle_t now)
{
    hold_until(l, r,
               now + l->env.texture_latency +
                   (r->texture->desc->layout == TEX_LINEAR ? 0
                                                           : l->env.rules->tex_more));
}

static void take_filtered(struct lsu *l, sim_cycle_t now)
{
    while (l->texels.first != NULL && l->texels.first->retry_at <= now) {
        give_back(l, mem_reqs_take(&l->texels));
    }
    if (l->texels.first != NULL && !sim_pending(&l->filtered)) {
        sim_notify_at(&l->filtered, l->texels.first->retry_at);
    }
}

/* The bytes of copy r are here: SPEC ASYNC-2. */
static void land(struct lsu *l, struct mem_req *r)
{
    lsu_land(r);
    mem_reqs_append(&l->landed, r);
}

static void finish(struct lsu *l, uint16_t entry, sim_cycle_t now)
{
    struct mem_req *r = l->entry[entry];

    l->entry[entry] = NULL;
    l->free_entry[l->n_free++] = entry;
    if (r->space == ISA_SP_TEXTURE) {
        filter(l, r, now);
    } else if (UNLIKELY(mem_is_copy(r))) {
        land(l, r);
    } else {
        give_back(l, r);
    }
}

static void accept_line(struct lsu *l, sim_cycle_t now)
{
    struct mem_line *t = sim_take_head(&l->line, now);
    struct mem_req *r = l->entry[t->entry];

    if (t->op >= MEM_ATOM) {
        take_atom(r, t);
    } else if (UNLIKELY(mem_is_texture(t))) {
        lsu_take_texels(t, r->texture);
    } else if (t->op == MEM_LOAD && !mem_is_early(t)) {
        lsu_empty_line(t, r);
    }
    if (--r->pending == 0) {
        if (SIM_WATCHED(l->scope)) {
            memcpy(r->seen, t->seen, sizeof(r->seen));
        }
        finish(l, t->entry, now);
    }
    sim_pool_give(t);
}

static void deliver(struct lsu *l, sim_cycle_t now)
{
    while (l->done.first != NULL) {
        struct mem_req *r;

        if (!sim_out_ready(&l->rsp)) {
            sim_out_wait(&l->rsp);
            return;
        }
        r = mem_reqs_take(&l->done);
        r->at[MEM_AT_SERVED] = now;
        sim_send(&l->rsp, r);
    }
}

/* Copies go on to the crossbar, before what the warps ask for. */
static ATTR_NOINLINE void store_landed(struct lsu *l)
{
    while (l->landed.first != NULL) {
        if (!sim_out_ready(&l->smem)) {
            sim_out_wait(&l->smem);
            return;
        }
        l->n_copies--;
        sim_send(&l->smem, mem_reqs_take(&l->landed));
    }
}

/* Requests of other SMs go on to shared memory. */
static void serve_others(struct lsu *l, sim_cycle_t now)
{
    while (mem_has_arrived(&l->serve, now)) {
        if (!sim_out_ready(&l->smem)) {
            sim_out_wait(&l->smem);
            return;
        }
        sim_send(&l->smem, sim_take_head(&l->serve, now));
    }
}

/* ---- requests ---- */

/* Start the head of a queue; cycles it occupies the unit, 0 if it has to wait. */
static uint32_t start(struct lsu *l, struct sim_in *from, sim_cycle_t now)
{
    struct mem_req *r = (struct mem_req *)(void *)from->head;
    struct sim_out *to = r->space == ISA_SP_SHARED  ? &l->smem
                         : r->space == ISA_SP_CONST ? &l->cbank
                                                    : &l->away;
    uint32_t cycles = l->lanes_cy;

    if (SIM_WATCHED(l->scope)) {
        memset(r->seen, 0, sizeof(r->seen));
    }
    if (r->op == MEM_DRAIN) { /* what came before it has been sent */
        (void)sim_take_head(from, now);
        give_back(l, r);
        deliver(l, now);
        return 1;
    }
    if (r->space == ISA_SP_SHARED || r->space == ISA_SP_CONST ||
        r->space == ISA_SP_CLUSTER) {
        if (!sim_out_ready(to)) {
            sim_out_wait(to);
            return 0;
        }
        (void)sim_take_head(from, now);
        r->at[MEM_AT_LSU] = now;
        r->polled = false;
        if (!*l->env.in_step && sim_open(to, r, now) != SIM_CYCLE_NONE) {
            sim_hand(to, r);
        } else {
            sim_send(to, r);
        }
    } else {
        if (l->n_free == 0) {
            return 0; /* line.arrived wakes us */
        }
        (void)sim_take_head(from, now);
        r->at[MEM_AT_LSU] = now;
        l->n_copies += mem_is_copy(r);
        l->piece = 0;
        l->next_line = 0;
        l->together = 1;
        l->data_until = 0;
        if (r->space == ISA_SP_LOCAL) {
            lsu_plan_local(l, r);
        } else if (UNLIKELY(r->space == ISA_SP_TEXTURE)) {
            cycles = lsu_plan_texture(l, r);
        } else {
            if (lsu_is_early(l, r)) {
                l->pages = (struct untimed_pages){.memory = l->env.early};
                untimed_global(&l->pages, r);
            }
            lsu_plan_global(l, r);
            if (UNLIKELY(lsu_is_spared(l, r, IDEAL_LATENCY)) && r->op == MEM_LOAD &&
                !mem_is_copy(r)) {
                hold_until(l, r, now + l->env.hit_latency); /* SPEC IDEAL-3 */
                return cycles;
            }
        }
        l->sending = r;
        l->sending_entry = l->free_entry[--l->n_free];
        l->entry[l->sending_entry] = r;
        r->pending = 1;          /* until the last line is sent */
        if (l->plan[0].n == 0) { /* texels that are all of the border */
            l->sending = NULL;
            r->pending = 0;
            finish(l, l->sending_entry, now);
        }
    }
    l->by_lines = l->sending != NULL;
    l->warp = r->warp;
    l->mask = r->mask;
    return cycles;
}

bool lsu_is_idle(const struct lsu *l)
{
    return l->req.held == 0 && l->sending == NULL && l->done.first == NULL &&
           l->texels.first == NULL && l->landed.first == NULL && l->line.held == 0 &&
           l->serve.held == 0 && l->cbank.peer->held == 0;
}

/* See sim_in_serves(): a request of shared memory, nobody looks, and nothing else may
 * go the same way before. It starts when those that were handed over before it have
 * left the unit to it, and the crossbar has a place. */
static sim_cycle_t opens_at(void *self, const void *txn, sim_cycle_t ready)
{
    struct lsu *l = self;
    const struct mem_req *r = txn;
    sim_cycle_t start;

    if (r->space != ISA_SP_SHARED || l->sending != NULL || l->n_copies != 0 ||
        l->serve.held != 0 || l->bulk.held != 0 || SIM_WATCHED(l->scope) ||
        l->scope.awaited) {
        return SIM_CYCLE_NONE;
    }
    start = sim_out_credit_at(&l->smem, ready > l->slot_at ? ready : l->slot_at);
    if ((start != ready && !l->in_order) || start == SIM_CYCLE_NONE ||
        sim_open(&l->smem, r, start) == SIM_CYCLE_NONE) {
        return SIM_CYCLE_NONE;
    }
    return start;
}

static void serve_at(void *self, void *txn, sim_cycle_t start)
{
    struct lsu *l = self;
    struct mem_req *r = txn;

    r->at[MEM_AT_LSU] = start;
    l->slot_at = start + l->lanes_cy;
    l->by_lines = false;
    l->warp = r->warp;
    l->mask = r->mask;
    sim_hand(&l->smem, r);
}

/* Send the next lines of the request being sent; cycles, 0 if it has to wait. */
static uint32_t send_next(struct lsu *l, sim_cycle_t now)
{
    for (uint32_t i = 0; i < l->together && l->sending != NULL; i++) {
        if (!sim_out_ready(&l->l1)) {
            sim_out_wait(&l->l1);
            return i == 0 ? 0 : l->cfg.interval;
        }
        send_line(l);
        if (l->piece == l->n_pieces) {
            l->sending->pending--; /* an answer cannot be back yet */
            l->sending = NULL;
        }
    }
    return l->sending == NULL && l->data_until > now + l->cfg.interval
               ? (uint32_t)(l->data_until - now)
               : l->cfg.interval;
}

/* A request of bulk copies has arrived. They take turns with those of warps; one that
 * has to wait lets the other go first. A turn is over when something has gone: else
 * warps that poll could take all turns. */
static ATTR_NOINLINE uint32_t start_either(struct lsu *l, sim_cycle_t now)
{
    struct sim_in *const first = l->turn == &l->bulk ? &l->req : &l->bulk;
    struct sim_in *const second = first == &l->bulk ? &l->req : &l->bulk;
    uint32_t busy = mem_has_arrived(first, now) ? start(l, first, now) : 0;

    if (busy != 0) {
        l->turn = first;
    } else if (mem_has_arrived(second, now)) {
        busy = start(l, second, now);
        l->turn = busy != 0 ? second : l->turn;
    }
    return busy;
}

static inline uint32_t start_next(struct lsu *l, sim_cycle_t now)
{
    if (UNLIKELY(mem_has_arrived(&l->bulk, now))) {
        return start_either(l, now);
    }
    return mem_has_arrived(&l->req, now) ? start(l, &l->req, now) : 0;
}

/* Requests in the queue after the last step: those sent before it. */
static uint32_t level(const struct lsu *l)
{
    uint32_t n = 0;

    for (const struct sim_txn *t = l->req.head; t != NULL; t = t->next) {
        n += t->ready < l->stepped_at + l->req.peer->latency;
    }
    return n;
}

static void show(void *ctx)
{
    struct lsu *l = ctx;

    sim_probe_set(&l->p_level, level(l));
    sim_probe_set(&l->p_entries, l->cfg.entries - l->n_free);
    sim_probe_set(&l->p_warp, l->warp);
    sim_probe_set(&l->p_lines, l->by_lines ? lsu_planned_lines(l) : 0);
    sim_probe_set(&l->p_lanes, l->mask);
}

/* The head of the queue arrives before that cycle. */
static inline bool waits(const struct sim_in *in, sim_cycle_t before)
{
    return in->head != NULL && in->head->ready < before;
}

/* Woken by req.arrived, line.arrived, slot and the space events. */
static void lsu_step(void *self)
{
    struct lsu *l = self;
    sim_cycle_t now = sim_here(&l->scope);

    l->stepped_at = now;
    while (mem_has_arrived(&l->line, now)) {
        accept_line(l, now);
    }
    if (UNLIKELY(l->texels.first != NULL)) {
        take_filtered(l, now);
    }
    deliver(l, now);
    if (UNLIKELY(l->serve.head != NULL)) {
        serve_others(l, now);
    }
    if (UNLIKELY(l->landed.first != NULL)) {
        store_landed(l);
    }
    if (now >= l->slot_at) {
        uint32_t busy = 0;

        if (l->sending == NULL) {
            busy = start_next(l, now);
        }
        if (l->sending != NULL) {
            uint32_t sent = send_next(l, now);

            busy = sent > busy ? sent : busy;
        }
        l->slot_at = now + busy;
    }
    /* a head that arrives later wakes us itself */
    if (now < l->slot_at && !sim_pending(&l->slot) &&
        (l->sending != NULL || waits(&l->bulk, l->slot_at) ||
         waits(&l->req, l->slot_at))) {
        sim_notify_at(&l->slot, l->slot_at);
    }
    if (SIM_WATCHED(l->scope)) {
        show(l);
    }
}

/* ---- construction ---- */

static void wake_on_all(struct lsu *l)
{
    sim_wake_on(&l->step, &l->req.arrived);
    sim_wake_on(&l->step, &l->line.arrived);
    sim_wake_on(&l->step, &l->slot);
    sim_wake_on(&l->step, &l->filtered);
    sim_wake_on(&l->step, &l->smem.space);
    sim_wake_on(&l->step, &l->cbank.space);
    sim_wake_on(&l->step, &l->l1.space);
    sim_wake_on(&l->step, &l->rsp.space);
    if (l->env.has_bulk) {
        sim_wake_on(&l->step, &l->bulk.arrived);
    }
    if (l->env.has_net) {
        sim_wake_on(&l->step, &l->serve.arrived);
        sim_wake_on(&l->step, &l->away.space);
    }
}

struct lsu *lsu_new(struct sim_module *parent, const struct lsu_config *cfg,
                    const struct lsu_env *env)
{
    struct sim *sim = parent->sim;
    struct lsu *l = sim_alloc(sim, sizeof(*l));

    l->cfg = *cfg;
    l->env = *env;
    l->lanes_cy = ISA_LANES / cfg->lanes;
    l->in_order = !env->has_bulk && !env->has_net;
    l->entry = sim_alloc(sim, cfg->entries * sizeof(l->entry[0]));
    l->free_entry = sim_alloc(sim, cfg->entries * sizeof(l->free_entry[0]));
    for (uint32_t i = cfg->entries; i > 0; i--) {
        l->free_entry[l->n_free++] = (uint16_t)(i - 1);
    }
    sim_module_init(&l->scope, sim, parent, NULL, "lsu");
    sim_pool_init(&l->lines, sim, "mem_line", sizeof(struct mem_line));
    sim_pool_init(&l->atoms, sim, "mem_atom", sizeof(struct mem_atom));
    sim_in_init(&l->req, &l->scope, "req", &mem_req_proto, cfg->queue);
    sim_in_serves(&l->req, opens_at, serve_at, l);
    sim_in_init(&l->line, &l->scope, "line", &mem_line_proto, 8);
    l->turn = &l->req;
    if (env->has_bulk) {
        sim_in_init(&l->bulk, &l->scope, "bulk", &mem_req_proto, 4);
    }
    if (env->has_net) {
        sim_in_init(&l->serve, &l->scope, "serve", &mem_req_proto, 4);
        sim_out_init(&l->away, &l->scope, "away", &mem_req_proto);
    }
    sim_out_init(&l->smem, &l->scope, "smem", &mem_req_proto);
    sim_out_init(&l->cbank, &l->scope, "cbank", &mem_req_proto);
    sim_out_init(&l->l1, &l->scope, "l1", &mem_line_proto);
    sim_out_init(&l->rsp, &l->scope, "rsp", &mem_req_proto);
    sim_event_init(&l->slot, sim, l->scope.clock, "slot");
    sim_event_init(&l->filtered, sim, l->scope.clock, "filtered");
    sim_process_init(&l->step, sim, "lsu", lsu_step, l);
    wake_on_all(l);
    sim_module_shows(&l->scope, show, l);
    sim_probe_init(&l->p_level, &l->scope, &probe_level, NULL, 0);
    sim_probe_init(&l->p_entries, &l->scope, &probe_entries, NULL, 0);
    sim_probe_init(&l->p_warp, &l->scope, &probe_warp, NULL, 0);
    sim_probe_init(&l->p_lines, &l->scope, &probe_lines, NULL, 0);
    sim_probe_init(&l->p_lanes, &l->scope, &probe_lanes, NULL, 0);
    return l;
}

struct sim_in *lsu_req(struct lsu *l)
{
    return &l->req;
}

struct sim_out *lsu_smem(struct lsu *l)
{
    return &l->smem;
}

struct sim_out *lsu_cbank(struct lsu *l)
{
    return &l->cbank;
}

struct sim_out *lsu_l1(struct lsu *l)
{
    return &l->l1;
}

struct sim_out *lsu_away(struct lsu *l)
{
    return &l->away;
}

struct sim_in *lsu_bulk(struct lsu *l)
{
    return &l->bulk;
}

struct sim_in *lsu_serve(struct lsu *l)
{
    return &l->serve;
}

struct sim_in *lsu_line(struct lsu *l)
{
    return &l->line;
}

struct sim_out *lsu_rsp(struct lsu *l)
{
    return &l->rsp;
}
