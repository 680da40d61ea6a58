#include "run/init_file.h"

#include "io/value_type.h"
#include "run/config.h"
#include "run/init_facts.h"
#include "smwave.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The guesses. Small blocks fit more kernels: what is as large as a block of the real
 * program is then larger than it need be. A buffer has room for some elements of each
 * thread and for a square of the numbers, dynamic shared memory for some of each. */
enum { BLOCKS = 4, WARP = 32, THREADS = 64, SIDE_2 = 8, SIDE_3 = 4 };
enum { ELEMENTS_EACH = 16, SHARED_EACH = 16, SHARED_LEAST = 4096 };

struct writer {
    struct text *t;
    struct init_facts f;
    uint32_t grid[3], block[3];
    uint32_t number; /* for integers: threads in x */
    uint32_t n_buffers;
};

/* ---- words ---- */

static bool is_word(const char *s)
{
    if (!isalpha((unsigned char)*s) && *s != '_') {
        return false;
    }
    while (isalnum((unsigned char)*s) || *s == '_') {
        s++;
    }
    return *s == '\0';
}

/* As YAML: plain, or in quotes. */
static void add_yaml(struct text *t, const char *s)
{
    bool plain = isalnum((unsigned char)*s) || *s == '_' || *s == '.' || *s == '/';

    for (const char *c = s; *c != '\0'; c++) {
        plain = plain && (isalnum((unsigned char)*c) || strchr("_./-+", *c) != NULL);
    }
    if (plain) {
        text_add(t, "%s", s);
        return;
    }
    text_add(t, "\"");
    for (; *s != '\0'; s++) {
        if (*s == '"' || *s == '\\') {
            text_add(t, "\\%c", *s);
        } else if ((unsigned char)*s < ' ' || *s == 0x7f) {
            text_add(t, "\\x%02x", (unsigned)(unsigned char)*s);
        } else {
            text_add(t, "%c", *s);
        }
    }
    text_add(t, "\"");
}

const char *init_kernel_name(const struct ptx_module *m, const struct ptx_kernel *k)
{
    uint32_t same = 0;

    for (uint32_t i = 0; i < m->n_kernels; i++) {
        same += strcmp(m->kernels[i].base_name, k->base_name) == 0;
    }
    return same == 1 ? k->base_name : k->name;
}

char *init_name(const struct ptx_kernel *k)
{
    char *name = tb_printf("%s.yml", k->base_name);
    size_t n = strlen(name) - 4;

    for (size_t i = 0; i < n; i++) {
        if (!isalnum((unsigned char)name[i]) && name[i] != '_') {
            name[i] = '_';
        }
    }
    return name;
}

/* What the argument is called in the file: the parameter's name, where a person gave
 * it; offset: of a member in a structure. */
static char *argument_name(const struct writer *w, uint32_t param, int64_t offset)
{
    const struct ptx_param *p = &w->f.kernel->params[param];
    char *made = tb_printf("%s_param_%u", w->f.kernel->name, param);
    bool given = is_word(p->name) && strcmp(p->name, made) != 0 &&
                 strcmp(p->name, "nan") != 0 && strcmp(p->name, "inf") != 0;
    char *name = given ? tb_strdup(p->name) : tb_printf("arg%u", param);

    free(made);
    if (offset >= 0) {
        char *member = tb_printf("%s_at%" PRId64, name, offset);

        free(name);
        return member;
    }
    return name;
}

/* ---- guesses ---- */

static void guess_block(struct writer *w)
{
    const struct ptx_kernel *k = w->f.kernel;
    bool flat = !w->f.thread[1] && !w->f.thread[2];
    uint32_t side = w->f.thread[2] ? SIDE_3 : SIDE_2;
    uint32_t alone = k->shared_bytes > 0 ? WARP : THREADS;
    uint32_t limit =
        k->maxntid[0] == 0 ? UINT32_MAX : k->maxntid[0] * k->maxntid[1] * k->maxntid[2];

    for (uint32_t i = 0; i < 3; i++) {
        if (k->reqntid[0] != 0) {
            w->block[i] = k->reqntid[i];
        } else if (flat) {
            w->block[i] = i == 0 ? alone : 1;
        } else {
            w->block[i] = w->f.thread[i] || i == 0 ? side : 1;
        }
    }
    while (w->block[0] * w->block[1] * w->block[2] > limit && w->block[0] > 1) {
        w->block[0] /= 2;
    }
}

static void guess(struct writer *w)
{
    bool flat = !w->f.grid[1] && !w->f.grid[2];

    guess_block(w);
    for (uint32_t i = 0; i < 3; i++) {
        w->grid[i] = !w->f.grid[i] ? 1 : flat ? BLOCKS : 2;
    }
    w->number = w->grid[0] * w->block[0];
}

static enum value_type value_of(enum isa_type t)
{
    switch (t) {
    case ISA_T_U8:
    case ISA_T_B8: return VALUE_U8;
    case ISA_T_S8: return VALUE_S8;
    case ISA_T_U16:
    case ISA_T_B16: return VALUE_U16;
    case ISA_T_S16: return VALUE_S16;
    case ISA_T_S32: return VALUE_S32;
    case ISA_T_U64:
    case ISA_T_B64: return VALUE_U64;
    case ISA_T_S64: return VALUE_S64;
    case ISA_T_F32: return VALUE_F32;
    case ISA_T_F64: return VALUE_F64;
    default: return VALUE_U32;
    }
}

/* ---- buffers ---- */

static const char *use_of(const struct init_word *a)
{
    if (a == NULL || !a->is_address) {
        return "type and count are guesses";
    }
    if (a->atomic) {
        return "atomics; the count is a guess";
    }
    if (a->read && a->written) {
        return "read and written; the count is a guess";
    }
    return a->read ? "read; the count is a guess" : "written; the count is a guess";
}

static bool has_integers(const struct writer *w)
{
    const struct ptx_kernel *k = w->f.kernel;
    bool any = false;

    for (uint32_t i = 0; i < k->n_params; i++) {
        any = any || !(isa_type_is_float(k->params[i].type) ||
                       init_is_buffer(&w->f, &k->params[i]));
    }
    return any;
}

static void add_buffer(struct writer *w, const char *name, const struct init_word *a)
{
    bool known = a != NULL && a->is_address;
    const char *type = value_type_name(known ? value_of(a->element) : VALUE_U32);
    uint64_t threads = (uint64_t)w->grid[0] * w->grid[1] * w->grid[2] * w->block[0] *
                       w->block[1] * w->block[2];
    uint64_t square = has_integers(w) ? (uint64_t)w->number * w->number : 0;
    uint64_t count =
        ELEMENTS_EACH * threads > square ? ELEMENTS_EACH * threads : square;

    if (w->n_buffers++ == 0) {
        text_add(w->t,
                 "\n# An array in global memory for each pointer. init may be zero, "
                 "{fill: 1},\n"
                 "# {iota: [0, 1]} (0, 1, 2 ...), {file: data.npy} or\n"
                 "# {random: {seed: 1, modulo: 100}}.\n"
                 "buffers:\n");
    }
    text_add(w->t, "  %s: {type: %s, count: %" PRIu64 ", init: %s}  # %s\n", name, type,
             count, known && a->read && !a->atomic ? "{iota: [0, 1]}" : "zero",
             use_of(a));
}

/* Calls fn for each member of a structure: the word loaded from there, or, where none
 * is, NULL and the size of a piece that fills the gap. */
static void each_member(struct writer *w, uint32_t param,
                        void (*fn)(struct writer *w, uint32_t param, uint32_t at,
                                   const struct init_word *a, uint32_t size))
{
    const struct ptx_param *p = &w->f.kernel->params[param];
    uint32_t at = 0, size;

    while (at < p->size) {
        const struct init_word *a = init_word_at(&w->f, p->offset + at);

        if (a != NULL && a->size > 0 && at % a->size == 0 && at + a->size <= p->size) {
            size = a->size;
        } else {
            a = NULL;
            for (size = 1; size * 2 <= 4 && size * 2 <= p->align &&
                           at % (size * 2) == 0 && at + size * 2 <= p->size &&
                           init_word_at(&w->f, p->offset + at + size) == NULL;
                 size *= 2) {
            }
        }
        fn(w, param, at, a, size);
        at += size;
    }
}

static void member_buffer(struct writer *w, uint32_t param, uint32_t at,
                          const struct init_word *a, uint32_t size)
{
    (void)size;
    if (a != NULL && a->is_address && a->size == 8) {
        char *name = argument_name(w, param, at);

        add_buffer(w, name, a);
        free(name);
    }
}

static bool is_structure(const struct ptx_param *p)
{
    return p->type == ISA_T_B8 && p->size != 1;
}

static void add_buffers(struct writer *w)
{
    const struct ptx_kernel *k = w->f.kernel;

    for (uint32_t i = 0; i < k->n_params; i++) {
        const struct ptx_param *p = &k->params[i];

        if (is_structure(p)) {
            each_member(w, i, member_buffer);
        } else if (init_is_buffer(&w->f, p)) {
            char *name = argument_name(w, i, -1);

            add_buffer(w, name, init_word_at(&w->f, p->offset));
            free(name);
        }
    }
}

static void add_symbols(struct writer *w)
{
    const struct ptx_module *m = w->f.module;
    bool any = false;

    for (uint32_t i = 0; i < m->n_symbols; i++) {
        const struct ptx_symbol *s = &m->symbols[i];

        if (s->init != NULL || s->size == 0 || !is_word(s->name) ||
            (s->space != ISA_SP_GLOBAL && s->space != ISA_SP_CONST)) {
            continue;
        }
        text_add(w->t, "%s#   %s: {fill: 1}\n",
                 any ? ""
                     : "\n# Variables of the module that hold zeros unless they are "
                       "given values:\n# symbols:\n",
                 s->name);
        any = true;
    }
}

/* ---- launches ---- */

static void add_number(struct writer *w, enum isa_type t)
{
    if (isa_type_is_float(t)) {
        text_add(w->t, "1.0");
    } else {
        text_add(w->t, "%u", isa_type_bits(t) == 8 ? 1 : w->number);
    }
}

static void add_member(struct writer *w, uint32_t param, uint32_t at,
                       const struct init_word *a, uint32_t size)
{
    static const char *const fill[] = {"", "u8", "u16", "", "u32"};

    text_add(w->t, at == 0 ? "" : ", ");
    if (a == NULL) {
        text_add(w->t, "{%s: 0}", fill[size]);
    } else if (a->is_address && a->size == 8) {
        char *name = argument_name(w, param, at);

        text_add(w->t, "%s", name);
        free(name);
    } else {
        text_add(w->t, "{%s: ", value_type_name(value_of(a->type)));
        add_number(w, a->type);
        text_add(w->t, "}");
    }
}

static void add_arg(struct writer *w, uint32_t param)
{
    const struct ptx_param *p = &w->f.kernel->params[param];
    const char *comment = is_word(p->name) ? p->name : "";
    char *name = argument_name(w, param, -1);

    text_add(w->t, "      - ");
    if (is_structure(p)) {
        text_add(w->t, "[");
        each_member(w, param, add_member);
        text_add(w->t, "]  # a structure of %u bytes, by its members: %s\n", p->size,
                 comment);
    } else if (!init_is_buffer(&w->f, p)) {
        add_number(w, p->type);
        text_add(w->t, "  # a guess; %s, %s\n", isa_type_name(p->type), comment);
    } else if (strcmp(name, p->name) == 0) {
        text_add(w->t, "%s\n", name);
    } else {
        text_add(w->t, "%s  # %s\n", name, comment);
    }
    free(name);
}

static void add_extent(struct writer *w, const char *key, const uint32_t n[3],
                       const char *why)
{
    text_add(w->t, "    %s: [%u", key, n[0]);
    if (n[1] > 1 || n[2] > 1) {
        text_add(w->t, ", %u", n[1]);
    }
    if (n[2] > 1) {
        text_add(w->t, ", %u", n[2]);
    }
    text_add(w->t, "]  # %s\n", why);
}

static void add_shared(struct writer *w)
{
    const struct ptx_kernel *k = w->f.kernel;
    uint32_t threads = w->block[0] * w->block[1] * w->block[2], element = 0;
    const char *name = "";

    for (uint32_t i = 0; i < k->n_shared; i++) {
        const struct ptx_shared_var *s = &k->shared[i];

        if (s->size != 0) {
            continue;
        }
        if (s->align > element) {
            element = s->align;
            name = s->name;
        }
    }
    if (element != 0) {
        uint32_t bytes = threads * SHARED_EACH;

        text_add(w->t, "    shared: %u  # bytes of %s, sized at launch; a guess\n",
                 bytes > SHARED_LEAST ? bytes : SHARED_LEAST, name);
    }
    if (k->shared_bytes > 0) {
        text_add(w->t, "    # static shared memory: %u bytes\n", k->shared_bytes);
    }
}

static void add_launch(struct writer *w)
{
    const struct ptx_kernel *k = w->f.kernel;
    char why[96] = "threads of a block: a guess";

    text_add(w->t, "\nlaunches:\n  - kernel: ");
    add_yaml(w->t, init_kernel_name(w->f.module, k));
    text_add(w->t, "\n");
    add_extent(w, "grid", w->grid, "blocks: a guess");
    if (k->reqntid[0] != 0) {
        snprintf(why, sizeof(why), "threads of a block: .reqntid");
    } else if (k->maxntid[0] != 0) {
        snprintf(why, sizeof(why), "threads of a block: a guess; .maxntid %u, %u, %u",
                 k->maxntid[0], k->maxntid[1], k->maxntid[2]);
    }
    add_extent(w, "block", w->block, why);
    add_shared(w);
    if (k->n_params > 0) {
        text_add(w->t, "    args:\n");
    }
    for (uint32_t i = 0; i < k->n_params; i++) {
        add_arg(w, i);
    }
}

/* ---- the rest ---- */

static uint32_t capability_of(const char *preset)
{
    struct smw_config *c = config_new();
    struct smw_err e = {0};
    char value[32] = "";
    uint32_t cc = 0;

    if (smw_config_preset(c, preset, &e) &&
        smw_config_show(c, "gpu.compute_capability", value, sizeof(value))) {
        cc = (uint32_t)(10 * strtoul(value, NULL, 10) +
                        strtoul(value + strcspn(value, ".") + 1, NULL, 10));
    }
    smw_config_free(c);
    return cc;
}

/* gtx480, or the first preset of the lowest capability that has what the kernel
 * uses. */
static void add_config(struct writer *w)
{
    enum { GTX480_CC = 20 };
    const char *what = NULL, *best = NULL;
    uint32_t line = 0, best_cc = UINT32_MAX;
    uint32_t need = ptx_requires(w->f.module, w->f.kernel, &line, &what);

    for (uint32_t i = 0; need > GTX480_CC && smw_preset_name(i) != NULL; i++) {
        uint32_t cc = capability_of(smw_preset_name(i));

        if (cc >= need && cc < best_cc) {
            best = smw_preset_name(i);
            best_cc = cc;
        }
    }
    if (best != NULL) {
        text_add(w->t,
                 "config: %s  # a device with %s (line %u needs capability %u.%u)\n",
                 best, what, line, need / 10, need % 10);
    } else {
        text_add(w->t, "config: gtx480  # the device; 'smwave devices' lists them\n");
    }
}

/* A buffer whose contents are worth a look. */
static char *result_name(const struct writer *w)
{
    const struct ptx_kernel *k = w->f.kernel;

    for (uint32_t i = 0; i < k->n_params; i++) {
        const struct init_word *a = init_word_at(&w->f, k->params[i].offset);

        if (!is_structure(&k->params[i]) && a != NULL && (a->written || a->atomic)) {
            return argument_name(w, i, -1);
        }
    }
    return tb_strdup("NAME");
}

static void add_expect(struct writer *w)
{
    char *name = result_name(w);

    text_add(
        w->t,
        "\n# What must come out; a difference ends the run with exit code 1.\n"
        "# expect:\n"
        "#   - {buffer: %s, equals: {iota: [0, 2]}}\n"
        "#   - {buffer: %s, count: 10, equals: {file: data.npy}, tolerance: 1e-6}\n",
        name, name);
    free(name);
}

void init_write(struct text *t, const struct ptx_module *m, const struct ptx_kernel *k,
                const char *module, const char *name)
{
    struct writer *w = tb_alloc(sizeof(*w));

    *w = (struct writer){.t = t};
    init_facts(&w->f, m, k);
    guess(w);
    text_add(t,
             "# A launch file for kernel %s, filled in from its PTX. To run it:\n#\n",
             init_kernel_name(m, k));
    text_add(t, "#   smwave run %s\n#\n", name);
    text_add(t,
             "# What is a guess says so. If an access is out of bounds or misaligned, "
             "a buffer,\n"
             "# shared memory or the block is smaller than the kernel takes it to be, "
             "or one of\n"
             "# its numbers too large. If it never ends, a number it loops over may "
             "be wrong;\n"
             "# after a deadlock, the number of threads.\n");
    text_add(t, "module: ");
    add_yaml(t, module);
    text_add(t, "\n");
    add_config(w);
    add_buffers(w);
    add_symbols(w);
    add_launch(w);
    add_expect(w);
    free(w);
}

/* ---- reading ---- */

struct ptx_module *init_read(const char *path, struct smw_err *e)
{
    enum { MAX_MODULE_BYTES = 256 << 20 };
    struct ptx_module *m;
    size_t size = 0;
    char *text;

    if (file_ends(path, ".cu")) {
        err_set(e, SMW_ERR_INPUT, "'%s' is CUDA C, a module is PTX", path);
        err_hint(e, "'smwave cc -ptx -lineinfo %.200s' translates it", path);
        return NULL;
    }
    text = file_read(path, MAX_MODULE_BYTES, &size, SMW_ERR_INPUT, e);
    m = text == NULL ? NULL : ptx_parse(text, size, path, e);
    free(text);
    if (m == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < m->n_symbols; i++) {
        if (m->symbols[i].space == ISA_SP_GLOBAL) {
            m->symbols[i].addr = ISA_GLOBAL_BASE; /* any place will do */
        }
    }
    if (!ptx_lower(m, NULL, e)) {
        ptx_free(m);
        return NULL;
    }
    return m;
}

const struct ptx_kernel *init_kernel(const struct ptx_module *m, const char *path,
                                     const char *name, struct smw_err *e)
{
    const struct ptx_kernel *k = m->kernels;

    if (name != NULL) {
        k = ptx_find_kernel(m, name, e);
    } else if (m->n_kernels != 1) {
        err_set(e, SMW_ERR_INPUT,
                m->n_kernels == 0
                    ? "'%s' has no kernel"
                    : "'%s' has several kernels: name one of them behind it",
                path);
        return NULL;
    }
    return k != NULL && ptx_can_run(m, k, e) ? k : NULL;
}
