/*
 * compare.h - two dumps side by side: where they first differ.
 *
 * What both have is compared: variables of the same path, whatever their order, by
 * their values as numbers or texts. Clocks are not, nor what only one of them has, nor
 * the widths, nor what has two values at time 0 already: that is how configurations
 * differ, not what happened. A listener is told of it.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "reader.h"
#include "view.h"

enum compare_note { COMPARE_ONLY_A, COMPARE_ONLY_B, COMPARE_SET };

/* Told of each variable that is not compared: only one dump has it, or it differs at
 * time 0, with these values. */
struct compare_listener {
    void (*note)(void *ctx, enum compare_note note, const char *path, const char *a,
                 const char *b);
    void *ctx;
};

enum compare_verdict { COMPARE_SAME, COMPARE_DIFFER, COMPARE_FAILED };

struct compare_result {
    uint64_t time;              /* of the first difference */
    uint32_t common;            /* variables that both have, clocks aside */
    uint32_t only[2];           /* ... that one has */
    uint32_t set;               /* ... that differ at time 0 */
    uint32_t differing;         /* variables that differ at that time */
    bool ended[2];              /* that dump ends there, the other goes on */
    char path[READER_MAX_PATH]; /* of the first in a's order that differs; "": none */
    char value[2][256];         /* that it has there */
};

/* What time is counted in: "1 ps", "cycle". */
const char *compare_unit(const struct reader *r);
/* The same in both; else false and *e (SMW_ERR_INPUT). */
bool compare_units(const struct reader *a, const struct reader *b, struct smw_err *e);

/* Both stand behind their declarations, and are read as far as needed. l may be NULL.
 * SMW_ERR_INPUT: their units of time differ, they have nothing in common, or one cannot
 * be read. */
enum compare_verdict compare_dumps(struct reader *a, struct reader *b,
                                   const struct compare_listener *l,
                                   struct compare_result *out, struct smw_err *e);

/* Hide what only one tree has, and open and close the same groups in both, so that
 * views of them have the same rows. */
void compare_align(struct view_tree *a, struct view_tree *b);

#endif /* COMPARE_H */
