#include "run/target.h"

#include "io/file.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *target_builtin(const char *path)
{
    if (strncmp(path, "launches/", 9) != 0 || strchr(path + 9, '/') != NULL) {
        return NULL;
    }
    return file_stem(path);
}

bool target_unknown(const char *target, struct smw_err *e)
{
    const char *names[256], *nearest;
    uint32_t n = 0;

    for (uint32_t i = 0; i < file_n_builtins && n < ARRAY_LEN(names); i++) {
        names[n] = target_builtin(file_builtins[i].path);
        n += names[n] != NULL;
    }
    err_set(e, SMW_ERR_INPUT, "there is no launch file '%s' and no built-in one",
            target);
    nearest = err_nearest(target, names, n);
    if (nearest != NULL) {
        err_hint(e, "did you mean '%s'?", nearest);
    } else {
        err_hint(e, "'smwave run --help' names the built-in ones");
    }
    for (uint32_t i = 0; i < n; i++) {
        free((char *)names[i]);
    }
    return false;
}

bool target_find(const char *target, char **path, char **name, struct smw_err *e)
{
    char *builtin = tb_printf("launches/%s.yml", target);
    size_t prefix = strlen(FILE_BUILTIN);
    bool is_builtin = file_find_builtin(builtin) != NULL;
    struct stat st;
    bool ok = true;

    /* A folder of a target's name, of its results say, is not what is to be run. */
    if ((stat(target, &st) == 0 && !(is_builtin && S_ISDIR(st.st_mode))) ||
        (strncmp(target, FILE_BUILTIN, prefix) == 0 &&
         file_find_builtin(target + prefix) != NULL)) {
        *path = tb_strdup(target);
    } else if (is_builtin) {
        *path = tb_printf(FILE_BUILTIN "%s", builtin);
    } else {
        ok = target_unknown(target, e);
    }
    free(builtin);
    if (ok) {
        *name = file_stem(target);
    }
    return ok;
}

const char *target_program(const char *path)
{
    const bool is = strncmp(path, "programs/", 9) == 0 && file_ends(path, ".cu");

    return is ? path + 9 : NULL;
}

/* There is no such program; is another one meant? */
static void program_unknown(const char *target, struct smw_err *e)
{
    const char *names[256], *nearest;
    uint32_t n = 0;

    for (uint32_t i = 0; i < file_n_builtins && n < ARRAY_LEN(names); i++) {
        names[n] = target_program(file_builtins[i].path);
        n += names[n] != NULL;
    }
    err_set(e, SMW_ERR_INPUT, "there is no source '%s' and no built-in one", target);
    nearest = err_nearest(target, names, n);
    if (nearest != NULL) {
        err_hint(e, "did you mean '%s'?", nearest);
    }
}

/* The built-in program of that name, NULL: there is none. */
static const struct file_builtin *find_program(const char *target)
{
    char *name = tb_printf("programs/%s", target);
    const struct file_builtin *builtin = file_find_builtin(name);

    free(name);
    return builtin != NULL && target_program(builtin->path) != NULL ? builtin : NULL;
}

bool target_has_source(const char *target, struct smw_err *e)
{
    struct stat st;

    if (stat(target, &st) != 0 && find_program(target) == NULL) {
        program_unknown(target, e);
        return false;
    }
    return true;
}

bool target_source(const char *target, const char *folder, char **path,
                   struct smw_err *e)
{
    const struct file_builtin *builtin = find_program(target);
    struct stat st;

    if (!target_has_source(target, e)) {
        return false;
    }
    if (stat(target, &st) == 0) {
        *path = tb_strdup(target);
        return true;
    }
    *path = file_join(folder, target);
    if (!file_write(*path, builtin->data, builtin->size, e)) {
        free(*path);
        *path = NULL;
        return false;
    }
    return true;
}
