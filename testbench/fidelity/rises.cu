// rises.cu - what an assembler takes to before a branch around code: loops over shared
// and global memory whose passes may skip something, and single branches. Not run: its
// machine code is read.
//   for cc in 75 80 90; do nvcc -O2 -cubin -arch=sm_$cc rises.cu -o rises$cc.cubin &&
//       nvdisasm rises$cc.cubin >rises$cc.txt; done; python3 rises.py rises*.txt >rises.csv
#define KERNEL extern "C" __global__ void
#define ARGS const float *a, float *c, int n
#define OWN_ARGS const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int m
#define T threadIdx.x

// A least distance, and behind each find N steps that need it.
#define FOUND(N) \
    { \
        s = d; \
        _Pragma("unroll") for (int i = 0; i < N; i++) t = fmaf(t, t, d); \
    }
#define SHARED(NAME, PASSES, DISTANCE, SKIPPED) \
    KERNEL NAME(ARGS) \
    { \
        __shared__ float v[256], w[256]; \
        float s = 1e30f, t = 0, u = 1, x = a[T]; \
        v[T] = x; \
        w[T] = x + 1; \
        __syncthreads(); \
        _Pragma(PASSES) for (int k = 0; k < 128; k++) \
        { \
            float d = v[k] - x; \
            d = DISTANCE; \
            if (d < s) SKIPPED \
        } \
        __syncthreads(); \
        c[T] = s + t + u + w[T]; \
    }
#define GLOBAL(NAME, PASSES, SKIPPED) \
    KERNEL NAME(OWN_ARGS) \
    { \
        float s = 1e30f, t = 0, u = 1, x = a[T]; \
        _Pragma(PASSES) for (int k = 0; k < 128; k++) \
        { \
            float d = a[k * 64 + T] - x; \
            d = d * d; \
            if (d < s) SKIPPED \
        } \
        c[T] = s + t + u; \
    }
#define ELSE(N) \
    FOUND(N) else \
    { \
        _Pragma("unroll") for (int i = 0; i < N; i++) u = fmaf(u, d, t); \
    }

SHARED(shared_1, "unroll 4", d * d, FOUND(1))
SHARED(shared_8, "unroll 4", d * d, FOUND(8))
SHARED(shared_12, "unroll 4", d * d, FOUND(12))
SHARED(shared_40, "unroll 4", d * d, FOUND(40))
SHARED(shared_8_passes, "unroll 8", d * d, FOUND(12))
SHARED(shared_chain, "unroll 4", fmaf(fmaf(fmaf(d, d, x), d, x), d, x), FOUND(16))
SHARED(shared_load, "unroll 4", d * d, { t = w[k]; FOUND(12) })
SHARED(shared_store, "unroll 4", d * d, { w[k] = t; FOUND(12) })
SHARED(shared_stores_away, "unroll 4", d * d, { c[k + 256] = t; FOUND(12) })
SHARED(shared_root, "unroll 4", d * d, { s = d; t = sqrtf(t + d); })
SHARED(shared_nested, "unroll 4", d * d, { FOUND(12) if (t < 3) { _Pragma("unroll") for (int i = 0; i < 14; i++) t = fmaf(t, d, d); } })
SHARED(shared_else_3, "unroll 4", d * d, ELSE(3))
SHARED(shared_else_8, "unroll 4", d * d, ELSE(8))
SHARED(shared_else_16, "unroll 4", d * d, ELSE(16))
GLOBAL(global_3, "unroll 4", FOUND(3))
GLOBAL(global_40, "unroll 4", FOUND(40))
GLOBAL(global_8_passes, "unroll 8", FOUND(40))
GLOBAL(global_load, "unroll 4", { t = b[k * 64 + T]; FOUND(16) })
GLOBAL(global_else_16, "unroll 4", ELSE(16))

// Rounded division and roots between neighbouring words.
#define WORDS(NAME, START, NEXT) \
    KERNEL NAME(ARGS) \
    { \
        __shared__ float v[256]; \
        float t = START; \
        v[T] = a[T]; \
        __syncthreads(); \
        _Pragma("unroll 4") for (int k = 0; k < 128; k++) t = NEXT; \
        c[T] = t; \
    }
WORDS(words_root, 0, sqrtf(t + v[k]))
WORDS(words_division, 1, v[k] / (t + 1))

// One branch in a loop, the same for all lanes or not, and a load behind it.
#define ONE(NAME, CONDITION, BETWEEN) \
    KERNEL NAME(OWN_ARGS) \
    { \
        float s = 0, t = 1; \
        _Pragma("unroll 1") for (int k = 0; k < n; k++) \
        { \
            if (CONDITION) { \
                _Pragma("unroll") for (int i = 0; i < 16; i++) t = fmaf(t, t, s); \
                BETWEEN \
            } \
            s += t * a[k * 64 + T]; \
        } \
        c[T] = s + t; \
    }
ONE(one_uniform, k < m, )
ONE(one, k * T < m, )
ONE(one_load, k * T < m, t += b[k * 64 + T];)
