/* cmd_fatbin.c - "smwave fatbin": the code for devices in programs, objects, libraries
 * and fat binaries, listed and taken out. */
#include "cmd/commands.h"
#include "fatbin/fatbin.h"
#include "io/cli.h"
#include "io/outdir.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 256, TARGET_SIZE = 24 };
#define MAX_FILE                                                                       \
    ((uint64_t)1 << 32) /* bytes; a library of many kernels has some 10^9 */

struct options {
    const char *word[MAX_WORDS];
    uint32_t n;
    const char *dir, *arch; /* NULL: not said */
    bool json;
};

static const struct argp_option option_table[] = {
    {"arch", 'a', "TARGET", 0,
     "extract: what is for this target, sm_80 or compute_90a; else everything", 0},
    {"json", 'j', NULL, 0, "list: print JSON, an array of entries", 0},
    {"output", 'o', "DIR", 0, "extract: write to this directory; else to this one", 0},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;

    switch (key) {
    case 'a': o->arch = arg; return 0;
    case 'j': o->json = true; return 0;
    case 'o': o->dir = arg; return 0;
    case ARGP_KEY_ARG:
        if (o->n == MAX_WORDS) {
            argp_error(state, "more than %d files", MAX_WORDS - 1);
        }
        o->word[o->n++] = arg;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "list or extract?"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp fatbin_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "list FILE...\nextract FILE",
    .doc =
        "List the code for devices in programs, objects, libraries, archives and fat "
        "binaries, or write each part of it to a file: PTX as NAME.1.sm_80.ptx, "
        "machine code as NAME.2.sm_80.cubin."
        "\vThe model runs PTX. A program that nvcc made has it if its -gencode "
        "options ask for code=compute_XX, or if it was compiled with -arch=sm_XX.",
};

struct loaded {
    char *bytes;
    struct fatbin f;
};

static bool load(struct loaded *l, const char *path, struct smw_err *e)
{
    size_t size = 0;

    memset(l, 0, sizeof(*l));
    l->bytes = file_read(path, MAX_FILE, &size, SMW_ERR_INPUT, e);
    return l->bytes != NULL && fatbin_read_file(l->bytes, size, path, &l->f, e);
}

static void unload(struct loaded *l)
{
    fatbin_free(&l->f);
    free(l->bytes);
}

static const char *kind_word(enum fatbin_kind kind)
{
    switch (kind) {
    case FATBIN_PTX: return "ptx";
    case FATBIN_ELF: return "elf";
    case FATBIN_IR: return "ir";
    case FATBIN_OTHER: break;
    }
    return "unknown";
}

static const char *packing_word(enum fatbin_packing packing)
{
    switch (packing) {
    case FATBIN_PLAIN: return "plain";
    case FATBIN_LZ4: return "lz4";
    case FATBIN_ZSTD: return "zstd";
    }
    return "";
}

/* ---- list ---- */

struct row { /* an entry, to be printed */
    const char *file;
    const struct fatbin_image *image;
    const struct fatbin_entry *x;
    uint32_t number; /* in its file, from 1 */
    uint64_t size;   /* bytes without padding */
    json_t *kernels;
};

static void add_kernel(void *ctx, const char *name, size_t n)
{
    json_t *const s = json_stringn(name, n); /* NULL if it is no UTF-8 */

    (void)json_array_append_new(ctx, s != NULL ? s : json_string("?"));
}

/* What is to be known only by unpacking it. */
static bool look_inside(struct row *r, struct smw_err *e)
{
    size_t size = 0;
    char *data;

    r->size = r->x->size;
    if (r->x->kind != FATBIN_PTX && r->x->kind != FATBIN_ELF) {
        return true;
    }
    data = fatbin_unpack(r->x, r->image->where, &size, e);
    if (data == NULL) {
        return false;
    }
    r->size = size;
    fatbin_kernels(r->x->kind, data, size, add_kernel, r->kernels);
    free(data);
    return true;
}

static void print_row(const struct row *r, bool first_of_image)
{
    const struct fatbin_entry *const x = r->x;
    char target[TARGET_SIZE];

    if (first_of_image) {
        diag_print("%s", r->image->where);
        if (r->image->section[0] != '\0') {
            diag_print(": %s at byte %llu", r->image->section,
                       (unsigned long long)r->image->offset);
        }
        diag_print("%s\n", r->image->to_link ? ", to be linked" : "");
    }
    diag_print("  %-3u %-7s  %-12s  %-5s  %9llu bytes%s%s%s\n", (unsigned)r->number,
               kind_word(x->kind), fatbin_target_name(x, target, sizeof(target)),
               packing_word(x->packing), (unsigned long long)r->size,
               x->debug ? "  debug" : "", x->source != NULL ? "  " : "",
               x->source != NULL ? x->source : "");
    for (size_t i = 0; i < json_array_size(r->kernels); i++) {
        diag_print("        %s\n", json_string_value(json_array_get(r->kernels, i)));
    }
}

static json_t *text_or_null(const char *s)
{
    json_t *const text = s != NULL && s[0] != '\0' ? json_string(s) : NULL;

    return text != NULL ? text : json_null();
}

static json_t *object_of(const struct row *r)
{
    const struct fatbin_entry *const x = r->x;
    json_t *const o = json_object();
    char target[TARGET_SIZE];

    (void)json_object_set_new(o, "file", text_or_null(r->file));
    (void)json_object_set_new(o, "where", text_or_null(r->image->where));
    (void)json_object_set_new(o, "section", text_or_null(r->image->section));
    (void)json_object_set_new(o, "offset", json_integer((json_int_t)r->image->offset));
    (void)json_object_set_new(o, "link", json_boolean(r->image->to_link));
    (void)json_object_set_new(o, "number", json_integer(r->number));
    (void)json_object_set_new(o, "kind", json_string(kind_word(x->kind)));
    (void)json_object_set_new(o, "target",
                              json_string(
                                  fatbin_target_name(x, target, sizeof(target))));
    (void)json_object_set_new(o, "packing", json_string(packing_word(x->packing)));
    (void)json_object_set_new(o, "stored", json_integer((json_int_t)x->stored));
    (void)json_object_set_new(o, "bytes", json_integer((json_int_t)r->size));
    (void)json_object_set_new(o, "debug", json_boolean(x->debug));
    (void)json_object_set_new(o, "source", text_or_null(x->source));
    (void)json_object_set(o, "kernels", r->kernels);
    return o;
}

/* The entries of one file, printed or added to all. */
static bool list_file(const char *path, json_t *all, struct smw_err *e)
{
    struct loaded l;
    bool ok = load(&l, path, e);

    for (uint32_t i = 0; ok && i < l.f.n_images; i++) {
        const struct fatbin_image *const image = &l.f.image[i];

        for (uint32_t k = image->first; ok && k < image->first + image->n; k++) {
            struct row r = {.file = path,
                            .image = image,
                            .x = &l.f.entry[k],
                            .number = k + 1,
                            .kernels = json_array()};

            ok = look_inside(&r, e);
            if (ok && all != NULL) {
                (void)json_array_append_new(all, object_of(&r));
            } else if (ok) {
                print_row(&r, k == image->first);
            }
            json_decref(r.kernels);
        }
    }
    unload(&l);
    return ok;
}

static int list(const struct options *o)
{
    json_t *const all = o->json ? json_array() : NULL;
    int code = TB_OK;

    for (uint32_t i = 1; i < o->n; i++) {
        struct smw_err e = {0};

        if (!list_file(o->word[i], all, &e)) {
            code = (int)diag_error(&e);
        }
    }
    if (all != NULL) {
        (void)json_dumpf(all, stdout, JSON_INDENT(2));
        putchar('\n');
        json_decref(all);
    }
    return code;
}

/* ---- extract ---- */

/* "sm_90a", "compute_90a" and "90a" ask for the same. */
static bool is_wanted(const struct fatbin_entry *x, const char *arch)
{
    char target[TARGET_SIZE];
    const char *wanted = strrchr(arch, '_');

    (void)fatbin_target_name(x, target, sizeof(target));
    wanted = wanted != NULL ? wanted + 1 : arch;
    return strcmp(strrchr(target, '_') + 1, wanted) == 0;
}

static bool extract_entry(const struct options *o, const struct loaded *l, uint32_t k,
                          const char *where, const char *stem, struct smw_err *e,
                          bool quiet)
{
    const struct fatbin_entry *const x = &l->f.entry[k];
    char target[TARGET_SIZE];
    char *name, *path, *data;
    size_t size = 0;
    bool ok;

    data = fatbin_unpack(x, where, &size, e);
    if (data == NULL) {
        return false;
    }
    (void)fatbin_target_name(x, target, sizeof(target));
    name = tb_printf("%s.%u.sm_%s.%s", stem, (unsigned)k + 1, strrchr(target, '_') + 1,
                     x->kind == FATBIN_PTX ? "ptx" : "cubin");
    path = o->dir != NULL ? file_join(o->dir, name) : tb_strdup(name);
    ok = outdir_make_parents(path, e) && file_write(path, data, size, e);
    if (ok && !quiet) {
        diag_print("%s\n", path);
    }
    free(path);
    free(name);
    free(data);
    return ok;
}

static bool refuse_arch(const struct loaded *l, const char *path, const char *arch,
                        struct smw_err *e)
{
    struct text there = {0};
    char target[TARGET_SIZE];

    for (uint32_t k = 0; k < l->f.n_entries; k++) {
        (void)fatbin_target_name(&l->f.entry[k], target, sizeof(target));
        if (there.s == NULL || strstr(there.s, target) == NULL) {
            text_add(&there, "%s%s", there.n > 0 ? ", " : "", target);
        }
    }
    (void)err_set(e, SMW_ERR_INPUT, "%s has nothing for %s", path, arch);
    err_hint(e, "it has %s", there.s);
    text_free(&there);
    return false;
}

static bool extract(const struct options *o, bool quiet, struct smw_err *e)
{
    const char *const path = o->word[1];
    char *const stem = file_stem(path);
    struct loaded l;
    uint32_t n = 0;
    bool ok = load(&l, path, e);

    for (uint32_t i = 0; ok && i < l.f.n_images; i++) {
        const struct fatbin_image *const image = &l.f.image[i];

        for (uint32_t k = image->first; ok && k < image->first + image->n; k++) {
            const struct fatbin_entry *const x = &l.f.entry[k];

            if ((x->kind == FATBIN_PTX || x->kind == FATBIN_ELF) &&
                (o->arch == NULL || is_wanted(x, o->arch))) {
                ok = extract_entry(o, &l, k, image->where, stem, e, quiet);
                n++;
            }
        }
    }
    if (ok && n == 0) {
        ok = o->arch != NULL
                 ? refuse_arch(&l, path, o->arch, e)
                 : err_set(e, SMW_ERR_INPUT, "%s has no PTX and no machine code", path);
    }
    unload(&l);
    free(stem);
    return ok;
}

int cmd_fatbin(int argc, char **argv)
{
    enum { LIST, EXTRACT };
    static const char *const commands[] = {"list", "extract"};
    struct options o = {.n = 0};
    const struct cli_common said = cli_parse(&fatbin_argp, argc, argv, &o);
    struct smw_err e = {0};
    int i;

    i = cli_choose("fatbin", "command", o.word[0], commands, ARRAY_LEN(commands));
    if (i < 0) {
        return TB_USAGE;
    }
    if (i == LIST) {
        if (o.dir != NULL || o.arch != NULL) {
            return diag_usage("fatbin", "%s is of extract",
                              o.dir != NULL ? "--output" : "--arch");
        }
        return o.n < 2 ? (int)diag_usage("fatbin", "list takes the files to look into")
                       : list(&o);
    }
    if (o.json) {
        return diag_usage("fatbin", "--json is of list");
    }
    if (o.n != 2) {
        return diag_usage("fatbin", "extract takes one file");
    }
    return extract(&o, said.quiet, &e) ? TB_OK : (int)diag_error(&e);
}
