/*
 * panic_test.h - for tests: run a statement that must end in sim_panic().
 */
#ifndef ENGINE_PANIC_TEST_H
#define ENGINE_PANIC_TEST_H

#include "engine/sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct panic_catcher {
    jmp_buf env;
    char text[512];
};

static inline void panic_caught(void *ctx, const char *text)
{
    struct panic_catcher *c = ctx;

    snprintf(c->text, sizeof(c->text), "%s", text);
    longjmp(c->env, 1);
}

/* The text told to the handler must contain part. */
#define expect_panic(s, part, statement)                                               \
    do {                                                                               \
        struct panic_catcher catcher_;                                                 \
        sim_on_panic((s), panic_caught, &catcher_);                                    \
        if (setjmp(catcher_.env) == 0) {                                               \
            statement;                                                                 \
            fail_msg("no panic: %s", #statement);                                      \
        }                                                                              \
        if (strstr(catcher_.text, (part)) == NULL) {                                   \
            fail_msg("'%s' is not in '%s'", (part), catcher_.text);                    \
        }                                                                              \
        sim_on_panic((s), NULL, NULL);                                                 \
    } while (0)

#endif /* ENGINE_PANIC_TEST_H */
