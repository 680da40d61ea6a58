#include "pairs.h"

static bool is_above(const struct pairs_side *a, const struct pairs_side *b)
{
    return a->device > PAIRS_MARGIN * b->device;
}

bool pairs_is_wrong(const struct pairs_side *a, const struct pairs_side *b)
{
    return is_above(a, b) && !(a->model > b->model);
}

struct pairs_sum pairs_count(const struct pairs_side *s, uint32_t n)
{
    struct pairs_sum sum = {0};

    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            sum.n += is_above(&s[i], &s[j]);
            sum.wrong += pairs_is_wrong(&s[i], &s[j]);
        }
    }
    return sum;
}
