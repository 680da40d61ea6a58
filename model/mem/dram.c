#include "mem/dram.h"

#include "mem/dram_sched.h"

#define CY(field, least, def, docs)                                                    \
    CFG_U32(struct dram_config, field, least, def, 1000, CFG_CYCLES, 0, docs, "DRAM-4")

static const struct cfg_field dram_fields[] = {
    CFG_U64(struct dram_config, clock, 1000000, 924000000, 10000000000, CFG_HZ, 0,
            "command clock", "TIME-2"),
    CFG_U32(struct dram_config, channels, 1, 6, 64, CFG_PLAIN, 0,
            "channels, one per memory partition", "PART-1"),
    CFG_U64(struct dram_config, size, 1u << 20, 1536ull << 20, 1ull << 40, CFG_BYTES, 0,
            "device memory over all channels", "DEVICE-2"),
    CFG_U32(struct dram_config, pseudo_channels, 1, 1, DRAM_MAX_PCHS, CFG_PLAIN,
            CFG_POW2, "parts of a channel with banks and data bus of their own",
            "DRAM-1"),
    CFG_U32(struct dram_config, banks, 1, 16, DRAM_MAX_BANKS, CFG_PLAIN, CFG_POW2,
            "banks of a pseudo-channel", "DRAM-1"),
    CFG_U32(struct dram_config, groups, 1, 1, DRAM_MAX_BANKS, CFG_PLAIN, CFG_POW2,
            "bank groups of a pseudo-channel; 1: none", "DRAM-1"),
    CFG_U32(struct dram_config, row, 256, 4096, 65536, CFG_BYTES, CFG_POW2,
            "bytes of a row, all chips of the pseudo-channel", "DRAM-1"),
    CFG_U32(struct dram_config, burst, 32, 64, 128, CFG_BYTES, CFG_POW2,
            "bytes of one burst", "DRAM-3"),
    CFG_U32(struct dram_config, burst_cycles, 1, 2, 64, CFG_CYCLES, 0,
            "command cycles a burst occupies the bus", "DRAM-3"),
    CFG_U32(struct dram_config, data_rate, 1, 4, 16, CFG_PLAIN, CFG_POW2 | CFG_DISPLAY,
            "transfers per pin and command cycle: the width of the bus, no time",
            "DRAM-3"),
    CFG_U32(struct dram_config, command_buses, 1, 1, 2, CFG_PLAIN, 0,
            "1, or 2: one for rows, one for columns", "DRAM-2"),
    CFG_U32(struct dram_config, queue, 4, 32, 256, CFG_PLAIN, 0,
            "reads waiting at a channel", "QUEUE-1"),
    CFG_U32(struct dram_config, writes, 1, 32, 256, CFG_PLAIN, 0,
            "writes waiting at a pseudo-channel", "DRAM-5"),
    CFG_U32(struct dram_config, write_high, 1, 24, 256, CFG_PLAIN, 0,
            "so many writes begin to be drained", "DRAM-5"),
    CFG_U32(struct dram_config, write_low, 0, 8, 255, CFG_PLAIN, 0,
            "so many writes end a drain if there are reads", "DRAM-5"),
    CFG_U32(struct dram_config, age, 1, 1000, 100000, CFG_CYCLES, 0,
            "a burst that waited so long is not passed any more", "DRAM-2"),
    CFG_U32(struct dram_config, latency, 0, 60, 1000, CFG_CYCLES, 0,
            "added to every read: controller and pads", "DRAM-3"),
    CFG_U32(struct dram_config, ecc, 0, 0, 64, CFG_PLAIN, 0,
            "bursts of a row per burst of check bits; 0: no ECC in the rows", "DRAM-6"),
    CY(rcd, 1, 12, "activate to column command"),
    CY(rp, 1, 12, "precharge to activate"),
    CY(ras, 1, 28, "activate to precharge"),
    CY(rc, 1, 40, "activate to activate, same bank"),
    CY(rrd, 1, 6, "activate to activate, other bank"),
    CY(rrd_l, 1, 6, "the same inside a bank group"),
    CY(faw, 0, 0, "window of four activates; 0: none"),
    CY(cl, 1, 12, "read command to data"),
    CY(wl, 1, 4, "write command to data"),
    CY(wr, 1, 12, "end of write data to precharge"),
    CY(rtp, 1, 2, "read command to precharge"),
    CY(ccd, 1, 2, "column command to column command"),
    CY(ccd_l, 1, 2, "the same inside a bank group"),
    CY(wtr, 1, 5, "end of write data to read command"),
    CY(wtr_l, 1, 5, "the same inside a bank group"),
    CY(turn, 0, 2, "idle cycles of the data bus between reads and writes"),
    CFG_U32(struct dram_config, refi, 0, 0, 1000000, CFG_CYCLES, 0,
            "from one refresh of a bank to its next; 0: none", "DRAM-7"),
    CFG_U32(struct dram_config, rfc, 1, 60, 10000, CFG_CYCLES, 0,
            "a refresh to the next activate of its banks", "DRAM-7"),
    CFG_BOOL(struct dram_config, bank_refresh, 0,
             "banks are refreshed one by one, not all at once", "DRAM-7"),
};
const struct cfg_table dram_keys = CFG_TABLE(dram_fields);

uint64_t dram_peak(const struct dram_config *c)
{
    return c->clock * c->channels * c->pseudo_channels * c->burst / c->burst_cycles;
}

/* From when a refresh is due to its command, at most: its banks, of which one may just
 * have been opened or written, are closed, and both commands may find the command bus
 * taken by every other pseudo-channel. */
static uint32_t refresh_delay(const struct dram_config *c)
{
    uint32_t written = c->wl + c->burst_cycles + c->wr;
    uint32_t used = written > c->rtp ? written : c->rtp;
    uint32_t closed = (c->ras > used ? c->ras : used) + c->pseudo_channels + c->rp;

    return (c->rc > closed ? c->rc : closed) + c->pseudo_channels;
}

uint32_t dram_least_refi(const struct dram_config *c)
{
    uint32_t delay = refresh_delay(c);
    uint32_t all = 2 * (c->rfc + delay), each = c->banks * delay;

    return c->bank_refresh && each > all ? each : all;
}

static const struct sim_probe_desc probe_reads = {
    .name = "reads",
    .kind = SIM_PROBE_LEVEL,
    .width = 9,
    .doc = "reads waiting",
    .unit = "bursts",
    .views = "memory",
};
static const struct sim_probe_desc probe_writes = {
    .name = "writes",
    .kind = SIM_PROBE_LEVEL,
    .width = 12,
    .doc = "writes waiting",
    .unit = "bursts",
    .views = "memory",
};
static const struct sim_probe_desc probe_open = {
    .name = "open_rows",
    .kind = SIM_PROBE_LEVEL,
    .width = 10,
    .doc = "banks with an open row",
    .unit = "banks",
    .views = "memory",
};
static const struct sim_probe_desc probe_bus = {
    .name = "bus",
    .kind = SIM_PROBE_LEVEL,
    .width = 4,
    .doc = "data buses on which data moves, of as many as there are pseudo-channels",
    .unit = "buses",
    .views = "memory",
};
static const struct sim_probe_desc probe_bank = {
    .name = "bank",
    .kind = SIM_PROBE_UINT,
    .width = 9,
    .doc = "bank of the last column command, all pseudo-channels counted through",
    .views = "memory",
};
static const struct sim_probe_desc probe_row = {
    .name = "row",
    .kind = SIM_PROBE_UINT,
    .width = 32,
    .doc = "row of the last column command",
    .views = "memory",
};
static const struct sim_probe_desc probe_miss = {
    .name = "row_miss",
    .kind = SIM_PROBE_EVENT,
    .doc = "a row had to be opened for the burst whose data moves",
    .role = SIM_ROLE_BAD,
    .views = "memory",
};
static const struct sim_probe_desc probe_turn = {
    .name = "turn",
    .kind = SIM_PROBE_EVENT,
    .doc = "a data bus turns from reads to writes or back",
    .role = SIM_ROLE_BAD,
    .views = "memory",
};
static const struct sim_probe_desc probe_refresh = {
    .name = "refresh",
    .kind = SIM_PROBE_EVENT,
    .doc = "banks are refreshed while bursts wait",
    .role = SIM_ROLE_BAD,
    .views = "memory",
};

struct dram {
    struct sim_module scope;
    struct dram_config cfg; /* immutable */
    struct mem_parts channels;
    uint8_t pch_bits, row_bits, bank_bits, burst_bits; /* log2 */
    uint8_t used[2]; /* this cycle's slots of the command buses */
    bool made_room;  /* a burst has left its queue in this cycle */
    struct smw_counters *stats;
    struct sim_in req;
    struct sim_out rsp;
    struct sim_event slot;
    struct sim_event moves; /* data begins or ends to move, for those who watch */
    struct sim_process step;
    struct dram_pch *pch;
    uint64_t n_bursts;              /* that ever arrived */
    uint32_t n_reads;               /* waiting, all pseudo-channels */
    struct mem_burst *first, *last; /* reads without a credit yet; ready: data is out */
    uint32_t last_bank;             /* of the last column command, for observers */
    uint64_t last_row;
    struct sim_hook commands;
    struct sim_probe p_reads, p_writes, p_open, p_bus, p_bank, p_row;
    struct sim_probe p_miss, p_turn, p_refresh;
};

/* SPEC DRAM-1: units of the channel are dealt to the pseudo-channels, a row holds
 * consecutive bytes of its pseudo-channel, consecutive rows lie in different banks.
 * Returns the pseudo-channel. */
static uint32_t place(const struct dram *d, struct mem_burst *t)
{
    uint64_t inside = mem_part_addr(t->addr, &d->channels) & ~MEM_LOCAL_BIT;
    uint64_t unit = inside / MEM_UNIT;
    uint64_t own = (unit >> d->pch_bits) * MEM_UNIT + inside % MEM_UNIT;
    uint64_t index = own >> d->row_bits;

    t->bank = (uint8_t)((index ^ index >> d->bank_bits) & (d->cfg.banks - 1));
    t->row = (int64_t)(index >> d->bank_bits) |
             ((t->addr & MEM_LOCAL_BIT) != 0 ? 1ll << 50 : 0);
    if (d->cfg.ecc != 0) {
        uint64_t column = (own & (d->cfg.row - 1)) >> d->burst_bits;
        uint64_t check = column / d->cfg.ecc;

        t->check = (uint8_t)(check < 63 ? check : 63);
    }
    return (uint32_t)(unit ^ unit >> d->pch_bits ^ unit >> 2 * d->pch_bits) &
           (d->cfg.pseudo_channels - 1);
}

/* Bursts that have arrived and find room join their bank's list. */
static void accept(struct dram *d, sim_cycle_t now)
{
    while (mem_has_arrived(&d->req, now)) {
        struct mem_burst *t = mem_first(&d->req);
        struct dram_pch *p = &d->pch[place(d, t)];

        if (t->write ? p->n[1] == d->cfg.writes : d->n_reads == d->cfg.queue) {
            return;
        }
        (void)sim_take_head(&d->req, now);
        t->seq = d->n_bursts++;
        d->n_reads += !t->write;
        dram_pch_add(p, t, now);
    }
}

/* Hand over reads whose data is out. False: waits for a credit. */
static bool deliver(struct dram *d, sim_cycle_t now)
{
    while (d->first != NULL && d->first->txn.ready <= now) {
        struct mem_burst *t = d->first;

        if (!sim_out_ready(&d->rsp)) {
            sim_out_wait(&d->rsp);
            return false;
        }
        d->first = (struct mem_burst *)(void *)t->txn.next;
        sim_send(&d->rsp, t);
    }
    return true;
}

/* The data of a burst moves. All pseudo-channels need the same time from command to
 * data, so reads leave in the order of their commands. */
static void moved(struct dram *d, const struct dram_issued *did)
{
    struct mem_burst *t = did->burst;
    struct smw_counters *s = &d->stats[t->launch];

    if (did->opened) {
        s->dram_row_misses++;
        if (SIM_WATCHED(d->scope)) {
            sim_probe_fire(&d->p_miss);
        }
    } else {
        s->dram_row_hits++;
    }
    if (t->write) {
        s->dram_wr_bytes += d->cfg.burst;
        sim_pool_give(t);
        return;
    }
    s->dram_rd_bytes += d->cfg.burst;
    d->n_reads--;
    t->txn.ready = did->end + d->cfg.latency;
    t->txn.next = NULL;
    if (d->first == NULL && sim_out_ready(&d->rsp)) {
        sim_send_at(&d->rsp, t, t->txn.ready); /* none comes before it */
        return;
    }
    if (d->first == NULL) {
        d->first = t;
    } else {
        d->last->txn.next = &t->txn;
    }
    d->last = t;
}

/* Commands of this cycle. Returns when to look again if nothing arrives. */
static sim_cycle_t command(struct dram *d, sim_cycle_t now)
{
    sim_cycle_t next = SIM_CYCLE_NONE;
    uint32_t n = d->cfg.pseudo_channels;

    d->used[0] = d->used[1] = 0;
    d->made_room = false;
    for (uint32_t k = 0; k < n; k++) { /* another one is first each cycle */
        uint32_t i = (uint32_t)(now + k) & (n - 1);
        struct dram_issued did;
        sim_cycle_t then = SIM_CYCLE_NONE; /* of the last call, which gives none */

        while (dram_pch_step(&d->pch[i], now, &did, &then)) {
            then = SIM_CYCLE_NONE;
            if (did.column) {
                d->last_bank = i * d->cfg.banks + did.bank;
                d->last_row = (uint64_t)did.row;
            }
            if (did.burst != NULL) {
                d->made_room = true;
                moved(d, &did);
            }
        }
        next = then < next ? then : next;
    }
    return next;
}

/* Data buses in use, which begins and ends some cycles after the commands: a step takes
 * place right then if somebody watches. */
static uint32_t buses_in_use(struct dram *d)
{
    sim_cycle_t now = sim_here(&d->scope), next = SIM_CYCLE_NONE;
    uint32_t n = 0;

    for (uint32_t i = 0; i < d->cfg.pseudo_channels; i++) {
        sim_cycle_t change;

        n += dram_bus_moves(&d->pch[i].banks, now, &change);
        next = change < next ? change : next;
    }
    if (next != SIM_CYCLE_NONE) {
        sim_notify_at(&d->moves, next);
    }
    return n;
}

static void show(void *ctx)
{
    struct dram *d = ctx;
    uint32_t n_writes = 0, n_open = 0;

    for (uint32_t i = 0; i < d->cfg.pseudo_channels; i++) {
        n_writes += d->pch[i].n[1];
        n_open += d->pch[i].banks.n_open;
    }
    sim_probe_set(&d->p_reads, d->n_reads);
    sim_probe_set(&d->p_writes, n_writes);
    sim_probe_set(&d->p_open, n_open);
    sim_probe_set(&d->p_bus, buses_in_use(d));
    sim_probe_set(&d->p_bank, d->last_bank);
    sim_probe_set(&d->p_row, d->last_row);
}

/* What happened in this cycle and has no state of its own. */
static void show_events(struct dram *d, sim_cycle_t now)
{
    bool turned = false, refreshed = false;

    for (uint32_t i = 0; i < d->cfg.pseudo_channels; i++) {
        turned |= d->pch[i].turned_at == now;
        refreshed |= d->pch[i].refreshed_at == now;
    }
    if (turned) {
        sim_probe_fire(&d->p_turn);
    }
    if (refreshed) {
        sim_probe_fire(&d->p_refresh);
    }
}

/* Woken by req.arrived, slot, moves and rsp.space. */
static void dram_step(void *self)
{
    struct dram *d = self;
    sim_cycle_t now = sim_here(&d->scope);
    sim_cycle_t next;
    bool delivered = deliver(d, now);

    accept(d, now);
    next = command(d, now);
    if (d->made_room && mem_has_arrived(&d->req, now)) {
        next = now + 1;
    }
    if (delivered && d->first != NULL && d->first->txn.ready < next) {
        next = d->first->txn.ready;
    }
    if (next != SIM_CYCLE_NONE) {
        sim_notify_at(&d->slot, next);
    }
    if (SIM_WATCHED(d->scope)) {
        show_events(d, now);
        show(d);
    }
}

struct dram *dram_new(struct sim_module *parent, struct sim_clock *clock,
                      const struct dram_config *cfg, const struct mem_parts *parts,
                      uint32_t channel, struct smw_counters *stats)
{
    struct sim *sim = parent->sim;
    struct dram *d = sim_alloc(sim, sizeof(*d));

    d->cfg = *cfg;
    d->channels = *parts;
    d->pch_bits = (uint8_t)attr_lowest_bit(cfg->pseudo_channels);
    d->row_bits = (uint8_t)attr_lowest_bit(cfg->row);
    d->bank_bits = (uint8_t)attr_lowest_bit(cfg->banks);
    d->burst_bits = (uint8_t)attr_lowest_bit(cfg->burst);
    d->stats = stats;
    d->pch = sim_alloc(sim, cfg->pseudo_channels * sizeof(d->pch[0]));
    sim_module_init(&d->scope, sim, parent, clock, "dram");
    sim_hook_init(&d->commands, sim, "commands");
    for (uint32_t i = 0; i < cfg->pseudo_channels; i++) {
        struct dram_pch *p = &d->pch[i];

        dram_pch_init(p, sim, &d->cfg, channel, i);
        p->commands = &d->commands;
        p->scope = &d->scope;
        p->column_used = &d->used[0];
        p->row_used = &d->used[cfg->command_buses - 1];
    }
    sim_in_init(&d->req, &d->scope, "req", &mem_burst_proto, cfg->queue);
    sim_out_init(&d->rsp, &d->scope, "rsp", &mem_burst_proto);
    sim_event_init(&d->slot, sim, d->scope.clock, "slot");
    sim_event_init(&d->moves, sim, d->scope.clock, "moves");
    sim_process_init(&d->step, sim, "dram", dram_step, d);
    sim_wake_on(&d->step, &d->req.arrived);
    sim_wake_on(&d->step, &d->slot);
    sim_wake_on(&d->step, &d->moves);
    sim_wake_on(&d->step, &d->rsp.space);
    sim_module_shows(&d->scope, show, d);
    sim_probe_init(&d->p_reads, &d->scope, &probe_reads, NULL, 0);
    sim_probe_init(&d->p_writes, &d->scope, &probe_writes, NULL, 0);
    sim_probe_init(&d->p_open, &d->scope, &probe_open, NULL, 0);
    sim_probe_init(&d->p_bus, &d->scope, &probe_bus, NULL, 0);
    sim_probe_init(&d->p_bank, &d->scope, &probe_bank, NULL, 0);
    sim_probe_init(&d->p_row, &d->scope, &probe_row, NULL, 0);
    sim_probe_init(&d->p_miss, &d->scope, &probe_miss, NULL, 0);
    sim_probe_init(&d->p_turn, &d->scope, &probe_turn, NULL, 0);
    sim_probe_init(&d->p_refresh, &d->scope, &probe_refresh, NULL, 0);
    return d;
}

struct sim_in *dram_req(struct dram *d)
{
    return &d->req;
}

struct sim_out *dram_rsp(struct dram *d)
{
    return &d->rsp;
}

struct sim_hook *dram_commands(struct dram *d)
{
    return &d->commands;
}
