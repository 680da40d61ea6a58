#include "trace/trace_report.h"

#include <inttypes.h>
#include <string.h>

void trace_report_extent(FILE *f, const struct trace_select *s,
                         const struct tracing_outcome *o)
{
    const struct wave_extent *x = &o->extent;

    if (!trace_select_given(s)) {
        return;
    }
    fprintf(f, "           of %s, ", s->scope == NULL ? "everything" : s->scope);
    if (!o->begun) {
        fprintf(f, "the last instant only\n");
        return;
    }
    fprintf(f, "cycles %" PRIu64 " to %" PRIu64 "\n", x->first, x->last);
    if (x->first > x->wanted) {
        fprintf(f, "           (the ring is full with %" PRIu64 " cycles less)\n",
                x->first - x->wanted);
    }
}

void trace_report_missed(FILE *f, const struct trace_select *s,
                         const struct tracing_outcome *o)
{
    const struct trace_point *start = &s->point[WAVE_START];
    const bool bare = start->kind == TRACE_CYCLE && strchr(start->text, '=') == NULL;

    if (o->begun) {
        return;
    }
    if (s->ring > 0) {
        fprintf(f, "smwave: warning: %s did not come: ", s->point[WAVE_ON].text);
    } else {
        fprintf(f,
                "smwave: warning: the run did not reach %s%s: ", bare ? "cycle " : "",
                start->text);
    }
    fprintf(f, "the waveform has the last instant only\n");
}
