/* Every atomic operation on global and on shared memory; the outcome depends on no order. */
__global__ void atomics(const int *in, int *r, unsigned *u, unsigned long long *w, float *f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];

    atomicAdd(&r[0], v);
    atomicSub(&r[1], v);
    atomicMin(&r[2], v);
    atomicMax(&r[3], v);
    atomicAnd(&r[4], v | 0x7f00);
    atomicOr(&r[5], v & 0x0ff0);
    atomicXor(&r[6], v);
    atomicExch(&r[7], 77);
    atomicCAS(&r[8], 5, 6);
    atomicMin(&u[0], (unsigned)v);
    atomicMax(&u[1], (unsigned)v);
    atomicInc(&u[2], 99);
    atomicDec(&u[3], 49);
    atomicAdd(&w[0], (unsigned long long)(unsigned)v << 20);
    atomicMax(&w[1], (unsigned long long)(unsigned)v * 3);
    atomicCAS(&w[2], 0ull, 9ull);
    atomicExch(&w[3], 1ull << 40);
    atomicAdd(&f[0], (float)(v & 15));
}

/* Tickets from one counter in shared memory: each is given once. */
__global__ void tickets(int *seen, int *high)
{
    __shared__ int next, top;
    __shared__ unsigned long long sum;
    int t = threadIdx.x;

    if (t == 0) {
        next = 0;
        top = -1;
        sum = 0;
    }
    __syncthreads();
    int mine = atomicAdd(&next, 1);

    seen[blockIdx.x * blockDim.x + mine] = mine + 1;
    atomicMax(&top, mine * 2);
    atomicAdd(&sum, 1ull << 33);
    __syncthreads();
    if (t == 0) {
        high[blockIdx.x * 2] = top;
        high[blockIdx.x * 2 + 1] = (int)(sum >> 33);
    }
}

/* A lock taken by one thread of each block in turn */
__global__ void locked(int *lock, int *count)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        *(volatile int *)count = *(volatile int *)count + blockIdx.x + 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}
