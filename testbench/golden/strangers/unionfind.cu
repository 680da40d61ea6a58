// Components of a random graph: roots joined by compare-and-swap, the least one
// wins.
__device__ int find(int *p, int i)
{
    while (p[i] != i) {
        atomicMin(&p[i], p[p[i]]);
        i = p[i];
    }
    return i;
}
__global__ void single(int *p, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x) {
        p[i] = i;
    }
}
__global__ void join(int *p, const unsigned *edges, int n, int m)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= m) {
        return;
    }
    int a = edges[2 * e] % n, b = edges[2 * e + 1] % n;
    for (;;) {
        a = find(p, a);
        b = find(p, b);
        if (a == b) {
            break;
        }
        if (a < b) {
            int t = a;
            a = b;
            b = t;
        }
        if (atomicCAS(&p[a], a, b) == a) {
            break;
        }
    }
}
__global__ void flatten(int *p, int *sizes, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int r = i;
        while (((volatile int *)p)[r] != r) {
            r = ((volatile int *)p)[r];
        }
        atomicAdd(&sizes[r], 1);
        p[i] = r;
    }
}
