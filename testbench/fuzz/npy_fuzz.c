/*
 * npy_fuzz.c - libFuzzer: any bytes as a .npy file. They are refused with a reason, or
 * the elements lie inside the file.
 */
#include "io/npy.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct smw_err e = {0};
    struct npy npy;

    if (!npy_parse(data, size, "fuzz.npy", &npy, &e)) {
        if (e.kind == SMW_ERR_NONE || e.message[0] == '\0') {
            abort(); /* a refusal without a reason */
        }
        return 0;
    }
    if ((const uint8_t *)npy.data < data || npy.type >= VALUE_TYPES ||
        npy.count * value_type_size(npy.type) !=
            (uint64_t)(data + size - (const uint8_t *)npy.data)) {
        abort();
    }
    return 0;
}
