// Spaces, vectors, atomics, fences, symbols.
__constant__ float coef[5] = {1.f, 2.f, 3.5f, -4.f, 0.f};
__constant__ char msg[] = "hello";
__device__ int gv[3] = {7, 8};
__device__ int *gp = &gv[1];
__device__ unsigned char gb[5] = {1, 2, 3};
__device__ double dd = 1.5;
struct named {
    const char *s;
    int n;
    int *q;
};
__device__ named gs = {"abc", 5, gv + 2};
__constant__ named cs = {"xyz", 6, gv};
struct __attribute__((packed)) odd {
    char c;
    int *p;
};
__device__ odd po = {'x', gv + 1};
__device__ __managed__ int managed = 4;

extern __shared__ double dyn[];

__device__ __noinline__ void sum_shared(int *s, int n)
{
    __shared__ int scratch[40];

    scratch[threadIdx.x] = n;
    __syncthreads();
    s[threadIdx.x] += scratch[39 - threadIdx.x];
    dyn[threadIdx.x] = n;
}
__global__ void shared_a(int *p)
{
    __shared__ int mine[100];

    mine[threadIdx.x] = p[threadIdx.x];
    sum_shared(mine, 3);
    p[threadIdx.x] = mine[threadIdx.x];
}
__global__ void shared_b(double *p)
{
    __shared__ double other[64];
    __shared__ char bytes[7];

    other[threadIdx.x] = p[threadIdx.x];
    bytes[threadIdx.x % 7] = (char)p[0];
    sum_shared((int *)other, 5);
    p[threadIdx.x] = other[63 - threadIdx.x] + dyn[threadIdx.x] + bytes[3];
}
__global__ void symbols(int *p, int n)
{
    p[0] = (int)coef[n] + msg[n] + gv[n] + *gp + gb[n] + (int)dd + gs.n + gs.s[1] + *cs.q +
           *po.p + managed;
    gv[n] = 3;
    gb[1] = 4;
}
__global__ void vectors(float4 *f, double2 *d, char4 *c, short2 *s, const float4 *__restrict__ r)
{
    int t = threadIdx.x;
    float4 a = f[t], k = r[t];

    a.x += k.w;
    a.z *= 2;
    f[t + 1] = a;
    d[t] = make_double2(d[t + 1].y, 1.0);
    c[t] = make_char4(c[t + 1].w, 1, 2, (char)t);
    s[t].x = s[t].y + (short)__ldg(&((const int *)r)[t]);
    f[t + 2].y = __ldcv((float *)f) + __ldcg((float *)f + 1);
    __stcs((int *)c, t);
}
__global__ void locals(int *p, int n)
{
    int arr[20];
    double other[3] = {1, 2, 3};

    for (int i = 0; i < 20; i++) {
        arr[i] = p[i] * 2;
    }
    p[21] = arr[p[0]] + (int)other[n];
    char *s = n > 3 ? (char *)arr : (char *)p;
    p[22] = s[n] + __isShared(s) + __isGlobal(s) + __isLocal(s);
}
__global__ void atomics(int *p, unsigned *u, unsigned long long *v, float *f, double *d)
{
    __shared__ int s[4];
    __shared__ unsigned long long w;
    int t = threadIdx.x;

    s[t & 3] = 0;
    w = 0;
    __syncthreads();
    atomicAdd(&s[1], t);
    atomicMax(&s[2], t);
    atomicAdd(&w, 3ull);
    p[0] = atomicAdd(p, 3) + atomicSub(p, 2) + atomicMin(p, -1) + atomicAnd(p, 7);
    u[0] = atomicInc(u, 7) + atomicDec(u, 9) + atomicExch(u, 3) + atomicCAS(u, 3, 4);
    u[1] = atomicOr(u, 8) ^ atomicXor(u + 2, 1) ^ atomicMax(u + 3, 5u);
    v[0] = atomicAdd(v, 1ull) + atomicCAS(v + 1, 2ull, 3ull) + atomicExch(v + 2, 4ull) +
           atomicMax(v + 3, 7ull) + atomicAnd(v + 4, 3ull);
    atomicAdd(f, 1.5f);
    atomicAdd(d, 2.5);
    f[1] = atomicExch(f + 2, 1.0f);
    atomicAdd_block(p + 5, 1);
    atomicAdd_system(p + 6, 1);
    __threadfence();
    __threadfence_block();
    __threadfence_system();
    p[1] = s[1] + s[2] + (int)w + atomicCAS(&s[3], 0, 1);
}
