/*
 * yaml.h - a YAML document as a tree of nodes that know where they stand.
 *
 * The subset is what a launch file or a configuration needs: one document of mappings,
 * lists and scalars. Anchors, aliases, tags and merge keys are refused, so a small file
 * cannot become a large tree; so are duplicate keys, more than YAML_MAX_DEPTH levels,
 * YAML_MAX_NODES nodes and YAML_MAX_BYTES bytes. This is the only part that names
 * libfyaml.
 */
#ifndef IO_YAML_H
#define IO_YAML_H

#include "base/err.h"
#include <stddef.h>

enum {
    YAML_MAX_DEPTH = 32,
    YAML_MAX_NODES = 200000,
    YAML_MAX_KEYS = 10000, /* of one map */
    YAML_MAX_BYTES = 4 << 20
};

enum yaml_kind { YAML_SCALAR, YAML_MAP, YAML_LIST };

/* What nodes say that do not come from the file of their tree. */
struct yaml_source {
    const char *name; /* of the place, "command line" */
    const char *text; /* the one line that is shown */
    uint32_t column;  /* of it, where column 1 of the nodes is */
};

struct yaml_node {
    enum yaml_kind kind;
    bool quoted;                    /* SCALAR: written in quotes or as a block */
    const char *text;               /* SCALAR: its text, "" for none */
    uint32_t line, column;          /* 1-based, of the first character */
    uint32_t width;                 /* characters to underline, 1 if it spans lines */
    struct yaml_node *key;          /* in a MAP: the key, itself a scalar; else NULL */
    struct yaml_node *first, *next; /* children in file order; the next sibling */
    uint32_t n;                     /* children */
    const struct yaml_source *source; /* where line and column are; NULL: the file */
};

struct yaml {
    char *name, *text; /* of the file; what errors quote */
    struct yaml_node *root;
    struct yaml_block *blocks; /* memory of the nodes */
    uint32_t n_nodes;
};

/* Parse size bytes. kind: SMW_ERR_INPUT or SMW_ERR_CONFIG, of refusals. The text is
 * copied. On failure *y is left empty. */
bool yaml_parse(struct yaml *y, const char *name, const char *text, size_t size,
                enum smw_err_kind kind, struct smw_err *e);
void yaml_free(struct yaml *y);

/* The value of key in map, NULL if absent. */
const struct yaml_node *yaml_get(const struct yaml_node *map, const char *key);

/* Memory that lives as long as the tree, zeroed; NULL: there is none. */
void *yaml_alloc(struct yaml *y, size_t n);

/* Make *e, which is filled, point at n. */
void yaml_point(const struct yaml *y, const struct yaml_node *n, struct smw_err *e);

/* Fill *e (message by fmt) pointing at n. Returns false. */
bool yaml_refuse(const struct yaml *y, const struct yaml_node *n,
                 enum smw_err_kind kind, struct smw_err *e, const char *fmt, ...)
    ATTR_PRINTF(5, 6);

/* "a number", "a list", "a map": what n is, for messages. */
const char *yaml_kind_name(const struct yaml_node *n);

#endif /* IO_YAML_H */
