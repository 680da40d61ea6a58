/* What a request without time does to the bytes of its space: every shape of access
 * against bytes moved one by one. */
#include "sm/untimed_data.h"

#include "mem/rand_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BYTES = 4 << MEMORY_PAGE_BITS, TURNS = 200 };

static const struct {
    uint8_t size, vec;
} shapes[] = {{1, 1}, {1, 2}, {1, 4}, {2, 1}, {2, 2}, {2, 4},
              {4, 1}, {4, 2}, {4, 4}, {8, 1}, {8, 2}};

static struct mem_req req;
static uint8_t model[BYTES]; /* what the bytes should be */

static void shape(uint32_t i, enum mem_op op, enum isa_space space)
{
    memset(&req, 0, sizeof(req));
    req.op = (uint8_t)op;
    req.space = (uint8_t)space;
    req.size = shapes[i].size;
    req.vec = shapes[i].vec;
    req.words = (uint8_t)(req.vec << (req.size == 8));
}

/* Anywhere, side by side, or across two pages; distinct or not. */
static void draw(uint64_t *s, uint64_t base, uint64_t bytes)
{
    uint32_t span = (uint32_t)req.size * req.vec, how = rand_next(s) % 4;
    uint64_t page = (uint64_t)1 << MEMORY_PAGE_BITS;
    uint64_t from = how == 1 && bytes > 2 * page
                        ? page - 16 * span
                        : rand_next(s) % (bytes / span - ISA_LANES) * span;

    req.mask =
        rand_next(s) % 2 == 0 ? UINT32_MAX : (rand_next(s) ^ rand_next(s) << 16) | 1;
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        uint64_t at = how == 2   ? rand_next(s) % (bytes / span) * span
                      : how == 3 ? from
                                 : from + (uint64_t)l * span;

        req.addr[l] = base + at;
        for (uint32_t k = 0; k < 4; k++) {
            req.d[k][l] = rand_next(s);
        }
    }
}

/* Byte j of a lane's data. */
static uint8_t *byte_of(uint32_t lane, uint32_t j)
{
    uint32_t per_word = req.size < 4 ? req.size : 4;

    return (uint8_t *)&req.d[j / per_word][lane] + j % per_word;
}

static void store_model(uint64_t base, uint64_t (*place)(uint64_t at, uint32_t lane))
{
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        for (uint32_t j = 0;
             (req.mask >> l & 1u) != 0 && j < (uint32_t)req.size * req.vec; j++) {
            model[place(req.addr[l] - base + j, l)] = *byte_of(l, j);
        }
    }
}

static void check_loaded(uint64_t base, uint64_t (*place)(uint64_t at, uint32_t lane))
{
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        for (uint32_t j = 0;
             (req.mask >> l & 1u) != 0 && j < (uint32_t)req.size * req.vec; j++) {
            assert_int_equal(*byte_of(l, j), model[place(req.addr[l] - base + j, l)]);
        }
        for (uint32_t k = 0; req.size < 4 && k < req.words; k++) { /* zero-extended */
            assert_true((req.mask >> l & 1u) == 0 || req.d[k][l] >> 8 * req.size == 0);
        }
    }
}

static uint64_t straight(uint64_t at, uint32_t lane)
{
    (void)lane;
    return at;
}

/* SPEC LOCAL-1 */
static uint64_t by_lane(uint64_t at, uint32_t lane)
{
    return at / 4 * 128 + lane * 4 + at % 4;
}

static struct memory *new_memory(uint64_t *addr)
{
    struct memory *m = calloc(1, sizeof(*m));
    struct smw_err e;

    err_clear(&e);
    assert_non_null(m);
    assert_true(memory_init(m, 16 * BYTES, &e));
    assert_true(memory_alloc(m, 1 << MEMORY_PAGE_BITS, addr, &e));
    assert_true(memory_alloc(m, BYTES, addr, &e));
    memset(model, 0, sizeof(model));
    return m;
}

static void global(void **state)
{
    uint64_t base, s = 3;
    struct memory *m = new_memory(&base);
    struct untimed_pages pages = {.memory = m};

    (void)state;
    for (uint32_t i = 0; i < TURNS * ARRAY_LEN(shapes); i++) {
        shape(i % ARRAY_LEN(shapes), MEM_STORE, ISA_SP_GLOBAL);
        draw(&s, base, BYTES);
        store_model(base, straight);
        untimed_global(&pages, &req);
        shape(i % ARRAY_LEN(shapes), MEM_LOAD, ISA_SP_GLOBAL);
        draw(&s, base, BYTES);
        untimed_global(&pages, &req);
        check_loaded(base, straight);
    }
    for (uint32_t i = 0; i < BYTES; i += 997) { /* the host sees the same */
        uint8_t got[997];
        uint32_t n = BYTES - i < sizeof(got) ? BYTES - i : (uint32_t)sizeof(got);

        memory_read(m, base + i, got, n);
        assert_memory_equal(got, model + i, n);
    }
    memory_free(m);
    free(m);
}

/* Lanes one after the other: each gets what those before it made of the word. */
static void atomics(void **state)
{
    static const struct isa_uop add = {.form = {.sub = ISA_S_ADD, .type = ISA_T_U32}},
                                wide = {.form = {.sub = ISA_S_MAX, .type = ISA_T_U64}};
    uint64_t base, now;
    struct memory *m = new_memory(&base);
    struct untimed_pages pages = {.memory = m};
    uint32_t sum = 0;

    (void)state;
    shape(6, MEM_ATOM, ISA_SP_GLOBAL);
    req.uop = &add;
    req.mask = 0xfff0fff1;
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        req.addr[l] = base + 40;
        req.d[0][l] = l + 1;
    }
    untimed_global(&pages, &req);
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        if ((req.mask >> l & 1u) != 0) {
            assert_int_equal(req.d[0][l], sum);
            sum += l + 1;
        }
    }
    memory_read(m, base + 40, &now, 4);
    assert_int_equal((uint32_t)now, sum);

    shape(9, MEM_RED, ISA_SP_GLOBAL);
    req.uop = &wide;
    req.mask = UINT32_MAX;
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        req.addr[l] = base + 64 + 8 * (l % 2);
        req.d[1][l] = 7 * l % 32;
    }
    untimed_global(&pages, &req);
    memory_read(m, base + 64, &now, 8);
    assert_int_equal(now >> 32, 30);
    memory_read(m, base + 72, &now, 8);
    assert_int_equal(now >> 32, 31);
    memory_free(m);
    free(m);
}

static void local(void **state)
{
    static uint8_t bytes[ISA_LANES * 256];
    uint64_t s = 5;

    (void)state;
    memset(model, 0, sizeof(model));
    for (uint32_t i = 0; i < TURNS * ARRAY_LEN(shapes); i++) {
        shape(i % ARRAY_LEN(shapes), MEM_STORE, ISA_SP_LOCAL);
        draw(&s, 0, 1024); /* of which a lane has 256 */
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            req.addr[l] %= 256;
        }
        store_model(0, by_lane);
        untimed_local(bytes, &req);
        req.op = MEM_LOAD;
        memset(req.d, 0xee, sizeof(req.d));
        untimed_local(bytes, &req);
        check_loaded(0, by_lane);
    }
    assert_memory_equal(bytes, model, sizeof(bytes));
}

static void constants(void **state)
{
    uint64_t s = 7;

    (void)state;
    for (uint32_t i = 0; i < BYTES; i++) {
        model[i] = (uint8_t)(i * 31 + (i >> 8));
    }
    for (uint32_t i = 0; i < TURNS * ARRAY_LEN(shapes); i++) {
        shape(i % ARRAY_LEN(shapes), MEM_LOAD, ISA_SP_CONST);
        draw(&s, 0, BYTES);
        untimed_const(model, &req);
        check_loaded(0, straight);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(global),
        cmocka_unit_test(atomics),
        cmocka_unit_test(local),
        cmocka_unit_test(constants),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
