#include "base/list.h"

#include "base/attr.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct item {
    int value;
    struct list node;
};

static void push_and_remove(void **state)
{
    struct list head;
    struct item item[3] = {{.value = 0}, {.value = 1}, {.value = 2}};
    int want = 0;

    (void)state;
    list_init(&head);
    assert_true(list_is_empty(&head));
    for (int i = 0; i < 3; i++) {
        list_init(&item[i].node);
        list_push(&head, &item[i].node);
    }
    assert_false(list_is_empty(&head));
    for (struct list *n = head.next; n != &head; n = n->next) {
        assert_int_equal(container_of(n, struct item, node)->value, want++);
    }
    assert_int_equal(want, 3);
    list_remove(&item[1].node);
    list_remove(&item[1].node); /* harmless */
    assert_ptr_equal(head.next, &item[0].node);
    assert_ptr_equal(head.next->next, &item[2].node);
    assert_ptr_equal(head.prev, &item[2].node);
    list_remove(&item[0].node);
    list_remove(&item[2].node);
    assert_true(list_is_empty(&head));
}

static void push_before_any_node(void **state)
{
    struct list head, a, b;

    (void)state;
    list_init(&head);
    list_push(&head, &a);
    list_push(&a, &b);
    assert_ptr_equal(head.next, &b);
    assert_ptr_equal(b.next, &a);
    assert_ptr_equal(a.next, &head);
    assert_ptr_equal(head.prev, &a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(push_and_remove),
        cmocka_unit_test(push_before_any_node),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
