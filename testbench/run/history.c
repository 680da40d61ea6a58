#include "run/history.h"

#include "base/nomem.h"
#include "io/file.h"
#include <stdlib.h>
#include <string.h>

struct chain { /* of files, the latest first */
    char **path;
    uint32_t n, max;
};

static void add(struct chain *c, char *path)
{
    if (c->n == c->max) {
        c->path = nomem_grow(c->path, &c->max, sizeof(*c->path));
    }
    c->path[c->n++] = path;
}

static bool is_among(const struct chain *c, const char *path)
{
    for (uint32_t i = 0; i < c->n; i++) {
        if (strcmp(c->path[i], path) == 0) {
            return true;
        }
    }
    return false;
}

/* The file that this one comes after, if there is one, goes into the chain. */
static bool look_back(struct chain *c, const struct launch_file *file,
                      struct smw_err *e)
{
    char *path;

    if (file->after == NULL) {
        return true;
    }
    path = file_relative(file->yaml.name, file->after->text);
    if (is_among(c, path)) {
        yaml_refuse(&file->yaml, file->after, SMW_ERR_INPUT, e,
                    "'%s' comes before itself", file->after->text);
        free(path);
        return false;
    }
    add(c, path);
    return true;
}

static bool find(struct chain *c, const struct launch_file *last, struct smw_err *e)
{
    struct launch_file file;
    uint32_t seen = 0;
    bool ok = look_back(c, last, e);

    while (ok && seen < c->n) {
        ok = launch_read(&file, c->path[seen], e);
        if (!ok && seen == 0 && e->file[0] == '\0') {
            yaml_point(&last->yaml, last->after, e);
        }
        if (ok) {
            seen++;
            ok = look_back(c, &file, e);
            launch_free(&file);
        }
    }
    return ok;
}

static bool play(struct host *h, const char *path, struct smw_err *e)
{
    struct launch_file file;
    struct host before = *h;
    bool ok;

    if (!launch_read(&file, path, e)) {
        return false;
    }
    before.file = &file;
    ok = host_prepare(&before, e) && host_launch(&before, e) &&
         smw_synchronize(h->device, e) && host_give_back(&before, e);
    h->loaded = before.loaded;
    h->n_loaded = before.n_loaded;
    before.device = NULL; /* h's */
    before.loaded = NULL;
    host_close(&before);
    launch_free(&file);
    return ok;
}

bool history_play(struct host *h, struct smw_err *e)
{
    struct chain c = {0};
    bool ok = h->checks || find(&c, h->file, e);

    for (uint32_t i = c.n; ok && i > 0; i--) {
        ok = play(h, c.path[i - 1], e);
    }
    smw_forget_results(h->device);
    for (uint32_t i = 0; i < c.n; i++) {
        free(c.path[i]);
    }
    free(c.path);
    return ok;
}
