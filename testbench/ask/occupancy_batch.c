/* "smwave occupancy --batch": a CSV row in, a CSV row out. */
#include "ask/occupancy.h"

#include "io/csv.h"
#include "io/num.h"
#include <string.h>

enum column { THREADS, REGS, SHARED, CARVEOUT, CACHE, N_COLUMNS };

static const char *const column_names[N_COLUMNS] = {"threads", "regs", "shared",
                                                    "carveout", "cache"};

struct batch {
    const struct occupancy_device *d;
    struct csv *csv;
    const struct csv_field *field;
    uint32_t column[N_COLUMNS]; /* where it is, UINT32_MAX: nowhere */
    uint32_t n_columns;
};

void occupancy_heading(FILE *out)
{
    fputs("blocks_per_sm,warps_per_sm,limiter\n", out);
}

void occupancy_row(FILE *out, const struct occupancy_answer *w)
{
    fprintf(out, "%u,%u,%s\n", w->blocks, w->warps, w->limiter);
}

static bool read_heading(struct batch *b, struct smw_err *e)
{
    const struct csv_field *f = csv_next(b->csv, &b->n_columns, e);

    if (f == NULL) {
        return err_set(e, SMW_ERR_INPUT, "the file has no heading");
    }
    for (uint32_t c = 0; c < N_COLUMNS; c++) {
        b->column[c] = UINT32_MAX;
        for (uint32_t i = 0; i < b->n_columns; i++) {
            if (strcmp(f[i].s, column_names[c]) != 0) {
                continue;
            }
            if (b->column[c] != UINT32_MAX) {
                err_set(e, SMW_ERR_INPUT, "column '%s' is there twice",
                        column_names[c]);
                csv_blame(b->csv, &f[i], e);
                return false;
            }
            b->column[c] = i;
        }
        if (b->column[c] == UINT32_MAX && c <= SHARED) {
            err_set(e, SMW_ERR_INPUT, "there is no column '%s'", column_names[c]);
            err_hint(e, "the heading names threads, regs and shared, and may name "
                        "carveout and cache");
            csv_blame(b->csv, NULL, e);
            return false;
        }
    }
    return true;
}

static bool refuse(struct batch *b, enum column c, const char *why, struct smw_err *e)
{
    err_set(e, SMW_ERR_INPUT, "%s: %s", column_names[c], why);
    csv_blame(b->csv, &b->field[b->column[c]], e);
    return false;
}

static bool read_number(struct batch *b, enum column c, uint32_t least, uint32_t *out,
                        struct smw_err *e)
{
    if (num_u32(b->field[b->column[c]].s, out) != NUM_OK || *out < least ||
        *out > OCCUPANCY_MAX) {
        return refuse(b, c,
                      least == 0 ? "a whole number of bytes"
                                 : "a whole number, 1 or more",
                      e);
    }
    return true;
}

static bool read_row(struct batch *b, struct occupancy_ask *a, struct smw_err *e)
{
    const char *why;

    if (!read_number(b, THREADS, 1, &a->threads, e) ||
        !read_number(b, REGS, 1, &a->regs, e) ||
        !read_number(b, SHARED, 0, &a->shared, e)) {
        return false;
    }
    if (b->column[CARVEOUT] != UINT32_MAX &&
        !occupancy_carveout(b->d->rules, b->field[b->column[CARVEOUT]].s, a, &why)) {
        return refuse(b, CARVEOUT, why, e);
    }
    if (b->column[CACHE] != UINT32_MAX &&
        !occupancy_cache(b->field[b->column[CACHE]].s, a)) {
        return refuse(b, CACHE, "none, shared, l1 or equal", e);
    }
    return true;
}

bool occupancy_batch(const struct occupancy_device *d, const struct occupancy_ask *ask,
                     FILE *f, const char *name, FILE *out, struct smw_err *e)
{
    struct batch b = {.d = d, .csv = csv_open(f, name)};
    uint32_t n;

    if (read_heading(&b, e)) {
        occupancy_heading(out);
        while ((b.field = csv_next(b.csv, &n, e)) != NULL) {
            struct occupancy_ask a = *ask;
            struct occupancy_answer w;

            if (n != b.n_columns) {
                err_set(e, SMW_ERR_INPUT, "%u fields; the heading has %u", n,
                        b.n_columns);
                csv_blame(b.csv, n > b.n_columns ? &b.field[b.n_columns] : NULL, e);
                break;
            }
            if (!read_row(&b, &a, e)) {
                break;
            }
            a.shared += ask->shared;
            w = occupancy_answer(d, &a);
            occupancy_row(out, &w);
        }
    }
    if (e->kind != SMW_ERR_NONE && e->file[0] == '\0') {
        err_at(e, name, NULL, 0, 0, 0);
    }
    csv_close(b.csv);
    return e->kind == SMW_ERR_NONE;
}
