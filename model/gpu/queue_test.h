/*
 * queue_test.h - what tests of streams share: a device whose link has round figures,
 * and calls that must succeed.
 */
#ifndef GPU_QUEUE_TEST_H
#define GPU_QUEUE_TEST_H

#include "gpu/small_test.h"

/* A cycle is 1,000 ps; 1,000 bytes up take 2 us, 1,000 bytes down 1.5 us. */
#define LINK                                                                           \
    "gpu.clock=1GHz host.link.latency=1us host.link.up=1GB/s host.link.down=2GB/s "    \
    "host.link.unpinned_up=500MB/s host.link.unpinned_down=250MB/s "

enum { US = 1000000 };

static struct smw_err err;

static inline struct smw_transfer up(const struct dt *t, uint32_t stream,
                                     const void *src, uint64_t at, uint64_t n)
{
    return (struct smw_transfer){.stream = stream,
                                 .direction = SMW_UP,
                                 .dst = t->out + at,
                                 .src = (uintptr_t)src,
                                 .width = n,
                                 .height = 1,
                                 .pinned = true};
}

static inline struct smw_transfer down(const struct dt *t, uint32_t stream, void *dst,
                                       uint64_t at, uint64_t n)
{
    return (struct smw_transfer){.stream = stream,
                                 .direction = SMW_DOWN,
                                 .dst = (uintptr_t)dst,
                                 .src = t->out + at,
                                 .width = n,
                                 .height = 1,
                                 .pinned = true};
}

static inline void copy(struct dt *t, struct smw_transfer x)
{
    dt_ok(smw_queue_copy(t->d, &x, &err), &err);
}

static inline uint64_t mark(struct dt *t, uint32_t stream)
{
    uint64_t m = smw_queue_mark(t->d, stream, &err);

    dt_ok(m != 0, &err);
    return m;
}

static inline void wait(struct dt *t, uint32_t stream, uint64_t m)
{
    dt_ok(smw_queue_wait(t->d, stream, m, &err), &err);
}

static inline uint64_t reached(const struct dt *t, uint64_t m)
{
    uint64_t ps = UINT64_MAX;

    assert_true(smw_mark_reached(t->d, m, &ps));
    return ps;
}

static inline void all(struct dt *t)
{
    dt_ok(smw_synchronize(t->d, &err), &err);
}

static inline struct smw_transferred transferred(const struct dt *t, uint32_t i)
{
    struct smw_transferred r;

    assert_true(smw_transferred(t->d, i, &r));
    return r;
}

static inline struct dt *open(const char *settings)
{
    static char text[1024];

    err_clear(&err);
    (void)snprintf(text, sizeof(text), LINK "%s", settings);
    return dt_open(text, small);
}

static uint8_t bytes[8192], back[8192]; /* of the host */

static inline int make_bytes(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)(i * 7 + i / 251 + 1);
        back[i] = 0;
    }
    return 0;
}

#endif /* GPU_QUEUE_TEST_H */
