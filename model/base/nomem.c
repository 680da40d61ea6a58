#include "base/nomem.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct guard {
    jmp_buf back;
    struct guard *outer;
};

static _Thread_local struct guard *innermost;

bool nomem_try(void (*fn)(void *arg), void *arg)
{
    struct guard g;

    g.outer = innermost;
    innermost = &g;
    if (setjmp(g.back) != 0) {
        return false;
    }
    fn(arg);
    innermost = innermost->outer;
    return true;
}

bool nomem_is_tried(void)
{
    return innermost != NULL;
}

void nomem(void)
{
    struct guard *const g = innermost;

    if (g != NULL) {
        innermost = g->outer;
        longjmp(g->back, 1);
    }
    (void)fputs("smwave: out of memory\n", stderr);
    abort();
}

void *nomem_check(void *p)
{
    if (p == NULL) {
        nomem();
    }
    return p;
}

void *nomem_calloc(size_t n, size_t size)
{
    return nomem_check(calloc(n, size));
}

void *nomem_realloc(void *p, size_t size)
{
    return nomem_check(realloc(p, size));
}

void *nomem_grow(void *p, uint32_t *max, size_t size)
{
    uint32_t n = *max == 0 ? 16 : 2 * *max;

    p = nomem_realloc(p, n * size);
    *max = n;
    return p;
}

char *nomem_put_text(char *buf, size_t *room, const char *text)
{
    enum { LEAST = 64 };
    const size_t n = strlen(text) + 1;

    if (n > *room) {
        const size_t more = n < LEAST ? LEAST : 2 * n;

        buf = nomem_realloc(buf, more);
        *room = more;
    }
    return memcpy(buf, text, n);
}
