/*
 * processors.h - on how many processors this process may run at a time.
 */
#ifndef IO_PROCESSORS_H
#define IO_PROCESSORS_H

#include <stdint.h>

/* At least 1. Those that it may not use (taskset) do not count. */
uint32_t processors(void);

#endif /* IO_PROCESSORS_H */
