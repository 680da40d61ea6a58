/* What the host has written since it was seen: by pieces of 4 KiB. */
#include "gpu/written.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

enum { PIECE = 4096, N = 3000 };

static uint8_t *pages(void)
{
    uint8_t *p = aligned_alloc(PIECE, (size_t)N * PIECE);

    assert_non_null(p);
    memset(p, 0, (size_t)N * PIECE);
    return p;
}

static void test_pieces(void **state)
{
    struct written w = {0};
    uint8_t *p = pages();

    (void)state;
    assert_int_equal(written_bytes(&w, p, 2 * PIECE), 0); /* zeros, never seen */
    p[PIECE + 7] = 1;
    assert_int_equal(written_bytes(&w, p, 2 * PIECE), PIECE);
    assert_int_equal(written_bytes(&w, p + PIECE, 8), 8);
    assert_int_equal(written_bytes(&w, p + PIECE, 7), 0);
    written_see(&w, p, 2 * PIECE);
    assert_int_equal(written_bytes(&w, p, 2 * PIECE), 0);
    p[0] = 2;
    p[2 * PIECE] = 3;
    assert_int_equal(written_bytes(&w, p, 2 * PIECE + 5), PIECE + 5);
    p[0] = 0; /* as it was */
    assert_int_equal(written_bytes(&w, p, 2 * PIECE + 5), 5);
    p[PIECE + 7] = 0;
    assert_int_equal(written_bytes(&w, p, 2 * PIECE), PIECE);
    /* begins and ends within pieces */
    assert_int_equal(written_bytes(&w, p + PIECE - 3, 3 + PIECE + 2), PIECE + 2);
    written_free(&w);
    free(p);
}

/* More than the table had room for at first. */
static void test_many(void **state)
{
    struct written w = {0};
    uint8_t *p = pages();

    (void)state;
    for (uint32_t i = 0; i < N; i++) {
        p[(size_t)i * PIECE + i] = 1;
    }
    assert_int_equal(written_bytes(&w, p, (uint64_t)N * PIECE), (uint64_t)N * PIECE);
    written_see(&w, p, (uint64_t)N * PIECE);
    assert_int_equal(written_bytes(&w, p, (uint64_t)N * PIECE), 0);
    p[0] = 9;
    p[(size_t)N * PIECE - 1] = 9;
    assert_int_equal(written_bytes(&w, p, (uint64_t)N * PIECE), 2 * PIECE);
    written_free(&w);
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
