/* gnuplot_csv.c - gnuplot_csv() of gnuplot.h. */
#include "sweep/gnuplot.h"

#include <stdlib.h>
#include <string.h>

/* ---- the table behind a picture ---- */

struct row { /* a place on the axis, or a point of a Pareto plot */
    double x, y;
    uint64_t point; /* pareto: its row of the results */
};

static int by_row(const void *a, const void *b)
{
    const struct row *p = a, *q = b;

    if (p->x != q->x) {
        return p->x < q->x ? -1 : 1;
    }
    if (p->y != q->y) {
        return p->y < q->y ? -1 : 1;
    }
    return p->point < q->point ? -1 : p->point > q->point;
}

static bool same_row(const struct row *a, const struct row *b)
{
    return a->x == b->x && a->y == b->y && a->point == b->point;
}

static struct row row_of(const struct picture *p, const struct picture_point *at)
{
    switch (p->kind) {
    case PLOT_LINE:
    case PLOT_BAR: return (struct row){at->x, 0, 0};
    case PLOT_HEAT: return (struct row){at->x, at->y, 0};
    case PLOT_PARETO: break;
    }
    return (struct row){at->x, at->y, at->row};
}

/* All rows, in order, each once; the caller frees. An axis of words has all of them,
 * for a row is at the place that its number says. */
static struct row *rows_of(const struct picture *p, size_t *n)
{
    bool words = (p->kind == PLOT_LINE || p->kind == PLOT_BAR) && p->x.words != NULL;
    uint32_t n_words = words ? p->x.n_words : 0;
    struct row *rows = tb_alloc((p->points + n_words + 1) * sizeof(*rows));
    size_t all = 0;

    for (uint32_t i = 0; i < n_words; i++) {
        rows[all++] = (struct row){i, 0, 0};
    }
    for (uint32_t f = 0; f < p->n; f++) {
        for (uint32_t g = 0; g < p->facets[f].n; g++) {
            for (uint32_t i = 0; i < p->facets[f].series[g].n; i++) {
                rows[all++] = row_of(p, &p->facets[f].series[g].at[i]);
            }
        }
    }
    qsort(rows, all, sizeof(*rows), by_row);
    *n = 0;
    for (size_t i = 0; i < all; i++) {
        if (*n == 0 || !same_row(&rows[*n - 1], &rows[i])) {
            rows[(*n)++] = rows[i];
        }
    }
    return rows;
}

/* The point of the row, if the series has one; rows come in the order of its points. */
static const struct picture_point *point_at(const struct picture *p,
                                            const struct picture_series *s,
                                            const struct row *r, uint32_t *next)
{
    if (*next < s->n) {
        const struct row own = row_of(p, &s->at[*next]);

        if (same_row(&own, r)) {
            return &s->at[(*next)++];
        }
    }
    return NULL;
}

/* ---- CSV ---- */

static void put_value(struct text *out, double v)
{
    char text[EXPR_NUMBER_SIZE];

    expr_print(v, text);
    text_add(out, ",%s", text);
}

static void put_place(struct text *out, const struct picture_axis *a, double v)
{
    char text[EXPR_NUMBER_SIZE];

    if (a->words != NULL) {
        table_csv_field(a->words[(uint32_t)v], out);
    } else {
        expr_print(v, text);
        text_add(out, "%s", text);
    }
}

/* "48/16", "gtx480: 48/16": what a column of the table is called. */
static void series_name(const struct picture *p, const struct picture_facet *f,
                        const struct picture_series *s, struct text *out)
{
    if (p->facet != NULL) {
        text_add(out, "%s", f->name);
    }
    if (p->group != NULL) {
        text_add(out, "%s%s", p->facet != NULL ? ": " : "", s->name);
    }
    if (out->n == 0) {
        text_add(out, "%s", p->kind == PLOT_HEAT ? p->z.name : p->y.name);
    }
}

static void put_heads(const struct picture *p, struct text *out)
{
    table_csv_field(p->x.name, out);
    if (p->kind == PLOT_HEAT) {
        text_add(out, ",");
        table_csv_field(p->y.name, out);
        text_add(out, ",column,row");
    } else if (p->kind == PLOT_PARETO) {
        text_add(out, ",index");
    }
    for (uint32_t f = 0; f < p->n; f++) {
        for (uint32_t g = 0; g < p->facets[f].n; g++) {
            struct text name = {0};

            series_name(p, &p->facets[f], &p->facets[f].series[g], &name);
            text_add(out, ",");
            table_csv_field(name.n == 0 ? "" : name.s, out);
            text_free(&name);
        }
        if (p->kind == PLOT_PARETO) {
            struct text name = {0};

            text_add(&name, "%s%sfront", p->facets[f].name,
                     p->facet != NULL ? ": " : "");
            text_add(out, ",");
            table_csv_field(name.s, out);
            text_free(&name);
        }
    }
    text_add(out, "\n");
}

/* next: the point of each series, counted over all facets, that comes next. */
static void put_row(const struct picture *p, const struct row *r, uint32_t *next,
                    struct text *out)
{
    put_place(out, &p->x, r->x);
    if (p->kind == PLOT_HEAT) {
        text_add(out, ",");
        put_place(out, &p->y, r->y);
        text_add(out, ",%.0f,%.0f", r->x, r->y);
    } else if (p->kind == PLOT_PARETO) {
        text_add(out, ",%llu", (unsigned long long)r->point);
    }
    for (uint32_t f = 0; f < p->n; f++) {
        const struct picture_point *front = NULL;

        for (uint32_t g = 0; g < p->facets[f].n; g++) {
            const struct picture_point *at =
                point_at(p, &p->facets[f].series[g], r, &next[f * p->facets[f].n + g]);

            if (at == NULL) {
                text_add(out, ",");
            } else {
                put_value(out, p->kind == PLOT_HEAT ? at->z : at->y);
                front = at->front ? at : front;
            }
        }
        if (p->kind == PLOT_PARETO && front != NULL) {
            put_value(out, front->y);
        } else if (p->kind == PLOT_PARETO) {
            text_add(out, ",");
        }
    }
    text_add(out, "\n");
}

void gnuplot_csv(const struct picture *p, struct text *out)
{
    size_t n;
    struct row *rows = rows_of(p, &n);
    uint32_t *next =
        tb_alloc(((size_t)PICTURE_MAX_FACETS * PICTURE_MAX_SERIES) * sizeof(*next));

    put_heads(p, out);
    for (size_t i = 0; i < n; i++) {
        put_row(p, &rows[i], next, out);
    }
    free(next);
    free(rows);
}
