#include "io/num.h"

#include "base/attr.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int digit_of(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

enum num_result num_int(const char *text, struct num_int *out)
{
    struct num_int v = {.negative = *text == '-'};
    bool overflow = false;
    uint64_t base = 10;

    text += *text == '-' || *text == '+';
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text += 2;
    }
    if (*text == '\0') {
        return NUM_BAD;
    }
    for (; *text != '\0'; text++) {
        uint64_t digit = (uint64_t)digit_of(*text);

        if (digit >= base) {
            return NUM_BAD;
        }
        overflow = overflow || v.magnitude > (UINT64_MAX - digit) / base;
        v.magnitude = v.magnitude * base + digit;
    }
    if (overflow) {
        return NUM_OVERFLOW;
    }
    *out = v;
    return NUM_OK;
}

uint64_t num_bits(struct num_int v)
{
    return v.negative ? UINT64_C(0) - v.magnitude : v.magnitude;
}

enum num_result num_u64(const char *text, uint64_t *out)
{
    struct num_int v;
    enum num_result r = num_int(text, &v);

    if (r != NUM_OK) {
        return r;
    }
    if (v.negative && v.magnitude != 0) {
        return NUM_OVERFLOW;
    }
    *out = v.magnitude;
    return NUM_OK;
}

enum num_result num_u32(const char *text, uint32_t *out)
{
    uint64_t v = 0;
    enum num_result r = num_u64(text, &v);

    if (r == NUM_OK && v > UINT32_MAX) {
        return NUM_OVERFLOW;
    }
    if (r == NUM_OK) {
        *out = (uint32_t)v;
    }
    return r;
}

enum num_result num_s64(const char *text, int64_t *out)
{
    struct num_int v;
    enum num_result r = num_int(text, &v);

    if (r != NUM_OK) {
        return r;
    }
    if (v.magnitude > (uint64_t)INT64_MAX + v.negative) {
        return NUM_OVERFLOW;
    }
    if (v.magnitude == (uint64_t)INT64_MAX + 1) {
        *out = INT64_MIN;
    } else {
        *out = v.negative ? -(int64_t)v.magnitude : (int64_t)v.magnitude;
    }
    return NUM_OK;
}

/* nan and inf as PTX users and YAML write them. */
static bool special(const char *text, double *out)
{
    bool negative = *text == '-';
    const char *t = text + (*text == '-' || *text == '+');

    t += *t == '.';
    if (strcmp(t, "inf") == 0 || strcmp(t, "Inf") == 0 || strcmp(t, "INF") == 0) {
        *out = negative ? -INFINITY : INFINITY;
        return true;
    }
    if (strcmp(t, "nan") == 0 || strcmp(t, "NaN") == 0 || strcmp(t, "NAN") == 0) {
        *out = NAN;
        return true;
    }
    return false;
}

/* strtod() takes more than we do: blanks, "infinity", hexadecimal fractions are fine,
 * words are not. The program never leaves the C locale. */
static bool looks_like_number(const char *text)
{
    const char *t = text + (*text == '-' || *text == '+');

    if (!((*t >= '0' && *t <= '9') || (*t == '.' && t[1] >= '0' && t[1] <= '9'))) {
        return false;
    }
    return strspn(t, "0123456789abcdefABCDEFxX.pP+-") == strlen(t);
}

enum num_result num_f64(const char *text, double *out)
{
    double v;
    char *end;

    if (special(text, out)) {
        return NUM_OK;
    }
    if (!looks_like_number(text)) {
        return NUM_BAD;
    }
    errno = 0;
    v = strtod(text, &end);
    if (*end != '\0') {
        return NUM_BAD;
    }
    if (errno == ERANGE && isinf(v)) {
        return NUM_OVERFLOW;
    }
    *out = v;
    return NUM_OK;
}

enum num_result num_f32(const char *text, float *out)
{
    double special_value;
    float v;
    char *end;

    if (special(text, &special_value)) {
        *out = (float)special_value;
        return NUM_OK;
    }
    if (!looks_like_number(text)) {
        return NUM_BAD;
    }
    errno = 0;
    v = strtof(text, &end);
    if (*end != '\0') {
        return NUM_BAD;
    }
    if (errno == ERANGE && isinf(v)) {
        return NUM_OVERFLOW;
    }
    *out = v;
    return NUM_OK;
}

void num_size(uint64_t bytes, char text[NUM_SIZE])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
    uint32_t u = 0;

    while (u + 1 < ARRAY_LEN(units) && bytes >= 1024 && bytes % 1024 == 0) {
        bytes /= 1024;
        u++;
    }
    (void)snprintf(text, NUM_SIZE, "%" PRIu64 " %s", bytes, units[u]);
}
