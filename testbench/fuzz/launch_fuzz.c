/*
 * launch_fuzz.c - libFuzzer: any bytes as a launch file.
 */
#include "fyaml.h"
#include "run/launch_file.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct launch_file l;
    struct smw_err e;

    err_clear(&e);
    if (launch_parse(&l, "fuzz.yml", (const char *)data, size, &e)) {
        launch_free(&l);
    } else if (e.kind == SMW_ERR_NONE || e.message[0] == '\0') {
        abort(); /* a refusal without a reason */
    }
    return 0;
}
