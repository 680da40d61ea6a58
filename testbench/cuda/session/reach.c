#include "session/reach.h"

#include "io/file.h"
#include <stdlib.h>
#include <string.h>

const struct reach_piece *reach_at(const struct reach *r, uint64_t addr)
{
    for (uint32_t i = 0; i < r->n; i++) {
        if (r->at[i].addr == addr) {
            return &r->at[i];
        }
    }
    return NULL;
}

static bool take(struct reach *r, struct smw_device *d, const struct reach_piece *p,
                 struct smw_err *e)
{
    struct reach_piece *at = &r->at[r->n];

    if (r->n == REACH_MOST) {
        r->more = true;
        return true;
    }
    *at = *p;
    at->data = tb_alloc(p->bytes);
    r->n++;
    return smw_read(d, p->addr, at->data, p->bytes, e);
}

/* The addresses among n bytes, which are the argument block or piece from. */
static bool scan(struct reach *r, struct smw_device *d, const void *bytes, uint64_t n,
                 uint32_t from, bool is_argument, struct smw_err *e)
{
    for (uint64_t i = 0; i + 8 <= n; i += 8) {
        struct smw_allocation a;
        uint64_t v;

        memcpy(&v, (const char *)bytes + i, sizeof(v));
        if (v == 0 || !smw_find(d, v, &a)) {
            continue;
        }
        if (!is_argument) {
            r->at[from].refers = true;
        }
        if (reach_at(r, a.addr) == NULL &&
            !take(r, d,
                  &(struct reach_piece){.addr = a.addr,
                                        .bytes = a.bytes,
                                        .host = a.host != NULL,
                                        .from = from,
                                        .offset = i,
                                        .is_argument = is_argument},
                  e)) {
            return false;
        }
    }
    return true;
}

static bool take_symbols(struct reach *r, struct smw_device *d,
                         const struct smw_module *m, struct smw_err *e)
{
    const char *name;

    for (uint32_t i = 0; smw_symbol_at(m, i, &name); i++) {
        struct reach_piece p = {.symbol = name};

        if (!smw_symbol_address(m, name, &p.addr, &p.bytes, e)) {
            return false;
        }
        if (p.bytes > 0 && !take(r, d, &p, e)) {
            return false;
        }
    }
    return true;
}

bool reach_find(struct reach *r, struct smw_device *d, const struct smw_module *m,
                const void *params, uint32_t param_bytes, struct smw_err *e)
{
    *r = (struct reach){.at = tb_alloc(REACH_MOST * sizeof(*r->at))};
    if (!take_symbols(r, d, m, e) || !scan(r, d, params, param_bytes, 0, true, e)) {
        return false;
    }
    for (uint32_t i = 0; i < r->n; i++) {
        if (!scan(r, d, r->at[i].data, r->at[i].bytes, i, false, e)) {
            return false;
        }
    }
    return true;
}

void reach_free(struct reach *r)
{
    for (uint32_t i = 0; i < r->n; i++) {
        free(r->at[i].data);
    }
    free(r->at);
    *r = (struct reach){0};
}
