/*
 * events.log: a line per event, the time first. With "gtkwave -l events.log", selecting
 * a number moves the marker there.
 *
 *   1428570 cycle 2000 gpu.sm0.smem.xbar.conflict degree=4 warp=3
 *
 * Times are those of the dump. Cycles are of one clock, that of the root, which is the
 * SMs': with time in its cycles the first two numbers of its modules are equal. A
 * module of another clock has its own cycle beside it, as "local". What follows the
 * name are the values of the other probes of its module. Lines of their own kinds tell
 * of blocks, of long waits for memory and of the fault that ended the run:
 *
 *   214285 cycle 300 gpu.sm0.block_start blocks=1
 *   1106428 cycle 1549 gpu.sm0.warp00.memory_wait cycles=531 since=727142
 *   1710000 cycle 2394 gpu.fault shared load of 4 bytes ...
 *   1428570 cycle 2000 gpu.trigger conflict>=4
 *   1430000 cycle 2002 local 1001 gpu.part0.l2.hit
 *
 * The first line, "# ...", says what the log is of, if wave_config does.
 */
#include "wave_priv.h"

#include "lines.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const struct {
    const char *event;
    bool last;   /* the latest firing counts, not the first */
    bool always; /* wanted even outside the scope */
} marks[N_MARKS] = {
    [MARK_KERNEL_START] = {"kernel_start", false, true},
    [MARK_CONFLICT] = {"conflict", false, false},
    [MARK_RELEASE] = {"release", false, false},
    [MARK_FAULT] = {"fault", false, true},
    [MARK_KERNEL_END] = {"kernel_end", true, true},
    [MARK_TRIGGER] = {NULL, false, false},
    [MARK_END] = {NULL, false, false},
};

enum wave_mark wave_mark_of(const struct sim_probe_desc *d)
{
    for (int i = 0; i < N_MARKS; i++) {
        if (marks[i].event != NULL && strcmp(d->name, marks[i].event) == 0) {
            return (enum wave_mark)i;
        }
    }
    return MARK_NONE;
}

bool wave_mark_always(enum wave_mark m)
{
    return m != MARK_NONE && marks[m].always;
}

bool wave_mark_names(const struct sim_probe *p)
{
    return p->desc->kind == SIM_PROBE_TEXT && strcmp(p->desc->name, "kernel") == 0;
}

/* ---- markers ---- */

static void mark(struct wave *w, enum wave_mark m, sim_time_t now)
{
    w->marked[m] = true;
    w->mark_at[m] = wave_unit(w, now);
}

/* Of the conflict in m that is under way. */
static uint64_t degree_of(const struct wave *w, const struct sim_module *m)
{
    for (const struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        if (strcmp(p->desc->name, "degree") == 0) {
            return wave_value(w, p);
        }
    }
    return 0;
}

/* Of its module's clock. */
static uint64_t cycle_at(const struct wave_var *v, sim_time_t now)
{
    const struct sim_clock *clock = v->probe->module->clock;

    return clock != NULL ? sim_cycle_of(clock, now) : 0;
}

/* Of the kernel whose event is in m. */
static void mark_kernel(struct wave *w, const struct sim_module *m, sim_time_t now)
{
    const char *name = "";
    char text[WAVE_TEXT_MAX];

    for (const struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        if (wave_mark_names(p)) {
            name = wave_text(w, wave_var_of(w, p), p, wave_value(w, p), text);
        }
    }
    view_mark_kernel(&w->marks, wave_unit(w, now), name);
}

static void mark_event(struct wave *w, const struct wave_var *v, sim_time_t now)
{
    if (v->mark == MARK_NONE) {
        return;
    }
    if (v->mark == MARK_KERNEL_START && !w->marked[v->mark]) {
        w->marks.start_cycle = cycle_at(v, now);
    }
    if (!w->marked[v->mark] || marks[v->mark].last) {
        mark(w, v->mark, now);
    }
    if (v->mark == MARK_KERNEL_START) {
        mark_kernel(w, v->probe->module, now);
    } else if (v->mark == MARK_CONFLICT) {
        view_mark_conflict(&w->marks, wave_unit(w, now), degree_of(w, v->probe->module),
                           cycle_at(v, now));
    } else if (v->mark == MARK_RELEASE) {
        view_mark_release(&w->marks, wave_unit(w, now));
    }
}

/* ---- the log ---- */

static void put_value(const struct wave *w, struct lines *l, const struct sim_probe *p)
{
    uint64_t value = wave_value(w, p);
    char text[WAVE_TEXT_MAX];

    if (p->desc->kind == SIM_PROBE_EVENT || p->desc->kind == SIM_PROBE_RATE ||
        (p->desc->kind == SIM_PROBE_STATE && value >= p->desc->n_names)) {
        return;
    }
    lines_text(l, " ");
    lines_text(l, p->desc->name);
    switch (p->desc->kind) {
    case SIM_PROBE_BITS:
        lines_text(l, p->desc->width == 1 ? "=" : "=0x");
        lines_number(l, value, 16);
        break;
    case SIM_PROBE_UINT:
    case SIM_PROBE_LEVEL:
        lines_text(l, "=");
        lines_number(l, value, 10);
        break;
    case SIM_PROBE_STATE:
        lines_text(l, "=");
        lines_text(l, p->desc->names[value]);
        break;
    case SIM_PROBE_TEXT:
        lines_text(l, "=\"");
        lines_text(l, wave_text(w, wave_var_of(w, p), p, value, text));
        lines_text(l, "\"");
        break;
    case SIM_PROBE_EVENT:
    case SIM_PROBE_RATE: break;
    }
}

static void keep_error(struct wave *w)
{
    if (w->log_error == 0 && ferror(w->log)) {
        w->log_error = errno != 0 ? errno : EIO;
    }
}

/* The beginning of a line for something in m; false: there is no line to write. */
static bool begin_line(struct wave *w, struct lines *l, const struct sim_module *m,
                       sim_time_t now)
{
    const struct sim_clock *all = w->root->clock != NULL ? w->root->clock : m->clock;

    if (w->log == NULL || w->log_error != 0) {
        return false;
    }
    lines_begin(l, w->log);
    lines_number(l, wave_unit(w, now), 10);
    if (all != NULL) {
        lines_text(l, " cycle ");
        lines_number(l, sim_cycle_of(all, now), 10);
    }
    if (m->clock != NULL && m->clock != all) {
        lines_text(l, " local ");
        lines_number(l, sim_cycle_of(m->clock, now), 10);
    }
    lines_text(l, " ");
    return true;
}

static void end_line(struct wave *w, struct lines *l)
{
    lines_char(l, '\n');
    lines_write(l);
    keep_error(w);
}

/* The path of v's module, and a dot. */
static void put_place(struct lines *l, const struct wave_var *v)
{
    lines_bytes(l, v->path, strlen(v->path) - strlen(v->probe->desc->name));
}

static void log_event(struct wave *w, struct wave_var *v, sim_time_t now)
{
    const struct sim_module *m = v->probe->module;
    struct lines l;

    mark_event(w, v, now);
    if (v->mark == MARK_CONFLICT && degree_of(w, m) < w->cfg.log_degree) {
        return;
    }
    if (++v->n_fired > WAVE_LINES_PER_EVENT || !begin_line(w, &l, m, now)) {
        return;
    }
    lines_text(&l, v->path);
    for (const struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        put_value(w, &l, p);
    }
    end_line(w, &l);
}

/* The number of blocks that an SM holds has changed. */
static void log_blocks(struct wave *w, struct wave_var *v, sim_time_t now)
{
    const struct sim_probe *p = v->probe;
    uint64_t value = wave_value(w, p);
    bool more = value > v->value;
    struct lines l;

    v->value = value;
    if (++v->n_fired <= WAVE_LINES_PER_EVENT && begin_line(w, &l, p->module, now)) {
        put_place(&l, v);
        lines_text(&l, more ? "block_start" : "block_end");
        lines_text(&l, " blocks=");
        lines_number(&l, value, 10);
        end_line(w, &l);
    }
}

static bool is_waiting(const struct sim_probe_desc *d, uint64_t value)
{
    static const char *const memory[] = {"shared", "shared_conflict", "global",
                                         "local",  "constant",        "async"};

    for (size_t i = 0; value < d->n_names && i < ARRAY_LEN(memory); i++) {
        if (strcmp(d->names[value], memory[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* A warp begins or ends to wait for memory. */
static void log_wait(struct wave *w, struct wave_var *v, sim_time_t now)
{
    const struct sim_probe *p = v->probe;
    const struct sim_clock *clock = p->module->clock;
    uint64_t value = wave_value(w, p);
    bool waited = is_waiting(p->desc, v->value), waits = is_waiting(p->desc, value);
    sim_cycle_t cycles;
    struct lines l;

    v->value = value;
    if (waits && !waited) {
        v->since = now;
    }
    if (!waited || waits || clock == NULL || v->since == 0) {
        return;
    }
    cycles = sim_cycle_of(clock, now) - sim_cycle_of(clock, v->since);
    if (cycles >= w->cfg.log_wait && ++v->n_fired <= WAVE_LINES_PER_EVENT &&
        begin_line(w, &l, p->module, now)) {
        put_place(&l, v);
        lines_text(&l, "memory_wait cycles=");
        lines_number(&l, cycles, 10);
        lines_text(&l, " since=");
        lines_number(&l, wave_unit(w, v->since), 10);
        end_line(w, &l);
    }
}

bool wave_log_wants(const struct wave *w, const struct sim_probe *p)
{
    const struct sim_probe_desc *d = p->desc;

    if (w->cfg.events_path == NULL) {
        return false;
    }
    if (d->kind == SIM_PROBE_LEVEL) {
        return strcmp(d->name, "blocks") == 0;
    }
    if (d->kind == SIM_PROBE_STATE && w->cfg.log_wait > 0) {
        for (uint32_t i = 0; i < d->n_names; i++) {
            if (is_waiting(d, i)) {
                return true;
            }
        }
    }
    return false;
}

void wave_log_change(struct wave *w, struct wave_var *v, sim_time_t now)
{
    if (v->desc->kind == SIM_PROBE_EVENT) {
        log_event(w, v, now);
    } else if (v->desc->kind == SIM_PROBE_LEVEL) {
        log_blocks(w, v, now);
    } else {
        log_wait(w, v, now);
    }
}

void wave_log_trigger(struct wave *w)
{
    const struct wave_point *at = &w->cfg.point[WAVE_ON];
    struct lines l;

    mark(w, MARK_TRIGGER, w->fired);
    if (begin_line(w, &l, w->root, w->fired)) {
        lines_text(&l, w->root->name);
        lines_text(&l, ".trigger ");
        lines_text(&l, at->text != NULL ? at->text : "");
        end_line(w, &l);
    }
}

void wave_fault(struct wave *w, enum smw_err_kind kind, const char *text)
{
    sim_time_t now = sim_now(w->sim);
    struct lines l;

    for (unsigned r = 0; r < N_WAVE_ROLES; r++) {
        enum wave_at at = w->cfg.point[r].at;

        if (at == WAVE_AT_FAULT ||
            (at == WAVE_AT_DEADLOCK && kind == SMW_ERR_DEADLOCK)) {
            wave_tell(w, (enum wave_role)r, now);
        }
    }
    wave_writer_settle(w);
    if (w->phase == WAVE_KEEPING) {
        (void)wave_reach(w, now, NULL, 0);
    }
    if (w->phase != WAVE_OPEN || now >= w->stop) {
        return;
    }
    if (!w->marked[MARK_FAULT]) {
        mark(w, MARK_FAULT, now);
    }
    if (begin_line(w, &l, w->root, now)) {
        lines_text(&l, w->root->name);
        lines_text(&l, ".fault ");
        lines_text(&l, text);
        end_line(w, &l);
    }
}

bool wave_log_open(struct wave *w, struct smw_err *e)
{
    if (w->cfg.events_path == NULL) {
        return true;
    }
    w->log = fopen(w->cfg.events_path, "wb");
    if (w->log == NULL) {
        return err_set(e, SMW_ERR_IO, "%s: %s", w->cfg.events_path, strerror(errno));
    }
    if (w->cfg.log_heading != NULL) {
        fprintf(w->log, "# %s\n", w->cfg.log_heading);
    }
    return true;
}

void wave_log_flush(struct wave *w)
{
    if (w->log != NULL && w->log_error == 0) {
        (void)fflush(w->log);
        keep_error(w);
    }
}

int wave_log_close(struct wave *w)
{
    FILE *f = w->log;

    if (f == NULL) {
        return 0;
    }
    for (uint32_t i = 0; i < w->n_vars && w->log_error == 0; i++) {
        const struct wave_var *v = &w->var[i];

        if (v->n_fired > WAVE_LINES_PER_EVENT) {
            fprintf(f, "# %s: the first %d of %" PRIu64 " are listed\n", v->path,
                    (int)WAVE_LINES_PER_EVENT, v->n_fired);
            keep_error(w);
        }
    }
    if (fclose(f) != 0 && w->log_error == 0) {
        w->log_error = errno;
    }
    w->log = NULL;
    return w->log_error;
}
