/* Functions by their names, and the tables that no document tells of. */
#include "driver/driver.h"
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* cuda.h says the second for the first. */
#undef cuGetProcAddress
RT_API CUresult cuGetProcAddress(const char *symbol, void **out, int version,
                                 cuuint64_t flags);
/* cuda.h does not have it. */
RT_API CUresult cuGetExportTable(const void **table, const CUuuid *id);

enum { FLAGS = 3 }; /* CU_GET_PROC_ADDRESS_LEGACY_STREAM, ..PER_THREAD_DEFAULT_STREAM */

typedef void (*function)(void);

static const struct {
    const char *symbol;
    function at;
} calls[] = {
#define CALL(symbol) {#symbol, (function)symbol},
#include "driver/calls.inc"
#undef CALL
    {"cuCtxCreate_v3", (function)cuCtxCreate_v3},
    {"cuCtxCreate_v4", (function)cuCtxCreate_v4},
    {"cuEventElapsedTime_v2", (function)cuEventElapsedTime_v2},
    {"cuGetProcAddress_v2", (function)cuGetProcAddress_v2},
    {"cuGetExportTable", (function)cuGetExportTable},
};

/* Programs ask for "cuMemAlloc" and mean the newest form, or name one. */
static bool names(const char *symbol, const char *asked)
{
    size_t n = strlen(asked);

    return strncmp(symbol, asked, n) == 0 &&
           (symbol[n] == '\0' || strcmp(symbol + n, "_v2") == 0);
}

RT_API CUresult cuGetProcAddress_v2(const char *symbol, void **out, int version,
                                    cuuint64_t flags,
                                    CUdriverProcAddressQueryResult *result)
{
    if (symbol == NULL || out == NULL || (flags & ~(cuuint64_t)FLAGS) != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    /* the one name whose parameters changed since CUDA 4 */
    if (version >= 13000 && strcmp(symbol, "cuCtxCreate") == 0) {
        symbol = "cuCtxCreate_v4";
    }
    *out = NULL;
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        if (names(calls[i].symbol, symbol)) {
            memcpy(out, &calls[i].at, sizeof(*out));
        }
    }
    if (result != NULL) {
        *result = *out != NULL ? CU_GET_PROC_ADDRESS_SUCCESS
                               : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    }
    return *out != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

RT_API CUresult cuGetProcAddress(const char *symbol, void **out, int version,
                                 cuuint64_t flags)
{
    return cuGetProcAddress_v2(symbol, out, version, flags, NULL);
}

/* What is linked with a runtime of its own asks for these: their contents are secret,
 * so nothing else would help. */
RT_API CUresult cuGetExportTable(const void **table, const CUuuid *id)
{
    static atomic_flag said;

    if (table == NULL || id == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (!atomic_flag_test_and_set(&said)) {
        fprintf(stderr,
                "smwave: this program has the static CUDA runtime inside, which "
                "works with NVIDIA's driver alone: link it with \"nvcc -cudart "
                "shared\", or compile it with \"smwave cc\"\n");
    }
    *table = NULL;
    return CUDA_ERROR_NOT_FOUND;
}
