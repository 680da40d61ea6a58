/* Scalars in shared memory whose address nobody takes, written before a barrier by one
 * thread and read behind it by all. clang 14 holds that its own barrier does not touch
 * them, and moves the loads. */
#ifdef OF_CLANG
#undef __syncthreads /* the compiler's own, which the headers do without */
#endif

__global__ void with_barrier(int *out, const int *in)
{
    __shared__ int sum;
    int first;

    if (threadIdx.x == 0) {
        sum = in[0];
    }
    __syncthreads();
    first = sum;
    __syncthreads();
    if (threadIdx.x == 1) {
        sum = in[1] + first;
    }
    __syncthreads();
    out[threadIdx.x] = first + sum;
}

__global__ void scan(int *out, const int *in)
{
    __shared__ int total;
    __shared__ int sums[32];
    int v = in[threadIdx.x];

    sums[threadIdx.x & 31] = v;
    __syncthreads();
    if (threadIdx.x == 31) {
        total = sums[3] + sums[4];
    }
    __syncthreads();
    out[threadIdx.x] = v + total;
}
