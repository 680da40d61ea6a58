#include "mem/icnt.h"

static const char *const interleave_names[] = {"capability", "round_robin", "fold"};

static const struct cfg_field icnt_fields[] = {
    CFG_U64(struct icnt_config, clock, 1000000, 700000000, 10000000000, CFG_HZ, 0,
            "clock of the interconnect", "TIME-2"),
    CFG_U32(struct icnt_config, latency, 1, 50, 1000, CFG_CYCLES, 0,
            "input to output, each way", "ICNT-1"),
    CFG_U32(struct icnt_config, flit_bytes, 8, 32, 128, CFG_BYTES, CFG_POW2,
            "data bytes an output moves per cycle", "ICNT-1"),
    CFG_U32(struct icnt_config, queue, 1, 8, 256, CFG_PLAIN, 0,
            "packets an input holds", "QUEUE-1"),
    CFG_U32(struct icnt_config, sorted, 0, 0, 256, CFG_PLAIN, 0,
            "packets of an input that wait sorted by output; 0: only its head is seen",
            "ICNT-1"),
    CFG_CHOICE(struct icnt_config, interleave, interleave_names, ICNT_AS_CAPABILITY,
               "how units are dealt to the partitions", "PART-1"),
    CFG_U32(struct icnt_config, unit, MEM_UNIT, MEM_UNIT, 2 * MEM_UNIT, CFG_BYTES,
            CFG_POW2, "bytes of a unit; of 512, every other 256 of a KB", "PART-1"),
};
const struct cfg_table icnt_keys = CFG_TABLE(icnt_fields);

static const struct sim_probe_desc probe_waiting = {
    .name = "waiting",
    .kind = SIM_PROBE_LEVEL,
    .width = 10,
    .doc = "packets at the inputs",
    .unit = "packets",
    .views = "coalescer,memory",
};
static const struct sim_probe_desc probe_moved = {
    .name = "moved",
    .kind = SIM_PROBE_UINT,
    .width = 8,
    .doc = "packets that began to move this cycle",
    .unit = "packets",
    .views = "coalescer,memory",
};

struct output {
    sim_cycle_t free_at;
    uint32_t turn;      /* the input after the last served */
    uint32_t n_wanting; /* inputs whose head wants it */
    uint64_t *want;     /* the set of them */
};

struct net { /* one direction */
    struct sim_module scope;
    uint32_t n_in, n_out;
    uint32_t in_words, out_words; /* of a set of inputs, of outputs */
    struct sim_in *in;
    struct sim_out *out;
    struct output *output;
    uint64_t *fresh;        /* set of inputs whose head has not been looked at */
    uint32_t sorted;        /* packets that an input sorts by output; 0: none */
    uint32_t *n_sorted;     /* by input: packets that it has sorted */
    struct mem_lines *list; /* by input and output */
    uint64_t *wanted;       /* set of outputs that some head wants */
    uint32_t heads;         /* that were looked at */
    bool by_address;        /* requests; answers go by SM */
    uint32_t places, queue; /* as in mem_places(), of the receivers */
    uint8_t data_flits[MEM_SECTORS + 1]; /* of so many sectors */
    struct icnt_map map;
    struct sim_event slot;
    sim_cycle_t stepped_at;      /* the last step, for observers: ... */
    uint32_t n_waiting, n_moved; /* ... heads that it found, packets that it moved */
    struct sim_process step;
    struct sim_probe waiting, moved;
};

struct icnt {
    struct sim_module scope;
    struct net req, rsp;
};

void icnt_adapt_rules(const struct icnt_config *cfg, struct rules_cc *rules)
{
    switch ((enum icnt_interleave)cfg->interleave) {
    case ICNT_AS_CAPABILITY: break;
    case ICNT_ROUND_ROBIN: rules->folds_partition = false; break;
    case ICNT_FOLD: rules->folds_partition = true; break;
    }
}

/* ---- sets: bit i % 64 of word i / 64 ---- */

static void set_add(uint64_t *set, uint32_t i)
{
    set[i / 64] |= 1ull << i % 64;
}

static void set_remove(uint64_t *set, uint32_t i)
{
    set[i / 64] &= ~(1ull << i % 64);
}

/* The first member from i on, or else the first of all; the set is not empty. */
static uint32_t set_next(const uint64_t *set, uint32_t words, uint32_t i)
{
    uint64_t m = set[i / 64] >> i % 64;

    if (m != 0) {
        return i + attr_lowest_bit(m);
    }
    for (i /= 64;;) {
        i = i + 1 == words ? 0 : i + 1;
        if (set[i] != 0) {
            return 64 * i + attr_lowest_bit(set[i]);
        }
    }
}

/* ---- partitions ---- */

struct icnt_map icnt_map_of(const struct mem_parts *parts, bool folds)
{
    const uint32_t n = (uint32_t)parts->n.d;
    struct icnt_map map = {.parts = *parts};

    if (folds) { /* as wide as it takes to number the partitions */
        map.fold_bits = n == 1 ? 1 : 32 - (uint32_t)__builtin_clz(n - 1);
    }
    return map;
}

/* XOR of the digits of v. */
static uint32_t fold(uint64_t v, uint32_t bits)
{
    uint64_t f = 0;

    for (; v != 0; v >>= bits) {
        f ^= v;
    }
    return (uint32_t)f & ((1u << bits) - 1);
}

uint32_t icnt_partition(uint64_t addr, const struct icnt_map *map)
{
    const struct mem_parts *p = &map->parts;
    uint64_t turn, unit = mem_part_order(addr & ~MEM_LOCAL_BIT, p) >> p->unit_bits;
    uint64_t group = divide(&p->n, unit, &turn);

    if (map->fold_bits != 0) {
        turn = remainder_of(&p->n, turn + fold(group, map->fold_bits));
    }
    return (uint32_t)turn;
}

/* ---- packets ---- */

static uint32_t flits(const struct net *n, const struct mem_line *t)
{
    bool data =
        n->by_address ? t->op != MEM_LOAD : t->op == MEM_LOAD || t->op == MEM_ATOM;

    return 1 + (data ? n->data_flits[mem_sector_count(t->sectors)] : 0);
}

static uint32_t output_of(const struct net *n, const struct mem_line *t)
{
    return n->by_address ? icnt_partition(t->addr, &n->map) : t->sm;
}

static void want(struct net *n, uint32_t i, uint32_t o)
{
    n->output[o].n_wanting++;
    set_add(n->output[o].want, i);
    set_add(n->wanted, o);
}

/* Look at the head of input i, which has arrived: which output does it want? */
static void look(struct net *n, uint32_t i)
{
    n->heads++;
    set_remove(n->fresh, i);
    want(n, i, output_of(n, mem_first(&n->in[i])));
}

/* Take what has arrived at input i and finds room; it waits with others that want the
 * same output. What finds none stays in the queue, and the input fresh. */
static void sort(struct net *n, uint32_t i, sim_cycle_t now)
{
    while (n->n_sorted[i] < n->sorted && mem_has_arrived(&n->in[i], now)) {
        struct mem_line *t = sim_take_head(&n->in[i], now);
        uint32_t o = output_of(n, t);
        struct mem_lines *l = &n->list[(size_t)i * n->n_out + o];

        if (l->first == NULL) {
            want(n, i, o);
        }
        mem_lines_append(l, t);
        n->n_sorted[i]++;
        n->heads++;
    }
    if (n->in[i].held == 0) {
        set_remove(n->fresh, i);
    }
}

/* Look at the heads that have arrived since the last time. */
static void look_all(struct net *n, sim_cycle_t now)
{
    for (uint32_t k = 0; k < n->in_words; k++) {
        for (uint64_t m = n->fresh[k]; m != 0; m &= m - 1) {
            uint32_t i = 64 * k + attr_lowest_bit(m);

            if (!mem_has_arrived(&n->in[i], now)) {
                continue;
            }
            if (n->sorted != 0) {
                sort(n, i, now);
            } else {
                look(n, i);
            }
        }
    }
}

/* The packet of input i that output o may have leaves it now. */
static struct mem_line *leave(struct net *n, uint32_t i, uint32_t o, sim_cycle_t now)
{
    struct output *to = &n->output[o];
    struct mem_line *t;
    bool more = false;

    if (n->sorted != 0) {
        struct mem_lines *l = &n->list[(size_t)i * n->n_out + o];

        t = mem_lines_take(l);
        n->n_sorted[i]--;
        more = l->first != NULL;
    } else {
        t = sim_take_head(&n->in[i], now);
        if (n->in[i].held != 0) {
            set_add(n->fresh, i);
        }
    }
    n->heads--;
    if (more) {
        return t;
    }
    set_remove(to->want, i);
    if (--to->n_wanting == 0) {
        set_remove(n->wanted, o);
    }
    return t;
}

/* The packet of input i that output o wants, which stays. */
static const struct mem_line *wanted(const struct net *n, uint32_t i, uint32_t o)
{
    return n->sorted != 0 ? n->list[(size_t)i * n->n_out + o].first
                          : mem_first(&n->in[i]);
}

/* The packet whose turn it is goes to output o, which is free. *from is its input,
 * whose next packet moves at the next edge. False: the receiver has no room. */
static bool move(struct net *n, uint32_t o, sim_cycle_t now, uint32_t *from)
{
    struct output *to = &n->output[o];
    uint32_t i = set_next(to->want, n->in_words, to->turn), places = 1;
    struct mem_line *t;

    if (n->places != 0) {
        places = mem_places(wanted(n, i, o), n->places, n->queue);
    }
    if (sim_out_credits(&n->out[o]) < places) {
        sim_out_wait(&n->out[o]);
        return false;
    }
    t = leave(n, i, o, now);
    to->free_at = now + flits(n, t);
    to->turn = i + 1 == n->n_in ? 0 : i + 1;
    if (places > 1) {
        sim_send_wide(&n->out[o], t, 0, places);
    } else {
        sim_send_later(&n->out[o], t, 0);
    }
    *from = i;
    return true;
}

/* Outputs that are wanted, free and have a credit move a packet each. Returns the cycle
 * at which to look again if nothing arrives, 0: none. */
static sim_cycle_t move_all(struct net *n, sim_cycle_t now, uint32_t *moved)
{
    sim_cycle_t next = SIM_CYCLE_NONE;

    for (uint32_t k = 0; k < n->out_words; k++) {
        for (uint64_t m = n->wanted[k]; m != 0; m &= m - 1) {
            uint32_t o = 64 * k + attr_lowest_bit(m);
            struct output *to = &n->output[o];

            if (to->free_at <= now) {
                uint32_t from;

                if (!move(n, o, now, &from)) {
                    continue;
                }
                ++*moved;
                if (mem_has_arrived(&n->in[from], now)) {
                    next = now + 1;
                }
                if (to->n_wanting == 0) {
                    continue;
                }
            }
            next = to->free_at < next ? to->free_at : next;
        }
    }
    return next == SIM_CYCLE_NONE ? 0 : next;
}

/* What a step finds and moves is shown for its cycle: behind one in which something
 * moved, a step follows if somebody watches. */
static void show(void *ctx)
{
    struct net *n = ctx;
    bool over = n->n_moved != 0 && sim_here(&n->scope) > n->stepped_at;

    sim_probe_set(&n->waiting, over ? n->heads : n->n_waiting);
    sim_probe_set(&n->moved, over ? 0 : n->n_moved);
    if (n->n_moved != 0 && !over) {
        sim_notify_at(&n->slot, n->stepped_at + 1);
    }
}

/* Woken by arrivals, by an output that falls free and by returning credits. */
static void net_step(void *self)
{
    struct net *n = self;
    sim_cycle_t now = sim_here(&n->scope), next;

    look_all(n, now);
    n->n_waiting = n->heads;
    n->n_moved = 0;
    next = move_all(n, now, &n->n_moved);
    n->stepped_at = now;
    if (SIM_WATCHED(n->scope)) {
        show(n);
    }
    if (next != 0) {
        sim_notify_at(&n->slot, next);
    }
}

static void net_init(struct net *n, struct icnt *parent, const char *name,
                     const struct icnt_config *cfg, uint32_t n_in, uint32_t n_out)
{
    struct sim *sim = parent->scope.sim;
    uint64_t *want;

    n->n_in = n_in;
    n->n_out = n_out;
    n->in_words = (n_in + 63) / 64;
    n->out_words = (n_out + 63) / 64;
    for (uint32_t s = 0; s <= MEM_SECTORS; s++) {
        n->data_flits[s] =
            (uint8_t)((s * MEM_SECTOR + cfg->flit_bytes - 1) / cfg->flit_bytes);
    }
    sim_module_init(&n->scope, sim, &parent->scope, NULL, name);
    n->in = sim_alloc(sim, n_in * sizeof(n->in[0]));
    n->out = sim_alloc(sim, n_out * sizeof(n->out[0]));
    n->output = sim_alloc(sim, n_out * sizeof(n->output[0]));
    n->fresh = sim_alloc(sim, n->in_words * sizeof(n->fresh[0]));
    n->sorted = cfg->sorted;
    n->n_sorted = sim_alloc(sim, n_in * sizeof(n->n_sorted[0]));
    n->list = cfg->sorted == 0
                  ? NULL
                  : sim_alloc(sim, (size_t)n_in * n_out * sizeof(n->list[0]));
    want = sim_alloc(sim, (size_t)n_out * n->in_words * sizeof(want[0]));
    n->wanted = sim_alloc(sim, n->out_words * sizeof(n->wanted[0]));
    sim_event_init(&n->slot, sim, n->scope.clock, "slot");
    sim_process_init(&n->step, sim, name, net_step, n);
    sim_wake_on(&n->step, &n->slot);
    for (uint32_t i = 0; i < n_in; i++) {
        sim_in_init(&n->in[i], &n->scope, "in", &mem_line_proto, cfg->queue);
        sim_in_mark(&n->in[i], n->fresh, i);
        sim_wake_on(&n->step, &n->in[i].arrived);
    }
    for (uint32_t o = 0; o < n_out; o++) {
        n->output[o].want = want + (size_t)o * n->in_words;
        sim_out_init(&n->out[o], &n->scope, "out", &mem_line_proto);
        sim_wake_on(&n->step, &n->out[o].space);
    }
    sim_module_shows(&n->scope, show, n);
    sim_probe_init(&n->waiting, &n->scope, &probe_waiting, NULL, 0);
    sim_probe_init(&n->moved, &n->scope, &probe_moved, NULL, 0);
}

struct icnt *icnt_new(struct sim_module *parent, struct sim_clock *clock,
                      const struct icnt_config *cfg, const struct rules_cc *rules,
                      uint32_t n_sms, const struct mem_parts *parts)
{
    const uint32_t n_parts = (uint32_t)parts->n.d;
    struct icnt *n = sim_alloc(parent->sim, sizeof(*n));

    sim_module_init(&n->scope, parent->sim, parent, clock, "icnt");
    n->req.by_address = true;
    n->req.map = icnt_map_of(parts, rules->folds_partition);
    net_init(&n->req, n, "req", cfg, n_sms, n_parts);
    net_init(&n->rsp, n, "rsp", cfg, n_parts, n_sms);
    return n;
}

void icnt_set_places(struct icnt *n, uint32_t per_sector, uint32_t queue)
{
    n->req.places = per_sector;
    n->req.queue = queue;
}

struct sim_in *icnt_from_sm(struct icnt *n, uint32_t sm)
{
    return &n->req.in[sm];
}

struct sim_out *icnt_to_sm(struct icnt *n, uint32_t sm)
{
    return &n->rsp.out[sm];
}

struct sim_in *icnt_from_part(struct icnt *n, uint32_t part)
{
    return &n->rsp.in[part];
}

struct sim_out *icnt_to_part(struct icnt *n, uint32_t part)
{
    return &n->req.out[part];
}
