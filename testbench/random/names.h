/* names.h - the words of PTX that the interpreter knows. s holds n bytes; UINT32_MAX
 * and TY_NONE: not among them. */
#ifndef RANDOM_NAMES_H
#define RANDOM_NAMES_H

#include "code.h"
#include <stddef.h>

uint32_t name_op(const char *s, size_t n);
uint32_t name_mod(const char *s, size_t n);
uint32_t name_sreg(const char *s, size_t n); /* without the % */
enum ty name_type(const char *s, size_t n);  /* without the point */

#endif /* RANDOM_NAMES_H */
