#include "mem/dram_bank.h"

/* Bursts whose command is given and whose data has not ended, at most: a power of 2. */
static uint32_t on_their_way(const struct dram_config *c)
{
    uint32_t cycles = (c->cl > c->wl ? c->cl : c->wl) + c->burst_cycles, n = 1;

    while (n < cycles / c->burst_cycles + 1) {
        n *= 2;
    }
    return n;
}

void dram_banks_init(struct dram_banks *b, struct sim *s, const struct dram_config *cfg)
{
    *b = (struct dram_banks){.cfg = cfg, .n_data = on_their_way(cfg)};
    b->data = sim_alloc(s, b->n_data * sizeof(b->data[0]));
    b->bank = sim_alloc(s, cfg->banks * sizeof(b->bank[0]));
    b->group = sim_alloc(s, cfg->groups * sizeof(b->group[0]));
    for (uint32_t i = 0; i < cfg->banks; i++) {
        b->bank[i].row = DRAM_NO_ROW;
        b->bank[i].checked_row[0] = b->bank[i].checked_row[1] = DRAM_NO_ROW;
        b->bank[i].group = i % cfg->groups;
    }
}

static void raise_to(sim_cycle_t *at, sim_cycle_t least)
{
    *at = dram_later(*at, least);
}

/* The distance inside a bank group; without groups the common one. */
static uint32_t inside(const struct dram_config *c, uint32_t common, uint32_t group)
{
    return c->groups > 1 && group > common ? group : common;
}

void dram_activate(struct dram_banks *b, struct dram_bank *k, int64_t row,
                   sim_cycle_t now)
{
    const struct dram_config *c = b->cfg;

    k->row = row;
    k->col_at = now + c->rcd;
    k->pre_at = now + c->ras;
    k->act_at = now + c->rc;
    b->act_at = now + c->rrd;
    b->group[k->group].act_at = now + inside(c, c->rrd, c->rrd_l);
    b->acts[b->n_acts++ % DRAM_WINDOW] = now;
    raise_to(&b->closed_at, k->act_at);
    b->open |= 1ull << (k - b->bank);
    b->n_open++;
}

void dram_precharge(struct dram_banks *b, struct dram_bank *k, sim_cycle_t now)
{
    b->n_open -= k->row != DRAM_NO_ROW;
    k->row = DRAM_NO_ROW;
    raise_to(&k->act_at, now + b->cfg->rp);
    raise_to(&b->closed_at, k->act_at);
    b->open &= ~(1ull << (k - b->bank));
}

sim_cycle_t dram_column(struct dram_banks *b, struct dram_bank *k, bool write,
                        sim_cycle_t now)
{
    const struct dram_config *c = b->cfg;
    struct dram_group *g = &b->group[k->group];
    uint32_t apart = c->ccd > c->burst_cycles ? c->ccd : c->burst_cycles;
    sim_cycle_t end = now + (write ? c->wl : c->cl) + c->burst_cycles;
    sim_cycle_t turned = end + c->turn; /* the other side may drive the bus */

    b->col_at[write] = now + apart;
    g->col_at[0] = g->col_at[1] = now + inside(c, c->ccd, c->ccd_l);
    if (write) {
        raise_to(&k->pre_at, end + c->wr);
        b->col_at[0] = now + c->ccd;
        raise_to(&b->col_at[0], end + c->wtr);
        if (turned > c->cl) {
            raise_to(&b->col_at[0], turned - c->cl);
        }
        raise_to(&g->col_at[0], end + inside(c, c->wtr, c->wtr_l));
    } else {
        raise_to(&k->pre_at, now + c->rtp);
        b->col_at[1] = now + c->ccd;
        if (turned > c->wl) {
            raise_to(&b->col_at[1], turned - c->wl);
        }
    }
    b->data[b->n_bursts++ & (b->n_data - 1)] = end - c->burst_cycles;
    b->wrote = write;
    return end;
}

bool dram_bus_moves(const struct dram_banks *b, sim_cycle_t now, sim_cycle_t *change)
{
    const uint64_t oldest = b->n_bursts > b->n_data ? b->n_bursts - b->n_data : 0;
    sim_cycle_t from = SIM_CYCLE_NONE, to = SIM_CYCLE_NONE; /* without a gap */

    for (uint64_t i = b->n_bursts; i > oldest; i--) {
        sim_cycle_t begin = b->data[(i - 1) & (b->n_data - 1)];
        sim_cycle_t end = begin + b->cfg->burst_cycles;

        if (end <= now) {
            break;
        }
        to = end == from ? to : end;
        from = begin;
    }
    *change = from <= now ? to : from;
    return from <= now;
}

sim_cycle_t dram_refresh_at(const struct dram_banks *b, uint32_t first, uint32_t n)
{
    return n == 1 ? b->bank[first].act_at : b->closed_at;
}

void dram_refresh(struct dram_banks *b, uint32_t first, uint32_t n, sim_cycle_t now)
{
    const sim_cycle_t at = now + b->cfg->rfc;

    raise_to(n == 1 ? &b->bank[first].act_at : &b->act_at, at);
    raise_to(&b->closed_at, at);
}
