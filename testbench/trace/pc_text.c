#include "trace/pc_text.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_CODE = 1 << 24,   /* instructions of a table */
    MAX_TABLE = 1u << 30, /* bytes of one */
    DIGITS = 8            /* of a pc */
};

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

/* Printable ASCII; a viewer takes "?red?" in front for a colour. */
static void make_plain(char *s)
{
    for (size_t i = 0; s[i] != '\0'; i++) {
        if (s[i] < ' ' || s[i] > '~' || (i == 0 && s[i] == '?')) {
            s[i] = '.';
        }
    }
}

static void put(struct code *c, uint32_t pc, const char *text)
{
    if (pc >= c->n) {
        uint32_t n = pc + 1 > 2 * c->n ? pc + 1 : 2 * c->n;

        c->text = tb_realloc(c->text, n * sizeof(c->text[0]));
        memset(c->text + c->n, 0, (n - c->n) * sizeof(c->text[0]));
        c->n = n;
    }
    if (c->text[pc] == NULL) { /* the first of several is right, as for GTKWave */
        c->text[pc] = tb_strdup(text);
        make_plain(c->text[pc]);
    }
}

static bool is_launched(const struct smw_device *d, const char *kernel)
{
    struct smw_result r;

    for (uint32_t i = 0; smw_result(d, i, &r); i++) {
        if (strcmp(r.kernel, kernel) == 0) {
            return true;
        }
    }
    return false;
}

/* A function that kernels call is part of each. d NULL: all are. */
static bool is_part(const struct smw_module *m, const struct smw_device *d,
                    const char *function)
{
    for (uint32_t i = 0; d != NULL && i < smw_kernels(m); i++) {
        if (strcmp(smw_kernel_name(smw_kernel_at(m, i)), function) == 0) {
            return is_launched(d, function);
        }
    }
    return true;
}

static void add(struct code *c, const struct smw_module *m, const struct smw_device *d)
{
    const char *function = NULL;
    struct smw_inst inst;
    bool part = true;

    for (uint32_t pc = 0; smw_module_inst(m, pc, &inst); pc++) {
        bool source = inst.file != NULL && inst.line != 0;
        char line[CODE_LINE];

        if (inst.function != function) {
            function = inst.function;
            part = function == NULL || is_part(m, d, function);
        }
        if (!part) {
            continue;
        }
        snprintf(line, sizeof(line), "%s  %.128s:%u", inst.text,
                 last_part(source ? inst.file : inst.ptx_file),
                 (unsigned)(source ? inst.line : inst.ptx_line));
        put(c, pc, line);
    }
    while (c->n > 0 && c->text[c->n - 1] == NULL) { /* put() makes room for more */
        c->n--;
    }
}

void code_of_module(struct code *c, const struct smw_module *m)
{
    *c = (struct code){NULL, 0};
    add(c, m, NULL);
}

void code_of_launches(struct code *c, const struct smw_module *m,
                      const struct smw_device *d)
{
    *c = (struct code){NULL, 0};
    add(c, m, d);
}

void code_add_module(struct code *c, const struct smw_module *m)
{
    add(c, m, NULL);
}

/* ---- tables ---- */

/* "0000001a ld.shared.u32 ..."; comments and what is not traced are no lines of
 * code. */
static bool read_line(struct code *c, char *line)
{
    char *end;
    unsigned long pc;

    if (line[0] == '#' || line[0] == '\0' || line[0] == 'x') {
        return true;
    }
    if (strspn(line, "0123456789abcdefABCDEF") != DIGITS || line[DIGITS] != ' ') {
        return false;
    }
    pc = strtoul(line, &end, 16);
    if (pc >= MAX_CODE) {
        return false;
    }
    if (strlen(end + 1) >= CODE_LINE) {
        end[CODE_LINE] = '\0';
    }
    put(c, (uint32_t)pc, end + 1);
    return true;
}

bool code_of_table(struct code *c, const char *path, struct smw_err *e)
{
    size_t size = 0;
    char *text = file_read(path, MAX_TABLE, &size, SMW_ERR_INPUT, e);
    uint32_t number = 0;
    bool ok = text != NULL;

    *c = (struct code){NULL, 0};
    for (char *line = text; ok && line != NULL;) {
        char *next = memchr(line, '\n', size - (size_t)(line - text));

        if (next != NULL) {
            *next++ = '\0';
        }
        number++;
        ok = read_line(c, line);
        line = next;
    }
    if (text != NULL && !ok) {
        err_set(e, SMW_ERR_INPUT,
                "this is no table of instructions: \"PC TEXT\" in lines");
        err_at(e, path, NULL, number, 1, 0);
    }
    free(text);
    if (!ok) {
        code_free(c);
    }
    return ok;
}

void code_free(struct code *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        free(c->text[i]);
    }
    free(c->text);
    *c = (struct code){NULL, 0};
}
