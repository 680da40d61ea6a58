/* Tensor maps: a matrix is turned tile by tile. Tiles come by bulk copies into shared
 * memory, swizzled so that 4 lanes of 32 meet in a bank where a column is read, and go back by others; what
 * of a tile hangs over the edge of the matrix comes as zeros and does not go back. */
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <cuda_runtime.h>

/* Ends the program when a call failed. */
static void check(int error, const char *what)
{
    if (error != 0) {
        fprintf(stderr, "%s: error %d\n", what, error);
        exit(1);
    }
}

enum { TILE = 32, BYTES = TILE * TILE * 4, ROWS = 100, COLS = 84 };

__device__ static unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

/* Word x of row y of a tile whose rows of 128 bytes are swizzled. */
__device__ static unsigned place(unsigned x, unsigned y)
{
    return y * TILE + (x ^ (y % 8) * 4);
}

/* Not parameters: of those some compilers make a copy of each thread's. */
__constant__ CUtensorMap from, to;

__global__ void turn()
{
    __shared__ __align__(1024) unsigned in[TILE * TILE], out[TILE * TILE];
    __shared__ unsigned long long bar;
    const unsigned x = blockIdx.x * TILE, y = blockIdx.y * TILE;

    if (threadIdx.x == 0) {
        asm volatile("prefetch.tensormap [%0];" ::"l"(&from) : "memory");
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&bar)) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], %1; }" ::
                         "r"(at(&bar)), "r"(BYTES) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
                     ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(at(in)),
                     "l"(&from), "r"(x), "r"(y), "r"(at(&bar)) : "memory");
    }
    __syncthreads();
    asm volatile("{ .reg .pred p;\nW%=: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n"
                 "@!p bra W%=; }" ::"r"(at(&bar)) : "memory");
    for (unsigned i = threadIdx.x; i < TILE * TILE; i += blockDim.x) {
        out[place(i % TILE, i / TILE)] = in[place(i / TILE, i % TILE)];
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"
                     " [%0, {%2, %3}], [%1];" ::"l"(&to), "r"(at(out)), "r"(y), "r"(x) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}

static void set_map(const void *symbol, unsigned *p, unsigned cols, unsigned rows)
{
    const cuuint64_t dim[] = {cols, rows}, stride[] = {cols * 4ull};
    const cuuint32_t box[] = {TILE, TILE}, step[] = {1, 1};
    CUtensorMap m;

    check(cuTensorMapEncodeTiled(&m, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, p, dim, stride, box,
                                 step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                 CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE), "cuTensorMapEncodeTiled");
    check(cudaMemcpyToSymbol(symbol, &m, sizeof(m)), "cudaMemcpyToSymbol");
}

int main()
{
    static unsigned h[ROWS * COLS], got[ROWS * COLS];
    unsigned *in, *out, wrong = 0;

    for (unsigned i = 0; i < ROWS * COLS; i++) {
        h[i] = i * 2654435761u;
    }
    check(cudaMalloc(&in, sizeof(h)), "cudaMalloc");
    check(cudaMalloc(&out, sizeof(h)), "cudaMalloc");
    check(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice), "cudaMemcpy");
    set_map(&from, in, COLS, ROWS);
    set_map(&to, out, ROWS, COLS);
    turn<<<dim3((COLS + TILE - 1) / TILE, (ROWS + TILE - 1) / TILE), 128>>>();
    check(cudaDeviceSynchronize(), "turn");
    check(cudaMemcpy(got, out, sizeof(h), cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (unsigned y = 0; y < ROWS; y++) {
        for (unsigned x = 0; x < COLS; x++) {
            wrong += got[x * ROWS + y] != h[y * COLS + x];
        }
    }
    printf("%u of %u words are wrong\n", wrong, ROWS * COLS);
    return wrong != 0;
}
