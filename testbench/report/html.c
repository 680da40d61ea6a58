#include "report/html.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

/* Bytes of the character at s, of n; 0: it is not UTF-8. */
static size_t utf8_length(const unsigned char *s, size_t n)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = s[0] < 0x80               ? 1
                    : (s[0] & 0xe0u) == 0xc0u ? 2
                    : (s[0] & 0xf0u) == 0xe0u ? 3
                    : (s[0] & 0xf8u) == 0xf0u ? 4
                                              : 0;
    uint32_t v = length == 0 ? 0 : s[0] & (0x7fu >> (length - (length == 1)));

    if (length == 0 || length > n) {
        return 0;
    }
    if (length == 1) {
        return 1;
    }
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0u) != 0x80u) {
            return 0;
        }
        v = v << 6 | (s[i] & 0x3fu);
    }
    return v < least[length] || v > 0x10ffff || (v >= 0xd800 && v < 0xe000) ? 0
                                                                            : length;
}

static const char unknown[] = "\xef\xbf\xbd"; /* U+FFFD */

/* What is written instead of the character c, NULL: itself. */
static const char *entity(unsigned char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '\t':
    case '\n': return NULL;
    default: return c < ' ' || c == 0x7f ? unknown : NULL;
    }
}

void html_text_n(struct text *out, const char *s, size_t n)
{
    size_t length;

    for (size_t i = 0; i < n; i += length) {
        const char *e = entity((unsigned char)s[i]);

        length = utf8_length((const unsigned char *)s + i, n - i);
        if (length == 0) {
            e = unknown;
            length = 1;
        }
        if (e != NULL) {
            text_add(out, "%s", e);
        } else {
            text_add_bytes(out, s + i, length);
        }
    }
}

void html_text(struct text *out, const char *s)
{
    if (s != NULL) {
        html_text_n(out, s, strlen(s));
    }
}

void html_json_text(struct text *out, const char *s)
{
    size_t n = s == NULL ? 0 : strlen(s), length;

    for (size_t i = 0; i < n; i += length) {
        unsigned char c = (unsigned char)s[i];

        length = utf8_length((const unsigned char *)s + i, n - i);
        if (length == 0) {
            text_add(out, "\\ufffd");
            length = 1;
        } else if (length == 1 && (c < ' ' || c == 0x7f || strchr("\"\\<>&'", c))) {
            text_add(out, "\\u%04x", c);
        } else {
            text_add_bytes(out, s + i, length);
        }
    }
}

void html_name(struct text *out, const char *s)
{
    while (*s != '\0') {
        size_t n = strcspn(s, "._");

        n += s[n] != '\0';
        html_text_n(out, s, n);
        s += n;
        text_add(out, "%s", *s != '\0' ? "<wbr>" : "");
    }
}

/* ---- numbers ---- */

static void grouped(struct text *out, const char *digits)
{
    size_t n = strlen(digits);

    for (size_t i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0) {
            text_add(out, ",");
        }
        text_add(out, "%c", digits[i]);
    }
}

void html_grouped(struct text *out, uint64_t v)
{
    char digits[32];

    snprintf(digits, sizeof(digits), "%" PRIu64, v);
    grouped(out, digits);
}

void html_number(struct text *out, double v, int digits)
{
    char buf[64];

    if (isfinite(v) && v == floor(v) && fabs(v) < 1e15) {
        snprintf(buf, sizeof(buf), "%.0f", fabs(v));
        text_add(out, "%s", v < 0 ? "-" : "");
        grouped(out, buf);
        return;
    }
    if (isfinite(v) && fabs(v) >= 1000 && fabs(v) < 1e15) {
        snprintf(buf, sizeof(buf), "%.0f", fabs(v)); /* no one reads the rest */
        text_add(out, "%s", v < 0 ? "-" : "");
        grouped(out, buf);
        return;
    }
    text_add(out, "%.*g", digits, v);
}

void html_percent(struct text *out, double a, double b)
{
    if (b == 0) {
        text_add(out, "&ndash;");
    } else {
        text_add(out, "%.1f&nbsp;%%", 100 * a / b);
    }
}

/* ---- pages ---- */

static void put_builtin(struct text *out, const char *path)
{
    const struct file_builtin *f = file_find_builtin(path);

    if (f != NULL) {
        text_add_bytes(out, f->data, f->size);
    }
}

void html_open(struct text *out, const char *title)
{
    text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                  "<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, "
                  "initial-scale=1\">\n"
                  "<meta name=\"color-scheme\" content=\"light dark\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                  "'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
                  "img-src data:\">\n"
                  "<link rel=\"icon\" href=\"data:,\">\n<title>");
    html_text(out, title);
    text_add(out, "</title>\n<style>\n");
    put_builtin(out, "report/report.css");
    text_add(out, "</style>\n</head>\n<body>\n");
}

void html_close(struct text *out)
{
    text_add(out, "</main>\n<div id=\"tip\" role=\"status\" hidden></div>\n<script>\n");
    put_builtin(out, "report/report.js");
    text_add(out, "</script>\n</body>\n</html>\n");
}

void html_bar(struct text *out, const char *name, const struct html_nav *nav, size_t n)
{
    text_add(out, "<nav class=\"bar\" aria-label=\"Sections\"><div>"
                  "<a class=\"mark\" href=\"#top\">smwave</a><span class=\"what\">");
    html_text(out, name);
    text_add(out, "</span><span class=\"links\">");
    for (size_t i = 0; i < n; i++) {
        text_add(out, "<a href=\"#%s\">%s</a>", nav[i].id, nav[i].title);
    }
    text_add(out, "</span></div></nav>\n<main id=\"top\">\n");
}

void html_section(struct text *out, const char *id, const char *title, const char *note)
{
    text_add(out,
             "<section id=\"%s\" aria-labelledby=\"h-%s\">\n<h2 id=\"h-%s\">%s</h2>\n",
             id, id, id, title);
    if (note != NULL) {
        text_add(out, "<p class=\"note\">%s</p>\n", note);
    }
}

void html_section_end(struct text *out)
{
    text_add(out, "</section>\n");
}

/* ---- tables ---- */

void html_table(struct text *out, const char *id, const char *caption,
                const struct html_column *c, size_t n, enum html_table_kind kind)
{
    bool sortable = kind != HTML_PLAIN;

    text_add(out,
             "<div class=\"scroll%s\" tabindex=\"0\" role=\"region\" aria-label=\"",
             kind == HTML_TALL ? " tall" : "");
    html_text(out, caption);
    text_add(out, "\">\n<table id=\"%s\"%s>\n<caption>", id,
             sortable ? " class=\"sortable\"" : "");
    html_text(out, caption);
    text_add(out, "</caption>\n<thead><tr>");
    for (size_t i = 0; i < n; i++) {
        text_add(out, "<th scope=\"col\"%s", c[i].number ? " class=\"num\"" : "");
        if (c[i].note != NULL) {
            text_add(out, " title=\"");
            html_text(out, c[i].note);
            text_add(out, "\"");
        }
        text_add(out, ">%s", sortable ? "<button type=\"button\">" : "");
        html_name(out, c[i].title);
        text_add(out, "%s</th>", sortable ? "</button>" : "");
    }
    text_add(out, "</tr></thead>\n<tbody>");
}

void html_table_end(struct text *out)
{
    text_add(out, "\n</tbody></table></div>\n"); /* cells and rows end by themselves */
}

void html_row(struct text *out)
{
    text_add(out, "\n<tr>");
}

void html_cell(struct text *out, const char *s)
{
    text_add(out, "<td>");
    html_text(out, s);
}

void html_cell_code(struct text *out, const char *s)
{
    text_add(out, "<td class=\"code\"><code>");
    html_text(out, s);
    text_add(out, "</code>");
}

void html_cell_count(struct text *out, uint64_t v)
{
    text_add(out, "<td class=\"num%s\">", v == 0 ? " zero" : "");
    html_grouped(out, v);
}

void html_cell_number(struct text *out, double v, int digits)
{
    text_add(out, "<td class=\"num\" data-v=\"%.17g\">", v);
    html_number(out, v, digits);
}

void html_cell_percent(struct text *out, double a, double b)
{
    if (b == 0) {
        text_add(out, "<td class=\"num zero\">&ndash;");
        return;
    }
    text_add(out, "<td class=\"num\" data-v=\"%.17g\">", a / b);
    html_percent(out, a, b);
}

void html_cell_empty(struct text *out)
{
    text_add(out, "<td class=\"num zero\">&ndash;");
}
