#include "fatbin/make_files.h"

#include "fatbin/fatbin_priv.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 64, STRTAB = 3, PROGBITS = 1 };

void made_add(struct made *m, const void *data, size_t n)
{
    m->data = realloc(m->data, m->n + n + 1);
    if (m->data == NULL) {
        abort();
    }
    if (n > 0) {
        memcpy(m->data + m->n, data, n);
    }
    m->n += n;
}

void made_free(struct made *m)
{
    free(m->data);
    *m = (struct made){0};
}

struct made made_fatbin(const struct fatbin_source *s, uint32_t n)
{
    struct smw_err e = {0};
    struct made m = {0};
    void *data;

    if (!fatbin_write(s, n, &data, &m.n, &e)) {
        abort();
    }
    m.data = data;
    return m;
}

static void set(uint8_t *at, uint32_t bytes, uint64_t v)
{
    for (uint32_t i = 0; i < bytes; i++) {
        at[i] = (uint8_t)(v >> 8 * i);
    }
}

static void align(struct made *m)
{
    static const uint8_t zeros[FATBIN_ALIGN];

    made_add(m, zeros, (FATBIN_ALIGN - m->n % FATBIN_ALIGN) % FATBIN_ALIGN);
}

static void add_header(struct made *table, uint64_t name, uint32_t type, uint64_t at,
                       uint64_t size)
{
    uint8_t h[HEADER] = {0};

    set(h, 4, name);
    set(h + 4, 4, type);
    set(h + 24, 8, at);
    set(h + 32, 8, size);
    made_add(table, h, sizeof(h));
}

struct made made_elf(uint16_t machine, uint32_t flags, uint8_t abi,
                     const struct made_section *s, uint32_t n)
{
    static const char own[] = ".shstrtab";
    uint8_t h[HEADER] = {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, abi};
    struct made m = {0}, table = {0}, names = {0};

    made_add(&m, h, sizeof(h));
    made_add(&names, "", 1);
    add_header(&table, 0, 0, 0, 0);
    for (uint32_t i = 0; i < n; i++) {
        align(&m);
        add_header(&table, names.n, PROGBITS, m.n, s[i].content.n);
        made_add(&names, s[i].name, strlen(s[i].name) + 1);
        made_add(&m, s[i].content.data, s[i].content.n);
    }
    align(&m);
    add_header(&table, names.n, STRTAB, m.n, names.n + sizeof(own));
    made_add(&names, own, sizeof(own));
    made_add(&m, names.data, names.n);
    align(&m);
    set(m.data + 16, 2, 1); /* relocatable */
    set(m.data + 18, 2, machine);
    set(m.data + 40, 8, m.n);
    set(m.data + 48, 4, flags);
    set(m.data + 58, 2, HEADER);
    set(m.data + 60, 2, n + 2);
    set(m.data + 62, 2, n + 1);
    made_add(&m, table.data, table.n);
    made_free(&table);
    made_free(&names);
    return m;
}

static void add_member(struct made *m, const char *name, const struct made *content)
{
    char h[128]; /* 60 characters, as long as name and size have their columns' width */

    snprintf(h, sizeof(h), "%-16s%-12d%-6d%-6d%-8o%-10zu`\n", name, 0, 0, 0, 0644u,
             content->n);
    made_add(m, h, 60);
    made_add(m, content->data, content->n);
    made_add(m, "\n", content->n % 2);
}

struct made made_archive(const struct made_section *member, uint32_t n)
{
    struct made m = {0}, names = {0};
    char name[32];

    made_add(&m, "!<arch>\n", 8);
    for (uint32_t i = 0; i < n; i++) {
        if (strlen(member[i].name) > 15) {
            made_add(&names, member[i].name, strlen(member[i].name));
            made_add(&names, "/\n", 2);
        }
    }
    if (names.n > 0) {
        add_member(&m, "//", &names);
    }
    for (uint32_t i = 0, at = 0; i < n; i++) {
        if (strlen(member[i].name) > 15) {
            snprintf(name, sizeof(name), "/%u", (unsigned)at);
            at += (uint32_t)strlen(member[i].name) + 2;
        } else {
            snprintf(name, sizeof(name), "%s/", member[i].name);
        }
        add_member(&m, name, &member[i].content);
    }
    made_free(&names);
    return m;
}
