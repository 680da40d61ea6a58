/* cuda::pipeline: stages that are filled by asynchronous copies while others are used: a
 * thread's own, one that all threads of a block fill and empty, and one with threads
 * that only fill and others that only empty. */
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

/* Ends the program when a call of the runtime failed. */
static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

enum { THREADS = 64, STAGES = 3, TILES = 10, N = THREADS * TILES };

/* Each thread adds up a column of its own, tile by tile. */
__global__ void alone(unsigned *out, const unsigned *in)
{
    __shared__ unsigned tile[STAGES][THREADS];
    auto pipe = cuda::make_pipeline();
    unsigned sum = 0;

    for (int i = 0, fetched = 0; i < TILES; i++) {
        for (; fetched < TILES && fetched < i + STAGES; fetched++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[fetched % STAGES][threadIdx.x],
                               &in[fetched * THREADS + threadIdx.x], sizeof(unsigned), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum = sum * 31 + tile[i % STAGES][threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

/* All but the latest stage: two are filled, the first of them is used. */
__global__ void prior(unsigned *out, const unsigned *in)
{
    __shared__ unsigned tile[2][THREADS];
    auto pipe = cuda::make_pipeline();
    const int t = threadIdx.x;

    for (int i = 0; i < 2; i++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&tile[i][t], &in[i * THREADS + t], sizeof(unsigned), pipe);
        pipe.producer_commit();
    }
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    unsigned first = tile[0][t];
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    out[t] = first * 31 + tile[1][t];
}

/* The block fills the next tiles while it uses one, of which each thread reads the words
 * of others. */
__global__ void together(unsigned *out, const unsigned *in)
{
    __shared__ unsigned tile[STAGES][THREADS];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    unsigned sum = 0;

    for (int i = 0, fetched = 0; i < TILES; i++) {
        for (; fetched < TILES && fetched < i + STAGES; fetched++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[fetched % STAGES], &in[fetched * THREADS],
                               cuda::aligned_size_t<16>(sizeof(tile[0])), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum = sum * 31 + tile[i % STAGES][(threadIdx.x + 17) % THREADS];
        pipe.consumer_release();
    }
    out[(threadIdx.x + 17) % THREADS] = sum;
}

/* What a thread that fills, or one that empties, does in all rounds. */
template <class Pipe>
__device__ unsigned work(Pipe &pipe, unsigned (*tile)[THREADS], const unsigned *in, bool fills)
{
    unsigned sum = 0;

    for (int i = 0; i < TILES; i++) {
        if (fills) {
            pipe.producer_acquire();
            for (int k = threadIdx.x; k < THREADS; k += 32) {
                cuda::memcpy_async(&tile[i % STAGES][k], &in[i * THREADS + k],
                                   sizeof(unsigned), pipe);
            }
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum = sum * 31 + tile[i % STAGES][THREADS - 1 - (threadIdx.x - 32)];
            pipe.consumer_release();
        }
    }
    return sum;
}

/* The first warp fills, the others empty. by_role: each thread says what it is. */
__global__ void apart(unsigned *out, const unsigned *in, bool by_role)
{
    __shared__ unsigned tile[STAGES][THREADS];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    auto block = cg::this_thread_block();
    const bool fills = threadIdx.x < 32;
    unsigned sum;

    if (by_role) {
        auto pipe = cuda::make_pipeline(block, &state,
                                        fills ? cuda::pipeline_role::producer
                                              : cuda::pipeline_role::consumer);
        sum = work(pipe, tile, in, fills);
    } else {
        auto pipe = cuda::make_pipeline(block, &state, 32);
        sum = work(pipe, tile, in, fills);
    }
    if (!fills) {
        out[THREADS - 1 - (threadIdx.x - 32)] = sum;
    }
}

static void compare(const char *name, const unsigned *out, const unsigned *want, int n)
{
    static unsigned got[N];
    int wrong = 0;

    check(cudaGetLastError());
    check(cudaMemcpy(got, out, n * sizeof(*got), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        wrong += got[i] != want[i];
    }
    printf("%s: %d of %d are wrong\n", name, wrong, n);
}

int main()
{
    static unsigned host[N], want[N], two[N];
    unsigned *in, *out;

    for (unsigned i = 0, x = 1; i < N; i++) {
        x = x * 1664525 + 1013904223;
        host[i] = x >> 7;
        want[i % THREADS] = want[i % THREADS] * 31 + host[i];
    }
    for (int i = 0; i < THREADS; i++) {
        two[i] = host[i] * 31 + host[THREADS + i];
    }
    check(cudaMalloc(&in, sizeof(host)));
    check(cudaMalloc(&out, sizeof(host)));
    check(cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice));
    alone<<<1, THREADS>>>(out, in);
    compare("a thread's own", out, want, THREADS);
    prior<<<1, THREADS>>>(out, in);
    compare("all but the latest", out, two, THREADS);
    together<<<1, THREADS>>>(out, in);
    compare("of a block", out, want, THREADS);
    for (int by_role = 0; by_role < 2; by_role++) {
        check(cudaMemset(out, 0, sizeof(host)));
        apart<<<1, 96>>>(out, in, by_role != 0);
        compare(by_role ? "by roles" : "a warp fills", out, want, THREADS);
    }
    return 0;
}
