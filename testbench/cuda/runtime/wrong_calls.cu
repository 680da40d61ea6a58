/*
 * wrong_calls.cu - prints which error each call of wrong_calls.inc gives, as the lines of
 * wrong_calls.csv: each in a process of its own, since some end a program and others leave
 * the device unusable. Compile with nvcc, run on a device.
 */
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test_kernels.cu"

#define KERNEL        ((const void *)kernel)
#define SHARED_KERNEL ((const void *)shared_kernel)
#define BOUND_KERNEL  ((const void *)bound_kernel)
#define BAD_KERNEL    ((const void *)bad_kernel)
#define SYMBOL        ((const void *)symbol)
#define CONSTANT      ((const void *)constants)
#include "wrong_calls.h"
#include "wrong_calls_list.h"

enum { AT_ONCE = 8 };

int main(int argc, char **argv)
{
    FILE *child[AT_ONCE];
    char command[4096], line[64];

    if (argc > 1) {
        make_objects();
        printf("%d\n", run_call(atoi(argv[1])));
        fflush(stdout);
        _exit(0);
    }
    printf("call,number\n");
    for (int first = 0; first < N_CALLS; first += AT_ONCE) {
        for (int c = 0; c < AT_ONCE && first + c < N_CALLS; c++) {
            snprintf(command, sizeof(command), "%s %d 2>/dev/null", argv[0], first + c);
            child[c] = popen(command, "r");
        }
        for (int c = 0; c < AT_ONCE && first + c < N_CALLS; c++) {
            char *got = fgets(line, sizeof(line), child[c]);

            printf("\"");
            for (const char *t = call_texts[first + c]; *t != '\0'; t++) {
                printf(*t == '"' ? "\"\"" : "%c", *t);
            }
            printf("\",%s", got != NULL ? line : "crash\n");
            fflush(stdout);
            pclose(child[c]);
        }
    }
    return 0;
}
