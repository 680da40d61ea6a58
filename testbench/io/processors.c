#define _GNU_SOURCE /* sched_getaffinity() */

#include "io/processors.h"

#include <sched.h>
#include <unistd.h>

uint32_t processors(void)
{
    cpu_set_t set;
    long n = sched_getaffinity(0, sizeof(set), &set) == 0
                 ? CPU_COUNT(&set)
                 : sysconf(_SC_NPROCESSORS_ONLN); /* more than a set has bits */

    return n < 1 ? 1 : (uint32_t)n;
}
