/*
 * graph.h - graphs: operations with an order, kept to be launched again and again. A
 * launch puts them into a stream one after the other, in an order that keeps every
 * dependency.
 */
#ifndef RUNTIME_GRAPH_H
#define RUNTIME_GRAPH_H

#include "runtime/op.h"

struct CUgraphNode_st {
    struct CUgraph_st *graph;
    struct rt_op op;
    cudaGraphNode_t *dep; /* what runs before it, of the same graph */
    uint32_t n_deps, cap_deps;
    const struct CUgraphNode_st *original; /* what it was cloned from; never followed */
    bool disabled;  /* of an executable graph: its operation is left out */
    uint32_t index; /* in the graph's list */
    uint32_t seen;  /* by walks over the graph */
    /* as the program gave them, for cudaGraph...GetParams(); kernels' arguments point
     * into the parameter block */
    struct cudaKernelNodeParams kernel;
    struct cudaMemsetParams fill;
    struct cudaMemAllocNodeParams alloc;
};

struct CUgraph_st {
    cudaGraphNode_t *node; /* in the order they were added */
    uint32_t n, cap;
    bool owned; /* by a node or an executable graph: no handle of its own */
    struct rt_object_ref *objects; /* user objects it keeps */
    const struct CUgraph_st *original;
};

struct CUgraphExec_st {
    struct CUgraph_st *graph; /* its own copy */
    unsigned long long flags;
    uint32_t device;
};

/* NULL: they are none. */
struct CUgraph_st *rt_graph(cudaGraph_t g);
struct CUgraphNode_st *rt_node(cudaGraphNode_t n);
struct CUgraphExec_st *rt_exec(cudaGraphExec_t e);

struct CUgraph_st *rt_graph_new(bool owned); /* NULL: out of memory */
void rt_graph_free(struct CUgraph_st *g);
/* *out: a copy whose nodes remember what they are copies of. */
cudaError_t rt_graph_clone(const struct CUgraph_st *g, bool owned,
                           struct CUgraph_st **out);
/* The node of a clone that was made of that original; NULL: none. */
struct CUgraphNode_st *rt_graph_twin(const struct CUgraph_st *clone,
                                     const struct CUgraphNode_st *original);
/* A node with a copy of op after deps, which are checked. */
cudaError_t rt_graph_add(struct CUgraph_st *g, const cudaGraphNode_t *deps, size_t n,
                         const struct rt_op *op, cudaGraphNode_t *out);
cudaError_t rt_node_depend(struct CUgraphNode_st *node, struct CUgraphNode_st *on);
/* All nodes, each after what it depends on, into order[n]; false: there is a circle. */
bool rt_graph_order(const struct CUgraph_st *g, cudaGraphNode_t *order);
/* ---- object.c ---- */
void rt_objects_release(struct CUgraph_st *g);
/* ---- graph_nodes.c ---- */
/* The same with the handles that a program gives. */
cudaError_t rt_node_add(cudaGraphNode_t *out, cudaGraph_t handle,
                        const cudaGraphNode_t *deps, size_t n, const struct rt_op *op);
/* The same if rc, of making op, is cudaSuccess; else rc. */
cudaError_t rt_node_add_if(cudaGraphNode_t *out, cudaGraph_t g,
                           const cudaGraphNode_t *deps, size_t n, cudaError_t rc,
                           const struct rt_op *op);
/* A node of that kind; NULL: it is none. */
struct CUgraphNode_st *rt_node_of(cudaGraphNode_t handle, enum rt_op_kind kind);
/* The node of an executable graph that was made of node, if it is of that kind. */
struct CUgraphNode_st *rt_node_of_exec(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       enum rt_op_kind kind);
/* The operation of x, of one that owns nothing, becomes op if rc is cudaSuccess. */
cudaError_t rt_node_set(struct CUgraphNode_st *x, cudaError_t rc,
                        const struct rt_op *op);
/* ---- graph_kernels.c ---- */
/* What a kernel's node tells of itself follows from its operation. */
cudaError_t rt_node_set_kernel(struct CUgraphNode_st *node, const struct rt_launch *l,
                               const void *func);

#endif /* RUNTIME_GRAPH_H */
