/*
 * A program of the driver interface from its start to its end: what kernels write,
 * where contexts begin and end, and that the runtime's functions see the same memory
 * and streams.
 */
#include "cuda.h"
#include "cuda_runtime_api.h"
#include "driver/test_ptx.h"
#include "fatbin/fatbin.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
/* after the above */
#include <cmocka.h>

#define OK(call) assert_int_equal((int)(call), (int)CUDA_SUCCESS)

static char *ptx;
static CUcontext context;
static CUmodule module;

static CUfunction function(const char *name)
{
    CUfunction f;

    OK(cuModuleGetFunction(&f, module, name));
    return f;
}

static int setup(void **state)
{
    (void)state;
    OK(cuCtxCreate(&context, 0, 0));
    OK(cuModuleLoadData(&module, ptx));
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    return (int)cuCtxDestroy(context);
}

/* ---- kernels and memory ---- */

static void add(CUdeviceptr out, int x, unsigned n, bool as_block)
{
    struct {
        CUdeviceptr out;
        int x;
        unsigned n;
    } block = {out, x, n};
    size_t bytes = sizeof(block);
    void *args[] = {&block.out, &block.x, &block.n};
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block,
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};

    OK(cuLaunchKernel(function("add_kernel"), (n + 63) / 64, 1, 1, 64, 1, 1, 0, NULL,
                      as_block ? NULL : args, as_block ? extra : NULL));
}

static void test_add(void **state)
{
    enum { N = 200 };
    int host[N], got[N];
    CUdeviceptr d;

    (void)state;
    for (int i = 0; i < N; i++) {
        host[i] = i * i;
    }
    OK(cuMemAlloc(&d, sizeof(host)));
    OK(cuMemcpyHtoD(d, host, sizeof(host)));
    add(d, 5, N, false);
    add(d, 70, N, true);
    OK(cuMemcpyDtoH(got, d, sizeof(got)));
    for (int i = 0; i < N; i++) {
        assert_int_equal(got[i], i * i + 75);
    }
    OK(cuMemFree(d));
}

static void test_globals(void **state)
{
    int symbol[16], constants[16], got[16];
    CUdeviceptr at, d;
    size_t bytes;
    void *args[] = {&d};

    (void)state;
    for (int i = 0; i < 16; i++) {
        symbol[i] = 3 * i;
        constants[i] = 100 + i;
    }
    OK(cuMemAlloc(&d, sizeof(got)));
    OK(cuModuleGetGlobal(&at, &bytes, module, "symbol"));
    assert_int_equal(bytes, sizeof(symbol));
    OK(cuMemcpyHtoD(at, symbol, sizeof(symbol)));
    OK(cuModuleGetGlobal(&at, NULL, module, "constants"));
    OK(cuMemcpyHtoD(at, constants, sizeof(constants)));
    OK(cuLaunchKernel(function("kernel"), 1, 1, 1, 16, 1, 1, 0, NULL, args, NULL));
    OK(cuMemcpyDtoH(got, d, sizeof(got)));
    for (int i = 0; i < 16; i++) {
        assert_int_equal(got[i], 100 + 4 * i);
    }
    OK(cuMemFree(d));
}

static void test_fills_and_rectangles(void **state)
{
    unsigned got[8], rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
    unsigned short halves[4];
    CUDA_MEMCPY2D c = {
        .srcMemoryType = CU_MEMORYTYPE_HOST,
        .srcHost = rows,
        .srcPitch = sizeof(rows[0]),
        .srcXInBytes = 4,
        .dstMemoryType = CU_MEMORYTYPE_DEVICE,
        .dstY = 1,
        .WidthInBytes = 8,
        .Height = 2,
    };
    CUdeviceptr d;
    size_t pitch;

    (void)state;
    OK(cuMemAllocPitch(&d, &pitch, 16, 3, 4));
    OK(cuMemsetD32(d, 0xabcd1234, 8));
    OK(cuMemcpyDtoH(got, d, sizeof(got)));
    assert_int_equal(got[7], 0xabcd1234);
    OK(cuMemsetD16(d + 2, 0x5678, 3));
    OK(cuMemcpyDtoH(halves, d, sizeof(halves)));
    assert_int_equal(halves[0], 0x1234);
    assert_int_equal(halves[3], 0x5678);
    OK(cuMemsetD2D8(d, pitch, 7, 16, 3));
    c.dstDevice = d;
    c.dstPitch = pitch;
    OK(cuMemcpy2D(&c));
    OK(cuMemcpyDtoH(got, d + 2 * pitch, 16));
    assert_int_equal(got[0], 5);
    assert_int_equal(got[1], 6);
    assert_int_equal(got[2], 0x07070707);
    OK(cuMemFree(d));
}

static void test_pointers(void **state)
{
    CUdeviceptr d, base;
    CUmemorytype type;
    CUcontext owner;
    size_t bytes;
    void *pinned;
    int managed;

    (void)state;
    OK(cuMemAlloc(&d, 1000));
    OK(cuMemGetAddressRange(&base, &bytes, d + 10));
    assert_int_equal(base, d);
    assert_int_equal(bytes, 1000);
    OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, d));
    assert_int_equal(type, CU_MEMORYTYPE_DEVICE);
    OK(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, d));
    assert_ptr_equal(owner, context);
    OK(cuMemHostAlloc(&pinned, 64, CU_MEMHOSTALLOC_DEVICEMAP));
    OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                             (CUdeviceptr)(uintptr_t)pinned));
    assert_int_equal(type, CU_MEMORYTYPE_HOST);
    OK(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                             (CUdeviceptr)(uintptr_t)pinned));
    assert_int_equal(managed, 0);
    OK(cuMemFreeHost(pinned));
    OK(cuMemFree(d));
}

/* ---- streams and events ---- */

static void called(CUstream s, CUresult status, void *arg)
{
    int n;

    (void)s;
    *(int *)arg =
        status == CUDA_SUCCESS && cuDeviceGetCount(&n) == CUDA_ERROR_NOT_PERMITTED;
}

static void test_streams(void **state)
{
    CUevent start, end;
    CUstream s;
    CUdeviceptr d;
    int seen = 0;
    float ms;

    (void)state;
    OK(cuMemAlloc(&d, 4096));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&start, 0));
    OK(cuEventCreate(&end, 0));
    OK(cuEventRecord(start, s));
    OK(cuMemsetD8Async(d, 1, 4096, s));
    OK(cuEventRecord(end, s));
    OK(cuStreamAddCallback(s, called, &seen, 0));
    OK(cuStreamSynchronize(s));
    OK(cuEventElapsedTime(&ms, start, end));
    assert_true(ms > 0);
    assert_int_equal(seen, 1);
    OK(cuStreamQuery(s));
    OK(cuEventDestroy(start));
    OK(cuEventDestroy(end));
    OK(cuStreamDestroy(s));
    OK(cuMemFree(d));
}

/* ---- attributes and occupancy ---- */

static size_t four_bytes_each(int threads)
{
    return 4 * (size_t)threads;
}

static void test_attributes(void **state)
{
    CUfunction f = function("shared_kernel");
    int value, grid, block;

    (void)state;
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f));
    assert_int_equal(value, 3072);
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                          function("bound_kernel")));
    assert_int_equal(value, 64);
    OK(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60000));
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f));
    assert_int_equal(value, 60000);
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, function("bound_kernel"), NULL,
                                        0, 0));
    assert_int_equal(block, 64);
    assert_int_equal(grid, 32 * 2); /* 32 blocks an SM at most, two SMs */
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, function("kernel"),
                                        four_bytes_each, 0, 0));
    assert_int_equal(grid * block, 2048 * 2); /* all threads of both */
}

/* How many clusters the device holds at once: blocks, and halves of them. */
static void test_clusters(void **state)
{
    CUlaunchAttribute shape = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION};
    CUlaunchConfig c = {.gridDimX = 64,
                        .gridDimY = 1,
                        .gridDimZ = 1,
                        .blockDimX = 64,
                        .blockDimY = 1,
                        .blockDimZ = 1,
                        .attrs = &shape};
    CUfunction f = function("kernel");
    int n = 0;

    (void)state;
    OK(cuOccupancyMaxActiveClusters(&n, f, &c));
    assert_int_equal(n, 32 * 2); /* 32 blocks an SM at most, two SMs */
    assert_int_equal(cuOccupancyMaxActiveClusters(NULL, f, &c),
                     CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuOccupancyMaxActiveClusters(&n, f, NULL),
                     CUDA_ERROR_INVALID_VALUE);
    c.numAttrs = 1;
    shape.value.clusterDim.x = 2;
    shape.value.clusterDim.y = shape.value.clusterDim.z = 1;
    OK(cuOccupancyMaxActiveClusters(&n, f, &c));
    assert_int_equal(n, 32);
    c.attrs = NULL;
    assert_int_equal(cuOccupancyMaxPotentialClusterSize(&n, f, &c),
                     CUDA_ERROR_INVALID_VALUE);
}

static void test_devices(void **state)
{
    char name[64], cut[4];
    int major, minor, value;
    size_t bytes;

    (void)state;
    OK(cuDeviceGetName(name, sizeof(name), 0));
    OK(cuDeviceGetName(cut, sizeof(cut), 0));
    assert_memory_equal(cut, name, 3);
    assert_int_equal(cut[3], 0);
    OK(cuDeviceComputeCapability(&major, &minor, 0));
    assert_int_equal(major, 9);
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    assert_int_equal(value, 2);
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED,
                            0));
    assert_int_equal(value, 0);
    OK(cuDeviceTotalMem(&bytes, 0));
    assert_true(bytes > (size_t)1 << 30);
}

/* ---- contexts ---- */

static void test_stack(void **state)
{
    CUcontext other, c;
    CUdevice device;

    (void)state;
    OK(cuCtxCreate(&other, CU_CTX_SCHED_SPIN, 1));
    OK(cuCtxGetDevice(&device));
    assert_int_equal(device, 1);
    OK(cuCtxPushCurrent(context));
    OK(cuCtxGetDevice(&device));
    assert_int_equal(device, 0);
    OK(cuCtxPopCurrent(&c));
    assert_ptr_equal(c, context);
    OK(cuCtxGetCurrent(&c));
    assert_ptr_equal(c, other);
    OK(cuCtxDestroy(other)); /* pops it */
    OK(cuCtxGetCurrent(&c));
    assert_ptr_equal(c, context);
}

/* A function of another context's module is none here. */
static void test_module_of_device(void **state)
{
    CUfunction f = function("bound_kernel");
    CUcontext other;
    CUdeviceptr d = 0;
    void *args[] = {&d};

    (void)state;
    OK(cuCtxCreate(&other, 0, 1));
    assert_int_equal(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL),
                     CUDA_ERROR_INVALID_HANDLE);
    OK(cuCtxDestroy(other));
}

/* A kernel's fault stays the context's error until that is destroyed. */
static void test_fault(void **state)
{
    CUcontext c;
    CUmodule m;
    CUfunction f;
    CUdeviceptr d;
    int which = 0;
    void *args[] = {&d, &which};

    (void)state;
    OK(cuCtxCreate(&c, 0, 1));
    OK(cuModuleLoadData(&m, ptx));
    OK(cuModuleGetFunction(&f, m, "bad_kernel"));
    OK(cuMemAlloc(&d, 64));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    assert_int_equal(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
    assert_int_equal(cuMemAlloc(&d, 64), CUDA_ERROR_ILLEGAL_ADDRESS);
    OK(cuCtxDestroy(c));
    OK(cuCtxCreate(&c, 0, 1));
    OK(cuMemAlloc(&d, 64)); /* went with the context before */
    OK(cuCtxDestroy(c));
}

/* Handles of a context that went with its device are none, and do no harm. */
static void test_stale(void **state)
{
    CUcontext c;
    CUmodule m;
    CUfunction f;
    CUstream s;
    CUevent event;
    CUdeviceptr d, at;
    size_t bytes;
    void *args[] = {&d};

    (void)state;
    OK(cuCtxCreate(&c, 0, 1));
    OK(cuModuleLoadData(&m, ptx));
    OK(cuModuleGetFunction(&f, m, "bound_kernel"));
    OK(cuMemAlloc(&d, 64));
    OK(cuStreamCreate(&s, 0));
    OK(cuEventCreate(&event, 0));
    OK(cuEventRecord(event, s));
    OK(cuCtxDestroy(c));
    assert_int_equal(cuCtxPushCurrent(c), CUDA_ERROR_INVALID_CONTEXT);
    OK(cuCtxCreate(&c, 0, 1));
    assert_int_equal(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL),
                     CUDA_ERROR_INVALID_HANDLE);
    assert_int_equal(cuModuleUnload(m), CUDA_ERROR_INVALID_HANDLE);
    assert_int_equal(cuModuleGetGlobal(&at, &bytes, m, "symbol"),
                     CUDA_ERROR_INVALID_HANDLE);
    assert_int_equal(cuStreamSynchronize(s), CUDA_ERROR_INVALID_HANDLE);
    assert_int_equal(cuMemFree(d), CUDA_ERROR_INVALID_VALUE);
    assert_true(cuEventSynchronize(event) != CUDA_SUCCESS);
    OK(cuMemAlloc(&d, 64)); /* which was not the device's fault */
    OK(cuCtxDestroy(c));
}

/* A thread has a stack of its own; what another destroys is an error there. */
static void *other_thread(void *arg)
{
    CUcontext c, *mine = arg;
    CUdeviceptr d;

    if (cuCtxGetCurrent(&c) != CUDA_SUCCESS || c != NULL ||
        cuMemAlloc(&d, 64) != CUDA_ERROR_INVALID_CONTEXT ||
        cuCtxSetCurrent(*mine) != CUDA_SUCCESS || cuMemAlloc(&d, 64) != CUDA_SUCCESS ||
        cuCtxDestroy(*mine) != CUDA_SUCCESS) {
        return NULL;
    }
    return arg;
}

static void test_threads(void **state)
{
    pthread_t thread;
    CUdeviceptr d;
    CUcontext c;
    void *ok;

    (void)state;
    OK(cuCtxCreate(&c, 0, 1));
    assert_int_equal(pthread_create(&thread, NULL, other_thread, &c), 0);
    assert_int_equal(pthread_join(thread, &ok), 0);
    assert_non_null(ok);
    assert_int_equal(cuMemAlloc(&d, 64), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    OK(cuCtxPopCurrent(NULL));
    OK(cuMemAlloc(&d, 64));
    OK(cuMemFree(d));
}

/* ---- the runtime beside it ---- */

static void test_with_runtime(void **state)
{
    cudaStream_t s;
    CUcontext c, primary;
    CUdeviceptr d;
    int host[4] = {1, 2, 3, 4}, got[4], active;
    unsigned flags;
    void *p;

    (void)state;
    OK(cuCtxSetCurrent(NULL));
    OK(cuCtxGetCurrent(&c));
    assert_null(c);
    assert_int_equal(cudaMalloc(&p, sizeof(host)), cudaSuccess);
    OK(cuCtxGetCurrent(&c)); /* the runtime made the primary context current */
    OK(cuDevicePrimaryCtxRetain(&primary, 0));
    assert_ptr_equal(c, primary);
    OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    assert_int_equal(active, 1);
    d = (CUdeviceptr)(uintptr_t)p;
    assert_int_equal(cudaStreamCreate(&s), cudaSuccess);
    OK(cuMemcpyHtoDAsync(d, host, sizeof(host), s));
    add(d, 10, 4, false);
    OK(cuStreamSynchronize(s));
    assert_int_equal(cudaMemcpy(got, p, sizeof(got), cudaMemcpyDefault), cudaSuccess);
    assert_int_equal(got[3], 14);
    assert_int_equal(cuMemAlloc(&d, 0), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cudaGetLastError(), cudaSuccess); /* not of the runtime */
    assert_int_equal(cudaFree(p), cudaSuccess);
    assert_int_equal(cudaStreamDestroy(s), cudaSuccess);
    OK(cuDevicePrimaryCtxRelease(0));
    OK(cuCtxSetCurrent(context));
}

/* ---- linking and names ---- */

static const char head[] = ".version 7.0\n.target sm_70\n.address_size 64\n";

static void test_link(void **state)
{
    char user[1024], part[512], log[512] = "x";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof(log)};
    CUlinkState link;
    CUmodule linked;
    CUfunction f;
    CUdeviceptr d;
    void *image, *args[] = {&d};
    size_t size;
    int got;

    (void)state;
    snprintf(user, sizeof(user),
             "%s.extern .func (.param .b32 r) seven();\n"
             ".visible .entry main_kernel(.param .u64 out)\n{\n"
             ".reg .b32 %%r<2>; .reg .b64 %%rd<3>;\n"
             "ld.param.u64 %%rd1, [out];\ncvta.to.global.u64 %%rd2, %%rd1;\n"
             "{ .param .b32 v; call.uni (v), seven, ();\n"
             "ld.param.b32 %%r1, [v]; }\n"
             "st.global.u32 [%%rd2], %%r1;\nret;\n}\n",
             head);
    snprintf(part, sizeof(part),
             "%s.visible .func (.param .b32 r) seven()\n{\n"
             ".reg .b32 %%r<2>;\nmov.u32 %%r1, 7;\nst.param.b32 [r], %%r1;\nret;\n}\n",
             head);
    OK(cuLinkCreate(2, options, values, &link));
    OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, user, strlen(user) + 1, "user.ptx", 0,
                     NULL, NULL));
    assert_true(cuLinkComplete(link, &image, &size) != CUDA_SUCCESS);
    assert_non_null(strstr(log, "seven"));
    OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, part, strlen(part), "part.ptx", 0, NULL,
                     NULL));
    OK(cuLinkComplete(link, &image, &size));
    assert_true(size > strlen(user) + strlen(part));
    OK(cuModuleLoadData(&linked, image));
    OK(cuLinkDestroy(link));
    OK(cuModuleGetFunction(&f, linked, "main_kernel"));
    OK(cuMemAlloc(&d, 4));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    OK(cuMemcpyDtoH(&got, d, 4));
    assert_int_equal(got, 7);
    OK(cuMemFree(d));
    OK(cuModuleUnload(linked));
}

/* In a file too; one that is cut off is no image. */
static void test_fat_binary(void **state)
{
    struct fatbin_source source = {
        .kind = FATBIN_PTX,
        .packing = FATBIN_ZSTD,
        .data = ptx,
        .size = strlen(ptx),
        .target = 75,
        .ptx = 70,
    };
    char path[] = "/tmp/smwave-driver-XXXXXX";
    struct smw_err e;
    CUfunction f;
    CUmodule m;
    void *bytes;
    size_t size;
    int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    assert_true(fatbin_write(&source, 1, &bytes, &size, &e));
    OK(cuModuleLoadData(&m, bytes));
    OK(cuModuleGetFunction(&f, m, "kernel"));
    OK(cuModuleUnload(m));
    assert_int_equal(write(fd, bytes, size), size);
    OK(cuModuleLoad(&m, path));
    OK(cuModuleUnload(m));
    assert_int_equal(ftruncate(fd, (off_t)size / 2), 0);
    assert_int_equal(cuModuleLoad(&m, path), CUDA_ERROR_INVALID_IMAGE);
    close(fd);
    unlink(path);
    free(bytes);
}

static void test_names(void **state)
{
    CUdriverProcAddressQueryResult result;
    CUresult (*count)(int *);
    const char *text;
    void *p, *newest;
    int n;

    (void)state;
    OK(cuGetProcAddress("cuDeviceGetCount", &p, 12000, 0, &result));
    memcpy(&count, &p, sizeof(count));
    OK(count(&n));
    assert_int_equal(n, 2);
    OK(cuGetProcAddress("cuMemAlloc", &p, 12000, 0, NULL)); /* cuMemAlloc_v2 */
    OK(cuGetProcAddress("cuCtxCreate_v4", &p, 13000, 0, NULL));
    OK(cuGetProcAddress("cuCtxCreate", &newest, 13000, 0, NULL));
    assert_ptr_equal(p, newest);
    OK(cuGetProcAddress("cuCtxCreate", &newest, 12000, 0, NULL));
    assert_ptr_not_equal(p, newest);
    assert_int_equal(cuGetProcAddress("cuMem", &p, 12000, 0, &result),
                     CUDA_ERROR_NOT_FOUND);
    assert_int_equal(result, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    OK(cuGetErrorName(CUDA_ERROR_INVALID_CONTEXT, &text));
    assert_string_equal(text, "CUDA_ERROR_INVALID_CONTEXT");
    OK(cuGetErrorString(CUDA_ERROR_INVALID_CONTEXT, &text));
    assert_string_equal(text, "invalid device context");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add),
        cmocka_unit_test(test_globals),
        cmocka_unit_test(test_fills_and_rectangles),
        cmocka_unit_test(test_pointers),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_clusters),
        cmocka_unit_test(test_devices),
        cmocka_unit_test(test_stack),
        cmocka_unit_test(test_module_of_device),
        cmocka_unit_test(test_fault),
        cmocka_unit_test(test_stale),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_link),
        cmocka_unit_test(test_fat_binary),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_with_runtime),
    };
    int failed;

    setenv("SMWAVE_DEVICE", "h100,h100", 1);
    setenv("SMWAVE_SET", "gpu.sms=2", 1);
    setenv("SMWAVE_QUIET", "1", 1);
    ptx = read_ptx();
    if (cuInit(0) != CUDA_SUCCESS) {
        return 1;
    }
    failed = cmocka_run_group_tests(tests, setup, teardown);
    free(ptx);
    return failed;
}
