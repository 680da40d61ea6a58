/*
 * Shared memory of ldmatrix and stmatrix against the counters of an H100: 34 patterns
 * of addresses, 12 instructions each (SPEC BANK-12).
 */
#include "mem/matrix_rows_test.h"
#include "mem/rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void test_counters(void **state)
{
    FILE *const f = fopen(SMW_DATA "/h100/matrix_rows.csv", "r");
    const struct rules_cc *const rules = rules_find(90);
    uint32_t rows = 0;
    char line[256];

    (void)state;
    assert_non_null(f);
    while (fgets(line, sizeof(line), f) != NULL) {
        uint64_t addr[ISA_LANES];
        uint32_t pattern, n, waves, conflicts;
        struct rules_waves w;
        char kind[3];

        if (line[0] == '#') {
            continue;
        }
        if (sscanf(line, "%u,%2[a-z]%u,%u,%u", &pattern, kind, &n, &waves,
                   &conflicts) != 5) {
            assert_int_equal(sscanf(line, "%u,%2[a-z]%ut,%u,%u", &pattern, kind, &n,
                                    &waves, &conflicts),
                             5);
        }
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            addr[l] = pattern_row(pattern, l);
        }
        const struct rules_access a = {.op = kind[0] == 'l' ? MEM_LOAD : MEM_STORE,
                                       .bytes = 16,
                                       .bank_mode = 4,
                                       .rows = true,
                                       .mask = n == 4 ? UINT32_MAX : (1u << 8 * n) - 1,
                                       .addr = addr};

        rules_shared(rules, &a, &w);
        if (w.n != waves || w.n - w.ideal != conflicts) {
            fail_msg("pattern %u, %s of %u: %u wavefronts, %u conflicts, not %u and %u",
                     pattern, kind, n, w.n, w.n - w.ideal, waves, conflicts);
        }
        rows++;
    }
    (void)fclose(f);
    assert_int_equal(rows, 12 * PATTERN_MANY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
