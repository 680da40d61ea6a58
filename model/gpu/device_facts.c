/* device_facts.c - what a device-query program prints, from a configuration. */
#include "gpu/device_priv.h"

#include <stdio.h>
#include <string.h>

/* The first words of what a preset says of itself, up to a comma, name the device. */
static void name_device(const char *config, char *name, size_t size)
{
    (void)snprintf(name, size, "%s", config);
    for (uint32_t i = 0; smw_preset_name(i) != NULL; i++) {
        if (strcmp(smw_preset_name(i), config) == 0) {
            const char *doc = smw_preset_doc(i);

            (void)snprintf(name, size, "%.*s", (int)strcspn(doc, ","), doc);
        }
    }
}

static uint32_t bus_bits(const struct dram_config *m)
{
    return m->burst * 8 * m->channels * m->pseudo_channels / m->burst_cycles /
           m->data_rate;
}

static void describe(const struct gpu_config *g, const struct rules_cc *r,
                     const char *name, struct smw_device_facts *f)
{
    *f = (struct smw_device_facts){
        .cc_major = r->cc / 10,
        .cc_minor = r->cc % 10,
        .sms = g->gpu.sms,
        .warp_size = ISA_LANES,
        .max_threads_per_block = r->max_threads,
        .max_threads_per_sm = g->sm.sm.max_warps * ISA_LANES,
        .max_blocks_per_sm = g->sm.sm.max_blocks,
        .max_block = {r->max_block[0], r->max_block[1], r->max_block[2]},
        .max_grid = {r->max_grid[0], r->max_grid[1], r->max_grid[2]},
        .regs_per_thread = r->max_regs_per_thread,
        .regs_per_block = r->max_regs_per_block,
        .regs_per_sm = r->regs,
        .shared_per_block = r->max_shared_static,
        .shared_per_block_optin = r->max_shared_opt_in,
        .shared_per_sm = split_largest(r).shared * 1024,
        .reserved_shared_per_block = r->shared_reserved,
        .shared_banks = r->banks,
        .shared_bank_bytes = r->bank_bytes,
        .concurrent_kernels = r->max_grids,
        .const_bytes = r->max_const_bytes,
        .local_bytes_per_thread = r->max_local_bytes,
        .param_bytes = r->max_param_bytes,
        .memory_bytes = g->dram.size,
        .l2_bytes = g->l2.size,
        .bus_bits = bus_bits(&g->dram),
        .memory_data_rate = g->dram.data_rate,
        .sm_hz = g->gpu.sm_clock,
        .memory_hz = g->dram.clock,
        .memory_bytes_per_s = dram_peak(&g->dram),
    };
    name_device(name, f->name, sizeof(f->name));
}

bool smw_config_facts(const struct smw_config *c, struct smw_device_facts *f,
                      struct smw_err *e)
{
    const struct rules_cc *rules;
    struct rules_split start;

    if (!err_given(c, "smw_config_facts: the configuration", e) ||
        !err_given(f, "smw_config_facts: where the facts go", e) ||
        !gpu_config_check(&c->gpu, &rules, &start, e)) {
        return false;
    }
    describe(&c->gpu, rules, c->name, f);
    return true;
}

void smw_device_facts(const struct smw_device *d, struct smw_device_facts *f)
{
    if (f == NULL) {
        return;
    }
    memset(f, 0, sizeof(*f));
    if (d != NULL) {
        describe(&d->gpu.cfg, &d->gpu.rules, d->name, f);
    }
}
