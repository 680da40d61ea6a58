#include "check/instant.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { BLOCKS = 3, WORD = 65536, FLAG = WORD + 64 };

struct bed;

struct writer { /* an SM with one block, a process of its own */
    struct bed *b;
    uint32_t block;
    struct sim_process step;
};

struct bed {
    struct sim *sim;
    struct check_global *g;
    struct check *c;
    struct check_instant *t;
    struct sim_event go;
    struct writer writer[BLOCKS];
    void (*does)(struct writer *w);
    uint32_t n_found;
    uint32_t in_instant; /* of n_found: by the end of the accesses' instant */
    struct sim_observer end;
};

static void found(void *sm)
{
    ((struct writer *)sm)->b->n_found++;
}

static void end_of_instant(void *ctx, sim_time_t now)
{
    struct bed *b = ctx;

    (void)now;
    b->in_instant = b->n_found;
}

static void step(void *self)
{
    struct writer *w = self;

    w->b->does(w);
}

/* What the BLOCKS do at one instant. */
static struct bed *open_bed(uint64_t seed, void (*does)(struct writer *w))
{
    static const struct check_block first = {.warps = 1, .blocks = BLOCKS};
    struct sim *s = sim_new();
    struct bed *b = sim_alloc(s, sizeof(*b));

    b->sim = s;
    sim_shuffle(s, seed);
    b->g = check_global_new(true);
    b->c = check_new(BLOCKS, false);
    b->t = check_instant_new(s, b->g, found);
    b->does = does;
    b->end = (struct sim_observer){.end_of_instant = end_of_instant, .ctx = b};
    sim_observe(s, &b->end);
    sim_event_init(&b->go, s, NULL, "go");
    check_global_host(b->g, WORD, 128);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        struct check_block k = first;

        k.block = i;
        check_begin(b->c, i, &k);
        b->writer[i].b = b;
        b->writer[i].block = i;
        sim_process_init(&b->writer[i].step, s, "sm", step, &b->writer[i]);
        sim_wake_on(&b->writer[i].step, &b->go);
    }
    sim_notify_ps(&b->go, 100);
    (void)sim_run(s, 1000, 0);
    return b;
}

static void close_bed(struct bed *b)
{
    check_instant_free(b->t);
    check_global_free(b->g);
    check_free(b->c);
    sim_free(b->sim);
}

static struct check_teller teller(struct writer *w)
{
    return (struct check_teller){w->b->c, w->block, 0, w};
}

/* One lane accesses one word. */
static void act(struct writer *w, uint64_t at, uint8_t flags, uint32_t value)
{
    const uint64_t addr[CHECK_LANES] = {at};
    const uint32_t data[1][CHECK_LANES] = {{value}};
    const struct check_access a = {.mask = 1,
                                   .pc = 7,
                                   .flags = flags,
                                   .size = 4,
                                   .vec = 1,
                                   .cycle = 100,
                                   .addr = addr,
                                   .data = data};
    const struct check_teller by = teller(w);

    check_tell_access(w->b->t, &by, &a);
}

/* All write one word: what is found has the blocks in their order. */
static void write_word(struct writer *w)
{
    act(w, WORD, CHECK_WRITE, w->block + 1);
}

static void test_order(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct bed *b = open_bed(seed, write_word);
        const struct check *c = check_global_findings(b->g);
        const struct check_finding *f;

        assert_int_equal(check_n_findings(c), 1);
        f = check_finding(c, 0);
        assert_int_equal(f->side[0].block, 0);
        assert_int_equal(f->side[1].block, 1);
        assert_int_equal(f->count, 2); /* 1 after 0, 2 after 1; other bytes are 0 */
        assert_int_equal(b->n_found, 2);
        assert_int_equal(b->in_instant, 2);
        close_bed(b);
    }
}

/* Each writes its own word, fences and adds to the flag. */
static void arrive(struct writer *w)
{
    const struct check_teller by = teller(w);

    act(w, WORD + 4ull * w->block, CHECK_WRITE, 5);
    check_fence(w->b->c, w->block, 0);
    check_tell_fence(w->b->t, &by, true);
    act(w, FLAG, CHECK_WRITE | CHECK_ATOMIC, 1);
}

/* Any of those that came at one instant may have been the last one for the memory: it
 * knows of all others, after its fence. Without the fence it does not. */
static void test_same_instant(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        for (uint32_t last = 0; last < BLOCKS; last++) {
            for (uint32_t fences = 0; fences < 2; fences++) {
                struct bed *b = open_bed(seed, arrive);
                struct writer *w = &b->writer[last];
                const struct check_teller by = teller(w);

                if (fences == 1) {
                    check_fence(b->c, last, 0);
                    check_tell_fence(b->t, &by, true);
                }
                for (uint32_t i = 0; i < BLOCKS; i++) {
                    act(w, WORD + 4ull * i, 0, 0);
                }
                (void)sim_run(b->sim, 2000, 0);
                assert_int_equal(b->n_found, fences == 1 ? 0 : BLOCKS - 1);
                close_bed(b);
            }
        }
    }
}

/* More at one instant than the list had room for at first. */
static void write_many(struct writer *w)
{
    for (uint32_t i = 0; i < 20; i++) {
        act(w, WORD + 4ull * i, CHECK_WRITE, w->block + 1);
    }
}

static void test_many(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct bed *b = open_bed(seed, write_many);
        const struct check *c = check_global_findings(b->g);

        assert_int_equal(check_n_findings(c), 1);
        assert_int_equal(check_finding(c, 0)->addr, WORD);
        assert_int_equal(check_finding(c, 0)->side[1].block, 1);
        assert_int_equal(check_finding(c, 0)->count, 40);
        close_bed(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_same_instant),
        cmocka_unit_test(test_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
