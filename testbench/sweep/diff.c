#include "sweep/diff.h"

#include "io/diag.h"
#include "io/num.h"
#include "sweep/table.h"
#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- thresholds ---- */

static bool refuse(const char *text, const char *why, struct smw_err *e)
{
    err_set(e, SMW_ERR_USAGE, "--threshold '%s': %s", text, why);
    err_hint(e, "PATTERN=LIMIT, such as 'shared.*=0', 'cycles=1%%', 'cycles=+1%%' or "
                "'l2.*=any'");
    return false;
}

/* The limit, behind the sign. */
static bool read_limit(struct diff_threshold *t, const char *limit, struct smw_err *e)
{
    size_t n = strlen(limit);
    char number[64];
    bool ok;

    t->percent = n > 0 && limit[n - 1] == '%';
    n -= t->percent;
    ok = n > 0 && n < sizeof(number) && limit[0] != '+' && limit[0] != '-';
    if (ok) {
        memcpy(number, limit, n);
        number[n] = '\0';
        ok = num_f64(number, &t->limit) == NUM_OK && isfinite(t->limit);
    }
    return ok || refuse(t->text, "the limit is no number", e);
}

bool diff_threshold_add(struct diff_options *o, const char *text, struct smw_err *e)
{
    const char *equals = strrchr(text, '=');
    struct diff_threshold t = {.text = text};
    const char *limit;

    if (equals == NULL || equals == text) {
        return refuse(text, equals == NULL ? "there is no '='" : "no pattern", e);
    }
    limit = equals + 1;
    if (strcmp(limit, "any") == 0) {
        t.any = true;
    } else {
        t.side = *limit == '+'   ? DIFF_GREATER
                 : *limit == '-' ? DIFF_SMALLER
                                 : DIFF_BOTH;
        if (!read_limit(&t, limit + (t.side != DIFF_BOTH), e)) {
            return false;
        }
    }
    t.pattern = tb_printf("%.*s", (int)(equals - text), text);
    o->threshold =
        tb_realloc(o->threshold, (o->n_thresholds + 1) * sizeof(*o->threshold));
    o->threshold[o->n_thresholds++] = t;
    return true;
}

void diff_options_free(struct diff_options *o)
{
    for (uint32_t i = 0; i < o->n_thresholds; i++) {
        free(o->threshold[i].pattern);
    }
    free(o->threshold);
    *o = (struct diff_options){0};
}

error_t diff_parse_option(struct diff_options *o, int key, char *arg)
{
    struct smw_err e = {0};

    switch (key) {
    case 't':
        if (!diff_threshold_add(o, arg, &e)) {
            exit(diag_error(&e));
        }
        return 0;
    case 'a': o->all = true; return 0;
    case 'c': o->csv = true; return 0;
    case 'j': o->csv = o->json = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* The last threshold for name; NULL: none. */
static const struct diff_threshold *threshold_of(struct diff_options *o,
                                                 const char *name)
{
    const struct diff_threshold *last = NULL;

    for (uint32_t i = 0; i < o->n_thresholds; i++) {
        struct diff_threshold *t = &o->threshold[i];

        if (fnmatch(t->pattern, name, 0) == 0) {
            t->met = true;
            last = t;
        }
    }
    return last;
}

/* ---- two values ---- */

static bool is_number(const struct diff_value *v)
{
    return v->kind == DIFF_INT || v->kind == DIFF_REAL;
}

static double as_real(const struct diff_value *v)
{
    return v->kind == DIFF_INT ? (double)v->i : v->d;
}

static bool equal(const struct diff_value *a, const struct diff_value *b)
{
    if (a->kind == DIFF_INT && b->kind == DIFF_INT) {
        return a->i == b->i;
    }
    if (is_number(a) && is_number(b)) {
        double x = as_real(a), y = as_real(b);

        return x == y || (isnan(x) && isnan(y));
    }
    return a->kind == b->kind &&
           (a->kind == DIFF_NONE || strcmp(a->text, b->text) == 0);
}

/* b - a as text and as a number; "" and NaN where there is none. */
static double difference(const struct diff_value *a, const struct diff_value *b,
                         char *text, size_t size)
{
    text[0] = '\0';
    if (!is_number(a) || !is_number(b)) {
        return NAN;
    }
    if (a->kind == DIFF_INT && b->kind == DIFF_INT) {
        /* no difference of two int64_t is too large for these */
        uint64_t magnitude = a->i > b->i ? (uint64_t)a->i - (uint64_t)b->i
                                         : (uint64_t)b->i - (uint64_t)a->i;

        snprintf(text, size, "%s%" PRIu64,
                 a->i > b->i   ? "-"
                 : a->i < b->i ? "+"
                               : "",
                 magnitude);
        return a->i > b->i ? -(double)magnitude : (double)magnitude;
    }
    snprintf(text, size, "%+.6g", as_real(b) - as_real(a));
    return as_real(b) - as_real(a);
}

static bool allowed(const struct diff_threshold *t, const struct diff_value *a,
                    double change)
{
    if (t == NULL) {
        return false;
    }
    if (t->any) {
        return true;
    }
    if (isnan(change)) {
        return false;
    }
    if ((t->side == DIFF_GREATER && change < 0) ||
        (t->side == DIFF_SMALLER && change > 0)) {
        return true;
    }
    return t->percent ? fabs(change) * 100 <= t->limit * fabs(as_real(a))
                      : fabs(change) <= t->limit;
}

/* ---- output ---- */

static void value_text(const struct diff_value *v, struct text *out)
{
    switch (v->kind) {
    case DIFF_NONE: text_add(out, "%s", ""); break;
    case DIFF_INT: text_add(out, "%" PRId64, v->i); break;
    case DIFF_REAL: text_add(out, "%.17g", v->d); break;
    case DIFF_TEXT: text_add(out, "%s", v->text); break;
    }
}

/* "+2.04%"; "" where there is none. */
static void percent_text(const struct diff_value *a, double change, bool csv,
                         char *text, size_t size)
{
    double base = isnan(change) ? NAN : fabs(as_real(a)), p = 100 * change / base;

    if (isnan(change) || change == 0 || base == 0) {
        snprintf(text, size, "%s", csv && change == 0 ? "0" : "");
    } else if (csv) {
        snprintf(text, size, "%.6g", p);
    } else {
        snprintf(text, size, fabs(p) < 100 ? "%+.3g%%" : "%+.0f%%", p);
    }
}

static void print_csv(struct diff *d, const char *name, const struct diff_value *a,
                      const struct diff_value *b, const char *verdict)
{
    char change[64], percent[64];
    struct text row = {0}, value = {0};
    double by = difference(a, b, change, sizeof(change));

    percent_text(a, by, true, percent, sizeof(percent));
    text_add(&row, "%s,", d->key);
    table_csv_field(name, &row);
    for (int i = 0; i < 2; i++) {
        value_text(i == 0 ? a : b, &value);
        text_add(&row, ",");
        table_csv_field(value.s, &row);
        text_free(&value);
    }
    fprintf(d->f, "%s,%s,%s,%s\n", row.s, change, percent, verdict);
    text_free(&row);
}

static void print_row(struct diff *d, const char *name, const struct diff_value *a,
                      const struct diff_value *b, const char *remark)
{
    char change[64], percent[64];
    struct text left = {0}, right = {0}, row = {0};
    double by = difference(a, b, change, sizeof(change));

    if (!d->headed) {
        diag_text(d->f, d->heading);
        fprintf(d->f, "\n  %-26s %14s %14s %12s\n", "", "A", "B", "B - A");
        d->headed = true;
    }
    percent_text(a, by, false, percent, sizeof(percent));
    value_text(a, &left);
    value_text(b, &right);
    text_add(&row, "  %-26s %14s %14s %12s %9s", name,
             a->kind == DIFF_NONE ? "-" : left.s, b->kind == DIFF_NONE ? "-" : right.s,
             change, percent);
    if (remark[0] != '\0') {
        text_add(&row, "  %s", remark);
    }
    while (row.s[row.n - 1] == ' ') {
        row.s[--row.n] = '\0';
    }
    diag_text(d->f, row.s);
    fputc('\n', d->f);
    text_free(&left);
    text_free(&right);
    text_free(&row);
}

/* ---- a comparison ---- */

void diff_begin(struct diff *d, struct diff_options *opt, FILE *f, const char *what,
                const char *keys)
{
    *d = (struct diff){.opt = opt, .f = f, .what = what};
    if (opt->csv) {
        fprintf(f, "%s,name,a,b,difference,percent,verdict\n", keys);
    }
}

void diff_group(struct diff *d, const char *heading, const char *key)
{
    free(d->heading);
    free(d->key);
    d->heading = tb_strdup(heading);
    d->key = tb_strdup(key);
    d->headed = false;
}

/* For the hint about a pattern that matches nothing. */
static void remember(struct diff *d, const char *name)
{
    for (uint32_t i = 0; i < d->n_names; i++) {
        if (strcmp(d->name[i], name) == 0) {
            return;
        }
    }
    if (d->n_names == d->max_names) {
        d->max_names = d->max_names == 0 ? 64 : 2 * d->max_names;
        d->name = tb_realloc(d->name, d->max_names * sizeof(*d->name));
    }
    d->name[d->n_names++] = tb_strdup(name);
}

void diff_value(struct diff *d, const char *name, const struct diff_value *a,
                const struct diff_value *b)
{
    const struct diff_threshold *t = threshold_of(d->opt, name);
    bool same = equal(a, b), within;
    char remark[96] = "", change[64];

    if (d->opt->n_thresholds > 0) {
        remember(d, name);
    }
    within = !same && allowed(t, a, difference(a, b, change, sizeof(change)));
    d->compared++;
    d->allowed += within;
    d->different += !same && !within;
    if (same && !d->opt->all) {
        return;
    }
    if (d->opt->csv) {
        print_csv(d, name, a, b, same ? "equal" : within ? "allowed" : "different");
        return;
    }
    if (within) {
        snprintf(remark, sizeof(remark), "allowed by %s", t->text);
    } else if (!same && t != NULL) {
        snprintf(remark, sizeof(remark), "more than %s", t->text);
    }
    print_row(d, name, a, b, remark);
}

static bool all_met(const struct diff *d, struct smw_err *e)
{
    for (uint32_t i = 0; i < d->opt->n_thresholds; i++) {
        const struct diff_threshold *t = &d->opt->threshold[i];
        const char *nearest;

        if (t->met) {
            continue;
        }
        err_set(e, SMW_ERR_USAGE, "--threshold '%s' matches none of the %s", t->text,
                d->what);
        nearest = err_nearest(t->pattern, (const char *const *)d->name, d->n_names);
        if (nearest != NULL) {
            err_hint(e, "did you mean '%s'?", nearest);
        }
        return false;
    }
    return true;
}

int diff_end(struct diff *d, struct smw_err *e)
{
    int code = d->different > 0 ? TB_KERNEL : TB_OK;

    if (!d->opt->csv) {
        fprintf(d->f, "%" PRIu64 " %s compared, %" PRIu64 " differ", d->compared,
                d->what, d->different + d->allowed);
        if (d->allowed > 0) {
            fprintf(d->f, ", %" PRIu64 " of them by no more than is allowed",
                    d->allowed);
        }
        fputc('\n', d->f);
    }
    if (!all_met(d, e)) {
        code = TB_USAGE;
    }
    for (uint32_t i = 0; i < d->n_names; i++) {
        free(d->name[i]);
    }
    free(d->name);
    free(d->heading);
    free(d->key);
    return code;
}
