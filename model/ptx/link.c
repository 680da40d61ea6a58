/* What becomes of the whole module once it is read: who calls whom, constant bank,
 * shared memory of each kernel. */
#include "ptx/ptx_priv.h"

#include <stdio.h>
#include <string.h>

bool ptx_fail_line(struct ptx_parser *p, uint32_t line, uint32_t column, uint32_t width,
                   const char *message)
{
    err_set(p->lex.e, SMW_ERR_INPUT, "%s", message);
    err_code(p->lex.e, SMW_CODE_INVALID_PTX);
    err_at(p->lex.e, p->pr->name, NULL, line, column, width);
    return false;
}

uint32_t ptx_resolve_fn(const struct ptx_private *pr, uint32_t fn)
{
    /* An alias of what another text defines: two steps and no more. */
    for (uint32_t step = 0; step < 2 && pr->fn[fn]->alias != PTX_NONE; step++) {
        fn = pr->fn[fn]->alias;
    }
    return fn;
}

enum ptx_builtin ptx_builtin_of(const struct ptx_ir *f)
{
    if (f->is_defined) {
        return PTX_BUILTIN_NONE;
    }
    if (strcmp(f->name, "vprintf") == 0) {
        return PTX_BUILTIN_VPRINTF;
    }
    return strcmp(f->name, "__assertfail") == 0 || strcmp(f->name, "__assert_fail") == 0
               ? PTX_BUILTIN_ASSERT
               : PTX_BUILTIN_NONE;
}

struct seen {
    uint32_t *fn, *sym; /* last function that noted it, plus one */
};

static void note(struct ptx_parser *p, struct ptx_ir *f, uint32_t self,
                 const struct ptx_opnd *o, struct seen *s)
{
    const bool is_sym = o->kind == OK_SYM || (o->kind == OK_ADDR && o->sub == OK_SYM);

    if (!is_sym || p->pr->sym[o->id].space != ISA_SP_SHARED ||
        s->sym[o->id] == self + 1) {
        return;
    }
    s->sym[o->id] = self + 1;
    *PTX_PUSH(p->a, f->shared, f->n_shared, f->cap_shared) = o->id;
}

static bool scan(struct ptx_parser *p, uint32_t self, struct seen *s)
{
    struct ptx_ir *const f = p->pr->fn[self];

    for (uint32_t i = 0; i < f->n_opnd; i++) {
        note(p, f, self, &f->opnd[i], s);
    }
    for (uint32_t i = 0; i < f->n_insn; i++) {
        struct ptx_insn *const in = &f->insn[i];

        if (in->form.op != ISA_OP_CALL) {
            continue;
        }
        in->callee = ptx_resolve_fn(p->pr, in->callee);
        if (s->fn[in->callee] != self + 1) {
            s->fn[in->callee] = self + 1;
            *PTX_PUSH(p->a, f->callee, f->n_callee, f->cap_callee) = in->callee;
        }
    }
    return true;
}

/* ---- reach: the functions of one kernel ---- */

static uint32_t reach(struct ptx_private *pr, uint32_t kernel, uint32_t *list,
                      uint32_t *stamp, uint32_t mark)
{
    uint32_t n = 1;

    list[0] = kernel;
    stamp[kernel] = mark;
    for (uint32_t i = 0; i < n; i++) {
        const struct ptx_ir *const f = pr->fn[list[i]];

        for (uint32_t k = 0; k < f->n_callee; k++) {
            if (stamp[f->callee[k]] != mark) {
                stamp[f->callee[k]] = mark;
                list[n++] = f->callee[k];
            }
        }
    }
    return n;
}

static void check_callees(struct ptx_parser *p, uint32_t fn)
{
    struct ptx_ir *const f = p->pr->fn[fn];
    char message[256];

    if (f->is_linked) {
        return;
    }
    f->is_linked = true;
    for (uint32_t i = 0; i < f->n_insn; i++) {
        const struct ptx_insn *const in = &f->insn[i];
        const struct ptx_ir *g;

        if (in->form.op != ISA_OP_CALL) {
            continue;
        }
        g = p->pr->fn[in->callee];
        if (!g->is_defined && ptx_builtin_of(g) == PTX_BUILTIN_NONE) {
            snprintf(message, sizeof(message),
                     "'%.128s' is called but not defined in %s", g->name,
                     p->pr->n_part > 1 ? "any of the texts linked" : "this module");
            ptx_fail_line(p, in->line, in->column, 4, message);
            err_hint(p->lex.e, "vprintf and __assertfail are built in, no other is");
            ptx_refuse_fn(p->pr, fn, p->lex.e);
        }
    }
    if (f->n_refusals > 0) {
        ptx_empty_body(p->pr, f);
    }
}

/* ---- shared memory ---- */

static bool place_shared(struct ptx_parser *p, struct ptx_kernel *k,
                         const uint32_t *sym, uint32_t n)
{
    uint64_t at = 0;
    uint32_t dynamic_align = 16;

    k->shared = arena_alloc(p->a, (n + 1) * sizeof(k->shared[0]));
    for (uint32_t pass = 0; pass < 2; pass++) { /* static arrays first */
        for (uint32_t i = 0; i < n; i++) {
            const struct ptx_symbol *const s = &p->pr->sym[sym[i]];

            if ((s->size == 0) != (pass == 1)) {
                continue;
            }
            at = pass == 0 ? (at + s->align - 1) & ~(uint64_t)(s->align - 1) : at;
            dynamic_align =
                pass == 1 && s->align > dynamic_align ? s->align : dynamic_align;
            k->shared[k->n_shared++] =
                (struct ptx_shared_var){s->name, (uint32_t)at, (uint32_t)s->size,
                                        s->align, s->type};
            at += s->size;
            if (at > ISA_WINDOW_SIZE) {
                return ptx_fail_line(p, s->line, 0, 0, "shared variables too large");
            }
        }
        if (pass == 0) {
            k->shared_bytes = (uint32_t)at;
        }
    }
    k->dynamic_base = ((uint32_t)at + dynamic_align - 1) & ~(dynamic_align - 1);
    for (uint32_t i = 0; i < k->n_shared; i++) {
        if (k->shared[i].size == 0) {
            k->shared[i].offset = k->dynamic_base;
        }
    }
    return true;
}

static int by_number(const uint32_t *a, const uint32_t *b)
{
    return *a < *b ? -1 : *a > *b;
}

static void sort(uint32_t *v, uint32_t n)
{
    for (uint32_t gap = n / 2; gap > 0; gap /= 2) { /* shell sort: short lists */
        for (uint32_t i = gap; i < n; i++) {
            for (uint32_t k = i; k >= gap && by_number(&v[k - gap], &v[k]) > 0;
                 k -= gap) {
                const uint32_t t = v[k];

                v[k] = v[k - gap];
                v[k - gap] = t;
            }
        }
    }
}

static void link_kernel(struct ptx_parser *p, uint32_t fn, uint32_t *list,
                        uint32_t *stamp)
{
    struct ptx_private *const pr = p->pr;
    struct ptx_module *const m = p->m;
    struct ptx_kernel *const k = &m->kernels[m->n_kernels];
    const struct ptx_ir *const f = pr->fn[fn];
    const uint32_t mark = m->n_kernels + 1;
    const uint32_t n = reach(pr, fn, list, stamp, mark);
    uint32_t *sym, n_sym = 0, n_all = 0;

    for (uint32_t i = 0; i < n; i++) {
        n_all += pr->fn[list[i]]->n_shared;
        check_callees(p, list[i]);
    }
    sym = arena_alloc(p->a, (n_all + 1) * sizeof(sym[0]));
    for (uint32_t i = 0; i < n; i++) {
        const struct ptx_ir *const g = pr->fn[list[i]];

        for (uint32_t s = 0; s < g->n_shared; s++) {
            sym[n_sym++] = g->shared[s];
        }
    }
    sort(sym, n_sym);
    n_all = 0;
    for (uint32_t i = 0; i < n_sym; i++) { /* each once, in order of declaration */
        if (i == 0 || sym[i] != sym[i - 1]) {
            sym[n_all++] = sym[i];
        }
    }
    k->name = f->name;
    k->base_name = ptx_demangle(p->a, f->name);
    k->line = f->line;
    k->params = arena_alloc(p->a, (f->n_params + 1) * sizeof(k->params[0]));
    for (uint32_t i = 0; i < f->n_params; i++) {
        k->params[i] = f->pvar[i].p;
    }
    k->n_params = f->n_params;
    k->param_bytes = f->param_bytes;
    memcpy(k->maxntid, f->maxntid, sizeof(k->maxntid));
    memcpy(k->reqntid, f->reqntid, sizeof(k->reqntid));
    k->minnctapersm = f->minnctapersm;
    memcpy(k->cluster, f->cluster, sizeof(k->cluster));
    k->max_cluster = f->max_cluster;
    k->explicit_cluster = f->explicit_cluster;
    pr->kernel_fn[m->n_kernels++] = fn;
    if (!place_shared(p, k, sym, n_all)) {
        ptx_refuse_fn(pr, fn, p->lex.e);
        ptx_empty_body(pr, pr->fn[fn]);
    }
}

void ptx_find_refused(struct ptx_module *m)
{
    struct ptx_private *const pr = m->priv;
    uint32_t *const list = arena_alloc(&pr->arena, (pr->n_fn + 1) * sizeof(list[0]));
    uint32_t *const stamp = arena_alloc(&pr->arena, (pr->n_fn + 1) * sizeof(stamp[0]));

    pr->kernel_refusal =
        arena_alloc(&pr->arena, (m->n_kernels + 1) * sizeof(pr->kernel_refusal[0]));
    for (uint32_t k = 0; k < m->n_kernels; k++) {
        const uint32_t n =
            pr->n_refusal > 0 ? reach(pr, pr->kernel_fn[k], list, stamp, k + 1) : 0;

        pr->kernel_refusal[k] = PTX_NONE;
        for (uint32_t i = 0; i < n && pr->kernel_refusal[k] == PTX_NONE; i++) {
            if (pr->fn[list[i]]->n_refusals > 0) {
                pr->kernel_refusal[k] = pr->fn[list[i]]->first_refusal;
            }
        }
    }
}

static bool constant_bank(struct ptx_parser *p)
{
    struct ptx_private *const pr = p->pr;
    uint64_t at = 0;
    uint8_t *image;

    for (uint32_t i = 0; i < pr->n_sym; i++) {
        struct ptx_symbol *const s = &pr->sym[i];

        if (s->space != ISA_SP_CONST) {
            continue;
        }
        if (s->is_extern) {
            return ptx_fail_line(p, s->line, 0, 0,
                                 "an extern constant is not defined here");
        }
        at = (at + s->align - 1) & ~(uint64_t)(s->align - 1);
        s->addr = at;
        at += s->size;
        if (at > PTX_CONST_BANK) {
            return ptx_fail_line(p, s->line, 0, 0,
                                 "constant variables of more than 65536 bytes");
        }
    }
    image = arena_alloc(p->a, at + 1);
    for (uint32_t i = 0; i < pr->n_sym; i++) {
        const struct ptx_symbol *const s = &pr->sym[i];

        if (s->space == ISA_SP_CONST && s->init != NULL) {
            memcpy(image + s->addr, s->init, s->size);
        }
    }
    p->m->const_image = image;
    p->m->const_bytes = (uint32_t)at;
    return true;
}

static bool check_symbols(struct ptx_parser *p)
{
    for (uint32_t i = 0; i < p->pr->n_sym; i++) {
        const struct ptx_symbol *const s = &p->pr->sym[i];

        if (s->space == ISA_SP_GLOBAL && s->is_extern) {
            char message[256];

            snprintf(message, sizeof(message),
                     p->pr->n_part > 1
                         ? "'%.128s' is extern and defined in none of the texts linked"
                         : "'%.128s' is extern: variables of other modules cannot be "
                           "linked",
                     s->name);
            return ptx_fail_line(p, s->line, 0, 0, message);
        }
    }
    return true;
}

bool ptx_link(struct ptx_parser *p)
{
    struct ptx_private *const pr = p->pr;
    struct ptx_module *const m = p->m;
    struct seen seen = {arena_alloc(p->a, (pr->n_fn + 1) * sizeof(uint32_t)),
                        arena_alloc(p->a, (pr->n_sym + 1) * sizeof(uint32_t))};
    uint32_t *const list = arena_alloc(p->a, (pr->n_fn + 1) * sizeof(uint32_t));
    uint32_t *const stamp = arena_alloc(p->a, (pr->n_fn + 1) * sizeof(uint32_t));
    uint32_t n = 0;

    ptx_expand_calls(p);
    for (uint32_t i = 0; i < pr->n_fn; i++) {
        n += pr->fn[i]->is_kernel && pr->fn[i]->is_defined;
        if (!scan(p, i, &seen)) {
            return false;
        }
    }
    if (!constant_bank(p) || !check_symbols(p)) {
        return false;
    }
    m->kernels = arena_alloc(p->a, (n + 1) * sizeof(m->kernels[0]));
    pr->kernel_fn = arena_alloc(p->a, (n + 1) * sizeof(pr->kernel_fn[0]));
    for (uint32_t i = 0; i < pr->n_fn; i++) {
        if (pr->fn[i]->is_kernel && pr->fn[i]->is_defined) {
            link_kernel(p, i, list, stamp);
        }
    }
    m->symbols = pr->sym;
    m->n_symbols = pr->n_sym;
    m->relocs = pr->reloc;
    m->n_relocs = pr->n_reloc;
    m->files = (const char *const *)pr->file;
    m->n_files = pr->n_file;
    m->sites = pr->site;
    m->n_sites = pr->n_site;
    return true;
}
