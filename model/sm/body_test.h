/*
 * body_test.h - for tests: kernels of (out, in) from a few lines of PTX.
 *
 * BODY() text has %r0 = global thread index, %r1 = tid.x, %r2 = ctaid.x, %rd0 = the out
 * buffer, %rd1 = out + 4 * global index, %rd2 = the in buffer; %r3.. %rd3.. %f %p free.
 */
#ifndef SM_BODY_TEST_H
#define SM_BODY_TEST_H

#define PTX_HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"
#define BODY(name, text)                                                               \
    ".visible .entry " name "(.param .u64 out, .param .u64 in)\n"                      \
    "{\n.reg .u32 %r<40>; .reg .u64 %rd<20>; .reg .f32 %f<10>; .reg .pred %p<10>;\n"   \
    ".reg .f64 %fd<10>; .reg .u16 %rs<10>;\n"                                          \
    "ld.param.u64 %rd0, [out]; ld.param.u64 %rd2, [in];\n"                             \
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r0, %ntid.x;\n"              \
    "mad.lo.u32 %r0, %r2, %r0, %r1; mul.wide.u32 %rd1, %r0, 4;\n"                      \
    "add.u64 %rd1, %rd0, %rd1;\n" text "\nexit;\n}\n"

#endif /* SM_BODY_TEST_H */
