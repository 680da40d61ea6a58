#include "sweep/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct kind { /* failures with the same message */
    const char *error;
    uint64_t first, n;
    uint64_t host; /* of n, those the machine was the cause of */
};

static int by_first(const void *x, const void *y)
{
    const struct kind *a = x, *b = y;

    return (a->first > b->first) - (a->first < b->first);
}

static int by_error(const void *x, const void *y)
{
    const struct kind *a = x, *b = y;
    int order = strcmp(a->error, b->error);

    return order != 0 ? order : by_first(x, y);
}

/* The messages of a cause, in the order of their first points. */
static uint64_t kinds_of(const struct sweep_table *t, enum store_cause cause,
                         struct kind *k)
{
    uint64_t n = 0, kinds = 0;

    for (uint64_t i = 0; i < t->n_rows; i++) {
        const struct store_done *d = &t->rows[i].done;

        if (d->status == STORE_FAILED && d->cause == cause) {
            k[n++] = (struct kind){d->error, d->index, 1, d->host};
        }
    }
    qsort(k, n, sizeof(*k), by_error);
    for (uint64_t i = 0; i < n; i++) {
        if (kinds > 0 && strcmp(k[kinds - 1].error, k[i].error) == 0) {
            k[kinds - 1].n++;
            k[kinds - 1].host += k[i].host;
        } else {
            k[kinds++] = k[i];
        }
    }
    qsort(k, kinds, sizeof(*k), by_first);
    return kinds;
}

static void print_cause(const char *name, const struct kind *k, uint64_t kinds,
                        uint32_t max, struct text *out)
{
    uint64_t n = 0, host = 0, shown = max == 0 || kinds < max ? kinds : max;

    for (uint64_t i = 0; i < kinds; i++) {
        n += k[i].n;
        host += k[i].host;
    }
    text_add(out, "failed for %s: %" PRIu64 "%s\n", name, n,
             host == 0 ? "" : ", to be run again");
    for (uint64_t i = 0; i < shown; i++) {
        text_add(out, "  point %" PRIu64 ": %s", k[i].first, k[i].error);
        if (k[i].n > 1) {
            text_add(out, " (and %" PRIu64 " more)", k[i].n - 1);
        }
        text_add(out, "\n");
    }
    if (shown < kinds) {
        text_add(out, "  and %" PRIu64 " other messages\n", kinds - shown);
    }
}

void status_print(const struct sweep_table *t, uint32_t max, struct text *out)
{
    uint64_t missing = t->n_rows - t->n_ok - t->n_failed;
    struct kind *k = tb_alloc((t->n_failed + 1) * sizeof(*k));

    text_add(out, "%" PRIu64 " point%s: %" PRIu64 " ok, %" PRIu64 " failed", t->n_rows,
             t->n_rows == 1 ? "" : "s", t->n_ok, t->n_failed);
    if (missing > 0) {
        text_add(out, ", %" PRIu64 " not run", missing);
    }
    text_add(out, "\n");
    for (int c = 0; c < STORE_CAUSES; c++) {
        uint64_t kinds = kinds_of(t, (enum store_cause)c, k);

        if (kinds > 0) {
            print_cause(store_cause_name((enum store_cause)c), k, kinds, max, out);
        }
    }
    free(k);
}
