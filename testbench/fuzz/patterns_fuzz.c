/*
 * patterns_fuzz.c - libFuzzer: any bytes as a CSV file of patterns, judged by the rules
 * of capability 2.0 or 7.0, in shared or in global memory, as their number says.
 */
#include "ask/bankmap.h"
#include "run/config.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bankmap_setup s = {.bank_mode = 4, .in_l1 = true};
    struct smw_err e = {0};
    FILE *in, *out;

    if (size == 0) {
        return 0;
    }
    in = fmemopen((void *)data, size, "rb");
    out = fopen("/dev/null", "wb");
    if (in == NULL || out == NULL) {
        abort();
    }
    s.rules = *config_rules(size % 2 == 0 ? "2.0" : "7.0", &e);
    s.space = size % 4 < 2 ? BANKMAP_SHARED : BANKMAP_GLOBAL;
    if (!bankmap_batch(&s, in, "fuzz.csv", out, &e) &&
        (e.kind == SMW_ERR_NONE || e.message[0] == '\0')) {
        abort(); /* a refusal without a reason */
    }
    fclose(in);
    fclose(out);
    return 0;
}
