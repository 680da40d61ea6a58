/*
 * Litmus tests: which small programs have a data race by the axioms of the PTX ISA's
 * memory consistency model (moral strength, release and acquire patterns, causality
 * order), whatever the order in which they happen to run. The verdicts were derived by
 * hand from those axioms.
 *
 * A program is a list of steps in the order in which they run, each "THREAD OP", with
 * the thread as block.warp:
 *
 *   Wx Rx         a weak write or read of x
 *   Sxg Lxg       a relaxed store or load, of scope .gpu (g) or .cta (c)
 *   Pxg Qxg       st.release, ld.acquire: with a fence before, behind
 *   Axg           a relaxed atomic
 *   Fg            fence.acq_rel
 *   B             a barrier of the block, of all its warps at once
 */
#include "check/bed_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { BLOCKS = 4, WARPS = 2, BASE = 1 << 20 };

struct litmus {
    const char *name;
    bool race;
    const char *steps;
};

static const struct litmus table[] = {
    /* message passing between blocks */
    {"MP", false, "0.0 Wx 0.0 Fg 0.0 Sfg 1.0 Lfg 1.0 Fg 1.0 Rx"},
    {"MP, no fence at the writer", true, "0.0 Wx 0.0 Sfg 1.0 Lfg 1.0 Fg 1.0 Rx"},
    {"MP, no fence at the reader", true, "0.0 Wx 0.0 Fg 0.0 Sfg 1.0 Lfg 1.0 Rx"},
    {"MP, the writer's fence .cta", true,
     "0.0 Wx 0.0 Fc 0.0 Sfg 1.0 Lfg 1.0 Fg 1.0 Rx"},
    {"MP, the reader's fence .cta", true,
     "0.0 Wx 0.0 Fg 0.0 Sfg 1.0 Lfg 1.0 Fc 1.0 Rx"},
    {"MP, the flag's store .cta", true, "0.0 Wx 0.0 Fg 0.0 Sfc 1.0 Lfg 1.0 Fg 1.0 Rx"},
    {"MP, the flag's load .cta", true, "0.0 Wx 0.0 Fg 0.0 Sfg 1.0 Lfc 1.0 Fg 1.0 Rx"},
    {"MP, a weak flag", true, "0.0 Wx 0.0 Fg 0.0 Wf 1.0 Rf 1.0 Fg 1.0 Rx"},
    {"MP, the flag read too early", true,
     "0.0 Wx 0.0 Fg 1.0 Lfg 0.0 Sfg 1.0 Fg 1.0 Rx"},
    {"MP, release and acquire", false, "0.0 Wx 0.0 Pfg 1.0 Qfg 1.0 Rx"},
    {"MP, release .cta", true, "0.0 Wx 0.0 Pfc 1.0 Qfg 1.0 Rx"},
    {"MP, acquire .cta", true, "0.0 Wx 0.0 Pfg 1.0 Qfc 1.0 Rx"},
    {"MP, relaxed for acquire", true, "0.0 Wx 0.0 Pfg 1.0 Lfg 1.0 Rx"},
    {"MP, relaxed for release", true, "0.0 Wx 0.0 Sfg 1.0 Qfg 1.0 Rx"},
    {"MP, atomics", false, "0.0 Wx 0.0 Fg 0.0 Afg 1.0 Afg 1.0 Fg 1.0 Rx"},
    {"MP, a weak write after", false, "0.0 Rx 0.0 Fg 0.0 Sfg 1.0 Lfg 1.0 Fg 1.0 Wx"},
    {"MP, barriers are of a block", true, "0.0 Wx 0.0 B 1.0 B 1.0 Rx"},
    /* between warps of a block */
    {"MP inside, .cta", false, "0.0 Wx 0.0 Fc 0.0 Sfc 0.1 Lfc 0.1 Fc 0.1 Rx"},
    {"MP inside, release and acquire", false, "0.0 Wx 0.0 Pfc 0.1 Qfc 0.1 Rx"},
    {"MP inside, no fence", true, "0.0 Wx 0.0 Sfc 0.1 Lfc 0.1 Rx"},
    {"MP inside, a barrier", false, "0.0 Wx 0.0 B 0.1 Rx"},
    {"MP inside, nothing", true, "0.0 Wx 0.1 Rx"},
    /* store buffering, load buffering: any outcome, but no race if they are strong */
    {"SB", false, "0.0 Sxg 1.0 Syg 0.0 Lyg 1.0 Lxg"},
    {"SB, weak loads", true, "0.0 Sxg 1.0 Syg 0.0 Ry 1.0 Rx"},
    {"SB, .cta between blocks", true, "0.0 Sxc 1.0 Syc 0.0 Lyc 1.0 Lxc"},
    {"SB, .cta inside", false, "0.0 Sxc 0.1 Syc 0.0 Lyc 0.1 Lxc"},
    {"LB", false, "0.0 Lxg 1.0 Lyg 0.0 Syg 1.0 Sxg"},
    {"LB, weak stores", true, "0.0 Lxg 1.0 Lyg 0.0 Wy 1.0 Wx"},
    /* coherence */
    {"CoRR", false, "0.0 Sxg 1.0 Lxg 1.0 Lxg"},
    {"CoRR, a weak read", true, "0.0 Sxg 1.0 Lxg 1.0 Rx"},
    {"CoWW", false, "0.0 Sxg 1.0 Sxg"},
    {"CoWW, weak", true, "0.0 Wx 1.0 Wx"},
    {"CoRW, weak", true, "0.0 Rx 1.0 Wx"},
    {"CoRR, reads alone", false, "0.0 Rx 1.0 Rx 2.0 Rx 0.1 Rx"},
    {"atomics, one .cta", true, "0.0 Axc 1.0 Axg"},
    {"atomics, both .cta inside", false, "0.0 Axc 0.1 Axc"},
    /* three threads: causality is handed on */
    {"ISA2", false,
     "0.0 Wx 0.0 Fg 0.0 Sfg 1.0 Lfg 1.0 Fg 1.0 Sgg 2.0 Lgg 2.0 Fg 2.0 Rx"},
    {"ISA2, no fence in the middle", true,
     "0.0 Wx 0.0 Fg 0.0 Sfg 1.0 Lfg 1.0 Sgg 2.0 Lgg 2.0 Fg 2.0 Rx"},
    {"ISA2, the last from the first flag", true,
     "0.0 Wx 0.0 Fg 0.0 Sfg 1.0 Lfg 1.0 Fg 1.0 Sgg 2.0 Lgg 2.0 Ry 2.0 Rx"},
    {"WRC", false, "0.0 Sxg 1.0 Lxg 1.0 Fg 1.0 Sfg 2.0 Lfg 2.0 Fg 2.0 Lxg"},
    {"WRC, weak", true, "0.0 Wx 1.0 Rx 1.0 Fg 1.0 Sfg 2.0 Lfg 2.0 Fg 2.0 Rx"},
    {"an atomic hands a release on", false,
     "0.0 Wx 0.0 Fg 0.0 Afg 1.0 Afg 2.0 Lfg 2.0 Fg 2.0 Rx"},
    {"a store does not", true, "0.0 Wx 0.0 Fg 0.0 Afg 1.0 Sfg 2.0 Lfg 2.0 Fg 2.0 Rx"},
    {"unless it knows", false,
     "0.0 Wx 0.0 Fg 0.0 Afg 1.0 Lfg 1.0 Fg 1.0 Sfg 2.0 Lfg 2.0 Fg 2.0 Rx"},
    /* a lock, taken three times */
    {"lock", false,
     "0.0 Alg 0.0 Fg 0.0 Wx 0.0 Fg 0.0 Slg 1.0 Alg 1.0 Fg 1.0 Wx 1.0 Fg 1.0 Slg "
     "2.0 Alg 2.0 Fg 2.0 Rx"},
    {"lock, no fence before it is given back", true,
     "0.0 Alg 0.0 Fg 0.0 Wx 0.0 Slg 1.0 Alg 1.0 Fg 1.0 Wx"},
    {"lock, no fence behind taking it", true,
     "0.0 Alg 0.0 Fg 0.0 Wx 0.0 Fg 0.0 Slg 1.0 Alg 1.0 Wx"},
};

struct bed {
    struct checkers of;
    sim_cycle_t now;
    uint32_t value;
};

static uint8_t flags_of(char op)
{
    switch (op) {
    case 'W': return CHECK_WRITE;
    case 'S':
    case 'P': return CHECK_WRITE | CHECK_VOLATILE;
    case 'L': return CHECK_VOLATILE;
    case 'Q': return CHECK_VOLATILE;
    case 'A': return CHECK_WRITE | CHECK_ATOMIC;
    default: return 0;
    }
}

static void step(struct bed *b, uint32_t block, uint32_t warp, const char *op)
{
    const bool cta = op[1] != '\0' && op[2] == 'c';
    uint32_t data[1][CHECK_LANES];
    uint64_t addr[CHECK_LANES] = {BASE + 4ull * (uint8_t)op[1]};
    const struct check_access a = {.mask = 1,
                                   .pc = (uint32_t)++b->now,
                                   .warp = (uint8_t)warp,
                                   .flags = (uint8_t)(flags_of(op[0]) |
                                                      (cta ? CHECK_CTA : 0)),
                                   .size = 4,
                                   .vec = 1,
                                   .cycle = b->now,
                                   .addr = addr,
                                   .data = (const uint32_t(*)[CHECK_LANES])data};

    data[0][0] = ++b->value; /* no two writes are of one value */
    if (op[0] == 'F') {
        check_both_fence(&b->of, block, warp, op[1] == 'g');
    } else if (op[0] == 'B') {
        check_both_barrier(&b->of, block, WARPS);
    } else {
        if (op[0] == 'P') {
            check_both_fence(&b->of, block, warp, !cta);
        }
        (void)check_global_access(b->of.g, b->of.c, block, &a);
        if (op[0] == 'Q') {
            check_both_fence(&b->of, block, warp, !cta);
        }
    }
}

static bool has_race(const struct litmus *l)
{
    struct bed b = {.of = {.c = check_new(BLOCKS, false), .g = check_global_new(true)}};
    uint32_t block, warp, n;
    char op[4];
    int used;

    for (uint32_t i = 0; i < BLOCKS; i++) {
        const struct check_block k = {.kernel = l,
                                      .block = i,
                                      .warps = WARPS,
                                      .blocks = BLOCKS};

        check_begin(b.of.c, i, &k);
    }
    check_global_host(b.of.g, BASE, 1024);
    for (const char *at = l->steps; *at != '\0'; at += used) {
        assert_int_equal(sscanf(at, "%u.%u %3s %n", &block, &warp, op, &used), 3);
        step(&b, block, warp, op);
    }
    n = check_n_findings(check_global_findings(b.of.g));
    check_global_free(b.of.g);
    check_free(b.of.c);
    return n != 0;
}

static void test_litmus(void **state)
{
    uint32_t wrong = 0;

    (void)state;
    for (uint32_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (has_race(&table[i]) != table[i].race) {
            print_message("%s: %s\n  %s\n", table[i].name,
                          table[i].race ? "its race is missed" : "there is no race",
                          table[i].steps);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_litmus)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
