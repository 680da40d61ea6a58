/*
 * The tensors of a program, one of each role, their memory, and places of boxes.
 *
 * A tensor that is written lies apart from itself: no two of its elements share a byte,
 * and each row ends with whole 16 bytes, since stores write them. Those with a part for
 * each thread or block have it along their last dimension.
 */
#include "gen_priv.h"

#include <string.h>

static const struct role {
    uint16_t span; /* bytes of a box in shared memory, at most */
    bool written, parted;
} roles[N_TENSORS] = {
    [TENSOR_FAR] = {1024, false, false}, [TENSOR_FAR2] = {1024, false, false},
    [TENSOR_NEAR] = {128, false, false}, [TENSOR_OWN] = {128, true, true},
    [TENSOR_BLOCK] = {1024, true, true}, [TENSOR_SUM] = {1024, true, false}};

enum { MOST = 3072, MOST_PARTED = 32768 }; /* bytes of a tensor */
enum { COORD = 4 };                        /* %jn of the first coordinate */

/* In two words of 32 bits: what TFLOAT32 rounds away, and that halfway between two. */
#define BEHIND UINT64_C(0x00001fff00001fff)
#define HALVES UINT64_C(0x0000100000001000)

static const uint8_t sizes[N_TENSOR_TYPES] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};

static uint32_t round_up(uint32_t v, uint32_t unit)
{
    return (v + unit - 1) / unit * unit;
}

/* What places of rows and strides are multiples of. */
static uint32_t unit_of(const struct tensor *t)
{
    return t->interleave == 2 ? 32 : 16;
}

static void kind(struct gen *g, struct tensor *t, enum tensor_role role)
{
    /* Sums of floating point depend on their order, and so on time. */
    t->type = role == TENSOR_SUM ? TENSOR_U32 + gen_below(g, 4)
                                 : gen_below(g, N_TENSOR_TYPES);
    t->interleave = gen_chance(g, 12) ? 1 + gen_below(g, 2) : 0;
    t->rank = t->interleave != 0 ? 3 + gen_below(g, 3) : 1 + gen_below(g, TENSOR_RANKS);
    t->swizzle = t->interleave == 2 ? 1 : gen_below(g, 4);
    t->promotion = gen_below(g, 4);
    t->nans = t->type >= TENSOR_F16 && gen_chance(g, 50);
    t->stride[0] = t->interleave != 0 ? 16 * t->interleave : sizes[t->type];
}

/* A box of so many bytes or fewer, in shared memory with the room between lines. */
static void box(struct gen *g, struct tensor *t, uint32_t span)
{
    const bool spans = t->interleave == 0 && t->swizzle != 0;
    uint32_t most = spans ? 16u << t->swizzle : span, left;

    most = most > 256 * t->stride[0] ? 256 * t->stride[0] : most;
    most = t->rank > 1 && !spans && gen_chance(g, 70) ? most / 4 : most;
    most = most < unit_of(t) ? unit_of(t) : most;
    t->box[0] = unit_of(t) * (1 + gen_below(g, most / unit_of(t))) / t->stride[0];
    left = span / tensor_pitch(t);
    for (uint32_t d = 0; d < t->rank; d++) {
        t->step[d] = gen_chance(g, 65) ? 1 : 1 + gen_below(g, 8);
        if (d == 0) {
            continue; /* it has none, whatever it says */
        }
        uint32_t n = 1 + gen_below(g, left < 5 ? left : 5);

        t->box[d] = (n - 1) * t->step[d] + 1 + gen_below(g, t->step[d]);
        left /= tensor_extent(t, d);
    }
}

/* How far a box reaches in a dimension. */
static uint32_t reach(const struct tensor *t, uint32_t d)
{
    return d == 0 ? t->box[0] : (tensor_extent(t, d) - 1) * t->step[d] + 1;
}

static void dimensions(struct gen *g, struct tensor *t, uint32_t parts)
{
    for (uint32_t d = 0; d < t->rank; d++) {
        t->dim[d] = 1 + gen_below(g, reach(t, d) + 4);
    }
    if (parts > 0) {
        const uint32_t last = t->rank - 1, n = reach(t, last);

        /* The last part may end early. */
        t->dim[last] = parts * n - (gen_chance(g, 40) ? gen_below(g, n) : 0);
    }
}

/* Bytes that the tensor spans with room of random sizes between its rows, each of them
 * in whole units; read only, rows may also lie in one another. */
static uint32_t strides(struct gen *g, struct tensor *t, bool written)
{
    const uint32_t unit = unit_of(t);
    const bool anyhow = !written && gen_chance(g, 25);
    uint32_t bytes = round_up(t->dim[0] * t->stride[0], unit), next = bytes;

    for (uint32_t d = 1; d < t->rank; d++) {
        t->stride[d] = anyhow ? unit * (1 + gen_below(g, 6))
                              : next + unit * (gen_chance(g, 30) ? gen_below(g, 3) : 0);
        bytes += (t->dim[d] - 1) * t->stride[d];
        next = t->stride[d] * t->dim[d];
    }
    return bytes;
}

/* Smaller, but for the last dimension where that has the parts. */
static void shrink(struct gen *g, struct tensor *t, bool parted)
{
    const uint32_t n = parted && t->rank > 1 ? t->rank - 1u : t->rank;
    uint32_t *const dim = &t->dim[gen_below(g, n)];

    *dim = (*dim + 1) / 2;
}

static void one(struct gen *g, enum tensor_role role)
{
    const struct gen_program *p = g->p;
    const struct role *r = &roles[role];
    const uint32_t parts = !r->parted             ? 0
                           : role == TENSOR_BLOCK ? p->n_blocks
                                                  : p->n_blocks * p->n_threads;
    struct tensor *t = &g->p->tensor[role];
    uint32_t bytes;

    memset(t, 0, sizeof(*t));
    kind(g, t, role);
    box(g, t, r->span);
    if (role == TENSOR_OWN && t->rank > 1) { /* many parts: each takes little */
        const uint32_t last = t->rank - 1u, n = tensor_extent(t, last);

        t->step[last] = 1 + t->step[last] % 2;
        t->box[last] = n > 1 ? t->step[last] + 1 : 1;
    }
    dimensions(g, t, parts);
    while ((bytes = strides(g, t, r->written)) > (r->parted ? MOST_PARTED : MOST)) {
        shrink(g, t, r->parted);
    }
    t->at = round_up(g->p->tensor_bytes, unit_of(t));
    g->p->tensor_bytes = t->at + bytes;
}

void gen_tensor_choose(struct gen *g)
{
    struct gen_program *p = g->p;

    p->tensor_bytes = TENSOR_MAPS;
    for (uint32_t i = 0; i < N_TENSORS; i++) {
        one(g, (enum tensor_role)i);
    }
    p->tensor_bytes = round_up(p->tensor_bytes, 32);
    for (uint32_t i = TENSOR_MAPS; i < p->tensor_bytes; i += 8) {
        uint64_t v = gen_value(g);

        if (gen_chance(g, 10)) {
            v = (v & ~BEHIND) | HALVES;
        }
        memcpy(p->tensor_memory + i, &v, sizeof(v));
    }
    g->tensor_sum = (uint8_t)gen_below(g, 6);
    g->tensor_leader = gen_below(g, p->n_threads);
}

static void list(struct gen *g, const char *what, const uint32_t *v, uint32_t n)
{
    put(g, what);
    for (uint32_t i = 0; i < n; i++) {
        putf(g, " %u", v[i]);
    }
}

static void describe(struct gen *g, const struct tensor *t)
{
    putf(g, "// tensor at %u: type %u, interleave %u, swizzle %u, fill %u", t->at,
         (uint32_t)t->type, (uint32_t)t->interleave, (uint32_t)t->swizzle,
         (uint32_t)t->nans);
    list(g, ", dim", t->dim, t->rank);
    list(g, ", stride", t->stride, t->rank);
    list(g, ", box", t->box, t->rank);
    list(g, ", step", t->step, t->rank);
    put(g, "\n");
}

void gen_tensor_describe(struct gen *g)
{
    for (uint32_t i = 0; i < N_TENSORS; i++) {
        describe(g, &g->p->tensor[i]);
    }
}

/* ---- coordinates ---- */

/* Coordinates in units that a box may begin at. */
struct range {
    int32_t low;
    uint32_t n, unit;
};

/* Most overlap the tensor, some lie wholly before or behind it. */
static struct range range_of(struct gen *g, const struct tensor *t, uint32_t d,
                             bool writes)
{
    struct range r = {0, 0, 1};
    uint32_t before;

    if (d == 0 && t->stride[0] < TENSOR_LINE) {
        r.unit = TENSOR_LINE / t->stride[0];
    }
    r.n = (t->dim[d] + r.unit - 1) / r.unit;
    if (gen_chance(g, 50)) {
        return r;
    }
    before = (d == 0 ? t->box[0] : tensor_extent(t, d) * t->step[d]) / r.unit;
    r.n += 1 + (writes ? 0 : before);
    r.low = writes ? 0 : -(int32_t)before;
    return r;
}

static void choose(struct gen *g, const struct range *r, uint32_t d, bool writes,
                   struct gen_coords *c)
{
    c->fixed[d] = gen_chance(g, 35);
    if (c->fixed[d] && gen_chance(g, 4)) { /* as far as it goes */
        c->value[d] = writes || gen_chance(g, 50) ? INT32_MAX - 15 : INT32_MIN;
    } else if (c->fixed[d]) {
        c->value[d] = (r->low + (int64_t)gen_below(g, r->n)) * r->unit;
    } else {
        const uint32_t at = COORD + d;

        putf(g, "\trem.u32 %jn%u, ", at);
        gen_reg(g, CLASS_R);
        putf(g, ", %u; //=\n", r->n);
        if (r->low != 0) {
            putf(g, "\tsub.s32 %jn%u, %jn%u, %u; //=\n", at, at, (uint32_t)-r->low);
        }
        if (r->unit != 1) {
            putf(g, "\tmul.lo.s32 %jn%u, %jn%u, %u; //=\n", at, at, r->unit);
        }
    }
}

void gen_tensor_coords(struct gen *g, enum tensor_role role, bool writes,
                       struct gen_coords *c)
{
    const struct tensor *t = &g->p->tensor[role];
    const bool parted = role == TENSOR_OWN || role == TENSOR_BLOCK;

    for (uint32_t d = 0; d < t->rank; d++) {
        if (parted && d + 1 == t->rank) {
            c->fixed[d] = false;
            putf(g, "\tmul.lo.u32 %jn%u, %jn%u, %u; //=\n", COORD + d,
                 role == TENSOR_OWN ? 0u : 2u, reach(t, d));
        } else {
            const struct range r = range_of(g, t, d, writes);

            choose(g, &r, d, writes, c);
        }
    }
}

void gen_tensor_box(struct gen *g, enum tensor_role role, const struct gen_coords *c)
{
    putf(g, "[%jm%u+%u, {", gen_below(g, 3), (uint32_t)role * TENSOR_MAP);
    for (uint32_t d = 0; d < g->p->tensor[role].rank; d++) {
        put(g, d > 0 ? ", " : "");
        if (!c->fixed[d]) {
            putf(g, "%jn%u", COORD + d);
        } else {
            put(g, c->value[d] < 0 ? "-" : "");
            put_u(g, (uint64_t)(c->value[d] < 0 ? -c->value[d] : c->value[d]));
        }
    }
    put(g, "}]");
}
