/*
 * part.h - a file that has its name only once it is of use: until then it is called
 * NAME.part. Whoever is stopped on the way leaves the old file, the new one, or none.
 */
#ifndef PART_H
#define PART_H

#include <stdbool.h>
#include <stdio.h>

#define PART_ENDING ".part"

struct part {
    FILE *f;
    const char *path; /* the caller's */
    char *beside;     /* NULL: a link, pipe or device, which is written to and stays
                         what it is; or nothing can be made in that directory */
};

/* There or to be made, and not a link, pipe or device. */
bool part_is_replaceable(const char *path);

/* The error says that nothing may be made in that directory: what lies there may still
 * be written to. */
bool part_is_refused(int error);

/* A directory is there, or is made; a link to one is none. False with errno. */
bool part_directory(const char *path);

/* The stream to write to; NULL with errno. */
FILE *part_open(struct part *p, const char *path);

/* Close: without an error the file gets its name, else it is removed. The error, or one
 * that came up here. */
int part_close(struct part *p, int error);

/* All of it: fill(arg, f) writes. Where memory runs out in it, the file is removed, and
 * who asked for memory is told (nomem.h). The error. */
int part_write(const char *path, void (*fill)(void *arg, FILE *f), void *arg);

#endif /* PART_H */
