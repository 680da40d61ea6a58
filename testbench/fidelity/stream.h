/*
 * stream.h - what a kernel that runs through buffers in a grid's strides takes, once it
 * has run for long.
 *
 * The buffers may be as large as a gigabyte, which would take the model many minutes,
 * so that only a part of each is simulated, with as small a part of the L2, and from
 * two launches of different length follows what more would take.
 */
#ifndef FIDELITY_STREAM_H
#define FIDELITY_STREAM_H

#include "rerun.h"

enum { STREAM_PART = 16, STREAM_MOST_PARTS = 64, STREAM_BUFFERS = 2 };

struct stream {
    const char *kernel, *ptx_name; /* of two buffers and a number of elements */
    const char *ptx;
    size_t ptx_size;
    uint32_t blocks, threads;
    uint64_t bytes;   /* of each buffer */
    uint32_t unit;    /* bytes of an element */
    uint32_t part;    /* the simulated are bytes / part; 1: all of them */
    uint32_t l2_part; /* and those of the L2 */
};

/* The value of a key, sizes in bytes. */
double stream_value(const struct smw_config *c, const char *key);

/* Microseconds of a launch over whole buffers, after another one like it, in *us, and
 * the bytes per second that the DRAM's data buses move at most in *peak. False and *e:
 * what was refused. */
bool stream_run(const struct stream *s, const struct smw_config *config, double *us,
                double *peak, struct smw_err *e);

/* Run a row of the table bandwidth: r->gbs is that of launches which follow one another
 * as the device's did, and of whole buffers. part: of those of the set "dram". */
void stream_row(const struct truth_row *row, const struct smw_config *config,
                const char *ptx, size_t ptx_size, uint32_t part, struct rerun *r);

#endif /* FIDELITY_STREAM_H */
