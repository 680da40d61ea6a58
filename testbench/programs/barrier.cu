/* cuda::barrier: threads that arrive and wait apart, tokens and parities, threads that
 * leave, copies that a barrier counts, functions at the end of a phase, and a barrier of
 * several blocks. */
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

/* Ends the program when a call of the runtime failed. */
static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

enum { THREADS = 64, BLOCKS = 4 };

/* In each round a thread leaves a number, does something else, and takes the one of its
 * neighbour. The answer: where the number of a thread is after so many rounds. */
__global__ void rounds(int *out, int n)
{
    __shared__ block_barrier bar;
    __shared__ int box[2][THREADS];
    const int t = threadIdx.x;
    int mine = t;

    if (t == 0) {
        init(&bar, THREADS);
    }
    __syncthreads();
    for (int i = 0; i < n; i++) {
        box[i % 2][t] = mine;
        block_barrier::arrival_token token = bar.arrive();
        int next = (t + 1) % THREADS;
        bar.wait(static_cast<block_barrier::arrival_token &&>(token));
        mine = box[i % 2][next];
    }
    out[t] = mine;
}

/* A warp hands numbers to another one, one place for all of them: waits by parity. */
__global__ void handed(int *out, int n)
{
    __shared__ block_barrier full, empty;
    __shared__ int place[32];
    const int lane = threadIdx.x % 32;
    int sum = 0;

    if (threadIdx.x == 0) {
        init(&full, 32);
        init(&empty, 32);
    }
    __syncthreads();
    for (int i = 0; i < n; i++) {
        if (threadIdx.x < 32) {
            empty.wait_parity((i & 1) == 0); /* the first time nobody has to empty it */
            place[lane] = i * lane;
            (void)full.arrive();
        } else {
#ifdef SMWAVE /* others have this one under names of their own */
            while (!full.try_wait_parity((i & 1) != 0)) {
            }
#else
            full.wait_parity((i & 1) != 0);
#endif
            sum += place[lane];
            (void)empty.arrive();
        }
    }
    if (threadIdx.x >= 32) {
        out[lane] = sum;
    }
}

/* Thread t leaves in round t. */
__global__ void leaving(int *out)
{
    __shared__ block_barrier bar;
    __shared__ int there[THREADS];
    const int t = threadIdx.x;

    if (t == 0) {
        init(&bar, THREADS);
    }
    there[t] = 0;
    __syncthreads();
    for (int i = 0; i < t; i++) {
        atomicAdd(&there[i], 1);
        bar.arrive_and_wait();
    }
    if (t < THREADS - 1) {
        bar.arrive_and_drop();
    } else {
        for (int i = 0; i < THREADS; i++) {
            out[i] = there[i];
        }
    }
}

/* Bytes that a group copies, and others that a thread copies; the phase ends after
 * all. */
__global__ void copied(unsigned *out, const unsigned char *in, int bytes)
{
    __shared__ block_barrier bar;
    __shared__ __align__(16) unsigned char tile[2048], one[64];
    auto block = cg::this_thread_block();
    unsigned sum = 0;

    if (block.thread_rank() == 0) {
        init(&bar, block.size());
    }
    block.sync();
    cuda::memcpy_async(block, tile, in, bytes, bar);
    if (block.thread_rank() == 3) {
        cuda::memcpy_async(one, in + 64, cuda::aligned_size_t<16>(64), bar);
    }
    bar.arrive_and_wait();
    for (int i = 0; i < bytes; i++) {
        sum = sum * 31 + tile[i];
    }
    for (int i = 0; i < 64; i++) {
        sum = sum * 31 + one[i];
    }
    out[threadIdx.x] = sum;
}

/* Called once in each phase, by whom is last. */
struct counter {
    int *calls;

    __device__ void operator()()
    {
        *calls += 1;
    }
};

__global__ void completed(int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block, counter> bar;
    __shared__ int calls;
    int right = 1;

    if (threadIdx.x == 0) {
        calls = 0;
        init(&bar, THREADS, counter{&calls});
    }
    __syncthreads();
    for (int i = 0; i < 5; i++) {
        bar.arrive_and_wait();
        right &= calls == i + 1;
        __syncthreads();
    }
    out[threadIdx.x] = right ? calls : -1;
}

/* Threads of several blocks wait for each other. */
__global__ void make(cuda::barrier<cuda::thread_scope_device> *bar)
{
    init(bar, BLOCKS * THREADS);
}

__global__ void across(cuda::barrier<cuda::thread_scope_device> *bar, int *box, int *out)
{
    const int t = blockIdx.x * THREADS + threadIdx.x, n = BLOCKS * THREADS;

    box[t] = t;
    bar->arrive_and_wait();
    int other = box[(t + THREADS) % n]; /* of the next block */
    bar->arrive_and_wait();
    box[t] = 1000 + other;
    bar->arrive_and_wait();
    out[t] = box[n - 1 - t];
}

/* Several threads arrive with one call; from 9.0 on bytes are counted too. */
__global__ void several(unsigned *out, const unsigned *in)
{
    __shared__ block_barrier bar;
    __shared__ __align__(16) unsigned tile[256];
    unsigned sum = 0;

    if (threadIdx.x == 0) {
        init(&bar, 10);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
#if __CUDA_ARCH__ >= 900
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof(tile)), bar);
        (void)cuda::device::barrier_arrive_tx(bar, 4, sizeof(tile));
#else
        cuda::memcpy_async(tile, in, cuda::aligned_size_t<16>(sizeof(tile)), bar);
        (void)bar.arrive(4);
#endif
        (void)bar.arrive(6);
    }
    bar.wait_parity(false);
    for (int i = 0; i < 256; i++) {
        sum = sum * 31 + tile[i];
    }
    out[threadIdx.x] = sum;
}

static void print(const char *name, const int *device, int n)
{
    static int host[BLOCKS * THREADS];

    check(cudaGetLastError());
    check(cudaMemcpy(host, device, n * sizeof(*host), cudaMemcpyDeviceToHost));
    printf("%s:", name);
    for (int i = 0; i < n; i += n / 8) {
        printf(" %d", host[i]);
    }
    printf(" %d\n", host[n - 1]);
}

static unsigned digest(const unsigned char *bytes, int n)
{
    unsigned sum = 0;

    for (int i = 0; i < n; i++) {
        sum = sum * 31 + bytes[i];
    }
    for (int i = 64; i < 128; i++) {
        sum = sum * 31 + bytes[i];
    }
    return sum;
}

int main()
{
    static unsigned char bytes[2048];
    static unsigned got[THREADS], words[256];
    static const int sizes[] = {2048, 1000, 508, 77, 1};
    cuda::barrier<cuda::thread_scope_device> *bar;
    unsigned char *in;
    int *out, *box;

    for (unsigned i = 0, x = 1; i < sizeof(bytes); i++) {
        x = x * 1664525 + 1013904223;
        bytes[i] = x >> 24;
    }
    check(cudaMalloc(&in, sizeof(bytes)));
    check(cudaMalloc(&out, BLOCKS * THREADS * sizeof(*out)));
    check(cudaMalloc(&box, BLOCKS * THREADS * sizeof(*box)));
    check(cudaMalloc(&bar, sizeof(*bar)));
    check(cudaMemcpy(in, bytes, sizeof(bytes), cudaMemcpyHostToDevice));
    printf("%d bytes\n", (int)sizeof(block_barrier));
    rounds<<<1, THREADS>>>(out, 7);
    print("rounds", out, THREADS);
    handed<<<1, 64>>>(out, 9);
    print("handed", out, 32);
    leaving<<<1, THREADS>>>(out);
    print("leaving", out, THREADS);
    for (int n : sizes) {
        unsigned want = digest(bytes, n), wrong = 0;

        copied<<<1, THREADS>>>((unsigned *)out, in, n);
        check(cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost));
        for (unsigned g : got) {
            wrong += g != want;
        }
        printf("%d bytes copied: %u threads saw others\n", n, wrong);
    }
    completed<<<1, THREADS>>>(out);
    print("completed", out, THREADS);
    make<<<1, 1>>>(bar);
    across<<<BLOCKS, THREADS>>>(bar, box, out);
    print("across", out, BLOCKS * THREADS);
    several<<<1, THREADS>>>((unsigned *)out, (const unsigned *)in);
    check(cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost));
    check(cudaMemcpy(words, in, sizeof(words), cudaMemcpyDeviceToHost));
    unsigned want = 0;
    for (unsigned w : words) {
        want = want * 31 + w;
    }
    printf("several: %s\n", got[0] == want && got[THREADS - 1] == want ? "right" : "wrong");
    return 0;
}
