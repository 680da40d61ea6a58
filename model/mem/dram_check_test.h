/*
 * dram_check_test.h - for tests: a slow judge of DRAM commands.
 *
 * It hears every command of a channel and compares it with all that it remembers of
 * the channel, pair by pair, with the distances that the standards give for the pair.
 * It shares nothing with the controller but the configuration. What it finds first
 * stays in `wrong`; empty: nothing.
 */
#ifndef MEM_DRAM_CHECK_TEST_H
#define MEM_DRAM_CHECK_TEST_H

#include "mem/dram.h"

#include <stdio.h>
#include <string.h>

enum { CHECK_WINDOW = 1024 };

/* ---- where a burst lies, in words of SPEC DRAM-1 ---- */

struct check_spot {
    uint32_t pch, bank, column;
    int64_t row;
};

static inline struct check_spot check_spot_of(const struct dram_config *c,
                                              uint64_t addr)
{
    uint64_t inside = (addr & ~MEM_LOCAL_BIT) / 256 / c->channels;
    uint64_t n = c->pseudo_channels, own, index;
    struct check_spot s;

    s.pch = (uint32_t)((inside ^ inside / n ^ inside / n / n) % n);
    own = inside / n * 256 + addr % 256;
    index = own / c->row;
    s.bank = (uint32_t)((index ^ index / c->banks) % c->banks);
    s.row = (int64_t)(index / c->banks);
    s.row += (addr & MEM_LOCAL_BIT) != 0 ? 1ll << 50 : 0;
    s.column = (uint32_t)(own % c->row / c->burst);
    return s;
}

/* ---- the judge ---- */

struct check_bank {
    bool open;
    int64_t row;
    sim_cycle_t refreshed; /* the last time; 0: never */
    uint32_t n_refreshes;
    int64_t last_row[2];    /* reads, writes: plus 1; 0: none */
    uint32_t checks[2];     /* check bursts since another row was read, written */
    uint64_t covered[2][8]; /* groups of data bursts since then, a bit each */
};

struct check {
    const struct dram_config *c;
    struct dram_command ring[CHECK_WINDOW];
    uint64_t n;
    struct check_bank bank[DRAM_MAX_PCHS][DRAM_MAX_BANKS];
    sim_cycle_t row_at, column_at; /* the last command of each kind, plus 1 */
    uint64_t n_kind[DRAM_REFRESH + 1], n_data, n_checks, n_idle;
    char wrong[160];
};

static inline bool check_is_column(const struct dram_command *d)
{
    return d->kind == DRAM_READ || d->kind == DRAM_WRITE;
}

static inline void check_fail(struct check *k, const struct dram_command *d,
                              const char *what)
{
    if (k->wrong[0] == '\0') {
        (void)snprintf(k->wrong, sizeof(k->wrong),
                       "%s: kind %d, pch %u, bank %u, row %lld, cycle %llu", what,
                       (int)d->kind, d->pch, d->bank, (long long)d->row,
                       (unsigned long long)d->at);
    }
}

static inline uint32_t check_max(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Banks that a refresh takes at once. */
static inline uint32_t check_unit(const struct dram_config *c)
{
    return c->bank_refresh ? 1 : c->banks;
}

static inline bool check_is_of_unit(const struct dram_command *d)
{
    return d->kind == DRAM_REFRESH || d->kind == DRAM_PRECHARGE_ALL;
}

static inline bool check_same_bank(const struct dram_config *c,
                                   const struct dram_command *a,
                                   const struct dram_command *b)
{
    uint32_t na = check_is_of_unit(a) ? check_unit(c) : 1;
    uint32_t nb = check_is_of_unit(b) ? check_unit(c) : 1;

    return a->bank < b->bank + nb && b->bank < a->bank + na;
}

/* Cycles from a to b at least, both of one bank. */
static inline uint32_t check_of_bank(const struct dram_config *c, enum dram_kind a,
                                     enum dram_kind b)
{
    bool column = b == DRAM_READ || b == DRAM_WRITE;
    bool closes = b == DRAM_PRECHARGE || b == DRAM_PRECHARGE_ALL;

    switch (a) {
    case DRAM_ACTIVATE: return closes ? c->ras : column ? c->rcd : c->rc;
    case DRAM_PRECHARGE:
    case DRAM_PRECHARGE_ALL: return b == DRAM_ACTIVATE || b == DRAM_REFRESH ? c->rp : 0;
    case DRAM_READ: return closes ? c->rtp : 0;
    case DRAM_WRITE: return closes ? c->wl + c->burst_cycles + c->wr : 0;
    case DRAM_REFRESH: return b == DRAM_ACTIVATE || b == DRAM_REFRESH ? c->rfc : 0;
    }
    return 0;
}

/* Cycles from a to b at least, of any two banks of a pseudo-channel. */
static inline uint32_t check_apart(const struct dram_config *c,
                                   const struct dram_command *a,
                                   const struct dram_command *b)
{
    bool group = c->groups > 1 && a->bank % c->groups == b->bank % c->groups;
    uint32_t data = (a->kind == DRAM_READ ? c->cl : c->wl) + c->burst_cycles;
    uint32_t least = 0;

    if (a->kind == DRAM_ACTIVATE && b->kind == DRAM_ACTIVATE) {
        least = check_max(c->rrd, group ? c->rrd_l : 0);
    }
    if (!check_is_column(a) || !check_is_column(b)) {
        return least;
    }
    least = check_max(c->ccd, group ? c->ccd_l : 0);
    if (a->kind == DRAM_WRITE && b->kind == DRAM_READ) {
        least = check_max(least, data + c->wtr);
        least = check_max(least, group ? data + c->wtr_l : 0);
    }
    /* data of b begins behind that of a, and the bus turns meanwhile */
    data += a->kind != b->kind ? c->turn : 0;
    data -= b->kind == DRAM_READ ? (data < c->cl ? data : c->cl)
                                 : (data < c->wl ? data : c->wl);
    return check_max(least, data);
}

static inline void check_window(struct check *k, const struct dram_command *d)
{
    uint32_t activates = 0;

    for (uint64_t i = 1; i <= k->n && i <= CHECK_WINDOW; i++) {
        const struct dram_command *a = &k->ring[(k->n - i) % CHECK_WINDOW];

        if (a->pch != d->pch) {
            continue;
        }
        if (check_same_bank(k->c, a, d) &&
            d->at < a->at + check_of_bank(k->c, a->kind, d->kind)) {
            check_fail(k, d, "too early in its bank");
        }
        /* what was done in sleep is heard later than what others did meanwhile */
        if (!d->idle && d->at < a->at + check_apart(k->c, a, d)) {
            check_fail(k, d, "too early behind another bank");
        }
        activates += a->kind == DRAM_ACTIVATE;
        if (d->kind == DRAM_ACTIVATE && a->kind == DRAM_ACTIVATE && activates == 4 &&
            d->at < a->at + k->c->faw) {
            check_fail(k, d, "fifth activate in a window");
        }
    }
}

static inline void check_buses(struct check *k, const struct dram_command *d)
{
    sim_cycle_t *at = check_is_column(d) ? &k->column_at : &k->row_at;

    if (d->idle) {
        k->n_idle++;
        return;
    }
    if (d->at < *at) {
        check_fail(k, d, "two commands on a command bus");
    }
    *at = d->at + 1;
    if (k->c->command_buses == 1) {
        k->column_at = k->row_at = d->at + 1;
    }
}

/* column: of the burst in its row, for data; see check_bank. */
static inline void check_column(struct check *k, const struct dram_command *d,
                                uint32_t column)
{
    struct check_bank *b = &k->bank[d->pch][d->bank];
    bool write = d->kind == DRAM_WRITE;
    uint32_t n = 0, group;

    if (!b->open || b->row != d->row) {
        check_fail(k, d, "another row is open, or none");
    }
    k->n_data += d->data;
    k->n_checks += !d->data;
    if (k->c->ecc == 0) {
        if (!d->data) {
            check_fail(k, d, "check bits without ECC");
        }
        return;
    }
    if (b->last_row[write] != d->row + 1) {
        b->last_row[write] = d->row + 1;
        b->checks[write] = 0;
        memset(b->covered[write], 0, sizeof(b->covered[write]));
    }
    if (!d->data) {
        b->checks[write]++;
        return;
    }
    group = column / k->c->ecc < 63 ? column / k->c->ecc : 63;
    b->covered[write][group / 64] |= 1ull << group % 64;
    for (uint32_t i = 0; i < 8; i++) {
        n += (uint32_t)__builtin_popcountll(b->covered[write][i]);
    }
    if (n > b->checks[write]) {
        check_fail(k, d, "data before its check bits");
    }
}

/* Is the bank's refresh later than it may be? One who comes to it for the first time
 * may be up to an interval late, for banks and pseudo-channels take turns. */
static inline bool check_late(const struct dram_config *c, const struct check_bank *b,
                              sim_cycle_t at)
{
    /* a row that was just opened, read or written is closed first; to close and to
     * refresh, each pseudo-channel may have the command bus before this one */
    sim_cycle_t slack = check_max(c->ras, c->rtp);

    slack = check_max((uint32_t)slack, c->wl + c->burst_cycles + c->wr) + c->rp;
    slack = check_max((uint32_t)slack, c->rc) + 2ull * c->pseudo_channels;
    return at > b->refreshed + (b->n_refreshes == 0 ? 2 : 1) * c->refi + slack;
}

/* All of them are closed, and one was open. */
static inline void check_precharge_all(struct check *k, const struct dram_command *d)
{
    bool open = false;

    for (uint32_t i = d->bank; i < d->bank + check_unit(k->c); i++) {
        open |= k->bank[d->pch][i].open;
        k->bank[d->pch][i].open = false;
    }
    if (!open) {
        check_fail(k, d, "precharge of closed banks");
    }
}

static inline void check_refresh(struct check *k, const struct dram_command *d)
{
    for (uint32_t i = d->bank; i < d->bank + check_unit(k->c); i++) {
        struct check_bank *b = &k->bank[d->pch][i];

        if (b->open) {
            check_fail(k, d, "refresh of an open bank");
        }
        if (check_late(k->c, b, d->at)) {
            check_fail(k, d, "refresh too late");
        }
        b->refreshed = d->at;
        b->n_refreshes++;
    }
}

/* The next command; column: of a burst in its row. */
static inline void check_command(struct check *k, const struct dram_command *d,
                                 uint32_t column)
{
    struct check_bank *b = &k->bank[d->pch][d->bank];

    check_window(k, d);
    check_buses(k, d);
    if (k->c->refi != 0 && (d->kind == DRAM_ACTIVATE || check_is_column(d)) &&
        check_late(k->c, b, d->at)) {
        check_fail(k, d, "use of a bank whose refresh is late");
    }
    k->n_kind[d->kind]++;
    switch (d->kind) {
    case DRAM_ACTIVATE:
        if (b->open) {
            check_fail(k, d, "activate of an open bank");
        }
        b->open = true;
        b->row = d->row;
        break;
    case DRAM_PRECHARGE:
        if (!b->open) {
            check_fail(k, d, "precharge of a closed bank");
        }
        b->open = false;
        break;
    case DRAM_PRECHARGE_ALL: check_precharge_all(k, d); break;
    case DRAM_READ:
    case DRAM_WRITE: check_column(k, d, column); break;
    case DRAM_REFRESH: check_refresh(k, d); break;
    }
    k->ring[k->n++ % CHECK_WINDOW] = *d;
}

#endif /* MEM_DRAM_CHECK_TEST_H */
