/* wrong_calls_list.h - the calls of wrong_calls.inc, by their numbers. */
#ifndef RUNTIME_WRONG_CALLS_LIST_H
#define RUNTIME_WRONG_CALLS_LIST_H

static const char *const call_texts[] = {
#define WRONG(call) #call,
#include "wrong_calls.inc"
#undef WRONG
};

enum { N_CALLS = sizeof(call_texts) / sizeof(call_texts[0]) };

/* What call number which gives, 0 <= which < N_CALLS. */
static int run_call(int which)
{
    int at = 0;

#define WRONG(call)                                                                    \
    if (at++ == which) {                                                               \
        return (int)(call);                                                            \
    }
#include "wrong_calls.inc"
#undef WRONG
    return -1;
}

#endif /* RUNTIME_WRONG_CALLS_LIST_H */
