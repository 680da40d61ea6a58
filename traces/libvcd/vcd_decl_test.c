/* Scopes, names, identifiers, aliases, names as a viewer knows them. */
#include "libvcd/vcd_testlib.h"

#include <stdlib.h>
#include <string.h>

static void close_with(struct vcd *w, struct mem *m, int code)
{
    assert_int_equal(vcd_close(w), code);
    mem_free(m);
}

static void scopes_nest_and_can_be_entered_again(void **state)
{
    struct mem m;
    struct vcd *w = mem_open(&m, NULL);

    (void)state;
    assert_true(vcd_scope(w, "gpu"));
    assert_true(vcd_scope(w, "sm0"));
    assert_int_equal(vcd_add(w, VCD_WIRE, "a", 1), 0);
    assert_true(vcd_upscope(w));
    assert_true(vcd_scope(w, "sm1"));
    assert_int_equal(vcd_add(w, VCD_WIRE, "a", 1), 1); /* another scope: no clash */
    assert_true(vcd_upscope(w));
    assert_int_equal(vcd_add(w, VCD_WIRE, "sm0", 1), 2); /* nor with a scope */
    assert_true(vcd_scope(w, "sm0"));
    assert_int_equal(vcd_check_name(w, "a"), VCD_EDUP);
    assert_int_equal(vcd_check_name(w, "b"), 0);
    assert_int_equal(vcd_check_name(w, "b c"), VCD_ENAME);
    assert_int_equal(vcd_add(w, VCD_WIRE, "b", 1), 3);
    mem_expect(w, &m,
               "$timescale 1 ns $end\n$scope module gpu $end\n"
               "$scope module sm0 $end\n$var wire 1 ! a $end\n$upscope $end\n"
               "$scope module sm1 $end\n$var wire 1 \" a $end\n$upscope $end\n"
               "$var wire 1 # sm0 $end\n"
               "$scope module sm0 $end\n$var wire 1 $ b $end\n$upscope $end\n"
               "$upscope $end\n$enddefinitions $end\n"
               "#0\n$dumpvars\nx!\nx\"\nx#\nx$\n$end\n");
}

static void values_have_names(void **state)
{
    static const char *const names[] = {"idle", "load", "load_conflict"};
    struct mem m;
    struct vcd *w = mem_open(&m, NULL);

    (void)state;
    assert_true(vcd_scope(w, "gpu"));
    assert_int_equal(vcd_enum(w, "op", 2, names, 3), 1);
    assert_int_equal(vcd_enum(w, "one", 1, names, 1), 2);
    assert_true(vcd_enum_next(w, 1));
    assert_int_equal(vcd_add(w, VCD_WIRE, "op", 2), 0);
    mem_expect(w, &m,
               "$timescale 1 ns $end\n$scope module gpu $end\n"
               "$attrbegin misc 07 op 3 idle load load_conflict 00 01 10 1 $end\n"
               "$attrbegin misc 07 one 1 idle 0 2 $end\n"
               "$attrbegin misc 07 \"\" 1 $end\n$var wire 2 ! op [1:0] $end\n"
               "$upscope $end\n$enddefinitions $end\n"
               "#0\n$dumpvars\nbx !\n$end\n");
}

static void names_of_values_are_checked(void **state)
{
    static const char *const good[] = {"a", "b", "c"};
    static const char *const bad[][1] = {{""}, {"a b"}, {"$end"}, {"\x7f"}};
    struct mem m;
    struct vcd *w;

    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        w = mem_open(&m, NULL);
        assert_int_equal(vcd_enum(w, "t", 2, bad[i], 1), 0);
        close_with(w, &m, VCD_ENAME);
    }
    w = mem_open(&m, NULL);
    assert_int_equal(vcd_enum(w, "\"", 2, good, 1), 0);
    close_with(w, &m, VCD_ENAME);
    for (uint32_t width = 0; width < 66; width += 65) {
        w = mem_open(&m, NULL);
        assert_int_equal(vcd_enum(w, "t", width, good, 1), 0);
        close_with(w, &m, VCD_EWIDTH);
    }
    w = mem_open(&m, NULL);
    assert_int_equal(vcd_enum(w, "t", 1, good, 3), 0); /* of values it has not */
    close_with(w, &m, VCD_EWIDTH);
    w = mem_open(&m, NULL);
    assert_int_equal(vcd_enum(w, "t", 2, good, 0), 0);
    close_with(w, &m, VCD_EWIDTH);
    w = mem_open(&m, NULL);
    assert_false(vcd_enum_next(w, 1)); /* there is none */
    close_with(w, &m, VCD_EHANDLE);
    w = mem_open(&m, NULL);
    assert_true(vcd_begin(w));
    assert_int_equal(vcd_enum(w, "t", 2, good, 3), 0);
    close_with(w, &m, VCD_EORDER);
}

static void declarations_out_of_order(void **state)
{
    struct mem m;
    struct vcd *w = mem_open(&m, NULL);

    (void)state;
    assert_int_equal(vcd_check_name(w, "a"), 0);
    assert_int_equal(vcd_add(w, VCD_WIRE, "a", 1), VCD_NONE); /* no scope */
    assert_int_equal(vcd_error(w), VCD_EORDER);
    close_with(w, &m, VCD_EORDER);

    w = mem_open(&m, NULL);
    assert_false(vcd_upscope(w));
    close_with(w, &m, VCD_EORDER);

    for (int i = 0; i < 4; i++) {
        vcd_id a;

        w = mem_open(&m, NULL);
        vcd_scope(w, "top");
        a = vcd_add(w, VCD_WIRE, "a", 1);
        vcd_begin(w);
        switch (i) {
        case 0: assert_int_equal(vcd_add(w, VCD_WIRE, "b", 1), VCD_NONE); break;
        case 1: assert_int_equal(vcd_alias(w, VCD_WIRE, "b", 1, a), VCD_NONE); break;
        case 2: assert_false(vcd_scope(w, "b")); break;
        default: assert_false(vcd_upscope(w)); break;
        }
        close_with(w, &m, VCD_EORDER);
    }
}

static void bad_declarations(void **state)
{
    static const struct {
        enum vcd_kind kind;
        const char *name;
        uint32_t width;
        int code;
    } bad[] = {
        {VCD_WIRE, "a", 1, VCD_EDUP},
        {VCD_EVENT, "a", 1, VCD_EDUP},
        {VCD_WIRE, "b c", 1, VCD_ENAME},
        {VCD_WIRE, "", 1, VCD_ENAME},
        {VCD_WIRE, "b", 0, VCD_EWIDTH},
        {VCD_INTEGER, "b", VCD_WIDTH_MAX + 1, VCD_EWIDTH},
        {(enum vcd_kind)6, "b", 1, VCD_EKIND},
    };
    struct mem m;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct vcd *w = mem_open(&m, NULL);

        vcd_scope(w, "top");
        vcd_add(w, VCD_WIRE, "a", 1);
        assert_int_equal(vcd_add(w, bad[i].kind, bad[i].name, bad[i].width), VCD_NONE);
        assert_int_equal(vcd_error(w), bad[i].code);
        /* It left nothing behind: the next variable gets the next identifier. */
        assert_int_equal(vcd_add(w, VCD_REG, "good", 2), 1);
        assert_int_equal(vcd_close(w), bad[i].code);
        assert_string_equal(m.data,
                            "$timescale 1 ns $end\n$scope module top $end\n"
                            "$var wire 1 ! a $end\n$var reg 2 \" good [1:0] $end\n"
                            "$upscope $end\n$enddefinitions $end\n"
                            "#0\n$dumpvars\nx!\nbx \"\n$end\n");
        mem_free(&m);
    }
    {
        struct vcd *w = mem_open(&m, NULL);

        assert_false(vcd_scope(w, "a.b"));
        close_with(w, &m, VCD_ENAME);
    }
}

static void bad_aliases(void **state)
{
    static const struct {
        const char *name;
        enum vcd_kind kind;
        uint32_t width;
        vcd_id of;
        int code;
    } bad[] = {
        {"b", VCD_WIRE, 7, 0, VCD_EWIDTH},  {"b", VCD_REAL, 0, 0, VCD_EKIND},
        {"b", VCD_WIRE, 64, 1, VCD_EKIND},  {"b", VCD_STRING, 0, 1, VCD_EKIND},
        {"b", VCD_WIRE, 8, 9, VCD_EHANDLE}, {"b", VCD_WIRE, 8, VCD_NONE, VCD_EHANDLE},
        {"r", VCD_WIRE, 8, 0, VCD_EDUP},    {"+", VCD_WIRE, 8, 0, VCD_ENAME},
    };
    struct mem m;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct vcd *w = mem_open(&m, NULL);

        vcd_scope(w, "top");
        vcd_add(w, VCD_WIRE, "a", 8);
        vcd_add(w, VCD_REAL, "r", 0);
        assert_int_equal(vcd_alias(w, bad[i].kind, bad[i].name, bad[i].width,
                                   bad[i].of),
                         VCD_NONE);
        assert_int_equal(vcd_error(w), bad[i].code);
        close_with(w, &m, bad[i].code);
    }
}

static void aliases_of_every_kind(void **state)
{
    struct mem m;
    struct vcd *w = mem_open(&m, NULL);
    vcd_id r, s, e, b;

    (void)state;
    vcd_scope(w, "t");
    r = vcd_add(w, VCD_REAL, "r", 0);
    s = vcd_add(w, VCD_STRING, "s", 0);
    e = vcd_add(w, VCD_EVENT, "e", 0);
    assert_int_equal(vcd_alias(w, VCD_REAL, "r2", 0, r), 3);
    assert_int_equal(vcd_alias(w, VCD_STRING, "s2", 0, s), 4);
    assert_int_equal(vcd_alias(w, VCD_EVENT, "e2", 0, e), 5);
    b = vcd_add(w, VCD_WIRE, "b", 1); /* aliases use up no identifier */
    vcd_begin(w);
    vcd_set_real(w, 3, 0.5);
    vcd_set_string(w, 4, "v");
    vcd_fire(w, 5);
    vcd_set_u64(w, b, 1);
    mem_expect(w, &m,
               "$timescale 1 ns $end\n$scope module t $end\n$var real 64 ! r $end\n"
               "$var string 0 \" s $end\n$var event 1 # e $end\n"
               "$var real 64 ! r2 $end\n$var string 0 \" s2 $end\n"
               "$var event 1 # e2 $end\n$var wire 1 $ b $end\n$upscope $end\n"
               "$enddefinitions $end\n#0\n$dumpvars\nr0 !\ns \"\nx$\n$end\n"
               "r0.5 !\nsv \"\n1#\n1$\n");
}

static void loader_names(void **state)
{
    struct mem m;
    struct vcd *w = mem_open(&m, NULL);
    char buf[64];

    (void)state;
    vcd_scope(w, "gpu");
    vcd_scope(w, "sm0");
    vcd_add(w, VCD_WIRE, "busy", 1);
    vcd_add(w, VCD_WIRE, "mask", 32);
    vcd_add(w, VCD_REG, "pc", 1000);
    vcd_add(w, VCD_INTEGER, "cycle", 32);
    vcd_add(w, VCD_REAL, "ipc", 0);
    vcd_add(w, VCD_STRING, "inst", 0);
    vcd_add(w, VCD_EVENT, "done", 0);
    vcd_alias(w, VCD_REG, "mask2", 32, 1);
    {
        static const char *const want[] = {"gpu.sm0.busy",      "gpu.sm0.mask[31:0]",
                                           "gpu.sm0.pc[999:0]", "gpu.sm0.cycle",
                                           "gpu.sm0.ipc",       "gpu.sm0.inst",
                                           "gpu.sm0.done",      "gpu.sm0.mask2[31:0]"};

        for (vcd_id i = 0; i < 8; i++) {
            size_t len = strlen(want[i]);

            assert_int_equal(vcd_loader_name(w, i, NULL, 0), len);
            for (size_t size = 1; size < sizeof(buf); size++) {
                char cut[64] = "";

                memset(buf, '?', sizeof(buf));
                assert_int_equal(vcd_loader_name(w, i, buf, size), len);
                strncat(cut, want[i], size - 1);
                assert_string_equal(buf, cut);
                assert_int_equal(buf[size], '?');
            }
        }
    }
    assert_int_equal(vcd_loader_name(w, 8, NULL, 0), 0);
    assert_int_equal(vcd_loader_name(w, VCD_NONE, buf, sizeof(buf)), 0);
    assert_string_equal(buf, "");
    close_with(w, &m, 0);
}

/* 100,000 variables: every identifier once, in order; names found again. */
static void many(void **state)
{
    enum { N = 100000 };
    struct mem m;
    struct vcd *w = mem_open(&m, NULL);
    const char *at;
    char name[16];

    (void)state;
    for (unsigned i = 0; i < N; i++) {
        if (i % 1000 == 0) {
            snprintf(name, sizeof(name), "s%u", i / 1000);
            if (i != 0) {
                vcd_upscope(w);
            }
            assert_true(vcd_scope(w, name));
        }
        snprintf(name, sizeof(name), "v%u", i % 1000);
        assert_int_equal(vcd_add(w, VCD_WIRE, name, 1), i);
        assert_int_equal(vcd_check_name(w, name), VCD_EDUP);
    }
    assert_int_equal(vcd_close(w), 0);
    at = m.data;
    for (unsigned i = 0; i < N; i++) {
        unsigned n = 0, place = 1;

        while (strncmp(at, "$var wire 1 ", strlen("$var wire 1 ")) != 0) {
            at = strchr(at, '\n') + 1; /* a line more */
        }
        for (at += strlen("$var wire 1 "); *at != ' '; at++, place *= 94) {
            n += (unsigned)(*at - 33) * place;
        }
        assert_int_equal(n, i);
    }
    mem_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_have_names),
        cmocka_unit_test(names_of_values_are_checked),
        cmocka_unit_test(scopes_nest_and_can_be_entered_again),
        cmocka_unit_test(declarations_out_of_order),
        cmocka_unit_test(bad_declarations),
        cmocka_unit_test(bad_aliases),
        cmocka_unit_test(aliases_of_every_kind),
        cmocka_unit_test(loader_names),
        cmocka_unit_test(many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
