#include "reference.h"

#include <stdlib.h>
#include <string.h>

static FILE *list;
static const char *out_dir;

uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

void *zeros(size_t bytes)
{
    void *p = calloc(bytes, 1);

    if (p == NULL) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return p;
}

void *random_words(uint64_t seed, uint32_t mask, size_t bytes)
{
    uint8_t *p = zeros(bytes + 4);

    for (size_t i = 0; i < bytes; i += 4) {
        uint32_t w = (uint32_t)draw(&seed) & mask;

        memcpy(p + i, &w, 4);
    }
    return p;
}

int32_t *random_s32(uint64_t seed, uint64_t modulo, int64_t offset, size_t n)
{
    int32_t *p = zeros(n * sizeof(*p));

    for (size_t i = 0; i < n; i++) {
        p[i] = (int32_t)((int64_t)(draw(&seed) % modulo) + offset);
    }
    return p;
}

float *random_f32(uint64_t seed, uint64_t modulo, int64_t offset, size_t n)
{
    float *p = zeros(n * sizeof(*p));

    for (size_t i = 0; i < n; i++) {
        p[i] = (float)((int64_t)(draw(&seed) % modulo) + offset);
    }
    return p;
}

double *random_f64(uint64_t seed, uint64_t modulo, int64_t offset, size_t n)
{
    double *p = zeros(n * sizeof(*p));

    for (size_t i = 0; i < n; i++) {
        p[i] = (double)((int64_t)(draw(&seed) % modulo) + offset);
    }
    return p;
}

uint64_t fnv1a(const void *data, size_t bytes)
{
    const uint8_t *p = data;
    uint64_t h = 0xcbf29ce484222325u;

    for (size_t i = 0; i < bytes; i++) {
        h = (h ^ p[i]) * 0x100000001b3u;
    }
    return h;
}

void emit(const char *file, const char *buffer, const void *data, size_t count,
          size_t size)
{
    fprintf(list, "%s %s %zu %016llx\n", file, buffer, count,
            (unsigned long long)fnv1a(data, count * size));
}

FILE *create(const char *name)
{
    char path[4096];
    FILE *f;

    snprintf(path, sizeof(path), "%s/%s", out_dir, name);
    f = fopen(path, "wb");
    if (f == NULL) {
        perror(path);
        exit(1);
    }
    return f;
}

void write_npy(const char *name, const char *type, const void *data, size_t count,
               size_t size)
{
    FILE *f = create(name);
    char text[128];

    snprintf(text, sizeof(text),
             "{'descr': '%s', 'fortran_order': False, 'shape': (%zu,), }", type, count);
    /* magic, version 1.0, length of the header padded to 118, then the header */
    fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, f);
    fprintf(f, "%-117s\n", text);
    fwrite(data, size, count, f);
    fclose(f);
}

/* ---- what a device measured ---- */

static uint64_t measured_reverse(uint32_t n)
{
    const uint32_t *in = random_words(393, 0xffff, 4096);
    uint32_t *out = zeros(4096);

    for (uint32_t i = 0; i < n; i++) {
        out[i] = in[n - 1 - i];
    }
    return fnv1a(out, n * 4);
}

static uint64_t measured_sum(const char *kernel, uint32_t n, uint32_t block)
{
    const float *in = random_f32(262, 17, -8, n);
    float *sums = zeros(n / block * sizeof(*sums));

    for (uint32_t i = 0; i < n; i++) {
        sums[i / block] += strncmp(kernel, "cal_sum", 7) == 0 ? 0.5f : in[i];
    }
    return fnv1a(sums, n / block * sizeof(*sums));
}

static uint64_t measured_copy(uint32_t offset, uint32_t stride)
{
    float *a = random_f32(262, 17, -8, 1 << 21);

    for (uint32_t i = 0; i < 65536; i++) {
        a[i * stride + offset] += 1;
    }
    return fnv1a(a, 65536 * sizeof(*a));
}

int reference_measured(const char *table)
{
    char line[4096], kernel[64], config[64];
    FILE *f = fopen(table, "r");
    uint32_t id, grid, block, n = 0, v, rows = 0, bad = 0;
    unsigned long long want;

    if (f == NULL) {
        perror(table);
        return 0;
    }
    while (fgets(line, sizeof(line), f) != NULL) {
        uint64_t got = 0;

        if (sscanf(line, "%u,%63[^,],%63[^,],%ux1x1,%ux1x1,%llx", &id, kernel, config,
                   &grid, &block, &want) != 6) {
            continue;
        }
        if (sscanf(config, "n=%u", &n) == 1) {
            got = measured_reverse(n);
        } else if (sscanf(config, "N=%u", &n) == 1) {
            got = measured_sum(kernel, n, block);
        } else if (sscanf(config, "offset=%u", &v) == 1) {
            got = measured_copy(v, 1);
        } else if (sscanf(config, "stride=%u", &v) == 1) {
            got = measured_copy(0, v);
        }
        rows++;
        if (got != want) {
            fprintf(stderr, "row %u: %016llx, measured %016llx\n", id,
                    (unsigned long long)got, want);
            bad++;
        }
    }
    fclose(f);
    printf("%u measured rows, %u differ\n", rows, bad);
    return rows > 0 && bad == 0;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: reference OUTDIR MEASURED.csv\n", stderr);
        return 2;
    }
    out_dir = argv[1];
    list = create("reference.txt");
    reference_data();
    reference_code();
    reference_lanes();
    reference_math();
    fclose(list);
    return reference_measured(argv[2]) ? 0 : 1;
}
