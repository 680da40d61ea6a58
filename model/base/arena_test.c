#include "base/arena.h"
#include "base/nomem.h"

#include "base/attr.h"
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Out of memory is tested: let calloc() say so instead of ending the program. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static void alignment_and_zeroes(void **state)
{
    struct arena a;

    (void)state;
    arena_init(&a);
    for (size_t size = 0; size < 300; size++) {
        unsigned char *p = arena_alloc(&a, size);

        assert_int_equal((uintptr_t)p % (size >= 64 ? 64 : 16), 0);
        for (size_t i = 0; i < size; i++) {
            assert_int_equal(p[i], 0);
        }
        memset(p, 0xff, size);
    }
    assert_int_equal(a.bytes, 299 * 300 / 2 + 1);
    arena_free(&a);
    assert_int_equal(a.bytes, 0);
    assert_null(a.chunks);
}

static void empty_allocations_differ(void **state)
{
    struct arena a;
    void *p, *q;

    (void)state;
    arena_init(&a);
    p = arena_alloc(&a, 0);
    q = arena_alloc(&a, 0);
    assert_non_null(p);
    assert_ptr_not_equal(p, q);
    arena_free(&a);
}

/* More than a chunk, less, exactly at the end; what was handed out stays as it is. */
static void many_chunks(void **state)
{
    enum { N = 2000 };
    struct arena a;
    unsigned char *p[N];
    size_t size[N];
    uint64_t x = 1;

    (void)state;
    arena_init(&a);
    for (int i = 0; i < N; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        size[i] = (x >> 33) % (i % 100 == 0 ? 300000 : 2000) + 1;
        p[i] = arena_alloc(&a, size[i]);
        memset(p[i], i & 0xff, size[i]);
    }
    for (int i = 0; i < N; i++) {
        for (size_t j = 0; j < size[i]; j++) {
            assert_int_equal(p[i][j], i & 0xff);
        }
    }
    assert_non_null(arena_alloc(&a, (size_t)40 << 20));
    assert_non_null(arena_alloc(&a, (size_t)1 << 20)); /* chunks stop doubling */
    arena_free(&a);
}

static void strings(void **state)
{
    struct arena a;
    char text[200];

    (void)state;
    arena_init(&a);
    assert_string_equal(arena_strdup(&a, ""), "");
    assert_string_equal(arena_strdup(&a, "bank07"), "bank07");
    assert_string_equal(arena_printf(&a, "bank%02d", 7), "bank07");
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    for (size_t n = 60; n < 70; n++) { /* around the size of the first try */
        char *s = arena_printf(&a, "%.*s", (int)n, text);

        assert_int_equal(strlen(s), n);
        assert_memory_equal(s, text, n);
    }
    assert_string_equal(arena_printf(&a, "%s", text), text);
    arena_free(&a);
}

static void ask_for(void *arg)
{
    struct arena *const a = arg;
    static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 8, SIZE_MAX / 4};
    static uint32_t i;

    (void)arena_alloc(a, sizes[i++ % ARRAY_LEN(sizes)]);
}

static void no_memory_goes_to_the_guard(void **state)
{
    struct arena a;

    (void)state;
    arena_init(&a);
    for (uint32_t i = 0; i < 3; i++) {
        assert_false(nomem_try(ask_for, &a));
    }
    assert_non_null(arena_alloc(&a, 100)); /* it is still usable */
    arena_free(&a);
}

static jmp_buf out;

static void aborted(int signal_number)
{
    (void)signal_number;
    longjmp(out, 1);
}

static void no_memory_aborts_without_handler(void **state)
{
    struct arena a;
    void (*before)(int) = signal(SIGABRT, aborted);

    (void)state;
    arena_init(&a);
    if (setjmp(out) == 0) {
        arena_alloc(&a, SIZE_MAX);
        fail();
    }
    signal(SIGABRT, before);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alignment_and_zeroes),
        cmocka_unit_test(empty_allocations_differ),
        cmocka_unit_test(many_chunks),
        cmocka_unit_test(strings),
        cmocka_unit_test(no_memory_goes_to_the_guard),
        cmocka_unit_test(no_memory_aborts_without_handler),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
