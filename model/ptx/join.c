/*
 * join.c - several texts become one module (SPEC PTX-6). Each was read with names of
 * its own; here those that are not its alone find their definition in any of the texts,
 * and whatever meant a declaration, or a definition that another goes before, means
 * that.
 */
#include "ptx/ptx_priv.h"

#include <stdio.h>
#include <string.h>

struct joined { /* what a name means so far */
    bool is_fn;
    uint32_t id;
};

struct join {
    struct ptx_parser *p;
    struct ptx_scope names; /* id: in joined */
    struct joined *joined;
    uint32_t n, cap;
};

/* A definition goes before what it is more than; a mere declaration is least. */
static uint32_t rank_of(bool defined, enum ptx_linkage linkage)
{
    return defined ? 1 + (uint32_t)linkage : 0;
}

static uint32_t line_of(const struct join *j, struct joined of)
{
    return of.is_fn ? j->p->pr->fn[of.id]->line : j->p->pr->sym[of.id].line;
}

static uint32_t rank(const struct join *j, struct joined of)
{
    const struct ptx_private *const pr = j->p->pr;

    return of.is_fn ? rank_of(pr->fn[of.id]->is_defined, pr->fn[of.id]->linkage)
                    : rank_of(!pr->sym[of.id].is_extern, pr->sym[of.id].linkage);
}

/* "'x' is defined twice, first in line 3 of a.ptx" at the place of the second. */
static bool refuse(struct join *j, const char *name, struct joined old,
                   struct joined new, const char *what)
{
    struct ptx_private *const pr = j->p->pr;
    const uint32_t line = line_of(j, old);
    const struct ptx_part *const part = ptx_part_at(pr, line);
    char message[400];

    snprintf(message, sizeof(message), "'%.96s' %s line %u of %.160s", name, what,
             line - part->first_line + 1, part->name);
    return ptx_fail_line(j->p, line_of(j, new), 0, 0, message);
}

static bool is_dynamic(const struct ptx_symbol *s)
{
    return s->space == ISA_SP_SHARED && s->is_extern && s->size == 0;
}

/* Do both declare the same thing? */
static bool agree(struct join *j, const char *name, struct joined old,
                  struct joined new)
{
    const struct ptx_private *const pr = j->p->pr;

    if (old.is_fn != new.is_fn) {
        return refuse(j, name, old, new, "is something else than in");
    }
    if (old.is_fn) {
        return ptx_same_shape(pr->fn[old.id], pr->fn[new.id]) ||
               refuse(j, name, old, new, "has other parameters than in");
    }
    const struct ptx_symbol *const a = &pr->sym[old.id], *const b = &pr->sym[new.id];

    if (a->space != b->space) {
        return refuse(j, name, old, new, "is in another space than in");
    }
    /* An extern array may leave its size open, common ones take the largest. */
    if (a->size != b->size && !(a->is_extern && a->size == 0) &&
        !(b->is_extern && b->size == 0) &&
        (a->linkage != PTX_COMMON || b->linkage != PTX_COMMON)) {
        return refuse(j, name, old, new, "has another size than in");
    }
    return true;
}

/* Two common variables: the one with a value, else the larger. */
static bool stands_for(const struct ptx_symbol *a, const struct ptx_symbol *b)
{
    if ((a->init != NULL) != (b->init != NULL)) {
        return a->init != NULL;
    }
    return a->size > b->size;
}

static bool add(struct join *j, const char *name, struct joined new)
{
    const struct ptx_private *const pr = j->p->pr;
    const struct ptx_name *old = NULL;
    struct joined *so_far;
    uint32_t was, is;

    if (ptx_scope_add(&j->names, name, (uint32_t)strlen(name), NK_SYM, j->n, &old)) {
        *PTX_PUSH(j->p->a, j->joined, j->n, j->cap) = new;
        return true;
    }
    so_far = &j->joined[old->id];
    if (!agree(j, name, *so_far, new)) {
        return false;
    }
    was = rank(j, *so_far);
    is = rank(j, new);
    if (was == is && is == rank_of(true, PTX_VISIBLE)) {
        return refuse(j, name, *so_far, new, "is defined twice, first in");
    }
    if (is > was || (is == was && is == rank_of(true, PTX_COMMON) &&
                     !new.is_fn &&stands_for(&pr->sym[new.id], &pr->sym[so_far->id]))) {
        *so_far = new;
    }
    return true;
}

/* What it means now; itself if its name is its text's alone. */
static uint32_t meaning(const struct join *j, const char *name, bool is_own,
                        uint32_t self)
{
    const struct ptx_name *const n =
        is_own ? NULL : ptx_scope_find(&j->names, name, (uint32_t)strlen(name), false);

    return n == NULL ? self : j->joined[n->id].id;
}

/* ---- functions ---- */

/* One that is only declared is asked for elsewhere, whatever is said of it. */
static bool fn_is_own(const struct ptx_ir *f)
{
    return f->is_defined && f->linkage == PTX_OWN;
}

static bool add_functions(struct join *j)
{
    const struct ptx_private *const pr = j->p->pr;

    for (uint32_t i = 0; i < pr->n_fn; i++) {
        const struct ptx_ir *const f = pr->fn[i];

        /* What an alias stands for is looked up under that name. */
        if (!fn_is_own(f) && f->alias == PTX_NONE &&
            !add(j, f->name, (struct joined){true, i})) {
            return false;
        }
    }
    return true;
}

static void join_functions(struct join *j)
{
    struct ptx_private *const pr = j->p->pr;

    for (uint32_t i = 0; i < pr->n_fn; i++) {
        struct ptx_ir *const f = pr->fn[i];
        const uint32_t to =
            meaning(j, f->name, fn_is_own(f) || f->alias != PTX_NONE, i);

        if (to != i) {
            f->alias = to;
            f->is_defined = false;
            ptx_empty_body(pr, f);
        }
    }
}

/* ---- variables ---- */

static bool sym_is_own(const struct ptx_symbol *s)
{
    return is_dynamic(s) || (!s->is_extern && s->linkage == PTX_OWN);
}

static bool add_variables(struct join *j)
{
    const struct ptx_private *const pr = j->p->pr;

    for (uint32_t i = 0; i < pr->n_sym; i++) {
        if (!sym_is_own(&pr->sym[i]) &&
            !add(j, pr->sym[i].name, (struct joined){false, i})) {
            return false;
        }
    }
    return true;
}

static void rename_operands(struct ptx_private *pr, const uint32_t *now)
{
    for (uint32_t i = 0; i < pr->n_fn; i++) {
        struct ptx_ir *const f = pr->fn[i];

        for (uint32_t k = 0; k < f->n_opnd; k++) {
            struct ptx_opnd *const o = &f->opnd[k];

            if (o->kind == OK_SYM || (o->kind == OK_ADDR && o->sub == OK_SYM)) {
                o->id = now[o->id];
            }
            if (o->kind == OK_ADDR && o->base != 0) {
                o->base = now[o->base - 1] + 1;
            }
        }
    }
}

/* The initial values of variables that remain. */
static void rename_relocs(struct ptx_private *pr, const uint32_t *now,
                          const bool *remains)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < pr->n_reloc; i++) {
        struct ptx_reloc r = pr->reloc[i];

        if (remains[r.symbol]) {
            r.symbol = now[r.symbol];
            r.target = r.is_fn ? r.target : now[r.target];
            pr->reloc[n++] = r;
        }
    }
    pr->n_reloc = n;
}

/* Variables that stand for no others go. */
static void join_variables(struct join *j)
{
    struct ptx_private *const pr = j->p->pr;
    uint32_t *const now = arena_alloc(j->p->a, (pr->n_sym + 1) * sizeof(now[0]));
    uint32_t *const to = arena_alloc(j->p->a, (pr->n_sym + 1) * sizeof(to[0]));
    bool *const remains = arena_alloc(j->p->a, pr->n_sym + 1);
    uint32_t n = 0;

    for (uint32_t i = 0; i < pr->n_sym; i++) {
        to[i] = meaning(j, pr->sym[i].name, sym_is_own(&pr->sym[i]), i);
        remains[i] = to[i] == i;
        now[i] = n;
        n += remains[i];
    }
    for (uint32_t i = 0; i < pr->n_sym; i++) {
        now[i] = now[to[i]];
    }
    rename_operands(pr, now);
    rename_relocs(pr, now, remains);
    for (uint32_t i = 0; i < pr->n_sym; i++) {
        if (remains[i]) {
            pr->sym[now[i]] = pr->sym[i];
        }
    }
    pr->n_sym = n;
}

bool ptx_join(struct ptx_parser *p)
{
    struct join j = {.p = p};

    ptx_scope_init(&j.names, p->a);
    if (!add_functions(&j) || !add_variables(&j)) {
        return false;
    }
    join_functions(&j);
    join_variables(&j);
    return true;
}
