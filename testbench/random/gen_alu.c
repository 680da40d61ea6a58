/* Instructions without memory, from tables. */
#include "gen_priv.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

/* ---- text ---- */

void put(struct gen *g, const char *s)
{
    size_t n = strlen(s);

    if (g->p->n + n < GEN_TEXT) {
        memcpy(g->p->text + g->p->n, s, n + 1);
        g->p->n += (uint32_t)n;
    }
}

void put_u(struct gen *g, uint64_t v)
{
    char buf[24];
    size_t i = sizeof(buf) - 1;

    buf[i] = '\0';
    do {
        buf[--i] = (char)('0' + v % 10);
        v /= 10;
    } while (v != 0);
    put(g, buf + i);
}

static void put_hex(struct gen *g, uint64_t v, uint32_t digits)
{
    char buf[20];

    buf[digits] = '\0';
    for (uint32_t i = digits; i > 0; i--) {
        buf[i - 1] = "0123456789abcdef"[v & 15];
        v >>= 4;
    }
    put(g, buf);
}

void putf(struct gen *g, const char *format, ...)
{
    va_list ap;
    char one[2] = {0};

    va_start(ap, format);
    for (const char *f = format; *f != '\0'; f++) {
        if (*f != '%' || (f[1] != 'u' && f[1] != 's')) {
            one[0] = *f;
            put(g, one);
        } else if (*++f == 'u') {
            put_u(g, va_arg(ap, uint32_t));
        } else {
            put(g, va_arg(ap, const char *));
        }
    }
    va_end(ap);
}

uint32_t gen_below(struct gen *g, uint32_t n)
{
    return rng_below(&g->rng, n);
}

bool gen_chance(struct gen *g, uint32_t percent)
{
    return rng_chance(&g->rng, percent);
}

const char *gen_word(struct gen *g, const char *words, uint32_t *n)
{
    uint32_t count = 1;
    const char *end;

    for (const char *s = words; *s != '\0' && *s != '}'; s++) {
        count += *s == '|';
    }
    for (uint32_t i = gen_below(g, count); i > 0; i--) {
        words = strchr(words, '|') + 1;
    }
    end = words;
    while (*end != '\0' && *end != '|' && *end != '}') {
        end++;
    }
    *n = (uint32_t)(end - words);
    return words;
}

void gen_expand(struct gen *g, const char *template, const char *type)
{
    char buf[128];
    size_t n = 0;

    for (const char *s = template; *s != '\0'; s++) {
        if (*s == '{') {
            uint32_t len;
            const char *w = gen_word(g, s + 1, &len);

            memcpy(buf + n, w, len);
            n += len;
            s = strchr(s, '}');
        } else if (*s == '@') {
            size_t len = strlen(type);

            memcpy(buf + n, type, len);
            n += len;
        } else {
            buf[n++] = *s;
        }
    }
    buf[n] = '\0';
    put(g, buf);
}

/* ---- operands ---- */

static const struct type {
    char letter;
    const char *name;
    uint8_t class, bits;
    bool is_signed;
} types[] = {
    {'a', "u16", CLASS_H, 16, false}, {'b', "u32", CLASS_R, 32, false},
    {'c', "u64", CLASS_D, 64, false}, {'d', "s16", CLASS_H, 16, true},
    {'e', "s32", CLASS_R, 32, true},  {'f', "s64", CLASS_D, 64, true},
    {'h', "b16", CLASS_H, 16, false}, {'i', "b32", CLASS_R, 32, false},
    {'j', "b64", CLASS_D, 64, false}, {'F', "f32", CLASS_F, 32, false},
    {'G', "f64", CLASS_G, 64, false}, {'P', "pred", CLASS_P, 1, false},
};

enum { N_TYPES = sizeof(types) / sizeof(types[0]), U32 = 1 };

static const struct type *type_of(char letter)
{
    for (uint32_t i = 0; i < N_TYPES; i++) {
        if (types[i].letter == letter) {
            return &types[i];
        }
    }
    return &types[U32];
}

void gen_reg(struct gen *g, enum gen_class c)
{
    static const char *const prefix[N_CLASSES] = {"%h", "%r", "%d", "%f", "%g", "%p"};

    put(g, prefix[c]);
    put_u(g, gen_below(g, g->n_regs[c]));
}

void gen_predicate(struct gen *g, bool maybe_negated)
{
    if (maybe_negated && gen_chance(g, 30)) {
        put(g, "!");
    }
    gen_reg(g, CLASS_P);
}

void gen_guard(struct gen *g, uint32_t percent)
{
    put(g, "\t");
    if (gen_chance(g, percent)) {
        put(g, "@");
        gen_predicate(g, true);
        put(g, " ");
    }
}

uint64_t gen_value(struct gen *g)
{
    static const uint64_t special[] = {
        0, 1, 2, 3, 0xff, 0x7f, 0x80, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000,
        0xffffffff, 0x100000000, UINT64_C(0x7fffffffffffffff),
        UINT64_C(0x8000000000000000), UINT64_MAX,
        /* f32: 1, -1, tiny, subnormal, infinite, NaN, near the ends of integers */
        0x3f800000, 0xbf800000, 0x00800000, 0x007fffff, 0x80000001, 0x7f7fffff,
        0x7f800000, 0xff800000, 0x7fc00001, 0xffa00000, 0x4f000000, 0x4f7fffff,
        0xcf000000, 0x5f000000, 0x3f000000, 0x40200000, 0xbfc00000,
        /* f64 */
        UINT64_C(0x3ff0000000000000), UINT64_C(0xbfe0000000000000),
        UINT64_C(0x0010000000000000), UINT64_C(0x000fffffffffffff),
        UINT64_C(0x7fefffffffffffff), UINT64_C(0x7ff0000000000000),
        UINT64_C(0xfff0000000000000), UINT64_C(0x7ff8000000000123),
        UINT64_C(0xfff4000000000001), UINT64_C(0x41e0000000000000),
        UINT64_C(0x43e0000000000000), UINT64_C(0x47efffffe0000000),
        UINT64_C(0x3810000000000000), UINT64_C(0x36a0000000000000)};
    uint32_t kind = gen_below(g, 10);
    uint64_t v = rng_next(&g->rng);

    if (kind < 4) {
        return v;
    }
    if (kind < 5) { /* f32s of moderate size */
        return (v & UINT64_C(0x83ffffff83ffffff)) + UINT64_C(0x3e0000003e000000);
    }
    if (kind < 6) { /* f64s */
        return (v & UINT64_C(0x803fffffffffffff)) + UINT64_C(0x3fe0000000000000);
    }
    if (kind < 7) {
        return v >> gen_below(g, 64);
    }
    if (kind < 8) {
        return (uint64_t)0 - gen_below(g, 100);
    }
    v = special[gen_below(g, sizeof(special) / sizeof(special[0]))];
    return gen_chance(g, 50) && v <= 0xffffffff ? v | special[gen_below(g, 34)] << 32
                                                : v;
}

static void put_constant(struct gen *g, const struct type *t)
{
    uint64_t v = gen_value(g);

    if (t->class == CLASS_F) {
        put(g, "0f");
        put_hex(g, v, 8);
    } else if (t->class == CLASS_G) {
        put(g, "0d");
        put_hex(g, v, 16);
    } else if (t->is_signed && gen_chance(g, 50)) {
        put(g, "-");
        put_u(g, (v & ((UINT64_C(1) << (t->bits - 1)) - 1)));
    } else {
        put_u(g, t->bits == 64 ? v >> 1 : v & ((UINT64_C(1) << t->bits) - 1));
    }
}

/* A register of the type or, for plain bits, of another of its size. */
static void put_source_reg(struct gen *g, const struct type *t)
{
    enum gen_class c = t->class;

    if (gen_chance(g, 12)) {
        if (t->letter == 'F') {
            c = CLASS_R;
        } else if (t->letter == 'i') {
            c = CLASS_F;
        } else if (t->letter == 'G') {
            c = CLASS_D;
        } else if (t->letter == 'j') {
            c = CLASS_G;
        }
    }
    gen_reg(g, c);
}

static void put_source(struct gen *g, const struct type *t)
{
    static const char *const sregs =
        "%tid.x|%tid.y|%ntid.x|%ctaid.x|%nctaid.x|%laneid|"
        "%lanemask_lt|%lanemask_ge|%tid.z|%ntid.y|%ctaid.y|"
        "%lanemask_eq|%lanemask_le|%lanemask_gt|%ctaid.z|%nctaid.y|%nctaid.z|%ntid.z";

    if (t->class != CLASS_P && gen_chance(g, 18)) {
        put_constant(g, t);
    } else if (t->letter == 'b' && !g->in_function && gen_chance(g, 1)) {
        uint32_t n;
        const char *w = gen_word(g, sregs, &n);
        char buf[24] = {0};

        memcpy(buf, w, n);
        put(g, buf);
    } else {
        put_source_reg(g, t);
    }
}

static void put_small(struct gen *g)
{
    if (gen_chance(g, 60)) {
        put_u(g, gen_below(g, gen_chance(g, 80) ? 40 : 300));
    } else {
        gen_reg(g, CLASS_R);
    }
}

static const struct type *double_of(const struct type *t)
{
    return type_of(t->bits == 16 ? (t->is_signed ? 'e' : 'b')
                                 : (t->is_signed ? 'f' : 'c'));
}

static void put_nonzero(struct gen *g)
{
    put_u(g, 1 + gen_below(g, gen_chance(g, 50) ? 20 : 32767));
}

/* ---- rows ---- */

/* Operands: d, D destination (of twice the width), r in b32, f in f32, q a predicate, Q
 * two; a source, n register only, A of twice the width, u a u32, x an f32, p a
 * predicate, perhaps negated, P plain; s a count or position, m 0 to 255, y the same or
 * a register with that, z not 0, 5 0 to 31, o an offset. */
struct row {
    const char *types, *name, *operands;
    uint8_t weight;
};

#define ALL   "abcdefhijFG"
#define CMP_U "{eq|ne|lt|le|gt|ge|lo|ls|hi|hs}"
#define CMP_S "{eq|ne|lt|le|gt|ge}"
#define CMP_F GEN_CMP_F
#define LOGIC "{and|or|xor}"
#define ROUND "{rn|rz|rm|rp}"

static const struct row rows[] = {
    {"abcdef", "{add|sub}.@", "daa", 6},
    {"e", "{add|sub}.sat.@", "daa", 1},
    {"abcdef", "mul.{lo|hi}.@", "daa", 4},
    {"abde", "mul.wide.@", "Daa", 2},
    {"abcdef", "mad.{lo|hi}.@", "daaa", 4},
    {"abde", "mad.wide.@", "DaaA", 2},
    {"e", "mad.hi.sat.@", "daaa", 1},
    {"be", "mul24.{lo|hi}.@", "daa", 1},
    {"be", "mad24.{lo|hi}.@", "daaa", 1},
    {"e", "mad24.hi.sat.@", "daaa", 1},
    {"abcdef", "sad.@", "daaa", 2},
    {"abcdef", "{div|rem}.@", "daz", 3},
    {"abcdef", "{min|max}.@", "daa", 3},
    {"def", "{abs|neg}.@", "da", 2},
    {"ij", "{popc|clz}.@", "ra", 2},
    {"bcef", "bfind{|.shiftamt}.@", "ra", 2},
    {"ij", "brev.@", "da", 1},
    {"bcef", "bfe.@", "dayy", 2},
    {"ij", "bfi.@", "daayy", 2},
    {"i", "bmsk.{clamp|wrap}.@", "dss", 1},
    {"be", "szext.{clamp|wrap}.@", "das", 1},
    {"i", "fns.@", "da5o", 1},
    {"b", "dp4a.{u32|s32}.{u32|s32}", "daaa", 1},
    {"b", "dp2a.{lo|hi}.{u32|s32}.{u32|s32}", "daaa", 1},
    {"i", "lop3.@", "daaam", 2},
    {"i", "shf.{l|r}.{wrap|clamp}.@", "daas", 2},
    {"hij", "shl.@", "das", 2},
    {"abcdefhij", "shr.@", "das", 3},
    {"i", "prmt.@{|.f4e|.b4e|.rc8|.ecl|.ecr|.rc16}", "daau", 2},
    {"hij", LOGIC ".@", "daa", 4},
    {"hij", "{not|cnot}.@", "da", 2},
    {"P", LOGIC ".@", "qPP", 1},
    {"P", "{not|mov}.@", "qP", 1},
    {ALL, "selp.@", "daap", 3},
    {ALL, "slct.@.s32", "daau", 1},
    {ALL, "slct{|.ftz}.@.f32", "daax", 1},
    {ALL, "mov.@", "da", 3},
    {"hij", "set.{eq|ne}.{u32|s32}.@", "raa", 1},
    {"hij", "set.{eq|ne}.f32.@", "faa", 1},
    {"hij", "set.{eq|ne}." LOGIC ".{u32|s32}.@", "raap", 1},
    {"hij", "set.{eq|ne}." LOGIC ".f32.@", "faap", 1},
    {"abc", "set." CMP_U "." LOGIC ".{u32|s32}.@", "raap", 1},
    {"abc", "set." CMP_U "." LOGIC ".f32.@", "faap", 1},
    {"def", "set." CMP_S ".{u32|s32}.@", "raa", 1},
    {"def", "set." CMP_S ".f32.@", "faa", 1},
    {"def", "set." CMP_S "." LOGIC ".f32.@", "faap", 1},
    {"F", "set." CMP_F "." LOGIC "{|.ftz}.{u32|s32}.@", "raap", 1},
    {"F", "set." CMP_F "{|.ftz}.f32.@", "faa", 1},
    {"G", "set." CMP_F ".f32.@", "faa", 1},
    {"G", "set." CMP_F "." LOGIC ".{u32|s32}.@", "raap", 1},
    {"G", "set." CMP_F "." LOGIC ".f32.@", "faap", 1},
    {"abc", "set." CMP_U ".{u32|s32}.@", "raa", 1},
    {"def", "set." CMP_S "." LOGIC ".{u32|s32}.@", "raap", 1},
    {"abc", "set." CMP_U ".f32.@", "faa", 1},
    {"F", "set." CMP_F "{|.ftz}.{u32|s32}.@", "raa", 1},
    {"F", "set." CMP_F "." LOGIC "{|.ftz}.f32.@", "faap", 1},
    {"G", "set." CMP_F ".{u32|s32}.@", "raa", 1},
    {"hij", "setp.{eq|ne}.@", "qaa", 1},
    {"hij", "setp.{eq|ne}." LOGIC ".@", "Qaap", 1},
    {"abc", "setp." CMP_U ".@", "qaa", 2},
    {"def", "setp." CMP_S ".@", "qaa", 2},
    {"abc", "setp." CMP_U ".@", "Qaa", 1},
    {"def", "setp." CMP_S "." LOGIC ".@", "Qaap", 1},
    {"abc", "setp." CMP_U "." LOGIC ".@", "qaap", 1},
    {"F", "setp." CMP_F "{|.ftz}.@", "qaa", 2},
    {"F", "setp." CMP_F "." LOGIC "{|.ftz}.@", "Qaap", 1},
    {"G", "setp." CMP_F ".@", "qaa", 1},
    {"G", "setp." CMP_F "." LOGIC ".@", "Qaap", 1},
    {"FG", "testp.{finite|infinite|number|notanumber|normal|subnormal}.@", "qa", 1},
    {"FG", "copysign.@", "daa", 1},
    {"F", "{add|sub|mul}{|.rn|.rz|.rm|.rp}{|.ftz}{|.sat}.@", "daa", 6},
    {"G", "{add|sub|mul}{|.rn|.rz|.rm|.rp}.@", "daa", 4},
    {"F", "{fma|mad}." ROUND "{|.ftz}{|.sat}.@", "daaa", 3},
    {"G", "{fma|mad}." ROUND ".@", "daaa", 2},
    {"F", "div." ROUND "{|.ftz}.@", "daa", 2},
    {"G", "div." ROUND ".@", "daa", 2},
    {"F", "{rcp|sqrt}." ROUND "{|.ftz}.@", "da", 2},
    {"G", "{rcp|sqrt}." ROUND ".@", "da", 1},
    {"F", "{min|max}{|.ftz}.@", "daa", 2},
    {"G", "{min|max}.@", "daa", 1},
    {"F", "{abs|neg}{|.ftz}.@", "da", 1},
    {"G", "{abs|neg}.@", "da", 1},
};

enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

static void put_destination(struct gen *g, char code, const struct type *t)
{
    static const struct {
        char code;
        uint8_t class;
    } fixed[] = {{'r', CLASS_R}, {'f', CLASS_F}, {'q', CLASS_P}};

    for (uint32_t i = 0; i < 3; i++) {
        if (code == fixed[i].code) {
            gen_reg(g, fixed[i].class);
            return;
        }
    }
    if (code == 'Q') {
        uint32_t a = gen_below(g, g->n_regs[CLASS_P]);

        putf(g, "%p%u|%p%u", a, (a + 1) % g->n_regs[CLASS_P]);
    } else {
        put_source_reg(g, code == 'D' ? double_of(t) : t);
    }
}

static void put_operand(struct gen *g, char code, const struct type *t)
{
    switch (code) {
    case 'a': put_source(g, t); break;
    case 'A': put_source(g, double_of(t)); break;
    case 'u': put_source(g, &types[U32]); break;
    case 'x': put_source(g, type_of('F')); break;
    case 'p':
    case 'P': gen_predicate(g, code == 'p'); break;
    case 's': put_small(g); break;
    case 'y':
        if (gen_chance(g, 50)) {
            put(g, "%t4");
            break;
        }
        put_u(g, gen_below(g, gen_chance(g, 80) ? 70 : 256));
        break;
    case 'm': put_u(g, gen_below(g, 256)); break;
    case '5': put_u(g, gen_below(g, 32)); break;
    case 'o':
        put(g, gen_chance(g, 50) ? "-" : "");
        put_u(g, gen_below(g, 6));
        break;
    default: /* z */ put_nonzero(g); break;
    }
}

static uint32_t total_weight(void)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < N_ROWS; i++) {
        sum += rows[i].weight;
    }
    return sum;
}

/* A divisor in a register is made odd first, in a register of its own. */
static bool odd_divisor(struct gen *g, const struct type *t)
{
    if (!gen_chance(g, 60)) {
        return false;
    }
    putf(g, "\tor.b%u %z%u, ", (uint32_t)t->bits, (uint32_t)t->bits);
    gen_reg(g, t->class);
    put(g, ", 1;\n");
    return true;
}

void gen_alu(struct gen *g)
{
    uint32_t at;
    const struct row *w = rows;
    const struct type *t;
    bool divides;

    if (g->newest && gen_chance(g, 15)) {
        gen_half(g);
        return;
    }
    if ((g->groups & GEN_VIDEO) != 0 && gen_chance(g, 35)) {
        gen_video(g);
        return;
    }
    at = gen_below(g, total_weight());
    for (; at >= w->weight; w++) {
        at -= w->weight;
    }
    t = type_of(w->types[gen_below(g, (uint32_t)strlen(w->types))]);
    if (strchr(w->operands, 'y') != NULL) { /* 0 to 255 by definition */
        put(g, "\tand.b32 %t4, ");
        gen_reg(g, CLASS_R);
        putf(g, ", %u;\n", gen_chance(g, 70) ? 63 : 255);
    }
    divides = strchr(w->operands, 'z') != NULL && odd_divisor(g, t);
    gen_guard(g, 12);
    gen_expand(g, w->name, t->name);
    put(g, " ");
    put_destination(g, w->operands[0], t);
    for (const char *o = w->operands + 1; *o != '\0'; o++) {
        put(g, ", ");
        if (*o == 'z' && divides) {
            putf(g, "%z%u", (uint32_t)t->bits);
        } else {
            put_operand(g, *o, t);
        }
    }
    put(g, ";\n");
}

/* ---- conversions ---- */

static const char *const cvt_types[] = {"u8",  "u16", "u32", "u64", "s8",
                                        "s16", "s32", "s64", "f32", "f64"};

/* A register wide enough for the type; of a float, its own. */
static void put_cvt_reg(struct gen *g, uint32_t t)
{
    static const uint8_t least[] = {CLASS_H, CLASS_H, CLASS_R, CLASS_D};

    if (t >= 8) {
        gen_reg(g, t == 8 ? CLASS_F : CLASS_G);
    } else {
        uint32_t low = least[t % 4];

        gen_reg(g, low + (gen_chance(g, 70) ? 0 : gen_below(g, CLASS_D - low + 1)));
    }
}

static const char *cvt_modifiers(uint32_t d, uint32_t s)
{
    bool d_float = d >= 8, s_float = s >= 8;

    if (!d_float && s_float) {
        return s == 8 ? ".{rni|rzi|rmi|rpi}{|.ftz}{|.sat}"
                      : ".{rni|rzi|rmi|rpi}{|.sat}";
    }
    if (d_float && !s_float) {
        return d == 8 ? "." ROUND "{|.ftz}{|.sat}" : "." ROUND "{|.sat}";
    }
    if (!d_float) {
        return "{|.sat}";
    }
    if (d == 9 && s == 8) {
        return "{|.ftz}{|.sat}";
    }
    if (d == 8 && s == 9) {
        return "." ROUND "{|.ftz}{|.sat}";
    }
    return d == 8 ? "{|.rni|.rzi|.rmi|.rpi}{|.ftz}{|.sat}"
                  : "{|.rni|.rzi|.rmi|.rpi}{|.sat}";
}

void gen_cvt(struct gen *g)
{
    uint32_t d = gen_below(g, 10), s = gen_below(g, 10);

    gen_guard(g, 10);
    put(g, "cvt");
    gen_expand(g, cvt_modifiers(d, s), "");
    putf(g, ".%s.%s ", cvt_types[d], cvt_types[s]);
    put_cvt_reg(g, d);
    put(g, ", ");
    put_cvt_reg(g, s);
    put(g, ";\n");
}

/* ---- carries ---- */

void gen_chain(struct gen *g)
{
    static const char *const kinds[3][3] = {
        {"add.cc.", "addc.cc.", "addc."},
        {"sub.cc.", "subc.cc.", "subc."},
        {"mad.{lo|hi}.cc.", "madc.{lo|hi}.cc.", "madc.{lo|hi}."},
    };
    uint32_t kind = gen_below(g, 3), n = 2 + gen_below(g, 3);

    for (uint32_t i = 0; i < n; i++) {
        const struct type *t = type_of("becf"[gen_below(g, gen_chance(g, 70) ? 2 : 4)]);

        put(g, "\t");
        gen_expand(g, kinds[kind][i == 0 ? 0 : i + 1 < n ? 1 : 2], "");
        putf(g, "%s ", t->name);
        gen_reg(g, t->class);
        for (uint32_t k = 0; k < (kind == 2 ? 3u : 2u); k++) {
            put(g, ", ");
            put_source(g, t);
        }
        put(g, ";\n");
    }
}
