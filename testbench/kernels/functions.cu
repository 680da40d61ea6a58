/* Functions that stay calls: recursion on a stack in local memory, calls within a
 * divergent branch, results through pointers. */
__device__ __noinline__ unsigned fibonacci(unsigned n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ __noinline__ int gcd(int a, int b)
{
    while (b != 0) {
        int t = a % b;

        a = b;
        b = t;
    }
    return a;
}

__device__ __noinline__ void divide(int a, int b, int *quotient, int *rest)
{
    *quotient = a / b;
    *rest = a % b;
}

__device__ __noinline__ float blend(float a, double b, char c, long long d)
{
    return a + (float)b * c + (float)d;
}

__global__ void recurse(unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        out[i] = fibonacci(i % 11);
    }
}

__global__ void calls(const int *a, const int *b, int *out, float *mixed, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int q, r;

    if (i >= n) {
        return;
    }
    if (a[i] % 2 != 0) {
        out[i] = gcd(a[i], b[i]);
    } else {
        divide(a[i], b[i], &q, &r);
        out[i] = q * 1000 + r;
    }
    mixed[i] = blend((float)a[i], b[i] * 0.5, (char)(i - 8), (long long)i << 4);
}
