/* When atomic units are free, cycle by cycle. */
#include "mem/l2_atom.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct l2_atom_config two = {.units = 2, .line = 11, .floats = 7};

struct bench {
    struct l2_atoms atoms;
    struct mem_atom atom;
    struct mem_line line;
};

static void set_up(struct bench *b, const struct l2_atom_config *cfg)
{
    *b = (struct bench){.atom = {.mask = 1, .sub = ISA_S_ADD, .type = ISA_T_U32},
                        .line = {.op = MEM_RED, .sectors = 1}};
    b->line.atom = &b->atom;
    l2_atoms_init(&b->atoms, cfg);
}

/* The cycle from which the line's unit would take it; and it does, then. */
static sim_cycle_t take(struct bench *b, sim_cycle_t now)
{
    struct l2_atom_turn turn;
    sim_cycle_t at = l2_atoms_ready(&b->atoms, &b->line, now, &turn);

    if (at > now) { /* it is not ready before */
        assert_true(l2_atoms_ready(&b->atoms, &b->line, at - 1, &turn) == at);
        assert_true(l2_atoms_ready(&b->atoms, &b->line, at, &turn) == at);
    }
    l2_atoms_take(&b->atoms, &turn);
    return at;
}

/* Of n that come at once, the cycle in which the last is taken. */
static sim_cycle_t take_all(struct bench *b, uint32_t n)
{
    sim_cycle_t at = 0;

    for (uint32_t i = 0; i < n; i++) {
        at = take(b, at);
    }
    return at;
}

/* A sector takes 11/4 cycles. The 101st begins at 275, and a unit may be 16 behind. */
static void test_sectors(void **state)
{
    struct bench b;

    (void)state;
    set_up(&b, &two);
    assert_int_equal(take_all(&b, 101), 275 - 16);
    set_up(&b, &two);
    b.line.sectors = 0xf; /* four of them */
    assert_int_equal(take_all(&b, 101), 1100 - 16);
}

/* Those that wait are not longer behind than 16 cycles; who comes late finds it idle.
 */
static void test_idle(void **state)
{
    struct bench b;

    (void)state;
    set_up(&b, &two);
    (void)take_all(&b, 101);
    assert_int_equal(take(&b, 277), 277);
    assert_int_equal(take(&b, 500), 500);
    assert_int_equal(take(&b, 500), 500);
}

/* Floats on one line are 7 cycles apart, on two in turn 11/4. */
static void test_floats(void **state)
{
    struct bench b;
    sim_cycle_t at = 0;

    (void)state;
    set_up(&b, &two);
    b.atom.type = ISA_T_F32;
    assert_int_equal(take_all(&b, 101), 700 - 16);
    set_up(&b, &two);
    b.atom.type = ISA_T_F32;
    for (uint32_t i = 0; i < 101; i++) {
        b.line.addr = i % 2 * 128; /* of the same unit */
        at = take(&b, at);
    }
    assert_int_equal(at, 275 - 16);
}

static void test_twice(void **state)
{
    struct bench b;

    (void)state;
    set_up(&b, &two);
    b.atom.sub = ISA_S_CAS;
    assert_int_equal(take_all(&b, 101), 275 - 16); /* one lane */
    set_up(&b, &two);
    b.atom.sub = ISA_S_CAS;
    b.atom.mask = 3;
    assert_int_equal(take_all(&b, 101), 550 - 16);
    set_up(&b, &two);
    b.atom.type = ISA_T_F64;
    b.line.sectors = 0xf; /* 88 quarters: more than the 7 cycles */
    assert_int_equal(take_all(&b, 101), 2200 - 16);
}

/* A busy unit holds up no other; 4 KB in a row are of one. */
static void test_units(void **state)
{
    struct bench b;

    (void)state;
    set_up(&b, &two);
    (void)take_all(&b, 101);
    b.line.addr = 4096 - 128;
    assert_true(take(&b, 0) > 0);
    b.line.addr = 4096;
    assert_int_equal(take(&b, 0), 0);
    b.line.addr = 3 * 4096; /* two bits of the number are set: the first unit */
    assert_true(take(&b, 0) > 0);
}

static void test_none(void **state)
{
    static const struct l2_atom_config none = {0};
    struct bench b;

    (void)state;
    set_up(&b, &none);
    b.atom.type = ISA_T_F32;
    assert_int_equal(take_all(&b, 1000), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sectors), cmocka_unit_test(test_idle),
        cmocka_unit_test(test_floats),  cmocka_unit_test(test_twice),
        cmocka_unit_test(test_units),   cmocka_unit_test(test_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
