#include "gpu/device_priv.h"

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

static const struct smw_team *usable_team(const struct smw_options *o)
{
    bool usable = o->team != NULL && o->team->n > 1 && o->shuffle == 0 &&
                  o->check < SMW_CHECK_FULL;

    return usable ? o->team : NULL;
}

struct smw_device *smw_open(const struct smw_config *c, const struct smw_options *opt,
                            struct smw_err *e)
{
    struct smw_device *d = calloc(1, sizeof(*d));

    if (d == NULL) {
        (void)err_set(e, SMW_ERR_NOMEM, "no memory for a device");
        return NULL;
    }
    if (opt != NULL) {
        d->opt = *opt;
    }
    if (!gpu_init(&d->gpu, &c->gpu, usable_team(&d->opt), e)) {
        memory_free(&d->gpu.memory);
        free(d);
        return NULL;
    }
    d->gpu.shared.checks = d->opt.check != SMW_CHECK_NONE;
    d->gpu.shared.stalls = d->opt.stalls;
    if (d->opt.check >= SMW_CHECK_FULL) {
        d->gpu.memory.gaps = true; /* SPEC FAULT-1 */
        d->gpu.shared.check = check_global_new(d->opt.check >= SMW_CHECK_GLOBAL);
    }
    d->bank_mode = d->gpu.cfg.sm.smem.bank_mode;
    sim_on_panic(d->gpu.sim, tell_panic, d);
    sim_shuffle(d->gpu.sim, d->opt.shuffle);
    for (uint32_t i = 0; d->opt.check >= SMW_CHECK_FULL && i < d->gpu.n_sms; i++) {
        sm_watch(d->gpu.sm[i]);
    }
    device_listen(d);
    return d;
}

static void free_module(struct smw_module *m)
{
    ptx_free(m->ptx);
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
    turns_free(&d->turns);
    free(d->findings);
    while (d->modules != NULL) {
        struct smw_module *m = d->modules;

        d->modules = m->next;
        free_module(m);
    }
    hot_free(d);
    check_global_free(d->gpu.shared.check);
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
    return d->gpu.cfg.gpu.sm_clock;
}

uint64_t smw_dram_peak(const struct smw_device *d)
{
    return dram_peak(&d->gpu.cfg.dram);
}

uint64_t smw_live_transactions(const struct smw_device *d)
{
    return sim_live_transactions(d->gpu.sim);
}

/* ---- memory ---- */

bool smw_alloc(struct smw_device *d, uint64_t bytes, uint64_t *addr, struct smw_err *e)
{
    return memory_alloc(&d->gpu.memory, bytes, addr, e);
}

void smw_name(struct smw_device *d, uint64_t addr, const char *name)
{
    memory_name(&d->gpu.memory, addr, name);
}

static bool check_range(const struct smw_device *d, const char *what, uint64_t addr,
                        uint64_t n, struct smw_err *e)
{
    const struct memory_range *r = memory_find(&d->gpu.memory, addr);

    if (r == NULL || n > r->bytes - (addr - r->addr)) {
        return err_set(e, SMW_ERR_INPUT,
                       "%s: %llu bytes at 0x%llx are not inside a buffer", what,
                       (unsigned long long)n, (unsigned long long)addr);
    }
    return true;
}

/* The host gives memory a value. */
static void give(struct smw_device *d, uint64_t addr, const void *src, uint64_t n)
{
    memory_write(&d->gpu.memory, addr, src, n);
    if (d->gpu.shared.check != NULL) {
        check_global_host(d->gpu.shared.check, addr, n);
    }
}

bool smw_write(struct smw_device *d, uint64_t addr, const void *src, uint64_t n,
               struct smw_err *e)
{
    if (n == 0) {
        return true;
    }
    if (!check_range(d, "write", addr, n, e) || !device_settle(d, e)) {
        return false;
    }
    give(d, addr, src, n);
    return true;
}

bool smw_read(struct smw_device *d, uint64_t addr, void *dst, uint64_t n,
              struct smw_err *e)
{
    if (n == 0) {
        return true;
    }
    /* after a fault, memory stays readable */
    if (!check_range(d, "read", addr, n, e) ||
        (d->fault.kind == SMW_ERR_NONE && !device_settle(d, e))) {
        return false;
    }
    memory_read(&d->gpu.memory, addr, dst, n);
    return true;
}

bool smw_copy(struct smw_device *d, uint64_t dst, uint64_t src, uint64_t n,
              struct smw_err *e)
{
    uint8_t part[4096];
    uint64_t left = n;

    if (n == 0) {
        return true;
    }
    if (!check_range(d, "copy from", src, n, e) ||
        !check_range(d, "copy to", dst, n, e) || !device_settle(d, e)) {
        return false;
    }
    while (left > 0) { /* from the end when the ranges overlap upwards, as memmove() */
        uint64_t k = left < sizeof(part) ? left : sizeof(part);
        uint64_t at = dst > src ? left - k : n - left;

        memory_read(&d->gpu.memory, src + at, part, k);
        give(d, dst + at, part, k);
        left -= k;
    }
    return true;
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
            return err_set(e, SMW_ERR_INPUT,
                           "variable %s is external and defined nowhere", s->name);
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

struct smw_module *smw_load(struct smw_device *d, const char *text, size_t size,
                            const char *name, struct smw_err *e)
{
    const struct smw_text t = {text, size, name};

    return smw_load_linked(d, &t, 1, e);
}

static struct ptx_module *parse(const struct smw_text *t, uint32_t n, struct smw_err *e)
{
    struct ptx_text *const text = calloc(n + 1, sizeof(text[0]));
    struct ptx_module *m;

    if (text == NULL) {
        (void)err_set(e, SMW_ERR_NOMEM, "no memory for a module");
        return NULL;
    }
    for (uint32_t i = 0; i < n; i++) {
        text[i] = (struct ptx_text){t[i].text, t[i].size, t[i].name};
    }
    m = ptx_parse_linked(text, n, e);
    free(text);
    return m;
}

struct smw_module *smw_load_linked(struct smw_device *d, const struct smw_text *t,
                                   uint32_t n, struct smw_err *e)
{
    struct smw_module *m;
    struct ptx_target target;

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
    m->name = strdup(t[0].name);
    m->ptx = parse(t, n, e);
    if (m->ptx == NULL || !place_symbols(d, m->ptx, e) ||
        !ptx_lower(m->ptx, gpu_target(&d->gpu.cfg, &d->gpu.rules, &target), e)) {
        goto fail;
    }
    write_initial_values(d, m->ptx);
    m->kernels = calloc(m->ptx->n_kernels + 1, sizeof(m->kernels[0]));
    if (m->kernels == NULL || m->name == NULL) {
        (void)err_set(e, SMW_ERR_NOMEM, "no memory for a module");
        goto fail;
    }
    for (uint32_t i = 0; i < m->ptx->n_kernels; i++) {
        m->kernels[i] = (struct smw_kernel){m, &m->ptx->kernels[i]};
    }
    m->next = d->modules;
    d->modules = m;
    return m;
fail:
    free_module(m);
    return NULL;
}

static const struct ptx_symbol *find_symbol(const struct smw_module *m,
                                            const char *name, struct smw_err *e)
{
    const struct ptx_symbol *s = ptx_find_symbol(m->ptx, name);
    const char *names[64];
    uint32_t n = 0;
    const char *near;

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
    near = err_nearest(name, names, n);
    if (near != NULL) {
        err_hint(e, "did you mean \"%s\"?", near);
    }
    return NULL;
}

bool smw_symbol_size(const struct smw_module *m, const char *symbol, uint64_t *size,
                     struct smw_err *e)
{
    const struct ptx_symbol *s = find_symbol(m, symbol, e);

    if (s == NULL) {
        return false;
    }
    *size = s->size;
    return true;
}

const char *smw_symbol_type(const struct smw_module *m, const char *symbol)
{
    const struct ptx_symbol *s = ptx_find_symbol(m->ptx, symbol);

    return s == NULL || s->space == ISA_SP_SHARED ? NULL : isa_type_name(s->type);
}

static const struct ptx_symbol *symbol_range(struct smw_module *m, const char *symbol,
                                             uint64_t offset, uint64_t n,
                                             struct smw_err *e)
{
    const struct ptx_symbol *s = find_symbol(m, symbol, e);

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

    if (s == NULL || !device_settle(m->device, e)) {
        return false;
    }
    if (s->space == ISA_SP_CONST) {
        memcpy((uint8_t *)(uintptr_t)m->ptx->const_image + s->addr + offset, src, n);
    } else {
        give(m->device, s->addr + offset, src, n);
    }
    return true;
}

bool smw_read_symbol(struct smw_module *m, const char *symbol, uint64_t offset,
                     void *dst, uint64_t n, struct smw_err *e)
{
    const struct ptx_symbol *s = symbol_range(m, symbol, offset, n, e);

    if (s == NULL ||
        (m->device->fault.kind == SMW_ERR_NONE && !device_settle(m->device, e))) {
        return false;
    }
    if (s->space == ISA_SP_CONST) {
        memcpy(dst, m->ptx->const_image + s->addr + offset, n);
    } else {
        memory_read(&m->device->gpu.memory, s->addr + offset, dst, n);
    }
    return true;
}

const struct smw_kernel *smw_kernel(struct smw_module *m, const char *name,
                                    struct smw_err *e)
{
    const struct ptx_kernel *k = ptx_find_kernel(m->ptx, name, e);

    return k == NULL ? NULL : &m->kernels[k - m->ptx->kernels];
}

const char *smw_kernel_name(const struct smw_kernel *k)
{
    return k->ptx->name;
}

bool smw_can_run(const struct smw_kernel *k, struct smw_err *e)
{
    return ptx_can_run(k->module->ptx, k->ptx, e);
}

uint32_t smw_kernel_params(const struct smw_kernel *k)
{
    return k->ptx->n_params;
}

uint32_t smw_kernel_address_bytes(const struct smw_kernel *k)
{
    return k->module->ptx->address_size / 8;
}

bool smw_kernel_param(const struct smw_kernel *k, uint32_t i, struct smw_param *p)
{
    const struct ptx_param *q;

    if (i >= k->ptx->n_params) {
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

/* ---- PTX for the program's commands ---- */

void smw_ptx_list(void (*line)(void *ctx, const char *text), void *ctx)
{
    ptx_list(line, ctx);
}

bool smw_ptx_check(const char *text, size_t size, const char *name,
                   void (*report)(void *ctx, const struct smw_err *e), void *ctx)
{
    struct smw_err e = {0};

    struct ptx_module *m = ptx_parse(text, size, name, &e);
    bool ok = m != NULL;

    for (uint32_t i = 0; ok && i < m->n_symbols; i++) {
        if (m->symbols[i].space == ISA_SP_GLOBAL) {
            m->symbols[i].addr = ISA_GLOBAL_BASE; /* any place will do */
        }
    }
    ok = ok && ptx_lower(m, NULL, &e);
    for (uint32_t i = 0; m != NULL && i < ptx_refusals(m); i++) {
        struct smw_err refusal = {0};

        ptx_refusal(m, i, &refusal);
        report(ctx, &refusal);
    }
    if (!ok) {
        report(ctx, &e);
    }
    ok = ok && ptx_refusals(m) == 0;
    ptx_free(m);
    return ok;
}

void smw_disasm(const struct smw_module *m, void (*line)(void *ctx, const char *text),
                void *ctx)
{
    for (uint32_t pc = 0; pc < m->ptx->n_uops; pc++) {
        char inst[256], text[320];

        for (uint32_t k = 0; k < m->ptx->n_kernels; k++) {
            if (m->ptx->kernels[k].entry == pc) {
                struct smw_err e = {0};

                (void)snprintf(text, sizeof(text), "%s:", m->ptx->kernels[k].name);
                line(ctx, text);
                if (!ptx_can_run(m->ptx, &m->ptx->kernels[k], &e)) {
                    (void)snprintf(text, sizeof(text),
                                   "        refused, line %u: %.200s", e.line,
                                   e.message);
                    line(ctx, text);
                }
            }
        }
        ptx_disasm(m->ptx, pc, inst, sizeof(inst));
        (void)snprintf(text, sizeof(text), "%6u  %s", pc, inst);
        line(ctx, text);
    }
}

bool smw_show_order(const struct smw_module *m, const char *kernel,
                    void (*line)(void *ctx, const char *text), void *ctx,
                    struct smw_err *e)
{
    const struct ptx_kernel *k = NULL;

    if (kernel != NULL) {
        k = ptx_find_kernel(m->ptx, kernel, e);
        if (k == NULL) {
            return false;
        }
    }
    for (uint32_t i = 0; i < m->ptx->n_kernels; i++) {
        if (k == NULL || k == &m->ptx->kernels[i]) {
            ptx_show_order(m->ptx, &m->ptx->kernels[i], line, ctx);
        }
    }
    return true;
}
