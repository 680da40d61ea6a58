#include "sweep/merge.h"

#include <stdlib.h>
#include <unistd.h>

static bool write_csv(const struct sweep_table *t, const char *dir, struct smw_err *e)
{
    struct text csv = {0};
    bool ok;

    table_csv(t, &csv);
    ok = store_write(dir, STORE_CSV, csv.s, csv.n, e);
    text_free(&csv);
    return ok;
}

static bool write_sqlite(const struct sweep_table *t, const char *dir,
                         struct smw_err *e)
{
    char *part = store_beside(dir, STORE_SQLITE);
    bool ok;

    (void)unlink(part); /* of one who had our number */
    ok = table_sqlite(t, dir, part, e);
    ok = store_replace(dir, STORE_SQLITE, part, ok, e);
    free(part);
    return ok;
}

bool merge_write(const struct sweep_table *t, const char *dir, struct smw_err *e)
{
    return write_csv(t, dir, e) && write_sqlite(t, dir, e);
}
