/* summary.c - the text a person reads after a run; results_summary() of results.h. */
#include "run/results.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct painter {
    struct text *out;
    const char *bold, *dim, *good, *bad, *plain;
};

/* "kernel", or "kernel #2" if there are several launches of it. */
static void numbered(const struct results *r, uint32_t i, const char *kernel, char *buf,
                     size_t size)
{
    char *readable = r->readable != NULL ? r->readable(kernel) : NULL;
    const char *name = readable != NULL ? readable : kernel;
    uint32_t same = 0, before = 0;
    struct smw_result k;

    for (uint32_t j = 0; smw_result(r->host->device, j, &k); j++) {
        same += strcmp(k.kernel, kernel) == 0;
        before += j < i && strcmp(k.kernel, kernel) == 0;
    }
    if (same > 1) {
        snprintf(buf, size, "%s #%u", name, (unsigned)(before + 1));
    } else {
        snprintf(buf, size, "%s", name);
    }
    free(readable);
}

/* "kernel", or "kernel(out, 0, 1)" if the file launches it more than once. */
static void label(const struct results *r, uint32_t i, const char *kernel, char *buf,
                  size_t size)
{
    const struct launch_file *f = r->host->file;
    const struct yaml_node *args;
    uint32_t same = 0;
    size_t n;

    if (i >= f->n_runs) { /* a program's launches, not a file's */
        numbered(r, i, kernel, buf, size);
        return;
    }
    args = f->runs[i].args;
    for (uint32_t k = 0; k < f->n_runs; k++) {
        same += strcmp(f->runs[k].kernel->text, f->runs[i].kernel->text) == 0;
    }
    n = (size_t)snprintf(buf, size, "%s%s", kernel, same > 1 ? "(" : "");
    if (same < 2) {
        return;
    }
    for (const struct yaml_node *a = args != NULL ? args->first : NULL; a != NULL;
         a = a->next) {
        const struct yaml_node *v = a->kind == YAML_MAP ? a->first : a;

        if (n < size) {
            n +=
                (size_t)snprintf(buf + n, size - n, "%s%s",
                                 a == args->first ? "" : ", ",
                                 v != NULL && v->kind == YAML_SCALAR ? v->text : "...");
        }
    }
    if (n < size) {
        (void)snprintf(buf + n, size - n, ")");
    }
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* 1234567 -> "1,234,567" */
static const char *grouped(uint64_t v, char *buf, size_t size)
{
    char digits[32];
    size_t n = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, v), used = 0;

    for (size_t i = 0; i < n && used + 2 < size; i++) {
        if (i > 0 && (n - i) % 3 == 0) {
            buf[used++] = ',';
        }
        buf[used++] = digits[i];
    }
    buf[used] = '\0';
    return buf;
}

static double ratio(uint64_t a, uint64_t b)
{
    return b == 0 ? 0 : (double)a / (double)b;
}

static void duration(double seconds, char *buf, size_t size)
{
    if (seconds >= 1) {
        snprintf(buf, size, "%.3f s", seconds);
    } else if (seconds >= 1e-3) {
        snprintf(buf, size, "%.3f ms", seconds * 1e3);
    } else {
        snprintf(buf, size, "%.3f us", seconds * 1e6);
    }
}

static void extent(const uint32_t *v, char *buf, size_t size)
{
    if (v[2] != 1) {
        snprintf(buf, size, "%u x %u x %u", v[0], v[1], v[2]);
    } else if (v[1] != 1) {
        snprintf(buf, size, "%u x %u", v[0], v[1]);
    } else {
        snprintf(buf, size, "%u", v[0]);
    }
}

static void line_time(struct painter *p, const struct smw_result *k, uint64_t hz)
{
    char cycles[32], time[32];

    if (k->functional) {
        text_add(p->out, "    time         none, its results alone%s\n",
                 k->finished ? "" : "; so far: the launch did not finish");
        return;
    }
    duration(ratio(k->counters.cycles, hz), time, sizeof(time));
    text_add(p->out, "    cycles       %s%s%s", p->bold,
             grouped(k->counters.cycles, cycles, sizeof(cycles)), p->plain);
    text_add(p->out, "  (%s at %.0f MHz)%s\n", time, (double)hz / 1e6,
             k->finished ? "" : "  so far: the launch did not finish");
}

static void line_insts(struct painter *p, const struct smw_result *k)
{
    const struct smw_counters *c = &k->counters;
    char warp[32], thread[32];

    text_add(p->out, "    work         %s warp instructions (%s of threads)",
             grouped(c->warp_insts, warp, sizeof(warp)),
             grouped(c->thread_insts, thread, sizeof(thread)));
    if (!k->functional) {
        text_add(p->out, ", IPC %.2f", ratio(c->warp_insts, c->cycles));
    }
    text_add(p->out, "\n");
    if (c->divergent > 0) {
        text_add(p->out, "    divergence   %" PRIu64 " of %" PRIu64 " branches split\n",
                 c->divergent, c->branches);
    }
}

static void line_occupancy(struct painter *p, const struct smw_result *k)
{
    const struct smw_counters *c = &k->counters;

    text_add(p->out,
             "    occupancy    %" PRIu64 " block%s per SM, %u of %u warps (%.0f %%), "
             "limited by %s",
             c->blocks_per_sm, c->blocks_per_sm == 1 ? "" : "s", k->warps_per_sm,
             k->max_warps, 100 * ratio(k->warps_per_sm, k->max_warps), k->limiter);
    if (c->active_cycles > 0) {
        text_add(p->out, "; achieved %.0f %%",
                 100 * ratio(c->warp_cycles, c->active_cycles * k->max_warps));
    }
    text_add(p->out, "\n");
    if (k->split_shared_kb + k->split_l1_kb != 0) {
        text_add(
            p->out,
            "    on-chip      %u KB shared / %u KB L1, %u bytes shared per block, %u "
            "registers per thread\n",
            k->split_shared_kb, k->split_l1_kb, k->shared_bytes, k->regs);
    }
}

static void line_shared(struct painter *p, const char *what, uint64_t insts,
                        uint64_t wavefronts, uint64_t conflicts)
{
    char i[32], w[32], c[32];

    if (insts == 0) {
        return;
    }
    text_add(p->out, "    shared %-6s%s instruction%s, %s wavefront%s, ", what,
             grouped(insts, i, sizeof(i)), plural(insts),
             grouped(wavefronts, w, sizeof(w)), plural(wavefronts));
    if (conflicts == 0) {
        text_add(p->out, "%sno conflicts%s\n", p->good, p->plain);
    } else {
        text_add(p->out, "%s%s conflict%s%s (%.2f wavefronts each)\n", p->bad,
                 grouped(conflicts, c, sizeof(c)), plural(conflicts), p->plain,
                 ratio(wavefronts, insts));
    }
}

static void line_global(struct painter *p, const char *what, uint64_t requests,
                        uint64_t transactions, uint64_t bytes, uint64_t wanted)
{
    char r[32], t[32];

    if (requests == 0) {
        return;
    }
    text_add(p->out, "    global %-6s%s request%s, %s transaction%s", what,
             grouped(requests, r, sizeof(r)), plural(requests),
             grouped(transactions, t, sizeof(t)), plural(transactions));
    if (wanted > 0 && bytes > 0) {
        text_add(p->out, ", coalescing efficiency %.0f %%", 100 * ratio(wanted, bytes));
    }
    text_add(p->out, "\n");
}

static void line_constant(struct painter *p, const struct smw_counters *c)
{
    char i[32], r[32];

    if (c->const_insts > 0) {
        text_add(p->out, "    constants    %s load%s, %s request%s\n",
                 grouped(c->const_insts, i, sizeof(i)), plural(c->const_insts),
                 grouped(c->const_requests, r, sizeof(r)), plural(c->const_requests));
    }
}

static void line_caches(struct painter *p, const struct smw_counters *c)
{
    uint64_t l1 = c->l1_ld_hit_sectors + c->l1_ld_miss_sectors;
    char r[32], w[32];

    if (l1 == 0 && c->l2_rd_sectors == 0 && c->dram_rd_bytes + c->dram_wr_bytes == 0) {
        return;
    }
    text_add(p->out, "    caches       ");
    if (l1 > 0) {
        text_add(p->out, "L1 hit rate %.1f %%, ",
                 100 * ratio(c->l1_ld_hit_sectors, l1));
    }
    if (c->l2_rd_sectors > 0) {
        text_add(p->out, "L2 hit rate %.1f %%, ",
                 100 * ratio(c->l2_rd_hits, c->l2_rd_sectors));
    }
    text_add(p->out, "DRAM %s bytes read, %s written\n",
             grouped(c->dram_rd_bytes, r, sizeof(r)),
             grouped(c->dram_wr_bytes, w, sizeof(w)));
}

enum { SECTOR_BYTES = 32 };

/* SPEC L2-5, DRAM-3: what moved in the cycles of the launch, of what could have moved.
 * peak 0: nothing could. */
static void line_rate(struct painter *p, const char *what, uint64_t bytes,
                      uint64_t cycles, uint64_t hz, uint64_t peak)
{
    double per_s = ratio(bytes, cycles) * (double)hz;

    if (bytes == 0 || cycles == 0 || peak == 0) {
        return;
    }
    text_add(p->out, "    %-12s %.1f GB/s, %.1f %% of the peak of %.1f\n", what,
             per_s / 1e9, 100 * per_s / (double)peak, (double)peak / 1e9);
}

/* Behind the first kernel: results are of a device. */
static void device_name(const struct results *r, struct text *out)
{
    const struct smw_config *c = r->host->config;
    char cc[64] = "";

    if (c != NULL && smw_config_show(c, "gpu.compute_capability", cc, sizeof(cc))) {
        text_add(out, " on %s, capability %s", smw_config_name(c), cc);
    }
}

static void kernel(struct painter *p, const struct smw_result *k, const char *name,
                   const struct results *r, bool is_first)
{
    const struct smw_device *d = r->host->device;
    const struct smw_counters *c = &k->counters;
    uint64_t hz = smw_sm_hz(d);
    char grid[48], block[48];

    extent(k->grid, grid, sizeof(grid));
    extent(k->block, block, sizeof(block));
    text_add(p->out, "%s%s%s  %s block%s of %s threads", p->bold, name, p->plain, grid,
             strcmp(grid, "1") == 0 ? "" : "s", block);
    if (is_first) {
        device_name(r, p->out);
    }
    text_add(p->out, "\n");
    if (!k->started) {
        text_add(p->out, "    not started\n");
        return;
    }
    line_time(p, k, hz);
    line_insts(p, k);
    line_occupancy(p, k);
    if (k->functional) {
        return; /* what else there is to say needs time */
    }
    line_shared(p, "load", c->sh_ld_insts, c->sh_ld_wavefronts, c->sh_ld_conflicts);
    line_shared(p, "store", c->sh_st_insts, c->sh_st_wavefronts, c->sh_st_conflicts);
    line_shared(p, "atom", c->sh_at_insts, c->sh_at_wavefronts, c->sh_at_conflicts);
    line_global(p, "load", c->gl_ld_requests, c->gl_ld_transactions, c->gl_ld_bytes,
                c->gl_ld_wanted);
    line_global(p, "store", c->gl_st_requests, c->gl_st_transactions, c->gl_st_bytes,
                c->gl_st_wanted);
    line_global(p, "atom", c->gl_at_requests, c->gl_at_transactions, c->gl_at_bytes, 0);
    line_constant(p, c);
    line_caches(p, c);
    line_rate(p, "L2", (c->l2_rd_sectors + c->l2_wr_sectors) * SECTOR_BYTES, c->cycles,
              hz, smw_l2_peak(d));
    line_rate(p, "DRAM", c->dram_rd_bytes + c->dram_wr_bytes, c->cycles, hz,
              smw_dram_peak(d));
}

static uint64_t shared_insts(const struct smw_counters *c)
{
    return c->sh_ld_insts + c->sh_st_insts + c->sh_at_insts;
}

/* The name in a column of so many characters: without its parameters where it has no
 * room with them, "sum(float const*, ...) #2" then being "sum #2". */
static void fit(char *name, size_t room)
{
    char *open = strchr(name, '('), *close = strrchr(name, ')');

    if (strlen(name) > room && open != NULL && close != NULL && close > open) {
        memmove(open, close + 1, strlen(close + 1) + 1);
    }
}

/* A bar per kernel, as long as its cycles: which of them is faster, and by how much. */
static void compare(struct painter *p, const struct results *r, uint32_t n)
{
    struct smw_device *d = r->host->device;
    uint64_t most = 0, least = UINT64_MAX;
    struct smw_result k;
    char cycles[32], name[256];

    for (uint32_t i = 0; i < n; i++) {
        if (!smw_result(d, i, &k) || !k.finished || k.functional) {
            return;
        }
        most = k.counters.cycles > most ? k.counters.cycles : most;
        least = k.counters.cycles < least ? k.counters.cycles : least;
    }
    if (n < 2 || n > 32 || most == 0) {
        return;
    }
    text_add(p->out, "%scycles compared%s\n", p->bold, p->plain);
    for (uint32_t i = 0; i < n && smw_result(d, i, &k); i++) {
        int bar = (int)(30 * ratio(k.counters.cycles, most) + 0.5);

        label(r, i, k.kernel, name, sizeof(name));
        if (i >= r->host->file->n_runs) { /* a file's tell one launch from another */
            fit(name, 28);
        }
        text_add(p->out, "    %-28.28s %-6s %12s  ", name,
                 shared_insts(&k.counters) > 0 ? "shared" : "global",
                 grouped(k.counters.cycles, cycles, sizeof(cycles)));
        for (int j = 0; j < (bar == 0 ? 1 : bar); j++) {
            text_add(p->out, "#");
        }
        if (ratio(k.counters.cycles, least) >= 1.005) {
            text_add(p->out, "  %.2f x", ratio(k.counters.cycles, least));
        }
        text_add(p->out, "\n");
    }
}

static void verdict(struct painter *p, const struct results *r)
{
    uint32_t wrong = 0;

    for (uint32_t i = 0; i < r->n_expects; i++) {
        const struct expect_result *x = &r->expects[i];

        wrong += !x->ok;
        text_add(p->out, "%s%s%s   %s\n", x->ok ? p->good : p->bad,
                 x->ok ? "ok   " : "WRONG", p->plain, x->ok ? x->what : x->wrong_what);
    }
    if (r->status != SMW_DONE) {
        text_add(p->out, "%sthe run ended early: %s%s\n", p->bad,
                 results_status(r->status), p->plain);
    } else if (wrong > 0) {
        text_add(p->out, "%s%u of %u results are wrong%s\n", p->bad, wrong,
                 r->n_expects, p->plain);
    }
}

void results_summary(const struct results *r, bool color, struct text *out)
{
    struct painter p = {out, "", "", "", "", ""};
    struct smw_device *d = r->host->device;
    uint32_t n = smw_results(d);
    struct smw_result k;
    char name[128];

    if (color) {
        p = (struct painter){out,        "\033[1m",  "\033[2m",
                             "\033[32m", "\033[31m", "\033[0m"};
    }
    for (uint32_t i = 0; i < n && smw_result(d, i, &k); i++) {
        label(r, i, k.kernel, name, sizeof(name));
        kernel(&p, &k, name, r, i == 0);
        text_add(out, "\n");
    }
    compare(&p, r, n);
    if (n > 1) {
        text_add(out, "\n");
    }
    verdict(&p, r);
}
