/* A five-point stencil over a plane, tiles with a halo of one in shared memory; outside
 * the plane the nearest cell counts. */
#define TX 32
#define TY 8

__global__ void stencil(const float *in, float *out, int width, int height)
{
    __shared__ float tile[TY + 2][TX + 2];
    int x0 = blockIdx.x * TX - 1, y0 = blockIdx.y * TY - 1;
    int x = blockIdx.x * TX + threadIdx.x, y = blockIdx.y * TY + threadIdx.y;

    for (int i = threadIdx.y * TX + threadIdx.x; i < (TX + 2) * (TY + 2); i += TX * TY) {
        int tx = i % (TX + 2), ty = i / (TX + 2);
        int gx = min(max(x0 + tx, 0), width - 1), gy = min(max(y0 + ty, 0), height - 1);

        tile[ty][tx] = in[gy * width + gx];
    }
    __syncthreads();
    if (x < width && y < height) {
        int tx = threadIdx.x + 1, ty = threadIdx.y + 1;

        out[y * width + x] = 0.5f * tile[ty][tx] +
                             0.125f * (tile[ty - 1][tx] + tile[ty + 1][tx] +
                                       tile[ty][tx - 1] + tile[ty][tx + 1]);
    }
}
