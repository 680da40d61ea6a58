/*
 * cmd_sweep.c - "smwave sweep": finds the sub-command and hands over.
 */
#include "cmd/cmd_sweep.h"

#include "io/cli.h"
#include "io/file.h"
#include <stdlib.h>
#include <string.h>

const struct program_command sweep_commands[N_SWEEP_COMMANDS] = {
    {"plan", cmd_sweep_plan, "list the points of a sweep file, with an estimate",
     &sweep_plan_argp, NULL, 0},
    {"run", cmd_sweep_run, "run the points that have not been run, and merge",
     &sweep_run_argp, NULL, 0},
    {"status", cmd_sweep_status, "how far a sweep has come, and what failed",
     &sweep_status_argp, NULL, 0},
    {"merge", cmd_sweep_merge, "results.csv and results.sqlite of what has ended",
     &sweep_merge_argp, NULL, 0},
    {"plot", cmd_sweep_plot, "pictures of the results, by gnuplot", &sweep_plot_argp,
     NULL, 0},
    {"slurm", cmd_sweep_slurm, "job arrays of Slurm that run a sweep",
     &sweep_slurm_argp, NULL, 0},
    {"commands", cmd_sweep_commands, "one command a line, for any other queue",
     &sweep_commands_argp, NULL, 0},
    {"diff", cmd_sweep_diff, "the results of two sweeps compared", &sweep_diff_argp,
     NULL, 0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    return program_parse_group(key, arg, state, "smwave sweep");
}

static char *add_lists(int key, const char *text, void *input)
{
    struct text t = {0};

    (void)input;
    if (key == ARGP_KEY_HELP_PRE_DOC) {
        text_add(&t, "%s\n\nCommands:\n", text);
        program_command_list(&t, sweep_commands, N_SWEEP_COMMANDS);
        text_add(&t, "\nOptions:");
        return t.s;
    }
    if (key != ARGP_KEY_HELP_POST_DOC) {
        return (char *)text;
    }
    text_add(&t, "Shipped sweeps:");
    for (uint32_t i = 0; i < file_n_builtins; i++) {
        if (strncmp(file_builtins[i].path, "sweeps/", 7) == 0) {
            char *name = file_stem(file_builtins[i].path);

            text_add(&t, " %s", name);
            free(name);
        }
    }
    text_add(&t, ". A file of that name wins.\n\n%s", text);
    return t.s;
}

const struct argp sweep_argp = {
    .parser = parse_option,
    .args_doc = "COMMAND [ARGUMENT...]",
    .doc =
        "Many runs that differ in what a sweep file says: plan, run and compare them.\v"
        "A sweep file in YAML:\n"
        "  base: {target: reduction-small, config: gtx480}   what all points share;\n"
        "        set: {KEY: VALUE} as well\n"
        "  grid: {sm.onchip.partition: [48/16, 16/48], n: 2^8..2^12}   all "
        "combined\n"
        "  zip: {a: [1, 2], b: [x, y]}                      advance together\n"
        "  list: [{config: gtx480}, {config: k20x}]         one choice each\n"
        "  derive: {launch.buffers.p.count: n}              KEY: EXPRESSION\n"
        "  where: ['n <= 1024 || a == 1']                   which combinations count\n"
        "  collect: [cycles, {name: ipc, value: warp_insts / cycles}]\n"
        "  baseline: {sm.onchip.partition: 48/16}           what points are compared "
        "with\n"
        "  limits: {cycles: 10000000, seconds: 60, memory: 1 GiB}   of each point\n"
        "  plots: [{x: n, y: cycles, group: config, kind: line, log: xy}]\n"
        "\n"
        "Keys are target, config, kernel, kernel.N, keys of the configuration, "
        "launch.PATH (see 'smwave run --launch') and variables without a dot. Ranges "
        "are 1..16, 1..16 step 3, 2^0..2^6; x2 is twice what the preset has.\n"
        "\n"
        "Expressions have + - * / % **, == != < <= > >=, && || !, parentheses, min, "
        "max, log2, ceil and floor; texts stand in quotes; names are keys, in collect "
        "also counters, of all kernels or of one: cycles@cal_sum_ker.",
    .help_filter = add_lists,
};

int cmd_sweep(int argc, char **argv)
{
    const struct program_command *c;
    char name[64];

    if (argc < 2 || argv[1][0] == '-') {
        cli_parse(&sweep_argp, argc, argv, NULL);
        return TB_USAGE;
    }
    c = program_command_find(sweep_commands, N_SWEEP_COMMANDS, "sweep", argv[1]);
    if (c == NULL) {
        return TB_USAGE;
    }
    snprintf(name, sizeof(name), "smwave sweep %s", c->name);
    argv[1] = name;
    return c->run(argc - 1, argv + 1);
}
