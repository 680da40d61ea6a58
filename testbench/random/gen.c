/* The frame of a program and its flow of control. */
#include "gen.h"

#include "gen_priv.h"
#include <string.h>

enum { MAX_DEPTH = 3, MAX_COUNTERS = 16, MAX_PIECES = 6, MAX_CASES = 5 };

static uint32_t new_label(struct gen *g)
{
    return g->n_labels++;
}

static void put_label(struct gen *g, uint32_t label)
{
    putf(g, "L%u:\n", label);
}

static void jump(struct gen *g, uint32_t label, bool always)
{
    if (always) {
        putf(g, "\tbra%s L%u;\n", gen_chance(g, 50) ? ".uni" : "", label);
    } else {
        put(g, "\t@");
        gen_predicate(g, true);
        putf(g, " bra L%u;\n", label);
    }
}

static void some(struct gen *g, uint32_t most, uint32_t depth)
{
    for (uint32_t n = gen_below(g, most + 1); n > 0; n--) {
        gen_statement(g, depth);
    }
}

/* ---- alone ---- */

static void if_else(struct gen *g, uint32_t depth)
{
    uint32_t other = new_label(g), end = new_label(g);

    jump(g, other, false);
    some(g, 4, depth + 1);
    if (gen_chance(g, 60)) {
        jump(g, end, true);
        put_label(g, other);
        some(g, 4, depth + 1);
    } else {
        put_label(g, other);
    }
    put_label(g, end);
}

/* %cN = 0 */
static uint32_t new_counter(struct gen *g)
{
    uint32_t c = g->n_counters++;

    putf(g, "\tmov.u32 %c%u, 0; //=\n", c);
    return c;
}

/* Back to head as long as ++%cN < bound, and perhaps only if a predicate is set. */
static void jump_back(struct gen *g, uint32_t c, const char *bound, bool perhaps,
                      uint32_t head)
{
    uint32_t k = gen_below(g, 4);

    putf(g, "\tadd.u32 %c%u, %c%u, 1; //=\n", c, c);
    if (perhaps) {
        putf(g, "\tsetp.lt.and.u32 %k%u, %c%u, %s, ", k, c, bound);
        gen_predicate(g, true);
        put(g, "; //=\n");
    } else {
        putf(g, "\tsetp.lt.u32 %k%u, %c%u, %s; //=\n", k, c, bound);
    }
    putf(g, "\t@%k%u bra L%u; //=\n", k, head);
}

static void loop(struct gen *g, uint32_t depth)
{
    static const char *const few[] = {"1", "2", "3", "4"};
    uint32_t head = new_label(g), next = new_label(g), end = new_label(g);
    bool varies = gen_chance(g, 50); /* from thread to thread */
    uint32_t c = new_counter(g);
    char bound[] = "%c0";

    if (varies && g->n_counters < 10) {
        putf(g, "\tand.b32 %c%u, ", g->n_counters);
        gen_reg(g, CLASS_R);
        put(g, ", 3; //=\n");
        bound[2] = (char)('0' + g->n_counters++);
    } else {
        varies = false;
    }
    put_label(g, head);
    some(g, 3, depth + 1);
    if (gen_chance(g, 30)) {
        jump(g, end, false); /* break */
    }
    if (gen_chance(g, 30)) {
        jump(g, next, false); /* continue */
    }
    some(g, 2, depth + 1);
    put_label(g, next);
    jump_back(g, c, varies ? bound : few[gen_below(g, 4)], gen_chance(g, 20), head);
    put_label(g, end);
}

/* Reads a counter into data: sums and products of it are what assemblers simplify. */
static void use_counter(struct gen *g, uint32_t c)
{
    switch (gen_below(g, 5)) {
    case 0:
        put(g, "\tadd.s32 ");
        gen_reg(g, CLASS_R);
        putf(g, ", %c%u, ", c);
        put_u(g, gen_below(g, 64));
        break;
    case 1:
        put(g, "\tmad.lo.s32 ");
        gen_reg(g, CLASS_R);
        putf(g, ", %c%u, %u, ", c, gen_below(g, 9));
        gen_reg(g, CLASS_R);
        break;
    case 2:
        put(g, "\tshl.b32 ");
        gen_reg(g, CLASS_R);
        putf(g, ", %c%u, %u", c, gen_below(g, 33));
        break;
    case 3:
        putf(g, "\tmad.wide.%s ", gen_chance(g, 50) ? "s32" : "u32");
        gen_reg(g, CLASS_D);
        putf(g, ", %c%u, %u, ", c, gen_below(g, 9));
        gen_reg(g, CLASS_D);
        break;
    default:
        put(g, "\tsub.s32 ");
        gen_reg(g, CLASS_R);
        put(g, ", ");
        gen_reg(g, CLASS_R);
        putf(g, ", %c%u", c);
    }
    put(g, ";\n");
}

/* %cN = base + steps: as many passes of a loop, from 1 on, perhaps of each thread. */
static void put_passes(struct gen *g, uint32_t c, const char *base, uint32_t step)
{
    if (gen_chance(g, 50)) {
        putf(g, "\tadd.s32 %c%u, %s, %u; //=\n", c, base,
             step * (1 + gen_below(g, 14)));
    } else {
        putf(g, "\tand.b32 %c%u, ", c);
        gen_reg(g, CLASS_R);
        putf(g, ", 15; //=\n\tmad.lo.s32 %c%u, %c%u, %u, %u; //=\n", c, c, step, step);
        putf(g, "\tadd.s32 %c%u, %c%u, %s; //=\n", c, c, base);
    }
}

/* A block that is repeated, by a counter that steps to a bound: down to one that it
 * meets, or up to one, where numbers wrap around too. */
static void counted(struct gen *g, uint32_t depth)
{
    static const char *const starts[] = {"0",          "1",          "-7",
                                         "2147483640", "2147483647", "-2147483648"};
    static const uint32_t steps[] = {1, 2, 4, 5, 16};
    const uint32_t head = new_label(g), i = new_counter(g), n = g->n_counters++;
    const uint32_t step = steps[gen_below(g, 5)], k = gen_below(g, 4);
    const char *const start = starts[gen_below(g, 6)];
    const bool down = gen_chance(g, 50);

    if (down) {
        put_passes(g, i, "-3", step);
    } else {
        putf(g, "\tmov.u32 %c%u, %s; //=\n", i, start);
        put_passes(g, n, start, step);
    }
    put_label(g, head);
    for (uint32_t left = 1 + gen_below(g, 5); left > 0; left--) {
        if (gen_chance(g, 40)) {
            use_counter(g, i);
        } else if (gen_chance(g, 40)) {
            gen_alu(g);
        } else {
            gen_statement(g, depth);
        }
    }
    if (down) {
        putf(g, "\tadd.s32 %c%u, %c%u, -%u; //=\n", i, i, step);
        putf(g, "\tsetp.ne.s32 %k%u, %c%u, -3; //=\n", k, i);
    } else {
        putf(g, "\tadd.s32 %c%u, %c%u, %u; //=\n", i, i, step);
        putf(g, "\tsetp.lt.s32 %k%u, %c%u, %c%u; //=\n", k, i, n);
    }
    putf(g, "\t@%k%u bra L%u; //=\n", k, head);
}

/* Pieces with jumps forward, and few back, to any other: no structure. */
static void tangle(struct gen *g, uint32_t depth)
{
    uint32_t n = 3 + gen_below(g, MAX_PIECES - 2), label[MAX_PIECES + 1];
    uint32_t c = new_counter(g);

    for (uint32_t i = 0; i <= n; i++) {
        label[i] = new_label(g);
    }
    for (uint32_t i = 0; i < n; i++) {
        put_label(g, label[i]);
        some(g, 3, depth + 1);
        if (gen_chance(g, 75)) {
            jump(g, label[i + 1 + gen_below(g, n - i)], gen_chance(g, 15));
        }
        if (gen_chance(g, 30)) {
            jump_back(g, c, "5", true, label[gen_below(g, i + 1)]);
        }
    }
    put_label(g, label[n]);
}

static void cases(struct gen *g, uint32_t depth)
{
    uint32_t n = 2 + gen_below(g, MAX_CASES - 1), label[MAX_CASES];
    uint32_t end = new_label(g), table = g->n_tables++;
    bool uniform = gen_chance(g, 15);

    if (uniform) {
        putf(g, "\tmov.u32 %t2, %u;\n", gen_below(g, n));
    } else {
        put(g, "\trem.u32 %t2, ");
        gen_reg(g, CLASS_R);
        putf(g, ", %u;\n", n);
    }
    putf(g, "T%u: .branchtargets ", table);
    for (uint32_t i = 0; i < n; i++) {
        label[i] = gen_chance(g, 20) && i > 0 ? label[gen_below(g, i)] : new_label(g);
        putf(g, "%sL%u", i > 0 ? ", " : "", label[i]);
    }
    putf(g, ";\n\tbrx.idx%s %t2, T%u;\n", uniform ? ".uni" : "", table);
    for (uint32_t i = 0; i < n; i++) {
        bool first = true;

        for (uint32_t k = 0; k < i; k++) {
            first = first && label[k] != label[i];
        }
        if (first) {
            put_label(g, label[i]);
            some(g, 2, depth + 1);
            if (gen_chance(g, 70)) {
                jump(g, end, true);
            }
        }
    }
    put_label(g, end);
}

static void leave(struct gen *g)
{
    put(g, "\t@");
    gen_predicate(g, true);
    if (g->in_function) {
        put(g, " ret;\n");
    } else {
        put(g, gen_chance(g, 50) ? " exit;\n" : " ret;\n");
        g->exited = true;
    }
}

static bool flow(struct gen *g, uint32_t depth)
{
    uint32_t kind = gen_below(g, 100);

    if (depth >= MAX_DEPTH || kind >= 25) {
        return false;
    }
    if (kind < 10) {
        if_else(g, depth);
    } else if (g->n_counters + 2 < MAX_COUNTERS && kind < 15) {
        loop(g, depth);
    } else if (g->n_counters + 1 < MAX_COUNTERS && kind < 18) {
        tangle(g, depth);
    } else if (g->n_counters + 2 < MAX_COUNTERS && kind < 21) {
        counted(g, MAX_DEPTH);
    } else if (!g->old && kind < 24) {
        cases(g, depth);
    } else if (gen_chance(g, 40) && g->turns == 0) {
        leave(g);
    } else {
        if_else(g, depth);
    }
    return true;
}

void gen_statement(struct gen *g, uint32_t depth)
{
    uint32_t kind;

    g->left -= g->left > 0;
    if (g->left > 0 && flow(g, depth)) {
        return;
    }
    if ((g->groups & GEN_ASYNC) != 0 && !g->in_function && gen_chance(g, 20)) {
        gen_async(g);
        return;
    }
    if ((g->groups & GEN_TEX) != 0 && !g->in_function && gen_chance(g, 30)) {
        gen_tex(g);
        return;
    }
    if ((g->groups & GEN_BULK) != 0 && !g->in_function && gen_chance(g, 20)) {
        gen_bulk(g);
        return;
    }
    if ((g->groups & GEN_TENSOR) != 0 && !g->in_function && gen_chance(g, 15)) {
        gen_tensor(g);
        return;
    }
    if ((g->groups & GEN_HINT) != 0 && !g->in_function && gen_chance(g, 3)) {
        gen_policy(g);
        return;
    }
    if ((g->groups & GEN_CLUSTER) != 0 && !g->in_function && gen_chance(g, 5)) {
        gen_cluster_alone(g);
        return;
    }
    kind = gen_below(g, 100);
    if (kind < 3) {
        gen_move(g);
    } else if (kind < 12) {
        gen_cvt(g);
    } else if (kind < 16) {
        gen_chain(g);
    } else if (kind < 36 && !g->in_function) {
        gen_memory(g);
    } else if (kind < 42) {
        gen_call(g);
    } else {
        gen_alu(g);
    }
}

/* ---- together ---- */

static void together(struct gen *g, uint32_t depth);

/* All threads take as many turns. */
static void loop_together(struct gen *g, uint32_t depth)
{
    static const char *const few[] = {"1", "2", "3"};
    uint32_t head = new_label(g), c = new_counter(g);
    enum shared_mode mode = g->mode;

    g->turns++;
    put_label(g, head);
    for (uint32_t n = 1 + gen_below(g, 4); n > 0; n--) {
        together(g, depth + 1);
    }
    if (g->has_shared) {
        gen_switch_mode(g, mode);
    }
    jump_back(g, c, few[gen_below(g, 3)], false, head);
    g->turns--;
}

static void together(struct gen *g, uint32_t depth)
{
    uint32_t kind = gen_below(g, 100);

    const bool all = !g->exited && !g->apart;

    if ((g->groups & GEN_ASYNC) != 0 && all && gen_chance(g, 10)) {
        gen_async_together(g);
    } else if ((g->groups & GEN_BULK) != 0 && all && gen_chance(g, 10)) {
        gen_bulk_together(g);
    } else if ((g->groups & GEN_TENSOR) != 0 && all && gen_chance(g, 20)) {
        gen_tensor_together(g);
    } else if ((g->groups & GEN_CLUSTER) != 0 && all && gen_chance(g, 30)) {
        g->left -= g->left > 0;
        gen_cluster(g);
    } else if (g->p->clusters && !all && gen_chance(g, 10)) {
        gen_cluster_meet(g);
    } else if (g->whole && !g->exited && !g->apart && gen_chance(g, 40)) {
        gen_tile(g);
    } else if (kind < 14 && !g->apart) {
        g->left -= g->left > 0;
        gen_exchange(g);
    } else if (kind >= 96 && g->spins && !g->exited && !g->apart) {
        g->left -= g->left > 0;
        gen_spin(g);
    } else if (kind < 18 && depth < 2 && g->n_counters + 2 < MAX_COUNTERS) {
        loop_together(g, depth);
    } else if (kind < 19 && depth == 0 && g->left < 12) {
        jump(g, g->label_exit, false);
        g->apart = true;
    } else {
        gen_statement(g, 0);
    }
}

/* ---- the frame ---- */

static void image(struct gen *g, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) {
        putf(g, "%s%u", i > 0 ? "," : "", (uint32_t)(rng_next(&g->rng) >> 56));
    }
}

static void variables(struct gen *g)
{
    if (g->p->tensors) {
        gen_tensor_describe(g);
        gen_tensor_variables(g);
    }
    if (g->has_const) {
        put(g, ".const .align 16 .b8 C[256] = {");
        image(g, 256);
        put(g, "};\n");
    }
    if (g->p->has_globals) {
        putf(g, ".global .align 16 .b8 G[%u] = {", GEN_GLOBALS);
        image(g, gen_chance(g, 50) ? GEN_GLOBALS : 16); /* the others are 0 */
        put(g, "};\n");
    }
    if ((g->groups & GEN_ASYNC) != 0) {
        gen_async_variables(g);
    }
    if (g->whole) {
        gen_tile_variables(g);
    }
    if ((g->groups & GEN_BULK) != 0) {
        gen_bulk_variables(g);
    }
    if ((g->groups & GEN_CLUSTER) != 0) {
        gen_cluster_variables(g);
    }
    if (g->has_shared) {
        if (g->spins) {
            put(g, ".shared .align 8 .b32 W[2];\n");
        }
        put(g, ".shared .align 16 .b8 SC[64];\n");
        if (g->dynamic) {
            put(g, ".extern .shared .align 16 .b8 S[];\n");
            g->p->dynamic_shared = g->all_shared;
        } else {
            putf(g, ".shared .align 16 .b8 S[%u];\n", g->all_shared);
        }
    }
}

static void head(struct gen *g)
{
    putf(g, ".version %s\n.target %s\n.address_size %u\n",
         (g->groups & (GEN_BULK | GEN_TENSOR)) != 0 ? "8.6"
         : g->newest                                ? "8.3"
         : g->sync                                  ? "7.8"
         : g->old                                   ? "3.2"
                                                    : "6.3",
         g->newest ? "sm_90"
         : g->sync ? "sm_80"
         : g->old  ? "sm_20"
                   : "sm_35",
         g->p->address_bits);
}

static void kernel_registers(struct gen *g)
{
    static const uint8_t n_regs[N_CLASSES] = {4, 8, 4, 5, 3, 4};
    static const char *const bits[N_CLASSES] = {"b16", "b32", "b64",
                                                "f32", "f64", "pred"};
    static const char *const prefix[N_CLASSES] = {"%h", "%r", "%d", "%f", "%g", "%p"};
    const char *a = g->wide ? "u64" : "u32";

    for (uint32_t c = 0; c < N_CLASSES; c++) {
        g->n_regs[c] = n_regs[c];
        putf(g, "\t.reg .%s %s<%u>;\n", bits[c], prefix[c], n_regs[c]);
    }
    putf(g,
         "\t.reg .b16 %z16;\n\t.reg .b32 %z32;\n\t.reg .b64 %z64;\n"
         "\t.reg .b32 %t<8>;\n\t.reg .b32 %c<16>;\n\t.reg .pred %k<4>;\n"
         "\t.reg .%s %a<4>;\n\t.reg .%s %b<4>;\n",
         a, g->wide_shared ? "u64" : "u32");
    gen_value_registers(g);
    if (g->has_local) {
        put(g, "\t.local .align 16 .b8 L[64];\n");
    }
}

/* %t0 the thread in its block, %a0 the input, %a1 the thread's part of the output */
static void places(struct gen *g)
{
    const char *a = g->wide ? "u64" : "u32";

    put(g, "\tmov.u32 %t1, %tid.z; //=\n\tmov.u32 %t2, %ntid.y; //=\n"
           "\tmov.u32 %t3, %tid.y; //=\n\tmad.lo.u32 %t0, %t1, %t2, %t3; //=\n"
           "\tmov.u32 %t2, %ntid.x; //=\n\tmov.u32 %t3, %tid.x; //=\n"
           "\tmad.lo.u32 %t0, %t0, %t2, %t3; //=\n");
    put(g, "\tmov.u32 %t1, %ctaid.y; //=\n\tmov.u32 %t2, %nctaid.x; //=\n"
           "\tmov.u32 %t3, %ctaid.x; //=\n\tmad.lo.u32 %t1, %t1, %t2, %t3; //=\n");
    putf(g, "\tmad.lo.u32 %t1, %t1, %u, %t0; //=\n", g->p->n_threads);
    putf(g, "\tld.param.%s %a0, [pin]; //=\n\tld.param.%s %a1, [pout]; //=\n", a, a);
    if (g->wide) {
        putf(g, "\tmad.wide.u32 %a1, %t1, %u, %a1; //=\n", g->p->slot);
    } else {
        putf(g, "\tmad.lo.u32 %a1, %t1, %u, %a1; //=\n", g->p->slot);
    }
}

static void shared_places(struct gen *g)
{
    const char *a = g->wide_shared ? "u64" : "u32";

    putf(g, "\tmov.%s %b1, S; //=\n\tmov.%s %b3, SC; //=\n", a, a);
    putf(g, "\tmad.%s.u32 %b0, %t0, %u, %b1; //=\n", g->wide_shared ? "wide" : "lo",
         g->own_shared);
}

/* Data that differs from thread to thread. */
static void registers_from_input(struct gen *g)
{
    const char *a = g->wide ? "u64" : "u32";

    putf(g, "\tmul.lo.u32 %t1, %t1, %u;\n\tand.b32 %t1, %t1, 1008;\n",
         gen_chance(g, 80) ? 16 * (1 + gen_below(g, 7)) : 0);
    if (g->wide) {
        put(g, "\tcvt.u64.u32 %a2, %t1;\n");
    } else {
        put(g, "\tmov.u32 %a2, %t1;\n");
    }
    putf(g, "\tadd.%s %a2, %a2, %a0;\n", a);
    put(g, "\tld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%a2];\n"
           "\tld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%a2+16];\n"
           "\tld.global.v2.b64 {%d0, %d1}, [%a2+32];\n"
           "\tld.global.v2.b64 {%d2, %d3}, [%a2+48];\n"
           "\tld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%a2+16];\n"
           "\tld.global.v2.f64 {%g0, %g1}, [%a2+64];\n"
           "\tld.global.f64 %g2, [%a2+40];\n"
           "\tld.global.v4.u16 {%h0, %h1, %h2, %h3}, [%a2+8];\n"
           "\tmov.u32 %r7, %tid.x;\n\tcvt.rn.f32.s32 %f4, %r7;\n"
           "\tsetp.lt.s32 %p0, %r0, %r1;\n\tsetp.eq.u32 %p1, %r7, 3;\n"
           "\tsetp.gt.f32 %p2, %f0, %f1;\n\tand.b32 %t2, %t0, 1;\n"
           "\tsetp.ne.u32 %p3, %t2, 0;\n");
}

/* Nothing is read before it is written. */
static void first_values(struct gen *g)
{
    if (g->has_local) {
        put(g, "\tst.local.v4.b32 [L], {%r0, %r1, %r2, %r7}; //=\n"
               "\tst.local.v4.b32 [L+16], {%r7, %r4, %r1, %r5}; //=\n"
               "\tst.local.v2.b64 [L+32], {%d0, %d1}; //=\n"
               "\tst.local.v2.b64 [L+48], {%d2, %d3}; //=\n");
    }
    if ((g->groups & GEN_ASYNC) != 0) {
        gen_async_places(g);
    }
    if (g->whole) {
        gen_tile_places(g);
    }
    if ((g->groups & GEN_BULK) != 0) {
        gen_bulk_places(g);
    }
    if ((g->groups & GEN_CLUSTER) != 0) {
        gen_cluster_places(g);
    }
    if (g->p->tensors) {
        gen_tensor_places(g);
    }
    if (!g->has_shared) {
        return;
    }
    put(g, "\tst.shared.v4.b32 [%b0], {%r7, %r3, %r5, %r2}; //=\n");
    if (g->own_shared == 32) {
        put(g, "\tst.shared.v2.b64 [%b0+16], {%d3, %d1}; //=\n");
    }
    put(g, "\tsetp.eq.u32 %k0, %t0, 0; //=\n");
    for (uint32_t i = 0; i < 64; i += 16) {
        putf(g, "\t@%k0 st.shared.v2.b64 [%b3+%u], {%d0, %d2}; //=\n", i);
    }
    put(g, "\tbar.sync 0; //=\n");
    g->mode = SHARED_WRITE;
}

static void results(struct gen *g)
{
    put_label(g, g->label_exit);
    put(g, "\tst.global.v4.b32 [%a1+64], {%r0, %r1, %r2, %r3};\n"
           "\tst.global.v4.b32 [%a1+80], {%r4, %r5, %r6, %r7};\n"
           "\tst.global.v2.b64 [%a1+96], {%d0, %d1};\n"
           "\tst.global.v2.b64 [%a1+112], {%d2, %d3};\n"
           "\tst.global.v4.f32 [%a1+128], {%f0, %f1, %f2, %f3};\n"
           "\tst.global.f32 [%a1+144], %f4;\n"
           "\tst.global.f64 [%a1+152], %g0;\n"
           "\tst.global.v2.f64 [%a1+160], {%g1, %g2};\n"
           "\tst.global.v4.u16 [%a1+176], {%h0, %h1, %h2, %h3};\n");
    for (uint32_t i = 0; i < 4; i++) {
        putf(g, "\tselp.b32 %t1, 1, 0, %p%u;\n\tst.global.u8 [%a1+%u], %t1;\n", i,
             184 + i);
    }
    put(g, "\tret;\n}\n");
}

static void shape(struct gen *g)
{
    static const uint8_t shapes[][3] = {{1, 1, 1},  {7, 1, 1},  {32, 1, 1}, {33, 1, 1},
                                        {4, 8, 1},  {5, 3, 2},  {16, 2, 1}, {64, 1, 1},
                                        {8, 4, 2},  {40, 1, 1}, {31, 1, 1}, {2, 2, 2},
                                        {32, 1, 1}, {32, 1, 1}, {3, 1, 1},  {8, 2, 2},
                                        {17, 1, 1}, {64, 1, 1}, {96, 1, 1}, {14, 8, 1}};
    struct gen_program *p = g->p;
    uint32_t i = gen_below(g, sizeof(shapes) / sizeof(shapes[0]));

    if (i >= 18 &&
        (g->groups != 0 || gen_chance(g, 70))) { /* large ones are slow, or need much */
        i = 2;
    }
    if ((g->groups & GEN_TILE) != 0 && gen_chance(g, 90)) { /* whole warps */
        i = gen_chance(g, 60) ? 2 : gen_chance(g, 50) ? 7 : 8;
    }
    p->n_threads = 1;
    for (uint32_t k = 0; k < 3; k++) {
        p->block[k] = shapes[i][k];
        p->grid[k] = 1;
        p->n_threads *= p->block[k];
    }
    if (gen_chance(g, 35)) {
        p->grid[0] = 1 + gen_below(g, 3);
        p->grid[1] = p->grid[0] == 2 && gen_chance(g, 30) ? 2 : 1;
    }
    p->tensors = (g->groups & GEN_TENSOR) != 0;
    p->slot = GEN_SLOT + ((g->groups & GEN_BULK) != 0 ? GEN_BULK_BYTES : 0);
    p->clusters = (g->groups & GEN_CLUSTER) != 0;
    memset(p->cluster, 0, sizeof(p->cluster));
    if (p->clusters) {
        gen_cluster_shape(g);
    }
    p->n_blocks = p->grid[0] * p->grid[1];
}

static void fill(struct gen *g)
{
    struct gen_program *p = g->p;

    for (uint32_t i = 0; i < GEN_IN_ALL; i += 8) {
        uint64_t v = gen_value(g);

        memcpy(p->in + i, &v, 8);
    }
    p->n_params = 32;
    for (uint32_t i = 0; i < p->n_params; i += 8) {
        uint64_t v = gen_value(g);

        memcpy(p->params + i, &v, 8);
    }
}

static void choose(struct gen *g)
{
    g->sync = gen_chance(g, 65);
    g->newest = g->sync && gen_chance(g, 40);
    g->old = !g->sync && gen_chance(g, 50);
    if (g->groups != 0) {
        g->old = false;
        g->sync = g->sync || (g->groups & ~(uint32_t)GEN_VIDEO) != 0;
        g->newest =
            g->newest || (g->groups & (GEN_BULK | GEN_CLUSTER | GEN_TENSOR)) != 0;
    }
    g->wide = gen_chance(g, 75) || (g->groups & GEN_TEX) != 0;
    g->wide_shared = g->wide && gen_chance(g, 50);
    g->whole = (g->groups & GEN_TILE) != 0 && g->p->n_threads % 32 == 0;
    g->has_shared =
        gen_chance(g, 60) ||
        (g->groups & (GEN_ASYNC | GEN_BULK | GEN_CLUSTER | GEN_TENSOR)) != 0 ||
        g->whole;
    g->has_local = gen_chance(g, 35);
    g->has_const = gen_chance(g, 35);
    g->dynamic = gen_chance(g, 30);
    g->own_shared = gen_chance(g, 60) ? 16 : 32;
    g->all_shared = g->own_shared * g->p->n_threads;
    g->p->has_globals = gen_chance(g, 35);
    g->p->address_bits = g->wide ? 64 : 32;
    g->p->dynamic_shared = 0;
    g->spins = g->sync && g->has_shared && gen_chance(g, 40);
    g->p->spins = g->spins;
}

static const char *const group_names[] = {"video", "async",   "tile",   "tex",
                                          "bulk",  "cluster", "tensor", "hint"};

uint32_t gen_group_named(const char *name)
{
    for (uint32_t i = 0; i < sizeof(group_names) / sizeof(group_names[0]); i++) {
        if (strcmp(name, group_names[i]) == 0) {
            return 1u << i;
        }
    }
    return 0;
}

/* By numbers of its own, so that the groups leave other programs what they are. */
static uint32_t choose_groups(uint64_t seed, uint32_t groups, uint32_t without)
{
    struct rng rng = {~seed};
    uint32_t all = 0;

    for (uint32_t i = 1; i < GEN_GROUPS && groups == 0; i <<= 1) {
        all |= rng_chance(&rng, 10) ? i : 0;
    }
    return groups == 0 ? all & ~without : groups;
}

/* What lanes read by which they may let others go first: SPEC SIMT-3. */
static bool may_poll(const char *text)
{
    return strstr(text, "atom.") != NULL || strstr(text, ".volatile.") != NULL ||
           strstr(text, ".cv.") != NULL || strstr(text, "nanosleep") != NULL;
}

void gen_program(struct gen_program *p, uint64_t seed, uint32_t groups,
                 uint32_t without)
{
    struct gen g = {.p = p,
                    .rng = {seed},
                    .groups = choose_groups(seed, groups, without)};
    const char *a;

    p->n = 0;
    p->turns = p->in_step = false;
    p->text[0] = '\0';
    shape(&g);
    choose(&g);
    fill(&g);
    p->n_textures = 0;
    if ((g.groups & GEN_TEX) != 0) {
        gen_tex_choose(&g);
    }
    if (p->tensors) {
        gen_tensor_choose(&g);
    }
    head(&g);
    variables(&g);
    gen_functions(&g);
    a = g.wide ? "u64" : "u32";
    putf(&g,
         ".visible .entry k(.param .%s pin, .param .%s pout, .param .align 16 .b8 "
         "pb[%u]",
         a, a, p->n_params + 8 * (p->n_textures + p->tensors));
    if (p->tensors) {
        putf(&g, ", .param .align 64 .b8 um[%u]", TENSOR_MAPS);
    }
    put(&g, ")\n");
    if (g.cluster[0] != 0) {
        putf(&g, ".explicitcluster\n.reqnctapercluster %u, %u, %u\n", g.cluster[0],
             g.cluster[1], g.cluster[2]);
    }
    put(&g, "{\n");
    g.n_counters = 0;
    g.label_exit = new_label(&g);
    kernel_registers(&g);
    places(&g);
    if (p->n_textures > 0) {
        gen_tex_places(&g);
    }
    if (p->tensors) {
        gen_tensor_numbers(&g);
    }
    if ((g.groups & GEN_HINT) != 0) {
        gen_policy_places(&g);
    }
    if (g.has_shared) {
        shared_places(&g);
    }
    registers_from_input(&g);
    first_values(&g);
    g.left = 4 + gen_below(&g, gen_chance(&g, 80) ? 24 : 60);
    while (g.left > 0 && p->n < GEN_LONG) {
        together(&g, 0);
    }
    results(&g);
    p->in_step = p->in_step && may_poll(p->text);
}
