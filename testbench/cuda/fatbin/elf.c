/*
 * elf.c - the sections of ELF files: those that hold fat binaries in what the host
 * runs, and what machine code for a device says of itself. Layout: System V ABI,
 * "Object files". The target of machine code: e_flags as LLVM's BinaryFormat/ELF.h has
 * it.
 */
#include "fatbin/fatbin_priv.h"

#include <string.h>

enum {
    ELF_HEADER = 64, /* bytes, of class 64 */
    ELF_SECTION = 64,
    ELF_ABI = 8, /* the byte e_ident[EI_ABIVERSION] */
    ELF_MACHINE = 18,
    ELF_FLAGS = 48,
    ELF_TABLE = 40,
    ELF_TABLE_EACH = 58,
    ELF_TABLE_N = 60,
    ELF_NAMES = 62,
    ELF_NOBITS = 8,        /* sh_type without bytes in the file */
    ELF_EXTENDED = 0xffff, /* e_shstrndx: section 0 has the number */
    ELF_CUDA = 190,        /* e_machine of machine code for devices */
    ELF_CUDA_ABI_13 = 8    /* EI_ABIVERSION since CUDA 13: the target in bits 8 to 15 */
};

static bool raw_section(const struct fatbin_elf *x, uint64_t i, uint32_t *name,
                        struct fatbin_elf_section *s)
{
    const uint8_t *const h = x->data + x->table + i * ELF_SECTION;

    *name = (uint32_t)fatbin_get(h, 4);
    s->type = (uint32_t)fatbin_get(h + 4, 4);
    s->offset = fatbin_get(h + 24, 8);
    s->size = fatbin_get(h + 32, 8);
    if (s->type == ELF_NOBITS) {
        s->size = 0;
        return true;
    }
    return s->offset <= x->size && s->size <= x->size - s->offset;
}

bool fatbin_elf_open(struct fatbin_elf *x, const uint8_t *data, uint64_t size,
                     const char **why)
{
    struct fatbin_elf_section s;
    uint32_t name;
    uint64_t names, n;

    memset(x, 0, sizeof(*x));
    x->data = data;
    x->size = size;
    *why = "an ELF file that ends in its header";
    if (!fatbin_is_elf(data, size) || size < ELF_HEADER) {
        return false;
    }
    *why = "an ELF file of 32 bits or with bytes in the other order: not supported";
    if (data[4] != 2 || data[5] != 1) {
        return false;
    }
    x->table = fatbin_get(data + ELF_TABLE, 8);
    n = fatbin_get(data + ELF_TABLE_N, 2);
    names = fatbin_get(data + ELF_NAMES, 2);
    *why = "an ELF file whose table of sections was stripped";
    if (x->table == 0) {
        return false;
    }
    *why = "an ELF file whose table of sections is outside of it";
    if (fatbin_get(data + ELF_TABLE_EACH, 2) != ELF_SECTION || x->table > size ||
        size - x->table < ELF_SECTION) {
        return false;
    }
    if (n == 0) { /* more than fit: section 0 has their number */
        n = fatbin_get(data + x->table + 32, 8);
    }
    if (names == ELF_EXTENDED) {
        names = fatbin_get(data + x->table + 40, 4);
    }
    if (n == 0 || n > (size - x->table) / ELF_SECTION || n > UINT32_MAX || names >= n) {
        return false;
    }
    x->n = (uint32_t)n;
    *why = "an ELF file whose names of sections are outside of it";
    if (!raw_section(x, names, &name, &s) || s.size == 0 ||
        data[s.offset + s.size - 1] != 0) {
        return false;
    }
    x->names = data + s.offset;
    x->n_names = s.size;
    *why = NULL;
    return true;
}

bool fatbin_elf_at(const struct fatbin_elf *x, uint32_t i, struct fatbin_elf_section *s)
{
    uint32_t name;

    if (!raw_section(x, i, &name, s) || name >= x->n_names) {
        return false;
    }
    s->name = (const char *)x->names + name; /* the last byte of all names is zero */
    return true;
}

/* ---- machine code for a device ---- */

bool fatbin_is_cubin(const uint8_t *at, uint64_t n)
{
    return fatbin_is_elf(at, n) && n >= ELF_HEADER &&
           fatbin_get(at + ELF_MACHINE, 2) == ELF_CUDA;
}

uint32_t fatbin_cubin_target(const uint8_t *at, uint64_t n)
{
    uint64_t flags;

    if (!fatbin_is_cubin(at, n)) {
        return 0;
    }
    flags = fatbin_get(at + ELF_FLAGS, 4);
    return (uint32_t)(at[ELF_ABI] >= ELF_CUDA_ABI_13 ? flags >> 8 & 0xff
                                                     : flags & 0xff);
}

/* ---- what the host runs ---- */

static bool holds_fatbin(const char *name, bool *to_link)
{
    *to_link = strcmp(name, "__nv_relfatbin") == 0;
    return *to_link || strcmp(name, ".nv_fatbin") == 0 ||
           strcmp(name, "__nv_fatbin") == 0;
}

bool fatbin_read_elf(struct fatbin *f, const struct fatbin_bytes *b, struct smw_err *e)
{
    struct fatbin_elf x;
    const char *why;

    if (!fatbin_elf_open(&x, b->data, b->size, &why)) {
        return err_set(e, SMW_ERR_INPUT, "%s: %s", b->where, why);
    }
    for (uint32_t i = 0; i < x.n; i++) {
        struct fatbin_bytes part = *b;
        struct fatbin_elf_section s;

        if (!fatbin_elf_at(&x, i, &s)) {
            return err_set(e, SMW_ERR_INPUT,
                           "%s: section %u of the ELF file is outside of it", b->where,
                           (unsigned)i);
        }
        if (!holds_fatbin(s.name, &part.to_link)) {
            continue;
        }
        part.section = s.name;
        part.data = b->data + s.offset;
        part.size = s.size;
        part.offset = b->offset + s.offset;
        if (!fatbin_read_section(f, &part, e)) {
            return false;
        }
    }
    return true;
}
