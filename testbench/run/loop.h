/*
 * loop.h - the host loop: steps the device in slices, shows progress, hears signals.
 * Only it and the pool of a sweep name libev; simulated time never passes through it.
 */
#ifndef RUN_LOOP_H
#define RUN_LOOP_H

#include "smwave.h"

struct loop_options {
    bool progress; /* a line on stderr, redrawn */
    /* After every slice, between two instants; may be NULL. */
    void (*slice)(void *ctx);
    void *ctx;
};

struct loop_result {
    enum smw_status status;
    int signal; /* the one that ended the run, 0: none */
    double seconds;
};

/* From here on SIGINT and SIGTERM wait, lest they end the process between the opening
 * and the closing of its files: loop_run() hears them, also one that came before it;
 * after it they wait again, until loop_release(). */
void loop_hold(void);
void loop_release(void);

/* Run until every launch is done or something ends the run. The first SIGINT or SIGTERM
 * stops after the current instant (status SMW_STOPPED); a second one quits the process
 * at once. */
struct loop_result loop_run(struct smw_device *d, const struct loop_options *opt);

#endif /* RUN_LOOP_H */
