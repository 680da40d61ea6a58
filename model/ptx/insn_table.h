/*
 * insn_table.h - the instructions the front end accepts, as data; private to the front
 * end.
 *
 * A row is one line of `ptx list`: an operation, the words that may follow it, the
 * operands. Several rows of one operation are alternatives; the first that takes every
 * word of the instruction is the one.
 *
 * mods: groups separated by blanks; a group is a class letter, ':' (required) or '?'
 * (may be absent), and words separated by '|'. Words come in any order, each fills the
 * first free group that has it. Classes:
 *   t type (the first group is form.type, the second form.type2)   r rounding
 *   y a third type (form.round)
 *   s form.sub      q form.sub of bar.red     c comparison          b boolean
 *   f flag          k cache operator          p state space         v vector
 *   n shape of a matrix product               l layout of A, then of B
 *   N shape of wgmma, m64nNkK: columns
 *   w matrix of wmma.load and .store
 *   g geometry of a texture     j component, query or clamping of textures and surfaces
 *   z scope of an access (a flag)
 *   m level of membar and fence               x accepted, without effect here
 *
 * operands: one letter each.
 *   d result of type            D the same, the register may be wider
 *   w result of twice the width u result, 32-bit integer
 *   p predicate result          q the same, with an optional |q
 *   e result with an optional |p  v result of ld: vector or scalar, may be wider
 *   x result of mov: register or {vector}
 *   a source of type            b source of type2
 *   B source of type2, may be wider   W source of twice the width
 *   U source, 32-bit integer    A source, 32- or 64-bit address
 *   P source predicate          C the same, there if and only if there is a boolean
 *   V source of st: vector or scalar, may be wider    X source of mov
 *   i integer constant          m memory address
 *   M the same, in global memory whatever the space
 *   y size of 32 bits, or a predicate
 *   l label                     t list of branch targets
 *   S source, 32-bit integer of a video instruction, its parts selected; u may be too
 *   G result of matrix instructions: the fragment D, or the registers of ldmatrix
 *   H I J their sources: the fragments A, B and C, or the registers of stmatrix
 *   O Q factors of wgmma: A, registers or a descriptor; B, a descriptor
 *   T coordinates of a texture: one, or a vector   K the like of the gradients
 *   R source, 16-bit integer
 *   Z address of a tensor map, which Y, its coordinates, may follow in the brackets
 *   h cache-policy register, accepted and ignored
 *   ? the operand that follows may be absent
 */
#ifndef PTX_INSN_TABLE_H
#define PTX_INSN_TABLE_H

#include "isa/isa.h"

struct ptx_row {
    uint8_t op;     /* enum isa_op */
    uint8_t min_cc; /* 10 * major + minor of the first capability that has it */
    const char *mods;
    const char *operands;
    const char *what; /* what min_cc is due to, NULL: the operation */
};

extern const struct ptx_row ptx_rows[];
extern const uint32_t ptx_n_rows;

/* Value of word (n characters) in class c; false: not a word of that class. */
bool ptx_word_value(char c, const char *word, uint32_t n, uint32_t *value);

/* Enumerators of types; ISA_T_NONE: no such type. */
enum isa_type ptx_type_of(const char *word, uint32_t n);

/* Why a word or an operation is refused though PTX has it, e.g. "half precision"; NULL
 * if it is unknown. */
const char *ptx_unsupported_word(const char *word, uint32_t n);
const char *ptx_unsupported_op(const char *word, uint32_t n);

#endif /* PTX_INSN_TABLE_H */
