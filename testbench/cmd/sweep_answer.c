/* sweep_answer.c - sweep_answer() of sweep_answer.h. */
#include "cmd/sweep_answer.h"

#include "cmd/answer.h"
#include "io/file.h"
#include "run/findings.h"
#include "sweep/store.h"
#include <stdlib.h>

static void add_path(json_t *all, const char *key, const char *dir, const char *name)
{
    char *path = file_join(dir, name);

    json_object_set_new(all, key, findings_string(path));
    free(path);
}

void sweep_answer(const struct sweep_table *t, const char *dir, bool drawn)
{
    json_t *failed = json_array(), *all;

    for (uint64_t i = 0; i < t->n_rows; i++) {
        const struct store_done *d = &t->rows[i].done;

        if (d->status == STORE_FAILED) {
            json_array_append_new(failed, json_pack("{s:I, s:s, s:b, s:o}", "point",
                                                    (json_int_t)d->index, "cause",
                                                    store_cause_name(d->cause), "host",
                                                    (int)d->host, "error",
                                                    findings_string(d->error)));
        }
    }
    all =
        json_pack("{s:I, s:I, s:I, s:I, s:o}", "points", (json_int_t)t->n_rows, "ok",
                  (json_int_t)t->n_ok, "failed", (json_int_t)t->n_failed, "missing",
                  (json_int_t)(t->n_rows - t->n_ok - t->n_failed), "failures", failed);
    if (dir != NULL) {
        add_path(all, "results", dir, STORE_CSV);
        add_path(all, "database", dir, STORE_SQLITE);
    }
    if (dir != NULL && drawn) {
        add_path(all, "page", dir, STORE_PAGE);
    }
    answer_print(all);
}
