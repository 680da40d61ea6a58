/*
 * Borders: what passes between a domain and the whole, and ports across one.
 *
 * The queue of such a port is the receiver's and the sender's in turn, since they do
 * not run at the same time; the events of the other side are not, and wait as posts.
 */
#include "comp/comp.h"
#include "comp/comp_priv.h"

#include <string.h>

/* Credits on their way back: the receiver may have taken many times since the sender
 * looked, so that one batch does not do. out.returning are as many, the first of them
 * usable at out.returning_at. */
struct sim_far {
    uint32_t enough; /* see sim_bind_domains() */
    uint32_t first;  /* place in at */
    sim_cycle_t *at; /* a ring as long as the queue: usable from that cycle on */
    struct sim_border *border;
    struct sim_posts *forth, *back; /* to the receiver, to the sender */
};

struct sim_border *sim_border(struct sim *s)
{
    struct sim_border *b = s->border;

    if (b == NULL && s->whole != s) {
        b = sim_alloc(s, sizeof(*b));
        b->next = SIM_TIME_MAX;
        b->records.sim = s;
        s->border = b;
    }
    return b;
}

static void post(struct sim_border *b, struct sim_posts *p, struct sim_event *e,
                 sim_cycle_t at, const struct sim_in *marked)
{
    struct sim_post *mine;

    if (p->n == p->capacity) {
        size_t capacity = p->n == 0 ? 16 : 2 * p->n;
        struct sim_post *more = sim_alloc(p->sim, capacity * sizeof(*more));

        if (p->n > 0) {
            memcpy(more, p->post, p->n * sizeof(*more));
        }
        p->post = more;
        p->capacity = capacity;
    }
    mine = &p->post[p->n++];
    *mine = (struct sim_post){.event = e, .at = at};
    if (marked != NULL && marked->marks) {
        mine->mark = marked->mark;
        mine->bit = marked->mark_bit;
    }
    if (p == &b->in) {
        sim_time_t when = sim_edge(e->clock, at);

        b->next = when < b->next ? when : b->next;
    }
}

static void tell(struct sim_posts *p)
{
    for (size_t i = 0; i < p->n; i++) {
        sim_notify_at(p->post[i].event, p->post[i].at);
        if (p->post[i].mark != NULL) {
            *p->post[i].mark |= p->post[i].bit;
        }
    }
    p->n = 0;
}

void sim_border_enter(struct sim *domain)
{
    struct sim_border *b = domain->border;

    tell(&b->in);
    b->next = SIM_TIME_MAX;
}

void sim_border_leave(struct sim *domain)
{
    struct sim_border *b = domain->border;

    tell(&b->out);
    if (b->records.n > 0) {
        sim_hooks_deliver(sim_comp(domain), &b->records, domain->now);
    }
}

sim_time_t sim_border_next(const struct sim *domain)
{
    const struct sim_border *b = domain->border;

    return b != NULL ? b->next : SIM_TIME_MAX;
}

/* ---- ports ---- */

void sim_bind_domains(struct sim_out *o, struct sim_in *i, uint32_t latency,
                      uint32_t enough)
{
    struct sim *s = o->module->sim;
    struct sim_border *from = sim_border(s), *to = sim_border(i->module->sim);
    struct sim_far *f = sim_alloc(s, sizeof(*f));

    sim_port_bind(o, i, latency);
    if ((from == NULL) == (to == NULL)) {
        sim_port_panic(o->module, o->name, "a port between the whole and a domain");
    }
    f->enough = enough;
    f->at = sim_alloc(s, i->capacity * sizeof(f->at[0]));
    f->border = from != NULL ? from : to;
    f->forth = from != NULL ? &from->out : &to->in;
    f->back = from != NULL ? &from->in : &to->out;
    f->border->in.sim = s->whole; /* who posts it */
    f->border->out.sim = f->border->records.sim;
    o->apart = f;
    o->far = true;
    i->far = true;
}

void sim_far_send(struct sim_out *o, struct sim_txn *t, uint32_t extra)
{
    struct sim_far *f = o->apart;
    struct sim_in *i = o->peer;
    sim_cycle_t ready =
        sim_cycle_of(i->clock, o->module->sim->now) + o->latency + extra;

    if (sim_in_append(i, t, ready)) {
        sim_in_lower(i, ready);
        post(f->border, f->forth, &i->arrived, ready, i);
    }
    if (sim_out_credits(o) < f->enough) {
        sim_stop(o->module->sim);
    }
}

void sim_far_return(struct sim_in *i)
{
    struct sim_out *o = i->peer;
    struct sim_far *f = o->apart;
    sim_cycle_t at = sim_cycle_of(o->clock, i->module->sim->now) + 1;

    if (o->returning == 0) {
        o->returning_at = at;
    }
    f->at[(f->first + o->returning++) % i->capacity] = at;
    if (o->waiting) {
        o->waiting = false;
        post(f->border, f->back, &o->space, at, NULL);
    }
}

void sim_far_settle(struct sim_out *o)
{
    struct sim_far *f = o->apart;
    uint32_t capacity = o->peer->capacity;
    sim_cycle_t now = sim_cycle(o->clock);

    while (o->returning > 0 && f->at[f->first] <= now) {
        f->first = f->first + 1 == capacity ? 0 : f->first + 1;
        o->returning--;
        o->credits++;
    }
    o->returning_at = f->at[f->first];
}
