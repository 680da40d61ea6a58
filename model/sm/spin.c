#include "sm/spin.h"

#include "base/nomem.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers that stand for states ---- */

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}

static uint64_t mix_words(uint64_t h, const uint32_t *w, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        h = mix(h, w[i]);
    }
    return h;
}

static uint64_t mix_stack(uint64_t h, const struct simt *simt)
{
    for (uint32_t i = 0; i < simt->n; i++) {
        const struct simt_entry *e = &simt->e[i];

        h = mix(h, (uint64_t)e->pc << 32 | e->reconv);
        h = mix(h, (uint64_t)e->slot << 32 | e->pred);
        h = mix(h, (uint64_t)e->mask << 32 | (uint32_t)e->depth << 2 |
                       (uint32_t)e->call << 1 | e->yielded);
    }
    return h;
}

/* Lanes that wait, and for whom. */
static uint64_t mix_waiting(uint64_t h, const struct warp *w)
{
    h = mix(h, (uint64_t)w->parked << 32 | w->barring);
    h = mix(h, (uint64_t)w->barrier_mask << 32 | w->cluster_come);
    if (w->turns != NULL) {
        h = mix(h, (uint64_t)w->turns->syncing << 32 | w->turns->met);
        h = mix_words(h, w->turns->members, ISA_LANES);
    }
    return w->async == NULL ? h : mix(h, w->async->asleep);
}

/* What is under way brings what was at the addresses read last. */
static uint64_t mix_reads(uint64_t h, const struct spin_warp *p)
{
    const uint64_t n = p->n_reads < SPIN_READS ? p->n_reads : SPIN_READS;

    for (uint64_t k = 0; k < n; k++) {
        h = mix(h, p->read[(p->n_reads - 1 - k) % SPIN_READS].key);
    }
    return h;
}

enum { HELD = HOLD_BARRIER | HOLD_CLUSTER }; /* by others, not for a time */

static uint64_t state_of(const struct warp *w, const struct spin_warp *p)
{
    uint64_t h = mix(w->pc, (uint64_t)w->active << 32 | w->live);

    h = mix_words(h, w->reg, (size_t)w->n_slots * ISA_LANES);
    h = mix_words(h, w->pred, w->n_preds);
    h = mix(mix(h, w->pend_mem), (uint64_t)w->pend_mem_p << 32 | w->replay);
    h = mix(h, w->hold & HELD);
    h = mix_waiting(mix_stack(h, &w->simt), w);
    return (w->pend_mem | w->pend_mem_p) == 0 ? h : mix_reads(h, p);
}

/* More under way than is remembered, or a printf between its parts. */
static bool is_unclear(const struct warp *w)
{
    return (w->hold & HOLD_SYSCALL) != 0 ||
           ((w->pend_mem | w->pend_mem_p) != 0 && w->outstanding > SPIN_READS);
}

static void stands_at(struct spin_warp *p, uint32_t pc)
{
    p->first_pc = pc < p->first_pc ? pc : p->first_pc;
    p->last_pc = pc > p->last_pc ? pc : p->last_pc;
}

static void note_state(struct sm *s, uint32_t i)
{
    const struct warp *w = &s->warps.warp[i];
    struct spin_warp *p = &s->spin->warp[i];
    struct spin_state now;

    stands_at(p, w->pc);
    if (p->waits && (w->hold & HELD) == 0) {
        p->again = p->waits = false;
    }
    if (p->again || p->n_states == SPIN_STATES || is_unclear(w)) {
        return;
    }
    now = (struct spin_state){state_of(w, p), p->issues};
    for (uint32_t k = 0; k < p->n_states && !p->again; k++) {
        p->waits = p->state[k].hash == now.hash && p->state[k].issues == now.issues &&
                   (w->hold & HELD) != 0;
        p->again = p->waits ||
                   (p->state[k].hash == now.hash && p->state[k].issues != now.issues);
    }
    p->state[p->n_states++] = now;
}

/* ---- what kernels could see ---- */

static bool op_changes(const struct isa_uop *u)
{
    switch ((enum isa_op)u->form.op) {
    case ISA_OP_SUST:
    case ISA_OP_SURED: return true;
    case ISA_OP_MBARRIER: return u->form.sub != ISA_S_TEST && u->form.sub != ISA_S_TRY;
    default: return false;
    }
}

static bool may_change(const struct isa_uop *u)
{
    switch ((enum isa_kind)u->kind) {
    case ISA_K_COPY:
    case ISA_K_BULK:
    case ISA_K_LATE:
    case ISA_K_GMMA:
    case ISA_K_TX:
    case ISA_K_TRAP:
    case ISA_K_EXIT: return true;
    case ISA_K_BAR: return u->form.sub != ISA_S_SYNC && u->form.sub != ISA_S_ARRIVE;
    case ISA_K_MBAR:
    case ISA_K_TEXTURE: return op_changes(u);
    case ISA_K_ALU:
    case ISA_K_SEQ:
    case ISA_K_LOAD:
    case ISA_K_STORE:
    case ISA_K_LOAD_ROWS:
    case ISA_K_STORE_ROWS:
    case ISA_K_ATOM:
    case ISA_K_RED: /* spin_access() sees these */
    case ISA_K_FENCE:
    case ISA_K_BRANCH:
    case ISA_K_BRX:
    case ISA_K_CALL:
    case ISA_K_RET:
    case ISA_K_PRINTF:
    case ISA_K_GROUP:
    case ISA_K_CLUSTER:
    case ISA_K_NOP: break;
    }
    return false;
}

static void note_read(struct sm *s, uint32_t i, const struct mem_req *r)
{
    struct spin_warp *p = &s->spin->warp[i];
    struct spin_read *at = &p->read[p->n_reads++ % SPIN_READS];
    const uint32_t lane = attr_lowest_bit(r->mask);

    *at = (struct spin_read){.key = mix(r->pc, r->mask),
                             .addr = r->addr[lane],
                             .pc = r->pc,
                             .space = r->space,
                             .size = r->size,
                             .lane = (uint8_t)lane,
                             .cached = r->space == ISA_SP_GLOBAL && r->op == MEM_LOAD &&
                                       !r->bypass_l1};
    for (uint32_t m = r->mask; m != 0; m &= m - 1) {
        at->key = mix(at->key, r->addr[attr_lowest_bit(m)]);
    }
    stands_at(p, r->pc);
}

void spin_issue(struct sm *s, uint32_t i, uint32_t mask)
{
    const struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    struct spin_warp *p = &s->spin->warp[i];

    p->issues += w->replay == 0; /* once, however often it is tried */
    if (p->waits) {              /* not for ever */
        p->again = p->waits = false;
    }
    if (mask == 0) {
        return;
    }
    s->spin->changed |= may_change(u);
    if (u->kind == ISA_K_MBAR && u->form.space == ISA_SP_SHARED) {
        struct mem_req r = {.mask = mask,
                            .pc = w->pc,
                            .space = ISA_SP_SHARED,
                            .size = u->size};

        isa_addresses(u, &w->lanes, mask, r.addr);
        note_read(s, i, &r);
    }
}

const uint8_t *sm_shared_bytes(const struct sm *s, uint32_t warp)
{
    return (const uint8_t *)smem_words(s->smem) + s->warps.warp[warp].shared_base;
}

/* Global and shared memory say themselves whether a value changed. */
void spin_access(struct sm *s, uint32_t i, const struct mem_req *r)
{
    note_read(s, i, r);
    s->spin->changed |=
        r->op != MEM_LOAD && (r->space == ISA_SP_LOCAL || r->space == ISA_SP_CLUSTER ||
                              s->shared->spares || r->uop->kind == ISA_K_STORE_ROWS);
}

/* ---- for the owner ---- */

void sm_spin_begin(struct sm *s)
{
    s->spin = nomem_calloc(1, sizeof(*s->spin));
    s->spin->changed = s->n_copies != 0 || s->n_bulk != 0 || s->to_arrive != 0;
    smem_watch(s->smem, true);
    for (uint32_t i = 0; i < WARP_MAX; i++) {
        s->spin->warp[i].first_pc = UINT32_MAX;
    }
}

void sm_spin_end(struct sm *s)
{
    if (s->spin != NULL) {
        smem_watch(s->smem, false);
    }
    free(s->spin);
    s->spin = NULL;
}

/* Arrivals at barriers of clusters stay under way until these are over. */
void sm_spin_settle(struct sm *s)
{
    s->spin->began = sim_cycle(s->clock) + 1;
    s->spin->older = sm_live_reqs(s);
    for (uint32_t i = 0; i < s->n_slots; i++) {
        s->spin->older -= s->block[i].cluster_sent;
    }
}

bool sm_spin_released(const struct sm *s)
{
    return s->released.head != NULL;
}

bool sm_spin_changed(struct sm *s)
{
    ring_settle(&s->warps, sim_cycle(s->clock));
    return s->spin->changed || smem_changed(s->smem);
}

bool sm_spin_all(struct sm *s)
{
    bool all = true;

    for (uint32_t i = 0; i < s->warps.n; i++) {
        if ((s->warps.warp[i].hold & HOLD_FREE) == 0) {
            note_state(s, i);
            all &= s->spin->warp[i].again;
        }
    }
    return all;
}

bool sm_spin_settled(const struct sm *s)
{
    return s->spin->older == 0;
}

/* Is it in the ring for the first time, seen from the latest on? */
static bool is_new(const struct spin_warp *p, uint64_t k)
{
    const uint32_t pc = p->read[(p->n_reads - 1 - k) % SPIN_READS].pc;

    for (uint64_t j = 0; j < k; j++) {
        if (p->read[(p->n_reads - 1 - j) % SPIN_READS].pc == pc) {
            return false;
        }
    }
    return true;
}

void sm_spin_each(const struct sm *s,
                  void (*fn)(void *ctx, const struct sm_spin_read *r), void *ctx)
{
    for (uint32_t i = 0; i < s->warps.n; i++) {
        const struct warp *w = &s->warps.warp[i];
        const struct spin_warp *p = &s->spin->warp[i];
        const uint64_t n = p->n_reads < SPIN_READS ? p->n_reads : SPIN_READS;

        if ((w->hold & (HOLD_FREE | HELD)) != 0) {
            continue;
        }
        for (uint64_t k = 0; k < n; k++) {
            const struct spin_read *at = &p->read[(p->n_reads - 1 - k) % SPIN_READS];

            if (is_new(p, k)) {
                fn(ctx, &(struct sm_spin_read){.launch = w->launch,
                                               .warp = i,
                                               .slot = w->slot,
                                               .sm = s->index,
                                               .first_pc = p->first_pc,
                                               .last_pc = p->last_pc,
                                               .pc = at->pc,
                                               .addr = at->addr,
                                               .space = at->space,
                                               .size = at->size,
                                               .cached = at->cached,
                                               .split = w->simt.n > 1});
            }
        }
    }
}
