#include "reader_priv.h"

#include <string.h>

/* ---- values ---- */

/* Bits, most significant first. */
static bool parse_bits(struct reader *r, const char *bits, struct reader_change *c,
                       struct smw_err *e)
{
    c->value = 0;
    c->known = true;
    for (const char *s = bits; *s != '\0'; s++) {
        c->value <<= 1;
        if (*s == '1') {
            c->value |= 1;
        } else if (strchr("xXzZ", *s) != NULL) {
            c->known = false;
        } else if (*s != '0') {
            return reader_refuse(r, e, "'%s' is no value in bits", bits);
        }
    }
    return bits[0] != '\0' || reader_refuse(r, e, "a value %s", "without bits");
}

/* The signal of that code changes. form: 'b', 'r' or 's'; length of the value. */
static bool resolve(struct reader *r, const char *code, char form, size_t length,
                    struct reader_change *c, struct smw_err *e)
{
    static const char forms[] = {[READER_WIRE] = 'b',
                                 [READER_INTEGER] = 'b',
                                 [READER_REAL] = 'r',
                                 [READER_STRING] = 's',
                                 [READER_EVENT] = 'b'};
    const struct signal *s;

    if (strlen(code) > MAX_CODE) {
        return reader_refuse(r, e, "an identifier code of more than %s bytes", "16");
    }
    c->signal = reader_find(r, code)->signal;
    if (c->signal == READER_NONE) {
        return reader_refuse(r, e, "'%s' was not declared", code);
    }
    s = &r->signal[c->signal];
    if (forms[s->kind] != form) {
        return reader_refuse(r, e, "'%s' is of another kind than this value", code);
    }
    return form != 'b' || length <= s->width ||
           reader_refuse(r, e, "the value of '%s' has too many bits", code);
}

static enum reader_step end(struct reader *r)
{
    if (r->failed) {
        return READER_FAILED;
    }
    r->ended = true;
    return READER_END;
}

/* "1!": a bit. */
static enum reader_step short_change(struct reader *r, struct reader_change *c,
                                     struct smw_err *e)
{
    r->bit[0] = r->word[0];
    c->text = r->bit;
    return parse_bits(r, r->bit, c, e) && resolve(r, r->word + 1, 'b', 1, c, e)
               ? READER_CHANGE
               : READER_FAILED;
}

/* "b101 !", "r0.5 !", "sword !": the value is in r->word. */
static enum reader_step long_change(struct reader *r, struct reader_change *c,
                                    struct smw_err *e)
{
    char form = r->word[0], *word = r->word;
    size_t capacity = r->capacity, length = r->length - 1;

    form = (char)(form == 'B' ? 'b' : form == 'R' ? 'r' : form == 'S' ? 's' : form);
    r->word = r->value; /* the code goes into the other buffer */
    r->capacity = r->value_capacity;
    r->value = word;
    r->value_capacity = capacity;
    c->text = word + 1;
    c->value = 0;
    c->known = true;
    if (!reader_word(r, e)) {
        r->cut = true;
        return end(r);
    }
    return (form != 'b' || parse_bits(r, c->text, c, e)) &&
                   resolve(r, r->word, form, length, c, e)
               ? READER_CHANGE
               : READER_FAILED;
}

/* "#100" */
static enum reader_step new_time(struct reader *r, struct smw_err *e)
{
    uint64_t t;

    if (!reader_number(r->word + 1, &t)) {
        reader_refuse(r, e, "'%s' is no time", r->word);
        return READER_FAILED;
    }
    if (r->timed && t < r->time) {
        reader_refuse(r, e, "the time goes back to '%s'", r->word);
        return READER_FAILED;
    }
    r->timed = true;
    r->time = t;
    return READER_TIME;
}

/* ---- keywords ---- */

/* *again: it was nothing that the caller wants to know. */
static enum reader_step keyword(struct reader *r, bool *again, struct smw_err *e)
{
    *again = false;
    if (reader_is(r, "$end")) {
        *again = !r->in_vars;
        r->in_vars = false;
        return READER_BEGUN;
    }
    if (reader_is(r, "$dumpoff")) {
        return READER_OFF;
    }
    if (reader_is(r, "$dumpon")) {
        return READER_ON;
    }
    *again = true;
    if (reader_is(r, "$dumpvars")) {
        r->in_vars = true;
    } else if (reader_is(r, "$comment")) {
        while (reader_word(r, e) && !reader_is(r, "$end")) {
        }
    } else if (!reader_is(r, "$dumpall")) {
        *again = false;
        reader_refuse(r, e, "there is no keyword '%s' among the changes", r->word);
        return READER_FAILED;
    }
    return READER_END;
}

static enum reader_step step(struct reader *r, struct reader_change *c,
                             struct smw_err *e)
{
    for (;;) {
        enum reader_step s;
        bool again;

        if (!reader_word(r, e)) {
            return end(r);
        }
        switch (r->word[0]) {
        case '#': return new_time(r, e);
        case 'b':
        case 'B':
        case 'r':
        case 'R':
        case 's':
        case 'S': return long_change(r, c, e);
        case '$':
            s = keyword(r, &again, e);
            if (!again) {
                return s;
            }
            break;
        default: return short_change(r, c, e);
        }
    }
}

enum reader_step reader_next(struct reader *r, struct reader_change *c,
                             struct smw_err *e)
{
    enum reader_step s;

    if (r->failed || r->ended) {
        return r->failed ? READER_FAILED : READER_END;
    }
    *c = (struct reader_change){.signal = READER_NONE};
    s = step(r, c, e);
    c->time = r->time;
    return s;
}

bool reader_was_cut(const struct reader *r)
{
    return r->cut;
}
