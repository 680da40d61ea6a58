/*
 * cmd_stats.h - the sub-commands of "smwave stats" that have options of their own.
 */
#ifndef CMD_CMD_STATS_H
#define CMD_CMD_STATS_H

#include "cmd/commands.h"

enum { N_STATS_COMMANDS = 1 };

extern const struct program_command stats_commands[N_STATS_COMMANDS];

int cmd_stats_diff(int argc, char **argv);

extern const struct argp stats_diff_argp;

#endif /* CMD_CMD_STATS_H */
