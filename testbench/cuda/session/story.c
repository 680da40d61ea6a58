#include "session/story.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of the C++ library, if the program has it; the Itanium C++ ABI says what it does. */
char *__cxa_demangle(const char *name, char *buf, size_t *size, int *status)
    __attribute__((weak));

/* "_Z4fillPiif" -> "fill(int*, int, float)" */
static char *readable(const char *kernel)
{
    int status = 0;

    return __cxa_demangle != NULL ? __cxa_demangle(kernel, NULL, NULL, &status) : NULL;
}

struct kind { /* launches of one kernel */
    const char *name;
    uint64_t n, cycles, least, most;
};

static void add(struct kind *list, uint32_t *n, const struct smw_result *k)
{
    uint64_t cycles = k->counters.cycles;
    uint32_t i = 0;

    while (i < *n && strcmp(list[i].name, k->kernel) != 0) {
        i++;
    }
    if (i == *n) {
        list[(*n)++] = (struct kind){.name = k->kernel, .least = UINT64_MAX};
    }
    list[i].n++;
    list[i].cycles += cycles;
    list[i].least = cycles < list[i].least ? cycles : list[i].least;
    list[i].most = cycles > list[i].most ? cycles : list[i].most;
}

/* Many launches: a line for each kernel, in the order of their first launches. */
static void tell_kinds(struct smw_device *d, struct text *out)
{
    uint32_t launches = smw_results(d), n = 0;
    struct kind *list = tb_alloc((launches + 1) * sizeof(*list));
    struct smw_result k;

    for (uint32_t i = 0; i < launches && smw_result(d, i, &k); i++) {
        add(list, &n, &k);
    }
    text_add(out, "%-32s %8s %14s %12s %12s\n", "kernel", "launches", "cycles", "least",
             "most");
    for (uint32_t i = 0; i < n; i++) {
        char *name = readable(list[i].name);

        text_add(out,
                 "%-32.64s %8" PRIu64 " %14" PRIu64 " %12" PRIu64 " %12" PRIu64 "\n",
                 name != NULL ? name : list[i].name, list[i].n, list[i].cycles,
                 list[i].least, list[i].most);
        free(name);
    }
    text_add(out, "stats.json has each launch\n");
    free(list);
}

/* "copies       2 to the device (8192 bytes, 1.400 us), 1 from it (...)" */
static void tell_copies(struct smw_device *d, struct text *out)
{
    static const char *const to[] = {
        [SMW_UP] = "to the device",       [SMW_DOWN] = "from it",
        [SMW_ON_DEVICE] = "inside it",    [SMW_TO_PEER] = "to another device",
        [SMW_FROM_PEER] = "from another",
    };
    uint64_t n[ARRAY_LEN(to)] = {0}, bytes[ARRAY_LEN(to)] = {0},
             ps[ARRAY_LEN(to)] = {0};
    struct smw_transferred t;
    const char *comma = "copies       ";

    for (uint32_t i = 0; smw_transferred(d, i, &t); i++) {
        if (!t.fill && t.finished) {
            n[t.direction]++;
            bytes[t.direction] += t.bytes;
            ps[t.direction] += t.end_ps - t.start_ps;
        }
    }
    for (uint32_t i = 0; i < ARRAY_LEN(to); i++) {
        if (n[i] > 0) {
            text_add(out, "%s%" PRIu64 " %s (%" PRIu64 " bytes, %.3f us)", comma, n[i],
                     to[i], bytes[i], (double)ps[i] / 1e6);
            comma = ", ";
        }
    }
    text_add(out, "%s", strcmp(comma, ", ") == 0 ? "\n" : "");
}

void story_tell(const struct results *r, struct text *out)
{
    struct smw_device *d = r->host->device;
    uint32_t n = smw_results(d);

    if (n == 0) {
        text_add(out, "the program launched no kernel\n");
    } else if (n <= STORY_LAUNCHES) {
        struct results named = *r;

        named.readable = readable;
        results_summary(&named, false, out);
    } else {
        tell_kinds(d, out);
        if (r->status != SMW_DONE) {
            text_add(out, "the run ended early: %s\n", results_status(r->status));
        }
    }
    tell_copies(d, out);
    text_add(out, "device time  %.3f us in all\n", (double)smw_now_ps(d) / 1e6);
}
