#include "ask/occupancy.h"

#include "io/num.h"
#include <string.h>

static struct rules_split choose(const struct occupancy_device *d,
                                 const struct occupancy_ask *a,
                                 const struct launch_need *need)
{
    const struct rules_cc *r = d->rules;
    struct split_wish w = {.kernel = a->cache,
                           .carveout = a->percent,
                           .start = d->start,
                           .automatic = d->automatic,
                           .shared_bytes = a->shared + r->shared_reserved,
                           .room_bytes =
                               launch_room(r, d->max_blocks, d->max_warps, need)};

    if (a->kb != UINT32_MAX) { /* the least that has so much */
        w.kernel = SMW_CACHE_NONE;
        w.automatic = false;
        w.start = split_at_least(r, a->kb);
    }
    return split_choose(r, &w, d->start);
}

static void refuse(struct occupancy_answer *w, const struct rules_cc *r,
                   enum launch_error what, const char *limiter)
{
    w->limiter = limiter;
    w->error = launch_error_name(r, what, &w->error_number);
}

struct occupancy_answer occupancy_answer(const struct occupancy_device *d,
                                         const struct occupancy_ask *a)
{
    const struct rules_cc *r = d->rules;
    struct launch_need need = {.threads = a->threads,
                               .warps = (a->threads + ISA_LANES - 1) / ISA_LANES,
                               .regs = a->regs,
                               .shared_bytes = a->shared};
    struct occupancy_answer w = {0};

    w.too_many = a->threads > r->max_threads;
    if (w.too_many && r->carveout) { /* as the runtime of 9.0 answers */
        refuse(&w, r, LAUNCH_INVALID_CONFIGURATION, "threads");
        return w;
    }
    if (a->shared > r->max_shared_opt_in) {
        refuse(&w, r, LAUNCH_INVALID_CONFIGURATION, "shared memory");
        return w;
    }
    if (a->regs > r->max_regs_per_thread) {
        refuse(&w, r, LAUNCH_OUT_OF_RESOURCES, "registers");
        return w;
    }
    w.within = true;
    w.split = choose(d, a, &need);
    w.fit = launch_occupancy(r, d->max_blocks, d->max_warps, w.split.shared, &need);
    w.blocks = w.fit.blocks;
    w.warps = w.blocks * need.warps;
    w.limiter = w.fit.limiter;
    w.block_regs = launch_block_regs(r, &need);
    if (w.too_many) { /* as the published calculator answers, 1.0 to 6.2 */
        refuse(&w, r, LAUNCH_INVALID_CONFIGURATION, w.fit.limiter);
    } else if (w.blocks == 0) {
        refuse(&w, r, LAUNCH_OUT_OF_RESOURCES, w.fit.limiter);
    }
    return w;
}

bool occupancy_carveout(const struct rules_cc *r, const char *text,
                        struct occupancy_ask *a, const char **why)
{
    char digits[16];
    size_t n = strspn(text, "0123456789");
    uint32_t value = 0;

    a->percent = -1;
    a->kb = UINT32_MAX;
    if (text[0] == '\0' || strcmp(text, "-1") == 0) {
        return true;
    }
    if (!r->carveout) {
        *why = "only 7.0 and later have a carveout";
        return false;
    }
    *why = "a carveout is a size in KB (64, 64KB) or a percentage (50%)";
    if (n == 0 || n >= sizeof(digits)) {
        return false;
    }
    snprintf(digits, sizeof(digits), "%.*s", (int)n, text);
    if (num_u32(digits, &value) != NUM_OK) {
        return false;
    }
    text += n;
    if (strcmp(text, "%") == 0) {
        *why = "a carveout is 100 percent at most";
        a->percent = (int32_t)value;
        return value <= 100;
    }
    if (text[0] != '\0' && strcmp(text, "KB") != 0 && strcmp(text, "kb") != 0) {
        return false;
    }
    *why = "the device has less shared memory";
    a->kb = value;
    return value <= split_largest(r).shared;
}

bool occupancy_cache(const char *text, struct occupancy_ask *a)
{
    static const char *const names[] = {"none", "shared", "l1", "equal"};

    a->cache = SMW_CACHE_NONE;
    for (uint32_t i = 0; i < ARRAY_LEN(names); i++) {
        if (strcmp(text, names[i]) == 0) {
            a->cache = (enum smw_cache_config)i;
            return true;
        }
    }
    return text[0] == '\0';
}
