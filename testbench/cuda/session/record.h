/*
 * record.h - "smwave exec --record DIR": each launch of a program as a launch file,
 * DIR/3-kernel.yml for the third, with its code and data, so that "smwave run" runs it
 * alone.
 *
 * What a launch can reach is written as it was before, and as it was afterwards, which
 * the launch file expects: buffers whose addresses are among its arguments, buffers
 * whose addresses lie in those, at multiples of 8 bytes, and so on, and the variables
 * of its module. PTX does not say what in a buffer is an address, so a number that
 * happens to be one brings a buffer more. Each buffer lies at its address again (the
 * keys address_base and address of launch files), so that addresses inside of buffers
 * hold, and caches and DRAM do the same with them.
 *
 * A launch waits until all before it is over: copies and other launches do not run
 * beside it. The key after names the launch file of the launch before, so that "smwave
 * run" finds caches and DRAM as they were.
 */
#ifndef SESSION_RECORD_H
#define SESSION_RECORD_H

#include "runtime/observer.h"

struct record;

/* dir: absolute; NULL: NULL, and all of the following do nothing. */
struct record *record_new(const char *dir);
void record_device(struct record *r, uint32_t device, struct smw_device *d,
                   const struct smw_config *c);
void record_module(struct record *r, uint32_t device, struct smw_module *m,
                   const struct smw_text *text, uint32_t n);
void record_before(struct record *r, const struct rt_launch_seen *l);
void record_after(struct record *r, const struct rt_launch_seen *l);
void record_close(struct record *r, uint32_t device); /* it closes */
void record_free(struct record *r);

#endif /* SESSION_RECORD_H */
