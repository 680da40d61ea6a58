/*
 * Calls that are refused by name. They are defined without their parameters, which none
 * of them looks at; so the declarations of cuda_runtime_api.h are not included here.
 */

#define RT_API __attribute__((visibility("default")))

int rt_refuse(const char *call, const char *why); /* process.c */

#define REFUSED(name, why)                                                             \
    RT_API int name(void);                                                             \
    RT_API int name(void)                                                              \
    {                                                                                  \
        return rt_refuse(#name, why);                                                  \
    }
#include "runtime/refused.inc"
