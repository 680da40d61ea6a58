/* What the tests of the front end share: a module from text, lowered. */
#ifndef PTX_FRONT_TEST_H
#define PTX_FRONT_TEST_H

#include "ptx/ptx_priv.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"

/* Global variables get addresses as a device would give them. */
static inline bool place_and_lower(struct ptx_module *m, struct smw_err *e)
{
    uint64_t at = ISA_GLOBAL_BASE;

    for (uint32_t i = 0; i < m->n_symbols; i++) {
        if (m->symbols[i].space == ISA_SP_GLOBAL) {
            m->symbols[i].addr = at;
            at += (m->symbols[i].size + 255) & ~255ull;
        }
    }
    return ptx_lower(m, NULL, e);
}

/* Nothing of it is refused; else *e is the first reason. */
static inline bool lower_all(struct ptx_module *m, struct smw_err *e)
{
    if (!place_and_lower(m, e)) {
        return false;
    }
    if (ptx_refusals(m) > 0) {
        ptx_refusal(m, 0, e);
    }
    return ptx_refusals(m) == 0;
}

static inline struct ptx_module *load_text(const char *text)
{
    struct smw_err e;
    struct ptx_module *m;

    err_clear(&e);
    m = ptx_parse(text, strlen(text), "test.ptx", &e);
    if (m == NULL || !lower_all(m, &e)) {
        print_error("%u:%u: %s\n", e.line, e.column, e.message);
        fail();
    }
    return m;
}

/* Kernels, and how many of their micro-ops are of a kind. */
struct count_row {
    const char *name;
    uint32_t n;
    const char *text;
};

static inline void check_counts(const struct count_row *rows, size_t n_rows,
                                bool (*is_one)(const struct isa_uop *u))
{
    for (size_t i = 0; i < n_rows; i++) {
        struct ptx_module *m = load_text(rows[i].text);
        uint32_t n = 0;

        for (uint32_t k = 0; k < m->n_uops; k++) {
            n += is_one(&m->uops[k]);
        }
        ptx_free(m);
        if (n != rows[i].n) {
            print_error("%s: %u\n", rows[i].name, n);
            fail();
        }
    }
}

#endif /* PTX_FRONT_TEST_H */
