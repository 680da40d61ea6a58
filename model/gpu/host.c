#include "gpu/host.h"

#include <stdlib.h>

#define HOST_PS(member, key, docs, rules)                                              \
    {                                                                                  \
        .name = (key), .type = CFG_TYPE_U64, .unit = CFG_PS,                           \
        .offset = offsetof(struct host_config, member), .max = 1000000000000,          \
        .doc = (docs), .rule = (rules)                                                 \
    }

static const struct cfg_field fields[] = {
    HOST_PS(call.module, "call.module", "more for the first launch of a module",
            "HOST-1"),
    HOST_PS(call.first, "call.first", "more for the first launch of a kernel",
            "HOST-1"),
    HOST_PS(call.launch, "call.launch", "the host's call that launches a kernel",
            "HOST-1"),
    HOST_PS(call.graph, "call.graph", "the host's call that launches a graph",
            "HOST-1"),
    HOST_PS(call.graph_node, "call.graph_node", "more for each node of the graph",
            "HOST-1"),
    HOST_PS(call.copy, "call.copy", "the host's call that queues a copy", "HOST-1"),
    HOST_PS(call.inside, "call.inside",
            "the host's call that queues a copy inside the device", "HOST-1"),
    HOST_PS(call.fill, "call.fill", "the host's call that queues a fill", "HOST-1"),
    HOST_PS(call.record, "call.record", "the host's call that records an event",
            "HOST-1"),
    HOST_PS(call.first_record, "call.first_record",
            "more for the first of them, behind what it queues", "HOST-1"),
    HOST_PS(call.wait, "call.wait", "the host's call that lets a stream wait",
            "HOST-1"),
    HOST_PS(call.sync, "call.sync",
            "the host's call that waits for what has already ended", "HOST-1"),
    HOST_PS(submit, "submit", "end of a call to what it queued, on an idle device",
            "HOST-1"),
    HOST_PS(wake, "wake", "end of what the host waits for to the host's next call",
            "HOST-1"),
    HOST_PS(kernel, "stream.kernel", "end of a kernel to what its stream does next",
            "HOST-2"),
    HOST_PS(node, "stream.node", "the same of a kernel of a graph", "HOST-2"),
    HOST_PS(graph, "stream.graph", "begin of a graph to that of its first node",
            "HOST-2"),
    HOST_PS(copy, "stream.copy", "end of a copy, unless small, to a kernel behind it",
            "HOST-2"),
    HOST_PS(record, "stream.record", "an event to what its stream does next", "HOST-2"),
    {.name = "small",
     .type = CFG_TYPE_U64,
     .unit = CFG_BYTES,
     .offset = offsetof(struct host_config, small),
     .max = 1 << 20,
     .doc = "copies and fills of so many bytes are small: they need no engine",
     .rule = "HOST-2"},
    HOST_PS(small_fill, "small_fill", "a small fill (0: as any other)", "HOST-2"),
    {.name = "link.written",
     .type = CFG_TYPE_U64,
     .unit = CFG_RATE,
     .offset = offsetof(struct host_config, written),
     .max = 1000000000000000,
     .doc = "a copy takes longer for pinned memory that the host wrote since the last "
            "one: so many bytes of it (0: no longer)",
     .rule = "LINK-4"},
    {.name = "link.written_most",
     .type = CFG_TYPE_U64,
     .unit = CFG_BYTES,
     .offset = offsetof(struct host_config, written_most),
     .max = 1ull << 40,
     .doc = "bytes that the host has in its caches",
     .rule = "LINK-4"},
    {.name = "link.fresh",
     .type = CFG_TYPE_U64,
     .unit = CFG_RATE,
     .offset = offsetof(struct host_config, fresh),
     .max = 1000000000000000,
     .doc =
         "a copy to the device of up to 64 KiB that is not pinned takes longer while "
         "staging memory is used for the first time: so many bytes of it (0: no "
         "longer)",
     .rule = "LINK-5"},
    {.name = "link.fresh_most",
     .type = CFG_TYPE_U64,
     .unit = CFG_BYTES,
     .offset = offsetof(struct host_config, fresh_most),
     .max = 1ull << 40,
     .doc = "bytes of staging memory, in a ring",
     .rule = "LINK-5"},
};
const struct cfg_table host_keys = CFG_TABLE(fields);

bool host_end_later(struct host *h, uint32_t item, sim_time_t at)
{
    if (h->n_ends == h->max_ends) {
        uint32_t max = h->max_ends == 0 ? 16 : 2 * h->max_ends;
        struct host_end *grown = realloc(h->end, max * sizeof(grown[0]));

        if (grown == NULL) {
            return false;
        }
        h->end = grown;
        h->max_ends = max;
    }
    h->end[h->n_ends++] = (struct host_end){.at = at, .item = item};
    return true;
}

/* The one that ends first; n_ends if there is none. Each stream has at most one here,
 * so they are few. */
static uint32_t first(const struct host *h)
{
    uint32_t best = 0;

    for (uint32_t i = 1; i < h->n_ends; i++) {
        const struct host_end *a = &h->end[i], *b = &h->end[best];

        if (a->at < b->at || (a->at == b->at && a->item < b->item)) {
            best = i;
        }
    }
    return best;
}

sim_time_t host_next(const struct host *h)
{
    return h->n_ends == 0 ? SIM_TIME_MAX : h->end[first(h)].at;
}

bool host_ended(struct host *h, sim_time_t now, uint32_t *item)
{
    uint32_t i = first(h);

    if (h->n_ends == 0 || h->end[i].at > now) {
        return false;
    }
    *item = h->end[i].item;
    h->end[i] = h->end[--h->n_ends];
    return true;
}

void host_free(struct host *h)
{
    free(h->end);
    written_free(&h->written);
}
