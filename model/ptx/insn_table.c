#include "ptx/insn_table.h"

#include "base/attr.h"
#include "isa/uop.h"
#include "ptx/insn_half.h"
#include <stdlib.h>
#include <string.h>

#define INT          "u16|u32|u64|s16|s32|s64"
#define INT3         "u32|u64|s32|s64"
#define BITS         "b16|b32|b64"
#define ALL16        "b16|b32|b64|u16|u32|u64|s16|s32|s64"
#define ALL8         "b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64"
#define INT8         "u8|u16|u32|u64|s8|s16|s32|s64"
#define RND          "rn|rz|rm|rp"
#define RNI          "rni|rzi|rmi|rpi"
#define BOOL         " b?and|or|xor "
#define SCOPE        "cta|gpu|sys|cluster"
#define CMP_S        "c:eq|ne|lt|le|gt|ge"
#define CMP_U        "c:eq|ne|lt|le|gt|ge|lo|ls|hi|hs"
#define CMP_F        "c:eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"
#define SH           "shared|shared::cta"
#define VIDEO2       "t:u32|s32 t:u32|s32 "
#define VIDEO3       "t:u32|s32 t:u32|s32 y:u32|s32 "
#define TEXEL        "u32|s32|f32"
#define SURFACE_GEOM "g:1d|2d|3d|a1d|a2d"
#define OUTSIDE      "j:trap|clamp|zero"
#define SHC          "shared|shared::cta|shared::cluster"
#define HINTS                                                                          \
    " x?L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|"          \
    "L1::no_allocate|evict_normal|evict_first|evict_last|evict_unchanged|no_allocate"  \
    " x?L2::evict_last|L2::evict_normal|L2::evict_first"                               \
    " x?L2::cache_hint x?L2::64B|L2::128B|L2::256B "

#define R(op, cc, mods, operands, what)                                                \
    {                                                                                  \
        ISA_OP_##op, cc, mods, operands, what                                          \
    }

#define ATOMIC(op, dst, end)                                                           \
    R(op, 11, "p:global s:add t:u32|s32", dst "ma" end, "atomics on global memory"),   \
        R(op, 12, "p:" SHC " s:add t:u32|s32", dst "ma" end,                           \
          "atomics on shared memory"),                                                 \
        R(op, 11, "p:global s:min|max t:u32|s32", dst "ma" end,                        \
          "atomics on global memory"),                                                 \
        R(op, 12, "p:" SHC " s:min|max t:u32|s32", dst "ma" end,                       \
          "atomics on shared memory"),                                                 \
        R(op, 11, "p:global s:and|or|xor t:b32", dst "ma" end,                         \
          "atomics on global memory"),                                                 \
        R(op, 12, "p:" SHC " s:and|or|xor t:b32", dst "ma" end,                        \
          "atomics on shared memory"),                                                 \
        R(op, 11, "p:global s:inc|dec t:u32", dst "ma" end,                            \
          "atomics on global memory"),                                                 \
        R(op, 12, "p:" SHC " s:inc|dec t:u32", dst "ma" end,                           \
          "atomics on shared memory"),                                                 \
        R(op, 12, "p:global s:add t:u64", dst "ma" end,                                \
          "64-bit atomics on global memory"),                                          \
        R(op, 20, "p:" SHC " s:add t:u64", dst "ma" end,                               \
          "64-bit atomics on shared memory"),                                          \
        R(op, 20, "p:global|" SHC " s:add t:f32", dst "ma" end, "atomic add of f32"),  \
        R(op, 32, "p:global|" SHC " s:min|max t:u64|s64", dst "ma" end,                \
          "64-bit atomic min and max"),                                                \
        R(op, 32, "p:global|" SHC " s:and|or|xor t:b64", dst "ma" end,                 \
          "64-bit atomic logic"),                                                      \
        R(op, 60, "p:global|" SHC " s:add t:f64", dst "ma" end, "atomic add of f64"),  \
        R(op, 20, "s:add t:u32|s32|u64|f32", dst "ma" end, "generic addresses"),       \
        R(op, 20, "s:min|max t:u32|s32", dst "ma" end, "generic addresses"),           \
        R(op, 20, "s:and|or|xor t:b32", dst "ma" end, "generic addresses"),            \
        R(op, 20, "s:inc|dec t:u32", dst "ma" end, "generic addresses"),               \
        R(op, 32, "s:min|max t:u64|s64", dst "ma" end, "64-bit atomic min and max"),   \
        R(op, 32, "s:and|or|xor t:b64", dst "ma" end, "64-bit atomic logic"),          \
        R(op, 60, "s:add t:f64", dst "ma" end, "atomic add of f64"),                   \
        R(op, 60,                                                                      \
          "x?relaxed|acquire|release|acq_rel z:" SCOPE " p?global|" SHC                \
          " x?L2::cache_hint s:add t:u32|s32|u64|f32|f64",                             \
          dst "ma" end "?h", "atomics with a scope"),                                  \
        R(op, 60,                                                                      \
          "x?relaxed|acquire|release|acq_rel z:" SCOPE " p?global|" SHC                \
          " x?L2::cache_hint s:min|max t:u32|s32|u64|s64",                             \
          dst "ma" end "?h", "atomics with a scope"),                                  \
        R(op, 60,                                                                      \
          "x?relaxed|acquire|release|acq_rel z:" SCOPE " p?global|" SHC                \
          " x?L2::cache_hint s:and|or|xor t:b32|b64",                                  \
          dst "ma" end "?h", "atomics with a scope"),                                  \
        R(op, 60,                                                                      \
          "x?relaxed|acquire|release|acq_rel z:" SCOPE " p?global|" SHC                \
          " x?L2::cache_hint s:inc|dec t:u32",                                         \
          dst "ma" end "?h", "atomics with a scope"),                                  \
        R(op, 80, "p?global|" SHC " x:L2::cache_hint s:add t:u32|s32|u64|f32|f64",     \
          dst "ma" end "?h", "cache policies"),                                        \
        R(op, 80, "p?global|" SHC " x:L2::cache_hint s:min|max t:u32|s32|u64|s64",     \
          dst "ma" end "?h", "cache policies"),                                        \
        R(op, 80, "p?global|" SHC " x:L2::cache_hint s:and|or|xor t:b32|b64",          \
          dst "ma" end "?h", "cache policies"),                                        \
        R(op, 80, "p?global|" SHC " x:L2::cache_hint s:inc|dec t:u32",                 \
          dst "ma" end "?h", "cache policies")

/* Shapes of wgmma: columns by eights, and those that integers have. */
#define WG_INT(k)                                                                      \
    "m64n8k" k "|m64n16k" k "|m64n24k" k "|m64n32k" k "|m64n48k" k "|m64n64k" k        \
    "|m64n80k" k "|m64n96k" k "|m64n112k" k "|m64n128k" k "|m64n144k" k "|m64n160k" k  \
    "|m64n176k" k "|m64n192k" k "|m64n208k" k "|m64n224k" k "|m64n240k" k              \
    "|m64n256k" k
#define WG_ALL(k)                                                                      \
    WG_INT(k)                                                                          \
    "|m64n40k" k "|m64n56k" k "|m64n72k" k "|m64n88k" k "|m64n104k" k "|m64n120k" k    \
    "|m64n136k" k "|m64n152k" k "|m64n168k" k "|m64n184k" k "|m64n200k" k              \
    "|m64n216k" k "|m64n232k" k "|m64n248k" k
#define WGMMA(shapes, types, operands)                                                 \
    R(WGMMA, 90, "s:mma_async x:sync x:aligned N:" shapes " " types, "GOQP" operands,  \
      NULL)
#define WGMMAS                                                                         \
    R(WGMMA, 90, "x:fence x:sync x:aligned", "", NULL),                                \
        R(WGMMA, 90, "s:commit_group x:sync x:aligned", "", NULL),                     \
        R(WGMMA, 90, "s:wait_group x:sync x:aligned", "i", NULL),                      \
        WGMMA(WG_ALL("16"), "t:f32|f16 t:f16 t:f16", "iii?i"),                         \
        WGMMA(WG_ALL("16"), "t:f32 t:bf16 t:bf16", "iii?i"),                           \
        WGMMA(WG_ALL("8"), "t:f32 t:tf32 t:tf32", "ii"),                               \
        WGMMA(WG_ALL("32"), "t:f32|f16 t:e4m3|e5m2 t:e4m3|e5m2", "ii"),                \
        WGMMA(WG_INT("32"), "f?satfinite t:s32 t:s8|u8 t:s8|u8", ""),                  \
        WGMMA(WG_INT("256"), "t:s32 t:b1 t:b1 b:and x:popc", "")

/* Bulk copies: with and without a cache policy, loads also to several blocks. */
#define BULK(mods, operands, what)                                                     \
    R(CP, 90, "x:async x:bulk " mods, operands, what),                                 \
        R(CP, 90, "x:async x:bulk x:L2::cache_hint " mods, operands "h", what)
#define BULK_LOADS(mods, operands, what)                                               \
    BULK("p:shared::cluster|shared::cta x:global x:mbarrier::complete_tx::bytes" mods, \
         operands, what),                                                              \
        BULK("x:multicast::cluster p:shared::cluster x:global "                        \
             "x:mbarrier::complete_tx::bytes" mods,                                    \
             operands "R", what)
#define BULK_TENSOR    " x:tensor x:1d|2d|3d|4d|5d x?tile"
#define BULK_OUT       "x:global p:shared::cta x:bulk_group"
#define BULK_RED(mods) BULK("x:reduce " BULK_OUT " " mods, "MmU", "bulk copies")
#define BULK_COPIES                                                                    \
    BULK_LOADS("", "mMUm", "bulk copies"),                                             \
        BULK_LOADS(BULK_TENSOR, "mZYm", "tensor copies"),                              \
        R(CP, 90,                                                                      \
          "x:async x:bulk p:shared::cluster x:shared::cta "                            \
          "x:mbarrier::complete_tx::bytes",                                            \
          "mmUm", "bulk copies"),                                                      \
        BULK(BULK_OUT, "MmU", "bulk copies"),                                          \
        BULK(BULK_OUT BULK_TENSOR, "ZYm", "tensor copies"),                            \
        BULK("x:prefetch x:L2 x:global", "MU", "bulk copies"),                         \
        BULK("x:prefetch x:L2 x:global" BULK_TENSOR, "ZY", "tensor copies"),           \
        R(CP, 90, "x:async x:bulk s:commit_group", "", "bulk copies"),                 \
        R(CP, 90, "x:async x:bulk s:wait_group x?read", "i", "bulk copies"),           \
        BULK_RED("s:and|or|xor t:b32|b64"), BULK_RED("s:add t:u32|s32|u64|f32|f64"),   \
        BULK_RED("s:add x:noftz t:f16|bf16"), BULK_RED("s:inc|dec t:u32"),             \
        BULK_RED("s:min|max t:u32|s32|u64|s64|f16|bf16"),                              \
        BULK("x:reduce " BULK_OUT BULK_TENSOR " s:add|min|max|inc|dec|and|or|xor",     \
             "ZYm", "tensor copies"),                                                  \
        R(CP, 90,                                                                      \
          "x:async x:bulk x:reduce p:shared::cluster x:shared::cta "                   \
          "x:mbarrier::complete_tx::bytes s:and|or|xor t:b32",                         \
          "mmUm", "bulk copies"),                                                      \
        R(CP, 90,                                                                      \
          "x:async x:bulk x:reduce p:shared::cluster x:shared::cta "                   \
          "x:mbarrier::complete_tx::bytes s:add t:u32|s32|u64",                        \
          "mmUm", "bulk copies"),                                                      \
        R(CP, 90,                                                                      \
          "x:async x:bulk x:reduce p:shared::cluster x:shared::cta "                   \
          "x:mbarrier::complete_tx::bytes s:inc|dec t:u32",                            \
          "mmUm", "bulk copies"),                                                      \
        R(CP, 90,                                                                      \
          "x:async x:bulk x:reduce p:shared::cluster x:shared::cta "                   \
          "x:mbarrier::complete_tx::bytes s:min|max t:u32|s32",                        \
          "mmUm", "bulk copies")

/* mma.sp: metadata and a selector behind the fragments. */
#define MMASP(cc, shapes, types)                                                       \
    R(MMA, cc,                                                                         \
      "s:sp|sp::ordered_metadata x:sync x:aligned n:" shapes " l:row l:col " types,    \
      "GHIJUi", "mma.sp")
#define MMASPS                                                                         \
    MMASP(80, "m16n8k16|m16n8k32", "t:f16 t:f16 t:f16 t:f16"),                         \
        MMASP(80, "m16n8k16|m16n8k32", "t:f32 t:f16 t:f16 t:f32"),                     \
        MMASP(80, "m16n8k16|m16n8k32", "t:f32 t:bf16 t:bf16 t:f32"),                   \
        MMASP(80, "m16n8k8|m16n8k16", "t:f32 t:tf32 t:tf32 t:f32"),                    \
        MMASP(80, "m16n8k32|m16n8k64", "f?satfinite " INTS8),                          \
        MMASP(80, "m16n8k64|m16n8k128", "f?satfinite " INTS4),                         \
        MMASP(89, "m16n8k64", "t:f32 t:e4m3|e5m2 t:e4m3|e5m2 t:f32")

#define WMMA_16 "m16n16k16|m8n32k16|m32n8k16"
#define WMMA(cc, shapes, types, what)                                                  \
    R(WMMA, cc, "s:mma x:sync x?aligned l:row|col l:row|col n:" shapes " " types,      \
      "GHIJ", what)
#define WMMA_AB(cc, frags, layouts, shapes, types, what)                               \
    R(WMMA, cc,                                                                        \
      "s:load w:" frags " x:sync x?aligned l:" layouts " n:" shapes " p?global|" SH    \
      " t:" types,                                                                     \
      "Gm?U", what)
#define WMMA_C(cc, shapes, types, what)                                                \
    R(WMMA, cc,                                                                        \
      "s:load w:c x:sync x?aligned l:row|col n:" shapes " p?global|" SH " t:" types,   \
      "Gm?U", what),                                                                   \
        R(WMMA, cc,                                                                    \
          "s:store w:d x:sync x?aligned l:row|col n:" shapes " p?global|" SH           \
          " t:" types,                                                                 \
          "mH?U", what)
#define WMMA_MOVES                                                                     \
    WMMA_AB(70, "a|b", "row|col", WMMA_16, "f16", NULL),                               \
        WMMA_AB(72, "a|b", "row|col", WMMA_16, "s8|u8", "wmma of integers"),           \
        WMMA_AB(80, "a|b", "row|col", WMMA_16, "bf16", "wmma of bf16"),                \
        WMMA_AB(80, "a|b", "row|col", "m16n16k8", "tf32", "wmma of tf32"),             \
        WMMA_AB(80, "a|b", "row|col", "m8n8k4", "f64", "wmma of f64"),                 \
        WMMA_AB(75, "a", "row", "m8n8k32", "s4|u4", "wmma of 4-bit integers"),         \
        WMMA_AB(75, "b", "col", "m8n8k32", "s4|u4", "wmma of 4-bit integers"),         \
        WMMA_AB(75, "a", "row", "m8n8k128", "b1", "wmma of bits"),                     \
        WMMA_AB(75, "b", "col", "m8n8k128", "b1", "wmma of bits"),                     \
        WMMA_C(70, WMMA_16, "f16|f32", NULL),                                          \
        WMMA_C(72, WMMA_16, "s32", "wmma of integers"),                                \
        WMMA_C(80, "m16n16k8", "f32", "wmma of tf32"),                                 \
        WMMA_C(80, "m8n8k4", "f64", "wmma of f64"),                                    \
        WMMA_C(75, "m8n8k32|m8n8k128", "s32", "wmma of 4-bit integers and bits")
#define WMMA_MMAS                                                                      \
    WMMA(70, WMMA_16, "t:f16|f32 t:f16|f32", NULL),                                    \
        WMMA(72, WMMA_16, INTS8 " f?satfinite", "wmma of integers"),                   \
        WMMA(80, WMMA_16, "t:f32 t:bf16 t:bf16 t:f32", "wmma of bf16"),                \
        WMMA(80, "m16n16k8", "t:f32 t:tf32 t:tf32 t:f32", "wmma of tf32"),             \
        WMMA(80, "m8n8k4", "r?" RND " t:f64 t:f64 t:f64 t:f64", "wmma of f64"),        \
        R(WMMA, 75,                                                                    \
          "s:mma x:sync x?aligned l:row l:col n:m8n8k32 " INTS4 " f?satfinite",        \
          "GHIJ", "wmma of 4-bit integers"),                                           \
        R(WMMA, 75,                                                                    \
          "s:mma b:xor x:popc x:sync x?aligned l:row l:col n:m8n8k128 t:s32 t:b1 "     \
          "t:b1 t:s32",                                                                \
          "GHIJ", "wmma of bits"),                                                     \
        R(WMMA, 80,                                                                    \
          "s:mma b:and x:popc x:sync x?aligned l:row l:col n:m8n8k128 t:s32 t:b1 "     \
          "t:b1 t:s32",                                                                \
          "GHIJ", "wmma.and of bits")

/* Products of matrices. */
#define MMA(cc, shape, mods, what)                                                     \
    R(MMA, cc, "x:sync x:aligned n:" shape " l:row l:col " mods, "GHIJ", what)
#define INTS8 "t:s32 t:s8|u8 t:s8|u8 t:s32"
#define INTS4 "t:s32 t:s4|u4 t:s4|u4 t:s32"
#define TILES                                                                          \
    R(MMA, 70,                                                                         \
      "x:sync x:aligned n:m8n8k4 l:row|col l:row|col t:f16|f32 t:f16 t:f16 t:f16|f32", \
      "GHIJ", NULL),                                                                   \
        MMA(75, "m16n8k8", "t:f16 t:f16 t:f16 t:f16", "mma.m16n8k8"),                  \
        MMA(75, "m16n8k8", "t:f32 t:f16 t:f16 t:f32", "mma.m16n8k8"),                  \
        MMA(80, "m16n8k16", "t:f16 t:f16 t:f16 t:f16", "mma.m16n8k16"),                \
        MMA(80, "m16n8k16", "t:f32 t:f16 t:f16 t:f32", "mma.m16n8k16"),                \
        MMA(80, "m16n8k8|m16n8k16", "t:f32 t:bf16 t:bf16 t:f32", "mma of bf16"),       \
        MMA(80, "m16n8k4|m16n8k8", "t:f32 t:tf32 t:tf32 t:f32", "mma of tf32"),        \
        MMA(80, "m8n8k4", "r?" RND " t:f64 t:f64 t:f64 t:f64", "mma of f64"),          \
        MMA(90, "m16n8k4|m16n8k8|m16n8k16", "r?" RND " t:f64 t:f64 t:f64 t:f64",       \
            "mma.m16n8 of f64"),                                                       \
        MMA(75, "m8n8k16", "f?satfinite " INTS8, "mma of integers"),                   \
        MMA(75, "m8n8k32", "f?satfinite " INTS4, "mma of integers"),                   \
        MMA(80, "m16n8k16|m16n8k32", "f?satfinite " INTS8, "mma.m16n8 of integers"),   \
        MMA(80, "m16n8k32|m16n8k64", "f?satfinite " INTS4, "mma.m16n8 of integers"),   \
        MMA(75, "m8n8k128", "t:s32 t:b1 t:b1 t:s32 b:xor x:popc", "mma of bits"),      \
        MMA(80, "m8n8k128", "t:s32 t:b1 t:b1 t:s32 b:and x:popc", "mma.and of bits"),  \
        MMA(80, "m16n8k128|m16n8k256", "t:s32 t:b1 t:b1 t:s32 b:and|xor x:popc",       \
            "mma.m16n8 of bits"),                                                      \
        MMA(89, "m16n8k32", "t:f16 t:e4m3|e5m2 t:e4m3|e5m2 t:f16",                     \
            "mma of 8-bit floating point"),                                            \
        MMA(89, "m16n8k32", "t:f32 t:e4m3|e5m2 t:e4m3|e5m2 t:f32",                     \
            "mma of 8-bit floating point"),                                            \
        R(LDMATRIX, 75, "x:sync x:aligned x:m8n8 v:x1|x2|x4 s?trans p?" SH " t:b16",   \
          "Gm", NULL),                                                                 \
        R(STMATRIX, 90, "x:sync x:aligned x:m8n8 v:x1|x2|x4 s?trans p?" SH " t:b16",   \
          "mH", NULL),                                                                 \
        WMMA_MOVES, WMMA_MMAS, WGMMAS, MMASPS,                                         \
        R(MOVMATRIX, 75, "x:sync x:aligned x:m8n8 s:trans t:b16", "uU", NULL)

const struct ptx_row ptx_rows[] = {
    /* integer */
    R(ADD, 10, "t:" INT, "daa", NULL),
    R(ADD, 10, "f:sat t:s32", "daa", NULL),
    R(ADD, 10, "f:cc t:u32|s32", "daa", NULL),
    R(ADD, 20, "f:cc t:u64|s64", "daa", "64-bit carry chains"),
    R(SUB, 10, "t:" INT, "daa", NULL),
    R(SUB, 10, "f:sat t:s32", "daa", NULL),
    R(SUB, 10, "f:cc t:u32|s32", "daa", NULL),
    R(SUB, 20, "f:cc t:u64|s64", "daa", "64-bit carry chains"),
    R(ADDC, 10, "f?cc t:u32|s32", "daa", NULL),
    R(ADDC, 20, "f?cc t:u64|s64", "daa", "64-bit carry chains"),
    R(SUBC, 10, "f?cc t:u32|s32", "daa", NULL),
    R(SUBC, 20, "f?cc t:u64|s64", "daa", "64-bit carry chains"),
    R(MUL, 10, "s:lo|hi t:" INT, "daa", NULL),
    R(MUL, 10, "s:wide t:u16|u32|s16|s32", "waa", NULL),
    R(MAD, 10, "s:lo|hi t:" INT, "daaa", NULL),
    R(MAD, 10, "s:wide t:u16|u32|s16|s32", "waaW", NULL),
    R(MAD, 10, "s:hi f:sat t:s32", "daaa", NULL),
    R(MAD, 20, "s:lo|hi f:cc t:" INT3, "daaa", "mad.cc"),
    R(MADC, 20, "s:lo|hi f?cc t:" INT3, "daaa", NULL),
    R(MUL24, 10, "s:lo|hi t:u32|s32", "daa", NULL),
    R(MAD24, 10, "s:lo|hi t:u32|s32", "daaa", NULL),
    R(MAD24, 10, "s:hi f:sat t:s32", "daaa", NULL),
    R(SAD, 10, "t:" INT, "daaa", NULL),
    R(DIV, 10, "t:" INT, "daa", NULL),
    R(REM, 10, "t:" INT, "daa", NULL),
    R(ABS, 10, "t:s16|s32|s64", "da", NULL),
    R(NEG, 10, "t:s16|s32|s64", "da", NULL),
    R(MIN, 10, "t:" INT, "daa", NULL),
    R(MAX, 10, "t:" INT, "daa", NULL),
    R(POPC, 20, "t:b32|b64", "ua", NULL),
    R(CLZ, 20, "t:b32|b64", "ua", NULL),
    R(BFIND, 20, "f?shiftamt t:" INT3, "ua", NULL),
    R(FNS, 30, "t:b32", "daUU", NULL),
    R(BREV, 20, "t:b32|b64", "da", NULL),
    R(BFE, 20, "t:" INT3, "daUU", NULL),
    R(BFI, 20, "t:b32|b64", "daaUU", NULL),
    R(BMSK, 70, "f:clamp|wrap t:b32", "dUU", NULL),
    R(SZEXT, 70, "f:clamp|wrap t:u32|s32", "daU", NULL),
    R(DP4A, 61, "t:u32|s32 t:u32|s32", "uUUU", NULL),
    R(DP2A, 61, "s:lo|hi t:u32|s32 t:u32|s32", "uUUU", NULL),
    /* video */
    R(VADD, 30, VIDEO3 "f?sat s?add|min|max", "uSS?U", NULL),
    R(VSUB, 30, VIDEO3 "f?sat s?add|min|max", "uSS?U", NULL),
    R(VABSDIFF, 30, VIDEO3 "f?sat s?add|min|max", "uSS?U", NULL),
    R(VMIN, 30, VIDEO3 "f?sat s?add|min|max", "uSS?U", NULL),
    R(VMAX, 30, VIDEO3 "f?sat s?add|min|max", "uSS?U", NULL),
    R(VSHL, 30, VIDEO3 "f?sat f:clamp|wrap s?add|min|max", "uSS?U", NULL),
    R(VSHR, 30, VIDEO3 "f?sat f:clamp|wrap s?add|min|max", "uSS?U", NULL),
    R(VMAD, 30, VIDEO3 "x?po f?sat x?shr7|shr15", "uSSS", NULL),
    R(VSET, 30, VIDEO2 CMP_S " s?add|min|max", "uSS?U", NULL),
    R(VADD2, 30, VIDEO3 "f?sat s?add", "uSSU", NULL),
    R(VSUB2, 30, VIDEO3 "f?sat s?add", "uSSU", NULL),
    R(VAVRG2, 30, VIDEO3 "f?sat s?add", "uSSU", NULL),
    R(VABSDIFF2, 30, VIDEO3 "f?sat s?add", "uSSU", NULL),
    R(VMIN2, 30, VIDEO3 "f?sat s?add", "uSSU", NULL),
    R(VMAX2, 30, VIDEO3 "f?sat s?add", "uSSU", NULL),
    R(VSET2, 30, VIDEO2 CMP_S " s?add", "uSSU", NULL),
    R(VADD4, 30, VIDEO3 "f?sat s?add", "uSSU", NULL),
    R(VSUB4, 30, VIDEO3 "f?sat s?add", "uSSU", NULL),
    R(VAVRG4, 30, VIDEO3 "f?sat s?add", "uSSU", NULL),
    R(VABSDIFF4, 30, VIDEO3 "f?sat s?add", "uSSU", NULL),
    R(VMIN4, 30, VIDEO3 "f?sat s?add", "uSSU", NULL),
    R(VMAX4, 30, VIDEO3 "f?sat s?add", "uSSU", NULL),
    R(VSET4, 30, VIDEO2 CMP_S " s?add", "uSSU", NULL),
    R(ADD, 90, "x:u16x2|s16x2", "daa", "packed integers"),
    R(MIN, 90, "x?relu x:u16x2|s16x2", "daa", "packed integers"),
    R(MIN, 90, "x:relu t:s32", "daa", "relu"),
    R(MAX, 90, "x?relu x:u16x2|s16x2", "daa", "packed integers"),
    R(MAX, 90, "x:relu t:s32", "daa", "relu"),
    /* f32, f64 */
    R(ADD, 10, "r?rn|rz f?ftz f?sat t:f32", "daa", NULL),
    R(ADD, 20, "r:rm|rp f?ftz f?sat t:f32", "daa", "directed rounding of f32"),
    R(ADD, 13, "r?" RND " t:f64", "daa", "double precision"),
    R(SUB, 10, "r?rn|rz f?ftz f?sat t:f32", "daa", NULL),
    R(SUB, 20, "r:rm|rp f?ftz f?sat t:f32", "daa", "directed rounding of f32"),
    R(SUB, 13, "r?" RND " t:f64", "daa", "double precision"),
    R(MUL, 10, "r?rn|rz f?ftz f?sat t:f32", "daa", NULL),
    R(MUL, 20, "r:rm|rp f?ftz f?sat t:f32", "daa", "directed rounding of f32"),
    R(MUL, 13, "r?" RND " t:f64", "daa", "double precision"),
    R(FMA, 20, "r:" RND " f?ftz f?sat t:f32", "daaa", NULL),
    R(FMA, 13, "r:" RND " t:f64", "daaa", "double precision"),
    R(MAD, 10, "f?ftz f?sat t:f32", "daaa", NULL),
    R(MAD, 20, "r:" RND " f?ftz f?sat t:f32", "daaa", "mad.f32 with rounding"),
    R(MAD, 13, "r:" RND " t:f64", "daaa", "double precision"),
    R(DIV, 10, "s:approx|full f?ftz t:f32", "daa", NULL),
    R(DIV, 20, "r:" RND " f?ftz t:f32", "daa", "division rounded as IEEE 754"),
    R(DIV, 13, "r:" RND " t:f64", "daa", "double precision"),
    R(ABS, 10, "f?ftz t:f32", "da", NULL),
    R(ABS, 13, "t:f64", "da", "double precision"),
    R(NEG, 10, "f?ftz t:f32", "da", NULL),
    R(NEG, 13, "t:f64", "da", "double precision"),
    R(MIN, 10, "f?ftz t:f32", "daa", NULL),
    R(MIN, 13, "t:f64", "daa", "double precision"),
    R(MAX, 10, "f?ftz t:f32", "daa", NULL),
    R(MAX, 13, "t:f64", "daa", "double precision"),
    R(RCP, 10, "s:approx f?ftz t:f32", "da", NULL),
    R(RCP, 20, "r:" RND " f?ftz t:f32", "da", "reciprocals rounded as IEEE 754"),
    R(RCP, 13, "r:" RND " t:f64", "da", "double precision"),
    R(RCP, 20, "s:approx f:ftz t:f64", "da", "approximate double reciprocal"),
    R(SQRT, 10, "s:approx f?ftz t:f32", "da", NULL),
    R(SQRT, 20, "r:" RND " f?ftz t:f32", "da", "square roots rounded as IEEE 754"),
    R(SQRT, 13, "r:" RND " t:f64", "da", "double precision"),
    R(RSQRT, 10, "s:approx f?ftz t:f32", "da", NULL),
    R(RSQRT, 13, "s:approx f?ftz t:f64", "da", "double precision"),
    R(SIN, 10, "s:approx f?ftz t:f32", "da", NULL),
    R(COS, 10,
      "s:approx f?ftz "
      "t:f32",
      "da", NULL),
    R(EX2, 10,
      "s:approx f?ftz "
      "t:f32",
      "da", NULL),
    R(LG2, 10,
      "s:approx "
      "f?ftz "
      "t:f32",
      "da", NULL),
    R(TANH, 75,
      "s:"
      "approx "
      "t:f32",
      "da", NULL),
    R(TESTP, 20,
      "s:"
      "fini"
      "te|"
      "infi"
      "nite"
      "|num"
      "ber|"
      "nota"
      "numb"
      "er|"
      "norm"
      "al|"
      "subn"
      "orma"
      "l "
      "t:"
      "f32|"
      "f64",
      "pa", NULL),
    R(COPYSIGN, 20, "t:f32|f64", "daa", NULL),
    /* comparison and selection */
    R(SET, 10, "c:eq|ne" BOOL "t:u32|s32|f32 t:" BITS, "dbbC", NULL),
    R(SET, 10, CMP_U BOOL "t:u32|s32|f32 t:u16|u32|u64", "dbbC", NULL),
    R(SET, 10, CMP_S BOOL "t:u32|s32|f32 t:s16|s32|s64", "dbbC", NULL),
    R(SET, 10, CMP_F BOOL "f?ftz t:u32|s32|f32 t:f32", "dbbC", NULL),
    R(SET, 13, CMP_F BOOL "t:u32|s32|f32 t:f64", "dbbC", "double precision"),
    R(SETP, 10, "c:eq|ne" BOOL "t:" BITS, "qaaC", NULL),
    R(SETP, 10, CMP_U BOOL "t:u16|u32|u64", "qaaC", NULL),
    R(SETP, 10, CMP_S BOOL "t:s16|s32|s64", "qaaC", NULL),
    R(SETP, 10, CMP_F BOOL "f?ftz t:f32", "qaaC", NULL),
    R(SETP, 13, CMP_F BOOL "t:f64", "qaaC", "double precision"),
    R(SELP, 10, "t:" ALL16 "|f32", "daaP", NULL),
    R(SELP, 13, "t:f64", "daaP", "double precision"),
    R(SLCT, 10, "t:" ALL16 "|f32|f64 t:s32", "daab", NULL),
    R(SLCT, 10, "f?ftz t:" ALL16 "|f32|f64 t:f32", "daab", NULL),
    /* narrow floating point */
    PTX_HALF_ROWS,
    /* logic and shifts */
    R(AND, 10, "t:" BITS, "daa", NULL),
    R(OR, 10, "t:" BITS, "daa", NULL),
    R(XOR, 10, "t:" BITS, "daa", NULL),
    R(NOT, 10, "t:" BITS, "da", NULL),
    R(AND, 10, "t:pred", "pPP", NULL),
    R(OR, 10, "t:pred", "pPP", NULL),
    R(XOR, 10, "t:pred", "pPP", NULL),
    R(NOT, 10, "t:pred", "pP", NULL),
    R(CNOT, 10, "t:" BITS, "da", NULL),
    R(LOP3, 50, "t:b32", "daaai", NULL),
    R(SHF, 32, "s:l|r f:wrap|clamp t:b32", "daaU", NULL),
    R(SHL, 10, "t:" BITS, "daU", NULL),
    R(SHR, 10, "t:" ALL16, "daU", NULL),
    R(PRMT, 20, "s?f4e|b4e|rc8|ecl|ecr|rc16 t:b32", "daaU", NULL),
    /* data movement and conversion */
    R(MOV, 10, "t:" ALL16 "|f32", "xX", NULL),
    R(MOV, 10, "t:f64", "xX", NULL),
    R(MOV, 10, "t:pred", "pP", NULL),
    R(MOV, 10, "v:v2|v4 t:" ALL16 "|f32|f64", "vV", NULL),
    R(CVT, 10, "f?sat t:" INT8 " t:" INT8, "DB", NULL),
    R(CVT, 10, "r:" RNI " f?ftz f?sat t:" INT8 " t:f32", "DB", NULL),
    R(CVT, 13, "r:" RNI " f?sat t:" INT8 " t:f64", "DB", "double precision"),
    R(CVT, 10, "r:" RND " f?ftz f?sat t:f32 t:" INT8, "DB", NULL),
    R(CVT, 13, "r:" RND " f?sat t:f64 t:" INT8, "DB", "double precision"),
    R(CVT, 10, "r?" RNI " f?ftz f?sat t:f32 t:f32", "DB", NULL),
    R(CVT, 13, "r?" RNI " f?sat t:f64 t:f64", "DB", "double precision"),
    R(CVT, 13, "f?ftz f?sat t:f64 t:f32", "DB", "double precision"),
    R(CVT, 13, "r:" RND " f?ftz f?sat t:f32 t:f64", "DB", "double precision"),
    PTX_HALF_CVT_ROWS,
    /* of a known space it is the identity, which every capability has */
    R(CVTA, 10, "p:global|" SHC "|local|const|param t:u32|u64", "da", NULL),
    R(CVTA, 10, "f:to p:global|" SHC "|local|const|param t:u32|u64", "da", NULL),
    R(ISSPACEP, 20, "p:global|" SHC "|local|const|param", "pA", "generic addresses"),
    /* memory */
    R(LD, 10,
      "x?weak f?volatile p:global|" SHC "|local|const|param|param::entry|param::func "
      "k?ca|cg|cs|lu|cv" HINTS "v?v2|v4 t:" ALL8,
      "vm?h", NULL),
    R(LD, 20, "x?weak f?volatile k?ca|cg|cs|lu|cv" HINTS "v?v2|v4 t:" ALL8, "vm?h",
      "generic addresses"),
    R(LD, 10, "p:global k?ca|cg|cs k:nc" HINTS "v?v2|v4 t:" ALL8, "vm?h", NULL),
    R(LD, 70, "f:relaxed|acquire z:" SCOPE " p?global|" SHC HINTS "v?v2|v4 t:" ALL8,
      "vm?h", "memory-ordered loads"),
    R(LD, 70, "f:mmio f:relaxed x:sys p?global t:" ALL8, "vm", "memory-ordered loads"),
    R(LDU, 20, "p?global v?v2|v4 t:" ALL8, "vm", NULL),
    R(ST, 10,
      "x?weak f?volatile p:global|" SHC "|local|param|param::func "
      "k?wb|cg|cs|wt" HINTS "v?v2|v4 t:" ALL8,
      "mV?h", NULL),
    R(ST, 20, "x?weak f?volatile k?wb|cg|cs|wt" HINTS "v?v2|v4 t:" ALL8, "mV?h",
      "generic addresses"),
    R(ST, 70, "f:relaxed|release z:" SCOPE " p?global|" SHC HINTS "v?v2|v4 t:" ALL8,
      "mV?h", "memory-ordered stores"),
    R(ST, 70, "f:mmio f:relaxed x:sys p?global t:" ALL8, "mV", "memory-ordered stores"),
    ATOMIC(ATOM, "d", ""),
    R(ATOM, 11, "p:global s:exch t:b32", "dma", "atomics on global memory"),
    R(ATOM, 12, "p:" SHC " s:exch t:b32", "dma", "atomics on shared memory"),
    R(ATOM, 12, "p:global s:exch t:b64", "dma", "64-bit atomics on global memory"),
    R(ATOM, 20, "p:" SHC " s:exch t:b64", "dma",
      "64-bit atomics on "
      "shared memory"),
    R(ATOM, 20, "s:exch t:b32|b64", "dma", "generic addresses"),
    R(ATOM, 11, "p:global s:cas t:b32", "dmaa", "atomics on global memory"),
    R(ATOM, 12, "p:" SHC " s:cas t:b32", "dmaa", "atomics on shared memory"),
    R(ATOM, 12, "p:global s:cas t:b64", "dmaa", "64-bit atomics on global memory"),
    R(ATOM, 20, "p:" SHC " s:cas t:b64", "dmaa", "64-bit atomics on shared memory"),
    R(ATOM, 20, "s:cas t:b32|b64", "dmaa", "generic addresses"),
    R(ATOM, 70, "p?global|" SHC " s:cas t:b16", "dmaa", "16-bit atomics"),
    R(ATOM, 60,
      "x?relaxed|acquire|release|acq_rel "
      "z:" SCOPE " p?global|" SHC " x?L2::cache_hint s:exch t:b32|b64",
      "dma?h", "atomics with a scope"),
    R(ATOM, 60,
      "x?relaxed|acquire|release|acq_"
      "rel z:" SCOPE " p?global|" SHC " x?L2::cache_hint s:cas "
      "t:b32|b64",
      "dmaa?h", "atomics with a scope"),
    R(ATOM, 80, "p?global|" SHC " x:L2::cache_hint s:exch t:b32|b64", "dma?h",
      "cache policies"),
    R(ATOM, 70,
      "x?relaxed|acquire|release|"
      "acq_rel z:" SCOPE " p?global|" SHC " s:cas t:b16",
      "dmaa", "16-bit atomics"),
    PTX_HALF_ATOMIC_ROWS(ATOM, "d"),
    ATOMIC(RED, "", ""),
    PTX_HALF_ATOMIC_ROWS(RED, ""),
    R(PREFETCH, 20,
      "p?global|local "
      "x:L1|L2|L2::evict_last|"
      "L2::evict_normal",
      "m", NULL),
    R(PREFETCH, 90, "p?param|const x:tensormap", "Z", "tensor maps"),
    R(PREFETCHU, 20, "x:L1", "m", NULL),
    R(DISCARD, 80, "p?global x:L2", "mi", NULL),
    R(APPLYPRIORITY, 80, "p?global x:L2::evict_normal", "mi", NULL),
    R(CREATEPOLICY, 80,
      "x:fractional x:L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_"
      "unchanged x?L2::evict_first|L2::evict_unchanged t:b64",
      "d?U", NULL),
    R(CREATEPOLICY, 80,
      "x:range p?global "
      "x:L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged "
      "x?L2::evict_first|L2::evict_unchanged t:b64",
      "dmUU", NULL),
    R(CREATEPOLICY, 80, "x:cvt x:L2 t:b64", "da", NULL),
    /* between lanes */
    R(SHFL, 30, "f:sync s:up|down|bfly|idx t:b32", "eaUUU", NULL),
    R(SHFL, 30, "s:up|down|bfly|idx t:b32", "eaUU", NULL),
    R(VOTE, 12, "f:sync s:all|any|uni t:pred", "pPU", NULL),
    R(VOTE, 20, "f:sync s:ballot t:b32", "dPU", "ballots"),
    R(VOTE, 12, "s:all|any|uni t:pred", "pP", NULL),
    R(VOTE, 20, "s:ballot t:b32", "dP", "ballots"),
    R(MATCH, 70, "s:any f:sync t:b32|b64", "uaU", NULL),
    R(MATCH, 70, "s:all f:sync t:b32|b64", "eaU", NULL),
    R(REDUX, 80, "f:sync s:add|min|max t:u32|s32", "daU", NULL),
    R(REDUX, 80, "f:sync s:and|or|xor t:b32", "daU", NULL),
    TILES,
    R(ACTIVEMASK, 30, "t:b32", "d", NULL),
    R(ELECT, 90, "f:sync", "eU", NULL),
    /* barriers and fences */
    R(BAR, 10, "x?cta s:sync", "U?U", NULL),
    R(BAR, 20, "x?cta s:arrive", "UU", "bar.arrive"),
    R(BAR, 20, "x?cta x:red q:popc t:u32", "dU?UP", "barriers that reduce"),
    R(BAR, 20, "x?cta x:red q:and|or t:pred", "pU?UP", "barriers that reduce"),
    R(BAR, 10, "s:warp x:sync", "U", NULL),
    R(BARRIER, 10, "x?cta s:sync f?aligned", "U?U", NULL),
    R(BARRIER, 20, "x?cta s:arrive f?aligned", "UU", NULL),
    R(BARRIER, 20, "x?cta x:red q:popc f?aligned t:u32", "dU?UP", NULL),
    R(BARRIER, 20, "x?cta x:red q:and|or f?aligned t:pred", "pU?UP", NULL),
    R(BARRIER, 90, "x:cluster s:arrive x?release|relaxed f?aligned", "",
      "thread block clusters"),
    R(BARRIER, 90, "x:cluster s:wait x?acquire f?aligned", "", "thread block clusters"),
    R(MAPA, 90, "p?shared::cluster t:u32|u64", "daU", "thread block clusters"),
    R(GETCTARANK, 90, "p?shared::cluster t:u32|u64", "ua", "thread block clusters"),
    R(MEMBAR, 10, "m:cta|gl", "", NULL),
    R(MEMBAR, 20, "m:sys", "", "membar.sys"),
    R(FENCE, 70, "x?sc|acq_rel|acquire|release m:cta|gpu|sys|cluster", "", NULL),
    R(FENCE, 90, "x:mbarrier_init x:release m:cluster", "", NULL),
    R(FENCE, 90,
      "x:proxy x:async|async.global|async.shared::cta|async.shared::cluster "
      "x?global|shared::cta|shared::cluster",
      "", "proxy fences"),
    R(FENCE, 90, "x:proxy x:tensormap::generic x:release m:cta|cluster|gpu|sys", "",
      "proxy fences"),
    R(FENCE, 90, "x:proxy x:tensormap::generic x:acquire m:cta|cluster|gpu|sys", "mi",
      "proxy fences"),
    /* asynchronous copies */
    R(CP, 80, "x:async k:ca|cg p:" SH " x:global x?L2::64B|L2::128B|L2::256B", "mMi?y",
      NULL),
    R(CP, 80,
      "x:async k:ca|cg p:" SH " x:global x:L2::cache_hint x?L2::64B|L2::128B|L2::256B",
      "mMi?yh", NULL),
    R(CP, 80, "x:async s:commit_group", "", NULL),
    R(CP, 80, "x:async s:wait_group", "i", NULL),
    R(CP, 80, "x:async s:wait_all", "", NULL),
    R(CP, 80, "x:async x:mbarrier s:arrive f?noinc p?" SH " t:b64", "m", NULL),
    R(MBARRIER, 80, "s:init p?" SH " t:b64", "mU", NULL),
    R(MBARRIER, 80, "s:inval p?" SH " t:b64", "m", NULL),
    R(MBARRIER, 80,
      "s:arrive|arrive_drop x?release|relaxed x?cta|cluster p?" SHC " t:b64", "dm?U",
      NULL),
    R(MBARRIER, 80, "s:arrive|arrive_drop f:noComplete x?release x?cta p?" SH " t:b64",
      "dmU", NULL),
    R(MBARRIER, 90,
      "s:arrive|arrive_drop f:expect_tx x?release|relaxed x?cta|cluster p?" SHC
      " t:b64",
      "dmU", "mbarriers that count bytes"),
    R(MBARRIER, 90, "s:expect_tx|complete_tx x?relaxed x?cta|cluster p?" SHC " t:b64",
      "mU", "mbarriers that count bytes"),
    R(MBARRIER, 80, "s:test_wait x?acquire|relaxed x?cta|cluster p?" SH " t:b64", "pma",
      NULL),
    R(MBARRIER, 80,
      "s:test_wait f:parity x?acquire|relaxed x?cta|cluster p?" SH " t:b64", "pmU",
      NULL),
    R(MBARRIER, 90, "s:try_wait x?acquire|relaxed x?cta|cluster p?" SH " t:b64",
      "pma?U", "waits that suspend"),
    R(MBARRIER, 90,
      "s:try_wait f:parity x?acquire|relaxed x?cta|cluster p?" SH " t:b64", "pmU?U",
      "waits that suspend"),
    R(MBARRIER, 80, "s:pending_count t:b64", "ua", NULL),
    BULK_COPIES,
    /* control */
    R(BRA, 10, "f?uni", "l", NULL),
    R(BRX, 20, "x:idx f?uni", "Ut", NULL),
    R(CALL, 10, "f?uni", "", NULL), /* need.c */
    R(RET, 10, "f?uni", "", NULL),
    R(EXIT, 10, "", "", NULL),
    R(TRAP, 10, "", "", NULL),
    R(BRKPT, 11, "", "", NULL),
    R(NANOSLEEP, 70, "t:u32", "a", NULL),
    R(PMEVENT, 10, "x?mask", "i", NULL),
    R(GRIDDEPCONTROL, 90, "x:wait|launch_dependents", "", NULL),
    /* textures and surfaces */
    R(TEX, 10, "x?base g:1d|2d|3d v:v4 t:" TEXEL " t:s32|f32", "vmT", NULL),
    R(TEX, 20, "x?base g:a1d|a2d v:v4 t:" TEXEL " t:s32|f32", "vmT",
      "layered textures"),
    R(TEX, 20, "x?base g:cube|acube v:v4 t:" TEXEL " t:f32", "vmT", "cube textures"),
    R(TEX, 20, "x:level g:1d|2d|3d|a1d|a2d|cube|acube v:v4 t:" TEXEL " t:f32", "vmTb",
      "levels of textures"),
    R(TEX, 20, "x:grad g:1d|2d|3d|a1d|a2d v:v4 t:" TEXEL " t:f32", "vmTKK",
      "gradients of textures"),
    R(TLD4, 20, "j:r|g|b|a g:2d|a2d|cube|acube v:v4 t:" TEXEL " t:f32", "vmT", NULL),
    R(TXQ, 20,
      "x?level j:width|height|depth|channel_data_type|channel_order|normalized_coords|"
      "filter_mode|addr_mode_0|addr_mode_1|addr_mode_2|array_size|num_mipmap_levels|"
      "num_samples t:b32",
      "dm?U", NULL),
    R(SULD, 20, "x:b " SURFACE_GEOM " k?ca|cg|cs|cv v?v2|v4 t:b8|b16|b32|b64 " OUTSIDE,
      "vmT", NULL),
    R(SUST, 20, "x:b " SURFACE_GEOM " k?wb|cg|cs|wt v?v2|v4 t:b8|b16|b32|b64 " OUTSIDE,
      "mTV", NULL),
    R(SURED, 30, "x:b s:add|min|max g:1d|2d|3d|a1d|a2d t:u32|s32|u64|s64 " OUTSIDE,
      "mTa", NULL),
    R(SURED, 30, "x:b s:and|or g:1d|2d|3d|a1d|a2d t:b32|b64 " OUTSIDE, "mTa", NULL),
    R(SUQ, 20,
      "j:width|height|depth|channel_data_type|channel_order|array_size|memory_layout "
      "t:b32",
      "dm", NULL),
};

const uint32_t ptx_n_rows = ARRAY_LEN(ptx_rows);

struct word {
    char class;
    const char *word;
    uint32_t value;
};

static const struct word words[] = {
    {'r', "rn", ISA_R_RN},
    {'r', "rz", ISA_R_RZ},
    {'r', "rm", ISA_R_RM},
    {'r', "rp", ISA_R_RP},
    {'r', "rni", ISA_R_RNI},
    {'r', "rzi", ISA_R_RZI},
    {'r', "rmi", ISA_R_RMI},
    {'r', "rpi", ISA_R_RPI},
    {'r', "rna", ISA_R_RNA},
    {'s', "lo", ISA_S_LO},
    {'s', "hi", ISA_S_HI},
    {'s', "wide", ISA_S_WIDE},
    {'s', "approx", ISA_S_APPROX},
    {'s', "full", ISA_S_FULL},
    {'s', "l", ISA_S_L},
    {'s', "r", ISA_S_R},
    {'s', "f4e", ISA_S_F4E},
    {'s', "b4e", ISA_S_B4E},
    {'s', "rc8", ISA_S_RC8},
    {'s', "ecl", ISA_S_ECL},
    {'s', "ecr", ISA_S_ECR},
    {'s', "rc16", ISA_S_RC16},
    {'s', "up", ISA_S_UP},
    {'s', "down", ISA_S_DOWN},
    {'s', "bfly", ISA_S_BFLY},
    {'s', "idx", ISA_S_IDX},
    {'s', "all", ISA_S_ALL},
    {'s', "any", ISA_S_ANY},
    {'s', "uni", ISA_S_UNI},
    {'s', "ballot", ISA_S_BALLOT},
    {'s', "finite", ISA_S_FINITE},
    {'s', "infinite", ISA_S_INFINITE},
    {'s', "number", ISA_S_NUMBER},
    {'s', "notanumber", ISA_S_NOTANUMBER},
    {'s', "normal", ISA_S_NORMAL},
    {'s', "subnormal", ISA_S_SUBNORMAL},
    {'s', "add", ISA_S_ADD},
    {'s', "inc", ISA_S_INC},
    {'s', "dec", ISA_S_DEC},
    {'s', "min", ISA_S_MIN},
    {'s', "max", ISA_S_MAX},
    {'s', "and", ISA_S_AND},
    {'s', "or", ISA_S_OR},
    {'s', "xor", ISA_S_XOR},
    {'s', "exch", ISA_S_EXCH},
    {'s', "cas", ISA_S_CAS},
    {'s', "sync", ISA_S_SYNC},
    {'s', "arrive", ISA_S_ARRIVE},
    {'s', "warp", ISA_S_WARP},
    {'s', "commit_group", ISA_S_COMMIT},
    {'s', "wait_group", ISA_S_WAIT},
    {'s', "wait", ISA_S_WAIT},
    {'s', "wait_all", ISA_S_WAIT_ALL},
    {'s', "init", ISA_S_INIT},
    {'s', "inval", ISA_S_INVAL},
    {'s', "arrive_drop", ISA_S_DROP},
    {'s', "expect_tx", ISA_S_EXPECT_TX},
    {'s', "complete_tx", ISA_S_COMPLETE_TX},
    {'s', "test_wait", ISA_S_TEST},
    {'s', "try_wait", ISA_S_TRY},
    {'s', "pending_count", ISA_S_PENDING},
    {'f', "noinc", ISA_F_NOINC},
    {'f', "noComplete", ISA_F_NO_COMPLETE},
    {'f', "expect_tx", ISA_F_TX},
    {'f', "parity", ISA_F_PARITY},
    {'q', "popc", ISA_S_RED_POPC},
    {'q', "and", ISA_S_RED_AND},
    {'q', "or", ISA_S_RED_OR},
    {'c', "eq", ISA_C_EQ},
    {'c', "ne", ISA_C_NE},
    {'c', "lt", ISA_C_LT},
    {'c', "le", ISA_C_LE},
    {'c', "gt", ISA_C_GT},
    {'c', "ge", ISA_C_GE},
    {'c', "lo", ISA_C_LO},
    {'c', "ls", ISA_C_LS},
    {'c', "hi", ISA_C_HI},
    {'c', "hs", ISA_C_HS},
    {'c', "equ", ISA_C_EQU},
    {'c', "neu", ISA_C_NEU},
    {'c', "ltu", ISA_C_LTU},
    {'c', "leu", ISA_C_LEU},
    {'c', "gtu", ISA_C_GTU},
    {'c', "geu", ISA_C_GEU},
    {'c', "num", ISA_C_NUM},
    {'c', "nan", ISA_C_NAN},
    {'s', "trans", ISA_S_TRANS},
    {'n', "m8n8k4", ISA_SHAPE_M8N8K4},
    {'n', "m8n8k16", ISA_SHAPE_M8N8K16},
    {'n', "m8n8k32", ISA_SHAPE_M8N8K32},
    {'n', "m8n8k128", ISA_SHAPE_M8N8K128},
    {'n', "m16n8k4", ISA_SHAPE_M16N8K4},
    {'n', "m16n8k8", ISA_SHAPE_M16N8K8},
    {'n', "m16n8k16", ISA_SHAPE_M16N8K16},
    {'n', "m16n8k32", ISA_SHAPE_M16N8K32},
    {'n', "m16n8k64", ISA_SHAPE_M16N8K64},
    {'n', "m16n8k128", ISA_SHAPE_M16N8K128},
    {'n', "m16n8k256", ISA_SHAPE_M16N8K256},
    {'n', "m16n16k16", ISA_SHAPE_M16N16K16},
    {'n', "m8n32k16", ISA_SHAPE_M8N32K16},
    {'n', "m32n8k16", ISA_SHAPE_M32N8K16},
    {'n', "m16n16k8", ISA_SHAPE_M16N16K8},
    {'w', "a", ISA_FRAG_A},
    {'w', "b", ISA_FRAG_B},
    {'w', "c", ISA_FRAG_C},
    {'w', "d", ISA_FRAG_D},
    {'s', "load", ISA_S_LOAD},
    {'s', "store", ISA_S_STORE},
    {'s', "mma", ISA_S_MMA},
    {'s', "mma_async", ISA_S_MMA},
    {'s', "sp", ISA_S_SPARSE},
    {'s', "sp::ordered_metadata", ISA_S_SPARSE},
    {'l', "row", ISA_LAYOUT_ROW},
    {'l', "col", ISA_LAYOUT_COL},
    {'v', "x1", 1},
    {'v', "x2", 2},
    {'v', "x4", 4},
    {'b', "and", ISA_B_AND},
    {'b', "or", ISA_B_OR},
    {'b', "xor", ISA_B_XOR},
    {'f', "ftz", ISA_F_FTZ},
    {'f', "sat", ISA_F_SAT},
    {'f', "cc", ISA_F_CC_OUT},
    {'f', "clamp", ISA_F_CLAMP},
    {'f', "wrap", 0},
    {'f', "shiftamt", ISA_F_SHIFTAMT},
    {'f', "sync", ISA_F_SYNC},
    {'f', "uni", ISA_F_UNI},
    {'f', "to", ISA_F_TO},
    {'f', "volatile", ISA_F_VOLATILE},
    {'f', "relaxed", ISA_F_VOLATILE},
    {'f', "acquire", ISA_F_VOLATILE},
    {'f', "release", ISA_F_VOLATILE},
    {'f', "mmio", ISA_F_VOLATILE},
    {'f', "aligned", ISA_F_ALIGNED},
    {'f', "relu", ISA_F_RELU},
    {'f', "NaN", ISA_F_NAN},
    {'f', "xorsign", ISA_F_XORSIGN},
    {'f', "abs", ISA_F_ABS},
    {'f', "oob", ISA_F_OOB},
    {'f', "satfinite", ISA_F_SATFINITE},
    {'z', "cta", ISA_F_CTA},
    {'z', "gpu", 0},
    {'z', "sys", 0},
    {'z', "cluster", 0}, /* taken as .gpu */
    {'k', "ca", ISA_CACHE_CA},
    {'k', "cg", ISA_CACHE_CG},
    {'k', "cs", ISA_CACHE_CS},
    {'k', "lu", ISA_CACHE_LU},
    {'k', "cv", ISA_CACHE_CV},
    {'k', "wb", ISA_CACHE_WB},
    {'k', "wt", ISA_CACHE_WT},
    {'k', "nc", ISA_CACHE_NC},
    {'p', "global", ISA_SP_GLOBAL},
    {'p', "shared", ISA_SP_SHARED},
    {'p', "shared::cta", ISA_SP_SHARED},
    {'p', "shared::cluster", ISA_SP_SHARED}, /* ptx_of_cluster() tells it apart */
    {'p', "local", ISA_SP_LOCAL},
    {'p', "const", ISA_SP_CONST},
    {'p', "param", ISA_SP_PARAM},
    {'p', "param::entry", ISA_SP_PARAM},
    {'p', "param::func", ISA_SP_PARAM},
    {'v', "v2", 2},
    {'v', "v4", 4},
    {'g', "1d", ISA_G_1D},
    {'g', "2d", ISA_G_2D},
    {'g', "3d", ISA_G_3D},
    {'g', "a1d", ISA_G_A1D},
    {'g', "a2d", ISA_G_A2D},
    {'g', "cube", ISA_G_CUBE},
    {'g', "acube", ISA_G_ACUBE},
    {'j', "r", ISA_PICK_R},
    {'j', "g", ISA_PICK_G},
    {'j', "b", ISA_PICK_B},
    {'j', "a", ISA_PICK_A},
    {'j', "width", ISA_PICK_WIDTH},
    {'j', "height", ISA_PICK_HEIGHT},
    {'j', "depth", ISA_PICK_DEPTH},
    {'j', "channel_data_type", ISA_PICK_CHANNEL_TYPE},
    {'j', "channel_order", ISA_PICK_CHANNEL_ORDER},
    {'j', "normalized_coords", ISA_PICK_NORMALISED},
    {'j', "filter_mode", ISA_PICK_FILTER},
    {'j', "addr_mode_0", ISA_PICK_ADDRESS_0},
    {'j', "addr_mode_1", ISA_PICK_ADDRESS_1},
    {'j', "addr_mode_2", ISA_PICK_ADDRESS_2},
    {'j', "array_size", ISA_PICK_ARRAY_SIZE},
    {'j', "num_mipmap_levels", ISA_PICK_LEVELS},
    {'j', "num_samples", ISA_PICK_SAMPLES},
    {'j', "memory_layout", ISA_PICK_LAYOUT},
    {'j', "trap", ISA_PICK_TRAP},
    {'j', "clamp", ISA_PICK_CLAMP},
    {'j', "zero", ISA_PICK_ZERO},
    {'m', "cta", ISA_LEVEL_CTA},
    {'m', "gl", ISA_LEVEL_GPU},
    {'m', "gpu", ISA_LEVEL_GPU},
    {'m', "cluster", ISA_LEVEL_GPU},
    {'m', "sys", ISA_LEVEL_SYS},
};

static bool same(const char *name, const char *word, uint32_t n)
{
    return strncmp(name, word, n) == 0 && name[n] == '\0';
}

enum isa_type ptx_type_of(const char *word, uint32_t n)
{
    for (uint32_t t = ISA_T_NONE + 1; t < ISA_N_TYPES; t++) {
        if (same(isa_type_name((enum isa_type)t), word, n)) {
            return (enum isa_type)t;
        }
    }
    return ISA_T_NONE;
}

bool ptx_word_value(char c, const char *word, uint32_t n, uint32_t *value)
{
    if (c == 't' || c == 'y') {
        *value = ptx_type_of(word, n);
        return *value != ISA_T_NONE;
    }
    if (c == 'x') {
        *value = 0;
        return true;
    }
    if (c == 'N') { /* m64nNkK */
        *value = (uint32_t)strtoul(word + strlen("m64n"), NULL, 10) / 8;
        return true;
    }
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (words[i].class == c && same(words[i].word, word, n)) {
            *value = words[i].value;
            return true;
        }
    }
    return false;
}

struct refusal {
    const char *word, *why;
};

static const struct refusal bad_words[] = {
    {"b128", "128-bit values"},
    {"u128", "128-bit values"},
    {"s128", "128-bit values"},
    {"f32x2", "packed f32"},
    {"v8", "8-element vectors"},
    {"multimem", "multimem"},
    {"unified", "unified textures"},
    {"proxy", "proxy fences"},
    {"pack", "packing conversions"},
    {"im2col", "the im2col mode of tensor maps"},
    {"im2col_no_offs", "the im2col mode of tensor maps"},
    {"tile::gather4", "gathering tensor copies"},
    {"tile::scatter4", "scattering tensor copies"},
};

static const struct refusal bad_ops[] = {
    {"istypep", "textures"},
    {"tcgen05", "matrix instructions"},
    {"setmaxnreg", "register reallocation"},
    {"clusterlaunchcontrol", "clusters"},
    {"multimem", "multimem"},
    {"tensormap", "tensor maps"},
    {"alloca", "stack allocation"},
    {"stacksave", "stack allocation"},
    {"stackrestore", "stack allocation"},
};

static const char *refused(const struct refusal *r, size_t n_rows, const char *word,
                           uint32_t n)
{
    for (size_t i = 0; i < n_rows; i++) {
        if (same(r[i].word, word, n)) {
            return r[i].why;
        }
    }
    return NULL;
}

const char *ptx_unsupported_word(const char *word, uint32_t n)
{
    return refused(bad_words, ARRAY_LEN(bad_words), word, n);
}

const char *ptx_unsupported_op(const char *word, uint32_t n)
{
    return refused(bad_ops, ARRAY_LEN(bad_ops), word, n);
}
