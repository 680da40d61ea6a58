/* page_time.c - where the cycles went, over time: page_activity() of page_priv.h. */
#include "report/page_priv.h"

#include <stdlib.h>
#include <string.h>

enum { N_CLASSES = 6, N_WARP = 4 };

struct timeline {
    struct run_page *p;
    size_t n;              /* windows */
    double window, cycles; /* of one; of all */
    double *length;        /* cycles of each */
    struct chart chart;    /* the one that is drawn */
};

struct series {
    const char *key, *name, *class;
};

static const struct series classes[N_CLASSES] = {{"issue", "issue", "s-issue"},
                                                 {"pipe", "pipe busy", "s-pipe"},
                                                 {"latency", "latency", "s-latency"},
                                                 {"memory", "memory", "s-memory"},
                                                 {"barrier", "barrier", "s-barrier"},
                                                 {"idle", "idle", "s-idle"}};

static const struct series warps[N_WARP] = {{"warp_ready", "ready or issuing",
                                             "s-issue"},
                                            {"warp_latency", "operand or branch",
                                             "s-latency"},
                                            {"warp_memory", "memory", "s-memory"},
                                            {"warp_barrier", "barrier", "s-barrier"}};

static double at(const struct timeline *t, const char *key, size_t i)
{
    return json_number_value(json_array_get(json_object_get(t->p->profile, key), i));
}

static double total(const struct timeline *t, const char *key)
{
    double sum = 0;

    for (size_t i = 0; i < t->n; i++) {
        sum += at(t, key, i);
    }
    return sum;
}

/* Per cycle of each window. */
static void rate(const struct timeline *t, const char *key, double *out)
{
    for (size_t i = 0; i < t->n; i++) {
        out[i] = at(t, key, i) / t->length[i];
    }
}

static double largest(const double *v, size_t n)
{
    double max = 0;

    for (size_t i = 0; i < n; i++) {
        max = v[i] > max ? v[i] : max;
    }
    return max;
}

/* ---- drawing ---- */

static void begin(struct timeline *t, double top, double height, double max)
{
    t->chart = (struct chart){.left = PAGE_LEFT,
                              .top = top,
                              .width = PAGE_WIDTH - PAGE_LEFT - PAGE_RIGHT,
                              .height = height,
                              .x = {0, (double)t->n * t->window, false},
                              .y = chart_axis(0, max, false)};
}

/* less: what the last one has too much. */
static void stack(struct timeline *t, const struct series *s, size_t n, double less)
{
    double *low = tb_alloc(t->n * sizeof(double)),
           *high = tb_alloc(t->n * sizeof(double));

    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < t->n; i++) {
            low[i] = k == 0 ? 0 : high[i];
        }
        rate(t, s[k].key, high);
        for (size_t i = 0; i < t->n; i++) {
            high[i] += low[i] - (k + 1 == n ? less : 0);
        }
        chart_area(t->p->out, &t->chart, s[k].class, low, high, t->n);
    }
    free(low);
    free(high);
}

/* The launches as bands on top, and lines down to bottom where they begin. */
static void launches(struct timeline *t, double bottom)
{
    const json_t *l;
    size_t i;

    json_array_foreach(json_object_get(t->p->profile, "launches"), i, l)
    {
        double from = chart_x(&t->chart, page_number(l, "start"));
        double to = chart_x(&t->chart, page_number(l, "end"));
        struct text label = {0};

        if (!json_is_true(json_object_get(l, "started")) || to <= from) {
            continue;
        }
        page_label(t->p, i, &label);
        text_add(t->p->out,
                 "<rect class=\"band\" x=\"%.1f\" y=\"4\" width=\"%.1f\" "
                 "height=\"18\"/><path class=\"edge\" d=\"M%.1f 4V%.1f\"/>\n",
                 from, to - from, from, bottom);
        if (to - from > 7.2 * (double)label.n + 8) {
            chart_word(t->p->out, from + 5, 17, "start", "tick", label.s);
        }
        text_free(&label);
    }
}

/* ---- what the pointer tells ---- */

static void hover_series(struct timeline *t, const char *key, const char *name,
                         const char *unit, bool first)
{
    text_add(t->p->out, "%s[\"%s\",\"%s\",[", first ? "" : ",\n", name, unit);
    for (size_t i = 0; i < t->n; i++) {
        text_add(t->p->out, "%s%.4g", i == 0 ? "" : ",", at(t, key, i) / t->length[i]);
    }
    text_add(t->p->out, "]]");
}

static void hover(struct timeline *t, double bottom)
{
    text_add(t->p->out,
             "<script type=\"application/json\" id=\"d-activity\">{\"kind\":\"steps\","
             "\"x\":[%d,%d],\"y\":[24,%.0f],\"n\":%zu,\"from\":0,\"step\":%.0f,"
             "\"what\":\"cycles\",\"series\":[",
             PAGE_LEFT, PAGE_WIDTH - PAGE_RIGHT, bottom, t->n, t->window);
    for (size_t k = 0; k < N_CLASSES; k++) {
        hover_series(t, classes[k].key, classes[k].name, "SMs", k == 0);
    }
    hover_series(t, "insts", "IPC", "", false);
    hover_series(t, "wavefronts", "wavefronts", "per cycle", false);
    hover_series(t, "conflicts", "conflicts", "per cycle", false);
    text_add(t->p->out, "]}</script>\n");
}

/* ---- the charts ---- */

/* SMs that never had a warp are left out. */
static double draw_activity(struct timeline *t)
{
    double all = page_number(t->p->profile, "sms");
    double used = (double)json_array_size(json_object_get(t->p->profile, "sm_issue"));
    char title[96];

    snprintf(title, sizeof(title),
             used < all ? "SMs by what they do (%.0f of %.0f never had a warp)"
                        : "SMs by what they do",
             all - used, all);
    used = used > 0 ? used : 1;
    begin(t, 52, 130, used);
    t->chart.y.hi = used;
    stack(t, classes, N_CLASSES, all - used);
    chart_y_axis(t->p->out, &t->chart, used < 4 ? (uint32_t)used : 4, title);
    chart_x_axis(t->p->out, &t->chart, 8, NULL, false);
    return t->chart.top + t->chart.height;
}

static double draw_warps(struct timeline *t, double top)
{
    double *all = tb_alloc(t->n * sizeof(double)),
           *one = tb_alloc(t->n * sizeof(double));

    for (size_t k = 0; k < N_WARP; k++) {
        rate(t, warps[k].key, one);
        for (size_t i = 0; i < t->n; i++) {
            all[i] += one[i];
        }
    }
    begin(t, top + 40, 100, largest(all, t->n));
    stack(t, warps, N_WARP, 0);
    chart_y_axis(t->p->out, &t->chart, 3,
                 "resident warps, all SMs, by what they wait for");
    chart_x_axis(t->p->out, &t->chart, 8, NULL, false);
    free(all);
    free(one);
    return t->chart.top + t->chart.height;
}

static double draw_rates(struct timeline *t, double top)
{
    double *v = tb_alloc(t->n * sizeof(double)), *c = tb_alloc(t->n * sizeof(double));
    bool shared = total(t, "wavefronts") > 0;

    rate(t, "insts", v);
    begin(t, top + 40, 70, largest(v, t->n));
    chart_y_axis(t->p->out, &t->chart, 2, "warp instructions per cycle, all SMs");
    chart_steps(t->p->out, &t->chart, "l-issue", v, t->n);
    chart_x_axis(t->p->out, &t->chart, 8, shared ? NULL : "cycle of the SM clock",
                 !shared);
    if (shared) {
        rate(t, "wavefronts", v);
        rate(t, "conflicts", c);
        begin(t, t->chart.top + t->chart.height + 40, 70, largest(v, t->n));
        chart_y_axis(t->p->out, &t->chart, 2,
                     "shared-memory wavefronts per cycle, those of conflicts in red");
        chart_area(t->p->out, &t->chart, "s-bank", NULL, v, t->n);
        chart_area(t->p->out, &t->chart, "s-hot", NULL, c, t->n);
        chart_x_axis(t->p->out, &t->chart, 8, "cycle of the SM clock", true);
    }
    free(v);
    free(c);
    return t->chart.top + t->chart.height;
}

/* Keys with their share of the cycles in which the SM had work. */
static void legend(struct timeline *t)
{
    char names[N_CLASSES][64];
    struct chart_key k[N_CLASSES];
    double all = 0;

    for (size_t i = 0; i + 1 < N_CLASSES; i++) {
        all += total(t, classes[i].key);
    }
    for (size_t i = 0; i < N_CLASSES; i++) {
        if (i + 1 < N_CLASSES && all > 0) {
            snprintf(names[i], sizeof(names[i]), "%s %.1f %%", classes[i].name,
                     100 * total(t, classes[i].key) / all);
        } else {
            snprintf(names[i], sizeof(names[i]), "%s", classes[i].name);
        }
        k[i] = (struct chart_key){classes[i].class, names[i]};
    }
    chart_legend(t->p->out, k, N_CLASSES);
}

static void explain_classes(struct run_page *p)
{
    text_add(
        p->out,
        "<details><summary>What the colours mean</summary><ul class=\"points\">"
        "<li><b>issue</b>: a scheduler of the SM is issuing.</li>"
        "<li><b>pipe busy</b>: a warp could issue, but its pipe or its scheduler's "
        "turn is not there.</li>"
        "<li><b>latency</b>: no warp could; one waits for an operand or a branch."
        "</li><li><b>memory</b>: none of those either; one waits for memory.</li>"
        "<li><b>barrier</b>: all warps that live are at a barrier.</li>"
        "<li><b>idle</b>: no warp lives.</li></ul><p class=\"note\">Every cycle of "
        "every SM is exactly one of these; percentages are of the cycles in which an "
        "SM had warps.</p></details>\n");
}

/* ---- SMs over time ---- */

static void draw_sms(struct timeline *t)
{
    const json_t *rows = json_object_get(t->p->profile, "sm_issue"), *row;
    size_t n = json_array_size(rows), i;
    double high = n > 40 ? 5 : n > 20 ? 9 : 14;
    double *v = tb_alloc((n * t->n + 1) * sizeof(double));

    json_array_foreach(rows, i, row)
    {
        for (size_t w = 0; w < t->n; w++) {
            double cycles =
                json_number_value(json_array_get(json_object_get(row, "issue"), w));

            v[i * t->n + w] = 100 * cycles / t->length[w];
        }
    }
    text_add(t->p->out, "<h3>Issuing, SM by SM</h3>\n");
    chart_open(t->p->out, PAGE_WIDTH, 64 + high * (double)n, PAGE_LEAST,
               "Share of cycles in which each SM issued, over time", "d-sms");
    begin(t, 10, high * (double)n, 1);
    chart_heat(t->p->out, &t->chart, v, n, t->n, 100);
    json_array_foreach(rows, i, row)
    {
        char name[32];

        if (i % (high > 9 ? 1 : high > 5 ? 2 : 8) == 0) {
            snprintf(name, sizeof(name), "sm%.0f", page_number(row, "sm"));
            chart_word(t->p->out, PAGE_LEFT - 8, 10 + high * ((double)i + 0.5) + 4,
                       "end", "tick", name);
        }
    }
    chart_x_axis(t->p->out, &t->chart, 8, "cycle of the SM clock", true);
    chart_close(t->p->out);
    chart_scale(t->p->out, 0, 100, "% of cycles with an issue");
    text_add(
        t->p->out,
        "<script type=\"application/json\" id=\"d-sms\">{\"kind\":\"grid\","
        "\"x\":[%d,%d],\"y\":[10,%.0f],\"n\":%zu,\"from\":0,\"step\":%.0f,"
        "\"what\":\"cycles\",\"row\":\"SM\",\"unit\":\"%% of cycles issue\",\"rows\":[",
        PAGE_LEFT, PAGE_WIDTH - PAGE_RIGHT, 10 + high * (double)n, t->n, t->window);
    json_array_foreach(rows, i, row)
    {
        text_add(t->p->out, "%s%.0f", i == 0 ? "" : ",", page_number(row, "sm"));
    }
    text_add(t->p->out, "],\"v\":[");
    for (i = 0; i < n; i++) {
        text_add(t->p->out, "%s[", i == 0 ? "" : ",\n");
        for (size_t w = 0; w < t->n; w++) {
            text_add(t->p->out, "%s%.3g", w == 0 ? "" : ",", v[i * t->n + w]);
        }
        text_add(t->p->out, "]");
    }
    text_add(t->p->out, "]}</script>\n");
    free(v);
}

static void draw(struct run_page *p, struct timeline *t)
{
    bool shared = total(t, "wavefronts") > 0;
    double height = 52 + 130 + 140 + 110 + (shared ? 110 : 0) + 48, bottom;

    legend(t);
    chart_open(p->out, PAGE_WIDTH, height, PAGE_LEAST,
               "Activity of the SMs over time: what they do, warps, instructions per "
               "cycle, bank conflicts",
               "d-activity");
    bottom = draw_activity(t);
    bottom = draw_warps(t, bottom);
    bottom = draw_rates(t, bottom);
    launches(t, bottom);
    chart_close(p->out);
    hover(t, bottom);
    explain_classes(p);
    if (json_array_size(json_object_get(p->profile, "sm_issue")) > 1) {
        draw_sms(t);
    }
}

void page_activity(struct run_page *p)
{
    struct timeline t = {.p = p};

    html_section(p->out, "activity", "Activity over time", NULL);
    t.n = json_array_size(json_object_get(p->profile, "issue"));
    t.window = page_number(p->profile, "window");
    t.cycles = page_number(p->profile, "cycles");
    if (p->profile == NULL) {
        text_add(p->out, "<p class=\"box more\">Not recorded. <code>smwave run TARGET "
                         "--profile</code> adds what the SMs did over time.</p>\n");
    } else if (t.n == 0 || t.n > 4096 || t.window < 1) {
        text_add(p->out, "<p class=\"note\">Nothing ran.</p>\n");
    } else {
        t.length = tb_alloc(t.n * sizeof(double));
        for (size_t i = 0; i < t.n; i++) {
            double rest = t.cycles - (double)i * t.window;

            t.length[i] = rest >= 1 && rest < t.window ? rest : t.window;
        }
        draw(p, &t);
        free(t.length);
    }
    html_section_end(p->out);
}
