/*
 * indirect.c - calls through a value (SPEC PTX-7). A function whose value is taken
 * somewhere has a number; a call through a register asks which of those that look as
 * its prototype says it is, and calls that by name:
 *
 *     mov v, register
 *     setp.eq p|left, v, FIRST          (with what guards the call, if anything does)
 *     @p call FIRST
 *     setp.eq.and p|left, v, SECOND, left
 *     @p call SECOND
 *     @left trap                         it is the value of no such function
 *
 * Arguments and results lie where they would for any of them. All of this is made of
 * instructions that all passes know; what it costs is in DEVIATIONS.md.
 */
#include "ptx/ptx_priv.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    FIRST_VALUE = 256, /* no address of anything else */
    VALUE_STEP = 16,
    MAX_MADE = 1 << 18 /* calls made of those through a register, in a module */
};

uint64_t ptx_fn_value(const struct ptx_private *pr, uint32_t fn)
{
    return FIRST_VALUE + (uint64_t)VALUE_STEP * ptx_resolve_fn(pr, fn);
}

struct expand {
    struct ptx_parser *p;
    struct ptx_ir *f;
    const uint32_t *taken; /* functions whose value is taken, in order */
    uint32_t n_taken;
    uint32_t *list;        /* room for as many */
    uint32_t *n_made;      /* calls, in all of the module */
    struct ptx_insn *insn; /* of f, anew */
    uint32_t n, cap;
};

/* ---- whose value is taken ---- */

static void take(const struct ptx_private *pr, bool *taken, uint32_t fn)
{
    taken[ptx_resolve_fn(pr, fn)] = true;
}

static uint32_t *list_taken(struct ptx_parser *p, uint32_t *n)
{
    struct ptx_private *const pr = p->pr;
    bool *const taken = arena_alloc(p->a, pr->n_fn + 1);
    uint32_t *const list = arena_alloc(p->a, (pr->n_fn + 1) * sizeof(list[0]));

    for (uint32_t i = 0; i < pr->n_reloc; i++) {
        if (pr->reloc[i].is_fn) {
            take(pr, taken, pr->reloc[i].target);
        }
    }
    for (uint32_t i = 0; i < pr->n_fn; i++) {
        struct ptx_ir *const f = pr->fn[i];

        for (uint32_t k = 0; k < f->n_opnd; k++) {
            struct ptx_opnd *const o = &f->opnd[k];

            if (o->kind == OK_IMM && o->base != 0) {
                take(pr, taken, o->base - 1);
                o->value = ptx_fn_value(pr, o->base - 1);
                o->base = 0;
            }
        }
    }
    *n = 0;
    for (uint32_t i = 0; i < pr->n_fn; i++) {
        if (taken[i] && pr->fn[i]->is_defined) {
            list[(*n)++] = i;
        }
    }
    return list;
}

/* ---- one call ---- */

static void add_insn(struct expand *x, struct ptx_insn in)
{
    *PTX_PUSH(x->p->a, x->insn, x->n, x->cap) = in;
}

static uint32_t add_opnd(struct expand *x, struct ptx_opnd o)
{
    struct ptx_ir *const f = x->f;

    *PTX_PUSH(x->p->a, f->opnd, f->n_opnd, f->cap_opnd) = o;
    return f->n_opnd - 1;
}

static uint32_t add_reg(struct expand *x, enum isa_type type)
{
    struct ptx_ir *const f = x->f;

    *PTX_PUSH(x->p->a, f->vreg, f->n_vreg, f->cap_vreg) =
        (struct ptx_vreg){"%call", 5, PTX_NONE, (uint8_t)type};
    return f->n_vreg - 1;
}

/* What people are shown; a guard stands in front of it as in PTX. */
static void set_text(struct expand *x, struct ptx_insn *in, const char *fmt, ...)
    ATTR_PRINTF(3, 4);

static void set_text(struct expand *x, struct ptx_insn *in, const char *fmt, ...)
{
    char text[160];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    in->text = arena_strdup(x->p->a, text);
    in->text_len = (uint32_t)strlen(text);
}

/* An operand in the place of like. */
static struct ptx_opnd opnd(const struct ptx_opnd *like, enum ptx_opnd_kind kind,
                            uint32_t id)
{
    return (struct ptx_opnd){.kind = (uint8_t)kind,
                             .id = id,
                             .line = like->line,
                             .column = like->column,
                             .width = like->width};
}

/* An instruction in the place of call. */
static struct ptx_insn instruction(const struct ptx_insn *call, enum isa_op op,
                                   enum isa_type type)
{
    struct ptx_insn in = *call;

    in.form = (struct isa_form){.op = (uint8_t)op, .type = (uint8_t)type, .vec = 1};
    in.row = 0;
    while (ptx_rows[in.row].op != op) {
        in.row++;
    }
    in.guard = PTX_NONE;
    in.guard_neg = 0;
    in.n_rets = 0;
    in.n_call = 0;
    in.n_opnds = 0;
    return in;
}

static void add_move(struct expand *x, const struct ptx_insn *call, uint32_t to,
                     struct ptx_opnd from, enum isa_type type)
{
    struct ptx_insn in = instruction(call, ISA_OP_MOV, type);

    const struct ptx_vreg *const r = &x->f->vreg[from.id];

    if (r->number != PTX_NONE) {
        set_text(x, &in, "mov.%s %%fn, %.*s%u", isa_type_name(type), (int)r->len, r->s,
                 (unsigned)r->number);
    } else {
        set_text(x, &in, "mov.%s %%fn, %.*s", isa_type_name(type), (int)r->len, r->s);
    }
    in.opnd = add_opnd(x, opnd(&from, OK_REG, to));
    add_opnd(x, from);
    in.n_opnds = 2;
    add_insn(x, in);
}

/* setp.eq[.and] p|left, v, value[, last]; last NULL: all lanes. */
static void add_question(struct expand *x, const struct ptx_insn *call,
                         const struct ptx_opnd *v, uint32_t fn, enum isa_type type,
                         const struct ptx_opnd *last, uint32_t p, uint32_t left)
{
    struct ptx_insn in = instruction(call, ISA_OP_SETP, type);
    struct ptx_opnd pair = opnd(v, OK_PAIR, 0), number = opnd(v, OK_IMM, 0);

    in.form.cmp = ISA_C_EQ;
    in.form.boolop = last != NULL ? ISA_B_AND : ISA_B_NONE;
    set_text(x, &in, "setp.eq%s.%s %%is|%%left, %%fn, %.64s%s",
             last != NULL ? ".and" : "", isa_type_name(type), x->p->pr->fn[fn]->name,
             last != NULL ? ", %left" : "");
    number.value = ptx_fn_value(x->p->pr, fn);
    pair.n = 2;
    pair.id = add_opnd(x, opnd(v, OK_REG, p));
    add_opnd(x, opnd(v, OK_REG, left));
    in.opnd = add_opnd(x, pair);
    add_opnd(x, *v);
    add_opnd(x, number);
    in.n_opnds = 3;
    if (last != NULL) {
        add_opnd(x, *last);
        in.n_opnds = 4;
    }
    add_insn(x, in);
}

static void add_call(struct expand *x, const struct ptx_insn *call, uint32_t fn,
                     uint32_t guard)
{
    struct ptx_insn in = *call;

    in.callee = fn;
    in.by_value = true;
    in.guard = guard;
    in.guard_neg = 0;
    set_text(x, &in, "@%%is call %.64s", x->p->pr->fn[fn]->name);
    in.opnd = x->f->n_opnd;
    for (uint32_t i = 0; i < call->n_call; i++) {
        add_opnd(x, x->f->opnd[call->opnd + i]);
    }
    add_insn(x, in);
}

/* How many functions the call may mean; 0 with the reason if it cannot be made. */
static uint32_t candidates(struct expand *x, const struct ptx_insn *call,
                           uint32_t *list)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < x->n_taken; i++) {
        if (ptx_same_shape(x->p->pr->fn[x->taken[i]], x->f->proto[call->proto])) {
            list[n++] = x->taken[i];
        }
    }
    if (n == 0) {
        (void)ptx_fail_line(x->p, call->line, call->column, 4,
                            "no function whose address is taken has these parameters");
        return 0;
    }
    *x->n_made += n;
    if (*x->n_made > MAX_MADE) {
        (void)
            ptx_fail_line(x->p, call->line, call->column, 4,
                          "too many functions that calls through a register may mean");
        return 0;
    }
    return n;
}

static bool expand_call(struct expand *x, const struct ptx_insn *call)
{
    const enum isa_type type = x->p->m->address_size == 64 ? ISA_T_B64 : ISA_T_B32;
    const struct ptx_opnd from = x->f->opnd[call->opnd + call->n_call];
    const struct ptx_opnd v = opnd(&from, OK_REG, add_reg(x, type));
    const uint32_t p = add_reg(x, ISA_T_PRED), left = add_reg(x, ISA_T_PRED);
    const uint32_t n = candidates(x, call, x->list);
    struct ptx_opnd last = opnd(&from, OK_REG, call->guard);
    struct ptx_insn trap = instruction(call, ISA_OP_TRAP, ISA_T_NONE);

    last.neg = call->guard_neg;
    add_move(x, call, v.id, from, type);
    for (uint32_t i = 0; i < n; i++) {
        add_question(x, call, &v, x->list[i], type, last.id == PTX_NONE ? NULL : &last,
                     p, left);
        add_call(x, call, x->list[i], p);
        last = opnd(&from, OK_REG, left);
    }
    set_text(x, &trap, "@%%left call of what is no such function");
    trap.guard = last.id;
    trap.guard_neg = last.neg;
    add_insn(x, trap);
    return n > 0;
}

/* ---- a function ---- */

static bool has_indirect(const struct ptx_ir *f)
{
    for (uint32_t i = 0; i < f->n_insn; i++) {
        if (f->insn[i].form.op == ISA_OP_CALL && f->insn[i].callee == PTX_NONE) {
            return true;
        }
    }
    return false;
}

static bool expand_function(struct expand *x)
{
    struct ptx_ir *const f = x->f;
    uint32_t *const now = arena_alloc(x->p->a, (f->n_insn + 1) * sizeof(now[0]));

    for (uint32_t i = 0; i < f->n_insn; i++) {
        now[i] = x->n;
        if (f->insn[i].form.op != ISA_OP_CALL || f->insn[i].callee != PTX_NONE) {
            add_insn(x, f->insn[i]);
        } else if (!expand_call(x, &f->insn[i])) {
            return false;
        }
    }
    now[f->n_insn] = x->n;
    for (uint32_t i = 0; i < f->n_label; i++) {
        f->label[i].at = now[f->label[i].at];
    }
    f->insn = x->insn;
    f->n_insn = x->n;
    f->cap_insn = x->cap;
    return true;
}

void ptx_expand_calls(struct ptx_parser *p)
{
    uint32_t n_taken, n_made = 0;
    const uint32_t *const taken = list_taken(p, &n_taken);
    uint32_t *const list = arena_alloc(p->a, (n_taken + 1) * sizeof(list[0]));

    for (uint32_t i = 0; i < p->pr->n_fn; i++) {
        struct expand x = {.p = p,
                           .f = p->pr->fn[i],
                           .taken = taken,
                           .n_taken = n_taken,
                           .list = list,
                           .n_made = &n_made};

        if (has_indirect(x.f) && !expand_function(&x)) {
            ptx_refuse_fn(p->pr, i, p->lex.e);
            ptx_empty_body(p->pr, x.f);
        }
    }
}
