/* Who reads a result first. */
#include "ptx/front_test.h"

#define ENTRY                                                                          \
    HEAD ".shared .align 4 .b32 s[64];\n.entry k {\n.reg .u32 %r<20>;\n"               \
         ".reg .f32 %f<9>;\n.reg .pred %p<9>;\n"

/* The first instruction's `late`. */
static void assert_late(const char *body, enum isa_late want)
{
    char text[4096];
    struct ptx_module *m;

    snprintf(text, sizeof(text), "%s%s\nret;\n}\n", ENTRY, body);
    m = load_text(text);
    if (m->uops[m->kernels[0].entry].late != want) {
        print_error("%s\nis %u, not %u\n", body, m->uops[m->kernels[0].entry].late,
                    (unsigned)want);
        fail();
    }
    ptx_free(m);
}

static void test_pipes(void **state)
{
    (void)state;
    assert_late("add.u32 %r1, %r2, 1;\nxor.b32 %r3, %r1, 5;", ISA_LATE_NOT);
    assert_late("fma.rn.f32 %f1, %f2, %f2, %f3;\nadd.f32 %f4, %f1, %f1;", ISA_LATE_NOT);
    assert_late("add.u32 %r1, %r2, 1;\nmul.lo.u32 %r3, %r1, %r1;", ISA_LATE_OTHER);
    assert_late("add.f32 %f1, %f2, %f3;\nsetp.lt.f32 %p1, %f1, %f2;", ISA_LATE_OTHER);
    /* the first reader counts */
    assert_late("add.u32 %r1, %r2, 1;\nxor.b32 %r3, %r1, 5;\nmul.lo.u32 %r4, %r1, %r1;",
                ISA_LATE_NOT);
}

static void test_memory(void **state)
{
    (void)state;
    assert_late("add.u32 %r1, %r2, 4;\nld.shared.u32 %r3, [%r1];", ISA_LATE_OTHER);
    assert_late("add.u32 %r1, %r2, 4;\nst.shared.u32 [s], %r1;", ISA_LATE_OTHER);
    assert_late("add.u32 %r1, %r2, 4;\nshfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;",
                ISA_LATE_OTHER);
    /* what other units need is in their latency */
    assert_late("add.f32 %f1, %f2, %f3;\nex2.approx.ftz.f32 %f4, %f1;", ISA_LATE_NOT);
    assert_late("ex2.approx.ftz.f32 %f4, %f1;\nadd.f32 %f5, %f4, %f4;", ISA_LATE_NOT);
}

static void test_predicates(void **state)
{
    (void)state;
    assert_late("setp.eq.u32 %p1, %r1, 0;\n@%p1 add.u32 %r3, %r1, 2;", ISA_LATE_GUARD);
    assert_late("setp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\nadd.u32 %r3, %r1, 2;\nL:",
                ISA_LATE_GUARD);
    assert_late("setp.eq.u32 %p1, %r1, 0;\nselp.u32 %r3, %r1, %r2, %p1;", ISA_LATE_NOT);
    assert_late("setp.eq.u32 %p1, %r1, 0;\nand.pred %p2, %p1, %p3;", ISA_LATE_NOT);
    assert_late("setp.eq.u32 %p1, %r1, 0;", ISA_LATE_GUARD); /* wherever it is read */
}

/* 16 instructions are looked at. */
static void test_window(void **state)
{
    char body[2048] = "add.u32 %r1, %r2, 1;\n";

    (void)state;
    for (uint32_t i = 0; i < 15; i++) {
        strcat(body, "add.u32 %r5, %r6, 1;\n");
    }
    strcat(body, "mul.lo.u32 %r3, %r1, %r1;\n");
    assert_late(body, ISA_LATE_OTHER);
    strcpy(body, "add.u32 %r1, %r2, 1;\n");
    for (uint32_t i = 0; i < 16; i++) {
        strcat(body, "add.u32 %r5, %r6, 1;\n");
    }
    strcat(body, "mul.lo.u32 %r3, %r1, %r1;\n");
    assert_late(body, ISA_LATE_NOT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pipes),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_predicates),
        cmocka_unit_test(test_window),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
