/* The SIMT stack: known shapes, loops that must not grow it, calls, and random
 * structured programs in which every lane must go the way a thread of its own would go.
 */
#include "sm/simt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ALL 0xffffffffu

static struct ptx_uop branch_to(uint32_t target, uint32_t reconv)
{
    return (struct ptx_uop){.kind = PTX_K_BRANCH, .target = target, .reconv = reconv};
}

static void assert_top(const struct simt *s, uint32_t n, uint32_t pc, uint32_t mask)
{
    assert_int_equal(s->n, n);
    assert_int_equal(simt_top(s)->pc, pc);
    assert_int_equal(simt_top(s)->mask, mask);
}

/* ---- known shapes ---- */

static void test_uniform(void **state)
{
    struct ptx_uop u = branch_to(20, 30);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 5, ALL);
    assert_top(&s, 1, 5, ALL);
    assert_false(simt_branch(&s, &u, 5, 0));
    assert_top(&s, 1, 6, ALL);
    assert_false(simt_branch(&s, &u, 6, ALL));
    assert_top(&s, 1, 20, ALL);
    simt_next(&s, 21);
    assert_top(&s, 1, 21, ALL);
    simt_exit(&s, 21, ALL);
    assert_int_equal(s.n, 0);
    simt_free(&s);
    assert_null(s.e);
}

/* 0: @p bra 3; 1: a; 2: bra 4; 3: b; 4: both. The side that took the branch runs first.
 */
static void test_if_else(void **state)
{
    struct ptx_uop u = branch_to(3, 4), over = branch_to(4, 4);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    assert_true(simt_branch(&s, &u, 0, 0x0000ffffu));
    assert_top(&s, 3, 3, 0x0000ffffu);
    simt_next(&s, 4);
    assert_top(&s, 2, 1, 0xffff0000u);
    simt_next(&s, 2);
    assert_false(simt_branch(&s, &over, 2, 0xffff0000u));
    assert_top(&s, 1, 4, ALL); /* met again exactly at the post-dominator */
    simt_free(&s);
}

/* Without an else, the lanes that jump over it wait in the entry below: no entry for
 * nothing. */
static void test_if_only(void **state)
{
    struct ptx_uop u = branch_to(3, 3);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    assert_true(simt_branch(&s, &u, 0, 0xf0f0f0f0u));
    assert_top(&s, 2, 1, 0x0f0f0f0fu);
    simt_next(&s, 2);
    assert_top(&s, 2, 2, 0x0f0f0f0fu);
    simt_next(&s, 3);
    assert_top(&s, 1, 3, ALL);
    simt_free(&s);
}

static void test_branch_to_the_next(void **state)
{
    struct ptx_uop u = branch_to(1, 1);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    (void)simt_branch(&s, &u, 0, 1);
    assert_top(&s, 1, 1, ALL);
    simt_free(&s);
}

/* 0: @p bra 6 (reconv 9); 1: @q bra 4 (reconv 5); ... 5, 9: inner and outer meeting. */
static void test_nested(void **state)
{
    struct ptx_uop outer = branch_to(6, 9), inner = branch_to(4, 5);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    (void)simt_branch(&s, &outer, 0, 0xffff0000u);
    simt_next(&s, 7);
    simt_next(&s, 8);
    simt_next(&s, 9);
    assert_top(&s, 2, 1, 0x0000ffffu);
    (void)simt_branch(&s, &inner, 1, 0x000000ffu);
    assert_top(&s, 4, 4, 0x000000ffu);
    simt_next(&s, 5);
    assert_top(&s, 3, 2, 0x0000ff00u);
    simt_next(&s, 3);
    simt_next(&s, 5);
    assert_top(&s, 2, 5, 0x0000ffffu); /* the inner ones, not all */
    simt_next(&s, 9);
    assert_top(&s, 1, 9, ALL);
    simt_free(&s);
}

/* The inner meeting point is the outer one. */
static void test_shared_reconvergence(void **state)
{
    struct ptx_uop outer = branch_to(9, 9), inner = branch_to(9, 9);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    (void)simt_branch(&s, &outer, 0, 0xffff0000u);
    assert_top(&s, 2, 1, 0x0000ffffu);
    (void)simt_branch(&s, &inner, 1, 0x000000ffu);
    assert_top(&s, 2, 2, 0x0000ff00u);
    (void)simt_branch(&s, &inner, 2, 0x0000ff00u);
    assert_top(&s, 1, 9, ALL);
    simt_free(&s);
}

/* ---- loops ---- */

/* 10,000 turns of "1: body; 2: @p bra 1; 3:", a lane leaves every 312 turns. */
static void test_loop_does_not_grow(void **state)
{
    struct ptx_uop u = branch_to(1, 3);
    struct simt s = {0};
    uint32_t left = 0;

    (void)state;
    simt_start(&s, 1, ALL);
    for (uint32_t turn = 1; turn <= 10000; turn++) {
        uint32_t stay = simt_top(&s)->mask;
        bool split = turn % 312 == 0 && left < 31;

        assert_int_equal(simt_top(&s)->pc, 1);
        assert_true(s.n <= 2);
        assert_int_equal(stay, ALL << left);
        simt_next(&s, 2);
        if (split) {
            stay &= stay - 1;
            left++;
        }
        if (turn == 10000) {
            stay = 0;
        }
        assert_int_equal(simt_branch(&s, &u, 2, stay), split);
    }
    assert_top(&s, 1, 3, ALL);
    simt_free(&s);
}

/* A loop with two ways out that meet at 9: one entry for each group that left by the
 * longer way, however many turns. */
static void test_loop_with_breaks(void **state)
{
    struct ptx_uop leave = branch_to(9, 9), again = branch_to(1, 9);
    struct simt s = {0};
    uint32_t groups = 0;

    (void)state;
    simt_start(&s, 1, ALL);
    for (uint32_t turn = 0; turn < 10000; turn++) {
        uint32_t m = simt_top(&s)->mask;
        uint32_t lowest = m & (0u - m);

        assert_int_equal(simt_top(&s)->pc, 1);
        (void)simt_branch(&s, &leave, 1, turn % 400 == 399 ? lowest : 0);
        m = simt_top(&s)->mask;
        assert_int_equal(simt_top(&s)->pc, 2);
        if (turn % 2000 == 1999) {
            m &= m - 1;
            groups++;
        }
        (void)simt_branch(&s, &again, 2, m);
        assert_true(s.n <= 2 + groups);
    }
    (void)simt_branch(&s, &leave, 1, simt_top(&s)->mask);
    assert_int_equal(groups, 5);
    for (uint32_t i = 0; i < groups; i++) {
        assert_int_equal(simt_top(&s)->pc, 3);
        simt_next(&s, 9);
    }
    assert_top(&s, 1, 9, ALL);
    simt_free(&s);
}

/* ---- leaving ---- */

static void test_exit_in_divergent_code(void **state)
{
    struct ptx_uop u = branch_to(3, 4);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    (void)simt_branch(&s, &u, 0, 0x0000ffffu);
    simt_exit(&s, 3, 0x000000ffu);     /* guarded: half of them */
    assert_top(&s, 2, 1, 0xffff0000u); /* 4 is where the others wait */
    simt_exit(&s, 1, 0xff000000u);
    assert_top(&s, 2, 2, 0x00ff0000u);
    simt_next(&s, 4);
    assert_top(&s, 1, 4, 0x00ffff00u);
    simt_exit(&s, 4, 0x00ffff00u);
    assert_int_equal(s.n, 0);
    simt_free(&s);
}

static void test_both_sides_exit(void **state)
{
    struct ptx_uop u = branch_to(3, PTX_NO_PC);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    (void)simt_branch(&s, &u, 0, 0xffu);
    assert_top(&s, 2, 3, 0xffu);
    simt_exit(&s, 3, 0xffu);
    assert_top(&s, 1, 1, 0xffffff00u);
    simt_exit(&s, 1, 0xffffff00u);
    assert_int_equal(s.n, 0);
    simt_free(&s);
}

/* ---- calls ---- */

static void test_call_and_return(void **state)
{
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    simt_call(&s, 50, 3, 0xffffu, 12, 5);
    assert_top(&s, 2, 50, 0xffffu);
    assert_int_equal(s.depth, 1);
    assert_int_equal(simt_top(&s)->slot, 12);
    assert_int_equal(simt_top(&s)->pred, 5);
    simt_call(&s, 60, 51, 0x00ffu, 8, 0);
    assert_int_equal(simt_top(&s)->slot, 20);
    assert_int_equal(simt_top(&s)->pred, 5);
    assert_int_equal(s.depth, 2);
    simt_ret(&s, 60, 0x000fu); /* guarded: the others go on */
    assert_top(&s, 3, 61, 0x00f0u);
    simt_ret(&s, 61, 0x00f0u);
    assert_top(&s, 2, 52, 0xffffu);
    assert_int_equal(s.depth, 1);
    simt_ret(&s, 52, 0xffffu);
    assert_top(&s, 1, 4, ALL);
    assert_int_equal(s.depth, 0);
    assert_int_equal(simt_top(&s)->slot, 0);
    simt_free(&s);
}

/* Both ways out of the callee return: the frame waits until the last lane is back. */
static void test_divergent_return(void **state)
{
    struct ptx_uop u = branch_to(53, PTX_NO_PC);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    simt_call(&s, 50, 0, ALL, 4, 1);
    (void)simt_branch(&s, &u, 50, 0xf0000000u);
    assert_int_equal(simt_top(&s)->pc, 53);
    assert_int_equal(simt_top(&s)->slot, 4);
    simt_ret(&s, 53, 0xf0000000u);
    assert_int_equal(simt_top(&s)->pc, 51);
    assert_int_equal(simt_top(&s)->mask, 0x0fffffffu);
    assert_int_equal(s.depth, 1);
    simt_ret(&s, 51, 0x0fffffffu);
    assert_top(&s, 1, 1, ALL);
    assert_int_equal(s.depth, 0);
    simt_free(&s);
}

/* Calls in one side of a branch, the instruction after the call is the meeting point.
 */
static void test_call_before_reconvergence(void **state)
{
    struct ptx_uop u = branch_to(2, 2);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    (void)simt_branch(&s, &u, 0, 0xffff0000u);
    simt_call(&s, 50, 1, 0x0000ffffu, 4, 1);
    assert_top(&s, 3, 50, 0x0000ffffu);
    simt_ret(&s, 50, 0x0000ffffu);
    assert_top(&s, 1, 2, ALL);
    simt_free(&s);
}

static void test_exit_in_a_callee(void **state)
{
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    simt_call(&s, 50, 0, ALL, 4, 1);
    simt_exit(&s, 50, 0xffu);
    simt_ret(&s, 51, 0xffffff00u);
    assert_top(&s, 1, 1, 0xffffff00u);
    simt_call(&s, 50, 1, 0xffffff00u, 4, 1);
    simt_exit(&s, 50, 0xffffff00u);
    assert_int_equal(s.n, 0);
    assert_int_equal(s.depth, 0);
    simt_free(&s);
}

/* The stack is memory that is kept: a new start forgets everything else. */
static void test_restart(void **state)
{
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    for (uint32_t i = 0; i < 100; i++) {
        simt_call(&s, 50, 1, ALL, 3, 2);
    }
    assert_int_equal(s.depth, 100);
    assert_int_equal(simt_top(&s)->slot, 300);
    assert_int_equal(simt_top(&s)->pred, 200);
    simt_start(&s, 7, 1);
    assert_top(&s, 1, 7, 1);
    assert_int_equal(s.depth, 0);
    simt_free(&s);
}

/* brx.idx at 0 to 10, 20, 30, all meeting at 40: groups one after the other. */
static void test_brx_groups(void **state)
{
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    simt_branch_some(&s, 10, 40, 0x11111111u);
    assert_int_equal(simt_top(&s)->pc, 10);
    assert_int_equal(simt_top(&s)->mask, 0x11111111u);
    simt_next(&s, 40);
    assert_top(&s, 2, 0, 0xeeeeeeeeu);
    simt_branch_some(&s, 20, 40, 0x22222222u);
    assert_top(&s, 3, 20, 0x22222222u);
    simt_next(&s, 40);
    assert_top(&s, 2, 0, 0xccccccccu);
    simt_branch_some(&s, 40, 40, 0x44444444u); /* a target that is the meeting point */
    assert_top(&s, 2, 0, 0x88888888u);
    simt_branch_some(&s, 30, 40, 0x88888888u);
    assert_top(&s, 2, 30, 0x88888888u);
    simt_next(&s, 40);
    assert_top(&s, 1, 40, ALL);
    simt_free(&s);
}

/* ---- random structured programs ---- */

enum {
    MAX_CODE = 4096,
    MAX_TRACE = 60000,
    MAX_FUNCS = 4,
    MAX_CALLS = 40,
    BRX_WAYS = 3
};

enum op { WORK, COND, JUMP, BRX, CALL, RET, RET_IF, EXIT, EXIT_IF, CALL_IF };

struct code {
    enum op op;
    uint32_t target[BRX_WAYS], reconv, callee;
};

struct program {
    struct code c[MAX_CODE];
    uint32_t n, seed;
    uint32_t entry[MAX_FUNCS];
    uint64_t random;
};

static uint32_t draw(struct program *p, uint32_t n)
{
    uint64_t z = p->random += 0x9e3779b97f4a7c15ull;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return (uint32_t)((z ^ z >> 31) % n);
}

static uint32_t emit(struct program *p, enum op op)
{
    assert_true(p->n < MAX_CODE);
    p->c[p->n] = (struct code){.op = op, .reconv = PTX_NO_PC};
    return p->n++;
}

static void statements(struct program *p, uint32_t func, uint32_t depth, bool in_loop);

static void emit_if(struct program *p, uint32_t func, uint32_t depth, bool in_loop)
{
    uint32_t cond = emit(p, COND), jump;

    statements(p, func, depth + 1, in_loop);
    if (draw(p, 2) == 0) {
        p->c[cond].target[0] = p->n;
    } else {
        jump = emit(p, JUMP);
        p->c[cond].target[0] = p->n;
        statements(p, func, depth + 1, in_loop);
        p->c[jump].target[0] = p->c[jump].reconv = p->n;
    }
    p->c[cond].reconv = p->n;
}

static void emit_while(struct program *p, uint32_t func, uint32_t depth)
{
    uint32_t cond = emit(p, COND), jump;

    statements(p, func, depth + 1, true);
    jump = emit(p, JUMP);
    p->c[jump].target[0] = cond;
    p->c[cond].target[0] = p->c[cond].reconv = p->n;
}

static void emit_do(struct program *p, uint32_t func, uint32_t depth)
{
    uint32_t start = p->n, cond;

    statements(p, func, depth + 1, true);
    cond = emit(p, COND);
    p->c[cond].target[0] = start;
    p->c[cond].reconv = p->n;
}

static void emit_switch(struct program *p, uint32_t func, uint32_t depth, bool in_loop)
{
    uint32_t at = emit(p, BRX), jump[BRX_WAYS];

    for (uint32_t i = 0; i < BRX_WAYS; i++) {
        p->c[at].target[i] = p->n;
        statements(p, func, depth + 1, in_loop);
        jump[i] = emit(p, JUMP);
    }
    for (uint32_t i = 0; i < BRX_WAYS; i++) {
        p->c[jump[i]].target[0] = p->c[jump[i]].reconv = p->n;
    }
    p->c[at].reconv = p->n;
}

static void statements(struct program *p, uint32_t func, uint32_t depth, bool in_loop)
{
    uint32_t n = 1 + draw(p, 3);

    for (uint32_t i = 0; i < n; i++) {
        (void)emit(p, WORK);
        switch (depth < 4 ? draw(p, 9) : 8) {
        case 0:
        case 1: emit_if(p, func, depth, in_loop); break;
        case 2: emit_while(p, func, depth); break;
        case 3: emit_do(p, func, depth); break;
        case 4: emit_switch(p, func, depth, in_loop); break;
        case 5:
            (void)emit(p, draw(p, 3) == 0 ? EXIT_IF : func == 0 ? WORK : RET_IF);
            break;
        case 6:
            if (!in_loop) { /* the next function, or rarely itself */
                uint32_t callee = func + (draw(p, 4) != 0 || func == 0);

                if (callee < MAX_FUNCS) {
                    uint32_t at = emit(p, callee == func ? CALL_IF
                                          : draw(p, 2)   ? CALL
                                                         : CALL_IF);

                    p->c[at].callee = callee;
                }
            }
            break;
        default: break;
        }
    }
}

static void make_program(struct program *p, uint32_t seed)
{
    memset(p, 0, sizeof(*p));
    p->seed = seed;
    p->random = seed * 77u + 1;
    for (uint32_t f = 0; f < MAX_FUNCS; f++) {
        enum op end = f == 0 ? EXIT : RET;

        p->entry[f] = p->n;
        statements(p, f, 0, false);
        if (draw(p, 2) == 0) { /* both ways lead out: nothing post-dominates */
            uint32_t cond = emit(p, COND);

            statements(p, f, 3, false);
            (void)emit(p, end);
            p->c[cond].target[0] = p->n;
            statements(p, f, 3, false);
        }
        (void)emit(p, end);
    }
}

/* What lane decides at pc the n-th time it is there. */
static uint32_t decide(const struct program *p, uint32_t lane, uint32_t pc, uint32_t n,
                       uint32_t ways)
{
    uint64_t z =
        ((uint64_t)p->seed << 40) ^ ((uint64_t)pc << 20) ^ ((uint64_t)n << 8) ^ lane;

    if (pc % 3 == 0) {
        z &= ~31ull; /* some decisions are uniform */
    }
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    z ^= z >> 31;
    return (uint32_t)(z % ways);
}

struct lane_state {
    uint16_t visits[MAX_CODE];
    uint32_t *trace;
    uint32_t n_trace;
    uint32_t back[MAX_CALLS];
    uint32_t depth;
};

static uint32_t frame_of(uint32_t callee)
{
    return 3 + callee;
}

/* Does a lane take the guard of pc? Loops and recursions end after some visits. */
static uint32_t choose(const struct program *p, struct lane_state *l, uint32_t lane,
                       uint32_t pc)
{
    const struct code *c = &p->c[pc];
    uint32_t n = l->visits[pc]++;

    if (c->op == BRX) {
        return decide(p, lane, pc, n, BRX_WAYS);
    }
    if (c->op == EXIT_IF || c->op == RET_IF) {
        return decide(p, lane, pc, n, 9) == 0;
    }
    if (c->op == COND && c->target[0] == c->reconv) { /* while: taken leaves */
        return n % 4 == 3 || decide(p, lane, pc, n, 3) == 0;
    }
    if (c->op == COND && c->target[0] < pc) { /* do: taken stays */
        return n % 4 != 3 && decide(p, lane, pc, n, 3) != 0;
    }
    if (c->op == CALL_IF && n >= 3) {
        return 0;
    }
    return decide(p, lane, pc, n, 2);
}

/* One thread alone: the trace as (pc, call depth). */
static void run_thread(const struct program *p, struct lane_state *l, uint32_t lane)
{
    uint32_t pc = 0;

    for (;;) {
        const struct code *c = &p->c[pc];
        uint32_t chosen = c->op == WORK || c->op == JUMP || c->op == CALL
                              ? 0
                              : choose(p, l, lane, pc);

        assert_true(l->n_trace < MAX_TRACE);
        l->trace[l->n_trace++] = pc << 8 | l->depth;
        switch (c->op) {
        case WORK: pc++; break;
        case JUMP: pc = c->target[0]; break;
        case COND: pc = chosen ? c->target[0] : pc + 1; break;
        case BRX: pc = c->target[chosen]; break;
        case CALL_IF:
        case CALL:
            if (c->op == CALL_IF && !chosen) {
                pc++;
                break;
            }
            assert_true(l->depth < MAX_CALLS);
            l->back[l->depth++] = pc + 1;
            pc = p->entry[c->callee];
            break;
        case RET_IF:
            if (!chosen) {
                pc++;
                break;
            } /* fall through */
        case RET: pc = l->back[--l->depth]; break;
        case EXIT_IF:
            if (!chosen) {
                pc++;
                break;
            } /* fall through */
        case EXIT: return;
        }
    }
}

struct lockstep {
    const struct program *p;
    struct lane_state *alone, *warp; /* 32 each */
    uint32_t chosen[PTX_LANES];
    uint32_t deepest;
};

static uint32_t guard_mask(const struct lockstep *k, uint32_t mask)
{
    uint32_t taken = 0;

    for (uint32_t m = mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);

        taken |= (uint32_t)(k->chosen[lane] != 0) << lane;
    }
    return taken;
}

/* Every lane of the top must be exactly where it would be alone. */
static void follow(struct lockstep *k, const struct simt *s, uint32_t pc)
{
    const struct code *c = &k->p->c[pc];
    uint32_t mask = simt_top(s)->mask;

    for (uint32_t m = mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        struct lane_state *l = &k->warp[lane];

        assert_true(l->n_trace < k->alone[lane].n_trace);
        assert_int_equal(k->alone[lane].trace[l->n_trace], pc << 8 | s->depth);
        k->chosen[lane] = c->op == WORK || c->op == JUMP || c->op == CALL
                              ? 0
                              : choose(k->p, l, lane, pc);
        if (c->op == BRX) { /* asked again for the lanes of other groups */
            continue;
        }
        l->n_trace++;
    }
}

static void step_brx(struct lockstep *k, struct simt *s, uint32_t pc)
{
    const struct code *c = &k->p->c[pc];
    uint32_t mask = simt_top(s)->mask, group = 0;
    uint32_t first = k->chosen[__builtin_ctz(mask)];

    for (uint32_t m = mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);

        if (k->chosen[lane] == first) {
            group |= 1u << lane;
            k->warp[lane].n_trace++;
        } else {
            k->warp[lane].visits[pc]--;
        }
    }
    simt_branch_some(s, c->target[first], c->reconv, group);
}

static void step(struct lockstep *k, struct simt *s)
{
    uint32_t pc = simt_top(s)->pc, mask = simt_top(s)->mask, taken;
    const struct code *c = &k->p->c[pc];
    struct ptx_uop u = branch_to(c->target[0], c->reconv);

    follow(k, s, pc);
    taken = guard_mask(k, mask);
    switch (c->op) {
    case WORK: simt_next(s, pc + 1); break;
    case JUMP: assert_false(simt_branch(s, &u, pc, mask)); break;
    case COND:
        assert_int_equal(simt_branch(s, &u, pc, taken), taken != 0 && taken != mask);
        break;
    case BRX: step_brx(k, s, pc); break;
    case CALL: taken = mask; /* fall through */
    case CALL_IF:
        if (taken == 0) {
            simt_next(s, pc + 1);
        } else {
            simt_call(s, k->p->entry[c->callee], pc, taken, frame_of(c->callee), 1);
        }
        break;
    case RET: simt_ret(s, pc, mask); break;
    case RET_IF: simt_ret(s, pc, taken); break;
    case EXIT: simt_exit(s, pc, mask); break;
    case EXIT_IF: simt_exit(s, pc, taken); break;
    }
}

/* Entries above a waiting one are part of it; sides of one branch share no lane. */
static void check_stack(const struct simt *s)
{
    uint32_t calls = 0;

    for (uint32_t i = 0; i < s->n; i++) {
        calls += s->e[i].call;
        assert_true(i == 0 || s->e[i].pred >= s->e[i - 1].pred);
        assert_true(i == 0 || s->e[i].slot >= s->e[i - 1].slot);
    }
    assert_int_equal(calls, s->depth);
    assert_true(simt_top(s)->mask != 0);
    assert_true(simt_top(s)->pc != simt_top(s)->reconv);
    assert_int_equal(simt_top(s)->pred, s->depth);
}

static void run_program(uint32_t seed, uint32_t start_mask)
{
    struct program *p = malloc(sizeof(*p));
    struct lockstep k = {.p = p};
    struct simt s = {0};

    assert_non_null(p);
    make_program(p, seed);
    k.alone = calloc(2 * PTX_LANES, sizeof(k.alone[0]));
    assert_non_null(k.alone);
    k.warp = k.alone + PTX_LANES;
    for (uint32_t lane = 0; lane < PTX_LANES; lane++) {
        k.alone[lane].trace = malloc(MAX_TRACE * sizeof(uint32_t));
        assert_non_null(k.alone[lane].trace);
        if ((start_mask >> lane & 1u) != 0) {
            run_thread(p, &k.alone[lane], lane);
        }
    }
    simt_start(&s, 0, start_mask);
    while (s.n != 0) {
        check_stack(&s);
        k.deepest = s.n > k.deepest ? s.n : k.deepest;
        step(&k, &s);
    }
    for (uint32_t lane = 0; lane < PTX_LANES; lane++) {
        assert_int_equal(k.warp[lane].n_trace, k.alone[lane].n_trace);
        free(k.alone[lane].trace);
    }
    assert_true(k.deepest <= 150); /* nesting times calls, never iterations */
    free(k.alone);
    free(p);
    simt_free(&s);
}

static void test_random_programs(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 400; seed++) {
        run_program(seed, seed % 5 == 0 ? 0x000fffffu : ALL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_if_else),
        cmocka_unit_test(test_if_only),
        cmocka_unit_test(test_branch_to_the_next),
        cmocka_unit_test(test_nested),
        cmocka_unit_test(test_shared_reconvergence),
        cmocka_unit_test(test_loop_does_not_grow),
        cmocka_unit_test(test_loop_with_breaks),
        cmocka_unit_test(test_exit_in_divergent_code),
        cmocka_unit_test(test_both_sides_exit),
        cmocka_unit_test(test_call_and_return),
        cmocka_unit_test(test_divergent_return),
        cmocka_unit_test(test_call_before_reconvergence),
        cmocka_unit_test(test_exit_in_a_callee),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_brx_groups),
        cmocka_unit_test(test_random_programs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
