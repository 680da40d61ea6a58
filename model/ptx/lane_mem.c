/* Lanes of memory micro-ops, parameters, atomics. */
#include "ptx/lane.h"

/* All lanes; base: NULL for none. */
static void all_addresses(const struct ptx_uop *u, const uint32_t *base,
                          uint64_t addr[PTX_LANES])
{
    const uint64_t imm = (uint64_t)u->imm;

    if (base == NULL) {
        LANE_LOOP
        {
            addr[l] = imm;
        }
    } else if (u->addr64) {
        LANE_LOOP
        {
            addr[l] = lane_ld64(base, l) + imm;
        }
    } else {
        LANE_LOOP
        {
            addr[l] = base[l] + (uint32_t)imm; /* 32-bit addresses wrap */
        }
    }
}

void ptx_addresses(const struct ptx_uop *u, const struct ptx_lanes *w, uint32_t mask,
                   uint64_t addr[PTX_LANES])
{
    const uint32_t *base = u->addr == PTX_NO_REF ? NULL : lane_src(w, u->addr);
    uint64_t all[PTX_LANES];

    if (mask == LANE_ALL) {
        all_addresses(u, base, addr);
        return;
    }
    all_addresses(u, base, all);
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(left);

        addr[l] = all[l];
    }
}

/* Elements that leave the lanes: an atomic's operands b and, for cas, c. */
static uint32_t n_values(const struct ptx_uop *u)
{
    if (u->kind == PTX_K_ATOM || u->kind == PTX_K_RED) {
        return u->form.sub == PTX_S_CAS ? 2 : 1;
    }
    return u->form.vec > 1 ? u->form.vec : 1;
}

/* The low 32 bits of every lane of a register that may be a pair. */
static void low_words(uint32_t v[PTX_LANES], const uint32_t *a, bool pair,
                      uint32_t keep)
{
    if (!pair) {
        LANE_LOOP
        {
            v[l] = a[l] & keep;
        }
        return;
    }
    LANE_LOOP
    {
        v[l] = a[2 * l] & keep;
    }
}

/* Low and high words of 64-bit lanes, apart. */
static void split64(uint32_t lo[PTX_LANES], uint32_t hi[PTX_LANES], const uint32_t *a)
{
    LANE_LOOP
    {
        lo[l] = a[2 * l];
        hi[l] = a[2 * l + 1];
    }
}

/* Every lane is copied; what lanes outside the mask get means nothing. */
void ptx_store_data(const struct ptx_uop *u, const struct ptx_lanes *w, uint32_t mask,
                    uint32_t d[][PTX_LANES])
{
    const uint32_t n = n_values(u);

    (void)mask;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *a = lane_src(w, u->src[i]);

        if (u->size == 8) {
            split64(d[2 * i], d[2 * i + 1], a);
        } else if (u->size == 4 && u->dst_bits != 64) {
            memcpy(d[i], a, sizeof(d[i]));
        } else {
            low_words(d[i], a, u->dst_bits == 64, UINT32_MAX >> (32 - 8 * u->size));
        }
    }
}

/* v, size bytes in every lane, sign-extended from there if is_signed, into a register
 * of bits (0: as wide as the value). A 16-bit register is zero above its top. */
static void put_element(uint32_t *d, const uint32_t *v, uint32_t mask, uint32_t size,
                        bool is_signed, uint32_t bits)
{
    const uint32_t up = 32 - 8 * size;
    uint32_t out[2 * PTX_LANES];

    if (size == 4 && bits != 64) {
        lane_commit32(d, v, mask);
        return;
    }
    if (bits == 64) {
        LANE_LOOP
        {
            const uint64_t x =
                is_signed ? (uint64_t)(int64_t)((int32_t)(v[l] << up) >> up) : v[l];
            lane_st64(out, l, x);
        }
        lane_commit64(d, out, mask);
        return;
    }
    LANE_LOOP
    {
        const uint32_t x = is_signed ? (uint32_t)((int32_t)(v[l] << up) >> up) : v[l];

        out[l] = bits == 32 ? x : x & 0xffffu;
    }
    lane_commit32(d, out, mask);
}

static void put_pair(uint32_t *d, const uint32_t *lo, const uint32_t *hi, uint32_t mask)
{
    uint32_t out[2 * PTX_LANES];

    LANE_LOOP
    {
        out[2 * l] = lo[l];
        out[2 * l + 1] = hi[l];
    }
    lane_commit64(d, out, mask);
}

void ptx_load_data(const struct ptx_uop *u, const struct ptx_lanes *w, uint32_t mask,
                   const uint32_t d[][PTX_LANES])
{
    const bool atom = u->kind == PTX_K_ATOM || u->kind == PTX_K_RED;
    const uint32_t n = u->form.vec > 1 && !atom ? u->form.vec : 1;
    const bool is_signed = ptx_type_is_signed((enum ptx_type)u->form.type);

    for (uint32_t i = 0; i < n; i++) {
        if (u->dst[i] == PTX_NO_REF) {
            continue;
        }
        if (u->size == 8) {
            put_pair(lane_dst(w, u->dst[i]), d[2 * i], d[2 * i + 1], mask);
        } else {
            put_element(lane_dst(w, u->dst[i]), d[i], mask, u->size, is_signed,
                        u->dst_bits);
        }
    }
}

/* ---- parameters of calls: bytes of the parameter area, by word and lane ---- */

/* Bytes imm .. imm + size of lane l, size at most 4 and within one word. */
static void area_store(const struct ptx_uop *u, const struct ptx_lanes *w,
                       uint32_t mask, uint32_t size)
{
    const uint32_t n = u->form.vec > 1 ? u->form.vec : 1;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = (uint32_t)u->imm + i * size;
        uint32_t *area = lane_dst(w, (ptx_ref)(u->frame + (ptx_ref)(at / 4)));
        const uint32_t *a = lane_src(w, u->src[i]);
        uint32_t v[2][PTX_LANES];

        if (size == 8) {
            split64(v[0], v[1], a);
            lane_commit32(area, v[0], mask);
            lane_commit32(area + PTX_LANES, v[1], mask);
            continue;
        }
        const uint32_t keep = (UINT32_MAX >> (32 - 8 * size)) << 8 * (at % 4);

        low_words(v[0], a, u->dst_bits == 64, UINT32_MAX);
        LANE_LOOP
        {
            v[0][l] = (area[l] & ~keep) | (v[0][l] << 8 * (at % 4) & keep);
        }
        lane_commit32(area, v[0], mask);
    }
}

static void area_load(const struct ptx_uop *u, const struct ptx_lanes *w, uint32_t mask,
                      uint32_t size)
{
    const uint32_t n = u->form.vec > 1 ? u->form.vec : 1;
    const bool is_signed = ptx_type_is_signed((enum ptx_type)u->form.type);

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = (uint32_t)u->imm + i * size;
        const uint32_t *area = lane_dst(w, (ptx_ref)(u->frame + (ptx_ref)(at / 4)));
        uint32_t v[PTX_LANES];

        if (u->dst[i] == PTX_NO_REF) {
            continue;
        }
        if (size == 8) {
            put_pair(lane_dst(w, u->dst[i]), area, area + PTX_LANES, mask);
            continue;
        }
        LANE_LOOP
        {
            v[l] = area[l] >> 8 * (at % 4) & UINT32_MAX >> (32 - 8 * size);
        }
        put_element(lane_dst(w, u->dst[i]), v, mask, size, is_signed, u->dst_bits);
    }
}

#define PARAM(bits)                                                                    \
    LANE_PLAIN_FN(param_store##bits)                                                   \
    {                                                                                  \
        area_store(u, w, mask, bits / 8);                                              \
    }                                                                                  \
    LANE_PLAIN_FN(param_load##bits)                                                    \
    {                                                                                  \
        area_load(u, w, mask, bits / 8);                                               \
    }                                                                                  \
    static ptx_exec_fn param_load##bits
PARAM(8);
PARAM(16);
PARAM(32);
PARAM(64);

ptx_exec_fn *ptx_exec_param(bool store, uint32_t bits)
{
    switch (bits) {
    case 8: return store ? param_store8 : param_load8;
    case 16: return store ? param_store16 : param_load16;
    case 32: return store ? param_store32 : param_load32;
    case 64: return store ? param_store64 : param_load64;
    default: return NULL;
    }
}

/* ---- parameters of the kernel ---- */

/* size bytes at at, little-endian; beyond the block there are zeros. */
static uint64_t param_bytes(const struct ptx_env *e, uint64_t at, uint32_t size)
{
    uint64_t v = 0;

    for (uint32_t i = 0; i < size; i++) {
        if (at < e->param_bytes && i < e->param_bytes - at) {
            v |= (uint64_t)e->param[at + i] << 8 * i;
        }
    }
    return v;
}

LANE_PLAIN_FN(kernel_param)
{
    const uint32_t n = u->form.vec > 1 ? u->form.vec : 1;
    const uint32_t words = u->size == 8 ? 2 : 1;
    uint64_t addr[PTX_LANES] = {0};
    uint32_t d[8][PTX_LANES];

    ptx_addresses(u, w, mask, addr);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t v = 0;

        for (uint32_t l = 0; l < PTX_LANES; l++) {
            if (l == 0 || addr[l] != addr[l - 1]) { /* mostly one address for all */
                v = param_bytes(w->env, addr[l] + (uint64_t)i * u->size, u->size);
            }
            d[words * i][l] = (uint32_t)v;
            d[words * i + words - 1][l] = (uint32_t)(words == 2 ? v >> 32 : v);
        }
    }
    ptx_load_data(u, w, mask, (const uint32_t(*)[PTX_LANES])d);
}

ptx_exec_fn *ptx_exec_kernel_param(void)
{
    return kernel_param;
}

/* ---- atomics ---- */

static uint64_t atom_add(enum ptx_type type, uint64_t old, uint64_t b)
{
    if (type == PTX_T_F32) {
        return fp32_add((uint32_t)old, (uint32_t)b, PTX_R_RN, false);
    }
    return type == PTX_T_F64 ? fp64_add(old, b, PTX_R_RN) : old + b;
}

static bool atom_less(enum ptx_type type, uint64_t a, uint64_t b)
{
    const uint32_t up = 64 - ptx_type_bits(type);

    a <<= up;
    b <<= up;
    return ptx_type_is_signed(type) ? (int64_t)a < (int64_t)b : a < b;
}

static uint64_t atom_apply(enum ptx_sub sub, enum ptx_type type, uint64_t old,
                           uint64_t b, uint64_t c)
{
    if (sub == PTX_S_ADD) {
        return atom_add(type, old, b);
    }
    if (sub == PTX_S_INC) {
        return old >= b ? 0 : old + 1;
    }
    if (sub == PTX_S_DEC) {
        return old == 0 || old > b ? b : old - 1;
    }
    if (sub == PTX_S_MIN) {
        return atom_less(type, b, old) ? b : old;
    }
    if (sub == PTX_S_MAX) {
        return atom_less(type, old, b) ? b : old;
    }
    if (sub == PTX_S_AND) {
        return old & b;
    }
    if (sub == PTX_S_OR) {
        return old | b;
    }
    if (sub == PTX_S_XOR) {
        return old ^ b;
    }
    if (sub == PTX_S_CAS) {
        return old == b ? c : old;
    }
    return b; /* exch */
}

uint64_t ptx_atom(enum ptx_sub sub, enum ptx_type type, uint64_t old, uint64_t b,
                  uint64_t c)
{
    const uint64_t keep = UINT64_MAX >> (64 - ptx_type_bits(type));

    return atom_apply(sub, type, old & keep, b & keep, c & keep) & keep;
}
