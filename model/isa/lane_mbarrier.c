/* mbarrier objects: their 64 bits and what is done to them. */
#include "isa/lane.h"

/*
 * SPEC ASYNC-4. The layout is opaque to programs; that of arrivals and phase is what
 * states on an H100 show:
 *
 *   bits 0 to 19    arrivals that a phase expects
 *   bits 22 to 42   bytes still to come, two's complement
 *   bits 43 to 62   arrivals still to come in this phase, negative
 *   bit 63          parity of the phase
 */
enum { COUNT_BITS = 20, TX_AT = 22, TX_BITS = 21, PENDING_AT = 43, PHASE_AT = 63 };

#define COUNT_MASK ((1u << COUNT_BITS) - 1)
#define TX_MASK    ((1u << TX_BITS) - 1)

struct mbarrier {
    uint32_t pending, expected, tx, phase;
};

static inline uint32_t pending_of(uint64_t bits)
{
    return (0u - (uint32_t)(bits >> PENDING_AT)) & COUNT_MASK;
}

static struct mbarrier unpack(uint64_t bits)
{
    return (struct mbarrier){.pending = pending_of(bits),
                             .expected = (uint32_t)bits & COUNT_MASK,
                             .tx = (uint32_t)(bits >> TX_AT) & TX_MASK,
                             .phase = (uint32_t)(bits >> PHASE_AT)};
}

static uint64_t pack(const struct mbarrier *b)
{
    return (uint64_t)((0u - b->pending) & COUNT_MASK) << PENDING_AT |
           (uint64_t)(b->expected & COUNT_MASK) | (uint64_t)(b->tx & TX_MASK) << TX_AT |
           (uint64_t)b->phase << PHASE_AT;
}

/* The phase ends when nothing is missing any more. */
static bool complete(struct mbarrier *b)
{
    if ((b->pending & COUNT_MASK) != 0 || (b->tx & TX_MASK) != 0) {
        return false;
    }
    b->phase ^= 1;
    b->pending = b->expected;
    return true;
}

/* arrive, arrive_drop, with their .expect_tx. */
static bool arrive(const struct isa_form *f, struct mbarrier *b, uint32_t operand)
{
    const bool tx = (f->flags & ISA_F_TX) != 0;
    const uint32_t n = tx ? 1 : operand;

    b->tx += tx ? operand : 0;
    b->expected -= f->sub == ISA_S_DROP ? n : 0;
    b->pending -= n;
    return complete(b);
}

uint64_t isa_mbarrier(const struct isa_form *f, uint64_t old, uint64_t state,
                      uint32_t operand, uint64_t *result, bool *completed)
{
    const enum isa_sub sub = (enum isa_sub)f->sub;
    struct mbarrier b = unpack(old);
    bool over = false;

    *result = old;
    if (sub == ISA_S_INIT) {
        b = (struct mbarrier){.pending = operand, .expected = operand};
    } else if (sub == ISA_S_ARRIVE || sub == ISA_S_DROP) {
        over = arrive(f, &b, operand);
    } else if (sub == ISA_S_EXPECT_TX) {
        b.tx += operand;
    } else if (sub == ISA_S_COMPLETE_TX) {
        b.tx -= operand;
        over = complete(&b);
    } else if (sub == ISA_S_COUNT) {
        b.pending++;
    } else if (sub == ISA_S_TEST || sub == ISA_S_TRY) {
        *result = (f->flags & ISA_F_PARITY) != 0 ? b.phase != (operand & 1u)
                                                 : b.phase != unpack(state).phase;
    }
    *completed = over;
    return pack(&b);
}

LANE_OP1W(pending_count, u32, u64, pending_of(x));

static const struct lane_row rows[] = {
    ROWX(MBARRIER, T(B64), IADD, 1, pending_count, .sub = ISA_S_PENDING),
};

LANE_TABLE(lane_mbarrier_table, rows);
