/*
 * make_man.c - make_man PROSE DIR: writes the manual pages into DIR, which exists: one for
 * each command from the tables of the program, with what PROSE/smwave-NAME.1.txt adds, and
 * one for each other page of PROSE. A line "@tables" in a text stands for what a table of
 * the program says.
 */
#include "io/diag.h"
#include "io/file.h"
#include "man/roff.h"
#include "man/walk.h"
#include "smwave.h"
#include "stat/counters.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct making {
    const char *prose, *dir;
    char version[32];
    struct roff page;
    const struct program_command *command; /* whose page it is; NULL: of none */
    const struct program_command *parent;
};

static void fail(const char *path)
{
    fprintf(stderr, "make_man: %s: %s\n", path, strerror(errno));
    exit(1);
}

/* ---- tables ---- */

static void put_option(void *ctx, const struct walk_option *o)
{
    struct roff *p = ctx;
    struct text t = {0};

    if (o->n_shorts + o->n_longs == 0) {
        char *name = tb_printf("%.*s", (int)strcspn(o->doc, ":"), o->doc);

        roff_part(p, name);
        free(name);
        return;
    }
    for (uint32_t i = 0; i < o->n_shorts; i++) {
        char name[3] = {'-', o->shorts[i], '\0'};

        text_add(&t, "%s", t.n > 0 ? ", " : "");
        roff_escape(&t, 'B', name, 2);
    }
    for (uint32_t i = 0; i < o->n_longs; i++) {
        char *name = tb_printf("--%s", o->longs[i]);

        text_add(&t, "%s", t.n > 0 ? ", " : "");
        roff_escape(&t, 'B', name, strlen(name));
        free(name);
    }
    if (o->arg != NULL) {
        text_add(&t, "%s", o->n_longs > 0 ? "=" : " ");
        roff_escape(&t, 'I', o->arg, strlen(o->arg));
    }
    roff_term(p, t.s);
    roff_line(p, o->doc);
    text_free(&t);
}

static void term(struct roff *p, const char *name, const char *doc)
{
    struct text t = {0};

    roff_escape(&t, 'B', name, strlen(name));
    roff_term(p, t.s);
    roff_line(p, doc);
    text_free(&t);
}

struct keys {
    struct roff *p;
    char part[64];
};

/* gpu.sms stands below gpu, sm.l1.ways below sm.l1. */
static void put_key(void *ctx, const struct smw_key *k)
{
    struct keys *keys = ctx;
    const char *dot = strrchr(k->key, '.');
    size_t n = dot == NULL ? 0 : (size_t)(dot - k->key);
    char *line;

    if (strncmp(keys->part, k->key, n) != 0 || keys->part[n] != '\0') {
        snprintf(keys->part, sizeof(keys->part), "%.*s", (int)n, k->key);
        roff_part(keys->p, keys->part);
    }
    line = tb_printf("%s. Type %s%s%s; %s; default %s.", k->doc, k->type,
                     k->unit[0] == '\0' ? "" : ", in ", k->unit, k->range,
                     k->def[0] == '\0' ? "empty" : k->def);
    term(keys->p, k->key, line);
    free(line);
}

static void put_keys(struct making *m)
{
    struct keys keys = {.p = &m->page};

    smw_config_each(put_key, &keys);
}

static void put_presets(struct making *m)
{
    for (uint32_t i = 0; smw_preset_name(i) != NULL; i++) {
        term(&m->page, smw_preset_name(i), smw_preset_doc(i));
    }
}

static void put_counter(struct roff *p, const struct stat_desc *d)
{
    char *line = tb_printf("%s. Unit: %s.%s%s%s", d->doc, d->unit,
                           d->rule[0] == '\0' ? "" : " Rule ", d->rule,
                           d->rule[0] == '\0' ? "" : " of SPEC.md.");

    term(p, d->name, line);
    free(line);
}

static void put_counters(struct making *m)
{
    for (uint32_t i = 0; i < stat_table_size; i++) {
        put_counter(&m->page, &stat_table[i]);
    }
    put_counter(&m->page, &stat_limiter);
}

static void put_exits(struct making *m)
{
    for (uint32_t i = 0; i < diag_n_exits; i++) {
        char number[16];

        snprintf(number, sizeof(number), "%d", (int)diag_exits[i].code);
        term(&m->page, number, diag_exits[i].doc);
    }
}

static void put_command(void *ctx, const char *path, const struct program_command *c,
                        const struct program_command *parent)
{
    struct making *m = ctx;
    const struct program_command *of = m->command == &walk_program ? NULL : m->command;

    if (parent == of) {
        term(&m->page, path, c->doc);
    }
}

static void put_commands(struct making *m)
{
    walk_commands(put_command, m);
}

/* The names below a folder of the files compiled in, "launches/" */
static void put_builtins(struct making *m, const char *folder)
{
    struct text t = {0};

    for (uint32_t i = 0; i < file_n_builtins; i++) {
        const char *path = file_builtins[i].path;

        if (strncmp(path, folder, strlen(folder)) == 0 && file_ends(path, ".yml")) {
            char *name = file_stem(path);

            text_add(&t, "%s`%s`", t.n > 0 ? ", " : "", name);
            free(name);
        }
    }
    text_add(&t, ".");
    roff_line(&m->page, t.s);
    text_free(&t);
}

static void put_table(struct making *m, const char *name)
{
    static const struct {
        const char *name;
        void (*put)(struct making *m);
    } tables[] = {
        {"@keys", put_keys},   {"@presets", put_presets},   {"@counters", put_counters},
        {"@exits", put_exits}, {"@commands", put_commands},
    };

    for (uint32_t i = 0; i < ARRAY_LEN(tables); i++) {
        if (strcmp(name, tables[i].name) == 0) {
            tables[i].put(m);
            return;
        }
    }
    if (strcmp(name, "@targets") == 0) {
        put_builtins(m, "launches/");
    } else if (strcmp(name, "@sweeps") == 0) {
        put_builtins(m, "sweeps/");
    } else {
        fprintf(stderr, "make_man: there is no table %s\n", name);
        exit(1);
    }
}

/* ---- pages ---- */

static void put_prose(struct making *m, const char *text)
{
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");
        char *line = tb_printf("%.*s", (int)n, text);

        if (line[0] == '@') {
            put_table(m, line);
        } else {
            roff_line(&m->page, line);
        }
        free(line);
        text += n + (text[n] == '\n');
    }
}

/* What somebody wrote about the page; NULL: nothing. The caller frees. */
static char *read_prose(const struct making *m, const char *file)
{
    char *path = file_join(m->prose, file);
    struct smw_err e = {0};
    size_t size;
    char *text = file_read(path, 1 << 20, &size, SMW_ERR_IO, &e);

    free(path);
    return text;
}

static FILE *open_page(const struct making *m, const char *file)
{
    char *path = file_join(m->dir, file);
    FILE *f = fopen(path, "w");

    if (f == NULL) {
        fail(path);
    }
    free(path);
    return f;
}

static void close_page(struct making *m, const char *file)
{
    FILE *f = m->page.f;

    roff_end(&m->page);
    if (ferror(f) != 0 || fclose(f) != 0) {
        fail(file);
    }
}

/* Names in capitals and what is optional in italics, words to type in bold. */
static void put_usage(void *ctx, const char *line)
{
    struct making *m = ctx;
    struct text t = {0};

    while (*line != '\0') {
        size_t n = strcspn(line, " ");
        bool to_type = strspn(line, "abcdefghijklmnopqrstuvwxyz-") >= n;

        text_add(&t, " ");
        roff_escape(&t, to_type ? 'B' : 'I', line, n);
        line += n;
        line += strspn(line, " ");
    }
    fprintf(m->page.f, "\\fB%s%s%s%s\\fR [\\fIOPTION\\fR...]%s\n",
            m->command == &walk_program ? "" : "smwave ",
            m->parent == NULL ? "" : m->parent->name, m->parent == NULL ? "" : " ",
            m->command->name, t.s == NULL ? "" : t.s);
    text_free(&t);
}

static void put_doc(struct making *m)
{
    const struct argp *a = m->command->argp;
    const char *doc = a->doc == NULL ? m->command->doc : a->doc;
    size_t n = strcspn(doc, "\v");
    char *before = tb_printf("%.*s", (int)n, doc);
    const char *after = doc[n] == '\v' ? doc + n + 1 : "";
    char *filtered = NULL;

    roff_text(&m->page, before);
    if (m->command != &walk_program) {
        if (a->help_filter != NULL) {
            filtered = a->help_filter(ARGP_KEY_HELP_POST_DOC, after, NULL);
        }
        roff_text(&m->page, filtered != NULL ? filtered : after);
    }
    if (filtered != after) {
        free(filtered);
    }
    free(before);
}

static void refer(void *ctx, const char *path, const struct program_command *c,
                  const struct program_command *parent)
{
    struct making *m = ctx;
    char *name;

    if (c == m->command || (m->command != &walk_program && parent != m->command &&
                            (parent != m->parent || parent == NULL))) {
        return;
    }
    name = tb_printf("`smwave-%s`(1),", path);
    for (char *p = strchr(name, ' '); p != NULL; p = strchr(p, ' ')) {
        *p = '-';
    }
    roff_line(&m->page, name);
    free(name);
}

static void put_references(struct making *m)
{
    static const char *const others[] = {"`smwave-launch`(5),", "`smwave-config`(5),",
                                         "`smwave-sweep`(5),", "`smwave-stats`(7)"};

    roff_section(&m->page, "SEE ALSO");
    if (m->command != &walk_program) {
        roff_line(&m->page, "`smwave`(1),");
    }
    if (m->parent != NULL) {
        char *name = tb_printf("`smwave-%s`(1),", m->parent->name);

        roff_line(&m->page, name);
        free(name);
    }
    walk_commands(refer, m);
    for (uint32_t i = 0; i < ARRAY_LEN(others); i++) {
        roff_line(&m->page, others[i]);
    }
}

/* title: "smwave-sweep-run" */
static void make_command(struct making *m, const char *title)
{
    char *file = tb_printf("%s.1", title), *text = tb_printf("%s.txt", file);
    char *prose = read_prose(m, text);

    roff_begin(&m->page, open_page(m, file), title, '1', m->version);
    roff_section(&m->page, "NAME");
    fprintf(m->page.f, "%s \\- %s\n", title, m->command->doc);
    roff_section(&m->page, "SYNOPSIS");
    fputs(".nf\n", m->page.f);
    walk_usages(m->command, put_usage, m);
    fputs(".fi\n", m->page.f);
    roff_section(&m->page, "DESCRIPTION");
    put_doc(m);
    if (m->command == &walk_program || m->command->n_subs > 0) {
        roff_section(&m->page, "COMMANDS");
        put_commands(m);
    }
    roff_section(&m->page, "OPTIONS");
    walk_options(m->command, put_option, &m->page);
    if (prose != NULL) {
        put_prose(m, prose);
    }
    roff_section(&m->page, "EXIT STATUS");
    if (m->command == &walk_program) {
        put_exits(m);
    } else {
        roff_line(&m->page, "0 if all is well; every other code means what `smwave`(1) "
                            "says of it.");
    }
    put_references(m);
    close_page(m, file);
    free(prose);
    free(text);
    free(file);
}

static void make_one(void *ctx, const char *path, const struct program_command *c,
                     const struct program_command *parent)
{
    struct making *m = ctx;
    char *title = tb_printf("smwave-%s", path);

    for (char *p = strchr(title, ' '); p != NULL; p = strchr(p, ' ')) {
        *p = '-';
    }
    m->command = c;
    m->parent = parent;
    make_command(m, title);
    free(title);
}

/* "smwave-launch.5.txt": all of the page but its head is there. */
static void make_other(struct making *m, const char *text)
{
    char *file = tb_printf("%.*s", (int)(strlen(text) - 4), text);
    char *title = tb_printf("%.*s", (int)(strlen(file) - 2), file);
    char *prose = read_prose(m, text);

    m->command = NULL;
    roff_begin(&m->page, open_page(m, file), title, file[strlen(file) - 1], m->version);
    put_prose(m, prose);
    close_page(m, file);
    free(prose);
    free(title);
    free(file);
}

static int is_other(const struct dirent *entry)
{
    return file_ends(entry->d_name, ".5.txt") || file_ends(entry->d_name, ".7.txt");
}

int main(int argc, char **argv)
{
    struct making m = {.parent = NULL};
    struct dirent **entry = NULL;
    int n;

    if (argc != 3) {
        fputs("usage: make_man PROSE DIR\n", stderr);
        return TB_USAGE;
    }
    m.prose = argv[1];
    m.dir = argv[2];
    snprintf(m.version, sizeof(m.version), "%s", smw_version());
    walk_commands(make_one, &m);
    n = scandir(m.prose, &entry, is_other, alphasort);
    if (n < 0) {
        fail(m.prose);
    }
    for (int i = 0; i < n; i++) {
        make_other(&m, entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
    m.parent = NULL;
    m.command = &walk_program;
    make_command(&m,
                 "smwave"); /* the last one: it tells the build that all are there */
    return TB_OK;
}
