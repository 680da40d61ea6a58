/* cmd_cc.c - "smwave cc": CUDA C++ made into programs (cuda/cc/cc.h). */
#include "cmd/commands.h"

#include "cc/cc.h"
#include "io/cli.h"
#include <string.h>

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    (void)key;
    (void)arg;
    (void)state;
    return ARGP_ERR_UNKNOWN; /* cc_main() reads what is not of every command */
}

/* The command reads its words by itself: nvcc's options have names of several letters
 * behind one dash. This is what manual pages and completions are made from. */
const struct argp cc_argp = {
    .options = cc_option_table,
    .parser = parse_option,
    .args_doc = "FILE...",
    .doc =
        "Compile CUDA C++ with clang, without a toolkit, to programs that run on the "
        "modelled GPU. Options are nvcc's, with one dash or two."
        "\vSMWAVE_CLANG names the clang to use; else it is clang-19, clang-16 or "
        "clang-14, the first that PATH has. The program is also installed under the "
        "name nvcc in a folder of its own, libexec/smwave/bin, for build systems.",
};

/* What every command of the program answers in the same way. */
static bool is_common(const char *word)
{
    static const char *const common[] = {"--usage", "--version", "-V"};

    for (uint32_t i = 0; i < ARRAY_LEN(common); i++) {
        if (strcmp(word, common[i]) == 0) {
            return true;
        }
    }
    return cli_is_help(word);
}

int cmd_cc(int argc, char **argv)
{
    if (argc == 2 && is_common(argv[1])) {
        cli_parse(&cc_argp, argc, argv, NULL);
    }
    return cc_main(argc, argv);
}
