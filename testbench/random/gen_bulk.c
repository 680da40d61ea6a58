/*
 * Bulk copies.
 *
 * Each thread has 64 bytes of shared memory, four places, and an mbarrier for its
 * copies, and 64 bytes behind its part of the output that nothing else writes. One more
 * region and mbarrier are the whole block's: one thread loads, all wait and read. %la0
 * is the thread's places, %la1 its mbarrier, %la2 the block's, %la3 the region; states
 * are in %ls0, %ln0 is scratch, %ln1 the parity of the block's phase under way.
 *
 * Every statement waits for what it began, but for stores that may still be on their
 * way into memory: nobody looks there before the next wait. In front of a copy of what
 * threads wrote there is a fence between the two ways to memory.
 */
#include "gen_priv.h"

#include <stddef.h>

enum { PLACES = 4, PLACE = 16, OWN = PLACES * PLACE, REGION = 256 };

static const char *shared_type(const struct gen *g)
{
    return g->wide_shared ? "u64" : "u32";
}

void gen_bulk_variables(struct gen *g)
{
    putf(g, ".shared .align 16 .b8 SU[%u];\n.shared .align 8 .b8 SV[%u];\n",
         OWN * g->p->n_threads, 8 * (g->p->n_threads + 1));
    putf(g, ".shared .align 128 .b8 SR[%u];\n", REGION);
}

void gen_bulk_places(struct gen *g)
{
    const char *a = shared_type(g), *mad = g->wide_shared ? "wide" : "lo";

    putf(g, "\t.reg .%s %la<4>;\n\t.reg .b64 %ls<1>;\n\t.reg .b32 %ln<2>;\n", a);
    putf(g, "\tmov.%s %la3, SU; //=\n\tmad.%s.u32 %la0, %t0, %u, %la3; //=\n", a, mad,
         OWN);
    putf(g, "\tmov.%s %la2, SV; //=\n\tmad.%s.u32 %la1, %t0, 8, %la2; //=\n", a, mad);
    putf(g, "\tadd.%s %la1, %la1, 8; //=\n\tmov.%s %la3, SR; //=\n", a, a);
    for (uint32_t i = 0; i < OWN; i += PLACE) {
        putf(g, "\tst.shared.v4.b32 [%la0+%u], {%r7, %r2, %r1, %r4}; //=\n", i);
    }
    put(g, "\tmbarrier.init.shared.b64 [%la1], 1; //=\n"
           "\tsetp.eq.u32 %k0, %t0, 0; //=\n"
           "\t@%k0 mbarrier.init.shared.b64 [%la2], 1; //=\n"
           "\tmov.u32 %ln1, 0; //=\n");
}

/* ---- words ---- */

void gen_proxy_fence(struct gen *g, bool global)
{
    put(g, "\tfence.proxy.async");
    put(g, !global && gen_chance(g, 50) ? ".shared::cta; //=\n" : "; //=\n");
}

/* Addresses in the input: %a2. */
void gen_bulk_source(struct gen *g)
{
    put(g, "\tand.b32 %t1, ");
    gen_reg(g, CLASS_R);
    putf(g, ", %u; //=\n", (GEN_IN - 1) & ~15u);
    if (g->wide) {
        put(g, "\tcvt.u64.u32 %a2, %t1; //=\n\tadd.u64 %a2, %a2, %a0; //=\n");
    } else {
        put(g, "\tadd.u32 %a2, %t1, %a0; //=\n");
    }
}

/* The size as a number or from a register. */
static void size_operand(struct gen *g, uint32_t bytes)
{
    if (gen_chance(g, 70)) {
        putf(g, "%u", bytes);
    } else {
        put(g, "%ln0");
    }
}

static void size_register(struct gen *g, uint32_t bytes)
{
    putf(g, "\tmov.u32 %ln0, %u; //=\n", bytes);
}

void gen_bar_fresh(struct gen *g, const char *bar)
{
    putf(g,
         "\tmbarrier.inval.shared.b64 [%s]; //=\n"
         "\tmbarrier.init.shared.b64 [%s], 1; //=\n",
         bar, bar);
    gen_proxy_fence(g, false);
}

void gen_bar_expect(struct gen *g, const char *bar, uint32_t bytes)
{
    putf(g, "\tmbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%s], %u; //=\n", bar,
         bytes);
}

void gen_bar_arrive(struct gen *g, const char *bar, const char *state, uint32_t bytes)
{
    if (bytes == 0) {
        putf(g, "\tmbarrier.arrive.shared.b64 %s, [%s]; //=\n", state, bar);
    } else if (gen_chance(g, 50)) {
        putf(g, "\tmbarrier.arrive.expect_tx.shared.b64 %s, [%s], %u; //=\n", state,
             bar, bytes);
    } else {
        putf(g,
             "\tmbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %s, [%s], "
             "%u; //=\n",
             state, bar, bytes);
    }
}

void gen_bar_wait(struct gen *g, const char *bar, const char *state)
{
    if (gen_chance(g, 40)) {
        gen_alu(g);
    }
    if (gen_chance(g, 40)) {
        gen_turn_until(g, ".parity", bar, "0");
    } else {
        gen_turn_until(g, "", bar, state);
    }
}

static void look(struct gen *g, uint32_t at)
{
    if (gen_chance(g, 50)) {
        put(g, "\tld.shared.b32 ");
        gen_reg(g, CLASS_R);
        putf(g, ", [%la0+%u];\n", at + 4 * gen_below(g, 4));
    } else {
        put(g, "\tld.shared.b64 ");
        gen_reg(g, CLASS_D);
        putf(g, ", [%la0+%u];\n", at + 8 * gen_below(g, 2));
    }
}

static void write_place(struct gen *g, uint32_t place)
{
    putf(g, "\tst.shared.v2.b64 [%la0+%u], {%d%u, %d%u}; //=\n", place * PLACE,
         gen_below(g, 4), gen_below(g, 4));
}

/* Pieces of one place or more, all different; how many. */
static uint32_t cut(struct gen *g, uint32_t at[PLACES], uint32_t bytes[PLACES])
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < PLACES;) {
        const uint32_t k = 1 + gen_below(g, PLACES - i);

        if (gen_chance(g, 65)) {
            at[n] = i * PLACE;
            bytes[n++] = k * PLACE;
        }
        i += k;
    }
    if (n == 0) {
        at[0] = gen_below(g, PLACES) * PLACE;
        bytes[n++] = PLACE;
    }
    return n;
}

/* ---- of a thread alone ---- */

/* Before, between or behind the copies it is said how many bytes they are. */
static void loads(struct gen *g)
{
    uint32_t at[PLACES], bytes[PLACES], total = 0;
    const uint32_t n = cut(g, at, bytes), how = gen_below(g, 3);
    bool hinted;

    for (uint32_t i = 0; i < n; i++) {
        total += bytes[i];
    }
    gen_bar_fresh(g, "%la1");
    if (how == 0) {
        gen_bar_arrive(g, "%la1", "%ls0", total);
    } else if (how == 1) {
        gen_bar_expect(g, "%la1", total);
    }
    for (uint32_t i = 0; i < n; i++) {
        gen_bulk_source(g);
        size_register(g, bytes[i]);
        putf(g, "\tcp.async.bulk.shared::%s.global.mbarrier::complete_tx::bytes",
             gen_chance(g, 30) ? "cta" : "cluster");
        hinted = gen_hint(g);
        putf(g, " [%la0+%u], [%a2], ", at[i]);
        size_operand(g, bytes[i]);
        put(g, ", [%la1]");
        gen_hint_policy(g, hinted);
        put(g, "; //=\n");
    }
    if (how != 0) {
        gen_bar_arrive(g, "%la1", "%ls0", how == 1 ? 0 : total);
    }
    gen_bar_wait(g, "%la1", "%ls0");
    for (uint32_t i = 0; i < n; i++) {
        look(g, at[i] + gen_below(g, bytes[i] / PLACE) * PLACE);
    }
}

/* What reductions do in the two kinds of destinations. */
static const char *const into_global[] = {
    "and.b32", "or.b32",   "xor.b32", "and.b64",       "or.b64",         "xor.b64",
    "add.u32", "add.s32",  "add.u64", "inc.u32",       "dec.u32",        "min.u32",
    "max.u32", "min.s32",  "max.s32", "min.u64",       "max.u64",        "min.s64",
    "max.s64", "add.f64",  "add.f32", "add.noftz.f16", "add.noftz.bf16", "min.f16",
    "max.f16", "min.bf16", "max.bf16"};
static const char *const into_shared[] = {"and.b32", "or.b32",  "xor.b32", "add.u32",
                                          "add.s32", "add.u64", "inc.u32", "dec.u32",
                                          "min.u32", "max.u32", "min.s32", "max.s32"};

enum {
    N_INTO_GLOBAL = sizeof(into_global) / sizeof(into_global[0]),
    N_INTO_SHARED = sizeof(into_shared) / sizeof(into_shared[0])
};

void gen_bulk_wait(struct gen *g, bool read, uint32_t left)
{
    putf(g, "\tcp.async.bulk.wait_group%s %u; //=\n", read ? ".read" : "", left);
}

static void store(struct gen *g, uint32_t at, uint32_t bytes, const char *operation)
{
    bool hinted;

    size_register(g, bytes);
    putf(g, "\tcp.%sasync.bulk.global.shared::cta.bulk_group",
         operation != NULL ? "reduce." : "");
    hinted = gen_hint(g);
    putf(g, "%s%s [%a1+%u], [%la0+%u], ", operation != NULL ? "." : "",
         operation != NULL ? operation : "", GEN_SLOT + at, at);
    size_operand(g, bytes);
    gen_hint_policy(g, hinted);
    put(g, "; //=\n");
}

static void look_global(struct gen *g, uint32_t at)
{
    put(g, gen_chance(g, 50) ? "\tld.global.b64 " : "\tld.relaxed.gpu.global.b64 ");
    gen_reg(g, CLASS_D);
    putf(g, ", [%a1+%u]; //=\n", GEN_SLOT + at + 8 * gen_below(g, 2));
}

/* Into the thread's bytes of the output, as groups. */
static void stores(struct gen *g)
{
    uint32_t at[PLACES], bytes[PLACES], groups = 0;
    const uint32_t n = cut(g, at, bytes);
    const char *operation =
        gen_chance(g, 40) ? into_global[gen_below(g, N_INTO_GLOBAL)] : NULL;

    gen_bulk_wait(g, false, 0);
    for (uint32_t i = 0; i < n; i++) {
        if (gen_chance(g, 60)) {
            write_place(g, at[i] / PLACE);
        }
    }
    gen_proxy_fence(g, true);
    for (uint32_t i = 0; i < n; i++) {
        store(g, at[i], bytes[i], operation);
        if (operation != NULL && gen_chance(g, 30)) {
            store(g, at[i], bytes[i], operation); /* twice the same */
        }
        if (i + 1 == n || gen_chance(g, 50)) {
            put(g, "\tcp.async.bulk.commit_group; //=\n");
            groups++;
        }
    }
    if (gen_chance(g, 40)) {
        gen_alu(g);
    }
    if (groups > 1 && gen_chance(g, 40)) { /* the first is done: look there */
        gen_bulk_wait(g, false, groups - 1);
        look_global(g, at[0]);
    }
    gen_bulk_wait(g, true, 0);
    if (gen_chance(g, 50)) {
        write_place(g, at[0] / PLACE);
    }
    if (gen_chance(g, 70)) {
        gen_bulk_wait(g, false, 0);
        look_global(g, at[n - 1]);
    }
}

/* From one place of the thread's to another, which counts as the cluster's. */
static void sends(struct gen *g)
{
    const uint32_t from = gen_below(g, PLACES);
    const uint32_t to = (from + 1 + gen_below(g, PLACES - 1)) % PLACES;
    const bool reduces = gen_chance(g, 50);

    if (gen_chance(g, 70)) {
        write_place(g, from);
    }
    gen_bar_fresh(g, "%la1");
    gen_bar_arrive(g, "%la1", "%ls0", PLACE);
    size_register(g, PLACE);
    putf(g,
         "\tcp.%sasync.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes",
         reduces ? "reduce." : "");
    putf(g, "%s%s [%la0+%u], [%la0+%u], ", reduces ? "." : "",
         reduces ? into_shared[gen_below(g, N_INTO_SHARED)] : "", to * PLACE,
         from * PLACE);
    size_operand(g, PLACE);
    put(g, ", [%la1]; //=\n");
    gen_bar_wait(g, "%la1", "%ls0");
    look(g, to * PLACE);
}

static void prefetch(struct gen *g)
{
    bool hinted;

    gen_bulk_source(g);
    put(g, "\tcp.async.bulk.prefetch.L2.global");
    hinted = gen_hint(g);
    put(g, " [%a2], 64");
    gen_hint_policy(g, hinted);
    put(g, ";\n");
}

void gen_bulk(struct gen *g)
{
    switch (gen_below(g, 8)) {
    case 0:
    case 1:
    case 2: loads(g); break;
    case 3:
    case 4:
    case 5: stores(g); break;
    case 6: sends(g); break;
    default:
        if (gen_chance(g, 30)) {
            prefetch(g);
        } else {
            sends(g);
        }
        break;
    }
}

/* ---- of the block ---- */

/* One thread loads the region in parts; all wait for it, and read anywhere in it. */
void gen_bulk_together(struct gen *g)
{
    const uint32_t parts = 1u << gen_below(g, 3), part = REGION / parts;
    const uint32_t size = part > 64 ? 64 : part; /* as long as the input reaches */
    const uint32_t leader = gen_below(g, g->p->n_threads);

    put(g, "\tbar.sync 0; //=\n"); /* all have read what it was before */
    putf(g, "\tsetp.eq.u32 %k0, %t0, %u; //=\n", leader);
    gen_proxy_fence(g, false);
    putf(g, "\t@%k0 mbarrier.arrive.expect_tx.shared.b64 %ls0, [%la2], %u; //=\n",
         parts * size);
    for (uint32_t i = 0; i < parts; i++) {
        bool hinted;

        gen_bulk_source(g);
        put(g, "\t@%k0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes");
        hinted = gen_hint(g);
        putf(g, " [%la3+%u], [%a2], %u, [%la2]", i * part, size);
        gen_hint_policy(g, hinted);
        put(g, "; //=\n");
    }
    gen_turn_until(g, ".parity", "%la2", "%ln1");
    put(g, "\txor.b32 %ln1, %ln1, 1; //=\n");
    for (uint32_t i = 1 + gen_below(g, 3); i > 0; i--) {
        put(g, "\tld.shared.b32 ");
        gen_reg(g, CLASS_R);
        putf(g, ", [%la3+%u];\n",
             gen_below(g, parts) * part + 4 * gen_below(g, size / 4));
    }
}
