/* Fat binaries are found in ELF files, archives and texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fatbin/fatbin_priv.h"
#include "fatbin/make_files.h"
#include <stdlib.h>
#include <string.h>

#define PTX ".version 7.1\n.target sm_90a\n.entry k() { ret; }\n"

static struct made small(uint32_t target)
{
    struct fatbin_source s = {FATBIN_PTX, FATBIN_ZSTD, PTX, sizeof(PTX) - 1,
                              target,     0,           71,  NULL};

    return made_fatbin(&s, 1);
}

static struct made text(const char *s)
{
    struct made m = {0};

    made_add(&m, s, strlen(s));
    return m;
}

static void refuse(const struct made *m, const char *why)
{
    struct smw_err e = {0};
    struct fatbin f;

    assert_false(fatbin_read_file(m->data, m->n, "file", &f, &e));
    assert_int_equal(f.n_entries, 0);
    assert_int_equal(e.kind, SMW_ERR_INPUT);
    assert_true(strncmp(e.message, "file", 4) == 0);
    if (strstr(e.message, why) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", e.message, why);
    }
}

/* An object file as compilers write it, several as a linker joins them, the code to be
 * linked apart. */
static void sections(void **state)
{
    struct made_section s[4] = {{".text", text("nop")},
                                {".nv_fatbin", small(75)},
                                {"__nv_relfatbin", small(86)},
                                {".bss", {0}}};
    struct made second = small(80), elf;
    struct smw_err e = {0};
    struct fatbin f;

    (void)state;
    made_add(&s[1].content, "\0\0\0\0\0\0\0", 8);
    made_add(&s[1].content, second.data, second.n);
    elf = made_elf(62, 0, 0, s, ARRAY_LEN(s));
    assert_true(fatbin_read_file(elf.data, elf.n, "prog", &f, &e));
    assert_int_equal(f.n_images, 3);
    assert_int_equal(f.entry[0].target, 75);
    assert_int_equal(f.entry[1].target, 80);
    assert_int_equal(f.entry[2].target, 86);
    assert_string_equal(f.image[1].section, ".nv_fatbin");
    assert_int_equal(f.image[1].offset, f.image[0].offset + s[1].content.n - second.n);
    assert_false(f.image[1].to_link);
    assert_true(f.image[2].to_link);
    fatbin_free(&f);
    made_free(&second);
    made_free(&elf);
    for (uint32_t i = 0; i < ARRAY_LEN(s); i++) {
        made_free(&s[i].content);
    }
}

/* clang embeds what it is given: texts, each with a zero behind it, or machine code. */
static void in_place_of(void **state)
{
    struct made_section s = {".nv_fatbin", {0}};
    struct made_section none = {".text.k", {0}};
    struct made cubin = made_elf(190, 80, 7, &none, 1), elf;
    struct smw_err e = {0};
    struct fatbin f;
    char *data;
    size_t n;

    (void)state;
    made_add(&s.content, PTX, sizeof(PTX));
    made_add(&s.content, "\0\0\0", 3);
    made_add(&s.content, "\n// second\n" PTX, sizeof(PTX) + 11);
    made_add(&s.content, cubin.data, cubin.n);
    elf = made_elf(62, 0, 0, &s, 1);
    assert_true(fatbin_read_file(elf.data, elf.n, "prog", &f, &e));
    assert_int_equal(f.n_images, 3);
    assert_int_equal(f.entry[0].target, 90);
    assert_int_equal(f.entry[0].suffix, 'a');
    assert_int_equal(f.entry[0].ptx, 71);
    assert_int_equal(f.entry[2].kind, FATBIN_ELF);
    assert_int_equal(f.entry[2].target, 80);
    data = fatbin_unpack(&f.entry[1], "prog", &n, &e);
    assert_string_equal(data, "\n// second\n" PTX);
    assert_int_equal(n, sizeof(PTX) + 10);
    free(data);
    fatbin_free(&f);
    made_free(&elf);
    made_free(&s.content);

    assert_true(fatbin_read_file(cubin.data, cubin.n, "x.cubin", &f, &e));
    assert_int_equal(f.entry[0].kind, FATBIN_ELF);
    fatbin_free(&f);
    cubin.data[8] = 8; /* since CUDA 13 */
    cubin.data[49] = 100;
    assert_int_equal(fatbin_cubin_target(cubin.data, cubin.n), 100);
    made_free(&cubin);
    assert_true(fatbin_read_file(PTX, sizeof(PTX) - 1, "x.ptx", &f, &e));
    assert_int_equal(f.entry[0].target, 90);
    fatbin_free(&f);
}

static void archive(void **state)
{
    struct made_section in = {".nv_fatbin", small(75)}, out = {".text", {0}};
    struct made_section member[] = {{"short.o", made_elf(62, 0, 0, &in, 1)},
                                    {"none.o", made_elf(62, 0, 0, &out, 1)},
                                    {"notes", text("odd")},
                                    {"a_name_of_many_letters.o", {0}}};
    struct smw_err e = {0};
    struct fatbin f;
    struct made m;

    (void)state;
    member[3].content = made_elf(62, 0, 0, &in, 1);
    m = made_archive(member, ARRAY_LEN(member));
    assert_true(fatbin_read_file(m.data, m.n, "lib.a", &f, &e));
    assert_int_equal(f.n_images, 2);
    assert_string_equal(f.image[0].where, "lib.a(short.o)");
    assert_string_equal(f.image[1].where, "lib.a(a_name_of_many_letters.o)");
    fatbin_free(&f);
    m.data[8 + 58] = 'x';
    refuse(&m, "damaged archive: no member at byte 8");
    m.data[8 + 58] = '`';
    memset(m.data + 8 + 48, '9', 9); /* longer than the file */
    refuse(&m, "damaged archive");
    memcpy(m.data, "!<thin>\n", 8);
    refuse(&m, "thin archive");
    made_free(&m);
    for (uint32_t i = 0; i < ARRAY_LEN(member); i++) {
        made_free(&member[i].content);
    }
    made_free(&in.content);
}

static void refused(void **state)
{
    static const struct {
        uint32_t at, value;
        const char *why;
    } table[] = {
        {4, 1, "32 bits"},        {5, 2, "other order"},      {45, 1, "outside of it"},
        {58, 1, "outside of it"}, {61, 255, "outside of it"}, {62, 99, "outside of it"},
        {40, 0, "stripped"},
    };
    struct made_section s = {".nv_fatbin", small(75)};
    struct made m = made_elf(62, 0, 0, &s, 1), odd = text("abc"), none = {0};
    const size_t table_at = fatbin_get(m.data + 40, 8);

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(table); i++) {
        struct made copy = {0};

        made_add(&copy, m.data, m.n);
        copy.data[table[i].at] = (uint8_t)table[i].value;
        if (table[i].value == 0) {
            memset(copy.data + table[i].at, 0, 8);
        }
        refuse(&copy, table[i].why);
        made_free(&copy);
    }
    m.data[table_at + 64 + 30] = 1; /* where the section is */
    refuse(&m, "section 1 of the ELF file is outside of it");
    made_free(&m);
    m = made_elf(62, 0, 0, &(struct made_section){".text", odd}, 1);
    refuse(&m, "holds no code for devices");
    made_free(&m);
    m = made_elf(62, 0, 0, &(struct made_section){".nv_fatbin", odd}, 1);
    refuse(&m, "neither a fat binary nor PTX text");
    made_free(&m);
    m = made_elf(62, 0, 0, NULL, 0);
    m.n = 63;
    refuse(&m, "ends in its header");
    made_free(&m);
    refuse(&odd, "holds no code for devices");
    refuse(&none, "holds no code for devices");
    made_free(&odd);
    made_free(&s.content);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections),
        cmocka_unit_test(in_place_of),
        cmocka_unit_test(archive),
        cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
