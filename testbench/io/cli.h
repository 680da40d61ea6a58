/*
 * cli.h - command lines: what the sub-commands share.
 */
#ifndef IO_CLI_H
#define IO_CLI_H

#include "io/diag.h"
#include <argp.h>

/* argp_parse(), after unknown long options were refused with the nearest known one. The
 * process exits with TB_USAGE on a wrong command line and 0 after --help. */
void cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/* Index of word in names; -1 after a usage error of command that names the nearest. */
int cli_choose(const char *command, const char *what, const char *word,
               const char *const *names, uint32_t n);

/* Descriptors 0 to 2 that are closed stay unused: call it before a file is opened. */
void cli_hold_streams(void);

/* Everything written to stdout arrived; else an error and TB_IO instead of code. */
int cli_finish(int code);

int cmd_run(int argc, char **argv);
int cmd_config(int argc, char **argv);
int cmd_init(int argc, char **argv);
int cmd_devices(int argc, char **argv);
int cmd_stats(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_stats_diff(int argc, char **argv);
int cmd_wave(int argc, char **argv);
int cmd_ptx(int argc, char **argv);
int cmd_ptxfilter(int argc, char **argv);
int cmd_bankmap(int argc, char **argv);
int cmd_occupancy(int argc, char **argv);
int cmd_report(int argc, char **argv);

#endif /* IO_CLI_H */
