#include "report/sweep_picture_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 520, HEIGHT = 330, LEFT = 66, RIGHT = 24, TOP = 30, BOTTOM = 54 };

enum { MANY = 5000 /* points of a Pareto plot: then its front alone is drawn */ };

/* ---- axes ---- */

double sweep_y_of(const struct drawing *d, double v)
{
    return chart_y(&d->c, v);
}

/* The middle of word i. */
static double word_x(const struct drawing *d, double i)
{
    return d->c.left +
           d->c.width * (i + 0.5) / (d->p->x.n_words == 0 ? 1 : d->p->x.n_words);
}

double sweep_x_of(const struct drawing *d, double v)
{
    return d->p->x.words != NULL ? word_x(d, v) : chart_x(&d->c, v);
}

/* Ranges are those of all facets, so that they can be compared. */
static void set_axes(struct drawing *d)
{
    const struct picture *p = d->p;
    double lo = 0, hi = 1;

    if (p->x.words != NULL) {
        d->c.x = (struct chart_axis){0, 1, false};
    } else {
        (void)picture_range(p, &p->x, &lo, &hi);
        d->c.x = (struct chart_axis){lo, hi > lo ? hi : lo + 1, p->x.log};
        if (!p->x.log && lo > 0 && lo < 0.3 * hi) {
            d->c.x.lo = 0;
        }
    }
    lo = 0;
    hi = 1;
    if (p->kind == PLOT_HEAT) {
        d->c.y = (struct chart_axis){0, 1, false};
    } else {
        (void)picture_range(p, &p->y, &lo, &hi);
        d->c.y = chart_axis(lo, hi, p->y.log);
        if (p->y.log) { /* the curve does not lie on the frame */
            d->c.y.lo = lo / 1.15;
            d->c.y.hi = hi * 1.15;
        }
    }
}

/* A word of an axis, cut to the room it has. */
static void cut_word(const char *word, char out[24])
{
    snprintf(out, 24, "%.18s%s", word, strlen(word) > 18 ? ".." : "");
}

static uint32_t longest_word(const struct picture *p)
{
    size_t longest = 1;

    for (uint32_t i = 0; i < p->x.n_words; i++) {
        longest = strlen(p->x.words[i]) > longest ? strlen(p->x.words[i]) : longest;
    }
    return longest < 20 ? (uint32_t)longest : 20;
}

/* Words that do not fit side by side are slanted. */
static bool is_slanted(const struct drawing *d)
{
    return d->p->x.words != NULL && d->p->x.n_words > 1 &&
           d->p->x.n_words * (6.5 * longest_word(d->p) + 8) > d->c.width;
}

/* What slanted words need below the axis, more than others. */
static double slant_room(const struct drawing *d)
{
    return is_slanted(d) ? 5.0 * longest_word(d->p) : 0;
}

/* All words below the axis; of more than there is room for even slanted, every n-th. */
static void put_words_x(struct drawing *d)
{
    uint32_t n = d->p->x.n_words, room = (uint32_t)(d->c.width / 13);
    uint32_t skip = is_slanted(d) ? (n + room - 1) / room : 1;
    double y = d->c.top + d->c.height + 18;

    for (uint32_t i = 0; i < n; i += skip) {
        char word[24];

        cut_word(d->p->x.words[i], word);
        if (!is_slanted(d)) {
            chart_word(d->out, word_x(d, i), y, "middle", "tick", word);
            continue;
        }
        text_add(d->out, "<g transform=\"translate(%.1f %.1f) rotate(-45)\">",
                 word_x(d, i) + 5, y - 4);
        chart_word(d->out, 0, 0, "end", "tick", word);
        text_add(d->out, "</g>\n");
    }
}

static void put_axes(struct drawing *d)
{
    struct text x = {0}, y = {0};

    picture_axis_name(&d->p->x, &x);
    picture_axis_name(&d->p->y, &y);
    if (d->p->kind == PLOT_HEAT) {
        double high = d->c.height / (d->p->y.n_words == 0 ? 1 : d->p->y.n_words);
        uint32_t skip = high < 12 ? (uint32_t)(12 / high) + 1 : 1;

        for (uint32_t i = 0; i < d->p->y.n_words; i += skip) {
            char word[12];

            snprintf(word, sizeof(word), "%.9s", d->p->y.words[i]);
            chart_word(d->out, d->c.left - 7,
                       d->c.top + d->c.height - high * (i + 0.5) + 4, "end", "tick",
                       word);
        }
        chart_word(d->out, d->c.left + 4, d->c.top - 8, "start", "axis", y.s);
    } else {
        chart_y_axis(d->out, &d->c, 5, y.s);
    }
    if (d->p->x.words != NULL) {
        text_add(d->out, "<path class=\"base\" d=\"M%.1f %.1fh%.1f\"/>\n", d->c.left,
                 d->c.top + d->c.height, d->c.width);
        put_words_x(d);
        chart_word(d->out, d->c.left + d->c.width / 2,
                   d->c.top + d->c.height + 38 + slant_room(d), "middle", "axis", x.s);
    } else {
        chart_x_axis(d->out, &d->c, 6, x.s, true);
    }
    text_free(&x);
    text_free(&y);
}

/* ---- kinds ---- */

bool sweep_is_drawn(const struct drawing *d, const struct picture_point *at)
{
    return d->p->kind != PLOT_PARETO || at->front || d->p->points <= MANY;
}

static uint32_t color(uint32_t series)
{
    return series % CHART_COLORS + 1;
}

static void put_lines(struct drawing *d)
{
    for (uint32_t g = 0; g < d->facet->n; g++) {
        const struct picture_series *s = &d->facet->series[g];

        if (s->n > 1) {
            text_add(d->out, "<path class=\"line stroke c%u%s\"", color(g),
                     g >= CHART_COLORS ? " dash" : "");
            if (s->covered > 0) { /* others lie on it: it shows on both sides of them */
                text_add(d->out, " style=\"stroke-width:%u\"", 2 + 2 * s->covered);
            }
            text_add(d->out, " d=\"");
            for (uint32_t i = 0; i < s->n; i++) {
                text_add(d->out, "%s%.1f %.1f", i == 0 ? "M" : "L",
                         sweep_x_of(d, s->at[i].x), sweep_y_of(d, s->at[i].y));
            }
            text_add(d->out, "\"/>\n");
        }
        for (uint32_t i = 0; i < s->n; i++) {
            text_add(d->out,
                     "<circle class=\"dot c%u\" cx=\"%.1f\" cy=\"%.1f\" r=\"%u\"/>",
                     color(g), sweep_x_of(d, s->at[i].x), sweep_y_of(d, s->at[i].y),
                     3 + s->covered);
        }
        text_add(d->out, "\n");
    }
}

static void put_bars(struct drawing *d)
{
    double wide = d->c.width / (d->p->x.n_words == 0 ? 1 : d->p->x.n_words);
    double each = wide * 0.8 / (d->facet->n == 0 ? 1 : d->facet->n);
    double zero = sweep_y_of(d, d->p->y.log ? d->c.y.lo : 0);

    for (uint32_t g = 0; g < d->facet->n; g++) {
        const struct picture_series *s = &d->facet->series[g];

        text_add(d->out, "<path class=\"fill c%u\" d=\"", color(g));
        for (uint32_t i = 0; i < s->n; i++) {
            double left = d->c.left + wide * (s->at[i].x + 0.1) + each * g;

            text_add(d->out, "M%.1f %.1fV%.1fh%.1fV%.1fz", left, zero,
                     sweep_y_of(d, s->at[i].y), each * 0.94, zero);
        }
        text_add(d->out, "\"/>\n");
    }
}

static void put_front(struct drawing *d)
{
    const struct picture_point *last = NULL;

    text_add(d->out, "<path class=\"line l-soft dash\" d=\"");
    for (bool more = true; more;) { /* the next point of the front, by x */
        const struct picture_point *next = NULL;

        for (uint32_t g = 0; g < d->facet->n; g++) {
            for (uint32_t i = 0; i < d->facet->series[g].n; i++) {
                const struct picture_point *q = &d->facet->series[g].at[i];

                if (q->front && (last == NULL || q->x > last->x) &&
                    (next == NULL || q->x < next->x)) {
                    next = q;
                }
            }
        }
        more = next != NULL;
        if (more && last == NULL) {
            text_add(d->out, "M%.1f %.1f", sweep_x_of(d, next->x),
                     sweep_y_of(d, next->y));
        } else if (more) {
            text_add(d->out, "H%.1fV%.1f", sweep_x_of(d, next->x),
                     sweep_y_of(d, next->y));
        }
        last = more ? next : last;
    }
    text_add(d->out, "\"/>\n");
    for (uint32_t g = 0; g < d->facet->n; g++) {
        const struct picture_series *s = &d->facet->series[g];

        for (uint32_t i = 0; i < s->n; i++) {
            if (!sweep_is_drawn(d, &s->at[i])) {
                continue;
            }
            text_add(d->out,
                     "<circle class=\"dot c%u\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"%s/>",
                     color(g), sweep_x_of(d, s->at[i].x), sweep_y_of(d, s->at[i].y),
                     s->at[i].front ? "5" : "3.5",
                     s->at[i].front ? "" : " opacity=\"0.45\"");
        }
        text_add(d->out, "\n");
    }
}

/* Cells of the facet: NaN where there is no point. The caller frees. */
double *sweep_cells_of(const struct drawing *d)
{
    size_t n = (size_t)d->p->x.n_words * d->p->y.n_words;
    double *v = tb_alloc((n + 1) * sizeof(*v));

    for (size_t i = 0; i < n; i++) {
        v[i] = NAN;
    }
    for (uint32_t g = 0; g < d->facet->n; g++) {
        const struct picture_series *s = &d->facet->series[g];

        for (uint32_t i = 0; i < s->n; i++) { /* the first row is on top */
            size_t row = d->p->y.n_words - 1 - (size_t)s->at[i].y;

            v[row * d->p->x.n_words + (size_t)s->at[i].x] = s->at[i].z;
        }
    }
    return v;
}

static void put_cell_words(struct drawing *d, const double *v, double lo, double hi)
{
    uint32_t nx = d->p->x.n_words, ny = d->p->y.n_words;
    double wide = d->c.width / nx, high = d->c.height / ny;

    if (wide < 34 || high < 15) {
        return;
    }
    for (uint32_t r = 0; r < ny; r++) {
        for (uint32_t i = 0; i < nx; i++) {
            double z = v[r * nx + i];
            struct text word = {0};

            if (isnan(z)) {
                continue;
            }
            html_number(&word, z, 3);
            chart_word(d->out, d->c.left + wide * (i + 0.5),
                       d->c.top + high * (r + 0.5) + 4, "middle",
                       (z - lo) / (hi - lo) > 0.55 ? "on-hot" : "on-cool", word.s);
            text_free(&word);
        }
    }
}

/* From the least value, pale, to the largest. */
static void put_heat(struct drawing *d)
{
    double lo = 0, hi = 1, *v = sweep_cells_of(d), *shade;
    size_t n = (size_t)d->p->x.n_words * d->p->y.n_words;

    (void)picture_range(d->p, &d->p->z, &lo, &hi);
    hi = hi > lo ? hi : lo + 1;
    shade = tb_alloc((n + 1) * sizeof(*shade));
    for (size_t i = 0; i < n; i++) {
        shade[i] = isnan(v[i]) ? 0 : (v[i] - lo) / (hi - lo) * 0.999 + 0.001;
    }
    chart_heat(d->out, &d->c, shade, d->p->y.n_words, d->p->x.n_words, 1);
    put_cell_words(d, v, lo, hi);
    free(shade);
    free(v);
}

/* ---- points that failed ---- */

static void put_failed(struct drawing *d)
{
    const struct picture *p = d->p;
    double wide = d->c.width / (p->x.n_words == 0 ? 1 : p->x.n_words);
    double high = d->c.height / (p->y.n_words == 0 ? 1 : p->y.n_words);

    for (uint32_t i = 0; i < d->facet->n_failed; i++) {
        const struct picture_failed *at = &d->facet->failed[i];
        double x = sweep_x_of(d, at->x), y;

        if (p->kind == PLOT_HEAT) {
            x -= wide / 2 - 8; /* in a corner: others may have ended well there */
            y = d->c.top + d->c.height - high * (at->y + 1) + 8;
        } else {
            y = sweep_y_of(d, picture_failed_y(p, at));
        }
        if (p->kind == PLOT_BAR) {
            double each = 0.8 / (d->facet->n == 0 ? 1 : d->facet->n);

            x = d->c.left + wide * (at->x + 0.1 + each * (at->series + 0.5));
        }
        text_add(d->out, "<path class=\"line stroke failed");
        if (p->kind == PLOT_LINE) {
            text_add(d->out, " c%u", color(at->series));
        }
        text_add(d->out, "\" d=\"M%.1f %.1fl9 9m0 -9l-9 9\"/>", x - 4.5, y - 4.5);
    }
    text_add(d->out, d->facet->n_failed > 0 ? "\n" : "");
}

/* ---- figures ---- */

static void put_facet(struct drawing *d, const char *title)
{
    text_add(d->out, "<div>");
    if (d->p->facet != NULL) {
        text_add(d->out, "<h4>");
        html_text(d->out, d->p->facet);
        text_add(d->out, ": ");
        html_text(d->out, d->facet->name);
        text_add(d->out, "</h4>\n");
    }
    chart_open(d->out, WIDTH, HEIGHT + slant_room(d), 330, title, d->hover);
    if (d->p->kind == PLOT_HEAT) {
        put_heat(d);
    }
    put_axes(d);
    switch (d->p->kind) {
    case PLOT_LINE: put_lines(d); break;
    case PLOT_BAR: put_bars(d); break;
    case PLOT_PARETO: put_front(d); break;
    case PLOT_HEAT: break;
    }
    put_failed(d);
    chart_close(d->out);
    text_add(d->out, "<script type=\"application/json\" id=\"%s\">", d->hover);
    if (d->p->kind == PLOT_HEAT) {
        sweep_hover_cells(d);
    } else {
        sweep_hover_points(d);
    }
    text_add(d->out, "</script></div>\n");
}

/* Does a line of it have others on it? */
static bool has_covered(const struct picture *p)
{
    if (p->kind != PLOT_LINE) {
        return false;
    }
    for (uint32_t f = 0; f < p->n; f++) {
        for (uint32_t g = 0; g < p->facets[f].n; g++) {
            if (p->facets[f].series[g].covered > 0) {
                return true;
            }
        }
    }
    return false;
}

static void put_legend(const struct picture *p, struct text *out)
{
    if (p->group == NULL || p->n == 0) {
        return;
    }
    text_add(out, "<p class=\"scale\">");
    html_text(out, p->group);
    text_add(out, "</p>\n<ul class=\"legend\">");
    for (uint32_t g = 0; g < p->facets[0].n; g++) {
        text_add(
            out,
            "<li><svg viewBox=\"0 0 12 12\" aria-hidden=\"true\"><rect class=\"fill "
            "c%u\" width=\"12\" height=\"12\"/></svg>",
            color(g));
        html_text(out, p->facets[0].series[g].name[0] == '\0'
                           ? "(none)"
                           : p->facets[0].series[g].name);
        text_add(out, "</li>");
    }
    if (has_covered(p)) {
        text_add(out, "<li>wide: others lie on a piece of it</li>");
    }
    text_add(out, "</ul>\n");
}

void sweep_picture(const struct picture *p, const struct sweep_table *t, size_t n,
                   struct text *out)
{
    struct drawing d = {.p = p, .t = t, .out = out};
    struct text title = {0}, note = {0};

    if (p->title != NULL) {
        text_add(&title, "%s", p->title);
    } else {
        picture_name(p, &title);
    }
    picture_note(p, &note);
    text_add(out, "<div%s><h3>", p->n > 1 ? " class=\"wide\"" : "");
    html_text(out, title.s);
    text_add(out, "</h3>\n");
    if (note.n > 0 || p->kind == PLOT_PARETO) {
        text_add(out, "<p class=\"note\">");
        html_text(out, note.s);
        text_add(out, "%s", note.n > 0 && p->kind == PLOT_PARETO ? ". " : "");
        text_add(out, "%s</p>\n",
                 p->kind == PLOT_PARETO
                     ? "Less is better in both; no other point beats the large ones in "
                       "one without losing in the other."
                     : "");
    }
    put_legend(p, out);
    text_add(out, "<div%s>\n", p->n > 1 ? " class=\"grid2\"" : "");
    d.c = (struct chart){.left = LEFT,
                         .top = TOP,
                         .width = WIDTH - LEFT - RIGHT,
                         .height = HEIGHT - TOP - BOTTOM};
    set_axes(&d);
    for (uint32_t f = 0; f < p->n; f++) {
        d.facet = &p->facets[f];
        snprintf(d.hover, sizeof(d.hover), "d-plot%zu-%u", n, f);
        put_facet(&d, title.s);
    }
    text_add(out, "</div>\n");
    if (p->kind == PLOT_HEAT) {
        double lo = 0, hi = 0;
        struct text name = {0};

        (void)picture_range(p, &p->z, &lo, &hi);
        picture_axis_name(&p->z, &name);
        chart_scale(out, lo, hi, name.s);
        text_free(&name);
    }
    text_add(out, "</div>\n");
    text_free(&title);
    text_free(&note);
}
