/* Reductions over a warp in one instruction (compute capability 8.0 and later). */
__global__ void redux(const int *in, int *sums, int *lows, int *highs, unsigned *bits)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    int sum = __reduce_add_sync(0xffffffffu, v);
    int low = __reduce_min_sync(0xffffffffu, v);
    int high = __reduce_max_sync(0xffffffffu, v);
    unsigned x = __reduce_xor_sync(0xffffffffu, (unsigned)v);
    unsigned a = __reduce_and_sync(0xffffffffu, (unsigned)v | 0xff00u);
    unsigned o = __reduce_or_sync(0xffffffffu, (unsigned)v & 0xf0f0u);

    if (threadIdx.x % 32 == 0) {
        sums[i / 32] = sum;
        lows[i / 32] = low;
        highs[i / 32] = high;
        bits[i / 32] = x ^ a << 8 ^ o << 16;
    }
}
