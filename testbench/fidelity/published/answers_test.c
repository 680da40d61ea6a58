/* Which outputs pass: of each kind one that is right, and it with one word changed. */
#include "answers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { WIDTH = 64, WORDS = WIDTH * WIDTH };

static uint32_t out[WORDS];

static struct row matrix(enum row_does does)
{
    return (struct row){.does = does, .words = WORDS, .argument = WIDTH};
}

/* Right as it is; wrong with any word changed that is looked at. */
static void passes_only_unchanged(const struct row *r, uint32_t launches)
{
    assert_true(answers_are_right(r, out, launches));
    out[5] ^= 1;
    assert_false(answers_are_right(r, out, launches));
}

static void copy(void **state)
{
    const struct row r = matrix(ROW_COPY);

    (void)state;
    for (uint32_t i = 0; i < WORDS; i++) {
        out[i] = answers_input(&r, i);
    }
    passes_only_unchanged(&r, 1);
}

/* Word (x, y) of the input goes where each kind says; tiles have 32 by 32 words. */
static void tiles(void **state)
{
    const struct row whole = matrix(ROW_TRANSPOSE), inside = matrix(ROW_INSIDE);
    const struct row moved = matrix(ROW_MOVED);

    (void)state;
    for (uint32_t y = 0; y < WIDTH; y++) {
        for (uint32_t x = 0; x < WIDTH; x++) {
            out[x * WIDTH + y] = answers_input(&whole, y * WIDTH + x);
        }
    }
    assert_false(answers_are_right(&inside, out, 1));
    assert_false(answers_are_right(&moved, out, 1));
    passes_only_unchanged(&whole, 1);
    for (uint32_t y = 0; y < WIDTH; y++) {
        for (uint32_t x = 0; x < WIDTH; x++) {
            out[(y / 32 * 32 + x % 32) * WIDTH + x / 32 * 32 + y % 32] =
                answers_input(&inside, y * WIDTH + x);
        }
    }
    passes_only_unchanged(&inside, 1);
    for (uint32_t y = 0; y < WIDTH; y++) {
        for (uint32_t x = 0; x < WIDTH; x++) {
            out[(x / 32 * 32 + y % 32) * WIDTH + y / 32 * 32 + x % 32] =
                answers_input(&moved, y * WIDTH + x);
        }
    }
    passes_only_unchanged(&moved, 1);
}

/* Two blocks' sums; how the words are split between them is their business. */
static void sum(void **state)
{
    struct row r = matrix(ROW_SUM);

    (void)state;
    r.grid[0] = 6;
    memset(out, 0, sizeof(out));
    for (uint32_t i = 0; i < WORDS; i++) {
        out[i % 2] += answers_input(&r, i);
    }
    passes_only_unchanged(&r, 1);
    assert_true(answers_bytes(&r) == 4.0 * WORDS);
}

static void float_at(uint32_t i, float f)
{
    memcpy(&out[i], &f, sizeof(f));
}

/* Four threads: words 2 to 5 behind an offset of 2; words 0, 3, 6, 9 with a stride. */
static void added(void **state)
{
    struct row r = {.kernel = "add_offset",
                    .does = ROW_ADD,
                    .words = 12,
                    .argument = 2,
                    .grid = {2, 1},
                    .block = {2, 1}};

    (void)state;
    for (uint32_t i = 0; i < 12; i++) {
        float_at(i, (float)i + (i >= 2 && i < 6 ? 2 : 0));
    }
    assert_false(answers_are_right(&r, out, 1));
    passes_only_unchanged(&r, 2);
    strcpy(r.kernel, "add_stride");
    r.argument = 3;
    for (uint32_t i = 0; i < 12; i++) {
        float_at(i, (float)i + (i % 3 == 0 ? 1 : 0));
    }
    passes_only_unchanged(&r, 1);
    assert_true(answers_bytes(&r) == 8.0 * 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copy), cmocka_unit_test(tiles),
                                       cmocka_unit_test(sum), cmocka_unit_test(added)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
