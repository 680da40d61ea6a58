/*
 * outdir.h - the directory that results are written into.
 *
 * A directory smwave wrote holds the marker file OUTDIR_MARKER, which says what kind of
 * results these are. Results of the same kind are replaced: the files a run can have
 * written are removed, anything else is left alone. A directory without the marker that
 * is not empty belongs to somebody else; this and results of another kind are refused
 * unless forced. Forcing removes nothing of somebody else's.
 *
 * Who writes into it holds a lock on the marker until outdir_release(), or until the
 * process has ended. Several may write a sweep at the same time, each point being a
 * directory of its own; of anything else the second is refused. On a file system
 * without locks (flock(2)) nobody is kept out.
 */
#ifndef IO_OUTDIR_H
#define IO_OUTDIR_H

#include "base/err.h"

#define OUTDIR_MARKER ".smwave"

enum outdir_kind {
    OUTDIR_RUN,     /* smwave run: of a launch file */
    OUTDIR_PROGRAM, /* smwave exec, or run of a source */
    OUTDIR_RECORD,  /* exec --record */
    OUTDIR_SWEEP,
    OUTDIR_KINDS
};

enum { OUTDIR_UNLOCKED = -1 };

/* Make path ready, with its parents. *lock is what outdir_release() takes; NULL: nobody
 * is kept out, as in a directory below one that is locked. SMW_ERR_IO. */
bool outdir_prepare(const char *path, enum outdir_kind kind, bool force, int *lock,
                    struct smw_err *e);

/* The same for results that are gone on with: nothing is removed, and path must be
 * there. */
bool outdir_hold(const char *path, enum outdir_kind kind, bool force, int *lock,
                 struct smw_err *e);

/* Of a run that could not end: what it had not finished, NAME.part, is removed. The
 * lock is held. */
void outdir_tidy(const char *path);

/* Let others in. OUTDIR_UNLOCKED: nothing to do. */
void outdir_release(int lock);

/* The directory of a file that is to be written exists. */
bool outdir_make_parents(const char *file, struct smw_err *e);

#endif /* IO_OUTDIR_H */
