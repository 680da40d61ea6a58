/*
 * life.h - a device of the program from its opening to its closing: what listens to it,
 * and the files that come of it.
 */
#ifndef SESSION_LIFE_H
#define SESSION_LIFE_H

#include "report/explain.h"
#include "report/profile.h"
#include "session/session.h"
#include "track/track.h"

struct life {
    char *dir; /* NULL: there is none */
    struct smw_device *device;
    struct smw_config *config; /* the runtime's */
    bool checks;
    struct tracing_plan plan;
    struct tracing *tracing; /* NULL: no waveforms */
    struct explain *explain; /* NULL: not asked for */
    struct profile *profile; /* the same */
    struct track_plan tracked;
    struct track *track; /* the same */
    bool explained;      /* in the text too */
    char *module_path;   /* of the first module; NULL: none was loaded */
    const char *stats;   /* further files for counters, ';' between; NULL: none */
    uint32_t n_modules;
    double write_at; /* tb_seconds() from which files in between are written again */
};

/* Into folder dir, which is there; takes it over. What cannot be had is said on stderr
 * and left out. */
void life_open(struct life *l, char *dir, struct smw_device *d, struct smw_config *c,
               const struct rt_settings *s);
void life_module(struct life *l, struct smw_module *m, const char *text, size_t size);
/* A launch has finished. Files in between are written if it is the first, and now and
 * then: for programs that are killed. */
void life_launched(struct life *l);
void life_fault(struct life *l, const struct smw_fault *f);
/* Everything has run, or stopped at a fault. Writes all files and frees. */
void life_close(struct life *l);

#endif /* SESSION_LIFE_H */
