/*
 * scratch_test.h - a folder of a test's own, as cmocka's set-up and tear-down.
 */
#ifndef IO_SCRATCH_TEST_H
#define IO_SCRATCH_TEST_H

#include "io/file.h"
#include <stdlib.h>
#include <sys/stat.h>

/* state: where the folder is. 0, or what cmocka takes for a failure. */
static inline int scratch_set_up(void **state)
{
    char *dir = tb_strdup("/tmp/smwave_test.XXXXXX");

    *state = dir;
    return mkdtemp(dir) == NULL;
}

/* The same with a folder in it. */
static inline int scratch_set_up_with(void **state, const char *name)
{
    int code = scratch_set_up(state);

    if (code == 0) {
        char *inner = file_join(*state, name);

        code = mkdir(inner, 0777);
        free(inner);
    }
    return code;
}

/* The folder goes with all that is in it. */
static inline int scratch_tear_down(void **state)
{
    char *command = tb_printf("rm -rf '%s'", (char *)*state);
    int code = system(command);

    free(command);
    free(*state);
    return code;
}

#endif /* IO_SCRATCH_TEST_H */
