/*
 * cmd_sweep_plot.c - "smwave sweep plot": pictures of the results, by gnuplot.
 */
#include "cmd/cmd_sweep.h"
#include "io/cli.h"

#include "report/sweep_draw.h"
#include <stdlib.h>
#include <string.h>

enum { OPT_GROUP = 256, OPT_FACET, OPT_Z, OPT_LOG, OPT_KIND, OPT_TITLE };

struct options {
    const char *word, *out, *axis[2];
    uint32_t n_axes;
    bool has_kind;
    struct sweep_plot plot;
};

static const struct argp_option option_table[] = {
    {"output", 'o', "DIR", 0,
     "the folder of the sweep (default: smwave-out/NAME.sweep)", 1},
    {"group", OPT_GROUP, "PARAM", 0, "a line, or a bar, for each of its values", 1},
    {"facet", OPT_FACET, "PARAM", 0, "a picture for each of its values", 1},
    {"z", OPT_Z, "COLUMN", 0, "the colour of a heat map", 1},
    {"log", OPT_LOG, "x|y|xy", 0, "logarithmic axes", 1},
    {"kind", OPT_KIND, "line|bar|heat|pareto", 0,
     "what is drawn (default: line). heat: X and Y are parameters, --z is the colour. "
     "pareto: of X and Y less is better, the points that no other one beats are joined",
     1},
    {"title", OPT_TITLE, "TEXT", 0, "above the picture", 1},
    {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;

    switch (key) {
    case 'o': o->out = arg; return 0;
    case OPT_GROUP: o->plot.group = arg; return 0;
    case OPT_FACET: o->plot.facet = arg; return 0;
    case OPT_Z: o->plot.z = arg; return 0;
    case OPT_TITLE: o->plot.title = arg; return 0;
    case OPT_LOG:
        o->plot.log_x = strchr(arg, 'x') != NULL;
        o->plot.log_y = strchr(arg, 'y') != NULL;
        if (arg[0] == '\0' || strspn(arg, "xy") != strlen(arg)) {
            argp_error(state, "--log is x, y or xy, not '%s'", arg);
        }
        return 0;
    case OPT_KIND:
        o->has_kind = true;
        for (uint32_t i = 0; i < ARRAY_LEN(picture_kinds); i++) {
            if (strcmp(arg, picture_kinds[i]) == 0) {
                o->plot.kind = (enum sweep_plot_kind)i;
                return 0;
            }
        }
        argp_error(state, "--kind is line, bar, heat or pareto, not '%s'", arg);
        return 0;
    case ARGP_KEY_ARG:
        if (o->word == NULL) {
            o->word = arg;
        } else if (o->n_axes < 2) {
            o->axis[o->n_axes++] = arg;
        } else {
            argp_error(state, "'%s' is one word too many", arg);
        }
        return 0;
    case ARGP_KEY_END:
        if (o->word == NULL) {
            argp_error(state, "which sweep?");
        }
        if (o->n_axes == 1) {
            argp_error(state, "'%s' against what? X and Y are two columns", o->axis[0]);
        }
        if (o->n_axes == 0 &&
            (o->plot.group != NULL || o->plot.facet != NULL || o->plot.z != NULL ||
             o->plot.title != NULL || o->plot.log_x || o->plot.log_y || o->has_kind)) {
            argp_error(state, "options of a plot need its X and Y");
        }
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp sweep_plot_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "SWEEP [X Y]",
    .doc =
        "Draw results of a sweep: SWEEP is its folder or its file, X and Y are columns "
        "of "
        "results.csv, parameters or what the sweep collects. Without them the plots "
        "that "
        "the sweep file names are drawn, or one of its first column."
        "\v"
        "For each plot the numbers (.csv), a gnuplot script (.gp) and what it draws "
        "(.svg, "
        ".png) are written into plots in the folder of the sweep. Without gnuplot the "
        "first two are, and the exit code is 7.\n\n"
        "  smwave sweep plot partition kb cycles --group sm.onchip.partition\n"
        "  smwave sweep plot banks sm.smem.banks stride --kind heat --z conflicts\n"
        "  smwave sweep plot mshr sm.l1.mshrs cycles --kind pareto --log x\n"};

static bool draw_some(struct options *o, struct drawing *d, struct smw_err *e)
{
    const struct sweep_plot *plots = &o->plot;
    struct sweep_plot fallback;
    uint32_t n = 1;

    o->plot.x = o->axis[0];
    o->plot.y = o->axis[1];
    if (o->n_axes == 0) {
        n = picture_plots(d->table, &fallback, &plots);
    }
    if (n == 0) {
        return err_set(e, SMW_ERR_INPUT,
                       "the sweep has no parameter or collects nothing: "
                       "there is nothing to draw");
    }
    return draw_plots(d, plots, n, e);
}

int cmd_sweep_plot(int argc, char **argv)
{
    struct options o = {0};
    struct drawing d = {0};
    struct sweep_table t;
    struct smw_err e = {0};
    char *dir;

    d.quiet = cli_parse(&sweep_plot_argp, argc, argv, &o).quiet;
    dir = store_find(o.word, o.out, &e);
    if (dir != NULL && table_load(&t, dir, &e)) {
        d.table = &t;
        d.dir = dir;
        if (draw_some(&o, &d, &e) && d.missing) {
            e = d.why;
        }
        table_free(&t);
    }
    draw_free(&d);
    free(dir);
    return e.kind == SMW_ERR_NONE ? TB_OK : (int)diag_error(&e);
}
