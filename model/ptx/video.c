/* Video instructions: parts of registers, and what all words together mean. */
#include "isa/video.h"
#include "ptx/lower_priv.h"

#include <string.h>

/* ---- parts: bit 0, bit 1 of halves, how many from bit 2, digits from bit 8 ---- */

void ptx_video_parts(struct ptx_parser *p, struct ptx_opnd *o)
{
    const struct ptx_tok t = p->lex.t;
    const char last = t.kind == TK_DOT && t.len > 1 && *t.s == 'h' ? '3' : '7';
    uint64_t digits = 0;

    if (t.kind != TK_DOT || t.len < 2 || t.len > 5 || (*t.s != 'b' && *t.s != 'h') ||
        (*t.s == 'h' && t.len > 3)) {
        return;
    }
    for (uint32_t i = 1; i < t.len; i++) {
        if (t.s[i] < '0' || t.s[i] > last) {
            return;
        }
        digits = digits << 4 | (uint64_t)(t.s[i] - '0');
    }
    ptx_lex_advance(&p->lex);
    o->value =
        1 | (uint64_t)(*t.s == 'h') << 1 | (uint64_t)(t.len - 1) << 2 | digits << 8;
    o->width += t.len + 1;
}

static bool is_halves(const struct ptx_opnd *o)
{
    return (o->value >> 1 & 1) != 0;
}

static uint32_t n_parts(const struct ptx_opnd *o)
{
    return (uint32_t)(o->value >> 2 & 7);
}

static uint32_t digit(const struct ptx_opnd *o, uint32_t i) /* 0: the last */
{
    return (uint32_t)(o->value >> (8 + 4 * i) & 15);
}

/* ---- operations ---- */

static const struct {
    uint8_t op, video, n;
} ops[] = {
    {ISA_OP_VADD, ISA_VIDEO_ADD, 1},          {ISA_OP_VSUB, ISA_VIDEO_SUB, 1},
    {ISA_OP_VABSDIFF, ISA_VIDEO_ABSDIFF, 1},  {ISA_OP_VMIN, ISA_VIDEO_MIN, 1},
    {ISA_OP_VMAX, ISA_VIDEO_MAX, 1},          {ISA_OP_VSHL, ISA_VIDEO_SHL, 1},
    {ISA_OP_VSHR, ISA_VIDEO_SHR, 1},          {ISA_OP_VMAD, ISA_VIDEO_MAD, 1},
    {ISA_OP_VSET, ISA_VIDEO_SET, 1},          {ISA_OP_VADD2, ISA_VIDEO_ADD, 2},
    {ISA_OP_VSUB2, ISA_VIDEO_SUB, 2},         {ISA_OP_VAVRG2, ISA_VIDEO_AVRG, 2},
    {ISA_OP_VABSDIFF2, ISA_VIDEO_ABSDIFF, 2}, {ISA_OP_VMIN2, ISA_VIDEO_MIN, 2},
    {ISA_OP_VMAX2, ISA_VIDEO_MAX, 2},         {ISA_OP_VSET2, ISA_VIDEO_SET, 2},
    {ISA_OP_VADD4, ISA_VIDEO_ADD, 4},         {ISA_OP_VSUB4, ISA_VIDEO_SUB, 4},
    {ISA_OP_VAVRG4, ISA_VIDEO_AVRG, 4},       {ISA_OP_VABSDIFF4, ISA_VIDEO_ABSDIFF, 4},
    {ISA_OP_VMIN4, ISA_VIDEO_MIN, 4},         {ISA_OP_VMAX4, ISA_VIDEO_MAX, 4},
    {ISA_OP_VSET4, ISA_VIDEO_SET, 4},
};

/* Index into ops, PTX_NONE: it is none of these. */
static uint32_t find(const struct ptx_insn *in)
{
    for (uint32_t i = 0; i < ARRAY_LEN(ops); i++) {
        if (ops[i].op == in->form.op) {
            return i;
        }
    }
    return PTX_NONE;
}

bool ptx_is_video(const struct ptx_insn *in)
{
    return find(in) != PTX_NONE;
}

/* add.u16x2 and its like, min.relu and max.relu, are such instructions too. */
void ptx_make_video(struct ptx_insn *in)
{
    const char *const what = ptx_rows[in->row].what;
    const bool packed = what != NULL && strcmp(what, "packed integers") == 0;

    if (packed || (what != NULL && strcmp(what, "relu") == 0)) {
        in->form.op = in->form.op == ISA_OP_ADD ? ISA_OP_VADD2
                      : in->form.op == ISA_OP_MIN
                          ? (packed ? ISA_OP_VMIN2 : ISA_OP_VMIN)
                          : (packed ? ISA_OP_VMAX2 : ISA_OP_VMAX);
    }
}

/* ---- operands ---- */

/* Parts of the result of a SIMD instruction stand highest first, each once. */
static bool is_mask(const struct ptx_opnd *o, uint32_t n)
{
    bool ok = true;

    for (uint32_t i = 0; i < n_parts(o); i++) {
        ok = ok && digit(o, i) < n && (i == 0 || digit(o, i) > digit(o, i - 1));
    }
    return ok;
}

bool ptx_check_video(const struct ptx_check *c)
{
    const uint32_t at = find(c->in), n = at == PTX_NONE ? 0 : ops[at].n;
    const bool is_dst = c->o == &c->p->fn->opnd[c->in->opnd];

    if (n == 0 || (c->letter != 'S' && !is_dst) ||
        (c->in->form.op == ISA_OP_VMAD &&
         (is_dst || c->o == &c->p->fn->opnd[c->in->opnd + 3]))) {
        return ptx_refuse_opnd(c, "no parts of a register can be selected here");
    }
    if (n == 1 ? n_parts(c->o) != 1 || digit(c->o, 0) > (is_halves(c->o) ? 1 : 3)
               : is_halves(c->o) != (n == 2) ||
                     (is_dst ? !is_mask(c->o, n) : n_parts(c->o) != n)) {
        return ptx_refuse_opnd(c, "%s has no such parts",
                               isa_op_name((enum isa_op)c->in->form.op));
    }
    return true;
}

/* A third source is there if something is done with it. */
bool ptx_check_video_count(struct ptx_parser *p, const struct ptx_insn *in)
{
    const uint32_t at = find(in);
    struct ptx_check c = {.p = p, .in = in};
    bool wants;

    if (at == PTX_NONE || ops[at].n != 1 || in->form.op == ISA_OP_VMAD) {
        return true;
    }
    c.o = &p->fn->opnd[in->opnd]; /* other instructions may have no operand */
    wants = in->form.sub != ISA_S_NONE || c.o->value != 0;
    if (in->form.sub != ISA_S_NONE && c.o->value != 0) {
        return ptx_refuse_opnd(&c, "a second operation takes the whole result");
    }
    return wants == (in->n_opnds == 4) ||
           ptx_refuse_opnd(&c, wants ? "a third source is missing"
                                     : "nothing is done with a third source");
}

/* ---- lowering ---- */

static uint8_t part_of(const struct ptx_opnd *o)
{
    if (o->value == 0) {
        return ISA_VIDEO_WORD;
    }
    return (uint8_t)((is_halves(o) ? ISA_VIDEO_H0 : ISA_VIDEO_B0) + digit(o, 0));
}

/* The values that stand side by side, those of a from 0, of b from n. */
static uint16_t list_of(const struct ptx_opnd *o, uint32_t n, uint32_t first)
{
    uint32_t list = 0;

    for (uint32_t i = 0; i < n; i++) {
        list |= (o->value == 0 ? first + i : digit(o, i)) << 4 * i;
    }
    return (uint16_t)list;
}

static uint8_t mask_of(const struct ptx_opnd *o, uint32_t n)
{
    uint32_t mask = 0;

    for (uint32_t i = 0; i < n_parts(o); i++) {
        mask |= 1u << digit(o, i);
    }
    return (uint8_t)(o->value == 0 ? (1u << n) - 1 : mask);
}

static uint8_t second_of(const struct isa_form *f)
{
    return f->sub == ISA_S_ADD   ? ISA_VIDEO_SUM
           : f->sub == ISA_S_MIN ? ISA_VIDEO_LEAST
           : f->sub == ISA_S_MAX ? ISA_VIDEO_MOST
                                 : ISA_VIDEO_NONE;
}

static struct isa_video video_of(const struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    const uint32_t at = find(in);
    const struct isa_form *const f = &in->form;
    const bool is_set = ops[at].video == ISA_VIDEO_SET;
    struct isa_video v = {.op = ops[at].video, .n = ops[at].n};

    v.signed_d = f->type == ISA_T_S32 && !is_set;
    v.signed_a = (is_set ? f->type : f->type2) == ISA_T_S32;
    v.signed_b = (is_set ? f->type2 : f->round) == ISA_T_S32;
    if (ptx_rows[in->row].what != NULL) { /* ptx_make_video() */
        v.signed_d = f->type == ISA_T_S32 || ptx_has_word(in, ".s16x2");
        v.signed_a = v.signed_b = v.signed_d;
        v.relu = ptx_has_word(in, ".relu");
    }
    v.sat = (f->flags & ISA_F_SAT) != 0;
    v.clamp = (f->flags & ISA_F_CLAMP) != 0;
    v.cmp = f->cmp;
    v.second = second_of(f);
    v.plus_one = ptx_has_word(in, ".po");
    v.shift = ptx_has_word(in, ".shr7") ? 7 : ptx_has_word(in, ".shr15") ? 15 : 0;
    v.neg_a = o[1].neg;
    v.neg_b = o[2].neg;
    v.neg_c = in->n_opnds == 4 && o[3].neg;
    if (v.n == 1) {
        v.d = part_of(&o[0]);
        v.a = part_of(&o[1]);
        v.b = part_of(&o[2]);
        return v;
    }
    v.list_a = list_of(&o[1], v.n, 0);
    v.list_b = list_of(&o[2], v.n, v.n);
    v.mask = mask_of(&o[0], v.n);
    return v;
}

bool ptx_lower_video(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    const struct isa_video v = video_of(w, in);
    enum ptx_width width;
    struct isa_uop u;

    ptx_uop_init(w, &u);
    u.form = (struct isa_form){.op = in->form.op, .type = ISA_T_B32, .vec = 1};
    u.kind = ISA_K_ALU;
    u.class = v.op == ISA_VIDEO_MAD ? ISA_CL_IMUL : ISA_CL_SHIFT;
    u.weight = 1;
    u.exec = isa_exec_video();
    u.imm = isa_video_pack(&v);
    for (uint32_t i = 0; i < 3; i++) {
        if (i + 1 < in->n_opnds
                ? !ptx_source(w, &o[i + 1], ISA_T_B32, &u.src[i], &width)
                : !ptx_constant(w, 0, false, &u.src[i])) {
            return false;
        }
        ptx_reads(&u, u.src[i], PTX_W32);
    }
    u.n_src = 3;
    ptx_write_operand(w, &u, &u.dst[0], &o[0]);
    if (u.dst[0] == ISA_NO_REF) {
        u.exec = NULL;
        u.kind = ISA_K_NOP;
    }
    return ptx_uop_add(w, &u);
}
