/*
 * A program of the runtime that turns to the driver without cuInit(): once the runtime
 * has a device in use, the driver is there, and the device's primary context is
 * current.
 */
#include "cuda.h"
#include "cuda_runtime_api.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
/* after the above */
#include <cmocka.h>

static void runtime_first(void **state)
{
    CUdevice device = -1;
    CUcontext context = NULL;

    (void)state;
    assert_int_equal(cuCtxGetDevice(&device), CUDA_ERROR_NOT_INITIALIZED);
    assert_int_equal(cudaSetDevice(1), cudaSuccess);
    assert_int_equal(cuCtxGetDevice(&device), CUDA_SUCCESS);
    assert_int_equal(device, 1);
    assert_int_equal(cuCtxGetCurrent(&context), CUDA_SUCCESS);
    assert_non_null(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runtime_first)};

    setenv("SMWAVE_DEVICE", "h100,h100", 1);
    setenv("SMWAVE_SET", "gpu.sms=2", 1);
    setenv("SMWAVE_QUIET", "1", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
