/* picture_words.c - what is said of a finished picture: names, notes, ranges, and which
 * lines lie on others. */
#include "sweep/picture.h"

#include <math.h>
#include <string.h>

void picture_name(const struct picture *p, struct text *out)
{
    if (p->kind == PLOT_HEAT) {
        text_add(out, "%s by %s and %s", p->z.name, p->x.name, p->y.name);
    } else if (p->kind == PLOT_PARETO) {
        text_add(out, "%s against %s", p->y.name, p->x.name);
    } else {
        text_add(out, "%s by %s", p->y.name, p->x.name);
    }
}

void picture_axis_name(const struct picture_axis *a, struct text *out)
{
    text_add(out, "%s", a->name);
    if (a->unit[0] != '\0' && strcmp(a->unit, a->name) != 0) {
        text_add(out, " [%s]", a->unit);
    }
}

void picture_note(const struct picture *p, struct text *out)
{
    if (p->merged > 1) {
        text_add(out, "mean of up to %u points that differ in %s", p->merged,
                 p->names.n == 0 ? "nothing" : p->names.s);
    }
    if (p->n_failed > 0) {
        text_add(out, "%s%llu point%s failed", out->n > 0 ? "; " : "",
                 (unsigned long long)p->n_failed, p->n_failed == 1 ? "" : "s");
        text_add(out, p->kind == PLOT_PARETO ? "" : ", crossed out");
    }
}

static void widen(double v, double *lo, double *hi, bool *any)
{
    *lo = !*any || v < *lo ? v : *lo;
    *hi = !*any || v > *hi ? v : *hi;
    *any = true;
}

bool picture_range(const struct picture *p, const struct picture_axis *a, double *lo,
                   double *hi)
{
    bool any = false;

    for (uint32_t f = 0; f < p->n; f++) {
        for (uint32_t g = 0; g < p->facets[f].n; g++) {
            for (uint32_t i = 0; i < p->facets[f].series[g].n; i++) {
                const struct picture_point *at = &p->facets[f].series[g].at[i];

                widen(a == &p->x ? at->x : a == &p->y ? at->y : at->z, lo, hi, &any);
            }
        }
        for (uint32_t i = 0; i < p->facets[f].n_failed && a == &p->x; i++) {
            widen(p->facets[f].failed[i].x, lo, hi, &any);
        }
    }
    return any;
}

double picture_failed_y(const struct picture *p, const struct picture_failed *f)
{
    double lo = 0, hi = 1;
    uint32_t above = f->series;

    if (p->kind == PLOT_HEAT) {
        return f->y;
    }
    if (p->kind == PLOT_BAR) {
        above = 0; /* each has a place of its own beside the others */
    }
    (void)picture_range(p, &p->y, &lo, &hi);
    if (p->y.log) {
        return lo * pow(hi / lo, 0.04 * above);
    }
    lo = lo > 0 ? 0 : lo;
    hi = hi > lo ? hi : lo + 1; /* as the axis is */
    return lo + (hi - lo) * 0.04 * (above + 0.5);
}

/* Do two series have two neighbouring points in common, and so a piece of line? */
static bool shares_piece(const struct picture_series *a, const struct picture_series *b)
{
    bool before = false; /* the point before was in both */

    for (uint32_t i = 0, k = 0; i < a->n && k < b->n;) {
        bool same = a->at[i].x == b->at[k].x && a->at[i].y == b->at[k].y;

        if (same && before) {
            return true;
        }
        before = same;
        if (a->at[i].x == b->at[k].x) {
            i++;
            k++;
        } else if (a->at[i].x < b->at[k].x) {
            i++;
        } else {
            k++;
        }
    }
    return false;
}

void picture_find_covered(struct picture_facet *f)
{
    for (uint32_t g = f->n; g-- > 0;) {
        f->series[g].covered = 0;
        for (uint32_t over = g + 1; over < f->n; over++) {
            if (f->series[over].covered >= f->series[g].covered &&
                shares_piece(&f->series[g], &f->series[over])) {
                f->series[g].covered = f->series[over].covered + 1;
            }
        }
    }
}
