#include "libvcd/vcd_priv.h"

#include <string.h>

char *vcd_put_text(char *p, const char *text)
{
    while (*text != '\0') {
        *p++ = *text++;
    }
    return p;
}

char *vcd_put_u64(char *p, uint64_t value)
{
    static const char pairs[] = "00010203040506070809"
                                "10111213141516171819"
                                "20212223242526272829"
                                "30313233343536373839"
                                "40414243444546474849"
                                "50515253545556575859"
                                "60616263646566676869"
                                "70717273747576777879"
                                "80818283848586878889"
                                "90919293949596979899";
    char digits[20];
    size_t n = sizeof(digits);

    for (; value >= 10; value /= 100) { /* a division for two digits */
        n -= 2;
        memcpy(digits + n, pairs + 2 * (value % 100), 2);
    }
    if (value != 0 || n == sizeof(digits)) {
        digits[--n] = (char)('0' + value);
    }
    memcpy(p, digits + n, sizeof(digits) - n);
    return p + (sizeof(digits) - n);
}

void vcd_plain_point(char *number)
{
    char *to = number;
    bool point = false; /* a decimal point can be several bytes: '.' once */

    for (const char *from = number; *from != '\0'; from++) {
        if (strchr("+-0123456789e", *from) != NULL) {
            *to++ = *from;
            point = false;
        } else if (!point) {
            *to++ = '.';
            point = true;
        }
    }
    *to = '\0';
}

/* Infinities and NaN in words, because snprintf() may choose others (-nan). */
char *vcd_put_real(char *p, double value)
{
    char text[VCD_REAL_MAX];

    if (value != value) {
        return vcd_put_text(p, "nan");
    }
    if (value - value != 0) {
        return vcd_put_text(p, value > 0 ? "inf" : "-inf");
    }
    (void)snprintf(text, sizeof(text), "%.16g", value);
    vcd_plain_point(text);
    return vcd_put_text(p, text);
}

char *vcd_put_id(char *p, uint32_t n)
{
    do {
        *p++ = (char)(33 + n % 94);
        n /= 94;
    } while (n != 0);
    return p;
}

/* The low n digits of value, 1 <= n <= 64. May scribble 7 bytes past the end. */
static char *put_low_digits(char *p, uint64_t value, unsigned n)
{
    value <<= 64 - n;
    for (unsigned i = 0; i < n; i += 8) {
        vcd_put_byte(p + i, value >> 56);
        value <<= 8;
    }
    return p + n;
}

static char state_digit(const uint64_t *value, const uint64_t *unknown, uint32_t bit)
{
    unsigned v = value[bit / 64] >> bit % 64 & 1;
    unsigned u = unknown[bit / 64] >> bit % 64 & 1;

    return "01zx"[u * 2 + v];
}

/* The leftmost bit that has to be written. Readers fill on the left with the leftmost
 * digit, but with 0 if that is 1. */
static uint32_t leftmost(const uint64_t *value, const uint64_t *unknown, uint32_t top)
{
    char first = state_digit(value, unknown, top);
    uint64_t v = first == 'x' ? ~(uint64_t)0 : 0, u = first == '0' ? 0 : ~(uint64_t)0;

    if (first == '1') {
        return top;
    }
    while (top > 0 && state_digit(value, unknown, top - 1) == first) {
        size_t below = top / 64 - 1; /* meant only at the start of a word */

        if (top % 64 == 0 && value[below] == v && unknown[below] == u) {
            top -= 64;
        } else {
            top--;
        }
    }
    if (first == '0' && top > 0 && state_digit(value, unknown, top - 1) == '1') {
        top--;
    }
    return top;
}

char *vcd_put_vector(char *p, const uint64_t *value, const uint64_t *unknown,
                     uint32_t width)
{
    uint32_t left = leftmost(value, unknown, width - 1) + 1; /* digits to write */

    while (left > 0) {
        uint32_t word = (left - 1) / 64;
        uint32_t digits = left - word * 64;

        if (unknown[word] == 0) {
            p = put_low_digits(p, value[word], digits);
            left -= digits;
        } else {
            *p++ = state_digit(value, unknown, --left);
        }
    }
    return p;
}

static bool is_plain(unsigned char c)
{
    return c > ' ' && c < 127 && c != '\\';
}

size_t vcd_escaped_len(const char *text)
{
    size_t len = 0;

    for (; *text != '\0'; text++) {
        len += is_plain((unsigned char)*text) ? 1 : 4;
    }
    return len;
}

char *vcd_put_escaped(char *p, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;

        if (is_plain(c)) {
            *p++ = (char)c;
            continue;
        }
        *p++ = '\\';
        *p++ = (char)('0' + (c >> 6));
        *p++ = (char)('0' + (c >> 3 & 7));
        *p++ = (char)('0' + (c & 7));
    }
    return p;
}

/* By hand: isalpha() depends on the locale. */
static bool is_word(char c, bool first)
{
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') {
        return true;
    }
    return !first && ((c >= '0' && c <= '9') || c == '$');
}

bool vcd_name_legal(const char *name)
{
    size_t len = 0;

    while (is_word(name[len], len == 0)) {
        if (++len > VCD_NAME_MAX) {
            return false;
        }
    }
    return len > 0 && name[len] == '\0';
}

bool vcd_read_timescale(const char *text, const char **magnitude, const char **unit)
{
    static const char *const magnitudes[] = {"100", "10", "1"};
    static const char *const units[] = {"s", "ms", "us", "ns", "ps", "fs"};

    for (size_t m = 0; m < 3; m++) {
        size_t len = strlen(magnitudes[m]);

        if (strncmp(text, magnitudes[m], len) != 0) {
            continue;
        }
        *magnitude = magnitudes[m];
        text += len + strspn(text + len, " ");
        for (size_t u = 0; u < 6; u++) {
            if (strcmp(text, units[u]) == 0) {
                *unit = units[u];
                return true;
            }
        }
        return false;
    }
    return false;
}
