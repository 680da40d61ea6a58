/*
 * pairs.h - whether a model puts kernels in the order a device has them.
 */
#ifndef FIDELITY_PAIRS_H
#define FIDELITY_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

struct
    pairs_side { /* of one kernel: bytes per second, or any figure that grows alike */
    double device, model;
};

/* Device figures that differ by less than this are not an order: published ones have
 * three digits, and were taken once. */
#define PAIRS_MARGIN 1.05

/* Is a above b on the device by more than the margin, and not on the model? */
bool pairs_is_wrong(const struct pairs_side *a, const struct pairs_side *b);

struct pairs_sum {
    uint32_t n,
        wrong; /* pairs with an order on the device; those the model has not so */
};

struct pairs_sum pairs_count(const struct pairs_side *s, uint32_t n);

#endif /* FIDELITY_PAIRS_H */
