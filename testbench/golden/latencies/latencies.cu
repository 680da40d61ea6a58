/* Latencies as a program measures them: one warp, a chain of accesses of which each needs
 * the one before, clocks around it. Two lengths of chain, so that what surrounds the
 * chain cancels: a result is (cycles of the long chain - cycles of the short) / steps,
 * less the addition between two steps where there is one.
 *
 * Words hold the address of the next access (their own), or 0 to be added to it. */
enum { SHORT = 8, LONG = 24, STEPS = LONG - SHORT };

typedef unsigned int u32;
typedef unsigned long long u64;

__device__ __forceinline__ u32 now(u32 after)
{
    u32 t;

    /* in order: the clock is not read before the addition has what it waits for */
    asm volatile("{ .reg .u32 x; add.u32 x, %1, 1; mov.u32 %0, %%clock; }"
                 : "=r"(t)
                 : "r"(after));
    return t;
}

#define CHAIN(N, TYPE, REG, INST)                                                      \
    _Pragma("unroll") for (int i = 0; i < (N); i++)                                    \
    {                                                                                  \
        TYPE q;                                                                        \
                                                                                       \
        asm volatile(INST : "=" REG(q) : REG(p));                                      \
        p = q;                                                                         \
    }

/* The cycles of a chain of N; the pointer must be p. */
#define TIMED(N, TYPE, REG, INST)                                                      \
    t0 = now((u32)p);                                                                  \
    CHAIN(N, TYPE, REG, INST)                                                          \
    t1 = now((u32)p);                                                                  \
    cycles = t1 - t0;

#define MEASURE(TYPE, REG, INST)                                                       \
    {                                                                                  \
        u32 t0, t1, cycles, shorter;                                                   \
                                                                                       \
        TIMED(SHORT, TYPE, REG, INST)                                                  \
        TIMED(SHORT, TYPE, REG, INST)                                                  \
        shorter = cycles;                                                              \
        TIMED(LONG, TYPE, REG, INST)                                                   \
        if (threadIdx.x == 0) {                                                        \
            *out = (float)(cycles - shorter) / STEPS;                                  \
        }                                                                              \
    }

__device__ __forceinline__ u32 shared_address(const void *p)
{
    return (u32)__cvta_generic_to_shared(p);
}

/* Lane i loads word i * stride. */
extern "C" __global__ void shared_load(float *out, u32 stride)
{
    __shared__ u32 s[1024];
    u32 p = shared_address(&s[threadIdx.x * stride]);

    asm volatile("st.shared.u32 [%0], %0;" : : "r"(p));
    __syncthreads();
    MEASURE(u32, "r", "ld.shared.u32 %0, [%1];")
}

/* The lanes i with the same i / threads add 0 to one word. */
extern "C" __global__ void shared_atomic(float *out, u32 threads)
{
    __shared__ u32 s[32];
    u32 p = shared_address(&s[threadIdx.x / threads]);

    asm volatile("st.shared.u32 [%0], %0;" : : "r"(p));
    __syncthreads();
    MEASURE(u32, "r", "atom.shared.add.u32 %0, [%1], 0;")
}

/* Each lane its own word of one line, which an L1 keeps. */
extern "C" __global__ void l1_load(float *out, u64 *buf)
{
    u64 p = (u64)__cvta_generic_to_global(&buf[threadIdx.x % 16]);

    asm volatile("st.global.u64 [%0], %0;" : : "l"(p));
    __syncthreads();
    MEASURE(u64, "l", "ld.global.u64 %0, [%1];")
}

/* The same past the L1. */
extern "C" __global__ void l2_load(float *out, u64 *buf)
{
    u64 p = (u64)__cvta_generic_to_global(&buf[threadIdx.x % 16]);

    asm volatile("st.global.u64 [%0], %0;" : : "l"(p));
    __syncthreads();
    MEASURE(u64, "l", "ld.global.cg.u64 %0, [%1];")
}

/* buf holds the distance to the next line, which nobody has touched. */
extern "C" __global__ void dram_load(float *out, const u64 *buf)
{
    u64 p = (u64)__cvta_generic_to_global(buf);
    u32 t0, t1, cycles, shorter, added;

    TIMED(SHORT, u64, "l", "add.u64 %0, %1, 0;")
    shorter = cycles;
    TIMED(LONG, u64, "l", "add.u64 %0, %1, 0;")
    added = cycles - shorter;
    TIMED(SHORT, u64, "l", "{ .reg .u64 d; ld.global.u64 d, [%1]; add.u64 %0, %1, d; }")
    shorter = cycles;
    TIMED(LONG, u64, "l", "{ .reg .u64 d; ld.global.u64 d, [%1]; add.u64 %0, %1, d; }")
    if (threadIdx.x == 0) {
        *out = (float)(cycles - shorter - added) / STEPS;
    }
}

__constant__ u64 c[8192]; /* zero: added to the address of the next */

/* The next constant lies STRIDE bytes further; two additions to find it. */
#define CONST_STEP(STRIDE)                                                             \
    "{ .reg .u64 d; ld.const.u64 d, [%1]; add.u64 d, %1, d; add.u64 %0, d, " STRIDE    \
    "; }"

#define MEASURE_CONST(STRIDE)                                                          \
    {                                                                                  \
        u64 from = p;                                                                  \
        u32 t0, t1, cycles, shorter, added;                                            \
                                                                                       \
        TIMED(SHORT, u64, "l", "{ .reg .u64 d; add.u64 d, %1, 0; add.u64 %0, d, 0; }") \
        shorter = cycles;                                                              \
        TIMED(LONG, u64, "l", "{ .reg .u64 d; add.u64 d, %1, 0; add.u64 %0, d, 0; }")  \
        added = cycles - shorter;                                                      \
        p = from;                                                                      \
        TIMED(SHORT, u64, "l", CONST_STEP(STRIDE))                                     \
        shorter = cycles;                                                              \
        TIMED(LONG, u64, "l", CONST_STEP(STRIDE))                                      \
        if (threadIdx.x == 0) {                                                        \
            *out = (float)(cycles - shorter - added) / STEPS;                          \
        }                                                                              \
    }

/* Lane i loads constant i % distinct, again and again. */
extern "C" __global__ void const_load(float *out, u32 distinct)
{
    u64 p = (u64)__cvta_generic_to_constant(&c[threadIdx.x % distinct]);

    CHAIN(2, u64, "l", CONST_STEP("0"))
    MEASURE_CONST("0")
}

/* A constant of every 64 bytes, after the first bytes were all loaded once. */
extern "C" __global__ void const_walk(float *out, u32 bytes)
{
    u64 p = (u64)__cvta_generic_to_constant(c);
    u64 start = p;

    for (u32 i = 0; i < bytes; i += 64) {
        CHAIN(1, u64, "l", CONST_STEP("64"))
    }
    p = start;
    MEASURE_CONST("64")
}

/* Cycles of a block barrier, by the first warp's clock. */
extern "C" __global__ void barrier(float *out)
{
    u32 t0, t1, t2;

    __syncthreads();
    t0 = now(0);
#pragma unroll
    for (int i = 0; i < SHORT; i++) {
        __syncthreads();
    }
    t1 = now(0);
#pragma unroll
    for (int i = 0; i < LONG; i++) {
        __syncthreads();
    }
    t2 = now(0);
    if (threadIdx.x == 0) {
        *out = (float)(t2 - t1 - (t1 - t0)) / STEPS;
    }
}

extern "C" __global__ void add_f32(float *out)
{
    float p = threadIdx.x;

    MEASURE(float, "f", "add.f32 %0, %1, %1;")
}
