#include "mem/cbank.h"

#include <string.h>

static const struct cfg_field cbank_fields[] = {
    CFG_U32(struct cbank_config, latency, 6, 48, 1000, CFG_CYCLES, 0,
            "issue of a constant load of one address that hits to its result",
            "CONST-1"),
    CFG_U32(struct cbank_config, interval, 1, 2, 64, CFG_CYCLES, 0,
            "cycles per distinct address", "CONST-1"),
    CFG_U32(struct cbank_config, queue, 1, 4, 64, CFG_PLAIN, 0, "requests held",
            "QUEUE-1"),
    CFG_U32(struct cbank_config, size, 0, 0, 1u << 20, CFG_BYTES, 0,
            "constant cache, level 1; 0: every access hits", "CONST-2"),
    CFG_U32(struct cbank_config, line, 16, 64, 1024, CFG_BYTES, CFG_POW2,
            "bytes of a line, both levels", "CONST-2"),
    CFG_U32(struct cbank_config, ways, 1, 4, 64, CFG_PLAIN, 0,
            "lines of a set, both levels", "CONST-2"),
    CFG_U32(struct cbank_config, l15_size, 0, 0, 1u << 20, CFG_BYTES, 0,
            "constant cache, level 1.5; 0: there is none", "CONST-2"),
    CFG_U32(struct cbank_config, l15_latency, 6, 90, 2000, CFG_CYCLES, 0,
            "as latency, of what level 1.5 has", "CONST-2"),
    CFG_U32(struct cbank_config, miss_latency, 6, 250, 4000, CFG_CYCLES, 0,
            "as latency, of what neither level has", "CONST-2"),
};
const struct cfg_table cbank_keys = CFG_TABLE(cbank_fields);

static const struct sim_probe_desc probe_passes = {
    .name = "passes",
    .kind = SIM_PROBE_LEVEL,
    .width = 6,
    .doc = "distinct addresses of the request",
    .unit = "passes",
    .views = "memory",
};
static const struct sim_probe_desc probe_miss = {
    .name = "miss",
    .kind = SIM_PROBE_EVENT,
    .doc = "an address was not in level 1",
    .role = SIM_ROLE_BAD,
    .views = "memory",
};

enum { MAX_LAUNCHES = 256 };

struct tag {
    const uint8_t *image; /* of which module; NULL: empty */
    uint64_t line;        /* number in the image */
    uint64_t used;        /* when last looked up, for replacement */
};

struct level {
    struct tag *tag; /* set after set */
    uint32_t n_sets, ways;
    uint64_t clock; /* counts look-ups */
};

struct cbank {
    struct sim_module scope;
    struct cbank_config cfg; /* immutable */
    struct cbank_env env;
    struct sim_in req;
    struct sim_out rsp;
    struct sim_event slot;
    struct sim_process step;
    struct mem_req *active; /* its passes are running */
    uint32_t n_passes;      /* of it */
    sim_cycle_t done_at;    /* they end */
    sim_cycle_t due_at;     /* its answer leaves, and none before */
    struct level l1, l15;
    const uint8_t *image[MAX_LAUNCHES];
    struct sim_probe passes, miss;
};

/* ---- caches (SPEC CONST-2) ---- */

static void level_init(struct level *l, struct sim *sim, uint32_t bytes,
                       const struct cbank_config *cfg)
{
    l->ways = cfg->ways;
    l->n_sets = bytes / cfg->line / cfg->ways;
    l->tag = sim_alloc(sim, (size_t)l->n_sets * l->ways * sizeof(l->tag[0]));
}

static void level_forget(struct level *l)
{
    if (l->clock == 0) {
        return; /* nothing was looked up since: launches without constants are free */
    }
    memset(l->tag, 0, l->n_sets * l->ways * sizeof(l->tag[0]));
    l->clock = 0;
}

/* Is the line there? It is afterwards, in the place of the least recently used. */
static bool look_up(struct level *l, const uint8_t *image, uint64_t line)
{
    struct tag *set, *victim;

    if (l->n_sets == 0) {
        return false;
    }
    set = &l->tag[line % l->n_sets * l->ways];
    victim = set;
    l->clock++;
    for (uint32_t i = 0; i < l->ways; i++) {
        if (set[i].image == image && set[i].line == line) {
            set[i].used = l->clock;
            return true;
        }
        victim = set[i].used < victim->used ? &set[i] : victim; /* empty: 0 */
    }
    *victim = (struct tag){.image = image, .line = line, .used = l->clock};
    return false;
}

/* Look up every address; the latency of the farthest level. */
static uint32_t find_all(struct cbank *b, const struct mem_req *r,
                         const uint64_t addr[ISA_LANES], uint32_t n)
{
    struct smw_counters *s = &b->env.stats[r->launch];
    const uint8_t *image = b->image[r->launch];
    uint32_t latency = b->cfg.latency;

    if (b->l1.n_sets == 0) {
        s->const_hits += n;
        return latency;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint64_t line = addr[i] / b->cfg.line;
        uint32_t far;

        if (look_up(&b->l1, image, line)) {
            s->const_hits++;
            continue;
        }
        s->const_misses++;
        sim_probe_fire(&b->miss);
        far = look_up(&b->l15, image, line) ? b->cfg.l15_latency : b->cfg.miss_latency;
        latency = far > latency ? far : latency;
    }
    return latency;
}

/* ---- requests ---- */

static void read_lanes(const struct cbank *b, struct mem_req *r)
{
    const uint8_t *image = b->image[r->launch];
    uint32_t element_words = r->size <= 4 ? 1 : r->size / 4;

    for (uint32_t m = r->mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);

        for (uint32_t v = 0; v < r->vec; v++) {
            uint64_t value = 0;

            memcpy(&value, image + r->addr[lane] + v * r->size, r->size);
            r->d[v * element_words][lane] = (uint32_t)value;
            if (element_words == 2) {
                r->d[v * element_words + 1][lane] = (uint32_t)(value >> 32);
            }
        }
    }
}

static void tell(struct cbank *b, const struct mem_req *r, uint32_t n)
{
    struct mem_planned p;

    mem_planned_of(&p, r, b->env.sm, sim_here(&b->scope));
    p.requests = n;
    sim_raise(b->env.planned, &b->scope, &p, sizeof(p));
}

/* Cycles on the way that are no waiting: ports, and the first pass. */
static uint32_t hops(const struct cbank *b)
{
    return b->env.hops + b->cfg.interval;
}

/* Take the next request and begin its passes. */
static void start(struct cbank *b, sim_cycle_t now)
{
    struct mem_req *r = sim_take(&b->req);
    struct rules_access a = {.op = r->op,
                             .bytes = (uint8_t)(r->size * r->vec),
                             .mask = r->mask,
                             .addr = r->addr};
    uint64_t addr[ISA_LANES];
    uint32_t n = rules_const_addrs(b->env.rules, &a, addr);
    uint32_t latency = find_all(b, r, addr, n);
    sim_cycle_t due;

    b->active = r;
    read_lanes(b, r);
    b->env.stats[r->launch].const_requests += n;
    if (b->env.planned != NULL && sim_heard(b->env.planned)) {
        tell(b, r, n);
    }
    b->n_passes = n;
    b->done_at = now + (sim_cycle_t)n * b->cfg.interval;
    due = b->done_at + (latency > hops(b) ? latency - hops(b) : 0);
    b->due_at = due > b->due_at ? due : b->due_at;
}

static void show(void *ctx)
{
    struct cbank *b = ctx;

    sim_probe_set(&b->passes, b->active != NULL ? b->n_passes : 0);
}

/* Woken by req.arrived, slot and rsp.space. */
static void cbank_step(void *self)
{
    struct cbank *b = self;
    sim_cycle_t now = sim_here(&b->scope);

    if (b->active != NULL && now >= b->done_at) {
        if (!sim_out_ready(&b->rsp)) {
            sim_out_wait(&b->rsp);
            return;
        }
        b->due_at = b->due_at > now ? b->due_at : now;
        sim_send_later(&b->rsp, b->active, (uint32_t)(b->due_at - now));
        b->active = NULL;
    }
    if (b->active == NULL && sim_peek(&b->req) != NULL) {
        start(b, now);
    }
    if (b->active != NULL && !sim_pending(&b->slot)) {
        sim_notify_at(&b->slot, b->done_at);
    }
    if (SIM_WATCHED(b->scope)) {
        show(b);
    }
}

/* ---- construction ---- */

struct cbank *cbank_new(struct sim_module *parent, const struct cbank_config *cfg,
                        const struct cbank_env *env)
{
    struct sim *sim = parent->sim;
    struct cbank *b = sim_alloc(sim, sizeof(*b));

    b->cfg = *cfg;
    b->env = *env;
    level_init(&b->l1, sim, cfg->size, cfg);
    level_init(&b->l15, sim, cfg->l15_size, cfg);
    sim_module_init(&b->scope, sim, parent, NULL, "cbank");
    sim_in_init(&b->req, &b->scope, "req", &mem_req_proto, cfg->queue);
    sim_out_init(&b->rsp, &b->scope, "rsp", &mem_req_proto);
    sim_event_init(&b->slot, sim, b->scope.clock, "slot");
    sim_process_init(&b->step, sim, "cbank", cbank_step, b);
    sim_wake_on(&b->step, &b->req.arrived);
    sim_wake_on(&b->step, &b->slot);
    sim_wake_on(&b->step, &b->rsp.space);
    sim_module_shows(&b->scope, show, b);
    sim_probe_init(&b->passes, &b->scope, &probe_passes, NULL, 0);
    sim_probe_init(&b->miss, &b->scope, &probe_miss, NULL, 0);
    return b;
}

bool cbank_is_idle(const struct cbank *b)
{
    return b->active == NULL && b->req.held == 0;
}

struct sim_in *cbank_req(struct cbank *b)
{
    return &b->req;
}

struct sim_out *cbank_rsp(struct cbank *b)
{
    return &b->rsp;
}

uint32_t cbank_longest(const struct cbank_config *cfg)
{
    uint32_t longest = cfg->latency;

    if (cfg->size != 0) {
        longest = cfg->l15_latency > longest ? cfg->l15_latency : longest;
        longest = cfg->miss_latency > longest ? cfg->miss_latency : longest;
    }
    return longest;
}

void cbank_image(struct cbank *b, uint32_t launch, const uint8_t *image)
{
    SIM_REQUIRE(b->scope.sim, launch < MAX_LAUNCHES, "cbank_image");
    b->image[launch] = image;
}

void cbank_forget(struct cbank *b)
{
    level_forget(&b->l1);
    level_forget(&b->l15);
}
