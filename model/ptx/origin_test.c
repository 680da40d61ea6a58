/* Which shared array an access is told to be in. */
#include "ptx/front_test.h"

#define ARRAYS                                                                         \
    HEAD ".shared .align 8 .b8 a[64];\n.shared .align 8 .b8 b[64];\n"                  \
         ".extern .shared .align 8 .b8 d[];\n.global .u32 g[4];\n"
#define ENTRY                                                                          \
    ".entry k (.param .u64 p) {\n.reg .u32 %r<9>;\n.reg .u64 %d<9>;\n"                 \
    ".reg .pred %p<2>;\n"

static bool is_access(const struct isa_uop *u)
{
    return (u->form.op == ISA_OP_LD || u->form.op == ISA_OP_ST) &&
           u->form.type == ISA_T_U32;
}

/* The kernel's accesses of .u32 in shared or generic space in order, each a letter: its
 * array, "-" if it is not known. */
static void assert_arrays(const char *body, const char *want)
{
    char text[2048], got[64] = "";
    struct ptx_module *m;
    uint32_t n = 0;

    snprintf(text, sizeof(text), "%s%s%s}\n", ARRAYS, ENTRY, body);
    m = load_text(text);
    for (uint32_t i = 0; i < m->n_uops; i++) {
        const struct isa_uop *const u = &m->uops[i];

        if (!is_access(u)) {
            continue;
        }
        assert_true(u->target <= m->kernels[0].n_shared);
        got[n++] = u->target == 0 ? '-' : m->kernels[0].shared[u->target - 1].name[0];
    }
    if (strcmp(got, want) != 0) {
        print_error("%s\nis told to access \"%s\", not \"%s\"\n", body, got, want);
        fail();
    }
    ptx_free(m);
}

static void test_by_name(void **state)
{
    (void)state;
    assert_arrays("ld.shared.u32 %r0, [a];\nst.shared.u32 [b + 8], %r0;\n"
                  "ld.shared.u32 %r0, [d];\nld.global.u32 %r0, [g];\n"
                  "ld.shared.u32 %r0, [64];\n",
                  "abd--");
}

/* Copies, sums and differences stay in the array. */
static void test_through_registers(void **state)
{
    (void)state;
    assert_arrays("mov.u64 %d0, b;\nadd.u64 %d1, %d0, 8;\nadd.u64 %d2, %d7, %d1;\n"
                  "sub.u64 %d3, %d2, %d7;\nmad.wide.u32 %d4, %r1, 4, %d3;\n"
                  "cvta.shared.u64 %d5, %d4;\ncvta.to.shared.u64 %d6, %d5;\n"
                  "ld.shared.u32 %r0, [%d0];\nld.shared.u32 %r0, [%d1+4];\n"
                  "ld.shared.u32 %r0, [%d2];\nld.shared.u32 %r0, [%d3];\n"
                  "ld.shared.u32 %r0, [%d4];\nld.u32 %r0, [%d5];\n"
                  "st.shared.u32 [%d6], %r0;\n",
                  "bbbbbbb");
    assert_arrays("mov.u32 %r1, a;\nadd.u32 %r2, %r1, %r3;\n"
                  "ld.shared.u32 %r0, [%r2];\n",
                  "a");
}

/* A loop: what its end gives a register reaches its beginning. */
static void test_loop(void **state)
{
    (void)state;
    assert_arrays("L: ld.shared.u32 %r0, [%d1];\nadd.u64 %d2, %d1, 4;\n"
                  "mov.u64 %d1, a;\n@%p0 bra L;\nmov.u64 %d1, %d2;\n@%p1 bra L;\n"
                  "ld.shared.u32 %r0, [%d2];\nret;\n",
                  "aa");
}

/* Addresses of two arrays, or what else is done with one, may be anywhere. */
static void test_not_known(void **state)
{
    (void)state;
    assert_arrays("mov.u64 %d0, a;\nmov.u64 %d1, b;\nselp.u64 %d2, %d0, %d1, %p0;\n"
                  "ld.shared.u32 %r0, [%d2];\nselp.u64 %d3, %d0, %d0, %p0;\n"
                  "ld.shared.u32 %r0, [%d3];\n",
                  "-a");
    assert_arrays("mov.u64 %d0, a;\n@%p0 mov.u64 %d0, b;\n"
                  "ld.shared.u32 %r0, [%d0];\nadd.u64 %d1, %d0, 4;\n"
                  "ld.shared.u32 %r0, [%d1];\n",
                  "--");
    assert_arrays("mov.u64 %d0, a;\nand.b64 %d1, %d0, -16;\n"
                  "ld.shared.u32 %r0, [%d1];\nsub.u64 %d2, %d7, %d0;\n"
                  "ld.shared.u32 %r0, [%d2];\nmul.lo.u64 %d3, %d0, 2;\n"
                  "ld.shared.u32 %r0, [%d3];\nmad.lo.u64 %d4, %d0, 1, %d7;\n"
                  "ld.shared.u32 %r0, [%d4];\n",
                  "----");
    assert_arrays("mov.u64 %d0, a;\nmov.b64 {%r1, %r2}, %d0;\n"
                  "mov.b64 %d1, {%r1, %r2};\nld.shared.u32 %r0, [%d1];\n"
                  "ld.shared.u32 %r0, [%r1];\nmov.u32 %r3, a;\n"
                  "mov.b64 %d2, {%r3, %r4};\nld.shared.u32 %r0, [%d2];\n",
                  "---");
}

/* What comes from memory or a parameter is no address of an array that is known,
 * whatever the address it came from. */
static void test_from_memory(void **state)
{
    (void)state;
    assert_arrays("mov.u64 %d0, a;\nld.shared.u64 %d1, [%d0];\n"
                  "ld.shared.u32 %r0, [%d1];\nld.param.u64 %d2, [p];\n"
                  "ld.shared.u32 %r0, [%d2];\nld.shared.u32 %r1, [%d0];\n"
                  "add.u64 %d3, %d0, %d1;\nld.shared.u32 %r0, [%d3];\n",
                  "--aa");
    assert_arrays("mov.u64 %d0, a;\natom.shared.exch.b64 %d1, [%d0], %d0;\n"
                  "add.u64 %d2, %d0, %d1;\nld.shared.u32 %r0, [%d2];\n",
                  "a");
}

/* A predicate is no address, whatever was compared. */
static void test_predicate(void **state)
{
    (void)state;
    assert_arrays("mov.u64 %d0, a;\nsetp.eq.u64 %p0, %d0, %d7;\n"
                  "selp.u64 %d1, %d0, %d0, %p0;\nld.shared.u32 %r0, [%d1];\n",
                  "a");
}

/* A function of several kernels: the array's number is each kernel's own. */
static void test_in_a_function(void **state)
{
    struct ptx_module *const m =
        load_text(ARRAYS ".func f () {\n.reg .u32 %r;\n.reg .u64 %d;\nmov.u64 %d, b;\n"
                         "ld.shared.u32 %r, [%d];\nret;\n}\n"
                         ".entry one () {\ncall f;\nret;\n}\n"
                         ".entry two () {\n.reg .u32 %r;\nld.shared.u32 %r, [a];\n"
                         "call f;\nret;\n}\n");
    uint32_t seen = 0;

    (void)state;
    assert_int_equal(m->kernels[0].n_shared, 1);
    assert_int_equal(m->kernels[1].n_shared, 2);
    for (uint32_t i = 0; i < m->n_uops; i++) {
        const struct isa_uop *const u = &m->uops[i];

        if (is_access(u)) {
            seen = 10 * seen + u->target;
        }
    }
    assert_int_equal(seen, 112); /* f of one, two itself, f of two */
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_name),     cmocka_unit_test(test_through_registers),
        cmocka_unit_test(test_loop),        cmocka_unit_test(test_not_known),
        cmocka_unit_test(test_from_memory), cmocka_unit_test(test_in_a_function),
        cmocka_unit_test(test_predicate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
