/*
 * A view as a command file of Surfer (surfer -c FILE.sucl DUMP): documented commands
 * only, of Surfer 0.4 and later. Values of states have names in the dump itself; the
 * mapping files of states.c add their colours.
 *
 * A new item goes behind the one that has the focus, into its group. So a group is
 * made around its first row; to leave it, it is folded and focused, and what is folded
 * is one visible item. In the end all groups are opened, and from the last to the first
 * those are folded again that the view has closed.
 *
 * Surfer has no vector of several variables, no curve by command, no shift in time and
 * no fixed point by any number of bits: a mask is the group of its members, a curve the
 * number, and a rate stands where the dump has it, at the end of its window.
 */
#define _POSIX_C_SOURCE 200809L /* putc_unlocked() */

#include "view_priv.h"

#include "part.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 /* groups around a row; deeper ones are not made */ };

struct folded {
    uint32_t at; /* among all items */
    struct folded *before;
};

struct group {
    const char *label;
    uint32_t at; /* among the visible items */
    bool made, closed;
};

struct surfer {
    struct view_out out; /* first: the writer's functions have this one */
    struct arena *arena;
    struct folded *folded; /* the last one */
    struct group group[DEEPEST];
    uint32_t depth;   /* groups begun and not ended */
    uint32_t n_seen;  /* visible items, while the file is read */
    uint32_t n_items; /* all of them */
};

static struct surfer *surfer_of(struct view_out *o)
{
    return (struct surfer *)o;
}

/* ---- words ---- */

/* There are thousands of lines, written twice: no printf(), and no lock per letter. */
static void put(FILE *f, const char *text)
{
    for (; *text != '\0'; text++) {
        (void)putc_unlocked(*text, f);
    }
}

/* A command, and what comes before its first word. */
static void put_command(FILE *f, const char *command)
{
    put(f, command);
    (void)putc_unlocked(' ', f);
}

/* Surfer's number of an item: hexadecimal in the letters a to p. */
static void put_focus(FILE *f, uint32_t item)
{
    char letters[] = "aaaaaaaa\n";
    char *at = letters + strlen(letters) - 1; /* the line's end */

    do {
        *--at = (char)('a' + (item & 15u));
        item >>= 4;
    } while (item != 0);
    put_command(f, "item_focus");
    put(f, at);
}

/* '#' begins a comment, ';' the next command. */
static void put_text(FILE *f, const char *command, const char *text)
{
    put_command(f, command);
    for (; *text != '\0'; text++) {
        bool ends = *text == '#' || *text == ';' || *text == '\n';

        (void)putc_unlocked(ends ? ' ' : *text, f);
    }
    (void)putc_unlocked('\n', f);
}

/* A name of one word. */
static void put_word(FILE *f, const char *command, const char *text)
{
    put_command(f, command);
    for (; *text != '\0'; text++) {
        bool is_word = (*text >= '0' && *text <= '9') ||
                       (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z');

        (void)putc_unlocked(is_word ? *text : '_', f);
    }
    (void)putc_unlocked('\n', f);
}

/* The variable: as GTKWave's loader names it, without the range. */
static void put_variable(FILE *f, const char *path)
{
    size_t n = strlen(path);
    const char *range = n > 0 && path[n - 1] == ']' ? strrchr(path, '[') : NULL;
    const char *end = range != NULL ? range : path + n;

    put_command(f, "variable_add");
    for (; path < end; path++) {
        (void)putc_unlocked(*path, f);
    }
    (void)putc_unlocked('\n', f);
}

/* ---- items ---- */

/* The groups begun since the last item, around the one that has the focus. */
static void make_groups(struct surfer *s)
{
    for (uint32_t i = 0; i < s->depth; i++) {
        struct group *g = &s->group[i];

        if (g->made) {
            continue;
        }
        put_word(s->out.f, "group_marked", g->label);
        g->at = s->n_seen - 1;
        g->made = true;
        if (g->closed) {
            struct folded *f = arena_alloc(s->arena, sizeof(*f));

            *f = (struct folded){.at = s->n_items - 1, .before = s->folded};
            s->folded = f;
        }
        put_focus(s->out.f, g->at);
        put_text(s->out.f, "item_rename", g->label);
        s->n_seen++;
        s->n_items++;
        put_focus(s->out.f, s->n_seen - 1);
    }
}

/* The item that was added has the focus from now on. */
static void added(struct surfer *s)
{
    s->n_seen++;
    s->n_items++;
    put_focus(s->out.f, s->n_seen - 1);
    make_groups(s);
}

static void surfer_heading(struct view_out *o, const char *text)
{
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");
        char line[128];

        snprintf(line, sizeof(line), "%.*s", (int)n, text);
        put_word(o->f, "divider_add", line);
        added(surfer_of(o));
        put_text(o->f, "item_rename", line);
        text += n + (text[n] == '\n');
    }
}

static void surfer_never(struct view_out *o, const char *name)
{
    char line[128];

    snprintf(line, sizeof(line), "%s: never", name);
    surfer_heading(o, line);
}

static void surfer_begin(struct view_out *o, const char *label, bool closed)
{
    struct surfer *s = surfer_of(o);

    if (s->depth < DEEPEST) {
        s->group[s->depth] =
            (struct group){.label = arena_strdup(s->arena, label), .closed = closed};
    }
    s->depth++;
}

static void surfer_end(struct view_out *o, const char *label, bool closed)
{
    struct surfer *s = surfer_of(o);
    const struct group *g;

    (void)label;
    (void)closed;
    s->depth--;
    if (s->depth >= DEEPEST || !s->group[s->depth].made) {
        return;
    }
    g = &s->group[s->depth];
    put_focus(o->f, g->at);
    fprintf(o->f, "group_fold_recursive\n");
    s->n_seen = g->at + 1;
    put_focus(o->f, g->at);
}

static const char *format_of(const struct gtkw_trace *t)
{
    if ((t->flags & GTKW_COUNT) != 0) {
        return "Number of ones";
    }
    switch (t->flags & (GTKW_BITS | GTKW_HEX | GTKW_DECIMAL)) {
    case GTKW_HEX: return "Hexadecimal";
    case GTKW_DECIMAL: return "Unsigned";
    default: return NULL;
    }
}

int view_mapping_length(const char *file)
{
    return (int)(strlen(file) - strlen(".txt"));
}

/* The row is called as the variable is, whose path may have a range behind it. */
static bool has_own_name(const struct gtkw_trace *t)
{
    const char *dot = strrchr(t->name, '.');
    const char *name = dot != NULL ? dot + 1 : t->name;
    size_t n = t->alias != NULL ? strlen(t->alias) : 0;

    return t->alias == NULL ||
           (strncmp(name, t->alias, n) == 0 && (name[n] == '\0' || name[n] == '['));
}

static void put_look(struct surfer *s, const struct gtkw_trace *t)
{
    static const char *const colours[] = {NULL,    "Red",  "Orange", "Yellow",
                                          "Green", "Blue", "Violet", "Pink"};
    const char *format = format_of(t);

    if (t->filter != NULL) { /* "state_warp.txt" */
        fprintf(s->out.f, "item_set_format " VIEW_MAPPING_NAME "\n",
                view_mapping_length(t->filter), t->filter);
    } else if (format != NULL) {
        put_text(s->out.f, "item_set_format", format);
    }
    if (colours[t->colour] != NULL) {
        put_text(s->out.f, "item_set_color", colours[t->colour]);
    }
    if (!has_own_name(t)) {
        put_text(s->out.f, "item_rename", t->alias);
    }
}

static void surfer_trace(struct view_out *o, const struct gtkw_trace *t)
{
    if ((t->flags & GTKW_BEGIN) != 0) {
        surfer_begin(o, t->alias, (t->flags & GTKW_CLOSED) != 0);
    }
    if (t->n_parts > 0) {
        return; /* the members have rows of their own */
    }
    put_variable(o->f, t->name);
    added(surfer_of(o));
    put_look(surfer_of(o), t);
}

static const struct view_writer surfer_writer = {.heading = surfer_heading,
                                                 .trace = surfer_trace,
                                                 .never = surfer_never,
                                                 .begin = surfer_begin,
                                                 .end = surfer_end};

/* ---- the file ---- */

static void put_marker(FILE *f, const char *name, uint64_t at)
{
    fprintf(f, "marker_set %s %" PRIu64 "\n", name, at);
}

static void put_markers(const struct view_marks *m, FILE *f)
{
    static const char *const names[N_VIEW_MARKS] = {
        [VIEW_MARK_KERNEL_START] = "start",
        [VIEW_MARK_CONFLICT] = "first_conflict",
        [VIEW_MARK_WORST_CONFLICT] = "worst_conflict",
        [VIEW_MARK_FAULT] = "first_fault",
        [VIEW_MARK_TRIGGER] = "trigger",
        [VIEW_MARK_KERNEL_END] = "kernel_end",
        [VIEW_MARK_END] = "end",
    };

    for (int i = 0; i < N_VIEW_MARKS; i++) {
        if (m->set[i]) {
            put_marker(f, names[i], m->at[i]);
        }
    }
    if (m->set[VIEW_MARK_CONFLICT] || m->set[VIEW_MARK_KERNEL_START]) {
        fprintf(f, "cursor_set %" PRIu64 "\n",
                m->at[m->set[VIEW_MARK_CONFLICT] ? VIEW_MARK_CONFLICT
                                                 : VIEW_MARK_KERNEL_START]);
    }
}

static void put_folds(const struct surfer *s)
{
    if (s->n_items == 0) {
        return;
    }
    fprintf(s->out.f, "group_unfold_all\n");
    for (const struct folded *g = s->folded; g != NULL; g = g->before) {
        put_focus(s->out.f, g->at);
        fprintf(s->out.f, "group_fold_recursive\n");
    }
    fprintf(s->out.f, "item_unfocus\n");
}

struct commands {
    const struct view_tree *t;
    const struct view *v;
};

static void fill(void *arg, FILE *f)
{
    const struct commands *const c = arg;
    const struct view_tree *const t = c->t;
    const struct view *const v = c->v;
    struct surfer s = {.out = {.to = &surfer_writer, .f = f}, .arena = t->arena};

    fprintf(s.out.f, "# smwave%s%s: view %s for Surfer, surfer -c THIS_FILE DUMP\n",
            t->version != NULL ? " " : "", t->version != NULL ? t->version : "",
            view_name_of(v->name));
    view_body_write(t, v, &s.out);
    put_folds(&s);
    put_markers(&t->marks, s.out.f);
    fprintf(s.out.f, "zoom_fit\n");
}

int surfer_write(const struct view_tree *t, const struct view *v, const char *path)
{
    struct commands c = {t, v};

    return part_write(path, fill, &c);
}
