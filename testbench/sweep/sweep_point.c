#include "sweep/sweep.h"

#include "io/file.h"
#include "run/target.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

uint64_t sweep_combinations(const struct sweep *s)
{
    uint64_t n = 1;

    for (uint32_t i = 0; i < s->n_dims; i++) {
        if (s->dims[i].n > UINT64_MAX / n) {
            return UINT64_MAX;
        }
        n *= s->dims[i].n;
    }
    return n;
}

static void free_pairs(struct sweep_pair *p, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        free(p[i].key);
        free(p[i].value);
    }
    free(p);
}

void sweep_point_free(struct sweep_point *p)
{
    free_pairs(p->set, p->n_set);
    free_pairs(p->launch, p->n_launch);
    for (uint32_t i = 0; i < p->n_params; i++) {
        free(p->params[i].name);
        free(p->params[i].text);
    }
    free(p->params);
    free(p->target);
    free(p->config);
    free(p->target_path);
    free(p->config_path);
    *p = (struct sweep_point){0};
}

/* A file beside the sweep file, else a built-in launch file. */
static char *find_target(const char *target, const char *from, struct smw_err *e)
{
    char *path = file_relative(from, target), *found;
    size_t prefix = strlen(FILE_BUILTIN);
    bool builtin = strncmp(path, FILE_BUILTIN, prefix) == 0;
    struct stat st;

    if (builtin ? file_find_builtin(path + prefix) != NULL : stat(path, &st) == 0) {
        return path;
    }
    found = tb_printf(FILE_BUILTIN "launches/%s.yml", target);
    if (file_find_builtin(found + prefix) != NULL) {
        free(path);
        return found;
    }
    free(found);
    target_unknown(target, e);
    return path;
}

/* A name of a file, as config_load() sees it, starts at the sweep file. */
static char *find_config(const char *config, const char *from)
{
    const char *dot = strrchr(config, '.');

    if (strchr(config, '/') != NULL ||
        (dot != NULL && (strcmp(dot, ".yml") == 0 || strcmp(dot, ".yaml") == 0))) {
        return file_relative(from, config);
    }
    return tb_strdup(config);
}

bool sweep_point_resolve(struct sweep_point *p, const char *from, struct smw_err *e)
{
    p->target_path = find_target(p->target, from, e);
    p->config_path = p->config == NULL ? NULL : find_config(p->config, from);
    return e->kind == SMW_ERR_NONE;
}
