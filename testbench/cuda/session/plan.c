#include "session/session.h"

#include "io/file.h"
#include "io/num.h"
#include "run/config.h"
#include <stdlib.h>
#include <string.h>

static bool plan_views(struct tracing_plan *p, const char *lists, struct smw_err *e)
{
    char *copy = tb_strdup(lists);
    bool ok = true;

    for (char *list = copy; ok && list != NULL;) {
        char *next = strchr(list, ';');

        if (next != NULL) {
            *next++ = '\0';
        }
        ok = view_parse(p->views, &p->n_views, list, e);
        list = next;
    }
    free(copy);
    return ok && (p->n > 0 ||
                  err_set(e, SMW_ERR_USAGE, "--view: there is no waveform to view"));
}

static bool plan_selection(struct tracing_plan *p, const struct rt_settings *s,
                           struct smw_err *e)
{
    static const struct {
        enum rt_said said;
        enum trace_item item;
        const char *name;
    } options[] = {
        {RT_SAID_TRACE_SCOPE, TRACE_SCOPE, "--trace-scope"},
        {RT_SAID_TRACE_DEPTH, TRACE_DEPTH, "--trace-depth"},
        {RT_SAID_TRACE_START, TRACE_START, "--trace-start"},
        {RT_SAID_TRACE_STOP, TRACE_STOP, "--trace-stop"},
        {RT_SAID_TRACE_RING, TRACE_RING_CYCLES, "--trace-ring"},
        {RT_SAID_TRACE_ON, TRACE_ON, "--trace-on"},
        {RT_SAID_TRACE_AFTER, TRACE_AFTER, "--trace-after"},
    };

    for (uint32_t i = 0; i < ARRAY_LEN(options); i++) {
        const char *text = s->said[options[i].said];

        if (text == NULL) {
            continue;
        }
        if (p->n == 0) {
            return err_set(e, SMW_ERR_USAGE, "%s: there is no waveform",
                           options[i].name);
        }
        if (!trace_select_set(&p->select, options[i].item,
                              &(struct trace_said){.what = options[i].name}, text, e)) {
            return false;
        }
    }
    return trace_select_check(&p->select, e);
}

/* The program's standard output is its own, and it may have changed its folder. */
static bool check_paths(const struct tracing_plan *p, struct smw_err *e)
{
    for (uint32_t i = 0; i < p->n; i++) {
        if (p->streamed[i]) {
            return err_set(e, SMW_ERR_USAGE,
                           "--trace -: standard output is the program's");
        }
    }
    return true;
}

bool session_plan(struct tracing_plan *p, const struct rt_settings *s, const char *dir,
                  struct smw_err *e)
{
    const char *list = s->said[RT_SAID_TRACE], *scale = s->said[RT_SAID_TIMESCALE];

    if (!tracing_parse(p, list != NULL ? list : "none", dir, e)) {
        return false;
    }
    p->guest = true;
    p->cycles = scale != NULL && strcmp(scale, "cycle") == 0;
    if (check_paths(p, e) && plan_selection(p, s, e) &&
        (s->said[RT_SAID_VIEW] == NULL || plan_views(p, s->said[RT_SAID_VIEW], e))) {
        return true;
    }
    tracing_plan_free(p);
    return false;
}

bool session_load(struct smw_config *c, const char *name, struct smw_err *e)
{
    return config_load(c, name, NULL, e);
}
