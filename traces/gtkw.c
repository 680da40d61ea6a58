/*
 * The syntax of GTKWave's save file: its head and single rows. A name that GTKWave
 * cannot resolve is dropped silently, so every name here is the loader's.
 */
#include "view_priv.h"

#include "part.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* The window, in pixels. What the two side panes leave is the wave pane. */
enum {
    HEIGHT = 900,
    SIGNALS = 370, /* a heading beside an address of 64 bits */
    TREE = 280,    /* GTK makes it no smaller */
    MARGIN = 20,
    WIDTH = GTKW_PANE + SIGNALS + TREE + MARGIN
};

/* ---- rows ---- */

static void heading_line(struct lines *l, const char *text, size_t length)
{
    while (length > 0) {
        size_t n = length;

        if (n > GTKW_HEADING_LENGTH) {
            for (n = GTKW_HEADING_LENGTH; n > 1 && text[n] != ' '; n--) {
            }
            n = n > 1 ? n : GTKW_HEADING_LENGTH;
        }
        lines_char(l, '-');
        lines_bytes(l, text, n);
        lines_char(l, '\n');
        text += n;
        length -= n;
        while (length > 0 && *text == ' ') {
            text++;
            length--;
        }
    }
}

static void put_flags(struct lines *l, uint32_t flags)
{
    lines_char(l, '@');
    lines_number(l, flags, 16);
    lines_char(l, '\n');
}

static void gtkw_heading(struct view_out *o, const char *text)
{
    put_flags(&o->l, GTKW_HEADING);
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");

        heading_line(&o->l, text, n);
        text += n + (text[n] == '\n');
    }
}

/* Make the row above higher. */
static void gtkw_taller(struct lines *l)
{
    put_flags(l, GTKW_TALLER);
    for (int i = 0; i < GTKW_CURVE_ROWS; i++) {
        lines_text(l, "-\n");
    }
}

/* What the row shows: a vector of bits, or a variable, under its name or another. */
static void put_signals(struct lines *l, const struct gtkw_trace *t)
{
    if (t->n_parts > 0) {
        lines_text(l, "#{");
        lines_text(l, t->alias);
        lines_char(l, '[');
        lines_number(l, t->n_parts - 1, 10);
        lines_text(l, ":0]}");
        for (uint32_t i = 0; i < t->n_parts; i++) {
            lines_char(l, ' ');
            lines_text(l, t->parts[i]);
        }
    } else if (t->bits > 0) {
        lines_text(l, "#{");
        lines_text(l, t->alias);
        lines_char(l, '}');
        for (uint32_t i = 0; i < t->bits; i++) {
            lines_text(l, " (");
            lines_number(l, i, 10);
            lines_char(l, ')');
            lines_text(l, t->name);
        }
    } else {
        if (t->alias != NULL) {
            lines_text(l, "+{");
            lines_text(l, t->alias);
            lines_text(l, "} ");
        }
        lines_text(l, t->name);
    }
    lines_char(l, '\n');
}

static void gtkw_trace(struct view_out *o, const struct gtkw_trace *t)
{
    struct lines *l = &o->l;

    put_flags(l, t->flags);
    if (t->colour != GTKW_PLAIN) {
        lines_text(l, "[color] ");
        lines_number(l, t->colour, 10);
        lines_char(l, '\n');
    }
    if (t->filter != NULL) {
        lines_text(l, "^1 ");
        lines_text(l, t->filter);
        lines_char(l, '\n');
    }
    if ((t->flags & GTKW_SHIFTED) != 0) {
        lines_text(l, "[fpshift_count] ");
        lines_number(l, t->shift, 10);
        lines_char(l, '\n');
    }
    if (t->earlier > 0) {
        lines_text(l, ">-");
        lines_number(l, t->earlier, 10);
        lines_char(l, '\n');
    }
    put_signals(l, t);
    if (t->earlier > 0) {
        lines_text(l, ">0\n");
    }
    if ((t->flags & GTKW_CURVE) == GTKW_CURVE && !t->low) {
        gtkw_taller(l);
    }
}

static void gtkw_never(struct view_out *o, const char *name)
{
    put_flags(&o->l, GTKW_HEADING);
    lines_char(&o->l, '-');
    lines_text(&o->l, name);
    lines_text(&o->l, ": never\n");
}

/* An end of a group. */
static void put_end(struct lines *l, uint32_t flags, const char *label)
{
    put_flags(l, flags | GTKW_HEADING);
    lines_char(l, '-');
    lines_text(l, label);
    lines_char(l, '\n');
}

static void gtkw_begin(struct view_out *o, const char *label, bool closed)
{
    put_end(&o->l, GTKW_BEGIN | (closed ? GTKW_CLOSED : 0u), label);
}

static void gtkw_end(struct view_out *o, const char *label, bool closed)
{
    put_end(&o->l, GTKW_END | (closed ? GTKW_CLOSED | GTKW_COLLAPSED : 0u), label);
}

static const struct view_writer gtkw_writer = {.heading = gtkw_heading,
                                               .trace = gtkw_trace,
                                               .never = gtkw_never,
                                               .begin = gtkw_begin,
                                               .end = gtkw_end};

/* ---- the window ---- */

/* Around the worst conflict, so wide that it and some before it are seen. */
static void zoom_in(const struct view_tree *t, struct gtkw_window *w)
{
    enum { LEAST = 48 /* cycles */, PER_DEGREE = 5 };
    const struct view_marks *m = &t->marks;
    uint64_t at = m->at[VIEW_MARK_WORST_CONFLICT], cycles, span;

    if (!m->set[VIEW_MARK_WORST_CONFLICT] || m->worst_cycle == 0) {
        return;
    }
    cycles = m->degree * PER_DEGREE > LEAST ? m->degree * PER_DEGREE : LEAST;
    span = (uint64_t)((double)at / (double)m->worst_cycle * (double)cycles);
    if (span >= w->end - w->start) {
        return;
    }
    w->primary = at;
    w->start = at - w->start > span / 2 ? at - span / 2 : w->start;
    w->start = w->end - w->start < span ? w->end - span : w->start;
    w->end = w->start + span;
}

/* The first instructions, so wide that letters have room. */
static void show_start(const struct view_tree *t, struct gtkw_window *w)
{
    enum { SPAN = 80 /* cycles */ };
    const struct view_marks *m = &t->marks;
    uint64_t at = m->at[VIEW_MARK_KERNEL_START], span;

    if (!m->set[VIEW_MARK_KERNEL_START] || m->start_cycle == 0) {
        return;
    }
    span = (uint64_t)((double)at / (double)m->start_cycle * SPAN);
    if (at >= w->start && w->end - at > span) {
        w->start = at;
        w->end = at + span;
    }
}

static struct gtkw_window window_of(const struct view_tree *t, const struct view *v)
{
    enum { GUESS = 1000000, CYCLES = 1000 }; /* while the run has no end */
    const struct view_marks *m = &t->marks;
    struct gtkw_window w = {
        .start = t->start,
        .end = t->end > t->start ? t->end : t->start + (t->cycles ? CYCLES : GUESS),
        .primary = m->set[VIEW_MARK_CONFLICT]       ? m->at[VIEW_MARK_CONFLICT]
                   : m->set[VIEW_MARK_KERNEL_START] ? m->at[VIEW_MARK_KERNEL_START]
                                                    : t->start,
    };

    w.end += (w.end - w.start) / 50; /* room for the last marker */
    if (v->name == VIEW_BANKS || v->name == VIEW_BANK || v->name == VIEW_PIPELINE) {
        zoom_in(t, &w);
    }
    if (v->name == VIEW_PIPELINE && !m->set[VIEW_MARK_WORST_CONFLICT]) {
        show_start(t, &w);
    }
    return w;
}

/* ---- the file ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* Open the scopes down to the first with more than one thing in it. */
static void write_tree(const struct view_tree *t, FILE *f)
{
    if (t->root == NULL) {
        return;
    }
    fprintf(f, "[treeopen] %s.\n", t->root->path);
    for (const struct view_scope *s = t->root->first; s != NULL; s = s->next) {
        if (s->first != NULL) {
            fprintf(f, "[treeopen] %s.\n", s->path);
            return;
        }
    }
}

static void write_head(const struct view_tree *t, const struct view *v,
                       const char *dump, const char *path, FILE *f)
{
    struct gtkw_window w = window_of(t, v);

    fprintf(f, "[*] smwave%s%s\n", t->version != NULL ? " " : "",
            t->version != NULL ? t->version : "");
    fprintf(f, "[dumpfile] \"%s\"\n", base_name(dump));
    fprintf(f, "[savefile] \"%s\"\n", base_name(path));
    fprintf(f, "[timestart] %" PRIu64 "\n", w.start);
    fprintf(f, "[size] %d %d\n[pos] -1 -1\n", (int)WIDTH, (int)HEIGHT);
    gtkw_write_marks(t, &w, f);
    write_tree(t, f);
    fprintf(f, "[sst_width] %d\n[signals_width] %d\n", (int)TREE, (int)SIGNALS);
    fprintf(f, "[sst_expanded] 1\n[sst_vpaned_height] %d\n", (int)HEIGHT / 3);
}

struct gtkw {
    const struct view_tree *t;
    const struct view *v;
    const char *dump, *path;
};

static void fill(void *arg, FILE *f)
{
    const struct gtkw *const g = arg;
    struct view_out o = {.to = &gtkw_writer};

    write_head(g->t, g->v, g->dump, g->path, f);
    lines_begin(&o.l, f);
    view_body_write(g->t, g->v, &o);
    lines_write(&o.l);
    fprintf(f, "[pattern_trace] 1\n[pattern_trace] 0\n");
}

int view_write(struct view_tree *t, const struct view *v, const char *dump,
               const char *path)
{
    size_t n = strlen(dump), m = strlen(path);
    struct gtkw g = {t, v, dump, path};
    const char *commands;
    int error;

    t->named = n > 4 && strcmp(dump + n - 4, ".fst") == 0;
    view_select(t, v);
    error = part_write(path, fill, &g);
    if (error != 0 || m <= strlen(".gtkw") || strcmp(path + m - 5, ".gtkw") != 0) {
        return error;
    }
    commands = arena_printf(t->arena, "%.*s.sucl", (int)(m - strlen(".gtkw")), path);
    return surfer_write(t, v, commands);
}
