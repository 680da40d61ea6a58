#include "gpu/clusters.h"

#include "base/nomem.h"
#include "gpu/functional.h"

#include <stdlib.h>
#include <string.h>

/* ---- queueing ---- */

static bool check_cache_config(enum smw_cache_config c, struct smw_err *e)
{
    return (c >= SMW_CACHE_NONE && c <= SMW_CACHE_EQUAL) ||
           err_set(e, SMW_ERR_INPUT, "cache_config: there is no preference %d", (int)c);
}

bool smw_device_cache_config(struct smw_device *d, enum smw_cache_config c,
                             struct smw_err *e)
{
    if (!err_given(d, "smw_device_cache_config: the device", e) ||
        !check_cache_config(c, e)) {
        return false;
    }
    d->cache_config = c;
    return true;
}

static bool check_bank_mode(const struct smw_device *d, uint32_t bytes,
                            struct smw_err *e)
{
    const struct rules_cc *r = &d->gpu.rules;

    if (bytes == 0 || bytes == 4 || (bytes == 8 && r->bank_bytes == 8) ||
        (bytes == 8 && d->gpu.cfg.gpu.what_if)) {
        return true;
    }
    if (bytes != 8) {
        return err_set(e, SMW_ERR_INPUT, "bank_mode: %u bytes; a bank word has 4 or 8",
                       bytes);
    }
    (void)err_set(e, SMW_ERR_INPUT,
                  "bank_mode: compute capability %u.%u has 4-byte banks only",
                  r->cc / 10, r->cc % 10);
    err_hint(e, "8-byte banks: 3.0 to 3.7, or gpu.what_if=true");
    return err_code(e, SMW_CODE_NOT_SUPPORTED);
}

bool smw_device_bank_mode(struct smw_device *d, uint32_t bytes, struct smw_err *e)
{
    if (!err_given(d, "smw_device_bank_mode: the device", e) ||
        !check_bank_mode(d, bytes, e)) {
        return false;
    }
    d->bank_mode = bytes == 0 ? d->gpu.cfg.sm.smem.bank_mode : bytes;
    return true;
}

/* What if an earlier device had an instruction? The model can tell. */
static bool check_code(const struct smw_device *d, const struct smw_kernel *k,
                       struct smw_err *e)
{
    return d->gpu.cfg.gpu.what_if ||
           launch_check_code(&d->gpu.rules, k->module->ptx, k->ptx, e);
}

/* What this capability does not offer. */
static bool check_options(struct smw_device *d, const struct smw_launch *l,
                          struct smw_err *e)
{
    const struct rules_cc *r = &d->gpu.rules;

    if (l->has_carveout && !r->carveout) {
        (void)err_set(e, SMW_ERR_INPUT,
                      "carveout: compute capability %u.%u has none (7.0 and "
                      "later do)",
                      r->cc / 10, r->cc % 10);
        return err_code(e, SMW_CODE_NOT_SUPPORTED);
    }
    if (l->has_carveout && l->carveout > 100) {
        (void)err_set(e, SMW_ERR_INPUT, "carveout: %u percent of the shared memory",
                      l->carveout);
        return launch_refuse(r, LAUNCH_INVALID_VALUE, e);
    }
    if (l->opt_in_shared && r->max_shared_opt_in == r->max_shared_static) {
        (void)err_set(e, SMW_ERR_INPUT,
                      "opt_in_shared: compute capability %u.%u has no opt-in "
                      "(7.0 and later do)",
                      r->cc / 10, r->cc % 10);
        return err_code(e, SMW_CODE_NOT_SUPPORTED);
    }
    return check_cache_config(l->cache_config, e) &&
           check_bank_mode(d, l->bank_mode, e);
}

static void choose_split(struct smw_device *d, struct queued *q, struct rules_split now)
{
    struct split_wish w = {
        .kernel = q->args.cache_config,
        .device = d->cache_config,
        .carveout = q->args.has_carveout ? (int32_t)q->args.carveout : -1,
        .start = d->gpu.start,
        .automatic = gpu_config_chooses_split(&d->gpu.cfg),
        .what_if = d->gpu.cfg.gpu.what_if,
        .shared_bytes = q->need.shared_bytes + d->gpu.rules.shared_reserved,
        .room_bytes = launch_room(&d->gpu.rules, d->gpu.cfg.sm.sm.max_blocks,
                                  d->gpu.cfg.sm.sm.max_warps, &q->need),
    };

    q->split = split_choose(&d->gpu.rules, &w, now);
}

/* The split the launch will get if nothing else changes it, and whether it fits. */
static bool check_fit(struct smw_device *d, struct queued *q, struct rules_split now,
                      struct smw_err *e)
{
    const struct gpu_config *c = &d->gpu.cfg;

    choose_split(d, q, now);
    q->fit = launch_occupancy(&d->gpu.rules, c->sm.sm.max_blocks, c->sm.sm.max_warps,
                              q->split.shared, &q->need);
    if (q->fit.blocks != 0) {
        return true;
    }
    (void)err_set(e, SMW_ERR_INPUT,
                  "not even one block fits on an SM: %s (%u warps, %u "
                  "registers per thread, %u bytes of shared memory)",
                  q->fit.limiter, q->need.warps, q->need.regs, q->need.shared_bytes);
    return launch_refuse(&d->gpu.rules, LAUNCH_OUT_OF_RESOURCES, e);
}

static struct queued *new_launch(struct smw_device *d)
{
    if (d->n_launches == d->max_launches) {
        uint32_t max = d->max_launches == 0 ? 16 : 2 * d->max_launches;
        struct queued *grown = realloc(d->launch, max * sizeof(grown[0]));

        if (grown == NULL) {
            return NULL;
        }
        for (uint32_t i = 0; i < SM_MAX_LAUNCHES; i++) { /* they have moved */
            if (d->resident[i] != NULL) {
                d->resident[i] = grown + (d->resident[i] - d->launch);
            }
        }
        d->launch = grown;
        d->max_launches = max;
    }
    return &d->launch[d->n_launches];
}

bool smw_launch(struct smw_device *d, const struct smw_kernel *k,
                const struct smw_launch *l, struct smw_err *e)
{
    struct queued *q;
    void *params;

    if (!err_given(d, "smw_launch: the device", e) ||
        !err_given(k, "smw_launch: the kernel", e) ||
        !err_given(l, "smw_launch: the launch", e)) {
        return false;
    }
    if (k->module->device != d) {
        return err_set(e, SMW_ERR_INPUT, "kernel %s is loaded on another device",
                       k->ptx->name);
    }
    if (!device_usable(d, e) || !smw_can_run(k, e)) {
        return false;
    }
    if (l->param_bytes != k->ptx->param_bytes) {
        return err_set(e, SMW_ERR_INPUT,
                       "%s takes %u bytes of parameters, %u are given", k->ptx->name,
                       k->ptx->param_bytes, l->param_bytes);
    }
    if (l->param_bytes != 0 && !err_given(l->params, "smw_launch: the parameters", e)) {
        return false;
    }
    q = new_launch(d);
    params = malloc(l->param_bytes + 1);
    if (q == NULL || params == NULL) {
        free(params);
        return err_set(e, SMW_ERR_NOMEM, "no memory for a launch");
    }
    memset(q, 0, sizeof(*q));
    q->kernel = k;
    q->args = *l;
    if (l->param_bytes != 0) {
        memcpy(params, l->params, l->param_bytes);
    }
    q->args.params = params;
    q->bank_mode = l->bank_mode != 0 ? l->bank_mode : d->bank_mode;
    if (!check_code(d, k, e) || !check_options(d, l, e) ||
        !launch_check(&d->gpu.rules, k->ptx, l, &q->need, e) ||
        !check_fit(d, q, d->gpu.split, e) || !cooperative_check(d, q, e) ||
        !clusters_check(d, q, e)) {
        free(params);
        return false;
    }
    q->item = d->turns.n;
    if (!device_queue(d, l->stream, LANE_KERNEL,
                      &(struct task){.kind = TASK_LAUNCH, .of = d->n_launches})) {
        free(params);
        return err_set(e, SMW_ERR_NOMEM, "no memory for a launch");
    }
    d->n_launches++;
    return true;
}

bool smw_occupancy(const struct smw_kernel *k, const struct smw_launch *l,
                   uint32_t *blocks, struct smw_err *e)
{
    struct smw_device *d;
    struct queued q;

    if (!err_given(k, "smw_occupancy: the kernel", e) ||
        !err_given(l, "smw_occupancy: the launch", e) ||
        !err_given(blocks, "smw_occupancy: where the number goes", e) ||
        !smw_can_run(k, e)) {
        return false;
    }
    d = k->module->device;
    memset(&q, 0, sizeof(q));
    q.kernel = k;
    q.args = *l;
    if (!check_code(d, k, e) || !check_options(d, l, e) ||
        !launch_check(&d->gpu.rules, k->ptx, l, &q.need, e) ||
        !check_fit(d, &q, d->gpu.split, e)) {
        return false;
    }
    *blocks = q.fit.blocks;
    return true;
}

/* ---- beginning and ending ---- */

/* Local memory of a thread, in whole words. */
static uint64_t local_bytes(const struct ptx_kernel *k)
{
    return (k->local_bytes + 3u) & ~3u;
}

/* Slots of the widest outgoing parameter area of the module's calls, with the base of
 * the callee's local variables behind it. A load of the kernel's own parameters has an
 * address of another kind, which may be computed. */
static uint32_t widest_area(const struct ptx_module *m)
{
    isa_exec_fn *const own = isa_exec_kernel_param();
    uint32_t slots = 0;

    for (uint32_t i = 0; i < m->n_uops; i++) {
        const struct isa_uop *u = &m->uops[i];
        uint32_t end = (uint32_t)(u->imm + u->size * u->form.vec + 3) / 4;

        if (u->kind == ISA_K_ALU && u->form.space == ISA_SP_PARAM && u->exec != own &&
            end > slots) {
            slots = end;
        }
    }
    return slots + 1;
}

static void describe(struct smw_device *d, const struct queued *q, struct sm_launch *s)
{
    const struct ptx_kernel *k = q->kernel->ptx;

    memset(s, 0, sizeof(*s));
    s->module = q->kernel->module->ptx;
    s->kernel = k;
    memcpy(s->grid, q->args.grid, sizeof(s->grid));
    memcpy(s->block, q->args.block, sizeof(s->block));
    s->threads = q->need.threads;
    s->warps = q->need.warps;
    s->shared_base = launch_shared_base(&d->gpu.rules, k);
    s->shared_bytes = q->need.shared_bytes - s->shared_base;
    s->bank_mode = q->bank_mode;
    cooperative_describe(d, q, s);
    clusters_describe(d, q, s);
    s->dynamic_bytes = (uint32_t)q->args.shared;
    s->shared_alloc = q->fit.shared_alloc;
    s->grid_id = (uint32_t)d->n_started;
    s->number = (uint32_t)(q - d->launch);
    s->params = q->args.params;
    s->param_bytes = q->args.param_bytes;
    s->local_bytes = local_bytes(k);
    s->area_slots = widest_area(s->module);
    s->frame_slots = k->n_slots + s->area_slots;
    s->frame_slots = k->frame_slots > s->frame_slots ? k->frame_slots : s->frame_slots;
    s->frame_preds = k->frame_preds > k->n_preds ? k->frame_preds : k->n_preds;
}

static bool reserve_local(struct smw_device *d, uint64_t per_thread, struct smw_err *e)
{
    uint64_t threads = (uint64_t)d->gpu.n_sms * d->gpu.cfg.sm.sm.max_warps * ISA_LANES;

    if (!memory_reserve_local(&d->gpu.memory, per_thread * threads, e)) {
        return false;
    }
    d->gpu.shared.local_stride = per_thread;
    return true;
}

/* It takes no modelled time: it is resident alone, and nothing that keeps time hears of
 * it. */
static void begin_functional(struct smw_device *d, struct queued *q)
{
    d->n_started++;
    q->index = 0;
    describe(d, q, &d->gpu.shared.launch[0]);
    q->reached = sim_cycle(&d->gpu.sm_clock);
    q->start_ps = q->end_ps = sim_now(d->gpu.sim);
    q->state = LAUNCH_RESIDENT;
    d->resident[0] = q;
    functional_begin(d, (uint32_t)(q - d->launch));
}

static void end_functional(struct smw_device *d)
{
    struct queued *q = d->resident[0];

    device_counters(d, q, q->reached, &q->counters);
    functional_end(d);
    q->state = LAUNCH_FINISHED;
    turns_finish(&d->turns, q->item);
    device_collect_output(d, q);
    d->resident[0] = NULL;
}

/* May it join those that are resident? Another split, another bank mode and more local
 * memory need an idle device; a split that is only a hint gives way instead. */
static bool can_begin(struct smw_device *d, struct queued *q)
{
    uint64_t local = local_bytes(q->kernel->ptx);
    const struct gpu_config *c = &d->gpu.cfg;

    if (d->functional != NULL || !device_may_overlap(d, q->item)) {
        return false;
    }
    if (d->n_resident == 0) {
        return true;
    }
    if (q->args.functional || d->n_resident == d->gpu.shared.max_launches ||
        q->bank_mode != d->resident_bank_mode || local > d->gpu.shared.local_stride) {
        return false;
    }
    if (q->split.shared != d->gpu.split.shared && split_is_hint(&d->gpu.rules)) {
        struct launch_fit fit =
            launch_occupancy(&d->gpu.rules, c->sm.sm.max_blocks, c->sm.sm.max_warps,
                             d->gpu.split.shared, &q->need);

        if (fit.blocks != 0) {
            q->split = d->gpu.split;
            q->fit = fit;
        }
    }
    return q->split.shared == d->gpu.split.shared;
}

static bool begin(struct smw_device *d, struct queued *q, struct smw_err *e)
{
    uint64_t local = local_bytes(q->kernel->ptx);
    struct dispatch what;
    uint32_t i = 0;

    if (d->n_resident == 0) {
        gpu_split(&d->gpu, q->split); /* dirty local lines are of kernels that ended */
        d->resident_bank_mode = q->bank_mode;
    }
    if (d->n_resident == 0 && local != 0 && !reserve_local(d, local, e)) {
        return false;
    }
    while (d->resident[i] != NULL) {
        i++;
    }
    d->n_started++;
    q->index = i;
    describe(d, q, &d->gpu.shared.launch[i]);
    gpu_begin(&d->gpu, i);
    memset(&what, 0, sizeof(what));
    what.name = d->gpu.shared.launch[i].kernel->base_name;
    what.n_blocks = (uint64_t)q->args.grid[0] * q->args.grid[1] * q->args.grid[2];
    memcpy(what.grid, q->args.grid, sizeof(what.grid));
    memcpy(what.cluster, d->gpu.shared.launch[i].cluster, sizeof(what.cluster));
    what.n_cluster = sm_cluster_blocks(what.cluster);
    what.warps = q->need.warps;
    what.regs = (uint32_t)launch_block_regs(&d->gpu.rules, &q->need);
    what.shared_bytes = q->fit.shared_alloc;
    what.max_per_sm = q->fit.blocks;
    q->reached = sim_cycle(&d->gpu.sm_clock);
    q->start_ps = sim_now(d->gpu.sim);
    q->state = LAUNCH_RESIDENT;
    d->resident[i] = q;
    d->n_resident++;
    dispatcher_add(d->gpu.dispatcher, i, &what, d->gpu.cfg.gpu.launch_latency);
    return true;
}

/* Begin what may begin; launches in their order. */
/* When the launch that is next may begin, if it has to wait for that; else
 * SIM_TIME_MAX. */
static sim_time_t next_begin(struct smw_device *d)
{
    uint32_t i = turns_first(&d->turns, LANE_KERNEL);
    sim_time_t at = i == TURNS_NONE ? 0 : d->launch[d->task[i].of].args.begin_ps;

    return at > sim_now(d->gpu.sim) ? at : SIM_TIME_MAX;
}

/* The same of all that waits for a time. */
static sim_time_t next_time(struct smw_device *d)
{
    sim_time_t begin = next_begin(d), host = device_host_next(d);

    return begin < host ? begin : host;
}

static bool begin_some(struct smw_device *d, struct smw_err *e)
{
    uint32_t i;

    device_host_ends(d);
    device_end_transfers(d);
    device_host_turns(d);
    device_begin_transfers(d);
    while ((i = turns_first(&d->turns, LANE_KERNEL)) != TURNS_NONE) {
        struct queued *q = &d->launch[d->task[i].of];

        if (!check_fit(d, q, d->gpu.split, e)) {
            return false;
        }
        if (!device_is_ready(d, i) || !can_begin(d, q) ||
            next_begin(d) != SIM_TIME_MAX) {
            return true;
        }
        if (q->args.functional) {
            begin_functional(d, q);
        } else if (!begin(d, q, e)) {
            return false;
        }
        turns_begin(&d->turns, LANE_KERNEL);
    }
    return true;
}

static void end_some(struct smw_device *d)
{
    uint32_t left = d->n_resident;

    for (uint32_t i = 0; left != 0; i++) {
        struct queued *q = d->resident[i];
        const struct dispatch *l;

        left -= q != NULL;
        if (q == NULL || !dispatcher_launch(d->gpu.dispatcher, i)->finished) {
            continue;
        }
        l = dispatcher_launch(d->gpu.dispatcher, i);
        device_counters(d, q, l->end, &q->counters);
        device_places(d, q);
        q->end_ps = sim_edge(&d->gpu.sm_clock, l->end);
        q->state = LAUNCH_FINISHED;
        device_over(d, q->item);
        device_collect_output(d, q);
        dispatcher_remove(d->gpu.dispatcher, i);
        d->resident[i] = NULL;
        d->n_resident--;
    }
}

/* ---- stepping ---- */

void smw_stop(struct smw_device *d)
{
    if (d != NULL) {
        d->stop = 1;
        sim_stop(d->gpu.sim);
    }
}

static enum smw_status after_stop(struct smw_device *d)
{
    if (d->fault.kind == SMW_ERR_KERNEL) {
        return SMW_FAULT;
    }
    end_some(d);
    if (d->stop != 0) {
        d->stop = 0;
        return SMW_STOPPED;
    }
    return SMW_RUNNING; /* a launch ended: go on */
}

/* A run that ends before its time goes on to what SMs have done ahead of it, but not
 * when the kernel is at fault. */
static enum sim_status run_engine(struct smw_device *d, sim_time_t until,
                                  uint64_t max_instants)
{
    enum sim_status status = gpu_run(&d->gpu, until, max_instants);
    sim_time_t reached = gpu_reached(&d->gpu);

    while ((status == SIM_SLICE || status == SIM_STOPPED) &&
           d->fault.kind == SMW_ERR_NONE && sim_now(d->gpu.sim) < reached) {
        enum sim_status more = gpu_run(&d->gpu, reached, 0);

        if (more == SIM_REACHED || more == SIM_IDLE) {
            break;
        }
        status = more;
    }
    return status;
}

/* The next cycle at which somebody wants to look, or the limit. */
static sim_cycle_t next_mark(struct smw_device *d)
{
    const sim_cycle_t endless = endless_until(d);
    const sim_cycle_t hot = d->opt.max_cycles != 0 ? hot_until(d) : SIM_CYCLE_NONE;

    return endless < hot ? endless : hot;
}

static enum smw_status at_mark(struct smw_device *d)
{
    const sim_cycle_t now = sim_cycle(&d->gpu.sm_clock);

    if (endless_until(d) <= now && endless_reached(d)) {
        return SMW_DEADLOCK;
    }
    if (d->opt.max_cycles != 0 && hot_until(d) <= now && hot_reached(d)) {
        device_cycle_limit(d);
        return SMW_LIMIT;
    }
    return SMW_RUNNING;
}

/* One call of the engine. SMW_RUNNING: the slice ended or a launch did. */
static enum smw_status run_slice(struct smw_device *d, uint64_t max_instants)
{
    sim_time_t begin = next_time(d), until = link_next(d->link);
    enum sim_status status;

    if (begin != SIM_TIME_MAX) {
        sim_notify_ps(&d->begins, begin - sim_now(d->gpu.sim));
        until = begin < until ? begin : until;
    }
    if (next_mark(d) != SIM_CYCLE_NONE) {
        sim_time_t mark = sim_edge(&d->gpu.sm_clock, next_mark(d));

        until = mark < until ? mark : until;
    }
    status = run_engine(d, until, max_instants);
    if ((link_next(d->link) <= sim_now(d->gpu.sim) || begin <= sim_now(d->gpu.sim)) &&
        status != SIM_STOPPED) {
        return SMW_RUNNING; /* a transfer ended, a launch can begin: go on */
    }
    switch (status) {
    case SIM_IDLE: device_deadlock(d); return SMW_DEADLOCK;
    case SIM_REACHED: return at_mark(d);
    case SIM_SLICE: return SMW_RUNNING;
    case SIM_STOPPED: return after_stop(d);
    case SIM_OVERFLOW: device_limit(d, "simulated time ran out"); return SMW_LIMIT;
    case SIM_DELTA_LOOP: sim_panic(d->gpu.sim, "delta loop", sim_culprits(d->gpu.sim));
    }
    return SMW_RUNNING;
}

/* max_instants as for smw_step(): a turn of a block takes the host as long as so many
 * instants may. */
static enum smw_status run_functional(struct smw_device *d, uint64_t max_instants)
{
    enum { INSTANTS = 64 };
    enum smw_status s =
        functional_step(d, max_instants == 0 ? 0 : max_instants / INSTANTS + 1);

    if (s == SMW_DONE) {
        end_functional(d);
        return SMW_RUNNING; /* go on */
    }
    return s;
}

/* Nothing is queued: what is still under way (write-backs, credits) comes to rest. */
static enum smw_status drain(struct smw_device *d)
{
    while (gpu_run(&d->gpu, SIM_TIME_MAX, 0) == SIM_STOPPED) {
        d->stop = 0; /* all has been done: nothing to stop */
    }
    SIM_REQUIRE(d->gpu.sim, sim_live_transactions(d->gpu.sim) == 0, "end of the run");
    SIM_REQUIRE(d->gpu.sim, d->turns.n_finished == d->turns.n, "end of the run");
    return SMW_DONE;
}

/* GOAL_ALL has drain() to follow. */
static bool is_reached(const struct smw_device *d, const struct goal *goal)
{
    switch (goal->kind) {
    case GOAL_STREAM: return smw_stream_idle(d, goal->stream);
    case GOAL_MARK: return smw_mark_reached(d, goal->mark, NULL);
    case GOAL_ALL: break;
    }
    return false;
}

static enum smw_status run_to(struct smw_device *d, uint64_t max_instants,
                              const struct goal *goal)
{
    uint64_t before;
    struct smw_err e;

    err_clear(&e);
    if (d == NULL) {
        return SMW_DONE;
    }
    d->waits = d->opt.patient || max_instants == 0;
    before = sim_counters(d->gpu.sim)->instants;
    if (d->fault.kind != SMW_ERR_NONE) {
        return d->fault.kind == SMW_ERR_DEADLOCK ? SMW_DEADLOCK
               : d->fault.kind == SMW_ERR_LIMIT  ? SMW_LIMIT
                                                 : SMW_FAULT;
    }
    for (;;) {
        uint64_t ran = sim_counters(d->gpu.sim)->instants - before;
        enum smw_status s;

        if (!begin_some(d, &e)) {
            d->fault.kind = e.kind;
            d->fault.code = e.code;
            memcpy(d->fault.message, e.message, sizeof(d->fault.message));
            return SMW_FAULT;
        }
        if (is_reached(d, goal)) {
            return SMW_DONE;
        }
        if (d->functional != NULL) {
            s = run_functional(d, max_instants);
            if (s != SMW_RUNNING || max_instants != 0) {
                return s;
            }
            continue;
        }
        if (d->n_resident == 0 && !device_is_moving(d) &&
            next_time(d) == SIM_TIME_MAX) {
            return drain(d);
        }
        if (max_instants != 0 && ran >= max_instants) {
            return SMW_RUNNING;
        }
        s = run_slice(d, max_instants == 0 ? 0 : max_instants - ran);
        if (s != SMW_RUNNING) {
            return s;
        }
    }
}

struct running {
    struct smw_device *d;
    uint64_t max_instants;
    const struct goal *goal;
    enum smw_status status;
};

static void try_run(void *arg)
{
    struct running *const x = arg;

    x->status = run_to(x->d, x->max_instants, x->goal);
}

/* What ends a run early ends no launch: what it printed is wanted all the more. */
static enum smw_status run_and_show(struct smw_device *d, uint64_t max_instants,
                                    const struct goal *goal)
{
    struct running x = {d, max_instants, goal, SMW_FAULT};

    if (!nomem_try(try_run, &x)) {
        (void)device_no_memory(d, NULL);
    } else if (x.status != SMW_RUNNING && x.status != SMW_DONE) {
        device_show_output(d);
    }
    return x.status;
}

enum smw_status smw_step(struct smw_device *d, uint64_t max_instants)
{
    return run_and_show(d, max_instants, &(struct goal){.kind = GOAL_ALL});
}

bool device_reach(struct smw_device *d, const struct goal *goal, struct smw_err *e)
{
    switch (run_and_show(d, 0, goal)) {
    case SMW_DONE: return true;
    case SMW_RUNNING:
    case SMW_STOPPED: return err_set(e, SMW_ERR_LIMIT, "interrupted");
    case SMW_FAULT:
    case SMW_DEADLOCK:
    case SMW_LIMIT: break;
    }
    (void)err_set(e, d->fault.kind, "%s", d->fault.message);
    return err_code(e, d->fault.code);
}

bool device_settle(struct smw_device *d, struct smw_err *e)
{
    return device_reach(d, &(struct goal){.kind = GOAL_ALL}, e);
}

bool smw_synchronize(struct smw_device *d, struct smw_err *e)
{
    return err_given(d, "smw_synchronize: the device", e) && device_settle(d, e);
}
