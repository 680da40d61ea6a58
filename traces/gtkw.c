/*
 * The syntax of GTKWave's save file: its head with zoom and markers, and single rows.
 * A name that GTKWave cannot resolve is dropped silently, so every name here comes from
 * dump_loader_name().
 */
#include "wave_priv.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The window, in pixels. What the two side panes leave is the wave pane. */
enum {
    WIDTH = 1600,
    HEIGHT = 900,
    SIGNALS = 330,
    TREE = 280, /* GTK makes it no smaller */
    MARGIN = 20,
    HEADING = 36, /* characters of a heading line */
    N_LETTERS = 26
};

/* ---- rows ---- */

void gtkw_heading(FILE *f, const char *text)
{
    fprintf(f, "@%x\n", (unsigned)GTKW_HEADING);
    while (*text != '\0') {
        size_t n = strlen(text);

        if (n > HEADING) { /* the longest name makes the column's width */
            for (n = HEADING; n > 1 && text[n] != ' '; n--) {
            }
            n = n > 1 ? n : HEADING;
        }
        fprintf(f, "-%.*s\n", (int)n, text);
        text += n;
        text += strspn(text, " ");
    }
}

void gtkw_trace(FILE *f, const struct gtkw_trace *t)
{
    fprintf(f, "@%x\n", (unsigned)t->flags);
    if (t->colour != GTKW_PLAIN) {
        fprintf(f, "[color] %d\n", (int)t->colour);
    }
    if (t->filter != NULL) {
        fprintf(f, "^1 %s\n", t->filter);
    }
    if (t->alias != NULL) {
        fprintf(f, "+{%s} ", t->alias);
    }
    fprintf(f, "%s\n", t->name);
    if ((t->flags & GTKW_CURVE) == GTKW_CURVE) {
        fprintf(f, "@%x\n", (unsigned)GTKW_TALLER);
        for (int i = 0; i < GTKW_CURVE_ROWS; i++) {
            fprintf(f, "-\n");
        }
    }
}

void gtkw_begin(FILE *f, const char *label, bool closed)
{
    fprintf(f, "@%x\n-%s\n",
            (unsigned)(GTKW_BEGIN | GTKW_HEADING | (closed ? GTKW_CLOSED : 0u)), label);
}

void gtkw_end(FILE *f, const char *label, bool closed)
{
    uint32_t flags = GTKW_END | GTKW_HEADING;

    if (closed) {
        flags |= GTKW_CLOSED | GTKW_COLLAPSED;
    }
    fprintf(f, "@%x\n-%s\n", (unsigned)flags, label != NULL ? label : "group_end");
}

/* ---- the head ---- */

/* The end of what is to be seen, as far as it is known. */
static sim_time_t visible_end(const struct wave *w)
{
    enum { GUESS = 1000000 }; /* a microsecond, while the run has no end */

    if (w->end > w->start) {
        return w->end;
    }
    return w->stop != SIM_TIME_MAX ? w->stop : w->start + GUESS;
}

/* 2^-zoom is the time units per 200 pixels. */
static double zoom_to_fit(sim_time_t span)
{
    double units = 200.0 * (double)span / (WIDTH - SIGNALS - TREE - MARGIN);

    return units > 1.0 ? -log2(units) : 0.0;
}

/* Where the primary marker stands, which decides the values beside the names. */
static sim_time_t primary(const struct wave *w)
{
    if (w->marked[MARK_CONFLICT]) {
        return w->mark_at[MARK_CONFLICT];
    }
    return w->marked[MARK_KERNEL_START] ? w->mark_at[MARK_KERNEL_START] : w->start;
}

static void write_markers(const struct wave *w, FILE *f)
{
    sim_time_t end = visible_end(w);
    int letter = 0;

    fprintf(f, "*%.6f", zoom_to_fit(end - w->start));
    fprintf(f, " %" PRIu64, primary(w));
    for (int m = 0; m < N_MARKS; m++) {
        if (w->marked[m]) {
            fprintf(f, " %" PRIu64, w->mark_at[m]);
            letter++;
        }
    }
    for (; letter < N_LETTERS; letter++) {
        fprintf(f, " -1");
    }
    letter = 0;
    for (int m = 0; m < N_MARKS; m++) {
        if (w->marked[m]) {
            fprintf(f, "\n[markername] %c%s", 'A' + letter++,
                    wave_mark_caption((enum wave_mark)m));
        }
    }
    putc('\n', f);
}

/* Open the tree down to the first scope with more than one thing in it. */
static void write_tree(const struct wave *w, FILE *f)
{
    char path[WAVE_PATH_MAX];

    fprintf(f, "[treeopen] %s.\n", sim_path(w->root, path, sizeof(path)));
    for (const struct sim_module *m = w->root->first; m != NULL; m = m->next) {
        if (m->first != NULL && wave_has_below(w, m)) {
            fprintf(f, "[treeopen] %s.\n", sim_path(m, path, sizeof(path)));
            return;
        }
    }
}

static void write_head(const struct wave *w, FILE *f)
{
    fprintf(f, "[*] smwave%s%s\n", w->cfg.version != NULL ? " " : "",
            w->cfg.version != NULL ? w->cfg.version : "");
    fprintf(f, "[dumpfile] \"%s\"\n", wave_base_name(w->cfg.path));
    fprintf(f, "[savefile] \"%s\"\n", wave_base_name(w->cfg.gtkw_path));
    fprintf(f, "[timestart] %" PRIu64 "\n", w->start);
    fprintf(f, "[size] %d %d\n[pos] -1 -1\n", (int)WIDTH, (int)HEIGHT);
    write_markers(w, f);
    write_tree(w, f);
    fprintf(f, "[sst_width] %d\n[signals_width] %d\n", (int)TREE, (int)SIGNALS);
    fprintf(f, "[sst_expanded] 1\n[sst_vpaned_height] %d\n", (int)HEIGHT / 3);
}

static void write_headings(const struct wave *w, FILE *f)
{
    if (w->cfg.heading != NULL) {
        gtkw_heading(f, w->cfg.heading);
    }
    if (w->cfg.config_name != NULL) {
        gtkw_heading(f, w->cfg.config_name);
    }
}

int wave_gtkw_write(const struct wave *w)
{
    FILE *f = fopen(w->cfg.gtkw_path, "wb");
    int error = 0;

    if (f == NULL) {
        return errno;
    }
    write_head(w, f);
    write_headings(w, f);
    wave_rows_write(w, f);
    fprintf(f, "[pattern_trace] 1\n[pattern_trace] 0\n");
    if (ferror(f)) {
        error = errno != 0 ? errno : EIO;
    }
    if (fclose(f) != 0 && error == 0) {
        error = errno;
    }
    return error;
}
