#include "man/roff.h"

#include "io/file.h"
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 76 };

/* The day on which the pages were last looked through: no page names the day on which a
 * program was built. */
#define PAGE_DATE "2026-11-22"

/* What stands for c where roff would make something else of it. */
static const char *escape(char c)
{
    switch (c) {
    case '\\': return "\\e";
    case '-': return "\\-";
    case '\'': return "\\(aq";
    case '`': return "\\(ga";
    case '^': return "\\(ha";
    case '~': return "\\(ti";
    case '"': return "\\(dq";
    default: return NULL;
    }
}

static void add_char(struct text *t, char c)
{
    const char *roff = escape(c);

    if (roff != NULL) {
        text_add(t, "%s", roff);
    } else {
        text_add(t, "%c", c);
    }
}

void roff_escape(struct text *out, char font, const char *text, size_t n)
{
    if (font != 'R') {
        text_add(out, "\\f%c", font);
    }
    for (size_t i = 0; i < n && text[i] != '\0'; i++) {
        add_char(out, text[i]);
    }
    if (font != 'R') {
        text_add(out, "\\fR");
    }
}

/* ---- lines ---- */

static void end_line(struct roff *p)
{
    if (p->width > 0) {
        fputc('\n', p->f);
        p->width = 0;
    }
}

static void end_example(struct roff *p)
{
    if (p->example) {
        fputs(".EE\n", p->f);
        p->example = false;
    }
}

static void open_gap(struct roff *p)
{
    end_line(p);
    if (p->gap) {
        fputs(".PP\n", p->f);
        p->gap = false;
    }
}

static void put_word(struct roff *p, const char *word)
{
    size_t n = strlen(word);

    if (p->width > 0 && p->width + 1 + n > WIDTH) {
        end_line(p);
    }
    if (p->width > 0) {
        fputc(' ', p->f);
        p->width++;
    } else if (word[0] == '.') {
        fputs("\\&", p->f);
    }
    fputs(word, p->f);
    p->width += (unsigned)n;
    p->headed = false;
}

/* Words, `in bold` where quoted so. */
static void fill(struct roff *p, const char *line)
{
    bool bold = false;

    while (*line != '\0') {
        struct text word = {0};
        bool any = false;

        line += strspn(line, " ");
        if (bold && *line != '\0') {
            text_add(&word, "\\fB");
        }
        for (; *line != '\0' && *line != ' '; line++) {
            any = true;
            if (*line == '`') {
                bold = !bold;
                text_add(&word, "%s", bold ? "\\fB" : "\\fR");
            } else {
                add_char(&word, *line);
            }
        }
        if (any) {
            if (bold) {
                text_add(&word, "\\fR");
            }
            put_word(p, word.s);
        }
        text_free(&word);
    }
}

static void put_example(struct roff *p, const char *line)
{
    struct text t = {0};

    if (!p->example) {
        open_gap(p);
        fputs(".EX\n", p->f);
        p->example = true;
        p->headed = false;
    }
    roff_escape(&t, 'R', line, strlen(line));
    fprintf(p->f, "%s%s\n", t.s != NULL && t.s[0] == '.' ? "\\&" : "",
            t.s == NULL ? "" : t.s);
    text_free(&t);
}

void roff_line(struct roff *p, const char *line)
{
    struct text t = {0};

    if (strncmp(line, "  ", 2) == 0) {
        put_example(p, line);
        return;
    }
    end_example(p);
    if (strncmp(line, "# ", 2) == 0) {
        roff_section(p, line + 2);
    } else if (strncmp(line, "## ", 3) == 0) {
        roff_part(p, line + 3);
    } else if (strncmp(line, ": ", 2) == 0) {
        roff_escape(&t, 'B', line + 2, strlen(line + 2));
        roff_term(p, t.s);
        text_free(&t);
    } else if (line[0] == '\0') {
        end_line(p);
        p->gap = !p->headed;
    } else {
        if (p->gap) {
            open_gap(p);
        }
        fill(p, line);
    }
}

void roff_text(struct roff *p, const char *text)
{
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");
        char *line = tb_printf("%.*s", (int)n, text);

        if (strncmp(line, "  ", 2) != 0) {
            roff_line(p, "");
        }
        roff_line(p, line);
        free(line);
        text += n + (text[n] == '\n');
    }
    roff_line(p, "");
}

static void heading(struct roff *p, const char *macro, const char *name)
{
    struct text t = {0};

    end_example(p);
    end_line(p);
    p->gap = false;
    p->headed = true;
    roff_escape(&t, 'R', name, strlen(name));
    fprintf(p->f, ".%s %s\n", macro, t.s);
    text_free(&t);
}

void roff_section(struct roff *p, const char *name)
{
    heading(p, "SH", name);
}

void roff_part(struct roff *p, const char *name)
{
    heading(p, "SS", name);
}

void roff_term(struct roff *p, const char *roff)
{
    end_example(p);
    end_line(p);
    p->gap = p->headed = false;
    fprintf(p->f, ".TP\n%s\n", roff);
}

void roff_begin(struct roff *p, FILE *f, const char *title, char section,
                const char *version)
{
    struct text name = {0};

    *p = (struct roff){.f = f};
    for (const char *c = title; *c != '\0'; c++) {
        add_char(&name, *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c);
    }
    fprintf(f, ".TH %s %c " PAGE_DATE " \"smwave %s\" \"smwave manual\"\n", name.s,
            section, version);
    text_free(&name);
}

void roff_end(struct roff *p)
{
    end_example(p);
    end_line(p);
}
