/*
 * sweep.h - a sweep file: many runs that differ in what the file says.
 *
 *   name: partition              default: the file's name without .yml
 *   doc: which question it answers
 *   base:                        what all points share
 *     target: reduction-small    a launch file, relative to this one, or a built-in one
 *     config: gtx480             a preset or a file; default: the launch file's
 *     set: {sm.scheduler.policy: lrr, launch.launches.0.block: [256]}
 *   grid:                        every combination; the first key varies slowest
 *     sm.onchip.partition: [48/16, 16/48]
 *     n: 2^8..2^14
 *   zip: {a: [1, 2], b: [x, y]}  values that advance together
 *   list: [{config: gtx480}, {config: k20x, n: 5}]    each map is one choice
 *   derive: {launch.buffers.d.count: n, m: n * 2}     key: expression
 *   where: ['n <= 4096 || m == 512']                  points for which all are true
 *   collect: [cycles, {name: ipc, value: warp_insts / cycles, unit: insts/cycle}]
 *   baseline: {l2.latency: x1}   what each point is compared with, or a point's number
 *   limits: {cycles: 10000000, seconds: 60, memory: 1 GiB}    of each point
 *   plots: [{x: n, y: cycles, group: config, facet: a, kind: line, log: xy}]
 *
 * A key is target, config, kernel (of every launch), kernel.N (of launch N), a key of
 * the configuration, launch.PATH (launch_override.h) or a name without a dot: a
 * variable, which expressions use. A value of grid or zip is a list of values and
 * ranges, or one of them: A..B, A..B step S, X^A..X^B. Points are grid x zip x list,
 * the last varying fastest. Later sayings win: base, then the axes, then derive in its
 * order.
 *
 * x2 as the value of a key of the configuration is twice what the preset has, or base
 * says. Derived keys and where also read keys of the configuration that do not vary, as
 * numbers of the base unit: bytes, cycles, Hz.
 *
 * The baseline of a point has the values that baseline names and is as the point else;
 * each column NAME of collect then has one NAME/baseline, and plots show that.
 *
 * Values that a configuration or launch file refuses are a matter of the points that
 * have them; keys nobody has are refused here. Expressions: expr.h.
 */
#ifndef SWEEP_SWEEP_H
#define SWEEP_SWEEP_H

#include "io/expr.h"

enum sweep_role {
    SWEEP_TARGET,
    SWEEP_CONFIG,
    SWEEP_SET,     /* a key of the configuration */
    SWEEP_LAUNCH,  /* a path into the launch file, kernel and kernel.N included */
    SWEEP_VARIABLE /* for expressions only */
};

struct sweep_key {
    enum sweep_role role;
    const char *name;           /* as written, "launch.launches.0.block" */
    const char *path;           /* for whom it is meant, "launches.0.block" */
    const struct yaml_node *at; /* the key */
};

struct sweep_value {
    char *text;                 /* a scalar's text; lists and maps in flow style */
    const struct yaml_node *at; /* where it stands */
};

struct sweep_part {           /* of an axis: one value, or a range of them */
    struct sweep_value value; /* text NULL: a range; at NULL: this choice of a list does
                                 not say the key */
    double first, step;       /* range: first + i * step, or, if it is of powers, */
    double base;              /* base ** (first + i * step); 0: it is not */
    uint64_t start;           /* step of the dimension at which it begins */
    uint64_t n;               /* values, at least 1; 1 without a range */
};

struct sweep_axis { /* one key that varies */
    struct sweep_key key;
    struct sweep_part *parts;
    uint32_t n_parts;
};

struct sweep_dim { /* its axes advance together */
    struct sweep_axis *axes;
    uint32_t n_axes;
    uint64_t n; /* steps, at least 1 */
};

struct sweep_base { /* one of base.set */
    struct sweep_key key;
    struct sweep_value value;
};

struct sweep_derive {
    struct sweep_key key;
    struct expr *expr;
};

struct sweep_column {        /* of the results */
    const char *name, *unit; /* unit NULL: not said */
    char *ratio;             /* NAME/baseline; NULL: there is no baseline */
    struct expr *expr;       /* over counters and parameters */
    const struct yaml_node *at;
};

struct sweep_named { /* of baseline: the value of an axis */
    const char *key;
    char *value; /* as the plan has it */
    uint32_t dim;
};

struct sweep_baseline {
    const struct yaml_node *at; /* NULL: there is none */
    bool is_number;
    uint64_t index; /* is_number: of the one point that all are compared with */
    struct sweep_named *named;
    uint32_t n;
};

struct sweep_limits {
    uint64_t cycles; /* SM cycles; 0: none */
    double seconds;  /* wall time; 0: none */
    uint64_t memory; /* bytes; 0: none */
};

enum sweep_plot_kind { PLOT_LINE, PLOT_BAR, PLOT_HEAT, PLOT_PARETO };

struct sweep_plot { /* names of parameters and columns; NULL: not said */
    enum sweep_plot_kind kind;
    const char *x, *y, *group, *facet;
    const char *z; /* heat: the column that is the colour */
    const char *title;
    bool log_x, log_y;
    const struct yaml_node *at;
};

struct sweep {
    struct yaml yaml;
    char *path; /* as opened; FILE_BUILTIN: compiled in */
    char *name;
    const char *doc;             /* "": not said */
    const char *target, *config; /* of base; NULL: not said */
    const struct yaml_node *target_at, *config_at;
    struct sweep_base *base;
    struct sweep_dim *dims; /* slowest first */
    struct sweep_derive *derive;
    struct expr **where;
    struct sweep_column *collect; /* at least one */
    struct sweep_baseline baseline;
    struct sweep_limits limits;
    struct sweep_plot *plots;
    uint32_t n_base, n_dims, n_derive, n_where, n_collect, n_plots;
};

/* The path of the sweep file that what names: an existing file, else a shipped one. The
 * caller frees; NULL and *e with the nearest name if there is none. */
char *sweep_find(const char *what, struct smw_err *e);

/* Read and check the file; SMW_ERR_INPUT, SMW_ERR_CONFIG (a key of the configuration),
 * SMW_ERR_IO. */
bool sweep_read(struct sweep *s, const char *path, struct smw_err *e);
void sweep_free(struct sweep *s);

/* Combinations before where, 2^64-1 if there are more. */
uint64_t sweep_combinations(const struct sweep *s);

/* Does a column ask for a counter stall.*? Its points count them then, and only then:
 * that takes more time. */
bool sweep_has_stalls(const struct sweep *s);

/* A size above 0 as limits has it: 1073741824, 512 MiB, 1 GiB. */
bool sweep_bytes(const char *text, uint64_t *out);

/* ---- points ---- */

struct sweep_pair {
    char *key, *value;
};

struct sweep_param { /* a column of the results that was given */
    char *name, *text;
    bool is_number;
    double number;
};

struct sweep_point {
    uint64_t index, digest;
    char *target, *config; /* as the sweep file says; config NULL: the launch file's */
    char *target_path;     /* what launch_read() opens */
    char *config_path;     /* what config_load() takes; NULL as config */
    struct sweep_pair *set, *launch; /* configuration keys; paths of the launch file */
    struct sweep_param *params;
    uint32_t n_set, n_launch, n_params;
};

void sweep_point_free(struct sweep_point *p);

/* Fill target_path and config_path from target and config as the sweep file from (a
 * path as in struct sweep) says them. False and *e: there is no such launch file, as
 * whoever opens target_path will find. */
bool sweep_point_resolve(struct sweep_point *p, const char *from, struct smw_err *e);

#endif /* SWEEP_SWEEP_H */
