/*
 * What lanes learn from each other: shfl, vote, match, redux, activemask, elect.
 *
 * The participants of a .sync form are the executing lanes that the lane's own member
 * mask names: tiles of one warp may execute one instruction together, each with its own
 * mask. A lane that does not execute contributes what its register holds (PTX leaves it
 * open).
 */
#include "isa/lane.h"

/* ---- shfl ---- */

/*
 * From which lane lane l reads; c: clamp in bits 0-4, segment mask in bits 8-12. A
 * source outside the segment is -1, and the lane reads itself.
 */
LANE_INLINE int32_t shfl_source(enum isa_sub mode, uint32_t l, uint32_t b, uint32_t c)
{
    const uint32_t segment = c >> 8 & 31, by = b & 31;
    const int32_t first = (int32_t)(l & segment);
    const int32_t bound = first | (int32_t)(c & 31 & ~segment);
    int32_t j;

    if (mode == ISA_S_UP) {
        j = (int32_t)l - (int32_t)by;
        return j | -(int32_t)(j < bound);
    }
    if (mode == ISA_S_DOWN) {
        j = (int32_t)(l + by);
    } else if (mode == ISA_S_BFLY) {
        j = (int32_t)(l ^ by);
    } else {
        j = first | (int32_t)(by & ~segment);
    }
    return j | -(int32_t)(j > bound);
}

LANE_INLINE void shfl(const struct isa_uop *u, const struct isa_lanes *w, uint32_t mask,
                      enum isa_sub mode)
{
    const uint32_t *a = lane_src(w, u->src[0]);
    const uint32_t *b = lane_src(w, u->src[1]);
    const uint32_t *c = lane_src(w, u->src[2]);
    uint32_t from[ISA_LANES], v[ISA_LANES];
    uint32_t valid = 0;

    LANE_LOOP
    {
        const int32_t j = shfl_source(mode, l, b[l], c[l]);
        const uint32_t in = 0u - (uint32_t)(j >= 0);

        from[l] = ((uint32_t)j & in) | (l & ~in);
        valid |= lane_bit[l] & in;
    }
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        v[l] = a[from[l]];
    }
    if (u->dst[0] != ISA_NO_REF) {
        lane_commit32(lane_dst(w, u->dst[0]), v, mask);
    }
    lane_set_pred(w, u->dst2, mask, valid);
}

#define SHFL(name, mode)                                                               \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        shfl(u, w, mask, mode);                                                        \
    }                                                                                  \
    static isa_exec_fn name
SHFL(shfl_up, ISA_S_UP);
SHFL(shfl_down, ISA_S_DOWN);
SHFL(shfl_bfly, ISA_S_BFLY);
SHFL(shfl_idx, ISA_S_IDX);

/* ---- member masks ---- */

/* Participants as each lane sees them; i: the operand with the member mask. */
LANE_INLINE void members(const struct isa_uop *u, const struct isa_lanes *w,
                         uint32_t mask, uint32_t i, uint32_t who[ISA_LANES])
{
    const bool sync = (u->form.flags & ISA_F_SYNC) != 0;
    const uint32_t *m = sync ? lane_src(w, u->src[i]) : NULL;

    if (!sync) {
        LANE_LOOP
        {
            who[l] = mask;
        }
        return;
    }
    LANE_LOOP
    {
        who[l] = mask & m[l];
    }
}

/* ---- vote ---- */

#define VOTE(name, cond)                                                               \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        const uint32_t p = lane_pred(u, w, 0);                                         \
        uint32_t who[ISA_LANES];                                                       \
        uint32_t t = 0;                                                                \
        members(u, w, mask, 1, who);                                                   \
        LANE_LOOP                                                                      \
        {                                                                              \
            const uint32_t yes = p & who[l];                                           \
            t |= (cond) ? lane_bit[l] : 0;                                             \
        }                                                                              \
        lane_set_pred(w, u->dst[0], mask, t);                                          \
    }                                                                                  \
    static isa_exec_fn name
VOTE(vote_all, yes == who[l]);
VOTE(vote_any, yes != 0);
VOTE(vote_uni, (yes == who[l]) | (yes == 0));

LANE_FN(vote_ballot)
{
    const uint32_t p = lane_pred(u, w, 0);
    uint32_t who[ISA_LANES];

    members(u, w, mask, 1, who);
    LANE_LOOP
    {
        who[l] &= p;
    }
    lane_commit32(lane_dst(w, u->dst[0]), who, mask);
}

/* ---- match ---- */

/*
 * same[l]: the lanes whose value equals that of lane l; of lanes in the mask. One pass
 * over the warp per distinct value, by words, as SSE2 compares no more.
 */
LANE_INLINE void find_equal(const struct isa_uop *u, const struct isa_lanes *w,
                            uint32_t mask, uint32_t same[ISA_LANES])
{
    const uint32_t *a = lane_src(w, u->src[0]);
    const uint32_t words = isa_type_bits((enum isa_type)u->form.type) == 64 ? 2 : 1;
    uint32_t lo[ISA_LANES], hi[ISA_LANES];
    uint32_t left = mask;

    LANE_LOOP
    {
        lo[l] = a[words * l];
        hi[l] = a[words * l + words - 1];
    }
    while (left != 0) {
        const uint32_t first = (uint32_t)__builtin_ctz(left);
        const uint32_t x = lo[first], y = hi[first];
        uint32_t equal = 0;

        LANE_LOOP
        {
            equal |= (0u - (uint32_t)((lo[l] == x) & (hi[l] == y))) & lane_bit[l];
        }
        for (uint32_t more = equal & left; more != 0; more &= more - 1) {
            same[__builtin_ctz(more)] = equal;
        }
        left &= ~equal;
    }
}

LANE_FN(match_any)
{
    uint32_t who[ISA_LANES], same[ISA_LANES] = {0};

    find_equal(u, w, mask, same);
    members(u, w, mask, 1, who);
    LANE_LOOP
    {
        who[l] &= same[l];
    }
    lane_commit32(lane_dst(w, u->dst[0]), who, mask);
}

LANE_FN(match_all)
{
    uint32_t who[ISA_LANES], same[ISA_LANES] = {0};
    uint32_t t = 0;

    find_equal(u, w, mask, same);
    members(u, w, mask, 1, who);
    LANE_LOOP
    {
        const uint32_t all = 0u - (uint32_t)((who[l] & ~same[l]) == 0);

        t |= all & lane_bit[l];
        who[l] &= all;
    }
    if (u->dst[0] != ISA_NO_REF) {
        lane_commit32(lane_dst(w, u->dst[0]), who, mask);
    }
    lane_set_pred(w, u->dst2, mask, t);
}

/* ---- redux ---- */

#define REDUX(name, C, first, step)                                                    \
    LANE_INLINE uint32_t name##_over(const uint32_t *a, uint32_t who)                  \
    {                                                                                  \
        C r = (first);                                                                 \
        LANE_LOOP                                                                      \
        {                                                                              \
            const C x = (C)lane_choose(who & lane_bit[l], a[l], (uint32_t)(first));    \
            r = (step);                                                                \
        }                                                                              \
        return (uint32_t)r;                                                            \
    }                                                                                  \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        const uint32_t *a = lane_src(w, u->src[0]);                                    \
        uint32_t who[ISA_LANES], v[ISA_LANES];                                         \
        members(u, w, mask, 1, who);                                                   \
        if (lane_all_equal(who)) {                                                     \
            const uint32_t r = name##_over(a, who[0]);                                 \
            LANE_LOOP                                                                  \
            {                                                                          \
                v[l] = r;                                                              \
            }                                                                          \
        } else {                                                                       \
            for (uint32_t l = 0; l < ISA_LANES; l++) {                                 \
                v[l] = name##_over(a, who[l]);                                         \
            }                                                                          \
        }                                                                              \
        lane_commit32(lane_dst(w, u->dst[0]), v, mask);                                \
    }                                                                                  \
    static isa_exec_fn name
REDUX(redux_add, uint32_t, 0, r + x);
REDUX(redux_min_u, uint32_t, UINT32_MAX, x < r ? x : r);
REDUX(redux_max_u, uint32_t, 0, x > r ? x : r);
REDUX(redux_min_s, int32_t, INT32_MAX, x < r ? x : r);
REDUX(redux_max_s, int32_t, INT32_MIN, x > r ? x : r);
REDUX(redux_and, uint32_t, UINT32_MAX, (r & x));
REDUX(redux_or, uint32_t, 0, r | x);
REDUX(redux_xor, uint32_t, 0, r ^ x);

/* ---- activemask, elect ---- */

LANE_FN(activemask)
{
    uint32_t v[ISA_LANES];

    LANE_LOOP
    {
        v[l] = mask;
    }
    lane_commit32(lane_dst(w, u->dst[0]), v, mask);
}

/* The leader is the lowest participant. */
LANE_FN(elect)
{
    const uint32_t *m = lane_src(w, u->src[0]);
    uint32_t v[ISA_LANES];
    uint32_t t = 0;

    for (uint32_t l = 0; l < ISA_LANES; l++) {
        const uint32_t who = mask & m[l];

        v[l] = who == 0 ? 0 : (uint32_t)__builtin_ctz(who);
        t |= who != 0 && v[l] == l ? lane_bit[l] : 0;
    }
    if (u->dst[0] != ISA_NO_REF) {
        lane_commit32(lane_dst(w, u->dst[0]), v, mask);
    }
    lane_set_pred(w, u->dst2, mask, t);
}

#define SUB(s) .sub = ISA_S_##s
#define SYNC   .any = ISA_F_SYNC
#define SYNC2  .any = ISA_F_SYNC | ISA_F_DST2

/* A warp reduction has a quarter of the throughput of a vote (16 against 64 results per
 * clock where both exist): weight 4. match is assumed to cost the same. */
static const struct lane_row rows[] = {
    ROWX(SHFL, T(B32), SHUFFLE, 1, shfl_up, SUB(UP), SYNC2),
    ROWX(SHFL, T(B32), SHUFFLE, 1, shfl_down, SUB(DOWN), SYNC2),
    ROWX(SHFL, T(B32), SHUFFLE, 1, shfl_bfly, SUB(BFLY), SYNC2),
    ROWX(SHFL, T(B32), SHUFFLE, 1, shfl_idx, SUB(IDX), SYNC2),
    ROWX(VOTE, T(PRED), VOTE, 1, vote_all, SUB(ALL), SYNC),
    ROWX(VOTE, T(PRED), VOTE, 1, vote_any, SUB(ANY), SYNC),
    ROWX(VOTE, T(PRED), VOTE, 1, vote_uni, SUB(UNI), SYNC),
    ROWX(VOTE, T(B32), VOTE, 1, vote_ballot, SUB(BALLOT), SYNC),
    ROWX(MATCH, T(B32) | T(B64), VOTE, 4, match_any, SUB(ANY), SYNC),
    ROWX(MATCH, T(B32) | T(B64), VOTE, 4, match_all, SUB(ALL), SYNC2),
    ROWX(REDUX, T(U32) | T(S32), VOTE, 4, redux_add, SUB(ADD), SYNC),
    ROWX(REDUX, T(U32), VOTE, 4, redux_min_u, SUB(MIN), SYNC),
    ROWX(REDUX, T(U32), VOTE, 4, redux_max_u, SUB(MAX), SYNC),
    ROWX(REDUX, T(S32), VOTE, 4, redux_min_s, SUB(MIN), SYNC),
    ROWX(REDUX, T(S32), VOTE, 4, redux_max_s, SUB(MAX), SYNC),
    ROWX(REDUX, T(B32), VOTE, 4, redux_and, SUB(AND), SYNC),
    ROWX(REDUX, T(B32), VOTE, 4, redux_or, SUB(OR), SYNC),
    ROWX(REDUX, T(B32), VOTE, 4, redux_xor, SUB(XOR), SYNC),
    ROW(ACTIVEMASK, T(B32), VOTE, 1, activemask),
    ROWX(ELECT, T(NONE) | T(PRED) | T(B32), VOTE, 1, elect, SYNC2),
};

LANE_TABLE(lane_warp_table, rows);
