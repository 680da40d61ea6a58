#include "mem/dram_sched.h"

void dram_pch_init(struct dram_pch *p, struct sim *s, const struct dram_config *cfg,
                   uint32_t channel, uint32_t index)
{
    uint32_t units = cfg->bank_refresh ? cfg->banks : 1;
    uint32_t before = channel * cfg->pseudo_channels + index;

    *p = (struct dram_pch){.cfg = cfg, .index = index};
    dram_banks_init(&p->banks, s, cfg);
    for (uint32_t w = 0; w < 2; w++) {
        p->list[w] = sim_alloc(s, cfg->banks * sizeof(p->list[w][0]));
    }
    p->unit_banks = cfg->banks / units;
    p->interval = cfg->refi / units;
    /* the device's pseudo-channels take turns, the last at the end of an interval */
    p->refresh_at =
        (uint64_t)p->interval * (before + 1) / (cfg->channels * cfg->pseudo_channels);
}

static void tell(struct dram_pch *p, enum dram_kind kind, uint32_t bank, int64_t row,
                 sim_cycle_t at, const struct mem_burst *t, bool idle)
{
    struct dram_command c = {.kind = kind,
                             .pch = p->index,
                             .bank = bank,
                             .row = row,
                             .at = at,
                             .idle = idle,
                             .data = t != NULL,
                             .tag = t != NULL ? t->tag : 0};

    sim_raise(p->commands, p->scope, &c, sizeof(c));
}

/* ---- refresh ---- */

static uint64_t unit_set(const struct dram_pch *p)
{
    return (~0ull >> (64 - p->unit_banks)) << p->unit;
}

/* Of the banks that the next refresh takes: is one open? *at: they can all be closed
 * from this cycle on. */
static bool is_unit_open(const struct dram_pch *p, sim_cycle_t *at)
{
    bool open = false;

    for (uint64_t m = p->banks.open & unit_set(p); m != 0; m &= m - 1) {
        const struct dram_bank *k = &p->banks.bank[attr_lowest_bit(m)];

        *at = open ? dram_later(*at, k->pre_at) : k->pre_at;
        open = true;
    }
    return open;
}

/* One command closes them all. */
static void close_unit(struct dram_pch *p, sim_cycle_t at, bool idle)
{
    for (uint64_t m = p->banks.open & unit_set(p); m != 0; m &= m - 1) {
        const uint32_t i = attr_lowest_bit(m);

        dram_precharge(&p->banks, &p->banks.bank[i], at);
        p->list[0][i].hit = p->list[1][i].hit = NULL;
    }
    p->fresh &= ~unit_set(p);
    if (UNLIKELY(sim_heard(p->commands))) {
        tell(p, p->unit_banks == 1 ? DRAM_PRECHARGE : DRAM_PRECHARGE_ALL, p->unit, 0,
             at, NULL, idle);
    }
}

/* They are closed: the refresh is allowed from this cycle on. */
static sim_cycle_t refresh_from(const struct dram_pch *p)
{
    return dram_later(p->refresh_at,
                      dram_refresh_at(&p->banks, p->unit, p->unit_banks));
}

static void refresh_unit(struct dram_pch *p, sim_cycle_t at, bool idle)
{
    dram_refresh(&p->banks, p->unit, p->unit_banks, at);
    if (UNLIKELY(sim_heard(p->commands))) {
        tell(p, DRAM_REFRESH, p->unit, 0, at, NULL, idle);
    }
    p->unit = p->unit + p->unit_banks == p->cfg->banks ? 0 : p->unit + p->unit_banks;
    p->refresh_at += p->interval;
    p->due = 0;
}

/* A pseudo-channel without bursts sleeps. Give it, now that one arrives, the refreshes
 * that it had meanwhile: each closed its banks as soon as it could. The last one may
 * still have to close them, or to begin; that is dram_pch_step()'s then. */
static void refreshed_in_sleep(struct dram_pch *p, sim_cycle_t now)
{
    uint64_t rounds = 0;

    if (p->interval == 0) {
        return;
    }
    if (now > p->refresh_at) { /* all but the last two rounds change nothing */
        rounds = (now - p->refresh_at) / p->interval / (p->cfg->banks / p->unit_banks);
    }
    if (rounds > 2 && !sim_heard(p->commands)) {
        p->refresh_at += (rounds - 2) * p->interval * (p->cfg->banks / p->unit_banks);
    }
    while (p->refresh_at <= now) {
        sim_cycle_t at = 0;

        if (is_unit_open(p, &at)) {
            at = dram_later(at, p->refresh_at);
            if (at > now) {
                return;
            }
            close_unit(p, at, true);
        }
        at = refresh_from(p);
        if (at > now) {
            return;
        }
        refresh_unit(p, at, true);
    }
}

/* The command that the refresh that is due needs next, if it can be given now; else
 * when. */
static bool refresh(struct dram_pch *p, sim_cycle_t now, sim_cycle_t *next)
{
    sim_cycle_t at = 0;
    bool open = is_unit_open(p, &at);

    at = dram_later(open ? at : refresh_from(p), now + *p->row_used);
    if (at > now) {
        *next = at < *next ? at : *next;
        return false;
    }
    *p->row_used = 1;
    if (open) {
        close_unit(p, now, false);
        return true;
    }
    refresh_unit(p, now, false);
    p->refreshed_at = now;
    return true;
}

/* ---- queues ---- */

static struct mem_burst *next_of(const struct mem_burst *t)
{
    return (struct mem_burst *)(void *)t->txn.next;
}

/* The first one from t on that wants the row. */
static struct mem_burst *find_row(struct mem_burst *t, int64_t row)
{
    while (t != NULL && t->row != row) {
        t = next_of(t);
    }
    return t;
}

void dram_pch_add(struct dram_pch *p, struct mem_burst *t, sim_cycle_t now)
{
    struct dram_list *l = &p->list[t->write][t->bank];

    if (p->n[0] + p->n[1] == 0) {
        refreshed_in_sleep(p, now);
    }
    t->at = now;
    t->txn.next = NULL;
    if (l->first == NULL) {
        l->first = t;
        p->waiting[t->write] |= 1ull << t->bank;
    } else {
        l->last->txn.next = &t->txn;
    }
    l->last = t;
    if (l->hit == NULL && t->row == p->banks.bank[t->bank].row) {
        l->hit = t;
    }
    p->n[t->write]++;
}

/* The list's hit leaves; the next one is behind it. */
static void remove_hit(struct dram_pch *p, struct dram_list *l)
{
    struct mem_burst *t = l->hit, *before = NULL;

    for (struct mem_burst *k = l->first; k != t; k = next_of(k)) {
        before = k;
    }
    if (before == NULL) {
        l->first = next_of(t);
    } else {
        before->txn.next = t->txn.next;
    }
    if (l->last == t) {
        l->last = before;
    }
    if (l->first == NULL) {
        p->waiting[t->write] &= ~(1ull << t->bank);
    }
    l->hit = find_row(next_of(t), t->row);
    p->n[t->write]--;
}

/* SPEC DRAM-5: a drain begins at the upper watermark, or when nothing is to be read.
 * One that had to begin goes on to the lower watermark, but for no more bursts than the
 * queue holds, after which as many reads have their turn; the other kind ends with the
 * first read. */
static void choose_direction(struct dram_pch *p)
{
    const struct dram_config *c = p->cfg;
    bool many = p->n[1] >= c->write_high;

    if (!p->writing) {
        if (p->n[1] != 0 && (p->n[0] == 0 || (many && p->batch == 0))) {
            p->writing = true;
            p->full = many;
            p->batch = c->writes;
        }
        return;
    }
    if (!p->full && many) {
        p->full = true;
        p->batch = c->writes;
    }
    if (p->n[1] == 0 ||
        (p->n[0] != 0 && (!p->full || p->n[1] <= c->write_low || p->batch == 0))) {
        p->writing = false;
        p->batch = p->full && p->batch == 0 ? c->writes : 0;
    }
}

/* ---- the next command ---- */

struct pick {
    struct mem_burst *t; /* for whom; NULL: nobody */
    uint32_t bank;
};

static bool is_older(const struct mem_burst *t, const struct pick *than)
{
    return than->t == NULL || t->seq < than->t->seq;
}

/* Of the banks that have something to do in this direction: the oldest column command
 * and the oldest row command that can go now. */
static void look(struct dram_pch *p, sim_cycle_t now, struct pick *column,
                 struct pick *row, sim_cycle_t *next)
{
    bool write = p->writing;
    sim_cycle_t least_col = now + *p->column_used, least_row = now + *p->row_used;
    sim_cycle_t soonest = *next;

    for (uint64_t m = p->waiting[write] & ~p->due; m != 0; m &= m - 1) {
        uint32_t i = attr_lowest_bit(m);
        const struct dram_bank *k = &p->banks.bank[i];
        const struct dram_list *l = &p->list[write][i];
        struct mem_burst *t = l->first;
        bool is_column = false;
        sim_cycle_t at;

        if (k->row == DRAM_NO_ROW) {
            at = dram_later(least_row, dram_act_at(&p->banks, k));
        } else if (l->hit == t || (l->hit != NULL && now < t->at + p->cfg->age)) {
            if (l->hit != t && t->at + p->cfg->age < soonest) {
                soonest = t->at + p->cfg->age; /* it is not passed any more then */
            }
            t = l->hit;
            is_column = true;
            at = dram_later(least_col, dram_col_at(&p->banks, k, write));
        } else {
            at = dram_later(least_row, k->pre_at);
        }
        if (at > now) {
            soonest = at < soonest ? at : soonest;
        } else if (is_column ? is_older(t, column) : is_older(t, row)) {
            *(is_column ? column : row) = (struct pick){t, i};
        }
    }
    *next = soonest;
}

static void do_row(struct dram_pch *p, const struct pick *row, sim_cycle_t now)
{
    struct dram_bank *k = &p->banks.bank[row->bank];
    bool opens = k->row == DRAM_NO_ROW;

    if (opens) {
        dram_activate(&p->banks, k, row->t->row, now);
        p->fresh |= 1ull << row->bank;
    } else {
        dram_precharge(&p->banks, k, now);
    }
    for (uint32_t w = 0; w < 2; w++) {
        struct dram_list *l = &p->list[w][row->bank];

        l->hit = opens ? find_row(l->first, k->row) : NULL;
    }
    *p->row_used = 1;
    if (UNLIKELY(sim_heard(p->commands))) {
        tell(p, opens ? DRAM_ACTIVATE : DRAM_PRECHARGE, row->bank, row->t->row, now,
             NULL, false);
    }
}

/* SPEC DRAM-6: are the burst's check bits at hand? */
static bool has_check(struct dram_bank *k, const struct mem_burst *t)
{
    if (k->checked_row[t->write] != t->row) {
        k->checked_row[t->write] = t->row;
        k->checked[t->write] = 0;
    }
    return (k->checked[t->write] >> t->check & 1) != 0;
}

static void do_column(struct dram_pch *p, const struct pick *column, sim_cycle_t now,
                      struct dram_issued *did)
{
    struct mem_burst *t = column->t;
    struct dram_bank *k = &p->banks.bank[column->bank];
    bool check = p->cfg->ecc != 0 && !has_check(k, t);

    if (p->banks.wrote != t->write) {
        p->turned_at = now;
    }
    did->end = dram_column(&p->banks, k, t->write, now);
    did->column = true;
    *p->column_used = 1;
    if (UNLIKELY(sim_heard(p->commands))) {
        tell(p, t->write ? DRAM_WRITE : DRAM_READ, column->bank, t->row, now,
             check ? NULL : t, false);
    }
    if (check) { /* SPEC DRAM-6: first the check bits of its neighbours and itself */
        k->checked[t->write] |= 1ull << t->check;
        return;
    }
    did->burst = t;
    did->opened = (p->fresh >> column->bank & 1) != 0;
    p->fresh &= ~(1ull << column->bank);
    p->batch -= p->batch != 0;
    remove_hit(p, &p->list[t->write][column->bank]);
}

bool dram_pch_step(struct dram_pch *p, sim_cycle_t now, struct dram_issued *did,
                   sim_cycle_t *next)
{
    struct pick column = {NULL, 0}, row = {NULL, 0};

    if (p->n[0] + p->n[1] == 0) {
        return false;
    }
    *did = (struct dram_issued){0};
    choose_direction(p);
    if (p->interval != 0) {
        if (now >= p->refresh_at) {
            p->due = unit_set(p);
            if (refresh(p, now, next)) {
                return true;
            }
        } else if (p->refresh_at < *next) {
            *next = p->refresh_at;
        }
    }
    look(p, now, &column, &row, next);
    if (column.t != NULL && (row.t == NULL || p->column_used != p->row_used ||
                             now < row.t->at + p->cfg->age)) {
        did->bank = column.bank;
        did->row = column.t->row;
        do_column(p, &column, now, did);
        return true;
    }
    if (row.t != NULL) {
        do_row(p, &row, now);
        return true;
    }
    return false;
}
