/*
 * crt/host_defines.h - a header that programs should not name, and some do.
 */
#ifndef SMWAVE_CRT_HOST_DEFINES_H
#define SMWAVE_CRT_HOST_DEFINES_H
#include "../host_defines.h"
#endif /* SMWAVE_CRT_HOST_DEFINES_H */
