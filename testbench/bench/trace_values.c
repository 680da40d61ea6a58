/*
 * trace_values.c - the waveform of trace_values.h, by libvcd and by fprintf.
 */
#include "trace_values.h"

#include "libvcd/vcd.h"

static void die(const char *what)
{
    perror(what);
    exit(7);
}

/* Nanoseconds of all steps. */
static double by_libvcd(struct trace_values *v, uint64_t steps, const char *path)
{
    const struct vcd_options options = {.timescale = "1 ns"};
    struct vcd *w = vcd_open_path(path, &options);
    vcd_id id[TRACE_SIGNALS];
    char name[16];
    double start;

    if (w == NULL) {
        die(path);
    }
    (void)vcd_scope(w, "bench");
    for (int i = 0; i < TRACE_SIGNALS; i++) {
        (void)snprintf(name, sizeof(name), "s%d", i);
        id[i] = vcd_add(w, VCD_WIRE, name, 32);
        vcd_set_u64(w, id[i], v->value[i]);
    }
    (void)vcd_begin(w);
    start = trace_now_ns();
    for (uint64_t t = 1; t <= steps; t++) {
        trace_values_step(v);
        vcd_time(w, t);
        for (int i = 0; i < TRACE_SIGNALS; i++) {
            vcd_set_u64(w, id[i], v->value[i]);
        }
    }
    if (vcd_close(w) != 0) {
        die(path);
    }
    return trace_now_ns() - start;
}

/* What a person writes by hand in a quarter of an hour: no check, no second look. */
static void put(FILE *f, int i, uint32_t value)
{
    char digits[33];
    int n = 32;

    digits[n] = '\0';
    do {
        digits[--n] = (char)('0' + (value & 1));
        value >>= 1;
    } while (value != 0);
    fprintf(f, "b%s s%d\n", digits + n, i);
}

static double by_fprintf(struct trace_values *v, uint64_t steps, const char *path)
{
    uint32_t last[TRACE_SIGNALS];
    FILE *f = fopen(path, "w");
    double start;

    if (f == NULL) {
        die(path);
    }
    fprintf(f, "$timescale 1 ns $end\n$scope module bench $end\n");
    for (int i = 0; i < TRACE_SIGNALS; i++) {
        fprintf(f, "$var wire 32 s%d s%d [31:0] $end\n", i, i);
    }
    fprintf(f, "$upscope $end\n$enddefinitions $end\n#0\n$dumpvars\n");
    for (int i = 0; i < TRACE_SIGNALS; i++) {
        last[i] = v->value[i];
        put(f, i, last[i]);
    }
    fprintf(f, "$end\n");
    start = trace_now_ns();
    for (uint64_t t = 1; t <= steps; t++) {
        trace_values_step(v);
        fprintf(f, "#%llu\n", (unsigned long long)t);
        for (int i = 0; i < TRACE_SIGNALS; i++) {
            if (v->value[i] != last[i]) {
                last[i] = v->value[i];
                put(f, i, last[i]);
            }
        }
    }
    if (fclose(f) != 0) {
        die(path);
    }
    return trace_now_ns() - start;
}

int main(int argc, char **argv)
{
    uint64_t steps = argc == 5 ? strtoull(argv[3], NULL, 10) : 0;
    struct trace_values v;
    double ns;

    if (steps == 0 || !trace_values_init(&v, argv[2]) ||
        (strcmp(argv[1], "libvcd") != 0 && strcmp(argv[1], "fprintf") != 0)) {
        fprintf(stderr,
                "usage: trace_values libvcd|fprintf random|counters STEPS FILE\n");
        return TRACE_USAGE;
    }
    ns = argv[1][0] == 'l' ? by_libvcd(&v, steps, argv[4])
                           : by_fprintf(&v, steps, argv[4]);
    trace_report(argv, steps, ns);
    return 0;
}
