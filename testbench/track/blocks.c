/* blocks.c - blocks.csv: a row for each block, in the order in which they began. */
#include "track/track_priv.h"

#include <inttypes.h>

/* Issuing is a moment of the waveform and a column of its own here; a warp that does
 * not live has none. */
static bool is_column(const struct track *r, uint32_t state)
{
    return state != r->idle && state + 1 != r->state_desc->n_names;
}

static void put_row(const struct track *r, const struct track_block *b,
                    struct text *out)
{
    struct smw_result k = {0};
    uint64_t x, y, end = track_until(r, b->end);

    (void)smw_result(r->device, b->launch, &k);
    x = b->index % k.grid[0];
    y = b->index / k.grid[0] % k.grid[1];
    text_add(out,
             "%" PRIu32 ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32
             ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d,%" PRIu32 ",%" PRIu64 ",%" PRIu64,
             b->launch, k.kernel, b->index, x, y, b->index / k.grid[0] / k.grid[1],
             b->sm, b->begin, end, end - b->begin, b->end != TRACK_NEVER,
             track_warps(b), b->insts, b->issues);
    for (uint32_t i = 0; i < r->state_desc->n_names; i++) {
        if (is_column(r, i)) {
            text_add(out, ",%" PRIu64, b->state[i]);
        }
    }
    text_add(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", b->wavefronts,
             b->wavefronts - b->ideal, b->requests, b->sectors);
}

void track_blocks(const struct track *r, struct text *out)
{
    text_add(out, "launch,kernel,block,x,y,z,sm,begin,end,cycles,ended,warps,"
                  "warp_insts,issue");
    for (uint32_t i = 0; i < r->state_desc->n_names; i++) {
        if (is_column(r, i)) {
            text_add(out, ",%s", track_state(r, i));
        }
    }
    text_add(out, ",shared_wavefronts,shared_conflicts,global_requests,"
                  "global_sectors\n");
    for (uint32_t i = 0; i < r->block.n; i++) {
        put_row(r, &r->block.at[i], out);
    }
}
