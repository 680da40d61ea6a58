/*
 * l2_states.cu - what a launch takes by what happened to its input before, by hand on a real
 * device: copy_offset (256 blocks of 256, offset 0, 2 MB) and sum_sequential (2,048 blocks of 512,
 * 4 MB) of golden/measured.
 *
 *   nvcc -O2 -arch=sm_90 -o l2_states l2_states.cu
 *   ncu --clock-control none --cache-control none --csv --metrics sm__cycles_active.max \
 *       -k regex:'copy_offset|sum_sequential' ./l2_states
 *
 * prints the state before each launch, and the profiler its cycles, in the same order.
 */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <functional>
#include <vector>

enum : size_t { MB = 1 << 20, BUFFER = 4 * MB, OTHERS = 400 * MB };

static void check(cudaError_t e)
{
    if (e != cudaSuccess) {
        fprintf(stderr, "l2_states: %s\n", cudaGetErrorString(e));
        exit(1);
    }
}

extern "C" __global__ void copy_offset(float *a, int s)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x + s;

    a[i] = a[i] + 1;
}

extern "C" __global__ void sum_sequential(float *in, float *sums, int n)
{
    extern __shared__ float part[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k) {
            part[t] += part[t + k];
        }
        __syncthreads();
    }
    if (t == 0) {
        sums[blockIdx.x] = part[0];
    }
}

__global__ void read_all(const float4 *p, float *out, long n)
{
    float s = 0;

    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n;
         i += (long)gridDim.x * blockDim.x) {
        s += p[i].x;
    }
    if (s == 12345.0f) {
        *out = s;
    }
}

static float *input, *other, *out, *pinned;
static char *others;
static std::vector<float> host(BUFFER / 4, 1.0f);

static void from_host(const void *from, size_t n)
{
    check(cudaMemcpy(input, from, n, cudaMemcpyHostToDevice));
}

static void read_others(size_t n)
{
    read_all<<<1056, 256>>>((const float4 *)others, out, (long)(n / sizeof(float4)));
    check(cudaDeviceSynchronize());
}

static void measure(int which)
{
    const size_t n = which == 0 ? 2 * MB : 4 * MB;
    const struct {
        const char *before;
        int times;
        std::function<void()> prepare;
    } states[] = {
        {"nothing", 4, [] {}},
        {"host wrote", 4, [=] { from_host(host.data(), n); }},
        {"host wrote from pinned memory", 4, [=] { from_host(pinned, n); }},
        {"set", 3, [=] { check(cudaMemset(input, 0, n)); }},
        {"copied on the device", 3,
         [=] { check(cudaMemcpy(input, other, n, cudaMemcpyDeviceToDevice)); }},
        {"host wrote 256 KB of it", 3, [] { from_host(host.data(), 256 << 10); }},
        {"read 400 MB", 3, [] { read_others(400 * MB); }},
        {"read 40 MB", 3, [] { read_others(40 * MB); }},
        {"set 40 MB", 3, [] { check(cudaMemset(others, 0, 40 * MB)); }},
        {"set 40 MB; host wrote", 3,
         [=] {
             check(cudaMemset(others, 0, 40 * MB));
             from_host(host.data(), n);
         }},
        {"set 400 MB; host wrote", 3,
         [=] {
             check(cudaMemset(others, 0, 400 * MB));
             from_host(host.data(), n);
         }},
        {"host wrote; 4 KB of output set", 3,
         [=] {
             from_host(host.data(), n);
             check(cudaMemset(out, 0, 4096));
         }},
        {"host read; host wrote", 3,
         [=] {
             check(cudaMemcpy(host.data(), input, n, cudaMemcpyDeviceToHost));
             from_host(host.data(), n);
         }},
        {"allocated anew; host wrote", 4,
         [=] {
             check(cudaFree(input));
             check(cudaMalloc(&input, BUFFER));
             from_host(host.data(), n);
         }},
    };

    from_host(host.data(), n);
    for (const auto &s : states) {
        for (int i = 0; i < s.times; i++) {
            s.prepare();
            printf("%s,%s\n", which == 0 ? "copy_offset" : "sum_sequential", s.before);
            if (which == 0) {
                copy_offset<<<256, 256>>>(input, 0);
            } else {
                sum_sequential<<<2048, 512, 2048>>>(input, out, 2048 * 512);
            }
            check(cudaGetLastError());
            check(cudaDeviceSynchronize());
        }
    }
}

int main()
{
    check(cudaMalloc(&input, BUFFER));
    check(cudaMalloc(&other, BUFFER));
    check(cudaMalloc(&out, MB));
    check(cudaMalloc(&others, OTHERS));
    check(cudaMallocHost(&pinned, BUFFER));
    check(cudaMemset(others, 0, OTHERS));
    check(cudaMemset(other, 0, BUFFER));
    measure(0);
    measure(1);
    return 0;
}
