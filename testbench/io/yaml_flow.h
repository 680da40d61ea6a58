/*
 * yaml_flow.h - a tree of YAML back to text, on one line: {type: s32, fill: "0.5"}. The
 * text reads back as the same tree. Plain scalars stay plain.
 */
#ifndef IO_YAML_FLOW_H
#define IO_YAML_FLOW_H

#include "io/file.h"
#include "io/yaml.h"

void yaml_flow(const struct yaml_node *n, struct text *out);

#endif /* IO_YAML_FLOW_H */
