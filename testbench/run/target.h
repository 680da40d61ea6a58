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

/* Is there a CUDA program of that name, NAME.cu: an existing file or a built-in one?
 * False: *e names the nearest. */
bool target_has_source(const char *target, struct smw_err *e);

/* The CUDA program of the target, NAME.cu: an existing file, else the built-in one of
 * that name, which is written into the folder, as compilers want a file. *path is the
 * caller's to free. False and *e: there is none, or it cannot be written. */
bool target_source(const char *target, const char *folder, char **path,
                   struct smw_err *e);

/* The name of the CUDA program that a built-in file is: "programs/reverse.cu" ->
 * "reverse.cu". NULL: it is none. */
const char *target_program(const char *path);

/* The target that a built-in file is: "launches/reverse.yml" -> "reverse". The caller
 * frees. NULL: it is no launch file. */
char *target_builtin(const char *path);

#endif /* RUN_TARGET_H */
