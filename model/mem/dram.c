#include "mem/dram.h"

#define CY(field, def, docs)                                                           \
    CFG_U32(struct dram_config, field, 1, def, 1000, CFG_CYCLES, 0, docs, "DRAM-2")

static const struct cfg_field dram_fields[] = {
    CFG_U64(struct dram_config, clock, 1000000, 924000000, 10000000000, CFG_HZ, 0,
            "command clock", "TIME-2"),
    CFG_U32(struct dram_config, channels, 1, 6, 64, CFG_PLAIN, 0,
            "channels, one per memory partition", "PART-1"),
    CFG_U64(struct dram_config, size, 1u << 20, 1536ull << 20, 1ull << 40, CFG_BYTES, 0,
            "device memory over all channels", "DEVICE-2"),
    CFG_U32(struct dram_config, banks, 1, 16, 64, CFG_PLAIN, CFG_POW2,
            "banks of a channel", "DRAM-1"),
    CFG_U32(struct dram_config, row, 256, 4096, 65536, CFG_BYTES, CFG_POW2,
            "bytes of a row, all chips of the channel", "DRAM-1"),
    CFG_U32(struct dram_config, burst, 32, 64, 128, CFG_BYTES, CFG_POW2,
            "bytes of one burst", "DRAM-3"),
    CFG_U32(struct dram_config, burst_cycles, 1, 2, 64, CFG_CYCLES, 0,
            "command cycles a burst occupies the bus", "DRAM-3"),
    CFG_U32(struct dram_config, data_rate, 1, 4, 16, CFG_PLAIN, CFG_POW2 | CFG_DISPLAY,
            "transfers per pin and command cycle: the width of the bus, no time",
            "DRAM-3"),
    CFG_U32(struct dram_config, queue, 4, 32, 256, CFG_PLAIN, 0,
            "bursts waiting to be scheduled", "QUEUE-1"),
    CFG_U32(struct dram_config, latency, 0, 60, 1000, CFG_CYCLES, 0,
            "added to every read: controller and pads", "DRAM-2"),
    CY(rcd, 12, "activate to column command"),
    CY(rp, 12, "precharge to activate"),
    CY(ras, 28, "activate to precharge"),
    CY(rc, 40, "activate to activate, same bank"),
    CY(rrd, 6, "activate to activate, other bank"),
    CY(cl, 12, "read command to data"),
    CY(wl, 4, "write command to data"),
    CY(wr, 12, "end of write data to precharge"),
    CY(ccd, 2, "column command to column command"),
    CY(wtr, 5, "end of write data to read command"),
};
const struct cfg_table dram_keys = CFG_TABLE(dram_fields);

static const struct sim_probe_desc probe_queue = {
    .name = "queue",
    .kind = SIM_PROBE_LEVEL,
    .width = 9,
    .doc = "bursts waiting",
    .unit = "bursts",
    .views = "memory",
};
static const struct sim_probe_desc probe_bus = {
    .name = "bus",
    .kind = SIM_PROBE_BITS,
    .width = 1,
    .doc = "data is scheduled on the bus",
    .views = "memory",
};
static const struct sim_probe_desc probe_bank = {
    .name = "bank",
    .kind = SIM_PROBE_UINT,
    .width = 6,
    .doc = "bank of the burst scheduled last",
    .views = "memory",
};
static const struct sim_probe_desc probe_row = {
    .name = "row",
    .kind = SIM_PROBE_UINT,
    .width = 32,
    .doc = "row of the burst scheduled last",
    .views = "memory",
};
static const struct sim_probe_desc probe_miss = {
    .name = "row_miss",
    .kind = SIM_PROBE_EVENT,
    .doc = "a row had to be opened",
    .role = SIM_ROLE_BAD,
    .views = "memory",
};

enum { NO_ROW = -1 };

struct dbank {
    int64_t row;              /* open row, NO_ROW: none */
    sim_cycle_t act_at;       /* last activate */
    sim_cycle_t column_at;    /* next column command allowed */
    sim_cycle_t precharge_at; /* precharge allowed */
    bool used;                /* act_at is meaningful */
};

struct dram {
    struct sim_module scope;
    struct dram_config cfg; /* immutable */
    struct divisor channels;
    uint8_t row_bits, bank_bits; /* log2 of cfg.row, cfg.banks */
    struct smw_counters *stats;
    struct sim_in req;
    struct sim_out rsp;
    struct sim_event slot;
    struct sim_process step;
    struct dbank *bank;
    struct mem_burst **queue; /* in order of arrival */
    uint32_t n_queued;
    struct mem_burst *first,
        *last;              /* reads on the bus, ready: when their data is out */
    sim_cycle_t bus_at;     /* the data bus is free from */
    sim_cycle_t stepped_at; /* the last step, for observers */
    sim_cycle_t column_at;  /* next column command allowed, any bank */
    sim_cycle_t act_at;     /* last activate of any bank */
    sim_cycle_t write_end;  /* end of the last write data */
    sim_cycle_t next_at;    /* next command slot */
    bool activated;
    uint32_t last_bank; /* of the burst scheduled last, for observers */
    uint64_t last_row;
    struct sim_probe p_queue, p_bus, p_bank, p_row, p_miss;
};

/* SPEC DRAM-1: a row holds consecutive bytes of the channel; consecutive rows lie in
 * different banks. */
static void place(const struct dram *d, uint64_t addr, uint32_t *bank, int64_t *row)
{
    uint64_t inside = mem_part_addr(addr, &d->channels) & ~MEM_LOCAL_BIT;
    uint64_t index = inside >> d->row_bits;

    *bank = (uint32_t)((index ^ index >> d->bank_bits) & (d->cfg.banks - 1));
    *row = (int64_t)(index >> d->bank_bits) |
           ((addr & MEM_LOCAL_BIT) != 0 ? 1ll << 50 : 0);
}

static sim_cycle_t later(sim_cycle_t a, sim_cycle_t b)
{
    return a > b ? a : b;
}

/* SPEC DRAM-2: the oldest burst whose row is open and ready, else the oldest. */
static uint32_t choose(const struct dram *d, sim_cycle_t now)
{
    for (uint32_t i = 0; i < d->n_queued; i++) {
        uint32_t bank;
        int64_t row;

        place(d, d->queue[i]->addr, &bank, &row);
        if (d->bank[bank].row == row && d->bank[bank].column_at <= now) {
            return i;
        }
    }
    return 0;
}

/* Cycle of the column command; opens the row if need be. */
static sim_cycle_t open_row(struct dram *d, struct dbank *b, int64_t row,
                            sim_cycle_t now, struct smw_counters *s)
{
    sim_cycle_t act = now;

    if (b->row == row) {
        s->dram_row_hits++;
        return later(now, b->column_at);
    }
    s->dram_row_misses++;
    if (SIM_WATCHED(d->scope)) {
        sim_probe_fire(&d->p_miss);
    }
    if (b->row != NO_ROW) {
        act = later(now, b->precharge_at) + d->cfg.rp;
    }
    if (b->used) {
        act = later(act, b->act_at + d->cfg.rc);
    }
    if (d->activated) {
        act = later(act, d->act_at + d->cfg.rrd);
    }
    b->row = row;
    b->act_at = act;
    b->used = true;
    b->precharge_at = act + d->cfg.ras;
    d->act_at = act;
    d->activated = true;
    return act + d->cfg.rcd;
}

static void schedule(struct dram *d, struct mem_burst *t, sim_cycle_t now)
{
    struct smw_counters *s = &d->stats[t->launch];
    uint32_t lead = t->write ? d->cfg.wl : d->cfg.cl;
    uint32_t index;
    struct dbank *b;
    sim_cycle_t column, data;
    int64_t row;

    place(d, t->addr, &index, &row);
    b = &d->bank[index];
    column = open_row(d, b, row, now, s);
    if (!t->write && d->write_end != 0) {
        column = later(column, d->write_end + d->cfg.wtr);
    }
    data = later(later(column, d->column_at) + lead, d->bus_at);
    column = data - lead;
    d->bus_at = data + d->cfg.burst_cycles;
    d->column_at = column + d->cfg.ccd;
    b->column_at = d->column_at;
    d->last_bank = index;
    d->last_row = (uint64_t)row;
    if (t->write) {
        s->dram_wr_bytes += d->cfg.burst;
        d->write_end = d->bus_at;
        b->precharge_at = later(b->precharge_at, d->bus_at + d->cfg.wr);
        sim_pool_give(t);
        return;
    }
    s->dram_rd_bytes += d->cfg.burst;
    b->precharge_at = later(b->precharge_at, d->bus_at);
    t->txn.ready = d->bus_at + d->cfg.latency;
    t->txn.next = NULL;
    if (d->first == NULL) {
        d->first = t;
    } else {
        d->last->txn.next = &t->txn;
    }
    d->last = t;
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

/* How far ahead of the bus a burst may be scheduled: a row change fits in between. */
static sim_cycle_t horizon(const struct dram *d)
{
    return (sim_cycle_t)d->cfg.rp + d->cfg.rcd + d->cfg.cl;
}

/* The bus is shown busy until a step behind its last burst; one takes place right then if
 * somebody watches. */
static void show(void *ctx)
{
    struct dram *d = ctx;
    bool busy = d->bus_at > d->stepped_at;

    if (busy && !sim_pending(&d->slot)) {
        busy = d->bus_at > sim_here(&d->scope);
        if (busy) {
            sim_notify_at(&d->slot, d->bus_at);
        }
    }
    sim_probe_set(&d->p_queue, d->n_queued);
    sim_probe_set(&d->p_bus, busy);
    sim_probe_set(&d->p_bank, d->last_bank);
    sim_probe_set(&d->p_row, d->last_row);
}

/* Woken by req.arrived, slot and rsp.space. */
static void dram_step(void *self)
{
    struct dram *d = self;
    sim_cycle_t now = sim_here(&d->scope);
    sim_cycle_t next = 0;
    bool delivered = deliver(d, now);

    d->stepped_at = now;
    while (d->n_queued < d->cfg.queue && sim_peek(&d->req) != NULL) {
        d->queue[d->n_queued++] = sim_take(&d->req);
    }
    if (d->n_queued != 0 && now >= d->next_at && d->bus_at <= now + horizon(d)) {
        uint32_t i = choose(d, now);
        struct mem_burst *t = d->queue[i];

        d->n_queued--;
        for (; i < d->n_queued; i++) {
            d->queue[i] = d->queue[i + 1];
        }
        schedule(d, t, now);
        d->next_at = now + d->cfg.ccd;
    }
    if (d->n_queued != 0) {
        next = later(d->next_at, now + 1);
        if (d->bus_at > next + horizon(d)) {
            next = d->bus_at - horizon(d);
        }
    }
    if (delivered && d->first != NULL && (next == 0 || d->first->txn.ready < next)) {
        next = d->first->txn.ready;
    }
    if (next != 0) {
        sim_notify_at(&d->slot, next);
    }
    if (SIM_WATCHED(d->scope)) {
        show(d);
    }
}

struct dram *dram_new(struct sim_module *parent, struct sim_clock *clock,
                      const struct dram_config *cfg, struct smw_counters *stats)
{
    struct sim *sim = parent->sim;
    struct dram *d = sim_alloc(sim, sizeof(*d));

    d->cfg = *cfg;
    d->channels = divisor_of(cfg->channels);
    d->row_bits = (uint8_t)attr_lowest_bit(cfg->row);
    d->bank_bits = (uint8_t)attr_lowest_bit(cfg->banks);
    d->stats = stats;
    d->bank = sim_alloc(sim, cfg->banks * sizeof(d->bank[0]));
    d->queue = sim_alloc(sim, cfg->queue * sizeof(d->queue[0]));
    for (uint32_t i = 0; i < cfg->banks; i++) {
        d->bank[i].row = NO_ROW;
    }
    sim_module_init(&d->scope, sim, parent, clock, "dram");
    sim_in_init(&d->req, &d->scope, "req", &mem_burst_proto, cfg->queue);
    sim_out_init(&d->rsp, &d->scope, "rsp", &mem_burst_proto);
    sim_event_init(&d->slot, sim, d->scope.clock, "slot");
    sim_process_init(&d->step, sim, "dram", dram_step, d);
    sim_wake_on(&d->step, &d->req.arrived);
    sim_wake_on(&d->step, &d->slot);
    sim_wake_on(&d->step, &d->rsp.space);
    sim_module_shows(&d->scope, show, d);
    sim_probe_init(&d->p_queue, &d->scope, &probe_queue, NULL, 0);
    sim_probe_init(&d->p_bus, &d->scope, &probe_bus, NULL, 0);
    sim_probe_init(&d->p_bank, &d->scope, &probe_bank, NULL, 0);
    sim_probe_init(&d->p_row, &d->scope, &probe_row, NULL, 0);
    sim_probe_init(&d->p_miss, &d->scope, &probe_miss, NULL, 0);
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
