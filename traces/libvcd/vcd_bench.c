/*
 * vcd_bench: nanoseconds per change, by kind of change, best of five. Not a test.
 *
 *   vcd_bench [FILE]     writes to FILE; without one the bytes are thrown away
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime() */

#include "libvcd/vcd.h"

#include <stdlib.h>
#include <time.h>

enum { N = 32 * 60000, BANKS = 32, TRIES = 5 };

static ssize_t discard(void *ctx, const void *buf, size_t len)
{
    (void)ctx;
    (void)buf;
    return (ssize_t)len;
}

static double now_ns(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

enum bench {
    BIT,
    BUS8,
    BUS32,
    BUS64,
    WIDE,
    FOUR,
    SAME,
    OFF,
    REAL,
    STRING,
    EVENT,
    N_BENCH
};

static void one(struct vcd *w, enum bench what, vcd_id first, uint32_t i)
{
    uint64_t v[16], u = i & 15;
    vcd_id id = first + i % BANKS;

    switch (what) {
    case BIT: vcd_set_u64(w, id, i / BANKS & 1); break;
    case BUS8: vcd_set_u64(w, id, i * 37u); break;
    case BUS32: vcd_set_u64(w, id, i * 2654435761u); break;
    case BUS64: vcd_set_u64(w, id, i * 0x9e3779b97f4a7c15u); break;
    case WIDE:
        for (uint32_t k = 0; k < 16; k++) {
            v[k] = (i + k) * 0x9e3779b97f4a7c15u;
        }
        vcd_set_bits(w, id, v);
        break;
    case FOUR:
        v[0] = i * 2654435761u;
        vcd_set_xz(w, id, v, &u);
        break;
    case SAME: vcd_set_u64(w, id, 3); break;
    case OFF: vcd_set_u64(w, id, i); break;
    case REAL: vcd_set_real(w, id, i * 0.125); break;
    case STRING:
        vcd_set_string(w, id, i / BANKS & 1 ? "ld.shared.f32" : "bar.sync 0");
        break;
    case EVENT: vcd_fire(w, id); break;
    case N_BENCH: break;
    }
}

static void bench(enum bench what, const char *path)
{
    static const struct {
        const char *name;
        enum vcd_kind kind;
        uint32_t width;
    } rows[N_BENCH] = {
        [BIT] = {"1 bit", VCD_WIRE, 1},
        [BUS8] = {"8 bit", VCD_WIRE, 8},
        [BUS32] = {"32 bit", VCD_WIRE, 32},
        [BUS64] = {"64 bit", VCD_WIRE, 64},
        [WIDE] = {"1024 bit", VCD_WIRE, 1024},
        [FOUR] = {"32 bit, x and z", VCD_WIRE, 32},
        [SAME] = {"32 bit, value unchanged", VCD_WIRE, 32},
        [OFF] = {"32 bit, dump off", VCD_WIRE, 32},
        [REAL] = {"real", VCD_REAL, 0},
        [STRING] = {"string", VCD_STRING, 0},
        [EVENT] = {"event", VCD_EVENT, 0},
    };
    const struct vcd_sink nowhere = {.write = discard};
    struct vcd *w = path != NULL ? vcd_open_path(path, NULL) : vcd_open(&nowhere, NULL);
    double start, ns, best = 0;
    vcd_id first = 0;
    char name[16];
    uint64_t bytes;

    if (w == NULL) {
        perror(path);
        exit(1);
    }
    (void)vcd_scope(w, "bench");
    for (unsigned i = 0; i < 1000 + BANKS; i++) { /* identifiers of two characters */
        (void)snprintf(name, sizeof(name), "v%u", i);
        first = vcd_add(w, rows[what].kind, name, rows[what].width) - (BANKS - 1);
    }
    (void)vcd_begin(w);
    if (what == OFF) {
        vcd_dumpoff(w);
    }
    bytes = vcd_bytes_written(w);
    for (uint32_t try = 0; try < TRIES; try++) {
        start = now_ns();
        for (uint32_t i = try * N; i < (try + 1) * N; i++) {
            if (i % BANKS == 0) {
                vcd_time(w, i / BANKS * 714u); /* one time for 32 changes */
            }
            one(w, what, first, i);
        }
        ns = now_ns() - start;
        best = try == 0 || ns < best ? ns : best;
    }
    bytes = vcd_bytes_written(w) - bytes;
    if (vcd_close(w) != 0) {
        (void)fprintf(stderr, "writing failed\n");
        exit(1);
    }
    (void)fprintf(stdout,
                  "%-26s %7.1f ns/change %8.1f M changes/s %7.1f bytes/change\n",
                  rows[what].name, best / N, 1e3 * N / best, (double)bytes / N / TRIES);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N_BENCH; i++) {
        bench((enum bench)i, argc > 1 ? argv[1] : NULL);
    }
    return 0;
}
