/* Loads of neighbouring words of shared memory become one. */
#include "ptx/opt_test.h"

/* The kernel's shared memory is laid out when it is parsed. */
static struct ptx_module *wide(const char *text)
{
    struct smw_err e;
    struct ptx_module *m;
    struct ptx_opt *o;

    err_clear(&e);
    m = ptx_parse(text, strlen(text), "test.ptx", &e);
    assert_non_null(m);
    assert_int_equal(ptx_refusals(m), 0);
    o = ptx_opt_new(&m->priv->arena, m->priv, 90, m->priv->fn[0]);
    o->kernel = &m->kernels[0];
    ptx_opt_look(o);
    ptx_opt_addresses(o);
    ptx_opt_sweep(o);
    ptx_opt_look(o);
    ptx_opt_wide(o);
    ptx_opt_sweep(o);
    return m;
}

/* Elements of each load of shared or constant memory that is left, in order. */
static void expect_loads(const char *text, const char *elements)
{
    struct ptx_module *const m = wide(text);
    const struct ptx_ir *const f = m->priv->fn[0];
    char got[64] = "";

    for (uint32_t i = 0; i < f->n_insn; i++) {
        const struct ptx_insn *const in = &f->insn[i];

        if (in->form.op == ISA_OP_LD &&
            (in->form.space == ISA_SP_SHARED || in->form.space == ISA_SP_CONST)) {
            const size_t n = strlen(got);

            (void)snprintf(got + n, sizeof(got) - n, "%u", in->form.vec);
        }
    }
    assert_string_equal(got, elements);
    ptx_free(m);
}

#define START       "mov.u32 %r1, %tid.x; mov.u32 %r2, s; shl.b32 %r3, %r1, 4;\n"
#define LD(reg, at) "ld.shared.u32 %r" #reg ", [" at "];\n"
#define FOUR(at)    LD(10, at "+4") LD(11, at) LD(12, at "+12") LD(13, at "+8")

static void test_joined(void **state)
{
    (void)state;
    expect_loads(KERNEL(START "add.s32 %r4, %r2, %r3;\n" FOUR("%r4")), "4");
    expect_loads(KERNEL(START FOUR("s") FOUR("s+16")), "44");
    /* 8 bytes are certain, and what is left over */
    expect_loads(KERNEL(START "shl.b32 %r4, %r1, 3;\n" FOUR("%r4")), "22");
    expect_loads(KERNEL(START LD(10, "%r3") LD(11, "%r3+4") LD(12, "%r3+8")), "21");
    /* from any path, and of any pass of a loop */
    expect_loads(KERNEL(START "mov.u32 %r4, 32;\n@%p1 mov.u32 %r4, 64;\n" FOUR("%r4")),
                 "4");
    expect_loads(KERNEL("mov.u32 %r4, s;\nL:\n" FOUR(
                     "%r4") "add.s32 %r4, %r4, 16;\n"
                            "setp.lt.s32 %p1, %r4, 99; @%p1 bra L;"),
                 "4");
    expect_loads(KERNEL(START
                        "ld.shared.f64 %fd1, [%r3]; ld.shared.f64 %fd2, [%r3+8];"),
                 "2");
}

#define CONSTANTS(body)                                                                \
    HEAD ".const .align 4 .b32 c[64]; .const .align 4 .b32 d[64];\n"                   \
         ".visible .entry k()\n{\n.reg .pred %p<9>; .reg .b32 %r<40>;\n"               \
         "mov.u32 %r1, %tid.x; shl.b32 %r3, %r1, 4;\n" body "\nret;\n}\n"
#define LDC(reg, at) "ld.const.u32 %r" #reg ", [" at "];\n"

/* Two at most, and where the bank has them: c begins at 0. */
static void test_constants(void **state)
{
    (void)state;
    expect_loads(CONSTANTS(LDC(10, "%r3") LDC(11, "%r3+4") LDC(12, "%r3+8")
                               LDC(13, "%r3+12")),
                 "22");
    expect_loads(CONSTANTS("mov.u32 %r4, c; add.s32 %r5, %r4, %r3;\n" LDC(10, "%r5")
                               LDC(11, "%r5+4") LDC(12, "%r5+8")),
                 "21");
    expect_loads(CONSTANTS(LDC(10, "c+4") LDC(11, "c+8")), "11");
}

#define LDH(type, reg, at) "ld.shared." #type " %" #reg ", [" at "];\n"

/* 64 bits at most; with a word's load beside them, of bytes and of those that widen,
 * none. */
static void test_halves(void **state)
{
    (void)state;
    expect_loads(KERNEL(START LDH(u16, h1, "%r3") LDH(u16, h2, "%r3+2")), "2");
    expect_loads(KERNEL(START LDH(b16, h1, "%r3+6") LDH(u16, h2, "%r3+2")
                            LDH(s16, h3, "%r3+4") LDH(u16, h4, "%r3")),
                 "4");
    expect_loads(KERNEL(START LDH(u16, h1, "%r3") LDH(u16, h2, "%r3+2")
                            LDH(u16, h3, "%r3+4") LDH(u16, h4, "%r3+6")
                                LDH(u16, h5, "%r3+8") LDH(u16, h6, "%r3+10")),
                 "42");
    expect_loads(KERNEL(START "shl.b32 %r4, %r1, 2;\n" LDH(u16, h1, "%r4")
                            LDH(u16, h2, "%r4+2") LDH(u16, h3, "%r4+4")
                                LDH(u16, h4, "%r4+6")),
                 "22");
    expect_loads(KERNEL(START LDH(u16, h1, "%r3+2") LDH(u16, h2, "%r3+4")), "11");
    expect_loads(KERNEL(START LDH(u16, h1, "%r3") LDH(u16, h2, "%r3+4")), "11");
    expect_loads(KERNEL(START "shl.b32 %r4, %r1, 1;\n" LDH(u16, h1, "%r4")
                            LDH(u16, h2, "%r4+2")),
                 "11");
    expect_loads(KERNEL(START LDH(u16, r10, "%r3") LDH(u16, r11, "%r3+2")), "11");
    expect_loads(KERNEL(START LDH(u8, h1, "%r3") LDH(u8, h2, "%r3+1")), "11");
    expect_loads(KERNEL(START LDH(u16, h1, "%r3") LDH(u16, h2, "%r3+2")
                            LD(10, "%r3+4")),
                 "21");
}

static void test_kept(void **state)
{
    (void)state;
    expect_loads(KERNEL(START "shl.b32 %r4, %r1, 2;\n" FOUR("%r4")), "1111");
    expect_loads(KERNEL("ld.param.u32 %r4, [n];\n" FOUR("%r4")), "1111");
    expect_loads(KERNEL("mov.u32 %r4, s;\nL:\n" FOUR(
                     "%r4") "add.s32 %r4, %r4, 4;\n"
                            "setp.lt.s32 %p1, %r4, 99; @%p1 bra L;"),
                 "1111");
    /* a store, a barrier or a root between them, or a word that is not there */
    expect_loads(KERNEL(START LD(10, "%r3") "st.shared.u32 [%r1], %r10;\n" LD(11,
                                                                              "%r3+4")),
                 "11");
    expect_loads(KERNEL(START LD(10, "%r3") "bar.sync 0;\n" LD(11, "%r3+4")), "11");
    expect_loads(KERNEL(START LD(10, "%r3") "sqrt.rn.f32 %f1, %f2;\n" LD(11, "%r3+4")),
                 "11");
    expect_loads(KERNEL(
                     START LD(10, "%r3") "sqrt.approx.f32 %f1, %f2;\n" LD(11, "%r3+4")),
                 "2");
    expect_loads(KERNEL(START LD(10, "%r3+4") LD(11, "%r3+8")), "11");
    /* the base is another one then; the result is needed before; the same result */
    expect_loads(KERNEL(START LD(10, "%r3") "add.s32 %r3, %r3, 16;\n" LD(11, "%r3+4")),
                 "11");
    expect_loads(KERNEL(START LD(10, "%r3") "add.s32 %r12, %r11, 1;\n" LD(11, "%r3+4")),
                 "11");
    expect_loads(KERNEL(START LD(10, "%r3") LD(10, "%r3+4")), "11");
    expect_loads(KERNEL(START "ld.volatile.shared.u32 %r10, [%r3];\n" LD(11, "%r3+4")),
                 "11");
    expect_loads(KERNEL(START LD(10, "%r3") "@%p1 " LD(11, "%r3+4")), "11");
}

/* Each part is kept as it was, in the order of addresses. */
static void test_parts(void **state)
{
    struct ptx_module *const m = wide(KERNEL(START FOUR("%r3")));
    const struct ptx_ir *const f = m->priv->fn[0];
    static const uint64_t offset[] = {0, 4, 8, 12};

    (void)state;
    assert_int_equal(f->n_joined, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(f->opnd[f->joined[i].opnd + 1].value, offset[i]);
    }
    assert_int_equal(f->insn[3].joined, 1);
    assert_int_equal(f->opnd[f->insn[3].opnd + 1].value, 0);
    ptx_free(m);
}

/* What findings name: the parts, which nothing runs. */
static void test_names(void **state)
{
    const struct ptx_target target = {.cc = 90, .regs = 32, .issue = 1};
    const char *const text =
        KERNEL(START FOUR("%r3") "add.s32 %r5, %r10, %r11; add.s32 %r5, %r5, %r12;\n"
                                 "add.s32 %r5, %r5, %r13; st.shared.u32 [%r3], %r5;");
    struct smw_err e;
    struct ptx_module *m;
    uint32_t n = 0;

    (void)state;
    err_clear(&e);
    m = ptx_parse(text, strlen(text), "test.ptx", &e);
    assert_non_null(m);
    assert_true(ptx_lower(m, &target, &e));
    for (uint32_t pc = 0; pc < m->n_uops; pc++) {
        const struct isa_uop *const u = &m->uops[pc];
        char said[80];

        if (u->parts == NULL) {
            continue;
        }
        n++;
        ptx_disasm(m, u->parts[0], said, sizeof(said));
        assert_string_equal(said, "ld.shared.u32 %r11, [%r3]");
        ptx_disasm(m, u->parts[3], said, sizeof(said));
        assert_string_equal(said, "ld.shared.u32 %r12, [%r3+12]");
        assert_int_equal(m->uops[u->parts[3]].kind, ISA_K_NOP);
        assert_int_equal(m->uops[u->parts[0]].line, m->uops[u->parts[1]].line + 1);
    }
    assert_int_equal(n, 1);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joined), cmocka_unit_test(test_constants),
        cmocka_unit_test(test_kept),   cmocka_unit_test(test_parts),
        cmocka_unit_test(test_names),  cmocka_unit_test(test_halves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
