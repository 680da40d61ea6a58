#include "sweep/gnuplot.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- script ---- */

/* In single quotes only the quote itself is special, doubled; what is no text is a
 * blank. */
static void quote(struct text *out, const char *s)
{
    text_add(out, "'");
    for (; *s != '\0'; s++) {
        text_add(out, "%s", *s == '\'' ? "'" : "");
        text_add(out, "%c", (unsigned char)*s < ' ' || *s == 0x7f ? ' ' : *s);
    }
    text_add(out, "'");
}

static void quote_axis(struct text *out, const char *key, const struct picture_axis *a)
{
    struct text name = {0};

    picture_axis_name(a, &name);
    text_add(out, "set %s ", key);
    quote(out, name.s);
    text_add(out, " noenhanced\n");
    text_free(&name);
}

/* Powers of two are shown as such. */
static double log_base(const struct picture *p, const struct picture_axis *a)
{
    for (uint32_t f = 0; f < p->n; f++) {
        for (uint32_t g = 0; g < p->facets[f].n; g++) {
            for (uint32_t i = 0; i < p->facets[f].series[g].n; i++) {
                const struct picture_point *at = &p->facets[f].series[g].at[i];
                double v = log2(a == &p->x ? at->x : at->y);

                if (v != floor(v)) {
                    return 10;
                }
            }
        }
    }
    return 2;
}

static void put_ticks(struct text *out, const char *key, const struct picture_axis *a)
{
    bool slanted = false;

    for (uint32_t i = 0; i < a->n_words; i++) {
        slanted = slanted || (a->n_words > 5 && strlen(a->words[i]) > 5);
    }
    text_add(out, "set %s noenhanced%s (", key,
             key[0] == 'x' && slanted ? " rotate by -30" : "");
    for (uint32_t i = 0; i < a->n_words; i++) {
        text_add(out, "%s", i == 0 ? "" : ", ");
        quote(out, a->words[i]);
        text_add(out, " %u", i);
    }
    text_add(out, ")\nset %srange [-0.5:%u.5]\n", key[0] == 'x' ? "x" : "y",
             a->n_words == 0 ? 0 : a->n_words - 1);
}

/* 1, 2 or 5 times a power of ten, not below v. */
static double round_up(double v)
{
    double power = pow(10, floor(log10(v)));

    return v <= power       ? power
           : v <= 2 * power ? 2 * power
           : v <= 5 * power ? 5 * power
                            : 10 * power;
}

/* Ticks of a logarithmic axis from lo to hi, on which powers of ten alone are too few:
 * 1, 2 and 5 times them, or on less than a decade numbers at equal distances. */
static void put_fine_ticks(const char *key, double lo, double hi, struct text *out)
{
    const char *comma = "";

    text_add(out, "set %stics (", key);
    if (hi < 10 * lo) {
        double step = hi > lo ? round_up((hi - lo) / 5) : lo;

        for (double k = ceil(lo / step - 1e-9); k * step <= hi * (1 + 1e-9); k++) {
            text_add(out, "%s%.12g", comma, k * step);
            comma = ", ";
        }
    } else {
        for (double power = pow(10, floor(log10(lo))); power <= hi; power *= 10) {
            for (double step = 1; step <= 5; step += step == 2 ? 3 : 1) {
                if (step != 3 && step != 4) {
                    text_add(out, "%s%.12g", comma, step * power);
                    comma = ", ";
                }
            }
        }
    }
    text_add(out, ")\n");
}

static void put_log(const struct picture *p, const char *key,
                    const struct picture_axis *a, struct text *out)
{
    double base = log_base(p, a), lo = 0, hi = 0;
    bool any = picture_range(p, a, &lo, &hi);

    text_add(out, "set logscale %s %.0f\n", key, base);
    if (base == 10 && any) { /* else it reaches from power to power */
        text_add(out, "set %srange [%.12g:%.12g]\n", key, lo / 1.1, hi * 1.1);
    }
    if (base == 10 && any && hi < 1000 * lo) {
        put_fine_ticks(key, lo, hi, out);
    }
}

/* Facets are drawn to one scale. */
static void put_axes(const struct picture *p, struct text *out)
{
    double lo = 0, hi = 0;
    bool any = picture_range(p, p->kind == PLOT_HEAT ? &p->z : &p->y, &lo, &hi);

    quote_axis(out, "xlabel", &p->x);
    quote_axis(out, "ylabel", &p->y);
    if (p->x.words != NULL) {
        put_ticks(out, "xtics", &p->x);
    }
    if (p->y.words != NULL) {
        put_ticks(out, "ytics", &p->y);
    }
    if (p->x.log) {
        put_log(p, "x", &p->x, out);
    }
    if (p->y.log) {
        put_log(p, "y", &p->y, out);
    } else if (p->kind == PLOT_HEAT) {
        text_add(out, "set cbrange [%.12g:%.12g]\n", lo, hi > lo ? hi : lo + 1);
    } else if (any && lo >= 0) {
        text_add(out, "set yrange [0:%.12g]\n", hi > 0 ? hi * 1.05 : 1);
    }
    if (p->group != NULL && p->n <= 1) {
        text_add(out, "set key title ");
        quote(out, p->group);
        text_add(out, " noenhanced\n");
    }
}

/* Words are 1 apart; their bars share 0.8 of that. */
static double bar_width(const struct picture_facet *f)
{
    return 0.8 / (f->n == 0 ? 1 : f->n);
}

/* How far beside its word the bar of a series stands. */
static double bar_offset(const struct picture_facet *f, uint32_t series)
{
    return bar_width(f) * (series + 0.5) - 0.4;
}

static void put_style(const struct picture *p, struct text *out)
{
    static const char *const colors[] = {"#2f6db3", "#d9822b", "#3a8f5c", "#b3436b",
                                         "#6f5aa8", "#1f8f96", "#94702a", "#6b7580"};
    static const uint8_t points[] = {7, 5, 9, 13};

    for (uint32_t i = 0; i < p->facets[0].n; i++) {
        text_add(out, "set linetype %u lc rgb '%s' lw 2 pt %u ps 0.6 dt %u\n", i + 1,
                 colors[i % ARRAY_LEN(colors)], points[i % ARRAY_LEN(points)],
                 1 + i / (uint32_t)ARRAY_LEN(colors));
    }
    text_add(out,
             "set border 3 lc rgb '#888888'\nset tics nomirror\n"
             "set grid lc rgb '#dddddd' lt 1 lw 1\n"
             "set key noenhanced %s\n",
             p->n > 1 ? "below height 0.8" /* off the label of the axis */
                      : "outside right top");
    if (p->kind == PLOT_LINE && p->x.words == NULL) { /* no point lies on a number */
        text_add(out, "set offsets graph 0.03, graph 0.03, 0, 0\n");
    }
    if (p->kind == PLOT_BAR) {
        text_add(out, "set boxwidth %.12g\nset style fill solid 0.9 noborder\n",
                 bar_width(&p->facets[0]));
    } else if (p->kind == PLOT_HEAT) {
        text_add(out,
                 "set palette defined (0 '#fdebc8', 1 '#fbd59b', 2 '#f6b871', "
                 "3 '#ee9652', 4 '#df713f', 5 '#c54f35', 6 '#9f3430', 7 '#6e1f28')\n"
                 "unset grid\n");
        quote_axis(out, "cblabel", &p->z);
    }
}

/* Column c of the table, as a series. */
static void put_series(const struct picture *p, const char *name, uint32_t c,
                       const struct picture_series *s, uint32_t color, bool first,
                       struct text *out)
{
    text_add(out, "%s", first ? "plot " : ", \\\n     ");
    if (s->n == 0 && p->kind != PLOT_HEAT) { /* gnuplot takes no column of blanks */
        text_add(out, "keyentry with %s lt %u title ",
                 p->kind == PLOT_BAR ? "boxes" : "points", color);
        quote(out, s->name[0] == '\0' ? "(none)" : s->name);
        return;
    }
    quote(out, name);
    text_add(out, " skip 1 using ");
    switch (p->kind) {
    case PLOT_LINE: /* wider where others lie on it */
        text_add(out, "%s:%u with linespoints lt %u lw %u ps %.1f",
                 p->x.words != NULL ? "0" : "1", c, color, 2 + 3 * s->covered,
                 0.6 + 0.2 * s->covered);
        break;
    case PLOT_BAR:
        text_add(out, "($0%+.12g):%u with boxes lt %u",
                 bar_offset(&p->facets[0], color - 1), c, color);
        break;
    case PLOT_PARETO: text_add(out, "1:%u with points lt %u ps 1", c, color); break;
    case PLOT_HEAT:
        text_add(out,
                 "3:4:(0.5):(0.5):%u with boxxyerror fillstyle solid noborder lc "
                 "palette notitle",
                 c);
        return;
    }
    if (p->group == NULL) {
        text_add(out, " notitle");
    } else {
        text_add(out, " title ");
        quote(out, s->name[0] == '\0' ? "(none)" : s->name);
    }
}

/* Numbers into the cells, as long as there is room; bright ones where it is dark. */
static void put_labels(const struct picture *p, const char *name, uint32_t c,
                       struct text *out)
{
    double lo = 0, hi = 0, dark;

    if (p->x.n_words > 12 || p->y.n_words > 24 || !picture_range(p, &p->z, &lo, &hi)) {
        return;
    }
    dark = lo + (hi - lo) * 0.6;
    for (uint32_t bright = 0; bright < 2; bright++) {
        text_add(out, ", \\\n     ");
        quote(out, name);
        text_add(out,
                 " skip 1 using 3:4:(column(%u) %s %.12g ? sprintf('%s', column(%u)) : "
                 "'') with labels font ',9' tc rgb '%s' notitle",
                 c, bright != 0 ? ">" : "<=", dark, hi >= 1000 ? "%.0f" : "%.3g", c,
                 bright != 0 ? "#ffffff" : "#222222");
    }
}

/* In a heat map's cell: a point that ended well. */
static bool has_value(const struct picture_facet *f, const struct picture_failed *at)
{
    for (uint32_t g = 0; g < f->n; g++) {
        for (uint32_t i = 0; i < f->series[g].n; i++) {
            if (f->series[g].at[i].x == at->x && f->series[g].at[i].y == at->y) {
                return true;
            }
        }
    }
    return false;
}

/* A failed point before this one stands at the same place. */
static bool is_said(const struct picture *p, const struct picture_facet *f, uint32_t i)
{
    const struct picture_failed *at = &f->failed[i];

    for (uint32_t k = 0; k < i; k++) {
        const struct picture_failed *other = &f->failed[k];

        if (other->x == at->x && other->y == at->y &&
            (p->kind == PLOT_HEAT || other->series == at->series)) {
            return true;
        }
    }
    return false;
}

/* The failed points of a facet, for put_failed(): place and colour. In a cell with a
 * number they stand below it. */
static void put_failed_data(const struct picture *p, uint32_t f, struct text *out)
{
    const struct picture_facet *facet = &p->facets[f];

    if (facet->n_failed == 0) {
        return;
    }
    text_add(out, "$failed%u << EOD\n", f);
    for (uint32_t i = 0; i < facet->n_failed; i++) {
        const struct picture_failed *at = &facet->failed[i];
        double beside = p->kind == PLOT_BAR ? bar_offset(facet, at->series) : 0;
        double below = p->kind == PLOT_HEAT && has_value(facet, at) ? 0.3 : 0;

        if (!is_said(p, facet, i)) {
            text_add(out, "%.12g,%.12g,%u\n", at->x + beside,
                     picture_failed_y(p, at) - below, at->series + 1);
        }
    }
    text_add(out, "EOD\n");
}

static void put_failed(const struct picture *p, uint32_t f, struct text *out)
{
    if (p->facets[f].n_failed == 0) {
        return;
    }
    text_add(out, ", \\\n     $failed%u using 1:2", f);
    if (p->kind == PLOT_HEAT) {
        text_add(out, ":('%s') with labels font ',9' tc rgb '#8a8a8a' notitle",
                 p->x.n_words > 12 ? "x" : "failed");
        return;
    }
    text_add(out,
             "%s with points pt 2 ps 1.3 lw 2 lc %s notitle, \\\n     "
             "keyentry with points pt 2 ps 1.3 lw 2 lc rgb '#000000' title 'failed'",
             p->kind == PLOT_BAR ? "" : ":3",
             p->kind == PLOT_BAR ? "rgb '#000000'" : "variable");
}

static void put_facet(const struct picture *p, const char *name, uint32_t f,
                      uint32_t *c, struct text *out)
{
    const struct picture_facet *facet = &p->facets[f];
    struct text title = {0};

    if (p->facet != NULL) {
        text_add(&title, "%s: %s", p->facet, facet->name);
        text_add(out, "set title ");
        quote(out, title.s);
        text_add(out, " noenhanced\n");
        text_free(&title);
    }
    if (p->group != NULL && p->n > 1 && p->kind != PLOT_HEAT) {
        /* a title of the key would lie over the axis below the picture */
        text_add(out, "plot keyentry with points pt 0 lc rgb '#ffffff' title ");
        text_add(&title, "%s:", p->group);
        quote(out, title.s);
        text_free(&title);
    }
    for (uint32_t g = 0; g < facet->n; g++) {
        bool first = g == 0 && (p->group == NULL || p->n <= 1 || p->kind == PLOT_HEAT);

        put_series(p, name, *c, &facet->series[g], g + 1, first, out);
        if (p->kind == PLOT_HEAT) {
            put_labels(p, name, *c, out);
        }
        (*c)++;
    }
    if (p->kind == PLOT_PARETO) {
        text_add(out, ", \\\n     ");
        quote(out, name);
        text_add(out,
                 " skip 1 using 1:%u with steps lc rgb '#888888' dt 2 title "
                 "'Pareto front'",
                 (*c)++);
    }
    put_failed(p, f, out);
    text_add(out, "\n");
}

static void put_title(const struct picture *p, struct text *out)
{
    struct text name = {0}, note = {0};

    if (p->title != NULL) {
        text_add(&name, "%s", p->title);
    } else {
        picture_name(p, &name);
    }
    picture_note(p, &note);
    if (p->n > 1) {
        text_add(out, "set multiplot layout %u,%u title ", (p->n + 2) / 3,
                 p->n < 3 ? p->n : 3);
    } else {
        text_add(out, "set title ");
    }
    quote(out, name.s);
    if (note.n > 0) { /* on a line of its own */
        text_add(out, ".\"\\n\".");
        quote(out, note.s);
    }
    text_add(out, " noenhanced\n");
    text_free(&name);
    text_free(&note);
}

void gnuplot_script(const struct picture *p, const char *name, struct text *out)
{
    uint32_t wide = p->n < 3 ? p->n : 3, high = (p->n + 2) / 3;
    uint32_t x = wide > 1 ? 520 * wide : 860, y = high > 1 ? 400 * high : 520;
    uint32_t column = p->kind == PLOT_HEAT ? 5 : p->kind == PLOT_PARETO ? 3 : 2;
    char *csv = tb_printf("%s.csv", name);

    text_add(out,
             "# gnuplot %s.gp draws %s.svg and %s.png from %s\n"
             "set encoding utf8\nset datafile separator ','\nset datafile missing ''\n",
             name, name, name, csv);
    put_style(p, out);
    put_axes(p, out);
    for (uint32_t f = 0; f < p->n; f++) {
        put_failed_data(p, f, out);
    }
    text_add(
        out,
        "do for [format in 'svg png'] {\n"
        "if (format eq 'svg') {\n"
        "set terminal svg noenhanced size %u,%u font 'Helvetica,13' background "
        "'#ffffff'\n"
        "} else {\n"
        "set terminal pngcairo noenhanced size %u,%u font 'Helvetica,11' background "
        "'#ffffff'\n}\n"
        "set output '%s.'.format\n",
        x, y, x, y, name);
    put_title(p, out);
    for (uint32_t f = 0; f < p->n; f++) {
        put_facet(p, csv, f, &column, out);
    }
    text_add(out, "%sunset output\n}\n", p->n > 1 ? "unset multiplot\n" : "");
    free(csv);
}

char *gnuplot_name(const struct picture *p)
{
    struct text name = {0};

    picture_name(p, &name);
    if (p->group != NULL) {
        text_add(&name, " %s", p->group);
    }
    if (p->facet != NULL) {
        text_add(&name, " %s", p->facet);
    }
    for (char *c = name.s; *c != '\0'; c++) {
        if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.",
                   *c) == NULL) {
            *c = '-';
        }
    }
    if (name.n > 120) {
        name.s[120] = '\0';
    }
    return name.s;
}

/* ---- running it ---- */

enum { NOT_THERE = 127 };

static int exec_gnuplot(const char *dir, char *script)
{
    char program[] = "gnuplot";
    char *argv[] = {program, script, NULL};

    if (chdir(dir) == 0) {
        /* in a locale without its characters gnuplot complains of "set encoding" */
        (void)setenv("LC_ALL", "C.UTF-8", 1);
        execvp(program, argv);
    }
    return errno == ENOENT ? NOT_THERE : 126;
}

bool gnuplot_run(const char *dir, const char *name, bool *missing, struct smw_err *e)
{
    char *script = tb_printf("%s.gp", name);
    int status = 0;
    pid_t child, ended;

    fflush(NULL); /* the child must not write what waits here */
    child = fork();
    if (child == 0) {
        _exit(exec_gnuplot(dir, script));
    }
    do {
        ended = child < 0 ? -1 : waitpid(child, &status, 0);
    } while (ended < 0 && child > 0 && errno == EINTR);
    *missing = ended == child && WIFEXITED(status) && WEXITSTATUS(status) == NOT_THERE;
    if (*missing) {
        err_set(e, SMW_ERR_IO,
                "gnuplot is not installed: only the data and the script of "
                "plots are written");
        err_hint(e, "Debian, Ubuntu: apt install gnuplot-nox; then gnuplot %s in %s",
                 script, dir);
    } else if (ended != child || status != 0) {
        err_set(e, SMW_ERR_IO, "gnuplot could not draw %s/%s", dir, script);
    }
    free(script);
    return e->kind == SMW_ERR_NONE;
}
