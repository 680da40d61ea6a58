/*
 * endless.c - a run in which nothing that kernels can see changes any more ends (SPEC
 * HANG-1), and says of its loops what they read and why nobody writes it.
 *
 * From cycle FIRST on, and again EVERY cycles after each look that failed, all SMs are
 * watched. The first value that changes ends the look: for kernels that do something
 * that is at once.
 */
#include "gpu/device_priv.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Looks at prime distance, so that no short loop is met at one place again and again.
 */
enum { FIRST = 1 << 20, EVERY = 1 << 19, LOOKS = 256, STRIDE = 509 };

/* Whoever steps waits, and nobody else can give memory a value or begin a launch. */
static bool is_left_alone(struct smw_device *d)
{
    return d->waits && d->n_resident != 0 && d->functional == NULL &&
           !memory_has_peers(&d->gpu.memory) && d->n_seen_by == 0 &&
           !device_is_moving(d) && device_host_next(d) == SIM_TIME_MAX &&
           link_next(d->link) == SIM_TIME_MAX;
}

sim_cycle_t endless_until(struct smw_device *d)
{
    if (!d->waits) {
        return SIM_CYCLE_NONE;
    }
    if (d->endless.next == 0) {
        d->endless.next = FIRST;
    }
    return d->endless.next;
}

static void end_watch(struct smw_device *d)
{
    for (uint32_t i = 0; i < d->gpu.n_sms && d->endless.watching; i++) {
        sm_spin_end(d->gpu.sm[i]);
    }
    d->endless.watching = d->gpu.memory.watched = false;
}

static void begin_watch(struct smw_device *d)
{
    d->endless.watching = d->gpu.memory.watched = true;
    d->gpu.memory.changed = false;
    d->endless.looks = 0;
    d->endless.settling = false;
    for (uint32_t i = 0; i < d->gpu.n_sms; i++) {
        sm_spin_begin(d->gpu.sm[i]);
    }
}

/* Has anything changed that a kernel could see? */
static bool has_changed(struct smw_device *d)
{
    bool changed = d->gpu.memory.changed;

    for (uint32_t i = 0; i < d->gpu.n_sms; i++) {
        changed |= sm_spin_changed(d->gpu.sm[i]);
    }
    return changed;
}

/* Warps that wait for their cluster go on by themselves: the last has come. */
static bool is_releasing(const struct smw_device *d)
{
    bool any = d->gpu.net != NULL && net_is_meeting(d->gpu.net);

    for (uint32_t i = 0; i < d->gpu.n_sms; i++) {
        any |= sm_spin_released(d->gpu.sm[i]);
    }
    return any;
}

/* All warps were in one state twice, and what they had written by then changed nothing.
 */
static bool all_spin(struct smw_device *d)
{
    bool all = true;

    for (uint32_t i = 0; i < d->gpu.n_sms; i++) {
        all &= sm_spin_all(d->gpu.sm[i]);
    }
    if (!all) {
        d->endless.settling = false;
        return false;
    }
    if (!d->endless.settling) {
        d->endless.settling = true;
        for (uint32_t i = 0; i < d->gpu.n_sms; i++) {
            sm_spin_settle(d->gpu.sm[i]);
        }
        return false;
    }
    for (uint32_t i = 0; i < d->gpu.n_sms; i++) {
        all &= sm_spin_settled(d->gpu.sm[i]);
    }
    return all && !is_releasing(d);
}

/* ---- what loops read ---- */

enum { MAX_GROUPS = 3, SHOWN = 3 };

struct group { /* warps of one launch that read by one instruction */
    struct sm_spin_read example;
    uint32_t warps;
    bool others; /* not all of one address */
};

struct groups {
    struct smw_device *d;
    struct group of[MAX_GROUPS];
    uint32_t n;
    bool split; /* some warps have parted */
    bool host;  /* some of them read pages of the host's, which it may write */
};

static bool is_host_page(const struct smw_device *d, const struct sm_spin_read *r)
{
    const struct memory_range *m =
        r->space == ISA_SP_GLOBAL ? memory_find(&d->gpu.memory, r->addr) : NULL;

    return m != NULL && m->host != NULL && !m->lent;
}

static void add_read(void *ctx, const struct sm_spin_read *r)
{
    struct groups *g = ctx;

    g->split |= r->split;
    g->host |= is_host_page(g->d, r);
    for (uint32_t i = 0; i < g->n; i++) {
        struct group *same = &g->of[i];

        if (same->example.launch == r->launch && same->example.pc == r->pc) {
            same->warps++;
            same->others |= same->example.addr != r->addr;
            same->example.first_pc = r->first_pc < same->example.first_pc
                                         ? r->first_pc
                                         : same->example.first_pc;
            same->example.last_pc =
                r->last_pc > same->example.last_pc ? r->last_pc : same->example.last_pc;
            return;
        }
    }
    if (g->n < MAX_GROUPS) {
        g->of[g->n++] = (struct group){.example = *r, .warps = 1};
    }
}

/* The innermost loop around what a warp was seen at: from a target to a branch there.
 */
static void loop_around(const struct ptx_module *m, const struct sm_spin_read *r,
                        uint32_t *first, uint32_t *last)
{
    *first = r->first_pc;
    *last = r->last_pc;
    for (uint32_t k = r->last_pc, best = UINT32_MAX; k < m->n_uops; k++) {
        const struct isa_uop *u = &m->uops[k];

        if (u->kind == ISA_K_BRANCH && u->target <= r->first_pc &&
            k - u->target < best) {
            best = k - u->target;
            *first = u->target;
            *last = k;
        }
    }
}

/* ---- in words ---- */

struct text {
    char *buf;
    size_t size, n;
};

static ATTR_PRINTF(2, 3) void add(struct text *t, const char *fmt, ...)
{
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(t->buf + t->n, t->size - t->n, fmt, ap);
    va_end(ap);
    t->n = n < 0 ? t->n : t->n + (size_t)n < t->size ? t->n + (size_t)n : t->size - 1;
}

static void add_place(struct text *t, const struct ptx_module *m, uint32_t pc)
{
    char place[SM_PLACE_SIZE];

    sm_place(m, pc, place, sizeof(place));
    add(t, "%s", place);
}

static const char *space_name(const struct sm_spin_read *r)
{
    switch ((enum isa_space)r->space) {
    case ISA_SP_GLOBAL: return "global";
    case ISA_SP_SHARED: return "shared";
    case ISA_SP_CLUSTER: return "the cluster's shared";
    case ISA_SP_LOCAL: return "local";
    case ISA_SP_CONST: return "constant";
    case ISA_SP_TEXTURE: return "texture";
    case ISA_SP_GENERIC:
    case ISA_SP_PARAM:
    case ISA_SP_REG: break;
    }
    return "no";
}

/* What lies at the address now; false: not known. */
static bool value_at(const struct smw_device *d, const struct sm_spin_read *r,
                     uint64_t *value)
{
    const struct memory *m = &d->gpu.memory;

    *value = 0;
    if (r->space == ISA_SP_SHARED) {
        memcpy(value, sm_shared_bytes(d->gpu.sm[r->sm], r->warp) + r->addr, r->size);
        return true;
    }
    if (r->space == ISA_SP_GLOBAL) {
        const uint64_t at = memory_back(m, r->addr);

        memcpy(value, memory_line(m, at & ~(uint64_t)(MEM_LINE - 1)) + at % MEM_LINE,
               r->size);
        return true;
    }
    return false;
}

static bool writer_of(const struct smw_device *d, const struct sm_spin_read *r,
                      struct check_writer *out)
{
    struct check_global *g = d->gpu.shared.check;
    const struct check *c = sm_check(d->gpu.sm[r->sm]);

    if (r->space == ISA_SP_GLOBAL) {
        return g != NULL && check_global_last_write(g, r->addr, out);
    }
    return r->space == ISA_SP_SHARED && c != NULL &&
           check_last_write(c, r->slot, r->addr, out);
}

/* Who wrote it last, as far as the checks follow that. */
static void add_writer(struct text *t, const struct smw_device *d,
                       const struct sm_spin_read *r)
{
    const bool global = r->space == ISA_SP_GLOBAL;
    const enum smw_check needed = global ? SMW_CHECK_GLOBAL : SMW_CHECK_FULL;
    struct check_writer w;

    if (d->opt.check < needed) {
        add(t, "; --check %s says who wrote it last", global ? "global" : "full");
    } else if (!writer_of(d, r, &w)) {
        add(t, "; no thread has written it");
    } else if (w.by.pc == r->pc) {
        add(t, "; atomics of the loop are the last that came to it");
    } else {
        const struct queued *q = &d->launch[w.launch];
        uint32_t thread[3], block[3];

        device_coordinates(w.by.thread, q->args.block, thread);
        device_coordinates(w.by.block, q->args.grid, block);
        add(t, "; last %s by thread (%u,%u,%u) of block (%u,%u,%u) at ",
            (w.by.flags & CHECK_ATOMIC) != 0 ? "accessed atomically" : "written",
            thread[0], thread[1], thread[2], block[0], block[1], block[2]);
        add_place(t, q->kernel->module->ptx, w.by.pc);
        add(t, ", cycle %" PRIu64, w.by.cycle);
    }
}

static void add_name(struct text *t, const struct smw_device *d,
                     const struct sm_spin_read *r)
{
    char name[96];
    uint64_t index;

    device_name_place(d, d->resident[r->launch]->kernel->ptx, r->space == ISA_SP_SHARED,
                      r->addr, r->size, name, sizeof(name), &index);
    if (name[0] != '\0') {
        add(t, "%s[%" PRIu64 "], ", name, index);
    }
    add(t, "%u bytes of %s memory at 0x%" PRIx64, r->size, space_name(r), r->addr);
}

static void describe_group(struct smw_device *d, const struct group *g)
{
    char line[640];
    struct text t = {line, sizeof(line), 0};
    const struct sm_spin_read *r = &g->example;
    const struct ptx_module *m = d->resident[r->launch]->kernel->module->ptx;
    uint32_t first, last;
    uint64_t value;

    loop_around(m, r, &first, &last);
    add(&t, "%u warp%s in the loop at ", g->warps, g->warps == 1 ? "" : "s");
    add_place(&t, m, first);
    if (m->uops[first].src_line == 0 ||
        m->uops[first].src_line != m->uops[last].src_line) {
        add(&t, " to ");
        add_place(&t, m, last);
    }
    add(&t, " (PTX lines %u to %u) read%s ", m->uops[first].line, m->uops[last].line,
        g->warps == 1 ? "s" : "");
    add_name(&t, d, r);
    if (value_at(d, r, &value)) {
        add(&t, ", which holds %" PRIu64, value);
    }
    add(&t, "%s", g->others ? " (others of them other places)" : "");
    add_writer(&t, d, r);
    device_add_line(d, line);
}

/* ---- why nobody writes it ---- */

static bool writes(const struct isa_uop *u, uint8_t space)
{
    const uint8_t its = u->form.space;

    return (u->kind == ISA_K_STORE || u->kind == ISA_K_STORE_ROWS ||
            u->kind == ISA_K_ATOM || u->kind == ISA_K_RED || u->kind == ISA_K_MBAR ||
            u->kind == ISA_K_BULK || u->kind == ISA_K_COPY) &&
           (its == space || its == ISA_SP_GENERIC);
}

static bool begins_function(const struct ptx_module *m, uint32_t pc)
{
    for (uint32_t i = 0; i < m->n_kernels; i++) {
        if (m->kernels[i].entry == pc) {
            return true;
        }
    }
    for (uint32_t i = 0; i < m->n_funcs; i++) {
        if (m->funcs[i].entry == pc) {
            return true;
        }
    }
    return false;
}

/* Is pc in a loop that warps go round in? */
static bool is_inside(const struct groups *g, const struct ptx_module *m, uint32_t pc)
{
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t first, last;

        loop_around(m, &g->of[i].example, &first, &last);
        if (pc >= first && pc <= last) {
            return true;
        }
    }
    return false;
}

/* Where the kernel writes the space that r reads, besides in loops. False: it calls
 * functions, which are not looked at. */
static bool add_stores(struct text *t, const struct groups *g,
                       const struct sm_spin_read *r)
{
    const struct smw_kernel *kernel = g->d->resident[r->launch]->kernel;
    const struct ptx_module *m = kernel->module->ptx;
    const uint32_t entry = kernel->ptx->entry;
    uint32_t n = 0, seen = 0;

    for (uint32_t k = entry; k < m->n_uops && (k == entry || !begins_function(m, k));
         k++) {
        const struct isa_uop *u = &m->uops[k];
        const uint32_t line = u->src_line != 0 ? u->src_line : u->line;

        if (u->kind == ISA_K_CALL) {
            return false;
        }
        if (!writes(u, r->space) || line == seen || is_inside(g, m, k)) {
            continue;
        }
        seen = line;
        if (n++ < SHOWN) {
            add(t, "%s", n == 1 ? " only at " : ", ");
            add_place(t, m, k);
        }
    }
    if (n == 0) {
        add(t, " nowhere");
    } else {
        if (n > SHOWN) {
            add(t, " and %u more places", n - SHOWN);
        }
        add(t, ", where none of these threads comes any more");
    }
    return true;
}

static void say_stores(const struct groups *g, const struct sm_spin_read *r)
{
    char line[512];
    struct text t = {line, sizeof(line), 0};

    if (r->space != ISA_SP_GLOBAL && r->space != ISA_SP_SHARED) {
        return;
    }
    add(&t, "besides in such loops the kernel writes %s memory", space_name(r));
    if (add_stores(&t, g, r)) {
        device_add_line(g->d, line);
    }
}

static void say_blocks(struct smw_device *d, uint32_t i)
{
    const struct dispatch *l = dispatcher_launch(d->gpu.dispatcher, i);
    char line[256];

    if (l->next < l->n_blocks) {
        (void)snprintf(line, sizeof(line),
                       "%" PRIu64 " of %" PRIu64
                       " blocks have not begun: they wait for one of these to end",
                       l->n_blocks - l->next, l->n_blocks);
        device_add_line(d, line);
    }
}

static void say_launches(struct smw_device *d)
{
    uint32_t n = 0;
    char line[128];

    for (uint32_t i = d->n_forgotten; i < d->n_launches; i++) {
        n += d->launch[i].state == LAUNCH_QUEUED;
    }
    if (n != 0) {
        (void)snprintf(line, sizeof(line), "%u more launch%s behind %s", n,
                       n == 1 ? " waits" : "es wait",
                       d->n_resident == 1 ? "this one" : "these");
        device_add_line(d, line);
    }
}

static void say_lock_step(struct smw_device *d, const struct groups *g)
{
    if (d->gpu.rules.cc < 70 && g->split) {
        device_add_line(d, "before compute capability 7.0 lanes of a warp that are not "
                           "in its loop wait for those that are");
    }
}

static void report(struct smw_device *d, const struct groups *g)
{
    for (uint32_t i = 0; i < g->n; i++) {
        describe_group(d, &g->of[i]);
        say_stores(g, &g->of[i].example);
    }
    for (uint32_t i = 0; i < SM_MAX_LAUNCHES; i++) {
        if (d->resident[i] != NULL) {
            say_blocks(d, i);
        }
    }
    say_launches(d);
    say_lock_step(d, g);
}

static bool found(struct smw_device *d)
{
    struct groups g = {.d = d};
    const struct sm_spin_read *r = &g.of[0].example;

    for (uint32_t i = 0; i < d->gpu.n_sms; i++) {
        sm_spin_each(d->gpu.sm[i], add_read, &g);
    }
    if (g.host) {
        return false; /* another thread of the host may yet write it */
    }
    device_endless(d, g.n == 0
                          ? NULL
                          : &(struct device_place){
                                d->resident[r->launch]->kernel->module->ptx, r->pc});
    report(d, &g);
    device_report_waiting(d);
    return true;
}

bool endless_reached(struct smw_device *d)
{
    bool ends = false, changed = !is_left_alone(d);

    if (!changed && !d->endless.watching) {
        begin_watch(d);
    }
    changed = changed || has_changed(d);
    if (!changed) {
        ends = all_spin(d);
    }
    if (!changed && !ends && ++d->endless.looks < LOOKS) {
        d->endless.next += STRIDE;
        return false;
    }
    ends = ends && found(d);
    end_watch(d);
    d->endless.next += EVERY;
    return ends;
}

void endless_free(struct smw_device *d)
{
    end_watch(d);
}
