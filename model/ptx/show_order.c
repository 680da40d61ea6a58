/* The text of a function beside what runs of it: "smwave ptx schedule". */
#include "ptx/ptx_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 160, LEAST_WIDTH = 20, MOST_WIDTH = 60 };

struct table {
    void (*line)(void *ctx, const char *text);
    void *ctx;
    const struct ptx_ir *text, *run;
    bool *is_early; /* of each instruction of run */
    int width;      /* characters of an instruction on the left */
};

/* Runs before one that is written before it. */
static void find_early(struct table *t)
{
    uint32_t least = UINT32_MAX;

    for (uint32_t i = t->run->n_insn; i > 0; i--) {
        const uint32_t line = t->run->insn[i - 1].line;

        t->is_early[i - 1] = line > least;
        least = line < least ? line : least;
    }
}

static void find_width(struct table *t)
{
    char text[TEXT_SIZE];

    t->width = LEAST_WIDTH;
    for (uint32_t i = 0; i < t->text->n_insn; i++) {
        int n;

        ptx_insn_text(&t->text->insn[i], text, sizeof(text));
        n = (int)strlen(text);
        t->width = n > t->width ? n : t->width;
    }
    t->width = t->width > MOST_WIDTH ? MOST_WIDTH : t->width;
}

/* Text that has no room loses its end. */
static void put_row(const struct table *t, uint32_t left, uint32_t right,
                    uint32_t ends[2])
{
    char a[TEXT_SIZE] = "", b[TEXT_SIZE] = "", row[2 * TEXT_SIZE + 40],
         number[2][12] = {"", ""};

    if (left < ends[0]) {
        ptx_insn_text(&t->text->insn[left], a, sizeof(a));
        (void)snprintf(number[0], sizeof(number[0]), "%u", t->text->insn[left].line);
    }
    if (right < ends[1]) {
        ptx_insn_text(&t->run->insn[right], b, sizeof(b));
        (void)snprintf(number[1], sizeof(number[1]), "%u", t->run->insn[right].line);
    }
    if (right >= ends[1]) {
        (void)snprintf(row, sizeof(row), "%6s  %.*s", number[0], t->width, a);
    } else {
        (void)snprintf(row, sizeof(row), "%6s  %-*.*s  %c%6s  %s", number[0], t->width,
                       t->width, a, t->is_early[right] ? '^' : ' ', number[1], b);
    }
    t->line(t->ctx, row);
}

static int by_place(const void *a, const void *b)
{
    const struct ptx_label *const x = *(const struct ptx_label *const *)a;
    const struct ptx_label *const y = *(const struct ptx_label *const *)b;

    return x->at != y->at ? (x->at < y->at ? -1 : 1) : (x->s < y->s ? -1 : x->s > y->s);
}

static void put_label(const struct table *t, const struct ptx_label *l)
{
    char row[TEXT_SIZE];

    (void)snprintf(row, sizeof(row), "%.*s:", (int)(l->len < 128 ? l->len : 128), l->s);
    t->line(t->ctx, row);
}

/* From label to label; both sides have the same ones. */
static void put_function(struct arena *a, struct table *t,
                         const struct ptx_label **order)
{
    const uint32_t n = t->text->n_label;
    uint32_t left = 0, right = 0;

    t->is_early = arena_alloc(a, t->run->n_insn + 1);
    find_early(t);
    find_width(t);
    for (uint32_t i = 0; i < n; i++) {
        order[i] = &t->text->label[i];
    }
    qsort(order, n, sizeof(order[0]), by_place);
    for (uint32_t i = 0; i <= n; i++) {
        uint32_t ends[2] = {t->text->n_insn, t->run->n_insn};

        if (i < n) {
            ends[0] = order[i]->at;
            ends[1] = t->run->label[order[i] - t->text->label].at;
        }
        while (left < ends[0] || right < ends[1]) {
            put_row(t, left, right, ends);
            left += left < ends[0];
            right += right < ends[1];
        }
        if (i < n) {
            put_label(t, order[i]);
        }
    }
}

/* fn and what it can call, fn first. */
static void collect(const struct ptx_private *pr, uint32_t fn, uint32_t *list,
                    bool *is_listed, uint32_t *n)
{
    list[(*n)++] = fn;
    is_listed[fn] = true;
    for (uint32_t i = *n - 1; i < *n; i++) {
        const struct ptx_ir *const f = pr->fn[list[i]];

        for (uint32_t c = 0; c < f->n_callee; c++) {
            const uint32_t to = ptx_resolve_fn(pr, f->callee[c]);

            if (!is_listed[to] && pr->fn[to]->is_defined) {
                is_listed[to] = true;
                list[(*n)++] = to;
            }
        }
    }
}

void ptx_show_order(const struct ptx_module *m, const struct ptx_kernel *k,
                    void (*line)(void *ctx, const char *text), void *ctx)
{
    struct arena a;
    uint32_t *list, n = 0;

    arena_init(&a);
    list = arena_alloc(&a, (m->priv->n_fn + 1) * sizeof(list[0]));
    collect(m->priv, m->priv->kernel_fn[k - m->kernels], list,
            arena_alloc(&a, m->priv->n_fn + 1), &n);
    for (uint32_t i = 0; i < n; i++) {
        struct table t = {.line = line,
                          .ctx = ctx,
                          .text = m->priv->fn[list[i]],
                          .run = m->priv->run[list[i]]};
        char head[TEXT_SIZE];

        (void)snprintf(head, sizeof(head), "%.120s:", t.text->name);
        line(ctx, head);
        put_function(&a, &t,
                     arena_alloc(&a,
                                 (t.text->n_label + 1) * sizeof(struct ptx_label *)));
    }
    arena_free(&a);
}
