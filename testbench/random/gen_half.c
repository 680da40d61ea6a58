/* Instructions on narrow floating point, of capability 9.0. */
#include "gen_priv.h"

#include <stddef.h>

/* Operands: the result first; h a 16-bit register, r a 32-bit one, d 64 bits, f and g
 * f32 and f64, p a predicate, P perhaps negated, q two predicates. */
static const struct {
    const char *name, *operands;
    uint8_t weight;
} rows[] = {
    {"{add|sub|mul}{|.rn}{|.ftz}{|.sat}.f16", "hhh", 4},
    {"{add|sub|mul}{|.rn}{|.ftz}{|.sat}.f16x2", "rrr", 4},
    {"{add|sub|mul}{|.rn}.bf16", "hhh", 3},
    {"{add|sub|mul}{|.rn}.bf16x2", "rrr", 3},
    {"fma.rn{|.ftz}{|.sat|.relu}.f16", "hhhh", 3},
    {"fma.rn{|.ftz}{|.sat|.relu}.f16x2", "rrrr", 3},
    {"fma.rn{|.relu|.oob|.oob.relu}.bf16", "hhhh", 3},
    {"fma.rn{|.relu|.oob|.oob.relu}.bf16x2", "rrrr", 3},
    {"fma.rn.oob{|.relu}.f16", "hhhh", 1},
    {"fma.rn.oob{|.relu}.f16x2", "rrrr", 1},
    {"{neg|abs}{|.ftz}.f16", "hh", 2},
    {"{neg|abs}{|.ftz}.f16x2", "rr", 2},
    {"{neg|abs}.bf16", "hh", 1},
    {"{neg|abs}.bf16x2", "rr", 1},
    {"{min|max}{|.ftz}{|.NaN}{|.xorsign.abs}.f16", "hhh", 3},
    {"{min|max}{|.ftz}{|.NaN}{|.xorsign.abs}.f16x2", "rrr", 2},
    {"{min|max}{|.NaN}{|.xorsign.abs}.bf16", "hhh", 2},
    {"{min|max}{|.NaN}{|.xorsign.abs}.bf16x2", "rrr", 2},
    {"setp." GEN_CMP_F "{|.ftz}.f16", "phh", 2},
    {"setp." GEN_CMP_F ".{and|or|xor}{|.ftz}.f16", "phhP", 1},
    {"setp." GEN_CMP_F "{|.ftz}.f16x2", "qrr", 1},
    {"setp." GEN_CMP_F ".{and|or|xor}{|.ftz}.f16x2", "qrrP", 1},
    {"setp." GEN_CMP_F ".bf16", "phh", 1},
    {"setp." GEN_CMP_F ".{and|or|xor}.bf16x2", "qrrP", 1},
    {"set." GEN_CMP_F "{|.ftz}.{f16|u16|s16}.f16", "hhh", 1},
    {"set." GEN_CMP_F ".{and|or|xor}{|.ftz}.{u32|s32}.f16", "rhhP", 1},
    {"set." GEN_CMP_F "{|.ftz}.{f16x2|u32|s32}.f16x2", "rrr", 1},
    {"set." GEN_CMP_F ".{bf16|u16|s16}.bf16", "hhh", 1},
    {"set." GEN_CMP_F ".{and|or|xor}.{bf16x2|u32|s32}.bf16x2", "rrrP", 1},
    {"set.{eq|ne}.{f16|bf16}.b32", "hrr", 1},
    {"set.{lt|hs}.{f16|bf16}.u64", "hdd", 1},
    {"set." GEN_CMP_F "{|.ftz}.{f16|bf16}.f32", "hff", 1},
    {"cvt{|.ftz}{|.sat}.f32.f16", "fh", 3},
    {"cvt{|.ftz}.f32.bf16", "fh", 2},
    {"cvt.{rn|rz|rm|rp}{|.ftz}{|.sat}.f16.f32", "hf", 3},
    {"cvt.{rn|rz}{|.relu}{|.satfinite}.{f16|bf16}.f32", "hf", 2},
    {"cvt.{rn|rz|rm|rp}{|.ftz}.bf16.f32", "hf", 2},
    {"cvt.{rn|rz|rm|rp}{|.sat}.f16.f64", "hg", 1},
    {"cvt.{rn|rz|rm|rp}.bf16.f64", "hg", 1},
    {"cvt.{rn|rz|rm|rp}.{f16.bf16|bf16.f16}", "hh", 1},
    {"cvt.{rni|rzi|rmi|rpi}{|.sat}.f16.f16", "hh", 1},
    {"cvt.{rni|rzi|rmi|rpi}.bf16.bf16", "hh", 1},
    {"cvt.{rn|rz|rm|rp}{|.sat}.f16.{u8|s8|u16|s16}", "hh", 1},
    {"cvt.{rn|rz|rm|rp}.bf16.{u16|s16}", "hh", 1},
    {"cvt.{rn|rz|rm|rp}.{f16|bf16}.{u32|s32}", "hr", 1},
    {"cvt.{rn|rz|rm|rp}.{f16|bf16}.{u64|s64}", "hd", 1},
    {"cvt.{rni|rzi|rmi|rpi}{|.sat}.{u8|s8|u16|s16}.f16", "hh", 1},
    {"cvt.{rni|rzi|rmi|rpi}.{u32|s32}.{f16|bf16}", "rh", 1},
    {"cvt.{rni|rzi|rmi|rpi}.{u64|s64}.{f16|bf16}", "dh", 1},
    {"cvt.{rn|rz}{|.relu}{|.satfinite}.{f16x2|bf16x2}.f32", "rff", 3},
    {"cvt.{rna|rna.satfinite|rn|rz|rn.relu|rz.relu}.tf32.f32", "rf", 2},
    {"cvt.rn.satfinite{|.relu}.{e4m3x2|e5m2x2}.f32", "hff", 2},
    {"cvt.rn.satfinite{|.relu}.{e4m3x2|e5m2x2}.f16x2", "hr", 2},
    {"cvt.rn{|.relu}.f16x2.{e4m3x2|e5m2x2}", "rh", 2},
    {"{min|max}{|.ftz}{|.xorsign.abs}.NaN.f32", "fff", 1},
    {"{min|max}{|.ftz}.xorsign.abs.f32", "fff", 1},
};

enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

static void operand(struct gen *g, char code)
{
    const uint32_t a = gen_below(g, g->n_regs[CLASS_P]);

    switch (code) {
    case 'h': gen_reg(g, CLASS_H); break;
    case 'r': gen_reg(g, CLASS_R); break;
    case 'd': gen_reg(g, CLASS_D); break;
    case 'f': gen_reg(g, CLASS_F); break;
    case 'g': gen_reg(g, CLASS_G); break;
    case 'q': putf(g, "%p%u|%p%u", a, (a + 1) % g->n_regs[CLASS_P]); break;
    default: gen_predicate(g, code == 'P'); break;
    }
}

/* Random bits are rarely near each other as halves: a register of such. */
static void prepare(struct gen *g, char code)
{
    static const char *const halves[] = {"31744", "31743", "15360", "1024", "1023",
                                         "65535", "32768", "15361", "32256"};
    static const uint32_t n = sizeof(halves) / sizeof(halves[0]);

    if (code == 'h' && gen_chance(g, 25)) {
        put(g, "\tmov.b16 ");
        gen_reg(g, CLASS_H);
        putf(g, ", %s;\n", halves[gen_below(g, n)]);
    } else if (code == 'r' && gen_chance(g, 25)) {
        put(g, "\tmov.b32 ");
        gen_reg(g, CLASS_R);
        put(g, ", {");
        gen_reg(g, CLASS_H);
        put(g, ", ");
        gen_reg(g, CLASS_H);
        put(g, "};\n");
    }
}

void gen_half(struct gen *g)
{
    uint32_t sum = 0, at, k = 0;

    for (uint32_t i = 0; i < N_ROWS; i++) {
        sum += rows[i].weight;
    }
    for (at = gen_below(g, sum); at >= rows[k].weight; k++) {
        at -= rows[k].weight;
    }
    prepare(g, rows[k].operands[1]);
    gen_guard(g, 12);
    gen_expand(g, rows[k].name, "");
    for (const char *o = rows[k].operands; *o != '\0'; o++) {
        put(g, o == rows[k].operands ? " " : ", ");
        operand(g, *o);
    }
    put(g, ";\n");
}
