/* Video instructions: worked out by hand from the pseudocode of the PTX ISA. The many
 * forms are compared with a card in gpu/video_test.c. */
#include "isa/video.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    struct isa_video v;
    uint32_t a, b, c, d;
} rows[] = {
    /* vadd.s32.s32.s32.sat D, A.b1, B.h1 */
    {{.op = ISA_VIDEO_ADD,
      .n = 1,
      .signed_d = true,
      .signed_a = true,
      .signed_b = true,
      .sat = true,
      .a = ISA_VIDEO_B0 + 1,
      .b = ISA_VIDEO_H1},
     0x1280ff,
     0x8000ffff,
     7,
     0xffff7f80},
    /* vsub.u32.u32.u32.sat.add: 3 - 5 is 0, and 9 */
    {{.op = ISA_VIDEO_SUB, .n = 1, .sat = true, .second = ISA_VIDEO_SUM}, 3, 5, 9, 9},
    /* vabsdiff into the upper half, clamped to 16 bits */
    {{.op = ISA_VIDEO_ABSDIFF, .n = 1, .sat = true, .d = ISA_VIDEO_H1},
     0x20000,
     1,
     0x12345678,
     0xffff5678},
    {{.op = ISA_VIDEO_MIN,
      .n = 1,
      .signed_a = true,
      .signed_b = true,
      .signed_d = true},
     UINT32_MAX,
     1,
     0,
     UINT32_MAX},
    {{.op = ISA_VIDEO_MAX, .n = 1, .second = ISA_VIDEO_LEAST}, UINT32_MAX, 1, 5, 5},
    {{.op = ISA_VIDEO_SHL, .n = 1, .clamp = true}, 3, 33, 0, 0},
    {{.op = ISA_VIDEO_SHL, .n = 1}, 3, 33, 0, 6},
    {{.op = ISA_VIDEO_SHL, .n = 1, .sat = true}, 3, 31, 0, UINT32_MAX},
    {{.op = ISA_VIDEO_SHR, .n = 1, .signed_a = true, .clamp = true},
     0x80000000,
     99,
     0,
     UINT32_MAX},
    {{.op = ISA_VIDEO_SET,
      .n = 1,
      .cmp = ISA_C_LT,
      .signed_a = true,
      .signed_b = true,
      .second = ISA_VIDEO_SUM},
     UINT32_MAX,
     0,
     41,
     42},
    /* a * b + c + 1, over 128 */
    {{.op = ISA_VIDEO_MAD, .n = 1, .plus_one = true, .shift = 7},
     UINT32_MAX,
     UINT32_MAX,
     UINT32_MAX,
     0xfe000000},
    {{.op = ISA_VIDEO_MAD, .n = 1, .neg_a = true, .sat = true},
     UINT32_MAX,
     UINT32_MAX,
     0,
     0x80000000},
    {{.op = ISA_VIDEO_MAD, .n = 1, .neg_c = true, .sat = true}, 3, 4, 13, UINT32_MAX},
    /* vavrg4 with the bytes of b turned round */
    {{.op = ISA_VIDEO_AVRG, .n = 4, .list_a = 0x3210, .list_b = 0x4567, .mask = 15},
     0x01020304,
     0x05060708,
     0,
     0x05050505},
    /* vabsdiff4.add: a sum of absolute differences */
    {{.op = ISA_VIDEO_ABSDIFF,
      .n = 4,
      .list_a = 0x3210,
      .list_b = 0x7654,
      .mask = 15,
      .second = ISA_VIDEO_SUM},
     0xff000a05,
     0x00ff0507,
     100,
     100 + 255 + 255 + 5 + 2},
    /* vset2 of the lower halves only */
    {{.op = ISA_VIDEO_SET,
      .n = 2,
      .cmp = ISA_C_GE,
      .list_a = 0x10,
      .list_b = 0x32,
      .mask = 1},
     0x00010005,
     0x00020005,
     0xabcd0000,
     0xabcd0001},
    /* max.relu.s16x2 */
    {{.op = ISA_VIDEO_MAX,
      .n = 2,
      .signed_d = true,
      .signed_a = true,
      .signed_b = true,
      .relu = true,
      .list_a = 0x10,
      .list_b = 0x32,
      .mask = 3},
     0xfff00003,
     0xffff0001,
     0,
     3},
};

static void test_rows(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct isa_video v = isa_video_unpack(isa_video_pack(&rows[i].v));

        assert_int_equal(isa_video(&rows[i].v, rows[i].a, rows[i].b, rows[i].c),
                         rows[i].d);
        assert_int_equal(isa_video(&v, rows[i].a, rows[i].b, rows[i].c), rows[i].d);
        assert_int_equal(isa_video_pack(&v), isa_video_pack(&rows[i].v));
    }
}

/* Lanes outside the mask stay, and operands may be the result. */
static void test_lanes(void **state)
{
    const struct isa_video v = {.op = ISA_VIDEO_ADD, .n = 1};
    const struct isa_uop u = {.dst = {1}, .src = {0, 1, 1}, .imm = isa_video_pack(&v)};
    uint32_t r[2 * ISA_LANES];
    const struct isa_lanes lanes = {.r = r};

    (void)state;
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        r[l] = l;
        r[ISA_LANES + l] = 100;
    }
    isa_exec_video()(&u, &lanes, 0x0000fff0);
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        assert_int_equal(r[ISA_LANES + l], l >= 4 && l < 16 ? 100 + l : 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_lanes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
