/*
 * Clusters: their barrier, and addresses of other blocks' shared memory.
 *
 * A phase of the barrier is over when all threads of the cluster have arrived, or left.
 * A thread that waits for it sleeps, and the others go on.
 */
#include "machine.h"

bool machine_cluster_shape(struct interp *x)
{
    x->n_blocks = 1;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t own = x->c->cluster[i], said = x->l->cluster[i];

        x->cluster[i] = own != 0 ? own : said != 0 ? said : 1;
        x->n_blocks *= x->cluster[i];
        if ((own != 0 && said != 0 && own != said) ||
            x->l->grid[i] % x->cluster[i] != 0) {
            return false;
        }
    }
    return x->n_blocks <= MAX_CLUSTER;
}

void machine_cluster_place(struct interp *x, const uint32_t at[3])
{
    const uint32_t *n = x->cluster;

    for (uint32_t i = 0; i < x->n_blocks; i++) {
        const uint32_t in[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};

        for (uint32_t k = 0; k < 3; k++) {
            x->block[i].ctaid[k] = at[k] * n[k] + in[k];
        }
    }
}

static bool barrier(struct interp *x, struct thread *t, const struct insn *in)
{
    if (has(in, MOD_ARRIVE)) {
        if (t->arrivals != t->passages) {
            return machine_fail(x, in, "a second arrival without a wait");
        }
        t->arrivals++;
        return true;
    }
    if (t->arrivals == t->passages) {
        return machine_fail(x, in, "a wait without an arrival");
    }
    for (uint32_t i = 0; i < x->n_blocks * x->n_threads; i++) {
        const struct thread *k = &x->thread[i];

        if (k->state != THREAD_EXITED && k->arrivals < t->arrivals) {
            t->pc--;
            t->state = THREAD_SLEEPS;
            return true;
        }
    }
    t->passages++;
    return true;
}

/* Of shared memory, or generic: where the block of a rank has the same variable. */
static uint64_t map(const struct insn *in, uint64_t a, uint64_t rank)
{
    const uint64_t window = in->space == SPACE_SHARED ? 0 : GENERIC_SHARED;

    return window + (a - window) % CLUSTER_STEP + (rank + 1) * CLUSTER_STEP;
}

bool machine_cluster(struct interp *x, struct thread *t, const struct insn *in)
{
    uint64_t v;

    if (in->op == OP_BARRIER) {
        return barrier(x, t, in);
    }
    v = machine_read(x, t, &in->o[1]);
    if (in->op == OP_MAPA) {
        v = map(in, v, machine_read(x, t, &in->o[2]));
    } else {
        v -= in->space == SPACE_SHARED ? 0 : GENERIC_SHARED;
        v = v < CLUSTER_STEP ? t->block : v / CLUSTER_STEP - 1;
    }
    machine_write(x, t, in->o[0].reg, v ^ (in->op == x->l->plant));
    return true;
}
