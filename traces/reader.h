/*
 * reader.h - reads a VCD as a stream: its declarations at once, its changes one by one.
 *
 * It takes what simulators write (IEEE 1364-2005 with strings as GTKWave reads them)
 * and trusts nothing: whatever the bytes are, it refuses them with a line number or
 * delivers changes of declared variables, at times that never go back, of values no
 * wider than declared. Memory: the declarations and the longest word.
 *
 * A file that just ends, even within a word, is one whose writer was stopped: its
 * changes up to there are delivered.
 */
#ifndef READER_H
#define READER_H

#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    READER_MAX_WORD = 1 << 20, /* bytes of a word */
    READER_MAX_NAME = 255,     /* bytes of a scope's or variable's */
    READER_MAX_DEPTH = 64,     /* of scopes */
    READER_MAX_VARS = 1 << 24,
    READER_MAX_PATH = 16 * 1024 /* room for scopes and name with dots, a little short of
                                   the worst; longer ones are refused */
};

#define READER_NONE UINT32_MAX

enum reader_kind {
    READER_WIRE,    /* any vector */
    READER_INTEGER, /* the same, known by its name without a range */
    READER_REAL,
    READER_STRING,
    READER_EVENT
};

struct reader_scope {
    const char *name;
    uint32_t parent; /* READER_NONE: at the top */
};

struct reader_var {
    const char *name;
    uint32_t scope; /* READER_NONE: of none */
    enum reader_kind kind;
    uint32_t width;  /* bits */
    uint32_t signal; /* what changes; other variables may be names of the same */
};

enum reader_step {
    READER_CHANGE,
    READER_TIME,  /* before the changes at that time */
    READER_BEGUN, /* $dumpvars is over: what follows happens */
    READER_OFF,   /* $dumpoff */
    READER_ON,    /* $dumpon */
    READER_END,
    READER_FAILED
};

struct reader_change {
    uint64_t time;
    uint32_t signal;
    const char *text; /* bits, number or string as in the file; until the next step */
    uint64_t value;   /* of wires and integers, the low 64 bits; x and z count 0 */
    bool known;       /* no bit is x or z */
};

struct reader;

/* Read the declarations of f, which stays the caller's and is named name in errors.
 * NULL and *e (SMW_ERR_INPUT, SMW_ERR_IO). */
struct reader *reader_open(FILE *f, const char *name, struct smw_err *e);
void reader_close(struct reader *r); /* r may be NULL */

uint32_t reader_scopes(const struct reader *r);
const struct reader_scope *reader_scope(const struct reader *r, uint32_t i);
uint32_t reader_vars(const struct reader *r); /* in order of declaration */
const struct reader_var *reader_var(const struct reader *r, uint32_t i);
uint32_t reader_signals(const struct reader *r);
/* Scopes and name with dots, no range. Like snprintf(). */
size_t reader_path(const struct reader *r, const struct reader_var *v, char *buf,
                   size_t size);

/* Texts of the header: "" if there is none. Comment i: NULL behind the last. */
const char *reader_timescale(const struct reader *r);
const char *reader_version(const struct reader *r);
const char *reader_comment(const struct reader *r, uint32_t i);

/* The next thing; after READER_END or READER_FAILED (with *e) the same again. */
enum reader_step reader_next(struct reader *r, struct reader_change *c,
                             struct smw_err *e);

/* The file ended before its last line did. Known at READER_END. */
bool reader_was_cut(const struct reader *r);

#endif /* READER_H */
