#include "mem/cbank.h"

#include <string.h>

const struct cfg_field cbank_fields[CBANK_N_FIELDS] = {
    CFG_U32(struct cbank_config, latency, 6, 48, 1000, CFG_CYCLES, 0,
            "issue of a constant load of one address to its result"),
    CFG_U32(struct cbank_config, interval, 1, 2, 64, CFG_CYCLES, 0,
            "cycles per distinct address"),
    CFG_U32(struct cbank_config, queue, 1, 4, 64, CFG_PLAIN, 0, "requests held"),
};

static const struct sim_probe_desc probe_passes = {
    "passes", SIM_PROBE_LEVEL, 6, NULL, 0, NULL, "distinct addresses of the request"};

enum { MAX_LAUNCHES = 256 };

struct cbank {
    struct sim_module scope;
    struct cbank_config cfg; /* immutable */
    struct stat_counters *stats;
    struct sim_in req;
    struct sim_out rsp;
    struct sim_event slot;
    struct sim_process step;
    struct mem_req *active; /* its passes are running */
    sim_cycle_t done_at;
    uint32_t rsp_extra;
    struct {
        const uint8_t *bytes;
        uint32_t n;
    } image[MAX_LAUNCHES];
    struct sim_probe passes;
};

/* Read the lanes' bytes; returns the number of distinct addresses. */
static uint32_t read_lanes(struct cbank *b, struct mem_req *r)
{
    const uint8_t *image = b->image[r->launch].bytes;
    uint32_t element_words = r->size <= 4 ? 1 : r->size / 4;
    uint64_t seen[PTX_LANES];
    uint32_t n = 0;

    for (uint32_t m = r->mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        uint64_t addr = r->addr[lane];
        uint32_t k = 0;

        for (uint32_t v = 0; v < r->vec; v++) {
            uint64_t value = 0;

            memcpy(&value, image + addr + v * r->size, r->size);
            r->d[v * element_words][lane] = (uint32_t)value;
            if (element_words == 2) {
                r->d[v * element_words + 1][lane] = (uint32_t)(value >> 32);
            }
        }
        while (k < n && seen[k] != addr) {
            k++;
        }
        if (k == n) {
            seen[n++] = addr;
        }
    }
    return n;
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
        sim_send_later(&b->rsp, b->active, b->rsp_extra);
        b->active = NULL;
        sim_probe_set(&b->passes, 0);
    }
    if (b->active == NULL && sim_peek(&b->req) != NULL) {
        uint32_t n;

        b->active = sim_take(&b->req);
        n = read_lanes(b, b->active);
        b->stats[b->active->launch].const_requests += n;
        sim_probe_set(&b->passes, n);
        b->done_at = now + (sim_cycle_t)n * b->cfg.interval;
    }
    if (b->active != NULL && !sim_pending(&b->slot)) {
        sim_notify_at(&b->slot, b->done_at);
    }
}

struct cbank *cbank_new(struct sim_module *parent, const struct cbank_config *cfg,
                        uint32_t hops, struct stat_counters *stats)
{
    struct sim *sim = parent->sim;
    struct cbank *b = sim_alloc(sim, sizeof(*b));

    hops += cfg->interval;
    b->cfg = *cfg;
    b->stats = stats;
    b->rsp_extra = cfg->latency > hops ? cfg->latency - hops : 0;
    sim_module_init(&b->scope, sim, parent, NULL, "cbank");
    sim_in_init(&b->req, &b->scope, "req", &mem_req_proto, cfg->queue);
    sim_out_init(&b->rsp, &b->scope, "rsp", &mem_req_proto);
    sim_event_init(&b->slot, sim, b->scope.clock, "slot");
    sim_process_init(&b->step, sim, "cbank", cbank_step, b);
    sim_wake_on(&b->step, &b->req.arrived);
    sim_wake_on(&b->step, &b->slot);
    sim_wake_on(&b->step, &b->rsp.space);
    sim_probe_init(&b->passes, &b->scope, &probe_passes, NULL, 0);
    return b;
}

struct sim_in *cbank_req(struct cbank *b)
{
    return &b->req;
}

struct sim_out *cbank_rsp(struct cbank *b)
{
    return &b->rsp;
}

void cbank_image(struct cbank *b, uint32_t launch, const uint8_t *image, uint32_t bytes)
{
    SIM_REQUIRE(b->scope.sim, launch < MAX_LAUNCHES, "cbank_image");
    b->image[launch].bytes = image;
    b->image[launch].n = bytes;
}
