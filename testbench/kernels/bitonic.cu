/* Bitonic sort of 1024 keys with their positions, in shared memory, ascending. */
#define N 1024

__global__ void bitonic_sort(unsigned *keys, unsigned short *order)
{
    __shared__ unsigned key[N];
    __shared__ unsigned short place[N];

    for (int i = threadIdx.x; i < N; i += blockDim.x) {
        key[i] = keys[blockIdx.x * N + i];
        place[i] = (unsigned short)i;
    }
    for (int size = 2; size <= N; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            for (int t = threadIdx.x; t < N / 2; t += blockDim.x) {
                int i = 2 * t - (t & (stride - 1)), j = i + stride;
                bool up = (i & size) == 0;

                if ((key[i] > key[j]) == up) {
                    unsigned k = key[i];
                    unsigned short p = place[i];

                    key[i] = key[j];
                    key[j] = k;
                    place[i] = place[j];
                    place[j] = p;
                }
            }
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < N; i += blockDim.x) {
        keys[blockIdx.x * N + i] = key[i];
        order[blockIdx.x * N + i] = place[i];
    }
}
