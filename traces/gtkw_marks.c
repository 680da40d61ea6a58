/*
 * Markers, lettered A to Z in the order of time: first what there is once, then the
 * starts of further kernels, then the barriers, as many as letters are left. What
 * happens at the same time has one marker.
 *
 * GTKWave writes a caption over its marker's line, centred, and captions over one
 * another. Blanks move one away from the edges. Where one has no room at the zoom of
 * the view it is shortened, then what is in its way; of what there is once it then
 * stands aside of its line, and in the end is a dot. A kernel's becomes k3 (the start
 * of the third), and all barriers' b1, b2 and so on, if one of them has no room for
 * more. Those that have no room near their line have no marker, and their letters go to
 * later ones. No marker has words of another.
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
    ASIDE = 90,    /* pixels from its line that a caption may stand, its nearer end */
    NEAR = 4,      /* the same of one of many */
    CAPTION = 96,
    BRIEF = 16,
    MAX_MARKS = N_VIEW_MARKS + 2 * VIEW_KEPT
};

/* What was asked for is placed first, then what there is once. */
enum rank { RANK_ASKED, RANK_ONCE, RANK_KERNEL, RANK_BARRIER };

struct mark {
    uint64_t at;
    enum rank rank;
    bool kept;     /* has a letter */
    bool placed;   /* and a caption */
    double middle; /* of that, in pixels of the pane */
    char caption[CAPTION];
    char brief[BRIEF]; /* what is left of it without room */
};

struct marks {
    struct mark mark[MAX_MARKS]; /* in order of time */
    int n;
    int letters; /* used */
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

/* Keeps the order. */
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
    while (i > 0 && m->mark[i - 1].at > at) {
        m->mark[i] = m->mark[i - 1];
        i--;
    }
    m->mark[i] = (struct mark){.at = at, .rank = rank};
    (void)snprintf(m->mark[i].brief, sizeof(m->mark[i].brief), "%s", brief);
    append(&m->mark[i], caption);
    m->n++;
}

static void add_kernels(struct marks *m, const struct view_marks *v, uint32_t first,
                        uint32_t end)
{
    for (uint32_t i = first; i < end && i < v->n_kernels; i++) {
        const char *name = v->kernel[i].name;
        char caption[VIEW_LABEL + 8], brief[BRIEF];

        if (name[0] == '\0') {
            (void)snprintf(caption, sizeof(caption), "kernel start");
        } else {
            (void)snprintf(caption, sizeof(caption), "start %s", name);
        }
        (void)snprintf(brief, sizeof(brief), "k%" PRIu32, i + 1);
        add(m, v->kernel[i].at, caption,
            i == 0 ? captions[VIEW_MARK_KERNEL_START].brief : brief,
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
        char caption[32], brief[BRIEF];

        (void)snprintf(caption, sizeof(caption), "barrier %" PRIu32, i + 1);
        (void)snprintf(brief, sizeof(brief), "b%" PRIu32, i + 1);
        add(m, v->release[i], caption, brief, RANK_BARRIER);
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

/* The first mark whose caption is too near to that of m, were its middle there. */
static struct mark *in_the_way(struct marks *marks, const struct mark *m, double middle,
                               double gap)
{
    for (int i = 0; i < marks->n; i++) {
        struct mark *other = &marks->mark[i];

        if (other != m && other->placed &&
            fabs(middle - other->middle) < (width_of(m) + width_of(other)) / 2 + gap) {
            return other;
        }
    }
    return NULL;
}

static void shorten(struct mark *m, const struct gtkw_window *w)
{
    (void)snprintf(m->caption, sizeof(m->caption), "%s", m->brief);
    m->middle = middle_of(m, w);
}

/* The place nearest to its line at either side: false, nothing is changed and there is
 * none so near. */
static bool step_aside(struct marks *marks, struct mark *m, const struct gtkw_window *w,
                       int limit)
{
    const double at = place_of(m, w), half = width_of(m) / 2;

    for (int away = 0; away <= limit; away++) {
        for (int side = 1; side >= -1; side -= 2) {
            double middle = at + side * (half + away);

            if (middle - half >= 0 && middle + half <= GTKW_PANE - GAP &&
                in_the_way(marks, m, middle, CLOSE) == NULL) {
                m->middle = middle;
                return true;
            }
        }
    }
    return false;
}

/* The brief caption, and if need be a brief one beside it; then one aside. */
static bool make_room(struct marks *marks, struct mark *m, const struct gtkw_window *w)
{
    struct mark *other, was;

    shorten(m, w);
    other = in_the_way(marks, m, m->middle, CLOSE);
    if (other == NULL) {
        return true;
    }
    was = *other;
    shorten(other, w);
    if (in_the_way(marks, m, m->middle, CLOSE) == NULL) {
        return true;
    }
    *other = was;
    return step_aside(marks, m, w, ASIDE);
}

static void keep(struct marks *marks, struct mark *m)
{
    m->kept = m->placed = true;
    marks->letters++;
}

/* What there is once has its letter in any case. */
static void lay_out_once(struct marks *marks, const struct gtkw_window *w,
                         enum rank rank)
{
    for (int i = 0; i < marks->n; i++) {
        struct mark *m = &marks->mark[i];

        if (m->rank != rank) {
            continue;
        }
        m->middle = middle_of(m, w);
        keep(marks, m);
        if (in_the_way(marks, m, m->middle, GAP) != NULL && !make_room(marks, m, w)) {
            (void)snprintf(m->caption, sizeof(m->caption), ".");
            m->placed = false;
        }
    }
}

/* Those of many that have room, while there are letters. The whole captions, or the
 * brief ones; which may be too near. How many there were that had none. */
static int lay_out_many(struct marks *marks, const struct gtkw_window *w,
                        enum rank rank, bool brief)
{
    int without = 0;

    for (int i = 0; i < marks->n; i++) {
        struct mark *m = &marks->mark[i];

        if (m->rank != rank || m->kept || marks->letters == VIEW_LETTERS) {
            without += m->rank == rank && !m->kept;
            continue;
        }
        m->middle = middle_of(m, w);
        if (brief) {
            shorten(m, w);
        }
        if (in_the_way(marks, m, m->middle, brief ? CLOSE : GAP) == NULL ||
            (brief && step_aside(marks, m, w, NEAR))) {
            keep(marks, m);
        } else {
            without++;
        }
    }
    return without;
}

static void take_back(struct marks *marks, enum rank rank)
{
    for (int i = 0; i < marks->n; i++) {
        struct mark *m = &marks->mark[i];

        if (m->rank == rank && m->kept) {
            m->kept = m->placed = false;
            marks->letters--;
        }
    }
}

static void lay_out(struct marks *marks, const struct gtkw_window *w)
{
    lay_out_once(marks, w, RANK_ASKED);
    lay_out_once(marks, w, RANK_ONCE);
    (void)lay_out_many(marks, w, RANK_KERNEL, false);
    (void)lay_out_many(marks, w, RANK_KERNEL, true);
    if (lay_out_many(marks, w, RANK_BARRIER, false) > 0) {
        take_back(marks, RANK_BARRIER); /* all in the same words */
        (void)lay_out_many(marks, w, RANK_BARRIER, true);
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
    double by = m->middle - place_of(m, w);
    int blanks = m->placed ? (int)ceil(fabs(by) * 2 / CHARACTER) : 0;

    fprintf(f, "\n[markername] %c%*s%s%*s", letter, by > 0 ? blanks : 0, "", m->caption,
            by < 0 ? blanks : 0, "");
}

void gtkw_write_marks(const struct view_tree *t, const struct gtkw_window *w, FILE *f)
{
    struct marks m = {.n = 0};
    char letter = 'A';

    collect(&m, &t->marks);
    lay_out(&m, w);
    fprintf(f, "*%.6f %" PRIu64, zoom_to_fit(w->end - w->start), w->primary);
    for (int i = 0; i < m.n; i++) {
        if (m.mark[i].kept) {
            fprintf(f, " %" PRIu64, m.mark[i].at);
        }
    }
    for (int i = m.letters; i < VIEW_LETTERS; i++) {
        fprintf(f, " -1");
    }
    for (int i = 0; i < m.n; i++) {
        if (m.mark[i].kept) {
            write_name(f, &m.mark[i], letter++, w);
        }
    }
    putc('\n', f);
}
