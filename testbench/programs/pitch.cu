/* Rows that begin where the device likes it: pitched memory, 2D copies of a part of a
 * picture, and a volume with 3D copies. */
#include <cstdio>
#include <cstdlib>

/* Ends the program when a call of the runtime failed. */
static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

enum { WIDTH = 50, HEIGHT = 20, DEPTH = 3 };

__global__ void invert(unsigned char *picture, size_t pitch)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < WIDTH && y < HEIGHT) {
        picture[y * pitch + x] = 255 - picture[y * pitch + x];
    }
}

/* Each layer of the volume is HEIGHT rows, each row of pitch bytes. */
__global__ void fill(cudaPitchedPtr volume)
{
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    char *row = (char *)volume.ptr + (z * HEIGHT + y) * volume.pitch;

    ((int *)row)[x] = 100 * z + 10 * y + x;
}

int main()
{
    static unsigned char h[HEIGHT][WIDTH], result[HEIGHT][WIDTH], part[5][10];
    unsigned char *picture;
    size_t pitch;
    int wrong = 0;

    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        h[i / WIDTH][i % WIDTH] = i;
    }
    check(cudaMallocPitch(&picture, &pitch, WIDTH, HEIGHT));
    printf("rows of %d bytes are %s\n", WIDTH,
           pitch % 32 == 0 && pitch >= WIDTH ? "padded" : "NOT padded");
    check(
        cudaMemcpy2D(picture, pitch, h, WIDTH, WIDTH, HEIGHT, cudaMemcpyHostToDevice));
    invert<<<dim3(2, 3), dim3(32, 8)>>>(picture, pitch);
    check(cudaGetLastError());
    check(cudaMemcpy2D(result, WIDTH, picture, pitch, WIDTH, HEIGHT,
                       cudaMemcpyDeviceToHost));
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        wrong += result[i / WIDTH][i % WIDTH] != 255 - h[i / WIDTH][i % WIDTH];
    }
    printf("inverted: %d errors\n", wrong);

    /* 5 rows of 10 bytes from row 2, column 30 */
    check(cudaMemset2D(picture + 3 * pitch + 30, pitch, 7, 10, 1));
    check(cudaMemcpy2D(part, 10, picture + 2 * pitch + 30, pitch, 10, 5,
                       cudaMemcpyDeviceToHost));
    printf("part: %d %d %d, expected %d 7 %d\n", part[0][0], part[1][0], part[2][9],
           result[2][30], result[4][39]);

    cudaExtent extent = make_cudaExtent(8 * sizeof(int), HEIGHT, DEPTH);
    static int volume[DEPTH][HEIGHT][8];
    cudaMemcpy3DParms copy = {};
    cudaPitchedPtr device;

    check(cudaMalloc3D(&device, extent));
    check(cudaMemset3D(device, 0, extent));
    fill<<<1, dim3(8, 5, DEPTH)>>>(device);
    check(cudaGetLastError());
    copy.srcPtr = device;
    copy.dstPtr = make_cudaPitchedPtr(volume, 8 * sizeof(int), 8, HEIGHT);
    copy.extent = extent;
    copy.kind = cudaMemcpyDeviceToHost;
    check(cudaMemcpy3D(&copy));
    printf("volume: %d %d %d %d\n", volume[0][0][0], volume[1][2][3], volume[2][4][7],
           volume[2][19][7]);
    check(cudaFree(picture));
    check(cudaFree(device.ptr));
    return 0;
}
