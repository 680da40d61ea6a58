// Branches, switches, calls, recursion, structs by value, printf, assert.
#include <assert.h>
#include <cstdio>

struct pair {
    int a;
    char b;
    double c;
};
template <class T, int N> struct vec {
    T v[N];
};

__device__ __noinline__ int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__device__ __noinline__ int walk(int *p, int n)
{
    int here[4] = {n, n + 1, n * 2, p[n]};

    if (n > 0) {
        here[n & 3] += walk(p, n - 1);
    }
    return here[p[n] & 3] + here[1];
}
__device__ __noinline__ pair change(pair q, char d)
{
    q.a++;
    q.b += d;
    q.c *= 2;
    return q;
}
template <class T> __device__ __noinline__ T first(T a, vec<T, 3> v)
{
    return a * v.v[0] + v.v[2];
}
__device__ __noinline__ void store(int *p, short s, unsigned char c, float f, bool b)
{
    p[0] = s;
    p[1] = c;
    p[2] = (int)f;
    p[3] = b;
}

namespace ns {
template <class T> __global__ void templated(T *p, vec<T, 3> v, int n)
{
    p[threadIdx.x] = first<T>(p[threadIdx.x + 1], v) + fib(n);
}
template __global__ void templated<float>(float *, vec<float, 3>, int);
template __global__ void templated<double>(double *, vec<double, 3>, int);
} // namespace ns

__global__ void calls(int *p, pair q, int n)
{
    q = change(q, (char)n);
    p[1] = q.a + q.b + (int)q.c;
    p[2] = walk(p, n);
    store(p + 3, (short)n, (unsigned char)n, 1.5f * n, n > 2);
    printf("%d %s %f\n", n, "text", q.c);
    assert(p[7] == 3);
}
__global__ void choose(int *p, int n)
{
    int x = threadIdx.x;

    switch (n) {
    case 0: x = p[1]; break;
    case 1: x = p[2] * 3; break;
    case 2: x = p[0] / (n + 1); break;
    case 3: x = __popc(p[5]); break;
    case 4: x = p[9] ^ 5; break;
    case 5: x = p[19] - 5; break;
    case 6: p[0] = 3; x = 7;
    case 7: x += p[3] % 7; break;
    case 8: return;
    default: x = -1;
    }
    p[threadIdx.x] = x;
}
__global__ void loops(int *p, int n)
{
    int s = 0;

    for (int i = 0; i < n; i++) {
        if (p[i] < 0) {
            continue;
        }
        if (p[i] == 99) {
            break;
        }
        for (int j = i; j < n; j += threadIdx.x + 1) {
            if ((p[j] & 1) && s > 100) {
                goto out;
            }
            s += p[j] > i ? p[j] : -j;
        }
        do {
            s ^= s >> 3;
        } while (s > 1000);
    }
out:
    if (s == 12345) {
        __trap();
    }
    p[threadIdx.x] = s;
}
