/*
 * wgmma.h - products of matrices that four warps compute together while they go on
 * (SPEC WGMMA-1..4): where elements lie, what of shared memory is read.
 *
 * D = A * B + D, of 64 rows, n columns and sums of k products; a warp has 16 rows of A
 * and D, those of its place among the four. B lies in shared memory, A there too or in
 * registers as those of mma.m16n8; D lies as that of mma.m16n8, 8 columns after 8.
 * Operands in shared memory are named by a descriptor of 64 bits. PTX ISA 9.0,
 * "Asynchronous Warpgroup Level Matrix Shared Memory Layout".
 */
#ifndef ISA_WGMMA_H
#define ISA_WGMMA_H

#include "isa/uop.h"

enum {
    ISA_WGMMA_ROW = 32,          /* bytes of a row of A, of a column of B: k elements */
    ISA_WGMMA_REGS = 128 + 4 + 1 /* D, A, B: at most */
};

/* How an instruction says it: u->imm, a set of these. */
enum isa_wgmma_how {
    ISA_WGMMA_A_REGS = 1u << 0,  /* A is in registers */
    ISA_WGMMA_TURN_A = 1u << 1,  /* elements of a column of A are side by side */
    ISA_WGMMA_TURN_B = 1u << 2,  /* elements of a row of B are */
    ISA_WGMMA_MINUS_A = 1u << 3, /* elements of A are negated */
    ISA_WGMMA_MINUS_B = 1u << 4
};

struct isa_wgmma {
    uint32_t n, k;   /* columns of B and D, length of the sums */
    uint32_t bits;   /* of an element of A and B */
    uint32_t d_regs; /* registers of D of a lane */
    uint32_t a_regs; /* of A, if it is in registers: 4 */
};
void isa_wgmma_of(const struct isa_form *f, struct isa_wgmma *out);

/* u->tile: registers of D, then those of A or the pair of its descriptor, then the pair
 * of that of B. u->dst2: the predicate by which D is added, inverted if neg_src bit 0.
 */

/* Address in shared memory of 16 bytes that hold elements of row `row` of A (column of
 * B) from k = from on; if turned, of column k = from elements from row `row` on. */
uint32_t isa_wgmma_at(uint64_t descriptor, bool turned, uint32_t bits, uint32_t row,
                      uint32_t from);

/* The warp's first row: its place among the four. */
uint32_t isa_wgmma_row(const struct isa_env *env);

/* Pieces of 16 bytes that the warp reads of an operand: calls each(arg, address). */
typedef void isa_wgmma_piece(void *arg, uint32_t addr);
void isa_wgmma_pieces(const struct isa_uop *u, const struct isa_lanes *w,
                      isa_wgmma_piece *each, void *arg);

/* Bytes of shared memory from 0 on that hold all that the warp reads. */
uint32_t isa_wgmma_reach(const struct isa_uop *u, const struct isa_lanes *w);

/* Wavefronts of shared memory that the operands of all four warps take (SPEC WGMMA-4).
 */
uint32_t isa_wgmma_wavefronts(const struct isa_uop *u);

/* What a product takes of a warp's tensor core, and how long its results take besides,
 * in cycles: more if it had to wait for another (SPEC WGMMA-4). */
struct isa_wgmma_time {
    uint32_t cycles, latency, behind;
};
void isa_wgmma_time_of(const struct isa_uop *u, struct isa_wgmma_time *out);

#endif /* ISA_WGMMA_H */
