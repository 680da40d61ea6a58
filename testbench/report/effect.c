#include "report/effect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 400 };

struct entry {          /* a point, seen from one dimension */
    char *others, *own; /* values of the other dimensions; of this one */
    double place;       /* of own, in the order of values */
    uint64_t row;
};

struct step_values { /* changes of a step while they are collected */
    double *v;
    uint32_t n;
};

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

double effect_median(double *v, size_t n)
{
    if (n == 0) {
        return 0;
    }
    qsort(v, n, sizeof(*v), by_value);
    return n % 2 == 1 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* ---- points ---- */

static void add_dim(const struct sweep_table *t, uint64_t row,
                    const struct sweep_dim *d, const char *between, struct text *out)
{
    for (uint32_t i = 0; i < d->n_axes; i++) {
        int32_t c = table_find(t, d->axes[i].key.name);

        text_add(out, "%s%s", i == 0 ? "" : between,
                 c < 0 ? "" : t->rows[row].cells[c].text);
    }
}

static char *text_of(struct text *t)
{
    return t->s == NULL ? tb_strdup("") : t->s;
}

static bool is_number(const char *s, double *v)
{
    char *end;

    *v = strtod(s, &end);
    return *s != '\0' && *end == '\0';
}

static int by_own(const void *a, const void *b)
{
    const struct entry *x = *(const struct entry *const *)a,
                       *y = *(const struct entry *const *)b;
    int order = strcmp(x->own, y->own);

    return order != 0 ? order : x->row < y->row ? -1 : x->row > y->row;
}

/* Values of the dimension in their order: as they come, numbers ascending. How many. */
static uint32_t put_in_order(struct entry *e, size_t n)
{
    struct entry **at = tb_alloc((n + 1) * sizeof(*at));
    bool numbers = true;
    uint32_t values = 0;

    for (size_t i = 0; i < n; i++) {
        double v;

        at[i] = &e[i];
        numbers = numbers && is_number(e[i].own, &v);
    }
    qsort(at, n, sizeof(*at), by_own);
    for (size_t i = 0, first = 0; i < n; i++) {
        if (i == 0 || strcmp(at[first]->own, at[i]->own) != 0) {
            first = i;
            values++;
        }
        at[i]->place = (double)at[first]->row;
        if (numbers) {
            (void)is_number(at[i]->own, &at[i]->place);
        }
    }
    free(at);
    return values;
}

static int by_others(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = strcmp(x->others, y->others);

    if (order != 0) {
        return order;
    }
    if (x->place != y->place) {
        return x->place < y->place ? -1 : 1;
    }
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Points that ended well, those that differ in dimension d alone side by side. */
static struct entry *entries(const struct sweep_table *t, uint32_t d, size_t *n,
                             uint32_t *n_values)
{
    struct entry *e = tb_alloc((t->n_rows + 1) * sizeof(*e));

    *n = 0;
    for (uint64_t r = 0; r < t->n_rows; r++) {
        struct text own = {0}, others = {0};

        if (t->rows[r].done.status != STORE_OK) {
            continue;
        }
        for (uint32_t k = 0; k < t->sweep.n_dims; k++) {
            if (k == d) {
                add_dim(t, r, &t->sweep.dims[k], ", ", &own);
            } else {
                add_dim(t, r, &t->sweep.dims[k], "\x1f", &others);
                text_add(&others, "\x1e");
            }
        }
        e[(*n)++] = (struct entry){text_of(&others), text_of(&own), 0, r};
    }
    *n_values = put_in_order(e, *n);
    qsort(e, *n, sizeof(*e), by_others);
    return e;
}

/* ---- steps ---- */

static struct effect_step *step_at(struct effect *f, uint32_t n_values,
                                   const struct entry *from, const struct entry *to,
                                   struct step_values **values)
{
    struct effect_step *s;

    for (uint32_t i = 0; i < f->n_steps; i++) {
        if (strcmp(f->steps[i].from, from->own) == 0 &&
            strcmp(f->steps[i].to, to->own) == 0) {
            return &f->steps[i];
        }
    }
    if (f->n_steps == MAX_STEPS) {
        return NULL;
    }
    f->steps = tb_realloc(f->steps, (f->n_steps + 1) * sizeof(*f->steps));
    *values = tb_realloc(*values, (f->n_steps + 1) * n_values * sizeof(**values));
    memset(*values + f->n_steps * n_values, 0, n_values * sizeof(**values));
    s = &f->steps[f->n_steps++];
    *s = (struct effect_step){.from = tb_strdup(from->own),
                              .to = tb_strdup(to->own),
                              .of = tb_alloc((n_values + 1) * sizeof(*s->of))};
    return s;
}

static void add_value(struct step_values *s, double v)
{
    if ((s->n & (s->n - 1)) == 0) { /* 0 or a power of two: full */
        s->v = tb_realloc(s->v, (s->n == 0 ? 1 : 2 * s->n) * sizeof(*s->v));
    }
    s->v[s->n++] = v;
}

static void add_pair(const struct effects *e, struct effect *f,
                     const struct sweep_table *t, const struct entry *from,
                     const struct entry *to, struct step_values **values)
{
    struct effect_step *s = step_at(f, e->n_values, from, to, values);

    if (s == NULL) {
        return;
    }
    s->pairs++;
    for (uint32_t i = 0; i < e->n_values; i++) {
        const struct table_cell *a = &t->rows[from->row].cells[e->values[i]];
        const struct table_cell *b = &t->rows[to->row].cells[e->values[i]];

        if (a->is_number && b->is_number && (a->number != 0 || b->number == 0)) {
            add_value(&(*values)[(size_t)(s - f->steps) * e->n_values + i],
                      a->number == 0 ? 0 : (b->number - a->number) / fabs(a->number));
        }
    }
}

/* n points that differ in this dimension alone. */
static void pair_neighbours(const struct effects *e, struct effect *f,
                            const struct sweep_table *t, const struct entry *at,
                            size_t n, struct step_values **values)
{
    for (size_t i = 1; i < n; i++) {
        if (at[i - 1].place != at[i].place) {
            add_pair(e, f, t, &at[i - 1], &at[i], values);
        }
    }
}

static void pair_with_base(const struct effects *e, struct effect *f,
                           const struct sweep_table *t, uint32_t d,
                           const struct entry *at, size_t n,
                           struct step_values **values)
{
    size_t base = 0;

    while (base < n && !table_is_base(t, at[base].row, d)) {
        base++;
    }
    for (size_t i = 0; base < n && i < n; i++) {
        if (at[i].place != at[base].place) {
            add_pair(e, f, t, &at[base], &at[i], values);
        }
    }
}

static void finish_steps(const struct effects *e, struct effect *f,
                         struct step_values *values)
{
    for (uint32_t s = 0; s < f->n_steps; s++) {
        for (uint32_t i = 0; i < e->n_values; i++) {
            struct step_values *v = &values[s * e->n_values + i];
            struct effect_change *c = &f->steps[s].of[i];

            c->pairs = v->n;
            c->median = effect_median(v->v, v->n);
            c->least = v->n == 0 ? 0 : v->v[0];
            c->most = v->n == 0 ? 0 : v->v[v->n - 1];
            free(v->v);
        }
    }
    free(values);
}

/* Largest to smallest value of each group of points that differ in this alone. */
static double spread(const struct effects *e, const struct sweep_table *t,
                     const struct entry *at, size_t n)
{
    double *ratio = tb_alloc((n + 1) * sizeof(*ratio)), median;
    size_t groups = 0;

    for (size_t i = 0, end; i < n; i = end) {
        double lo = HUGE_VAL, hi = -HUGE_VAL;

        for (end = i; end < n && strcmp(at[end].others, at[i].others) == 0; end++) {
            const struct table_cell *c = &t->rows[at[end].row].cells[e->values[0]];

            lo = c->is_number && c->number < lo ? c->number : lo;
            hi = c->is_number && c->number > hi ? c->number : hi;
        }
        if (end > i + 1 && lo > 0 && hi >= lo) {
            ratio[groups++] = hi / lo;
        }
    }
    median = effect_median(ratio, groups);
    free(ratio);
    return median;
}

static void make(struct effects *e, const struct sweep_table *t, uint32_t d)
{
    const struct sweep_dim *dim = &t->sweep.dims[d];
    struct effect f = {0};
    struct step_values *values = NULL;
    struct text name = {0};
    uint32_t n_own;
    size_t n;
    struct entry *at = entries(t, d, &n, &n_own);

    for (size_t i = 0, end; n_own > 1 && i < n; i = end) {
        for (end = i + 1; end < n && strcmp(at[end].others, at[i].others) == 0; end++) {
        }
        if (table_names_dim(t, d)) {
            pair_with_base(e, &f, t, d, &at[i], end - i, &values);
        } else {
            pair_neighbours(e, &f, t, &at[i], end - i, &values);
        }
    }
    finish_steps(e, &f, values);
    if (f.n_steps > 0) {
        for (uint32_t i = 0; i < dim->n_axes; i++) {
            text_add(&name, "%s%s", i == 0 ? "" : ", ", dim->axes[i].key.name);
        }
        f.name = text_of(&name);
        f.spread = spread(e, t, at, n);
        e->at = tb_realloc(e->at, (e->n + 1) * sizeof(*e->at));
        e->at[e->n++] = f;
    }
    for (size_t i = 0; i < n; i++) {
        free(at[i].others);
        free(at[i].own);
    }
    free(at);
}

static bool has_numbers(const struct sweep_table *t, uint32_t column)
{
    bool any = false;

    for (uint64_t r = 0; r < t->n_rows; r++) {
        const struct table_cell *c = &t->rows[r].cells[column];

        if (c->text[0] != '\0' && !c->is_number) {
            return false;
        }
        any = any || c->is_number;
    }
    return any;
}

void effects_make(struct effects *e, const struct sweep_table *t)
{
    *e = (struct effects){.values = tb_alloc((t->n_columns + 1) * sizeof(*e->values))};
    for (uint32_t i = 0; i < t->n_columns - t->n_ratios; i++) {
        if (t->columns[i].role == TABLE_VALUE && has_numbers(t, i)) {
            e->values[e->n_values++] = i;
        }
    }
    for (uint32_t d = 0; e->n_values > 0 && d < t->sweep.n_dims; d++) {
        make(e, t, d);
    }
}

void effects_free(struct effects *e)
{
    for (uint32_t i = 0; i < e->n; i++) {
        for (uint32_t s = 0; s < e->at[i].n_steps; s++) {
            free(e->at[i].steps[s].from);
            free(e->at[i].steps[s].to);
            free(e->at[i].steps[s].of);
        }
        free(e->at[i].steps);
        free(e->at[i].name);
    }
    free(e->at);
    free(e->values);
    *e = (struct effects){0};
}
