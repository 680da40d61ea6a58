/* Kernels that say themselves how many blocks a cluster has: __cluster_dims__, and the
 * most of them, __launch_bounds__. Compile for sm_90 or later. */
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

enum { BLOCK = 64, BLOCKS = 8, N = BLOCK * BLOCKS };

/* The sum of each cluster: the blocks' sums lie in their shared memory, where the first
 * block of the cluster reads them. */
template <int SIZE>
__global__ void __cluster_dims__(SIZE, 1, 1) sums(unsigned *out, const unsigned *in)
{
    __shared__ unsigned sum;
    cg::cluster_group cluster = cg::this_cluster();

    if (threadIdx.x == 0) {
        sum = 0;
    }
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * BLOCK + threadIdx.x]);
    cluster.sync(); /* all blocks have their sums */
    if (cluster.thread_rank() == 0) {
        unsigned all = 0;

        for (unsigned r = 0; r < cluster.num_blocks(); r++) {
            all += *cluster.map_shared_rank(&sum, r);
        }
        out[blockIdx.x / cluster.num_blocks()] = all;
    }
    cluster.sync(); /* nobody's shared memory goes before it is read */
}

/* Declared here, defined below: the shape is said once. Each block hands its place in
 * the cluster to the next one, and works on while that arrives. */
__global__ void __cluster_dims__(2, 2) places(unsigned *out);

__global__ void places(unsigned *out)
{
    __shared__ unsigned from;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank(), n = cluster.num_blocks();
    dim3 shape = cluster.dim_blocks(), place = cluster.block_index();

    cluster.sync(); /* all blocks are there */
    unsigned *next = cluster.map_shared_rank(&from, (rank + 1) % n);
    if (threadIdx.x == 0) {
        *next = 10 * rank + cluster.query_shared_rank(next);
    }
    cg::cluster_group::arrival_token token = cluster.barrier_arrive();
    unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
    bool right = shape.x == 2 && shape.y == 2 && shape.z == 1 &&
                 place.x == blockIdx.x % 2 && place.y == blockIdx.y % 2 &&
                 rank == 2 * place.y + place.x &&
                 cluster.num_threads() == n * blockDim.x &&
                 cluster.thread_rank() == rank * blockDim.x + threadIdx.x;
    cluster.barrier_wait(static_cast<decltype(token) &&>(token));
    if (threadIdx.x == 0) {
        out[block] = right ? from : 1000;
    }
}

/* Two blocks of a cluster at most, 32 threads of a block at most. */
__global__ void __launch_bounds__(32, 1, 2) limited(unsigned *out)
{
    if (threadIdx.x == 0) {
        out[blockIdx.x] = cg::this_cluster().num_blocks();
    }
}

static void print(const char *name, const unsigned *device, int n)
{
    unsigned host[16];

    check(cudaMemcpy(host, device, n * sizeof(*host), cudaMemcpyDeviceToHost));
    printf("%s:", name);
    for (int i = 0; i < n; i++) {
        printf(" %u", host[i]);
    }
    printf("\n");
}

/* A launch in clusters of x blocks. */
static const char *launch(unsigned *out, int x)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute shape = {};

    config.gridDim = dim3(4);
    config.blockDim = dim3(32);
    shape.id = cudaLaunchAttributeClusterDimension;
    shape.val.clusterDim.x = x;
    shape.val.clusterDim.y = shape.val.clusterDim.z = 1;
    config.attrs = &shape;
    config.numAttrs = 1;
    cudaError_t error = cudaLaunchKernelEx(&config, limited, out);
    (void)cudaGetLastError();
    return cudaGetErrorName(error);
}

int main()
{
    unsigned host[N], *in, *out;
    cudaFuncAttributes a;

    for (unsigned i = 0; i < N; i++) {
        host[i] = i;
    }
    check(cudaMalloc(&in, sizeof(host)));
    check(cudaMalloc(&out, sizeof(host)));
    check(cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice));
    sums<2><<<BLOCKS, BLOCK>>>(out, in);
    check(cudaGetLastError());
    print("sums of 2 blocks", out, BLOCKS / 2);
    sums<4><<<BLOCKS, BLOCK>>>(out, in);
    check(cudaGetLastError());
    print("sums of 4 blocks", out, BLOCKS / 4);
    places<<<dim3(4, 2), 32>>>(out);
    check(cudaGetLastError());
    print("who writes to whom", out, 8);

    check(cudaFuncGetAttributes(&a, places));
    printf("places wants %d x %d x %d blocks\n", a.requiredClusterWidth,
           a.requiredClusterHeight, a.requiredClusterDepth);
    sums<4><<<6, BLOCK>>>(out, in); /* 6 blocks are no whole number of clusters */
    printf("6 blocks by 4: %s\n", cudaGetErrorName(cudaGetLastError()));
    sums<16><<<16, BLOCK>>>(out, in); /* more than all devices have */
    printf("16 blocks by 16: %s\n", cudaGetErrorName(cudaGetLastError()));

    printf("2 of at most 2: %s\n", launch(out, 2));
    print("clusters have", out, 4);
    printf("4 of at most 2: %s\n", launch(out, 4));
    return 0;
}
