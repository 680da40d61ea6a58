#include "runtime/graph.h"
#include <stdlib.h>
#include <string.h>

struct CUgraph_st *rt_graph(cudaGraph_t g)
{
    return rt_handle_find(&rt_process()->handles, RT_GRAPH, g);
}

struct CUgraphNode_st *rt_node(cudaGraphNode_t n)
{
    return rt_handle_find(&rt_process()->handles, RT_NODE, n);
}

struct CUgraphExec_st *rt_exec(cudaGraphExec_t e)
{
    return rt_handle_find(&rt_process()->handles, RT_EXEC, e);
}

struct CUgraph_st *rt_graph_new(bool owned)
{
    struct CUgraph_st *g = calloc(1, sizeof(*g));

    if (g == NULL || !rt_handle_add(&rt_process()->handles, RT_GRAPH, g, g)) {
        free(g);
        return NULL;
    }
    g->owned = owned;
    return g;
}

static void free_node(struct CUgraphNode_st *n)
{
    rt_handle_remove(&rt_process()->handles, RT_NODE, n);
    if (n->op.kind == RT_OP_CHILD) {
        rt_graph_free(n->op.u.child);
    }
    rt_op_free(&n->op);
    free(n->kernel.kernelParams);
    free(n->dep);
    free(n);
}

void rt_graph_free(struct CUgraph_st *g)
{
    if (g == NULL) {
        return;
    }
    rt_objects_release(g);
    for (uint32_t i = 0; i < g->n; i++) {
        free_node(g->node[i]);
    }
    rt_handle_remove(&rt_process()->handles, RT_GRAPH, g);
    free(g->node);
    free(g);
}

/* One more place in a list of nodes; false: out of memory. */
static bool room(cudaGraphNode_t **list, uint32_t n, uint32_t *cap)
{
    uint32_t more = *cap > 0 ? 2 * *cap : 8;
    cudaGraphNode_t *wider;

    if (n < *cap) {
        return true;
    }
    wider = realloc(*list, more * sizeof(*wider));
    if (wider == NULL) {
        return false;
    }
    *list = wider;
    *cap = more;
    return true;
}

cudaError_t rt_node_depend(struct CUgraphNode_st *node, struct CUgraphNode_st *on)
{
    for (uint32_t i = 0; i < node->n_deps; i++) {
        if (node->dep[i] == on) {
            return cudaErrorInvalidValue;
        }
    }
    if (!room(&node->dep, node->n_deps, &node->cap_deps)) {
        return cudaErrorMemoryAllocation;
    }
    node->dep[node->n_deps++] = on;
    return cudaSuccess;
}

static cudaError_t check_deps(const struct CUgraph_st *g, const cudaGraphNode_t *deps,
                              size_t n)
{
    if (n > 0 && deps == NULL) {
        return cudaErrorInvalidValue;
    }
    for (size_t i = 0; i < n; i++) {
        const struct CUgraphNode_st *d = rt_node(deps[i]);

        if (d == NULL || d->graph != g) {
            return cudaErrorInvalidValue;
        }
        for (size_t k = 0; k < i; k++) {
            if (deps[k] == deps[i]) {
                return cudaErrorInvalidValue;
            }
        }
    }
    return cudaSuccess;
}

cudaError_t rt_graph_add(struct CUgraph_st *g, const cudaGraphNode_t *deps, size_t n,
                         const struct rt_op *op, cudaGraphNode_t *out)
{
    struct CUgraphNode_st *x;
    cudaError_t rc = check_deps(g, deps, n);

    if (rc != cudaSuccess) {
        return rc;
    }
    x = calloc(1, sizeof(*x));
    if (x == NULL || !room(&g->node, g->n, &g->cap) || !rt_op_copy(&x->op, op)) {
        free(x);
        return cudaErrorMemoryAllocation;
    }
    x->graph = g;
    x->index = g->n;
    for (size_t i = 0; i < n && rc == cudaSuccess; i++) {
        rc = rt_node_depend(x, deps[i]);
    }
    if (rc == cudaSuccess && !rt_handle_add(&rt_process()->handles, RT_NODE, x, x)) {
        rc = cudaErrorMemoryAllocation;
    }
    if (rc == cudaSuccess && op->kind == RT_OP_KERNEL) {
        rc = rt_node_set_kernel(x, &x->op.u.launch, op->u.launch.function);
    }
    if (rc != cudaSuccess) {
        x->op.kind = x->op.kind == RT_OP_CHILD ? RT_OP_EMPTY : x->op.kind;
        free_node(x);
        return rc;
    }
    g->node[g->n++] = x;
    *out = x;
    return cudaSuccess;
}

static cudaError_t clone_node(struct CUgraph_st *g, const struct CUgraphNode_st *from)
{
    struct rt_op op = from->op;
    struct CUgraphNode_st *x;
    cudaError_t rc = cudaSuccess;

    if (op.kind == RT_OP_CHILD) {
        rc = rt_graph_clone(from->op.u.child, true, &op.u.child);
    }
    if (rc == cudaSuccess) {
        rc = rt_graph_add(g, NULL, 0, &op, &x);
        if (rc != cudaSuccess && op.kind == RT_OP_CHILD) {
            rt_graph_free(op.u.child);
        }
    }
    if (rc != cudaSuccess) {
        return rc;
    }
    x->original = from;
    x->disabled = from->disabled;
    x->fill = from->fill;
    x->alloc = from->alloc;
    return op.kind == RT_OP_KERNEL
               ? rt_node_set_kernel(x, &x->op.u.launch, from->kernel.func)
               : cudaSuccess;
}

cudaError_t rt_graph_clone(const struct CUgraph_st *g, bool owned,
                           struct CUgraph_st **out)
{
    struct CUgraph_st *copy = rt_graph_new(owned);
    cudaError_t rc = copy != NULL ? cudaSuccess : cudaErrorMemoryAllocation;

    for (uint32_t i = 0; i < g->n && rc == cudaSuccess; i++) {
        rc = clone_node(copy, g->node[i]);
    }
    for (uint32_t i = 0; i < g->n && rc == cudaSuccess; i++) {
        const struct CUgraphNode_st *from = g->node[i];

        for (uint32_t k = 0; k < from->n_deps && rc == cudaSuccess; k++) {
            rc = rt_node_depend(copy->node[i], copy->node[from->dep[k]->index]);
        }
    }
    if (rc != cudaSuccess) {
        rt_graph_free(copy);
        return rc;
    }
    copy->original = g;
    *out = copy;
    return cudaSuccess;
}

struct CUgraphNode_st *rt_graph_twin(const struct CUgraph_st *clone,
                                     const struct CUgraphNode_st *original)
{
    for (uint32_t i = 0; i < clone->n; i++) {
        if (clone->node[i]->original == original) {
            return clone->node[i];
        }
    }
    return NULL;
}

enum { NEW, OPEN, DONE };

/* Depth first, without recursion: a chain may be long. */
static bool visit(cudaGraphNode_t first, cudaGraphNode_t *stack, cudaGraphNode_t *order,
                  uint32_t *n)
{
    uint32_t depth = 0;

    stack[depth++] = first;
    while (depth > 0) {
        struct CUgraphNode_st *x = stack[depth - 1];
        struct CUgraphNode_st *next = NULL;

        x->seen = x->seen == NEW ? OPEN : x->seen;
        for (uint32_t i = 0; i < x->n_deps && next == NULL; i++) {
            if (x->dep[i]->seen == OPEN) {
                return false;
            }
            next = x->dep[i]->seen == NEW ? x->dep[i] : NULL;
        }
        if (next != NULL) {
            stack[depth++] = next;
            continue;
        }
        depth--;
        x->seen = DONE;
        order[(*n)++] = x;
    }
    return true;
}

bool rt_graph_order(const struct CUgraph_st *g, cudaGraphNode_t *order)
{
    cudaGraphNode_t *stack = calloc(g->n + 1, sizeof(*stack));
    uint32_t n = 0;
    bool ok = stack != NULL;

    for (uint32_t i = 0; i < g->n; i++) {
        g->node[i]->seen = NEW;
    }
    for (uint32_t i = 0; i < g->n && ok; i++) {
        if (g->node[i]->seen == NEW) {
            ok = visit(g->node[i], stack, order, &n);
        }
    }
    free(stack);
    return ok;
}

/* ---- calls: graphs as wholes ---- */

static cudaError_t create(cudaGraph_t *out, unsigned flags)
{
    cudaError_t rc = rt_start();

    if (rc != cudaSuccess) {
        return rc;
    }
    if (out == NULL || flags != 0) {
        return cudaErrorInvalidValue;
    }
    *out = rt_graph_new(false);
    return *out != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
}

RT_API cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
    return RT_CALL(create(graph, flags));
}

static cudaError_t destroy(cudaGraph_t handle)
{
    struct CUgraph_st *g = rt_graph(handle);

    if (g == NULL || g->owned) {
        return cudaErrorInvalidValue;
    }
    rt_graph_free(g);
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    return RT_CALL(destroy(graph));
}

static cudaError_t clone(cudaGraph_t *out, cudaGraph_t handle)
{
    const struct CUgraph_st *g = rt_graph(handle);

    return out == NULL || g == NULL ? cudaErrorInvalidValue
                                    : rt_graph_clone(g, false, out);
}

RT_API cudaError_t cudaGraphClone(cudaGraph_t *out, cudaGraph_t graph)
{
    return RT_CALL(clone(out, graph));
}

static cudaError_t find_in_clone(cudaGraphNode_t *out, cudaGraphNode_t original,
                                 cudaGraph_t handle)
{
    const struct CUgraph_st *g = rt_graph(handle);
    struct CUgraphNode_st *x;

    if (out == NULL || g == NULL || rt_node(original) == NULL) {
        return cudaErrorInvalidValue;
    }
    x = rt_graph_twin(g, original);
    if (x == NULL) {
        return cudaErrorInvalidValue;
    }
    *out = x;
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node,
                                            cudaGraphNode_t original, cudaGraph_t clone)
{
    return RT_CALL(find_in_clone(node, original, clone));
}

/* Nodes that come after it lose the dependency. */
static cudaError_t destroy_node(cudaGraphNode_t handle)
{
    struct CUgraphNode_st *x = rt_node(handle);
    struct CUgraph_st *g;

    if (x == NULL) {
        return cudaErrorInvalidValue;
    }
    g = x->graph;
    for (uint32_t i = 0; i < g->n; i++) {
        struct CUgraphNode_st *y = g->node[i];
        uint32_t kept = 0;

        for (uint32_t k = 0; k < y->n_deps; k++) {
            if (y->dep[k] != x) {
                y->dep[kept++] = y->dep[k];
            }
        }
        y->n_deps = kept;
    }
    memmove(&g->node[x->index], &g->node[x->index + 1],
            (g->n - x->index - 1) * sizeof(*g->node));
    g->n--;
    for (uint32_t i = x->index; i < g->n; i++) {
        g->node[i]->index = i;
    }
    free_node(x);
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
    return RT_CALL(destroy_node(node));
}
