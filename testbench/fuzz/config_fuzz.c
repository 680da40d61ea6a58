/*
 * config_fuzz.c - libFuzzer: any bytes as a configuration. They are refused with a
 * reason, or make a configuration that prints as a file which loads to the same one.
 */
#include "fyaml.h"
#include "run/config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes as a file, by the name of its descriptor. */
static FILE *file_of(const void *data, size_t size, char *name, size_t room)
{
    FILE *f = tmpfile();

    if (f == NULL || fwrite(data, 1, size, f) != size || fflush(f) != 0) {
        abort();
    }
    snprintf(name, room, "/proc/self/fd/%d", fileno(f));
    return f;
}

static struct smw_config *load(const void *data, size_t size, struct smw_err *e)
{
    struct smw_config *c = smw_config_new();
    char name[64];
    FILE *f = file_of(data, size, name, sizeof(name));

    if (!config_load(c, name, NULL, e)) {
        if (e->kind == SMW_ERR_NONE || e->message[0] == '\0') {
            abort(); /* a refusal without a reason */
        }
        smw_config_free(c);
        c = NULL;
    }
    fclose(f);
    return c;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct smw_err e = {0}, again_e = {0}, ignored = {0};
    struct smw_config *c = load(data, size, &e), *again;
    struct text all = {0};

    if (c == NULL) {
        return 0;
    }
    (void)smw_config_check(c, &ignored);
    config_print(c, &all);
    again = load(all.s, all.n, &again_e);
    if (again == NULL || smw_config_digest(again) != smw_config_digest(c)) {
        abort();
    }
    text_free(&all);
    smw_config_free(again);
    smw_config_free(c);
    return 0;
}
