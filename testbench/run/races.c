#include "run/races.h"

#include "io/diag.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *verb(const struct smw_party *p)
{
    return p->atomic ? "atomic" : p->write ? "write" : "read";
}

/* ---- findings ---- */

static void place_of(const struct smw_party *p, const char *what,
                     struct finding_place *out)
{
    out->what = what;
    out->file = p->at.file;
    out->line = p->at.line;
    out->inlined = p->at.inlined;
    out->ptx_file = p->at.ptx_file;
    out->ptx_line = p->at.ptx_line;
    out->pc = p->pc;
    memcpy(out->inst, p->at.text, sizeof(out->inst));
    out->has_thread = true;
    memcpy(out->block, p->block, sizeof(out->block));
    memcpy(out->thread, p->thread, sizeof(out->thread));
    out->cycle = p->cycle;
}

static void finding_of(const struct smw_finding *f, struct finding *out)
{
    memset(out, 0, sizeof(*out));
    out->rule = f->kind == SMW_UNINITIALISED ? "uninitialized-read"
                : f->error                   ? "race"
                                             : "warp-race";
    out->level = f->error ? FINDING_ERROR : FINDING_WARNING;
    snprintf(out->message, sizeof(out->message), "%s", f->message);
    if (f->missing[0] != '\0') {
        snprintf(out->detail, sizeof(out->detail), "missing: %s", f->missing);
    }
    out->kernel = f->kernel;
    place_of(&f->second, NULL, &out->at);
    if (f->kind == SMW_RACE) {
        place_of(&f->first, verb(&f->first), &out->other[out->n_other++]);
    }
    out->count = f->count;
    out->has_memory = true;
    out->space = f->space;
    out->addr = f->addr;
    snprintf(out->array, sizeof(out->array), "%s", f->array);
    out->offset = (int64_t)f->offset;
}

struct races races_find(struct smw_device *d, struct findings *l)
{
    uint32_t n = smw_findings(d);
    struct races r = {0};
    struct smw_finding f;
    struct finding x;

    for (uint32_t i = 0; i < n && smw_finding(d, i, &f); i++) {
        finding_of(&f, &x);
        findings_add(l, &x);
        r.errors += f.error;
        r.warnings += !f.error;
    }
    return r;
}

/* ---- the terminal ---- */

static const char *base(const char *file)
{
    const char *slash = strrchr(file, '/');

    return slash == NULL ? file : slash + 1;
}

static void show_party(const struct smw_party *p, bool with_block)
{
    char inlined[512];

    fprintf(stderr, "    %-6s ", verb(p));
    if (with_block) {
        fprintf(stderr, "block (%u,%u,%u) ", p->block[0], p->block[1], p->block[2]);
    }
    fprintf(stderr, "thread (%u,%u,%u), ", p->thread[0], p->thread[1], p->thread[2]);
    if (p->at.file != NULL) {
        smw_inlined_text(&p->at.inlined, inlined, sizeof(inlined));
        fprintf(stderr, "%s:%u%s, ", base(p->at.file), p->at.line, inlined);
    }
    fprintf(stderr, "%s:%u, pc %s+0x%x: %s, cycle %" PRIu64 "\n", base(p->at.ptx_file),
            p->at.ptx_line, p->at.function, p->at.offset, p->at.text, p->cycle);
}

/* Findings of the same two lines, whichever came first: what one missing barrier makes,
 * perhaps in many instructions and blocks. */
static bool is_same_place(const struct smw_party *a, const struct smw_party *b)
{
    return a->write == b->write && a->atomic == b->atomic && a->at.line == b->at.line &&
           strcmp(a->at.ptx_file, b->at.ptx_file) == 0 &&
           findings_called_alike(&a->at.inlined, &b->at.inlined) &&
           (a->at.file == NULL || b->at.file == NULL
                ? a->at.file == b->at.file && a->pc == b->pc
                : strcmp(a->at.file, b->at.file) == 0);
}

static bool is_same_cause(const struct smw_finding *a, const struct smw_finding *b)
{
    return a->kind == b->kind && a->error == b->error &&
           strcmp(a->kernel, b->kernel) == 0 && strcmp(a->space, b->space) == 0 &&
           ((is_same_place(&a->first, &b->first) &&
             is_same_place(&a->second, &b->second)) ||
            (is_same_place(&a->first, &b->second) &&
             is_same_place(&a->second, &b->first)));
}

/* Of one cause the finding with the most hazards is shown, the others are counted. */
static void show_others(uint32_t n, uint64_t hazards)
{
    if (n > 0) {
        fprintf(stderr,
                "    and %" PRIu32 " more pair%s of instructions of these lines, with "
                "%" PRIu64 " bytes\n",
                n, n == 1 ? "" : "s", hazards);
    }
}

static void show_counts(const struct smw_finding *f)
{
    const struct {
        uint64_t n;
        const char *what;
    } part[] = {{f->raw, "a read after a write"},
                {f->war, "a write after a read"},
                {f->waw, "a write after a write"},
                {f->in_warp, "inside one warp"}};

    fputs("    hazards, in bytes:", stderr);
    for (uint32_t i = 0, n = 0; i < ARRAY_LEN(part); i++) {
        if (part[i].n != 0) {
            fprintf(stderr, "%s %" PRIu64 " %s",
                    n++ == 0 ? ""
                    : i == 3 ? ";"
                             : ",",
                    part[i].n, part[i].what);
        }
    }
    fputc('\n', stderr);
}

static void show(const struct smw_finding *f, const char *path, const char *text)
{
    struct smw_err e = {0};

    err_set(&e, SMW_ERR_KERNEL, "%s", f->message);
    err_at(&e, path, text, f->second.at.ptx_line, 0, 0);
    if (f->error) {
        diag_error(&e);
    } else {
        diag_warning(&e);
    }
    fprintf(stderr, "    in kernel %s, block (%u,%u,%u)\n", f->kernel, f->block[0],
            f->block[1], f->block[2]);
    if (f->kind == SMW_RACE) {
        show_party(&f->first, f->space[0] == 'g');
        show_party(&f->second, f->space[0] == 'g');
        show_counts(f);
        fprintf(stderr, "    missing: %s\n", f->missing);
    } else {
        show_party(&f->second, false);
    }
}

static void show_lost(struct smw_device *d)
{
    const uint64_t n = smw_findings_lost(d), doubtful = smw_findings_doubtful(d);
    struct smw_err e = {0};

    if (n != 0) {
        err_set(&e, SMW_ERR_KERNEL,
                "races in global memory were not looked for to the end in %" PRIu64
                " launch%s: more flags or blocks than are kept (SPEC CHECK-5)",
                n, n == 1 ? "" : "es");
        diag_warning(&e);
    }
    if (doubtful != 0) {
        e = (struct smw_err){0};
        err_set(&e, SMW_ERR_KERNEL,
                "%" PRIu64 " write%s could race with reads of more warps than are kept "
                "of a byte: such a race is not told (SPEC CHECK-1)",
                doubtful, doubtful == 1 ? "" : "s");
        diag_warning(&e);
    }
}

/* The cause of finding i, if it is the first of that cause. */
static void show_cause(const struct smw_finding *found, uint32_t n, uint32_t i,
                       const char *path, const char *text)
{
    const struct smw_finding *worst = &found[i];
    uint64_t hazards = 0;
    uint32_t others = 0;

    for (uint32_t k = 0; k < n; k++) {
        if (!is_same_cause(&found[i], &found[k])) {
            continue;
        }
        if (k < i) {
            return; /* shown with that one */
        }
        hazards += found[k].count;
        others += k != i;
        worst = found[k].count > worst->count ? &found[k] : worst;
    }
    show(worst, path, text);
    show_others(others, hazards - worst->count);
}

void races_show(const struct host *h)
{
    uint32_t n = smw_findings(h->device);
    struct smw_err ignored = {0};
    struct smw_finding *found;
    size_t size = 0;
    char *text;

    show_lost(h->device);
    if (n == 0) {
        return;
    }
    text = file_read(h->module_path, UINT64_C(1) << 28, &size, SMW_ERR_IO, &ignored);
    found = tb_alloc(n * sizeof(*found));
    for (uint32_t i = 0; i < n; i++) {
        (void)smw_finding(h->device, i, &found[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        show_cause(found, n, i, h->module_path, text);
    }
    free(found);
    free(text);
}
