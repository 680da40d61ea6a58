/* cmd_stats.c - "smwave stats": the counters, from the one table that defines them. */
#include "cmd/cmd_stats.h"

#include "cmd/answer.h"
#include "io/cli.h"

#include "report/advice.h"
#include "report/explain.h"
#include "stat/counters.h"
#include <string.h>

const struct program_command stats_commands[N_STATS_COMMANDS] = {
    {"diff", cmd_stats_diff, "the counters of two runs compared", &stats_diff_argp,
     NULL, 0},
};

struct options {
    const char *word[2];
    uint32_t n;
    bool json;
};

static const struct argp_option option_table[] = {
    {"json", 'j', NULL, 0, "print JSON: an array of counters, or of rules", 0},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;

    switch (key) {
    case 'j': o->json = true; return 0;
    case ARGP_KEY_ARG:
        if (o->n == ARRAY_LEN(o->word)) {
            argp_error(state, "'%s' is one word too many", arg);
        }
        o->word[o->n++] = arg;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "list, explain, rules or diff?"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp stats_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "list\nexplain [COUNTER]\nrules\ndiff A B",
    .doc =
        "The counters of stats.json: their names and units, what they mean and the "
        "rule by "
        "which they count (model/SPEC.md), or those of two runs compared "
        "('smwave stats diff --help'); and the rules by which 'smwave run --explain' "
        "gives advice.",
};

/* list NULL: for people. */
static void explain(const struct stat_desc *d, json_t *list)
{
    if (list != NULL) {
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:s}", "name", d->name, "unit",
                                        d->unit, "meaning", d->doc, "rule", d->rule));
        return;
    }
    printf("%s (%s)\n    %s\n", d->name, d->unit, d->doc);
    if (d->rule[0] != '\0') {
        printf("    rule %s of model/SPEC.md\n", d->rule);
    }
}

/* Entry i of all there is: the counters, and the one text among them. */
static const struct stat_desc *entry(uint32_t i)
{
    return i < stat_table_size ? &stat_table[i] : &stat_limiter;
}

static int explain_one(const char *name, json_t *list)
{
    const char *names[256];
    uint32_t all = stat_table_size + 1;
    uint32_t n = all < ARRAY_LEN(names) ? all : ARRAY_LEN(names);
    bool found = false;
    int i;

    /* A prefix explains its group: "shared.ld". */
    for (uint32_t j = 0; j < all; j++) {
        const struct stat_desc *d = entry(j);
        size_t length = strlen(name);

        if (strncmp(d->name, name, length) == 0 &&
            (d->name[length] == '\0' || d->name[length] == '.')) {
            explain(d, list);
            found = true;
        }
    }
    if (found) {
        return TB_OK;
    }
    for (uint32_t j = 0; j < n; j++) {
        names[j] = entry(j)->name;
    }
    i = cli_choose("stats", "counter", name, names, n);
    return i < 0 ? TB_USAGE : TB_OK;
}

static void print_all(bool explaining, json_t *list)
{
    for (uint32_t j = 0; j <= stat_table_size; j++) {
        const struct stat_desc *d = entry(j);

        if (explaining || list != NULL) {
            explain(d, list);
        } else {
            printf("%-26s %-12s %s\n", d->name, d->unit, d->doc);
        }
    }
}

static int list_rules(bool json)
{
    struct text t = {0};

    if (json) {
        answer_print(explain_rules());
        return TB_OK;
    }
    advice_list(&t);
    fputs(t.s, stdout);
    text_free(&t);
    return TB_OK;
}

int cmd_stats(int argc, char **argv)
{
    static const char *const commands[] = {"list", "explain", "diff", "rules"};
    struct options o = {.n = 0};
    json_t *list;
    int i, code = TB_OK;

    if (argc > 1 && strcmp(argv[1], "diff") == 0) {
        char name[] = "smwave stats diff";

        argv[1] = name;
        return cmd_stats_diff(argc - 1, argv + 1);
    }
    cli_parse(&stats_argp, argc, argv, &o);
    i = cli_choose("stats", "command", o.word[0], commands, ARRAY_LEN(commands));
    if (i < 0) {
        return TB_USAGE;
    }
    if (i == 2) {
        return diag_usage("stats", "diff stands first");
    }
    if (i != 1 && o.n > 1) {
        return diag_usage("stats", "%s takes no further word, not '%s'", commands[i],
                          o.word[1]);
    }
    if (i == 3) {
        return list_rules(o.json);
    }
    list = o.json ? json_array() : NULL;
    if (i == 1 && o.n > 1) {
        code = explain_one(o.word[1], list);
    } else {
        print_all(i == 1, list);
    }
    if (list != NULL && code == TB_OK) {
        answer_print(list);
    } else {
        json_decref(list);
    }
    return code;
}
