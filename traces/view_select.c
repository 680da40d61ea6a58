/*
 * Which variables a view has: by the views that their probes name, and by the number of
 * the scope they lie in.
 */
#include "view_priv.h"

#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

size_t view_stem(const char *name)
{
    size_t n = strlen(name);

    while (n > 0 && is_digit(name[n - 1])) {
        n--;
    }
    return n;
}

/* Scopes that a variable says have the size 0. */
static void find_absent(struct view_scope *list)
{
    for (struct view_scope *s = list; s != NULL; s = s->next) {
        for (const struct view_var *v = s->vars; v != NULL; v = v->next) {
            for (struct view_scope *of = v->desc->sizes != NULL ? list : NULL;
                 of != NULL; of = of->next) {
                if (strcmp(of->name, v->desc->sizes) == 0) {
                    of->absent = v->zero;
                }
            }
        }
        find_absent(s->first);
    }
}

/* Is the word one of the list, which has commas? */
static bool has_word(const char *list, const char *word)
{
    size_t n = strlen(word);

    for (const char *s = list; s != NULL;) {
        size_t length = strcspn(s, ",");

        if (length == n && strncmp(s, word, n) == 0) {
            return true;
        }
        s = s[length] == ',' ? s + length + 1 : NULL;
    }
    return false;
}

/* "warp07" is scope 7 of the view "warp". */
static bool is_other_number(const struct view *view, const struct view_scope *s)
{
    const char *name = view_name_of(view->name);
    size_t n = view_stem(s->name);

    return n == strlen(name) && strncmp(s->name, name, n) == 0 && s->name[n] != '\0' &&
           strtoul(s->name + n, NULL, 10) != view->number;
}

static bool matches(const struct view *view, const struct view_scope *s,
                    const struct view_var *v)
{
    if (view->name == VIEW_OVERVIEW) {
        return true;
    }
    if (!has_word(v->desc->views, view_name_of(view->name))) {
        return false;
    }
    for (; view_is_numbered(view->name) && s != NULL; s = s->parent) {
        if (is_other_number(view, s)) {
            return false;
        }
    }
    return true;
}

static uint32_t select_below(const struct view *view, struct view_scope *s)
{
    uint32_t n = 0;

    for (; s != NULL; s = s->next) {
        bool leave_out = view->name != VIEW_OVERVIEW && s->absent;

        for (struct view_var *v = s->vars; v != NULL; v = v->next) {
            v->shown = !v->hidden && !leave_out && (v->clock || matches(view, s, v));
            n += v->shown && !v->clock;
        }
        n += select_below(view, s->first);
    }
    return n;
}

uint32_t view_select(struct view_tree *t, const struct view *v)
{
    find_absent(t->root);
    return select_below(v, t->root);
}

bool view_never_fired(const struct view_tree *t, const struct view_var *v)
{
    return v->kind == VIEW_EVENT && t->complete && !v->active;
}
