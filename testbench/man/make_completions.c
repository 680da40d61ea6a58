/*
 * make_completions.c - make_completions TEMPLATES DIR: writes smwave.bash, _smwave and
 * smwave.fish into DIR. Each is TEMPLATES/NAME.in, which says how its shell is asked and
 * answers, with a line "@data" replaced by what there is to complete, from the tables of the
 * program: a list of words under each of these names, in the form of the shell.
 *
 *   commands, commands sweep   commands and sub-commands
 *   options sweep run          options as they are typed, --jobs= if it takes a value
 *   takes sweep run --jobs     what the value is, in the words of --help: N, PRESET|FILE.yml
 *   words wave                 words that begin what stands behind the options
 *   place wave view            what stands behind the word, in the words of --help: DUMP
 *   doc ...                    one line about a command or an option
 *   presets, keys, counters, targets, sweeps, capabilities
 *   values KEY                 what a key may be, if its values have names
 */
#include "io/cli.h"
#include "io/file.h"
#include "man/walk.h"
#include "mem/rules.h"
#include "smwave.h"
#include "stat/counters.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct making {
    FILE *f;
    bool fish; /* else what bash and zsh understand */
    const char *path;
    const struct program_command *command;
    const struct walk_option *option;
};

/* ---- lists ---- */

/* '...' of the shell; a quote inside ends it. */
static void put_quoted(struct making *m, const char *text)
{
    fputc('\'', m->f);
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            fputs(m->fish ? "\\'" : "'\\''", m->f);
        } else if (m->fish && *text == '\\') {
            fputs("\\\\", m->f);
        } else {
            fputc(*text, m->f);
        }
    }
    fputc('\'', m->f);
}

/* list: words with blanks between them. */
static void put_list(struct making *m, const char *name, const char *list)
{
    if (list == NULL || list[0] == '\0') {
        return;
    }
    fputs(m->fish ? "        case " : "        ", m->f);
    put_quoted(m, name);
    fputs(m->fish ? "\n            echo " : ") echo ", m->f);
    put_quoted(m, list);
    fputs(m->fish ? "\n" : " ;;\n", m->f);
}

static void put_text(struct making *m, const char *name, struct text *t)
{
    put_list(m, name, t->s);
    text_free(t);
}

static void add_word(struct text *t, const char *word)
{
    text_add(t, "%s%s", t->n > 0 ? " " : "", word);
}

/* ---- commands and options ---- */

static void add_option_words(void *ctx, const struct walk_option *o)
{
    struct text *t = ctx;

    for (uint32_t i = 0; i < o->n_shorts; i++) {
        text_add(t, "%s-%c", t->n > 0 ? " " : "", o->shorts[i]);
    }
    for (uint32_t i = 0; i < o->n_longs; i++) {
        text_add(t, "%s--%s%s", t->n > 0 ? " " : "", o->longs[i],
                 o->arg != NULL ? "=" : "");
    }
}

/* The beginning of a text: up to the end of its first part, and no list of names. */
static char *beginning(const char *doc)
{
    size_t n = strcspn(doc, ";(\n");
    const char *dot = strstr(doc, ". ");

    if (dot != NULL && (size_t)(dot - doc) < n) {
        n = (size_t)(dot - doc);
    }
    while (n > 0 && (doc[n - 1] == ' ' || doc[n - 1] == '.')) {
        n--;
    }
    return tb_printf("%.*s", (int)n, doc);
}

static void put_option_name(struct making *m, const char *name)
{
    const struct walk_option *o = m->option;
    char *doc = beginning(o->doc);
    char *takes = tb_printf("takes %s %s", m->path, name);
    char *about = tb_printf("doc %s %s", m->path, name);

    put_list(m, takes, o->arg);
    put_list(m, about, doc);
    free(about);
    free(takes);
    free(doc);
}

static void put_option(void *ctx, const struct walk_option *o)
{
    struct making *m = ctx;

    m->option = o;
    for (uint32_t i = 0; i < o->n_shorts; i++) {
        char name[3] = {'-', o->shorts[i], '\0'};

        put_option_name(m, name);
    }
    for (uint32_t i = 0; i < o->n_longs; i++) {
        char *name = tb_printf("--%s", o->longs[i]);

        put_option_name(m, name);
        free(name);
    }
}

/* The words that begin the lines of args_doc: "view DUMP", but not "DIR". */
static bool begins_with_word(const char *line)
{
    size_t n = strcspn(line, " ");

    return n > 0 && strspn(line, "abcdefghijklmnopqrstuvwxyz-") == n;
}

static void add_usage_word(void *ctx, const char *line)
{
    struct text *t = ctx;

    if (begins_with_word(line)) {
        text_add(t, "%s%.*s", t->n > 0 ? " " : "", (int)strcspn(line, " "), line);
    }
}

/* "[FILE.ptx|DUMP...] [KEY]" without what says how often: "FILE.ptx|DUMP KEY" */
static void put_place(void *ctx, const char *line)
{
    struct making *m = ctx;
    size_t n = begins_with_word(line) ? strcspn(line, " ") : 0;
    char *name = tb_printf("place %s%s%.*s", m->path, n > 0 ? " " : "", (int)n, line);
    struct text t = {0};

    line += n + strspn(line + n, " ");
    for (; *line != '\0'; line++) {
        if (strncmp(line, "...", 3) == 0) {
            line += 2;
        } else if (*line != '[' && *line != ']') {
            text_add(&t, "%c", *line);
        }
    }
    put_text(m, name, &t);
    free(name);
}

static void put_commands_of(struct making *m, const char *name,
                            const struct program_command *list, uint32_t n)
{
    struct text t = {0};

    for (uint32_t i = 0; i < n; i++) {
        add_word(&t, list[i].name);
    }
    if (list == program_commands) {
        add_word(&t, "help");
    }
    put_text(m, name, &t);
}

static void put_command(void *ctx, const char *path, const struct program_command *c,
                        const struct program_command *parent)
{
    struct making *m = ctx;
    char *options = tb_printf("options %s", path), *words = tb_printf("words %s", path);
    char *doc = tb_printf("doc %s", path), *subs = tb_printf("commands %s", path);
    struct text t = {0};

    (void)parent;
    m->path = path;
    m->command = c;
    put_list(m, doc, c->doc);
    put_commands_of(m, subs, c->subs, c->n_subs);
    walk_options(c, add_option_words, &t);
    put_text(m, options, &t);
    walk_options(c, put_option, m);
    walk_usages(c, add_usage_word, &t);
    put_text(m, words, &t);
    walk_usages(c, put_place, m);
    free(subs);
    free(doc);
    free(words);
    free(options);
}

/* ---- what values are ---- */

static void add_key(void *ctx, const struct smw_key *k)
{
    add_word(ctx, k->key);
}

static void put_values(void *ctx, const struct smw_key *k)
{
    struct making *m = ctx;
    char *name;
    struct text t = {0};

    if (strcmp(k->type, "choice") != 0 && strcmp(k->type, "bool") != 0) {
        return;
    }
    for (const char *s = k->range; *s != '\0'; s++) {
        if (*s != ',') {
            text_add(&t, "%c", *s);
        }
    }
    name = tb_printf("values %s", k->key);
    put_text(m, name, &t);
    free(name);
}

static void put_builtins(struct making *m, const char *name, const char *folder)
{
    struct text t = {0};

    for (uint32_t i = 0; i < file_n_builtins; i++) {
        const char *path = file_builtins[i].path;

        if (strncmp(path, folder, strlen(folder)) == 0 && file_ends(path, ".yml")) {
            char *stem = file_stem(path);

            add_word(&t, stem);
            free(stem);
        }
    }
    put_text(m, name, &t);
}

static void put_names(struct making *m)
{
    struct text t = {0};

    for (uint32_t i = 0; smw_preset_name(i) != NULL; i++) {
        add_word(&t, smw_preset_name(i));
    }
    put_text(m, "presets", &t);
    smw_config_each(add_key, &t);
    put_text(m, "keys", &t);
    smw_config_each(put_values, m);
    for (uint32_t i = 0; i < stat_table_size; i++) {
        add_word(&t, stat_table[i].name);
    }
    add_word(&t, stat_limiter.name);
    put_text(m, "counters", &t);
    for (uint32_t i = 0; rules_entry(i) != NULL; i++) {
        text_add(&t, "%s%u.%u", t.n > 0 ? " " : "", rules_entry(i)->cc / 10,
                 rules_entry(i)->cc % 10);
    }
    put_text(m, "capabilities", &t);
    put_builtins(m, "targets", "launches/");
    put_builtins(m, "sweeps", "sweeps/");
}

static void put_data(struct making *m)
{
    put_commands_of(m, "commands", program_commands, n_program_commands);
    put_command(m, "smwave", &walk_program, NULL);
    walk_commands(put_command, m);
    put_names(m);
}

/* ---- files ---- */

static bool make(const char *templates, const char *dir, const char *name, bool fish)
{
    char *in = tb_printf("%s/%s.in", templates, name), *out = file_join(dir, name);
    struct making m = {.f = fopen(out, "w"), .fish = fish};
    struct smw_err e = {0};
    size_t size = 0;
    char *text = file_read(in, 1 << 20, &size, SMW_ERR_IO, &e);
    bool ok = text != NULL && m.f != NULL;

    for (const char *line = ok ? text : ""; *line != '\0';) {
        size_t n = strcspn(line, "\n");

        if (n == 5 && strncmp(line, "@data", 5) == 0) {
            put_data(&m);
        } else {
            fprintf(m.f, "%.*s\n", (int)n, line);
        }
        line += n + (line[n] == '\n');
    }
    ok = ok && ferror(m.f) == 0;
    ok = m.f != NULL && fclose(m.f) == 0 && ok;
    if (!ok) {
        fprintf(stderr, "make_completions: %s from %s: %s\n", out, in,
                e.message[0] != '\0' ? e.message : strerror(errno));
    }
    free(text);
    free(out);
    free(in);
    return ok;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: make_completions TEMPLATES DIR\n", stderr);
        return TB_USAGE;
    }
    return make(argv[1], argv[2], "smwave.bash", false) &&
                   make(argv[1], argv[2], "_smwave", false) &&
                   make(argv[1], argv[2], "smwave.fish", true)
               ? TB_OK
               : TB_IO;
}
