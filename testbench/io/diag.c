#include "io/diag.h"

#include "io/file.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct diag_exit diag_exits[] = {
    {TB_OK, "ran, and all checks passed; there may have been warnings"},
    {TB_KERNEL, "the kernel is at fault, or what was compared differs"},
    {TB_USAGE, "the command line is wrong"},
    {TB_CONFIG, "the configuration is wrong"},
    {TB_INPUT, "PTX, a launch file or a sweep file is wrong, or the device refuses it"},
    {TB_DEADLOCK, "no warp can go on: deadlock"},
    {TB_LIMIT, "a limit of cycles or of time was reached"},
    {TB_IO, "a file cannot be read or written"},
    {TB_SWEEP, "a sweep has been run, and some of its points failed"},
    {TB_INTERNAL, "internal error: the model or the program is broken"},
    {TB_SIGINT, "interrupted"},
    {TB_SIGTERM, "terminated"},
};

const uint32_t diag_n_exits = ARRAY_LEN(diag_exits);

enum tb_exit diag_exit(enum smw_err_kind kind)
{
    switch (kind) {
    case SMW_ERR_NONE: return TB_OK;
    case SMW_ERR_USAGE: return TB_USAGE;
    case SMW_ERR_CONFIG: return TB_CONFIG;
    case SMW_ERR_INPUT: return TB_INPUT;
    case SMW_ERR_KERNEL: return TB_KERNEL;
    case SMW_ERR_DEADLOCK: return TB_DEADLOCK;
    case SMW_ERR_LIMIT: return TB_LIMIT;
    case SMW_ERR_IO: return TB_IO;
    case SMW_ERR_NOMEM:
    case SMW_ERR_INTERNAL: return TB_INTERNAL;
    }
    return TB_INTERNAL;
}

bool diag_color(FILE *f)
{
    const char *no = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    return (no == NULL || no[0] == '\0') && isatty(fileno(f)) != 0 &&
           (term == NULL || strcmp(term, "dumb") != 0);
}

/* Bytes of the control character at s, 0: it is another. Those of C1 have two in
 * UTF-8. */
static uint32_t control(const unsigned char *s)
{
    if (s[0] < 0x20 || s[0] == 0x7f) {
        return 1;
    }
    return s[0] == 0xc2 && s[1] >= 0x80 && s[1] <= 0x9f ? 2 : 0;
}

/* Bytes from s on that are printed as they are. */
static size_t plain(const unsigned char *s)
{
    size_t n = 0;

    while (s[n] == '\n' || s[n] == '\t' || (s[n] != 0 && control(s + n) == 0)) {
        n++;
    }
    return n;
}

/* Standard error has no buffer: each call is a write of the system. */
void diag_text(FILE *f, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;

    while (*s != 0) {
        size_t n = plain(s);

        (void)fwrite(s, 1, n, f);
        s += n;
        if (*s != 0) {
            n = control(s);
            fprintf(f, "\\x%02x", s[n - 1]);
            s += n;
        }
    }
}

void diag_print(const char *fmt, ...)
{
    va_list ap, again;
    char *text;
    int n;

    va_start(ap, fmt);
    va_copy(again, ap);
    n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    text = tb_alloc((size_t)(n < 0 ? 0 : n) + 1);
    (void)vsnprintf(text, (size_t)n + 1, fmt, again);
    va_end(again);
    diag_text(stdout, text);
    free(text);
}

/* The same, one character for one, so that what stands below it fits. */
static void put_line(FILE *f, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;

    while (*s != 0) {
        uint32_t n = *s == '\t' ? 0 : control(s);

        fputc(n == 0 ? *s : '?', f);
        s += n == 0 ? 1 : n;
    }
}

void diag_source(FILE *f, const struct smw_err *e)
{
    size_t n = strlen(e->source);
    size_t blank = strspn(e->source, " \t");
    uint32_t width = e->width == 0 ? 1 : e->width;
    uint32_t column = e->caret == 0 ? e->column : e->caret;

    if (n == 0 || blank == n) {
        return;
    }
    fputs("    ", f);
    put_line(f, e->source);
    fputc('\n', f);
    if (column == 0 || column > n + 1) {
        return;
    }
    fputs("    ", f);
    for (uint32_t i = 0; i + 1 < column; i++) {
        unsigned char c = (unsigned char)e->source[i];

        if ((c & 0xc0u) != 0x80u) { /* one blank per character, tabs stay tabs */
            fputc(c == '\t' ? '\t' : ' ', f);
        }
    }
    fputc('^', f);
    for (uint32_t i = 1; i < width && column - 1 + i < n; i++) {
        fputc('~', f);
    }
    fputc('\n', f);
}

static void print_place(FILE *f, const struct smw_err *e)
{
    if (e->file[0] == '\0') {
        fputs("smwave: ", f);
        return;
    }
    diag_text(f, e->file);
    if (e->line != 0) {
        fprintf(f, ":%u", e->line);
    }
    if (e->line != 0 && e->column != 0) {
        fprintf(f, ":%u", e->column);
    }
    fputs(": ", f);
}

static void print_error(const struct smw_err *e, const char *level, const char *paint)
{
    bool color = diag_color(stderr);

    print_place(stderr, e);
    fprintf(stderr, "%s%s:%s ", color ? paint : "", level, color ? "\033[0m" : "");
    diag_text(stderr, e->message);
    fputc('\n', stderr);
    diag_source(stderr, e);
    if (e->hint[0] != '\0') {
        diag_hint("%s", e->hint);
    }
}

enum tb_exit diag_error(const struct smw_err *e)
{
    print_error(e, "error", "\033[1;31m");
    return diag_exit(e->kind);
}

void diag_warning(const struct smw_err *e)
{
    print_error(e, "warning", "\033[1;35m");
}

void diag_hint(const char *fmt, ...)
{
    bool color = diag_color(stderr);
    char text[1024];
    va_list ap;

    fputs(color ? "\033[1;36mhint:\033[0m " : "hint: ", stderr);
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    diag_text(stderr, text);
    fputc('\n', stderr);
}

enum tb_exit diag_usage(const char *command, const char *fmt, ...)
{
    va_list ap;

    fprintf(stderr, "smwave%s%s: ", command[0] == '\0' ? "" : " ", command);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fprintf(stderr, "\nTry 'smwave%s%s --help' for more.\n",
            command[0] == '\0' ? "" : " ", command);
    return TB_USAGE;
}
