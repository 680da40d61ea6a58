/* Times by hand from the parameters below. A burst sent at cycle t can have its first
 * command at t + 1; a read that ends on the bus at cycle e is taken by the receiver at
 * e
 * + latency + 1. */
#include "mem/dram.h"

#include "mem/port_test.h"

enum {
    RCD = 11,
    RP = 13,
    RAS = 29,
    RC = 43,
    RRD = 7,
    CL = 12,
    WL = 5,
    WR = 17,
    CCD = 2,
    WTR = 6,
    RTP = 4,
    DATA = 2,
    EXTRA = 3,
    ROW = 1024,
    BANKS = 4
};

static const struct dram_config plain = {
    .channels = 1,
    .size = 1 << 20,
    .pseudo_channels = 1,
    .banks = BANKS,
    .groups = 1,
    .command_buses = 1,
    .writes = 8,
    .write_high = 6,
    .write_low = 2,
    .age = 1000,
    .rtp = RTP,
    .rfc = 90,
    .row = ROW,
    .burst = 64,
    .burst_cycles = DATA,
    .queue = 8,
    .latency = EXTRA,
    .rcd = RCD,
    .rp = RP,
    .ras = RAS,
    .rc = RC,
    .rrd = RRD,
    .cl = CL,
    .wl = WL,
    .wr = WR,
    .ccd = CCD,
    .wtr = WTR,
};

struct rig {
    struct bench b;
    struct dram *dram;
    struct sender *in;
    struct receiver *out;
    struct smw_counters stats[2];
};

static void rig_init(struct rig *g, const struct dram_config *cfg)
{
    const struct mem_parts parts = mem_parts_of(cfg->channels, MEM_UNIT);

    memset(g, 0, sizeof(*g));
    bench_init(&g->b);
    g->dram = dram_new(&g->b.root, NULL, cfg, &parts, 0, g->stats);
    g->in = sender_new(&g->b, NULL, "in", &mem_burst_proto, dram_req(g->dram), 1);
    g->out =
        receiver_new(&g->b, NULL, "out", &mem_burst_proto, dram_rsp(g->dram), 1, 8);
}

static void rig_free(struct rig *g)
{
    bench_finish(&g->b);
    receiver_drain(g->out);
    bench_free(&g->b);
}

/* Address of a burst: banks are XOR-folded with the row, so that bank and row of unit u
 * are (u ^ u / BANKS) % BANKS and u / BANKS. */
static uint64_t place(uint32_t bank, uint32_t row, uint32_t column)
{
    return ((uint64_t)row * BANKS + ((bank ^ row) & (BANKS - 1))) * ROW +
           column * 64ull;
}

static void add(struct rig *g, sim_cycle_t at, bool write, uint64_t addr, uint32_t tag)
{
    struct mem_burst *t = sim_pool_take(&g->b.bursts);

    t->addr = addr;
    t->write = write;
    t->launch = 1;
    t->tag = tag;
    sender_add(g->in, at, t);
}

static uint32_t tag(const struct rig *g, uint32_t i)
{
    return ((const struct mem_burst *)g->out->v[i].txn)->tag;
}

/* When the receiver has a read whose data began on the bus at this cycle. */
static sim_cycle_t taken(sim_cycle_t data)
{
    return data + DATA + EXTRA + 1;
}

static void first_read(void **state)
{
    struct rig g;
    sim_cycle_t due = taken(10 + RCD + CL);

    (void)state;
    rig_init(&g, &plain);
    add(&g, 9, false, place(2, 5, 3), 7);
    (void)bench_run(&g.b, due - 1);
    assert_int_equal(g.out->n, 0);
    (void)bench_run(&g.b, due);
    assert_int_equal(g.out->n, 1);
    assert_int_equal(tag(&g, 0), 7);
    assert_int_equal(g.stats[1].dram_rd_bytes, 64);
    assert_int_equal(g.stats[1].dram_row_misses, 1);
    assert_int_equal(g.stats[1].dram_row_hits, 0);
    rig_free(&g);
}

/* Open row: the column command can go at once. */
static void row_hit(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g, &plain);
    add(&g, 9, false, place(2, 5, 3), 0);
    add(&g, 99, false, place(2, 5, 4), 1);
    add(&g, 199, false, place(2, 5, 3), 2);
    bench_finish(&g.b);
    assert_int_equal(g.out->v[1].at, taken(100 + CL));
    assert_int_equal(g.out->v[2].at, taken(200 + CL));
    assert_int_equal(g.stats[1].dram_row_misses, 1);
    assert_int_equal(g.stats[1].dram_row_hits, 2);
    rig_free(&g);
}

/* Another row of the bank, long after: precharge, activate, read. */
static void row_change_idle(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g, &plain);
    add(&g, 9, false, place(2, 5, 0), 0);
    add(&g, 99, false, place(2, 6, 0), 1);
    bench_finish(&g.b);
    assert_int_equal(g.out->v[1].at, taken(100 + RP + RCD + CL));
    assert_int_equal(g.stats[1].dram_row_misses, 2);
    rig_free(&g);
}

/* At once: the row must have been open for RAS (its data ends before), and RC must have
 * passed between the activates. Here RC = 43 > RAS + RP = 42. */
static void row_change_at_once(void **state)
{
    struct dram_config cfg = plain;
    struct rig g;

    (void)state;
    rig_init(&g, &cfg);
    add(&g, 9, false, place(2, 5, 0), 0);
    add(&g, 10, false, place(2, 6, 0), 1);
    bench_finish(&g.b);
    assert_int_equal(g.out->v[1].at, taken(10 + RC + RCD + CL));
    rig_free(&g);

    cfg.rc = 30; /* RAS and RP govern */
    rig_init(&g, &cfg);
    add(&g, 9, false, place(2, 5, 0), 0);
    add(&g, 10, false, place(2, 6, 0), 1);
    bench_finish(&g.b);
    assert_int_equal(g.out->v[1].at, taken(10 + RAS + RP + RCD + CL));
    rig_free(&g);

    cfg.ras = 5; /* RTP governs: from the read to the precharge */
    cfg.rc = 20;
    rig_init(&g, &cfg);
    add(&g, 9, false, place(2, 5, 0), 0);
    add(&g, 10, false, place(2, 6, 0), 1);
    bench_finish(&g.b);
    assert_int_equal(g.out->v[1].at, taken(10 + RCD + RTP + RP + RCD + CL));
    rig_free(&g);
}

/* Rows of two banks open RRD apart; with a short RRD the bus governs. */
static void two_banks(void **state)
{
    struct dram_config cfg = plain;
    struct rig g;

    (void)state;
    rig_init(&g, &cfg);
    add(&g, 9, false, place(0, 5, 0), 0);
    add(&g, 10, false, place(1, 5, 0), 1);
    bench_finish(&g.b);
    assert_int_equal(g.out->v[0].at, taken(10 + RCD + CL));
    assert_int_equal(g.out->v[1].at, taken(10 + RRD + RCD + CL));
    rig_free(&g);

    cfg.rrd = 1;
    rig_init(&g, &cfg);
    add(&g, 9, false, place(0, 5, 0), 0);
    add(&g, 9, false, place(1, 5, 0), 1); /* scheduled CCD after the first */
    add(&g, 9, false, place(2, 5, 0), 2);
    bench_finish(&g.b);
    assert_int_equal(g.out->v[1].at, taken(10 + CCD + RCD + CL));
    assert_int_equal(g.out->v[2].at, taken(10 + 2 * CCD + RCD + CL));
    rig_free(&g);
}

/* The bus serves one burst at a time: hits in an open row follow each other DATA apart.
 */
static void bus(void **state)
{
    struct dram_config cfg = plain;
    struct rig g;

    (void)state;
    cfg.burst_cycles = 5;
    rig_init(&g, &cfg);
    add(&g, 9, false, place(0, 5, 0), 0);
    for (uint32_t i = 0; i < 6; i++) {
        add(&g, 99, false, place(0, 5, i), 1 + i);
    }
    bench_finish(&g.b);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(tag(&g, 1 + i), 1 + i);
        assert_int_equal(g.out->v[1 + i].at, 100 + CL + 5 * (i + 1) + EXTRA + 1);
    }
    rig_free(&g);
}

/* Column commands are CCD apart, in whatever bank. */
static void column_distance(void **state)
{
    struct dram_config cfg = plain;
    struct rig g;

    (void)state;
    cfg.ccd = 6;
    rig_init(&g, &cfg);
    add(&g, 9, false, place(0, 5, 0), 0); /* opens two rows */
    add(&g, 49, false, place(1, 5, 0), 1);
    for (uint32_t i = 0; i < 6; i++) {
        add(&g, 149, false, place(i % 2, 5, i), 2 + i);
    }
    bench_finish(&g.b);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(g.out->v[2 + i].at, taken(150 + 6 * i + CL));
    }
    rig_free(&g);

    /* while a row is opened, from 150 to 150 + RP + RCD, hits of the other bank go */
    rig_init(&g, &cfg);
    add(&g, 9, false, place(0, 5, 0), 0);
    add(&g, 49, false, place(1, 5, 0), 1);
    add(&g, 149, false, place(0, 6, 0), 2);
    add(&g, 150, false, place(1, 5, 1), 3);
    add(&g, 151, false, place(1, 5, 2), 4);
    bench_finish(&g.b);
    assert_int_equal(tag(&g, 4), 2);
    assert_int_equal(g.out->v[2].at, taken(151 + CL));
    assert_int_equal(g.out->v[3].at, taken(157 + CL));
    assert_int_equal(g.out->v[4].at, taken(150 + RP + RCD + CL));
    rig_free(&g);
}

/* A write's data begins WL after its column command; a read of the same row then waits
 * for WTR after the data, another row for WR and RP. */
static void write_then_read(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g, &plain);
    add(&g, 9, true, place(0, 5, 0), 0);
    add(&g, 24, false, place(0, 5, 1), 1);
    bench_finish(&g.b);
    assert_int_equal(g.out->n, 1); /* writes are not answered */
    assert_int_equal(g.out->v[0].at, taken(10 + RCD + WL + DATA + WTR + CL));
    assert_int_equal(g.stats[1].dram_wr_bytes, 64);
    assert_int_equal(g.stats[1].dram_rd_bytes, 64);
    rig_free(&g);

    rig_init(&g, &plain);
    add(&g, 9, true, place(0, 5, 0), 0);
    add(&g, 24, false, place(0, 6, 1), 1);
    bench_finish(&g.b);
    /* 10 + 11 + 5 + 2 + 17 + 13 = 58 > 10 + RC */
    assert_int_equal(g.out->v[0].at, taken(10 + RCD + WL + DATA + WR + RP + RCD + CL));
    rig_free(&g);

    /* the turn of the bus holds for other banks too */
    rig_init(&g, &plain);
    add(&g, 9, false, place(1, 5, 0), 0); /* opens the row */
    add(&g, 99, true, place(0, 5, 0), 1);
    add(&g, 111, false, place(1, 5, 1), 2); /* the write was given at 111 */
    bench_finish(&g.b);
    assert_int_equal(g.out->v[1].at, taken(100 + RCD + WL + DATA + WTR + CL));
    rig_free(&g);
}

/* A read passes a write that has only its row, and then both banks' commands mix: the
 * write's data begins no earlier than `turn` cycles behind the read's. It is seen by
 * the read behind it, which waits for WTR. */
static void read_then_write(void **state)
{
    struct dram_config cfg = plain;
    struct rig g;
    sim_cycle_t write;

    (void)state;
    cfg.turn = 3;
    rig_init(&g, &cfg);
    add(&g, 9, true, place(0, 5, 0), 0);
    add(&g, 10, false, place(0, 5, 1), 1);
    write = 10 + RCD + CL + DATA + 3 - WL; /* command; the read's was at 10 + RCD */
    add(&g, write, false, place(0, 5, 2), 2);
    bench_finish(&g.b);
    assert_int_equal(g.out->v[0].at, taken(10 + RCD + CL));
    assert_int_equal(g.out->v[1].at, taken(write + WL + DATA + WTR + CL));
    rig_free(&g);
}

/* Writes wait while there are reads, until there are as many as the upper watermark;
 * then they go down to the lower one, and the reads wait. */
static void watermarks(void **state)
{
    struct rig g;

    (void)state;
    for (uint32_t high = 5; high <= 6; high++) { /* five writes: enough for 5 only */
        struct dram_config cfg = plain;
        sim_cycle_t longest = 0;

        cfg.row = 65536;
        cfg.queue = 64;
        cfg.write_high = high;
        rig_init(&g, &cfg);
        add(&g, 9, false, 0, 0);
        for (uint32_t i = 0; i < 30; i++) {
            add(&g, 38, false, i * 64ull, 1 + i); /* one per cycle, faster than DATA */
        }
        for (uint32_t i = 0; i < 5; i++) {
            add(&g, 40, true, i * 64ull, 0);
        }
        bench_finish(&g.b);
        assert_int_equal(g.out->n, 31);
        for (uint32_t i = 2; i < 31; i++) {
            sim_cycle_t gap = g.out->v[i].at - g.out->v[i - 1].at;

            longest = gap > longest ? gap : longest;
        }
        if (high == 6) {
            assert_int_equal(longest, DATA); /* one after the other; writes last */
        } else {
            /* read, turn, three writes, WTR, read: from data to data
             * 2 + 0 + 3 * 2 + 6 + 12 = 26, reads apart by as much */
            assert_int_equal(longest, DATA + 3 * DATA + WTR + CL);
        }
        assert_int_equal(g.stats[1].dram_wr_bytes, 5 * 64);
        rig_free(&g);
    }
}

/* First ready, first come: a hit overtakes an older burst that needs another row. */
static void reorder(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g, &plain);
    add(&g, 9, false, place(0, 5, 0), 0);
    add(&g, 98, false, place(0, 5, 1), 1);  /* hit: keeps the slot until 99 + CCD */
    add(&g, 99, false, place(0, 6, 0), 2);  /* at 100, waits for the slot at 101 */
    add(&g, 100, false, place(0, 5, 2), 3); /* at 101, younger, but ready */
    bench_finish(&g.b);
    assert_int_equal(g.out->n, 4);
    assert_int_equal(tag(&g, 1), 1);
    assert_int_equal(tag(&g, 2), 3);
    assert_int_equal(tag(&g, 3), 2);
    assert_int_equal(g.out->v[1].at, taken(99 + CL));
    assert_int_equal(g.out->v[2].at, taken(101 + CL));
    /* precharge RTP after the read of tag 3 */
    assert_int_equal(g.out->v[3].at, taken(101 + RTP + RP + RCD + CL));
    assert_int_equal(g.stats[1].dram_row_hits, 2);
    assert_int_equal(g.stats[1].dram_row_misses, 2);
    rig_free(&g);
}

/* 1000 hits: the bus is never idle. */
static void bandwidth(void **state)
{
    enum { N = 1000 };
    struct dram_config cfg = plain;
    struct rig g;
    sim_cycle_t first, last;

    (void)state;
    cfg.row = 65536;
    rig_init(&g, &cfg);
    for (uint32_t i = 0; i < N; i++) {
        add(&g, 1, false, i * 64ull, i);
    }
    bench_finish(&g.b);
    assert_int_equal(g.out->n, N);
    first = g.out->v[0].at;
    last = g.out->v[N - 1].at;
    assert_int_equal(first, taken(2 + RCD + CL));
    assert_int_equal(last - first, (N - 1) * DATA);
    assert_int_equal(g.stats[1].dram_rd_bytes, N * 64);
    assert_int_equal(g.stats[1].dram_row_misses, 1);
    rig_free(&g);
}

/* A stream over many rows: banks open theirs while others send, so that most of the
 * bandwidth is left; never more than the bus can do. */
static void streaming(void **state)
{
    enum { N = 1000 };
    struct dram_config cfg = plain;
    struct rig g;
    sim_cycle_t took;

    (void)state;
    cfg.queue = 32; /* two rows: the next one is seen in time */
    rig_init(&g, &cfg);
    for (uint32_t i = 0; i < N; i++) {
        add(&g, 1, false, i * 64ull, i);
    }
    bench_finish(&g.b);
    took = g.out->v[N - 1].at - g.out->v[0].at;
    assert_in_range(took, (N - 1) * DATA, (N - 1) * DATA * 11 / 10);
    assert_int_equal(g.stats[1].dram_row_misses, (N + 15) / 16); /* 16 bursts a row */
    rig_free(&g);
}

/* Rows of one bank in turn: each read pays for its row, RC apart. */
static void row_thrash(void **state)
{
    enum { N = 100 };
    struct rig g;

    (void)state;
    rig_init(&g, &plain);
    for (uint32_t i = 0; i < N; i++) {
        add(&g, 1, false, place(0, i, 0), i);
    }
    bench_finish(&g.b);
    assert_int_equal(g.out->n, N);
    for (uint32_t i = 0; i < N; i++) {
        assert_int_equal(tag(&g, i), i);
        assert_int_equal(g.out->v[i].at, taken(2 + RCD + CL) + i * (sim_cycle_t)RC);
    }
    assert_int_equal(g.stats[1].dram_row_misses, N);
    rig_free(&g);
}

/* Nobody takes the answers: nothing is lost, and the order stays. */
static void back_pressure(void **state)
{
    enum { N = 60 };
    struct dram_config cfg = plain;
    struct rig g;

    (void)state;
    cfg.row = 65536;
    rig_init(&g, &cfg);
    g.out->hold = 1000;
    for (uint32_t i = 0; i < N; i++) {
        add(&g, 1, false, i * 64ull, i);
    }
    (void)bench_run(&g.b, 999);
    assert_int_equal(g.out->n, 0);
    bench_finish(&g.b);
    assert_int_equal(g.out->n, N);
    for (uint32_t i = 0; i < N; i++) {
        assert_int_equal(tag(&g, i), i);
        assert_true(g.out->v[i].at >= 1000);
    }
    rig_free(&g);
}

/* Random reads and writes: every read comes back once, however the queue is. */
static void random_traffic(void **state)
{
    enum { N = 3000 };
    static bool seen[N], wanted[N];
    uint64_t seed = 17;

    (void)state;
    for (uint32_t k = 0; k < 4; k++) {
        struct dram_config cfg = plain;
        struct rig g;
        uint32_t reads = 0;
        sim_cycle_t at = 1;

        memset(seen, 0, sizeof(seen));
        cfg.banks = 1u << k;
        cfg.queue = 4 + k;
        rig_init(&g, &cfg);
        g.out->gap = k;
        for (uint32_t i = 0; i < N; i++) {
            uint64_t local = rand_below(&seed, 4) == 0 ? MEM_LOCAL_BIT : 0;

            at += rand_below(&seed, 10) == 0 ? rand_below(&seed, 200) : 0;
            wanted[i] = rand_below(&seed, 3) != 0;
            reads += wanted[i];
            add(&g, at, !wanted[i], local | rand_below(&seed, 200) * 64ull, i);
        }
        bench_finish(&g.b);
        assert_int_equal(g.out->n, reads);
        for (uint32_t i = 0; i < reads; i++) {
            assert_true(wanted[tag(&g, i)]);
            assert_false(seen[tag(&g, i)]);
            seen[tag(&g, i)] = true;
        }
        assert_int_equal(g.stats[1].dram_row_hits + g.stats[1].dram_row_misses, N);
        assert_int_equal(g.stats[1].dram_rd_bytes, reads * 64);
        assert_int_equal(g.stats[1].dram_wr_bytes, (N - reads) * 64);
        rig_free(&g);
    }
}

/* One of six channels: of every six units one is its own, whichever, and they lie side
 * by side in its rows (SPEC DRAM-1). */
static void rows_of_a_channel(void **state)
{
    enum { N_ROWS = 12, UNITS = N_ROWS * ROW / 256, BURSTS = 256 / 64 };
    struct dram_config cfg = plain;
    struct rig g;

    (void)state;
    cfg.channels = 6;
    rig_init(&g, &cfg);
    g.out->gap = 0;
    for (uint32_t k = 0; k < UNITS; k++) {
        uint64_t unit = ISA_GLOBAL_BASE / 256 / 6 / 4 * 4 + k; /* whole rows */

        for (uint32_t i = 0; i < BURSTS; i++) {
            add(&g, 9, false, (unit * 6 + k * 5 % 6) * 256 + i * 64, 0);
        }
    }
    bench_finish(&g.b);
    assert_int_equal(g.out->n, UNITS * BURSTS);
    assert_in_range(g.stats[1].dram_row_misses, N_ROWS,
                    N_ROWS + 1); /* may begin inside */
    rig_free(&g);
}

/* A row that everybody wants does not keep another one of the bank waiting for longer
 * than the age: hits come for as long as they may pass. */
static void age(void **state)
{
    enum { N = 400, LIMIT = 150 };
    struct dram_config cfg = plain;
    struct rig g;
    uint32_t i = 0;

    (void)state;
    cfg.age = LIMIT;
    cfg.row = 65536;
    cfg.queue = 64;
    rig_init(&g, &cfg);
    add(&g, 9, false, 0, 0);
    for (uint32_t k = 1; k < N; k++) {
        if (k == 9) { /* comes at 45 */
            add(&g, 36, false, 65536ull * BANKS * BANKS, N);
        }
        add(&g, 36, false, k * 64ull, k);
    }
    bench_finish(&g.b);
    while (tag(&g, i) != N) {
        i++;
    }
    /* hits are given at 37, 39 and so on; the last one before 45 + LIMIT at 193 */
    assert_int_equal(g.out->v[i - 1].at, taken(193 + CL));
    assert_int_equal(g.out->v[i].at, taken(193 + RTP + RP + RCD + CL));
    rig_free(&g);
}

/* A fifth activate waits for the window of four; it does not if there is none. */
static void four_activates(void **state)
{
    (void)state;
    for (uint32_t faw = 0; faw <= 40; faw += 40) {
        struct dram_config cfg = plain;
        struct rig g;

        cfg.banks = 8;
        cfg.faw = faw;
        rig_init(&g, &cfg);
        for (uint32_t i = 0; i < 5; i++) {
            add(&g, 9, false, (uint64_t)i * ROW, i);
        }
        bench_finish(&g.b);
        for (uint32_t i = 0; i < 4; i++) {
            assert_int_equal(g.out->v[i].at, taken(10 + RRD * i + RCD + CL));
        }
        assert_int_equal(g.out->v[4].at,
                         taken(10 + (faw == 0 ? 4 * RRD : 40) + RCD + CL));
        rig_free(&g);
    }
}

/* Reads of one bank group are CCD_L apart, of two groups CCD; banks 0 and 2 are in
 * group 0, bank 1 is in group 1. The rows are open. */
static void groups(void **state)
{
    struct dram_config cfg = plain;
    struct rig g;

    (void)state;
    cfg.groups = 2;
    cfg.ccd_l = 7;
    for (uint32_t other = 1; other <= 2; other++) {
        rig_init(&g, &cfg);
        add(&g, 9, false, place(0, 5, 0), 0);
        add(&g, 59, false, place(other, 5, 0), 1);
        add(&g, 199, false, place(0, 5, 1), 2);
        add(&g, 199, false, place(other, 5, 1), 3);
        bench_finish(&g.b);
        assert_int_equal(g.out->v[2].at, taken(200 + CL));
        assert_int_equal(g.out->v[3].at, taken(200 + (other == 1 ? CCD : 7) + CL));
        rig_free(&g);
    }
}

/* All banks are refreshed at 1000: a row that is open is closed then, the refresh
 * follows RP later, and the next activate RFC behind it. A row hit just before it is
 * still served. */
static void refresh(void **state)
{
    struct dram_config cfg = plain;
    struct rig g;

    (void)state;
    cfg.refi = 1000;
    rig_init(&g, &cfg);
    add(&g, 899, false, place(0, 5, 0), 0);
    add(&g, 998, false, place(0, 5, 1), 1); /* read at 999 */
    add(&g, 999, false, place(0, 5, 2), 2); /* comes at 1000: too late */
    bench_finish(&g.b);
    assert_int_equal(g.out->v[1].at, taken(999 + CL));
    assert_int_equal(g.out->v[2].at, taken(999 + RTP + RP + 90 + RCD + CL));
    assert_int_equal(g.stats[1].dram_row_misses, 2);
    rig_free(&g);

    /* in its sleep: at 1000 the row is closed, at 1013 refreshed, from 1103 on open to
     * commands */
    for (uint32_t at = 1090; at <= 1110; at += 20) {
        rig_init(&g, &cfg);
        add(&g, 899, false, place(0, 5, 0), 0);
        add(&g, at - 1, false, place(0, 5, 1), 1);
        bench_finish(&g.b);
        assert_int_equal(g.out->v[1].at,
                         taken((at < 1000 + RP + 90 ? 1000 + RP + 90 : at) + RCD + CL));
        rig_free(&g);
    }
}

/* One command closes all banks, as soon as the last of them may be closed. */
static void refresh_closes_all(void **state)
{
    struct dram_config cfg = plain;
    struct rig g;

    (void)state;
    cfg.refi = 1000;
    rig_init(&g, &cfg);
    for (uint32_t bank = 0; bank < BANKS; bank++) {
        add(&g, 899 + bank, false, place(bank, 5, 0), bank);
    }
    add(&g, 997, true, place(1, 5, 1), BANKS); /* written at 998 */
    add(&g, 999, false, place(0, 5, 1), BANKS + 1);
    bench_finish(&g.b);
    assert_int_equal(g.out->n, BANKS + 1);
    assert_int_equal(g.out->v[BANKS].at,
                     taken(998 + WL + DATA + WR + RP + 90 + RCD + CL));
    rig_free(&g);
}

/* Bank after bank: bank k at 1000 / 4 * (k + 1); the others go on. */
static void bank_refresh(void **state)
{
    struct dram_config cfg = plain;
    struct rig g;

    (void)state;
    cfg.refi = 1000;
    cfg.bank_refresh = true;
    rig_init(&g, &cfg);
    add(&g, 149, false, place(0, 5, 0), 0);
    add(&g, 179, false, place(1, 5, 0), 1);
    add(&g, 260, false, place(0, 5, 1), 2); /* 0 was closed at 250, refreshed at 263 */
    add(&g, 260, false, place(1, 5, 1), 3); /* comes at 262, is open */
    bench_finish(&g.b);
    assert_int_equal(tag(&g, 2), 3);
    assert_int_equal(g.out->v[2].at, taken(262 + CL));
    assert_int_equal(tag(&g, 3), 2);
    /* the sleeper closed it, and woke before RP was over */
    assert_int_equal(g.out->v[3].at, taken(250 + RP + 90 + RCD + CL));
    rig_free(&g);
}

/* Two pseudo-channels have banks and a data bus each; a single command bus keeps their
 * commands a cycle apart, two buses only those of one kind. */
static void pseudo_channels(void **state)
{
    struct dram_config cfg = plain;
    struct rig g;

    (void)state;
    cfg.pseudo_channels = 2;
    rig_init(&g, &cfg);
    add(&g, 9, false, 0, 0);   /* unit 0: pseudo-channel 0, bank 0 */
    add(&g, 9, false, 256, 1); /* unit 1: pseudo-channel 1, bank 0; at 11 */
    add(&g, 98, false, 64, 2);
    add(&g, 98, false, 256 + 64, 3);
    bench_finish(&g.b);
    assert_int_equal(g.out->v[0].at, taken(10 + RCD + CL));
    assert_int_equal(g.out->v[1].at, taken(11 + RCD + CL)); /* no RRD, no shared bus */
    assert_int_equal(g.out->v[3].at, taken(100 + CL));
    assert_int_equal(g.stats[1].dram_row_misses, 2);
    rig_free(&g);
}

/* With ECC a burst's check bits are read once per open row for it and its neighbours:
 * the first read takes the bus twice, the second of the group once, one of the next
 * group twice. */
static void ecc(void **state)
{
    struct dram_config cfg = plain;
    struct rig g;

    (void)state;
    cfg.ecc = 7;
    rig_init(&g, &cfg);
    add(&g, 9, false, place(0, 5, 0), 0);
    add(&g, 99, false, place(0, 5, 6), 1);
    add(&g, 199, false, place(0, 5, 7), 2);
    bench_finish(&g.b);
    assert_int_equal(g.out->v[0].at, taken(10 + RCD + CCD + CL));
    assert_int_equal(g.out->v[1].at, taken(100 + CL));
    assert_int_equal(g.out->v[2].at, taken(200 + CCD + CL));
    assert_int_equal(g.stats[1].dram_rd_bytes, 3 * 64); /* data only */
    assert_int_equal(g.stats[1].dram_row_hits, 2);
    rig_free(&g);
}

/* ---- what is shown ---- */

enum { MAX_SHOWN = 16 };

struct shown {
    struct sim_module *dram;
    struct {
        const char *name;
        sim_cycle_t at;
        uint64_t value;
    } v[MAX_SHOWN];
    uint32_t n;
};

static bool is_one_of(const char *const *names, const char *name)
{
    while (*names != NULL && strcmp(*names, name) != 0) {
        names++;
    }
    return *names != NULL;
}

static void note(void *ctx, sim_time_t now, struct sim_probe *const *p, size_t n)
{
    static const char *const names[] = {"bus", "turn", "refresh", NULL};
    struct shown *s = ctx;

    (void)now;
    for (size_t i = 0; i < n; i++) {
        if (is_one_of(names, p[i]->desc->name)) {
            assert_true(s->n < MAX_SHOWN);
            s->v[s->n].name = p[i]->desc->name;
            s->v[s->n].at = sim_here(s->dram);
            s->v[s->n++].value = p[i]->value;
        }
    }
}

/* The bus is in use from the first cycle of data to the last, whatever steps are due;
 * turns and refreshes happen when they do. */
static void probes(void **state)
{
    static const struct {
        const char *name;
        sim_cycle_t at;
        uint64_t value; /* of the bus */
    } want[] = {
        {"bus", 910 + RCD + CL, 1},
        {"bus", 910 + RCD + CL + DATA, 0},
        {"turn", 960, 0},
        {"bus", 960 + WL, 1},
        {"bus", 960 + WL + DATA, 0},
        {"refresh", 1000 + RP, 0},
        {"turn", 1000 + RP + 90 + RCD, 0},
        {"bus", 1000 + RP + 90 + RCD + CL, 1},
        {"bus", 1000 + RP + 90 + RCD + CL + DATA, 0},
    };
    struct dram_config cfg = plain;
    struct sim_watcher w = {.changed = note};
    struct shown s = {.n = 0};
    struct rig g;

    (void)state;
    cfg.refi = 1000;
    rig_init(&g, &cfg);
    s.dram = g.b.root.first;
    w.ctx = &s;
    sim_watch(g.b.sim, &w);
    for (struct sim_probe *p = s.dram->probes; p != NULL; p = p->next) {
        sim_probe_watch(p);
    }
    add(&g, 909, false, place(0, 5, 0), 0);
    add(&g, 959, true, place(0, 5, 1), 1);
    add(&g, 999, false, place(0, 5, 2), 2); /* comes at 1000: the refresh is first */
    bench_finish(&g.b);
    for (uint32_t i = 0; i < s.n && i < ARRAY_LEN(want); i++) {
        assert_string_equal(s.v[i].name, want[i].name);
        assert_int_equal(s.v[i].at, want[i].at);
        assert_true(strcmp(want[i].name, "bus") != 0 || s.v[i].value == want[i].value);
    }
    assert_int_equal(s.n, ARRAY_LEN(want));
    rig_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_read),
        cmocka_unit_test(row_hit),
        cmocka_unit_test(row_change_idle),
        cmocka_unit_test(row_change_at_once),
        cmocka_unit_test(two_banks),
        cmocka_unit_test(bus),
        cmocka_unit_test(column_distance),
        cmocka_unit_test(write_then_read),
        cmocka_unit_test(reorder),
        cmocka_unit_test(bandwidth),
        cmocka_unit_test(streaming),
        cmocka_unit_test(row_thrash),
        cmocka_unit_test(back_pressure),
        cmocka_unit_test(random_traffic),
        cmocka_unit_test(rows_of_a_channel),
        cmocka_unit_test(read_then_write),
        cmocka_unit_test(watermarks),
        cmocka_unit_test(age),
        cmocka_unit_test(four_activates),
        cmocka_unit_test(groups),
        cmocka_unit_test(refresh),
        cmocka_unit_test(refresh_closes_all),
        cmocka_unit_test(bank_refresh),
        cmocka_unit_test(pseudo_channels),
        cmocka_unit_test(ecc),
        cmocka_unit_test(probes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
