#ifndef SMWAVE_DEVICE_MATH_H
#define SMWAVE_DEVICE_MATH_H
#include "smwave/math_base.h"
#include "smwave/math_basic.h"
#include "smwave/math_float.h"
#include "smwave/math_double.h"
#include "smwave/math_error.h"
#endif
