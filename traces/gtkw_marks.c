/*
 * Markers, lettered A to Z in the order of time: first what there is once, then the
 * starts of further kernels, then the barriers, as many as letters are left. What
 * happens at the same time has one marker.
 *
 * GTKWave writes a caption over its marker's line, centred, and captions over one
 * another. Blanks move one away from the edges. Where one has no room at the zoom of
 * the view it is shortened, then what is in its way, and a kernel or a barrier, of
 * which there are many, becomes a dot. No marker has words of another.
 */
#include "view_priv.h"

#include "base/attr.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    CHARACTER = 5, /* pixels of a caption's */
    GAP = 8,       /* pixels between captions */
    CLOSE = 4,     /* between short ones, at least */
    CAPTION = 96
};

/* What was asked for is placed first, then what there is once. */
enum rank { RANK_ASKED, RANK_ONCE, RANK_KERNEL, RANK_BARRIER, N_RANKS };

struct mark {
    uint64_t at;
    enum rank rank;
    bool placed;
    char caption[CAPTION];
    const char *brief; /* what is left of it without room */
};

struct marks {
    struct mark mark[VIEW_LETTERS]; /* in order of time once sorted */
    int n;
};

static const struct {
    const char *caption, *brief;
} captions[N_VIEW_MARKS] = {
    [VIEW_MARK_KERNEL_START] = {NULL, "start"},
    [VIEW_MARK_CONFLICT] = {"first conflict", "1st"},
    [VIEW_MARK_WORST_CONFLICT] = {"worst conflict", "worst"},
    [VIEW_MARK_FAULT] = {"first fault", "fault"},
    [VIEW_MARK_TRIGGER] = {"trigger", "trigger"},
    [VIEW_MARK_KERNEL_END] = {"kernel end", "done"},
    [VIEW_MARK_END] = {"end", "end"},
};

static void append(struct mark *m, const char *caption)
{
    size_t n = strlen(m->caption);

    snprintf(m->caption + n, sizeof(m->caption) - n, "%s%s", n > 0 ? ", " : "",
             caption);
}

/* Keeps the order; no effect when there is no letter left. */
static void add(struct marks *m, uint64_t at, const char *caption, const char *brief,
                enum rank rank)
{
    int i = m->n;

    for (int k = 0; k < m->n; k++) {
        if (m->mark[k].at == at) {
            append(&m->mark[k], caption);
            return;
        }
    }
    if (m->n == VIEW_LETTERS) {
        return;
    }
    while (i > 0 && m->mark[i - 1].at > at) {
        m->mark[i] = m->mark[i - 1];
        i--;
    }
    m->mark[i] = (struct mark){.at = at, .rank = rank, .brief = brief};
    append(&m->mark[i], caption);
    m->n++;
}

static void add_kernels(struct marks *m, const struct view_marks *v, uint32_t first,
                        uint32_t end)
{
    for (uint32_t i = first; i < end && i < v->n_kernels; i++) {
        const char *name = v->kernel[i].name;
        char caption[VIEW_LABEL + 8];

        if (name[0] == '\0') {
            (void)snprintf(caption, sizeof(caption), "kernel start");
        } else {
            (void)snprintf(caption, sizeof(caption), "start %s", name);
        }
        add(m, v->kernel[i].at, caption,
            i == 0 ? captions[VIEW_MARK_KERNEL_START].brief : ".",
            i == 0 ? RANK_ONCE : RANK_KERNEL);
    }
}

static void collect(struct marks *m, const struct view_marks *v)
{
    for (int i = 0; i < N_VIEW_MARKS; i++) {
        if (i == VIEW_MARK_KERNEL_START) {
            add_kernels(m, v, 0, 1);
        } else if (v->set[i]) {
            add(m, v->at[i], captions[i].caption, captions[i].brief,
                i == VIEW_MARK_TRIGGER ? RANK_ASKED : RANK_ONCE);
        }
    }
    add_kernels(m, v, 1, v->n_kernels);
    for (uint32_t i = 0; i < v->n_releases; i++) {
        char caption[32];

        snprintf(caption, sizeof(caption), "barrier %u", (unsigned)(i + 1));
        add(m, v->release[i], caption, ".", RANK_BARRIER);
    }
}

/* ---- captions ---- */

static double place_of(const struct mark *m, const struct gtkw_window *w)
{
    double span = w->end > w->start ? (double)(w->end - w->start) : 1.0;

    return ((double)m->at - (double)w->start) * GTKW_PANE / span;
}

static double width_of(const struct mark *m)
{
    return (double)strlen(m->caption) * CHARACTER;
}

/* Of its caption, which stays in the pane if the marker is there. */
static double middle_of(const struct mark *m, const struct gtkw_window *w)
{
    double at = place_of(m, w), half = width_of(m) / 2;

    if (at < 0 || at > GTKW_PANE) {
        return at;
    }
    return at < half ? half : fmin(at, GTKW_PANE - GAP - half);
}

/* The first mark that has its caption and is too near for m to have its own. */
static struct mark *in_the_way(struct marks *marks, const struct mark *m,
                               const struct gtkw_window *w, double gap)
{
    for (int i = 0; i < marks->n; i++) {
        struct mark *other = &marks->mark[i];

        if (other != m && other->placed &&
            fabs(middle_of(m, w) - middle_of(other, w)) <
                (width_of(m) + width_of(other)) / 2 + gap) {
            return other;
        }
    }
    return NULL;
}

static void shorten(struct mark *m, const char *caption)
{
    (void)snprintf(m->caption, sizeof(m->caption), "%s", caption);
}

/* The brief caption, and if need be a brief one beside it; where even those are too
 * near one another, a dot. */
static void make_room(struct marks *marks, struct mark *m, const struct gtkw_window *w)
{
    struct mark *other, was;

    shorten(m, m->brief);
    other = in_the_way(marks, m, w, CLOSE);
    if (other == NULL || m->caption[0] == '.') {
        return;
    }
    was = *other;
    shorten(other, other->brief);
    if (in_the_way(marks, m, w, CLOSE) != NULL) {
        *other = was;
        shorten(m, ".");
    }
}

static void lay_out(struct marks *marks, const struct gtkw_window *w, enum rank rank)
{
    for (int i = 0; i < marks->n; i++) {
        struct mark *m = &marks->mark[i];

        if (m->rank != rank) {
            continue;
        }
        if (in_the_way(marks, m, w, GAP) != NULL) {
            make_room(marks, m, w);
        }
        m->placed = m->caption[0] != '.';
    }
}

/* ---- writing ---- */

/* 2^-zoom is the time units per 200 pixels. */
static double zoom_to_fit(uint64_t span)
{
    double units = 200.0 * (double)span / GTKW_PANE;

    return units > 1.0 ? -log2(units) : 0.0;
}

/* The blanks before or behind a caption are as wide as twice what they move it by. */
static void write_name(FILE *f, const struct mark *m, int letter,
                       const struct gtkw_window *w)
{
    double by = middle_of(m, w) - place_of(m, w);
    int blanks = m->placed ? (int)ceil(fabs(by) * 2 / CHARACTER) : 0;

    fprintf(f, "\n[markername] %c%*s%s%*s", letter, by > 0 ? blanks : 0, "", m->caption,
            by < 0 ? blanks : 0, "");
}

void gtkw_write_marks(const struct view_tree *t, const struct gtkw_window *w, FILE *f)
{
    struct marks m = {.n = 0};

    collect(&m, &t->marks);
    for (int i = 0; i < N_RANKS; i++) {
        lay_out(&m, w, (enum rank)i);
    }
    fprintf(f, "*%.6f %" PRIu64, zoom_to_fit(w->end - w->start), w->primary);
    for (int i = 0; i < VIEW_LETTERS; i++) {
        if (i < m.n) {
            fprintf(f, " %" PRIu64, m.mark[i].at);
        } else {
            fprintf(f, " -1");
        }
    }
    for (int i = 0; i < m.n; i++) {
        write_name(f, &m.mark[i], 'A' + i, w);
    }
    putc('\n', f);
}
