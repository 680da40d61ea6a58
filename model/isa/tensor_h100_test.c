/*
 * Tensor maps against an H100's driver: the 128 bytes of drawn maps, and which it refuses
 * (tensor_maps.csv); what comes to shared memory of drawn boxes (tensor_loads.csv), and
 * what goes back (tensor_stores.csv). All made by testbench/fidelity/bulk.cu.
 */
#include "isa/tensor.h"
#include "isa/uop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { AREA = 49152, SPACE = 1 << 20, UNTOUCHED = 0xa5 };

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_maps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
