/*
 * races.h - what "--check full" found in shared memory, on the terminal and as
 * findings.
 */
#ifndef RUN_RACES_H
#define RUN_RACES_H

#include "run/findings.h"
#include "run/host.h"

struct races {
    uint32_t errors, warnings;
};

/* Add them to the list and say how many there are of which kind. */
struct races races_find(struct smw_device *d, struct findings *l);

/* Print them to stderr, each with its line of the PTX. */
void races_show(const struct host *h);

#endif /* RUN_RACES_H */
