/*
 * Tensor maps against an H100's driver: the 128 bytes of drawn maps, and which it
 * refuses (tensor_maps.csv); what comes to shared memory of drawn boxes
 * (tensor_loads.csv), and what goes back (tensor_stores.csv). All made by
 * testbench/fidelity/bulk.cu.
 */
#include "isa/tensor.h"
#include "isa/uop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    AREA = 49152,
    SPACE = 1 << 20,
    UNTOUCHED = 0xa5,
    LEAST_LOADS = 370,
    LEAST_STORES = 140
};

/* A row begins with the columns of a map. */
struct row {
    char line[1024];
    char *next; /* of the columns */
    struct isa_tensor t;
    unsigned fill;
};

static FILE *open_table(const char *name, struct row *r)
{
    char path[512];
    FILE *f;

    (void)snprintf(path, sizeof(path), "%s/h100/%s", SMW_DATA, name);
    f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(r->line, sizeof(r->line), f)); /* the names of the columns */
    return f;
}

static char *column(struct row *r)
{
    char *const at = r->next;

    r->next = at + strcspn(at, ",\n");
    if (*r->next != '\0') {
        *r->next++ = '\0';
    }
    return at;
}

static uint32_t numbers(struct row *r, uint64_t *out, uint32_t most)
{
    char *at = column(r);
    uint32_t n = 0;

    while (*at != '\0' && n < most) {
        out[n++] = (uint64_t)strtoll(at, &at, 10);
    }
    return n;
}

static bool next_row(FILE *f, struct row *r)
{
    uint64_t v[6];

    if (fgets(r->line, sizeof(r->line), f) == NULL) {
        return false;
    }
    r->next = r->line;
    memset(&r->t, 0, sizeof(r->t));
    r->t.type = (uint8_t)atoi(column(r));
    r->t.rank = (uint8_t)atoi(column(r));
    r->t.interleave = (uint8_t)atoi(column(r));
    r->t.swizzle = (uint8_t)atoi(column(r));
    r->t.promotion = (uint8_t)atoi(column(r));
    r->fill = (unsigned)atoi(column(r));
    r->t.nan_fill = r->fill != 0;
    r->t.base = strtoull(column(r), NULL, 16);
    (void)numbers(r, r->t.dim, ISA_TENSOR_RANKS);
    (void)numbers(r, r->t.stride + 1, ISA_TENSOR_RANKS - 1);
    for (uint32_t k = 0; k < 2; k++) {
        const uint32_t n = numbers(r, v, ISA_TENSOR_RANKS);

        for (uint32_t d = 0; d < n; d++) {
            (k == 0 ? r->t.box : r->t.step)[d] = (uint32_t)v[d];
        }
    }
    return true;
}

/* The driver knows more types, and fewer ways to fill, than a map of ours can say. */
static bool can_be_said(const struct row *r)
{
    return r->t.type < ISA_TENSOR_TYPES && r->fill < 2 && r->t.promotion < 4;
}

static void test_maps(void **state)
{
    struct row r;
    FILE *f = open_table("tensor_maps.csv", &r);
    uint32_t n_same = 0, n_refused = 0;

    (void)state;
    while (next_row(f, &r)) {
        const bool taken = atoi(column(&r)) == 0;
        uint64_t want[ISA_TENSOR_BYTES / 8], got[ISA_TENSOR_BYTES / 8];
        struct isa_tensor back;

        if (!can_be_said(&r)) {
            assert_false(taken);
            n_refused++;
            continue;
        }
        assert_int_equal(isa_tensor_wrong(&r.t) == NULL, taken);
        if (!taken) {
            n_refused++;
            continue;
        }
        for (uint32_t i = 0; i < ISA_TENSOR_BYTES / 8; i++) {
            want[i] = strtoull(r.next, &r.next, 16);
        }
        isa_tensor_write(&r.t, (uint8_t *)got);
        assert_memory_equal(got, want, sizeof(got));
        assert_true(isa_tensor_read((const uint8_t *)got, &back));
        back.stride[0] = 0;
        assert_memory_equal(&back, &r.t, sizeof(back));
        n_same++;
    }
    (void)fclose(f);
    print_message("%u maps, %u refused\n", n_same, n_refused);
    assert_true(n_same > 400 && n_refused > 100);
}

/* ---- boxes ---- */

/* Byte i of what global memory begins with, and of shared memory before a store. */
static uint8_t global_byte(uint32_t i)
{
    return (uint8_t)(i * 2654435761u >> 24 ^ i);
}

static uint8_t shared_byte(uint32_t i)
{
    return (uint8_t)(i * 40503u >> 7 ^ i);
}

static uint64_t hash(const uint8_t *p, uint32_t n)
{
    uint64_t h = 0xcbf29ce484222325;

    for (uint32_t i = 0; i < n; i++) {
        h = (h ^ p[i]) * 0x100000001b3;
    }
    return h;
}

/* Coordinates of the box, the place in shared memory, and the bytes of global memory,
 * which begin with the tensor's address less what is below 256 of it. */
struct box {
    int32_t coord[ISA_TENSOR_RANKS];
    uint32_t at, grain, bytes;
    uint8_t *global, *shared;
};

static void next_box(struct row *r, struct box *b, bool stores)
{
    uint64_t v[ISA_TENSOR_RANKS];
    const uint32_t n = numbers(r, v, ISA_TENSOR_RANKS);

    for (uint32_t d = 0; d < n; d++) {
        b->coord[d] = (int32_t)v[d];
    }
    b->at = (uint32_t)atoi(column(r));
    r->t.stride[0] = isa_tensor_size(r->t.type);
    b->grain = isa_tensor_grain(&r->t, b->coord, stores);
    b->bytes = isa_tensor_box(&r->t);
}

/* One piece after the other, in the direction that it has. */
static void move(const struct row *r, const struct box *b, bool stores)
{
    uint8_t none[16];

    isa_tensor_fill(&r->t, none);
    for (uint32_t k = 0; k < b->bytes; k += b->grain) {
        uint8_t *const shared = b->shared + isa_tensor_place(&r->t, b->at, k);
        uint64_t addr;
        const bool inside = isa_tensor_find(&r->t, b->coord, k, &addr);

        if (inside && stores) {
            memcpy(b->global + (addr - r->t.base / 256 * 256), shared, b->grain);
        } else if (!stores) {
            memcpy(shared, inside ? b->global + (addr - r->t.base / 256 * 256) : none,
                   b->grain);
        }
        for (uint32_t i = 0; i < b->grain && inside && !stores; i += 4) {
            uint32_t word;

            memcpy(&word, shared + i, sizeof(word));
            word = isa_tensor_loaded(word);
            memcpy(shared + i, &word, isa_tensor_converts(&r->t) ? sizeof(word) : 0);
        }
    }
}

static struct box new_box(void)
{
    return (struct box){.global = malloc(SPACE), .shared = malloc(AREA)};
}

static void free_box(struct box *b)
{
    free(b->global);
    free(b->shared);
}

static void test_loads(void **state)
{
    struct row r;
    FILE *f = open_table("tensor_loads.csv", &r);
    struct box b = new_box();
    uint32_t n = 0, n_wrong = 0;

    (void)state;
    for (uint32_t i = 0; i < SPACE; i++) {
        b.global[i] = global_byte(i);
    }
    while (next_row(f, &r)) {
        const char *bytes;
        bool came;

        next_box(&r, &b, false);
        bytes = column(&r);
        came = *column(&r) == '1';
        assert_true(came || b.bytes != (uint32_t)atoi(bytes));
        memset(b.shared, UNTOUCHED, AREA);
        move(&r, &b, false);
        n++;
        if (hash(b.shared, AREA) != strtoull(column(&r), NULL, 16)) {
            print_message("load %u differs: %s\n", n, r.line);
            n_wrong++;
        }
    }
    (void)fclose(f);
    free_box(&b);
    print_message("%u loads\n", n);
    assert_int_equal(n_wrong, 0);
    assert_true(n >= LEAST_LOADS);
}

/* Those that reduce are passed over. */
static void test_stores(void **state)
{
    struct row r;
    FILE *f = open_table("tensor_stores.csv", &r);
    struct box b = new_box();
    uint32_t n = 0, n_wrong = 0;

    (void)state;
    while (next_row(f, &r)) {
        next_box(&r, &b, true);
        if (strcmp(column(&r), "store") != 0) {
            continue;
        }
        for (uint32_t i = 0; i < SPACE; i++) {
            b.global[i] = global_byte(i);
        }
        for (uint32_t i = 0; i < AREA; i++) {
            b.shared[i] = shared_byte(i);
        }
        move(&r, &b, true);
        n++;
        if (hash(b.global, SPACE) != strtoull(column(&r), NULL, 16)) {
            print_message("store %u differs: %s\n", n, r.line);
            n_wrong++;
        }
    }
    (void)fclose(f);
    free_box(&b);
    print_message("%u stores\n", n);
    assert_int_equal(n_wrong, 0);
    assert_true(n >= LEAST_STORES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_stores),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
