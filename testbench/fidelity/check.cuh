/* check.cuh - a call of CUDA's runtime that fails ends the program. */
#ifndef FIDELITY_CHECK_CUH
#define FIDELITY_CHECK_CUH

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                    \
    do {                                                                               \
        const cudaError_t e_ = (call);                                                 \
        if (e_ != cudaSuccess) {                                                       \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); \
            exit(1);                                                                   \
        }                                                                              \
    } while (0)

#endif
