/*
 * gen_spin.c - threads that wait for each other in loops: locks, chains, and one that
 * gives what all others wait for. Since 7.0 that ends between lanes of a warp too. All
 * threads of the block are there, and what comes out does not depend on who is first.
 *
 * W[0] is the lock or the flag, W[1] what is guarded. %t1 to %t4 and %k1, %k2 are used.
 */
#include "gen_priv.h"

static void begin(struct gen *g)
{
    put(g, "\tsetp.eq.u32 %k1, %t0, 0; //=\n"
           "\t@%k1 st.volatile.shared.u32 [W], 0; //=\n");
    putf(g, "\t@%k1 st.volatile.shared.u32 [W+4], %u; //=\n", gen_below(g, 1000));
    put(g, "\tbar.sync 0; //=\n");
}

/* All see the same; the cells may be used again. */
static void end(struct gen *g)
{
    putf(g, "\tbar.sync 0; //=\n\tld.volatile.shared.u32 %r%u, [W+4]; //=\n",
         gen_below(g, g->n_regs[CLASS_R]));
    put(g, "\tbar.sync 0; //=\n");
}

static void label(struct gen *g, uint32_t n)
{
    putf(g, "L%u: //=\n", n);
}

static void jump(struct gen *g, const char *guard, uint32_t n)
{
    putf(g, "\t%sbra L%u; //=\n", guard, n);
}

static void maybe_sleep(struct gen *g)
{
    if (gen_chance(g, 25)) {
        putf(g, "\tnanosleep.u32 %u; //=\n", 1 + gen_below(g, 100));
    }
}

/* A sum that does not depend on the order. */
static void guarded(struct gen *g, const char *op)
{
    putf(g,
         "\tld.volatile.shared.u32 %t2, [W+4]; //=\n\t%s %t2, %t2, %r%u; //=\n"
         "\tst.volatile.shared.u32 [W+4], %t2; //=\n\tmembar.cta; //=\n"
         "\tatom.shared.exch.b32 %t3, [W], 0; //=\n",
         op, gen_below(g, g->n_regs[CLASS_R]));
}

static void lock(struct gen *g, uint32_t n)
{
    const char *op = gen_chance(g, 50) ? "add.u32" : "xor.b32";

    if (gen_chance(g, 50)) {
        label(g, n);
        maybe_sleep(g);
        put(g, "\tatom.shared.cas.b32 %t1, [W], 0, 1; //=\n"
               "\tsetp.ne.u32 %k1, %t1, 0; //=\n");
        jump(g, "@%k1 ", n);
        guarded(g, op);
        return;
    }
    put(g, "\tmov.u32 %t4, 0; //=\n"); /* done */
    label(g, n);
    put(g, "\tatom.shared.exch.b32 %t1, [W], 1; //=\n"
           "\tsetp.ne.u32 %k1, %t1, 0; //=\n");
    jump(g, "@%k1 ", n + 1);
    guarded(g, op);
    put(g, "\tmov.u32 %t4, 1; //=\n");
    label(g, n + 1);
    put(g, "\tsetp.eq.u32 %k2, %t4, 0; //=\n");
    jump(g, "@%k2 ", n);
}

/* Each thread has its turn, the first or the last of them first. */
static void chain(struct gen *g, uint32_t n)
{
    if (gen_chance(g, 50)) {
        put(g, "\tmov.u32 %t4, %t0; //=\n");
    } else {
        putf(g, "\tsub.u32 %t4, %u, %t0; //=\n", g->p->n_threads - 1);
    }
    label(g, n);
    maybe_sleep(g);
    put(g, gen_chance(g, 50) ? "\tld.volatile.shared.u32 %t1, [W]; //=\n"
                             : "\tatom.shared.or.b32 %t1, [W], 0; //=\n");
    put(g, "\tsetp.ne.u32 %k1, %t1, %t4; //=\n");
    jump(g, "@%k1 ", n);
    putf(g,
         "\tld.volatile.shared.u32 %t2, [W+4]; //=\n"
         "\tmad.lo.u32 %t2, %t2, 31, %r%u; //=\n"
         "\tst.volatile.shared.u32 [W+4], %t2; //=\n\tmembar.cta; //=\n"
         "\tadd.u32 %t3, %t1, 1; //=\n\tst.volatile.shared.u32 [W], %t3; //=\n"
         "\tmov.u32 %r%u, %t2; //=\n",
         gen_below(g, g->n_regs[CLASS_R]), gen_below(g, g->n_regs[CLASS_R]));
}

/* One thread gives, on one side of a branch or the other. */
static void give(struct gen *g, uint32_t n)
{
    const bool taken = gen_chance(g, 50);

    putf(g, "\tsetp.eq.u32 %k1, %t0, %u; //=\n", gen_below(g, g->p->n_threads));
    jump(g, taken ? "@%k1 " : "@!%k1 ", n + 1);
    for (uint32_t side = 0; side < 2; side++) {
        if ((side == 1) == taken) {
            putf(g, "\tst.volatile.shared.u32 [W+4], %r%u; //=\n\tmembar.cta; //=\n",
                 gen_below(g, g->n_regs[CLASS_R]));
            put(g, "\tst.volatile.shared.u32 [W], 1; //=\n");
        } else {
            label(g, n);
            maybe_sleep(g);
            put(g, "\tld.volatile.shared.u32 %t1, [W]; //=\n"
                   "\tsetp.eq.u32 %k2, %t1, 0; //=\n");
            jump(g, "@%k2 ", n);
        }
        if (side == 0) {
            jump(g, "", n + 2);
            label(g, n + 1);
        }
    }
    label(g, n + 2);
}

void gen_spin(struct gen *g)
{
    const uint32_t n = g->n_labels; /* of three */

    g->n_labels += 3;
    begin(g);
    switch (gen_below(g, 3)) {
    case 0: lock(g, n); break;
    case 1: chain(g, n); break;
    default: give(g, n); break;
    }
    end(g);
}
