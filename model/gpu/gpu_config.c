#include "gpu/gpu_config.h"

#include "gpu/split.h"
#include "gpu/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cfg_field gpu_fields[] = {
    CFG_U32(struct gpu_top_config, sms, 1, 15, 144, CFG_PLAIN, 0,
            "streaming multiprocessors", "DEVICE-2"),
    CFG_TEXT(struct gpu_top_config, compute_capability, "2.0",
             "rules of banks, coalescing, partition and launches", "DEVICE-1"),
    {.name = "clock",
     .type = CFG_TYPE_U64,
     .unit = CFG_HZ,
     .offset = offsetof(struct gpu_top_config, sm_clock),
     .min = 1000000,
     .def = 1400000000,
     .max = 10000000000,
     .doc = "shader clock, of the SMs",
     .rule = "TIME-2"},
    CFG_BOOL(struct gpu_top_config, what_if, 0,
             "allow what the capability lacks, such as a 32/32 split on 2.x",
             "DEVICE-1"),
    CFG_U32(struct gpu_top_config, launch_latency, 1, 300, 100000, CFG_CYCLES, 0,
            "launch to its first block", "TIME-3"),
    CFG_U32(struct gpu_top_config, dispatch_interval, 1, 2, 1000, CFG_CYCLES, 0,
            "cycles between two turns of the dispatcher", "TIME-3"),
    CFG_U32(struct gpu_top_config, dispatch_width, 1, 1, 256, CFG_PLAIN, 0,
            "blocks dispatched in a turn, at most", "TIME-3"),
    CFG_U32(struct gpu_top_config, flush_latency, 0, 0, 100000, CFG_CYCLES, 0,
            "end of a block that has stored to its being away, at least", "TIME-3"),
    CFG_U32(struct gpu_top_config, refill_latency, 0, 0, 100000, CFG_CYCLES, 0,
            "a block's being away to its place being free for one that waits",
            "TIME-3"),
    CFG_U32(struct gpu_top_config, refill_interval, 0, 0, 1000, CFG_CYCLES, 0,
            "cycles between two places of ended blocks that become free, of all SMs",
            "TIME-3"),
    CFG_U32(struct gpu_top_config, gpcs, 1, 1, 64, CFG_PLAIN, 0,
            "clusters of SMs (GPCs), whose SMs get their parameters one by one",
            "TIME-4"),
};
static const struct cfg_table gpu_keys = CFG_TABLE(gpu_fields);

static const char *const schedule_names[] = {
    [GPU_SCHEDULE_ASSEMBLER] = "assembler",
    [GPU_SCHEDULE_AS_WRITTEN] = "as_written",
};
static const struct cfg_field ptx_fields[] = {
    CFG_CHOICE(struct ptx_config, schedule, schedule_names, GPU_SCHEDULE_ASSEMBLER,
               "what runs: what an assembler makes of the PTX text, or the text itself",
               "PTX-1"),
    CFG_BOOL(struct ptx_config, fmad, 1,
             "in an assembler's order, a product without a rounding and the sum that "
             "reads it are one multiply-add, rounded once",
             "PTX-5"),
};
static const struct cfg_table ptx_keys = CFG_TABLE(ptx_fields);

#define GROUP(key, fields, member)                                                     \
    {                                                                                  \
        .prefix = (key), .table = &(fields),                                           \
        .offset = offsetof(struct gpu_config, member)                                  \
    }

static const struct cfg_group groups[] = {
    GROUP("gpu", gpu_keys, gpu),
    GROUP("sm", sm_keys, sm.sm),
    GROUP("sm.pipe", pipe_keys, sm.pipes),
    GROUP("sm.onchip", onchip_keys, sm.onchip),
    GROUP("sm.lsu", lsu_keys, sm.lsu),
    GROUP("sm.smem", smem_keys, sm.smem),
    GROUP("sm.cbank", cbank_keys, sm.cbank),
    GROUP("sm.net", net_keys, sm.net),
    GROUP("sm.bulk", bulk_keys, sm.bulk),
    GROUP("sm.l1", l1_keys, sm.l1),
    GROUP("icnt", icnt_keys, icnt),
    GROUP("l2", l2_keys, l2),
    GROUP("dram", dram_keys, dram),
    GROUP("ptx", ptx_keys, ptx),
    GROUP("host", link_keys, link),
    GROUP("host", host_keys, host),
    GROUP("ideal", ideal_keys, ideal),
};

static const struct cfg_retired retired[] = {
    {"sm.pipe.mem.latency",
     "leave it out, it changed nothing: sm.smem.latency, "
     "sm.l1.latency, sm.cbank.latency ... say when a load is back"},
    {"sm.pipe.ctrl.latency", "leave it out, it changed nothing: sm.branch_latency says "
                             "when a warp goes on behind a branch"},
    {"sm.pipe.bar.latency", "leave it out, it changed nothing: sm.barrier_latency says "
                            "when a warp goes on behind a barrier"},
};

const struct cfg_schema gpu_schema = {groups, ARRAY_LEN(groups), retired,
                                      ARRAY_LEN(retired)};

/* ---- rules across keys ---- */

static bool find_rules(const struct gpu_config *c, const struct rules_cc **rules,
                       struct smw_err *e)
{
    const char *text = c->gpu.compute_capability;
    char known[RULES_NAMES_SIZE];
    const struct rules_cc *r = rules_named(text, known);

    if (r != NULL) {
        *rules = r;
        return true;
    }
    (void)err_set(e, SMW_ERR_CONFIG,
                  "gpu.compute_capability: there are no rules for \"%s\"", text);
    err_hint(e, "known: %s", known);
    return false;
}

/* "48/16": two numbers of KB. */
static bool parse_split(const char *text, struct rules_split *s)
{
    char *end;
    unsigned long shared = strtoul(text, &end, 10);
    unsigned long l1;

    if (end == text || *end != '/' || text[0] == '-') {
        return false;
    }
    text = end + 1;
    l1 = strtoul(text, &end, 10);
    if (end == text || *end != '\0' || text[0] == '-' || shared > 1024 || l1 > 1024) {
        return false;
    }
    s->shared = (uint32_t)shared;
    s->l1 = (uint32_t)l1;
    return true;
}

bool gpu_config_chooses_split(const struct gpu_config *c)
{
    return strcmp(c->sm.onchip.partition, "auto") == 0;
}

static bool check_split(const struct gpu_config *c, const struct rules_cc *r,
                        struct rules_split *s, struct smw_err *e)
{
    const char *text = c->sm.onchip.partition;
    char known[160] = "";
    bool has = false;
    size_t n = 0;

    if (gpu_config_chooses_split(c)) {
        if (!r->carveout) {
            (void)
                err_set(e, SMW_ERR_CONFIG,
                        "sm.onchip.partition: the driver chooses from 7.0 on, not for "
                        "compute capability %u.%u",
                        r->cc / 10, r->cc % 10);
            err_hint(e, "name the split that a device starts with, such as %u/%u",
                     r->split[0].shared, r->split[0].l1);
            return false;
        }
        *s = split_largest(r);
    } else if (!parse_split(text, s)) {
        return err_set(e, SMW_ERR_CONFIG,
                       "sm.onchip.partition: \"%s\" is not shared/L1 in KB, such as "
                       "48/16, nor auto",
                       text);
    }
    for (uint32_t i = 0; i < r->n_splits; i++) {
        has |= r->split[i].shared == s->shared && r->split[i].l1 == s->l1;
        n += (size_t)snprintf(known + n, sizeof(known) - n, "%s%u/%u",
                              i == 0 ? "" : ", ", r->split[i].shared, r->split[i].l1);
    }
    if (!has && !c->gpu.what_if) {
        (void)err_set(e, SMW_ERR_CONFIG,
                      "sm.onchip.partition: compute capability %u.%u has no %s split",
                      r->cc / 10, r->cc % 10, text);
        err_hint(e, "it has %s; gpu.what_if=true allows others", known);
        return false;
    }
    if ((s->shared + (r->l1_separate ? 0 : s->l1)) * 1024 > c->sm.onchip.size) {
        return err_set(e, SMW_ERR_CONFIG,
                       "sm.onchip.partition: %s does not fit an array of %u bytes",
                       text, c->sm.onchip.size);
    }
    return true;
}

static bool at_most(struct smw_err *e, const char *key, uint32_t value, uint32_t limit,
                    const struct rules_cc *r, bool what_if)
{
    if (value <= limit || what_if) {
        return true;
    }
    (void)err_set(e, SMW_ERR_CONFIG,
                  "%s: %u is more than compute capability %u.%u has (%u)", key, value,
                  r->cc / 10, r->cc % 10, limit);
    err_hint(e, "gpu.what_if=true allows it");
    return false;
}

static bool check_l2(const struct gpu_config *c, const struct rules_cc *r,
                     struct smw_err *e)
{
    if ((c->l2.size != 0) != r->l2_caches && !c->gpu.what_if) {
        (void)err_set(e, SMW_ERR_CONFIG, "l2.size: compute capability %u.%u has %s",
                      r->cc / 10, r->cc % 10,
                      r->l2_caches ? "an L2" : "no L2 for data");
        err_hint(e, "%s, or gpu.what_if=true",
                 r->l2_caches ? "l2.size: the bytes of all slices" : "l2.size=0");
        return false;
    }
    if (c->l2.size != 0 && c->l2.size / c->dram.channels / MEM_LINE < c->l2.ways) {
        return err_set(
            e, SMW_ERR_CONFIG,
            "l2.size: %llu bytes over %u slices leave less than one set of %u "
            "lines",
            (unsigned long long)c->l2.size, c->dram.channels, c->l2.ways);
    }
    return true;
}

/* SPEC DRAM-5, DRAM-7: a drain can begin and end; banks are not always refreshed. */
static bool check_dram(const struct dram_config *c, struct smw_err *e)
{
    if (c->write_high > c->writes) {
        return err_set(e, SMW_ERR_CONFIG,
                       "dram.write_high: %u is more than dram.writes (%u)",
                       c->write_high, c->writes);
    }
    if (c->write_low >= c->write_high) {
        return err_set(e, SMW_ERR_CONFIG,
                       "dram.write_low: %u is not below dram.write_high (%u)",
                       c->write_low, c->write_high);
    }
    if (c->refi != 0 && c->refi < dram_least_refi(c)) {
        return err_set(e, SMW_ERR_CONFIG,
                       "dram.refi: %u cycles leave no time between refreshes, it takes "
                       "%u or more (or 0: none)",
                       c->refi, dram_least_refi(c));
    }
    return true;
}

/* A level of the constant cache has at least one set, or is not there. */
static bool check_cbank(const struct cbank_config *c, struct smw_err *e)
{
    const uint32_t size[] = {c->size, c->l15_size};

    for (uint32_t i = 0; i < ARRAY_LEN(size); i++) {
        if (size[i] != 0 && size[i] < c->line * c->ways) {
            return err_set(e, SMW_ERR_CONFIG,
                           "sm.cbank.%s: %u bytes are less than one set of %u lines of "
                           "%u bytes",
                           i == 0 ? "size" : "l15_size", size[i], c->ways, c->line);
        }
    }
    return true;
}

/* SPEC BANK-13: other banks than the capability has are what if. */
static bool check_banks(const struct gpu_config *c, const struct rules_cc *r,
                        struct smw_err *e)
{
    const struct smem_config *m = &c->sm.smem;

    if (c->gpu.what_if) {
        return true;
    }
    if (m->banks != r->banks) {
        (void)err_set(e, SMW_ERR_CONFIG,
                      "sm.smem.banks: compute capability %u.%u has %u banks, not %u",
                      r->cc / 10, r->cc % 10, r->banks, m->banks);
        err_hint(e, "gpu.what_if=true, with 16, 32, 64 or 128 banks");
        return false;
    }
    if (m->bank_mode > r->bank_bytes) {
        (void)err_set(
            e, SMW_ERR_CONFIG,
            "sm.smem.bank_mode: compute capability %u.%u has %s-byte banks only",
            r->cc / 10, r->cc % 10, r->bank_bytes == 8 ? "4- and 8" : "4");
        err_hint(e, m->bank_mode == 8 ? "8-byte banks: 3.0 to 3.7, or gpu.what_if=true"
                                      : "gpu.what_if=true");
        return false;
    }
    return true;
}

bool gpu_config_check(const struct gpu_config *c, const struct rules_cc **rules,
                      struct rules_split *split, struct smw_err *e)
{
    const struct rules_cc *r = NULL;
    struct rules_split s;

    if (!find_rules(c, &r, e) || !check_split(c, r, &s, e) ||
        !at_most(e, "sm.max_warps", c->sm.sm.max_warps, r->max_warps, r,
                 c->gpu.what_if) ||
        !at_most(e, "sm.max_blocks", c->sm.sm.max_blocks, r->max_blocks, r,
                 c->gpu.what_if) ||
        !at_most(e, "sm.onchip.size", c->sm.onchip.size, r->onchip_kb * 1024, r,
                 c->gpu.what_if)) {
        return false;
    }
    if (!check_banks(c, r, e)) {
        return false;
    }
    if (c->sm.l1.global && r->l1_global == RULES_L1_NEVER && !c->gpu.what_if) {
        (void)
            err_set(e, SMW_ERR_CONFIG,
                    "sm.l1.global: compute capability %u.%u caches no global loads in "
                    "an L1",
                    r->cc / 10, r->cc % 10);
        err_hint(e, "sm.l1.global=false, or gpu.what_if=true");
        return false;
    }
    if (c->sm.l1.ways * MEM_LINE > s.l1 * 1024 && s.l1 != 0) {
        return err_set(e, SMW_ERR_CONFIG, "sm.l1.ways: %u lines do not fit %u KB of L1",
                       c->sm.l1.ways, s.l1);
    }
    if (!check_l2(c, r, e) || !check_dram(&c->dram, e) ||
        !check_cbank(&c->sm.cbank, e) || !spare_check(&c->ideal, e)) {
        return false;
    }
    *rules = r;
    *split = s;
    return true;
}
