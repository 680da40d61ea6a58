/*
 * run_fuzz.c - libFuzzer: any bytes as PTX whose first kernel runs: two blocks of 64
 * threads, every parameter a buffer or a number, all checks on, at most MAX_CYCLES.
 * Whatever the kernel does, the run ends with a verdict, nothing is left over from one
 * that ended well, and memory stays readable.
 */
#include "smwave.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CYCLES = 3000, BYTES = 4096, MAX_PARAMS = 256 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool condition)
{
    if (!condition) {
        abort();
    }
}

static struct smw_device *open_device(void)
{
    const struct smw_options options = {.max_cycles = MAX_CYCLES,
                                        .stalls = true,
                                        .check = SMW_CHECK_FULL};
    struct smw_config *c = smw_config_new();
    struct smw_device *d;
    struct smw_err e = {0};

    must(smw_config_preset(c, "tiny", &e) &&
         smw_config_set(c, "gpu.what_if", "true", &e));
    d = smw_open(c, &options, &e);
    must(d != NULL);
    smw_config_free(c);
    return d;
}

/* The first word behind ".entry". */
static const struct smw_kernel *first_kernel(struct smw_module *m, const char *text)
{
    const char *p = strstr(text, ".entry");
    struct smw_err e = {0};
    char name[256];
    size_t n;

    if (p == NULL) {
        return NULL;
    }
    p += strlen(".entry");
    p += strspn(p, " \t\r\n");
    n = strcspn(p, " \t\r\n(){};,");
    if (n >= sizeof(name)) {
        return NULL;
    }
    memcpy(name, p, n);
    name[n] = '\0';
    return smw_kernel(m, name, &e);
}

static void run(struct smw_device *d, const struct smw_kernel *k, uint64_t buffer)
{
    struct smw_launch l = {.grid = {2, 1, 1}, .block = {64, 1, 1}, .shared = 1024};
    unsigned char params[MAX_PARAMS] = {0}, back[BYTES];
    struct smw_result r;
    struct smw_param p;
    struct smw_err e = {0};
    bool ok;

    for (uint32_t i = 0; i < smw_kernel_params(k); i++) {
        uint64_t v = 64;

        must(smw_kernel_param(k, i, &p));
        if (p.offset > MAX_PARAMS || p.size > MAX_PARAMS - p.offset) {
            return;
        }
        v = p.size == 8 ? buffer : v;
        memcpy(params + p.offset, &v, p.size < 8 ? p.size : 8);
        l.param_bytes = p.offset + p.size;
    }
    l.params = params;
    ok = smw_launch(d, k, &l, &e);
    must(ok || e.message[0] != '\0');
    e = (struct smw_err){0};
    ok = ok && smw_synchronize(d, &e);
    must(ok || smw_results(d) == 0 || e.message[0] != '\0');
    must(!ok || smw_live_transactions(d) == 0);
    if (smw_results(d) > 0) {
        must(smw_result(d, 0, &r));
    }
    e = (struct smw_err){0};
    must(smw_read(d, buffer, back, sizeof(back), &e));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    struct smw_device *d = open_device();
    const struct smw_kernel *k;
    struct smw_module *m;
    struct smw_err e = {0};
    uint64_t buffer = 0;

    must(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    must(smw_alloc(d, BYTES, &buffer, &e));
    m = smw_load(d, text, size, "fuzz.ptx", &e);
    must(m != NULL || (e.kind != SMW_ERR_NONE && e.message[0] != '\0'));
    k = m != NULL ? first_kernel(m, text) : NULL;
    if (k != NULL) {
        run(d, k, buffer);
    }
    smw_close(d);
    free(text);
    return 0;
}
