/*
 * value.h - element types, numbers of those types, and the ways to fill a buffer.
 *
 *   zero                                   all bytes 0
 *   {fill: V}                              every element V
 *   {iota: [START, STEP]}                  START + i * STEP; integers wrap
 *   {file: x.npy} or any other name        NumPy array of the same type, or raw bytes
 *   {random: {seed: S, mask: M}}           little-endian 32-bit words of splitmix64 & M
 *   {random: {seed: S, modulo: M, offset: O}}  one draw per element: draw % M + O
 *   {random: {seed: S, uniform: [A, B]}}   floats from A to below B, one draw each
 *   {random: {seed: S, normal: [M, D]}}    floats of that mean and deviation
 */
#ifndef IO_VALUE_H
#define IO_VALUE_H

#include "io/value_type.h"
#include "io/yaml.h"

/* "s32" -> VALUE_S32. */
bool value_read_type(const struct yaml *y, const struct yaml_node *n,
                     enum value_type *out, struct smw_err *e);

/* A scalar as an element: its bits, in the low bytes of *bits. */
bool value_read_number(const struct yaml *y, const struct yaml_node *n,
                       enum value_type type, uint64_t *bits, struct smw_err *e);

/* Scalars of a schema, with their range in the message; what names the key. */
bool value_read_u64(const struct yaml *y, const struct yaml_node *n, const char *what,
                    uint64_t min, uint64_t max, uint64_t *out, struct smw_err *e);
bool value_read_u32(const struct yaml *y, const struct yaml_node *n, const char *what,
                    uint32_t min, uint32_t max, uint32_t *out, struct smw_err *e);
bool value_read_f64(const struct yaml *y, const struct yaml_node *n, const char *what,
                    double *out, struct smw_err *e);
bool value_read_bool(const struct yaml *y, const struct yaml_node *n, const char *what,
                     bool *out, struct smw_err *e);
/* Index of the scalar in names. */
bool value_read_choice(const struct yaml *y, const struct yaml_node *n,
                       const char *what, const char *const *names, uint32_t n_names,
                       uint32_t *out, struct smw_err *e);

enum value_form {
    FORM_ZERO,
    FORM_FILL,
    FORM_IOTA,
    FORM_FILE,
    FORM_RANDOM_MASK,
    FORM_RANDOM_MODULO,
    FORM_UNIFORM,
    FORM_NORMAL
};

struct value_init {
    enum value_form form;
    uint64_t fill;           /* FILL: bits of an element */
    uint64_t start, step;    /* IOTA of integers, modulo 2^64 */
    double start_f, step_f;  /* IOTA of floats; the two numbers of UNIFORM, NORMAL */
    const char *path;        /* FILE: as written */
    uint64_t seed, mask;     /* RANDOM */
    uint64_t modulo, offset; /* RANDOM_MODULO; offset as two's complement */
    const struct yaml *y;    /* where it stands, for errors and for paths */
    const struct yaml_node *at;
};

/* One key that a map may have, as the reader and the JSON schema see it. */
struct value_key {
    const char *name;
    const char
        *shape; /* of its value: a definition of the schema (run/launch_schema.c) */
    const char *doc; /* a sentence for people */
    bool required;
};

enum { VALUE_FORM_KEYS = 4, VALUE_RANDOM_KEYS = 6, VALUE_MAX_KEYS = 20 };
extern const struct value_key value_form_keys[VALUE_FORM_KEYS];     /* fill, iota ... */
extern const struct value_key value_random_keys[VALUE_RANDOM_KEYS]; /* of random */

bool value_read_init(const struct yaml *y, const struct yaml_node *n,
                     enum value_type type, struct value_init *out, struct smw_err *e);

/* Fill bytes (whole elements of the type) at out. Only FILE can fail. */
bool value_fill(const struct value_init *init, enum value_type type, void *out,
                uint64_t bytes, struct smw_err *e);

/* The next draw; *state starts at the seed. */
uint64_t value_splitmix64(uint64_t *state);

/* Standard 64-bit FNV-1a. */
uint64_t value_fnv1a(const void *data, uint64_t bytes);

/* Element i as a double; integers beyond 2^53 are rounded. */
double value_as_f64(enum value_type type, const void *data, uint64_t i);
/* Element i as text that reads back exactly. */
void value_print(enum value_type type, const void *data, uint64_t i, char *buf,
                 size_t size);

/* Every child of map has a key of names; every key of the first n_required is there.
 * what: "a launch", for messages. kind: of refusals. */
bool value_check_keys(const struct yaml *y, const struct yaml_node *map,
                      const char *what, const char *const *names, uint32_t n_names,
                      uint32_t n_required, struct smw_err *e);
/* The same by a table of n keys. */
bool value_check_map(const struct yaml *y, const struct yaml_node *map,
                     const char *what, const struct value_key *keys, uint32_t n,
                     struct smw_err *e);
/* n is a map (list, scalar), else refuse: "what must be a map, not a list". */
bool value_need(const struct yaml *y, const struct yaml_node *n, enum yaml_kind kind,
                const char *what, struct smw_err *e);

#endif /* IO_VALUE_H */
