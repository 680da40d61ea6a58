#include "stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PS_PER_US = 1000000 };

struct stand { /* a device with the kernel and its buffers */
    const struct stream *s;
    struct smw_device *d;
    const struct smw_kernel *k;
    uint64_t addr[STREAM_BUFFERS];
    uint32_t n_launches;
};

double stream_value(const struct smw_config *c, const char *key)
{
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"KiB", 1024}, {"MiB", 1 << 20}, {"GiB", 1 << 30}};
    char text[64], *unit;
    double v;

    (void)smw_config_show(c, key, text, sizeof(text));
    v = strtod(text, &unit);
    for (uint32_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        v *= strstr(unit, units[i].name) != NULL ? units[i].factor : 1;
    }
    return v;
}

/* config with copies that outlive a launch, since the device's launches repeat, and
 * with a part of the L2. */
static struct smw_config *config_of(const struct smw_config *config, uint32_t part,
                                    struct smw_err *e)
{
    struct smw_config *const c = smw_config_copy(config);
    char text[64];

    (void)snprintf(text, sizeof(text), "%.0f KiB",
                   stream_value(c, "l2.size") / 1024 / part);
    if (!smw_config_set(c, "l2.keeps_copies", "true", e) ||
        (part != 1 && !smw_config_set(c, "l2.size", text, e)) ||
        !smw_config_check(c, e)) {
        smw_config_free(c);
        return NULL;
    }
    return c;
}

static bool stand_open(struct stand *t, const struct smw_config *config,
                       struct smw_err *e)
{
    const struct smw_options opt = {.check = SMW_CHECK_FAST};
    const struct stream *const s = t->s;
    struct smw_module *m;

    t->d = smw_open(config, &opt, e);
    m = t->d == NULL ? NULL : smw_load(t->d, s->ptx, s->ptx_size, s->ptx_name, e);
    t->k = m == NULL ? NULL : smw_kernel(m, s->kernel, e);
    for (uint32_t i = 0; t->k != NULL && i < STREAM_BUFFERS; i++) {
        if (!smw_alloc(t->d, s->bytes / s->part, &t->addr[i], e)) {
            return false;
        }
    }
    return t->k != NULL;
}

/* Microseconds of a launch over so many elements. */
static bool launch(struct stand *t, uint64_t elements, double *us, struct smw_err *e)
{
    const int32_t n = (int32_t)elements;
    unsigned char params[sizeof(t->addr) + sizeof(n)];
    struct smw_launch l = {.grid = {t->s->blocks, 1, 1},
                           .block = {t->s->threads, 1, 1},
                           .params = params,
                           .param_bytes = sizeof(params)};
    struct smw_result result;

    memcpy(params, t->addr, sizeof(t->addr));
    memcpy(params + sizeof(t->addr), &n, sizeof(n));
    if (!smw_launch(t->d, t->k, &l, e) || !smw_synchronize(t->d, e)) {
        return false;
    }
    (void)smw_result(t->d, t->n_launches++, &result);
    *us = (double)(result.end_ps - result.start_ps) / PS_PER_US;
    return true;
}

/* Two launches over a half, of which the first fills the caches, and one over all: the
 * second half takes what every other half of a part would. */
static bool launch_all(struct stand *t, double *us, struct smw_err *e)
{
    const uint64_t n = t->s->bytes / t->s->part / t->s->unit;
    double half;

    if (t->s->part == 1) {
        return launch(t, n, us, e) && launch(t, n, us, e);
    }
    if (!launch(t, n / 2, &half, e) || !launch(t, n / 2, &half, e) ||
        !launch(t, n, us, e)) {
        return false;
    }
    *us += 2 * (*us - half) * (t->s->part - 1);
    return true;
}

bool stream_run(const struct stream *s, const struct smw_config *config, double *us,
                double *peak, struct smw_err *e)
{
    struct smw_config *const c = config_of(config, s->l2_part, e);
    struct stand t = {.s = s};
    bool ok;

    if (c == NULL) {
        return false;
    }
    ok = stand_open(&t, c, e) && launch_all(&t, us, e);
    if (t.d != NULL) {
        *peak = (double)smw_dram_peak(t.d);
        smw_close(t.d);
    }
    smw_config_free(c);
    return ok;
}

void stream_row(const struct truth_row *row, const struct smw_config *config,
                const char *ptx, size_t ptx_size, uint32_t part, struct rerun *r)
{
    const uint32_t p = strcmp(row->set, "dram") == 0 ? part : 1;
    const struct stream s = {.kernel = row->kernel,
                             .ptx_name = row->ptx,
                             .ptx = ptx,
                             .ptx_size = ptx_size,
                             .blocks = row->grid[0],
                             .threads = row->block[0],
                             .bytes = 4 * row->buffer[0].words,
                             .unit = 4,
                             .part = p,
                             .l2_part = p};
    struct smw_err e;
    double us = 0, peak;

    err_clear(&e);
    r->ok = stream_run(&s, config, &us, &peak, &e);
    if (!r->ok) {
        (void)snprintf(r->why, sizeof(r->why), "%s", e.message);
    }
    us += TRUTH_GAP_US;
    r->gbs = row->bytes / (1e3 * (us > TRUTH_LAUNCH_US ? us : TRUTH_LAUNCH_US));
}
