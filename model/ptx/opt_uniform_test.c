/* What is known to be the same in all lanes. */
#include "ptx/opt_test.h"

/* Whether operand 1 of the last instruction before ret, a store, is. */
static bool is_uniform(const char *body, uint32_t cc)
{
    struct ptx_module *const m = pass(body, cc, ptx_opt_look);
    struct ptx_ir *const f = m->priv->fn[0];
    struct ptx_opt *const o = ptx_opt_new(&m->priv->arena, m->priv, cc, f);
    bool is;

    ptx_opt_look(o);
    is = ptx_opt_is_uniform(o, &f->opnd[f->insn[f->n_insn - 2].opnd + 1]);
    ptx_free(m);
    return is;
}

#define STORE "st.shared.u32 [s], %r1;"

static void test_is(void **state)
{
    (void)state;
    assert_true(is_uniform(KERNEL("st.shared.u32 [s], 5;"), 90));
    assert_true(is_uniform(KERNEL("mov.u32 %r1, %ctaid.x;" STORE), 90));
    assert_true(is_uniform(KERNEL("ld.param.u32 %r2, [n]; mov.u32 %r3, %nctaid.y;"
                                  "mad.lo.s32 %r1, %r2, %r3, 7;" STORE),
                           90));
    assert_true(is_uniform(KERNEL("ld.param.u64 %rd1, [p]; mov.u32 %r2, %ctaid.x;"
                                  "mul.wide.u32 %rd2, %r2, 4; add.s64 %rd3, %rd1, %rd2;"
                                  "ld.global.u32 %r1, [%rd3+8];" STORE),
                           90));
    assert_true(is_uniform(KERNEL("mov.u32 %r2, %ctaid.x; mov.u32 %r3, %nctaid.x;"
                                  "div.u32 %r1, %r2, %r3;" STORE),
                           90));
    assert_true(is_uniform(KERNEL("setp.eq.u32 %p1, 1, 1;"
                                  "vote.sync.ballot.b32 %r1, %p1, -1;" STORE),
                           80));
}

static void test_is_not(void **state)
{
    (void)state;
    assert_false(is_uniform(KERNEL("mov.u32 %r1, %tid.x;" STORE), 90));
    assert_false(is_uniform(KERNEL("mov.u32 %r1, %tid.y;" STORE), 90));
    assert_false(is_uniform(KERNEL("mov.u32 %r1, %laneid;" STORE), 90));
    assert_false(is_uniform(KERNEL("mov.u32 %r1, %clock;" STORE), 90));
    assert_false(
        is_uniform(KERNEL("mov.u32 %r2, %tid.x; add.s32 %r1, %r2, 1;" STORE), 90));
    assert_false(is_uniform(KERNEL("ld.param.u64 %rd1, [p]; mov.u32 %r2, %tid.x;"
                                   "mul.wide.u32 %rd2, %r2, 4;"
                                   "add.s64 %rd3, %rd1, %rd2;"
                                   "ld.global.u32 %r1, [%rd3];" STORE),
                            90));
    /* two writes: which one, the lane's way here decides */
    assert_false(is_uniform(KERNEL("mov.u32 %r2, %tid.x; setp.eq.u32 %p1, %r2, 3;"
                                   "mov.u32 %r1, 1; @%p1 mov.u32 %r1, 2;" STORE),
                            90));
    assert_false(is_uniform(KERNEL("setp.eq.u32 %p1, 1, 1;"
                                   "vote.sync.ballot.b32 %r1, %p1, -1;" STORE),
                            75));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_is),
        cmocka_unit_test(test_is_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
