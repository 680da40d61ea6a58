/*
 * trace_systemc.cpp - the waveform of trace_values.h by SystemC's sc_trace: plain
 * variables, its cheapest kind of signal, and one method that changes them all.
 */
#include "trace_values.h"

#include <string>
#include <systemc>

using namespace sc_core;

namespace
{

struct driver : sc_module {
    SC_HAS_PROCESS(driver);

    trace_values v;
    uint64_t left;

    driver(const sc_module_name &name, const char *pattern, uint64_t steps)
        : sc_module(name), v(), left(steps)
    {
        if (!trace_values_init(&v, pattern)) {
            fprintf(stderr, "trace_systemc: no such pattern: %s\n", pattern);
            exit(TRACE_USAGE);
        }
        SC_METHOD(step);
        dont_initialize();
        sensitive << go;
        go.notify(sc_time(1, SC_NS));
    }

    void step()
    {
        trace_values_step(&v);
        if (--left > 0) {
            go.notify(sc_time(1, SC_NS));
        }
    }

  private:
    sc_event go;
};

} // namespace

int sc_main(int argc, char **argv)
{
    uint64_t steps = argc == 5 ? strtoull(argv[3], nullptr, 10) : 0;
    std::string path = argc == 5 ? argv[4] : "";
    const size_t stem = path.size() > 4 ? path.size() - 4 : 0;

    /* the writer adds the ending itself */
    if (steps == 0 || strcmp(argv[1], "sc_trace") != 0 || path.substr(stem) != ".vcd") {
        fprintf(stderr,
                "usage: trace_systemc sc_trace random|counters STEPS FILE.vcd\n");
        return TRACE_USAGE;
    }
    driver d("bench", argv[2], steps);
    sc_trace_file *f = sc_create_vcd_trace_file(path.substr(0, stem).c_str());

    f->set_time_unit(1, SC_NS);
    for (int i = 0; i < TRACE_SIGNALS; i++) {
        sc_trace(f, d.v.value[i], "s" + std::to_string(i));
    }
    sc_start(SC_ZERO_TIME);
    double start = trace_now_ns();
    sc_start();
    sc_close_vcd_trace_file(f);
    trace_report(argv, steps, trace_now_ns() - start);
    return 0;
}
