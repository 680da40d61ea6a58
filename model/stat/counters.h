/*
 * counters.h - the counters of a kernel launch, as modules add them up and texts show
 * them. The table itself is public: smwave/counters.h.
 *
 * Modules add to their own struct smw_counters (one per launch that may be resident);
 * they are summed when the launch ends. Text, JSON, CSV, the docs and "smwave stats
 * explain" derive from the table.
 */
#ifndef STAT_COUNTERS_H
#define STAT_COUNTERS_H

#include "smwave/counters.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stat_desc {
    const char *name, *unit, *doc, *rule;
    size_t offset; /* of the uint64_t in struct smw_counters */
};

extern const struct stat_desc stat_table[];
/* What limits the occupancy: emitted with the counters, but a text and in no
 * structure. */
extern const struct stat_desc stat_limiter;
extern const uint32_t stat_table_size;

/* a += b, counter by counter. */
void stat_add(struct smw_counters *a, const struct smw_counters *b);
/* Is the counter of that name one that only smw_options.stalls counts? */
bool stat_is_stall(const char *name);
uint64_t stat_value(const struct smw_counters *c, const struct stat_desc *d);

#endif /* STAT_COUNTERS_H */
