#include "trace/totals.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

static uint64_t counter(const json_t *kernel, const char *name)
{
    json_int_t v =
        json_integer_value(json_object_get(json_object_get(kernel, "counters"), name));

    return v > 0 ? (uint64_t)v : 0;
}

static uint64_t shared(const json_t *kernel, const char *what)
{
    static const char *const ops[] = {"ld", "st", "atom"};
    uint64_t sum = 0;

    for (size_t i = 0; i < ARRAY_LEN(ops); i++) {
        char name[64];

        snprintf(name, sizeof(name), "shared.%s.%s", ops[i], what);
        sum += counter(kernel, name);
    }
    return sum;
}

static void kernel_line(const json_t *kernel, struct text *out)
{
    const char *name = json_string_value(json_object_get(kernel, "name"));
    uint64_t cycles = counter(kernel, "cycles");
    double ipc =
        cycles > 0 ? (double)counter(kernel, "warp_insts") / (double)cycles : 0.0;

    text_add(out, "%s%.40s: %" PRIu64 " cycles\nIPC %.2f", out->n > 0 ? "\n" : "",
             name != NULL ? name : "?", cycles, ipc);
}

void totals_lines(const char *json, size_t size, struct text *out)
{
    enum { KERNELS = 3 };
    json_t *root = json_loadb(json, size, 0, NULL), *kernel;
    json_t *kernels = json_object_get(root, "kernels");
    size_t n = json_array_size(kernels), i;
    uint64_t wavefronts = 0, conflicts = 0;

    json_array_foreach(kernels, i, kernel)
    {
        if (i < KERNELS) {
            kernel_line(kernel, out);
        }
        wavefronts += shared(kernel, "wavefronts");
        conflicts += shared(kernel, "conflicts");
    }
    if (n > KERNELS) {
        text_add(out, "\nand %zu more", n - KERNELS);
    }
    if (wavefronts > 0) {
        text_add(out, "\n%" PRIu64 " wavefronts, %" PRIu64 " conflicts", wavefronts,
                 conflicts);
    }
    json_decref(root);
}
