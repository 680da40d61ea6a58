/*
 * tile.h - matrix instructions: which element of a matrix lies in which register of
 * which lane, and what a product of matrices adds up to.
 *
 * D = A * B + C, of m rows, n columns and sums of k products. The lanes of a warp hold
 * a matrix together: a fragment is what one lane has of it, element 0 in the low bits
 * of its first register. Layouts: PTX ISA 9.0, "Matrix fragments for mma".
 */
#ifndef ISA_TILE_H
#define ISA_TILE_H

#include "isa/uop.h"

enum { ISA_TILE_REGS = 24 }; /* at most, of all fragments of a lane */

struct isa_tile {
    uint32_t m, n, k;
    uint32_t parts;              /* independent products, each of 32 / parts lanes */
    uint32_t bits[ISA_N_FRAGS];  /* of an element; tf32: 32 */
    uint32_t regs[ISA_N_FRAGS];  /* registers of a lane */
    uint32_t elems[ISA_N_FRAGS]; /* elements of a lane */
    bool wide;                   /* registers of 64 bits: f64 */
};

/* Of a form of mma. */
void isa_tile_of(const struct isa_form *f, struct isa_tile *t);

/* The type that registers of a fragment have in PTX: B32, F32 or F64. */
enum isa_type isa_tile_reg_type(const struct isa_form *f, enum isa_frag which);

struct isa_at {
    uint32_t row, col;
};

/* Where element i of the lane's fragment stands in its matrix (of its part). */
struct isa_at isa_tile_at(const struct isa_form *f, const struct isa_tile *t,
                          enum isa_frag which, uint32_t lane, uint32_t i);

/*
 * mma.sp: of 4 elements of a row of A two are there, of 2 of tf32 one, of 4 pairs of 4
 * bits two. meta[lane]: which, 2 bits for each (tf32: 4). Where in k element i of the
 * row of A stands; selector: which of the lanes' words are looked at (SPEC MMA-5).
 */
uint32_t isa_sparse_at(const struct isa_tile *t, uint32_t selector,
                       const uint32_t *meta, uint32_t row, uint32_t i);
/* Selectors that a form takes: 1, 2 or 4. */
uint32_t isa_sparse_selectors(const struct isa_tile *t);

/* The part that the lane belongs to. */
static inline uint32_t isa_tile_part(const struct isa_tile *t, uint32_t lane)
{
    return t->parts == 1 ? 0 : lane / 4 % 4;
}

/*
 * How sums of products of f16, bf16, tf32 and 8-bit numbers are formed (SPEC MMA-2).
 * Of group products and C each is cut off fraction bits below the largest exponent
 * among them, and the rest added exactly.
 */
struct isa_sum {
    uint32_t group;    /* products that are added at once */
    uint32_t fraction; /* bits kept below the largest exponent */
};

/* m8n8k4 of f16 is done by fused multiply-adds of f32 instead (SPEC MMA-3). */
static inline bool isa_tile_is_chain(const struct isa_tile *t, uint32_t cc)
{
    return t->parts > 1 && cc >= 80;
}

/* Products of 8-bit numbers are two of f16 instead, and an addition (SPEC MMA-3). */
static inline bool isa_tile_is_halves(enum isa_type a, uint32_t cc)
{
    return (a == ISA_T_E4M3 || a == ISA_T_E5M2) && cc >= 90;
}

struct isa_sum isa_sum_of(enum isa_type a, uint32_t cc);
/* The same of wgmma (SPEC WGMMA-3). */
struct isa_sum isa_async_sum_of(enum isa_type a, uint32_t cc);

/*
 * ---- wmma ----
 *
 * A product of wmma is one or two of mma. PTX leaves open where its elements lie; here,
 * as on the devices that are known (SPEC MMA-4), they lie where those of mma do.
 */
enum { ISA_WMMA_MOST = 2 };

/* Registers of a lane of a fragment. f: of wmma.mma, or of a load or store, whose type
 * is that of the matrix. */
uint32_t isa_wmma_regs(const struct isa_form *f, enum isa_frag which);
/* The first so many of them hold all elements that the lane has; the others hold the
 * same again, in turn, and no product reads them. */
uint32_t isa_wmma_distinct(const struct isa_form *f, enum isa_frag which);
/* The same registers' type in PTX. */
enum isa_type isa_wmma_reg_type(const struct isa_form *f, enum isa_frag which);

/* Where bits of register reg of the lane from s * (size of an element) on stand. */
struct isa_at isa_wmma_at(const struct isa_form *f, enum isa_frag which, uint32_t lane,
                          uint32_t reg, uint32_t s);

/* The products of wmma.mma: forms of mma, and for each of its fragments the first
 * register among those of wmma; from: which fragment of wmma they are. */
struct isa_wmma {
    uint32_t n;
    struct isa_form form;
    uint8_t from[ISA_N_FRAGS];
    uint8_t first[ISA_WMMA_MOST][ISA_N_FRAGS];
};
void isa_wmma_split(const struct isa_form *f, struct isa_wmma *out);

/* What its loads and stores are made of: addresses of elements (imm: see
 * isa_wmma_imm(); src[0] base, src[1] stride), the same of what a lane loads that
 * movmatrix then turns, elements out of a register (imm: first bit), registers of
 * elements (imm: bits of each). */
enum isa_wmma_step { ISA_WMMA_ADDRESS, ISA_WMMA_TURNED, ISA_WMMA_PART, ISA_WMMA_PACK };
isa_exec_fn *isa_exec_wmma(enum isa_wmma_step step);
static inline int64_t isa_wmma_imm(uint32_t reg, uint32_t s, int64_t offset)
{
    return (int64_t)((uint64_t)offset << 16 | reg << 8 | s);
}

/* ---- ldmatrix and stmatrix ---- */

/* The lanes whose addresses are rows of the n matrices. */
static inline uint32_t isa_row_lanes(uint32_t n)
{
    return n >= 4 ? UINT32_MAX : (1u << 8 * n) - 1;
}

/* d[word][lane]: rows as the lanes' addresses have them, 16 bytes each. From there into
 * the fragments, and back. */
void isa_take_rows(const struct isa_uop *u, const struct isa_lanes *w,
                   const uint32_t d[][ISA_LANES]);
void isa_give_rows(const struct isa_uop *u, const struct isa_lanes *w,
                   uint32_t d[][ISA_LANES]);

#endif /* ISA_TILE_H */
