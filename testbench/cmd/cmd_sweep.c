/*
 * cmd_sweep.c - "smwave sweep": finds the sub-command and hands over.
 */
#include "cmd/cmd_sweep.h"

#include "io/cli.h"
#include "io/file.h"
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *doc;
} commands[] = {
    {"plan", cmd_sweep_plan, "list the points of a sweep file, with an estimate"},
    {"run", cmd_sweep_run, "run the points that have not been run, and merge"},
    {"status", cmd_sweep_status, "how far a sweep has come, and what failed"},
    {"merge", cmd_sweep_merge, "results.csv and results.sqlite of what has ended"},
    {"plot", cmd_sweep_plot, "pictures of the results, by gnuplot"},
    {"slurm", cmd_sweep_slurm, "job arrays of Slurm that run a sweep"},
    {"commands", cmd_sweep_commands, "one command a line, for any other queue"},
    {"diff", cmd_sweep_diff, "the results of two sweeps compared"},
};

enum { N_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void print_shipped(FILE *f)
{
    fputs("\nshipped sweeps:", f);
    for (uint32_t i = 0; i < file_n_builtins; i++) {
        if (strncmp(file_builtins[i].path, "sweeps/", 7) == 0) {
            char *name = file_stem(file_builtins[i].path);

            fprintf(f, " %s", name);
            free(name);
        }
    }
    fputs(". A file of that name wins.\n", f);
}

static void print_help(FILE *f)
{
    fputs("usage: smwave sweep COMMAND [OPTION...]\n\ncommands:\n", f);
    for (int i = 0; i < N_COMMANDS; i++) {
        fprintf(f, "  %-9s %s\n", commands[i].name, commands[i].doc);
    }
    print_shipped(f);
    fputs(
        "\n"
        "A sweep file in YAML:\n"
        "  base: {target: reduction-small, config: gtx480}   what all points share;\n"
        "        set: {KEY: VALUE} as well\n"
        "  grid: {sm.onchip.partition: [48/16, 16/48], n: 2^8..2^12}   every "
        "combination\n"
        "  zip: {a: [1, 2], b: [x, y]}                      advance together\n"
        "  list: [{config: gtx480}, {config: k20x}]         one choice each\n"
        "  derive: {launch.buffers.p.count: n}              KEY: EXPRESSION\n"
        "  where: ['n <= 1024 || a == 1']                   which combinations count\n"
        "  collect: [cycles, {name: ipc, value: warp_insts / cycles}]\n"
        "  limits: {cycles: 10000000, seconds: 60, memory: 1 GiB}   of each point\n"
        "  plots: [{x: n, y: cycles, group: config, kind: line, log: xy}]\n"
        "\n"
        "Keys are target, config, kernel, kernel.N, keys of the configuration,\n"
        "launch.PATH (see 'smwave run --launch') and variables without a dot. Ranges\n"
        "are 1..16, 1..16 step 3, 2^0..2^6.\n"
        "\n"
        "Expressions have + - * / % **, == != < <= > >=, && || !, parentheses, min,\n"
        "max, log2, ceil and floor; texts stand in quotes; names are keys, in collect\n"
        "also counters, of all kernels or of one: cycles@cal_sum_ker.\n",
        f);
}

int cmd_sweep(int argc, char **argv)
{
    const char *names[N_COMMANDS];
    char name[64];
    int i;

    for (i = 0; i < N_COMMANDS; i++) {
        names[i] = commands[i].name;
    }
    if (argc < 2) {
        print_help(stderr);
        return TB_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0 ||
        strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return TB_OK;
    }
    i = cli_choose("sweep", "command", argv[1], names, N_COMMANDS);
    if (i < 0) {
        return TB_USAGE;
    }
    snprintf(name, sizeof(name), "smwave sweep %s", commands[i].name);
    argv[1] = name;
    return commands[i].run(argc - 1, argv + 1);
}
