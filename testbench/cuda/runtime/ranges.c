#include "runtime/ranges.h"
#include <stdlib.h>
#include <string.h>

/* The number of ranges that end at or before addr. */
static uint32_t below(const struct rt_ranges *s, uint64_t addr)
{
    uint32_t lo = 0, hi = s->n;

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;

        if (s->range[mid].addr + s->range[mid].bytes <= addr) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

bool rt_range_add(struct rt_ranges *s, const struct rt_range *r)
{
    uint32_t i = below(s, r->addr);

    if (s->n == s->cap) {
        uint32_t cap = s->cap > 0 ? 2 * s->cap : 64;
        struct rt_range *more = realloc(s->range, cap * sizeof(*more));

        if (more == NULL) {
            return false;
        }
        s->range = more;
        s->cap = cap;
    }
    memmove(&s->range[i + 1], &s->range[i], (s->n - i) * sizeof(*r));
    s->range[i] = *r;
    s->n++;
    return true;
}

struct rt_range *rt_range_after(const struct rt_ranges *s, uint64_t addr)
{
    uint32_t i = below(s, addr);

    return i < s->n ? &s->range[i] : NULL;
}

struct rt_range *rt_range_find(const struct rt_ranges *s, uint64_t addr)
{
    struct rt_range *r = rt_range_after(s, addr);

    return r != NULL && r->addr <= addr ? r : NULL;
}

void rt_range_remove(struct rt_ranges *s, const struct rt_range *r)
{
    uint32_t i = (uint32_t)(r - s->range);

    s->n--;
    memmove(&s->range[i], &s->range[i + 1], (s->n - i) * sizeof(*r));
}

void rt_ranges_free(struct rt_ranges *s)
{
    free(s->range);
    *s = (struct rt_ranges){0};
}
