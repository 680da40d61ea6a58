/*
 * fault_rows_test.h - kernels at fault, and what is to be said of each: for tests of an
 * SM and of a device.
 */
#ifndef SM_FAULT_ROWS_TEST_H
#define SM_FAULT_ROWS_TEST_H

#include "sm/body_test.h"

#include <stdint.h>

/* A kernel per entry. */
/* clang-format off */
static const char faults[] =
    PTX_HEAD ".const .align 4 .u32 c[4] = {1, 2, 3, 4};\n"
             ".extern .func (.param .b32 r) again (.param .b32 a);\n"
             ".func (.param .b32 r) again (.param .b32 a)\n"
             "{ .reg .b32 %x; .param .b32 q; .param .b32 b; ld.param.b32 %x, [a];\n"
             "  st.param.b32 [b], %x; call (q), again, (b); ld.param.b32 %x, [q];\n"
             "  st.param.b32 [r], %x; ret; }\n"
    /* each by thread 37, which is lane 5 of warp 1 */
    BODY("shared_load",
         ".shared .u32 s[64];\n"
         "setp.ne.u32 %p1, %r1, 37; mov.u32 %r4, s; @%p1 exit;\n"
         "ld.shared.u32 %r5, [%r4 + 256]; st.global.u32 [%rd1], %r5;")
    BODY("shared_store",
         ".shared .u32 s[64];\n"
         "setp.ne.u32 %p1, %r1, 37; mov.u32 %r4, s;\n"
         "@!%p1 st.shared.v2.u32 [%r4 + 256], {%r1, %r1};")
    BODY("shared_edge",
         ".shared .u32 s[64];\n"
         "mov.u32 %r4, s; st.shared.u32 [%r4 + 252], %r1;")
    BODY("shared_odd",
         ".shared .align 8 .u32 s[64];\n"
         "mov.u32 %r4, s; ld.shared.v2.u32 {%r5, %r6}, [%r4 + 4];\n"
         "st.global.v2.u32 [%rd0], {%r5, %r6};")
    BODY("global_load",
         "setp.ne.u32 %p1, %r1, 37; @%p1 exit;\n"
         "ld.global.u32 %r5, [%rd2 + 65536]; st.global.u32 [%rd1], %r5;")
    BODY("global_before",
         "add.u64 %rd4, %rd0, -4; st.global.u32 [%rd4], %r1;")
    BODY("global_straddle",
         "st.global.v4.u32 [%rd0 + 65528], {%r1, %r1, %r1, %r1};")
    BODY("global_odd",
         "st.global.u32 [%rd0 + 2], %r1;")
    BODY("global_null",
         "mov.u64 %rd4, 0; st.global.u32 [%rd4 + 16], %r1;")
    BODY("generic_null",
         "mov.u64 %rd4, 0; ld.u32 %r5, [%rd4]; st.global.u32 [%rd1], %r5;")
    BODY("atom_global",
         "atom.global.add.u32 %r5, [%rd2 + 65536], 1;\n"
         "st.global.u32 [%rd1], %r5;")
    BODY("red_odd",
         "red.global.add.u32 [%rd0 + 1], 1;")
    BODY("local_load",
         ".local .u32 a[4];\n"
         "mov.u64 %rd4, a; ld.local.u32 %r5, [%rd4 + 16];\n"
         "st.global.u32 [%rd1], %r5;")
    BODY("const_load",
         "mov.u64 %rd4, c; ld.const.u32 %r5, [%rd4 + 16];\n"
         "st.global.u32 [%rd1], %r5;")
    BODY("trapped",
         "setp.eq.u32 %p1, %r1, 37; @%p1 trap;")
    BODY("barrier",
         "mov.u32 %r4, 16; bar.sync %r4;")
    BODY("barrier_odd",
         "mov.u32 %r4, 33; bar.sync 0, %r4;")
    BODY("deep",
         ".param .b32 q; .param .b32 b; st.param.b32 [b], %r1;\n"
         "call (q), again, (b); ld.param.b32 %r5, [q];\n"
         "st.global.u32 [%rd1], %r5;")
    BODY("branch_index",
         "mov.u32 %r4, 2;\n"
         "T: .branchtargets A, B;\n"
         "brx.idx %r4, T;\n"
         "A: st.global.u32 [%rd1], %r1;\n"
         "B:\n")
    BODY("const_store",
         "mov.u64 %rd4, c; cvta.const.u64 %rd4, %rd4;\n"
         "st.u32 [%rd4 + 4], %r1;")
    BODY("const_atom",
         "mov.u64 %rd4, c; cvta.const.u64 %rd4, %rd4;\n"
         "atom.add.u32 %r5, [%rd4], 1; st.global.u32 [%rd1], %r5;")
    BODY("local_atom",
         ".local .u32 a[4];\n"
         "mov.u64 %rd4, a; cvta.local.u64 %rd4, %rd4;\n"
         "atom.add.u32 %r5, [%rd4 + 8], 1; st.global.u32 [%rd1], %r5;")
    BODY("local_red",
         ".local .u32 a[4];\n"
         "mov.u64 %rd4, a; cvta.local.u64 %rd4, %rd4;\n"
         "red.add.u32 [%rd4 + 8], 1;")
    BODY("good",
         "add.u32 %r4, %r0, 1; st.global.u32 [%rd1], %r4;");
/* clang-format on */

struct row {
    const char *kernel, *message, *inst;
    uint32_t thread;
};

static const struct row rows[] = {
    {"shared_load",
     "shared load of 4 bytes at offset 0x100: out of bounds, there are 256 "
     "bytes; s[64] of 64 elements of 4 bytes",
     "ld.shared.u32", 37},
    {"shared_store", "shared store of 8 bytes at offset 0x100: out of bounds",
     "st.shared.v2", 37},
    {"shared_odd", "shared load of 8 bytes at 0x4: misaligned", "ld.shared.v2", 0},
    {"global_load",
     "out of bounds, 0 bytes past the end of the nearest buffer of 65536 bytes",
     "ld.global.u32", 37},
    {"global_before",
     "out of bounds, 4 bytes before the begin of the nearest buffer of 65536 bytes",
     "st.global.u32", 0},
    {"global_straddle", "misaligned", "st.global.v4", 0},
    {"global_odd", "global store of 4 bytes at 0x10000002: misaligned", "st.global.u32",
     0},
    {"global_null", "global store of 4 bytes at 0x10: a null pointer", "st.global.u32",
     0},
    {"generic_null", "global load of 4 bytes at 0x0: a null pointer", "ld.u32", 0},
    {"atom_global", "global atomic of 4 bytes", "atom.global.add.u32", 0},
    {"red_odd", "global reduction of 4 bytes at 0x10000001: misaligned",
     "red.global.add.u32", 0},
    {"local_load",
     "local load of 4 bytes at offset 0x10: out of bounds, there are 16 bytes",
     "ld.local.u32", 0},
    {"const_load",
     "constant load of 4 bytes at offset 0x10: out of bounds, there are 16 "
     "bytes",
     "ld.const.u32", 0},
    {"const_store",
     "constant store of 4 bytes at offset 0x4: constant memory is read only", "st.u32",
     0},
    {"const_atom",
     "constant atomic of 4 bytes at offset 0x0: constant memory is read only",
     "atom.add.u32", 0},
    {"local_atom", "local atomic of 4 bytes at offset 0x8: local memory has no atomics",
     "atom.add.u32", 0},
    {"local_red",
     "local reduction of 4 bytes at offset 0x8: local memory has no atomics",
     "red.add.u32", 0},
    {"trapped", "the kernel executed trap", "trap", 37},
    {"barrier", "barrier 16: a block has 16", "bar.sync", 0},
    {"barrier_odd", "barrier 0 for 33 threads: not a multiple of 32", "bar.sync", 0},
    {"deep", "call stack overflow: 8 nested calls; '-s sm.call_depth=N' allows more",
     "call", 0},
    {"branch_index", "brx.idx: index 2, the list has 2 targets", "brx.idx", 0},
};

#endif /* SM_FAULT_ROWS_TEST_H */
