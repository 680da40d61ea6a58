/* Parts of registers, addresses from one space to another, and what has no effect. */
#include "gen_priv.h"

static const char *wide(const struct gen *g)
{
    return g->wide ? "u64" : "u32";
}

/* n different registers of a class in braces. */
static void vector(struct gen *g, enum gen_class c, uint32_t n)
{
    static const char *const prefix[N_CLASSES] = {"%h", "%r", "%d", "%f", "%g", "%p"};
    uint32_t first = gen_below(g, g->n_regs[c]);

    put(g, "{");
    for (uint32_t i = 0; i < n; i++) {
        putf(g, "%s%s%u", i > 0 ? ", " : "", prefix[c], (first + i) % g->n_regs[c]);
    }
    put(g, "}");
}

/* mov of a register to its parts, or of parts to a register. */
static void parts(struct gen *g)
{
    static const struct {
        uint8_t whole, part, n;
    } kinds[] = {{CLASS_R, CLASS_H, 2}, {CLASS_D, CLASS_R, 2}, {CLASS_D, CLASS_H, 4},
                 {CLASS_D, CLASS_F, 2}, {CLASS_G, CLASS_R, 2}, {CLASS_F, CLASS_H, 2}};
    uint32_t k = gen_below(g, sizeof(kinds) / sizeof(kinds[0]));

    if (kinds[k].n > g->n_regs[kinds[k].part]) {
        k = 1;
    }
    gen_guard(g, 15);
    putf(g, "mov.b%u ",
         kinds[k].whole == CLASS_R || kinds[k].whole == CLASS_F ? 32u : 64u);
    if (gen_chance(g, 50)) {
        vector(g, kinds[k].part, kinds[k].n);
        put(g, ", ");
        gen_reg(g, kinds[k].whole);
    } else {
        gen_reg(g, kinds[k].whole);
        put(g, ", ");
        vector(g, kinds[k].part, kinds[k].n);
    }
    put(g, ";\n");
}

/* %p = is %a2 of this space? */
static void ask_space(struct gen *g, const char *space)
{
    put(g, "\tisspacep.");
    if (gen_chance(g, 50)) {
        put(g, space);
    } else {
        gen_expand(g, "{global|shared|local}", "");
    }
    put(g, " ");
    gen_reg(g, CLASS_P);
    put(g, ", %a2;\n");
}

/* There and back: what lies behind the address stays the same. */
static void and_back(struct gen *g, const char *space, const char *base)
{
    putf(g, "\tcvta.%s.%s %a2, %s;\n", space, wide(g), base);
    ask_space(g, space);
    putf(g, "\tcvta.to.%s.%s %a2, %a2;\n\tld.%s.u8 ", space, wide(g), space);
    gen_reg(g, CLASS_R);
    putf(g, ", [%a2+%u];\n", gen_below(g, 16));
}

static void spaces(struct gen *g)
{
    switch (gen_below(g, 5)) {
    case 0:
        if (g->mode == SHARED_WRITE && g->wide == g->wide_shared) {
            and_back(g, g->sync && gen_chance(g, 30) ? "shared::cta" : "shared", "%b0");
            return;
        }
        break;
    case 1:
        if (g->has_local) {
            putf(g, "\tmov.%s %a3, L;\n", wide(g));
            and_back(g, "local", "%a3");
            return;
        }
        break;
    case 2:
        if (g->has_const) {
            putf(g, "\tmov.%s %a3, C;\n", wide(g));
            and_back(g, "const", "%a3");
            return;
        }
        break;
    case 3:
        if (g->sync) {
            putf(g, "\tmov.%s %a3, pb;\n", wide(g));
            and_back(g, "param", "%a3");
            return;
        }
        break;
    default: break;
    }
    and_back(g, "global", "%a0");
}

/* No result depends on these. */
static void without_effect(struct gen *g)
{
    bool fetches = gen_chance(g, 60) && !g->in_function;

    if (fetches) {
        gen_offset(g, GEN_IN, 1);
        gen_address(g, "%a0");
    }
    gen_guard(g, 15);
    if (fetches) {
        gen_expand(g,
                   g->newest ? "{prefetch.global.L1|prefetch.L1|prefetch.L2|"
                               "prefetchu.L1|prefetch.global.L2::evict_last|"
                               "prefetch.global.L2::evict_normal}"
                             : "{prefetch.global.L1|prefetch.L1|prefetch.global.L2|"
                               "prefetch.L2|prefetchu.L1}",
                   "");
        put(g, " [%a2];\n");
    } else if (g->sync && gen_chance(g, 40)) {
        putf(g, "nanosleep.u32 %u;\n", gen_below(g, 60));
    } else if (gen_chance(g, 50)) {
        gen_expand(g,
                   g->newest ? "fence{|.sc|.acq_rel|.acquire|.release}."
                               "{cta|gpu|sys|cluster};\n"
                   : g->sync ? "fence{|.sc|.acq_rel}.{cta|gpu|sys};\n"
                             : "membar.{cta|gl|sys};\n",
                   "");
    } else {
        put(g, gen_chance(g, 50) ? "pmevent " : "pmevent.mask ");
        putf(g, "%u;\n", gen_below(g, 16));
    }
}

void gen_move(struct gen *g)
{
    uint32_t kind = gen_below(g, 10);

    if (kind < 5) {
        parts(g);
    } else if (kind < 8 && !g->in_function) {
        spaces(g);
    } else {
        without_effect(g);
    }
}
