#include "mem/icnt.h"

#include "base/bits.h"

static const char *const interleave_names[] = {"capability", "round_robin", "fold"};

const struct cfg_field icnt_fields[ICNT_N_FIELDS] = {
    CFG_U64(struct icnt_config, clock, 1000000, 700000000, 10000000000, CFG_HZ, 0,
            "clock of the interconnect"),
    CFG_U32(struct icnt_config, latency, 1, 50, 1000, CFG_CYCLES, 0,
            "input to output, each way"),
    CFG_U32(struct icnt_config, flit_bytes, 8, 32, 128, CFG_BYTES, CFG_POW2,
            "data bytes an output moves per cycle"),
    CFG_U32(struct icnt_config, queue, 1, 8, 256, CFG_PLAIN, 0,
            "packets an input holds"),
    CFG_CHOICE(struct icnt_config, interleave, interleave_names, ICNT_AS_CAPABILITY,
               "how 256-byte units are dealt to the partitions"),
};

static const struct sim_probe_desc probe_waiting = {
    "waiting", SIM_PROBE_LEVEL, 10, NULL, 0, NULL, "packets at the inputs"};
static const struct sim_probe_desc probe_moved = {
    "moved", SIM_PROBE_UINT, 8, NULL, 0, NULL, "packets that began to move this cycle"};

struct net { /* one direction */
    struct sim_module scope;
    struct icnt_config cfg;
    uint32_t n_in, n_out;
    struct sim_in *in;
    struct sim_out *out;
    sim_cycle_t *free_at; /* of each output */
    uint32_t *turn;       /* of each output: the input after the last served */
    uint32_t *wanted;     /* scratch: of each input, the output its head wants */
    bool by_address;      /* requests; answers go by SM */
    bool folds;           /* SPEC PART-1 */
    struct sim_event slot;
    struct sim_process step;
    struct sim_probe waiting, moved;
};

struct icnt {
    struct sim_module scope;
    struct net req, rsp;
};

enum { NOTHING = UINT32_MAX };

void icnt_adapt_rules(const struct icnt_config *cfg, struct rules_cc *rules)
{
    switch ((enum icnt_interleave)cfg->interleave) {
    case ICNT_AS_CAPABILITY: break;
    case ICNT_ROUND_ROBIN: rules->folds_partition = false; break;
    case ICNT_FOLD: rules->folds_partition = true; break;
    }
}

/* XOR of the digits of v, each as wide as it takes to number n things. */
static uint32_t fold(uint64_t v, uint32_t n)
{
    uint32_t bits = n == 1 ? 1 : 32 - (uint32_t)__builtin_clz(n - 1);
    uint64_t f = 0;

    for (; v != 0; v >>= bits) {
        f ^= v;
    }
    return (uint32_t)f & ((1u << bits) - 1);
}

uint32_t icnt_partition(uint64_t addr, uint32_t n_parts, bool folds)
{
    uint64_t unit = (addr & ~MEM_LOCAL_BIT) / MEM_UNIT;
    uint64_t group = unit / n_parts;
    uint32_t turn = (uint32_t)(unit % n_parts);

    return folds ? (turn + fold(group, n_parts)) % n_parts : turn;
}

static uint32_t flits(const struct net *n, const struct mem_line *t)
{
    bool data =
        n->by_address ? t->op != MEM_LOAD : t->op == MEM_LOAD || t->op == MEM_ATOM;
    uint32_t bytes = bits_count(t->sectors) * MEM_SECTOR;

    return 1 + (data ? (bytes + n->cfg.flit_bytes - 1) / n->cfg.flit_bytes : 0);
}

/* What each input's head wants; returns how many inputs have one. */
static uint32_t look(struct net *n)
{
    uint32_t heads = 0;

    for (uint32_t i = 0; i < n->n_in; i++) {
        const struct mem_line *t = sim_peek(&n->in[i]);

        n->wanted[i] = NOTHING;
        if (t != NULL) {
            n->wanted[i] =
                n->by_address ? icnt_partition(t->addr, n->n_out, n->folds) : t->sm;
            heads++;
        }
    }
    return heads;
}

/* The input that output o serves next, NOTHING if none wants it. */
static uint32_t pick(const struct net *n, uint32_t o)
{
    for (uint32_t k = 0, i = n->turn[o]; k < n->n_in;
         k++, i = i + 1 == n->n_in ? 0 : i + 1) {
        if (n->wanted[i] == o) {
            return i;
        }
    }
    return NOTHING;
}

/* Woken by arrivals, by an output that falls free and by returning credits. */
static void net_step(void *self)
{
    struct net *n = self;
    sim_cycle_t now = sim_here(&n->scope);
    sim_cycle_t next = 0;
    uint32_t heads = look(n);
    uint32_t moved = 0;
    uint64_t asked = 0; /* outputs looked at, for up to 64 of them */

    sim_probe_set(&n->waiting, heads);
    for (uint32_t i = 0; i < n->n_in && heads != 0; i++) {
        uint32_t o = n->wanted[i];
        uint32_t from;
        struct mem_line *t;

        if (o == NOTHING || (o < 64 && (asked >> o & 1u) != 0)) {
            continue;
        }
        asked |= o < 64 ? 1ull << o : 0;
        if (n->free_at[o] > now) {
            next = next == 0 || n->free_at[o] < next ? n->free_at[o] : next;
            continue;
        }
        if (!sim_out_ready(&n->out[o])) {
            sim_out_wait(&n->out[o]);
            continue;
        }
        from = pick(n, o);
        t = sim_take(&n->in[from]);
        n->free_at[o] = now + flits(n, t);
        n->turn[o] = from + 1 == n->n_in ? 0 : from + 1;
        n->wanted[from] = NOTHING; /* its next packet moves at the next edge */
        sim_send_later(&n->out[o], t, 0);
        moved++;
        next = now + 1;
    }
    sim_probe_set(&n->moved, moved);
    if (next != 0) {
        sim_notify_at(&n->slot, next);
    } else if (n->moved.watched && moved != 0) {
        sim_notify_cycles(&n->slot, 1);
    }
}

static void net_init(struct net *n, struct icnt *parent, const char *name,
                     const struct icnt_config *cfg, uint32_t n_in, uint32_t n_out)
{
    struct sim *sim = parent->scope.sim;

    n->cfg = *cfg;
    n->n_in = n_in;
    n->n_out = n_out;
    sim_module_init(&n->scope, sim, &parent->scope, NULL, name);
    n->in = sim_alloc(sim, n_in * sizeof(n->in[0]));
    n->wanted = sim_alloc(sim, n_in * sizeof(n->wanted[0]));
    n->out = sim_alloc(sim, n_out * sizeof(n->out[0]));
    n->free_at = sim_alloc(sim, n_out * sizeof(n->free_at[0]));
    n->turn = sim_alloc(sim, n_out * sizeof(n->turn[0]));
    sim_event_init(&n->slot, sim, n->scope.clock, "slot");
    sim_process_init(&n->step, sim, name, net_step, n);
    sim_wake_on(&n->step, &n->slot);
    for (uint32_t i = 0; i < n_in; i++) {
        sim_in_init(&n->in[i], &n->scope, "in", &mem_line_proto, cfg->queue);
        sim_wake_on(&n->step, &n->in[i].arrived);
    }
    for (uint32_t o = 0; o < n_out; o++) {
        sim_out_init(&n->out[o], &n->scope, "out", &mem_line_proto);
        sim_wake_on(&n->step, &n->out[o].space);
    }
    sim_probe_init(&n->waiting, &n->scope, &probe_waiting, NULL, 0);
    sim_probe_init(&n->moved, &n->scope, &probe_moved, NULL, 0);
}

struct icnt *icnt_new(struct sim_module *parent, struct sim_clock *clock,
                      const struct icnt_config *cfg, const struct rules_cc *rules,
                      uint32_t n_sms, uint32_t n_parts)
{
    struct icnt *n = sim_alloc(parent->sim, sizeof(*n));

    sim_module_init(&n->scope, parent->sim, parent, clock, "icnt");
    n->req.by_address = true;
    n->req.folds = rules->folds_partition;
    net_init(&n->req, n, "req", cfg, n_sms, n_parts);
    net_init(&n->rsp, n, "rsp", cfg, n_parts, n_sms);
    return n;
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
