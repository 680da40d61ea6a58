/* page_banks.c - the banks of shared memory, summed and over time: page_banks() of
 * page_priv.h. */
#include "mem/rules_banks.h"
#include "report/page_priv.h"

#include <stdlib.h>

enum { BANK_HEIGHT = 9, MAX_LAUNCHES = 6 };

struct banks {
    struct run_page *p;
    uint32_t n;
};

static double cell(const json_t *o, const char *key, size_t i)
{
    return json_number_value(json_array_get(json_object_get(o, key), i));
}

static double launch_sum(const struct banks *b, const json_t *l, const char *key)
{
    double sum = 0;

    for (uint32_t i = 0; i < b->n; i++) {
        sum += cell(l, key, i);
    }
    return sum;
}

/* ---- a launch: a bar per bank ---- */

static void hover_bars(struct banks *b, const json_t *l, size_t launch, double left,
                       double right)
{
    static const char *const keys[] = {"bank_accesses", "bank_conflicts"};
    static const char *const names[] = {"passes", "of them for conflicts"};

    text_add(b->p->out,
             "<script type=\"application/json\" id=\"d-bank%zu\">{\"kind\":\"steps\","
             "\"x\":[%.0f,%.0f],\"y\":[24,154],\"n\":%u,\"what\":\"bank\",\"names\":[",
             launch, left, right, b->n);
    for (uint32_t i = 0; i < b->n; i++) {
        text_add(b->p->out, "%s%u", i == 0 ? "" : ",", i);
    }
    text_add(b->p->out, "],\"series\":[");
    for (size_t k = 0; k < 2; k++) {
        text_add(b->p->out, "%s[\"%s\",\"\",[", k == 0 ? "" : ",", names[k]);
        for (uint32_t i = 0; i < b->n; i++) {
            text_add(b->p->out, "%s%.0f", i == 0 ? "" : ",", cell(l, keys[k], i));
        }
        text_add(b->p->out, "]]");
    }
    text_add(b->p->out, "]}</script>\n");
}

static void draw_bars(struct banks *b, const json_t *l, size_t launch)
{
    double max = 0, wide;
    struct chart c = {.left = 62, .top = 24, .width = 446, .height = 130};
    struct text label = {0};
    char hover[32];

    for (uint32_t i = 0; i < b->n; i++) {
        double v = cell(l, "bank_accesses", i);

        max = v > max ? v : max;
    }
    c.x = (struct chart_axis){0, b->n, false};
    c.y = chart_axis(0, max, false);
    wide = c.width / b->n;
    page_label(b->p, launch, &label);
    text_add(b->p->out, "<div><h3>");
    html_text(b->p->out, label.s);
    text_add(b->p->out, "</h3>\n");
    snprintf(hover, sizeof(hover), "d-bank%zu", launch);
    chart_open(b->p->out, 520, 196, 300, "Passes of each bank, and those of conflicts",
               hover);
    chart_y_axis(b->p->out, &c, 3, "passes");
    for (uint32_t i = 0; i < b->n; i++) {
        double v = cell(l, "bank_accesses", i), hot = cell(l, "bank_conflicts", i);
        double gap = wide > 6 ? 2 : wide / 3; /* between bars */
        double x = c.left + wide * i + gap / 2, bottom = c.top + c.height;

        text_add(b->p->out, "<path class=\"s-bank\" d=\"M%.1f %.1fV%.1fh%.1fV%.1fz\"/>",
                 x, bottom, chart_y(&c, v), wide - gap, bottom);
        if (hot > 0) {
            text_add(b->p->out,
                     "<path class=\"s-hot\" d=\"M%.1f %.1fV%.1fh%.1fV%.1fz\"/>", x,
                     bottom, chart_y(&c, hot), wide - gap, bottom);
        }
        if (i % (b->n > 32 ? b->n / 8 : 4) == 0 || i + 1 == b->n) {
            char name[16];

            snprintf(name, sizeof(name), "%u", i);
            chart_word(b->p->out, x + (wide - gap) / 2, bottom + 16, "middle", "tick",
                       name);
        }
    }
    chart_word(b->p->out, c.left + c.width / 2, c.top + c.height + 34, "middle", "axis",
               "bank");
    chart_close(b->p->out);
    hover_bars(b, l, launch, c.left, c.left + c.width);
    text_add(b->p->out, "</div>\n");
    text_free(&label);
}

/* ---- over time ---- */

static void heat_data(struct banks *b, const char *id, const char *unit,
                      const double *v, size_t n, double window)
{
    struct text *out = b->p->out;

    text_add(
        out,
        "<script type=\"application/json\" id=\"%s\">{\"kind\":\"grid\",\"x\":[%d,%d]"
        ",\"y\":[10,%u],\"n\":%zu,\"from\":0,\"step\":%.0f,\"what\":\"cycles\","
        "\"row\":\"bank\",\"unit\":\"%s\",\"rows\":[",
        id, PAGE_LEFT, PAGE_WIDTH - PAGE_RIGHT, 10 + BANK_HEIGHT * b->n, n, window,
        unit);
    for (uint32_t i = 0; i < b->n; i++) {
        text_add(out, "%s%u", i == 0 ? "" : ",", i);
    }
    text_add(out, "],\"v\":[");
    for (uint32_t i = 0; i < b->n; i++) {
        text_add(out, "%s[", i == 0 ? "" : ",\n");
        for (size_t w = 0; w < n; w++) {
            text_add(out, "%s%.4g", w == 0 ? "" : ",", v[i * n + w]);
        }
        text_add(out, "]");
    }
    text_add(out, "]}</script>\n");
}

/* False: all is 0, and nothing was drawn. */
static bool draw_heat(struct banks *b, const char *key, const char *title,
                      const char *id, const char *unit)
{
    const json_t *rows = json_object_get(b->p->profile, key), *row;
    double window = page_number(b->p->profile, "window"), max = 0;
    size_t n = json_array_size(json_array_get(rows, 0)), i;
    double *v;
    struct chart c = {.left = PAGE_LEFT,
                      .top = 10,
                      .width = PAGE_WIDTH - PAGE_LEFT - PAGE_RIGHT,
                      .height = BANK_HEIGHT * (double)b->n,
                      .x = {0, (double)n * window, false},
                      .y = {0, 1, false}};

    if (n == 0 || n > 4096) {
        return false;
    }
    v = tb_alloc(b->n * n * sizeof(double));
    json_array_foreach(rows, i, row)
    {
        for (size_t w = 0; w < n && i < b->n; w++) {
            v[i * n + w] = json_number_value(json_array_get(row, w));
            max = v[i * n + w] > max ? v[i * n + w] : max;
        }
    }
    if (max > 0) {
        text_add(b->p->out, "<h3>%s</h3>\n", title);
        chart_open(b->p->out, PAGE_WIDTH, c.height + 58, PAGE_LEAST, title, id);
        chart_heat(b->p->out, &c, v, b->n, n, max);
        for (uint32_t k = 0; k < b->n; k += 4) {
            char name[16];

            snprintf(name, sizeof(name), k == 0 ? "bank %u" : "%u", k);
            chart_word(b->p->out, PAGE_LEFT - 8, 10 + BANK_HEIGHT * (k + 0.5) + 4,
                       "end", "tick", name);
        }
        chart_x_axis(b->p->out, &c, 8, "cycle of the SM clock", true);
        chart_close(b->p->out);
        chart_scale(b->p->out, 0, max, unit);
        heat_data(b, id, unit, v, n, window);
    }
    free(v);
    return max > 0;
}

/* ---- numbers ---- */

static void put_table(struct banks *b)
{
    const json_t *launches = json_object_get(b->p->profile, "launches"), *l;
    struct html_column c[1 + 2 * PAGE_MAX_LAUNCHES] = {{"Bank", NULL, true}};
    struct text name[PAGE_MAX_LAUNCHES] = {{0}}, hot[PAGE_MAX_LAUNCHES] = {{0}};
    size_t n = 1, i, shown = 0;

    json_array_foreach(launches, i, l)
    {
        if (launch_sum(b, l, "bank_accesses") > 0 && shown < PAGE_MAX_LAUNCHES) {
            page_label(b->p, i, &name[shown]);
            text_add(&hot[shown], "%s: conflicts", name[shown].s);
            text_add(&name[shown], ": passes");
            c[n++] = (struct html_column){name[shown].s, NULL, true};
            c[n++] = (struct html_column){hot[shown].s, NULL, true};
            shown++;
        }
    }
    text_add(b->p->out, "<details><summary>Numbers of each bank</summary>\n");
    html_table(b->p->out, "t-banks", "Passes and conflicts of each bank", c, n,
               HTML_SORTED);
    for (uint32_t bank = 0; bank < b->n; bank++) {
        html_row(b->p->out);
        html_cell_number(b->p->out, bank, 6);
        shown = 0;
        json_array_foreach(launches, i, l)
        {
            if (launch_sum(b, l, "bank_accesses") > 0 && shown++ < PAGE_MAX_LAUNCHES) {
                html_cell_number(b->p->out, cell(l, "bank_accesses", bank), 6);
                html_cell_number(b->p->out, cell(l, "bank_conflicts", bank), 6);
            }
        }
    }
    html_table_end(b->p->out);
    text_add(b->p->out, "</details>\n");
    for (i = 0; i < PAGE_MAX_LAUNCHES; i++) {
        text_free(&name[i]);
        text_free(&hot[i]);
    }
}

static void draw(struct banks *b)
{
    static const struct chart_key keys[] = {{"s-bank", "passes"},
                                            {"s-hot", "of those, for conflicts"}};
    const json_t *launches = json_object_get(b->p->profile, "launches"), *l;
    size_t i, used = 0;

    json_array_foreach(launches, i, l)
    {
        used += launch_sum(b, l, "bank_accesses") > 0;
    }
    if (used == 0) {
        text_add(b->p->out, "<p class=\"note\">Shared memory was not accessed.</p>\n");
        return;
    }
    chart_legend(b->p->out, keys, ARRAY_LEN(keys));
    text_add(b->p->out, "<div class=\"grid2\">\n");
    used = 0;
    json_array_foreach(launches, i, l)
    {
        if (launch_sum(b, l, "bank_accesses") > 0 && used++ < MAX_LAUNCHES) {
            draw_bars(b, l, i);
        }
    }
    text_add(b->p->out, "</div>\n");
    if (used > MAX_LAUNCHES) {
        text_add(b->p->out,
                 "<p class=\"note\">The first %d of %zu launches that use shared "
                 "memory.</p>\n",
                 MAX_LAUNCHES, used);
    }
    draw_heat(b, "bank_accesses", "Passes of each bank over time, all SMs", "d-heat",
              "passes in a window");
    if (!draw_heat(b, "bank_conflicts", "Conflicts of each bank over time, all SMs",
                   "d-hot", "passes for conflicts in a window")) {
        text_add(b->p->out, "<p class=\"note\">No access conflicts in any bank.</p>\n");
    }
    put_table(b);
}

void page_banks(struct run_page *p)
{
    struct banks b = {p, 0};
    double banks = page_number(p->profile, "banks");

    html_section(
        p->out, "banks", "Banks of shared memory",
        "A pass is one wavefront in which the bank serves a lane. Passes beyond "
        "the first of a group of lanes are what a conflict costs.");
    if (p->profile == NULL) {
        text_add(p->out, "<p class=\"box more\">Not recorded. <code>smwave run TARGET "
                         "--profile</code> adds what each bank did.</p>\n");
    } else if (banks >= 1 && banks <= BANKS_MAX) {
        b.n = (uint32_t)banks;
        draw(&b);
    }
    html_section_end(p->out);
}
