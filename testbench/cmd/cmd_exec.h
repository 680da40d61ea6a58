/*
 * cmd_exec.h - "smwave exec" for the other command that runs programs.
 */
#ifndef CMD_CMD_EXEC_H
#define CMD_CMD_EXEC_H

#include <stdbool.h>

/* Does the command line of "smwave run" name a source, FILE.cu, before anything else
 * that is no option? */
bool exec_is_source(int argc, char *const *argv);
/* "smwave run [OPTION...] FILE.cu [ARGUMENT...]": compile it and run it as "smwave
 * exec" does; the exit code. */
int exec_source(int argc, char **argv);

#endif /* CMD_CMD_EXEC_H */
