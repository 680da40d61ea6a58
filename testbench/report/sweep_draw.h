/*
 * sweep_draw.h - what people look at in the folder of a sweep: OUT/plots, by gnuplot,
 * and OUT/report.html.
 */
#ifndef REPORT_SWEEP_DRAW_H
#define REPORT_SWEEP_DRAW_H

#include "sweep/picture.h"

struct drawing {
    const struct sweep_table *table;
    const char *dir; /* of the sweep */
    bool quiet;      /* what is drawn is not named on stdout */
    bool missing; /* there is no gnuplot: data and scripts are written all the same */
    struct smw_err why; /* says so */
    char **names;       /* used so far */
    uint32_t n;
};

/* Draw n plots. A missing gnuplot is no failure: d->missing. */
bool draw_plots(struct drawing *d, const struct sweep_plot *plots, uint32_t n,
                struct smw_err *e);
void draw_free(struct drawing *d);

/* After a run: the plots that the sweep file names, and the page. What cannot be drawn
 * is a warning; false and *e: the page could not be written. */
bool draw_all(const struct sweep_table *t, const char *dir, struct smw_err *e);

#endif /* REPORT_SWEEP_DRAW_H */
