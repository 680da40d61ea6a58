/*
 * walk.h - what the tables of commands and options say, one thing at a time.
 */
#ifndef MAN_WALK_H
#define MAN_WALK_H

#include "cmd/commands.h"
#include <stdbool.h>

enum { WALK_NAMES = 4 };

/* One option with all its names, or the heading of those that follow (n_longs and n_shorts
 * are 0). */
struct walk_option {
    char shorts[WALK_NAMES];
    const char *longs[WALK_NAMES];
    uint32_t n_shorts, n_longs;
    const char *arg; /* NULL: takes none */
    const char *doc;
};

/* The command's own options and then those that all commands have. */
void walk_options(const struct program_command *c,
                  void (*fn)(void *ctx, const struct walk_option *o), void *ctx);

/* Every command and sub-command: path is "run", "sweep run". parent: NULL: it is none. */
void walk_commands(void (*fn)(void *ctx, const char *path,
                              const struct program_command *c,
                              const struct program_command *parent),
                   void *ctx);

/* The lines of args_doc: "view DUMP". The words are separated by one blank each. */
void walk_usages(const struct program_command *c,
                 void (*fn)(void *ctx, const char *line), void *ctx);

/* The program itself as a command, named "smwave". */
extern const struct program_command walk_program;

#endif /* MAN_WALK_H */
