/* kernels.c - the names of the kernels in PTX and in machine code. */
#include "fatbin/fatbin_priv.h"

#include <string.h>

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           c == '_' || c == '$' || c == '%' || c == '.';
}

/* Past a comment or a string at i, or one character. */
static size_t skip(const char *s, size_t n, size_t i)
{
    if (s[i] == '"') {
        for (i++; i < n && s[i] != '"' && s[i] != '\n'; i++) {
        }
        return i < n ? i + 1 : n;
    }
    if (i + 1 < n && s[i] == '/' && s[i + 1] == '/') {
        while (i < n && s[i] != '\n') {
            i++;
        }
        return i;
    }
    if (i + 1 < n && s[i] == '/' && s[i + 1] == '*') {
        for (i += 2; i + 1 < n && (s[i] != '*' || s[i + 1] != '/'); i++) {
        }
        return i + 1 < n ? i + 2 : n;
    }
    return i + 1;
}

/* The word behind each .entry that a body or parameters follow; a declaration that
 * nothing defines is told too: which is rare, and seen when the text is loaded. */
static void of_ptx(const char *s, size_t n,
                   void (*fn)(void *ctx, const char *name, size_t n), void *ctx)
{
    static const char entry[] = ".entry";
    const size_t k = sizeof(entry) - 1;
    bool wanted = false;
    size_t i = 0;

    while (i < n) {
        size_t end = i;

        while (end < n && is_word(s[end])) {
            end++;
        }
        if (end == i) {
            i = skip(s, n, i);
            continue;
        }
        if (wanted) {
            fn(ctx, s + i, end - i);
        }
        wanted = end - i == k && memcmp(s + i, entry, k) == 0;
        i = end;
    }
}

/* Each kernel has a section of its own for what its launch needs, ".nv.info.NAME", and
 * one for its code, ".text.NAME"; functions that are no kernels have no constants for
 * parameters, ".nv.constant0.NAME". */
static void of_machine_code(const char *data, size_t size,
                            void (*fn)(void *ctx, const char *name, size_t n),
                            void *ctx)
{
    static const char params[] = ".nv.constant0.";
    struct fatbin_elf x;
    const char *why;

    if (!fatbin_elf_open(&x, (const uint8_t *)data, size, &why)) {
        return;
    }
    for (uint32_t i = 0; i < x.n; i++) {
        struct fatbin_elf_section s;

        if (fatbin_elf_at(&x, i, &s) &&
            strncmp(s.name, params, sizeof(params) - 1) == 0) {
            fn(ctx, s.name + sizeof(params) - 1, strlen(s.name) - sizeof(params) + 1);
        }
    }
}

void fatbin_kernels(enum fatbin_kind kind, const char *data, size_t size,
                    void (*fn)(void *ctx, const char *name, size_t n), void *ctx)
{
    switch (kind) {
    case FATBIN_PTX: of_ptx(data, size, fn, ctx); return;
    case FATBIN_ELF: of_machine_code(data, size, fn, ctx); return;
    case FATBIN_IR:
    case FATBIN_OTHER: return;
    }
}
