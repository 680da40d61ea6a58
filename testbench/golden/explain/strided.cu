// strided.cu - one access of every kind, each with a stride that hurts. strided.ptx is
// made from it by hand.
__constant__ int table[32];

__global__ void strided(int *out, const int *in)
{
    __shared__ int s[2048];
    __shared__ double d[64];
    int t = threadIdx.x;
    int v;

    s[4 * t] = t;                  // 4 ways
    d[2 * t % 64] = t;             // each half-warp: 2 ways
    __syncthreads();
    v = s[4 * (t ^ 1)];            // 4 ways
    v += s[(t & 1) * 32 * t];      // half at one word, half in its bank
    v += (int)d[t % 32];           // none
    v += table[t % 4];             // 4 addresses
    v += in[8 * t];                // a sector per lane
    atomicAdd(&s[t % 2], 1);       // 16 lanes in each of two banks
    out[2 * t] = v;                // every other word
}
