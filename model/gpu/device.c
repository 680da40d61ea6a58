#include "gpu/functional.h"

#include "base/nomem.h"
#include "gpu/observe.h"
#include "gpu/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_OF(number) #number
#define VERSION_TEXT(major, minor, patch)                                              \
    TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *smw_version(void)
{
    return VERSION_TEXT(SMW_VERSION_MAJOR, SMW_VERSION_MINOR, SMW_VERSION_PATCH);
}

/* ---- opening ---- */

static void tell_panic(void *ctx, const char *text)
{
    struct smw_device *d = ctx;

    if (d->opt.panic != NULL) {
        d->opt.panic(d->opt.panic_ctx, text);
        return;
    }
    fputs(text, stderr);
    fputc('\n', stderr);
}

static const struct smw_team *usable_team(const struct smw_options *o,
                                          const struct gpu_config *c)
{
    bool usable = o->team != NULL && o->team->n > 1 && o->shuffle == 0 &&
                  o->check < SMW_CHECK_FULL && !spare_moves_early(&c->ideal);

    return usable ? o->team : NULL;
}

/* False: what there is so far can be closed. */
static bool build(struct smw_device *d, const struct smw_config *c,
                  const struct smw_options *opt, struct smw_err *e)
{
    if (opt != NULL) {
        d->opt = *opt;
    }
    d->heap = SMW_HEAP;
    if (!gpu_init(&d->gpu, &c->gpu, usable_team(&d->opt, &c->gpu), e)) {
        return false;
    }
    memcpy(d->name, c->name, sizeof(d->name));
    if (!device_place(d, e)) {
        return false;
    }
    d->gpu.shared.checks = d->opt.check != SMW_CHECK_NONE;
    d->gpu.shared.stalls = d->opt.stalls;
    d->gpu.shared.in_step = d->opt.in_step;
    if (d->opt.check >= SMW_CHECK_FULL) {
        d->gpu.memory.gaps = true; /* SPEC FAULT-1 */
        d->gpu.shared.check = check_global_new(d->opt.check >= SMW_CHECK_GLOBAL);
        d->gpu.shared.told =
            check_instant_new(d->gpu.sim, d->gpu.shared.check, sm_found_race);
    }
    d->bank_mode = d->gpu.cfg.sm.smem.bank_mode;
    sim_on_panic(d->gpu.sim, tell_panic, d);
    sim_shuffle(d->gpu.sim, d->opt.shuffle);
    for (uint32_t i = 0; d->opt.check >= SMW_CHECK_FULL && i < d->gpu.n_sms; i++) {
        sm_watch(d->gpu.sm[i]);
    }
    sim_event_init(&d->begins, d->gpu.sim, &d->gpu.sm_clock, "begins");
    d->link = link_new(&d->gpu.root, &d->gpu.sm_clock, &d->gpu.cfg.link,
                       smw_dram_peak(d), d->opt.host);
    device_listen(d);
    return true;
}

struct opening {
    struct smw_device *d;
    const struct smw_config *c;
    const struct smw_options *opt;
    struct smw_err *e;
    bool whole;
};

static void try_build(void *arg)
{
    struct opening *const x = arg;

    x->whole = build(x->d, x->c, x->opt, x->e);
}

struct smw_device *smw_open(const struct smw_config *c, const struct smw_options *opt,
                            struct smw_err *e)
{
    struct smw_device *d;
    struct opening x;

    if (!err_given(c, "smw_open: the configuration", e)) {
        return NULL;
    }
    if (opt != NULL && (opt->check < SMW_CHECK_NONE || opt->check > SMW_CHECK_GLOBAL)) {
        (void)err_set(e, SMW_ERR_INPUT, "smw_open: there is no check %d",
                      (int)opt->check);
        return NULL;
    }
    d = calloc(1, sizeof(*d));
    if (d == NULL) {
        (void)err_set(e, SMW_ERR_NOMEM, "no memory for a device");
        return NULL;
    }
    x = (struct opening){d, c, opt, e, false};
    if (!nomem_try(try_build, &x)) {
        (void)device_no_memory(d, e);
    }
    if (!x.whole) {
        smw_close(d);
        return NULL;
    }
    return d;
}

bool device_no_memory(struct smw_device *d, struct smw_err *e)
{
    if (d->fault.kind == SMW_ERR_NONE) {
        d->fault.kind = SMW_ERR_NOMEM;
        d->fault.code = SMW_CODE_OUT_OF_MEMORY;
        (void)snprintf(d->fault.message, sizeof(d->fault.message),
                       "the host is out of memory");
    }
    (void)err_set(e, SMW_ERR_NOMEM, "the host is out of memory");
    return err_code(e, SMW_CODE_OUT_OF_MEMORY);
}

void device_free_module(struct smw_module *m)
{
    ptx_free(m->ptx);
    free(m->const_image);
    free(m->kernels);
    free(m->name);
    free(m);
}

void smw_close(struct smw_device *d)
{
    if (d == NULL) {
        return;
    }
    for (uint32_t i = 0; i < d->n_launches; i++) {
        free((void *)(uintptr_t)d->launch[i].args.params);
        free(d->launch[i].printed);
        free(d->launch[i].places);
        free(d->launch[i].output);
    }
    free(d->launch);
    free(d->task);
    host_free(&d->host);
    free(d->transfer);
    turns_free(&d->turns);
    free(d->findings);
    while (d->modules != NULL) {
        struct smw_module *m = d->modules;

        d->modules = m->next;
        device_free_module(m);
    }
    device_part_all(d);
    device_free_textures(d);
    hot_free(d);
    endless_free(d);
    functional_end(d);
    check_global_free(d->gpu.shared.check);
    check_instant_free(d->gpu.shared.told);
    gpu_free(&d->gpu);
    free(d);
}

struct sim *smw_sim(struct smw_device *d)
{
    return d->gpu.sim;
}

struct sim_module *smw_root(struct smw_device *d)
{
    return &d->gpu.root;
}

uint64_t smw_sm_hz(const struct smw_device *d)
{
    return d == NULL ? 0 : d->gpu.cfg.gpu.sm_clock;
}

uint64_t smw_dram_peak(const struct smw_device *d)
{
    return d == NULL ? 0 : dram_peak(&d->gpu.cfg.dram);
}

uint64_t smw_l2_peak(const struct smw_device *d)
{
    return d == NULL ? 0 : l2_peak(&d->gpu.cfg.l2, d->gpu.n_parts);
}

uint64_t smw_live_transactions(const struct smw_device *d)
{
    return d == NULL ? 0 : sim_live_transactions(d->gpu.sim);
}

/* ---- memory ---- */

bool smw_alloc(struct smw_device *d, uint64_t bytes, uint64_t *addr, struct smw_err *e)
{
    return err_given(d, "smw_alloc: the device", e) &&
           err_given(addr, "smw_alloc: where the address goes", e) &&
           memory_alloc(&d->gpu.memory, bytes, addr, e);
}

void smw_name(struct smw_device *d, uint64_t addr, const char *name)
{
    if (d != NULL) {
        memory_name(&d->gpu.memory, addr, name == NULL ? "" : name);
    }
}

void device_give(struct smw_device *d, uint64_t addr, const void *src, uint64_t n)
{
    memory_write(&d->gpu.memory, addr, src, n);
    if (d->gpu.shared.check != NULL) {
        check_global_host(d->gpu.shared.check, addr, n);
    }
}

void device_copy(struct smw_device *to, uint64_t dst, struct smw_device *from,
                 uint64_t src, uint64_t n)
{
    uint8_t part[4096];
    uint64_t left = n;

    while (left > 0) { /* from the end when the ranges overlap upwards */
        uint64_t k = left < sizeof(part) ? left : sizeof(part);
        uint64_t at = dst > src ? left - k : n - left;

        memory_read(&from->gpu.memory, src + at, part, k);
        device_give(to, dst + at, part, k);
        left -= k;
    }
}

/* n bytes that the host has, or, where data is NULL, from another address. */
struct moving {
    struct smw_device *d;
    uint64_t to;
    const void *data;
    uint64_t from, n;
};

static void try_move(void *arg)
{
    const struct moving *const x = arg;

    if (x->data != NULL) {
        device_give(x->d, x->to, x->data, x->n);
    } else {
        device_copy(x->d, x->to, x->d, x->from, x->n);
    }
}

static void try_written(void *arg)
{
    const struct moving *const x = arg;

    check_global_host(x->d->gpu.shared.check, x->to, x->n);
}

bool device_written(struct smw_device *d, uint64_t addr, uint64_t n, struct smw_err *e)
{
    struct moving x = {.d = d, .to = addr, .n = n};

    return d->gpu.shared.check == NULL || nomem_try(try_written, &x) ||
           device_no_memory(d, e);
}

static bool move(struct moving *x, struct smw_err *e)
{
    return nomem_try(try_move, x) || device_no_memory(x->d, e);
}

bool smw_write(struct smw_device *d, uint64_t addr, const void *src, uint64_t n,
               struct smw_err *e)
{
    if (n == 0) {
        return true;
    }
    if (!err_given(d, "smw_write: the device", e) ||
        !err_given(src, "smw_write: the data", e) ||
        !device_has(d, "write", addr, n, e) || !device_settle(d, e)) {
        return false;
    }
    return move(&(struct moving){d, addr, src, 0, n}, e);
}

bool smw_read(struct smw_device *d, uint64_t addr, void *dst, uint64_t n,
              struct smw_err *e)
{
    if (n == 0) {
        return true;
    }
    /* after a fault, memory stays readable */
    if (!err_given(d, "smw_read: the device", e) ||
        !err_given(dst, "smw_read: where the data goes", e) ||
        !device_has(d, "read", addr, n, e) ||
        (d->fault.kind == SMW_ERR_NONE && !device_settle(d, e))) {
        return false;
    }
    memory_read(&d->gpu.memory, addr, dst, n);
    return true;
}

bool smw_copy(struct smw_device *d, uint64_t dst, uint64_t src, uint64_t n,
              struct smw_err *e)
{
    if (n == 0) {
        return true;
    }
    if (!err_given(d, "smw_copy: the device", e) ||
        !device_has(d, "copy from", src, n, e) ||
        !device_has(d, "copy to", dst, n, e) || !device_settle(d, e)) {
        return false;
    }
    return move(&(struct moving){d, dst, NULL, src, n}, e);
}

/* ---- code ---- */

static bool place_symbols(struct smw_device *d, struct ptx_module *m, struct smw_err *e)
{
    for (uint32_t i = 0; i < m->n_symbols; i++) {
        struct ptx_symbol *s = &m->symbols[i];

        if (s->space != ISA_SP_GLOBAL) {
            continue;
        }
        if (s->is_extern || s->size == 0) {
            (void)err_set(e, SMW_ERR_INPUT,
                          "variable %s is external and defined nowhere", s->name);
            return err_code(e, SMW_CODE_INVALID_PTX);
        }
        if (!memory_alloc(&d->gpu.memory, s->size, &s->addr, e)) {
            return false;
        }
        memory_name(&d->gpu.memory, s->addr, s->name);
        if (d->gpu.shared.check != NULL) { /* variables begin as zeros */
            check_global_host(d->gpu.shared.check, s->addr, s->size);
        }
    }
    return true;
}

/* Can the module's addresses name all of device memory? */
static bool check_reach(const struct smw_device *d, const struct ptx_module *m,
                        struct smw_err *e)
{
    const struct memory *memory = &d->gpu.memory;

    if (m->address_size != 32 || memory->base == ISA_GLOBAL_BASE) {
        return true;
    }
    (void)err_set(e, SMW_ERR_INPUT,
                  "a module of 32-bit addresses; those of this device begin at 0x%llx",
                  (unsigned long long)memory->base);
    return err_code(e, SMW_CODE_NOT_SUPPORTED);
}

/* After lowering: initial values may hold addresses of other variables. */
static void write_initial_values(struct smw_device *d, const struct ptx_module *m)
{
    for (uint32_t i = 0; i < m->n_symbols; i++) {
        const struct ptx_symbol *s = &m->symbols[i];

        if (s->space == ISA_SP_GLOBAL && s->init != NULL) {
            memory_write(&d->gpu.memory, s->addr, s->init, s->size);
        }
    }
}

/* The constant bank in whole pages, so that it can be a part of device memory too. */
static bool own_constants(struct smw_module *m, struct smw_err *e)
{
    uint64_t pages = (m->ptx->const_bytes + MEMORY_PAGE - 1) / MEMORY_PAGE;

    if (pages == 0) {
        return true;
    }
    m->const_image = calloc(pages, MEMORY_PAGE);
    if (m->const_image == NULL) {
        return err_set(e, SMW_ERR_NOMEM, "no memory for a module's constants");
    }
    memcpy(m->const_image, m->ptx->const_image, m->ptx->const_bytes);
    m->ptx->const_image = m->const_image;
    return true;
}

struct smw_module *smw_load(struct smw_device *d, const char *text, size_t size,
                            const char *name, struct smw_err *e)
{
    const struct smw_text t = {text, size, name};

    return smw_load_linked(d, &t, 1, e);
}

_Static_assert(SMW_HEAP == PTX_HEAP, "one default");

bool smw_device_heap(struct smw_device *d, uint64_t bytes, struct smw_err *e)
{
    struct smw_err own;

    e = err_or(e, &own);
    if (!err_given(d, "smw_device_heap: the device", e)) {
        return false;
    }
    if (bytes < SMW_MIN_HEAP || bytes > SMW_MAX_HEAP) {
        return err_set(e, SMW_ERR_INPUT, "a heap of %llu bytes: %llu to %llu",
                       (unsigned long long)bytes, SMW_MIN_HEAP, SMW_MAX_HEAP);
    }
    d->heap = bytes;
    return true;
}

static struct ptx_module *parse(const struct smw_text *t, uint32_t n, uint64_t heap,
                                struct smw_err *e)
{
    struct ptx_text *const text = calloc(n + 1, sizeof(text[0]));
    struct ptx_module *m;

    if (text == NULL) {
        (void)err_set(e, SMW_ERR_NOMEM, "no memory for a module");
        return NULL;
    }
    for (uint32_t i = 0; i < n; i++) {
        text[i] =
            (struct ptx_text){t[i].text, t[i].size, t[i].name == NULL ? "" : t[i].name};
    }
    m = ptx_parse_linked(text, n, heap, e);
    free(text);
    return m;
}

/* False: what there is so far can be freed. */
static bool fill_module(struct smw_module *m, const struct smw_text *t, uint32_t n,
                        struct smw_err *e)
{
    struct smw_device *const d = m->device;
    struct ptx_target target;

    m->name = strdup(t[0].name == NULL ? "" : t[0].name);
    m->ptx = parse(t, n, d->heap, e);
    if (m->ptx == NULL || !check_reach(d, m->ptx, e) || !place_symbols(d, m->ptx, e) ||
        !ptx_lower(m->ptx, gpu_target(&d->gpu.cfg, &d->gpu.rules, &target), e) ||
        !own_constants(m, e) || !spare_mark(&d->gpu.cfg.ideal, m->ptx, e)) {
        return false;
    }
    write_initial_values(d, m->ptx);
    m->kernels = calloc(m->ptx->n_kernels + 1, sizeof(m->kernels[0]));
    if (m->kernels == NULL || m->name == NULL) {
        return err_set(e, SMW_ERR_NOMEM, "no memory for a module");
    }
    for (uint32_t i = 0; i < m->ptx->n_kernels; i++) {
        m->kernels[i] = (struct smw_kernel){m, &m->ptx->kernels[i]};
    }
    return true;
}

struct loading {
    const struct smw_text *t;
    uint32_t n;
    struct smw_err *e;
    struct smw_module *m;
    bool whole;
};

static void try_fill(void *arg)
{
    struct loading *const x = arg;

    x->whole = fill_module(x->m, x->t, x->n, x->e);
}

struct smw_module *smw_load_linked(struct smw_device *d, const struct smw_text *t,
                                   uint32_t n, struct smw_err *e)
{
    struct loading x = {t, n, NULL, NULL, false};
    struct smw_err own;
    struct smw_module *m;

    e = err_or(e, &own);
    if (!err_given(d, "smw_load: the device", e) ||
        !err_given(t, "smw_load: the texts", e)) {
        return NULL;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (t[i].size != 0 && !err_given(t[i].text, "smw_load: the text", e)) {
            return NULL;
        }
    }
    if (n == 0) {
        (void)err_set(e, SMW_ERR_INPUT, "no text to link");
        return NULL;
    }
    m = calloc(1, sizeof(*m));
    if (m == NULL) {
        (void)err_set(e, SMW_ERR_NOMEM, "no memory for a module");
        return NULL;
    }
    m->device = d;
    x.m = m;
    x.e = e;
    if (!nomem_try(try_fill, &x)) {
        (void)device_no_memory(d, e);
    }
    if (!x.whole) {
        device_free_module(m);
        return NULL;
    }
    m->next = d->modules;
    d->modules = m;
    return m;
}

const struct ptx_symbol *device_symbol(const struct smw_module *m, const char *name,
                                       struct smw_err *e)
{
    const struct ptx_symbol *s;
    const char *names[64];
    uint32_t n = 0;
    const char *near;

    if (!err_given(m, "the module", e) || !err_given(name, "the variable's name", e)) {
        return NULL;
    }
    s = ptx_find_symbol(m->ptx, name);
    if (s != NULL && s->space != ISA_SP_SHARED) {
        return s;
    }
    for (uint32_t i = 0; i < m->ptx->n_symbols && n < ARRAY_LEN(names); i++) {
        if (m->ptx->symbols[i].space != ISA_SP_SHARED) {
            names[n++] = m->ptx->symbols[i].name;
        }
    }
    (void)err_set(e, SMW_ERR_INPUT, "%s has no .global or .const variable \"%s\"",
                  m->name, name);
    (void)err_code(e, SMW_CODE_NOT_FOUND);
    near = err_nearest(name, names, n);
    if (near != NULL) {
        err_hint(e, "did you mean \"%s\"?", near);
    }
    return NULL;
}

bool smw_symbol_size(const struct smw_module *m, const char *symbol, uint64_t *size,
                     struct smw_err *e)
{
    const struct ptx_symbol *s = device_symbol(m, symbol, e);

    if (s == NULL || !err_given(size, "smw_symbol_size: where the size goes", e)) {
        return false;
    }
    *size = s->size;
    return true;
}

const char *smw_symbol_type(const struct smw_module *m, const char *symbol)
{
    const struct ptx_symbol *s =
        m == NULL || symbol == NULL ? NULL : ptx_find_symbol(m->ptx, symbol);

    return s == NULL || s->space == ISA_SP_SHARED ? NULL : isa_type_name(s->type);
}

static const struct ptx_symbol *symbol_range(struct smw_module *m, const char *symbol,
                                             uint64_t offset, uint64_t n,
                                             struct smw_err *e)
{
    const struct ptx_symbol *s = device_symbol(m, symbol, e);

    if (s == NULL) {
        return NULL;
    }
    if (offset > s->size || n > s->size - offset) {
        (void)err_set(e, SMW_ERR_INPUT,
                      "%llu bytes at offset %llu of \"%s\", which has %llu",
                      (unsigned long long)n, (unsigned long long)offset, symbol,
                      (unsigned long long)s->size);
        return NULL;
    }
    return s;
}

bool smw_write_symbol(struct smw_module *m, const char *symbol, uint64_t offset,
                      const void *src, uint64_t n, struct smw_err *e)
{
    const struct ptx_symbol *s = symbol_range(m, symbol, offset, n, e);

    if (s == NULL || (n != 0 && !err_given(src, "smw_write_symbol: the data", e)) ||
        !device_settle(m->device, e)) {
        return false;
    }
    if (s->space != ISA_SP_CONST) {
        return move(&(struct moving){m->device, s->addr + offset, src, 0, n}, e);
    }
    memcpy(m->const_image + s->addr + offset, src, n);
    return true;
}

bool smw_read_symbol(struct smw_module *m, const char *symbol, uint64_t offset,
                     void *dst, uint64_t n, struct smw_err *e)
{
    const struct ptx_symbol *s = symbol_range(m, symbol, offset, n, e);

    if (s == NULL ||
        (n != 0 && !err_given(dst, "smw_read_symbol: where the data goes", e)) ||
        (m->device->fault.kind == SMW_ERR_NONE && !device_settle(m->device, e))) {
        return false;
    }
    if (s->space == ISA_SP_CONST) {
        memcpy(dst, m->const_image + s->addr + offset, n);
    } else {
        memory_read(&m->device->gpu.memory, s->addr + offset, dst, n);
    }
    return true;
}

const struct smw_kernel *smw_kernel(struct smw_module *m, const char *name,
                                    struct smw_err *e)
{
    const struct ptx_kernel *k;
    struct smw_err own;

    e = err_or(e, &own);
    if (!err_given(m, "smw_kernel: the module", e) ||
        !err_given(name, "smw_kernel: the name", e)) {
        return NULL;
    }
    k = ptx_find_kernel(m->ptx, name, e);
    return k == NULL ? NULL : &m->kernels[k - m->ptx->kernels];
}

const char *smw_kernel_name(const struct smw_kernel *k)
{
    return k == NULL ? NULL : k->ptx->name;
}

bool smw_can_run(const struct smw_kernel *k, struct smw_err *e)
{
    struct smw_err own;

    if (!err_given(k, "the kernel", e)) {
        return false;
    }
    if (k->module->unloaded) {
        (void)err_set(e, SMW_ERR_INPUT, "kernel %s: its module was unloaded",
                      k->ptx->name);
        return err_code(e, SMW_CODE_NOT_FOUND);
    }
    return ptx_can_run(k->module->ptx, k->ptx, err_or(e, &own));
}

uint32_t smw_kernel_params(const struct smw_kernel *k)
{
    return k == NULL ? 0 : k->ptx->n_params;
}

uint32_t smw_kernel_address_bytes(const struct smw_kernel *k)
{
    return k == NULL ? 0 : k->module->ptx->address_size / 8;
}

bool smw_kernel_param(const struct smw_kernel *k, uint32_t i, struct smw_param *p)
{
    const struct ptx_param *q;

    if (k == NULL || p == NULL || i >= k->ptx->n_params) {
        return false;
    }
    q = &k->ptx->params[i];
    *p = (struct smw_param){.name = q->name,
                            .type = isa_type_name(q->type),
                            .size = q->size,
                            .align = q->align,
                            .offset = q->offset};
    return true;
}
