/* page_priv.h - what the sections of a run's page share. */
#ifndef REPORT_PAGE_PRIV_H
#define REPORT_PAGE_PRIV_H

#include "ask/occupancy.h"
#include "report/chart.h"
#include "report/report.h"
#include <jansson.h>

enum {
    PAGE_WIDTH = 1040, /* of a picture */
    PAGE_LEAST = 840,  /* it is drawn no narrower, or its words were too small */
    PAGE_LEFT = 62,    /* of its charts */
    PAGE_RIGHT = 24,
    PAGE_MAX_LAUNCHES = 16 /* shown side by side */
};

struct run_page {
    struct text *out;
    json_t *stats, *report;         /* the run's files, which every run has */
    json_t *explain, *profile;      /* its other files; NULL: the run has no such
                                       file */
    char *config;                   /* text of config.yml; NULL: there is none */
    struct occupancy_device device; /* its rules are NULL: the device is not known */
    const json_t *kernels;          /* the array of launches in stats */
    size_t n;                       /* launches */
    uint32_t *number;   /* [launch]: the how-manieth of its kernel, from 1; 0: the
                           only */
    uint32_t max_warps; /* of an SM; 0: not known */
    double sms;         /* 0: not known */
    double clock_mhz;   /* of SMs; 0: not known */
    double issue_rate;  /* thread instructions that all SMs can issue in a cycle */
    double dram_gb;     /* 10^9 bytes a second, peak; 0: not known */
};

/* ---- numbers and texts of JSON: 0, "" and NULL where they are not ---- */

double page_number(const json_t *o, const char *key);
uint64_t page_count(const json_t *o, const char *key);
const char *page_text(const json_t *o, const char *key);
/* Counter of launch i. */
double page_counter(const struct run_page *p, size_t i, const char *name);
/* False: nobody counted it (stall.* of a sweep). */
bool page_has_counter(const struct run_page *p, size_t i, const char *name);
/* The sum of the counters shared.ld.WHAT, shared.st.WHAT and shared.atom.WHAT. */
double page_shared(const struct run_page *p, size_t i, const char *what);
/* How launch i is called: its kernel, with a number if that is launched more than
 * once. */
void page_label(const struct run_page *p, size_t i, struct text *out);

/* ---- sections ---- */
/* ", inlined at main.cu:40", and so on, of an object that has such a place. */
void page_inlined(struct run_page *p, const json_t *o);
/* The same in a cell of a table: a line for each. */
void page_inlined_below(struct run_page *p, const json_t *o);

void page_notes(struct run_page *p); /* a list of what stands out */
void page_advice(struct run_page *p);
void page_launches(struct run_page *p);
void page_roofline(struct run_page *p);
void page_activity(struct run_page *p);
void page_banks(struct run_page *p);
void page_lines(struct run_page *p);
void page_stalls(struct run_page *p);
void page_occupancy(struct run_page *p);
void page_counters(struct run_page *p);
void page_config(struct run_page *p);

#endif /* REPORT_PAGE_PRIV_H */
