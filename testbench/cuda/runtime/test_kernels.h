/*
 * test_kernels.h - the device code of the runtime's tests, and what a compiler's
 * constructors do with it in a program. One test program includes it once.
 */
#ifndef RUNTIME_TEST_KERNELS_H
#define RUNTIME_TEST_KERNELS_H

#include "cuda_runtime_api.h"
#include <stdio.h>
#include <stdlib.h>

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device,
                            const char *name, int limit, void *tid, void *bid,
                            void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name,
                       int is_extern, size_t size, int constant, int global);

/* The host's twins: their addresses name kernels and variables. */
static struct {
    char kernel, shared, bound, bad, add, spin, print, set_symbol;
} test_twin;
static char test_symbol[64], test_constants[64];

#define KERNEL            ((const void *)&test_twin.kernel)
#define SHARED_KERNEL     ((const void *)&test_twin.shared)
#define BOUND_KERNEL      ((const void *)&test_twin.bound)
#define BAD_KERNEL        ((const void *)&test_twin.bad)
#define ADD_KERNEL        ((const void *)&test_twin.add)
#define SPIN_KERNEL       ((const void *)&test_twin.spin)
#define PRINT_KERNEL      ((const void *)&test_twin.print)
#define SET_SYMBOL_KERNEL ((const void *)&test_twin.set_symbol)
#define SYMBOL            ((const void *)test_symbol)
#define CONSTANT          ((const void *)test_constants)

static char *test_text; /* the PTX */

static void test_read(const char *path)
{
    FILE *f = fopen(path, "r");
    long size;

    if (f == NULL || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0) {
        perror(path);
        exit(1);
    }
    rewind(f);
    test_text = calloc(1, (size_t)size + 1);
    if (test_text == NULL || fread(test_text, 1, (size_t)size, f) != (size_t)size) {
        perror(path);
        exit(1);
    }
    fclose(f);
}

static void test_register(void)
{
    static struct {
        unsigned magic, version;
        const void *data;
        void *more;
    } wrapper = {.magic = 0x466243b1u, .version = 1};
    static const struct {
        const char *host, *name;
    } functions[] = {
        {&test_twin.kernel, "kernel"},
        {&test_twin.shared, "shared_kernel"},
        {&test_twin.bound, "bound_kernel"},
        {&test_twin.bad, "bad_kernel"},
        {&test_twin.add, "add_kernel"},
        {&test_twin.spin, "spin_kernel"},
        {&test_twin.print, "print_kernel"},
        {&test_twin.set_symbol, "set_symbol_kernel"},
    };
    void **handle;

    test_read(RT_TEST_DIR "/test_kernels.ptx");
    wrapper.data = test_text;
    handle = __cudaRegisterFatBinary(&wrapper);
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        __cudaRegisterFunction(handle, functions[i].host, NULL, functions[i].name, -1,
                               NULL, NULL, NULL, NULL, NULL);
    }
    __cudaRegisterVar(handle, test_symbol, NULL, "symbol", 0, 64, 0, 0);
    __cudaRegisterVar(handle, test_constants, NULL, "constants", 0, 64, 1, 0);
    __cudaRegisterFatBinaryEnd(handle);
}

#endif /* RUNTIME_TEST_KERNELS_H */
