/* Blocks at an SM's own ports: when one is placed, when its warps begin, when it goes
 * back. */
#include "sm/sm_test.h"

#define CLOCK_ONLY "mov.u32 %r5, %clock; st.global.u32 [%rd1], %r5;"

/* The first of the kernel's instructions reads the clock. */
static const char first[] = PTX_HEAD
    ".visible .entry k(.param .u64 out, .param .u64 in)\n"
    "{ .reg .u32 %r<4>; .reg .u64 %rd<3>;\n"
    "mov.u32 %r1, %clock;\nld.param.u64 %rd1, [out];\nst.global.u32 [%rd1], %r1;\n"
    "exit;\n}\n";

/* Its warps issue block_start cycles after the cycle in which it is placed. */
static void test_block_start(void **state)
{
    static const uint32_t delays[] = {1, 2, 7, 127, 128, 129, 1000};

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(delays); i++) {
        char set[64];
        struct st *t;

        (void)snprintf(set, sizeof(set), "sm.block_start=%u", delays[i]);
        t = st_open(set, first);
        st_run(t, "k", 1, 32);
        assert_int_equal(t->n_back, 1);
        assert_int_equal(t->words[0], t->back[0].started_at + delays[i]);
        st_close(t);
    }
}

/* A block goes back when its last access has been answered: in that cycle, and so as
 * much later as memory is slower. The warp itself has exited long before. */
static void test_goes_back_with_its_last_access(void **state)
{
    sim_cycle_t done_at = 0;

    (void)state;
    for (uint32_t latency = 200; latency <= 230; latency++) {
        char set[64];
        struct st *t;

        (void)snprintf(set, sizeof(set), "test.latency=%u", latency);
        t = st_open(set, first);
        st_run(t, "k", 1, 32);
        assert_true(t->back[0].done_at > t->words[0] + latency);
        assert_true(t->back[0].done_at < t->words[0] + latency + 40);
        if (done_at != 0) {
            assert_int_equal(t->back[0].done_at, done_at + 1);
        }
        done_at = t->back[0].done_at;
        assert_true(st_counters(t, 0).warp_cycles < 100);
        assert_int_equal(st_counters(t, 0).active_cycles,
                         done_at - t->back[0].started_at);
        st_close(t);
    }
}

/* One block is placed per cycle while there is room; the next one in the cycle in which
 * the last answer for one that leaves arrives. */
static void test_one_per_cycle(void **state)
{
    static const char ptx[] = PTX_HEAD BODY("k", CLOCK_ONLY);

    (void)state;
    for (uint32_t room = 1; room <= 8; room++) {
        char set[64];
        struct st *t;

        (void)snprintf(set, sizeof(set), "sm.max_blocks=%u", room);
        t = st_open(set, ptx);
        st_run(t, "k", 12, 32);
        assert_int_equal(t->n_back, 12);
        for (uint32_t i = 0; i < 12; i++) {
            assert_int_equal(t->back[i].index, i);
            if (i != 0) {
                sim_cycle_t at = t->back[i - 1].started_at + 1;
                sim_cycle_t free = i < room ? 0 : t->back[i - room].done_at;

                assert_int_equal(t->back[i].started_at, free > at ? free : at);
            }
        }
        assert_int_equal(st_counters(t, 0).blocks, 12);
        assert_false(sm_is_busy(t->sm));
        st_close(t);
    }
}

/* Neither more warps nor more shared memory than there are, whatever slots are free;
 * and all that there are. */
static void test_room(void **state)
{
    static const char ptx[] = PTX_HEAD BODY("k", CLOCK_ONLY);
    static const struct {
        uint32_t threads, dynamic, together;
    } rows[] = {
        {512, 0, 2},    {513, 0, 1},    {1024, 0, 1},   {128, 0, 8},
        {32, 6144, 8},  {32, 6145, 7},  {32, 16384, 3}, {32, 16385, 2},
        {32, 24576, 2}, {32, 24577, 1}, {32, 49152, 1},
    };

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct st *t = st_open("sm.max_blocks=8", ptx);
        struct st_shape shape = st_line(9, rows[i].threads);
        uint32_t k = rows[i].together;

        shape.dynamic = rows[i].dynamic;
        st_run_shape(t, "k", shape);
        assert_true(t->back[k - 1].started_at < t->back[0].done_at);
        assert_true(t->back[k].started_at >= t->back[0].done_at);
        st_close(t);
    }
}

/* What a block finds in shared memory is nothing of the block before. */
static void test_shared_memory_begins_clear(void **state)
{
    static const char ptx[] = PTX_HEAD ".shared .u32 s[64];\n" BODY(
        "k", "mov.u32 %r4, s; mad.lo.u32 %r4, %r1, 4, %r4; ld.shared.u32 %r5, [%r4];\n"
             "st.global.u32 [%rd1], %r5; add.u32 %r6, %r0, 1000;\n"
             "st.shared.u32 [%r4], %r6;");
    struct st *t = st_open("sm.max_blocks=1", ptx);

    (void)state;
    memory_write(&t->memory, t->out, "\1\1\1\1", 4);
    st_run(t, "k", 6, 64);
    for (uint32_t i = 0; i < 6 * 64; i++) {
        assert_int_equal(t->words[i], 0);
    }
    st_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_start),
        cmocka_unit_test(test_goes_back_with_its_last_access),
        cmocka_unit_test(test_one_per_cycle),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_shared_memory_begins_clear),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
