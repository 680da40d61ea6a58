/*
 * spare.h - instructions that are spared a cost (SPEC IDEAL-1..3): the keys ideal.*
 * name them, by their place in the source or in the PTX text.
 */
#ifndef GPU_SPARE_H
#define GPU_SPARE_H

#include "cfg/cfg.h"
#include "ptx/ptx.h"

/* Each is "none", "all", or places with commas between: "tile.cu:12" of a source,
 * "116" a line of the PTX text. */
struct ideal_config {
    char conflicts[CFG_TEXT_SIZE];
    char sectors[CFG_TEXT_SIZE];
    char latency[CFG_TEXT_SIZE];
};

extern const struct cfg_table ideal_keys;

bool spare_check(const struct ideal_config *c, struct smw_err *e);
/* Does it spare global accesses anything? */
bool spare_moves_early(const struct ideal_config *c);
/* Mark the micro-ops of m that are named. Refused: a place where m has no such
 * access. */
bool spare_mark(const struct ideal_config *c, struct ptx_module *m, struct smw_err *e);

#endif /* GPU_SPARE_H */
