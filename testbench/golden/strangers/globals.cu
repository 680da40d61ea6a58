// Variables of the module: tables with initial values, pointers among them,
// structures.
struct node {
    int value;
    const node *next;
    char name[6];
};
__device__ node third = {30, nullptr, "three"};
__device__ node second = {20, &third, "two"};
__device__ node first = {10, &second, "one"};
__constant__ struct {
    double d;
    signed char c;
    unsigned short h[3];
    float f;
} mixed = {0.1, -7, {1, 2, 65535}, 1.5f};
__device__ int grid[3][4] = {{1, 2, 3, 4}, {5, 6}, {9}};
__device__ long long counters[4];
__device__ const char *words[3] = {"alpha", "be", ""};
__constant__ int *where = &grid[1][1];
static __device__ unsigned char noise[200];
__global__ void walk(int *out)
{
    int t = threadIdx.x, s = 0;
    for (const node *p = t & 1 ? &first : &second; p; p = p->next) {
        s = s * 7 + p->value + p->name[t % 3];
    }
    const char *w = words[t % 3];
    int n = 0;
    while (w[n]) {
        s += w[n++] << n;
    }
    s += grid[t % 3][t % 4] + where[t % 3] + mixed.c + mixed.h[t % 3] +
         (int)(mixed.d * 100) + (int)(mixed.f * t);
    noise[t] = s;
    atomicAdd((unsigned long long *)&counters[t & 3], (unsigned long long)s);
    out[t] = s;
    if (t == 0) {
        first.value = 100;
        grid[2][3] = -1;
    }
}
__global__ void after(long long *out, int *g)
{
    if (threadIdx.x < 4) {
        out[threadIdx.x] = counters[threadIdx.x] + first.value;
    }
    g[threadIdx.x] = ((int *)grid)[threadIdx.x % 12] + noise[threadIdx.x];
}
