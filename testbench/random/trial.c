#include "trial.h"

#include "base/err.h"
#include "interp.h"
#include "names.h"
#include "smwave.h"
#include "trial_tensor.h"
#include "trial_texture.h"
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_PRESETS = 32,
    PER_DEVICE = TRIAL_BATCH,
    GUARD = 256, /* bytes behind the output that nobody may write */
    BLOCK = 1024 /* room for the parameters */
};

#define IN_BASE    UINT64_C(0x10000000)
#define OUT_BASE   UINT64_C(0x20000000)
#define TENSORS    UINT64_C(0x28000000)
#define MAX_CYCLES UINT64_C(50000000)

struct rig {
    struct smw_device *device; /* NULL: none open */
    uint32_t preset;
    uint64_t in, out, tensors;
    uint32_t used;                  /* by so many programs */
    struct trial_textures textures; /* of the program that runs */
};

/* Programs that not every device can run have one of their own, so that those between
 * them keep theirs; that for clusters and tensors has several SMs. */
enum { RIG_ANY, RIG_MOVED, RIG_NEWEST, N_RIGS };

struct trial {
    struct smw_config *config[MAX_PRESETS];
    uint32_t n_presets;
    struct rig rig[N_RIGS];
    struct interp *interp;
    uint8_t plant;
    bool functional;
    struct smw_counters timed; /* of the last run with time */
    char reason[3072];
    struct trial_totals sum;
    struct code code;
    struct texture texture[MAX_TEXTURES]; /* as the interpreter leaves them */
    uint8_t expected[GEN_OUT + GUARD], got[GEN_OUT + GUARD];
    uint8_t tensors[TENSOR_BYTES]; /* as the interpreter leaves them */
};

/* ---- devices ---- */

static bool configure(struct smw_config *c, const char *preset, const char *order,
                      struct smw_err *e)
{
    /* ptx.fmad: the interpreter rounds the result of each instruction. */
    static const char *const keys[][2] = {
        {"gpu.sms", "1"},      {"gpu.what_if", "true"}, {"dram.size", "16 MiB"},
        {"l2.size", "64 KiB"}, {"ptx.fmad", "false"},
    };

    if (!smw_config_preset(c, preset, e) ||
        (order != NULL && !smw_config_set(c, "ptx.schedule", order, e))) {
        return false;
    }
    for (uint32_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        struct smw_config *with = smw_config_copy(c);
        struct smw_err quiet;
        bool ok;

        err_clear(&quiet);
        ok = with != NULL && smw_config_set(with, keys[i][0], keys[i][1], &quiet) &&
             smw_config_check(with, &quiet);
        smw_config_free(with);
        if (ok && !smw_config_set(c, keys[i][0], keys[i][1], e)) {
            return false;
        }
    }
    return true;
}

static bool rig_open(struct rig *r, const struct smw_config *c, bool several,
                     struct smw_err *e)
{
    struct smw_options opt = {.max_cycles = MAX_CYCLES, .check = SMW_CHECK_FAST};
    struct smw_config *own = smw_config_copy(c);

    r->used = 0;
    if (own != NULL && (!several || (smw_config_set(own, "gpu.sms", "4", e) &&
                                     smw_config_set(own, "gpu.gpcs", "2", e)))) {
        r->device = smw_open(own, &opt, e);
    }
    smw_config_free(own);
    return r->device != NULL && smw_alloc(r->device, GEN_IN_ALL, &r->in, e) &&
           smw_alloc(r->device, GEN_OUT + GUARD, &r->out, e) &&
           smw_alloc(r->device, TENSOR_BYTES, &r->tensors, e);
}

static void rig_close(struct rig *r)
{
    if (r->device != NULL) {
        smw_close(r->device);
        r->device = NULL;
    }
}

struct trial *trial_new(const struct trial_options *o)
{
    const char *plant = o->plant;
    struct trial *t = calloc(1, sizeof(*t));
    struct smw_err e;

    err_clear(&e);
    if (t == NULL) {
        return NULL;
    }
    t->interp = interp_new();
    t->functional = o->functional;
    t->plant = N_OPS;
    if (plant != NULL) {
        uint32_t op = name_op(plant, strlen(plant));

        t->plant = op < N_OPS ? (uint8_t)op : (uint8_t)N_OPS;
    }
    for (uint32_t i = 0; t->interp != NULL && i < MAX_PRESETS; i++) {
        const char *name = smw_preset_name(i);

        if (name == NULL) {
            return t;
        }
        t->config[i] = smw_config_new();
        if (t->config[i] == NULL || !configure(t->config[i], name, o->order, &e)) {
            (void)fprintf(stderr, "smwave_random: %s: %s\n", name, e.message);
            break;
        }
        t->n_presets = i + 1;
    }
    trial_free(t);
    return NULL;
}

void trial_free(struct trial *t)
{
    if (t == NULL) {
        return;
    }
    for (uint32_t i = 0; i < N_RIGS; i++) {
        rig_close(&t->rig[i]);
    }
    for (uint32_t i = 0; i < MAX_PRESETS; i++) {
        smw_config_free(t->config[i]);
    }
    interp_free(t->interp);
    free(t);
}

uint32_t trial_presets(const struct trial *t)
{
    return t->n_presets;
}

uint32_t trial_device(const struct trial *t, uint32_t preset, double least, double most)
{
    for (uint32_t i = 0; i < t->n_presets; i++) {
        const uint32_t at = (preset + i) % t->n_presets;
        char capability[16];

        if (smw_config_show(t->config[at], "gpu.compute_capability", capability,
                            sizeof(capability)) &&
            strtod(capability, NULL) >= least && strtod(capability, NULL) < most) {
            return at;
        }
    }
    return preset;
}

const char *trial_preset(const struct trial *t, uint32_t i)
{
    return i < t->n_presets ? smw_preset_name(i) : NULL;
}

const char *trial_reason(const struct trial *t)
{
    return t->reason;
}

const struct code *trial_code(const struct trial *t)
{
    return &t->code;
}

void trial_totals(const struct trial *t, struct trial_totals *sum)
{
    *sum = t->sum;
}

/* ---- a program ---- */

struct arguments {
    uint64_t in, out;
    const uint64_t *objects; /* textures */
    uint64_t tensors;        /* the memory of all */
    uint8_t maps[TENSOR_MAPS];
};

/* The parameter block: two addresses, then bytes aligned to 16; tensor maps to 64. */
static uint32_t parameters(const struct gen_program *p, const struct arguments *a,
                           uint8_t block[BLOCK])
{
    const uint32_t bytes = p->address_bits / 8;
    uint32_t n = 16 + p->n_params;

    memset(block, 0, BLOCK);
    memcpy(block, &a->in, bytes);
    memcpy(block + bytes, &a->out, bytes);
    memcpy(block + 16, p->params, p->n_params);
    memcpy(block + n, a->objects, p->n_textures * sizeof(a->objects[0]));
    n += p->n_textures * (uint32_t)sizeof(a->objects[0]);
    if (p->tensors) {
        memcpy(block + n, &a->tensors, sizeof(a->tensors));
        n = (n + (uint32_t)sizeof(a->tensors) + 63) / 64 * 64;
        memcpy(block + n, a->maps, TENSOR_MAPS);
        n += TENSOR_MAPS;
    }
    return n;
}

/* What the output holds before. */
static void prefill(uint8_t *out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        out[i] = (uint8_t)(i * 37 + (i >> 8));
    }
}

static uint32_t out_bytes(const struct gen_program *p)
{
    return p->n_blocks * p->n_threads * p->slot + GUARD;
}

static bool interpret(struct trial *t, const struct gen_program *p)
{
    static const uint64_t objects[MAX_TEXTURES] = {1, 2, 3, 4};
    struct arguments a = {IN_BASE, OUT_BASE, objects, TENSORS, {0}};
    uint8_t block[BLOCK];
    struct interp_launch l = {.texture = t->texture,
                              .n_textures = p->n_textures,
                              .tensor = p->tensor,
                              .n_tensors = p->tensors ? N_TENSORS : 0,
                              .tensors = 2,
                              .dynamic_shared = p->dynamic_shared,
                              .params = block,
                              .n_buffers = p->tensors ? 3 : 2,
                              .plant = t->plant};

    trial_tensor_numbers(a.maps);
    l.param_bytes = parameters(p, &a, block);
    memcpy(t->texture, p->texture, p->n_textures * sizeof(p->texture[0]));
    memcpy(l.grid, p->grid, sizeof(l.grid));
    memcpy(l.block, p->block, sizeof(l.block));
    memcpy(l.cluster, p->cluster, sizeof(l.cluster));
    memcpy(t->got, p->in, GEN_IN_ALL);
    l.buffer[0] = (struct interp_buffer){IN_BASE, t->got, GEN_IN_ALL};
    l.buffer[1] = (struct interp_buffer){OUT_BASE, t->expected, out_bytes(p)};
    l.buffer[2] = (struct interp_buffer){TENSORS, t->tensors, p->tensor_bytes};
    prefill(t->expected, out_bytes(p));
    if (code_read(&t->code, p->text)) {
        if (p->tensors) {
            memcpy(t->tensors, p->tensor_memory, p->tensor_bytes);
            memcpy(t->tensors, a.maps, TENSOR_MAPS);
            memcpy(t->code.constants, a.maps, TENSOR_MAPS);
        }
        if (interp_run(t->interp, &t->code, &l)) {
            return true;
        }
    }
    (void)snprintf(t->reason, sizeof(t->reason), "invalid: %s", t->code.error);
    return false;
}

static enum verdict complain(struct trial *t, enum verdict v, const struct smw_err *e)
{
    (void)snprintf(t->reason, sizeof(t->reason), "%s: line %u: %s",
                   v == VERDICT_REFUSED ? "refused" : "stopped", e->line, e->message);
    return v;
}

static bool submit(struct trial *t, struct rig *r, const struct gen_program *p,
                   bool functional, struct smw_module **m, struct smw_err *e)
{
    uint8_t block[BLOCK];
    struct arguments a;
    struct smw_launch l = {.shared = p->dynamic_shared,
                           .params = block,
                           .functional = functional};
    const struct smw_kernel *k;

    if (r->device == NULL &&
        !rig_open(r, t->config[r->preset], p->clusters || p->tensors, e)) {
        return false;
    }
    t->sum.devices += r->used == 0;
    r->used += !functional;
    prefill(t->got, out_bytes(p));
    if (!trial_textures_make(&r->textures, r->device, p->texture, p->n_textures, e)) {
        return false;
    }
    a = (struct arguments){r->in, r->out, r->textures.object, r->tensors, {0}};
    if (p->tensors && !trial_tensor_maps(p, r->tensors, a.maps, e)) {
        return false;
    }
    l.param_bytes = parameters(p, &a, block);
    memcpy(l.grid, p->grid, sizeof(l.grid));
    memcpy(l.block, p->block, sizeof(l.block));
    memcpy(l.cluster, p->cluster, sizeof(l.cluster));
    *m = smw_load(r->device, p->text, p->n, "random.ptx", e);
    k = *m == NULL ? NULL : smw_kernel(*m, "k", e);
    return k != NULL && smw_write(r->device, r->in, p->in, GEN_IN_ALL, e) &&
           smw_write(r->device, r->out, t->got, out_bytes(p), e) &&
           (!p->tensors ||
            trial_tensors_write(p, r->device, *m, r->tensors, a.maps, e)) &&
           smw_launch(r->device, k, &l, e);
}

/* part: bytes of what one thread has. */
static enum verdict compare(struct trial *t, const char *what, uint32_t part,
                            const uint8_t *expected, const uint8_t *got, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (expected[i] != got[i]) {
            (void)snprintf(t->reason, sizeof(t->reason),
                           "differs: %s, byte %u: interpreter 0x%02x, model 0x%02x"
                           " (thread %u, byte %u of its part)",
                           what, i, expected[i], got[i], i / part, i % part);
            return VERDICT_DIFFERS;
        }
    }
    return VERDICT_SAME;
}

/* What a run without time counts is what the same one with time did. */
static enum verdict compare_counters(struct trial *t, const struct smw_counters *now)
{
#define NAME(field)                                                                    \
    {                                                                                  \
#field, offsetof(struct smw_counters, field)                                   \
    }
    static const struct {
        const char *name;
        size_t at;
    } counted[] = {
        NAME(blocks),      NAME(warps),       NAME(warp_insts),  NAME(thread_insts),
        NAME(branches),    NAME(divergent),   NAME(barriers),    NAME(sh_ld_insts),
        NAME(sh_st_insts), NAME(sh_at_insts), NAME(gl_ld_insts), NAME(gl_st_insts),
        NAME(gl_at_insts), NAME(lo_ld_insts), NAME(lo_st_insts), NAME(const_insts),
    };
#undef NAME
    for (uint32_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++) {
        uint64_t timed, untimed;

        memcpy(&timed, (const char *)&t->timed + counted[i].at, sizeof(timed));
        memcpy(&untimed, (const char *)now + counted[i].at, sizeof(untimed));
        if (timed != untimed) {
            (void)snprintf(t->reason, sizeof(t->reason),
                           "counts: %s is %" PRIu64 " without time, %" PRIu64
                           " with it",
                           counted[i].name, untimed, timed);
            return VERDICT_COUNTS;
        }
    }
    return VERDICT_SAME;
}

static enum verdict look(struct trial *t, struct rig *r, const struct gen_program *p,
                         bool functional, struct smw_module *m, struct smw_err *e)
{
    uint8_t globals[GEN_GLOBALS];
    struct smw_result result;
    enum verdict v;

    if (smw_step(r->device, 0) != SMW_DONE) {
        const struct smw_fault *f = smw_fault(r->device);

        (void)snprintf(t->reason, sizeof(t->reason), "stopped: line %u: %s: %s %s",
                       f->ptx_line, f->inst, f->message, f->detail);
        return VERDICT_STOPPED;
    }
    if (smw_live_transactions(r->device) != 0) {
        (void)snprintf(t->reason, sizeof(t->reason), "transactions are left");
        return VERDICT_LEFTOVER;
    }
    if (smw_result(r->device, smw_results(r->device) - 1, &result) && functional &&
        !p->turns && !p->spins) { /* how often a loop polls is a matter of time */
        v = compare_counters(t, &result.counters);
        if (v != VERDICT_SAME) {
            return v;
        }
    } else {
        t->timed = result.counters;
        t->sum.warp_insts += result.counters.warp_insts;
        t->sum.thread_insts += result.counters.thread_insts;
        t->sum.cycles += result.counters.cycles;
    }
    if (!smw_read(r->device, r->out, t->got, out_bytes(p), e)) {
        return complain(t, VERDICT_STOPPED, e);
    }
    v = compare(t, "output", p->slot, t->expected, t->got, out_bytes(p));
    for (uint32_t i = 0; v == VERDICT_SAME && i < p->n_textures; i++) {
        const struct texture *x = &t->texture[i];

        if (!x->surface) {
            continue;
        }
        if (!trial_texture_read(&r->textures, r->device, x, i, t->got, e)) {
            return complain(t, VERDICT_STOPPED, e);
        }
        v = compare(t, "surface", p->slot, x->data, t->got, texture_row(x) * x->height);
    }
    if (v == VERDICT_SAME && p->tensors) {
        const uint32_t n = p->tensor_bytes - TENSOR_MAPS;

        if (!smw_read(r->device, r->tensors + TENSOR_MAPS, t->got, n, e)) {
            return complain(t, VERDICT_STOPPED, e);
        }
        v = compare(t, "tensors", n, t->tensors + TENSOR_MAPS, t->got, n);
    }
    if (v != VERDICT_SAME || !p->has_globals) {
        return v;
    }
    if (!smw_read_symbol(m, "G", 0, globals, GEN_GLOBALS, e)) {
        return complain(t, VERDICT_STOPPED, e);
    }
    return compare(t, "variable G", p->slot, t->code.globals, globals, GEN_GLOBALS);
}

static struct rig *rig_of(struct trial *t, const struct gen_program *p)
{
    return &t->rig[p->clusters || p->tensors ? RIG_NEWEST
                   : p->spins || p->in_step  ? RIG_MOVED
                                             : RIG_ANY];
}

static enum verdict run(struct trial *t, const struct gen_program *p, bool functional)
{
    struct rig *r = rig_of(t, p);
    struct smw_module *m = NULL;
    struct smw_err e;

    enum verdict v;

    err_clear(&e);
    v = submit(t, r, p, functional, &m, &e) ? look(t, r, p, functional, m, &e)
                                            : complain(t, VERDICT_REFUSED, &e);
    if (r->device != NULL && v == VERDICT_SAME &&
        !trial_textures_free(&r->textures, r->device, &e)) {
        return complain(t, VERDICT_STOPPED, &e);
    }
    return v;
}

enum verdict trial_run(struct trial *t, const struct gen_program *p, uint32_t preset)
{
    struct rig *r = rig_of(t, p);
    enum verdict v;

    t->sum.programs++;
    if (!interpret(t, p)) {
        return VERDICT_INVALID;
    }
    if (r->preset != preset) {
        rig_close(r);
        r->preset = preset;
    }
    v = run(t, p, false);
    if (v == VERDICT_SAME && t->functional) {
        v = run(t, p, true);
    }
    if (v != VERDICT_SAME || r->used == PER_DEVICE) {
        rig_close(r);
    }
    return v;
}
