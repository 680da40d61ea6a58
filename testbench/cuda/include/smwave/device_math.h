/*
 * device_math.h - the CUDA Math API for kernels: functions for float and double and
 * their C++ overloads, intrinsics, SIMD within a word. A program's kernels see all of
 * it; it comes before any header of the C or C++ library, whose functions of the same
 * names are the host's.
 *
 * No tables: a table would be loads, and loads are what programs are run here for.
 * Accuracy is measured against MPFR: testbench/cuda/math. The coefficients were made
 * for these headers (coefficients.py there).
 */
#ifndef SMWAVE_DEVICE_MATH_H
#define SMWAVE_DEVICE_MATH_H

#include "smwave/math_basic.h"
#include "smwave/math_bessel.h"
#include "smwave/math_double.h"
#include "smwave/math_error.h"
#include "smwave/math_float.h"
#include "smwave/math_gamma.h"
#include "smwave/simd.h"
#ifndef SMWAVE_MATH_OPERATIONS /* of the device alone */
#include "smwave/intrinsics.h"
#include "smwave/math_overloads.h"
#endif

#endif
