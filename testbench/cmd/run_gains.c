#include "cmd/run_gains.h"

#include "run/loop.h"
#include "run/run.h"
#include <stdlib.h>

struct gains {
    const struct run_options *opt;
    bool stopped; /* by a signal */
};

/* Cycles of the launches of a run that has ended, and ended well. */
static bool take_cycles(struct run *r, enum smw_status status, uint64_t *cycles,
                        uint32_t n)
{
    struct smw_err e = {0};
    struct smw_result k;

    if (status != SMW_DONE || !run_conclude(r, status, &e) || r->wrong != 0) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!smw_result(r->host.device, i, &k) || !k.finished) {
            return false;
        }
        cycles[i] = k.counters.cycles;
    }
    return true;
}

static bool again(void *ctx, const char *set, uint64_t *cycles, uint32_t n)
{
    struct gains *g = ctx;
    const struct run_options *o = g->opt;
    const char **sets = tb_alloc((o->n_overrides + 1) * sizeof(sets[0]));
    const struct run_request q = {.target = o->target,
                                  .config = o->config,
                                  .sets = sets,
                                  .n_sets = o->n_overrides + 1,
                                  .launches = o->launches,
                                  .n_launches = o->n_launches};
    struct smw_options device = o->device;
    struct run r = {0};
    struct smw_err e = {0};
    bool ok = false;

    for (uint32_t i = 0; i < o->n_overrides; i++) {
        sets[i] = o->overrides[i];
    }
    sets[o->n_overrides] = set;
    device.check = SMW_CHECK_NONE;
    device.stalls = false;
    device.team = NULL;
    if (!g->stopped && run_read(&r, &q, &e) && run_open(&r, &device, &e)) {
        const struct loop_result end =
            loop_run(r.host.device, &(struct loop_options){0});

        g->stopped = end.signal != 0;
        ok = take_cycles(&r, end.status, cycles, n);
    }
    run_close(&r);
    free(sets);
    return ok;
}

void run_gains(struct advice *a, const struct run_options *o, uint32_t n_launches)
{
    struct gains g = {.opt = o};

    advice_gains(a, n_launches, o->gains, again, &g);
}
