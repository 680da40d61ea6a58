#include "report/sweep_draw.h"

#include "io/diag.h"
#include "io/outdir.h"
#include "report/report.h"
#include "sweep/gnuplot.h"
#include <stdlib.h>
#include <string.h>

/* Two plots of the same columns get names of their own. */
static char *name_of(struct drawing *d, const struct picture *p)
{
    char *base = gnuplot_name(p), *name = tb_strdup(base);
    uint32_t again = 1;

    for (uint32_t i = 0; i < d->n; i++) {
        if (strcmp(d->names[i], name) == 0) {
            free(name);
            name = tb_printf("%s-%u", base, ++again);
            i = UINT32_MAX; /* from the first one */
        }
    }
    free(base);
    d->names = tb_realloc(d->names, (d->n + 1) * sizeof(*d->names));
    d->names[d->n++] = name;
    return name;
}

static bool write_file(const char *dir, const char *name, const char *ending,
                       struct text *t, struct smw_err *e)
{
    char *path = tb_printf("%s/%s%s", dir, name, ending);
    bool ok = file_write(path, t->s, t->n, e);

    free(path);
    text_free(t);
    return ok;
}

static bool draw(struct drawing *d, const char *dir, const struct sweep_plot *plot,
                 struct smw_err *e)
{
    struct text csv = {0}, script = {0}, note = {0};
    struct picture p;
    const char *name;

    if (!picture_make(&p, d->table, plot, e)) {
        return false;
    }
    if (p.points == 0) {
        picture_free(&p);
        return err_set(
            e, SMW_ERR_INPUT,
            "no point of the sweep has ended well: there is nothing to draw");
    }
    name = name_of(d, &p);
    gnuplot_csv(&p, &csv);
    gnuplot_script(&p, name, &script);
    picture_note(&p, &note);
    picture_free(&p);
    if (write_file(dir, name, ".csv", &csv, e) &&
        write_file(dir, name, ".gp", &script, e) && !d->missing &&
        !gnuplot_run(dir, name, &d->missing, e) && d->missing) {
        d->why = *e;
        *e = (struct smw_err){0};
    }
    if (e->kind == SMW_ERR_NONE && !d->quiet) {
        printf("%s/%s%s%s%s\n", dir, name, d->missing ? ".gp" : ".svg",
               note.n > 0 ? "  " : "", note.n > 0 ? note.s : "");
    }
    text_free(&note);
    return e->kind == SMW_ERR_NONE;
}

bool draw_plots(struct drawing *d, const struct sweep_plot *plots, uint32_t n,
                struct smw_err *e)
{
    char *dir = file_join(d->dir, "plots"), *inside = file_join(dir, "x");

    if (outdir_make_parents(inside, e)) {
        for (uint32_t i = 0; i < n && draw(d, dir, &plots[i], e); i++) {
        }
    }
    free(inside);
    free(dir);
    return e->kind == SMW_ERR_NONE;
}

void draw_free(struct drawing *d)
{
    for (uint32_t i = 0; i < d->n; i++) {
        free(d->names[i]);
    }
    free(d->names);
    *d = (struct drawing){0};
}

bool draw_all(const struct sweep_table *t, const char *dir, struct smw_err *e)
{
    struct drawing d = {.table = t, .dir = dir, .quiet = true};
    struct text page = {0};
    bool ok;

    for (uint32_t i = 0; i < t->sweep.n_plots && t->n_ok > 0; i++) {
        struct smw_err why = {0};

        if (!draw_plots(&d, &t->sweep.plots[i], 1, &why)) {
            diag_warning(&why);
        }
    }
    if (d.missing) {
        diag_warning(&d.why);
    }
    draw_free(&d);
    report_table(t, &page);
    ok = store_write(dir, STORE_PAGE, page.s, page.n, e);
    text_free(&page);
    return ok;
}
