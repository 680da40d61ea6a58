/*
 * presets.h - the configurations of configs/, compiled in. presets_table.c is made of
 * them by testbench/tools/make_presets.sh, and a test says when it must be made again.
 *
 * Each is a list of key and value texts, to be set in order after those of the preset
 * it extends. The table ends with an entry whose name is NULL.
 */
#ifndef GPU_PRESETS_H
#define GPU_PRESETS_H

#include <stddef.h>
#include <stdint.h>

struct preset {
    const char *name;
    const char *doc;               /* one line, "" if there is none */
    const char *extends;           /* another preset's name; NULL: the defaults */
    const char *const (*pairs)[2]; /* key, value; n of them, then {NULL, NULL} */
    uint32_t n;
};

extern const struct preset smw_presets[];
extern const uint32_t smw_n_presets;

#endif /* GPU_PRESETS_H */
