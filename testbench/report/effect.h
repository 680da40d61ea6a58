/*
 * effect.h - what each parameter of a sweep does: points that differ in it alone,
 * compared.
 *
 * A dimension of the sweep (an axis of grid, the axes of zip or list, which go
 * together) is one parameter here. Its values are in the order of the plan, numbers
 * ascending. Two points that ended well are neighbours if they agree in every other
 * dimension and no point between them does; a change is relative to the first, and not
 * defined from 0 to something else.
 */
#ifndef REPORT_EFFECT_H
#define REPORT_EFFECT_H

#include "sweep/table.h"

struct effect_change {          /* of one column, over the pairs of a step */
    uint32_t pairs;             /* with a defined change */
    double median, least, most; /* 0.1: a tenth more */
};

struct effect_step {
    char *from, *to;          /* values of the dimension */
    uint32_t pairs;           /* of points */
    struct effect_change *of; /* by value column */
};

struct effect { /* of a dimension with several values */
    char *name; /* its keys, "a, b" */
    struct effect_step *steps;
    uint32_t n_steps;
    double spread; /* of the first value column: largest to smallest value among points
                      that differ in this dimension alone, median; 0: not defined */
};

struct effects {
    struct effect *at;
    uint32_t n;
    uint32_t *values; /* columns of the table that have numbers only */
    uint32_t n_values;
};

void effects_make(struct effects *e, const struct sweep_table *t);
void effects_free(struct effects *e);

/* Of n values, which are reordered; 0 of none. */
double effect_median(double *v, size_t n);

#endif /* REPORT_EFFECT_H */
