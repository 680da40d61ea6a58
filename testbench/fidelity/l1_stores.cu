/*
 * l1_stores.cu - does the L1 keep what is stored? A block of 1,024 threads loads some words
 * of one buffer, stores some of another, a word every so many, and loads words of either.
 * The vendor's profiler counts the sectors of its loads, and those that the L1 had:
 *   ncu --csv --page raw --metrics l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,
 *   l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum,
 *   l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum ./l1_stores
 * l1_stores.csv is a row per launch:
 *   loaded,stored,stride,from,read,read_stride   words; from: what was stored or loaded
 *   ld,hit,st                                    sectors
 * Build: nvcc -O2 -arch=sm_90 l1_stores.cu -o l1_stores
 */
#include <cstdio>

__global__ void go(const unsigned *x, unsigned loaded, unsigned *y, unsigned stored,
                   unsigned stride, const unsigned *z, unsigned read,
                   unsigned read_stride, unsigned *out)
{
    unsigned sum = 0, v;

    for (unsigned i = threadIdx.x; i < loaded; i += blockDim.x) {
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(x + i) : "memory");
        sum += v;
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < stored; i += blockDim.x) {
        asm volatile("st.global.u32 [%0], %1;" ::"l"(y + i * stride), "r"(i)
                     : "memory");
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < read; i += blockDim.x) {
        asm volatile("ld.global.u32 %0, [%1];"
                     : "=r"(v)
                     : "l"(z + i * read_stride)
                     : "memory");
        sum += v;
    }
    if (sum == 0x12345) {
        *out = sum;
    }
}

int main()
{
    enum { KB = 256, BYTES = 16 << 20 };
    static const struct {
        unsigned loaded, stored, stride;
        bool from_stored;
        unsigned read, read_stride;
    } c[] = {
        {0, 16 * KB, 1, true, 16 * KB, 1},
        {0, 16 * KB, 2, true, 16 * KB, 2}, /* half of each sector, the same half */
        {0, 16 * KB, 2, true, 32 * KB, 1}, /* and the whole */
        {0, 2 * KB, 8, true, 2 * KB, 8},
        {0, 2 * KB, 8, true, 16 * KB, 1},
        {0, 64 * KB, 1, true, 64 * KB, 1},
        {0, 128 * KB, 1, true, 128 * KB, 1},
        {0, 192 * KB, 1, true, 192 * KB, 1},
        {0, 224 * KB, 1, true, 224 * KB, 1},
        {0, 256 * KB, 1, true, 256 * KB, 1},
        {0, 320 * KB, 1, true, 320 * KB, 1},
        {0, 512 * KB, 1, true, 512 * KB, 1},
        {64 * KB, 0, 1, false, 64 * KB, 1},
        {64 * KB, 64 * KB, 1, false, 64 * KB, 1},
        {64 * KB, 128 * KB, 1, false, 64 * KB, 1},
        {64 * KB, 192 * KB, 1, false, 64 * KB, 1},
        {64 * KB, 256 * KB, 1, false, 64 * KB, 1},
        {64 * KB, 512 * KB, 1, false, 64 * KB, 1},
        {64 * KB, 2048 * KB, 1, false, 64 * KB, 1},
        {192 * KB, 0, 1, false, 192 * KB, 1},
        {224 * KB, 0, 1, false, 224 * KB, 1},
        {256 * KB, 0, 1, false, 256 * KB, 1},
        {320 * KB, 0, 1, false, 320 * KB, 1},
    };
    unsigned *a, *b, *out;

    cudaMalloc(&a, BYTES);
    cudaMalloc(&b, BYTES);
    cudaMalloc(&out, 4);
    for (const auto &k : c) {
        go<<<1, 1024>>>(a, k.loaded, b, k.stored, k.stride, k.from_stored ? b : a,
                        k.read, k.read_stride, out);
    }
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
