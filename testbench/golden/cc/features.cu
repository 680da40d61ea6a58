/* Everything that the headers give to kernels, used once. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cuda.h>
#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>
#include <cuda_profiler_api.h>
#include <cuComplex.h>
#include <device_launch_parameters.h>
#include <memory>
#include <vector>

namespace cg = cooperative_groups;

__constant__ float constants[4];
__device__ int variable[4];
__managed__ int managed = 5;

struct pair {
    double a;
    int b;
};

__noinline__ __device__ int three(int a)
{
    return a * 3;
}

template <class T> __global__ void __launch_bounds__(256, 2) generic(T *p, T v)
{
    extern __shared__ char bytes[];
    T *s = reinterpret_cast<T *>(bytes);

    s[threadIdx.x] = v;
    __syncthreads();
    p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x] + (T)constants[0];
}

__global__ void values(int *p, float *q, const float4 *r)
{
    __shared__ int s;
    unsigned all = 0xffffffffu;
    int i = threadIdx.x;
    dim3 block = blockDim;
    double d = __shfl_down_sync(all, (double)q[i], 1);
    long long c = clock64();

    if (i == 0) {
        s = 0;
    }
    __syncthreads();
    atomicAdd(&s, 1);
    __syncthreads();
    p[i] = three(s) + __shfl_xor_sync(all, i, 1) + (int)block.x + __syncthreads_or(i > 3);
    q[i] = __ldg(r + i).w + (float)d + __ldcg(q + 1) + (float)__shfl_up_sync(all, 3ull, 1);
    __stcs(p + 1, __syncthreads_count(i) + __syncthreads_and(i));
    p[2] = __any_sync(all, i) + __all_sync(all, i) + (int)__ballot_sync(all, i);
    p[3] = atomicCAS(p, 1, 2) + (int)atomicMax((unsigned *)p, 3u) + (int)clock();
    p[4] = (int)atomicInc((unsigned *)p, 4u) + atomicExch(p, 3) + atomicSub(p, 1);
    p[5] = (int)atomicMin((unsigned long long *)p, 3ull) + atomicXor(p, 1);
    atomicAdd(q, 1.0f);
    atomicExch(q, 2.0f);
    __threadfence();
    __threadfence_block();
    __threadfence_system();
    __syncwarp();
    p[6] = (int)__activemask() + (int)(clock64() - c) + managed + variable[1];
    p[7] = (int)__isShared(&s) + (int)__isGlobal(p);
    printf("%d %f\n", p[0], (double)q[0]);
    assert(p[0] < 3);
}

__global__ void groups(int *p, double *q)
{
    cg::thread_block b = cg::this_thread_block();
    auto t = cg::tiled_partition<16>(b);
    auto t4 = cg::tiled_partition<4>(t);
    cg::thread_block_tile<16> same = t;
    cg::grid_group g = cg::this_grid();
    pair x = {q[0], p[0]};

    p[g.thread_rank()] = cg::reduce(t, p[b.thread_rank()], cg::plus<int>());
    p[1] = (int)t4.meta_group_rank() + same.shfl(p[1], 3) + t.any(p[2]);
    x = t.shfl_down(x, 2);
    q[1] = x.a + x.b;
    g.sync();
    if (threadIdx.x % 3 == 0) {
        cg::coalesced_group c = cg::coalesced_threads();

        p[5] = cg::reduce(c, 3, cg::greater<int>()) + c.shfl(p[1], 0);
    }
    p[7] = cg::inclusive_scan(t, p[8]) + cg::exclusive_scan(t, p[9], cg::plus<int>());
    p[8] = (int)cg::binary_partition(t, p[0] > 3).size();
    cg::sync(cg::tiled_partition(b, 8));
    cg::memcpy_async(b, p, p + 64, 32);
    cg::wait(b);
}

__global__ void copies(int *out, const int *in)
{
    __shared__ __align__(16) int s[128];

    __pipeline_memcpy_async(s + 4 * threadIdx.x, in + 4 * threadIdx.x, 16);
    __pipeline_commit();
    __pipeline_memcpy_async(s + threadIdx.x, in + threadIdx.x, 8, 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __pipeline_wait_prior(0);
    cg::memcpy_async(cg::this_thread_block(), s, in, 128);
    cg::wait_prior<0>(cg::this_thread_block());
    out[threadIdx.x] = s[threadIdx.x];
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__device__ void meet(__mbarrier_t *b)
{
    __mbarrier_token_t t = __mbarrier_arrive(b);

    while (!__mbarrier_test_wait(b, t) && __mbarrier_token_pending_count(t) > 1) {
    }
    __mbarrier_arrive_and_drop(b);
    while (!__mbarrier_test_wait_parity(b, true)) {
    }
}

__global__ void barriers(int *out)
{
    __shared__ __mbarrier_t b;

    if (threadIdx.x == 0) {
        __mbarrier_init(&b, blockDim.x);
    }
    __syncthreads();
    meet(&b);
    out[threadIdx.x] = (int)__mbarrier_maximum_count();
    __mbarrier_inval(&b);
}
#endif

__global__ void complex_numbers(cuFloatComplex *p, cuDoubleComplex *q)
{
    p[0] = cuCaddf(cuCmulf(p[1], p[2]), cuCdivf(p[3], p[4]));
    q[0] = cuCadd(cuCmul(q[1], q[2]), cuConj(q[3]));
}

int main()
{
    int *p = nullptr, n, grid;
    float *q = nullptr;
    cudaDeviceProp prop;
    cudaStream_t stream;
    cudaEvent_t event;
    void *args[] = {&p, &q};
    auto kept = std::make_shared<std::vector<int>>(4);
    float values4[4] = {1, 2, 3, 4};

    cudaGetDeviceProperties(&prop, 0);
    cudaMalloc(&p, 400);
    cudaMallocManaged(&q, 400);
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    cudaMemcpyToSymbol(constants, values4, sizeof(values4));
    cudaMemcpyToSymbol(variable, kept->data(), 16);
    cudaOccupancyMaxPotentialBlockSize(&grid, &n, values);
    cudaFuncSetAttribute(values, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
    managed = prop.clockRate;
    generic<<<1, 32, 32 * sizeof(float), stream>>>(q, 2.0f);
    values<<<dim3(1), dim3(32)>>>(p, q, (float4 *)q);
    cudaLaunchKernel((void *)values, dim3(1), dim3(32), args);
    cudaEventRecord(event, stream);
    cudaLaunchCooperativeKernel(groups, dim3(1), dim3(32), args);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return cudaFree(p) != cudaSuccess;
}
