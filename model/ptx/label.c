/* Scopes of a function body, labels, lists of branch targets. */
#include "ptx/ptx_priv.h"

#include <string.h>

bool ptx_scope_open(struct ptx_parser *p, const struct ptx_tok *t)
{
    if (p->depth >= PTX_MAX_NESTING) {
        return ptx_fail(p, t, "blocks nested too deeply");
    }
    p->depth++;
    ptx_scope_push(&p->names);
    ptx_scope_push(&p->labels);
    p->pending_mark[p->depth] = p->n_pending;
    return true;
}

static bool resolve(struct ptx_parser *p, const struct ptx_pending *q,
                    const struct ptx_name *n)
{
    const struct ptx_tok t = {.s = q->s,
                              .len = q->len,
                              .line = q->line,
                              .column = q->column,
                              .width = q->len};

    if ((n->kind == NK_TARGETS) != q->is_targets) {
        return ptx_fail(p, &t, "'%.*s' is %s", q->len < 64 ? (int)q->len : 64, q->s,
                        q->is_targets ? "a label, not a list of branch targets"
                                      : "a list of branch targets, not a label");
    }
    if (q->opnd != PTX_NONE) {
        p->fn->opnd[q->opnd].id = n->id;
    } else {
        p->fn->target_list[q->target] = n->id;
    }
    return true;
}

static bool unknown_label(struct ptx_parser *p, const struct ptx_pending *q)
{
    const struct ptx_tok t = {.s = q->s,
                              .len = q->len,
                              .line = q->line,
                              .column = q->column,
                              .width = q->len,
                              .kind = TK_ID};
    const struct ptx_ir *const f = p->fn;
    const uint32_t n = ptx_may_compare(p, f->n_label);
    const char **names = arena_alloc(p->a, (n + 1) * sizeof(names[0]));

    for (uint32_t i = 0; i < n; i++) {
        names[i] = ptx_copy(p->a, f->label[i].s, f->label[i].len);
    }
    return ptx_fail_near(p, &t, "unknown label", names, n);
}

/* Labels of the scope resolve the references made in it; others go one scope out. */
bool ptx_scope_close(struct ptx_parser *p)
{
    uint32_t kept = p->pending_mark[p->depth];

    for (uint32_t i = kept; i < p->n_pending; i++) {
        const struct ptx_pending q = p->pending[i];
        const struct ptx_name *const n = ptx_scope_find(&p->labels, q.s, q.len, false);

        if (n != NULL) {
            if (!resolve(p, &q, n)) {
                return false;
            }
        } else if (p->depth == 1) {
            return unknown_label(p, &q);
        } else {
            p->pending[kept++] = q;
        }
    }
    p->n_pending = kept;
    ptx_scope_pop(&p->names);
    ptx_scope_pop(&p->labels);
    p->depth--;
    return true;
}

static bool branch_targets(struct ptx_parser *p, uint32_t id)
{
    struct ptx_ir *const f = p->fn;

    do {
        const struct ptx_tok t = p->lex.t;

        if (t.kind != TK_ID) {
            return ptx_fail(p, &t, "expected a label");
        }
        *PTX_PUSH(p->a, f->target_list, f->n_target_list, f->cap_target_list) = 0;
        f->targets[id].n++;
        *PTX_PUSH(p->a, p->pending, p->n_pending, p->cap_pending) =
            (struct ptx_pending){t.s,      t.len,    t.line,
                                 t.column, PTX_NONE, f->n_target_list - 1,
                                 false};
        ptx_lex_advance(&p->lex);
    } while (ptx_accept(p, ','));
    return ptx_expect(p, ';');
}

static bool declare_label(struct ptx_parser *p, const struct ptx_tok *t, uint32_t kind,
                          uint32_t id)
{
    const struct ptx_name *old;

    if (ptx_scope_add(&p->labels, t->s, t->len, kind, id, &old)) {
        return true;
    }
    return ptx_fail(p, t, "label '%.*s' is declared twice",
                    t->len < 64 ? (int)t->len : 64, t->s);
}

bool ptx_label(struct ptx_parser *p)
{
    struct ptx_ir *const f = p->fn;
    const struct ptx_tok t = p->lex.t;

    ptx_lex_advance(&p->lex);
    ptx_lex_advance(&p->lex); /* : */
    if (ptx_accept_dot(p, "branchtargets")) {
        *PTX_PUSH(p->a, f->targets, f->n_targets, f->cap_targets) =
            (struct ptx_targets){f->n_target_list, 0};
        return declare_label(p, &t, NK_TARGETS, f->n_targets - 1) &&
               branch_targets(p, f->n_targets - 1);
    }
    if (ptx_accept_dot(p, "callprototype")) {
        struct ptx_ir *proto;

        if (!ptx_prototype(p, &proto)) {
            return false;
        }
        *PTX_PUSH(p->a, f->proto, f->n_proto, f->cap_proto) = proto;
        return ptx_declare(p, &t, NK_PROTO, f->n_proto - 1);
    }
    if (ptx_accept_dot(p, "calltargets")) {
        while (!ptx_tok_punct(&p->lex.t, ';')) {
            if (p->lex.t.kind == TK_END || p->lex.t.kind == TK_BAD) {
                return ptx_fail(p, &t, "list of targets has no end");
            }
            ptx_lex_advance(&p->lex);
        }
        ptx_lex_advance(&p->lex);
        return ptx_declare(p, &t, NK_PROTO, PTX_NONE);
    }
    *PTX_PUSH(p->a, f->label, f->n_label, f->cap_label) =
        (struct ptx_label){.s = t.s, .len = t.len, .line = t.line, .at = f->n_insn};
    return declare_label(p, &t, NK_LABEL, f->n_label - 1);
}
