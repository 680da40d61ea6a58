/* What a program hands to its runtime. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fatbin/fatbin_priv.h"
#include "fatbin/make_files.h"
#include <string.h>

#define PTX ".version 7.1\n.target sm_75\n.entry k() { ret; }\n"

struct wrapper {
    uint32_t magic, version;
    const void *data;
    const void *more;
};

static struct made small(enum fatbin_kind kind, uint32_t target)
{
    struct fatbin_source s = {kind,   FATBIN_LZ4, PTX, sizeof(PTX) - 1,
                              target, 0,          71,  NULL};

    return made_fatbin(&s, 1);
}

static void refuse(const void *image, const char *why)
{
    struct smw_err e = {0};
    struct fatbin f;

    assert_false(fatbin_read_memory(image, "module", &f, &e));
    assert_int_equal(f.n_images, 0);
    if (strstr(e.message, why) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", e.message, why);
    }
}

static void version_1(void **state)
{
    struct made m = small(FATBIN_PTX, 80);
    struct wrapper w = {FATBIN_WRAPPER_MAGIC, 1, NULL, NULL};
    struct smw_err e = {0};
    struct fatbin f;

    (void)state;
    w.data = m.data;
    assert_true(fatbin_read_memory(&w, "module", &f, &e));
    assert_int_equal(f.n_images, 1);
    assert_int_equal(f.entry[0].target, 80);
    fatbin_free(&f);
    w.data = PTX;
    assert_true(fatbin_read_memory(&w, "module", &f, &e));
    assert_int_equal(f.entry[0].kind, FATBIN_PTX);
    assert_int_equal(f.entry[0].target, 75);
    assert_int_equal(f.entry[0].size, sizeof(PTX) - 1);
    fatbin_free(&f);
    made_free(&m);
}

static void version_2(void **state)
{
    struct made linked = small(FATBIN_ELF, 80);
    struct made part[] = {small(FATBIN_PTX, 75), small(FATBIN_PTX, 86)};
    const void *const list[] = {part[0].data, part[1].data, NULL};
    struct wrapper w = {FATBIN_WRAPPER_MAGIC, 2, linked.data, list};
    struct smw_err e = {0};
    struct fatbin f;

    (void)state;
    assert_true(fatbin_read_memory(&w, "module", &f, &e));
    assert_int_equal(f.n_images, 3);
    assert_false(f.image[0].to_link);
    assert_true(f.image[1].to_link);
    assert_true(f.image[2].to_link);
    assert_int_equal(f.entry[0].kind, FATBIN_ELF);
    assert_int_equal(f.entry[2].target, 86);
    fatbin_free(&f);
    w.data = NULL;
    assert_true(fatbin_read_memory(&w, "module", &f, &e));
    assert_int_equal(f.n_images, 2);
    fatbin_free(&f);
    made_free(&linked);
    made_free(&part[0]);
    made_free(&part[1]);
}

static void without_wrapper(void **state)
{
    struct made m = small(FATBIN_PTX, 80), cubin = made_elf(190, 86, 7, NULL, 0);
    struct smw_err e = {0};
    struct fatbin f;

    (void)state;
    assert_true(fatbin_read_memory(m.data, "module", &f, &e));
    assert_int_equal(f.entry[0].target, 80);
    fatbin_free(&f);
    assert_true(fatbin_read_memory(PTX, "module", &f, &e));
    assert_int_equal(f.entry[0].target, 75);
    fatbin_free(&f);
    assert_true(fatbin_read_memory(cubin.data, "module", &f, &e));
    assert_int_equal(f.entry[0].kind, FATBIN_ELF);
    assert_int_equal(f.entry[0].target, 86);
    fatbin_free(&f);
    made_free(&m);
    made_free(&cubin);
}

static void refused(void **state)
{
    struct wrapper w = {FATBIN_WRAPPER_MAGIC, 3, PTX, NULL};
    struct made m = small(FATBIN_PTX, 80);

    (void)state;
    refuse(NULL, "no image");
    refuse(&w, "version 3");
    w.version = 1;
    w.data = NULL;
    refuse(&w, "empty");
    w.data = "no code";
    refuse(&w, "no fat binary");
    refuse("", "no fat binary");
    m.data[16 + 4] = 1;
    refuse(m.data, "damaged fat binary");
    made_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_1),
        cmocka_unit_test(version_2),
        cmocka_unit_test(without_wrapper),
        cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
