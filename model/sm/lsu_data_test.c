/* The load/store unit: the data of loads, stores and atomics, lane by lane. */
#include "sm/lsu_data.h"

#include "sm/lsu_test.h"

/* The bytes a lane names, one by one: word k, byte j of its data. */
static uint8_t *byte_of(struct mem_req *r, uint32_t lane, uint32_t k)
{
    uint32_t per_word = r->size < 4 ? r->size : 4;

    return (uint8_t *)&r->d[k / per_word][lane] + k % per_word;
}

static uint64_t place_of(const struct mem_req *r, uint32_t lane, uint32_t k)
{
    uint64_t at = r->addr[lane] + k;

    return r->space != ISA_SP_LOCAL ? at
                                    : r->base + at / 4 * MEM_LINE + lane * 4 + at % 4;
}

static void check_load(struct bench *b, struct mem_req *r)
{
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        for (uint32_t k = 0; k < (uint32_t)r->size * r->vec; k++) {
            uint64_t at = place_of(r, lane, k);

            if ((r->mask >> lane & 1u) != 0) {
                assert_int_equal(*byte_of(r, lane, k), line_of(b, at)[at % MEM_LINE]);
            } else { /* not touched */
                assert_int_equal(*byte_of(r, lane, k), 0x5a);
            }
        }
        for (uint32_t w = 0; w < r->words && r->size < 4; w++) {
            assert_true((r->mask >> lane & 1u) == 0 ||
                        r->d[w][lane] >> (8 * r->size) == 0); /* zero-extended */
        }
    }
}

static void random_addresses(struct mem_req *r, uint64_t *s)
{
    uint64_t span = (uint64_t)r->size * r->vec;
    uint32_t gap = 1 + random32(s) % 40;
    bool local = r->space == ISA_SP_LOCAL;

    for (uint32_t i = 0; i < ISA_LANES; i++) { /* distinct */
        uint64_t at =
            local ? random32(s) % 64 : (uint64_t)(i * gap + random32(s) % gap);

        r->addr[i] = (local ? 0 : GLOBAL_AT) + at * span;
    }
    r->mask = random32(s) % 4 == 0 ? UINT32_MAX : (random32(s) ^ random32(s) << 16) | 1;
}

static const struct {
    uint8_t size, vec;
} shapes[] = {{1, 1}, {1, 2}, {1, 4}, {2, 1}, {2, 2}, {2, 4},
              {4, 1}, {4, 2}, {4, 4}, {8, 1}, {8, 2}};

static void test_loads(void **state)
{
    struct bench *b = new_bench();
    uint64_t s = 1;

    (void)state;
    for (uint32_t turn = 0; turn < 40; turn++) {
        set_up(b, &usual, 1 + turn % 9);
        b->newest_first = turn % 2 == 1;
        for (uint32_t i = 0; i < sizeof(b->memory); i++) {
            (&b->memory[0][0])[i] = (uint8_t)random32(&s);
        }
        for (uint32_t k = 0; k < sizeof(shapes) / sizeof(shapes[0]); k++) {
            struct mem_req *r = add(b, turn % 4 < 2 ? ISA_SP_GLOBAL : ISA_SP_LOCAL,
                                    MEM_LOAD, shapes[k].size, shapes[k].vec);

            memset(r->d, 0x5a, sizeof(r->d));
            random_addresses(r, &s);
        }
        b->check = check_load;
        run(b);
        tear_down(b);
    }
    free(b);
}

/* One store on a fresh memory: its bytes are there and no others. */
static void test_stores(void **state)
{
    struct bench *b = new_bench();
    uint8_t(*want)[MEM_LINE] = test_malloc(sizeof(b->memory));
    uint64_t s = 2;

    (void)state;
    for (uint32_t turn = 0; turn < 20; turn++) {
        for (uint32_t k = 0; k < sizeof(shapes) / sizeof(shapes[0]); k++) {
            struct mem_req *r;

            set_up(b, &usual, 8);
            memset(b->memory, 0xee, sizeof(b->memory));
            memset(want, 0xee, sizeof(b->memory));
            r = add(b, turn % 2 == 0 ? ISA_SP_GLOBAL : ISA_SP_LOCAL, MEM_STORE,
                    shapes[k].size, shapes[k].vec);
            random_addresses(r, &s);
            for (uint32_t i = 0; i < sizeof(r->d); i++) {
                ((uint8_t *)r->d)[i] = (uint8_t)random32(&s);
            }
            for (uint32_t m = r->mask; m != 0; m &= m - 1) {
                uint32_t lane = (uint32_t)__builtin_ctz(m);

                for (uint32_t j = 0; j < (uint32_t)r->size * r->vec; j++) {
                    uint64_t at = place_of(r, lane, j);

                    want[(line_of(b, at) - b->memory[0]) / (ptrdiff_t)MEM_LINE]
                        [at % MEM_LINE] = *byte_of(r, lane, j);
                }
            }
            run(b);
            assert_memory_equal(b->memory, want, sizeof(b->memory));
            for (uint32_t i = 0; i < b->n_lines; i++) {
                assert_true(b->lines[i].line.ack);
            }
            tear_down(b);
        }
    }
    test_free(want);
    free(b);
}

/* One offset of all lanes is one line, whatever the offset. */
static void test_local_interleaving(void **state)
{
    struct bench *b = new_bench();

    (void)state;
    set_up(b, &usual, 64);
    stride(add(b, ISA_SP_LOCAL, MEM_LOAD, 4, 1), 8, 0);
    stride(add(b, ISA_SP_LOCAL, MEM_STORE, 8, 1), 16, 0);
    stride(add(b, ISA_SP_LOCAL, MEM_LOAD, 1, 1), 9, 0);
    stride(add(b, ISA_SP_LOCAL, MEM_LOAD, 4, 1), 0, 4); /* a line each */
    b->queue[1]->base += 1 << 14;
    run(b);
    assert_int_equal(b->n_lines, 1 + 2 + 1 + 32);
    assert_true(b->lines[0].line.addr == (MEM_LOCAL_BIT | 2 * MEM_LINE));
    assert_int_equal(b->lines[0].line.sectors, 0xf);
    assert_true(b->lines[1].line.addr == (MEM_LOCAL_BIT | (1 << 14) | 4 * MEM_LINE));
    assert_true(b->lines[2].line.addr == (MEM_LOCAL_BIT | (1 << 14) | 5 * MEM_LINE));
    assert_int_equal(b->lines[1].line.piece, 0);
    assert_int_equal(b->lines[2].line.piece, 1);
    assert_true(b->lines[3].line.addr == (MEM_LOCAL_BIT | 2 * MEM_LINE));
    assert_true(b->lines[3].line.bytes[0] == 0x2222222222222222ull);
    assert_int_equal(b->stats[0].gl_ld_requests + b->stats[0].gl_st_requests, 0);
    tear_down(b);
    free(b);
}

/* ---- atomics ---- */

static void check_atom(struct bench *b, struct mem_req *r)
{
    const struct mem_req *w = &b->want[r->id];

    for (uint32_t m = r->mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);

        assert_int_equal(r->d[0][lane], w->d[0][lane]);
        assert_true(r->size == 4 || r->d[1][lane] == w->d[1][lane]);
    }
}

/* Lanes on few words: each sees what the lanes before it left, lane after lane. */
static void test_atomics(void **state)
{
    static const struct {
        uint8_t sub, type, size;
    } kinds[] = {{ISA_S_ADD, ISA_T_U32, 4},  {ISA_S_CAS, ISA_T_B32, 4},
                 {ISA_S_EXCH, ISA_T_B64, 8}, {ISA_S_CAS, ISA_T_B64, 8},
                 {ISA_S_ADD, ISA_T_U64, 8},  {ISA_S_MIN, ISA_T_S32, 4}};
    struct bench *b = new_bench();
    uint64_t s = 3;

    (void)state;
    for (uint32_t turn = 0; turn < 60; turn++) {
        struct isa_uop u = {0};
        uint64_t cell[40] = {0};
        uint32_t k = turn % (sizeof(kinds) / sizeof(kinds[0]));
        struct mem_req *r, *w;

        u.form.sub = kinds[k].sub;
        u.form.type = kinds[k].type;
        set_up(b, &usual, 8);
        r = add(b, ISA_SP_GLOBAL, turn % 3 == 2 ? MEM_RED : MEM_ATOM, kinds[k].size, 1);
        r->uop = &u;
        r->mask = random32(&s) | 1;
        for (uint32_t i = 0; i < sizeof(r->d); i++) {
            ((uint8_t *)r->d)[i] = (uint8_t)(random32(&s) % 3);
        }
        w = &b->want[0];
        *w = *r;
        for (uint32_t lane = 0; lane < ISA_LANES; lane++) { /* words of two lines */
            r->addr[lane] = GLOBAL_AT + (random32(&s) % 40) * r->size;
        }
        /* lines are served in the order sent; lanes of one word lie in one line */
        for (uint32_t m = r->mask; m != 0; m &= m - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(m);
            uint64_t *c = &cell[(r->addr[lane] - GLOBAL_AT) / r->size];

            w->d[0][lane] = (uint32_t)*c;
            w->d[1][lane] = (uint32_t)(*c >> 32);
            *c = isa_atom(kinds[k].sub, kinds[k].type, *c, mem_atom_operand(r, 0, lane),
                          mem_atom_operand(r, 1, lane));
        }
        b->check = check_atom;
        run(b);
        for (uint32_t i = 0; i < 40; i++) {
            uint64_t got = 0;

            memcpy(&got, &b->memory[0][0] + i * kinds[k].size, kinds[k].size);
            assert_true(got == cell[i]);
        }
        tear_down(b);
    }
    free(b);
}

/* Lanes 3, 5, 8 and 9 of 32 mean the word of lane 1: five requests of that line
 * from 7.0 on, unless one lane acts for all, and one before. */
static void test_turns(void **state)
{
    static const struct {
        uint32_t cc;
        bool counts;
        uint32_t n;
    } cases[] = {{90, false, 5}, {70, false, 5}, {90, true, 1}, {60, false, 1}};

    (void)state;
    for (uint32_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        struct bench *b = new_bench();
        struct isa_uop u = {.counts = cases[k].counts};
        struct mem_req *r;

        u.form.sub = ISA_S_ADD;
        u.form.type = ISA_T_U32;
        set_up_as(b, &usual, 8, cases[k].cc, 1);
        r = add(b, ISA_SP_GLOBAL, MEM_RED, 4, 1);
        r->uop = &u;
        r->addr[3] = r->addr[5] = r->addr[8] = r->addr[9] = r->addr[1];
        for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
            r->d[0][lane] = 1;
        }
        run(b);
        assert_int_equal(b->n_lines, cases[k].n);
        assert_int_equal(b->lines[0].line.sectors, 0xf);
        if (cases[k].n == 5) {
            assert_int_equal(b->lines[0].line.lanes, ~0x328u);
            assert_int_equal(b->lines[1].line.lanes, 1u << 3);
            assert_int_equal(b->lines[1].line.sectors, 1);
            assert_int_equal(b->lines[4].line.lanes, 1u << 9);
            assert_int_equal(b->stats[0].gl_at_transactions, 8);
        }
        assert_int_equal(b->stats[0].gl_at_sectors, 4);
        assert_int_equal(b->memory[0][4], 5);
        tear_down(b);
        free(b);
    }
}

/* Words behind what a lane reads are zeros, whatever memory had; lanes that read
 * nothing come back. */
static void test_land(void **state)
{
    struct mem_copy c = {.mask = 0xf, .some = 0x7, .bytes = {16, 5, 4, 0}, .base = 256};
    struct mem_req r = {.op = MEM_LOAD,
                        .space = ISA_SP_GLOBAL,
                        .size = 4,
                        .vec = 4,
                        .words = 4,
                        .mask = 0x7,
                        .copy = &c};
    static const uint32_t want[4][4] = {{0x11111111, 0x11111111, 0x11111111,
                                         0x11111111},
                                        {0x11111111, 0x11, 0, 0},
                                        {0x11111111, 0, 0, 0},
                                        {0, 0, 0, 0}};

    (void)state;
    memset(r.d, 0x11, sizeof(r.d));
    for (uint32_t lane = 0; lane < 4; lane++) {
        c.to[lane] = 1024 + 16 * lane;
    }
    lsu_land(&r);
    assert_int_equal(r.op, MEM_STORE);
    assert_int_equal(r.space, ISA_SP_SHARED);
    assert_int_equal(r.mask, 0xf);
    assert_int_equal(r.base, 256);
    for (uint32_t lane = 0; lane < 4; lane++) {
        assert_int_equal(r.addr[lane], 1024 + 16 * lane);
        for (uint32_t i = 0; i < 4; i++) {
            assert_int_equal(r.d[i][lane], want[lane][i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_stores),
        cmocka_unit_test(test_local_interleaving),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_land),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
