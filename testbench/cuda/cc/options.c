/* options.c - nvcc's options, read into struct cc_options. */
#include "cc/options_priv.h"

#include "cc/options_table.h"
#include <stdlib.h>
#include <string.h>

#define ROW(name, brief, kind, id, text) {name, brief, kind, id, text},
static const struct option_row table[] = {CC_OPTIONS(ROW) CC_OPTIONS_WITHOUT(ROW)
                                              CC_OPTIONS_COMMON(ROW)};
#undef ROW

enum { KEYS = 256 }; /* of options without a letter */
#define OPTION(name, brief, kind, id, text)                                            \
    {name, KEYS, kind == FLAG ? NULL : "VALUE", 0, text, 0},
const struct argp_option cc_option_table[] = {CC_OPTIONS(OPTION){0}};
#undef OPTION

enum { N_ROWS = sizeof(table) / sizeof(table[0]) };

static bool is_row(const struct option_row *row, const char *word, size_t n)
{
    bool two = word[1] == '-';
    const char *name = word + 1 + two;
    size_t length = n - 1 - two;

    return (row->name != NULL && strncmp(row->name, name, length) == 0 &&
            row->name[length] == '\0') ||
           (!two && row->brief != NULL && strncmp(row->brief, name, length) == 0 &&
            row->brief[length] == '\0');
}

/* The row of an option and where its value begins; NULL: in the next word. */
static const struct option_row *find_row(const char *word, const char **value)
{
    size_t n = strcspn(word, "=");

    *value = NULL;
    for (uint32_t i = 0; i < N_ROWS; i++) {
        if (is_row(&table[i], word, n) && (table[i].kind != FLAG || word[n] == '\0')) {
            *value = word[n] == '=' ? word + n + 1 : NULL;
            return &table[i];
        }
    }
    for (uint32_t i = 0; i < N_ROWS; i++) {
        size_t length = table[i].brief != NULL ? strlen(table[i].brief) : 0;

        if ((table[i].kind == JOINED || table[i].kind == NUMBER) &&
            strncmp(word + 1, table[i].brief, length) == 0 &&
            (table[i].kind == JOINED ||
             (word[length + 1] >= '0' && word[length + 1] <= '9'))) {
            *value = word + 1 + length;
            return &table[i];
        }
    }
    return NULL;
}

static bool refuse_unknown(struct option_reader *r, const char *word)
{
    const char *names[2 * N_ROWS], *near;
    char name[64];
    uint32_t n = 0;
    bool two = word[1] == '-';

    for (uint32_t i = 0; i < N_ROWS; i++) {
        if (table[i].name != NULL) {
            names[n++] = table[i].name;
        }
        if (table[i].brief != NULL && !two) {
            names[n++] = table[i].brief;
        }
    }
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + 1 + two, "="),
             word + 1 + two);
    near = err_nearest(name, names, n);
    err_set(r->e, SMW_ERR_USAGE, "unknown option '%s'", word);
    if (near != NULL) {
        err_hint(r->e, "did you mean '%s%s'?", two ? "--" : "-", near);
    } else {
        err_hint(r->e, "'smwave cc --help' lists the options; -Xcompiler hands one to "
                       "the pass of the host");
    }
    return false;
}

/* Options of compilers and linkers that nvcc wants -Xcompiler for: build systems that
 * link with this program say them bare. */
static bool is_of_host(const char *word)
{
    static const char *const known[] = {
        "-pthread",       "-rdynamic",        "-pipe", "-pg", "-s",
        "-static-libgcc", "-static-libstdc++"};

    for (uint32_t i = 0; i < ARRAY_LEN(known); i++) {
        if (strcmp(word, known[i]) == 0) {
            return true;
        }
    }
    return word[1] == 'f' || word[1] == 'W' || (word[1] == 'm' && word[2] != 'a') ||
           strncmp(word, "-march=", 7) == 0;
}

static void add_of_host(struct option_reader *r, const char *word)
{
    bool link = strncmp(word, "-Wl,", 4) == 0 || strcmp(word, "-rdynamic") == 0 ||
                strcmp(word, "-s") == 0 || strncmp(word, "-static", 7) == 0;

    if (link) {
        cc_add_input(r, word, CC_TO_LINKER);
    } else {
        cc_add(&r->o->host, "%s", word);
        if (strcmp(word, "-pthread") == 0 || strncmp(word, "-fsanitize", 10) == 0) {
            cc_add(&r->o->link, "%s", word);
        }
    }
}

static enum cc_language language_of(const char *path)
{
    static const char *const cxx[] = {".cpp", ".cxx", ".cc", ".C", ".c++"};

    if (file_ends(path, ".cu")) {
        return CC_CUDA;
    }
    for (uint32_t i = 0; i < ARRAY_LEN(cxx); i++) {
        if (file_ends(path, cxx[i])) {
            return CC_CXX;
        }
    }
    return file_ends(path, ".c") ? CC_C : CC_TO_LINKER;
}

static bool read_option(struct option_reader *r, char *const *w, uint32_t n,
                        uint32_t *i)
{
    const char *word = w[*i], *value;
    const struct option_row *row = find_row(word, &value);

    if (row == NULL) {
        if (r->o->forward || is_of_host(word)) {
            add_of_host(r, word);
            return true;
        }
        return refuse_unknown(r, word);
    }
    if (row->id == REFUSED) {
        return err_set(r->e, SMW_ERR_USAGE, "%s: %s", word, row->text);
    }
    if (row->id == IGNORED) {
        cc_add(&r->o->notes, "%s: %s", word, row->text);
    }
    if (row->kind == FLAG) {
        return cc_apply_flag(r, row);
    }
    if (value == NULL) {
        if (*i + 1 == n) {
            return err_set(r->e, SMW_ERR_USAGE, "%s: its value is missing", word);
        }
        value = w[++*i];
    }
    return cc_apply_value(r, row, value);
}

bool cc_read_words(struct option_reader *r, char *const *w, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const char *word = w[i];

        if (word[0] == '@' && word[1] != '\0') {
            if (!cc_read_file(r, word + 1)) {
                return false;
            }
        } else if (word[0] == '-' && word[1] != '\0') {
            if (!read_option(r, w, n, &i)) {
                return false;
            }
        } else {
            enum cc_language l = language_of(word);

            /* -x is of sources; an object stays what it is */
            if (r->has_language && !file_ends(word, ".o") && !file_ends(word, ".a") &&
                strstr(word, ".so") == NULL) {
                l = r->language;
            }
            cc_add_input(r, word, l);
        }
    }
    return true;
}

bool cc_options_read(struct cc_options *o, int argc, char *const *argv,
                     const char *root, struct smw_err *e)
{
    struct option_reader r = {.o = o, .root = root, .e = e};

    *o = (struct cc_options){0};
    if (!cc_read_words(&r, argv, (uint32_t)argc)) {
        return false;
    }
    if (o->n_targets == 0) {
        o->target[o->n_targets++].number = CC_DEFAULT_TARGET;
    }
    return true;
}

void cc_options_free(struct cc_options *o)
{
    char *words[] = {o->output, o->std, o->keep_dir, o->deps_file, o->deps_target};

    for (uint32_t i = 0; i < ARRAY_LEN(words); i++) {
        free(words[i]);
    }
    for (uint32_t i = 0; i < o->n_inputs; i++) {
        free(o->input[i].word);
    }
    free(o->input);
    cc_words_free(&o->preprocess);
    cc_words_free(&o->host);
    cc_words_free(&o->link);
    cc_words_free(&o->notes);
    *o = (struct cc_options){0};
}

void cc_options_help(struct text *t)
{
    for (uint32_t i = 0; i < N_ROWS; i++) {
        const struct option_row *row = &table[i];
        char name[64];

        if (row->id == IGNORED || row->id == REFUSED) {
            continue;
        }
        snprintf(name, sizeof(name), "%s%s%s%s%s", row->brief != NULL ? "-" : "",
                 row->brief != NULL ? row->brief : "",
                 row->brief != NULL && row->name != NULL ? ", " : "",
                 row->name != NULL ? "--" : "", row->name != NULL ? row->name : "");
        text_add(t, "  %-38s %s\n", name, row->text);
    }
}
