/* device_ptx.c - PTX for the program's commands: what is supported, wrong, run. */
#include "gpu/device_priv.h"

#include <stdio.h>

void smw_ptx_list(void (*line)(void *ctx, const char *text), void *ctx)
{
    if (line != NULL) {
        ptx_list(line, ctx);
    }
}

bool smw_ptx_check(const char *text, size_t size, const char *name,
                   void (*report)(void *ctx, const struct smw_err *e), void *ctx)
{
    struct smw_err e = {0};
    struct ptx_module *m = NULL;
    bool ok = report != NULL;

    if (ok && (size == 0 || err_given(text, "the text", &e))) {
        m = ptx_parse(text, size, name, &e);
    }
    ok = m != NULL;

    for (uint32_t i = 0; ok && i < m->n_symbols; i++) {
        if (m->symbols[i].space == ISA_SP_GLOBAL) {
            m->symbols[i].addr = ISA_GLOBAL_BASE; /* any place will do */
        }
    }
    ok = ok && ptx_lower(m, NULL, &e);
    for (uint32_t i = 0; m != NULL && i < ptx_refusals(m); i++) {
        struct smw_err refusal = {0};

        ptx_refusal(m, i, &refusal);
        report(ctx, &refusal);
    }
    if (!ok && report != NULL) {
        report(ctx, &e);
    }
    ok = ok && ptx_refusals(m) == 0;
    ptx_free(m);
    return ok;
}

void smw_disasm(const struct smw_module *m, void (*line)(void *ctx, const char *text),
                void *ctx)
{
    for (uint32_t pc = 0; m != NULL && line != NULL && pc < m->ptx->n_uops; pc++) {
        char inst[256], text[320];

        for (uint32_t k = 0; k < m->ptx->n_kernels; k++) {
            if (m->ptx->kernels[k].entry == pc) {
                struct smw_err e = {0};

                (void)snprintf(text, sizeof(text), "%s:", m->ptx->kernels[k].name);
                line(ctx, text);
                if (!ptx_can_run(m->ptx, &m->ptx->kernels[k], &e)) {
                    (void)snprintf(text, sizeof(text),
                                   "        refused, line %u: %.200s", e.line,
                                   e.message);
                    line(ctx, text);
                }
            }
        }
        ptx_disasm(m->ptx, pc, inst, sizeof(inst));
        (void)snprintf(text, sizeof(text), "%6u  %s", pc, inst);
        line(ctx, text);
    }
}

bool smw_show_order(const struct smw_module *m, const char *kernel,
                    void (*line)(void *ctx, const char *text), void *ctx,
                    struct smw_err *e)
{
    const struct ptx_kernel *k = NULL;
    struct smw_err own;

    e = err_or(e, &own);
    if (!err_given(m, "smw_show_order: the module", e) ||
        (line == NULL && !err_set(e, SMW_ERR_INPUT, "smw_show_order: line(): NULL"))) {
        return false;
    }
    if (kernel != NULL) {
        k = ptx_find_kernel(m->ptx, kernel, e);
        if (k == NULL) {
            return false;
        }
    }
    for (uint32_t i = 0; i < m->ptx->n_kernels; i++) {
        if (k == NULL || k == &m->ptx->kernels[i]) {
            ptx_show_order(m->ptx, &m->ptx->kernels[i], line, ctx);
        }
    }
    return true;
}
