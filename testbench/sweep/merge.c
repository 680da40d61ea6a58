#include "sweep/merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool write_csv(const struct sweep_table *t, const char *dir, struct err *e)
{
    struct text csv = {0};
    bool ok;

    table_csv(t, &csv);
    ok = store_write(dir, STORE_CSV, csv.s, csv.n, e);
    text_free(&csv);
    return ok;
}

static bool write_sqlite(const struct sweep_table *t, const char *dir, struct err *e)
{
    char *path = file_join(dir, STORE_SQLITE), *part = store_beside(dir, STORE_SQLITE);
    bool ok;

    (void)unlink(part); /* of one who had our number */
    ok = table_sqlite(t, dir, part, e);
    if (ok && rename(part, path) != 0) {
        ok = err_set(e, ERR_IO, "%s: %s", path, strerror(errno));
    }
    if (!ok) {
        (void)unlink(part);
    }
    free(path);
    free(part);
    return ok;
}

bool merge_write(const struct sweep_table *t, const char *dir, struct err *e)
{
    return write_csv(t, dir, e) && write_sqlite(t, dir, e);
}
