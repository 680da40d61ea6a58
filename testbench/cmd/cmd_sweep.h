/*
 * cmd_sweep.h - the sub-commands of "smwave sweep". Each has its own options; argv[0] is
 * "smwave sweep NAME". They return exit codes.
 */
#ifndef CMD_CMD_SWEEP_H
#define CMD_CMD_SWEEP_H

#include "cmd/commands.h"

enum { N_SWEEP_COMMANDS = 8 };

extern const struct program_command sweep_commands[N_SWEEP_COMMANDS];

int cmd_sweep_plan(int argc, char **argv);
int cmd_sweep_run(int argc, char **argv);
int cmd_sweep_status(int argc, char **argv);
int cmd_sweep_merge(int argc, char **argv);
int cmd_sweep_plot(int argc, char **argv);
int cmd_sweep_slurm(int argc, char **argv);
int cmd_sweep_commands(int argc, char **argv);
int cmd_sweep_diff(int argc, char **argv);

extern const struct argp sweep_plan_argp;
extern const struct argp sweep_run_argp;
extern const struct argp sweep_status_argp;
extern const struct argp sweep_merge_argp;
extern const struct argp sweep_plot_argp;
extern const struct argp sweep_slurm_argp;
extern const struct argp sweep_commands_argp;
extern const struct argp sweep_diff_argp;

#endif /* CMD_CMD_SWEEP_H */
