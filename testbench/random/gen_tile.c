/*
 * Matrix instructions, where whole warps come by.
 *
 * Fragments of floating point are made of data so that every sum is exact, whatever the
 * order and the rounding on the way: numbers from 1 to 1.75 in quarters with any sign.
 * %x0 to %x3 and %w0 to %w7 are A, %x4, %x5 and %w8 to %w11 B, %x8 to %x15 and %w12 to
 * %w15 C, %x16 to %x23 and %w16 to %w19 D. %n0 is the warp's 32 rows of shared memory,
 * %n1 the lane's own, %n2 scratch.
 */
#include "gen_priv.h"

enum kind { K_RAW, K_F16, K_BF16, K_TF32, K_E4M3, K_E5M2, K_F32, K_F64 };

enum { FIRST_A = 0, FIRST_B = 4, FIRST_C = 8, FIRST_D = 16, ROWS = 512 };

static const struct {
    const char *keeps, *sets; /* bits of data, bits that are set besides */
} kinds[] = {
    [K_F16] = {"0x83008300", "0x3c003c00"},  [K_BF16] = {"0x80608060", "0x3f803f80"},
    [K_TF32] = {"0x80600000", "0x3f800000"}, [K_E4M3] = {"0x86868686", "0x38383838"},
    [K_E5M2] = {"0x83838383", "0x3c3c3c3c"}, [K_F32] = {"0x80600000", "0x3f800000"},
};

#define MMA(shape, types) "mma.sync.aligned." shape ".row.col." types
#define S8                "{s8|u8}.{s8|u8}"
#define S4                "{s4|u4}.{s4|u4}"
#define ANY               "{row|col}.{row|col}"

static const struct {
    const char *name;
    uint8_t a, n_a, b, n_b, c, n_c;
    bool newest;
} rows[] = {
    {MMA("m16n8k8", "f16.f16.f16.f16"), K_F16, 2, K_F16, 1, K_F16, 2, false},
    {MMA("m16n8k8", "f32.f16.f16.f32"), K_F16, 2, K_F16, 1, K_F32, 4, false},
    {MMA("m16n8k16", "f16.f16.f16.f16"), K_F16, 4, K_F16, 2, K_F16, 2, false},
    {MMA("m16n8k16", "f32.f16.f16.f32"), K_F16, 4, K_F16, 2, K_F32, 4, false},
    {MMA("m16n8k8", "f32.bf16.bf16.f32"), K_BF16, 2, K_BF16, 1, K_F32, 4, false},
    {MMA("m16n8k16", "f32.bf16.bf16.f32"), K_BF16, 4, K_BF16, 2, K_F32, 4, false},
    {MMA("m16n8k4", "f32.tf32.tf32.f32"), K_TF32, 2, K_TF32, 1, K_F32, 4, false},
    {MMA("m16n8k8", "f32.tf32.tf32.f32"), K_TF32, 4, K_TF32, 2, K_F32, 4, false},
    {MMA("m8n8k4", "f64.f64.f64.f64"), K_F64, 1, K_F64, 1, K_F64, 2, false},
    {MMA("m16n8k4", "f64.f64.f64.f64"), K_F64, 2, K_F64, 1, K_F64, 4, true},
    {MMA("m16n8k8", "f64.f64.f64.f64"), K_F64, 4, K_F64, 2, K_F64, 4, true},
    {MMA("m16n8k16", "f64.f64.f64.f64"), K_F64, 8, K_F64, 4, K_F64, 4, true},
    {MMA("m8n8k16{|.satfinite}", "s32." S8 ".s32"), K_RAW, 1, K_RAW, 1, K_RAW, 2,
     false},
    {MMA("m16n8k16{|.satfinite}", "s32." S8 ".s32"), K_RAW, 2, K_RAW, 1, K_RAW, 4,
     false},
    {MMA("m16n8k32{|.satfinite}", "s32." S8 ".s32"), K_RAW, 4, K_RAW, 2, K_RAW, 4,
     false},
    {MMA("m8n8k32{|.satfinite}", "s32." S4 ".s32"), K_RAW, 1, K_RAW, 1, K_RAW, 2,
     false},
    {MMA("m16n8k32{|.satfinite}", "s32." S4 ".s32"), K_RAW, 2, K_RAW, 1, K_RAW, 4,
     false},
    {MMA("m16n8k64{|.satfinite}", "s32." S4 ".s32"), K_RAW, 4, K_RAW, 2, K_RAW, 4,
     false},
    {MMA("m8n8k128", "s32.b1.b1.s32.{xor|and}.popc"), K_RAW, 1, K_RAW, 1, K_RAW, 2,
     false},
    {MMA("m16n8k128", "s32.b1.b1.s32.{xor|and}.popc"), K_RAW, 2, K_RAW, 1, K_RAW, 4,
     false},
    {MMA("m16n8k256", "s32.b1.b1.s32.{xor|and}.popc"), K_RAW, 4, K_RAW, 2, K_RAW, 4,
     false},
    {MMA("m16n8k32", "f32.e4m3.e4m3.f32"), K_E4M3, 4, K_E4M3, 2, K_F32, 4, true},
    {MMA("m16n8k32", "f32.e4m3.e5m2.f32"), K_E4M3, 4, K_E5M2, 2, K_F32, 4, true},
    {MMA("m16n8k32", "f32.e5m2.e4m3.f32"), K_E5M2, 4, K_E4M3, 2, K_F32, 4, true},
    {MMA("m16n8k32", "f16.e5m2.e5m2.f16"), K_E5M2, 4, K_E5M2, 2, K_F16, 2, true},
    {"mma.sync.aligned.m8n8k4." ANY ".f16.f16.f16.f16", K_F16, 2, K_F16, 2, K_F16, 4,
     false},
    {"mma.sync.aligned.m8n8k4." ANY ".f32.f16.f16.f32", K_F16, 2, K_F16, 2, K_F32, 8,
     false},
};

enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

void gen_tile_variables(struct gen *g)
{
    putf(g, ".shared .align 16 .b8 SM[%u];\n", ROWS / 32 * g->p->n_threads);
}

void gen_tile_places(struct gen *g)
{
    const char *a = g->wide_shared ? "u64" : "u32", *b = g->wide_shared ? "b64" : "b32";

    putf(g, "\t.reg .%s %n<3>;\n\t.reg .b32 %x<24>;\n\t.reg .b64 %w<20>;\n", a);
    putf(g, "\tmov.%s %n2, SM; //=\n", a);
    putf(g, "\tmad.%s.u32 %n1, %t0, 16, %n2; //=\n", g->wide_shared ? "wide" : "lo");
    putf(g, "\tshr.u32 %t2, %t0, 5; //=\n\tmad.%s.u32 %n0, %t2, 512, %n2; //=\n",
         g->wide_shared ? "wide" : "lo");
    putf(g, "\tmov.%s %n2, %n1; //=\n", b);
    put(g, "\tst.shared.v4.b32 [%n1], {%r0, %r3, %r7, %r5}; //=\n");
}

/* ---- products ---- */

static void fragment(struct gen *g, enum kind k, uint32_t n, uint32_t first)
{
    const bool zero = gen_chance(g, 8);

    for (uint32_t i = first; i < first + n; i++) {
        const char *reg = k == K_F64 ? "%w" : "%x";

        putf(g, "\t%s.b%u %s%u, ",
             zero         ? "mov"
             : k == K_RAW ? "mov"
                          : "and",
             k == K_F64 ? 64u : 32u, reg, i);
        if (zero) {
            put(g, "0; //=\n");
            continue;
        }
        gen_reg(g, k == K_F64 ? CLASS_D : CLASS_R);
        if (k == K_RAW) {
            put(g, "; //=\n");
        } else if (k == K_F64) {
            putf(g,
                 ", 0x800c000000000000; //=\n\tor.b64 %w%u, %w%u, "
                 "0x3ff0000000000000; //=\n",
                 i, i);
        } else {
            putf(g, ", %s; //=\n\tor.b32 %x%u, %x%u, %s; //=\n", kinds[k].keeps, i, i,
                 kinds[k].sets);
        }
    }
}

static void braces(struct gen *g, bool wide, uint32_t first, uint32_t n)
{
    put(g, "{");
    for (uint32_t i = 0; i < n; i++) {
        putf(g, "%s%s%u", i > 0 ? ", " : "", wide ? "%w" : "%x", first + i);
    }
    put(g, "}");
}

/* What came out goes into data. */
static void fold(struct gen *g, bool wide, uint32_t n)
{
    for (uint32_t i = FIRST_D; i < FIRST_D + n; i++) {
        const uint32_t d = gen_below(g, g->n_regs[wide ? CLASS_D : CLASS_R]);

        putf(g, "\txor.b%u %s%u, %s%u, %s%u;\n", wide ? 64u : 32u, wide ? "%d" : "%r",
             d, wide ? "%d" : "%r", d, wide ? "%w" : "%x", i);
    }
}

static void product(struct gen *g)
{
    uint32_t k = gen_below(g, N_ROWS);
    bool wide;

    while (rows[k].newest && !g->newest) {
        k = gen_below(g, N_ROWS);
    }
    wide = rows[k].a == K_F64;
    fragment(g, rows[k].a, rows[k].n_a, FIRST_A);
    fragment(g, rows[k].b, rows[k].n_b, wide ? 8 : FIRST_B);
    fragment(g, rows[k].c, rows[k].n_c, wide ? 12 : FIRST_C);
    put(g, "\t");
    gen_expand(g, rows[k].name, "");
    put(g, " ");
    braces(g, wide, FIRST_D, rows[k].n_c);
    put(g, ", ");
    braces(g, wide, FIRST_A, rows[k].n_a);
    put(g, ", ");
    braces(g, wide, wide ? 8 : FIRST_B, rows[k].n_b);
    put(g, ", ");
    braces(g, wide, wide ? 12 : FIRST_C, rows[k].n_c);
    put(g, "; //=\n");
    fold(g, wide, rows[k].n_c);
}

/* ---- rows ---- */

static void meet(struct gen *g)
{
    put(g, "\tbar.warp.sync 0xffffffff; //=\n");
}

static void scratch_row(struct gen *g)
{
    putf(g, g->wide_shared
                ? "\tcvt.u64.u32 %n2, %t1; //=\n\tadd.u64 %n2, %n2, %n0; //=\n"
                : "\tadd.u32 %n2, %t1, %n0; //=\n");
}

static void load_rows(struct gen *g)
{
    const uint32_t n = 1u << gen_below(g, 3);

    put(g, "\tand.b32 %t1, ");
    gen_reg(g, CLASS_R);
    putf(g, ", %u; //=\n", ROWS - 16);
    scratch_row(g);
    putf(g, "\tldmatrix.sync.aligned.m8n8.x%u", n);
    gen_expand(g, "{|.trans}.{shared|shared::cta}.b16 ", "");
    braces(g, false, FIRST_D, n);
    put(g, ", [%n2]; //=\n");
    fold(g, false, n);
}

/* Each row is one lane's: rows of the others are left alone. */
static void store_rows(struct gen *g)
{
    const uint32_t n = 1u << gen_below(g, 3);

    putf(g, "\tand.b32 %t1, %t0, 31; //=\n\txor.b32 %t1, %t1, %u; //=\n",
         gen_below(g, 32));
    put(g, "\tshl.b32 %t1, %t1, 4; //=\n");
    scratch_row(g);
    fragment(g, K_RAW, n, FIRST_C);
    putf(g, "\tstmatrix.sync.aligned.m8n8.x%u", n);
    gen_expand(g, "{|.trans}.{shared|shared::cta}.b16 [%n2], ", "");
    braces(g, false, FIRST_C, n);
    put(g, "; //=\n");
    meet(g);
}

void gen_tile(struct gen *g)
{
    const uint32_t kind = gen_below(g, 10);

    if (kind < 5) {
        product(g);
    } else if (kind < 7) {
        load_rows(g);
    } else if (kind < 8 && g->newest) {
        store_rows(g);
    } else if (kind < 9) {
        put(g, "\tst.shared.v2.b64 [%n1], {%d0, %d3}; //=\n");
        meet(g);
    } else {
        put(g, "\tmovmatrix.sync.aligned.m8n8.trans.b16 %x16, ");
        gen_reg(g, CLASS_R);
        put(g, "; //=\n");
        fold(g, false, 1);
    }
}
