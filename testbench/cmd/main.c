/*
 * main.c - smwave, the program: finds the command and hands over.
 */
#include "base/nomem.h"
#include "cc/cc.h"
#include "cmd/commands.h"
#include "io/cli.h"
#include "io/file.h"

#include "dump.h"
#include "gzip.h"
#include "smwave.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static void print_version(FILE *f, struct argp_state *state)
{
    (void)state;
    fprintf(f, "smwave %s\n", smw_version());
    fprintf(f, "waveforms: VCD%s%s%s\n", dump_has_fst() ? ", FST" : "",
            gzip_is_built_in() ? ", gzip" : "",
            dump_has_fst() ? "" : "; built without FST");
}

/* Replace argv[0] by "smwave COMMAND", which is what argp prints. */
static int run_command(const struct program_command *c, int argc, char **argv)
{
    char name[32];
    int code;

    snprintf(name, sizeof(name), "smwave %s", c->name);
    argv[0] = name;
    code = c->run(argc, argv);
    return cli_finish(code);
}

/* "smwave help CMD [SUB]" is "smwave CMD [SUB] --help". */
static int help_for(int argc, char **argv)
{
    static char help[] = "--help";
    const struct program_command *c =
        program_command_find(program_commands, n_program_commands, "help", argv[0]);
    char *words[] = {NULL, argc > 1 ? argv[1] : help, help, NULL};

    return c == NULL ? TB_USAGE : run_command(c, argc > 1 ? 3 : 2, words);
}

static int main_of(int argc, char **argv)
{
    static char name[] = "smwave", help[] = "--help";
    const struct program_command *c;

    if (argc > 1 && strcmp(argv[1], "help") == 0) {
        if (argc > 2 && !cli_is_help(argv[2])) {
            return help_for(argc - 2, argv + 2);
        }
        argv[1] = help;
    }
    if (argc < 2 || argv[1][0] == '-') {
        argv[0] = name;
        cli_parse(&program_argp, argc, argv, NULL);
        return TB_USAGE;
    }
    c = program_command_find(program_commands, n_program_commands, "", argv[1]);
    return c == NULL ? TB_USAGE : run_command(c, argc - 1, argv + 1);
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

/* Under the name that build systems look for, the program is its command "cc". */
static bool is_nvcc(const char *program)
{
    const char *slash = program == NULL ? NULL : strrchr(program, '/');

    return program != NULL && strcmp(slash == NULL ? program : slash + 1, "nvcc") == 0;
}

struct line {
    int argc;
    char **argv;
    int code;
};

static void run_line(void *arg)
{
    struct line *const l = arg;
    char **const argv = l->argv;

    if (is_nvcc(argv[0])) {
        l->code = cli_finish(cc_main(l->argc, argv));
    } else if (l->argc == 2 && strncmp(argv[1], "ptxfilter ", 10) == 0) {
        l->code = run_filter(argv[0], argv[1]);
    } else {
        l->code = main_of(l->argc, argv);
    }
}

int main(int argc, char **argv)
{
    struct line l = {argc, argv, TB_INTERNAL};

    /* Nobody asks whether what becomes a file of JSON has all its parts. */
    json_set_alloc_funcs(tb_alloc, free);
    cli_hold_streams();
    argp_err_exit_status = TB_USAGE;
    argp_program_version_hook = print_version;
    if (!nomem_try(run_line, &l)) { /* what a waveform's reader and writer ask for */
        tb_no_memory();
    }
    return l.code;
}
