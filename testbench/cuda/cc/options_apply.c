/* options_apply.c - what each option means. */
#include "cc/options_priv.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FILES = 8 }; /* of options inside each other */

static bool read_bool(struct option_reader *r, const struct option_row *row,
                      const char *value, bool *out)
{
    if (strcmp(value, "true") != 0 && strcmp(value, "false") != 0) {
        return err_set(r->e, SMW_ERR_USAGE, "-%s is true or false, not '%s'",
                       row->brief, value);
    }
    *out = strcmp(value, "true") == 0;
    return true;
}

static bool set_mode(struct option_reader *r, enum cc_mode mode)
{
    r->o->mode = mode;
    return true;
}

static bool set_word(char **word, const char *value)
{
    free(*word);
    *word = tb_strdup(value);
    return true;
}

/* Makefiles of the first programs still name what came before it. */
enum { OLDEST_TARGET = 20 };

/* What PTX there is a name for; devices that run it are the model's matter. */
static const char *const targets[] = {
    "sm_10",  "sm_11",  "sm_12",  "sm_13",  "sm_20",     "sm_21",  "sm_30",
    "sm_32",  "sm_35",  "sm_37",  "sm_50",  "sm_52",     "sm_53",  "sm_60",
    "sm_61",  "sm_62",  "sm_70",  "sm_72",  "sm_75",     "sm_80",  "sm_86",
    "sm_87",  "sm_89",  "sm_90",  "sm_90a", "sm_100",    "sm_101", "sm_103",
    "sm_120", "sm_121", "native", "all",    "all-major",
};

/* sm_75 and compute_75 are the same here: both are PTX. */
static bool add_target(struct option_reader *r, const char *option, const char *word)
{
    struct cc_options *o = r->o;
    struct cc_target t = {0};
    char name[24], *end;
    bool known = false;

    snprintf(name, sizeof(name), "%s%s", strncmp(word, "compute_", 8) == 0 ? "sm_" : "",
             word + (strncmp(word, "compute_", 8) == 0 ? 8 : 0));
    for (uint32_t i = 0; i < ARRAY_LEN(targets); i++) {
        known |= strcmp(name, targets[i]) == 0;
    }
    if (!known) {
        const char *near = err_nearest(name, targets, ARRAY_LEN(targets));

        err_set(r->e, SMW_ERR_USAGE, "%s: unknown architecture '%s'", option, word);
        if (near != NULL) {
            err_hint(r->e, "did you mean '%s'?", near);
        }
        return false;
    }
    if (strncmp(name, "sm_", 3) != 0) {
        cc_add(&o->notes, "%s %s: compiled for compute_%d, which newer devices run",
               option, word, CC_DEFAULT_TARGET);
        return true;
    }
    t.number = (uint32_t)strtoul(name + 3, &end, 10);
    t.suffix = *end;
    if (t.number < OLDEST_TARGET) {
        cc_add(&o->notes, "%s %s: compiled for compute_%d, the oldest that clang knows",
               option, word, OLDEST_TARGET);
        t.number = OLDEST_TARGET;
    }
    for (uint32_t i = 0; i < o->n_targets; i++) {
        if (o->target[i].number == t.number && o->target[i].suffix == t.suffix) {
            return true;
        }
    }
    if (o->n_targets == CC_MAX_TARGETS) {
        return err_set(r->e, SMW_ERR_USAGE, "more than %d architectures",
                       CC_MAX_TARGETS);
    }
    o->target[o->n_targets++] = t;
    return true;
}

/* arch=compute_75,code=[sm_75,compute_75]: the PTX is that of arch. */
static bool read_gencode(struct option_reader *r, const char *value)
{
    const char *arch = strstr(value, "arch=");
    char name[24];

    if (arch == NULL) {
        return err_set(r->e, SMW_ERR_USAGE, "-gencode: 'arch=' is missing in '%s'",
                       value);
    }
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(arch + 5, ","), arch + 5);
    return add_target(r, "-gencode", name);
}

/* Folders and libraries of an installed toolkit would be found before ours. */
static bool add_include(struct option_reader *r, const char *flag, const char *dir)
{
    char *header = file_join(dir, "cuda_runtime.h");
    char *real = realpath(header, NULL), *ours = NULL;

    if (r->root != NULL) {
        char *path = tb_printf("%s/include/cuda_runtime.h", r->root);

        ours = realpath(path, NULL);
        free(path);
    }
    if (real != NULL && (ours == NULL || strcmp(real, ours) != 0)) {
        cc_add(&r->o->notes, "%s %s: a toolkit's headers are not used", flag, dir);
    } else {
        cc_add(&r->o->preprocess, "%s", flag);
        cc_add(&r->o->preprocess, "%s", dir);
    }
    free(header);
    free(real);
    free(ours);
    return true;
}

void cc_add_input(struct option_reader *r, const char *word, enum cc_language language)
{
    struct cc_options *o = r->o;

    o->input = tb_realloc(o->input, (o->n_inputs + 1) * sizeof(*o->input));
    o->input[o->n_inputs++] =
        (struct cc_input){.word = tb_strdup(word), .language = language};
}

/* Libraries of the toolkit that the runtime takes the place of. */
static bool add_library(struct option_reader *r, const char *name)
{
    static const char *const ours[] = {"cudart", "cudart_static", "cudadevrt",
                                       "culibos"};
    char *word;

    for (uint32_t i = 0; i < ARRAY_LEN(ours); i++) {
        if (strcmp(name, ours[i]) == 0) {
            cc_add(&r->o->notes, "-l%s: libsmwave_cudart stands in its place", name);
            return true;
        }
    }
    word = strcmp(name, "cuda") == 0 ? tb_strdup("-l:libcuda.so.1")
                                     : tb_printf("-l%s", name);
    cc_add_input(r, word, CC_TO_LINKER);
    free(word);
    return true;
}

/* a,b of -Xcompiler; "\," is a comma. Makefiles write several options between quotes
 * too, with spaces between them, and quotes around one with commas: a shell takes those
 * words apart behind nvcc. */
static void add_list(struct cc_words *l, const char *prefix, const char *value)
{
    char *word = tb_alloc(strlen(value) + 1);
    char quote = '\0';
    size_t n = 0;

    for (;; value++) {
        if (*value != '\0' && *value == quote) {
            quote = '\0';
        } else if (quote == '\0' && (*value == '"' || *value == '\'')) {
            quote = *value;
        } else if (*value == '\0' ||
                   (quote == '\0' && (*value == ',' || *value == ' '))) {
            word[n] = '\0';
            if (n > 0) {
                cc_add(l, "%s%s", prefix, word);
            }
            n = 0;
            if (*value == '\0') {
                break;
            }
        } else {
            value += *value == '\\' && value[1] == ',';
            word[n++] = *value;
        }
    }
    free(word);
}

static bool set_language(struct option_reader *r, const char *value)
{
    static const char *const names[] = {"cu", "c++", "c"};
    static const enum cc_language languages[] = {CC_CUDA, CC_CXX, CC_C};

    for (uint32_t i = 0; i < ARRAY_LEN(names); i++) {
        if (strcmp(value, names[i]) == 0) {
            r->language = languages[i];
            r->has_language = true;
            return true;
        }
    }
    return err_set(r->e, SMW_ERR_USAGE, "-x knows cu, c++ and c, not '%s'", value);
}

static bool set_number(struct option_reader *r, const struct option_row *row,
                       const char *value, uint32_t most, uint32_t *out)
{
    char *end;
    unsigned long n = strtoul(value, &end, 10);

    if (end == value || *end != '\0' || value[0] == '-' || n > most) {
        return err_set(r->e, SMW_ERR_USAGE, "-%s wants a number up to %u, not '%s'",
                       row->brief, (unsigned)most, value);
    }
    *out = (uint32_t)n;
    return true;
}

static bool set_standard(struct option_reader *r, const char *value)
{
    static const char *const known[] = {"c++03",   "c++11",   "c++14",   "c++17",
                                        "c++20",   "c++23",   "gnu++11", "gnu++14",
                                        "gnu++17", "gnu++20", "c99",     "c11",
                                        "c17",     "gnu99",   "gnu11",   "c++0x",
                                        "c++2a"};

    for (uint32_t i = 0; i < ARRAY_LEN(known); i++) {
        if (strcmp(value, known[i]) == 0) {
            return set_word(&r->o->std, value);
        }
    }
    err_set(r->e, SMW_ERR_USAGE, "-std: unknown standard '%s'", value);
    if (err_nearest(value, known, ARRAY_LEN(known)) != NULL) {
        err_hint(r->e, "did you mean '%s'?",
                 err_nearest(value, known, ARRAY_LEN(known)));
    }
    return false;
}

static bool set_stream(struct option_reader *r, const char *value)
{
    r->o->per_thread = strcmp(value, "per-thread") == 0;
    if (!r->o->per_thread && strcmp(value, "legacy") != 0 &&
        strcmp(value, "null") != 0) {
        return err_set(r->e, SMW_ERR_USAGE,
                       "-default-stream is legacy, null or per-thread, not '%s'",
                       value);
    }
    return true;
}

static bool set_cudart(struct option_reader *r, const char *value)
{
    r->o->no_runtime = strcmp(value, "none") == 0;
    if (!r->o->no_runtime && strcmp(value, "static") != 0 &&
        strcmp(value, "shared") != 0) {
        return err_set(r->e, SMW_ERR_USAGE,
                       "-cudart is static, shared or none, not '%s'", value);
    }
    return true;
}

static bool set_optimise(struct option_reader *r, const struct option_row *row,
                         const char *value)
{
    uint32_t n = 0;

    if (!set_number(r, row, value, 3, &n)) {
        return false;
    }
    snprintf(r->o->optimise, sizeof(r->o->optimise), "-O%u", (unsigned)n);
    return true;
}

/* Options of GCC stand in such a file a word each, quoted as for a shell. */
bool cc_read_file(struct option_reader *r, const char *path)
{
    size_t size;
    char *text = file_read(path, 1 << 24, &size, SMW_ERR_INPUT, r->e), *word;
    struct cc_words l = {0};
    bool ok;

    if (text == NULL) {
        return false;
    }
    if (r->files == MAX_FILES) {
        free(text);
        return err_set(r->e, SMW_ERR_USAGE, "%s: files of options in %d files", path,
                       MAX_FILES);
    }
    word = tb_alloc(size + 1);
    for (const char *s = text; *s != '\0';) {
        size_t n = 0;
        char quote = '\0';

        s += strspn(s, " \t\r\n");
        for (; *s != '\0' && (quote != '\0' || strchr(" \t\r\n", *s) == NULL); s++) {
            if (*s == quote) {
                quote = '\0';
            } else if (quote == '\0' && (*s == '"' || *s == '\'')) {
                quote = *s;
            } else {
                s += *s == '\\' && s[1] != '\0' && quote != '\'';
                word[n++] = *s;
            }
        }
        word[n] = '\0';
        if (n > 0) {
            cc_add(&l, "%s", word);
        }
    }
    r->files++;
    ok = cc_read_words(r, l.w, l.n);
    r->files--;
    cc_words_free(&l);
    free(word);
    free(text);
    return ok;
}

/* -arch takes one, -code a list that is the same to PTX. */
static bool read_code(struct option_reader *r, const char *value)
{
    if (r->o->n_targets > 0) {
        return true; /* the PTX is that of -arch */
    }
    while (*value != '\0') {
        char name[24];
        size_t n = strcspn(value, ",");

        snprintf(name, sizeof(name), "%.*s", (int)n, value);
        if (!add_target(r, "-code", name)) {
            return false;
        }
        value += n + (value[n] == ',');
    }
    return true;
}

bool cc_apply_value(struct option_reader *r, const struct option_row *row,
                    const char *value)
{
    struct cc_options *o = r->o;
    bool yes = true;

    switch (row->id) {
    case OUTPUT: return set_word(&o->output, value);
    case DEPS_FILE: return set_word(&o->deps_file, value);
    case DEPS_QUOTE: o->deps_quote = true; return set_word(&o->deps_target, value);
    case DEPS_TARGET: return set_word(&o->deps_target, value);
    case KEEP_DIR: o->keep = true; return set_word(&o->keep_dir, value);
    case LANGUAGE: return set_language(r, value);
    case ARCH: o->n_targets = 0; return add_target(r, "-arch", value);
    case CODE: return read_code(r, value);
    case GENCODE: return read_gencode(r, value);
    case RELOCATABLE: return read_bool(r, row, value, &o->relocatable);
    case OPTIMISE: return set_optimise(r, row, value);
    case DEFINE: cc_add(&o->preprocess, "-D%s", value); return true;
    case UNDEFINE: cc_add(&o->preprocess, "-U%s", value); return true;
    case INCLUDE: return add_include(r, "-I", value);
    case SYSTEM: return add_include(r, "-isystem", value);
    case PRE_INCLUDE:
        cc_add(&o->preprocess, "-include");
        cc_add(&o->preprocess, "%s", value);
        return true;
    case LIBRARY: return add_library(r, value);
    case LIBRARY_PATH: cc_add(&o->link, "-L%s", value); return true;
    case STANDARD: return set_standard(r, value);
    case FLUSH: return read_bool(r, row, value, &o->flush);
    case PRECISE_DIV:
        yes = read_bool(r, row, value, &o->no_precise_div);
        o->no_precise_div = !o->no_precise_div;
        return yes;
    case PRECISE_SQRT:
        yes = read_bool(r, row, value, &o->no_precise_sqrt);
        o->no_precise_sqrt = !o->no_precise_sqrt;
        return yes;
    case FUSE:
        yes = read_bool(r, row, value, &o->no_fma);
        o->no_fma = !o->no_fma;
        return yes;
    case MAX_REGS: return set_number(r, row, value, 255, &o->max_regs);
    case DEFAULT_STREAM: return set_stream(r, value);
    case CUDART: return set_cudart(r, value);
    case HOST_OPTIONS: add_list(&o->host, "", value); return true;
    case LINKER_OPTIONS: add_list(&o->link, "-Wl,", value); return true;
    case OPTIONS_FILE: return cc_read_file(r, value);
    default: return true;
    }
}

bool cc_apply_flag(struct option_reader *r, const struct option_row *row)
{
    struct cc_options *o = r->o;

    switch (row->id) {
    case COMPILE: return set_mode(r, CC_OBJECT);
    case DEVICE_C: o->relocatable = true; return set_mode(r, CC_OBJECT);
    case PTX: return set_mode(r, CC_PTX);
    case FATBIN: return set_mode(r, CC_FATBIN);
    case DEVICE_LINK: return set_mode(r, CC_DEVICE_LINK);
    case ARCHIVE: return set_mode(r, CC_ARCHIVE);
    case LINK: return set_mode(r, CC_LINK);
    case PREPROCESS: return set_mode(r, CC_PREPROCESS);
    case DEPS_ONLY: return set_mode(r, CC_DEPENDENCIES);
    case DEPS_ONLY_USER: o->deps_user_only = true; return set_mode(r, CC_DEPENDENCIES);
    case DEPS: o->deps = true; return true;
    case DEPS_USER: o->deps = o->deps_user_only = true; return true;
    case DEPS_PHONY: o->deps_phony = true; return true;
    case SHARED: o->shared = true; return true;
    case DEBUG: o->debug = true; return true;
    case DEBUG_DEVICE: o->debug_device = true; return true;
    case FAST_MATH:
        o->fast_math = o->flush = o->no_precise_div = o->no_precise_sqrt = true;
        return true;
    case FORWARD: o->forward = true; return true;
    case NO_WARNINGS: o->no_warnings = true; return true;
    case VERBOSE: o->verbose = true; return true;
    case DRY: o->dry = true; return true;
    case KEEP: o->keep = true; return true;
    case VERSION: return set_mode(r, CC_VERSION);
    case HELP: return set_mode(r, CC_HELP);
    case LIST_TARGETS: return set_mode(r, CC_LIST_TARGETS);
    default: return true;
    }
}
