/* "smwave occupancy" for people. */
#include "ask/occupancy.h"

enum { BAR = 32 }; /* characters of a full bar */

struct table {
    const struct occupancy_device *d;
    bool color;
    FILE *out;
};

static const char *mark(const struct table *t, bool on)
{
    return !t->color ? "" : on ? "\033[1;33m" : "\033[0m";
}

static uint32_t percent(const struct occupancy_device *d, uint32_t warps)
{
    return (warps * 100 + d->max_warps / 2) / d->max_warps;
}

/* One limit: what an SM has, what a block takes, how many blocks that allows. */
static void limit(const struct table *t, const struct occupancy_answer *w,
                  const char *name, const uint64_t has_takes_blocks[3])
{
    const uint64_t blocks = has_takes_blocks[2];
    const bool limits = blocks == w->blocks;

    fprintf(t->out, "  %s%-14s %10llu %10llu ", limits ? mark(t, true) : "", name,
            (unsigned long long)has_takes_blocks[0],
            (unsigned long long)has_takes_blocks[1]);
    if (blocks == UINT32_MAX) {
        fprintf(t->out, "%10s", "any");
    } else {
        fprintf(t->out, "%10llu", (unsigned long long)blocks);
    }
    fprintf(t->out, "%s%s\n", limits ? "  <- limits" : "",
            limits ? mark(t, false) : "");
}

static void limits(const struct table *t, const struct occupancy_ask *a,
                   const struct occupancy_answer *w)
{
    const struct launch_fit *f = &w->fit;

    fprintf(t->out, "  %-14s %10s %10s %10s\n", "", "on an SM", "a block", "blocks");
    limit(t, w, "blocks", (uint64_t[]){t->d->max_blocks, 1, f->by_blocks});
    limit(t, w, "warps",
          (uint64_t[]){t->d->max_warps, (a->threads + 31) / 32, f->by_warps});
    limit(t, w, "registers",
          (uint64_t[]){t->d->rules->regs, w->block_regs, f->by_regs});
    limit(t, w, "shared bytes",
          (uint64_t[]){w->split.shared * 1024, f->shared_alloc, f->by_shared});
}

static void verdict(const struct table *t, const struct occupancy_ask *a,
                    const struct occupancy_answer *w)
{
    const struct rules_cc *r = t->d->rules;

    if (w->error == NULL) {
        fprintf(t->out,
                "\n%u block%s, %u of %u warps: occupancy %u %%, limited by %s\n",
                w->blocks, w->blocks == 1 ? "" : "s", w->warps, t->d->max_warps,
                percent(t->d, w->warps), w->limiter);
        return;
    }
    if (w->blocks != 0) {
        fprintf(t->out, "\nthe resources suffice for %u block%s, %u of %u warps, but ",
                w->blocks, w->blocks == 1 ? "" : "s", w->warps, t->d->max_warps);
    } else {
        fputs("\nno block fits: ", t->out);
    }
    if (a->threads > r->max_threads) {
        fprintf(t->out, "a block has at most %u threads", r->max_threads);
    } else if (a->shared > r->max_shared_opt_in) {
        fprintf(t->out, "a block has at most %u bytes of shared memory",
                r->max_shared_opt_in);
    } else if (a->regs > r->max_regs_per_thread) {
        fprintf(t->out, "a thread has at most %u registers", r->max_regs_per_thread);
    } else if (w->fit.by_regs == 0) {
        fprintf(t->out, "a block has at most %u registers", r->max_regs_per_block);
    } else {
        fprintf(t->out, "not enough %s", w->limiter);
    }
    fprintf(t->out, "; the launch fails with %s (%u)\n", w->error, w->error_number);
}

static void sizes(const struct table *t, const struct occupancy_ask *asked)
{
    fputs("\n  threads  blocks  warps  occupancy\n", t->out);
    for (uint32_t threads = 32; threads <= t->d->rules->max_threads; threads += 32) {
        struct occupancy_ask a = *asked;
        struct occupancy_answer w;
        const bool here = asked->threads <= threads && asked->threads + 32 > threads;
        uint32_t bar;

        a.threads = threads;
        w = occupancy_answer(t->d, &a);
        bar = (w.warps * BAR + t->d->max_warps / 2) / t->d->max_warps;
        fprintf(t->out, "%s%c %7u %7u %6u %6u %%  ", here ? mark(t, true) : "",
                here ? '>' : ' ', threads, w.blocks, w.warps, percent(t->d, w.warps));
        for (uint32_t i = 0; i < BAR; i++) {
            fputc(i < bar ? '#' : '.', t->out);
        }
        fprintf(t->out, "  %s%s\n", w.limiter, here ? mark(t, false) : "");
    }
}

void occupancy_table(const struct occupancy_device *d, const struct occupancy_ask *a,
                     bool color, FILE *out)
{
    const struct table t = {d, color, out};
    const struct rules_cc *r = d->rules;
    struct occupancy_answer w = occupancy_answer(d, a);

    fprintf(out,
            "compute capability %u.%u: %u threads (%u warps), %u registers per "
            "thread, %u bytes of shared memory per block\n",
            r->cc / 10, r->cc % 10, a->threads, (a->threads + 31) / 32, a->regs,
            a->shared);
    if (w.within) {
        fprintf(out, "%u KB of shared memory on an SM%s\n\n", w.split.shared,
                r->shared_reserved != 0 ? ", 1 KB of it reserved for each block" : "");
        limits(&t, a, &w);
    }
    verdict(&t, a, &w);
    sizes(&t, a);
}
