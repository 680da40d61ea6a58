/* Looking things up in a module, and the instruction list. */
#include "ptx/ptx_priv.h"

#include <stdio.h>
#include <string.h>

static const struct ptx_kernel *by_base_name(const struct ptx_module *m,
                                             const char *name, uint32_t *n)
{
    const struct ptx_kernel *found = NULL;

    *n = 0;
    for (uint32_t i = 0; i < m->n_kernels; i++) {
        const char *const base = m->kernels[i].base_name;
        const char *const colon = strrchr(base, ':');

        if (strcmp(base, name) == 0 ||
            (colon != NULL && strcmp(colon + 1, name) == 0)) {
            found = &m->kernels[i];
            (*n)++;
        }
    }
    return found;
}

static void candidates(const struct ptx_module *m, const char *name, struct smw_err *e)
{
    char text[sizeof(e->hint)] = "";
    size_t used = 0;

    for (uint32_t i = 0; i < m->n_kernels; i++) {
        const char *const base = m->kernels[i].base_name;
        const char *const colon = strrchr(base, ':');
        int n;

        if (strcmp(base, name) != 0 &&
            (colon == NULL || strcmp(colon + 1, name) != 0)) {
            continue;
        }
        n = snprintf(text + used, sizeof(text) - used, "%s%s", used > 0 ? ", " : "",
                     m->kernels[i].name);
        if (n < 0 || (size_t)n >= sizeof(text) - used) {
            break;
        }
        used += (size_t)n;
    }
    err_hint(e, "%s", text);
}

const struct ptx_kernel *ptx_find_kernel(const struct ptx_module *m, const char *name,
                                         struct smw_err *e)
{
    const struct ptx_kernel *k;
    const char **names;
    uint32_t n;
    const char *near;

    for (uint32_t i = 0; i < m->n_kernels; i++) {
        if (strcmp(m->kernels[i].name, name) == 0) {
            return &m->kernels[i];
        }
    }
    k = by_base_name(m, name, &n);
    if (n == 1) {
        return k;
    }
    if (n > 1) {
        err_set(e, SMW_ERR_INPUT, "%u kernels are called '%.128s'", n, name);
        err_code(e, SMW_CODE_NOT_FOUND);
        candidates(m, name, e);
        return NULL;
    }
    err_set(e, SMW_ERR_INPUT, "no kernel '%.128s' in %.128s", name, m->priv->name);
    err_code(e, SMW_CODE_NOT_FOUND);
    names = arena_alloc(&m->priv->arena, (2 * m->n_kernels + 1) * sizeof(names[0]));
    for (uint32_t i = 0; i < m->n_kernels; i++) {
        names[2 * i] = m->kernels[i].base_name;
        names[2 * i + 1] = m->kernels[i].name;
    }
    near = err_nearest(name, names, 2 * m->n_kernels);
    if (near != NULL) {
        err_hint(e, "did you mean '%.200s'?", near);
    } else if (m->n_kernels > 0) {
        err_hint(e, "it has '%.200s'%s", m->kernels[0].base_name,
                 m->n_kernels > 1 ? " and others" : "");
    }
    return NULL;
}

const struct ptx_symbol *ptx_find_symbol(const struct ptx_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->n_symbols; i++) {
        if (strcmp(m->symbols[i].name, name) == 0) {
            return &m->symbols[i];
        }
    }
    return NULL;
}
