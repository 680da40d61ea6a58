/* Names of results; the texts are those of the runtime, whose numbers are the same. */
#include "driver/driver.h"
#include <stdatomic.h>

int cu_refuse(const char *call, const char *why); /* for refused.c */

static const struct {
    CUresult number;
    const char *name;
} results[] = {
#define RESULT(name) {name, #name},
#include "driver/results.inc"
#undef RESULT
};

static const char *name_of(CUresult r)
{
    for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
        if (results[i].number == r) {
            return results[i].name;
        }
    }
    return NULL;
}

RT_API CUresult cuGetErrorName(CUresult error, const char **name)
{
    if (name == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *name = name_of(error);
    return *name != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

RT_API CUresult cuGetErrorString(CUresult error, const char **text)
{
    if (text == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *text = name_of(error) != NULL ? cudaGetErrorString((cudaError_t)error) : NULL;
    return *text != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

int cu_refuse(const char *call, const char *why)
{
    static atomic_flag said; /* once for all calls: programs try them in loops */

    if (!cu_begin(false)) {
        return (int)cu_refused();
    }
    if (!atomic_flag_test_and_set(&said)) {
        rt_say("%s: %s are not supported", call, why);
    }
    return (int)cu_end(CUDA_ERROR_NOT_SUPPORTED);
}
