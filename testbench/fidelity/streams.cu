// Loops of float4 in which the grid strides, for stream_presets. streams.ptx is what
// nvcc -O3 -arch=sm_75 -lineinfo -ptx makes of it, which every preset can run.
#define KERNEL extern "C" __global__ void
#define ARGS const float4 *a, float4 *c, int n
KERNEL read4(ARGS)
{
    float sum = 0;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float4 v = a[i];

        sum += v.x + v.y + v.z + v.w;
    }
    if (sum == -1) { // never, but the compiler does not know
        c[0].x = sum;
    }
}
KERNEL write4(ARGS)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        c[i] = make_float4(1, 2, 3, 4);
    }
}
KERNEL copy4(ARGS)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        c[i] = a[i];
    }
}
