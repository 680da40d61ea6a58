#include "sm/rank.h"

uint64_t sm_cluster_place(const uint32_t grid[3], const uint32_t shape[3], uint64_t k,
                          uint32_t ctaid[3])
{
    const uint32_t n = sm_cluster_blocks(shape), rank = (uint32_t)(k % n);
    const uint64_t cluster = k / n;
    const uint32_t nx = grid[0] / shape[0], ny = grid[1] / shape[1];

    ctaid[0] = (uint32_t)(cluster % nx) * shape[0] + rank % shape[0];
    ctaid[1] = (uint32_t)(cluster / nx % ny) * shape[1] + rank / shape[0] % shape[1];
    ctaid[2] = (uint32_t)(cluster / nx / ny) * shape[2] + rank / (shape[0] * shape[1]);
    return ctaid[0] + grid[0] * (ctaid[1] + (uint64_t)grid[1] * ctaid[2]);
}

void rank_describe(const struct sm_launch *l, const struct sm_block *b,
                   struct isa_cluster *out)
{
    const uint32_t *const shape = l->cluster;

    for (uint32_t i = 0; i < 3; i++) {
        out->id[i] = b->ctaid[i] / shape[i];
        out->n_ids[i] = l->grid[i] / shape[i];
        out->at[i] = b->ctaid[i] % shape[i];
        out->n_at[i] = shape[i];
    }
    out->rank = out->at[0] + shape[0] * (out->at[1] + shape[1] * out->at[2]);
    out->size = sm_cluster_blocks(shape);
    out->is_explicit = l->explicit_cluster;
}

/* Linear index of the block of a rank. */
static uint64_t block_of_rank(const struct isa_env *e, uint32_t rank)
{
    const struct isa_cluster *const c = &e->cluster;
    const uint64_t x = (uint64_t)c->id[0] * c->n_at[0] + rank % c->n_at[0];
    const uint64_t y = (uint64_t)c->id[1] * c->n_at[1] + rank / c->n_at[0] % c->n_at[1];
    const uint64_t z =
        (uint64_t)c->id[2] * c->n_at[2] + rank / (c->n_at[0] * c->n_at[1]);

    return x + e->nctaid[0] * (y + e->nctaid[1] * z);
}

void rank_aim(const struct sm *s, uint32_t i, uint32_t rank, struct mem_req *r)
{
    const struct warp *w = &s->warps.warp[i];

    r->away.block = block_of_rank(&w->env, rank);
    r->away.from = (uint8_t)s->index;
    r->away.to = s->block[w->slot].txn->peer[rank];
    r->away.lost = false;
}

/* SPEC CLUSTER-2 */
uint32_t rank_resolve(const struct sm *s, uint32_t i, uint32_t mask, struct mem_req *r,
                      enum isa_space *space)
{
    const struct isa_cluster *const c = &s->warps.warp[i].env.cluster;
    const uint32_t rank = isa_rank_of(r->addr[attr_lowest_bit(mask)], c->rank);
    uint32_t same = 0;

    if (rank >= c->size) {
        return mask; /* as addresses beyond its own: a fault */
    }
    for (uint32_t m = mask; m != 0; m &= m - 1) {
        const uint32_t lane = attr_lowest_bit(m);

        if (isa_rank_of(r->addr[lane], c->rank) == rank) {
            same |= 1u << lane;
            r->addr[lane] &= (1u << ISA_RANK_SHIFT) - 1;
        }
    }
    if (rank != c->rank) {
        *space = ISA_SP_CLUSTER;
        rank_aim(s, i, rank, r);
    }
    return same;
}

struct block *rank_find(struct sm *s, const struct mem_req *r)
{
    for (uint32_t k = 0; k < s->n_slots; k++) {
        const struct sm_block *b = s->block[k].txn;

        if (b != NULL && b->launch == r->launch && b->index == r->away.block) {
            return &s->block[k];
        }
    }
    return NULL;
}
