/* Graphs: the work of a stream captured once and launched three times, and a graph
 * built node by node, with two kernels that depend on a third. */
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

enum { N = 256 };

__global__ void add(int *p, int value)
{
    p[threadIdx.x] += value;
}

__global__ void twice(const int *from, int *to)
{
    to[threadIdx.x] = 2 * from[threadIdx.x];
}

int main()
{
    static int ones[N], result[N];
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *a, *b, *c;

    for (int &one : ones) {
        one = 1;
    }
    check(cudaMalloc(&a, sizeof ones));
    check(cudaMalloc(&b, sizeof ones));
    check(cudaMalloc(&c, sizeof ones));
    check(cudaStreamCreate(&stream));

    /* Nothing runs while it is captured. */
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    check(cudaMemcpyAsync(a, ones, sizeof ones, cudaMemcpyHostToDevice, stream));
    add<<<1, N, 0, stream>>>(a, 4);
    add<<<1, N, 0, stream>>>(b, 10);
    check(cudaMemcpyAsync(result, b, sizeof ones, cudaMemcpyDeviceToHost, stream));
    check(cudaStreamEndCapture(stream, &graph));
    check(cudaMemset(b, 0, sizeof ones));

    size_t n;
    check(cudaGraphGetNodes(graph, nullptr, &n));
    check(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++) {
        check(cudaGraphLaunch(exec, stream));
    }
    check(cudaStreamSynchronize(stream));
    printf("captured %zu nodes, launched 3 times: b = %d\n", n, result[0]);
    check(cudaGraphExecDestroy(exec));
    check(cudaGraphDestroy(graph));

    /* The same with explicit nodes: a += 7, then b = 2 a and c = 2 a side by side */
    int seven = 7;
    void *to_add[] = {&a, &seven}, *to_b[] = {&a, &b}, *to_c[] = {&a, &c};
    cudaGraphNode_t first, second, third;
    cudaKernelNodeParams params = {};

    params.gridDim = dim3(1);
    params.blockDim = dim3(N);
    check(cudaGraphCreate(&graph, 0));
    params.func = (void *)add;
    params.kernelParams = to_add;
    check(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &params));
    params.func = (void *)twice;
    params.kernelParams = to_b;
    check(cudaGraphAddKernelNode(&second, graph, &first, 1, &params));
    params.kernelParams = to_c;
    check(cudaGraphAddKernelNode(&third, graph, &first, 1, &params));
    check(cudaGraphInstantiate(&exec, graph, 0));
    check(cudaGraphLaunch(exec, stream));
    check(cudaStreamSynchronize(stream));
    check(cudaMemcpy(result, b, sizeof result, cudaMemcpyDeviceToHost));
    printf("built: b = %d", result[0]); /* 2 (1 + 4 + 7) */
    check(cudaMemcpy(result, c, sizeof result, cudaMemcpyDeviceToHost));
    printf(", c = %d\n", result[N - 1]);
    check(cudaGraphExecDestroy(exec));
    check(cudaGraphDestroy(graph));
    check(cudaStreamDestroy(stream));
    return 0;
}
