/* mbarrier objects, against a count of arrivals and bytes kept apart. */
#include "isa/lane_test.h"

/* What an mbarrier is, in the words of the PTX manual. */
struct oracle {
    uint32_t phase, pending, expected;
    int64_t tx;
};

static void settle(struct oracle *o)
{
    if (o->pending == 0 && o->tx == 0) {
        o->phase++;
        o->pending = o->expected;
    }
}

static uint64_t apply(enum isa_sub sub, uint32_t flags, uint64_t bits, uint64_t state,
                      uint32_t operand, uint64_t *result)
{
    const struct isa_form f = {.op = ISA_OP_MBARRIER,
                               .sub = (uint8_t)sub,
                               .flags = (uint16_t)flags};
    bool over;

    return isa_mbarrier(&f, bits, state, operand, result, &over);
}

static bool waits(uint64_t bits, uint64_t state, uint32_t parity, bool by_parity)
{
    uint64_t result;

    (void)apply(ISA_S_TEST, by_parity ? ISA_F_PARITY : 0, bits, state, parity, &result);
    return result != 0;
}

static uint32_t pending(uint64_t state)
{
    uint32_t out[ISA_LANES] = {0};
    uint64_t in[ISA_LANES];
    uint32_t r[3 * ISA_LANES];
    const struct isa_form f = {.op = ISA_OP_MBARRIER,
                               .sub = ISA_S_PENDING,
                               .type = ISA_T_B64};
    const struct isa_uop u = {.form = f, .dst = {2}, .src = {0}};
    const struct isa_lanes w = {.r = r};
    struct isa_selected sel;

    assert_true(isa_select(&f, &sel));
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        in[l] = state;
    }
    memcpy(r, in, sizeof(in));
    sel.exec(&u, &w, UINT32_MAX);
    memcpy(out, r + 2 * ISA_LANES, sizeof(out));
    return out[0];
}

/* Random operations that a program may do, one after the other. */
static void test_random(void **state)
{
    uint64_t seed = 7, phases = 0;

    (void)state;
    for (uint32_t round = 0; round < 2000; round++) {
        struct oracle o = {0};
        uint64_t bits = 0, result, old = 0;
        uint32_t n = 1 + (uint32_t)lt_random(&seed) % (round % 2 ? 5 : 1000000);

        o.expected = o.pending = n;
        bits = apply(ISA_S_INIT, 0, lt_random(&seed), 0, n, &result);
        for (uint32_t step = 0; step < 40; step++) {
            const uint32_t before = o.phase, what = (uint32_t)lt_random(&seed) % 6;
            uint32_t k =
                1 + (uint32_t)lt_random(&seed) % (o.pending == 0 ? 1 : o.pending);

            old = bits;
            assert_int_equal(pending(bits), o.pending);
            if (what == 0 && o.pending != 0) {
                bits = apply(ISA_S_ARRIVE, 0, bits, 0, k, &result);
                o.pending -= k;
            } else if (what == 1 && o.pending != 0 && o.expected > 1) {
                bits = apply(ISA_S_DROP, 0, bits, 0, 1, &result);
                o.pending--;
                o.expected--;
            } else if (what == 2) {
                bits = apply(ISA_S_EXPECT_TX, 0, bits, 0, k % 1000, &result);
                o.tx += k % 1000;
                continue;
            } else if (what == 3 && o.tx > 0) {
                k = 1 + (uint32_t)lt_random(&seed) % (uint32_t)o.tx;
                bits = apply(ISA_S_COMPLETE_TX, 0, bits, 0, k, &result);
                o.tx -= k;
            } else if (what == 4 && o.pending != 0) {
                bits = apply(ISA_S_ARRIVE, ISA_F_TX, bits, 0, k % 500, &result);
                o.tx += k % 500;
                o.pending--;
            } else if (what == 5 && o.pending != 0) { /* one more, and one less */
                bits = apply(ISA_S_COUNT, 0, bits, 0, 1, &result);
                bits = apply(ISA_S_ARRIVE, ISA_F_NOINC, bits, 0, 1, &result);
                continue;
            } else {
                continue;
            }
            assert_int_equal(result == old, true);
            settle(&o);
            phases += o.phase != before;
            assert_int_equal(waits(bits, old, 0, false), o.phase != before);
            assert_int_equal(waits(bits, 0, before & 1u, true), o.phase != before);
            assert_int_equal(waits(bits, 0, ~o.phase & 1u, true), true);
            assert_int_equal(waits(bits, 0, o.phase & 1u, true), false);
        }
    }
    assert_true(phases > 1000);
}

/* Bytes that come before they are expected do not end the phase: arrivals are missing.
 */
static void test_bytes_first(void **state)
{
    uint64_t result, bits = apply(ISA_S_INIT, 0, 0, 0, 1, &result), old = bits;

    (void)state;
    bits = apply(ISA_S_COMPLETE_TX, 0, bits, 0, 64, &result);
    assert_false(waits(bits, old, 0, false));
    bits = apply(ISA_S_ARRIVE, ISA_F_TX, bits, 0, 64, &result);
    assert_true(waits(bits, old, 0, false));
}

/* States that an H100 gave: what mbarrier.arrive returned of an object of 3, and of the
 * same in its next phase. (Low words, which are of no use to a program, left out.) */
static void test_h100(void **state)
{
    static const uint32_t high[] = {0x7fffe800, 0x7ffff000, 0x7ffff800, 0xffffe800,
                                    0xfffff000, 0xfffff800, 0x7fffe800};
    uint64_t result, bits = apply(ISA_S_INIT, 0, 0, 0, 3, &result);

    (void)state;
    for (uint32_t i = 0; i < 7; i++) {
        bits = apply(ISA_S_ARRIVE, 0, bits, 0, 1, &result);
        assert_int_equal(result >> 32, high[i]);
        assert_int_equal(pending(result), 3 - i % 3);
    }
}

static void o_pending(struct lt_lane *x)
{
    x->d = -(x->v[0] >> 43) & 0xfffff;
}

static void test_pending_count(void **state)
{
    const struct lt_case c = {.form = {.op = ISA_OP_MBARRIER,
                                       .type = ISA_T_B64,
                                       .sub = ISA_S_PENDING},
                              .dst = 'r',
                              .src = "R",
                              .oracle = o_pending};

    (void)state;
    lt_check(&c);
    lt_all_ran(&lane_mbarrier_table, ISA_N_OPS, ISA_N_OPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_bytes_first),
        cmocka_unit_test(test_h100),
        cmocka_unit_test(test_pending_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
