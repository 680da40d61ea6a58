/*
 * why_marks.h - a chain of waits (why.h) and the folder of a run: which target it ran,
 * whether it is the same run, and its waveform with the chain's parts as markers.
 */
#ifndef CMD_WHY_MARKS_H
#define CMD_WHY_MARKS_H

#include "io/file.h"
#include <jansson.h>

/* The name of the target that was run into dir, from its log; the caller frees. NULL
 * and *e: there is no waveform in dir, which came with a log. */
char *why_target_of(const char *dir, struct smw_err *e);

/* dir/run.why.gtkw: as dir/run.gtkw, with the longest parts of the whole chain as its
 * markers, 26 at most, each of 1 % of the chain or more. hz: of the SM clock.
 * SMW_ERR_INPUT: another run than that of the chain, or one without a waveform. */
bool why_mark(const char *dir, const json_t *why, uint64_t hz, struct smw_err *e);

#endif /* CMD_WHY_MARKS_H */
