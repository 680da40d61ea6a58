/*
 * ptx_fuzz.c - libFuzzer: any bytes as PTX. They are refused with a place, or load.
 */
#include "smwave.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err e;

    err_clear(&e);
    if (!smw_ptx_check((const char *)data, size, "fuzz.ptx", &e) &&
        (e.kind == ERR_NONE || e.message[0] == '\0')) {
        abort(); /* a refusal without a reason */
    }
    return 0;
}
