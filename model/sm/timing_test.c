/* When a warp issues: latencies and intervals to the cycle, read with %clock inside the
 * kernel. The clock is read at issue, so a difference of two readings is the distance
 * of two issues. */
#include "sm/sm_test.h"

/* Every register a test writes is read at the end: a result nobody wants shares its
 * place with others, and two writes of one place wait for one another. */
#define SUM(r) "xor.b32 %r13, %r13, %r" r ";\n"
#define LIVE                                                                           \
    "mov.u32 %r13, 0;\n" SUM("3") SUM("4") SUM("5") SUM("6") SUM("7") SUM("8")         \
        SUM("9") SUM("20") SUM("21") SUM("22") SUM("23") SUM("24") SUM("25") SUM("26") \
            SUM("27") SUM("28") SUM("29") SUM("30") SUM("31") SUM("32") SUM("33")      \
                SUM("34") SUM("35") SUM("36") SUM("37") SUM("38")                      \
                    SUM("39") "st.global.u32 [%rd1 + 32768], %r13;\n"

/* text between two readings; the difference goes to out[thread]. The prelude's results
 * have arrived before. */
#define TIMED(text)                                                                    \
    PTX_HEAD BODY("k", "bar.sync 15; bar.sync 15; add.u64 %rd3, %rd1, 0;\n"            \
                       "add.u64 %rd3, %rd3, 0; bar.sync 15;\n"                         \
                       "mov.u32 %r10, %clock;\n" text "\nmov.u32 %r11, %clock;\n"      \
                       "sub.u32 %r12, %r11, %r10; st.global.u32 [%rd3], %r12;\n" LIVE)

static uint32_t cycles(const char *settings, const char *ptx)
{
    uint32_t v;

    (void)st_once(settings, ptx, 1, &v, 1);
    return v;
}

#define ADD   "add.u32 %r3, %r3, 1;\n"
#define X4(a) a a a a
#define X5(a) a a a a a

static void test_dependent_adds(void **state)
{
    (void)state;
    for (uint32_t lat = 1; lat <= 40; lat += lat < 6 ? 1 : 17) {
        char set[64];
        uint32_t gap = lat < 2 ? 2 : lat; /* a scheduler issues every second cycle */

        (void)snprintf(set, sizeof(set), "sm.pipe.iadd.latency=%u", lat);
        assert_int_equal(cycles(set, TIMED(ADD)), 2 + 2);
        assert_int_equal(cycles(set, TIMED(ADD ADD)), 2 + gap + 2);
        assert_int_equal(cycles(set, TIMED(X5(ADD) X5(ADD))), 2 + 9 * gap + 2);
    }
}

/* The destination too must be free: no result overtakes an earlier one. */
static void test_write_after_write(void **state)
{
    (void)state;
    assert_int_equal(cycles("sm.pipe.iadd.latency=9",
                            TIMED("add.u32 %r3, %r1, 1;\nadd.u32 %r3, %r1, 2;\n")),
                     2 + 9 + 2);
}

static void test_predicates_are_operands(void **state)
{
    (void)state;
    assert_int_equal(
        cycles("sm.pipe.icmp.latency=11",
               TIMED("setp.eq.u32 %p1, %r1, 0;\n@%p1 add.u32 %r3, %r1, 2;\n")),
        2 + 11 + 2);
    assert_int_equal(
        cycles("sm.pipe.icmp.latency=11",
               TIMED("setp.eq.u32 %p1, %r1, 0;\n@%p2 add.u32 %r3, %r1, 2;\n")),
        2 + 2 + 2);
    assert_int_equal(
        cycles("sm.pipe.icmp.latency=11 sm.predicate_latency=5",
               TIMED("setp.eq.u32 %p1, %r1, 0;\n@%p1 add.u32 %r3, %r1, 2;\n")),
        2 + 11 + 5 + 2);
    assert_int_equal(/* but as a source */
                     cycles("sm.pipe.icmp.latency=11 sm.predicate_latency=5",
                            TIMED("setp.eq.u32 %p1, %r1, 0;\n"
                                  "selp.u32 %r3, %r1, %r2, %p1;\n")),
                     2 + 11 + 2);
    assert_int_equal(/* a number is there as before */
                     cycles("sm.pipe.icmp.latency=11 sm.predicate_latency=5",
                            TIMED("min.u32 %r3, %r1, 7;\nadd.u32 %r3, %r3, 2;\n")),
                     2 + 11 + 2);
}

/* A load without lanes: who reads what it would have brought waits as for the way there
 * and back, whoever does not goes on. */
static void test_loads_without_lanes(void **state)
{
#define OFF(load)                                                                      \
    {                                                                                  \
        TIMED("@%p1 " load "\n add.u32 %r4, %r3, 1;\n"),                               \
            TIMED("@%p1 " load "\n add.u32 %r4, %r5, 1;\n")                            \
    }
    static const char *const text[][2] = {OFF("ld.shared.u32 %r3, [%r1];"),
                                          OFF("ld.global.u32 %r3, [%rd1];"),
                                          OFF("ld.local.u32 %r3, [%r1];"),
                                          OFF("ld.u32 %r3, [%rd1];")};
#undef OFF

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(text); i++) {
        assert_int_equal(cycles("sm.off_latency=31", text[i][0]), 2 + 31 + 2);
        assert_int_equal(cycles("sm.off_latency=0", text[i][0]), 2 + 2 + 2);
        assert_int_equal(cycles("sm.off_latency=31", text[i][1]), 2 + 2 + 2);
    }
    assert_int_equal(/* constants take no such way */
                     cycles("sm.off_latency=31", TIMED("@%p1 ld.const.u32 %r3, [0];\n"
                                                       "add.u32 %r4, %r3, 1;\n")),
                     2 + 2 + 2);
}

/* From one pipe to another, and to an address. */
static void test_other_pipes(void **state)
{
    static const char set[] = "sm.pipe.iadd.latency=11 sm.cross_latency=3";

    (void)state;
    assert_int_equal(cycles(set,
                            TIMED("add.u32 %r3, %r1, 1;\nxor.b32 %r4, %r3, %r3;\n")),
                     2 + 11 + 2);
    assert_int_equal(cycles(set,
                            TIMED("add.u32 %r3, %r1, 1;\nmul.lo.u32 %r4, %r3, %r3;\n")),
                     2 + 11 + 3 + 2);
}

static void test_independent_adds(void **state)
{
    (void)state;
    for (uint32_t interval = 1; interval <= 5; interval++) {
        char set[96];

        (void)snprintf(set, sizeof(set),
                       "sm.issue_interval=%u sm.pipe.iadd.latency=100", interval);
        assert_int_equal(cycles(set,
                                TIMED("add.u32 %r3, %r1, 1; add.u32 %r4, %r1, 1;"
                                      "add.u32 %r5, %r1, 1; add.u32 %r6, %r1, 1;")),
                         5 * interval);
    }
}

#define MUL(d) "mul.lo.u32 %r" d ", %r1, %r1;\n"
#define MULS                                                                           \
    MUL("20")                                                                          \
    MUL("21")                                                                          \
    MUL("22") MUL("23") MUL("24") MUL("25") MUL("26") MUL("27") MUL("28") MUL("29")
#define MULS2                                                                          \
    MUL("30")                                                                          \
    MUL("31")                                                                          \
    MUL("32") MUL("33") MUL("34") MUL("35") MUL("36") MUL("37") MUL("38") MUL("39")
#define IADD(d) "add.u32 %r" d ", %r1, %r1;\n"
#define IADDS                                                                          \
    IADD("20")                                                                         \
    IADD("21")                                                                         \
    IADD("22")                                                                         \
    IADD("23") IADD("24") IADD("25") IADD("26") IADD("27") IADD("28") IADD("29")

/* Ten more instructions take 10 * 32 / throughput cycles more, or the issue rate. */
static void test_pipe_throughput(void **state)
{
    static const struct {
        uint32_t throughput, per_inst;
    } rows[] = {{64, 2}, {32, 2}, {16, 2}, {8, 4}, {4, 8}, {2, 16}, {1, 32}};

    (void)state;
    for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char set[64];

        (void)snprintf(set, sizeof(set), "sm.pipe.imul.throughput=%u",
                       rows[i].throughput);
        assert_int_equal(cycles(set, TIMED(MULS MULS2)) - cycles(set, TIMED(MULS)),
                         10 * rows[i].per_inst);
        assert_int_equal(cycles(set, TIMED(IADDS)), 11 * 2); /* another pipe */
    }
}

/* A busy pipe holds nobody else: adds issue between two slow products. */
static void test_pipes_are_independent(void **state)
{
    static const char set[] = "sm.pipe.imul.throughput=1";
    uint32_t two = cycles(set, TIMED(MUL("20") MUL("21")));

    (void)state;
    assert_int_equal(two - cycles(set, TIMED(MUL("20"))), 32);
    assert_int_equal(cycles(set, TIMED(MUL("20") IADD("22") IADD("23") IADD("24")
                                           MUL("21"))),
                     two);
}

/* Two schedulers share the pipe of 16 lanes: each gets half of it. */
static void test_schedulers_share_pipes(void **state)
{
    static const char two[] = "sm.schedulers=2";
    uint32_t v[64];

    (void)state;
    (void)st_once(two, TIMED(IADDS), 64, v, 64);
    assert_int_equal(v[0], 22);
    assert_int_equal(v[32], 22);
    (void)st_once(two, TIMED(MULS MULS2), 64, v, 64);
    assert_in_range(v[0], 19 * 4 - 2, 21 * 4 + 2);
    assert_in_range(v[32], 19 * 4 - 2, 21 * 4 + 2);
    (void)st_once("sm.schedulers=1", TIMED(IADDS), 64, v, 64);
    assert_in_range(v[0], 21 * 2 - 2, 22 * 2); /* two warps of one scheduler */
}

/* Each of two schedulers has 8 of the 16 lanes: 4 cycles a multiplication, whether or
 * not the other one multiplies. What goes to memory is not divided. */
static void test_partitioned_pipes(void **state)
{
    static const char own[] = "sm.schedulers=2 sm.partitioned=true";
    static const char all[] = "sm.schedulers=2";
    const char *loads = TIMED(
        ".shared .u32 buf[4]; ld.shared.u32 %r20, [buf]; ld.shared.u32 %r21, [buf+4];\n"
        "ld.shared.u32 %r22, [buf+8]; ld.shared.u32 %r23, [buf+12];\n");
    uint32_t v[64], two, one;

    (void)state;
    assert_int_equal(cycles(all, TIMED(MULS MULS2)) - cycles(all, TIMED(MULS)), 10 * 2);
    assert_int_equal(cycles(own, TIMED(MULS MULS2)) - cycles(own, TIMED(MULS)), 10 * 4);
    one = cycles(own, TIMED(MULS MULS2));
    (void)st_once(own, TIMED(MULS MULS2), 64, v, 64);
    two = v[32];
    assert_int_equal(v[0], one);
    assert_int_equal(two, one);
    (void)st_once(all, loads, 64, v, 64);
    two = v[32];
    (void)st_once(own, loads, 64, v, 64);
    assert_int_equal(v[32], two);
}

static void test_branch(void **state)
{
    (void)state;
    for (uint32_t lat = 1; lat <= 31; lat += 10) {
        char set[64];
        uint32_t gap = lat < 2 ? 2 : lat;

        (void)snprintf(set, sizeof(set), "sm.branch_latency=%u", lat);
        assert_int_equal(cycles(set, TIMED("bra L;\nL:\n")), 2 + gap);
        assert_int_equal(cycles(set, TIMED("bra L;\nL:\nbra M;\nM:\n")), 2 + 2 * gap);
    }
}

static uint32_t cycles_of_32(const char *settings, const char *ptx)
{
    uint32_t v[32];

    (void)st_once(settings, ptx, 32, v, 32);
    return v[0];
}

/* Some of the lanes branch, or all, or none. */
static void test_split(void **state)
{
#define BRANCH_OF(n)                                                                   \
    TIMED("setp.lt.u32 %p1, %r1, " #n ";\n@%p1 bra L;\nmov.u32 %r12, %clock;\nL:\n")
    static const struct {
        const char *ptx;
        bool splits;
    } cases[] = {{BRANCH_OF(16), true},
                 {BRANCH_OF(1), true},
                 {BRANCH_OF(31), true},
                 {BRANCH_OF(0), false},
                 {BRANCH_OF(32), false}};

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(cases); i++) {
        const uint32_t none = cycles_of_32("sm.split_latency=0", cases[i].ptx);

        for (uint32_t lat = 2; lat <= 32; lat += 10) { /* one issues every second */
            char set[64];

            (void)snprintf(set, sizeof(set), "sm.split_latency=%u", lat);
            assert_int_equal(cycles_of_32(set, cases[i].ptx),
                             none + (cases[i].splits ? lat : 0));
        }
    }
}

/* A fence takes as long as it says, and no less for having nothing to wait for. */
static void test_fence_latency(void **state)
{
    const uint32_t block = cycles("", TIMED("membar.cta;"));
    const uint32_t device = cycles("", TIMED("membar.gl;"));

    (void)state;
    for (uint32_t lat = 2; lat <= 602; lat += 100) {
        char set[64];

        (void)snprintf(set, sizeof(set), "sm.fence_latency=%u", lat);
        assert_int_equal(cycles(set, TIMED("membar.gl;")), 2 + lat);
        assert_int_equal(cycles(set, TIMED("membar.cta;")), block);
        (void)snprintf(set, sizeof(set), "sm.fence_sys_latency=%u", lat);
        assert_int_equal(cycles(set, TIMED("membar.sys;")), 2 + lat);
        assert_int_equal(cycles(set, TIMED("membar.gl;")), device);
    }
}

static void test_barrier_latency(void **state)
{
    (void)state;
    for (uint32_t lat = 1; lat <= 31; lat += 10) {
        char set[64];
        uint32_t gap = lat < 2 ? 2 : lat;

        (void)snprintf(set, sizeof(set), "sm.barrier_latency=%u", lat);
        assert_int_equal(cycles(set, TIMED("bar.sync 0;")), 2 + gap);
        assert_int_equal(cycles(set, TIMED("bar.sync 0; bar.sync 1;")), 2 + 2 * gap);
        /* who only arrives does not wait */
        assert_int_equal(cycles(set, TIMED("bar.arrive 2, 64;")), 2 + 2);
    }
}

/* Delays around the length of the SM's ring of cycles, and a multiple of it: of one
 * result, of two of which one is wanted first, of holds. */
static void test_long_delays(void **state)
{
    static const uint32_t delays[] = {63,  64,  65,  126, 127, 128, 129,
                                      254, 255, 256, 257, 384, 499, 500};

    (void)state;
    for (uint32_t k = 0; k < ARRAY_LEN(delays); k++) {
        uint32_t lat = delays[k], hold = lat < 255 ? lat : 255;
        char set[96];

        (void)snprintf(set, sizeof(set),
                       "sm.pipe.iadd.latency=%u sm.pipe.shift.latency=9", lat);
        assert_int_equal(cycles(set, TIMED(ADD ADD)), 2 + lat + 2);
        assert_int_equal(
            cycles(set, TIMED("add.u32 %r3, %r1, 1;\nshl.b32 %r4, %r1, 1;\n"
                              "shl.b32 %r4, %r4, 1;\nadd.u32 %r5, %r3, %r4;\n")),
            2 + lat + 2);
        assert_int_equal(cycles(set,
                                TIMED("add.u32 %r3, %r1, 1;\nshl.b32 %r4, %r1, 1;\n"
                                      "shl.b32 %r5, %r4, 1;\n")),
                         2 + 2 + 9 + 2); /* nobody waits for the first */
        (void)snprintf(set, sizeof(set), "sm.branch_latency=%u sm.barrier_latency=%u",
                       hold, hold + 1);
        assert_int_equal(cycles(set, TIMED("bra L;\nL:\n")), 2 + hold);
        assert_int_equal(cycles(set, TIMED("bar.sync 0;")), 2 + hold + 1);
    }
}

/* Warp 1 comes 50 instructions late: warp 0 goes on barrier_latency after warp 1's
 * arrival, not a cycle before. */
static void test_barrier_waits_for_the_last(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "k", "setp.lt.u32 %p1, %r1, 32;\n@%p1 bra W;\n" X5(X5(ADD) X5(
                 ADD)) "W: mov.u32 %r10, %clock;\nbar.sync 0;\nmov.u32 %r11, %clock;\n"
                       "mul.wide.u32 %rd3, %r0, 4; add.u64 %rd1, %rd1, %rd3;"
                       "st.global.v2.u32 [%rd1], {%r10, %r11};");
    uint32_t v[128];

    (void)state;
    (void)st_once("sm.barrier_latency=23", ptx, 64, v, 128);
    assert_true(v[64] > v[0] + 50);
    assert_int_equal(v[1] < v[65] ? v[1] : v[65], v[64] + 2 + 23);
    assert_int_equal(v[1] < v[65] ? v[65] : v[1], v[64] + 2 + 23 + 2);
}

/* ---- memory ---- */

#define SHARED ".shared .align 16 .b8 s[16384];\n"
#define TIMED_SHARED(text)                                                             \
    PTX_HEAD SHARED BODY(                                                              \
        "k", "mov.u32 %r4, s; ld.global.u32 %r5, [%rd2 + 256];\n"                      \
             "mad.lo.u32 %r4, %r1, %r5, %r4; add.u32 %r4, %r4, 0;\n"                   \
             "add.u32 %r7, %r4, 0; add.u64 %rd3, %rd1, 0; bar.sync 15; bar.sync 15;\n" \
             "mov.u32 %r10, %clock;\n" text "\nmov.u32 %r11, %clock;\n"                \
             "sub.u32 %r12, %r11, %r10; st.global.u32 [%rd1], %r12;\n" LIVE)

/* A load and its use: latency, plus interval for every further wavefront. */
static void test_shared_latency(void **state)
{
    static const char ptx[] =
        TIMED_SHARED("ld.shared.u32 %r6, [%r4];\nadd.u32 %r6, %r6, 1;");
    static const char settings[] = "sm.smem.latency=%u sm.smem.interval=%u";

    (void)state;
    for (uint32_t k = 0; k < 4; k++) {
        static const uint32_t strides[] = {4, 8, 32, 128}; /* bytes; 1, 2, 8, 32 ways */
        static const uint32_t ways[] = {1, 2, 8, 32};

        for (uint32_t lat = 12; lat <= 112; lat += 50) {
            for (uint32_t interval = 1; interval <= 3; interval++) {
                char set[96];
                uint32_t stride = strides[k];
                struct st *t;

                (void)snprintf(set, sizeof(set), settings, lat, interval);
                t = st_open(set, ptx);
                memory_write(&t->memory, t->in + 256, &stride, 4);
                st_run(t, "k", 1, 32);
                assert_int_equal(t->words[0], 2 + lat + (ways[k] - 1) * interval + 2);
                assert_int_equal(t->words[31], t->words[0]);
                assert_int_equal(st_counters(t, 0).sh_ld_wavefronts, ways[k]);
                assert_int_equal(st_counters(t, 0).sh_ld_conflicts, ways[k] - 1);
                st_close(t);
            }
        }
    }
}

/* The warp itself goes on; only the use waits. */
static void test_load_does_not_block(void **state)
{
    (void)state;
    assert_int_equal(cycles("", TIMED_SHARED("ld.shared.u32 %r6, [%r4];\n" ADD ADD)),
                     2 + 2 + 4 + 2);
    assert_int_equal(cycles("sm.smem.latency=60",
                            TIMED_SHARED("ld.shared.u32 %r6, [%r4];\n"
                                         "ld.shared.u32 %r7, [%r4 + 4];\n"
                                         "add.u32 %r6, %r6, %r7;")),
                     2 + 2 + 60 + 2);
}

#define CONST ".const .u32 c[64] = {1, 2, 3};\n"
#define TIMED_CONST(text)                                                              \
    PTX_HEAD CONST BODY(                                                               \
        "k", "mov.u64 %rd4, c; mul.wide.u32 %rd5, %r1, 4; add.u64 %rd4, %rd4, %rd5;\n" \
             "add.u64 %rd6, %rd4, 0; bar.sync 15; bar.sync 15;\n"                      \
             "mov.u32 %r10, %clock;\n" text "add.u32 %r6, %r6, 1;\n"                   \
             "mov.u32 %r11, %clock;\nsub.u32 %r12, %r11, %r10;\n"                      \
             "st.global.u32 [%rd1], %r12; cvt.u32.u64 %r3, %rd6;\n" LIVE)

static void test_const_latency(void **state)
{
    static const char one[] = TIMED_CONST("ld.const.u32 %r6, [c + 4];\n");
    static const char many[] = TIMED_CONST("ld.const.u32 %r6, [%rd4];\n");
    struct smw_counters c;
    uint32_t v;

    (void)state;
    c = st_once("sm.cbank.size=0 sm.cbank.latency=31", one, 32, &v, 1);
    assert_int_equal(v, 2 + 31 + 2);
    assert_int_equal(c.const_insts, 1);
    assert_int_equal(c.const_requests, 1);
    c = st_once("sm.cbank.size=0 sm.cbank.latency=31 sm.cbank.interval=3", many, 32, &v,
                1);
    assert_int_equal(v, 2 + 31 + 31 * 3 + 2);
    assert_int_equal(c.const_requests, 32);
}

/* The second load of a line finds it in the L1. */
static void test_l1_hit_latency(void **state)
{
    static const char ptx[] = TIMED_SHARED("ld.global.u32 %r6, [%rd2 + 260];\n"
                                           "add.u32 %r6, %r6, 1;");
    static const char cold[] = TIMED_SHARED("ld.global.u32 %r6, [%rd2 + 2560];\n"
                                            "add.u32 %r6, %r6, 1;");

    (void)state;
    for (uint32_t lat = 16; lat <= 96; lat += 40) {
        char set[64];

        (void)snprintf(set, sizeof(set), "sm.l1.latency=%u", lat);
        assert_int_equal(cycles(set, ptx), 2 + lat + 2);
        assert_true(cycles(set, cold) > 2 + lat + 2 + 20);
    }
}

/* A fence waits for the answer from memory, and for it alone. */
static void test_fence_waits(void **state)
{
    static const char fence[] = TIMED("membar.gl;");
    static const char store[] = TIMED("st.global.u32 [%rd0 + 512], %r1;");
    static const char both[] = TIMED("st.global.u32 [%rd0 + 512], %r1; membar.gl;");
    uint32_t fenced = cycles("", both);

    (void)state;
    assert_int_equal(cycles("", fence), 4);
    assert_int_equal(cycles("", store), 4);
    assert_in_range(fenced, 60, 120); /* to memory and back */
    for (uint32_t more = 1; more <= 160; more += 53) {
        char set[64];

        (void)snprintf(set, sizeof(set), "test.latency=%u", 60 + more);
        /* to the cycle, as far as a scheduler issues in every second one */
        assert_in_range(cycles(set, both), fenced + more - 1, fenced + more + 1);
        assert_int_equal(cycles(set, store), 4);
    }
}

/* ---- starts ---- */

/* The first block's start says when it begins; the second uses the same warps: what the
 * first left behind must not let it go early. */
static void test_second_block_starts_afresh(void **state)
{
    static const char ptx[] = PTX_HEAD
        ".visible .entry k(.param .u64 out, .param .u64 in)\n"
        "{ .reg .u32 %r<4>; .reg .u64 %rd<3>; .reg .pred %p;\n"
        "mov.u32 %r1, %clock;\nmov.u32 %r2, %ctaid.x;\nsetp.eq.u32 %p, %r2, 0;\n"
        "@%p exit;\nld.param.u64 %rd1, [out];\nst.global.u32 [%rd1], %r1;\nexit;\n}\n"
        ".visible .entry first(.param .u64 out, .param .u64 in)\n"
        "{ .reg .u32 %r<4>; .reg .u64 %rd<3>;\n"
        "mov.u32 %r1, %clock;\nld.param.u64 %rd1, [out];\nst.global.u32 [%rd1], %r1;\n"
        "exit;\n}\n";
    uint32_t gap[2];

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        char set[96];
        struct st *t;
        uint32_t start;

        (void)snprintf(set, sizeof(set), "sm.max_blocks=1 sm.block_start=%u", 100 + i);
        t = st_open(set, ptx);
        st_run(t, "first", 1, 32);
        start = t->words[0];
        st_close(t);
        t = st_open(set, ptx);
        st_run(t, "k", 2, 32);
        gap[i] = t->words[0] - start;
        st_close(t);
        assert_in_range(gap[i], 100 + i, 130);
    }
    assert_int_equal(gap[1], gap[0] + 1);
}

/* A result the first block did not wait for is not taken for one of the second. n:
 * block that leaves at once. */
#define SIN_KERNEL(name, n)                                                            \
    ".visible .entry " name "(.param .u64 out, .param .u64 in)\n"                      \
    "{ .reg .u32 %r<8>; .reg .f32 %f<3>; .reg .u64 %rd<3>; .reg .pred %p;\n"           \
    "mov.u32 %r2, %ctaid.x;\nsetp.eq.u32 %p, %r2, " n ";\nmov.f32 %f1, 0f3F800000;\n"  \
    "mov.u32 %r4, %clock;\nsin.approx.f32 %f2, %f1;\n@%p exit;\n"                      \
    "add.f32 %f2, %f2, %f2;\nmov.u32 %r5, %clock;\n"                                   \
    "sub.u32 %r5, %r5, %r4;\nld.param.u64 %rd1, [out];\n"                              \
    "st.global.u32 [%rd1], %r5;\nst.global.f32 [%rd1 + 4], %f2;\nexit;\n}\n"

static void test_second_block_scoreboard(void **state)
{
    static const char ptx[] = PTX_HEAD SIN_KERNEL("alone", "9") SIN_KERNEL("k", "0");
    struct st *t = st_open("sm.max_blocks=1 sm.pipe.sfu.latency=400 "
                           "sm.pipe.sfu.throughput=32",
                           ptx);
    uint32_t alone;

    (void)state;
    st_run(t, "alone", 1, 32);
    alone = t->words[0];
    assert_in_range(alone, 404, 410);
    st_run(t, "k", 2, 32);
    assert_int_equal(t->words[0], alone);
    st_close(t);
}

/* Slow pipes and heavy instructions: the longest delays there are. */
static void test_longest_latency(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "k", "cvt.u64.u32 %rd5, %r1; add.u64 %rd6, %rd5, 77; add.u64 %rd5, %rd5, 3;\n"
             "rem.u64 %rd7, %rd6, %rd5; cvt.u32.u64 %r5, %rd7;\n"
             "cvt.rn.f64.u32 %fd1, %r1; add.f64 %fd1, %fd1, 0d3FF0000000000000;\n"
             "div.rn.f64 %fd2, %fd1, %fd1; sqrt.rn.f64 %fd2, %fd2; cvt.rzi.u32.f64 "
             "%r6, %fd2;\n"
             "add.u32 %r5, %r5, %r6; st.global.u32 [%rd1], %r5;");
    uint32_t v[32];

    (void)state;
    (void)st_once("sm.pipe.fp64.throughput=1 sm.pipe.fp64.latency=500 "
                  "sm.pipe.imul.throughput=1 sm.pipe.imul.latency=500 "
                  "sm.pipe.iadd.throughput=1 sm.pipe.iadd.latency=500 "
                  "sm.pipe.sfu.throughput=1 sm.pipe.sfu.latency=500 "
                  "sm.pipe.cvt64.throughput=1 sm.pipe.cvt64.latency=500",
                  ptx, 32, v, 32);
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(v[i], (i + 77) % (i + 3) + 1);
    }
}

/* ---- clocks ---- */

static void test_clock_is_monotone(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "k", "mov.u64 %rd4, %clock64; mov.u64 %rd5, %globaltimer; mov.u32 %r4, 0;\n"
             "mov.u32 %r5, 0;\n"
             "L: mov.u64 %rd6, %clock64; mov.u64 %rd7, %globaltimer;\n"
             "setp.le.u64 %p1, %rd6, %rd4; @%p1 add.u32 %r5, %r5, 1;\n"
             "setp.lt.u64 %p2, %rd7, %rd5; @%p2 add.u32 %r5, %r5, 1;\n"
             "mov.u64 %rd4, %rd6; mov.u64 %rd5, %rd7; add.u32 %r4, %r4, 1;\n"
             "setp.lt.u32 %p1, %r4, 100; @%p1 bra L;\n"
             "st.global.u32 [%rd1], %r5;\n"
             "mul.wide.u32 %rd8, %r0, 12; add.u64 %rd1, %rd1, %rd8;\n"
             "add.u64 %rd1, %rd1, 4096; st.global.v2.u64 [%rd1], {%rd6, %rd7};");
    struct st *t = st_open("test.compute_capability=3.0 sm.l1.global=false", ptx);
    uint64_t last[2];

    (void)state;
    st_run(t, "k", 2, 64);
    for (uint32_t i = 0; i < 128; i++) {
        assert_int_equal(t->words[i], 0);
        memcpy(last, &t->words[1024 + 4 * i], sizeof(last));
        assert_true(last[0] < sim_cycle(&t->clock));
        /* 1.4 cycles per nanosecond; the timer is read one issue later */
        assert_in_range(last[1], last[0] * 10 / 14 - 1, last[0] * 10 / 14 + 40);
    }
    st_close(t);
}

/* SPEC SLEEP-1: up to the next multiple of 2^(k+1) ns of the global timer, 2^k the
 * largest power of 2 that the longest of the lanes' arguments holds. */
static void test_nanosleep(void **state)
{
    static const struct {
        const char *insn;
        uint32_t step; /* ns; 0: it does not wait */
    } rows[] = {
        {"nanosleep.u32 0;", 0},
        {"nanosleep.u32 63;", 0},
        {"nanosleep.u32 64;", 128},
        {"nanosleep.u32 127;", 128},
        {"nanosleep.u32 128;", 256},
        {"nanosleep.u32 1000;", 1024},
        {"nanosleep.u32 %r3;", 1024}, /* 500 to 531, by lane */
        {"@%p1 nanosleep.u32 %r3;", 512},
        {"@%p2 nanosleep.u32 1000;", 0},
        {"nanosleep.u32 1048576;", 2097152},
        {"nanosleep.u32 -1;", 2097152},
    };

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        const uint32_t step = rows[i].step;
        char ptx[1024];
        uint32_t v[32];

        (void)snprintf(ptx, sizeof(ptx), "%s",
                       PTX_HEAD BODY("k", "add.u32 %r3, %r1, 500;\n"
                                          "setp.lt.u32 %p1, %r3, 512;\n"
                                          "setp.gt.u32 %p2, %r3, 999;\n"
                                          "mov.u64 %rd4, %globaltimer;\n#"));
        (void)snprintf(strchr(ptx, '#'), 512,
                       "%s\nmov.u64 %%rd5, %%globaltimer;\ncvt.u32.u64 %%r4, %%rd4;\n"
                       "cvt.u32.u64 %%r5, %%rd5;\nsetp.eq.u32 %%p3, %%r1, 0;\n"
                       "@%%p3 mov.u32 %%r5, %%r4;\nst.global.u32 [%%rd1], %%r5;\n"
                       "exit;\n}\n",
                       rows[i].insn);
        (void)st_once("test.compute_capability=9.0 sm.branch_latency=1", ptx, 32, v,
                      32);
        if (step == 0) {
            assert_in_range(v[1], v[0] + 1, v[0] + 4); /* 1.4 cycles per ns */
        } else {
            const uint32_t end = (v[0] / step + 1) * step;

            assert_in_range(v[1], end, end);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dependent_adds),
        cmocka_unit_test(test_write_after_write),
        cmocka_unit_test(test_predicates_are_operands),
        cmocka_unit_test(test_loads_without_lanes),
        cmocka_unit_test(test_other_pipes),
        cmocka_unit_test(test_independent_adds),
        cmocka_unit_test(test_pipe_throughput),
        cmocka_unit_test(test_pipes_are_independent),
        cmocka_unit_test(test_schedulers_share_pipes),
        cmocka_unit_test(test_partitioned_pipes),
        cmocka_unit_test(test_branch),
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_fence_latency),
        cmocka_unit_test(test_barrier_latency),
        cmocka_unit_test(test_long_delays),
        cmocka_unit_test(test_barrier_waits_for_the_last),
        cmocka_unit_test(test_shared_latency),
        cmocka_unit_test(test_load_does_not_block),
        cmocka_unit_test(test_const_latency),
        cmocka_unit_test(test_l1_hit_latency),
        cmocka_unit_test(test_fence_waits),
        cmocka_unit_test(test_second_block_starts_afresh),
        cmocka_unit_test(test_second_block_scoreboard),
        cmocka_unit_test(test_longest_latency),
        cmocka_unit_test(test_clock_is_monotone),
        cmocka_unit_test(test_nanosleep),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
