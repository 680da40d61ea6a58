/*
 * counter.c - the smallest dump: a clock and what it counts.
 *
 *   counter FILE.vcd
 */
#include "libvcd/vcd.h"

int main(int argc, char **argv)
{
    struct vcd *w = argc == 2 ? vcd_open_path(argv[1], NULL) : NULL;
    vcd_id clk, count;
    int error;

    if (w == NULL) {
        fprintf(stderr, "usage: counter FILE.vcd, which can be written\n");
        return 2;
    }
    vcd_scope(w, "top");
    clk = vcd_add(w, VCD_WIRE, "clk", 1);
    count = vcd_add(w, VCD_WIRE, "count", 8);
    vcd_set_u64(w, clk, 0);
    vcd_set_u64(w, count, 0);
    vcd_begin(w);
    for (uint64_t t = 1; t <= 20; t++) { /* nanoseconds; a rising edge at odd ones */
        vcd_time(w, t);
        vcd_set_u64(w, clk, t % 2);
        vcd_set_u64(w, count, (t + 1) / 2); /* written only when it differs */
    }
    error = vcd_close(w);
    if (error != 0) {
        fprintf(stderr, "%s: %s\n", argv[1], vcd_strerror(error));
    }
    return error != 0;
}
