/*
 * device.cu - a kernel for each function of functions.h. The results are those that the
 * host computed from the same headers, bit by bit, NaN as one pattern (check_device.sh).
 */
#include "vector_types.h"
#include "cuda_bf16.h"
#include "smwave/device_math.h"
#include <__clang_cuda_builtin_vars.h>

#include "functions.h"
#include "wrappers.h"

#define CALL1(f) f(x[4 * i])
#define CALL2(f) f(x[4 * i], x[4 * i + 1])
#define CALL3(f) f(x[4 * i], x[4 * i + 1], x[4 * i + 2])
#define CALL4(f) f(x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3])
#define KERNEL(name, T, n, reference)                                                  \
    extern "C" __global__ void k_##name(const T *x, T *result)                         \
    {                                                                                  \
        unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                            \
        T r = CALL##n(name);                                                           \
        result[i] = r == r ? r : (T)__builtin_nanf("");                                \
    }
MATH_FUNCTIONS(KERNEL)
