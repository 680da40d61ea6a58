/* Which capability has an instruction first: the "Target ISA Notes" of the PTX ISA, one
 * line each, and how the refusal is said (SPEC LAUNCH-3). */
#include "ptx/front_test.h"
#include "ptx/insn_table.h"

struct row {
    const char *insn;
    uint32_t cc;
    const char *what; /* NULL: the operation's own name */
};

#define F64 "double precision"
#define GEN "generic addresses"

static const struct row rows[] = {
    {"add.s32 %r1, %r2, %r3", 10, "a kernel"},
    {"mul.lo.u64 %d1, %d2, %d3", 10, "a kernel"},
    {"add.cc.u32 %r1, %r2, %r3", 10, "a kernel"},
    {"addc.u32 %r1, %r2, %r3", 10, "a kernel"},
    {"add.cc.u64 %d1, %d2, %d3", 20, "64-bit carry chains"},
    {"mad.lo.cc.u32 %r1, %r2, %r3, %r4", 20, "mad.cc"},
    {"madc.hi.u32 %r1, %r2, %r3, %r4", 20, NULL},
    {"mul24.lo.s32 %r1, %r2, %r3", 10, "a kernel"},
    {"sad.u32 %r1, %r2, %r3, %r4", 10, "a kernel"},
    {"popc.b32 %r1, %r2", 20, NULL},
    {"tex.1d.v4.s32.s32 {%r1,%r2,%r3,%r4}, [%d1, {%r1}]", 10, "a kernel"},
    {"tex.a1d.v4.s32.s32 {%r1,%r2,%r3,%r4}, [%d1, {%r1,%r2}]", 20, "layered textures"},
    {"tld4.r.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%d1, {%f1,%f2}]", 20, NULL},
    {"txq.width.b32 %r1, [%d1]", 20, NULL},
    {"suld.b.1d.b32.trap {%r1}, [%d1, {%r2}]", 20, NULL},
    {"sust.b.1d.b32.trap [%d1, {%r2}], {%r1}", 20, NULL},
    {"sured.b.add.1d.u32.trap [%d1, {%r2}], %r1", 30, NULL},
    {"suq.width.b32 %r1, [%d1]", 20, NULL},
    {"clz.b32 %r1, %r2", 20, NULL},
    {"bfind.u32 %r1, %r2", 20, NULL},
    {"brev.b32 %r1, %r2", 20, NULL},
    {"bfe.u32 %r1, %r2, 1, 3", 20, NULL},
    {"bfi.b32 %r1, %r2, %r3, 1, 3", 20, NULL},
    {"prmt.b32 %r1, %r2, %r3, 7", 20, NULL},
    {"shf.l.wrap.b32 %r1, %r2, %r3, 7", 32, NULL},
    {"lop3.b32 %r1, %r2, %r3, %r4, 7", 50, NULL},
    {"dp4a.u32.u32 %r1, %r2, %r3, %r4", 61, NULL},
    {"dp2a.lo.u32.u32 %r1, %r2, %r3, %r4", 61, NULL},
    {"fns.b32 %r1, %r2, %r3, %r4", 30, NULL},
    {"bmsk.clamp.b32 %r1, %r2, %r3", 70, NULL},
    {"szext.wrap.s32 %r1, %r2, %r3", 70, NULL},
    /* video */
    {"vadd.u32.s32.u32 %r1, %r2.b0, %r3.h1", 30, NULL},
    {"vsub.u32.s32.u32 %r1, %r2.b0, %r3.h1", 30, NULL},
    {"vabsdiff.u32.s32.u32 %r1, %r2.b0, %r3.h1", 30, NULL},
    {"vmin.u32.s32.u32 %r1, %r2.b0, %r3.h1", 30, NULL},
    {"vmax.u32.s32.u32 %r1, %r2.b0, %r3.h1", 30, NULL},
    {"vshl.u32.s32.u32.clamp %r1, %r2, %r3", 30, NULL},
    {"vshr.u32.s32.u32.clamp %r1, %r2, %r3", 30, NULL},
    {"vmad.s32.s32.u32.shr7 %r1, %r2, -%r3, %r4", 30, NULL},
    {"vset.s32.u32.lt %r1, %r2, %r3", 30, NULL},
    {"vadd2.u32.s32.u32.add %r1, %r2, %r3, %r4", 30, NULL},
    {"vsub2.u32.s32.u32.add %r1, %r2, %r3, %r4", 30, NULL},
    {"vavrg2.u32.s32.u32.add %r1, %r2, %r3, %r4", 30, NULL},
    {"vabsdiff2.u32.s32.u32.add %r1, %r2, %r3, %r4", 30, NULL},
    {"vmin2.u32.s32.u32.add %r1, %r2, %r3, %r4", 30, NULL},
    {"vmax2.u32.s32.u32.add %r1, %r2, %r3, %r4", 30, NULL},
    {"vset2.s32.u32.lt %r1, %r2, %r3, %r4", 30, NULL},
    {"vadd4.u32.s32.u32.add %r1, %r2, %r3, %r4", 30, NULL},
    {"vsub4.u32.s32.u32.add %r1, %r2, %r3, %r4", 30, NULL},
    {"vavrg4.u32.s32.u32.add %r1, %r2, %r3, %r4", 30, NULL},
    {"vabsdiff4.u32.s32.u32.add %r1, %r2, %r3, %r4", 30, NULL},
    {"vmin4.u32.s32.u32.add %r1, %r2, %r3, %r4", 30, NULL},
    {"vmax4.u32.s32.u32.add %r1, %r2, %r3, %r4", 30, NULL},
    {"vset4.s32.u32.lt %r1, %r2, %r3, %r4", 30, NULL},
    {"add.u16x2 %r1, %r2, %r3", 90, "packed integers"},
    {"max.relu.s16x2 %r1, %r2, %r3", 90, "packed integers"},
    {"min.relu.s32 %r1, %r2, %r3", 90, "relu"},
    /* f32 */
    {"add.f32 %f1, %f2, %f3", 10, "a kernel"},
    {"add.rz.f32 %f1, %f2, %f3", 10, "a kernel"},
    {"add.rm.f32 %f1, %f2, %f3", 20, "directed rounding of f32"},
    {"mul.rp.f32 %f1, %f2, %f3", 20, "directed rounding of f32"},
    {"fma.rn.f32 %f1, %f2, %f3, %f4", 20, NULL},
    {"mad.rn.f32 %f1, %f2, %f3, %f4", 20, "mad.f32 with rounding"},
    {"div.approx.f32 %f1, %f2, %f3", 10, "a kernel"},
    {"div.full.f32 %f1, %f2, %f3", 10, "a kernel"},
    {"div.rn.f32 %f1, %f2, %f3", 20, "division rounded as IEEE 754"},
    {"rcp.rn.f32 %f1, %f2", 20, "reciprocals rounded as IEEE 754"},
    {"sqrt.approx.f32 %f1, %f2", 10, "a kernel"},
    {"sqrt.rn.f32 %f1, %f2", 20, "square roots rounded as IEEE 754"},
    {"sin.approx.f32 %f1, %f2", 10, "a kernel"},
    {"tanh.approx.f32 %f1, %f2", 75, NULL},
    {"copysign.f32 %f1, %f2, %f3", 20, NULL},
    {"testp.finite.f32 %p1, %f2", 20, NULL},
    /* narrow floating point */
    {"add.f16 %h1, %h2, %h3", 53, "half precision"},
    {"mul.ftz.sat.f16x2 %r1, %r2, %r3", 53, "half precision"},
    {"fma.rn.f16 %h1, %h2, %h3, %h3", 53, "half precision"},
    {"fma.rn.relu.f16 %h1, %h2, %h3, %h3", 80, "fma.relu"},
    {"fma.rn.oob.bf16x2 %r1, %r2, %r3, %r3", 90, "fma.oob"},
    {"fma.rn.bf16 %h1, %h2, %h3, %h3", 80, "bfloat16"},
    {"sub.bf16 %h1, %h2, %h3", 90, "sums of bfloat16"},
    {"mul.bf16x2 %r1, %r2, %r3", 90, "products of bfloat16"},
    {"neg.f16 %h1, %h2", 53, "half precision"},
    {"abs.bf16 %h1, %h2", 80, "bfloat16"},
    {"min.f16 %h1, %h2, %h3", 80, "min and max of half precision"},
    {"max.NaN.f32 %f1, %f2, %f3", 80, "max.NaN"},
    {"max.xorsign.abs.f16x2 %r1, %r2, %r3", 86, "max.xorsign.abs"},
    {"ex2.approx.f16 %h1, %h2", 75, "ex2 of half precision"},
    {"ex2.approx.ftz.bf16 %h1, %h2", 90, "ex2 of bfloat16"},
    {"tanh.approx.f16 %h1, %h2", 75, NULL},
    {"tanh.approx.bf16x2 %r1, %r2", 90, "tanh of bfloat16"},
    {"setp.lt.f16 %p1, %h1, %h2", 53, "half precision"},
    {"setp.lt.bf16x2 %p1|%p2, %r1, %r2", 90, "comparisons of bfloat16"},
    {"set.lt.f16.s32 %h1, %r1, %r2", 53, "half precision"},
    {"set.lt.bf16.f32 %h1, %f1, %f2", 90, "comparisons that make bfloat16"},
    {"cvt.f32.f16 %f1, %h1", 10, "a kernel"},
    {"cvt.rn.f16.f32 %h1, %f1", 10, "a kernel"},
    {"cvt.rn.f16.f64 %h1, %g1", 13, F64},
    {"cvt.rn.satfinite.f16.f32 %h1, %f1", 75, "cvt.satfinite"},
    {"cvt.rn.relu.f16.f32 %h1, %f1", 80, "cvt.relu"},
    {"cvt.rn.bf16.f32 %h1, %f1", 80, "bfloat16"},
    {"cvt.rzi.s8.bf16 %r1, %h1", 90, "conversions of bfloat16"},
    {"cvt.rn.bf16.u8 %h1, %r1", 90, "conversions of bfloat16"},
    {"cvt.rn.bf16.s32 %h1, %r1", 90, "conversions of bfloat16"},
    {"cvt.rn.f16x2.f32 %r1, %f1, %f2", 80, "conversions of two values"},
    {"cvt.rna.tf32.f32 %r1, %f1", 80, "tf32"},
    {"cvt.rn.tf32.f32 %r1, %f1", 90, "tf32 with this rounding"},
    {"cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2", 89, "8-bit floating point"},
    {"cvt.rn.f16x2.e5m2x2 %r1, %h1", 89, "8-bit floating point"},
    {"atom.global.add.noftz.f16x2 %r1, [%d1], %r2", 60, "atomic add of f16x2"},
    {"red.shared.add.noftz.f16 [%r1], %h2", 70, "atomic add of f16"},
    {"atom.add.noftz.bf16 %h1, [%d1], %h2", 90, "atomic add of bf16"},
    /* f64 */
    {"add.f64 %g1, %g2, %g3", 13, F64},
    {"fma.rn.f64 %g1, %g2, %g3, %g4", 13, F64},
    {"div.rn.f64 %g1, %g2, %g3", 13, F64},
    {"div.rz.f64 %g1, %g2, %g3", 20, "directed rounding of double division and roots"},
    {"sqrt.rp.f64 %g1, %g2", 20, "directed rounding of double division and roots"},
    {"rcp.rn.f64 %g1, %g2", 13, F64},
    {"rcp.approx.ftz.f64 %g1, %g2", 20, "approximate double reciprocal"},
    {"rsqrt.approx.f64 %g1, %g2", 13, F64},
    {"rsqrt.approx.ftz.f64 %g1, %g2", 20, "flushing double reciprocal root"},
    {"mov.f64 %g1, %g2", 13, F64},
    {"ld.global.f64 %g1, [%d1]", 13, F64},
    {"st.shared.v2.f64 [%r1], {%g1, %g2}", 13, F64},
    {"cvt.f64.f32 %g1, %f2", 13, F64},
    {"cvt.rzi.s32.f64 %r1, %g2", 13, F64},
    {"slct.f64.s32 %g1, %g2, %g3, %r4", 13, F64},
    {"setp.lt.f64 %p1, %g2, %g3", 13, F64},
    /* memory */
    {"ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d1]", 10, "a kernel"},
    {"ld.volatile.shared.u32 %r1, [%r2]", 10, "a kernel"},
    {"ld.u32 %r1, [%d1]", 20, GEN},
    {"st.u32 [%d1], %r1", 20, GEN},
    {"ld.global.cg.u32 %r1, [%d1]", 20, "cache operators"},
    {"ld.global.ca.u32 %r1, [%d1]", 20, "cache operators"},
    {"st.global.wt.u32 [%d1], %r1", 20, "cache operators"},
    {"ld.global.nc.u32 %r1, [%d1]", 10, "a kernel"},
    {"ld.weak.global.u32 %r1, [%d1]", 70, "memory-ordered accesses"},
    {"ld.relaxed.gpu.global.u32 %r1, [%d1]", 70, "memory-ordered loads"},
    {"ld.global.L1::evict_last.u32 %r1, [%d1]", 70, "eviction hints"},
    {"ld.global.L2::128B.u32 %r1, [%d1]", 75, "prefetch sizes"},
    {"ld.mmio.relaxed.sys.global.u32 %r1, [%d1]", 70, "memory-ordered loads"},
    {"st.mmio.relaxed.sys.u32 [%d1], %r1", 70, "memory-ordered stores"},
    {"ld.relaxed.cluster.global.u32 %r1, [%d1]", 90, "the scope of clusters"},
    {"cvta.global.u64 %d1, %d2", 10, "a kernel"},
    {"cvta.to.shared.u64 %d1, %d2", 10, "a kernel"},
    {"isspacep.global %p1, %d1", 20, GEN},
    {"isspacep.param %p1, %d1", 70, "generic addresses of parameters"},
    {"ld.shared::cluster.u32 %r1, [%r2]", 90, "shared memory of clusters"},
    {"mapa.u64 %d1, %d2, 1", 90, "thread block clusters"},
    {"getctarank.shared::cluster.u32 %r1, %r2", 90, "thread block clusters"},
    {"barrier.cluster.arrive.aligned", 90, "thread block clusters"},
    {"mov.u32 %r1, %cluster_ctarank", 90, "%cluster_ctarank"},
    {"prefetch.global.L1 [%d1]", 20, NULL},
    {"ldu.global.u32 %r1, [%d1]", 20, NULL},
    /* atomics */
    {"red.global.add.u32 [%d1], %r1", 11, "atomics on global memory"},
    {"atom.global.cas.b32 %r1, [%d1], %r2, %r3", 11, "atomics on global memory"},
    {"atom.shared.add.u32 %r1, [%r2], %r3", 12, "atomics on shared memory"},
    {"atom.shared.exch.b32 %r1, [%r2], %r3", 12, "atomics on shared memory"},
    {"atom.global.add.u64 %d1, [%d2], %d3", 12, "64-bit atomics on global memory"},
    {"atom.shared.cas.b64 %d1, [%r1], %d2, %d3", 20, "64-bit atomics on shared memory"},
    {"atom.add.u32 %r1, [%d1], %r2", 20, GEN},
    {"red.global.add.f32 [%d1], %f1", 20, "atomic add of f32"},
    {"atom.global.max.u64 %d1, [%d2], %d3", 32, "64-bit atomic min and max"},
    {"atom.global.and.b64 %d1, [%d2], %d3", 32, "64-bit atomic logic"},
    {"red.global.add.f64 [%d1], %g1", 60, "atomic add of f64"},
    {"atom.global.sys.add.u32 %r1, [%d1], %r2", 60, "atomics with a scope"},
    {"atom.relaxed.gpu.global.add.u32 %r1, [%d1], %r2", 70, "memory-ordered atomics"},
    {"atom.global.cas.b16 %h1, [%d1], %h2, %h3", 70, "16-bit atomics"},
    /* lanes */
    {"vote.all.pred %p1, %p2", 12, NULL},
    {"vote.ballot.b32 %r1, %p1", 20, "ballots"},
    {"vote.sync.ballot.b32 %r1, %p1, -1", 20, "ballots"},
    {"vote.sync.any.pred %p2, %p1, -1", 12, NULL},
    {"shfl.down.b32 %r1, %r2, 1, 31", 30, NULL},
    {"shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1", 30, NULL},
    {"match.any.sync.b32 %r1, %r2, -1", 70, NULL},
    {"match.any.sync.b64 %r1, %d1, -1", 70, NULL}, /* the mask has 32 bits */
    {"match.all.sync.b64 %r1|%p1, %d1, -1", 70, NULL},
    {"redux.sync.add.u32 %r1, %r2, -1", 80, NULL},
    {"activemask.b32 %r1", 30, NULL},
    {"elect.sync %r1|%p1, -1", 90, NULL},
    /* matrices */
    {"mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r1, %r2, %r3, %r4}, {%r1, "
     "%r2}, "
     "{%r1, %r2}, {%r1, %r2, %r3, %r4}",
     70, NULL},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, "
     "{%r1, %r2}, {%r3}, {%f1, %f2, %f3, %f4}",
     75, "mma.m16n8k8"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, "
     "{%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4}",
     80, "mma.m16n8k16"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f1, %f2, %f3, %f4}, "
     "{%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4}",
     80, "mma of bf16"},
    {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, %f4}, "
     "{%r1, %r2}, %r3, {%f1, %f2, %f3, %f4}",
     80, "mma of tf32"},
    {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%g1, %g2}, {%g3}, {%g4}, "
     "{%g1, %g2}",
     80, "mma of f64"},
    {"mma.sync.aligned.m16n8k4.row.col.rz.f64.f64.f64.f64 {%g1, %g2, %g3, %g4}, "
     "{%g5, %g6}, {%g7}, {%g1, %g2, %g3, %g4}",
     90, "mma.m16n8 of f64"},
    {"mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.u8.s32 {%r1, %r2}, {%r3}, "
     "{%r4}, {%r1, %r2}",
     75, "mma of integers"},
    {"mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 {%r1, %r2, %r3, %r4}, "
     "{%r1, %r2, %r3, %r4}, {%r5, %r6}, {%r1, %r2, %r3, %r4}",
     80, "mma.m16n8 of integers"},
    {"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%r1, %r2}, {%r3}, "
     "{%r4}, {%r1, %r2}",
     75, "mma of bits"},
    {"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%r1, %r2}, {%r3}, "
     "{%r4}, {%r1, %r2}",
     80, "mma.and of bits"},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%f1, %f2, %f3, %f4}, "
     "{%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4}",
     89, "mma of 8-bit floating point"},
    {"mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, "
     "%f2, %f3, %f4}, {%r1, %r2}, {%r3, %r4}, {%f1, %f2, %f3, %f4}, %r5, 0x1",
     80, "mma.sp"},
    {"mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e5m2.f32 {%f1, %f2, %f3, %f4}, "
     "{%r1, %r2, %r3, %r4}, {%r1, %r2, %r3, %r4}, {%f1, %f2, %f3, %f4}, %r5, 0",
     89, "mma.sp"},
    {"wgmma.fence.sync.aligned", 90, NULL},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %d1, "
     "%d2, %p1, 1, -1, 0, 1",
     90, NULL},
    {"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r1, %r2}, [%r3]", 75, NULL},
    {"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r3], {%r1}", 90, NULL},
    {"movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2", 75, NULL},
    {"wmma.load.c.sync.aligned.row.m16n16k16.shared.f16 {%r1, %r2, %r3, %r4}, [%r5]",
     70, NULL},
    {"wmma.load.a.sync.aligned.row.m8n32k16.s8 {%r1}, [%d1], %r2", 72,
     "wmma of integers"},
    {"wmma.store.d.sync.aligned.col.m8n8k4.global.f64 [%d1], {%g1, %g2}, %r1", 80,
     "wmma of f64"},
    {"wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64 {%g1, %g2}, {%g3}, {%g4}, "
     "{%g5, %g6}",
     80, "wmma of f64"},
    /* asynchronous copies */
    {"cp.async.ca.shared.global [%r1], [%d1], 4", 80, NULL},
    {"cp.async.cg.shared::cta.global.L2::cache_hint.L2::256B [%r1], [%d1], 16, %r2, "
     "%d2",
     80, NULL},
    {"cp.async.commit_group", 80, NULL},
    {"cp.async.wait_group 3", 80, NULL},
    {"cp.async.wait_all", 80, NULL},
    {"cp.async.mbarrier.arrive.noinc.shared.b64 [%r1]", 80, NULL},
    {"mbarrier.init.shared.b64 [%r1], 3", 80, NULL},
    {"mbarrier.arrive.shared.b64 %d2, [%r1]", 80, NULL},
    {"mbarrier.arrive.shared.b64 %d2, [%r1], 2", 90, "arrivals of more than one"},
    {"mbarrier.arrive.noComplete.shared.b64 %d2, [%r1], 2", 80, NULL},
    {"mbarrier.arrive.expect_tx.shared.b64 _, [%r1], 64", 90,
     "mbarriers that count bytes"},
    {"mbarrier.test_wait.parity.shared.b64 %p1, [%r1], 0", 80, NULL},
    {"mbarrier.try_wait.shared.b64 %p1, [%r1], %d2, 100", 90, "waits that suspend"},
    {"mbarrier.pending_count.b64 %r1, %d2", 80, NULL},
    {"fence.proxy.async", 90, "proxy fences"},
    /* barriers and fences */
    {"bar.sync 0", 10, "a kernel"},
    {"bar.sync 15", 10, "a kernel"},
    {"bar.sync %r1", 20, "a barrier number in a register"},
    {"bar.sync 1, 64", 20, "a barrier with a thread count"},
    {"bar.arrive 1, 64", 20, "bar.arrive"},
    {"bar.red.popc.u32 %r1, 0, %p1", 20, "barriers that reduce"},
    {"bar.warp.sync -1", 10, "a kernel"},
    {"barrier.sync 0", 10, "a kernel"},
    {"barrier.sync 0, 64", 20, "a barrier with a thread count"},
    {"discard.global.L2 [%d1], 128", 80, NULL},
    {"applypriority.global.L2::evict_normal [%d1], 128", 80, NULL},
    {"createpolicy.fractional.L2::evict_last.b64 %d1, 1.0", 80, NULL},
    {"red.global.add.L2::cache_hint.u32 [%d1], %r1, %d2", 80, "cache policies"},
    {"atom.global.exch.L2::cache_hint.b32 %r2, [%d1], %r1, %d2", 80, "cache policies"},
    {"griddepcontrol.wait", 90, NULL},
    {"membar.cta", 10, "a kernel"},
    {"membar.gl", 10, "a kernel"},
    {"membar.sys", 20, "membar.sys"},
    {"fence.acq_rel.gpu", 70, NULL},
    {"fence.acquire.gpu", 90, "one-way fences"},
    {"fence.sc.cluster", 90, "the scope of clusters"},
    /* special registers */
    {"mov.u32 %r1, %tid.x", 10, "a kernel"},
    {"mov.u32 %r1, %laneid", 10, "a kernel"},
    {"mov.u32 %r1, %clock", 10, "a kernel"},
    {"mov.u64 %d1, %clock64", 20, "%clock64"},
    {"mov.u32 %r1, %lanemask_lt", 20, "%lanemask_lt"},
    {"mov.u32 %r1, %nsmid", 20, "%nsmid"},
    {"mov.u32 %r1, %dynamic_smem_size", 20, "%dynamic_smem_size"},
    {"mov.u64 %d1, %globaltimer", 30, "%globaltimer"},
    /* the rest */
    {"brkpt", 11, NULL},
    {"trap", 10, "a kernel"},
    {"nanosleep.u32 64", 70, NULL},
    {"pmevent 1", 10, "a kernel"},
    {"pmevent.mask 1", 20, "pmevent.mask"},
    {"prefetchu.L1 [%d1]", 20, NULL},
    {"brx.idx %r1, T; T: .branchtargets L", 20, NULL},
    {"@%p1 popc.b32 %r1, %r2", 20, NULL},
    {"@!%p1 bra.uni L", 10, "a kernel"},
    {"call by_register, (%r1)", 10, "a kernel"},
    {"call by_space, (%r1)", 20, "arguments of functions in .param space"},
};

#define FUNCS                                                                          \
    ".version 9.0\n.target sm_90\n.address_size 64\n"                                  \
    ".func by_register(.reg .b32 %a) { .reg .b32 %r<2>; add.u32 %r1, %a, 1; ret; }\n"  \
    ".func by_space(.param .b32 a) { .reg .b32 %r<2>; ld.param.b32 %r1, [a]; ret; }\n" \
    ".visible .entry k() {\n"                                                          \
    ".reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f<8>; .reg .f64 %g<8>;\n"            \
    ".reg .b16 %h<8>; .reg .pred %p<4>;\n"

static void test_every_need(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        const struct row *const w = &rows[i];
        char text[2048];
        struct ptx_module *m;
        const char *what = NULL, *name = w->insn;
        uint32_t line = 0, cc;
        char op[16];

        snprintf(text, sizeof(text), "%s%s;\nL: ret;\n}\n", FUNCS, w->insn);
        m = load_text(text);
        cc = ptx_requires(m, &m->kernels[0], &line, &what);
        if (name[0] == '@') {
            name = strchr(name, ' ') + 1;
        }
        snprintf(op, sizeof(op), "%.*s", (int)strcspn(name, ". "), name);
        name = w->what != NULL ? w->what : op;
        if (cc != w->cc || strcmp(what, name) != 0 || (cc > 10 && line != 9)) {
            print_error("%s: %u (%s) in line %u, not %u (%s)\n", w->insn, cc, what,
                        line, w->cc, name);
            fail();
        }
        ptx_free(m);
    }
}

static bool has_example(const char *op)
{
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        const char *insn = rows[i].insn;

        if (insn[0] == '@') {
            insn = strchr(insn, ' ') + 1;
        }
        if (strcspn(insn, ". ") == strlen(op) && strncmp(insn, op, strlen(op)) == 0) {
            return true;
        }
    }
    return false;
}

/* An operation that not every capability has stands among the rows above. */
static void test_every_operation(void **state)
{
    uint32_t least[ISA_N_OPS];

    (void)state;
    memset(least, 0xff, sizeof(least));
    for (uint32_t i = 0; i < ptx_n_rows; i++) {
        const struct ptx_row *r = &ptx_rows[i];

        least[r->op] = r->min_cc < least[r->op] ? r->min_cc : least[r->op];
    }
    for (uint32_t op = 0; op < ISA_N_OPS; op++) {
        if (least[op] > 10 && least[op] != UINT32_MAX &&
            !has_example(isa_op_name((enum isa_op)op))) {
            fail_msg("%s needs %u.%u and has no row here", isa_op_name((enum isa_op)op),
                     least[op] / 10, least[op] % 10);
        }
    }
}

static struct smw_err lack(const char *text, uint32_t kernel, uint32_t cc)
{
    struct ptx_module *const m = load_text(text);
    struct smw_err e;
    bool has;

    err_clear(&e);
    has = ptx_check_cc(m, &m->kernels[kernel], cc, &e);
    assert_int_equal(has, e.kind == SMW_ERR_NONE);
    if (e.kind != SMW_ERR_NONE) {
        assert_int_equal(e.kind, SMW_ERR_INPUT);
        assert_string_equal(e.file, "test.ptx");
    }
    ptx_free(m);
    return e;
}

/* Both sides of the first capability, for every row. */
static void test_both_sides(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        char text[2048], want[64];
        struct smw_err e;

        snprintf(text, sizeof(text), "%s%s;\nL: ret;\n}\n", FUNCS, rows[i].insn);
        assert_int_equal(lack(text, 0, rows[i].cc).kind, SMW_ERR_NONE);
        if (rows[i].cc > 10) {
            e = lack(text, 0, rows[i].cc - 1);
            snprintf(want, sizeof(want), "needs compute capability %u.%u",
                     rows[i].cc / 10, rows[i].cc % 10);
            assert_non_null(strstr(e.message, want));
            assert_int_equal(e.line, 9);
        }
    }
}

static const char kernels[] =
    HEAD ".func down() { .reg .f64 %g<2>; add.f64 %g1, %g1, %g1; ret; }\n"
         ".func again();\n"
         ".func there() { call again; ret; }\n"
         ".func again() { call there; ret; }\n"
         ".entry plain() { ret; }\n"
         ".entry deep() { call down; ret; }\n"
         ".entry twice() { .reg .b32 %r<3>; .reg .pred %p1;\n"
         "  @%p1 vote.all.pred %p1, %p1;\n"
         "  mov.u32 %r1, %lanemask_eq;\n"
         "  shfl.idx.b32 %r1, %r2, 1, 31; ret; }\n"
         ".entry loops() { call there; ret; }\n"
         ".entry value() { .reg .b64 %d; mov.u64 %d, down;\n"
         "  p: .callprototype _ (); call %d, p; ret; }\n";

static void test_message(void **state)
{
    struct smw_err e;

    (void)state;
    for (uint32_t cc = 10; cc < 14; cc++) {
        assert_int_equal(lack(kernels, 0, cc).kind, SMW_ERR_NONE);
    }
    e = lack(kernels, 1, 12); /* in a function that the kernel calls */
    assert_string_equal(e.message, "add.f64 needs compute capability 1.3 (double "
                                   "precision), the device has 1.2");
    assert_int_equal(e.line, 4);
    assert_int_equal(e.column, 33);
    assert_int_equal(e.width, 7);
    e = lack(kernels, 2, 11); /* the first of three, past its guard */
    assert_string_equal(e.message,
                        "vote.all.pred needs compute capability 1.2, the device has "
                        "1.1; the whole kernel needs 3.0");
    assert_int_equal(e.line, 11);
    assert_int_equal(e.column, 8);
    assert_string_equal(e.source, "  @%p1 vote.all.pred %p1, %p1;");
    e = lack(kernels, 2, 12); /* at the operand */
    assert_string_equal(e.message,
                        "mov.u32 needs compute capability 2.0 (%lanemask_eq), the "
                        "device has 1.2; the whole kernel needs 3.0");
    assert_int_equal(e.line, 12);
    assert_int_equal(e.column, 16);
    assert_int_equal(e.width, 12);
    e = lack(kernels, 2, 20);
    assert_string_equal(
        e.message, "shfl.idx.b32 needs compute capability 3.0, the device has 2.0");
    assert_int_equal(lack(kernels, 2, 30).kind, SMW_ERR_NONE);
    e = lack(kernels, 3, 13);
    assert_string_equal(e.message, "call needs compute capability 2.0 (recursion), the "
                                   "device has 1.3");
    assert_int_equal(e.line, 6);
    assert_int_equal(lack(kernels, 3, 20).kind, SMW_ERR_NONE);
    e = lack(kernels, 4, 13);
    assert_string_equal(e.message,
                        "call needs compute capability 2.0 (call through a register), "
                        "the device has 1.3");
    assert_int_equal(e.line, 16);
}

/* Neither .target nor the address size is compared. */
static void test_target_does_not_matter(void **state)
{
    (void)state;
    assert_int_equal(lack(".version 9.0\n.target sm_100\n.address_size 64\n"
                          ".entry k(.param .u64 p) { .reg .b64 %d<3>;\n"
                          "ld.param.u64 %d1, [p]; cvta.to.global.u64 %d2, %d1;\n"
                          "st.global.u32 [%d2], 1; ret; }\n",
                          0, 10)
                         .kind,
                     SMW_ERR_NONE);
}

static void test_printf(void **state)
{
    static const char text[] =
        HEAD ".global .align 1 .b8 f[3] = {65, 10, 0};\n"
             ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
             ".entry k() { .reg .b64 %d<3>; .reg .b32 %r<2>;\n"
             "mov.u64 %d1, f; cvta.global.u64 %d2, %d1;\n"
             "{ .param .b64 a; st.param.b64 [a], %d2; .param .b64 b;\n"
             "st.param.b64 [b], 0; .param .b32 r;\n"
             "call.uni (r), vprintf, (a, b);\nld.param.b32 %r1, [r]; }\nret; }\n";
    struct smw_err e = lack(text, 0, 13);

    (void)state;
    assert_string_equal(e.message,
                        "call.uni needs compute capability 2.0 (printf), the "
                        "device has 1.3");
    assert_int_equal(e.line, 10);
    assert_int_equal(lack(text, 0, 20).kind, SMW_ERR_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_need),
        cmocka_unit_test(test_every_operation),
        cmocka_unit_test(test_both_sides),
        cmocka_unit_test(test_message),
        cmocka_unit_test(test_target_does_not_matter),
        cmocka_unit_test(test_printf),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
