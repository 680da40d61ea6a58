#include "sweep/plan_priv.h"

#include "io/yaml_flow.h"
#include "run/run.h"
#include <stdlib.h>
#include <string.h>

static const uint64_t max_file_bytes = UINT64_C(4) << 30;

struct digester {
    const struct sweep *sweep;
    struct known { /* a file and the digest of its bytes */
        char *path;
        uint64_t digest;
    } * files;
    uint32_t n;
};

struct digester *digester_new(const struct sweep *s)
{
    struct digester *d = tb_alloc(sizeof(*d));

    d->sweep = s;
    return d;
}

void digester_free(struct digester *d)
{
    for (uint32_t i = 0; i < d->n; i++) {
        free(d->files[i].path);
    }
    free(d->files);
    free(d);
}

/* Takes path over. */
static bool add_file(struct digester *d, char *path, struct text *t, struct smw_err *e)
{
    size_t size = 0;
    char *data;

    for (uint32_t i = 0; i < d->n; i++) {
        if (strcmp(d->files[i].path, path) == 0) {
            free(path);
            text_add(t, "file %016llx\n", (unsigned long long)d->files[i].digest);
            return true;
        }
    }
    data = file_read(path, max_file_bytes, &size, SMW_ERR_INPUT, e);
    if (data == NULL) {
        free(path);
        return false;
    }
    d->files = tb_realloc(d->files, (d->n + 1) * sizeof(*d->files));
    d->files[d->n] = (struct known){path, value_fnv1a(data, size)};
    text_add(t, "file %016llx\n", (unsigned long long)d->files[d->n++].digest);
    free(data);
    return true;
}

/* Every {file: NAME} of the launch file. */
static bool add_files(struct digester *d, const struct yaml *y,
                      const struct yaml_node *n, struct text *t, struct smw_err *e)
{
    if (n->kind == YAML_SCALAR) {
        if (n->key == NULL || strcmp(n->key->text, "file") != 0 ||
            add_file(d, file_relative(y->name, n->text), t, e)) {
            return true;
        }
        yaml_point(y, n, e);
        return false;
    }
    for (const struct yaml_node *c = n->first; c != NULL; c = c->next) {
        if (!add_files(d, y, c, t, e)) {
            return false;
        }
    }
    return true;
}

/* All that the results follow from. */
static bool add_inputs(struct digester *d, const struct run *r, struct text *t,
                       struct smw_err *e)
{
    const struct yaml *y = &r->file.yaml;

    text_add(t, "config %s %016llx\n", smw_config_name(r->config),
             (unsigned long long)smw_config_digest(r->config));
    yaml_flow(y->root, t);
    text_add(t, "\n");
    if (!add_file(d, file_relative(y->name, r->file.module->text), t, e)) {
        yaml_point(y, r->file.module, e);
        return false;
    }
    return add_files(d, y, y->root, t, e);
}

/* "key=value" of the pairs; the caller frees each and the list. */
static const char **options_of(const struct sweep_pair *p, uint32_t n)
{
    const char **options = tb_alloc((n + 1) * sizeof(*options));

    for (uint32_t i = 0; i < n; i++) {
        options[i] = tb_printf("%s=%s", p[i].key, p[i].value);
    }
    return options;
}

static void free_options(const char **options, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        free((char *)options[i]);
    }
    free(options);
}

/* The setting that the error is about: of what the shown option says, else of what the
 * message begins with, else the configuration or the target. */
static const struct yaml_node *blamed(const struct digester *d, uint64_t combination,
                                      const struct sweep_point *p,
                                      const struct smw_err *e)
{
    static const struct {
        enum sweep_role role;
        const char *option;
    } kinds[] = {{SWEEP_SET, "-s "}, {SWEEP_LAUNCH, "--launch "}, {SWEEP_SET, ""}};
    const char *text = e->file[0] == '\0' ? e->message : e->source;

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        size_t skip = strlen(kinds[i].option);
        char *path;
        const struct yaml_node *at;
        uint32_t n;

        if (strncmp(text, kinds[i].option, skip) != 0) {
            continue;
        }
        n = (uint32_t)strcspn(text + skip, skip == 0 ? ":" : "=");
        path = tb_printf("%.*s", (int)n, text + skip);
        at = plan_origin(d->sweep, combination, kinds[i].role, path,
                         skip > 0 && e->column <= skip + n);
        free(path);
        if (at != NULL) {
            return at;
        }
    }
    return plan_origin(d->sweep, combination,
                       p->config != NULL && e->kind == SMW_ERR_CONFIG ? SWEEP_CONFIG
                                                                      : SWEEP_TARGET,
                       "", false);
}

typedef bool reader(struct run *r, const struct run_request *q, struct smw_err *e);

/* The point as read() has it, which the caller closes. */
static bool open_point(const struct sweep *s, struct sweep_point *p, reader *read,
                       struct run *run, struct smw_err *e)
{
    const char **sets = options_of(p->set, p->n_set);
    const char **launches = options_of(p->launch, p->n_launch);
    bool ok = false;

    *run = (struct run){0};
    if (sweep_point_resolve(p, s->path, e)) {
        const struct run_request q = {.target = p->target_path,
                                      .config = p->config_path,
                                      .sets = sets,
                                      .n_sets = p->n_set,
                                      .launches = launches,
                                      .n_launches = p->n_launch};

        ok = read(run, &q, e);
    }
    free_options(sets, p->n_set);
    free_options(launches, p->n_launch);
    return ok;
}

static bool resolve(struct digester *d, uint64_t combination, struct sweep_point *p,
                    struct text *t, struct smw_err *e)
{
    struct run run;
    const struct yaml_node *at;
    bool ok = open_point(d->sweep, p, run_read, &run, e) && add_inputs(d, &run, t, e);

    if (!ok && (e->file[0] == '\0' || strcmp(e->file, "command line") == 0)) {
        at = blamed(d, combination, p, e);
        if (at != NULL) {
            yaml_point(&d->sweep->yaml, at, e);
        }
    }
    run_close(&run);
    return ok;
}

bool digest_setting(const struct sweep *s, struct sweep_point *p, const char *key,
                    char *buf, size_t size, struct smw_err *e)
{
    struct run run;
    bool ok = open_point(s, p, run_configure, &run, e) &&
              smw_config_show(run.config, key, buf, size);

    run_close(&run);
    free(p->target_path);
    free(p->config_path);
    p->target_path = p->config_path = NULL;
    return ok;
}

bool digest_point(struct digester *d, uint64_t combination, struct sweep_point *p,
                  struct smw_err *e)
{
    struct text t = {0};
    bool ok;

    text_add(&t, "smwave %s\ncycles %llu\n", smw_version(),
             (unsigned long long)d->sweep->limits.cycles);
    if (sweep_has_stalls(d->sweep)) {
        text_add(&t, "stalls\n");
    }
    ok = resolve(d, combination, p, &t, e);
    if (!ok && e->kind == SMW_ERR_NOMEM) { /* of this moment, not of the point */
        tb_no_memory();
    }
    if (!ok) {
        text_add(&t, "refused %s\n", e->message);
        plan_line(p, &t);
    }
    p->digest = value_fnv1a(t.s, t.n);
    text_free(&t);
    return ok;
}
