/* choose.c - the entry for a device. */
#include "fatbin/fatbin_priv.h"

#include <stdio.h>

const char *fatbin_target_name(const struct fatbin_entry *x, char *buf, size_t size)
{
    const char suffix[2] = {x->suffix, '\0'};

    snprintf(buf, size, "%s_%u%s", x->kind == FATBIN_ELF ? "sm" : "compute",
             (unsigned)x->target, suffix);
    return buf;
}

/* "a" code runs on its very capability, "f" code on those of its family: the same
 * major number, not before. CUDA programming guide, "Compute capabilities". */
static bool runs_on(const struct fatbin_entry *x, uint32_t cc)
{
    switch (x->suffix) {
    case 'a': return x->target == cc;
    case 'f': return x->target <= cc && x->target / 10 == cc / 10;
    default: return x->target <= cc;
    }
}

static void add(char *list, size_t size, size_t *n, const char *word)
{
    const int k = snprintf(list + *n, size - *n, "%s%s", *n > 0 ? ", " : "", word);

    *n = k < 0 || (size_t)k >= size - *n ? size - 1 : *n + (size_t)k;
}

/* What the image has: of PTX, or of everything. */
static void list_targets(const struct fatbin *f, const struct fatbin_image *image,
                         bool ptx_only, char *list, size_t size)
{
    size_t n = 0;
    char word[24];

    list[0] = '\0';
    for (uint32_t i = image->first; i < image->first + image->n; i++) {
        const struct fatbin_entry *const x = &f->entry[i];

        if ((!ptx_only || x->kind == FATBIN_PTX) && n + 1 < size) {
            add(list, size, &n, fatbin_target_name(x, word, sizeof(word)));
        }
    }
}

static enum fatbin_choice nothing(const struct fatbin *f,
                                  const struct fatbin_image *image, uint32_t cc,
                                  bool has_ptx, struct smw_err *e)
{
    char list[160];

    list_targets(f, image, has_ptx, list, sizeof(list));
    if (has_ptx) {
        err_set(e, SMW_ERR_INPUT,
                "%s: the PTX in it is for %s, which a device of capability %u.%u "
                "does not run",
                image->where, list, (unsigned)cc / 10, (unsigned)cc % 10);
    } else if (list[0] != '\0') {
        err_set(e, SMW_ERR_INPUT,
                "%s: there is machine code for %s alone: PTX is needed", image->where,
                list);
    } else {
        err_set(e, SMW_ERR_INPUT, "%s: an empty fat binary", image->where);
    }
    err_hint(e, "compile with -gencode arch=compute_%u,code=compute_%u", (unsigned)cc,
             (unsigned)cc);
    return has_ptx ? FATBIN_TOO_NEW : FATBIN_NO_PTX;
}

enum fatbin_choice fatbin_choose(const struct fatbin *f, uint32_t i, uint32_t cc,
                                 uint32_t *entry, struct smw_err *e)
{
    const struct fatbin_image *const image = &f->image[i];
    const struct fatbin_entry *best = NULL;
    bool has_ptx = false;

    for (uint32_t k = image->first; k < image->first + image->n; k++) {
        const struct fatbin_entry *const x = &f->entry[k];

        if (x->kind != FATBIN_PTX) {
            continue;
        }
        has_ptx = true;
        if (runs_on(x, cc) && (best == NULL || x->target > best->target ||
                               (x->target == best->target && best->suffix == '\0'))) {
            best = x;
        }
    }
    if (best == NULL) {
        return nothing(f, image, cc, has_ptx, e);
    }
    *entry = (uint32_t)(best - f->entry);
    return FATBIN_FOUND;
}
