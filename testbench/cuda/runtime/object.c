/* User objects: something of the program that lives as long as graphs that use it. */
#include "runtime/graph.h"
#include <stdlib.h>

struct CUuserObject_st {
    void *ptr;
    cudaHostFn_t destroy;
    uint64_t n; /* references */
};

struct rt_object_ref { /* a graph's */
    struct CUuserObject_st *object;
    uint64_t n;
    struct rt_object_ref *next;
};

static struct CUuserObject_st *find(cudaUserObject_t o)
{
    return rt_handle_find(&rt_process()->handles, RT_OBJECT, o);
}

static void release(struct CUuserObject_st *o, uint64_t n)
{
    o->n = o->n > n ? o->n - n : 0;
    if (o->n > 0) {
        return;
    }
    rt_handle_remove(&rt_process()->handles, RT_OBJECT, o);
    rt_thread()->in_callback = true; /* it calls no CUDA function */
    o->destroy(o->ptr);
    rt_thread()->in_callback = false;
    free(o);
}

void rt_objects_release(struct CUgraph_st *g)
{
    while (g->objects != NULL) {
        struct rt_object_ref *r = g->objects;

        g->objects = r->next;
        release(r->object, r->n);
        free(r);
    }
}

static cudaError_t create(cudaUserObject_t *out, void *ptr, cudaHostFn_t destroy,
                          unsigned n, unsigned flags)
{
    struct CUuserObject_st *o;

    if (out == NULL || destroy == NULL || n == 0 ||
        flags != cudaUserObjectNoDestructorSync) {
        return cudaErrorInvalidValue;
    }
    o = calloc(1, sizeof(*o));
    if (o == NULL || !rt_handle_add(&rt_process()->handles, RT_OBJECT, o, o)) {
        free(o);
        return cudaErrorMemoryAllocation;
    }
    o->ptr = ptr;
    o->destroy = destroy;
    o->n = n;
    *out = o;
    return cudaSuccess;
}

RT_API cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *ptr,
                                        cudaHostFn_t destroy, unsigned refcount,
                                        unsigned flags)
{
    return RT_CALL(create(object, ptr, destroy, refcount, flags));
}

static cudaError_t change(cudaUserObject_t object, unsigned n, bool more)
{
    struct CUuserObject_st *o = find(object);

    if (o == NULL || n == 0 || (!more && n > o->n)) {
        return cudaErrorInvalidValue;
    }
    if (more) {
        o->n += n;
    } else {
        release(o, n);
    }
    return cudaSuccess;
}

RT_API cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned n)
{
    return RT_CALL(change(object, n, true));
}

RT_API cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned n)
{
    return RT_CALL(change(object, n, false));
}

static cudaError_t graph_retain(cudaGraph_t graph, cudaUserObject_t object, unsigned n,
                                unsigned flags)
{
    struct CUgraph_st *g = rt_graph(graph);
    struct CUuserObject_st *o = find(object);
    struct rt_object_ref *r;

    if (g == NULL || o == NULL || n == 0 ||
        (flags & ~(unsigned)cudaGraphUserObjectMove) != 0) {
        return cudaErrorInvalidValue;
    }
    r = calloc(1, sizeof(*r));
    if (r == NULL) {
        return cudaErrorMemoryAllocation;
    }
    *r = (struct rt_object_ref){o, n, g->objects};
    g->objects = r;
    if ((flags & cudaGraphUserObjectMove) == 0) {
        o->n += n;
    }
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                             unsigned n, unsigned flags)
{
    return RT_CALL(graph_retain(graph, object, n, flags));
}

static cudaError_t graph_release(cudaGraph_t graph, cudaUserObject_t object, unsigned n)
{
    struct CUgraph_st *g = rt_graph(graph);

    if (g == NULL || find(object) == NULL || n == 0) {
        return cudaErrorInvalidValue;
    }
    for (struct rt_object_ref **at = &g->objects; *at != NULL; at = &(*at)->next) {
        struct rt_object_ref *r = *at;

        if (r->object != object || r->n < n) {
            continue;
        }
        r->n -= n;
        if (r->n == 0) {
            *at = r->next;
            free(r);
        }
        release(object, n);
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

RT_API cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph,
                                              cudaUserObject_t object, unsigned n)
{
    return RT_CALL(graph_release(graph, object, n));
}
