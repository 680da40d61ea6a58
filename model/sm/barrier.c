#include "sm/barrier.h"

#include "base/bits.h"

#include <string.h>

static uint32_t operand(const struct isa_lanes *lanes, isa_ref ref, uint32_t lane)
{
    if (ref >= 0) {
        return lanes->r[(size_t)ref * ISA_LANES + lane];
    }
    return lanes->k[(size_t)(-1 - ref) * ISA_LANES + lane];
}

struct barrier_call barrier_operands(const struct isa_uop *u,
                                     const struct isa_lanes *lanes, uint32_t mask)
{
    uint32_t lane = attr_lowest_bit(mask);

    return (struct barrier_call){.id = operand(lanes, u->src[0], lane),
                                 .threads = u->src[1] == ISA_NO_REF
                                                ? 0
                                                : operand(lanes, u->src[1], lane)};
}

enum barrier_refusal barrier_exists(struct barrier_call call)
{
    if (call.id >= BARRIERS) {
        return BARRIER_NONE;
    }
    return call.threads % ISA_LANES != 0 ? BARRIER_ODD : BARRIER_FINE;
}

enum barrier_refusal barrier_together(const struct barrier *b, const struct isa_uop *u,
                                      uint32_t threads)
{
    bool aligned = (u->form.flags & ISA_F_ALIGNED) != 0;

    if (b->arrived == 0) {
        return BARRIER_FINE;
    }
    if (b->expected != threads / ISA_LANES) {
        return BARRIER_COUNT;
    }
    return threads == 0 && aligned && b->uop != u ? BARRIER_APART : BARRIER_FINE;
}

/* What the lanes say for bar.red. */
static void gather(struct barrier *b, const struct isa_uop *u,
                   const struct isa_lanes *lanes, uint32_t mask)
{
    uint32_t p;

    if (u->form.sub != ISA_S_RED_POPC && u->form.sub != ISA_S_RED_AND &&
        u->form.sub != ISA_S_RED_OR) {
        return;
    }
    p = u->src[2] == ISA_P_TRUE    ? UINT32_MAX
        : u->src[2] == ISA_P_FALSE ? 0
                                   : lanes->p[u->src[2]];
    p = ((u->neg_src >> 2 & 1u) != 0 ? ~p : p) & mask;
    if (b->arrived == 0) {
        b->all = true;
    }
    b->count += bits_count(p);
    b->all = b->all && p == mask;
    b->any = b->any || p != 0;
}

bool barrier_come(struct barrier *b, uint32_t i, uint32_t threads,
                  const struct isa_uop *u, const struct isa_lanes *lanes, uint32_t mask)
{
    bool waits = u->form.sub != ISA_S_ARRIVE;

    gather(b, u, lanes, mask);
    if (b->arrived == 0) {
        b->uop = u;
        b->first = i;
    }
    b->arrived++;
    b->expected = threads / ISA_LANES;
    b->waiting |= (uint64_t)waits << i;
    return waits;
}

struct barrier barrier_release(struct barrier *b)
{
    struct barrier was = *b;

    memset(b, 0, sizeof(*b));
    return was;
}

void barrier_result(const struct barrier *b, const struct isa_uop *u,
                    const struct isa_lanes *lanes, uint32_t mask)
{
    bool value = u->form.sub == ISA_S_RED_AND ? b->all : b->any;

    if (u->dst[0] == ISA_NO_REF) {
        return;
    }
    if (u->form.sub == ISA_S_RED_POPC) {
        for (uint32_t m = mask; m != 0; m &= m - 1) {
            lanes->r[(size_t)u->dst[0] * ISA_LANES + attr_lowest_bit(m)] = b->count;
        }
    } else if (u->form.sub == ISA_S_RED_AND || u->form.sub == ISA_S_RED_OR) {
        uint32_t *p = &lanes->p[u->dst[0]];

        *p = value ? *p | mask : *p & ~mask;
    }
}
