#include "ptx/name_scope.h"

#include <string.h>

#define NO_NAME UINT32_MAX

static uint32_t hash_of(const char *s, uint32_t len, bool is_range)
{
    uint32_t h = is_range ? 0x9e3779b9u : 2166136261u; /* FNV-1a */

    for (uint32_t i = 0; i < len; i++) {
        h = (h ^ (unsigned char)s[i]) * 16777619u;
    }
    return h ^ h >> 15;
}

void ptx_scope_init(struct ptx_scope *s, struct arena *a)
{
    memset(s, 0, sizeof(*s));
    s->a = a;
    s->n_bucket = 256;
    s->bucket = arena_alloc(a, s->n_bucket * sizeof(s->bucket[0]));
    memset(s->bucket, 0xff, s->n_bucket * sizeof(s->bucket[0]));
}

void ptx_scope_push(struct ptx_scope *s)
{
    s->depth++;
    s->mark[s->depth] = s->n;
}

/* A scope's names are the newest of their chains: take them off in reverse order. */
void ptx_scope_pop(struct ptx_scope *s)
{
    while (s->n > s->mark[s->depth]) {
        const struct ptx_name *d = &s->name[--s->n];

        s->bucket[d->hash & (s->n_bucket - 1)] = d->next;
    }
    s->depth--;
}

static void rehash(struct ptx_scope *s)
{
    s->n_bucket *= 4;
    s->bucket = arena_alloc(s->a, s->n_bucket * sizeof(s->bucket[0]));
    memset(s->bucket, 0xff, s->n_bucket * sizeof(s->bucket[0]));
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t *const b = &s->bucket[s->name[i].hash & (s->n_bucket - 1)];

        s->name[i].next = *b;
        *b = i;
    }
}

static uint32_t find(const struct ptx_scope *s, const char *name, uint32_t len,
                     bool is_range, uint32_t hash)
{
    uint32_t i = s->bucket[hash & (s->n_bucket - 1)];

    for (; i != NO_NAME; i = s->name[i].next) {
        const struct ptx_name *d = &s->name[i];

        if (d->hash == hash && d->len == len && (d->kind == NK_RANGE) == is_range &&
            memcmp(d->s, name, len) == 0) {
            return i;
        }
    }
    return NO_NAME;
}

bool ptx_scope_add(struct ptx_scope *s, const char *name, uint32_t len, uint32_t kind,
                   uint32_t id, const struct ptx_name **old)
{
    const uint32_t hash = hash_of(name, len, kind == NK_RANGE);
    const uint32_t i = find(s, name, len, kind == NK_RANGE, hash);
    struct ptx_name *d;
    uint32_t *b;

    if (i != NO_NAME && s->name[i].depth == s->depth) {
        *old = &s->name[i];
        return false;
    }
    if (s->n >= s->n_bucket) {
        rehash(s);
    }
    if (s->n == s->cap) {
        struct ptx_name *bigger;

        s->cap = s->cap == 0 ? 256 : s->cap * 2;
        bigger = arena_alloc(s->a, s->cap * sizeof(*bigger));
        if (s->n > 0) {
            memcpy(bigger, s->name, s->n * sizeof(*bigger));
        }
        s->name = bigger;
    }
    b = &s->bucket[hash & (s->n_bucket - 1)];
    d = &s->name[s->n];
    *d = (struct ptx_name){name, len, hash, kind, id, *b, s->depth};
    *b = s->n++;
    return true;
}

const struct ptx_name *ptx_scope_find(const struct ptx_scope *s, const char *name,
                                      uint32_t len, bool is_range)
{
    const uint32_t i = find(s, name, len, is_range, hash_of(name, len, is_range));

    return i == NO_NAME ? NULL : &s->name[i];
}
