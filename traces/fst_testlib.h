/*
 * fst_testlib.h - for the tests of FST dumps: a file in words, by the reader that
 * belongs to the writer. Nothing in its interface is shared with how dump_fst.c calls
 * the writer.
 */
#ifndef FST_TESTLIB_H
#define FST_TESTLIB_H

#include "wave_testlib.h"

struct text {
    char *s;
    size_t n, room;
};

/* Less than 1 KiB at a time. */
void say(struct text *t, const char *format, ...);

/* The whole file in words, to be freed: header, changes, the stretch it covers. */
char *read_fst(const char *path);

/* tiny_config() of an FST. */
struct wave_config fst_config(struct tiny_paths *p, const char *name);

#endif /* FST_TESTLIB_H */
