#include "man/walk.h"

#include "io/cli.h"
#include <stdlib.h>
#include <string.h>

static void add_names(struct walk_option *w, const struct argp_option *o)
{
    if ((o->flags & OPTION_HIDDEN) != 0) {
        return;
    }
    if (o->name != NULL && w->n_longs < WALK_NAMES) {
        w->longs[w->n_longs++] = o->name;
    }
    if (o->key > ' ' && o->key < 127 && w->n_shorts < WALK_NAMES &&
        memchr(w->shorts, o->key, w->n_shorts) == NULL) {
        w->shorts[w->n_shorts++] = (char)o->key;
    }
}

static void walk_table(const struct argp_option *o,
                       void (*fn)(void *ctx, const struct walk_option *o), void *ctx)
{
    while (!cli_is_last(o)) {
        struct walk_option w = {.arg = o->arg, .doc = o->doc == NULL ? "" : o->doc};

        add_names(&w, o);
        for (o++; !cli_is_last(o) && (o->flags & OPTION_ALIAS) != 0; o++) {
            add_names(&w, o);
        }
        fn(ctx, &w);
    }
}

void walk_options(const struct program_command *c,
                  void (*fn)(void *ctx, const struct walk_option *o), void *ctx)
{
    const struct argp_option *table;

    for (uint32_t i = 0; (table = cli_options(c->argp, i)) != NULL; i++) {
        walk_table(table, fn, ctx);
    }
}

void walk_commands(void (*fn)(void *ctx, const char *path,
                              const struct program_command *c,
                              const struct program_command *parent),
                   void *ctx)
{
    for (uint32_t i = 0; i < n_program_commands; i++) {
        const struct program_command *c = &program_commands[i];

        fn(ctx, c->name, c, NULL);
        for (uint32_t j = 0; j < c->n_subs; j++) {
            char *path = tb_printf("%s %s", c->name, c->subs[j].name);

            fn(ctx, path, &c->subs[j], c);
            free(path);
        }
    }
}

void walk_usages(const struct program_command *c,
                 void (*fn)(void *ctx, const char *line), void *ctx)
{
    const char *doc = c->argp->args_doc;

    if (doc == NULL) {
        fn(ctx, "");
        return;
    }
    while (*doc != '\0') {
        size_t n = strcspn(doc, "\n");
        char *line = tb_printf("%.*s", (int)n, doc);

        fn(ctx, line);
        free(line);
        doc += n + (doc[n] == '\n');
    }
}

const struct program_command walk_program = {
    "smwave",      NULL, "a modelled GPU whose shared memory you can watch",
    &program_argp, NULL, 0};
