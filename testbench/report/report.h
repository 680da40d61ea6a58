/*
 * report.h - "smwave report DIR": the page of a run's folder, or of a sweep's.
 *
 * A run's page is made from stats.json, report.json and config.yml, which every run
 * writes, from explain.json (run --explain N, or --profile) and from profile.json (run
 * --profile); where the last two are missing the page says how to get them. The page
 * of a sweep is made from its plan, its file and the points that have ended. A page
 * depends on these files alone.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "report/html.h"

/* The page of the run in dir; SMW_ERR_INPUT: it is no such folder. */
bool report_run(const char *dir, struct text *out, struct smw_err *e);

/* The page of the sweep in dir (store.h). */
bool report_sweep(const char *dir, struct text *out, struct smw_err *e);
/* The same of results that were read. */
struct sweep_table;
void report_table(const struct sweep_table *t, struct text *out);

#endif /* REPORT_REPORT_H */
