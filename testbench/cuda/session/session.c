#define _GNU_SOURCE /* program_invocation_short_name */
#include "session/session.h"

#include "io/diag.h"
#include "io/outdir.h"
#include "session/life.h"
#include "session/record.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct session {
    struct rt_settings settings;
    char *out;
    pid_t pid; /* copies of the process that fork() makes write nothing */
    struct life life[RT_DEVICES];
    uint32_t n_lives[RT_DEVICES]; /* so far, of a device */
    bool used;                    /* out has a life already */
    struct record *record;        /* NULL: not asked for */
};

static bool is_ours(const struct session *s)
{
    return s->pid == getpid();
}

/* The folder of the process: summary.txt is there as soon as one has it. */
static char *claim(const char *out)
{
    char *mark = file_join(out, "summary.txt"), *dir = NULL;
    int fd = open(mark, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    if (fd >= 0) {
        (void)close(fd);
        dir = tb_strdup(out);
    } else if (errno == EEXIST) {
        dir = tb_printf("%s/process-%ld", out, (long)getpid());
    }
    free(mark);
    return dir;
}

static char *folder_of(struct session *s, uint32_t device)
{
    uint32_t life = ++s->n_lives[device];
    char *dir;

    if (!s->used) {
        s->used = true;
        return tb_strdup(s->out);
    }
    dir = life == 1
              ? tb_printf("%s/device-%u", s->out, (unsigned)device)
              : tb_printf("%s/device-%u-%u", s->out, (unsigned)device, (unsigned)life);
    return dir;
}

static void device_opened(void *ctx, uint32_t device, struct smw_device *d,
                          const struct smw_config *c)
{
    struct session *s = ctx;
    struct smw_err e = {0};
    char *dir;

    if (!is_ours(s)) {
        return;
    }
    dir = folder_of(s, device);
    if (strcmp(dir, s->settings.out) != 0 &&
        !outdir_prepare(dir, OUTDIR_PROGRAM, true, NULL, &e)) {
        diag_error(&e);
        free(dir);
        return;
    }
    life_open(&s->life[device], dir, d, (struct smw_config *)(uintptr_t)c,
              &s->settings);
    record_device(s->record, device, d, c);
}

static void module_loaded(void *ctx, uint32_t device, const struct smw_module *m,
                          const struct smw_text *text, uint32_t n)
{
    struct session *s = ctx;

    if (is_ours(s) && s->life[device].dir != NULL) {
        struct smw_module *module = (struct smw_module *)(uintptr_t)m;

        life_module(&s->life[device], module, text[0].text, text[0].size);
        record_module(s->record, device, module, text, n);
    }
}

static void launch_queued(void *ctx, const struct rt_launch_seen *l)
{
    struct session *s = ctx;

    if (is_ours(s)) {
        record_before(s->record, l);
    }
}

static void launch_issued(void *ctx, const struct rt_launch_seen *l)
{
    struct session *s = ctx;

    if (is_ours(s)) {
        record_after(s->record, l);
    }
}

static void launch_finished(void *ctx, const struct rt_launch_seen *l,
                            const struct smw_result *r)
{
    struct session *s = ctx;

    (void)r;
    if (is_ours(s) && s->life[l->device].dir != NULL) {
        life_launched(&s->life[l->device]);
    }
}

static void faulted(void *ctx, uint32_t device, const struct smw_fault *f)
{
    struct session *s = ctx;

    if (is_ours(s) && s->life[device].dir != NULL) {
        life_fault(&s->life[device], f);
    }
}

static void device_closing(void *ctx, uint32_t device, struct smw_device *d)
{
    struct session *s = ctx;

    (void)d;
    if (is_ours(s)) {
        record_close(s->record, device);
        life_close(&s->life[device]);
    }
}

static void program_ends(void *ctx)
{
    struct session *s = ctx;

    if (is_ours(s)) {
        record_free(s->record);
        free(s->out);
        free(s);
    }
}

static bool is_watched(const struct rt_settings *s)
{
    const char *trace = s->said[RT_SAID_TRACE];

    return (trace != NULL && strcmp(trace, "none") != 0) ||
           s->said[RT_SAID_EXPLAIN] != NULL || s->said[RT_SAID_PROFILE] != NULL ||
           s->said[RT_SAID_TRACK] != NULL || s->check >= SMW_CHECK_FULL;
}

void session_attach(struct rt_settings *settings)
{
    struct session *s;
    char *out;

    if (settings->out == NULL) {
        return;
    }
    out = claim(settings->out);
    if (out == NULL) {
        struct smw_err e = {0};

        err_set(&e, SMW_ERR_IO, "%s: %s", settings->out, strerror(errno));
        diag_error(&e);
        return;
    }
    settings->stalls = true; /* as "smwave run" counts */
    settings->load = session_load;
    if (is_watched(settings)) {
        settings->threads = 1; /* threads compute SMs ahead of each other */
    }
    settings->host = settings->said[RT_SAID_TRACE] != NULL &&
                     strcmp(settings->said[RT_SAID_TRACE], "none") != 0;
    settings->modules_at_once = settings->said[RT_SAID_RECORD] != NULL;
    s = tb_alloc(sizeof(*s));
    s->settings = *settings;
    s->out = out;
    s->pid = getpid();
    s->record = record_new(settings->said[RT_SAID_RECORD]);
    (void)unsetenv("SMWAVE_OUT"); /* what this process starts is not observed */
    rt_observe(&(struct rt_observer){
        .ctx = s,
        .device_opened = device_opened,
        .module_loaded = module_loaded,
        .launch_queued = launch_queued,
        .launch_issued = launch_issued,
        .launch_finished = launch_finished,
        .faulted = faulted,
        .device_closing = device_closing,
        .program_ends = program_ends,
    });
}
