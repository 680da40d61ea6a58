/* watch.c - what the checks (check/check.h, check/instant.h) hear from an SM. */
#include "sm/watch.h"

#include <string.h>

static const struct sim_probe_desc d_race = {
    .name = "race",
    .kind = SIM_PROBE_EVENT,
    .doc = "a race was found, or a read of what nobody wrote",
};

/* What bulk copies write is not told. */
static bool has_bulk_copies(const struct ptx_module *m)
{
    for (uint32_t i = 0; i < m->n_uops; i++) {
        if (m->uops[i].kind == ISA_K_BULK) {
            return true;
        }
    }
    return false;
}

void sm_watch(struct sm *s)
{
    s->check = check_new(s->n_slots, s->shared->rules->cc < 70);
    sim_probe_init(&s->p_race, &s->scope, &d_race, NULL, 0);
}

const struct check *sm_check(const struct sm *s)
{
    return s->check;
}

static void say_block(const struct sm *s, uint32_t slot, struct check_block *out)
{
    const struct sm_block *b = s->block[slot].txn;
    const struct sm_launch *l = &s->shared->launch[b->launch];

    *out =
        (struct check_block){.kernel = l->kernel,
                             .launch = l->number,
                             .block = b->index,
                             .warps = l->warps,
                             .bytes = l->shared_bytes,
                             .local = l->local_bytes,
                             .blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2],
                             .others_write = sm_cluster_blocks(l->cluster) > 1 ||
                                             has_bulk_copies(l->module)};
}

static uint32_t block_warp(const struct warp *w)
{
    return w->thread0 / ISA_LANES;
}

void watch_block(struct sm *s, uint32_t slot)
{
    struct check_block k;

    say_block(s, slot, &k);
    check_begin(s->check, slot, &k);
}

/* A load that several were joined to is one for each of them. */
static bool watch_parts(struct sm *s, uint32_t slot, const struct check_access *all,
                        const uint32_t *pc)
{
    uint64_t addr[CHECK_LANES];
    struct check_access a = *all;
    bool found = false;

    a.vec = 1;
    a.addr = addr;
    for (uint32_t k = 0; k < all->vec; k++) {
        for (uint32_t lane = 0; lane < CHECK_LANES; lane++) {
            addr[lane] = all->addr[lane] + (uint64_t)k * all->size;
        }
        a.pc = pc[k];
        found |= check_access(s->check, slot, &a);
    }
    return found;
}

/* Lanes whose addresses are this device's: what peers write nobody has followed. */
static uint32_t own_lanes(const struct memory *m, const struct mem_req *r)
{
    uint32_t own = r->mask;

    for (uint32_t left = memory_has_peers(m) ? r->mask : 0; left != 0;
         left &= left - 1) {
        uint32_t lane = attr_lowest_bit(left);

        if (memory_find_own(m, r->addr[lane]) == NULL) {
            own &= ~(1u << lane);
        }
    }
    return own;
}

static struct check_teller teller(struct sm *s, uint32_t i)
{
    const struct warp *w = &s->warps.warp[i];

    return (struct check_teller){s->check, w->slot, block_warp(w), s};
}

void sm_found_race(void *sm)
{
    struct sm *const s = sm;

    sim_probe_fire(&s->p_race);
}

/* beyond: between blocks too */
static void fence(struct sm *s, uint32_t i, bool beyond)
{
    const struct check_teller by = teller(s, i);

    check_fence(s->check, by.slot, by.warp);
    check_tell_fence(s->shared->told, &by, beyond);
}

/* enum check_flag of a memory instruction. */
static uint8_t flags_of(const struct mem_req *r)
{
    const uint32_t f = r->uop->form.flags;

    return (uint8_t)((r->op != MEM_LOAD ? CHECK_WRITE : 0) |
                     (r->op >= MEM_ATOM ? CHECK_ATOMIC : 0) |
                     ((f & ISA_F_VOLATILE) != 0 ? CHECK_VOLATILE : 0) |
                     ((f & ISA_F_CTA) != 0 ? CHECK_CTA : 0));
}

/* SPEC CHECK-7: a flag is read when its answer comes, not when it is asked for. */
static void await_flag(struct sm *s, const struct mem_req *r, enum check_space space,
                       const struct check_access *a)
{
    const bool reads = (a->flags & (CHECK_ATOMIC | CHECK_WRITE)) != CHECK_WRITE;

    if (reads && (a->flags & (CHECK_ATOMIC | CHECK_VOLATILE)) != 0 &&
        r->op != MEM_RED) {
        check_await(s->check, r, space, a);
    }
}

void watch_access(struct sm *s, uint32_t i, const struct mem_req *r)
{
    const struct warp *w = &s->warps.warp[i];
    struct check_access a = {.mask = r->mask,
                             .pc = r->uop->named == 0 ? r->pc : r->uop->named - 1,
                             .warp = r->block_warp,
                             .flags = flags_of(r),
                             .size = r->size,
                             .vec = r->vec,
                             .cycle = s->warps.now,
                             .addr = r->addr,
                             .data = (const uint32_t(*)[CHECK_LANES])r->d};
    bool found = false;

    if (r->space == ISA_SP_SHARED && r->uop->parts != NULL) {
        found = watch_parts(s, w->slot, &a, r->uop->parts);
    } else if (r->space == ISA_SP_SHARED) {
        found = check_access(s->check, w->slot, &a);
        await_flag(s, r, CHECK_SHARED, &a);
    } else if (r->space == ISA_SP_LOCAL && !r->uop->inserts) {
        found = check_local(s->check, w->slot, &a);
    } else if (r->space == ISA_SP_GLOBAL) {
        const struct check_teller by = teller(s, i);

        a.mask = own_lanes(s->shared->memory, r);
        check_tell_access(s->shared->told, &by, &a);
        await_flag(s, r, CHECK_GLOBAL, &a);
    }
    if (found) {
        sim_probe_fire(&s->p_race);
    }
}

void watch_copy(struct sm *s, uint32_t i, const struct mem_req *r)
{
    const struct warp *w = &s->warps.warp[i];
    const struct check_access a = {.mask = r->mask,
                                   .pc = r->uop->named == 0 ? r->pc : r->uop->named - 1,
                                   .warp = r->block_warp,
                                   .flags = CHECK_WRITE | CHECK_ASYNC,
                                   .size = r->size,
                                   .vec = r->vec,
                                   .cycle = s->warps.now,
                                   .addr = r->addr,
                                   .data = (const uint32_t(*)[CHECK_LANES])r->d};

    if (check_copy(s->check, w->slot, &a)) {
        sim_probe_fire(&s->p_race);
    }
}

void watch_source(struct sm *s, uint32_t i, const struct mem_req *r)
{
    struct mem_req whole = *r;

    for (uint32_t m = r->mask; m != 0; m &= m - 1) {
        uint32_t lane = attr_lowest_bit(m);

        if (r->copy->bytes[lane] < 4u * r->vec) { /* of the others it is not asked */
            whole.mask &= ~(1u << lane);
        }
    }
    if (whole.mask != 0) {
        watch_access(s, i, &whole);
    }
}

void watch_group(struct sm *s, uint32_t i, uint32_t mask)
{
    const struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;

    if (u->form.sub != ISA_S_WAIT) {
        check_commit(s->check, w->slot, block_warp(w), mask);
    }
    if (u->form.sub != ISA_S_COMMIT) {
        check_copies_over(s->check, w->slot, block_warp(w), mask, (uint32_t)u->imm);
    }
}

void watch_mbarrier(struct sm *s, uint32_t i, const struct mem_req *r)
{
    const struct warp *w = &s->warps.warp[i];
    const enum isa_sub sub = (enum isa_sub)r->uop->form.sub;
    const bool writes = sub == ISA_S_INIT || sub == ISA_S_INVAL;
    const struct check_access a = {.mask = r->mask,
                                   .pc = r->uop->named == 0 ? r->pc : r->uop->named - 1,
                                   .warp = r->block_warp,
                                   .flags = (uint8_t)(CHECK_WRITE |
                                                      (writes ? 0 : CHECK_ATOMIC)),
                                   .size = r->size,
                                   .vec = 1,
                                   .cycle = s->warps.now,
                                   .addr = r->addr,
                                   .data = (const uint32_t(*)[CHECK_LANES])r->d};

    if (r->uop->kind == ISA_K_LATE) { /* who waits for the phase may read the copies */
        check_commit(s->check, w->slot, block_warp(w), r->mask);
        check_copies_over(s->check, w->slot, block_warp(w), r->mask, 0);
    }
    check_fence(s->check, w->slot, block_warp(w));
    if (check_access(s->check, w->slot, &a)) {
        sim_probe_fire(&s->p_race);
    }
}

/* SPEC CHECK-1: of the instructions in which lanes meet, bar.warp.sync alone orders
 * memory. Its member mask is its last operand. */
void watch_sync(struct sm *s, uint32_t i, uint32_t mask)
{
    const struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;

    if (mask != 0 && u->n_src != 0) {
        watch_met(s, i, u,
                  warp_operand(&w->lanes, u->src[u->n_src - 1])[attr_lowest_bit(mask)]);
    }
}

void watch_met(struct sm *s, uint32_t i, const struct isa_uop *u, uint32_t members)
{
    const struct warp *w = &s->warps.warp[i];

    if (u->n_src != 0 && u->form.sub == ISA_S_WARP) {
        check_sync(s->check, w->slot, block_warp(w), members);
    }
}

/* What a flag held is known when it is here: a fence that waits for that orders what
 * lies behind it then. */
void watch_fence(struct sm *s, uint32_t i)
{
    struct warp *w = &s->warps.warp[i];
    const bool beyond = w->head->imm != ISA_LEVEL_CTA;

    if (w->outstanding != 0) {
        w->hold |= HOLD_CHECKED | (beyond ? HOLD_BEYOND : 0u);
    } else {
        fence(s, i, beyond);
    }
}

void watch_answer(struct sm *s, const struct mem_req *r)
{
    const struct check_teller by = teller(s, r->warp);
    struct check_await answer;

    if (!check_answered(s->check, r, &answer)) {
        return;
    }
    answer.a.addr = answer.addr;
    if (answer.space == CHECK_SHARED) {
        check_reread(s->check, by.slot, &answer.a);
    } else {
        check_tell_answer(s->shared->told, &by, &answer.a);
    }
}

void watch_own_over(struct sm *s, uint32_t i)
{
    const uint32_t hold = s->warps.warp[i].hold;

    if ((hold & HOLD_CHECKED) != 0) {
        fence(s, i, (hold & HOLD_BEYOND) != 0);
    }
}

/* Between the blocks of a cluster it orders global memory. */
static void meet_cluster(struct sm *s, uint32_t i)
{
    const struct isa_cluster *const c = &s->warps.warp[i].env.cluster;
    const struct check_teller by = teller(s, i);

    if (c->size > 1) {
        check_tell_meet(s->shared->told, &by, isa_cluster_number(c));
    }
}

void watch_cluster_come(struct sm *s, uint32_t i)
{
    const struct warp *w = &s->warps.warp[i];

    fence(s, i, true);
    meet_cluster(s, i);
    check_arrive(s->check, w->slot, CHECK_CLUSTER, block_warp(w));
}

void watch_cluster_over(struct sm *s, uint32_t slot)
{
    check_cluster_over(s->check, slot);
}

void watch_cluster_leave(struct sm *s, uint32_t i)
{
    const struct warp *w = &s->warps.warp[i];

    meet_cluster(s, i);
    fence(s, i, true);
    check_leave(s->check, w->slot, CHECK_CLUSTER, block_warp(w), true);
}

void watch_exit(struct sm *s, uint32_t i)
{
    check_exit(s->check, s->warps.warp[i].slot, block_warp(&s->warps.warp[i]));
}

void watch_arrive(struct sm *s, uint32_t i, uint32_t barrier)
{
    const struct check_teller by = teller(s, i);

    check_arrive(s->check, by.slot, barrier, by.warp);
    check_tell_arrive(s->shared->told, &by);
}

void watch_release(struct sm *s, uint32_t slot, uint32_t barrier)
{
    const struct barrier *b = &s->block[slot].barrier[barrier];

    for (uint64_t m = b->waiting; m != 0; m &= m - 1) {
        const struct warp *w = &s->warps.warp[attr_lowest_bit(m)];

        check_leave(s->check, slot, barrier, block_warp(w), b->expected == 0);
    }
    check_complete(s->check, slot, barrier);
}
