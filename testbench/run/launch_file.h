/*
 * launch_file.h - a launch file: what to run, on what data, and what must come out.
 *
 * Reading checks everything that can be checked without the module and the device; each
 * refusal shows its place. What remains (kernel names, parameters, symbols, limits) is
 * checked by the host with the nodes kept here.
 */
#ifndef RUN_LAUNCH_FILE_H
#define RUN_LAUNCH_FILE_H

#include "io/value.h"
#include "smwave.h"
#include "trace/trace_select.h"

struct launch_buffer {
    const char *name;
    const struct yaml_node *at;
    enum value_type type;
    uint64_t count; /* elements, at least 1 */
    struct value_init init;
    bool has_init;                /* it is given, perhaps as zero */
    uint64_t address;             /* where it is to lie; 0: anywhere */
    const struct yaml_node *dump; /* where its bytes go at the end; NULL: nowhere */
};

struct launch_texture {
    const char *name;
    const struct yaml_node *at, *symbol; /* symbol: what is bound to it; NULL: none */
    int32_t buffer;                      /* whose texels */
    uint64_t row;                        /* bytes from row to row in the buffer */
    struct smw_texture t;                /* without its address */
};

struct launch_symbol {
    const char *name;
    const struct yaml_node *at; /* the value: a form, perhaps with a type beside it */
    bool has_type;              /* else the type the PTX declares */
    enum value_type type;
    struct yaml_node form; /* at without the type */
};

struct launch_run {
    const struct yaml_node *at, *kernel, *args; /* args NULL: none */
    struct smw_launch launch;                   /* params not set yet */
};

enum launch_check { CHECK_EQUALS, CHECK_FNV1A, CHECK_SUM };

struct launch_expect {
    const struct yaml_node *at, *what; /* the entry; the buffer's or symbol's name */
    int32_t buffer;                    /* index, -1: a symbol */
    const char *name;
    bool has_type;
    enum value_type type; /* the buffer's; a symbol's if has_type */
    uint64_t count;       /* elements; 0: all */
    enum launch_check check;
    const struct yaml_node *form; /* EQUALS */
    uint64_t fnv1a;
    const struct yaml_node *sum_at;
    double sum;
    double tolerance; /* absolute; 0: exact */
    double relative;  /* of what is expected; 0: exact */
    uint64_t ulp;     /* numbers of the type in between; 0: exact */
};

struct launch_trace {
    const char *format; /* list as --trace takes it, NULL: not said */
    const struct yaml_node *format_at;
    bool cycles; /* time in cycles of the SM clock */
    struct trace_select select;
};

struct launch_file {
    struct yaml yaml;
    const struct yaml_node *module;  /* a path, or a list of those linked */
    const struct yaml_node *modules; /* loaded before; NULL: none */
    const struct yaml_node *after;   /* the launch file before it; NULL: none */
    const struct yaml_node *config;  /* NULL: not said */
    struct launch_buffer *buffers;
    struct launch_texture *textures;
    struct launch_symbol *symbols;
    struct launch_run *runs;
    struct launch_expect *expects;
    uint32_t n_buffers, n_textures, n_symbols, n_runs, n_expects;
    struct launch_trace trace;
    enum smw_cache_config cache_config; /* device-wide preference */
    uint32_t bank_mode;                 /* 0: not said */
    uint64_t address_base;              /* of device memory; 0: not said */
};

/* In the value of the key launches, the launches inside repeat stand as often as it
 * says, their expressions with the variable's value (launch_repeat.c). */
bool launch_repeat(struct launch_file *l, struct yaml_node *launches,
                   struct smw_err *e);
/* The value of the key expect, after the buffers (launch_expect.c). */
bool launch_read_expects(struct launch_file *l, const struct yaml_node *n,
                         struct smw_err *e);
/* The value of the key textures, after the buffers (launch_texture.c). */
bool launch_read_textures(struct launch_file *l, const struct yaml_node *n,
                          struct smw_err *e);
/* The value of the key trace (launch_trace.c). */
bool launch_read_trace(struct launch_file *l, const struct yaml_node *n,
                       struct smw_err *e);

/* Parse text of size bytes. name: as the user named the file. */
bool launch_parse(struct launch_file *l, const char *name, const char *text,
                  size_t size, struct smw_err *e);
/* The same, from a file (FILE_BUILTIN names included). */
bool launch_read(struct launch_file *l, const char *path, struct smw_err *e);
/* The same, changed by n options "PATH=VALUE" in their order (launch_override.h). */
bool launch_read_changed(struct launch_file *l, const char *path,
                         const char *const *options, uint32_t n, struct smw_err *e);
void launch_free(struct launch_file *l);

/* Index of the buffer, -1 if there is none. */
int32_t launch_find_buffer(const struct launch_file *l, const char *name);
/* The same of a texture. */
int32_t launch_find_texture(const struct launch_file *l, const char *name);
/* What an argument names by a word: a buffer, or, behind all buffers, a texture; -1 if
 * it is neither. */
int32_t launch_find_named(const struct launch_file *l, const char *name);
/* The key may name what: a number could not be told from it. */
bool launch_check_name(const struct launch_file *l, const struct yaml_node *key,
                       const char *what, struct smw_err *e);
/* [x], [x, y] or [x, y, z]; what is not said is 1. */
bool launch_read_extent(const struct yaml *y, const struct yaml_node *n,
                        const char *what, uint32_t *out, struct smw_err *e);
/* Refuse n as the name of a buffer, with the nearest one. */
bool launch_unknown_buffer(const struct launch_file *l, const struct yaml_node *n,
                           struct smw_err *e);

#endif /* RUN_LAUNCH_FILE_H */
