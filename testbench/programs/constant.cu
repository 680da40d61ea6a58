/* Constant memory and variables of the device, which the host reaches by their
 * names. */
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

enum { N = 256, DEGREE = 3 };

__constant__ float coefficients[DEGREE + 1] = {1, 1, 1, 1};
__device__ unsigned evaluated = 1000;
__device__ float table[N];

/* All threads read the same coefficient at the same time: what constant memory is
 * for. */
__global__ void polynomial()
{
    int x = threadIdx.x;
    float y = 0;

    for (int k = DEGREE; k >= 0; k--) {
        y = y * x + coefficients[k];
    }
    table[x] = y;
    atomicAdd(&evaluated, 1);
}

int main()
{
    const float chosen[DEGREE] = {4, 0, 2};
    float result[N], *address, second;
    unsigned count;
    size_t bytes;

    polynomial<<<1, N>>>();
    check(cudaMemcpyFromSymbol(result, table, sizeof result));
    printf("as initialized: p(2) = %.0f\n", result[2]); /* 1 + 2 + 4 + 8 */

    check(cudaMemcpyToSymbol(coefficients, chosen, sizeof chosen, sizeof(float)));
    polynomial<<<1, N>>>();
    check(cudaMemcpyFromSymbol(result, table, sizeof result));
    printf("as chosen:      p(2) = %.0f\n", result[2]); /* 1 + 4 2 + 0 4 + 2 8 */

    check(cudaMemcpyFromSymbol(&count, evaluated, sizeof count));
    printf("evaluated %u times\n", count - 1000);

    /* A variable of the device has an address like any other memory there. */
    check(cudaGetSymbolAddress((void **)&address, table));
    check(cudaGetSymbolSize(&bytes, table));
    check(cudaMemcpy(&second, address + 1, sizeof second, cudaMemcpyDeviceToHost));
    printf("table: %zu bytes, p(1) = %.0f\n", bytes, second);
    return 0;
}
