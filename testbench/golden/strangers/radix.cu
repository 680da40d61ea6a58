// A block sorts 512 words by eight passes of four bits, counting with ballots.
#include <stdint.h>
__global__ void __launch_bounds__(256) radix_sort(uint32_t *keys, uint16_t *order)
{
    __shared__ uint32_t key[2][512];
    __shared__ uint16_t from[2][512];
    __shared__ uint32_t bins[16][16]; // digit, warp and half
    int t = threadIdx.x, lane = t & 31, warp = t >> 5, in = 0;
    for (int h = 0; h < 2; h++) {
        key[0][h * 256 + t] = keys[blockIdx.x * 512 + h * 256 + t];
        from[0][h * 256 + t] = h * 256 + t;
    }
    __syncthreads();
    for (int shift = 0; shift < 32; shift += 4, in ^= 1) {
        uint32_t rank[2], digit[2];
        for (int h = 0; h < 2; h++) {
            digit[h] = key[in][h * 256 + t] >> shift & 15;
            uint32_t same = ~0u;
            for (int b = 0; b < 4; b++) {
                uint32_t v = __ballot_sync(~0u, digit[h] >> b & 1);
                same &= digit[h] >> b & 1 ? v : ~v;
            }
            rank[h] = __popc(same & ((1u << lane) - 1));
            if (lane < 16) {
                bins[lane][h * 8 + warp] = 0;
            }
            __syncwarp();
            if (rank[h] == 0) {
                bins[digit[h]][h * 8 + warp] = __popc(same);
            }
        }
        __syncthreads();
        uint32_t *flat = &bins[0][0], mine = flat[t], sum = mine;
        for (int d = 1; d < 256; d *= 2) { // inclusive scan over the block
            uint32_t left = t >= d ? flat[t - d] : 0;
            __syncthreads();
            sum += left;
            flat[t] = sum;
            __syncthreads();
        }
        flat[t] = sum - mine;
        __syncthreads();
        for (int h = 0; h < 2; h++) {
            uint32_t to = bins[digit[h]][h * 8 + warp] + rank[h];
            key[in ^ 1][to] = key[in][h * 256 + t];
            from[in ^ 1][to] = from[in][h * 256 + t];
        }
        __syncthreads();
    }
    for (int h = 0; h < 2; h++) {
        keys[blockIdx.x * 512 + h * 256 + t] = key[in][h * 256 + t];
        order[blockIdx.x * 512 + h * 256 + t] = from[in][h * 256 + t];
    }
}
