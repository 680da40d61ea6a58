#include "trace/trace_select.h"

#include "io/file.h"
#include "io/num.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- refusing ---- */

bool trace_refuse(const struct trace_said *said, struct smw_err *e, const char *fmt,
                  ...)
{
    const struct yaml_node *n = said->node;
    char text[400];
    va_list ap;

    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    err_set(e, n == NULL ? SMW_ERR_USAGE : SMW_ERR_INPUT, "%s: %s", said->what, text);
    if (n != NULL) {
        yaml_point(said->yaml, n, e);
    }
    return false;
}

/* ---- points ---- */

static const struct {
    const char *word;
    enum trace_point_kind kind;
    bool end; /* for what is written, not for a window */
} words[] = {
    {"barrier", TRACE_BARRIER, false},   {"race", TRACE_RACE, false},
    {"conflict", TRACE_CONFLICT, false}, {"deadlock", TRACE_DEADLOCK, true},
    {"fault", TRACE_FAULT, true},        {"end", TRACE_END, true},
};

static const char forms[] = "a cycle, block=3, block=(1,0,0), kernel=NAME, kernel=2, "
                            "pc=FILE:LINE, pc=KERNEL+0x18, conflict>=8, barrier, race";

/* The text behind the prefix, NULL: it does not begin so. */
static const char *behind(const char *text, const char *prefix)
{
    size_t n = strlen(prefix);

    return strncmp(text, prefix, n) == 0 ? text + n : NULL;
}

static bool number(const char *text, size_t n, uint64_t *out)
{
    char digits[32];

    if (n == 0 || n >= sizeof(digits)) {
        return false;
    }
    memcpy(digits, text, n);
    digits[n] = '\0';
    return num_u64(digits, out) == NUM_OK;
}

/* 1200, 1200 cycles */
static bool read_cycles(const char *text, uint64_t *out)
{
    size_t n = strcspn(text, " ");
    const char *unit = text + n + strspn(text + n, " ");

    return (*unit == '\0' || strcmp(unit, "cycles") == 0 ||
            strcmp(unit, "cycle") == 0) &&
           number(text, n, out);
}

/* 3, (1,0,0), (1,0): what is not said is 0. */
static bool read_block(struct trace_point *p, const char *text)
{
    p->kind = TRACE_BLOCK;
    if (text[0] != '(') {
        return number(text, strlen(text), &p->n);
    }
    p->kind = TRACE_BLOCK_AT;
    text++;
    for (int i = 0; i < 3; i++) {
        size_t n = strcspn(text, ",)");
        uint64_t v;

        if (!number(text, n, &v) || v > UINT32_MAX) {
            return false;
        }
        p->at[i] = (uint32_t)v;
        text += n;
        if (*text == ')') {
            return text[1] == '\0';
        }
        text += *text == ',';
    }
    return false;
}

/* reverse.cu:17, reverse+0x18 */
static bool read_pc(struct trace_point *p, const char *text)
{
    const char *colon = strrchr(text, ':'), *plus = strrchr(text, '+');
    const char *at = colon != NULL ? colon : plus;

    if (at == NULL || at == text) {
        return false;
    }
    p->kind = colon != NULL ? TRACE_LINE : TRACE_OFFSET;
    p->name = text;
    p->name_length = (uint32_t)(at - text);
    return number(at + 1, strlen(at + 1), &p->n);
}

static bool read_kernel(struct trace_point *p, const char *text)
{
    p->name = text;
    p->name_length = (uint32_t)strlen(text);
    p->kind = TRACE_KERNEL;
    if (number(text, strlen(text), &p->n)) {
        p->kind = TRACE_KERNEL_NTH;
        return p->n > 0;
    }
    return *text != '\0';
}

static bool read_word(struct trace_point *p, const char *text, bool *end)
{
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (strcmp(text, words[i].word) == 0) {
            p->kind = words[i].kind;
            *end = words[i].end;
            p->n = 2; /* of a conflict */
            return true;
        }
    }
    return false;
}

static bool unknown(const struct trace_point *p, struct smw_err *e)
{
    static const char *const names[] = {"block",    "kernel",  "pc",   "cycle",
                                        "conflict", "barrier", "race", "deadlock",
                                        "fault",    "end"};
    char word[32];
    const char *nearest;

    snprintf(word, sizeof(word), "%.*s", (int)strcspn(p->text, "=> "), p->text);
    trace_refuse(&p->said, e, "'%s' is no point of a run", p->text);
    nearest = err_nearest(word, names, ARRAY_LEN(names));
    if (nearest != NULL && strcmp(nearest, word) != 0) {
        err_hint(e, "did you mean '%s'?", nearest);
    } else {
        err_hint(e, "write %s", forms);
    }
    return false;
}

static bool read_point(struct trace_point *p, enum trace_item item, struct smw_err *e)
{
    const char *t = p->text, *rest;
    bool end = false, ok;

    if ((rest = behind(t, "block=")) != NULL) {
        ok = read_block(p, rest);
    } else if ((rest = behind(t, "kernel=")) != NULL) {
        ok = read_kernel(p, rest);
    } else if ((rest = behind(t, "pc=")) != NULL) {
        ok = read_pc(p, rest);
    } else if ((rest = behind(t, "conflict>=")) != NULL) {
        p->kind = TRACE_CONFLICT;
        ok = number(rest, strlen(rest), &p->n) && p->n >= 2 && p->n <= 32;
        if (!ok) {
            return trace_refuse(&p->said, e, "'%s': a conflict's degree is 2 to 32", t);
        }
    } else if ((rest = behind(t, "cycle=")) != NULL) {
        p->kind = TRACE_CYCLE;
        ok = read_cycles(rest, &p->n);
    } else {
        p->kind = TRACE_CYCLE;
        ok = read_cycles(t, &p->n) || read_word(p, t, &end);
    }
    if (!ok) {
        return unknown(p, e);
    }
    return !end || item == TRACE_ON ||
           trace_refuse(&p->said, e,
                        "'%s' is how a run ends; it can write a ring (--trace-on)", t);
}

/* ---- items ---- */

static bool set_point(struct trace_select *s, enum trace_item item,
                      const struct trace_said *said, const char *text,
                      struct smw_err *e)
{
    static const enum wave_role roles[] = {
        [TRACE_START] = WAVE_START, [TRACE_STOP] = WAVE_STOP, [TRACE_ON] = WAVE_ON};
    struct trace_point *p = &s->point[roles[item]];

    *p = (struct trace_point){.said = *said, .text = text};
    if (!read_point(p, item, e)) {
        return false;
    }
    if (item != TRACE_ON && p->kind == TRACE_CYCLE && p->n == 0) {
        p->kind = TRACE_NOT_SAID; /* from the beginning, to the end */
    }
    return true;
}

static void add_scope(struct trace_select *s, const char *text)
{
    char *all = s->scope == NULL ? tb_strdup(text) : tb_printf("%s,%s", s->scope, text);

    free(s->scope);
    s->scope = all;
}

static bool set_cycles(uint64_t *out, struct trace_said *kept,
                       const struct trace_said *said, const char *text,
                       struct smw_err *e)
{
    *kept = *said;
    return read_cycles(text, out) ||
           trace_refuse(said, e, "'%s' is no number of cycles", text);
}

bool trace_select_set(struct trace_select *s, enum trace_item item,
                      const struct trace_said *said, const char *text,
                      struct smw_err *e)
{
    uint64_t n = 0;

    switch (item) {
    case TRACE_SCOPE:
        s->scope_said = *said;
        add_scope(s, text);
        return true;
    case TRACE_START:
    case TRACE_STOP:
    case TRACE_ON: return set_point(s, item, said, text, e);
    case TRACE_DEPTH:
        s->depth_said = *said;
        if (!number(text, strlen(text), &n) || n > UINT32_MAX) {
            return trace_refuse(said, e, "'%s' is no number of levels", text);
        }
        s->depth = (uint32_t)n;
        return true;
    case TRACE_RING_CYCLES:
        if (!set_cycles(&s->ring, &s->ring_said, said, text, e)) {
            return false;
        }
        return s->ring > 0 || trace_refuse(said, e, "a ring of no cycles");
    case TRACE_AFTER: return set_cycles(&s->after, &s->after_said, said, text, e);
    }
    return true;
}

void trace_select_override(struct trace_select *s, const struct trace_select *o)
{
    if (o->scope_said.what != NULL) {
        free(s->scope);
        s->scope = tb_strdup(o->scope);
        s->scope_said = o->scope_said;
    }
    if (o->depth_said.what != NULL) {
        s->depth = o->depth;
        s->depth_said = o->depth_said;
    }
    for (int i = 0; i < N_WAVE_ROLES; i++) {
        if (o->point[i].said.what != NULL) {
            s->point[i] = o->point[i];
        }
    }
    if (o->ring_said.what != NULL) {
        s->ring = o->ring;
        s->ring_said = o->ring_said;
    }
    if (o->after_said.what != NULL) {
        s->after = o->after;
        s->after_said = o->after_said;
    }
}

bool trace_select_check_order(const struct trace_select *s, struct smw_err *e)
{
    const struct trace_point *start = &s->point[WAVE_START];
    const struct trace_point *stop = &s->point[WAVE_STOP];
    const struct trace_point *on = &s->point[WAVE_ON];
    uint64_t from = start->kind == TRACE_CYCLE ? start->n : 0;

    if (stop->kind == TRACE_CYCLE && stop->n <= from) {
        return trace_refuse(&stop->said, e,
                            "cycle %" PRIu64 " is not after the start (%" PRIu64 ")",
                            stop->n, from);
    }
    if (on->kind == TRACE_CYCLE &&
        (on->n < from || (stop->kind == TRACE_CYCLE && on->n >= stop->n))) {
        return trace_refuse(&on->said, e, "cycle %" PRIu64 " is outside the window",
                            on->n);
    }
    return true;
}

/* Nothing happens behind it. */
static bool is_last(enum trace_point_kind kind)
{
    return kind == TRACE_END || kind == TRACE_DEADLOCK || kind == TRACE_FAULT;
}

bool trace_select_check(struct trace_select *s, struct smw_err *e)
{
    struct trace_point *on = &s->point[WAVE_ON];

    if (on->kind == TRACE_NOT_SAID && s->ring > 0) {
        on->kind = TRACE_END;
        on->text = "end";
    }
    if (on->kind != TRACE_NOT_SAID && s->ring == 0) {
        s->ring = TRACE_RING;
    }
    if (s->after_said.what == NULL) {
        s->after = is_last(on->kind) ? 0 : s->ring / 2;
    } else if (s->ring == 0) {
        return trace_refuse(&s->after_said, e, "there is no ring to be written");
    } else if (s->after >= s->ring) {
        return trace_refuse(&s->after_said, e,
                            "%" PRIu64
                            " cycles behind the point, of a ring of %" PRIu64,
                            s->after, s->ring);
    }
    return trace_select_check_order(s, e);
}

bool trace_select_given(const struct trace_select *s)
{
    return s->scope != NULL || s->depth != 0 || s->ring != 0 ||
           s->point[WAVE_START].kind != TRACE_NOT_SAID ||
           s->point[WAVE_STOP].kind != TRACE_NOT_SAID;
}

void trace_select_free(struct trace_select *s)
{
    free(s->scope);
    s->scope = NULL;
}
