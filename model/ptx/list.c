/* The instruction table as text, and instructions as they were written. */
#include "ptx/ptx_priv.h"

#include <stdio.h>
#include <string.h>

struct text {
    char s[2048];
    size_t n;
};

static void add(struct text *t, const char *s, size_t len)
{
    if (t->n + len < sizeof(t->s)) {
        memcpy(t->s + t->n, s, len);
        t->n += len;
        t->s[t->n] = '\0';
    }
}

/* .{a,b} or {.a,.b} for one group of the row. */
static void group(struct text *t, const char *g, size_t len)
{
    const bool optional = g[1] == '?';
    const char *const words = g + 2;
    const size_t n = len - 2;
    const bool many = memchr(words, '|', n) != NULL;

    add(t, optional ? "{." : many ? ".{" : ".", optional || many ? 2 : 1);
    for (size_t i = 0; i < n; i++) {
        const bool bar = words[i] == '|';

        add(t, bar ? (optional ? ",." : ",") : words + i, bar && optional ? 2 : 1);
    }
    if (optional || many) {
        add(t, "}", 1);
    }
}

static const char *operand_text(char letter)
{
    switch (letter) {
    case 'd':
    case 'D':
    case 'w':
    case 'u': return "d";
    case 'p': return "p";
    case 'q': return "p{|q}";
    case 'e': return "d{|p}";
    case 'v': return "d";
    case 'x': return "d";
    case 'P': return "{!}p";
    case 'C': return "{!}p";
    case 'i': return "imm";
    case 'm':
    case 'M': return "[addr]";
    case 'l': return "label";
    case 't': return "targets";
    case 'h': return "policy";
    default: return NULL;
    }
}

static void operands(struct text *t, const char *pattern)
{
    char next = 'a';
    bool first = true;

    for (const char *c = pattern; *c != '\0'; c++) {
        const bool optional = *c == '?' || *c == 'C';
        const char *word;

        c += *c == '?';
        word = operand_text(*c);
        add(t,
            first      ? (optional ? " {" : " ")
            : optional ? "{, "
                       : ", ",
            first      ? (optional ? 2 : 1)
            : optional ? 3
                       : 2);
        if (word != NULL) {
            add(t, word, strlen(word));
        } else {
            add(t, &next, 1);
            next = next == 'c' ? 'e' : (char)(next + 1); /* d is the result */
        }
        if (optional) {
            add(t, "}", 1);
        }
        first = false;
    }
}

void ptx_list(void (*line)(void *ctx, const char *text), void *ctx)
{
    for (uint32_t r = 0; r < ptx_n_rows; r++) {
        const struct ptx_row *const row = &ptx_rows[r];
        const char *s = row->mods;
        struct text t = {.n = 0};

        add(&t, isa_op_name((enum isa_op)row->op),
            strlen(isa_op_name((enum isa_op)row->op)));
        while (*s != '\0') {
            const size_t n = strcspn(s, " ");

            if (n > 2) {
                group(&t, s, n);
            }
            s += n + (s[n] == ' ');
        }
        if (row->op == ISA_OP_CALL) {
            add(&t, " {(results),} function{, (arguments)}", 37);
        } else {
            operands(&t, row->operands);
        }
        line(ctx, t.s);
    }
}

/* ---- the instruction as it was written ---- */

void ptx_insn_text(const struct ptx_insn *in, char *buf, size_t size)
{
    size_t n = 0;
    bool blank = false;

    for (uint32_t i = 0; i < in->text_len && n + 2 < size; i++) {
        const char c = in->text[i];

        if ((c > 0 && c <= ' ') ||
            c == 0x7f) { /* of comments, control characters too */
            blank = true;
            continue;
        }
        if (blank && n > 0) {
            buf[n++] = ' ';
        }
        blank = false;
        buf[n++] = c;
    }
    buf[n] = '\0';
}

void ptx_disasm(const struct ptx_module *m, uint32_t pc, char *buf, size_t size)
{
    const struct ptx_where *at;

    if (size == 0) {
        return;
    }
    buf[0] = '\0';
    if (pc >= m->n_uops) {
        return;
    }
    at = &m->priv->where[pc];
    if (at->in != NULL) {
        ptx_insn_text(at->in, buf, size);
        return;
    }
    if (at->insn == PTX_NONE) {
        snprintf(buf, size, "(entry of %s)", m->priv->fn[at->fn]->name);
        return;
    }
    ptx_insn_text(&m->priv->run[at->fn]->insn[at->insn], buf, size);
}

const char *ptx_disasm_kept(const struct ptx_module *m, uint32_t pc)
{
    struct ptx_where *at = pc < m->n_uops ? &m->priv->where[pc] : NULL;
    char text[PTX_KEPT_MAX];

    if (at == NULL) {
        return "";
    }
    if (at->text == NULL) {
        ptx_disasm(m, pc, text, sizeof(text));
        at->text = arena_strdup(&m->priv->arena, text);
    }
    return at->text;
}
