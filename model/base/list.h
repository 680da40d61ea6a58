/*
 * list.h - an intrusive doubly linked ring. A node that is in no ring points to itself.
 */
#ifndef BASE_LIST_H
#define BASE_LIST_H

#include <stdbool.h>

struct list {
    struct list *next, *prev;
};

static inline void list_init(struct list *l)
{
    l->next = l;
    l->prev = l;
}

static inline bool list_is_empty(const struct list *l)
{
    return l->next == l;
}

/* Insert n, which must be in no ring, before l: at the tail when l is the head. */
static inline void list_push(struct list *l, struct list *n)
{
    n->prev = l->prev;
    n->next = l;
    l->prev->next = n;
    l->prev = n;
}

/* Take n out of its ring; harmless when it is in none. */
static inline void list_remove(struct list *n)
{
    n->prev->next = n->next;
    n->next->prev = n->prev;
    list_init(n);
}

#endif /* BASE_LIST_H */
