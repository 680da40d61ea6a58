/* Kernels at fault, at an SM's own ports: what is said, of which thread, where;
 * barriers that not all come to; deadlocks. */
#include "sm/sm_test.h"

#include "check/check.h"
#include "sm/fault_rows_test.h"

static void run_row(const struct row *r, bool checks)
{
    struct st *t = st_open("sm.call_depth=8", faults);
    const struct sm_fault *f = &t->fault;
    char inst[128], place[SM_PLACE_SIZE];

    t->shared.checks = checks;
    st_run(t, "good", 1, 64);
    assert_false(t->faulty);
    st_start(t, r->kernel, st_line(1, r->thread == 0 ? 32 : 64));
    if (st_finish(t) != ST_FAULT) {
        print_error("%s: no fault\n", r->kernel);
        fail();
    }
    ptx_disasm(f->module, f->pc, inst, sizeof(inst));
    if (strstr(f->text, r->message) == NULL || strstr(inst, r->inst) == NULL) {
        print_error("%s: \"%s\" at \"%s\"\n", r->kernel, f->text, inst);
        fail();
    }
    assert_ptr_equal(f->module, t->m);
    assert_string_equal(f->kernel->name, r->kernel);
    assert_int_equal(f->tid[0], r->thread);
    assert_int_equal(f->lane, r->thread % ISA_LANES);
    assert_int_equal(f->ctaid[0], 0);
    assert_non_null(f->what.rule);
    assert_in_range(f->cycle, 1, sim_cycle(&t->clock));
    assert_true(t->m->uops[f->pc].line > 3);
    sm_place(t->m, f->pc, place, sizeof(place)); /* no other file is known */
    assert_ptr_equal(strstr(place, "PTX line "), place);
    /* what there was stays readable */
    st_fetch(t);
    assert_int_equal(t->words[63], 64);
    st_close(t);
}

static void test_faults(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        run_row(&rows[i], true);
    }
}

/* Bounds are the device's, not a check that can be turned off. */
static void test_faults_without_checks(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        run_row(&rows[i], false);
    }
}

/* The last word is inside. */
static void test_edges_are_inside(void **state)
{
    struct st *t = st_open("", faults);

    (void)state;
    st_run(t, "shared_edge", 2, 64);
    st_close(t);
}

/* A thread of two dimensions, in a block of a grid of three. */
static void test_where(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "k", "mov.u32 %r4, %tid.y; mov.u32 %r5, %ctaid.z; mov.u32 %r6, %ctaid.y;\n"
             "setp.ne.u32 %p1, %r4, 3; setp.ne.or.u32 %p1, %r5, 1, %p1;\n"
             "setp.ne.or.u32 %p1, %r6, 2, %p1; setp.ne.or.u32 %p1, %r1, 4, %p1;\n"
             "@%p1 exit;\n.loc 1 77 3\ntrap;") "\n.file 1 \"where.cu\"\n";
    struct st *t = st_open("", ptx);
    const struct st_shape shape = {.grid = {1, 3, 2}, .block = {8, 4, 1}};
    const struct sm_fault *f = &t->fault;
    char place[SM_PLACE_SIZE];

    (void)state;
    st_start(t, "k", shape);
    assert_int_equal(st_finish(t), ST_FAULT);
    assert_int_equal(f->tid[0], 4);
    assert_int_equal(f->tid[1], 3);
    assert_int_equal(f->tid[2], 0);
    assert_int_equal(f->ctaid[0], 0);
    assert_int_equal(f->ctaid[1], 2);
    assert_int_equal(f->ctaid[2], 1);
    sm_place(t->m, f->pc, place, sizeof(place));
    assert_string_equal(place, "where.cu:77");
    st_close(t);
}

/* The first fault counts, the lowest lane of it. */
static void test_first_fault(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "k", "setp.lt.u32 %p1, %r1, 32; setp.lt.u32 %p2, %r1, 39;\n"
             "@%p1 bra W;\n@%p2 exit;\ntrap;\nW:\n"
             "bar.sync 1, 32; bar.sync 1, 32; bar.sync 1, 32; bar.sync 1, 32;\n"
             "brkpt;");
    struct st *t = st_open("", ptx);

    (void)state;
    st_start(t, "k", st_line(1, 64));
    assert_int_equal(st_finish(t), ST_FAULT);
    assert_int_equal(t->fault.tid[0], 39);
    assert_string_equal(t->fault.text, "the kernel executed trap");
    st_close(t);
}

/* ---- divergent barriers (SPEC BAR-4) ---- */

/* clang-format off */
static const char divergent[] = PTX_HEAD
    /* lanes 8 to 31 of warp 1 are not there, or only under another predicate */
    BODY("skip", "setp.lt.u32 %p1, %r1, 40; @!%p1 bra L; bar.sync 3;\nL:\n"
                 "st.global.u32 [%rd1], %r1;")
    BODY("guard", "setp.lt.u32 %p1, %r1, 40; @%p1 bar.sync 3;\n"
                  "st.global.u32 [%rd1], %r1;")
    BODY("sides", "setp.lt.u32 %p1, %r1, 40; @%p1 bra L; bar.sync 2; bra M;\n"
                  "L: bar.sync 3;\nM:\n st.global.u32 [%rd1], %r1;")
    /* they have left, or do so without meeting the others again */
    BODY("left", "setp.ge.u32 %p1, %r1, 40; @%p1 exit; bar.sync 3;\n"
                 "st.global.u32 [%rd1], %r1;")
    BODY("leaves", "setp.ge.u32 %p1, %r1, 40; @%p1 bra L; bar.sync 3;\n"
                   "st.global.u32 [%rd1], %r1;\nL:\n")
    BODY("store", "setp.ge.u32 %p1, %r1, 40; @%p1 bra L; bar.sync 3;\n"
                  "st.global.u32 [%rd1], %r1; exit;\nL: st.global.u32 [%rd1], 7;");
/* clang-format on */

static void run_divergent(const char *kernel, bool checks, bool watched, bool fails)
{
    struct st *t = st_open("", divergent);
    const struct sm_fault *f = &t->fault;

    t->shared.checks = checks;
    if (watched) {
        t->shared.check = check_global_new(false);
        t->shared.told = check_instant_new(t->sim, t->shared.check, sm_found_race);
        sm_watch(t->sm);
    }
    st_start(t, kernel, st_line(1, 64));
    if (st_finish(t) != (fails ? ST_FAULT : ST_DONE)) {
        print_error("%s: \"%s\"\n", kernel, f->text);
        fail();
    }
    if (fails) {
        assert_string_equal(f->what.rule, "divergent-barrier");
        assert_null(f->what.space);
        assert_non_null(strstr(f->text, "warp 1 of the block: lanes "));
        assert_non_null(strstr(f->text, "0-7"));
        assert_non_null(strstr(f->text, "8-31"));
    }
    check_global_free(t->shared.check);
    check_instant_free(t->shared.told);
    st_close(t);
}

static void test_divergent_barriers(void **state)
{
    static const char *const wrong[] = {"skip", "guard", "sides"};
    static const char *const right[] = {"left", "leaves", "store"};

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        run_divergent(wrong[i], true, false, true);
        run_divergent(wrong[i], true, true, true);
        run_divergent(right[i], true, false, false);
    }
    run_divergent("skip", false, false, false); /* as the device */
    run_divergent("guard", false, false, false);
}

/* SPEC BAR-4: warps that come to one barrier for different counts, or by different
 * instructions. */
static void test_warps_apart(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "count", "setp.lt.u32 %p1, %r1, 32; @%p1 bra A;\nbar.sync 1, 64;\nbra B;\nA:\n"
                 "bar.sync 1, 96;\nB:\n")
        BODY("place", "setp.lt.u32 %p1, %r1, 32; @%p1 bra A;\nbar.sync 1;\nbra B;\nA:\n"
                      "bar.sync 1;\nB:\n");
    static const char *const kernel[] = {"count", "place"};
    static const char *const rule[] = {"invalid-barrier", "divergent-barrier"};
    static const char *const text[] = {" came to it for ", " came to it at PTX line "};

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct st *t = st_open("", ptx);

        st_start(t, kernel[i], st_line(1, 64));
        assert_int_equal(st_finish(t), ST_FAULT);
        assert_string_equal(t->fault.what.rule, rule[i]);
        assert_non_null(strstr(t->fault.text, text[i]));
        st_close(t);
    }
}

/* ---- deadlock ---- */

static void test_deadlock(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "k", "st.global.u32 [%rd1], %r1; setp.lt.u32 %p1, %r1, 32; @%p1 bra A;\n"
             "bar.sync 2, 64;\nbra B;\nA:\nbar.sync 1, 64;\nB:\n"
             "add.u32 %r4, %r1, 1; st.global.u32 [%rd1], %r4;");
    struct st *t = st_open("", ptx);
    const struct ptx_module *m = NULL;
    uint32_t pc = 0;

    (void)state;
    assert_false(sm_first_waiting(t->sm, &m, &pc));
    st_start(t, "k", st_line(1, 64));
    assert_int_equal(st_finish(t), ST_DEADLOCK);
    /* both warps, each with the barrier it waits at */
    assert_non_null(
        strstr(t->waiting,
               "block (0,0,0) on sm0: warp 0 waits at barrier 1 (PTX line "));
    assert_non_null(
        strstr(t->waiting,
               "block (0,0,0) on sm0: warp 1 waits at barrier 2 (PTX line "));
    assert_non_null(strstr(t->waiting, ") for 1 more warp: 1 of 2 there"));
    assert_true(sm_first_waiting(t->sm, &m, &pc));
    assert_ptr_equal(m, t->m);
    assert_int_equal(m->uops[pc].kind, ISA_K_BAR);
    st_fetch(t); /* stores before it have arrived */
    assert_int_equal(t->words[63], 63);
    st_close(t);
}

static void test_barrier_for_too_many(void **state)
{
    static const char ptx[] = PTX_HEAD BODY("k", "bar.sync 0, 96;");
    struct st *t = st_open("", ptx);

    (void)state;
    st_start(t, "k", st_line(2, 64));
    assert_int_equal(st_finish(t), ST_DEADLOCK);
    assert_non_null(strstr(t->waiting, "block (1,0,0)"));
    assert_non_null(
        strstr(t->waiting, "for 1 more warp: 2 of 3 there, and only 2 left"));
    st_close(t);
}

static struct st_shape with_shared(uint32_t grid, uint32_t bytes)
{
    struct st_shape shape = st_line(grid, 32);

    shape.dynamic = bytes;
    return shape;
}

/* A block that waits for shared memory in one piece does not keep the run alive: the
 * block in the middle never leaves. */
static void test_deadlock_under_a_waiting_block(void **state)
{
    static const char ptx[] =
        PTX_HEAD BODY("k", "setp.ne.u32 %p1, %r2, 1; @%p1 exit; bar.sync 0, 96;")
            BODY("other", "st.global.u32 [%rd1], 1;");
    struct st *t = st_open("sm.max_blocks=8", ptx);

    (void)state;
    st_start(t, "k", with_shared(3, 16384));
    st_start(t, "other", with_shared(1, 20480));
    assert_int_equal(st_finish(t), ST_DEADLOCK);
    assert_int_equal(t->n_out, 2); /* that one, and the one it keeps out */
    assert_non_null(strstr(t->waiting, "block (1,0,0)"));
    st_close(t);
}

/* The same two launches with a block in the middle that only takes long: the other one
 * starts when it has left. */
static void test_block_waits_for_one_piece(void **state)
{
    static const char ptx[] =
        PTX_HEAD BODY("k",
                      "setp.ne.u32 %p1, %r2, 1; @%p1 exit; mov.u32 %r4, 0;\n"
                      "L: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 200; @%p1 bra L;\n"
                      "mov.u32 %r5, %clock; st.global.u32 [%rd0], %r5;")
            BODY("other", "mov.u32 %r5, %clock; st.global.u32 [%rd0 + 4], %r5;");
    struct st *t = st_open("sm.max_blocks=8", ptx);

    (void)state;
    st_start(t, "k", with_shared(3, 16384));
    st_start(t, "other", with_shared(1, 20480));
    assert_int_equal(st_finish(t), ST_DONE);
    st_fetch(t);
    assert_true(t->words[0] > 200 * 4); /* after its loop */
    assert_in_range(t->words[1], t->words[0] + 4, t->words[0] + 150);
    st_close(t);
}

/* An access that begins inside a buffer and ends outside, after one that was inside. */
static void test_end_of_a_buffer(void **state)
{
    static const char ptx[] =
        PTX_HEAD BODY("k", "ld.global.u32 %r4, [%rd2 + 16]; st.global.u32 [%rd0], %r4;")
            BODY("beyond", "ld.global.u32 %r4, [%rd2 + 16]; add.u32 %r4, %r4, 0;\n"
                           "ld.global.v2.u32 {%r5, %r6}, [%rd2 + 16];\n"
                           "st.global.v2.u32 [%rd0], {%r5, %r6};");
    struct st *t = st_open("", ptx);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    st_ok(memory_alloc(&t->memory, 20, &t->in, &e), &e);
    st_run(t, "k", 1, 32);
    st_start(t, "beyond", st_line(1, 32));
    assert_int_equal(st_finish(t), ST_FAULT);
    assert_non_null(
        strstr(t->fault.text, "too long for the end of the nearest buffer of 20"));
    st_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_faults_without_checks),
        cmocka_unit_test(test_edges_are_inside),
        cmocka_unit_test(test_where),
        cmocka_unit_test(test_first_fault),
        cmocka_unit_test(test_divergent_barriers),
        cmocka_unit_test(test_warps_apart),
        cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_barrier_for_too_many),
        cmocka_unit_test(test_deadlock_under_a_waiting_block),
        cmocka_unit_test(test_block_waits_for_one_piece),
        cmocka_unit_test(test_end_of_a_buffer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
