#include "io/sheet.h"

#include "io/file.h"

#include <stdlib.h>
#include <string.h>

static bool read_head(struct sheet *s)
{
    uint32_t n;
    const struct csv_field *const head = csv_next(s->csv, &n, s->e);

    if (head == NULL) {
        return err_set(s->e, SMW_ERR_INPUT, "%s has no head", s->path);
    }
    s->name = tb_alloc(n * sizeof(s->name[0]));
    s->n_columns = n;
    for (uint32_t i = 0; i < n; i++) {
        s->name[i] = tb_strdup(head[i].s);
    }
    return true;
}

bool sheet_open(struct sheet *s, const char *path, struct smw_err *e)
{
    *s = (struct sheet){.path = path, .e = e};
    s->f = file_input(&s->path, e);
    if (s->f == NULL) {
        return false;
    }
    s->csv = csv_open(s->f, s->path);
    if (!read_head(s)) {
        sheet_close(s);
        return false;
    }
    return true;
}

void sheet_close(struct sheet *s)
{
    for (uint32_t i = 0; i < s->n_columns; i++) {
        free(s->name[i]);
    }
    free(s->name);
    if (s->csv != NULL) {
        csv_close(s->csv);
    }
    if (s->f != NULL && s->f != stdin) {
        (void)fclose(s->f);
    }
    *s = (struct sheet){.path = s->path, .e = s->e};
}

bool sheet_good(const struct sheet *s)
{
    return s->e->kind == SMW_ERR_NONE;
}

bool sheet_next(struct sheet *s)
{
    uint32_t n;

    s->field = sheet_good(s) ? csv_next(s->csv, &n, s->e) : NULL;
    if (s->field != NULL && n != s->n_columns) {
        err_set(s->e, SMW_ERR_INPUT, "%u fields, the head has %u", n, s->n_columns);
        csv_blame(s->csv, NULL, s->e);
        s->field = NULL;
    }
    return s->field != NULL;
}

static const struct csv_field *find(struct sheet *s, const char *column)
{
    for (uint32_t i = 0; s->field != NULL && i < s->n_columns; i++) {
        if (strcmp(s->name[i], column) == 0) {
            return &s->field[i];
        }
    }
    err_set(s->e, SMW_ERR_INPUT, "%s has no column '%s'", s->path, column);
    return NULL;
}

const char *sheet_text(struct sheet *s, const char *column)
{
    const struct csv_field *const f = find(s, column);

    return f == NULL ? "" : f->s;
}

void sheet_blame(struct sheet *s, const char *column)
{
    csv_blame(s->csv, find(s, column), s->e);
}

bool sheet_name(struct sheet *s, const char *column, char *to, size_t size)
{
    const char *const name = sheet_text(s, column);

    if (strlen(name) < size) {
        (void)strcpy(to, name);
        return true;
    }
    err_set(s->e, SMW_ERR_INPUT, "a name that is too long");
    sheet_blame(s, column);
    return false;
}

static void refuse(struct sheet *s, const char *column, const char *text)
{
    if (sheet_good(s)) {
        err_set(s->e, SMW_ERR_INPUT, "'%s' in column '%s' is no number", text, column);
        sheet_blame(s, column);
    }
}

double sheet_number(struct sheet *s, const char *column)
{
    const char *const t = sheet_text(s, column);
    char *end;
    const double v = strtod(t, &end);

    if (end == t || *end != '\0') {
        refuse(s, column, t);
    }
    return v;
}

uint64_t sheet_hex(struct sheet *s, const char *column)
{
    const char *const t = sheet_text(s, column);
    char *end;
    const uint64_t v = strtoull(t, &end, 16);

    if (end == t || *end != '\0') {
        refuse(s, column, t);
    }
    return v;
}
