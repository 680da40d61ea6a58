/* Arrays per thread, indexed at run time: a small sort, a stack, a table of bytes. */
__global__ void sort_each(const int *in, int *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int v[16];

    if (t >= n) {
        return;
    }
    for (int i = 0; i < 16; i++) {
        v[i] = in[t * 16 + i];
    }
    for (int i = 1; i < 16; i++) {
        int x = v[i], j = i;

        while (j > 0 && v[j - 1] > x) {
            v[j] = v[j - 1];
            j--;
        }
        v[j] = x;
    }
    for (int i = 0; i < 16; i++) {
        out[t * 16 + i] = v[(i + t) % 16];
    }
}

__global__ void count_digits(const unsigned *in, unsigned *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char counts[16] = {0};
    unsigned long long order = 0;

    if (t >= n) {
        return;
    }
    for (int i = 0; i < 8; i++) {
        counts[in[t] >> (4 * i) & 15]++;
    }
    for (int d = 0; d < 16; d++) {
        order = order * 9 + counts[(d * 5 + t) & 15];
    }
    out[t] = (unsigned)(order ^ order >> 32);
}
