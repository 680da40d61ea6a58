#include "check/bed_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum {
    BLOCKS = 4, /* resident ones, each in a slot of its own */
    WARPS = 4,
    BYTES = 32768,
    BASE = 65536 - 4096 /* both sides of a page's end */
};

struct bed {
    struct checkers of;
    sim_cycle_t now;
};

/* Block `first` and those after it begin; there are so many in all. */
static void launch(struct bed *b, uint32_t number, uint64_t first, uint64_t blocks)
{
    for (uint32_t i = 0; i < BLOCKS; i++) {
        const struct check_block k = {.kernel = b,
                                      .launch = number,
                                      .block = first + i,
                                      .warps = WARPS,
                                      .blocks = blocks};

        check_begin(b->of.c, i, &k);
    }
}

static void open_bed(struct bed *b, bool races)
{
    memset(b, 0, sizeof(*b));
    b->of.g = check_global_new(races);
    b->of.c = check_new(BLOCKS, false);
    launch(b, 0, 0, BLOCKS);
    check_global_host(b->of.g, BASE, BYTES);
}

static void close_bed(struct bed *b)
{
    check_global_free(b->of.g);
    check_free(b->of.c);
}

/* Lane 0, or all of them 4 bytes apart, accesses BASE + at; a write is of value. */
struct act {
    uint32_t block, at, value, pc, mask; /* mask 0: lane 0 */
    uint8_t flags, more;                 /* more: CHECK_CTA and the like */
    uint8_t size, vec, warp;             /* size, vec 0: 4 bytes, 1 element */
    bool all, one;                       /* one: all lanes at one address */
};

static bool act(struct bed *b, struct act a)
{
    uint32_t data[4][CHECK_LANES];
    uint64_t addr[CHECK_LANES];
    const struct check_access x = {.mask = a.all         ? UINT32_MAX
                                           : a.mask != 0 ? a.mask
                                                         : 1,
                                   .pc = a.pc,
                                   .warp = a.warp,
                                   .flags = a.flags | a.more,
                                   .size = a.size == 0 ? 4 : a.size,
                                   .vec = a.vec == 0 ? 1 : a.vec,
                                   .cycle = ++b->now,
                                   .addr = addr,
                                   .data = (const uint32_t(*)[CHECK_LANES])data};

    for (uint32_t l = 0; l < CHECK_LANES; l++) {
        addr[l] = (uint64_t)BASE + a.at + (a.one ? 0 : 4 * l);
        for (uint32_t i = 0; i < 4; i++) {
            data[i][l] = a.value + (a.one ? l : 0);
        }
    }
    return check_global_access(b->of.g, b->of.c, a.block, &x);
}

static void fence(struct bed *b, uint32_t block, uint32_t warp)
{
    check_both_fence(&b->of, block, warp, true);
}

#define READ(b, ...)  act(b, (struct act){.pc = 2, __VA_ARGS__})
#define WRITE(b, ...) act(b, (struct act){.pc = 1, .flags = CHECK_WRITE, __VA_ARGS__})
#define ATOMIC(b, ...)                                                                 \
    act(b, (struct act){.pc = 3, .flags = CHECK_ATOMIC | CHECK_WRITE, __VA_ARGS__})
#define VOLATILE_READ(b, ...)                                                          \
    act(b, (struct act){.pc = 4, .flags = CHECK_VOLATILE, __VA_ARGS__})
#define VOLATILE_WRITE(b, ...)                                                         \
    act(b, (struct act){.pc = 5, .flags = CHECK_VOLATILE | CHECK_WRITE, __VA_ARGS__})

/* The block has read the flag, and is behind a fence. */
static void see(struct bed *b, uint32_t block, uint32_t at)
{
    ATOMIC(b, .block = block, .at = at);
    fence(b, block, 0);
}

static uint32_t n_found(const struct bed *b)
{
    return check_n_findings(check_global_findings(b->of.g));
}

static const struct check_finding *only(const struct bed *b)
{
    assert_int_equal(n_found(b), 1);
    return check_finding(check_global_findings(b->of.g), 0);
}

static void test_read_after_write(void **state)
{
    const struct check_finding *f;
    struct bed b;

    (void)state;
    open_bed(&b, true);
    assert_false(WRITE(&b, .block = 1, .value = 7, .all = true));
    assert_false(READ(&b, .block = 1, .all = true)); /* its own */
    assert_int_equal(n_found(&b), 0);
    assert_true(READ(&b, .block = 2, .at = 4, .warp = 3));
    f = only(&b);
    assert_int_equal(f->kind, CHECK_RACE);
    assert_int_equal(f->space, CHECK_GLOBAL);
    assert_true(f->error);
    assert_int_equal(f->addr, BASE + 4);
    assert_int_equal(f->count, 4);
    assert_int_equal(f->raw, 4);
    assert_int_equal(f->war + f->waw, 0);
    assert_int_equal(f->side[0].block, 1);
    assert_int_equal(f->side[0].thread, 1);
    assert_int_equal(f->side[0].pc, 1);
    assert_int_equal(f->side[0].cycle, 1);
    assert_int_equal(f->side[1].block, 2);
    assert_int_equal(f->side[1].thread, 3 * CHECK_LANES);
    assert_int_equal(f->side[1].pc, 2);
    assert_int_equal(f->side[1].cycle, 3);
    assert_true(READ(&b, .block = 3, .all = true)); /* the same pair: counted on */
    assert_int_equal(only(&b)->count, 4 + 128);
    close_bed(&b);
}

/* The reads of two blocks are known; the launch before is in order. */
static void test_write_after(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b, true);
    assert_false(READ(&b, .block = 0));
    assert_false(READ(&b, .block = 1));
    assert_true(WRITE(&b, .block = 0, .value = 7)); /* block 1 had read */
    assert_int_equal(only(&b)->war, 4);
    assert_int_equal(only(&b)->side[0].block, 1);
    assert_true(WRITE(&b, .block = 1, .value = 8));
    assert_int_equal(n_found(&b), 2);
    assert_int_equal(check_finding(check_global_findings(b.of.g), 1)->waw, 1);
    launch(&b, 1, 0, BLOCKS);
    assert_false(WRITE(&b, .block = 2, .value = 9));
    assert_false(READ(&b, .block = 2));
    assert_int_equal(n_found(&b), 2);
    close_bed(&b);
}

static void test_bytes_and_values(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b, true);
    assert_false(WRITE(&b, .block = 0, .size = 1, .value = 1));
    assert_false(WRITE(&b, .block = 1, .size = 1, .at = 1, .value = 2));
    assert_false(READ(&b, .block = 2, .size = 2, .at = 2));
    assert_false(WRITE(&b, .block = 0, .at = 8, .value = 0x11223344));
    assert_false(WRITE(&b, .block = 1, .at = 8, .value = 0x11223344)); /* the same */
    assert_int_equal(n_found(&b), 0);
    assert_true(WRITE(&b, .block = 2, .at = 8, .value = 0x11223355)); /* a byte of it */
    assert_int_equal(only(&b)->count, 1);
    assert_int_equal(only(&b)->waw, 1);
    close_bed(&b);

    open_bed(&b, true); /* elements of eight bytes, two to a lane */
    assert_false(WRITE(&b, .block = 0, .size = 8, .vec = 2, .value = 5));
    assert_false(READ(&b, .block = 1, .at = 16));
    assert_true(READ(&b, .block = 1, .at = 12));
    assert_int_equal(only(&b)->count, 4);
    assert_true(READ(&b, .block = 1, .size = 8, .vec = 2));
    assert_int_equal(only(&b)->count, 4 + 16);
    close_bed(&b);
}

static void test_atomics_and_volatile(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b, true);
    assert_false(ATOMIC(&b, .block = 0));
    assert_false(ATOMIC(&b, .block = 1));
    assert_false(VOLATILE_READ(&b, .block = 2));
    assert_false(VOLATILE_WRITE(&b, .block = 3, .value = 1));
    assert_false(VOLATILE_WRITE(&b, .block = 2, .value = 2));
    assert_int_equal(n_found(&b), 0);
    assert_true(READ(&b, .block = 0)); /* a plain one is */
    assert_int_equal(only(&b)->raw, 4);
    assert_false(WRITE(&b, .block = 0, .at = 64));
    assert_true(ATOMIC(&b, .block = 1, .at = 64)); /* whatever the value */
    close_bed(&b);
}

/* Block 0 writes data at 0 and raises a flag at 128; who has seen it may read. */
static void test_flag(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b, true);
    WRITE(&b, .block = 0, .value = 7);
    fence(&b, 0, 0);
    assert_false(ATOMIC(&b, .block = 0, .at = 128, .warp = 1));
    see(&b, 1, 128);
    assert_false(READ(&b, .block = 1));
    assert_false(WRITE(&b, .block = 1, .value = 8));
    assert_int_equal(n_found(&b), 0);
    assert_true(READ(&b, .block = 2)); /* which has not seen it */
    close_bed(&b);

    open_bed(&b, true); /* without a fence */
    WRITE(&b, .block = 0, .value = 7);
    ATOMIC(&b, .block = 0, .at = 128);
    see(&b, 1, 128);
    assert_true(READ(&b, .block = 1));
    close_bed(&b);

    open_bed(&b, true); /* what is written behind the fence is not covered */
    WRITE(&b, .block = 0, .value = 7);
    fence(&b, 0, 0);
    WRITE(&b, .block = 0, .at = 4, .value = 7);
    ATOMIC(&b, .block = 0, .at = 128);
    see(&b, 1, 128);
    assert_false(READ(&b, .block = 1));
    assert_true(READ(&b, .block = 1, .at = 4));
    close_bed(&b);

    open_bed(&b, true); /* nor a read of the flag that came too early */
    WRITE(&b, .block = 0, .value = 7);
    fence(&b, 0, 0);
    see(&b, 1, 128);
    ATOMIC(&b, .block = 0, .at = 128);
    assert_true(READ(&b, .block = 1));
    close_bed(&b);

    open_bed(&b, true); /* nor what was published since */
    fence(&b, 0, 0);
    ATOMIC(&b, .block = 0, .at = 128);
    see(&b, 1, 128);
    WRITE(&b, .block = 0, .value = 7);
    fence(&b, 0, 0);
    ATOMIC(&b, .block = 0, .at = 128);
    assert_true(READ(&b, .block = 1));
    close_bed(&b);
}

static void test_volatile_flag(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b, true);
    WRITE(&b, .block = 0, .value = 7);
    fence(&b, 0, 2);
    VOLATILE_WRITE(&b, .block = 0, .at = 128, .warp = 2, .value = 1);
    VOLATILE_READ(&b, .block = 1, .at = 128);
    fence(&b, 1, 0);
    assert_false(READ(&b, .block = 1));
    assert_int_equal(n_found(&b), 0);
    close_bed(&b);

    open_bed(&b, true); /* another store stands between fence and flag */
    WRITE(&b, .block = 0, .value = 7);
    fence(&b, 0, 2);
    WRITE(&b, .block = 0, .at = 256, .warp = 2, .value = 1);
    VOLATILE_WRITE(&b, .block = 0, .at = 128, .warp = 2, .value = 1);
    VOLATILE_READ(&b, .block = 1, .at = 128);
    fence(&b, 1, 0);
    assert_true(READ(&b, .block = 1));
    close_bed(&b);
}

static void test_through_another_block(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b, true);
    WRITE(&b, .block = 0, .value = 7);
    fence(&b, 0, 0);
    ATOMIC(&b, .block = 0, .at = 128);
    see(&b, 1, 128);
    ATOMIC(&b, .block = 1, .at = 192); /* a flag of its own */
    see(&b, 2, 192);
    assert_false(READ(&b, .block = 2));
    assert_true(READ(&b, .block = 3));
    close_bed(&b);
}

/* Flags are of one launch, also when its number has the place of an earlier one. */
static void test_launches(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b, true);
    for (uint32_t n = 0; n <= 128; n += 64) {
        launch(&b, n, 0, BLOCKS);
        WRITE(&b, .block = 0, .value = 7 + n);
        fence(&b, 0, 0);
        ATOMIC(&b, .block = 0, .at = 128);
        see(&b, 1, 128);
        assert_false(READ(&b, .block = 1));
        assert_int_equal(n_found(&b), 0);
    }
    launch(&b, 192, 0, BLOCKS);
    WRITE(&b, .block = 0, .value = 1);
    see(&b, 1, 128);
    assert_true(READ(&b, .block = 1));
    close_bed(&b);
}

/* Beyond the limits nothing is said of races any more. */
static void test_lost(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b, true);
    for (uint32_t i = 0; i <= CHECK_MAX_FLAGS; i++) {
        WRITE(&b, .block = 0, .at = 4, .value = i);
        assert_int_equal(READ(&b, .block = 1, .at = 4), true);
        fence(&b, 0, 0);
        ATOMIC(&b, .block = 0, .at = 128 + 4 * i);
    }
    WRITE(&b, .block = 0, .at = 4, .value = 9999);
    assert_false(READ(&b, .block = 1, .at = 4));
    close_bed(&b);

    open_bed(&b, true);
    launch(&b, 1, UINT32_MAX - 4ull, UINT32_MAX);
    WRITE(&b, .block = 3, .value = 1);
    assert_true(READ(&b, .block = 0));
    assert_int_equal(check_global_lost(b.of.g), 0);
    launch(&b, 2, 0, UINT32_MAX + 1ull);
    WRITE(&b, .block = 3, .value = 2);
    assert_false(READ(&b, .block = 0));
    fence(&b, 0, 0);
    assert_int_equal(check_global_lost(b.of.g), 1);
    close_bed(&b);
}

/* ---- inside a block ---- */

static void test_warps(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b, true);
    assert_false(WRITE(&b, .value = 7, .all = true));
    assert_false(READ(&b, .all = true)); /* every lane its own */
    assert_true(READ(&b, .warp = 1, .mask = 4));
    assert_true(only(&b)->error);
    assert_int_equal(only(&b)->raw, 4);
    assert_int_equal(only(&b)->in_warp, 0);
    assert_int_equal(only(&b)->side[0].thread, 2);
    assert_int_equal(only(&b)->side[1].thread, CHECK_LANES + 2);
    close_bed(&b);

    open_bed(&b, true); /* a barrier orders, of this block only */
    WRITE(&b, .value = 7, .all = true);
    check_both_barrier(&b.of, 1, WARPS);
    assert_true(READ(&b, .warp = 1));
    WRITE(&b, .at = 1024, .value = 7, .all = true);
    check_both_barrier(&b.of, 0, WARPS);
    assert_false(READ(&b, .at = 1024, .warp = 1));
    assert_false(WRITE(&b, .at = 1024, .warp = 1, .value = 9));
    assert_true(READ(&b, .block = 2, .at = 1024));
    close_bed(&b);

    open_bed(&b, true); /* all that a warp read at once is known */
    READ(&b, .all = true, .one = true);
    assert_true(WRITE(&b, .value = 1)); /* lane 0 against the others */
    assert_false(only(&b)->error);
    assert_int_equal(only(&b)->in_warp, 4);
    close_bed(&b);
}

static void test_lanes(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b, true);
    WRITE(&b, .value = 7, .all = true);
    assert_true(READ(&b, .at = 4)); /* lane 0 reads what lane 1 wrote */
    assert_false(only(&b)->error);
    assert_int_equal(only(&b)->in_warp, 4);
    check_sync(b.of.c, 0, 0, 0x5);
    assert_false(READ(&b, .at = 8)); /* lane 2 was there */
    assert_true(READ(&b, .at = 12));
    check_sync(b.of.c, 0, 0, UINT32_MAX);
    assert_false(READ(&b, .at = 12));
    close_bed(&b);

    open_bed(&b, true); /* one instruction, one word, different values */
    assert_true(WRITE(&b, .value = 7, .all = true, .one = true));
    assert_int_equal(only(&b)->waw, 31);
    close_bed(&b);

    open_bed(&b, true); /* bytes of a word are each on their own */
    for (uint32_t i = 0; i < 4; i++) {
        assert_false(WRITE(&b, .size = 1, .at = i, .warp = (uint8_t)i, .value = i));
    }
    for (uint32_t i = 0; i < 4; i++) {
        assert_false(READ(&b, .size = 1, .at = i, .warp = (uint8_t)i));
    }
    assert_true(READ(&b, .warp = 2));
    assert_int_equal(only(&b)->count, 3);
    close_bed(&b);
}

/* A lock or flag in global memory between warps of one block. */
static void test_flag_inside(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b, true);
    WRITE(&b, .value = 7);
    check_both_fence(&b.of, 0, 0, false); /* .cta is enough */
    ATOMIC(&b, .at = 128, .more = CHECK_CTA);
    ATOMIC(&b, .at = 128, .warp = 1, .more = CHECK_CTA);
    assert_true(READ(&b, .warp = 1)); /* before its fence */
    check_both_fence(&b.of, 0, 1, false);
    assert_false(READ(&b, .warp = 1));
    assert_true(READ(&b, .warp = 2));
    close_bed(&b);
}

/* ---- scopes ---- */

static void test_scopes(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b, true);
    assert_false(ATOMIC(&b, .block = 0, .more = CHECK_CTA));
    assert_false(ATOMIC(&b, .block = 0, .warp = 1, .more = CHECK_CTA));
    assert_true(ATOMIC(&b, .block = 1));
    assert_int_equal(only(&b)->waw, 4);
    close_bed(&b);

    open_bed(&b, true); /* a fence of the block is none for others */
    WRITE(&b, .block = 0, .value = 7);
    check_both_fence(&b.of, 0, 0, false);
    ATOMIC(&b, .block = 0, .at = 128);
    see(&b, 1, 128);
    assert_true(READ(&b, .block = 1));
    close_bed(&b);

    open_bed(&b, true); /* nor at the reader */
    WRITE(&b, .block = 0, .value = 7);
    fence(&b, 0, 0);
    ATOMIC(&b, .block = 0, .at = 128);
    ATOMIC(&b, .block = 1, .at = 128);
    check_both_fence(&b.of, 1, 0, false);
    assert_true(READ(&b, .block = 1));
    fence(&b, 1, 0);
    assert_false(READ(&b, .block = 1));
    close_bed(&b);

    open_bed(&b, true); /* nor is a flag of the block */
    WRITE(&b, .block = 0, .value = 7);
    fence(&b, 0, 0);
    ATOMIC(&b, .block = 0, .at = 128, .more = CHECK_CTA);
    ATOMIC(&b, .block = 1, .at = 128);
    fence(&b, 1, 0);
    assert_true(READ(&b, .block = 1));
    close_bed(&b);
}

/* The fence of another warp does not help the one that read; a barrier does. */
static void test_acquire(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b, true);
    WRITE(&b, .block = 0, .value = 7);
    fence(&b, 0, 0);
    ATOMIC(&b, .block = 0, .at = 128);
    VOLATILE_READ(&b, .block = 1, .at = 128, .warp = 1);
    fence(&b, 1, 0);
    assert_true(READ(&b, .block = 1, .warp = 1));
    check_both_barrier(&b.of, 1, WARPS);
    assert_false(READ(&b, .block = 1, .warp = 3));
    close_bed(&b);
}

static void test_unwritten(void **state)
{
    const struct check_finding *f;
    struct bed b;

    (void)state;
    open_bed(&b, false); /* races are not asked for */
    assert_false(WRITE(&b, .block = 0, .value = 1));
    assert_false(READ(&b, .block = 1));
    check_global_host(b.of.g, BASE + 2 * BYTES + 3, 10); /* 3 to 12 */
    assert_false(READ(&b, .block = 0, .at = 2 * BYTES + 4, .size = 8));
    assert_false(READ(&b, .block = 0, .at = 2 * BYTES + 3, .size = 1));
    assert_true(READ(&b, .block = 0, .at = 2 * BYTES, .size = 8, .vec = 2));
    f = only(&b);
    assert_int_equal(f->kind, CHECK_UNINITIALISED);
    assert_int_equal(f->space, CHECK_GLOBAL);
    assert_int_equal(f->count, 3 + 3);
    assert_int_equal(f->addr, BASE + 2 * BYTES);
    assert_true(ATOMIC(&b, .block = 0, .at = 3 * BYTES)); /* reads before it writes */
    assert_int_equal(n_found(&b), 2);
    assert_false(READ(&b, .block = 0, .at = 3 * BYTES));
    assert_false(WRITE(&b, .block = 0, .at = 3 * BYTES + 64, .size = 2));
    assert_false(READ(&b, .block = 1, .at = 3 * BYTES + 64, .size = 2));
    assert_true(READ(&b, .block = 1, .at = 3 * BYTES + 64, .size = 4));
    close_bed(&b);
}

/* What was freed is as nobody wrote it, to the byte and over the end of a page. */
static void test_freed(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b, false);
    check_global_freed(b.of.g, 0, BASE); /* pages that nobody touched */
    check_global_freed(b.of.g, BASE + 4, BYTES - 8);
    assert_false(READ(&b, .at = 0));
    assert_false(READ(&b, .at = BYTES - 4));
    assert_true(READ(&b, .at = BYTES - 8));
    assert_true(READ(&b, .at = 4));
    assert_int_equal(only(&b)->count, 8);
    close_bed(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_after_write),
        cmocka_unit_test(test_write_after),
        cmocka_unit_test(test_bytes_and_values),
        cmocka_unit_test(test_atomics_and_volatile),
        cmocka_unit_test(test_flag),
        cmocka_unit_test(test_volatile_flag),
        cmocka_unit_test(test_through_another_block),
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_lost),
        cmocka_unit_test(test_warps),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_flag_inside),
        cmocka_unit_test(test_scopes),
        cmocka_unit_test(test_acquire),
        cmocka_unit_test(test_unwritten),
        cmocka_unit_test(test_freed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
