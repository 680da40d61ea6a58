/* C = A * B of halves, sums in f32, in four steps; all matrices are n by n, by rows. */
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

/* A thread for each element of C: every factor comes from global memory. */
extern "C" __global__ void product_naive(const __half *a, const __half *b, float *c,
                                         int n)
{
    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;

    for (int k = 0; k < n; k++) {
        sum += __half2float(a[row * n + k]) * __half2float(b[k * n + col]);
    }
    c[row * n + col] = sum;
}

/* The same by way of tiles of 16 by 16 in shared memory: each factor is loaded once for
 * 16 threads. */
extern "C" __global__ void product_shared(const __half *a, const __half *b, float *c,
                                          int n)
{
    __shared__ __half ta[16][16], tb[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    float sum = 0;

    for (int k = 0; k < n; k += 16) {
        ta[y][x] = a[row * n + k + x];
        tb[y][x] = b[(k + y) * n + col];
        __syncthreads();
        for (int i = 0; i < 16; i++) {
            sum += __half2float(ta[y][i]) * __half2float(tb[i][x]);
        }
        __syncthreads();
    }
    c[row * n + col] = sum;
}

/* Tiles of 16 by 32 of A and 32 by 16 of B, and two buffers: the next tiles are on their
 * way into one while the threads multiply what is in the other. */
extern "C" __global__ void product_async(const __half *a, const __half *b, float *c,
                                         int n)
{
    __shared__ __align__(16) __half ta[2][16][32], tb[2][32][16];
    int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
    int col = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    float sum = 0;

    for (int k = -32; k < n; k += 32) {
        int now = k / 32 & 1, next = 1 - now;

        if (k + 32 < n && t < 64) {
            __pipeline_memcpy_async(&ta[next][t / 4][t % 4 * 8],
                                    a + (blockIdx.y * 16 + t / 4) * n + k + 32 +
                                        t % 4 * 8,
                                    16);
            __pipeline_memcpy_async(&tb[next][t / 2][t % 2 * 8],
                                    b + (k + 32 + t / 2) * n + blockIdx.x * 16 +
                                        t % 2 * 8,
                                    16);
        }
        __pipeline_commit();
        if (k < 0) {
            continue;
        }
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int i = 0; i < 32; i++) {
            sum += __half2float(ta[now][y][i]) * __half2float(tb[now][i][x]);
        }
        __syncthreads();
    }
    c[row * n + col] = sum;
}

/* Where 8 halves from column 8 * part on stand in a tile whose rows are as long as all
 * banks, 128 bytes: with the row in the place, 8 rows of a column lie in different
 * banks. */
__device__ static unsigned place(unsigned row, unsigned part)
{
    return row * 128 + (part ^ (row & 7)) * 16;
}

__device__ static unsigned address(const void *shared)
{
    return (unsigned)__cvta_generic_to_shared(shared);
}

__device__ static void load_rows(unsigned *r, unsigned from)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(from)
                 : "memory");
}

__device__ static void load_columns(unsigned *r, unsigned from)
{
    asm volatile(
        "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
        : "r"(from)
        : "memory");
}

__device__ static void multiply(float *d, const unsigned *a, const unsigned *b)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
        "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* Tiles of 32 by 64 of C, sums of 64 products a step, by the tensor cores: 4 warps, each
 * 16 by 32 elements. */
extern "C" __global__ void product_mma(const __half *a, const __half *b, float *c,
                                       int n)
{
    __shared__ __align__(128) char ta[2][32 * 128], tb[2][64 * 128];
    unsigned t = threadIdx.x, lane = t % 32, left = t / 32 % 2 * 32, top = t / 64 * 16;
    float sum[4][4] = {};

    for (int k = -64; k < n; k += 64) {
        int now = k / 64 & 1, next = 1 - now;

        for (unsigned i = t; i < 256 && k + 64 < n; i += 128) {
            __pipeline_memcpy_async(ta[next] + place(i / 8, i % 8),
                                    a + (blockIdx.y * 32 + i / 8) * n + k + 64 +
                                        i % 8 * 8,
                                    16);
        }
        for (unsigned i = t; i < 512 && k + 64 < n; i += 128) {
            __pipeline_memcpy_async(tb[next] + place(i / 8, i % 8),
                                    b + (k + 64 + i / 8) * n + blockIdx.x * 64 +
                                        i % 8 * 8,
                                    16);
        }
        __pipeline_commit();
        if (k < 0) {
            continue;
        }
        __pipeline_wait_prior(1);
        __syncthreads();
        for (unsigned i = 0; i < 4; i++) {
            unsigned fa[4], fb[8];
            unsigned row = i * 16 + lane % 16, part = left / 8 + lane / 16;

            load_rows(fa, address(ta[now]) + place(top + lane % 16, i * 2 + lane / 16));
            load_columns(fb, address(tb[now]) + place(row, part));
            load_columns(fb + 4, address(tb[now]) + place(row, part + 2));
            for (unsigned j = 0; j < 4; j++) {
                multiply(sum[j], fa, fb + j * 2);
            }
        }
        __syncthreads();
    }
    for (unsigned j = 0; j < 4; j++) {
        unsigned row = blockIdx.y * 32 + top + lane / 4;
        unsigned col = blockIdx.x * 64 + left + j * 8 + lane % 4 * 2;

        *(float2 *)&c[row * n + col] = make_float2(sum[j][0], sum[j][1]);
        *(float2 *)&c[(row + 8) * n + col] = make_float2(sum[j][2], sum[j][3]);
    }
}
