/* mov, packing and unpacking, generic addresses, special registers. */
#include "isa/lane.h"

LANE_OP1(mov32, u32, u32, x);

LANE_FN(mov64)
{
    LANE_PTRS1;
    if (mask == LANE_ALL) {
        memmove(d, a, 2 * ISA_LANES * sizeof(d[0]));
        return;
    }
    LANE_WORDS_LOOP
    {
        d[l] = lane_choose(mask & lane_bit_of_word[l], a[l], d[l]);
    }
}

LANE_FN(mov_pred)
{
    lane_set_pred(w, u->dst[0], mask, lane_pred(u, w, 0));
}

/*
 * mov between one register of n * bits and n elements of bits: packs if there is more
 * than one source. Sources are read whole before anything is written, as the elements
 * may be the halves of the register itself.
 */
LANE_INLINE void pack(const struct isa_uop *u, const struct isa_lanes *w, uint32_t mask,
                      uint32_t n, uint32_t bits)
{
    uint32_t word[2][ISA_LANES] = {{0}};
    uint32_t out[2 * ISA_LANES];
    const uint32_t keep = UINT32_MAX >> (32 - bits);

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *a = lane_src(w, u->src[i]);
        uint32_t *v = word[i * bits / 32];

        LANE_LOOP
        {
            v[l] |= (a[l] & keep) << i * bits % 32;
        }
    }
    if (n * bits < 64) {
        lane_commit32(lane_dst(w, u->dst[0]), word[0], mask);
        return;
    }
    LANE_LOOP
    {
        out[2 * l] = word[0][l];
        out[2 * l + 1] = word[1][l];
    }
    lane_commit64(lane_dst(w, u->dst[0]), out, mask);
}

LANE_INLINE void unpack(const struct isa_uop *u, const struct isa_lanes *w,
                        uint32_t mask, uint32_t n, uint32_t bits)
{
    const uint32_t *a = lane_src(w, u->src[0]);
    const uint32_t keep = UINT32_MAX >> (32 - bits);
    const uint32_t words = n * bits == 64 ? 2 : 1;
    uint32_t out[4][ISA_LANES];

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t first = i * bits / 32;

        LANE_LOOP
        {
            out[i][l] = a[words * l + first] >> i * bits % 32 & keep;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        if (u->dst[i] != ISA_NO_REF) {
            lane_commit32(lane_dst(w, u->dst[i]), out[i], mask);
        }
    }
}

#define VECTOR(name, n, bits)                                                          \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        if (u->n_src > 1) {                                                            \
            pack(u, w, mask, n, bits);                                                 \
        } else {                                                                       \
            unpack(u, w, mask, n, bits);                                               \
        }                                                                              \
    }                                                                                  \
    static isa_exec_fn name
VECTOR(mov16_2, 2, 8);
VECTOR(mov32_2, 2, 16);
VECTOR(mov32_4, 4, 8);
VECTOR(mov64_2, 2, 32);
VECTOR(mov64_4, 4, 16);

/* ---- generic addresses ---- */

/* Where the window of a space begins; global addresses are generic ones. */
static uint64_t window(enum isa_space s)
{
    switch (s) {
    case ISA_SP_SHARED: return ISA_SHARED_WINDOW;
    case ISA_SP_LOCAL: return ISA_LOCAL_WINDOW;
    case ISA_SP_CONST: return ISA_CONST_WINDOW;
    case ISA_SP_PARAM: return ISA_PARAM_WINDOW;
    case ISA_SP_GENERIC:
    case ISA_SP_GLOBAL:
    case ISA_SP_REG:
    case ISA_SP_TEXTURE:
    case ISA_SP_CLUSTER: return 0;
    }
    return 0;
}

static uint64_t cvta_offset(const struct isa_form *f)
{
    const uint64_t base = window((enum isa_space)f->space);

    return (f->flags & ISA_F_TO) != 0 ? 0 - base : base;
}

LANE_FN(cvta32)
{
    const uint32_t by = (uint32_t)cvta_offset(&u->form);
    LANE_PTRS1;
    LANE_SAME(u32, LANE_X(u32), x + by);
}

LANE_FN(cvta64)
{
    const uint64_t by = cvta_offset(&u->form);
    LANE_PTRS1;
    LANE_SAME(u64, LANE_X(u64), x + by);
}

/* Does an offset into the shared window lead to another block of the cluster? */
static bool is_remote(const struct isa_env *e, uint64_t offset)
{
    const uint32_t rank = isa_rank_of(offset, e->cluster.rank);

    return rank != e->cluster.rank && rank < ISA_MAX_CLUSTER;
}

/* The address is 64 bits wide if a type of the form or addr64 says so. Of shared memory
 * imm says whether it is that of the cluster. */
LANE_FN(isspacep)
{
    const bool wide = u->addr64 || isa_type_bits((enum isa_type)u->form.type) == 64 ||
                      isa_type_bits((enum isa_type)u->form.type2) == 64;
    const bool global = u->form.space == ISA_SP_GLOBAL;
    const uint64_t base = window((enum isa_space)u->form.space);
    const bool own = u->form.space == ISA_SP_SHARED && u->imm == 0;
    const uint32_t *a = lane_src(w, u->src[0]);
    uint32_t t = 0;

    LANE_LOOP
    {
        const uint64_t x = wide ? lane_ld64(a, l) : a[l];
        const bool in = global ? x >= ISA_GLOBAL_BASE : x - base < ISA_WINDOW_SIZE;

        t |= in && !(own && is_remote(w->env, x - base)) ? lane_bit[l] : 0;
    }
    lane_set_pred(w, u->dst[0], mask, t);
}

/* SPEC CLUSTER-2: the same place in the shared memory of the block of a rank. */
static uint64_t map_address(const struct isa_form *f, uint64_t x, uint32_t rank)
{
    const uint64_t base = f->space == ISA_SP_SHARED ? 0 : ISA_SHARED_WINDOW;
    const uint64_t place = (1u << ISA_RANK_SHIFT) - 1;

    return base + (((x - base) & place) | (uint64_t)(rank + 1) << ISA_RANK_SHIFT);
}

static uint32_t rank_at(const struct isa_uop *u, const struct isa_env *e, uint64_t x)
{
    const uint64_t base = u->form.space == ISA_SP_SHARED ? 0 : ISA_SHARED_WINDOW;

    return isa_rank_of(x - base, e->cluster.rank);
}

LANE_FN(mapa32)
{
    const uint32_t *a = lane_src(w, u->src[0]), *b = lane_src(w, u->src[1]);
    uint32_t v[ISA_LANES];

    LANE_LOOP
    {
        v[l] = (uint32_t)map_address(&u->form, a[l], b[l]);
    }
    lane_commit32(lane_dst(w, u->dst[0]), v, mask);
}

LANE_FN(mapa64)
{
    const uint32_t *a = lane_src(w, u->src[0]), *b = lane_src(w, u->src[1]);
    uint32_t v[2 * ISA_LANES];

    LANE_LOOP
    {
        lane_st64(v, l, map_address(&u->form, lane_ld64(a, l), b[l]));
    }
    lane_commit64(lane_dst(w, u->dst[0]), v, mask);
}

LANE_FN(getctarank)
{
    const bool wide = isa_type_bits((enum isa_type)u->form.type) == 64;
    const uint32_t *a = lane_src(w, u->src[0]);
    uint32_t v[ISA_LANES];

    LANE_LOOP
    {
        v[l] = rank_at(u, w->env, wide ? lane_ld64(a, l) : a[l]);
    }
    lane_commit32(lane_dst(w, u->dst[0]), v, mask);
}

/* ---- special registers ---- */

/* Into a register as wide as the mov says: 16 bits cut, 64 bits extended. */
LANE_INLINE void put_sreg(const struct isa_uop *u, const struct isa_lanes *w,
                          uint32_t mask, const uint32_t x[ISA_LANES])
{
    const uint32_t bits = isa_type_bits((enum isa_type)u->form.type);
    uint32_t *d = lane_dst(w, u->dst[0]);
    uint32_t v[2 * ISA_LANES];

    if (bits == 64) {
        LANE_LOOP
        {
            v[2 * l] = x[l];
            v[2 * l + 1] = 0;
        }
        lane_commit64(d, v, mask);
        return;
    }
    LANE_LOOP
    {
        v[l] = x[l] & (bits == 16 ? 0xffffu : UINT32_MAX);
    }
    lane_commit32(d, v, mask);
}

#define SREG(name, value)                                                              \
    LANE_FN(sr_##name)                                                                 \
    {                                                                                  \
        const struct isa_env *e = w->env;                                              \
        uint32_t x[ISA_LANES];                                                         \
        (void)e;                                                                       \
        LANE_LOOP                                                                      \
        {                                                                              \
            x[l] = (value);                                                            \
        }                                                                              \
        put_sreg(u, w, mask, x);                                                       \
    }                                                                                  \
    static isa_exec_fn sr_##name

/* The 64-bit ones, into whatever register: its low bits. */
#define SREG64(name, value)                                                            \
    LANE_FN(sr_##name)                                                                 \
    {                                                                                  \
        const uint64_t x = w->env->value;                                              \
        uint32_t v[2 * ISA_LANES];                                                     \
        if (isa_type_bits((enum isa_type)u->form.type) == 64) {                        \
            LANE_LOOP                                                                  \
            {                                                                          \
                lane_st64(v, l, x);                                                    \
            }                                                                          \
            lane_commit64(lane_dst(w, u->dst[0]), v, mask);                            \
            return;                                                                    \
        }                                                                              \
        LANE_LOOP                                                                      \
        {                                                                              \
            v[l] = (uint32_t)x;                                                        \
        }                                                                              \
        put_sreg(u, w, mask, v);                                                       \
    }                                                                                  \
    static isa_exec_fn sr_##name
SREG(tid_x, e->tid[0][l]);
SREG(tid_y, e->tid[1][l]);
SREG(tid_z, e->tid[2][l]);
SREG(ntid_x, e->ntid[0]);
SREG(ntid_y, e->ntid[1]);
SREG(ntid_z, e->ntid[2]);
SREG(ctaid_x, e->ctaid[0]);
SREG(ctaid_y, e->ctaid[1]);
SREG(ctaid_z, e->ctaid[2]);
SREG(nctaid_x, e->nctaid[0]);
SREG(nctaid_y, e->nctaid[1]);
SREG(nctaid_z, e->nctaid[2]);
SREG(laneid, l);
SREG(warpid, e->warpid);
SREG(nwarpid, e->nwarpid);
SREG(smid, e->smid);
SREG(nsmid, e->nsmid);
SREG(gridid, e->gridid);
SREG(lanemask_eq, lane_bit[l]);
SREG(lanemask_le, lane_bit[l] | (lane_bit[l] - 1));
SREG(lanemask_lt, lane_bit[l] - 1);
SREG(lanemask_ge, ~(lane_bit[l] - 1));
SREG(lanemask_gt, ~(lane_bit[l] | (lane_bit[l] - 1)));
SREG(clock, (uint32_t)e->clock);
SREG(clock_hi, (uint32_t)(e->clock >> 32));
SREG64(clock64, clock);
SREG64(globaltimer, globaltimer);
SREG(globaltimer_lo, (uint32_t)e->globaltimer);
SREG(globaltimer_hi, (uint32_t)(e->globaltimer >> 32));
SREG(dynamic_smem, e->dynamic_smem);
SREG(total_smem, e->total_smem);
SREG(envreg1, (uint32_t)(e->grid_sync >> 32));
SREG(envreg2, (uint32_t)e->grid_sync);
SREG(envreg, ((void)e, 0));
SREG(reserved_begin, e->reserved_begin);
SREG(reserved_end, e->reserved_end);
SREG(reserved_cap, e->reserved_end - e->reserved_begin);
SREG(clusterid_x, e->cluster.id[0]);
SREG(clusterid_y, e->cluster.id[1]);
SREG(clusterid_z, e->cluster.id[2]);
SREG(nclusterid_x, e->cluster.n_ids[0]);
SREG(nclusterid_y, e->cluster.n_ids[1]);
SREG(nclusterid_z, e->cluster.n_ids[2]);
SREG(cluster_ctaid_x, e->cluster.at[0]);
SREG(cluster_ctaid_y, e->cluster.at[1]);
SREG(cluster_ctaid_z, e->cluster.at[2]);
SREG(cluster_nctaid_x, e->cluster.n_at[0]);
SREG(cluster_nctaid_y, e->cluster.n_at[1]);
SREG(cluster_nctaid_z, e->cluster.n_at[2]);
SREG(cluster_rank, e->cluster.rank);
SREG(cluster_size, e->cluster.size);

/* The one that is a predicate. */
LANE_FN(sr_explicit_cluster)
{
    lane_set_pred(w, u->dst[0], mask, w->env->cluster.is_explicit ? mask : 0);
}
static isa_exec_fn sr_explicit_cluster;

uint8_t isa_sreg_class(enum isa_sreg s, uint8_t else_class)
{
    switch (s) {
    case ISA_SR_TID_X:
    case ISA_SR_TID_Y:
    case ISA_SR_TID_Z:
    case ISA_SR_CTAID_X:
    case ISA_SR_CTAID_Y:
    case ISA_SR_CTAID_Z:
    case ISA_SR_LANEID:
    case ISA_SR_WARPID:
    case ISA_SR_SMID:
    case ISA_SR_LANEMASK_EQ:
    case ISA_SR_LANEMASK_LE:
    case ISA_SR_LANEMASK_LT:
    case ISA_SR_LANEMASK_GE:
    case ISA_SR_LANEMASK_GT: return ISA_CL_SREG;
    default: return else_class;
    }
}

isa_exec_fn *isa_exec_sreg(enum isa_sreg s)
{
    static isa_exec_fn *const fn[ISA_N_SREGS][2] = {
        [ISA_SR_TID_X] = {sr_tid_x, sr_tid_x_wide},
        [ISA_SR_TID_Y] = {sr_tid_y, sr_tid_y_wide},
        [ISA_SR_TID_Z] = {sr_tid_z, sr_tid_z_wide},
        [ISA_SR_NTID_X] = {sr_ntid_x, sr_ntid_x_wide},
        [ISA_SR_NTID_Y] = {sr_ntid_y, sr_ntid_y_wide},
        [ISA_SR_NTID_Z] = {sr_ntid_z, sr_ntid_z_wide},
        [ISA_SR_CTAID_X] = {sr_ctaid_x, sr_ctaid_x_wide},
        [ISA_SR_CTAID_Y] = {sr_ctaid_y, sr_ctaid_y_wide},
        [ISA_SR_CTAID_Z] = {sr_ctaid_z, sr_ctaid_z_wide},
        [ISA_SR_NCTAID_X] = {sr_nctaid_x, sr_nctaid_x_wide},
        [ISA_SR_NCTAID_Y] = {sr_nctaid_y, sr_nctaid_y_wide},
        [ISA_SR_NCTAID_Z] = {sr_nctaid_z, sr_nctaid_z_wide},
        [ISA_SR_LANEID] = {sr_laneid, sr_laneid_wide},
        [ISA_SR_WARPID] = {sr_warpid, sr_warpid_wide},
        [ISA_SR_NWARPID] = {sr_nwarpid, sr_nwarpid_wide},
        [ISA_SR_SMID] = {sr_smid, sr_smid_wide},
        [ISA_SR_NSMID] = {sr_nsmid, sr_nsmid_wide},
        [ISA_SR_GRIDID] = {sr_gridid, sr_gridid_wide},
        [ISA_SR_LANEMASK_EQ] = {sr_lanemask_eq, sr_lanemask_eq_wide},
        [ISA_SR_LANEMASK_LE] = {sr_lanemask_le, sr_lanemask_le_wide},
        [ISA_SR_LANEMASK_LT] = {sr_lanemask_lt, sr_lanemask_lt_wide},
        [ISA_SR_LANEMASK_GE] = {sr_lanemask_ge, sr_lanemask_ge_wide},
        [ISA_SR_LANEMASK_GT] = {sr_lanemask_gt, sr_lanemask_gt_wide},
        [ISA_SR_CLOCK] = {sr_clock, sr_clock_wide},
        [ISA_SR_CLOCK_HI] = {sr_clock_hi, sr_clock_hi_wide},
        [ISA_SR_CLOCK64] = {sr_clock64, sr_clock64_wide},
        [ISA_SR_GLOBALTIMER] = {sr_globaltimer, sr_globaltimer_wide},
        [ISA_SR_GLOBALTIMER_LO] = {sr_globaltimer_lo, sr_globaltimer_lo_wide},
        [ISA_SR_GLOBALTIMER_HI] = {sr_globaltimer_hi, sr_globaltimer_hi_wide},
        [ISA_SR_DYNAMIC_SMEM] = {sr_dynamic_smem, sr_dynamic_smem_wide},
        [ISA_SR_TOTAL_SMEM] = {sr_total_smem, sr_total_smem_wide},
        [ISA_SR_ENVREG1] = {sr_envreg1, sr_envreg1_wide},
        [ISA_SR_ENVREG2] = {sr_envreg2, sr_envreg2_wide},
        [ISA_SR_ENVREG] = {sr_envreg, sr_envreg_wide},
        [ISA_SR_RESERVED_BEGIN] = {sr_reserved_begin, sr_reserved_begin_wide},
        [ISA_SR_RESERVED_END] = {sr_reserved_end, sr_reserved_end_wide},
        [ISA_SR_RESERVED_CAP] = {sr_reserved_cap, sr_reserved_cap_wide},
        [ISA_SR_RESERVED_0] = {sr_reserved_begin, sr_reserved_begin_wide},
        [ISA_SR_RESERVED_1] = {sr_reserved_begin, sr_reserved_begin_wide},
        [ISA_SR_CLUSTERID_X] = {sr_clusterid_x, sr_clusterid_x_wide},
        [ISA_SR_CLUSTERID_Y] = {sr_clusterid_y, sr_clusterid_y_wide},
        [ISA_SR_CLUSTERID_Z] = {sr_clusterid_z, sr_clusterid_z_wide},
        [ISA_SR_NCLUSTERID_X] = {sr_nclusterid_x, sr_nclusterid_x_wide},
        [ISA_SR_NCLUSTERID_Y] = {sr_nclusterid_y, sr_nclusterid_y_wide},
        [ISA_SR_NCLUSTERID_Z] = {sr_nclusterid_z, sr_nclusterid_z_wide},
        [ISA_SR_CLUSTER_CTAID_X] = {sr_cluster_ctaid_x, sr_cluster_ctaid_x_wide},
        [ISA_SR_CLUSTER_CTAID_Y] = {sr_cluster_ctaid_y, sr_cluster_ctaid_y_wide},
        [ISA_SR_CLUSTER_CTAID_Z] = {sr_cluster_ctaid_z, sr_cluster_ctaid_z_wide},
        [ISA_SR_CLUSTER_NCTAID_X] = {sr_cluster_nctaid_x, sr_cluster_nctaid_x_wide},
        [ISA_SR_CLUSTER_NCTAID_Y] = {sr_cluster_nctaid_y, sr_cluster_nctaid_y_wide},
        [ISA_SR_CLUSTER_NCTAID_Z] = {sr_cluster_nctaid_z, sr_cluster_nctaid_z_wide},
        [ISA_SR_CLUSTER_RANK] = {sr_cluster_rank, sr_cluster_rank_wide},
        [ISA_SR_CLUSTER_SIZE] = {sr_cluster_size, sr_cluster_size_wide},
        [ISA_SR_EXPLICIT_CLUSTER] = {sr_explicit_cluster, sr_explicit_cluster_wide},
    };

    return fn[s][lane_is_wide()];
}

#define M32 (T(B16) | T(U16) | T(S16) | T(B32) | T(U32) | T(S32) | T(F32))
#define M64 (T(B64) | T(U64) | T(S64) | T(F64))

/* A 64-bit move is two; a vector move one per 32-bit word it makes, or element. */
static const struct lane_row rows[] = {
    ROW(MOV, M32, LOGIC, 1, mov32),
    ROW(MOV, M64, LOGIC, 2, mov64),
    ROW(MOV, T(PRED), LOGIC, 1, mov_pred),
    ROWX(MOV, T(B16), LOGIC, 1, mov16_2, .vec = 2),
    ROWX(MOV, T(B32) | T(U32) | T(S32), LOGIC, 1, mov32_2, .vec = 2),
    ROWX(MOV, T(B32) | T(U32) | T(S32), LOGIC, 2, mov32_4, .vec = 4),
    ROWX(MOV, M64, LOGIC, 2, mov64_2, .vec = 2),
    ROWX(MOV, M64, LOGIC, 2, mov64_4, .vec = 4),
    ROWX(CVTA, T(U32), LOGIC, 1, cvta32, .any = ISA_F_TO),
    ROWX(CVTA, T(U64), LOGIC, 2, cvta64, .any = ISA_F_TO),
    ROW(MAPA, T(U32), LOGIC, 1, mapa32),
    ROW(MAPA, T(U64), LOGIC, 2, mapa64),
    ROW(GETCTARANK, T(U32) | T(U64), LOGIC, 1, getctarank),
    ROWX(ISSPACEP, T(NONE) | T(PRED) | T(U32) | T(U64) | T(B32) | T(B64), LOGIC, 1,
         isspacep, .types2 = T(NONE) | T(U32) | T(U64) | T(B32) | T(B64)),
};

LANE_TABLE(lane_mov_table, rows);
