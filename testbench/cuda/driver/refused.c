/*
 * Calls that are refused by name. They are defined without their parameters, which none
 * of them looks at; so the declarations of cuda.h are not included here.
 */

#define RT_API __attribute__((visibility("default")))

int cu_refuse(const char *call, const char *why); /* errors.c */

#define REFUSED(name, why)                                                             \
    RT_API int name(void);                                                             \
    RT_API int name(void)                                                              \
    {                                                                                  \
        return cu_refuse(#name, why);                                                  \
    }
#include "driver/refused.inc"
