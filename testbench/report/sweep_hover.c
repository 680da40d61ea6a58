/* sweep_hover.c - what the pointer tells over a picture of a sweep. */
#include "report/sweep_picture_priv.h"

#include <math.h>
#include <stdlib.h>

static void put_param_lines(struct drawing *d, const struct picture_point *at)
{
    for (uint32_t i = 0; i < d->t->n_columns; i++) {
        if (d->t->columns[i].role == TABLE_PARAM && at->merged == 1) {
            text_add(d->out, ",\"");
            html_json_text(d->out, d->t->columns[i].name);
            text_add(d->out, ": ");
            html_json_text(d->out, d->t->rows[at->row].cells[i].text);
            text_add(d->out, "\"");
        }
    }
    if (at->merged > 1) {
        text_add(d->out, ",\"mean of %u points\"", at->merged);
    }
}

void sweep_hover_points(struct drawing *d)
{
    bool first = true;

    text_add(d->out, "{\"kind\":\"nearest\",\"points\":[");
    for (uint32_t g = 0; g < d->facet->n; g++) {
        const struct picture_series *s = &d->facet->series[g];
        double each = 0.8 / (d->facet->n == 0 ? 1 : d->facet->n);
        double wide = d->c.width / (d->p->x.n_words == 0 ? 1 : d->p->x.n_words);

        for (uint32_t i = 0; i < s->n; i++) {
            const struct picture_point *at = &s->at[i];
            double x = d->p->kind == PLOT_BAR
                           ? d->c.left + wide * (at->x + 0.1 + each * (g + 0.5))
                           : sweep_x_of(d, at->x);

            if (!sweep_is_drawn(d, at)) {
                continue;
            }
            text_add(d->out, "%s\n[%.1f,%.1f,\"", first ? "" : ",", x,
                     sweep_y_of(d, at->y));
            html_json_text(d->out, d->p->y.name);
            text_add(d->out, " %.6g\",\"", at->y);
            html_json_text(d->out, d->p->x.name);
            if (d->p->x.words != NULL) {
                text_add(d->out, ": ");
                html_json_text(d->out, d->p->x.words[(size_t)at->x]);
            } else {
                text_add(d->out, ": %.6g", at->x);
            }
            text_add(d->out, "\"");
            if (d->p->group != NULL && at->merged > 1) {
                text_add(d->out, ",\"");
                html_json_text(d->out, d->p->group);
                text_add(d->out, ": ");
                html_json_text(d->out, s->name);
                text_add(d->out, "\"");
            }
            put_param_lines(d, at);
            text_add(d->out, "]");
            first = false;
        }
    }
    text_add(d->out, "]}");
}

static void hover_words(struct drawing *d, const struct picture_axis *a, bool down)
{
    for (uint32_t i = 0; i < a->n_words; i++) {
        text_add(d->out, "%s\"", i == 0 ? "" : ",");
        html_json_text(d->out, a->words[down ? a->n_words - 1 - i : i]);
        text_add(d->out, "\"");
    }
}

void sweep_hover_cells(struct drawing *d)
{
    double *v = sweep_cells_of(d);

    text_add(d->out,
             "{\"kind\":\"grid\",\"x\":[%.1f,%.1f],\"y\":[%.1f,%.1f],\"n\":%u,"
             "\"what\":\"",
             d->c.left, d->c.left + d->c.width, d->c.top, d->c.top + d->c.height,
             d->p->x.n_words);
    html_json_text(d->out, d->p->x.name);
    text_add(d->out, "\",\"row\":\"");
    html_json_text(d->out, d->p->y.name);
    text_add(d->out, "\",\"unit\":\"");
    html_json_text(d->out, d->p->z.name);
    text_add(d->out, "\",\"names\":[");
    hover_words(d, &d->p->x, false);
    text_add(d->out, "],\"rows\":[");
    hover_words(d, &d->p->y, true);
    text_add(d->out, "],\"v\":[");
    for (uint32_t r = 0; r < d->p->y.n_words; r++) {
        text_add(d->out, "%s[", r == 0 ? "" : ",");
        for (uint32_t i = 0; i < d->p->x.n_words; i++) {
            double z = v[r * d->p->x.n_words + i];

            text_add(d->out, "%s", i == 0 ? "" : ",");
            if (isnan(z)) {
                text_add(d->out, "null");
            } else {
                text_add(d->out, "%.6g", z);
            }
        }
        text_add(d->out, "]");
    }
    text_add(d->out, "]}");
    free(v);
}
