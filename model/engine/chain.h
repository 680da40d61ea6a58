/*
 * chain.h - a list of events in order of arrival, held by one pointer to its head.
 *
 * head->prev is the tail, the tail's next is NULL: half the size of a ring, for the
 * many lists of wheels. NULL is the empty list.
 */
#ifndef ENGINE_CHAIN_H
#define ENGINE_CHAIN_H

#include "engine/sim.h"

/* Append e; true if the list was empty. */
static inline bool chain_append(struct sim_event **list, struct sim_event *e)
{
    struct sim_event *head = *list;

    e->next = NULL;
    if (head == NULL) {
        e->prev = e;
        *list = e;
        return true;
    }
    e->prev = head->prev;
    head->prev->next = e;
    head->prev = e;
    return false;
}

/* Take e out; true if the list is empty now. */
static inline bool chain_remove(struct sim_event **list, struct sim_event *e)
{
    struct sim_event *head = *list;

    if (e != head) {
        e->prev->next = e->next;
        (e->next != NULL ? e->next : head)->prev = e->prev;
        return false;
    }
    *list = e->next;
    if (e->next == NULL) {
        return true;
    }
    e->next->prev = e->prev;
    return false;
}

#endif /* ENGINE_CHAIN_H */
