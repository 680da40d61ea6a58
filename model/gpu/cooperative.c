/* cooperative.c - grids whose blocks wait for each other (SPEC LAUNCH-6). */
#include "gpu/device_priv.h"

/* Bytes of the place where one grid meets: two words, of which the second counts. */
enum { PLACE = 32 };

/* Where resident launches meet, made once: what a grid leaves behind is where the next
 * can begin. */
static bool make_places(struct smw_device *d, struct smw_err *e)
{
    static const uint8_t zeros[SM_MAX_LAUNCHES * PLACE];

    if (d->grid_sync != 0) {
        return true;
    }
    if (!smw_alloc(d, sizeof(zeros), &d->grid_sync, e)) {
        return false;
    }
    smw_name(d, d->grid_sync, "grid barriers");
    device_give(d, d->grid_sync, zeros, sizeof(zeros));
    return true;
}

bool cooperative_check(struct smw_device *d, const struct queued *q, struct smw_err *e)
{
    const uint32_t *const grid = q->args.grid;
    const uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    const uint64_t room = (uint64_t)q->fit.blocks * d->gpu.n_sms;

    if (!q->args.cooperative) {
        return true;
    }
    if (blocks > room) {
        (void)err_set(e, SMW_ERR_INPUT,
                      "a cooperative launch of %llu blocks: %llu are on the device at "
                      "once, %u on each of %u SMs",
                      (unsigned long long)blocks, (unsigned long long)room,
                      q->fit.blocks, d->gpu.n_sms);
        return err_code(e, SMW_CODE_COOPERATIVE_TOO_LARGE);
    }
    return !q->kernel->module->ptx->wants_grid_sync || make_places(d, e);
}

void cooperative_describe(const struct smw_device *d, const struct queued *q,
                          struct sm_launch *s)
{
    const uint32_t reserved = d->gpu.rules.shared_reserved;

    if (q->args.cooperative && d->grid_sync != 0) {
        s->grid_sync = d->grid_sync + (uint64_t)PLACE * q->index;
    }
    if (s->module->wants_reserved && reserved != 0) {
        s->reserved_at = (s->shared_bytes + 15) & ~15u;
        s->reserved_bytes = s->shared_bytes + reserved - s->reserved_at;
        s->shared_bytes += reserved;
    }
}
