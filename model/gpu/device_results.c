#include "gpu/device_priv.h"

#include "base/nomem.h"
#include "gpu/functional.h"
#include "gpu/observe.h"
#include "sm/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- faults ---- */

static void find_inlined(const struct ptx_module *m, uint32_t pc,
                         struct smw_inlined *out)
{
    const struct ptx_site *s;

    out->n = 0;
    while (out->n < SMW_MAX_INLINED && (s = ptx_inlined(m, pc, out->n)) != NULL) {
        out->at[out->n].file = m->files[s->file];
        out->at[out->n++].line = s->line;
    }
}

static void place_fault(struct smw_device *d, struct device_place at)
{
    struct smw_fault *out = &d->fault;
    const struct isa_uop *u = &at.module->uops[at.pc];

    ptx_disasm(at.module, at.pc, out->inst, sizeof(out->inst));
    out->pc = at.pc;
    out->ptx_file = ptx_text_at(at.module, u->line, &out->ptx_line);
    out->line = u->src_line;
    if (u->src_line != 0 && u->src_file < at.module->n_files) {
        out->file = at.module->files[u->src_file];
        find_inlined(at.module, at.pc, &out->inlined);
    }
}

/* What a host can act on, of the rules of sm/: finding_rules in the program names all.
 */
static enum smw_code code_of(const char *rule)
{
    static const struct {
        const char *rule;
        enum smw_code code;
    } codes[] = {
        {"out-of-bounds", SMW_CODE_ILLEGAL_ADDRESS},
        {"null-pointer", SMW_CODE_ILLEGAL_ADDRESS},
        {"use-after-free", SMW_CODE_ILLEGAL_ADDRESS},
        {"invalid-access", SMW_CODE_ILLEGAL_ADDRESS},
        {"misaligned", SMW_CODE_MISALIGNED},
        {"divergent-barrier", SMW_CODE_ILLEGAL_INSTRUCTION},
        {"invalid-barrier", SMW_CODE_ILLEGAL_INSTRUCTION},
        {"invalid-member-mask", SMW_CODE_ILLEGAL_INSTRUCTION},
        {"invalid-tensor-map", SMW_CODE_ILLEGAL_INSTRUCTION},
        {"assertion", SMW_CODE_ASSERT},
        {"trap", SMW_CODE_TRAP},
    };

    for (uint32_t i = 0; i < ARRAY_LEN(codes); i++) {
        if (strcmp(codes[i].rule, rule) == 0) {
            return codes[i].code;
        }
    }
    return SMW_CODE_LAUNCH_FAILURE; /* "kernel-fault" */
}

static void hear_fault(void *ctx, sim_time_t now, const struct sim_module *from,
                       const void *record)
{
    struct smw_device *d = ctx;
    const struct sm_fault *f = record;
    struct smw_fault *out = &d->fault;

    (void)now;
    if (out->kind != SMW_ERR_NONE) {
        return; /* the first one counts */
    }
    out->kind = SMW_ERR_KERNEL;
    out->code = code_of(f->what.rule);
    (void)snprintf(out->message, sizeof(out->message), "%s", f->text);
    (void)snprintf(out->detail, sizeof(out->detail), "on %s, warp %u, lane %u",
                   from->name, f->warp, f->lane);
    out->kernel = f->kernel->name;
    memcpy(out->block, f->ctaid, sizeof(out->block));
    memcpy(out->thread, f->tid, sizeof(out->thread));
    place_fault(d, (struct device_place){f->module, f->pc});
    out->cycle = f->cycle;
    out->rule = f->what.rule;
    out->space = f->what.space;
    out->addr = f->what.addr;
    out->offset = f->what.offset;
    (void)snprintf(out->array, sizeof(out->array), "%s",
                   f->what.array == NULL ? "" : f->what.array);
    sim_stop(d->gpu.sim);
}

static void add_line(void *ctx, const char *text)
{
    struct smw_fault *f = ctx;
    size_t n = strlen(f->detail);

    (void)snprintf(f->detail + n, sizeof(f->detail) - n, "%s%s", n == 0 ? "" : "\n",
                   text);
}

void device_add_line(struct smw_device *d, const char *text)
{
    add_line(&d->fault, text);
}

void device_report_waiting(struct smw_device *d)
{
    for (uint32_t i = 0; i < d->gpu.n_sms; i++) {
        sm_report_waiting(d->gpu.sm[i], add_line, &d->fault);
    }
    for (uint32_t i = 0; i < SM_MAX_LAUNCHES; i++) {
        if (d->resident[i] != NULL) {
            d->fault.kernel = d->resident[i]->kernel->ptx->name;
        }
    }
    d->fault.cycle = sim_cycle(&d->gpu.sm_clock);
}

static void is_deadlocked(struct smw_device *d, const char *why)
{
    d->fault.kind = SMW_ERR_DEADLOCK;
    d->fault.code = SMW_CODE_DEADLOCK;
    (void)snprintf(d->fault.message, sizeof(d->fault.message), "deadlock: %s", why);
    d->fault.detail[0] = '\0';
}

void device_endless(struct smw_device *d, const struct device_place *at)
{
    is_deadlocked(d, "endless loop: nothing changes any more that a warp could see");
    if (at != NULL) {
        place_fault(d, *at);
    }
}

void device_deadlock(struct smw_device *d)
{
    struct device_place at;

    is_deadlocked(d, "nothing is left to happen and warps are still waiting");
    device_report_waiting(d);
    for (uint32_t i = 0; i < d->gpu.n_sms; i++) {
        if (sm_first_waiting(d->gpu.sm[i], &at.module, &at.pc)) {
            place_fault(d, at);
            break;
        }
    }
}

void device_limit(struct smw_device *d, const char *what)
{
    struct device_place at;

    d->fault.kind = SMW_ERR_LIMIT;
    d->fault.code = SMW_CODE_TIMEOUT;
    (void)snprintf(d->fault.message, sizeof(d->fault.message), "%s", what);
    d->fault.detail[0] = '\0';
    if (hot_report(d, add_line, &d->fault, &at)) {
        place_fault(d, at);
    }
    device_report_waiting(d);
}

void device_cycle_limit(struct smw_device *d)
{
    char text[64];

    (void)snprintf(text, sizeof(text), "the limit of %" PRIu64 " cycles was reached",
                   d->opt.max_cycles);
    device_limit(d, text);
}

struct where {
    char *buf;
    size_t size, n;
};

static void add_where(void *ctx, const char *text)
{
    struct where *w = ctx;

    if (w->n < w->size) {
        w->n += (size_t)snprintf(w->buf + w->n, w->size - w->n, "%s\n", text);
    }
}

void smw_where(struct smw_device *d, char *where, size_t size)
{
    struct where w = {where, size, 0};
    struct device_place at;

    if (d == NULL || where == NULL || size == 0) {
        return;
    }
    where[0] = '\0';
    (void)hot_report(d, add_where, &w, &at);
    for (uint32_t i = 0; i < d->gpu.n_sms; i++) {
        sm_report_waiting(d->gpu.sm[i], add_where, &w);
    }
}

const struct smw_fault *smw_fault(const struct smw_device *d)
{
    return d == NULL ? NULL : &d->fault;
}

/* ---- printf ---- */

static void hear_printf(void *ctx, sim_time_t now, const struct sim_module *from,
                        const void *record)
{
    struct smw_device *d = ctx;
    const struct sm_printf *p = record;
    struct queued *q = d->resident[p->launch];

    (void)now;
    (void)from;
    if (q->n_printed == DEVICE_MAX_PRINTED) {
        q->n_unprinted++;
        return;
    }
    if (q->n_printed == q->max_printed) {
        uint32_t max = q->max_printed == 0 ? 64 : 2 * q->max_printed;
        struct printed *grown = realloc(q->printed, max * sizeof(grown[0]));

        if (grown == NULL) {
            q->n_unprinted++;
            return; /* the line is lost, the run is not */
        }
        q->printed = grown;
        q->max_printed = max;
    }
    q->printed[q->n_printed].p = *p;
    q->printed[q->n_printed].seq = q->n_printed;
    q->n_printed++;
}

static int by_thread(const void *a, const void *b)
{
    const struct printed *x = a, *y = b;

    if (x->p.block != y->p.block) {
        return x->p.block < y->p.block ? -1 : 1;
    }
    if (x->p.thread != y->p.thread) {
        return x->p.thread < y->p.thread ? -1 : 1;
    }
    return x->p.part < y->p.part ? -1 : x->p.part > y->p.part;
}

static void device_string(void *ctx, uint64_t addr, char *buf, size_t size)
{
    const struct smw_device *d = ctx;
    size_t n = 0;

    while (n + 1 < size && memory_find(&d->gpu.memory, addr + n) != NULL) {
        memory_read(&d->gpu.memory, addr + n, buf + n, 1);
        if (buf[n] == '\0') {
            return;
        }
        n++;
    }
    buf[n] = '\0';
}

/* All that was printed so far; what it gave before is replaced. */
static void show_output(struct smw_device *d, struct queued *q)
{
    struct format_source source = {device_string, d};
    size_t size = 0, max = 0;

    if (q->n_printed == 0) {
        return;
    }
    qsort(q->printed, q->n_printed, sizeof(q->printed[0]), by_thread);
    for (uint32_t i = 0; i < q->n_printed; i++) {
        const struct sm_printf *p = &q->printed[i].p;
        char format[1024], text[2048];
        size_t n;

        device_string(d, p->format, format, sizeof(format));
        n = format_text(format, p->args, p->n, &source, text, sizeof(text));
        if (size + n + 1 > max) {
            char *grown;

            max = 2 * (size + n + 1);
            grown = realloc(q->output, max);
            if (grown == NULL) {
                return;
            }
            q->output = grown;
        }
        memcpy(q->output + size, text, n + 1);
        size += n;
        q->output_bytes = size;
    }
}

void device_show_output(struct smw_device *d)
{
    for (uint32_t i = 0; i < SM_MAX_LAUNCHES; i++) {
        if (d->resident[i] != NULL) {
            show_output(d, d->resident[i]);
        }
    }
}

void device_collect_output(struct smw_device *d, struct queued *q)
{
    show_output(d, q);
    free(q->printed);
    q->printed = NULL;
    q->n_printed = q->max_printed = 0;
}

void device_listen(struct smw_device *d)
{
    d->on_fault = (struct sim_listener){.heard = hear_fault, .ctx = d};
    d->on_printf = (struct sim_listener){.heard = hear_printf, .ctx = d};
    sim_listen(&d->gpu.shared.fault, &d->on_fault);
    sim_listen(&d->gpu.shared.printed, &d->on_printf);
}

/* ---- results ---- */

void device_counters(const struct smw_device *d, const struct queued *q,
                     sim_cycle_t end, struct smw_counters *out)
{
    if (q->args.functional) {
        functional_counters(d, out);
    } else {
        gpu_counters(&d->gpu, q->index, out);
        out->cycles = end - q->reached;
    }
    out->blocks_per_sm = q->fit.blocks;
    out->onchip_shared_kb = q->split.shared;
    out->onchip_l1_kb = q->split.l1;
}

void device_places(const struct smw_device *d, struct queued *q)
{
    uint32_t n = q->kernel->module->ptx->n_uops;

    if (d->gpu.shared.places) {
        q->places = nomem_calloc(n, sizeof(q->places[0]));
        gpu_places(&d->gpu, q->index, q->places, n);
    }
}

struct sim_hook *smw_planned(struct smw_device *d)
{
    return &d->gpu.shared.planned;
}

struct sim_hook *smw_staged(struct smw_device *d)
{
    return &d->gpu.shared.staged;
}

struct sim_hook *smw_executed(struct smw_device *d)
{
    return &d->gpu.shared.executed;
}

void smw_watch_stalls(struct smw_device *d)
{
    d->gpu.shared.stalls = true;
    d->gpu.shared.places = true;
}

/* Launch i of those that are told of; NULL: there is none. */
static const struct queued *told(const struct smw_device *d, uint32_t i)
{
    return d != NULL && i < d->n_launches - d->n_forgotten
               ? &d->launch[d->n_forgotten + i]
               : NULL;
}

const struct stalls *smw_stalls(const struct smw_device *d, uint32_t launch,
                                uint32_t *n)
{
    const struct queued *q = told(d, launch);

    *n = q != NULL ? q->kernel->module->ptx->n_uops : 0;
    return q != NULL ? q->places : NULL;
}

uint32_t smw_resident(const struct smw_device *d, uint32_t index)
{
    return (uint32_t)(d->resident[index] - d->launch) - d->n_forgotten;
}

const struct rules_cc *smw_rules(const struct smw_device *d)
{
    return &d->gpu.rules;
}

/* The kernel or function that pc belongs to: the last one that begins before. */
static void find_function(const struct ptx_module *m, uint32_t pc, struct smw_inst *out)
{
    uint32_t entry = 0;

    for (uint32_t i = 0; i < m->n_kernels; i++) {
        if (m->kernels[i].entry <= pc && m->kernels[i].entry >= entry) {
            entry = m->kernels[i].entry;
            out->function = m->kernels[i].name;
        }
    }
    for (uint32_t i = 0; i < m->n_funcs; i++) {
        if (m->funcs[i].entry <= pc && m->funcs[i].entry >= entry) {
            entry = m->funcs[i].entry;
            out->function = m->funcs[i].name;
        }
    }
    out->offset = pc - entry;
}

bool smw_module_inst(const struct smw_module *m, uint32_t pc, struct smw_inst *out)
{
    const struct isa_uop *u;

    if (m == NULL || out == NULL || pc >= m->ptx->n_uops) {
        return false;
    }
    u = &m->ptx->uops[pc];
    memset(out, 0, sizeof(*out));
    ptx_disasm(m->ptx, pc, out->text, sizeof(out->text));
    out->ptx_file = ptx_text_at(m->ptx, u->line, &out->ptx_line);
    if (u->src_line != 0 && u->src_file < m->ptx->n_files) {
        out->file = m->ptx->files[u->src_file];
        out->line = u->src_line;
        find_inlined(m->ptx, pc, &out->inlined);
    }
    find_function(m->ptx, pc, out);
    return true;
}

bool smw_inst(const struct smw_device *d, uint32_t launch, uint32_t pc,
              struct smw_inst *out)
{
    const struct queued *q = told(d, launch);

    return q != NULL && smw_module_inst(q->kernel->module, pc, out);
}

uint32_t smw_results(const struct smw_device *d)
{
    return d == NULL ? 0 : d->n_launches - d->n_forgotten;
}

void smw_forget_results(struct smw_device *d)
{
    if (d != NULL) {
        d->n_forgotten = d->n_launches;
        d->n_findings = 0;
    }
}

bool smw_result(const struct smw_device *d, uint32_t i, struct smw_result *r)
{
    const struct queued *q = told(d, i);

    if (q == NULL || r == NULL) {
        return false;
    }
    memset(r, 0, sizeof(*r));
    r->kernel = q->kernel->ptx->name;
    memcpy(r->grid, q->args.grid, sizeof(r->grid));
    memcpy(r->block, q->args.block, sizeof(r->block));
    r->started = q->state != LAUNCH_QUEUED;
    r->finished = q->state == LAUNCH_FINISHED;
    r->functional = q->args.functional;
    r->counters = q->counters;
    if (q->state == LAUNCH_RESIDENT) {
        device_counters(d, q, sim_cycle((struct sim_clock *)&d->gpu.sm_clock),
                        &r->counters);
    }
    r->limiter = q->fit.limiter;
    r->warps_per_sm = q->fit.blocks * q->need.warps;
    r->max_warps = d->gpu.cfg.sm.sm.max_warps;
    r->regs = q->need.regs;
    r->shared_bytes = q->need.shared_bytes;
    r->split_shared_kb = q->split.shared;
    r->split_l1_kb = q->split.l1;
    r->start_ps = q->start_ps;
    r->end_ps = q->end_ps;
    r->output = q->output != NULL ? q->output : "";
    r->output_bytes = q->output_bytes;
    r->output_lost = q->n_unprinted;
    return true;
}

void smw_progress(const struct smw_device *d, struct smw_progress *p)
{
    if (p == NULL) {
        return;
    }
    memset(p, 0, sizeof(*p));
    if (d == NULL) {
        return;
    }
    p->cycles = sim_cycle((struct sim_clock *)&d->gpu.sm_clock);
    p->activations = gpu_activations(&d->gpu);
    for (uint32_t i = d->n_forgotten; i < d->n_launches; i++) {
        const struct queued *q = &d->launch[i];
        struct smw_counters now = q->counters;

        p->blocks_total +=
            (uint64_t)q->args.grid[0] * q->args.grid[1] * q->args.grid[2];
        if (q->state == LAUNCH_RESIDENT && q->args.functional) {
            functional_counters(d, &now);
            p->blocks_done += functional_done(d);
        } else if (q->state == LAUNCH_RESIDENT) {
            gpu_counters(&d->gpu, q->index, &now);
            p->blocks_done += dispatcher_launch(d->gpu.dispatcher, q->index)->done;
        } else {
            p->blocks_done += now.blocks;
        }
        p->warp_insts += now.warp_insts;
        p->thread_insts += now.thread_insts;
    }
}
