#include "mem/smem_priv.h"

/* What a bank does. In the second half it is in conflict: the request needs more than one
 * of its words. In the order of enum mem_op. */
static const char *const op_names[] = {"load",           "store",
                                       "atom",           "red",
                                       "idle",           "load_conflict",
                                       "store_conflict", "atom_conflict"};

enum { OP_IDLE = 4, OP_CONFLICT = 5 /* load */ };

static const struct sim_probe_desc xbar_left = {
    "wavefronts", SIM_PROBE_LEVEL, 8, NULL, 0, NULL, "wavefronts still to send"};
static const struct sim_probe_desc xbar_degree = {
    "degree",
    SIM_PROBE_UINT,
    7,
    NULL,
    0,
    NULL,
    "passes of the group of lanes that needs most"};
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

/* ---- what happens ---- */

void smem_look(struct smem *s)
{
    s->observers = s->xbar.watched ? XBAR : 0;
    s->observers |= s->xbar.awaited ? LATER : 0;
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        s->observers |= s->bank[b].scope.watched ? BANKS : 0;
        s->observers |= s->bank[b].scope.awaited ? LATER : 0;
    }
    s->settled = (s->observers & BANKS) != 0;
    s->looked = true;
}

void smem_show_wave(struct smem *s, struct mem_wave *w)
{
    uint32_t conflicts = s->plan.n > s->plan.ideal;

    w->crowded = (s->observers & BANKS) != 0 ? s->crowded : conflicts;
    s->sent_left = s->plan.n - s->pass;
    s->sent_lanes = w->lanes[0] | w->lanes[1] | w->lanes[2] | w->lanes[3];
    if (SIM_WATCHED(s->xbar)) {
        sim_probe_set(&s->left, s->sent_left);
        s->n_conflicts += s->pass > s->plan.ideal;
        sim_probe_set(&s->conflicts, s->n_conflicts);
        sim_probe_set(&s->lanes, s->sent_lanes);
        sim_probe_fire(&s->wavefront);
    }
}

/* The state of a bank that serves a word of a request. */
static uint32_t op_of(uint32_t op, bool conflict)
{
    if (!conflict) {
        return op;
    }
    return OP_CONFLICT + (op == MEM_RED ? (uint32_t)MEM_ATOM : op);
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
                      on ? op_of(r->op, (w->crowded >> b & 1u) != 0) : OP_IDLE);
        if (on) {
            sim_probe_set(&s->bank[b].row, row[b]);
            sim_probe_set(&s->bank[b].warp, r->warp);
        }
    }
    sim_cancel(&s->idle);
    sim_notify_cycles(&s->idle, s->cfg.interval);
}

void smem_show_served(struct smem *s, const struct mem_req *r, const struct mem_wave *w)
{
    if ((s->observers & BANKS) != 0) {
        show_banks(s, r, w);
    } else if ((s->observers & LATER) != 0) {
        smem_note(&s->notes, s->env.rules, r, w, w->crowded != 0,
                  sim_here(&s->array) + s->cfg.interval);
    }
}

void smem_show_idle(struct smem *s)
{
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        sim_probe_set(&s->bank[b].busy, 0);
        sim_probe_set(&s->bank[b].op, OP_IDLE);
    }
}

/* ---- what nobody watched ---- */

/* Waves under way say which banks are in conflict. */
static void settle(struct smem *s)
{
    for (struct sim_txn *t = s->served.head; t != NULL; t = t->next) {
        struct mem_wave *w = (struct mem_wave *)(void *)t;
        struct rules_access a = smem_access_of(w->req);

        w->crowded = smem_conflict(s->env.rules, &a, (uint32_t)w->req->base);
    }
    if (s->split != NULL) {
        struct rules_access a = smem_access_of(s->split);

        s->crowded =
            rules_crowded(s->env.rules, &a, (uint32_t)s->split->base, &s->plan);
    }
    s->settled = true;
}

/* Behind a wave a step follows if somebody watches. */
static void refresh_xbar(void *ctx)
{
    struct smem *s = ctx;
    bool over = sim_here(&s->xbar) >= s->slot_at;

    s->looked = false;
    if (!s->xbar.watched) {
        return;
    }
    sim_probe_refresh(&s->left, s->sent_left);
    sim_probe_refresh(&s->degree, s->plan.degree);
    sim_probe_refresh(&s->warp, s->begun_warp);
    sim_probe_refresh(&s->lanes, over && s->split == NULL ? 0 : s->sent_lanes);
    if (!over && !sim_pending(&s->slot)) {
        sim_notify_at(&s->slot, s->slot_at);
    }
}

/* What the banks do lasts for the interval of their wave, or until the next one, that
 * waited then, is served. */
static bool is_busy(const struct smem *s)
{
    const struct sim_txn *next = s->served.head;

    return sim_here(&s->array) < s->notes.idle_at ||
           (next != NULL && next->ready <= s->notes.idle_at);
}

static void refresh_bank(void *ctx)
{
    struct bank *b = ctx;
    struct smem *s = b->smem;
    struct smem_notes *n = &s->notes;
    uint32_t i = (uint32_t)(b - s->bank);

    s->looked = false;
    if (!b->scope.watched || (s->observers & BANKS) != 0) {
        return;
    }
    if (!s->settled) {
        settle(s);
        n->conflicts = smem_noted_conflict(n, s->env.rules);
        if (sim_here(&s->array) < n->idle_at) {
            sim_notify_at(&s->idle, n->idle_at);
        }
    }
    if ((n->banks >> i & 1u) != 0) {
        bool on = (n->busy >> i & 1u) != 0 && is_busy(s);

        sim_probe_refresh(&b->row, rules_row(s->env.rules, n->mode[i], n->word[i]));
        sim_probe_refresh(&b->warp, n->warp[i]);
        sim_probe_refresh(&b->busy, on);
        sim_probe_refresh(&b->op,
                          on ? op_of(n->op, (n->conflicts >> i & 1u) != 0) : OP_IDLE);
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
        sim_module_refreshes(&b->scope, refresh_bank, b);
        b->smem = s;
        sim_probe_init(&b->busy, &b->scope, &bank_busy, NULL, 0);
        sim_probe_init(&b->op, &b->scope, &bank_op, NULL, OP_IDLE);
        sim_probe_init(&b->row, &b->scope, &bank_row, NULL, 0);
        sim_probe_init(&b->warp, &b->scope, &bank_warp, NULL, 0);
    }
}

void smem_show_init(struct smem *s)
{
    struct sim *sim = s->scope.sim;

    sim_module_init(&s->xbar, sim, &s->scope, NULL, "xbar");
    sim_module_refreshes(&s->xbar, refresh_xbar, s);
    sim_probe_init(&s->left, &s->xbar, &xbar_left, NULL, 0);
    sim_probe_init(&s->degree, &s->xbar, &xbar_degree, NULL, 0);
    sim_probe_init(&s->lanes, &s->xbar, &xbar_lanes, NULL, 0);
    sim_probe_init(&s->warp, &s->xbar, &xbar_warp, NULL, 0);
    sim_probe_init(&s->wavefront, &s->xbar, &xbar_wavefront, NULL, 0);
    sim_probe_init(&s->conflict, &s->xbar, &xbar_conflict, NULL, 0);
    sim_probe_init(&s->conflicts, &s->xbar, &xbar_conflicts, NULL, 0);
    sim_module_init(&s->array, sim, &s->scope, NULL, "array");
    new_banks(s);
}
