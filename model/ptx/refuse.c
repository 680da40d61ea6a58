/*
 * What of a module cannot be run. A function that is wrong inside, or uses what is not
 * supported, keeps the reasons and loses its body: a bare ret that no pass can stumble
 * over. Kernels that reach it cannot be launched; all others can.
 */
#include "ptx/ptx_priv.h"

#include <string.h>

enum { MAX_COLUMN = 1 << 16 }; /* longer lines are not shown: each costs their length */

struct ptx_refusal { /* the fields of struct smw_err that tell one from another */
    const char *message, *hint;
    uint32_t line, column, width;
    enum smw_code code;
};

void ptx_refuse_fn(struct ptx_private *pr, uint32_t fn, struct smw_err *e)
{
    struct ptx_ir *const f = pr->fn[fn];

    if (f->n_refusals < PTX_MAX_REFUSALS) {
        *PTX_PUSH(&pr->arena, pr->refusal, pr->n_refusal, pr->cap_refusal) =
            (struct ptx_refusal){arena_strdup(&pr->arena, e->message),
                                 arena_strdup(&pr->arena, e->hint),
                                 e->line,
                                 e->column,
                                 e->width,
                                 e->code};
        if (f->n_refusals++ == 0) {
            f->first_refusal = pr->n_refusal - 1;
        }
    }
    err_clear(e);
}

void ptx_empty_body(struct ptx_private *pr, struct ptx_ir *f)
{
    f->n_insn = 0;
    f->n_label = 0;
    f->n_targets = 0;
    ptx_add_ret(&pr->arena, f, f->line, f->column);
}

/* ---- reading on after a mistake ---- */

static bool at_end(const struct ptx_parser *p)
{
    return p->lex.t.kind == TK_END || p->lex.t.kind == TK_BAD;
}

/* Past the semicolon, or to the brace that ends the body. */
static bool skip_instruction(struct ptx_parser *p)
{
    uint32_t braces = 0;

    while (!at_end(p) && !ptx_tok_punct(&p->lex.t, ';')) {
        if (ptx_tok_punct(&p->lex.t, '}') && braces-- == 0) {
            return true;
        }
        braces += ptx_tok_punct(&p->lex.t, '{');
        ptx_lex_advance(&p->lex);
    }
    return ptx_accept(p, ';');
}

/* Past the brace that closes the outermost of so many. */
static bool skip_open(struct ptx_parser *p, uint32_t braces)
{
    while (braces > 0 && !at_end(p)) {
        braces += ptx_tok_punct(&p->lex.t, '{');
        braces -= ptx_tok_punct(&p->lex.t, '}');
        ptx_lex_advance(&p->lex);
    }
    return braces == 0;
}

static bool skip_body(struct ptx_parser *p)
{
    const bool ok = skip_open(p, p->depth);

    for (; p->depth > 0; p->depth--) {
        ptx_scope_pop(&p->names);
        ptx_scope_pop(&p->labels);
    }
    return ok;
}

/* Back to *mark with *why told and the parser without error. */
static void go_back(struct ptx_parser *p, const struct ptx_mark *mark,
                    struct smw_err *why)
{
    *why = *p->lex.e;
    err_clear(p->lex.e);
    p->lex = mark->lex;
    p->n_pending = mark->n_pending;
}

/* There is no end to skip to: what the lexer says of that, or what was wrong first. */
static bool no_end(struct ptx_parser *p, const struct smw_err *why)
{
    if (p->lex.e->kind == SMW_ERR_NONE) {
        *p->lex.e = *why;
    }
    return false;
}

bool ptx_skip_statement(struct ptx_parser *p, const struct ptx_mark *mark)
{
    const bool is_instruction =
        ptx_tok_punct(&mark->lex.t, '@') ||
        (mark->lex.t.kind == TK_ID && !ptx_tok_punct(&mark->lex.next, ':'));
    struct smw_err why;

    go_back(p, mark, &why);
    if (!(is_instruction && p->fn->n_refusals + 1 < PTX_MAX_REFUSALS
              ? skip_instruction(p)
              : skip_body(p))) {
        return no_end(p, &why);
    }
    ptx_refuse_fn(p->pr, p->fn_id, &why);
    return true;
}

bool ptx_skip_header(struct ptx_parser *p, const struct ptx_mark *mark,
                     struct smw_err *why)
{
    go_back(p, mark, why);
    while (!at_end(p) && !ptx_tok_punct(&p->lex.t, '{') &&
           !ptx_tok_punct(&p->lex.t, ';')) {
        ptx_lex_advance(&p->lex);
    }
    return !at_end(p) || no_end(p, why);
}

bool ptx_skip_braces(struct ptx_parser *p)
{
    const struct ptx_tok open = p->lex.t;

    return ptx_expect(p, '{') &&
           (skip_open(p, 1) || ptx_fail(p, &open, "function has no closing brace"));
}

/* ---- what becomes of it ---- */

/* Many are asked for one after the other: from the last line on. NULL: there is
 * none. */
static const char *line_at(struct ptx_private *pr, uint32_t line)
{
    if (pr->near == NULL || line < pr->near_line) {
        pr->near = pr->text;
        pr->near_line = 1;
    }
    while (pr->near_line < line) {
        const char *const end = strchr(pr->near, '\n');

        if (end == NULL) {
            return NULL;
        }
        pr->near = end + 1;
        pr->near_line++;
    }
    return pr->near;
}

const struct ptx_part *ptx_part_at(const struct ptx_private *pr, uint32_t line)
{
    uint32_t i = pr->n_part;

    while (i > 1 && pr->part[i - 1].first_line > line) {
        i--;
    }
    return &pr->part[i - 1];
}

const char *ptx_text_at(const struct ptx_module *m, uint32_t line, uint32_t *own)
{
    const struct ptx_part *const part = ptx_part_at(m->priv, line);

    *own = line < part->first_line ? line : line - part->first_line + 1;
    return part->name;
}

void ptx_show_line(struct ptx_private *pr, struct smw_err *e)
{
    const uint32_t line = e->line;
    const struct ptx_part *const part = ptx_part_at(pr, line);

    if (line == 0) {
        return;
    }
    err_at(e, part->name, e->column > MAX_COLUMN ? NULL : line_at(pr, line), 1,
           e->column, e->width);
    e->line = line - part->first_line + 1;
}

static void tell(struct ptx_private *pr, uint32_t i, struct smw_err *e)
{
    const struct ptx_refusal *const r = &pr->refusal[i];

    err_set(e, SMW_ERR_INPUT, "%s", r->message);
    err_code(e, r->code);
    err_at(e, pr->name, NULL, r->line, r->column, r->width);
    ptx_show_line(pr, e);
    if (r->hint[0] != '\0') {
        err_hint(e, "%s", r->hint);
    }
}

bool ptx_can_run(const struct ptx_module *m, const struct ptx_kernel *k,
                 struct smw_err *e)
{
    const uint32_t i = m->priv->kernel_refusal[k - m->kernels];

    if (i != PTX_NONE) {
        tell(m->priv, i, e);
    }
    return i == PTX_NONE;
}

uint32_t ptx_refusals(const struct ptx_module *m)
{
    return m->priv->n_refusal;
}

void ptx_refusal(const struct ptx_module *m, uint32_t i, struct smw_err *e)
{
    tell(m->priv, i, e);
}
