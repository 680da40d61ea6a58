#include "sweep/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const picture_kinds[4] = {"line", "bar", "heat", "pareto"};

struct making {
    struct picture *p;
    const struct sweep_table *t;
    uint32_t x, y, z, group, facet; /* columns; UINT32_MAX: none */
};

static const struct table_cell *cell(const struct making *m, uint64_t row,
                                     uint32_t column)
{
    return &m->t->rows[row].cells[column];
}

static bool is_shown(const struct making *m, uint64_t row)
{
    const uint32_t needed[] = {m->x, m->y, m->z};

    if (m->t->rows[row].done.status != STORE_OK) {
        return false;
    }
    for (uint32_t i = 0; i < ARRAY_LEN(needed); i++) {
        if (needed[i] != UINT32_MAX && cell(m, row, needed[i])->text[0] == '\0') {
            return false;
        }
    }
    return true;
}

/* Parameters are known of it. */
static bool is_failed(const struct making *m, uint64_t row)
{
    return m->t->rows[row].done.status == STORE_FAILED;
}

/* A parameter of a point that failed, or any value of one that is shown. */
static bool has(const struct making *m, uint64_t row, uint32_t column)
{
    return is_failed(m, row) ? cell(m, row, column)->text[0] != '\0' : is_shown(m, row);
}

/* ---- columns ---- */

static bool find(struct making *m, const char *what, const char *name,
                 struct picture_axis *a, uint32_t *column, struct smw_err *e)
{
    *column = UINT32_MAX;
    if (name == NULL) {
        return true;
    }
    if (!table_need(m->t, what, name, column, e)) {
        return false;
    }
    if (a != NULL) {
        a->name = m->t->columns[*column].name;
        a->unit = m->t->columns[*column].unit;
    }
    return true;
}

/* What is drawn as a length or a colour is a number in every row; log: above 0. */
static bool needs_numbers(const struct making *m, const char *what, uint32_t column,
                          bool above_zero, struct smw_err *e)
{
    for (uint64_t r = 0; r < m->t->n_rows; r++) {
        const struct table_cell *c = cell(m, r, column);

        if (!has(m, r, column)) {
            continue;
        }
        if (!c->is_number) {
            err_set(e, SMW_ERR_USAGE, "%s: '%s' is not a number in point %llu: '%s'",
                    what, m->t->columns[column].name, (unsigned long long)r, c->text);
            return false;
        }
        if (above_zero && c->number <= 0) {
            err_set(e, SMW_ERR_USAGE,
                    "%s: '%s' is %s in point %llu, which has no logarithm", what,
                    m->t->columns[column].name, c->text, (unsigned long long)r);
            return false;
        }
    }
    return true;
}

static bool all_numbers(const struct making *m, uint32_t column)
{
    for (uint64_t r = 0; r < m->t->n_rows; r++) {
        if (has(m, r, column) && !cell(m, r, column)->is_number) {
            return false;
        }
    }
    return true;
}

/* ---- words ---- */

struct words {
    const char **at;
    uint32_t n, max;
};

static uint32_t word_at(const struct words *w, const char *text)
{
    uint32_t i = 0;

    while (i < w->n && strcmp(w->at[i], text) != 0) {
        i++;
    }
    return i;
}

static int by_number(const void *a, const void *b)
{
    double x = strtod(*(const char *const *)a, NULL);
    double y = strtod(*(const char *const *)b, NULL);

    return x < y ? -1 : x > y;
}

/* The values of a column, in the order of the plan; numbers ascending. */
static bool collect(const struct making *m, const char *what, uint32_t column,
                    struct words *w, struct smw_err *e)
{
    w->at = tb_alloc((w->max + 1) * sizeof(*w->at));
    w->n = 0;
    for (uint64_t r = 0; r < m->t->n_rows; r++) {
        const char *text = cell(m, r, column)->text;

        if (!has(m, r, column) || word_at(w, text) < w->n) {
            continue;
        }
        if (w->n == w->max) {
            return err_set(e, SMW_ERR_USAGE, "%s: '%s' has more than %u values", what,
                           m->t->columns[column].name, w->max);
        }
        w->at[w->n++] = text;
    }
    if (all_numbers(m, column)) {
        qsort(w->at, w->n, sizeof(*w->at), by_number);
    }
    return true;
}

static bool axis_words(const struct making *m, const char *what, uint32_t column,
                       struct picture_axis *a, struct smw_err *e)
{
    struct words w = {.max = PICTURE_MAX_WORDS};
    bool ok = collect(m, what, column, &w, e);

    a->words = w.at;
    a->n_words = w.n;
    return ok;
}

/* ---- points ---- */

static double place(const struct making *m, const struct picture_axis *a,
                    uint32_t column, uint64_t row)
{
    const struct table_cell *c = cell(m, row, column);
    struct words w = {a->words, a->n_words, 0};

    return a->words != NULL ? word_at(&w, c->text) : c->number;
}

static int by_place(const void *a, const void *b)
{
    const struct picture_point *p = a, *q = b;

    if (p->x != q->x) {
        return p->x < q->x ? -1 : 1;
    }
    return p->row < q->row ? -1 : p->row > q->row;
}

/* By x, then y, then row: of all kinds the order of the table behind a picture. */
static int by_cell(const void *a, const void *b)
{
    const struct picture_point *p = a, *q = b;

    if (p->x != q->x) {
        return p->x < q->x ? -1 : 1;
    }
    return p->y != q->y ? (p->y < q->y ? -1 : 1) : by_place(a, b);
}

/* Parameters that tell the rows apart are named once. */
static void note_differences(struct making *m, uint64_t a, uint64_t b)
{
    struct picture *p = m->p;

    for (uint32_t i = 0; i < m->t->n_columns; i++) {
        const char *name = m->t->columns[i].name, *at;

        if (m->t->columns[i].role != TABLE_PARAM ||
            strcmp(cell(m, a, i)->text, cell(m, b, i)->text) == 0) {
            continue;
        }
        at = p->names.n == 0 ? NULL : strstr(p->names.s, name);
        while (at != NULL && (at[strlen(name)] != ',' && at[strlen(name)] != '\0')) {
            at = strstr(at + 1, name);
        }
        if (at == NULL) {
            text_add(&p->names, "%s%s", p->names.n == 0 ? "" : ", ", name);
        }
    }
}

/* Of neighbours at one place, the mean of what is shown there. */
static void merge(struct making *m, struct picture_series *s)
{
    bool heat = m->p->kind == PLOT_HEAT;
    uint32_t n = 0;

    if (s->n > 0) {
        qsort(s->at, s->n, sizeof(*s->at), heat ? by_cell : by_place);
    }
    for (uint32_t i = 0, end; i < s->n; i = end) {
        struct picture_point sum = s->at[i];

        for (end = i + 1;
             end < s->n && s->at[end].x == sum.x && (!heat || s->at[end].y == sum.y);
             end++) {
            sum.z += s->at[end].z;
            sum.y += heat ? 0 : s->at[end].y;
            note_differences(m, sum.row, s->at[end].row);
        }
        sum.merged = end - i;
        sum.z /= sum.merged;
        sum.y /= heat ? 1 : sum.merged;
        m->p->merged = sum.merged > m->p->merged ? sum.merged : m->p->merged;
        s->at[n++] = sum;
    }
    s->n = n;
}

static int by_pointer(const void *a, const void *b)
{
    return by_cell(*(const struct picture_point *const *)a,
                   *(const struct picture_point *const *)b);
}

/* From the least x on, a point is on the front if it is below all with a smaller x, and
 * none with the same x is lower. */
static void mark_front(const struct picture *p, struct picture_facet *f)
{
    struct picture_point **at = tb_alloc((p->points + 1) * sizeof(*at));
    double least = HUGE_VAL;
    size_t n = 0;

    for (uint32_t s = 0; s < f->n; s++) {
        if (f->series[s].n > 0) {
            qsort(f->series[s].at, f->series[s].n, sizeof(*f->series[s].at), by_cell);
        }
        for (uint32_t i = 0; i < f->series[s].n; i++) {
            at[n++] = &f->series[s].at[i];
        }
    }
    qsort(at, n, sizeof(*at), by_pointer);
    for (size_t i = 0, end; i < n; i = end) {
        double y = at[i]->y;

        for (end = i; end < n && at[end]->x == at[i]->x; end++) {
            at[end]->front = at[end]->y == y && y < least;
        }
        least = y < least ? y : least;
    }
    free(at);
}

static void add_point(struct picture_series *s, const struct picture_point *p)
{
    if ((s->n & (s->n - 1)) == 0) { /* 0 or a power of two: full */
        s->at = tb_realloc(s->at, (s->n == 0 ? 1 : 2 * s->n) * sizeof(*s->at));
    }
    s->at[s->n++] = *p;
}

/* The facet or the series of a row. */
static uint32_t part_of(const struct making *m, const struct words *parts,
                        uint32_t column, uint64_t row)
{
    return column == UINT32_MAX ? 0 : word_at(parts, cell(m, row, column)->text);
}

static void add_failed(struct making *m, const struct words *facets,
                       const struct words *groups, uint64_t row)
{
    uint32_t f = part_of(m, facets, m->facet, row);
    struct picture_facet *facet = &m->p->facets[f];
    const bool heat = m->p->kind == PLOT_HEAT;
    struct picture_failed at = {.row = row};

    m->p->n_failed++;
    if (f >= m->p->n || m->p->kind == PLOT_PARETO || !has(m, row, m->x) ||
        (heat && !has(m, row, m->y))) {
        return;
    }
    at.series = part_of(m, groups, m->group, row);
    at.x = place(m, &m->p->x, m->x, row);
    at.y = heat ? place(m, &m->p->y, m->y, row) : 0;
    facet->failed =
        tb_realloc(facet->failed, (facet->n_failed + 1) * sizeof(*facet->failed));
    facet->failed[facet->n_failed++] = at;
}

static void fill(struct making *m, const struct words *facets,
                 const struct words *groups)
{
    struct picture *p = m->p;

    p->n = facets->n;
    p->facets = tb_alloc((p->n + 1) * sizeof(*p->facets));
    for (uint32_t f = 0; f < p->n; f++) {
        p->facets[f].name = facets->at[f];
        p->facets[f].n = groups->n;
        p->facets[f].series = tb_alloc((groups->n + 1) * sizeof(*p->facets[f].series));
        for (uint32_t g = 0; g < groups->n; g++) {
            p->facets[f].series[g].name = groups->at[g];
        }
    }
    for (uint64_t r = 0; r < m->t->n_rows; r++) {
        struct picture_point at = {.row = r, .merged = 1};
        uint32_t f = 0, g = 0;

        if (is_failed(m, r)) {
            add_failed(m, facets, groups, r);
            continue;
        }
        if (!is_shown(m, r)) {
            continue;
        }
        f = part_of(m, facets, m->facet, r);
        g = part_of(m, groups, m->group, r);
        at.x = place(m, &p->x, m->x, r);
        at.y = place(m, &p->y, m->y, r);
        at.z = m->z == UINT32_MAX ? 0 : cell(m, r, m->z)->number;
        add_point(&p->facets[f].series[g], &at);
        p->points++;
    }
    for (uint32_t f = 0; f < p->n; f++) {
        for (uint32_t g = 0; p->kind != PLOT_PARETO && g < groups->n; g++) {
            merge(m, &p->facets[f].series[g]);
        }
        if (p->kind == PLOT_PARETO) {
            mark_front(p, &p->facets[f]);
        } else if (p->kind == PLOT_LINE) {
            picture_find_covered(&p->facets[f]);
        }
    }
}

/* Values of the group or the facet; one nameless value without. */
static bool split(const struct making *m, const char *what, uint32_t column,
                  struct words *w, struct smw_err *e)
{
    if (column != UINT32_MAX) {
        return collect(m, what, column, w, e);
    }
    w->at = tb_alloc(sizeof(*w->at));
    w->at[0] = "";
    w->n = 1;
    return true;
}

static bool check(struct making *m, struct smw_err *e)
{
    struct picture *p = m->p;
    bool heat = p->kind == PLOT_HEAT;

    if (heat && m->z == UINT32_MAX) {
        err_set(e, SMW_ERR_USAGE,
                "a heat map of '%s' by '%s' needs a third column, its "
                "colour",
                p->y.name, p->x.name);
        err_hint(e, "--z NAME; in a sweep file z: NAME");
        return false;
    }
    if (heat || p->kind == PLOT_BAR ||
        (p->kind == PLOT_LINE && !all_numbers(m, m->x))) {
        p->x.log = false;
        if (!axis_words(m, "x", m->x, &p->x, e)) {
            return false;
        }
    } else if (!needs_numbers(m, "x", m->x, p->x.log, e)) {
        return false;
    }
    if (!heat) {
        return needs_numbers(m, "y", m->y, p->y.log, e);
    }
    p->y.log = false;
    return axis_words(m, "y", m->y, &p->y, e) && needs_numbers(m, "z", m->z, false, e);
}

bool picture_make(struct picture *p, const struct sweep_table *t,
                  const struct sweep_plot *plot, struct smw_err *e)
{
    struct making m = {.p = p, .t = t};
    struct words facets = {.max = PICTURE_MAX_FACETS},
                 groups = {.max = PICTURE_MAX_SERIES};
    bool ok;

    *p = (struct picture){.kind = plot->kind,
                          .title = plot->title,
                          .group = plot->group,
                          .facet = plot->facet};
    p->x.log = plot->log_x;
    p->y.log = plot->log_y;
    ok = find(&m, "x", plot->x, &p->x, &m.x, e) &&
         find(&m, "y", plot->y, &p->y, &m.y, e) &&
         find(&m, "z", plot->kind == PLOT_HEAT ? plot->z : NULL, &p->z, &m.z, e) &&
         find(&m, "group", plot->group, NULL, &m.group, e) &&
         find(&m, "facet", plot->facet, NULL, &m.facet, e) && check(&m, e) &&
         split(&m, "facet", m.facet, &facets, e) &&
         split(&m, "group", m.group, &groups, e);
    if (ok) {
        fill(&m, &facets, &groups);
    } else {
        picture_free(p);
    }
    free(facets.at);
    free(groups.at);
    return ok;
}

void picture_free(struct picture *p)
{
    for (uint32_t f = 0; f < p->n; f++) {
        for (uint32_t g = 0; g < p->facets[f].n; g++) {
            free(p->facets[f].series[g].at);
        }
        free(p->facets[f].series);
        free(p->facets[f].failed);
    }
    free(p->facets);
    free(p->x.words);
    free(p->y.words);
    text_free(&p->names);
    *p = (struct picture){0};
}

/* ---- without plots in the sweep file ---- */

/* Distinct values of a column, counted up to PICTURE_MAX_SERIES + 1. */
static uint32_t n_values(const struct sweep_table *t, uint32_t column, bool *numbers)
{
    const char *seen[PICTURE_MAX_SERIES + 1];
    struct words w = {seen, 0, 0};

    *numbers = true;
    for (uint64_t r = 0; r < t->n_rows && w.n <= PICTURE_MAX_SERIES; r++) {
        const struct table_cell *c = &t->rows[r].cells[column];

        *numbers = *numbers && c->is_number;
        if (word_at(&w, c->text) == w.n) {
            seen[w.n++] = c->text;
        }
    }
    return w.n;
}

uint32_t picture_plots(const struct sweep_table *t, struct sweep_plot *fallback,
                       const struct sweep_plot **plots)
{
    int32_t x = -1, y = -1, most = 0;
    bool numbers;

    *plots = t->sweep.plots;
    if (t->sweep.n_plots > 0) {
        return t->sweep.n_plots;
    }
    *fallback = (struct sweep_plot){.kind = PLOT_LINE};
    *plots = fallback;
    for (uint32_t i = 0; i < t->n_columns; i++) {
        if (t->columns[i].role == TABLE_VALUE && y < 0) {
            y = (int32_t)(i + t->n_ratios); /* against the baseline, if there is one */
        } else if (t->columns[i].role == TABLE_PARAM) {
            int32_t n = (int32_t)n_values(t, i, &numbers);

            if (n * (numbers ? 100 : 1) > most) { /* numbers make the better axis */
                most = n * (numbers ? 100 : 1);
                x = (int32_t)i;
            }
        }
    }
    if (x < 0 || y < 0) {
        return 0;
    }
    fallback->x = t->columns[x].name;
    fallback->y = t->columns[y].name;
    (void)n_values(t, (uint32_t)x, &numbers);
    fallback->kind = numbers ? PLOT_LINE : PLOT_BAR;
    for (uint32_t i = 0; i < t->n_columns; i++) {
        uint32_t n = t->columns[i].role == TABLE_PARAM && (int32_t)i != x
                         ? n_values(t, i, &numbers)
                         : 0;

        if (n > 1 && n <= 8 && fallback->group == NULL) {
            fallback->group = t->columns[i].name;
        } else if (n > 1 && n <= 8 && fallback->facet == NULL) {
            fallback->facet = t->columns[i].name;
        }
    }
    return 1;
}
