/*
 * device_types.h - a header of older releases: the runtime's types.
 */
#ifndef SMWAVE_DEVICE_TYPES_H
#define SMWAVE_DEVICE_TYPES_H
#include "driver_types.h"
#endif /* SMWAVE_DEVICE_TYPES_H */
