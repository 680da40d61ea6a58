/*
 * yaml_flow.h - a tree of YAML back to text, on one line: {type: s32, fill: "0.5"}. The
 * text reads back as the same tree. Plain scalars stay plain.
 */
#ifndef TB_YAML_FLOW_H
#define TB_YAML_FLOW_H

#include "file.h"
#include "yaml.h"

void yaml_flow(const struct yaml_node *n, struct text *out);

#endif /* TB_YAML_FLOW_H */
