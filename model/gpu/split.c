#include "gpu/split.h"

static const struct rules_split *find(const struct rules_cc *r, uint32_t shared_kb)
{
    for (uint32_t i = 0; i < r->n_splits; i++) {
        if (r->split[i].shared == shared_kb) {
            return &r->split[i];
        }
    }
    return NULL;
}

struct rules_split split_at_least(const struct rules_cc *r, uint32_t kb)
{
    struct rules_split best = r->split[0];

    for (uint32_t i = 1; i < r->n_splits; i++) {
        struct rules_split s = r->split[i];

        if (best.shared < kb ? s.shared > best.shared
                             : s.shared >= kb && s.shared < best.shared) {
            best = s;
        }
    }
    return best;
}

struct rules_split split_largest(const struct rules_cc *r)
{
    return split_at_least(r, UINT32_MAX);
}

uint32_t split_carveout_kb(const struct rules_cc *r, uint32_t percent)
{
    uint32_t largest = split_largest(r).shared;

    return split_at_least(r, (largest * percent + 99) / 100).shared;
}

static struct rules_split preferred(const struct rules_cc *r,
                                    const struct split_wish *w, struct rules_split now)
{
    enum smw_cache_config want = w->kernel != SMW_CACHE_NONE ? w->kernel : w->device;

    if (r->carveout && w->carveout >= 0) {
        return split_at_least(r, split_carveout_kb(r, (uint32_t)w->carveout));
    }
    switch (want) {
    case SMW_CACHE_NONE: break;
    case SMW_CACHE_SHARED: return split_largest(r);
    case SMW_CACHE_L1: return split_at_least(r, 0);
    case SMW_CACHE_EQUAL:
        if (r->carveout) {
            return split_at_least(r, split_carveout_kb(r, 50));
        }
        if (r->equal_kb != 0) {
            return *find(r, r->equal_kb);
        }
        return w->what_if ? (struct rules_split){r->onchip_kb / 2, r->onchip_kb / 2}
                          : now;
    }
    if (r->carveout) {
        return w->automatic ? split_at_least(r, (w->room_bytes + 1023) / 1024)
                            : w->start;
    }
    return now; /* as the most recent kernel left it */
}

struct rules_split split_choose(const struct rules_cc *r, const struct split_wish *w,
                                struct rules_split now)
{
    struct rules_split s;
    uint32_t kb = (w->shared_bytes + 1023) / 1024;

    if (r->n_splits == 1 && find(r, now.shared) != NULL) {
        return now;
    }
    s = preferred(r, w, now);
    return s.shared >= kb ? s : split_at_least(r, kb);
}

bool split_is_hint(const struct rules_cc *r)
{
    return r->carveout;
}
