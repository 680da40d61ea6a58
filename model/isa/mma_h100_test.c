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
    uint64_t h = 0xcbf29ce484222325ull;

    for (uint32_t i = 0; i < n; i += block) {
        const uint64_t one = mma_hash_of(m, i, block);

        h = mma_hash(mma_hash(h, (uint32_t)one), (uint32_t)(one >> 32));
    }
    return h;
}

static void test_hashes(void **state)
{
    enum { BLOCK = 1024 };
    FILE *const f = fopen(SMW_DATA "/h100/mma.csv", "r");
    static struct mma_run m;
    uint32_t forms = 0, rows = 0;
    char line[256];

    (void)state;
    assert_non_null(f);
    while (fgets(line, sizeof(line), f) != NULL) {
        char name[64];
        uint32_t first, n;
        unsigned long long want;

        if (line[0] == '#') {
            continue;
        }
        assert_int_equal(sscanf(line, "%63[^,],%u,%u,%llx", name, &first, &n, &want),
                         4);
        forms += n > BLOCK;
        if (!wants_all && (n > BLOCK || first > 0)) {
            continue;
        }
        assert_true(mma_begin(&m, name, 90));
        const uint64_t got =
            n > BLOCK ? hash_of_all(&m, n, BLOCK) : mma_hash_of(&m, first, n);

        if (got != want) {
            fail_msg("%s: %u products from number %u on are not those of the H100",
                     name, n, first);
        }
        rows++;
    }
    (void)fclose(f);
    assert_int_equal(forms, 68);
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
