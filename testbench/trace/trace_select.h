/*
 * trace_select.h - what of a run is traced: which signals, from when to when.
 *
 *   scope  patterns over dotted paths (wave.h), separated by commas
 *   depth  levels of modules below the top
 *   start, stop, on   points of the run:
 *
 *     1200, 1200 cycles, cycle=1200   an SM cycle
 *     block=3, block=(1,0,0)          a block is placed on an SM; for stop: it ends
 *     kernel=reverse, kernel=2        a launch begins, of that kernel or the second of
 *                                     all; for stop: it ends
 *     pc=reverse.cu:17                an instruction of that line issues, of the source
 *                                     or of the PTX
 *     pc=reverse+0x18                 micro-op 24 of the kernel or function issues
 *     conflict>=8                     a shared access of that degree
 *     barrier, race                   a barrier is completed, a race is found
 *     deadlock, fault, end            for on only: how the run ended
 *
 *   ring   cycles that the dump has around the point on
 *   after  how many of them lie behind that point; if it is not said, half of them, and
 *          none if the point is how the run ended
 *
 * Each is said in the launch file's key trace, or by an option, which wins.
 */
#ifndef TRACE_TRACE_SELECT_H
#define TRACE_TRACE_SELECT_H

#include "io/yaml.h"
#include "smwave.h"
#include "wave.h"

enum { TRACE_RING = 2000 /* cycles, unless said */ };

enum trace_point_kind {
    TRACE_NOT_SAID,
    TRACE_CYCLE,
    TRACE_BLOCK,      /* n: linear index */
    TRACE_BLOCK_AT,   /* at */
    TRACE_KERNEL,     /* name */
    TRACE_KERNEL_NTH, /* n, from 1 */
    TRACE_LINE,       /* name: the file; n */
    TRACE_OFFSET,     /* name: the kernel or function; n */
    TRACE_CONFLICT,   /* n: the least degree */
    TRACE_BARRIER,
    TRACE_RACE,
    TRACE_DEADLOCK,
    TRACE_FAULT,
    TRACE_END
};

/* Where something was said: an option, or a node of the launch file. */
struct trace_said {
    const char *what; /* "--trace-start", "trace: start"; NULL: not said */
    const struct yaml *yaml;
    const struct yaml_node *node; /* NULL: an option */
};

struct trace_point {
    enum trace_point_kind kind;
    struct trace_said said;
    const char *text; /* as written */
    uint64_t n;
    uint32_t at[3];
    const char *name; /* the first name_length characters; not terminated */
    uint32_t name_length;
};

struct trace_select {
    char *scope; /* owned; NULL: everything */
    struct trace_said scope_said;
    uint32_t depth; /* 0: all */
    struct trace_point point[N_WAVE_ROLES];
    uint64_t ring, after; /* cycles */
    struct trace_said ring_said, after_said, depth_said;
};

enum trace_item {
    TRACE_SCOPE,
    TRACE_START,
    TRACE_STOP,
    TRACE_DEPTH,
    TRACE_RING_CYCLES,
    TRACE_ON,
    TRACE_AFTER
};
/* Say one thing. A scope is added to those that s has. text must stay. */
bool trace_select_set(struct trace_select *s, enum trace_item item,
                      const struct trace_said *said, const char *text,
                      struct smw_err *e);
/* What o says is said in s. */
void trace_select_override(struct trace_select *s, const struct trace_select *o);
/* Cycles are in order. */
bool trace_select_check_order(const struct trace_select *s, struct smw_err *e);
/* All that can be checked without a device; and complete what is not said. */
bool trace_select_check(struct trace_select *s, struct smw_err *e);
bool trace_select_given(const struct trace_select *s);
void trace_select_free(struct trace_select *s);

/* Refuse what was said. Returns false. */
bool trace_refuse(const struct trace_said *said, struct smw_err *e, const char *fmt,
                  ...) ATTR_PRINTF(3, 4);

/* ---- on a device ---- */

struct trace_bind;

/* Find what the points name among the launches queued, and fill in what c has of the
 * selection. s must stay. NULL and *e: there is no such thing. */
struct trace_bind *trace_bind_new(const struct trace_select *s, struct smw_device *d,
                                  struct smw_module *m, struct wave_config *c,
                                  struct smw_err *e);
/* m NULL: launches and modules come later. What a point names need not be there then,
 * and is looked for in each module that trace_bind_module() tells of, until one has it.
 * A pc is a place of that module alone: code of others at the same pc counts too. */
void trace_bind_module(struct trace_bind *b, struct smw_module *m);
/* It is to tell w of its points; before the run. */
void trace_bind_add(struct trace_bind *b, struct wave *w);
/* After the run. b may be NULL. */
void trace_bind_free(struct trace_bind *b);

#endif /* TRACE_TRACE_SELECT_H */
