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
    LAUNCH_TEXTURE,
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

/* Of a texture: dims in the order of enum smw_shape, layouts of smw_layout, modes of
 * smw_beyond. */
enum {
    LAUNCH_TEXTURE_KINDS = 2,
    LAUNCH_TEXTURE_DIMS = 7,
    LAUNCH_TEXTURE_LAYOUTS = 3,
    LAUNCH_TEXTURE_FILTERS = 2,
    LAUNCH_TEXTURE_MODES = 4
};
extern const char *const launch_texture_kinds[LAUNCH_TEXTURE_KINDS];
extern const char *const launch_texture_dims[LAUNCH_TEXTURE_DIMS];
extern const char *const launch_texture_layouts[LAUNCH_TEXTURE_LAYOUTS];
extern const char *const launch_texture_filters[LAUNCH_TEXTURE_FILTERS];
extern const char *const launch_texture_modes[LAUNCH_TEXTURE_MODES];

/* The node is a map with the keys it must have, and none it may not have. */
bool launch_check_map(const struct yaml *y, const struct yaml_node *n,
                      enum launch_map map, struct smw_err *e);

#endif /* RUN_LAUNCH_KEYS_H */
