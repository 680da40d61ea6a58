/* The order of instructions: which dependences are kept, and what is won. */
#include "ptx/flow_priv.h"

#include "ptx/front_test.h"

#include <stdlib.h>

enum { ALU = 4, MAX_ORDER = 256 };

static struct ptx_target target_with(uint32_t regs)
{
    struct ptx_target t = {.shared = 20,
                           .constant = 8,
                           .local = 30,
                           .global = 100,
                           .issue = 1,
                           .regs = regs};

    for (uint32_t i = 0; i < ISA_N_CLASSES; i++) {
        t.latency[i] = ALU;
    }
    return t;
}

#define KERNEL                                                                         \
    ".extern .shared .u32 x[];\n.extern .shared .u32 y[];\n.const .u32 c[4];\n"        \
    ".visible .entry k (.param .u32 a) {\n"
#define REGS                                                                           \
    ".reg .pred %p<9>;\n.reg .b32 %r<999>;\n.reg .b64 %d<99>; .reg .f32 %f<9>;\n"      \
    ".shared .u32 s[64];\n.shared .u32 t[64];\n.local .u32 own[8];\n"

/* The module of one kernel with this body, lowered for the target. */
static struct ptx_module *module_of(const char *body, const struct ptx_target *target)
{
    const size_t size = strlen(body) + 1024;
    char *const text = malloc(size);
    struct ptx_module *m;
    struct smw_err e;

    err_clear(&e);
    assert_non_null(text);
    (void)snprintf(text, size, "%s%s\n%s}\n", HEAD KERNEL, REGS, body);
    m = ptx_parse(text, strlen(text), "test.ptx", &e);
    free(text);
    if (m == NULL || !ptx_lower(m, target, &e) || ptx_refusals(m) > 0) {
        print_error("%u:%u: %s\n", e.line, e.column, e.message);
        fail();
    }
    return m;
}

/* "1 3 2 ": the lines of the body in the order in which they run, the ret that the
 * closing brace stands for left out. */
static void order_for(const char *body, const struct ptx_target *target,
                      char out[MAX_ORDER])
{
    struct ptx_module *const m = module_of(body, target);
    const struct ptx_ir *const f = m->priv->run[m->priv->kernel_fn[0]];
    const uint32_t first = m->kernels[0].line + 7; /* the line before the body */
    size_t n = 0;

    out[0] = '\0';
    for (uint32_t i = 0; i + 1 < f->n_insn; i++) {
        n += (size_t)snprintf(out + n, MAX_ORDER - n, "%u ", f->insn[i].line - first);
    }
    ptx_free(m);
}

static void order_of(const char *body, uint32_t regs, char out[MAX_ORDER])
{
    const struct ptx_target target = target_with(regs);

    order_for(body, &target, out);
}

static void same_order(const char *body, const char *got, const char *order)
{
    if (strcmp(got, order) != 0) {
        print_error("%s\nruns as %s, not as %s\n", body, got, order);
        fail();
    }
}

static void expect(const char *body, const char *order)
{
    char got[MAX_ORDER];

    order_of(body, 64, got);
    same_order(body, got, order);
}

/* ---- memory ---- */

/* ld; st; ld; st waits for one load, not two, if the second may pass the first store.
 */
static void test_spaces(void **state)
{
    (void)state;
    expect("ld.global.u32 %r1, [%d1];\nst.shared.u32 [%r9], %r1;\n"
           "ld.global.u32 %r2, [%d2];\nst.shared.u32 [%r8], %r2;\n",
           "1 3 2 4 ");
    expect("ld.global.u32 %r1, [%d1];\nst.global.u32 [%d3], %r1;\n"
           "ld.global.u32 %r2, [%d2];\nst.global.u32 [%d4], %r2;\n",
           "1 2 3 4 ");
    /* a generic address may be any */
    expect("ld.global.u32 %r1, [%d1];\nst.u32 [%d3], %r1;\n"
           "ld.global.u32 %r2, [%d2];\nst.shared.u32 [%r8], %r2;\n",
           "1 2 3 4 ");
    expect("ld.u32 %r1, [%d1];\nst.shared.u32 [%r9], %r1;\n"
           "ld.u32 %r2, [%d2];\nst.shared.u32 [%r8], %r2;\n",
           "1 2 3 4 ");
    expect("ld.local.u32 %r1, [own];\nst.shared.u32 [%r9], %r1;\n"
           "ld.local.u32 %r2, [own+4];\nst.shared.u32 [%r8], %r2;\n",
           "1 3 2 4 ");
    /* nobody writes these */
    expect("ld.global.nc.u32 %r1, [%d1];\nst.global.u32 [%d3], %r1;\n"
           "ld.global.nc.u32 %r2, [%d2];\nst.global.u32 [%d4], %r2;\n",
           "1 3 2 4 ");
    expect("ld.const.u32 %r1, [c];\nst.u32 [%d3], %r1;\n"
           "ld.const.u32 %r2, [c+4];\nst.u32 [%d4], %r2;\n",
           "1 3 2 4 ");
    expect("ld.global.u32 %r1, [%d1];\nst.u32 [%d3], %r1;\n"
           "ld.param.u32 %r2, [a];\nst.u32 [%d4], %r2;\n",
           "1 3 2 4 ");
}

/* Sums of two registers of which both, or one and the variable in the other, are the
 * same differ by their constants; a register that is written once, with a variable's
 * address, holds it in all blocks. */
static void test_sums(void **state)
{
#define BEGIN                                                                          \
    "mov.u64 %d1, own;\nadd.s64 %d2, %d1, 16;\nsetp.eq.u64 %p1, %d9, 0;\n@%p1 bra "    \
    "L;\n"                                                                             \
    "st.global.u32 [%d8], %r9;\nL:\n"
    (void)state;
    expect(BEGIN "add.s64 %d5, %d1, %d9;\nadd.s64 %d6, %d9, %d2;\n"
                 "ld.local.u32 %r1, [%d5];\nst.local.u32 [%d5+4], %r1;\n"
                 "ld.local.u32 %r2, [%d6];\nst.local.u32 [%d6+4], %r2;\n",
           "1 3 2 4 5 7 8 9 11 10 12 ");
    expect(BEGIN "add.s64 %d5, %d1, %d9;\nadd.s64 %d6, %d9, %d2;\n"
                 "ld.local.u32 %r1, [%d5];\nst.local.u32 [%d5+16], %r1;\n"
                 "ld.local.u32 %r2, [%d6];\nst.local.u32 [%d6+4], %r2;\n",
           "1 3 2 4 5 7 8 9 10 11 12 ");
    expect(BEGIN "add.s64 %d5, %d1, %d9;\nadd.s64 %d6, %d7, %d2;\n"
                 "ld.local.u32 %r1, [%d5];\nst.local.u32 [%d5+4], %r1;\n"
                 "ld.local.u32 %r2, [%d6];\nst.local.u32 [%d6+4], %r2;\n",
           "1 3 2 4 5 7 8 9 10 11 12 ");
    /* written twice: which of them? */
    expect(BEGIN "add.s64 %d2, %d2, 8;\nbar.sync 0;\nadd.s64 %d5, %d1, %d9;\nadd.s64 "
                 "%d6, %d9, %d2;\n"
                 "ld.local.u32 %r1, [%d5];\nst.local.u32 [%d5+4], %r1;\n"
                 "ld.local.u32 %r2, [%d6];\nst.local.u32 [%d6+4], %r2;\n",
           "1 3 2 4 5 9 7 8 11 10 12 13 14 ");
#undef BEGIN
}

/* What a warp does as a whole waits for all its lanes: behind a loop in which some of
 * them may still wait, not before what they wait for. */
static void test_turns(void **state)
{
    static const char later[] =
        "ld.global.u32 %r1, [%d1];\nst.volatile.global.u32 [%d3], %r1;\n"
        "movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r3;\n"
        "st.global.u32 [%d4], %r2;\n";
    static const char loops[] =
        "L: ld.volatile.global.u32 %r4, [%d1]; setp.eq.u32 %p1, %r4, 0; @%p1 bra L;\n";
    struct ptx_target t = target_with(64);
    char body[512], got[MAX_ORDER];

    (void)state;
    (void)snprintf(body, sizeof(body), "%s%s", loops, later);
    for (uint32_t cc = 61; cc <= 75; cc += 14) {
        t.cc = cc;
        order_for(later, &t, got);
        assert_true(strchr(got, '3') < strchr(got, '2'));
        order_for(body, &t, got); /* each a line further */
        assert_true((strchr(got, '4') < strchr(got, '3')) == (cc < 70));
    }
}

/* Two bodies that have become guarded are one block, and both loads go first; what they
 * load has no earlier value that would have to live. */
static void test_guarded_bodies(void **state)
{
    static const char body[] =
        "setp.ne.u32 %p1, %r9, 0;\n@%p1 bra L;\n"
        "ld.global.nc.u32 %r1, [%d1];\nst.shared.u32 [%r9], %r1;\n"
        "L:\nsetp.ne.u32 %p2, %r8, 0;\n@%p2 bra M;\n"
        "ld.global.nc.u32 %r2, [%d2];\nst.shared.u32 [%r8], %r2;\nM:\n";
    struct ptx_target target = target_with(64);
    char got[MAX_ORDER];

    (void)state;
    target.cc = 90;
    order_for(body, &target, got);
    same_order(body, got, "1 6 1 1 3 8 4 9 "); /* two that start a kernel among them */
}

static void test_offsets(void **state)
{
    (void)state;
    expect("ld.global.u32 %r1, [%d1];\nst.global.u32 [%d1], %r1;\n"
           "ld.global.u32 %r2, [%d1+4];\nst.global.u32 [%d1+4], %r2;\n",
           "1 3 2 4 ");
    expect("ld.global.u32 %r1, [%d1];\nst.global.u32 [%d1], %r1;\n"
           "ld.global.u32 %r2, [%d1+3];\nst.global.u32 [%d1+4], %r2;\n",
           "1 2 3 4 ");
    expect("ld.global.u32 %r1, [%d1];\nst.global.u32 [%d1], %r1;\n"
           "ld.global.u32 %r2, [%d1+-4];\nst.global.u32 [%d1+-4], %r2;\n",
           "1 3 2 4 ");
    expect("ld.global.u32 %r1, [%d1];\nst.global.u32 [%d1], %r1;\n"
           "ld.global.u64 %d2, [%d1+-4];\nst.global.u64 [%d1+-4], %d2;\n",
           "1 2 3 4 ");
    /* vectors are as wide as their elements together */
    expect("ld.global.u32 %r1, [%d1];\nst.global.v2.u32 [%d1], {%r1, %r1};\n"
           "ld.global.u32 %r2, [%d1+4];\nst.shared.u32 [%r9], %r2;\n",
           "1 2 3 4 ");
    /* a sum with a constant is known, a sum of two registers is not */
    expect("ld.global.u32 %r1, [%d1];\nadd.s64 %d2, %d1, 8;\n"
           "st.global.u32 [%d1], %r1;\nld.global.u32 %r2, [%d2];\n"
           "st.shared.u32 [%r9], %r2;\n",
           "2 1 4 3 5 ");
    expect("ld.global.u32 %r1, [%d1];\nadd.s64 %d2, %d1, %d3;\n"
           "st.global.u32 [%d1], %r1;\nld.global.u32 %r2, [%d2];\n"
           "st.shared.u32 [%r9], %r2;\n",
           "1 2 3 4 5 ");
    /* the same register after another value came into it */
    expect("ld.global.u32 %r1, [%d1];\nst.shared.u32 [%r9], %r1;\n"
           "mul.lo.u32 %r9, %r8, 12;\nld.shared.u32 %r2, [%r9+4];\n"
           "st.global.u32 [%d1], %r2;\n",
           "1 2 3 4 5 ");
}

static void test_variables(void **state)
{
    (void)state;
    expect("ld.shared.u32 %r1, [s];\nst.shared.u32 [t], %r1;\n"
           "ld.shared.u32 %r2, [s+4];\nst.shared.u32 [t+4], %r2;\n",
           "1 3 2 4 ");
    /* 64 words from t on is another variable's place */
    expect("ld.shared.u32 %r1, [s];\nst.shared.u32 [t+256], %r1;\n"
           "ld.shared.u32 %r2, [s+4];\nst.shared.u32 [t+4], %r2;\n",
           "1 2 3 4 ");
    /* all dynamic arrays begin at the same place */
    expect("ld.shared.u32 %r1, [x];\nst.shared.u32 [y], %r1;\n"
           "ld.shared.u32 %r2, [x];\nst.shared.u32 [y], %r2;\n",
           "1 2 3 4 ");
    /* a register may hold the address of any of them, if it is not known better */
    expect("ld.shared.u32 %r1, [s];\nst.shared.u32 [%r9], %r1;\n"
           "ld.shared.u32 %r2, [s+4];\nst.shared.u32 [%r9+4], %r2;\n",
           "1 2 3 4 ");
    expect("mov.u32 %r9, t;\nld.shared.u32 %r1, [s];\nst.shared.u32 [%r9], %r1;\n"
           "ld.shared.u32 %r2, [s+4];\nst.shared.u32 [%r9+4], %r2;\n",
           "2 4 1 3 5 ");
}

static void test_atomics(void **state)
{
    (void)state;
    /* another place of the same space waits, another space does not */
    expect("ld.global.u32 %r1, [%d1];\nred.global.add.u32 [%d1+64], %r1;\n"
           "ld.global.u32 %r2, [%d1+4];\nred.global.add.u32 [%d1+64], %r2;\n",
           "1 2 3 4 ");
    expect("ld.global.u32 %r1, [%d1];\nred.shared.add.u32 [%r9], %r1;\n"
           "ld.global.u32 %r2, [%d1+4];\nred.shared.add.u32 [%r9], %r2;\n",
           "1 3 2 4 ");
}

/* Which tell of others what they may see. */
static void test_memory_walls(void **state)
{
    static const char *const walls[] = {
        "bar.sync 0",
        "barrier.sync 0",
        "bar.warp.sync -1",
        "shfl.sync.bfly.b32 %r5, %r6, 1, 31, 15",
        "vote.sync.any.pred %p1, %p2, 15",
        "match.any.sync.b32 %r5, %r6, %r8",
        "membar.cta",
        "fence.acq_rel.gpu",
        "ld.volatile.global.u32 %r5, [%d9]",
        "ld.relaxed.gpu.global.u32 %r5, [%d9]",
        "st.volatile.shared.u32 [%r7], %r8",
        "st.release.gpu.global.u32 [%d9], %r8",
        "atom.acq_rel.gpu.global.exch.b32 %r5, [%d9], %r8",
        "red.release.gpu.global.add.u32 [%d9], %r8",
    };
    char body[512];

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(walls); i++) {
        (void)
            snprintf(body, sizeof(body),
                     "ld.global.u32 %%r1, [%%d1];\nst.shared.u32 [%%r9], %%r1;\n"
                     "%s;\nld.global.u32 %%r2, [%%d2];\nst.shared.u32 [%%r9], %%r2;\n",
                     walls[i]);
        expect(body, "1 2 3 4 5 ");
        /* but what reads only what nobody writes, and a thread's own memory */
        (void)snprintf(body, sizeof(body),
                       "ld.global.u32 %%r1, [%%d1];\nst.shared.u32 [%%r9], %%r1;\n"
                       "%s;\nld.global.nc.u32 %%r2, [%%d2];\n"
                       "st.shared.u32 [%%r9], %%r2;\n",
                       walls[i]);
        expect(body, "1 4 2 3 5 ");
        (void)snprintf(body, sizeof(body),
                       "ld.global.u32 %%r1, [%%d1];\nst.shared.u32 [%%r9], %%r1;\n"
                       "%s;\nld.local.u32 %%r2, [own];\n"
                       "st.shared.u32 [%%r9], %%r2;\n",
                       walls[i]);
        expect(body, "1 4 2 3 5 ");
    }
    /* a volatile access of local memory is one of local memory */
    expect("ld.global.u32 %r1, [%d1];\nst.volatile.local.u32 [own], %r1;\n"
           "ld.local.u32 %r2, [own+4];\nst.shared.u32 [%r9], %r2;\n",
           "1 2 3 4 ");
}

/* ---- registers ---- */

static void test_registers(void **state)
{
    (void)state;
    /* read after write, write after read, write after write */
    expect("ld.global.u32 %r1, [%d1];\nadd.u32 %r2, %r1, 1;\n"
           "st.shared.u32 [%r9], %r2;\nld.global.u32 %r1, [%d2];\n"
           "st.shared.u32 [%r8], %r1;\n",
           "1 2 4 3 5 ");
    expect("ld.global.u32 %r1, [%d1];\nld.global.u32 %r1, [%d2];\n"
           "st.shared.u32 [%r8], %r1;\nmov.u32 %r3, 1;\n",
           "1 4 2 3 ");
    /* the guard is read */
    expect("ld.global.u32 %r1, [%d1];\nsetp.ne.u32 %p1, %r1, 0;\n"
           "@%p1 mov.u32 %r2, 1;\nsetp.eq.u32 %p1, %r3, 0;\n",
           "1 2 3 4 ");
    /* a guarded write keeps what was there for other lanes */
    expect("ld.global.u32 %r1, [%d1];\n@%p1 ld.global.u32 %r1, [%d2];\n"
           "mov.u32 %r3, 5;\nst.shared.u32 [%r8], %r1;\n",
           "1 3 2 4 ");
    /* the carry flag */
    expect("ld.global.u32 %r1, [%d1];\nadd.cc.u32 %r2, %r1, %r3;\n"
           "addc.u32 %r4, %r5, 0;\nadd.cc.u32 %r6, %r7, %r8;\n"
           "addc.u32 %r9, %r10, 0;\n",
           "1 2 3 4 5 ");
    /* vectors and pairs */
    expect("ld.global.v2.u32 {%r1, %r2}, [%d1];\nmov.b64 %d3, {%r2, %r3};\n"
           "mov.b64 {%r3, %r4}, %d4;\n",
           "1 2 3 ");
}

/* The longest way to the end goes first; equals stay in order. */
static void test_ways(void **state)
{
    (void)state;
    expect("mov.u32 %r1, 1;\nmov.u32 %r2, 2;\nmov.u32 %r3, 3;\n", "1 2 3 ");
    expect("mov.u32 %r1, 1;\nadd.u32 %r2, %r9, 2;\nadd.u32 %r3, %r2, 3;\n", "2 1 3 ");
    expect("add.u32 %r2, %r9, 2;\nadd.u32 %r3, %r2, 3;\nld.global.u32 %r4, [%d1];\n",
           "3 1 2 ");
}

/* ---- what nothing passes ---- */

static void test_walls(void **state)
{
    static const char *const walls[] = {
        "mov.u32 %r5, %clock",
        "mov.u64 %d5, %globaltimer",
        "add.u32 %r5, %clock, 1",
        "@%p1 ret",
        "@%p1 exit",
        "@%p1 trap",
        "nanosleep.u32 20",
        "pmevent 1",
    };
    char body[512];

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(walls); i++) {
        (void)snprintf(body, sizeof(body),
                       "ld.global.u32 %%r1, [%%d1];\nadd.u32 %%r2, %%r1, 1;\n%s;\n"
                       "ld.param.u32 %%r3, [a];\nadd.u32 %%r4, %%r8, 1;\n"
                       "ld.global.nc.u32 %%r7, [%%d1];\n",
                       walls[i]);
        expect(body, "1 2 3 6 4 5 ");
    }
    expect("ld.global.u32 %r1, [%d1];\nadd.u32 %r2, %r1, 1;\n@%p1 bra L;\n"
           "add.u32 %r4, %r8, 1;\nL:\nld.global.nc.u32 %r7, [%d1];\n",
           "1 2 3 4 6 ");
    /* nothing falls behind the branch, its predicate is early */
    expect(
        "mov.u32 %r1, 1;\nmov.u32 %r2, 1;\nsetp.eq.u32 %p1, %r7, 0;\n@%p1 bra L;\nL:\n",
        "3 1 2 4 ");
}

/* Machine code has a branch in the middle of a rounded division or root, to what is
 * done for numbers that are not ordinary. It has none where the PTX instruction is a
 * single one, or a list without a branch, nor before 7.0, where no lists are known. */
static void test_branches_inside(void **state)
{
    static const struct {
        const char *insn, *result;
        uint32_t cc;
        bool wall;
    } cases[] = {
        {"div.rn.f32 %f2, %f1, %f3", "f32 [%r9], %f2", 90, true},
        {"div.rn.f32 %f2, %f1, %f3", "f32 [%r9], %f2", 70, true},
        {"div.rn.f32 %f2, %f1, %f3", "f32 [%r9], %f2", 62, false},
        {"sqrt.rn.f32 %f2, %f1", "f32 [%r9], %f2", 90, true},
        {"rcp.rn.f32 %f2, %f1", "f32 [%r9], %f2", 90, true},
        {"div.approx.f32 %f2, %f1, %f3", "f32 [%r9], %f2", 90, false},
        {"sqrt.approx.f32 %f2, %f1", "f32 [%r9], %f2", 90, false},
        {"div.u32 %r5, %r6, %r7", "b32 [%r9], %r5", 90, false},
        {"div.u64 %d5, %d6, %d7", "b64 [%r9], %d5", 90, true},
    };
    struct ptx_target target = target_with(64);
    char body[256], got[MAX_ORDER];

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(cases); i++) {
        target.cc = cases[i].cc;
        (void)snprintf(body, sizeof(body),
                       "%s;\nld.global.nc.u32 %%r1, [%%d1];\n"
                       "st.shared.u32 [%%r8], %%r1;\nst.shared.%s;\n",
                       cases[i].insn, cases[i].result);
        order_for(body, &target, got);
        if ((strstr(got, "2 1 ") == NULL) != cases[i].wall) {
            same_order(body, got, cases[i].wall ? "1 2 3 4 " : "2 1 3 4 ");
        }
    }
}

/* Exchanges between lanes pass what computes, and the old ones accesses too. */
static void test_exchanges(void **state)
{
    expect("ld.global.u32 %r1, [%d1];\nst.shared.u32 [%r9], %r1;\n"
           "shfl.bfly.b32 %r2, %r8, 1, 31;\nvote.any.pred %p1, %p2;\n"
           "activemask.b32 %r5;\n",
           "1 3 4 5 2 ");
    expect("ld.global.u32 %r1, [%d1];\nadd.u32 %r2, %r1, 1;\n"
           "shfl.sync.bfly.b32 %r3, %r8, 1, 31, -1;\n",
           "1 3 2 ");
    /* those of all lanes pass accesses, but not what orders memory */
    expect(
        "ld.global.u32 %r1, [%d1];\nst.shared.u32 [%r9], %r1;\n"
        "shfl.sync.bfly.b32 %r2, %r8, 1, 31, -1;\nvote.sync.any.pred %p1, %p2, -1;\n",
        "1 3 4 2 ");
    expect("ld.global.u32 %r1, [%d1];\nst.shared.u32 [%r9], %r1;\nbar.sync 0;\n"
           "shfl.sync.bfly.b32 %r2, %r8, 1, 31, -1;\n",
           "1 2 3 4 ");
    /* two of all lanes have no order */
    expect("shfl.sync.bfly.b32 %r1, %r8, 1, 31, -1;\nadd.u32 %r2, %r1, 1;\n"
           "shfl.sync.bfly.b32 %r3, %r2, 1, 31, -1;\n"
           "shfl.sync.bfly.b32 %r4, %r9, 1, 31, -1;\n",
           "1 4 2 3 ");
    expect("shfl.sync.bfly.b32 %r1, %r8, 1, 31, 15;\nadd.u32 %r2, %r1, 1;\n"
           "shfl.sync.bfly.b32 %r3, %r2, 1, 31, 15;\n"
           "shfl.sync.bfly.b32 %r4, %r9, 1, 31, 15;\n",
           "1 2 3 4 ");
    (void)state;
}

/* ---- calls ---- */

/* Arguments stay with their call, and in the order of the area that they lie in. */
static void test_calls(void **state)
{
    static const char text[] =
        HEAD ".func (.param .u32 r) f (.param .u32 x)\n{\n.reg .u32 %r<4>;\n"
             "ld.param.u32 %r1, [x];\nst.param.u32 [r], %r1;\nret;\n}\n"
             ".visible .entry k (.param .u64 a) {\n.reg .u32 %r<9>;\n.reg .u64 %d<9>;\n"
             "ld.param.u64 %d1, [a];\n{\n.param .u32 in;\n.param .u32 out;\n"
             "st.param.u32 [in], 1;\ncall (out), f, (in);\n"
             "ld.param.u32 %r1, [out];\n}\n{\n.param .u32 in;\n.param .u32 out;\n"
             "st.param.u32 [in], 2;\ncall (out), f, (in);\n"
             "ld.param.u32 %r2, [out];\n}\nst.global.u32 [%d1], %r1;\n"
             "st.global.u32 [%d1+4], %r2;\nret;\n}\n";
    static const uint8_t kinds[] = {ISA_OP_LD, ISA_OP_ST,   ISA_OP_CALL, ISA_OP_LD,
                                    ISA_OP_ST, ISA_OP_CALL, ISA_OP_LD};
    const struct ptx_target target = target_with(64);
    struct ptx_module *m;
    const struct ptx_ir *f;
    struct smw_err e;

    (void)state;
    err_clear(&e);
    m = ptx_parse(text, strlen(text), "test.ptx", &e);
    assert_non_null(m);
    assert_true(ptx_lower(m, &target, &e));
    assert_int_equal(ptx_refusals(m), 0);
    f = m->priv->run[m->priv->kernel_fn[0]];
    for (uint32_t i = 0; i < ARRAY_LEN(kinds); i++) {
        assert_int_equal(f->insn[i].form.op, kinds[i]);
    }
    ptx_free(m);
}

/* ---- the limit ---- */

enum { PAIRS = 20 };

static void pairs(char *body, size_t size)
{
    size_t n = 0;

    for (uint32_t i = 1; i <= PAIRS; i++) {
        n += (size_t)snprintf(body + n, size - n,
                              "ld.global.u32 %%r%u, [%%d1+%u];\n"
                              "st.shared.u32 [s+%u], %%r%u;\n",
                              i, 4 * i, 4 * i, i);
    }
}

static uint32_t most_words(const struct ptx_module *m)
{
    const struct ptx_ir *const f = m->priv->run[m->priv->kernel_fn[0]];
    struct ptx_flow flow;
    struct ptx_live live;

    ptx_flow_build(&m->priv->arena, f, &flow);
    ptx_live_build(&m->priv->arena, f, &flow, &live);
    return live.max_words;
}

/* The address takes two words, each load under way one. */
static void test_limit(void **state)
{
    char body[4096];

    (void)state;
    pairs(body, sizeof(body));
    for (uint32_t regs = 1; regs < 40; regs++) {
        const struct ptx_target target = target_with(regs);
        struct ptx_module *const m = module_of(body, &target);
        const uint32_t limit = regs - PTX_REGS_EXTRA;
        uint32_t expected = regs < 3 + PTX_REGS_EXTRA ? 3 : limit;

        expected = expected > PAIRS + 1 ? PAIRS + 1 : expected; /* the last frees %d1 */
        assert_int_equal(most_words(m), expected);
        /* the estimate is that of the text */
        assert_int_equal(m->kernels[0].regs, 3 + PTX_REGS_EXTRA);
        ptx_free(m);
    }
}

/* Longer blocks than a piece, pieces of one instruction. */
static void test_pieces(void **state)
{
    const struct ptx_target target = target_with(32);
    static char body[400 * 80];
    size_t n = 0;
    struct ptx_module *m;
    const struct ptx_ir *f;
    uint32_t loads = 0;

    (void)state;
    for (uint32_t i = 0; i < 400; i++) {
        n += (size_t)snprintf(body + n, sizeof(body) - n,
                              "ld.global.u32 %%r%u, [%%d1+%u];\n"
                              "st.shared.u32 [%%r900+%u], %%r%u;\n",
                              i, 4 * i, 4 * i, i);
    }
    m = module_of(body, &target);
    f = m->priv->run[m->priv->kernel_fn[0]];
    assert_int_equal(f->n_insn, 801);
    assert_int_equal(most_words(m), 28);
    for (uint32_t i = 0; i < 800; i++) {
        loads += f->insn[i].form.op == ISA_OP_LD;
    }
    assert_int_equal(loads, 400);
    ptx_free(m);
}

/* NULL: as it is written. */
static void test_as_written(void **state)
{
    char body[4096];
    struct ptx_module *m;
    const struct ptx_ir *f;

    (void)state;
    pairs(body, sizeof(body));
    m = module_of(body, NULL);
    f = m->priv->run[m->priv->kernel_fn[0]];
    assert_ptr_equal(f, m->priv->fn[m->priv->kernel_fn[0]]);
    for (uint32_t i = 1; i < f->n_insn; i++) {
        assert_true(f->insn[i - 1].line <= f->insn[i].line);
    }
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spaces),         cmocka_unit_test(test_sums),
        cmocka_unit_test(test_guarded_bodies), cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_variables),      cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_turns),          cmocka_unit_test(test_memory_walls),
        cmocka_unit_test(test_registers),      cmocka_unit_test(test_ways),
        cmocka_unit_test(test_walls),          cmocka_unit_test(test_branches_inside),
        cmocka_unit_test(test_exchanges),      cmocka_unit_test(test_calls),
        cmocka_unit_test(test_limit),          cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_as_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
