// Bytes and halfwords: vectors of them, signs, fields of bits, atomics on shared
// memory.
#include <stdint.h>
struct bits {
    int a : 5;
    unsigned b : 11;
    int c : 16;
    uint8_t d;
    int8_t e;
};
__global__ void subword(const uchar4 *in, char3 *c3, short4 *s4, uchar2 *u2, bits *b,
                        unsigned long long *sums)
{
    __shared__ unsigned long long big[2];
    __shared__ float fsum;
    __shared__ int count[4];
    __shared__ ushort3 box[64];
    int t = threadIdx.x;
    if (t < 4) {
        count[t] = t == 2 ? 1 << 30 : 0;
        big[t & 1] = 0;
        fsum = 0;
    }
    __syncthreads();
    uchar4 v = in[t];
    c3[t] = make_char3(v.x - v.y, (signed char)v.z >> 1, v.w * 3);
    s4[t] = make_short4((short)(v.x << 8), (signed char)v.y, v.z > v.w ? v.z : -v.w,
                        (short)(v.x * v.y * v.z));
    box[63 - t] = make_ushort3(v.x * 257, v.y, v.z - v.w);
    b[t].a = v.x;
    b[t].b = v.y * v.z;
    b[t].c = -v.w;
    b[t].d += v.x + v.y;
    b[t].e = (int8_t)v.z / 3 - (int8_t)v.w % 5;
    atomicAdd(&big[t & 1], (unsigned long long)v.x << 33);
    atomicMax(&big[1], (unsigned long long)v.z);
    atomicAdd(&fsum, v.w);
    atomicAdd(count, v.x & 1);
    atomicMax(count + 1, v.y);
    atomicMin(count + 2, v.z - 128);
    atomicXor(count + 3, v.w << (t & 7));
    __syncthreads();
    ushort3 w = box[t ^ 5];
    u2[t] = make_uchar2(w.x >> 8 ^ w.y, w.z + b[t].a);
    if (t == 0) {
        sums[0] = big[0];
        sums[1] = big[1] > 1ull << 33;
        sums[2] = (unsigned long long)fsum;
        for (int i = 0; i < 4; i++) {
            sums[3 + i] = count[i];
        }
    }
}
