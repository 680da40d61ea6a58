/*
 * names_program.c - a program of release RELEASE of CUDA, which asks the loader for
 * that release's library and versions of names. It ends with 0 if it got what it asked
 * for.
 */
#include "runtime/properties.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#undef cudaGetDeviceProperties
cudaError_t plain_properties(void *p, int device) __asm__("cudaGetDeviceProperties");

static int int_at(const void *p, size_t offset)
{
    int value;

    memcpy(&value, (const char *)p + offset, sizeof(value));
    return value;
}

int main(void)
{
    static char p[4096];
    int n = 0;
    const size_t sms = RELEASE == 12
                           ? offsetof(struct cudaDeviceProp, multiProcessorCount)
                           : offsetof(struct rt_properties_13, multiProcessorCount);

    if (cudaGetDeviceCount(&n) != cudaSuccess || n != 2) {
        printf("%d devices\n", n);
        return 1;
    }
    if (plain_properties(p, 0) != cudaSuccess || int_at(p, sms) != 132) {
        printf("%d SMs\n", int_at(p, sms));
        return 1;
    }
    return 0;
}
