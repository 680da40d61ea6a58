/*
 * outdir.h - the directory a run writes into.
 *
 * A directory smwave wrote holds the marker file OUTDIR_MARKER. It is replaced: the
 * files a run can have written are removed, anything else in it is left alone. A
 * directory without the marker that is not empty belongs to somebody else and is
 * refused unless forced; forcing removes nothing.
 */
#ifndef IO_OUTDIR_H
#define IO_OUTDIR_H

#include "base/err.h"

#define OUTDIR_MARKER ".smwave"

/* Make path ready, with its parents. SMW_ERR_IO. */
bool outdir_prepare(const char *path, bool force, struct smw_err *e);

/* The directory of a file that is to be written exists. */
bool outdir_make_parents(const char *file, struct smw_err *e);

#endif /* IO_OUTDIR_H */
