/* device_findings.c - what the checks found, for people; smw_finding(). */
#include "gpu/device_priv.h"

#include "base/nomem.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of each SM, and that of global memory behind them; NULL: nothing is checked. */
static const struct check *checker(const struct smw_device *d, uint32_t i)
{
    return i < d->gpu.n_sms              ? sm_check(d->gpu.sm[i])
           : d->gpu.shared.check != NULL ? check_global_findings(d->gpu.shared.check)
                                         : NULL;
}

/* Everything the SMs found, and what was found in global memory, the same pair of
 * instructions once. */
static void gather(void *arg)
{
    struct smw_device *const d = arg;

    d->n_findings = 0;
    for (uint32_t i = 0; i <= d->gpu.n_sms; i++) {
        const struct check *c = checker(d, i);

        for (uint32_t k = 0; c != NULL && k < check_n_findings(c); k++) {
            const struct check_finding *f = check_finding(c, k);
            uint32_t at = 0;

            while (at < d->n_findings && !check_is_same(&d->findings[at], f)) {
                at++;
            }
            if (at < d->n_findings) {
                check_merge(&d->findings[at], f);
                continue;
            }
            if (at == d->max_findings) {
                d->findings =
                    nomem_grow(d->findings, &d->max_findings, sizeof(d->findings[0]));
            }
            d->findings[d->n_findings++] = *f;
        }
    }
}

/* Errors first, then in the order in which they happened. */
static int compare(const void *x, const void *y)
{
    const struct check_finding *a = x, *b = y;

    if (check_is_earlier(a, b) || check_is_earlier(b, a)) {
        return check_is_earlier(a, b) ? -1 : 1;
    }
    if (a->side[1].pc != b->side[1].pc) {
        return a->side[1].pc < b->side[1].pc ? -1 : 1;
    }
    return a->side[0].pc < b->side[0].pc ? -1 : a->side[0].pc > b->side[0].pc;
}

uint32_t smw_findings(struct smw_device *d)
{
    uint32_t n = 0;

    if (d == NULL) {
        return 0;
    }
    if (!nomem_try(gather, d)) {
        (void)device_no_memory(d, NULL);
        return 0;
    }
    for (uint32_t i = 0; i < d->n_findings; i++) {
        if (!d->findings[i].raced && /* else the race says it all */
            d->findings[i].launch >= d->n_forgotten) {
            d->findings[n++] = d->findings[i];
        }
    }
    d->n_findings = n;
    if (n != 0) {
        qsort(d->findings, n, sizeof(d->findings[0]), compare);
    }
    return n;
}

uint64_t smw_findings_lost(const struct smw_device *d)
{
    return d != NULL && d->gpu.shared.check != NULL
               ? check_global_lost(d->gpu.shared.check)
               : 0;
}

uint64_t smw_findings_doubtful(const struct smw_device *d)
{
    uint64_t n = 0;

    for (uint32_t i = 0; d != NULL && i <= d->gpu.n_sms; i++) {
        const struct check *c = checker(d, i);

        n += c != NULL ? check_doubtful(c) : 0;
    }
    return n;
}

/* ---- names ---- */

/* "_ZZ13staticReversePiiE1s" -> "s": the last name inside a function's. */
static void local_name(const char *name, char *buf, size_t size)
{
    const char *from = name, *end = name + strlen(name);

    for (const char *e = strchr(name, 'E'); e != NULL && strncmp(name, "_ZZ", 3) == 0;
         e = strchr(e + 1, 'E')) {
        char *after;
        unsigned long n = isdigit((unsigned char)e[1]) ? strtoul(e + 1, &after, 10) : 0;

        if (n != 0 && n <= (unsigned long)(end - after) &&
            (after[n] == '\0' || after[n] == '_')) {
            from = after;
            end = after + n;
            break;
        }
    }
    (void)snprintf(buf, size, "%.*s", (int)(end - from), from);
}

static void name_buffer(const struct smw_device *d, const struct check_finding *f,
                        struct smw_finding *out)
{
    const struct memory_range *r = memory_find(&d->gpu.memory, f->addr);
    const struct memory_freed *was = memory_freed(&d->gpu.memory, f->addr);

    if (r != NULL || was != NULL) {
        (void)snprintf(out->array, sizeof(out->array), "%s",
                       r != NULL ? r->name : was->name);
        out->offset = f->addr - (r != NULL ? r->addr : was->addr);
        out->index = out->offset / f->size;
    }
}

static void name_array(const struct ptx_kernel *k, const struct check_finding *f,
                       struct smw_finding *out)
{
    for (uint32_t i = 0; i < k->n_shared; i++) {
        const struct ptx_shared_var *v = &k->shared[i];
        bool dynamic = v->size == 0 && f->addr >= k->dynamic_base;

        if (dynamic || (f->addr >= v->offset && f->addr - v->offset < v->size)) {
            local_name(v->name, out->array, sizeof(out->array));
            out->offset = f->addr - v->offset;
            out->index = out->offset / f->size;
            return;
        }
    }
}

void device_name_place(const struct smw_device *d, const struct ptx_kernel *k,
                       bool shared, uint64_t addr, uint8_t size, char *name, size_t n,
                       uint64_t *index)
{
    const struct check_finding f = {.addr = addr, .size = size};
    struct smw_finding out = {.array = ""};

    if (shared) {
        name_array(k, &f, &out);
    } else {
        name_buffer(d, &f, &out);
    }
    (void)snprintf(name, n, "%s", out.array);
    *index = out.index;
}

void device_coordinates(uint64_t linear, const uint32_t dim[3], uint32_t out[3])
{
    out[0] = (uint32_t)(linear % dim[0]);
    out[1] = (uint32_t)(linear / dim[0] % dim[1]);
    out[2] = (uint32_t)(linear / ((uint64_t)dim[0] * dim[1]));
}

static void describe_side(const struct smw_device *d, const struct check_finding *f,
                          const struct check_side *s, struct smw_party *out)
{
    const struct queued *q = &d->launch[f->launch];

    device_coordinates(s->block, q->args.grid, out->block);
    device_coordinates(s->thread, q->args.block, out->thread);
    out->write = (s->flags & CHECK_WRITE) != 0;
    out->atomic = (s->flags & CHECK_ATOMIC) != 0;
    out->is_volatile = (s->flags & CHECK_VOLATILE) != 0;
    out->copying = (s->flags & CHECK_ASYNC) != 0;
    out->cycle = s->cycle;
    out->pc = s->pc;
    (void)smw_module_inst(q->kernel->module, s->pc, &out->at);
}

/* ---- sentences ---- */

static const char *does(const struct smw_party *p)
{
    return p->copying  ? "copied to"
           : p->atomic ? "changed atomically"
           : p->write  ? "written"
                       : "read";
}

static void name_place(const struct smw_party *p, char *buf, size_t size)
{
    const char *file = p->at.file != NULL ? p->at.file : p->at.ptx_file;
    const struct smw_inlined *by = &p->at.inlined;
    int n = snprintf(buf, size, "%.80s:%u", ptx_base_name(file),
                     p->at.file != NULL ? p->at.line : p->at.ptx_line);

    if (by->n != 0) {
        (void)snprintf(buf + n, size - (size_t)n, " (inlined at %.80s:%u)",
                       ptx_base_name(by->at[by->n - 1].file), by->at[by->n - 1].line);
    }
}

static bool is_strong(const struct smw_party *p)
{
    return p->atomic || p->is_volatile;
}

static bool is_of_blocks(const struct smw_finding *f)
{
    return memcmp(f->first.block, f->second.block, sizeof(f->first.block)) != 0;
}

/* What would order the two. */
static const char *order_of(const struct smw_finding *f)
{
    if (is_of_blocks(f)) {
        return "an order of the blocks (an atomic or volatile flag with "
               "__threadfence() "
               "before it is written and after it is read, or another launch)";
    }
    if (f->first.copying) {
        return "a wait for the copy by the thread that began it (cp.async.wait_group), "
               "and behind that a barrier,";
    }
    return f->in_warp == f->count ? "a warp-level barrier"
           : f->space[0] == 'g'   ? "a barrier (or __threadfence() behind taking and "
                                    "before giving back a lock)"
                                  : "a barrier";
}

static void tell_missing(struct smw_finding *f, bool one_instruction)
{
    const char *what = order_of(f);
    char a[224], b[224];

    name_place(&f->first, a, sizeof(a));
    name_place(&f->second, b, sizeof(b));
    if (is_of_blocks(f) && is_strong(&f->first) && is_strong(&f->second)) {
        (void)snprintf(f->missing, sizeof(f->missing),
                       "a scope wider than .cta: at %s, for %s", a, b);
    } else if (one_instruction && f->first.write) {
        (void)snprintf(f->missing, sizeof(f->missing),
                       "nothing orders the threads of one instruction: let one of "
                       "them write, or all of them with an atomic, at %s",
                       a);
    } else if (strcmp(a, b) == 0) {
        (void)snprintf(f->missing, sizeof(f->missing),
                       "%s between the two accesses of %s, or between two rounds of "
                       "the loop around it",
                       what, a);
    } else {
        (void)snprintf(f->missing, sizeof(f->missing), "%s between %s and %s", what, a,
                       b);
    }
}

/* "thread (1,0,0)", in global memory with its block */
static void name_party(const struct smw_finding *f, const struct smw_party *p,
                       char *buf, size_t size)
{
    int n = snprintf(buf, size, "thread (%u,%u,%u)", p->thread[0], p->thread[1],
                     p->thread[2]);

    if (f->space[0] == 'g') {
        (void)snprintf(buf + n, size - (size_t)n, " of block (%u,%u,%u)", p->block[0],
                       p->block[1], p->block[2]);
    }
}

static void tell(struct smw_finding *f)
{
    const struct smw_party *a = &f->first, *b = &f->second;
    const char *at = f->space[0] == 'g' ? "" : "offset ";
    char place[96], who[2][80];

    if (f->array[0] != '\0') {
        (void)snprintf(place, sizeof(place), "%s[%llu]", f->array,
                       (unsigned long long)f->index);
    } else {
        (void)snprintf(place, sizeof(place), "the byte");
    }
    if (f->kind == SMW_UNINITIALISED) {
        (void)snprintf(f->message, sizeof(f->message),
                       "%s memory read before it was written: %s at %s0x%llx, "
                       "thread (%u,%u,%u) (%llu bytes in all)",
                       f->space, place, at, (unsigned long long)f->addr, b->thread[0],
                       b->thread[1], b->thread[2], (unsigned long long)f->count);
        return;
    }
    name_party(f, a, who[0], sizeof(who[0]));
    name_party(f, b, who[1], sizeof(who[1]));
    (void)snprintf(f->message, sizeof(f->message),
                   "race in %s memory: %s at %s0x%llx is %s by %s and %s by %s, and "
                   "nothing orders them (%llu hazard%s%s)",
                   f->space, place, at, (unsigned long long)f->addr, does(a), who[0],
                   does(b), who[1], (unsigned long long)f->count,
                   f->count == 1 ? "" : "s",
                   f->in_warp == f->count && !a->copying ? ", all inside one warp"
                                                         : "");
    tell_missing(f, f->first.at.function == f->second.at.function &&
                        f->first.at.offset == f->second.at.offset);
}

bool smw_finding(struct smw_device *d, uint32_t i, struct smw_finding *out)
{
    const struct check_finding *f;
    const struct queued *q;

    if (d == NULL || out == NULL || (i >= d->n_findings && i >= smw_findings(d))) {
        return false;
    }
    f = &d->findings[i];
    q = &d->launch[f->launch];
    memset(out, 0, sizeof(*out));
    out->kind = f->kind == CHECK_RACE ? SMW_RACE : SMW_UNINITIALISED;
    out->error = f->error;
    out->launch = f->launch - d->n_forgotten;
    out->kernel = q->kernel->ptx->name;
    device_coordinates(f->block, q->args.grid, out->block);
    out->space = f->space == CHECK_SHARED   ? "shared"
                 : f->space == CHECK_GLOBAL ? "global"
                                            : "local";
    out->addr = f->addr;
    out->bytes = f->size;
    out->count = f->count;
    out->raw = f->raw;
    out->war = f->war;
    out->waw = f->waw;
    out->in_warp = f->in_warp;
    if (f->space == CHECK_SHARED) {
        name_array(q->kernel->ptx, f, out);
    } else if (f->space == CHECK_GLOBAL) {
        name_buffer(d, f, out);
    }
    describe_side(d, f, &f->side[0], &out->first);
    describe_side(d, f, &f->side[1], &out->second);
    tell(out);
    return true;
}
