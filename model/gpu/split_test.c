/* Which split of the on-chip array a launch gets: the preferences of 2.x and 3.x, the
 * carveouts of 7.0 and later, and the capabilities that have no choice. */
#include "gpu/split.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const struct rules_split s48 = {48, 16}, s16 = {16, 48}, s32 = {32, 32};

static struct rules_split choose(uint32_t cc, struct split_wish w,
                                 struct rules_split now)
{
    return split_choose(rules_find(cc), &w, now);
}

static void expect_split(enum smw_cache_config kernel, enum smw_cache_config device,
                         struct rules_split now, uint32_t bytes,
                         struct rules_split want)
{
    struct rules_split s = choose(20,
                                  (struct split_wish){.kernel = kernel,
                                                      .device = device,
                                                      .carveout = -1,
                                                      .start = s48,
                                                      .shared_bytes = bytes},
                                  now);

    assert_int_equal(s.shared, want.shared);
    assert_int_equal(s.l1, want.l1);
}

static void test_split(void **state)
{
    (void)state;
    /* nobody prefers anything: as it is, unless it does not suffice */
    expect_split(SMW_CACHE_NONE, SMW_CACHE_NONE, s48, 0, s48);
    expect_split(SMW_CACHE_NONE, SMW_CACHE_NONE, s16, 0, s16);
    expect_split(SMW_CACHE_NONE, SMW_CACHE_NONE, s16, 16384, s16);
    expect_split(SMW_CACHE_NONE, SMW_CACHE_NONE, s16, 16385, s48);
    /* the kernel's word counts before the device's */
    expect_split(SMW_CACHE_L1, SMW_CACHE_NONE, s48, 0, s16);
    expect_split(SMW_CACHE_L1, SMW_CACHE_SHARED, s48, 0, s16);
    expect_split(SMW_CACHE_SHARED, SMW_CACHE_L1, s16, 0, s48);
    expect_split(SMW_CACHE_NONE, SMW_CACHE_L1, s48, 0, s16);
    expect_split(SMW_CACHE_NONE, SMW_CACHE_SHARED, s16, 0, s48);
    /* a preference is no order: it must fit */
    expect_split(SMW_CACHE_L1, SMW_CACHE_NONE, s48, 16384, s16);
    expect_split(SMW_CACHE_L1, SMW_CACHE_NONE, s48, 16385, s48);
    expect_split(SMW_CACHE_L1, SMW_CACHE_NONE, s16, 20000, s48);
    /* equal shares do not exist on 2.x */
    expect_split(SMW_CACHE_EQUAL, SMW_CACHE_NONE, s48, 0, s48);
    expect_split(SMW_CACHE_EQUAL, SMW_CACHE_NONE, s16, 0, s16);
}

/* What the capability lacks stays until somebody prefers what it has. */
static void test_what_if_split(void **state)
{
    (void)state;
    expect_split(SMW_CACHE_NONE, SMW_CACHE_NONE, s32, 0, s32);
    expect_split(SMW_CACHE_EQUAL, SMW_CACHE_NONE, s32, 0, s32);
    expect_split(SMW_CACHE_SHARED, SMW_CACHE_NONE, s32, 0, s48);
    expect_split(SMW_CACHE_L1, SMW_CACHE_NONE, s32, 0, s16);
}

/* Asked what if, 2.x halves its array; a block that needs more still gets it. */
static void test_what_if_equal(void **state)
{
    struct split_wish w = {.kernel = SMW_CACHE_EQUAL, .carveout = -1, .what_if = true};

    (void)state;
    assert_int_equal(choose(20, w, s48).shared, 32);
    assert_int_equal(choose(20, w, s16).l1, 32);
    w.shared_bytes = 40000;
    assert_int_equal(choose(20, w, s16).shared, 48);
}

/* 3.x: 48/16, 32/32, 16/48; a block that needs more gets the least that suffices. */
static void test_three_splits(void **state)
{
    static const struct {
        uint32_t cc;
        enum smw_cache_config kernel;
        uint32_t now, bytes, want;
    } row[] = {
        {30, SMW_CACHE_NONE, 48, 0, 48},      {30, SMW_CACHE_EQUAL, 48, 0, 32},
        {30, SMW_CACHE_L1, 48, 0, 16},        {30, SMW_CACHE_NONE, 32, 0, 32},
        {35, SMW_CACHE_L1, 48, 17000, 32},    {35, SMW_CACHE_L1, 48, 33000, 48},
        {35, SMW_CACHE_EQUAL, 16, 40000, 48}, {37, SMW_CACHE_SHARED, 80, 0, 112},
        {37, SMW_CACHE_EQUAL, 112, 0, 96},    {37, SMW_CACHE_L1, 112, 49152, 80},
        {37, SMW_CACHE_NONE, 80, 49152, 80},  {13, SMW_CACHE_L1, 16, 0, 16},
        {52, SMW_CACHE_L1, 96, 0, 96},        {61, SMW_CACHE_SHARED, 96, 49152, 96},
    };

    (void)state;
    for (uint32_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct rules_split s = choose(row[i].cc,
                                      (struct split_wish){.kernel = row[i].kernel,
                                                          .carveout = -1,
                                                          .shared_bytes = row[i].bytes},
                                      (struct rules_split){row[i].now, 0});

        assert_int_equal(s.shared, row[i].want);
    }
}

/* 7.0 and later: percent of the largest, rounded up to a size; the need of a block, its
 * reserved kilobyte included, comes first; nobody's word: the start-up split. */
static void test_carveout(void **state)
{
    static const struct {
        uint32_t cc;
        int32_t percent;
        uint32_t bytes, want;
    } row[] = {
        {70, 50, 0, 64},      {70, 0, 0, 0},    {70, 100, 0, 96}, {70, 67, 0, 96},
        {70, 66, 0, 64},      {70, 1, 0, 8},    {80, 50, 0, 100}, {80, 0, 1025, 8},
        {80, 0, 167936, 164}, {75, 10, 0, 32},  {75, 51, 0, 64},  {86, 20, 0, 32},
        {90, 20, 0, 64},      {90, 50, 0, 132}, {90, 0, 1024, 8}, {90, -1, 0, 228},
        {90, 5, 233472, 228}, {90, 44, 0, 132}, {90, 43, 0, 100},
    };

    (void)state;
    for (uint32_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        const struct rules_cc *r = rules_find(row[i].cc);
        struct rules_split s = choose(row[i].cc,
                                      (struct split_wish){.carveout = row[i].percent,
                                                          .start = r->split[0],
                                                          .shared_bytes = row[i].bytes},
                                      r->split[1]);

        assert_int_equal(s.shared, row[i].want);
    }
}

/* The older preferences become carveouts of 100, 0 and 50 percent; a percentage that is
 * given beats them; the configured split is what the driver takes otherwise, or what
 * all blocks of an SM need. */
static void test_preferences_of_volta(void **state)
{
    const struct rules_split start = {32, 96};
    struct split_wish w = {.carveout = -1, .start = start};

    (void)state;
    assert_int_equal(choose(70, w, s48).shared, 32);
    w.kernel = SMW_CACHE_SHARED;
    assert_int_equal(choose(70, w, start).shared, 96);
    w.kernel = SMW_CACHE_L1;
    assert_int_equal(choose(70, w, start).shared, 0);
    w.kernel = SMW_CACHE_EQUAL;
    assert_int_equal(choose(70, w, start).shared, 64);
    w.carveout = 5;
    assert_int_equal(choose(70, w, start).shared, 8);
    w = (struct split_wish){.carveout = -1, .start = start, .automatic = true};
    assert_int_equal(choose(70, w, start).shared, 0);
    w.room_bytes = 8 * 1024 + 1;
    assert_int_equal(choose(70, w, start).shared, 16);
    w.shared_bytes = 48 * 1024;
    assert_int_equal(choose(70, w, start).shared, 64);
    w.kernel = SMW_CACHE_SHARED; /* somebody's word counts more */
    assert_int_equal(choose(70, w, start).shared, 96);
    assert_true(split_is_hint(rules_find(70)));
    assert_false(split_is_hint(rules_find(35)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_what_if_split),
        cmocka_unit_test(test_what_if_equal),
        cmocka_unit_test(test_three_splits),
        cmocka_unit_test(test_carveout),
        cmocka_unit_test(test_preferences_of_volta),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
