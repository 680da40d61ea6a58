/* Loads, stores, atomics. */
#include "gen_in.h"

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
};

static const char *wide(const struct gen *g)
{
    return g->wide ? "u64" : "u32";
}

/* %t1: a multiple of align below bytes (a power of two). */
static void offset_below(struct gen *g, uint32_t bytes, uint32_t align)
{
    put(g, "\tand.b32 %t1, ");
    gen_reg(g, CLASS_R);
    putf(g, ", %u;\n", (bytes - 1) & ~(align - 1));
}

/* %a2 = base + %t1 */
static void add_to_base(struct gen *g, const char *base)
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
    offset_below(g, GEN_IN, align);
    add_to_base(g, "%a0");
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
    offset_below(g, 64, align);
    add_to_base(g, "%a1");
    set_address(t, space, "%a2", 0);
}

static void in_const(struct gen *g, struct target *t, uint32_t align)
{
    if (gen_chance(g, 50)) {
        set_address(t, ".const", "C", some_offset(g, 256, align));
        return;
    }
    offset_below(g, 256, align);
    putf(g, "\tmov.%s %a3, C;\n", wide(g));
    add_to_base(g, "%a3");
    set_address(t, ".const", "%a2", 0);
}

static void in_local(struct gen *g, struct target *t, uint32_t align)
{
    if (gen_chance(g, 50)) {
        set_address(t, ".local", "L", some_offset(g, 64, align));
        return;
    }
    offset_below(g, 64, align);
    putf(g, "\tmov.%s %a3, L;\n", wide(g));
    add_to_base(g, "%a3");
    if (gen_chance(g, 25)) {
        putf(g, "\tcvta.local.%s %a2, %a2;\n", wide(g));
        set_address(t, "", "%a2", 0);
    } else {
        set_address(t, ".local", "%a2", 0);
    }
}

static void in_own_shared(struct gen *g, struct target *t, uint32_t align)
{
    if (gen_chance(g, 50)) {
        set_address(t, ".shared", "%b0", some_offset(g, g->own_shared, align));
        return;
    }
    offset_below(g, g->own_shared, align);
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
        case 6:
            set_address(t, ".param", "pb", some_offset(g, g->p->n_params, align));
            return;
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

static const char *load_kind(struct gen *g, const struct target *t)
{
    static const char *const kinds[] = {".ca", ".cg", ".cs", ".cv", ".nc"};

    if (strcmp(t->space, ".global") != 0 || gen_chance(g, 70)) {
        return "";
    }
    return kinds[gen_below(g, t->constant ? 5 : 4)];
}

static void access(struct gen *g, bool load)
{
    const struct access_type *a = &access_types[gen_below(g, N_ACCESS)];
    uint32_t n = gen_chance(g, 75) ? 1 : gen_chance(g, 50) ? 2 : 4;
    struct target t;

    n = a->bytes * n > 16 ? 2 : n;
    if (load) {
        readable(g, &t, a->bytes * n);
    } else {
        writable(g, &t, a->bytes * n);
    }
    n = strcmp(t.space, ".param") == 0 ? 1 : n;
    gen_guard(g, 12);
    if (gen_chance(g, 8) && t.space[0] != '\0' && strcmp(t.space, ".const") != 0 &&
        strcmp(t.space, ".param") != 0 && strcmp(t.space, ".local") != 0) {
        putf(g, "%s.volatile%s", load ? "ld" : "st", t.space);
    } else {
        putf(g, "%s%s%s", load ? "ld" : "st", t.space, load ? load_kind(g, &t) : "");
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
    put(g, ";\n");
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

static void cell(struct gen *g, bool global)
{
    uint32_t k = gen_below(g, 8);
    uint8_t *kind = &g->cell[global][k];
    bool result = gen_chance(g, 30);

    if (*kind == 0) {
        *kind = (uint8_t)(1 + gen_below(g, sizeof(cell_ops) / sizeof(cell_ops[0])));
    }
    gen_guard(g, 20);
    putf(g, "%s%s%s.%s.%s ", result ? "atom" : "red",
         !g->sync || gen_chance(g, 60) ? "" : ".relaxed.gpu",
         global ? ".global" : ".shared", cell_ops[*kind - 1].name,
         cell_ops[*kind - 1].type);
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
    put(g, ";\n");
}

/* On the thread's own bytes every operation will do, and its result may be used. */
static void own_atomic(struct gen *g)
{
    static const char *const narrow =
        "{add.u32|add.s32|min.u32|min.s32|max.u32|max.s32|"
        "and.b32|or.b32|xor.b32|inc.u32|dec.u32|exch.b32}";
    static const char *const wides =
        "{add.u64|min.u64|min.s64|max.u64|max.s64|and.b64|or.b64|xor.b64|exch.b64}";
    bool big = gen_chance(g, 35), cas = gen_chance(g, 25);
    enum gen_class c = big ? CLASS_D : CLASS_R;
    struct target t;

    if (g->mode == SHARED_WRITE && gen_chance(g, 50)) {
        in_own_shared(g, &t, big ? 8 : 4);
    } else {
        in_slot(g, &t, big ? 8 : 4);
    }
    gen_guard(g, 20);
    putf(g, "atom%s.", t.space);
    gen_expand(g, cas ? (big ? "cas.b64" : "cas.b32") : big ? wides : narrow, "");
    put(g, " ");
    gen_reg(g, c);
    putf(g, ", %s, ", t.address);
    gen_reg(g, c);
    if (cas) {
        put(g, ", ");
        gen_reg(g, c);
    }
    put(g, ";\n");
}

void gen_memory(struct gen *g)
{
    uint32_t kind = gen_below(g, 10);

    if (kind < 5) {
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
