/*
 * savefile.h - does a save file of GTKWave show what it says? GTKWave drops a row whose
 * name it does not find, and a translate file that is not there, without a word.
 */
#ifndef TRACE_SAVEFILE_H
#define TRACE_SAVEFILE_H

#include "reader.h"

/* Is path the save file of the dump of that bare name? *e: it cannot be read. */
bool savefile_is_of(const char *path, const char *dump, struct smw_err *e);

/* Each row of path is a variable of the dump r, and each translate file lies beside
 * path: *rows of them. False and *e (SMW_ERR_INPUT, SMW_ERR_IO) at the first that is
 * not. */
bool savefile_check(const char *path, const struct reader *r, uint32_t *rows,
                    struct smw_err *e);

#endif /* TRACE_SAVEFILE_H */
