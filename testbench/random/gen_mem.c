/* Loads, stores, atomics. */
#include "gen_priv.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct access_type {
    const char *name;
    uint8_t bytes;
} access_types[] = {{"b8", 1},  {"u8", 1},  {"s8", 1},  {"b16", 2}, {"u16", 2},
                    {"s16", 2}, {"b32", 4}, {"u32", 4}, {"s32", 4}, {"f32", 4},
                    {"b64", 8}, {"u64", 8}, {"s64", 8}, {"f64", 8}};

enum { N_ACCESS = sizeof(access_types) / sizeof(access_types[0]) };

struct target { /* what is accessed */
    const char *space;
    char address[32];
    bool constant; /* as long as the kernel runs */
    bool own;      /* no other thread reads it: local, parameters, constants */
};

static const char *wide(const struct gen *g)
{
    return g->wide ? "u64" : "u32";
}

void gen_offset(struct gen *g, uint32_t bytes, uint32_t align)
{
    put(g, "\tand.b32 %t1, ");
    gen_reg(g, CLASS_R);
    putf(g, ", %u;\n", (bytes - 1) & ~(align - 1));
}

void gen_address(struct gen *g, const char *base)
{
    if (g->wide) {
        putf(g, "\tcvt.u64.u32 %a2, %t1;\n\tadd.u64 %a2, %a2, %s;\n", base);
    } else {
        putf(g, "\tadd.u32 %a2, %t1, %s;\n", base);
    }
}

/* %b2 = base + %t1 */
static void add_to_shared(struct gen *g, const char *base)
{
    if (g->wide_shared) {
        putf(g, "\tcvt.u64.u32 %b2, %t1;\n\tadd.u64 %b2, %b2, %s;\n", base);
    } else {
        putf(g, "\tadd.u32 %b2, %t1, %s;\n", base);
    }
}

static void set_address(struct target *t, const char *space, const char *base,
                        uint32_t offset)
{
    t->space = space;
    t->constant = false;
    t->own = false;
    if (offset == 0) {
        (void)snprintf(t->address, sizeof(t->address), "[%s]", base);
    } else {
        (void)snprintf(t->address, sizeof(t->address), "[%s+%u]", base, offset);
    }
}

static uint32_t some_offset(struct gen *g, uint32_t bytes, uint32_t align)
{
    return gen_below(g, bytes / align) * align;
}

static void in_input(struct gen *g, struct target *t, uint32_t align)
{
    gen_offset(g, GEN_IN, align);
    gen_address(g, "%a0");
    set_address(t, gen_chance(g, 15) ? "" : ".global", "%a2",
                some_offset(g, 48, align));
    t->constant = true;
}

static void in_slot(struct gen *g, struct target *t, uint32_t align)
{
    const char *space = gen_chance(g, 15) ? "" : ".global";

    if (gen_chance(g, 50)) {
        set_address(t, space, "%a1", some_offset(g, 64, align));
        return;
    }
    gen_offset(g, 64, align);
    gen_address(g, "%a1");
    set_address(t, space, "%a2", 0);
}

static void in_const(struct gen *g, struct target *t, uint32_t align)
{
    if (gen_chance(g, 50)) {
        set_address(t, ".const", "C", some_offset(g, 256, align));
        t->own = true;
        return;
    }
    gen_offset(g, 256, align);
    putf(g, "\tmov.%s %a3, C;\n", wide(g));
    gen_address(g, "%a3");
    if (gen_chance(g, 20)) {
        putf(g, "\tcvta.const.%s %a2, %a2;\n", wide(g));
        set_address(t, "", "%a2", 0);
    } else {
        set_address(t, ".const", "%a2", 0);
    }
    t->own = true;
}

static void in_local(struct gen *g, struct target *t, uint32_t align)
{
    if (gen_chance(g, 50)) {
        set_address(t, ".local", "L", some_offset(g, 64, align));
        t->own = true;
        return;
    }
    gen_offset(g, 64, align);
    putf(g, "\tmov.%s %a3, L;\n", wide(g));
    gen_address(g, "%a3");
    if (gen_chance(g, 25)) {
        putf(g, "\tcvta.local.%s %a2, %a2;\n", wide(g));
        set_address(t, "", "%a2", 0);
    } else {
        set_address(t, ".local", "%a2", 0);
    }
    t->own = true;
}

static void in_own_shared(struct gen *g, struct target *t, uint32_t align)
{
    if (gen_chance(g, 50)) {
        set_address(t, ".shared", "%b0", some_offset(g, g->own_shared, align));
        return;
    }
    gen_offset(g, g->own_shared, align);
    add_to_shared(g, "%b0");
    if (g->wide == g->wide_shared && gen_chance(g, 20)) {
        putf(g, "\tcvta.shared.%s %a2, %b2;\n", wide(g));
        set_address(t, "", "%a2", 0);
    } else {
        set_address(t, ".shared", "%b2", 0);
    }
}

static void in_all_shared(struct gen *g, struct target *t, uint32_t align)
{
    if (gen_chance(g, 20)) {
        set_address(t, ".shared", "%b3", some_offset(g, 64, align));
        return;
    }
    put(g, "\trem.u32 %t1, ");
    gen_reg(g, CLASS_R);
    putf(g, ", %u;\n\tmul.lo.u32 %t1, %t1, %u;\n", g->all_shared / align, align);
    add_to_shared(g, "%b1");
    set_address(t, ".shared", "%b2", 0);
}

static void in_params(struct gen *g, struct target *t, uint32_t align)
{
    uint32_t at = some_offset(g, g->p->n_params, align);

    if (g->sync && gen_chance(g, 25)) {
        putf(g, "\tmov.%s %a3, pb;\n\tcvta.param.%s %a2, %a3;\n", wide(g), wide(g));
        set_address(t, "", "%a2", at);
    } else {
        set_address(t, g->newest && gen_chance(g, 30) ? ".param::entry" : ".param",
                    "pb", at);
    }
    t->own = true;
}

/* Where the thread may read now; not writable: input and constants. */
static void readable(struct gen *g, struct target *t, uint32_t align)
{
    for (;;) {
        switch (gen_below(g, 10)) {
        case 0:
        case 1:
        case 2: in_input(g, t, align); return;
        case 3: in_slot(g, t, align); return;
        case 4:
            if (g->has_const) {
                in_const(g, t, align);
                return;
            }
            break;
        case 5:
            if (g->has_local) {
                in_local(g, t, align);
                return;
            }
            break;
        case 6: in_params(g, t, align); return;
        default:
            if (g->mode == SHARED_WRITE) {
                in_own_shared(g, t, align);
                return;
            }
            if (g->mode == SHARED_READ) {
                in_all_shared(g, t, align);
                return;
            }
            break;
        }
    }
}

static void writable(struct gen *g, struct target *t, uint32_t align)
{
    for (;;) {
        switch (gen_below(g, 4)) {
        case 0: in_slot(g, t, align); return;
        case 1:
            if (g->has_local) {
                in_local(g, t, align);
                return;
            }
            break;
        default:
            if (g->mode == SHARED_WRITE) {
                in_own_shared(g, t, align);
                return;
            }
            if (gen_chance(g, 30)) {
                in_slot(g, t, align);
                return;
            }
            break;
        }
    }
}

/* A register at least as wide; of one float type its own or plain bits. */
static void data_reg(struct gen *g, const struct access_type *a)
{
    enum gen_class c;

    if (a->name[0] == 'f') {
        c = a->bytes == 4 ? CLASS_F : CLASS_G;
        c = gen_chance(g, 15) ? (a->bytes == 4 ? CLASS_R : CLASS_D) : c;
    } else if (a->bytes <= 2) {
        c = gen_chance(g, 60) ? CLASS_H : gen_chance(g, 60) ? CLASS_R : CLASS_D;
    } else if (a->bytes == 4) {
        c = gen_chance(g, 85) ? CLASS_R : CLASS_D;
    } else {
        c = CLASS_D;
    }
    gen_reg(g, c);
}

static void vector_regs(struct gen *g, const struct access_type *a, uint32_t n,
                        bool load)
{
    static const char *const prefix[N_CLASSES] = {"%h", "%r", "%d", "%f", "%g", "%p"};
    enum gen_class c = a->name[0] == 'f' ? (a->bytes == 4 ? CLASS_F : CLASS_G)
                       : a->bytes <= 2   ? CLASS_H
                       : a->bytes == 4   ? CLASS_R
                                         : CLASS_D;
    uint32_t first = gen_below(g, g->n_regs[c]);

    put(g, "{");
    for (uint32_t i = 0; i < n; i++) { /* a load's are all different */
        uint32_t r = load ? (first + i) % g->n_regs[c] : gen_below(g, g->n_regs[c]);

        putf(g, "%s%s%u", i > 0 ? ", " : "", prefix[c], r);
    }
    put(g, "}");
}

void gen_scope(struct gen *g)
{
    gen_expand(g, g->newest ? ".{cta|gpu|sys|cluster}" : ".{cta|gpu|sys}", "");
}

static bool is_global(const struct target *t)
{
    return t->space[0] == '\0' || strcmp(t->space, ".global") == 0;
}

/* The hints that the newer ones take; those of L1 and a cache operator exclude
 * another. True: a policy follows the operands. */
static bool hints(struct gen *g, const struct target *t, bool load, bool may_l1)
{
    bool hinted;

    if (!g->sync || t->own || !is_global(t)) {
        return false;
    }
    if (may_l1 && gen_chance(g, 15)) {
        gen_expand(g,
                   ".L1::{evict_normal|evict_unchanged|evict_first|evict_last|"
                   "no_allocate}",
                   "");
    }
    hinted = gen_hint(g);
    if (load && gen_chance(g, 10)) {
        gen_expand(g, ".L2::{64B|128B|256B}", "");
    }
    return hinted;
}

/* The words between ld or st and the type, the vector's size apart. True: a policy
 * follows the operands. */
static bool access_words(struct gen *g, const struct target *t, bool load, bool scalar)
{
    const char *space = t->space;
    bool may_order = !t->own && g->sync;

    if (g->sync && strcmp(space, ".shared") == 0 && gen_chance(g, 20)) {
        space = ".shared::cta";
    }
    if (!t->own && gen_chance(g, 8)) {
        putf(g, ".volatile%s", space);
    } else if (may_order && gen_chance(g, 12)) {
        gen_expand(g, load ? ".{relaxed|acquire}" : ".{relaxed|release}", "");
        gen_scope(g);
        put(g, space);
        return hints(g, t, load, true);
    } else if (may_order && g->newest && scalar && is_global(t) && gen_chance(g, 6)) {
        putf(g, ".mmio.relaxed.sys%s", space);
    } else {
        bool cached = is_global(t) && gen_chance(g, 30);

        bool only_read = cached && load && t->constant && space[0] != '\0';

        only_read = only_read && gen_chance(g, 30);
        put(g, g->sync && !only_read && gen_chance(g, 6) ? ".weak" : "");
        put(g, space);
        if (only_read) {
            gen_expand(g, "{|.ca|.cg|.cs}.nc", "");
        } else if (cached) {
            gen_expand(g, load ? ".{ca|cg|cs|cv|lu}" : ".{wb|cg|cs|wt}", "");
        }
        return hints(g, t, load, !cached);
    }
    return false;
}

static void access(struct gen *g, bool load)
{
    const struct access_type *a = &access_types[gen_below(g, N_ACCESS)];
    uint32_t n = gen_chance(g, 75) ? 1 : gen_chance(g, 50) ? 2 : 4;
    bool hinted = false;
    struct target t;

    n = a->bytes * n > 16 ? 2 : n;
    if (load) {
        readable(g, &t, a->bytes * n);
    } else {
        writable(g, &t, a->bytes * n);
    }
    gen_guard(g, 12);
    if (load && t.constant && gen_chance(g, 6)) {
        putf(g, "ldu%s", t.space);
    } else {
        put(g, load ? "ld" : "st");
        hinted = access_words(g, &t, load, n == 1);
    }
    putf(g, "%s.%s ", n == 2 ? ".v2" : n == 4 ? ".v4" : "", a->name);
    if (!load) {
        putf(g, "%s, ", t.address);
    }
    if (n == 1) {
        data_reg(g, a);
    } else {
        vector_regs(g, a, n, load);
    }
    if (load) {
        putf(g, ", %s", t.address);
    }
    gen_hint_policy(g, hinted);
    put(g, ";\n");
}

/* Words of shared memory that follow one another, one by one: what assemblers join. */
static void neighbours(struct gen *g)
{
    const uint32_t all = 16, n = 2 + gen_below(g, 3);
    struct target t;

    if (g->mode == SHARED_WRITE && g->own_shared >= all) {
        in_own_shared(g, &t, all);
    } else if (g->mode == SHARED_READ && g->all_shared >= all) {
        in_all_shared(g, &t, all);
    } else {
        access(g, true);
        return;
    }
    if (strchr(t.address, '+') != NULL) { /* one constant is enough */
        access(g, true);
        return;
    }
    t.address[strlen(t.address) - 1] = '\0'; /* the bracket */
    for (uint32_t i = 0, at = gen_below(g, 4); i < n; i++) {
        gen_guard(g, 4);
        const bool is_float = gen_chance(g, 50);

        putf(g, "ld%s.%s ", t.space, is_float ? "f32" : "u32");
        gen_reg(g, is_float ? CLASS_F : CLASS_R);
        putf(g, ", %s+%u];\n", t.address, 4 * ((at + i) % 4));
        if (gen_chance(g, 25)) {
            gen_alu(g);
        }
    }
}

/* ---- atomics ---- */

/* Of one operation on a cell the order does not count; inc and dec always have the same
 * operand. */
static const struct {
    const char *name, *type;
    uint8_t bytes;
} cell_ops[] = {
    {"add", "u32", 4}, {"add", "s32", 4}, {"min", "u32", 4}, {"min", "s32", 4},
    {"max", "u32", 4}, {"max", "s32", 4}, {"and", "b32", 4}, {"or", "b32", 4},
    {"xor", "b32", 4}, {"inc", "u32", 4}, {"dec", "u32", 4}, {"add", "u64", 8},
    {"min", "u64", 8}, {"max", "s64", 8}, {"and", "b64", 8}, {"xor", "b64", 8},
};

/* How the memory model orders it, and for whom. */
static void order(struct gen *g, bool result)
{
    if (!g->sync || gen_chance(g, 60)) {
        return;
    }
    gen_expand(g,
               result ? "{|.relaxed|.acquire|.release|.acq_rel}"
                      : "{|.relaxed|.release}",
               "");
    gen_scope(g);
}

static void cell(struct gen *g, bool global)
{
    uint32_t k = gen_below(g, 8);
    uint8_t *kind = &g->cell[global][k];
    bool result = gen_chance(g, 30), hinted;

    if (*kind == 0) {
        *kind = (uint8_t)(1 + gen_below(g, sizeof(cell_ops) / sizeof(cell_ops[0])));
    }
    gen_guard(g, 20);
    put(g, result ? "atom" : "red");
    order(g, result);
    putf(g, "%s.%s.%s", global ? ".global" : ".shared", cell_ops[*kind - 1].name,
         cell_ops[*kind - 1].type);
    hinted = gen_hint_type(g, global && g->sync);
    put(g, " ");
    if (result) {
        put(g, cell_ops[*kind - 1].bytes == 4 ? "%z32, " : "%z64, ");
    }
    putf(g, "[%s+%u], ", global ? "G" : "%b3", 8 * k);
    if (strcmp(cell_ops[*kind - 1].type, "u32") == 0 &&
        strstr("inc dec", cell_ops[*kind - 1].name) != NULL) {
        put_u(g, 5 + k);
    } else {
        gen_reg(g, cell_ops[*kind - 1].bytes == 4 ? CLASS_R : CLASS_D);
    }
    gen_hint_policy(g, hinted);
    put(g, ";\n");
}

/* On the thread's own bytes every operation will do, and its result may be used. */
static const struct {
    const char *ops, *red; /* red: those of them without a result; NULL: none */
    uint8_t class, bytes, operands, weight;
    bool sync;   /* since 6.0 or 7.0 */
    bool newest; /* since 9.0 */
} own_ops[] = {
    {"{add.u32|add.s32|min.u32|min.s32|max.u32|max.s32|and.b32|or.b32|xor.b32|inc.u32|"
     "dec.u32|exch.b32}",
     "{add.u32|add.s32|min.u32|min.s32|max.u32|max.s32|and.b32|or.b32|xor.b32|inc.u32|"
     "dec.u32}",
     CLASS_R, 4, 1, 8, false, false},
    {"{add.u64|min.u64|min.s64|max.u64|max.s64|and.b64|or.b64|xor.b64|exch.b64}",
     "{add.u64|min.u64|min.s64|max.u64|max.s64|and.b64|or.b64|xor.b64}", CLASS_D, 8, 1,
     5, false, false},
    {"cas.b32", NULL, CLASS_R, 4, 2, 3, false, false},
    {"cas.b64", NULL, CLASS_D, 8, 2, 2, false, false},
    {"cas.b16", NULL, CLASS_H, 2, 2, 2, true, false},
    {"add.f32", "add.f32", CLASS_F, 4, 1, 3, false, false},
    {"add.f64", "add.f64", CLASS_G, 8, 1, 2, true, false},
    {"add.noftz.{f16|bf16}", "add.noftz.{f16|bf16}", CLASS_H, 2, 1, 2, true, true},
    {"add.noftz.{f16x2|bf16x2}", "add.noftz.{f16x2|bf16x2}", CLASS_R, 4, 1, 2, true,
     true},
};

enum { N_OWN_OPS = sizeof(own_ops) / sizeof(own_ops[0]), OWN_WEIGHT = 29 };

static void own_atomic(struct gen *g)
{
    uint32_t at = gen_below(g, OWN_WEIGHT), k = 0;
    bool result = gen_chance(g, 75), hinted;
    struct target t;

    for (; at >= own_ops[k].weight; k++) {
        at -= own_ops[k].weight;
    }
    k = (own_ops[k].sync && !g->sync) || (own_ops[k].newest && !g->newest) ? 0 : k;
    result = result || own_ops[k].red == NULL;
    if (g->mode == SHARED_WRITE && gen_chance(g, 50)) {
        in_own_shared(g, &t, own_ops[k].bytes);
    } else {
        in_slot(g, &t, own_ops[k].bytes);
    }
    gen_guard(g, 20);
    put(g, result ? "atom" : "red");
    order(g, result);
    put(g, t.space);
    put(g,
        g->sync && strcmp(t.space, ".shared") == 0 && gen_chance(g, 15) ? "::cta" : "");
    put(g, ".");
    gen_expand(g, result ? own_ops[k].ops : own_ops[k].red, "");
    hinted = gen_hint_type(g, is_global(&t) && g->sync && own_ops[k].operands == 1);
    put(g, " ");
    if (result) {
        gen_reg(g, own_ops[k].class);
        put(g, ", ");
    }
    put(g, t.address);
    for (uint32_t i = 0; i < own_ops[k].operands; i++) {
        put(g, ", ");
        gen_reg(g, own_ops[k].class);
    }
    gen_hint_policy(g, hinted);
    put(g, ";\n");
}

void gen_copy_size(struct gen *g, uint32_t how, uint32_t bytes)
{
    if (how == 1) {
        put(g, "\tand.b32 %t2, ");
        gen_reg(g, CLASS_R);
        putf(g, ", %u;\n", bytes - 1);
    }
}

void gen_copy_end(struct gen *g, uint32_t how, uint32_t bytes, bool hinted)
{
    if (how == 0) {
        putf(g, ", %u", gen_below(g, bytes + 1));
    } else if (how == 1) {
        put(g, ", %t2");
    } else if (how == 2) {
        put(g, ", ");
        gen_predicate(g, true);
    }
    gen_hint_policy(g, hinted);
    put(g, ";\n");
}

/* From the input to the thread's own bytes, waited for at once: what it is worth is
 * known without time. */
static void copy(struct gen *g)
{
    const uint32_t bytes = 4u << gen_below(g, 3), how = gen_below(g, 4);
    struct target from, to;
    bool hinted;

    in_input(g, &from, bytes);
    in_own_shared(g, &to, bytes);
    if (strcmp(to.space, ".shared") != 0 || strcmp(from.space, ".global") != 0) {
        return; /* generic addresses there are none */
    }
    gen_copy_size(g, how, bytes);
    gen_guard(g, 20);
    putf(g, "\tcp.async.%s.shared.global",
         bytes == 16 && gen_chance(g, 50) ? "cg" : "ca");
    hinted = gen_hint(g);
    putf(g, " %s, %s, %u", to.address, from.address, bytes);
    gen_copy_end(g, how, bytes, hinted);
    if (gen_chance(g, 50)) {
        put(g, "\tcp.async.wait_all;\n");
    } else {
        put(g, "\tcp.async.commit_group;\n\tcp.async.wait_group 0;\n");
    }
}

void gen_memory(struct gen *g)
{
    uint32_t kind;

    if (g->newest && g->mode == SHARED_WRITE && gen_chance(g, 50)) {
        copy(g);
        return;
    }
    kind = gen_below(g, 10);
    if (kind < 1) {
        neighbours(g);
    } else if (kind < 5) {
        access(g, true);
    } else if (kind < 8) {
        access(g, false);
    } else if (kind < 9) {
        own_atomic(g);
    } else if (g->mode == SHARED_WRITE && gen_chance(g, 50)) {
        cell(g, false);
    } else if (g->p->has_globals) {
        cell(g, true);
    }
}
