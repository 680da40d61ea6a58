/* How many clusters of blocks the device holds at once. */
#include "runtime/module.h"

/* The launch that config describes; false: it is wrong. */
static bool describe(const cudaLaunchConfig_t *c, const struct rt_kernel *k,
                     struct smw_launch *l)
{
    if (c == NULL || (c->numAttrs > 0 && c->attrs == NULL)) {
        return false;
    }
    *l = (struct smw_launch){
        .grid = {c->gridDim.x, c->gridDim.y, c->gridDim.z},
        .block = {c->blockDim.x, c->blockDim.y, c->blockDim.z},
        .shared = c->dynamicSmemBytes,
        .cache_config = k->cache,
        .opt_in_shared = true,
        .has_carveout = k->carveout >= 0,
        .carveout = k->carveout >= 0 ? (uint32_t)k->carveout : 0,
    };
    for (unsigned i = 0; i < c->numAttrs; i++) {
        const cudaLaunchAttribute *a = &c->attrs[i];

        if (a->id == cudaLaunchAttributeClusterDimension) {
            l->cluster[0] = a->val.clusterDim.x;
            l->cluster[1] = a->val.clusterDim.y;
            l->cluster[2] = a->val.clusterDim.z;
        }
    }
    return true;
}

static cudaError_t kernel_of(const void *func, const cudaLaunchConfig_t *c,
                             struct rt_kernel **k, struct smw_launch *l)
{
    struct rt_device *d;
    cudaError_t rc = rt_current(&d);

    if (rc == cudaSuccess) {
        rc = rt_kernel(d, func, NULL, k);
    }
    if (rc != cudaSuccess) {
        return rc;
    }
    return describe(c, *k, l) ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t active_clusters(int *clusters, const void *func,
                                   const cudaLaunchConfig_t *c)
{
    struct rt_kernel *k;
    struct smw_launch l;
    struct smw_err e = {0};
    uint32_t n;
    cudaError_t rc = kernel_of(func, c, &k, &l);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (clusters == NULL) {
        return cudaErrorInvalidValue;
    }
    if (!smw_active_clusters(k->kernel, &l, &n, &e)) {
        return rt_error_of(e.code);
    }
    *clusters = (int)n;
    return cudaSuccess;
}

RT_API cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *func,
                                                  const cudaLaunchConfig_t *config)
{
    return RT_CALL(active_clusters(clusters, func, config));
}

/* The largest cluster in a row that fits somewhere. */
static cudaError_t largest(int *size, const void *func, const cudaLaunchConfig_t *c)
{
    struct rt_kernel *k;
    struct smw_launch l;
    struct smw_err e = {0};
    cudaError_t rc = kernel_of(func, c, &k, &l);
    uint32_t n, most;

    if (rc != cudaSuccess) {
        return rc;
    }
    if (size == NULL) {
        return cudaErrorInvalidValue;
    }
    for (most = k->any_cluster ? 16 : 8; most > 0; most /= 2) {
        l.cluster[0] = most;
        l.cluster[1] = l.cluster[2] = 1;
        l.grid[0] = most;
        l.grid[1] = l.grid[2] = 1;
        if (smw_active_clusters(k->kernel, &l, &n, &e) && n != 0) {
            break;
        }
    }
    *size = (int)most;
    return most != 0 ? cudaSuccess : rt_error_of(e.code);
}

RT_API cudaError_t cudaOccupancyMaxPotentialClusterSize(
    int *size, const void *func, const cudaLaunchConfig_t *config)
{
    return RT_CALL(largest(size, func, config));
}
