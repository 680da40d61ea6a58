/* Member masks that lack the lane (SPEC FAULT-4), at an SM's own ports. */
#include "sm/sm_test.h"

#define GIVE(n) "mov.u32 %r4, " n ";\n"
#define STORE   "st.global.u32 [%rd1], %r5;"

/* A kernel per instruction; */
/* clang-format off */
static const char kernels[] = PTX_HEAD
    BODY("ballot", GIVE("0xffff") "setp.lt.u32 %p1, %r1, 8;\n"
                   "vote.sync.ballot.b32 %r5, %p1, %r4;" STORE)
    BODY("shfl", GIVE("0xffff") "shfl.sync.idx.b32 %r5, %r1, 0, 31, %r4;" STORE)
    BODY("constant", "shfl.sync.idx.b32 %r5, %r1, 0, 31, 0xffff;" STORE)
    BODY("unread", "shfl.sync.idx.b32 %r5, %r1, 0, 31, 0xffff;")
    BODY("match", GIVE("0xffff") "match.any.sync.b32 %r5, %r1, %r4;" STORE)
    BODY("barrier", GIVE("0xffff") "bar.warp.sync %r4;")
    BODY("nobody", GIVE("0") "bar.warp.sync %r4;")
    BODY("last", GIVE("0x7fffffff") "vote.sync.ballot.b32 %r5, 1, %r4;" STORE)
    /* those that execute it are members */
    BODY("half", GIVE("0xffff") "setp.ge.u32 %p1, %r1, 16; @%p1 bra L;\n"
                 "vote.sync.ballot.b32 %r5, 1, %r4;" STORE "\nL:\n")
    BODY("guarded", GIVE("0xffff") "setp.lt.u32 %p1, %r1, 16;\n"
                    "@%p1 vote.sync.ballot.b32 %r5, 1, %r4;" STORE)
    BODY("own", "shl.b32 %r4, 1, %r1; bar.warp.sync %r4;\n"
                "vote.sync.ballot.b32 %r5, 1, %r4;" STORE)
    BODY("all", GIVE("-1") "vote.sync.ballot.b32 %r5, 1, %r4;" STORE);
/* clang-format on */

/* words: what is said; NULL: it ends well. */
static void run_kernel(const char *settings, const char *kernel, const char *words,
                       uint32_t lane)
{
    struct st *t = st_open(settings, kernels);
    const struct sm_fault *f = &t->fault;

    st_start(t, kernel, st_line(1, 32));
    if (st_finish(t) != (words == NULL ? ST_DONE : ST_FAULT) ||
        (words != NULL && strstr(f->text, words) == NULL)) {
        print_error("%s: \"%s\"\n", kernel, f->text);
        fail();
    }
    if (words != NULL) {
        assert_string_equal(f->what.rule, "invalid-member-mask");
        assert_null(f->what.space);
        assert_int_equal(f->lane, lane);
        assert_true(t->m->uops[f->pc].line > 3);
    }
    st_close(t);
}

static const struct {
    const char *kernel, *words;
    uint32_t lane;
} rows[] = {
    {"ballot",
     "vote of lanes that are not in their own member mask: lanes 16-31, of "
     "which the first gives 0x0000ffff",
     16},
    {"shfl", "shfl of lanes that are not in their own member mask: lanes 16-31", 16},
    {"constant", "shfl of lanes that are not in their own", 16},
    {"unread", "shfl of lanes that are not in their own", 16},
    {"match", "match of lanes", 16},
    {"barrier", "bar of lanes that are not in their own member mask: lanes 16-31", 16},
    {"nobody", "lanes 0-31, of which the first gives 0x00000000", 0},
    {"last", "mask: lane 31, of which", 31},
};

static void test_faults(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        run_kernel("test.compute_capability=7.0", rows[i].kernel, rows[i].words,
                   rows[i].lane);
    }
}

/* Masks were no more than a list of lanes. */
static void test_before(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        run_kernel("test.compute_capability=6.1", rows[i].kernel, NULL, 0);
    }
}

static void test_members(void **state)
{
    static const char *const right[] = {"half", "guarded", "own", "all"};

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(right); i++) {
        run_kernel("test.compute_capability=7.0", right[i], NULL, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_before),
        cmocka_unit_test(test_members),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
