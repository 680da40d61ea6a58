/*
 * Copies that run beside the thread, and mbarriers.
 *
 * Each thread has 64 bytes of shared memory, four places, for its copies, and an
 * mbarrier of its own: what that answers is known from the thread's own steps. One more
 * mbarrier is the whole block's. %m0 is the thread's places, %m1 its mbarrier, %m2 the
 * block's, %m3 scratch; states are in %y0, what waits turn around on in %k.
 *
 * Nothing reads a place before the wait for its copy. A wait in a loop turns as often
 * as it takes, so that such programs are not asked how many instructions they ran.
 */
#include "gen_priv.h"

enum { PLACES = 4, PLACE = 16, OWN = PLACES * PLACE };

static const char *shared_type(const struct gen *g)
{
    return g->wide_shared ? "u64" : "u32";
}

void gen_async_variables(struct gen *g)
{
    putf(g, ".shared .align 16 .b8 SA[%u];\n.shared .align 8 .b8 SB[%u];\n",
         OWN * g->p->n_threads, 8 * (g->p->n_threads + 1));
}

/* Behind it all threads meet: the block's mbarrier is there for all then. */
void gen_async_places(struct gen *g)
{
    const char *a = shared_type(g), *mad = g->wide_shared ? "wide" : "lo";

    putf(g, "\t.reg .%s %m<4>;\n\t.reg .b64 %y<1>;\n", a);
    putf(g, "\tmov.%s %m3, SA; //=\n\tmad.%s.u32 %m0, %t0, %u, %m3; //=\n", a, mad,
         OWN);
    putf(g, "\tmov.%s %m2, SB; //=\n\tmad.%s.u32 %m1, %t0, 8, %m2; //=\n", a, mad);
    putf(g, "\tadd.%s %m1, %m1, 8; //=\n", a);
    for (uint32_t i = 0; i < OWN; i += PLACE) {
        putf(g, "\tst.shared.v2.b32 [%m0+%u], {%r1, %r7}; //=\n", i);
        putf(g, "\tst.shared.v2.b32 [%m0+%u], {%r6, %r3}; //=\n", i + 8);
    }
    putf(g,
         "\tmbarrier.init.shared.b64 [%m1], 1; //=\n\tsetp.eq.u32 %k0, %t0, 0; //=\n"
         "\t@%k0 mbarrier.init.shared.b64 [%m2], %u; //=\n",
         g->p->n_threads);
}

/* ---- copies ---- */

/* Into size bytes from at on: nothing orders two copies into the same bytes. */
static void copy(struct gen *g, uint32_t at, uint32_t size)
{
    const uint32_t bytes = 4u << gen_below(g, size == PLACE ? 3 : 2);
    const uint32_t how = gen_below(g, 6);
    bool hinted;

    at += gen_below(g, size / bytes) * bytes;

    gen_offset(g, GEN_IN, bytes);
    gen_address(g, "%a0");
    gen_copy_size(g, how, bytes);
    gen_guard(g, 15);
    putf(g, "cp.async.%s.shared%s.global",
         bytes == 16 && gen_chance(g, 50) ? "cg" : "ca",
         gen_chance(g, 20) ? "::cta" : "");
    hinted = gen_hint(g);
    put(g, gen_chance(g, 15) ? ".L2::128B" : "");
    putf(g, " [%m0+%u], [%a2+%u], %u", at, gen_below(g, 64 / bytes) * bytes, bytes);
    gen_copy_end(g, how, bytes, hinted);
}

static void look(struct gen *g, uint32_t place)
{
    if (gen_chance(g, 50)) {
        put(g, "\tld.shared.b32 ");
        gen_reg(g, CLASS_R);
        putf(g, ", [%m0+%u];\n", place * PLACE + 4 * gen_below(g, 4));
    } else {
        put(g, "\tld.shared.b64 ");
        gen_reg(g, CLASS_D);
        putf(g, ", [%m0+%u];\n", place * PLACE + 8 * gen_below(g, 2));
    }
}

/* Groups, one place each, and waits for all but the last few of them. */
static void groups(struct gen *g)
{
    const uint32_t n = 1 + gen_below(g, PLACES), first = gen_below(g, PLACES);
    uint32_t seen = 0;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t parts = 1 + gen_below(g, 2), size = PLACE / parts;

        for (uint32_t k = 0; k < parts; k++) {
            copy(g, (first + i) % PLACES * PLACE + k * size, size);
        }
        put(g, "\tcp.async.commit_group;\n");
        if (gen_chance(g, 40)) {
            gen_alu(g);
        }
    }
    while (seen < n) {
        const uint32_t left = gen_below(g, n - seen);

        if (left == 0 && gen_chance(g, 40)) {
            put(g, "\tcp.async.wait_all; //=\n");
        } else {
            putf(g, "\tcp.async.wait_group %u; //=\n", left);
        }
        for (; seen < n - left; seen++) {
            look(g, (first + seen) % PLACES);
        }
    }
}

/* ---- mbarriers ---- */

void gen_turn_until(struct gen *g, const char *words, const char *barrier,
                    const char *operand)
{
    const uint32_t label = g->n_labels++, k = gen_below(g, 4);

    g->p->turns = true;
    putf(g, "L%u:\n\tmbarrier.%s_wait%s.shared.b64 %k%u, [%s], %s; //=\n", label,
         g->newest && gen_chance(g, 60) ? "try" : "test", words, k, barrier, operand);
    putf(g, "\t@!%k%u bra L%u; //=\n", k, label);
}

static void turn_until(struct gen *g, const char *barrier, bool parity)
{
    gen_turn_until(g, parity ? ".parity" : "", barrier, parity ? "0" : "%y0");
}

/* Copies whose end is an arrival. */
static void copies_arrive(struct gen *g)
{
    const bool none = gen_chance(g, 60); /* .noinc: the arrival is counted already */
    const uint32_t place = gen_below(g, PLACES);

    putf(g,
         "\tmbarrier.inval.shared.b64 [%m1]; //=\n"
         "\tmbarrier.init.shared.b64 [%m1], %u; //=\n",
         none ? 2u : 1u);
    copy(g, place * PLACE, PLACE);
    if (gen_chance(g, 50)) {
        copy(g, (place + 1) % PLACES * PLACE, PLACE);
    }
    putf(g, "\tcp.async.mbarrier.arrive%s.shared%s.b64 [%m1]; //=\n",
         none ? ".noinc" : "", gen_chance(g, 20) ? "::cta" : "");
    if (gen_chance(g, 50)) {
        gen_alu(g);
    }
    put(g, "\tmbarrier.arrive.shared.b64 %y0, [%m1]; //=\n");
    turn_until(g, "%m1", gen_chance(g, 40));
    put(g, "\tcp.async.wait_all; //=\n"); /* of other paths there is nothing left */
    look(g, place);
    look(g, (place + 1) % PLACES);
}

struct phases { /* of the thread's own mbarrier, as the steps written bring it about */
    uint32_t expected, pending, bytes, phase;
    uint32_t state_phase; /* of the phase that %y0 is of */
    bool has_state, has_count;
};

static void settle(struct phases *b)
{
    if (b->pending == 0 && b->bytes == 0) {
        b->phase++;
        b->pending = b->expected;
    }
}

/* One arrival or more; the last of a phase is not .noComplete. */
static void arrive(struct gen *g, struct phases *b)
{
    const bool drop = b->expected > 2 && gen_chance(g, 25);
    const bool leaves = b->pending > 1 && gen_chance(g, 50);
    const uint32_t most = leaves ? b->pending - 1 : b->pending;
    uint32_t n = 1;

    if (b->pending == 0) {
        return; /* the phase waits for bytes */
    }
    if (drop && b->expected - 1 < most) {
        n = 1;
    } else if (leaves || g->newest) {
        n = 1 + gen_below(g, most);
    }
    n = drop ? 1 : n;
    putf(g, "\tmbarrier.%s%s.shared%s.b64 %y0, [%m1]", drop ? "arrive_drop" : "arrive",
         leaves ? ".noComplete" : "", gen_chance(g, 20) ? "::cta" : "");
    if (leaves || n > 1) {
        putf(g, ", %u", n);
    }
    put(g, "; //=\n");
    b->has_state = true;
    b->has_count = leaves;
    b->state_phase = b->phase;
    b->pending -= n;
    b->expected -= drop ? n : 0;
    settle(b);
}

static void bytes(struct gen *g, struct phases *b)
{
    const uint32_t n = 1 + gen_below(g, b->bytes > 0 ? b->bytes : 64);

    if (!g->newest) {
        return;
    }
    if (b->bytes == 0) {
        if (b->pending == 0) {
            return;
        }
        putf(g, "\tmbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%m1], %u; //=\n", n);
        b->bytes += n;
    } else {
        putf(g, "\tmbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%m1], %u; //=\n",
             n);
        b->bytes -= n;
        settle(b);
    }
}

/* Is it over? That of a state, or that of a parity: the phase under way or the last. */
static void ask(struct gen *g, const struct phases *b)
{
    const bool tries = g->newest && gen_chance(g, 15);

    if (gen_chance(g, 50) && b->has_state && b->phase <= b->state_phase + 1) {
        putf(g, "\tmbarrier.%s_wait.shared.b64 ", tries ? "try" : "test");
        gen_reg(g, CLASS_P);
        put(g, ", [%m1], %y0; //=\n");
    } else {
        putf(g, "\tmbarrier.%s_wait.parity.shared.b64 ", tries ? "try" : "test");
        gen_reg(g, CLASS_P);
        putf(g, ", [%m1], %u; //=\n", gen_below(g, 2));
    }
}

static void own(struct gen *g)
{
    struct phases b = {.expected = 1 + gen_below(g, 5)};

    b.pending = b.expected;
    putf(g,
         "\tmbarrier.inval.shared.b64 [%m1]; //=\n"
         "\tmbarrier.init.shared.b64 [%m1], %u; //=\n",
         b.expected);
    for (uint32_t left = 2 + gen_below(g, 8); left > 0; left--) {
        switch (gen_below(g, 6)) {
        case 0:
        case 1:
        case 2: arrive(g, &b); break;
        case 3: bytes(g, &b); break;
        case 4:
            if (b.has_count) {
                put(g, "\tmbarrier.pending_count.b64 ");
                gen_reg(g, CLASS_R);
                put(g, ", %y0; //=\n");
            }
            break;
        default: ask(g, &b); break;
        }
    }
}

void gen_async(struct gen *g)
{
    switch (gen_below(g, 5)) {
    case 0:
    case 1: groups(g); break;
    case 2: copies_arrive(g); break;
    default: own(g); break;
    }
}

/* All threads of the block arrive and wait for one another; then each reads what
 * another one has written, and they do so again before anything of it is written anew.
 */
void gen_async_together(struct gen *g)
{
    const uint32_t n = g->p->n_threads, place = gen_below(g, PLACES);

    putf(g, "\tst.shared.b32 [%m0+%u], ", place * PLACE);
    gen_reg(g, CLASS_R);
    put(g, "; //=\n");
    for (uint32_t i = 0; i < 2; i++) {
        if (g->newest && gen_chance(g, 30)) {
            put(g, "\tmbarrier.arrive.release.cta.shared::cta.b64 %y0, [%m2]; //=\n");
        } else {
            put(g, "\tmbarrier.arrive.shared.b64 %y0, [%m2]; //=\n");
        }
        turn_until(g, "%m2", false);
        if (i == 1) {
            break;
        }
        putf(g, "\tadd.u32 %t1, %t0, %u; //=\n\trem.u32 %t1, %t1, %u; //=\n",
             gen_below(g, n), n);
        putf(g, "\tmov.%s %m3, SA; //=\n\tmad.%s.u32 %m3, %t1, %u, %m3; //=\n",
             shared_type(g), g->wide_shared ? "wide" : "lo", OWN);
        put(g, "\tld.shared.b32 ");
        gen_reg(g, CLASS_R);
        putf(g, ", [%m3+%u]; //=\n", place * PLACE);
    }
}
