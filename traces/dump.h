/*
 * dump.h - where a wave writes what it sees: one interface, a format behind it.
 *
 *   dump_vcd.c     VCD, by libvcd; into a file, a compressed one (gzip.h), a stream
 *   dump_fst.c     FST, by the writer that comes with verilator
 *   dump_nofst.c   in its place where that was not found
 *   dump_units.c   in front of either: time in units coarser than its caller's
 *
 * Life of a dump: dump_open_*(), then comments, scopes and variables; dump_time() and
 * initial values; dump_begin(); times and changes; dump_close().
 *
 * All formats hold the same: a time only when a change follows it, and the last time
 * always; a value only when it differs from the last one, an event every time; no date.
 * Equal calls give equal bytes.
 *
 * Nothing here fails visibly: a dump keeps its first error and tells it when closed.
 */
#ifndef DUMP_H
#define DUMP_H

#include "base/arena.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A variable: its number in the order of declaration, second names included. */
typedef uint32_t dump_id;
#define DUMP_NONE UINT32_MAX

enum dump_kind {
    DUMP_WIRE,    /* a vector */
    DUMP_INTEGER, /* the same, known by a name without a range */
    DUMP_STRING,
    DUMP_EVENT
};

struct dump_var {
    enum dump_kind kind;
    const char *name;
    uint32_t width; /* bits, at most 64; of strings and events not looked at */
    dump_id of;     /* a second name for that variable; DUMP_NONE: a new one */
    const char *const *names; /* of values 0, 1, ..., for formats that hold such; NULL:
                                 none. Must stay as long as the dump */
    uint32_t n_names;
};

struct dump_options {
    const char *version; /* of the program; NULL: not said */
    struct arena *arena; /* of all memory; outlives the dump */
    uint32_t n_vars;     /* at most so many will be declared; 0: not known */
    bool cycles;         /* a unit of time is called 1 ns and is a cycle; else 1 ps */
    int stream; /* of a VCD: the open file it goes to, which stays the caller's;
                            0: the path is opened */
};

struct dump;

/* The formats' functions; see the wrappers below. */
struct dump_format {
    void (*comment)(struct dump *d, const char *text);
    void (*scope)(struct dump *d, const char *name);
    void (*upscope)(struct dump *d);
    dump_id (*add)(struct dump *d, const struct dump_var *v);
    size_t (*loader_name)(const struct dump *d, dump_id id, char *buf, size_t size);
    void (*begin)(struct dump *d);
    void (*time)(struct dump *d, uint64_t t);
    void (*set)(struct dump *d, dump_id id, uint64_t value);
    void (*set_x)(struct dump *d, dump_id id);
    void (*set_z)(struct dump *d, dump_id id);
    void (*set_text)(struct dump *d, dump_id id, const char *text);
    void (*fire)(struct dump *d, dump_id id);
    void (*off)(struct dump *d);
    int (*flush)(struct dump *d);
    uint64_t (*bytes)(const struct dump *d);
    int (*close)(struct dump *d, uint64_t *bytes);
    const char *(*words)(int error);
};

struct dump { /* begins every format's own */
    const struct dump_format *format;
};

/* NULL with errno. A path that ends in .gz makes a compressed
 * VCD. */
struct dump *dump_open_vcd(const char *path, const struct dump_options *o);
struct dump *dump_open_fst(const char *path, const struct dump_options *o);
/* Times t become unit(ctx, t) in to, which is closed with it. What happens in a unit is
 * what is left at its end: of each variable the last value, and an event once. */
struct dump *dump_in_units(struct dump *to, struct arena *arena,
                           uint64_t (*unit)(void *ctx, uint64_t t), void *ctx);
/* FST is built in; else opening one fails with ENOSYS. */
bool dump_has_fst(void);
/* Write an FST as a VCD to out. False: it is none or cannot be written. The reader
 * trusts the file: what is no whole FST may end or stop the process, so give it one of
 * its own. False too where FST is not built in. */
bool dump_fst_to_vcd(const char *path, FILE *out);
/* What the system refused this thread in that, which it does not look at: an errno; 0:
 * nothing. */
int dump_fst_error(void);
/* The same was refused to another thread, which wrote on what this one will close. 0:
 * nothing was. */
void dump_fst_refuse(int error);

/* One line, in the header or between changes; an FST has all of them in its header. */
static inline void dump_comment(struct dump *d, const char *text)
{
    d->format->comment(d, text);
}

static inline void dump_scope(struct dump *d, const char *name)
{
    d->format->scope(d, name);
}

static inline void dump_upscope(struct dump *d)
{
    d->format->upscope(d);
}

static inline dump_id dump_add(struct dump *d, const struct dump_var *v)
{
    return d->format->add(d, v);
}

/* The name by which viewers know the variable: scopes and name with dots, and a range
 * behind a wire of more than one bit. Like snprintf(); 0 for no such variable. */
static inline size_t dump_loader_name(const struct dump *d, dump_id id, char *buf,
                                      size_t size)
{
    return d->format->loader_name(d, id, buf, size);
}

/* All is declared, the initial values are set. */
static inline void dump_begin(struct dump *d)
{
    d->format->begin(d);
}

/* The time of what follows; equal is fine, never less. */
static inline void dump_time(struct dump *d, uint64_t t)
{
    d->format->time(d, t);
}

static inline void dump_set(struct dump *d, dump_id id, uint64_t value)
{
    d->format->set(d, id, value);
}

static inline void dump_set_x(struct dump *d, dump_id id)
{
    d->format->set_x(d, id);
}

static inline void dump_set_z(struct dump *d, dump_id id)
{
    d->format->set_z(d, id);
}

static inline void dump_set_text(struct dump *d, dump_id id, const char *text)
{
    d->format->set_text(d, id, text);
}

static inline void dump_fire(struct dump *d, dump_id id)
{
    d->format->fire(d, id);
}

/* Nothing is known from here on: vectors go x. No change may follow. */
static inline void dump_off(struct dump *d)
{
    d->format->off(d);
}

/* Let readers have what there is, if the format can. The first error so far, or 0. */
static inline int dump_flush(struct dump *d)
{
    return d->format->flush(d);
}

/* Bytes written so far; 0 where that is not known before the end. */
static inline uint64_t dump_bytes(const struct dump *d)
{
    return d->format->bytes(d);
}

/* Write the last time and close. 0, an errno, or a negative code of a broken contract;
 * the format has words for it. *bytes: written; the line of the last time does not
 * count. */
static inline int dump_close(struct dump *d, uint64_t *bytes)
{
    return d->format->close(d, bytes);
}

#endif /* DUMP_H */
