/*
 * effect.h - what each parameter of a sweep does: points that differ in it alone,
 * compared.
 *
 * A parameter here is a dimension of the sweep: an axis of grid, or the axes of zip or
 * list together. Its values are in the order of the plan; numbers ascend. Two points
 * that ended well are neighbours in a dimension if they agree in all other dimensions,
 * and no point with a value between theirs does. Neighbours make a pair, and a change
 * is what a column grows by from the first to the second, relative to the first. From 0
 * to something else no change is defined.
 *
 * In a dimension that the sweep's baseline names, pairs are not neighbours: each point
 * is paired with the one that has the baseline's value. Columns of ratios to the
 * baseline are left out: they change as what they are ratios of.
 */
#ifndef REPORT_EFFECT_H
#define REPORT_EFFECT_H

#include "sweep/table.h"

struct effect_change {          /* the changes of one column, over all pairs of a
                                   step */
    uint32_t pairs;             /* whose change is defined */
    double median, least, most; /* 0.1 is a tenth more */
};

struct effect_step {          /* from one value of the dimension to the next */
    char *from, *to;          /* the two values */
    uint32_t pairs;           /* of neighbours */
    struct effect_change *of; /* [i]: in the column effects.values[i] */
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
    uint32_t *values; /* the columns of the table that have only numbers */
    uint32_t n_values;
};

void effects_make(struct effects *e, const struct sweep_table *t);
void effects_free(struct effects *e);

/* The median of n values, which it reorders; 0 if n is 0. */
double effect_median(double *v, size_t n);

#endif /* REPORT_EFFECT_H */
