#include "sweep/table.h"

#include "io/num.h"
#include "smwave.h"
#include "sweep/stats_file.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { N_STATE = 5 };

static const char *const state_names[N_STATE] = {"index", "digest", "status", "exit",
                                                 "error"};

/* ---- columns ---- */

static void add_column(struct sweep_table *t, const char *name, const char *unit,
                       enum table_role role)
{
    t->columns = tb_realloc(t->columns, (t->n_columns + 1) * sizeof(*t->columns));
    t->columns[t->n_columns++] =
        (struct table_column){arena_strdup(&t->arena, name), unit, role};
}

int32_t table_find(const struct sweep_table *t, const char *name)
{
    for (uint32_t i = 0; i < t->n_columns; i++) {
        if (strcmp(t->columns[i].name, name) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

bool table_need(const struct sweep_table *t, const char *what, const char *name,
                uint32_t *column, struct smw_err *e)
{
    int32_t found = table_find(t, name);
    const char **names, *nearest;

    if (found >= 0) {
        *column = (uint32_t)found;
        return true;
    }
    names = tb_alloc(t->n_columns * sizeof(*names));
    for (uint32_t i = 0; i < t->n_columns; i++) {
        names[i] = t->columns[i].name;
    }
    err_set(e, SMW_ERR_USAGE, "%s: the results have no column '%s'", what, name);
    nearest = err_nearest(name, names, t->n_columns);
    if (nearest != NULL) {
        err_hint(e, "did you mean '%s'?", nearest);
    } else {
        err_hint(e, "the first line of " STORE_CSV " names them");
    }
    free(names);
    return false;
}

/* A parameter's column: mostly the one at hint; -1: there is none yet. */
static int32_t param_column(const struct sweep_table *t, const char *name,
                            uint32_t hint)
{
    if (hint < t->n_columns && t->columns[hint].role == TABLE_PARAM &&
        strcmp(t->columns[hint].name, name) == 0) {
        return (int32_t)hint;
    }
    for (uint32_t i = N_STATE; i < t->n_columns; i++) {
        if (t->columns[i].role == TABLE_PARAM &&
            strcmp(t->columns[i].name, name) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

struct unit_of {
    const char *name, *unit;
    struct arena *arena;
};

static void take_unit(void *ctx, const struct smw_key *k)
{
    struct unit_of *u = ctx;

    if (strcmp(k->key, u->name) == 0) {
        u->unit = arena_strdup(u->arena, k->unit);
    }
}

/* A key of the configuration, of which all points have plain numbers, has its unit. */
static void find_units(struct sweep_table *t)
{
    for (uint32_t i = N_STATE; i < t->n_columns; i++) {
        struct unit_of u = {t->columns[i].name, "", &t->arena};
        bool numbers = t->columns[i].role == TABLE_PARAM;

        for (uint64_t r = 0; r < t->n_rows && numbers; r++) {
            char *end;
            const char *text = t->rows[r].cells[i].text;

            (void)strtod(text, &end);
            numbers = *end == '\0';
        }
        if (numbers) {
            smw_config_each(take_unit, &u);
            t->columns[i].unit = u.unit;
        }
    }
}

/* Choices of a list need not say the same keys, so every point is asked. */
static bool make_columns(struct sweep_table *t, const struct plan_file *plan,
                         struct smw_err *e)
{
    for (uint32_t i = 0; i < N_STATE; i++) {
        add_column(t, state_names[i], "", TABLE_STATE);
    }
    for (uint64_t i = 0; i < plan->n; i++) {
        struct sweep_point p;

        if (!plan_point(plan, i, &p, e)) {
            return false;
        }
        for (uint32_t k = 0; k < p.n_params; k++) {
            if (param_column(t, p.params[k].name, N_STATE + k) < 0) {
                add_column(t, p.params[k].name, "", TABLE_PARAM);
            }
        }
        sweep_point_free(&p);
    }
    for (uint32_t i = 0; i < t->sweep.n_collect; i++) {
        const struct sweep_column *c = &t->sweep.collect[i];
        const char *unit = c->unit != NULL         ? c->unit
                           : expr_is_name(c->expr) ? stats_unit(c->name)
                                                   : "";

        add_column(t, c->name, unit, TABLE_VALUE);
    }
    for (uint32_t i = 0; t->sweep.baseline.at != NULL && i < t->sweep.n_collect; i++) {
        add_column(t, t->sweep.collect[i].ratio, "", TABLE_VALUE);
        t->n_ratios++;
    }
    return true;
}

/* ---- cells ---- */

static void set_text(struct sweep_table *t, struct table_cell *c, const char *text)
{
    c->text = text[0] == '\0' ? "" : arena_strdup(&t->arena, text);
}

void table_set_number(struct sweep_table *t, struct table_cell *c, double v)
{
    char text[EXPR_NUMBER_SIZE];

    expr_print(v, text);
    set_text(t, c, text);
    c->is_number = true;
    c->number = v;
}

static void set_state(struct sweep_table *t, struct table_row *row)
{
    const struct store_done *d = &row->done;
    char digest[17];

    snprintf(digest, sizeof(digest), "%016" PRIx64, d->digest);
    table_set_number(t, &row->cells[0], (double)d->index);
    set_text(t, &row->cells[1], digest);
    set_text(t, &row->cells[2], store_status_name(d->status));
    if (d->status != STORE_MISSING) {
        table_set_number(t, &row->cells[3], d->exit);
    }
    set_text(t, &row->cells[4], d->error);
}

struct resolving {
    const struct stats_file *stats;
    const struct sweep_point *point;
};

static const char *pair_of(const struct sweep_pair *pair, uint32_t n, const char *key)
{
    for (uint32_t i = n; i > 0; i--) {
        if (strcmp(pair[i - 1].key, key) == 0) {
            return pair[i - 1].value;
        }
    }
    return NULL;
}

/* What the point says of a name that is no parameter; NULL: nothing. */
static const char *setting_of(const struct sweep_point *p, const char *name)
{
    if (strcmp(name, "target") == 0) {
        return p->target;
    }
    if (strcmp(name, "config") == 0) {
        return p->config;
    }
    if (strncmp(name, "launch.", 7) == 0) {
        return pair_of(p->launch, p->n_launch, name + 7);
    }
    return pair_of(p->set, p->n_set, name);
}

static void resolve(void *ctx, const char *name, struct expr_value *out)
{
    const struct resolving *r = ctx;
    const char *setting;

    stats_value(r->stats, name, out);
    for (uint32_t i = 0; out->kind == EXPR_NONE && i < r->point->n_params; i++) {
        const struct sweep_param *p = &r->point->params[i];

        if (strcmp(p->name, name) == 0) {
            *out = p->is_number
                       ? (struct expr_value){.kind = EXPR_NUMBER, .number = p->number}
                       : (struct expr_value){.kind = EXPR_TEXT, .text = p->text};
        }
    }
    setting = out->kind == EXPR_NONE ? setting_of(r->point, name) : NULL;
    if (setting != NULL) {
        *out = expr_value_of(setting);
    }
}

static bool set_values(struct sweep_table *t, struct table_row *row,
                       const struct stats_file *stats, const struct sweep_point *p,
                       struct smw_err *e)
{
    uint32_t first = t->n_columns - t->n_ratios - t->sweep.n_collect;
    struct resolving r = {stats, p};
    bool ok = true;

    for (uint32_t i = 0; ok && i < t->sweep.n_collect; i++) {
        struct expr_value v = {.kind = EXPR_NONE};

        ok = expr_eval(t->sweep.collect[i].expr, resolve, &r, &v, e);
        if (ok && v.kind == EXPR_NUMBER) {
            table_set_number(t, &row->cells[first + i], v.number);
        } else if (ok && v.kind == EXPR_TEXT) {
            set_text(t, &row->cells[first + i], v.text);
        }
    }
    return ok;
}

/* How the point ended, and what it came to. What cannot be read has failed. */
static bool set_results(struct sweep_table *t, struct table_row *row, const char *dir,
                        const struct sweep_point *p, struct smw_err *e)
{
    char *point = store_point(dir, p->index);
    struct stats_file stats = {0};
    struct smw_err why = {0};
    bool ok = true;

    if (!store_read(dir, p->index, p->digest, &row->done, &why) ||
        (row->done.status == STORE_OK && !stats_open(&stats, point, &why))) {
        store_unread(&row->done, &why);
        t->n_unread++;
    }
    set_state(t, row);
    t->n_ok += row->done.status == STORE_OK;
    t->n_failed += row->done.status == STORE_FAILED;
    if (row->done.status == STORE_OK) {
        ok = set_values(t, row, &stats, p, e);
    }
    stats_close(&stats);
    free(point);
    return ok;
}

static bool fill_row(struct sweep_table *t, const char *dir,
                     const struct plan_file *plan, struct table_row *row,
                     uint64_t index, struct smw_err *e)
{
    struct sweep_point p;
    bool ok;

    if (!plan_point(plan, index, &p, e)) {
        return false;
    }
    row->base = TABLE_NO_ROW;
    row->cells = arena_alloc(&t->arena, t->n_columns * sizeof(*row->cells));
    for (uint32_t i = 0; i < t->n_columns; i++) {
        row->cells[i].text = "";
    }
    for (uint32_t i = 0; i < p.n_params; i++) {
        const struct sweep_param *param = &p.params[i];
        struct table_cell *c = &row->cells[param_column(t, param->name, N_STATE + i)];

        set_text(t, c, param->text);
        c->is_number = param->is_number;
        c->number = param->number;
    }
    ok = set_results(t, row, dir, &p, e);
    sweep_point_free(&p);
    return ok;
}

static bool fill(struct sweep_table *t, const char *dir, const struct plan_file *plan,
                 struct smw_err *e)
{
    if (!make_columns(t, plan, e)) {
        return false;
    }
    t->rows = tb_alloc(plan->n * sizeof(*t->rows));
    t->n_rows = plan->n;
    for (uint64_t i = 0; i < plan->n; i++) {
        if (!fill_row(t, dir, plan, &t->rows[i], i, e)) {
            return false;
        }
    }
    find_units(t);
    table_compare(t);
    return true;
}

bool table_load(struct sweep_table *t, const char *dir, struct smw_err *e)
{
    char *file = file_join(dir, STORE_SWEEP), *path = file_join(dir, PLAN_FILE);
    struct plan_file plan;
    bool ok;

    *t = (struct sweep_table){0};
    arena_init(&t->arena);
    ok = sweep_read(&t->sweep, file, e);
    if (ok && plan_read(&plan, path, NULL, e)) {
        ok = fill(t, dir, &plan, e);
        plan_close(&plan);
    } else {
        ok = false;
    }
    if (!ok) {
        table_free(t);
    }
    free(file);
    free(path);
    return ok;
}

void table_free(struct sweep_table *t)
{
    sweep_free(&t->sweep);
    free(t->columns);
    free(t->rows);
    arena_free(&t->arena);
    *t = (struct sweep_table){0};
}

/* ---- results.csv ---- */

void table_csv_field(const char *s, struct text *out)
{
    if (strpbrk(s, ",\"\r\n") == NULL) {
        text_add(out, "%s", s);
        return;
    }
    text_add(out, "\"");
    for (; *s != '\0'; s++) {
        text_add_bytes(out, "\"", *s == '"');
        text_add_bytes(out, s, 1);
    }
    text_add(out, "\"");
}

void table_csv(const struct sweep_table *t, struct text *out)
{
    for (uint32_t i = 0; i < t->n_columns; i++) {
        text_add_bytes(out, ",", i > 0);
        table_csv_field(t->columns[i].name, out);
    }
    text_add(out, "\n");
    for (uint64_t r = 0; r < t->n_rows; r++) {
        for (uint32_t i = 0; i < t->n_columns; i++) {
            text_add_bytes(out, ",", i > 0);
            table_csv_field(t->rows[r].cells[i].text, out);
        }
        text_add(out, "\n");
    }
}
