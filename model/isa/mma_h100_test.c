/*
 * Products of matrices against an H100: hashes of what testbench/fidelity/mma.cu got
 * there, of every form. The first 1,024 products of each; with the argument "all", all
 * of them, 5 million.
 */
#include "isa/mma_shapes_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static bool wants_all;

/* first 0 and more than a block: over the hashes of all its blocks. */
static uint64_t hash_of_all(struct mma_run *m, uint32_t n, uint32_t block)
{
    uint64_t h = H100_HASH;

    for (uint32_t i = 0; i < n; i += block) {
        const uint64_t one = mma_hash_of(m, i, block);

        h = h100_hash(h100_hash(h, (uint32_t)one), (uint32_t)(one >> 32));
    }
    return h;
}

static void test_hashes(void **state)
{
    enum { BLOCK = 1024 };
    FILE *const f = fopen(SMW_DATA "/h100/mma.csv", "r");
    static struct mma_run m;
    uint32_t forms = 0, rows = 0;
    char line[H100_LINE];

    (void)state;
    assert_non_null(f);
    while (h100_line(f, line)) {
        const struct h100_products p = h100_products_of(line);

        assert_int_not_equal(p.n, 0);
        forms += p.n > BLOCK;
        if (!wants_all && (p.n > BLOCK || p.first > 0)) {
            continue;
        }
        assert_true(mma_begin(&m, p.form, 90));
        const uint64_t got =
            p.n > BLOCK ? hash_of_all(&m, p.n, BLOCK) : mma_hash_of(&m, p.first, p.n);

        if (got != p.hash) {
            fail_msg("%s: %u products from number %u on are not those of the H100",
                     p.form, p.n, p.first);
        }
        rows++;
    }
    (void)fclose(f);
    assert_int_equal(forms, 60);
    assert_true(rows >= forms);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hashes),
    };

    wants_all = argc > 1 && strcmp(argv[1], "all") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
