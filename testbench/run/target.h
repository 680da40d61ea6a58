/*
 * target.h - what a user wants to run, by the word that names it: a launch file, or the
 * name of a built-in one. An existing file wins.
 */
#ifndef RUN_TARGET_H
#define RUN_TARGET_H

#include "base/err.h"

/* The launch file of the target: an existing file, else a built-in one, which
 * FILE_BUILTIN names as well. *path and *name are the caller's to free. */
bool target_find(const char *target, char **path, char **name, struct smw_err *e);

/* There is no such launch file; is another one meant? Returns false. */
bool target_unknown(const char *target, struct smw_err *e);

/* The target that a built-in file is: "launches/reverse.yml" -> "reverse". The caller
 * frees. NULL: it is no launch file. */
char *target_builtin(const char *path);

#endif /* RUN_TARGET_H */
