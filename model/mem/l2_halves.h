/*
 * l2_halves.h - the two halves of the L2 as one slice sees them (SPEC L2-6): which
 * lines the other half can read, the link between them, and answers on their way over
 * it. A part of an L2 slice: no ports of its own.
 *
 * The slice asks for each load or atomic whether what it wants comes from afar, tells
 * what is stored, hands over answers that come from afar, and takes them when they are
 * here; `arrived` is notified then.
 */
#ifndef MEM_L2_HALVES_H
#define MEM_L2_HALVES_H

#include "mem/l2_tags.h"

/* Bytes that are at home in one half, measured on an H100: one block reads up to 4 KB
 * at the begin of an allocation as fast when the host has written them as when its own
 * half has, but not 8 KB. Which pieces belong to which half is the project's choice. */
enum { L2_HALVES_PIECE = 4096 };

struct l2_halves {
    const struct sim_module *scope;
    uint32_t latency; /* cycles more from the other half; 0: there are no halves */
    uint32_t interval,
        read_interval;      /* cycles per line over the link, stored or read */
    struct mem_lines lines; /* on their way, the first arrives first */
    sim_cycle_t link_at;    /* the link is free from then on, */
    uint32_t link_part;     /* and so many hundredths of a cycle */
    uint32_t era;           /* of copies: counts launches */
    struct sim_event arrived;
};

/* scope: the slice's module, in whose cycles all is. read_interval 0: as interval. */
void l2_halves_init(struct l2_halves *h, const struct sim_module *scope,
                    uint32_t latency, uint32_t interval, uint32_t read_interval);

/* Forget the copies that the other halves have. */
void l2_halves_forget(struct l2_halves *h);

/* Load t: the half of its SM has the line of this tag from now on; was it without? An
 * atomic is done at home, and only home has the line from now on; is its SM of the
 * other half? If so, its answer has to go through l2_halves_send(). tag NULL: there is
 * no cache; false. */
bool l2_halves_read(struct l2_halves *h, struct l2_tag *tag, const struct mem_line *t);

/* A store leaves copies in its own half and where the line is at home. */
void l2_halves_store(const struct l2_halves *h, struct l2_tag *tag,
                     const struct mem_line *t);

/* Does store t come from the other half, so that its bytes need the link? */
bool l2_halves_crosses(const struct l2_halves *h, const struct mem_line *t);

/* The cycle from which on the link takes the bytes of store t; 0: it needs no link. */
sim_cycle_t l2_halves_free_at(const struct l2_halves *h, const struct mem_line *t);

/* The link moves the sectors of t, from the cycle returned on. */
sim_cycle_t l2_halves_use_link(struct l2_halves *h, const struct mem_line *t);

/* t comes from the other half. */
void l2_halves_send(struct l2_halves *h, struct mem_line *t);

/* The next that is here by now; NULL: none, and `arrived` tells when. */
struct mem_line *l2_halves_take(struct l2_halves *h, sim_cycle_t now);

#endif /* MEM_L2_HALVES_H */
