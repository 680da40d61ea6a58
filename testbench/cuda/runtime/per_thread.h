/*
 * per_thread.h - the second names of calls that use a stream: ones that end in _ptds
 * (those that wait) and _ptsz (those that do not) mean the calling thread's own stream
 * where the plain ones mean the legacy stream. Programs compiled with the option
 * --default-stream per-thread ask for them.
 */
#ifndef RUNTIME_PER_THREAD_H
#define RUNTIME_PER_THREAD_H

#include "cuda_runtime_api.h"

#define RT_WAITS(name)  extern __typeof__(name) name##_ptds;
#define RT_QUEUES(name) extern __typeof__(name) name##_ptsz;
#include "runtime/per_thread.inc"
#undef RT_WAITS
#undef RT_QUEUES

#endif /* RUNTIME_PER_THREAD_H */
