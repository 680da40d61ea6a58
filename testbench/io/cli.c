#include "io/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The options of the table and those argp adds. */
static uint32_t collect(const struct argp *argp, const char **names, uint32_t max)
{
    uint32_t n = 0;

    for (const struct argp_option *o = argp->options;
         o != NULL && (o->name != NULL || o->key != 0 || o->doc != NULL); o++) {
        if (o->name != NULL && n < max) {
            names[n++] = o->name;
        }
    }
    for (uint32_t i = 0; i < 3 && n < max; i++) {
        static const char *const added[] = {"help", "usage", "version"};

        names[n++] = added[i];
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

void cli_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    const char *names[64];
    uint32_t n = collect(argp, names, ARRAY_LEN(names));

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (argv[i][0] == '-' && argv[i][1] == '-') {
            check_option(argv[0], argv[i] + 2, names, n);
        }
    }
    argp_parse(argp, argc, argv, 0, NULL, input);
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
        fprintf(stderr, "smwave: error: standard output: %s\n", strerror(errno));
        return code == TB_OK ? TB_IO : code;
    }
    return code;
}
