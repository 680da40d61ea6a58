__global__ void answer(int *p)
{
    *p = 42;
}

int ask()
{
    int *device, result = 0;

    cudaMalloc(&device, sizeof(int));
    answer<<<1, 1>>>(device);
    cudaMemcpy(&result, device, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(device);
    return result;
}
