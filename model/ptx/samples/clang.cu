// For clang alone, without the CUDA headers.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define noinline __attribute__((noinline))
extern "C" {
__constant__ int tab[4] = {1, 2, 3, 4};
__device__ int gv[3] = {7, 8};
struct pair {
    int a;
    char b;
    double c;
};
__device__ noinline int mix(int a, int b, char c, bool d)
{
    return a * b + c + d;
}
__device__ noinline struct pair change(struct pair s, int (*out)[3])
{
    s.a++;
    (*out)[1] = s.b;
    return s;
}
__device__ noinline int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__device__ noinline long long big(long long a, unsigned long long b, float f, double d)
{
    return a / (long long)b + (long long)(f * d);
}
__global__ void kernel(int *p, int n, struct pair s)
{
    __shared__ int sh[32];
    int t = __nvvm_read_ptx_sreg_tid_x(), out[3];

    sh[t] = p[t];
    __syncthreads();
    p[t] = mix(sh[31 - t], n, (char)t, n > 3) + tab[t & 3] + gv[n];
    struct pair q = change(s, &out);
    p[t + 1] = q.a + out[1] + fib(n);
    if (t < 5) {
        for (int i = 0; i < n; i++) {
            p[i] += i / t;
        }
    }
}
__global__ void numbers(float *f, double *d, long long *q, short *h)
{
    int t = __nvvm_read_ptx_sreg_tid_x();

    f[t] = f[t] * f[t + 1] + (float)d[t] / f[0];
    d[t] = d[t] / d[t + 1] + q[t];
    q[t] = big(q[t], (unsigned long long)q[t + 1], f[0], d[0]);
    h[t] = (short)(h[t] / h[t + 1] + (h[t + 2] << 3) - (unsigned char)h[t + 3]);
    h[t + 1] = (short)((signed char)h[t] >> 2);
}
__global__ void choose(int *p, int n)
{
    switch (n) {
    case 1: p[0] = 3; break;
    case 2: p[1] = p[2]; break;
    case 3: p[2] = p[3] * 5; break;
    case 4: p[3] = p[4] + n; break;
    case 5: p[4] = p[9] - 1; break;
    case 9: __builtin_trap();
    default: p[5] = 9;
    }
}
}
