/* report_sweep.c - report_sweep() of report.h: the page of a sweep's folder. */
#include "report/effect.h"
#include "report/report.h"
#include "report/sweep_picture.h"

#include "smwave.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_ROWS = 5000,   /* of the table of points */
    MAX_FAILED = 200,  /* listed one by one */
    MAX_STEPS = 60,    /* of a parameter */
    STEP_LETTERS = 20, /* of both its ends, in one line also where it is narrow */
    MAX_EFFECTS = 4    /* value columns of the table of effects */
};

struct sweep_page {
    struct text *out;
    const struct sweep_table *t;
    struct effects effects;
};

/* ---- cells ---- */

static void put_cell(struct sweep_page *p, const struct table_cell *c)
{
    if (c->text[0] == '\0') {
        html_cell_empty(p->out);
    } else if (c->is_number) {
        html_cell_number(p->out, c->number, 4);
    } else {
        html_cell(p->out, c->text);
    }
}

/* A name, so that 0 is as dark as the others. */
static void put_index(struct sweep_page *p, uint64_t index)
{
    text_add(p->out, "<td class=\"num\">");
    html_grouped(p->out, index);
}

/* "a 1, b x": the parameters of a point. */
static void put_params(struct sweep_page *p, uint64_t row)
{
    bool first = true;

    for (uint32_t i = 0; i < p->t->n_columns; i++) {
        const struct table_cell *c = &p->t->rows[row].cells[i];

        if (p->t->columns[i].role == TABLE_PARAM && c->text[0] != '\0') {
            text_add(p->out, "%s<span class=\"pair\">", first ? "" : ", ");
            html_name(p->out, p->t->columns[i].name);
            text_add(p->out, " <b>");
            html_text(p->out, c->text);
            text_add(p->out, "</b></span>");
            first = false;
        }
    }
}

static void column_name(const struct table_column *c, struct text *out)
{
    text_add(out, "%s", c->name);
    if (c->unit[0] != '\0' && strcmp(c->unit, c->name) != 0) {
        text_add(out, " [%s]", c->unit);
    }
}

static bool is_numeric(const struct sweep_table *t, uint32_t column)
{
    for (uint64_t r = 0; r < t->n_rows; r++) {
        const struct table_cell *c = &t->rows[r].cells[column];

        if (c->text[0] != '\0' && !c->is_number) {
            return false;
        }
    }
    return true;
}

/* ---- the top ---- */

static void fact(struct sweep_page *p, const char *name, uint64_t v, const char *class)
{
    text_add(p->out, "<div><dt>%s</dt><dd class=\"%s\">", name, class);
    html_grouped(p->out, v);
    text_add(p->out, "</dd></div>\n");
}

static void put_head(struct sweep_page *p)
{
    const struct sweep_table *t = p->t;
    uint64_t missing = t->n_rows - t->n_ok - t->n_failed;
    const char *status = missing > 0       ? "not finished"
                         : t->n_failed > 0 ? "some points failed"
                                           : "complete";

    text_add(p->out, "<header>\n<h1>");
    html_text(p->out, t->sweep.name);
    text_add(p->out, " <span class=\"status %s\">%s</span></h1>\n<p class=\"lead\">",
             missing + t->n_failed == 0 ? "good" : "bad", status);
    html_text(p->out, t->sweep.doc);
    text_add(p->out, "</p>\n<dl class=\"facts\">\n");
    fact(p, "Points", t->n_rows, "");
    fact(p, "Ended well", t->n_ok, "");
    fact(p, "Failed", t->n_failed, t->n_failed > 0 ? "bad" : "");
    if (missing > 0) {
        fact(p, "Not run yet", missing, "");
    }
    text_add(p->out, "</dl>\n");
}

/* What points are compared with, and of how many there is nothing to compare. */
static void put_baseline(struct sweep_page *p)
{
    const struct sweep_baseline *b = &p->t->sweep.baseline;
    uint64_t without = 0;

    if (b->at == NULL) {
        return;
    }
    for (uint64_t r = 0; r < p->t->n_rows; r++) {
        uint64_t base = p->t->rows[r].base;

        without += p->t->rows[r].done.status == STORE_OK &&
                   (base == TABLE_NO_ROW || p->t->rows[base].done.status != STORE_OK);
    }
    text_add(p->out, "<p class=\"lead\">Baseline: ");
    if (b->is_number) {
        text_add(p->out, "point %" PRIu64 " (", b->index);
        put_params(p, b->index);
        text_add(p->out, ")");
    }
    for (uint32_t i = 0; i < b->n; i++) {
        text_add(p->out, "%s<span class=\"pair\">", i == 0 ? "" : ", ");
        html_text(p->out, b->named[i].key);
        text_add(p->out, " <b>");
        html_text(p->out, b->named[i].value);
        text_add(p->out, "</b></span>");
    }
    text_add(p->out, "%s", b->is_number ? "" : ", else as the point itself");
    if (without > 0) {
        text_add(p->out, "; the baseline of %" PRIu64 " point%s did not end well",
                 without, without == 1 ? "" : "s");
    }
    text_add(p->out, "</p>\n");
}

/* ---- what matters ---- */

static int by_spread(const void *a, const void *b)
{
    const struct effect *x = *(const struct effect *const *)a,
                        *y = *(const struct effect *const *)b;

    return x->spread != y->spread ? (x->spread > y->spread ? -1 : 1)
                                  : (x < y ? -1 : x > y);
}

static void put_factor(struct sweep_page *p, double factor)
{
    if (factor == 0) {
        text_add(p->out, "&ndash;");
    } else {
        text_add(p->out, factor < 10 ? "%.2f" : "%.0f", factor);
    }
}

static void put_ranking(struct sweep_page *p)
{
    const struct effects *e = &p->effects;
    const struct effect **order = tb_alloc((e->n + 1) * sizeof(*order));

    for (uint32_t i = 0; i < e->n; i++) {
        order[i] = &e->at[i];
    }
    qsort(order, e->n, sizeof(*order), by_spread);
    if (e->n > 0) {
        text_add(p->out, "<p class=\"lead rank\">Factor by which <strong>");
        html_text(p->out, p->t->columns[e->values[0]].name);
        text_add(p->out, "</strong> changes from its least to its most over one "
                         "parameter, all else equal (median)</p>\n"
                         "<ul class=\"ranks\">\n");
    }
    for (uint32_t i = 0; i < e->n && i < 8; i++) {
        text_add(p->out, "<li><b>");
        put_factor(p, order[i]->spread);
        text_add(p->out, "</b> ");
        html_text(p->out, order[i]->name);
        text_add(p->out, "</li>\n");
    }
    text_add(p->out, "%s", e->n > 0 ? "</ul>\n" : "");
    free(order);
}

/* ---- smallest and largest ---- */

/* ", 0.85 of the baseline" */
static void put_ratio(struct sweep_page *p, uint64_t row, uint32_t column)
{
    const struct table_cell *c = &p->t->rows[row].cells[column + p->t->n_ratios];

    if (c->is_number) {
        text_add(p->out, ", ");
        html_number(p->out, c->number, 4);
        text_add(p->out, " of the baseline");
    }
}

static void put_extreme(struct sweep_page *p, uint32_t column, int sign)
{
    uint64_t best = UINT64_MAX, same = 0;
    double v = 0;

    for (uint64_t r = 0; r < p->t->n_rows; r++) {
        const struct table_cell *c = &p->t->rows[r].cells[column];

        if (c->is_number && (best == UINT64_MAX || sign * (c->number - v) > 0)) {
            best = r;
            v = c->number;
            same = 0;
        } else if (c->is_number && c->number == v) {
            same++;
        }
    }
    html_cell_number(p->out, v, 5);
    text_add(p->out, "<td class=\"where\">");
    put_params(p, best);
    text_add(p->out, "<span class=\"sub\">point %" PRIu64, best);
    if (p->t->n_ratios > 0) {
        put_ratio(p, best, column);
    }
    if (same > 0) {
        text_add(p->out, " and %" PRIu64 " more", same);
    }
    text_add(p->out, "</span>");
}

static void put_extremes(struct sweep_page *p)
{
    static const struct html_column c[] = {{"Value", NULL, false},
                                           {"Smallest", NULL, true},
                                           {"at", NULL, false},
                                           {"Largest", NULL, true},
                                           {"at", NULL, false}};

    html_section(p->out, "extremes", "Smallest and largest", NULL);
    html_table(p->out, "t-extremes", "Smallest and largest of each value", c,
               ARRAY_LEN(c), HTML_PLAIN);
    for (uint32_t i = 0; i < p->effects.n_values; i++) {
        struct text name = {0};

        column_name(&p->t->columns[p->effects.values[i]], &name);
        text_add(p->out, "\n<tr><th scope=\"row\">");
        html_text(p->out, name.s);
        text_add(p->out, "</th>");
        put_extreme(p, p->effects.values[i], -1);
        put_extreme(p, p->effects.values[i], 1);
        text_free(&name);
    }
    html_table_end(p->out);
    html_section_end(p->out);
}

/* ---- effects ---- */

static void put_percent(struct sweep_page *p, double v)
{
    if (fabs(v) < 0.0005) {
        text_add(p->out, "0&nbsp;%%");
    } else {
        text_add(p->out, "%s%.1f&nbsp;%%", v > 0 ? "+" : "&minus;", 100 * fabs(v));
    }
}

static void put_change(struct sweep_page *p, const struct effect_change *c)
{
    if (c->pairs == 0) {
        html_cell_empty(p->out);
        return;
    }
    text_add(p->out, "<td class=\"num%s\" data-v=\"%.17g\">",
             fabs(c->median) < 0.0005 && c->most - c->least < 0.001 ? " zero" : "",
             c->median);
    put_percent(p, c->median);
    if (c->most - c->least >= 0.001) {
        text_add(p->out, "<span class=\"sub\">");
        put_percent(p, c->least);
        text_add(p->out, " &hellip; ");
        put_percent(p, c->most);
        text_add(p->out, "</span>");
    }
}

static void put_effect(struct sweep_page *p, const struct effect *f, uint32_t shown)
{
    for (uint32_t s = 0; s < f->n_steps && s < MAX_STEPS; s++) {
        html_row(p->out);
        text_add(p->out, "<td>");
        html_name(p->out, f->name);
        text_add(p->out, "<td%s>",
                 strlen(f->steps[s].from) + strlen(f->steps[s].to) <= STEP_LETTERS
                     ? " class=\"nowrap\""
                     : "");
        html_text(p->out, f->steps[s].from);
        text_add(p->out, " &rarr; ");
        html_text(p->out, f->steps[s].to);
        for (uint32_t i = 0; i < shown; i++) {
            put_change(p, &f->steps[s].of[i]);
        }
        html_cell_count(p->out, f->steps[s].pairs);
    }
}

static bool changes_nothing(const struct sweep_page *p, const struct effect *f)
{
    bool none = f->n_steps > 0;

    for (uint32_t s = 0; s < f->n_steps; s++) {
        for (uint32_t i = 0; i < p->effects.n_values; i++) {
            const struct effect_change *c = &f->steps[s].of[i];

            none = none && c->least == 0 && c->most == 0;
        }
    }
    return none;
}

struct idle_key {
    struct sweep_page *p;
    const char *name;
};

static void put_rule(void *ctx, const struct smw_key *k)
{
    const struct idle_key *idle = ctx;

    if (strcmp(k->key, idle->name) == 0) {
        text_add(idle->p->out, ", which is: ");
        html_text(idle->p->out, k->doc);
        text_add(idle->p->out, ". Rule %s says when that matters", k->rule);
    }
}

/* Parameters that change no value of any point, and the rules that they are part of. */
static void put_idle(struct sweep_page *p)
{
    for (uint32_t i = 0; i < p->effects.n; i++) {
        const struct effect *f = &p->effects.at[i];
        struct idle_key idle = {p, f->name};

        if (changes_nothing(p, f)) {
            text_add(p->out, "<p class=\"note\">No value changes with <code>");
            html_text(p->out, f->name);
            text_add(p->out, "</code>");
            smw_config_each(put_rule, &idle);
            text_add(p->out, ".</p>\n");
        }
    }
}

static void put_effects(struct sweep_page *p)
{
    /* In a narrow window the changes are to be seen before how many there are. */
    struct html_column c[3 + MAX_EFFECTS] = {{"Parameter", NULL, false},
                                             {"Step", NULL, false}};
    uint32_t shown =
        p->effects.n_values < MAX_EFFECTS ? p->effects.n_values : MAX_EFFECTS;

    html_section(
        p->out, "effects", "What each parameter changes",
        p->t->n_ratios > 0
            ? "Points that differ in one parameter alone, compared with the one "
              "that has the baseline's value; parameters that the baseline does not "
              "name, by one step. The median change over all such pairs; below it, "
              "the smallest and the largest."
            : "Neighbours compared: points that differ in one parameter, by one step "
              "of it. The median change over all such pairs; below it, the smallest "
              "and the largest.");
    if (p->effects.n == 0) {
        text_add(p->out,
                 "<p class=\"note\">No two points that ended well differ in one "
                 "parameter alone.</p>\n");
        html_section_end(p->out);
        return;
    }
    for (uint32_t i = 0; i < shown; i++) {
        c[2 + i] = (struct html_column){p->t->columns[p->effects.values[i]].name,
                                        "relative change", true};
    }
    c[2 + shown] =
        (struct html_column){"Pairs", "of points that differ in nothing else", true};
    html_table(p->out, "t-effects", "Change of each value by each step of a parameter",
               c, 3 + shown, HTML_TALL);
    for (uint32_t i = 0; i < p->effects.n; i++) {
        put_effect(p, &p->effects.at[i], shown);
    }
    html_table_end(p->out);
    put_idle(p);
    html_section_end(p->out);
}

/* ---- plots ---- */

static void put_plots(struct sweep_page *p)
{
    const struct sweep_plot *plots;
    struct sweep_plot fallback;
    uint32_t n = picture_plots(p->t, &fallback, &plots);

    html_section(p->out, "plots", "Plots", NULL);
    text_add(p->out, "<div class=\"grid2\">\n");
    for (uint32_t i = 0; i < n; i++) {
        struct picture picture;
        struct smw_err e = {0};

        if (!picture_make(&picture, p->t, &plots[i], &e)) {
            text_add(p->out, "<p class=\"box\">");
            html_text(p->out, e.message);
            text_add(p->out, "</p>\n");
        } else if (picture.points > 0) {
            sweep_picture(&picture, p->t, i, p->out);
            picture_free(&picture);
        } else {
            picture_free(&picture);
        }
    }
    text_add(p->out, "</div>\n");
    if (p->t->n_ok == 0 || n == 0) {
        text_add(p->out, "<p class=\"note\">There is nothing to draw yet.</p>\n");
    }
    html_section_end(p->out);
}

/* ---- failures ---- */

/* "kernel 8, time 1": how many failed for what. */
static void put_causes(struct sweep_page *p)
{
    uint64_t n[STORE_CAUSES] = {0};
    bool first = true;

    for (uint64_t r = 0; r < p->t->n_rows; r++) {
        const struct store_done *d = &p->t->rows[r].done;

        n[d->cause] += d->status == STORE_FAILED;
    }
    text_add(p->out, "<p class=\"note\">");
    for (uint32_t c = 0; c < STORE_CAUSES; c++) {
        if (n[c] > 0) {
            text_add(p->out, "%s%s <b>", first ? "" : ", ",
                     store_cause_name((enum store_cause)c));
            html_grouped(p->out, n[c]);
            text_add(p->out, "</b>");
            first = false;
        }
    }
    text_add(p->out, "</p>\n");
}

static void put_failures(struct sweep_page *p)
{
    static const struct html_column c[] = {{"Point", NULL, true},
                                           {"Parameters", NULL, false},
                                           {"Cause", NULL, false},
                                           {"Exit", "the code of smwave run", true},
                                           {"Error", NULL, false}};
    uint64_t shown = 0;

    html_section(p->out, "failures", "Failures",
                 "Points that did not end well. Those that the machine failed are run "
                 "again by the next <code>smwave sweep run</code>, others with "
                 "<code>--failed</code>.");
    put_causes(p);
    html_table(p->out, "t-failures", "Points that failed", c, ARRAY_LEN(c), HTML_TALL);
    for (uint64_t r = 0; r < p->t->n_rows && shown < MAX_FAILED; r++) {
        const struct store_done *d = &p->t->rows[r].done;

        if (d->status != STORE_FAILED) {
            continue;
        }
        shown++;
        html_row(p->out);
        put_index(p, d->index);
        text_add(p->out, "<td class=\"where\">");
        put_params(p, r);
        html_cell(p->out, store_cause_name(d->cause));
        text_add(p->out, "%s", d->host ? " (the machine)" : "");
        html_cell_number(p->out, d->exit, 4);
        text_add(p->out, "<td class=\"says\">");
        html_text(p->out, d->error);
    }
    html_table_end(p->out);
    if (shown < p->t->n_failed) {
        text_add(p->out, "<p class=\"note\">The first %d of ", (int)MAX_FAILED);
        html_grouped(p->out, p->t->n_failed);
        text_add(p->out, ".</p>\n");
    }
    html_section_end(p->out);
}

/* ---- all points ---- */

static void put_rows(struct sweep_page *p)
{
    const struct sweep_table *t = p->t;

    for (uint64_t r = 0; r < t->n_rows && r < MAX_ROWS; r++) {
        html_row(p->out);
        put_index(p, t->rows[r].done.index);
        for (uint32_t i = 0; i < t->n_columns; i++) {
            if (t->columns[i].role == TABLE_PARAM) {
                put_cell(p, &t->rows[r].cells[i]);
            }
        }
        text_add(p->out, "<td%s>",
                 t->rows[r].done.status == STORE_FAILED ? " class=\"bad\"" : "");
        html_text(p->out, store_status_name(t->rows[r].done.status));
        for (uint32_t i = 0; i < t->n_columns; i++) {
            if (t->columns[i].role == TABLE_VALUE) {
                put_cell(p, &t->rows[r].cells[i]);
            }
        }
    }
}

static void put_points(struct sweep_page *p)
{
    const struct sweep_table *t = p->t;
    struct html_column *c = tb_alloc((t->n_columns + 2) * sizeof(*c));
    struct text *names = tb_alloc((t->n_columns + 1) * sizeof(*names));
    uint32_t n = 0;

    html_section(p->out, "points", "All points", NULL);
    c[n++] = (struct html_column){"Point", NULL, true};
    for (uint32_t role = TABLE_PARAM; role <= TABLE_VALUE; role++) {
        if (role == TABLE_VALUE) {
            c[n++] = (struct html_column){"Status", NULL, false};
        }
        for (uint32_t i = 0; i < t->n_columns; i++) {
            if (t->columns[i].role == (enum table_role)role) {
                column_name(&t->columns[i], &names[i]);
                c[n++] = (struct html_column){names[i].s, NULL, is_numeric(t, i)};
            }
        }
    }
    text_add(
        p->out,
        "<div class=\"tools\" data-table=\"t-points\" hidden><input type=\"search\" "
        "placeholder=\"filter: gto 48/16\" aria-label=\"Filter points\"><output>"
        "</output></div>\n");
    html_table(p->out, "t-points", "Points of the sweep", c, n, HTML_TALL);
    put_rows(p);
    html_table_end(p->out);
    if (t->n_rows > MAX_ROWS) {
        text_add(p->out, "<p class=\"note\">The first %d of ", (int)MAX_ROWS);
        html_grouped(p->out, t->n_rows);
        text_add(p->out, "; results.csv has all.</p>\n");
    }
    html_section_end(p->out);
    for (uint32_t i = 0; i < t->n_columns; i++) {
        text_free(&names[i]);
    }
    free(names);
    free(c);
}

static void put_file(struct sweep_page *p)
{
    html_section(p->out, "file", "Sweep file", NULL);
    text_add(p->out, "<details><summary>sweep.yml</summary><pre>");
    html_text(p->out, p->t->sweep.yaml.text);
    text_add(p->out, "</pre></details>\n");
    html_section_end(p->out);
}

static void put_page(struct sweep_page *p)
{
    static const struct html_nav all[] = {
        {"plots", "Plots"},   {"effects", "Effects"}, {"extremes", "Extremes"},
        {"points", "Points"}, {"file", "Sweep file"}, {"failures", "Failures"}};
    struct text title = {0};
    bool failed = p->t->n_failed > 0;

    text_add(&title, "%s - smwave sweep", p->t->sweep.name);
    html_open(p->out, title.s);
    html_bar(p->out, p->t->sweep.name, all, ARRAY_LEN(all) - !failed);
    put_head(p);
    put_baseline(p);
    put_ranking(p);
    text_add(p->out, "</header>\n");
    put_plots(p);
    put_effects(p);
    if (p->effects.n_values > 0) {
        put_extremes(p);
    }
    if (failed) {
        put_failures(p);
    }
    put_points(p);
    put_file(p);
    text_add(p->out, "<footer>smwave, a sweep of ");
    html_grouped(p->out, p->t->n_rows);
    text_add(p->out, " points</footer>\n");
    html_close(p->out);
    text_free(&title);
}

void report_table(const struct sweep_table *t, struct text *out)
{
    struct sweep_page p = {.out = out, .t = t};

    effects_make(&p.effects, t);
    put_page(&p);
    effects_free(&p.effects);
}

bool report_sweep(const char *dir, struct text *out, struct smw_err *e)
{
    struct sweep_table t;

    if (!table_load(&t, dir, e)) {
        return false;
    }
    if (t.n_unread > 0) {
        err_set(e, SMW_ERR_IO,
                "%s: the results of %" PRIu64 " point%s could not be read", dir,
                t.n_unread, t.n_unread == 1 ? "" : "s");
        err_hint(e, "'smwave sweep run' runs them again");
    } else {
        report_table(&t, out);
    }
    table_free(&t);
    return e->kind == SMW_ERR_NONE;
}
