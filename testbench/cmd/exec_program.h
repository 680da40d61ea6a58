/*
 * exec_program.h - the program that "smwave exec" runs: where it is, what it is, how it
 * ends.
 */
#ifndef CMD_EXEC_PROGRAM_H
#define CMD_EXEC_PROGRAM_H

#include "base/err.h"

/* As a shell finds it: a path if it has a slash, else in PATH. The caller frees. NULL
 * and *e (SMW_ERR_INPUT): there is none, or it cannot be run. */
char *exec_find(const char *name, struct smw_err *e);

/* What the file at path says of itself, for a program that never came to our runtime.
 */
enum exec_kind {
    EXEC_NO_CODE, /* no code for devices in it */
    EXEC_STATIC,  /* such code, and a runtime library of its own */
    EXEC_SHARED   /* such code, and a runtime library is loaded */
};
enum exec_kind exec_look(const char *path);

struct exec_end {
    int code;   /* the exit code, if no signal came */
    int signal; /* the one that ended it; 0: none */
};

/* Runs it with the environment of this process until it ends. SIGINT and SIGQUIT are
 * its own matter meanwhile, SIGTERM is handed on. argv ends with NULL. False and *e
 * (SMW_ERR_INPUT): it could not be started. */
bool exec_run(const char *path, char *const *argv, struct exec_end *end,
              struct smw_err *e);

#endif /* CMD_EXEC_PROGRAM_H */
