/* Functions under their names without _v2 do what the others do. */
#include "cuda.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* after the above */
#include <cmocka.h>

#undef cuCtxDestroy
#undef cuCtxPopCurrent
#undef cuCtxPushCurrent
#undef cuDevicePrimaryCtxRelease
#undef cuEventDestroy
#undef cuMemAlloc
#undef cuMemHostRegister
#undef cuStreamDestroy

CUresult cuCtxDestroy(CUcontext context);
CUresult cuCtxPopCurrent(CUcontext *context);
CUresult cuCtxPushCurrent(CUcontext context);
CUresult cuDevicePrimaryCtxRelease(CUdevice device);
CUresult cuEventDestroy(CUevent event);
CUresult cuMemAlloc(unsigned *at, unsigned bytes); /* before CUDA 3.2 */
CUresult cuMemHostRegister(void *p, size_t bytes, unsigned flags);
CUresult cuStreamDestroy(CUstream stream);

#define OK(call) assert_int_equal((int)(call), (int)CUDA_SUCCESS)

static void test_contexts(void **state)
{
    CUcontext context, got;

    (void)state;
    OK(cuCtxCreate(&context, 0, 0));
    OK(cuCtxPopCurrent(&got));
    assert_ptr_equal(got, context);
    assert_int_equal(cuCtxPopCurrent(&got), CUDA_ERROR_INVALID_CONTEXT);
    OK(cuCtxPushCurrent(context));
    OK(cuCtxGetCurrent(&got));
    assert_ptr_equal(got, context);
    OK(cuCtxDestroy(context));
    assert_int_equal(cuCtxPushCurrent(context), CUDA_ERROR_INVALID_CONTEXT);
}

static void test_handles(void **state)
{
    static _Alignas(4096) char page[4096];
    CUcontext context;
    CUevent event;
    CUstream stream;

    (void)state;
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxPushCurrent(context));
    OK(cuEventCreate(&event, 0));
    OK(cuEventDestroy(event));
    assert_int_equal(cuEventQuery(event), CUDA_ERROR_INVALID_HANDLE);
    OK(cuStreamCreate(&stream, 0));
    OK(cuStreamDestroy(stream));
    OK(cuMemHostRegister(page, sizeof(page), 0));
    assert_int_equal(cuMemHostRegister(page, sizeof(page), 0),
                     CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    OK(cuMemHostUnregister(page));
    OK(cuCtxPopCurrent(&context));
    OK(cuDevicePrimaryCtxRelease(0));
}

/* An address of 32 bits cannot be given: the name is there, and says so. */
static void test_narrow(void **state)
{
    unsigned at = 77;

    (void)state;
    assert_int_equal(cuMemAlloc(&at, 4), CUDA_ERROR_NOT_SUPPORTED);
    assert_int_equal(at, 77);
}

static int set_up(void **state)
{
    (void)state;
    return cuInit(0) == CUDA_SUCCESS ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contexts),
        cmocka_unit_test(test_handles),
        cmocka_unit_test(test_narrow),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
