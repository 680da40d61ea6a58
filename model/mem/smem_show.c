#include "mem/smem_priv.h"

/* What a bank does. In the second half it is in conflict: the request needs more than
 * one of its words. In the order of enum mem_op. */
static const char *const op_names[] = {"load",           "store",
                                       "atom",           "red",
                                       "idle",           "load_conflict",
                                       "store_conflict", "atom_conflict"};

enum { OP_IDLE = 4, OP_CONFLICT = 5 /* load */ };

static const struct sim_probe_desc xbar_left = {
    .name = "wavefronts",
    .kind = SIM_PROBE_LEVEL,
    .width = 8,
    .doc = "wavefronts still to send",
    .unit = "wavefronts",
    .views = "banks,bank",
};
static const struct sim_probe_desc xbar_degree = {
    .name = "degree",
    .kind = SIM_PROBE_UINT,
    .width = 7,
    .doc = "passes of the group of lanes that needs most",
    .unit = "passes",
    .views = "banks,pipeline,warp,bank",
};
static const struct sim_probe_desc xbar_lanes = {
    .name = "lane_mask",
    .kind = SIM_PROBE_BITS,
    .width = 32,
    .doc = "lanes this wavefront serves",
    .role = SIM_ROLE_LANES,
    .label = "lanes",
    .views = "banks,bank",
};
static const struct sim_probe_desc xbar_warp = {
    .name = "warp",
    .kind = SIM_PROBE_UINT,
    .width = 6,
    .doc = "warp of the request",
    .views = "banks,warp,bank",
};
static const struct sim_probe_desc xbar_conflict = {
    .name = "conflict",
    .kind = SIM_PROBE_EVENT,
    .doc = "a request needs more than its ideal",
    .role = SIM_ROLE_BAD,
    .views = "banks,bank",
};
static const struct sim_probe_desc xbar_conflicts = {
    .name = "conflicts_per_64",
    .kind = SIM_PROBE_RATE,
    .width = 7,
    .doc = "wavefronts beyond the ideal, in 64 cycles",
    .role = SIM_ROLE_BAD,
    .label = "conflicts of 64",
    .unit = "wavefronts",
    .views = "banks,bank",
};
static const struct sim_probe_desc bank_busy = {
    .name = "busy",
    .kind = SIM_PROBE_BITS,
    .width = 1,
    .doc = "the bank serves a word",
    .role = SIM_ROLE_BUSY,
    .views = "banks,bank",
};
static const struct sim_probe_desc bank_op = {
    .name = "op",
    .kind = SIM_PROBE_STATE,
    .width = 3,
    .names = op_names,
    .n_names = ARRAY_LEN(op_names),
    .doc = "what it does",
    .views = "banks,bank",
};
static const struct sim_probe_desc bank_row = {
    .name = "row",
    .kind = SIM_PROBE_UINT,
    .width = 12,
    .doc = "row of the word",
    .views = "banks,bank",
};
static const struct sim_probe_desc bank_warp = {
    .name = "warp",
    .kind = SIM_PROBE_UINT,
    .width = 6,
    .doc = "warp it serves",
    .views = "banks,bank",
};

static const struct sim_probe_desc xbar_wavefront = {
    .name = "wavefront",
    .kind = SIM_PROBE_EVENT,
    .doc = "a pass goes to the banks",
    .views = "banks,bank",
};

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
    w->crowded = s->crowded;
    w->conflict = s->plan.n > s->plan.ideal;
    s->sent_left = s->plan.n - s->pass;
    s->sent_lanes = w->lanes[0] | w->lanes[1] | w->lanes[2] | w->lanes[3];
    if (SIM_WATCHED(s->xbar)) {
        s->n_conflicts += s->pass > s->plan.ideal;
        sim_probe_fire(&s->wavefront);
    }
}

void smem_show_served(struct smem *s, const struct mem_req *r, const struct mem_wave *w)
{
    struct smem_notes *n = &s->notes;
    bool watched = (s->observers & BANKS) != 0;

    if (!watched && (s->observers & LATER) == 0) {
        return;
    }
    smem_note(n, s->env.rules, r, w, !watched && w->conflict,
              sim_here(&s->array) + s->cfg.interval);
    n->settled = watched;
    if (watched) {
        n->conflicts = w->crowded;
        sim_cancel(&s->idle);
        sim_notify_at(&s->idle, n->idle_at);
        smem_show_banks(s);
    }
}

/* ---- what is shown ---- */

/* Behind a wave a step follows if somebody watches. */
void smem_show_xbar(void *ctx)
{
    struct smem *s = ctx;
    bool over = sim_here(&s->xbar) >= s->slot_at;

    sim_probe_set(&s->left, s->sent_left);
    sim_probe_set(&s->degree, s->plan.degree);
    sim_probe_set(&s->lanes, over && s->split == NULL ? 0 : s->sent_lanes);
    sim_probe_set(&s->warp, s->begun_warp);
    sim_probe_set(&s->conflicts, s->n_conflicts);
    if (!over && !sim_pending(&s->slot)) {
        sim_notify_at(&s->slot, s->slot_at);
    }
}

/* Nobody watched so far: waves under way, and the last one, come to say which banks are
 * in conflict; and the banks fall idle in a step. */
static void settle(struct smem *s)
{
    struct smem_notes *n = &s->notes;

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
    if (!n->settled) {
        n->conflicts = smem_noted_conflict(n, s->env.rules);
        n->settled = true;
    }
    if (sim_here(&s->array) < n->idle_at) {
        sim_notify_at(&s->idle, n->idle_at);
    }
    s->settled = true;
}

/* The state of a bank that serves a word of a request. */
static uint32_t op_of(uint32_t op, bool conflict)
{
    if (!conflict) {
        return op;
    }
    return OP_CONFLICT + (op == MEM_RED ? (uint32_t)MEM_ATOM : op);
}

/* What the banks do lasts for the interval of their wave, or until the next one, that
 * waited then, is served. */
static bool is_busy(const struct smem *s)
{
    const struct sim_txn *next = s->served.head;

    return sim_here(&s->array) < s->notes.idle_at ||
           (next != NULL && next->ready <= s->notes.idle_at);
}

static void show_bank(void *ctx)
{
    struct bank *b = ctx;
    struct smem *s = b->smem;
    const struct smem_notes *n = &s->notes;
    uint32_t i = (uint32_t)(b - s->bank);
    bool on;

    if (!s->settled) {
        settle(s);
    }
    on = bank_set_has(&n->busy, i) && is_busy(s);
    sim_probe_set(&b->busy, on);
    sim_probe_set(&b->op, on ? op_of(n->op, bank_set_has(&n->conflicts, i)) : OP_IDLE);
    if (bank_set_has(&n->banks, i)) { /* it has served a word */
        sim_probe_set(&b->row, rules_row(s->env.rules, n->mode[i], n->word[i]));
        sim_probe_set(&b->warp, n->warp[i]);
    }
}

void smem_show_banks(struct smem *s)
{
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        show_bank(&s->bank[b]);
    }
}

/* ---- construction ---- */

static void new_banks(struct smem *s)
{
    struct sim *sim = s->scope.sim;

    s->bank = sim_alloc(sim, s->cfg.banks * sizeof(s->bank[0]));
    for (uint32_t i = 0; i < s->cfg.banks; i++) {
        struct bank *b = &s->bank[i];
        char name[8] = "bank", *digit = name + 4;

        if (s->cfg.banks > 100) {
            *digit++ = (char)('0' + i / 100);
        }
        *digit++ = (char)('0' + i / 10 % 10);
        *digit++ = (char)('0' + i % 10);
        sim_module_init(&b->scope, sim, &s->scope, NULL, name);
        sim_module_shows(&b->scope, show_bank, b);
        sim_module_looks(&b->scope, &s->looked);
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
    sim_module_shows(&s->xbar, smem_show_xbar, s);
    sim_module_looks(&s->xbar, &s->looked);
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
