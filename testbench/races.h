/*
 * races.h - what "--check full" found in shared memory, on the terminal and as findings.
 */
#ifndef TB_RACES_H
#define TB_RACES_H

#include "findings.h"
#include "host.h"

struct races {
    uint32_t errors, warnings;
};

/* Add them to the list and say how many there are of which kind. */
struct races races_find(struct smw_device *d, struct findings *l);

/* Print them to stderr, each with its line of the PTX. */
void races_show(const struct host *h);

#endif /* TB_RACES_H */
