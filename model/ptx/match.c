/* The words of an instruction against the rows of the table. */
#include "ptx/ptx_priv.h"

#include <stdio.h>
#include <string.h>

struct group {
    char class;
    bool optional;
    const char *words;
    uint32_t len;
};

/* The next group at *s; false at the end. */
static bool next_group(const char **s, struct group *g)
{
    while (**s == ' ') {
        (*s)++;
    }
    if (**s == '\0') {
        return false;
    }
    g->class = (*s)[0];
    g->optional = (*s)[1] == '?';
    g->words = *s + 2;
    g->len = (uint32_t)strcspn(g->words, " ");
    *s = g->words + g->len;
    return true;
}

static bool has_word(const struct group *g, const char *word, uint32_t len)
{
    const char *w = g->words;
    const char *const end = g->words + g->len;

    while (w < end) {
        uint32_t n = 0;

        while (w + n < end && w[n] != '|') {
            n++;
        }
        if (n == len && memcmp(w, word, n) == 0) {
            return true;
        }
        w += n + 1;
    }
    return false;
}

static void set_field(struct ptx_insn *in, char class, uint32_t v)
{
    struct isa_form *const f = &in->form;

    if (class == 't') {
        uint8_t *const at = f->type == ISA_T_NONE    ? &f->type
                            : f->type2 == ISA_T_NONE ? &f->type2
                            : f->type3 == ISA_T_NONE ? &f->type3
                                                     : &f->type4;

        *at = (uint8_t)v;
    } else if (class == 'n') {
        f->shape = (uint8_t)v;
    } else if (class == 'N') {
        f->cols = (uint8_t)v;
    } else if (class == 'w') {
        f->frag = (uint8_t)v;
    } else if (class == 'l') {
        f->layout[f->layout[0] != ISA_LAYOUT_NONE] = (uint8_t)v;
    } else if (class == 'y') { /* no operation with it rounds */
        f->round = (uint8_t)v;
    } else if (class == 'r') {
        f->round = (uint8_t)v;
    } else if (class == 's' || class == 'q') {
        f->sub = (uint8_t)v;
    } else if (class == 'c') {
        f->cmp = (uint8_t)v;
    } else if (class == 'b') {
        f->boolop = (uint8_t)v;
    } else if (class == 'f' || class == 'z') {
        f->flags |= v;
    } else if (class == 'k') {
        f->cache = (uint8_t)v;
    } else if (class == 'p') {
        f->space = (uint8_t)v;
    } else if (class == 'v') {
        f->vec = (uint8_t)v;
    } else if (class == 'g') {
        f->geom = (uint8_t)v;
    } else if (class == 'j') {
        f->pick = (uint8_t)v;
    } else if (class == 'm') {
        in->level = v;
    }
}

/* Words of mods taken by the row before the first that is not; mods->n: all. *missing:
 * the first required group left empty, its words NULL if there is none. */
static uint32_t try_row(const struct ptx_row *row, const struct ptx_mods *mods,
                        struct ptx_insn *in, struct group *missing)
{
    struct group g[24];
    bool used[24] = {false};
    uint32_t n = 0;
    const char *s = row->mods;

    while (n < ARRAY_LEN(g) && next_group(&s, &g[n])) {
        n++;
    }
    memset(&in->form, 0, sizeof(in->form));
    in->form.op = row->op;
    in->form.vec = 1;
    missing->words = NULL;
    for (uint32_t i = 0; i < mods->n; i++) {
        const struct ptx_tok *const t = &mods->word[i];
        uint32_t k = 0, v = 0;

        while (k < n && (used[k] || !has_word(&g[k], t->s, t->len))) {
            k++;
        }
        if (k == n || !ptx_word_value(g[k].class, t->s, t->len, &v)) {
            return i;
        }
        used[k] = true;
        set_field(in, g[k].class, v);
    }
    for (uint32_t k = n; k > 0; k--) {
        if (!used[k - 1] && !g[k - 1].optional) {
            *missing = g[k - 1];
        }
    }
    return mods->n;
}

/* All words that rows of op know, for the hint. */
static uint32_t known_words(struct ptx_parser *p, uint32_t op, const char **names,
                            uint32_t max)
{
    uint32_t n = 0;

    for (uint32_t r = 0; r < ptx_n_rows; r++) {
        const char *s = ptx_rows[r].mods;
        struct group g;

        while (ptx_rows[r].op == op && next_group(&s, &g)) {
            for (uint32_t i = 0; i < g.len && n < max; i++) {
                const uint32_t len = (uint32_t)strcspn(g.words + i, "| ");

                names[n++] = ptx_copy(p->a, g.words + i, len);
                i += len;
            }
        }
    }
    return n;
}

static bool fail_word(struct ptx_parser *p, const struct ptx_mods *mods, uint32_t op,
                      uint32_t at)
{
    const struct ptx_tok *const t = &mods->word[at];
    const char *names[600];
    const char *const why = ptx_unsupported_word(t->s, t->len);
    char what[64];

    if (why != NULL) {
        ptx_fail(p, t, "%s.%.*s is not supported: %s", isa_op_name((enum isa_op)op),
                 (int)t->len, t->s, why);
        err_hint(p->lex.e, "see 'smwave ptx list' for what is supported");
        return ptx_lacks(p);
    }
    snprintf(what, sizeof(what), "%s does not take", isa_op_name((enum isa_op)op));
    for (uint32_t i = 0; i < at; i++) {
        const size_t used = strlen(what);

        if (mods->word[i].len < 16 && used < 40) { /* name what stands before */
            const char *const does = strstr(what, " does");
            char head[64];

            snprintf(head, sizeof(head), "%.*s.%.*s does not take", (int)(does - what),
                     what, (int)mods->word[i].len, mods->word[i].s);
            snprintf(what, sizeof(what), "%s", head);
        }
    }
    ptx_fail_near(p, t, what, names, known_words(p, op, names, ARRAY_LEN(names)));
    if (p->lex.e->hint[0] == '\0') {
        err_hint(p->lex.e, "see 'smwave ptx list' for what it takes");
    }
    return false;
}

static bool fail_missing(struct ptx_parser *p, const struct ptx_mods *mods,
                         const struct group *g)
{
    char words[96];

    snprintf(words, sizeof(words), ".%.*s", (int)g->len, g->words);
    for (char *c = words; *c != '\0'; c++) {
        *c = *c == '|' ? ' ' : *c;
    }
    ptx_fail(p, &mods->op, "%.*s needs one more word%s", (int)mods->op.len, mods->op.s,
             g->class == 't' ? ", a type" : "");
    err_hint(p->lex.e, "one of %s", words);
    return false;
}

static bool fail_op(struct ptx_parser *p, const struct ptx_tok *t)
{
    const char *names[ISA_N_OPS];
    const char *const why = ptx_unsupported_op(t->s, t->len);

    if (why != NULL) {
        ptx_fail(p, t, "%.*s is not supported: %s", (int)t->len, t->s, why);
        ptx_lacks(p);
    } else {
        for (uint32_t i = 0; i < ISA_N_OPS; i++) {
            names[i] = isa_op_name((enum isa_op)i);
        }
        ptx_fail_near(p, t, "unknown instruction", names, ISA_N_OPS);
    }
    if (p->lex.e->hint[0] == '\0') {
        err_hint(p->lex.e, "see 'smwave ptx list' for what is supported");
    }
    return false;
}

static bool op_of(const struct ptx_tok *t, uint32_t *op)
{
    for (uint32_t i = 0; i < ISA_N_OPS; i++) {
        if (ptx_tok_is(t, TK_ID, isa_op_name((enum isa_op)i))) {
            *op = i;
            return true;
        }
    }
    return false;
}

/* What the words alone do not say. */
static void complete(struct ptx_insn *in)
{
    struct isa_form *const f = &in->form;

    if (f->op == ISA_OP_ADDC || f->op == ISA_OP_SUBC || f->op == ISA_OP_MADC) {
        f->flags |= ISA_F_CC_IN;
    }
    if (f->op == ISA_OP_WMMA && f->sub == ISA_S_MMA && f->type3 == ISA_T_NONE) {
        f->type4 = f->type2; /* of f16 only D and C are named */
        f->type2 = f->type3 = ISA_T_F16;
    }
    if (f->op == ISA_OP_BAR && f->sub != ISA_S_WARP) {
        f->flags |= ISA_F_ALIGNED;
    }
}

static bool match_rows(struct ptx_parser *p, const struct ptx_mods *mods,
                       struct ptx_insn *in)
{
    uint32_t op, best = 0;
    struct group missing = {0}, best_missing = {0};

    if (!op_of(&mods->op, &op)) {
        return fail_op(p, &mods->op);
    }
    for (uint32_t r = 0; r < ptx_n_rows; r++) {
        uint32_t n;

        if (ptx_rows[r].op != op) {
            continue;
        }
        n = try_row(&ptx_rows[r], mods, in, &missing);
        if (n == mods->n && missing.words == NULL) {
            in->row = (uint16_t)r;
            complete(in);
            ptx_make_video(in);
            return true;
        }
        if (n == mods->n && best_missing.words == NULL) {
            best_missing = missing;
        }
        best = n > best ? n : best;
    }
    return best == mods->n ? fail_missing(p, mods, &best_missing)
                           : fail_word(p, mods, op, best);
}

/* ---- the same words come again and again ---- */

static uint64_t key_of(const struct ptx_mods *mods)
{
    uint64_t h = 14695981039346656037ull; /* FNV-1a */

    for (uint32_t i = 0; i <= mods->n; i++) {
        const struct ptx_tok *const t = i == 0 ? &mods->op : &mods->word[i - 1];

        for (uint32_t k = 0; k < t->len; k++) {
            h = (h ^ (unsigned char)t->s[k]) * 1099511628211ull;
        }
        h = (h ^ '.') * 1099511628211ull;
    }
    return h == UINT64_MAX ? 0 : h;
}

static bool same_word(const struct ptx_tok *a, const struct ptx_tok *b)
{
    return a->len == b->len && memcmp(a->s, b->s, a->len) == 0;
}

static bool same_words(const struct ptx_mods *a, const struct ptx_mods *b)
{
    bool same = a->n == b->n && same_word(&a->op, &b->op);

    for (uint32_t i = 0; same && i < a->n; i++) {
        same = same_word(&a->word[i], &b->word[i]);
    }
    return same;
}

bool ptx_match(struct ptx_parser *p, const struct ptx_mods *mods, struct ptx_insn *in)
{
    bool found;
    uint32_t *const at = ptx_map_at(p->matches, key_of(mods), &found);
    struct ptx_matched *m;

    if (found && *at < p->n_matched && same_words(&p->matched[*at].mods, mods)) {
        m = &p->matched[*at];
        in->form = m->form;
        in->row = m->row;
        in->level = m->level;
        return true;
    }
    if (!match_rows(p, mods, in)) {
        return false;
    }
    *at = p->n_matched;
    m = PTX_PUSH(p->a, p->matched, p->n_matched, p->cap_matched);
    *m = (struct ptx_matched){*mods, in->form, in->row, in->level};
    return true;
}
