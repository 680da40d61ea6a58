/*
 * bus.c - a bus of two masters: states in words, an event per grant, a second name for
 * a wire, reals, values that are not known, and a window in which nothing is written.
 * The bytes go through a sink of its own, which counts them.
 *
 *   bus FILE.vcd
 *
 * Prints how many bytes there are and the names by which GTKWave knows the variables.
 */
#include "libvcd/vcd.h"

#include <errno.h>
#include <inttypes.h>

struct counted {
    FILE *file;
    uint64_t bytes;
};

static ssize_t counted_write(void *ctx, const void *buf, size_t len)
{
    struct counted *c = ctx;
    size_t n = fwrite(buf, 1, len, c->file);

    c->bytes += n;
    return n > 0 ? (ssize_t)n : -EIO;
}

static int counted_close(void *ctx)
{
    return fclose(((struct counted *)ctx)->file) == 0 ? 0 : -EIO;
}

struct bus {
    vcd_id state, owner, address, data, grant, load, again;
};

static void declare(struct vcd *w, struct bus *b)
{
    vcd_comment(w, "two masters, one bus");
    vcd_scope(w, "bus");
    b->state = vcd_add(w, VCD_STRING, "state", 0);
    b->owner = vcd_add(w, VCD_INTEGER, "owner", 2);
    b->address = vcd_add(w, VCD_WIRE, "address", 16);
    b->data = vcd_add(w, VCD_REG, "data", 96);
    b->grant = vcd_add(w, VCD_EVENT, "grant", 0);
    b->load = vcd_add(w, VCD_REAL, "load", 0);
    vcd_scope(w, "memory"); /* the same wire at the other end */
    b->again = vcd_alias(w, VCD_WIRE, "address", 16, b->address);
    vcd_upscope(w);
    vcd_upscope(w);
    vcd_set_string(w, b->state, "idle");
    vcd_set_u64(w, b->owner, 0);
    vcd_begin(w); /* address and data are x: nobody drives them */
}

static void transfer(struct vcd *w, const struct bus *b, uint64_t at, unsigned owner)
{
    const uint64_t words[2] = {at * 0x9e3779b97f4a7c15u, owner};

    vcd_time(w, at);
    vcd_fire(w, b->grant);
    vcd_set_string(w, b->state, "address phase");
    vcd_set_u64(w, b->owner, owner);
    vcd_set_u64(w, b->address, 0x4000 + at);
    vcd_time(w, at + 10);
    vcd_set_string(w, b->state, "data phase");
    vcd_set_bits(w, b->data, words);
    vcd_set_real(w, b->load, (double)at / 1000.0);
    vcd_time(w, at + 20);
    vcd_set_string(w, b->state, "idle");
    vcd_set_z(w, b->address);
    vcd_set_x(w, b->data);
}

int main(int argc, char **argv)
{
    const struct vcd_options options = {.version = "bus 1", .timescale = "10 ps"};
    struct counted c = {.file = argc == 2 ? fopen(argv[1], "wb") : NULL};
    const struct vcd_sink sink = {.write = counted_write,
                                  .close = counted_close,
                                  .ctx = &c};
    struct vcd *w;
    struct bus b;
    char name[80];
    int error;

    if (c.file == NULL) {
        fprintf(stderr, "usage: bus FILE.vcd, which can be written\n");
        return 2;
    }
    w = vcd_open(&sink, &options);
    if (w == NULL) {
        fprintf(stderr, "no memory\n");
        return 1;
    }
    declare(w, &b);
    transfer(w, &b, 100, 1);
    transfer(w, &b, 150, 2);
    vcd_time(w, 200);
    vcd_dumpoff(w);
    transfer(w, &b, 250, 1); /* not seen */
    vcd_time(w, 300);
    vcd_dumpon(w);
    transfer(w, &b, 350, 2);
    vcd_time(w, 400);
    for (vcd_id id = 0; vcd_loader_name(w, id, name, sizeof(name)) > 0; id++) {
        printf("%s\n", name);
    }
    error = vcd_close(w);
    if (error != 0) {
        fprintf(stderr, "%s: %s\n", argv[1], vcd_strerror(error));
        return 1;
    }
    printf("%" PRIu64 " bytes\n", c.bytes);
    return 0;
}
