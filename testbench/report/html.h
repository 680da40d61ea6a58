/*
 * html.h - pieces of a page: text from users made harmless, numbers for people,
 * sections and tables.
 *
 * A page is one file: style and script are inside, nothing is fetched. The script sorts
 * and filters tables and shows values under the pointer; without it the page can be
 * read all the same. html_text() makes every text harmless, wherever it comes from.
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "io/file.h"

/* Text between tags or inside a quoted attribute: markup is escaped, bytes that are not
 * UTF-8 and control characters become U+FFFD. s NULL: nothing. */
void html_text(struct text *out, const char *s);
void html_text_n(struct text *out, const char *s, size_t n);
/* A name, which may go on in the next line behind its dots and underscores. */
void html_name(struct text *out, const char *s);

/* The same inside a JSON string of a script element: quotes are not added. */
void html_json_text(struct text *out, const char *s);

/* 1234567 -> "1,234,567" */
void html_grouped(struct text *out, uint64_t v);
/* At most digits significant ones, "0.125", "1.23e+07"; integers below 10^15 in full
 * and grouped. */
void html_number(struct text *out, double v, int digits);
/* "31.4 %" of a / b; "-" if b is 0. */
void html_percent(struct text *out, double a, double b);

/* title and kind ("run", "sweep") may come from anybody. */
void html_open(struct text *out, const char *title);
void html_close(struct text *out);

/* A section that the bar on top of the page leads to; note: a sentence, NULL: none. */
struct html_nav {
    const char *id, *title;
};
void html_bar(struct text *out, const char *name, const struct html_nav *nav, size_t n);
void html_section(struct text *out, const char *id, const char *title,
                  const char *note);
void html_section_end(struct text *out);

/* ---- tables ---- */

struct html_column {
    const char *title, *note; /* note: what it means, shown under the pointer; NULL */
    bool number;              /* to the right, sorted as one */
};

enum html_table_kind {
    HTML_PLAIN,
    HTML_SORTED, /* its heads are buttons */
    HTML_TALL    /* the same, and it scrolls by itself if it is long */
};

/* id: of the element, "t-counters"; caption: for those who do not see it. */
void html_table(struct text *out, const char *id, const char *caption,
                const struct html_column *c, size_t n, enum html_table_kind kind);
void html_table_end(struct text *out);
/* Cells, each ended by the next or by html_row(). */
void html_row(struct text *out);
void html_cell(struct text *out, const char *s);
void html_cell_code(struct text *out, const char *s);
void html_cell_count(struct text *out, uint64_t v);
void html_cell_number(struct text *out, double v, int digits);
void html_cell_percent(struct text *out, double a, double b);
void html_cell_empty(struct text *out);

#endif /* REPORT_HTML_H */
