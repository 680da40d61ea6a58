#include "report/explain.h"

#include "gpu/observe.h"
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

const char *explain_op(uint32_t op)
{
    static const char *const names[] = {"load", "store", "atomic", "reduction"};

    return names[op];
}

const char *explain_space_name(uint32_t space)
{
    static const char *const names[] = {"shared", "global", "local", "constant"};

    return names[space];
}

static bool space_of(const struct mem_planned *p, enum explain_space *out)
{
    switch ((enum isa_space)p->space) {
    case ISA_SP_CLUSTER:
    case ISA_SP_SHARED: *out = EXPLAIN_SHARED; return true;
    case ISA_SP_GLOBAL: *out = EXPLAIN_GLOBAL; return true;
    case ISA_SP_LOCAL: *out = EXPLAIN_LOCAL; return true;
    case ISA_SP_CONST: *out = EXPLAIN_CONST; return true;
    case ISA_SP_GENERIC:
    case ISA_SP_PARAM:
    case ISA_SP_REG:
    case ISA_SP_TEXTURE: break;
    }
    return false;
}

/* ---- sums ---- */

static struct explain_launch *launch_at(struct explain *x, uint32_t i)
{
    if (i >= x->n_launches) {
        uint32_t n = smw_results(x->device);

        n = n > i ? n : i + 1;
        x->launch = tb_realloc(x->launch, n * sizeof(x->launch[0]));
        memset(x->launch + x->n_launches, 0,
               (n - x->n_launches) * sizeof(x->launch[0]));
        x->n_launches = n;
    }
    return &x->launch[i];
}

/* Rows of one instruction are in the order of the spaces. */
static struct explain_row *row_at(struct explain_launch *l, uint32_t pc, uint32_t space)
{
    struct explain_row **link, *row;

    if (pc >= l->n_rows) {
        uint32_t n = pc + 1 > 2 * l->n_rows ? pc + 1 : 2 * l->n_rows;

        l->row = tb_realloc(l->row, n * sizeof(l->row[0]));
        memset(l->row + l->n_rows, 0, (n - l->n_rows) * sizeof(l->row[0]));
        l->n_rows = n;
    }
    link = &l->row[pc];
    while (*link != NULL && (*link)->space < space) {
        link = &(*link)->next;
    }
    if (*link != NULL && (*link)->space == space) {
        return *link;
    }
    row = tb_alloc(sizeof(*row));
    row->pc = pc;
    row->space = (uint8_t)space;
    row->next = *link;
    *link = row;
    return row;
}

static int by_address(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* The least number of sectors that hold the bytes the lanes ask for. Accesses of one
 * instruction are aligned and of one size: they are equal or apart. */
static uint32_t least_sectors(const struct mem_planned *p)
{
    uint64_t addr[ISA_LANES];
    uint32_t n = 0, distinct = 0;

    for (uint32_t m = p->mask; m != 0; m &= m - 1) {
        addr[n++] = p->addr[__builtin_ctz(m)];
    }
    qsort(addr, n, sizeof(addr[0]), by_address);
    for (uint32_t i = 0; i < n; i++) {
        /* local memory: the same offset is another place for every lane */
        distinct += p->space == ISA_SP_LOCAL || i == 0 || addr[i] != addr[i - 1];
    }
    return (distinct * p->bytes + MEM_SECTOR - 1) / MEM_SECTOR;
}

static void add(struct explain_row *r, const struct mem_planned *p, uint32_t least)
{
    uint32_t degree = p->degree < EXPLAIN_MAX_DEGREE ? p->degree : EXPLAIN_MAX_DEGREE;

    r->op = p->op;
    r->bytes = p->bytes;
    r->executions++;
    /* the crossbar gets one request per execution */
    r->requests += r->space == EXPLAIN_SHARED ? 1 : p->requests;
    r->wavefronts += p->wavefronts;
    r->ideal += p->ideal;
    r->sectors += p->sectors;
    r->ideal_sectors += least;
    r->lines += p->lines;
    r->degree[degree] += r->space == EXPLAIN_SHARED;
    r->worst = p->degree > r->worst ? p->degree : r->worst;
}

/* ---- the worst ---- */

/* Negative: a comes first. A warp does not ask twice in one cycle, so no two are
 * equal. */
static int compare_cases(const struct explain_case *a, const struct explain_case *b)
{
    const uint64_t x[] = {b->excess, a->p.block, a->p.block_warp, (uint64_t)a->p.cycle,
                          a->p.pc};
    const uint64_t y[] = {a->excess, b->p.block, b->p.block_warp, (uint64_t)b->p.cycle,
                          b->p.pc};

    for (uint32_t i = 0; i < ARRAY_LEN(x); i++) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return 0;
}

static void keep(struct explain_worst *w, uint32_t max, const struct mem_planned *p,
                 uint32_t excess)
{
    struct explain_case c = {excess, *p};
    uint32_t i;

    if (excess == 0 || max == 0 ||
        (w->n == max && compare_cases(&w->at[max - 1], &c) <= 0)) {
        return;
    }
    if (w->n < max) {
        if ((w->n & (w->n - 1)) == 0) { /* 0 or a power of two: full */
            w->at = tb_realloc(w->at, (w->n == 0 ? 1 : 2 * w->n) * sizeof(w->at[0]));
        }
        w->n++;
    }
    for (i = w->n - 1; i > 0 && compare_cases(&c, &w->at[i - 1]) < 0; i--) {
        w->at[i] = w->at[i - 1];
    }
    w->at[i] = c;
}

/* The worst of a row, and of equals the first by compare_cases(). */
static void keep_sample(struct explain_row *r, const struct mem_planned *p,
                        uint32_t excess)
{
    struct explain_case c = {excess, *p};

    if (excess == 0 || (r->sample != NULL && compare_cases(r->sample, &c) <= 0)) {
        return;
    }
    if (r->sample == NULL) {
        r->sample = tb_alloc(sizeof(*r->sample));
    }
    *r->sample = c;
}

/* ---- where warps waited ---- */

const char *explain_stall_name(uint32_t why)
{
    static const char *const names[STALL_N] = {
#define X(name, field) [STALL_##name] = #field,
        STALL_REASONS(X)
#undef X
    };

    return names[why];
}

uint64_t explain_waited(const struct stalls *s)
{
    uint64_t sum = 0;

    for (uint32_t k = 0; k < STALL_N; k++) {
        sum += k == STALL_SELECTED ? 0 : s->n[k];
    }
    return sum;
}

uint32_t explain_most_waited(const struct explain *x, uint32_t launch,
                             struct explain_place *best, uint32_t max)
{
    uint32_t n_pcs, n = 0;
    const struct stalls *s = smw_stalls(x->device, launch, &n_pcs);

    for (uint32_t pc = 0; s != NULL && pc < n_pcs; pc++) {
        struct explain_place p = {pc, explain_waited(&s[pc]), &s[pc]};
        uint32_t i;

        if (p.waited == 0 || (n == max && p.waited <= best[n - 1].waited)) {
            continue;
        }
        n += n < max;
        for (i = n - 1; i > 0 && best[i - 1].waited < p.waited; i--) {
            best[i] = best[i - 1];
        }
        best[i] = p;
    }
    return n;
}

/* ---- listening ---- */

static void hear(void *ctx, sim_time_t now, const struct sim_module *from,
                 const void *record)
{
    struct explain *x = ctx;
    const struct mem_planned *p = record;
    enum explain_space space;
    struct explain_launch *l;
    uint32_t least = 0, excess = 0;
    struct explain_row *row;

    (void)now;
    (void)from;
    if (!space_of(p, &space)) {
        return;
    }
    l = launch_at(x, smw_resident(x->device, p->launch));
    if (space == EXPLAIN_SHARED) {
        excess = p->wavefronts - p->ideal;
    } else if (space != EXPLAIN_CONST) {
        least = least_sectors(p);
        excess = p->sectors > least ? p->sectors - least : 0;
    }
    row = row_at(l, p->pc, space);
    add(row, p, least);
    keep_sample(row, p, excess);
    if (space == EXPLAIN_SHARED || space == EXPLAIN_GLOBAL) {
        keep(&l->worst[space], x->max_worst, p, excess);
    }
}

struct explain *explain_open(struct smw_device *d, uint32_t max_worst)
{
    struct explain *x = tb_alloc(sizeof(*x));

    x->device = d;
    x->max_worst = max_worst;
    x->listener = (struct sim_listener){.heard = hear, .ctx = x};
    smw_watch_stalls(d);
    sim_listen(smw_planned(d), &x->listener);
    return x;
}

void explain_close(struct explain *x)
{
    if (x == NULL) {
        return;
    }
    for (uint32_t i = 0; i < x->n_launches; i++) {
        struct explain_launch *l = &x->launch[i];

        for (uint32_t pc = 0; pc < l->n_rows; pc++) {
            while (l->row[pc] != NULL) {
                struct explain_row *r = l->row[pc];

                l->row[pc] = r->next;
                free(r->sample);
                free(r);
            }
        }
        free(l->row);
        free(l->order);
        for (uint32_t s = 0; s < EXPLAIN_SPACES; s++) {
            free(l->worst[s].at);
        }
    }
    free(x->launch);
    free(x);
}

/* ---- reading ---- */

struct text_place {
    uint32_t function, line, pc; /* function: its first pc */
};

static int by_text(const void *a, const void *b)
{
    const struct text_place *x = a, *y = b;

    if (x->function != y->function) {
        return x->function < y->function ? -1 : 1;
    }
    if (x->line != y->line) {
        return x->line < y->line ? -1 : 1;
    }
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static void sort_rows(const struct explain *x, uint32_t launch)
{
    struct explain_launch *l = &x->launch[launch];
    struct text_place *place = tb_alloc(l->n_rows * sizeof(*place));

    for (uint32_t pc = 0; pc < l->n_rows; pc++) {
        struct smw_inst inst = {.offset = 0};

        if (l->row[pc] != NULL) {
            (void)smw_inst(x->device, launch, pc, &inst);
        }
        place[pc] = (struct text_place){pc - inst.offset, inst.ptx_line, pc};
    }
    qsort(place, l->n_rows, sizeof(*place), by_text);
    free(l->order);
    l->order = tb_alloc(l->n_rows * sizeof(l->order[0]));
    for (uint32_t i = 0; i < l->n_rows; i++) {
        l->order[i] = place[i].pc;
    }
    free(place);
}

const struct explain_launch *explain_of(const struct explain *x, uint32_t i)
{
    static const struct explain_launch none;

    if (i >= x->n_launches || x->launch[i].n_rows == 0) {
        return &none;
    }
    sort_rows(x, i);
    return &x->launch[i];
}

const struct explain_row *explain_next(const struct explain_launch *l, uint32_t space,
                                       uint32_t *at)
{
    while (*at < l->n_rows) {
        const struct explain_row *r = l->row[l->order[(*at)++]];

        for (; r != NULL; r = r->next) {
            if (r->space == space) {
                return r;
            }
        }
    }
    return NULL;
}

void explain_lanes(const struct explain *x, const struct mem_planned *p,
                   struct explain_lane lane[ISA_LANES])
{
    const struct rules_cc *rules = smw_rules(x->device);
    struct rules_access a = {.op = p->op,
                             .bytes = p->bytes,
                             .bank_mode = p->bank_mode,
                             .mask = p->mask,
                             .addr = p->addr};
    uint32_t words = p->bytes <= 4 ? 1 : p->bytes / 4u;
    struct rules_waves *w = tb_alloc(sizeof(*w));

    memset(lane, 0, ISA_LANES * sizeof(lane[0]));
    rules_shared(rules, &a, w);
    for (uint32_t m = p->mask; m != 0; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        uint32_t word = (uint32_t)((p->base + p->addr[l]) / 4);

        lane[l].first_bank = rules_bank(rules, p->bank_mode, word);
        lane[l].last_bank = rules_bank(rules, p->bank_mode, word + words - 1);
        for (uint32_t pass = 0; pass < w->n; pass++) {
            for (uint32_t i = 0; i < words; i++) {
                if ((w->lanes[pass][i] >> l & 1u) != 0) {
                    lane[l].last_pass = pass + 1;
                    lane[l].first_pass =
                        lane[l].first_pass == 0 ? pass + 1 : lane[l].first_pass;
                }
            }
        }
    }
    free(w);
}
