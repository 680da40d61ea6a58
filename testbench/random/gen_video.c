/* Video instructions, and packed integers. */
#include "gen_priv.h"

#include <string.h>

#define T "{u32|s32}"

/* Operands: the result first. r a register, s a part of one, - of one that may be
 * negated; S parts of two registers, D those of the result; of two or four values. m: a
 * part to be written, the other bits are of c. */
static const struct {
    const char *name, *operands;
    uint8_t weight;
    bool newest;
} rows[] = {
    {"{vadd|vsub|vabsdiff|vmin|vmax}." T "." T "." T "{|.sat}", "rss", 6, false},
    {"{vadd|vsub|vabsdiff|vmin|vmax}." T "." T "." T "{|.sat}", "mssr", 4, false},
    {"{vadd|vsub|vabsdiff|vmin|vmax}." T "." T "." T "{|.sat}.{add|min|max}", "rssr", 4,
     false},
    {"{vshl|vshr}." T "." T ".u32{|.sat}.{clamp|wrap}", "rss", 3, false},
    {"{vshl|vshr}." T "." T ".u32{|.sat}.{clamp|wrap}", "mssr", 1, false},
    {"{vshl|vshr}." T "." T ".u32{|.sat}.{clamp|wrap}.{add|min|max}", "rssr", 1, false},
    {"vmad." T "." T "." T "{|.sat}{|.shr7|.shr15}", "rss-", 4, false},
    {"vmad." T "." T "." T ".po{|.sat}{|.shr7|.shr15}", "rssr", 1, false},
    {"vset." T "." T ".{eq|ne|lt|le|gt|ge}", "rss", 2, false},
    {"vset." T "." T ".{eq|ne|lt|le|gt|ge}", "mssr", 1, false},
    {"vset." T "." T ".{eq|ne|lt|le|gt|ge}.{add|min|max}", "rssr", 2, false},
    {"{vadd2|vsub2|vavrg2|vabsdiff2|vmin2|vmax2}." T "." T "." T "{|.sat}{|.add}", "2",
     6, false},
    {"{vadd4|vsub4|vavrg4|vabsdiff4|vmin4|vmax4}." T "." T "." T "{|.sat}{|.add}", "4",
     6, false},
    {"vset2." T "." T ".{eq|ne|lt|le|gt|ge}{|.add}", "2", 2, false},
    {"vset4." T "." T ".{eq|ne|lt|le|gt|ge}{|.add}", "4", 2, false},
    {"add.{u16x2|s16x2}", "rrr", 1, true},
    {"{min|max}.{u16x2|s16x2}", "rrr", 2, true},
    {"{min|max}.relu.{s16x2|s32}", "rrr", 2, true},
};

enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

static void part(struct gen *g, bool always)
{
    if (always || gen_chance(g, 60)) {
        gen_expand(g, ".{b0|b1|b2|b3|h0|h1}", "");
    }
}

/* Of a and b, n values of 2 n, the highest first. */
static void parts(struct gen *g, uint32_t n)
{
    if (gen_chance(g, 50)) {
        return;
    }
    put(g, n == 2 ? ".h" : ".b");
    for (uint32_t i = 0; i < n; i++) {
        put_u(g, gen_below(g, 2 * n));
    }
}

/* Which of the n are written, the highest first. */
static void mask(struct gen *g, uint32_t n)
{
    const uint32_t bits = gen_chance(g, 50) ? 0 : gen_below(g, 1u << n);

    if (bits == 0) {
        return;
    }
    put(g, n == 2 ? ".h" : ".b");
    for (uint32_t i = n; i > 0; i--) {
        if ((bits >> (i - 1) & 1) != 0) {
            put_u(g, i - 1);
        }
    }
}

static void side_by_side(struct gen *g, uint32_t n)
{
    put(g, " ");
    gen_reg(g, CLASS_R);
    mask(g, n);
    for (uint32_t i = 0; i < 2; i++) {
        put(g, ", ");
        gen_reg(g, CLASS_R);
        parts(g, n);
    }
    put(g, ", ");
    gen_reg(g, CLASS_R);
    put(g, ";\n");
}

static void operand(struct gen *g, char code)
{
    put(g, code == '-' && gen_chance(g, 30) ? "-" : "");
    gen_reg(g, CLASS_R);
    if (code == 's' || code == 'm') {
        part(g, code == 'm');
    }
}

void gen_video(struct gen *g)
{
    uint32_t sum = 0, at, k = 0;

    for (uint32_t i = 0; i < N_ROWS; i++) {
        sum += rows[i].newest && !g->newest ? 0 : rows[i].weight;
    }
    for (at = gen_below(g, sum); at >= rows[k].weight; k++) {
        at -= rows[k].weight;
    }
    gen_guard(g, 12);
    gen_expand(g, rows[k].name, "");
    if (rows[k].operands[0] == '2' || rows[k].operands[0] == '4') {
        side_by_side(g, (uint32_t)(rows[k].operands[0] - '0'));
        return;
    }
    for (const char *o = rows[k].operands; *o != '\0'; o++) {
        put(g, o == rows[k].operands ? " " : ", ");
        operand(g, *o);
    }
    put(g, ";\n");
}
