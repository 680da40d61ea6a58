/* Memory that runs out comes back to the guard, from any depth. */
#include "base/arena.h"
#include "base/nomem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The address sanitizer's allocator ends the process by default. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

struct work {
    uint32_t depth, reached;
    bool fails;
    struct arena arena;
};

static void go_deep(void *arg)
{
    struct work *const w = arg;

    w->reached++;
    if (w->reached < w->depth) {
        go_deep(w);
    } else if (w->fails) {
        (void)nomem_check(NULL);
    }
    w->reached += 100; /* not in what was left */
}

static void test_whole(void **state)
{
    struct work w = {.depth = 3};

    (void)state;
    assert_true(nomem_try(go_deep, &w));
    assert_int_equal(w.reached, 303);
}

static void test_out(void **state)
{
    struct work w = {.depth = 3, .fails = true};

    (void)state;
    assert_false(nomem_try(go_deep, &w));
    assert_int_equal(w.reached, 3);
    assert_false(nomem_try(go_deep, &w)); /* and again */
}

static void inside(void *arg)
{
    struct work *const w = arg;

    assert_false(nomem_try(go_deep, w));
    w->reached = 7;
    nomem();
}

static void test_innermost(void **state)
{
    struct work w = {.depth = 1, .fails = true};

    (void)state;
    assert_false(nomem_try(inside, &w));
    assert_int_equal(w.reached, 7);
}

static void too_much(void *arg)
{
    struct work *const w = arg;

    (void)arena_alloc(&w->arena, SIZE_MAX / 2);
}

/* What an arena has handed out is there still, and can be freed. */
static void test_arena(void **state)
{
    struct work w = {0};
    char *text;

    (void)state;
    arena_init(&w.arena);
    text = arena_strdup(&w.arena, "here");
    assert_false(nomem_try(too_much, &w));
    assert_string_equal(text, "here");
    assert_non_null(arena_alloc(&w.arena, 100));
    arena_free(&w.arena);
}

static void allocate(void *arg)
{
    uint32_t **const p = arg;

    *p = nomem_calloc(4, sizeof(**p));
    assert_int_equal((*p)[3], 0);
    (*p)[3] = 5;
    *p = nomem_realloc(*p, 8 * sizeof(**p));
    assert_int_equal((*p)[3], 5);
    *p = nomem_realloc(*p, SIZE_MAX / 2); /* it is as it was */
}

static void test_plain(void **state)
{
    uint32_t *p = NULL;

    (void)state;
    assert_false(nomem_try(allocate, &p));
    assert_int_equal(p[3], 5);
    free(p);
}

static void test_text(void **state)
{
    char words[200], *text = NULL;
    size_t room = 0;

    (void)state;
    for (size_t n = 0; n < sizeof(words); n++) {
        memset(words, 'w', n);
        words[n] = '\0';
        text = nomem_put_text(text, &room, words);
        assert_string_equal(text, words);
        assert_in_range(room, n + 1, 2 * sizeof(words));
    }
    assert_string_equal(nomem_put_text(text, &room, "short"), "short");
    assert_in_range(room, sizeof(words), 2 * sizeof(words));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),     cmocka_unit_test(test_out),
        cmocka_unit_test(test_innermost), cmocka_unit_test(test_arena),
        cmocka_unit_test(test_plain),     cmocka_unit_test(test_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
