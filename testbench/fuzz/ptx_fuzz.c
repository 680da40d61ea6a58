/*
 * ptx_fuzz.c - libFuzzer: any bytes as PTX. They are refused with a place, or load;
 * with zeros between them they are several texts, which are refused or linked.
 */
#include "ptx/ptx.h"
#include "smwave.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TEXTS = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void count(void *ctx, const struct smw_err *e)
{
    uint32_t *n = ctx;

    *n += e->kind != SMW_ERR_NONE && e->message[0] != '\0';
}

/* Every variable has an address of its own. */
static void place(struct ptx_module *m)
{
    for (uint32_t i = 0; i < m->n_symbols; i++) {
        if (m->symbols[i].space == ISA_SP_GLOBAL) {
            m->symbols[i].addr = ISA_GLOBAL_BASE + 256ull * i;
        }
    }
}

static void link_texts(const char *data, size_t size)
{
    struct smw_err e = {0};
    struct ptx_text t[MAX_TEXTS];
    struct ptx_module *m;
    uint32_t n = 0;

    while (n < MAX_TEXTS && size > 0) {
        const char *const zero = memchr(data, 0, size);
        const size_t k = zero != NULL ? (size_t)(zero - data) : size;

        t[n++] = (struct ptx_text){data, k, "fuzz.ptx"};
        data += k + (zero != NULL);
        size -= k + (zero != NULL);
    }
    m = ptx_parse_linked(t, n, PTX_HEAP, &e);
    if (m == NULL) {
        if (e.kind == SMW_ERR_NONE || e.message[0] == '\0') {
            abort();
        }
        return;
    }
    place(m);
    if (!ptx_lower(m, NULL, &e) && e.kind == SMW_ERR_NONE) {
        abort();
    }
    ptx_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t n = 0;

    if (memchr(data, 0, size) != NULL) {
        link_texts((const char *)data, size);
        return 0;
    }
    if (smw_ptx_check((const char *)data, size, "fuzz.ptx", count, &n) != (n == 0)) {
        abort(); /* a refusal without a reason */
    }
    return 0;
}
