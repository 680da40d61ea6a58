/* matrix_rows.cu - one ldmatrix or stmatrix of one warp a launch, for ncu. */
#include "check.cuh"

#include <cstdio>
#define PATTERN_FN static __host__ __device__ inline
#include "../../model/mem/matrix_rows_test.h"

#define LD(name, ins, outs, ...)                                                       \
    __global__ void name(unsigned *out, const unsigned *rows)                          \
    {                                                                                  \
        extern __shared__ unsigned tile[];                                             \
        unsigned r[4] = {};                                                            \
        const unsigned at =                                                            \
            (unsigned)__cvta_generic_to_shared(tile) + rows[threadIdx.x];              \
        asm volatile(ins:__VA_ARGS__ : "r"(at) : "memory");                            \
        out[threadIdx.x] = r[0] + r[1] + r[2] + r[3];                                  \
    }
#define R1 "=r"(r[0])
#define R2 R1, "=r"(r[1])
#define R4 R2, "=r"(r[2]), "=r"(r[3])
LD(ld1, "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];", , R1)
LD(ld2, "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];", , R2)
LD(ld4, "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];", , R4)
LD(ld1t, "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];", , R1)
LD(ld2t, "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];", , R2)
LD(ld4t, "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];", , R4)
#define ST(name, ins, ...)                                                             \
    __global__ void name(unsigned *out, const unsigned *rows)                          \
    {                                                                                  \
        extern __shared__ unsigned tile[];                                             \
        const unsigned v = out[threadIdx.x];                                           \
        const unsigned at =                                                            \
            (unsigned)__cvta_generic_to_shared(tile) + rows[threadIdx.x];              \
        asm volatile(ins ::"r"(at), __VA_ARGS__ : "memory");                           \
    }
#define V1 "r"(v)
#define V2 V1, V1
#define V4 V2, V2
ST(st1, "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};", V1)
ST(st2, "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1,%2};", V2)
ST(st4, "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};", V4)
ST(st1t, "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};", V1)
ST(st2t, "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1,%2};", V2)
ST(st4t, "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%2,%3,%4};", V4)

int main()
{
    typedef void (*kernel)(unsigned *, const unsigned *);
    const kernel all[12] = {ld1, ld2, ld4, ld1t, ld2t, ld4t,
                            st1, st2, st4, st1t, st2t, st4t};
    unsigned *out, *rows, host[32];
    CHECK(cudaMalloc(&out, 4096));
    CHECK(cudaMalloc(&rows, 4096));
    CHECK(cudaMemset(out, 0, 4096));
    for (unsigned p = 0; p < PATTERN_MANY; p++) {
        for (unsigned l = 0; l < 32; l++)
            host[l] = pattern_row(p, l);
        CHECK(cudaMemcpy(rows, host, sizeof(host), cudaMemcpyHostToDevice));
        for (unsigned k = 0; k < 12; k++) {
            all[k]<<<1, 32, 40960>>>(out, rows);
            CHECK(cudaGetLastError());
        }
    }
    CHECK(cudaDeviceSynchronize());
    return 0;
}
