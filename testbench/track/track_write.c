/* track_write.c - of track.h, what comes after the run. */
#include "track/track_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void track_finish(struct track *r)
{
    struct smw_progress now = {0};

    smw_progress(r->device, &now);
    r->end = now.cycles;
    for (uint32_t i = 0; i < r->n_sms; i++) {
        for (uint32_t k = 0; k < SM_MAX_WARPS; k++) {
            struct track_warp *w = &r->sm[i].warp[k];

            r->end = w->block != TRACK_NONE && w->since > r->end ? w->since : r->end;
        }
    }
    for (uint32_t i = 0; i < r->n_sms; i++) {
        for (uint32_t k = 0; k < SM_MAX_WARPS; k++) {
            struct track_warp *w = &r->sm[i].warp[k];

            track_settle(r, w, r->end);
            if (w->inst != TRACK_NONE) {
                r->inst.at[w->inst].pc = w->pc;
            }
        }
    }
}

bool track_write(struct track *r, const char *dir, struct smw_err *e)
{
    struct text t = {0};
    bool ok = true;

    if (r == NULL) {
        return true;
    }
    track_finish(r);
    if (r->plan.pipeline) {
        track_pipeline(r, &t);
        ok = text_write(dir, "pipeline.kanata", &t, e);
    }
    if (r->plan.timeline) {
        track_timeline(r, &t);
        ok = text_write(dir, "timeline.json", &t, e) && ok;
    }
    if (r->plan.blocks) {
        track_blocks(r, &t);
        ok = text_write(dir, "blocks.csv", &t, e) && ok;
    }
    return ok;
}

bool track_is_cut(const struct track *r, uint64_t *until)
{
    if (r == NULL || r->cut == TRACK_NEVER) {
        return false;
    }
    *until = r->cut;
    return true;
}

void track_text(const struct track *r, uint32_t block, uint32_t pc,
                struct track_text *out)
{
    const char *file, *slash;

    memset(out, 0, sizeof(*out));
    if (!smw_inst(r->device, r->block.at[block].launch, pc, &out->inst)) {
        return;
    }
    file = out->inst.line != 0 ? out->inst.file : out->inst.ptx_file;
    file = file == NULL ? "ptx" : file;
    slash = strrchr(file, '/');
    (void)snprintf(out->line, sizeof(out->line), "%.64s:%u",
                   slash != NULL ? slash + 1 : file,
                   (unsigned)(out->inst.line != 0 ? out->inst.line
                                                  : out->inst.ptx_line));
}

const char *track_op(uint8_t op)
{
    return op == MEM_LOAD ? "load" : op == MEM_STORE ? "store" : "atomic";
}

const char *track_space(uint8_t space)
{
    return space == ISA_SP_SHARED    ? "shared"
           : space == ISA_SP_CLUSTER ? "cluster"
           : space == ISA_SP_CONST   ? "constant"
           : space == ISA_SP_LOCAL   ? "local"
                                     : "global";
}

void track_tell_cut(const struct track *r, uint64_t max)
{
    uint64_t until;

    if (track_is_cut(r, &until)) {
        fprintf(stderr,
                "smwave: pipeline and timeline end at cycle %" PRIu64 ", after %" PRIu64
                " warp instructions (--record-max takes more, --record-from begins "
                "later)\n",
                until, max);
    }
}
