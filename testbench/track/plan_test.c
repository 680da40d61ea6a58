/* A plan in words and back. */
#include "track/track.h"

#include "base/err.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void there_and_back(void **state)
{
    static const struct track_plan plans[] = {
        {.max = 1},
        {.blocks = true, .max = TRACK_MAX_INSTS},
        {.pipeline = true, .lane = TRACK_BY_WARP, .from = 7, .max = 9},
        {.pipeline = true,
         .lane = TRACK_BY_BLOCK,
         .timeline = true,
         .blocks = true,
         .from = UINT64_MAX,
         .max = TRACK_MOST_INSTS},
    };
    struct smw_err e;

    (void)state;
    err_clear(&e);
    for (uint32_t i = 0; i < ARRAY_LEN(plans); i++) {
        const struct track_plan *p = &plans[i];
        struct track_plan q;
        char text[TRACK_TEXT];

        assert_true(track_plan_text(p, text, sizeof(text)));
        assert_true(track_plan_parse(&q, text, &e));
        assert_true(q.pipeline == p->pipeline && q.timeline == p->timeline);
        assert_true(q.blocks == p->blocks && q.lane == p->lane);
        assert_true(q.from == p->from && q.max == p->max);
    }
}

static void no_plans(void **state)
{
    static const char *const texts[] = {"pipeline",     "pipeline=sm", "blocks=1",
                                        "from=",        "from=x",      "max=0",
                                        "max=50000001", "blocks,,"};
    struct track_plan p;
    struct smw_err e;
    char small[8];

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(texts); i++) {
        err_clear(&e);
        assert_false(track_plan_parse(&p, texts[i], &e));
        assert_non_null(strstr(e.message, "SMWAVE_TRACK"));
    }
    assert_false(track_plan_text(&(struct track_plan){.max = 1}, small, sizeof(small)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(there_and_back),
                                       cmocka_unit_test(no_plans)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
