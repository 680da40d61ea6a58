/* Whether the operands fit the instruction. */
#include "isa/tile.h"
#include "isa/wgmma.h"
#include "ptx/ptx_priv.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

uint32_t ptx_reg_bits(const struct ptx_ir *f, uint32_t reg)
{
    return isa_type_bits((enum isa_type)f->vreg[reg].type);
}

const char *ptx_letters(const struct ptx_insn *in, char out[PTX_MAX_OPNDS + 1],
                        uint32_t *least, uint32_t *most)
{
    const char *const pattern = ptx_rows[in->row].operands;
    uint32_t n = 0;
    bool spare;

    *least = 0;
    *most = 0;
    for (const char *c = pattern; *c != '\0'; c++) {
        if (*c == '?') {
            c++;
            (*most)++;
        } else if (*c != 'C' || in->form.boolop != ISA_B_NONE) {
            (*least)++;
            (*most)++;
        }
    }
    if (in->n_opnds < *least || in->n_opnds > *most) {
        return NULL;
    }
    spare = in->n_opnds > *least;
    for (const char *c = pattern; *c != '\0'; c++) {
        if (*c == '?') {
            c++;
            if (spare) {
                out[n++] = *c;
            }
        } else if (*c != 'C' || in->form.boolop != ISA_B_NONE) {
            out[n++] = *c;
        }
    }
    out[n] = '\0';
    return out;
}

static enum isa_type twice(enum isa_type t)
{
    switch (isa_type_bits(t)) {
    case 16: return isa_type_is_signed(t) ? ISA_T_S32 : ISA_T_U32;
    case 32: return isa_type_is_signed(t) ? ISA_T_S64 : ISA_T_U64;
    default: return ISA_T_NONE;
    }
}

enum isa_type ptx_letter_type(const struct ptx_insn *in, char c)
{
    const enum isa_type t = (enum isa_type)in->form.type;

    switch (c) {
    case 'd':
    case 'D':
    case 'a':
    case 'm':
    case 'v':
    case 'V':
    case 'x':
    case 'X': return t != ISA_T_NONE ? t : ISA_T_B32;
    case 'b':
    case 'B': return (enum isa_type)in->form.type2;
    case 'w':
    case 'W': return twice(t);
    case 'p':
    case 'q':
    case 'P':
    case 'C': return ISA_T_PRED;
    case 'h': return ISA_T_B64;
    case 'R': return ISA_T_B16;
    default: return ISA_T_B32;
    }
}

bool ptx_refuse_opnd(const struct ptx_check *c, const char *fmt, ...)
{
    const struct ptx_tok t = {.line = c->o->line,
                              .column = c->o->column,
                              .width = c->o->width};
    char message[256];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(message, sizeof(message), fmt, ap);
    va_end(ap);
    return ptx_fail(c->p, &t, "%s", message);
}

static const char *op_text(const struct ptx_check *c)
{
    return isa_op_name((enum isa_op)c->in->form.op);
}

static bool is_bits(enum isa_type t)
{
    return t >= ISA_T_B8 && t <= ISA_T_B128;
}

/* A register of type r where the instruction wants t. */
static bool reg_fits(enum isa_type r, enum isa_type t, bool may_be_wider)
{
    const uint32_t rb = isa_type_bits(r), tb = isa_type_bits(t);

    if ((r == ISA_T_PRED) != (t == ISA_T_PRED)) {
        return false;
    }
    if (may_be_wider ? rb < tb : rb != tb) {
        return false;
    }
    if (isa_type_is_float(r) && isa_type_is_float(t) && rb != tb) {
        return false;
    }
    return is_bits(r) || is_bits(t) || isa_type_is_float(r) == isa_type_is_float(t);
}

static bool check_reg(const struct ptx_check *c, bool may_be_wider)
{
    const struct ptx_vreg *const v = &c->p->fn->vreg[c->o->id];
    const enum isa_type r = (enum isa_type)v->type;

    if (c->o->value != 0 && !ptx_check_video(c)) {
        return false;
    }
    if (c->o->neg && r != ISA_T_PRED) {
        return ptx_refuse_opnd(c, "'!' belongs before a predicate");
    }
    if (reg_fits(r, c->type, may_be_wider)) {
        return true;
    }
    ptx_refuse_opnd(c, "%s wants .%s here, the register is .%s", op_text(c),
                    isa_type_name(c->type), isa_type_name(r));
    if (r != ISA_T_PRED && isa_type_is_float(r) != isa_type_is_float(c->type) &&
        isa_type_bits(r) == isa_type_bits(c->type)) {
        err_hint(c->p->lex.e, "mov.b%u moves bits between kinds of registers",
                 isa_type_bits(r));
    }
    return false;
}

bool ptx_check_dst(const struct ptx_check *c, bool may_be_wider)
{
    if (c->o->kind == OK_SINK) {
        return true;
    }
    if (c->o->kind != OK_REG || c->o->neg) {
        return ptx_refuse_opnd(c, "the result of %s goes to a register", op_text(c));
    }
    return check_reg(c, may_be_wider);
}

static bool check_imm(const struct ptx_check *c)
{
    const bool is_float = c->o->sub != IMM_INT;

    if (isa_type_is_narrow(c->type)) {
        ptx_refuse_opnd(c, ".%s has no constants", isa_type_name(c->type));
        err_hint(c->p->lex.e, "mov.b%u its bits to a register", isa_type_bits(c->type));
        return false;
    }
    if (is_float == isa_type_is_float(c->type) || (is_float && is_bits(c->type))) {
        return true;
    }
    if (is_float) {
        return ptx_refuse_opnd(c, "floating point constant for .%s",
                               isa_type_name(c->type));
    }
    ptx_refuse_opnd(c, "integer constant for .%s", isa_type_name(c->type));
    err_hint(c->p->lex.e, "write 1.0, 0f3F800000 or 0d3FF0000000000000");
    return false;
}

static bool check_address_value(const struct ptx_check *c)
{
    const uint32_t bits = isa_type_bits(c->type);
    const enum isa_op op = (enum isa_op)c->in->form.op;

    if (isa_type_is_float(c->type) || (bits != 32 && bits != 64)) {
        return ptx_refuse_opnd(c, "an address is an integer of 32 or 64 bits");
    }
    if (c->o->kind == OK_SYM) {
        return true;
    }
    if (op != ISA_OP_MOV && op != ISA_OP_CVTA) {
        return ptx_refuse_opnd(c, "take the address with mov first");
    }
    if (c->o->kind == OK_PARAM && !c->p->fn->is_kernel && op != ISA_OP_MOV) {
        ptx_refuse_opnd(c, "the address of a parameter of a .func is not supported");
        return ptx_lacks(c->p);
    }
    if (c->o->kind == OK_PARAM && !c->p->fn->pvar[c->o->id].is_own) {
        ptx_refuse_opnd(c, "the address of an argument is not supported");
        return ptx_lacks(c->p);
    }
    return true;
}

bool ptx_check_src(const struct ptx_check *c, bool may_be_wider)
{
    switch ((enum ptx_opnd_kind)c->o->kind) {
    case OK_REG: return check_reg(c, may_be_wider);
    case OK_IMM:
        return c->o->base != 0 && c->in->form.op != ISA_OP_MOV
                   ? ptx_refuse_opnd(c, "take the address with mov first")
                   : check_imm(c);
    case OK_SYM:
    case OK_LOCAL:
    case OK_PARAM: return check_address_value(c);
    case OK_SREG:
        return !isa_type_is_float(c->type) ||
               ptx_refuse_opnd(c, "a special register is an integer");
    case OK_SINK: return ptx_refuse_opnd(c, "'_' is no source");
    case OK_ADDR: return ptx_refuse_opnd(c, "%s takes no address here", op_text(c));
    case OK_LABEL:
    case OK_TARGETS:
    case OK_VEC:
    case OK_PAIR:
    case OK_ABSENT: break;
    }
    return ptx_refuse_opnd(c, "%s takes no vector here", op_text(c));
}

static bool check_pred_src(const struct ptx_check *c)
{
    if (c->o->kind == OK_IMM && c->o->sub == IMM_INT) {
        return true;
    }
    if (c->o->kind == OK_SREG && c->o->id == ISA_SR_EXPLICIT_CLUSTER &&
        c->in->form.op == ISA_OP_MOV) {
        return true;
    }
    return c->o->kind == OK_REG
               ? check_reg(c, false)
               : ptx_refuse_opnd(c, "%s wants a predicate here", op_text(c));
}

/* d|p and p|q */
static bool check_pair(const struct ptx_check *c)
{
    struct ptx_check e = *c;

    if (c->o->kind != OK_PAIR) {
        return ptx_check_dst(c, false);
    }
    e.o = &c->p->fn->opnd[c->o->id];
    if (!ptx_check_dst(&e, false)) {
        return false;
    }
    e.o++;
    e.type = ISA_T_PRED;
    return ptx_check_dst(&e, false);
}

static bool check_vector(const struct ptx_check *c, bool is_dst)
{
    const uint32_t n = c->in->form.vec;
    struct ptx_check e = *c;

    if (n == 1) {
        if (c->o->kind == OK_VEC && c->o->n == 1) {
            e.o = &c->p->fn->opnd[c->o->id];
        }
        return is_dst ? ptx_check_dst(&e, true) : ptx_check_src(&e, true);
    }
    if (c->o->kind != OK_VEC || c->o->n != n) {
        return ptx_refuse_opnd(c, ".v%u wants a vector of %u", n, n);
    }
    if (n * isa_type_bits(c->type) > 128) {
        return ptx_refuse_opnd(c, "a vector of more than 16 bytes");
    }
    for (uint32_t i = 0; i < n; i++) {
        e.o = &c->p->fn->opnd[c->o->id + i];
        if (!(is_dst ? ptx_check_dst(&e, true) : ptx_check_src(&e, true))) {
            return false;
        }
    }
    return true;
}

static enum isa_type part_type(uint32_t bits, uint32_t n)
{
    switch (bits / n) {
    case 8: return ISA_T_B8;
    case 16: return ISA_T_B16;
    case 32: return ISA_T_B32;
    default: return ISA_T_NONE;
    }
}

/* mov d, {a, b} and mov {d, e}, a: elements are parts of the type. */
static bool check_mov(const struct ptx_check *c, bool is_dst)
{
    const uint32_t bits = isa_type_bits(c->type);
    struct ptx_check e = *c;

    if (c->o->kind != OK_VEC) {
        return is_dst ? ptx_check_dst(c, false) : ptx_check_src(c, false);
    }
    e.type = part_type(bits, c->o->n);
    if (bits % c->o->n != 0 || e.type == ISA_T_NONE || (c->o->n != 2 && c->o->n != 4)) {
        return ptx_refuse_opnd(c, "mov.%s has no vector of %u elements",
                               isa_type_name(c->type), c->o->n);
    }
    for (uint32_t i = 0; i < c->o->n; i++) {
        e.o = &c->p->fn->opnd[c->o->id + i];
        if (!(is_dst ? ptx_check_dst(&e, false) : ptx_check_src(&e, false))) {
            return false;
        }
    }
    return true;
}

/* How many coordinates stand in the text: a layer's number is one of them, and three
 * stand as four, the last of which nobody reads. */
static bool check_coordinates(const struct ptx_check *c)
{
    static const uint8_t most[] = {
        [ISA_G_1D] = 1,  [ISA_G_2D] = 2,   [ISA_G_3D] = 4,   [ISA_G_A1D] = 2,
        [ISA_G_A2D] = 4, [ISA_G_CUBE] = 4, [ISA_G_ACUBE] = 4};
    const uint32_t want = c->letter == 'T' ? most[c->in->form.geom] : 0;
    const uint32_t n = c->o->kind == OK_VEC ? c->o->n : 1;

    if (c->o->kind == OK_SYM) {
        ptx_refuse_opnd(c, "a sampler apart from the texture is not supported");
        return ptx_lacks(c->p);
    }
    if (want != 0 ? n != want && !(want == 4 && n == 3) : n > 4) {
        return ptx_refuse_opnd(c, "%s wants %u coordinates here, not %u", op_text(c),
                               want, n);
    }
    for (uint32_t i = 0; i < n; i++) {
        struct ptx_check e = *c;

        e.o = c->o->kind == OK_VEC ? &c->p->fn->opnd[c->o->id + i] : c->o;
        if (e.o->kind == OK_IMM) {
            continue;
        }
        if (e.o->kind != OK_REG || ptx_reg_bits(c->p->fn, e.o->id) != 32) {
            return ptx_refuse_opnd(&e, "a coordinate is a register of 32 bits");
        }
    }
    return true;
}

static const char *const space_names[] = {
    [ISA_SP_GENERIC] = "generic", [ISA_SP_GLOBAL] = "global",
    [ISA_SP_SHARED] = "shared",   [ISA_SP_LOCAL] = "local",
    [ISA_SP_CONST] = "const",     [ISA_SP_PARAM] = "param",
    [ISA_SP_REG] = "reg"};

bool ptx_check_param_address(const struct ptx_check *c)
{
    const struct ptx_ir *const f = c->p->fn;
    const struct ptx_pvar *const v = &f->pvar[c->o->id];
    const uint32_t bytes = isa_type_bits(c->type) / 8 * c->in->form.vec;
    const bool is_store = c->in->form.op == ISA_OP_ST;

    if (v->is_own && f->is_kernel && is_store) {
        return ptx_refuse_opnd(c, "parameters of a kernel cannot be written");
    }
    if (v->is_own && !f->is_kernel && is_store != v->is_ret) {
        return ptx_refuse_opnd(c, is_store
                                      ? "parameters of a function cannot be written"
                                      : "the result of a function cannot be read");
    }
    if (c->o->value > v->p.size || bytes > v->p.size - c->o->value) {
        return ptx_refuse_opnd(c,
                               "%u bytes at offset %lld are outside '%s', which has %u",
                               bytes, (long long)c->o->value, v->p.name, v->p.size);
    }
    return true;
}

/* A texture or surface: an object in a register, or a reference of the module. */
static bool check_object(const struct ptx_check *c)
{
    const bool surface = ptx_is_surface((enum isa_op)c->in->form.op);
    const enum ptx_opaque want = surface ? PTX_SURFREF : PTX_TEXREF;

    if (c->o->kind != OK_ADDR) {
        return ptx_refuse_opnd(c, "%s wants a %s in brackets here", op_text(c),
                               surface ? "surface" : "texture");
    }
    if (c->o->sub == OK_REG) {
        return ptx_reg_bits(c->p->fn, c->o->id) == 64 ||
               ptx_refuse_opnd(c, "an object is in a register of 64 bits");
    }
    if (c->o->sub != OK_SYM || c->p->pr->sym[c->o->id].opaque != want) {
        return ptx_refuse_opnd(c, "%s wants a .%s or an object in a register",
                               op_text(c), surface ? "surfref" : "texref");
    }
    return true;
}

/* Coordinates of a tensor copy: as many as the instruction says dimensions. */
static bool check_place(const struct ptx_check *c)
{
    static const char *const words[] = {".1d", ".2d", ".3d", ".4d", ".5d"};
    const uint32_t n = c->o->kind == OK_VEC ? c->o->n : 1;
    uint32_t want = 0;

    while (!ptx_has_word(c->in, words[want])) {
        want++;
    }
    if (n != want + 1) {
        return ptx_refuse_opnd(c, "%s wants %u coordinate%s here, not %u", op_text(c),
                               want + 1, want == 0 ? "" : "s", n);
    }
    for (uint32_t i = 0; i < n; i++) {
        struct ptx_check e = *c;

        e.o = c->o->kind == OK_VEC ? &c->p->fn->opnd[c->o->id + i] : c->o;
        if (!ptx_check_src(&e, false)) {
            return false;
        }
    }
    return true;
}

static bool check_address(const struct ptx_check *c, enum isa_space want)
{
    static const uint8_t space_of[] = {
        [OK_LOCAL] = ISA_SP_LOCAL, [OK_PARAM] = ISA_SP_PARAM};
    const struct ptx_ir *const f = c->p->fn;
    enum isa_space have;

    if (ptx_is_texture((enum isa_op)c->in->form.op)) {
        return check_object(c);
    }

    if (c->o->kind != OK_ADDR) {
        return ptx_refuse_opnd(c, "%s wants an address in brackets here", op_text(c));
    }
    if (c->o->sub == OK_REG) {
        const enum isa_type r = (enum isa_type)f->vreg[c->o->id].type;
        const uint32_t bits = isa_type_bits(r);

        if (isa_type_is_float(r) || (bits != 32 && bits != 64)) {
            return ptx_refuse_opnd(c,
                                   "an address register has 32 or 64 bits, this is .%s",
                                   isa_type_name(r));
        }
        return true; /* of .param in a .func: see ptx_check_bases() */
    }
    if (c->o->sub == OK_IMM) {
        return want != ISA_SP_PARAM ||
               ptx_refuse_opnd(c, "parameters are addressed by name");
    }
    have = c->o->sub == OK_SYM ? c->p->pr->sym[c->o->id].space
                               : (enum isa_space)space_of[c->o->sub];
    if (c->o->neg) { /* generic(sym) */
        have = ISA_SP_GENERIC;
    }
    if (want != have && (want != ISA_SP_GENERIC || have == ISA_SP_PARAM)) {
        return ptx_refuse_opnd(c, "the variable is in .%s, not .%s", space_names[have],
                               space_names[want]);
    }
    return have != ISA_SP_PARAM || ptx_check_param_address(c);
}

static bool check_video_src(const struct ptx_check *c)
{
    struct ptx_opnd o = *c->o;
    struct ptx_check whole = *c;

    if (o.value != 0 && !ptx_check_video(c)) {
        return false;
    }
    o.value = 0;
    o.neg = o.neg && c->in->form.op != ISA_OP_VMAD; /* only there */
    whole.o = o.kind == OK_REG ? &o : c->o;
    return ptx_check_src(&whole, false);
}

/* Registers of a fragment, or of ldmatrix and stmatrix. */
static bool check_fragment(const struct ptx_check *c)
{
    static const char letters[] = "GHIJO";
    const struct isa_form *const f = &c->in->form;
    const uint32_t which = (uint32_t)(strchr(letters, c->letter) - letters);
    struct ptx_check e = *c;
    uint32_t n = f->vec;

    e.type = ISA_T_B32;
    if (f->op == ISA_OP_MMA) {
        struct isa_tile t;

        isa_tile_of(f, &t);
        n = t.regs[which];
        e.type = isa_tile_reg_type(f, (enum isa_frag)which);
    } else if (f->op == ISA_OP_WGMMA) {
        struct isa_wgmma g;

        isa_wgmma_of(f, &g);
        n = c->letter == 'G' ? g.d_regs : g.a_regs;
        e.type = c->letter == 'G' && f->type == ISA_T_F32 ? ISA_T_F32 : ISA_T_B32;
    } else if (f->op == ISA_OP_WMMA) {
        const enum isa_frag frag =
            (enum isa_frag)(f->sub == ISA_S_MMA ? which : f->frag);

        n = isa_wmma_regs(f, frag);
        e.type = isa_wmma_reg_type(f, frag);
    }
    if (c->o->kind != OK_VEC && n != 1) {
        return ptx_refuse_opnd(c, "%s wants a vector of %u registers here", op_text(c),
                               n);
    }
    if (c->o->kind == OK_VEC && c->o->n != n) {
        return ptx_refuse_opnd(c, "%s wants %u register%s here, not %u", op_text(c), n,
                               n == 1 ? "" : "s", c->o->n);
    }
    for (uint32_t i = 0; i < n; i++) {
        e.o = c->o->kind == OK_VEC ? &c->p->fn->opnd[c->o->id + i] : c->o;
        if ((which != ISA_FRAG_D || f->op == ISA_OP_WGMMA) && e.o->kind != OK_REG) {
            return ptx_refuse_opnd(&e, "%s wants registers here", op_text(c));
        }
        if (!(which == ISA_FRAG_D ? ptx_check_dst(&e, false)
                                  : ptx_check_src(&e, false))) {
            return false;
        }
    }
    return true;
}

static bool check_opnd(struct ptx_check *c)
{
    c->type = ptx_letter_type(c->in, c->letter);
    switch (c->letter) {
    case 'd':
    case 'w':
    case 'u':
    case 'p': return ptx_check_dst(c, false);
    case 'D': return ptx_check_dst(c, true);
    case 'q':
    case 'e': return check_pair(c);
    case 'v': return check_vector(c, true);
    case 'V': return check_vector(c, false);
    case 'x': return check_mov(c, true);
    case 'X': return check_mov(c, false);
    case 'a':
    case 'b':
    case 'W':
    case 'U':
    case 'R':
    case 'h': return ptx_check_src(c, false);
    case 'S': return check_video_src(c);
    case 'B': return ptx_check_src(c, true);
    case 'P':
    case 'C': return check_pred_src(c);
    case 'm': return check_address(c, (enum isa_space)c->in->form.space);
    case 'M': return check_address(c, ISA_SP_GLOBAL);
    case 'Z': return check_address(c, ISA_SP_GENERIC);
    case 'Y': return check_place(c);
    case 'G':
    case 'H':
    case 'I':
    case 'J': return check_fragment(c);
    case 'O': return c->o->kind == OK_VEC ? check_fragment(c) : ptx_check_descriptor(c);
    case 'Q': return ptx_check_descriptor(c);
    case 'T':
    case 'K': return check_coordinates(c);
    case 'y':
        if (c->o->kind == OK_REG && ptx_reg_bits(c->p->fn, c->o->id) == 1) {
            c->type = ISA_T_PRED;
        }
        return ptx_check_src(c, false);
    case 'i':
        return (c->o->kind == OK_IMM && c->o->sub == IMM_INT) ||
               ptx_refuse_opnd(c, "%s wants an integer constant here", op_text(c));
    case 'A':
        if (c->o->kind == OK_REG && ptx_reg_bits(c->p->fn, c->o->id) == 64) {
            c->type = ISA_T_B64;
        }
        return ptx_check_src(c, false);
    default: return true; /* labels are checked when they are resolved */
    }
}

static bool fail_count(struct ptx_parser *p, const struct ptx_insn *in, uint32_t least,
                       uint32_t most)
{
    const struct ptx_tok t = {.line = in->line,
                              .column = in->column,
                              .width = (uint32_t)strlen(isa_op_name(in->form.op))};
    char range[32];

    if (least == most) {
        snprintf(range, sizeof(range), "%u", least);
    } else {
        snprintf(range, sizeof(range), "%u to %u", least, most);
    }
    return ptx_fail(p, &t, "%s takes %s operands, not %u",
                    isa_op_name((enum isa_op)in->form.op), range, in->n_opnds);
}

/* SPEC ASYNC-1: the sizes of cp.async. */
static bool check_copy(struct ptx_check *c)
{
    const struct ptx_insn *const in = c->in;
    const bool cg = in->form.cache == ISA_CACHE_CG;

    if (in->form.sub != ISA_S_NONE || ptx_has_word(in, ".bulk")) {
        return true;
    }
    c->o = &c->p->fn->opnd[in->opnd + 2];
    if (c->o->value == 16 || (!cg && (c->o->value == 4 || c->o->value == 8))) {
        return true;
    }
    return ptx_refuse_opnd(c,
                           cg ? "cp.async.cg copies 16 bytes, not %lld"
                              : "cp.async.ca copies 4, 8 or 16 bytes, not %lld",
                           (long long)c->o->value);
}

bool ptx_check(struct ptx_parser *p, struct ptx_insn *in)
{
    struct ptx_check c = {.p = p, .in = in};
    char letters[PTX_MAX_OPNDS + 1];
    uint32_t least, most;

    if (in->form.op == ISA_OP_CALL) {
        return ptx_check_call(p, in,
                              in->callee != PTX_NONE ? p->pr->fn[in->callee]
                                                     : p->fn->proto[in->proto]);
    }
    if (ptx_letters(in, letters, &least, &most) == NULL) {
        return fail_count(p, in, least, most);
    }
    for (uint32_t i = 0; i < in->n_opnds; i++) {
        c.o = &p->fn->opnd[in->opnd + i];
        c.letter = letters[i];
        if (!check_opnd(&c)) {
            return false;
        }
    }
    return ptx_check_video_count(p, in) &&
           (in->form.op != ISA_OP_WGMMA || ptx_check_wgmma(&c)) &&
           (in->form.op != ISA_OP_CP || check_copy(&c));
}
