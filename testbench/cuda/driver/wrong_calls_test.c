/* Each call of wrong_calls.inc gives its number, and leaves what there is usable. */
#include "cuda.h"
#include "driver/test_ptx.h"
#include <stdbool.h>
#include <stdint.h>

enum { BYTES = 1 << 16 }; /* of dev */

static char *ptx;
static char late_ptx[] = ".version 8.7\n.target sm_120\n.address_size 64\n"
                         ".visible .entry k()\n{\n\tret;\n}\n";
static char bad_ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                        ".visible .entry k(\n";
static char host[4096] __attribute__((aligned(64)));
static char room[64];
static const char *text;
static CUdeviceptr dev, d;
static CUcontext context, gone_context;
static CUmodule module, gone_module;
static CUfunction kernel, function;
static CUlinkState link;
static CUstream stream;
static CUevent event;
static CUjit_option odd_option = (CUjit_option)999;
static CUDA_MEMCPY2D no_rectangle, array_rectangle;
static void *p, *args[1] = {&dev};
static size_t n, four = 4;
static void *short_extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, host,
                              CU_LAUNCH_PARAM_BUFFER_SIZE, &four, CU_LAUNCH_PARAM_END};
static unsigned u;
static int i;
static float ms;
static CUtensorMap map;
static cuuint32_t side = 16;
static cuuint64_t side64 = 16;

static CUresult launch(CUfunction f, unsigned gx, unsigned gy, unsigned gz,
                       unsigned threads, unsigned shared, void **arguments)
{
    return cuLaunchKernel(f, gx, gy, gz, threads, 1, 1, shared, NULL, arguments, NULL);
}

static int failures;

static void expect(CUresult want, CUresult got, const char *call)
{
    if (want != got) {
        fprintf(stderr, "%s gives %d, not %d\n", call, (int)got, (int)want);
        failures++;
    }
}

#define WRONG(number, call) expect(number, call, #call);

static void make_objects(void)
{
    ptx = read_ptx();
    WRONG(CUDA_SUCCESS, cuInit(0))
    WRONG(CUDA_SUCCESS, cuCtxCreate(&context, 0, 0))
    WRONG(CUDA_SUCCESS, cuCtxCreate(&gone_context, 0, 0))
    WRONG(CUDA_SUCCESS, cuCtxDestroy(gone_context))
    WRONG(CUDA_SUCCESS, cuMemAlloc(&dev, BYTES))
    WRONG(CUDA_SUCCESS, cuModuleLoadData(&gone_module, ptx))
    WRONG(CUDA_SUCCESS, cuModuleUnload(gone_module))
    WRONG(CUDA_SUCCESS, cuModuleLoadData(&module, ptx))
    WRONG(CUDA_SUCCESS, cuModuleGetFunction(&kernel, module, "kernel"))
    WRONG(CUDA_SUCCESS, cuLinkCreate(0, NULL, NULL, &link))
    WRONG(CUDA_SUCCESS, cuEventCreate(&event, 0))
    no_rectangle.WidthInBytes = no_rectangle.Height = 4;
    array_rectangle = no_rectangle;
    array_rectangle.dstMemoryType = CU_MEMORYTYPE_ARRAY;
}

/* Before anything is there. */
static void uninitialised(void)
{
    WRONG(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&i))
    WRONG(CUDA_ERROR_NOT_INITIALIZED, cuMemAlloc(&dev, 16))
    WRONG(CUDA_ERROR_NOT_INITIALIZED, cuCtxGetCurrent(&context))
    WRONG(CUDA_SUCCESS, cuDriverGetVersion(&i))
    WRONG(CUDA_SUCCESS, cuInit(0))
    WRONG(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&dev, 16))
    WRONG(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize())
    WRONG(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&context))
    WRONG(CUDA_ERROR_INVALID_CONTEXT, cuModuleLoadData(&module, late_ptx))
    WRONG(CUDA_ERROR_INVALID_CONTEXT, cuStreamCreate(&stream, 0))
    WRONG(CUDA_SUCCESS, cuCtxGetCurrent(&context))
    WRONG(true, context == NULL)
}

int main(void)
{
    setenv("SMWAVE_DEVICE", "h100,h100", 1);
    setenv("SMWAVE_SET", "gpu.sms=2", 1);
    setenv("SMWAVE_QUIET", "1", 1);
    uninitialised();
    make_objects();
#include "driver/wrong_calls.inc"
    WRONG(CUDA_SUCCESS, cuModuleGetFunction(&kernel, module, "kernel"))
    WRONG(CUDA_SUCCESS, launch(kernel, 1, 1, 1, 32, 0, args))
    WRONG(CUDA_SUCCESS, cuCtxSynchronize())
    free(ptx);
    return failures != 0;
}
