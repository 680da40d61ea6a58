// SHA-256 of single blocks and the ChaCha20 block function.
#include <stdint.h>
__constant__ uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};
__device__ uint32_t rotr(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}
__global__ void sha256(const uint32_t *words, uint32_t *digest)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t w[64], s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19},
                    v[8];
    for (int k = 0; k < 16; k++) {
        w[k] = __byte_perm(words[i * 16 + k], 0, 0x0123);
    }
#pragma unroll 1
    for (int k = 16; k < 64; k++) {
        uint32_t a = w[k - 15], b = w[k - 2];
        w[k] = w[k - 16] + (rotr(a, 7) ^ rotr(a, 18) ^ a >> 3) + w[k - 7] +
               (rotr(b, 17) ^ rotr(b, 19) ^ b >> 10);
    }
    for (int k = 0; k < 8; k++) {
        v[k] = s[k];
    }
#pragma unroll 2
    for (int k = 0; k < 64; k++) {
        uint32_t t = v[7] + (rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25)) +
                     ((v[4] & v[5]) ^ (~v[4] & v[6])) + K[k] + w[k];
        uint32_t u = (rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22)) +
                     ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        for (int j = 7; j > 0; j--) {
            v[j] = v[j - 1];
        }
        v[4] += t;
        v[0] = t + u;
    }
    for (int k = 0; k < 8; k++) {
        digest[i * 8 + k] = s[k] + v[k];
    }
}
#define QUARTER(a, b, c, d)                                                            \
    a += b, d = __funnelshift_l(d ^ a, d ^ a, 16), c += d,                             \
            b = __funnelshift_l(b ^ c, b ^ c, 12), a += b,                             \
            d = __funnelshift_l(d ^ a, d ^ a, 8), c += d,                              \
            b = __funnelshift_l(b ^ c, b ^ c, 7)
__global__ void chacha(const uint32_t *key, uint4 *stream)
{
    uint32_t s[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, x[16];
    for (int k = 0; k < 8; k++) {
        s[4 + k] = key[k];
    }
    s[12] = blockIdx.x * blockDim.x + threadIdx.x;
    s[13] = 9, s[14] = 74, s[15] = 0;
    for (int k = 0; k < 16; k++) {
        x[k] = s[k];
    }
    for (int r = 0; r < 10; r++) {
        for (int k = 0; k < 4; k++) {
            QUARTER(x[k], x[4 + k], x[8 + k], x[12 + k]);
        }
        for (int k = 0; k < 4; k++) {
            QUARTER(x[k], x[4 + (k + 1) % 4], x[8 + (k + 2) % 4], x[12 + (k + 3) % 4]);
        }
    }
    for (int k = 0; k < 4; k++) {
        stream[s[12] * 4 + k] =
            make_uint4(x[4 * k] + s[4 * k], x[4 * k + 1] + s[4 * k + 1],
                       x[4 * k + 2] + s[4 * k + 2], x[4 * k + 3] + s[4 * k + 3]);
    }
}
