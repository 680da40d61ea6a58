/* One instruction: guard, operation, operands. */
#include "ptx/ptx_priv.h"

#include <string.h>

static bool guard(struct ptx_parser *p, struct ptx_insn *in)
{
    in->guard = PTX_NONE;
    if (!ptx_accept(p, '@')) {
        return true;
    }
    in->guard_neg = ptx_accept(p, '!');
    const struct ptx_tok t = p->lex.t;
    if (t.kind != TK_ID) {
        return ptx_fail(p, &t, "expected a predicate after '@'");
    }
    in->guard = ptx_find_reg(p, &t);
    if (in->guard == PTX_NONE) {
        return ptx_fail_unknown(p, &t, "predicate", 1u << NK_REG);
    }
    if (p->fn->vreg[in->guard].type != ISA_T_PRED) {
        return ptx_fail(p, &t, "the guard must be a predicate, '%.*s' is .%s",
                        (int)t.len, t.s,
                        isa_type_name((enum isa_type)p->fn->vreg[in->guard].type));
    }
    ptx_lex_advance(&p->lex);
    return true;
}

static bool words(struct ptx_parser *p, struct ptx_mods *mods)
{
    char buf[48];

    mods->op = p->lex.t;
    mods->n = 0;
    if (mods->op.kind != TK_ID) {
        return ptx_fail(p, &mods->op, "expected an instruction before %s",
                        ptx_tok_text(&mods->op, buf, sizeof(buf)));
    }
    ptx_lex_advance(&p->lex);
    while (p->lex.t.kind == TK_DOT) {
        if (mods->n == PTX_MAX_MODS) {
            return ptx_fail(p, &p->lex.t, "too many words after %.*s",
                            (int)mods->op.len, mods->op.s);
        }
        mods->word[mods->n++] = p->lex.t;
        ptx_lex_advance(&p->lex);
    }
    return true;
}

/* A label, resolved when the scope it stands in closes. */
static bool label_operand(struct ptx_parser *p, struct ptx_opnd *o, bool is_targets)
{
    const struct ptx_tok t = p->lex.t;

    memset(o, 0, sizeof(*o));
    if (t.kind != TK_ID) {
        return ptx_fail(p, &t, "expected a label");
    }
    o->kind = is_targets ? OK_TARGETS : OK_LABEL;
    o->line = t.line;
    o->column = t.column;
    o->width = t.width;
    *PTX_PUSH(p->a, p->pending, p->n_pending, p->cap_pending) =
        (struct ptx_pending){t.s, t.len, t.line, t.column, PTX_NONE, 0, is_targets};
    ptx_lex_advance(&p->lex);
    return true;
}

static bool operands(struct ptx_parser *p, struct ptx_insn *in)
{
    struct ptx_ir *const f = p->fn;
    struct ptx_opnd o[PTX_MAX_OPNDS];
    const uint32_t pending = p->n_pending;
    uint32_t n = 0;

    p->in_texture = ptx_is_texture((enum isa_op)in->form.op) ||
                    strchr(ptx_rows[in->row].operands, 'Y') != NULL;
    p->inside.kind = OK_ABSENT;
    if (!ptx_tok_punct(&p->lex.t, ';')) {
        do {
            const bool is_label =
                in->form.op == ISA_OP_BRA || (in->form.op == ISA_OP_BRX && n == 1);

            if (n == PTX_MAX_OPNDS) {
                return ptx_fail(p, &p->lex.t, "too many operands");
            }
            if (!(is_label ? label_operand(p, &o[n], in->form.op == ISA_OP_BRX)
                           : ptx_operand(p, &o[n]))) {
                return false;
            }
            n++;
            if (p->inside.kind != OK_ABSENT && n < PTX_MAX_OPNDS) {
                o[n++] = p->inside;
                p->inside.kind = OK_ABSENT;
            }
        } while (ptx_accept(p, ','));
    }
    p->in_texture = false;
    in->opnd = f->n_opnd;
    in->n_opnds = (uint8_t)n;
    for (uint32_t i = 0; i < n; i++) {
        if (o[i].kind == OK_LABEL || o[i].kind == OK_TARGETS) {
            p->pending[pending].opnd = f->n_opnd;
        }
        *PTX_PUSH(p->a, f->opnd, f->n_opnd, f->cap_opnd) = o[i];
    }
    return true;
}

bool ptx_instruction(struct ptx_parser *p)
{
    struct ptx_ir *const f = p->fn;
    struct ptx_insn in = {.src_file = p->src_file,
                          .src_line = p->src_line,
                          .inlined = p->inlined};
    struct ptx_mods mods;
    const struct ptx_tok first = p->lex.t;
    char buf[48];

    in.line = first.line;
    in.column = first.column;
    in.text = first.s;
    if (!guard(p, &in) || !words(p, &mods) || !ptx_match(p, &mods, &in)) {
        return false;
    }
    in.line = mods.op.line;
    in.column = mods.op.column;
    if (!(in.form.op == ISA_OP_CALL ? ptx_call_operands(p, &in) : operands(p, &in))) {
        return false;
    }
    in.text_len = (uint32_t)(p->lex.prev_end - in.text);
    if (!ptx_tok_punct(&p->lex.t, ';')) {
        return ptx_fail(p, &p->lex.t, "expected ';' before %s",
                        ptx_tok_text(&p->lex.t, buf, sizeof(buf)));
    }
    if (!ptx_check(p, &in)) {
        return false;
    }
    ptx_lex_advance(&p->lex);
    if (in.form.op == ISA_OP_MOV && in.form.vec > 1) {
        return ptx_vector_mov(p, &in);
    }
    f->uses_cc |= (in.form.flags & (ISA_F_CC_IN | ISA_F_CC_OUT)) != 0;
    *PTX_PUSH(p->a, f->insn, f->n_insn, f->cap_insn) = in;
    return true;
}
