/*
 * track.h - what a run leaves for the tools of others: the pipeline of each warp for
 * Konata, a timeline for Perfetto, and a row of a table for each block.
 *
 *   pipeline.kanata  "--pipeline konata": a line per warp instruction, from the cycle
 *                    in which its warp comes to it to that of its result (Kanata 0004)
 *   timeline.json    "--timeline perfetto": SMs are processes; warps, shared memory and
 *                    the load/store unit are tracks; launches and blocks are slices
 *                    above; counters are curves (Trace Event Format)
 *   blocks.csv       "--blocks": where and when each block ran, and what its warps did
 *
 * It listens to the model: to the states of warps, to what issues and is answered, and
 * to what the rules made of each access. A run without these options does not pay for
 * it. The first two hold instructions of one window: from the cycle `from` on, at most
 * `max` of them. The table has every block. Time is in cycles of the SM clock; the
 * timeline, whose format knows only microseconds, has one of them for each cycle.
 */
#ifndef TRACK_TRACK_H
#define TRACK_TRACK_H

#include "io/file.h"
#include "smwave.h"

/* Who is a thread in Konata. */
enum track_lane { TRACK_BY_WARP, TRACK_BY_BLOCK };

#define TRACK_MAX_INSTS  UINT64_C(100000) /* if nobody says */
#define TRACK_MOST_INSTS UINT64_C(50000000)

struct track_plan {
    bool pipeline, timeline, blocks;
    bool why; /* what the chain of waits needs (why.h) */
    enum track_lane lane;
    uint64_t from, max;
};

static inline bool track_is_asked(const struct track_plan *p)
{
    return p->pipeline || p->timeline || p->blocks || p->why;
}

/* A plan in words, "pipeline=block,blocks,from=0,max=100000", and back: why is not
 * among them. False: the buffer is too small; the text says something else. */
enum { TRACK_TEXT = 128 };
bool track_plan_text(const struct track_plan *p, char *buf, size_t size);
bool track_plan_parse(struct track_plan *p, const char *text, struct smw_err *e);

struct track;

/* Listen to the device, before its first step. NULL and *e: it is not as expected. */
struct track *track_open(struct smw_device *d, const struct smw_config *c,
                         const struct track_plan *p, struct smw_err *e);
void track_close(struct track *r); /* NULL: nothing */

/* After the run: the files into dir. r may be NULL. */
bool track_write(struct track *r, const char *dir, struct smw_err *e);

/* The instructions that were asked for are more than the files hold: from the cycle
 * *until on they are not in them. r may be NULL. */
bool track_is_cut(const struct track *r, uint64_t *until);

/* Says so on standard error; max: of the plan. */
void track_tell_cut(const struct track *r, uint64_t max);

#endif /* TRACK_TRACK_H */
