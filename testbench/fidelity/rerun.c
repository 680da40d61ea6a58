#include "rerun.h"

#include "io/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMS = 8 * TRUTH_BUFFERS + 4 * TRUTH_SCALARS };

/* 64-bit FNV-1a of the bytes, little-endian as they lie in the device's memory. */
static uint64_t fnv1a(const unsigned char *p, size_t n)
{
    uint64_t h = 0xcbf29ce484222325u;

    for (size_t i = 0; i < n; i++) {
        h = (h ^ p[i]) * 0x100000001b3u;
    }
    return h;
}

static bool fill_buffers(const struct truth_row *row, struct smw_device *d,
                         const uint64_t *addr, struct smw_err *e)
{
    for (uint32_t i = 0; i < row->n_buffers; i++) {
        const struct truth_buffer *const b = &row->buffer[i];
        uint32_t *const words = truth_words(b);
        const bool ok = smw_write(d, addr[i], words, 4 * b->words, e);

        free(words);
        if (!ok) {
            return false;
        }
    }
    return true;
}

/* Bytes that are at home together: SPEC L2-6. */
enum { PIECE = 4096 };

static bool make_buffers(const struct truth_row *row, struct smw_device *d,
                         uint64_t *addr, unsigned char *params, struct smw_err *e)
{
    if (strcmp(row->table, "cases") == 0) {
        /* On the device what a first block reads first is at home in the other half of
         * the L2, and with a piece before it it is here (SPEC L2-6): each launch of one
         * block takes 150 to 220 cycles more when the host has written its words. */
        uint64_t piece;

        if (!smw_alloc(d, PIECE, &piece, e)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < row->n_buffers; i++) {
        if (!smw_alloc(d, 4 * row->buffer[i].words, &addr[i], e)) {
            return false;
        }
        memcpy(params + 8 * (size_t)i, &addr[i], 8);
    }
    memcpy(params + 8 * (size_t)row->n_buffers, row->scalar,
           4 * (size_t)row->n_scalars);
    return fill_buffers(row, d, addr, e);
}

static bool output_is(const struct truth_row *row, struct smw_device *d,
                      const uint64_t *addr, struct smw_err *e)
{
    unsigned char *const out = tb_alloc(4 * row->out_words);
    bool ok = smw_read(d, addr[row->out_buffer], out, 4 * row->out_words, e);

    if (ok && fnv1a(out, 4 * row->out_words) != row->out_fnv1a) {
        err_set(e, SMW_ERR_KERNEL, "the output is not what the device wrote");
        ok = false;
    }
    free(out);
    return ok;
}

/* Read more than the L2 holds. */
static bool displace(struct smw_device *d, struct rerun_text others, uint32_t *launch,
                     struct smw_err *e)
{
    enum { WORDS = 16 << 20, BLOCKS = 1056, THREADS = 256 };
    struct {
        uint64_t a, b, c;
        int32_t n, m;
    } params = {.n = WORDS};
    const struct smw_launch l = {.grid = {BLOCKS, 1, 1},
                                 .block = {THREADS, 1, 1},
                                 .params = &params,
                                 .param_bytes = sizeof(params)};
    struct smw_module *const m =
        smw_load(d, others.text, others.size, "kernels.ptx", e);
    const struct smw_kernel *const k =
        m == NULL ? NULL : smw_kernel(m, "k_sum4_loop", e);

    ++*launch;
    return k != NULL && smw_alloc(d, 4ull * WORDS, &params.a, e) &&
           smw_alloc(d, 4ull * BLOCKS * THREADS, &params.c, e) &&
           smw_launch(d, k, &l, e) && smw_synchronize(d, e);
}

static bool run(const struct truth_row *row, struct smw_device *d,
                struct rerun_text ptx, struct rerun_text others, struct rerun *r,
                struct smw_err *e)
{
    unsigned char params[PARAMS];
    uint64_t addr[TRUTH_BUFFERS];
    struct smw_launch l = {.grid = {row->grid[0], row->grid[1], row->grid[2]},
                           .block = {row->block[0], row->block[1], row->block[2]},
                           .shared = row->shared,
                           .params = params,
                           .param_bytes = 8 * row->n_buffers + 4 * row->n_scalars};
    struct smw_module *const m = smw_load(d, ptx.text, ptx.size, row->ptx, e);
    const struct smw_kernel *const k = m == NULL ? NULL : smw_kernel(m, row->kernel, e);

    uint32_t launch = 0;

    if (k == NULL || !make_buffers(row, d, addr, params, e)) {
        return false;
    }
    for (uint32_t i = 0; i < RERUN_LAUNCHES; i++) {
        struct smw_result result;

        if (row->displaced && i == RERUN_LAUNCHES - 1 &&
            !displace(d, others, &launch, e)) {
            return false;
        }
        if (row->refilled && i != 0 && !fill_buffers(row, d, addr, e)) {
            return false;
        }
        if (!smw_launch(d, k, &l, e) || !smw_synchronize(d, e)) {
            return false;
        }
        (void)smw_result(d, launch++, &result);
        if (i == 0) {
            r->first = result.counters;
            if (row->checked && !output_is(row, d, addr, e)) {
                return false;
            }
        }
        r->last = result.counters;
    }
    return true;
}

void rerun_row(const struct truth_row *row, const struct smw_config *config,
               struct rerun_text ptx, struct rerun_text others, bool stalls,
               struct rerun *r)
{
    const struct smw_options opt = {.check = SMW_CHECK_FAST, .stalls = stalls};
    struct smw_device *d;
    struct smw_err e;

    err_clear(&e);
    d = smw_open(config, &opt, &e);
    r->ok = d != NULL && run(row, d, ptx, others, r, &e);
    if (!r->ok) {
        (void)snprintf(r->why, sizeof(r->why), "%s", e.message);
    }
    if (d != NULL) {
        smw_close(d);
    }
}
