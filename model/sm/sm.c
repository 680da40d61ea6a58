#include "sm/step.h"

#include "sm/access.h"
#include "sm/alone.h"
#include "sm/block.h"
#include "sm/bulk.h"
#include "sm/cluster.h"
#include "sm/copy.h"
#include "sm/issue.h"
#include "sm/left.h"
#include "sm/mbar.h"
#include "sm/watch.h"

/* The first cycle for an issue to a pipe: an instruction begins before its next
 * slot. */
static sim_cycle_t takes_at(const struct sm *s, const struct pipe *p)
{
    uint64_t end = p->free / PIPE_UNIT + 1;
    uint32_t slot = s->issue_interval;

    return end > slot ? end - slot : 0;
}

/* Is that later than now? */
static inline bool is_busy(const struct sm *s, const struct pipe *p)
{
    return p->free >= s->horizon;
}

/* Can the pipe of the class take an instruction now, and for memory, the LSU? */
static inline bool takes(struct sm *s, const struct slot *d, uint32_t class)
{
    return !is_busy(s, d->pipe[class]) &&
           (class != ISA_CL_MEM ||
            (s->warps.now >= d->mem_at && sim_out_ready_at(&s->to_lsu, s->warps.now)));
}

/* Warps whose next instruction, if they have one, is of the class. */
static inline uint64_t those_of(const struct sm *s, uint32_t class)
{
    return bits_where(s->warps.class_of, (uint8_t) class);
}

/* Warps that take the same pipe of the class as those of d. */
static inline uint64_t sharers(const struct slot *d, uint32_t class)
{
    return (d->alone >> class & 1u) != 0 ? d->own : UINT64_MAX;
}

/* Of the ready warps of d those whose instruction is taken now. */
static uint64_t those_taken(struct sm *s, const struct slot *d, uint64_t ready)
{
    for (uint32_t m = s->warps.used; m != 0; m &= m - 1) {
        uint32_t class = attr_lowest_bit(m);

        if (!takes(s, d, class)) {
            ready &= ~those_of(s, class);
        }
    }
    return ready;
}

/* Warps of the class, whose pipe takes nothing before some later cycle, are put aside
 * until then. */
static void park(struct sm *s, const struct slot *d, uint32_t class, uint64_t warps)
{
    sim_cycle_t at = takes_at(s, d->pipe[class]);

    warps &= sharers(d, class);
    s->parked |= warps & s->warps.ready;
    s->warps.ready &= ~warps;
    s->unpark_at = at < s->unpark_at ? at : s->unpark_at;
}

/* Lower at to the first cycle at which the pipe of the class takes an instruction, if
 * it is busy and one of these warps is ready and wants it. */
static inline sim_cycle_t awaited_at(const struct sm *s, const struct slot *d,
                                     uint32_t class, uint64_t warps, sim_cycle_t at)
{
    const struct pipe *p = d->pipe[class];

    if (is_busy(s, p) && (warps & s->warps.ready & sharers(d, class)) != 0) {
        sim_cycle_t free = takes_at(s, p);

        at = free < at ? free : at;
    }
    return at;
}

/* None of the ready warps of d has its instruction taken: the first cycle at which a
 * pipe takes one, of any scheduler's; SIM_CYCLE_NONE if only the LSU's credit is
 * missing. *credit_at is lowered to the cycle of that, if it is known; else it is
 * waited for. */
static ATTR_NOINLINE sim_cycle_t taken_at(struct sm *s, const struct slot *d,
                                          uint64_t ready, sim_cycle_t *credit_at)
{
    const uint64_t memory = those_of(s, ISA_CL_MEM); /* when it is crowded, all */
    const uint32_t others =
        (s->warps.ready & ~memory) != 0 ? s->warps.used & ~(1u << ISA_CL_MEM) : 0;
    sim_cycle_t at = awaited_at(s, d, ISA_CL_MEM, memory, s->unpark_at);

    for (uint32_t m = others; m != 0; m &= m - 1) {
        uint32_t class = attr_lowest_bit(m);

        at = awaited_at(s, d, class, those_of(s, class), at);
    }
    if (!is_busy(s, d->pipe[ISA_CL_MEM]) && (memory & ready) != 0) {
        if (!sim_out_ready_at(&s->to_lsu, s->warps.now)) {
            sim_cycle_t credit = sim_out_comes_at(&s->to_lsu);

            if (credit == SIM_CYCLE_NONE) {
                sim_out_wait(&s->to_lsu);
            }
            *credit_at = credit < *credit_at ? credit : *credit_at;
        } else if (d->mem_at < at) {
            at = d->mem_at;
        }
    }
    return at;
}

/* Warps that will not be ready soon, for the two-level policy. */
static uint64_t waiting_warps(const struct sm *s)
{
    uint64_t waiting = 0;

    for (uint32_t i = 0; i < s->warps.n; i++) {
        const struct warp *w = &s->warps.warp[i];
        bool far = (w->hold & (HOLD_FREE | HOLD_BARRIER | HOLD_CLUSTER | HOLD_OWN |
                               HOLD_FENCE_TIME)) != 0 ||
                   (w->pend_mem & w->need) != 0;

        waiting |= (uint64_t)far << i;
    }
    return waiting;
}

/* SPEC ISSUE-2, SCHED-2: warp i of d has issued an instruction of the class: what that
 * keeps d and the others from, and its place among those to memory. */
static void charge(struct sm *s, struct slot *d, uint32_t i, uint32_t class)
{
    const struct sm_config *c = &s->cfg.sm;
    sim_cycle_t now = s->warps.now;

    if (class == ISA_CL_MEM && c->mem_interval > 1) {
        d->mem_at = now + c->mem_interval;
    }
    if (class == ISA_CL_MEM && s->in_order) {
        policy_fifo_leave(s->fifo, i);
    }
    if (class != ISA_CL_FP64 || !c->fp64_blocks) {
        return;
    }
    for (uint32_t j = 0; j < s->n_scheds; j++) {
        struct slot *o = &s->slot[j];

        if (o != d) {
            if (UNLIKELY(s->warps.stalls)) {
                left_settle(s, o);
            }
            if (o->next_at != o->lent_to) {
                o->own_at = o->next_at;
            }
            o->next_at = (o->next_at > now ? o->next_at : now) + c->issue_interval;
            o->lent_to = o->next_at;
        }
    }
}

/* May what follows an instruction of this kind go with it? */
static bool pairs(enum isa_kind kind)
{
    switch (kind) {
    case ISA_K_ALU:
    case ISA_K_LOAD:
    case ISA_K_STORE:
    case ISA_K_LOAD_ROWS:
    case ISA_K_STORE_ROWS:
    case ISA_K_ATOM:
    case ISA_K_RED:
    case ISA_K_TEXTURE:
    case ISA_K_COPY:
    case ISA_K_BULK:
    case ISA_K_MBAR:
    case ISA_K_NOP: return true;
    case ISA_K_SEQ:
    case ISA_K_FENCE:
    case ISA_K_BAR:
    case ISA_K_BRANCH:
    case ISA_K_BRX:
    case ISA_K_CALL:
    case ISA_K_RET:
    case ISA_K_EXIT:
    case ISA_K_TRAP:
    case ISA_K_PRINTF:
    case ISA_K_GROUP:
    case ISA_K_CLUSTER:
    case ISA_K_LATE:
    case ISA_K_TX:
    case ISA_K_GMMA: break;
    }
    return false;
}

/* SPEC ISSUE-1: may the instruction behind first go with it, if its pipe is free? The
 * scoreboard knows by now what first will write. */
static bool has_second(const struct sm *s, uint32_t i, const struct isa_uop *first)
{
    return pairs((enum isa_kind)first->kind) && s->warps.warp[i].head == first + 1 &&
           (s->warps.ready >> i & 1u) != 0;
}

/* Issue of an instruction that may have a second one with it, or that keeps schedulers
 * from more than this slot. False: a second instruction was ready, but its pipe was
 * taken. */
static ATTR_NOINLINE bool issue_special(struct sm *s, uint32_t j, uint32_t i)
{
    struct slot *d = &s->slot[j];
    const struct warp *w = &s->warps.warp[i];
    const struct isa_uop *first = w->head;
    uint64_t second = UINT64_MAX;
    bool all = true;

    if (SIM_PROBES && UNLIKELY(s->shown)) {
        issue_and_tell(s, i);
    } else {
        issue(s, i);
    }
    charge(s, d, i, first->class);
    if (s->cfg.sm.issue_width == 1) {
        return true;
    }
    if (has_second(s, i, first)) {
        uint32_t class = s->warps.class_of[i];

        all = takes(s, d, class);
        if (all) {
            second = (uint64_t)w->launch << 32 | w->pc;
            s->taken |= 1u << class;
            d->taken |= 1u << class;
            w->stats->pairs++;
            w->stats->issue_cycles--; /* issue() counts it anew */
            if (SIM_PROBES && UNLIKELY(s->shown)) {
                show_count(s, i);
                issue_and_tell(s, i);
            } else {
                issue(s, i);
            }
            charge(s, d, i, class);
        }
    }
    sim_probe_set(&s->sched[j].p_second, second);
    return all;
}

/* The same as issue_from(), behind its beginning, while somebody watches. */
static ATTR_NOINLINE bool issue_shown(struct sm *s, struct slot *d, uint32_t i)
{
    uint32_t j = (uint32_t)(d - s->slot);

    show_issue(s, &s->sched[j], i);
    if ((s->special >> s->warps.class_of[i] & 1u) != 0) {
        return issue_special(s, j, i);
    }
    issue_and_tell(s, i);
    return true;
}

/* Scheduler j issues warp i. False: it would have issued more, had a shared pipe been
 * free. */
static inline bool issue_from(struct sm *s, struct slot *d, uint32_t i)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;

    if (UNLIKELY(s->warps.stalls)) {
        left_issue(s, d, w, i);
    }
    d->s.last = i;
    d->next_at = s->warps.now + s->issue_interval;
#if SIM_PROBES
    d->issued = u;
    if (UNLIKELY(s->shown)) {
        return issue_shown(s, d, i);
    }
#endif
    if (UNLIKELY((s->special >> s->warps.class_of[i] & 1u) != 0)) {
        return issue_special(s, (uint32_t)(d - s->slot), i);
    }
    issue_now(s, d, w, i, u);
    return true;
}

/* What waits at the port, or is under way to it, is looked at when it can be taken. */
static void look_again(struct sm *s, const struct sim_in *in)
{
    if (in->head != NULL && in->head->ready < s->arrives_at) {
        s->arrives_at = in->head->ready;
    }
}

static ATTR_INLINE void take_answers(struct sm *s, struct sim_in *in)
{
    while (mem_has_arrived(in, s->warps.now)) {
        struct mem_req *r = sim_take_head(in, s->warps.now);

        if (SIM_PROBES && UNLIKELY(s->shown)) {
            show_answer(s, r);
        }
        if (UNLIKELY(r->space == ISA_SP_CLUSTER)) {
            cluster_served(s, r);
        } else if (UNLIKELY(r->op != MEM_DRAIN && r->uop->kind >= ISA_K_COPY)) {
            if (mem_is_bulk(r)) {
                bulk_answer(s, r);
            } else {
                async_done(s, r);
            }
        } else {
            access_done(s, r);
        }
    }
    look_again(s, in);
}

/* Something has arrived: answers, or a block, of which one per cycle is placed if there
 * is room. */
static ATTR_NOINLINE void take_arrived(struct sm *s)
{
    s->arrives_at = SIM_CYCLE_NONE;
    take_answers(s, &s->from_smem);
    take_answers(s, &s->from_lsu);
    take_answers(s, &s->from_cbank);
    if (s->shared->has_net) {
        cluster_take(s);
    }
    if (UNLIKELY(s->to_arrive != 0)) {
        mbar_send_late(s);
    }
    if ((s->to_drain | s->drained) != 0) {
        block_send_drains(s);
        block_end_drained(s);
    }
    if (!s->full && s->warps.now >= s->block_at &&
        mem_has_arrived(&s->blocks, s->warps.now)) {
        s->full = !block_start(s, sim_peek(&s->blocks));
        if (!s->full) {
            (void)sim_take_head(&s->blocks, s->warps.now);
        }
    }
    if (mem_has_arrived(&s->blocks, s->warps.now)) {
        sim_cycle_t at = s->block_at > s->warps.now ? s->block_at : s->warps.now + 1;

        s->arrives_at = s->full || at > s->arrives_at ? s->arrives_at : at;
    } else {
        look_again(s, &s->blocks);
    }
}

enum { NO_WARP = UINT32_MAX };

/* The first one of the ready warps by a policy that does not remember. */
static inline uint32_t first_of(struct sm *s, struct slot *d, uint64_t ready)
{
    return LIKELY(s->policy == POLICY_ROUND_ROBIN) ? policy_round_robin(&d->s, ready)
           : LIKELY(s->policy == POLICY_GREEDY)    ? policy_greedy(&d->s, ready)
                                                   : s->pick(&d->s, ready, 0);
}

/* SPEC SCHED-2: warps of d that have become ready with an instruction to global or
 * local memory since it was asked last, those put aside among them, come. */
static inline void come(struct sm *s, const struct slot *d)
{
    const uint64_t ready = (s->warps.ready | s->parked) & d->own;
    const uint64_t far = ready & s->warps.far & ~s->fifo->in;

    if (UNLIKELY(far != 0)) {
        policy_fifo_come(s->fifo, &d->s, far);
    }
}

/* SPEC SCHED-2: the policy has chosen warp i of the ready ones. If those to global or
 * local memory have an order and i is one of them, it is the one that came first. */
static inline uint32_t in_order(const struct sm *s, uint32_t i, uint64_t ready)
{
    const uint64_t far = s->warps.far & ready;

    return UNLIKELY(s->in_order) && (far >> i & 1u) != 0
               ? policy_fifo_first(s->fifo, far)
               : i;
}

/* The warp of a scheduler that issues now, NO_WARP if none can: whatever the policy,
 * and when the pipe of the first is taken. The two-level policy remembers what it was
 * asked, and wants to know who waits. */
static ATTR_NOINLINE uint32_t choose_of_many(struct sm *s, struct slot *d,
                                             uint64_t ready)
{
    if (UNLIKELY(s->asks_once)) {
        ready = those_taken(s, d, ready);
        return ready == 0 ? NO_WARP
                          : in_order(s, s->pick(&d->s, ready, waiting_warps(s)), ready);
    }
    while (ready != 0) {
        uint32_t i = first_of(s, d, ready);
        uint32_t class = s->warps.class_of[i];
        uint64_t same;

        if (takes(s, d, class)) {
            return in_order(s, i, ready);
        }
        same = those_of(s, class);
        if (is_busy(s, d->pipe[class])) {
            park(s, d, class, same);
        }
        ready &= ~same;
    }
    return NO_WARP;
}

static inline uint32_t choose(struct sm *s, struct slot *d, uint64_t ready)
{
    if (UNLIKELY(s->in_order)) {
        come(s, d);
    }
    if (LIKELY(!s->asks_once)) {
        uint32_t i = first_of(s, d, ready);

        if (LIKELY(takes(s, d, s->warps.class_of[i]))) {
            return in_order(s, i, ready);
        }
    }
    return choose_of_many(s, d, ready);
}

/* Let every scheduler that may issue do so; returns when the next one may. Ahead of the
 * engine the SM may be stuck: what has been done of the cycle by then is not done again
 * when the engine is there. */
static inline sim_cycle_t issue_all(struct sm *s)
{
    struct slot *d = s->turn;
    /* who did not get a shared pipe or the LSU's credit comes first next time */
    struct slot *denied = NULL;
    sim_cycle_t next = SIM_CYCLE_NONE;

    for (uint32_t k = s->n_scheds; k != 0; k--) {
        uint64_t ready = s->warps.ready & d->own;
        sim_cycle_t at = d->next_at;

        if (((ready != 0) & (at <= s->warps.now)) != 0) {
            uint32_t i = choose(s, d, ready);

            if (LIKELY(i != NO_WARP)) {
                if (s->ahead && !alone_issues(s, i)) {
                    s->stuck = true;
                    return s->warps.now;
                }
                s->turn = issue_from(s, d, i) ? d->after : d;
                at = d->next_at;
                ready = s->warps.ready & d->own;
            } else if ((ready &= s->warps.ready) != 0) { /* not all are parked */
                at = taken_at(s, d, ready, &next);
                denied = at == SIM_CYCLE_NONE && denied == NULL ? d : denied;
            }
        }
        at = ready != 0 ? at : SIM_CYCLE_NONE;
        next = at < next ? at : next;
        d = d->after;
    }
    if (UNLIKELY(denied != NULL)) {
        s->turn = denied;
    }
    return s->unpark_at < next ? s->unpark_at : next;
}

/* All of the set that run. */
static ATTR_NOINLINE void show_warps(struct sm *s, uint64_t warps)
{
    for (uint64_t m = warps; m != 0; m &= m - 1) {
        warp_show(s, attr_lowest_bit(m));
    }
}

/* The cycle now. Returns the next one that has something to do, SIM_CYCLE_NONE: none
 * known. */
static inline sim_cycle_t step(struct sm *s, sim_cycle_t now)
{
    struct warps *ws = &s->warps;
    sim_cycle_t next, drain;
    uint64_t closely;

    ws->now = now;
    s->stuck = false;
    s->units = ws->now * PIPE_UNIT;
    s->horizon = s->units + s->issue_interval * PIPE_UNIT;
    if (ws->now >= s->unpark_at) {
        ws->ready |= s->parked;
        s->parked = 0;
        s->unpark_at = SIM_CYCLE_NONE;
    }
    closely = ring_drain(ws);
    if (SIM_PROBES && UNLIKELY(closely != 0) && s->shown) {
        show_warps(s, closely);
    }
    if (ws->now >= s->arrives_at) {
        take_arrived(s);
    }
    next = issue_all(s);
    if (UNLIKELY(ws->stalls) && !s->stuck) {
        left_end(s);
    }
    drain = ring_next(ws);
    next = drain < next ? drain : next;
    if (s->arrives_at > ws->now) {
        next = s->arrives_at < next ? s->arrives_at : next;
    }
    return next;
}

/* Observers may have come or gone. */
static ATTR_NOINLINE void look(struct sm *s)
{
    struct warps *ws = &s->warps;
    bool was_exact = ws->exact;

    s->looked = true;
    s->shown = show_is_watched(s);
    if (s->n_started == 0) {
        ws->stalls = s->shared->stalls;
        ws->sorts = ws->stalls || s->in_order;
    }
    ws->exact = s->shown || s->asks_once;
    if (ws->exact != was_exact) {
        ring_renew(ws, sim_cycle(s->clock));
        for (uint32_t i = 0; s->shown && i < ws->n; i++) {
            if ((ws->warp[i].hold & HOLD_FREE) == 0) {
                warp_show(s, i);
            }
        }
    }
}

/* The step in cycle here, the engine's, and those ahead of it that the SM may do by
 * itself. Returns the cycle of the next one, SIM_CYCLE_NONE: the engine knows of the
 * next, or there is none. */
static inline sim_cycle_t steps(struct sm *s, sim_cycle_t here)
{
    sim_cycle_t next = step(s, here), limit;

    if (next == SIM_CYCLE_NONE || (next >= s->wake_at && sim_pending(&s->wake))) {
        return SIM_CYCLE_NONE;
    }
    limit = alone_until(s, here);
    s->ahead = true;
    while (next <= limit && !s->stuck && alone_takes(s, next)) {
        next = step(s, next);
        next = s->stuck ? s->warps.now : next;
    }
    s->ahead = false;
    return next == SIM_CYCLE_NONE ? s->warps.now
                                  : next; /* the engine comes there too */
}

void sm_step(void *self)
{
    struct sm *s = self;
    sim_cycle_t next;

    if (UNLIKELY(!s->looked)) {
        look(s);
    }
    do {
        sim_cycle_t here = sim_cycle(s->clock);

        if (UNLIKELY(here < s->warps.now)) {
            return; /* it has been there, and wake is pending */
        }
        next = steps(s, here);
        if (next == SIM_CYCLE_NONE) {
            return;
        }
        s->wake_at = next;
    } while (sim_go_on(&s->wake, next));
}
