/* Nodes: what all kinds have in common; calls of the host, graphs in graphs, events. */
#include "runtime/event.h"
#include "runtime/graph.h"

cudaError_t rt_node_add(cudaGraphNode_t *out, cudaGraph_t handle,
                        const cudaGraphNode_t *deps, size_t n, const struct rt_op *op)
{
    struct CUgraph_st *g = rt_graph(handle);

    return out == NULL || g == NULL ? cudaErrorInvalidValue
                                    : rt_graph_add(g, deps, n, op, out);
}

cudaError_t rt_node_add_if(cudaGraphNode_t *out, cudaGraph_t g,
                           const cudaGraphNode_t *deps, size_t n, cudaError_t rc,
                           const struct rt_op *op)
{
    return rc == cudaSuccess ? rt_node_add(out, g, deps, n, op) : rc;
}

/* A node of that kind, or NULL. */
struct CUgraphNode_st *rt_node_of(cudaGraphNode_t handle, enum rt_op_kind kind)
{
    struct CUgraphNode_st *x = rt_node(handle);

    return x != NULL && x->op.kind == kind ? x : NULL;
}

cudaError_t rt_node_set(struct CUgraphNode_st *x, cudaError_t rc,
                        const struct rt_op *op)
{
    if (x == NULL) {
        return cudaErrorInvalidValue;
    }
    if (rc == cudaSuccess) {
        x->op = *op;
    }
    return rc;
}

struct CUgraphNode_st *rt_node_of_exec(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       enum rt_op_kind kind)
{
    const struct CUgraphExec_st *e = rt_exec(exec);
    struct CUgraphNode_st *x =
        e != NULL && rt_node(node) != NULL ? rt_graph_twin(e->graph, node) : NULL;

    return x != NULL && x->op.kind == kind ? x : NULL;
}

/* ---- calls of the host ---- */

static cudaError_t host_op(const struct cudaHostNodeParams *p, struct rt_op *op)
{
    if (p == NULL || p->fn == NULL) {
        return cudaErrorInvalidValue;
    }
    op->kind = RT_OP_HOST;
    op->u.host = (struct rt_host_call){.fn = p->fn, .arg = p->userData};
    return cudaSuccess;
}

static cudaError_t add_host(cudaGraphNode_t *out, cudaGraph_t g,
                            const cudaGraphNode_t *deps, size_t n,
                            const struct cudaHostNodeParams *p)
{
    struct rt_op op;

    return rt_node_add_if(out, g, deps, n, host_op(p, &op), &op);
}

RT_API cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                        const cudaGraphNode_t *deps, size_t n,
                                        const struct cudaHostNodeParams *params)
{
    return RT_CALL(add_host(node, graph, deps, n, params));
}

static cudaError_t get_host(cudaGraphNode_t node, struct cudaHostNodeParams *p)
{
    const struct CUgraphNode_st *x = rt_node_of(node, RT_OP_HOST);

    if (x == NULL || p == NULL) {
        return cudaErrorInvalidValue;
    }
    p->fn = x->op.u.host.fn;
    p->userData = x->op.u.host.arg;
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node,
                                              struct cudaHostNodeParams *params)
{
    return RT_CALL(get_host(node, params));
}

static cudaError_t set_host(struct CUgraphNode_st *x,
                            const struct cudaHostNodeParams *p)
{
    struct rt_op op;

    return rt_node_set(x, host_op(p, &op), &op);
}

RT_API cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                              const struct cudaHostNodeParams *params)
{
    return RT_CALL(set_host(rt_node_of(node, RT_OP_HOST), params));
}

/* ---- graphs, nothing, events ---- */

static cudaError_t add_child(cudaGraphNode_t *out, cudaGraph_t g,
                             const cudaGraphNode_t *deps, size_t n, cudaGraph_t child)
{
    struct rt_op op = {.kind = RT_OP_CHILD};
    cudaError_t rc;

    if (rt_graph(child) == NULL) {
        return cudaErrorInvalidValue;
    }
    rc = rt_graph_clone(child, true, &op.u.child);
    if (rc != cudaSuccess) {
        return rc;
    }
    rc = rt_node_add(out, g, deps, n, &op);
    if (rc != cudaSuccess) {
        rt_graph_free(op.u.child);
    }
    return rc;
}

RT_API cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                              const cudaGraphNode_t *deps, size_t n,
                                              cudaGraph_t child)
{
    return RT_CALL(add_child(node, graph, deps, n, child));
}

static cudaError_t get_child(cudaGraphNode_t node, cudaGraph_t *out)
{
    const struct CUgraphNode_st *x = rt_node_of(node, RT_OP_CHILD);

    if (x == NULL || out == NULL) {
        return cudaErrorInvalidValue;
    }
    *out = x->op.u.child;
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node,
                                                   cudaGraph_t *graph)
{
    return RT_CALL(get_child(node, graph));
}

RT_API cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                         const cudaGraphNode_t *deps, size_t n)
{
    struct rt_op op = {.kind = RT_OP_EMPTY};

    return RT_CALL(rt_node_add(node, graph, deps, n, &op));
}

static cudaError_t event_op(enum rt_op_kind kind, cudaEvent_t event, struct rt_op *op)
{
    op->kind = kind;
    op->u.event = event;
    return rt_event(event) != NULL ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t add_event(cudaGraphNode_t *out, cudaGraph_t g,
                             const cudaGraphNode_t *deps, size_t n,
                             enum rt_op_kind kind, cudaEvent_t event)
{
    struct rt_op op;

    return rt_node_add_if(out, g, deps, n, event_op(kind, event, &op), &op);
}

RT_API cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                               const cudaGraphNode_t *deps, size_t n,
                                               cudaEvent_t event)
{
    return RT_CALL(add_event(node, graph, deps, n, RT_OP_RECORD, event));
}

RT_API cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                             const cudaGraphNode_t *deps, size_t n,
                                             cudaEvent_t event)
{
    return RT_CALL(add_event(node, graph, deps, n, RT_OP_WAIT, event));
}

static cudaError_t get_event(cudaGraphNode_t node, enum rt_op_kind kind,
                             cudaEvent_t *event)
{
    const struct CUgraphNode_st *x = rt_node_of(node, kind);

    if (x == NULL || event == NULL) {
        return cudaErrorInvalidValue;
    }
    *event = x->op.u.event;
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node,
                                                    cudaEvent_t *event)
{
    return RT_CALL(get_event(node, RT_OP_RECORD, event));
}

RT_API cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node,
                                                  cudaEvent_t *event)
{
    return RT_CALL(get_event(node, RT_OP_WAIT, event));
}

static cudaError_t set_event(struct CUgraphNode_st *x, enum rt_op_kind kind,
                             cudaEvent_t event)
{
    struct rt_op op;

    return rt_node_set(x, event_op(kind, event, &op), &op);
}

RT_API cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node,
                                                    cudaEvent_t event)
{
    return RT_CALL(set_event(rt_node_of(node, RT_OP_RECORD), RT_OP_RECORD, event));
}

RT_API cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node,
                                                  cudaEvent_t event)
{
    return RT_CALL(set_event(rt_node_of(node, RT_OP_WAIT), RT_OP_WAIT, event));
}

/* ---- the same of executable graphs, by the node they were made from ---- */

RT_API cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec,
                                                  cudaGraphNode_t node,
                                                  const struct cudaHostNodeParams *p)
{
    return RT_CALL(set_host(rt_node_of_exec(exec, node, RT_OP_HOST), p));
}

RT_API cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec,
                                                        cudaGraphNode_t node,
                                                        cudaEvent_t event)
{
    return RT_CALL(
        set_event(rt_node_of_exec(exec, node, RT_OP_RECORD), RT_OP_RECORD, event));
}

RT_API cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec,
                                                      cudaGraphNode_t node,
                                                      cudaEvent_t event)
{
    return RT_CALL(
        set_event(rt_node_of_exec(exec, node, RT_OP_WAIT), RT_OP_WAIT, event));
}

static cudaError_t set_child(struct CUgraphNode_st *x, cudaGraph_t child)
{
    struct CUgraph_st *copy;
    cudaError_t rc;

    if (x == NULL || rt_graph(child) == NULL) {
        return cudaErrorInvalidValue;
    }
    rc = rt_graph_clone(child, true, &copy);
    if (rc == cudaSuccess) {
        rt_graph_free(x->op.u.child);
        x->op.u.child = copy;
    }
    return rc;
}

RT_API cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec,
                                                        cudaGraphNode_t node,
                                                        cudaGraph_t child)
{
    return RT_CALL(set_child(rt_node_of_exec(exec, node, RT_OP_CHILD), child));
}

static cudaError_t enable(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int *out,
                          const unsigned int *in)
{
    const struct CUgraphExec_st *e = rt_exec(exec);
    struct CUgraphNode_st *x =
        e != NULL && rt_node(node) != NULL ? rt_graph_twin(e->graph, node) : NULL;

    if (x == NULL || (out == NULL && in == NULL) ||
        (x->op.kind != RT_OP_KERNEL && x->op.kind != RT_OP_COPY &&
         x->op.kind != RT_OP_FILL)) {
        return cudaErrorInvalidValue;
    }
    if (in != NULL) {
        x->disabled = *in == 0;
    } else {
        *out = !x->disabled;
    }
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           unsigned int enabled)
{
    return RT_CALL(enable(exec, node, NULL, &enabled));
}

RT_API cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           unsigned int *enabled)
{
    return RT_CALL(enable(exec, node, enabled, NULL));
}
