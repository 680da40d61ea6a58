/*
 * ptx_fuzz.c - libFuzzer: any bytes as PTX. They are refused with a place, or load.
 */
#include "smwave.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void count(void *ctx, const struct smw_err *e)
{
    uint32_t *n = ctx;

    *n += e->kind != SMW_ERR_NONE && e->message[0] != '\0';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t n = 0;

    if (smw_ptx_check((const char *)data, size, "fuzz.ptx", count, &n) != (n == 0)) {
        abort(); /* a refusal without a reason */
    }
    return 0;
}
