/* advice_text.c - advice for a terminal, and its rules: advice_text() and advice_list()
 * of advice.h. */
#include "report/advice.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 100, INDENT = 10 };

/* Words of s, in lines that begin behind INDENT blanks. */
static void print_wrapped(const char *s, struct text *out)
{
    size_t used = COLUMNS;

    while (*s != '\0') {
        size_t n = strcspn(s, " \n");

        if (n > 0) {
            bool fits = used + 1 + n <= COLUMNS;

            if (!fits) {
                text_add(out, "%s%*s", used == COLUMNS ? "" : "\n", INDENT, "");
                used = INDENT;
            }
            text_add(out, "%s%.*s", fits ? " " : "", (int)n, s);
            used += n + fits;
            used = used > COLUMNS - 1 ? COLUMNS - 1 : used;
        }
        s += n + (s[n] != '\0');
    }
    text_add(out, "\n");
}

static void print_gain(const struct advice_item *i, struct text *out)
{
    char *line;

    if (i->without == 0) {
        return;
    }
    line = tb_printf("Without %s: %" PRIu64 " instead of %" PRIu64 " cycles.",
                     i->rule == ADVICE_LATENCY ? "misses of the L1" : "this",
                     i->without, i->cycles);
    print_wrapped(line, out);
    free(line);
}

void advice_text(const struct advice *a, uint32_t launch, bool color, struct text *out)
{
    bool first = true;

    for (uint32_t k = 0; k < a->n; k++) {
        const struct advice_item *i = &a->at[k];
        char inlined[256];

        if (i->launch != launch) {
            continue;
        }
        if (first) {
            text_add(out, "  %sadvice%s\n", color ? "\033[1m" : "",
                     color ? "\033[0m" : "");
            first = false;
        }
        smw_inlined_text(&i->inlined, inlined, sizeof(inlined));
        text_add(out, "    %s%s%s%s%s%s\n", color ? "\033[1m" : "",
                 advice_rules[i->rule].id, color ? "\033[0m" : "",
                 i->place[0] == '\0' ? "" : "  ", i->place, inlined);
        print_wrapped(i->what, out);
        if (i->why[0] != '\0') {
            print_wrapped(i->why, out);
        }
        print_gain(i, out);
        print_wrapped(i->fix, out);
    }
}

void advice_list(struct text *out)
{
    for (uint32_t k = 0; k < ADVICE_RULES; k++) {
        const struct advice_rule *r = &advice_rules[k];

        text_add(out, "%s%s: %s\n", k == 0 ? "" : "\n", r->id, r->name);
        print_wrapped(r->looks, out);
        print_wrapped(r->advice, out);
        if (r->key != NULL) {
            text_add(out, "%*sgain: run again with %s\n", INDENT, "", r->key);
        }
    }
}
