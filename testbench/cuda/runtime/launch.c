/* Kernels: from the arguments of a call to a launch of the model. */
#include "runtime/launch.h"
#include "runtime/module.h"
#include "runtime/per_thread.h"
#include <stdlib.h>
#include <string.h>

cudaError_t rt_launch_pack(const void *func, struct dim3 grid, struct dim3 block,
                           void **args, size_t shared, struct rt_device *d,
                           struct rt_launch *out)
{
    struct smw_kernel_facts facts;
    struct smw_param p;
    struct rt_kernel *k;
    struct rt_launch l = {
        .grid = {grid.x, grid.y, grid.z},
        .block = {block.x, block.y, block.z},
        .shared = shared,
    };
    cudaError_t rc = rt_kernel(d, func, &l.function, &k);

    if (rc != cudaSuccess) {
        return rc;
    }
    smw_kernel_facts(k->kernel, &facts);
    l.param_bytes = (uint32_t)facts.param_bytes;
    if (l.param_bytes > 0 && args == NULL) {
        return cudaErrorInvalidValue;
    }
    l.params = calloc(1, l.param_bytes > 0 ? l.param_bytes : 1);
    if (l.params == NULL) {
        return cudaErrorMemoryAllocation;
    }
    for (uint32_t i = 0; i < smw_kernel_params(k->kernel); i++) {
        if (!smw_kernel_param(k->kernel, i, &p)) {
            break;
        }
        if (args[i] == NULL) {
            free(l.params);
            return cudaErrorInvalidValue;
        }
        memcpy((char *)l.params + p.offset, args[i], p.size);
    }
    *out = l;
    return cudaSuccess;
}

/* Blocks of a cluster that every device of 9.0 or later can have, or that the program
 * has allowed for this kernel. */
static uint64_t portable_blocks(const struct rt_kernel *k)
{
    return k->any_cluster ? UINT64_MAX : 8;
}

/* What the runtime itself refuses: the attribute that allows more than 48 KiB of
 * dynamic shared memory, and blocks of a cooperative launch that do not fit at once. */
static cudaError_t check(struct rt_device *d, const struct rt_kernel *k,
                         const struct rt_launch *l, const struct smw_launch *m)
{
    struct smw_kernel_facts facts;
    const uint32_t *cluster = l->cluster[0] != 0 ? l->cluster : facts.cluster;
    struct smw_err e = {0};
    uint32_t blocks;
    uint64_t room;

    smw_kernel_facts(k->kernel, &facts);
    room = d->facts.shared_per_block > facts.static_shared
               ? d->facts.shared_per_block - facts.static_shared
               : 0;
    if (l->shared > (k->max_dynamic >= 0 ? (uint64_t)k->max_dynamic : room) &&
        l->shared > room) {
        return cudaErrorInvalidValue;
    }
    if (portable_blocks(k) < (uint64_t)cluster[0] * cluster[1] * cluster[2]) {
        return cudaErrorInvalidClusterSize;
    }
    if (!l->cooperative) {
        return cudaSuccess;
    }
    if (!smw_occupancy(k->kernel, m, &blocks, &e)) {
        return rt_error_of(e.code);
    }
    return (uint64_t)l->grid[0] * l->grid[1] * l->grid[2] >
                   (uint64_t)blocks * d->facts.sms
               ? cudaErrorCooperativeLaunchTooLarge
               : cudaSuccess;
}

static struct smw_launch launch_of(const struct CUstream_st *s,
                                   const struct rt_kernel *k, const struct rt_launch *l)
{
    return (struct smw_launch){
        .grid = {l->grid[0], l->grid[1], l->grid[2]},
        .block = {l->block[0], l->block[1], l->block[2]},
        .shared = l->shared,
        .params = l->params,
        .param_bytes = l->param_bytes,
        .cache_config = k->cache,
        .opt_in_shared = k->max_dynamic >= 0,
        .has_carveout = k->carveout >= 0,
        .carveout = k->carveout >= 0 ? (uint32_t)k->carveout : 0,
        .bank_mode = k->bank_mode,
        .stream = s->id,
        .cooperative = l->cooperative,
        .cluster = {l->cluster[0], l->cluster[1], l->cluster[2]},
    };
}

static void tell_queued(const struct rt_launch_seen *seen)
{
    struct rt *rt = rt_process();

    for (uint32_t o = 0; o < rt->n_observers; o++) {
        if (rt->observer[o].launch_queued != NULL) {
            rt->observer[o].launch_queued(rt->observer[o].ctx, seen);
        }
    }
}

static void tell_issued(const struct rt_launch_seen *seen)
{
    struct rt *rt = rt_process();

    for (uint32_t o = 0; o < rt->n_observers; o++) {
        if (rt->observer[o].launch_issued != NULL) {
            rt->observer[o].launch_issued(rt->observer[o].ctx, seen);
        }
    }
}

/* Code is brought to the device when it is launched first. */
static void call_first(const struct rt_device *d, const struct rt_function *f,
                       struct rt_kernel *k)
{
    struct rt_loaded *in = &f->in->on[rt_device_index(d)];

    if (!in->launched) {
        smw_host_call(d->dev, SMW_HOST_MODULE);
    } else if (!k->launched) {
        smw_host_call(d->dev, SMW_HOST_FIRST);
    }
    in->launched = k->launched = true;
}

cudaError_t rt_launch_issue(struct CUstream_st *s, const struct rt_launch *l)
{
    struct rt *rt = rt_process();
    struct rt_device *d = rt_stream_device(s);
    struct smw_err e = {0};
    struct smw_launch m;
    struct rt_kernel *k;
    struct rt_launch_note note;
    struct rt_launch_seen seen;
    cudaError_t rc = rt_kernel(d, l->function, NULL, &k);

    if (rc != cudaSuccess) {
        return rc;
    }
    m = launch_of(s, k, l);
    rc = check(d, k, l, &m);
    if (rc == cudaSuccess) {
        rc = rt_managed_to(d);
    }
    if (rc == cudaSuccess) {
        rc = rt_order(s);
    }
    if (rc != cudaSuccess) {
        return rc;
    }
    if (!smw_can_run(k->kernel, &e)) {
        rt_say_error(smw_kernel_name(k->kernel), &e);
        return e.code == SMW_CODE_NONE ? cudaErrorInvalidPtx : rt_error_of(e.code);
    }
    note = (struct rt_launch_note){
        .number = rt->n_launches + 1,
        .timed = rt_settings_timed(&rt->settings, rt->n_launches + 1),
        .module = l->function->in->on[rt_device_index(d)].module,
        .kernel = k->kernel,
    };
    m.functional = !note.timed;
    seen = (struct rt_launch_seen){
        .device = rt_device_index(d),
        .number = note.number,
        .result = d->n_results,
        .timed = note.timed,
        .on = d->dev,
        .module = note.module,
        .kernel = note.kernel,
        .launch = &m,
    };
    if (!rt_note_launch(d, &note)) {
        return cudaErrorMemoryAllocation;
    }
    call_first(d, l->function, k);
    tell_queued(&seen);
    if (!smw_launch(d->dev, k->kernel, &m, &e)) {
        d->n_results--;
        return rt_ran(d, false, &e, smw_kernel_name(k->kernel));
    }
    rt->n_launches++;
    tell_issued(&seen);
    if (rt->host_memory) {
        rt_background();
    }
    return cudaSuccess;
}

cudaError_t rt_launch(const void *func, struct dim3 grid, struct dim3 block,
                      void **args, size_t shared, cudaStream_t stream, bool cooperative)
{
    const struct dim3 none = {0, 0, 0};

    return rt_launch_clusters(func, grid, block, args, shared, stream, cooperative,
                              none);
}

cudaError_t rt_launch_clusters(const void *func, struct dim3 grid, struct dim3 block,
                               void **args, size_t shared, cudaStream_t stream,
                               bool cooperative, struct dim3 cluster)
{
    struct rt_op op = {.kind = RT_OP_KERNEL};
    struct CUstream_st *s;
    cudaError_t rc = rt_stream(stream, &s);

    if (rc == cudaSuccess) {
        rc = rt_launch_pack(func, grid, block, args, shared, rt_stream_device(s),
                            &op.u.launch);
    }
    if (rc != cudaSuccess) {
        return rc;
    }
    op.u.launch.cooperative = cooperative;
    op.u.launch.cluster[0] = cluster.x;
    op.u.launch.cluster[1] = cluster.y;
    op.u.launch.cluster[2] = cluster.z;
    rc = rt_submit(s, &op);
    rt_op_free(&op);
    return rc;
}

/* ---- calls ---- */

RT_API unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block,
                                            size_t shared, void *stream)
{
    struct rt_thread *t = rt_thread();

    if (t->n_pushed == RT_PUSHED) {
        return 1;
    }
    t->pushed[t->n_pushed++] = (struct rt_pushed){grid, block, shared, stream};
    return 0;
}

RT_API unsigned smwavePushCallConfiguration_ptsz(struct dim3 grid, struct dim3 block,
                                                 size_t shared, void *stream)
{
    return __cudaPushCallConfiguration(grid, block, shared, rt_per_thread(stream));
}

RT_API cudaError_t __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block,
                                              size_t *shared, void *stream)
{
    struct rt_thread *t = rt_thread();
    const struct rt_pushed *p;

    if (t->n_pushed == 0) {
        return rt_note(cudaErrorMissingConfiguration);
    }
    p = &t->pushed[--t->n_pushed];
    *grid = p->grid;
    *block = p->block;
    *shared = p->shared;
    memcpy(stream, &p->stream, sizeof(p->stream));
    return cudaSuccess;
}

RT_API cudaError_t cudaLaunchKernel(const void *func, struct dim3 grid,
                                    struct dim3 block, void **args, size_t shared,
                                    cudaStream_t s)
{
    return RT_CALL(rt_launch(func, grid, block, args, shared, s, false));
}

RT_API cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, struct dim3 grid,
                                      struct dim3 block, void **args, size_t shared,
                                      cudaStream_t s)
{
    return RT_CALL(rt_launch(kernel, grid, block, args, shared, s, false));
}

RT_API cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, struct dim3 grid,
                                           struct dim3 block, void **args,
                                           size_t shared, cudaStream_t s)
{
    return RT_CALL(
        rt_launch(kernel, grid, block, args, shared, rt_per_thread(s), false));
}

RT_API cudaError_t cudaLaunchCooperativeKernel(const void *func, struct dim3 grid,
                                               struct dim3 block, void **args,
                                               size_t shared, cudaStream_t s)
{
    return RT_CALL(rt_launch(func, grid, block, args, shared, s, true));
}

/* Attributes that say how, not what: the others change nothing in the model. */
static cudaError_t launch_ex(const cudaLaunchConfig_t *c, const void *func, void **args)
{
    bool cooperative = false;
    struct dim3 cluster = {0, 0, 0};

    if (c == NULL || (c->numAttrs > 0 && c->attrs == NULL)) {
        return cudaErrorInvalidValue;
    }
    for (unsigned i = 0; i < c->numAttrs; i++) {
        const cudaLaunchAttribute *a = &c->attrs[i];

        if (a->id == cudaLaunchAttributeCooperative) {
            cooperative = a->val.cooperative != 0;
        } else if (a->id == cudaLaunchAttributeClusterDimension) {
            cluster.x = a->val.clusterDim.x;
            cluster.y = a->val.clusterDim.y;
            cluster.z = a->val.clusterDim.z;
            if (cluster.x == 0 || cluster.y == 0 || cluster.z == 0) {
                return cudaErrorInvalidClusterSize;
            }
        }
    }
    if (c->gridDim.x == 0 && c->gridDim.y == 0 && c->gridDim.z == 0) {
        return cudaSuccess; /* no block: nothing to do, seen on an H100 */
    }
    return rt_launch_clusters(func, c->gridDim, c->blockDim, args, c->dynamicSmemBytes,
                              c->stream, cooperative, cluster);
}

RT_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                       const void *func, void **args)
{
    return RT_CALL(launch_ex(config, func, args));
}

RT_API cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config,
                                            const void *func, void **args)
{
    cudaLaunchConfig_t c;

    if (config == NULL) {
        return rt_note(cudaErrorInvalidValue);
    }
    c = *config;
    c.stream = rt_per_thread(c.stream);
    return RT_CALL(launch_ex(&c, func, args));
}

static cudaError_t launch_list(const struct cudaLaunchParams *list, unsigned n)
{
    cudaError_t rc = list == NULL || n == 0 ? cudaErrorInvalidValue : cudaSuccess;

    for (unsigned i = 0; i < n && rc == cudaSuccess; i++) {
        rc = rt_launch(list[i].func, list[i].gridDim, list[i].blockDim, list[i].args,
                       list[i].sharedMem, list[i].stream, true);
    }
    return rc;
}

RT_API cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *list,
                                                          unsigned devices,
                                                          unsigned flags)
{
    (void)flags;
    return RT_CALL(launch_list(list, devices));
}
