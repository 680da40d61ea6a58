/*
 * A DRAM of each standard, as a preset has it but for refreshes, of which there are
 * none, with the same bursts: when each read is back, not a cycle earlier. The cycles
 * were worked out by hand from the timings.
 *
 *   cycle 10   read a   bank 0, row 0        arrives; its row is opened at once
 *   cycle 11   read b   bank 1, row 0        of another bank group, if there are groups
 *   cycle 12   read c   bank 0, row 0        a row hit behind a
 *   cycle 100  write    bank 0, row 0        at once
 *   cycle 101  read d   bank 1, row 0        a row hit that waits for the bus to turn
 *   cycle 102  read e   bank 0, row 1        closes the row that was written
 */
#include "gpu/gpu_config.h"
#include "gpu/presets.h"
#include "mem/dram_check_test.h"
#include "mem/port_test.h"

enum { A, B, C, D, E, N_READS, WRITE = N_READS };

struct standard {
    const char *preset;
    /* when each is taken: the cycle after its last data, in the order of their times */
    struct {
        uint32_t read;
        sim_cycle_t at;
    } v[N_READS];
};

static const struct standard standards[] = {
    /* GDDR3: rcd 12, cl 10, burst 2 cycles, rrd 8, ccd 2, wl 7, wtr 6, wr 11, rp 10.
     * Activates 10, 18. Reads 22, 24, 30: data until 34, 36, 42. Write data until 109,
     * read 115. Precharge 120, activate 130, read 142. */
    {"8800gtx", {{A, 35}, {C, 37}, {B, 43}, {D, 128}, {E, 155}}},
    /* GDDR5: rcd 12, cl 12, burst 2, rrd 6, ccd 2, ccd_l 3, wl 4, wtr 5, wr 12, rp 12.
     * Activates 10, 16. Reads 22, 25 (of the same group), 28. Write data until 106,
     * read 111. Precharge 118, activate 130, read 142. */
    {"gtx480", {{A, 37}, {C, 40}, {B, 43}, {D, 126}, {E, 157}}},
    /* HBM2, bursts of two transfers: rcd 10, cl 10, burst 1, rrd 3, ccd 1, ccd_l 2, wl
     * 2, wtr 3, wr 9, rp 10. Activates 10, 13. Reads 20, 22 (of the same group), 23.
     * Write data until 103, read 106. Precharge 112, activate 122, read 132. */
    {"p100", {{A, 32}, {C, 34}, {B, 35}, {D, 118}, {E, 144}}},
    /* HBM2, pseudo-channels: rcd 12, cl 12, burst 2, rrd 3, ccd 2, ccd_l 4, wl 2, wtr
     * 3, wr 10, rp 12. Activates 10, 13. Reads 22, 25 (b, for c must wait until
     * 26), 27. Write data until 104, read 107. Precharge 114, activate 126, read 138.
     */
    {"v100", {{A, 37}, {B, 40}, {C, 42}, {D, 122}, {E, 153}}},
    /* HBM2e, faster: rcd 17, cl 17, burst 2, rrd 5, ccd 2, ccd_l 4, wl 3, wtr 5, wr 14,
     * rp 17. Activates 10, 15. Reads 27, 31 (c, for b's row is open at 32 only), 33.
     * Write data until 105, read 110. Precharge 119, activate 136, read 153. */
    {"a100", {{A, 47}, {C, 51}, {B, 53}, {D, 130}, {E, 173}}},
    /* HBM3: rcd 18, cl 18, burst 4, rrd 5, ccd and ccd_l 4, wl 3, wtr 5, wr 15, rp 18.
     * Activates 10, 15. Reads 28, 32 (c, for b's row is open at 33 only), 36. Write
     * data until 107, read 112. Precharge 122, activate 140, read 158. */
    {"h100", {{A, 51}, {C, 55}, {B, 59}, {D, 135}, {E, 181}}},
};

static void apply(struct gpu_config *c, const char *name)
{
    struct smw_err e;

    err_clear(&e);
    for (uint32_t i = 0; i < smw_n_presets; i++) {
        const struct preset *p = &smw_presets[i];

        if (strcmp(p->name, name) != 0) {
            continue;
        }
        if (p->extends != NULL) {
            apply(c, p->extends);
        }
        for (uint32_t k = 0; k < p->n; k++) {
            assert_true(cfg_set(&gpu_schema, c, p->pairs[k][0], p->pairs[k][1], &e));
        }
        return;
    }
    fail_msg("no preset %s", name);
}

/* The first address of pseudo-channel 0 in this bank and row, `column` bursts on. */
static uint64_t address(const struct dram_config *c, uint32_t bank, int64_t row,
                        uint32_t column)
{
    uint64_t addr = 0;

    for (;; addr += c->burst) {
        struct check_spot s = check_spot_of(c, addr);

        if (s.pch == 0 && s.bank == bank && s.row == row && s.column == column) {
            return addr;
        }
    }
}

static void add(struct bench *b, struct sender *in, sim_cycle_t at, uint64_t addr,
                uint32_t tag)
{
    struct mem_burst *t = sim_pool_take(&b->bursts);

    t->addr = addr;
    t->write = tag == WRITE;
    t->launch = 0;
    t->tag = tag;
    sender_add(in, at, t);
}

static void sequence(const struct standard *s)
{
    const struct mem_parts parts = mem_parts_of(1, MEM_UNIT);
    struct smw_counters stats[1] = {0};
    struct gpu_config g;
    struct dram_config c;
    struct bench b;
    struct dram *d;
    struct sender *in;
    struct receiver *out;

    cfg_defaults(&gpu_schema, &g);
    apply(&g, s->preset);
    c = g.dram;
    c.channels = 1;
    c.latency = 0;
    c.refi = 0;
    bench_init(&b);
    d = dram_new(&b.root, NULL, &c, &parts, 0, stats);
    in = sender_new(&b, NULL, "in", &mem_burst_proto, dram_req(d), 1);
    out = receiver_new(&b, NULL, "out", &mem_burst_proto, dram_rsp(d), 1, 8);
    add(&b, in, 9, address(&c, 0, 0, 0), A);
    add(&b, in, 10, address(&c, 1, 0, 0), B);
    add(&b, in, 11, address(&c, 0, 0, 1), C);
    add(&b, in, 99, address(&c, 0, 0, 2), WRITE);
    add(&b, in, 100, address(&c, 1, 0, 1), D);
    add(&b, in, 101, address(&c, 0, 1, 0), E);
    for (uint32_t i = 0; i < N_READS; i++) {
        (void)bench_run(&b, s->v[i].at - 1);
        if (out->n != i) {
            fail_msg("%s: read %u is early", s->preset, s->v[i].read);
        }
        (void)bench_run(&b, s->v[i].at);
        if (out->n != i + 1 ||
            ((const struct mem_burst *)out->v[i].txn)->tag != s->v[i].read) {
            fail_msg("%s: read %u is late", s->preset, s->v[i].read);
        }
    }
    bench_finish(&b);
    assert_int_equal(stats[0].dram_row_misses, 3);
    assert_int_equal(stats[0].dram_row_hits, 3);
    receiver_drain(out);
    bench_free(&b);
}

static void all(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(standards); i++) {
        sequence(&standards[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
