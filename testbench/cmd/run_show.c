#include "cmd/run_show.h"

#include "io/diag.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Who waits where for whom, line by line; a line that the buffer cut off is left out.
 */
static void show_detail(const struct smw_fault *f)
{
    bool full = strlen(f->detail) + 1 == sizeof(f->detail);

    for (const char *line = f->detail; *line != '\0';) {
        size_t n = strcspn(line, "\n");
        bool last = line[n] == '\0';

        fprintf(stderr, "    %.*s\n", last && full ? 3 : (int)n,
                last && full ? "..." : line);
        line += n + !last;
    }
}

static void show_where(const struct smw_fault *f)
{
    char inlined[512];

    fprintf(stderr, "    in kernel %s", f->kernel == NULL ? "?" : f->kernel);
    if (f->kind == SMW_ERR_KERNEL) {
        fprintf(stderr, ", block (%u,%u,%u), thread (%u,%u,%u)", f->block[0],
                f->block[1], f->block[2], f->thread[0], f->thread[1], f->thread[2]);
    }
    fprintf(stderr, ", cycle %" PRIu64 "\n", f->cycle);
    if (f->inst[0] != '\0') {
        fprintf(stderr, "    instruction: %s\n", f->inst);
    }
    if (f->file != NULL) {
        smw_inlined_text(&f->inlined, inlined, sizeof(inlined));
        fprintf(stderr, "    source: %s:%u%s\n", f->file, f->line, inlined);
    }
    show_detail(f);
}

void run_show_fault(const struct run *r)
{
    const struct smw_fault *f = r->results.fault;
    struct smw_err e = {0}, ignored = {0};
    size_t size = 0;
    char *text;

    if (f == NULL) {
        return;
    }
    text =
        file_read(r->host.module_path, UINT64_C(1) << 28, &size, SMW_ERR_IO, &ignored);
    err_set(&e, f->kind, "%s", f->message);
    if (f->ptx_line != 0) {
        err_at(&e, r->host.module_path, text, f->ptx_line, 0, 0);
    }
    free(text);
    diag_error(&e);
    show_where(f);
}

void run_show_wrong(const struct run *r, enum smw_check checked)
{
    for (uint32_t i = 0; i < r->results.n_expects; i++) {
        const struct expect_result *x = &r->expects[i];
        const struct yaml *y = &r->file.yaml;
        struct smw_err e = {0};

        if (x->ok) {
            continue;
        }
        err_set(&e, SMW_ERR_KERNEL, "%s", x->wrong_what);
        yaml_point(y, x->expect->at, &e);
        diag_error(&e);
        if (x->detail[0] != '\0') {
            fprintf(stderr, "    %s\n", x->detail);
        }
    }
    if (r->wrong > 0 && checked < SMW_CHECK_FULL) {
        fputs("hint: --check full looks for races and for reads of what was never "
              "written\n",
              stderr);
    }
}

void run_show_standing(const struct run *r)
{
    struct smw_fault now = {.kind = SMW_ERR_LIMIT};

    if (r->results.status == SMW_STOPPED) {
        smw_where(r->host.device, now.detail, sizeof(now.detail));
        show_detail(&now);
    }
}
