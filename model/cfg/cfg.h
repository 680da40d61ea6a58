/*
 * cfg.h - configuration as tables: every knob is one cfg_field beside the structure it
 * fills. Parsing, --set, config show/list/schema, the docs and sweeps derive from them.
 *
 * A value is text with its unit written out: "16 KiB", "20 cycles", "700 MHz", "true",
 * "48/16", "gto". A number without a unit is in the field's base unit (bytes, cycles,
 * Hz); "x2" is twice what the field has. A refused value leaves the structure as it
 * was.
 */
#ifndef CFG_CFG_H
#define CFG_CFG_H

#include "base/err.h"
#include <stddef.h>

enum cfg_type {
    CFG_TYPE_U32,    /* uint32_t */
    CFG_TYPE_U64,    /* uint64_t */
    CFG_TYPE_BOOL,   /* bool: true, false */
    CFG_TYPE_CHOICE, /* uint32_t, index into choices */
    CFG_TYPE_TEXT    /* char[CFG_TEXT_SIZE] */
};

enum { CFG_TEXT_SIZE = 64 };

enum cfg_unit {
    CFG_PLAIN,   /* a count */
    CFG_CYCLES,  /* "cycles" of the module's clock */
    CFG_BYTES,   /* B, KiB, MiB, GiB */
    CFG_HZ,      /* Hz, kHz, MHz, GHz */
    CFG_PERCENT, /* % */
    CFG_PS,      /* ps, ns, us */
    CFG_RATE     /* bytes per second: B/s, kB/s, MB/s, GB/s, of 1000 each */
};

enum cfg_flag {
    CFG_POW2 = 1u << 0,   /* must be a power of two (0 is judged by min) */
    CFG_DISPLAY = 1u << 1 /* changes no result, only what is printed about a device */
};

struct cfg_field {
    const char *name; /* last part of the key; dots allowed: "scheduler.policy" */
    enum cfg_type type;
    enum cfg_unit unit;
    size_t offset;          /* in the group's structure */
    uint64_t min, def, max; /* BOOL, CHOICE: def only */
    uint32_t flags;
    const char *const *choices; /* CHOICE: n_choices strings */
    uint32_t n_choices;
    const char *text; /* TEXT: default */
    const char *doc;  /* one line: meaning, meaning of 0 */
    const char *rule; /* the numbered rule of SPEC.md that says what it does */
};

#define CFG_U32(struct_t, field, lo, dflt, hi, u, f, docs, rules)                      \
    {                                                                                  \
        .name = #field, .type = CFG_TYPE_U32, .unit = (u),                             \
        .offset = offsetof(struct_t, field), .min = (lo), .def = (dflt), .max = (hi),  \
        .flags = (f), .doc = (docs), .rule = (rules)                                   \
    }
#define CFG_U64(struct_t, field, lo, dflt, hi, u, f, docs, rules)                      \
    {                                                                                  \
        .name = #field, .type = CFG_TYPE_U64, .unit = (u),                             \
        .offset = offsetof(struct_t, field), .min = (lo), .def = (dflt), .max = (hi),  \
        .flags = (f), .doc = (docs), .rule = (rules)                                   \
    }
#define CFG_BOOL(struct_t, field, dflt, docs, rules)                                   \
    {                                                                                  \
        .name = #field, .type = CFG_TYPE_BOOL, .offset = offsetof(struct_t, field),    \
        .def = (dflt), .max = 1, .doc = (docs), .rule = (rules)                        \
    }
#define CFG_CHOICE(struct_t, field, table, dflt, docs, rules)                          \
    {                                                                                  \
        .name = #field, .type = CFG_TYPE_CHOICE, .offset = offsetof(struct_t, field),  \
        .def = (dflt), .choices = (table),                                             \
        .n_choices = sizeof(table) / sizeof(*(table)), .doc = (docs), .rule = (rules)  \
    }
#define CFG_TEXT(struct_t, field, dflt, docs, rules)                                   \
    {                                                                                  \
        .name = #field, .type = CFG_TYPE_TEXT, .offset = offsetof(struct_t, field),    \
        .text = (dflt), .doc = (docs), .rule = (rules)                                 \
    }

/* The fields of one structure: what a module shows of them to others. */
struct cfg_table {
    const struct cfg_field *fields;
    uint32_t n;
};

#define CFG_TABLE(array)                                                               \
    {                                                                                  \
        (array), sizeof(array) / sizeof(*(array))                                      \
    }

struct cfg_group {
    const char *prefix; /* "sm.smem": the key is prefix.name */
    const struct cfg_table *table;
    size_t offset; /* of the group's structure in the whole configuration */
};

/* A key that there was once. Who still sets it is told what to do. */
struct cfg_retired {
    const char *key, *hint;
};

struct cfg_schema {
    const struct cfg_group *groups;
    uint32_t n_groups;
    const struct cfg_retired *retired;
    uint32_t n_retired;
};

/* Every field to its default. */
void cfg_defaults(const struct cfg_schema *s, void *config);

/* Set one key from text. Unknown keys: the nearest known one is the hint; of those
 * there were once, what stands in their entry. */
bool cfg_set(const struct cfg_schema *s, void *config, const char *key,
             const char *value, struct smw_err *e);

/* The value as text that cfg_set() takes back, into buf; false if there is no such key.
 */
bool cfg_show(const struct cfg_schema *s, const void *config, const char *key,
              char *buf, size_t size);

/* A text of cfg_show() as a number of base units: 16384 of "16 KiB". False: it is no
 * number. */
bool cfg_number(const char *text, uint64_t *out);

/* Calls fn for every field, in declaration order. key is valid during the call only. */
void cfg_each(const struct cfg_schema *s,
              void (*fn)(void *ctx, const char *key, const struct cfg_field *f),
              void *ctx);

/* 64-bit FNV-1a over "key=value\n" of every field in order. */
uint64_t cfg_digest(const struct cfg_schema *s, const void *config);

/* "1 to 48, power of two", "lrr, gto, ...": what a value may be, into buf. */
void cfg_range(const struct cfg_field *f, char *buf, size_t size);
const char *cfg_unit_name(enum cfg_unit u); /* "cycles", "" */

#endif /* CFG_CFG_H */
