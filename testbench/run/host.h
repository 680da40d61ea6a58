/*
 * host.h - what a CUDA host program does, driven by a launch file: open the device,
 * load the module, fill buffers and symbols, queue the launches, check the results.
 */
#ifndef RUN_HOST_H
#define RUN_HOST_H

#include "run/launch_file.h"

struct host_loaded { /* a module, by the files that it was made of */
    char *files;     /* their paths, each with a line's end */
    struct smw_module *module;
};

struct host_array { /* memory of textures in tiles; addr 0: none */
    uint64_t addr, pitch;
    uint32_t of; /* the texture that it was made for */
    bool stored; /* a surface is among those that share it */
};

struct host {
    const struct launch_file *file;
    struct smw_config *config; /* borrowed */
    struct smw_device *device;
    struct smw_module *module;
    struct host_loaded *loaded; /* all modules of the device */
    uint32_t n_loaded;
    char *module_path;         /* as opened; of several the first */
    char *module_name;         /* its last part: what goes into results */
    uint64_t *address;         /* of buffer i; behind them objects of textures */
    struct host_array *arrays; /* of texture i */
    bool stalls;               /* stall.* are counted */
    bool checks;               /* what the launch file gives no value has none */
};

/* Open the device, load the module and put the data in place. On failure everything is
 * closed again. */
bool host_open(struct host *h, const struct launch_file *file,
               struct smw_config *config, const struct smw_options *options,
               struct smw_err *e);
/* The part behind the device: modules, preferences, data. */
bool host_prepare(struct host *h, struct smw_err *e);
/* Textures and buffers are no more. */
bool host_give_back(struct host *h, struct smw_err *e);
/* Give an error of the model that has no place the node's. */
bool host_at_node(const struct host *h, const struct yaml_node *n, struct smw_err *e);
/* Queue every launch. */
bool host_launch(struct host *h, struct smw_err *e);
void host_close(struct host *h);

/* The type of a symbol's elements, as the PTX declares it; untyped bits count as
 * unsigned. */
bool host_symbol_type(struct host *h, const char *name, const struct yaml_node *at,
                      enum value_type *type, struct smw_err *e);

/* Elements of the symbol, of that type; count is all of it. */
bool host_symbol_count(struct host *h, const char *name, const struct yaml_node *at,
                       enum value_type type, uint64_t *count, struct smw_err *e);

#endif /* RUN_HOST_H */
