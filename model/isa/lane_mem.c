/* Lanes of memory micro-ops, parameters, atomics. */
#include "isa/half_lane.h"
#include "isa/tile.h"

/*
 * These are called by name, not through a micro-op: name, which looks at the machine,
 * from name_body; args are the names of the parameters.
 */
#if LANE_HAS_WIDE
#define EITHER(name, params, args)                                                     \
    LANE_TARGET static void name##_wide params                                         \
    {                                                                                  \
        name##_body args;                                                              \
    }                                                                                  \
    void name params                                                                   \
    {                                                                                  \
        if (lane_is_wide()) {                                                          \
            name##_wide args;                                                          \
        } else {                                                                       \
            name##_body args;                                                          \
        }                                                                              \
    }
#else
#define EITHER(name, params, args)                                                     \
    void name params                                                                   \
    {                                                                                  \
        name##_body args;                                                              \
    }
#endif

/* Lane l of the mask gets value. */
#define ADDRESSES(value)                                                               \
    do {                                                                               \
        if (mask == LANE_ALL) {                                                        \
            LANE_LOOP                                                                  \
            {                                                                          \
                addr[l] = (value);                                                     \
            }                                                                          \
            return;                                                                    \
        }                                                                              \
        LANE_LOOP                                                                      \
        {                                                                              \
            const uint64_t m = lane_mask64(mask, l);                                   \
            addr[l] = ((value)&m) | (addr[l] & ~m);                                    \
        }                                                                              \
    } while (0)

LANE_INLINE void isa_addresses_body(const struct isa_uop *u, const struct isa_lanes *w,
                                    uint32_t mask, uint64_t addr[ISA_LANES])
{
    const uint64_t imm = (uint64_t)u->imm;

    if (u->addr == ISA_NO_REF) {
        ADDRESSES(imm);
        return;
    }
    const uint32_t *base = lane_src(w, u->addr);

    if (u->addr64) {
        ADDRESSES(lane_ld64(base, l) + imm);
        return;
    }
    ADDRESSES((uint64_t)(base[l] + (uint32_t)imm)); /* 32-bit addresses wrap */
}
EITHER(isa_addresses,
       (const struct isa_uop *u, const struct isa_lanes *w, uint32_t mask,
        uint64_t addr[ISA_LANES]),
       (u, w, mask, addr))

/* Elements that leave the lanes: an atomic's operands b and, for cas, c. */
static uint32_t n_values(const struct isa_uop *u)
{
    if (u->kind == ISA_K_ATOM || u->kind == ISA_K_RED) {
        return u->form.sub == ISA_S_CAS ? 2 : 1;
    }
    return u->form.vec > 1 ? u->form.vec : 1;
}

/* The low 32 bits of every lane of a register that may be a pair. */
LANE_INLINE void low_words(uint32_t v[ISA_LANES], const uint32_t *a, bool pair,
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
LANE_INLINE void split64(uint32_t lo[ISA_LANES], uint32_t hi[ISA_LANES],
                         const uint32_t *a)
{
    LANE_LOOP
    {
        lo[l] = a[2 * l];
        hi[l] = a[2 * l + 1];
    }
}

/* Every lane is copied; what lanes outside the mask get means nothing. */
void isa_store_data(const struct isa_uop *u, const struct isa_lanes *w, uint32_t mask,
                    uint32_t d[][ISA_LANES])
{
    const uint32_t n = n_values(u);

    (void)mask;
    if (u->kind == ISA_K_STORE_ROWS) {
        isa_give_rows(u, w, d);
        return;
    }
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

/* v, size bytes in every lane, sign-extended from there if the type is signed, into a
 * register of dst_bits (0: as wide as the value). A 16-bit register is zero above its
 * top. */
LANE_INLINE void put_element(const struct isa_uop *u, uint32_t *d, const uint32_t *v,
                             uint32_t mask, uint32_t size)
{
    const uint32_t up = 32 - 8 * size, bits = u->dst_bits;
    uint32_t out[2 * ISA_LANES];

    if (size == 4 && bits != 64) {
        lane_commit32(d, v, mask);
        return;
    }
    const bool is_signed = isa_type_is_signed((enum isa_type)u->form.type);

    if (bits == 64) {
        LANE_LOOP
        {
            const uint32_t x =
                is_signed ? (uint32_t)((int32_t)(v[l] << up) >> up) : v[l];

            out[2 * l] = x;
            out[2 * l + 1] = is_signed ? 0u - (x >> 31) : 0;
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

LANE_INLINE void put_pair(uint32_t *d, const uint32_t *lo, const uint32_t *hi,
                          uint32_t mask)
{
    uint32_t out[2 * ISA_LANES];

    LANE_LOOP
    {
        out[2 * l] = lo[l];
        out[2 * l + 1] = hi[l];
    }
    lane_commit64(d, out, mask);
}

LANE_INLINE void isa_load_data_body(const struct isa_uop *u, const struct isa_lanes *w,
                                    uint32_t mask, const uint32_t d[][ISA_LANES])
{
    const bool atom = u->kind == ISA_K_ATOM || u->kind == ISA_K_RED;
    const uint32_t n = u->form.vec > 1 && !atom ? u->form.vec : 1;

    if (u->kind == ISA_K_LOAD_ROWS) {
        isa_take_rows(u, w, d);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (u->dst[i] == ISA_NO_REF) {
            continue;
        }
        if (u->size == 8) {
            put_pair(lane_dst(w, u->dst[i]), d[2 * i], d[2 * i + 1], mask);
        } else {
            put_element(u, lane_dst(w, u->dst[i]), d[i], mask, u->size);
        }
    }
}
EITHER(isa_load_data,
       (const struct isa_uop *u, const struct isa_lanes *w, uint32_t mask,
        const uint32_t d[][ISA_LANES]),
       (u, w, mask, d))

/* ---- parameters of calls: bytes of the parameter area, by word and lane ---- */

/* Bytes imm .. imm + size of lane l, size at most 4 and within one word. */
LANE_INLINE void area_store(const struct isa_uop *u, const struct isa_lanes *w,
                            uint32_t mask, uint32_t size)
{
    const uint32_t n = u->form.vec > 1 ? u->form.vec : 1;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = (uint32_t)u->imm + i * size;
        uint32_t *area = lane_dst(w, (isa_ref)(u->frame + (isa_ref)(at / 4)));
        const uint32_t *a = lane_src(w, u->src[i]);
        uint32_t v[2][ISA_LANES];

        if (size == 8) {
            split64(v[0], v[1], a);
            lane_commit32(area, v[0], mask);
            lane_commit32(area + ISA_LANES, v[1], mask);
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

LANE_INLINE void area_load(const struct isa_uop *u, const struct isa_lanes *w,
                           uint32_t mask, uint32_t size)
{
    const uint32_t n = u->form.vec > 1 ? u->form.vec : 1;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = (uint32_t)u->imm + i * size;
        const uint32_t *area = lane_dst(w, (isa_ref)(u->frame + (isa_ref)(at / 4)));
        uint32_t v[ISA_LANES];

        if (u->dst[i] == ISA_NO_REF) {
            continue;
        }
        if (size == 8) {
            put_pair(lane_dst(w, u->dst[i]), area, area + ISA_LANES, mask);
            continue;
        }
        LANE_LOOP
        {
            v[l] = area[l] >> 8 * (at % 4) & UINT32_MAX >> (32 - 8 * size);
        }
        put_element(u, lane_dst(w, u->dst[i]), v, mask, size);
    }
}

#define PARAM(bits)                                                                    \
    LANE_FN(param_store##bits)                                                         \
    {                                                                                  \
        area_store(u, w, mask, bits / 8);                                              \
    }                                                                                  \
    LANE_FN(param_load##bits)                                                          \
    {                                                                                  \
        area_load(u, w, mask, bits / 8);                                               \
    }                                                                                  \
    static isa_exec_fn param_load##bits
PARAM(8);
PARAM(16);
PARAM(32);
PARAM(64);

/* The twin for this machine. */
#define TWIN(name) (lane_is_wide() ? name##_wide : name)

isa_exec_fn *isa_exec_param(bool store, uint32_t bits)
{
    switch (bits) {
    case 8: return store ? TWIN(param_store8) : TWIN(param_load8);
    case 16: return store ? TWIN(param_store16) : TWIN(param_load16);
    case 32: return store ? TWIN(param_store32) : TWIN(param_load32);
    case 64: return store ? TWIN(param_store64) : TWIN(param_load64);
    default: return NULL;
    }
}

/* ---- parameters of the kernel ---- */

/* size bytes at at, little-endian; beyond the block there are zeros. */
static inline uint64_t param_bytes(const struct isa_env *e, uint64_t at, uint32_t size)
{
    const uint64_t left = at < e->param_bytes ? e->param_bytes - at : 0;
    uint64_t v = 0;

    if (size == 4 && left >= 4) { /* the rule */
        uint32_t word;

        memcpy(&word, e->param + at, sizeof(word));
        return word;
    }
    if (size == 8 && left >= 8) {
        memcpy(&v, e->param + at, sizeof(v));
        return v;
    }
    for (uint32_t i = 0; i < size && i < left; i++) {
        v |= (uint64_t)e->param[at + i] << 8 * i;
    }
    return v;
}

/* Element i of a vector, the same for all lanes, goes to its register. */
LANE_INLINE void param_for_all(const struct isa_uop *u, const struct isa_lanes *w,
                               uint32_t mask, uint32_t i)
{
    const uint64_t v =
        param_bytes(w->env, (uint64_t)u->imm + (uint64_t)i * u->size, u->size);
    uint32_t out[2 * ISA_LANES];

    if (u->size == 8) {
        LANE_LOOP
        {
            out[2 * l] = (uint32_t)v;
            out[2 * l + 1] = (uint32_t)(v >> 32);
        }
        lane_commit64(lane_dst(w, u->dst[i]), out, mask);
        return;
    }
    LANE_LOOP
    {
        out[l] = (uint32_t)v;
    }
    put_element(u, lane_dst(w, u->dst[i]), out, mask, u->size);
}

/* Element i of a vector, of an address of each lane, into words, which may be one and
 * the same. */
static inline void param_element(const struct isa_uop *u, const struct isa_env *e,
                                 uint32_t i, const uint64_t addr[ISA_LANES],
                                 uint32_t lo[ISA_LANES], uint32_t hi[ISA_LANES])
{
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        uint64_t v = param_bytes(e, addr[l] + (uint64_t)i * u->size, u->size);

        hi[l] = (uint32_t)(v >> 32);
        lo[l] = (uint32_t)v;
    }
}

LANE_FN(kernel_param)
{
    const uint32_t n = u->form.vec > 1 ? u->form.vec : 1;
    const uint32_t words = u->size == 8 ? 2 : 1;
    uint64_t addr[ISA_LANES];
    uint32_t d[8][ISA_LANES];

    if (u->addr == ISA_NO_REF) {
        for (uint32_t i = 0; i < n; i++) {
            if (u->dst[i] != ISA_NO_REF) {
                param_for_all(u, w, mask, i);
            }
        }
        return;
    }
    memset(addr, 0, sizeof(addr));
    isa_addresses_body(u, w, mask, addr);
    for (uint32_t i = 0; i < n; i++) {
        param_element(u, w->env, i, addr, d[words * i], d[words * i + words - 1]);
    }
    isa_load_data_body(u, w, mask, (const uint32_t(*)[ISA_LANES])d);
}

isa_exec_fn *isa_exec_kernel_param(void)
{
    return TWIN(kernel_param);
}

/* ---- atomics ---- */

static uint32_t half_of(enum isa_sub sub, bool is_bf16, uint32_t x, uint32_t y)
{
    const struct half_mods plain = {0};

    if (sub == ISA_S_MIN) {
        return is_bf16 ? bf16_min(x, y, &plain) : fp16_min(x, y, &plain);
    }
    if (sub == ISA_S_MAX) {
        return is_bf16 ? bf16_max(x, y, &plain) : fp16_max(x, y, &plain);
    }
    return is_bf16 ? bf16_add(x, y, &plain) : fp16_add(x, y, &plain);
}

/* add.noftz, and min and max of bulk copies: a pair's halves each for itself. */
static uint32_t halves_of(enum isa_sub sub, enum isa_type type, uint32_t old,
                          uint32_t b)
{
    const bool is_bf16 = type == ISA_T_BF16 || type == ISA_T_BF16X2;
    uint32_t all = 0;

    for (uint32_t at = 0; at < isa_type_bits(type); at += 16) {
        all |= half_of(sub, is_bf16, old >> at & 0xffffu, b >> at & 0xffffu) << at;
    }
    return all;
}

static bool is_of_halves(enum isa_sub sub, enum isa_type type)
{
    return isa_type_is_narrow(type) &&
           (sub == ISA_S_ADD || sub == ISA_S_MIN || sub == ISA_S_MAX);
}

static uint64_t atom_add(enum isa_type type, uint64_t old, uint64_t b)
{
    if (type == ISA_T_F32) {
        return fp32_add((uint32_t)old, (uint32_t)b, ISA_R_RN, false);
    }
    return type == ISA_T_F64 ? fp64_add(old, b, ISA_R_RN) : old + b;
}

static bool atom_less(enum isa_type type, uint64_t a, uint64_t b)
{
    const uint32_t up = 64 - isa_type_bits(type);

    a <<= up;
    b <<= up;
    return isa_type_is_signed(type) ? (int64_t)a < (int64_t)b : a < b;
}

static uint64_t atom_apply(enum isa_sub sub, enum isa_type type, uint64_t old,
                           uint64_t b, uint64_t c)
{
    if (is_of_halves(sub, type)) {
        return halves_of(sub, type, (uint32_t)old, (uint32_t)b);
    }
    if (sub == ISA_S_ADD) {
        return atom_add(type, old, b);
    }
    if (sub == ISA_S_INC) {
        return old >= b ? 0 : old + 1;
    }
    if (sub == ISA_S_DEC) {
        return old == 0 || old > b ? b : old - 1;
    }
    if (sub == ISA_S_MIN) {
        return atom_less(type, b, old) ? b : old;
    }
    if (sub == ISA_S_MAX) {
        return atom_less(type, old, b) ? b : old;
    }
    if (sub == ISA_S_AND) {
        return old & b;
    }
    if (sub == ISA_S_OR) {
        return old | b;
    }
    if (sub == ISA_S_XOR) {
        return old ^ b;
    }
    if (sub == ISA_S_CAS) {
        return old == b ? c : old;
    }
    return b; /* exch */
}

uint64_t isa_atom(enum isa_sub sub, enum isa_type type, uint64_t old, uint64_t b,
                  uint64_t c)
{
    const uint64_t keep = UINT64_MAX >> (64 - isa_type_bits(type));

    return atom_apply(sub, type, old & keep, b & keep, c & keep) & keep;
}
