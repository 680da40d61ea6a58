/*
 * keys_kernels_test.h - a module for tests of the configuration: one kernel per part of
 * a device, which keeps that part busy enough to show every change of it.
 */
#ifndef GPU_KEYS_KERNELS_TEST_H
#define GPU_KEYS_KERNELS_TEST_H

#include "gpu/device_test.h"

/* Words of shared memory, constants and the in buffer that the kernels walk over. */
#define KEYS_PTX                                                                       \
    PTX_HEAD                                                                           \
    ".const .align 4 .u32 table[4096];\n"                                              \
    ".func (.param .u32 o) inner(.param .u32 i)\n"                                     \
    "{ .reg .u32 %a; ld.param.u32 %a, [i]; add.u32 %a, %a, 7;\n"                       \
    "st.param.u32 [o], %a; ret; }\n"                                                   \
    ".func (.param .u32 o) outer(.param .u32 i)\n"                                     \
    "{ .reg .u32 %a; ld.param.u32 %a, [i];\n"                                          \
    "{ .param .u32 x; .param .u32 y; st.param.u32 [x], %a;\n"                          \
    "call (y), inner, (x); ld.param.u32 %a, [y]; }\n"                                  \
    "st.param.u32 [o], %a; ret; }\n" KEYS_ALU KEYS_SHARED KEYS_GLOBAL KEYS_SUMS        \
        KEYS_STREAM KEYS_CONST KEYS_CONTROL KEYS_TENSOR KEYS_ASLEEP KEYS_TOGETHER      \
            KEYS_BULK

/* Each class of the pipes: a chain of two, twice. */
#define KEYS_ALU                                                                       \
    BODY("alu", ".reg .b32 %h2;\n"                                                     \
                "cvt.rn.f32.u32 %f1, %r0; cvt.f64.f32 %fd1, %f1; mov.u32 %r10, 0;\n"   \
                "L: add.f32 %f1, %f1, %f1; add.f32 %f1, %f1, %f1;\n"                   \
                "add.f64 %fd1, %fd1, %fd1; add.f64 %fd1, %fd1, %fd1;\n"                \
                "rcp.approx.f32 %f2, %f1; rcp.approx.f32 %f2, %f2;\n"                  \
                "add.u32 %r5, %r10, %r1; add.u32 %r5, %r5, %r5;\n"                     \
                "min.u32 %r5, %r5, 900; min.u32 %r5, %r5, 800;\n"                      \
                "mul.lo.u32 %r5, %r5, 3; mul.lo.u32 %r5, %r5, 5;\n"                    \
                "rem.u32 %r5, %r5, 77; rem.u32 %r5, %r5, 55;\n"                        \
                "mov.b32 %h2, %r5; add.f16x2 %h2, %h2, %h2;\n"                         \
                "add.f16x2 %h2, %h2, %h2; mov.b32 %r5, %h2;\n"                         \
                "shl.b32 %r5, %r5, 1; shr.u32 %r5, %r5, 2;\n"                          \
                "and.b32 %r5, %r5, 255; xor.b32 %r5, %r5, 3;\n"                        \
                "cvt.u16.u32 %rs1, %r5; cvt.u32.u8 %r6, %rs1;\n"                       \
                "cvt.rn.f32.u32 %f3, %r6; cvt.rzi.u32.f32 %r6, %f3;\n"                 \
                "cvt.f64.f32 %fd2, %f3; cvt.rn.f32.f64 %f3, %fd2;\n"                   \
                "mul.f32 %f3, %f3, %f3; add.f32 %f3, %f3, %f1;\n"                      \
                "cvt.rzi.u32.f32 %r6, %f3;\n"                                          \
                "shfl.sync.bfly.b32 %r7, %r6, 1, 31, -1; add.u32 %r6, %r6, %r7;\n"     \
                "setp.gt.u32 %p2, %r6, 9; vote.sync.any.pred %p3, %p2, -1;\n"          \
                "@%p3 add.u32 %r6, %r6, 1;\n"                                          \
                "add.u32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, 2; @%p1 bra L;\n"       \
                "cvt.rzi.u32.f32 %r8, %f1; add.u32 %r6, %r6, %r8;\n"                   \
                "st.global.u32 [%rd1], %r6;")

/* Conflicts of every width and kind, a word that all lanes store to, and the two words
 * of which a pass on 1.x may broadcast either. */
#define KEYS_SHARED                                                                    \
    BODY("shared", ".shared .align 16 .b8 buf[4096];\n"                                \
                   "mov.u32 %r5, buf; shl.b32 %r6, %r1, 5; and.b32 %r6, %r6, 4092;\n"  \
                   "add.u32 %r6, %r6, %r5; mov.u32 %r10, 0;\n"                         \
                   "shl.b32 %r8, %r1, 4; and.b32 %r8, %r8, 4080; add.u32 %r8, %r8, "   \
                   "%r5;\n"                                                            \
                   "and.b32 %r9, %r1, 15; min.u32 %r9, %r9, 1; shl.b32 %r9, %r9, 2;\n" \
                   "add.u32 %r9, %r9, %r5;\n"                                          \
                   "L: st.shared.u32 [%r6], %r1; st.shared.u32 [%r5+4], %r0;\n"        \
                   "ld.shared.u32 %r7, [%r5+4]; ld.shared.u32 %r11, [%r6];\n"          \
                   "ld.shared.u32 %r12, [%r9]; add.u32 %r7, %r7, %r12;\n"              \
                   "ld.shared.v4.u32 {%r12,%r13,%r14,%r15}, [%r8];\n"                  \
                   "ld.shared.v2.u32 {%r16,%r17}, [%r8];\n"                            \
                   "atom.shared.add.u32 %r18, [%r9], 1;\n"                             \
                   "add.u32 %r7, %r7, %r11; add.u32 %r7, %r7, %r15;\n"                 \
                   "setp.gt.u32 %p2, %r10, 9; @%p2 ld.shared.u32 %r12, [%r9];\n"       \
                   "add.u32 %r7, %r7, %r12; bar.sync 0;\n"                             \
                   "add.u32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, 3; @%p1 bra L;\n"    \
                   "st.global.u32 [%rd1], %r7;")

/* Loads that miss and hit again, an array of each thread, atomics on one word. */
#define KEYS_GLOBAL                                                                    \
    BODY("global", ".local .align 4 .b8 mine[256];\n"                                  \
                   "mov.u32 %r10, 0; mov.u32 %r7, 0; mov.u64 %rd5, mine;\n"            \
                   "L: mul.lo.u32 %r5, %r0, 36; mad.lo.u32 %r5, %r10, 5120, %r5;\n"    \
                   "and.b32 %r5, %r5, 65532; cvt.u64.u32 %rd3, %r5;\n"                 \
                   "add.u64 %rd4, %rd2, %rd3;\n"                                       \
                   "ld.global.u32 %r6, [%rd4]; ld.global.u32 %r8, [%rd4];\n"           \
                   "st.local.u32 [%rd5], %r6; st.local.u32 [%rd5+128], %r8;\n"         \
                   "add.u32 %r7, %r7, %r6; add.u32 %r7, %r7, %r8;\n"                   \
                   "st.global.u32 [%rd1], %r7; ld.global.u32 %r9, [%rd2+64];\n"        \
                   "ld.local.u32 %r11, [%rd5]; add.u32 %r7, %r7, %r11;\n"              \
                   "atom.global.add.u32 %r12, [%rd0], 1;\n"                            \
                   "add.u32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, 5; @%p1 bra L;\n"    \
                   "st.global.u32 [%rd1], %r7;")

/* Sums of floats in a few words, whose lines lie 4 KB apart. */
#define KEYS_SUMS                                                                      \
    BODY("sums", "and.b32 %r5, %r1, 3; shl.b32 %r5, %r5, 12; cvt.u64.u32 %rd3, %r5;\n" \
                 "add.u64 %rd4, %rd2, %rd3; mov.f32 %f1, 0f3F800000;\n"                \
                 "mov.u32 %r10, 0;\n"                                                  \
                 "L: red.global.add.f32 [%rd4], %f1; add.u32 %r10, %r10, 1;\n"         \
                 "setp.lt.u32 %p1, %r10, 8; @%p1 bra L;\n"                             \
                 "atom.global.add.f32 %f2, [%rd4], %f1; st.global.f32 [%rd1], %f2;")

/* Independent loads of distant lines, then stores: as many under way as can be. */
#define KEYS_STREAM                                                                    \
    BODY("stream", "mul.lo.u32 %r5, %r0, 128; and.b32 %r5, %r5, 65532;\n"              \
                   "cvt.u64.u32 %rd3, %r5; add.u64 %rd4, %rd2, %rd3;\n"                \
                   "ld.global.u32 %r6, [%rd4]; ld.global.u32 %r7, [%rd4+4];\n"         \
                   "ld.global.u32 %r8, [%rd4+32]; ld.global.u32 %r9, [%rd4+64];\n"     \
                   "st.global.u32 [%rd4+96], %r0; st.global.u32 [%rd4+100], %r0;\n"    \
                   "add.u32 %r6, %r6, %r7; add.u32 %r8, %r8, %r9;\n"                   \
                   "add.u32 %r6, %r6, %r8; st.global.u32 [%rd1], %r6;")

/* Distinct addresses, near and far, once more when they were looked up. */
#define KEYS_CONST                                                                     \
    BODY("constants", "mov.u64 %rd5, table; mov.u32 %r10, 0; mov.u32 %r7, 0;\n"        \
                      "L: mul.lo.u32 %r5, %r1, 68; mad.lo.u32 %r5, %r10, 1040, %r5;\n" \
                      "and.b32 %r5, %r5, 16380; cvt.u64.u32 %rd3, %r5;\n"              \
                      "add.u64 %rd4, %rd5, %rd3; ld.const.u32 %r6, [%rd4];\n"          \
                      "ld.const.u32 %r8, [table+4]; ld.const.u32 %r9, [%rd4];\n"       \
                      "add.u32 %r7, %r7, %r6; add.u32 %r7, %r7, %r8;\n"                \
                      "add.u32 %r7, %r7, %r9;\n"                                       \
                      "add.u32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, 4; @%p1 bra L;\n" \
                      "st.global.u32 [%rd1], %r7;")

/* Branches that split a warp, barriers, a call in a call. */
/* A wait for a phase that nobody ends. */
#define KEYS_ASLEEP                                                                    \
    BODY("asleep", ".shared .align 8 .b64 bar; mov.u32 %r5, bar;\n"                    \
                   "mbarrier.init.shared.b64 [%r5], 9; bar.sync 0;\n"                  \
                   "mbarrier.try_wait.parity.shared.b64 %p1, [%r5], 0;\n"              \
                   "selp.u32 %r6, 1, 0, %p1; st.global.u32 [%rd1], %r6;")

/* Words of the other block of the cluster, between barriers. */
#define KEYS_TOGETHER                                                                  \
    ".visible .entry together(.param .u64 out, .param .u64 in)\n"                      \
    ".reqnctapercluster 2, 1, 1 {\n"                                                   \
    ".reg .b32 %r<20>; .reg .b64 %rd<4>; .shared .b32 own[64];\n"                      \
    "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %cluster_ctarank;\n"  \
    "xor.b32 %r3, %r2, 1; mov.u32 %r4, own; shl.b32 %r5, %r1, 2;\n"                    \
    "add.u32 %r4, %r4, %r5; mapa.shared::cluster.u32 %r6, %r4, %r3;\n"                 \
    "st.shared.u32 [%r4], %r1;\n"                                                      \
    "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"                  \
    "ld.shared::cluster.u32 %r7, [%r6]; ld.shared::cluster.u32 %r8, [%r6];\n"          \
    "add.u32 %r7, %r7, %r8; cvt.u64.u32 %rd2, %r5; add.u64 %rd2, %rd2, %rd1;\n"        \
    "st.global.u32 [%rd2], %r7;\n"                                                     \
    "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; ret; }\n"

/* Bulk copies by one thread: four loads, a box of a tensor, and two stores of them. */
#define KEYS_BULK                                                                      \
    ".global .align 64 .b8 map[128];\n"                                                \
    ".visible .entry bulk(.param .u64 out, .param .u64 in) {\n"                        \
    ".reg .b32 %r<20>; .reg .b64 %rd<8>; .reg .pred %p<3>; .reg .b64 %t;\n"            \
    ".shared .align 128 .b8 to[8192]; .shared .align 8 .b64 done;\n"                   \
    "ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in]; mov.u32 %r1, %tid.x;\n"        \
    "setp.ne.u32 %p1, %r1, 0; @%p1 ret; mov.u32 %r2, to; mov.u32 %r3, done;\n"         \
    "mov.u64 %rd3, map; mov.u32 %r4, 0;\n"                                             \
    "mbarrier.init.shared::cta.b64 [%r3], 1;\n"                                        \
    "mbarrier.arrive.expect_tx.shared::cta.b64 %t, [%r3], 8192;\n" KEYS_BULK_LOAD("0") \
        KEYS_BULK_LOAD("2048") KEYS_BULK_LOAD(                                         \
            "4096") "add.u32 %r5, %r2, 6144;\n"                                        \
                    "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier"     \
                    "::complete_tx::bytes [%r5], [%rd3, {%r4}], [%r3];\n"              \
                    "add.u32 %r5, %r2, 7168; add.u64 %rd4, %rd2, 7168;\n"              \
                    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"     \
                    "bytes [%r5], "                                                    \
                    "[%rd4], 1024, [%r3];\n"                                           \
                    "W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0; "      \
                    "@!%p2 bra W;\n"                                                   \
                    "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r2], "      \
                    "1024;\n"                                                          \
                    "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r5], "      \
                    "1024;\n"                                                          \
                    "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret; }\n"

#define KEYS_BULK_LOAD(at)                                                             \
    "add.u32 %r5, %r2, " at "; add.u64 %rd4, %rd2, " at ";\n"                          \
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], "        \
    "[%rd4], 2048, [%r3];\n"

#define KEYS_CONTROL                                                                   \
    BODY("control", "mov.u32 %r10, 0;\n"                                               \
                    "L: and.b32 %r5, %r1, 1; setp.eq.u32 %p2, %r5, 0;\n"               \
                    "@%p2 bra E; add.u32 %r7, %r10, 3; bra J;\n"                       \
                    "E: add.u32 %r7, %r10, 5;\n"                                       \
                    "setp.lt.u32 %p2, %r1, 7; @%p2 bra J;\n"                           \
                    "mov.u32 %r8, %clock; add.u32 %r8, %r8, 1;\n"                      \
                    "J: bar.sync 0;\n"                                                 \
                    "{ .param .u32 x; .param .u32 y; st.param.u32 [x], %r7;\n"         \
                    "call (y), outer, (x); ld.param.u32 %r7, [y]; }\n"                 \
                    "add.u32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, 3; @%p1 bra L;\n"   \
                    "membar.gl; membar.sys; st.global.u32 [%rd1], %r7;")

/* Products of matrices, one after the other. */
#define KEYS_TENSOR                                                                    \
    BODY("tensor", "mov.u32 %r5, %r1; mov.u32 %r6, %r1; mov.u32 %r7, 1;\n"             \
                   "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r5,%r6}, {%r1}, " \
                   "{%r7}, {%r5,%r6};\n"                                               \
                   "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r5,%r6}, {%r5}, " \
                   "{%r7}, {%r5,%r6};\n"                                               \
                   "st.global.u32 [%rd1], %r5;")

#endif /* GPU_KEYS_KERNELS_TEST_H */
