/* The elements that pass a test, closed up and in their order: votes number them within
 * a warp, shared memory within the block, and blocks take their turns. */
#include <cstdio>
#include <cstdlib>
#include <vector>

/* Ends the program when a call of the runtime failed. */
static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

enum { BLOCK = 128, WARPS = BLOCK / 32 };

__device__ bool wanted(int v)
{
    return v % 3 == 0;
}

/* turn[0]: the block whose turn it is; turn[1]: how many elements there are so far.
 * A block that waits needs the others to go on: blocks begin in order. */
__global__ void compact(const int *in, int n, int *out, volatile int *turn)
{
    __shared__ int before[WARPS + 1];
    int i = blockIdx.x * BLOCK + threadIdx.x, lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32, v = i < n ? in[i] : 1;
    unsigned votes = __ballot_sync(0xffffffff, wanted(v));

    if (lane == 0) {
        before[warp + 1] = __popc(votes);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        while (turn[0] != blockIdx.x) {
        }
        __threadfence();
        before[0] = turn[1];
        for (int w = 0; w < WARPS; w++) {
            before[w + 1] += before[w];
        }
        turn[1] = before[WARPS];
        __threadfence();
        turn[0] = blockIdx.x + 1;
    }
    __syncthreads();
    if (wanted(v)) {
        out[before[warp] + __popc(votes & ((1u << lane) - 1))] = v;
    }
}

int main()
{
    const int n = 3000;
    std::vector<int> h(n), expected, result;
    int *in, *out, *turn, state[2];

    for (int i = 0; i < n; i++) {
        h[i] = i * 37 % 1009;
        if (h[i] % 3 == 0) {
            expected.push_back(h[i]);
        }
    }
    check(cudaMalloc(&in, n * sizeof(int)));
    check(cudaMalloc(&out, n * sizeof(int)));
    check(cudaMalloc(&turn, sizeof state));
    check(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    check(cudaMemset(turn, 0, sizeof state));
    compact<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, n, out, turn);
    check(cudaGetLastError());
    check(cudaMemcpy(state, turn, sizeof state, cudaMemcpyDeviceToHost));
    result.resize(state[1]);
    check(
        cudaMemcpy(result.data(), out, state[1] * sizeof(int), cudaMemcpyDeviceToHost));
    printf("%d of %d elements, %s: %d %d %d ...\n", state[1], n,
           result == expected ? "in order" : "WRONG", result[0], result[1], result[2]);
    return 0;
}
