/* Events: the time that a kernel takes, and one stream that waits for another. */
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

__global__ void count(unsigned *word, int rounds)
{
    for (int k = 0; k < rounds; k++) {
        *word = *word * 3 + 1;
        __threadfence(); /* so that every round goes to memory */
    }
}

__global__ void copy(const unsigned *from, unsigned *to)
{
    *to = *from;
}

int main()
{
    cudaEvent_t start, stop, ready;
    cudaStream_t first, second;
    unsigned *words, result[2];
    float times[3];

    check(cudaMalloc(&words, sizeof result));
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&stop));
    count<<<1, 1>>>(words, 1); /* code is loaded when it is launched first */
    for (int i = 0; i < 3; i++) {
        check(cudaEventRecord(start));
        count<<<1, 1>>>(words, 20 << i);
        check(cudaGetLastError());
        check(cudaEventRecord(stop));
        check(cudaEventSynchronize(stop));
        check(cudaEventElapsedTime(&times[i], start, stop));
        printf("%d rounds: %.2f us\n", 20 << i, times[i] * 1e3);
    }
    printf("more rounds take longer: %s\n",
           times[0] < times[1] && times[1] < times[2] ? "yes" : "no");

    /* The second stream begins when the first has passed the event. Its work is queued
     * at once: the host waits for nothing. */
    check(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    check(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    check(cudaMemset(words, 0, sizeof result));
    check(cudaDeviceSynchronize());
    count<<<1, 1, 0, first>>>(words, 4);
    check(cudaEventRecord(ready, first));
    check(cudaStreamWaitEvent(second, ready, 0));
    copy<<<1, 1, 0, second>>>(words, words + 1);
    check(cudaStreamSynchronize(second));
    printf("event: %s, stream: %s\n", cudaGetErrorName(cudaEventQuery(ready)),
           cudaGetErrorName(cudaStreamQuery(first)));
    check(cudaMemcpy(result, words, sizeof result, cudaMemcpyDeviceToHost));
    printf("copied after the event: %u\n", result[1]); /* 1 + 3 + 9 + 27 */
    check(cudaEventElapsedTime(&times[0], start, stop));
    printf("an event without times: %s\n",
           cudaGetErrorName(cudaEventElapsedTime(&times[0], start, ready)));
    return 0;
}
