#include "gpu/ahead.h"

#include "base/nomem.h"
#include "mem/l1.h"

/* What is known of an SM between its turns. A line of its own: threads write them. */
struct runner {
    ATTR_ALIGNED(64) struct sim *domain;
    struct sm *sm;
    sim_time_t next; /* no instant comes earlier, but for what waits at the border */
    sim_time_t due;  /* the earlier of the two */
    sim_time_t done; /* has run so far, this time included */
    bool holds;      /* a block */
    bool busy;       /* held one before the turns under way */
    bool ran;        /* in the turn under way */
    enum sim_status status; /* of that */
};

/* SMs side by side, mostly of one member of the team, near whom their state is then; he
 * and whoever has done his own take them one by one. */
struct share {
    ATTR_ALIGNED(64) _Atomic uint32_t next; /* to be taken in the turn under way */
    uint32_t first, end;
};

struct ahead {
    struct gpu *gpu;
    struct runner *runner; /* of each SM */
    struct smw_team team;
    struct share *share;    /* of each member of the team */
    _Atomic int no_memory;  /* it ran out in one of the team's threads */
    uint32_t lead;          /* cycles from the interconnect to an SM */
    enum sim_status broken; /* SIM_OVERFLOW, SIM_DELTA_LOOP; else SIM_REACHED */
    sim_time_t rest;        /* the next instant without SMs, or earlier */
    sim_time_t now, safe; /* the next instant anywhere; all SMs may go as far as safe */
    /* Of the turn under way: which SMs, and how far. */
    bool busy;
    sim_time_t until;
    sim_time_t far; /* SMs that have asked for nothing begin no instant behind it */
    sim_time_t end; /* nobody goes further */
};

/* Cycles from the next instant anywhere up to which an SM goes on by itself. */
enum { MOST_AHEAD = 1000 };

struct ahead *ahead_new(struct gpu *g, uint32_t lead, const struct smw_team *team)
{
    struct ahead *a = sim_alloc(g->sim, sizeof(*a));

    a->gpu = g;
    a->lead = lead;
    a->team = *team;
    a->broken = SIM_REACHED;
    a->runner = sim_alloc(g->sim, g->n_sms * sizeof(a->runner[0]));
    for (uint32_t i = 0; i < g->n_sms; i++) {
        a->runner[i].sm = g->sm[i];
        a->runner[i].domain = sm_scope(g->sm[i])->sim;
    }
    a->share = sim_alloc(g->sim, team->n * sizeof(a->share[0]));
    for (uint32_t m = 0; m < team->n; m++) {
        a->share[m].first = g->n_sms * m / team->n;
        a->share[m].end = g->n_sms * (m + 1) / team->n;
    }
    return a;
}

/* ---- turns of SMs, in whatever thread ---- */

/* Nothing can reach SM i but answers of the interconnect, on its way that long, when
 * what it asks for is asked from cycle now on. */
static bool leads(const struct ahead *a, uint32_t i, sim_cycle_t now)
{
    return sim_out_credits(sm_down(a->gpu->sm[i])) >= L1_SENDS &&
           gpu_unreached_until(a->gpu, i) >= now + a->lead;
}

static void run_sm(struct runner *r, sim_time_t until)
{
    if (sim_border_next(r->domain) <= until) {
        sim_border_enter(r->domain);
        r->next = sim_next(r->domain);
    }
    r->done = until;
    if (r->next > until) {
        return;
    }
    r->ran = true;
    r->status = sim_run_domain(r->domain, until);
    if (r->status == SIM_STOPPED) {
        r->done = sim_now(r->domain);
    }
    r->next = sim_next(r->domain);
    r->holds = sm_is_busy(r->sm);
}

/* SM i, which holds a block and has asked for nothing, has its next instant behind the
 * turn: no answer can reach it for `lead` cycles from then on. Returns how far it may
 * go on, 0: no further. */
static sim_time_t goes_on(const struct ahead *a, uint32_t i)
{
    const struct runner *r = &a->runner[i];
    sim_cycle_t next;
    sim_time_t until;

    if (!a->busy || (r->ran && r->status == SIM_STOPPED) || r->next > a->far ||
        !sm_is_alone(r->sm)) {
        return 0;
    }
    next = sim_cycle_of(&a->gpu->sm_clock, r->next);
    if (!leads(a, i, next)) {
        return 0;
    }
    until = sim_edge(&a->gpu->sm_clock, next + a->lead - 1);
    return until < a->end ? until : a->end;
}

/* What SM i does of the turn under way. */
static void run_turn(struct ahead *a, uint32_t i, sim_cycle_t now)
{
    struct runner *r = &a->runner[i];
    sim_time_t until;

    if (r->busy != a->busy || r->done >= a->until) {
        return;
    }
    until = leads(a, i, now) || a->until < a->safe ? a->until : a->safe;
    if (r->done < until) {
        run_sm(r, until);
    }
    for (until = goes_on(a, i); until > r->done; until = goes_on(a, i)) {
        run_sm(r, until);
    }
}

/* Member m of the team. */
struct member {
    struct ahead *a;
    uint32_t m;
};

/* His share of the turn, then what is left of the others'. */
static void run_shares(void *arg)
{
    const struct member *const x = arg;
    struct ahead *const a = x->a;
    const sim_cycle_t now = sim_cycle_of(&a->gpu->sm_clock, a->now);

    for (uint32_t k = 0; k < a->team.n; k++) {
        struct share *const s = &a->share[(x->m + k) % a->team.n];

        for (uint32_t i = s->next++; i < s->end; i = s->next++) {
            run_turn(a, i, now);
        }
    }
}

/* What member m of the team does of the turn, in a thread of its own. */
static void run_part(void *arg, uint32_t m)
{
    struct ahead *a = arg;

    if (!nomem_try(run_shares, &(struct member){a, m})) {
        a->no_memory = 1; /* for the thread that waits for all */
    }
}

/* ---- turns of all ---- */

/* G: the next instant anywhere, or earlier. */
static sim_time_t find_next(struct ahead *a)
{
    sim_time_t next = sim_next(a->gpu->sim);

    a->rest = next;
    for (uint32_t i = 0; i < a->gpu->n_sms; i++) {
        struct runner *r = &a->runner[i];
        sim_time_t border = sim_border_next(r->domain);

        r->due = r->next < border ? r->next : border;
        next = r->due < next ? r->due : next;
    }
    return next;
}

static sim_time_t edge_after(const struct sim_clock *c, sim_time_t t)
{
    return sim_edge(c, sim_cycle_of(c, t) + 1);
}

/* How far any SM may go when the next instant is at now: the rest acts at its own next
 * instant, or when the first message of an SM has reached it, and no SM hears of that
 * in the same instant. */
static sim_time_t find_safe(const struct ahead *a, sim_time_t until)
{
    sim_time_t icnt = edge_after(&a->gpu->icnt_clock, a->now);
    sim_time_t dispatcher = edge_after(&a->gpu->sm_clock, a->now);
    sim_time_t safe = icnt < dispatcher ? icnt : dispatcher;

    safe = a->rest < safe ? a->rest : safe;
    return safe < until ? safe : until;
}

/* How far SMs that lead may go when the next instant is at now, which all may reach. */
static sim_time_t find_lead(const struct ahead *a, sim_time_t until)
{
    const struct sim_clock *c = &a->gpu->sm_clock;
    sim_time_t lead = sim_edge(c, sim_cycle_of(c, a->now) + a->lead - 1);

    lead = lead > a->now ? lead : a->now;
    return lead < until ? lead : until;
}

static sim_time_t find_far(const struct ahead *a, sim_time_t until)
{
    const struct sim_clock *c = &a->gpu->sm_clock;
    sim_time_t far = sim_edge(c, sim_cycle_of(c, a->now) + MOST_AHEAD);

    return far < until ? far : until;
}

static void note_broken(struct ahead *a, enum sim_status status)
{
    if (status == SIM_OVERFLOW || status == SIM_DELTA_LOOP) {
        a->broken = status;
    }
}

/* A turn of the SMs that are busy, or of those that are not. What they send is told.
 * Returns what all of them have reached; there are some. */
static sim_time_t turn(struct ahead *a, bool busy, sim_time_t until)
{
    uint32_t n_due = 0;
    sim_time_t all = SIM_TIME_MAX;

    a->busy = busy;
    a->until = until;
    for (uint32_t i = 0; i < a->gpu->n_sms; i++) {
        struct runner *r = &a->runner[i];

        r->ran = false;
        n_due += r->busy == busy && r->due <= until;
    }
    for (uint32_t m = 0; m < a->team.n; m++) {
        a->share[m].next = a->share[m].first;
    }
    if (n_due > 1) {
        a->team.run(a->team.ctx, run_part, a);
    } else {
        run_part(a, 0);
    }
    if (a->no_memory != 0) {
        nomem();
    }
    for (uint32_t i = 0; i < a->gpu->n_sms; i++) {
        struct runner *r = &a->runner[i];

        if (r->ran) {
            note_broken(a, r->status);
            sim_border_leave(r->domain);
        }
        if (r->busy == busy) {
            all = r->done < all ? r->done : all;
        }
    }
    return all;
}

/* All SMs, with the next instant at a->now. Returns what all have reached. */
static sim_time_t run_sms(struct ahead *a, sim_time_t until)
{
    bool alone = dispatcher_resident(a->gpu->dispatcher) == 1;
    sim_time_t lead = find_lead(a, until);
    sim_time_t busy, rest;
    uint32_t n_busy = 0;

    a->safe = find_safe(a, lead);
    a->far = find_far(a, until);
    a->end = until;
    for (uint32_t i = 0; i < a->gpu->n_sms; i++) {
        a->runner[i].busy = alone && a->runner[i].holds;
        n_busy += a->runner[i].busy;
    }
    if (n_busy == 0) {
        return turn(a, false, a->now);
    }
    busy = turn(a, true, lead);
    if (n_busy == a->gpu->n_sms) {
        return busy;
    }
    rest = turn(a, false, busy < lead ? busy : lead);
    return rest < busy ? rest : busy;
}

static sim_time_t latest(const struct ahead *a)
{
    sim_time_t t = 0;

    for (uint32_t i = 0; i < a->gpu->n_sms; i++) {
        t = a->runner[i].done > t ? a->runner[i].done : t;
    }
    return t;
}

/* The last instant that ran anywhere. */
static sim_time_t last_instant(const struct ahead *a)
{
    sim_time_t t = sim_now(a->gpu->sim);

    for (uint32_t i = 0; i < a->gpu->n_sms; i++) {
        sim_time_t own = sim_now(a->runner[i].domain);

        t = own > t ? own : t;
    }
    return t;
}

/* Nothing is left up to t: it is t everywhere. */
static void meet(struct ahead *a, sim_time_t t)
{
    sim_pass(a->gpu->sim, t);
    for (uint32_t i = 0; i < a->gpu->n_sms; i++) {
        struct runner *r = &a->runner[i];

        sim_border_enter(r->domain);
        sim_pass(r->domain, t);
        r->done = t;
    }
}

/* Between runs the host may have told SMs something. */
static void look(struct ahead *a)
{
    for (uint32_t i = 0; i < a->gpu->n_sms; i++) {
        a->runner[i].next = sim_next(a->runner[i].domain);
    }
}

enum sim_status ahead_run(struct ahead *a, sim_time_t until, uint64_t max_instants)
{
    struct sim *whole = a->gpu->sim;
    const struct sim_counters *c = sim_counters(whole);
    uint64_t last = max_instants == 0 ? UINT64_MAX : c->instants + max_instants;
    enum sim_status end = SIM_REACHED; /* with which the run ends at until */

    sim_turns_lead_to(whole, until);
    if (sim_run_domain(whole, sim_now(whole)) == SIM_STOPPED) {
        return SIM_STOPPED;
    }
    look(a);
    for (;;) {
        enum sim_status status;

        a->now = find_next(a);
        if (a->now == SIM_TIME_MAX && end == SIM_REACHED) {
            meet(a, last_instant(a));
            return SIM_IDLE;
        }
        if (a->now > until) {
            meet(a, until);
            return end;
        }
        status = sim_run_domain(whole, run_sms(a, until));
        note_broken(a, status);
        if (a->broken != SIM_REACHED) {
            return a->broken;
        }
        if (end == SIM_REACHED && (status == SIM_STOPPED || c->instants >= last)) {
            end = status == SIM_STOPPED ? SIM_STOPPED : SIM_SLICE;
            until = latest(a);
        }
    }
}
