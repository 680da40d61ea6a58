/* small_test.h - a module that tests of the public API share: variables of three
 * spaces, short and long kernels, one with parameters of several types. */
#ifndef GPU_SMALL_TEST_H
#define GPU_SMALL_TEST_H

#include "gpu/device_test.h"

static const char small[] = PTX_HEAD
    ".global .align 4 .u32 g[4] = {10, 20, 30, 40};\n.const .align 4 .u32 c[3] = {5, "
    "6, 7};\n"
    ".global .f64 pi = 0d400921FB54442D18;\n.shared .u32 hidden[4];\n" BODY(
        "add",
        "ld.global.u32 %r4, [%rd1]; add.u32 %r4, %r4, 1; st.global.u32 [%rd1], %r4;")
        BODY("twice",
             "ld.global.u32 %r4, [%rd1]; add.u32 %r4, %r4, %r4; st.global.u32 [%rd1], "
             "%r4;") BODY("symbols",
                          "ld.global.u32 %r4, [g + 4]; ld.const.u32 %r5, [c + 8];\n"
                          "mad.lo.u32 %r4, %r4, 1000, %r5; st.global.u32 [%rd1], %r4;\n"
                          "st.global.u32 [g + 12], %r1;")
            BODY("slow",
                 "mov.u32 %r4, 0;\nL: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 300;\n"
                 "@%p1 bra L;\nld.global.u32 %r5, [%rd1]; add.u32 %r5, %r5, %r4;\n"
                 "st.global.u32 [%rd1], %r5;")
                BODY("uses_shared",
                     "mov.u32 %r4, hidden; ld.shared.u32 %r5, [%r4];\n"
                     "st.global.u32 [%rd1], %r5;") ".visible .entry mixed(.param .u8 "
                                                   "a, .param .f64 b, .param .align 4 "
                                                   ".b8 s[12])\n"
                                                   "{ ret; }\n";

#endif /* GPU_SMALL_TEST_H */
