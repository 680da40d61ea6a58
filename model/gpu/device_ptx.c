/* device_ptx.c - PTX for the program's commands: what is supported, wrong, run. */
#include "gpu/device_priv.h"

#include <stdarg.h>
#include <stdio.h>

void smw_ptx_list(void (*line)(void *ctx, const char *text), void *ctx)
{
    if (line != NULL) {
        ptx_list(line, ctx);
    }
}

/* Parsed and lowered for nobody in particular. NULL or *ok false: *e says why. */
static struct ptx_module *read_module(const char *text, size_t size, const char *name,
                                      bool *ok, struct smw_err *e)
{
    struct ptx_module *m = NULL;

    if (size == 0 || err_given(text, "the text", e)) {
        m = ptx_parse(text, size, name, e);
    }
    *ok = m != NULL;
    for (uint32_t i = 0; *ok && i < m->n_symbols; i++) {
        if (m->symbols[i].space == ISA_SP_GLOBAL) {
            m->symbols[i].addr = ISA_GLOBAL_BASE; /* any place will do */
        }
    }
    *ok = *ok && ptx_lower(m, NULL, e);
    return m;
}

bool smw_ptx_check(const char *text, size_t size, const char *name,
                   void (*report)(void *ctx, const struct smw_err *e), void *ctx)
{
    struct smw_err e = {0};
    struct ptx_module *m;
    bool ok;

    if (report == NULL) {
        return false;
    }
    m = read_module(text, size, name, &ok, &e);
    for (uint32_t i = 0; m != NULL && i < ptx_refusals(m); i++) {
        struct smw_err refusal = {0};

        ptx_refusal(m, i, &refusal);
        report(ctx, &refusal);
    }
    if (!ok) {
        report(ctx, &e);
    }
    ok = ok && ptx_refusals(m) == 0;
    ptx_free(m);
    return ok;
}

/* ---- the kernels of a file ---- */

struct sink {
    void (*line)(void *ctx, const char *text);
    void *ctx;
};

static void say(const struct sink *to, const char *fmt, ...) ATTR_PRINTF(2, 3);

static void say(const struct sink *to, const char *fmt, ...)
{
    char text[512];
    va_list ap;

    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    to->line(to->ctx, text);
}

static void say_parameters(const struct sink *to, const struct ptx_kernel *k)
{
    for (uint32_t i = 0; i < k->n_params; i++) {
        const struct ptx_param *const p = &k->params[i];
        const bool one = isa_type_bits(p->type) == 8 * p->size;
        char size[32] = "";

        if (!one) {
            (void)snprintf(size, sizeof(size), "[%u]", p->size);
        }
        say(to, "    parameter   %4u  .%s %.120s%s%s", p->offset,
            isa_type_name(p->type), p->name, size, p->is_pointer ? ", a pointer" : "");
    }
}

static void say_uses(const struct sink *to, const struct ptx_module *m,
                     const struct ptx_kernel *k)
{
    static const char *const names[PTX_N_USES] = {[PTX_USE_F64] = "f64",
                                                  [PTX_USE_ATOMICS] = "atomics",
                                                  [PTX_USE_WARPS] =
                                                      "exchanges in warps",
                                                  [PTX_USE_BARRIERS] = "barriers",
                                                  [PTX_USE_FENCES] = "fences",
                                                  [PTX_USE_CALLS] = "calls",
                                                  [PTX_USE_PRINTF] = "printf",
                                                  [PTX_USE_ASSERT] = "assert"};
    const uint32_t uses = ptx_uses(m, k);
    char text[256] = "";
    size_t n = 0;

    for (uint32_t i = 0; i < PTX_N_USES; i++) {
        if ((uses >> i & 1) != 0) {
            n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s",
                                  n == 0 ? "" : ", ", names[i]);
        }
    }
    if (n != 0) {
        say(to, "    uses        %s", text);
    }
}

static bool has_dynamic(const struct ptx_kernel *k)
{
    bool found = false;

    for (uint32_t i = 0; i < k->n_shared; i++) {
        found |= k->shared[i].size == 0;
    }
    return found;
}

static void say_kernel(const struct sink *to, const struct ptx_module *m,
                       const struct ptx_kernel *k)
{
    struct smw_err e = {0};
    const char *what;
    uint32_t line, cc;

    say(to, "%.200s  %.200s", k->base_name, k->name);
    if (!ptx_can_run(m, k, &e)) {
        say(to, "    refused     line %u: %.200s", e.line, e.message);
        return;
    }
    cc = ptx_requires(m, k, &line, &what);
    say_parameters(to, k);
    say(to, "    registers   %u, estimated", k->regs);
    say(to, "    shared      %u bytes%s", k->shared_bytes,
        has_dynamic(k) ? ", and those of the launch" : "");
    if (k->local_bytes != 0) {
        say(to, "    local       %u bytes of a thread", k->local_bytes);
    }
    say_uses(to, m, k);
    if (cc > 10) {
        say(to, "    needs       %u.%u: %s, line %u", cc / 10, cc % 10, what, line);
    } else {
        say(to, "    needs       1.0");
    }
}

bool smw_ptx_kernels(const char *text, size_t size, const char *name,
                     void (*line)(void *ctx, const char *text), void *ctx,
                     struct smw_err *e)
{
    const struct sink to = {line, ctx};
    struct smw_err own;
    struct ptx_module *m;
    bool ok;

    e = err_or(e, &own);
    if (line == NULL) {
        return err_set(e, SMW_ERR_INPUT, "smw_ptx_kernels: line(): NULL");
    }
    m = read_module(text, size, name, &ok, e);
    for (uint32_t i = 0; ok && i < m->n_kernels; i++) {
        say_kernel(&to, m, &m->kernels[i]);
    }
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
