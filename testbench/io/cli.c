#include "io/cli.h"

#include "io/file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPT_USAGE = -3, KEY_QUESTION = '?' };

/* argp has its own --help, but it has no -h. */
const struct argp_option cli_common_options[] = {
    {"quiet", 'q', NULL, 0,
     "print errors, warnings and what was asked for, but no progress and no summary",
     -1},
    {"help", 'h', NULL, 0, "print this help", -1},
    {NULL, KEY_QUESTION, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, -1},
    {"usage", OPT_USAGE, NULL, 0, "print the options without what they mean", -1},
    {"version", 'V', NULL, 0, "print the version", -1},
    {0},
};

static void help(struct argp_state *state, unsigned flags)
{
    argp_state_help(state, state->out_stream, flags & ~(unsigned)ARGP_HELP_EXIT_OK);
    exit(cli_finish(TB_OK));
}

static error_t parse_common(int key, char *arg, struct argp_state *state)
{
    struct cli_common *said = state->input;

    (void)arg;
    switch (key) {
    case 'q': said->quiet = true; return 0;
    case 'h':
    case KEY_QUESTION: help(state, ARGP_HELP_STD_HELP); return 0;
    case OPT_USAGE: help(state, ARGP_HELP_USAGE); return 0;
    case 'V':
        argp_program_version_hook(state->out_stream, state);
        exit(cli_finish(TB_OK));
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* A command's parser, called with its own input, and behind its children the common
 * options. */
struct call {
    const struct argp *argp;
    void *input;
    uint32_t n_children; /* of the command */
    struct cli_common said;
};

static error_t parse_own(int key, char *arg, struct argp_state *state)
{
    struct call *c = state->input;

    if (key == ARGP_KEY_INIT) {
        state->child_inputs[c->n_children] = &c->said;
    }
    state->input = c->input;
    return c->argp->parser(key, arg, state);
}

/* argp would say below each list that what short options take, long ones take too. */
static char *filter_help(int key, const char *text, void *input)
{
    const struct call *c = input;

    if (key == ARGP_KEY_HELP_DUP_ARGS_NOTE) {
        return NULL;
    }
    return c->argp->help_filter != NULL ? c->argp->help_filter(key, text, c->input)
                                        : (char *)text;
}

bool cli_is_last(const struct argp_option *o)
{
    return o->name == NULL && o->key == 0 && o->doc == NULL;
}

enum { MAX_CHILDREN = 4 }; /* of a command's argp */

static uint32_t count_children(const struct argp *argp)
{
    uint32_t n = 0;

    while (argp->children != NULL && n < MAX_CHILDREN &&
           argp->children[n].argp != NULL) {
        n++;
    }
    return n;
}

const struct argp_option *cli_options(const struct argp *argp, uint32_t i)
{
    static const struct argp_option none = {0};
    uint32_t n = count_children(argp);

    if (i == 0) {
        return argp->options != NULL ? argp->options : &none;
    }
    return i <= n       ? argp->children[i - 1].argp->options
           : i == n + 1 ? cli_common_options
                        : NULL;
}

static uint32_t add_names(const struct argp *argp, const char **names, uint32_t max)
{
    const struct argp_option *o;
    uint32_t n = 0;

    for (uint32_t i = 0; (o = cli_options(argp, i)) != NULL; i++) {
        for (; !cli_is_last(o); o++) {
            if (o->name != NULL && n < max) {
                names[n++] = o->name;
            }
        }
    }
    return n;
}

/* getopt takes any unique beginning of a name, so only what begins no name is wrong. */
static void check_option(const char *command, const char *arg, const char *const *names,
                         uint32_t n)
{
    size_t length = strcspn(arg, "=");
    const char *nearest;
    char word[64];

    for (uint32_t i = 0; i < n; i++) {
        if (strncmp(names[i], arg, length) == 0) {
            return;
        }
    }
    snprintf(word, sizeof(word), "%.*s", (int)length, arg);
    fprintf(stderr, "%s: unknown option '--%s'\n", command, word);
    nearest = err_nearest(word, names, n);
    if (nearest != NULL) {
        diag_hint("did you mean '--%s'?", nearest);
    }
    fprintf(stderr, "Try '%s --help' for more.\n", command);
    exit(TB_USAGE);
}

struct cli_common cli_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    static const struct argp common = {.options = cli_common_options,
                                       .parser = parse_common};
    struct call call = {.argp = argp,
                        .input = input,
                        .n_children = count_children(argp)};
    struct argp_child children[MAX_CHILDREN + 1] = {{0}};
    struct argp whole = *argp;
    const char *names[64];
    uint32_t n = add_names(argp, names, ARRAY_LEN(names));

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (argv[i][0] == '-' && argv[i][1] == '-') {
            check_option(argv[0], argv[i] + 2, names, n);
        }
    }
    /* The widest option, "-c, --config=PRESET|FILE.yml", stands beside its text. */
    (void)setenv("ARGP_HELP_FMT", "opt-doc-col=33", 0);
    if (call.n_children > 0) {
        memcpy(children, argp->children, call.n_children * sizeof(children[0]));
    }
    children[call.n_children].argp = &common;
    whole.parser = parse_own;
    whole.children = children;
    whole.help_filter = filter_help;
    if (argp_parse(&whole, argc, argv, ARGP_NO_HELP, NULL, &call) == ENOMEM) {
        tb_no_memory(); /* of all that fails the one thing it does not end for */
    }
    return call.said;
}

bool cli_is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 ||
           strcmp(word, "-?") == 0;
}

int cli_choose(const char *command, const char *what, const char *word,
               const char *const *names, uint32_t n)
{
    const char *nearest;

    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(word, names[i]) == 0) {
            return (int)i;
        }
    }
    fprintf(stderr, "smwave%s%s: unknown %s '%s'\n", command[0] == '\0' ? "" : " ",
            command, what, word);
    nearest = err_nearest(word, names, n);
    if (nearest != NULL) {
        diag_hint("did you mean '%s'?", nearest);
    } else if (n > 20) {
        diag_hint("'smwave %s list' names them all", command);
    } else {
        fputs("hint: it may be ", stderr);
        for (uint32_t i = 0; i < n; i++) {
            fprintf(stderr, "%s%s", i == 0 ? "" : ", ", names[i]);
        }
        fputc('\n', stderr);
    }
    return -1;
}

void cli_hold_streams(void)
{
    /* The first file opened would else be standard output or error, and what is printed
     * would go into it. What cannot be written to still says that it is closed. */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

int cli_finish(int code)
{
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        fprintf(stderr, "smwave: error: standard output: %s\n",
                errno != 0 ? strerror(errno) : "not all could be written");
        return code == TB_OK ? TB_IO : code;
    }
    return code;
}
