/* What the lanes of a warp tell one another: shuffles, votes, matches. */
#define ALL 0xffffffffu

__global__ void warp_sum(const int *in, int *out)
{
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];

    for (int d = 16; d > 0; d /= 2) {
        v += __shfl_xor_sync(ALL, v, d);
    }
    if (threadIdx.x % 32 == 0) {
        out[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = v;
    }
}

__global__ void warp_scan(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    int v = in[i];

    for (int d = 1; d < 32; d *= 2) {
        int u = __shfl_up_sync(ALL, v, d);

        if (lane >= d) {
            v += u;
        }
    }
    out[i] = v;
}

/* The even values of each warp, packed to the front of its 32 places. */
__global__ void warp_compact(const int *in, int *out, unsigned *ballots)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    int v = in[i];
    unsigned even = __ballot_sync(ALL, (v & 1) == 0);

    if ((v & 1) == 0) {
        out[i - lane + __popc(even & ((1u << lane) - 1))] = v;
    }
    if (lane == 0) {
        ballots[i / 32] = even;
    }
}

__global__ void warp_match(const int *in, unsigned *same, int *flags)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i] & 3, all;

    same[i] = __match_any_sync(ALL, v);
    __match_all_sync(ALL, v, &all);
    flags[i] = all | __any_sync(ALL, v == 3) << 1 | __all_sync(ALL, v < 4) << 2 |
               __all_sync(ALL, v > 0) << 3;
}

/* Rotation within groups of eight; a 64-bit value travels as two halves. */
__global__ void warp_rotate(const long long *in, long long *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long v = in[i];

    v = __shfl_sync(ALL, v, (threadIdx.x + 3) % 8, 8);
    __syncwarp();
    out[i] = v + __shfl_down_sync(ALL, v, 1, 4);
}

/* Shuffles under divergence: each half-warp among its own lanes. */
__global__ void warp_halves(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];

    if (threadIdx.x % 32 < 16) {
        v += __shfl_xor_sync(0x0000ffffu, v, 5);
    } else {
        v -= __shfl_xor_sync(0xffff0000u, v, 9);
    }
    out[i] = v;
}
