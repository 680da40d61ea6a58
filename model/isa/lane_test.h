/*
 * lane_test.h - how tests run one micro-op over all that may surround it.
 *
 * A whole register file, predicates included, is predicted from an oracle that knows
 * one lane, and compared with what the lane function left: results, lanes outside the
 * mask and slots nobody named alike. Every form runs with operands in registers and in
 * the constant pool, with full, partial and empty masks, and with the result in every
 * slot that an operand takes, whole or half.
 */
#ifndef ISA_LANE_TEST_H
#define ISA_LANE_TEST_H

#include "isa/lane.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define LT_SLOTS  64u
#define LT_PREDS  16u
#define LT_CONSTS 16u

/* splitmix64 */
static inline uint64_t lt_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

struct lt_state {
    uint32_t r[LT_SLOTS * ISA_LANES];
    uint32_t p[LT_PREDS];
};

/* What an oracle sees and says about one lane. */
struct lt_lane {
    const struct isa_form *form;
    uint64_t v[4]; /* register operands, zero-extended */
    bool p[4];     /* predicate operands, negation applied */
    bool carry;    /* in and out */
    uint64_t d;    /* the result */
    bool dp, dq;   /* predicate results */
};
typedef void lt_oracle(struct lt_lane *x);

/* The operands of a form: 'r' 32-bit or 'R' 64-bit register, 'h' 16-bit register, 'b'
 * 8-bit value, 'f' f32, 'F' f64, 's' small count, 'p' predicate. dst likewise, 'p'
 * predicate, 'q' two predicates. */
struct lt_case {
    struct isa_form form;
    char dst;
    const char *src;
    lt_oracle *oracle;
};

static inline bool lt_wide(char c)
{
    return c == 'R' || c == 'F';
}

static inline uint64_t lt_f32(uint64_t *s)
{
    static const uint32_t edge[] = {
        0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff,
        0x00800000, 0x80800000, 0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001,
        0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
        0x7f800001, 0x7fffffff, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001,
        0x4f7fffff, 0x4f800000, 0x5f000000, 0xdf000000, 0x5f800000, 0x3f000000,
        0x3fc00000, 0x40200000, 0xbf000000, 0x33800000, 0x34000000, 0x40000000,
    };
    const uint64_t k = lt_random(s);

    switch (k % 4) {
    case 0: return edge[k / 4 % (sizeof(edge) / sizeof(edge[0]))];
    case 1: /* near one another, so that sums cancel */
        return 0x3f000000u + (uint32_t)(lt_random(s) & 0x81ffffffu);
    case 2: return (uint32_t)lt_random(s) & 0x87ffffffu; /* tiny */
    default: return (uint32_t)lt_random(s);
    }
}

static inline uint64_t lt_f64(uint64_t *s)
{
    static const uint64_t edge[] = {
        0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x800fffffffffffff,
        0x0010000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x7fefffffffffffff,
        0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000123,
        0x7ff0000000000001, 0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000000000,
        0xc1e0000000100000, 0x43e0000000000000, 0xc3e0000000000000, 0x43efffffffffffff,
        0x43f0000000000000, 0x3fe0000000000000, 0x3ff8000000000000, 0x4004000000000000,
        0x36a0000000000000, 0x380fffffffffffff, 0x47efffffffffffff, 0x3810000000000000,
    };
    const uint64_t k = lt_random(s);

    switch (k % 4) {
    case 0: return edge[k / 4 % (sizeof(edge) / sizeof(edge[0]))];
    case 1: return 0x3fe0000000000000ull + (lt_random(s) & 0x803fffffffffffffull);
    case 2: /* within reach of f32 and of integers */
        return 0x3600000000000000ull +
               (lt_random(s) & 0x9fffffffffffffffull) % (0x12ull << 56);
    default: return lt_random(s);
    }
}

static inline uint64_t lt_int(uint64_t *s)
{
    const uint64_t k = lt_random(s);
    const uint64_t power = 1ull << (k / 8 % 64);

    switch (k % 8) {
    case 0: return power;
    case 1: return power - 1;
    case 2: return 0 - power;
    case 3: return k / 8 % 5 - 2; /* -2 .. 2 */
    case 4: return ~(power - 1) ^ 1;
    case 5: return (k >> 8) % 70;
    default: return lt_random(s);
    }
}

static inline uint64_t lt_value(uint64_t *s, char c)
{
    switch (c) {
    case 'b': return lt_int(s) & 0xff;
    case 'h': return lt_int(s) & 0xffff;
    case 'r': return lt_int(s) & UINT32_MAX;
    case 'R': return lt_int(s);
    case 's': return lt_random(s) % 8 ? lt_random(s) % 70 : lt_int(s) & UINT32_MAX;
    case 'f': return lt_f32(s);
    case 'F': return lt_f64(s);
    default: return 0;
    }
}

static inline uint64_t lt_get(const uint32_t *slot, uint32_t l, bool wide)
{
    return wide ? slot[2 * l] | (uint64_t)slot[2 * l + 1] << 32 : slot[l];
}

static inline void lt_set(uint32_t *slot, uint32_t l, bool wide, uint64_t v)
{
    if (wide) {
        slot[2 * l] = (uint32_t)v;
        slot[2 * l + 1] = (uint32_t)(v >> 32);
    } else {
        slot[l] = (uint32_t)v;
    }
}

/* One run: where the result lies, in slots; sources are at 8, 12, 16, 20. */
struct lt_run {
    const struct lt_case *c;
    uint64_t *seed;
    isa_exec_fn *exec;
    uint32_t dst;
    uint32_t mask;
};

static inline void lt_source(const struct lt_run *t, uint32_t i, struct isa_uop *u,
                             struct lt_state *s, uint32_t *k)
{
    const char c = t->c->src[i];

    if (c == 'p') {
        const uint64_t x = lt_random(t->seed);

        u->src[i] = x % 8 == 0   ? ISA_P_TRUE
                    : x % 8 == 1 ? ISA_P_FALSE
                                 : (isa_ref)(4 + i);
        u->neg_src |= (uint8_t)((x >> 8 & 1) << i);
        return;
    }
    if (lt_random(t->seed) % 4 == 0) { /* a constant: the same in all lanes */
        const uint64_t v = lt_value(t->seed, c);

        for (uint32_t l = 0; l < ISA_LANES; l++) {
            lt_set(k + 2 * i * ISA_LANES, l, lt_wide(c), v);
        }
        u->src[i] = (isa_ref)(-1 - 2 * (int32_t)i);
        return;
    }
    u->src[i] = (isa_ref)(8 + 4 * i);
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        lt_set(s->r + u->src[i] * ISA_LANES, l, lt_wide(c), lt_value(t->seed, c));
    }
}

static inline void lt_fetch(const struct lt_run *t, const struct isa_uop *u,
                            const struct lt_state *s, const uint32_t *k, uint32_t l,
                            struct lt_lane *x)
{
    for (uint32_t i = 0; t->c->src[i] != '\0'; i++) {
        const isa_ref ref = u->src[i];

        if (t->c->src[i] == 'p') {
            x->p[i] = ref == ISA_P_TRUE || (ref >= 0 && (s->p[ref] >> l & 1) != 0);
            x->p[i] ^= (u->neg_src >> i & 1) != 0;
            continue;
        }
        x->v[i] = lt_get(ref >= 0 ? s->r + ref * (int)ISA_LANES
                                  : k + (-1 - ref) * (int)ISA_LANES,
                         l, lt_wide(t->c->src[i]));
    }
    x->form = &t->c->form;
    x->carry = (s->p[8] >> l & 1) != 0;
}

static inline void lt_put_bit(uint32_t *p, uint32_t l, bool v)
{
    *p = (*p & ~(1u << l)) | (uint32_t)v << l;
}

static inline void lt_one(const struct lt_run *t)
{
    static struct lt_state before, after, want;
    static uint32_t k[LT_CONSTS * ISA_LANES];
    struct isa_uop u = {.form = t->c->form, .dst2 = ISA_NO_REF, .cc = 8};
    const struct lt_case *c = t->c;

    for (uint32_t i = 0; i < LT_SLOTS * ISA_LANES; i++) {
        before.r[i] = (uint32_t)lt_random(t->seed);
    }
    for (uint32_t i = 0; i < LT_PREDS; i++) {
        before.p[i] = (uint32_t)lt_random(t->seed);
    }
    for (uint32_t i = 0; c->src[i] != '\0'; i++) {
        lt_source(t, i, &u, &before, k);
        u.n_src++;
    }
    u.dst[0] =
        c->dst == 'p' || c->dst == 'q' ? (isa_ref)(t->dst % 4 + 4) : (isa_ref)t->dst;
    u.dst2 = c->dst == 'q' ? 9 : ISA_NO_REF;
    want = after = before;
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        struct lt_lane x = {0};

        if ((t->mask >> l & 1) == 0) {
            continue;
        }
        lt_fetch(t, &u, &before, k, l, &x);
        c->oracle(&x);
        if (c->dst == 'p' || c->dst == 'q') {
            lt_put_bit(&want.p[u.dst[0]], l, x.dp);
        } else {
            lt_set(want.r + t->dst * ISA_LANES, l, lt_wide(c->dst), x.d);
        }
        if (c->dst == 'q') {
            lt_put_bit(&want.p[9], l, x.dq);
        }
        if ((c->form.flags & ISA_F_CC_OUT) != 0) {
            lt_put_bit(&want.p[8], l, x.carry);
        }
    }
    {
        const struct isa_lanes w = {.r = after.r, .p = after.p, .k = k};

        t->exec(&u, &w, t->mask);
    }
    if (memcmp(&want, &after, sizeof(want)) == 0) {
        return;
    }
    for (uint32_t i = 0; i < LT_SLOTS * ISA_LANES; i++) {
        if (want.r[i] != after.r[i]) {
            fail_msg(
                "%s.%s.%s round %u sub %u cmp %u flags %x: slot %u word %u is %08x, "
                "not %08x (dst %u mask %08x src %d %d %d)",
                isa_op_name((enum isa_op)c->form.op),
                isa_type_name((enum isa_type)c->form.type),
                isa_type_name((enum isa_type)c->form.type2), c->form.round, c->form.sub,
                c->form.cmp, c->form.flags, i / ISA_LANES, i % ISA_LANES, after.r[i],
                want.r[i], t->dst, t->mask, u.src[0], u.src[1], u.src[2]);
        }
    }
    for (uint32_t i = 0; i < LT_PREDS; i++) {
        if (want.p[i] != after.p[i]) {
            fail_msg("%s.%s cmp %u bool %u flags %x: predicate %u is %08x, not %08x "
                     "(mask %08x)",
                     isa_op_name((enum isa_op)c->form.op),
                     isa_type_name((enum isa_type)c->form.type), c->form.cmp,
                     c->form.boolop, c->form.flags, i, after.p[i], want.p[i], t->mask);
        }
    }
}

/* All placements of the result: apart; on a source of its width; over half of a wider
 * source; with either half over a narrower one. */
static inline void lt_exec(const struct lt_case *c, isa_exec_fn *exec, uint64_t *seed)
{
    struct lt_run t = {.c = c, .seed = seed, .exec = exec};

    for (uint32_t round = 0; round < 6; round++) {
        const uint32_t masks[] = {UINT32_MAX, (uint32_t)lt_random(seed),
                                  1u << round * 6, 0};

        t.mask = masks[round % 4];
        t.dst = 2;
        lt_one(&t);
        for (uint32_t i = 0; c->src[i] != '\0'; i++) {
            if (c->src[i] == 'p') {
                t.dst = i;
                lt_one(&t);
                continue;
            }
            t.dst = 8 + 4 * i;
            lt_one(&t);
            if (lt_wide(c->src[i]) != lt_wide(c->dst)) {
                t.dst += lt_wide(c->src[i]) ? 1u : UINT32_MAX;
                lt_one(&t);
            }
        }
    }
}

/* The plain twin of a function that selection gave; itself if it has none. */
static inline isa_exec_fn *lt_plain(isa_exec_fn *exec)
{
    for (uint32_t t = 0; t < lane_n_tables; t++) {
        for (uint32_t i = 0; i < lane_tables[t]->n; i++) {
            if (lane_tables[t]->row[i].exec_wide == exec) {
                return lane_tables[t]->row[i].exec;
            }
        }
    }
    return exec;
}

/* Which rows of the tables have run in this program. */
enum { LT_MAX_TABLES = 20, LT_MAX_ROWS = 512 };
static bool lt_ran[LT_MAX_TABLES][LT_MAX_ROWS];

static inline void lt_mark(enum isa_op op, isa_exec_fn *exec)
{
    assert_true(lane_n_tables <= LT_MAX_TABLES);
    for (uint32_t t = 0; t < lane_n_tables; t++) {
        assert_true(lane_tables[t]->n <= LT_MAX_ROWS);
        for (uint32_t i = 0; i < lane_tables[t]->n; i++) {
            const struct lane_row *r = &lane_tables[t]->row[i];

            lt_ran[t][i] = lt_ran[t][i] ||
                           (r->op == op && (r->exec == exec || r->exec_wide == exec));
        }
    }
}

/* The last test of a program: every row of a table that it is to test has run. Another
 * program tests the operation elsewhere; ISA_N_OPS: there is none. */
static inline void lt_all_ran(const struct lane_table *table, enum isa_op elsewhere,
                              enum isa_op elsewhere2)
{
    for (uint32_t t = 0; t < lane_n_tables; t++) {
        for (uint32_t i = 0; lane_tables[t] == table && i < table->n; i++) {
            const enum isa_op op = (enum isa_op)table->row[i].op;

            if (!lt_ran[t][i] && op != elsewhere && op != elsewhere2) {
                fail_msg("row %u of its table, %s, has no test", i, isa_op_name(op));
            }
        }
    }
}

/* The function that selection gives, and the plain one if that is another. */
static inline void lt_check(const struct lt_case *c)
{
    struct isa_selected sel = {0};
    uint64_t seed = c->form.op * 1000003u + c->form.type * 1009u + c->form.sub * 31u +
                    c->form.cmp * 7u + c->form.flags;

    if (!isa_select(&c->form, &sel)) {
        fail_msg("no such form: %s.%s.%s round %u sub %u cmp %u flags %x",
                 isa_op_name((enum isa_op)c->form.op),
                 isa_type_name((enum isa_type)c->form.type),
                 isa_type_name((enum isa_type)c->form.type2), c->form.round,
                 c->form.sub, c->form.cmp, c->form.flags);
    }
    assert_true(sel.class < ISA_N_CLASSES);
    assert_true(sel.weight > 0);
    lt_mark((enum isa_op)c->form.op, sel.exec);
    lt_exec(c, sel.exec, &seed);
    if (lt_plain(sel.exec) != sel.exec) {
        lt_exec(c, lt_plain(sel.exec), &seed);
    }
}

#endif /* ISA_LANE_TEST_H */
