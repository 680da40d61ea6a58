/*
 * describe.h - what a dump says of its signals, in comments of its header:
 *
 *   signal gpu.sm*.l1.mshrs kind=level unit=fills views=coalescer,memory doc="..."
 *
 * A line is of all signals with that path, in which a star is the number of a scope that
 * has brothers: gpu.sm0.l1.mshrs, gpu.sm1.l1.mshrs. Of several lines the one with the
 * fewest stars counts. The words behind the path are those of struct sim_probe_desc; what
 * is not said is NULL or 0, and words that are not known are skipped.
 *
 * Both ways go through struct sim_probe_desc: who draws a signal does not know whether
 * its description comes from the model or from a file.
 */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include "base/arena.h"
#include "comp/comp.h"

/* ---- writing ---- */

/* The path of m's probes in a description, with a dot behind, into buf (size > 0). */
void describe_path(const struct sim_module *m, char *buf, size_t size);

/* The comment on probes of that desc in a scope whose describe_path() is path. */
const char *describe_text(struct arena *a, const char *path,
                          const struct sim_probe_desc *d);

/* ---- reading ---- */

enum { DESCRIBE_MAX = 4096 /* lines of one dump; more are not looked at */ };

struct describe_line;

struct describe_list { /* zero: empty */
    struct describe_line *first, *last;
    uint32_t n;
};

/* Take what the comment says; false: it is no description. */
bool describe_read(struct describe_list *l, struct arena *a, const char *comment);

/* Of the signal with that dotted path; NULL: the dump does not say. */
const struct sim_probe_desc *describe_find(const struct describe_list *l,
                                           const char *path);

/* The words for it in a description: "level". */
const char *describe_kind(enum sim_probe_kind kind);

#endif /* DESCRIBE_H */
