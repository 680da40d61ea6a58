/*
 * roff.h - a manual page in man(7), from text that is easy to write:
 *
 *   # NAME            a section; "## Name" a part of one
 *   : term            a term, of which the lines below tell
 *     example         two blanks in front: as it stands, in a fixed width
 *   `word`            in bold
 *
 * Other lines are filled; an empty one ends a paragraph.
 */
#ifndef MAN_ROFF_H
#define MAN_ROFF_H

#include "base/attr.h"
#include <stdio.h>

struct roff {
    FILE *f;
    bool example;   /* inside of one */
    bool gap;       /* a paragraph begins before the next line */
    bool headed;    /* nothing stands below the last heading yet */
    unsigned width; /* of the line that is being filled */
};

/* title: "smwave-run"; section: '1'. */
void roff_begin(struct roff *p, FILE *f, const char *title, char section,
                const char *version);
/* One line of the text above. */
void roff_line(struct roff *p, const char *line);
/* Lines; each that is not indented is a paragraph of its own. */
void roff_text(struct roff *p, const char *text);
void roff_section(struct roff *p, const char *name);
void roff_part(struct roff *p, const char *name);
/* A term in roff of its own, see roff_escape(). */
void roff_term(struct roff *p, const char *roff);
void roff_end(struct roff *p);

/* text, n characters at most, so that roff prints it as it is, behind *out, a text that
 * grows; font: 'B', 'I' or 'R'. */
struct text;
void roff_escape(struct text *out, char font, const char *text, size_t n);

#endif /* MAN_ROFF_H */
