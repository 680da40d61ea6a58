/*
 * chart.h - pictures inside a page, as SVG: axes, steps over time, lines, heat maps.
 *
 * A chart is a rectangle of the picture with two axes. Colours are classes of the style
 * sheet (s-issue, c1 ... c8 of series, q1 ... q8 of heat), so that they follow the
 * light or dark scheme of the page. Coordinates are written with one decimal: the same
 * input gives the same bytes.
 */
#ifndef REPORT_CHART_H
#define REPORT_CHART_H

#include "report/html.h"

enum {
    CHART_COLORS = 8, /* of series; then they repeat with dashes */
    CHART_LEVELS = 8, /* of heat */
    CHART_TICKS = 12  /* of an axis, at most */
};

struct chart_axis {
    double lo, hi; /* values at the ends, lo < hi; log: above 0 */
    bool log;
};

struct chart {
    double left, top, width, height; /* of the rectangle, in the picture */
    struct chart_axis x, y;
};

double chart_x(const struct chart *c, double v);
double chart_y(const struct chart *c, double v);

/* Round numbers from lo to hi, about n of them, at most CHART_TICKS. */
uint32_t chart_ticks(const struct chart_axis *a, uint32_t n, double out[CHART_TICKS]);
/* An axis whose ends are round numbers around lo to hi. It begins at 0, unless it is
 * logarithmic. */
struct chart_axis chart_axis(double lo, double hi, bool log);

/* Begin a picture of that size. label: a sentence for those who do not see it. It is
 * drawn as wide as the page, but never narrower than least. hover: the id of what the
 * script shows under the pointer; NULL: nothing. */
void chart_open(struct text *out, double width, double height, double least,
                const char *label, const char *hover);
void chart_close(struct text *out);

/* Draw an axis: lines and numbers at the ticks. title: what is measured, above the
 * rectangle. */
void chart_y_axis(struct text *out, const struct chart *c, uint32_t ticks,
                  const char *title);
void chart_x_axis(struct text *out, const struct chart *c, uint32_t ticks,
                  const char *title, bool names);

/* n steps of equal width: the area between low (NULL: 0) and high; a line. */
void chart_area(struct text *out, const struct chart *c, const char *class,
                const double *low, const double *high, size_t n);
void chart_steps(struct text *out, const struct chart *c, const char *class,
                 const double *v, size_t n);

/* A heat map: a cell for each v[row * columns + column], none where that is 0. max has
 * the hottest colour. Row 0 is on top. */
void chart_heat(struct text *out, const struct chart *c, const double *v, size_t rows,
                size_t columns, double max);

/* A word at a place; anchor: "start", "middle", "end". */
void chart_word(struct text *out, double x, double y, const char *anchor,
                const char *class, const char *s);

/* A line that says which colour is what. */
struct chart_key {
    const char *class, *name;
};
void chart_legend(struct text *out, const struct chart_key *k, size_t n);
/* The same for a heat map, whose colours go from lo to hi. */
void chart_scale(struct text *out, double lo, double hi, const char *unit);

#endif /* REPORT_CHART_H */
