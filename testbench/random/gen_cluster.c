/*
 * Clusters: blocks that read, write and tell each other.
 *
 * Each thread has 32 bytes of shared memory, its place. Threads of other blocks read or
 * write the first half while all of the cluster are between two of its barriers; the
 * second half is what the thread sends. Each block has
 * eight cells with one commutative operation each, an mbarrier at which as many threads
 * arrive as it has, one that counts bytes, and a region for bulk copies. %qa0 is the
 * thread's place, %qa1 the block's first, %qa2 and %qa3 scratch, of other blocks too;
 * %qn0 is the rank, %qn1 and %qn2 scratch, %qn3 and %qn4 the parities of the phases
 * under way of the two mbarriers, %qs0 a state, %qd0 and %qd1 generic addresses.
 *
 * All threads of the cluster come by each statement, and none is left before all have
 * done what others wait for or see.
 */
#include "gen_priv.h"

#include <string.h>

enum { PLACE = 32, HALF = 16, REGION = 128 };

static const char *shared_type(const struct gen *g)
{
    return g->wide_shared ? "u64" : "u32";
}

void gen_cluster_shape(struct gen *g)
{
    static const uint8_t shapes[][3] = {{1, 1, 1}, {2, 1, 1}, {2, 1, 1}, {1, 2, 1},
                                        {3, 1, 1}, {4, 1, 1}, {2, 2, 1}, {1, 3, 1}};
    const uint8_t *n = shapes[gen_below(g, sizeof(shapes) / sizeof(shapes[0]))];
    const bool said = gen_chance(g, 60);

    g->n_cluster = n[0] * n[1] * n[2];
    for (uint32_t i = 0; i < 3; i++) {
        g->cluster[i] = said && gen_chance(g, 50) ? 0 : n[i];
        g->p->grid[i] = n[i];
        g->p->cluster[i] = said ? n[i] : 0;
    }
    if (said && g->cluster[0] * g->cluster[1] * g->cluster[2] == 0) {
        memset(g->cluster, 0, sizeof(g->cluster)); /* the kernel says nothing */
    }
    if (g->n_cluster <= GEN_MAX_BLOCKS / 2) {
        g->p->grid[gen_below(g, 2)] *= 1 + gen_below(g, 2);
    }
}

void gen_cluster_variables(struct gen *g)
{
    putf(g,
         ".shared .align 16 .b8 SX[%u];\n.shared .align 8 .b8 SY[64];\n"
         ".shared .align 16 .b8 SZ[%u];\n.shared .align 8 .b8 SW[16];\n",
         PLACE * g->p->n_threads, REGION);
}

/* ---- words ---- */

/* The cluster's barrier; between the two halves a thread may do what it likes. */
static void meet(struct gen *g)
{
    const char *aligned = gen_chance(g, 50) ? ".aligned" : "";

    if (gen_chance(g, 20)) {
        gen_expand(g, "\tfence.{acq_rel|sc}.cluster; //=\n", "");
        putf(g, "\tbarrier.cluster.arrive.relaxed%s; //=\n", aligned);
    } else {
        putf(g, "\tbarrier.cluster.arrive%s%s; //=\n",
             gen_chance(g, 50) ? ".release" : "", aligned);
    }
    if (gen_chance(g, 25)) {
        gen_alu(g);
    }
    putf(g, "\tbarrier.cluster.wait%s%s; //=\n", gen_chance(g, 50) ? ".acquire" : "",
         aligned);
}

/* %qn1: the rank of another block or the own one, the same step from each. */
static void step(struct gen *g)
{
    putf(g, "\tadd.u32 %qn1, %qn0, %u; //=\n\trem.u32 %qn1, %qn1, %u; //=\n",
         gen_below(g, g->n_cluster), g->n_cluster);
}

/* %qn1: a rank that is each thread's own choice. */
static void any_rank(struct gen *g)
{
    put(g, "\trem.u32 %qn1, ");
    gen_reg(g, CLASS_R);
    putf(g, ", %u; //=\n", g->n_cluster);
}

/* %qa3 = base, where the block of rank %qn1 has it. */
static void map(struct gen *g, const char *base)
{
    putf(g, "\tmapa.shared::cluster.%s %qa3, %s, %qn1; //=\n", shared_type(g), base);
}

/* %qa2 = %qa1 + the place of any thread. */
static void any_place(struct gen *g)
{
    put(g, "\trem.u32 %qn2, ");
    gen_reg(g, CLASS_R);
    putf(g, ", %u; //=\n\tmad.%s.u32 %qa2, %qn2, %u, %qa1; //=\n", g->p->n_threads,
         g->wide_shared ? "wide" : "lo", PLACE);
}

static bool may_be_generic(const struct gen *g)
{
    return g->wide && g->wide_shared;
}

void gen_cluster_places(struct gen *g)
{
    const char *a = shared_type(g);

    putf(g,
         "\t.reg .%s %qa<4>;\n\t.reg .b32 %qn<5>;\n\t.reg .b64 %qs<1>;\n"
         "\t.reg .b64 %qd<2>;\n",
         a);
    putf(g, "\tmov.%s %qa1, SX; //=\n\tmad.%s.u32 %qa0, %t0, %u, %qa1; //=\n", a,
         g->wide_shared ? "wide" : "lo", PLACE);
    put(g, "\tst.shared.v4.b32 [%qa0], {%r6, %r2, %r7, %r0}; //=\n"
           "\tst.shared.v4.b32 [%qa0+16], {%r7, %r3, %r1, %r5}; //=\n"
           "\tmov.u32 %qn0, %cluster_ctarank; //=\n\tmov.u32 %qn3, 0; //=\n"
           "\tmov.u32 %qn4, 0; //=\n\tsetp.eq.u32 %k0, %t0, 0; //=\n");
    for (uint32_t i = 0; i < 64; i += 16) {
        putf(g, "\t@%k0 st.shared.v2.b64 [SY+%u], {%d1, %d3}; //=\n", i);
    }
    putf(g,
         "\t@%k0 mbarrier.init.shared.b64 [SW], %u; //=\n"
         "\t@%k0 mbarrier.init.shared.b64 [SW+8], 1; //=\n"
         "\t@%k0 fence.mbarrier_init.release.cluster; //=\n",
         g->p->n_threads);
    meet(g);
}

/* ---- statements ---- */

/* What a thread of another block has written. */
static void gather(struct gen *g)
{
    const uint32_t at = 4 * gen_below(g, 4);

    putf(g, "\tst.shared.b32 [%qa0+%u], ", at);
    gen_reg(g, CLASS_R);
    put(g, "; //=\n");
    meet(g);
    any_place(g);
    any_rank(g);
    if (may_be_generic(g) && gen_chance(g, 30)) {
        put(g, "\tcvta.shared.u64 %qd0, %qa2; //=\n"
               "\tmapa.u64 %qd1, %qd0, %qn1; //=\n\tld.b32 ");
        gen_reg(g, CLASS_R);
        putf(g, ", [%qd1+%u]; //=\n", at);
    } else {
        map(g, "%qa2");
        if (gen_chance(g, 25)) {
            putf(g, "\tgetctarank.shared::cluster.%s %r%u, %qa3; //=\n", shared_type(g),
                 gen_below(g, g->n_regs[CLASS_R]));
        }
        gen_expand(g,
                   "\tld{||.volatile|.relaxed.cluster|.acquire.cluster}"
                   ".shared::cluster.b32 ",
                   "");
        gen_reg(g, CLASS_R);
        putf(g, ", [%qa3+%u]; //=\n", at);
    }
    meet(g);
}

/* Into the place of the same thread of the block a step away. */
static void scatter(struct gen *g)
{
    step(g);
    if (may_be_generic(g) && gen_chance(g, 30)) {
        put(g, "\tcvta.shared.u64 %qd0, %qa0; //=\n"
               "\tmapa.u64 %qd1, %qd0, %qn1; //=\n\tst.b64 [%qd1+8], ");
    } else {
        map(g, "%qa0");
        gen_expand(g,
                   "\tst{||.relaxed.cluster|.release.cluster}.shared::cluster.b64 "
                   "[%qa3+8], ",
                   "");
    }
    gen_reg(g, CLASS_D);
    put(g, "; //=\n");
    meet(g);
    put(g, "\tld.shared.b64 ");
    gen_reg(g, CLASS_D);
    put(g, ", [%qa0+8]; //=\n");
    meet(g);
}

static const struct {
    const char *name;
    bool wide;
} cell_ops[] = {{"add.u32", false}, {"add.s32", false}, {"min.u32", false},
                {"min.s32", false}, {"max.u32", false}, {"max.s32", false},
                {"and.b32", false}, {"or.b32", false},  {"xor.b32", false},
                {"add.u64", true},  {"min.u64", true},  {"max.s64", true},
                {"and.b64", true},  {"xor.b64", true}};

/* Of a cell of any block; then what came of one. */
static void cells(struct gen *g)
{
    const uint32_t n = 1 + gen_below(g, 3), k = gen_below(g, 8);
    uint8_t *kind = &g->cluster_cell[k];

    if (*kind == 0) {
        *kind = (uint8_t)(1 + gen_below(g, sizeof(cell_ops) / sizeof(cell_ops[0])));
    }
    for (uint32_t i = 0; i < n; i++) {
        const bool wide = cell_ops[*kind - 1].wide, result = gen_chance(g, 40);

        any_rank(g);
        map(g, "SY");
        put(g, result ? "\tatom" : "\tred");
        gen_expand(g, "{||.relaxed.cluster|.release.cluster}.shared::cluster.", "");
        put(g, cell_ops[*kind - 1].name);
        put(g, !result ? " " : wide ? " %z64, " : " %z32, ");
        putf(g, "[%qa3+%u], ", 8 * k);
        gen_reg(g, wide ? CLASS_D : CLASS_R);
        put(g, "; //=\n");
    }
    meet(g);
    any_rank(g);
    map(g, "SY");
    put(g, "\tld.shared::cluster.b64 ");
    gen_reg(g, CLASS_D);
    putf(g, ", [%qa3+%u]; //=\n", 8 * k);
    meet(g);
}

/* The result counts where one thread alone works on the bytes. */
static void alone(struct gen *g)
{
    static const char *const ops =
        "{add.u32|min.s32|max.u32|and.b32|xor.b32|inc.u32|dec.u32|exch.b32}";

    step(g);
    map(g, "%qa0");
    put(g, "\tatom.shared::cluster.");
    if (gen_chance(g, 30)) {
        put(g, "cas.b32 ");
        gen_reg(g, CLASS_R);
        put(g, ", [%qa3+4], ");
        gen_reg(g, CLASS_R);
        put(g, ", ");
    } else {
        gen_expand(g, ops, "");
        put(g, " ");
        gen_reg(g, CLASS_R);
        put(g, ", [%qa3+4], ");
    }
    gen_reg(g, CLASS_R);
    put(g, "; //=\n");
    meet(g);
}

/* Threads write, and arrive at the mbarrier of the block that they have written to. */
static void arrivals(struct gen *g)
{
    step(g);
    map(g, "%qa0");
    put(g, "\tst.shared::cluster.b64 [%qa3], ");
    gen_reg(g, CLASS_D);
    put(g, "; //=\n");
    map(g, "SW");
    put(g, "\tmbarrier.arrive.release.cluster.shared::cluster.b64 _, [%qa3]; //=\n");
    gen_turn_until(g, ".parity.acquire.cluster", "SW", "%qn3");
    put(g, "\txor.b32 %qn3, %qn3, 1; //=\n\tld.shared.b64 ");
    gen_reg(g, CLASS_D);
    put(g, ", [%qa0]; //=\n");
    meet(g);
}

/* One thread says how many bytes its block gets, or one of another block does. */
static void expect(struct gen *g, uint32_t bytes)
{
    putf(g, "\tsetp.eq.u32 %k0, %t0, %u; //=\n", gen_below(g, g->p->n_threads));
    if (gen_chance(g, 60)) {
        putf(g, "\t@%k0 mbarrier.arrive.expect_tx.shared.b64 %qs0, [SW+8], %u; //=\n",
             bytes);
        return;
    }
    step(g);
    map(g, "SW");
    if (gen_chance(g, 50)) {
        putf(g,
             "\t@%k0 mbarrier.arrive.expect_tx.relaxed.cluster.shared::cluster.b64 _, "
             "[%qa3+8], %u; //=\n",
             bytes);
        return;
    }
    putf(g,
         "\t@%k0 mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%qa3+8], %u; "
         "//=\n"
         "\t@%k0 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%qa3+8]; "
         "//=\n",
         bytes);
}

static void all_bytes(struct gen *g)
{
    gen_turn_until(g, ".parity", "SW+8", "%qn4");
    put(g, "\txor.b32 %qn4, %qn4, 1; //=\n");
}

/* Each thread's second half as a bulk copy to the first half of the same thread of the
 * block a step away. */
static void send(struct gen *g)
{
    const bool reduces = gen_chance(g, 40);

    expect(g, HALF * g->p->n_threads);
    put(g, "\tst.shared.v2.b64 [%qa0+16], {");
    gen_reg(g, CLASS_D);
    put(g, ", ");
    gen_reg(g, CLASS_D);
    put(g, "}; //=\n");
    gen_proxy_fence(g, false);
    meet(g);
    step(g);
    map(g, "%qa0");
    putf(g, "\tmov.%s %qa2, %qa3; //=\n", shared_type(g));
    map(g, "SW");
    putf(g,
         "\tcp.%sasync.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes",
         reduces ? "reduce." : "");
    if (reduces) {
        gen_expand(g, ".{and.b32|or.b32|xor.b32|add.u32|add.u64|inc.u32|min.s32}", "");
    }
    putf(g, " [%qa2], [%qa0+16], %u, [%qa3+8]; //=\n", HALF);
    all_bytes(g);
    put(g, "\tld.shared.b64 ");
    gen_reg(g, CLASS_D);
    putf(g, ", [%qa0+%u]; //=\n", 8 * gen_below(g, 2));
    meet(g);
}

/* One thread of one block loads for several; who is not meant expects nothing. */
static void multicast(struct gen *g)
{
    const uint32_t mask = 1 + gen_below(g, (1u << g->n_cluster) - 1);
    const uint32_t parts = 1 + gen_below(g, 2), end = g->n_labels++;

    putf(g, "\tshr.u32 %qn1, %u, %qn0; //=\n\tand.b32 %qn1, %qn1, 1; //=\n", mask);
    putf(g,
         "\tsetp.eq.u32 %k1, %t0, 0; //=\n\tsetp.ne.and.u32 %k0, %qn1, 0, %k1; //=\n"
         "\t@%k0 mbarrier.arrive.expect_tx.shared.b64 %qs0, [SW+8], %u; //=\n",
         64 * parts);
    gen_proxy_fence(g, false);
    meet(g);
    putf(g, "\tsetp.eq.and.u32 %k0, %qn0, %u, %k1; //=\n", gen_below(g, g->n_cluster));
    putf(g, "\tmov.u16 %z16, %u; //=\n", mask);
    for (uint32_t i = 0; i < parts; i++) {
        bool hinted;

        gen_bulk_source(g);
        put(g, "\t@%k0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes.multicast::cluster");
        hinted = gen_hint(g);
        putf(g, " [SZ+%u], [%a2], 64, [SW+8], %z16", 64 * i);
        gen_hint_policy(g, hinted);
        put(g, "; //=\n");
    }
    putf(g, "\tsetp.eq.u32 %k0, %qn1, 0; //=\n\t@%k0 bra L%u; //=\n", end);
    all_bytes(g);
    put(g, "\tld.shared.b32 ");
    gen_reg(g, CLASS_R);
    putf(g, ", [SZ+%u]; //=\nL%u:\n", 4 * gen_below(g, 16 * parts), end);
    meet(g);
}

void gen_cluster(struct gen *g)
{
    switch (gen_below(g, 9)) {
    case 0:
    case 1: gather(g); break;
    case 2: scatter(g); break;
    case 3:
    case 4: cells(g); break;
    case 5: alone(g); break;
    case 6: arrivals(g); break;
    case 7: send(g); break;
    default: multicast(g); break;
    }
}

/* Also where some threads have left: the others do not wait for them. */
void gen_cluster_meet(struct gen *g)
{
    meet(g);
}

/* What a thread can ask at any time. */
void gen_cluster_alone(struct gen *g)
{
    if (gen_chance(g, 10)) {
        put(g, "\tmov.pred ");
        gen_reg(g, CLASS_P);
        put(g, ", %is_explicit_cluster;\n");
        return;
    }
    put(g, "\tmov.u32 ");
    gen_reg(g, CLASS_R);
    gen_expand(g,
               ", %{cluster_ctarank|cluster_nctarank|cluster_ctaid.x|cluster_ctaid.y|"
               "cluster_ctaid.z|cluster_nctaid.x|cluster_nctaid.y|cluster_nctaid.z|"
               "clusterid.x|clusterid.y|clusterid.z|nclusterid.x|nclusterid.y|"
               "nclusterid.z|ctaid.x|nctaid.x};\n",
               "");
}
