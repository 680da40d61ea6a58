#include "track/why.h"

#include "track/why_priv.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const why_words[WHY_N] = {
#define X(name, word, doc) word,
    WHY_CAUSES(X)
#undef X
};

static const char *const why_docs[WHY_N] = {
#define X(name, word, doc) doc,
    WHY_CAUSES(X)
#undef X
};

/* ---- parts ---- */

/* Where it was, and what it was about. */
static json_t *part_json(const struct track *r, const struct why_part *p)
{
    json_t *o = json_pack("{s:s, s:I, s:I, s:I}", "cause", why_words[p->cause], "from",
                          (json_int_t)p->from, "to", (json_int_t)p->to, "cycles",
                          (json_int_t)(p->to - p->from));
    const struct track_inst *x;
    const struct track_block *b;
    struct track_text t;

    if (p->inst == TRACK_NONE) {
        return o;
    }
    x = &r->inst.at[p->inst];
    b = &r->block.at[x->block];
    track_text(r, x->block, x->pc, &t);
    json_object_set_new(o, "block", json_integer((json_int_t)b->index));
    json_object_set_new(o, "warp", json_integer(track_rank(b, x->warp)));
    json_object_set_new(o, "sm", json_integer(x->sm));
    json_object_set_new(o, "line", json_string(t.line));
    json_object_set_new(o, "inst", json_string(t.inst.text));
    return o;
}

struct sum { /* of the parts of a cause */
    uint64_t cycles;
    uint32_t n, worst; /* parts; the longest of them */
    uint8_t cause;
};

static int longest_first(const void *a, const void *b)
{
    const struct sum *x = a, *y = b;

    if (x->cycles != y->cycles) {
        return x->cycles > y->cycles ? -1 : 1;
    }
    return x->cause < y->cause ? -1 : x->cause > y->cause;
}

/* The parts in order of time have the first of equals as their worst. */
static void sum_up(const struct why *y, struct sum sums[WHY_N])
{
    for (uint32_t k = 0; k < WHY_N; k++) {
        sums[k] = (struct sum){.cause = (uint8_t)k};
    }
    for (uint32_t i = y->part.n; i-- > 0;) {
        const struct why_part *p = &y->part.at[i];
        struct sum *s = &sums[p->cause];
        uint64_t cycles = p->to - p->from;

        if (s->n == 0 || cycles > y->part.at[s->worst].to - y->part.at[s->worst].from) {
            s->worst = i;
        }
        s->cycles += cycles;
        s->n++;
    }
    qsort(sums, WHY_N, sizeof(sums[0]), longest_first);
}

static json_t *causes_json(const struct track *r, const struct why *y)
{
    struct sum sums[WHY_N];
    uint64_t all = y->end - y->begin;
    json_t *list = json_array();

    sum_up(y, sums);
    for (uint32_t k = 0; k < WHY_N && sums[k].n > 0; k++) {
        const struct sum *s = &sums[k];

        json_array_append_new(list,
                              json_pack("{s:s, s:I, s:f, s:I, s:s, s:o}", "cause",
                                        why_words[s->cause], "cycles",
                                        (json_int_t)s->cycles, "share",
                                        (double)s->cycles / (double)all, "count",
                                        (json_int_t)s->n, "meaning", why_docs[s->cause],
                                        "worst", part_json(r, &y->part.at[s->worst])));
    }
    return list;
}

/* In order of time: the first and the last, at most n of them. */
static json_t *parts_json(const struct track *r, const struct why *y, uint32_t n)
{
    uint32_t all = y->part.n, head = n < all ? n / 2 : all;
    uint32_t tail = n < all ? n - head : 0;
    json_t *list = json_array();

    for (uint32_t k = 0; k < all; k++) {
        if (k < head || k >= all - tail) {
            json_array_append_new(list, part_json(r, &y->part.at[all - 1 - k]));
        }
    }
    return list;
}

/* ---- the launch ---- */

static bool find_launch(const struct track *r, const struct why_ask *ask,
                        uint32_t *launch, struct smw_err *e)
{
    uint32_t n = smw_results(r->device);
    uint64_t most = 0;
    struct smw_result k;

    *launch = ask->launch;
    if (ask->launch != WHY_LONGEST) {
        return ask->launch < n || err_set(e, SMW_ERR_USAGE,
                                          "there is no launch %" PRIu32
                                          ": the run has %" PRIu32 ", from 0 on",
                                          ask->launch, n);
    }
    for (uint32_t i = 0; smw_result(r->device, i, &k); i++) {
        uint64_t end = sim_cycle_of(r->clock, k.end_ps);
        bool runs = ask->cycle <= end && ask->cycle >= end - k.counters.cycles;

        if (k.finished && !k.functional && k.counters.cycles > most &&
            (ask->cycle == WHY_NEVER || runs)) {
            *launch = i;
            most = k.counters.cycles;
        }
    }
    return most > 0 ||
           err_set(e, SMW_ERR_USAGE,
                   ask->cycle == WHY_NEVER ? "no launch took time and came to its end"
                                           : "no launch runs in cycle %" PRIu64,
                   ask->cycle);
}

/* Is it one of which a chain can be told? */
static bool check_launch(const struct track *r, const struct why_ask *ask,
                         const struct why *y, const struct smw_result *k,
                         struct smw_err *e)
{
    if (!k->finished || k->functional) {
        return err_set(e, SMW_ERR_USAGE, "launch %" PRIu32 " of %s %s", y->launch,
                       k->kernel,
                       k->functional ? "took no time" : "did not come to its end");
    }
    if (ask->cycle != WHY_NEVER && (ask->cycle < y->begin || ask->cycle > y->end)) {
        return err_set(e, SMW_ERR_USAGE,
                       "launch %" PRIu32 " of %s does not run in cycle %" PRIu64
                       ": it runs from %" PRIu64 " to %" PRIu64,
                       y->launch, k->kernel, ask->cycle, y->begin, y->end);
    }
    if (r->cut != TRACK_NEVER && r->cut < y->end) {
        err_set(e, SMW_ERR_LIMIT,
                "the record ends at cycle %" PRIu64 ", after %" PRIu64
                " warp instructions, before the launch does",
                r->cut, r->plan.max);
        err_hint(e, "--record-max takes more; a smaller launch says the same");
        return false;
    }
    return true;
}

static json_t *chain_json(const struct track *r, const struct why *y,
                          const struct why_ask *ask, const struct smw_result *k)
{
    uint64_t all = sim_cycle_of(r->clock, k->end_ps);
    json_t *o = json_pack("{s:I, s:s, s:I, s:I, s:I, s:b}", "launch",
                          (json_int_t)y->launch, "kernel", k->kernel, "begin",
                          (json_int_t)y->begin, "end", (json_int_t)y->end, "cycles",
                          (json_int_t)(y->end - y->begin), "whole", y->end == all);
    json_t *list = parts_json(r, y, ask->parts);

    json_object_set_new(o, "causes", causes_json(r, y));
    json_object_set_new(o, "parts", json_integer((json_int_t)y->part.n));
    json_object_set_new(o, "left_out",
                        json_integer((json_int_t)y->part.n -
                                     (json_int_t)json_array_size(list)));
    json_object_set_new(o, "chain", list);
    return o;
}

json_t *why_chain(struct track *r, const struct why_ask *ask, struct smw_err *e)
{
    struct why y = {0};
    struct smw_result k;
    json_t *o = NULL;

    track_finish(r);
    if (!find_launch(r, ask, &y.launch, e) || !smw_result(r->device, y.launch, &k)) {
        return NULL;
    }
    y.end = sim_cycle_of(r->clock, k.end_ps);
    y.begin = y.end - k.counters.cycles;
    if (check_launch(r, ask, &y, &k, e)) {
        why_walk(r, &y, ask->cycle);
        o = chain_json(r, &y, ask, &k);
    }
    free(y.part.at);
    return o;
}
