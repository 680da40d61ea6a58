#include "check/pages.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { N = 1000 };

/* Pages near and far, many more than there are slots at first. */
static uint64_t number(uint32_t i)
{
    return i % 2 == 0 ? i : (1ull << 31) + i * 4099ull;
}

static void every_page_is_its_own(void **state)
{
    struct pages p = {0};
    uint32_t *was[N];

    (void)state;
    assert_null(pages_find(&p, 0));
    for (uint32_t i = 0; i < N; i++) {
        assert_null(pages_find(&p, number(i)));
        was[i] = pages_get(&p, number(i), 64);
        assert_int_equal(was[i][0] | was[i][15], 0);
        was[i][0] = i;
    }
    for (uint32_t i = 0; i < N; i++) {
        assert_ptr_equal(pages_find(&p, number(i)), was[i]);
        assert_ptr_equal(pages_get(&p, number(i), 64), was[i]);
        assert_int_equal(was[i][0], i);
    }
    assert_null(pages_find(&p, 12345677));
    assert_int_equal(p.n, N);
    pages_free(&p);
    assert_null(pages_find(&p, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_page_is_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
