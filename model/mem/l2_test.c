/* An L2 slice: hits, misses, stores, atomics, and random programs. */
#include "mem/l2_test.h"

static void miss_and_hit(void **state)
{
    struct rig g;
    struct mem_line *t;

    (void)state;
    rig_init(&g);
    t = load(&g, 10, 1, 0, 128);
    (void)bench_run(&g.b, 11);
    assert_int_equal(g.dram->n, 0);
    (void)bench_run(&g.b, 12); /* served at 11, one link */
    assert_int_equal(g.dram->n, 2);
    assert_int_equal(burst(&g, 0)->addr, LINE(1));
    assert_int_equal(burst(&g, 1)->addr, LINE(1) + 64);
    assert_false(burst(&g, 0)->write);
    sender_add(g.fill, 50, burst(&g, 1));
    sender_add(g.fill, 60, burst(&g, 0));
    (void)bench_run(&g.b, 61);
    assert_int_equal(g.out->n, 0);
    (void)bench_run(&g.b, 62); /* whole at 61, one link */
    assert_int_equal(g.out->n, 1);
    assert_ptr_equal(g.out->v[0].txn, t);
    assert_int_equal(t->data[0], 101);
    assert_int_equal(t->data[127], 101);
    assert_int_equal(g.stats[0].l2_rd_requests, 1);
    assert_int_equal(g.stats[0].l2_rd_sectors, 4);
    assert_int_equal(g.stats[0].l2_rd_hits, 0);
    drain(&g);
    (void)load(&g, 99, 1, 32, 64);
    (void)bench_run(&g.b, 100);
    assert_int_equal(g.out->n, 0);
    (void)bench_run(&g.b, 101);
    assert_int_equal(g.out->n, 1);
    assert_int_equal(g.stats[0].l2_rd_hits, 2);
    assert_int_equal(g.dram->n, 2);
    rig_free(&g);
}

static void load_by(struct rig *g, sim_cycle_t at, uint8_t sm, sim_cycle_t answered)
{
    load(g, at, 1, 0, 128)->sm = sm;
    (void)bench_run(&g->b, answered - 1);
    assert_int_equal(g->out->n, 0);
    (void)bench_run(&g->b, answered);
    assert_int_equal(g->out->n, 1);
    drain(g);
}

/* The slice is even. An odd SM waits FAR cycles the first time, and again after a store
 * of an even one or when a launch begins; its own stores leave it the line. */
static void test_halves(void **state)
{
    enum { FAR = 40 };
    struct l2_config cfg = small();
    struct rig g;

    (void)state;
    cfg.far_latency = FAR;
    rig_init_as(&g, cfg, 64, 8);
    g.delay = 9;
    assert_false(hits(&g, 1, 0, 128)); /* SM 0 brings it */
    load_by(&g, 100, 1, 102);
    load_by(&g, 200, 2, 202 + FAR);
    load_by(&g, 300, 3, 302);
    store(&g, 400, 1, 0, 4, 5)->sm = 1;
    (void)bench_run(&g.b, 450);
    drain(&g);
    load_by(&g, 500, 2, 502 + FAR);
    store(&g, 600, 1, 0, 4, 6)->sm = 2;
    (void)bench_run(&g.b, 650);
    drain(&g);
    load_by(&g, 700, 2, 702);
    load_by(&g, 800, 0, 802);
    l2_launch_begins(g.l2);
    load_by(&g, 900, 0, 902);
    load_by(&g, 1000, 2, 1002 + FAR);
    rig_free(&g);
    cfg.keeps_copies = true;
    rig_init_as(&g, cfg, 64, 8);
    g.delay = 9;
    assert_false(hits(&g, 1, 0, 128));
    load_by(&g, 200, 2, 202 + FAR);
    l2_launch_begins(g.l2);
    load_by(&g, 300, 2, 302);
    rig_free(&g);
}

/* What is read from there takes it longer, if the configuration says so. */
static void link_of_reads(void **state)
{
    enum { FAR = 40 };
    struct l2_config cfg = small();
    struct rig g;

    (void)state;
    cfg.far_latency = FAR;
    cfg.far_interval = 10;
    cfg.far_read_interval = 17;
    rig_init_as(&g, cfg, 64, 8);
    g.delay = 9;
    for (uint32_t i = 1; i <= 3; i++) {
        assert_false(hits(&g, i, 0, 128)); /* SM 0 brings it */
    }
    load(&g, 200, 1, 0, 128)->sm = 2;
    load(&g, 200, 2, 0, 128)->sm = 2;
    load(&g, 200, 3, 0, 128)->sm = 2;
    (void)bench_run(&g.b, 400);
    assert_int_equal(g.out->v[1].at - g.out->v[0].at, 17);
    assert_int_equal(g.out->v[2].at - g.out->v[1].at, 17);
    rig_free(&g);
}

/* A line takes the link 10 cycles, a sector stored in part 4.3; to and fro are one.
 * What the slice's own half wants needs no link, but waits behind a store. */
static void link_of_halves(void **state)
{
    enum { FAR = 40, LINK = 10 };
    struct l2_config cfg = small();
    struct rig g;

    (void)state;
    cfg.far_latency = FAR;
    cfg.far_interval = LINK;
    rig_init_as(&g, cfg, 64, 8);
    g.delay = 9;
    for (uint32_t i = 1; i <= 4; i++) {
        assert_false(hits(&g, i, 0, 128)); /* SM 0 brings it */
    }
    load(&g, 200, 1, 0, 128)->sm = 2; /* served at 201 */
    load(&g, 200, 2, 0, 128)->sm = 2; /* the link is free at 211 */
    (void)bench_run(&g.b, 300);
    assert_int_equal(g.out->v[0].at, 202 + FAR);
    assert_int_equal(g.out->v[1].at, 202 + FAR + LINK);
    drain(&g);
    store(&g, 400, 1, 0, 128, 7)->sm = 2; /* at 401 */
    store(&g, 400, 2, 0, 4, 7)->sm = 2;   /* at 411, to 415 */
    store(&g, 400, 3, 0, 4, 7)->sm = 2;   /* at 415 */
    (void)load(&g, 400, 4, 0, 128);       /* at 417, an interval later */
    (void)bench_run(&g.b, 500);
    assert_int_equal(g.out->v[0].at, 402);
    assert_int_equal(g.out->v[1].at, 402 + LINK);
    assert_int_equal(g.out->v[2].at, 402 + LINK + 4);
    assert_int_equal(g.out->v[3].at, 402 + LINK + 4 + INTERVAL);
    drain(&g);
    load(&g, 600, 4, 0, 128)->sm = 2;   /* at 601 */
    store(&g, 600, 3, 0, 4, 8)->sm = 2; /* at 611: the link is the load's until then */
    store(&g, 600, 3, 0, 4, 9)->sm = 1; /* at 613 */
    (void)bench_run(&g.b, 700);
    assert_int_equal(g.out->v[0].at, 602 + LINK);
    assert_int_equal(g.out->v[1].at, 602 + LINK + INTERVAL);
    assert_int_equal(g.out->v[2].at, 602 + FAR);
    rig_free(&g);
}

static void one_per_interval(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g);
    g.delay = 9;
    assert_false(hits(&g, 1, 0, 128));
    for (uint32_t i = 0; i < 5; i++) {
        (void)load(&g, 100, 1, 0, 4);
    }
    bench_finish(&g.b);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(g.out->v[i].at, 102 + i * INTERVAL);
    }
    rig_free(&g);
}

/* A slice that moves two sectors a cycle takes two cycles for a line, also with an
 * interval of one. */
static void sectors_per_cycle(void **state)
{
    struct l2_config cfg = small();
    struct rig g;

    (void)state;
    cfg.interval = 1;
    cfg.sectors = 2;
    rig_init_as(&g, cfg, 64, 8);
    g.delay = 9;
    assert_false(hits(&g, 1, 0, 128));
    (void)load(&g, 100, 1, 0, 128);
    (void)load(&g, 100, 1, 0, 64); /* two sectors: one cycle */
    (void)load(&g, 100, 1, 0, 65); /* three: two */
    (void)store(&g, 100, 1, 0, 4, 7);
    bench_finish(&g.b);
    assert_int_equal(g.out->v[0].at, 102);
    assert_int_equal(g.out->v[1].at, 104);
    assert_int_equal(g.out->v[2].at, 105);
    assert_int_equal(g.out->v[3].at, 107);
    rig_free(&g);
}

/* Requests of the best size, by what the two tests beside this one see. */
static void peak(void **state)
{
    struct l2_config cfg = small();

    (void)state;
    cfg.clock = 1000;
    cfg.interval = 1;
    cfg.sectors = 2;
    cfg.line_interval = 0;
    assert_int_equal(l2_peak(&cfg, 1), 64 * 1000);
    assert_int_equal(l2_peak(&cfg, 3), 3 * 64 * 1000);
    cfg.line_interval = 5; /* two sectors are better */
    assert_int_equal(l2_peak(&cfg, 1), 64 * 1000);
    cfg.interval = 4; /* a line in 5, three sectors in 4 cycles */
    assert_int_equal(l2_peak(&cfg, 1), 128 * 1000 / 5);
    cfg.size = 0;
    assert_int_equal(l2_peak(&cfg, 1), 0);
}

/* A whole line holds up what is behind it for longer than its sectors would, a part of
 * one for no longer than they do. */
static void whole_lines(void **state)
{
    struct l2_config cfg = small();
    struct rig g;

    (void)state;
    cfg.interval = 1;
    cfg.sectors = 2;
    cfg.line_interval = 5;
    rig_init_as(&g, cfg, 64, 8);
    g.delay = 9;
    assert_false(hits(&g, 1, 0, 128));
    (void)load(&g, 100, 1, 0, 128);
    (void)load(&g, 100, 1, 0, 96); /* three sectors: two cycles */
    (void)load(&g, 100, 1, 0, 32);
    bench_finish(&g.b);
    assert_int_equal(g.out->v[0].at, 102);
    assert_int_equal(g.out->v[1].at, 107);
    assert_int_equal(g.out->v[2].at, 109);
    rig_free(&g);
}

/* The slice is at place 0 of the ring; SM 0 is 7 places away, SM 2 is 5, SM 4 is 3 and
 * SM 6 is 1, of the 8 that take the spread. */
static void spread_of_ways(void **state)
{
    enum { SPREAD = 16 };
    struct l2_config cfg = small();
    struct rig g;

    (void)state;
    cfg.spread = SPREAD;
    rig_init_as(&g, cfg, 64, 8);
    g.delay = 9;
    assert_false(hits(&g, 1, 0, 128));
    load_by(&g, 100, 0, 102 + 14);
    load_by(&g, 200, 4, 202 + 6);
    load_by(&g, 300, 2, 302 + 10);
    load(&g, 400, 1, 0, 128)->sm = 0;
    load(&g, 400, 1, 0, 128)->sm = 6; /* served an interval later, and nearer */
    (void)bench_run(&g.b, 450);
    assert_int_equal(((struct mem_line *)g.out->v[0].txn)->sm, 6);
    assert_int_equal(g.out->v[0].at, 402 + INTERVAL + 2);
    assert_int_equal(g.out->v[1].at, 402 + 14);
    rig_free(&g);
}

/* Bytes move when a request is served: a store behind a load that misses is
 * acknowledged first, and the load still brings the old bytes. */
static void service_order(void **state)
{
    struct rig g;
    struct mem_line *a, *s, *b;

    (void)state;
    rig_init(&g);
    a = load(&g, 10, 1, 0, 128);
    s = store(&g, 11, 1, 4, 4, 7);
    b = load(&g, 12, 1, 0, 128);
    (void)bench_run(&g.b, 50);
    assert_int_equal(g.out->n, 1);
    assert_ptr_equal(g.out->v[0].txn, s);
    assert_int_equal(g.out->v[0].at, 14); /* at 12 + 1: 11 + INTERVAL, one link */
    assert_int_equal(memory_line(&g.memory, LINE(1))[4], 7);
    assert_int_equal(g.dram->n, 2); /* the second load joined the fetch */
    sender_add(g.fill, 51, burst(&g, 0));
    sender_add(g.fill, 51, burst(&g, 1));
    bench_finish(&g.b);
    assert_ptr_equal(g.out->v[1].txn, a);
    assert_ptr_equal(g.out->v[2].txn, b);
    assert_int_equal(g.out->v[2].at - g.out->v[1].at, INTERVAL);
    assert_int_equal(a->data[4], 101);
    assert_int_equal(b->data[4], 7);
    assert_int_equal(b->data[8], 101);
    rig_free(&g);
}

/* Stores fetch nothing. Acknowledged if it is asked for, or for the L1's write-backs;
 * else they end here. */
static void stores(void **state)
{
    struct rig g;
    struct mem_line *s;

    (void)state;
    rig_init(&g);
    s = store(&g, 10, 1, 0, 4, 1);
    (void)bench_run(&g.b, 11);
    assert_int_equal(g.out->n, 0);
    (void)bench_run(&g.b, 12);
    assert_int_equal(g.out->n, 1);
    s = store(&g, 20, 1, 4, 4, 2);
    s->ack = false;
    s->from_l1 = true;
    s = store(&g, 30, 1, 8, 40, 3);
    s->ack = false;
    bench_finish(&g.b);
    assert_int_equal(g.out->n, 2);
    assert_int_equal(g.dram->n, 0);
    assert_int_equal(memory_line(&g.memory, LINE(1))[0], 1);
    assert_int_equal(memory_line(&g.memory, LINE(1))[4], 2);
    assert_int_equal(memory_line(&g.memory, LINE(1))[47], 3);
    assert_int_equal(memory_line(&g.memory, LINE(1))[48], 101);
    assert_int_equal(g.stats[0].l2_wr_requests, 3);
    assert_int_equal(g.stats[0].l2_wr_sectors, 4);
    rig_free(&g);
}

/* A sector written in part has to be fetched to be read; one written whole has not. */
static void partial_sector(void **state)
{
    struct rig g;

    (void)state;
    rig_init_as(&g, small(), 32, 8);
    g.delay = 9;
    (void)store(&g, 1, 1, 10, 4, 1);  /* part of sector 0 */
    (void)store(&g, 2, 1, 32, 32, 2); /* the whole of sector 1 */
    bench_finish(&g.b);
    drain(&g);
    assert_true(hits(&g, 1, 32, 32));
    assert_int_equal(g.n_reads, 0);
    assert_false(hits(&g, 1, 10, 4));
    assert_int_equal(g.n_reads, 1); /* the sector alone */
    assert_true(hits(&g, 1, 0, 64));
    assert_false(hits(&g, 1, 64, 64));
    assert_int_equal(g.n_reads, 3);
    rig_free(&g);
}

/* Least recently used goes; its dirty sectors are written, a clean line's are not. */
static void eviction(void **state)
{
    struct rig g;

    (void)state;
    rig_init_as(&g, small(), 32, 8);
    g.delay = 9;
    assert_false(hits(&g, set0[0], 0, 128));
    (void)store(&g, 100, set0[1], 70, 4, 5); /* sector 2 of the other way */
    bench_finish(&g.b);
    drain(&g);
    assert_true(hits(&g, set0[0], 0, 4)); /* so the dirty one is older */
    assert_int_equal(g.n_writes, 0);
    assert_false(hits(&g, set0[2], 0, 128));
    assert_int_equal(g.n_writes, 1);
    assert_int_equal(g.written, LINE(set0[1]) + 64);
    assert_true(hits(&g, set0[0], 0, 4));
    assert_false(hits(&g, set0[3], 0, 128)); /* evicts set0[2], clean */
    assert_int_equal(g.n_writes, 1);
    assert_true(hits(&g, set0[0], 0, 4));
    assert_false(hits(&g, set0[1], 0, 128));
    assert_int_equal(memory_line(&g.memory, LINE(set0[1]))[70], 5);
    rig_free(&g);
}

/* All lanes of an atomic, lane after lane; it occupies the slice for a while more per
 * lane that meets another on its address. */
static void atomics(void **state)
{
    struct rig g;
    struct mem_line *t;
    uint32_t word;

    (void)state;
    rig_init(&g);
    g.delay = 9;
    memset(memory_line_rw(&g.memory, LINE(1)), 0, MEM_LINE);
    assert_false(hits(&g, 1, 0, 128));
    t = atom(&g, 100, 1, UINT32_MAX, 1);
    (void)load(&g, 101, 1, 0, 4);
    bench_finish(&g.b);
    assert_int_equal(g.out->v[0].at, 102);
    for (uint32_t i = 0; i < ISA_LANES; i++) {
        assert_int_equal(t->atom->old[i], i);
    }
    memcpy(&word, memory_line(&g.memory, LINE(1)), 4);
    assert_int_equal(word, 32);
    /* served at 101; the load after interval + 31 lanes more */
    assert_int_equal(g.out->v[1].at, 102 + INTERVAL + 31 * ATOM);
    assert_int_equal(g.stats[0].l2_atoms, 1);
    drain(&g);

    t = atom(&g, 300, 1, 0x00ff00f0, 4); /* 12 lanes over 4 words: 3 deep */
    (void)load(&g, 301, 1, 0, 4);
    bench_finish(&g.b);
    assert_int_equal(g.out->v[1].at, 302 + INTERVAL + 2 * ATOM);
    assert_int_equal(t->atom->old[4], 32);
    assert_int_equal(t->atom->old[5], 0);
    assert_int_equal(t->atom->old[16], 33);
    assert_int_equal(t->atom->old[20], 34);
    rig_free(&g);
}

/* A sector's atomic takes the unit 10 cycles, which may be 16 behind: of those that
 * come at once, the third, which begins at 121, leaves the queue at 105. */
static void atomic_units(void **state)
{
    struct l2_config cfg = small();
    struct rig g;

    (void)state;
    cfg.atom = (struct l2_atom_config){.units = 1, .line = 40};
    rig_init_as(&g, cfg, 64, 8);
    g.delay = 9;
    assert_false(hits(&g, 1, 0, 128));
    for (uint32_t i = 0; i < 5; i++) {
        (void)atom(&g, 100, 1, 1, 1);
    }
    (void)load(&g, 100, 1, 0, 4);
    bench_finish(&g.b);
    assert_int_equal(g.out->v[0].at, 102);
    assert_int_equal(g.out->v[1].at, 102 + INTERVAL);
    assert_int_equal(g.out->v[2].at, 106);
    assert_int_equal(g.out->v[3].at, 116);
    assert_int_equal(g.out->v[4].at, 126);
    assert_int_equal(g.out->v[5].at, 126 + INTERVAL);
    rig_free(&g);
}

/* Lanes that one acts for are one, however many mean its word. */
static void joined_atomic(void **state)
{
    struct rig g;
    uint32_t word;

    (void)state;
    rig_init(&g);
    g.delay = 9;
    memset(memory_line_rw(&g.memory, LINE(1)), 0, MEM_LINE);
    assert_false(hits(&g, 1, 0, 128));
    atom(&g, 100, 1, UINT32_MAX, 1)->atom->joined = true;
    (void)load(&g, 101, 1, 0, 4);
    bench_finish(&g.b);
    memcpy(&word, memory_line(&g.memory, LINE(1)), 4);
    assert_int_equal(word, 32);
    assert_int_equal(g.out->v[1].at, 102 + INTERVAL);
    rig_free(&g);
}

/* The slice is even. Atomics of an odd SM wait FAR cycles each time, and leave nothing
 * in its half. */
static void atomics_at_home(void **state)
{
    enum { FAR = 40 };
    struct l2_config cfg = small();
    struct rig g;

    (void)state;
    cfg.far_latency = FAR;
    rig_init_as(&g, cfg, 64, 8);
    g.delay = 9;
    assert_false(hits(&g, 1, 0, 128));
    load_by(&g, 100, 2, 102 + FAR);
    load_by(&g, 200, 2, 202);
    for (uint32_t at = 300; at < 500; at += 100) {
        atom(&g, at, 1, 1, 1)->sm = 2;
        bench_finish(&g.b);
        assert_int_equal(g.out->v[0].at, at + 2 + FAR);
        drain(&g);
    }
    load_by(&g, 500, 2, 502 + FAR);
    atom(&g, 600, 1, 1, 1)->sm = 1;
    bench_finish(&g.b);
    assert_int_equal(g.out->v[0].at, 602);
    rig_free(&g);
}

/* An atomic fetches what it reads and makes it dirty. */
static void atomic_miss(void **state)
{
    struct rig g;

    (void)state;
    rig_init_as(&g, small(), 32, 8);
    g.delay = 9;
    (void)atom(&g, 10, set0[0], 1, 1);
    bench_finish(&g.b);
    assert_int_equal(g.n_reads, 1);
    drain(&g);
    assert_false(hits(&g, set0[1], 0, 4));
    assert_false(hits(&g, set0[2], 0, 4));
    assert_int_equal(g.n_writes, 1);
    assert_int_equal(g.written, LINE(set0[0]));
    rig_free(&g);
}

/* Two fetches are all there may be: the third miss waits, and a hit behind it. */
static void no_mshr(void **state)
{
    struct rig g;
    struct mem_line *third, *hit;

    (void)state;
    rig_init(&g);
    g.delay = 9;
    assert_false(hits(&g, 1, 0, 128));
    g.delay = 0;
    g.dram->n = 0;
    (void)load(&g, 100, 2, 0, 4);
    (void)load(&g, 100, 3, 0, 4);
    third = load(&g, 100, 4, 0, 4);
    hit = load(&g, 100, 1, 0, 4);
    (void)bench_run(&g.b, 200);
    assert_int_equal(g.dram->n, 2);
    assert_int_equal(g.out->n, 0);
    sender_add(g.fill, 201, burst(&g, 1));
    (void)bench_run(&g.b, 300);
    assert_int_equal(g.dram->n, 3);
    assert_int_equal(burst(&g, 2)->addr, LINE(4));
    assert_int_equal(g.out->n, 2);
    assert_int_equal(g.out->v[0].at, 203);
    assert_ptr_equal(g.out->v[1].txn, hit);
    sender_add(g.fill, 301, burst(&g, 2));
    sender_add(g.fill, 301, burst(&g, 0));
    bench_finish(&g.b);
    assert_ptr_equal(g.out->v[2].txn, third);
    assert_int_equal(g.out->n, 4);
    rig_free(&g);
}

/* Every way of the set is being filled: the third line of it waits. */
static void set_conflict(void **state)
{
    struct l2_config cfg = small();
    struct rig g;

    (void)state;
    cfg.mshrs = 8;
    rig_init_as(&g, cfg, 64, 8);
    for (uint32_t i = 0; i < 3; i++) {
        (void)load(&g, 10, set0[i], 0, 4);
    }
    (void)bench_run(&g.b, 100);
    assert_int_equal(g.dram->n, 2);
    sender_add(g.fill, 101, burst(&g, 0));
    (void)bench_run(&g.b, 200);
    assert_int_equal(g.dram->n, 3);
    assert_int_equal(burst(&g, 2)->addr, LINE(set0[2]));
    sender_add(g.fill, 201, burst(&g, 1));
    sender_add(g.fill, 201, burst(&g, 2));
    bench_finish(&g.b);
    assert_int_equal(g.out->n, 3);
    rig_free(&g);
}

/* SPEC L2-9: lines 0, 1, 2 and 5 are dirty, and lines 0 to 3 are a block. Line 10 needs
 * the place of line 0; lines 1 and 2 go with it and stay, so that they need not be
 * written when their places are wanted. Without blocks each goes by itself. */
static void row_cleaned(void **state)
{
    (void)state;
    for (uint32_t block = 0; block <= 512; block += 512) {
        const bool alone = block == 0;
        struct l2_config cfg = small();
        struct rig g;

        cfg.clean_block = block;
        rig_init_as(&g, cfg, 128, 8);
        g.delay = 9;
        (void)store(&g, 10, 0, 0, 128, 1);
        (void)store(&g, 20, 2, 0, 128, 1);
        (void)store(&g, 30, 1, 0, 128, 1);
        (void)store(&g, 40, 5, 0, 128, 1);
        bench_finish(&g.b);
        drain(&g);
        assert_false(hits(&g, 10, 0, 128));
        assert_int_equal(g.n_writes, alone ? 1 : 3);
        assert_int_equal(g.written, LINE(alone ? 0 : 2));
        assert_true(hits(&g, 1, 0, 128));
        assert_true(hits(&g, 2, 0, 128));
        assert_false(hits(&g, 4, 0, 128));
        assert_false(hits(&g, 11, 0, 128)); /* in the place of line 1 */
        assert_false(hits(&g, 7, 0, 128));
        assert_false(hits(&g, 8, 0, 128)); /* in that of line 2 */
        assert_int_equal(g.n_writes, 3);
        assert_false(hits(&g, 15, 0, 128)); /* in that of line 5 */
        assert_int_equal(g.n_writes, 4);
        assert_int_equal(g.written, LINE(5));
        rig_free(&g);
    }
}

/* The channel's queue has two places, for bursts of a whole line: what does not find
 * one waits until a line needs a place again. */
static void row_cleaned_in_parts(void **state)
{
    struct l2_config cfg = small();
    struct rig g;

    (void)state;
    cfg.clean_block = 512;
    rig_init_as(&g, cfg, 128, 2);
    g.delay = 9;
    for (uint32_t i = 0; i < 4; i++) {
        (void)store(&g, 10 + 10 * i, i, 0, 128, 1);
    }
    (void)store(&g, 50, 5, 0, 128, 1);
    (void)store(&g, 60, 10, 0, 128, 1); /* line 0 goes, and line 1 */
    bench_finish(&g.b);
    drain(&g);
    assert_int_equal(g.n_writes, 2);
    assert_int_equal(g.written, LINE(1));
    (void)store(&g, 200, 4, 0, 128, 1); /* lines 2 and 3 */
    bench_finish(&g.b);
    drain(&g);
    assert_int_equal(g.n_writes, 4);
    assert_int_equal(g.written, LINE(3));
    rig_free(&g);
}

/* Other sectors of a line that is being fetched: a fetch of their own. */
static void two_fetches_of_a_line(void **state)
{
    struct rig g;

    (void)state;
    rig_init_as(&g, small(), 32, 8);
    (void)load(&g, 10, 1, 0, 4);
    (void)load(&g, 10, 1, 96, 4);
    (void)load(&g, 10, 1, 98, 2); /* joins the second */
    (void)bench_run(&g.b, 50);
    assert_int_equal(g.dram->n, 2);
    sender_add(g.fill, 51, burst(&g, 1));
    (void)bench_run(&g.b, 100);
    assert_int_equal(g.out->n, 2);
    sender_add(g.fill, 101, burst(&g, 0));
    bench_finish(&g.b);
    assert_int_equal(g.out->n, 3);
    g.delay = 9;
    drain(&g);
    assert_true(hits(&g, 1, 96, 32));
    assert_true(hits(&g, 1, 0, 32));
    rig_free(&g);
}

/* SPEC L2-2: what a fetch under way brings in part is asked for as a whole again. */
static void more_than_is_on_its_way(void **state)
{
    struct rig g;

    (void)state;
    rig_init_as(&g, small(), 32, 8);
    (void)load(&g, 10, 1, 32, 4);  /* sector 1 */
    (void)load(&g, 10, 1, 0, 96);  /* 0 to 2: three bursts, 1 among them */
    (void)load(&g, 10, 1, 32, 32); /* joins the first */
    (void)bench_run(&g.b, 50);
    assert_int_equal(g.dram->n, 4);
    assert_int_equal(burst(&g, 0)->addr, LINE(1) + 32);
    assert_int_equal(burst(&g, 2)->addr, LINE(1) + 32);
    for (uint32_t i = 0; i < 4; i++) {
        sender_add(g.fill, 51, burst(&g, i));
    }
    bench_finish(&g.b);
    assert_int_equal(g.out->n, 3);
    assert_int_equal(g.stats[0].l2_rd_sectors, 5);
    assert_int_equal(g.stats[0].l2_rd_hits, 0);
    rig_free(&g);
}

/* SPEC L2-1: once each, by kind, in the counters of its launch; sectors are those of
 * the mask, hits those that were there. Write-backs of the L1 are writes, atomics
 * neither. */
static void requests_and_sectors(void **state)
{
    struct rig g;
    struct mem_line *back;

    (void)state;
    rig_init_as(&g, small(), 32, 8);
    g.delay = 9;
    (void)load(&g, 10, 1, 0, 64);      /* 2 sectors, none there */
    (void)load(&g, 100, 1, 0, 128);    /* 4, of which 2 are there */
    (void)store(&g, 200, 2, 31, 2, 1); /* parts of 2 */
    store(&g, 200, 2, 0, 128, 1)->launch = 1;
    back = store(&g, 300, 3, 64, 32, 2); /* 1 */
    back->ack = false;
    back->from_l1 = true;
    (void)atom(&g, 400, 1, UINT32_MAX, 32); /* of 4 sectors that are there */
    bench_finish(&g.b);
    assert_int_equal(g.stats[0].l2_rd_requests, 2);
    assert_int_equal(g.stats[0].l2_rd_sectors, 6);
    assert_int_equal(g.stats[0].l2_rd_hits, 2);
    assert_int_equal(g.stats[0].l2_wr_requests, 2);
    assert_int_equal(g.stats[0].l2_wr_sectors, 3);
    assert_int_equal(g.stats[0].l2_atoms, 1);
    assert_int_equal(g.stats[1].l2_wr_requests, 1);
    assert_int_equal(g.stats[1].l2_wr_sectors, 4);
    assert_int_equal(g.stats[1].l2_rd_requests, 0);
    rig_free(&g);
}

/* Nobody takes the answers: what came is held up, then all of it comes. */
static void back_pressure(void **state)
{
    enum { N = 40 };
    struct rig g;

    (void)state;
    rig_init(&g);
    g.delay = 9;
    g.out->hold = 1000;
    for (uint32_t i = 0; i < N; i++) {
        if (i % 3 == 0) {
            (void)store(&g, 1, i % N_MEM, 0, 4, 1);
        } else {
            (void)load(&g, 1, i % N_MEM, 0, 4);
        }
    }
    (void)bench_run(&g.b, 999);
    assert_int_equal(g.out->n, 0);
    assert_true(g.in->next < N);
    bench_finish(&g.b);
    assert_int_equal(g.out->n, N);
    rig_free(&g);
}

/* A write-back and a fetch need more room together than the channel's queue has. */
static void short_dram_queue(void **state)
{
    struct rig g;

    (void)state;
    rig_init_as(&g, small(), 32, 4);
    g.delay = 9;
    for (uint32_t i = 0; i < ARRAY_LEN(set0); i++) {
        (void)store(&g, 1, set0[i], 0, 128, (uint8_t)i);
    }
    bench_finish(&g.b);
    assert_int_equal(g.out->n, 4);
    drain(&g);
    for (uint32_t i = 0; i < ARRAY_LEN(set0); i++) {
        struct mem_line *t = load(&g, bench_now(&g.b) + 1, set0[i], 0, 128);

        bench_finish(&g.b);
        assert_int_equal(g.out->n, 1);
        assert_int_equal(t->data[50], i);
        drain(&g);
    }
    assert_int_equal(g.n_writes, 4 * 4);
    rig_free(&g);
}

/* ---- everything at once ---- */

static void random_program(struct rig *g, uint64_t seed)
{
    enum { N = 3000 };
    static uint8_t model[N_MEM][MEM_LINE], want[N][MEM_LINE];
    static uint64_t old[N][ISA_LANES];
    sim_cycle_t at = 1;
    uint32_t acked = 0;

    for (uint32_t i = 0; i < N_MEM; i++) {
        memcpy(model[i], memory_line(&g->memory, LINE(i)), MEM_LINE);
    }
    for (uint32_t k = 0; k < N; k++) {
        uint32_t i = rand_below(&seed, N_MEM), kind = rand_below(&seed, 10);
        uint32_t first = rand_below(&seed, 124), n = 1 + rand_below(&seed, 128 - first);
        struct mem_line *t;

        at += rand_below(&seed, 20) == 0 ? rand_below(&seed, 100) : 0;
        if (kind < 5) {
            t = load(g, at, i, first, n);
        } else if (kind < 9) {
            t = store(g, at, i, first, n, (uint8_t)rand_next(&seed));
            t->ack = kind != 5;
            mem_copy_bytes(model[i], t->data, t->bytes);
        } else {
            t = atom(g, at, i, rand_mask(&seed), 1 + rand_below(&seed, 32));
            for (uint32_t l = 0; l < ISA_LANES; l++) {
                uint32_t w;

                if ((t->atom->mask >> l & 1u) != 0) {
                    memcpy(&w, model[i] + t->atom->offset[l], 4);
                    old[k][l] = w++;
                    memcpy(model[i] + t->atom->offset[l], &w, 4);
                }
            }
        }
        t->lanes = k;
        acked += kind != 5;
        memcpy(want[k], model[i], MEM_LINE);
    }
    bench_finish(&g->b);
    assert_int_equal(g->out->n, acked);
    for (uint32_t k = 0; k < acked; k++) {
        const struct mem_line *t = g->out->v[k].txn;

        if (t->op == MEM_LOAD) {
            assert_memory_equal(t->data, want[t->lanes], MEM_LINE);
        }
        for (uint32_t l = 0; l < ISA_LANES && t->op == MEM_ATOM; l++) {
            if ((t->atom->mask >> l & 1u) != 0 && t->atom->old[l] != old[t->lanes][l]) {
                fail_msg("request %u, lane %u", t->lanes, l);
            }
        }
    }
    for (uint32_t i = 0; i < N_MEM; i++) {
        assert_memory_equal(memory_line(&g->memory, LINE(i)), model[i], MEM_LINE);
    }
    assert_int_equal(g->stats[0].l2_rd_requests + g->stats[0].l2_wr_requests +
                         g->stats[0].l2_atoms,
                     N);
}

static void random_programs(void **state)
{
    uint64_t seed = 9;

    (void)state;
    for (uint32_t k = 0; k < 20; k++) {
        struct l2_config cfg = small();
        struct rig g;

        cfg.size = k % 4 == 3 ? 0 : cfg.size;
        cfg.ways = 1u + rand_below(&seed, 2);
        cfg.interval = 1 + rand_below(&seed, 3);
        cfg.mshrs = 1 + rand_below(&seed, 5);
        cfg.queue = 1 + rand_below(&seed, 5);
        rig_init_as(&g, cfg, 32u << rand_below(&seed, 3), 4 + rand_below(&seed, 6));
        g.delay = 1 + rand_below(&seed, 60);
        g.out->gap = rand_below(&seed, 4);
        g.dram->gap = rand_below(&seed, 4);
        sim_shuffle(g.b.sim, k);
        random_program(&g, k + 1);
        rig_free(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(miss_and_hit),
        cmocka_unit_test(test_halves),
        cmocka_unit_test(link_of_halves),
        cmocka_unit_test(link_of_reads),
        cmocka_unit_test(one_per_interval),
        cmocka_unit_test(sectors_per_cycle),
        cmocka_unit_test(peak),
        cmocka_unit_test(whole_lines),
        cmocka_unit_test(spread_of_ways),
        cmocka_unit_test(service_order),
        cmocka_unit_test(stores),
        cmocka_unit_test(partial_sector),
        cmocka_unit_test(eviction),
        cmocka_unit_test(atomics),
        cmocka_unit_test(atomic_units),
        cmocka_unit_test(joined_atomic),
        cmocka_unit_test(atomics_at_home),
        cmocka_unit_test(atomic_miss),
        cmocka_unit_test(no_mshr),
        cmocka_unit_test(set_conflict),
        cmocka_unit_test(row_cleaned),
        cmocka_unit_test(row_cleaned_in_parts),
        cmocka_unit_test(two_fetches_of_a_line),
        cmocka_unit_test(more_than_is_on_its_way),
        cmocka_unit_test(requests_and_sectors),
        cmocka_unit_test(back_pressure),
        cmocka_unit_test(short_dram_queue),
        cmocka_unit_test(random_programs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
