#include "track/why_order.h"

#include <stdlib.h>

static uint32_t scheduler_of(const struct track *r, const struct track_inst *x)
{
    return x->sm * r->schedulers + x->warp % r->schedulers;
}

static int by_cycle(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* first[k + 1] counts what belongs to k: now first[k] is where it begins. */
static void add_up(uint32_t *first, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        first[k + 1] += first[k];
    }
}

static void sort_blocks(struct why_order *o)
{
    const struct track *r = o->r;
    uint32_t *at = tb_alloc((r->block.n + 1) * sizeof(at[0]));

    o->in_block = tb_alloc((r->inst.n + 1) * sizeof(o->in_block[0]));
    o->first = tb_alloc((r->block.n + 2) * sizeof(o->first[0]));
    for (uint32_t i = 0; i < r->inst.n; i++) {
        o->first[r->inst.at[i].block + 1]++;
    }
    add_up(o->first, r->block.n);
    for (uint32_t i = 0; i < r->inst.n; i++) {
        uint32_t b = r->inst.at[i].block;

        o->in_block[o->first[b] + at[b]++] = i;
    }
    free(at);
}

static void sort_issues(struct why_order *o)
{
    const struct track *r = o->r;
    uint32_t n = r->n_sms * r->schedulers;
    uint32_t *at = tb_alloc((n + 1) * sizeof(at[0]));

    o->issue = tb_alloc((r->inst.n + 1) * sizeof(o->issue[0]));
    o->first_issue = tb_alloc((n + 2) * sizeof(o->first_issue[0]));
    for (uint32_t i = 0; i < r->inst.n; i++) {
        o->first_issue[scheduler_of(r, &r->inst.at[i]) + 1]++;
    }
    add_up(o->first_issue, n);
    for (uint32_t i = 0; i < r->inst.n; i++) {
        uint32_t s = scheduler_of(r, &r->inst.at[i]);

        o->issue[o->first_issue[s] + at[s]++] = r->inst.at[i].issue;
    }
    for (uint32_t s = 0; s < n; s++) {
        qsort(o->issue + o->first_issue[s], at[s], sizeof(o->issue[0]), by_cycle);
    }
    free(at);
}

void why_order_open(struct why_order *o, const struct track *r)
{
    o->r = r;
    sort_blocks(o);
    sort_issues(o);
}

void why_order_close(struct why_order *o)
{
    free(o->in_block);
    free(o->first);
    free(o->issue);
    free(o->first_issue);
}

/* How many of the sorted list are below v. */
static uint32_t below(const uint64_t *list, uint32_t n, uint64_t v)
{
    uint32_t low = 0;

    while (low < n) {
        uint32_t mid = low + (n - low) / 2;

        if (list[mid] < v) {
            low = mid + 1;
        } else {
            n = mid;
        }
    }
    return low;
}

uint32_t why_issues(const struct why_order *o, const struct track_inst *x,
                    uint64_t from, uint64_t to)
{
    uint32_t s = scheduler_of(o->r, x);
    const uint64_t *list = o->issue + o->first_issue[s];
    uint32_t n = o->first_issue[s + 1] - o->first_issue[s];
    uint32_t before = below(list, n, from + 1), until = below(list, n, to);

    return until > before ? until - before : 0;
}

/* When it did so; NEVER: it did not. */
static uint64_t when(const struct track_inst *x, enum why_want want)
{
    if (x->issue == TRACK_NEVER) {
        return TRACK_NEVER;
    }
    switch (want) {
    case WHY_ISSUED: return x->issue;
    case WHY_COMES:
        return x->uop->kind == ISA_K_BAR || x->uop->kind == ISA_K_RET ||
                       x->uop->kind == ISA_K_EXIT
                   ? x->issue
                   : TRACK_NEVER;
    case WHY_ANSWERED: return x->at[MEM_AT_ISSUE] == 0 ? TRACK_NEVER : x->done;
    }
    return TRACK_NEVER;
}

uint32_t why_last(const struct why_order *o, uint32_t block, enum why_want want,
                  uint64_t before)
{
    uint32_t last = TRACK_NONE;
    uint64_t at = 0;

    for (uint32_t k = o->first[block]; k < o->first[block + 1]; k++) {
        uint64_t t = when(&o->r->inst.at[o->in_block[k]], want);

        if (t < before && (last == TRACK_NONE || t > at)) {
            last = o->in_block[k];
            at = t;
        }
    }
    return last;
}
