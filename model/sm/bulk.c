#include "sm/bulk.h"

#include "base/bits.h"
#include "sm/access.h"
#include "sm/block.h"
#include "sm/bulk_ask.h"
#include "sm/fault.h"
#include "sm/mbar.h"
#include "sm/rank.h"
#include "sm/show.h"

#include <string.h>

static const struct sim_probe_desc probe_jobs = {
    .name = "copies",
    .kind = SIM_PROBE_LEVEL,
    .width = 12,
    .doc = "bulk copies that are not over",
    .unit = "copies",
    .views = "memory,warp",
};
static const struct sim_probe_desc probe_requests = {
    .name = "requests",
    .kind = SIM_PROBE_LEVEL,
    .width = 12,
    .doc = "their requests under way",
    .unit = "requests",
    .views = "memory",
};
static const struct sim_probe_desc probe_told = {
    .name = "told",
    .kind = SIM_PROBE_EVENT,
    .width = 1,
    .doc = "a bulk copy is there, and mbarriers are told",
    .views = "memory,warp",
};

struct bulk {
    struct sim_module scope;
    struct sim_process step;
    struct sim_event tick;
    struct sim_out out;
    struct sm *sm;
    struct sim_pool pool;          /* bulk_job */
    struct bulk_job *first, *last; /* in the order in which they began */
    struct bulk_job *current;      /* the first that has more to ask for; NULL: none */
    struct mem_reqs ready;         /* on their way to the LSU, before more is read */
    struct mem_reqs asked;         /* behind those: what reads, of earlier cycles */
    bool stepping;                 /* the engine's step makes requests, not the SM's */
    sim_cycle_t next_at;           /* of a request that reads */
    uint32_t under_way;            /* requests of data */
    int32_t later; /* to be added to under_way after the cycle later_at */
    sim_cycle_t later_at;
    struct sim_probe p_jobs, p_requests, p_told;
    /* NULL: in time; else it serves requests at once */
    void (*serve)(struct sm *s, uint32_t i, struct mem_req *r);
};

static void show(void *ctx)
{
    struct bulk *b = ctx;

    sim_probe_set(&b->p_jobs, b->sm->n_bulk);
    sim_probe_set(&b->p_requests, b->under_way);
}

static void show_now(struct bulk *b)
{
    if (b->serve == NULL && SIM_WATCHED(b->scope)) {
        show(b);
    }
}

/* ---- what the SM and the engine tell each other ---- */

/* In which order the two run in an instant is not to be seen: what the SM's step
 * changes counts for the engine from the next cycle on. */
static void wake(struct bulk *b)
{
    sim_notify_at(&b->tick, sim_cycle(b->sm->clock) + 1);
}

static void settle(struct bulk *b, sim_cycle_t now)
{
    if (b->later_at < now) {
        b->under_way += (uint32_t)b->later;
        b->later = 0;
        b->later_at = now;
    }
}

/* So many requests more are under way, or, below 0, fewer. */
static void count(struct bulk *b, int32_t more)
{
    settle(b, sim_cycle(b->sm->clock));
    b->later += more;
}

/* ---- requests go ---- */

/* r goes; of global memory it has the addresses that the program sees. */
static void send(struct sm *s, struct mem_req *r)
{
    struct bulk *b = s->bulk;

    if (b->serve != NULL) {
        b->serve(s, r->warp, r);
        bulk_answer(s, r);
        return;
    }
    access_close_gaps(s, r);
    r->retry_at = sim_cycle(s->clock) + 1;
    mem_reqs_append(b->stepping ? &b->asked : &b->ready, r);
    wake(b);
}

/* A copy of r, which has its place in shared memory, for the block of a rank. */
static void send_to_rank(struct sm *s, struct mem_req *r, uint32_t rank)
{
    const struct warp *w = &s->warps.warp[r->warp];

    if (rank == w->env.cluster.rank) {
        r->space = ISA_SP_SHARED;
        r->base = w->shared_base;
    } else {
        r->space = ISA_SP_CLUSTER;
        rank_aim(s, r->warp, rank, r);
    }
    send(s, r);
}

/* r, and as many like it as there are other blocks in j's ranks. */
static void send_to_ranks(struct sm *s, struct bulk_job *j, struct mem_req *r)
{
    uint32_t more = j->ranks & (j->ranks - 1); /* all but the lowest */
    const uint32_t rank = attr_lowest_bit(j->ranks);

    j->under_way += bits_count(more);
    for (; more != 0; more &= more - 1) {
        struct mem_req *q = sim_pool_take(&s->reqs);

        memcpy((char *)q + sizeof(q->txn), (const char *)r + sizeof(r->txn),
               sizeof(*r) - sizeof(r->txn));
        send_to_rank(s, q, attr_lowest_bit(more));
    }
    send_to_rank(s, r, rank);
}

/* ---- the end of a copy ---- */

/* SPEC BULK-3: is more than the n latest bulk groups of one of the lanes under way? */
static bool must_wait(const struct sm *s, uint32_t i, const struct bulk_wait *wait)
{
    const struct async *a = s->warps.warp[i].async;

    for (const struct bulk_job *j = s->bulk->first; j != NULL; j = j->next) {
        const bool over = wait->read && !bulk_has_more(j) && j->reading == 0;

        if (j->warp == i && (wait->lanes >> j->lane & 1u) != 0 && !over &&
            j->say->what == ISA_BULK_STORE &&
            a->bulk_commits[j->lane] - j->group > wait->groups) {
            return true;
        }
    }
    return false;
}

/* The warp's wait may be over. */
static void look_at_wait(struct sm *s, uint32_t i)
{
    struct warp *w = &s->warps.warp[i];

    if ((w->hold & HOLD_BULK) != 0 && !must_wait(s, i, &w->async->bulk_wait)) {
        w->hold &= ~(uint32_t)HOLD_BULK;
        warp_look(s, w, i);
    }
}

static void forget(struct bulk *b, struct bulk_job *j)
{
    struct bulk_job **at = &b->first, *before = NULL;

    while (*at != j) {
        before = *at;
        at = &before->next;
    }
    *at = j->next;
    b->last = b->last == j ? before : b->last;
    b->sm->n_bulk--;
    sim_pool_give(j);
}

static void finish(struct sm *s, struct bulk_job *j)
{
    const uint32_t i = j->warp, slot = j->slot;

    forget(s->bulk, j);
    s->block[slot].outstanding--;
    if (s->bulk->serve != NULL) {
        return;
    }
    look_at_wait(s, i);
    if (s->block[slot].outstanding == s->block[slot].posted) {
        block_finish(s, slot);
    }
}

/* One request of j fewer is under way. */
static void one_less(struct sm *s, struct bulk_job *j)
{
    struct mem_req *r;

    if (--j->under_way != 0 || bulk_has_more(j)) {
        return;
    }
    if (j->told) {
        finish(s, j);
        return;
    }
    j->told = true;
    if (s->bulk->serve == NULL) {
        sim_probe_fire(&s->bulk->p_told);
    }
    r = sim_pool_take(&s->reqs);
    bulk_tell(j, r);
    j->under_way++;
    send_to_ranks(s, j, r);
}

/* ---- answers ---- */

/* The data of r is here, or needs not be read. */
static void go_on(struct sm *s, struct bulk_job *j, struct mem_req *r)
{
    j->reading--;
    if (!bulk_turn(j, r)) {
        count(s->bulk, -1);
        sim_pool_give(r);
        one_less(s, j);
        return;
    }
    if (j->say->what == ISA_BULK_STORE) {
        send(s, r);
        if (s->bulk->serve == NULL) {
            look_at_wait(s, j->warp);
        }
        return;
    }
    count(s->bulk, (int32_t)bits_count(j->ranks) - 1);
    send_to_ranks(s, j, r);
}

void bulk_answer(struct sm *s, struct mem_req *r)
{
    struct bulk_job *j = bulk_job_of(r);
    struct bulk *b = s->bulk;

    if (r->space == ISA_SP_CLUSTER && r->away.lost) {
        fault_away(s, r->warp, r);
    }
    if (r->op == MEM_LOAD) {
        go_on(s, j, r);
    } else {
        count(b, r->uop->kind == ISA_K_BULK ? -1 : 0);
        if (r->uop->kind == ISA_K_TX && r->space == ISA_SP_SHARED && b->serve == NULL) {
            mbar_changed(s, &s->block[j->slot], r);
        }
        sim_pool_give(r);
        one_less(s, j);
    }
    if (b->serve == NULL && b->current != NULL) {
        wake(b);
    }
    show_now(b);
}

/* ---- the engine ---- */

/* The next request of j that reads. */
static void ask(struct sm *s, struct bulk_job *j)
{
    struct mem_req *r = sim_pool_take(&s->reqs);

    bulk_next(j, r);
    count(s->bulk, 1);
    s->warps.warp[j->warp].stats->bulk_requests++;
    if (r->mask == 0) { /* outside the tensor: a load, or a prefetch that has more */
        go_on(s, j, r);
        return;
    }
    r->base = s->warps.warp[j->warp].shared_base;
    send(s, r);
}

/* SPEC BULK-4: when the next request may leave. */
static sim_cycle_t pace(struct bulk *b)
{
    const struct bulk_config *c = &b->sm->cfg.bulk;
    const sim_cycle_t now = sim_here(&b->scope);
    struct bulk_job *j = b->current;
    const uint32_t interval =
        j->say->what == ISA_BULK_STORE ? c->store_interval : c->interval;

    if (bulk_has_more(j)) {
        return now + interval;
    }
    b->current = j->next;
    return (j->began_at > now ? j->began_at : now) < j->began_at + c->copy_interval
               ? j->began_at + c->copy_interval
               : now + interval;
}

/* False: some have to wait for a credit. */
static bool send_due(struct bulk *b, struct mem_reqs *list, sim_cycle_t now)
{
    while (list->first != NULL && list->first->retry_at <= now) {
        if (!sim_out_ready(&b->out)) {
            sim_out_wait(&b->out);
            return false;
        }
        sim_send(&b->out, mem_reqs_take(list));
    }
    return true;
}

static void bulk_step(void *self)
{
    struct bulk *b = self;
    const sim_cycle_t now = sim_here(&b->scope);

    settle(b, now);
    if (!send_due(b, &b->ready, now) || !send_due(b, &b->asked, now)) {
        return; /* a credit wakes us */
    }
    if (b->ready.first != NULL || b->later != 0) {
        wake(b);
    }
    if (b->current == NULL || b->under_way >= b->sm->cfg.bulk.requests) {
        return; /* an answer wakes us */
    }
    if (b->current->first == 0 && b->current->begun_at > b->next_at) {
        b->next_at = b->current->begun_at;
    }
    if (now >= b->next_at) {
        if (b->current->first == 0) {
            b->current->began_at = now;
        }
        b->stepping = true;
        ask(b->sm, b->current);
        b->stepping = false;
        b->next_at = pace(b);
    }
    if (b->current != NULL) {
        sim_notify_at(&b->tick, b->next_at > now ? b->next_at : now + 1);
    }
    show_now(b);
}

static void add(struct sm *s, struct bulk_job *j)
{
    struct bulk *b = s->bulk;

    j->next = NULL;
    if (b->first == NULL) {
        b->first = j;
    } else {
        b->last->next = j;
    }
    b->last = j;
    s->n_bulk++;
    s->block[j->slot].outstanding++;
}

/* ---- instructions ---- */

static void commit(struct async *a, uint32_t mask)
{
    for (uint32_t m = mask; m != 0; m &= m - 1) {
        a->bulk_commits[attr_lowest_bit(m)]++;
    }
}

static void wait_for_groups(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    struct async *a = async_of(&w->async);

    a->bulk_wait = (struct bulk_wait){mask, (uint32_t)w->head->imm,
                                      w->head->bulk->what == ISA_BULK_WAIT_READ};
    if (must_wait(s, i, &a->bulk_wait)) {
        w->hold |= HOLD_BULK;
    }
}

/* The copy that lane asks for, in *out; NULL: nothing to copy. False: a fault. */
static bool begin(struct sm *s, uint32_t i, uint32_t lane, struct bulk_job **out)
{
    struct bulk_job *j = sim_pool_take(&s->bulk->pool);
    const struct warp *w = &s->warps.warp[i];

    const bool fine = bulk_ask(s, i, lane, j);

    if (!fine || j->bytes == 0) {
        sim_pool_give(j);
        *out = NULL;
        return fine;
    }
    j->group = w->async->bulk_commits[lane];
    add(s, j);
    *out = j;
    return true;
}

bool bulk_issue(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    struct bulk *b = s->bulk;
    struct async *a = async_of(&w->async);

    if (w->head->bulk->what == ISA_BULK_COMMIT) {
        commit(a, mask);
        return true;
    }
    if (w->head->bulk->what > ISA_BULK_COMMIT) {
        wait_for_groups(s, i, mask);
        return true;
    }
    for (uint32_t m = mask; m != 0; m &= m - 1) {
        struct bulk_job *j;

        if (!begin(s, i, attr_lowest_bit(m), &j)) {
            return false;
        }
        if (j == NULL) {
            continue;
        }
        j->begun_at = s->warps.now + s->cfg.bulk.start +
                      (j->say->dims != 0 ? s->cfg.bulk.map_latency : 0);
        b->current = b->current == NULL ? j : b->current;
    }
    wake(b);
    show_now(b);
    return true;
}

bool bulk_run(struct sm *s, uint32_t i, uint32_t mask,
              void (*serve)(struct sm *s, uint32_t i, struct mem_req *r))
{
    const struct isa_uop *u = s->warps.warp[i].head;
    bool fine = true;

    (void)async_of(&s->warps.warp[i].async);
    s->bulk->serve = serve;
    for (uint32_t m = u->bulk->what >= ISA_BULK_COMMIT ? 0 : mask; m != 0 && fine;
         m &= m - 1) {
        struct bulk_job *j;

        fine = begin(s, i, attr_lowest_bit(m), &j);
        if (j != NULL) {
            j->under_way++; /* until all have been asked for */
            while (bulk_has_more(j)) {
                ask(s, j);
            }
            one_less(s, j);
        }
    }
    s->bulk->serve = NULL;
    return fine;
}

/* ---- construction ---- */

struct bulk *bulk_new(struct sm *s)
{
    struct sim *sim = s->scope.sim;
    struct bulk *b = sim_alloc(sim, sizeof(*b));

    b->sm = s;
    sim_module_init(&b->scope, sim, &s->scope, NULL, "bulk");
    sim_pool_init(&b->pool, sim, "bulk_job", sizeof(struct bulk_job));
    sim_out_init(&b->out, &b->scope, "lsu", &mem_req_proto);
    sim_event_init(&b->tick, sim, b->scope.clock, "tick");
    sim_process_init(&b->step, sim, "bulk", bulk_step, b);
    sim_wake_on(&b->step, &b->tick);
    sim_wake_on(&b->step, &b->out.space);
    sim_module_shows(&b->scope, show, b);
    sim_probe_init(&b->p_jobs, &b->scope, &probe_jobs, NULL, 0);
    sim_probe_init(&b->p_requests, &b->scope, &probe_requests, NULL, 0);
    sim_probe_init(&b->p_told, &b->scope, &probe_told, NULL, 0);
    return b;
}

struct sim_out *bulk_out(struct bulk *b)
{
    return &b->out;
}
