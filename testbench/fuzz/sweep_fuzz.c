/*
 * sweep_fuzz.c - libFuzzer: any bytes as a sweep file. It is refused with a reason, or
 * makes points, of which the first few are made, in their order.
 */
#include "fyaml.h"
#include "sweep/plan.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 100, MOST_COMBINATIONS = 10000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void points(const struct sweep *s)
{
    struct sweep_point point;
    struct smw_err e = {0};
    struct plan p;

    plan_start(&p, s);
    for (uint64_t i = 0; i < MOST && p.combination < MOST_COMBINATIONS; i++) {
        if (!plan_next(&p, &point, &e)) {
            must(e.kind == SMW_ERR_NONE || e.message[0] != '\0');
            return;
        }
        must(point.index == i);
        sweep_point_free(&point);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FILE *f = tmpfile();
    struct smw_err e = {0};
    struct sweep s;
    char name[64];

    must(f != NULL && fwrite(data, 1, size, f) == size && fflush(f) == 0);
    snprintf(name, sizeof(name), "/proc/self/fd/%d", fileno(f));
    if (sweep_read(&s, name, &e)) {
        if (sweep_combinations(&s) <= MOST_COMBINATIONS) {
            points(&s);
        }
        sweep_free(&s);
    } else {
        must(e.kind != SMW_ERR_NONE && e.message[0] != '\0');
    }
    fclose(f);
    return 0;
}
