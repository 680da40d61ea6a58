/* Lanes that look at each other, against the definitions written lane by lane. */
#include "isa/lane_test.h"

enum { SRC = 0, B = 2, C = 3, M = 4, DST = 5, PAIR = 6, SLOTS = 8 };

struct warp {
    uint32_t r[SLOTS * ISA_LANES], p[4];
    uint64_t seed;
};

/* Both variants by turns. */
static isa_exec_fn *pick(struct isa_form f, uint32_t round)
{
    struct isa_selected sel;

    if (!isa_select(&f, &sel)) {
        fail_msg("no %s sub %u flags %x", isa_op_name((enum isa_op)f.op), f.sub,
                 f.flags);
    }
    return round % 2 ? sel.exec : lt_plain(sel.exec);
}

static void scramble(struct warp *w)
{
    for (uint32_t i = 0; i < SLOTS * ISA_LANES; i++) {
        w->r[i] = (uint32_t)lt_random(&w->seed);
    }
    for (uint32_t i = 0; i < 4; i++) {
        w->p[i] = (uint32_t)lt_random(&w->seed);
    }
}

static void execute(const struct isa_uop *u, struct warp *w, uint32_t mask)
{
    const struct isa_lanes lanes = {.r = w->r, .p = w->p};

    u->exec(u, &lanes, mask);
}

/* Members: the whole warp, tiles of 8, or what chance says. */
static void set_members(struct warp *w, uint32_t round)
{
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        w->r[M * ISA_LANES + l] = round % 3 == 0   ? UINT32_MAX
                                  : round % 3 == 1 ? 0xffu << (l / 8 * 8)
                                                   : (uint32_t)lt_random(&w->seed);
    }
}

static uint32_t mask_of(struct warp *w, uint32_t round)
{
    return round % 4 == 0   ? UINT32_MAX
           : round % 4 == 3 ? 1u << (round % 32)
                            : (uint32_t)lt_random(&w->seed);
}

/* The pseudo-code of PTX, in signed arithmetic. */
static void shfl_oracle(enum isa_sub mode, int lane, uint32_t b, uint32_t c, int *from,
                        bool *p)
{
    const int bval = (int)(b & 31), cval = (int)(c & 31), segmask = (int)(c >> 8 & 31);
    const int max_lane = (lane & segmask) | (cval & ~segmask & 31);
    const int min_lane = lane & segmask;
    int j;

    if (mode == ISA_S_UP) {
        j = lane - bval;
        *p = j >= max_lane;
    } else if (mode == ISA_S_DOWN) {
        j = lane + bval;
        *p = j <= max_lane;
    } else if (mode == ISA_S_BFLY) {
        j = lane ^ bval;
        *p = j <= max_lane;
    } else {
        j = min_lane | (bval & ~segmask & 31);
        *p = j <= max_lane;
    }
    *from = *p ? j : lane;
}

static void shuffles(void **state)
{
    struct warp w = {.seed = 1};

    (void)state;
    for (uint32_t round = 0; round < 4000; round++) {
        const enum isa_sub mode = (enum isa_sub)(ISA_S_UP + round % 4);
        const bool in_place = round % 3 == 0, sink = round % 16 == 5;
        const uint32_t width = 1u << (lt_random(&w.seed) % 6);
        const struct isa_form f = {.op = ISA_OP_SHFL,
                                   .type = ISA_T_B32,
                                   .sub = mode,
                                   .flags = round % 2 ? ISA_F_SYNC | ISA_F_DST2 : 0};
        struct isa_uop u = {.form = f,
                            .dst = {in_place ? SRC : DST},
                            .src = {SRC, B, C, M},
                            .n_src = 4,
                            .dst2 = round % 2 ? 1 : ISA_NO_REF};
        uint32_t mask;
        struct warp before;

        u.exec = pick(f, round / 32);
        u.dst[0] = sink ? ISA_NO_REF : u.dst[0];
        scramble(&w);
        mask = mask_of(&w, round / 4);
        for (uint32_t l = 0; l < ISA_LANES && round % 5 != 0;
             l++) { /* as __shfl does */
            w.r[B * ISA_LANES + l] = round % 40;
            w.r[C * ISA_LANES + l] = (32 - width) << 8 | (mode == ISA_S_UP ? 0 : 31);
        }
        before = w;
        execute(&u, &w, mask);
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            const uint32_t at = (uint32_t)(sink ? DST : u.dst[0]) * ISA_LANES + l;
            const bool on = (mask >> l & 1) != 0;
            int from;
            bool p;

            shfl_oracle(mode, (int)l, before.r[B * ISA_LANES + l],
                        before.r[C * ISA_LANES + l], &from, &p);
            assert_int_equal(w.r[at], on && !sink ? before.r[SRC * ISA_LANES + from]
                                                  : before.r[at]);
            assert_int_equal(w.p[1] >> l & 1,
                             on && u.dst2 == 1 ? p : before.p[1] >> l & 1);
        }
    }
}

static void votes(void **state)
{
    struct warp w = {.seed = 2};

    (void)state;
    for (uint32_t round = 0; round < 4000; round++) {
        const enum isa_sub sub = (enum isa_sub)(ISA_S_ALL + round % 4);
        const bool ballot = sub == ISA_S_BALLOT, sync = round % 8 < 4;
        const struct isa_form f = {.op = ISA_OP_VOTE,
                                   .type = ballot ? ISA_T_B32 : ISA_T_PRED,
                                   .sub = sub,
                                   .flags = sync ? ISA_F_SYNC : 0};
        struct isa_uop u = {.form = f,
                            .dst = {ballot ? DST : 1},
                            .src = {round % 7 == 0 ? ISA_P_TRUE : 0, M},
                            .n_src = 2,
                            .neg_src = (uint8_t)(round / 8 % 2),
                            .dst2 = ISA_NO_REF};
        struct warp before;
        uint32_t mask;

        u.exec = pick(f, round / 32);
        scramble(&w);
        set_members(&w, round);
        mask = mask_of(&w, round / 8);
        w.p[0] = round % 5 == 0 ? mask : round % 5 == 1 ? ~mask : w.p[0];
        before = w;
        execute(&u, &w, mask);
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            uint32_t n = 0, yes = 0, bits = 0;

            for (uint32_t j = 0; j < ISA_LANES; j++) {
                bool v = u.src[0] == ISA_P_TRUE || (before.p[0] >> j & 1) != 0;

                v ^= u.neg_src != 0;
                if ((mask >> j & 1) != 0 &&
                    (!sync || (before.r[M * ISA_LANES + l] >> j & 1) != 0)) {
                    n++;
                    yes += v;
                    bits |= (uint32_t)v << j;
                }
            }
            if ((mask >> l & 1) == 0) {
                assert_int_equal(w.r[DST * ISA_LANES + l],
                                 before.r[DST * ISA_LANES + l]);
                assert_int_equal(w.p[1] >> l & 1, before.p[1] >> l & 1);
            } else if (ballot) {
                assert_int_equal(w.r[DST * ISA_LANES + l], bits);
            } else {
                assert_int_equal(w.p[1] >> l & 1, sub == ISA_S_ALL ? yes == n
                                                  : sub == ISA_S_ANY
                                                      ? yes > 0
                                                      : yes == n || yes == 0);
            }
        }
    }
}

static void matches(void **state)
{
    struct warp w = {.seed = 3};

    (void)state;
    for (uint32_t round = 0; round < 2000; round++) {
        const bool all = round % 2 != 0, wide = round % 4 < 2, sink = round % 32 == 1;
        const struct isa_form f = {.op = ISA_OP_MATCH,
                                   .type = wide ? ISA_T_B64 : ISA_T_B32,
                                   .sub = all ? ISA_S_ALL : ISA_S_ANY,
                                   .flags = ISA_F_SYNC | (all ? ISA_F_DST2 : 0)};
        struct isa_uop u = {.form = f,
                            .dst = {sink ? ISA_NO_REF : DST},
                            .src = {SRC, M},
                            .n_src = 2,
                            .dst2 = all ? 1 : ISA_NO_REF};
        struct warp before;
        uint32_t mask;

        u.exec = pick(f, round / 32);
        scramble(&w);
        set_members(&w, round / 4);
        mask = mask_of(&w, round / 8);
        for (uint32_t i = 0; i < 2 * ISA_LANES;
             i++) { /* few values, both halves count */
            w.r[SRC * ISA_LANES + i] =
                round % 8 < 4 ? (uint32_t)lt_random(&w.seed) % 2 : 7;
        }
        before = w;
        execute(&u, &w, mask);
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            const uint64_t mine = lt_get(before.r, l, wide);
            uint32_t same = 0, who = 0, want;

            for (uint32_t j = 0; j < ISA_LANES; j++) {
                const uint32_t member = mask & before.r[M * ISA_LANES + l] & 1u << j;

                who |= member;
                same |= lt_get(before.r, j, wide) == mine ? member : 0;
            }
            want = !all ? same : same == who ? who : 0;
            if ((mask >> l & 1) == 0 || sink) {
                want = before.r[DST * ISA_LANES + l];
            }
            assert_int_equal(w.r[DST * ISA_LANES + l], want);
            assert_int_equal(w.p[1] >> l & 1, all && (mask >> l & 1)
                                                  ? same == who
                                                  : before.p[1] >> l & 1);
        }
    }
}

static uint32_t fold(enum isa_sub sub, bool s, uint32_t a, uint32_t b)
{
    const bool less = s ? (int32_t)a < (int32_t)b : a < b;

    switch (sub) {
    case ISA_S_ADD: return a + b;
    case ISA_S_MIN: return less ? a : b;
    case ISA_S_MAX: return less ? b : a;
    case ISA_S_AND: return a & b;
    case ISA_S_OR: return a | b;
    default: return a ^ b;
    }
}

static void reductions(void **state)
{
    static const struct {
        enum isa_sub sub;
        enum isa_type t;
    } ops[] = {{ISA_S_ADD, ISA_T_U32}, {ISA_S_ADD, ISA_T_S32}, {ISA_S_MIN, ISA_T_U32},
               {ISA_S_MIN, ISA_T_S32}, {ISA_S_MAX, ISA_T_U32}, {ISA_S_MAX, ISA_T_S32},
               {ISA_S_AND, ISA_T_B32}, {ISA_S_OR, ISA_T_B32},  {ISA_S_XOR, ISA_T_B32}};
    struct warp w = {.seed = 4};

    (void)state;
    for (uint32_t round = 0; round < 1800; round++) {
        const enum isa_sub sub = ops[round % 9].sub;
        const struct isa_form f = {.op = ISA_OP_REDUX,
                                   .type = ops[round % 9].t,
                                   .sub = sub,
                                   .flags = ISA_F_SYNC};
        const struct isa_uop u = {.exec = pick(f, round / 32),
                                  .form = f,
                                  .dst = {round % 2 ? DST : SRC},
                                  .src = {SRC, M},
                                  .n_src = 2,
                                  .dst2 = ISA_NO_REF};
        const uint32_t at = (uint32_t)u.dst[0] * ISA_LANES;
        struct warp before;
        uint32_t mask;

        scramble(&w);
        set_members(&w, round / 9);
        mask = mask_of(&w, round / 9);
        for (uint32_t l = 0; l < ISA_LANES; l++) { /* a lane is its own member */
            w.r[M * ISA_LANES + l] |= 1u << l;
        }
        before = w;
        execute(&u, &w, mask);
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            uint32_t want = before.r[l];

            for (uint32_t j = 0; j < ISA_LANES; j++) {
                if (j != l && (mask & before.r[M * ISA_LANES + l] & 1u << j) != 0) {
                    want = fold(sub, f.type == ISA_T_S32, want, before.r[j]);
                }
            }
            assert_int_equal(w.r[at + l], mask >> l & 1 ? want : before.r[at + l]);
        }
    }
}

static void masks_and_leaders(void **state)
{
    const struct isa_form am = {.op = ISA_OP_ACTIVEMASK, .type = ISA_T_B32};
    const struct isa_form el = {.op = ISA_OP_ELECT, .flags = ISA_F_SYNC | ISA_F_DST2};
    const struct isa_uop ask = {.exec = pick(am, 0),
                                .form = am,
                                .dst = {DST},
                                .dst2 = ISA_NO_REF};
    struct isa_uop elect = {.exec = pick(el, 1),
                            .form = el,
                            .dst = {PAIR},
                            .src = {M},
                            .n_src = 1,
                            .dst2 = 1};
    struct warp w = {.seed = 5}, before;

    (void)state;
    for (uint32_t round = 0; round < 300; round++) {
        uint32_t mask;

        scramble(&w);
        set_members(&w, round % 2);
        mask = mask_of(&w, round);
        before = w;
        elect.dst[0] = round % 5 == 0 ? ISA_NO_REF : PAIR;
        execute(&ask, &w, mask);
        execute(&elect, &w, mask);
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            const uint32_t who = mask & before.r[M * ISA_LANES + l];
            uint32_t leader = 0;

            if ((mask >> l & 1) == 0) {
                assert_int_equal(w.r[DST * ISA_LANES + l],
                                 before.r[DST * ISA_LANES + l]);
                assert_int_equal(w.r[PAIR * ISA_LANES + l],
                                 before.r[PAIR * ISA_LANES + l]);
                assert_int_equal(w.p[1] >> l & 1, before.p[1] >> l & 1);
                continue;
            }
            while ((who >> leader & 1) == 0) {
                leader++;
            }
            assert_int_equal(w.r[DST * ISA_LANES + l], mask);
            assert_int_equal(w.p[1] >> l & 1, leader == l);
            assert_int_equal(w.r[PAIR * ISA_LANES + l],
                             round % 5 == 0 ? before.r[PAIR * ISA_LANES + l] : leader);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shuffles),          cmocka_unit_test(votes),
        cmocka_unit_test(matches),           cmocka_unit_test(reductions),
        cmocka_unit_test(masks_and_leaders),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
