/*
 * Bulk copies of one SM: what arrives where, who waits for it, in which cycle, and what
 * is at fault (SPEC BULK-1 to BULK-4). Boxes: isa/tensor_h100_test.c.
 */
#include "sm/sm_test.h"

#define HOPPER "test.compute_capability=9.0 "

/* %r5: buf, %r6: the mbarrier, of 1 arrival; all bytes of buf are 0xff at first. */
#define BEGIN                                                                          \
    ".shared .align 128 .b8 buf[1024]; .shared .align 8 .b64 bar; .reg .b64 %s;\n"     \
    "mov.u32 %r5, buf; mov.u32 %r6, bar; shl.b32 %r4, %r1, 2;\n"                       \
    "add.u32 %r7, %r5, %r4; mov.u32 %r8, -1; st.shared.u32 [%r7], %r8;\n"              \
    "setp.ne.u32 %p1, %r1, 0;\n"                                                       \
    "@!%p1 mbarrier.init.shared::cta.b64 [%r6], 1; bar.sync 0;\n"
#define EXPECT(n) "@!%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %s, [%r6], " n ";\n"
#define LOAD(to, from, n, bar)                                                         \
    "@!%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [" to     \
    "], [" from "], " n ", [" bar "];\n"
#define AWAIT                                                                          \
    "W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r6], 0; @!%p2 bra W;\n"
#define STORE(to, from, n)                                                             \
    "@!%p1 cp.async.bulk.global.shared::cta.bulk_group [" to "], [" from "], " n ";\n"
/* The word of the thread goes to out. */
#define ANSWER "ld.shared.u32 %r9, [%r7]; st.global.u32 [%rd1], %r9;\nexit;\n}\n"

/* A kernel that begins so and goes on with text. */
static void write_kernel(char *ptx, size_t size, const char *text)
{
    char *at;

    (void)snprintf(ptx, size, "%s", PTX_HEAD BODY("k", BEGIN "#"));
    at = strchr(ptx, '#');
    (void)snprintf(at, size - (size_t)(at - ptx), "%s", text);
}

static void test_load(void **state)
{
    static const struct {
        const char *text;
        uint32_t words;
    } rows[] = {
        {EXPECT("16") LOAD("%r5", "%rd2", "16", "%r6") AWAIT ANSWER, 4},
        {EXPECT("256") LOAD("%r5", "%rd2", "256", "%r6") AWAIT ANSWER, 64},
        {EXPECT("256") LOAD("%r5", "%rd2", "128", "%r6")
             LOAD("%r5+128", "%rd2+128", "128", "%r6") AWAIT ANSWER,
         64},
        {EXPECT("0") LOAD("%r5", "%rd2", "0", "%r6") AWAIT ANSWER, 0},
        /* bytes that come before they are expected */
        {LOAD("%r5", "%rd2", "64", "%r6") EXPECT("64") AWAIT ANSWER, 16},
    };

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        char ptx[4096];
        uint32_t v[64];

        write_kernel(ptx, sizeof(ptx), rows[i].text);
        (void)st_once(HOPPER, ptx, 64, v, 64);
        for (uint32_t k = 0; k < 64; k++) { /* word k of in is k */
            assert_int_equal(v[k], k < rows[i].words ? k : UINT32_MAX);
        }
    }
}

/* SPEC BULK-2: warps that poll leave every other turn to copies, also where each poll
 * keeps the way to shared memory for as long as the next one takes to come. */
static void test_polls(void **state)
{
    static const char text[] = EXPECT("128") LOAD("%r5", "%rd2", "64", "%r6")
        LOAD("%r5+64", "%rd2+64", "64",
             "%r6") "W: mbarrier.test_wait.parity.shared::cta.b64 %p2, [%r6], 0;\n"
                    "@!%p2 bra W;\n" ANSWER;

    (void)state;
    for (uint32_t warps = 1; warps <= 8; warps++) {
        char ptx[4096];
        uint32_t v[32];

        write_kernel(ptx, sizeof(ptx), text);
        (void)st_once(HOPPER, ptx, 32 * warps, v, 32);
        for (uint32_t k = 0; k < 32; k++) {
            assert_int_equal(v[k], k);
        }
    }
}

/* What is stored and reduced is there when the kernel ends, and counted. */
static void test_store(void **state)
{
    static const char text[] = "st.shared.u32 [%r7], %r1; bar.sync 0;\n" STORE(
        "%rd0", "%r5",
        "256") "@!%p1 cp.async.bulk.commit_group;\n"
               "@!%p1 cp.async.bulk.wait_group 0;\n"
               "@!%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 "
               "[%rd0+128], "
               "[%r5+128], 128;\n"
               "@!%p1 cp.async.bulk.commit_group;\nexit;\n}\n";
    char ptx[4096];
    struct smw_counters c;
    uint32_t v[64];

    (void)state;
    write_kernel(ptx, sizeof(ptx), text);
    c = st_once(HOPPER, ptx, 64, v, 64);
    for (uint32_t k = 0; k < 64; k++) {
        assert_int_equal(v[k], k < 32 ? k : 2 * k);
    }
    assert_int_equal(c.bulk_copies, 2);
    assert_int_equal(c.bulk_requests, 2); /* of 16 lanes, and of 32 */
    assert_int_equal(c.bulk_stored, 256 + 128);
    assert_int_equal(c.bulk_sectors, 8 + 4);
    assert_int_equal(c.bulk_wavefronts, 2 + 1);
    assert_int_equal(c.gl_st_requests, 0);
}

/* Cycles from the load of n bytes until they are there. */
static uint32_t cycles_of_load(const char *settings, const char *bytes)
{
    char ptx[4096], text[2048], all[256];
    uint32_t v[32];

    (void)snprintf(text, sizeof(text),
                   "mov.u32 %%r20, %%clock;\n"
                   "@!%%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %%s, [%%r6], %s;\n"
                   "@!%%p1 cp.async.bulk.shared::cluster.global"
                   ".mbarrier::complete_tx::bytes [%%r5], [%%rd2], %s, [%%r6];\n%s"
                   "mov.u32 %%r21, %%clock; sub.u32 %%r9, %%r21, %%r20;\n"
                   "st.global.u32 [%%rd1], %%r9;\nexit;\n}\n",
                   bytes, bytes, AWAIT);
    (void)snprintf(all, sizeof(all), HOPPER "%s", settings);
    write_kernel(ptx, sizeof(ptx), text);
    (void)st_once(all, ptx, 32, v, 32);
    return v[0];
}

/* SPEC BULK-4: each key moves the end by as much as it says. */
static void test_time(void **state)
{
    const uint32_t one = cycles_of_load("sm.bulk.start=40", "512");
    const uint32_t two = cycles_of_load("sm.bulk.start=40 sm.bulk.interval=50", "1024");

    (void)state;
    assert_int_equal(cycles_of_load("sm.bulk.start=41", "512"), one + 1);
    assert_int_equal(cycles_of_load("sm.bulk.start=39", "512"), one - 1);
    assert_int_equal(cycles_of_load("sm.bulk.start=40 sm.bulk.interval=51", "1024"),
                     two + 1);
    /* one request at a time: the second goes when the first is over */
    assert_true(cycles_of_load("sm.bulk.start=40 sm.bulk.requests=1", "1024") >
                one + 30);
}

/* wait_group.read is over when shared memory has been read, wait_group when global
 * memory was written; neither waits for the latest groups that it leaves. */
static void test_groups(void **state)
{
    static const char *const waits[] = {"wait_group 0", "wait_group.read 0",
                                        "wait_group 1"};
    uint32_t cycles[3];

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        char ptx[4096], text[2048];
        uint32_t v[2048];

        (void)
            snprintf(text, sizeof(text),
                     "mov.u32 %%r20, %%clock;\n"
                     "@!%%p1 cp.async.bulk.global.shared::cta.bulk_group [%%rd0+4096], "
                     "[%%r5], 1024;\n"
                     "cp.async.bulk.commit_group; cp.async.bulk.%s;\n"
                     "mov.u32 %%r21, %%clock; sub.u32 %%r9, %%r21, %%r20;\n"
                     "st.global.u32 [%%rd1], %%r9;\nexit;\n}\n",
                     waits[i]);
        write_kernel(ptx, sizeof(ptx), text);
        (void)st_once(HOPPER, ptx, 32, v, 2048);
        assert_int_equal(v[1024], UINT32_MAX);
        cycles[i] = v[0];
    }
    assert_true(cycles[2] < cycles[1] && cycles[1] < cycles[0]);
}

static void test_faults(void **state)
{
    static const struct {
        const char *text, *message, *rule;
    } rows[] = {
        {LOAD("%r5+8", "%rd2", "16", "%r6"),
         "shared memory 0x8 is not a multiple of 16", "misaligned"},
        {LOAD("%r5", "%rd2+8", "16", "%r6"), "is not a multiple of 16", "misaligned"},
        {LOAD("%r5", "%rd2", "24", "%r6"), "the size 0x18 is not a multiple of 16",
         "misaligned"},
        {LOAD("%r5", "%rd2", "16", "%r6+4"), "mbarrier 0x404 is not a multiple of 8",
         "misaligned"},
        {LOAD("%r5+1024", "%rd2", "16", "%r6"), "data of 16 bytes at 0x400",
         "out-of-bounds"},
        {LOAD("%r5", "%rd2", "16", "%r6+8"), "an mbarrier of 8 bytes at 0x408",
         "out-of-bounds"},
        {LOAD("%r5", "0x1000", "16", "%r6"),
         "16 bytes at 0x1000 of global memory are not inside", "out-of-bounds"},
        {STORE("%rd0", "%r5+8", "16"), "is not a multiple of 16", "misaligned"},
        {STORE("%rd0", "%r5+1024", "16"), "data of 16 bytes", "out-of-bounds"},
        {"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd2, {0}], [%r5];\n",
         "at the address of the tensor map is none", "invalid-tensor-map"},
        {"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd2+4, {0}], "
         "[%r5];\n",
         "is not a multiple of 64", "misaligned"},
    };

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        char ptx[4096], text[1024];
        struct st *t;

        (void)snprintf(text, sizeof(text), "%sexit;\n}\n", rows[i].text);
        write_kernel(ptx, sizeof(ptx), text);
        t = st_open(HOPPER, ptx);
        st_start(t, "k", st_line(1, 32));
        assert_int_equal(st_finish(t), ST_FAULT);
        if (strstr(t->fault.text, rows[i].message) == NULL) {
            print_error("row %u: %s\n", i, t->fault.text);
            fail();
        }
        assert_string_equal(t->fault.what.rule, rows[i].rule);
        assert_int_equal(t->fault.lane, 0);
        st_close(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load),   cmocka_unit_test(test_polls),
        cmocka_unit_test(test_store),  cmocka_unit_test(test_time),
        cmocka_unit_test(test_groups), cmocka_unit_test(test_faults),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
