/*
 * picture.h - what a plot of a sweep shows, before anybody draws it: the rows of the
 * results table as facets of series of points. gnuplot's script and the page's pictures
 * are made from the same.
 *
 * Points that have not been run, or lack a value, are left out; those that failed are
 * shown as such where they have a place: `failed`. Facets, series and words of an axis
 * are in the order in which the plan has them; numbers ascend. Where
 * several points of a series have one place, line, bar and heat show their mean, and
 * `merged` and picture_note() say so.
 *
 *   line    x a number, or words in their order; y a number
 *   bar     the same, x as words
 *   heat    x and y parameters, z a number as colour
 *   pareto  x and y numbers of which less is better; `front` marks those that no other
 *           point of the facet is at least as good as in both and better in one
 */
#ifndef SWEEP_PICTURE_H
#define SWEEP_PICTURE_H

#include "sweep/table.h"

enum { PICTURE_MAX_FACETS = 24, PICTURE_MAX_SERIES = 32, PICTURE_MAX_WORDS = 512 };

struct picture_point {
    double x, y, z;  /* of words: their number, from 0 */
    uint64_t row;    /* of the table; of merged ones the first */
    uint32_t merged; /* points that it is the mean of */
    bool front;
};

struct picture_series {
    const char *name; /* value of the group, "" without one */
    struct picture_point *at;
    uint32_t n;
    uint32_t
        covered; /* lines drawn later that lie on a piece of it, and on each other */
};

struct picture_failed { /* a point that failed */
    double x, y;        /* y: heat only */
    uint32_t series;
    uint64_t row;
};

struct picture_facet {
    const char *name; /* value of the facet, "" without one */
    struct picture_series *series;
    uint32_t n;
    struct picture_failed *failed; /* pareto: none, they have no place */
    uint32_t n_failed;
};

struct picture_axis {
    const char *name, *unit;
    bool log;
    const char **words; /* NULL: it has numbers */
    uint32_t n_words;
};

struct picture {
    enum sweep_plot_kind kind;
    struct picture_axis x, y, z;
    const char *group, *facet; /* names of parameters; NULL: none */
    const char *title;         /* NULL: none */
    struct picture_facet *facets;
    uint32_t n;
    uint64_t points;   /* shown */
    uint64_t n_failed; /* of those that the picture is of */
    uint32_t merged;   /* the most at one place */
    struct text names; /* of parameters that differ there, "a, b" */
};

/* plot's texts and the table's must stay. SMW_ERR_USAGE: a column that is not there,
 * has no numbers, or too many values. */
bool picture_make(struct picture *p, const struct sweep_table *t,
                  const struct sweep_plot *plot, struct smw_err *e);
void picture_free(struct picture *p);

/* "cycles, by n": what it is called where it has no title. */
void picture_name(const struct picture *p, struct text *out);
/* Name and unit of an axis. */
void picture_axis_name(const struct picture_axis *a, struct text *out);
/* "mean of up to 3 points that differ in a, b"; nothing if none are merged. */
void picture_note(const struct picture *p, struct text *out);
/* The ends of what an axis shows, over all facets; false: there are no points. */
bool picture_range(const struct picture *p, const struct picture_axis *a, double *lo,
                   double *hi);

/* Where a failed point of a line or bar is marked: at the foot; of lines, series above
 * series. */
double picture_failed_y(const struct picture *p, const struct picture_failed *f);
/* Sets covered of each series. */
void picture_find_covered(struct picture_facet *f);

/* The plots of the sweep; of one that names none, a plot of its first column, which
 * fallback then holds (none without parameters or columns). */
uint32_t picture_plots(const struct sweep_table *t, struct sweep_plot *fallback,
                       const struct sweep_plot **plots);

/* "line", "bar", "heat", "pareto". */
extern const char *const picture_kinds[4];

#endif /* SWEEP_PICTURE_H */
