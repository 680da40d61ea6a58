#include "sweep/plan_priv.h"

#include <string.h>

/* The point as the plan has it is the point as it would be planned. */
static bool is_line(const struct plan_file *f, const struct sweep_point *now,
                    bool *same, struct smw_err *e)
{
    struct text a = {0}, b = {0};
    struct sweep_point then;

    if (!plan_point(f, now->index, &then, e)) {
        return false;
    }
    plan_line(&then, &a);
    plan_line(now, &b);
    *same = a.n == b.n && memcmp(a.s, b.s, a.n) == 0;
    text_free(&a);
    text_free(&b);
    sweep_point_free(&then);
    return true;
}

/* Without where a point is the combination of its index, and others need not be
 * made. */
static void skip(struct plan *p, plan_wanted *wanted, void *ctx)
{
    uint64_t n = sweep_combinations(p->sweep);

    while (p->sweep->n_where == 0 && p->index < n && !wanted(ctx, p->index)) {
        p->combination = ++p->index;
    }
}

bool plan_holds(const struct plan_file *f, const struct sweep *s, plan_wanted *wanted,
                void *ctx, bool *holds, struct smw_err *e)
{
    struct digester *d = digester_new(s);
    struct sweep_point p;
    struct plan plan;
    bool ok = true;

    *holds = true;
    plan_start(&plan, s);
    for (skip(&plan, wanted, ctx); ok && *holds && plan_next(&plan, &p, e);
         skip(&plan, wanted, ctx)) {
        struct smw_err refused = {0}; /* the digest stands for it */

        *holds = p.index < f->n;
        if (*holds && wanted(ctx, p.index)) {
            (void)digest_point(d, plan.combination - 1, &p, &refused);
            ok = is_line(f, &p, holds, e);
        }
        sweep_point_free(&p);
    }
    *holds = *holds && plan.index == f->n;
    digester_free(d);
    return ok && e->kind == SMW_ERR_NONE;
}
