#include "run/expect.h"

#include "io/file.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *expect_form(const struct launch_expect *x)
{
    switch (x->check) {
    case CHECK_EQUALS: return "equals";
    case CHECK_FNV1A: return "fnv1a";
    case CHECK_SUM: return "sum";
    }
    return "";
}

/* Bits of a float as a number that grows with it: neighbours differ by 1, and 0 and -0
 * not at all. */
static uint64_t rank_of(enum value_type type, const void *data, uint64_t i)
{
    const uint32_t size = value_type_size(type);
    const uint64_t middle = UINT64_C(1) << (8 * size - 1);
    uint64_t bits = 0;

    for (uint32_t b = 0; b < size; b++) {
        bits |= (uint64_t)((const unsigned char *)data)[i * size + b] << 8 * b;
    }
    return (bits & middle) != 0 ? middle - (bits & (middle - 1)) : middle + bits;
}

static bool near_enough(const struct launch_expect *x, enum value_type type,
                        const void *got, const void *want, uint64_t i)
{
    const uint64_t a = rank_of(type, got, i), b = rank_of(type, want, i);

    return (a > b ? a - b : b - a) <= x->ulp;
}

/* Same value: same bits, or equal as numbers (0 and -0), or both not a number. */
static bool same(const struct launch_expect *x, enum value_type type, const void *got,
                 const void *want, uint64_t i)
{
    uint32_t size = value_type_size(type);
    double a, b;

    if (memcmp((const char *)got + i * size, (const char *)want + i * size, size) ==
        0) {
        return true;
    }
    if (!value_type_is_float(type) && x->tolerance == 0 && x->relative == 0) {
        return false;
    }
    a = value_as_f64(type, got, i);
    b = value_as_f64(type, want, i);
    if (a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= x->tolerance) {
        return true;
    }
    if (isnan(a) || isnan(b)) {
        return false;
    }
    return (x->relative != 0 && fabs(a - b) <= x->relative * fabs(b)) ||
           (x->ulp != 0 && near_enough(x, type, got, want, i));
}

static void compare(const struct launch_expect *x, enum value_type type,
                    const void *got, const void *want, struct expect_result *r)
{
    uint64_t first = 0;
    char g[64], w[64];

    for (uint64_t i = 0; i < r->count; i++) {
        if (!same(x, type, got, want, i)) {
            first = r->wrong == 0 ? i : first;
            r->wrong++;
        }
    }
    r->ok = r->wrong == 0;
    snprintf(r->what, sizeof(r->what), "%.64s: %" PRIu64 " %s as expected", x->name,
             r->count, r->count == 1 ? "element" : "elements");
    if (!r->ok) {
        value_print(type, got, first, g, sizeof(g));
        value_print(type, want, first, w, sizeof(w));
        snprintf(r->wrong_what, sizeof(r->wrong_what),
                 "'%.64s' is wrong in %" PRIu64 " of %" PRIu64 " elements", x->name,
                 r->wrong, r->count);
        snprintf(r->detail, sizeof(r->detail),
                 "the first is [%" PRIu64 "]: got %s, expected %s", first, g, w);
    }
}

static void check_hash(const struct launch_expect *x, const void *got, uint64_t bytes,
                       struct expect_result *r)
{
    uint64_t hash = value_fnv1a(got, bytes);

    r->ok = hash == x->fnv1a;
    snprintf(r->what, sizeof(r->what),
             "%.64s: fnv1a %016" PRIx64 " over %" PRIu64 " elements", x->name, hash,
             r->count);
    if (!r->ok) {
        snprintf(r->wrong_what, sizeof(r->wrong_what),
                 "'%.64s' has fnv1a %016" PRIx64 ", expected %016" PRIx64, x->name,
                 hash, x->fnv1a);
    }
}

/* Compensated: exact as long as the sum and the elements fit 53 bits, and close to
 * correctly rounded otherwise. */
static double sum(enum value_type type, const void *got, uint64_t count)
{
    double total = 0, carry = 0;

    for (uint64_t i = 0; i < count; i++) {
        double v = value_as_f64(type, got, i);
        double t = total + v;

        carry += fabs(total) >= fabs(v) ? (total - t) + v : (v - t) + total;
        total = t;
    }
    return isfinite(total) != 0 ? total + carry : total;
}

static void check_sum(const struct launch_expect *x, enum value_type type,
                      const void *got, struct expect_result *r)
{
    double total = sum(type, got, r->count);

    r->ok = total == x->sum || fabs(total - x->sum) <= x->tolerance ||
            (x->relative != 0 && fabs(total - x->sum) <= x->relative * fabs(x->sum));
    snprintf(r->what, sizeof(r->what), "%.64s: sum of %" PRIu64 " elements is %.17g",
             x->name, r->count, total);
    if (!r->ok) {
        snprintf(r->wrong_what, sizeof(r->wrong_what),
                 "the sum of '%.64s' is %.17g, expected %.17g", x->name, total, x->sum);
    }
}

static bool judge(struct host *h, const struct launch_expect *x, enum value_type type,
                  void *got, struct expect_result *r, struct smw_err *e)
{
    uint64_t bytes = r->count * value_type_size(type);
    struct value_init init;
    void *want;
    bool ok;

    switch (x->check) {
    case CHECK_FNV1A: check_hash(x, got, bytes, r); return true;
    case CHECK_SUM: check_sum(x, type, got, r); return true;
    case CHECK_EQUALS: break;
    }
    if (x->ulp != 0 && !value_type_is_float(type)) {
        return yaml_refuse(&h->file->yaml, yaml_get(x->at, "ulp")->key, SMW_ERR_INPUT,
                           e, "ulp is for elements that are floats");
    }
    if (!value_read_init(&h->file->yaml, x->form, type, &init, e)) {
        return false;
    }
    want = tb_alloc(bytes);
    ok = value_fill(&init, type, want, bytes, e);
    if (ok) {
        compare(x, type, got, want, r);
    }
    free(want);
    return ok;
}

static bool read_back(struct host *h, const struct launch_expect *x, void *got,
                      uint64_t bytes, struct smw_err *e)
{
    const struct yaml *y = &h->file->yaml;
    bool ok;

    if (x->buffer >= 0) {
        ok = smw_read(h->device, h->address[x->buffer], got, bytes, e);
    } else {
        ok = smw_read_symbol(h->module, x->name, 0, got, bytes, e);
    }
    if (!ok && e->file[0] == '\0') {
        yaml_point(y, x->what, e);
    }
    return ok;
}

static bool count_elements(struct host *h, const struct launch_expect *x,
                           enum value_type *type, uint64_t *count, struct smw_err *e)
{
    uint64_t all = 0;

    if (x->buffer >= 0) {
        *type = x->type;
        *count = x->count != 0 ? x->count : h->file->buffers[x->buffer].count;
        return true;
    }
    *type = x->type;
    if ((!x->has_type && !host_symbol_type(h, x->name, x->what, type, e)) ||
        !host_symbol_count(h, x->name, x->what, *type, &all, e)) {
        return false;
    }
    if (x->count > all) {
        return yaml_refuse(&h->file->yaml, yaml_get(x->at, "count"), SMW_ERR_INPUT, e,
                           "count: symbol '%s' has only %" PRIu64 " elements", x->name,
                           all);
    }
    *count = x->count != 0 ? x->count : all;
    return true;
}

static bool check(struct host *h, const struct launch_expect *x,
                  struct expect_result *r, struct smw_err *e)
{
    enum value_type type = VALUE_U8;
    void *got;
    bool ok;

    *r = (struct expect_result){.expect = x};
    if (!count_elements(h, x, &type, &r->count, e)) {
        return false;
    }
    got = tb_alloc(r->count * value_type_size(type));
    ok = read_back(h, x, got, r->count * value_type_size(type), e) &&
         judge(h, x, type, got, r, e);
    free(got);
    return ok;
}

bool expect_check(struct host *h, struct expect_result *results, struct smw_err *e)
{
    for (uint32_t i = 0; i < h->file->n_expects; i++) {
        if (!check(h, &h->file->expects[i], &results[i], e)) {
            return false;
        }
    }
    return true;
}
