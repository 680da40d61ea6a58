#include "cfg/cfg_value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct unit_name {
    enum cfg_unit unit;
    const char *name;
    uint64_t factor;
};

/* Largest factor first within a unit: printing takes the first that divides. The names
 * with factor 1 that follow the first one are only accepted, never printed. */
static const struct unit_name unit_table[] = {
    {CFG_CYCLES, "cycles", 1},
    {CFG_CYCLES, "cycle", 1},
    {CFG_BYTES, "GiB", UINT64_C(1) << 30},
    {CFG_BYTES, "MiB", UINT64_C(1) << 20},
    {CFG_BYTES, "KiB", UINT64_C(1) << 10},
    {CFG_BYTES, "B", 1},
    {CFG_BYTES, "bytes", 1},
    {CFG_HZ, "GHz", UINT64_C(1000000000)},
    {CFG_HZ, "MHz", UINT64_C(1000000)},
    {CFG_HZ, "kHz", UINT64_C(1000)},
    {CFG_HZ, "Hz", 1},
    {CFG_PERCENT, "%", 1},
    {CFG_PS, "us", UINT64_C(1000000)},
    {CFG_PS, "ns", UINT64_C(1000)},
    {CFG_PS, "ps", 1},
    {CFG_RATE, "GB/s", UINT64_C(1000000000)},
    {CFG_RATE, "MB/s", UINT64_C(1000000)},
    {CFG_RATE, "kB/s", UINT64_C(1000)},
    {CFG_RATE, "B/s", 1},
};

static const struct unit_name *find_unit(enum cfg_unit unit, const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(unit_table); i++) {
        if (unit_table[i].unit == unit && strcmp(unit_table[i].name, name) == 0) {
            return &unit_table[i];
        }
    }
    return NULL;
}

static void list_units(enum cfg_unit unit, char *buf, size_t size)
{
    size_t n = 0;

    buf[0] = '\0';
    for (size_t i = 0; i < ARRAY_LEN(unit_table); i++) {
        if (unit_table[i].unit == unit && n < size) {
            n += (size_t)snprintf(buf + n, size - n, "%s%s", n == 0 ? "" : ", ",
                                  unit_table[i].name);
        }
    }
}

static bool refuse_unit(const struct cfg_field *f, const char *key, const char *unit,
                        struct smw_err *e)
{
    char known[128];

    list_units(f->unit, known, sizeof(known));
    if (known[0] == '\0') {
        return err_set(e, SMW_ERR_CONFIG, "%s is a plain number, it takes no unit '%s'",
                       key, unit);
    }
    err_set(e, SMW_ERR_CONFIG, "unknown unit '%s' of %s", unit, key);
    if (f->unit == CFG_BYTES && (unit[0] == 'k' || unit[0] == 'K') && unit[1] != 'i') {
        err_hint(e, "1024 bytes are written KiB");
    } else {
        err_hint(e, "it may be %s", known);
    }
    return false;
}

/* A decimal fraction, or a hexadecimal whole number: digits * 10^-scale. */
struct decimal {
    uint64_t digits;
    uint32_t scale;
};

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

enum scan { SCAN_OK, SCAN_NOT_A_NUMBER, SCAN_TOO_LARGE };

static enum scan scan_hex(const char **p, struct decimal *d)
{
    const char *start = *p;
    int digit;

    while ((digit = hex_digit(**p)) >= 0) {
        if (d->digits >> 60 != 0) {
            return SCAN_TOO_LARGE;
        }
        d->digits = d->digits << 4 | (uint64_t)digit;
        (*p)++;
    }
    return *p == start ? SCAN_NOT_A_NUMBER : SCAN_OK;
}

static enum scan scan_decimal(const char **p, struct decimal *d)
{
    bool point = false;
    uint32_t n = 0;

    for (; (**p >= '0' && **p <= '9') || (**p == '.' && !point); (*p)++) {
        uint64_t digit;

        if (**p == '.') {
            point = true;
            continue;
        }
        digit = (uint64_t)(**p - '0');
        if (d->digits > (UINT64_MAX - digit) / 10) {
            return SCAN_TOO_LARGE;
        }
        d->digits = d->digits * 10 + digit;
        d->scale += point;
        n++;
    }
    return n == 0 ? SCAN_NOT_A_NUMBER : SCAN_OK;
}

static enum scan scan(const char **p, struct decimal *d)
{
    *d = (struct decimal){0};
    if ((*p)[0] == '0' && ((*p)[1] == 'x' || (*p)[1] == 'X')) {
        *p += 2;
        return scan_hex(p, d);
    }
    return scan_decimal(p, d);
}

/* digits * factor / 10^scale, if that is a whole number of 64 bits. */
static enum scan scale(struct decimal d, uint64_t factor, bool *whole, uint64_t *value)
{
    while (d.scale > 0 && d.digits % 10 == 0) {
        d.digits /= 10;
        d.scale--;
    }
    while (d.scale > 0 && factor % 10 == 0) {
        factor /= 10;
        d.scale--;
    }
    /* What is left of 10^scale: its twos and fives may each divide either side. */
    for (uint32_t i = 0; i < d.scale; i++) {
        for (uint64_t prime = 2; prime <= 5; prime += 3) {
            if (d.digits % prime == 0) {
                d.digits /= prime;
            } else if (factor % prime == 0) {
                factor /= prime;
            } else {
                *whole = false;
                return SCAN_OK;
            }
        }
    }
    *whole = true;
    if (d.digits != 0 && factor > UINT64_MAX / d.digits) {
        return SCAN_TOO_LARGE;
    }
    *value = d.digits * factor;
    return SCAN_OK;
}

static bool out_of_range(const struct cfg_field *f, const char *key, const char *text,
                         struct smw_err *e)
{
    char range[128];

    cfg_range(f, range, sizeof(range));
    return err_set(e, SMW_ERR_CONFIG, "%s: %s is out of range, it may be %s", key, text,
                   range);
}

/* What text says, digits times factor, into *value if the field can have it. */
static bool scale_number(const struct cfg_field *f, const char *key, const char *text,
                         struct decimal d, uint64_t factor, uint64_t *value,
                         struct smw_err *e)
{
    uint64_t v = 0;
    bool whole;
    enum scan s = scale(d, factor, &whole, &v);

    if (s == SCAN_OK && !whole) {
        const char *unit = cfg_unit_name(f->unit);

        return err_set(e, SMW_ERR_CONFIG, "%s: %s is not a whole number%s%s", key, text,
                       unit[0] == '\0' ? "" : " of ", unit);
    }
    if (s == SCAN_TOO_LARGE || v < f->min || v > f->max) {
        return out_of_range(f, key, text, e);
    }
    if ((f->flags & CFG_POW2) != 0 && (v & (v - 1)) != 0) {
        return err_set(e, SMW_ERR_CONFIG, "%s: %s is not a power of two", key, text);
    }
    *value = v;
    return true;
}

bool cfg_parse_number(const struct cfg_field *f, const char *key, const char *text,
                      uint64_t *value, struct smw_err *e)
{
    const char *p = text;
    uint64_t factor = 1;
    struct decimal d;
    enum scan s;

    if (*p == '-') {
        return out_of_range(f, key, text, e);
    }
    s = scan(&p, &d);
    if (s == SCAN_NOT_A_NUMBER) {
        char range[128];

        cfg_range(f, range, sizeof(range));
        err_set(e, SMW_ERR_CONFIG, "%s: '%s' is not a number", key, text);
        err_hint(e, "it may be %s", range);
        return false;
    }
    if (s == SCAN_TOO_LARGE) {
        return out_of_range(f, key, text, e);
    }
    while (*p == ' ') {
        p++;
    }
    if (*p != '\0') {
        const struct unit_name *u = find_unit(f->unit, p);

        if (u == NULL) {
            return refuse_unit(f, key, p, e);
        }
        factor = u->factor;
    }
    return scale_number(f, key, text, d, factor, value, e);
}

bool cfg_is_factor(const char *text)
{
    return text[0] == 'x' && text[1] >= '0' && text[1] <= '9';
}

bool cfg_number(const char *text, uint64_t *out)
{
    const char *p = text;
    uint64_t factor = 1;
    struct decimal d;
    bool whole = false;

    if (scan(&p, &d) != SCAN_OK) {
        return false;
    }
    p += *p == ' ';
    if (*p != '\0') {
        factor = 0;
    }
    for (size_t i = 0; factor == 0 && i < ARRAY_LEN(unit_table); i++) {
        if (strcmp(unit_table[i].name, p) == 0) {
            factor = unit_table[i].factor;
        }
    }
    return factor != 0 && scale(d, factor, &whole, out) == SCAN_OK && whole;
}

void cfg_print_number(enum cfg_unit unit, uint64_t value, char *buf, size_t size)
{
    for (size_t i = 0; i < ARRAY_LEN(unit_table); i++) {
        const struct unit_name *u = &unit_table[i];

        if (u->unit != unit || value % u->factor != 0 ||
            (value == 0 && u->factor != 1)) {
            continue;
        }
        if (unit == CFG_CYCLES && value == 1) {
            u++; /* "cycle" */
        }
        snprintf(buf, size, unit == CFG_PERCENT ? "%" PRIu64 "%s" : "%" PRIu64 " %s",
                 value / u->factor, u->name);
        return;
    }
    snprintf(buf, size, "%" PRIu64, value);
}

bool cfg_parse_factor(const struct cfg_field *f, const char *key, const char *text,
                      uint64_t *value, struct smw_err *e)
{
    char now[64], all[160];
    const char *p = text + 1;
    struct decimal d = {0};
    enum scan s = scan_decimal(&p, &d);

    if (s != SCAN_TOO_LARGE && *p != '\0') {
        err_set(e, SMW_ERR_CONFIG, "%s: '%s' is no factor", key, text);
        err_hint(e, "factors are x2, x0.5");
        return false;
    }
    cfg_print_number(f->unit, *value, now, sizeof(now));
    snprintf(all, sizeof(all), "%.40s of %s", text, now);
    if (s == SCAN_TOO_LARGE) {
        return out_of_range(f, key, all, e);
    }
    return scale_number(f, key, all, d, *value, value, e);
}
