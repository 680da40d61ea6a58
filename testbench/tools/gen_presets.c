/*
 * gen_presets.c - turns configuration files into the table of presets (gpu/presets.h)
 * that is compiled into the library, so that embedding it needs no YAML. The table is
 * kept in the tree, model/gpu/presets_table.c: building the library needs this no more
 * than using it does. testbench/tools/make_presets.sh runs it.
 *
 *   gen_presets OUT.c FILE.yml...     in the order given; a preset is named after its
 *                                     `name` key, or else after its file
 *
 * Keys and values are checked by the model when a preset is applied; here only the
 * shape is: maps of single values.
 */
#include "io/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SIZE = 128 };

static void die(const struct smw_err *e)
{
    fprintf(stderr, "%s:%u:%u: error: %s\n", e->file, e->line, e->column, e->message);
    exit(1);
}

static char *read_all(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *text = malloc(YAML_MAX_BYTES + 1);

    if (f == NULL || text == NULL) {
        perror(path);
        exit(1);
    }
    *size = fread(text, 1, YAML_MAX_BYTES + 1, f);
    fclose(f);
    return text;
}

static void print_string(FILE *out, const char *s)
{
    fputc('"', out);
    for (; *s != '\0'; s++) {
        if (*s == '"' || *s == '\\') {
            fprintf(out, "\\%c", *s);
        } else if (*s == '\n') {
            fputs("\\n", out);
        } else {
            fputc(*s, out);
        }
    }
    fputc('"', out);
}

static void print_pairs(FILE *out, const struct yaml *y, const struct yaml_node *map,
                        const char *prefix, unsigned *n)
{
    struct smw_err e = {0};
    char key[KEY_SIZE];

    for (const struct yaml_node *v = map->first; v != NULL; v = v->next) {
        const char *word = v->key->text;

        if (prefix[0] == '\0' &&
            (strcmp(word, "name") == 0 || strcmp(word, "doc") == 0 ||
             strcmp(word, "extends") == 0)) {
            continue;
        }
        snprintf(key, sizeof(key), "%s%s%s", prefix, prefix[0] == '\0' ? "" : ".",
                 word);
        if (v->kind == YAML_MAP) {
            print_pairs(out, y, v, key, n);
            continue;
        }
        if (v->kind == YAML_LIST) {
            yaml_refuse(y, v, SMW_ERR_CONFIG, &e, "%s takes one value, not a list",
                        key);
            die(&e);
        }
        fputs("    {", out);
        print_string(out, key);
        fputs(", ", out);
        print_string(out, v->text);
        fputs("},\n", out);
        (*n)++;
    }
}

static const char *text_of(const struct yaml *y, const char *key)
{
    const struct yaml_node *n = yaml_get(y->root, key);

    return n != NULL && n->kind == YAML_SCALAR ? n->text : NULL;
}

/* "a/b/gtx480.yml" -> "gtx480" */
static void stem(const char *path, char *buf, size_t size)
{
    const char *slash = strrchr(path, '/');
    char *dot;

    snprintf(buf, size, "%s", slash == NULL ? path : slash + 1);
    dot = strrchr(buf, '.');
    if (dot != NULL) {
        *dot = '\0';
    }
}

struct entry {
    char name[KEY_SIZE], doc[512], extends[KEY_SIZE];
    unsigned n;
};

static void convert(FILE *out, const char *path, unsigned index, struct entry *entry)
{
    struct smw_err e = {0};
    struct yaml y;
    size_t size = 0;
    char *text = read_all(path, &size);
    const char *s;

    if (!yaml_parse(&y, path, text, size, SMW_ERR_CONFIG, &e)) {
        die(&e);
    }
    if (y.root->kind != YAML_MAP) {
        yaml_refuse(&y, y.root, SMW_ERR_CONFIG, &e, "a configuration must be a map");
        die(&e);
    }
    stem(path, entry->name, sizeof(entry->name));
    if ((s = text_of(&y, "name")) != NULL) {
        snprintf(entry->name, sizeof(entry->name), "%s", s);
    }
    if ((s = text_of(&y, "doc")) != NULL) {
        snprintf(entry->doc, sizeof(entry->doc), "%s", s);
    }
    if ((s = text_of(&y, "extends")) != NULL) {
        snprintf(entry->extends, sizeof(entry->extends), "%s", s);
    }
    fprintf(out, "static const char *const pairs%u[][2] = {\n", index);
    print_pairs(out, &y, y.root, "", &entry->n);
    fputs("    {NULL, NULL},\n};\n\n", out);
    yaml_free(&y);
    free(text);
}

static void print_entry(FILE *out, const struct entry *entry, unsigned index)
{
    fputs("    {", out);
    print_string(out, entry->name);
    fputs(", ", out);
    print_string(out, entry->doc);
    fputs(", ", out);
    if (entry->extends[0] != '\0') {
        print_string(out, entry->extends);
    } else {
        fputs("NULL", out);
    }
    fprintf(out, ", pairs%u, %u},\n", index, entry->n);
}

int main(int argc, char **argv)
{
    unsigned n = argc < 2 ? 0 : (unsigned)argc - 2;
    struct entry *entries = calloc(n + 1, sizeof(*entries));
    FILE *out = argc < 2 ? NULL : fopen(argv[1], "wb");

    if (entries == NULL || out == NULL) {
        fputs("usage: gen_presets OUT.c FILE.yml...\n", stderr);
        return 2;
    }
    fputs("/* From configs/ by testbench/tools/make_presets.sh; not to be edited. */\n"
          "#include \"gpu/presets.h\"\n\n/* clang-format off */\n\n",
          out);
    for (unsigned i = 0; i < n; i++) {
        convert(out, argv[i + 2], i, &entries[i]);
    }
    fputs("const struct preset smw_presets[] = {\n", out);
    for (unsigned i = 0; i < n; i++) {
        print_entry(out, &entries[i], i);
    }
    fprintf(out,
            "    {NULL, NULL, NULL, NULL, 0},\n};\n\n"
            "const uint32_t smw_n_presets = %u;\n",
            n);
    free(entries);
    return fclose(out) == 0 ? 0 : 1;
}
