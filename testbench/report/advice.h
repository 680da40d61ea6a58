/*
 * advice.h - what could be done about the cost of a launch: rules that look at what
 * --explain has gathered, each with a name, and what they found, line by line.
 *
 * What a remedy would gain is not estimated. A rule names the key of the configuration
 * that spares the line its cost (SPEC IDEAL-1..3); whoever holds the launch runs it
 * again with that key and tells how many cycles it then took.
 */
#ifndef REPORT_ADVICE_H
#define REPORT_ADVICE_H

#include "report/explain.h"

enum advice_id {
    ADVICE_CONFLICTS,
    ADVICE_SECTORS,
    ADVICE_LATENCY,
    ADVICE_BARRIER,
    ADVICE_DIVERGENCE,
    ADVICE_OCCUPANCY,
    ADVICE_TAIL,
    ADVICE_RULES
};

struct advice_rule {
    const char *id;     /* "bank-conflicts" */
    const char *name;   /* "bank conflicts" */
    const char *looks;  /* at what, and when it speaks */
    const char *advice; /* in general */
    const char *key;    /* of the configuration that spares the cost; NULL: none does */
};

extern const struct advice_rule advice_rules[ADVICE_RULES];

struct advice_item {
    enum advice_id rule;
    uint32_t launch;
    char place[64];             /* "tile.cu:12", "PTX line 116"; "": the launch */
    struct smw_inlined inlined; /* that line */
    char spared[64];        /* value of the rule's key: the place, or "all"; "": no run
                        tells */
    char *what, *why, *fix; /* sentences; why and fix may be "" */
    uint64_t weight;        /* what it costs, to put the worst first */
    uint64_t cycles;        /* of the launch as it is */
    uint64_t without;       /* of the same with the cost spared; 0: not run */
};

struct advice {
    struct advice_item *at; /* launch by launch, the heaviest first */
    uint32_t n;
};

void advice_make(struct advice *a, const struct explain *x);
void advice_free(struct advice *a);

/* Run everything again with key=value: cycles of each of the n launches. False: it did
 * not end as before, or nobody wants to wait any longer. */
typedef bool advice_again(void *ctx, const char *key_value, uint64_t *cycles,
                          uint32_t n);

/* Tell items what they would gain, the heaviest first, with at most max runs. */
void advice_gains(struct advice *a, uint32_t n_launches, uint32_t max,
                  advice_again *again, void *ctx);

/* The items of a launch, for a terminal of 100 columns. */
void advice_text(const struct advice *a, uint32_t launch, bool color, struct text *out);
/* What the rules are. */
void advice_list(struct text *out);

#endif /* REPORT_ADVICE_H */
