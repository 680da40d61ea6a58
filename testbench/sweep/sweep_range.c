#include "sweep/sweep_priv.h"

#include "io/file.h"
#include "io/num.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A..B [step S], A and B numbers or powers of the same base. */
struct ends {
    double from, to, step;
    double from_base, to_base; /* 0: it is no power */
    bool has_step;
};

/* The n characters at p as a number. */
static bool read_number(const char *p, size_t n, double *out)
{
    char *word = tb_printf("%.*s", (int)n, p);
    struct expr_value v = expr_value_of(word);

    free(word);
    *out = v.number;
    return v.kind == EXPR_NUMBER;
}

/* "2^6" or "64", n characters at p. */
static bool read_end(const char *p, size_t n, double *base, double *number)
{
    const char *hat = memchr(p, '^', n);

    *base = 0;
    if (hat == NULL) {
        return read_number(p, n, number);
    }
    return read_number(p, (size_t)(hat - p), base) &&
           read_number(hat + 1, n - (size_t)(hat + 1 - p), number);
}

static bool read_ends(const char *text, struct ends *out)
{
    const char *dots = strstr(text, "..");
    const char *step = strstr(text, " step ");
    const char *end = step == NULL ? text + strlen(text) : step;

    *out = (struct ends){.step = 1, .has_step = step != NULL};
    return dots < end &&
           read_end(text, (size_t)(dots - text), &out->from_base, &out->from) &&
           read_end(dots + 2, (size_t)(end - dots - 2), &out->to_base, &out->to) &&
           (step == NULL || read_number(step + 6, strlen(step + 6), &out->step));
}

static bool refuse(struct sweep_reader *r, const struct yaml_node *n, const char *why)
{
    yaml_refuse(&r->s->yaml, n, SMW_ERR_INPUT, r->e, "'%s' is no range: %s", n->text,
                why);
    err_hint(r->e, "ranges are 1..16, 1..16 step 3, 2^0..2^6");
    return false;
}

/* Looks like one: a number, then two dots. */
static bool is_range(const struct yaml_node *n)
{
    const char *p = n->text;
    size_t digits = strspn(p, "-+0123456789.^xXeE");
    const char *dots = strstr(p, "..");

    return n->kind == YAML_SCALAR && !n->quoted && dots != NULL && dots > p &&
           (size_t)(dots - p) <= digits && strspn(p, "-+.") < (size_t)(dots - p) &&
           (p[0] == '-' || (p[0] >= '0' && p[0] <= '9'));
}

bool sweep_read_range(struct sweep_reader *r, const struct yaml_node *n,
                      struct sweep_part *out)
{
    struct ends ends;
    double count;

    if (!is_range(n)) {
        return false;
    }
    if (!read_ends(n->text, &ends)) {
        return refuse(r, n, "it has no two numbers as ends");
    }
    if (ends.from_base != ends.to_base) {
        return refuse(r, n, "its ends are not powers of one base");
    }
    if (ends.from_base < 0) {
        return refuse(r, n, "the base of a power is above 0");
    }
    if (ends.step == 0) {
        return refuse(r, n, "a step of 0 does not end");
    }
    /* 0.1..0.5 step 0.1 has five values, whatever the last bits are. */
    count = floor((ends.to - ends.from) / ends.step + 1e-9) + 1;
    if (count < 1) {
        return refuse(r, n,
                      ends.has_step ? "no step leads from one end to the other"
                                    : "it goes down, which takes a step below 0");
    }
    if (count > 9007199254740992.0) {
        return refuse(r, n, "it has more than 2^53 values");
    }
    *out = (struct sweep_part){.value.at = n,
                               .first = ends.from,
                               .step = ends.step,
                               .base = ends.from_base,
                               .n = (uint64_t)count};
    return true;
}
