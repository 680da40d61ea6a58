/* device_code.c - what a module holds: its kernels and variables, what a kernel needs,
 * how many of its blocks an SM has; unloading. */
#include "gpu/device_priv.h"

#include <stdlib.h>
#include <string.h>

/* ---- variables ---- */

/* The constant bank of a module gets an address of device memory when somebody asks for
 * one of its variables: its bytes are then the bank itself. */
static bool place_constants(struct smw_module *m, struct smw_err *e)
{
    struct memory *memory = &m->device->gpu.memory;
    uint64_t at;

    if (m->const_addr != 0) {
        return true;
    }
    if (!memory_alloc_host(memory, m->ptx->const_bytes, &at, e)) {
        return false;
    }
    memory_lend(memory, at, m->const_image, true);
    memory_name(memory, at, "constant memory");
    m->const_addr = at;
    return device_written(m->device, at, m->ptx->const_bytes, e);
}

bool smw_symbol_address(const struct smw_module *m, const char *symbol, uint64_t *addr,
                        uint64_t *bytes, struct smw_err *e)
{
    const struct ptx_symbol *s;

    if (!err_given(m, "smw_symbol_address: the module", e)) {
        return false;
    }
    s = device_symbol(m, symbol, e);
    if (s == NULL || (s->space == ISA_SP_CONST &&
                      !place_constants((struct smw_module *)(uintptr_t)m, e))) {
        return false;
    }
    if (addr != NULL) {
        *addr = s->space == ISA_SP_CONST ? m->const_addr + s->addr : s->addr;
    }
    if (bytes != NULL) {
        *bytes = s->size;
    }
    return true;
}

uint32_t smw_symbols(const struct smw_module *m)
{
    uint32_t n = 0;

    while (smw_symbol_at(m, n, NULL)) {
        n++;
    }
    return n;
}

bool smw_symbol_at(const struct smw_module *m, uint32_t i, const char **name)
{
    for (uint32_t k = 0; m != NULL && k < m->ptx->n_symbols; k++) {
        if (m->ptx->symbols[k].space != ISA_SP_SHARED && i-- == 0) {
            if (name != NULL) {
                *name = m->ptx->symbols[k].name;
            }
            return true;
        }
    }
    return false;
}

/* ---- kernels ---- */

uint32_t smw_kernels(const struct smw_module *m)
{
    return m == NULL ? 0 : m->ptx->n_kernels;
}

const struct smw_kernel *smw_kernel_at(const struct smw_module *m, uint32_t i)
{
    return m == NULL || i >= m->ptx->n_kernels ? NULL : &m->kernels[i];
}

/* Threads of a block that the kernel's directives allow, else the device's limit. */
static uint32_t max_threads(const struct rules_cc *r, const struct ptx_kernel *k)
{
    uint64_t said = launch_bound(k->reqntid[0] != 0 ? k->reqntid : k->maxntid);
    uint32_t n = said != 0 && said < r->max_threads ? (uint32_t)said : r->max_threads;

    while (n > ISA_LANES) { /* fewer, if the registers are too many */
        const struct launch_need need = {.warps = (n + ISA_LANES - 1) / ISA_LANES,
                                         .regs = launch_regs(r, k, 0)};

        if (launch_occupancy(r, 1, need.warps, 0, &need).by_regs != 0) {
            break;
        }
        n = (need.warps - 1) * ISA_LANES;
    }
    return n;
}

void smw_kernel_facts(const struct smw_kernel *k, struct smw_kernel_facts *f)
{
    const struct rules_cc *r;
    uint32_t most, base;

    if (f == NULL) {
        return;
    }
    memset(f, 0, sizeof(*f));
    if (k == NULL) {
        return;
    }
    r = &k->module->device->gpu.rules;
    base = launch_shared_base(r, k->ptx) + k->ptx->shared_bytes;
    most = r->max_shared_static > base ? r->max_shared_static - base : 0;
    *f = (struct smw_kernel_facts){
        .regs = launch_regs(r, k->ptx, 0),
        .max_threads = max_threads(r, k->ptx),
        .static_shared = k->ptx->shared_bytes,
        .local_per_thread = k->ptx->local_bytes,
        .const_bytes = k->module->ptx->const_bytes,
        .param_bytes = k->ptx->param_bytes,
        .max_dynamic_shared = most,
        .ptx_version = k->module->ptx->version,
        .target = k->module->ptx->target_sm,
        .cluster = {k->ptx->cluster[0], k->ptx->cluster[1], k->ptx->cluster[2]},
        .explicit_cluster = k->ptx->explicit_cluster,
        .max_cluster = k->ptx->max_cluster,
    };
}

/* ---- unloading ---- */

static bool is_needed(const struct smw_module *m)
{
    const struct smw_device *d = m->device;

    for (uint32_t i = 0; i < d->n_launches; i++) {
        if (d->launch[i].kernel->module == m) {
            return true;
        }
    }
    return d->fault.kind != SMW_ERR_NONE;
}

void smw_unload(struct smw_module *m)
{
    struct smw_err e = {0};
    struct smw_device *d;

    if (m == NULL || m->unloaded) {
        return;
    }
    d = m->device;
    if (!device_settle_all(d, &e) && d->fault.kind == SMW_ERR_NONE) {
        return; /* stopped half way; a fault is told by the next call */
    }
    for (uint32_t i = 0; i < m->ptx->n_symbols; i++) {
        const struct ptx_symbol *s = &m->ptx->symbols[i];

        if (s->space == ISA_SP_GLOBAL) {
            device_release(d, s->addr);
        }
    }
    if (m->const_addr != 0) {
        device_release(d, m->const_addr);
    }
    m->unloaded = true;
    if (is_needed(m)) { /* results speak of it until the device is closed */
        return;
    }
    for (struct smw_module **p = &d->modules; *p != NULL; p = &(*p)->next) {
        if (*p == m) {
            *p = m->next;
            break;
        }
    }
    device_free_module(m);
}
