#include "session/record.h"

#include "io/diag.h"
#include "io/file.h"
#include "io/outdir.h"
#include "run/config.h"
#include "session/reach.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct recorded_module {
    const struct smw_module *module;
    char *files; /* below dir, as a launch file names them: "module.ptx", "[a, b]" */
};

struct record_device {
    struct smw_device *device;
    char *config; /* below dir */
    uint64_t base;
    struct recorded_module *modules;
    uint32_t n_modules;
    char *latest; /* the launch file of its latest recorded launch; NULL: none */
};

struct record {
    char *dir;
    struct record_device on[RT_DEVICES];
    uint32_t n_configs, n_modules; /* so far */
    bool stopped;                  /* after an error, which was said */
    struct text yml;               /* of the launch that is on its way; empty: none */
    char *name;                    /* "3-kernel" */
    struct reach before;
};

/* ---- what launches share ---- */

static void stop(struct record *r, const struct smw_err *e)
{
    if (!r->stopped) {
        diag_error(e);
        diag_hint("the launches that follow are not recorded");
    }
    r->stopped = true;
}

struct record *record_new(const char *dir)
{
    struct record *r;

    if (dir == NULL) {
        return NULL;
    }
    r = tb_alloc(sizeof(*r));
    r->dir = tb_strdup(dir);
    return r;
}

/* "config.yml", "config-2.yml" ... of a device. */
static char *numbered(const char *stem, const char *end, uint32_t n)
{
    return n == 1 ? tb_printf("%s%s", stem, end)
                  : tb_printf("%s-%u%s", stem, (unsigned)n, end);
}

void record_device(struct record *r, uint32_t device, struct smw_device *d,
                   const struct smw_config *c)
{
    struct record_device *on;
    struct smw_err e = {0};
    struct text t = {0};

    if (r == NULL || r->stopped) {
        return;
    }
    on = &r->on[device];
    *on = (struct record_device){.device = d};
    on->base = RT_ADDRESS_FIRST + device * SMW_ADDRESS_SPAN;
    on->config = numbered("config", ".yml", ++r->n_configs);
    config_print(c, &t);
    if (!text_write(r->dir, on->config, &t, &e)) {
        stop(r, &e);
    }
}

void record_module(struct record *r, uint32_t device, struct smw_module *m,
                   const struct smw_text *text, uint32_t n)
{
    struct record_device *on;
    struct recorded_module *at;
    struct smw_err e = {0};
    struct text files = {0};

    if (r == NULL || r->stopped) {
        return;
    }
    on = &r->on[device];
    on->modules = tb_realloc(on->modules, (on->n_modules + 1) * sizeof(*on->modules));
    at = &on->modules[on->n_modules++];
    for (uint32_t i = 0; i < n; i++) {
        char *name = numbered("module", ".ptx", ++r->n_modules);
        char *path = file_join(r->dir, name);

        text_add(&files, "%s%s", i == 0 ? (n > 1 ? "[" : "") : ", ", name);
        if (!r->stopped && !file_write(path, text[i].text, text[i].size, &e)) {
            stop(r, &e);
        }
        free(path);
        free(name);
    }
    text_add(&files, "%s", n > 1 ? "]" : "");
    *at = (struct recorded_module){.module = m, .files = tb_strdup(files.s)};
    text_free(&files);
}

/* Those that were loaded before, so that their variables lie where they did. */
static void add_modules(struct record *r, const struct record_device *on,
                        const struct recorded_module *last)
{
    if (last != on->modules) {
        text_add(&r->yml, "modules:\n");
    }
    for (const struct recorded_module *m = on->modules; m != last; m++) {
        text_add(&r->yml, "  - %s\n", m->files);
    }
    text_add(&r->yml, "module: %s\n", last->files);
}

static const struct recorded_module *module_of(const struct record *r,
                                               const struct rt_launch_seen *l)
{
    const struct record_device *on = &r->on[l->device];

    for (uint32_t i = 0; i < on->n_modules; i++) {
        if (on->modules[i].module == l->module) {
            return &on->modules[i];
        }
    }
    return NULL;
}

/* ---- a launch ---- */

/* A name for files: the letters and digits of the kernel's, no more than 40. */
static char *name_of(const struct rt_launch_seen *l)
{
    char word[41];
    size_t n = 0;

    for (const char *s = smw_kernel_name(l->kernel); *s != '\0' && n < 40; s++) {
        bool plain = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') ||
                     (*s >= '0' && *s <= '9') || *s == '_';

        word[n++] = plain ? *s : '_';
    }
    word[n] = '\0';
    return tb_printf("%" PRIu64 "-%s", l->number, word);
}

static void piece_name(const struct reach *r, uint32_t i, char *buf, size_t size)
{
    if (r->at[i].symbol != NULL) {
        snprintf(buf, size, "%s", r->at[i].symbol);
    } else {
        snprintf(buf, size, "b%u", (unsigned)i);
    }
}

static bool is_zero(const unsigned char *p, uint64_t n)
{
    return n == 0 || (p[0] == 0 && memcmp(p, p + 1, n - 1) == 0);
}

/* {file: 3-kernel.b0.bin} and that file, or the words for zeros. */
static bool add_contents(struct record *r, const char *piece, const char *when,
                         const unsigned char *data, uint64_t n, struct smw_err *e)
{
    char *file, *path;
    bool ok;

    if (is_zero(data, n)) {
        text_add(&r->yml, "fill: 0");
        return true;
    }
    file = tb_printf("%s.%s%s.bin", r->name, piece, when);
    path = file_join(r->dir, file);
    ok = file_write(path, data, n, e);
    text_add(&r->yml, "file: %s", file);
    free(path);
    free(file);
    return ok;
}

static void add_whence(struct record *r, const struct reach_piece *p)
{
    char name[256];

    if (p->is_argument) {
        text_add(&r->yml, "  # its address is in byte %" PRIu64 " of the arguments",
                 p->offset);
    } else {
        piece_name(&r->before, p->from, name, sizeof(name));
        text_add(&r->yml, "  # found in %s at byte %" PRIu64, name, p->offset);
    }
    text_add(&r->yml, "%s\n",
             p->host ? "; it was the host's memory, which lies elsewhere: without "
                       "address"
                     : "");
}

static bool add_pieces(struct record *r, bool symbols, struct smw_err *e)
{
    const struct reach *reach = &r->before;
    bool any = false, ok = true;

    for (uint32_t i = 0; ok && i < reach->n; i++) {
        const struct reach_piece *p = &reach->at[i];
        char name[256];

        if ((p->symbol != NULL) != symbols) {
            continue;
        }
        if (!any) {
            text_add(&r->yml, symbols ? "symbols:\n" : "buffers:\n");
            any = true;
        }
        piece_name(reach, i, name, sizeof(name));
        if (symbols) {
            text_add(&r->yml, "  %s: {type: u8, ", name);
            ok = add_contents(r, name, "", p->data, p->bytes, e);
            text_add(&r->yml, "}\n");
            continue;
        }
        add_whence(r, p);
        text_add(&r->yml, "  %s:\n    type: u8\n    count: %" PRIu64 "\n", name,
                 p->bytes);
        if (!p->host) {
            text_add(&r->yml, "    address: 0x%" PRIx64 "\n", p->addr);
        }
        text_add(&r->yml, "    init: {");
        ok = add_contents(r, name, "", p->data, p->bytes, e);
        text_add(&r->yml, "}\n");
    }
    return ok;
}

/* size bytes as numbers of as many bytes as their alignment lets. */
static void add_struct(struct text *t, const unsigned char *v, uint32_t size,
                       uint32_t align)
{
    uint32_t unit = align >= 8 ? 8 : align >= 4 ? 4 : align >= 2 ? 2 : 1;

    while (size % unit != 0) {
        unit /= 2;
    }
    text_add(t, "[");
    for (uint32_t i = 0; i < size; i += unit) {
        uint64_t word = 0;

        memcpy(&word, v + i, unit);
        text_add(t, "%s{u%u: 0x%" PRIx64 "}", i > 0 ? ", " : "", (unsigned)unit * 8,
                 word);
    }
    text_add(t, "]");
}

static void add_args(struct record *r, const struct rt_launch_seen *l)
{
    const unsigned char *params = l->launch->params;
    struct text *t = &r->yml;
    struct smw_param p;

    text_add(t, "    args: [");
    for (uint32_t i = 0; smw_kernel_param(l->kernel, i, &p); i++) {
        const struct reach_piece *piece;
        uint64_t v = 0;

        text_add(t, "%s", i > 0 ? ", " : "");
        if (p.size > 8 || p.type[0] == 'b') {
            add_struct(t, params + p.offset, p.size, p.align);
            continue;
        }
        memcpy(&v, params + p.offset, p.size);
        piece = p.size == 8 && p.type[0] != 'f' ? reach_at(&r->before, v) : NULL;
        if (piece != NULL && piece->symbol == NULL) {
            text_add(t, "b%u", (unsigned)(piece - r->before.at));
        } else {
            text_add(t, "{u%u: 0x%" PRIx64 "}", (unsigned)p.size * 8, v);
        }
    }
    text_add(t, "]\n");
}

static void add_launch(struct record *r, const struct rt_launch_seen *l,
                       uint64_t begin_ps)
{
    static const char *const caches[] = {"none", "shared", "l1", "equal"};
    const struct smw_launch *a = l->launch;
    struct text *t = &r->yml;

    text_add(t,
             "launches:\n  - kernel: %s\n    grid: [%u, %u, %u]\n    block: [%u, %u, "
             "%u]\n",
             smw_kernel_name(l->kernel), a->grid[0], a->grid[1], a->grid[2],
             a->block[0], a->block[1], a->block[2]);
    if (begin_ps > 0) {
        text_add(t, "    begin_ps: %" PRIu64 "\n", begin_ps);
    }
    if (a->shared > 0) {
        text_add(t, "    shared: %" PRIu64 "\n", a->shared);
    }
    if (a->opt_in_shared) {
        text_add(t, "    opt_in_shared: true\n");
    }
    if (a->has_carveout) {
        text_add(t, "    carveout: %u\n", a->carveout);
    }
    if (a->cache_config != SMW_CACHE_NONE) {
        text_add(t, "    cache_config: %s\n", caches[a->cache_config]);
    }
    if (a->bank_mode != 0) {
        text_add(t, "    bank_mode: %u\n", a->bank_mode);
    }
    if (a->regs != 0) {
        text_add(t, "    regs: %u\n", a->regs);
    }
    if (a->cooperative) {
        text_add(t, "    cooperative: true\n");
    }
    if (a->cluster[0] != 0) {
        text_add(t, "    cluster: [%u, %u, %u]\n", a->cluster[0], a->cluster[1],
                 a->cluster[2]);
    }
    if (smw_kernel_params(l->kernel) > 0) {
        add_args(r, l);
    }
}

void record_before(struct record *r, const struct rt_launch_seen *l)
{
    const struct record_device *on;
    const struct recorded_module *m;
    struct smw_err e = {0};
    bool ok;

    if (r == NULL || r->stopped || !l->timed) {
        return;
    }
    on = &r->on[l->device];
    m = module_of(r, l);
    if (m == NULL || !smw_synchronize(l->on, &e)) {
        return; /* a fault of a launch before: the program is told */
    }
    r->name = name_of(l);
    text_add(&r->yml, "# launch %" PRIu64 " of a program, recorded\n", l->number);
    add_modules(r, on, m);
    text_add(&r->yml, "config: %s\naddress_base: 0x%" PRIx64 "\n", on->config,
             on->base);
    if (on->latest != NULL) {
        text_add(&r->yml, "after: %s\n", on->latest);
    }
    ok = reach_find(&r->before, l->on, l->module, l->launch->params,
                    l->launch->param_bytes, &e) &&
         add_pieces(r, false, &e) && add_pieces(r, true, &e);
    if (r->before.more) {
        text_add(&r->yml, "# more buffers can be reached than are here\n");
    }
    if (!ok) {
        stop(r, &e);
    }
}

/* ---- afterwards ---- */

static bool add_expectations(struct record *r, struct smw_device *d, struct smw_err *e)
{
    const struct reach *reach = &r->before;
    bool ok = true;

    text_add(&r->yml, "%s", reach->n > 0 ? "expect:\n" : "");
    for (uint32_t i = 0; ok && i < reach->n; i++) {
        const struct reach_piece *p = &reach->at[i];
        unsigned char *now = tb_alloc(p->bytes);
        char name[256];

        piece_name(reach, i, name, sizeof(name));
        ok = smw_read(d, p->addr, now, p->bytes, e);
        text_add(&r->yml, "  - {%s: %s, %sequals: {", p->symbol ? "symbol" : "buffer",
                 name, p->symbol ? "type: u8, " : "");
        ok = ok &&
             add_contents(r, name, memcmp(now, p->data, p->bytes) == 0 ? "" : ".after",
                          now, p->bytes, e);
        text_add(&r->yml, "}}\n");
        free(now);
    }
    return ok;
}

static void forget(struct record *r)
{
    text_free(&r->yml);
    reach_free(&r->before);
    free(r->name);
    r->name = NULL;
}

void record_after(struct record *r, const struct rt_launch_seen *l)
{
    struct record_device *on;
    struct smw_result result;
    struct smw_err e = {0}, fault = {0};
    bool over, began;
    char *file;

    if (r == NULL || r->name == NULL) {
        return;
    }
    if (r->stopped) {
        forget(r);
        return;
    }
    over = smw_synchronize(l->on, &fault);
    /* Only now is it known when it began: what the host does before takes time. */
    began = smw_result(l->on, l->result, &result) && result.started;
    add_launch(r, l, began ? result.start_ps : 0);
    if (!over) {
        text_add(&r->yml, "# it did not come to its end\n");
    } else if (!add_expectations(r, l->on, &e)) {
        stop(r, &e);
    }
    file = tb_printf("%s.yml", r->name);
    if (!text_write(r->dir, file, &r->yml, &e)) {
        stop(r, &e);
    }
    on = &r->on[l->device];
    free(on->latest);
    on->latest = file;
    forget(r);
}

void record_close(struct record *r, uint32_t device)
{
    struct record_device *on;

    if (r == NULL) {
        return;
    }
    on = &r->on[device];
    for (uint32_t i = 0; i < on->n_modules; i++) {
        free(on->modules[i].files);
    }
    free(on->latest);
    free(on->modules);
    free(on->config);
    *on = (struct record_device){0};
}

void record_free(struct record *r)
{
    if (r == NULL) {
        return;
    }
    for (uint32_t i = 0; i < RT_DEVICES; i++) {
        record_close(r, i);
    }
    forget(r);
    free(r->dir);
    free(r);
}
