/* module.c - a module from one text or several, and its end. */
#include "ptx/ptx_priv.h"

#include "base/nomem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All texts one behind the other, each with lines of its own; room for one more. */
static char *copy_texts(struct ptx_private *pr, const struct ptx_text *t, uint32_t n,
                        size_t size)
{
    char *const copy = arena_alloc(&pr->arena, size + n + PTX_HEAP_TEXT + 2);
    uint32_t line = 1;
    size_t at = 0;

    pr->part = arena_alloc(&pr->arena, (n + 1) * sizeof(pr->part[0]));
    pr->n_part = n;
    for (uint32_t i = 0; i < n; i++) {
        pr->part[i].name = arena_strdup(&pr->arena, t[i].name != NULL ? t[i].name : "");
        pr->part[i].first_line = line;
        if (t[i].size > 0) {
            memcpy(copy + at, t[i].text, t[i].size);
        }
        for (size_t k = 0; i + 1 < n && k < t[i].size; k++) {
            line += copy[at + k] == '\n';
        }
        at += t[i].size;
        if (i + 1 < n) {
            copy[at++] = '\n';
            line++;
        }
    }
    pr->text = copy;
    pr->size = at;
    pr->name = pr->part[0].name;
    return copy;
}

static bool parse_text(struct ptx_parser *p, const char *text, uint32_t i, size_t size)
{
    const struct ptx_part *const part = &p->pr->part[i];
    const uint32_t bits = p->m->address_size;
    char message[128];

    p->m->address_size = 32; /* until .address_size says otherwise */
    p->first_file = p->pr->n_file;
    p->has_version = false;
    p->has_target = false;
    ptx_scope_init(&p->names, p->a);
    ptx_scope_init(&p->labels, p->a);
    ptx_lex_init_at(&p->lex, text, size, part->first_line, part->name, p->lex.e);
    if (!ptx_module_text(p)) {
        return false;
    }
    if (i > 0 && p->m->address_size != bits) {
        snprintf(message, sizeof(message), "addresses of %u bits, but of %u in %.64s",
                 p->m->address_size, bits, p->pr->name);
        return ptx_fail_line(p, part->first_line, 0, 0, message);
    }
    return true;
}

/* The text of malloc() and free() behind all others, copy, where there is room. */
static bool add_heap(struct ptx_parser *p, char *copy, uint64_t heap)
{
    struct ptx_private *const pr = p->pr;
    uint32_t line = 2;
    size_t size;

    for (size_t i = 0; i < pr->size; i++) {
        line += copy[i] == '\n';
    }
    copy[pr->size++] = '\n';
    size = ptx_heap_text(copy + pr->size, heap);
    pr->part[pr->n_part++] = (struct ptx_part){"malloc.ptx (built in)", line};
    return parse_text(p, copy + pr->size, pr->n_part - 1, size);
}

/* What is parsed: n texts. */
struct parsing {
    struct ptx_module *m;
    const struct ptx_text *t;
    uint32_t n;
    uint64_t heap;
    struct smw_err *e;
    bool whole;
};

static bool parse(const struct parsing *x)
{
    struct ptx_module *const m = x->m;
    const struct ptx_text *const t = x->t;
    const uint32_t n = x->n;
    struct smw_err *const e = x->e;
    struct ptx_private *const pr = m->priv;
    struct ptx_parser *const p = arena_alloc(&pr->arena, sizeof(*p));
    size_t size = n;
    char *text;

    for (uint32_t i = 0; i < n; i++) {
        if (t[i].size > UINT32_MAX / 2 || size + t[i].size > UINT32_MAX / 2) {
            (void)err_set(e, SMW_ERR_INPUT, "PTX of more than 2 GiB");
            return err_code(e, SMW_CODE_INVALID_PTX);
        }
        size += t[i].size;
    }
    text = copy_texts(pr, t, n, size);
    p->m = m;
    p->pr = pr;
    p->a = &pr->arena;
    p->map = ptx_map_new(p->a);
    p->matches = ptx_map_new(p->a);
    p->lex.e = e;
    for (uint32_t i = 0; i < n; i++) {
        if (!parse_text(p, text, i, t[i].size)) {
            return false;
        }
        text += t[i].size + 1;
    }
    if (ptx_wants_heap(m) && !add_heap(p, (char *)(uintptr_t)pr->text, x->heap)) {
        return false;
    }
    return (pr->n_part == 1 || ptx_join(p)) && ptx_link(p);
}

static void try_parse(void *arg)
{
    struct parsing *const x = arg;

    x->whole = parse(x);
}

struct ptx_module *ptx_parse_linked(const struct ptx_text *t, uint32_t n, uint64_t heap,
                                    struct smw_err *e)
{
    struct ptx_module *const m = calloc(1, sizeof(*m));
    struct ptx_private *const pr = calloc(1, sizeof(*pr));
    struct parsing x = {m, t, n, heap, e, false};

    if (m == NULL || pr == NULL) {
        free(m);
        free(pr);
        err_set(e, SMW_ERR_NOMEM, "out of memory");
        return NULL;
    }
    m->priv = pr;
    arena_init(&pr->arena);
    if (!nomem_try(try_parse, &x)) {
        (void)err_set(e, SMW_ERR_NOMEM, "out of memory");
    }
    if (!x.whole) {
        if (pr->n_part > 0) {
            ptx_show_line(pr, e);
        }
        ptx_free(m);
        return NULL;
    }
    return m;
}

struct ptx_module *ptx_parse(const char *text, size_t size, const char *name,
                             struct smw_err *e)
{
    const struct ptx_text t = {text, size, name};

    return ptx_parse_linked(&t, 1, PTX_HEAP, e);
}

void ptx_free(struct ptx_module *m)
{
    if (m == NULL) {
        return;
    }
    arena_free(&m->priv->arena);
    free(m->priv);
    free(m);
}
