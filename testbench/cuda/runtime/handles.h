/*
 * handles.h - the pointers that the runtime gives out as streams, events, graphs and so
 * on. A program may hand in anything: what is not in this set, or is of another kind,
 * is an invalid handle and is never followed.
 */
#ifndef RUNTIME_HANDLES_H
#define RUNTIME_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

enum rt_handle {
    RT_FREE, /* no handle */
    RT_STREAM,
    RT_EVENT,
    RT_ARRAY,
    RT_POOL,
    RT_GRAPH,
    RT_NODE,
    RT_EXEC,
    RT_OBJECT,
    RT_FUNCTION, /* a kernel: by the host's function, or by a handle */
    RT_VARIABLE, /* by the host's variable */
    RT_BINARY,
    RT_LIBRARY,
    RT_CONTEXT, /* of the driver interface */
    RT_MODULE,
    RT_LINK
};

struct rt_handle_slot {
    const void *key;
    void *value;
    enum rt_handle kind;
    bool gone; /* was in use: a search goes on behind it */
};

struct rt_handles { /* all zero: empty */
    struct rt_handle_slot *slot;
    uint32_t n, n_used, cap; /* n_used counts those gone too */
};

/* key means value; false: the host is out of memory. A second one of the same kind
 * replaces the first. */
bool rt_handle_add(struct rt_handles *h, enum rt_handle kind, const void *key,
                   void *value);
/* NULL: it is none of that kind. */
void *rt_handle_find(const struct rt_handles *h, enum rt_handle kind, const void *key);
void rt_handle_remove(struct rt_handles *h, enum rt_handle kind, const void *key);
void rt_handles_free(struct rt_handles *h);

#endif /* RUNTIME_HANDLES_H */
