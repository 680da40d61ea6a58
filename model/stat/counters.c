#include "stat/counters.h"

#include <string.h>

const struct stat_desc stat_table[] = {
#define X(field, name, unit, doc, rule)                                                \
    {name, unit, doc, rule, offsetof(struct smw_counters, field)},
    SMW_COUNTERS(X)
#undef X
};

const struct stat_desc stat_limiter = {
    "occupancy.limiter", "text",
    "what limits blocks_per_sm: blocks, warps, registers or shared memory", "LAUNCH-4",
    0};
const uint32_t stat_table_size = sizeof(stat_table) / sizeof(stat_table[0]);

void stat_add(struct smw_counters *a, const struct smw_counters *b)
{
#define X(field, name, unit, doc, rule) a->field += b->field;
    SMW_COUNTERS(X)
#undef X
}

bool stat_is_stall(const char *name)
{
    return strncmp(name, "stall.", 6) == 0;
}

uint64_t stat_value(const struct smw_counters *c, const struct stat_desc *d)
{
    return *(const uint64_t *)(const void *)((const char *)c + d->offset);
}
