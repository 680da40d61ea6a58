#include "sweep/stats_file.h"

#include "io/file.h"
#include "stat/counters.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { STATS_BYTES = 256 << 20 };

bool stats_open(struct stats_file *f, const char *dir, struct smw_err *e)
{
    char *path = file_join(dir, "stats.json"), *text;
    size_t size = 0;
    bool ok;

    text = file_read(path, STATS_BYTES, &size, SMW_ERR_IO, e);
    f->root = text == NULL ? NULL : json_loadb(text, size, 0, NULL);
    f->kernels = json_object_get(f->root, "kernels");
    ok = json_is_array(f->kernels);
    if (text != NULL && !ok) {
        err_set(e, SMW_ERR_IO, "%s: it is not whole", path);
    }
    free(text);
    free(path);
    return ok;
}

void stats_close(struct stats_file *f)
{
    json_decref(f->root);
    *f = (struct stats_file){0};
}

void store_find_out(const char *dir, const struct sweep_point *p,
                    struct store_done *out)
{
    char *point = store_point(dir, p->index);
    struct stats_file stats = {0};
    struct smw_err why = {0};

    if (!store_read(dir, p->index, p->digest, out, &why) ||
        (out->status == STORE_OK && !stats_open(&stats, point, &why))) {
        store_unread(out, &why);
    }
    stats_close(&stats);
    free(point);
}

static const char *name_of(const json_t *kernel)
{
    const char *name = json_string_value(json_object_get(kernel, "name"));

    return name != NULL ? name : "?";
}

/* As it is called, or the name in the source of what is called _Z11cal_sum_kerPi. */
static bool is_kernel(const char *name, const char *want)
{
    size_t n = strlen(want);
    char *source;

    if (strcmp(name, want) == 0) {
        return true;
    }
    if (strncmp(name, "_Z", 2) != 0 || isdigit((unsigned char)name[2]) == 0) {
        return false;
    }
    return strtoull(name + 2, &source, 10) == n && strncmp(source, want, n) == 0;
}

/* What several launches come to. */
static void take(const char *name, const json_t *v, struct expr_value *sum)
{
    double more = json_number_value(v);
    bool is_largest = strncmp(name, "occupancy.", 10) == 0;

    if (json_is_string(v)) {
        *sum = (struct expr_value){.kind = EXPR_TEXT, .text = json_string_value(v)};
    } else if (json_is_number(v)) {
        bool first = sum->kind != EXPR_NUMBER;

        sum->kind = EXPR_NUMBER;
        sum->number = first                ? more
                      : !is_largest        ? sum->number + more
                      : more > sum->number ? more
                                           : sum->number;
    }
}

void stats_value(const struct stats_file *f, const char *name, struct expr_value *out)
{
    const char *at = strrchr(name, '@');
    char *counter =
        tb_printf("%.*s", at == NULL ? (int)strlen(name) : (int)(at - name), name);
    const json_t *kernel;
    size_t i;

    *out = (struct expr_value){.kind = EXPR_NONE};
    json_array_foreach(f->kernels, i, kernel)
    {
        if (at == NULL || is_kernel(name_of(kernel), at + 1)) {
            take(counter, json_object_get(json_object_get(kernel, "counters"), counter),
                 out);
        }
    }
    free(counter);
}

/* The first launch of the kernel of launch i is launch i. */
static bool is_first(const struct stats_file *f, size_t i)
{
    const char *name = name_of(json_array_get(f->kernels, i));

    for (size_t k = 0; k < i; k++) {
        if (strcmp(name_of(json_array_get(f->kernels, k)), name) == 0) {
            return false;
        }
    }
    return true;
}

static struct expr_value value_in(const struct stats_file *f, const char *kernel,
                                  const char *counter)
{
    struct expr_value v = {.kind = EXPR_NONE};
    const json_t *k;
    size_t i;

    json_array_foreach(f->kernels, i, k)
    {
        if (strcmp(name_of(k), kernel) == 0) {
            take(counter, json_object_get(json_object_get(k, "counters"), counter), &v);
        }
    }
    return v;
}

bool stats_each(const struct stats_file *f, stats_each_fn *fn, void *ctx)
{
    for (size_t i = 0; i < json_array_size(f->kernels); i++) {
        json_t *kernel = json_array_get(f->kernels, i), *v;
        const char *name;

        if (!is_first(f, i)) {
            continue;
        }
        json_object_foreach(json_object_get(kernel, "counters"), name, v)
        {
            struct expr_value sum = value_in(f, name_of(kernel), name);

            if (!fn(ctx, name_of(kernel), name, &sum)) {
                return false;
            }
        }
    }
    return true;
}

const char *stats_unit(const char *name)
{
    size_t n = strcspn(name, "@");

    for (uint32_t i = 0; i < stat_table_size; i++) {
        if (strlen(stat_table[i].name) == n &&
            strncmp(stat_table[i].name, name, n) == 0) {
            return stat_table[i].unit;
        }
    }
    return "";
}
