/*
 * bankmap_index.h - index expressions of tid, as one writes them in a kernel.
 *
 *   tid ^ (tid >> 3)        (tid % 8) * 33 + tid / 8        tid < 16 ? tid : 31 - tid
 *
 * C's integer operators with C's precedence: ( ) unary - + ~ !, * / %, + -, << >>,
 * < <= > >=, == !=, & ^ |, && ||, ?:. Numbers are decimal or 0x hexadecimal; `lane` and
 * `threadIdx.x` are other names of tid. Values have 64 bits and a sign; what overflows,
 * divides by zero or shifts too far is refused, unless ?:, && or || pass it over.
 */
#ifndef ASK_BANKMAP_INDEX_H
#define ASK_BANKMAP_INDEX_H

#include "base/err.h"

/* The expression for this tid; SMW_ERR_USAGE with the column in text on failure. The
 * whole text is checked whatever tid is. */
bool index_eval(const char *text, uint32_t tid, int64_t *out, struct smw_err *e);

#endif /* ASK_BANKMAP_INDEX_H */
