/*
 * embed.c - writes a C file that holds files, for file.h's table of built-ins.
 *
 *   embed OUT.c ROOT PATH...     PATH is relative to ROOT and is the name in the table;
 *                                NAME=PATH gives it another one
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *open_or_die(const char *path, const char *mode)
{
    FILE *f = fopen(path, mode);

    if (f == NULL) {
        perror(path);
        exit(1);
    }
    return f;
}

/* What stands before and behind the '='. */
static int name_length(const char *path)
{
    const char *equals = strchr(path, '=');

    return (int)(equals == NULL ? strlen(path) : (size_t)(equals - path));
}

static const char *file_of(const char *path)
{
    const char *equals = strchr(path, '=');

    return equals == NULL ? path : equals + 1;
}

static void embed(FILE *out, const char *root, const char *path, int index)
{
    size_t size = strlen(root) + strlen(path) + 2;
    char *full = malloc(size);
    FILE *in;
    int c, n = 0;

    if (full == NULL) {
        exit(1);
    }
    snprintf(full, size, "%s/%s", root, file_of(path));
    in = open_or_die(full, "rb");
    fprintf(out, "static const unsigned char data%d[] = {", index);
    for (c = getc(in); c != EOF; c = getc(in)) {
        fprintf(out, "%s%d,", n++ % 20 == 0 ? "\n" : "", c);
    }
    fprintf(out, "0};\n\n");
    fclose(in);
    free(full);
}

int main(int argc, char **argv)
{
    FILE *out;

    if (argc < 3) {
        fputs("usage: embed OUT.c ROOT PATH...\n", stderr);
        return 2;
    }
    out = open_or_die(argv[1], "wb");
    fputs("/* Generated; do not edit. */\n#include \"io/file.h\"\n\n", out);
    for (int i = 3; i < argc; i++) {
        embed(out, argv[2], argv[i], i - 3);
    }
    fputs("const struct file_builtin file_builtins[] = {\n", out);
    for (int i = 3; i < argc; i++) {
        fprintf(out, "    {\"%.*s\", data%d, sizeof(data%d) - 1},\n",
                name_length(argv[i]), argv[i], i - 3, i - 3);
    }
    fprintf(out, "    {0},\n};\n\nconst uint32_t file_n_builtins = %d;\n", argc - 3);
    return fclose(out) == 0 ? 0 : 1;
}
