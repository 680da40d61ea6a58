// Loops that nothing can end, and two that look like them and end.
__global__ void lock_held(int *lock, int *out)
{
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    out[threadIdx.x] = 1; // nobody gives the lock back
}

__global__ void grid_wait(volatile int *count, int blocks)
{
    if (threadIdx.x == 0) {
        atomicAdd((int *)count, 1);
        while (*count < blocks) {
        }
    }
    __syncthreads();
}

__global__ void flag_behind_barrier(int *out)
{
    __shared__ volatile int flag;
    if (threadIdx.x == 0) {
        flag = 0;
    }
    __syncthreads();
    if (threadIdx.x >= 32) {
        while (flag == 0) {
        }
        out[0] = 1;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        flag = 1;
    }
}

// Before 7.0 the lane that has the lock waits for those that want it.
__global__ void lock_of_lanes(int *lock, int *out)
{
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    out[0]++;
    __threadfence();
    atomicExch(lock, 0);
}

__global__ void sleeps(volatile int *flag, int *out)
{
    if (threadIdx.x >= 32) {
        while (*flag == 0) {
        }
        out[1] = 1;
    } else {
        for (int i = 0; i < 3; i++) {
            __nanosleep(1000000);
        }
        *flag = 1;
    }
}

__global__ void waits_for_clock(volatile int *flag, int *out)
{
    long long begin = clock64();

    while (*flag == 0 && clock64() - begin < 2500000) {
    }
    out[threadIdx.x] = 1;
}

// Goes round for ever, but counts: no state comes again.
__global__ void counts(volatile int *flag, int *out)
{
    int n = 0;

    while (*flag == 0) {
        n++;
    }
    out[threadIdx.x] = n;
}
