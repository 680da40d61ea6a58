/*
 * Patterns over dotted paths: globs in which numbers are numbers, and, in slashes,
 * regular expressions.
 */
#include "wave_priv.h"

#include <regex.h>
#include <string.h>

struct wave_scope {
    const char *text;
    bool is_regex, used;
    regex_t regex;
    struct wave_scope *next;
};

/* ---- globs ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A number begins at s. One that runs into a wildcard ("bank0?") is just digits. */
static bool is_number(const char *begin, const char *s)
{
    if (s != begin && is_digit(s[-1])) {
        return false;
    }
    while (is_digit(*s)) {
        s++;
    }
    return *s != '*' && *s != '?';
}

/* The first digit that counts of the number at s. */
static const char *significant(const char *s)
{
    while (s[0] == '0' && is_digit(s[1])) {
        s++;
    }
    return s;
}

bool wave_glob(const char *pattern, const char *text)
{
    const char *p = pattern, *t = text;
    const char *star = NULL, *back = NULL; /* behind the last star, and its match */

    while (*t != '\0') {
        if (*p == '*') {
            star = ++p;
            if (*star == '\0') {
                return true;
            }
            back = t;
            continue;
        }
        if (is_digit(*p) && is_digit(*t)) {
            bool numbers = is_number(pattern, p) && is_number(text, t);
            const char *pn = numbers ? significant(p) : p;
            const char *tn = numbers ? significant(t) : t;

            if (*pn == *tn) {
                p = pn + 1;
                t = tn + 1;
                continue;
            }
        } else if (*p == '?' || *p == *t) {
            p++;
            t++;
            continue;
        }
        if (star == NULL) {
            return false;
        }
        p = star;
        t = ++back;
    }
    while (*p == '*') {
        p++;
    }
    return *p == '\0';
}

/* ---- the list ---- */

/* The end of the pattern that begins at s: a comma outside slashes, or the end. A slash
 * begins an expression only where a pattern begins; a backslash takes the next
 * character along. */
static const char *end_of(const char *s)
{
    if (*s == '/') {
        for (s++; *s != '\0' && (s[0] != '/' || (s[1] != ',' && s[1] != '\0')); s++) {
            s += s[0] == '\\' && s[1] != '\0';
        }
        s += *s == '/';
    }
    return s + strcspn(s, ",");
}

static bool compile(struct wave_scope *p, struct wave *w, struct smw_err *e)
{
    size_t n = strlen(p->text);
    const char *inside;
    char words[128];
    int error;

    if (n == 0) {
        return err_set(e, SMW_ERR_INPUT, "the trace scope has an empty pattern");
    }
    if (p->text[0] != '/') {
        return true;
    }
    if (n < 3 || p->text[n - 1] != '/') {
        return err_set(e, SMW_ERR_INPUT, "trace scope '%s': an expression is /.../",
                       p->text);
    }
    inside = arena_printf(sim_arena(w->sim), "%.*s", (int)(n - 2), p->text + 1);
    error = regcomp(&p->regex, inside, REG_EXTENDED | REG_NOSUB);
    if (error != 0) {
        regerror(error, &p->regex, words, sizeof(words));
        return err_set(e, SMW_ERR_INPUT, "trace scope '%s': %s", p->text, words);
    }
    p->is_regex = true;
    return true;
}

struct wave_scope *wave_scope_open(struct wave *w, struct smw_err *e)
{
    struct wave_scope *list = NULL, **tail = &list;

    for (const char *s = w->cfg.scope; s != NULL;) {
        const char *end = end_of(s);
        struct wave_scope *p = sim_alloc(w->sim, sizeof(*p));

        p->text = arena_printf(sim_arena(w->sim), "%.*s", (int)(end - s), s);
        *tail = p;
        tail = &p->next;
        if (!compile(p, w, e)) {
            wave_scope_close(list);
            return NULL;
        }
        s = *end == ',' ? end + 1 : NULL;
    }
    return list;
}

void wave_scope_close(struct wave_scope *list)
{
    for (struct wave_scope *p = list; p != NULL; p = p->next) {
        if (p->is_regex) {
            regfree(&p->regex);
        }
    }
}

bool wave_scope_has(struct wave_scope *list, const char *path)
{
    bool has = false;

    for (struct wave_scope *p = list; p != NULL; p = p->next) {
        bool matches = p->is_regex ? regexec(&p->regex, path, 0, NULL, 0) == 0
                                   : wave_glob(p->text, path);

        p->used = p->used || matches;
        has = has || matches;
    }
    return has;
}

const char *wave_scope_unused(const struct wave_scope *list)
{
    while (list != NULL && list->used) {
        list = list->next;
    }
    return list != NULL ? list->text : NULL;
}
