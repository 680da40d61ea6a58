#include "wave_testlib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const state_names[] = {"idle",    "ready", "operand", "global",
                                          "barrier", "fence", "control", "fault"};
static const char *const op_names[] = {"load", "store", "atom", "red", "idle"};

static void inst_text(void *ctx, uint64_t value, char *buf, size_t size)
{
    static const char *const text[] = {"", "ld.shared.u32 %r1, [%r2+4]", "bar.sync 0",
                                       "ret"};

    (void)ctx;
    snprintf(buf, size, "%s", text[value]);
}

static const struct sim_probe_desc d_left = {
    .name = "blocks_left",
    .kind = SIM_PROBE_LEVEL,
    .width = 8,
    .doc = "not dispatched",
    .views = "scheduler",
};
static const struct sim_probe_desc d_start = {
    .name = "kernel_start",
    .kind = SIM_PROBE_EVENT,
    .doc = "start",
    .views = "scheduler",
};
static const struct sim_probe_desc d_end = {
    .name = "kernel_end",
    .kind = SIM_PROBE_EVENT,
    .doc = "end",
    .views = "scheduler",
};
static const struct sim_probe_desc d_warp = {
    .name = "warp",
    .kind = SIM_PROBE_UINT,
    .width = 6,
    .doc = "that issued",
    .views = "scheduler,warp",
};
static const struct sim_probe_desc d_inst = {
    .name = "inst",
    .kind = SIM_PROBE_TEXT,
    .text = inst_text,
    .doc = "issued",
    .views = "banks,scheduler,pipeline,coalescer,warp,bank",
};
static const struct sim_probe_desc d_issue = {
    .name = "issue",
    .kind = SIM_PROBE_EVENT,
    .doc = "issue",
    .views = "scheduler",
};
static const struct sim_probe_desc d_state = {
    .name = "state",
    .kind = SIM_PROBE_STATE,
    .width = 3,
    .names = state_names,
    .n_names = 8,
    .doc = "what the warp does",
    .views = "scheduler,pipeline,warp",
};
static const struct sim_probe_desc d_pc = {
    .name = "pc",
    .kind = SIM_PROBE_BITS,
    .width = 32,
    .doc = "next instruction",
    .role = SIM_ROLE_PC,
    .views = "scheduler,pipeline,warp",
};
static const struct sim_probe_desc d_degree = {
    .name = "degree",
    .kind = SIM_PROBE_UINT,
    .width = 6,
    .doc = "of the conflict",
    .views = "banks,pipeline,warp,bank",
};
static const struct sim_probe_desc d_lanes = {
    .name = "lane_mask",
    .kind = SIM_PROBE_BITS,
    .width = 32,
    .doc = "lanes",
    .role = SIM_ROLE_LANES,
    .label = "lanes",
    .views = "banks,bank",
};
static const struct sim_probe_desc d_conflict = {
    .name = "conflict",
    .kind = SIM_PROBE_EVENT,
    .doc = "conflict",
    .role = SIM_ROLE_BAD,
    .views = "banks,bank",
};
static const struct sim_probe_desc d_busy = {
    .name = "busy",
    .kind = SIM_PROBE_BITS,
    .width = 1,
    .doc = "serves a word",
    .role = SIM_ROLE_BUSY,
    .views = "banks,bank",
};
static const struct sim_probe_desc d_op = {
    .name = "op",
    .kind = SIM_PROBE_STATE,
    .width = 3,
    .names = op_names,
    .n_names = 5,
    .doc = "what it does",
    .views = "banks,bank",
};
static const struct sim_probe_desc d_release = {
    .name = "release",
    .kind = SIM_PROBE_EVENT,
    .doc = "barrier",
    .views = "banks,scheduler,pipeline,warp",
};
static const struct sim_probe_desc d_hit = {
    .name = "hit",
    .kind = SIM_PROBE_EVENT,
    .doc = "hit",
    .views = "coalescer,memory",
};
static const struct sim_probe_desc d_queue = {
    .name = "queue",
    .kind = SIM_PROBE_LEVEL,
    .width = 9,
    .doc = "bursts",
    .unit = "bursts",
    .views = "memory",
};

static void kernel_text(void *ctx, uint64_t value, char *buf, size_t size)
{
    static const char *const text[] = {"", "first", "second"};

    (void)ctx;
    snprintf(buf, size, "%s", text[value]);
}

static const struct sim_probe_desc d_kernel = {
    .name = "kernel",
    .kind = SIM_PROBE_TEXT,
    .text = kernel_text,
    .doc = "that began last",
    .views = "scheduler",
};
static const struct sim_probe_desc d_count = {
    .name = "insts_per_64",
    .kind = SIM_PROBE_RATE,
    .width = 10,
    .doc = "issued",
    .role = SIM_ROLE_PER_CYCLE,
    .label = "IPC of 64 cycles",
    .views = "scheduler",
};

static void clock_of(struct tiny *t, struct sim_clock *c, const char *name,
                     uint64_t mhz)
{
    sim_clock_init(c, t->sim, name, 1000000, mhz);
}

static void scope(struct sim_module *m, struct sim_module *parent, const char *name)
{
    sim_module_init(m, parent->sim, parent, NULL, name);
}

static void add(struct tiny *t, enum tiny_probe p, struct sim_module *m,
                const struct sim_probe_desc *d, uint64_t initial)
{
    sim_probe_init(&t->probe[p], m, d, NULL, initial);
}

static void build_sm(struct tiny *t)
{
    char name[16];

    scope(&t->sm0, &t->gpu, "sm0");
    scope(&t->sched0, &t->sm0, "sched0");
    add(t, TINY_WARP, &t->sched0, &d_warp, 0);
    add(t, TINY_INST, &t->sched0, &d_inst, 0);
    add(t, TINY_ISSUE, &t->sched0, &d_issue, 0);
    for (int i = 0; i < TINY_WARPS; i++) {
        snprintf(name, sizeof(name), "warp%02d", i);
        scope(&t->warp[i], &t->sm0, name);
        sim_probe_init(&t->probe[TINY_ISSUES + i], &t->warp[i], &d_issue,
                       &t->probe[TINY_STATE + i], 1);
        add(t, TINY_STATE + i, &t->warp[i], &d_state, 0);
        add(t, TINY_PC + i, &t->warp[i], &d_pc, 0);
    }
    scope(&t->smem, &t->sm0, "smem");
    scope(&t->xbar, &t->smem, "xbar");
    add(t, TINY_DEGREE, &t->xbar, &d_degree, 0);
    add(t, TINY_LANES, &t->xbar, &d_lanes, 0);
    add(t, TINY_CONFLICT, &t->xbar, &d_conflict, 0);
    for (int i = 0; i < TINY_BANKS; i++) {
        snprintf(name, sizeof(name), "bank%02d", i);
        scope(&t->bank[i], &t->smem, name);
        add(t, TINY_BUSY + i, &t->bank[i], &d_busy, 0);
        add(t, TINY_OP + i, &t->bank[i], &d_op, 4);
    }
    scope(&t->barrier, &t->sm0, "barrier");
    add(t, TINY_RELEASE, &t->barrier, &d_release, 0);
}

void tiny_init(struct tiny *t, uint64_t shuffle)
{
    memset(t, 0, sizeof(*t));
    t->sim = sim_new();
    sim_shuffle(t->sim, shuffle);
    clock_of(t, &t->sm, "sm", 1400);
    clock_of(t, &t->l2, "l2", 700);
    clock_of(t, &t->dram, "dram", 924);
    sim_module_init(&t->gpu, t->sim, NULL, &t->sm, "gpu");
    scope(&t->dispatcher, &t->gpu, "dispatcher");
    add(t, TINY_BLOCKS_LEFT, &t->dispatcher, &d_left, 0);
    add(t, TINY_KERNEL_START, &t->dispatcher, &d_start, 0);
    add(t, TINY_KERNEL_END, &t->dispatcher, &d_end, 0);
    build_sm(t);
    sim_module_init(&t->part0, t->sim, &t->gpu, &t->l2, "part0");
    scope(&t->l2_scope, &t->part0, "l2");
    add(t, TINY_HIT, &t->l2_scope, &d_hit, 0);
    sim_module_init(&t->dram_scope, t->sim, &t->part0, &t->dram, "dram");
    add(t, TINY_QUEUE, &t->dram_scope, &d_queue, 0);
}

void tiny_more(struct tiny *t)
{
    add(t, TINY_KERNEL, &t->dispatcher, &d_kernel, 0);
    add(t, TINY_COUNT, &t->sm0, &d_count, 0);
}

void tiny_free(struct tiny *t)
{
    sim_free(t->sim);
}

/* ---- the script ---- */

static void act(void *self)
{
    struct tiny_actor *a = self;
    sim_cycle_t now = sim_cycle(a->wake.clock);

    for (; a->step < a->end && a->step->cycle <= now; a->step++) {
        struct sim_probe *p = &a->tiny->probe[a->step->probe];

        if (p->desc->kind == SIM_PROBE_EVENT) {
            sim_probe_fire(p);
        } else {
            sim_probe_set(p, a->step->value);
        }
    }
    if (a->step < a->end) {
        sim_notify_at(&a->wake, a->step->cycle);
    }
}

void tiny_play(struct tiny *t, struct sim_clock *clock, const struct tiny_step *step,
               uint32_t n)
{
    struct tiny_actor *a = &t->actor[t->n_actors++];

    assert_true(t->n_actors <= TINY_ACTORS);
    a->tiny = t;
    a->step = step;
    a->end = step + n;
    sim_event_init(&a->wake, t->sim, clock, "wake");
    sim_process_init(&a->process, t->sim, "actor", act, a);
    sim_wake_on(&a->process, &a->wake);
    sim_notify_at(&a->wake, step->cycle);
}

void tiny_script(struct tiny *t)
{
    static const struct tiny_step dispatch[] = {{2, TINY_BLOCKS_LEFT, 1},
                                                {2, TINY_KERNEL_START, 0},
                                                {3, TINY_BLOCKS_LEFT, 0},
                                                {10, TINY_KERNEL_END, 0}};
    static const struct tiny_step issue[] = {{3, TINY_WARP, 1},  {3, TINY_INST, 1},
                                             {3, TINY_ISSUE, 0}, {6, TINY_INST, 2},
                                             {6, TINY_ISSUE, 0}, {9, TINY_INST, 3},
                                             {9, TINY_ISSUE, 0}};
    static const struct tiny_step warps[] = {
        {2, TINY_STATE + 1, 1}, {3, TINY_PC + 1, 8},    {3, TINY_STATE + 1, 3},
        {6, TINY_STATE + 1, 4}, {6, TINY_PC + 1, 16},   {6, TINY_STATE + 2, 7},
        {8, TINY_STATE + 1, 1}, {9, TINY_STATE + 1, 0}, {9, TINY_STATE, 1}};
    static const struct tiny_step xbar[] = {{5, TINY_DEGREE, 4},
                                            {5, TINY_LANES, 0xffffffff},
                                            {5, TINY_CONFLICT, 0}};
    static const struct tiny_step banks[] = {{5, TINY_BUSY, 1},     {5, TINY_OP, 0},
                                             {5, TINY_BUSY + 3, 1}, {5, TINY_OP + 3, 0},
                                             {6, TINY_BUSY + 3, 0}, {6, TINY_OP + 3, 4},
                                             {7, TINY_BUSY, 0},     {7, TINY_OP, 4}};
    static const struct tiny_step barrier[] = {{8, TINY_RELEASE, 0}};
    static const struct tiny_step l2[] = {{3, TINY_HIT, 0}};
    static const struct tiny_step dram[] = {{4, TINY_QUEUE, 3}, {6, TINY_QUEUE, 0}};

    tiny_play(t, &t->sm, dispatch, ARRAY_LEN(dispatch));
    tiny_play(t, &t->sm, issue, ARRAY_LEN(issue));
    tiny_play(t, &t->sm, warps, ARRAY_LEN(warps));
    tiny_play(t, &t->sm, xbar, ARRAY_LEN(xbar));
    tiny_play(t, &t->sm, banks, ARRAY_LEN(banks));
    tiny_play(t, &t->sm, barrier, ARRAY_LEN(barrier));
    tiny_play(t, &t->l2, l2, ARRAY_LEN(l2));
    tiny_play(t, &t->dram, dram, ARRAY_LEN(dram));
}

/* ---- files ---- */

struct wave_config tiny_config(struct tiny_paths *p, const char *name)
{
    snprintf(p->vcd, sizeof(p->vcd), "%s.vcd", name);
    snprintf(p->gtkw, sizeof(p->gtkw), "%s.gtkw", name);
    snprintf(p->log, sizeof(p->log), "%s.log", name);
    return (struct wave_config){.path = p->vcd,
                                .gtkw_path = p->gtkw,
                                .events_path = p->log,
                                .heading = "tiny: one kernel",
                                .version = "1.2.3",
                                .digest = 0x123456789abcdef0,
                                .config_name = "test",
                                .second_thread = TINY_SECOND_THREAD};
}

void tiny_window(struct wave_config *c, uint64_t start, uint64_t stop)
{
    c->point[WAVE_START] = wave_cycle(start);
    c->point[WAVE_STOP] = wave_cycle(stop);
    c->point[WAVE_STOP].at = stop != 0 ? WAVE_AT_CYCLE : WAVE_NEVER;
}

struct wave *tiny_open(struct tiny *t, const struct wave_config *c)
{
    struct smw_err e = {0};
    struct wave *w = wave_open(t->sim, &t->gpu, NULL, c, &e);

    if (w == NULL) {
        fail_msg("%s", e.message);
    }
    return w;
}

void tiny_finish(struct tiny *t, struct wave *w)
{
    struct smw_err e = {0};

    assert_int_equal(sim_run(t->sim, SIM_TIME_MAX, 0), SIM_IDLE);
    assert_true(wave_flush(w));
    if (!wave_close(w, "complete", &e)) {
        fail_msg("%s", e.message);
    }
}

void tiny_run(const struct wave_config *c, uint64_t shuffle)
{
    struct tiny t;

    tiny_init(&t, shuffle);
    tiny_script(&t);
    tiny_finish(&t, tiny_open(&t, c));
    tiny_free(&t);
}

char *tiny_slurp(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *data;
    long size;

    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    size = ftell(f);
    rewind(f);
    data = malloc((size_t)size + 1);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, (size_t)size, f), size);
    data[size] = '\0';
    assert_int_equal(fclose(f), 0);
    return data;
}

static void remove_of_surfer(const char *gtkw)
{
    char path[256];

    (void)snprintf(path, sizeof(path), "%.*s.sucl",
                   (int)(strlen(gtkw) - strlen(".gtkw")), gtkw);
    (void)remove(path);
    (void)remove(".surfer/mappings/state_warp.map");
    (void)remove(".surfer/mappings/state_bank.map");
    (void)remove(".surfer/mappings/stage_warp.map");
}

void tiny_remove(const struct wave_config *c)
{
    (void)remove(c->path);
    if (c->gtkw_path != NULL) {
        (void)remove(c->gtkw_path);
        (void)remove("state_warp.txt");
        (void)remove("state_bank.txt");
        (void)remove("stage_warp.txt");
        remove_of_surfer(c->gtkw_path);
    }
    if (c->events_path != NULL) {
        (void)remove(c->events_path);
    }
}

const char *tiny_body(const char *vcd)
{
    static const char end[] = "$enddefinitions $end\n";
    const char *at = strstr(vcd, end);

    assert_non_null(at);
    return at + strlen(end);
}
