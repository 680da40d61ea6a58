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

/* A command of one word behind its name. */
static void put_line(struct lines *l, const char *command, const char *word)
{
    lines_text(l, command);
    lines_char(l, ' ');
    lines_text(l, word);
    lines_char(l, '\n');
}

/* Surfer's number of an item: hexadecimal in the letters a to p. */
static void put_focus(struct lines *l, uint32_t item)
{
    char letters[] = "aaaaaaaa";
    char *at = letters + strlen(letters);

    do {
        *--at = (char)('a' + (item & 15u));
        item >>= 4;
    } while (item != 0);
    put_line(l, "item_focus", at);
}

/* '#' begins a comment, ';' the next command. */
static void put_text(struct lines *l, const char *command, const char *text)
{
    size_t n;

    lines_text(l, command);
    lines_char(l, ' ');
    for (; text[n = strcspn(text, "#;\n")] != '\0'; text += n + 1) {
        lines_bytes(l, text, n);
        lines_char(l, ' ');
    }
    lines_bytes(l, text, n);
    lines_char(l, '\n');
}

/* A name of one word. */
static void put_word(struct lines *l, const char *command, const char *text)
{
    lines_text(l, command);
    lines_char(l, ' ');
    for (; *text != '\0'; text++) {
        bool is_word = (*text >= '0' && *text <= '9') ||
                       (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z');

        lines_char(l, is_word ? *text : '_');
    }
    lines_char(l, '\n');
}

/* The variable: as GTKWave's loader names it, without the range. */
static void put_variable(struct lines *l, const char *path)
{
    size_t n = strlen(path);
    const char *range = n > 0 && path[n - 1] == ']' ? strrchr(path, '[') : NULL;

    lines_text(l, "variable_add ");
    lines_bytes(l, path, range != NULL ? (size_t)(range - path) : n);
    lines_char(l, '\n');
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
        put_word(&s->out.l, "group_marked", g->label);
        g->at = s->n_seen - 1;
        g->made = true;
        if (g->closed) {
            struct folded *f = arena_alloc(s->arena, sizeof(*f));

            *f = (struct folded){.at = s->n_items - 1, .before = s->folded};
            s->folded = f;
        }
        put_focus(&s->out.l, g->at);
        put_text(&s->out.l, "item_rename", g->label);
        s->n_seen++;
        s->n_items++;
        put_focus(&s->out.l, s->n_seen - 1);
    }
}

/* The item that was added has the focus from now on. */
static void added(struct surfer *s)
{
    s->n_seen++;
    s->n_items++;
    put_focus(&s->out.l, s->n_seen - 1);
    make_groups(s);
}

static void surfer_heading(struct view_out *o, const char *text)
{
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");
        char line[128];

        snprintf(line, sizeof(line), "%.*s", (int)n, text);
        put_word(&o->l, "divider_add", line);
        added(surfer_of(o));
        put_text(&o->l, "item_rename", line);
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
    put_focus(&o->l, g->at);
    lines_text(&o->l, "group_fold_recursive\n");
    s->n_seen = g->at + 1;
    put_focus(&o->l, g->at);
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
        lines_text(&s->out.l, "item_set_format " VIEW_MAPPING_BEGINS);
        lines_bytes(&s->out.l, t->filter, (size_t)view_mapping_length(t->filter));
        lines_char(&s->out.l, '\n');
    } else if (format != NULL) {
        put_text(&s->out.l, "item_set_format", format);
    }
    if (colours[t->colour] != NULL) {
        put_text(&s->out.l, "item_set_color", colours[t->colour]);
    }
    if (!has_own_name(t)) {
        put_text(&s->out.l, "item_rename", t->alias);
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
    put_variable(&o->l, t->name);
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

static void put_folds(struct surfer *s)
{
    struct lines *l = &s->out.l;

    if (s->n_items == 0) {
        return;
    }
    lines_text(l, "group_unfold_all\n");
    for (const struct folded *g = s->folded; g != NULL; g = g->before) {
        put_focus(l, g->at);
        lines_text(l, "group_fold_recursive\n");
    }
    lines_text(l, "item_unfocus\n");
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
    struct surfer s = {.out = {.to = &surfer_writer}, .arena = t->arena};

    fprintf(f, "# smwave%s%s: view %s for Surfer, surfer -c THIS_FILE DUMP\n",
            t->version != NULL ? " " : "", t->version != NULL ? t->version : "",
            view_name_of(v->name));
    lines_begin(&s.out.l, f);
    view_body_write(t, v, &s.out);
    put_folds(&s);
    lines_write(&s.out.l);
    put_markers(&t->marks, f);
    fprintf(f, "zoom_fit\n");
}

int surfer_write(const struct view_tree *t, const struct view *v, const char *path)
{
    struct commands c = {t, v};

    return part_write(path, fill, &c);
}
