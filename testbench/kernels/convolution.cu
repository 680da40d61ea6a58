/* A 5 x 5 filter in constant memory over a plane of bytes, zeros outside. */
#define R 2

__constant__ int weights[(2 * R + 1) * (2 * R + 1)];
__constant__ int shift = 4;

__global__ void convolve(const unsigned char *in, int *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int sum = 0;

    if (x >= width || y >= height) {
        return;
    }
    for (int dy = -R; dy <= R; dy++) {
        for (int dx = -R; dx <= R; dx++) {
            int u = x + dx, v = y + dy;

            if (u >= 0 && u < width && v >= 0 && v < height) {
                sum += weights[(dy + R) * (2 * R + 1) + dx + R] * in[v * width + u];
            }
        }
    }
    out[y * width + x] = sum >> shift;
}

/* Each lane its own weight: constant memory serves different words in turn. */
__global__ void gather_weights(int *out)
{
    int i = threadIdx.x;

    out[i] = weights[i * 7 % 25] + weights[3];
}
