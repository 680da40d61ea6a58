/*
 * What ptxas makes of products and sums: the cases of opt_contract_test.c.
 *
 * Of each case the body of a kernel, behind CONTRACT_START, and what machine code of
 * sm_90 stores, in the order of addresses: an expression of what was loaded, a to f
 * (f32) and A to D (f64). fma() rounds once; factors and addends are sorted, and a sign
 * in front is that of the product. Of bodies with guards: how many operations there
 * are.
 *
 * Expectations are what ptxas 13.0 wrote, and the same for sm_75, 80 and 90;
 * testbench/tools/contraction.py asks an installed one again.
 */
#ifndef PTX_CONTRACT_CASES_TEST_H
#define PTX_CONTRACT_CASES_TEST_H

/* clang-format off */
#define CONTRACT_START                                                                 \
    ".reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<9>;\n"                          \
    ".reg .f32 %f<40>; .reg .f64 %fd<40>;\n"                                           \
    "ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n];\n"                                 \
    "setp.gt.s32 %p1, %r1, 0; setp.gt.s32 %p2, %r1, 5;\n"                              \
    "ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd1+4];\n"                        \
    "ld.global.f32 %f3, [%rd1+8]; ld.global.f32 %f4, [%rd1+12];\n"                     \
    "ld.global.f32 %f5, [%rd1+16]; ld.global.f32 %f6, [%rd1+20];\n"                    \
    "ld.global.f64 %fd1, [%rd1+64]; ld.global.f64 %fd2, [%rd1+72];\n"                  \
    "ld.global.f64 %fd3, [%rd1+80]; ld.global.f64 %fd4, [%rd1+88];\n"

static const struct contract_case {
    const char *name, *body, *expected;
} contract_cases[] = {
    {"once",
     "mul.f32 %f10,%f1,%f2; add.f32 %f11,%f10,%f3; st.global.f32 [%rd1+128],%f11;",
     "fma(a,b,c)"},
    {"once, addend first",
     "mul.f32 %f10,%f1,%f2; add.f32 %f11,%f3,%f10; st.global.f32 [%rd1+128],%f11;",
     "fma(a,b,c)"},
    {"mul.rn",
     "mul.rn.f32 %f10,%f1,%f2; add.f32 %f11,%f10,%f3; "
     "st.global.f32 [%rd1+128],%f11;",
     "add(c,mul(a,b))"},
    {"add.rn",
     "mul.f32 %f10,%f1,%f2; add.rn.f32 %f11,%f10,%f3; "
     "st.global.f32 [%rd1+128],%f11;",
     "add(c,mul(a,b))"},
    {"both rn",
     "mul.rn.f32 %f10,%f1,%f2; add.rn.f32 %f11,%f10,%f3; "
     "st.global.f32 [%rd1+128],%f11;",
     "add(c,mul(a,b))"},
    {"add.rz",
     "mul.f32 %f10,%f1,%f2; add.rz.f32 %f11,%f10,%f3; "
     "st.global.f32 [%rd1+128],%f11;",
     "add.rz(c,mul(a,b))"},
    {"sub product first",
     "mul.f32 %f10,%f1,%f2; sub.f32 %f11,%f10,%f3; st.global.f32 [%rd1+128],%f11;",
     "fma(a,b,-c)"},
    {"sub product second",
     "mul.f32 %f10,%f1,%f2; sub.f32 %f11,%f3,%f10; st.global.f32 [%rd1+128],%f11;",
     "fma(-a,b,c)"},
    {"two adds",
     "mul.f32 %f10,%f1,%f2; add.f32 %f11,%f10,%f3; add.f32 %f12,%f10,%f4; "
     "st.global.f32 [%rd1+128],%f11; st.global.f32 [%rd1+132],%f12;",
     "fma(a,b,c); fma(a,b,d)"},
    {"six adds",
     "mul.f32 %f10,%f1,%f2; add.f32 %f11,%f10,%f3; add.f32 %f12,%f10,%f4; "
     "add.f32 %f13,%f10,%f5; add.f32 %f14,%f10,%f6; sub.f32 %f15,%f10,%f6; "
     "sub.f32 %f16,%f5,%f10; st.global.f32 [%rd1+128],%f11; "
     "st.global.f32 [%rd1+132],%f12; st.global.f32 [%rd1+136],%f13; "
     "st.global.f32 [%rd1+140],%f14; st.global.f32 [%rd1+144],%f15; "
     "st.global.f32 [%rd1+148],%f16;",
     "fma(a,b,c); fma(a,b,d); fma(a,b,e); fma(a,b,f); fma(a,b,-f); fma(-a,b,e)"},
    {"add and store",
     "mul.f32 %f10,%f1,%f2; add.f32 %f11,%f10,%f3; st.global.f32 [%rd1+128],%f11; "
     "st.global.f32 [%rd1+132],%f10;",
     "add(c,mul(a,b)); mul(a,b)"},
    {"add and mul",
     "mul.f32 %f10,%f1,%f2; add.f32 %f11,%f10,%f3; mul.f32 %f12,%f10,%f4; "
     "st.global.f32 [%rd1+128],%f11; st.global.f32 [%rd1+132],%f12;",
     "add(c,mul(a,b)); mul(d,mul(a,b))"},
    {"two adds and store",
     "mul.f32 %f10,%f1,%f2; add.f32 %f11,%f10,%f3; add.f32 %f12,%f10,%f4; "
     "st.global.f32 [%rd1+128],%f11; st.global.f32 [%rd1+132],%f12; "
     "st.global.f32 [%rd1+136],%f10;",
     "add(c,mul(a,b)); add(d,mul(a,b)); mul(a,b)"},
    {"two products",
     "mul.f32 %f10,%f1,%f2; mul.f32 %f11,%f3,%f4; add.f32 %f12,%f10,%f11; "
     "st.global.f32 [%rd1+128],%f12;",
     "fma(a,b,mul(c,d))"},
    {"two products, other order",
     "mul.f32 %f11,%f3,%f4; mul.f32 %f10,%f1,%f2; add.f32 %f12,%f10,%f11; "
     "st.global.f32 [%rd1+128],%f12;",
     "fma(a,b,mul(c,d))"},
    {"two products, sub",
     "mul.f32 %f10,%f1,%f2; mul.f32 %f11,%f3,%f4; sub.f32 %f12,%f10,%f11; "
     "st.global.f32 [%rd1+128],%f12;",
     "fma(a,b,-mul(c,d))"},
    {"two products, second also stored",
     "mul.f32 %f10,%f1,%f2; mul.f32 %f11,%f3,%f4; add.f32 %f12,%f10,%f11; "
     "st.global.f32 [%rd1+128],%f12; st.global.f32 [%rd1+132],%f11;",
     "fma(a,b,mul(c,d)); mul(c,d)"},
    {"two products, first also stored",
     "mul.f32 %f10,%f1,%f2; mul.f32 %f11,%f3,%f4; add.f32 %f12,%f10,%f11; "
     "st.global.f32 [%rd1+128],%f12; st.global.f32 [%rd1+132],%f10;",
     "fma(c,d,mul(a,b)); mul(a,b)"},
    {"sub itself",
     "mul.f32 %f10,%f1,%f2; sub.f32 %f11,%f10,%f10; "
     "st.global.f32 [%rd1+128],%f11;",
     "add(-mul(a,b),mul(a,b))"},
    {"chain",
     "mul.f32 %f10,%f1,%f2; mul.f32 %f11,%f3,%f4; mul.f32 %f12,%f5,%f6; "
     "add.f32 %f13,%f10,%f11; add.f32 %f14,%f13,%f12; "
     "st.global.f32 [%rd1+128],%f14;",
     "fma(e,f,fma(a,b,mul(c,d)))"},
    {"chain other",
     "mul.f32 %f10,%f1,%f2; mul.f32 %f11,%f3,%f4; mul.f32 %f12,%f5,%f6; "
     "add.f32 %f13,%f10,%f11; add.f32 %f14,%f12,%f13; "
     "st.global.f32 [%rd1+128],%f14;",
     "fma(e,f,fma(a,b,mul(c,d)))"},
    {"mul mul add",
     "mul.f32 %f10,%f1,%f2; mul.f32 %f11,%f10,%f4; add.f32 %f14,%f11,%f3; "
     "st.global.f32 [%rd1+128],%f14;",
     "fma(d,mul(a,b),c)"},
    {"mul add mul add",
     "mul.f32 %f10,%f1,%f2; add.f32 %f11,%f10,%f4; mul.f32 %f14,%f11,%f3; "
     "add.f32 %f15,%f14,%f5; st.global.f32 [%rd1+128],%f15;",
     "fma(c,fma(a,b,d),e)"},
    {"neg of product",
     "mul.f32 %f10,%f1,%f2; neg.f32 %f11,%f10; add.f32 %f14,%f11,%f3; "
     "st.global.f32 [%rd1+128],%f14;",
     "fma(-a,b,c)"},
    {"neg of factor",
     "neg.f32 %f10,%f1; mul.f32 %f11,%f10,%f2; add.f32 %f14,%f11,%f3; "
     "st.global.f32 [%rd1+128],%f14;",
     "fma(-a,b,c)"},
    {"neg of addend",
     "neg.f32 %f10,%f3; mul.f32 %f11,%f1,%f2; add.f32 %f14,%f11,%f10; "
     "st.global.f32 [%rd1+128],%f14;",
     "fma(a,b,-c)"},
    {"neg of result",
     "mul.f32 %f11,%f1,%f2; add.f32 %f14,%f11,%f3; neg.f32 %f15,%f14; "
     "st.global.f32 [%rd1+128],%f15;",
     "-fma(a,b,c)"},
    {"product, its neg, both added",
     "mul.f32 %f10,%f1,%f2; neg.f32 %f11,%f10; add.f32 %f14,%f11,%f3; "
     "add.f32 %f15,%f10,%f4; st.global.f32 [%rd1+128],%f14; "
     "st.global.f32 [%rd1+132],%f15;",
     "fma(-a,b,c); fma(a,b,d)"},
    {"abs of product",
     "mul.f32 %f10,%f1,%f2; abs.f32 %f11,%f10; add.f32 %f14,%f11,%f3; "
     "st.global.f32 [%rd1+128],%f14;",
     "add(c,|mul(a,b)|)"},
    {"abs of factor",
     "abs.f32 %f10,%f1; mul.f32 %f11,%f10,%f2; add.f32 %f14,%f11,%f3; "
     "st.global.f32 [%rd1+128],%f14;",
     "fma(b,|a|,c)"},
    {"abs of addend",
     "abs.f32 %f10,%f3; mul.f32 %f11,%f1,%f2; add.f32 %f14,%f11,%f10; "
     "st.global.f32 [%rd1+128],%f14;",
     "fma(a,b,|c|)"},
    {"times const",
     "mul.f32 %f11,%f1,0f3DCCCCCD; add.f32 %f14,%f11,%f3; "
     "st.global.f32 [%rd1+128],%f14;",
     "fma(0.100000001,a,c)"},
    {"times 2",
     "mul.f32 %f11,%f1,0f40000000; add.f32 %f14,%f11,%f3; "
     "st.global.f32 [%rd1+128],%f14;",
     "fma(2,a,c)"},
    {"times half",
     "mul.f32 %f11,%f1,0f3F000000; add.f32 %f14,%f11,%f3; "
     "st.global.f32 [%rd1+128],%f14;",
     "fma(0.5,a,c)"},
    {"times 1",
     "mul.f32 %f11,%f1,0f3F800000; add.f32 %f14,%f11,%f3; "
     "st.global.f32 [%rd1+128],%f14;",
     "add(a,c)"},
    {"times -1",
     "mul.f32 %f11,%f1,0fBF800000; add.f32 %f14,%f11,%f3; "
     "st.global.f32 [%rd1+128],%f14;",
     "add(-a,c)"},
    {"times -2 and store",
     "mul.f32 %f11,%f1,0fC0000000; add.f32 %f14,%f11,%f3; "
     "st.global.f32 [%rd1+128],%f14; st.global.f32 [%rd1+132],%f11;",
     "add(-mul(2,a),c); -mul(2,a)"},
    {"plus const",
     "mul.f32 %f11,%f1,%f2; add.f32 %f14,%f11,0f3DCCCCCD; "
     "st.global.f32 [%rd1+128],%f14;",
     "fma(a,b,0.100000001)"},
    {"plus 0",
     "mul.f32 %f11,%f1,%f2; add.f32 %f14,%f11,0f00000000; "
     "st.global.f32 [%rd1+128],%f14;",
     "fma(a,b,0)"},
    {"minus 0",
     "mul.f32 %f11,%f1,%f2; sub.f32 %f14,%f11,0f00000000; "
     "st.global.f32 [%rd1+128],%f14;",
     "mul(a,b)"},
    {"zero minus",
     "mul.f32 %f11,%f1,%f2; sub.f32 %f14,0f00000000,%f11; "
     "st.global.f32 [%rd1+128],%f14;",
     "fma(-a,b,0)"},
    {"minus const",
     "mul.f32 %f11,%f1,%f2; sub.f32 %f14,%f11,0f3DCCCCCD; "
     "st.global.f32 [%rd1+128],%f14;",
     "fma(a,b,-0.100000001)"},
    {"const minus",
     "mul.f32 %f11,%f1,%f2; sub.f32 %f14,0f3DCCCCCD,%f11; "
     "st.global.f32 [%rd1+128],%f14;",
     "fma(-a,b,0.100000001)"},
    {"two products, add swapped",
     "mul.f32 %f10,%f1,%f2; mul.f32 %f11,%f3,%f4; add.f32 %f12,%f11,%f10; "
     "st.global.f32 [%rd1+128],%f12;",
     "fma(c,d,mul(a,b))"},
    {"two products, sub swapped",
     "mul.f32 %f10,%f1,%f2; mul.f32 %f11,%f3,%f4; sub.f32 %f12,%f11,%f10; "
     "st.global.f32 [%rd1+128],%f12;",
     "fma(c,d,-mul(a,b))"},
    {"two products, 1st rn",
     "mul.rn.f32 %f10,%f1,%f2; mul.f32 %f11,%f3,%f4; add.f32 %f12,%f10,%f11; "
     "st.global.f32 [%rd1+128],%f12;",
     "fma(c,d,mul(a,b))"},
    {"two products, 2nd rn",
     "mul.f32 %f10,%f1,%f2; mul.rn.f32 %f11,%f3,%f4; add.f32 %f12,%f10,%f11; "
     "st.global.f32 [%rd1+128],%f12;",
     "fma(a,b,mul(c,d))"},
    {"two products, 1st also added elsewhere",
     "mul.f32 %f10,%f1,%f2; mul.f32 %f11,%f3,%f4; add.f32 %f12,%f10,%f11; "
     "add.f32 %f13,%f10,%f5; st.global.f32 [%rd1+128],%f12; "
     "st.global.f32 [%rd1+132],%f13;",
     "fma(c,d,mul(a,b)); add(e,mul(a,b))"},
    {"two products, 2nd also added elsewhere",
     "mul.f32 %f10,%f1,%f2; mul.f32 %f11,%f3,%f4; add.f32 %f12,%f10,%f11; "
     "add.f32 %f13,%f11,%f5; st.global.f32 [%rd1+128],%f12; "
     "st.global.f32 [%rd1+132],%f13;",
     "fma(a,b,mul(c,d)); add(e,mul(c,d))"},
    {"two products, 2nd added earlier elsewhere",
     "mul.f32 %f10,%f1,%f2; mul.f32 %f11,%f3,%f4; add.f32 %f13,%f11,%f5; "
     "add.f32 %f12,%f10,%f11; st.global.f32 [%rd1+128],%f12; "
     "st.global.f32 [%rd1+132],%f13;",
     "fma(a,b,mul(c,d)); add(e,mul(c,d))"},
    {"two products, both in sum and difference",
     "mul.f32 %f10,%f1,%f2; mul.f32 %f11,%f3,%f4; add.f32 %f13,%f10,%f11; "
     "sub.f32 %f12,%f10,%f11; st.global.f32 [%rd1+128],%f12; "
     "st.global.f32 [%rd1+132],%f13;",
     "fma(a,b,-mul(c,d)); fma(a,b,mul(c,d))"},
    {"two products, sum and difference crossed",
     "mul.f32 %f10,%f1,%f2; mul.f32 %f11,%f3,%f4; add.f32 %f13,%f10,%f11; "
     "sub.f32 %f12,%f11,%f10; st.global.f32 [%rd1+128],%f12; "
     "st.global.f32 [%rd1+132],%f13;",
     "fma(-a,b,mul(c,d)); fma(a,b,mul(c,d))"},
    {"three products, all pairs",
     "mul.f32 %f10,%f1,%f2; mul.f32 %f11,%f3,%f4; mul.f32 %f12,%f5,%f6; "
     "add.f32 %f13,%f10,%f11; add.f32 %f14,%f11,%f12; add.f32 %f15,%f12,%f10; "
     "st.global.f32 [%rd1+128],%f13; st.global.f32 [%rd1+132],%f14; "
     "st.global.f32 [%rd1+136],%f15;",
     "fma(a,b,mul(c,d)); fma(e,f,mul(c,d)); fma(e,f,mul(a,b))"},
    {"ftz mul only",
     "mul.ftz.f32 %f10,%f1,%f2; add.f32 %f11,%f10,%f3; "
     "st.global.f32 [%rd1+128],%f11;",
     "add(c,mul.ftz(a,b))"},
    {"ftz add only",
     "mul.f32 %f10,%f1,%f2; add.ftz.f32 %f11,%f10,%f3; "
     "st.global.f32 [%rd1+128],%f11;",
     "add.ftz(c,mul(a,b))"},
    {"ftz both",
     "mul.ftz.f32 %f10,%f1,%f2; add.ftz.f32 %f11,%f10,%f3; "
     "st.global.f32 [%rd1+128],%f11;",
     "fma.ftz(a,b,c)"},
    {"sat mul",
     "mul.sat.f32 %f10,%f1,%f2; add.f32 %f11,%f10,%f3; "
     "st.global.f32 [%rd1+128],%f11;",
     "add(c,mul.sat(a,b))"},
    {"sat add",
     "mul.f32 %f10,%f1,%f2; add.sat.f32 %f11,%f10,%f3; "
     "st.global.f32 [%rd1+128],%f11;",
     "fma.sat(a,b,c)"},
    {"ftz sat add",
     "mul.ftz.f32 %f10,%f1,%f2; add.ftz.sat.f32 %f11,%f10,%f3; "
     "st.global.f32 [%rd1+128],%f11;",
     "fma.ftz.sat(a,b,c)"},
    {"f64",
     "mul.f64 %fd10,%fd1,%fd2; add.f64 %fd11,%fd10,%fd3; "
     "st.global.f64 [%rd1+128],%fd11;",
     "fma(A,B,C)"},
    {"f64 sub",
     "mul.f64 %fd10,%fd1,%fd2; sub.f64 %fd11,%fd3,%fd10; "
     "st.global.f64 [%rd1+128],%fd11;",
     "fma(-A,B,C)"},
    {"f64 sub 1",
     "mul.f64 %fd10,%fd1,%fd2; sub.f64 %fd11,%fd10,%fd3; "
     "st.global.f64 [%rd1+128],%fd11;",
     "fma(A,B,-C)"},
    {"f64 two products",
     "mul.f64 %fd10,%fd1,%fd2; mul.f64 %fd11,%fd3,%fd4; "
     "add.f64 %fd12,%fd10,%fd11; st.global.f64 [%rd1+128],%fd12;",
     "fma(A,B,mul(C,D))"},
    {"f64 two adds",
     "mul.f64 %fd10,%fd1,%fd2; add.f64 %fd11,%fd10,%fd3; "
     "add.f64 %fd12,%fd10,%fd4; st.global.f64 [%rd1+128],%fd11; "
     "st.global.f64 [%rd1+136],%fd12;",
     "fma(A,B,C); fma(A,B,D)"},
    {"f64 add store",
     "mul.f64 %fd10,%fd1,%fd2; add.f64 %fd11,%fd10,%fd3; "
     "st.global.f64 [%rd1+128],%fd11; st.global.f64 [%rd1+136],%fd10;",
     "add(C,mul(A,B)); mul(A,B)"},
    {"f64 mul.rn",
     "mul.rn.f64 %fd10,%fd1,%fd2; add.f64 %fd11,%fd10,%fd3; "
     "st.global.f64 [%rd1+128],%fd11;",
     "add(C,mul(A,B))"},
    {"f64 add.rn",
     "mul.f64 %fd10,%fd1,%fd2; add.rn.f64 %fd11,%fd10,%fd3; "
     "st.global.f64 [%rd1+128],%fd11;",
     "add(C,mul(A,B))"},
    {"f64 neg",
     "mul.f64 %fd10,%fd1,%fd2; neg.f64 %fd13,%fd10; add.f64 %fd11,%fd13,%fd3; "
     "st.global.f64 [%rd1+128],%fd11;",
     "fma(-A,B,C)"},
    {"f64 times 2",
     "mul.f64 %fd10,%fd1,0d4000000000000000; add.f64 %fd11,%fd10,%fd3; "
     "st.global.f64 [%rd1+128],%fd11;",
     "fma(2,A,C)"},
    {"f64 times 1",
     "mul.f64 %fd10,%fd1,0d3FF0000000000000; add.f64 %fd11,%fd10,%fd3; "
     "st.global.f64 [%rd1+128],%fd11;",
     "add(A,C)"},
    {"product through mov",
     "mul.f32 %f10,%f1,%f2; mov.f32 %f12,%f10; add.f32 %f11,%f12,%f3; "
     "st.global.f32 [%rd1+128],%f11;",
     "fma(a,b,c)"},
    {"product through mov b32",
     "mul.f32 %f10,%f1,%f2; mov.b32 %r4,%f10; mov.b32 %f12,%r4; "
     "add.f32 %f11,%f12,%f3; st.global.f32 [%rd1+128],%f11;",
     "fma(a,b,c)"},
    {"product in fma",
     "mul.f32 %f10,%f1,%f2; fma.rn.f32 %f11,%f3,%f4,%f10; "
     "st.global.f32 [%rd1+128],%f11;",
     "fma(c,d,mul(a,b))"},
    {"product factor of fma and added",
     "mul.f32 %f10,%f1,%f2; fma.rn.f32 %f11,%f3,%f4,%f10; add.f32 %f12,%f10,%f5; "
     "st.global.f32 [%rd1+128],%f11; st.global.f32 [%rd1+132],%f12;",
     "fma(c,d,mul(a,b)); add(e,mul(a,b))"},
    {"fma plus c",
     "fma.rn.f32 %f10,%f1,%f2,%f3; add.f32 %f11,%f10,%f4; "
     "st.global.f32 [%rd1+128],%f11;",
     "add(d,fma(a,b,c))"},
    {"the same product twice, one stored",
     "mul.f32 %f10,%f1,%f2; mul.f32 %f11,%f1,%f2; add.f32 %f12,%f10,%f3; "
     "st.global.f32 [%rd1+128],%f12; st.global.f32 [%rd1+132],%f11;",
     "fma(a,b,c); mul(a,b)"},
    {"the same product commuted, one stored",
     "mul.f32 %f10,%f1,%f2; mul.f32 %f11,%f2,%f1; add.f32 %f12,%f10,%f3; "
     "st.global.f32 [%rd1+128],%f12; st.global.f32 [%rd1+132],%f11;",
     "fma(a,b,c); mul(a,b)"},
    {"the same product with .rn, stored",
     "mul.rn.f32 %f10,%f1,%f2; mul.f32 %f11,%f1,%f2; add.f32 %f12,%f11,%f3; "
     "st.global.f32 [%rd1+128],%f12; st.global.f32 [%rd1+132],%f10;",
     "fma(a,b,c); mul(a,b)"},
    {"mul pow2 then product sum",
     "mul.f32 %f10,%f1,%f2; mul.f32 %f11,%f10,0f40000000; add.f32 %f12,%f11,%f3; "
     "st.global.f32 [%rd1+128],%f12;",
     "fma(2,mul(a,b),c)"},
    {"product reg overwritten factor",
     "mul.f32 %f10,%f1,%f2; add.f32 %f1,%f3,%f4; add.f32 %f11,%f10,%f1; "
     "st.global.f32 [%rd1+128],%f11;",
     "fma(a,b,add(c,d))"},
    {"product register reused",
     "mul.f32 %f10,%f1,%f2; add.f32 %f10,%f10,%f3; mul.f32 %f11,%f4,%f5; "
     "add.f32 %f10,%f10,%f11; st.global.f32 [%rd1+128],%f10;",
     "fma(d,e,fma(a,b,c))"},
    {"accumulate in place",
     "mul.f32 %f10,%f1,%f2; add.f32 %f3,%f3,%f10; mul.f32 %f10,%f4,%f5; "
     "add.f32 %f3,%f3,%f10; st.global.f32 [%rd1+128],%f3;",
     "fma(d,e,fma(a,b,c))"},
    {"min of product too",
     "mul.f32 %f10,%f1,%f2; add.f32 %f11,%f10,%f3; min.f32 %f12,%f10,%f4; "
     "st.global.f32 [%rd1+128],%f11; st.global.f32 [%rd1+132],%f12;",
     "add(c,mul(a,b)); min(d,mul(a,b))"},
    {"the other reader is dead",
     "mul.f32 %f10,%f1,%f2; add.f32 %f11,%f10,%f3; min.f32 %f12,%f10,%f4; "
     "st.global.f32 [%rd1+132],%f11;",
     "fma(a,b,c)"},
    {"one of two sums is rounded",
     "mul.f32 %f10,%f1,%f2; add.f32 %f11,%f10,%f3; add.rn.f32 %f12,%f10,%f4; "
     "st.global.f32 [%rd1+132],%f11; st.global.f32 [%rd1+136],%f12;",
     "add(c,mul(a,b)); add(d,mul(a,b))"},
    {"product used sub minus itself through neg",
     "mul.f32 %f10,%f1,%f2; neg.f32 %f11,%f10; add.f32 %f12,%f11,%f10; "
     "st.global.f32 [%rd1+132],%f12;",
     "add(-mul(a,b),mul(a,b))"},
    {"neg neg",
     "mul.f32 %f10,%f1,%f2; neg.f32 %f11,%f10; neg.f32 %f13,%f11; "
     "sub.f32 %f12,%f3,%f13; st.global.f32 [%rd1+132],%f12;",
     "fma(-a,b,c)"},
    {"mad.rn",
     "mad.rn.f32 %f10,%f1,%f2,%f3; st.global.f32 [%rd1+132],%f10;",
     "fma(a,b,c)"},
    {"mul same operand plus",
     "mul.f32 %f10,%f1,%f1; add.f32 %f13,%f10,%f1; st.global.f32 [%rd1+132],%f13;",
     "fma(a,a,a)"},
    {"add in then-block",
     "mul.f32 %f10,%f1,%f2; mov.f32 %f11,%f4; @!%p1 bra L; bar.sync 0; "
     "add.f32 %f11,%f10,%f3; L: st.global.f32 [%rd1+128],%f11;",
     "1 mul 1 add 0 fma"},
    {"add behind a barrier",
     "mul.f32 %f10,%f1,%f2; bar.sync 0; add.f32 %f11,%f10,%f3; "
     "st.global.f32 [%rd1+128],%f11;",
     "fma(a,b,c)"},
    {"add behind a join",
     "mul.f32 %f10,%f1,%f2; @!%p1 bra L; bar.sync 0; "
     "st.global.f32 [%rd1+132],%f5; L: add.f32 %f11,%f10,%f3; "
     "st.global.f32 [%rd1+128],%f11;",
     "1 mul 1 add 0 fma"},
    {"by a constant, add in another block",
     "mul.f32 %f10,%f1,0f3F8147AE; @!%p1 bra L; bar.sync 0; "
     "add.f32 %f11,%f10,%f3; st.global.f32 [%rd1+128],%f11; L: bar.sync 1;",
     "0 mul 0 add 1 fma"},
    {"by a constant, adds in two blocks",
     "mul.f32 %f10,%f1,0f3F8147AE; @!%p1 bra L; bar.sync 0; "
     "add.f32 %f11,%f10,%f3; st.global.f32 [%rd1+128],%f11; L: bar.sync 1; "
     "sub.f32 %f12,%f4,%f10; st.global.f32 [%rd1+132],%f12;",
     "0 mul 0 add 2 fma"},
    {"by a constant, read itself in another block",
     "mul.f32 %f10,%f1,0f3F8147AE; add.f32 %f12,%f10,%f4; "
     "st.global.f32 [%rd1+132],%f12; "
     "@!%p1 bra L; bar.sync 0; st.global.f32 [%rd1+128],%f10; L: bar.sync 1;",
     "1 mul 1 add 0 fma"},
    {"adds in both branches",
     "mul.f32 %f10,%f1,%f2; @!%p1 bra L; bar.sync 0; add.f32 %f11,%f10,%f3; "
     "st.global.f32 [%rd1+132],%f11; bra M; L: bar.sync 1; add.f32 %f11,%f10,%f4; "
     "st.global.f32 [%rd1+128],%f11; M:",
     "1 mul 2 add 0 fma"},
    {"guarded add, plain mul",
     "mul.f32 %f10,%f1,%f2; mov.f32 %f11,%f4; @%p1 add.f32 %f11,%f10,%f3; "
     "st.global.f32 [%rd1+128],%f11;",
     "0 mul 0 add 1 fma"},
    {"guarded mul with default, plain add",
     "mov.f32 %f10,%f4; @%p1 mul.f32 %f10,%f1,%f2; add.f32 %f11,%f10,%f3; "
     "st.global.f32 [%rd1+128],%f11;",
     "1 mul 1 add 0 fma"},
    {"both guarded differently",
     "mov.f32 %f11,%f4; mov.f32 %f10,%f5; @%p1 mul.f32 %f10,%f1,%f2; "
     "@%p2 add.f32 %f11,%f10,%f3; st.global.f32 [%rd1+128],%f11;",
     "1 mul 1 add 0 fma"},
    {"both guarded opposite",
     "mov.f32 %f11,%f4; mov.f32 %f10,%f5; @%p1 mul.f32 %f10,%f1,%f2; "
     "@!%p1 add.f32 %f11,%f10,%f3; st.global.f32 [%rd1+128],%f11;",
     "1 mul 1 add 0 fma"},
    {"then-block short branch: mul and add within",
     "mov.f32 %f11,%f4; @!%p1 bra L; mul.f32 %f10,%f1,%f2; add.f32 %f11,%f10,%f3; "
     "L: st.global.f32 [%rd1+128],%f11;",
     "0 mul 0 add 1 fma"},
    {"short branch: mul before add within",
     "mov.f32 %f11,%f4; mul.f32 %f10,%f1,%f2; @!%p1 bra L; add.f32 %f11,%f10,%f3; "
     "L: st.global.f32 [%rd1+128],%f11;",
     "1 mul 1 add 0 fma"},
    {"short branch: mul before, add within, add behind too",
     "mov.f32 %f11,%f4; mul.f32 %f10,%f1,%f2; @!%p1 bra L; add.f32 %f11,%f10,%f3; "
     "L: add.f32 %f12,%f10,%f5; st.global.f32 [%rd1+128],%f11; "
     "st.global.f32 [%rd1+132],%f12;",
     "1 mul 2 add 0 fma"},
    {"mul in both long branches, add behind",
     "@!%p1 bra L; mul.f32 %f10,%f1,%f2; bar.sync 0; bra M; "
     "L: mul.f32 %f10,%f3,%f4; bar.sync 1; M: add.f32 %f12,%f10,%f5; "
     "st.global.f32 [%rd1+132],%f12;",
     "2 mul 1 add 0 fma"},
    {"mul with store in one branch",
     "mul.f32 %f10,%f1,%f2; add.f32 %f11,%f10,%f3; st.global.f32 [%rd1+128],%f11; "
     "@!%p1 bra L; bar.sync 0; st.global.f32 [%rd1+132],%f10; L:",
     "1 mul 1 add 0 fma"},
    {"same register, product then other value",
     "mul.f32 %f10,%f1,%f2; add.f32 %f11,%f10,%f3; mov.f32 %f10,%f4; bar.sync 0; "
     "add.f32 %f12,%f10,%f5; st.global.f32 [%rd1+128],%f11; "
     "st.global.f32 [%rd1+132],%f12;",
     "fma(a,b,c); add(d,e)"},
    {"product register is two products, one stored",
     "mul.f32 %f10,%f1,%f2; add.f32 %f11,%f10,%f3; mul.f32 %f10,%f4,%f5; "
     "st.global.f32 [%rd1+128],%f11; st.global.f32 [%rd1+132],%f10;",
     "fma(a,b,c); mul(d,e)"},
    {"complex multiply",
     "mul.f32 %f10,%f1,%f3; mul.f32 %f11,%f2,%f4; sub.f32 %f12,%f10,%f11; "
     "mul.f32 %f13,%f1,%f4; mul.f32 %f14,%f2,%f3; add.f32 %f15,%f13,%f14; "
     "st.global.f32 [%rd1+128],%f12; st.global.f32 [%rd1+132],%f15;",
     "fma(a,c,-mul(b,d)); fma(a,d,mul(b,c))"},
    {"rotate with squares",
     "mul.f32 %f10,%f1,%f1; mul.f32 %f11,%f2,%f2; add.f32 %f12,%f10,%f11; "
     "sub.f32 %f13,%f10,%f11; add.f32 %f14,%f13,%f3; "
     "st.global.f32 [%rd1+128],%f12; st.global.f32 [%rd1+132],%f14;",
     "fma(a,a,mul(b,b)); add(c,fma(a,a,-mul(b,b)))"},
    {"polynomial",
     "mul.f32 %f10,%f1,%f2; add.f32 %f11,%f10,%f3; mul.f32 %f12,%f11,%f1; "
     "add.f32 %f13,%f12,%f4; mul.f32 %f14,%f13,%f1; add.f32 %f15,%f14,%f5; "
     "st.global.f32 [%rd1+128],%f15;",
     "fma(a,fma(a,fma(a,b,c),d),e)"},
    {"norm of three",
     "mul.f32 %f10,%f1,%f1; mul.f32 %f11,%f2,%f2; mul.f32 %f12,%f3,%f3; "
     "add.f32 %f13,%f10,%f11; add.f32 %f14,%f13,%f12; "
     "st.global.f32 [%rd1+128],%f14;",
     "fma(c,c,fma(a,a,mul(b,b)))"},
    {"rn product in the middle",
     "mul.f32 %f10,%f1,%f2; mul.rn.f32 %f12,%f10,%f3; add.f32 %f13,%f12,%f4; "
     "st.global.f32 [%rd1+128],%f13;",
     "add(d,mul(c,mul(a,b)))"},
    {"abs after neg etc",
     "mul.f32 %f10,%f1,%f2; sub.f32 %f11,%f10,%f3; abs.f32 %f12,%f11; "
     "mul.f32 %f13,%f12,%f4; add.f32 %f14,%f13,%f12; "
     "st.global.f32 [%rd1+128],%f14;",
     "fma(d,|fma(a,b,-c)|,|fma(a,b,-c)|)"},
    {"times mov const",
     "mov.f32 %f10,0f40400000; mul.f32 %f11,%f1,%f10; add.f32 %f12,%f11,%f1; "
     "st.global.f32 [%rd1+128],%f12;",
     "fma(3,a,a)"},
    {"times mov one",
     "mov.f32 %f10,0f3F800000; mul.f32 %f11,%f1,%f10; add.f32 %f12,%f11,%f2; "
     "st.global.f32 [%rd1+128],%f12;",
     "add(a,b)"},
    {"two readers against three",
     "mul.f32 %f10, %f1, %f6; mul.f32 %f11, %f3, %f5; add.f32 %f12, %f11, %f10; "
     "mul.f32 %f13, %f6, %f4; mul.f32 %f15, %f5, %f4; sub.f32 %f16, %f10, %f11; "
     "add.f32 %f17, %f15, %f11; sub.f32 %f18, %f15, %f13; "
     "st.global.f32 [%rd1+128], %f12; st.global.f32 [%rd1+132], %f16; "
     "st.global.f32 [%rd1+136], %f17; st.global.f32 [%rd1+140], %f18;",
     "fma(a,f,mul(c,e)); fma(a,f,-mul(c,e)); add(mul(c,e),mul(d,e)); "
     "fma(-d,f,mul(d,e))"},
    {"one reader goes first",
     "mul.f32 %f10, %f6, %f1; mul.f32 %f15, %f4, %f3; sub.f32 %f12, %f10, %f1; "
     "sub.f32 %f16, %f15, %f10; add.f32 %f17, %f15, %f2; "
     "st.global.f32 [%rd1+128], %f12; st.global.f32 [%rd1+132], %f16; "
     "st.global.f32 [%rd1+136], %f17;",
     "fma(a,f,-a); fma(c,d,-mul(a,f)); fma(c,d,b)"},
    {"four products in a ring",
     "mul.f32 %f10, %f1, %f2; mul.f32 %f11, %f2, %f3; mul.f32 %f12, %f3, %f4; "
     "mul.f32 %f13, %f4, %f5; add.f32 %f14, %f10, %f11; add.f32 %f15, %f11, %f12; "
     "sub.f32 %f16, %f12, %f13; add.f32 %f17, %f13, %f10; "
     "st.global.f32 [%rd1+128], %f14; st.global.f32 [%rd1+132], %f15; "
     "st.global.f32 [%rd1+136], %f16; st.global.f32 [%rd1+140], %f17;",
     "fma(a,b,mul(b,c)); fma(c,d,mul(b,c)); fma(c,d,-mul(d,e)); "
     "fma(a,b,mul(d,e))"},
    {"a product in three sums with others",
     "mul.f32 %f10, %f4, %f6; mul.f32 %f11, %f5, %f6; mul.f32 %f12, %f3, %f5; "
     "mul.f32 %f13, %f1, %f5; sub.f32 %f14, %f11, %f5; add.f32 %f15, %f12, %f11; "
     "sub.f32 %f16, %f11, %f13; sub.f32 %f17, %f11, %f12; "
     "sub.f32 %f18, %f13, %f12; sub.f32 %f19, %f10, %f13; "
     "st.global.f32 [%rd1+128], %f14; st.global.f32 [%rd1+132], %f15; "
     "st.global.f32 [%rd1+136], %f16; st.global.f32 [%rd1+140], %f17; "
     "st.global.f32 [%rd1+144], %f18; st.global.f32 [%rd1+148], %f19;",
     "fma(e,f,-e); fma(c,e,mul(e,f)); add(-mul(a,e),mul(e,f)); "
     "fma(-c,e,mul(e,f)); fma(-c,e,mul(a,e)); fma(d,f,-mul(a,e))"},
    {"minus a negated product",
     "mul.f32 %f10, %f1, %f2; neg.f32 %f11, %f10; sub.f32 %f12, %f11, %f3; "
     "st.global.f32 [%rd1+128], %f12;",
     "fma(-a,b,-c)"},
    {"a sum of products as an addend",
     "mul.f32 %f10, %f1, %f2; mul.f32 %f11, %f3, %f4; add.f32 %f12, %f10, %f11; "
     "mul.f32 %f13, %f5, %f6; sub.f32 %f14, %f12, %f13; sub.f32 %f15, %f13, %f12; "
     "st.global.f32 [%rd1+128], %f14; st.global.f32 [%rd1+132], %f15;",
     "fma(-e,f,fma(a,b,mul(c,d))); fma(e,f,-fma(a,b,mul(c,d)))"},
    {"one of two equal products",
     "mul.f32 %f10, %f5, %f6; mul.f32 %f11, %f1, %f3; sub.f32 %f12, %f10, %f3; "
     "add.f32 %f13, %f3, %f11; add.f32 %f14, %f11, %f10; "
     "sub.f32 %f15, %f10, %f12; st.global.f32 [%rd1+128], %f13; "
     "st.global.f32 [%rd1+132], %f14; st.global.f32 [%rd1+136], %f15;",
     "fma(a,c,c); fma(a,c,mul(e,f)); add(-fma(e,f,-c),mul(e,f))"},
};
/* clang-format on */

#endif /* PTX_CONTRACT_CASES_TEST_H */
