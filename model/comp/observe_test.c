/*
 * Probes and hooks: what watchers and listeners are told, when and in what order.
 */
#include "comp/comp.h"
#include "engine/panic_test.h"

enum { MODULES = 4, PROBES = 130 };

struct rig {
    struct sim *s;
    struct sim_clock clock;
    struct sim_module root, m[MODULES]; /* m is built last first below two scopes */
    struct sim_module scope[2];
    struct sim_probe probe[PROBES];
    struct sim_hook hook[2];
    struct sim_event event;
    struct sim_process process;
    void (*script)(struct rig *r);
    char text[2048];
    uint64_t calls;
};

static const struct sim_probe_desc value = {.name = "value",
                                            .kind = SIM_PROBE_UINT,
                                            .width = 64};
static const struct sim_probe_desc happening = {.name = "e", .kind = SIM_PROBE_EVENT};

static void say(struct rig *r, const char *fmt, ...)
{
    size_t n = strlen(r->text);
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(r->text + n, sizeof(r->text) - n, fmt, ap);
    va_end(ap);
}

static void changed(void *ctx, sim_time_t now, struct sim_probe *const *p, size_t n)
{
    struct rig *r = ctx;

    assert_true(now == sim_now(r->s));
    r->calls++;
    say(r, "[");
    for (size_t i = 0; i < n; i++) {
        say(r, "%s%u=%u", i > 0 ? " " : "", (unsigned)p[i]->id, (unsigned)p[i]->value);
    }
    say(r, "]");
}

static void run_script(void *self)
{
    struct rig *r = self;

    r->script(r);
}

/* Probe i belongs to module i % MODULES; probes 4 to 7 are events. The depth-first
 * order of modules is 1 3 0 2. */
static void rig_init(struct rig *r, void (*script)(struct rig *r))
{
    static const int scope_of[MODULES] = {1, 0, 1, 0};

    memset(r, 0, sizeof(*r));
    r->s = sim_new();
    r->script = script;
    sim_clock_init(&r->clock, r->s, "clock", 1000, 1);
    sim_module_init(&r->root, r->s, NULL, &r->clock, "root");
    sim_module_init(&r->scope[0], r->s, &r->root, NULL, "x");
    sim_module_init(&r->scope[1], r->s, &r->root, NULL, "y");
    for (int i = 0; i < MODULES; i++) {
        sim_module_init(&r->m[i], r->s, &r->scope[scope_of[i]], NULL, "m");
    }
    for (int i = 0; i < PROBES; i++) {
        sim_probe_init(&r->probe[i], &r->m[i % MODULES],
                       i / 4 == 1 ? &happening : &value, NULL, 0);
    }
    sim_hook_init(&r->hook[0], r->s, "first");
    sim_hook_init(&r->hook[1], r->s, "second");
    sim_event_init(&r->event, r->s, &r->clock, "go");
    sim_process_init(&r->process, r->s, "script", run_script, r);
    sim_wake_on(&r->process, &r->event);
}

static void watch(struct rig *r, struct sim_watcher *w)
{
    w->changed = changed;
    w->ctx = r;
    sim_watch(r->s, w);
    for (int i = 0; i < PROBES; i++) {
        sim_probe_watch(&r->probe[i]);
    }
}

static void go(struct rig *r)
{
    sim_notify_cycles(&r->event, 1);
    assert_int_equal(sim_run(r->s, SIM_TIME_MAX, 0), SIM_IDLE);
}

static void expect_text(struct rig *r, const char *text)
{
    assert_string_equal(r->text, text);
    r->text[0] = '\0';
}

static void sets_some(struct rig *r)
{
    sim_probe_set(&r->probe[2], 22); /* module 2, the last one */
    sim_probe_set(&r->probe[1], 11); /* module 1, the first one */
    sim_probe_set(&r->probe[9], 1);
    sim_probe_set(&r->probe[9], 99); /* the last value counts */
    sim_probe_set(&r->probe[3], 5);
    sim_probe_set(&r->probe[3], 0); /* back again: no change */
    sim_probe_set(&r->probe[0], 0); /* no change */
    sim_probe_fire(&r->probe[5]);   /* an event, twice: once */
    sim_probe_fire(&r->probe[5]);
}

static void watchers_are_told_in_order(void **state)
{
    struct rig r;
    struct sim_watcher w[2];

    (void)state;
    rig_init(&r, sets_some);
    watch(&r, &w[0]);
    watch(&r, &w[1]);
    go(&r);
    /* ids: module 1 has 0.., 33 probes; module 3 has 33.., 32; module 0 has 65.., 33 */
    assert_int_equal(r.probe[1].id, 0);
    assert_int_equal(r.probe[3].id, 33);
    assert_int_equal(r.probe[0].id, 65);
    assert_int_equal(r.probe[2].id, 98);
    expect_text(&r, "[0=11 1=0 2=99 98=22][0=11 1=0 2=99 98=22]");
    go(&r); /* the same values: only the event happens again */
    expect_text(&r, "[1=0][1=0]");
    sim_free(r.s);
}

static void nobody_watches(void **state)
{
    struct rig r;
    struct sim_watcher w;

    (void)state;
    rig_init(&r, sets_some);
    assert_false(r.probe[2].module->watched);
    watch(&r, &w);
    assert_true(r.probe[2].module->watched);
    for (int i = 0; i < PROBES; i++) {
        r.probe[i].watched = i == 2;
    }
    go(&r);
    expect_text(&r, "[98=22]");
    assert_int_equal(r.probe[9].value, 99); /* kept all the same */
    r.probe[2].watched = false;
    go(&r);
    expect_text(&r, "");
    sim_free(r.s);
}

static void back_and_forth(struct rig *r)
{
    sim_probe_set(&r->probe[0], 1);
    sim_probe_set(&r->probe[0], 0);
}

static void no_change_no_call(void **state)
{
    struct rig r;
    struct sim_watcher w;

    (void)state;
    rig_init(&r, back_and_forth);
    watch(&r, &w);
    go(&r);
    assert_int_equal(r.calls, 0);
    sim_free(r.s);
}

static void does_nothing(struct rig *r)
{
    (void)r;
}

static void set_before_the_run_is_initial(void **state)
{
    struct rig r;
    struct sim_watcher w;

    (void)state;
    rig_init(&r, sets_some);
    sim_probe_set(&r.probe[1], 11); /* unwatched */
    watch(&r, &w);
    sim_probe_set(&r.probe[2], 22); /* watched */
    sim_probe_set(&r.probe[9], 99);
    go(&r);
    expect_text(&r, "[1=0]");
    sim_probe_set(&r.probe[1], 0); /* and is what later values are compared with */
    r.script = does_nothing;
    go(&r);
    expect_text(&r, "[0=0]");
    sim_free(r.s);
}

static void sets_all(struct rig *r)
{
    for (int i = PROBES - 1; i >= 0; i--) {
        sim_probe_set(&r->probe[i], 7);
    }
}

static void all_in_id_order(void *ctx, sim_time_t now, struct sim_probe *const *p,
                            size_t n)
{
    struct rig *r = ctx;

    (void)now;
    r->calls++;
    assert_int_equal(n, PROBES);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(p[i]->id, i);
    }
}

static void every_probe(void **state)
{
    struct rig r;
    struct sim_watcher w;

    (void)state;
    rig_init(&r, sets_all);
    watch(&r, &w);
    w.changed = all_in_id_order;
    go(&r);
    assert_int_equal(r.calls, 1);
    sim_free(r.s);
}

/* Between runs: told with the next instant, also when numbers change meanwhile. */
static void set_between_runs(void **state)
{
    struct rig r;
    struct sim_watcher w;
    struct sim_probe another;

    (void)state;
    rig_init(&r, does_nothing);
    watch(&r, &w);
    go(&r);
    sim_probe_set(&r.probe[1], 4);
    expect_text(&r, "");
    go(&r);
    expect_text(&r, "[0=4]");
    sim_probe_set(&r.probe[1], 5);
    sim_probe_init(&another, &r.root, &value, NULL, 0);
    another.watched = true;
    sim_probe_set(&another, 3); /* numbers anew, tells the old ones first */
    expect_text(&r, "[0=5]");
    assert_int_equal(another.id, 0);
    go(&r);
    expect_text(&r, "[0=3]");
    sim_free(r.s);
}

/* More than 4096 probes: beyond one word of words. */
static void thousands(void **state)
{
    enum { MANY = 9000 };
    struct rig r;
    struct sim_watcher w;
    struct sim_probe *p;

    (void)state;
    rig_init(&r, does_nothing);
    p = sim_alloc(r.s, MANY * sizeof(*p));
    for (int i = 0; i < MANY; i++) {
        sim_probe_init(&p[i], &r.root, &value, NULL, 0);
    }
    watch(&r, &w);
    for (int i = 0; i < MANY; i++) {
        p[i].watched = true;
    }
    assert_int_equal(sim_number(r.s), MANY + PROBES);
    go(&r);
    sim_probe_set(&p[8999], 1);
    sim_probe_set(&p[4096], 2);
    sim_probe_set(&p[4095], 3);
    sim_probe_set(&p[0], 4);
    go(&r);
    expect_text(&r, "[0=4 4095=3 4096=2 8999=1]");
    sim_free(r.s);
}

/* ---- hooks ---- */

static void heard(void *ctx, sim_time_t now, const struct sim_module *from,
                  const void *record)
{
    struct rig *r = ctx;

    assert_true(now == sim_now(r->s));
    say(r, "%d:%s ", (int)(from - r->m), (const char *)record);
}

static void raise_text(struct rig *r, int hook, int module, const char *text)
{
    if (sim_heard(&r->hook[hook])) {
        sim_raise(&r->hook[hook], &r->m[module], text, strlen(text) + 1);
    }
}

static void raises_some(struct rig *r)
{
    char text[8] = "gone";

    raise_text(r, 0, 2, "a");
    raise_text(r, 1, 0, "b");
    raise_text(r, 0, 1, "c");
    raise_text(r, 0, 0, text);
    strcpy(text, "lost"); /* the record was copied */
    raise_text(r, 0, 1, "d");
    raise_text(r, 0, 3, "e");
    raise_text(r, 0, 1, "f");
    raise_text(r, 1, 2, "g");
}

static void records_by_module_then_raising(void **state)
{
    struct rig r;
    struct sim_listener l[3] = {{heard, NULL, NULL},
                                {heard, NULL, NULL},
                                {heard, NULL, NULL}};

    (void)state;
    rig_init(&r, raises_some);
    for (int i = 0; i < 3; i++) {
        l[i].ctx = &r;
    }
    assert_false(sim_heard(&r.hook[0]));
    go(&r);
    expect_text(&r, "");
    sim_listen(&r.hook[0], &l[0]);
    assert_true(sim_heard(&r.hook[0]));
    go(&r);
    expect_text(&r, "1:c 1:d 1:f 3:e 0:gone 2:a ");
    sim_listen(&r.hook[1], &l[1]); /* hooks mix by module */
    go(&r);
    expect_text(&r, "1:c 1:d 1:f 3:e 0:b 0:gone 2:a 2:g ");
    sim_listen(&r.hook[1], &l[2]);
    go(&r);
    expect_text(&r, "1:c 1:d 1:f 3:e 0:b 0:b 0:gone 2:a 2:g 2:g ");
    sim_free(r.s);
}

struct numbered {
    uint32_t module, n;
    char filler[200];
};

struct many {
    struct rig rig;
    uint32_t seen, last_module, last_n;
};

static void raises_many(struct rig *r)
{
    uint32_t x = 1;

    for (uint32_t n = 0; n < 777; n++) {
        struct numbered rec = {.n = n};
        static const uint32_t order[] = {2, 0, 3, 1}; /* of modules in the tree */

        x = x * 1103515245 + 12345;
        rec.module = order[x >> 16 & 3];
        sim_raise(&r->hook[0], &r->m[x >> 16 & 3], &rec, sizeof(rec));
    }
    sim_raise(&r->hook[0], &r->m[2], NULL, 0);
}

static void heard_many(void *ctx, sim_time_t now, const struct sim_module *from,
                       const void *record)
{
    struct many *t = ctx;
    const struct numbered *rec = record;

    (void)now;
    (void)from;
    if (t->seen++ % 778 == 777) {
        return; /* the empty one comes last: module 2 is the last in the tree */
    }
    if (t->seen % 778 != 1) {
        assert_true(rec->module > t->last_module ||
                    (rec->module == t->last_module && rec->n > t->last_n));
    }
    t->last_module = rec->module;
    t->last_n = rec->n;
}

static void many_records(void **state)
{
    struct many t;
    struct sim_listener l = {heard_many, &t, NULL};

    (void)state;
    memset(&t, 0, sizeof(t));
    rig_init(&t.rig, raises_many);
    sim_listen(&t.rig.hook[0], &l);
    go(&t.rig);
    go(&t.rig); /* the buffers are reused */
    assert_int_equal(t.seen, 2 * 778);
    sim_free(t.rig.s);
}

static void hooks_before_probes(struct rig *r)
{
    sim_probe_set(&r->probe[0], 1);
    raise_text(r, 0, 0, "h");
}

static void hooks_come_first(void **state)
{
    struct rig r;
    struct sim_watcher w;
    struct sim_listener l = {heard, &r, NULL};
    struct sim_module late;

    (void)state;
    rig_init(&r, hooks_before_probes);
    watch(&r, &w);
    sim_listen(&r.hook[0], &l);
    go(&r);
    expect_text(&r, "0:h [65=1]");
    sim_module_init(&late, r.s, &r.m[1], NULL,
                    "late"); /* numbers are stale: done anew */
    go(&r);
    expect_text(&r, "0:h ");
    assert_int_equal(late.order, 3);
    sim_free(r.s);
}

static void raises_back(void *ctx, sim_time_t now, const struct sim_module *from,
                        const void *record)
{
    struct rig *r = ctx;

    (void)now;
    sim_raise(&r->hook[0], from, record, 1);
}

static void raises_too_much(struct rig *r)
{
    static const char large[513];

    sim_raise(&r->hook[0], &r->m[0], large, 512); /* as much as there may be */
    sim_raise(&r->hook[0], &r->m[0], large, 513);
}

static void refused(void **state)
{
    struct rig r;
    struct sim_listener l = {raises_back, &r, NULL};

    (void)state;
    rig_init(&r, raises_some);
    sim_listen(&r.hook[0], &l);
    expect_panic(r.s, "in first: !c->delivering", go(&r));
    sim_free(r.s);
    rig_init(&r, raises_too_much);
    expect_panic(r.s, "size <= RECORD_MAX", go(&r));
    sim_free(r.s);
}

static void builds_late(struct rig *r)
{
    static struct sim_probe late;

    sim_probe_init(&late, &r->m[0], &value, NULL, 0);
}

static void no_probe_while_running(void **state)
{
    struct rig r;

    (void)state;
    rig_init(&r, builds_late);
    expect_panic(r.s, "in value", go(&r));
    sim_free(r.s);
}

/* A module that counts, shows its count while somebody observes, and remembers who. */
struct counting {
    uint64_t count;
    struct sim_probe *probe;
    bool looked;
    uint32_t shown; /* calls */
};

static void show_count(void *ctx)
{
    struct counting *c = ctx;

    c->shown++;
    sim_probe_set(c->probe, c->count);
}

static void shown_when_watched(void **state)
{
    struct counting c = {.count = 7, .looked = true};
    struct sim_watcher w;
    struct rig r;

    (void)state;
    rig_init(&r, sets_some);
    c.probe = &r.probe[2];
    watch(&r, &w);
    for (int i = 0; i < PROBES; i++) {
        sim_probe_unwatch(&r.probe[i]);
    }
    assert_false(r.probe[2].module->watched);
    sim_module_shows(r.probe[2].module, show_count, &c);
    sim_module_looks(r.probe[2].module, &c.looked);
    go(&r);
    expect_text(&r, "");
    assert_int_equal(c.shown, 0); /* nobody wanted to know */
    assert_true(c.looked);
    sim_probe_watch(&r.probe[2]);
    assert_true(r.probe[2].module->watched);
    assert_false(c.looked);
    assert_int_equal(r.probe[2].value, 7);
    assert_null(sim_find_stray(r.s));
    c.count = 22; /* which the step shows */
    go(&r);       /* what show set was not told, what changes it is */
    expect_text(&r, "[98=22]");
    c.looked = true;
    sim_probe_unwatch(&r.probe[2]);
    assert_false(r.probe[2].module->watched);
    assert_false(c.looked);
    sim_probe_keep(&r.probe[2]); /* whatever others do */
    sim_probe_unwatch(&r.probe[2]);
    assert_true(r.probe[2].watched);
    assert_true(r.probe[2].module->watched);
    c.looked = true;
    sim_probe_unwatch(&r.probe[3]); /* was not watched: nothing is new */
    assert_true(c.looked);
    sim_free(r.s);
}

/* What the steps set and what show would is compared for those that are watched. */
static void strays_are_found(void **state)
{
    struct counting c = {.count = 22};
    struct sim_watcher w;
    struct rig r;

    (void)state;
    rig_init(&r, sets_some);
    c.probe = &r.probe[2];
    watch(&r, &w);
    sim_module_shows(r.probe[2].module, show_count, &c);
    assert_null(sim_find_stray(r.s)); /* before the run anything goes */
    go(&r);
    assert_int_equal(r.probe[2].value, 22);
    assert_null(sim_find_stray(r.s));
    c.count = 23; /* the module forgot to show it */
    assert_ptr_equal(sim_find_stray(r.s), &r.probe[2]);
    c.count = 24;
    sim_probe_unwatch(&r.probe[2]);
    assert_null(sim_find_stray(r.s));
    sim_free(r.s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(watchers_are_told_in_order),
        cmocka_unit_test(nobody_watches),
        cmocka_unit_test(shown_when_watched),
        cmocka_unit_test(strays_are_found),
        cmocka_unit_test(no_change_no_call),
        cmocka_unit_test(set_before_the_run_is_initial),
        cmocka_unit_test(every_probe),
        cmocka_unit_test(set_between_runs),
        cmocka_unit_test(thousands),
        cmocka_unit_test(records_by_module_then_raising),
        cmocka_unit_test(many_records),
        cmocka_unit_test(hooks_come_first),
        cmocka_unit_test(refused),
        cmocka_unit_test(no_probe_while_running),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
