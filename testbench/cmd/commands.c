#include "cmd/commands.h"

#include "cmd/cmd_stats.h"
#include "cmd/cmd_sweep.h"
#include "io/cli.h"
#include "io/file.h"
#include <string.h>

const struct program_command program_commands[] = {
    {"run", cmd_run, "run kernels from a launch file; write waveforms and statistics",
     &run_argp, NULL, 0},
    {"exec", cmd_exec, "run a CUDA program on a modelled GPU", &exec_argp, NULL, 0},
    {"init", cmd_init, "a launch file for a kernel of your own, filled in from its PTX",
     &init_argp, NULL, 0},
    {"config", cmd_config, "list, show and check configurations of the device",
     &config_argp, NULL, 0},
    {"devices", cmd_devices, "what a device-query program prints of each preset",
     &devices_argp, NULL, 0},
    {"stats", cmd_stats, "list and explain the counters; compare those of two runs",
     &stats_argp, stats_commands, N_STATS_COMMANDS},
    {"sweep", cmd_sweep, "many runs that differ: plan, run and compare them",
     &sweep_argp, sweep_commands, N_SWEEP_COMMANDS},
    {"wave", cmd_wave,
     "views and signals of a waveform; waveforms compared and checked", &wave_argp,
     NULL, 0},
    {"bankmap", cmd_bankmap, "banks and transactions of one access, or of many",
     &bankmap_argp, NULL, 0},
    {"occupancy", cmd_occupancy, "blocks that an SM holds, and what limits them",
     &occupancy_argp, NULL, 0},
    {"why", cmd_why, "the chain of waits that made a launch as long as it is",
     &why_argp, NULL, 0},
    {"report", cmd_report, "a page with tables and pictures of what a run wrote",
     &report_argp, NULL, 0},
    {"ptx", cmd_ptx, "check and disassemble PTX; list the instructions modelled",
     &ptx_argp, NULL, 0},
    {"cc", cmd_cc, "compile CUDA C++ to a program that runs on the model", &cc_argp,
     NULL, 0},
    {"fatbin", cmd_fatbin, "code for devices in programs and libraries: list, extract",
     &fatbin_argp, NULL, 0},
    {"ptxfilter", cmd_ptxfilter, "PTX text for the rows of pcs of any dump, in GTKWave",
     &ptxfilter_argp, NULL, 0},
};

const uint32_t n_program_commands = ARRAY_LEN(program_commands);

const struct program_command *program_command_find(const struct program_command *list,
                                                   uint32_t n, const char *group,
                                                   const char *name)
{
    const char *names[32];
    int i;

    for (uint32_t j = 0; j < n && j < ARRAY_LEN(names); j++) {
        names[j] = list[j].name;
    }
    i = cli_choose(group, "command", name, names, n);
    return i < 0 ? NULL : &list[i];
}

void program_command_list(struct text *t, const struct program_command *list,
                          uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        text_add(t, "  %-9s %s\n", list[i].name, list[i].doc);
    }
}

/* ---- the program ---- */

error_t program_parse_group(int key, const char *arg, struct argp_state *state,
                            const char *group)
{
    switch (key) {
    case ARGP_KEY_ARG:
        argp_error(state, "options of a command stand behind it: %s %s ...", group,
                   arg);
        return 0;
    case ARGP_KEY_NO_ARGS: /* nothing was asked, and nothing is done */
        argp_state_help(state, stderr,
                        (ARGP_HELP_STD_HELP & ~ARGP_HELP_EXIT_OK) | ARGP_HELP_EXIT_ERR);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_program(int key, char *arg, struct argp_state *state)
{
    return program_parse_group(key, arg, state, "smwave");
}

/* The commands stand above the options, the exit codes below them. */
static char *add_lists(int key, const char *text, void *input)
{
    struct text t = {0};

    (void)input;
    if (key == ARGP_KEY_HELP_PRE_DOC) {
        text_add(&t, "%s\n\nCommands:\n", text);
        program_command_list(&t, program_commands, n_program_commands);
        text_add(&t, "  %-9s %s\n\nOptions:", "help",
                 "what a command does: smwave help run");
        return t.s;
    }
    if (key != ARGP_KEY_HELP_POST_DOC) {
        return (char *)text;
    }
    text_add(&t, "%s\n\nExit codes:\n", text);
    for (uint32_t i = 0; i < diag_n_exits; i++) {
        text_add(&t, "  %-4u %s\n", (unsigned)diag_exits[i].code, diag_exits[i].doc);
    }
    return t.s;
}

const struct argp program_argp = {
    .parser = parse_program,
    .args_doc = "COMMAND [ARGUMENT...]",
    .doc =
        "A modelled GPU whose shared memory you can watch.\v"
        "First steps:\n"
        "  smwave run reverse                 a small kernel: waveform and counters\n"
        "  smwave run reduction               shared against global memory\n"
        "  smwave init mine.ptx               a launch file for a kernel of your own\n"
        "  smwave run mine.yml -c gtx480      to run it\n"
        "  smwave run mine.yml -s sm.onchip.partition=16/48   the same, more L1",
    .help_filter = add_lists,
};
