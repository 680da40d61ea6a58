#include "gpu/device_priv.h"

#include <stdio.h>
#include <stdlib.h>

/* Where warps stand is looked at up to SAMPLES times before the limit, STRIDE cycles
 * apart. */
enum { SAMPLES = 1024, STRIDE = 61, SHOWN = 5 };

void hot_free(struct smw_device *d)
{
    for (uint32_t i = 0; i < SM_MAX_LAUNCHES; i++) {
        free(d->hot.n[i]);
        d->hot.n[i] = NULL;
    }
}

static void hot_sample(struct smw_device *d)
{
    for (uint32_t i = 0; i < SM_MAX_LAUNCHES; i++) {
        if (d->resident[i] != NULL && d->hot.of[i] != d->resident[i]->kernel) {
            free(d->hot.n[i]); /* another launch has its index */
            d->hot.of[i] = d->resident[i]->kernel;
            d->hot.n[i] = calloc(d->resident[i]->kernel->module->ptx->n_uops,
                                 sizeof(d->hot.n[i][0]));
        }
    }
    for (uint32_t i = 0; i < d->gpu.n_sms; i++) {
        sm_sample(d->gpu.sm[i], d->hot.n);
    }
    d->hot.samples++;
}

/* At a prime distance, so that no short loop is met at one place again and again. */
sim_cycle_t hot_until(struct smw_device *d)
{
    sim_cycle_t end = d->opt.max_cycles;
    sim_cycle_t window = end / 2 < SAMPLES * STRIDE ? end / 2 : SAMPLES * STRIDE;

    if (d->hot.until == 0) {
        d->hot.until = end - window;
    }
    return d->hot.until;
}

bool hot_reached(struct smw_device *d)
{
    sim_cycle_t end = d->opt.max_cycles;

    if (d->hot.until >= end) {
        return true;
    }
    hot_sample(d);
    d->hot.until = end - d->hot.until < STRIDE ? end : d->hot.until + STRIDE;
    return false;
}

/* The count of the hottest micro-op and where it is; it is not found again. */
static uint64_t take_hottest(struct smw_device *d, const struct ptx_module **m,
                             uint32_t *pc)
{
    uint64_t best = 0, *at = NULL;

    for (uint32_t i = 0; i < SM_MAX_LAUNCHES; i++) {
        const struct ptx_module *of =
            d->hot.n[i] == NULL ? NULL : d->hot.of[i]->module->ptx;

        for (uint32_t k = 0; of != NULL && k < of->n_uops; k++) {
            if (d->hot.n[i][k] > best) {
                best = d->hot.n[i][k];
                at = &d->hot.n[i][k];
                *m = of;
                *pc = k;
            }
        }
    }
    if (at != NULL) {
        *at = 0;
    }
    return best;
}

static uint64_t sum(const struct smw_device *d)
{
    uint64_t all = 0;

    for (uint32_t i = 0; i < SM_MAX_LAUNCHES; i++) {
        for (uint32_t k = 0;
             d->hot.n[i] != NULL && k < d->hot.of[i]->module->ptx->n_uops; k++) {
            all += d->hot.n[i][k];
        }
    }
    return all;
}

bool hot_report(struct smw_device *d, void (*line)(void *ctx, const char *text),
                void *ctx, struct device_place *hottest)
{
    uint64_t all, n;
    const struct ptx_module *m = NULL;
    uint32_t pc = 0;

    if (d->hot.samples == 0) {
        hot_sample(d);
    }
    all = sum(d);
    for (uint32_t i = 0; i < SHOWN && (n = take_hottest(d, &m, &pc)) != 0; i++) {
        char place[SM_PLACE_SIZE], inst[96], text[480];

        if (i == 0) {
            *hottest = (struct device_place){m, pc};
        }
        sm_place(m, pc, place, sizeof(place));
        ptx_disasm(m, pc, inst, sizeof(inst));
        (void)snprintf(text, sizeof(text),
                       "%5.1f %% of the warps%s at %s, \"%s\" (PTX line %u)",
                       100.0 * (double)n / (double)all,
                       d->hot.samples > 1 ? "' time" : " now", place, inst,
                       m->uops[pc].line);
        line(ctx, text);
    }
    return all != 0;
}
