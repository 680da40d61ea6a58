#include "gpu/launch.h"

static uint32_t round_up(uint32_t v, uint32_t unit)
{
    return (v + unit - 1) / unit * unit;
}

uint32_t launch_block_regs(const struct rules_cc *r, const struct launch_need *need)
{
    bool doubled = need->regs < 64 && (r->doubled_reg_unit >> need->regs & 1u) != 0;
    uint32_t unit = doubled ? 2 * r->reg_unit : r->reg_unit;

    if (r->regs_per_block) {
        return round_up(round_up(need->warps, r->warp_granularity) * PTX_LANES *
                            need->regs,
                        unit);
    }
    return need->warps * round_up(PTX_LANES * need->regs, unit);
}

/* Blocks that the register file holds. */
static uint32_t by_registers(const struct rules_cc *r, const struct launch_need *need)
{
    uint32_t per_block = launch_block_regs(r, need);
    uint32_t warps;

    if (r->regs_per_block) {
        return r->regs / per_block;
    }
    warps = r->regs / (per_block / need->warps);
    return warps / r->warp_granularity * r->warp_granularity / need->warps;
}

struct launch_fit launch_occupancy(const struct rules_cc *r, uint32_t max_blocks,
                                   uint32_t max_warps, uint32_t shared_kb,
                                   const struct launch_need *need)
{
    struct launch_fit f = {.blocks = max_blocks, .limiter = "blocks"};
    uint32_t by_warps = max_warps / need->warps;
    uint32_t by_regs = by_registers(r, need);

    f.shared_alloc = round_up(need->shared_bytes + r->shared_reserved, r->shared_unit);
    if (by_warps < f.blocks) {
        f.blocks = by_warps;
        f.limiter = "warps";
    }
    if (by_regs < f.blocks) {
        f.blocks = by_regs;
        f.limiter = "registers";
    }
    if (f.shared_alloc != 0 && shared_kb * 1024 / f.shared_alloc < f.blocks) {
        f.blocks = shared_kb * 1024 / f.shared_alloc;
        f.limiter = "shared memory";
    }
    return f;
}

const char *launch_error_name(const struct rules_cc *r, enum launch_error what,
                              uint32_t *number)
{
    static const struct {
        const char *name;
        uint32_t cuda55, cuda13;
    } errors[] = {
        [LAUNCH_INVALID_VALUE] = {"cudaErrorInvalidValue", 11, 1},
        [LAUNCH_INVALID_CONFIGURATION] = {"cudaErrorInvalidConfiguration", 9, 9},
        [LAUNCH_OUT_OF_RESOURCES] = {"cudaErrorLaunchOutOfResources", 7, 701},
        [LAUNCH_INVALID_FUNCTION] = {"cudaErrorInvalidDeviceFunction", 8, 98},
    };

    *number = r->cuda13_errors ? errors[what].cuda13 : errors[what].cuda55;
    return errors[what].name;
}

bool launch_refuse(const struct rules_cc *r, enum launch_error what, struct err *e)
{
    uint32_t number;
    const char *name = launch_error_name(r, what, &number);

    err_hint(e, "the CUDA runtime reports %s (%u)", name, number);
    return false;
}

/* A request that can never be satisfied. */
static bool refuse_config(const struct rules_cc *r, struct err *e)
{
    return launch_refuse(r,
                         r->cuda13_errors ? LAUNCH_INVALID_VALUE
                                          : LAUNCH_INVALID_CONFIGURATION,
                         e);
}

static bool check_shape(const struct rules_cc *r, const char *what, const uint32_t v[3],
                        const uint32_t limit[3], struct err *e)
{
    static const char axis[] = "xyz";

    for (uint32_t d = 0; d < 3; d++) {
        if (v[d] == 0 || v[d] > limit[d]) {
            (void)err_set(e, ERR_INPUT,
                          "%s: %u in %c; compute capability %u.%u allows 1 to "
                          "%u",
                          what, v[d], axis[d], r->cc / 10, r->cc % 10, limit[d]);
            return refuse_config(r, e);
        }
    }
    return true;
}

static bool check_directives(const struct rules_cc *r, const struct ptx_kernel *k,
                             const struct smw_launch *l, uint32_t threads,
                             struct err *e)
{
    uint64_t max = (uint64_t)k->maxntid[0] * (k->maxntid[1] != 0 ? k->maxntid[1] : 1) *
                   (k->maxntid[2] != 0 ? k->maxntid[2] : 1);

    if (max != 0 && threads > max) {
        (void)err_set(e, ERR_INPUT,
                      "block: %u threads; the kernel was compiled for at most "
                      "%llu (.maxntid)",
                      threads, (unsigned long long)max);
        return refuse_config(r, e);
    }
    for (uint32_t d = 0; d < 3 && k->reqntid[0] != 0; d++) {
        uint32_t want = k->reqntid[d] != 0 ? k->reqntid[d] : 1;

        if (l->block[d] != want) {
            (void)err_set(e, ERR_INPUT,
                          "block: the kernel was compiled for %u x %u x %u "
                          "threads (.reqntid)",
                          k->reqntid[0], k->reqntid[1] != 0 ? k->reqntid[1] : 1,
                          k->reqntid[2] != 0 ? k->reqntid[2] : 1);
            return refuse_config(r, e);
        }
    }
    return true;
}

bool launch_check(const struct rules_cc *r, const struct ptx_kernel *k,
                  const struct smw_launch *l, struct launch_need *need, struct err *e)
{
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    uint64_t shared = k->dynamic_base > k->shared_bytes && l->shared != 0
                          ? k->dynamic_base + l->shared
                          : k->shared_bytes + l->shared;
    uint32_t regs, limit;

    if (!check_shape(r, "grid", l->grid, r->max_grid, e) ||
        !check_shape(r, "block", l->block, r->max_block, e)) {
        return false;
    }
    if (threads > r->max_threads) {
        (void)err_set(e, ERR_INPUT,
                      "block: %llu threads; compute capability %u.%u allows %u",
                      (unsigned long long)threads, r->cc / 10, r->cc % 10,
                      r->max_threads);
        return refuse_config(r, e);
    }
    if (!check_directives(r, k, l, (uint32_t)threads, e)) {
        return false;
    }
    limit = l->opt_in_shared ? r->max_shared_opt_in : r->max_shared_static;
    if (l->shared > limit || shared > limit) {
        (void)err_set(e, ERR_INPUT,
                      "shared: %u static and %llu dynamic bytes; compute "
                      "capability %u.%u allows %u per block",
                      k->shared_bytes, (unsigned long long)l->shared, r->cc / 10,
                      r->cc % 10, limit);
        return refuse_config(r, e);
    }
    if (k->param_bytes > r->max_param_bytes) {
        (void)err_set(e, ERR_INPUT,
                      "args: %u bytes of parameters; compute capability %u.%u "
                      "allows %u",
                      k->param_bytes, r->cc / 10, r->cc % 10, r->max_param_bytes);
        return launch_refuse(r, LAUNCH_OUT_OF_RESOURCES, e);
    }
    if (k->local_bytes > r->max_local_bytes) {
        return err_set(e, ERR_INPUT,
                       "the kernel needs %u bytes of local memory per thread; "
                       "compute capability %u.%u allows %u",
                       k->local_bytes, r->cc / 10, r->cc % 10, r->max_local_bytes);
    }
    regs = l->regs != 0 ? l->regs : k->regs;
    regs = regs == 0 ? 1 : regs;
    if (l->regs == 0 && regs > r->max_regs_per_thread) {
        regs = r->max_regs_per_thread; /* the assembler would spill */
    }
    if (regs > r->max_regs_per_thread) {
        (void)err_set(e, ERR_INPUT,
                      "regs: %u per thread; compute capability %u.%u has %u", regs,
                      r->cc / 10, r->cc % 10, r->max_regs_per_thread);
        return launch_refuse(r, LAUNCH_OUT_OF_RESOURCES, e);
    }
    if (r->param_shared_base != 0) {
        shared += (r->param_shared_base + k->param_bytes + 3u) & ~3u;
    }
    need->threads = (uint32_t)threads;
    need->warps = (uint32_t)((threads + PTX_LANES - 1) / PTX_LANES);
    need->regs = regs;
    need->shared_bytes = (uint32_t)shared;
    return true;
}
