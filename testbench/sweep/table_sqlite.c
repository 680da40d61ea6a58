/*
 * table_sqlite.c - results.sqlite. The only file that names SQLite.
 *
 * One transaction without a journal, in the order of the rows: the same table makes the
 * same bytes. Who calls writes it beside and renames.
 */
#include "sweep/table.h"

#include "sweep/stats_file.h"
#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static const char schema[] =
    "PRAGMA page_size = 4096;"
    "PRAGMA journal_mode = OFF;"
    "PRAGMA synchronous = OFF;"
    "BEGIN;"
    "CREATE TABLE runs (idx INTEGER PRIMARY KEY, digest TEXT NOT NULL,"
    " status TEXT NOT NULL, exit INTEGER, error TEXT);"
    "CREATE TABLE params (run INTEGER NOT NULL REFERENCES runs (idx),"
    " name TEXT NOT NULL, value);"
    "CREATE TABLE collected (run INTEGER NOT NULL REFERENCES runs (idx),"
    " name TEXT NOT NULL, value);"
    "CREATE TABLE counters (run INTEGER NOT NULL REFERENCES runs (idx),"
    " kernel TEXT NOT NULL, name TEXT NOT NULL, value);";

/* Made at the end, which is faster and packs them. */
static const char indexes[] =
    "CREATE INDEX runs_status ON runs (status);"
    "CREATE UNIQUE INDEX params_run ON params (run, name);"
    "CREATE INDEX params_name ON params (name, value);"
    "CREATE UNIQUE INDEX collected_run ON collected (run, name);"
    "CREATE INDEX collected_name ON collected (name, value);"
    "CREATE UNIQUE INDEX counters_run ON counters (run, kernel, name);"
    "CREATE INDEX counters_name ON counters (name, kernel);";

enum insert { RUNS, PARAMS, COLLECTED, COUNTERS, INSERTS };

static const char *const inserts[INSERTS] = {
    "INSERT INTO runs VALUES (?, ?, ?, ?, ?)",
    "INSERT INTO params VALUES (?, ?, ?)",
    "INSERT INTO collected VALUES (?, ?, ?)",
    "INSERT INTO counters VALUES (?, ?, ?, ?)",
};

struct writer {
    sqlite3 *db;
    sqlite3_stmt *insert[INSERTS];
    const char *path;
    uint64_t run;
};

static bool refuse(struct writer *w, struct smw_err *e)
{
    bool memory = w->db == NULL || sqlite3_errcode(w->db) == SQLITE_NOMEM;

    return err_set(e, memory ? SMW_ERR_NOMEM : SMW_ERR_IO, "%s: %s", w->path,
                   w->db != NULL ? sqlite3_errmsg(w->db) : "out of memory");
}

static bool say(struct writer *w, const char *sql, struct smw_err *e)
{
    return sqlite3_exec(w->db, sql, NULL, NULL, NULL) == SQLITE_OK || refuse(w, e);
}

/* What is bound is borrowed until the row is in. */
static void bind_text(sqlite3_stmt *s, int i, const char *text)
{
    (void)sqlite3_bind_text(s, i, text, -1, SQLITE_STATIC);
}

static void bind_number(sqlite3_stmt *s, int i, double v)
{
    const double exact = 9007199254740992.0; /* 2^53 */

    if (v >= -exact && v <= exact && v == (double)(sqlite3_int64)v) {
        (void)sqlite3_bind_int64(s, i, (sqlite3_int64)v);
    } else {
        (void)sqlite3_bind_double(s, i, v);
    }
}

/* An empty cell stays NULL. */
static void bind_cell(sqlite3_stmt *s, int i, const struct table_cell *c)
{
    (void)sqlite3_bind_null(s, i);
    if (c->is_number) {
        bind_number(s, i, c->number);
    } else if (c->text[0] != '\0') {
        bind_text(s, i, c->text);
    }
}

static bool put(struct writer *w, enum insert which, struct smw_err *e)
{
    bool ok = sqlite3_step(w->insert[which]) == SQLITE_DONE || refuse(w, e);

    (void)sqlite3_reset(w->insert[which]);
    return ok;
}

static bool put_cells(struct writer *w, const struct sweep_table *t,
                      const struct table_row *row, struct smw_err *e)
{
    for (uint32_t i = 0; i < t->n_columns; i++) {
        enum insert which = t->columns[i].role == TABLE_PARAM ? PARAMS : COLLECTED;
        sqlite3_stmt *s = w->insert[which];

        if (t->columns[i].role == TABLE_STATE || row->cells[i].text[0] == '\0') {
            continue;
        }
        (void)sqlite3_bind_int64(s, 1, (sqlite3_int64)w->run);
        bind_text(s, 2, t->columns[i].name);
        bind_cell(s, 3, &row->cells[i]);
        if (!put(w, which, e)) {
            return false;
        }
    }
    return true;
}

struct counting {
    struct writer *w;
    struct smw_err *e;
};

static bool put_counter(void *ctx, const char *kernel, const char *name,
                        const struct expr_value *value)
{
    struct counting *c = ctx;
    sqlite3_stmt *s = c->w->insert[COUNTERS];

    (void)sqlite3_bind_int64(s, 1, (sqlite3_int64)c->w->run);
    bind_text(s, 2, kernel);
    bind_text(s, 3, name);
    if (value->kind == EXPR_NUMBER) {
        bind_number(s, 4, value->number);
    } else {
        bind_text(s, 4, value->kind == EXPR_TEXT ? value->text : "");
    }
    return put(c->w, COUNTERS, c->e);
}

static bool put_counters(struct writer *w, const char *dir, struct smw_err *e)
{
    struct counting c = {w, e};
    char *point = store_point(dir, w->run);
    struct stats_file stats;
    bool ok = stats_open(&stats, point, e) && stats_each(&stats, put_counter, &c);

    stats_close(&stats);
    free(point);
    return ok;
}

static bool put_row(struct writer *w, const struct sweep_table *t, const char *dir,
                    const struct table_row *row, struct smw_err *e)
{
    w->run = row->done.index;
    for (int i = 0; i < 5; i++) {
        bind_cell(w->insert[RUNS], i + 1, &row->cells[i]);
    }
    return put(w, RUNS, e) && put_cells(w, t, row, e) &&
           (row->done.status != STORE_OK || put_counters(w, dir, e));
}

/* The columns of results.csv; those of parameters and values are looked up. */
static char *view_of(const struct sweep_table *t)
{
    struct text sql = {0};
    char *column;

    text_add(&sql, "CREATE VIEW results AS SELECT idx AS \"index\", digest, status, "
                   "exit, error");
    for (uint32_t i = 5; i < t->n_columns; i++) {
        const struct table_column *c = &t->columns[i];

        column = sqlite3_mprintf(
            ",\n (SELECT value FROM %s WHERE run = idx AND name = %Q) AS \"%w\"",
            c->role == TABLE_PARAM ? "params" : "collected", c->name, c->name);
        if (column == NULL) {
            tb_no_memory();
        }
        text_add(&sql, "%s", column);
        sqlite3_free(column);
    }
    text_add(&sql, "\n FROM runs;");
    return sql.s;
}

static bool prepare(struct writer *w, struct smw_err *e)
{
    for (int i = 0; i < INSERTS; i++) {
        if (sqlite3_prepare_v2(w->db, inserts[i], -1, &w->insert[i], NULL) !=
            SQLITE_OK) {
            return refuse(w, e);
        }
    }
    return true;
}

static bool put_table(struct writer *w, const struct sweep_table *t, const char *dir,
                      struct smw_err *e)
{
    char *view;
    bool ok;

    if (!say(w, schema, e) || !prepare(w, e)) {
        return false;
    }
    for (uint64_t i = 0; i < t->n_rows; i++) {
        if (!put_row(w, t, dir, &t->rows[i], e)) {
            return false;
        }
    }
    view = view_of(t);
    ok = say(w, indexes, e) && say(w, view, e) && say(w, "COMMIT;", e);
    free(view);
    return ok;
}

bool table_sqlite(const struct sweep_table *t, const char *dir, const char *path,
                  struct smw_err *e)
{
    struct writer w = {.path = path};
    bool ok;

    ok = sqlite3_open_v2(path, &w.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                         NULL) == SQLITE_OK ||
         refuse(&w, e);
    ok = ok && put_table(&w, t, dir, e);
    for (int i = 0; i < INSERTS; i++) {
        (void)sqlite3_finalize(w.insert[i]);
    }
    return (sqlite3_close(w.db) == SQLITE_OK || refuse(&w, e)) && ok;
}
