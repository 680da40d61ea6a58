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
    if (what == SMW_HOST_SYNC && h->at < now) { /* it has waited */
        h->at = now + costs(d)->wake;
        return;
    }
    h->at = (h->at < now ? now : h->at) + cost_of(d, what);
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
