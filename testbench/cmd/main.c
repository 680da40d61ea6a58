/*
 * main.c - smwave, the program: finds the command and hands over.
 */
#include "io/cli.h"

#include "dump.h"
#include "gzip.h"
#include "smwave.h"
#include <stdlib.h>
#include <string.h>

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *doc;
};

static const struct command commands[] = {
    {"run", cmd_run, "run kernels from a launch file; write waveforms and statistics"},
    {"init", cmd_init,
     "a launch file for a kernel of your own, filled in from its PTX"},
    {"config", cmd_config, "list, show and check configurations of the device"},
    {"devices", cmd_devices, "what a device-query program prints of each preset"},
    {"stats", cmd_stats, "list and explain the counters; compare those of two runs"},
    {"sweep", cmd_sweep, "many runs that differ: plan, run and compare them"},
    {"wave", cmd_wave, "more views of a waveform; waveforms compared and checked"},
    {"bankmap", cmd_bankmap, "banks and transactions of one access, or of many"},
    {"occupancy", cmd_occupancy, "blocks that an SM holds, and what limits them"},
    {"report", cmd_report, "a page with tables and pictures of what a run wrote"},
    {"ptx", cmd_ptx, "check and disassemble PTX; list the instructions modelled"},
    {"ptxfilter", cmd_ptxfilter,
     "PTX text for the rows of pcs of any dump, in GTKWave"},
};

enum { N_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void print_help(FILE *f)
{
    fputs("smwave - a modelled GPU whose shared memory you can watch\n\n"
          "usage: smwave COMMAND [OPTION...]\n\n"
          "commands:\n",
          f);
    for (int i = 0; i < N_COMMANDS; i++) {
        fprintf(f, "  %-9s %s\n", commands[i].name, commands[i].doc);
    }
    fputs("\n"
          "first steps:\n"
          "  smwave run reverse                 a small kernel, its waveform and "
          "counters\n"
          "  smwave run reduction               shared against global memory\n"
          "  smwave init mine.ptx               a launch file for a kernel of your "
          "own\n"
          "  smwave run mine.yml -c gtx480      to run it\n"
          "  smwave run mine.yml -s sm.onchip.partition=16/48   the same, more L1\n"
          "\n"
          "'smwave COMMAND --help' tells more. Exit codes: 0 all is well, 1 the kernel "
          "is\n"
          "at fault, 2 usage, 3 configuration, 4 input, 5 deadlock, 6 limit, 7 files,\n"
          "8 failed points of a sweep, 70 internal error, 130 and 143 interrupted.\n",
          f);
}

static void print_version(FILE *f, struct argp_state *state)
{
    (void)state;
    fprintf(f, "smwave %s\n", smw_version());
    fprintf(f, "waveforms: VCD%s%s%s\n", dump_has_fst() ? ", FST" : "",
            gzip_is_built_in() ? ", gzip" : "",
            dump_has_fst() ? "" : "; built without FST");
}

/* Replace argv[0] by "smwave COMMAND", which is what argp prints. */
static int run_command(const struct command *c, int argc, char **argv)
{
    char name[32];
    int code;

    snprintf(name, sizeof(name), "smwave %s", c->name);
    argv[0] = name;
    code = c->run(argc, argv);
    return cli_finish(code);
}

static int help_for(const char *word)
{
    static char help[] = "--help";
    const char *names[N_COMMANDS];
    char *argv[] = {NULL, help, NULL};
    int i;

    for (i = 0; i < N_COMMANDS; i++) {
        names[i] = commands[i].name;
    }
    i = cli_choose("help", "command", word, names, N_COMMANDS);
    return i < 0 ? TB_USAGE : run_command(&commands[i], 2, argv);
}

static int main_of(int argc, char **argv)
{
    const char *names[N_COMMANDS];
    int i;

    if (argc < 2) {
        print_help(stderr);
        return TB_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "-?") == 0 || (strcmp(argv[1], "help") == 0 && argc == 2)) {
        print_help(stdout);
        return cli_finish(TB_OK);
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        print_version(stdout, NULL);
        return cli_finish(TB_OK);
    }
    if (strcmp(argv[1], "help") == 0) {
        return help_for(argv[2]);
    }
    if (argv[1][0] == '-') {
        static const char *const options[] = {"--help", "--version"};

        cli_choose("", "option", argv[1], options, 2);
        return TB_USAGE;
    }
    for (i = 0; i < N_COMMANDS; i++) {
        names[i] = commands[i].name;
    }
    i = cli_choose("", "command", argv[1], names, N_COMMANDS);
    return i < 0 ? TB_USAGE : run_command(&commands[i], argc - 1, argv + 1);
}

/* GTKWave hands all that stands behind the name of a filter over as one word. */
static int run_filter(char *program, char *words)
{
    enum { MAX_WORDS = 66 };
    char *argv[MAX_WORDS + 1] = {program};
    int argc = 1;

    for (char *word = strtok(words, " "); word != NULL && argc < MAX_WORDS;
         word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    return main_of(argc, argv);
}

int main(int argc, char **argv)
{
    cli_hold_streams();
    argp_err_exit_status = TB_USAGE;
    argp_program_version_hook = print_version;
    if (argc == 2 && strncmp(argv[1], "ptxfilter ", 10) == 0) {
        return run_filter(argv[0], argv[1]);
    }
    return main_of(argc, argv);
}
