/*
 * plan_priv.h - what the files that make a plan share.
 */
#ifndef SWEEP_PLAN_PRIV_H
#define SWEEP_PLAN_PRIV_H

#include "io/file.h"
#include "sweep/plan.h"

/* Where the sweep file says the setting of the combination, or, with key, its key;
 * NULL: nowhere. */
const struct yaml_node *plan_origin(const struct sweep *s, uint64_t combination,
                                    enum sweep_role role, const char *path, bool key);

/* Line of the point in plan.jsonl. */
void plan_line(const struct sweep_point *p, struct text *out);

/* ---- digests (digest.c) ---- */

struct digester; /* remembers the files it has read */

struct digester *digester_new(const struct sweep *s);
void digester_free(struct digester *d);

/* Fill the point's digest and paths. False and *e, of which a part points into the
 * sweep file: the point cannot be run; its digest stands for why. */
bool digest_point(struct digester *d, uint64_t combination, struct sweep_point *p,
                  struct smw_err *e);

/* What the configuration of the point, as it is so far, says of a key, into buf. False:
 * there is none such, or, with *e, no configuration. */
bool digest_setting(const struct sweep *s, struct sweep_point *p, const char *key,
                    char *buf, size_t size, struct smw_err *e);

#endif /* SWEEP_PLAN_PRIV_H */
