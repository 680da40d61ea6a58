#include "sweep/side.h"

#include "io/csv.h"
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static void add_column(struct side *s, const char *name, enum table_role role)
{
    s->column = tb_realloc(s->column, (s->n_columns + 1) * sizeof(*s->column));
    s->role = tb_realloc(s->role, (s->n_columns + 1) * sizeof(*s->role));
    s->column[s->n_columns] = tb_strdup(name);
    s->role[s->n_columns++] = role;
}

static void of_table(struct side *s, const struct sweep_table *t)
{
    s->has_roles = true;
    for (uint32_t i = 0; i < t->n_columns; i++) {
        add_column(s, t->columns[i].name, t->columns[i].role);
    }
    s->n_rows = t->n_rows;
    s->cell = tb_alloc((t->n_rows * t->n_columns + 1) * sizeof(*s->cell));
    for (uint64_t r = 0; r < t->n_rows; r++) {
        for (uint32_t i = 0; i < t->n_columns; i++) {
            s->cell[r * t->n_columns + i] = tb_strdup(t->rows[r].cells[i].text);
        }
    }
}

static bool read_head(struct side *s, struct csv *c, struct smw_err *e)
{
    static const char *const state[] = {"index", "digest", "status", "exit", "error"};
    const struct csv_field *field;
    uint32_t n = 0;

    field = csv_next(c, &n, e);
    if (field == NULL) {
        return e->kind != SMW_ERR_NONE ||
               err_set(e, SMW_ERR_INPUT, "%s: there are no results in it", s->name);
    }
    for (uint32_t i = 0; i < n; i++) {
        enum table_role role = TABLE_VALUE;

        for (uint32_t k = 0; k < ARRAY_LEN(state); k++) {
            role = strcmp(field[i].s, state[k]) == 0 ? TABLE_STATE : role;
        }
        if (side_find(s, field[i].s) >= 0) {
            err_set(e, SMW_ERR_INPUT, "there are two columns '%s'", field[i].s);
            csv_blame(c, &field[i], e);
            return false;
        }
        add_column(s, field[i].s, role);
    }
    for (uint32_t k = 0; k < ARRAY_LEN(state); k += 2) { /* index, status, error */
        if (side_find(s, state[k]) < 0) {
            err_set(e, SMW_ERR_INPUT, "no results of a sweep: there is no column '%s'",
                    state[k]);
            csv_blame(c, NULL, e);
            return false;
        }
    }
    return true;
}

static bool read_rows(struct side *s, struct csv *c, struct smw_err *e)
{
    const struct csv_field *field;
    uint64_t capacity = 0;
    uint32_t n = 0;

    while ((field = csv_next(c, &n, e)) != NULL) {
        if (n != s->n_columns) {
            err_set(e, SMW_ERR_INPUT, "%u fields, and %u columns", n, s->n_columns);
            csv_blame(c, NULL, e);
            return false;
        }
        if (s->n_rows == capacity) {
            capacity = capacity == 0 ? 256 : 2 * capacity;
            s->cell = tb_realloc(s->cell, capacity * n * sizeof(*s->cell));
        }
        for (uint32_t i = 0; i < n; i++) {
            s->cell[s->n_rows * n + i] = tb_strdup(field[i].s);
        }
        s->n_rows++;
    }
    return e->kind == SMW_ERR_NONE;
}

static bool read_csv(struct side *s, struct smw_err *e)
{
    const char *name = s->name;
    FILE *f = file_input(&name, e);
    struct csv *c;
    bool ok;

    if (f == NULL) {
        return false;
    }
    c = csv_open(f, name);
    ok = read_head(s, c, e) && e->kind == SMW_ERR_NONE && read_rows(s, c, e);
    csv_close(c);
    if (f != stdin) {
        fclose(f);
    }
    return ok;
}

bool side_read(struct side *s, const char *what, struct smw_err *e)
{
    size_t n = strlen(what);
    struct sweep_table t;
    char *dir;
    bool ok;

    *s = (struct side){.name = tb_strdup(what)};
    if (n > 4 && strcmp(what + n - 4, ".csv") == 0) {
        return read_csv(s, e);
    }
    dir = store_find(what, NULL, e);
    ok = dir != NULL && table_load(&t, dir, e);
    if (ok) {
        of_table(s, &t);
        table_free(&t);
    }
    free(dir);
    return ok;
}

void side_free(struct side *s)
{
    for (uint64_t i = 0; i < s->n_rows * s->n_columns; i++) {
        free(s->cell[i]);
    }
    for (uint64_t r = 0; s->key != NULL && r < s->n_rows; r++) {
        free(s->key[r]);
    }
    for (uint32_t i = 0; i < s->n_columns; i++) {
        free(s->column[i]);
    }
    free(s->cell);
    free(s->key);
    free(s->column);
    free(s->role);
    free(s->by);
    free(s->name);
    *s = (struct side){0};
}

int32_t side_find(const struct side *s, const char *name)
{
    for (uint32_t i = 0; i < s->n_columns; i++) {
        if (strcmp(s->column[i], name) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

const char *side_cell(const struct side *s, uint64_t row, const char *column)
{
    int32_t i = side_find(s, column);

    return i < 0 ? "" : s->cell[row * s->n_columns + (uint32_t)i];
}

/* ---- matching ---- */

static bool add_by(struct side *s, const char *name, struct smw_err *e)
{
    int32_t i = side_find(s, name);
    const char *nearest;

    if (i < 0) {
        err_set(e, SMW_ERR_USAGE, "%s: there is no column '%s' to match points by",
                s->name, name);
        nearest = err_nearest(name, (const char *const *)s->column, s->n_columns);
        if (nearest != NULL) {
            err_hint(e, "did you mean '%s'?", nearest);
        } else {
            err_hint(e, "--by names the columns that both have");
        }
        return false;
    }
    s->by = tb_realloc(s->by, (s->n_by + 1) * sizeof(*s->by));
    s->by[s->n_by++] = (uint32_t)i;
    return true;
}

static bool by_list(struct side *s, const char *list, struct smw_err *e)
{
    bool ok = true;

    while (ok && *list != '\0') {
        size_t n = strcspn(list, ",");
        char *name = tb_printf("%.*s", (int)n, list);

        ok = add_by(s, name, e);
        list += n + (list[n] == ',');
        free(name);
    }
    return ok;
}

/* By the parameters of who, in their order. */
static bool by_params(struct side *s, const struct side *who, struct smw_err *e)
{
    bool ok = true;

    for (uint32_t i = 0; ok && i < who->n_columns; i++) {
        ok = who->role[i] != TABLE_PARAM || add_by(s, who->column[i], e);
    }
    return ok;
}

static void make_keys(struct side *s)
{
    for (uint32_t i = 0; i < s->n_columns; i++) {
        /* of a CSV nothing else tells what is a parameter */
        s->role[i] = s->role[i] == TABLE_PARAM ? TABLE_STATE : s->role[i];
    }
    for (uint32_t i = 0; i < s->n_by; i++) {
        s->role[s->by[i]] = TABLE_PARAM;
    }
    s->key = tb_alloc((s->n_rows + 1) * sizeof(*s->key));
    for (uint64_t r = 0; r < s->n_rows; r++) {
        struct text key = {0};

        text_add(&key, "%s", "");
        for (uint32_t i = 0; i < s->n_by; i++) {
            text_add(&key, "%s\037", s->cell[r * s->n_columns + s->by[i]]);
        }
        s->key[r] = tb_strdup(key.s);
        text_free(&key);
    }
}

bool side_match(struct side *a, struct side *b, const char *list, struct smw_err *e)
{
    bool ok;

    if (list != NULL) {
        ok = by_list(a, list, e) && by_list(b, list, e);
    } else if (!a->has_roles && !b->has_roles) {
        err_set(e, SMW_ERR_USAGE, "what are the parameters? A CSV file does not tell");
        err_hint(e, "--by n,config names them");
        ok = false;
    } else {
        const struct side *who = a->has_roles ? a : b;

        ok = by_params(a, who, e) && by_params(b, who, e);
        /* the other may have more of them */
        for (uint32_t i = 0; ok && b->has_roles && i < b->n_columns; i++) {
            int32_t same = side_find(a, b->column[i]);

            if (b->role[i] == TABLE_PARAM &&
                (same < 0 || (a->has_roles && a->role[same] != TABLE_PARAM))) {
                err_set(e, SMW_ERR_USAGE, "%s: '%s' is no parameter, as it is in %s",
                        a->name, b->column[i], b->name);
                err_hint(e, "--by names the columns that points are matched by");
                ok = false;
            }
        }
    }
    if (ok) {
        make_keys(a);
        make_keys(b);
    }
    return ok;
}
