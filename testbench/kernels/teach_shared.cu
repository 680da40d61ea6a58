/* Access patterns of shared memory, one warp each: which lanes meet in a bank, and which
 * read one word. The launch files say what to look for. */

/* Lanes t and 31 - t swap what they have, 15 times, through the element of each lane.
 * out[t] = t */
#define EXCHANGE(type, count, element)                                                   \
    __shared__ type s[count];                                                            \
    int t = threadIdx.x, other = 31 - t;                                                 \
    type mine = (type)other;                                                             \
                                                                                         \
    _Pragma("unroll") for (int round = 0; round < 15; round++) {                         \
        s[element(t)] = mine;                                                            \
        __syncthreads();                                                                 \
        mine = s[element(other)];                                                        \
        __syncthreads();                                                                 \
    }                                                                                    \
    out[t] = mine;

/* Word w of shared memory holds w + 1000; then each lane reads one, 16 times.
 * out[t] = t + 16000 */
#define READ(word)                                                                       \
    __shared__ int s[128];                                                               \
    int t = threadIdx.x, sum = 0;                                                        \
                                                                                         \
    _Pragma("unroll") for (int w = 0; w < 128; w += 32) {                                \
        s[w + t] = w + t + 1000;                                                         \
    }                                                                                    \
    _Pragma("unroll") for (int round = 0; round < 16; round++) {                         \
        __syncthreads();                                                                 \
        sum += s[word] - (word);                                                         \
    }                                                                                    \
    out[t] = sum + t;

/* ---- stride: lane t at word stride * t ---- */

/* Lanes t and 31 - t swap what they have, 15 times. out[32 slot + t] = 32 slot + t */
extern "C" __global__ void stride(int *out, int stride, int slot)
{
    extern __shared__ int words[];
    int t = threadIdx.x, other = 31 - t;
    int mine = 32 * slot + other;

#pragma unroll
    for (int round = 0; round < 15; round++) {
        words[stride * t] = mine;
        __syncthreads();
        mine = words[stride * other];
        __syncthreads();
    }
    out[32 * slot + t] = mine;
}

/* ---- loads of words that several lanes want ---- */

extern "C" __global__ void own_word(int *out)
{
    READ(t)
}

extern "C" __global__ void same_word(int *out)
{
    READ(0)
}

extern "C" __global__ void word_per_half(int *out)
{
    READ(t / 16)
}

extern "C" __global__ void pairs(int *out)
{
    READ(t / 2)
}

extern "C" __global__ void quads(int *out)
{
    READ(t / 4)
}

extern "C" __global__ void two_words(int *out)
{
    READ(t % 2)
}

/* Lanes 0 and 16 read word 1, all others word 0. */
extern "C" __global__ void one_apart(int *out)
{
    READ(t % 16 == 0)
}

extern "C" __global__ void words_0_and_16(int *out)
{
    READ(16 * (t % 2))
}

extern "C" __global__ void words_0_and_32(int *out)
{
    READ(32 * (t % 2))
}

extern "C" __global__ void words_0_and_64(int *out)
{
    READ(64 * (t % 2))
}

/* ---- the two halves of a warp ---- */

extern "C" __global__ void halves_meet(int *out)
{
    READ(t % 16 + 32 * (t / 16))
}

extern "C" __global__ void halves_crossed(int *out)
{
    READ(2 * (t % 16) + t / 16)
}

/* ---- elements of 8 and 16 bits ---- */

#define ONE(i)  (i)
#define TWO(i)  (2 * (i))
#define FOUR(i) (4 * (i))

extern "C" __global__ void byte_per_lane(int *out)
{
    EXCHANGE(unsigned char, 32, ONE)
}

extern "C" __global__ void byte_per_word(int *out)
{
    EXCHANGE(unsigned char, 128, FOUR)
}

extern "C" __global__ void short_per_lane(int *out)
{
    EXCHANGE(short, 32, ONE)
}

extern "C" __global__ void short_per_word(int *out)
{
    EXCHANGE(short, 64, TWO)
}

extern "C" __global__ void word_per_lane(int *out)
{
    EXCHANGE(int, 32, ONE)
}

/* ---- several arrays in the one dynamic block ---- */

/* The launch gives 2 n + 4 n + 4 n bytes: n shorts, n floats and n ints, in this order; n
 * is even, or the floats would begin in the middle of a word. */
extern "C" __global__ void three_arrays(int *shorts_out, float *floats_out, int *ints_out,
                                        int n)
{
    extern __shared__ int block[];
    short *shorts = (short *)block;
    float *floats = (float *)&shorts[n];
    int *ints = (int *)&floats[n];
    int t = threadIdx.x, other = n - 1 - t;

    shorts[t] = (short)other;
    floats[t] = (float)other;
    ints[t] = other;
    __syncthreads();
    shorts_out[t] = shorts[other];
    floats_out[t] = floats[other];
    ints_out[t] = ints[other];
}

/* ---- all lanes store to one word ---- */

/* One of the 32 values stays; which one is not defined. won[t]: is it that of lane t? */
extern "C" __global__ void store_one_word(int *won, int *winner)
{
    __shared__ int s[1];
    int t = threadIdx.x;

    s[0] = t;
    __syncthreads();
    won[t] = s[0] == t;
    winner[0] = s[0];
}

/* Each lane its own byte of eight words: nobody loses. out[t] = t */
extern "C" __global__ void store_own_bytes(int *out)
{
    EXCHANGE(unsigned char, 32, ONE)
}

/* ---- blocks that want much shared memory ---- */

/* out[t] = t; the launch says how much dynamic memory the block holds. */
extern "C" __global__ void hold(int *out)
{
    extern __shared__ int words[];
    int t = threadIdx.x, n = blockDim.x;

    words[t] = n - 1 - t;
    __syncthreads();
    out[n * blockIdx.x + t] = words[n - 1 - t] + n * blockIdx.x;
}
