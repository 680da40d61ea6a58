/* test_ptx.h - the device code of the runtime's tests, for cuModuleLoadData(). */
#ifndef DRIVER_TEST_PTX_H
#define DRIVER_TEST_PTX_H

#include <stdio.h>
#include <stdlib.h>

static char *read_ptx(void)
{
    FILE *f = fopen(CU_TEST_PTX, "r");
    char *text = NULL;
    long size;

    if (f != NULL && fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0) {
        rewind(f);
        text = calloc(1, (size_t)size + 1);
        if (text != NULL && fread(text, 1, (size_t)size, f) != (size_t)size) {
            free(text);
            text = NULL;
        }
    }
    if (text == NULL) {
        perror(CU_TEST_PTX);
        exit(1);
    }
    fclose(f);
    return text;
}

#endif /* DRIVER_TEST_PTX_H */
