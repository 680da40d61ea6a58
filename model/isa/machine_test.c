/* Which instructions are several on the machine, and how many: against counts made by
 * hand in machine code of sm_90. */
#include "isa/uop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct {
    struct isa_form form;
    uint32_t insts; /* 0: one, as the class of the form says */
} rows[] = {
    {{.op = ISA_OP_ADD, .type = ISA_T_U32}, 0},
    {{.op = ISA_OP_DIV, .type = ISA_T_U32}, 17},
    {{.op = ISA_OP_REM, .type = ISA_T_U32}, 17},
    {{.op = ISA_OP_DIV, .type = ISA_T_S32}, 24},
    {{.op = ISA_OP_REM, .type = ISA_T_S32}, 20},
    {{.op = ISA_OP_REM, .type = ISA_T_U32, .sub = ISA_S_KNOWN}, 8},
    {{.op = ISA_OP_DIV, .type = ISA_T_U32, .sub = ISA_S_RECIPROCAL}, 9},
    {{.op = ISA_OP_DIV, .type = ISA_T_S32, .sub = ISA_S_KNOWN}, 12},
    {{.op = ISA_OP_REM, .type = ISA_T_S32, .sub = ISA_S_KNOWN}, 10},
    {{.op = ISA_OP_DIV, .type = ISA_T_U64}, 71},
    {{.op = ISA_OP_REM, .type = ISA_T_S64}, 80},
    {{.op = ISA_OP_REM, .type = ISA_T_U16}, 25},
    {{.op = ISA_OP_POPC, .type = ISA_T_B32}, 1},
    {{.op = ISA_OP_CLZ, .type = ISA_T_B32}, 2},
    {{.op = ISA_OP_MUL, .type = ISA_T_U32, .sub = ISA_S_LO}, 0},
    {{.op = ISA_OP_MUL, .type = ISA_T_U32, .sub = ISA_S_HI}, 1},
    {{.op = ISA_OP_MUL, .type = ISA_T_S64, .sub = ISA_S_LO}, 4},
    {{.op = ISA_OP_MUL, .type = ISA_T_U64, .sub = ISA_S_HI}, 7},
    {{.op = ISA_OP_DIV, .type = ISA_T_F32, .round = ISA_R_RN}, 11},
    {{.op = ISA_OP_DIV, .type = ISA_T_F32, .sub = ISA_S_APPROX}, 5},
    {{.op = ISA_OP_DIV, .type = ISA_T_F32, .sub = ISA_S_APPROX, .flags = ISA_F_FTZ}, 2},
    {{.op = ISA_OP_DIV, .type = ISA_T_F32, .sub = ISA_S_FULL}, 8},
    {{.op = ISA_OP_RSQRT, .type = ISA_T_F32, .sub = ISA_S_APPROX}, 4},
    {{.op = ISA_OP_RSQRT, .type = ISA_T_F32, .sub = ISA_S_APPROX, .flags = ISA_F_FTZ},
     0},
    {{.op = ISA_OP_SIN, .type = ISA_T_F32, .sub = ISA_S_APPROX}, 2},
    {{.op = ISA_OP_DIV, .type = ISA_T_F64, .round = ISA_R_RN}, 17},
    {{.op = ISA_OP_SETP, .type = ISA_T_F32, .cmp = ISA_C_LT}, 0},
    {{.op = ISA_OP_SET, .type = ISA_T_U32, .type2 = ISA_T_U32, .cmp = ISA_C_LT}, 2},
    {{.op = ISA_OP_CVT, .type = ISA_T_F32, .type2 = ISA_T_F32}, 1},
    {{.op = ISA_OP_CVT, .type = ISA_T_F32, .type2 = ISA_T_F32, .round = ISA_R_RNI}, 0},
    {{.op = ISA_OP_CVT, .type = ISA_T_F32, .type2 = ISA_T_F16}, 1},
    {{.op = ISA_OP_CVT, .type = ISA_T_F16X2, .type2 = ISA_T_F32, .round = ISA_R_RN}, 1},
    {{.op = ISA_OP_CVT, .type = ISA_T_BF16, .type2 = ISA_T_F32, .round = ISA_R_RN}, 0},
    {{.op = ISA_OP_CVT, .type = ISA_T_TF32, .type2 = ISA_T_F32, .round = ISA_R_RNA}, 3},
    {{.op = ISA_OP_FMA, .type = ISA_T_F16X2, .round = ISA_R_RN}, 0},
};

enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

static void test_counts(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < N_ROWS; i++) {
        const struct isa_seq *seq = isa_machine(&rows[i].form, 90);

        if ((seq == NULL ? 0 : seq->insts) != rows[i].insts) {
            fail_msg("row %u (%s): %u instructions", i,
                     isa_op_name((enum isa_op)rows[i].form.op),
                     seq == NULL ? 0 : seq->insts);
        }
    }
}

/* An integer of 32 bits becomes a float in another unit since 9.0. */
static void test_capabilities(void **state)
{
    const struct isa_form cvt = {.op = ISA_OP_CVT,
                                 .type = ISA_T_F32,
                                 .type2 = ISA_T_S32,
                                 .round = ISA_R_RN};
    const struct isa_form pack = {.op = ISA_OP_CVT,
                                  .type = ISA_T_F16X2,
                                  .type2 = ISA_T_F32,
                                  .round = ISA_R_RN};

    (void)state;
    for (uint32_t i = 0; i < N_ROWS; i++) {
        assert_null(isa_machine(&rows[i].form, 0));
        assert_null(isa_machine(&rows[i].form, 62));
        /* halves are packed in one instruction since 8.0 */
        assert_ptr_equal(isa_machine(&rows[i].form,
                                     isa_type_is_narrow(rows[i].form.type) ? 80 : 70),
                         isa_machine(&rows[i].form, 90));
    }
    assert_null(isa_machine(&pack, 75));
    assert_null(isa_machine(&cvt, 89));
    assert_non_null(isa_machine(&cvt, 90));
}

/* A chain is of what is in the list, and the first pipe is one that is taken. */
static void test_lists(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < N_ROWS; i++) {
        const struct isa_seq *seq = isa_machine(&rows[i].form, 90);

        if (seq == NULL) {
            continue;
        }
        assert_true(seq->part[0].n > 0);
        for (uint32_t k = 0; k < sizeof(seq->part) / sizeof(seq->part[0]); k++) {
            assert_true(seq->part[k].chain <= seq->part[k].n);
            assert_true(seq->part[k].class < ISA_N_CLASSES);
        }
    }
}

static void test_latency(void **state)
{
    const struct isa_form rem = {.op = ISA_OP_REM, .type = ISA_T_U32};
    uint32_t latency[ISA_N_CLASSES] = {0};

    (void)state;
    latency[ISA_CL_CVT] = latency[ISA_CL_SFU] = 18;
    latency[ISA_CL_IMUL] = 5;
    latency[ISA_CL_IADD] = latency[ISA_CL_ICMP] = 4;
    /* measured on an H100: 130.4 with an addition of 5 behind each */
    assert_int_equal(isa_seq_latency(isa_machine(&rem, 90), latency), 125);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_capabilities),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_latency),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
