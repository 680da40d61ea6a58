/*
 * ptx_files.h - what the commands share that take PTX files: their words and their
 * option, and a module loaded for a device.
 */
#ifndef RUN_PTX_FILES_H
#define RUN_PTX_FILES_H

#include "smwave.h"
#include <argp.h>
#include <stddef.h>

enum { PTX_MAX_WORDS = 64 };

struct ptx_options {
    const char *word[PTX_MAX_WORDS];
    uint32_t n;
    const char *config; /* NULL: not said */
};

extern const struct argp_option ptx_option_table[];

/* Its parser; state->input is a struct ptx_options. */
error_t ptx_parse_option(int key, char *arg, struct argp_state *state);

/* The text of a file, to be freed; NULL and *e. */
char *ptx_read(const char *path, size_t *size, struct smw_err *e);

struct ptx_loaded {
    struct smw_config *config;
    struct smw_device *device;
    struct smw_module *module;
};

/* Load a file for a device; config NULL: the default one. Unload in any case. */
bool ptx_load(struct ptx_loaded *l, const char *path, const char *config,
              struct smw_err *e);
void ptx_unload(struct ptx_loaded *l);

#endif /* RUN_PTX_FILES_H */
