/*
 * launch_keys.h - what each map of a launch file may say.
 *
 * One table: the reader refuses what is not in it (launch_file.c), the JSON schema for
 * editors is printed from it (launch_schema.h).
 */
#ifndef RUN_LAUNCH_KEYS_H
#define RUN_LAUNCH_KEYS_H

#include "io/value.h"

enum launch_map {
    LAUNCH_FILE,
    LAUNCH_BUFFER,
    LAUNCH_RUN,
    LAUNCH_REPEAT,
    LAUNCH_TIMES,
    LAUNCH_EXPECT,
    LAUNCH_EQUALS,
    LAUNCH_TRACE,
    LAUNCH_MAPS
};

struct launch_map_keys {
    const char *name; /* as the schema calls it: "launch" */
    const char *what; /* as messages call it: "a launch" */
    const char *doc;
    const struct value_key *keys;
    uint32_t n;
};

extern const struct launch_map_keys launch_maps[LAUNCH_MAPS];

enum { LAUNCH_CACHE_NAMES = 4 };
/* Of cache_config, in the order of enum smw_cache_config. */
extern const char *const launch_cache_names[LAUNCH_CACHE_NAMES];

/* The node is a map with the keys it must have, and none it may not have. */
bool launch_check_map(const struct yaml *y, const struct yaml_node *n,
                      enum launch_map map, struct smw_err *e);

#endif /* RUN_LAUNCH_KEYS_H */
