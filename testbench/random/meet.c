/* What threads of a warp do together: votes, shuffles, matches, reductions,
 * barriers. */
#include "eval.h"
#include "machine.h"

enum { NONE = -1 };

struct meeting {
    struct interp *x;
    const struct insn *in;
    struct thread *const *t;
    uint32_t n;
};

/* The value of operand i of the thread in a lane, 0 if there is none. */
static int find(const struct meeting *m, uint32_t lane)
{
    for (uint32_t i = 0; i < m->n; i++) {
        if (m->t[i]->lane == lane) {
            return (int)i;
        }
    }
    return NONE;
}

static uint64_t source(const struct meeting *m, uint32_t thread, uint32_t i)
{
    return machine_read(m->x, m->t[thread], &m->in->o[i]);
}

static uint32_t lanes(const struct meeting *m)
{
    uint32_t mask = 0;

    for (uint32_t i = 0; i < m->n; i++) {
        mask |= UINT32_C(1) << m->t[i]->lane;
    }
    return mask;
}

/* The same result to all. */
static bool give(const struct meeting *m, uint64_t v)
{
    v ^= m->in->op == m->x->l->plant;
    for (uint32_t i = 0; i < m->n; i++) {
        machine_write(m->x, m->t[i], m->in->o[0].reg, v);
    }
    return true;
}

static bool vote(const struct meeting *m)
{
    uint32_t yes = 0;

    for (uint32_t i = 0; i < m->n; i++) {
        yes |= (source(m, i, 1) != 0 ? UINT32_C(1) : 0) << m->t[i]->lane;
    }
    if (has(m->in, MOD_BALLOT)) {
        return give(m, yes);
    }
    if (has(m->in, MOD_ALL)) {
        return give(m, yes == lanes(m));
    }
    return give(m, has(m->in, MOD_ANY) ? yes != 0 : yes == 0 || yes == lanes(m));
}

static bool shfl(const struct meeting *m)
{
    const struct insn *in = m->in;
    uint64_t v[WARP];
    bool p[WARP];

    for (uint32_t i = 0; i < m->n; i++) {
        uint32_t lane = m->t[i]->lane, b = source(m, i, 2) & 31;
        uint32_t c = (uint32_t)source(m, i, 3), clamp = c & 31, segment = c >> 8 & 31;
        int low = (int)(lane & segment), last = low | (int)(clamp & ~segment), j, from;

        if (has(in, MOD_UP)) {
            j = (int)lane - (int)b;
            p[i] = j >= last;
        } else {
            j = has(in, MOD_DOWN)   ? (int)(lane + b)
                : has(in, MOD_BFLY) ? (int)(lane ^ b)
                                    : low | (int)(b & ~segment);
            p[i] = j <= last;
        }
        from = find(m, p[i] ? (uint32_t)j : lane);
        if (from == NONE) {
            return machine_fail(m->x, in, "shuffle from a thread that is not there");
        }
        v[i] = source(m, (uint32_t)from, 1) ^ (in->op == m->x->l->plant);
    }
    for (uint32_t i = 0; i < m->n; i++) {
        machine_write(m->x, m->t[i], in->o[0].reg, v[i]);
        if (in->pair != NO_REG) {
            machine_write(m->x, m->t[i], in->pair, p[i]);
        }
    }
    return true;
}

static bool match(const struct meeting *m)
{
    const struct insn *in = m->in;
    uint64_t v[WARP], result[WARP];
    bool all = true;

    for (uint32_t i = 0; i < m->n; i++) {
        v[i] = source(m, i, 1);
        if (in->ty == TY_B32) {
            v[i] &= 0xffffffff;
        }
        all = all && v[i] == v[0];
    }
    for (uint32_t i = 0; i < m->n; i++) {
        result[i] = 0;
        for (uint32_t k = 0; k < m->n; k++) {
            bool same = has(in, MOD_ALL) ? all : v[k] == v[i];

            result[i] |= (uint64_t)same << m->t[k]->lane;
        }
    }
    for (uint32_t i = 0; i < m->n; i++) {
        machine_write(m->x, m->t[i], in->o[0].reg, result[i]);
        if (in->pair != NO_REG) {
            machine_write(m->x, m->t[i], in->pair, all);
        }
    }
    return true;
}

static uint64_t fold(const struct insn *in, uint64_t a, uint64_t b)
{
    bool less = ty_signed(in->ty) ? (int64_t)a < (int64_t)b : a < b;

    if (has(in, MOD_ADD)) {
        return a + b;
    }
    if (has(in, MOD_AND)) {
        return a & b;
    }
    if (has(in, MOD_OR)) {
        return a | b;
    }
    if (has(in, MOD_XOR)) {
        return a ^ b;
    }
    return less == has(in, MOD_MIN) ? a : b;
}

static bool redux(const struct meeting *m)
{
    uint64_t v = extend(m->in->ty, source(m, 0, 1));

    for (uint32_t i = 1; i < m->n; i++) {
        v = fold(m->in, v, extend(m->in->ty, source(m, i, 1)));
    }
    return give(m, v);
}

static bool elect(const struct meeting *m)
{
    uint32_t leader = m->t[0]->lane; /* the lowest */

    for (uint32_t i = 0; i < m->n; i++) {
        if (m->in->o[0].reg != NO_REG) {
            machine_write(m->x, m->t[i], m->in->o[0].reg, leader);
        }
        machine_write(m->x, m->t[i], m->in->pair, m->t[i]->lane == leader);
    }
    return true;
}

/* bar.red; what bar.sync does is done when all have met. */
static bool barrier(const struct meeting *m)
{
    const struct insn *in = m->in;
    uint32_t yes = 0;

    if (!has(in, MOD_RED)) {
        return true;
    }
    for (uint32_t i = 0; i < m->n; i++) {
        yes += source(m, i, in->n - 1u) != 0;
    }
    if (has(in, MOD_POPC)) {
        return give(m, yes);
    }
    return give(m, has(in, MOD_AND) ? yes == m->n : yes != 0);
}

bool machine_meet(struct interp *x, struct thread *const *t, uint32_t n,
                  const struct insn *in)
{
    struct meeting m = {x, in, t, n};

    if (in->guard != NO_REG) {
        return machine_fail(x, in, "an exchange under a guard");
    }
    switch (in->op) {
    case OP_VOTE: return vote(&m);
    case OP_SHFL: return shfl(&m);
    case OP_MATCH: return match(&m);
    case OP_REDUX: return redux(&m);
    case OP_ELECT: return elect(&m);
    case OP_ACTIVEMASK: return give(&m, lanes(&m));
    case OP_MMA:
    case OP_LDMATRIX:
    case OP_STMATRIX:
    case OP_MOVMATRIX: return machine_tile(x, t, n, in);
    default: return barrier(&m);
    }
}
