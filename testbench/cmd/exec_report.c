#define _GNU_SOURCE /* sigabbrev_np() */
#include "cmd/exec_report.h"

#include "io/diag.h"
#include "io/file.h"
#include "run/findings.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_TEXT = 1 << 28 };

static const char *text_of(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));

    return s != NULL ? s : "";
}

/* What "smwave run" would end with. */
static enum tb_exit verdict(const json_t *report)
{
    static const struct {
        const char *status;
        enum tb_exit code;
    } codes[] = {{"fault", TB_KERNEL}, {"deadlock", TB_DEADLOCK}, {"limit", TB_LIMIT}};
    const char *status = text_of(report, "status");
    const json_t *finding;
    size_t i;

    for (size_t k = 0; k < ARRAY_LEN(codes); k++) {
        if (strcmp(status, codes[k].status) == 0) {
            return codes[k].code;
        }
    }
    json_array_foreach(json_object_get(report, "findings"), i, finding)
    {
        if (strcmp(text_of(finding, "level"), "error") == 0) {
            return TB_KERNEL;
        }
    }
    return TB_OK;
}

static json_t *signal_name(int signal)
{
    char name[32];

    if (signal == 0) {
        return json_null();
    }
    snprintf(name, sizeof(name), "SIG%s",
             sigabbrev_np(signal) != NULL ? sigabbrev_np(signal) : "?");
    return json_string(name);
}

static json_t *program_object(const struct exec_story *s, enum tb_exit code)
{
    json_t *o = json_object(), *words = json_array();

    for (char *const *w = s->argv; *w != NULL; w++) {
        json_array_append_new(words, findings_string(*w));
    }
    json_object_set_new(o, "command", words);
    json_object_set_new(o, "exit_code",
                        s->end.signal != 0 ? json_null() : json_integer(s->end.code));
    json_object_set_new(o, "signal", signal_name(s->end.signal));
    json_object_set_new(o, "smwave_exit_code", json_integer((json_int_t)code));
    return o;
}

/* The report that the session left, or an empty one. */
static json_t *read_report(const struct exec_story *s)
{
    char *path = file_join(s->dir, "report.json");
    json_t *report = json_load_file(path, 0, NULL);

    free(path);
    if (!json_is_object(report)) {
        json_decref(report);
        report = json_object();
        json_object_set_new(report, "schema", json_integer(1));
        json_object_set_new(report, "status", json_string("no device was used"));
        json_object_set_new(report, "findings", json_array());
    }
    return report;
}

/* What was found. */
static enum tb_exit write_report(const struct exec_story *s)
{
    json_t *report = read_report(s);
    const enum tb_exit found = verdict(report);
    struct smw_err e = {0};
    struct text t = {0};
    char *dumped;

    json_object_set_new(report, "program", program_object(s, found));
    dumped = json_dumps(report, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    text_add(&t, "%s\n", dumped != NULL ? dumped : "");
    free(dumped);
    json_decref(report);
    if (!text_write(s->dir, "report.json", &t, &e)) {
        diag_error(&e);
    }
    return found;
}

/* The program never came to our runtime. */
static void tell_why_not(const struct exec_story *s)
{
    struct smw_err e = {0};

    switch (exec_look(s->path)) {
    case EXEC_SHARED:
        err_set(&e, SMW_ERR_INPUT, "'%s' made no CUDA call", s->path);
        break;
    case EXEC_STATIC:
        err_set(&e, SMW_ERR_INPUT,
                "'%s' is linked with a CUDA runtime library of its own", s->path);
        err_hint(&e, "link it again with 'nvcc -cudart shared', or compile it with "
                     "'smwave cc'");
        break;
    case EXEC_NO_CODE:
        err_set(&e, SMW_ERR_INPUT, "'%s' used no device: it has no CUDA code", s->path);
        break;
    }
    diag_warning(&e);
}

static bool is_there(const char *dir, const char *name)
{
    char *path = file_join(dir, name);
    bool there = access(path, F_OK) == 0;

    free(path);
    return there;
}

/* nothing: of all that went wrong, no check has said why. */
static void tell_end(const struct exec_story *s, bool nothing)
{
    if (s->end.signal != 0) {
        fprintf(stderr,
                "smwave: the program was ended by signal %d (%s); results so far "
                "are in %s\n",
                s->end.signal, strsignal(s->end.signal), s->dir);
    } else if (!s->quiet && s->end.code != 0) {
        fprintf(stderr, "smwave: the program's exit code is %d\n", s->end.code);
        if (nothing && !s->checked) {
            diag_hint("if a result is wrong: --check full before the program looks for "
                      "races and for reads of what was never written");
        }
    }
}

void exec_tell(const struct exec_story *s)
{
    char *path = file_join(s->dir, "summary.txt"), *stats_path, *stats;
    struct smw_err ignored = {0};
    size_t size = 0;
    char *summary = file_read(path, MAX_TEXT, &size, SMW_ERR_IO, &ignored);
    const enum tb_exit found = write_report(s);

    tell_end(s, found == TB_OK && size > 0);
    if (summary == NULL) {
        tell_why_not(s);
    } else if (size == 0 && s->end.signal == 0) {
        fprintf(stderr,
                "smwave: the program ended without exit(); results so far are in "
                "%s\n",
                s->dir);
    } else if (s->json && size > 0) {
        stats_path = file_join(s->dir, "stats.json");
        stats = file_read(stats_path, MAX_TEXT, &size, SMW_ERR_IO, &ignored);
        fputs(stats != NULL ? stats : "", stderr);
        free(stats);
        free(stats_path);
    } else if (!s->quiet && size > 0) {
        diag_text(stderr, summary);
        fprintf(stderr, "\nresults in %s\n", s->dir);
        if (is_there(s->dir, "run.gtkw")) {
            fprintf(stderr, "waveform:  gtkwave %s/run.gtkw\n", s->dir);
        }
        if (s->record != NULL) {
            fprintf(stderr, "launches:  smwave run %s/1-KERNEL.yml\n", s->record);
        }
    }
    free(summary);
    free(path);
}
