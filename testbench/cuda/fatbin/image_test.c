/* Fat binaries are read as they were written; damaged ones are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fatbin/fatbin_priv.h"
#include "fatbin/make_files.h"
#include <stdlib.h>
#include <string.h>

#define PTX                                                                            \
    "// a comment\n.version 7.1\n.target sm_80\n.address_size 64\n"                    \
    "/* .entry none( */\n.visible .entry first(\n)\n{ ret; }\n"                        \
    ".extern .func f;\n.entry\n second // name\n{ ret; }\n"

static const char machine[] = "machine code, or what stands for it: 0123456789";

static const struct fatbin_source sources[] = {
    {FATBIN_PTX, FATBIN_PLAIN, PTX, sizeof(PTX) - 1, 80, 0, 71, "first.cu"},
    {FATBIN_PTX, FATBIN_LZ4, PTX, sizeof(PTX) - 1, 90, 'a', 80, NULL},
    {FATBIN_PTX, FATBIN_ZSTD, PTX, sizeof(PTX) - 1, 100, 'f', 90, "x.cu"},
    {FATBIN_ELF, FATBIN_PLAIN, machine, sizeof(machine), 86, 0, 0, NULL},
    {FATBIN_ELF, FATBIN_ZSTD, machine, sizeof(machine), 86, 0, 0, NULL},
};

static void same_as_written(void **state)
{
    struct made m = made_fatbin(sources, ARRAY_LEN(sources));
    struct smw_err e = {0};
    struct fatbin f;

    (void)state;
    assert_true(fatbin_read_file(m.data, m.n, "x.fatbin", &f, &e));
    assert_int_equal(f.n_images, 1);
    assert_int_equal(f.image[0].n, ARRAY_LEN(sources));
    assert_string_equal(f.image[0].where, "x.fatbin");
    assert_false(f.image[0].to_link);
    for (uint32_t i = 0; i < ARRAY_LEN(sources); i++) {
        const struct fatbin_entry *const x = &f.entry[i];
        size_t size = 0;
        char *data = fatbin_unpack(x, "x.fatbin", &size, &e);

        assert_non_null(data);
        assert_int_equal(x->kind, sources[i].kind);
        assert_int_equal(x->packing, sources[i].packing);
        assert_int_equal(x->target, sources[i].target);
        assert_int_equal(x->suffix, sources[i].suffix);
        assert_int_equal(x->ptx, sources[i].ptx);
        assert_int_equal((x->source == NULL), (sources[i].source == NULL));
        if (x->source != NULL) {
            assert_string_equal(x->source, sources[i].source);
        }
        assert_true(size == sources[i].size ||
                    (x->kind == FATBIN_ELF && size < sources[i].size + FATBIN_ALIGN));
        assert_memory_equal(data, sources[i].data, sources[i].size);
        free(data);
    }
    fatbin_free(&f);
    made_free(&m);
}

/* What the layout says, byte by byte: a reader and a writer that agree on a wrong one
 * would pass all else. */
static void layout(void **state)
{
    struct fatbin_source s = {FATBIN_PTX, FATBIN_PLAIN, ".version 7.1", 12, 80,
                              0,          71,           "a.cu"};
    static const uint8_t want[] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0, 88, 0, 0, 0, 0,
                                   0, 0, 0,
                                   /* kind, version, header, room */
                                   1, 0, 1, 1, 72, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0,
                                   /* packed, options, PTX 7.1, target */
                                   0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 7, 0, 80, 0, 0, 0,
                                   /* name, flags */
                                   64, 0, 0, 0, 4, 0, 0, 0, 0x11, 0, 0, 0, 0, 0, 0, 0,
                                   /* unpacked */
                                   0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'a',
                                   '.', 'c', 'u', 0, 0, 0, 0, '.', 'v', 'e', 'r', 's',
                                   'i', 'o', 'n', ' ', '7', '.', '1', 0, 0, 0, 0};
    struct made m = made_fatbin(&s, 1);

    (void)state;
    assert_int_equal(m.n, sizeof(want));
    assert_memory_equal(m.data, want, sizeof(want));
    made_free(&m);
}

struct names {
    char text[64];
};

static void note(void *ctx, const char *name, size_t n)
{
    struct names *const v = ctx;

    strncat(v->text, name, n);
    strcat(v->text, ",");
}

static void kernels(void **state)
{
    struct made_section s[] = {{".nv.constant0.alpha", {0}},
                               {".text.alpha", {0}},
                               {".text.helper", {0}},
                               {".nv.constant0.beta", {0}}};
    struct made m = made_elf(190, 80, 7, s, ARRAY_LEN(s));
    struct names v = {""};

    (void)state;
    fatbin_kernels(FATBIN_PTX, PTX, sizeof(PTX) - 1, note, &v);
    assert_string_equal(v.text, "first,second,");
    v.text[0] = '\0';
    fatbin_kernels(FATBIN_ELF, (const char *)m.data, m.n, note, &v);
    assert_string_equal(v.text, "alpha,beta,");
    v.text[0] = '\0';
    fatbin_kernels(FATBIN_ELF, "no machine code", 15, note, &v);
    fatbin_kernels(FATBIN_PTX, ".entry", 6, note, &v);
    assert_string_equal(v.text, "");
    made_free(&m);
}

static void names_are_printable(void **state)
{
    struct fatbin_source s = sources[0];
    struct smw_err e = {0};
    struct fatbin f;
    struct made m;

    (void)state;
    s.source = "a\x1b[1mb\n";
    m = made_fatbin(&s, 1);
    assert_true(fatbin_read_file(m.data, m.n, "x", &f, &e));
    assert_string_equal(f.entry[0].source, "a[1mb");
    fatbin_free(&f);
    made_free(&m);
}

/* ---- damage ---- */

static bool refused(const struct made *m, const char *why)
{
    struct smw_err e = {0};
    struct fatbin f;
    bool ok = fatbin_read_file(m->data, m->n, "x.fatbin", &f, &e);

    for (uint32_t i = 0; ok && i < f.n_entries; i++) {
        size_t size;
        char *data = fatbin_unpack(&f.entry[i], "x.fatbin", &size, &e);

        ok = data != NULL;
        free(data);
    }
    fatbin_free(&f);
    assert_true(ok || strncmp(e.message, "x.fatbin", 8) == 0);
    if (!ok && strstr(e.message, why) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", e.message, why);
    }
    return !ok;
}

static void damaged(void **state)
{
    static const struct {
        uint32_t at, value;
        const char *why;
    } table[] = {
        {0, 'X', "holds no code"},
        {6, 15, "header has an impossible length"},
        {6, 255, "its header"},
        {8, 255, "longer than what it lies in"},
        {15, 1, "longer than what it lies in"},
        {8, 8, "no room for the header of an entry"},
        {16 + 4, 63, "header has an impossible length"},
        {16 + 6, 1, "header has an impossible length"},
        {16 + 9, 255, "longer than the fat binary"},
        {16 + 15, 255, "longer than the fat binary"},
        {16 + 33, 1, "name of the source is outside"},
        {16 + 37, 1, "name of the source is outside"},
        {16 + 18, 1, "packed data longer"},
        {16 + 56, 0, "do not have the length"},
        {16 + 60, 1, "at most"},
        {16 + 72, 0, "do not have the length"},
        {16 + 85, 255, "zstd data are damaged"},
    };

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(table); i++) {
        struct made m = made_fatbin(&sources[2], 1);

        m.data[table[i].at] = (uint8_t)table[i].value;
        assert_true(refused(&m, table[i].why));
        made_free(&m);
    }
    for (uint32_t length = 1; length < 64; length++) { /* cut off */
        struct made m = made_fatbin(&sources[0], 1);

        m.n = length;
        assert_true(refused(&m, ""));
        made_free(&m);
    }
}

static void damaged_lz4(void **state)
{
    struct made m = made_fatbin(&sources[1], 1);

    (void)state;
    m.data[16 + 56] ^= 1; /* a length that is not so */
    assert_true(refused(&m, "LZ4 data are damaged"));
    m.data[16 + 58] = 1; /* one that LZ4 cannot reach */
    assert_true(refused(&m, "do not have the length"));
    made_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_written), cmocka_unit_test(layout),
        cmocka_unit_test(kernels),         cmocka_unit_test(names_are_printable),
        cmocka_unit_test(damaged),         cmocka_unit_test(damaged_lz4),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
