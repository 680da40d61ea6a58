/* Accesses without a cost: the addresses that stand for those of the kernel. */
#include "mem/rules_ideal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static uint64_t given[ISA_LANES], made[ISA_LANES];

static struct rules_access strided(enum mem_op op, uint32_t bytes, uint64_t base,
                                   uint64_t stride)
{
    for (uint32_t i = 0; i < ISA_LANES; i++) {
        given[i] = base + stride * i;
    }
    memset(made, 0, sizeof(made));
    return (struct rules_access){.op = (uint8_t)op,
                                 .bytes = (uint8_t)bytes,
                                 .bank_mode = 4,
                                 .mask = UINT32_MAX,
                                 .addr = given};
}

/* On every capability what conflicts most needs the ideal wavefronts then. */
static void test_shared(void **state)
{
    const struct rules_cc *r;
    struct rules_waves waves;

    (void)state;
    for (uint32_t k = 0; (r = rules_entry(k)) != NULL; k++) {
        for (uint32_t bytes = 4; bytes <= 16; bytes *= 2) {
            struct rules_access a = strided(MEM_LOAD, bytes, 0, 128);
            uint32_t ideal;

            rules_shared(r, &a, &waves);
            assert_true(waves.n > waves.ideal);
            ideal = waves.ideal;
            ideal_shared(r, &a, made);
            a.addr = made;
            rules_shared(r, &a, &waves);
            assert_int_equal(waves.ideal, ideal);
            /* BANK-3: 128 bits take twice the passes there in any case */
            assert_int_equal(waves.n,
                             bytes == 16 && r->extra_way_128 ? 2 * ideal : ideal);
        }
    }
}

/* A column: four sectors of one line instead of 32. Thirty-two columns use each of the
 * lines once. */
static void test_columns(void **state)
{
    const struct rules_cc *r = rules_find(20);
    struct rules_lines lines;
    uint32_t used = 0;

    (void)state;
    for (uint32_t column = 0; column < 32; column++) {
        struct rules_access a = strided(MEM_LOAD, 4, 0x10000 + 4ull * column, 4096);

        rules_global(r, &a, &lines);
        assert_int_equal(lines.sectors, 32);
        ideal_global(&a, made);
        a.addr = made;
        rules_global(r, &a, &lines);
        assert_int_equal(lines.n, 1);
        assert_int_equal(lines.sectors, 4);
        assert_int_equal((lines.line[0].addr - 0x10000) % 4096, 0);
        used |= 1u << (lines.line[0].addr - 0x10000) / 4096;
    }
    assert_int_equal(used, UINT32_MAX);
}

/* Equal places stay equal, and lanes that do not take part do not count. */
static void test_places(void **state)
{
    struct rules_access a = strided(MEM_LOAD, 8, 0x10000, 0);
    uint8_t place[ISA_LANES];

    (void)state;
    assert_int_equal(ideal_places(&a, place), 1);
    assert_int_equal(ideal_sectors(1, a.bytes), 1);
    a = strided(MEM_LOAD, 8, 0x10000, 512);
    a.mask = 0x0000ff00;
    given[9] = given[8];
    assert_int_equal(ideal_places(&a, place), 7);
    assert_int_equal(place[8], 0);
    assert_int_equal(place[9], 0);
    assert_int_equal(place[15], 6);
    assert_int_equal(ideal_sectors(7, a.bytes), 2);
    ideal_global(&a, made);
    assert_int_equal(made[8], made[9]);
    assert_int_equal(made[15] - made[8], 48);
    a.mask = 0;
    memset(made, 0, sizeof(made));
    ideal_global(&a, made);
    assert_int_equal(made[0], 0);
}

/* Four words a lane: four lines, of those it touches. */
static void test_wide(void **state)
{
    struct rules_access a = strided(MEM_STORE, 16, 0x20000, 1024);
    struct rules_lines lines;

    (void)state;
    ideal_global(&a, made);
    a.addr = made;
    rules_global(rules_find(70), &a, &lines);
    assert_int_equal(lines.n, 4);
    assert_int_equal(lines.sectors, 16);
    for (uint32_t i = 0; i < lines.n; i++) {
        assert_int_equal((lines.line[i].addr - 0x20000) % 1024, 0);
        assert_true(lines.line[i].addr < 0x20000 + 32 * 1024);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_wide),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
