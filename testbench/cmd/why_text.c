#include "cmd/why_text.h"

#include <inttypes.h>

static json_int_t number(const json_t *o, const char *key)
{
    return json_integer_value(json_object_get(o, key));
}

static const char *word(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));

    return s == NULL ? "" : s;
}

/* Where a part was: "reverse.cu:9  0.1  ld.global.u32 %r5, [%rd4]". */
static void add_place(const json_t *part, struct text *out)
{
    if (json_object_get(part, "inst") != NULL) {
        text_add(out, "  %-16s %" JSON_INTEGER_FORMAT ".%" JSON_INTEGER_FORMAT "  %s",
                 word(part, "line"), number(part, "block"), number(part, "warp"),
                 word(part, "inst"));
    }
    text_add(out, "\n");
}

static void add_causes(const json_t *why, struct text *out)
{
    const json_t *causes = json_object_get(why, "causes"), *c;
    size_t i;

    text_add(out, "\n    %-12s %9s %6s %6s %7s  %s\n", "cause", "cycles", "share",
             "parts", "longest", "at line, block.warp, instruction");
    json_array_foreach(causes, i, c)
    {
        const json_t *worst = json_object_get(c, "worst");

        text_add(out,
                 "    %-12s %9" JSON_INTEGER_FORMAT " %5.1f%% %6" JSON_INTEGER_FORMAT
                 " %7" JSON_INTEGER_FORMAT,
                 word(c, "cause"), number(c, "cycles"),
                 100 * json_real_value(json_object_get(c, "share")), number(c, "count"),
                 number(worst, "cycles"));
        add_place(worst, out);
    }
}

static void add_meanings(const json_t *why, struct text *out)
{
    const json_t *causes = json_object_get(why, "causes"), *c;
    size_t i;

    text_add(out, "\n");
    json_array_foreach(causes, i, c)
    {
        text_add(out, "    %-12s %s\n", word(c, "cause"), word(c, "meaning"));
    }
}

static void add_chain(const json_t *why, struct text *out)
{
    const json_t *chain = json_object_get(why, "chain"), *p;
    json_int_t left_out = number(why, "left_out");
    size_t i, head = left_out > 0 ? (json_array_size(chain)) / 2 : SIZE_MAX;

    text_add(out, "\n    %-9s %7s  %-12s at line, block.warp, instruction\n", "cycle",
             "cycles", "cause");
    json_array_foreach(chain, i, p)
    {
        if (i == head) {
            text_add(out,
                     "    ... %" JSON_INTEGER_FORMAT
                     " parts left out (--parts N lists more)\n",
                     left_out);
        }
        text_add(out, "    %-9" JSON_INTEGER_FORMAT " %7" JSON_INTEGER_FORMAT "  %-12s",
                 number(p, "from"), number(p, "cycles"), word(p, "cause"));
        add_place(p, out);
    }
}

void why_text(const json_t *why, struct text *out)
{
    bool whole = json_is_true(json_object_get(why, "whole"));

    text_add(out,
             "%s, launch %" JSON_INTEGER_FORMAT ": cycles %" JSON_INTEGER_FORMAT
             " to %" JSON_INTEGER_FORMAT
             "; the chain of waits of %s is %" JSON_INTEGER_FORMAT
             " cycles, %" JSON_INTEGER_FORMAT " parts\n",
             word(why, "kernel"), number(why, "launch"), number(why, "begin"),
             number(why, "end"), whole ? "the whole launch" : "what led to the last",
             number(why, "cycles"), number(why, "parts"));
    add_causes(why, out);
    add_meanings(why, out);
    add_chain(why, out);
}
