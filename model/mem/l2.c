#include "mem/l2.h"

#include "mem/l2_halves.h"
#include "mem/l2_way.h"

enum { MAX_FETCHES = 256 };

static const struct cfg_field l2_fields[] = {
    CFG_U64(struct l2_config, clock, 1000000, 700000000, 10000000000, CFG_HZ, 0,
            "clock of the L2 slices", "TIME-2"),
    CFG_U64(struct l2_config, size, 0, 768u << 10, 1ull << 30, CFG_BYTES, 0,
            "L2 over all slices; 0: no cache", "L2-2"),
    CFG_U32(struct l2_config, ways, 1, 8, 64, CFG_PLAIN, 0, "lines of a set", "L2-2"),
    CFG_U32(struct l2_config, latency, 1, 60, 1000, CFG_CYCLES, 0,
            "arrival at the slice to being served", "L2-5"),
    CFG_U32(struct l2_config, spread, 0, 0, 1000, CFG_CYCLES, 0,
            "more to the SM that is farthest from a slice than to the nearest", "L2-7"),
    CFG_U32(struct l2_config, far_latency, 0, 0, 1000, CFG_CYCLES, 0,
            "more for what an SM's half of the L2 has no copy of; 0: no halves",
            "L2-6"),
    CFG_U32(struct l2_config, far_interval, 0, 0, 256, CFG_CYCLES, 0,
            "for a line between a slice and the other half, either way; 0: any number",
            "L2-6"),
    CFG_U32(struct l2_config, far_read_interval, 0, 0, 256, CFG_CYCLES, 0,
            "the same for a line that is read from there; 0: as one that is stored",
            "L2-6"),
    CFG_BOOL(struct l2_config, keeps_copies, 0,
             "copies of a half outlive the launch that made them", "L2-6"),
    CFG_U32(struct l2_config, clean_block, 0, 0, 65536, CFG_BYTES, CFG_POW2,
            "a dirty line that leaves takes those of its block along; 0: none", "L2-9"),
    CFG_U32(struct l2_config, interval, 1, 1, 64, CFG_CYCLES, 0,
            "cycles between two line requests", "L2-5"),
    CFG_U32(struct l2_config, sectors, 1, 4, MEM_SECTORS, CFG_PLAIN, 0,
            "sectors that a slice reads or writes per cycle", "L2-5"),
    CFG_U32(struct l2_config, line_interval, 0, 0, 64, CFG_CYCLES, 0,
            "cycles of a request for all sectors of a line, if more", "L2-5"),
    CFG_U32(struct l2_config, atom_interval, 1, 1, 64, CFG_CYCLES, 0,
            "cycles per lane of an atomic on one address", "L2-5"),
    CFG_U32(struct l2_config, atom.line, 0, 0, 64, CFG_CYCLES, 0,
            "cycles of a line's atomic in its unit, fewer sectors in proportion",
            "L2-8"),
    CFG_U32(struct l2_config, atom.floats, 0, 0, 64, CFG_CYCLES, 0,
            "cycles between two atomics of floats on one line", "L2-8"),
    CFG_U32(struct l2_config, atom.units, 1, 1, L2_ATOM_UNITS, CFG_PLAIN, 0,
            "atomic units of a slice", "L2-8"),
    CFG_U32(struct l2_config, mshrs, 1, 32, MAX_FETCHES, CFG_PLAIN, 0,
            "lines being fetched, per slice", "L2-5"),
    CFG_U32(struct l2_config, queue, 1, 128, 4096, CFG_PLAIN, 0,
            "requests under way to a slice", "QUEUE-1"),
    CFG_U32(struct l2_config, queue_data, 0, 0, 64, CFG_PLAIN, 0,
            "places there that a sector of data takes besides its request's",
            "QUEUE-1"),
};
const struct cfg_table l2_keys = CFG_TABLE(l2_fields);

static const struct sim_probe_desc probe_mshrs = {
    .name = "mshrs",
    .kind = SIM_PROBE_LEVEL,
    .width = 9,
    .doc = "lines being fetched",
    .unit = "lines",
    .views = "memory",
};
static const struct sim_probe_desc probe_addr = {
    .name = "line_addr",
    .kind = SIM_PROBE_BITS,
    .width = 64,
    .doc = "line being served",
    .views = "memory",
};
static const struct sim_probe_desc probe_hit = {
    .name = "hit",
    .kind = SIM_PROBE_EVENT,
    .doc = "a load found its sectors",
    .views = "memory",
};
static const struct sim_probe_desc probe_miss = {
    .name = "miss",
    .kind = SIM_PROBE_EVENT,
    .doc = "a fetch began",
    .role = SIM_ROLE_BAD,
    .views = "memory",
};

struct fetch {
    uint32_t line;           /* index of the tag; L2_NO_LINE: there is no cache */
    uint8_t sectors;         /* being fetched; 0: free */
    uint8_t n_bursts;        /* still out */
    uint16_t next;           /* free */
    struct mem_lines served; /* to be answered */
};

struct l2 { /* what every request needs comes first */
    struct sim_module scope;
    sim_cycle_t slot_at;
    struct mem_lines done; /* filled or here from afar, waiting for the way back */
    struct l2_halves halves;
    struct l2_way way;
    struct memory *memory;
    struct smw_counters *stats;
    struct fetch *fetch;
    uint64_t free_fetches[MAX_FETCHES / 64]; /* the lowest free one is taken */
    uint32_t n_fetching;
    uint64_t served; /* address of the line looked at last, for observers */
    bool caches;     /* else every request goes to DRAM by itself (SPEC L2-4) */
    uint32_t burst;
    struct l2_tags tags;
    struct l2_atoms atoms;
    uint64_t clean_at, clean_end; /* addresses inside the slice still to be cleaned */
    struct l2_config cfg;         /* immutable */
    struct sim_in req, fill;
    struct sim_out rsp, dram;
    struct sim_event slot;
    struct sim_pool bursts;
    struct sim_process step;
    struct sim_probe p_mshrs, p_addr, p_hit, p_miss;
};

static void show(void *ctx)
{
    struct l2 *c = ctx;

    sim_probe_set(&c->p_mshrs, c->n_fetching);
    sim_probe_set(&c->p_addr, c->served);
}

/* t is there now, for observers. */
static inline void see(const struct l2 *c, struct mem_line *t, enum mem_seen where)
{
    if (SIM_WATCHED(c->scope)) {
        t->seen[where] = sim_now(c->scope.sim);
    }
}

/* ---- DRAM ---- */

/* Bursts that cover these sectors of a line. */
static uint32_t bursts_of(const struct l2 *c, uint8_t sectors)
{
    uint32_t per = c->burst / MEM_SECTOR; /* sectors of a burst: 1, 2 or 4 */
    uint32_t n = 0;

    if (sectors == 0) {
        return 0;
    }
    for (uint32_t s = 0; s < MEM_SECTORS; s += per) {
        n += (sectors >> s & ((1u << per) - 1)) != 0;
    }
    return n;
}

/* Are there credits for so many? If not, ask for one. */
static bool can_send(struct l2 *c, uint32_t bursts)
{
    if (sim_out_credits(&c->dram) >= bursts) {
        return true;
    }
    sim_out_wait(&c->dram);
    return false;
}

static void send_bursts(struct l2 *c, uint64_t addr, uint8_t sectors, bool write,
                        uint8_t launch, uint32_t tag)
{
    uint32_t per = c->burst / MEM_SECTOR;

    for (uint32_t s = 0; s < MEM_SECTORS; s += per) {
        struct mem_burst *b;

        if ((sectors >> s & ((1u << per) - 1)) == 0) {
            continue;
        }
        b = sim_pool_take(&c->bursts);
        b->addr = addr + s * MEM_SECTOR;
        b->write = write;
        b->launch = launch;
        b->tag = tag;
        sim_send(&c->dram, b);
    }
}

/* SPEC L2-9: the dirty line at addr leaves. Unless another block is being cleaned, that
 * of this line is from now on. */
static void begin_cleaning(struct l2 *c, uint64_t addr)
{
    uint64_t block = c->cfg.clean_block;

    if (block > MEM_LINE && c->clean_at == c->clean_end) {
        c->clean_at = mem_part_addr(addr, &c->tags.slices) & ~(block - 1);
        c->clean_end = c->clean_at + block;
    }
}

/* Write back what is dirty in the block, as far as there is room for it. */
static void clean(struct l2 *c, uint8_t launch)
{
    for (; c->clean_at < c->clean_end; c->clean_at += MEM_LINE) {
        uint32_t i = l2_tags_find_inside(&c->tags, c->clean_at);

        if (i == L2_NO_LINE || l2_tags_at(&c->tags, i)->dirty == 0) {
            continue;
        }
        if (sim_out_credits(&c->dram) < bursts_of(c, l2_tags_at(&c->tags, i)->dirty)) {
            return; /* the next line that needs a place goes on */
        }
        send_bursts(c, c->tags.addr[i], l2_tags_at(&c->tags, i)->dirty, true, launch,
                    0);
        l2_tags_at(&c->tags, i)->dirty = 0;
    }
}

/* A tag for addr, with room for extra bursts after the write-back it may cost;
 * L2_NO_LINE: wait for a fill or a credit. The write-back goes as soon as it can: the
 * channel's queue may be too short for both at once. */
static uint32_t allocate(struct l2 *c, uint64_t addr, uint8_t launch, uint32_t extra)
{
    uint32_t best = l2_tags_victim(&c->tags, addr);
    struct l2_tag *t;

    if (best == L2_NO_LINE) {
        return L2_NO_LINE; /* fill.arrived wakes us */
    }
    t = l2_tags_at(&c->tags, best);
    if (!can_send(c, bursts_of(c, t->dirty))) {
        return L2_NO_LINE;
    }
    if (t->dirty != 0) {
        send_bursts(c, c->tags.addr[best], t->dirty, true, launch, 0);
        begin_cleaning(c, c->tags.addr[best]);
        *t = (struct l2_tag){0};
        c->tags.addr[best] = L2_EMPTY;
    }
    clean(c, launch);
    if (!can_send(c, extra)) {
        return L2_NO_LINE;
    }
    l2_tags_take(&c->tags, best, addr);
    return best;
}

/* Lanes of the atomic that meet on its most popular address. */
static uint32_t atom_depth(const struct mem_atom *a)
{
    uint8_t n[MEM_LINE] = {0};
    uint32_t worst = 1;

    if (a->joined) {
        return 1;
    }
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        uint8_t *k = &n[a->offset[__builtin_ctz(m)]];

        ++*k;
        worst = *k > worst ? *k : worst;
    }
    return worst;
}

/* ---- requests ---- */

/* The head of the queue, t, is served. */
static void take(struct l2 *c, struct mem_line *t)
{
    uint32_t places = mem_places(t, c->cfg.queue_data, c->cfg.queue);

    if (SIM_WATCHED(c->scope)) {
        t->seen[MEM_SEEN_L2] =
            sim_edge(c->scope.clock,
                     t->txn.ready > c->cfg.latency ? t->txn.ready - c->cfg.latency : 0);
    }
    (void)sim_take(&c->req);
    if (places > 1) {
        sim_in_free(&c->req, places - 1);
    }
}

static void count(struct l2 *c, const struct mem_line *t, uint8_t missing)
{
    struct smw_counters *s = &c->stats[t->launch];
    uint32_t n = mem_sector_count(t->sectors);

    switch ((enum mem_op)t->op) {
    case MEM_LOAD:
        s->l2_rd_requests++;
        s->l2_rd_sectors += n;
        s->l2_rd_hits += n - mem_sector_count(missing);
        break;
    case MEM_STORE:
        s->l2_wr_requests++;
        s->l2_wr_sectors += n;
        break;
    case MEM_DRAIN: break; /* ends in the LSU */
    case MEM_ATOM:
    case MEM_RED: s->l2_atoms++; break;
    }
}

/* ---- answers ---- */

/* Is there room for an answer? If not, something wakes us when there is. */
static bool can_answer(struct l2 *c)
{
    if (c->cfg.spread != 0) {
        return c->way.held < L2_WAY_ROOM; /* way.arrived wakes us */
    }
    if (sim_out_ready(&c->rsp)) {
        return true;
    }
    sim_out_wait(&c->rsp);
    return false;
}

static void answer(struct l2 *c, struct mem_line *t)
{
    see(c, t, MEM_SEEN_ANSWER);
    if (c->cfg.spread != 0) {
        l2_way_send(&c->way, t);
    } else {
        sim_send(&c->rsp, t);
    }
}

/* Answers that have come as far as their SM lies go into the interconnect. */
static void move_answers(struct l2 *c, sim_cycle_t now)
{
    struct mem_line *t;

    while ((t = l2_way_peek(&c->way, now)) != NULL) {
        if (!sim_out_ready(&c->rsp)) {
            sim_out_wait(&c->rsp);
            return;
        }
        l2_way_take(&c->way, t);
        sim_send(&c->rsp, t);
    }
}

/* Answer t, a hit: at once, or when it is here from the other half. */
static void answer_hit(struct l2 *c, struct mem_line *t, uint32_t i)
{
    if (l2_halves_read(&c->halves, l2_tags_at(&c->tags, i), t)) {
        l2_halves_send(&c->halves, t);
    } else {
        answer(c, t);
    }
}

/* True if the link is free for t, a store that may cross it. If not, the slot wakes us.
 */
static bool store_arrives(struct l2 *c, const struct mem_line *t)
{
    sim_cycle_t at = l2_halves_free_at(&c->halves, t);

    if (at <= sim_here(&c->scope)) {
        return true;
    }
    sim_notify_at(&c->slot, at);
    return false;
}

static bool wants_answer(const struct mem_line *t)
{
    return t->op != MEM_STORE || t->ack || t->from_l1;
}

/* The fetch that brings these sectors of a line, NULL if none does. */
static struct fetch *find_fetch(struct l2 *c, uint32_t line, uint8_t sectors)
{
    if (l2_tags_at(&c->tags, line)->fetching == 0) {
        return NULL;
    }
    for (uint32_t i = 0; i < c->cfg.mshrs; i++) {
        struct fetch *f = &c->fetch[i];

        if (f->sectors != 0 && f->line == line && (sectors & ~f->sectors) == 0) {
            return f;
        }
    }
    return NULL;
}

static struct fetch *free_fetch(struct l2 *c)
{
    for (uint32_t k = 0; k < ARRAY_LEN(c->free_fetches); k++) {
        if (c->free_fetches[k] != 0) {
            return &c->fetch[64 * k + attr_lowest_bit(c->free_fetches[k])];
        }
    }
    return NULL;
}

/* Begin to fetch for t with the free f, into a line or none; the bursts' credits are
 * there. */
static void start_fetch(struct l2 *c, struct fetch *f, uint32_t line,
                        const struct mem_line *t, uint8_t sectors)
{
    uint32_t i = (uint32_t)(f - c->fetch);

    c->free_fetches[i / 64] &= ~(1ull << i % 64);
    *f = (struct fetch){.line = line,
                        .sectors = sectors,
                        .n_bursts = (uint8_t)bursts_of(c, sectors)};
    if (line != L2_NO_LINE) {
        l2_tags_at(&c->tags, line)->fetching++;
    }
    c->n_fetching++;
    if (SIM_WATCHED(c->scope)) {
        sim_probe_fire(&c->p_miss);
    }
    send_bursts(c, t->addr, sectors, false, t->launch, i);
}

/* A load or an atomic: true if it was served. */
static bool serve_read(struct l2 *c, struct mem_line *t)
{
    uint32_t i = l2_tags_find(&c->tags, t->addr);
    uint8_t missing =
        (uint8_t)(t->sectors & ~(i == L2_NO_LINE ? 0 : l2_tags_at(&c->tags, i)->valid));
    struct fetch *f = NULL;

    if (missing == 0) {
        if (!can_answer(c)) {
            return false;
        }
        if (SIM_WATCHED(c->scope)) {
            sim_probe_fire(&c->p_hit);
        }
    } else {
        f = i == L2_NO_LINE ? NULL : find_fetch(c, i, missing);
        if (f == NULL) {
            f = free_fetch(c);
            if (f == NULL) {
                return false; /* fill.arrived wakes us */
            }
            if (i == L2_NO_LINE) {
                i = allocate(c, t->addr, t->launch, bursts_of(c, missing));
            } else if (!can_send(c, bursts_of(c, missing))) {
                i = L2_NO_LINE;
            }
            if (i == L2_NO_LINE) {
                return false;
            }
            start_fetch(c, f, i, t, missing);
        }
    }
    take(c, t);
    count(c, t, missing);
    l2_tags_touch(&c->tags, i);
    memory_serve(c->memory, t);
    if (t->op >= MEM_ATOM) {
        l2_tags_at(&c->tags, i)->dirty |= t->sectors;
    }
    if (f != NULL) {
        see(c, t, MEM_SEEN_FETCH);
        mem_lines_append(&f->served, t);
    } else {
        answer_hit(c, t, i);
    }
    return true;
}

static bool serve_store(struct l2 *c, struct mem_line *t)
{
    uint32_t i = l2_tags_find(&c->tags, t->addr);

    if (!store_arrives(c, t)) {
        return false;
    }
    if (wants_answer(t) && !can_answer(c)) {
        return false;
    }
    if (i == L2_NO_LINE) {
        i = allocate(c, t->addr, t->launch, 0);
        if (i == L2_NO_LINE) {
            return false;
        }
    }
    take(c, t);
    if (l2_halves_crosses(&c->halves, t)) {
        (void)l2_halves_use_link(&c->halves, t);
    }
    count(c, t, 0);
    l2_tags_touch(&c->tags, i);
    memory_serve(c->memory, t);
    l2_tags_at(&c->tags, i)->dirty |= t->sectors;
    l2_tags_at(&c->tags, i)->valid |= (uint8_t)mem_full_sectors(t->bytes);
    l2_halves_store(&c->halves, l2_tags_at(&c->tags, i), t);
    if (wants_answer(t)) {
        answer(c, t);
    } else {
        sim_pool_give(t);
    }
    return true;
}

/* ---- without a cache (SPEC L2-4): every request to DRAM, by itself ---- */

static bool pass_read(struct l2 *c, struct mem_line *t)
{
    struct fetch *f = free_fetch(c);

    if (f == NULL || !can_send(c, bursts_of(c, t->sectors))) {
        return false; /* fill.arrived or dram.space wakes us */
    }
    take(c, t);
    count(c, t, t->sectors);
    memory_serve(c->memory, t);
    start_fetch(c, f, L2_NO_LINE, t, t->sectors);
    see(c, t, MEM_SEEN_FETCH);
    mem_lines_append(&f->served, t);
    return true;
}

static bool pass_store(struct l2 *c, struct mem_line *t)
{
    if (wants_answer(t) && !can_answer(c)) {
        return false;
    }
    if (!can_send(c, bursts_of(c, t->sectors))) {
        return false;
    }
    take(c, t);
    count(c, t, 0);
    memory_serve(c->memory, t);
    send_bursts(c, t->addr, t->sectors, true, t->launch, 0);
    if (wants_answer(t)) {
        answer(c, t);
    } else {
        sim_pool_give(t);
    }
    return true;
}

/* ---- fills ---- */

static void accept_fill(struct l2 *c, sim_cycle_t now)
{
    struct mem_burst *b = sim_take_head(&c->fill, now);
    uint32_t tag = b->tag;
    struct fetch *f = &c->fetch[tag];

    sim_pool_give(b);
    f->n_bursts--;
    if (f->n_bursts != 0) {
        return;
    }
    if (f->line != L2_NO_LINE) {
        l2_tags_at(&c->tags, f->line)->valid |= f->sectors;
        l2_tags_at(&c->tags, f->line)->fetching--;
    }
    while (f->served.first != NULL) {
        struct mem_line *t = mem_lines_take(&f->served);

        see(c, t, MEM_SEEN_FILLED);
        if (f->line != L2_NO_LINE &&
            l2_halves_read(&c->halves, l2_tags_at(&c->tags, f->line), t)) {
            l2_halves_send(&c->halves, t);
        } else {
            mem_lines_append(&c->done, t);
        }
    }
    f->sectors = 0;
    c->free_fetches[tag / 64] |= 1ull << tag % 64;
    c->n_fetching--;
}

/* Answer one filled request; false: waits for a credit. Without a cache an atomic
 * writes now what it has read. */
static bool answer_one(struct l2 *c)
{
    struct mem_line *t = c->done.first;
    bool writes = !c->caches && t->op >= MEM_ATOM;

    if (!can_answer(c)) {
        return false;
    }
    if (writes && !can_send(c, bursts_of(c, t->sectors))) {
        return false;
    }
    if (writes) {
        send_bursts(c, t->addr, t->sectors, true, t->launch, 0);
    }
    answer(c, mem_lines_take(&c->done));
    return true;
}

/* Serve the head of the queue; false if it has to wait. */
static bool serve(struct l2 *c, struct mem_line *t)
{
    c->served = t->addr;
    if (!c->caches) {
        return t->op == MEM_STORE ? pass_store(c, t) : pass_read(c, t);
    }
    return t->op == MEM_STORE ? serve_store(c, t) : serve_read(c, t);
}

/* Cycles from serving t to the next request: its sectors have to move. */
static uint32_t interval_of(const struct l2_config *c, uint32_t sectors)
{
    uint32_t moving = (sectors + c->sectors - 1) / c->sectors;

    if (sectors == MEM_SECTORS && c->line_interval > moving) {
        moving = c->line_interval;
    }
    return moving > c->interval ? moving : c->interval;
}

static uint32_t interval_after(const struct l2 *c, const struct mem_line *t)
{
    return interval_of(&c->cfg, mem_sector_count(t->sectors));
}

uint64_t l2_peak(const struct l2_config *c, uint32_t n_slices)
{
    uint64_t best = 0;

    for (uint32_t n = 1; n <= MEM_SECTORS && c->size != 0; n++) {
        const uint64_t rate = c->clock * n * MEM_SECTOR / interval_of(c, n);

        best = rate > best ? rate : best;
    }
    return best * n_slices;
}

/* Cycles until the next request; 0: the atomic t at the head has to wait. */
static uint32_t serve_atom(struct l2 *c, struct mem_line *t, sim_cycle_t now)
{
    struct l2_atom_turn turn;
    const sim_cycle_t ready = l2_atoms_ready(&c->atoms, t, now, &turn);
    const uint32_t cost =
        interval_after(c, t) + (atom_depth(t->atom) - 1) * c->cfg.atom_interval;

    if (ready > now) {
        sim_notify_at(&c->slot, ready);
        return 0;
    }
    if (!serve(c, t)) {
        return 0;
    }
    l2_atoms_take(&c->atoms, &turn);
    return cost;
}

/* Fills first, since they free what requests wait for. */
static void step(struct l2 *c)
{
    sim_cycle_t now = sim_here(&c->scope);
    uint32_t busy = 0; /* cycles until the next line request; 0: none was served */
    struct mem_line *t;

    while (mem_has_arrived(&c->fill, now)) {
        accept_fill(c, now);
    }
    if (c->cfg.spread != 0) {
        move_answers(c, now);
    }
    while ((t = l2_halves_take(&c->halves, now)) != NULL) {
        mem_lines_append(&c->done, t); /* they go the way of the fills */
    }
    if (now < c->slot_at) {
        if (!sim_pending(&c->slot)) {
            sim_notify_at(&c->slot, c->slot_at);
        }
        return;
    }
    t = sim_peek(&c->req);
    if (c->done.first != NULL) {
        busy = answer_one(c) ? c->cfg.interval : 0;
    } else if (t != NULL && t->op >= MEM_ATOM) {
        busy = serve_atom(c, t, now);
    } else if (t != NULL) {
        const uint32_t cost = interval_after(c, t);

        busy = serve(c, t) ? cost : 0;
    }
    if (busy != 0) {
        c->slot_at = now + busy;
        /* a head that arrives later wakes us itself */
        if (c->done.first != NULL || mem_has_arrived(&c->req, now)) {
            sim_notify_at(&c->slot, c->slot_at);
        }
    }
}

/* Woken by req.arrived, fill.arrived, slot, halves.arrived, way.arrived, rsp.space and
 * dram.space. */
static void l2_step(void *self)
{
    struct l2 *c = self;

    step(c);
    if (SIM_WATCHED(c->scope)) {
        show(c);
    }
}

void l2_launch_begins(struct l2 *c)
{
    if (!c->cfg.keeps_copies) {
        l2_halves_forget(&c->halves);
    }
}

/* ---- construction ---- */

struct l2 *l2_new(struct sim_module *parent, struct sim_clock *clock,
                  const struct l2_config *cfg, const struct mem_parts *slices,
                  uint32_t index, uint32_t burst, struct memory *memory,
                  struct smw_counters *stats)
{
    const uint32_t n_slices = (uint32_t)slices->n.d;
    struct sim *sim = parent->sim;
    struct l2 *c = sim_alloc(sim, sizeof(*c));

    c->cfg = *cfg;
    c->memory = memory;
    c->stats = stats;
    c->burst = burst;
    c->caches = cfg->size != 0;
    if (c->caches) {
        l2_tags_init(&c->tags, sim, cfg->size / n_slices, cfg->ways, slices);
    }
    c->fetch = sim_alloc(sim, cfg->mshrs * sizeof(c->fetch[0]));
    for (uint32_t i = 0; i < cfg->mshrs; i++) {
        c->free_fetches[i / 64] |= 1ull << i % 64;
    }
    l2_atoms_init(&c->atoms, &c->cfg.atom);
    sim_module_init(&c->scope, sim, parent, clock, "l2");
    sim_pool_init(&c->bursts, sim, "mem_burst", sizeof(struct mem_burst));
    sim_in_init(&c->req, &c->scope, "req", &mem_line_proto, cfg->queue);
    sim_in_init(&c->fill, &c->scope, "fill", &mem_burst_proto, 8);
    sim_out_init(&c->rsp, &c->scope, "rsp", &mem_line_proto);
    sim_out_init(&c->dram, &c->scope, "dram", &mem_burst_proto);
    sim_event_init(&c->slot, sim, c->scope.clock, "slot");
    l2_halves_init(&c->halves, &c->scope, cfg->far_latency, cfg->far_interval,
                   cfg->far_read_interval);
    l2_way_init(&c->way, &c->scope, index, n_slices, cfg->spread);
    sim_process_init(&c->step, sim, "l2", l2_step, c);
    sim_wake_on(&c->step, &c->req.arrived);
    sim_wake_on(&c->step, &c->fill.arrived);
    sim_wake_on(&c->step, &c->slot);
    sim_wake_on(&c->step, &c->halves.arrived);
    sim_wake_on(&c->step, &c->way.arrived);
    sim_wake_on(&c->step, &c->rsp.space);
    sim_wake_on(&c->step, &c->dram.space);
    sim_module_shows(&c->scope, show, c);
    sim_probe_init(&c->p_mshrs, &c->scope, &probe_mshrs, NULL, 0);
    sim_probe_init(&c->p_addr, &c->scope, &probe_addr, NULL, 0);
    sim_probe_init(&c->p_hit, &c->scope, &probe_hit, NULL, 0);
    sim_probe_init(&c->p_miss, &c->scope, &probe_miss, NULL, 0);
    return c;
}

struct sim_in *l2_req(struct l2 *c)
{
    return &c->req;
}

struct sim_out *l2_rsp(struct l2 *c)
{
    return &c->rsp;
}

struct sim_out *l2_dram(struct l2 *c)
{
    return &c->dram;
}

struct sim_in *l2_fill(struct l2 *c)
{
    return &c->fill;
}
