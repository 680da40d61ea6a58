/* Which atomics count, and what makes them that. */
#include "ptx/opt_test.h"

/* Of the last instruction before ret: whether it counts, and returns something. */
static void expect(const char *body, uint32_t cc, bool counts, bool returns)
{
    struct ptx_module *const m = pass(body, cc, ptx_opt_atomics);
    const struct ptx_ir *const f = m->priv->fn[0];
    const struct ptx_insn *const in = &f->insn[f->n_insn - 2];

    assert_int_equal(in->counts, counts);
    if (in->form.op == ISA_OP_ATOM) {
        assert_int_equal(f->opnd[in->opnd].kind == OK_REG, returns);
    }
    ptx_free(m);
}

static void test_counts(void **state)
{
    (void)state;
    expect(KERNEL("atom.shared.add.u32 %r1, [s], 1;"), 90, true, false);
    expect(KERNEL("red.shared.add.s32 [s], 1;"), 50, true, false);
    expect(KERNEL("mov.u32 %r2, 1; atom.shared.add.u32 %r1, [s], %r2;"), 90, true,
           false);
}

static void test_does_not(void **state)
{
    (void)state;
    expect(KERNEL("red.shared.add.u32 [s], 1;"), 35, false, false);
    expect(KERNEL("red.shared.add.u32 [%r9], 2;"), 90, false, false);
    expect(KERNEL("red.shared.add.u64 [%r9], 1;"), 90, false, false);
    expect(KERNEL("red.shared.min.u32 [%r9], 1;"), 90, false, false);
    expect(KERNEL("red.global.add.u32 [%rd1], 1;"), 90, false, false);
    expect(KERNEL(
               "mov.u32 %r2, 1; add.u32 %r2, %r2, 1; red.shared.add.u32 [%r9], %r2;"),
           90, false, false);
    /* the result is read, though by an instruction before it */
    expect(KERNEL("mov.u32 %r1, 5; bra M;\nL: st.shared.u32 [s], %r1; ret;\n"
                  "N: bra L;\nM: atom.shared.add.u32 %r1, [s], 1; bra N;\n"
                  "atom.shared.add.u32 %r1, [s], 1;"),
           61, false, true);
}

/* Instructions that join the lanes of the last atomic; 0: they are not joined. */
static uint32_t joins(const char *body, uint32_t cc)
{
    struct ptx_module *const m = pass(body, cc, ptx_opt_atomics);
    const struct ptx_ir *const f = m->priv->fn[0];
    uint32_t n = UINT32_MAX;

    for (uint32_t i = 0; i < f->n_insn; i++) {
        const struct ptx_insn *const in = &f->insn[i];

        if (in->form.op == ISA_OP_ATOM || in->form.op == ISA_OP_RED) {
            n = in->before;
            assert_int_equal(in->counts, n != 0);
        }
    }
    ptx_free(m);
    return n;
}

#define PARAM "ld.param.u64 %rd1, [p]; "
#define TID   "mov.u32 %r5, %tid.x; "

/* As in machine code: S2R, VOTEU, UFLO and ISETP elect a lane. */
static void test_joins(void **state)
{
    (void)state;
    assert_int_equal(joins(KERNEL(PARAM "red.global.add.u32 [%rd1], 1;"), 90), 5);
    assert_int_equal(joins(KERNEL(PARAM "red.global.add.u32 [%rd1], 1;"), 75), 5);
    assert_int_equal(joins(KERNEL(PARAM "atom.global.add.u32 %r1, [%rd1], 1;"), 90), 5);
    assert_int_equal(joins(KERNEL(PARAM "red.global.add.u32 [%rd1], 5;"), 90), 6);
    assert_int_equal(joins(KERNEL(PARAM "red.global.add.u64 [%rd1], 5;"), 90), 6);
    assert_int_equal(joins(KERNEL(PARAM TID "red.global.add.u32 [%rd1], %r5;"), 90), 6);
    assert_int_equal(joins(KERNEL(PARAM TID "red.global.max.s32 [%rd1], %r5;"), 80), 6);
    assert_int_equal(joins(KERNEL(PARAM TID "red.global.or.b32 [%rd1], %r5;"), 80), 6);
    assert_int_equal(joins(KERNEL("red.shared.add.u32 [s], 5;"), 90), 6);
    /* read: each lane makes its own of it */
    assert_int_equal(joins(KERNEL(PARAM "atom.global.add.u32 %r1, [%rd1], 1;"
                                        "st.shared.u32 [s], %r1;"),
                           90),
                     10);
    assert_int_equal(joins(KERNEL(PARAM "atom.global.add.u32 %r1, [%rd1], 7;"
                                        "st.shared.u32 [s], %r1;"),
                           75),
                     11);
    /* once elected, the lane is known to the next in the block */
    assert_int_equal(joins(KERNEL(PARAM TID "red.global.add.u32 [%rd1], 1;"
                                            "red.global.min.s32 [%rd1+4], %r5;"),
                           90),
                     2);
}

static void test_joins_not(void **state)
{
    (void)state;
    assert_int_equal(joins(KERNEL(PARAM "red.global.add.u32 [%rd1], 1;"), 61), 0);
    assert_int_equal(joins(KERNEL(PARAM TID "red.global.add.u32 [%rd1], %r5;"), 75), 0);
    assert_int_equal(joins(KERNEL(PARAM TID "red.global.max.s64 [%rd1], 9;"), 90), 0);
    assert_int_equal(joins(KERNEL(PARAM "red.global.inc.u32 [%rd1], 9;"), 90), 0);
    assert_int_equal(joins(KERNEL(PARAM "red.global.add.f32 [%rd1], 0f3F800000;"), 90),
                     0);
    assert_int_equal(joins(KERNEL(PARAM "atom.global.exch.b32 %r1, [%rd1], 9;"), 90),
                     0);
    assert_int_equal(joins(KERNEL(PARAM "atom.global.max.s32 %r1, [%rd1], 9;"
                                        "st.shared.u32 [s], %r1;"),
                           90),
                     0);
    /* lanes on addresses of their own */
    assert_int_equal(joins(KERNEL(PARAM TID "mul.wide.u32 %rd2, %r5, 4;"
                                            "add.s64 %rd3, %rd1, %rd2;"
                                            "red.global.add.u32 [%rd3], 1;"),
                           90),
                     0);
    /* for one thread: behind a branch of all others, or guarded */
    assert_int_equal(joins(KERNEL(PARAM TID "setp.ne.s32 %p1, %r5, 0; @%p1 bra L;\n"
                                            "red.global.add.u32 [%rd1], 1;\nL:"),
                           90),
                     0);
    assert_int_equal(joins(KERNEL(PARAM TID "setp.eq.s32 %p1, %r5, 0;"
                                            "@%p1 red.global.add.u32 [%rd1], 1;"),
                           90),
                     0);
    /* but a lane is not a thread */
    assert_int_equal(joins(KERNEL(PARAM TID "and.b32 %r6, %r5, 31;"
                                            "setp.ne.s32 %p1, %r6, 0; @%p1 bra L;\n"
                                            "red.global.add.u32 [%rd1], 1;\nL:"),
                           90),
                     5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_does_not),
        cmocka_unit_test(test_joins),
        cmocka_unit_test(test_joins_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
