// Structures by value, recursion of two functions by turns, a lambda.
struct triple {
    int a;
    double b;
    short c[3];
};
__device__ __noinline__ triple mix(triple x, triple y)
{
    triple r = {x.a * y.a, x.b + y.b, {y.c[2], x.c[1], (short)(x.c[0] + y.c[0])}};
    return r;
}
__device__ __noinline__ int is_odd(int n);
__device__ __noinline__ int is_even(int n)
{
    return n == 0 ? 1 : is_odd(n - 1);
}
__device__ __noinline__ int is_odd(int n)
{
    return n == 0 ? 0 : is_even(n - 1);
}
__device__ __noinline__ int ackermann(int m, int n)
{
    return m == 0   ? n + 1
           : n == 0 ? ackermann(m - 1, 1)
                    : ackermann(m - 1, ackermann(m, n - 1));
}
template <typename F> __device__ int fold(const int *a, int n, F f)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        s = f(s, a[i]);
    }
    return s;
}
__global__ void direct(const int *in, double *out, int *parity)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    triple x = {in[t], t * 0.5, {1, 2, 3}}, y = {t, 2.0, {(short)t, 5, (short)in[t]}};
    triple z = mix(mix(x, y), x);
    out[t] = z.a + z.b + z.c[0] * 2 + z.c[1] * 3 + z.c[2];
    parity[t] = is_even(t % 19) * 100 + ackermann(2, t % 4);
    parity[t] += fold(in, 9, [=](int s, int v) { return s * 3 + (v ^ t); });
}
