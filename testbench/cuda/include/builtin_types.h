/*
 * builtin_types.h - the types that programs may use without a name: all of the
 * runtime's.
 */
#ifndef SMWAVE_BUILTIN_TYPES_H
#define SMWAVE_BUILTIN_TYPES_H
#include "driver_types.h"
#endif /* SMWAVE_BUILTIN_TYPES_H */
