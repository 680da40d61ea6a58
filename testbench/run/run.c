#include "run/run.h"

#include "io/npy.h"
#include "io/outdir.h"
#include "run/config.h"
#include "run/target.h"
#include "run/textures.h"
#include <stdlib.h>

/* ---- before ---- */

static bool load_config(struct run *r, const struct run_request *q, struct smw_err *e)
{
    const struct yaml_node *n = r->file.config;
    const struct yaml *y = &r->file.yaml;

    r->config = config_new();
    if (q->config != NULL) {
        if (!config_load(r->config, q->config, NULL, e)) {
            return false;
        }
    } else if (n == NULL && !config_load(r->config, CONFIG_STANDARD, NULL, e)) {
        return false;
    } else if (n != NULL && !config_load(r->config, n->text, y->name, e)) {
        if (e->file[0] == '\0') {
            yaml_point(y, n, e);
        }
        return false;
    }
    for (uint32_t i = 0; i < q->n_sets; i++) {
        if (!config_override(r->config, q->sets[i], e)) {
            return false;
        }
    }
    return true;
}

static bool check_config(const struct run *r, const struct run_request *q,
                         struct smw_err *e)
{
    if (smw_config_check(r->config, e)) {
        return true;
    }
    for (uint32_t i = q->n_sets; i > 0 && !config_blame_override(q->sets[i - 1], e);
         i--) {
    }
    return false;
}

bool run_configure(struct run *r, const struct run_request *q, struct smw_err *e)
{
    return target_find(q->target, &r->path, &r->name, e) &&
           launch_read_changed(&r->file, r->path, q->launches, q->n_launches, e) &&
           load_config(r, q, e);
}

bool run_read(struct run *r, const struct run_request *q, struct smw_err *e)
{
    return run_configure(r, q, e) && check_config(r, q, e);
}

bool run_open(struct run *r, const struct smw_options *o, struct smw_err *e)
{
    return host_open(&r->host, &r->file, r->config, o, e) && host_launch(&r->host, e);
}

bool run_open_again(struct run *r, const struct smw_options *o, struct smw_err *e)
{
    host_close(&r->host);
    return run_open(r, o, e);
}

/* ---- after ---- */

bool run_conclude(struct run *r, enum smw_status status, struct smw_err *e)
{
    const struct smw_fault *fault = smw_fault(r->host.device);
    struct finding found;

    r->results =
        (struct results){.host = &r->host, .status = status, .findings = &r->findings};
    if (fault != NULL && fault->kind != SMW_ERR_NONE) {
        r->results.fault = fault;
    }
    if (findings_of_fault(fault, &found)) {
        findings_add(&r->findings, &found);
    }
    r->races = races_find(r->host.device, &r->findings);
    if (status != SMW_DONE) {
        return true;
    }
    if (!textures_copy_back(&r->host, e)) {
        return false;
    }
    r->expects = tb_alloc((r->file.n_expects + 1) * sizeof(*r->expects));
    if (!expect_check(&r->host, r->expects, e)) {
        return false;
    }
    r->results.expects = r->expects;
    r->results.n_expects = r->file.n_expects;
    for (uint32_t i = 0; i < r->file.n_expects; i++) {
        r->wrong += !r->expects[i].ok;
    }
    return true;
}

/* Buffer i to its file. */
static bool dump_buffer(const struct run *r, uint32_t i, const char *dir,
                        struct smw_err *e)
{
    const struct launch_buffer *const b = &r->file.buffers[i];
    const uint64_t bytes = b->count * value_type_size(b->type);
    char *const path = b->dump->text[0] == '/' ? tb_strdup(b->dump->text)
                                               : file_join(dir, b->dump->text);
    const size_t head = file_ends(path, ".npy") ? NPY_HEADER : 0;
    char *const data = tb_alloc(head + bytes);
    bool ok;

    if (head != 0) {
        (void)npy_header(b->type, b->count, data);
    }
    ok = smw_read(r->host.device, r->host.address[i], data + head, bytes, e) &&
         outdir_make_parents(path, e) && file_write(path, data, head + bytes, e);
    free(data);
    free(path);
    return ok;
}

bool run_write(const struct run *r, const char *dir, struct smw_err *e)
{
    struct text stats = {0}, report = {0};
    bool ok;

    results_stats(&r->results, RESULTS_JSON, &stats);
    results_report(&r->results, &report);
    ok = text_write(dir, "stats.json", &stats, e);
    ok = text_write(dir, "report.json", &report, e) && ok;
    for (uint32_t i = 0; i < r->file.n_buffers && r->host.device != NULL; i++) {
        ok = (r->file.buffers[i].dump == NULL || dump_buffer(r, i, dir, e)) && ok;
    }
    return ok;
}

bool run_write_config(const struct run *r, const char *dir, struct smw_err *e)
{
    struct text config = {0};

    config_print(r->config, &config);
    return text_write(dir, "config.yml", &config, e);
}

enum smw_err_kind run_verdict(const struct run *r, bool strict)
{
    if (r->results.fault != NULL) {
        return r->results.fault->kind;
    }
    if (r->results.status == SMW_LIMIT) {
        return SMW_ERR_LIMIT;
    }
    if (r->results.status != SMW_DONE) {
        return SMW_ERR_INTERNAL;
    }
    return r->wrong > 0 || r->races.errors > 0 || (strict && r->races.warnings > 0)
               ? SMW_ERR_KERNEL
               : SMW_ERR_NONE;
}

void run_close(struct run *r)
{
    findings_free(&r->findings);
    host_close(&r->host);
    launch_free(&r->file);
    if (r->config != NULL) {
        smw_config_free(r->config);
    }
    free(r->expects);
    free(r->path);
    free(r->name);
    *r = (struct run){0};
}
