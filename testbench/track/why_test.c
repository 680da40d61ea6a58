/* why_test.c - the walk of why_walk.c over a record made by hand (SPEC WHY-1..3). */
#include "track/why_priv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct isa_uop alu = {.kind = ISA_K_ALU, .class = ISA_CL_IADD},
                            load = {.kind = ISA_K_LOAD, .class = ISA_CL_MEM},
                            bar = {.kind = ISA_K_BAR, .class = ISA_CL_BAR},
                            leave = {.kind = ISA_K_EXIT, .class = ISA_CL_CTRL};

/* Cause and cycles of parts, from the begin on; ends with a part of no cycles. */
struct wanted {
    enum why_cause cause;
    uint64_t cycles;
};

struct bed {
    struct track r;
    struct track_inst inst[16];
    struct track_block block[4];
};

static void open_bed(struct bed *b)
{
    *b = (struct bed){.r = {.wave_cycles = 2,
                            .schedulers = 2,
                            .issue_interval = 2,
                            .barrier_latency = 10,
                            .n_sms = 1,
                            .cut = TRACK_NEVER}};
    b->r.inst.at = b->inst;
    b->r.block.at = b->block;
}

static void add_block(struct bed *b, uint64_t begin, uint64_t end)
{
    b->block[b->r.block.n++] =
        (struct track_block){.begin = begin, .end = end, .slots = 3};
}

/* Of the block added last; blocked until `free` in a state, or with 0 not at all. */
static struct track_inst *add_inst(struct bed *b, const struct isa_uop *u, uint8_t warp,
                                   uint64_t issue, uint64_t free, enum warp_state state)
{
    uint32_t i = b->r.inst.n++, prev = i;
    struct track_inst *x = &b->inst[i];

    *x = (struct track_inst){.uop = u,
                             .issue = issue,
                             .done = issue + 1,
                             .warp = warp,
                             .block = b->r.block.n - 1,
                             .free = free,
                             .state = (uint8_t)state,
                             .prev = TRACK_NONE,
                             .from = TRACK_NONE};
    while (prev-- > 0 && x->prev == TRACK_NONE) {
        if (b->inst[prev].warp == warp && b->inst[prev].block == x->block) {
            x->prev = prev;
        }
    }
    return x;
}

static void expect(struct bed *b, uint64_t end, uint64_t cycle,
                   const struct wanted *wanted)
{
    struct why y = {.end = end};
    uint64_t at = 0;
    uint32_t n = 0;

    why_walk(&b->r, &y, cycle);
    for (uint32_t i = y.part.n; i-- > 0; n++) {
        const struct why_part *p = &y.part.at[i];

        assert_int_equal(p->from, at);
        assert_int_equal(p->cause, wanted[n].cause);
        assert_int_equal(p->to - p->from, wanted[n].cycles);
        at = p->to;
    }
    assert_int_equal(wanted[n].cycles, 0);
    assert_int_equal(at, y.end);
    free(y.part.at);
}

static void goes_through_the_last_operand(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b);
    add_block(&b, 5, 70);
    add_inst(&b, &alu, 0, 20, 0, WARP_READY)->done = 30;
    add_inst(&b, &alu, 0, 22, 0, WARP_READY)->done = 48;
    add_inst(&b, &alu, 0, 50, 48, WARP_OPERAND)->from = 1;
    add_inst(&b, &leave, 0, 60, 58, WARP_CONTROL);
    expect(&b, 80, WHY_NEVER,
           (const struct wanted[]){{WHY_LAUNCH, 5},
                                   {WHY_ISSUE, 2},
                                   {WHY_PIPE, 13},
                                   {WHY_ISSUE, 2},
                                   {WHY_OPERAND, 26},
                                   {WHY_ISSUE, 2},
                                   {WHY_CONTROL, 8},
                                   {WHY_ISSUE, 2},
                                   {WHY_BLOCK, 10},
                                   {WHY_LAUNCH, 10},
                                   {WHY_N, 0}});
    expect(&b, 80, 49,
           (const struct wanted[]){{WHY_LAUNCH, 5},
                                   {WHY_ISSUE, 2},
                                   {WHY_PIPE, 13},
                                   {WHY_ISSUE, 2},
                                   {WHY_N, 0}});
}

static void crosses_to_the_last_arrival(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b);
    add_block(&b, 0, 60);
    add_inst(&b, &bar, 0, 2, 0, WARP_READY);
    add_inst(&b, &bar, 1, 30, 0, WARP_READY); /* comes last */
    add_inst(&b, &leave, 0, 40, 40, WARP_BARRIER);
    add_inst(&b, &leave, 1, 36, 0, WARP_READY); /* not before the release */
    expect(&b, 60, WHY_NEVER,
           (const struct wanted[]){{WHY_ISSUE, 2},
                                   {WHY_PIPE, 28},
                                   {WHY_BARRIER, 10},
                                   {WHY_BLOCK, 20},
                                   {WHY_N, 0}});
}

static void splits_the_way_of_a_line(void **state)
{
    static const uint64_t seen[MEM_N_SEEN] = {6, 10, 20, 30, 60, 65, 75};
    struct bed b;
    struct track_inst *x;

    (void)state;
    open_bed(&b);
    add_block(&b, 0, 100);
    x = add_inst(&b, &load, 0, 2, 0, WARP_READY);
    x->done = 82;
    x->at[MEM_AT_ISSUE] = 2;
    x->at[MEM_AT_LSU] = 4;
    x->at[MEM_AT_SERVED] = 80;
    memcpy(x->seen, seen, sizeof(seen));
    add_inst(&b, &leave, 0, 82, 82, WARP_GLOBAL)->from = 0;
    expect(&b, 100, WHY_NEVER,
           (const struct wanted[]){{WHY_ISSUE, 2},
                                   {WHY_LSU, 4},
                                   {WHY_L1, 4},
                                   {WHY_ICNT, 10},
                                   {WHY_L2, 10},
                                   {WHY_DRAM, 30},
                                   {WHY_L2, 5},
                                   {WHY_ICNT, 10},
                                   {WHY_L1, 5},
                                   {WHY_LSU, 2},
                                   {WHY_BLOCK, 18},
                                   {WHY_N, 0}});
}

static void tells_conflicts_from_the_ideal(void **state)
{
    struct bed b;
    struct track_inst *x;

    (void)state;
    open_bed(&b);
    add_block(&b, 0, 60);
    x = add_inst(&b, &load, 0, 2, 0, WARP_READY);
    x->done = 50;
    x->at[MEM_AT_ISSUE] = 2;
    x->at[MEM_AT_LSU] = 4;
    x->at[MEM_AT_BANKS] = 6;
    x->at[MEM_AT_SERVED] = 30;
    x->wavefronts = 6;
    x->ideal = 1;
    add_inst(&b, &leave, 0, 50, 50, WARP_SHARED_CONFLICT)->from = 0;
    expect(&b, 60, WHY_NEVER,
           (const struct wanted[]){{WHY_ISSUE, 2},
                                   {WHY_LSU, 2},
                                   {WHY_SHARED, 16},
                                   {WHY_CONFLICT, 10},
                                   {WHY_SHARED, 20},
                                   {WHY_BLOCK, 10},
                                   {WHY_N, 0}});
}

static void other_warps_take_the_scheduler(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b);
    add_block(&b, 0, 20);
    add_inst(&b, &alu, 0, 2, 0, WARP_READY);
    add_inst(&b, &alu, 2, 4, 0, WARP_READY);
    add_inst(&b, &alu, 1, 5, 0, WARP_READY); /* another scheduler */
    add_inst(&b, &alu, 2, 6, 0, WARP_READY);
    add_inst(&b, &leave, 0, 8, 0, WARP_READY);
    expect(&b, 20, WHY_NEVER,
           (const struct wanted[]){{WHY_ISSUE, 2},
                                   {WHY_ISSUE, 2},
                                   {WHY_SCHEDULER, 4},
                                   {WHY_BLOCK, 12},
                                   {WHY_N, 0}});
}

static void a_block_waits_for_the_one_before(void **state)
{
    struct bed b;

    (void)state;
    open_bed(&b);
    add_block(&b, 3, 30);
    add_inst(&b, &leave, 0, 4, 0, WARP_READY);
    add_block(&b, 33, 50);
    add_inst(&b, &leave, 0, 34, 0, WARP_READY);
    expect(&b, 50, WHY_NEVER,
           (const struct wanted[]){{WHY_LAUNCH, 3},
                                   {WHY_ISSUE, 1},
                                   {WHY_BLOCK, 26},
                                   {WHY_BLOCK, 3},
                                   {WHY_ISSUE, 1},
                                   {WHY_BLOCK, 16},
                                   {WHY_N, 0}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_through_the_last_operand),
        cmocka_unit_test(crosses_to_the_last_arrival),
        cmocka_unit_test(splits_the_way_of_a_line),
        cmocka_unit_test(tells_conflicts_from_the_ideal),
        cmocka_unit_test(other_warps_take_the_scheduler),
        cmocka_unit_test(a_block_waits_for_the_one_before),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
