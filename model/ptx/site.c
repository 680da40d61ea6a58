/*
 * Calls that the compiler inlined. `.loc f l c, function_name g, inlined_at F L C` says
 * that what follows was called at F L C; if that was inlined too, a `.loc F L C` with
 * its own inlined_at stands before.
 */
#include "ptx/ptx_priv.h"

#include <string.h>

static uint64_t key_of(uint32_t file, uint32_t line, uint32_t column)
{
    return (uint64_t)file << 48 ^ (uint64_t)line << 16 ^ column;
}

static bool is_there(const struct ptx_site *s, uint32_t file, uint32_t line,
                     uint32_t column)
{
    return s->file == file && s->line == line && s->column == column;
}

uint32_t ptx_site(struct ptx_parser *p, uint32_t file, uint32_t line, uint32_t column)
{
    struct ptx_private *pr = p->pr;
    const uint64_t key = key_of(file, line, column);
    const uint32_t *caller;
    uint32_t *known;
    bool found;

    if (p->sites == NULL) {
        p->sites = ptx_map_new(p->a);
        p->callers = ptx_map_new(p->a);
    }
    known = ptx_map_at(p->sites, key, &found);
    if (found && is_there(&pr->site[*known], file, line, column)) {
        return *known + 1;
    }
    *known = pr->n_site;
    caller = ptx_map_at(p->callers, key, &found);
    *PTX_PUSH(p->a, pr->site, pr->n_site, pr->cap_site) =
        (struct ptx_site){file, line, column, found ? *caller : 0};
    return pr->n_site;
}

void ptx_site_caller(struct ptx_parser *p, uint32_t file, uint32_t line,
                     uint32_t column, uint32_t caller)
{
    bool found;

    *ptx_map_at(p->callers, key_of(file, line, column), &found) = caller;
}

const struct ptx_site *ptx_inlined(const struct ptx_module *m, uint32_t pc, uint32_t i)
{
    const struct isa_uop *u = &m->uops[pc];
    uint32_t site = u->src_line == 0 ? 0 : u->inlined;

    while (site != 0 && i-- > 0) {
        const uint32_t caller = m->sites[site - 1].caller;

        site = caller < site ? caller : 0; /* they stand before */
    }
    if (site == 0 || m->sites[site - 1].file >= m->n_files ||
        m->files[m->sites[site - 1].file] == NULL) {
        return NULL;
    }
    return &m->sites[site - 1];
}

const char *ptx_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}
