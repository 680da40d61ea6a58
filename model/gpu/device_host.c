#include "gpu/device_priv.h"

static const struct host_config *costs(const struct smw_device *d)
{
    return &d->gpu.cfg.host;
}

/* ---- the host's calls ---- */

static uint64_t cost_of(const struct smw_device *d, enum smw_host_call what)
{
    const struct host_config *c = costs(d);

    switch (what) {
    case SMW_HOST_MODULE: return c->call.module;
    case SMW_HOST_FIRST: return c->call.first;
    case SMW_HOST_LAUNCH: return c->call.launch;
    case SMW_HOST_GRAPH: return c->call.graph;
    case SMW_HOST_NODE: return c->call.graph_node;
    case SMW_HOST_COPY: return c->call.copy;
    case SMW_HOST_INSIDE: return c->call.inside;
    case SMW_HOST_FILL: return c->call.fill;
    case SMW_HOST_RECORD: return c->call.record;
    case SMW_HOST_WAIT: return c->call.wait;
    case SMW_HOST_SYNC: return c->call.sync;
    }
    return 0;
}

void smw_host_call(struct smw_device *d, enum smw_host_call what)
{
    struct host *h;
    sim_time_t now;

    if (d == NULL) {
        return;
    }
    h = &d->host;
    now = sim_now(d->gpu.sim);
    h->runs = true;
    h->in_graph = what == SMW_HOST_GRAPH || what == SMW_HOST_NODE;
    h->at += h->owed;
    h->owed = 0;
    if (what == SMW_HOST_SYNC && h->at < now) { /* it has waited */
        h->at = now + costs(d)->wake;
        return;
    }
    h->at = (h->at < now ? now : h->at) + cost_of(d, what);
    if (what == SMW_HOST_RECORD && !h->recorded) {
        h->recorded = true;
        h->owed = costs(d)->call.first_record;
    }
}

uint64_t device_ready(const struct smw_device *d)
{
    return d->host.runs ? d->host.at + costs(d)->submit : 0;
}

/* ---- the device's front end ---- */

bool device_is_ready(const struct smw_device *d, uint32_t item)
{
    return d->task[item].ready_ps <= sim_now(d->gpu.sim);
}

uint64_t device_fixed_time(const struct smw_device *d, const struct transfer *x)
{
    return d->host.runs && x->value_bytes != 0 && device_bytes(x) <= costs(d)->small
               ? costs(d)->small_fill
               : 0;
}

/* The bytes of the host's of row y of layer z; NULL: none are pinned memory. */
static uint8_t *host_row(const struct smw_transfer *t, uint64_t y, uint64_t z)
{
    uint64_t dst = t->dst + z * t->dst_layer + y * t->dst_pitch;
    uint64_t src = t->src + z * t->src_layer + y * t->src_pitch;

    return !t->pinned                 ? NULL
           : t->direction == SMW_UP   ? (uint8_t *)(uintptr_t)src
           : t->direction == SMW_DOWN ? (uint8_t *)(uintptr_t)dst
                                      : NULL;
}

static uint64_t written_time(const struct smw_device *d, const struct transfer *x)
{
    const struct host_config *c = costs(d);
    uint64_t bytes = 0, rows = x->t.height * (x->t.depth > 1 ? x->t.depth : 1);

    if (!d->host.runs || c->written == 0 || host_row(&x->t, 0, 0) == NULL) {
        return 0;
    }
    for (uint64_t i = 0; i < rows && bytes < c->written_most; i++) {
        bytes += written_bytes(&d->host.written,
                               host_row(&x->t, i % x->t.height, i / x->t.height),
                               x->t.width);
    }
    return link_time(bytes < c->written_most ? bytes : c->written_most, c->written);
}

static void see_written(struct smw_device *d, const struct transfer *x)
{
    uint64_t rows = x->t.height * (x->t.depth > 1 ? x->t.depth : 1);

    if (!d->host.runs || costs(d)->written == 0 || host_row(&x->t, 0, 0) == NULL) {
        return;
    }
    for (uint64_t i = 0; i < rows; i++) {
        written_see(&d->host.written, host_row(&x->t, i % x->t.height, i / x->t.height),
                    x->t.width);
    }
}

/* SPEC LINK-5: bytes of it that pass through the driver's staging memory. */
static uint64_t staged_bytes(const struct smw_device *d, const struct transfer *x)
{
    enum { MOST = 64 << 10 }; /* more go by buffers that are pinned */

    return d->host.runs && x->t.direction == SMW_UP && !x->t.pinned &&
                   device_bytes(x) <= MOST
               ? device_bytes(x)
               : 0;
}

static uint64_t fresh_time(const struct smw_device *d, const struct transfer *x)
{
    const struct host_config *c = costs(d);
    uint64_t bytes = staged_bytes(d, x);
    uint64_t left = d->host.staged < c->fresh_most ? c->fresh_most - d->host.staged : 0;

    return c->fresh == 0 ? 0 : link_time(bytes < left ? bytes : left, c->fresh);
}

uint64_t device_host_time(const struct smw_device *d, const struct transfer *x)
{
    return written_time(d, x) + fresh_time(d, x);
}

void device_host_moved(struct smw_device *d, const struct transfer *x)
{
    see_written(d, x);
    d->host.staged += staged_bytes(d, x);
}

/* A copy by an engine: a kernel behind it hears of its end later. */
static uint64_t copied_after(const struct smw_device *d, uint32_t item)
{
    const struct transfer *x = &d->transfer[d->task[item].of];
    uint32_t next = d->turns.item[item].next;

    return x->t.direction != SMW_ON_DEVICE && device_bytes(x) > costs(d)->small &&
                   next != TURNS_NONE && d->task[next].kind == TASK_LAUNCH
               ? costs(d)->copy
               : 0;
}

static uint64_t seen_after(const struct smw_device *d, uint32_t item)
{
    const struct host_config *c = costs(d);
    const struct task *t = &d->task[item];

    switch (t->kind) {
    case TASK_LAUNCH: return t->in_graph ? c->node : c->kernel;
    case TASK_MARK: return t->in_graph ? c->graph : c->record;
    case TASK_TRANSFER: return copied_after(d, item);
    case TASK_CALL:
    case TASK_WAIT: break;
    }
    return 0;
}

void device_over(struct smw_device *d, uint32_t item)
{
    uint64_t after = d->host.runs ? seen_after(d, item) : 0;

    /* Without memory it is seen at once: what is late is not lost. */
    if (after == 0 || !host_end_later(&d->host, item, sim_now(d->gpu.sim) + after)) {
        turns_finish(&d->turns, item);
    }
}

void device_host_ends(struct smw_device *d)
{
    uint32_t item;

    while (host_ended(&d->host, sim_now(d->gpu.sim), &item)) {
        turns_finish(&d->turns, item);
    }
}

sim_time_t device_host_next(const struct smw_device *d)
{
    sim_time_t next = host_next(&d->host), now = sim_now(d->gpu.sim);

    for (uint32_t lane = 0; d->host.runs && lane < N_LANES; lane++) {
        uint32_t item = turns_first(&d->turns, lane);
        sim_time_t at = item == TURNS_NONE ? 0 : d->task[item].ready_ps;

        if (at > now && at < next) {
            next = at;
        }
    }
    return next;
}
