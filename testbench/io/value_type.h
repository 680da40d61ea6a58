/*
 * value_type.h - the types that elements of a buffer can have.
 */
#ifndef IO_VALUE_TYPE_H
#define IO_VALUE_TYPE_H

#include <stdbool.h>
#include <stdint.h>

enum value_type {
    VALUE_U8,
    VALUE_S8,
    VALUE_U16,
    VALUE_S16,
    VALUE_U32,
    VALUE_S32,
    VALUE_U64,
    VALUE_S64,
    VALUE_F32,
    VALUE_F64,
    VALUE_F16,
    VALUE_BF16,
    VALUE_E4M3,
    VALUE_E5M2,
    VALUE_TYPES
};

const char *value_type_name(enum value_type t);
uint32_t value_type_size(enum value_type t); /* bytes */
bool value_type_is_float(enum value_type t);
bool value_type_is_signed(enum value_type t);

#endif /* IO_VALUE_TYPE_H */
