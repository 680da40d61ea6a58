/* What programs do with the runtime: results, order, errors. */
#include "runtime/test_kernels.h"
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define OK(call) assert_int_equal(call, cudaSuccess)

enum { N = 256 };

static struct dim3 dim(unsigned x)
{
    struct dim3 d = {x, 1, 1};

    return d;
}

static cudaError_t launch(const void *kernel, unsigned blocks, unsigned threads,
                          void **args, cudaStream_t s)
{
    return cudaLaunchKernel(kernel, dim(blocks), dim(threads), args, 0, s);
}

static void add(int *p, int x, unsigned n, cudaStream_t s)
{
    void *args[] = {&p, &x, &n};

    OK(launch(ADD_KERNEL, (n + 63) / 64, 64, args, s));
}

static int *device_numbers(int from, int n)
{
    int *host = malloc(sizeof(int) * (size_t)n), *p;

    for (int i = 0; i < n; i++) {
        host[i] = from + i;
    }
    OK(cudaMalloc((void **)&p, sizeof(int) * (size_t)n));
    OK(cudaMemcpy(p, host, sizeof(int) * (size_t)n, cudaMemcpyHostToDevice));
    free(host);
    return p;
}

static void expect_numbers(const int *p, int from, int n)
{
    int host[1024];

    OK(cudaMemcpy(host, p, sizeof(int) * (size_t)n, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        assert_int_equal(host[i], from + i);
    }
}

/* ---- kernels, symbols ---- */

static void kernels_compute(void **state)
{
    int *p = device_numbers(0, 32), got[32];
    void *args[] = {&p};

    (void)state;
    OK(launch(SHARED_KERNEL, 1, 32, args, NULL));
    OK(cudaMemcpy(got, p, sizeof(got), cudaMemcpyDefault));
    for (int i = 0; i < 32; i++) {
        assert_int_equal(got[i], 31 - i);
    }
    OK(cudaFree(p));
}

static void symbols_hold(void **state)
{
    int values[16], more[16], got[16], *p;
    void *args[] = {&p}, *at;
    size_t size;

    (void)state;
    for (int i = 0; i < 16; i++) {
        values[i] = i;
        more[i] = 100 * i;
    }
    OK(cudaMalloc((void **)&p, sizeof(got)));
    OK(cudaMemcpyToSymbol(SYMBOL, values, 64, 0, cudaMemcpyHostToDevice));
    OK(cudaMemcpyToSymbol(CONSTANT, more, 64, 0, cudaMemcpyHostToDevice));
    OK(launch(KERNEL, 1, 16, args, NULL));
    OK(cudaMemcpy(got, p, sizeof(got), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 16; i++) {
        assert_int_equal(got[i], 101 * i);
    }
    OK(cudaGetSymbolAddress(&at, SYMBOL));
    OK(cudaGetSymbolSize(&size, SYMBOL));
    assert_int_equal(size, 64);
    OK(cudaMemset(at, 0, 64));
    OK(cudaMemcpyFromSymbol(got, SYMBOL, 8, 4, cudaMemcpyDeviceToHost));
    assert_int_equal(got[0], 0);
    OK(cudaFree(p));
}

static void kernels_say_what_they_need(void **state)
{
    struct cudaFuncAttributes a;
    int blocks;

    (void)state;
    OK(cudaFuncGetAttributes(&a, SHARED_KERNEL));
    assert_int_equal(a.sharedSizeBytes, 3072);
    assert_true(a.numRegs > 0);
    OK(cudaFuncGetAttributes(&a, BOUND_KERNEL));
    assert_int_equal(a.maxThreadsPerBlock, 64);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, KERNEL, 1024, 0));
    assert_int_equal(blocks, 2);
}

/* ---- memory ---- */

static void pinned_and_managed_are_the_hosts(void **state)
{
    int *pinned, *managed, *at;

    (void)state;
    OK(cudaMallocHost((void **)&pinned, N * sizeof(int)));
    OK(cudaMallocManaged((void **)&managed, N * sizeof(int), cudaMemAttachGlobal));
    for (int i = 0; i < N; i++) {
        pinned[i] = managed[i] = i;
    }
    OK(cudaHostGetDevicePointer((void **)&at, pinned, 0));
    add(at, 5, N, NULL);
    add(managed, 7, N, NULL);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++) {
        assert_int_equal(pinned[i], i + 5);
        assert_int_equal(managed[i], i + 7);
    }
    OK(cudaMemset(managed, 0x11, 8)); /* waits */
    assert_int_equal(managed[1], 0x11111111);
    assert_int_equal(managed[2], 9);
    OK(cudaFreeHost(pinned));
    OK(cudaFree(managed));
}

static void registered_memory_has_an_alias(void **state)
{
    int *host = malloc(5000 * sizeof(int)), *at;

    (void)state;
    for (int i = 0; i < 5000; i++) {
        host[i] = i;
    }
    OK(cudaHostRegister(host + 3, 4000 * sizeof(int), cudaHostRegisterMapped));
    OK(cudaHostGetDevicePointer((void **)&at, host + 4, 0));
    add(at, 1000, N, NULL);
    OK(cudaDeviceSynchronize());
    assert_int_equal(host[3], 3);
    assert_int_equal(host[4], 1004);
    assert_int_equal(host[4 + N], 4 + N);
    OK(cudaHostUnregister(host + 3));
    free(host);
}

static void boxes_are_copied(void **state)
{
    char from[64], to[64];
    char *p;
    size_t pitch;

    (void)state;
    for (int i = 0; i < 64; i++) {
        from[i] = (char)i;
    }
    memset(to, 0, sizeof(to));
    OK(cudaMallocPitch((void **)&p, &pitch, 6, 4));
    assert_int_equal(pitch % 32, 0);
    OK(cudaMemset2D(p, pitch, 9, 6, 4));
    OK(cudaMemcpy2D(p + 1, pitch, from, 16, 5, 4, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2D(to, 8, p, pitch, 6, 4, cudaMemcpyDeviceToHost));
    for (int y = 0; y < 4; y++) {
        assert_int_equal(to[8 * y], 9);
        assert_int_equal(to[8 * y + 1], 16 * y);
        assert_int_equal(to[8 * y + 5], 16 * y + 4);
        assert_int_equal(to[8 * y + 6], 0);
    }
    OK(cudaFree(p));
}

static void arrays_keep_rows(void **state)
{
    struct cudaChannelFormatDesc c = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    struct cudaMemcpy3DParms parms = {0};
    float from[7 * 5], to[7 * 5];
    cudaArray_t a;

    (void)state;
    for (int i = 0; i < 35; i++) {
        from[i] = (float)i;
        to[i] = -1;
    }
    OK(cudaMallocArray(&a, &c, 7, 5, 0));
    OK(cudaMemcpyToArray(a, 0, 0, from, sizeof(from), cudaMemcpyHostToDevice));
    parms.srcArray = a;
    parms.srcPos.y = 1;
    parms.dstPtr.ptr = to;
    parms.dstPtr.pitch = 28;
    parms.dstPtr.ysize = 5;
    parms.extent.width = 7;
    parms.extent.height = 4;
    parms.extent.depth = 1;
    parms.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&parms));
    assert_true(to[0] == 7 && to[27] == 34 && to[28] == -1);
    OK(cudaMemcpyFromArray(to, a, 8, 2, 48, cudaMemcpyDeviceToHost));
    assert_true(to[0] == 16 && to[11] == 27);
    OK(cudaFreeArray(a));
}

/* Layers with gaps between them, and rows with gaps, go up and come back. */
static void layers_are_copied(void **state)
{
    struct cudaMemcpy3DParms up = {0}, down = {0};
    struct cudaPitchedPtr p;
    struct cudaExtent x = {6, 3, 4};
    char from[8 * 5 * 4], to[6 * 3 * 4];

    (void)state;
    for (size_t i = 0; i < sizeof(from); i++) {
        from[i] = (char)i;
    }
    OK(cudaMalloc3D(&p, x));
    up.srcPtr = (struct cudaPitchedPtr){from, 8, 8, 5};
    up.srcPos.y = 1;
    up.dstPtr = p;
    up.extent = x;
    up.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&up));
    down.srcPtr = p;
    down.dstPtr = (struct cudaPitchedPtr){to, 6, 6, 3};
    down.extent = x;
    down.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&down));
    for (int z = 0; z < 4; z++) {
        for (int y = 0; y < 3; y++) {
            for (int i = 0; i < 6; i++) {
                assert_int_equal(to[(z * 3 + y) * 6 + i],
                                 from[(z * 5 + y + 1) * 8 + i]);
            }
        }
    }
    OK(cudaFree(p.ptr));
}

/* ---- streams and events ---- */

static int calls;

static void count_call(void *arg)
{
    calls = calls * 10 + (int)(intptr_t)arg;
    assert_int_equal(cudaFree(NULL), cudaErrorNotPermitted);
}

static void streams_keep_order(void **state)
{
    int *p = device_numbers(0, N), *host;
    cudaStream_t a, b;
    cudaEvent_t e;

    (void)state;
    OK(cudaMallocHost((void **)&host, N * sizeof(int)));
    OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    OK(cudaStreamCreate(&b));
    OK(cudaEventCreate(&e));
    calls = 0;
    OK(cudaLaunchHostFunc(a, count_call, (void *)1));
    add(p, 1, N, a);
    OK(cudaEventRecord(e, a));
    OK(cudaStreamWaitEvent(b, e, 0));
    add(p, 10, N, b);
    OK(cudaLaunchHostFunc(b, count_call, (void *)2));
    OK(cudaMemcpyAsync(host, p, N * sizeof(int), cudaMemcpyDeviceToHost, b));
    while (cudaStreamQuery(b) == cudaErrorNotReady) {
    }
    OK(cudaEventQuery(e));
    OK(cudaGetLastError());
    assert_int_equal(calls, 12);
    assert_int_equal(host[0], 11);
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
    OK(cudaEventDestroy(e));
    OK(cudaFreeHost(host));
    OK(cudaFree(p));
}

/* The legacy stream waits for blocking streams, they for it; one that is not goes past
 * it. */
static void legacy_stream_joins(void **state)
{
    int *p = device_numbers(0, N), *flag;
    cudaStream_t blocking, free_one;
    void *args[] = {&flag};

    (void)state;
    OK(cudaStreamCreate(&blocking));
    OK(cudaStreamCreateWithFlags(&free_one, cudaStreamNonBlocking));
    OK(cudaMallocHost((void **)&flag, sizeof(int)));
    *flag = 0;
    OK(launch(SPIN_KERNEL, 1, 1, args, blocking));
    add(p, 1, N, NULL);
    assert_int_equal(cudaStreamQuery(NULL), cudaErrorNotReady);
    add(p, 100, N, free_one);
    OK(cudaStreamSynchronize(free_one));
    assert_int_equal(cudaStreamQuery(NULL), cudaErrorNotReady);
    *flag = 1;
    expect_numbers(p, 101, N);
    OK(cudaStreamDestroy(blocking));
    OK(cudaStreamDestroy(free_one));
    OK(cudaFreeHost(flag));
    OK(cudaFree(p));
}

/* Nobody asks the device; what the program waits for happens all the same. */
static void device_goes_on(void **state)
{
    volatile int *flag;
    void *args[] = {&flag};

    (void)state;
    OK(cudaMallocHost((void **)&flag, sizeof(int)));
    *flag = 1;
    OK(launch(SPIN_KERNEL, 1, 1, args, NULL));
    while (*flag != 0) {
    }
    *flag = 1;
    OK(launch(SPIN_KERNEL, 1, 1, args, NULL));
    for (int i = 0; *flag != 0; i++) { /* asleep */
        usleep(10000);
        assert_true(i < 3000);
    }
    OK(cudaFreeHost((void *)(uintptr_t)flag));
}

static void events_tell_modelled_time(void **state)
{
    int *p = device_numbers(0, N);
    cudaEvent_t a, b, c;
    float once, twice;

    (void)state;
    OK(cudaEventCreate(&a));
    OK(cudaEventCreate(&b));
    OK(cudaEventCreate(&c));
    OK(cudaDeviceSynchronize());
    OK(cudaEventRecord(a, NULL));
    add(p, 1, N, NULL);
    OK(cudaEventRecord(b, NULL));
    assert_int_equal(cudaEventElapsedTime(&once, a, b), cudaErrorNotReady);
    add(p, 1, N, NULL);
    add(p, 1, N, NULL);
    OK(cudaEventRecord(c, NULL));
    OK(cudaEventSynchronize(c));
    OK(cudaEventElapsedTime(&once, a, b));
    OK(cudaEventElapsedTime(&twice, b, c));
    assert_true(once > 0.0001F && once < 0.1F); /* ms: some microseconds */
    assert_true(twice > 1.5F * once && twice < 2.5F * once);
    OK(cudaEventDestroy(a));
    OK(cudaEventDestroy(b));
    OK(cudaEventDestroy(c));
    OK(cudaFree(p));
}

/* ---- graphs ---- */

static void graphs_replay(void **state)
{
    int *p = device_numbers(0, N);
    cudaStream_t s, other;
    cudaEvent_t fork, join;
    cudaGraph_t g;
    cudaGraphExec_t x;
    size_t n;

    (void)state;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreate(&other));
    OK(cudaEventCreate(&fork));
    OK(cudaEventCreate(&join));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    add(p, 1, N, s);
    OK(cudaEventRecord(fork, s));
    OK(cudaStreamWaitEvent(other, fork, 0));
    add(p, 10, N, other);
    OK(cudaEventRecord(join, other));
    OK(cudaStreamWaitEvent(s, join, 0));
    add(p, 100, N, s);
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphGetNodes(g, NULL, &n));
    assert_int_equal(n, 3);
    OK(cudaGraphGetEdges(g, NULL, NULL, &n));
    assert_true(n >= 2);
    expect_numbers(p, 0, N); /* nothing ran */
    OK(cudaGraphInstantiate(&x, g, 0));
    OK(cudaGraphDestroy(g));
    for (int i = 0; i < 3; i++) {
        OK(cudaGraphLaunch(x, s));
    }
    OK(cudaStreamSynchronize(s));
    expect_numbers(p, 333, N);
    OK(cudaGraphExecDestroy(x));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(other));
    OK(cudaFree(p));
}

static void graphs_are_built_and_changed(void **state)
{
    int *p = device_numbers(0, N), x = 4, host[N];
    unsigned n = N;
    void *args[] = {&p, &x, &n};
    struct cudaKernelNodeParams k = {.func = (void *)(uintptr_t)ADD_KERNEL,
                                     .gridDim = {4, 1, 1},
                                     .blockDim = {64, 1, 1},
                                     .kernelParams = args};
    struct cudaMemsetParams m = {
        .dst = p, .value = 0, .elementSize = 4, .width = N, .height = 1};
    struct cudaKernelNodeParams back;
    cudaGraphNode_t fill, kernel, copy;
    cudaGraph_t g;
    cudaGraphExec_t e;

    (void)state;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddMemsetNode(&fill, g, NULL, 0, &m));
    OK(cudaGraphAddKernelNode(&kernel, g, &fill, 1, &k));
    OK(cudaGraphAddMemcpyNode1D(&copy, g, &kernel, 1, host, p, sizeof(host),
                                cudaMemcpyDeviceToHost));
    OK(cudaGraphKernelNodeGetParams(kernel, &back));
    assert_ptr_equal(back.func, ADD_KERNEL);
    assert_int_equal(*(int *)back.kernelParams[1], 4);
    OK(cudaGraphInstantiateWithFlags(&e, g, 0));
    OK(cudaGraphLaunch(e, NULL));
    OK(cudaDeviceSynchronize());
    assert_int_equal(host[7], 4);
    x = 6;
    OK(cudaGraphExecKernelNodeSetParams(e, kernel, &k));
    OK(cudaGraphLaunch(e, NULL));
    OK(cudaDeviceSynchronize());
    assert_int_equal(host[7], 6);
    /* a circle is refused */
    OK(cudaGraphAddDependencies(g, &copy, &fill, 1));
    assert_int_equal(cudaGraphInstantiateWithFlags(&e, g, 0), cudaErrorInvalidValue);
    OK(cudaGraphDestroy(g));
    (void)cudaGetLastError();
    OK(cudaFree(p));
}

/* ---- several devices ---- */

static void devices_are_apart(void **state)
{
    struct cudaDeviceProp a, b;
    int *p, *q, can, n;

    (void)state;
    OK(cudaGetDeviceCount(&n));
    assert_int_equal(n, 2);
    OK(cudaGetDeviceProperties(&a, 0));
    OK(cudaGetDeviceProperties(&b, 1));
    assert_int_equal(a.major, 9);
    assert_int_equal(b.major, 8);
    assert_memory_not_equal(&a.uuid, &b.uuid, sizeof(a.uuid));
    p = device_numbers(0, N);
    OK(cudaSetDevice(1));
    q = device_numbers(1000, N);
    OK(cudaDeviceCanAccessPeer(&can, 1, 0));
    assert_int_equal(can, 1);
    OK(cudaMemcpyPeer(q, 1, p, 0, N * sizeof(int)));
    expect_numbers(q, 0, N);
    OK(cudaDeviceEnablePeerAccess(0, 0));
    add(p, 5, N, NULL); /* by device 1 in the memory of device 0 */
    OK(cudaDeviceSynchronize());
    OK(cudaDeviceDisablePeerAccess(0));
    OK(cudaFree(q));
    OK(cudaSetDevice(0));
    expect_numbers(p, 5, N);
    OK(cudaFree(p));
}

static void *thread_work(void *arg)
{
    int *p;

    (void)arg;
    p = device_numbers(0, N);
    for (int i = 0; i < 20; i++) {
        add(p, 1, N, cudaStreamPerThread);
    }
    OK(cudaStreamSynchronize(cudaStreamPerThread));
    expect_numbers(p, 20, N);
    assert_int_equal(cudaMalloc(NULL, 1), cudaErrorInvalidValue);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidValue);
    OK(cudaFree(p));
    return NULL;
}

static void threads_share_a_device(void **state)
{
    pthread_t t[4];

    (void)state;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_create(&t[i], NULL, thread_work, NULL), 0);
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(t[i], NULL), 0);
    }
    OK(cudaGetLastError()); /* of this thread: none */
}

/* ---- output and faults ---- */

/* What is written to fd while work() runs. */
static void written(int fd, void (*work)(void), char *text, size_t size)
{
    FILE *file = tmpfile();
    int old;
    size_t n;

    assert_non_null(file);
    fflush(NULL);
    old = dup(fd);
    dup2(fileno(file), fd);
    work();
    fflush(NULL);
    dup2(old, fd);
    close(old);
    rewind(file);
    n = fread(text, 1, size - 1, file);
    text[n] = '\0';
    fclose(file);
}

static void print_twice(void)
{
    int x = 41;
    void *args[] = {&x};

    OK(launch(PRINT_KERNEL, 1, 2, args, NULL));
    OK(cudaDeviceSynchronize());
}

static void kernels_print(void **state)
{
    char text[256];

    (void)state;
    written(1, print_twice, text, sizeof(text));
    assert_string_equal(text, "x is 41\nx is 41\n");
}

static void misaligned_store(void)
{
    int *p, which = 2;
    void *args[] = {&p, &which};

    OK(cudaMalloc((void **)&p, 64));
    OK(launch(BAD_KERNEL, 1, 1, args, NULL));
    assert_int_equal(cudaDeviceSynchronize(), cudaErrorMisalignedAddress);
    assert_int_equal(cudaDeviceSynchronize(), cudaErrorMisalignedAddress);
    assert_int_equal(cudaFree(p), cudaErrorMisalignedAddress);
}

/* The finding names the line of the source, once. As on a real device, not even a reset
 * gives a process the device back; the other one goes on. */
static void faults_stay(void **state)
{
    char text[2048], *first;
    int *p;

    (void)state;
    written(2, misaligned_store, text, sizeof(text));
    first = strstr(text, "test_kernels.cu:");
    assert_non_null(first);
    assert_null(strstr(first + 1, "test_kernels.cu:"));
    assert_int_equal(cudaGetLastError(), cudaErrorMisalignedAddress);
    OK(cudaDeviceReset());
    assert_int_equal(cudaMalloc((void **)&p, 16), cudaErrorDevicesUnavailable);
    OK(cudaSetDevice(1));
    p = device_numbers(3, N);
    add(p, 1, N, NULL);
    expect_numbers(p, 4, N);
    OK(cudaFree(p));
}

/* Handles and memory of a device that is reset are gone, and the device is new. */
static void reset_forgets(void **state)
{
    int *p = device_numbers(0, N), values[16] = {7};
    cudaStream_t s;

    (void)state;
    OK(cudaStreamCreate(&s));
    OK(cudaMemcpyToSymbol(SYMBOL, values, 64, 0, cudaMemcpyHostToDevice));
    add(p, 1, N, s);
    OK(cudaDeviceReset());
    assert_int_equal(cudaFree(p), cudaErrorInvalidValue);
    assert_int_equal(cudaStreamSynchronize(s), cudaErrorInvalidResourceHandle);
    (void)cudaGetLastError();
    p = device_numbers(5, N);
    add(p, 1, N, NULL);
    expect_numbers(p, 6, N);
    OK(cudaMemcpyFromSymbol(p, SYMBOL, 4, 0, cudaMemcpyDeviceToDevice));
    expect_numbers(p, 0, 1);
    OK(cudaFree(p));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_compute),
        cmocka_unit_test(symbols_hold),
        cmocka_unit_test(kernels_say_what_they_need),
        cmocka_unit_test(pinned_and_managed_are_the_hosts),
        cmocka_unit_test(registered_memory_has_an_alias),
        cmocka_unit_test(boxes_are_copied),
        cmocka_unit_test(arrays_keep_rows),
        cmocka_unit_test(layers_are_copied),
        cmocka_unit_test(streams_keep_order),
        cmocka_unit_test(legacy_stream_joins),
        cmocka_unit_test(device_goes_on),
        cmocka_unit_test(events_tell_modelled_time),
        cmocka_unit_test(graphs_replay),
        cmocka_unit_test(graphs_are_built_and_changed),
        cmocka_unit_test(devices_are_apart),
        cmocka_unit_test(threads_share_a_device),
        cmocka_unit_test(kernels_print),
        cmocka_unit_test(reset_forgets),
        cmocka_unit_test(faults_stay),
    };

    setenv("SMWAVE_DEVICE", "h100,a100", 1);
    test_register();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
