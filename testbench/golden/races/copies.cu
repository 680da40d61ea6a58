/* Copies that are read too early, and twins that wait. */
#include <cuda_pipeline.h>

/* A thread reads what it has copied itself. */
extern "C" __global__ void ownBad(int *d, int *out)
{
    __shared__ int s[64];

    __pipeline_memcpy_async(&s[threadIdx.x], &d[threadIdx.x], 4);
    __pipeline_commit();
    out[threadIdx.x] = s[threadIdx.x];
}

extern "C" __global__ void ownGood(int *d, int *out)
{
    __shared__ int s[64];

    __pipeline_memcpy_async(&s[threadIdx.x], &d[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = s[threadIdx.x];
}

/* The wait is for the group before: the barrier does not make up for that. */
extern "C" __global__ void groupBad(int *d, int *out)
{
    __shared__ int s[64];

    __pipeline_memcpy_async(&s[threadIdx.x], &d[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}

extern "C" __global__ void groupGood(int *d, int *out)
{
    __shared__ int s[64];

    __pipeline_memcpy_async(&s[threadIdx.x], &d[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
