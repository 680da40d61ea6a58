/*
 * cli.h - command lines: what the sub-commands share.
 */
#ifndef IO_CLI_H
#define IO_CLI_H

#include "io/diag.h"
#include <argp.h>

/* What every command understands beside its own options; ends with a row of zeros. */
extern const struct argp_option cli_common_options[];

/* Table i of the options that a command understands: its own, those of its children,
 * the common ones; NULL: there are no more. */
const struct argp_option *cli_options(const struct argp *argp, uint32_t i);
/* It is the row of zeros that ends a table. */
bool cli_is_last(const struct argp_option *o);

struct cli_common {
    bool quiet; /* -q: no progress, no summary, no word about files that were written */
};

/* argp_parse(), with the common options, after unknown long options were refused with
 * the nearest known one. The process exits with TB_USAGE on a wrong command line and 0
 * after
 * --help, --usage and --version. */
struct cli_common cli_parse(const struct argp *argp, int argc, char **argv,
                            void *input);

/* Index of word in names; -1 after a usage error of command that names the nearest. */
int cli_choose(const char *command, const char *what, const char *word,
               const char *const *names, uint32_t n);

/* Descriptors 0 to 2 that are closed stay unused: call it before a file is opened. */
void cli_hold_streams(void);

/* Everything written to stdout arrived; else an error and TB_IO instead of code. */
int cli_finish(int code);

/* The word asks for help: -h, --help, -?. */
bool cli_is_help(const char *word);

#endif /* IO_CLI_H */
