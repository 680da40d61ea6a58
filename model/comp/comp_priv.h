/*
 * comp_priv.h - what the component layer keeps for one simulation.
 */
#ifndef COMP_COMP_PRIV_H
#define COMP_COMP_PRIV_H

#include "comp/comp.h"

/* A raised record; its bytes lie at offset in sim_records.bytes. */
struct sim_record {
    struct sim_hook *hook;
    const struct sim_module *from;
    size_t offset;
};

/* Raised and not delivered yet. */
struct sim_records {
    struct sim *sim;                    /* whose memory they take */
    struct sim_record *record, *sorted; /* the second is scratch */
    size_t n, capacity;
    char *bytes;
    size_t n_bytes, byte_capacity;
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

    struct sim_records records; /* of this instant */
    bool delivering;

    bool pending;      /* records, or probes that changed */
    uint64_t verified; /* instants that ended */
    struct sim_observer observer;
};

/* The component state of s and its domains, made at the first call. */
struct sim_comp *sim_comp(struct sim *s);

/* A notification of the other side, and a member of one of its sets. */
struct sim_post {
    struct sim_event *event;
    sim_cycle_t at;
    uint64_t *mark; /* NULL: none */
    uint64_t bit;
};

struct sim_posts {
    struct sim *sim; /* whose memory they take: who posts */
    struct sim_post *post;
    size_t n, capacity;
};

/* What waits between a domain and the whole. */
struct sim_border {
    struct sim_posts in, out; /* for the domain, for the whole */
    sim_time_t next;          /* the earliest of in, SIM_TIME_MAX if there is none */
    struct sim_records records;
};

/* The border of a domain, made at the first call; NULL: s is the whole. */
struct sim_border *sim_border(struct sim *s);

/* Connect, wherever they are. */
void sim_port_bind(struct sim_out *o, struct sim_in *i, uint32_t latency);

/* Dotted path of a port into buf, size > 0; returns buf. */
char *sim_port_path(const struct sim_module *m, const char *port, char *buf,
                    size_t size);

/* End of instant, in this order. */
void sim_hooks_deliver(struct sim_comp *c, struct sim_records *r, sim_time_t now);
void sim_probes_deliver(struct sim_comp *c, sim_time_t now);

#endif /* COMP_COMP_PRIV_H */
