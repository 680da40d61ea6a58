#include "mem/l2_way.h"

void l2_way_init(struct l2_way *w, const struct sim_module *scope, uint32_t index,
                 uint32_t n, uint32_t spread)
{
    w->scope = scope;
    w->spread = spread;
    w->place = index * L2_WAY_PLACES / n;
    sim_event_init(&w->arrived, scope->sim, scope->clock, "way");
}

uint32_t l2_way_steps(const struct l2_way *w, uint32_t sm)
{
    uint32_t gpc = mem_gpc(sm, L2_WAY_GPCS);
    uint32_t place = L2_WAY_FIRST + L2_WAY_PLACES / L2_WAY_GPCS * gpc;
    uint32_t round = (w->place + 2 * L2_WAY_PLACES - place) % L2_WAY_PLACES;

    return round <= L2_WAY_STEPS ? round : L2_WAY_PLACES - round;
}

void l2_way_send(struct l2_way *w, struct mem_line *t)
{
    uint32_t steps = l2_way_steps(w, t->sm);
    uint32_t cycles = w->spread * steps / L2_WAY_STEPS;

    t->txn.ready = sim_here(w->scope) + (cycles == 0 ? 1 : cycles);
    mem_lines_append(&w->lines[steps], t);
    w->held++;
    sim_notify_at(&w->arrived, t->txn.ready); /* the earliest of all counts */
}

struct mem_line *l2_way_peek(struct l2_way *w, sim_cycle_t now)
{
    struct mem_line *first = NULL;

    if (w->held == 0) {
        return NULL;
    }
    for (uint32_t i = 0; i <= L2_WAY_STEPS; i++) {
        struct mem_line *t = w->lines[i].first;

        if (t != NULL && (first == NULL || t->txn.ready < first->txn.ready)) {
            first = t;
        }
    }
    if (first->txn.ready > now) {
        sim_notify_at(&w->arrived, first->txn.ready);
        return NULL;
    }
    return first;
}

void l2_way_take(struct l2_way *w, const struct mem_line *t)
{
    (void)mem_lines_take(&w->lines[l2_way_steps(w, t->sm)]);
    w->held--;
}
