/*
 * reference.h - what the kernels of testbench/kernels must compute, in plain C that
 * knows nothing of GPUs, PTX or the simulator.
 *
 * reference OUTDIR MEASURED writes OUTDIR/reference.txt, a line "file buffer count
 * hash" for each output of the launch files beside this source, the .npy files to which
 * outputs with a tolerance are compared, and printf.txt; and checks the outputs
 * measured on a device (MEASURED is that table) against its own. check_golden.sh builds
 * and runs it.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The generator of launch files: value of the next draw. */
uint64_t draw(uint64_t *state);
/* bytes of little-endian 32-bit words & mask; fresh memory, never freed */
void *random_words(uint64_t seed, uint32_t mask, size_t bytes);
/* n draws % modulo + offset */
int32_t *random_s32(uint64_t seed, uint64_t modulo, int64_t offset, size_t n);
float *random_f32(uint64_t seed, uint64_t modulo, int64_t offset, size_t n);
double *random_f64(uint64_t seed, uint64_t modulo, int64_t offset, size_t n);
void *zeros(size_t bytes);

uint64_t fnv1a(const void *data, size_t bytes);
/* One line of reference.txt. */
void emit(const char *file, const char *buffer, const void *data, size_t count,
          size_t size);
/* OUTDIR/name; fails the program if it cannot be made. */
FILE *create(const char *name);
/* A one-dimensional NumPy array; type "<f4", "<f8". */
void write_npy(const char *name, const char *type, const void *data, size_t count,
               size_t size);

void reference_data(void);  /* reference_data.c: matrices, scans, sorts, copies */
void reference_code(void);  /* reference_code.c: calls, structs, branches, barriers */
void reference_lanes(void); /* reference_lanes.c: warps, atomics, wide integers, bits */
void reference_math(void);  /* reference_math.c: floating point */
/* Rows of the measured table; false if one differs. */
int reference_measured(const char *table);

#endif /* REFERENCE_H */
