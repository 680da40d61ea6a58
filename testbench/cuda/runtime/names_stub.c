/*
 * names_stub.c - stands for the runtime library of a release of CUDA when
 * names_program.c is linked, as nvcc's own does. Nothing of it runs.
 */
int cudaGetDeviceCount(int *count);
int cudaGetDeviceProperties(void *p, int device);
int cudaMemAdvise(const void *p);

int cudaGetDeviceCount(int *count)
{
    *count = -1;
    return 999;
}

int cudaGetDeviceProperties(void *p, int device)
{
    (void)p, (void)device;
    return 999;
}

int cudaMemAdvise(const void *p)
{
    (void)p;
    return 999;
}
