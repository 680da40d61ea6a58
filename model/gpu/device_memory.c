/* device_memory.c - memory of a device beside reading and writing: freeing, pages of
 * the host's, what is where, memory of other devices. */
#include "gpu/device_priv.h"

#include "base/nomem.h"

#include <string.h>

/* ---- free ---- */

/* Variables live as long as their module. */
static const char *variable_at(const struct smw_device *d, uint64_t addr)
{
    for (const struct smw_module *m = d->modules; m != NULL; m = m->next) {
        for (uint32_t i = 0; i < m->ptx->n_symbols && !m->unloaded; i++) {
            const struct ptx_symbol *s = &m->ptx->symbols[i];

            if (s->space == ISA_SP_GLOBAL
                    ? s->addr == addr
                    : s->space == ISA_SP_CONST && m->const_addr != 0 &&
                          m->const_addr + s->addr == addr) {
                return s->name;
            }
        }
    }
    return NULL;
}

bool device_settle_all(struct smw_device *d, struct smw_err *e)
{
    if (d->fault.kind == SMW_ERR_NONE && !device_settle(d, e)) {
        return false;
    }
    for (uint32_t i = 0; i < d->n_seen_by; i++) {
        struct smw_device *o = d->seen_by[i];

        if (o->fault.kind == SMW_ERR_NONE && !device_settle(o, e)) {
            return false;
        }
    }
    return true;
}

static bool refuse_free(const struct smw_device *d, uint64_t addr, struct smw_err *e)
{
    const struct memory_range *r = memory_find_own(&d->gpu.memory, addr);
    const struct memory_freed *f = memory_freed(&d->gpu.memory, addr);

    if (r != NULL) {
        (void)err_set(e, SMW_ERR_INPUT,
                      "free: 0x%llx is not the begin of a buffer, which is 0x%llx",
                      (unsigned long long)addr, (unsigned long long)r->addr);
    } else if (f != NULL) {
        (void)err_set(e, SMW_ERR_INPUT, "free: the buffer at 0x%llx was freed before",
                      (unsigned long long)addr);
    } else {
        (void)err_set(e, SMW_ERR_INPUT, "free: no buffer begins at 0x%llx",
                      (unsigned long long)addr);
    }
    return err_code(e, SMW_CODE_INVALID_ADDRESS);
}

/* What the SMs remember of allocations may no longer be so. */
static void tell_sms(struct smw_device *d)
{
    for (uint32_t i = 0; i < d->gpu.n_sms; i++) {
        sm_memory_changed(d->gpu.sm[i]);
    }
}

void device_release(struct smw_device *d, uint64_t addr)
{
    const struct memory_range *r = memory_find_own(&d->gpu.memory, addr);

    if (r == NULL) {
        return;
    }
    if (d->gpu.shared.check != NULL) {
        check_global_freed(d->gpu.shared.check, addr, r->bytes);
    }
    (void)memory_release(&d->gpu.memory, addr);
    tell_sms(d);
    for (uint32_t i = 0; i < d->n_seen_by; i++) {
        tell_sms(d->seen_by[i]);
    }
}

struct releasing {
    struct smw_device *d;
    uint64_t addr;
};

static void try_release(void *arg)
{
    const struct releasing *const x = arg;

    device_release(x->d, x->addr);
}

bool smw_free(struct smw_device *d, uint64_t addr, struct smw_err *e)
{
    const struct memory_range *r;
    const char *variable;

    if (!err_given(d, "smw_free: the device", e)) {
        return false;
    }
    r = memory_find_own(&d->gpu.memory, addr);
    variable = r == NULL ? NULL : variable_at(d, addr);
    if (variable != NULL) {
        (void)err_set(e, SMW_ERR_INPUT, "free: 0x%llx is the variable %s of a module",
                      (unsigned long long)addr, variable);
        return err_code(e, SMW_CODE_INVALID_ADDRESS);
    }
    if (r == NULL || r->addr != addr || r->lent) {
        return refuse_free(d, addr, e);
    }
    if (!device_settle_all(d, e)) {
        return false;
    }
    return nomem_try(try_release, &(struct releasing){d, addr}) ||
           device_no_memory(d, e);
}

/* ---- pages of the host's ---- */

bool smw_alloc_host(struct smw_device *d, uint64_t bytes,
                    void *(*place)(void *ctx, uint64_t addr, uint64_t bytes), void *ctx,
                    uint64_t *addr, struct smw_err *e)
{
    uint64_t at;
    void *host;

    if (!err_given(d, "smw_alloc_host: the device", e) ||
        !err_given(addr, "smw_alloc_host: where the address goes", e)) {
        return false;
    }
    if (place == NULL) {
        return err_set(e, SMW_ERR_INPUT, "smw_alloc_host: place(): NULL");
    }
    if (!memory_alloc_host(&d->gpu.memory, bytes, &at, e)) {
        return false;
    }
    host = place(ctx, at, (bytes + MEMORY_PAGE - 1) / MEMORY_PAGE * MEMORY_PAGE);
    if (host == NULL) {
        (void)memory_release(&d->gpu.memory, at);
        return err_set(e, SMW_ERR_NOMEM, "no memory for %llu bytes of the host's",
                       (unsigned long long)bytes);
    }
    memory_lend(&d->gpu.memory, at, host, false);
    *addr = at;
    /* the host may write it at any time */
    return device_written(d, at, bytes, e);
}

/* ---- what is where ---- */

bool smw_find(const struct smw_device *d, uint64_t addr, struct smw_allocation *out)
{
    const struct memory_range *r =
        d == NULL ? NULL : memory_find_own(&d->gpu.memory, addr);

    if (r == NULL) {
        return false;
    }
    if (out != NULL) {
        *out = (struct smw_allocation){.addr = r->addr,
                                       .bytes = r->bytes,
                                       .host = r->lent ? NULL : r->host,
                                       .name = r->name};
    }
    return true;
}

void smw_memory_info(const struct smw_device *d, uint64_t *free_bytes, uint64_t *total)
{
    if (free_bytes != NULL) {
        *free_bytes = d == NULL ? 0 : memory_left(&d->gpu.memory);
    }
    if (total != NULL) {
        *total = d == NULL ? 0 : d->gpu.memory.size;
    }
}

bool device_has(const struct smw_device *d, const char *what, uint64_t addr, uint64_t n,
                struct smw_err *e)
{
    const struct memory_range *r = memory_find(&d->gpu.memory, addr);

    if (r != NULL && n <= r->bytes - (addr - r->addr)) {
        return true;
    }
    if (memory_freed(&d->gpu.memory, addr) != NULL) {
        (void)err_set(e, SMW_ERR_INPUT,
                      "%s: %llu bytes at 0x%llx: the address was freed", what,
                      (unsigned long long)n, (unsigned long long)addr);
    } else {
        (void)err_set(e, SMW_ERR_INPUT,
                      "%s: %llu bytes at 0x%llx are not inside a buffer", what,
                      (unsigned long long)n, (unsigned long long)addr);
    }
    return err_code(e, SMW_CODE_INVALID_ADDRESS);
}

/* ---- where addresses begin ---- */

bool device_place(struct smw_device *d, struct smw_err *e)
{
    const uint64_t base = d->opt.address_base, end = 1ull << 47;

    if (base == 0) {
        return true;
    }
    if (base % MEMORY_PAGE != 0 || base < ISA_GLOBAL_BASE || base > end - MEMORY_SPAN ||
        d->gpu.cfg.dram.size > MEMORY_SPAN / 2) {
        return err_set(e, SMW_ERR_INPUT,
                       "address_base: 0x%llx is no multiple of 64 KiB from 0x%llx to "
                       "0x%llx",
                       (unsigned long long)base, (unsigned long long)ISA_GLOBAL_BASE,
                       (unsigned long long)(end - MEMORY_SPAN));
    }
    memory_set_base(&d->gpu.memory, base);
    return true;
}

/* ---- other devices ---- */

static bool windows_meet(const struct smw_device *a, const struct smw_device *b)
{
    uint64_t x = a->gpu.memory.base, y = b->gpu.memory.base;

    return (x < y ? y - x : x - y) < MEMORY_SPAN;
}

static uint32_t index_of(struct smw_device *const *list, uint32_t n,
                         const struct smw_device *d)
{
    uint32_t i = 0;

    while (i < n && list[i] != d) {
        i++;
    }
    return i;
}

static void take_out(struct smw_device **list, uint32_t *n, const struct smw_device *d)
{
    uint32_t i = index_of(list, *n, d);

    if (i < *n) {
        list[i] = list[--*n];
    }
}

static void part(struct smw_device *d, struct smw_device *peer)
{
    memory_part(&d->gpu.memory, &peer->gpu.memory);
    tell_sms(d);
    take_out(d->sees, &d->n_sees, peer);
    take_out(peer->seen_by, &peer->n_seen_by, d);
}

void device_part_all(struct smw_device *d)
{
    while (d->n_sees > 0) {
        part(d, d->sees[0]);
    }
    while (d->n_seen_by > 0) {
        struct smw_device *o = d->seen_by[0];
        struct smw_err e = {0};

        /* nothing on its way to memory that is no more, whoever asks to stop */
        while (o->fault.kind == SMW_ERR_NONE && !device_settle(o, &e)) {
            err_clear(&e);
        }
        part(o, d);
    }
}

static bool join(struct smw_device *d, struct smw_device *peer, bool host_only,
                 struct smw_err *e)
{
    bool known = index_of(d->sees, d->n_sees, peer) < d->n_sees;

    for (uint32_t i = 0; i <= d->n_sees; i++) {
        const struct smw_device *o = i < d->n_sees ? d->sees[i] : d;

        if (o != peer && windows_meet(o, peer)) {
            (void)err_set(e, SMW_ERR_INPUT,
                          "peer: the memories of two devices have the same addresses");
            err_hint(e, "options.address_base at least 0x%llx apart",
                     (unsigned long long)MEMORY_SPAN);
            return false;
        }
    }
    if (!known &&
        (d->n_sees == MEMORY_MAX_PEERS || peer->n_seen_by == MEMORY_MAX_PEERS)) {
        (void)err_set(e, SMW_ERR_INPUT, "peer: a device has at most %d",
                      (int)MEMORY_MAX_PEERS);
        return err_code(e, SMW_CODE_OUT_OF_RESOURCES);
    }
    (void)memory_join(&d->gpu.memory, &peer->gpu.memory, host_only);
    tell_sms(d); /* fewer than before, if only the host's pages are left */
    if (!known) {
        d->sees[d->n_sees++] = peer;
        peer->seen_by[peer->n_seen_by++] = d;
    }
    return true;
}

static bool set_peer(struct smw_device *d, struct smw_device *peer, bool on,
                     bool host_only, struct smw_err *e)
{
    if (!err_given(d, "peer: the device", e) ||
        !err_given(peer, "peer: the other device", e)) {
        return false;
    }
    if (d == peer) {
        return err_set(e, SMW_ERR_INPUT, "peer: a device is not its own peer");
    }
    if (d->fault.kind == SMW_ERR_NONE && !device_settle(d, e)) {
        return false;
    }
    if (!on) {
        part(d, peer);
        return true;
    }
    return join(d, peer, host_only, e);
}

bool smw_peer(struct smw_device *d, struct smw_device *peer, bool on, struct smw_err *e)
{
    return set_peer(d, peer, on, false, e);
}

bool smw_peer_host(struct smw_device *d, struct smw_device *peer, bool on,
                   struct smw_err *e)
{
    return set_peer(d, peer, on, true, e);
}
