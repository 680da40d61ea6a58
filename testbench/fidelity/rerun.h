/*
 * rerun.h - a row of the truth, run again on the model.
 */
#ifndef FIDELITY_RERUN_H
#define FIDELITY_RERUN_H

#include "smwave.h"
#include "truth.h"

enum { RERUN_LAUNCHES = 2 }; /* the first is cold, the last warm */

struct rerun {
    bool ok;
    char why[512]; /* if not: what was refused or wrong */
    struct smw_counters first, last;
    double gbs; /* of a row of the table bandwidth, and nothing else of it */
};

/* Launch the row RERUN_LAUNCHES times, one after the other, and check its output after
 * the first, as was measured. ptx: the text of its module; others: of kernels.ptx,
 * whose k_sum4_loop displaces what the L2 holds; stalls: count why warps do not issue.
 */
struct rerun_text {
    const char *text;
    size_t size;
};
void rerun_row(const struct truth_row *row, const struct smw_config *config,
               struct rerun_text ptx, struct rerun_text others, bool stalls,
               struct rerun *r);

#endif /* FIDELITY_RERUN_H */
