/*
 * cmd_sweep.h - the sub-commands of "smwave sweep". Each has its own options; argv[0]
 * is "smwave sweep NAME". They return exit codes.
 */
#ifndef CMD_CMD_SWEEP_H
#define CMD_CMD_SWEEP_H

int cmd_sweep_plan(int argc, char **argv);
int cmd_sweep_run(int argc, char **argv);
int cmd_sweep_status(int argc, char **argv);
int cmd_sweep_merge(int argc, char **argv);
int cmd_sweep_plot(int argc, char **argv);
int cmd_sweep_slurm(int argc, char **argv);
int cmd_sweep_commands(int argc, char **argv);
int cmd_sweep_diff(int argc, char **argv);

#endif /* CMD_CMD_SWEEP_H */
