/* Post-dominators against their definition, on drawn and on random graphs. */
#include "ptx/flow_priv.h"

#include "ptx/front_test.h"

enum { MAX_NODES = 24 };

struct graph {
    uint32_t n;
    uint32_t off[MAX_NODES + 1];
    uint32_t succ[MAX_NODES * 4];
    bool to_exit[MAX_NODES]; /* edges made for endless loops */
};

/* Nodes that reach the exit without passing through avoid. */
static void reach_exit(const struct graph *g, uint32_t avoid, bool *reaches)
{
    bool changed = true;

    memset(reaches, 0, MAX_NODES * sizeof(reaches[0]));
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < g->n; i++) {
            bool r = g->to_exit[i];

            for (uint32_t k = g->off[i]; k < g->off[i + 1]; k++) {
                r |= g->succ[k] == g->n || reaches[g->succ[k]];
            }
            if (r && i != avoid && !reaches[i]) {
                reaches[i] = true;
                changed = true;
            }
        }
    }
}

/* The rule of flow_priv.h: the last node that cannot reach the exit gets an edge to it.
 */
static void complete(struct graph *g)
{
    bool reaches[MAX_NODES];

    for (;;) {
        uint32_t last = g->n;

        reach_exit(g, g->n, reaches);
        for (uint32_t i = 0; i < g->n; i++) {
            last = reaches[i] ? last : i;
        }
        if (last == g->n) {
            return;
        }
        g->to_exit[last] = true;
    }
}

/* p post-dominates i if i cannot reach the exit without it. The immediate one is the
 * one that all other strict post-dominators post-dominate. */
static uint32_t naive(const struct graph *g, uint32_t i)
{
    bool dom[MAX_NODES] = {false};
    bool reaches[MAX_NODES];
    uint32_t n = 0;

    for (uint32_t p = 0; p < g->n; p++) {
        reach_exit(g, p, reaches);
        dom[p] = p != i && !reaches[i];
        n += dom[p];
    }
    for (uint32_t p = 0; p < g->n; p++) {
        uint32_t above = 0;

        if (!dom[p]) {
            continue;
        }
        for (uint32_t q = 0; q < g->n; q++) {
            reach_exit(g, q, reaches);
            above += dom[q] && q != p && !reaches[p];
        }
        if (above == n - 1) {
            return p;
        }
    }
    assert_int_equal(n, 0);
    return g->n;
}

static void compare(struct graph *g)
{
    struct arena a;
    uint32_t ipdom[MAX_NODES];

    arena_init(&a);
    ptx_post_dominators(&a, g->n, g->off, g->succ, ipdom);
    arena_free(&a);
    complete(g);
    for (uint32_t i = 0; i < g->n; i++) {
        assert_int_equal(ipdom[i], naive(g, i));
    }
}

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void test_random_graphs(void **state)
{
    uint32_t seed = 1;

    (void)state;
    for (uint32_t round = 0; round < 600; round++) {
        struct graph g = {.n = 1 + next(&seed) % (round < 300 ? 7 : MAX_NODES)};
        uint32_t n = 0;

        for (uint32_t i = 0; i < g.n; i++) {
            const uint32_t degree = next(&seed) % 10;
            const uint32_t edges = degree < 1 ? 0 : degree < 5 ? 1 : degree < 9 ? 2 : 4;

            g.off[i] = n;
            for (uint32_t k = 0; k < edges; k++) {
                g.succ[n++] = next(&seed) % (g.n + 1);
            }
        }
        g.off[g.n] = n;
        compare(&g);
    }
}

static void expect(const char *body, const uint32_t *want, uint32_t n)
{
    char text[2048];
    struct ptx_module *m;
    struct ptx_flow flow;
    struct arena a;

    snprintf(text, sizeof(text),
             HEAD ".entry k () {\n.reg .pred %%p<9>;\n.reg .b32 %%r<9>;\n%s}\n", body);
    m = load_text(text);
    arena_init(&a);
    ptx_flow_build(&a, m->priv->fn[0], &flow);
    assert_int_equal(flow.n_blocks, n);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(flow.block[i].ipdom, want[i]);
    }
    arena_free(&a);
    ptx_free(m);
}
#define EXPECT(body, ...)                                                              \
    expect(body, (const uint32_t[]){__VA_ARGS__},                                      \
           sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void test_drawn_graphs(void **state)
{
    (void)state;
    EXPECT("ret;\n", 1);
    /* if, if-else, loop, loop with break */
    EXPECT("@%p1 bra A;\nadd.s32 %r1,%r1,1;\nA: ret;\n", 2, 2, 3);
    EXPECT("@%p1 bra A;\nbra B;\nA: add.s32 %r1,%r1,1;\nB: ret;\n", 3, 3, 3, 4);
    EXPECT("A: add.s32 %r1,%r1,1;\n@%p1 bra A;\nret;\n", 1, 2);
    EXPECT("A: @%p1 bra B;\n@%p2 bra B;\nbra A;\nB: ret;\n", 3, 3, 0, 4);
    /* exits leave no trace where there is another way out, guarded or not */
    EXPECT("@%p1 bra A;\n@%p2 exit;\nA: ret;\n", 2, 2, 3);
    EXPECT("@%p1 bra A;\nexit;\nA: ret;\n", 2, 3, 3);
    EXPECT("@%p1 bra A;\nexit;\nA: exit;\n", 3, 3, 3);
    /* a switch as clang writes it: what cannot be ends all cases in one exit */
    EXPECT("@%p1 bra B;\n@%p2 bra C;\nbra D;\nB: @%p3 bra C;\nbra D;\n"
           "C: add.s32 %r1,%r1,1;\nret;\nD: exit;\n",
           5, 5, 6, 5, 6, 7, 7);
    /* a loop that can only exit */
    EXPECT("@%p1 bra B;\nA: @%p2 bra A;\nexit;\nB: ret;\n", 3, 2, 4, 4);
    /* an endless loop */
    EXPECT("@%p1 bra B;\nA: bra A;\nB: ret;\n", 3, 3, 3);
    /* the end of the body is a ret */
    EXPECT("@%p1 bra A;\nadd.s32 %r1,%r1,1;\nA:\n", 2, 2, 3);
    /* brx.idx */
    EXPECT("T: .branchtargets A, B, C;\nbrx.idx %r1, T;\nA: bra C;\nB: "
           "add.s32 %r1,%r1,1;\nC: ret;\n",
           3, 3, 3, 4);
}

/* Blocks that meet elsewhere than at their post-dominator, as {block, join}, and the
 * edges by which lanes leave, as {block, bits}; each list ends with block 99. */
static void expect_joins(const char *body, const uint32_t (*joins)[2],
                         const uint32_t (*leaves)[2])
{
    char text[2048];
    struct ptx_module *m;
    struct ptx_flow flow;
    struct arena a;

    snprintf(text, sizeof(text),
             HEAD ".entry k () {\n.reg .pred %%p<9>;\n.reg .b32 %%r<9>;\n%s}\n", body);
    m = load_text(text);
    arena_init(&a);
    ptx_flow_build(&a, m->priv->fn[0], &flow);
    ptx_flow_join(&a, m->priv->fn[0], &flow);
    for (uint32_t i = 0; i < flow.n_blocks; i++) {
        uint32_t join = flow.block[i].ipdom, bits = 0;

        for (uint32_t k = 0; joins[k][0] != 99; k++) {
            join = joins[k][0] == i ? joins[k][1] : join;
        }
        for (uint32_t k = 0; leaves[k][0] != 99; k++) {
            bits |= leaves[k][0] == i ? leaves[k][1] : 0;
        }
        assert_int_equal(flow.block[i].join, join);
        assert_int_equal(flow.block[i].leaves, bits);
    }
    arena_free(&a);
    ptx_free(m);
}
#define PAIRS(...) ((const uint32_t[][2]){__VA_ARGS__{99, 0}})

static void test_lanes_that_leave(void **state)
{
    (void)state;
    /* for (;;) { if (p1) x; else if (p2) break; y; } */
    expect_joins("A: @%p1 bra X;\n" /* 0 */
                 "@%p2 bra E;\n"    /* 1 */
                 "bra Y;\n"         /* 2 */
                 "X: mov.u32 %r1, 1;\n"
                 "Y: @%p3 bra A;\n" /* 4 */
                 "E: ret;\n",
                 PAIRS({0, 4}, ), PAIRS({1, 1}, ));
    /* if (p1) { if (p2) return; x; } else y; z; return; */
    expect_joins("@%p1 bra Y;\n" /* 0 */
                 "@%p2 bra E;\n" /* 1 */
                 "mov.u32 %r1, 1;\n"
                 "bra Z;\n"
                 "Y: mov.u32 %r2, 1;\n" /* 3 */
                 "Z: mov.u32 %r3, 1;\n" /* 4 */
                 "E: ret;\n",
                 PAIRS({0, 4}, ), PAIRS({1, 1}, ));
    /* the same, with something to do before the return */
    expect_joins("@%p1 bra Y;\n"  /* 0 */
                 "@!%p2 bra X;\n" /* 1 */
                 "mov.u32 %r4, 1;\n"
                 "ret;\n"
                 "X: mov.u32 %r1, 1;\n" /* 3 */
                 "bra Z;\n"
                 "Y: mov.u32 %r2, 1;\n" /* 4 */
                 "Z: mov.u32 %r3, 1;\n" /* 5 */
                 "ret;\n",
                 PAIRS({0, 5}, ), PAIRS({1, 2}, ));
    /* both ways of a return leave nothing to wait for; a loop left at its end neither
     */
    expect_joins("@%p1 bra Y;\nmov.u32 %r1, 1;\nret;\nY: mov.u32 %r2, 1;\nret;\n",
                 PAIRS(), PAIRS());
    expect_joins("A: @%p1 bra B;\nmov.u32 %r1, 1;\nB: @%p2 bra A;\nret;\n", PAIRS(),
                 PAIRS());
    /* out of two loops at once: what the inner loop leaves for is waited for outside */
    expect_joins("A: mov.u32 %r1, 1;\n"
                 "B: @%p1 bra C;\n"  /* 1 */
                 "@%p2 bra E;\n"     /* 2 */
                 "C: @%p3 bra B;\n"  /* 3 */
                 "@%p4 bra A;\n"     /* 4 */
                 "mov.u32 %r2, 1;\n" /* 5 */
                 "E: ret;\n",
                 PAIRS({1, 3}, {3, 4}, ), PAIRS({2, 1}, ));
}

static void test_branches_reconverge_there(void **state)
{
    struct ptx_module *const m =
        load_text(HEAD ".entry k () {\n.reg .pred %p<9>;\n.reg .b32 %r<9>;\n"
                       "@%p1 bra A;\n" /* 0 */
                       "mov.u32 %r1, %tid.x;\n"
                       "@!%p2 bra B;\n" /* 2 */
                       "mov.u32 %r2, %r1;\n"
                       "B: mov.u32 %r3, %r2;\n"
                       "A: @%p3 bra C;\n" /* 5 */
                       "exit;\n"
                       "C: ret;\n}\n");

    (void)state;
    assert_int_equal(m->n_uops, 8);
    assert_int_equal(m->uops[0].kind, ISA_K_BRANCH);
    assert_int_equal(m->uops[0].target, 5);
    assert_int_equal(m->uops[0].reconv, 5);
    assert_int_equal(m->uops[2].target, 4);
    assert_int_equal(m->uops[2].reconv, 4);
    assert_true(m->uops[2].guard_neg);
    assert_int_equal(m->uops[5].target, 7);
    assert_int_equal(m->uops[5].reconv, 7);
    assert_int_equal(m->uops[7].kind, ISA_K_EXIT);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_drawn_graphs),
        cmocka_unit_test(test_lanes_that_leave),
        cmocka_unit_test(test_branches_reconverge_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
