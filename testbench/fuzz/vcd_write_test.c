/*
 * The fuzzer of libvcd without libFuzzer: with the files of its corpus, and with bytes
 * that are the same on every machine.
 *
 *   vcd_write_test [FILE]...
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 20000, MOST = 600 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run_file(const char *path)
{
    static uint8_t data[1 << 16];
    FILE *f = fopen(path, "rb");
    size_t n = f != NULL ? fread(data, 1, sizeof(data), f) : 0;

    if (n == 0 || fclose(f) != 0) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    (void)LLVMFuzzerTestOneInput(data, n);
}

static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

int main(int argc, char **argv)
{
    static uint8_t data[MOST];
    uint64_t state = 1;

    for (int i = 1; i < argc; i++) {
        run_file(argv[i]);
    }
    for (unsigned run = 0; run < RUNS; run++) {
        size_t n = draw(&state) % MOST;

        for (size_t i = 0; i < n; i++) {
            data[i] = (uint8_t)draw(&state);
        }
        (void)LLVMFuzzerTestOneInput(data, n);
    }
    printf("%d files, %d inputs\n", argc - 1, (int)RUNS);
    return 0;
}
