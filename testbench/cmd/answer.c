#include "cmd/answer.h"

#include "io/csv.h"
#include "io/diag.h"
#include "io/num.h"
#include "run/findings.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void answer_print(json_t *answer)
{
    char *s = json_dumps(answer, JSON_INDENT(2) | JSON_PRESERVE_ORDER);

    puts(s == NULL ? "" : s);
    free(s);
    json_decref(answer);
}

json_t *answer_error(const struct smw_err *e)
{
    return json_pack("{s:i, s:i, s:o, s:o}", "line", (int)e->line, "column",
                     (int)e->column, "message", findings_string(e->message), "hint",
                     findings_string(e->hint));
}

/* ---- rows ---- */

static json_t *field_value(const char *s)
{
    char *end;
    json_int_t n;

    errno = 0;
    n = strtoll(s, &end, 10);
    if (*s != '\0' && *s != ' ' && *s != '+' && *end == '\0' && errno == 0) {
        return json_integer(n);
    }
    return *s == '\0' ? json_null() : findings_string(s);
}

static char **copy_names(const struct csv_field *f, uint32_t n)
{
    char **names = tb_alloc((n + 1) * sizeof(names[0]));

    for (uint32_t i = 0; i < n; i++) {
        names[i] = tb_strdup(f[i].s);
    }
    return names;
}

static json_t *read_rows(struct csv *c, struct smw_err *e)
{
    uint32_t n_names = 0, n = 0;
    const struct csv_field *f = csv_next(c, &n_names, e);
    char **names = copy_names(f, n_names);
    json_t *rows = json_array();

    while (f != NULL && (f = csv_next(c, &n, e)) != NULL) {
        json_t *row = json_object();

        for (uint32_t i = 0; i < n && i < n_names; i++) {
            json_object_set_new(row, names[i], field_value(f[i].s));
        }
        json_array_append_new(rows, row);
    }
    for (uint32_t i = 0; i < n_names; i++) {
        free(names[i]);
    }
    free(names);
    return rows;
}

json_t *answer_rows(const char *csv)
{
    struct smw_err e = {0};
    FILE *f = fmemopen((char *)csv, strlen(csv), "r");
    struct csv *c = f == NULL ? NULL : csv_open(f, "the answer");
    json_t *rows = c == NULL ? json_array() : read_rows(c, &e);

    if (c != NULL) {
        csv_close(c);
    }
    if (f != NULL) {
        fclose(f);
    }
    if (e.kind != SMW_ERR_NONE) {
        (void)diag_error(&e);
        json_decref(rows);
        rows = NULL;
    }
    return rows;
}

void answer_begin(struct answer_stream *s)
{
    s->text = NULL;
    s->n = 0;
    s->f = open_memstream(&s->text, &s->n);
    if (s->f == NULL) {
        abort(); /* without memory the program cannot go on */
    }
}

FILE *answer_stream_or_stdout(struct answer_stream *to)
{
    if (to == NULL) {
        return stdout;
    }
    answer_begin(to);
    return to->f;
}

static json_t *rows_written(struct answer_stream *s, bool ok)
{
    json_t *rows;

    fclose(s->f);
    rows = ok ? answer_rows(s->text) : NULL;
    free(s->text);
    return rows;
}

void answer_end(struct answer_stream *s, bool ok)
{
    json_t *rows = rows_written(s, ok);

    if (rows != NULL) {
        answer_print(rows);
    }
}

/* "+10", "-96.875" */
static void make_number(json_t *row, const char *key)
{
    const char *s = json_string_value(json_object_get(row, key));
    int64_t whole = 0;
    double real = 0;

    if (s == NULL) {
        return;
    }
    s += *s == '+';
    if (num_s64(s, &whole) == NUM_OK) {
        json_object_set_new(row, key, json_integer(whole));
    } else if (num_f64(s, &real) == NUM_OK && isfinite(real)) {
        json_object_set_new(row, key, json_real(real));
    }
}

void answer_end_diff(struct answer_stream *s, bool ok)
{
    static const char *const keys[] = {"a", "b", "difference", "percent"};
    json_t *rows = rows_written(s, ok), *row;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        for (size_t k = 0; k < ARRAY_LEN(keys); k++) {
            make_number(row, keys[k]);
        }
    }
    if (rows != NULL) {
        answer_print(rows);
    }
}

/* ---- modules ---- */

static json_t *text_or_null(const char *s)
{
    return s == NULL ? json_null() : findings_string(s);
}

json_t *answer_insts(const struct smw_module *m, const char *kernel)
{
    json_t *list = json_array();
    struct smw_inst x;

    for (uint32_t pc = 0; smw_module_inst(m, pc, &x); pc++) {
        json_t *o;

        if (kernel != NULL && (x.function == NULL || strcmp(x.function, kernel) != 0)) {
            continue;
        }
        o = json_pack("{s:I, s:o, s:I, s:o}", "pc", (json_int_t)pc, "function",
                      text_or_null(x.function), "offset", (json_int_t)x.offset, "inst",
                      findings_string(x.text));
        json_object_set_new(o, "ptx_line", json_integer(x.ptx_line));
        json_object_set_new(o, "file", text_or_null(x.file));
        json_object_set_new(o, "line",
                            x.file == NULL ? json_null() : json_integer(x.line));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *params(const struct smw_kernel *k)
{
    json_t *list = json_array();
    struct smw_param p;

    for (uint32_t i = 0; smw_kernel_param(k, i, &p); i++) {
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:I, s:I}", "name", p.name, "type",
                                        p.type, "bytes", (json_int_t)p.size, "offset",
                                        (json_int_t)p.offset));
    }
    return list;
}

json_t *answer_kernels(const struct smw_module *m)
{
    json_t *list = json_array();
    const struct smw_kernel *k;

    for (uint32_t i = 0; (k = smw_kernel_at(m, i)) != NULL; i++) {
        struct smw_kernel_facts f;

        smw_kernel_facts(k, &f);
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:I, s:I, s:I, s:I}", "name",
                            findings_string(smw_kernel_name(k)), "parameters",
                            params(k), "registers", (json_int_t)f.regs, "shared_bytes",
                            (json_int_t)f.static_shared, "local_bytes_per_thread",
                            (json_int_t)f.local_per_thread, "max_threads",
                            (json_int_t)f.max_threads));
    }
    return list;
}
