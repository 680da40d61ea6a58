#include "base/bits.h"
#include "sm/lsu_priv.h"

static void tell(struct lsu *l, const struct mem_req *r,
                 const struct rules_lines *lines, bool in_l1)
{
    struct mem_planned p;

    mem_planned_of(&p, r, l->env.sm, sim_here(&l->scope));
    p.requests = lines->requests;
    p.sectors = lines->sectors;
    p.lines = lines->lines;
    p.in_l1 = in_l1;
    sim_raise(l->env.planned, &l->scope, &p, sizeof(p));
}

/* SPEC LOCAL-1: a request per 32-bit piece of the lanes' accesses. */
void lsu_plan_local(struct lsu *l, const struct mem_req *r)
{
    struct rules_lines all = {.n = 0};
    uint64_t addr[ISA_LANES] = {0};
    struct rules_access a = {.op = r->op,
                             .bytes = (uint8_t)lsu_piece_bytes(r),
                             .mask = r->mask,
                             .addr = addr};

    for (uint32_t i = 0; i < r->words; i++) {
        struct rules_lines *lines = &l->plan[i];

        for (uint32_t m = r->mask; m != 0; m &= m - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(m);

            addr[lane] =
                lsu_local_addr(r->base, r->addr[lane] + lsu_piece_offset(r, i), lane);
        }
        rules_local(&a, lines);
        all.requests += lines->requests;
        all.sectors += lines->sectors;
        all.lines += lines->lines;
    }
    l->n_pieces = r->words;
    if (l->env.planned != NULL && sim_heard(l->env.planned)) {
        tell(l, r, &all, true);
    }
}

/* SPEC ASYNC-2 */
static void count_copy(struct smw_counters *s, const struct mem_req *r,
                       const struct rules_lines *lines)
{
    const struct mem_copy *c = r->copy;
    const struct rules_copy copy = {.bytes = 4u * r->vec,
                                    .mask = c->mask,
                                    .some = c->some,
                                    .from = c->from,
                                    .to = c->to};

    s->cp_requests += lines->requests;
    s->cp_sectors += r->bypass_l1 ? rules_copy_sectors(&copy) : lines->sectors;
}

static void count_global(struct lsu *l, const struct mem_req *r,
                         const struct rules_lines *lines)
{
    struct smw_counters *s = &l->env.stats[r->launch];
    uint64_t wanted = (uint64_t)bits_count(r->mask) * r->size * r->vec;
    uint64_t n = (uint64_t)lines->transactions[0] + lines->transactions[1] +
                 lines->transactions[2]; /* SPEC COAL-3 */

    if (UNLIKELY(mem_is_bulk(r))) {
        s->bulk_sectors += lines->sectors;
        return;
    }
    switch ((enum mem_op)r->op) {
    case MEM_LOAD:
        if (UNLIKELY(mem_is_copy(r))) {
            count_copy(s, r, lines);
            break;
        }
        s->gl_ld_requests += lines->requests;
        s->gl_ld_sectors += lines->sectors;
        s->gl_ld_transactions += n;
        s->gl_ld_bytes += lines->moved;
        s->gl_ld_wanted += wanted;
        break;
    case MEM_STORE:
        s->gl_st_requests += lines->requests;
        s->gl_st_sectors += lines->sectors;
        s->gl_st_transactions += n;
        s->gl_st_bytes += lines->moved;
        s->gl_st_wanted += wanted;
        break;
    case MEM_DRAIN: break;
    case MEM_ATOM:
    case MEM_RED:
        s->gl_at_requests += lines->requests;
        s->gl_at_sectors += lines->sectors;
        s->gl_at_transactions += n;
        s->gl_at_bytes += lines->moved;
        break;
    }
}

/* Lines go together as far as the L1 looks up so many, and reads their data. */
static void pace(struct lsu *l, const struct rules_lines *lines)
{
    const uint32_t turns = rules_wavefronts(lines);
    const uint32_t n = (lines->n + turns - 1) / turns;

    l->together = n < l->env.tags ? n : l->env.tags;
    l->data_until = sim_here(&l->scope) + (sim_cycle_t)turns * l->cfg.interval;
}

/* SPEC IDEAL-2. Not where it has no more than the least anyway. */
static void plan_ideal(struct lsu *l, const struct rules_access *a)
{
    struct rules_access b = *a;
    uint8_t place[ISA_LANES];
    uint64_t addr[ISA_LANES] = {0};

    if (l->plan[0].sectors > ideal_sectors(ideal_places(a, place), a->bytes)) {
        ideal_global(a, addr);
        b.addr = addr;
        rules_global(l->env.rules, &b, &l->plan[0]);
    }
}

void lsu_plan_global(struct lsu *l, const struct mem_req *r)
{
    struct rules_lines *lines = &l->plan[0];
    struct rules_access a = {.op = r->op,
                             .bytes = (uint8_t)(r->size * r->vec),
                             .in_l1 = rules_in_l1(l->env.rules, r->read_only) &&
                                      !r->bypass_l1 && r->op == MEM_LOAD,
                             .counts = r->uop != NULL && r->uop->counts,
                             .mask = r->mask,
                             .addr = r->addr};

    rules_global(l->env.rules, &a, lines);
    if (UNLIKELY(lsu_is_spared(l, r, IDEAL_SECTORS))) {
        plan_ideal(l, &a);
    }
    l->n_pieces = 1;
    if (a.in_l1 && l->env.tags > 1 && lines->n > 1) {
        pace(l, lines);
    }
    count_global(l, r, lines);
    if (l->env.planned != NULL && sim_heard(l->env.planned)) {
        tell(l, r, lines, a.in_l1);
    }
}

/* SPEC TEX-5, TEX-6. Cycles that the texture unit takes. */
uint32_t lsu_plan_texture(struct lsu *l, const struct mem_req *r)
{
    struct smw_counters *s = &l->env.stats[r->launch];
    struct lsu_texels t;

    l->n_pieces = (uint8_t)lsu_plan_texels(r->texture, l->plan, &t);
    s->tex_requests += t.requests;
    s->tex_sectors += t.sectors;
    s->tex_hit_sectors += t.sectors - t.distinct; /* the one after the other finds it */
    return rules_texture_cycles(l->env.rules, r->texture->desc->texel,
                                r->texture->n > 1 && r->texture->gather == 0
                                    ? r->texture->n
                                    : 1,
                                r->texture->desc->layout == TEX_LINEAR, r->mask);
}

uint32_t lsu_planned_lines(const struct lsu *l)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < l->n_pieces; i++) {
        n += l->plan[i].n;
    }
    return n;
}
