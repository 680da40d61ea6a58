#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/npy.h"
#include <string.h>

/* A file of version 1 or 2 with this header and n bytes of data (0, 1, 2 ...). */
static size_t make(unsigned char *file, int version, const char *header, size_t n)
{
    size_t length = strlen(header), at = version == 1 ? 10 : 12;

    memcpy(file, "\x93NUMPY", 6);
    file[6] = (unsigned char)version;
    file[7] = 0;
    file[8] = (unsigned char)length;
    file[9] = (unsigned char)(length >> 8);
    if (version > 1) {
        file[10] = file[11] = 0;
    }
    memcpy(file + at, header, length);
    for (size_t i = 0; i < n; i++) {
        file[at + length + i] = (unsigned char)i;
    }
    return at + length + n;
}

static void test_good(void **state)
{
    static const struct {
        const char *header;
        int version;
        enum value_type type;
        uint64_t count;
        size_t bytes;
    } cases[] = {
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }   \n", 1, VALUE_F32,
         3, 12},
        {"{'descr': '<i8', 'fortran_order': False, 'shape': (2, 3), }\n", 2, VALUE_S64,
         6, 48},
        {"{\"shape\": (), \"fortran_order\": False, \"descr\": \"|u1\"}\n", 1, VALUE_U8,
         1, 1},
        {"{'descr': '<u2', 'fortran_order': False, 'shape': (0,)}\n", 1, VALUE_U16, 0,
         0},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1L, 2L)}\n", 1, VALUE_F64,
         2, 16},
    };
    unsigned char file[256];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t size = make(file, cases[i].version, cases[i].header, cases[i].bytes);
        struct npy npy;
        struct smw_err e = {0};

        if (!npy_parse(file, size, "x.npy", &npy, &e)) {
            fail_msg("%s: %s", cases[i].header, e.message);
        }
        assert_int_equal(npy.type, cases[i].type);
        assert_int_equal(npy.count, cases[i].count);
        assert_ptr_equal(npy.data, file + size - cases[i].bytes);
    }
}

/* What is written is read as the same. */
static void test_written(void **state)
{
    (void)state;
    for (uint32_t t = 0; t < VALUE_TYPES; t++) {
        const enum value_type type = (enum value_type)t;
        char file[NPY_HEADER + 24] = {0};
        const size_t size = npy_header(type, 24 / value_type_size(type), file);
        struct smw_err e = {0};
        struct npy npy;

        assert_int_equal(size % 64, 0);
        assert_true(npy_parse(file, size + 24, "x.npy", &npy, &e));
        assert_int_equal(npy.type, npy_type(type));
        assert_int_equal(npy.count, 24 / value_type_size(type));
        assert_ptr_equal(npy.data, file + size);
    }
}

static void refused(const unsigned char *file, size_t size, const char *message)
{
    struct npy npy = {.count = 77};
    struct smw_err e = {0};

    assert_false(npy_parse(file, size, "x.npy", &npy, &e));
    assert_int_equal(e.kind, SMW_ERR_INPUT);
    assert_string_equal(e.message, message);
    assert_int_equal(npy.count, 77);
}

static void bad_header(const char *header, const char *message)
{
    unsigned char file[256];

    refused(file, make(file, 1, header, 12), message);
}

static void test_bad(void **state)
{
    static const char unread[] = "x.npy has a header that cannot be read";
    unsigned char file[256];
    size_t size = make(file, 1,
                       "{'descr': '<f4', 'fortran_order': False, "
                       "'shape': (3,)}\n",
                       12);

    (void)state;
    refused((const unsigned char *)"", 0, "x.npy is not a .npy file");
    refused(file, 11, "x.npy is not a .npy file");
    refused(file, 40, "x.npy ends inside its header");
    refused(file, size - 1, "x.npy says 3 elements but holds 11 bytes of data");
    refused(file, size + 1, "x.npy says 3 elements but holds 13 bytes of data");
    file[6] = 9;
    refused(file, size, "x.npy is not a .npy file");
    bad_header("{'descr': '>f4', 'fortran_order': False, 'shape': (3,)}\n",
               "x.npy holds elements of type '>f4', which no buffer has");
    bad_header("{'descr': '<f4', 'fortran_order': True, 'shape': (3,)}\n",
               "x.npy is in Fortran order, C order is needed");
    bad_header("{'descr': '<f4', 'shape': (3,)}\n", unread);
    bad_header("{'descr': '<f4', 'fortran_order': False, 'shape': (3,\n", unread);
    bad_header("{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}\n", unread);
    bad_header("{'descr': '<f4', 'fortran_order': Maybe, 'shape': (3,)}\n", unread);
    bad_header("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,)}\n",
               unread);
    bad_header("{'descr': '<f4', 'fortran_order': False, "
               "'shape': (99999999999999999999,)}\n",
               unread);
    bad_header("{'descr': '<f4', 'fortran_order': False, "
               "'shape': (4294967295, 4294967295, 4294967295)}\n",
               unread);
    bad_header("{'other': '<f4'}\n", unread);
    bad_header("", unread);
}

/* Every beginning of a good file is refused, none is read past its end (ASan). */
static void test_cut(void **state)
{
    unsigned char file[256], part[256];
    size_t size = make(file, 1,
                       "{'descr': '<f4', 'fortran_order': False, "
                       "'shape': (3,)}\n",
                       12);

    (void)state;
    for (size_t n = 0; n < size; n++) {
        struct npy npy;
        struct smw_err e = {0};

        memcpy(part, file, n);
        assert_false(npy_parse(part, n, "x.npy", &npy, &e));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written),
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
