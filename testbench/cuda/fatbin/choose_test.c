/* The best PTX for a device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fatbin/fatbin.h"
#include "fatbin/make_files.h"
#include <string.h>

#define PTX ".version 7.1\n.target sm_75\n.entry k() { ret; }\n"

struct source {
    enum fatbin_kind kind;
    uint32_t target;
    char suffix;
};

/* The target chosen of these for cc; 0: none, *e says why. */
static uint32_t choice(const struct source *of, uint32_t n, uint32_t cc, char *suffix,
                       enum fatbin_choice *how, struct smw_err *e)
{
    struct fatbin_source s[8];
    struct fatbin f;
    struct made m;
    uint32_t i = 0, target = 0;

    for (uint32_t k = 0; k < n; k++) {
        s[k] = (struct fatbin_source){of[k].kind,   FATBIN_PLAIN, PTX, sizeof(PTX),
                                      of[k].target, of[k].suffix, 71,  NULL};
    }
    m = made_fatbin(s, n);
    assert_true(fatbin_read_file(m.data, m.n, "prog", &f, e));
    *how = fatbin_choose(&f, 0, cc, &i, e);
    if (*how == FATBIN_FOUND) {
        target = f.entry[i].target;
        *suffix = f.entry[i].suffix;
        assert_int_equal(f.entry[i].kind, FATBIN_PTX);
    }
    fatbin_free(&f);
    made_free(&m);
    return target;
}

static void highest(void **state)
{
    static const struct source s[] = {{FATBIN_PTX, 75, 0},    {FATBIN_PTX, 90, 'a'},
                                      {FATBIN_PTX, 90, 0},    {FATBIN_PTX, 52, 0},
                                      {FATBIN_PTX, 100, 'f'}, {FATBIN_ELF, 80, 0}};
    static const struct {
        uint32_t cc, target;
        char suffix;
    } table[] = {{52, 52, 0},   {70, 52, 0},     {75, 75, 0},     {89, 75, 0},
                 {90, 90, 'a'}, {100, 100, 'f'}, {103, 100, 'f'}, {120, 90, 0}};

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(table); i++) {
        struct smw_err e = {0};
        enum fatbin_choice how;
        char suffix = '?';

        assert_int_equal(choice(s, ARRAY_LEN(s), table[i].cc, &suffix, &how, &e),
                         table[i].target);
        assert_int_equal(how, FATBIN_FOUND);
        assert_int_equal(suffix, table[i].suffix);
    }
}

static void too_new(void **state)
{
    static const struct source s[] = {{FATBIN_PTX, 75, 0}, {FATBIN_ELF, 20, 0}};
    struct smw_err e = {0};
    enum fatbin_choice how;
    char suffix;

    (void)state;
    assert_int_equal(choice(s, 2, 60, &suffix, &how, &e), 0);
    assert_int_equal(how, FATBIN_TOO_NEW);
    assert_string_equal(e.message, "prog: the PTX in it is for compute_75, which a "
                                   "device of capability 6.0 does not run");
    assert_string_equal(e.hint,
                        "compile with -gencode arch=compute_60,code=compute_60");
}

static void machine_code_alone(void **state)
{
    static const struct source s[] = {{FATBIN_ELF, 80, 0}, {FATBIN_ELF, 90, 'a'}};
    struct smw_err e = {0};
    enum fatbin_choice how;
    char suffix;

    (void)state;
    assert_int_equal(choice(s, 2, 90, &suffix, &how, &e), 0);
    assert_int_equal(how, FATBIN_NO_PTX);
    assert_string_equal(e.message, "prog: there is machine code for sm_80, sm_90a "
                                   "alone: PTX is needed");
    assert_string_equal(e.hint,
                        "compile with -gencode arch=compute_90,code=compute_90");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(highest),
        cmocka_unit_test(too_new),
        cmocka_unit_test(machine_code_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
