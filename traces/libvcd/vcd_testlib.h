/*
 * vcd_testlib.h - for the tests of libvcd: a sink in memory that can be told to fail,
 * and a small VCD reader that shares nothing with the writer.
 */
#ifndef LIBVCD_VCD_TESTLIB_H
#define LIBVCD_VCD_TESTLIB_H

#include "libvcd/vcd.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* --- the sink --- */

struct mem {
    char *data; /* NUL-terminated; what was taken */
    size_t len, cap;
    size_t chunk;   /* most bytes taken by one call; 0: all */
    size_t fail_at; /* the write that would pass this many bytes stops there */
    int fail_code; /* and the next returns this (0 or minus an errno); 1: never fails */
    int flush_code, close_code; /* returned by flush and close */
    bool cuts;                  /* can be shortened */
    bool interrupted;           /* every other write is told -EINTR */
    unsigned writes, flushes, closes, n_cuts;
};

/* Nothing fails; buffer 0 is the default size. The mem is cleared. */
struct vcd *mem_open(struct mem *m, const struct vcd_options *options);
struct vcd_sink mem_sink(struct mem *m);
void mem_free(struct mem *m);
/* Close without an error, compare everything written, free. */
void mem_expect(struct vcd *w, struct mem *m, const char *golden);

/* --- the reader --- */

struct rd_var {
    char name[2048]; /* scopes and name with dots, no range */
    char kind[16];
    char id[8];
    unsigned width;
    bool range; /* a range stood on the $var line and was [width-1:0] */
};

struct rd_change {
    uint64_t time;
    unsigned var; /* the first variable with the identifier */
    /* Vectors: width digits; real as text; string with escapes undone; event "1". */
    char *value;
};

struct rd {
    struct rd_var *vars;
    struct rd_change *changes;
    size_t n_vars, n_changes;
    uint64_t end; /* the last time */
    size_t n_times, n_off, n_on, n_all, n_comments;
    char timescale[16];
    bool dumping; /* between $dumpvars or the like and $end */
};

/* Fails the test at the first thing that is not VCD. */
void rd_parse(struct rd *r, const char *text);
/* The same of a dump that ends with any whole line behind its header. */
void rd_parse_cut(struct rd *r, const char *text);
void rd_free(struct rd *r);
/* Index of the variable with that full name; fails the test if there is none. */
unsigned rd_find(const struct rd *r, const char *name);

/* --- randomness, the same on every machine --- */

static inline uint64_t rnd(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* The same with a quarter of the bits set. */
static inline uint64_t rnd_sparse(uint64_t *state)
{
    uint64_t z = rnd(state);

    return z & rnd(state);
}

#endif /* LIBVCD_VCD_TESTLIB_H */
