#include "runtime/observer.h"

/* None is compiled in yet. */
void rt_observers_attach(const struct rt_settings *s)
{
    (void)s;
}
