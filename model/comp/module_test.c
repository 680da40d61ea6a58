#include "comp/comp.h"
#include "engine/panic_test.h"

static const struct sim_proto proto = {"packet", sizeof(struct sim_txn)};
static const struct sim_probe_desc desc = {.name = "probe",
                                           .kind = SIM_PROBE_BITS,
                                           .width = 1};

static void tree_and_paths(void **state)
{
    struct sim *s = sim_new();
    struct sim_clock core, memory;
    struct sim_module gpu, sm, bank;
    char path[64];

    (void)state;
    sim_clock_init(&core, s, "core", 5000, 7);
    sim_clock_init(&memory, s, "memory", 250000, 231);
    sim_module_init(&gpu, s, NULL, &core, "gpu");
    sim_module_init(&sm, s, &gpu, NULL, "sm0");
    sim_module_init(&bank, s, &sm, &memory, "bank07");
    assert_ptr_equal(sm.clock, &core);
    assert_ptr_equal(bank.clock, &memory);
    assert_string_equal(sim_path(&gpu, path, sizeof(path)), "gpu");
    assert_string_equal(sim_path(&bank, path, sizeof(path)), "gpu.sm0.bank07");
    assert_string_equal(sim_path(&bank, path, 10), "gpu.sm0.b"); /* cut */
    assert_string_equal(sim_path(&bank, path, 8), "gpu.sm0");
    assert_string_equal(sim_path(&bank, path, 1), "");
    expect_panic(s, "size > 0", sim_path(&bank, path, 0));
    assert_int_equal(sim_here(&bank), 0);
    sim_free(s);
}

/* Built breadth first, numbered depth first. */
static void numbers(void **state)
{
    struct sim *s = sim_new();
    struct sim_module root[2], child[2][2], leaf[2], late;
    struct sim_probe p[5];
    const struct sim_module *const order[] = {&root[0],     &child[0][0], &leaf[0],
                                              &leaf[1],     &child[0][1], &root[1],
                                              &child[1][0], &child[1][1]};

    (void)state;
    sim_module_init(&root[0], s, NULL, NULL, "a");
    sim_module_init(&root[1], s, NULL, NULL, "b");
    for (int c = 0; c < 2; c++) {
        for (int r = 0; r < 2; r++) {
            sim_module_init(&child[r][c], s, &root[r], NULL, "c");
        }
    }
    sim_probe_init(&p[4], &child[1][1], &desc, NULL, 0);
    sim_module_init(&leaf[0], s, &child[0][0], NULL, "d");
    sim_module_init(&leaf[1], s, &child[0][0], NULL, "e");
    sim_probe_init(&p[0], &root[0], &desc, NULL, 0);
    sim_probe_init(&p[1], &leaf[0], &desc, NULL, 0);
    sim_probe_init(&p[2], &leaf[0], &desc, NULL, 0);
    sim_probe_init(&p[3], &root[1], &desc, NULL, 0);
    assert_int_equal(sim_number(s), 5);
    assert_int_equal(sim_number(s), 5);
    for (uint32_t i = 0; i < ARRAY_LEN(order); i++) {
        assert_int_equal(order[i]->order, i);
    }
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(p[i].id, i);
    }
    assert_ptr_equal(leaf[0].probes, &p[1]);
    assert_ptr_equal(p[1].next, &p[2]);
    sim_module_init(&late, s, &child[0][0], NULL, "f"); /* another one: anew */
    sim_number(s);
    assert_int_equal(late.order, 4);
    sim_free(s);
}

static void see_nothing(void *ctx, sim_time_t now, struct sim_probe *const *changed,
                        size_t n)
{
    (void)ctx;
    (void)now;
    (void)changed;
    (void)n;
}

/* Without a watcher nobody pays for numbers. */
static void first_watched_run_numbers(void **state)
{
    struct sim_watcher w = {.changed = see_nothing};
    struct sim *s = sim_new();
    struct sim_module a, b;

    (void)state;
    sim_watch(s, &w);
    sim_module_init(&a, s, NULL, NULL, "a");
    sim_module_init(&b, s, &a, NULL, "b");
    assert_int_equal(sim_run(s, SIM_TIME_MAX, 0), SIM_IDLE);
    assert_int_equal(b.order, 1);
    sim_free(s);
}

static void unbound_ports_are_found(void **state)
{
    struct sim *s = sim_new();
    struct sim_clock clock;
    struct sim_module gpu, a, b, other;
    struct sim_in in[2];
    struct sim_out out[2];
    char path[64];

    (void)state;
    sim_clock_init(&clock, s, "clock", 1000, 1);
    sim_module_init(&gpu, s, NULL, &clock, "gpu");
    sim_module_init(&a, s, &gpu, NULL, "a");
    sim_module_init(&b, s, &gpu, NULL, "b");
    sim_module_init(&other, s, NULL, &clock, "other");
    assert_true(sim_check_bound(&gpu, path, sizeof(path)));
    sim_in_init(&in[0], &b, "req", &proto, 1);
    sim_in_init(&in[1], &b, "more", &proto, 1);
    sim_out_init(&out[0], &a, "out0", &proto);
    sim_out_init(&out[1], &a, "out1", &proto);
    assert_false(sim_check_bound(&gpu, path, sizeof(path)));
    assert_string_equal(path, "gpu.a.out0");
    assert_false(sim_check_bound(&gpu, path, 8));
    assert_string_equal(path, "gpu.a.o");
    sim_bind(&out[0], &in[0], 1);
    assert_false(sim_check_bound(&gpu, path, sizeof(path)));
    assert_string_equal(path, "gpu.a.out1");
    assert_false(sim_check_bound(&b, path, sizeof(path)));
    assert_string_equal(path, "gpu.b.more");
    assert_true(sim_check_bound(&other, path, sizeof(path)));
    sim_bind(&out[1], &in[1], 1);
    assert_true(sim_check_bound(&gpu, path, sizeof(path)));
    assert_true(sim_check_bound(&b, path, sizeof(path)));
    sim_free(s);
}

static void builds(void *self)
{
    struct sim_module *m = self;
    struct sim_module late;

    sim_module_init(&late, m->sim, m, NULL, "late");
}

static void refused(void **state)
{
    struct sim *s = sim_new();
    struct sim *other = sim_new();
    struct sim_module a, b;
    struct sim_event e;
    struct sim_process p;

    (void)state;
    sim_module_init(&a, s, NULL, NULL, "a");
    expect_panic(other, "foreign", sim_module_init(&b, other, &a, NULL, "foreign"));
    sim_event_init(&e, s, NULL, "e");
    sim_process_init(&p, s, "p", builds, &a);
    sim_wake_on(&p, &e);
    sim_notify_delta(&e);
    expect_panic(s, "late", sim_run(s, SIM_TIME_MAX, 0));
    sim_free(s);
    sim_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree_and_paths),
        cmocka_unit_test(numbers),
        cmocka_unit_test(first_watched_run_numbers),
        cmocka_unit_test(unbound_ports_are_found),
        cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
