/*
 * view_priv.h - what the writers of save files share.
 *
 *   view.c        names of views, trees, markers
 *   view_top.c    the title, and what stands above the rows
 *   view_select.c which variables
 *   view_rows.c   which rows, in which groups
 *   gtkw.c        the syntax of GTKWave's save file
 *   gtkw_marks.c  its markers, and where captions have room
 *   surfer.c      Surfer's command file
 *
 * A view is described once, as calls of a view_writer: a row after the other, groups
 * around them. How a row looks is said in GTKWave's flags, of which Surfer's writer
 * takes what Surfer has.
 */
#ifndef VIEW_PRIV_H
#define VIEW_PRIV_H

#include "lines.h"
#include "view.h"

/* ---- gtkw.c ---- */

/* Trace flags; all names are right-justified. */
enum gtkw_flags {
    GTKW_BITS = 0x28,
    GTKW_HEX = 0x22,
    GTKW_DECIMAL = 0x24,
    GTKW_TEXT = 0x820,
    GTKW_STATES = 0x2028,
    GTKW_CODE = 0x2022,   /* hex, by a translate file */
    GTKW_CURVE = 0x88024, /* one scale for the whole run */
    GTKW_HEADING = 0x200,
    GTKW_COLLAPSED = 0x1000, /* on the end of a closed group: hides it */
    GTKW_TALLER = 0x20000,
    GTKW_CLOSED = 0x400000,
    GTKW_BEGIN = 0x800000,
    GTKW_END = 0x1000000,
    GTKW_COUNT = 0x20000000,  /* of the bits that are 1 */
    GTKW_SHIFTED = 0x40000000 /* by shift bits: a fraction */
};

enum gtkw_colour {
    GTKW_PLAIN,
    GTKW_RED,
    GTKW_ORANGE,
    GTKW_YELLOW,
    GTKW_GREEN,
    GTKW_BLUE,
    GTKW_INDIGO,
    GTKW_VIOLET
};

enum {
    GTKW_CURVE_ROWS = 2,     /* above the first */
    GTKW_HEADING_LENGTH = 28 /* characters: the longest name makes the column's width */
};

struct gtkw_trace {
    uint32_t flags; /* GTKW_BEGIN: heads a group, ended by gtkw_end() */
    enum gtkw_colour colour;
    const char *alias;  /* shown instead of the name; NULL: the name */
    uint32_t shift;     /* GTKW_SHIFTED */
    const char *filter; /* GTKW_STATES, GTKW_CODE: the translate file */
    const char *name;   /* the loader's */
    uint32_t bits;      /* not 0: written as a vector of so many bits of it */
    uint64_t earlier;   /* drawn so many units of time before its values changed */
    const char *const *parts; /* in place of name: these bits, the highest first */
    uint32_t n_parts;         /* 0: none */
    bool low;                 /* a curve in one row */
};

struct view_out;

struct view_writer {
    void (*heading)(struct view_out *o, const char *text);
    void (*trace)(struct view_out *o, const struct gtkw_trace *t);
    /* In place of an event that never fired, which GTKWave would draw at time 0. */
    void (*never)(struct view_out *o, const char *name);
    void (*begin)(struct view_out *o, const char *label, bool closed);
    /* label: of its beginning, or of the trace that headed the group. */
    void (*end)(struct view_out *o, const char *label, bool closed);
};

/* A save file in the making. */
struct view_out {
    const struct view_writer *to;
    struct lines l;
};

/* All that is marked of the tree, from the title to the last row. */
void view_body_write(const struct view_tree *t, const struct view *v,
                     struct view_out *o);

/* ---- surfer.c ---- */

/* The name that Surfer knows a mapping by, made of the translate file's: of
 * state_warp.txt "smwave state_warp". printf() has the length and the file's name. */
#define VIEW_MAPPING_BEGINS "smwave "
#define VIEW_MAPPING_NAME   VIEW_MAPPING_BEGINS "%.*s"
int view_mapping_length(const char *file);

/* Write the command file of the view. 0 or an errno. */
int surfer_write(const struct view_tree *t, const struct view *v, const char *path);

/* The part of the run that a view shows first. */
struct gtkw_window {
    uint64_t start, end;
    uint64_t primary; /* where the primary marker stands */
};

enum { GTKW_PANE = 930 /* pixels of the wave pane's width */ };

/* ---- gtkw_marks.c ---- */

/* The line of zoom and markers, and their names. */
void gtkw_write_marks(const struct view_tree *t, const struct gtkw_window *w, FILE *f);

/* ---- view_top.c ---- */

void view_title_write(const struct view_tree *t, struct view_out *o);
/* A row for each part of the view that the scope of the trace left out. */
void view_missing_write(const struct view_tree *t, const struct view *v,
                        struct view_out *o);
/* The group of the conflicts; nothing if the dump has none to show. */
void view_conflicts_write(const struct view_tree *t, const struct view *v,
                          struct view_out *o);

/* ---- view_select.c ---- */

/* Mark what the view has; how many variables, clocks aside. */
uint32_t view_select(struct view_tree *t, const struct view *v);

/* An event of a run that is over, of which none was seen. */
bool view_never_fired(const struct view_tree *t, const struct view_var *v);

/* The name of scope s without the number at its end has n characters. */
size_t view_stem(const char *name);

/* ---- view_rows.c ---- */

/* All rows of what is marked. */
void view_rows_write(const struct view_tree *t, const struct view *v,
                     struct view_out *o);

/* ---- view.c ---- */

/* What it is called: "banks", "warp". */
const char *view_name_of(enum view_name name);
/* It is of one number. */
bool view_is_numbered(enum view_name name);

#endif /* VIEW_PRIV_H */
