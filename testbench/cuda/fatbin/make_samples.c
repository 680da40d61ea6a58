/*
 * make_samples.c - files with fat binaries, for tests of the program.
 *
 *   make_samples DIR KERNELS
 *
 * Writes into DIR files as compilers make them of reverse.ptx and saxpy.ptx in KERNELS:
 *
 *   prog       a program: PTX for three targets, LZ4, zstd and plain, and machine code
 *   parts.o    an object that is still to be linked
 *   lib.a      an archive of an object without code for devices, parts.o and another
 *   text.o     an object with PTX text where a fat binary is expected
 *   one.fatbin a fat binary alone
 *   code.o     an object with machine code only
 *   damaged.o  an object whose fat binary is cut off
 */
#include "fatbin/make_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct made read_file(const char *folder, const char *name)
{
    struct made m = {0};
    char path[512], part[4096];
    size_t n;
    FILE *f;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    f = fopen(path, "rb");
    if (f == NULL) {
        perror(path);
        exit(1);
    }
    while ((n = fread(part, 1, sizeof(part), f)) > 0) {
        made_add(&m, part, n);
    }
    fclose(f);
    return m;
}

static void write_file(const char *dir, const char *name, const struct made *m)
{
    char path[512];
    FILE *f;

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    f = fopen(path, "wb");
    if (f == NULL || fwrite(m->data, 1, m->n, f) != m->n || fclose(f) != 0) {
        perror(path);
        exit(1);
    }
}

static struct made object(const char *section, struct made content)
{
    struct made_section s[] = {{".text", {0}}, {section, content}};

    return made_elf(62, 0, 0, s, 2);
}

static struct fatbin_source source(enum fatbin_kind kind, enum fatbin_packing packing,
                                   const struct made *m, uint32_t target, char suffix,
                                   const char *name)
{
    return (struct fatbin_source){kind,   packing, (const char *)m->data,       m->n,
                                  target, suffix,  kind == FATBIN_PTX ? 80 : 0, name};
}

int main(int argc, char **argv)
{
    const struct made_section code[] = {{".text.staticReverse", {0}},
                                        {".nv.constant0.staticReverse", {0}}};
    const char *dir;
    struct made reverse, saxpy, cubin, text = {0}, files[8];

    if (argc != 3) {
        fputs("usage: make_samples DIR KERNELS\n", stderr);
        return 2;
    }
    dir = argv[1];
    reverse = read_file(argv[2], "reverse.ptx");
    saxpy = read_file(argv[2], "saxpy.ptx");
    cubin = made_elf(190, 80, 7, code, 2);
    {
        const struct fatbin_source s[] = {
            source(FATBIN_PTX, FATBIN_ZSTD, &reverse, 75, 0, "reverse.cu"),
            source(FATBIN_PTX, FATBIN_LZ4, &reverse, 90, 'a', "reverse.cu"),
            source(FATBIN_ELF, FATBIN_PLAIN, &cubin, 80, 0, "reverse.cu"),
            source(FATBIN_PTX, FATBIN_PLAIN, &saxpy, 80, 0, NULL),
        };

        files[0] = made_fatbin(s, 3);
        files[1] = made_fatbin(s + 3, 1);
        files[2] = made_fatbin(s + 2, 1);
    }
    files[3] = object("__nv_relfatbin", files[1]);
    write_file(dir, "one.fatbin", &files[0]);
    write_file(dir, "parts.o", &files[3]);
    files[4] = object(".nv_fatbin", files[2]);
    write_file(dir, "code.o", &files[4]);
    made_add(&text, saxpy.data, saxpy.n);
    made_add(&text, "", 1);
    files[5] = object(".nv_fatbin", text);
    write_file(dir, "text.o", &files[5]);
    {
        struct made_section member[] = {{"host.o", object(".data", text)},
                                        {"parts.o", files[3]},
                                        {"an_object_of_many_letters.o", files[4]}};

        files[6] = made_archive(member, 3);
        write_file(dir, "lib.a", &files[6]);
        made_free(&files[6]);
        made_free(&member[0].content);
    }
    files[6] = files[0];
    files[6].n -= 100;
    files[7] = object(".nv_fatbin", files[6]);
    write_file(dir, "damaged.o", &files[7]);
    made_add(&files[0], files[1].data, files[1].n);
    files[6] = object(".nv_fatbin", files[0]);
    write_file(dir, "prog", &files[6]);
    for (uint32_t i = 0; i < 8; i++) {
        made_free(&files[i]);
    }
    made_free(&reverse);
    made_free(&saxpy);
    made_free(&cubin);
    made_free(&text);
    return 0;
}
