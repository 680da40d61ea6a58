/*
 * sweep_draw.h - what people look at in the folder of a sweep: OUT/plots, by gnuplot,
 * and OUT/report.html.
 */
#ifndef REPORT_SWEEP_DRAW_H
#define REPORT_SWEEP_DRAW_H

#include "sweep/picture.h"

struct drawing {
    const struct sweep_table *table;
    const char *dir;    /* of the sweep */
    bool quiet;         /* do not print the names of what is drawn */
    bool missing;       /* there is no gnuplot: only data and scripts were written */
    struct smw_err why; /* if missing: the message about that */
    char **names;       /* of files, used so far: no two pictures share one */
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
