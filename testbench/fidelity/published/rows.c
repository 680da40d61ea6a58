#include "rows.h"

#include "io/file.h"
#include "io/sheet.h"

#include <stdlib.h>
#include <string.h>

static const char *const does_names[ROW_N_DOES] = {"sum",    "copy",  "transpose",
                                                   "inside", "moved", "add"};

static bool refuse(struct sheet *s, const char *column, const char *why)
{
    err_set(s->e, SMW_ERR_INPUT, "%s", why);
    sheet_blame(s, column);
    return false;
}

static bool copy_does(enum row_does *does, struct sheet *s)
{
    const char *const name = sheet_text(s, "does");

    for (*does = 0; *does < ROW_N_DOES; (*does)++) {
        if (strcmp(does_names[*does], name) == 0) {
            return true;
        }
    }
    return refuse(s, "does", "nothing that a kernel does");
}

static bool take_row(struct rows *t, struct sheet *s)
{
    struct row *const r = &t->row[t->n];

    if (t->n == ROWS_MAX) {
        return refuse(s, "group", "more rows than there is room for");
    }
    if (!sheet_name(s, "group", r->group, ROWS_NAME) ||
        !sheet_name(s, "preset", r->preset, ROWS_NAME) ||
        !sheet_name(s, "key", r->key, ROWS_NAME) ||
        !sheet_name(s, "ptx", r->ptx, ROWS_NAME) ||
        !sheet_name(s, "kernel", r->kernel, ROWS_NAME) || !copy_does(&r->does, s)) {
        return false;
    }
    r->words = (uint32_t)sheet_number(s, "words");
    r->argument = (int32_t)sheet_number(s, "argument");
    r->grid[0] = (uint32_t)sheet_number(s, "grid_x");
    r->grid[1] = (uint32_t)sheet_number(s, "grid_y");
    r->block[0] = (uint32_t)sheet_number(s, "block_x");
    r->block[1] = (uint32_t)sheet_number(s, "block_y");
    r->shared = (uint32_t)sheet_number(s, "shared");
    r->side = (struct pairs_side){sheet_number(s, "gbps"), 0};
    t->n++;
    return true;
}

static bool take_known(struct rows *t, struct sheet *s)
{
    if (t->n_known == ROWS_MAX_KNOWN) {
        return refuse(s, "group", "more pairs than there is room for");
    }
    if (!sheet_name(s, "group", t->known[t->n_known].group, ROWS_NAME) ||
        !sheet_name(s, "above", t->known[t->n_known].above, ROWS_NAME) ||
        !sheet_name(s, "below", t->known[t->n_known].below, ROWS_NAME)) {
        return false;
    }
    t->n_known++;
    return true;
}

/* Hand take() each record. */
static bool read_records(struct rows *t, const char *path,
                         bool (*take)(struct rows *t, struct sheet *s),
                         struct smw_err *e)
{
    struct sheet s;

    if (!sheet_open(&s, path, e)) {
        return false;
    }
    while (sheet_next(&s) && take(t, &s)) {
    }
    sheet_close(&s);
    return e->kind == SMW_ERR_NONE;
}

bool rows_read(struct rows *t, const char *dir, struct smw_err *e)
{
    char *const published = file_join(dir, "published.csv");
    char *const wrong = file_join(dir, "wrong.csv");
    bool ok;

    memset(t, 0, sizeof(*t));
    ok = read_records(t, published, take_row, e) &&
         read_records(t, wrong, take_known, e);
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
