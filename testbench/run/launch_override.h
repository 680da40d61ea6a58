/*
 * launch_override.h - values that replace what a launch file says, before it is read:
 * "smwave run --launch PATH=VALUE" and the keys launch.PATH of a sweep.
 *
 * PATH joins names and list positions, counted from 0, by dots: launches.0.block,
 * buffers.d.count, launches.1.args.2, module. A * stands for every position of a list.
 * Its last part may be a name that is not there yet; the launch file's schema judges
 * it. "kernel" is short for launches.*.kernel, "kernel.1" for launches.1.kernel.
 *
 * VALUE is YAML on one line: 256, [32, 8], {fill: 0.5}. Names of files start, as others
 * of the launch file do, at its directory.
 *
 * What is refused, here or by who reads the tree, points into the option's text.
 */
#ifndef RUN_LAUNCH_OVERRIDE_H
#define RUN_LAUNCH_OVERRIDE_H

#include "io/yaml.h"

/* option: "PATH=VALUE". */
bool launch_override(struct yaml *y, const char *option, struct smw_err *e);

#endif /* RUN_LAUNCH_OVERRIDE_H */
