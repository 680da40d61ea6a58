/*
 * replay.c - a fuzzer without libFuzzer: with the files named, one after the other.
 *
 *   replay FILE...
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
    static uint8_t data[1 << 20];

    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        size_t n = f != NULL ? fread(data, 1, sizeof(data), f) : 0;

        if (n == 0 || fclose(f) != 0) {
            fprintf(stderr, "%s: cannot be read\n", argv[i]);
            return 1;
        }
        (void)LLVMFuzzerTestOneInput(data, n);
    }
    printf("%d files\n", argc - 1);
    return argc == 1;
}
