/*
 * dumpfile.h - a dump on the disk, opened by the name a user gives: a VCD, plain or
 * compressed, an FST, or the directory of a run. An FST is read as the VCD that a
 * process of its own makes of it: this program again where FST is built in, else
 * fst2vcd of GTKWave.
 */
#ifndef TRACE_DUMPFILE_H
#define TRACE_DUMPFILE_H

#include "reader.h"
#include "view.h"
#include <stdio.h>
#include <sys/types.h>

struct dumpfile {
    char *path;
    FILE *f;
    struct reader *r;
    pid_t converter;    /* 0: none */
    bool outside;       /* it is fst2vcd */
    struct arena arena; /* of the tree */
    struct view_tree tree;
};

/* Open and read the declarations. Close it in any case. */
bool dumpfile_open(struct dumpfile *d, const char *path, struct smw_err *e);
void dumpfile_close(struct dumpfile *d);

/* Read the declarations alone into the tree. A warning goes to stderr if the dump does
 * not say what its signals are. */
bool dumpfile_read_names(struct dumpfile *d, struct smw_err *e);

/* Read all of it, and what lies beside it, into the tree; warnings go to stderr. */
bool dumpfile_read(struct dumpfile *d, struct smw_err *e);

/* Behind its end: did all of it arrive? */
bool dumpfile_finish(struct dumpfile *d, struct smw_err *e);

/* What was read is not what was wanted: if that is since the system refused something,
 * *e says so instead. */
void dumpfile_blame(struct dumpfile *d, struct smw_err *e);

/* Is there a readable file of that bare name beside the dump? A struct dumpfile as
 * ctx. */
bool dumpfile_beside(void *ctx, const char *name);

#endif /* TRACE_DUMPFILE_H */
