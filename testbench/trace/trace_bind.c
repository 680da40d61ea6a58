/* The points of a selection on a device: what they name, and when it happens. */
#include "trace/trace_select.h"

#include "gpu/observe.h"
#include "io/file.h"
#include "sm/sm.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WAVES = 8 };

struct bound {
    struct trace_bind *bind;
    const struct trace_point *point;
    enum wave_role role;
    const char *kernel; /* TRACE_KERNEL: its PTX name */
    bool *is_at;        /* TRACE_LINE, TRACE_OFFSET: by micro-op */
    uint32_t n_pcs;
};

struct trace_bind {
    struct smw_device *device;
    struct smw_module *module; /* NULL: modules and launches come later */
    struct bound bound[N_WAVE_ROLES];
    struct wave *wave[MAX_WAVES];
    uint32_t n_waves;
    struct sim_listener listener;
    bool listens;
};

/* ---- while it runs ---- */

static bool is_block(const struct bound *b, uint32_t launch, uint64_t block)
{
    const struct trace_point *p = b->point;
    struct smw_result r;

    if (p->kind == TRACE_BLOCK) {
        return block == p->n;
    }
    return smw_result(b->bind->device, launch, &r) && p->at[0] < r.grid[0] &&
           p->at[1] < r.grid[1] && p->at[2] < r.grid[2] &&
           block == p->at[0] + (uint64_t)r.grid[0] *
                                   (p->at[1] + (uint64_t)r.grid[1] * p->at[2]);
}

static bool is_kernel(const struct bound *b, uint32_t launch)
{
    struct smw_result r;

    if (b->point->kind == TRACE_KERNEL_NTH) {
        return launch + 1 == b->point->n;
    }
    return b->kernel != NULL && smw_result(b->bind->device, launch, &r) &&
           strcmp(r.kernel, b->kernel) == 0;
}

static bool is_stage(const struct bound *b, const struct sm_stage *s)
{
    uint32_t launch = smw_resident(b->bind->device, s->launch);
    bool stop = b->role == WAVE_STOP;

    switch (b->point->kind) {
    case TRACE_BLOCK:
    case TRACE_BLOCK_AT:
        return s->kind == (stop ? SM_BLOCK_ENDS : SM_BLOCK_BEGINS) &&
               is_block(b, launch, s->block);
    case TRACE_KERNEL:
    case TRACE_KERNEL_NTH:
        return s->kind == (stop ? SM_KERNEL_ENDS : SM_KERNEL_BEGINS) &&
               is_kernel(b, launch);
    case TRACE_NOT_SAID:
    case TRACE_CYCLE:
    case TRACE_LINE:
    case TRACE_OFFSET:
    case TRACE_CONFLICT:
    case TRACE_BARRIER:
    case TRACE_RACE:
    case TRACE_DEADLOCK:
    case TRACE_FAULT:
    case TRACE_END: break;
    }
    return false;
}

static void hear_stage(void *ctx, sim_time_t now, const struct sim_module *from,
                       const void *record)
{
    struct trace_bind *b = ctx;

    (void)from;
    for (int r = 0; r < N_WAVE_ROLES; r++) {
        if (!is_stage(&b->bound[r], record)) {
            continue;
        }
        for (uint32_t i = 0; i < b->n_waves; i++) {
            wave_tell(b->wave[i], b->bound[r].role, now);
        }
    }
}

/* The value of a scheduler's probe: the launch above, the micro-op below. */
static bool is_inst(void *ctx, uint64_t inst)
{
    const struct bound *b = ctx;
    uint32_t pc = (uint32_t)inst;

    return pc < b->n_pcs && b->is_at[pc];
}

/* ---- blocks and kernels ---- */

static bool find_block(const struct bound *b, struct smw_err *e)
{
    struct smw_result r;
    uint64_t most = 0;

    for (uint32_t i = 0; smw_result(b->bind->device, i, &r); i++) {
        uint64_t n = (uint64_t)r.grid[0] * r.grid[1] * r.grid[2];

        if (b->point->kind == TRACE_BLOCK
                ? b->point->n < n
                : b->point->at[0] < r.grid[0] && b->point->at[1] < r.grid[1] &&
                      b->point->at[2] < r.grid[2]) {
            return true;
        }
        most = n > most ? n : most;
    }
    trace_refuse(&b->point->said, e, "no launch has %s", b->point->text);
    err_hint(e, "the largest grid has %" PRIu64 " block%s, counted from 0", most,
             most == 1 ? "" : "s");
    return false;
}

/* The PTX name of the kernel of that name; NULL and *e. */
static const char *kernel_name(const struct bound *b, struct smw_err *e)
{
    char *name = tb_printf("%.*s", (int)b->point->name_length, b->point->name);
    struct smw_err why = {0};
    const struct smw_kernel *k = smw_kernel(b->bind->module, name, &why);

    free(name);
    if (k != NULL) {
        return smw_kernel_name(k);
    }
    trace_refuse(&b->point->said, e, "%s", why.message);
    if (why.hint[0] != '\0') {
        err_hint(e, "%s", why.hint);
    }
    return NULL;
}

static bool find_kernel(struct bound *b, bool later, struct smw_err *e)
{
    const struct trace_point *p = b->point;
    uint32_t n = smw_results(b->bind->device);

    if (p->kind == TRACE_KERNEL) {
        b->kernel = kernel_name(b, e);
        if (later) {
            return b->kernel != NULL;
        }
        for (uint32_t i = 0; b->kernel != NULL && i < n; i++) {
            if (is_kernel(b, i)) {
                return true;
            }
        }
        return b->kernel != NULL &&
               trace_refuse(&p->said, e, "no launch is of kernel %s", b->kernel);
    }
    return p->n <= n ||
           trace_refuse(&p->said, e, "%s, but there %s %u launch%s", p->text,
                        n == 1 ? "is" : "are", (unsigned)n, n == 1 ? "" : "es");
}

/* ---- places in the code ---- */

/* The file is the one named: all of it, or behind a slash. */
static bool is_file(const struct trace_point *p, const char *file)
{
    size_t n = file != NULL ? strlen(file) : 0, m = p->name_length;

    return n >= m && m > 0 && strncmp(file + n - m, p->name, m) == 0 &&
           (n == m || file[n - m - 1] == '/');
}

struct places {    /* what was met on the way */
    bool file;     /* an instruction of the file */
    uint64_t near; /* the next line of it that has one, else the last; 0: none */
    uint64_t most; /* of the function: its last micro-op */
    bool function;
    const char *names[16]; /* of files or functions */
    uint32_t n_names;
};

static void note_name(struct places *s, const char *name)
{
    const char *slash = name != NULL ? strrchr(name, '/') : NULL;
    uint32_t i = 0;

    name = slash != NULL ? slash + 1 : name;
    while (i < s->n_names && name != NULL && strcmp(s->names[i], name) != 0) {
        i++;
    }
    if (name != NULL && i == s->n_names && i < ARRAY_LEN(s->names)) {
        s->names[s->n_names++] = name;
    }
}

static bool is_line(const struct trace_point *p, const char *file, uint32_t line,
                    struct places *s)
{
    note_name(s, file);
    if (line == 0 || !is_file(p, file)) {
        return false;
    }
    s->file = true;
    if (s->near == 0 || (line > p->n && (s->near < p->n || line < s->near)) ||
        (line < p->n && s->near < p->n && line > s->near)) {
        s->near = line;
    }
    return line == p->n;
}

static bool is_place(const struct bound *b, const struct smw_inst *inst,
                     struct places *s)
{
    const struct trace_point *p = b->point;

    if (p->kind == TRACE_LINE) {
        bool source = is_line(p, inst->file, inst->line, s);

        return is_line(p, inst->ptx_file, inst->ptx_line, s) || source;
    }
    note_name(s, inst->function);
    if (inst->function == NULL || strcmp(inst->function, b->kernel) != 0) {
        return false;
    }
    s->function = true;
    s->most = inst->offset > s->most ? inst->offset : s->most;
    return inst->offset == p->n;
}

static void hint_names(const struct trace_point *p, const struct places *s,
                       struct smw_err *e)
{
    char *word = tb_printf("%.*s", (int)p->name_length, p->name);
    const char *nearest = err_nearest(word, s->names, s->n_names);

    if (nearest != NULL) {
        err_hint(e, "did you mean '%s'?", nearest);
    } else if (s->n_names > 0) {
        err_hint(e, "there is '%s'%s", s->names[0],
                 s->n_names > 1 ? ", among others" : "");
    }
    free(word);
}

static bool no_place(const struct bound *b, const struct places *s, struct smw_err *e)
{
    const struct trace_point *p = b->point;
    int n = (int)p->name_length;

    if (p->kind == TRACE_OFFSET) {
        return trace_refuse(&p->said, e, "%.*s has micro-ops 0 to 0x%" PRIx64, n,
                            p->name, s->most);
    }
    if (!s->file) {
        trace_refuse(&p->said, e, "no instruction is of a file '%.*s'", n, p->name);
        hint_names(p, s, e);
        return false;
    }
    trace_refuse(&p->said, e, "no instruction is of line %" PRIu64 " of %.*s", p->n, n,
                 p->name);
    err_hint(e, "line %" PRIu64 " has some", s->near);
    return false;
}

/* The PTX name of the function that pc=NAME+N names: a kernel, or what it calls. */
static bool find_function(struct bound *b, struct smw_err *e)
{
    const struct trace_point *p = b->point;
    struct smw_inst inst;

    for (uint32_t pc = 0; smw_module_inst(b->bind->module, pc, &inst); pc++) {
        if (inst.function != NULL && strlen(inst.function) == p->name_length &&
            strncmp(inst.function, p->name, p->name_length) == 0) {
            b->kernel = inst.function;
            return true;
        }
    }
    b->kernel = kernel_name(b, e);
    return b->kernel != NULL;
}

static bool find_places(struct bound *b, struct smw_err *e)
{
    struct places s = {0};
    struct smw_inst inst;
    uint32_t n = 0;
    bool any = false;

    if (b->point->kind == TRACE_OFFSET && !find_function(b, e)) {
        return false;
    }
    while (smw_module_inst(b->bind->module, n, &inst)) {
        n++;
    }
    b->n_pcs = n;
    b->is_at = tb_alloc(n + 1);
    for (uint32_t pc = 0; pc < n && smw_module_inst(b->bind->module, pc, &inst); pc++) {
        b->is_at[pc] = is_place(b, &inst, &s);
        any = any || b->is_at[pc];
    }
    return any || no_place(b, &s, e);
}

/* ---- binding ---- */

static bool has_event(const struct sim_module *m, const char *name)
{
    for (const struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        if (p->desc->kind == SIM_PROBE_EVENT && strcmp(p->desc->name, name) == 0) {
            return true;
        }
    }
    for (const struct sim_module *c = m->first; c != NULL; c = c->next) {
        if (has_event(c, name)) {
            return true;
        }
    }
    return false;
}

static bool find_event(const struct bound *b, struct wave_point *w, const char *name,
                       uint64_t least, struct smw_err *e)
{
    w->at = WAVE_AT_EVENT;
    w->event = name;
    w->n = least;
    if (has_event(smw_root(b->bind->device), name)) {
        return true;
    }
    trace_refuse(&b->point->said, e, "nothing in this run has the event '%s'", name);
    if (b->point->kind == TRACE_RACE) {
        err_hint(e, "races are found with --check full");
    }
    return false;
}

static bool bind(struct bound *b, struct wave_point *w, struct smw_err *e)
{
    const struct trace_point *p = b->point;
    bool later = b->bind->module == NULL;

    w->text = p->text;
    w->n = p->n;
    switch (p->kind) {
    case TRACE_NOT_SAID: w->at = WAVE_NEVER; return true;
    case TRACE_CYCLE: w->at = WAVE_AT_CYCLE; return true;
    case TRACE_BLOCK:
    case TRACE_BLOCK_AT: w->at = WAVE_AT_TELL; return later || find_block(b, e);
    case TRACE_KERNEL:
    case TRACE_KERNEL_NTH:
        w->at = WAVE_AT_TELL;
        return later || find_kernel(b, false, e);
    case TRACE_LINE:
    case TRACE_OFFSET:
        w->at = WAVE_AT_ISSUE;
        w->is = is_inst;
        w->ctx = b;
        return later || find_places(b, e);
    case TRACE_CONFLICT: return find_event(b, w, "conflict", p->n, e);
    case TRACE_BARRIER: return find_event(b, w, "release", 0, e);
    case TRACE_RACE: return find_event(b, w, "race", 0, e);
    case TRACE_DEADLOCK: w->at = WAVE_AT_DEADLOCK; return true;
    case TRACE_FAULT: w->at = WAVE_AT_FAULT; return true;
    case TRACE_END: w->at = WAVE_AT_END; return true;
    }
    return true;
}

struct trace_bind *trace_bind_new(const struct trace_select *s, struct smw_device *d,
                                  struct smw_module *m, struct wave_config *c,
                                  struct smw_err *e)
{
    struct trace_bind *b = tb_alloc(sizeof(*b));

    b->device = d;
    b->module = m;
    c->scope = s->scope;
    c->depth = s->depth;
    c->ring = s->ring - s->after;
    c->after = s->after;
    for (int r = 0; r < N_WAVE_ROLES; r++) {
        struct bound *o = &b->bound[r];

        o->bind = b;
        o->role = (enum wave_role)r;
        o->point = &s->point[r];
        if (!bind(o, &c->point[r], e)) {
            trace_bind_free(b);
            return NULL;
        }
        b->listens = b->listens || c->point[r].at == WAVE_AT_TELL;
    }
    return b;
}

void trace_bind_module(struct trace_bind *b, struct smw_module *m)
{
    for (int r = 0; r < N_WAVE_ROLES; r++) {
        struct bound *o = &b->bound[r];
        struct smw_err unknown = {0}; /* perhaps another module has it */

        b->module = m;
        if (o->point->kind == TRACE_KERNEL && o->kernel == NULL) {
            (void)find_kernel(o, true, &unknown);
        } else if ((o->point->kind == TRACE_LINE || o->point->kind == TRACE_OFFSET) &&
                   o->is_at == NULL && !find_places(o, &unknown)) {
            free(o->is_at);
            o->is_at = NULL;
            o->n_pcs = 0;
        }
    }
}

void trace_bind_add(struct trace_bind *b, struct wave *w)
{
    if (b->n_waves == 0 && b->listens) {
        b->listener = (struct sim_listener){.heard = hear_stage, .ctx = b};
        sim_listen(smw_staged(b->device), &b->listener);
    }
    if (b->n_waves < MAX_WAVES) {
        b->wave[b->n_waves++] = w;
    }
}

void trace_bind_free(struct trace_bind *b)
{
    if (b == NULL) {
        return;
    }
    for (int r = 0; r < N_WAVE_ROLES; r++) {
        free(b->bound[r].is_at);
    }
    free(b);
}
