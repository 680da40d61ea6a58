#include "report/chart.h"

#include <math.h>
#include <string.h>

/* ---- axes ---- */

static double part(const struct chart_axis *a, double v)
{
    return a->log ? (log(v) - log(a->lo)) / (log(a->hi) - log(a->lo))
                  : (v - a->lo) / (a->hi - a->lo);
}

double chart_x(const struct chart *c, double v)
{
    return c->left + c->width * part(&c->x, v);
}

double chart_y(const struct chart *c, double v)
{
    return c->top + c->height * (1 - part(&c->y, v));
}

/* 1, 2 or 5 times a power of ten, not below v. */
static double round_up(double v)
{
    double power = 1;

    while (power < v) {
        power *= 10;
    }
    while (power / 10 >= v) {
        power /= 10;
    }
    return power / 5 >= v ? power / 5 : power / 2 >= v ? power / 2 : power;
}

static bool is_power_of_two(double v)
{
    int exponent;

    return v > 0 && frexp(v, &exponent) == 0.5;
}

/* Powers of two between two of them; of ten, with 2 and 5 between where they are
 * few. */
static uint32_t log_ticks(const struct chart_axis *a, double out[CHART_TICKS])
{
    bool twos = is_power_of_two(a->lo) && is_power_of_two(a->hi);
    bool fine = !twos && a->hi < 1000 * a->lo;
    double base = twos ? 2 : 10,
           first = pow(base, floor(log(a->lo) / log(base) + 1e-9));
    double all = log(a->hi / first) / log(base) + 1;
    uint32_t n = 0, skip = (uint32_t)(all / CHART_TICKS) + 1;

    for (uint32_t i = 0; n < CHART_TICKS && first * pow(base, i) <= a->hi * (1 + 1e-9);
         i += fine ? 1 : skip) {
        static const double steps[] = {1, 2, 5};

        for (uint32_t k = 0; k < (fine ? 3u : 1u) && n < CHART_TICKS; k++) {
            double v = first * pow(base, i) * steps[k];

            if (v >= a->lo * (1 - 1e-9) && v <= a->hi * (1 + 1e-9)) {
                out[n++] = v;
            }
        }
    }
    return n;
}

uint32_t chart_ticks(const struct chart_axis *a, uint32_t n, double out[CHART_TICKS])
{
    double step = round_up((a->hi - a->lo) / (n == 0 ? 1 : n));
    uint32_t found = 0;

    if (a->log &&
        (a->hi >= 10 * a->lo || (is_power_of_two(a->lo) && is_power_of_two(a->hi)))) {
        return log_ticks(a, out); /* of less than a decade as if it were linear */
    }
    for (double k = ceil(a->lo / step - 1e-9);
         k * step <= a->hi + step * 1e-9 && found < CHART_TICKS; k++) {
        out[found++] = k * step;
    }
    return found;
}

struct chart_axis chart_axis(double lo, double hi, bool log)
{
    struct chart_axis a = {lo, hi, log};
    double step;

    if (log) {
        a.hi = hi > lo ? hi : lo * 2;
        return a;
    }
    a.lo = lo > 0 ? 0 : lo;
    a.hi = hi > a.lo ? hi : a.lo + 1;
    step = round_up((a.hi - a.lo) / 4);
    a.hi = ceil(a.hi / step - 1e-9) * step;
    a.lo = floor(a.lo / step + 1e-9) * step;
    return a;
}

/* ---- the picture ---- */

void chart_open(struct text *out, double width, double height, double least,
                const char *label, const char *hover)
{
    text_add(out,
             "<div class=\"chart\"><svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" "
             "style=\"min-width:%.0fpx\"",
             width, height, least);
    if (hover != NULL) {
        text_add(out, " data-hover=\"%s\"", hover);
    }
    text_add(out, " aria-label=\"");
    html_text(out, label);
    text_add(out, "\">\n");
}

void chart_close(struct text *out)
{
    text_add(out, "</svg></div>\n");
}

void chart_word(struct text *out, double x, double y, const char *anchor,
                const char *class, const char *s)
{
    text_add(out, "<text x=\"%.1f\" y=\"%.1f\"", x, y);
    if (strcmp(anchor, "start") != 0) {
        text_add(out, " text-anchor=\"%s\"", anchor);
    }
    text_add(out, " class=\"%s\">", class);
    html_text(out, s);
    text_add(out, "</text>\n");
}

static void tick_number(struct text *out, double x, double y, const char *anchor,
                        double v)
{
    struct text word = {0};

    html_number(&word, v, 4);
    chart_word(out, x, y, anchor, "tick", word.s);
    text_free(&word);
}

void chart_y_axis(struct text *out, const struct chart *c, uint32_t ticks,
                  const char *title)
{
    double at[CHART_TICKS];
    uint32_t n = chart_ticks(&c->y, ticks, at);

    for (uint32_t i = 0; i < n; i++) {
        double y = chart_y(c, at[i]);

        text_add(out, "<path class=\"grid\" d=\"M%.1f %.1fh%.1f\"/>\n", c->left, y,
                 c->width);
        tick_number(out, c->left - 8, y + 4, "end", at[i]);
    }
    if (title != NULL) {
        chart_word(out, c->left + 4, c->top - 8, "start", "axis", title);
    }
}

void chart_x_axis(struct text *out, const struct chart *c, uint32_t ticks,
                  const char *title, bool names)
{
    double at[CHART_TICKS], bottom = c->top + c->height;
    uint32_t n = chart_ticks(&c->x, ticks, at);

    text_add(out, "<path class=\"base\" d=\"M%.1f %.1fh%.1f\"/>\n", c->left, bottom,
             c->width);
    for (uint32_t i = 0; i < n; i++) {
        double x = chart_x(c, at[i]);

        text_add(out, "<path class=\"base\" d=\"M%.1f %.1fv4\"/>\n", x, bottom);
        if (names) {
            tick_number(out, x, bottom + 18, "middle", at[i]);
        }
    }
    if (title != NULL) {
        /* At the left, to be seen where there is only that of a chart. */
        chart_word(out, c->left + 3, bottom + 36, "start", "axis", title);
    }
}

/* ---- over time ---- */

void chart_area(struct text *out, const struct chart *c, const char *class,
                const double *low, const double *high, size_t n)
{
    double wide = n > 0 ? c->width / (double)n : 0;

    if (n == 0) {
        return;
    }
    text_add(out, "<path class=\"%s\" d=\"M%.1f %.1f", class, c->left,
             chart_y(c, high[0]));
    for (size_t i = 1; i < n; i++) {
        if (high[i] != high[i - 1]) {
            text_add(out, "H%.1fV%.1f", c->left + wide * (double)i,
                     chart_y(c, high[i]));
        }
    }
    text_add(out, "H%.1fV%.1f", c->left + c->width,
             chart_y(c, low == NULL ? 0 : low[n - 1]));
    for (size_t i = n - 1; low != NULL && i > 0; i--) {
        if (low[i] != low[i - 1]) {
            text_add(out, "H%.1fV%.1f", c->left + wide * (double)i,
                     chart_y(c, low[i - 1]));
        }
    }
    text_add(out, "H%.1fZ\"/>\n", c->left);
}

void chart_steps(struct text *out, const struct chart *c, const char *class,
                 const double *v, size_t n)
{
    double wide = n > 0 ? c->width / (double)n : 0;

    if (n == 0) {
        return;
    }
    text_add(out, "<path class=\"line %s\" d=\"M%.1f %.1f", class, c->left,
             chart_y(c, v[0]));
    for (size_t i = 1; i < n; i++) {
        if (v[i] != v[i - 1]) {
            text_add(out, "H%.1fV%.1f", c->left + wide * (double)i, chart_y(c, v[i]));
        }
    }
    text_add(out, "H%.1f\"/>\n", c->left + c->width);
}

/* ---- heat ---- */

static uint32_t level(double v, double max)
{
    uint32_t l = v <= 0 || max <= 0 ? 0 : (uint32_t)ceil(v / max * CHART_LEVELS - 1e-9);

    return l > CHART_LEVELS ? CHART_LEVELS : l;
}

void chart_heat(struct text *out, const struct chart *c, const double *v, size_t rows,
                size_t columns, double max)
{
    double wide = c->width / (double)(columns == 0 ? 1 : columns);
    double high = c->height / (double)(rows == 0 ? 1 : rows);
    double gap = high > 6 ? 1 : 0;

    text_add(out,
             "<rect class=\"q0\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
             "height=\"%.1f\"/>\n",
             c->left, c->top, c->width, c->height);
    for (uint32_t l = 1; l <= CHART_LEVELS; l++) {
        bool any = false;

        for (size_t r = 0; r < rows; r++) {
            for (size_t i = 0, end; i < columns; i = end) {
                double from;

                for (end = i + 1; end < columns && level(v[r * columns + end], max) ==
                                                       level(v[r * columns + i], max);
                     end++) {
                }
                if (level(v[r * columns + i], max) != l) {
                    continue;
                }
                from = c->left + wide * (double)i;
                if (!any) {
                    text_add(out, "<path class=\"q%u\" d=\"", l);
                }
                text_add(out, "M%.1f %.1fh%.1fv%.1fh-%.1fz", from,
                         c->top + high * (double)r, wide * (double)(end - i),
                         high - gap, wide * (double)(end - i));
                any = true;
            }
        }
        text_add(out, "%s", any ? "\"/>\n" : "");
    }
}

/* ---- keys ---- */

void chart_legend(struct text *out, const struct chart_key *k, size_t n)
{
    text_add(out, "<ul class=\"legend\">");
    for (size_t i = 0; i < n; i++) {
        text_add(out,
                 "<li><svg viewBox=\"0 0 12 12\" aria-hidden=\"true\"><rect "
                 "class=\"%s\" width=\"12\" height=\"12\"/></svg>",
                 k[i].class);
        html_text(out, k[i].name);
        text_add(out, "</li>");
    }
    text_add(out, "</ul>\n");
}

void chart_scale(struct text *out, double lo, double hi, const char *unit)
{
    text_add(out, "<p class=\"scale\">");
    html_number(out, lo, 4);
    text_add(out,
             " <svg viewBox=\"0 0 %u 12\" "
             "aria-hidden=\"true\">",
             20u * CHART_LEVELS);
    for (uint32_t l = 1; l <= CHART_LEVELS; l++) {
        text_add(out, "<rect class=\"q%u\" x=\"%u\" width=\"20\" height=\"12\"/>", l,
                 20 * (l - 1));
    }
    text_add(out, "</svg> ");
    html_number(out, hi, 4);
    text_add(out, " ");
    html_text(out, unit);
    text_add(out, "</p>\n");
}
