/*
 * engine_systemc.cpp - the rows of engine_rows.h on SystemC, the same programs. What
 * runs here is measured beside engine_bench.c by engine_bench.sh.
 */
#include "engine_rows.h"

#include <deque>
#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/peq_with_get.h>
#include <vector>

using namespace sc_core;

namespace
{

uint64_t count; /* events so far */
uint64_t param;

sc_time ps(uint64_t n)
{
    return sc_time::from_value(n); /* the resolution is a picosecond */
}

std::string numbered(const char *name, uint32_t i)
{
    return std::string(name) + std::to_string(i);
}

/* ---- hold, clocked ---- */

struct holder : sc_module {
    sc_event event;
    uint64_t rand;
    uint64_t tick; /* ps of the unit */
    holder *other = nullptr;

    holder(const sc_module_name &name, uint32_t i, uint64_t unit)
        : sc_module(name), rand(bench_seed(i)), tick(unit)
    {
    }

    void draw()
    {
        event.notify(ps(bench_draw(&rand, param) * tick));
    }

    void hold()
    {
        count++;
        draw();
    }

    void own()
    {
        count++;
        event.notify(ps(tick));
    }

    void counted()
    {
        count++;
    }

    void just_tick()
    {
        event.notify(ps(tick));
    }

    /* rand: bit 0 the place in the pair, above it the steps made. */
    void paired()
    {
        count++;
        rand += 2;
        if ((rand >> 1) % (BENCH_DELTAS / 2) == 0 && (rand & 1) != 0) {
            other->event.notify(ps(tick));
        } else {
            other->event.notify(SC_ZERO_TIME);
        }
    }
};

/* The kinds of holder differ in their method, which is registered at construction. */
template <void (holder::*RUN)()> struct holds : holder {
    SC_HAS_PROCESS(holds);
    holds(const sc_module_name &name, uint32_t i, uint64_t unit, const sc_event *on,
          sc_clock *clock)
        : holder(name, i, unit)
    {
        SC_METHOD(run);
        dont_initialize();
        if (clock != nullptr) {
            sensitive << clock->posedge_event();
        } else {
            sensitive << (on != nullptr ? *on : event);
        }
    }
    void run()
    {
        (this->*RUN)();
    }
};

template <void (holder::*RUN)()>
std::vector<holder *> make_holders(uint32_t k, uint64_t unit,
                                   const sc_event *on = nullptr,
                                   sc_clock *clock = nullptr)
{
    std::vector<holder *> v;

    for (uint32_t i = 0; i < k; i++) {
        v.push_back(new holds<RUN>(numbered("h", i).c_str(), i, unit, on, clock));
    }
    return v;
}

void build_hold(uint32_t k, uint64_t unit)
{
    for (holder *h : make_holders<&holder::hold>(k, unit)) {
        h->draw();
    }
}

void build_hold_ps(uint32_t k)
{
    build_hold(k, 1);
}

void build_hold_cy(uint32_t k)
{
    build_hold(k, BENCH_PS_1);
}

void build_own(uint32_t k)
{
    for (holder *h : make_holders<&holder::own>(k, BENCH_PS_1)) {
        h->just_tick();
    }
}

void build_mixed(uint32_t k)
{
    static const uint64_t periods[3] = {BENCH_PS_1, BENCH_PS_2, BENCH_PS_3};

    for (uint32_t i = 0; i < k; i++) {
        holder *h = new holds<&holder::own>(numbered("h", i).c_str(), i, periods[i % 3],
                                            nullptr, nullptr);

        h->just_tick();
    }
}

void build_shared(uint32_t k)
{
    holder *t = new holds<&holder::just_tick>("tick", 0, BENCH_PS_1, nullptr, nullptr);

    make_holders<&holder::counted>(k, 0, &t->event);
    t->just_tick();
}

void build_clocked(uint32_t k)
{
    sc_clock *c = new sc_clock("clock", ps(BENCH_PS_1), 0.5, ps(BENCH_PS_1), true);

    make_holders<&holder::counted>(k, 0, nullptr, c);
}

void build_delta(uint32_t k)
{
    std::vector<holder *> h = make_holders<&holder::paired>(k + (k & 1), BENCH_PS_1);

    for (uint32_t i = 0; i < h.size(); i++) {
        h[i]->rand = i & 1;
        h[i]->other = h[i ^ 1];
        if ((i & 1) == 0) {
            h[i]->just_tick();
        }
    }
}

/* ---- signals ---- */

typedef sc_signal<uint64_t, SC_UNCHECKED_WRITERS> wire;

struct link : sc_module {
    wire signal;
    sc_event again; /* the next cycle goes on from here */
    link *next = nullptr;
    bool paused = false;

    SC_HAS_PROCESS(link);
    explicit link(const sc_module_name &name) : sc_module(name)
    {
        SC_METHOD(pass);
        dont_initialize();
        sensitive << signal.value_changed_event() << again;
    }

    void pass()
    {
        uint64_t v = signal.read() + 1;

        if (!paused) {
            count++;
            if (v % BENCH_DELTAS == 0) {
                paused = true;
                again.notify(ps(BENCH_PS_1));
                return;
            }
        }
        paused = false;
        next->signal.write(v);
    }
};

std::vector<link *> links(uint32_t k)
{
    std::vector<link *> l;

    for (uint32_t i = 0; i < k; i++) {
        l.push_back(new link(numbered("l", i).c_str()));
    }
    for (uint32_t i = 0; i < k; i++) {
        l[i]->next = l[(i + 1) % k];
    }
    return l;
}

void build_ripple(uint32_t k)
{
    links(k)[0]->signal.write(1);
}

void build_wave(uint32_t k)
{
    for (link *l : links(k)) {
        l->signal.write(1);
    }
}

/* ---- ports ---- */

struct message {
    message *next;
    uint64_t payload[4];
};

struct port_shape {
    uint32_t latency, burst, capacity;
    uint64_t from_ps, to_ps;
    bool publish, watched;
};

struct pair : sc_module {
    port_shape shape;
    tlm_utils::peq_with_get<message> queue;
    sc_event go, space;
    message *free = nullptr;
    std::deque<message> made;
    uint32_t credits, returning = 0;
    uint64_t returning_at = 0; /* ps */
    bool waiting = false;
    uint64_t taken = 0, sum = 0;
    wire seen;

    SC_HAS_PROCESS(pair);
    pair(const sc_module_name &name, const port_shape &s)
        : sc_module(name), shape(s), queue("queue"), credits(s.capacity)
    {
        SC_METHOD(send);
        dont_initialize();
        sensitive << go << space;
        SC_METHOD(take);
        dont_initialize();
        sensitive << queue.get_event();
        if (s.watched) {
            SC_METHOD(watch);
            dont_initialize();
            sensitive << seen.value_changed_event();
        }
    }

    static uint64_t now()
    {
        return sc_time_stamp().value();
    }

    /* Time of the n-th edge of a period from now on, strictly later. */
    static uint64_t edge(uint64_t period, uint64_t n)
    {
        return (now() / period + n) * period;
    }

    message *from_pool()
    {
        message *m = free;

        if (m == nullptr) {
            made.emplace_back();
            return &made.back();
        }
        free = m->next;
        return m;
    }

    void settle()
    {
        if (returning > 0 && returning_at <= now()) {
            credits += returning;
            returning = 0;
        }
    }

    void wait_for_credit()
    {
        settle();
        if (returning > 0) {
            space.notify(ps(returning_at - now()));
        } else {
            waiting = true;
        }
    }

    void send()
    {
        for (uint32_t i = 0; i < shape.burst; i++) {
            message *m;

            if (credits == 0) {
                settle();
            }
            if (credits == 0) {
                wait_for_credit();
                return;
            }
            credits--;
            m = from_pool();
            m->payload[0] = i;
            queue.notify(*m, ps(edge(shape.to_ps, shape.latency) - now()));
        }
        go.notify(ps(shape.burst * shape.from_ps));
    }

    void take()
    {
        message *m;

        while ((m = queue.get_next_transaction()) != nullptr) {
            count++;
            taken++;
            m->next = free;
            free = m;
            settle();
            returning++;
            returning_at = edge(shape.from_ps, 1);
            if (waiting) {
                waiting = false;
                space.notify(ps(returning_at - now()));
            }
        }
        if (shape.publish) {
            seen.write(taken);
        }
    }

    void watch()
    {
        sum += now() + seen.read();
    }
};

void build_pairs(uint32_t k, uint32_t latency, uint32_t burst, uint32_t capacity,
                 bool cross = false, bool publish = false, bool watched = false)
{
    port_shape s = {latency,
                    burst,
                    capacity,
                    BENCH_PS_1,
                    cross ? (uint64_t)BENCH_PS_2 : (uint64_t)BENCH_PS_1,
                    publish,
                    watched};

    for (uint32_t i = 0; i < k; i++) {
        (new pair(numbered("p", i).c_str(), s))->go.notify(ps(BENCH_PS_1));
    }
}

void build_port_1(uint32_t k)
{
    build_pairs(k, 1, 1, 4);
}

void build_port_8(uint32_t k)
{
    build_pairs(k, 8, 1, 16);
}

void build_port_burst(uint32_t k)
{
    build_pairs(k, 1, 8, 16);
}

void build_port_credit(uint32_t k)
{
    build_pairs(k, 1, 1, 1);
}

void build_port_cross(uint32_t k)
{
    build_pairs(k, 1, 1, 4, true);
}

void build_port_line(uint32_t k)
{
    build_pairs(1, k, 1, k + 4);
}

void build_probe_off(uint32_t k)
{
    build_pairs(k, 1, 1, 4, false, true);
}

void build_probe_on(uint32_t k)
{
    build_pairs(k, 1, 1, 4, false, true, true);
}

/* ---- transactions without credits ---- */

typedef tlm::tlm_generic_payload payload;

struct end_cb : sc_module {
    tlm_utils::peq_with_cb_and_phase<end_cb> queue;
    uint64_t rand = 0, unit;

    end_cb(const sc_module_name &name, uint64_t u)
        : sc_module(name), queue(this, &end_cb::end), unit(u)
    {
    }

    void put(payload &p)
    {
        queue.notify(p, tlm::BEGIN_REQ, ps(bench_draw(&rand, param) * unit));
    }

    void end(payload &p, const tlm::tlm_phase &)
    {
        count++;
        put(p);
    }
};

struct end_get : sc_module {
    tlm_utils::peq_with_get<payload> queue;
    uint64_t rand = 0, unit;

    SC_HAS_PROCESS(end_get);
    end_get(const sc_module_name &name, uint64_t u)
        : sc_module(name), queue("queue"), unit(u)
    {
        SC_METHOD(end);
        dont_initialize();
        sensitive << queue.get_event();
    }

    void put(payload &p)
    {
        queue.notify(p, ps(bench_draw(&rand, param) * unit));
    }

    void end()
    {
        payload *p;

        while ((p = queue.get_next_transaction()) != nullptr) {
            count++;
            put(*p);
        }
    }
};

template <class END> void build_queue(uint32_t k, uint64_t unit)
{
    END *e = new END("end", unit);

    for (uint32_t i = 0; i < k; i++) {
        e->put(*new payload);
    }
}

void build_txn_cb_ps(uint32_t k)
{
    build_queue<end_cb>(k, 1);
}

void build_txn_get_ps(uint32_t k)
{
    build_queue<end_get>(k, 1);
}

void build_txn_cb_cy(uint32_t k)
{
    build_queue<end_cb>(k, BENCH_PS_1);
}

void build_txn_get_cy(uint32_t k)
{
    build_queue<end_get>(k, BENCH_PS_1);
}

/* ---- one row ---- */

void (*const builders[BENCH_ROWS])(uint32_t k) = {
    build_hold_ps,    build_hold_ps,    build_hold_cy,     build_hold_cy,
    build_own,        build_shared,     build_clocked,     build_mixed,
    build_delta,      build_ripple,     build_wave,        build_port_1,
    build_port_8,     build_port_burst, build_port_credit, build_port_cross,
    build_port_line,  build_probe_off,  build_probe_on,    build_txn_cb_ps,
    build_txn_get_ps, build_txn_cb_cy,  build_txn_get_cy,
};

} // namespace

int sc_main(int argc, char **argv)
{
    uint32_t k = 0;
    double events = 0;
    const struct bench_row *row = bench_args(argc, argv, &k, &events);
    uint64_t begin, warm, length;

    param = row->param;
    sc_set_time_resolution(1, SC_PS);
    builders[row - bench_rows](k);
    sc_start(ps(bench_ps(row, k, bench_warm_events(k))));
    warm = count;
    length = bench_ps(row, k, events);
    begin = bench_host_ns();
    sc_start(ps(length));
    bench_report(row, k, count - warm, bench_host_ns() - begin);
    return 0; /* what was built lives until the end of the process */
}
