/* A device after a fault: what it says, where that was, and what of it is left;
 * deadlocks and limits. What a fault is, the tests of an SM ask
 * (model/sm/fault_test.c). */
#include "gpu/device_test.h"

#include "sm/fault_rows_test.h"

static void run_row(const struct row *r, enum smw_check check)
{
    struct smw_options opt = {.check = check};
    struct dt *t = dt_open_with("tiny", "sm.call_depth=8", &opt, faults);
    const struct smw_fault *f = smw_fault(t->d);
    struct smw_err e;
    uint32_t word = 7;

    err_clear(&e);
    assert_int_equal(f->kind, SMW_ERR_NONE);
    dt_run(t, "good", 1, 64);
    dt_start(t, r->kernel, 1, r->thread == 0 ? 32 : 64);
    if (smw_step(t->d, 0) != SMW_FAULT) {
        print_error("%s: no fault\n", r->kernel);
        fail();
    }
    assert_int_equal(f->kind, SMW_ERR_KERNEL);
    if (strstr(f->message, r->message) == NULL || strstr(f->inst, r->inst) == NULL) {
        print_error("%s: \"%s\" at \"%s\"\n", r->kernel, f->message, f->inst);
        fail();
    }
    assert_string_equal(f->kernel, r->kernel);
    assert_int_equal(f->thread[0], r->thread);
    assert_int_equal(f->block[0], 0);
    assert_string_equal(f->ptx_file, "test.ptx");
    assert_true(f->ptx_line > 3);
    assert_true(f->cycle > 0);
    assert_null(f->file);
    /* what there was stays readable; nothing else works */
    dt_fetch(t);
    assert_int_equal(t->words[63], 64);
    assert_false(dt_queue(t, "good", dt_shape(1, 32), &e));
    assert_non_null(strstr(e.message, f->message));
    err_clear(&e);
    assert_false(smw_synchronize(t->d, &e));
    assert_int_equal(e.kind, SMW_ERR_KERNEL);
    assert_string_equal(e.message, f->message);
    err_clear(&e);
    assert_false(smw_write(t->d, t->out, &word, 4, &e));
    assert_int_equal(smw_step(t->d, 0), SMW_FAULT);
    assert_int_equal(smw_results(t->d), 2);
    assert_true(dt_result(t, 0).finished);
    assert_false(dt_result(t, 1).finished);
    assert_true(dt_result(t, 1).started);
    dt_close(t);
}

static void test_faults(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        run_row(&rows[i], SMW_CHECK_FAST);
    }
}

/* Bounds are the device's, not a check that can be turned off. */
static void test_faults_without_checks(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        run_row(&rows[i], SMW_CHECK_NONE);
    }
}

/* A thread of two dimensions, in a block of a grid of three. */
static void test_where(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "k", "mov.u32 %r4, %tid.y; mov.u32 %r5, %ctaid.z; mov.u32 %r6, %ctaid.y;\n"
             "setp.ne.u32 %p1, %r4, 3; setp.ne.or.u32 %p1, %r5, 1, %p1;\n"
             "setp.ne.or.u32 %p1, %r6, 2, %p1; setp.ne.or.u32 %p1, %r1, 4, %p1;\n"
             "@%p1 exit;\n.loc 1 77 3\ntrap;") "\n.file 1 \"where.cu\"\n";
    struct dt *t = dt_open("", ptx);
    struct smw_launch l = {.grid = {1, 3, 2}, .block = {8, 4, 1}};
    const struct smw_fault *f = smw_fault(t->d);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    dt_ok(dt_queue(t, "k", l, &e), &e);
    assert_int_equal(smw_step(t->d, 0), SMW_FAULT);
    assert_int_equal(f->thread[0], 4);
    assert_int_equal(f->thread[1], 3);
    assert_int_equal(f->thread[2], 0);
    assert_int_equal(f->block[0], 0);
    assert_int_equal(f->block[1], 2);
    assert_int_equal(f->block[2], 1);
    assert_string_equal(f->file, "where.cu");
    assert_int_equal(f->line, 77);
    dt_close(t);
}

/* ---- deadlock ---- */

static void test_deadlock(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "k", "st.global.u32 [%rd1], %r1; setp.lt.u32 %p1, %r1, 32; @%p1 bra A;\n"
             "bar.sync 2, 64;\nbra B;\nA:\nbar.sync 1, 64;\nB:\n"
             "add.u32 %r4, %r1, 1; st.global.u32 [%rd1], %r4;");
    struct dt *t = dt_open("", ptx);
    const struct smw_fault *f = smw_fault(t->d);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    dt_start(t, "k", 1, 64);
    assert_int_equal(smw_step(t->d, 0), SMW_DEADLOCK);
    assert_int_equal(smw_step(t->d, 0), SMW_DEADLOCK);
    assert_int_equal(f->kind, SMW_ERR_DEADLOCK);
    assert_non_null(strstr(f->message, "deadlock"));
    assert_string_equal(f->kernel, "k");
    /* both warps, each with the barrier it waits at */
    assert_non_null(
        strstr(f->detail,
               "block (0,0,0) on sm0: warp 0 waits at barrier 1 (PTX line "));
    assert_non_null(
        strstr(f->detail,
               "block (0,0,0) on sm0: warp 1 waits at barrier 2 (PTX line "));
    assert_non_null(strstr(f->detail, ") for 1 more warp: 1 of 2 there"));
    assert_false(smw_synchronize(t->d, &e));
    assert_int_equal(e.kind, SMW_ERR_DEADLOCK);
    dt_fetch(t); /* stores before it have arrived */
    assert_int_equal(t->words[63], 63);
    dt_close(t);
}

/* ---- limits ---- */

static const char spin[] =
    PTX_HEAD BODY("k", "L: bra L;") BODY("good", "st.global.u32 [%rd1], 5;");

static void test_max_cycles(void **state)
{
    struct smw_options opt = {.check = SMW_CHECK_FAST, .max_cycles = 5000};
    struct dt *t = dt_open_with("tiny", "", &opt, spin);
    struct smw_progress p;
    struct smw_err e;

    (void)state;
    err_clear(&e);
    dt_run(t, "good", 1, 32);
    dt_start(t, "k", 1, 32);
    assert_int_equal(smw_step(t->d, 0), SMW_LIMIT);
    smw_progress(t->d, &p);
    assert_int_equal(p.cycles, 5000);
    assert_int_equal(smw_fault(t->d)->kind, SMW_ERR_LIMIT);
    assert_non_null(strstr(smw_fault(t->d)->detail, "warp 0 stands at PTX line "));
    assert_non_null(
        strstr(smw_fault(t->d)->detail, "100.0 % of the warps' time at PTX"));
    assert_int_equal(smw_step(t->d, 0), SMW_LIMIT);
    assert_false(smw_synchronize(t->d, &e));
    assert_int_equal(e.kind, SMW_ERR_LIMIT);
    dt_fetch(t);
    assert_int_equal(t->words[0], 5);
    dt_close(t);
}

/* The limit is the last cycle that is still simulated: n cycles suffice, n - 1 do not.
 */
static void test_max_cycles_is_exact(void **state)
{
    uint64_t cycles;
    struct dt *t = dt_open("", spin);
    struct smw_progress p;

    (void)state;
    dt_run(t, "good", 1, 32);
    smw_progress(t->d, &p);
    cycles = p.cycles;
    dt_close(t);
    for (uint32_t less = 0; less < 2; less++) {
        struct smw_options opt = {.check = SMW_CHECK_FAST, .max_cycles = cycles - less};

        t = dt_open_with("tiny", "", &opt, spin);
        dt_start(t, "good", 1, 32);
        assert_int_equal(smw_step(t->d, 0), less == 0 ? SMW_DONE : SMW_LIMIT);
        dt_close(t);
    }
}

/* Nobody is asked to stop a kernel that spins. */
static void test_slices(void **state)
{
    struct dt *t = dt_open("", spin);
    struct smw_progress a, b;

    (void)state;
    dt_start(t, "k", 1, 32);
    assert_int_equal(smw_step(t->d, 100), SMW_RUNNING);
    smw_progress(t->d, &a);
    assert_int_equal(smw_step(t->d, 100), SMW_RUNNING);
    smw_progress(t->d, &b);
    assert_true(b.cycles > a.cycles);
    assert_true(b.warp_insts > a.warp_insts);
    assert_int_equal(b.blocks_total, 1);
    assert_int_equal(b.blocks_done, 0);
    dt_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults),     cmocka_unit_test(test_faults_without_checks),
        cmocka_unit_test(test_where),      cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_max_cycles), cmocka_unit_test(test_max_cycles_is_exact),
        cmocka_unit_test(test_slices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
