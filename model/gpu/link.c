#include "gpu/link.h"

static const struct cfg_field fields[] = {
    {.name = "link.latency",
     .type = CFG_TYPE_U64,
     .unit = CFG_PS,
     .offset = offsetof(struct link_config, latency),
     .def = 5000000,
     .max = 1000000000000,
     .doc = "copy between host and device to its first byte",
     .rule = "LINK-1"},
    {.name = "link.down_latency",
     .type = CFG_TYPE_U64,
     .unit = CFG_PS,
     .offset = offsetof(struct link_config, down_latency),
     .max = 1000000000000,
     .doc = "the same of a copy to the host (0: as link.latency)",
     .rule = "LINK-1"},
    {.name = "link.unpinned_latency",
     .type = CFG_TYPE_U64,
     .unit = CFG_PS,
     .offset = offsetof(struct link_config, unpinned_latency),
     .max = 1000000000000,
     .doc = "the same to the device, of memory that is not pinned (0: as link.latency)",
     .rule = "LINK-1"},
    {.name = "link.unpinned_down_latency",
     .type = CFG_TYPE_U64,
     .unit = CFG_PS,
     .offset = offsetof(struct link_config, unpinned_down_latency),
     .max = 1000000000000,
     .doc =
         "the same to the host, to memory that is not pinned (0: as link.down_latency)",
     .rule = "LINK-1"},
    {.name = "link.up",
     .type = CFG_TYPE_U64,
     .unit = CFG_RATE,
     .offset = offsetof(struct link_config, up),
     .min = 1000000,
     .def = 5700000000,
     .max = 1000000000000000,
     .doc = "bytes to the device, of pinned memory",
     .rule = "LINK-1"},
    {.name = "link.down",
     .type = CFG_TYPE_U64,
     .unit = CFG_RATE,
     .offset = offsetof(struct link_config, down),
     .min = 1000000,
     .def = 5700000000,
     .max = 1000000000000000,
     .doc = "bytes to the host, of pinned memory",
     .rule = "LINK-1"},
    {.name = "link.unpinned_up",
     .type = CFG_TYPE_U64,
     .unit = CFG_RATE,
     .offset = offsetof(struct link_config, unpinned_up),
     .def = 3900000000,
     .max = 1000000000000000,
     .doc = "bytes to the device, of memory that is not pinned (0: as pinned)",
     .rule = "LINK-1"},
    {.name = "link.unpinned_down",
     .type = CFG_TYPE_U64,
     .unit = CFG_RATE,
     .offset = offsetof(struct link_config, unpinned_down),
     .def = 3900000000,
     .max = 1000000000000000,
     .doc = "bytes to the host, of memory that is not pinned (0: as pinned)",
     .rule = "LINK-1"},
    {.name = "link.engines",
     .type = CFG_TYPE_U32,
     .unit = CFG_PLAIN,
     .offset = offsetof(struct link_config, engines),
     .def = 1,
     .max = 2,
     .doc = "copies between host and device at a time (0: and no kernel beside one)",
     .rule = "LINK-2"},
    {.name = "device.latency",
     .type = CFG_TYPE_U64,
     .unit = CFG_PS,
     .offset = offsetof(struct link_config, device_latency),
     .def = 4000000,
     .max = 1000000000000,
     .doc = "copy or fill inside the device to its first byte",
     .rule = "LINK-3"},
    {.name = "device.cached",
     .type = CFG_TYPE_U64,
     .unit = CFG_RATE,
     .offset = offsetof(struct link_config, device_cached),
     .max = 1000000000000000,
     .doc = "bytes read and written by those that the L2 holds (0: as the DRAM)",
     .rule = "LINK-3"},
    {.name = "device.efficiency",
     .type = CFG_TYPE_U32,
     .unit = CFG_PERCENT,
     .offset = offsetof(struct link_config, device_efficiency),
     .min = 1,
     .def = 80,
     .max = 100,
     .doc =
         "copies and fills inside the device, of what the DRAM's data buses can move",
     .rule = "LINK-3"},
};
const struct cfg_table link_keys = CFG_TABLE(fields);

/* ---- probes ---- */

static const struct sim_probe_desc probe_busy = {
    .name = "busy",
    .kind = SIM_PROBE_BITS,
    .width = 1,
    .doc = "a transfer is under way",
    .views = "scheduler",
};
static const struct sim_probe_desc probe_stream = {
    .name = "stream",
    .kind = SIM_PROBE_UINT,
    .width = 32,
    .doc = "stream of the latest transfer",
    .views = "scheduler",
};
static const struct sim_probe_desc probe_bytes = {
    .name = "bytes",
    .kind = SIM_PROBE_UINT,
    .width = 64,
    .doc = "of the latest transfer; inside the device, those read and written",
    .unit = "bytes",
    .views = "scheduler",
};
static const struct sim_probe_desc probe_start = {
    .name = "start",
    .kind = SIM_PROBE_EVENT,
    .doc = "a transfer begins",
    .views = "scheduler",
};
static const struct sim_probe_desc probe_end = {
    .name = "end",
    .kind = SIM_PROBE_EVENT,
    .doc = "a transfer ends",
    .views = "scheduler",
};

struct way {
    struct sim_module scope;
    struct sim_event end;
    struct link_job job; /* the latest */
    sim_time_t ends_at;  /* SIM_TIME_MAX: none is under way */
    bool began;          /* since the last step */
    struct sim_probe p_busy, p_stream, p_bytes, p_start, p_end;
};

struct link {
    struct link_config cfg;
    struct sim *sim;
    struct sim_clock *clock;
    uint64_t dram_peak;
    struct sim_module scope;
    struct sim_process step;
    struct sim_event changed; /* for who watches */
    struct way way[LINK_WAYS];
};

static void show(void *ctx)
{
    struct way *w = ctx;

    sim_probe_set(&w->p_busy, w->ends_at != SIM_TIME_MAX);
    sim_probe_set(&w->p_stream, w->job.stream);
    sim_probe_set(&w->p_bytes, w->job.bytes);
}

static void tell(const struct link *l, struct way *w)
{
    show(w);
    if (w->began) {
        sim_probe_fire(&w->p_start);
    } else if (w->ends_at == sim_now(l->sim)) {
        sim_probe_fire(&w->p_end);
    }
}

/* Woken when a job ends, so that there is an instant then, and when one has begun or
 * was forgotten, for who watches. */
static void link_step(void *self)
{
    struct link *l = self;

    for (uint32_t i = 0; i < LINK_WAYS; i++) {
        struct way *w = &l->way[i];

        if (SIM_WATCHED(w->scope)) {
            tell(l, w);
        }
        w->began = false;
    }
}

static void add_scopes(struct link *l, struct sim_module *parent)
{
    static const char *const names[LINK_WAYS] = {"up", "down", "device"};

    sim_module_init(&l->scope, l->sim, parent, l->clock, "host");
    for (uint32_t i = 0; i < LINK_WAYS; i++) {
        struct way *w = &l->way[i];

        sim_module_init(&w->scope, l->sim, &l->scope, NULL, names[i]);
        sim_module_shows(&w->scope, show, w);
        sim_probe_init(&w->p_busy, &w->scope, &probe_busy, NULL, 0);
        sim_probe_init(&w->p_stream, &w->scope, &probe_stream, NULL, 0);
        sim_probe_init(&w->p_bytes, &w->scope, &probe_bytes, NULL, 0);
        sim_probe_init(&w->p_start, &w->scope, &probe_start, NULL, 0);
        sim_probe_init(&w->p_end, &w->scope, &probe_end, NULL, 0);
    }
}

struct link *link_new(struct sim_module *parent, struct sim_clock *clock,
                      const struct link_config *cfg, uint64_t dram_peak, bool shown)
{
    struct sim *sim = parent->sim;
    struct link *l = sim_alloc(sim, sizeof(*l));

    l->cfg = *cfg;
    l->sim = sim;
    l->clock = clock;
    l->dram_peak = dram_peak;
    sim_process_init(&l->step, sim, "link", link_step, l);
    sim_event_init(&l->changed, sim, clock, "changed");
    sim_wake_on(&l->step, &l->changed);
    for (uint32_t i = 0; i < LINK_WAYS; i++) {
        l->way[i].ends_at = SIM_TIME_MAX;
        sim_event_init(&l->way[i].end, sim, clock, "end");
        sim_wake_on(&l->step, &l->way[i].end);
    }
    if (shown) {
        add_scopes(l, parent);
    }
    return l;
}

/* ---- times ---- */

/* bytes x 10^12 / rate, rounded up, without 128 bits: the rest of a division is carried
 * on by three decimal places at a time. */
sim_time_t link_time(uint64_t bytes, uint64_t rate)
{
    uint64_t ps = bytes / rate, rest = bytes % rate;

    for (uint32_t i = 0; i < 4; i++) {
        ps = ps * 1000 + rest * 1000 / rate;
        rest = rest * 1000 % rate;
    }
    return ps + (rest != 0);
}

static uint64_t rate_of(const struct link *l, const struct link_job *job)
{
    const struct link_config *c = &l->cfg;
    uint64_t rate = job->way == LINK_UP ? c->up : c->down;
    uint64_t unpinned = job->way == LINK_UP ? c->unpinned_up : c->unpinned_down;

    if (job->way == LINK_DEVICE && job->cached && c->device_cached != 0) {
        return c->device_cached;
    }
    if (job->way == LINK_DEVICE) {
        rate = l->dram_peak / 100 * c->device_efficiency;
        return rate == 0 ? 1 : rate;
    }
    return job->pinned || unpinned == 0 ? rate : unpinned;
}

sim_time_t link_duration(const struct link *l, const struct link_job *job)
{
    const struct link_config *c = &l->cfg;
    sim_time_t latency = job->way == LINK_DEVICE ? c->device_latency : c->latency;

    if (job->fixed != 0) {
        return job->fixed;
    }
    if (job->way == LINK_DOWN && c->down_latency != 0) {
        latency = c->down_latency;
    }
    if (job->way == LINK_UP && !job->pinned && c->unpinned_latency != 0) {
        latency = c->unpinned_latency;
    }
    if (job->way == LINK_DOWN && !job->pinned && c->unpinned_down_latency != 0) {
        latency = c->unpinned_down_latency;
    }
    return latency + job->more + link_time(job->bytes, rate_of(l, job));
}

/* ---- jobs ---- */

static bool is_busy(const struct link *l, enum link_way way)
{
    return l->way[way].ends_at != SIM_TIME_MAX;
}

bool link_ready(const struct link *l, enum link_way way)
{
    if (way != LINK_DEVICE && l->cfg.engines < 2) {
        return !is_busy(l, LINK_UP) && !is_busy(l, LINK_DOWN);
    }
    return !is_busy(l, way);
}

static void changed(struct link *l, enum link_way way)
{
    if (SIM_WATCHED(l->way[way].scope)) {
        sim_notify_delta(&l->changed);
    }
}

void link_begin(struct link *l, const struct link_job *job)
{
    struct way *w = &l->way[job->way];
    sim_time_t now = sim_now(l->sim), end = now + link_duration(l, job);
    sim_cycle_t cycle = sim_cycle_of(l->clock, end);

    if (sim_edge(l->clock, cycle) < end || cycle <= sim_cycle(l->clock)) {
        cycle++;
    }
    w->job = *job;
    w->ends_at = sim_edge(l->clock, cycle);
    w->began = true;
    sim_notify_at(&w->end, cycle);
    changed(l, job->way);
}

sim_time_t link_next(const struct link *l)
{
    sim_time_t next = SIM_TIME_MAX;

    for (uint32_t i = 0; i < LINK_WAYS; i++) {
        next = l->way[i].ends_at < next ? l->way[i].ends_at : next;
    }
    return next;
}

bool link_done(struct link *l, enum link_way way)
{
    struct way *w = &l->way[way];

    if (!is_busy(l, way) || sim_now(l->sim) < w->ends_at) {
        return false;
    }
    w->ends_at = SIM_TIME_MAX;
    changed(l, way);
    return true;
}
