/*
 * Random control flow, goto by goto, read by the front end and run on the SIMT stack:
 * every lane goes, instruction by instruction, the way that a thread of its own would
 * go, and the warp issues no more than it did when lanes met at post-dominators only.
 */
#include "sm/simt.h"

#include "ptx/front_test.h"
#include <stdlib.h>

enum {
    MAX_BLOCKS = 14,
    MAX_UOPS = 4 * MAX_BLOCKS,
    MAX_TRACE = 20000,
    PATIENCE = 5, /* visits of one branch after which a lane takes the way to the end */
    PROGRAMS = 3000
};

struct lane {
    uint16_t visits[MAX_UOPS];
    uint16_t trace[MAX_TRACE];
    uint32_t n;
};

struct program {
    struct ptx_module *m;
    uint32_t seed;
    uint32_t far[MAX_UOPS]; /* instructions to the end, at least */
};

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* How a block ends: most fall through or branch forward; some back, some leave. */
static int write_block(char *to, size_t size, uint32_t *seed, uint32_t b, uint32_t n)
{
    const uint32_t ahead = b + 1 + next(seed) % (n - b), any = next(seed) % (n + 1);
    int at = snprintf(to, size, "L%u: add.s32 %%r1, %%r1, 1;\n", b);

    to += at;
    size -= (size_t)at;
    switch (next(seed) % 12) {
    case 0:
    case 1: return at;
    case 2: return at + snprintf(to, size, "bra L%u;\n", ahead);
    case 3: return at + snprintf(to, size, "@%%p1 exit;\n");
    case 4: return at + snprintf(to, size, "exit;\n");
    case 5:
    case 6: return at + snprintf(to, size, "@%%p1 bra L%u;\n", any);
    case 7: return at + snprintf(to, size, "@%%p1 bra L%u;\n", n);
    default: return at + snprintf(to, size, "@%%p1 bra L%u;\n", ahead);
    }
}

/* Bellman and Ford's way: how far the end is from each instruction. */
static void find_distances(struct program *p)
{
    bool changed = true;

    for (uint32_t i = 0; i < p->m->n_uops; i++) {
        p->far[i] = p->m->uops[i].kind == ISA_K_EXIT ? 0 : UINT32_MAX / 2;
    }
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < p->m->n_uops; i++) {
            const struct isa_uop *const u = &p->m->uops[i];
            uint32_t best = p->far[i];

            if (u->kind == ISA_K_BRANCH && p->far[u->target] + 1 < best) {
                best = p->far[u->target] + 1;
            }
            if (u->guard != ISA_P_TRUE || u->kind == ISA_K_ALU) {
                best = p->far[i + 1] + 1 < best ? p->far[i + 1] + 1 : best;
            }
            changed |= best != p->far[i];
            p->far[i] = best;
        }
    }
}

static void make_program(struct program *p, uint32_t seed)
{
    char text[4096];
    uint32_t r = seed * 7919u;
    const uint32_t n = 2 + next(&r) % (MAX_BLOCKS - 2);
    int at = snprintf(text, sizeof(text),
                      HEAD ".entry k () {\n.reg .pred %%p<9>;\n.reg .b32 %%r<9>;\n");

    for (uint32_t b = 0; b < n; b++) {
        at += write_block(text + at, sizeof(text) - (size_t)at, &r, b, n);
    }
    snprintf(text + at, sizeof(text) - (size_t)at, "L%u: exit;\n}\n", n);
    p->seed = seed;
    p->m = load_text(text);
    assert_true(p->m->n_uops <= MAX_UOPS);
    find_distances(p);
}

/* Whether the lane takes the guard of pc this time. */
static bool choose(const struct program *p, struct lane *l, uint32_t lane, uint32_t pc)
{
    const struct isa_uop *const u = &p->m->uops[pc];
    const uint32_t n = l->visits[pc]++;
    uint32_t z = p->seed * 2654435761u ^ pc * 40503u ^ n * 69069u;

    if (u->guard == ISA_P_TRUE) {
        return true;
    }
    if (n >= PATIENCE) {
        return u->kind == ISA_K_EXIT || p->far[u->target] < p->far[pc + 1];
    }
    z ^= z % 4 == 0 ? 0 : lane * 2246822519u; /* some decisions are uniform */
    z = (z ^ z >> 15) * 2654435761u;
    return (z >> 20) % (u->kind == ISA_K_EXIT ? 6 : 2) == 0;
}

static void run_thread(const struct program *p, struct lane *l, uint32_t lane)
{
    uint32_t pc = 0;

    for (;;) {
        const struct isa_uop *const u = &p->m->uops[pc];
        const bool taken = choose(p, l, lane, pc);

        assert_true(l->n < MAX_TRACE);
        l->trace[l->n++] = (uint16_t)pc;
        if (u->kind == ISA_K_EXIT && taken) {
            return;
        }
        pc = u->kind == ISA_K_BRANCH && taken ? u->target : pc + 1;
    }
}

/* The warp's instruction at the top; early: as the front end says, else lanes meet at
 * the post-dominator. */
static void step(const struct program *p, struct simt *s, struct lane *lanes,
                 const struct lane *alone, bool early)
{
    const uint32_t pc = simt_top(s)->pc, mask = simt_top(s)->mask;
    struct isa_uop u = p->m->uops[pc];
    uint32_t taken = 0;

    for (uint32_t m = mask; m != 0; m &= m - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(m);

        assert_true(lanes[i].n < alone[i].n);
        assert_int_equal(alone[i].trace[lanes[i].n++], pc);
        taken |= (uint32_t)choose(p, &lanes[i], i, pc) << i;
    }
    if (!early) {
        u.reconv = u.last;
        u.leaves = 0;
    }
    switch (u.kind) {
    case ISA_K_BRANCH:
        assert_int_equal(simt_branch(s, &u, pc, taken), taken != 0 && taken != mask);
        break;
    case ISA_K_EXIT: simt_exit(s, pc, taken); break;
    default: simt_next(s, pc + 1); break;
    }
}

/* How many instructions the warp issues. */
static uint32_t run_warp(const struct program *p, const struct lane *alone, bool early)
{
    struct lane *const lanes = calloc(ISA_LANES, sizeof(lanes[0]));
    struct simt s = {0};
    uint32_t issued = 0;

    assert_non_null(lanes);
    simt_start(&s, 0, UINT32_MAX);
    for (; s.n != 0; issued++) {
        assert_true(simt_top(&s)->mask != 0);
        assert_true(simt_top(&s)->pc != simt_top(&s)->reconv);
        assert_true(s.n <= 4 * MAX_BLOCKS);
        step(p, &s, lanes, alone, early);
    }
    for (uint32_t i = 0; i < ISA_LANES; i++) {
        assert_int_equal(lanes[i].n, alone[i].n);
    }
    simt_free(&s);
    free(lanes);
    return issued;
}

static void test_random_flow(void **state)
{
    uint64_t early = 0, late = 0;
    uint32_t fewer = 0, more = 0;

    (void)state;
    for (uint32_t seed = 1; seed <= PROGRAMS; seed++) {
        struct lane *const alone = calloc(ISA_LANES, sizeof(alone[0]));
        struct program p;
        uint32_t a, b;

        assert_non_null(alone);
        make_program(&p, seed);
        for (uint32_t i = 0; i < ISA_LANES; i++) {
            run_thread(&p, &alone[i], i);
        }
        a = run_warp(&p, alone, true);
        b = run_warp(&p, alone, false);
        early += a;
        late += b;
        fewer += a < b;
        more += a > b;
        ptx_free(p.m);
        free(alone);
    }
    print_message("%u programs, %llu instructions for %llu; %u fewer, %u more\n",
                  (uint32_t)PROGRAMS, (unsigned long long)early,
                  (unsigned long long)late, fewer, more);
    assert_true(early < late);
    assert_true(fewer > 10 * more);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_flow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
