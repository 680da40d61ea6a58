/*
 * insn_half.h - rows of the instruction table for f16, bf16, tf32 and 8-bit floating
 * point; private to insn_table.c, whose abbreviations it uses.
 *
 * Capabilities: "Target ISA Notes" of the PTX ISA 9.0; what ptxas 13.0 takes for a
 * target agrees, but for .satfinite of f16, which it takes before 8.0 too.
 */
#ifndef PTX_INSN_HALF_H
#define PTX_INSN_HALF_H

#define ATOMIC_HALF(op, dst, cc, type)                                                 \
    R(op, cc,                                                                          \
      "x?relaxed|acquire|release|acq_rel x?" SCOPE " p?global|" SH                     \
      " x?L2::cache_hint s:add x:noftz t:" type,                                       \
      dst "ma?h", "atomic add of " type)

#define PTX_HALF_ROWS                                                                  \
    R(ADD, 53, "r?rn f?ftz f?sat t:f16|f16x2", "daa", "half precision"),               \
        R(SUB, 53, "r?rn f?ftz f?sat t:f16|f16x2", "daa", "half precision"),           \
        R(MUL, 53, "r?rn f?ftz f?sat t:f16|f16x2", "daa", "half precision"),           \
        R(FMA, 53, "r:rn f?ftz f?sat t:f16|f16x2", "daaa", "half precision"),          \
        R(FMA, 80, "r:rn f?ftz f:relu t:f16|f16x2", "daaa", "fma.relu"),               \
        R(FMA, 90, "r:rn f:oob f?relu t:f16|f16x2|bf16|bf16x2", "daaa", "fma.oob"),    \
        R(ADD, 90, "r?rn t:bf16|bf16x2", "daa", "sums of bfloat16"),                   \
        R(SUB, 90, "r?rn t:bf16|bf16x2", "daa", "sums of bfloat16"),                   \
        R(MUL, 90, "r?rn t:bf16|bf16x2", "daa", "products of bfloat16"),               \
        R(FMA, 80, "r:rn f?relu t:bf16|bf16x2", "daaa", "bfloat16"),                   \
        R(NEG, 53, "f?ftz t:f16|f16x2", "da", "half precision"),                       \
        R(NEG, 80, "t:bf16|bf16x2", "da", "bfloat16"),                                 \
        R(ABS, 53, "f?ftz t:f16|f16x2", "da", "half precision"),                       \
        R(ABS, 80, "t:bf16|bf16x2", "da", "bfloat16"),                                 \
        R(MIN, 80, "f?ftz f?NaN t:f16|f16x2", "daa", "min and max of half precision"), \
        R(MAX, 80, "f?ftz f?NaN t:f16|f16x2", "daa", "min and max of half precision"), \
        R(MIN, 80, "f?NaN t:bf16|bf16x2", "daa", "bfloat16"),                          \
        R(MAX, 80, "f?NaN t:bf16|bf16x2", "daa", "bfloat16"),                          \
        R(MIN, 80, "f?ftz f:NaN t:f32", "daa", "min.NaN"),                             \
        R(MAX, 80, "f?ftz f:NaN t:f32", "daa", "max.NaN"),                             \
        R(MIN, 86, "f?ftz f?NaN f:xorsign f:abs t:f16|f16x2|f32", "daa",               \
          "min.xorsign.abs"),                                                          \
        R(MAX, 86, "f?ftz f?NaN f:xorsign f:abs t:f16|f16x2|f32", "daa",               \
          "max.xorsign.abs"),                                                          \
        R(MIN, 86, "f?NaN f:xorsign f:abs t:bf16|bf16x2", "daa", "min.xorsign.abs"),   \
        R(MAX, 86, "f?NaN f:xorsign f:abs t:bf16|bf16x2", "daa", "max.xorsign.abs"),   \
        R(EX2, 75, "s:approx t:f16|f16x2", "da", "ex2 of half precision"),             \
        R(EX2, 90, "s:approx f:ftz t:bf16|bf16x2", "da", "ex2 of bfloat16"),           \
        R(TANH, 75, "s:approx t:f16|f16x2", "da", NULL),                               \
        R(TANH, 90, "s:approx t:bf16|bf16x2", "da", "tanh of bfloat16"),               \
        R(SETP, 53, CMP_F BOOL "f?ftz t:f16", "paaC", "half precision"),               \
        R(SETP, 53, CMP_F BOOL "f?ftz t:f16x2", "qaaC", "half precision"),             \
        R(SETP, 90, CMP_F BOOL "t:bf16", "paaC", "comparisons of bfloat16"),           \
        R(SETP, 90, CMP_F BOOL "t:bf16x2", "qaaC", "comparisons of bfloat16"),         \
        R(SET, 53, CMP_F BOOL "f?ftz t:f16|u16|s16|u32|s32 t:f16", "dbbC",             \
          "half precision"),                                                           \
        R(SET, 53, CMP_F BOOL "f?ftz t:f16x2|u32|s32 t:f16x2", "dbbC",                 \
          "half precision"),                                                           \
        R(SET, 53, "c:eq|ne" BOOL "t:f16 t:" BITS, "dbbC", "half precision"),          \
        R(SET, 53, CMP_U BOOL "t:f16 t:u16|u32|u64", "dbbC", "half precision"),        \
        R(SET, 53, CMP_S BOOL "t:f16 t:s16|s32|s64", "dbbC", "half precision"),        \
        R(SET, 53, CMP_F BOOL "f?ftz t:f16 t:f32", "dbbC", "half precision"),          \
        R(SET, 53, CMP_F BOOL "t:f16 t:f64", "dbbC", "half precision"),                \
        R(SET, 90, CMP_F BOOL "t:bf16|u16|s16|u32|s32 t:bf16", "dbbC",                 \
          "comparisons of bfloat16"),                                                  \
        R(SET, 90, CMP_F BOOL "t:bf16x2|u32|s32 t:bf16x2", "dbbC",                     \
          "comparisons of bfloat16"),                                                  \
        R(SET, 90, "c:eq|ne" BOOL "t:bf16 t:" BITS, "dbbC",                            \
          "comparisons that make bfloat16"),                                           \
        R(SET, 90, CMP_U BOOL "t:bf16 t:u16|u32|u64", "dbbC",                          \
          "comparisons that make bfloat16"),                                           \
        R(SET, 90, CMP_S BOOL "t:bf16 t:s16|s32|s64", "dbbC",                          \
          "comparisons that make bfloat16"),                                           \
        R(SET, 90, CMP_F BOOL "f?ftz t:bf16 t:f16|f32", "dbbC",                        \
          "comparisons that make bfloat16"),                                           \
        R(SET, 90, CMP_F BOOL "t:bf16 t:f64", "dbbC",                                  \
          "comparisons that make bfloat16")

#define PTX_HALF_CVT_ROWS                                                              \
    R(CVT, 10, "f?ftz f?sat t:f32 t:f16", "DB", NULL),                                 \
        R(CVT, 13, "f?sat t:f64 t:f16", "DB", "double precision"),                     \
        R(CVT, 10, "r:" RND " f?ftz f?sat t:f16 t:f32", "DB", NULL),                   \
        R(CVT, 75, "r:rn|rz f:satfinite t:f16 t:f32", "DB", "cvt.satfinite"),          \
        R(CVT, 80, "r:rn|rz f:relu f?satfinite t:f16 t:f32", "DB", "cvt.relu"),        \
        R(CVT, 13, "r:" RND " f?sat t:f16 t:f64", "DB", "double precision"),           \
        R(CVT, 10, "r:" RND " f?sat t:f16 t:" INT8, "DB", NULL),                       \
        R(CVT, 10, "r:" RNI " f?sat t:" INT8 " t:f16", "DB", NULL),                    \
        R(CVT, 10, "r?" RNI " f?sat t:f16 t:f16", "DB", NULL),                         \
        R(CVT, 80, "r:" RND " f?ftz t:bf16 t:f32", "DB", "bfloat16"),                  \
        R(CVT, 80, "r:rn|rz f?relu f?satfinite t:bf16 t:f32", "DB", "bfloat16"),       \
        R(CVT, 80, "t:f32 t:bf16", "DB", "bfloat16"),                                  \
        R(CVT, 90, "f:ftz t:f32 t:bf16", "DB", "conversions of bfloat16"),             \
        R(CVT, 90, "t:f64 t:bf16", "DB", "conversions of bfloat16"),                   \
        R(CVT, 90, "r:" RND " t:bf16 t:f16|f64|" INT8, "DB",                           \
          "conversions of bfloat16"),                                                  \
        R(CVT, 90, "r:" RND " t:f16 t:bf16", "DB", "conversions of bfloat16"),         \
        R(CVT, 90, "r:" RNI " t:" INT8 " t:bf16", "DB", "conversions of bfloat16"),    \
        R(CVT, 90, "r?" RNI " t:bf16 t:bf16", "DB", "conversions of bfloat16"),        \
        R(CVT, 80, "r:rn|rz f?relu f?satfinite t:f16x2|bf16x2 t:f32", "DBB",           \
          "conversions of two values"),                                                \
        R(CVT, 80, "r:rna f?satfinite t:tf32 t:f32", "DB", "tf32"),                    \
        R(CVT, 90, "r:rn|rz f?relu t:tf32 t:f32", "DB", "tf32 with this rounding"),    \
        R(CVT, 89, "r:rn f:satfinite f?relu t:e4m3x2|e5m2x2 t:f32", "DBB",             \
          "8-bit floating point"),                                                     \
        R(CVT, 89, "r:rn f:satfinite f?relu t:e4m3x2|e5m2x2 t:f16x2", "DB",            \
          "8-bit floating point"),                                                     \
        R(CVT, 89, "r:rn f?relu t:f16x2 t:e4m3x2|e5m2x2", "DB",                        \
          "8-bit floating point")

#define PTX_HALF_ATOMIC_ROWS(op, dst)                                                  \
    ATOMIC_HALF(op, dst, 60, "f16x2"), ATOMIC_HALF(op, dst, 70, "f16"),                \
        ATOMIC_HALF(op, dst, 90, "bf16"), ATOMIC_HALF(op, dst, 90, "bf16x2")

#endif /* PTX_INSN_HALF_H */
