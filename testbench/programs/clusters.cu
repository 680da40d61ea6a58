/* Clusters of blocks: a histogram whose bins lie in the shared memory of all blocks of a
 * cluster, each of which has a part of them. */
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>

namespace cg = cooperative_groups;

/* Ends the program when a call of the runtime failed. */
static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

enum { BLOCK = 128, BLOCKS = 16, CLUSTER = 4, BINS = 1024, N = 1 << 14 };

__global__ void histogram(unsigned *bins, const unsigned *in, int n)
{
    __shared__ unsigned part[BINS / CLUSTER];
    cg::cluster_group cluster = cg::this_cluster();

    for (int i = threadIdx.x; i < BINS / CLUSTER; i += BLOCK) {
        part[i] = 0;
    }
    cluster.sync(); /* all parts are zero */
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += BLOCK * BLOCKS) {
        unsigned bin = in[i] % BINS;

        atomicAdd(cluster.map_shared_rank(part, bin / (BINS / CLUSTER)) +
                      bin % (BINS / CLUSTER),
                  1u);
    }
    cluster.sync(); /* nobody adds any more */
    for (int i = threadIdx.x; i < BINS / CLUSTER; i += BLOCK) {
        atomicAdd(&bins[cluster.block_rank() * (BINS / CLUSTER) + i], part[i]);
    }
}

int main()
{
    static unsigned h[N], got[BINS], want[BINS];
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute shape = {};
    unsigned *bins, *in, wrong = 0;
    int most;

    for (unsigned i = 0, x = 1; i < N; i++) {
        x = x * 1664525 + 1013904223;
        h[i] = x >> 12;
        want[h[i] % BINS]++;
    }
    check(cudaMalloc(&bins, sizeof(got)));
    check(cudaMalloc(&in, sizeof(h)));
    check(cudaMemset(bins, 0, sizeof(got)));
    check(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    config.gridDim = dim3(BLOCKS);
    config.blockDim = dim3(BLOCK);
    shape.id = cudaLaunchAttributeClusterDimension;
    shape.val.clusterDim.x = CLUSTER;
    shape.val.clusterDim.y = shape.val.clusterDim.z = 1;
    config.attrs = &shape;
    config.numAttrs = 1;
    check(cudaOccupancyMaxActiveClusters(&most, histogram, &config));
    printf("clusters at once: %s\n", most >= BLOCKS / CLUSTER ? "enough" : "too few");
    check(cudaLaunchKernelEx(&config, histogram, bins, (const unsigned *)in, (int)N));
    check(cudaMemcpy(got, bins, sizeof(got), cudaMemcpyDeviceToHost));
    for (int i = 0; i < BINS; i++) {
        wrong += got[i] != want[i];
    }
    printf("%u bins are wrong\n", wrong);
    shape.val.clusterDim.x = 3; /* 16 blocks are no whole number of these */
    printf("clusters of 3: %s\n", cudaGetErrorName(cudaLaunchKernelEx(
                                      &config, histogram, bins, (const unsigned *)in,
                                      (int)N)));
    (void)cudaGetLastError();
    shape.val.clusterDim.x = 16; /* the kernel has to allow it */
    printf("clusters of 16: %s\n", cudaGetErrorName(cudaLaunchKernelEx(
                                       &config, histogram, bins, (const unsigned *)in,
                                       (int)N)));
    return 0;
}
