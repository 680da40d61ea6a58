#include "rows.h"

#include "io/csv.h"
#include "io/file.h"

#include <stdlib.h>
#include <string.h>

/* The columns of published.csv, in their order. */
enum {
    GROUP,
    PRESET,
    KEY,
    PTX,
    KERNEL,
    DOES,
    WORDS,
    ARGUMENT,
    GRID_X,
    GRID_Y,
    BLOCK_X,
    BLOCK_Y,
    SHARED,
    GBPS,
    SOURCE,
    N_COLUMNS
};

enum { KNOWN_COLUMNS = 3 }; /* of wrong.csv: group, above, below */

static const char *const does_names[ROW_N_DOES] = {"sum",    "copy",  "transpose",
                                                   "inside", "moved", "add"};

static bool copy_name(char *to, const struct csv_field *f, struct smw_err *e)
{
    if (f->n >= ROWS_NAME) {
        err_set(e, SMW_ERR_INPUT, "a name of more than %d bytes", ROWS_NAME - 1);
        return false;
    }
    memcpy(to, f->s, f->n + 1);
    return true;
}

static uint32_t number(const struct csv_field *f)
{
    return (uint32_t)strtoul(f->s, NULL, 10);
}

static bool take_row(struct rows *t, const struct csv_field *f, struct smw_err *e)
{
    struct row *const r = &t->row[t->n];

    if (t->n == ROWS_MAX) {
        err_set(e, SMW_ERR_INPUT, "more than %d rows", ROWS_MAX);
        return false;
    }
    if (!copy_name(r->group, &f[GROUP], e) || !copy_name(r->preset, &f[PRESET], e) ||
        !copy_name(r->key, &f[KEY], e) || !copy_name(r->ptx, &f[PTX], e) ||
        !copy_name(r->kernel, &f[KERNEL], e)) {
        return false;
    }
    for (r->does = 0; strcmp(does_names[r->does], f[DOES].s) != 0;) {
        if (++r->does == ROW_N_DOES) {
            err_set(e, SMW_ERR_INPUT, "'%s' is nothing that a kernel does", f[DOES].s);
            return false;
        }
    }
    r->words = number(&f[WORDS]);
    r->argument = (int32_t)number(&f[ARGUMENT]);
    r->grid[0] = number(&f[GRID_X]);
    r->grid[1] = number(&f[GRID_Y]);
    r->block[0] = number(&f[BLOCK_X]);
    r->block[1] = number(&f[BLOCK_Y]);
    r->shared = number(&f[SHARED]);
    r->side = (struct pairs_side){strtod(f[GBPS].s, NULL), 0};
    t->n++;
    return true;
}

static bool take_known(struct rows *t, const struct csv_field *f, struct smw_err *e)
{
    if (t->n_known == ROWS_MAX_KNOWN) {
        err_set(e, SMW_ERR_INPUT, "more than %d pairs", ROWS_MAX_KNOWN);
        return false;
    }
    if (!copy_name(t->known[t->n_known].group, &f[0], e) ||
        !copy_name(t->known[t->n_known].above, &f[1], e) ||
        !copy_name(t->known[t->n_known].below, &f[2], e)) {
        return false;
    }
    t->n_known++;
    return true;
}

/* Hand take() each record behind the head. */
static bool read_records(struct rows *t, const char *path, uint32_t n_columns,
                         bool (*take)(struct rows *t, const struct csv_field *f,
                                      struct smw_err *e),
                         struct smw_err *e)
{
    const char *name = path;
    FILE *const f = file_input(&name, e);
    struct csv *const csv = f == NULL ? NULL : csv_open(f, name);
    const struct csv_field *field;
    bool is_head = true, ok = csv != NULL;
    uint32_t n;

    while (ok && (field = csv_next(csv, &n, e)) != NULL) {
        if (n != n_columns) {
            err_set(e, SMW_ERR_INPUT, "%u fields, not %u", n, n_columns);
            csv_blame(csv, NULL, e);
            ok = false;
        } else if (!is_head && !take(t, field, e)) {
            csv_blame(csv, NULL, e);
            ok = false;
        }
        is_head = false;
    }
    if (csv != NULL) {
        csv_close(csv);
        fclose(f);
    }
    return ok && e->kind == SMW_ERR_NONE;
}

bool rows_read(struct rows *t, const char *dir, struct smw_err *e)
{
    char *const published = file_join(dir, "published.csv");
    char *const wrong = file_join(dir, "wrong.csv");
    bool ok;

    memset(t, 0, sizeof(*t));
    ok = read_records(t, published, N_COLUMNS, take_row, e) &&
         read_records(t, wrong, KNOWN_COLUMNS, take_known, e);
    free(published);
    free(wrong);
    return ok;
}

bool rows_is_known(const struct rows *t, const struct row *above,
                   const struct row *below)
{
    for (uint32_t i = 0; i < t->n_known; i++) {
        if (strcmp(t->known[i].group, above->group) == 0 &&
            strcmp(t->known[i].above, above->kernel) == 0 &&
            strcmp(t->known[i].below, below->kernel) == 0) {
            return true;
        }
    }
    return false;
}
