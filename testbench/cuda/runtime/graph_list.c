/* What is in a graph: nodes, edges, kinds, and the picture of it. */
#include "runtime/graph.h"
#include <stdio.h>

static const struct {
    enum cudaGraphNodeType type;
    const char *name;
} kinds[] = {
    [RT_OP_EMPTY] = {cudaGraphNodeTypeEmpty, "empty"},
    [RT_OP_KERNEL] = {cudaGraphNodeTypeKernel, "kernel"},
    [RT_OP_COPY] = {cudaGraphNodeTypeMemcpy, "memcpy"},
    [RT_OP_FILL] = {cudaGraphNodeTypeMemset, "memset"},
    [RT_OP_HOST] = {cudaGraphNodeTypeHost, "host"},
    [RT_OP_RECORD] = {cudaGraphNodeTypeEventRecord, "event record"},
    [RT_OP_WAIT] = {cudaGraphNodeTypeWaitEvent, "event wait"},
    [RT_OP_CHILD] = {cudaGraphNodeTypeGraph, "graph"},
    [RT_OP_ALLOC] = {cudaGraphNodeTypeMemAlloc, "alloc"},
    [RT_OP_RELEASE] = {cudaGraphNodeTypeMemFree, "free"},
};

static cudaError_t node_type(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    const struct CUgraphNode_st *x = rt_node(node);

    if (x == NULL || type == NULL) {
        return cudaErrorInvalidValue;
    }
    *type = kinds[x->op.kind].type;
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node,
                                        enum cudaGraphNodeType *type)
{
    return RT_CALL(node_type(node, type));
}

/* A list that the program gives: room for *n entries, or NULL to ask for the number.
 * Entries that are not used become NULL. */
struct list {
    cudaGraphNode_t *out, *other; /* other: the second list of edges, or NULL */
    size_t room, n;
};

static void put(struct list *l, cudaGraphNode_t a, cudaGraphNode_t b)
{
    if (l->out != NULL && l->n < l->room) {
        l->out[l->n] = a;
        if (l->other != NULL) {
            l->other[l->n] = b;
        }
    }
    l->n++;
}

static cudaError_t end_list(const struct list *l, size_t *n)
{
    if (l->out != NULL) {
        for (size_t i = l->n; i < l->room; i++) {
            l->out[i] = NULL;
            if (l->other != NULL) {
                l->other[i] = NULL;
            }
        }
        *n = l->n < l->room ? l->n : l->room;
    } else {
        *n = l->n;
    }
    return cudaSuccess;
}

static cudaError_t get_nodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *n,
                             bool roots)
{
    const struct CUgraph_st *g = rt_graph(graph);
    struct list l = {.out = nodes};

    if (g == NULL || n == NULL) {
        return cudaErrorInvalidValue;
    }
    l.room = *n;
    for (uint32_t i = 0; i < g->n; i++) {
        if (!roots || g->node[i]->n_deps == 0) {
            put(&l, g->node[i], NULL);
        }
    }
    return end_list(&l, n);
}

RT_API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                                     size_t *n)
{
    return RT_CALL(get_nodes(graph, nodes, n, false));
}

RT_API cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                                         size_t *n)
{
    return RT_CALL(get_nodes(graph, nodes, n, true));
}

static cudaError_t get_edges(cudaGraph_t graph, cudaGraphNode_t *from,
                             cudaGraphNode_t *to, size_t *n)
{
    const struct CUgraph_st *g = rt_graph(graph);
    struct list l = {.out = from, .other = to};

    if (g == NULL || n == NULL || (from == NULL) != (to == NULL)) {
        return cudaErrorInvalidValue;
    }
    l.room = *n;
    for (uint32_t i = 0; i < g->n; i++) {
        for (uint32_t k = 0; k < g->node[i]->n_deps; k++) {
            put(&l, g->node[i]->dep[k], g->node[i]);
        }
    }
    return end_list(&l, n);
}

RT_API cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                                     cudaGraphNode_t *to, size_t *n)
{
    return RT_CALL(get_edges(graph, from, to, n));
}

static cudaError_t get_dependencies(cudaGraphNode_t node, cudaGraphNode_t *deps,
                                    size_t *n)
{
    const struct CUgraphNode_st *x = rt_node(node);
    struct list l = {.out = deps};

    if (x == NULL || n == NULL) {
        return cudaErrorInvalidValue;
    }
    l.room = *n;
    for (uint32_t k = 0; k < x->n_deps; k++) {
        put(&l, x->dep[k], NULL);
    }
    return end_list(&l, n);
}

RT_API cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                                cudaGraphNode_t *deps, size_t *n)
{
    return RT_CALL(get_dependencies(node, deps, n));
}

static cudaError_t get_dependents(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                  size_t *n)
{
    const struct CUgraphNode_st *x = rt_node(node);
    struct list l = {.out = nodes};

    if (x == NULL || n == NULL) {
        return cudaErrorInvalidValue;
    }
    l.room = *n;
    for (uint32_t i = 0; i < x->graph->n; i++) {
        struct CUgraphNode_st *y = x->graph->node[i];

        for (uint32_t k = 0; k < y->n_deps; k++) {
            if (y->dep[k] == x) {
                put(&l, y, NULL);
            }
        }
    }
    return end_list(&l, n);
}

RT_API cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                                  cudaGraphNode_t *nodes, size_t *n)
{
    return RT_CALL(get_dependents(node, nodes, n));
}

/* ---- edges are added and taken away ---- */

static bool depends(const struct CUgraphNode_st *node, const struct CUgraphNode_st *on,
                    uint32_t *which)
{
    for (uint32_t k = 0; k < node->n_deps; k++) {
        if (node->dep[k] == on) {
            *which = k;
            return true;
        }
    }
    return false;
}

static cudaError_t change_edges(cudaGraph_t graph, const cudaGraphNode_t *from,
                                const cudaGraphNode_t *to, size_t n, bool add)
{
    const struct CUgraph_st *g = rt_graph(graph);
    cudaError_t rc = cudaSuccess;
    uint32_t k = 0;

    if (g == NULL || (n > 0 && (from == NULL || to == NULL))) {
        return cudaErrorInvalidValue;
    }
    for (size_t i = 0; i < n && rc == cudaSuccess; i++) {
        struct CUgraphNode_st *a = rt_node(from[i]), *b = rt_node(to[i]);

        if (a == NULL || b == NULL || a == b || a->graph != g || b->graph != g ||
            depends(b, a, &k) == add) {
            return cudaErrorInvalidValue;
        }
        if (add) {
            rc = rt_node_depend(b, a);
        } else {
            b->dep[k] = b->dep[--b->n_deps];
        }
    }
    return rc;
}

RT_API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
                                            const cudaGraphNode_t *from,
                                            const cudaGraphNode_t *to, size_t n)
{
    return RT_CALL(change_edges(graph, from, to, n, true));
}

RT_API cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph,
                                               const cudaGraphNode_t *from,
                                               const cudaGraphNode_t *to, size_t n)
{
    return RT_CALL(change_edges(graph, from, to, n, false));
}

/* ---- a picture for graphviz ---- */

static cudaError_t print_dot(cudaGraph_t graph, const char *path)
{
    const struct CUgraph_st *g = rt_graph(graph);
    bool whole;
    FILE *f;

    if (g == NULL || path == NULL) {
        return cudaErrorInvalidValue;
    }
    f = fopen(path, "w");
    if (f == NULL) {
        rt_say("cudaGraphDebugDotPrint: %s cannot be written", path);
        return cudaErrorOperatingSystem;
    }
    fprintf(f, "digraph cuda_graph {\n");
    for (uint32_t i = 0; i < g->n; i++) {
        const struct CUgraphNode_st *x = g->node[i];

        fprintf(f, "    n%u [label=\"%u %s\"];\n", i, i, kinds[x->op.kind].name);
        for (uint32_t k = 0; k < x->n_deps; k++) {
            fprintf(f, "    n%u -> n%u;\n", x->dep[k]->index, i);
        }
    }
    fprintf(f, "}\n");
    whole = !ferror(f);
    return fclose(f) == 0 && whole ? cudaSuccess : cudaErrorOperatingSystem;
}

RT_API cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path,
                                          unsigned flags)
{
    (void)flags;
    return RT_CALL(print_dot(graph, path));
}
