/*
 * state.h - what the component layer keeps for one simulation.
 */
#ifndef COMP_STATE_H
#define COMP_STATE_H

#include "comp/comp.h"

/* A raised record; its bytes lie at offset in sim_comp.bytes. */
struct sim_record {
    struct sim_hook *hook;
    const struct sim_module *from;
    size_t offset;
};

struct sim_comp {
    struct sim *sim;
    struct sim_module *first_root, *last_root;
    struct sim_pool *pools;
    bool numbered; /* the numbers of modules and probes are up to date */
    uint32_t n_probes;

    /* Probes that changed in this instant: a bit per id, and a bit per word of bits. */
    struct sim_probe **probe; /* by id */
    uint64_t *dirty, *dirty_words;
    uint32_t n_dirty;
    struct sim_probe **changed; /* scratch: what watchers are shown */
    struct sim_watcher *watchers;

    /* Records raised in this instant. */
    struct sim_record *record, *sorted; /* the second is scratch */
    size_t n_records, record_capacity;
    char *bytes;
    size_t n_bytes, byte_capacity;
    bool delivering;

    bool pending; /* records, or probes that changed */
    struct sim_observer observer;
};

/* The component state of s, made at the first call. */
struct sim_comp *sim_comp(struct sim *s);

/* Dotted path of a port into buf, size > 0; returns buf. */
char *sim_port_path(const struct sim_module *m, const char *port, char *buf,
                    size_t size);

/* End of instant, in this order. */
void sim_hooks_deliver(struct sim_comp *c, sim_time_t now);
void sim_probes_deliver(struct sim_comp *c, sim_time_t now);

#endif /* COMP_STATE_H */
