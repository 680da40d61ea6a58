/* Kernels: launches, what they need and prefer, occupancy. */
#include "runtime/launch.h"
#include "driver/driver.h"
#include <stdlib.h>
#include <string.h>

static struct dim3 dim(unsigned x, unsigned y, unsigned z)
{
    struct dim3 d = {.x = x, .y = y, .z = z};

    return d;
}

/* Whether f is a kernel, and on the current context's device. */
static CUresult check(CUfunction f)
{
    struct rt_kernel *k;

    return cu_kernel(f, &k);
}

/* ---- arguments ---- */

/* The block of bytes that extra of cuLaunchKernel() tells of. */
static bool read_extra(void **extra, char **block, size_t *bytes)
{
    const size_t *size = NULL;

    *block = NULL;
    for (uint32_t i = 0; i < 4 && extra[i] != CU_LAUNCH_PARAM_END; i += 2) {
        if (extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER) {
            *block = extra[i + 1];
        } else if (extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE) {
            size = extra[i + 1];
        } else {
            return false;
        }
    }
    if (*block == NULL || size == NULL) {
        return false;
    }
    *bytes = *size;
    return true;
}

/* Where each parameter is in it; the caller frees. */
static CUresult unpack(const struct smw_kernel *k, void **extra, void ***out)
{
    uint32_t n = smw_kernel_params(k);
    struct smw_param p;
    size_t bytes;
    char *block;
    void **args;

    if (!read_extra(extra, &block, &bytes)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    args = calloc(n > 0 ? n : 1, sizeof(*args));
    if (args == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < n && smw_kernel_param(k, i, &p); i++) {
        if (p.offset > bytes || p.size > bytes - p.offset) {
            free(args);
            return CUDA_ERROR_INVALID_VALUE;
        }
        args[i] = block + p.offset;
    }
    *out = args;
    return CUDA_SUCCESS;
}

/* ---- launches ---- */

struct asked {
    struct dim3 grid, block;
    unsigned shared;
    CUstream stream;
    bool cooperative;
    struct dim3 cluster;
};

static CUresult launch(CUfunction f, const struct asked *a, void **args, void **extra)
{
    struct rt_kernel *k;
    void **own = NULL;
    CUresult rc = cu_kernel(f, &k);

    if (rc != CUDA_SUCCESS) {
        return rc;
    }
    if (args != NULL && extra != NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (extra != NULL && extra[0] != CU_LAUNCH_PARAM_END) {
        rc = unpack(k->kernel, extra, &own);
        args = own;
    }
    if (rc == CUDA_SUCCESS) {
        rc = cu_of(rt_launch_clusters(f, a->grid, a->block, args, a->shared, a->stream,
                                      a->cooperative, a->cluster));
    }
    free(own);
    return rc;
}

RT_API CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz,
                               unsigned bx, unsigned by, unsigned bz, unsigned shared,
                               CUstream stream, void **args, void **extra)
{
    struct asked a = {dim(gx, gy, gz), dim(bx, by, bz), shared,
                      stream,          false,           {0, 0, 0}};

    return CU_LOCKED(true, launch(f, &a, args, extra));
}

RT_API CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy,
                                          unsigned gz, unsigned bx, unsigned by,
                                          unsigned bz, unsigned shared, CUstream stream,
                                          void **args)
{
    struct asked a = {dim(gx, gy, gz), dim(bx, by, bz), shared, stream, true,
                      {0, 0, 0}};

    return CU_LOCKED(true, launch(f, &a, args, NULL));
}

/* Attributes that say how, not what: the others change nothing in the model. */
static CUresult launch_ex(const CUlaunchConfig *c, CUfunction f, void **args,
                          void **extra)
{
    struct asked a;

    if (c == NULL || (c->numAttrs > 0 && c->attrs == NULL)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    a = (struct asked){dim(c->gridDimX, c->gridDimY, c->gridDimZ),
                       dim(c->blockDimX, c->blockDimY, c->blockDimZ),
                       c->sharedMemBytes,
                       c->hStream,
                       false,
                       {0, 0, 0}};
    for (unsigned i = 0; i < c->numAttrs; i++) {
        const CUlaunchAttributeValue *v = &c->attrs[i].value;

        if (c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) {
            a.cooperative = v->cooperative != 0;
        } else if (c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
            a.cluster = dim(v->clusterDim.x, v->clusterDim.y, v->clusterDim.z);
            if (a.cluster.x == 0 || a.cluster.y == 0 || a.cluster.z == 0) {
                return CUDA_ERROR_INVALID_CLUSTER_SIZE;
            }
        }
    }
    return launch(f, &a, args, extra);
}

RT_API CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f,
                                 void **args, void **extra)
{
    return CU_LOCKED(true, launch_ex(config, f, args, extra));
}

/* ---- attributes ---- */

/* A function of the runtime about kernel f, which is one. */
#define CU_KERNEL(f, call)                                                             \
    (CU_LOCKED(true, check(f)) == CUDA_SUCCESS ? CU_CONTEXT(call)                      \
                                               : CU_LOCKED(true, check(f)))

static cudaError_t get_attribute(int *value, CUfunction_attribute attr, CUfunction f)
{
    struct cudaFuncAttributes a;
    cudaError_t rc =
        value != NULL ? cudaFuncGetAttributes(&a, f) : cudaErrorInvalidValue;

    if (rc != cudaSuccess) {
        return rc;
    }
    switch ((int)attr) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = a.maxThreadsPerBlock; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)a.sharedSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = (int)a.constSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)a.localSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = a.numRegs; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = a.ptxVersion; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = a.binaryVersion; break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: *value = a.cacheModeCA; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = a.maxDynamicSharedSizeBytes;
        break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = a.preferredShmemCarveout;
        break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
        *value = a.clusterDimMustBeSet;
        break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
        *value = a.requiredClusterWidth;
        break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
        *value = a.requiredClusterHeight;
        break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
        *value = a.requiredClusterDepth;
        break;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        *value = a.nonPortableClusterSizeAllowed;
        break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: *value = 0; break;
    default: return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

RT_API CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attr, CUfunction f)
{
    return CU_KERNEL(f, get_attribute(value, attr, f));
}

/* The runtime's numbers of the two that can be set are the same. */
RT_API CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute attr, int value)
{
    return CU_KERNEL(f, cudaFuncSetAttribute(f, (enum cudaFuncAttribute)attr, value));
}

RT_API CUresult cuFuncSetCacheConfig(CUfunction f, CUfunc_cache config)
{
    return CU_KERNEL(f, cudaFuncSetCacheConfig(f, (enum cudaFuncCache)config));
}

RT_API CUresult cuFuncSetSharedMemConfig(CUfunction f, CUsharedconfig config)
{
    return CU_KERNEL(f,
                     cudaFuncSetSharedMemConfig(f, (enum cudaSharedMemConfig)config));
}

RT_API CUresult cuFuncGetName(const char **name, CUfunction f)
{
    return CU_KERNEL(f, cudaFuncGetName(name, f));
}

/* ---- occupancy ---- */

RT_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, CUfunction f, int threads, size_t shared, unsigned flags)
{
    return CU_KERNEL(f, cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                            blocks, f, threads, shared, flags));
}

RT_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction f,
                                                            int threads, size_t shared)
{
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, f, threads,
                                                                shared, 0);
}

/* The runtime's question, of the launch that config describes. */
static cudaError_t clusters(cudaError_t (*question)(int *, const void *,
                                                    const cudaLaunchConfig_t *),
                            int *n, CUfunction f, const CUlaunchConfig *config)
{
    cudaLaunchAttribute shape = {.id = cudaLaunchAttributeClusterDimension};
    cudaLaunchConfig_t c = {0};

    if (config == NULL || (config->numAttrs > 0 && config->attrs == NULL)) {
        return cudaErrorInvalidValue;
    }
    c.gridDim = dim(config->gridDimX, config->gridDimY, config->gridDimZ);
    c.blockDim = dim(config->blockDimX, config->blockDimY, config->blockDimZ);
    c.dynamicSmemBytes = config->sharedMemBytes;
    c.attrs = &shape;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
            shape.val.clusterDim.x = config->attrs[i].value.clusterDim.x;
            shape.val.clusterDim.y = config->attrs[i].value.clusterDim.y;
            shape.val.clusterDim.z = config->attrs[i].value.clusterDim.z;
            c.numAttrs = 1;
        }
    }
    return question(n, f, &c);
}

RT_API CUresult cuOccupancyMaxActiveClusters(int *n, CUfunction f,
                                             const CUlaunchConfig *config)
{
    return CU_KERNEL(f, clusters(cudaOccupancyMaxActiveClusters, n, f, config));
}

RT_API CUresult cuOccupancyMaxPotentialClusterSize(int *size, CUfunction f,
                                                   const CUlaunchConfig *config)
{
    return CU_KERNEL(f,
                     clusters(cudaOccupancyMaxPotentialClusterSize, size, f, config));
}

RT_API CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *shared, CUfunction f,
                                                        int blocks, int threads)
{
    return CU_KERNEL(f, cudaOccupancyAvailableDynamicSMemPerBlock(shared, f, blocks,
                                                                  threads));
}

/* The block of the most threads that an SM holds, the larger of those that tie: from
 * the largest down, whole warps, and the largest itself if it is none. */
static CUresult best_block(int *grid, int *block, CUfunction f, CUoccupancyB2DSize need,
                           size_t shared, int most, unsigned flags)
{
    const int warp = 32;
    int best = 0, best_threads = 0, best_blocks = 0, sms = 0;
    CUdevice device;
    CUresult rc = cuCtxGetDevice(&device);

    if (rc == CUDA_SUCCESS) {
        rc = cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
                                  device);
    }
    for (int threads = most; threads > 0 && rc == CUDA_SUCCESS;
         threads = (threads - 1) / warp * warp) {
        int n;

        rc = cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &n, f, threads, need != NULL ? need(threads) : shared, flags);
        if (rc == CUDA_SUCCESS && n * threads > best) {
            best = n * threads;
            best_threads = threads;
            best_blocks = n;
        }
    }
    if (rc == CUDA_SUCCESS) {
        *block = best_threads;
        *grid = best_blocks * sms;
    }
    return rc;
}

/* limit: 0 means what the kernel can have. */
RT_API CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block,
                                                          CUfunction f,
                                                          CUoccupancyB2DSize need,
                                                          size_t shared, int limit,
                                                          unsigned flags)
{
    int most;
    CUresult rc = cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f);

    if (rc != CUDA_SUCCESS) {
        return rc;
    }
    if (grid == NULL || block == NULL || limit < 0 ||
        (flags & ~(unsigned)CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE) != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    most = limit > 0 && limit < most ? limit : most;
    return best_block(grid, block, f, need, shared, most, flags);
}

RT_API CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction f,
                                                 CUoccupancyB2DSize need, size_t shared,
                                                 int limit)
{
    return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, f, need, shared,
                                                     limit, 0);
}
