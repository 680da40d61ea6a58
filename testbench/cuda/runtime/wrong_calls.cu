/*
 * wrong_calls.cu - prints which error each call of wrong_calls.inc gives, as the lines of
 * wrong_calls.csv: each in a process of its own, since some end a program and others leave
 * the device unusable. Compile with nvcc, run on a device.
 */
#include <assert.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

__device__ int symbol[16];
__constant__ int constants[16];

__global__ void kernel(int *out)
{
    out[threadIdx.x] = symbol[threadIdx.x & 15] + constants[threadIdx.x & 15];
}

__global__ void shared_kernel(int *out)
{
    __shared__ int s[768]; /* 3 KiB */

    s[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x];
}

__global__ void __launch_bounds__(64) bound_kernel(int *out)
{
    out[threadIdx.x] = 1;
}

__global__ void bad_kernel(int *out, int which)
{
    switch (which) {
    case 0: /* far outside of any memory */
        *(volatile int *)0x10 = 1;
        break;
    case 1: /* behind all that was allocated */
        ((volatile int *)out)[(size_t)1 << 36] = 1;
        break;
    case 2:
        *(volatile int *)((char *)out + 2) = 1;
        break;
    case 3:
        assert(which != 3);
        break;
    case 4:
        asm volatile("trap;");
        break;
    default: { /* outside of shared memory */
        __shared__ volatile int s[32];

        s[(size_t)which << 22] = 1;
        break;
    }
    }
}

#define KERNEL        ((const void *)kernel)
#define SHARED_KERNEL ((const void *)shared_kernel)
#define BOUND_KERNEL  ((const void *)bound_kernel)
#define BAD_KERNEL    ((const void *)bad_kernel)
#define SYMBOL        ((const void *)symbol)
#define CONSTANT      ((const void *)constants)
#include "wrong_calls.h"

static const char *const texts[] = {
#define WRONG(call) #call,
#include "wrong_calls.inc"
#undef WRONG
};

static int run(int which)
{
    int at = 0;

#define WRONG(call)                                                                    \
    if (at++ == which) {                                                               \
        return (int)(call);                                                            \
    }
#include "wrong_calls.inc"
#undef WRONG
    return -1;
}

enum { COUNT = sizeof(texts) / sizeof(texts[0]), AT_ONCE = 8 };

int main(int argc, char **argv)
{
    FILE *child[AT_ONCE];
    char command[4096], line[64];

    if (argc > 1) {
        make_objects();
        printf("%d\n", run(atoi(argv[1])));
        fflush(stdout);
        _exit(0);
    }
    printf("call,number\n");
    for (int first = 0; first < COUNT; first += AT_ONCE) {
        for (int c = 0; c < AT_ONCE && first + c < COUNT; c++) {
            snprintf(command, sizeof(command), "%s %d 2>/dev/null", argv[0], first + c);
            child[c] = popen(command, "r");
        }
        for (int c = 0; c < AT_ONCE && first + c < COUNT; c++) {
            char *got = fgets(line, sizeof(line), child[c]);

            printf("\"");
            for (const char *t = texts[first + c]; *t != '\0'; t++) {
                printf(*t == '"' ? "\"\"" : "%c", *t);
            }
            printf("\",%s", got != NULL ? line : "crash\n");
            fflush(stdout);
            pclose(child[c]);
        }
    }
    return 0;
}
