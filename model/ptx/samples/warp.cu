// Exchange between lanes, barriers, special registers.
__global__ void lanes(int *p, unsigned *u)
{
    int t = threadIdx.x, pred;

    p[0] = __shfl_sync(~0u, p[t], 3) + __shfl_up_sync(~0u, p[t], 1) +
           __shfl_down_sync(0xffff, p[t], 2, 16) + __shfl_xor_sync(~0u, p[t], 16);
    u[0] = __ballot_sync(~0u, p[t] > 3) + __activemask();
    p[1] = __any_sync(~0u, p[3]) + __all_sync(~0u, p[4]);
    u[1] = __match_any_sync(~0u, p[4]) + __match_all_sync(~0u, p[5], &pred);
    u[2] = pred;
    __syncwarp();
    __syncwarp(0xff);
    u[3] = __fns(u[4], 3, 2);
}
__global__ void barriers(int *p)
{
    p[6] = __syncthreads_count(p[7]) + __syncthreads_and(p[8]) + __syncthreads_or(p[9]);
    __syncthreads();
    asm volatile("bar.sync 1, 64;");
    asm volatile("bar.arrive 2, 64;");
    asm volatile("barrier.sync.aligned 3;");
    asm volatile("barrier.cta.sync 4, %0;" : : "r"(p[1]));
    __nanosleep(100);
}
__global__ void registers(long long *p, unsigned *u)
{
    u[0] = threadIdx.y + blockIdx.z + blockDim.z + gridDim.y + warpSize;
    p[0] = clock64() + clock();
    unsigned r;
    unsigned long long g;
    asm("mov.u32 %0, %%laneid;" : "=r"(r));
    u[1] = r;
    asm("mov.u32 %0, %%warpid;" : "=r"(r));
    u[2] = r;
    asm("mov.u32 %0, %%nwarpid;" : "=r"(r));
    u[3] = r;
    asm("mov.u32 %0, %%smid;" : "=r"(r));
    u[4] = r;
    asm("mov.u32 %0, %%nsmid;" : "=r"(r));
    u[5] = r;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r));
    u[6] = r;
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(r));
    u[7] = r;
    asm("mov.u64 %0, %%globaltimer;" : "=l"(g));
    p[1] = g;
    asm("mov.u64 %0, %%gridid;" : "=l"(g));
    p[2] = g;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(r));
    u[8] = r;
    asm("mov.u32 %0, %%total_smem_size;" : "=r"(r));
    u[9] = r;
    asm("{ .reg .pred p; .reg .u32 t; setp.ne.u32 p, %1, 0; mov.u32 t, 5; @!p mov.u32 t, 6; "
        "selp.u32 %0, t, 7, p; }" : "=r"(r) : "r"(u[3]));
    u[10] = r;
    asm volatile("prefetch.global.L2 [%0];" : : "l"(p));
    asm volatile("pmevent 3;");
}
__global__ void __launch_bounds__(256, 2) bounded(int *p)
{
#pragma unroll 1
    for (int i = 0; i < 9; i++) {
        p[i] = i;
    }
}
