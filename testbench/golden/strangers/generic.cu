// One load instruction, three kinds of memory: the pointer differs from lane to
// lane.
__device__ __noinline__ int sum(const int *p, int n, int *most)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += p[i];
        if (p[i] > *most) {
            *most = p[i];
        }
    }
    return s;
}
__constant__ int fixed[6] = {3, 1, 4, 1, 5, 9};
__global__ void generic(const int *in, int *out)
{
    __shared__ int box[70];
    int mine[6], t = threadIdx.x, most = -1000;
    for (int i = 0; i < 6; i++) {
        mine[i] = in[(t + i * 7) % 64] - i;
    }
    box[t] = in[t];
    if (t < 6) {
        box[64 + t] = -t;
    }
    __syncthreads();
    const int *p = t % 4 == 0   ? mine
                   : t % 4 == 1 ? box + t
                   : t % 4 == 2 ? in + t % 58
                                : fixed;
    out[t] =
        sum(p, 6, &most) * 10 + __isShared(p) + 2 * __isLocal(p) + 4 * __isGlobal(p);
    out[64 + t] = most;
    __syncthreads();
    int *q = t % 3 == 0 ? mine + t % 6 : t % 3 == 1 ? box + t : out + 128 + t;
    int old = t % 3 == 0 ? *q : atomicAdd(q, 100 + t);
    *q += 1;
    __syncthreads();
    out[192 + t] = mine[t % 6] + box[t] + old;
}
