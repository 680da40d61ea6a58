/*
 * sweep_priv.h - what the files that read a sweep file share.
 */
#ifndef SWEEP_SWEEP_PRIV_H
#define SWEEP_SWEEP_PRIV_H

#include "io/value.h"
#include "smwave.h"
#include "sweep/sweep.h"

struct sweep_reader {
    struct sweep *s;
    struct smw_config *probe; /* knows which keys there are */
    struct smw_err *e;
};

/* plan.c: the value of step i of its dimension as text, which the caller frees; NULL:
 * it is not said. */
char *sweep_step_text(const struct sweep_axis *a, uint64_t i);

/* sweep_keys.c: what key n->key means. Also refuses one that is given already; where it
 * varies, or in base or derive. */
bool sweep_read_key(struct sweep_reader *r, const struct yaml_node *key,
                    struct sweep_key *out);
/* value is one the key can have: a single value, but for the launch file's. */
bool sweep_check_value(struct sweep_reader *r, const struct sweep_key *key,
                       const struct yaml_node *value);
/* The node as text, which is YAML where the key is of the launch file; the caller
 * frees. */
char *sweep_text(const struct sweep_key *key, const struct yaml_node *value);

/* "x2": so many times what the configuration has. */
bool sweep_is_factor(const char *text);

/* sweep_axes.c: grid, zip and list. */
bool sweep_read_grid(struct sweep_reader *r, const struct yaml_node *n);
bool sweep_read_zip(struct sweep_reader *r, const struct yaml_node *n);
bool sweep_read_list(struct sweep_reader *r, const struct yaml_node *n);

/* sweep_range.c: the range that text is into *out. False: it is none, or, with *e
 * filled, a wrong one. */
bool sweep_read_range(struct sweep_reader *r, const struct yaml_node *n,
                      struct sweep_part *out);

/* sweep_baseline.c: after the axes and collect, before the plots. */
bool sweep_read_baseline(struct sweep_reader *r, const struct yaml_node *n);

/* sweep_output.c: collect, limits and plots. */
bool sweep_read_collect(struct sweep_reader *r, const struct yaml_node *n);
bool sweep_read_limits(struct sweep_reader *r, const struct yaml_node *n);
bool sweep_read_plots(struct sweep_reader *r, const struct yaml_node *n);

/* sweep_names.c: every name in every expression is known where it stands, every
 * variable is of use. */
bool sweep_check_names(struct sweep_reader *r);

/* A list of names that grows, for the nearest one. */
struct sweep_names {
    const char **names;
    uint32_t n;
};
void sweep_names_add(struct sweep_names *s, const char *name);
bool sweep_names_have(const struct sweep_names *s, const char *name);
/* Names of what a point is: axes, base, the first n_derive derived keys. */
void sweep_names_of(const struct sweep *s, uint32_t n_derive, struct sweep_names *out);

#endif /* SWEEP_SWEEP_PRIV_H */
