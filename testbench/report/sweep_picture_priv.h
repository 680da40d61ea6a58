/*
 * sweep_picture_priv.h - a picture of a sweep's page being drawn: sweep_picture.c
 * draws, sweep_hover.c writes what the pointer tells.
 */
#ifndef REPORT_SWEEP_PICTURE_PRIV_H
#define REPORT_SWEEP_PICTURE_PRIV_H

#include "report/chart.h"
#include "report/sweep_picture.h"

struct drawing {
    const struct picture *p;
    const struct sweep_table *t;
    const struct picture_facet *facet;
    struct text *out;
    struct chart c;
    char hover[48];
};

/* Where values lie. */
double sweep_x_of(const struct drawing *d, double v);
double sweep_y_of(const struct drawing *d, double v);
/* Of a Pareto plot with very many points the front alone is drawn. */
bool sweep_is_drawn(const struct drawing *d, const struct picture_point *at);
/* Cells of the facet: NaN where there is no point. The caller frees. */
double *sweep_cells_of(const struct drawing *d);

void sweep_hover_points(struct drawing *d);
void sweep_hover_cells(struct drawing *d);

#endif /* REPORT_SWEEP_PICTURE_PRIV_H */
