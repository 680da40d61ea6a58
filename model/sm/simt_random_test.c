/* Random structured programs on the SIMT stack: every lane must go, instruction by
 * instruction, the way a thread of its own would go. */
#include "sm/paths.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ALL 0xffffffffu

static struct isa_uop branch_to(uint32_t target, uint32_t reconv)
{
    return (struct isa_uop){.kind = ISA_K_BRANCH,
                            .target = target,
                            .reconv = reconv,
                            .last = reconv};
}

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
    p->c[p->n] = (struct code){.op = op, .reconv = ISA_NO_PC};
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
    uint32_t chosen[ISA_LANES];
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
        assert_int_equal(k->alone[lane].trace[l->n_trace],
                         pc << 8 | simt_top(s)->depth);
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
    struct isa_uop u = branch_to(c->target[0], c->reconv);

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
    assert_int_equal(calls, simt_top(s)->depth);
    assert_true(simt_top(s)->mask != 0);
    assert_true(simt_top(s)->pc != simt_top(s)->reconv);
    assert_int_equal(simt_top(s)->pred, simt_top(s)->depth);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Other lanes have their turn, as when some yield; paths part and meet anywhere. */
static void take_turns(struct simt *s, uint32_t *seed)
{
    const struct simt_entry top = *simt_top(s);
    const uint32_t some = top.mask & next_random(seed) * 2654435761u;

    switch (next_random(seed) % 8) {
    case 0:
        simt_top(s)->yielded = true;
        assert_true(paths_turn(s, 0, 0));
        break;
    case 1: assert_true(paths_turn(s, 0, next_random(seed) * 2654435761u)); break;
    case 2: paths_part(s, top.pc, some == 0 ? top.mask : some, top.pc); break;
    case 3: paths_join(s, next_random(seed) % 2 == 0 ? some : ALL); break;
    case 4: (void)paths_lift(s, next_random(seed) * 2654435761u); break;
    default: simt_top(s)->yielded = false; break;
    }
    assert_true(simt_top(s)->mask != 0);
    assert_true(simt_top(s)->pc != simt_top(s)->reconv);
}

/* turns: lanes have theirs in any order. */
static void run_program(uint32_t seed, uint32_t start_mask, bool turns)
{
    uint32_t turn_seed = seed;
    struct program *p = malloc(sizeof(*p));
    struct lockstep k = {.p = p};
    struct simt s = {0};

    assert_non_null(p);
    make_program(p, seed);
    k.alone = calloc(2 * ISA_LANES, sizeof(k.alone[0]));
    assert_non_null(k.alone);
    k.warp = k.alone + ISA_LANES;
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        k.alone[lane].trace = malloc(MAX_TRACE * sizeof(uint32_t));
        assert_non_null(k.alone[lane].trace);
        if ((start_mask >> lane & 1u) != 0) {
            run_thread(p, &k.alone[lane], lane);
        }
    }
    simt_start(&s, 0, start_mask);
    while (s.n != 0) {
        if (turns) {
            take_turns(&s, &turn_seed);
        } else {
            check_stack(&s);
            k.deepest = s.n > k.deepest ? s.n : k.deepest;
        }
        step(&k, &s);
    }
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
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
        run_program(seed, seed % 5 == 0 ? 0x000fffffu : ALL, false);
        run_program(seed, seed % 7 == 0 ? 0x000fffffu : ALL, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_programs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
