#include "sm/left.h"
#include "sm/step.h"

#include "sm/bulk.h"
#include "sm/show.h"
#include "sm/untimed.h"

#include <stdlib.h>
#include <string.h>

const struct sim_proto sm_block_proto = {"sm_block", sizeof(struct sm_block)};

/* ---- configuration ---- */

static const struct cfg_field sm_fields[] = {
    CFG_U32(struct sm_config, schedulers, 1, 2, MAX_SCHEDS, CFG_PLAIN, 0,
            "warp schedulers", "SCHED-1"),
    {.name = "scheduler.policy",
     .type = CFG_TYPE_CHOICE,
     .offset = offsetof(struct sm_config, policy),
     .def = 0,
     .choices = policy_names,
     .n_choices = ARRAY_LEN(policy_names),
     .doc = "which ready warp issues",
     .rule = "SCHED-1"},
    {.name = "scheduler.active",
     .type = CFG_TYPE_U32,
     .offset = offsetof(struct sm_config, two_level_size),
     .min = 1,
     .def = 8,
     .max = 64,
     .doc = "two_level: warps of the inner level",
     .rule = "SCHED-1"},
    {.name = "scheduler.memory_fifo",
     .type = CFG_TYPE_BOOL,
     .offset = offsetof(struct sm_config, memory_fifo),
     .max = 1,
     .doc = "global memory instructions issue in the order they became ready",
     .rule = "SCHED-2"},
    CFG_U32(struct sm_config, issue_interval, 1, 2, 64, CFG_CYCLES, 0,
            "cycles between two instructions of a scheduler", "SCHED-1"),
    CFG_U32(struct sm_config, issue_width, 1, 1, 2, CFG_PLAIN, 0,
            "adjacent, independent instructions of one warp issued at once", "ISSUE-1"),
    CFG_U32(struct sm_config, mem_interval, 1, 1, 64, CFG_CYCLES, 0,
            "cycles between two memory instructions of a scheduler", "ISSUE-2"),
    CFG_U32(struct sm_config, off_latency, 0, 0, 128, CFG_CYCLES, 0,
            "a load all of whose lanes are predicated off to whoever reads its result",
            "ISSUE-2"),
    CFG_BOOL(struct sm_config, fp64_blocks, 0,
             "a double-precision instruction takes a turn of the other schedulers",
             "ISSUE-2"),
    CFG_U32(struct sm_config, predicate_latency, 0, 0, 64, CFG_CYCLES, 0,
            "more until a result that is a predicate can be a guard", "PIPE-1"),
    CFG_U32(struct sm_config, cross_latency, 0, 0, 64, CFG_CYCLES, 0,
            "more until another pipe or a memory unit can read a result", "PIPE-1"),
    CFG_BOOL(struct sm_config, partitioned, 0,
             "each scheduler has pipes of its own, with its share of the throughput",
             "PIPE-2"),
    CFG_U32(struct sm_config, max_warps, 1, 48, SM_MAX_WARPS, CFG_PLAIN, 0,
            "resident warps; at most what the capability has", "LAUNCH-4"),
    CFG_U32(struct sm_config, max_blocks, 1, 8, 32, CFG_PLAIN, 0,
            "resident blocks; at most what the capability has", "LAUNCH-4"),
    CFG_U32(struct sm_config, branch_latency, 1, 18, 256, CFG_CYCLES, 0,
            "control instruction to the warp's next issue", "ISSUE-3"),
    CFG_U32(struct sm_config, split_latency, 0, 0, 256, CFG_CYCLES, 0,
            "more after a branch that divides the lanes of a warp", "ISSUE-3"),
    CFG_U32(struct sm_config, fence_latency, 0, 0, 10000, CFG_CYCLES, 0,
            "a fence of the device to the warp's next issue, at least", "FENCE-1"),
    CFG_U32(struct sm_config, fence_sys_latency, 0, 0, 10000, CFG_CYCLES, 0,
            "the same of a fence of the system", "FENCE-1"),
    CFG_U32(struct sm_config, barrier_latency, 1, 18, 256, CFG_CYCLES, 0,
            "last arrival to release", "BAR-2"),
    CFG_U32(struct sm_config, block_start, 1, 20, 1000, CFG_CYCLES, 0,
            "arrival of a block to its first issue", "TIME-3"),
    CFG_U32(struct sm_config, block_interval, 1, 1, 1000, CFG_CYCLES, 0,
            "least time between two blocks that begin on an SM", "TIME-3"),
    CFG_U32(struct sm_config, block_warp_interval, 0, 0, 100, CFG_CYCLES, 0,
            "the same for each warp of the first of them, if that is longer", "TIME-3"),
    CFG_U32(struct sm_config, block_end_interval, 0, 0, 1000, CFG_CYCLES, 0,
            "more of it for each block that ends in between", "TIME-3"),
    CFG_U32(struct sm_config, warp_interval, 0, 0, 100, CFG_CYCLES, 0,
            "between two warps of a block that begin", "TIME-3"),
    CFG_U32(struct sm_config, code_latency, 0, 0, 10000, CFG_CYCLES, 0,
            "more before the first warp of a kernel that the SM has not run lately",
            "TIME-4"),
    CFG_U32(struct sm_config, param_latency, 0, 0, 10000, CFG_CYCLES, 0,
            "more before the first warp on an SM of a launch that reads parameters",
            "TIME-4"),
    CFG_U32(struct sm_config, param_interval, 0, 0, 1000, CFG_CYCLES, 0,
            "more for each SM of the GPC that reads them before this one", "TIME-4"),
    CFG_U32(struct sm_config, param_warp_interval, 0, 0, 1000, CFG_CYCLES, 0,
            "more of it for each of the second to fourth warp of a block", "TIME-4"),
    CFG_BOOL(struct sm_config, exit_waits, 1,
             "a block ends when its stores are answered, not when its warps exit",
             "TIME-1"),
    CFG_U32(struct sm_config, drain_latency, 0, 0, 1000, CFG_CYCLES, 0,
            "from its last store's leaving to the end of a block that does not wait",
            "TIME-1"),
    CFG_U32(struct sm_config, call_depth, 1, 64, 4096, CFG_PLAIN, 0,
            "nested calls of a thread before a fault", "FAULT-3"),
    CFG_U32(struct sm_config, try_wait, 1, 7720, 10000000, CFG_CYCLES, 0,
            "mbarrier.try_wait sleeps at most", "ASYNC-5"),
};
const struct cfg_table sm_keys = CFG_TABLE(sm_fields);

#define THROUGHPUT(class, key, t)                                                      \
    {                                                                                  \
        .name = key ".throughput", .type = CFG_TYPE_U32,                               \
        .offset = offsetof(struct sm_pipes, throughput[class]), .min = 1, .def = (t),  \
        .max = 1024, .doc = "results per SM cycle", .rule = "PIPE-1"                   \
    }
#define LATENCY(class, key, lat)                                                       \
    {                                                                                  \
        .name = key ".latency", .type = CFG_TYPE_U32, .unit = CFG_CYCLES,              \
        .offset = offsetof(struct sm_pipes, latency[class]), .min = 1, .def = (lat),   \
        .max = 500, .doc = "issue to a usable result", .rule = "PIPE-1"                \
    }
#define PIPE(class, key, t, lat) THROUGHPUT(class, key, t), LATENCY(class, key, lat)

/* What the last three wait for has keys of its own: the memory units, branch_latency
 * and barrier_latency. */
static const struct cfg_field pipe_fields[] = {
    PIPE(ISA_CL_FP32, "fp32", 32, 18),   PIPE(ISA_CL_FP64, "fp64", 4, 22),
    PIPE(ISA_CL_SFU, "sfu", 4, 26),      PIPE(ISA_CL_IADD, "iadd", 32, 18),
    PIPE(ISA_CL_ICMP, "icmp", 32, 18),   PIPE(ISA_CL_IMUL, "imul", 16, 18),
    PIPE(ISA_CL_SHIFT, "shift", 16, 18), PIPE(ISA_CL_LOGIC, "logic", 32, 18),
    PIPE(ISA_CL_CVT8, "cvt8", 16, 18),   PIPE(ISA_CL_CVT64, "cvt64", 4, 22),
    PIPE(ISA_CL_CVT, "cvt", 16, 18),     PIPE(ISA_CL_SHUFFLE, "shuffle", 32, 24),
    PIPE(ISA_CL_VOTE, "vote", 32, 18),   PIPE(ISA_CL_IDIV, "idiv", 16, 18),
    PIPE(ISA_CL_HALF, "half", 32, 18),   PIPE(ISA_CL_TENSOR, "tensor", 32, 13),
    PIPE(ISA_CL_SREG, "sreg", 32, 18),   THROUGHPUT(ISA_CL_MEM, "mem", 16),
    THROUGHPUT(ISA_CL_CTRL, "ctrl", 32), THROUGHPUT(ISA_CL_BAR, "bar", 16),
};
const struct cfg_table pipe_keys = CFG_TABLE(pipe_fields);

static const struct cfg_field onchip_fields[] = {
    CFG_U32(struct onchip_config, size, 16384, 65536, 262144, CFG_BYTES, 0,
            "the array that shared memory and L1 divide", "SPLIT-1"),
    CFG_TEXT(struct onchip_config, partition, "48/16",
             "start-up split, shared/L1 in KB; launches may prefer another; auto: the "
             "driver chooses (7.0 and later)",
             "SPLIT-1"),
};
const struct cfg_table onchip_keys = CFG_TABLE(onchip_fields);

static const struct cfg_field bulk_fields[] = {
    CFG_U32(struct bulk_config, start, 1, 1, 10000, CFG_CYCLES, 0,
            "a bulk copy's instruction to its first request", "BULK-4"),
    CFG_U32(struct bulk_config, map_latency, 0, 100, 10000, CFG_CYCLES, 0,
            "the same of a tensor copy, more", "BULK-4"),
    CFG_U32(struct bulk_config, copy_interval, 1, 23, 10000, CFG_CYCLES, 0,
            "between the first requests of two bulk copies", "BULK-4"),
    CFG_U32(struct bulk_config, interval, 1, 5, 1000, CFG_CYCLES, 0,
            "between two requests of a bulk copy, of up to 512 bytes", "BULK-4"),
    CFG_U32(struct bulk_config, store_interval, 1, 16, 1000, CFG_CYCLES, 0,
            "the same of one that writes global memory", "BULK-4"),
    CFG_U32(struct bulk_config, requests, 1, 128, 1024, CFG_PLAIN, 0,
            "requests of bulk copies under way in an SM", "BULK-4"),
};
const struct cfg_table bulk_keys = CFG_TABLE(bulk_fields);

/* ---- construction ---- */

static void name_numbered(char *buf, const char *stem, uint32_t i, uint32_t digits)
{
    size_t n = strlen(stem);

    memcpy(buf, stem, n);
    for (uint32_t d = digits; d > 0; d--, i /= 10) {
        buf[n + d - 1] = (char)('0' + i % 10);
    }
    buf[n + digits] = '\0';
}

static void new_schedulers(struct sm *s)
{
    s->sched = sim_alloc(s->scope.sim, s->n_scheds * sizeof(s->sched[0]));
    for (uint32_t j = 0; j < s->n_scheds; j++) {
        struct scheduler *d = &s->sched[j];
        char name[16];

        name_numbered(name, "sched", j, 1);
        sim_module_init(&d->scope, s->scope.sim, &s->scope, NULL, name);
        show_scheduler(s, d);
        s->slot[j].s.n_active = s->cfg.sm.two_level_size;
        s->slot[j].s.older = s->older;
        for (uint32_t i = j; i < s->warps.n; i += s->n_scheds) {
            s->slot[j].own |= 1ull << i;
        }
        s->slot[j].s.last = j;
        s->slot[j].after = &s->slot[(j + 1) % s->n_scheds];
    }
    s->turn = &s->slot[0];
}

/* Classes whose results the vendor's profiler calls those of a short scoreboard: units
 * that share the queue of the memory instructions. */
static const uint32_t mio_classes =
    1u << ISA_CL_SFU | 1u << ISA_CL_SHUFFLE | 1u << ISA_CL_CVT64 | 1u << ISA_CL_CVT;

/* SPEC PIPE-2: units behind the queue that memory instructions take are never divided.
 */
static const uint32_t common_classes = 1u << ISA_CL_MEM | 1u << ISA_CL_BAR;

static void new_pipes(struct sm *s)
{
    const struct sm_pipes *c = &s->cfg.pipes;
    uint32_t alone = s->cfg.sm.partitioned ? ~common_classes : 0;

    for (uint32_t j = 0; j < s->n_scheds; j++) {
        s->slot[j].alone = alone;
        for (uint32_t k = 0; k < ISA_N_CLASSES; k++) {
            bool own = (alone >> k & 1u) != 0;
            uint32_t share = own ? s->n_scheds : 1;
            struct pipe *p = &s->pipe[own ? j : 0][k];

            p->latency = c->latency[k];
            p->cost = (ISA_LANES * PIPE_UNIT * share + c->throughput[k] - 1) /
                      c->throughput[k];
            p->mark = (mio_classes >> k & 1u) != 0 ? DUE_SHORT : 0;
            s->slot[j].pipe[k] = p;
        }
    }
}

static void new_warps(struct sm *s)
{
    for (uint32_t i = 0; i < s->warps.n; i++) {
        struct warp *w = &s->warps.warp[i];
        char name[16];

        name_numbered(name, "warp", i, 2);
        sim_module_init(&w->scope, s->scope.sim, &s->scope, NULL, name);
        show_warp(s, w);
    }
    s->free_warps = s->warps.n == 64 ? UINT64_MAX : (1ull << s->warps.n) - 1;
}

/* Ports between the parts. The hops of an answered request: SM to LSU, LSU to unit,
 * unit to SM (and crossbar to banks for shared memory). */
enum { HOPS_SMEM = 4, HOPS_CBANK = 3, HOPS_L1 = 3 };

static void new_parts(struct sm *s, uint32_t smem_bytes, uint32_t l1_bytes)
{
    const struct sm_parts *c = &s->cfg;
    uint32_t tags = c->l1.latency > HOPS_L1 ? c->l1.latency - HOPS_L1 : 1;

    struct lsu_env lsu = {s->shared->rules,
                          s->index,
                          s->stats,
                          &s->shared->planned,
                          .tags = s->cfg.l1.tags,
                          .early = s->shared->spares ? s->shared->memory : NULL,
                          .hit_latency = tags,
                          .has_net = s->shared->has_net,
                          .in_step = &s->shared->in_step,
                          .has_bulk = s->shared->has_bulk,
                          .texture_latency =
                              s->shared->rules->tex_latency > c->l1.latency
                                  ? s->shared->rules->tex_latency - c->l1.latency
                                  : 0};
    struct smem_env smem = {s->shared->rules, smem_bytes,          HOPS_SMEM,  s->index,
                            s->stats,         &s->shared->planned, s->n_scheds};
    struct cbank_env cbank = {s->shared->rules, HOPS_CBANK, s->index, s->stats,
                              &s->shared->planned};

    s->lsu = lsu_new(&s->scope, &c->lsu, &lsu);
    s->smem = smem_new(&s->scope, &c->smem, &smem);
    s->cbank = cbank_new(&s->scope, &c->cbank, &cbank);
    s->l1 = l1_new(&s->scope, &c->l1, s->shared->rules, l1_bytes, s->index, s->stats);
    sim_bind(&s->to_lsu, lsu_req(s->lsu), 1);
    sim_bind(lsu_smem(s->lsu), smem_req(s->smem), 1);
    sim_bind(lsu_cbank(s->lsu), cbank_req(s->cbank), 1);
    sim_bind(lsu_l1(s->lsu), l1_req(s->l1), tags);
    sim_bind(l1_rsp(s->l1), lsu_line(s->lsu), 1);
    sim_bind(smem_rsp(s->smem), &s->from_smem, 1);
    sim_bind(cbank_rsp(s->cbank), &s->from_cbank, 1);
    sim_bind(lsu_rsp(s->lsu), &s->from_lsu, 1);
    if (s->shared->has_bulk) {
        s->bulk = bulk_new(s);
        sim_bind(bulk_out(s->bulk), lsu_bulk(s->lsu), 1);
    }
    show_onchip(s);
}

static void new_ports(struct sm *s)
{
    struct sim *sim = s->scope.sim;
    const struct smem_config *m = &s->cfg.smem;
    uint32_t longest = m->latency + m->conflict_latency + 31 * m->way_latency;
    uint32_t under_way =
        (longest > m->atom_latency ? longest : m->atom_latency) / m->interval + 8;

    sim_in_init(&s->blocks, &s->scope, "blocks", &sm_block_proto, 2);
    sim_in_init(&s->from_smem, &s->scope, "from_smem", &mem_req_proto, under_way);
    sim_in_init(&s->from_cbank, &s->scope, "from_cbank", &mem_req_proto,
                cbank_longest(&s->cfg.cbank) / s->cfg.cbank.interval + 8);
    sim_in_init(&s->from_lsu, &s->scope, "from_lsu", &mem_req_proto, 4);
    sim_in_tell(&s->blocks, &s->arrives_at);
    sim_in_tell(&s->from_smem, &s->arrives_at);
    sim_in_tell(&s->from_cbank, &s->arrives_at);
    sim_in_tell(&s->from_lsu, &s->arrives_at);
    sim_in_polls(&s->from_smem);
    sim_in_polls(&s->from_cbank);
    sim_in_polls(&s->from_lsu);
    sim_out_init(&s->done, &s->scope, "done", &sm_block_proto);
    sim_out_init(&s->to_lsu, &s->scope, "to_lsu", &mem_req_proto);
    sim_event_init(&s->wake, sim, s->scope.clock, "wake");
    sim_process_init(&s->step, sim, s->scope.name, sm_step, s);
    sim_wake_on(&s->step, &s->blocks.arrived);
    sim_wake_on(&s->step, &s->from_smem.arrived);
    sim_wake_on(&s->step, &s->from_cbank.arrived);
    sim_wake_on(&s->step, &s->from_lsu.arrived);
    sim_wake_on(&s->step, &s->wake);
    sim_wake_on(&s->step, &s->to_lsu.space);
}

/* To the network between SMs, where there is one. */
static void new_net_ports(struct sm *s)
{
    const uint32_t blocks = 2 * s->n_slots;

    if (!s->shared->has_net) {
        return;
    }
    sim_in_init(&s->from_away, &s->scope, "from_away", &mem_req_proto, 8);
    sim_in_init(&s->from_net, &s->scope, "from_net", &mem_req_proto, 64);
    sim_in_init(&s->released, &s->scope, "released", &mem_req_proto, blocks);
    sim_in_tell(&s->from_away, &s->arrives_at);
    sim_in_tell(&s->from_net, &s->arrives_at);
    sim_in_tell(&s->released, &s->arrives_at);
    sim_out_init(&s->to_serve, &s->scope, "to_serve", &mem_req_proto);
    sim_out_init(&s->to_net, &s->scope, "to_net", &mem_req_proto);
    sim_out_init(&s->to_meet, &s->scope, "to_meet", &mem_req_proto);
    sim_wake_on(&s->step, &s->from_away.arrived);
    sim_wake_on(&s->step, &s->from_net.arrived);
    sim_wake_on(&s->step, &s->released.arrived);
    sim_bind(&s->to_serve, lsu_serve(s->lsu), 1);
}

struct sm *sm_new(struct sim_module *parent, struct sim_clock *clock, uint32_t index,
                  const struct sm_parts *cfg, struct sm_shared *shared,
                  uint32_t array_shared_bytes, uint32_t array_l1_bytes)
{
    struct sim *sim = clock->sim; /* a domain of the parent's, or that itself */
    struct sm *s = sim_alloc(sim, sizeof(*s));
    char name[16];

    s->cfg = *cfg;
    s->shared = shared;
    s->index = index;
    s->pick = policy_table[cfg->sm.policy].pick;
    s->policy = policy_table[cfg->sm.policy].way;
    s->asks_once = policy_table[cfg->sm.policy].asks_once;
    s->in_order = cfg->sm.memory_fifo;
    s->fifo = s->in_order ? sim_alloc(sim, sizeof(*s->fifo)) : NULL;
    warps_init(&s->warps, sim, cfg->sm.max_warps);
    s->n_scheds = cfg->sm.schedulers;
    s->n_slots = cfg->sm.max_blocks;
    s->issue_interval = cfg->sm.issue_interval;
    s->issue_width = cfg->sm.issue_width;
    s->branch_latency = cfg->sm.branch_latency;
    s->late[ISA_LATE_OTHER] = cfg->sm.cross_latency;
    s->late[ISA_LATE_GUARD] = cfg->sm.predicate_latency;
    s->stats = sim_alloc(sim, shared->max_launches * sizeof(s->stats[0]));
    s->stalls =
        sim_alloc(sim, shared->max_launches * s->n_scheds * sizeof(s->stalls[0]));
    s->block = sim_alloc(sim, s->n_slots * sizeof(s->block[0]));
    s->older = sim_alloc(sim, s->warps.n * sizeof(s->older[0]));
    s->n_units = array_shared_bytes / shared->rules->shared_unit;
    s->shared_map = sim_alloc(sim, s->n_units);
    name_numbered(name, "sm", index, index > 99 ? 3 : index > 9 ? 2 : 1);
    sim_module_init(&s->scope, sim, parent, clock, name);
    show_sm(s);
    new_schedulers(s);
    new_pipes(s);
    new_warps(s);
    s->special = (uint32_t)(cfg->sm.mem_interval > 1 || s->in_order) << ISA_CL_MEM |
                 (uint32_t)cfg->sm.fp64_blocks << ISA_CL_FP64;
    if (cfg->sm.issue_width > 1) {
        s->special = UINT32_MAX; /* any may have a second with it */
    }
    s->unpark_at = SIM_CYCLE_NONE;
    s->arrives_at = SIM_CYCLE_NONE;
    s->clock = clock;
    s->issuing = NOT_ISSUING;
    sim_pool_init(&s->reqs, sim, "mem_req", sizeof(struct mem_req));
    sim_pool_init(&s->word_reqs, sim, "mem_req of a word", MEM_REQ_WORD);
    sim_pool_init(&s->textures, sim, "tex_work", sizeof(struct tex_work));
    sim_pool_init(&s->copies, sim, "mem_copy", sizeof(struct mem_copy));
    left_place(s, false);
    new_ports(s);
    new_parts(s, array_shared_bytes, array_l1_bytes);
    new_net_ports(s);
    return s;
}

void sm_free(struct sm *s)
{
    if (s == NULL) {
        return;
    }
    for (uint32_t i = 0; s->places != NULL && i < s->shared->max_launches; i++) {
        free(s->places[i]);
    }
    free(s->places);
    check_free(s->check);
    untimed_end(s);
    sm_spin_end(s);
    warps_free(&s->warps);
}

struct sim_in *sm_blocks(struct sm *s)
{
    return &s->blocks;
}

struct sim_out *sm_done(struct sm *s)
{
    return &s->done;
}

struct sim_out *sm_down(struct sm *s)
{
    return l1_down(s->l1);
}

struct sim_in *sm_up(struct sm *s)
{
    return l1_up(s->l1);
}

struct sim_out *sm_away(struct sm *s)
{
    return lsu_away(s->lsu);
}

struct sim_in *sm_serve(struct sm *s)
{
    return &s->from_away;
}

struct sim_out *sm_back(struct sm *s)
{
    return &s->to_net;
}

struct sim_in *sm_answer(struct sm *s)
{
    return &s->from_net;
}

struct sim_out *sm_arrive(struct sm *s)
{
    return &s->to_meet;
}

struct sim_in *sm_release(struct sm *s)
{
    return &s->released;
}

struct sim_module *sm_scope(struct sm *s)
{
    return &s->scope;
}

uint32_t sm_index(const struct sm *s)
{
    return s->index;
}

bool sm_is_busy(const struct sm *s)
{
    return s->n_resident != 0 || s->n_ended != 0;
}

sim_cycle_t sm_reached(const struct sm *s)
{
    return s->warps.now;
}

void sm_begin(struct sm *s, uint32_t launch)
{
    memset(&s->stats[launch], 0, sizeof(s->stats[launch]));
    if (s->places != NULL) {
        free(s->places[launch]); /* of the launch that had its index */
        s->places[launch] = NULL;
    }
    memset(&s->stalls[launch * s->n_scheds], 0, s->n_scheds * sizeof(s->stalls[0]));
}

void sm_forget(struct sm *s)
{
    l1_invalidate(s->l1);
}

void sm_memory_changed(struct sm *s)
{
    memset(&s->near, 0, sizeof(s->near));
}

void sm_split(struct sm *s, uint32_t shared_kb, uint32_t l1_kb)
{
    SIM_REQUIRE(s->scope.sim, s->n_resident == 0, "sm_split");
    s->split_shared_kb = shared_kb;
    s->split_l1_kb = l1_kb;
    l1_resize(s->l1, l1_kb * 1024);
    cbank_forget(s->cbank);
    show_split(s);
}

const struct stalls *sm_stalls(const struct sm *s, uint32_t launch, uint32_t scheduler)
{
    return &s->stalls[launch * s->n_scheds + scheduler];
}

const struct stalls *sm_places(const struct sm *s, uint32_t launch)
{
    return s->places == NULL ? NULL : s->places[launch];
}

const struct smw_counters *sm_counters(struct sm *s, uint32_t launch)
{
    struct stalls all;
    struct smw_counters *c = &s->stats[launch];

    left_settle_all(s);
    memset(&all, 0, sizeof(all));
    for (uint32_t j = 0; j < s->n_scheds; j++) {
        const struct stalls *of = sm_stalls(s, launch, j);

        for (uint32_t k = 0; k < STALL_N; k++) {
            all.n[k] += of->n[k];
        }
    }
#define X(name, field) c->stall_##field = all.n[STALL_##name];
    STALL_REASONS(X)
#undef X
    return c;
}
