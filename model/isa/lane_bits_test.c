/* Shifts, fields, counts, permutation and logic against loops over single bits. */
#include "isa/lane_test.h"

static uint32_t bits_of(const struct lt_lane *x)
{
    return isa_type_bits((enum isa_type)x->form->type);
}

static bool bit(uint64_t v, uint32_t i)
{
    return i < 64 && (v >> i & 1) != 0;
}

static bool is_signed(const struct lt_lane *x)
{
    return isa_type_is_signed((enum isa_type)x->form->type);
}

/* Result bit i comes from bit i - n of operand 0. */
static void o_shl(struct lt_lane *x)
{
    for (uint64_t i = x->v[1]; i < bits_of(x); i++) {
        x->d |= (uint64_t)bit(x->v[0], (uint32_t)(i - x->v[1])) << i;
    }
}

static void o_shr(struct lt_lane *x)
{
    const uint32_t n = bits_of(x);

    for (uint32_t i = 0; i < n; i++) {
        const uint64_t from = i + x->v[1];
        const bool fill = is_signed(x) && bit(x->v[0], n - 1);

        x->d |= (uint64_t)(from < n ? bit(x->v[0], (uint32_t)from) : fill) << i;
    }
}

static void o_shf(struct lt_lane *x)
{
    const bool clamp = (x->form->flags & ISA_F_CLAMP) != 0;
    const uint32_t n = (uint32_t)(!clamp ? x->v[2] % 32 : x->v[2] > 32 ? 32 : x->v[2]);

    for (uint32_t i = 0; i < 32; i++) {
        const uint32_t from = x->form->sub == ISA_S_L ? 32 + i - n : i + n;
        const bool b = from < 32 ? bit(x->v[0], from) : bit(x->v[1], from - 32);

        x->d |= (uint64_t)b << i;
    }
}

static void o_popc(struct lt_lane *x)
{
    for (uint32_t i = 0; i < 64; i++) {
        x->d += bit(x->v[0], i);
    }
}

static void o_clz(struct lt_lane *x)
{
    for (uint32_t i = bits_of(x); i > 0 && !bit(x->v[0], i - 1); i--) {
        x->d++;
    }
}

static void o_brev(struct lt_lane *x)
{
    for (uint32_t i = 0; i < bits_of(x); i++) {
        x->d |= (uint64_t)bit(x->v[0], i) << (bits_of(x) - 1 - i);
    }
}

static void o_bfind(struct lt_lane *x)
{
    const uint32_t msb = bits_of(x) - 1;
    const bool flip = is_signed(x) && bit(x->v[0], msb);

    x->d = UINT32_MAX;
    for (uint32_t i = 0; i <= msb; i++) {
        if (bit(x->v[0], i) != flip) {
            x->d = i;
        }
    }
    if ((x->form->flags & ISA_F_SHIFTAMT) != 0 && x->d != UINT32_MAX) {
        x->d = msb - x->d;
    }
}

static void o_fns(struct lt_lane *x)
{
    const int64_t offset = (int32_t)x->v[2];
    int64_t count = offset < 0 ? -offset : offset;

    x->d = UINT32_MAX;
    if (offset == 0) {
        if (x->v[1] < 32 && bit(x->v[0], (uint32_t)x->v[1])) {
            x->d = x->v[1];
        }
        return;
    }
    for (int64_t pos = (int64_t)x->v[1]; pos >= 0 && pos < 32;
         pos += offset < 0 ? -1 : 1) {
        if (bit(x->v[0], (uint32_t)pos) && --count == 0) {
            x->d = (uint64_t)pos;
            return;
        }
    }
}

/* Positions and lengths above 255, which PTX leaves open. */
static uint32_t narrowed(const struct lt_lane *x, uint64_t n)
{
    return (uint32_t)(bits_of(x) == 32 ? n % 256 : n > 255 ? 255 : n);
}

static void o_bfe(struct lt_lane *x)
{
    const uint32_t msb = bits_of(x) - 1;
    const uint32_t pos = narrowed(x, x->v[1]), len = narrowed(x, x->v[2]);
    const uint32_t last = pos + len - 1;
    const bool fill = is_signed(x) && len != 0 && bit(x->v[0], last < msb ? last : msb);

    for (uint32_t i = 0; i <= msb; i++) {
        x->d |= (uint64_t)(i < len && pos + i <= msb ? bit(x->v[0], pos + i) : fill)
                << i;
    }
}

static void o_bfi(struct lt_lane *x)
{
    const uint32_t msb = bits_of(x) - 1;
    const uint32_t pos = narrowed(x, x->v[2]), len = narrowed(x, x->v[3]);

    x->d = x->v[1];
    for (uint32_t i = 0; i < len && pos + i <= msb; i++) {
        x->d = (x->d & ~(1ull << (pos + i))) | (uint64_t)bit(x->v[0], i) << (pos + i);
    }
}

static void o_bmsk(struct lt_lane *x)
{
    const bool clamp = (x->form->flags & ISA_F_CLAMP) != 0;
    const uint64_t a = clamp ? x->v[0] : x->v[0] % 32;
    const uint64_t b = clamp ? x->v[1] : x->v[1] % 32;

    for (uint64_t i = 0; i < 32; i++) {
        x->d |= (uint64_t)(i >= a && i - a < b) << i;
    }
}

static void o_szext(struct lt_lane *x)
{
    const bool clamp = (x->form->flags & ISA_F_CLAMP) != 0;
    const uint64_t n = clamp ? x->v[1] : x->v[1] % 32;

    for (uint64_t i = 0; i < 32; i++) {
        const uint64_t from = i < n ? i : n - 1;
        const bool b = i < n || (is_signed(x) && n > 0);

        x->d |= (uint64_t)(b && bit(x->v[0], (uint32_t)from)) << i;
    }
}

/* The byte that PTX's tables name for result byte i (0 the lowest) of a mode. */
static uint32_t chosen(enum isa_sub mode, uint32_t c, uint32_t i)
{
    const uint32_t k = c % 4;

    if (mode == ISA_S_F4E) {
        return k + i;
    }
    if (mode == ISA_S_B4E) {
        return (k + 8 - i) % 8;
    }
    if (mode == ISA_S_RC8) {
        return k;
    }
    if (mode == ISA_S_ECL) {
        return i < k ? k : i;
    }
    if (mode == ISA_S_ECR) {
        return i < k ? i : k;
    }
    if (mode == ISA_S_RC16) {
        return (k % 2) * 2 + i % 2;
    }
    return c >> 4 * i & 7;
}

static void o_prmt(struct lt_lane *x)
{
    uint32_t bytes[8];

    for (uint32_t i = 0; i < 8; i++) {
        bytes[i] = (uint32_t)(i < 4 ? x->v[0] >> 8 * i : x->v[1] >> 8 * (i - 4)) % 256;
    }
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t b =
            bytes[chosen((enum isa_sub)x->form->sub, (uint32_t)x->v[2], i)];
        const bool sign = x->form->sub == ISA_S_NONE && bit(x->v[2], 4 * i + 3);

        x->d |= (uint64_t)(!sign ? b : b >= 128 ? 255u : 0) << 8 * i;
    }
}

static void o_logic(struct lt_lane *x)
{
    for (uint32_t i = 0; i < bits_of(x); i++) {
        const bool a = bit(x->v[0], i), b = bit(x->v[1], i);
        bool r = !a;

        if (x->form->op == ISA_OP_AND) {
            r = a && b;
        } else if (x->form->op == ISA_OP_OR) {
            r = a || b;
        } else if (x->form->op == ISA_OP_XOR) {
            r = a != b;
        }
        x->d |= (uint64_t)r << i;
    }
}

static void o_logic_pred(struct lt_lane *x)
{
    const bool a = x->p[0], b = x->p[1];

    x->dp = x->form->op == ISA_OP_AND   ? a && b
            : x->form->op == ISA_OP_OR  ? a || b
            : x->form->op == ISA_OP_XOR ? a != b
            : x->form->op == ISA_OP_NOT ? !a
                                        : a;
}

static void o_cnot(struct lt_lane *x)
{
    x->d = x->v[0] == 0 ? 1 : 0;
}

static void run(struct isa_form f, char dst, const char *src, lt_oracle *o)
{
    const struct lt_case c = {.form = f, .dst = dst, .src = src, .oracle = o};

    lt_check(&c);
}

static void shifts(void **state)
{
    static const struct {
        enum isa_type t;
        char dst;
        const char *src;
    } rows[] = {
        {ISA_T_B16, 'h', "hs"}, {ISA_T_B32, 'r', "rs"}, {ISA_T_B64, 'R', "Rs"},
        {ISA_T_U16, 'h', "hs"}, {ISA_T_U32, 'r', "rs"}, {ISA_T_U64, 'R', "Rs"},
        {ISA_T_S16, 'h', "hs"}, {ISA_T_S32, 'r', "rs"}, {ISA_T_S64, 'R', "Rs"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        run((struct isa_form){.op = ISA_OP_SHR, .type = rows[i].t}, rows[i].dst,
            rows[i].src, o_shr);
        if (i < 3) {
            run((struct isa_form){.op = ISA_OP_SHL, .type = rows[i].t}, rows[i].dst,
                rows[i].src, o_shl);
        }
    }
    for (uint32_t i = 0; i < 4; i++) {
        run((struct isa_form){.op = ISA_OP_SHF,
                              .type = ISA_T_B32,
                              .sub = i % 2 ? ISA_S_L : ISA_S_R,
                              .flags = i / 2 ? ISA_F_CLAMP : 0},
            'r', "rrs", o_shf);
    }
}

/* Of an assembler: shifted or turned to the right, and a third added. */
static void o_shift_sum(struct lt_lane *x)
{
    const uint32_t n = (uint32_t)x->v[1];
    uint32_t v = 0;

    for (uint32_t i = 0; i < 32; i++) {
        const uint32_t from = x->form->op == ISA_OP_SHF ? (i + n % 32) % 32
                              : n > 31                  ? 32
                                                        : i + n;

        v |= from < 32 && bit(x->v[0], from) ? 1u << i : 0;
    }
    x->d = (uint32_t)(v + (uint32_t)x->v[2]);
}

static void shifted_sums(void **state)
{
    (void)state;
    run((struct isa_form){.op = ISA_OP_SHR, .type = ISA_T_U32, .sub = ISA_S_SUM}, 'r',
        "rsr", o_shift_sum);
    run((struct isa_form){.op = ISA_OP_SHF, .type = ISA_T_B32, .sub = ISA_S_SUM}, 'r',
        "rsr", o_shift_sum);
}

static void counts(void **state)
{
    static const enum isa_type t[] = {ISA_T_U32, ISA_T_S32, ISA_T_U64, ISA_T_S64};

    (void)state;
    for (uint32_t w = 0; w < 2; w++) {
        const uint8_t b = w ? ISA_T_B64 : ISA_T_B32;
        const char *const src = w ? "R" : "r";

        run((struct isa_form){.op = ISA_OP_POPC, .type = b}, 'r', src, o_popc);
        run((struct isa_form){.op = ISA_OP_CLZ, .type = b}, 'r', src, o_clz);
        run((struct isa_form){.op = ISA_OP_BREV, .type = b}, src[0], src, o_brev);
    }
    for (uint32_t i = 0; i < 8; i++) {
        run((struct isa_form){.op = ISA_OP_BFIND,
                              .type = t[i / 2],
                              .flags = i % 2 ? ISA_F_SHIFTAMT : 0},
            'r', i < 4 ? "r" : "R", o_bfind);
    }
    run((struct isa_form){.op = ISA_OP_FNS, .type = ISA_T_B32}, 'r', "rss", o_fns);
    run((struct isa_form){.op = ISA_OP_FNS, .type = ISA_T_B32}, 'r', "rsr", o_fns);
}

static void fields(void **state)
{
    (void)state;
    run((struct isa_form){.op = ISA_OP_BFE, .type = ISA_T_U32}, 'r', "rss", o_bfe);
    run((struct isa_form){.op = ISA_OP_BFE, .type = ISA_T_S32}, 'r', "rss", o_bfe);
    run((struct isa_form){.op = ISA_OP_BFE, .type = ISA_T_U64}, 'R', "Rss", o_bfe);
    run((struct isa_form){.op = ISA_OP_BFE, .type = ISA_T_S64}, 'R', "Rss", o_bfe);
    run((struct isa_form){.op = ISA_OP_BFI, .type = ISA_T_B32}, 'r', "rrss", o_bfi);
    run((struct isa_form){.op = ISA_OP_BFI, .type = ISA_T_B64}, 'R', "RRss", o_bfi);
    for (uint32_t i = 0; i < 2; i++) {
        const uint16_t fl = i ? ISA_F_CLAMP : 0;

        run((struct isa_form){.op = ISA_OP_BMSK, .type = ISA_T_B32, .flags = fl}, 'r',
            "ss", o_bmsk);
        run((struct isa_form){.op = ISA_OP_SZEXT, .type = ISA_T_U32, .flags = fl}, 'r',
            "rs", o_szext);
        run((struct isa_form){.op = ISA_OP_SZEXT, .type = ISA_T_S32, .flags = fl}, 'r',
            "rs", o_szext);
    }
}

static void permutations(void **state)
{
    static const enum isa_sub modes[] = {ISA_S_NONE, ISA_S_F4E, ISA_S_B4E, ISA_S_RC8,
                                         ISA_S_ECL,  ISA_S_ECR, ISA_S_RC16};

    (void)state;
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        run((struct isa_form){.op = ISA_OP_PRMT, .type = ISA_T_B32, .sub = modes[i]},
            'r', "rrr", o_prmt);
    }
}

static void logic(void **state)
{
    static const enum isa_op ops[] = {ISA_OP_AND, ISA_OP_OR, ISA_OP_XOR, ISA_OP_NOT};
    static const char *const two[] = {"hh", "rr", "RR"}, *const one[] = {"h", "r", "R"};

    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t t = 0; t < 3; t++) {
            run((struct isa_form){.op = ops[i], .type = ISA_T_B16 + t}, one[t][0],
                i < 3 ? two[t] : one[t], o_logic);
        }
        run((struct isa_form){.op = ops[i], .type = ISA_T_PRED}, 'p',
            i < 3 ? "pp" : "p", o_logic_pred);
    }
    run((struct isa_form){.op = ISA_OP_MOV, .type = ISA_T_PRED}, 'p', "p",
        o_logic_pred);
    for (uint32_t t = 0; t < 3; t++) {
        run((struct isa_form){.op = ISA_OP_CNOT, .type = ISA_T_B16 + t}, one[t][0],
            one[t], o_cnot);
    }
}

/* All 256 functions of three bits; immLut has bit 4a + 2b + c for operand bits a b c.
 */
static void three_operand_logic(void **state)
{
    const struct isa_form f = {.op = ISA_OP_LOP3, .type = ISA_T_B32};
    static uint32_t r[16 * ISA_LANES], k[ISA_LANES], p[4];
    const struct isa_lanes w = {.r = r, .p = p, .k = k};
    struct isa_uop u = {.form = f, .dst = {4}, .src = {0, 1, 2, -1}, .n_src = 4};
    struct isa_selected sel;
    uint64_t seed = 1;

    (void)state;
    assert_true(isa_select(&f, &sel));
    lt_mark(ISA_OP_LOP3, sel.exec);
    for (uint32_t lut = 0; lut < 256; lut++) {
        const uint32_t mask = lut % 2 ? UINT32_MAX : (uint32_t)lt_random(&seed);

        for (uint32_t i = 0; i < 16 * ISA_LANES; i++) {
            r[i] = (uint32_t)lt_random(&seed);
            k[i % ISA_LANES] = lut;
        }
        memset(r + 4 * ISA_LANES, 0x5a, ISA_LANES * sizeof(r[0]));
        (lut % 3 ? sel.exec : lt_plain(sel.exec))(&u, &w, mask);
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            uint32_t want = 0;

            for (uint32_t i = 0; i < 32; i++) {
                const uint32_t at =
                    bit(r[l], i) * 4u + bit(r[32 + l], i) * 2u + bit(r[64 + l], i);

                want |= (uint32_t)bit(lut, at) << i;
            }
            assert_int_equal(r[4 * ISA_LANES + l], bit(mask, l) ? want : 0x5a5a5a5a);
        }
    }
}

static void every_row_has_run(void **state)
{
    (void)state;
    lt_all_ran(&lane_bits_table, ISA_N_OPS, ISA_N_OPS);
    lt_all_ran(&lane_logic_table, ISA_OP_SELP, ISA_OP_SLCT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shifts),
        cmocka_unit_test(shifted_sums),
        cmocka_unit_test(counts),
        cmocka_unit_test(fields),
        cmocka_unit_test(permutations),
        cmocka_unit_test(logic),
        cmocka_unit_test(three_operand_logic),
        cmocka_unit_test(every_row_has_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
