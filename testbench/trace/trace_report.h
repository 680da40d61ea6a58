/*
 * trace_report.h - what a run says of its waveforms: what they show, and what is
 * missing.
 */
#ifndef TRACE_TRACE_REPORT_H
#define TRACE_TRACE_REPORT_H

#include "trace/tracing.h"
#include <stdio.h>

/* "           of gpu.sm0.*, cycles 100 to 200"; nothing if everything was asked for. */
void trace_report_extent(FILE *f, const struct trace_select *s,
                         const struct tracing_outcome *o);

/* A warning if what was to begin it, or to write the ring, did not come. */
void trace_report_missed(FILE *f, const struct trace_select *s,
                         const struct tracing_outcome *o);

#endif /* TRACE_TRACE_REPORT_H */
