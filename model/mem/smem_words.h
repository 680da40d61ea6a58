/*
 * smem_words.h - what one pass of a request does to the words of the on-chip array. No
 * time and no ports.
 *
 * base is the first word of the block's memory; the request says where its lanes go.
 */
#ifndef MEM_SMEM_WORDS_H
#define MEM_SMEM_WORDS_H

#include "mem/mem.h"

/* A load reads, a store writes the words of the pass, in the order of lanes that the
 * pass says. Word i of a lane lies 4 * i bytes after its address, in element order
 * (sub-word elements of vectors are packed). */
void smem_move(uint32_t *base, struct mem_req *r, const struct mem_wave *w);

/* An atomic, one lane after the other: the rule gives each bank one lane per pass, but
 * a wide element lies in two banks, so order still matters. */
void smem_atom(uint32_t *base, struct mem_req *r, const struct mem_wave *w);

#endif /* MEM_SMEM_WORDS_H */
