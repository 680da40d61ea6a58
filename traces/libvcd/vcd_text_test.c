/* The pure functions: digits, numbers, escapes, names. */
#include "libvcd/vcd_priv.h"
#include "libvcd/vcd_testlib.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *u64_text(uint64_t v)
{
    static char buf[32];

    *vcd_put_u64(buf, v) = '\0';
    return buf;
}

static void decimal(void **state)
{
    uint64_t seed = 1;
    char want[32];

    (void)state;
    assert_string_equal(u64_text(0), "0");
    assert_string_equal(u64_text(UINT64_MAX), "18446744073709551615");
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t v = rnd(&seed) >> i % 64;

        snprintf(want, sizeof(want), "%" PRIu64, v);
        assert_string_equal(u64_text(v), want);
    }
}

static const char *real_text(double v)
{
    static char buf[VCD_REAL_MAX];

    *vcd_put_real(buf, v) = '\0';
    return buf;
}

static void reals(void **state)
{
    uint64_t seed = 2;

    (void)state;
    assert_string_equal(real_text(0), "0");
    assert_string_equal(real_text(-0.0), "-0");
    assert_string_equal(real_text(0.1), "0.1");
    assert_string_equal(real_text(1e300), "1e+300");
    assert_string_equal(real_text(NAN), "nan");
    assert_string_equal(real_text(-NAN), "nan");
    assert_string_equal(real_text(INFINITY), "inf");
    assert_string_equal(real_text(-INFINITY), "-inf");
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t bits = rnd(&seed);
        double v, back;

        memcpy(&v, &bits, sizeof(v));
        if (!isfinite(v)) {
            continue;
        }
        back = strtod(real_text(v), NULL);
        assert_true(fabs(back - v) <= fabs(v) * 1e-15 || v == back);
    }
}

static void point_of_other_locales(void **state)
{
    char comma[] = "-1,25e+10", arabic[] = "3\xd9\xab"
                                           "5";

    (void)state;
    vcd_plain_point(comma);
    assert_string_equal(comma, "-1.25e+10");
    vcd_plain_point(arabic);
    assert_string_equal(arabic, "3.5");
}

static void ids_are_dense_and_unique(void **state)
{
    char text[8], next[8] = "";
    uint32_t back;

    (void)state;
    for (uint32_t n = 0; n < 1000000; n++) {
        char *end = vcd_put_id(text, n);
        uint32_t place = 1;

        back = 0;
        for (const char *c = text; c != end; c++, place *= 94) {
            assert_true(*c >= 33 && *c <= 126);
            back += (uint32_t)(*c - 33) * place;
        }
        assert_int_equal(back, n);
        /* Shortest: no digit that is zero in front of nothing. */
        assert_true(end - text == 1 || end[-1] != 33);
    }
    *vcd_put_id(next, 0) = '\0';
    assert_string_equal(next, "!");
    *vcd_put_id(next, 94) = '\0';
    assert_string_equal(next, "!\"");
    assert_int_equal(vcd_put_id(next, UINT32_MAX) - next, VCD_ID_MAX);
}

static void naive_vector(char *out, const uint64_t *v, const uint64_t *u,
                         uint32_t width)
{
    char full[600];
    uint32_t skip = 0;

    for (uint32_t i = 0; i < width; i++) {
        uint32_t bit = width - 1 - i;
        bool x = u[bit / 64] >> bit % 64 & 1, one = v[bit / 64] >> bit % 64 & 1;

        full[i] = x ? (one ? 'x' : 'z') : (one ? '1' : '0');
    }
    full[width] = '\0';
    /* Drop a digit while the reader would put it back. */
    while (skip + 1 < width && full[skip] != '1' &&
           (full[skip + 1] == full[skip] ||
            (full[skip] == '0' && full[skip + 1] == '1'))) {
        skip++;
    }
    memcpy(out, full + skip, width - skip + 1);
}

static void vectors(void **state)
{
    uint64_t seed = 3, v[9], u[9];
    char got[700], want[700];

    (void)state;
    for (unsigned i = 0; i < 40000; i++) {
        uint32_t width = 1 + (uint32_t)(rnd(&seed) % 512);
        uint32_t same = (uint32_t)(rnd(&seed) % (width + 64));
        unsigned fill = (unsigned)(rnd(&seed) % 4), known = (unsigned)(i % 3);

        for (unsigned k = 0; k < 9; k++) {
            v[k] = rnd(&seed);
            u[k] = known == 0 ? 0 : rnd_sparse(&seed);
            u[k] &= known == 1 && k % 2 == 0 ? 0 : ~(uint64_t)0;
        }
        for (uint32_t bit = same; bit < width; bit++) { /* a run on the left */
            uint64_t one = (uint64_t)1 << bit % 64;

            v[bit / 64] = fill & 1 ? v[bit / 64] | one : v[bit / 64] & ~one;
            u[bit / 64] = fill & 2 ? u[bit / 64] | one : u[bit / 64] & ~one;
        }
        naive_vector(want, v, u, width);
        *vcd_put_vector(got, v, u, width) = '\0';
        assert_string_equal(got, want);
    }
}

static void short_vectors(void **state)
{
    uint64_t seed = 4, none = 0;
    char got[80], want[80];

    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t v = i < 1024 ? i : rnd(&seed) >> i % 64;

        naive_vector(want, &v, &none, 64);
        *vcd_put_bits(got, v) = '\0';
        assert_string_equal(got, want);
    }
}

static void escapes(void **state)
{
    char got[2048], all[256];

    (void)state;
    for (int c = 1; c < 256; c++) {
        all[c - 1] = (char)c;
    }
    all[255] = '\0';
    *vcd_put_escaped(got, all) = '\0';
    assert_int_equal(strlen(got), vcd_escaped_len(all));
    assert_int_equal(strlen(got), 93 + 4 * (255 - 93));
    for (const char *c = got; *c != '\0'; c++) {
        assert_true(*c > ' ' && *c < 127);
    }
    *vcd_put_escaped(got, " \\\n\xff") = '\0';
    assert_string_equal(got, "\\040\\134\\012\\377");
}

static void names(void **state)
{
    static const char *const good[] = {"a", "_", "Z9", "bank07", "a$b", "zZ_09"};
    static const char *const bad[] = {"",     "9a",   "$end", "a b",  "a.b",
                                      "a[0]", "a\\b", "a*",   "a-b",  "\xc3\xa9",
                                      "a@",   "a`",   "a{",   "a\x7f"};
    char longest[VCD_NAME_MAX + 2];

    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        assert_true(vcd_name_legal(good[i]));
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_false(vcd_name_legal(bad[i]));
    }
    memset(longest, 'n', sizeof(longest));
    longest[VCD_NAME_MAX] = '\0';
    assert_true(vcd_name_legal(longest));
    longest[VCD_NAME_MAX] = 'n';
    longest[VCD_NAME_MAX + 1] = '\0';
    assert_false(vcd_name_legal(longest));
}

static void timescales(void **state)
{
    static const char *const units[] = {"s", "ms", "us", "ns", "ps", "fs"};
    static const char *const mags[] = {"1", "10", "100"};
    static const char *const bad[] = {"",     "1",     "ns",    "2 ns", "1000 ns",
                                      "1 as", "1 ns ", " 1 ns", "10 n", "1nss"};
    const char *m, *u;
    char text[16];

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned k = 0; k < 6; k++) {
            snprintf(text, sizeof(text), "%s %s", mags[i], units[k]);
            assert_true(vcd_read_timescale(text, &m, &u));
            assert_string_equal(m, mags[i]);
            assert_string_equal(u, units[k]);
        }
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_false(vcd_read_timescale(bad[i], &m, &u));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimal),
        cmocka_unit_test(reals),
        cmocka_unit_test(point_of_other_locales),
        cmocka_unit_test(ids_are_dense_and_unique),
        cmocka_unit_test(vectors),
        cmocka_unit_test(short_vectors),
        cmocka_unit_test(escapes),
        cmocka_unit_test(names),
        cmocka_unit_test(timescales),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
