#include "sm/printf.h"

#include "sm/access.h"
#include "sm/fault.h"

#include <string.h>

void printf_print(struct sm *s, uint32_t i, uint32_t mask, const struct syscall_args *a)
{
    struct warp *w = &s->warps.warp[i];
    struct sm_printf p;

    memset(&p, 0, sizeof(p));
    p.module = s->shared->launch[w->launch].module;
    p.launch = w->launch;
    p.block = s->block[w->slot].txn->index;
    p.part = w->n_printf++;
    p.n = w->call->bytes;
    for (uint32_t m = mask; m != 0; m &= m - 1) {
        uint32_t lane = attr_lowest_bit(m);

        p.thread = w->thread0 + lane;
        p.format = syscall_param(a, 0, lane);
        memcpy(p.args, w->call->args[lane], sizeof(p.args));
        sm_raise(s, &s->shared->printed, &p, sizeof(p));
    }
    syscall_return(w->call, a, mask);
}

bool printf_args(struct sm *s, uint32_t i, uint32_t mask, const struct syscall_args *a,
                 struct mem_req *r)
{
    access_describe(s, i, r);
    r->mask = mask;
    r->space = ISA_SP_LOCAL;
    r->size = 4;
    r->vec = 1;
    r->words = 1;
    r->bypass_l1 = false;
    r->read_only = false;
    syscall_next(s->warps.warp[i].call, a, r->addr);
    if (!access_is_inside(s, i, r)) {
        return false;
    }
    access_count(s, r);
    return true;
}

bool printf_begin(struct sm *s, uint32_t i, uint32_t mask, const struct syscall_args *a)
{
    struct warp *w = &s->warps.warp[i];
    uint32_t lane;

    if (w->call == NULL) {
        w->call = syscall_new();
    }
    if (!syscall_has_begun(w->call) &&
        !syscall_measure(w->call, s->shared->memory, a, mask, &lane)) {
        sm_raise_fault(s, i, lane, SM_RULE("invalid-access"),
                       "printf: the format is at 0x%llx, where nothing is",
                       (unsigned long long)syscall_param(a, 0, lane));
        return false;
    }
    return true;
}

struct syscall_args printf_call(const struct sm *s, uint32_t i)
{
    const struct warp *w = &s->warps.warp[i];
    const struct ptx_module *m = s->shared->launch[w->launch].module;

    return syscall_args(w->head, &w->lanes, m->address_size == 64);
}

/* The next 4 bytes of the arguments, of all lanes: a load of local memory. */
static void fetch_args(struct sm *s, uint32_t i, uint32_t mask,
                       const struct syscall_args *a)
{
    struct warp *w = &s->warps.warp[i];
    struct mem_req *r = sim_pool_take(&s->reqs);

    if (!printf_args(s, i, mask, a, r)) {
        sim_pool_give(r);
        return;
    }
    access_send(s, i, r);
    w->hold |= HOLD_SYSCALL;
    w->replay = mask;
}

bool printf_issue(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    const struct syscall_args a = printf_call(s, i);

    if (w->outstanding != 0) { /* stores of arguments, or the last request */
        w->hold |= HOLD_SYSCALL;
        w->replay = mask;
        return false;
    }
    if (!printf_begin(s, i, mask, &a)) {
        return false;
    }
    if (syscall_has_all(w->call)) {
        printf_print(s, i, mask, &a);
        return true;
    }
    fetch_args(s, i, mask, &a);
    return false;
}
