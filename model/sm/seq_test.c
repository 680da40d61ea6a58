/* PTX instructions that are several machine instructions: turns, pipes, latency and
 * counts of a list that the test gives to every `and` of a kernel. */
#include "sm/sm_test.h"

/* text between two readings of the clock; the difference goes to out. */
#define TIMED(text)                                                                    \
    PTX_HEAD BODY("k", "bar.sync 15; bar.sync 15; add.u64 %rd3, %rd1, 0;\n"            \
                       "add.u64 %rd3, %rd3, 0; setp.ne.u32 %p2, %r1, %r1;\n"           \
                       "bar.sync 15; mov.u32 %r10, %clock;\n" text                     \
                       "\nmov.u32 %r11, %clock; sub.u32 %r12, %r11, %r10;\n"           \
                       "st.global.u32 [%rd3], %r12; add.u32 %r3, %r3, %r4;\n"          \
                       "add.u32 %r3, %r3, %r5; st.global.u32 [%rd3 + 8192], %r3;\n")
#define SEQ  "and.b32 %r3, %r1, %r1;\n"
#define OFF  "@%p2 and.b32 %r3, %r1, %r1;\n"
#define USE  "add.u32 %r4, %r3, 1;\n"
#define ADD4 "add.u32 %r4, %r1, 1;\n"
#define ADD5 "add.u32 %r5, %r1, 2;\n"
#define ADD3 "add.u32 %r3, %r1, 2;\n"

struct result {
    uint32_t cycles;
    uint64_t warp_insts, thread_insts, issue_cycles;
};

/* Of one warp, on an SM that issues every second cycle. */
static struct result run(const char *settings, const char *ptx,
                         const struct isa_seq *seq)
{
    struct st *t = st_open(settings, ptx);
    const struct smw_counters *c;
    struct result r;

    for (uint32_t i = 0; i < t->m->n_uops; i++) {
        struct isa_uop *u = &t->m->uops[i];

        if (seq != NULL && u->form.op == ISA_OP_AND) {
            u->kind = ISA_K_SEQ;
            u->seq = seq;
            u->class = seq->part[0].class;
            u->weight = 0;
        }
    }
    st_run(t, "k", 1, 32);
    c = sm_counters(t->sm, 0);
    r = (struct result){t->words[0], c->warp_insts, c->thread_insts, c->issue_cycles};
    st_close(t);
    return r;
}

static const struct isa_seq list = {.insts = 3,
                                    .wait = 10,
                                    .part = {{ISA_CL_IADD, 2, 2}, {ISA_CL_IMUL, 1, 0}}};
static const struct isa_seq call = {.insts = 3,
                                    .wait = 10,
                                    .holds = true,
                                    .part = {{ISA_CL_IADD, 2, 2}}};

enum { LATENCY = 10 + 2 * 7 }; /* of both, where iadd has 7 */
#define SET "sm.pipe.iadd.latency=7"

/* Three turns: what follows issues two turns later than behind one instruction. */
static void test_turns(void **state)
{
    (void)state;
    assert_int_equal(run(SET, TIMED(SEQ), NULL).cycles, 2 * 2);
    assert_int_equal(run(SET, TIMED(SEQ), &list).cycles, 2 + 3 * 2);
    assert_int_equal(run(SET, TIMED(SEQ ADD4), &list).cycles, 2 + 3 * 2 + 2);
}

static void test_latency(void **state)
{
    (void)state;
    assert_int_equal(run(SET, TIMED(SEQ USE), &list).cycles, 2 + LATENCY + 2);
    assert_int_equal(isa_seq_latency(&list,
                                     (const uint32_t[ISA_N_CLASSES]){
                                         [ISA_CL_IADD] = 7, [ISA_CL_IMUL] = 99}),
                     LATENCY);
}

/* One that branches lets nothing of its warp issue meanwhile. */
static void test_holds(void **state)
{
    (void)state;
    assert_int_equal(run(SET, TIMED(SEQ ADD4), &call).cycles, 2 + LATENCY + 2);
    assert_int_equal(run(SET, TIMED(OFF ADD4), &call).cycles, 2 + 2 + 2);
}

/* Two passes through the pipe of additions are as two additions. */
static void test_pipes(void **state)
{
    const char *slow = "sm.pipe.iadd.throughput=1 sm.pipe.iadd.latency=1";

    (void)state;
    assert_int_equal(
        run(slow, TIMED(SEQ ADD4 ADD5), &list).cycles,
        run(slow, TIMED(ADD3 "add.u32 %r3, %r1, 3;\n" ADD4 ADD5), NULL).cycles);
    assert_true(run(slow, TIMED(SEQ ADD4 ADD5), &list).cycles > 2 * 32);
}

/* Numbers for which there is more to do, in any lane: 0 is one, 1.5 is none. */
static void test_odd(void **state)
{
    static const struct isa_seq odd = {.insts = 3,
                                       .wait = 10,
                                       .holds = true,
                                       .odd = ISA_ODD_SQRT_F32,
                                       .odd_insts = 5,
                                       .odd_wait = 30,
                                       .part = {{ISA_CL_IADD, 2, 2}}};
    const char *const usual = TIMED("and.b32 %r3, 0x3fc00000, -1;\n" ADD4);
    const struct result a = run(SET, usual, &odd), b = run(SET, usual, &call);
    const struct result c = run(SET, TIMED("and.b32 %r3, 0, %r1;\n" ADD4), &odd);

    (void)state;
    assert_int_equal(a.cycles, b.cycles);
    assert_int_equal(a.warp_insts, b.warp_insts);
    assert_int_equal(c.cycles, a.cycles + 30);
    assert_int_equal(c.warp_insts, a.warp_insts + 5);
    assert_int_equal(c.issue_cycles, a.issue_cycles + 5);
    assert_int_equal(c.thread_insts, a.thread_insts + 5 * 32);
}

static void test_counts(void **state)
{
    struct result one = run(SET, TIMED(SEQ), NULL), three = run(SET, TIMED(SEQ), &list);
    struct result off = run(SET, TIMED(OFF), &list), none = run(SET, TIMED(OFF), NULL);

    (void)state;
    assert_int_equal(three.warp_insts - one.warp_insts, 2);
    assert_int_equal(three.thread_insts - one.thread_insts, 2 * 32);
    assert_int_equal(three.issue_cycles - one.issue_cycles, 2);
    assert_int_equal(off.warp_insts, none.warp_insts); /* branched around */
    assert_int_equal(off.issue_cycles, none.issue_cycles);
    assert_int_equal(off.cycles, none.cycles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns), cmocka_unit_test(test_latency),
        cmocka_unit_test(test_holds), cmocka_unit_test(test_pipes),
        cmocka_unit_test(test_odd),   cmocka_unit_test(test_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
