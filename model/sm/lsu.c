#include "sm/lsu.h"

#include "base/bits.h"
#include <string.h>

const struct cfg_field lsu_fields[LSU_N_FIELDS] = {
    CFG_U32(struct lsu_config, lanes, 1, 16, 32, CFG_PLAIN, CFG_POW2,
            "addresses generated per SM cycle"),
    CFG_U32(struct lsu_config, interval, 1, 2, 64, CFG_CYCLES, 0,
            "cycles between two lines of a request"),
    CFG_U32(struct lsu_config, queue, 1, 4, 64, CFG_PLAIN, 0,
            "requests held before the unit"),
    CFG_U32(struct lsu_config, entries, 1, 64, 1024, CFG_PLAIN, 0,
            "global and local requests under way"),
};

static const struct sim_probe_desc probe_level = {
    "queue", SIM_PROBE_LEVEL, 7, NULL, 0, NULL, "requests held before the unit"};
static const struct sim_probe_desc probe_entries = {
    "entries",
    SIM_PROBE_LEVEL,
    11,
    NULL,
    0,
    NULL,
    "global and local requests under way"};
static const struct sim_probe_desc probe_warp = {
    "warp", SIM_PROBE_UINT, 6, NULL, 0, NULL, "warp of the request started last"};
static const struct sim_probe_desc probe_lines = {
    "lines", SIM_PROBE_UINT, 8, NULL, 0, NULL, "lines of the request started last"};
static const struct sim_probe_desc probe_lanes = {"lane_mask", SIM_PROBE_BITS,
                                                  32,          NULL,
                                                  0,           NULL,
                                                  "its lanes"};

enum { PIECE_LINES = 4 * 2 * PTX_LANES, NO_ENTRY = UINT16_MAX };

struct planned { /* a line still to be sent */
    struct rules_line line;
    uint8_t piece;
};

struct lsu {
    struct sim_module scope;
    struct lsu_config cfg; /* immutable */
    struct lsu_env env;
    struct sim_in req, line;
    struct sim_out smem, cbank, l1, rsp;
    struct sim_event slot;
    struct sim_process step;
    struct sim_pool lines, atoms;
    sim_cycle_t slot_at;
    struct mem_req **entry; /* requests under way; NULL: free */
    uint16_t *free_entry;   /* a stack of indices */
    uint32_t n_free;
    struct mem_req *sending; /* owned by its entry; lines are still to be sent */
    uint16_t sending_entry;
    uint32_t next_line, n_lines;
    struct planned plan[PIECE_LINES];
    struct mem_req *done, *done_last; /* complete, waiting for the way to the SM */
    struct sim_probe p_level, p_entries, p_warp, p_lines, p_lanes;
};

/* ---- from request to lines ---- */

static uint32_t piece_bytes(const struct mem_req *r)
{
    return r->size < 4 ? r->size : 4;
}

/* Bytes of a lane's piece i from its address. */
static uint32_t piece_offset(const struct mem_req *r, uint32_t i)
{
    return i * piece_bytes(r);
}

static void tell(struct lsu *l, const struct mem_req *r,
                 const struct rules_lines *lines, bool in_l1)
{
    struct mem_planned p;

    mem_planned_of(&p, r, l->env.sm, sim_here(&l->scope));
    p.requests = lines->requests;
    p.sectors = lines->sectors;
    p.lines = lines->lines;
    p.in_l1 = in_l1;
    sim_raise(l->env.planned, &l->scope, &p, sizeof(p));
}

/* SPEC LOCAL-1: a request per 32-bit piece of the lanes' accesses. */
static void plan_local(struct lsu *l, const struct mem_req *r)
{
    struct rules_lines lines, all = {0};
    uint64_t addr[PTX_LANES] = {0};
    struct rules_access a = {.op = r->op,
                             .bytes = (uint8_t)piece_bytes(r),
                             .mask = r->mask,
                             .addr = addr};

    for (uint32_t i = 0; i < r->words; i++) {
        for (uint32_t m = r->mask; m != 0; m &= m - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(m);

            addr[lane] =
                lsu_local_addr(r->base, r->addr[lane] + piece_offset(r, i), lane);
        }
        rules_local(&a, &lines);
        all.requests += lines.requests;
        all.sectors += lines.sectors;
        all.lines += lines.lines;
        for (uint32_t k = 0; k < lines.n; k++) {
            l->plan[l->n_lines++] = (struct planned){lines.line[k], (uint8_t)i};
        }
    }
    if (l->env.planned != NULL && sim_heard(l->env.planned)) {
        tell(l, r, &all, true);
    }
}

static void count_global(struct lsu *l, const struct mem_req *r,
                         const struct rules_lines *lines)
{
    struct stat_counters *s = &l->env.stats[r->launch];
    uint64_t wanted = (uint64_t)bits_count(r->mask) * r->size * r->vec;
    uint64_t n = (uint64_t)lines->transactions[0] + lines->transactions[1] +
                 lines->transactions[2]; /* SPEC COAL-3 */

    switch ((enum mem_op)r->op) {
    case MEM_LOAD:
        s->gl_ld_requests += lines->requests;
        s->gl_ld_sectors += lines->sectors;
        s->gl_ld_transactions += n;
        s->gl_ld_bytes += lines->moved;
        s->gl_ld_wanted += wanted;
        break;
    case MEM_STORE:
        s->gl_st_requests += lines->requests;
        s->gl_st_sectors += lines->sectors;
        s->gl_st_transactions += n;
        s->gl_st_bytes += lines->moved;
        s->gl_st_wanted += wanted;
        break;
    case MEM_ATOM:
    case MEM_RED:
        s->gl_at_requests += lines->requests;
        s->gl_at_sectors += lines->sectors;
        s->gl_at_transactions += n;
        s->gl_at_bytes += lines->moved;
        break;
    }
}

static void plan_global(struct lsu *l, const struct mem_req *r)
{
    struct rules_lines lines;
    struct rules_access a = {.op = r->op,
                             .bytes = (uint8_t)(r->size * r->vec),
                             .in_l1 = rules_in_l1(l->env.rules, r->read_only) &&
                                      !r->bypass_l1 && r->op == MEM_LOAD,
                             .mask = r->mask,
                             .addr = r->addr};

    rules_global(l->env.rules, &a, &lines);
    count_global(l, r, &lines);
    if (l->env.planned != NULL && sim_heard(l->env.planned)) {
        tell(l, r, &lines, a.in_l1);
    }
    for (uint32_t k = 0; k < lines.n; k++) {
        l->plan[l->n_lines++] = (struct planned){lines.line[k], 0};
    }
}

/* ---- between lanes and lines ---- */

/* Move the bytes of every lane in t between its request and the line's data. */
static void move_lane_bytes(const struct mem_req *r, struct mem_line *t, uint32_t mask,
                            struct mem_req *to)
{
    bool local = r->space == PTX_SP_LOCAL;
    uint32_t n = piece_bytes(r);
    uint32_t first = local ? t->piece : 0;
    uint32_t last = local ? t->piece + 1u : r->words;

    for (; mask != 0; mask &= mask - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(mask);

        for (uint32_t i = first; i < last; i++) {
            uint64_t at = r->addr[lane] + piece_offset(r, i);
            uint8_t *p;

            if (local) {
                at = lsu_local_addr(r->base, at, lane);
            }
            p = t->data + (at - t->addr);
            if (to == NULL) {
                memcpy(p, &r->d[i][lane], n); /* little-endian, as the device */
            } else {
                to->d[i][lane] = 0;
                memcpy(&to->d[i][lane], p, n);
            }
        }
    }
}

static struct mem_atom *make_atom(struct lsu *l, const struct mem_req *r,
                                  const struct mem_line *t)
{
    struct mem_atom *a = sim_pool_take(&l->atoms);

    a->mask = t->lanes;
    a->sub = r->uop->form.sub;
    a->type = r->uop->form.type;
    a->size = r->size;
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
    t->atom = NULL;
}

static void send_line(struct lsu *l)
{
    struct mem_req *r = l->sending;
    const struct planned *p = &l->plan[l->next_line++];
    struct mem_line *t = sim_pool_take(&l->lines);

    t->addr = p->line.addr;
    t->op = r->op;
    t->sectors = (uint8_t)p->line.sectors;
    t->launch = r->launch;
    t->sm = (uint8_t)l->env.sm;
    t->entry = l->sending_entry;
    t->bypass_l1 = r->bypass_l1;
    t->read_only = r->read_only;
    t->from_l1 = false;
    t->ack = r->op == MEM_STORE;
    t->piece = p->piece;
    t->lanes = p->line.lanes;
    t->bytes[0] = p->line.bytes[0];
    t->bytes[1] = p->line.bytes[1];
    t->atom = NULL;
    if (r->op == MEM_STORE) {
        move_lane_bytes(r, t, t->lanes, NULL);
    } else if (r->op >= MEM_ATOM) {
        t->atom = make_atom(l, r, t);
    }
    r->pending++;
    sim_send(&l->l1, t);
}

/* ---- answers ---- */

static void finish(struct lsu *l, uint16_t entry)
{
    struct mem_req *r = l->entry[entry];

    l->entry[entry] = NULL;
    l->free_entry[l->n_free++] = entry;
    r->txn.next = NULL;
    if (l->done == NULL) {
        l->done = r;
    } else {
        l->done_last->txn.next = &r->txn;
    }
    l->done_last = r;
}

static void accept_line(struct lsu *l)
{
    struct mem_line *t = sim_take(&l->line);
    struct mem_req *r = l->entry[t->entry];

    if (t->atom != NULL) {
        take_atom(r, t);
    } else if (t->op == MEM_LOAD) {
        move_lane_bytes(r, t, t->lanes, r);
    }
    if (--r->pending == 0) {
        finish(l, t->entry);
    }
    sim_pool_give(t);
}

static void deliver(struct lsu *l)
{
    while (l->done != NULL) {
        struct mem_req *r = l->done;

        if (!sim_out_ready(&l->rsp)) {
            sim_out_wait(&l->rsp);
            return;
        }
        l->done = (struct mem_req *)(void *)r->txn.next;
        r->at[MEM_AT_SERVED] = sim_here(&l->scope);
        sim_send(&l->rsp, r);
    }
}

/* ---- requests ---- */

/* Start the head of the queue; cycles it occupies the unit, 0 if it has to wait. */
static uint32_t start(struct lsu *l)
{
    struct mem_req *r = sim_peek(&l->req);
    uint32_t cycles = PTX_LANES / l->cfg.lanes;
    struct sim_out *to = r->space == PTX_SP_SHARED ? &l->smem : &l->cbank;

    if (r->space == PTX_SP_SHARED || r->space == PTX_SP_CONST) {
        if (!sim_out_ready(to)) {
            sim_out_wait(to);
            return 0;
        }
        (void)sim_take(&l->req);
        r->at[MEM_AT_LSU] = sim_here(&l->scope);
        sim_send(to, r);
        sim_probe_set(&l->p_lines, 0);
    } else {
        if (l->n_free == 0) {
            return 0; /* line.arrived wakes us */
        }
        (void)sim_take(&l->req);
        r->at[MEM_AT_LSU] = sim_here(&l->scope);
        l->n_lines = 0;
        l->next_line = 0;
        if (r->space == PTX_SP_LOCAL) {
            plan_local(l, r);
        } else {
            plan_global(l, r);
        }
        l->sending = r;
        l->sending_entry = l->free_entry[--l->n_free];
        l->entry[l->sending_entry] = r;
        r->pending = 1; /* until the last line is sent */
        sim_probe_set(&l->p_lines, l->n_lines);
    }
    sim_probe_set(&l->p_warp, r->warp);
    sim_probe_set(&l->p_lanes, r->mask);
    return cycles;
}

/* Send the next line of the request being sent; cycles, 0 if it has to wait. */
static uint32_t send_next(struct lsu *l)
{
    if (!sim_out_ready(&l->l1)) {
        sim_out_wait(&l->l1);
        return 0;
    }
    send_line(l);
    if (l->next_line == l->n_lines) {
        l->sending->pending--; /* an answer cannot be back yet */
        l->sending = NULL;
    }
    return l->cfg.interval;
}

/* Woken by req.arrived, line.arrived, slot and the space events. */
static void lsu_step(void *self)
{
    struct lsu *l = self;
    sim_cycle_t now = sim_here(&l->scope);

    while (sim_peek(&l->line) != NULL) {
        accept_line(l);
    }
    deliver(l);
    if (now >= l->slot_at) {
        uint32_t busy = 0;

        if (l->sending == NULL && sim_peek(&l->req) != NULL) {
            busy = start(l);
        }
        if (l->sending != NULL) {
            uint32_t sent = send_next(l);

            busy = sent > busy ? sent : busy;
        }
        l->slot_at = now + busy;
    }
    if (now < l->slot_at && (l->sending != NULL || l->req.head != NULL) &&
        !sim_pending(&l->slot)) {
        sim_notify_at(&l->slot, l->slot_at);
    }
    sim_probe_set(&l->p_level, sim_in_level(&l->req));
    sim_probe_set(&l->p_entries, l->cfg.entries - l->n_free);
}

/* ---- construction ---- */

static void wake_on_all(struct lsu *l)
{
    sim_wake_on(&l->step, &l->req.arrived);
    sim_wake_on(&l->step, &l->line.arrived);
    sim_wake_on(&l->step, &l->slot);
    sim_wake_on(&l->step, &l->smem.space);
    sim_wake_on(&l->step, &l->cbank.space);
    sim_wake_on(&l->step, &l->l1.space);
    sim_wake_on(&l->step, &l->rsp.space);
}

struct lsu *lsu_new(struct sim_module *parent, const struct lsu_config *cfg,
                    const struct lsu_env *env)
{
    struct sim *sim = parent->sim;
    struct lsu *l = sim_alloc(sim, sizeof(*l));

    l->cfg = *cfg;
    l->env = *env;
    l->entry = sim_alloc(sim, cfg->entries * sizeof(l->entry[0]));
    l->free_entry = sim_alloc(sim, cfg->entries * sizeof(l->free_entry[0]));
    for (uint32_t i = cfg->entries; i > 0; i--) {
        l->free_entry[l->n_free++] = (uint16_t)(i - 1);
    }
    sim_module_init(&l->scope, sim, parent, NULL, "lsu");
    sim_pool_init(&l->lines, sim, "mem_line", sizeof(struct mem_line));
    sim_pool_init(&l->atoms, sim, "mem_atom", sizeof(struct mem_atom));
    sim_in_init(&l->req, &l->scope, "req", &mem_req_proto, cfg->queue);
    sim_in_init(&l->line, &l->scope, "line", &mem_line_proto, 8);
    sim_out_init(&l->smem, &l->scope, "smem", &mem_req_proto);
    sim_out_init(&l->cbank, &l->scope, "cbank", &mem_req_proto);
    sim_out_init(&l->l1, &l->scope, "l1", &mem_line_proto);
    sim_out_init(&l->rsp, &l->scope, "rsp", &mem_req_proto);
    sim_event_init(&l->slot, sim, l->scope.clock, "slot");
    sim_process_init(&l->step, sim, "lsu", lsu_step, l);
    wake_on_all(l);
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

struct sim_in *lsu_line(struct lsu *l)
{
    return &l->line;
}

struct sim_out *lsu_rsp(struct lsu *l)
{
    return &l->rsp;
}
