/* Which atomics count. */
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
    expect(KERNEL("red.shared.add.u32 [s], 2;"), 90, false, false);
    expect(KERNEL("red.shared.add.u64 [s], 1;"), 90, false, false);
    expect(KERNEL("red.shared.min.u32 [s], 1;"), 90, false, false);
    expect(KERNEL("red.global.add.u32 [%rd1], 1;"), 90, false, false);
    expect(KERNEL("mov.u32 %r2, 1; add.u32 %r2, %r2, 1; red.shared.add.u32 [s], %r2;"),
           90, false, false);
    /* the result is read, though by an instruction before it */
    expect(KERNEL("mov.u32 %r1, 5; bra M;\nL: st.shared.u32 [s], %r1; ret;\n"
                  "N: bra L;\nM: atom.shared.add.u32 %r1, [s], 1; bra N;\n"
                  "atom.shared.add.u32 %r1, [s], 1;"),
           90, false, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_does_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
