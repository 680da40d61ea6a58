/* What a dump says of its signals: written, read, found. */
#include "describe.h"
#include "wave_testlib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fixture {
    struct arena arena;
    struct describe_list list;
};

static int start(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    arena_init(&f->arena);
    *state = f;
    return f == NULL;
}

static int stop(void **state)
{
    struct fixture *f = *state;

    arena_free(&f->arena);
    free(f);
    return 0;
}

static const struct sim_probe_desc full = {.name = "rate",
                                           .kind = SIM_PROBE_RATE,
                                           .width = 9,
                                           .doc = "what is written, in words",
                                           .role = SIM_ROLE_PER_CYCLE,
                                           .label = "a label",
                                           .sizes = "l1",
                                           .unit = "warps",
                                           .views = "banks,memory"};

/* All that is said comes back, and nothing else. */
static void there_and_back(void **state)
{
    static const struct sim_probe_desc bare = {.name = "bit", .kind = SIM_PROBE_BITS};
    struct fixture *f = *state;
    const struct sim_probe_desc *d;
    const char *text = describe_text(&f->arena, "gpu.sm*.", &full);

    assert_string_equal(text, "signal gpu.sm*.rate kind=rate role=per_cycle unit=warps "
                              "sizes=l1 views=banks,memory label=\"a label\" "
                              "doc=\"what is written, in words\"");
    assert_true(describe_read(&f->list, &f->arena, text));
    text = describe_text(&f->arena, "gpu.", &bare);
    assert_string_equal(text, "signal gpu.bit kind=bits");
    assert_true(describe_read(&f->list, &f->arena, text));

    d = describe_find(&f->list, "gpu.sm12.rate");
    assert_non_null(d);
    assert_string_equal(d->name, full.name);
    assert_int_equal(d->kind, full.kind);
    assert_int_equal(d->role, full.role);
    assert_string_equal(d->doc, full.doc);
    assert_string_equal(d->label, full.label);
    assert_string_equal(d->sizes, full.sizes);
    assert_string_equal(d->unit, full.unit);
    assert_string_equal(d->views, full.views);
    d = describe_find(&f->list, "gpu.bit");
    assert_non_null(d);
    assert_int_equal(d->kind, SIM_PROBE_BITS);
    assert_int_equal(d->role, SIM_ROLE_PLAIN);
    assert_null(d->doc);
    assert_null(d->views);
}

/* Every kind and every role has a word that is read as itself. */
static void all_words(void **state)
{
    struct fixture *f = *state;

    for (int k = SIM_PROBE_BITS; k <= SIM_PROBE_EVENT; k++) {
        for (int r = 0; r < SIM_N_ROLES; r++) {
            struct sim_probe_desc d = {.name = "x",
                                       .kind = (enum sim_probe_kind)k,
                                       .role = (enum sim_probe_role)r};
            struct describe_list list = {.n = 0};

            assert_true(
                describe_read(&list, &f->arena, describe_text(&f->arena, "a.", &d)));
            assert_int_equal(describe_find(&list, "a.x")->kind, k);
            assert_int_equal(describe_find(&list, "a.x")->role, r);
        }
    }
}

static void paths(void **state)
{
    struct fixture *f = *state;
    struct describe_list *l = &f->list;

    assert_true(describe_read(l, &f->arena, "signal g.sm*.w*.x kind=uint doc=\"any\""));
    assert_true(
        describe_read(l, &f->arena, "signal g.sm1.w2.x kind=level doc=\"one\""));
    assert_true(describe_read(l, &f->arena, "signal g.sm1.w*.x kind=bits doc=\"few\""));
    assert_string_equal(describe_find(l, "g.sm0.w07.x")->doc, "any");
    assert_string_equal(describe_find(l, "g.sm1.w2.x")->doc, "one");
    assert_string_equal(describe_find(l, "g.sm1.w3.x")->doc, "few");
    assert_null(describe_find(l, "g.sm.w3.x")); /* a star is a number ... */
    assert_null(describe_find(l, "g.smx.w3.x"));
    assert_null(describe_find(l, "g.sm1.w3"));
    assert_null(describe_find(l, "g.sm1.a.w3.x")); /* ... and nothing else */
    assert_null(describe_find(l, "g.sm1.w3.y"));
    assert_null(describe_find(l, "x"));
}

static void refused(void **state)
{
    static const char *const no[] = {
        "config gtx480, digest 0",
        "signal",
        "signal g.x",
        "signal g.x kind=what",
        "signal g.x doc=\"no kind\"",
        "signals g.x kind=uint",
        "signal g.x kind",
        "signal g.x \"kind\"=uint",
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < ARRAY_LEN(no); i++) {
        if (describe_read(&f->list, &f->arena, no[i])) {
            fail_msg("'%s' is no description", no[i]);
        }
    }
    assert_int_equal(f->list.n, 0);
    /* what a later version says besides is skipped, what does not end is taken */
    assert_true(describe_read(&f->list, &f->arena,
                              "signal g.x new=1 kind=uint role=new doc=\"no end"));
    assert_int_equal(describe_find(&f->list, "g.x")->kind, SIM_PROBE_UINT);
    assert_string_equal(describe_find(&f->list, "g.x")->doc, "no end");
}

/* Numbers of brothers are stars; a number that is just a name stays. */
static void brothers(void **state)
{
    struct fixture *f = *state;
    struct sim_module root, sm[2], l1, l2x, deep;
    struct tiny t;
    char path[64];

    (void)f;
    tiny_init(&t, 0);
    sim_module_init(&root, t.sim, NULL, NULL, "gpu7");
    sim_module_init(&sm[0], t.sim, &root, NULL, "sm0");
    sim_module_init(&sm[1], t.sim, &root, NULL, "sm1");
    sim_module_init(&l1, t.sim, &sm[1], NULL, "l1");
    sim_module_init(&l2x, t.sim, &sm[1], NULL, "l2x");
    sim_module_init(&deep, t.sim, &l1, NULL, "deep");
    describe_path(&root, path, sizeof(path));
    assert_string_equal(path, "gpu7.");
    describe_path(&deep, path, sizeof(path));
    assert_string_equal(path, "gpu7.sm*.l1.deep.");
    tiny_free(&t);
}

/* Two signals of one name in one array that are not the same kind of thing: each is
 * found under its own description, in the dump that a wave writes. */
static void unlike_brothers(void **state)
{
    static const struct sim_probe_desc a = {.name = "x",
                                            .kind = SIM_PROBE_UINT,
                                            .width = 4,
                                            .doc = "first"};
    static const struct sim_probe_desc b = {.name = "x",
                                            .kind = SIM_PROBE_LEVEL,
                                            .width = 4,
                                            .doc = "second"};
    struct tiny_paths p;
    struct wave_config c = tiny_config(&p, "unlike");
    struct sim_module root, child[3];
    struct sim_probe probe[3];
    struct smw_err e = {0};
    struct tiny t;
    char *text;

    (void)state;
    tiny_init(&t, 0);
    sim_module_init(&root, t.sim, NULL, &t.l2, "top");
    for (int i = 0; i < 3; i++) {
        static const char *const name[] = {"part0", "part1", "part2"};

        sim_module_init(&child[i], t.sim, &root, NULL, name[i]);
        sim_probe_init(&probe[i], &child[i], i == 1 ? &b : &a, NULL, 0);
    }
    tiny_finish(&t, wave_open(t.sim, &root, NULL, &c, &e));
    text = tiny_slurp(c.path);
    assert_non_null(
        strstr(text, "$comment signal top.part*.x kind=uint doc=\"first\" $end\n"
                     "$comment signal top.part1.x kind=level doc=\"second\" $end\n"
                     "$scope"));
    free(text);
    tiny_remove(&c);
    tiny_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(there_and_back, start, stop),
        cmocka_unit_test_setup_teardown(all_words, start, stop),
        cmocka_unit_test_setup_teardown(paths, start, stop),
        cmocka_unit_test_setup_teardown(refused, start, stop),
        cmocka_unit_test_setup_teardown(brothers, start, stop),
        cmocka_unit_test(unlike_brothers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
