#include "comp/comp.h"
#include "comp/comp_priv.h"

#include <string.h>

void sim_in_init(struct sim_in *i, struct sim_module *m, const char *name,
                 const struct sim_proto *proto, uint32_t capacity)
{
    struct sim_in **tail = &m->ins;

    SIM_REQUIRE(m->sim, capacity >= 1 && capacity <= UINT16_MAX && m->clock != NULL,
                name);
    memset(i, 0, sizeof(*i));
    i->module = m;
    i->name = arena_strdup(&m->sim->arena, name);
    i->proto = proto;
    i->capacity = capacity;
    i->clock = m->clock;
    sim_event_init(&i->arrived, m->sim, m->clock, name);
    while (*tail != NULL) {
        tail = &(*tail)->next;
    }
    *tail = i;
}

void sim_out_init(struct sim_out *o, struct sim_module *m, const char *name,
                  const struct sim_proto *proto)
{
    struct sim_out **tail = &m->outs;

    SIM_REQUIRE(m->sim, m->clock != NULL, name);
    memset(o, 0, sizeof(*o));
    o->clock = m->clock;
    o->module = m;
    o->name = arena_strdup(&m->sim->arena, name);
    o->proto = proto;
    sim_event_init(&o->space, m->sim, m->clock, name);
    while (*tail != NULL) {
        tail = &(*tail)->next;
    }
    *tail = o;
}

void sim_in_tell(struct sim_in *i, sim_cycle_t *earliest)
{
    SIM_REQUIRE(i->module->sim, !i->module->sim->running, i->name);
    i->earliest = earliest;
}

void sim_in_polls(struct sim_in *i)
{
    SIM_REQUIRE(i->module->sim, !i->module->sim->running && i->earliest != NULL,
                i->name);
    i->polls = true;
}

void sim_in_serves(struct sim_in *i, sim_open_fn open, sim_serve_fn serve, void *self)
{
    SIM_REQUIRE(i->module->sim, !i->module->sim->running && !i->far, i->name);
    i->open = open;
    i->serve = serve;
    i->server = self;
}

void sim_in_mark(struct sim_in *i, uint64_t *set, uint32_t n)
{
    SIM_REQUIRE(i->module->sim, !i->module->sim->running && i->held == 0, i->name);
    i->marks = true;
    i->mark = &set[n / 64];
    i->mark_bit = (uint64_t)1 << n % 64;
}

void sim_port_panic(const struct sim_module *m, const char *port, const char *condition)
{
    char path[256];

    sim_panic(m->sim, condition, sim_port_path(m, port, path, sizeof(path)));
}

void sim_port_bind(struct sim_out *o, struct sim_in *i, uint32_t latency)
{
    if (o->peer != NULL) {
        sim_port_panic(o->module, o->name, "a port bound twice");
    }
    if (i->peer != NULL) {
        sim_port_panic(i->module, i->name, "a port bound twice");
    }
    if (o->proto != i->proto) {
        sim_port_panic(o->module, o->name, "ports of different protocols");
    }
    if (o->module->sim->whole != i->module->sim->whole || latency < 1) {
        sim_port_panic(o->module, o->name, "one simulation, a latency of at least 1");
    }
    o->peer = i;
    i->peer = o;
    o->latency = latency;
    o->credits = i->capacity;
}

void sim_bind(struct sim_out *o, struct sim_in *i, uint32_t latency)
{
    sim_port_bind(o, i, latency);
    if (o->module->sim != i->module->sim) {
        sim_port_panic(o->module, o->name, "ports of different domains");
    }
}

void sim_send_at(struct sim_out *o, void *t, sim_cycle_t cycle)
{
    const struct sim_in *i = o->peer;
    sim_cycle_t there = i->clock == o->clock
                            ? cycle
                            : sim_cycle_of(i->clock, sim_edge(o->clock, cycle));

    SIM_REQUIRE(i->module->sim, !o->far && cycle >= sim_cycle(o->clock), o->name);
    sim_send_later(o, t, (uint32_t)(there - sim_cycle(i->clock)));
}

uint32_t sim_in_level(const struct sim_in *i)
{
    SIM_REQUIRE(i->module->sim, !i->far, i->name);
    return i->fresh_at == i->module->sim->now ? i->held - i->fresh : i->held;
}
