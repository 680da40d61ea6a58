/*
 * eval.h - what an instruction of arithmetic, logic, comparison or conversion gives.
 *
 * s: its source operands in order, raw: what bits lie above their width does not count.
 * The result's bits above the width of its type are its extension by sign or zeros.
 */
#ifndef RANDOM_EVAL_H
#define RANDOM_EVAL_H

#include "code.h"

struct result {
    uint64_t value;
    bool second; /* setp's other predicate */
};

/* The value of raw as a type sees it: by sign or zeros. */
uint64_t extend(enum ty t, uint64_t raw);

/* cc: the carry flag. False: no such instruction, or a division by zero. */
bool eval(const struct insn *in, const uint64_t *s, bool *cc, struct result *d);
bool eval_integer(const struct insn *in, const uint64_t *s, bool *cc, uint64_t *d);
bool eval_float(const struct insn *in, const uint64_t *s, uint64_t *d);
bool eval_compare(const struct insn *in, const uint64_t *s, struct result *d);
bool eval_convert(const struct insn *in, uint64_t raw, uint64_t *d);

/* Parts of words: eval_video.c. */
bool eval_video(const struct insn *in, const uint64_t *s, uint64_t *d);
bool eval_packed(const struct insn *in, const uint64_t *s, uint64_t *d);

/* Narrow floating point: eval_half.c. */
bool eval_half(const struct insn *in, const uint64_t *s, uint64_t *d);
bool eval_half_convert(const struct insn *in, const uint64_t *s, uint64_t *d);
/* Of one half or two, as atom.add.noftz asks for it. */
uint64_t half_add(enum ty t, uint64_t a, uint64_t b);
uint64_t half_extreme(enum ty t, uint64_t a, uint64_t b, bool lower);
/* The lower half of raw as a number, as a comparison sees it. */
double half_value(const struct insn *in, uint32_t t, uint64_t raw);

/* Of an IEEE sum, as atom.add asks for it too. */
uint32_t float_add(uint32_t a, uint32_t b, bool ftz);
uint64_t double_add(uint64_t a, uint64_t b);

#endif /* RANDOM_EVAL_H */
