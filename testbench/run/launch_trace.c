/* The key trace of a launch file. */
#include "run/launch_file.h"

#include "run/launch_keys.h"
#include <string.h>

static bool set(struct launch_file *l, const struct yaml_node *n, enum trace_item item,
                const char *what, struct smw_err *e)
{
    const struct trace_said said = {.what = what, .yaml = &l->yaml, .node = n};

    return value_need(&l->yaml, n, YAML_SCALAR, what, e) &&
           trace_select_set(&l->trace.select, item, &said, n->text, e);
}

/* A pattern, or a list of them. */
static bool read_scope(struct launch_file *l, const struct yaml_node *n,
                       struct smw_err *e)
{
    if (n->kind != YAML_LIST) {
        return set(l, n, TRACE_SCOPE, "scope", e);
    }
    if (n->n == 0) {
        return yaml_refuse(&l->yaml, n, SMW_ERR_INPUT, e, "scope is empty");
    }
    for (const struct yaml_node *p = n->first; p != NULL; p = p->next) {
        if (!set(l, p, TRACE_SCOPE, "scope", e)) {
            return false;
        }
    }
    l->trace.select.scope_said.node = n;
    return true;
}

static bool read_timescale(struct launch_file *l, const struct yaml_node *n,
                           struct smw_err *e)
{
    if (!value_need(&l->yaml, n, YAML_SCALAR, "timescale", e)) {
        return false;
    }
    l->trace.cycles = strcmp(n->text, "cycle") == 0;
    return l->trace.cycles || strcmp(n->text, "ps") == 0 ||
           yaml_refuse(&l->yaml, n, SMW_ERR_INPUT, e,
                       "timescale is ps or cycle, not '%s'", n->text);
}

bool launch_read_trace(struct launch_file *l, const struct yaml_node *n,
                       struct smw_err *e)
{
    static const struct {
        const char *key;
        enum trace_item item;
    } items[] = {
        {"start", TRACE_START}, {"stop", TRACE_STOP},        {"depth", TRACE_DEPTH},
        {"on", TRACE_ON},       {"ring", TRACE_RING_CYCLES}, {"after", TRACE_AFTER},
    };
    struct launch_trace *t = &l->trace;
    const struct yaml_node *scope, *unit;

    if (!launch_check_map(&l->yaml, n, LAUNCH_TRACE, e)) {
        return false;
    }
    t->format_at = yaml_get(n, "format");
    scope = yaml_get(n, "scope");
    if ((t->format_at != NULL &&
         !value_need(&l->yaml, t->format_at, YAML_SCALAR, "format", e)) ||
        (scope != NULL && !read_scope(l, scope, e))) {
        return false;
    }
    unit = yaml_get(n, "timescale");
    if (unit != NULL && !read_timescale(l, unit, e)) {
        return false;
    }
    t->format = t->format_at == NULL ? NULL : t->format_at->text;
    for (size_t i = 0; i < ARRAY_LEN(items); i++) {
        const struct yaml_node *v = yaml_get(n, items[i].key);

        if (v != NULL && !set(l, v, items[i].item, items[i].key, e)) {
            return false;
        }
    }
    return trace_select_check_order(&t->select, e);
}
