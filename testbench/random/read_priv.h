/* read_priv.h - the state of the reader, for its files. */
#ifndef RANDOM_READ_PRIV_H
#define RANDOM_READ_PRIV_H

#include "names.h"

#include <string.h>

enum {
    MAX_SYMBOLS = 64,
    MAX_LABELS = 1024,
    MAX_CLASSES = 40,
    NAME = 24,
    MAX_NESTING = 4
};

struct symbol {
    char name[NAME];
    uint8_t space;
    uint32_t at, bytes;
};

struct reg_class { /* .reg .b32 %r<10>; or .reg .b32 %fa */
    char prefix[NAME];
    uint16_t base, n;
    bool single; /* no number follows the prefix */
};

struct outside { /* what there was before a block */
    uint32_t n_symbols, param_at;
};

struct reader {
    struct code *c;
    const char *p; /* where it reads */
    uint32_t line;
    bool failed;
    struct symbol symbol[MAX_SYMBOLS];
    uint32_t n_symbols, n_module_symbols;
    struct func *f; /* the one being read */
    struct reg_class reg_class[MAX_CLASSES];
    uint32_t n_classes;
    uint32_t param_at;
    uint32_t depth; /* of braces */
    struct outside outside[MAX_NESTING];
    uint32_t label[MAX_LABELS], table[MAX_LABELS];
};

/* The first failure is kept, with the line and what stands there. Returns false. */
bool read_fail(struct reader *r, const char *what);

void read_skip(struct reader *r);                /* blanks */
bool read_take(struct reader *r, const char *s); /* s, if it is next */
bool read_expect(struct reader *r, const char *s);
size_t read_word(struct reader *r, const char **s); /* its length; 0: there is none */
bool read_name(struct reader *r, char *buf);        /* of NAME bytes */
uint64_t read_number(struct reader *r);
enum ty read_type(struct reader *r);

struct symbol *read_add_symbol(struct reader *r);
const struct symbol *read_find_symbol(const struct reader *r, const char *s, size_t n);
uint16_t read_find_reg(const struct reader *r, const char *s, size_t n); /* or NO_REG */
/* n of them, 0 for one without a number; the first. */
uint16_t read_add_regs(struct reader *r, enum ty t, const char *prefix, uint32_t n);
uint32_t read_label_number(struct reader *r, const char *s, size_t n); /* L12: 12 */

bool read_instruction(struct reader *r);

#endif /* RANDOM_READ_PRIV_H */
