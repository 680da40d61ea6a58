/* The load/store unit between an SM and a memory that are both made up: what it sends,
 * what comes back, and when. */
#include "sm/lsu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_REQS = 64, MAX_SEEN = 4096, MEMORY_LINES = 2048 };

#define GLOBAL_AT 0x10000000ull

struct seen { /* something the unit sent */
    sim_cycle_t at;
    struct mem_line line; /* a copy, data and all */
    const struct mem_req *req;
};

struct bench {
    struct sim *sim;
    struct sim_clock clock;
    struct sim_module root;
    struct lsu *l;
    struct stat_counters stats[2];
    struct sim_out req, line;
    struct sim_in smem, cbank, l1, rsp;
    struct sim_event due;
    struct sim_process step;
    struct sim_pool reqs;
    struct mem_req *queue[MAX_REQS]; /* still to be issued */
    uint32_t n_queue, next, n_back;
    sim_cycle_t sent_at[MAX_REQS], back_at[MAX_REQS];
    uint32_t back[MAX_REQS]; /* ids, as they came back */
    sim_cycle_t delay;       /* of the memory */
    bool newest_first;       /* the memory answers in the wrong order */
    sim_cycle_t closed;      /* no line is taken before this cycle */
    struct mem_line *waiting[MAX_SEEN];
    sim_cycle_t answer_at[MAX_SEEN];
    uint32_t n_waiting;
    struct seen lines[MAX_SEEN], passed[MAX_REQS];
    uint32_t n_lines, n_passed;
    uint8_t memory[MEMORY_LINES][MEM_LINE];
    void (*check)(struct bench *b, struct mem_req *r); /* of what comes back */
    struct mem_req want[MAX_REQS];
};

static uint8_t *line_of(struct bench *b, uint64_t addr)
{
    uint64_t at =
        (addr & ~MEM_LOCAL_BIT) - ((addr & MEM_LOCAL_BIT) != 0 ? 0 : GLOBAL_AT);

    if ((addr & MEM_LOCAL_BIT) != 0) {
        at += MEMORY_LINES / 2 * MEM_LINE;
    }
    assert_true(at / MEM_LINE < MEMORY_LINES);
    return b->memory[at / MEM_LINE];
}

static void serve(struct bench *b, struct mem_line *t)
{
    uint8_t *m = line_of(b, t->addr);

    switch ((enum mem_op)t->op) {
    case MEM_LOAD: memcpy(t->data, m, MEM_LINE); break;
    case MEM_STORE: mem_copy_bytes(m, t->data, t->bytes); break;
    case MEM_ATOM:
    case MEM_RED:
        for (uint32_t lanes = t->atom->mask; lanes != 0; lanes &= lanes - 1) {
            uint32_t i = (uint32_t)__builtin_ctz(lanes);
            uint64_t old = 0, now;

            memcpy(&old, m + t->atom->offset[i], t->atom->size);
            now = ptx_atom(t->atom->sub, t->atom->type, old, t->atom->b[i],
                           t->atom->c[i]);
            memcpy(m + t->atom->offset[i], &now, t->atom->size);
            t->atom->old[i] = old;
        }
        break;
    }
}

static void take_lines(struct bench *b, sim_cycle_t now)
{
    struct mem_line *t;

    while (now >= b->closed && (t = sim_take(&b->l1)) != NULL) {
        assert_true(b->n_lines < MAX_SEEN);
        b->lines[b->n_lines++] = (struct seen){now, *t, NULL};
        serve(b, t);
        b->waiting[b->n_waiting] = t;
        b->answer_at[b->n_waiting++] = now + b->delay;
    }
}

static void answer_lines(struct bench *b, sim_cycle_t now)
{
    while (b->n_waiting != 0) {
        uint32_t i = b->newest_first ? b->n_waiting - 1 : 0;

        if (b->answer_at[i] > now) {
            sim_notify_at(&b->due, b->answer_at[i]);
            return;
        }
        if (!sim_out_ready(&b->line)) {
            sim_out_wait(&b->line);
            return;
        }
        sim_send(&b->line, b->waiting[i]);
        b->n_waiting--;
        memmove(&b->waiting[i], &b->waiting[i + 1],
                (b->n_waiting - i) * sizeof(b->waiting[0]));
        memmove(&b->answer_at[i], &b->answer_at[i + 1],
                (b->n_waiting - i) * sizeof(b->answer_at[0]));
    }
}

static void come_back(struct bench *b, struct mem_req *r, sim_cycle_t now)
{
    b->back[b->n_back] = r->id;
    b->back_at[r->id] = now;
    b->n_back++;
    if (b->check != NULL) {
        b->check(b, r);
    }
    sim_pool_give(r);
}

static void bench_step(void *self)
{
    struct bench *b = self;
    sim_cycle_t now = sim_here(&b->root);
    struct mem_req *r;

    while ((r = sim_take(&b->smem)) != NULL || (r = sim_take(&b->cbank)) != NULL) {
        b->passed[b->n_passed++] = (struct seen){.at = now, .req = r};
        come_back(b, r, now);
    }
    while ((r = sim_take(&b->rsp)) != NULL) {
        come_back(b, r, now);
    }
    take_lines(b, now);
    answer_lines(b, now);
    if (now < b->closed) {
        sim_notify_at(&b->due, b->closed);
    }
    while (b->next < b->n_queue) {
        if (!sim_out_ready(&b->req)) {
            sim_out_wait(&b->req);
            break;
        }
        b->sent_at[b->next] = now;
        sim_send(&b->req, b->queue[b->next++]);
    }
}

static void set_up(struct bench *b, const struct lsu_config *cfg, uint32_t l1_queue)
{
    memset(b, 0, sizeof(*b));
    b->sim = sim_new();
    b->delay = 30;
    sim_clock_init(&b->clock, b->sim, "sm", 714, 1);
    sim_module_init(&b->root, b->sim, NULL, &b->clock, "bench");
    b->l = lsu_new(&b->root, cfg, rules_find(20), 3, b->stats);
    sim_out_init(&b->req, &b->root, "req", &mem_req_proto);
    sim_out_init(&b->line, &b->root, "line", &mem_line_proto);
    sim_in_init(&b->smem, &b->root, "smem", &mem_req_proto, 4);
    sim_in_init(&b->cbank, &b->root, "cbank", &mem_req_proto, 4);
    sim_in_init(&b->l1, &b->root, "l1", &mem_line_proto, l1_queue);
    sim_in_init(&b->rsp, &b->root, "rsp", &mem_req_proto, 4);
    sim_event_init(&b->due, b->sim, &b->clock, "due");
    sim_process_init(&b->step, b->sim, "bench", bench_step, b);
    sim_wake_on(&b->step, &b->due);
    sim_wake_on(&b->step, &b->smem.arrived);
    sim_wake_on(&b->step, &b->cbank.arrived);
    sim_wake_on(&b->step, &b->l1.arrived);
    sim_wake_on(&b->step, &b->rsp.arrived);
    sim_wake_on(&b->step, &b->req.space);
    sim_wake_on(&b->step, &b->line.space);
    sim_bind(&b->req, lsu_req(b->l), 1);
    sim_bind(lsu_smem(b->l), &b->smem, 1);
    sim_bind(lsu_cbank(b->l), &b->cbank, 1);
    sim_bind(lsu_l1(b->l), &b->l1, 1);
    sim_bind(&b->line, lsu_line(b->l), 1);
    sim_bind(lsu_rsp(b->l), &b->rsp, 1);
    sim_pool_init(&b->reqs, b->sim, "mem_req", sizeof(struct mem_req));
}

/* All requests are queued at once and issued from cycle 1 on as credits allow. */
static void run(struct bench *b)
{
    sim_notify_cycles(&b->due, 1);
    assert_int_equal(sim_run(b->sim, SIM_TIME_MAX, 0), SIM_IDLE);
    assert_int_equal(b->n_back, b->n_queue);
    assert_int_equal(sim_live_transactions(b->sim), 0);
}

static void tear_down(struct bench *b)
{
    sim_free(b->sim);
}

static const struct lsu_config usual = {.lanes = 16,
                                        .interval = 2,
                                        .queue = 4,
                                        .entries = 8};

static struct mem_req *add(struct bench *b, enum ptx_space space, enum mem_op op,
                           uint32_t size, uint32_t vec)
{
    struct mem_req *r = sim_pool_take(&b->reqs);
    struct sim_txn txn = r->txn;

    memset(r, 0, sizeof(*r));
    r->txn = txn;
    r->mask = UINT32_MAX;
    r->op = (uint8_t)op;
    r->space = (uint8_t)space;
    r->size = (uint8_t)size;
    r->vec = (uint8_t)vec;
    r->words = (uint8_t)(vec * (size <= 4 ? 1 : size / 4));
    r->base = MEM_LOCAL_BIT;
    r->id = b->n_queue;
    for (uint32_t i = 0; i < PTX_LANES; i++) {
        r->addr[i] = GLOBAL_AT + (uint64_t)i * size * vec;
    }
    b->queue[b->n_queue++] = r;
    return r;
}

static void stride(struct mem_req *r, uint64_t from, uint64_t bytes)
{
    for (uint32_t i = 0; i < PTX_LANES; i++) {
        r->addr[i] = from + i * bytes;
    }
}

static uint32_t random32(uint64_t *s)
{
    *s = *s * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(*s >> 33);
}

/* ---- forwarding ---- */

/* Shared and constant accesses pass, a hop later; the unit is busy for 32 / lanes. */
static void test_forwarding(void **state)
{
    struct bench *b = test_malloc(sizeof(*b));

    (void)state;
    for (uint32_t lanes = 1; lanes <= 32; lanes *= 2) {
        struct lsu_config cfg = usual;

        cfg.lanes = lanes;
        set_up(b, &cfg, 8);
        for (uint32_t i = 0; i < 4; i++) {
            (void)add(b, i % 2 == 0 ? PTX_SP_SHARED : PTX_SP_CONST, MEM_LOAD, 4, 1);
        }
        run(b);
        assert_int_equal(b->n_passed, 4);
        assert_int_equal(b->n_lines, 0);
        for (uint32_t i = 0; i < 4; i++) {
            assert_int_equal(b->back[i], i);
            assert_int_equal(b->back_at[i], b->sent_at[0] + 2 + i * (32 / lanes));
        }
        tear_down(b);
    }
    test_free(b);
}

/* ---- lines ---- */

static void test_one_line(void **state)
{
    struct bench *b = test_malloc(sizeof(*b));
    const struct mem_line *t;

    (void)state;
    set_up(b, &usual, 8);
    (void)add(b, PTX_SP_GLOBAL, MEM_LOAD, 4, 1);
    b->queue[0]->launch = 1;
    run(b);
    assert_int_equal(b->n_lines, 1);
    t = &b->lines[0].line;
    assert_int_equal(t->addr, GLOBAL_AT);
    assert_int_equal(t->sectors, 0xf);
    assert_int_equal(t->lanes, UINT32_MAX);
    assert_true(t->bytes[0] == UINT64_MAX && t->bytes[1] == UINT64_MAX);
    assert_int_equal(t->sm, 3);
    assert_int_equal(t->launch, 1);
    assert_int_equal(t->op, MEM_LOAD);
    assert_false(t->from_l1 || t->bypass_l1 || t->ack);
    assert_null(t->atom);
    assert_int_equal(b->lines[0].at, b->sent_at[0] + 2);
    /* to the memory, its delay, back to the unit, back to the SM */
    assert_int_equal(b->back_at[0], b->sent_at[0] + 2 + 30 + 2);
    assert_int_equal(b->stats[1].gl_ld_requests, 1);
    assert_int_equal(b->stats[1].gl_ld_sectors, 4);
    assert_int_equal(b->stats[1].gl_ld_transactions, 1);
    assert_int_equal(b->stats[1].gl_ld_bytes, 128);
    assert_int_equal(b->stats[1].gl_ld_wanted, 128);
    assert_int_equal(b->stats[0].gl_ld_requests, 0);
    tear_down(b);
    test_free(b);
}

/* A line per lane, interval cycles apart; the next request follows. */
static void test_many_lines(void **state)
{
    struct bench *b = test_malloc(sizeof(*b));

    (void)state;
    for (uint32_t interval = 1; interval <= 5; interval++) {
        struct lsu_config cfg = usual;

        cfg.interval = interval;
        cfg.lanes = 32;
        set_up(b, &cfg, 64);
        stride(add(b, PTX_SP_GLOBAL, MEM_LOAD, 4, 1), GLOBAL_AT + 60, 128);
        (void)add(b, PTX_SP_GLOBAL, MEM_LOAD, 4, 1);
        (void)add(b, PTX_SP_SHARED, MEM_LOAD, 4, 1);
        run(b);
        assert_int_equal(b->n_lines, 33);
        for (uint32_t i = 0; i < 33; i++) {
            assert_int_equal(b->lines[i].at, b->sent_at[0] + 2 + i * interval);
        }
        for (uint32_t i = 0; i < 32; i++) {
            assert_int_equal(b->lines[i].line.addr, GLOBAL_AT + i * 128);
            assert_int_equal(b->lines[i].line.lanes, 1u << i);
            assert_int_equal(b->lines[i].line.sectors, 2); /* byte 60 is in sector 1 */
        }
        /* nothing overtakes: the shared access comes after the last line */
        assert_int_equal(b->passed[0].at, b->sent_at[0] + 2 + 33 * interval);
        assert_int_equal(b->stats[0].gl_ld_requests, 2);
        assert_int_equal(b->stats[0].gl_ld_sectors, 32 + 4);
        assert_int_equal(b->stats[0].gl_ld_transactions, 33);
        assert_int_equal(b->stats[0].gl_ld_bytes, 33 * 128);
        assert_int_equal(b->stats[0].gl_ld_wanted, 256);
        tear_down(b);
    }
    test_free(b);
}

/* Requests of one line each: the unit's lanes or its interval, whichever is slower. */
static void test_occupancy(void **state)
{
    struct bench *b = test_malloc(sizeof(*b));
    static const struct {
        uint32_t lanes, interval, cycles;
    } rows[] = {{32, 1, 1}, {16, 1, 2}, {16, 2, 2}, {16, 3, 3}, {4, 2, 8}, {1, 2, 32}};

    (void)state;
    for (uint32_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
        struct lsu_config cfg = usual;

        cfg.lanes = rows[k].lanes;
        cfg.interval = rows[k].interval;
        set_up(b, &cfg, 64);
        for (uint32_t i = 0; i < 8; i++) {
            (void)add(b, PTX_SP_GLOBAL, MEM_LOAD, 4, 1);
        }
        run(b);
        for (uint32_t i = 0; i < 8; i++) {
            assert_int_equal(b->lines[i].at, b->sent_at[0] + 2 + i * rows[k].cycles);
        }
        tear_down(b);
    }
    test_free(b);
}

/* What is counted follows the kind of access and the way through the L1. */
static void test_counters(void **state)
{
    struct bench *b = test_malloc(sizeof(*b));
    static const struct ptx_uop uop = {.form = {.sub = PTX_S_ADD, .type = PTX_T_U32}};

    (void)state;
    set_up(b, &usual, 64);
    stride(add(b, PTX_SP_GLOBAL, MEM_LOAD, 4, 1), GLOBAL_AT, 32);
    b->queue[0]->bypass_l1 = true; /* sectors, not lines */
    stride(add(b, PTX_SP_GLOBAL, MEM_STORE, 4, 1), GLOBAL_AT, 64);
    b->queue[1]->mask = 0xffff;
    (void)add(b, PTX_SP_GLOBAL, MEM_LOAD, 8, 1);  /* two half-warps */
    (void)add(b, PTX_SP_GLOBAL, MEM_STORE, 4, 4); /* four quarter-warps */
    stride(add(b, PTX_SP_GLOBAL, MEM_RED, 4, 1), GLOBAL_AT + 8, 0);
    b->queue[4]->uop = &uop;
    run(b);
    assert_int_equal(b->stats[0].gl_ld_requests, 1 + 2);
    assert_int_equal(b->stats[0].gl_ld_sectors, 32 + 8);
    assert_int_equal(b->stats[0].gl_ld_transactions, 32 + 2);
    assert_int_equal(b->stats[0].gl_ld_bytes, 32 * 32 + 2 * 128);
    assert_int_equal(b->stats[0].gl_ld_wanted, 128 + 256);
    assert_int_equal(b->stats[0].gl_st_requests, 1 + 4);
    assert_int_equal(b->stats[0].gl_st_sectors, 16 + 16);
    assert_int_equal(b->stats[0].gl_st_transactions, 16 + 16);
    assert_int_equal(b->stats[0].gl_st_bytes, 32 * 32);
    assert_int_equal(b->stats[0].gl_st_wanted, 64 + 512);
    assert_int_equal(b->stats[0].gl_at_requests, 1);
    assert_int_equal(b->stats[0].gl_at_sectors, 1);
    assert_int_equal(b->stats[0].gl_at_transactions, 1);
    assert_int_equal(b->stats[0].gl_at_bytes, 32);
    tear_down(b);
    test_free(b);
}

/* ---- data ---- */

/* The bytes a lane names, one by one: word k, byte j of its data. */
static uint8_t *byte_of(struct mem_req *r, uint32_t lane, uint32_t k)
{
    uint32_t per_word = r->size < 4 ? r->size : 4;

    return (uint8_t *)&r->d[k / per_word][lane] + k % per_word;
}

static uint64_t place_of(const struct mem_req *r, uint32_t lane, uint32_t k)
{
    uint64_t at = r->addr[lane] + k;

    return r->space != PTX_SP_LOCAL ? at
                                    : r->base + at / 4 * MEM_LINE + lane * 4 + at % 4;
}

static void check_load(struct bench *b, struct mem_req *r)
{
    for (uint32_t lane = 0; lane < PTX_LANES; lane++) {
        for (uint32_t k = 0; k < (uint32_t)r->size * r->vec; k++) {
            uint64_t at = place_of(r, lane, k);

            if ((r->mask >> lane & 1u) != 0) {
                assert_int_equal(*byte_of(r, lane, k), line_of(b, at)[at % MEM_LINE]);
            } else { /* not touched */
                assert_int_equal(*byte_of(r, lane, k), 0x5a);
            }
        }
        for (uint32_t w = 0; w < r->words && r->size < 4; w++) {
            assert_true((r->mask >> lane & 1u) == 0 ||
                        r->d[w][lane] >> (8 * r->size) == 0); /* zero-extended */
        }
    }
}

static void random_addresses(struct mem_req *r, uint64_t *s)
{
    uint64_t span = (uint64_t)r->size * r->vec;
    uint32_t gap = 1 + random32(s) % 40;
    bool local = r->space == PTX_SP_LOCAL;

    for (uint32_t i = 0; i < PTX_LANES; i++) { /* distinct */
        uint64_t at =
            local ? random32(s) % 64 : (uint64_t)(i * gap + random32(s) % gap);

        r->addr[i] = (local ? 0 : GLOBAL_AT) + at * span;
    }
    r->mask = random32(s) % 4 == 0 ? UINT32_MAX : (random32(s) ^ random32(s) << 16) | 1;
}

static const struct {
    uint8_t size, vec;
} shapes[] = {{1, 1}, {1, 2}, {1, 4}, {2, 1}, {2, 2}, {2, 4},
              {4, 1}, {4, 2}, {4, 4}, {8, 1}, {8, 2}};

static void test_loads(void **state)
{
    struct bench *b = test_malloc(sizeof(*b));
    uint64_t s = 1;

    (void)state;
    for (uint32_t turn = 0; turn < 40; turn++) {
        set_up(b, &usual, 1 + turn % 9);
        b->newest_first = turn % 2 == 1;
        for (uint32_t i = 0; i < sizeof(b->memory); i++) {
            (&b->memory[0][0])[i] = (uint8_t)random32(&s);
        }
        for (uint32_t k = 0; k < sizeof(shapes) / sizeof(shapes[0]); k++) {
            struct mem_req *r = add(b, turn % 4 < 2 ? PTX_SP_GLOBAL : PTX_SP_LOCAL,
                                    MEM_LOAD, shapes[k].size, shapes[k].vec);

            memset(r->d, 0x5a, sizeof(r->d));
            random_addresses(r, &s);
        }
        b->check = check_load;
        run(b);
        tear_down(b);
    }
    test_free(b);
}

/* One store on a fresh memory: its bytes are there and no others. */
static void test_stores(void **state)
{
    struct bench *b = test_malloc(sizeof(*b));
    uint8_t(*want)[MEM_LINE] = test_malloc(sizeof(b->memory));
    uint64_t s = 2;

    (void)state;
    for (uint32_t turn = 0; turn < 20; turn++) {
        for (uint32_t k = 0; k < sizeof(shapes) / sizeof(shapes[0]); k++) {
            struct mem_req *r;

            set_up(b, &usual, 8);
            memset(b->memory, 0xee, sizeof(b->memory));
            memset(want, 0xee, sizeof(b->memory));
            r = add(b, turn % 2 == 0 ? PTX_SP_GLOBAL : PTX_SP_LOCAL, MEM_STORE,
                    shapes[k].size, shapes[k].vec);
            random_addresses(r, &s);
            for (uint32_t i = 0; i < sizeof(r->d); i++) {
                ((uint8_t *)r->d)[i] = (uint8_t)random32(&s);
            }
            for (uint32_t m = r->mask; m != 0; m &= m - 1) {
                uint32_t lane = (uint32_t)__builtin_ctz(m);

                for (uint32_t j = 0; j < (uint32_t)r->size * r->vec; j++) {
                    uint64_t at = place_of(r, lane, j);

                    want[(line_of(b, at) - b->memory[0]) / (ptrdiff_t)MEM_LINE]
                        [at % MEM_LINE] = *byte_of(r, lane, j);
                }
            }
            run(b);
            assert_memory_equal(b->memory, want, sizeof(b->memory));
            for (uint32_t i = 0; i < b->n_lines; i++) {
                assert_true(b->lines[i].line.ack);
            }
            tear_down(b);
        }
    }
    test_free(want);
    test_free(b);
}

/* One offset of all lanes is one line, whatever the offset. */
static void test_local_interleaving(void **state)
{
    struct bench *b = test_malloc(sizeof(*b));

    (void)state;
    set_up(b, &usual, 64);
    stride(add(b, PTX_SP_LOCAL, MEM_LOAD, 4, 1), 8, 0);
    stride(add(b, PTX_SP_LOCAL, MEM_STORE, 8, 1), 16, 0);
    stride(add(b, PTX_SP_LOCAL, MEM_LOAD, 1, 1), 9, 0);
    stride(add(b, PTX_SP_LOCAL, MEM_LOAD, 4, 1), 0, 4); /* a line each */
    b->queue[1]->base += 1 << 14;
    run(b);
    assert_int_equal(b->n_lines, 1 + 2 + 1 + 32);
    assert_true(b->lines[0].line.addr == (MEM_LOCAL_BIT | 2 * MEM_LINE));
    assert_int_equal(b->lines[0].line.sectors, 0xf);
    assert_true(b->lines[1].line.addr == (MEM_LOCAL_BIT | (1 << 14) | 4 * MEM_LINE));
    assert_true(b->lines[2].line.addr == (MEM_LOCAL_BIT | (1 << 14) | 5 * MEM_LINE));
    assert_int_equal(b->lines[1].line.piece, 0);
    assert_int_equal(b->lines[2].line.piece, 1);
    assert_true(b->lines[3].line.addr == (MEM_LOCAL_BIT | 2 * MEM_LINE));
    assert_true(b->lines[3].line.bytes[0] == 0x2222222222222222ull);
    assert_int_equal(b->stats[0].gl_ld_requests + b->stats[0].gl_st_requests, 0);
    tear_down(b);
    test_free(b);
}

/* ---- atomics ---- */

static void check_atom(struct bench *b, struct mem_req *r)
{
    const struct mem_req *w = &b->want[r->id];

    for (uint32_t m = r->mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);

        assert_int_equal(r->d[0][lane], w->d[0][lane]);
        assert_true(r->size == 4 || r->d[1][lane] == w->d[1][lane]);
    }
}

/* Lanes on few words: each sees what the lanes before it left, lane after lane. */
static void test_atomics(void **state)
{
    static const struct {
        uint8_t sub, type, size;
    } kinds[] = {{PTX_S_ADD, PTX_T_U32, 4},  {PTX_S_CAS, PTX_T_B32, 4},
                 {PTX_S_EXCH, PTX_T_B64, 8}, {PTX_S_CAS, PTX_T_B64, 8},
                 {PTX_S_ADD, PTX_T_U64, 8},  {PTX_S_MIN, PTX_T_S32, 4}};
    struct bench *b = test_malloc(sizeof(*b));
    uint64_t s = 3;

    (void)state;
    for (uint32_t turn = 0; turn < 60; turn++) {
        struct ptx_uop u = {0};
        uint64_t cell[40] = {0};
        uint32_t k = turn % (sizeof(kinds) / sizeof(kinds[0]));
        struct mem_req *r, *w;

        u.form.sub = kinds[k].sub;
        u.form.type = kinds[k].type;
        set_up(b, &usual, 8);
        r = add(b, PTX_SP_GLOBAL, turn % 3 == 2 ? MEM_RED : MEM_ATOM, kinds[k].size, 1);
        r->uop = &u;
        r->mask = random32(&s) | 1;
        for (uint32_t i = 0; i < sizeof(r->d); i++) {
            ((uint8_t *)r->d)[i] = (uint8_t)(random32(&s) % 3);
        }
        w = &b->want[0];
        *w = *r;
        for (uint32_t lane = 0; lane < PTX_LANES; lane++) { /* words of two lines */
            r->addr[lane] = GLOBAL_AT + (random32(&s) % 40) * r->size;
        }
        /* lines are served in the order sent; lanes of one word lie in one line */
        for (uint32_t m = r->mask; m != 0; m &= m - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(m);
            uint64_t *c = &cell[(r->addr[lane] - GLOBAL_AT) / r->size];

            w->d[0][lane] = (uint32_t)*c;
            w->d[1][lane] = (uint32_t)(*c >> 32);
            *c = ptx_atom(kinds[k].sub, kinds[k].type, *c, mem_atom_operand(r, 0, lane),
                          mem_atom_operand(r, 1, lane));
        }
        b->check = check_atom;
        run(b);
        for (uint32_t i = 0; i < 40; i++) {
            uint64_t got = 0;

            memcpy(&got, &b->memory[0][0] + i * kinds[k].size, kinds[k].size);
            assert_true(got == cell[i]);
        }
        tear_down(b);
    }
    test_free(b);
}

/* ---- queues ---- */

/* Two entries: the third request starts when one of the first two is back. */
static void test_entries(void **state)
{
    struct bench *b = test_malloc(sizeof(*b));
    struct lsu_config cfg = usual;

    (void)state;
    cfg.entries = 2;
    set_up(b, &cfg, 64);
    for (uint32_t i = 0; i < 5; i++) {
        (void)add(b, PTX_SP_GLOBAL, MEM_LOAD, 4, 1);
    }
    (void)add(b, PTX_SP_SHARED, MEM_LOAD, 4, 1);
    run(b);
    assert_int_equal(b->lines[0].at, b->sent_at[0] + 2);
    assert_int_equal(b->lines[1].at, b->sent_at[0] + 4);
    /* its answer reaches the unit 31 cycles after it was sent: the next leaves then */
    assert_int_equal(b->lines[2].at, b->lines[0].at + 30 + 2);
    assert_int_equal(b->lines[3].at, b->lines[1].at + 30 + 2);
    assert_int_equal(b->lines[4].at, b->lines[2].at + 30 + 2);
    assert_true(b->passed[0].at > b->lines[4].at); /* nor does this one overtake */
    tear_down(b);
    test_free(b);
}

/* Answers out of order complete requests out of order. */
static void test_answers_out_of_order(void **state)
{
    struct bench *b = test_malloc(sizeof(*b));

    (void)state;
    set_up(b, &usual, 64);
    b->newest_first = true;
    b->closed = 60; /* all lines are taken at once */
    for (uint32_t i = 0; i < 6; i++) {
        (void)add(b, PTX_SP_GLOBAL, i % 2 == 0 ? MEM_LOAD : MEM_STORE, 4, 1);
    }
    run(b);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(b->back[i], 5 - i);
    }
    tear_down(b);
    test_free(b);
}

/* A memory that takes nothing for long, through a queue of one: all arrive, in order.
 */
static void test_back_pressure(void **state)
{
    struct bench *b = test_malloc(sizeof(*b));

    (void)state;
    set_up(b, &usual, 1);
    b->closed = 500;
    b->delay = 1;
    stride(add(b, PTX_SP_GLOBAL, MEM_STORE, 4, 1), GLOBAL_AT, 128);
    stride(add(b, PTX_SP_GLOBAL, MEM_LOAD, 4, 1), GLOBAL_AT, 256);
    (void)add(b, PTX_SP_CONST, MEM_LOAD, 4, 1);
    run(b);
    assert_int_equal(b->n_lines, 64);
    assert_int_equal(b->lines[0].at, 500);
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(b->lines[i].line.addr, GLOBAL_AT + i * 128);
        assert_int_equal(b->lines[32 + i].line.addr, GLOBAL_AT + i * 256);
    }
    assert_int_equal(b->passed[0].at > b->lines[63].at, 1);
    tear_down(b);
    test_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forwarding),
        cmocka_unit_test(test_one_line),
        cmocka_unit_test(test_many_lines),
        cmocka_unit_test(test_occupancy),
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_stores),
        cmocka_unit_test(test_local_interleaving),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_answers_out_of_order),
        cmocka_unit_test(test_back_pressure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
