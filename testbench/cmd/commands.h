/*
 * commands.h - the commands of the program, each with the table of its options: what
 * the program runs, what --help prints, and what man pages and completions are made
 * from.
 */
#ifndef CMD_COMMANDS_H
#define CMD_COMMANDS_H

#include "io/file.h"
#include <argp.h>

struct program_command {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is "smwave NAME"; the exit code */
    const char *doc;                   /* one line */
    const struct argp *argp;           /* its options, beside those of cli.h */
    const struct program_command
        *subs; /* words with options of their own; NULL: none */
    uint32_t n_subs;
};

extern const struct program_command program_commands[];
extern const uint32_t n_program_commands;

/* The command that is named so, among n of them; NULL after a usage error that names
 * the nearest. group: "sweep", whose commands these are; "": the program's. */
const struct program_command *program_command_find(const struct program_command *list,
                                                   uint32_t n, const char *group,
                                                   const char *name);

/* The parser of a program, or a command, that only has commands below it: a word that
 * gets here stands behind options, and no word at all prints the help. group: how it is
 * called, "smwave sweep". */
error_t program_parse_group(int key, const char *arg, struct argp_state *state,
                            const char *group);

/* "  name   doc", a line each. */
void program_command_list(struct text *t, const struct program_command *list,
                          uint32_t n);

int cmd_run(int argc, char **argv);
int cmd_exec(int argc, char **argv);
int cmd_init(int argc, char **argv);
int cmd_config(int argc, char **argv);
int cmd_devices(int argc, char **argv);
int cmd_stats(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_wave(int argc, char **argv);
int cmd_bankmap(int argc, char **argv);
int cmd_occupancy(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_why(int argc, char **argv);
int cmd_ptx(int argc, char **argv);
int cmd_cc(int argc, char **argv);
int cmd_fatbin(int argc, char **argv);
int cmd_ptxfilter(int argc, char **argv);

extern const struct argp program_argp; /* of what stands before a command */
extern const struct argp run_argp;
extern const struct argp exec_argp;
extern const struct argp init_argp;
extern const struct argp config_argp;
extern const struct argp devices_argp;
extern const struct argp stats_argp;
extern const struct argp sweep_argp;
extern const struct argp wave_argp;
extern const struct argp bankmap_argp;
extern const struct argp occupancy_argp;
extern const struct argp report_argp;
extern const struct argp why_argp;
extern const struct argp ptx_argp;
extern const struct argp cc_argp;
extern const struct argp fatbin_argp;
extern const struct argp ptxfilter_argp;

#endif /* CMD_COMMANDS_H */
