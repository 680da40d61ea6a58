#include "runtime/handles.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MANY = 5000 };

static char key[MANY];

static void kinds_are_apart(void **state)
{
    struct rt_handles h = {0};
    int a, b;

    (void)state;
    assert_null(rt_handle_find(&h, RT_STREAM, key));
    assert_true(rt_handle_add(&h, RT_STREAM, key, &a));
    assert_true(rt_handle_add(&h, RT_EVENT, key, &b));
    assert_ptr_equal(rt_handle_find(&h, RT_STREAM, key), &a);
    assert_ptr_equal(rt_handle_find(&h, RT_EVENT, key), &b);
    assert_null(rt_handle_find(&h, RT_GRAPH, key));
    assert_true(rt_handle_add(&h, RT_STREAM, key, &b));
    assert_ptr_equal(rt_handle_find(&h, RT_STREAM, key), &b);
    rt_handle_remove(&h, RT_STREAM, key);
    rt_handle_remove(&h, RT_STREAM, key);
    assert_null(rt_handle_find(&h, RT_STREAM, key));
    assert_ptr_equal(rt_handle_find(&h, RT_EVENT, key), &b);
    rt_handles_free(&h);
}

/* Handles come and go; the table stays as large as those that are there need. */
static void many_come_and_go(void **state)
{
    struct rt_handles h = {0};

    (void)state;
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < MANY; i++) {
            assert_true(rt_handle_add(&h, RT_EVENT, &key[i], &key[i]));
        }
        for (int i = 0; i < MANY; i++) {
            assert_ptr_equal(rt_handle_find(&h, RT_EVENT, &key[i]), &key[i]);
            if (i % 3 != 0 || round == 19) {
                rt_handle_remove(&h, RT_EVENT, &key[i]);
            }
        }
    }
    assert_int_equal(h.n, 0);
    assert_true(h.cap <= 16 * MANY);
    rt_handles_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_are_apart),
        cmocka_unit_test(many_come_and_go),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
