/* Nodes that copy and fill memory. */
#include "runtime/copy.h"
#include "runtime/graph.h"

/* ---- copies ---- */

static cudaError_t copy_op(const struct rt_copy *c, struct rt_op *op)
{
    cudaError_t rc = rt_copy_check(c);

    op->kind = RT_OP_COPY;
    op->u.copy = *c;
    return rc;
}

static cudaError_t parms_op(const struct cudaMemcpy3DParms *p, struct rt_op *op)
{
    struct rt_copy c;
    cudaError_t rc = rt_copy_of_parms(p, false, &c);

    return rc == cudaSuccess ? copy_op(&c, op) : rc;
}

static cudaError_t line_op(void *dst, const void *src, size_t count,
                           enum cudaMemcpyKind kind, struct rt_op *op)
{
    struct rt_copy c = rt_copy_line(dst, src, count, kind, false);

    return copy_op(&c, op);
}

static cudaError_t symbol_op(const void *symbol, void *other, size_t count,
                             size_t offset, enum cudaMemcpyKind kind, bool to,
                             struct rt_op *op)
{
    uint64_t at;
    cudaError_t rc = rt_symbol_at(symbol, offset, count, &at);
    void *p;

    if (rc != cudaSuccess) {
        return rc;
    }
    p = (void *)(uintptr_t)at;
    return to ? line_op(p, other, count, kind, op) : line_op(other, p, count, kind, op);
}

static cudaError_t add_parms(cudaGraphNode_t *out, cudaGraph_t g,
                             const cudaGraphNode_t *deps, size_t n,
                             const struct cudaMemcpy3DParms *p)
{
    struct rt_op op;

    return rt_node_add_if(out, g, deps, n, parms_op(p, &op), &op);
}

RT_API cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                          const cudaGraphNode_t *deps, size_t n,
                                          const struct cudaMemcpy3DParms *params)
{
    return RT_CALL(add_parms(node, graph, deps, n, params));
}

static cudaError_t add_line(cudaGraphNode_t *out, cudaGraph_t g,
                            const cudaGraphNode_t *deps, size_t n,
                            const struct rt_copy *c)
{
    struct rt_op op;

    return rt_node_add_if(out, g, deps, n, copy_op(c, &op), &op);
}

RT_API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                            const cudaGraphNode_t *deps, size_t n,
                                            void *dst, const void *src, size_t count,
                                            enum cudaMemcpyKind kind)
{
    struct rt_copy c = rt_copy_line(dst, src, count, kind, false);

    return RT_CALL(add_line(node, graph, deps, n, &c));
}

static cudaError_t add_to(cudaGraphNode_t *out, cudaGraph_t g,
                          const cudaGraphNode_t *deps, size_t n, const void *symbol,
                          const void *src, size_t count, size_t offset,
                          enum cudaMemcpyKind kind)
{
    struct rt_op op;
    cudaError_t rc =
        symbol_op(symbol, (void *)(uintptr_t)src, count, offset, kind, true, &op);

    return rt_node_add_if(out, g, deps, n, rc, &op);
}

RT_API cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node,
                                                  cudaGraph_t graph,
                                                  const cudaGraphNode_t *deps, size_t n,
                                                  const void *symbol, const void *src,
                                                  size_t count, size_t offset,
                                                  enum cudaMemcpyKind kind)
{
    return RT_CALL(add_to(node, graph, deps, n, symbol, src, count, offset, kind));
}

static cudaError_t add_from(cudaGraphNode_t *out, cudaGraph_t g,
                            const cudaGraphNode_t *deps, size_t n, void *dst,
                            const void *symbol, size_t count, size_t offset,
                            enum cudaMemcpyKind kind)
{
    struct rt_op op;
    cudaError_t rc = symbol_op(symbol, dst, count, offset, kind, false, &op);

    return rt_node_add_if(out, g, deps, n, rc, &op);
}

RT_API cudaError_t cudaGraphAddMemcpyNodeFromSymbol(
    cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps, size_t n,
    void *dst, const void *symbol, size_t count, size_t offset,
    enum cudaMemcpyKind kind)
{
    return RT_CALL(add_from(node, graph, deps, n, dst, symbol, count, offset, kind));
}

static cudaError_t get_copy(cudaGraphNode_t node, struct cudaMemcpy3DParms *p)
{
    const struct CUgraphNode_st *x = rt_node_of(node, RT_OP_COPY);

    if (x == NULL || p == NULL) {
        return cudaErrorInvalidValue;
    }
    *p = x->op.u.copy.as_asked;
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
                                                struct cudaMemcpy3DParms *params)
{
    return RT_CALL(get_copy(node, params));
}

static cudaError_t set_parms(struct CUgraphNode_st *x,
                             const struct cudaMemcpy3DParms *p)
{
    struct rt_op op;

    return rt_node_set(x, parms_op(p, &op), &op);
}

static cudaError_t set_line(struct CUgraphNode_st *x, const struct rt_copy *c)
{
    struct rt_op op;

    return rt_node_set(x, copy_op(c, &op), &op);
}

RT_API cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                                const struct cudaMemcpy3DParms *params)
{
    return RT_CALL(set_parms(rt_node_of(node, RT_OP_COPY), params));
}

RT_API cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst,
                                                  const void *src, size_t count,
                                                  enum cudaMemcpyKind kind)
{
    struct rt_copy c = rt_copy_line(dst, src, count, kind, false);

    return RT_CALL(set_line(rt_node_of(node, RT_OP_COPY), &c));
}

/* ---- fills ---- */

static cudaError_t fill_op(const struct cudaMemsetParams *p, struct rt_op *op)
{
    if (p == NULL ||
        (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4) ||
        p->width == 0 || p->height == 0) {
        return cudaErrorInvalidValue;
    }
    op->kind = RT_OP_FILL;
    op->u.fill = (struct rt_fill){
        .dst = (uint64_t)(uintptr_t)p->dst,
        .width = p->width * p->elementSize,
        .height = p->height,
        .pitch = p->height > 1 ? p->pitch : p->width * p->elementSize,
        .value = p->value,
        .value_bytes = p->elementSize,
    };
    return rt_fill_check(&op->u.fill);
}

static cudaError_t add_fill(cudaGraphNode_t *out, cudaGraph_t g,
                            const cudaGraphNode_t *deps, size_t n,
                            const struct cudaMemsetParams *p)
{
    struct rt_op op;
    cudaError_t rc = fill_op(p, &op);

    if (rc == cudaSuccess) {
        rc = rt_node_add(out, g, deps, n, &op);
    }
    if (rc == cudaSuccess) {
        (*out)->fill = *p;
    }
    return rc;
}

RT_API cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                          const cudaGraphNode_t *deps, size_t n,
                                          const struct cudaMemsetParams *params)
{
    return RT_CALL(add_fill(node, graph, deps, n, params));
}

/* Of a recorded cudaMemset() what its operation says. */
static cudaError_t get_fill(cudaGraphNode_t node, struct cudaMemsetParams *p)
{
    const struct CUgraphNode_st *x = rt_node_of(node, RT_OP_FILL);
    const struct rt_fill *f;

    if (x == NULL || p == NULL) {
        return cudaErrorInvalidValue;
    }
    f = &x->op.u.fill;
    *p = (struct cudaMemsetParams){
        (void *)(uintptr_t)f->dst, f->pitch, f->value, f->value_bytes,
        f->width / f->value_bytes, f->height};
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
                                                struct cudaMemsetParams *params)
{
    return RT_CALL(get_fill(node, params));
}

static cudaError_t set_fill(struct CUgraphNode_st *x, const struct cudaMemsetParams *p)
{
    struct rt_op op;

    return rt_node_set(x, fill_op(p, &op), &op);
}

RT_API cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                                const struct cudaMemsetParams *params)
{
    return RT_CALL(set_fill(rt_node_of(node, RT_OP_FILL), params));
}

RT_API cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec,
                                                    cudaGraphNode_t node,
                                                    const struct cudaMemcpy3DParms *p)
{
    return RT_CALL(set_parms(rt_node_of_exec(exec, node, RT_OP_COPY), p));
}

RT_API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec,
                                                      cudaGraphNode_t node, void *dst,
                                                      const void *src, size_t count,
                                                      enum cudaMemcpyKind kind)
{
    struct rt_copy c = rt_copy_line(dst, src, count, kind, false);

    return RT_CALL(set_line(rt_node_of_exec(exec, node, RT_OP_COPY), &c));
}

RT_API cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec,
                                                    cudaGraphNode_t node,
                                                    const struct cudaMemsetParams *p)
{
    return RT_CALL(set_fill(rt_node_of_exec(exec, node, RT_OP_FILL), p));
}
