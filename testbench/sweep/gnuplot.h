/*
 * gnuplot.h - a picture of a sweep as files: NAME.csv with the numbers, NAME.gp that
 * draws NAME.svg and NAME.png from it wherever the two lie.
 *
 * The CSV is what a spreadsheet takes as well: a column for the axis, then one per
 * series, empty where a series has no point. Names from users are quoted in the script
 * and never marked up.
 */
#ifndef SWEEP_GNUPLOT_H
#define SWEEP_GNUPLOT_H

#include "sweep/picture.h"

void gnuplot_csv(const struct picture *p, struct text *out);
void gnuplot_script(const struct picture *p, const char *name, struct text *out);

/* A name for the files of a picture: letters, digits, '-', '_' and '.'; the caller
 * frees. */
char *gnuplot_name(const struct picture *p);

/* Run gnuplot on dir/NAME.gp. SMW_ERR_IO: it is not there (*missing), or it failed. */
bool gnuplot_run(const char *dir, const char *name, bool *missing, struct smw_err *e);

#endif /* SWEEP_GNUPLOT_H */
