/* Nodes that launch kernels. */
#include "runtime/graph.h"
#include "runtime/launch.h"
#include "runtime/module.h"
#include <stdlib.h>
#include <string.h>

cudaError_t rt_node_set_kernel(struct CUgraphNode_st *node, const struct rt_launch *l,
                               const void *func)
{
    struct cudaKernelNodeParams *k = &node->kernel;
    struct rt_kernel *kernel;
    struct rt_device *d;
    struct smw_param p;
    uint32_t n;
    cudaError_t rc = rt_current(&d);

    if (rc == cudaSuccess) {
        rc = rt_kernel(d, l->function, NULL, &kernel);
    }
    if (rc != cudaSuccess) {
        return rc;
    }
    n = smw_kernel_params(kernel->kernel);
    free(k->kernelParams);
    memset(k, 0, sizeof(*k));
    k->kernelParams = calloc(n + 1, sizeof(*k->kernelParams));
    if (k->kernelParams == NULL) {
        return cudaErrorMemoryAllocation;
    }
    for (uint32_t i = 0; i < n && smw_kernel_param(kernel->kernel, i, &p); i++) {
        k->kernelParams[i] = (char *)l->params + p.offset;
    }
    k->func = (void *)(uintptr_t)(func == l->function && l->function->host != NULL
                                      ? l->function->host
                                      : func);
    k->gridDim = (struct dim3){l->grid[0], l->grid[1], l->grid[2]};
    k->blockDim = (struct dim3){l->block[0], l->block[1], l->block[2]};
    k->sharedMemBytes = (unsigned)l->shared;
    return cudaSuccess;
}

static cudaError_t kernel_op(const struct cudaKernelNodeParams *p, struct rt_op *op)
{
    struct rt_device *d;
    cudaError_t rc = rt_current(&d);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (p == NULL || (p->extra != NULL && p->kernelParams == NULL)) {
        return cudaErrorInvalidValue;
    }
    op->kind = RT_OP_KERNEL;
    rc = rt_launch_pack(p->func, p->gridDim, p->blockDim, p->kernelParams,
                        p->sharedMemBytes, d, &op->u.launch);
    if (rc != cudaSuccess) {
        return rc;
    }
    for (int i = 0; i < 3; i++) {
        if (op->u.launch.grid[i] == 0 || op->u.launch.block[i] == 0) {
            rt_op_free(op);
            return cudaErrorInvalidConfiguration;
        }
    }
    return cudaSuccess;
}

static cudaError_t add_kernel(cudaGraphNode_t *out, cudaGraph_t g,
                              const cudaGraphNode_t *deps, size_t n,
                              const struct cudaKernelNodeParams *p)
{
    struct rt_op op = {0};
    cudaError_t rc = kernel_op(p, &op);

    if (rc == cudaSuccess) {
        rc = rt_node_add(out, g, deps, n, &op);
        rt_op_free(&op);
    }
    return rc;
}

RT_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                          const cudaGraphNode_t *deps, size_t n,
                                          const struct cudaKernelNodeParams *params)
{
    return RT_CALL(add_kernel(node, graph, deps, n, params));
}

static cudaError_t get_kernel(cudaGraphNode_t node, struct cudaKernelNodeParams *p)
{
    const struct CUgraphNode_st *x = rt_node_of(node, RT_OP_KERNEL);

    if (x == NULL || p == NULL) {
        return cudaErrorInvalidValue;
    }
    *p = x->kernel;
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                                struct cudaKernelNodeParams *params)
{
    return RT_CALL(get_kernel(node, params));
}

/* The operation of x becomes op, which is taken over. */
static cudaError_t replace_kernel(struct CUgraphNode_st *x, struct rt_op *op)
{
    const void *func = op->u.launch.function;

    op->u.launch.cooperative = x->op.u.launch.cooperative;
    rt_op_free(&x->op);
    x->op = *op;
    return rt_node_set_kernel(x, &x->op.u.launch, func);
}

static cudaError_t set_kernel(struct CUgraphNode_st *x,
                              const struct cudaKernelNodeParams *p)
{
    struct rt_op op = {0};
    cudaError_t rc;

    if (x == NULL || p == NULL) {
        return cudaErrorInvalidValue;
    }
    rc = kernel_op(p, &op);
    return rc == cudaSuccess ? replace_kernel(x, &op) : rc;
}

RT_API cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                const struct cudaKernelNodeParams *p)
{
    return RT_CALL(set_kernel(rt_node_of(node, RT_OP_KERNEL), p));
}

static cudaError_t kernel_attribute(cudaGraphNode_t node, cudaLaunchAttributeID attr,
                                    cudaLaunchAttributeValue *out,
                                    const cudaLaunchAttributeValue *in)
{
    struct CUgraphNode_st *x = rt_node_of(node, RT_OP_KERNEL);

    if (x == NULL || (out == NULL && in == NULL)) {
        return cudaErrorInvalidValue;
    }
    if (attr == cudaLaunchAttributeCooperative && in != NULL) {
        x->op.u.launch.cooperative = in->cooperative != 0;
    }
    if (out != NULL) {
        memset(out, 0, sizeof(*out));
        if (attr == cudaLaunchAttributeCooperative) {
            out->cooperative = x->op.u.launch.cooperative;
        }
    }
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node,
                                                   cudaLaunchAttributeID attr,
                                                   cudaLaunchAttributeValue *value)
{
    return RT_CALL(kernel_attribute(node, attr, value, NULL));
}

RT_API cudaError_t
cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attr,
                                const cudaLaunchAttributeValue *value)
{
    return RT_CALL(kernel_attribute(node, attr, NULL, value));
}

RT_API cudaError_t cudaGraphExecKernelNodeSetParams(
    cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaKernelNodeParams *p)
{
    return RT_CALL(set_kernel(rt_node_of_exec(exec, node, RT_OP_KERNEL), p));
}
