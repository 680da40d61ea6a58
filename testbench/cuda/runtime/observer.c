#include "runtime/observer.h"

void rt_observers_attach(struct rt_settings *s)
{
    if (session_attach != NULL) {
        session_attach(s);
    }
}
