/*
 * Boxes of tensors.
 *
 * Each thread has a place of 128 bytes in shared memory and an mbarrier for its boxes;
 * the block has a region for larger ones, and one more mbarrier. %ja0 is the thread's
 * place, %ja1 its mbarrier, %ja2 the block's, %ja3 the region, %ja4 scratch; %jn0 is
 * the thread in the grid, %jn1 the parity of the block's phase under way, %jn2 the
 * number of the block, %jn3 scratch, the others coordinates; %js0 is a state, %jm the
 * addresses of the maps in the parameters, in constant and in global memory.
 *
 * What threads wait for, and when, is as with bulk copies. Nobody reads what is written
 * but the thread that asked for that, by the same tensor.
 */
#include "gen_priv.h"

#include <stddef.h>

enum {
    PLACE = 128, /* where boxes may begin */
    REGION = 4096,
    LANES = 4, /* that ask for a box each */
    ROOM = REGION / LANES
};

static const char *shared_type(const struct gen *g)
{
    return g->wide_shared ? "u64" : "u32";
}

static const char *shared_mad(const struct gen *g)
{
    return g->wide_shared ? "wide" : "lo";
}

void gen_tensor_variables(struct gen *g)
{
    putf(g,
         ".const .align 64 .b8 " TENSOR_SYMBOL "[%u];\n"
         ".shared .align 1024 .b8 JP[%u];\n.shared .align 1024 .b8 JR[%u];\n"
         ".shared .align 8 .b8 JB[%u];\n",
         TENSOR_MAPS, PLACE * g->p->n_threads, REGION, 8 * (g->p->n_threads + 1));
}

void gen_tensor_numbers(struct gen *g)
{
    const char *a = shared_type(g);

    putf(g,
         "\t.reg .%s %ja<5>;\n\t.reg .b32 %jn<9>;\n\t.reg .b64 %js<1>;\n"
         "\t.reg .%s %jm<3>;\n",
         a, g->wide ? "u64" : "u32");
    putf(g,
         "\tmov.u32 %jn0, %t1; //=\n\tsub.u32 %jn2, %t1, %t0; //=\n"
         "\tdiv.u32 %jn2, %jn2, %u; //=\n\tmov.u32 %jn1, 0; //=\n",
         g->p->n_threads);
}

/* %ja4 = the thread's of pieces of the region. */
static void piece(struct gen *g, uint32_t bytes)
{
    putf(g, "\tmad.%s.u32 %ja4, %t0, %u, %ja3; //=\n", shared_mad(g), bytes);
}

/* Everything is written once: what lies between the lines of boxes is read too. */
static void fill(struct gen *g)
{
    const uint32_t label = g->n_labels++;

    for (uint32_t i = 0; i < PLACE; i += 16) {
        putf(g, "\tst.shared.v4.b32 [%ja0+%u], {%r%u, %r7, %r4, %r2}; //=\n", i,
             i / 16);
    }
    piece(g, 16);
    putf(g,
         "\tmul.lo.u32 %jn3, %t0, 16; //=\nL%u:\n"
         "\tst.shared.v4.b32 [%ja4], {%r3, %jn3, %r6, %r7}; //=\n"
         "\tadd.%s %ja4, %ja4, %u; //=\n\tadd.u32 %jn3, %jn3, %u; //=\n"
         "\tsetp.lt.u32 %k0, %jn3, %u; //=\n\t@%k0 bra L%u; //=\n",
         label, shared_type(g), 16 * g->p->n_threads, 16 * g->p->n_threads, REGION,
         label);
}

void gen_tensor_places(struct gen *g)
{
    const char *a = shared_type(g), *mad = shared_mad(g), *w = g->wide ? "u64" : "u32";

    putf(g, "\tmov.%s %ja3, JP; //=\n\tmad.%s.u32 %ja0, %t0, %u, %ja3; //=\n", a, mad,
         PLACE);
    putf(g, "\tmov.%s %ja2, JB; //=\n\tmad.%s.u32 %ja1, %t0, 8, %ja2; //=\n", a, mad);
    putf(g, "\tadd.%s %ja1, %ja1, 8; //=\n\tmov.%s %ja3, JR; //=\n", a, a);
    fill(g);
    put(g, "\tmbarrier.init.shared.b64 [%ja1], 1; //=\n"
           "\tsetp.eq.u32 %k0, %t0, 0; //=\n"
           "\t@%k0 mbarrier.init.shared.b64 [%ja2], 1; //=\n");
    putf(g, "\tmov.%s %jm0, um; //=\n\tcvta.param.%s %jm0, %jm0; //=\n", w, w);
    putf(g, "\tmov.%s %jm1, " TENSOR_SYMBOL "; //=\n\tcvta.const.%s %jm1, %jm1; //=\n",
         w, w);
    putf(g, "\tld.param.%s %jm2, [pb+%u]; //=\n", w,
         g->p->n_params + 8 * g->p->n_textures);
}

/* ---- copies ---- */

static void put_tile(struct gen *g)
{
    put(g, gen_chance(g, 50) ? ".tile" : "");
}

/* Bytes of a box in shared memory, in whole places. */
static uint32_t places_of(const struct tensor *t)
{
    return (tensor_lines(t) * tensor_pitch(t) + PLACE - 1) / PLACE * PLACE;
}

static uint32_t bytes_of(const struct gen *g, enum tensor_role role)
{
    const struct tensor *t = &g->p->tensor[role];

    return tensor_lines(t) * tensor_line(t);
}

struct target { /* of a load */
    const char *guard, *base, *bar;
    uint32_t at;
    bool multicast; /* to the blocks of the mask in %z16 */
};

static void load(struct gen *g, enum tensor_role role, const struct target *to)
{
    struct gen_coords c;
    bool hinted;

    gen_tensor_coords(g, role, false, &c);
    putf(g, "\t%scp.async.bulk.tensor.%ud.shared::%s.global", to->guard,
         (uint32_t)g->p->tensor[role].rank,
         !to->multicast && gen_chance(g, 30) ? "cta" : "cluster");
    put_tile(g);
    putf(g, ".mbarrier::complete_tx::bytes%s",
         to->multicast ? ".multicast::cluster" : "");
    hinted = gen_hint(g);
    putf(g, " [%s+%u], ", to->base, to->at);
    gen_tensor_box(g, role, &c);
    putf(g, ", [%s]%s", to->bar, to->multicast ? ", %z16" : "");
    gen_hint_policy(g, hinted);
    put(g, "; //=\n");
}

/* Reductions that devices know of a type; NULL: none. */
static const char *const reductions[N_TENSOR_TYPES] = {
    [TENSOR_U32] = ".{add|min|max|and|or|xor|inc|dec}",
    [TENSOR_S32] = ".{add|min|max|and|or|xor}",
    [TENSOR_U64] = ".{add|min|max|and|or|xor}",
    [TENSOR_S64] = ".{add|min|max|and|or|xor}",
    [TENSOR_F16] = ".{add|min|max}",
    [TENSOR_F32] = ".add",
    [TENSOR_BF16] = ".{add|min|max}",
    [TENSOR_F32_FTZ] = ".add"};
static const char *const sums[] = {".add", ".min", ".max", ".and", ".or", ".xor"};

static void store(struct gen *g, enum tensor_role role, const char *guard,
                  const char *base, uint32_t at)
{
    const struct tensor *t = &g->p->tensor[role];
    const char *operation = role == TENSOR_SUM  ? sums[g->tensor_sum]
                            : gen_chance(g, 45) ? reductions[t->type]
                                                : NULL;
    struct gen_coords c;
    bool hinted;

    gen_tensor_coords(g, role, true, &c);
    putf(g, "\t%scp.%sasync.bulk.tensor.%ud.global.shared::cta", guard,
         operation != NULL ? "reduce." : "", (uint32_t)t->rank);
    gen_expand(g, operation != NULL ? operation : "", "");
    put_tile(g);
    put(g, ".bulk_group");
    hinted = gen_hint(g);
    put(g, " ");
    gen_tensor_box(g, role, &c);
    putf(g, ", [%s+%u]", base, at);
    gen_hint_policy(g, hinted);
    put(g, "; //=\n");
}

/* ---- of a thread alone ---- */

static void look(struct gen *g)
{
    for (uint32_t i = 1 + gen_below(g, 3); i > 0; i--) {
        if (gen_chance(g, 50)) {
            put(g, "\tld.shared.b32 ");
            gen_reg(g, CLASS_R);
            putf(g, ", [%ja0+%u];\n", 4 * gen_below(g, PLACE / 4));
        } else {
            put(g, "\tld.shared.b64 ");
            gen_reg(g, CLASS_D);
            putf(g, ", [%ja0+%u];\n", 8 * gen_below(g, PLACE / 8));
        }
    }
}

/* Before, between or behind the copy it is said how many bytes it is. */
static void load_own(struct gen *g, enum tensor_role role)
{
    const struct target to = {"", "%ja0", "%ja1", 0, false};
    const uint32_t bytes = bytes_of(g, role), how = gen_below(g, 3);

    gen_bar_fresh(g, to.bar);
    if (how == 0) {
        gen_bar_arrive(g, to.bar, "%js0", bytes);
    } else if (how == 1) {
        gen_bar_expect(g, to.bar, bytes);
    }
    load(g, role, &to);
    if (how != 0) {
        gen_bar_arrive(g, to.bar, "%js0", how == 1 ? 0 : bytes);
    }
    gen_bar_wait(g, to.bar, "%js0");
    look(g);
}

static void write_place(struct gen *g)
{
    for (uint32_t i = gen_below(g, 4); i > 0; i--) {
        putf(g, "\tst.shared.v2.b64 [%ja0+%u], {%d%u, %d%u}; //=\n",
             16 * gen_below(g, PLACE / 16), gen_below(g, 4), gen_below(g, 4));
    }
}

static void store_own(struct gen *g)
{
    gen_bulk_wait(g, false, 0);
    write_place(g);
    gen_proxy_fence(g, true);
    store(g, TENSOR_OWN, "", "%ja0", 0);
    put(g, "\tcp.async.bulk.commit_group; //=\n");
    if (gen_chance(g, 40)) {
        gen_alu(g);
    }
    if (gen_chance(g, 50)) {
        gen_bulk_wait(g, true, 0);
        write_place(g);
    }
    gen_bulk_wait(g, false, 0);
    if (gen_chance(g, 60)) {
        load_own(g, TENSOR_OWN);
    }
}

/* What changes nothing. */
static void advise(struct gen *g)
{
    const enum tensor_role role = (enum tensor_role)gen_below(g, N_TENSORS);
    const uint32_t map = (uint32_t)role * TENSOR_MAP;
    struct gen_coords c;
    bool hinted;

    switch (gen_below(g, 6)) {
    case 0: putf(g, "\tprefetch.tensormap [%jm%u+%u];\n", gen_below(g, 3), map); break;
    case 1: putf(g, "\tprefetch.const.tensormap [" TENSOR_SYMBOL "+%u];\n", map); break;
    case 2:
        putf(g, "\tmov.%s %a3, um;\n\tprefetch.param.tensormap [%a3+%u];\n",
             g->wide ? "u64" : "u32", map);
        break;
    case 3:
        gen_expand(g,
                   "\tfence.proxy.tensormap::generic.release.{cta|cluster|gpu|sys};\n",
                   "");
        gen_expand(g, "\tfence.proxy.tensormap::generic.acquire.{cta|cluster|gpu|sys} ",
                   "");
        putf(g, "[%jm2+%u], %u;\n", map, TENSOR_MAP);
        break;
    default:
        gen_tensor_coords(g, role, false, &c);
        putf(g, "\tcp.async.bulk.prefetch.tensor.%ud.L2.global",
             (uint32_t)g->p->tensor[role].rank);
        put_tile(g);
        hinted = gen_hint(g);
        put(g, " ");
        gen_tensor_box(g, role, &c);
        gen_hint_policy(g, hinted);
        put(g, ";\n");
        break;
    }
}

void gen_tensor(struct gen *g)
{
    const uint32_t kind = gen_below(g, 10);

    if (kind < 5) {
        load_own(g, TENSOR_NEAR);
    } else if (kind < 9) {
        store_own(g);
    } else {
        advise(g);
    }
}

/* ---- of the block ---- */

/* All read in the region what was there or has come. */
static void look_around(struct gen *g)
{
    for (uint32_t i = 1 + gen_below(g, 3); i > 0; i--) {
        putf(g, "\tmad.lo.u32 %jn3, %t0, %u, %u; //=\n", 16 * (1 + gen_below(g, 3)),
             16 * gen_below(g, REGION / 16));
        putf(g, "\tand.b32 %jn3, %jn3, %u; //=\n", REGION - 16);
        putf(g, "\tmad.%s.u32 %ja4, %jn3, 1, %ja3; //=\n", shared_mad(g));
        put(g, gen_chance(g, 50) ? "\tld.shared.v4.b32 {%r0, %r1, %r2, %r3}, [%ja4];\n"
               : gen_chance(g, 50) ? "\tld.shared.v2.b64 {%d2, %d3}, [%ja4];\n"
                                   : "\tld.shared.v2.b64 {%d0, %d1}, [%ja4];\n");
    }
}

/* A place for a box in a room of so many bytes. */
static uint32_t any_place(struct gen *g, enum tensor_role role, uint32_t room)
{
    const uint32_t span = places_of(&g->p->tensor[role]);

    return PLACE * gen_below(g, (room - span) / PLACE + 1);
}

static void turn(struct gen *g)
{
    gen_turn_until(g, ".parity", "%ja2", "%jn1");
    put(g, "\txor.b32 %jn1, %jn1, 1; //=\n");
}

/* %k0: one of n threads from first on; %ja4: the room for it. */
static void lanes(struct gen *g, uint32_t first, uint32_t n)
{
    putf(g,
         "\tsub.u32 %jn3, %t0, %u; //=\n\tsetp.lt.u32 %k0, %jn3, %u; //=\n"
         "\tmad.%s.u32 %ja4, %jn3, %u, %ja3; //=\n",
         first, n, shared_mad(g), ROOM);
}

/* Some threads load a box each, or one two of them. */
static void load_together(struct gen *g)
{
    const enum tensor_role role[2] = {TENSOR_FAR + gen_below(g, 2),
                                      gen_chance(g, 50) ? TENSOR_BLOCK : TENSOR_FAR2};
    const uint32_t boxes = 1 + gen_below(g, 2);
    uint32_t n = 1 + gen_below(g, LANES), first, bytes = 0;

    n = n > g->p->n_threads ? g->p->n_threads : n;
    n = boxes > 1 ? 1 : n;
    first = boxes > 1 ? g->tensor_leader : gen_below(g, g->p->n_threads - n + 1);
    for (uint32_t i = 0; i < boxes; i++) {
        bytes += n * bytes_of(g, role[i]);
    }
    put(g, "\tbar.sync 0; //=\n"); /* all have read what it was before */
    if (boxes > 1) {
        gen_bulk_wait(g, false, 0);
    }
    gen_proxy_fence(g, false);
    lanes(g, first, n);
    putf(g, "\tsetp.eq.u32 %k1, %t0, %u; //=\n", first);
    putf(g, "\t@%k1 mbarrier.arrive.expect_tx.shared.b64 %js0, [%ja2], %u; //=\n",
         bytes);
    for (uint32_t i = 0; i < boxes; i++) {
        load(g, role[i],
             &(struct target){"@%k0 ", "%ja4", "%ja2",
                              i * ROOM + any_place(g, role[i], ROOM), false});
    }
    turn(g);
    look_around(g);
}

/* The leader stores for the block, or some threads add to what everyone adds to. */
static void store_together(struct gen *g)
{
    const enum tensor_role role = gen_chance(g, 50) ? TENSOR_BLOCK : TENSOR_SUM;
    uint32_t n = role == TENSOR_BLOCK ? 1 : 1 + gen_below(g, LANES);
    uint32_t first = g->tensor_leader;

    n = n > g->p->n_threads ? g->p->n_threads : n;
    first = n > 1 ? gen_below(g, g->p->n_threads - n + 1) : first;
    put(g, "\tbar.sync 0; //=\n");
    gen_bulk_wait(g, false, 0);
    piece(g, 16);
    for (uint32_t i = 0; i < 3; i++) {
        putf(g, "\tst.shared.v2.b64 [%ja4+%u], {%d%u, %d%u}; //=\n",
             ROOM * gen_below(g, LANES - 1), gen_below(g, 4), gen_below(g, 4));
    }
    gen_proxy_fence(g, true);
    put(g, "\tbar.sync 0; //=\n");
    lanes(g, first, n);
    store(g, role, "@%k0 ", "%ja4", any_place(g, role, ROOM));
    put(g, "\tcp.async.bulk.commit_group; //=\n");
    gen_bulk_wait(g, gen_chance(g, 50), 0);
}

/* One thread of one block loads for several; who is not meant expects nothing. */
static void multicast(struct gen *g)
{
    const enum tensor_role role = TENSOR_FAR + gen_below(g, 2);
    const uint32_t mask = 1 + gen_below(g, (1u << g->n_cluster) - 1);
    const uint32_t end = g->n_labels++;

    putf(g, "\tshr.u32 %jn3, %u, %qn0; //=\n\tand.b32 %jn3, %jn3, 1; //=\n", mask);
    putf(g,
         "\tsetp.eq.u32 %k1, %t0, %u; //=\n\tsetp.ne.and.u32 %k0, %jn3, 0, %k1; //=\n"
         "\t@%k0 mbarrier.arrive.expect_tx.shared.b64 %js0, [%ja2], %u; //=\n",
         g->tensor_leader, bytes_of(g, role));
    gen_proxy_fence(g, false);
    gen_cluster_meet(g);
    putf(g, "\tsetp.eq.and.u32 %k0, %qn0, %u, %k1; //=\n", gen_below(g, g->n_cluster));
    putf(g, "\tmov.u16 %z16, %u; //=\n", mask);
    load(g, role,
         &(struct target){"@%k0 ", "%ja3", "%ja2", any_place(g, role, REGION), true});
    putf(g, "\tsetp.eq.u32 %k0, %jn3, 0; //=\n\t@%k0 bra L%u; //=\n", end);
    turn(g);
    look_around(g);
    putf(g, "L%u:\n", end);
    gen_cluster_meet(g);
}

void gen_tensor_together(struct gen *g)
{
    if (g->p->clusters && gen_chance(g, 50)) {
        multicast(g);
    } else if (gen_chance(g, 60)) {
        load_together(g);
    } else {
        store_together(g);
    }
}
