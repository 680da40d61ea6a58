#include "gpu/ahead.h"

#include <stdio.h>
#include <string.h>

static const uint64_t ps_per_second = 1000000000000;

/* Cycles of clock b that cover n cycles of clock a. */
static uint32_t scale_cycles(uint32_t n, uint64_t a_hz, uint64_t b_hz)
{
    double cycles = (double)n * (double)b_hz / (double)a_hz;
    uint32_t whole = (uint32_t)cycles;

    whole += (double)whole < cycles;
    return whole == 0 ? 1 : whole;
}

static void clock_of(struct sim_clock *c, struct sim *sim, const char *name,
                     uint64_t hz)
{
    sim_clock_init(c, sim, name, ps_per_second, hz);
}

/* The clock of SM i: the one of all, or its own in its own domain. */
static struct sim_clock *sm_clock(struct gpu *g, uint32_t i)
{
    if (g->own_clock == NULL) {
        return &g->sm_clock;
    }
    clock_of(&g->own_clock[i], sim_new_domain(g->sim), "sm", g->cfg.gpu.sm_clock);
    return &g->own_clock[i];
}

/* Between an SM and the rest. enough: see sim_bind_domains(). */
static void bind(const struct gpu *g, struct sim_out *o, struct sim_in *i,
                 uint32_t latency, uint32_t enough)
{
    if (g->own_clock == NULL) {
        sim_bind(o, i, latency);
    } else {
        sim_bind_domains(o, i, latency, enough);
    }
}

static void new_sms(struct gpu *g, bool domains)
{
    uint32_t shared_kb = g->split.shared, l1_kb = g->split.l1;

    for (uint32_t i = 0; i < g->rules.n_splits; i++) {
        shared_kb =
            g->rules.split[i].shared > shared_kb ? g->rules.split[i].shared : shared_kb;
        l1_kb = g->rules.split[i].l1 > l1_kb ? g->rules.split[i].l1 : l1_kb;
    }
    g->sm = sim_alloc(g->sim, g->n_sms * sizeof(g->sm[0]));
    g->shared.sms = g->sm;
    if (domains) {
        g->own_clock = sim_alloc(g->sim, g->n_sms * sizeof(g->own_clock[0]));
    }
    for (uint32_t i = 0; i < g->n_sms; i++) {
        g->sm[i] = sm_new(&g->root, sm_clock(g, i), i, &g->cfg.sm, &g->shared,
                          shared_kb * 1024, l1_kb * 1024);
        bind(g, dispatcher_to_sm(g->dispatcher, i), sm_blocks(g->sm[i]), 1, 0);
        bind(g, sm_done(g->sm[i]), dispatcher_from_sm(g->dispatcher, i), 1, UINT32_MAX);
    }
}

/* From the interconnect to an SM, in cycles of the SM. */
static uint32_t to_sm(const struct gpu *g)
{
    const struct gpu_config *c = &g->cfg;

    return scale_cycles(c->icnt.latency, c->icnt.clock, c->gpu.sm_clock);
}

static void new_parts(struct gpu *g, const struct mem_parts *parts)
{
    const struct gpu_config *c = &g->cfg;
    uint32_t to_l2 = scale_cycles(c->icnt.latency, c->icnt.clock, c->l2.clock);

    g->part = sim_alloc(g->sim, g->n_parts * sizeof(g->part[0]));
    g->l2 = sim_alloc(g->sim, g->n_parts * sizeof(g->l2[0]));
    g->dram = sim_alloc(g->sim, g->n_parts * sizeof(g->dram[0]));
    g->part_stats =
        sim_alloc(g->sim, g->shared.max_launches * sizeof(g->part_stats[0]));
    for (uint32_t p = 0; p < g->n_parts; p++) {
        char name[16];

        (void)snprintf(name, sizeof(name), "part%u", p);
        sim_module_init(&g->part[p], g->sim, &g->root, &g->l2_clock, name);
        g->l2[p] = l2_new(&g->part[p], &g->l2_clock, &c->l2, parts, p, c->dram.burst,
                          &g->memory, g->part_stats);
        g->dram[p] =
            dram_new(&g->part[p], &g->dram_clock, &c->dram, parts, p, g->part_stats);
        sim_bind(icnt_to_part(g->icnt, p), l2_req(g->l2[p]), to_l2 + c->l2.latency);
        sim_bind(l2_rsp(g->l2[p]), icnt_from_part(g->icnt, p), 1);
        sim_bind(l2_dram(g->l2[p]), dram_req(g->dram[p]), 1);
        sim_bind(dram_rsp(g->dram[p]), l2_fill(g->l2[p]), 1);
    }
    for (uint32_t i = 0; i < g->n_sms; i++) {
        bind(g, sm_down(g->sm[i]), icnt_from_sm(g->icnt, i), 1, L1_SENDS);
        bind(g, icnt_to_sm(g->icnt, i), sm_up(g->sm[i]), to_sm(g), 0);
    }
}

/* SPEC CLUSTER-3 */
static void new_net(struct gpu *g)
{
    const uint32_t way = g->cfg.sm.net.latency, meet = g->cfg.sm.net.barrier - 1;

    if (g->rules.max_cluster == 0) {
        return;
    }
    g->net = net_new(&g->root, &g->cfg.sm.net, g->n_sms, g->cfg.sm.sm.max_blocks);
    for (uint32_t i = 0; i < g->n_sms; i++) {
        bind(g, sm_away(g->sm[i]), net_req(g->net, i), 1, UINT32_MAX);
        bind(g, net_serve(g->net, i), sm_serve(g->sm[i]), way, 0);
        bind(g, sm_back(g->sm[i]), net_back(g->net, i), 1, UINT32_MAX);
        bind(g, net_answer(g->net, i), sm_answer(g->sm[i]), way, 0);
        bind(g, sm_arrive(g->sm[i]), net_arrive(g->net, i), 1, UINT32_MAX);
        bind(g, net_release(g->net, i), sm_release(g->sm[i]), meet, 0);
    }
}

sim_cycle_t gpu_unreached_until(const void *gpu, uint32_t sm)
{
    const struct dispatcher *d = ((const struct gpu *)gpu)->dispatcher;

    return dispatcher_resident(d) != 1 || dispatcher_has_clusters(d)
               ? 0
               : dispatcher_quiet_until(d, sm);
}

static void split_all(struct gpu *g)
{
    for (uint32_t i = 0; i < g->n_sms; i++) {
        sm_split(g->sm[i], g->split.shared, g->split.l1);
    }
}

bool gpu_init(struct gpu *g, const struct gpu_config *cfg, const struct smw_team *team,
              struct smw_err *e)
{
    const struct rules_cc *rules = NULL;
    const struct dispatcher_pace pace = {
        .interval = cfg->gpu.dispatch_interval,
        .width = cfg->gpu.dispatch_width,
        .flush_latency = cfg->gpu.flush_latency,
        .refill_latency = cfg->gpu.refill_latency,
        .refill_interval = cfg->gpu.refill_interval,
    };
    struct dispatcher_limits limits;
    struct mem_parts parts;
    char path[256];

    memset(g, 0, sizeof(*g));
    g->cfg = *cfg;
    if (!gpu_config_check(cfg, &rules, &g->split, e) ||
        !memory_init(&g->memory, cfg->dram.size, e)) {
        return false;
    }
    g->start = g->split;
    g->rules = *rules;
    smem_adapt_rules(&cfg->sm.smem, &g->rules);
    icnt_adapt_rules(&cfg->icnt, &g->rules);
    g->rules.l1_global = cfg->sm.l1.global ? RULES_L1_DEFAULT : RULES_L1_NEVER;
    g->sim = sim_new();
    g->n_sms = cfg->gpu.sms;
    g->n_parts = cfg->dram.channels;
    parts = mem_parts_of(g->n_parts, cfg->icnt.unit);
    clock_of(&g->sm_clock, g->sim, "sm", cfg->gpu.sm_clock);
    clock_of(&g->icnt_clock, g->sim, "icnt", cfg->icnt.clock);
    clock_of(&g->l2_clock, g->sim, "l2", cfg->l2.clock);
    clock_of(&g->dram_clock, g->sim, "dram", cfg->dram.clock);
    g->shared.rules = &g->rules;
    g->shared.memory = &g->memory;
    g->shared.spares = spare_moves_early(&cfg->ideal);
    g->shared.n_sms = g->n_sms;
    g->shared.has_net = g->rules.max_cluster != 0;
    g->shared.has_bulk = g->rules.cc >= 90 || cfg->gpu.what_if;
    g->shared.unreached_until = gpu_unreached_until;
    g->shared.reach_ctx = g;
    g->shared.lead = to_sm(g);
    g->shared.n_gpcs = cfg->gpu.gpcs;
    g->shared.max_launches =
        g->rules.max_grids < SM_MAX_LAUNCHES ? g->rules.max_grids : SM_MAX_LAUNCHES;
    sim_hook_init(&g->shared.fault, g->sim, "fault");
    sim_hook_init(&g->shared.printed, g->sim, "printf");
    sim_hook_init(&g->shared.planned, g->sim, "planned");
    sim_hook_init(&g->shared.staged, g->sim, "staged");
    sim_hook_init(&g->shared.executed, g->sim, "executed");
    sim_module_init(&g->root, g->sim, NULL, &g->sm_clock, "gpu");
    limits = (struct dispatcher_limits){
        .blocks = cfg->sm.sm.max_blocks,
        .warps = cfg->sm.sm.max_warps,
        .regs = g->rules.regs,
        .shared_bytes = g->split.shared * 1024,
    };
    g->dispatcher = dispatcher_new(&g->root, g->n_sms, &pace, &limits);
    dispatcher_tell(g->dispatcher, &g->shared.staged);
    dispatcher_gpcs(g->dispatcher, cfg->gpu.gpcs);
    new_sms(g, team != NULL && g->n_sms > 1);
    g->icnt =
        icnt_new(&g->root, &g->icnt_clock, &cfg->icnt, &g->rules, g->n_sms, &parts);
    icnt_set_places(g->icnt, cfg->l2.queue_data, cfg->l2.queue);
    new_parts(g, &parts);
    new_net(g);
    if (g->own_clock != NULL) {
        g->ahead = ahead_new(g, to_sm(g), team);
    }
    split_all(g);
    SIM_REQUIRE(g->sim, sim_check_bound(&g->root, path, sizeof(path)), path);
    return true;
}

void gpu_free(struct gpu *g)
{
    for (uint32_t i = 0; g->sm != NULL && i < g->n_sms; i++) {
        sm_free(g->sm[i]);
    }
    memory_free(&g->memory);
    sim_free(g->sim);
}

enum sim_status gpu_run(struct gpu *g, sim_time_t until, uint64_t max_instants)
{
    return g->ahead != NULL ? ahead_run(g->ahead, until, max_instants)
                            : sim_run(g->sim, until, max_instants);
}

sim_time_t gpu_reached(const struct gpu *g)
{
    sim_time_t reached = sim_now(g->sim);

    for (uint32_t i = 0; g->ahead == NULL && i < g->n_sms; i++) {
        sim_time_t t = sim_edge(&g->sm_clock, sm_reached(g->sm[i]));

        reached = t > reached ? t : reached;
    }
    return reached;
}

uint64_t gpu_activations(const struct gpu *g)
{
    uint64_t n = sim_counters(g->sim)->activations;

    for (uint32_t i = 0; g->ahead != NULL && i < g->n_sms; i++) {
        n += sim_counters(g->own_clock[i].sim)->activations;
    }
    return n;
}

void gpu_split(struct gpu *g, struct rules_split split)
{
    const struct sm_set *touched = dispatcher_touched(g->dispatcher);
    bool same = split.shared == g->split.shared && split.l1 == g->split.l1;

    g->split = split;
    if (!same) {
        dispatcher_shared(g->dispatcher, split.shared * 1024);
        split_all(g);
    } else {
        for (uint32_t i = sm_set_next(touched, 0); i < SM_SET_MAX;
             i = sm_set_next(touched, i + 1)) {
            sm_split(g->sm[i], split.shared, split.l1);
        }
    }
    dispatcher_rested(g->dispatcher);
}

void gpu_counters(const struct gpu *g, uint32_t i, struct smw_counters *out)
{
    const struct sm_set *sms = &dispatcher_launch(g->dispatcher, i)->sms;

    for (uint32_t s = sm_set_next(sms, 0); s < SM_SET_MAX;
         s = sm_set_next(sms, s + 1)) {
        stat_add(out, sm_counters(g->sm[s], i));
    }
    stat_add(out, &g->part_stats[i]);
}

void gpu_places(const struct gpu *g, uint32_t i, struct stalls *out, uint32_t n)
{
    const struct sm_set *sms = &dispatcher_launch(g->dispatcher, i)->sms;

    for (uint32_t s = sm_set_next(sms, 0); s < SM_SET_MAX;
         s = sm_set_next(sms, s + 1)) {
        const struct stalls *of = sm_places(g->sm[s], i);

        for (uint32_t pc = 0; of != NULL && pc < n; pc++) {
            for (uint32_t k = 0; k < STALL_N; k++) {
                out[pc].n[k] += of[pc].n[k];
            }
        }
    }
}

void gpu_begin(struct gpu *g, uint32_t i)
{
    const struct sm_set *touched = dispatcher_touched(g->dispatcher);
    const struct sm_set *sms = &dispatcher_launch(g->dispatcher, i)->sms;

    for (uint32_t s = sm_set_next(sms, 0); s < SM_SET_MAX;
         s = sm_set_next(sms, s + 1)) {
        sm_begin(g->sm[s], i); /* the last launch of this index left counters */
    }
    for (uint32_t s = sm_set_next(touched, 0); s < SM_SET_MAX;
         s = sm_set_next(touched, s + 1)) {
        sm_forget(g->sm[s]);
    }
    memset(&g->part_stats[i], 0, sizeof(g->part_stats[i]));
    for (uint32_t p = 0; p < g->n_parts; p++) {
        l2_launch_begins(g->l2[p]);
    }
}
