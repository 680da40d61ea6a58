/*
 * clusters.h - launches whose blocks are in clusters (SPEC CLUSTER-1): what shape they
 * have, and whether the device can have them.
 */
#ifndef GPU_CLUSTERS_H
#define GPU_CLUSTERS_H

#include "gpu/device_priv.h"

/* Blocks of a cluster along x, y and z; 1 x 1 x 1 and false if nobody says it. */
bool clusters_shape(const struct queued *q, uint32_t shape[3]);
/* How many of its clusters the idle device holds at once; q->fit is known. */
uint32_t clusters_at_once(const struct smw_device *d, const struct queued *q);
/* Is the launch possible? q->fit is known. */
bool clusters_check(const struct smw_device *d, const struct queued *q,
                    struct smw_err *e);
/* What SMs have to know of it. */
void clusters_describe(const struct smw_device *d, const struct queued *q,
                       struct sm_launch *s);

#endif /* GPU_CLUSTERS_H */
