/* baseline.c - table_compare() of table.h: which row each row is compared with. */
#include "sweep/table.h"

#include <stdlib.h>
#include <string.h>

struct entry { /* a row, by the values of the dimensions that baseline does not name */
    char *others;
    uint64_t row;
};

bool table_names_dim(const struct sweep_table *t, uint32_t dim)
{
    const struct sweep_baseline *b = &t->sweep.baseline;

    for (uint32_t i = 0; i < b->n; i++) {
        if (b->named[i].dim == dim) {
            return true;
        }
    }
    return b->is_number;
}

static char *others_of(const struct sweep_table *t, uint64_t row)
{
    struct text out = {0};

    for (uint32_t d = 0; d < t->sweep.n_dims; d++) {
        const struct sweep_dim *dim = &t->sweep.dims[d];

        for (uint32_t i = 0; !table_names_dim(t, d) && i < dim->n_axes; i++) {
            int32_t c = table_find(t, dim->axes[i].key.name);

            text_add(&out, "%s\x1f", c < 0 ? "" : t->rows[row].cells[c].text);
        }
    }
    return out.s == NULL ? tb_strdup("") : out.s;
}

static bool has_value(const struct sweep_table *t, uint64_t row,
                      const struct sweep_named *named)
{
    int32_t c = table_find(t, named->key);
    const struct table_cell *cell = c < 0 ? NULL : &t->rows[row].cells[c];
    struct expr_value v = expr_value_of(named->value);

    if (cell == NULL) {
        return false;
    }
    return cell->is_number && v.kind == EXPR_NUMBER
               ? cell->number == v.number
               : strcmp(cell->text, named->value) == 0;
}

/* Both have the same values of the dimension's axes. */
static bool is_alike(const struct sweep_table *t, uint64_t a, uint64_t b, uint32_t dim)
{
    const struct sweep_dim *d = &t->sweep.dims[dim];
    bool alike = true;

    for (uint32_t i = 0; alike && i < d->n_axes; i++) {
        int32_t c = table_find(t, d->axes[i].key.name);

        alike =
            c < 0 || strcmp(t->rows[a].cells[c].text, t->rows[b].cells[c].text) == 0;
    }
    return alike;
}

bool table_is_base(const struct sweep_table *t, uint64_t row, uint32_t dim)
{
    const struct sweep_baseline *b = &t->sweep.baseline;
    bool is = table_names_dim(t, dim);

    if (is && b->is_number) {
        return b->index < t->n_rows && is_alike(t, row, b->index, dim);
    }
    for (uint32_t i = 0; is && i < b->n; i++) {
        is = b->named[i].dim != dim || has_value(t, row, &b->named[i]);
    }
    return is;
}

static bool is_base(const struct sweep_table *t, uint64_t row)
{
    bool is = true;

    for (uint32_t d = 0; is && d < t->sweep.n_dims; d++) {
        is = !table_names_dim(t, d) || table_is_base(t, row, d);
    }
    return is;
}

static int by_others(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->others, ((const struct entry *)b)->others);
}

static int by_others_and_row(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = by_others(a, b);

    return order != 0 ? order : x->row < y->row ? -1 : x->row > y->row;
}

/* The base rows, the first of those that are alike. *n: how many. */
static struct entry *find_bases(const struct sweep_table *t, size_t *n)
{
    struct entry *e = tb_alloc((t->n_rows + 1) * sizeof(*e));
    size_t kept = 0;

    *n = 0;
    for (uint64_t r = 0; r < t->n_rows; r++) {
        if (is_base(t, r)) {
            e[(*n)++] = (struct entry){others_of(t, r), r};
        }
    }
    qsort(e, *n, sizeof(*e), by_others_and_row);
    for (size_t i = 0; i < *n; i++) {
        if (kept > 0 && by_others(&e[kept - 1], &e[i]) == 0) {
            free(e[i].others);
        } else {
            e[kept++] = e[i];
        }
    }
    *n = kept;
    return e;
}

static void find_base_of_all(struct sweep_table *t)
{
    size_t n;
    struct entry *bases = find_bases(t, &n);

    for (uint64_t r = 0; r < t->n_rows; r++) {
        struct entry want = {others_of(t, r), r};
        const struct entry *found =
            n == 0 ? NULL : bsearch(&want, bases, n, sizeof(*bases), by_others);

        t->rows[r].base = found == NULL ? TABLE_NO_ROW : found->row;
        free(want.others);
    }
    for (size_t i = 0; i < n; i++) {
        free(bases[i].others);
    }
    free(bases);
}

/* A row without a base, or whose base has no value, has none to compare. */
static void set_ratios(struct sweep_table *t, struct table_row *row)
{
    const struct table_cell *base =
        row->base == TABLE_NO_ROW ? NULL : t->rows[row->base].cells;
    uint32_t first = t->n_columns - t->n_ratios, values = first - t->n_ratios;

    for (uint32_t i = 0; base != NULL && i < t->n_ratios; i++) {
        const struct table_cell *b = &base[values + i], *v = &row->cells[values + i];

        if (v->is_number && b->is_number && b->number != 0) {
            table_set_number(t, &row->cells[first + i], v->number / b->number);
        }
    }
}

void table_compare(struct sweep_table *t)
{
    const struct sweep_baseline *b = &t->sweep.baseline;

    if (b->at == NULL) {
        return;
    }
    if (!b->is_number) {
        find_base_of_all(t);
    }
    for (uint64_t r = 0; r < t->n_rows; r++) {
        if (b->is_number && b->index < t->n_rows) {
            t->rows[r].base = b->index;
        }
        set_ratios(t, &t->rows[r]);
    }
}
