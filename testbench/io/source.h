/*
 * source.h - lines of the sources that a PTX module's .loc lines name.
 *
 * A source is looked for where the .loc says, then beside the PTX, if it is called like
 * one (.cu, .h ...). The file looked at last is kept.
 */
#ifndef IO_SOURCE_H
#define IO_SOURCE_H

#include <stddef.h>
#include <stdint.h>

struct source {
    const char *module_path; /* where the PTX came from */
    char *text, *name;       /* of the file looked at last; NULL: none, or not there */
};

/* Line n of the file without its indentation, as long as there is room in buf; "": it
 * is not known. Control characters are blanks. */
void source_line(struct source *s, const char *file, uint32_t n, char *buf,
                 size_t size);

void source_free(struct source *s);

#endif /* IO_SOURCE_H */
