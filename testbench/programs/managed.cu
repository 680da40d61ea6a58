/* Managed memory: one pointer for host and device, also inside of structures, and
 * managed variables. Only cudaDeviceSynchronize() tells when the host may look. */
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

struct node {
    int value;
    node *next;
};

__managed__ int visited;

/* Follows a list that the host built and doubles its values. */
__global__ void walk(node *list, int *sum)
{
    *sum = 0;
    for (node *n = list; n != nullptr; n = n->next) {
        n->value *= 2;
        *sum += n->value;
        visited++;
    }
}

int main()
{
    node *list = nullptr;
    int *sum;

    check(cudaMallocManaged(&sum, sizeof *sum));
    for (int i = 10; i > 0; i--) {
        node *n;

        check(cudaMallocManaged(&n, sizeof *n));
        n->value = i;
        n->next = list;
        list = n;
    }
    visited = 100;
    walk<<<1, 1>>>(list, sum);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    printf("sum %d, visited %d\n", *sum, visited);
    printf("values:");
    while (list != nullptr) {
        node *n = list;

        list = n->next;
        printf(" %d", n->value);
        check(cudaFree(n));
    }
    printf("\n");
    check(cudaFree(sum));
    return 0;
}
