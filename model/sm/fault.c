#include "sm/fault.h"

#include "base/nomem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sm_raise_fault(struct sm *s, uint32_t warp, uint32_t lane,
                    const struct sm_what *what, const char *fmt, ...)
{
    struct warp *w = &s->warps.warp[warp];
    const struct sm_launch *l = &s->shared->launch[w->launch];
    struct sm_fault f;
    va_list ap;

    memset(&f, 0, sizeof(f));
    f.what = *what;
    f.module = l->module;
    f.kernel = l->kernel;
    f.pc = w->pc;
    f.lane = lane;
    f.warp = warp;
    f.launch = w->launch;
    f.cycle = s->warps.now;
    memcpy(f.ctaid, w->env.ctaid, sizeof(f.ctaid));
    for (uint32_t d = 0; d < 3; d++) {
        f.tid[d] = w->env.tid[d][lane];
    }
    va_start(ap, fmt);
    (void)vsnprintf(f.text, sizeof(f.text), fmt, ap);
    va_end(ap);
    w->hold |= HOLD_FAULT;
    sm_raise(s, &s->shared->fault, &f, sizeof(f));
}

/* ---- words ---- */

static const char *op_name(const struct mem_req *r)
{
    static const char *const names[] = {"load", "store", "atomic", "reduction"};

    return names[r->op];
}

static const char *space_name(uint32_t space)
{
    switch ((enum isa_space)space) {
    case ISA_SP_CLUSTER:
    case ISA_SP_SHARED: return "shared";
    case ISA_SP_LOCAL: return "local";
    case ISA_SP_CONST: return "constant";
    case ISA_SP_GLOBAL: return "global";
    case ISA_SP_GENERIC:
    case ISA_SP_PARAM:
    case ISA_SP_REG:
    case ISA_SP_TEXTURE: break;
    }
    return "parameter";
}

/* ---- memory (SPEC FAULT-1..3) ---- */

/* SPEC ADDR-2: was the address in an allocation that is no more? */
static bool fault_freed(struct sm *s, uint32_t i, const struct mem_req *r,
                        uint32_t lane)
{
    const uint64_t addr = r->addr[lane];
    const struct memory_freed *f = memory_freed(s->shared->memory, addr);
    struct sm_what what = {.rule = "use-after-free", .space = "global", .addr = addr};

    if (f == NULL) {
        return false;
    }
    what.array = f->name;
    what.offset = (int64_t)(addr - f->addr);
    sm_raise_fault(s, i, lane, &what,
                   "global %s of %u bytes at 0x%llx: the address was freed, it is %llu "
                   "bytes into what was the buffer%s%s of %llu bytes at 0x%llx",
                   op_name(r), (uint32_t)r->size * r->vec, (unsigned long long)addr,
                   (unsigned long long)what.offset, f->name[0] == '\0' ? "" : " ",
                   f->name, (unsigned long long)f->bytes, (unsigned long long)f->addr);
    return true;
}

static void fault_global(struct sm *s, uint32_t i, const struct mem_req *r,
                         uint32_t lane)
{
    uint32_t bytes = (uint32_t)r->size * r->vec;
    uint64_t addr = r->addr[lane];
    const struct memory_range *n = memory_nearest(s->shared->memory, addr);
    struct sm_what what = {.rule = "out-of-bounds", .space = "global", .addr = addr};
    uint64_t far;
    const char *how;

    if (addr < ISA_WINDOW_SIZE) {
        what.rule = "null-pointer";
        sm_raise_fault(s, i, lane, &what,
                       "global %s of %u bytes at 0x%llx: a null pointer", op_name(r),
                       bytes, (unsigned long long)addr);
        return;
    }
    if (fault_freed(s, i, r, lane)) {
        return;
    }
    if (n == NULL) {
        sm_raise_fault(s, i, lane, &what,
                       "global %s of %u bytes at 0x%llx: nothing is allocated",
                       op_name(r), bytes, (unsigned long long)addr);
        return;
    }
    what.array = n->name;
    what.offset = (int64_t)(addr - n->addr);
    if (addr < n->addr) {
        far = n->addr - addr;
        how = "before the begin";
    } else if (addr - n->addr < n->bytes) {
        far = bytes - (n->bytes - (addr - n->addr));
        how = "too long for the end";
    } else {
        far = addr - n->addr - n->bytes;
        how = "past the end";
    }
    sm_raise_fault(s, i, lane, &what,
                   "global %s of %u bytes at 0x%llx: out of bounds, %llu bytes %s of "
                   "the nearest buffer%s%s of %llu bytes at 0x%llx",
                   op_name(r), bytes, (unsigned long long)addr, (unsigned long long)far,
                   how, n->name[0] == '\0' ? "" : " ", n->name,
                   (unsigned long long)n->bytes, (unsigned long long)n->addr);
}

/* The array of the kernel that ends nearest before addr: the last one that begins no
 * later. NULL: it has none. */
static const struct ptx_shared_var *nearest_array(const struct ptx_kernel *k,
                                                  uint64_t addr)
{
    const struct ptx_shared_var *best = NULL;

    for (uint32_t v = 0; v < k->n_shared; v++) {
        const struct ptx_shared_var *a = &k->shared[v];

        if (a->offset <= addr && (best == NULL || a->offset >= best->offset)) {
            best = a;
        }
    }
    return best;
}

/* "_ZZ13staticReverseE1s" -> "s": the last name of a mangled one is as long as the
 * number before it says. */
static const char *plain_name(const char *name)
{
    size_t n = strlen(name);

    for (size_t i = n; strncmp(name, "_Z", 2) == 0 && i > 1; i--) {
        if (name[i - 1] >= '1' && name[i - 1] <= '9' &&
            strtoul(name + i - 1, NULL, 10) < n) {
            char *end;

            if (strtoul(name + i - 1, &end, 10) == strlen(end)) {
                return end;
            }
        }
    }
    return name;
}

static void fault_shared(struct sm *s, uint32_t i, const struct mem_req *r,
                         uint32_t lane)
{
    uint32_t bytes = (uint32_t)r->size * r->vec;
    const struct sm_launch *l = &s->shared->launch[r->launch];
    uint64_t addr = r->addr[lane];
    bool known = r->uop->target != 0;
    const struct ptx_shared_var *v =
        known ? &l->kernel->shared[r->uop->target - 1] : nearest_array(l->kernel, addr);
    struct sm_what what = {.rule = "out-of-bounds", .space = "shared", .addr = addr};
    char where[256] = "", in[128] = "";

    if (v != NULL) {
        const uint64_t rest =
            v->offset < l->shared_bytes ? l->shared_bytes - v->offset : 0;
        const uint64_t size = v->size != 0 ? v->size : rest;
        uint32_t each = isa_type_bits(v->type) / 8;

        each = each <= 1 ? r->size : each; /* compilers declare arrays as bytes */
        what.array = plain_name(v->name);
        /* 32-bit sums wrap: what is before the first array is far behind the last */
        what.offset = (int64_t)(int32_t)addr - v->offset;
        (void)snprintf(where, sizeof(where),
                       "; %.80s[%lld] of %llu elements of %u bytes%s", what.array,
                       (long long)(what.offset < 0 ? what.offset - (int64_t)each + 1
                                                   : what.offset) /
                           each,
                       (unsigned long long)(size / each), each,
                       v->size != 0 ? "" : " (dynamic)");
    }
    if (known && addr < l->shared_bytes && nearest_array(l->kernel, addr) != v) {
        (void)snprintf(in, sizeof(in), ", which is in %.80s",
                       plain_name(nearest_array(l->kernel, addr)->name));
    }
    sm_raise_fault(s, i, lane, &what,
                   "shared %s of %u bytes at offset 0x%llx: out of bounds, there are "
                   "%u bytes%s%s",
                   op_name(r), bytes, (unsigned long long)addr, l->shared_bytes, where,
                   in);
}

/* SPEC CLUSTER-2: an address of a rank that the cluster does not have. */
static void fault_rank(struct sm *s, uint32_t i, const struct mem_req *r, uint32_t lane)
{
    const struct isa_cluster *const c = &s->warps.warp[i].env.cluster;
    const struct sm_what what = {.rule = "invalid-access",
                                 .space = "shared",
                                 .addr = r->addr[lane]};

    sm_raise_fault(
        s, i, lane, &what,
        "shared %s of %u bytes in block %u of its cluster: the cluster has %u "
        "block%s",
        op_name(r), (uint32_t)r->size * r->vec, isa_rank_of(r->addr[lane], c->rank),
        c->size, c->size == 1 ? "" : "s");
}

/* Plain shared memory has no ranks: there it is far out of bounds. */
static bool is_of_rank(const struct sm *s, uint32_t i, const struct mem_req *r,
                       uint64_t addr)
{
    return s->warps.warp[i].env.cluster.size != 0 &&
           r->uop->form.space == ISA_SP_GENERIC && addr >> ISA_RANK_SHIFT != 0 &&
           addr >> ISA_RANK_SHIFT <= ISA_MAX_CLUSTER;
}

void fault_bounds(struct sm *s, uint32_t i, const struct mem_req *r, uint32_t lane,
                  uint64_t limit)
{
    const struct sm_what what = {.rule = "out-of-bounds",
                                 .space = space_name(r->space),
                                 .addr = r->addr[lane]};

    if (r->space == ISA_SP_GLOBAL) {
        fault_global(s, i, r, lane);
    } else if (r->space == ISA_SP_SHARED && is_of_rank(s, i, r, r->addr[lane])) {
        fault_rank(s, i, r, lane);
    } else if (r->space == ISA_SP_SHARED) {
        fault_shared(s, i, r, lane);
    } else {
        sm_raise_fault(s, i, lane, &what,
                       "%s %s of %u bytes at offset 0x%llx: out of bounds, there are "
                       "%llu bytes",
                       space_name(r->space), op_name(r), (uint32_t)r->size * r->vec,
                       (unsigned long long)r->addr[lane], (unsigned long long)limit);
    }
}

void fault_misaligned(struct sm *s, uint32_t i, const struct mem_req *r, uint32_t lane)
{
    uint32_t bytes = (uint32_t)r->size * r->vec;
    uint64_t a = r->addr[lane];
    struct sm_what what = {.rule = "misaligned",
                           .space = space_name(r->space),
                           .addr = a};
    const struct memory_range *n =
        r->space == ISA_SP_GLOBAL ? memory_find(s->shared->memory, a) : NULL;

    if (n != NULL) {
        what.array = n->name;
        what.offset = (int64_t)(a - n->addr);
    }
    sm_raise_fault(s, i, lane, &what,
                   "%s %s of %u bytes at 0x%llx: misaligned address, not a multiple of "
                   "%u",
                   space_name(r->space), op_name(r), bytes, (unsigned long long)a,
                   bytes);
}

void fault_invalid(struct sm *s, uint32_t i, const struct mem_req *r, uint32_t lane,
                   const char *why)
{
    const struct sm_what what = {.rule = "invalid-access",
                                 .space = space_name(r->space),
                                 .addr = r->addr[lane]};

    sm_raise_fault(s, i, lane, &what, "%s %s of %u bytes at offset 0x%llx: %s",
                   space_name(r->space), op_name(r), (uint32_t)r->size * r->vec,
                   (unsigned long long)r->addr[lane], why);
}

void fault_away(struct sm *s, uint32_t i, const struct mem_req *r)
{
    const struct isa_cluster *const c = &s->warps.warp[i].env.cluster;
    const uint32_t lane = attr_lowest_bit(r->mask);
    const struct sm_what what = {.rule = "invalid-access",
                                 .space = "shared",
                                 .addr = r->addr[lane]};

    s->warps.warp[i].pc = r->pc; /* it has gone on */
    sm_raise_fault(s, i, lane, &what,
                   "shared %s of %u bytes at offset 0x%llx of block %llu of the grid, "
                   "in its cluster of %u: that block has ended, or has not begun",
                   op_name(r), (uint32_t)r->size * r->vec,
                   (unsigned long long)r->addr[lane], (unsigned long long)r->away.block,
                   c->size);
}

/* ---- barriers ---- */

/* Does pc lead to the end of the kernel, without doing anything before? */
static bool is_end(const struct ptx_module *m, uint32_t pc)
{
    for (uint32_t n = 0; n < m->n_uops && pc < m->n_uops; n++) {
        const struct isa_uop *u = &m->uops[pc];

        if (u->guard != ISA_P_TRUE) {
            return false;
        }
        if (u->kind == ISA_K_EXIT) {
            return true;
        }
        if (u->kind != ISA_K_NOP && u->kind != ISA_K_BRANCH) {
            return false;
        }
        pc = u->kind == ISA_K_NOP ? pc + 1 : u->target;
    }
    return false;
}

/* Could a lane at pc come to a barrier before the kernel ends? Calls are not looked
 * into. */
static bool meets_barrier(const struct ptx_module *m, uint32_t from)
{
    uint32_t *const todo = nomem_calloc(2ull * m->n_uops + 1, sizeof(*todo)), n = 1;
    uint32_t *const seen = todo + m->n_uops + 1;
    bool found = false;

    todo[0] = from;
    while (n > 0 && !found) {
        uint32_t pc = todo[--n];
        const struct isa_uop *u = &m->uops[pc];
        bool ends =
            u->guard == ISA_P_TRUE && (u->kind == ISA_K_EXIT || u->kind == ISA_K_RET ||
                                       u->kind == ISA_K_BRANCH || u->kind == ISA_K_BRX);
        uint32_t n_next = u->kind == ISA_K_BRX ? u->n_targets : u->kind == ISA_K_BRANCH;

        found = u->kind == ISA_K_BAR;
        for (uint32_t k = 0; k < n_next; k++) {
            uint32_t to = u->kind == ISA_K_BRX ? m->targets[u->target + k] : u->target;

            if (seen[to] == 0) {
                seen[to] = 1;
                todo[n++] = to;
            }
        }
        if (!ends && pc + 1 < m->n_uops && seen[pc + 1] == 0) {
            seen[pc + 1] = 1;
            todo[n++] = pc + 1;
        }
    }
    free(todo);
    return found;
}

uint32_t fault_leaving(const struct sm *s, uint32_t i, uint32_t away, uint32_t here)
{
    const struct warp *w = &s->warps.warp[i];
    const struct ptx_module *m = s->shared->launch[w->launch].module;
    uint32_t leaving = 0;

    away &= ~w->active;
    for (uint32_t k = w->simt.n; k > 0 && away != 0; k--) {
        const struct simt_entry *e = &w->simt.e[k - 1];
        bool apart = (e->mask & here) == 0; /* a side that has not run yet */
        bool ends = apart ? (e->reconv == ISA_NO_PC || is_end(m, e->reconv)) &&
                                !meets_barrier(m, e->pc)
                          : is_end(m, e->pc);

        leaving |= ends ? e->mask & away : 0;
        away &= ~e->mask;
    }
    return leaving;
}

void fault_divergent(struct sm *s, uint32_t i, uint32_t mask, uint32_t id)
{
    const struct warp *w = &s->warps.warp[i];
    uint32_t away = w->live & ~mask & ~fault_leaving(s, i, w->live & ~mask, mask);
    char here[160], there[160], where[SM_PLACE_SIZE];

    sm_lanes_text(mask, here, sizeof(here));
    sm_lanes_text(away, there, sizeof(there));
    sm_place(s->shared->launch[w->launch].module,
             warp_lane_pc(w, (uint32_t)__builtin_ctz(away)), where, sizeof(where));
    sm_raise_fault(s, i, (uint32_t)__builtin_ctz(mask), SM_RULE("divergent-barrier"),
                   "divergent barrier %u in warp %u of the block: lanes %s are there, "
                   "lanes %s are not (at %s)",
                   id, w->thread0 / ISA_LANES, here, there, where);
}

static void threads_text(uint32_t threads, char *buf, size_t size)
{
    if (threads == 0) {
        (void)snprintf(buf, size, "all threads");
    } else {
        (void)snprintf(buf, size, "%u threads", threads);
    }
}

/* Others came to b before, elsewhere or for another number of threads. */
static void fault_others(struct sm *s, uint32_t i, uint32_t lane,
                         struct barrier_call call, enum barrier_refusal why)
{
    const struct warp *w = &s->warps.warp[i];
    const struct ptx_module *m = s->shared->launch[w->launch].module;
    const struct barrier *b = &s->block[w->slot].barrier[call.id];
    uint32_t first = s->warps.warp[b->first].thread0 / ISA_LANES;
    char there[SM_PLACE_SIZE], here[24], other[24];

    sm_place(m, (uint32_t)(b->uop - m->uops), there, sizeof(there));
    if (why == BARRIER_APART) {
        sm_raise_fault(s, i, lane, SM_RULE("divergent-barrier"),
                       "divergent barrier %u in the block: warp %u is here, where warp "
                       "%u came to it at %s",
                       call.id, w->thread0 / ISA_LANES, first, there);
        return;
    }
    threads_text(call.threads, here, sizeof(here));
    threads_text(b->expected * ISA_LANES, other, sizeof(other));
    sm_raise_fault(s, i, lane, SM_RULE("invalid-barrier"),
                   "barrier %u for %s: warp %u came to it for %s (at %s)", call.id,
                   here, first, other, there);
}

void fault_barrier(struct sm *s, uint32_t i, uint32_t mask, struct barrier_call call,
                   enum barrier_refusal why)
{
    uint32_t lane = attr_lowest_bit(mask);

    switch (why) {
    case BARRIER_FINE: break;
    case BARRIER_NONE:
        sm_raise_fault(s, i, lane, SM_RULE("invalid-barrier"),
                       "barrier %u: a block has %u", call.id, (uint32_t)BARRIERS);
        break;
    case BARRIER_ODD:
        sm_raise_fault(s, i, lane, SM_RULE("invalid-barrier"),
                       "barrier %u for %u threads: not a multiple of %u", call.id,
                       call.threads, (uint32_t)ISA_LANES);
        break;
    case BARRIER_COUNT:
    case BARRIER_APART: fault_others(s, i, lane, call, why); break;
    }
}

/* ---- member masks (SPEC FAULT-4) ---- */

uint32_t fault_member_mask(const struct isa_uop *u, const struct isa_lanes *lanes,
                           uint32_t l)
{
    return warp_operand(lanes, u->src[u->n_src - 1])[l];
}

uint32_t fault_outside(const struct sm *s, const struct warp *w,
                       const struct isa_uop *u, uint32_t mask)
{
    uint32_t outside = 0;

    if ((u->aside & ISA_ASIDE_MEMBERS) == 0 || s->shared->rules->cc < 70) {
        return 0;
    }
    for (uint32_t m = mask; m != 0; m &= m - 1) {
        const uint32_t l = attr_lowest_bit(m);

        outside |= (~fault_member_mask(u, &w->lanes, l) >> l & 1u) << l;
    }
    return outside;
}

bool fault_members(struct sm *s, uint32_t i, uint32_t mask)
{
    const struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    const uint32_t outside = fault_outside(s, w, u, mask);
    char lanes[160];

    if (outside == 0) {
        return false;
    }
    sm_lanes_text(outside, lanes, sizeof(lanes));
    sm_raise_fault(s, i, attr_lowest_bit(outside), SM_RULE("invalid-member-mask"),
                   "%s of lanes that are not in their own member mask: %s %s, of "
                   "which the first gives 0x%08x",
                   isa_op_name((enum isa_op)u->form.op),
                   (outside & (outside - 1)) == 0 ? "lane" : "lanes", lanes,
                   fault_member_mask(u, &w->lanes, attr_lowest_bit(outside)));
    return true;
}
