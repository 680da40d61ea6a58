/*
 * name_scope.h - names with nested scopes; private to the front end.
 *
 * One table for everything PTX names, labels apart. The innermost declaration wins;
 * closing a scope forgets its declarations. Nothing is copied.
 */
#ifndef PTX_NAME_SCOPE_H
#define PTX_NAME_SCOPE_H

#include "base/arena.h"
#include <stdbool.h>

enum ptx_name_kind {
    NK_REG,    /* id: register of the function */
    NK_RANGE,  /* prefix of parameterised registers; id: range */
    NK_SYM,    /* id: symbol of the module */
    NK_LOCAL,  /* id: local variable of the function */
    NK_PARAM,  /* id: parameter variable of the function */
    NK_FUNC,   /* id: function of the module */
    NK_VECREG, /* id: first of 4 * registers; see vocabulary.c */
    NK_PROTO,  /* .callprototype: id in ptx_ir.proto; .calltargets: UINT32_MAX */
    NK_LABEL,  /* id: label of the function; labels have a table of their own */
    NK_TARGETS /* id: branch target list of the function */
};

struct ptx_name {
    const char *s;
    uint32_t len, hash, kind, id;
    uint32_t next; /* in the chain, UINT32_MAX: end */
    uint32_t depth;
};

struct ptx_scope {
    struct arena *a;
    struct ptx_name *name;
    uint32_t n, cap;
    uint32_t *bucket;
    uint32_t n_bucket; /* a power of two */
    uint32_t depth;
    uint32_t mark[256]; /* n at the opening of each depth */
};

void ptx_scope_init(struct ptx_scope *s, struct arena *a);
void ptx_scope_push(struct ptx_scope *s); /* at most 255 deep */
void ptx_scope_pop(struct ptx_scope *s);
/* Declare; false if the name is taken in this very scope (*old: by what). Prefixes of
 * ranges and other names do not meet. */
bool ptx_scope_add(struct ptx_scope *s, const char *name, uint32_t len, uint32_t kind,
                   uint32_t id, const struct ptx_name **old);
/* The innermost declaration; NULL if there is none. */
const struct ptx_name *ptx_scope_find(const struct ptx_scope *s, const char *name,
                                      uint32_t len, bool is_range);

#endif /* PTX_NAME_SCOPE_H */
