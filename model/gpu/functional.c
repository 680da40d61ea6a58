#include "gpu/functional.h"

#include "sm/untimed.h"

#include <stdlib.h>

struct place {
    struct sm *sm;
    uint32_t slot;
    uint64_t cluster; /* its number, if there are clusters */
    bool meets;       /* its threads have come to the barrier of the cluster */
};

struct functional {
    uint32_t launch; /* its number */
    uint64_t n_blocks, next, ended;
    uint32_t turn;       /* the SM after the one that got the last block */
    struct place *taken; /* by blocks that can run, in turns */
    uint32_t n_taken, at;
    uint32_t wanted; /* so many of them: another block joins if there are fewer */
    bool full;       /* no SM has room */
    bool ended_some; /* in this round of turns */
    struct smw_counters count;
};

static void *must(void *p)
{
    if (p == NULL) {
        abort(); /* as the arena does when the host is out of memory */
    }
    return p;
}

void functional_begin(struct smw_device *d, uint32_t i)
{
    const struct queued *q = &d->launch[i];
    struct functional *f = must(calloc(1, sizeof(*f)));

    f->launch = i;
    f->n_blocks = (uint64_t)q->args.grid[0] * q->args.grid[1] * q->args.grid[2];
    f->wanted = 1;
    f->taken = must(calloc((size_t)d->gpu.n_sms * q->fit.blocks, sizeof(f->taken[0])));
    d->functional = f;
    for (uint32_t k = 0; k < d->gpu.n_sms; k++) {
        untimed_begin(d->gpu.sm[k], q->index, q->fit.blocks, &f->count);
    }
}

void functional_end(struct smw_device *d)
{
    if (d->functional == NULL) {
        return;
    }
    for (uint32_t k = 0; k < d->gpu.n_sms; k++) {
        untimed_end(d->gpu.sm[k]);
    }
    free(d->functional->taken);
    free(d->functional);
    d->functional = NULL;
}

void functional_counters(const struct smw_device *d, struct smw_counters *out)
{
    *out = d->functional->count;
}

uint64_t functional_done(const struct smw_device *d)
{
    return d->functional->ended;
}

/* A place for the block at ctaid on the next SM, in turn, that has room. */
static bool place_one(struct smw_device *d, struct functional *f,
                      const uint32_t ctaid[3], uint64_t index)
{
    for (uint32_t n = 0; n < d->gpu.n_sms; n++) {
        struct sm *sm = d->gpu.sm[f->turn];
        uint32_t slot = untimed_place(sm, ctaid, index);

        f->turn = f->turn + 1 == d->gpu.n_sms ? 0 : f->turn + 1;
        if (slot != UNTIMED_NO_SLOT) {
            f->taken[f->n_taken++] =
                (struct place){.sm = sm, .slot = slot, .cluster = index};
            f->next++;
            return true;
        }
    }
    return false;
}

/* SPEC CLUSTER-1, FUNC-2: all blocks of the next cluster, if there is room for them. */
static void place_cluster(struct smw_device *d, struct functional *f)
{
    const struct sm_launch *l = &d->gpu.shared.launch[0];
    const uint32_t n = sm_cluster_blocks(l->cluster);
    const uint64_t cluster = f->next / n;
    uint8_t peer[ISA_MAX_CLUSTER] = {0};
    const uint32_t first = f->n_taken;

    if (f->n_taken + n > (uint64_t)d->gpu.n_sms * d->launch[f->launch].fit.blocks) {
        f->full = true;
        return;
    }
    for (uint32_t rank = 0; rank < n; rank++) {
        uint32_t ctaid[3];
        const uint64_t block = sm_cluster_place(l->grid, l->cluster, f->next, ctaid);

        (void)place_one(d, f, ctaid, block);
        f->taken[first + rank].cluster = cluster;
        peer[rank] = (uint8_t)sm_index(f->taken[first + rank].sm);
    }
    for (uint32_t rank = 0; rank < n; rank++) {
        untimed_peers(f->taken[first + rank].sm, f->taken[first + rank].slot, peer);
    }
}

static bool is_clustered(const struct smw_device *d)
{
    return sm_cluster_blocks(d->gpu.shared.launch[0].cluster) > 1;
}

/* The next block of the grid. */
static void place_next(struct smw_device *d, struct functional *f)
{
    const uint32_t *grid = d->launch[f->launch].args.grid;
    const uint32_t ctaid[3] = {(uint32_t)(f->next % grid[0]),
                               (uint32_t)(f->next / grid[0] % grid[1]),
                               (uint32_t)(f->next / grid[0] / grid[1])};

    if (is_clustered(d)) {
        place_cluster(d, f);
        return;
    }
    f->full = !place_one(d, f, ctaid, f->next);
}

/* The block in turn is not to run again. */
static void drop(struct functional *f)
{
    f->n_taken--;
    for (uint32_t i = f->at; i < f->n_taken; i++) {
        f->taken[i] = f->taken[i + 1];
    }
}

/* The block in turn has come to the barrier of its cluster, or has ended: if no block
 * of the cluster is anywhere else, those that have come go on. */
static void meet(struct functional *f, uint64_t cluster)
{
    for (uint32_t i = 0; i < f->n_taken; i++) {
        if (f->taken[i].cluster == cluster && !f->taken[i].meets) {
            return;
        }
    }
    for (uint32_t i = 0; i < f->n_taken; i++) {
        if (f->taken[i].cluster == cluster) {
            f->taken[i].meets = false;
            untimed_go_on(f->taken[i].sm, f->taken[i].slot);
        }
    }
}

/* All have had their turn. If none has ended, they may wait for one that has not
 * begun. */
static void end_round(struct functional *f)
{
    f->at = 0;
    if (!f->ended_some && f->wanted < UINT32_MAX / 2) {
        f->wanted *= 2;
    }
    f->ended_some = false;
}

/* SMs have no cycles here: SPEC FUNC-3. */
static bool is_beyond(const struct smw_device *d, const struct sm *sm)
{
    return d->opt.max_cycles != 0 &&
           sim_cycle((struct sim_clock *)&d->gpu.sm_clock) + untimed_insts(sm) >=
               d->opt.max_cycles;
}

/* A turn of the block whose turn it is. */
static enum smw_status run_one(struct smw_device *d, struct functional *f)
{
    const struct place p = f->taken[f->at];

    switch (untimed_run(p.sm, p.slot)) {
    case UNTIMED_FAULT: return SMW_FAULT;
    case UNTIMED_WAITS:        /* the others go on, as they would with time */
        if (is_clustered(d)) { /* but for those of its cluster: none may be left */
            device_deadlock(d);
            return SMW_DEADLOCK;
        }
        drop(f);
        break;
    case UNTIMED_MEETS:
        f->taken[f->at++].meets = true;
        meet(f, p.cluster);
        break;
    case UNTIMED_ENDED:
        drop(f);
        if (is_clustered(d)) {
            meet(f, p.cluster);
        }
        f->ended++;
        f->ended_some = true;
        f->full = false;
        f->wanted = f->wanted > 1 ? f->wanted / 2 : 1;
        break;
    case UNTIMED_GOES_ON: f->at++; break;
    }
    if (f->at == f->n_taken && f->n_taken != 0) {
        end_round(f);
    }
    if (is_beyond(d, p.sm)) {
        device_cycle_limit(d);
        return SMW_LIMIT;
    }
    return SMW_RUNNING;
}

enum smw_status functional_step(struct smw_device *d, uint64_t turns)
{
    struct functional *f = d->functional;
    enum smw_status s = SMW_RUNNING;

    for (uint64_t n = 0; s == SMW_RUNNING && (turns == 0 || n < turns); n++) {
        while (f->n_taken < f->wanted && f->next < f->n_blocks && !f->full) {
            place_next(d, f);
        }
        if (f->n_taken == 0 && f->ended == f->n_blocks) {
            return SMW_DONE;
        }
        if (f->n_taken == 0) {
            device_deadlock(d);
            return SMW_DEADLOCK;
        }
        if (d->stop != 0) {
            d->stop = 0;
            return SMW_STOPPED;
        }
        s = run_one(d, f);
    }
    return s;
}
