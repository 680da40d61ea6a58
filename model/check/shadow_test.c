#include "check/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { WARPS = 4, BYTES = 1024 };

struct bed {
    struct check *c;
    sim_cycle_t now;
    uint32_t data[4][CHECK_LANES];
    uint64_t addr[CHECK_LANES];
};

static void open_bed(struct bed *b, bool lock_step)
{
    const struct check_block k = {.kernel = b, .warps = WARPS, .bytes = BYTES};

    memset(b, 0, sizeof(*b));
    b->c = check_new(2, lock_step);
    check_begin(b->c, 1, &k);
}

/* Lane l of the mask accesses `size` bytes at base + l * stride; it writes l +
 * value. */
struct act {
    uint32_t warp, pc, mask;
    uint8_t flags, size;
    int32_t stride;
    uint32_t base, value;
};

static bool act(struct bed *b, struct act a)
{
    struct check_access x = {.mask = a.mask,
                             .pc = a.pc,
                             .warp = (uint8_t)a.warp,
                             .flags = a.flags,
                             .size = a.size == 0 ? 4 : a.size,
                             .vec = 1,
                             .cycle = ++b->now,
                             .addr = b->addr,
                             .data = (const uint32_t(*)[CHECK_LANES])b->data};

    for (uint32_t l = 0; l < CHECK_LANES; l++) {
        b->addr[l] = (uint64_t)((int64_t)a.base + (int32_t)l * a.stride);
        b->data[0][l] = l + a.value;
    }
    return check_access(b->c, 1, &x);
}

/* The warps of the mask meet at a barrier. */
static void meet(struct bed *b, uint32_t barrier, uint32_t warps, bool all)
{
    for (uint32_t w = 0; w < WARPS; w++) {
        if ((warps >> w & 1u) != 0) {
            check_arrive(b->c, 1, barrier, w);
        }
    }
    for (uint32_t w = 0; w < WARPS; w++) {
        if ((warps >> w & 1u) != 0) {
            check_leave(b->c, 1, barrier, w, all);
        }
    }
    check_complete(b->c, 1, barrier);
}

#define ALL UINT32_MAX

static const struct check_finding *only(const struct bed *b)
{
    assert_int_equal(check_n_findings(b->c), 1);
    return check_finding(b->c, 0);
}

static void fill(struct bed *b, uint32_t warp)
{
    act(b, (struct act){.warp = warp,
                        .pc = 1,
                        .mask = ALL,
                        .flags = CHECK_WRITE,
                        .stride = 4,
                        .base = 128 * warp,
                        .value = 1000 * warp});
}

/* What the lanes of the other warp wrote, backwards. */
static bool reverse(struct bed *b, uint32_t warp, uint32_t of)
{
    return act(b, (struct act){.warp = warp,
                               .pc = 2,
                               .mask = ALL,
                               .stride = -4,
                               .base = 128 * of + 124});
}

static void test_between_warps(void **state)
{
    const struct check_finding *f;
    struct bed b;

    (void)state;
    open_bed(&b, false);
    fill(&b, 0);
    fill(&b, 1);
    assert_true(reverse(&b, 0, 1));
    assert_true(reverse(&b, 1, 0));
    f = only(&b);
    assert_true(f->error);
    assert_int_equal(f->kind, CHECK_RACE);
    assert_int_equal(f->count, 256);
    assert_int_equal(f->raw, 256);
    assert_int_equal(f->in_warp, 0);
    assert_int_equal(f->side[0].pc, 1);
    assert_int_equal(f->side[0].thread, 63);
    assert_int_equal(f->side[0].flags, CHECK_WRITE);
    assert_int_equal(f->side[1].thread, 0);
    assert_int_equal(f->addr, 252);
    check_free(b.c);
}

static void test_barrier_orders(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b, false);
    fill(&b, 0);
    fill(&b, 1);
    meet(&b, 0, 3, true);
    assert_false(reverse(&b, 0, 1));
    assert_false(reverse(&b, 1, 0));
    /* a third warp was not there */
    assert_true(reverse(&b, 2, 0));
    assert_int_equal(only(&b)->count, 128);
    check_free(b.c);
}

/* Reading too early is one hazard for each byte when the write comes. */
static void test_write_after_read(void **state)
{
    const struct check_finding *f;
    struct bed b;

    (void)state;
    open_bed(&b, false);
    assert_true(reverse(&b, 0, 1));
    assert_int_equal(only(&b)->kind, CHECK_UNINITIALISED);
    assert_int_equal(only(&b)->count, 128);
    assert_false(only(&b)->raced);
    fill(&b, 1);
    assert_int_equal(check_n_findings(b.c), 2);
    assert_true(check_finding(b.c, 0)->raced);
    f = check_finding(b.c, 1);
    assert_int_equal(f->war, 128);
    assert_int_equal(f->count, 128);
    assert_true(f->error);
    /* the same two instructions, the other way round: the same finding */
    assert_true(reverse(&b, 0, 1));
    assert_int_equal(check_n_findings(b.c), 2);
    f = check_finding(b.c, 1);
    assert_int_equal(f->raw, 128);
    assert_int_equal(f->count, 256);
    check_free(b.c);
}

/* Accesses of one lane each to word 0. What an atomic follows is not forgotten: it may
 * race with what the atomic does not race with. */
static void test_behind_an_atomic(void **state)
{
    enum { WEAK = CHECK_WRITE, ATOM = CHECK_ATOMIC | CHECK_WRITE, READ = 0, N = 5 };
    static const struct {
        struct {
            uint8_t warp, flags, meet; /* meet: warps of a barrier in front of it */
        } act[N];
        uint32_t n;     /* acts */
        uint32_t pc[2]; /* of the finding, 1 the first act's; 0: there is none */
    } of[] = {
        /* a plain write, an atomic behind it, another warp's atomic */
        {{{0, WEAK, 0}, {0, ATOM, 0}, {1, ATOM, 0}}, 3, {1, 3}},
        {{{0, WEAK, 0}, {0, ATOM, 0}, {1, ATOM, 3}}, 3, {0, 0}},
        {{{0, WEAK, 0}, {1, ATOM, 3}, {0, ATOM, 0}}, 3, {0, 0}},
        /* a plain read in place of the write */
        {{{2, WEAK, 0}, {0, READ, 15}, {0, ATOM, 0}, {1, ATOM, 0}}, 4, {2, 4}},
        {{{2, WEAK, 0}, {0, READ, 15}, {1, ATOM, 3}, {0, ATOM, 0}}, 4, {0, 0}},
        /* atomics of two warps, one of which a plain access knows of */
        {{{2, WEAK, 0}, {1, ATOM, 15}, {0, ATOM, 0}, {0, READ, 0}}, 4, {2, 4}},
        {{{2, WEAK, 0}, {1, ATOM, 15}, {0, ATOM, 0}, {0, ATOM, 0}, {0, WEAK, 0}},
         5,
         {2, 5}},
        {{{2, WEAK, 0}, {1, ATOM, 15}, {0, ATOM, 0}, {0, READ, 3}}, 4, {0, 0}},
        {{{2, WEAK, 0}, {1, ATOM, 15}, {0, ATOM, 0}, {2, READ, 5}}, 4, {2, 4}},
    };

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(of); i++) {
        struct bed b;

        open_bed(&b, false);
        for (uint32_t k = 0; k < of[i].n; k++) {
            if (of[i].act[k].meet != 0) {
                meet(&b, 0, of[i].act[k].meet, of[i].act[k].meet == 15);
            }
            act(&b, (struct act){.warp = of[i].act[k].warp,
                                 .pc = 1 + k,
                                 .mask = 1,
                                 .flags = of[i].act[k].flags,
                                 .value = k});
        }
        if (of[i].pc[0] == 0) {
            assert_int_equal(check_n_findings(b.c), 0);
        } else {
            assert_int_equal(only(&b)->side[0].pc, of[i].pc[0]);
            assert_int_equal(only(&b)->side[1].pc, of[i].pc[1]);
            assert_int_equal(only(&b)->count, 4);
            assert_true(only(&b)->error);
        }
        check_free(b.c);
    }
}

static void test_inside_a_warp(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b, false);
    fill(&b, 0);
    assert_true(reverse(&b, 0, 0));
    assert_false(only(&b)->error);
    assert_int_equal(only(&b)->count, 128);
    assert_int_equal(only(&b)->in_warp, 128);
    meet(&b, 0, 15, true);
    fill(&b, 0);
    check_sync(b.c, 1, 0, ALL);
    assert_false(reverse(&b, 0, 0));
    check_free(b.c);
}

static void test_member_masks(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b, false);
    fill(&b, 0);
    check_sync(b.c, 1, 0, 0x80000001u);
    assert_true(reverse(&b, 0, 0));
    assert_int_equal(only(&b)->count, 120); /* lanes 0 and 31 have met */
    check_free(b.c);
}

/* Volatile accesses of warps in lock step are in the order of their instructions. */
static void test_lock_step(void **state)
{
    for (int lock_step = 0; lock_step < 2; lock_step++) {
        for (int is_volatile = 0; is_volatile < 2; is_volatile++) {
            uint8_t v = is_volatile ? CHECK_VOLATILE : 0;
            struct bed b;

            (void)state;
            open_bed(&b, lock_step);
            act(&b, (struct act){
                        .pc = 1, .mask = ALL, .flags = CHECK_WRITE | v, .stride = 4});
            assert_int_equal(act(&b, (struct act){.pc = 2,
                                                  .mask = ALL,
                                                  .flags = v,
                                                  .stride = -4,
                                                  .base = 124}),
                             !(lock_step && is_volatile));
            check_free(b.c);
        }
    }
}

/* 64 threads store their number into one word: of its bytes one differs. */
static void test_same_word(void **state)
{
    struct act a = {.pc = 7, .mask = ALL, .flags = CHECK_WRITE};
    struct bed b;

    (void)state;
    open_bed(&b, false);
    assert_true(act(&b, a));
    a.warp = 1;
    a.value = 32;
    assert_true(act(&b, a));
    assert_int_equal(only(&b)->count, 63);
    assert_int_equal(only(&b)->in_warp, 62);
    assert_int_equal(only(&b)->waw, 63);
    assert_true(only(&b)->error); /* inside a warp too, since the values differ */
    assert_int_equal(only(&b)->side[0].thread, 0);
    assert_int_equal(only(&b)->side[1].thread, 1);
    check_free(b.c);
}

static void test_same_value(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b, false);
    for (uint32_t w = 0; w < WARPS; w++) {
        for (uint32_t l = 0; l < CHECK_LANES; l++) {
            assert_false(act(&b, (struct act){.warp = w,
                                              .pc = 7,
                                              .mask = 1u << l,
                                              .flags = CHECK_WRITE,
                                              .value = 9 - l}));
        }
    }
    assert_int_equal(check_n_findings(b.c), 0);
    check_free(b.c);
}

/* Neighbouring bytes are different places, a word is all of its bytes. */
static void test_bytes(void **state)
{
    struct act a = {.pc = 3, .mask = 1, .flags = CHECK_WRITE, .size = 1, .value = 5};
    struct bed b;

    (void)state;
    open_bed(&b, false);
    for (a.warp = 0; a.warp < 4; a.warp++) {
        a.base = a.warp;
        assert_false(act(&b, a));
    }
    assert_true(act(&b, (struct act){.warp = 2, .pc = 4, .mask = 1}));
    assert_int_equal(only(&b)->count, 3);
    assert_false(
        act(&b, (struct act){.warp = 3, .pc = 5, .mask = 1, .size = 1, .base = 3}));
    check_free(b.c);
}

static void test_atomics(void **state)
{
    struct act a = {.pc = 1, .mask = ALL, .flags = CHECK_WRITE | CHECK_ATOMIC};
    struct bed b;

    (void)state;
    open_bed(&b, false);
    act(&b, (struct act){.pc = 0, .mask = 1, .flags = CHECK_WRITE});
    meet(&b, 0, 15, true);
    assert_false(act(&b, a));
    a.warp = 1;
    assert_false(act(&b, a));
    assert_false(
        act(&b, (struct act){.warp = 2, .pc = 2, .mask = 1, .flags = CHECK_VOLATILE}));
    assert_true(act(&b, (struct act){.warp = 2, .pc = 3, .mask = 1}));
    assert_int_equal(only(&b)->count, 4);
    check_free(b.c);
}

/* Data, fence, atomic flag; flag, data. Without the fence, a race. */
static void test_publish(void **state)
{
    for (uint32_t fence = 0; fence < 2; fence++) {
        struct act flag = {.pc = 9, .mask = 1, .base = 512};
        struct bed b;

        (void)state;
        open_bed(&b, false);
        act(&b, (struct act){.mask = 1, .flags = CHECK_WRITE, .base = 512});
        meet(&b, 0, 15, true);
        fill(&b, 0);
        if (fence != 0) {
            check_fence(b.c, 1, 0);
        }
        flag.flags = CHECK_WRITE | CHECK_ATOMIC;
        assert_false(act(&b, flag));
        flag.warp = 1;
        flag.flags = CHECK_VOLATILE;
        assert_false(act(&b, flag));
        assert_int_equal(reverse(&b, 1, 0), fence == 0);
        check_free(b.c);
    }
}

/* The same with a volatile flag: the store right behind the fence publishes, one of
 * another instruction behind it does not. */
static void test_volatile_flag(void **state)
{
    for (uint32_t late = 0; late < 2; late++) {
        struct act flag = {.pc = 9, .mask = 1, .base = 512, .value = 1};
        struct bed b;

        (void)state;
        open_bed(&b, false);
        act(&b, (struct act){.mask = 1, .flags = CHECK_WRITE, .base = 512});
        meet(&b, 0, 15, true);
        fill(&b, 0);
        check_fence(b.c, 1, 0);
        if (late != 0) {
            act(&b,
                (struct act){.pc = 8, .mask = 1, .flags = CHECK_WRITE, .base = 600});
        }
        flag.flags = CHECK_WRITE | CHECK_VOLATILE;
        assert_false(act(&b, flag));
        flag.warp = 1;
        flag.flags = CHECK_VOLATILE;
        assert_int_equal(act(&b, flag), late);
        assert_int_equal(reverse(&b, 1, 0), late);
        check_free(b.c);
    }
}

/* bar.arrive of the producer, bar.sync of the consumer: one way only. */
static void test_arrive(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b, false);
    fill(&b, 0);
    fill(&b, 1);
    check_arrive(b.c, 1, 3, 0);
    check_arrive(b.c, 1, 3, 1);
    check_leave(b.c, 1, 3, 1, false);
    check_complete(b.c, 1, 3);
    assert_false(reverse(&b, 1, 0));
    assert_true(reverse(&b, 0, 1));
    check_free(b.c);
}

/* A warp that has exited counts as arrived at barriers of all. */
static void test_exited(void **state)
{
    for (int all = 0; all < 2; all++) {
        struct bed b;

        (void)state;
        open_bed(&b, false);
        fill(&b, 3);
        check_exit(b.c, 1, 3);
        meet(&b, 0, 7, all);
        assert_int_equal(reverse(&b, 0, 3), !all);
        check_free(b.c);
    }
}

/* Some lane of another warp, or of the same one, has read before: it is not forgotten
 * because the writer itself read last. */
static void test_readers(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b, false);
    fill(&b, 0);
    meet(&b, 0, 15, true);
    act(&b, (struct act){.warp = 1, .pc = 2, .mask = ALL});
    act(&b, (struct act){.warp = 0, .pc = 3, .mask = ALL});
    act(&b, (struct act){.warp = 0, .pc = 4, .mask = 1});
    assert_true(act(
        &b,
        (struct act){.warp = 0, .pc = 5, .mask = 1, .flags = CHECK_WRITE, .value = 7}));
    check_free(b.c);
    open_bed(&b, false);
    fill(&b, 0);
    meet(&b, 0, 15, true);
    act(&b, (struct act){.warp = 0, .pc = 3, .mask = ALL});
    assert_true(act(&b, (struct act){.warp = 0,
                                     .pc = 5,
                                     .mask = 0x80000000u,
                                     .flags = CHECK_WRITE,
                                     .value = 7}));
    assert_false(only(&b)->error);
    check_free(b.c);
}

/* Warps read a word in turn, then write_behind(): all but one of them meet the writer,
 * which is a warp more. */
static void read_by(struct bed *b, uint32_t warps)
{
    const struct check_block k = {.kernel = b, .warps = warps + 1, .bytes = BYTES};

    open_bed(b, false);
    check_begin(b->c, 1, &k);
    fill(b, 0);
    for (uint32_t w = 0; w <= warps; w++) {
        check_arrive(b->c, 1, 0, w);
    }
    for (uint32_t w = 0; w <= warps; w++) {
        check_leave(b->c, 1, 0, w, true);
    }
    check_complete(b->c, 1, 0);
    for (uint32_t w = 0; w < warps; w++) {
        act(b, (struct act){.warp = w, .pc = 2, .mask = 1});
    }
}

static bool write_behind(struct bed *b, uint32_t warps, uint32_t missing, uint8_t size)
{
    for (uint32_t w = 0; w <= warps; w++) {
        if (w != missing) {
            check_arrive(b->c, 1, 1, w);
        }
    }
    check_leave(b->c, 1, 1, warps, missing > warps);
    check_complete(b->c, 1, 1);
    return act(b, (struct act){.warp = warps,
                               .pc = 3,
                               .mask = 1,
                               .size = size,
                               .flags = CHECK_WRITE,
                               .value = 7});
}

/* Whichever of eight readers does not come is told; of ten one is forgotten, and that
 * is said, unless all have met. */
static void test_many_readers(void **state)
{
    struct bed b;

    (void)state;
    for (uint32_t missing = 0; missing <= 8; missing++) {
        for (uint8_t size = 1; size <= 4; size += 3) { /* a byte splits the word */
            read_by(&b, 8);
            assert_int_equal(write_behind(&b, 8, missing < 8 ? missing : ALL, size),
                             missing < 8);
            assert_int_equal(check_doubtful(b.c), 0);
            check_free(b.c);
        }
    }
    read_by(&b, 10);
    assert_false(write_behind(&b, 10, 0, 4));
    assert_int_equal(check_doubtful(b.c), 1);
    check_free(b.c);
    read_by(&b, 10);
    assert_false(write_behind(&b, 10, ALL, 4));
    assert_int_equal(check_doubtful(b.c), 0);
    check_free(b.c);
}

/* What a lane has met, those know too that meet it after that. */
static void test_chained_masks(void **state)
{
    struct bed b;

    (void)state;
    for (uint32_t chained = 0; chained < 2; chained++) {
        open_bed(&b, false);
        fill(&b, 0);
        check_sync(b.c, 1, 0, 1u | 1u << 5);
        check_sync(b.c, 1, 0, (chained ? 1u << 5 : 1u << 6) | 1u << 31);
        assert_int_equal(act(&b, (struct act){.warp = 0, .pc = 2, .mask = 1u << 31}),
                         !chained);
        check_free(b.c);
    }
}

/* Where a warp waits at a barrier its lanes meet; where it only arrives they do not. */
static void test_lanes_arrive(void **state)
{
    struct bed b;

    (void)state;
    for (uint32_t waits = 0; waits < 2; waits++) {
        open_bed(&b, false);
        fill(&b, 0);
        check_arrive(b.c, 1, 3, 0);
        if (waits) {
            check_leave(b.c, 1, 3, 0, false);
        }
        assert_int_equal(reverse(&b, 0, 0), !waits);
        check_free(b.c);
    }
}

/* A flag is read when the answer is here, not when it was asked for. */
static void test_answer(void **state)
{
    const struct act write = {
        .warp = 0, .pc = 1, .mask = 1, .flags = CHECK_WRITE, .base = 512, .value = 1};
    const struct act signal = {.warp = 0,
                               .pc = 2,
                               .mask = 1,
                               .flags = CHECK_WRITE | CHECK_VOLATILE,
                               .base = 768,
                               .value = 1};
    const struct act poll = {
        .warp = 1, .pc = 3, .mask = 1, .flags = CHECK_VOLATILE, .base = 768};
    const struct act read = {.warp = 1, .pc = 4, .mask = 1, .base = 512};
    struct check_access a = {.mask = 1, .warp = 1, .flags = CHECK_VOLATILE, .size = 4};
    struct check_await answer;
    struct bed b;

    (void)state;
    for (uint32_t answered = 0; answered < 2; answered++) {
        open_bed(&b, false);
        act(&b, write);
        check_fence(b.c, 1, 0);
        act(&b, poll);
        a.addr = b.addr;
        check_await(b.c, &poll, CHECK_SHARED, &a);
        act(&b, signal);
        assert_false(check_answered(b.c, &signal, &answer));
        assert_true(check_answered(b.c, &poll, &answer));
        assert_false(check_answered(b.c, &poll, &answer));
        answer.a.addr = answer.addr;
        if (answered) {
            check_reread(b.c, 1, &answer.a);
        }
        assert_int_equal(act(&b, read), !answered);
        check_free(b.c);
    }
}

/* A block that follows in the slot knows nothing of the one before. */
static void test_next_block(void **state)
{
    struct check_block k = {.warps = 1, .bytes = 128};
    struct bed b;

    (void)state;
    open_bed(&b, false);
    k.kernel = &b;
    fill(&b, 1);
    check_begin(b.c, 1, &k);
    fill(&b, 0);
    assert_int_equal(check_n_findings(b.c), 0);
    check_free(b.c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_between_warps),
        cmocka_unit_test(test_barrier_orders),
        cmocka_unit_test(test_write_after_read),
        cmocka_unit_test(test_behind_an_atomic),
        cmocka_unit_test(test_inside_a_warp),
        cmocka_unit_test(test_member_masks),
        cmocka_unit_test(test_lock_step),
        cmocka_unit_test(test_same_word),
        cmocka_unit_test(test_same_value),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_publish),
        cmocka_unit_test(test_volatile_flag),
        cmocka_unit_test(test_arrive),
        cmocka_unit_test(test_exited),
        cmocka_unit_test(test_readers),
        cmocka_unit_test(test_many_readers),
        cmocka_unit_test(test_chained_masks),
        cmocka_unit_test(test_lanes_arrive),
        cmocka_unit_test(test_answer),
        cmocka_unit_test(test_next_block),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
