/* Kernels at fault: what is said, where, and what of the device is left; deadlocks and
 * limits. */
#include "gpu/device_test.h"

/* A kernel per entry. */
/* clang-format off */
static const char faults[] =
    PTX_HEAD ".const .align 4 .u32 c[4] = {1, 2, 3, 4};\n"
             ".extern .func (.param .b32 r) again (.param .b32 a);\n"
             ".func (.param .b32 r) again (.param .b32 a)\n"
             "{ .reg .b32 %x; .param .b32 q; .param .b32 b; ld.param.b32 %x, [a];\n"
             "  st.param.b32 [b], %x; call (q), again, (b); ld.param.b32 %x, [q];\n"
             "  st.param.b32 [r], %x; ret; }\n"
    /* each by thread 37, which is lane 5 of warp 1 */
    BODY("shared_load",
         ".shared .u32 s[64];\n"
         "setp.ne.u32 %p1, %r1, 37; mov.u32 %r4, s; @%p1 exit;\n"
         "ld.shared.u32 %r5, [%r4 + 256]; st.global.u32 [%rd1], %r5;")
    BODY("shared_store",
         ".shared .u32 s[64];\n"
         "setp.ne.u32 %p1, %r1, 37; mov.u32 %r4, s;\n"
         "@!%p1 st.shared.v2.u32 [%r4 + 256], {%r1, %r1};")
    BODY("shared_edge",
         ".shared .u32 s[64];\n"
         "mov.u32 %r4, s; st.shared.u32 [%r4 + 252], %r1;")
    BODY("shared_odd",
         ".shared .align 8 .u32 s[64];\n"
         "mov.u32 %r4, s; ld.shared.v2.u32 {%r5, %r6}, [%r4 + 4];\n"
         "st.global.v2.u32 [%rd0], {%r5, %r6};")
    BODY("global_load",
         "setp.ne.u32 %p1, %r1, 37; @%p1 exit;\n"
         "ld.global.u32 %r5, [%rd2 + 65536]; st.global.u32 [%rd1], %r5;")
    BODY("global_before",
         "add.u64 %rd4, %rd0, -4; st.global.u32 [%rd4], %r1;")
    BODY("global_straddle",
         "st.global.v4.u32 [%rd0 + 65528], {%r1, %r1, %r1, %r1};")
    BODY("global_odd",
         "st.global.u32 [%rd0 + 2], %r1;")
    BODY("global_null",
         "mov.u64 %rd4, 0; st.global.u32 [%rd4 + 16], %r1;")
    BODY("generic_null",
         "mov.u64 %rd4, 0; ld.u32 %r5, [%rd4]; st.global.u32 [%rd1], %r5;")
    BODY("atom_global",
         "atom.global.add.u32 %r5, [%rd2 + 65536], 1;\n"
         "st.global.u32 [%rd1], %r5;")
    BODY("red_odd",
         "red.global.add.u32 [%rd0 + 1], 1;")
    BODY("local_load",
         ".local .u32 a[4];\n"
         "mov.u64 %rd4, a; ld.local.u32 %r5, [%rd4 + 16];\n"
         "st.global.u32 [%rd1], %r5;")
    BODY("const_load",
         "mov.u64 %rd4, c; ld.const.u32 %r5, [%rd4 + 16];\n"
         "st.global.u32 [%rd1], %r5;")
    BODY("trapped",
         "setp.eq.u32 %p1, %r1, 37; @%p1 trap;")
    BODY("barrier",
         "mov.u32 %r4, 16; bar.sync %r4;")
    BODY("barrier_odd",
         "mov.u32 %r4, 33; bar.sync 0, %r4;")
    BODY("deep",
         ".param .b32 q; .param .b32 b; st.param.b32 [b], %r1;\n"
         "call (q), again, (b); ld.param.b32 %r5, [q];\n"
         "st.global.u32 [%rd1], %r5;")
    BODY("branch_index",
         "mov.u32 %r4, 2;\n"
         "T: .branchtargets A, B;\n"
         "brx.idx %r4, T;\n"
         "A: st.global.u32 [%rd1], %r1;\n"
         "B:\n")
    BODY("const_store",
         "mov.u64 %rd4, c; cvta.const.u64 %rd4, %rd4;\n"
         "st.u32 [%rd4 + 4], %r1;")
    BODY("const_atom",
         "mov.u64 %rd4, c; cvta.const.u64 %rd4, %rd4;\n"
         "atom.add.u32 %r5, [%rd4], 1; st.global.u32 [%rd1], %r5;")
    BODY("local_atom",
         ".local .u32 a[4];\n"
         "mov.u64 %rd4, a; cvta.local.u64 %rd4, %rd4;\n"
         "atom.add.u32 %r5, [%rd4 + 8], 1; st.global.u32 [%rd1], %r5;")
    BODY("local_red",
         ".local .u32 a[4];\n"
         "mov.u64 %rd4, a; cvta.local.u64 %rd4, %rd4;\n"
         "red.add.u32 [%rd4 + 8], 1;")
    BODY("good",
         "add.u32 %r4, %r0, 1; st.global.u32 [%rd1], %r4;");
/* clang-format on */

struct row {
    const char *kernel, *message, *inst;
    uint32_t thread;
};

static const struct row rows[] = {
    {"shared_load",
     "shared load of 4 bytes at offset 0x100: out of bounds, there are 256 "
     "bytes; s[64] of 64 elements of 4 bytes",
     "ld.shared.u32", 37},
    {"shared_store", "shared store of 8 bytes at offset 0x100: out of bounds",
     "st.shared.v2", 37},
    {"shared_odd", "shared load of 8 bytes at 0x4: misaligned", "ld.shared.v2", 0},
    {"global_load",
     "out of bounds, 0 bytes past the end of the nearest buffer of 65536 bytes",
     "ld.global.u32", 37},
    {"global_before",
     "out of bounds, 4 bytes before the begin of the nearest buffer of 65536 bytes",
     "st.global.u32", 0},
    {"global_straddle", "misaligned", "st.global.v4", 0},
    {"global_odd", "global store of 4 bytes at 0x10000002: misaligned", "st.global.u32",
     0},
    {"global_null", "global store of 4 bytes at 0x10: a null pointer", "st.global.u32",
     0},
    {"generic_null", "global load of 4 bytes at 0x0: a null pointer", "ld.u32", 0},
    {"atom_global", "global atomic of 4 bytes", "atom.global.add.u32", 0},
    {"red_odd", "global reduction of 4 bytes at 0x10000001: misaligned",
     "red.global.add.u32", 0},
    {"local_load",
     "local load of 4 bytes at offset 0x10: out of bounds, there are 16 bytes",
     "ld.local.u32", 0},
    {"const_load",
     "constant load of 4 bytes at offset 0x10: out of bounds, there are 16 "
     "bytes",
     "ld.const.u32", 0},
    {"const_store",
     "constant store of 4 bytes at offset 0x4: constant memory is read only", "st.u32",
     0},
    {"const_atom",
     "constant atomic of 4 bytes at offset 0x0: constant memory is read only",
     "atom.add.u32", 0},
    {"local_atom", "local atomic of 4 bytes at offset 0x8: local memory has no atomics",
     "atom.add.u32", 0},
    {"local_red",
     "local reduction of 4 bytes at offset 0x8: local memory has no atomics",
     "red.add.u32", 0},
    {"trapped", "the kernel executed trap", "trap", 37},
    {"barrier", "barrier 16: a block has 16", "bar.sync", 0},
    {"barrier_odd", "barrier 0 for 33 threads: not a multiple of 32", "bar.sync", 0},
    {"deep", "call stack overflow: 8 nested calls; '-s sm.call_depth=N' allows more",
     "call", 0},
    {"branch_index", "brx.idx: index 2, the list has 2 targets", "brx.idx", 0},
};

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

/* The last word is inside. */
static void test_edges_are_inside(void **state)
{
    struct dt *t = dt_open("", faults);

    (void)state;
    dt_run(t, "shared_edge", 2, 64);
    dt_close(t);
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

/* The first fault counts, the lowest lane of it. */
static void test_first_fault(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "k", "setp.lt.u32 %p1, %r1, 32; setp.lt.u32 %p2, %r1, 39;\n"
             "@%p1 bra W;\n@%p2 exit;\ntrap;\nW:\n"
             "bar.sync 1, 32; bar.sync 1, 32; bar.sync 1, 32; bar.sync 1, 32;\n"
             "brkpt;");
    struct dt *t = dt_open("", ptx);

    (void)state;
    dt_start(t, "k", 1, 64);
    assert_int_equal(smw_step(t->d, 0), SMW_FAULT);
    assert_int_equal(smw_fault(t->d)->thread[0], 39);
    assert_string_equal(smw_fault(t->d)->message, "the kernel executed trap");
    dt_close(t);
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

static void run_divergent(const char *kernel, enum smw_check check, bool fails)
{
    struct smw_options opt = {.check = check};
    struct dt *t = dt_open_with("tiny", "", &opt, divergent);
    const struct smw_fault *f = smw_fault(t->d);

    dt_start(t, kernel, 1, 64);
    if (smw_step(t->d, 0) != (fails ? SMW_FAULT : SMW_DONE)) {
        print_error("%s: \"%s\"\n", kernel, f->message);
        fail();
    }
    if (fails) {
        assert_string_equal(f->rule, "divergent-barrier");
        assert_null(f->space);
        assert_non_null(strstr(f->message, "warp 1 of the block: lanes "));
        assert_non_null(strstr(f->message, "0-7"));
        assert_non_null(strstr(f->message, "8-31"));
    }
    dt_close(t);
}

static void test_divergent_barriers(void **state)
{
    static const char *const wrong[] = {"skip", "guard", "sides"};
    static const char *const right[] = {"left", "leaves", "store"};

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        run_divergent(wrong[i], SMW_CHECK_FAST, true);
        run_divergent(wrong[i], SMW_CHECK_FULL, true);
        run_divergent(right[i], SMW_CHECK_FAST, false);
    }
    run_divergent("skip", SMW_CHECK_NONE, false); /* as the device */
    run_divergent("guard", SMW_CHECK_NONE, false);
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

static void test_barrier_for_too_many(void **state)
{
    static const char ptx[] = PTX_HEAD BODY("k", "bar.sync 0, 96;");
    struct dt *t = dt_open("", ptx);

    (void)state;
    dt_start(t, "k", 2, 64);
    assert_int_equal(smw_step(t->d, 0), SMW_DEADLOCK);
    assert_non_null(strstr(smw_fault(t->d)->detail, "block (1,0,0)"));
    dt_close(t);
}

/* A block that waits for shared memory in one piece does not keep the run alive: the
 * block in the middle never leaves. */
static void test_deadlock_under_a_waiting_block(void **state)
{
    static const char ptx[] =
        PTX_HEAD BODY("k", "setp.ne.u32 %p1, %r2, 1; @%p1 exit; bar.sync 0, 96;")
            BODY("other", "st.global.u32 [%rd1], 1;");
    struct smw_options opt = {.check = SMW_CHECK_FAST, .max_cycles = 100000};
    struct dt *t = dt_open_with("tiny", "sm.max_blocks=8", &opt, ptx);
    struct smw_launch l = dt_shape(3, 32);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    l.shared = 16384;
    dt_ok(dt_queue(t, "k", l, &e), &e);
    l = dt_shape(1, 32);
    l.stream = 1;
    l.shared = 20480;
    dt_ok(dt_queue(t, "other", l, &e), &e);
    assert_int_equal(smw_step(t->d, 0), SMW_DEADLOCK);
    assert_non_null(strstr(smw_fault(t->d)->detail, "block (1,0,0)"));
    dt_close(t);
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
    struct dt *t = dt_open("sm.max_blocks=8", ptx);
    struct smw_launch l = dt_shape(3, 32);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    l.shared = 16384;
    dt_ok(dt_queue(t, "k", l, &e), &e);
    l = dt_shape(1, 32);
    l.stream = 1;
    l.shared = 20480;
    dt_ok(dt_queue(t, "other", l, &e), &e);
    dt_fetch(t);
    assert_in_range(t->words[1], t->words[0] + 4, t->words[0] + 150);
    dt_close(t);
}

/* An access that begins inside a buffer and ends outside, after one that was inside. */
static void test_end_of_a_buffer(void **state)
{
    static const char ptx[] =
        PTX_HEAD BODY("k", "ld.global.u32 %r4, [%rd2 + 16]; st.global.u32 [%rd0], %r4;")
            BODY("beyond", "ld.global.u32 %r4, [%rd2 + 16]; add.u32 %r4, %r4, 0;\n"
                           "ld.global.v2.u32 {%r5, %r6}, [%rd2 + 16];\n"
                           "st.global.v2.u32 [%rd0], {%r5, %r6};");
    struct dt *t = dt_open("", ptx);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    dt_ok(smw_alloc(t->d, 20, &t->in, &e), &e);
    dt_run(t, "k", 1, 32);
    dt_start(t, "beyond", 1, 32);
    assert_int_equal(smw_step(t->d, 0), SMW_FAULT);
    assert_non_null(strstr(smw_fault(t->d)->message,
                           "too long for the end of the nearest buffer of 20"));
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
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_faults_without_checks),
        cmocka_unit_test(test_edges_are_inside),
        cmocka_unit_test(test_where),
        cmocka_unit_test(test_first_fault),
        cmocka_unit_test(test_divergent_barriers),
        cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_barrier_for_too_many),
        cmocka_unit_test(test_deadlock_under_a_waiting_block),
        cmocka_unit_test(test_block_waits_for_one_piece),
        cmocka_unit_test(test_end_of_a_buffer),
        cmocka_unit_test(test_max_cycles),
        cmocka_unit_test(test_max_cycles_is_exact),
        cmocka_unit_test(test_slices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
