/*
 * answers.h - what the kernels of published.csv are given, and what they must answer.
 */
#ifndef FIDELITY_ANSWERS_H
#define FIDELITY_ANSWERS_H

#include "rows.h"

/* Word i of the input: neighbours differ. ROW_ADD gets floats whose sums are exact. */
uint32_t answers_input(const struct row *r, uint32_t i);

/* out: what lies in the output after so many launches; ROW_SUM: one word of each block,
 * else as many as the input has. */
bool answers_are_right(const struct row *r, const uint32_t *out, uint32_t launches);

/* The bytes that the published figure counts: each word of a sum once, words copied or
 * added to twice. */
double answers_bytes(const struct row *r);

#endif /* FIDELITY_ANSWERS_H */
