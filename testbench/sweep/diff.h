/*
 * diff.h - two sets of named values compared: what differs, by how much, and whether
 * that is more than is allowed.
 *
 * A threshold is PATTERN=LIMIT. PATTERN is a name or a shell pattern over names (* and
 * ? take dots as well); of several that match, the last one given decides. LIMIT:
 *
 *   5        differences of up to 5 are allowed
 *   1%       up to 1 % of the value in A; nothing but equality where that is 0
 *   +5, +1%  B may be greater by so much, and smaller by any amount
 *   -5, -1%  B may be smaller by so much, and greater by any amount
 *   any      every difference is allowed, of texts and of what one side lacks too
 *
 * Without a threshold any difference is too much.
 *
 * Output is a table for people, or CSV: the columns of the group, then
 * name,a,b,difference,percent,verdict with the verdicts equal, allowed and different.
 */
#ifndef SWEEP_DIFF_H
#define SWEEP_DIFF_H

#include "io/file.h"
#include <argp.h>

enum diff_kind { DIFF_NONE /* this side lacks it */, DIFF_INT, DIFF_REAL, DIFF_TEXT };

struct diff_value {
    enum diff_kind kind;
    int64_t i;        /* INT */
    double d;         /* REAL */
    const char *text; /* TEXT; borrowed */
};

enum diff_side { DIFF_BOTH, DIFF_GREATER, DIFF_SMALLER };

struct diff_threshold {
    char *pattern;
    const char *text; /* as the user wrote it; borrowed */
    enum diff_side side;
    bool percent, any;
    double limit;
    bool met; /* it has matched a name */
};

struct diff_options {
    struct diff_threshold *threshold;
    uint32_t n_thresholds;
    bool all; /* show what does not differ too */
    bool csv;
    bool json; /* csv too: what is printed becomes JSON rows */
};

/* Append what the option says. SMW_ERR_USAGE. */
bool diff_threshold_add(struct diff_options *o, const char *text, struct smw_err *e);
void diff_options_free(struct diff_options *o);

/* Rows of a command's argp, and their reading: 0 or ARGP_ERR_UNKNOWN. */
#define DIFF_ARGP_OPTIONS                                                              \
    {"threshold",                                                                      \
     't',                                                                              \
     "PATTERN=LIMIT",                                                                  \
     0,                                                                                \
     "allow differences: PATTERN is a name or a shell pattern, LIMIT 5, 1%, +1% "      \
     "(only "                                                                          \
     "rises count), -1% (only falls count) or any. The last one that matches "         \
     "decides. "                                                                       \
     "May be repeated",                                                                \
     0},                                                                               \
        {"all", 'a', NULL, 0, "show what does not differ as well", 0},                 \
        {"csv", 'c', NULL, 0, "print CSV", 0},                                         \
    {                                                                                  \
        "json", 'j', NULL, 0, "print JSON: the rows of CSV as objects", 0              \
    }
error_t diff_parse_option(struct diff_options *o, int key, char *arg);

/* ---- a comparison ---- */

struct diff {
    struct diff_options *opt; /* thresholds that match are marked */
    FILE *f;
    const char *what;    /* "counters": for the summary */
    char *heading, *key; /* of the group under way */
    bool headed;         /* its heading has been printed */
    char **name;         /* all names compared so far, each once */
    uint32_t n_names, max_names;
    uint64_t compared, allowed, different; /* values */
};

/* keys: the columns of a group in CSV, "launch,kernel". */
void diff_begin(struct diff *d, struct diff_options *opt, FILE *f, const char *what,
                const char *keys);

/* The values that follow form a group. heading: what people read; key: the same as CSV
 * fields, as many as diff_begin() was told. Both are copied. */
void diff_group(struct diff *d, const char *heading, const char *key);

void diff_value(struct diff *d, const char *name, const struct diff_value *a,
                const struct diff_value *b);

/* Print the summary, unless the output is CSV. Returns the exit code, as diff(1) does:
 * 0, or TB_KERNEL (1) if anything is different; TB_USAGE, with SMW_ERR_USAGE in *e, if
 * a threshold has matched nothing. */
int diff_end(struct diff *d, struct smw_err *e);

#endif /* SWEEP_DIFF_H */
