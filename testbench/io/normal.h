/*
 * normal.h - the normal distribution, the same on every machine: additions, products,
 * quotients and square roots only, which IEEE 754 rounds in one way.
 */
#ifndef IO_NORMAL_H
#define IO_NORMAL_H

/* The number below which a standard normal variable is with probability p, above 0 and
 * below 1; relative error below 1e-9. */
double normal_quantile(double p);

#endif /* IO_NORMAL_H */
