#include "sweep/plan_priv.h"

#include "part.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- writing ---- */

static void add_string(const char *s, struct text *out)
{
    text_add(out, "\"");
    for (const unsigned char *p = (const unsigned char *)s; *p != '\0'; p++) {
        if (*p == '"' || *p == '\\') {
            text_add(out, "\\%c", *p);
        } else if (*p < 0x20) {
            text_add(out, "\\u%04x", *p);
        } else {
            text_add_bytes(out, p, 1);
        }
    }
    text_add(out, "\"");
}

static void add_pairs(const char *name, const struct sweep_pair *p, uint32_t n,
                      struct text *out)
{
    text_add(out, ",\"%s\":{", name);
    for (uint32_t i = 0; i < n; i++) {
        text_add(out, i == 0 ? "" : ",");
        add_string(p[i].key, out);
        text_add(out, ":");
        add_string(p[i].value, out);
    }
    text_add(out, "}");
}

void plan_line(const struct sweep_point *p, struct text *out)
{
    char buf[EXPR_NUMBER_SIZE];

    text_add(out, "{\"index\":%" PRIu64 ",\"digest\":\"%016" PRIx64 "\",\"target\":",
             p->index, p->digest);
    add_string(p->target, out);
    text_add(out, ",\"config\":");
    if (p->config == NULL) {
        text_add(out, "null");
    } else {
        add_string(p->config, out);
    }
    add_pairs("set", p->set, p->n_set, out);
    add_pairs("launch", p->launch, p->n_launch, out);
    text_add(out, ",\"params\":{");
    for (uint32_t i = 0; i < p->n_params; i++) {
        text_add(out, i == 0 ? "" : ",");
        add_string(p->params[i].name, out);
        text_add(out, ":");
        if (p->params[i].is_number) {
            expr_print(p->params[i].number, buf);
            text_add(out, "%s", buf);
        } else {
            add_string(p->params[i].text, out);
        }
    }
    text_add(out, "}}\n");
}

static bool io_error(const char *path, struct smw_err *e)
{
    return err_set(e, SMW_ERR_IO, "%s: %s", path, strerror(errno));
}

/* The points, to f; with f NULL up to the first that can run. */
static bool make_points(const struct sweep *s, FILE *f, struct plan_made *made,
                        struct smw_err *e)
{
    struct digester *d = digester_new(s);
    struct sweep_point p;
    struct text line = {0};
    struct plan plan;

    plan_start(&plan, s);
    while ((f != NULL || plan.index == made->refused) && plan_next(&plan, &p, e)) {
        struct smw_err why = {0};

        if (!digest_point(d, plan.combination - 1, &p, &why) && made->refused++ == 0) {
            made->first = why;
            made->first_index = p.index;
        }
        if (f != NULL) {
            line.n = 0;
            plan_line(&p, &line);
            (void)fwrite(line.s, 1, line.n, f);
        }
        sweep_point_free(&p);
    }
    made->points = plan.index;
    made->left_out = plan.combination - plan.index;
    text_free(&line);
    digester_free(d);
    if (e->kind != SMW_ERR_NONE) {
        return false;
    }
    if (made->points == 0) {
        return yaml_refuse(&s->yaml, yaml_get(s->yaml.root, "where"), SMW_ERR_INPUT, e,
                           "there are no points: where leaves out all %" PRIu64,
                           made->left_out);
    }
    if (f != NULL && s->baseline.is_number && s->baseline.index >= made->points) {
        yaml_refuse(&s->yaml, s->baseline.at, SMW_ERR_INPUT, e,
                    "baseline: there is no point %" PRIu64, s->baseline.index);
        err_hint(e, "points are 0 to %" PRIu64, made->points - 1);
        return false;
    }
    if (made->refused == made->points) {
        *e = made->first;
        return false;
    }
    return true;
}

bool plan_check_size(const struct sweep *s, bool yes, struct smw_err *e)
{
    uint64_t n = sweep_combinations(s);

    if (yes || n <= PLAN_MANY) {
        return true;
    }
    if (n == UINT64_MAX) {
        err_set(e, SMW_ERR_USAGE, "the sweep has 2^64 combinations or more");
    }
    err_set(e, SMW_ERR_USAGE, "the sweep has %" PRIu64 " combinations, more than %d", n,
            PLAN_MANY);
    err_hint(e, "--yes says that they are meant");
    return false;
}

bool plan_check(const struct sweep *s, struct smw_err *e)
{
    struct plan_made made = {0};

    return make_points(s, NULL, &made, e);
}

bool plan_make(const struct sweep *s, const char *path, struct plan_made *made,
               struct smw_err *e)
{
    char *part = tb_printf("%s.%ld" PART_ENDING, path, (long)getpid());
    FILE *f = fopen(part, "wb");
    bool ok;

    *made = (struct plan_made){0};
    if (f == NULL) {
        io_error(part, e);
        free(part);
        return false;
    }
    ok = make_points(s, f, made, e);
    errno = 0;
    if ((ferror(f) | fclose(f)) != 0 && ok) {
        errno = errno == 0 ? EIO : errno;
        ok = io_error(part, e);
    }
    if (ok && rename(part, path) != 0) {
        ok = io_error(path, e);
    }
    if (!ok) {
        remove(part);
    }
    free(part);
    return ok;
}

/* ---- reading ---- */

static bool not_a_plan(const struct plan_file *f, uint64_t line, struct smw_err *e)
{
    err_set(e, SMW_ERR_INPUT, "this is not a line of a plan");
    err_at(e, f->path, NULL, (uint32_t)(line + 1), 1, 1);
    return false;
}

/* size bytes from offset, whole; the file does not move for others. */
static bool read_at(const struct plan_file *f, char *out, size_t size, uint64_t offset,
                    struct smw_err *e)
{
    while (size > 0) {
        ssize_t n = pread(f->fd, out, size, (off_t)offset);

        if (n <= 0 && !(n < 0 && errno == EINTR)) {
            errno = n == 0 ? EIO : errno;
            return io_error(f->path, e);
        }
        if (n > 0) {
            out += n;
            size -= (size_t)n;
            offset += (uint64_t)n;
        }
    }
    return true;
}

/* Find where lines begin. */
static bool index_lines(struct plan_file *f, uint64_t size, struct smw_err *e)
{
    enum { CHUNK = 1 << 16 };
    char *chunk = tb_alloc(CHUNK);
    uint64_t capacity = 0;
    bool ok = true;

    for (uint64_t at = 0, begin = 0; ok && at < size; at += CHUNK) {
        size_t n = size - at < CHUNK ? (size_t)(size - at) : CHUNK;

        ok = read_at(f, chunk, n, at, e);
        for (size_t i = 0; ok && i < n; i++) {
            if (chunk[i] != '\n') {
                continue;
            }
            if (f->n + 1 >= capacity) {
                capacity = capacity == 0 ? 256 : 2 * capacity;
                f->line = tb_realloc(f->line, capacity * sizeof(*f->line));
            }
            f->line[f->n++] = begin;
            begin = at + i + 1;
            f->line[f->n] = begin;
        }
    }
    free(chunk);
    if (ok && (f->n == 0 || f->line[f->n] != size)) {
        return not_a_plan(f, f->n, e);
    }
    return ok;
}

bool plan_read(struct plan_file *f, const char *path, const char *from,
               struct smw_err *e)
{
    struct stat st;

    *f = (struct plan_file){.path = tb_strdup(path),
                            .from = from == NULL ? NULL : tb_strdup(from),
                            .fd = open(path, O_RDONLY | O_CLOEXEC)};
    if (f->fd < 0 || fstat(f->fd, &st) != 0) {
        io_error(path, e);
    } else if (index_lines(f, (uint64_t)st.st_size, e)) {
        return true;
    }
    plan_close(f);
    return false;
}

void plan_close(struct plan_file *f)
{
    if (f->fd >= 0) {
        close(f->fd);
    }
    free(f->path);
    free(f->from);
    free(f->line);
    *f = (struct plan_file){.fd = -1};
}

static bool take_pairs(json_t *object, struct sweep_pair **out, uint32_t *n)
{
    const char *key;
    json_t *value;

    if (!json_is_object(object)) {
        return false;
    }
    *out = tb_alloc((json_object_size(object) + 1) * sizeof(**out));
    json_object_foreach(object, key, value)
    {
        if (!json_is_string(value)) {
            return false;
        }
        (*out)[(*n)++] =
            (struct sweep_pair){tb_strdup(key), tb_strdup(json_string_value(value))};
    }
    return true;
}

static bool take_params(json_t *object, struct sweep_point *p)
{
    const char *key;
    json_t *value;

    if (!json_is_object(object)) {
        return false;
    }
    p->params = tb_alloc((json_object_size(object) + 1) * sizeof(*p->params));
    json_object_foreach(object, key, value)
    {
        struct sweep_param *out = &p->params[p->n_params];
        char buf[EXPR_NUMBER_SIZE];

        if (!json_is_number(value) && !json_is_string(value)) {
            return false;
        }
        out->is_number = json_is_number(value);
        out->number = json_number_value(value);
        if (out->is_number) {
            expr_print(out->number, buf);
        }
        out->name = tb_strdup(key);
        out->text = tb_strdup(out->is_number ? buf : json_string_value(value));
        p->n_params++;
    }
    return true;
}

static bool take_digest(json_t *s, uint64_t *out)
{
    const char *text = json_string_value(s);

    if (text == NULL || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16) {
        return false;
    }
    *out = strtoull(text, NULL, 16);
    return true;
}

static bool take_point(json_t *o, uint64_t index, struct sweep_point *p)
{
    json_t *config = json_object_get(o, "config");
    json_t *target = json_object_get(o, "target");
    json_t *number = json_object_get(o, "index");

    if (!json_is_string(target) || !json_is_integer(number) ||
        (uint64_t)json_integer_value(number) != index ||
        !(json_is_null(config) || json_is_string(config))) {
        return false;
    }
    p->index = index;
    p->target = tb_strdup(json_string_value(target));
    p->config = json_is_null(config) ? NULL : tb_strdup(json_string_value(config));
    return take_digest(json_object_get(o, "digest"), &p->digest) &&
           take_pairs(json_object_get(o, "set"), &p->set, &p->n_set) &&
           take_pairs(json_object_get(o, "launch"), &p->launch, &p->n_launch) &&
           take_params(json_object_get(o, "params"), p);
}

bool plan_point(const struct plan_file *f, uint64_t i, struct sweep_point *point,
                struct smw_err *e)
{
    size_t size = (size_t)(f->line[i + 1] - f->line[i]);
    char *line = tb_alloc(size + 1);
    struct smw_err missing = {0}; /* the point's own matter */
    json_t *o = NULL;
    bool ok = read_at(f, line, size, f->line[i], e);

    *point = (struct sweep_point){0};
    if (ok) {
        o = json_loadb(line, size, 0, NULL);
        ok = (o != NULL && take_point(o, i, point)) || not_a_plan(f, i, e);
    }
    if (ok && f->from != NULL) {
        sweep_point_resolve(point, f->from, &missing);
    }
    json_decref(o);
    free(line);
    if (!ok) {
        sweep_point_free(point);
    }
    return ok;
}
