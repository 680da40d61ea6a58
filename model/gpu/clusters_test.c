/* Clusters of blocks (SPEC CLUSTER-1 to CLUSTER-4). */
#include "gpu/device_test.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
#define KERNEL(name, more, text)                                                       \
    ".visible .entry " name "(.param .u64 out, .param .u64 in) " more "{\n"            \
    ".shared .align 8 .b32 own[64]; .shared .align 8 .b64 bar;\n"                      \
    ".reg .b32 %r<40>; .reg .b64 %d<20>; .reg .pred %p<5>;\n"                          \
    "ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %cluster_ctarank;\n"   \
    "mov.u32 %r2, %cluster_nctarank; mov.u32 %r3, %ctaid.x;\n"                         \
    "mul.lo.u32 %r4, %r0, 4; mov.u32 %r5, own; add.u32 %r5, %r5, %r4;\n" text          \
    " ret; }\n"
#define MEET "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
/* %r39 to out[32 * ctaid.x + tid.x] */
#define ANSWER                                                                         \
    "mad.lo.u32 %r38, %r3, 32, %r0; mul.wide.u32 %d19, %r38, 4;\n"                     \
    "add.u64 %d19, %d19, %d0; st.global.u32 [%d19], %r39;\n"

static const char kernels[] = HEAD
    /* every block reads the next one's words */
    KERNEL("ring", "",
           "mad.lo.u32 %r6, %r3, 100, %r0; st.shared.u32 [%r5], %r6;\n" MEET
           "add.u32 %r7, %r1, 1; rem.u32 %r7, %r7, %r2;\n"
           "mapa.shared::cluster.u32 %r8, %r5, %r7;\n"
           "ld.shared::cluster.u32 %r39, [%r8];\n" ANSWER MEET)
    /* lanes write to different blocks, by generic addresses; then add to the first */
    KERNEL("scatter", "",
           "st.shared.u32 [own + 128], 0;\n" MEET
           "mov.u32 %r9, own; cvt.u64.u32 %d1, %r9; cvta.shared.u64 %d1, %d1; add.u32 "
           "%r6, %r0, %r1; rem.u32 %r7, %r6, %r2;\n"
           "mapa.u64 %d2, %d1, %r7; cvt.u64.u32 %d3, %r4; add.u64 %d3, %d3, %d2;\n"
           "mad.lo.u32 %r8, %r7, 32, %r0; st.u32 [%d3], %r8;\n"
           "mapa.u64 %d4, %d1, 0; red.relaxed.cluster.add.u32 [%d4 + 128], 1;\n" MEET
           "ld.shared.u32 %r39, [%r5];\n" ANSWER
           "ld.shared.u32 %r39, [own + 128]; setp.eq.u32 %p0, %r0, 0;\n"
           "add.u64 %d19, %d0, 4096; mul.wide.u32 %d18, %r3, 4;\n"
           "add.u64 %d19, %d19, %d18; @%p0 st.global.u32 [%d19], %r39;\n")
    /* what the special registers say */
    KERNEL(
        "where", "",
        "mov.u32 %r30, %ctaid.y; mov.u32 %r31, %nctaid.x;\n"
        "mad.lo.u32 %r3, %r30, %r31, %r3;\n"
        "mov.u32 %r10, %clusterid.x; mov.u32 %r11, %clusterid.y;\n"
        "mov.u32 %r12, %nclusterid.x; mov.u32 %r13, %nclusterid.y;\n"
        "mov.u32 %r14, %cluster_ctaid.x; mov.u32 %r15, %cluster_ctaid.y;\n"
        "mov.u32 %r16, %cluster_nctaid.x; mov.u32 %r17, %cluster_nctaid.z;\n"
        "mov.pred %p0, %is_explicit_cluster; selp.u32 %r18, 1, 0, %p0;\n"
        "mapa.shared::cluster.u32 %r20, %r5, 1;\n"
        "getctarank.shared::cluster.u32 %r21, %r20;\n"
        "getctarank.shared::cluster.u32 %r22, %r5;\n"
        "cvt.u64.u32 %d1, %r20; cvta.shared::cluster.u64 %d1, %d1;\n"
        "isspacep.shared::cta %p1, %d1; selp.u32 %r23, 1, 0, %p1;\n"
        "isspacep.shared::cluster %p1, %d1; selp.u32 %r24, 1, 0, %p1;\n"
        "mul.lo.u32 %r38, %r3, 64; cvt.u64.u32 %d19, %r38; add.u64 %d19, %d19, %d0;\n"
        "st.global.v4.u32 [%d19], {%r10, %r11, %r12, %r13};\n"
        "st.global.v4.u32 [%d19 + 16], {%r14, %r15, %r16, %r17};\n"
        "st.global.v4.u32 [%d19 + 32], {%r1, %r2, %r18, %r21};\n"
        "st.global.v4.u32 [%d19 + 48], {%r22, %r23, %r24, 7};\n")
    /* rank 0 sends a word and arrives at the mbarrier of rank 1 */
    KERNEL(
        "send", ".reqnctapercluster 2, 1, 1\n",
        "setp.ne.u32 %p0, %r0, 0;\n"
        "@!%p0 mbarrier.init.shared::cta.b64 [bar], 1;\n" MEET "@%p0 bra E;\n"
        "setp.eq.u32 %p1, %r1, 1; @%p1 bra T;\n"
        "mov.u32 %r6, bar; mapa.shared::cluster.u32 %r7, %r6, 1;\n"
        "mapa.shared::cluster.u32 %r8, %r5, 1;\n"
        "st.shared::cluster.u32 [%r8 + 4], 4711;\n"
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r7]; bra E;\n"
        "T: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [bar], 0;\n"
        "@!%p2 bra T; ld.shared.u32 %r39, [own + 4];\n" ANSWER "E:\n" MEET)
    /* cycles of 16 loads of another block's word, and of the own one */
    KERNEL("chase", "",
           "mapa.shared::cluster.u32 %r6, %r5, %r2; sub.u32 %r7, %r2, 1;\n"
           "mapa.shared::cluster.u32 %r6, %r5, %r7; st.shared.u32 [%r5], %r6;\n" MEET
           "setp.ne.u32 %p0, %r1, 0; @%p0 bra E; mov.u32 %r8, 0; mov.u32 %r9, %clock;\n"
           "L: ld.shared::cluster.u32 %r6, [%r6]; add.u32 %r8, %r8, 1;\n"
           "setp.lt.u32 %p1, %r8, 16; @%p1 bra L; and.b32 %r6, %r6, 0;\n"
           "mov.u32 %r10, %clock; add.u32 %r10, %r10, %r6;\n"
           "sub.u32 %r39, %r10, %r9;\n" ANSWER
           "E:\n" MEET) KERNEL("beyond", "",
                               MEET "mapa.shared::cluster.u32 %r6, %r5, %r2;\n"
                                    "ld.shared::cluster.u32 %r39, [%r6];\n" ANSWER)
        KERNEL("outside", "",
               MEET "mapa.shared::cluster.u32 %r6, %r5, 1;\n"
                    "ld.shared::cluster.u32 %r39, [%r6 + 4096];\n" ANSWER)
            KERNEL("gone", "",
                   MEET
                   "setp.eq.u32 %p0, %r1, 1; @%p0 bra E; mov.u32 %r8, 0;\n"
                   "L: add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 200; @%p1 bra L;\n"
                   "mapa.shared::cluster.u32 %r6, %r5, 1;\n"
                   "ld.shared::cluster.u32 %r39, [%r6];\n" ANSWER "E:\n")
    /* a thread leaves before the others meet; the last block does not wait */
    KERNEL("leave", "",
           "setp.eq.u32 %p0, %r0, 5; @%p0 exit; setp.eq.u32 %p1, %r1, 1; @%p1 exit;\n"
           "barrier.cluster.arrive.relaxed; barrier.cluster.wait;\n"
           "mov.u32 %r39, 9;\n" ANSWER)
        KERNEL("stuck", "",
               "setp.eq.u32 %p0, %r1, 1; @%p0 bra W; barrier.cluster.arrive.aligned;\n"
               "barrier.cluster.wait.aligned; bra E;\nW: bar.sync 0, 64;\nE:\n");

static struct dt *open_small(void)
{
    return dt_open_with("h100", "gpu.sms=8 gpu.gpcs=2", NULL, kernels);
}

static struct smw_launch shape(uint32_t blocks, uint32_t cluster)
{
    struct smw_launch l = dt_shape(blocks, 32);

    l.cluster[0] = cluster;
    l.cluster[1] = l.cluster[2] = 1;
    return l;
}

/* Runs to its end, in time or not; the answers are in t->words. */
static void run(struct dt *t, const char *name, struct smw_launch l)
{
    struct smw_err e;

    err_clear(&e);
    dt_ok(dt_queue(t, name, l, &e), &e);
    dt_ok(smw_synchronize(t->d, &e), &e);
    assert_int_equal(smw_live_transactions(t->d), 0);
    dt_fetch(t);
}

static void test_ring(void **state)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, 8};
    struct dt *t = open_small();

    (void)state;
    for (uint32_t i = 0; i < 2 * ARRAY_LEN(sizes); i++) {
        const uint32_t n = sizes[i / 2];
        struct smw_launch l = shape(24, n);

        l.functional = i % 2 == 1;
        run(t, "ring", l);
        for (uint32_t b = 0; b < 24; b++) {
            const uint32_t next = b / n * n + (b % n + 1) % n;

            assert_int_equal(t->words[32 * b + 31], 100 * next + 31);
        }
        assert_int_equal(smw_write(t->d, t->out, t->words + 8192, 8192, NULL), true);
    }
    dt_close(t);
}

static void test_scatter(void **state)
{
    struct dt *t = open_small();

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct smw_launch l = shape(8, 4);

        l.functional = i == 1;
        run(t, "scatter", l);
        for (uint32_t k = 0; k < 8 * 32; k++) {
            assert_int_equal(t->words[k], k % 128);
        }
        assert_int_equal(t->words[1024], 128);
        assert_int_equal(t->words[1025], 0);
        assert_int_equal(t->words[1028], 128);
    }
    dt_close(t);
}

static void test_where(void **state)
{
    static const uint32_t wants[2][16] = {
        /* block (3, 1) of a grid of 4 x 2 in clusters of 2 x 2 */
        {1, 0, 2, 1, 1, 1, 2, 1, 3, 4, 1, 1, 3, 0, 1, 7},
        /* the same without clusters: an address of rank 1 is of no block, but cluster's
         */
        {3, 1, 4, 2, 0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 1, 7},
    };
    struct dt *t = open_small();

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct smw_launch l = shape(4, i == 0 ? 2 : 0);

        l.grid[1] = 2;
        l.cluster[1] = l.cluster[2] = 0;
        if (i == 0) {
            l.cluster[1] = 2;
            l.cluster[2] = 1;
        }
        l.block[0] = 1;
        run(t, "where", l);
        assert_memory_equal(t->words + 16 * 7, wants[i], sizeof(wants[i]));
    }
    dt_close(t);
}

static void test_send(void **state)
{
    struct dt *t = open_small();

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct smw_launch l = dt_shape(4, 32);

        l.functional = i == 1;
        run(t, "send", l);
        assert_int_equal(t->words[32], 4711);
        assert_int_equal(t->words[96], 4711);
    }
    dt_close(t);
}

/* SPEC CLUSTER-3: a load of another SM takes both ways longer than one of the own. */
static void test_latency(void **state)
{
    static const char *const settings[] = {
        "gpu.sms=8 gpu.gpcs=2 sm.net.latency=50",
        "gpu.sms=8 gpu.gpcs=2 sm.net.latency=51",
    };
    uint32_t own = 0, away[2];

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct dt *t = dt_open_with("h100", settings[i], NULL, kernels);

        run(t, "chase", shape(1, 1));
        own = t->words[0];
        run(t, "chase", shape(2, 2));
        away[i] = t->words[0];
        dt_close(t);
    }
    assert_int_equal(away[1] - away[0], 16 * 2);
    assert_in_range(away[0] - own, 16 * (2 * 50 - 8), 16 * (2 * 50 + 8));
}

static void check_fault(const char *kernel, bool functional, const char *message)
{
    struct dt *t = open_small();
    struct smw_launch l = shape(2, 2);
    struct smw_err e;

    err_clear(&e);
    l.functional = functional;
    dt_ok(dt_queue(t, kernel, l, &e), &e);
    if (smw_synchronize(t->d, &e)) {
        print_error("%s %d: no fault\n", kernel, functional);
        fail();
    }
    if (strstr(smw_fault(t->d)->message, message) == NULL) {
        print_error("%s: %s\n", kernel, smw_fault(t->d)->message);
        fail();
    }
    dt_close(t);
}

static void test_faults(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        check_fault("beyond", f == 1,
                    "in block 2 of its cluster: the cluster has 2 blocks");
        check_fault("outside", f == 1, "offset 0x1000");
        check_fault("stuck", f == 1, "deadlock");
    }
    /* without time the first block comes first */
    check_fault("gone", false,
                "of block 1 of the grid, in its cluster of 2: that block has ended, or "
                "has not begun");
}

static void test_leave(void **state)
{
    struct dt *t = open_small();

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct smw_launch l = shape(2, 2);

        l.functional = i == 1;
        run(t, "leave", l);
        assert_int_equal(t->words[4], 9);
        assert_int_equal(t->words[5], 0);
        assert_int_equal(smw_write(t->d, t->out, t->words + 8192, 8192, NULL), true);
    }
    dt_close(t);
}

static void check_refused(struct dt *t, const char *kernel, struct smw_launch l,
                          const char *message)
{
    struct smw_err e;

    err_clear(&e);
    assert_false(dt_queue(t, kernel, l, &e));
    assert_int_equal(e.code, SMW_CODE_INVALID_CLUSTER);
    if (strstr(e.message, message) == NULL) {
        print_error("%s\n", e.message);
        fail();
    }
}

static void test_refusals(void **state)
{
    struct dt *t = open_small();
    struct smw_launch huge = shape(8, 8);

    (void)state;
    check_refused(t, "ring", shape(6, 4), "6 blocks along x is no whole number");
    check_refused(t, "ring", shape(34, 17), "17 x 1 x 1 blocks: 1 to 16 are possible");
    check_refused(t, "send", shape(4, 4), "is compiled for 2 x 1 x 1");
    huge.block[0] = 1024; /* two of them on an SM, four SMs in a GPC */
    huge.grid[0] = huge.cluster[0] = 16;
    check_refused(t, "ring", huge, "no GPC has room for a cluster of 16 blocks");
    dt_close(t);
    t = dt_open_with("a100", "gpu.sms=2", NULL,
                     ".version 8.0\n.target sm_80\n.address_size 64\n"
                     ".visible .entry k(.param .u64 a, .param .u64 b) { ret; }\n");
    check_refused(t, "k", shape(2, 2), "from compute capability 9.0 on");
    dt_close(t);
}

static void test_occupancy(void **state)
{
    struct dt *t = open_small();
    struct smw_launch l = shape(64, 3);
    struct smw_err e;
    uint32_t n = 0;

    (void)state;
    err_clear(&e);
    l.grid[0] = 63;
    l.block[0] = 1024;
    dt_ok(smw_active_clusters(smw_kernel(t->m, "ring", &e), &l, &n, &e), &e);
    assert_int_equal(n, 2 * (8 / 3));
    dt_close(t);
}

/* What kernels say of their clusters. */
static void test_kernel_facts(void **state)
{
    struct dt *t =
        dt_open_with("h100", "gpu.sms=2", NULL,
                     ".version 8.0\n.target sm_90\n.address_size 64\n"
                     ".visible .entry shaped() .explicitcluster .reqnctapercluster 2, "
                     "3, 1 { ret; }\n"
                     ".visible .entry limited() .maxclusterrank 4 { ret; }\n");
    struct smw_kernel_facts f;
    struct smw_err e = {0};

    (void)state;
    smw_kernel_facts(smw_kernel(t->m, "shaped", &e), &f);
    assert_true(f.explicit_cluster);
    assert_int_equal(f.cluster[0], 2);
    assert_int_equal(f.cluster[1], 3);
    assert_int_equal(f.cluster[2], 1);
    assert_int_equal(f.max_cluster, 0);
    smw_kernel_facts(smw_kernel(t->m, "limited", &e), &f);
    assert_false(f.explicit_cluster);
    assert_int_equal(f.cluster[0], 0);
    assert_int_equal(f.max_cluster, 4);
    dt_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ring),      cmocka_unit_test(test_scatter),
        cmocka_unit_test(test_where),     cmocka_unit_test(test_send),
        cmocka_unit_test(test_latency),   cmocka_unit_test(test_faults),
        cmocka_unit_test(test_leave),     cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_occupancy), cmocka_unit_test(test_kernel_facts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
